/* sacct_steps.c - see sacct_steps.h */
#include "traces/sacct_steps.h"
#include <string.h>

#define MAX_STEPS 40000000 /* of all jobs: what comes later is not kept */

struct sacct_step { /* kept small: there are more of these than of jobs */
	uint32_t next;  /* of the same job, +1; 0 = none */
	sec_t start, end;
	const char *name;
	struct job_step step; /* begin, end and name not yet set */
	enum sacct_state state;
};

static const char *cell(const struct sacct_columns *c, const struct sacct_cell *cells, enum sacct_column column)
{
	return c->place[column] < 0 ? "" : cells[c->place[column]].text;
}

/* "batch", "0", "0+1" behind the dot. */
static bool read_id(const char *text, struct job_step *step)
{
	static const char *const words[] = {
	    [JOBSTEP_BATCH] = "batch", [JOBSTEP_EXTERN] = "extern", [JOBSTEP_INTERACTIVE] = "interactive"};
	char *end;
	size_t word = strcspn(text, "+");
	for (int k = JOBSTEP_BATCH; k <= JOBSTEP_INTERACTIVE; k++)
		if (strlen(words[k]) == word && strncmp(text, words[k], word) == 0) {
			step->kind = (enum jobstep_kind)k;
			return true;
		}
	guint64 n = g_ascii_isdigit(*text) ? g_ascii_strtoull(text, &end, 10) : NO_VAL;
	step->number = (uint32_t)n;
	step->component = n < INT32_MAX && *end == '+' ? 0 : NO_VAL; /* which one it is tells the id before the dot */
	return n < INT32_MAX && (*end == '\0' || *end == '+');
}

static uint32_t count(const char *text)
{
	uint64_t n = 0;
	return sacct_parse_count(text, &n) ? (uint32_t)MIN(n, (uint64_t)INT32_MAX) : 0;
}

/* "165156K"; a bare number is bytes (--noconvert). KiB. */
static uint64_t kib(const char *text)
{
	char *end;
	double n = g_ascii_isdigit(*text) ? g_ascii_strtod(text, &end) : 0;
	static const char units[] = "KMGTPE";
	const char *unit = n > 0 && *end ? strchr(units, g_ascii_toupper(*end)) : NULL;
	if (n <= 0 || n > 1e18)
		return 0;
	if (!unit)
		return (uint64_t)(n / 1024);
	for (; unit > units && n < 1e15; unit--)
		n *= 1024;
	return (uint64_t)n;
}

static void read_size(struct job_step *step, const struct sacct_columns *c, const struct sacct_cell *cells)
{
	const char *tres = cell(c, cells, COL_ALLOCTRES);
	uint64_t n;
	step->tasks = count(cell(c, cells, COL_NTASKS));
	step->nodes = count(cell(c, cells, COL_NNODES));
	step->cpus = sacct_tres_get(tres, "cpu", &n) ? (uint32_t)MIN(n, (uint64_t)INT32_MAX) : count(cell(c, cells, COL_NCPUS));
	if (!sacct_is_missing(tres)) {
		step->gpus = sacct_tres_get(tres, "gres/gpu", &n) ? (uint32_t)MIN(n, (uint64_t)INT32_MAX) : 0;
		step->mem = sacct_tres_get(tres, "mem", &n) ? n : 0;
	}
	step->max_rss = kib(cell(c, cells, COL_MAXRSS));
	step->ave_rss = kib(cell(c, cells, COL_AVERSS));
	usec_t used;
	const char *cpu = cell(c, cells, COL_TOTALCPU);
	if (!sacct_is_missing(cpu) && duration_parse_elapsed(cpu, &used) && used > 0)
		step->cpu_time = used;
}

/* The last of the job's steps is found by the number of the first. */
static void keep(struct sacct_store *store, const char *id, size_t length, const struct sacct_step *step)
{
	char *key = g_strndup(id, length);
	const char *text = g_string_chunk_insert_const(store->texts, key);
	g_free(key);
	uint32_t first = GPOINTER_TO_UINT(g_hash_table_lookup(store->step_first, text));
	g_array_append_val(store->steps, *step);
	g_array_index(store->steps, struct sacct_step, store->steps->len - 1).next = first;
	g_hash_table_insert(store->step_first, (gpointer)(uintptr_t)text, GUINT_TO_POINTER(store->steps->len));
}

void sacct_steps_read(struct sacct_store *store, const struct sacct_columns *c, const struct sacct_cell *cells)
{
	const char *id = cell(c, cells, c->place[COL_JOBID] >= 0 ? COL_JOBID : COL_JOBIDRAW), *dot = strchr(id, '.');
	struct sacct_step s = {.step = {.component = NO_VAL, .end = -1, .gpus = NO_VAL, .cpu_time = -1}};
	if (!store->steps) {
		store->steps = g_array_new(FALSE, FALSE, sizeof(struct sacct_step));
		store->step_first = g_hash_table_new(g_str_hash, g_str_equal);
	}
	bool good = dot && store->steps->len < MAX_STEPS && read_id(dot + 1, &s.step) &&
	            sacct_parse_time(cell(c, cells, COL_START), &s.start) && s.start > 0 &&
	            sacct_parse_time(cell(c, cells, COL_END), &s.end) &&
	            sacct_parse_state(cell(c, cells, COL_STATE), &s.state);
	if (!good)
		return;
	sacct_parse_exit(cell(c, cells, COL_EXITCODE), &s.step.exit_code, &s.step.signal);
	read_size(&s.step, c, cells);
	const char *name = cell(c, cells, COL_JOBNAME);
	if (s.step.kind == JOBSTEP_NUMBERED && *name)
		s.name = g_string_chunk_insert_const(store->texts, name);
	keep(store, id, (size_t)(dot - id), &s);
}

void sacct_steps_free(struct sacct_store *store)
{
	if (!store->steps)
		return;
	g_array_unref(store->steps);
	g_hash_table_unref(store->step_first);
}

/* ---- to its job ---- */

static enum jobstep_end how(const struct sacct_step *s)
{
	switch (s->state) {
	case STATE_CANCELLED:
		return JOBSTEP_CANCELLED;
	case STATE_TIMEOUT:
		return JOBSTEP_TIMEOUT;
	case STATE_OUT_OF_MEMORY:
		return JOBSTEP_OOM;
	default:
		return JOBSTEP_EXITS;
	}
}

/* What was cut by the end of its job is cut by it in the replay too. */
static void set_times(struct job_step *step, const struct sacct_step *s, const struct sacct_row *row)
{
	bool by_itself = row->state == STATE_COMPLETED || row->state == STATE_FAILED || row->state == STATE_OUT_OF_MEMORY;
	step->begin = MAX(0, s->start - row->start) * USEC;
	step->how = how(s);
	if (s->end > 0 && s->end < row->end) {
		step->end = MAX(s->end - row->start, s->start - row->start) * USEC;
		return;
	}
	step->end = -1;
	if (!by_itself && step->how != JOBSTEP_OOM) {
		step->how = JOBSTEP_EXITS;
		step->exit_code = step->signal = 0;
	}
}

/* All that the job has is told as such: the replay may give it more or less. */
static void set_whole(struct job_step *step, const struct sacct_row *row)
{
	uint64_t n;
	if (step->nodes >= row->alloc_nodes)
		step->nodes = 0;
	if (step->cpus >= row->alloc_cpus)
		step->cpus = 0;
	if (step->gpus != NO_VAL && row->alloc_tres && sacct_tres_get(row->alloc_tres, "gres/gpu", &n) && step->gpus >= n)
		step->gpus = NO_VAL;
	if (row->alloc_tres && sacct_tres_get(row->alloc_tres, "mem", &n) && step->mem >= n)
		step->mem = 0;
}

/* PLACE: of ROW among the components. */
static void add_steps(struct job_steps *out, const struct sacct_store *store, const struct sacct_row *row, uint32_t place)
{
	uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(store->step_first, row->id));
	while (at > 0 && out->list->len < STEPS_MAX) {
		const struct sacct_step *s = &g_array_index(store->steps, struct sacct_step, at - 1);
		at = s->next;
		if (s->start < row->start || (row->end > 0 && s->start > row->end))
			continue; /* of another run */
		struct job_step step = s->step;
		if (row->component == NO_VAL || (place == 0 && step.component == NO_VAL))
			step.component = NO_VAL;
		else
			step.component = place;
		step.name = g_strdup(s->name);
		set_times(&step, s, row);
		set_whole(&step, row);
		g_array_append_val(out->list, step);
	}
}

/* Joined dumps tell a step twice. */
static void drop_doubles(struct job_steps *s)
{
	for (guint i = s->list->len; i > 1; i--) {
		const struct job_step *a = &g_array_index(s->list, struct job_step, i - 2), *b = a + 1;
		if (a->kind == b->kind && a->number == b->number && a->component == b->component)
			g_array_remove_index(s->list, i - 1);
	}
}

struct job_steps *sacct_steps_of(const struct sacct_store *store, const struct sacct_row *row, const GArray *components)
{
	if (!store->steps || !row->started)
		return NULL;
	struct job_steps *out = job_steps_new();
	add_steps(out, store, row, 0);
	for (guint i = 0; components && i < components->len; i++)
		add_steps(out, store, &g_array_index(store->rows, struct sacct_row, g_array_index(components, guint, i)),
		          i + 1);
	if (!out->list->len) {
		job_steps_free(out);
		return NULL;
	}
	job_steps_sort(out);
	drop_doubles(out);
	out->no_batch = g_array_index(out->list, struct job_step, 0).kind != JOBSTEP_BATCH;
	return out;
}
