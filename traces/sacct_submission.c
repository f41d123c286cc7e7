/*
 * sacct_submission.c - a row as a submission: what was asked for, as far as sacct tells or lets infer (spec sacct.md
 * section 5). Options found in SubmitLine win; what it leaves open is filled from the columns.
 */
#include "traces/sacct_rows.h"
#include "traces/sacct_steps.h"
#include "traces/sbatch_words.h"
#include <string.h>

#define CENSOR_SECONDS 600 /* how far beyond its limit a job that ended in TIMEOUT would have run at least */

/* SubmitLine */

static bool is_client(const char *word)
{
	char *name = g_path_get_basename(word);
	bool is = strcmp(name, "sbatch") == 0 || strcmp(name, "salloc") == 0 || strcmp(name, "srun") == 0;
	g_free(name);
	return is;
}

static void apply_submit_line(struct job_request *r, const struct sacct_row *row)
{
	if (!row->submit_line)
		return;
	char **words = sbatch_words_split(row->submit_line), **own = words + (words[0] != NULL);
	uint32_t skip = row->component == NO_VAL ? 0 : row->component; /* components are separated by ":" */
	while (skip > 0 && *own)
		skip -= strcmp(*own++, ":") == 0;
	if (words[0] && is_client(words[0]))
		sbatch_words_apply(r, (const char *const *)own, false, NULL, NULL);
	g_strfreev(words);
	/* what the row knows better: the form of the array, and when the job became eligible */
	g_clear_pointer(&r->array, g_free);
	g_clear_pointer(&r->begin_text, g_free);
	r->begin = 0;
	r->hold = false;
}

/* "afterok:123:124" -> "afterok:@123:@124", when all of them are replayed; else NULL. */
static char *name_dependencies(const struct sacct_store *store, const char *text)
{
	GString *out = g_string_new(NULL);
	bool known = true;
	for (const char *p = text; known && *p;) {
		if (!g_ascii_isdigit(*p) || (p > text && strchr(":,?", p[-1]) == NULL)) {
			g_string_append_c(out, *p++);
			continue;
		}
		char *end;
		uint64_t number = g_ascii_strtoull(p, &end, 10);
		const char *label = g_hash_table_lookup(store->labels, &number);
		known = label && *end != '_';
		g_string_append_printf(out, "@%s", label ? label : "");
		p = end;
	}
	return g_string_free(out, !known);
}

static void set_dependency(struct job_request *r, const struct sacct_store *store)
{
	if (!r->dependency)
		return;
	char *named = name_dependencies(store, r->dependency);
	g_free(r->dependency);
	r->dependency = named;
}

/* Columns */

static void fill(char **field, const char *text)
{
	if (!*field && text && *text)
		*field = g_strdup(text);
}

static void fill_texts(struct job_request *r, const struct sacct_row *row)
{
	g_free(r->user);
	r->user = g_strdup(row->user ? row->user : "unknown");
	g_free(r->name);
	r->name = row->name ? g_strdup(row->name) : g_strconcat("job", row->id, NULL);
	fill(&r->account, row->account);
	fill(&r->partition, row->partition);
	fill(&r->qos, row->qos);
	fill(&r->constraint, row->constraints);
	fill(&r->reservation, row->reservation);
	fill(&r->licenses, row->licenses);
	bool whole;
	char *licenses = row->req_tres && !r->licenses ? sacct_tres_list(row->req_tres, "license/", 1, &whole) : NULL;
	fill(&r->licenses, licenses);
	g_free(licenses);
}

/* Nodes: at least what ReqTRES says; exactly so when no more were given. */
static void fill_nodes(struct job_request *r, const struct sacct_row *row)
{
	if (r->min_nodes != NO_VAL || r->node_counts)
		return;
	r->min_nodes = row->nodes;
	r->max_nodes = row->alloc_nodes == row->nodes ? row->nodes : NO_VAL;
}

static void fill_tasks(struct job_request *r, const struct sacct_row *row)
{
	bool per_node_open = r->ntasks == NO_VAL && r->ntasks_per_node == NO_VAL && r->cpus_per_task == NO_VAL;
	if (r->ntasks != NO_VAL && r->ntasks > 0) {
		if (r->cpus_per_task == NO_VAL && row->cpus % r->ntasks == 0 && row->cpus > r->ntasks)
			r->cpus_per_task = row->cpus / r->ntasks;
		return;
	}
	uint32_t each = r->cpus_per_task != NO_VAL && r->cpus_per_task > 0 ? r->cpus_per_task : 1;
	r->ntasks = MAX(row->cpus / each, 1u);
	if (per_node_open && row->nodes > 1 && r->max_nodes == row->nodes && row->cpus % row->nodes == 0)
		r->ntasks_per_node = row->cpus / row->nodes;
}

static void fill_memory(struct job_request *r, const struct sacct_row *row)
{
	if (r->mem_per_node != NO_VAL64 || r->mem_per_cpu != NO_VAL64 ||
	    (r->mem_per_gpu != NO_VAL64 && r->mem_per_gpu != 0))
		return;
	if (row->memory == MEMORY_PER_NODE)
		r->mem_per_node = row->mib;
	else if (row->memory == MEMORY_PER_CPU)
		r->mem_per_cpu = row->mib;
}

/* "gpu:a100:3,shard:5" of the whole job: GPUs become --gpus; no other kind has a per-job option, so it is dropped. */
static char *gpus_of(const char *list)
{
	GString *out = g_string_new(NULL);
	char **items = g_strsplit(list, ",", -1);
	for (char **item = items; *item; item++)
		if (g_str_has_prefix(*item, "gpu:"))
			g_string_append_printf(out, "%s%s", out->len ? "," : "", *item + strlen("gpu:"));
	g_strfreev(items);
	return g_string_free(out, out->len == 0);
}

/* Old ReqGRES: "gpu:2" or "gpu:v100:2", per node. */
static bool is_gres(const char *text)
{
	return text && g_ascii_isalpha(*text) &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                    "0123456789_-.:,/") == strlen(text);
}

static void fill_gres(struct job_request *r, const struct sacct_row *row)
{
	if (r->gres || r->gpus || r->gpus_per_task || r->gpus_per_socket)
		return;
	bool whole = false;
	uint64_t gpus;
	char *list = row->req_tres ? sacct_tres_list(row->req_tres, "gres/", row->nodes, &whole) : NULL;
	if (list && whole)
		r->gpus = gpus_of(list);
	else
		fill(&r->gres, list);
	g_free(list);
	if (r->gres || r->gpus)
		return;
	if (is_gres(row->req_gres))
		fill(&r->gres, row->req_gres);
	else if (row->alloc_tres && sacct_tres_get(row->alloc_tres, "gres/gpu", &gpus) && gpus > 0) {
		/* the type that was given is not the type that was asked for */
		uint64_t nodes = MAX(row->alloc_nodes, 1u);
		if (gpus % nodes == 0)
			r->gres = g_strdup_printf("gpu:%" G_GUINT64_FORMAT, gpus / nodes);
		else
			r->gpus = g_strdup_printf("%" G_GUINT64_FORMAT, gpus);
	}
}

/* Without a known dependency, Eligible is the earliest moment; a job that never got there was held. */
static void set_release(struct job_request *r, const struct sacct_row *row)
{
	if (r->dependency)
		return;
	if (row->eligible > row->submit)
		r->begin = row->eligible;
	else if (row->never_eligible && !row->started)
		r->hold = true;
}

/* "5-9,12%3" as --array has it; a list cut by "..." keeps what is shown. */
static char *array_text(const char *brackets)
{
	const char *dots = strstr(brackets, "...");
	if (!dots)
		return g_strdup(brackets);
	size_t n = (size_t)(dots - brackets);
	while (n > 0 && !g_ascii_isdigit(brackets[n - 1]))
		n--;
	return n > 0 ? g_strndup(brackets, n) : NULL;
}

/* Outcome */

static void set_end(struct outcome *o, const struct sacct_row *row)
{
	switch (row->state) {
	case STATE_CANCELLED:
	case STATE_DEADLINE:
	case STATE_PREEMPTED:
	case STATE_REQUEUED:
		o->end = OUTCOME_CANCEL_RUNNING;
		break;
	case STATE_NODE_FAIL:
		o->end = OUTCOME_NODE_FAIL;
		break;
	case STATE_OUT_OF_MEMORY:
		o->end = OUTCOME_OOM;
		break;
	case STATE_FAILED:
		o->exit_code = row->exit_code || row->signal ? row->exit_code : 1;
		o->signal = row->signal;
		break;
	case STATE_TIMEOUT:
		break; /* what it would have come to is not known */
	default:
		o->exit_code = row->exit_code;
		o->signal = row->signal;
		break;
	}
}

static void set_outcome(struct outcome *o, const struct sacct_row *row, uint32_t limit)
{
	set_end(o, row);
	o->real_eligible = row->eligible;
	o->real_end = row->end;
	if (!row->started) {
		o->cancel_after = MAX(row->end - row->submit, 0) * USEC;
		o->end = OUTCOME_CANCEL_RUNNING; /* should it start earlier: how long it would have run is not known */
		return;
	}
	o->real_start = row->start;
	o->run_time = row->run;
	/* a run time cut by the limit must not end before the limit's check sees it */
	if (row->state == STATE_TIMEOUT && limit < NO_VAL)
		o->run_time = MAX(o->run_time, ((int64_t)limit * 60 + CENSOR_SECONDS) * USEC);
}

static void fill_request(const struct sacct_store *store, struct job_request *r, const struct sacct_row *row)
{
	apply_submit_line(r, row);
	set_dependency(r, store);
	fill_texts(r, row);
	fill_nodes(r, row);
	fill_tasks(r, row);
	fill_memory(r, row);
	fill_gres(r, row);
	set_release(r, row);
	if (row->brackets)
		r->array = array_text(row->brackets);
	if (r->time_limit == NO_VAL)
		r->time_limit = sacct_limit(store, row);
}

static void add_components(const struct sacct_store *store, struct submission *s, const GArray *rows)
{
	s->het = g_new0(struct job_request *, rows->len);
	for (guint i = 0; i < rows->len; i++) {
		s->het[s->n_het++] = job_request_new();
		fill_request(store, s->het[i], &g_array_index(store->rows, struct sacct_row, g_array_index(rows, guint, i)));
	}
}

struct submission *sacct_submission(void *data, uint32_t record)
{
	struct sacct_store *store = data;
	const struct sacct_row *row = &g_array_index(store->rows, struct sacct_row, record);
	const GArray *others = g_hash_table_lookup(store->components, GUINT_TO_POINTER(record + 1));
	struct submission *s = submission_new();
	s->at = row->submit * USEC;
	s->line = row->line;
	s->trace_id = row->number;
	s->label = g_strdup(row->component == NO_VAL ? row->id : sacct_het_label(store, row));
	fill_request(store, s->request, row);
	if (others)
		add_components(store, s, others);
	set_outcome(&s->outcome, row, s->request->time_limit);
	s->steps = sacct_steps_of(store, row, others);
	if (row->state != STATE_OUT_OF_MEMORY)
		s->outcome.max_rss = job_steps_memory(s->steps);
	return s;
}
