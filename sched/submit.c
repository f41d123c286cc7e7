/* submit.c - from a request to a job record, or a refusal with Slurm's message (R10, L60-L65, C5-C8a) */
#include "sched/hetjob.h"
#include "sched/reservation.h"
#include "sched/reconfigure.h"
#include "sched/state.h"

#include <string.h>

#define REFUSE(err, text) (g_set_error_literal(err, SUBMIT_ERROR, 0, text), false)

static int tier_cmp(gconstpointer a, gconstpointer b)
{
	const struct job_part *x = a, *y = b;
	return y->part->priority_tier - x->part->priority_tier;
}

static bool takes_jobs(const struct partition *p)
{
	return p->state != PART_DRAIN && p->state != PART_INACTIVE;
}

/* L61: P, or the first of its chain of alternates that takes jobs; P itself when none does. */
static struct partition *or_alternate(const struct controller *c, struct partition *p)
{
	struct partition *first = p;
	for (guint n = 0; p && !takes_jobs(p) && n < c->cl->partitions->len; n++)
		p = p->alternate ? cluster_find_partition(c->cl, p->alternate) : NULL;
	return p && takes_jobs(p) ? p : first;
}

/* The partition list; S10.5: by tier, ties in the order given. */
static bool resolve_partitions(struct controller *c, struct job *j, const char *wanted, GError **error)
{
	GArray *list = g_array_new(FALSE, TRUE, sizeof(struct job_part));
	g_auto(GStrv) names = g_strsplit(wanted ? wanted : "", ",", -1);
	bool ok = true;
	bool everywhere = c->p->all_partitions_plugin && (!names[0] || !*names[0]);
	for (guint i = 0; everywhere && i < c->cl->partitions->len; i++) { /* job_submit/all_partitions */
		struct job_part every = {c->cl->partitions->pdata[i], 0, NULL};
		if (takes_jobs(every.part))
			g_array_append_val(list, every);
	}
	if (!everywhere && (!names[0] || !*names[0])) {
		struct job_part d = {c->cl->default_partition ? or_alternate(c, c->cl->default_partition) : NULL, 0, NULL};
		if (d.part)
			g_array_append_val(list, d);
		else
			ok = REFUSE(error, "No partition specified or system default partition");
	}
	for (char **n = names; ok && *n && **n; n++) {
		struct job_part p = {cluster_find_partition(c->cl, *n), 0, NULL};
		if (!p.part) {
			ok = REFUSE(error, "Invalid partition name specified");
			break;
		}
		bool known = false;
		if (!names[1])
			p.part = or_alternate(c, p.part);
		for (guint i = 0; i < list->len; i++)
			known = known || g_array_index(list, struct job_part, i).part == p.part;
		if (!known && takes_jobs(p.part)) /* L61: lists drop members that take no jobs */
			g_array_append_val(list, p);
	}
	if (ok && list->len == 1 && !takes_jobs(g_array_index(list, struct job_part, 0).part))
		ok = REFUSE(error, "Required partition not available (inactive or drain)");
	if (ok && list->len == 0)
		ok = REFUSE(error, "Required partition not available (inactive or drain)");
	j->n_parts = list->len;
	j->part = ok ? g_array_index(list, struct job_part, 0).part : NULL; /* the first named: for defaults */
	j->parts = (struct job_part *)(void *)g_array_free(list, FALSE);
	return ok;
}

/* P9: partitions by tier, and for each the several QOS by priority. */
void job_sort_partitions(struct job *j)
{
	g_qsort_with_data(j->parts, (gint)j->n_parts, sizeof *j->parts, (GCompareDataFunc)(void (*)(void))tier_cmp, NULL);
	j->part = j->parts[0].part;
}

static void sort_partitions(struct job *j)
{
	job_sort_partitions(j);
	if (!j->several)
		return;
	struct job_part *pairs = g_new0(struct job_part, (gsize)j->n_parts * j->n_several);
	for (uint32_t i = 0; i < j->n_parts; i++)
		for (uint32_t k = 0; k < j->n_several; k++)
			pairs[i * j->n_several + k] = (struct job_part){j->parts[i].part, 0, j->several[k]};
	g_free(j->parts);
	j->parts = pairs;
	j->n_parts *= j->n_several;
	j->qos = j->several[0];
}

void job_first_record(struct job *j)
{
	j->part = j->parts[0].part;
	if (j->parts[0].qos)
		j->qos = j->parts[0].qos;
}

bool job_set_partitions(struct controller *c, struct job *j, const char *names, GError **error)
{
	struct job_part *parts = g_steal_pointer(&j->parts);
	struct partition *part = j->part;
	uint32_t n = j->n_parts;
	if (!resolve_partitions(c, j, names, error)) {
		g_free(j->parts);
		j->parts = parts;
		j->n_parts = n;
		j->part = part;
		return false;
	}
	g_free(parts);
	sort_partitions(j);
	return true;
}

/* Section 6 of limits.md: a QOS that may be used in reservations only. */
static bool lacks_reservation(const struct job *j, const struct qos *q)
{
	return q->flags & QOS_REQUIRES_RESV && !(j->req->reservation && *j->req->reservation);
}

/* The QOS that the job asks for; *several: the list, when there are more (24.11). */
static bool resolve_qos(struct controller *c, struct job *j, GError **error)
{
	struct acct *a = c->cl->acct;
	const char *text = j->req->qos ? j->req->qos : j->assoc ? assoc_default_qos(j->assoc) : NULL;
	g_auto(GStrv) names = g_strsplit(text && *text ? text : "normal", ",", -1);
	uint32_t n = g_strv_length(names), kept = 0;
	struct qos **list = g_new0(struct qos *, n + 1);
	bool ok = n == 1 || c->p->version != SLURM_22_05;
	for (uint32_t i = 0; ok && i < n; i++) {
		struct qos *q = acct_find_qos(a, names[i]);
		bool known = false;
		for (uint32_t k = 0; k < kept; k++)
			known = known || list[k] == q;
		ok = q ? qos_allowed(c, j, q) && !lacks_reservation(j, q) : !j->req->qos;
		if (q && !known)
			list[kept++] = q;
	}
	for (uint32_t i = 1; i < kept; i++) /* stable, by priority */
		for (uint32_t k = i; k > 0 && list[k]->priority > list[k - 1]->priority; k--) {
			struct qos *higher = list[k];
			list[k] = list[k - 1];
			list[k - 1] = higher;
		}
	j->qos = list[0];
	if (kept > 1) {
		j->several = g_steal_pointer(&list);
		j->n_several = kept;
	}
	g_free(list);
	return ok ? true : REFUSE(error, "Invalid qos specification");
}

/* Association and QOS (L1, "Default QOS of a job without one"). */
static bool resolve_account(struct controller *c, struct job *j, GError **error)
{
	struct acct *a = c->cl->acct;
	j->account = j->req->account;
	if (!a)
		return true;
	j->assoc = acct_find(a, j->user, j->req->account, j->part->name);
	if (!j->assoc && c->p->enforce & ENFORCE_ASSOC)
		return REFUSE(error, "Invalid account or account/partition combination specified");
	if (j->assoc)
		j->account = j->assoc->account;
	return resolve_qos(c, j, error);
}

/* C8a and L64 */
static bool resolve_times(struct controller *c, struct job *j, GError **error)
{
	static const char limit_msg[] = "Requested time limit is invalid (missing or exceeds some limit)";
	static const char min_msg[] = "Invalid time-min specification (exceeds job's time or other limits)";
	const struct job_request *r = j->req;
	if (c->p->require_timelimit_plugin && r->time_limit == NO_VAL) /* job_submit/require_timelimit */
		return REFUSE(error, "Time limit specification required, but not provided");
	j->time_limit = r->time_limit;
	j->time_min = r->time_min;
	j->eligible = r->begin;
	j->deadline = r->deadline;
	if (j->time_limit == NO_VAL && j->part->default_time != NO_VAL) {
		if (j->part->default_time == 0)
			return REFUSE(error, limit_msg);
		j->time_limit = j->part->default_time;
	}
	uint32_t max_time = 0;
	for (uint32_t i = 0; i < j->n_parts; i++)
		max_time = MAX(max_time, j->parts[i].part->max_time);
	bool exceed = j->qos && j->qos->flags & QOS_PART_TIME_LIMIT;
	if (c->p->enforce_part_limits != ENFORCE_PART_NO && !exceed && j->time_limit != NO_VAL && j->time_limit > max_time &&
	    j->time_min == NO_VAL)
		return REFUSE(error, limit_msg);
	if (j->time_min != NO_VAL && (j->time_min > max_time || (j->time_limit != NO_VAL && j->time_min > j->time_limit)))
		return REFUSE(error, min_msg);
	if (!j->deadline)
		return true;
	sec_t s = c->p->version == SLURM_22_05 ? c->now_s : MAX(j->eligible, c->now_s);
	if (j->deadline < s)
		return REFUSE(error, limit_msg);
	if (j->time_min != NO_VAL && j->deadline < s + (sec_t)j->time_min * 60)
		return REFUSE(error, min_msg);
	if (j->time_min == NO_VAL && j->time_limit != NO_VAL && j->time_limit != INFINITE && j->deadline < s + (sec_t)j->time_limit * 60)
		return REFUSE(error, limit_msg);
	if (j->time_min == NO_VAL && j->time_limit == NO_VAL)
		j->time_min = 1;
	return true;
}

/* L72: an explicit memory request; with ALL every partition must allow it, with ANY one. */
static bool check_memory(struct controller *c, struct job *j, GError **error)
{
	uint32_t failed = 0;
	if (c->p->enforce_part_limits == ENFORCE_PART_NO || !j->mem_given)
		return true;
	for (uint32_t i = 0; i < j->n_parts; i++)
		failed += memory_above_limit(c, j, j->parts[i].part);
	if (failed == j->n_parts || (failed && c->p->enforce_part_limits == ENFORCE_PART_ALL))
		return REFUSE(error, "Memory required by task is not available");
	return true;
}

static void raise_nodes(struct job *j, uint32_t least)
{
	if (j->min_nodes >= least || (j->max_nodes != NO_VAL && j->max_nodes < least))
		return;
	j->min_nodes = least;
	j->min_cpus = MAX(j->min_cpus, least);
}

/* L64 of an enforcing cluster: with LEAST nodes at least, the smallest MinNodes of the list. */
static bool counts_fit(const struct controller *c, const struct job *j, uint32_t least, GError **error)
{
	if (c->p->enforce_part_limits == ENFORCE_PART_NO || (j->qos && j->qos->flags & QOS_PART_MIN_NODE))
		return true;
	if (j->req->max_nodes != NO_VAL && j->req->max_nodes < least)
		return REFUSE(error, "Node count specification invalid");
	if (j->req->ntasks != NO_VAL && j->req->ntasks < least)
		return REFUSE(error, "Task count specification invalid");
	return true;
}

/* L63, L64: access and node counts over the list. */
static bool check_partitions(struct controller *c, struct job *j, GError **error)
{
	if (!check_memory(c, j, error))
		return false;
	bool any = false;
	GError *last = NULL;
	uint32_t least = UINT32_MAX;
	for (uint32_t i = 0; i < j->n_parts; i++)
		least = MIN(least, j->parts[i].part->min_nodes);
	if (j->req->min_nodes == NO_VAL && c->p->enforce_part_limits != ENFORCE_PART_NO)
		j->min_nodes = MAX(j->min_nodes, least); /* before L62 looks at them */
	for (uint32_t i = 0; i < j->n_parts; i++) {
		GError *e = NULL;
		if (partition_access(c, j, j->parts[i].part, &e)) {
			any = true;
			continue;
		}
		bool denied = c->p->enforce_part_limits == ENFORCE_PART_NO || c->p->enforce_part_limits == ENFORCE_PART_ALL;
		if (denied) {
			g_clear_error(&last);
			g_propagate_error(error, e);
			return false;
		}
		g_clear_error(&last);
		last = e;
	}
	if (!any) {
		g_propagate_error(error, last);
		return false;
	}
	g_clear_error(&last);
	raise_nodes(j, least);
	return counts_fit(c, j, least, error);
}

/* S5: does some waiting job go before J? */
static const struct job *outranked(struct controller *c, const struct job *j)
{
	struct queue_record mine = {.job = (struct job *)j, .part = j->parts[j->n_parts - 1].part, .part_index = j->n_parts - 1,
				    .resv = j->resv, .priority = j->priority};
	for (struct job *o = c->pending.head; o; o = o->next) {
		if (o == j || o->priority == 0 || o->flags & JOB_COMPLETING || o->eligible == 0 || o->eligible > c->now_s)
			continue;
		if (o->reason == REASON_DEPENDENCY || o->reason == REASON_DEPENDENCY_NEVER || array_at_limit(o) ||
		    reason_is_limit(c->p->version, o->reason) || reason_in(o->reason, RG_PARTITION | RG_MISC | RG_STICKY))
			continue;
		if (c->p->bf_min_age_reserve && c->now_s - o->eligible < c->p->bf_min_age_reserve)
			continue;
		bool overlap = false;
		for (uint32_t i = 0; i < o->n_parts && !overlap; i++)
			for (uint32_t k = 0; k < j->n_parts && !overlap; k++)
				overlap = bitset_intersects(o->parts[i].part->nodes, j->parts[k].part->nodes);
		struct queue_record theirs = {.job = o, .part = o->parts[0].part, .resv = o->resv, .priority = o->priority};
		bool equal = o->priority == j->priority && theirs.part->priority_tier == mine.part->priority_tier && !o->resv == !j->resv;
		if (overlap && (!equal || since(c->p, S5_EQUALS)) && record_cmp(c, &theirs, &mine) < 0)
			return o;
	}
	return NULL;
}

static void first_reason(struct controller *c, struct job *j, bool het)
{
	if (j->req->hold) {
		j->priority = 0;
		priority_fix(j);
		struct blocker b = blocker_hold("--hold at its submission");
		job_blocked(c, j, strcmp(j->user, "root") == 0 ? REASON_HELD_ADMIN : REASON_HELD_USER, NULL, &b);
	}
	if (j->tasks)
		return; /* R10: arrays are looked at in the first queue build */
	c->time_bound = INT64_MAX;
	bool independent = job_independent(c, j);
	if (j->state != JOB_PENDING)
		return;
	if (c->p->version == SLURM_22_05 && !license_available(c, j)) /* R10 of 22.05 */
		independent = false;
	if (!independent || !j->priority || het || c->p->defer || c->p->defer_batch || j->reason != REASON_NONE)
		return;
	const struct job *ahead = outranked(c, j);
	struct blocker b = ahead ? blocker_job(BLOCKER_JOB, ahead) : (struct blocker){0};
	if (ahead)
		job_blocked(c, j, REASON_PRIORITY, NULL, &b);
}

static bool build(struct controller *c, struct job *j, bool test_limits, GError **error)
{
	const struct job_request *r = j->req;
	j->name = r->name;
	j->user = r->user ? r->user : "root";
	j->site = r->site_factor;
	j->nice = r->nice_set ? r->nice : 0;
	if (j->nice < 0 && !r->privileged)
		j->nice = 0;
	j->site = r->site_factor;
	j->user_key = ctl_user_id(c, j->user);
	j->requeue = r->requeue == REQUEUE_YES || r->requeue == REQUEUE_EXPEDITE || (r->requeue == REQUEUE_DEFAULT && c->p->job_requeue);
	j->dep_kill = r->kill_on_invalid_dep_set ? r->kill_on_invalid_dep : c->p->kill_invalid_depend;
	if (r->licenses && *r->licenses && !(j->licenses = license_parse(c->cl, r->licenses, error)))
		return false;
	if (r->requeue == REQUEUE_EXPEDITE && c->p->version == SLURM_22_05) { /* what sbatch 22.05.8 says */
		g_set_error(error, SUBMIT_ERROR, 0, "option '--requeue' doesn't allow an argument (--requeue=expedite came with 25.11)");
		return false;
	}
	if (r->reboot && !r->privileged) { /* recorded */
		g_set_error(error, SUBMIT_ERROR, 0, "Access/permission denied (--reboot is for administrators: user root)");
		return false;
	}
	return resolve_partitions(c, j, r->partition, error) && resolve_account(c, j, error) && resv_resolve(c, j, error) &&
	       resolve_times(c, j, error) && demand_from_request(c, j, error) && check_partitions(c, j, error) &&
	       (!r->dependency || depend_parse(c, j, r->dependency, error)) && (!r->array || array_parse(c, j, r->array, error)) &&
	       (!test_limits || limits_submit(c, j, array_tasks_left(j), error));
}

bool submit_prepare(struct controller *c, struct job *j, bool test_limits, GError **error)
{
	if (!build(c, j, test_limits, error))
		return false;
	sort_partitions(j);
	return true;
}

/* Recorded (dependencies: kill-inv): a job killed by its dependency at once never gets a priority. */
static bool dead_at_once(struct controller *c, struct job *j)
{
	return j->dep_kill && !j->tasks && j->n_deps && depend_test(c, j) == DEP_FAILED;
}

/* P9: until a pass looks at the job it shows the priority of one of its partitions; recorded in multi-partition-tiers. */
static void show_first_priority(struct controller *c, struct job *j)
{
	if (since(c->p, P9_FIRST_TIER) || c->p->priority_type != PRIORITY_MULTIFACTOR || j->n_parts < 2 || !j->req->partition)
		return;
	size_t n = strcspn(j->req->partition, ",");
	for (uint32_t i = 0; i < j->n_parts; i++)
		if (strlen(j->parts[i].part->name) == n && strncmp(j->parts[i].part->name, j->req->partition, n) == 0)
			j->priority = j->parts[i].priority;
}

static void set_priority(struct controller *c, struct job *j)
{
	const struct job_request *r = j->req;
	if (dead_at_once(c, j)) {
		j->priority = NO_VAL;
		return;
	}
	if (r->priority != NO_VAL && r->privileged && r->priority != INFINITE && r->priority > 0) {
		j->priority = r->priority;
		priority_fix(j);
		return;
	}
	priority_init(c, j);
	show_first_priority(c, j);
}

/* P15: the trial has seen how many CPUs whole nodes are; it counts from the next calculation on. */
static void estimate_cpus(struct job *j)
{
	const struct partition *p = j->part;
	if (j->whole_node && p->total_nodes)
		j->part_total_cpus = (uint32_t)((uint64_t)p->total_cpus * MAX(j->min_nodes, 1) / p->total_nodes);
}

/* Enter a record into the lists. */
void ctl_enter_pending(struct controller *c, struct job *j)
{
	list_insert(&c->pending, j);
	j->in_pending = true;
	c->n_pending_tasks += array_tasks_left(j);
	if (j->deadline)
		c->n_deadlines++;
	limits_count_submit(c, j, (int)array_tasks_left(j));
}

static void admit(struct controller *c, struct job *j, uint32_t id)
{
	ctl_register(c, j, id);
	if (j->array) {
		j->array->job_id = id;
		GPtrArray *records = g_ptr_array_new();
		g_ptr_array_add(records, j);
		g_hash_table_insert(c->arrays, GUINT_TO_POINTER(id), records);
	}
	ctl_enter_pending(c, j);
	if (c->host.created)
		c->host.created(c->host.data, j, NULL);
	if (c->host.reason)
		c->host.reason(c->host.data, j);
}

/* --prefer is checked like a constraint of its own. */
static bool preferred_ever_runs(struct controller *c, struct job *j)
{
	enum reason before = j->reason;
	demand_swap_prefer(j);
	bool ok = !bitset_empty(j->config_ok) && attempt_test_only(c, j) != ATTEMPT_NEVER;
	demand_swap_prefer(j);
	job_first_record(j);
	job_set_reason(c, j, before, NULL);
	return ok;
}

/* A record for REQ that is in no list yet, or NULL and ERROR. */
static struct job *prepare(struct controller *c, struct job_request *req, bool het, uint32_t *refused_id, GError **error)
{
	struct job *j = ctl_new_job(c);
	j->req = req;
	j->req_refs = g_new(uint32_t, 1);
	*j->req_refs = 1;
	j->submit = c->now_s;
	j->submit_t = c->now;
	j->state = JOB_PENDING;
	bool room = c->pending.n + c->running.n < c->p->max_job_count;
	if (!room)
		g_set_error(error, SUBMIT_ERROR, 0, "Slurm temporarily unable to accept job, sleeping and retrying");
	if (!room || !submit_prepare(c, j, true, error)) {
		job_free(j);
		return NULL;
	}
	uint32_t id = j->id = ctl_take_id(c); /* S5 and singleton compare ids */
	set_priority(c, j);
	job_first_record(j);
	/* Static filter and trial: a job that could never run is refused, its id used up (N60). */
	bool unchecked = c->p->ignore_constraint_validation && since(c->p, S33_CONSTRAINTS_WAIT) && j->features; /* S4: nodes may get features later */
	bool fits = (demand_static_filter(c, j) || unchecked) && (!j->prefer || c->p->ignore_prefer_validation || preferred_ever_runs(c, j));
	if (fits) {
		first_reason(c, j, het);
		fits = j->state != JOB_PENDING || attempt_test_only(c, j) != ATTEMPT_NEVER || unchecked;
		job_first_record(j);
		estimate_cpus(j);
	}
	if (fits && het && (j->reason == REASON_RESOURCES || j->reason == REASON_REQ_NODE_NOT_AVAIL))
		job_set_reason(c, j, REASON_NONE, NULL); /* recorded (hetjob): only backfill tells that components wait */
	if (!fits) {
		if (refused_id)
			*refused_id = id;
		g_set_error(error, SUBMIT_ERROR, 0, "Requested node configuration is not available");
		job_free(j);
		return NULL;
	}
	return j;
}

static void enter(struct controller *c, struct job *j)
{
	admit(c, j, j->id);
	if (j->reason == REASON_DEPENDENCY_NEVER && j->dep_kill) /* C13, seen at once (R10) */
		job_end_pending(c, j, JOB_CANCELLED, REASON_DEPENDENCY_NEVER);
	c->counter++; /* S3 */
	ctl_touch(c);
}

struct job *controller_submit(struct controller *c, struct job_request *req, usec_t now, uint32_t *refused_id, GError **error)
{
	ctl_enter(c, now);
	ctl_purge(c);
	if (refused_id)
		*refused_id = 0;
	struct job *j = prepare(c, req, false, refused_id, error);
	if (j)
		enter(c, j);
	return j;
}

/* C70: what the leader says of itself is said of all. */
static void follow_leader(struct job_request *r, const struct job_request *leader)
{
	static const gsize texts[] = {offsetof(struct job_request, name), offsetof(struct job_request, user),
				      offsetof(struct job_request, dependency), offsetof(struct job_request, workdir)};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		char **to = (char **)(void *)((char *)r + texts[i]);
		g_free(*to);
		*to = g_strdup(*(char *const *)(const void *)((const char *)leader + texts[i]));
	}
	r->begin = leader->begin;
	r->hold = leader->hold;
	r->privileged = leader->privileged;
	r->requeue = leader->requeue;
	r->kill_on_invalid_dep = leader->kill_on_invalid_dep;
	r->kill_on_invalid_dep_set = leader->kill_on_invalid_dep_set;
}

struct job *controller_submit_het(struct controller *c, struct job_request **reqs, uint32_t n, usec_t now, uint32_t *refused_id,
				  GError **error)
{
	ctl_enter(c, now);
	ctl_purge(c);
	if (refused_id)
		*refused_id = 0;
	struct job **records = g_new0(struct job *, n);
	bool ok = true;
	for (uint32_t k = 0; k < n; k++) {
		if (ok && reqs[k]->array)
			ok = REFUSE(error, "Invalid job array specification");
		if (ok && k > 0)
			follow_leader(reqs[k], records[0]->req);
		if (ok)
			ok = (records[k] = prepare(c, reqs[k], true, refused_id, error)) != NULL;
		else
			job_request_free(reqs[k]);
		if (records[k]) /* the next one is tested with it (recorded: het-limits) */
			limits_count_submit(c, records[k], 1);
	}
	struct job *leader = records[0];
	for (uint32_t k = 0; k < n && records[k]; k++)
		limits_count_submit(c, records[k], -1);
	if (ok)
		het_join(records, n);
	for (uint32_t k = 0; k < n; k++)
		if (ok)
			enter(c, records[k]);
		else if (records[k]) {
			if (refused_id && !*refused_id)
				*refused_id = records[k]->id;
			job_free(records[k]);
		}
	g_free(records);
	return ok ? leader : NULL;
}
