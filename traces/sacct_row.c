/* sacct_row.c - the cells of one record as a row (spec sacct.md sections 2, 3 and 5). */
#include "traces/sacct_rows.h"
#include <string.h>

struct reading {
	struct sacct_store *store;
	const struct sacct_columns *columns;
	const struct sacct_cell *cells;
	struct sacct_row *row;
};

static bool has(const struct reading *d, enum sacct_column column)
{
	return d->columns->place[column] >= 0;
}

static const char *cell(const struct reading *d, enum sacct_column column)
{
	int place = d->columns->place[column];
	return place < 0 ? "" : d->cells[place].text;
}

static const char *keep(struct reading *d, const char *text)
{
	return sacct_is_missing(text) ? NULL : g_string_chunk_insert_const(d->store->texts, text);
}

static bool read_id(struct reading *d)
{
	struct sacct_row *row = d->row;
	struct sacct_id id, raw;
	const char *text = has(d, COL_JOBID) ? cell(d, COL_JOBID) : cell(d, COL_JOBIDRAW);
	if (!sacct_parse_id(text, &id))
		return false;
	row->number = row->array_id = id.number;
	row->task = id.task;
	row->component = id.component;
	row->id = g_string_chunk_insert_const(d->store->texts, text);
	if (id.brackets) {
		char *list = g_strndup(id.brackets, id.brackets_length);
		row->brackets = g_string_chunk_insert_const(d->store->texts, list);
		g_free(list);
	}
	if (has(d, COL_JOBIDRAW) && sacct_parse_id(cell(d, COL_JOBIDRAW), &raw))
		row->number = raw.number;
	return true;
}

static void read_texts(struct reading *d)
{
	struct sacct_row *row = d->row;
	row->name = keep(d, cell(d, COL_JOBNAME));
	row->user = keep(d, cell(d, COL_USER));
	if (!row->user && !sacct_is_missing(cell(d, COL_UID))) {
		char *user = g_strconcat("uid", cell(d, COL_UID), NULL);
		row->user = keep(d, user);
		g_free(user);
	}
	row->account = keep(d, cell(d, COL_ACCOUNT));
	row->partition = keep(d, cell(d, COL_PARTITION));
	row->qos = keep(d, cell(d, sacct_is_missing(cell(d, COL_QOSREQ)) ? COL_QOS : COL_QOSREQ));
	row->constraints = keep(d, cell(d, COL_CONSTRAINTS));
	row->licenses = keep(d, cell(d, COL_LICENSES));
	row->reservation = keep(d, cell(d, COL_RESERVATION));
	row->req_tres = keep(d, cell(d, COL_REQTRES));
	row->alloc_tres = keep(d, cell(d, COL_ALLOCTRES));
	row->req_gres = keep(d, cell(d, COL_REQGRES));
	row->submit_line = keep(d, cell(d, COL_SUBMITLINE));
}

static const char *read_times(struct reading *d)
{
	struct sacct_row *row = d->row;
	if (!sacct_parse_time(cell(d, COL_SUBMIT), &row->submit))
		return "Submit is not a time";
	if (!sacct_parse_time(cell(d, COL_ELIGIBLE), &row->eligible))
		return "Eligible is not a time";
	if (!sacct_parse_time(cell(d, COL_START), &row->start))
		return "Start is not a time";
	if (!sacct_parse_time(cell(d, COL_END), &row->end))
		return "End is not a time";
	if (row->submit == 0)
		return "no submit time";
	row->never_eligible = has(d, COL_ELIGIBLE) && row->eligible == 0;
	return NULL;
}

static bool read_span(const char *text, usec_t *out)
{
	return duration_parse_elapsed(text, out) && *out >= 0 && *out <= READER_MAX_SECONDS * USEC;
}

/* ElapsedRaw, else Elapsed, else End - Start - Suspended. */
static const char *read_run(struct reading *d)
{
	struct sacct_row *row = d->row;
	usec_t suspended = 0;
	uint64_t seconds;
	row->run = -1;
	if (!sacct_is_missing(cell(d, COL_ELAPSEDRAW))) {
		if (!sacct_parse_count(cell(d, COL_ELAPSEDRAW), &seconds) || seconds > (uint64_t)READER_MAX_SECONDS)
			return "ElapsedRaw is not a number";
		row->run = (usec_t)seconds * USEC;
	} else if (!sacct_is_missing(cell(d, COL_ELAPSED))) {
		if (!read_span(cell(d, COL_ELAPSED), &row->run))
			return "Elapsed is not a duration";
	} else if (row->start > 0 && row->end >= row->start) {
		if (!sacct_is_missing(cell(d, COL_SUSPENDED)) && !read_span(cell(d, COL_SUSPENDED), &suspended))
			return "Suspended is not a duration";
		row->run = MAX((row->end - row->start) * USEC - suspended, 0);
	}
	return NULL;
}

static const char *read_limit_and_state(struct reading *d)
{
	struct sacct_row *row = d->row;
	bool raw = !sacct_is_missing(cell(d, COL_TIMELIMITRAW));
	if (!sacct_parse_limit(cell(d, raw ? COL_TIMELIMITRAW : COL_TIMELIMIT), raw, &row->limit))
		return "Timelimit is not a duration";
	if (!sacct_parse_state(cell(d, COL_STATE), &row->state))
		return "State is not known";
	if (!sacct_parse_exit(cell(d, COL_EXITCODE), &row->exit_code, &row->signal))
		return "ExitCode is not exit:signal";
	return NULL;
}

static uint32_t count32(uint64_t value)
{
	return (uint32_t)MIN(value, (uint64_t)100000000);
}

/* The first of these that says more than 0. */
static uint32_t first_count(const struct reading *d, const char *tres, const char *name, enum sacct_column a,
                            enum sacct_column b)
{
	uint64_t value = 0;
	if (tres && sacct_tres_get(tres, name, &value) && value > 0)
		return count32(value);
	if (sacct_parse_count(cell(d, a), &value) && value > 0)
		return count32(value);
	return sacct_parse_count(cell(d, b), &value) ? count32(value) : 0;
}

static const char *read_size(struct reading *d)
{
	struct sacct_row *row = d->row;
	const char *given = row->alloc_tres;
	row->alloc_cpus = first_count(d, given, "cpu", COL_NCPUS, COL_NCPUS);
	row->alloc_nodes = first_count(d, given, "node", COL_NNODES, COL_NNODES);
	row->cpus = first_count(d, row->req_tres, "cpu", COL_REQCPUS, COL_REQCPUS);
	row->nodes = first_count(d, row->req_tres, "node", COL_REQNODES, COL_REQNODES);
	if (row->cpus == 0)
		row->cpus = row->alloc_cpus;
	if (row->nodes == 0)
		row->nodes = MAX(row->alloc_nodes, 1u);
	if (!sacct_parse_memory(cell(d, COL_REQMEM), &row->memory, &row->mib))
		return "ReqMem is not a memory size";
	return row->cpus == 0 ? "no processors" : NULL;
}

/* ReqMem without a letter is the total, and "0" there may only mean that memory was not asked for. */
static void read_memory(struct sacct_row *row)
{
	uint64_t asked = 0, given = 0;
	bool in_req = row->req_tres && sacct_tres_get(row->req_tres, "mem", &asked);
	bool in_alloc = row->alloc_tres && sacct_tres_get(row->alloc_tres, "mem", &given);
	if (row->memory == MEMORY_TOTAL && row->mib == 0 && row->req_tres && !in_req)
		row->memory = MEMORY_NONE;
	if (row->memory == MEMORY_NONE && (in_req || (in_alloc && !row->req_tres))) {
		row->memory = MEMORY_TOTAL;
		row->mib = in_req ? asked : given;
	}
	if (row->memory != MEMORY_TOTAL)
		return;
	bool grew = in_alloc && given > row->mib && row->alloc_cpus > row->cpus;
	row->memory = grew && row->mib > 0 ? MEMORY_PER_CPU : MEMORY_PER_NODE;
	uint64_t parts = row->memory == MEMORY_PER_CPU ? row->cpus : row->nodes;
	row->mib = (row->mib + parts - 1) / parts;
}

/* A job that never ran may print its end as Start, and the CPUs it wanted as given. */
static bool started(const struct reading *d)
{
	const struct sacct_row *row = d->row;
	if (row->start == 0)
		return false;
	bool may_not = row->state == STATE_CANCELLED || row->state == STATE_FAILED || row->state == STATE_DEADLINE ||
	               row->state == STATE_NODE_FAIL;
	if (!may_not || row->run > 0)
		return true;
	if (has(d, COL_NODELIST))
		return !sacct_is_missing(cell(d, COL_NODELIST));
	if (has(d, COL_ALLOCTRES))
		return row->alloc_tres != NULL;
	return row->state != STATE_CANCELLED || row->start != row->end;
}

const char *sacct_row_read(struct sacct_store *store, const struct sacct_columns *c, const struct sacct_cell *cells,
                           struct sacct_row *row)
{
	struct reading d = {.store = store, .columns = c, .cells = cells, .row = row};
	*row = (struct sacct_row){.run = -1};
	if (!read_id(&d))
		return "the job id is not a job id";
	const char *why = read_times(&d);
	if (!why)
		why = read_run(&d);
	if (!why)
		why = read_limit_and_state(&d);
	if (why)
		return why;
	read_texts(&d);
	why = read_size(&d);
	if (why)
		return why;
	row->started = started(&d);
	if (!row->started)
		row->alloc_cpus = row->alloc_nodes = 0;
	read_memory(row);
	return NULL;
}
