/* passes_out.c - see passes_out.h. */
#include "tools/passes_out.h"
#include <inttypes.h>
#include <string.h>

struct passes_out {
	FILE *out;
	const struct cluster *cluster;
	const struct passes_options *o;
	GString *steps[2]; /* of the main pass and of the backfill cycle under way */
	guint n_steps[2];
	uint64_t n_passes, n_empty;
	GHashTable *ends; /* "main: end of queue" -> count, owned */
};

struct passes_out *passes_out_new(FILE *out, const struct cluster *cluster, const struct passes_options *o)
{
	struct passes_out *p = g_new0(struct passes_out, 1);
	p->out = out;
	p->cluster = cluster;
	p->o = o;
	p->steps[0] = g_string_new(NULL);
	p->steps[1] = g_string_new(NULL);
	p->ends = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return p;
}

void passes_out_free(struct passes_out *p)
{
	g_string_free(p->steps[0], TRUE);
	g_string_free(p->steps[1], TRUE);
	g_hash_table_unref(p->ends);
	g_free(p);
}

static bool wanted(const struct passes_out *p, const struct job *j, const char *id)
{
	if (!p->o->jobs)
		return true;
	char *number = g_strdup_printf("%u", j->array ? j->array->job_id : j->id);
	bool found = false;
	for (char **w = p->o->jobs; *w && !found; w++)
		found = strcmp(*w, id) == 0 || strcmp(*w, number) == 0 || g_strcmp0(*w, j->name) == 0;
	g_free(number);
	return found;
}

/* "2026-01-05T00:00:02", or the time of day when it is the day of FROM. */
static void add_time(GString *s, sec_t t, sec_t from)
{
	char *date = date_format(t, NULL);
	g_string_append(s, from && t / 86400 == from / 86400 && strlen(date) == 19 ? date + 11 : date);
	g_free(date);
}

static void add_nodes(const struct passes_out *p, GString *s, const struct bitset *nodes)
{
	if (!nodes)
		return;
	char *text = bitset_empty(nodes) ? g_strdup("no node") : cluster_format_nodes(p->cluster, nodes);
	g_string_append_printf(s, " on %s", text);
	g_free(text);
}

static void add_what(const struct passes_out *p, GString *s, const struct step *step)
{
	static const char *const words[] = {
	    [STEP_TEST] = "looked at in",      [STEP_TRY] = "try at ",        [STEP_START] = "start",
	    [STEP_PLAN] = "plan ",             [STEP_OVERLAP] = "place at ",  [STEP_LATER] = "no place; next try at ",
	    [STEP_FAILED] = "start failed: the nodes are busy after all", [STEP_BLOCKED] = "cannot start: ",
	    [STEP_PASSED_OVER] = "passed over: a job ahead waits for ",       [STEP_SKIP] = "skip: "};
	g_string_append(s, words[step->kind]);
	switch (step->kind) {
	case STEP_TEST:
		g_string_append_printf(s, " %s, priority %u", step->part->name, step->job->priority);
		break;
	case STEP_TRY:
	case STEP_LATER:
		add_time(s, step->start, 0);
		break;
	case STEP_PLAN:
	case STEP_OVERLAP:
		add_time(s, step->start, 0);
		g_string_append(s, " to ");
		add_time(s, step->end, step->start);
		break;
	case STEP_BLOCKED:
		g_string_append(s, reason_name(step->reason));
		break;
	case STEP_PASSED_OVER:
		g_string_append_printf(s, "%s (S24)", step->part->name);
		break;
	default:
		break;
	}
	add_nodes(p, s, step->nodes);
	if (step->kind == STEP_OVERLAP)
		g_string_append(s, ", but these are promised to others then (B41)");
	if (step->rule)
		g_string_append_printf(s, "%s%s", step->kind == STEP_SKIP ? "" : " - ", step->rule);
}

static bool in_time(const struct passes_out *p, usec_t t)
{
	return t >= p->o->from && t <= p->o->to;
}

static void on_step(void *data, const struct step *step, usec_t now)
{
	struct passes_out *p = data;
	char *id = job_format_id(step->job);
	(void)now;
	if (!p->o->summary && wanted(p, step->job, id)) {
		GString *s = p->steps[step->backfill];
		p->n_steps[step->backfill]++;
		g_string_append_printf(s, "    %-8s %-15.40s ", id, step->job->name ? step->job->name : "");
		add_what(p, s, step);
		g_string_append_c(s, '\n');
	}
	g_free(id);
}

static void count_end(struct passes_out *p, const struct pass_stats *pass)
{
	char *key = g_strdup_printf("%s: %s", pass_kind_name(pass->kind), pass->ended_by);
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(p->ends, key));
	g_hash_table_insert(p->ends, key, GUINT_TO_POINTER(n + 1));
}

static void print_pass(struct passes_out *p, const struct pass_stats *pass)
{
	bool backfill = pass->kind == PASS_BACKFILL;
	char *date = date_format(usec_to_sec(pass->t), NULL);
	fprintf(p->out, "%s.%03d  %-10s  %u in queue, %u tested, %u started", date, (int)(pass->t % USEC / 1000), pass_kind_name(pass->kind),
	        pass->queue, pass->tested, pass->started);
	if (backfill)
		fprintf(p->out, ", %u planned", pass->planned);
	fprintf(p->out, ": %s", pass->ended_by);
	if (pass->spent)
		fprintf(p->out, " after %" PRId64 ".%03d ms", pass->spent / 1000, (int)(pass->spent % 1000));
	if (pass->yields)
		fprintf(p->out, ", %u yields", pass->yields);
	fputc('\n', p->out);
	if (!p->n_steps[backfill] && !p->o->jobs && !p->o->summary)
		fputs("    nothing has changed since the last pass of this kind: it decides the same\n", p->out);
	fputs(p->steps[backfill]->str, p->out);
	g_free(date);
}

static void on_pass(void *data, const struct pass_stats *pass)
{
	struct passes_out *p = data;
	bool backfill = pass->kind == PASS_BACKFILL;
	if (in_time(p, pass->t) && (backfill ? p->o->backfill : p->o->main)) {
		count_end(p, pass);
		p->n_passes += pass->queue > 0;
		p->n_empty += pass->queue == 0;
		if (pass->queue > 0 && (!p->o->jobs || p->n_steps[backfill]))
			print_pass(p, pass);
	}
	g_string_truncate(p->steps[backfill], 0);
	p->n_steps[backfill] = 0;
}

void passes_out_watch(struct passes_out *p, struct sim *sim)
{
	sim_watch(sim, on_step, on_pass, NULL, p);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void passes_out_finish(struct passes_out *p)
{
	guint n;
	char **keys = (char **)g_hash_table_get_keys_as_array(p->ends, &n);
	fprintf(p->out, "%" PRIu64 " passes with a queue, %" PRIu64 " without. What ended them:\n", p->n_passes, p->n_empty);
	qsort(keys, n, sizeof *keys, by_name);
	for (guint i = 0; i < n; i++)
		fprintf(p->out, "%8u  %s\n", GPOINTER_TO_UINT(g_hash_table_lookup(p->ends, keys[i])), keys[i]);
	g_free(keys);
}
