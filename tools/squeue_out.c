/* squeue_out.c - see squeue_out.h. */
#include "tools/squeue_out.h"
#include "tools/cells.h"
#include "tools/squeue_start.h"
#include <string.h>

static const char *const STATE_NAMES[][2] = {
    {"PENDING", "PD"},  {"RUNNING", "R"},         {"SUSPENDED", "S"},   {"COMPLETED", "CD"}, {"CANCELLED", "CA"},
    {"FAILED", "F"},    {"TIMEOUT", "TO"},        {"NODE_FAIL", "NF"},  {"PREEMPTED", "PR"}, {"BOOT_FAIL", "BF"},
    {"DEADLINE", "DL"}, {"OUT_OF_MEMORY", "OOM"}, {"COMPLETING", "CG"},
};

struct row {
	const struct job *job;
	char *partition;
	const char *state;
};

static void row_free(void *row)
{
	struct row *r = row;

	g_free(r->partition);
	g_free(r);
}

/* The row of STATE_NAMES named by the N bytes at TEXT, -1 if none. */
static int find_state(const char *text, size_t n)
{
	for (size_t i = 0; i < G_N_ELEMENTS(STATE_NAMES); i++)
		for (int form = 0; form < 2; form++)
			if (strlen(STATE_NAMES[i][form]) == n &&
			    g_ascii_strncasecmp(STATE_NAMES[i][form], text, n) == 0)
				return (int)i;
	return -1;
}

bool squeue_check(const struct squeue_options *o, GError **error)
{
	GString *valid;

	if (!o->states || g_ascii_strcasecmp(o->states, "all") == 0)
		return true;
	for (const char *p = o->states; *p; p += *p == ',') {
		size_t n = strcspn(p, ",");

		if (find_state(p, n) >= 0) {
			p += n;
			continue;
		}
		valid = g_string_new("all");
		for (size_t i = 0; i < G_N_ELEMENTS(STATE_NAMES); i++)
			g_string_append_printf(valid, ", %s (%s)", STATE_NAMES[i][0], STATE_NAMES[i][1]);
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		            "invalid job state \"%.*s\"; valid states: %s", (int)MIN(n, 40), p, valid->str);
		g_string_free(valid, TRUE);
		return false;
	}
	return true;
}

static bool state_wanted(const struct squeue_options *o, const struct job *j, const char *state)
{
	if (o->start && (j->state != JOB_PENDING || j->flags & JOB_COMPLETING))
		return false;
	if (!o->states)
		return !job_is_finished(j) || j->flags & JOB_COMPLETING;
	if (g_ascii_strcasecmp(o->states, "all") == 0)
		return true;
	for (const char *p = o->states; *p; p += *p == ',') {
		size_t n = strcspn(p, ",");
		int found = find_state(p, n);

		if (found >= 0 && strcmp(STATE_NAMES[found][1], state) == 0)
			return true;
		p += n;
	}
	return false;
}

/* All partitions of a waiting job, as far as it may be seen; NULL when it may not. */
static char *partition_text(const struct squeue_options *o, const struct job *j)
{
	bool several = j->state == JOB_PENDING && j->n_parts > 1, wanted = false;
	GString *text = g_string_new(NULL);

	for (uint32_t i = 0; i < (several ? j->n_parts : 1); i++) {
		const struct partition *p = several || !j->part ? j->parts[i].part : j->part;

		if (i && several && p == j->parts[i - 1].part) /* the same with another QOS */
			continue;
		wanted |= in_list(o->partitions, p->name) && (o->all || !p->hidden);
		g_string_append_printf(text, "%s%s", i ? "," : "", p->name);
	}
	return g_string_free(text, !wanted);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	int order = strcmp(x->partition, y->partition);

	if (!order)
		order = strcmp(x->state, y->state);
	if (!order)
		order = (x->job->priority < y->job->priority) - (x->job->priority > y->job->priority);
	return order ? order : (x->job->id > y->job->id) - (x->job->id < y->job->id);
}

static GPtrArray *collect(const struct controller *c, const struct squeue_options *o)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);

	for (uint32_t i = 0; i < controller_n_jobs(c); i++) {
		const struct job *j = controller_job(c, i);
		const char *state = job_state_compact(j->state, j->flags);
		struct row *row;
		char *partition;

		if (!state_wanted(o, j, state) || !in_list(o->users, j->user))
			continue;
		if (job_is_array_head(j) && j->state == JOB_PENDING && j->tasks && bitset_empty(j->tasks))
			continue;
		partition = partition_text(o, j);
		if (!partition)
			continue;
		row = g_new0(struct row, 1);
		*row = (struct row){.job = j, .partition = partition, .state = state};
		g_ptr_array_add(rows, row);
	}
	g_ptr_array_sort(rows, compare_rows);
	return rows;
}

/* What -n, -c and --ntasks-per-node need at least, on the largest nodes of the partition. */
static uint32_t implied_nodes(const struct controller *c, const struct job *j)
{
	const struct cluster *cluster = controller_cluster(c);
	uint32_t most = 1, nodes = MAX(j->min_nodes, 1);
	const struct partition *p = j->part ? j->part : j->parts[0].part;
	int64_t i;

	for (BITSET_EACH(i, p->nodes))
		most = MAX(most, cluster->node[i]->config->cpus);
	nodes = MAX(nodes, j->min_cpus / most + (j->min_cpus % most > 0));
	if (j->ntasks_per_node && j->ntasks != NO_VAL)
		nodes = MAX(nodes, j->ntasks / j->ntasks_per_node + (j->ntasks % j->ntasks_per_node > 0));
	return nodes;
}

static char *node_count(const struct controller *c, const struct job *j)
{
	if (j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING))
		return cell_count(implied_nodes(c, j));
	if (j->nodes)
		return cell_count(bitset_count(j->nodes));
	return cell_count(j->alloc ? j->alloc->n : implied_nodes(c, j));
}

static char *time_used(const struct job *j, sec_t now)
{
	bool started = j->start && (j->state != JOB_PENDING || j->flags & JOB_COMPLETING);
	sec_t until = j->state == JOB_RUNNING || !j->end ? now : j->end;

	sec_t stopped = j->sus_total + (j->suspended ? MAX(0, now - j->suspended) : 0);
	if (j->state == JOB_SUSPENDED)
		until = now;
	return duration_format_squeue(started && until - stopped > j->start ? until - stopped - j->start : 0);
}

/* Its nodes; when it completes without those that have gone down (recorded: drain-down). g_free. */
static char *nodes_left(const struct controller *c, const struct job *j)
{
	const struct cluster *cl = controller_cluster(c);
	if (!j->nodes)
		return g_strdup("");
	struct bitset *left = bitset_copy(j->nodes);
	for (uint32_t i = 0; j->flags & JOB_COMPLETING && i < cl->n_nodes; i++)
		if (cl->node[i]->base == NODE_DOWN)
			bitset_clear(left, i);
	char *text = cluster_format_nodes(cl, left);
	bitset_free(left);
	return text;
}

static char *nodes_or_reason(const struct controller *c, const struct job *j)
{
	bool completing = j->flags & JOB_COMPLETING;
	bool by_reason = j->state == JOB_TIMEOUT || j->state == JOB_OOM || j->state == JOB_DEADLINE ||
	                 j->state == JOB_FAILED || j->state == JOB_PENDING;

	if (by_reason && !completing)
		return g_strdup_printf("(%s)",
		                       j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason));
	return nodes_left(c, j);
}

static void print_row(FILE *out, const struct controller *c, const struct row *row, sec_t now)
{
	const struct job *j = row->job;
	GString *line = g_string_new(NULL);
	char *id = job_format_id(j), *used = time_used(j, now), *count = node_count(c, j),
	     *last = nodes_or_reason(c, j);
	const struct {
		size_t width;
		const char *text;
	} cells[] = {
	    {18, id}, {9, row->partition}, {8, j->name ? j->name : ""}, {8, j->user ? j->user : ""}, {2, row->state}};

	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		cell_right(line, cells[i].width, cells[i].text);
		g_string_append_c(line, ' ');
	}
	cell_right_whole(line, 10, used);
	g_string_append_c(line, ' ');
	cell_right(line, 6, count);
	fprintf(out, "%s %s\n", line->str, last);
	g_string_free(line, TRUE);
	g_free(id);
	g_free(used);
	g_free(count);
	g_free(last);
}

static gint compare_starts(gconstpointer a, gconstpointer b, gpointer now)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	return squeue_start_cmp(x->job, y->job, *(const sec_t *)now);
}

static void print_starts(FILE *out, const struct controller *c, GPtrArray *rows, sec_t now, bool header)
{
	g_ptr_array_sort_with_data(rows, compare_starts, &now);
	if (header)
		squeue_start_header(out);
	for (guint i = 0; i < rows->len; i++) {
		const struct row *row = rows->pdata[i];
		char *count = node_count(c, row->job), *last = nodes_or_reason(c, row->job);
		struct start_row r = {row->job, row->partition, count, last};
		squeue_start_print(out, c, &r, now);
		g_free(count);
		g_free(last);
	}
}

void squeue_print(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o)
{
	GPtrArray *rows = collect(c, o);

	if (o->start) {
		print_starts(out, c, rows, now, !o->no_header);
		g_ptr_array_unref(rows);
		return;
	}
	if (!o->no_header)
		fputs("             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n", out);
	for (guint i = 0; i < rows->len; i++)
		print_row(out, c, rows->pdata[i], now);
	g_ptr_array_unref(rows);
}
