/* squeue_out.c - see squeue_out.h. */
#include "tools/squeue_out.h"
#include "tools/cells.h"
#include "tools/squeue_merge.h"
#include "tools/squeue_sort.h"
#include "tools/squeue_start.h"
#include "tools/job_fields.h"
#include "sched/limits_list.h"
#include "sched/reservation.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>

enum { AHEAD = 8 };

static const char *const STATE_NAMES[][2] = {
    {"PENDING", "PD"},  {"RUNNING", "R"},         {"SUSPENDED", "S"},   {"COMPLETED", "CD"}, {"CANCELLED", "CA"},
    {"FAILED", "F"},    {"TIMEOUT", "TO"},        {"NODE_FAIL", "NF"},  {"PREEMPTED", "PR"}, {"BOOT_FAIL", "BF"},
    {"DEADLINE", "DL"}, {"OUT_OF_MEMORY", "OOM"}, {"COMPLETING", "CG"},
    {"CONFIGURING", "CF"}, /* but for the first two and SPECIAL_EXIT, the rest never occur here: -t knows them and lists nothing */
    {"RESV_DEL_HOLD", "RD"}, {"EXPEDITING", "EXPEDITING"}, {"RESIZING", "RS"}, {"REQUEUED", "RQ"},
    {"REQUEUE_FED", "RF"}, {"REQUEUE_HOLD", "RH"}, {"REVOKED", "RV"}, {"SIGNALING", "SI"}, {"SPECIAL_EXIT", "SE"},
    {"STAGE_OUT", "SO"}, {"STOPPED", "ST"},
};

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

/* In the order in which squeue names them. */
static const char *const LISTED[] = {
    "pending",   "running",  "suspended",     "completed",  "cancelled",     "failed",      "timeout",     "node_fail",
    "preempted", "boot_fail", "deadline",     "out_of_memory", "completing",  "configuring", "expediting", "resizing",
    "resv_del_hold", "requeued", "requeue_fed", "requeue_hold", "revoked",    "signaling",   "special_exit", "stage_out",
    "stopped"};

/* "7,7_3,13+1" */
static bool check_ids(const char *ids, GError **error)
{
	for (const char *p = ids; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ","), digits = strspn(p, "0123456789");
		const char *rest = p + digits;

		if (!digits || (digits < n && (*rest != '_' && *rest != '+' && *rest != '.'))) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "Invalid job id: %.*s", (int)MIN(n, 40), p);
			return false;
		}
		p += n;
	}
	return true;
}

/* Letters of -o with - or + before them, with or without commas between them. */
static bool check_sort(const char *keys, GError **error)
{
	for (const char *p = keys; p && *p; p++) {
		if (*p == ',' || *p == '-' || *p == '+' || *p == '#' || job_field_letter(*p) >= 0)
			continue;
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "Invalid sort specification: %c", *p);
		return false;
	}
	return true;
}

bool squeue_check(const struct squeue_options *o, GError **error)
{
	GString *valid;

	if (!check_ids(o->jobs, error) || !check_sort(o->sort, error))
		return false;
	if (!o->states || g_ascii_strcasecmp(o->states, "all") == 0)
		return true;
	for (const char *p = o->states; *p; p += *p == ',') {
		size_t n = strcspn(p, ",");

		if (find_state(p, n) >= 0) {
			p += n;
			continue;
		}
		valid = g_string_new(NULL);
		for (size_t i = 0; i < G_N_ELEMENTS(LISTED); i++)
			g_string_append_printf(valid, "%s%s", i ? "," : "", LISTED[i]);
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		            "Invalid job state specified: %.*s\nValid job states include: %s", (int)MIN(n, 40), p, valid->str);
		g_string_free(valid, TRUE);
		return false;
	}
	return true;
}

static bool state_wanted(const struct job_view *v, const struct squeue_options *o, const struct job *j, const char *state)
{
	if (o->start && (j->state != JOB_PENDING || j->flags & JOB_COMPLETING))
		return false;
	if (o->timed && (j->state != JOB_RUNNING || (o->running_over && job_seconds_shown(v, j) <= o->running_over) ||
	                 (o->running_under && job_seconds_shown(v, j) >= o->running_under)))
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
		if (found == JOB_PENDING && j->flags & (JOB_RESV_DEL_HOLD | JOB_EXPEDITING) && j->state == JOB_PENDING)
			return true;
		p += n;
	}
	return false;
}

/* "7", "7_3", "13": does the record of J belong to one of the ids? */
static bool id_wanted(const char *ids, const struct job *j)
{
	if (!ids)
		return true;
	for (const char *p = ids; *p; p += *p == ',') {
		char *end;
		uint32_t id = (uint32_t)strtoul(p, &end, 10), task = NO_VAL;

		if (*end == '_')
			task = (uint32_t)strtoul(end + 1, &end, 10);
		if (task == NO_VAL
		        ? j->id == id || (j->array && j->array->job_id == id) || (j->het && j->het->job_id == id)
		        : j->array && j->array->job_id == id &&
		              (j->task == task || (j->tasks && task < j->tasks->nbits && bitset_test(j->tasks, task))))
			return true;
		p += strcspn(p, ",");
	}
	return false;
}

static bool on_nodes(const struct controller *c, const char *names, const struct job *j)
{
	if (!names)
		return true;
	struct bitset *set = cluster_parse_nodes(controller_cluster(c), names, NULL);
	bool on = set && j->nodes && bitset_count_and(set, j->nodes) > 0;

	bitset_free(set);
	return on;
}

static bool has_license(const char *names, const struct job *j)
{
	char **have = j->req->licenses ? g_strsplit_set(j->req->licenses, ",|", -1) : NULL;
	bool found = !names;

	for (char **p = have; p && *p && !found; p++) {
		(*p)[strcspn(*p, ":")] = '\0';
		found = in_list(names, *p);
	}
	g_strfreev(have);
	return found;
}

static bool in_reservation(const char *names, const struct job *j)
{
	const char *resv = !names ? NULL : j->resv ? j->resv->name : j->req->reservation;

	return !names || (resv && in_list(names, resv));
}

static bool job_wanted(const struct controller *c, const struct squeue_options *o, const struct job *j)
{
	return in_list(o->users, j->user ? j->user : "") && in_list(o->accounts, j->account ? j->account : "") &&
	       (!o->qos || in_list(o->qos, j->qos ? j->qos->name : "")) && in_list(o->names, j->name ? j->name : "") &&
	       in_reservation(o->reservations, j) && id_wanted(o->jobs, j) && on_nodes(c, o->nodes, j) &&
	       (!o->licenses || has_license(o->licenses, j));
}

/* All partitions of a waiting job, as far as it may be seen; NULL when it may not. Interned. */
static const char *partition_text(const struct squeue_options *o, const struct job *j)
{
	bool several = j->state == JOB_PENDING && j->n_parts > 1, wanted = false;

	if (!several) {
		const struct partition *p = j->part ? j->part : j->parts[0].part;
		return in_list(o->partitions, p->name) && (o->all || !p->hidden) ? p->name : NULL;
	}
	GString *text = g_string_new(NULL);

	for (uint32_t i = 0; i < j->n_parts; i++) {
		const struct partition *p = j->parts[i].part;

		if (i && several && p == j->parts[i - 1].part) /* the same with another QOS */
			continue;
		wanted |= in_list(o->partitions, p->name) && (o->all || !p->hidden);
		g_string_append_printf(text, "%s%s", i ? "," : "", p->name);
	}
	const char *kept = wanted ? g_intern_string(text->str) : NULL;
	g_string_free(text, TRUE);
	return kept;
}

/* ---- names that are not there ---- */

static bool user_known(const struct controller *c, const char *user)
{
	return limits_user_number(c, user) != NO_VAL || limits_list_known(c, user, NULL) || strcmp(user, "root") == 0 ||
	       strcmp(user, g_get_user_name()) == 0;
}

static bool job_known(const struct controller *c, const char *ids)
{
	for (uint32_t i = 0, n = controller_n_jobs(c); i < n; i++)
		if (id_wanted(ids, controller_job(c, i)))
			return true;
	return false;
}

bool squeue_check_names(const struct controller *c, const struct squeue_options *o, char **warning, GError **error)
{
	struct bitset *set = o->nodes ? cluster_parse_nodes(controller_cluster(c), o->nodes, NULL) : NULL;

	*warning = NULL;
	if (o->nodes && !set) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "Invalid node name %s", o->nodes);
		return false;
	}
	bitset_free(set);
	if (o->jobs && !strchr(o->jobs, ',') && !job_known(c, o->jobs)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "slurm_load_jobs error: Invalid job id specified");
		return false;
	}
	char **users = g_strsplit(o->users ? o->users : "", ",", -1);
	for (char **u = users; *u && !*warning; u++)
		if (!user_known(c, *u))
			*warning = g_strdup_printf("Invalid user: %s", *u);
	g_strfreev(users);
	return true;
}

/* ---- order ---- */

static double number_of(const struct job_ref *r, char letter)
{
	const struct job *j = r->job;

	switch (letter) {
	case 'i':
		return j->array ? j->array->job_id : j->id;
	case 'A':
		return j->id;
	case 'p':
	case 'Q':
		return r->priority;
	case 'M':
		return (double)job_seconds_shown(r->view, j);
	case 'S':
		return job_start_shown(j) ? (double)job_start_shown(j) : 1e18;
	case 'e':
		return job_end_shown(j) ? (double)job_end_shown(j) : 1e18;
	case 'V':
		return (double)j->submit;
	case 'D':
		return job_node_count(r->view, j);
	case 'C':
		return job_cpu_count(j);
	case 'l':
	case 'L':
		return j->time_limit;
	case 'm':
		return (double)j->pn_min_memory;
	case 'y':
		return (double)j->nice;
	case 'U':
		return job_uid(j);
	default:
		return NAN;
	}
}

static int by_text(const struct job_ref *x, const struct job_ref *y, char letter)
{
	int field = job_field_letter(letter), order;
	char *a, *b;

	if (field < 0)
		return 0;
	a = job_field_text((void *)x, field);
	b = job_field_text((void *)y, field);
	order = strcmp(a, b);
	g_free(a);
	g_free(b);
	return order;
}

static int by_id(const struct job_ref *x, const struct job_ref *y)
{
	if (x->id != y->id)
		return x->id > y->id ? 1 : -1;
	return (x->task > y->task) - (x->task < y->task);
}

static int compare_rows(gconstpointer a, gconstpointer b, gpointer keys)
{
	const struct job_ref *x = a, *y = b;
	bool down = false;

	for (const char *p = keys; *p; p++) {
		if (strchr("-+#,", *p)) {
			down = *p == '-';
			continue;
		}
		double m = number_of(x, *p), n = number_of(y, *p);
		int order = isnan(m) ? by_text(x, y, *p) : (m > n) - (m < n);
		if (order)
			return down ? -order : order;
		down = false;
	}
	return by_id(x, y);
}

/* ---- rows ---- */

static void add_row(GArray *rows, const struct job_view *v, const struct job *j, uint32_t task, const char *partition)
{
	const struct job_ref r = {v, j, task, partition, job_state_compact(j->state, j->flags), j->id, j->priority, NULL};

	g_array_append_val(rows, r);
}

/* With -r each task that has not started is a row. Recorded in both releases: of tasks written with a step ("1-199:3") the last has
 * none (tests/recorded/arrays). */
static void add_rows(GArray *rows, const struct job_view *v, const struct job *j, bool singly, const char *partition)
{
	int64_t i, unseen;

	if (!singly || !job_is_array_head(j) || j->state != JOB_PENDING || !j->tasks) {
		add_row(rows, v, j, NO_VAL, partition);
		return;
	}
	unseen = job_tasks_step(j->tasks) ? bitset_last(j->tasks) : -1;
	for (BITSET_EACH(i, j->tasks))
		if (i != unseen)
			add_row(rows, v, j, (uint32_t)i, partition);
}

/* -P: in 26.11 each row with the priority in its partition. */
static void add_partitions(GArray *rows, const struct job_view *v, const struct squeue_options *o, const struct job *j)
{
	for (uint32_t i = 0; i < j->n_parts; i++) {
		const struct partition *p = j->parts[i].part;
		guint before = rows->len;

		if ((i && p == j->parts[i - 1].part) || !in_list(o->partitions, p->name) || (!o->all && p->hidden))
			continue;
		add_rows(rows, v, j, o->singly, p->name);
		for (guint k = before; k < rows->len && !v->v22; k++)
			g_array_index(rows, struct job_ref, k).priority = j->parts[i].priority;
	}
}

/* Job records are far apart: a long queue is read at the speed of memory. */
static void prefetch_owner(const struct job *j)
{
	__builtin_prefetch(&j->state);
	__builtin_prefetch(&j->flags);
	__builtin_prefetch(&j->user);
	__builtin_prefetch(&j->parts);
}

/* MERGE: as a table shows them. */
static GArray *collect(const struct job_view *v, const struct squeue_options *o, bool merge)
{
	GArray *rows = g_array_sized_new(FALSE, FALSE, sizeof(struct job_ref), controller_n_jobs(v->c) + 1);

	for (uint32_t i = 0, n = controller_n_jobs(v->c); i < n; i++) {
		const struct job *j = controller_job(v->c, i);
		const char *partition;

		if (i + 2 * AHEAD < n)
			prefetch_owner(controller_job(v->c, i + 2 * AHEAD));
		if (i + AHEAD < n)
			__builtin_prefetch(controller_job(v->c, i + AHEAD)->parts);

		if (!state_wanted(v, o, j, job_state_compact(j->state, j->flags)) || !job_wanted(v->c, o, j))
			continue;
		if (job_is_array_head(j) && j->state == JOB_PENDING && j->tasks && bitset_empty(j->tasks))
			continue;
		partition = partition_text(o, j);
		if (partition && o->by_partition && j->state == JOB_PENDING && j->n_parts > 1)
			add_partitions(rows, v, o, j);
		else if (partition)
			add_rows(rows, v, j, o->singly, partition);
	}
	if (merge && !o->singly && !o->by_partition && !o->start)
		squeue_merge(rows);
	if (o->sort)
		g_array_sort_with_data(rows, compare_rows, (gpointer)o->sort);
	else
		squeue_sort_default(rows);
	return rows;
}

void squeue_each(const struct job_view *v, const struct squeue_options *o,
                 void (*fn)(void *data, const struct job_ref *row), void *data)
{
	GArray *rows = collect(v, o, false);

	for (guint i = 0; i < rows->len; i++)
		fn(data, &g_array_index(rows, struct job_ref, i));
	squeue_rows_free(rows);
}

/* ---- printing ---- */

#define DEFAULT_FORMAT "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R"
#define LONG_FORMAT "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R"

static struct table *table_of(const struct squeue_options *o)
{
	if (o->long_format)
		return table_long(JOB_FIELDS, N_JOB_FIELDS, o->long_format);
	return table_short(JOB_FIELDS, N_JOB_FIELDS, o->format ? o->format : o->wide ? LONG_FORMAT : DEFAULT_FORMAT);
}

/* --only-job-state: tasks in plain ranges, without the throttle. */
static void print_states(FILE *out, const GArray *rows, bool header)
{
	if (header)
		fputs("             JOBID ST\n", out);
	for (guint i = 0; i < rows->len; i++) {
		const struct job_ref *r = &g_array_index(rows, struct job_ref, i);
		char *id = r->task == NO_VAL ? job_format_id(r->job) : g_strdup_printf("%u_%u", r->job->array->job_id, r->task),
		     *throttle = strchr(id, '%');
		GString *line = g_string_new(NULL);

		if (throttle)
			memmove(throttle, throttle + strcspn(throttle, "]"), strlen(throttle + strcspn(throttle, "]")) + 1);
		cell_right(line, 18, id);
		g_string_append_c(line, ' ');
		cell_right(line, 2, r->state);
		fprintf(out, "%s\n", line->str);
		g_string_free(line, TRUE);
		g_free(id);
	}
}

static gint compare_starts(gconstpointer a, gconstpointer b, gpointer now)
{
	const struct job_ref *x = a, *y = b;
	return squeue_start_cmp(x->job, y->job, *(const sec_t *)now);
}

static void print_starts(FILE *out, const struct job_view *v, GArray *rows, sec_t now, bool header)
{
	g_array_sort_with_data(rows, compare_starts, &now);
	if (header)
		squeue_start_header(out);
	for (guint i = 0; i < rows->len; i++) {
		struct job_ref *row = &g_array_index(rows, struct job_ref, i);
		char *count = job_field_text(row, job_field_letter('D')), *last = job_field_text(row, job_field_letter('R'));
		struct start_row r = {row->job, row->partition, count, last};
		squeue_start_print(out, v->c, &r, now);
		g_free(count);
		g_free(last);
	}
}

/* What the usual columns read of a record lies in several lines of the cache, wherever these begin in it. */
static void prefetch_job(const struct job *j)
{
	__builtin_prefetch(&j->state);
	__builtin_prefetch(&j->min_nodes);
	__builtin_prefetch(&j->flags);
	__builtin_prefetch(&j->name);
	__builtin_prefetch(&j->parts);
	__builtin_prefetch(&j->reason);
	__builtin_prefetch(&j->ntasks_per_node);
}

static void prefetch_texts(const struct job *j)
{
	__builtin_prefetch(j->name);
	__builtin_prefetch(j->user);
	__builtin_prefetch(j->parts);
}

void squeue_print(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o)
{
	const struct job_view view = {c, now, controller_cluster(c)->params->version == SLURM_22_05};
	GArray *rows = collect(&view, o, true);
	struct table *t = table_of(o);

	if (o->only_state) {
		table_drop(t);
		print_states(out, rows, !o->no_header);
		g_array_unref(rows);
		return;
	}
	if (o->start) {
		table_drop(t);
		print_starts(out, &view, rows, now, !o->no_header);
		squeue_rows_free(rows);
		return;
	}
	table_complain(t, "squeue", "Invalid job format specification");
	if (o->wide && !o->no_header)
		print_date_line(out, now);
	if (!o->no_header)
		table_header(out, t, JOB_FIELDS);
	for (guint i = 0; i < rows->len; i++) {
		if (i + 2 * AHEAD < rows->len)
			prefetch_job(g_array_index(rows, struct job_ref, i + 2 * AHEAD).job);
		if (i + AHEAD < rows->len)
			prefetch_texts(g_array_index(rows, struct job_ref, i + AHEAD).job);
		table_line(t, JOB_FIELDS, job_field_text, job_field_borrow, &g_array_index(rows, struct job_ref, i));
		if (t->line->len >= TABLE_CHUNK)
			table_flush(out, t);
	}
	table_flush(out, t);
	table_drop(t);
	squeue_rows_free(rows);
}
