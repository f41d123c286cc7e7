/* snapshot_enter.c - the jobs of a snapshot, handed to a simulation; see snapshot.h. */
#include "scenarios/snapshot.h"
#include "sched/base/hostlist.h"
#include <string.h>

#define UNLIMITED_RUN (INT64_C(365) * 86400 * USEC)

struct entering {
	const struct snapshot *s;
	struct sim *sim;
	const struct cluster *c;
	snapshot_draw_fn *draw;
	void *data;
	guint left_out;
	GPtrArray *warnings;
};

static void say(struct entering *e, const struct snap_job *j, const char *why)
{
	e->left_out++;
	if (e->warnings && e->warnings->len < 20)
		g_ptr_array_add(e->warnings, g_strdup_printf("job %u is left out: %s", j->id, why));
}

/* ---- places ---- */

static void place_clear(void *data)
{
	struct adopted_node *n = data;

	bitset_free(n->cores);
	if (n->gres)
		g_array_unref(n->gres);
}

static void gres_clear(void *data)
{
	struct adopted_gres *g = data;

	g_free((char *)g->name);
	g_free((char *)g->type);
}

/* "0-3,6" as bits. */
static uint64_t bits_of(const char *ranges)
{
	struct bitset *set = bitset_new(64);
	uint64_t bits = bitset_from_ranges(set, ranges) ? set->word[0] : 0;

	bitset_free(set);
	return bits;
}

/* One "gpu:h100:4(IDX:4-7)". */
static void add_gres(GArray *list, const char *text)
{
	const char *open = strchr(text, '(');
	char *plain = g_strndup(text, open ? (gsize)(open - text) : strlen(text));
	char **part = g_strsplit(plain, ":", -1);
	guint n = g_strv_length(part);
	struct adopted_gres g = {.count =
	                             n > 1 ? (uint32_t)MIN(g_ascii_strtoull(part[n - 1], NULL, 10), 1000000000u) : 1};

	if (open && g_str_has_prefix(open, "(IDX:")) {
		char *ranges = g_strndup(open + 5, strcspn(open + 5, ")"));

		g.devices = bits_of(ranges);
		g_free(ranges);
	}
	if (n && *part[0] && g.count) {
		g.name = g_strdup(part[0]);
		g.type = n > 2 ? g_strdup(part[1]) : NULL;
		g_array_append_val(list, g);
	}
	g_strfreev(part);
	g_free(plain);
}

/* A comma list whose commas in brackets do not count. */
static GArray *gres_of(const GPtrArray *texts)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct adopted_gres));

	g_array_set_clear_func(list, gres_clear);
	for (guint i = 0; texts && i < texts->len; i++) {
		const char *p = texts->pdata[i];

		while (*p) {
			int depth = 0;
			const char *end = p;

			for (; *end && (depth || *end != ','); end++)
				depth += (*end == '(') - (*end == ')');
			char *one = g_strndup(p, (gsize)(end - p));
			add_gres(list, one);
			g_free(one);
			p = *end ? end + 1 : end;
		}
	}
	return list;
}

static struct bitset *cores_of(const struct node_config *k, const GArray *cores)
{
	if (!cores || !cores->len)
		return NULL;
	struct bitset *set = bitset_new(k->cores);
	for (guint i = 0; i < cores->len; i++) {
		const struct snap_core *core = &g_array_index(cores, struct snap_core, i);
		uint32_t at = core->socket * k->cores_per_socket + core->core;

		if (at < k->cores)
			bitset_set(set, at);
	}
	return set;
}

static int by_index(const void *a, const void *b)
{
	const struct adopted_node *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

/* Where J runs; false when a node is not known. */
static bool places(const struct entering *e, const struct snap_job *j, GArray *out)
{
	for (guint i = 0; i < j->nodes->len; i++) {
		const struct snap_node *n = j->nodes->pdata[i];
		gint64 count = hostlist_count(n->name, NULL);
		GPtrArray *names = count > 0 && count <= (gint64)e->c->n_nodes ? hostlist_expand(n->name, NULL) : NULL;

		for (guint k = 0; names && k < names->len; k++) {
			const struct node *node = cluster_find_node(e->c, names->pdata[k]);

			if (!node) {
				g_ptr_array_unref(names);
				return false;
			}
			uint32_t share = j->cpus / (uint32_t)names->len + (k < j->cpus % names->len);
			struct adopted_node a = {.node = node->index,
			                         .cpus = n->cpus ? n->cpus
			                                         : (uint16_t)MIN(MAX(share, 1u), node->config->cpus),
			                         .mem = n->mem,
			                         .cores = cores_of(node->config, n->cores),
			                         .gres = gres_of(n->gres)};
			g_array_append_val(out, a);
		}
		if (!names)
			return false;
		g_ptr_array_unref(names);
	}
	g_array_sort(out, by_index);
	return out->len > 0;
}

/* ---- one job ---- */

static usec_t limit_of(const struct snap_job *j)
{
	uint32_t limit = j->req->time_limit;

	return limit == NO_VAL || limit == INFINITE ? UNLIMITED_RUN : (usec_t)limit * 60 * USEC;
}

/* Each task of a waiting array runs its own time. */
static void draw_tasks(struct entering *e, const struct snap_job *j, struct submission *sub)
{
	struct bitset *set = bitset_new(4000002);
	char *list = g_strndup(j->req->array, strcspn(j->req->array, "%"));
	int64_t i;

	if (!strchr(list, ':') && bitset_from_ranges(set, list)) {
		uint32_t n = MIN(bitset_count(set), 2000u);

		sub->tasks = g_new0(struct task_outcome, n + 1);
		for (BITSET_EACH(i, set)) {
			if (sub->n_tasks == n)
				break;
			struct task_outcome *t = &sub->tasks[sub->n_tasks++];

			t->task = (uint32_t)i;
			t->outcome = sub->outcome;
			t->outcome.run_time = e->draw(e->data, e->s, j);
		}
	}
	g_free(list);
	bitset_free(set);
}

static struct submission *submission_of(struct entering *e, const struct snap_job *j)
{
	struct submission *sub = submission_new();

	job_request_free(sub->request);
	sub->request = job_request_copy(j->req);
	sub->at = j->submit_t;
	sub->label = g_strdup(j->label);
	sub->outcome.run_time = limit_of(j);
	if (j->outcome_known)
		sub->outcome = j->outcome;
	if (j->outcome_known && j->n_tasks) {
		sub->n_tasks = j->n_tasks;
		sub->tasks = g_memdup2(j->tasks, j->n_tasks * sizeof *j->tasks);
	}
	if (e->draw)
		sub->outcome.run_time = e->draw(e->data, e->s, j);
	if (e->draw && j->state == JOB_PENDING && j->req->array) {
		g_clear_pointer(&sub->tasks, g_free);
		sub->n_tasks = 0;
		draw_tasks(e, j, sub);
	}
	return sub;
}

static struct job *enter_job(struct entering *e, const struct snap_job *j)
{
	GArray *where = g_array_new(FALSE, FALSE, sizeof(struct adopted_node));
	struct adopted a = {.id = j->id,
	                    .array_id = j->array_id,
	                    .task = j->task,
	                    .array_limit = j->array_limit,
	                    .state = j->state,
	                    .submit_t = j->submit_t,
	                    .start_t = j->start_t,
	                    .end_t = j->end_t,
	                    .eligible = j->eligible,
	                    .accrue = j->accrue,
	                    .time_limit = j->req->time_limit,
	                    .priority = j->state == JOB_PENDING || j->priority ? j->priority : NO_VAL,
	                    .part_priorities = (const uint32_t *)(void *)j->part_priorities->data,
	                    .n_part_priorities = j->part_priorities->len,
	                    .held_by_admin = g_strcmp0(j->reason, "JobHeldAdmin") == 0,
	                    .direct_priority = j->direct,
	                    .total_cpus = j->total_cpus,
	                    .preempt_time = j->preempt_time,
	                    .preempt_start = j->preempt_start,
	                    .grace_end = j->grace_end,
	                    .run = j->run,
	                    .started_by = j->started_by,
	                    .partition = j->state == JOB_RUNNING && *j->partition ? j->partition : NULL};
	struct bitset *kept = j->kept_nodes && j->state == JOB_PENDING ? cluster_parse_nodes(e->c, j->kept_nodes, NULL) : NULL;
	GError *error = NULL;
	struct job *job = NULL;

	g_array_set_clear_func(where, place_clear);
	if (j->state == JOB_RUNNING && !places(e, j, where)) {
		say(e, j, "its nodes are not known");
	} else {
		a.node = (const struct adopted_node *)(void *)where->data;
		a.n = where->len;
		a.kept = kept;
		job = sim_adopt(e->sim, submission_of(e, j), &a, e->s->at, &error);
		if (!job &&
		    (j->state == JOB_PENDING || j->state == JOB_RUNNING)) /* one that is over may not fit any more */
			say(e, j, error->message);
		g_clear_error(&error);
	}
	bitset_free(kept);
	g_array_unref(where);
	return job;
}

/* "afterok:29" of a job that the controller has: others are met, or nobody knows. */
static void enter_dependencies(struct entering *e, struct job **jobs)
{
	struct controller *c = sim_controller(e->sim);

	for (guint i = 0; i < e->s->jobs->len; i++) {
		const struct snap_job *j = e->s->jobs->pdata[i];
		GError *error = NULL;

		if (!jobs[i] || !j->dependency || !*j->dependency || j->state != JOB_PENDING)
			continue;
		if (!controller_adopt_dependency(c, jobs[i], j->dependency, &error)) {
			if (e->warnings && e->warnings->len < 20)
				g_ptr_array_add(e->warnings,
				                g_strdup_printf("job %u: dependency %s is taken as met: %s", j->id,
				                                j->dependency, error->message));
			g_error_free(error);
		}
	}
}

static void enter_reservations(struct entering *e)
{
	for (guint i = 0; i < e->s->reservations->len; i++) {
		GError *error = NULL;

		if (sim_execute_now(e->sim, e->s->reservations->pdata[i], e->s->at, &error))
			continue;
		if (e->warnings)
			g_ptr_array_add(
			    e->warnings,
			    g_strdup_printf("%s: %s", (const char *)e->s->reservations->pdata[i], error->message));
		g_error_free(error);
	}
}

void snapshot_enter(const struct snapshot *s, struct sim *sim, snapshot_draw_fn *draw, void *data, guint *left_out,
                    GPtrArray *warnings)
{
	struct cluster *c = controller_cluster(sim_controller(sim));
	struct entering e = {.s = s, .sim = sim, .c = c, .draw = draw, .data = data, .warnings = warnings};
	struct job **jobs = g_new0(struct job *, s->jobs->len + 1);

	const cJSON *user;
	cJSON_ArrayForEach(user, s->users) if (cJSON_IsString(user)) controller_meet_user(sim_controller(sim), user->valuestring);
	enter_reservations(&e);
	for (guint i = 0; i < s->jobs->len; i++)
		jobs[i] = enter_job(&e, s->jobs->pdata[i]);
	enter_dependencies(&e, jobs);
	snapshot_usage(s, c); /* FairShare as it was, not as the controller's first look has it */
	sim_adopt_done(sim, s->own ? &s->clock : NULL, s->at);
	if (s->own)
		controller_pings_set(sim_controller(sim), &s->pings);
	if (left_out)
		*left_out = e.left_out;
	g_free(jobs);
}
