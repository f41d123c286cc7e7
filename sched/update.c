/* update.c - scontrol update job (L2, L22, P11d, P20, P21, R21) and scontrol top (P22) */
#include "sched/limits.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

struct update { /* one key of one job */
	struct controller *c;
	struct job *j;
	const char *value;
	bool admin; /* an operator asks */
};

static bool denied(GError **error)
{
	return REFUSE(error, "Access/permission denied");
}

static void mark(const struct update *u, uint32_t tres)
{
	if (u->admin)
		u->j->tres_set |= UINT64_C(1) << tres;
}

/* ---- the keys ---- */

static bool set_time_limit(struct update *u, GError **error)
{
	struct job *j = u->j;
	uint32_t minutes, old = j->time_limit;
	if (!duration_parse_minutes(u->value, &minutes))
		return REFUSE(error, "Invalid time limit specification: %s", u->value);
	if (minutes == old)
		return true; /* recorded: nothing is changed, and nothing marked */
	if (!u->admin && old != NO_VAL && minutes > old)
		return denied(error);
	j->time_limit = minutes;
	j->limit_was_unset = false;
	j->time_set = j->time_set || u->admin;
	limits_count_limit(u->c, j, old);
	if (j->state == JOB_RUNNING)
		job_set_end(u->c, j, j->start + job_limit_seconds(minutes));
	return true;
}

static bool set_nice(struct update *u, GError **error)
{
	struct job *j = u->j;
	if (j->direct_priority && j->priority)
		return true; /* P21 */
	char *end;
	int64_t nice = g_ascii_strtoll(u->value, &end, 10);
	if (end == u->value || *end || nice < -2147483645 || nice > 2147483645)
		return REFUSE(error, "Invalid nice value, must be between -2147483645 and 2147483645");
	if (!u->admin && nice < j->nice)
		return denied(error);
	if (u->c->p->priority_type == PRIORITY_BASIC && j->priority)
		j->priority = (uint32_t)MAX(2, (int64_t)j->priority - (nice - j->nice));
	j->nice = nice;
	return true;
}

static bool set_priority(struct update *u, GError **error)
{
	struct job *j = u->j;
	char *end;
	uint64_t p = g_ascii_strtoull(u->value, &end, 10);
	if (end == u->value || *end || p > UINT32_MAX)
		return REFUSE(error, "Invalid Priority %s", u->value);
	if (!u->admin && (p > j->priority || j->priority == 0))
		return denied(error);
	j->priority = (uint32_t)p;
	priority_fix(j);
	j->nice = p ? 0 : j->nice;
	return true;
}

/* P20 */
static bool set_site(struct update *u, GError **error)
{
	char *end;
	int64_t v = g_ascii_strtoll(u->value, &end, 10);
	if (end == u->value || *end || v < -2147483645 || v > 2147483645)
		return REFUSE(error, "Invalid SiteFactor %s", u->value);
	if (!u->admin)
		return denied(error);
	u->j->site = (int32_t)v;
	return true;
}

static bool set_throttle(struct update *u, GError **error)
{
	if (!u->j->array)
		return REFUSE(error, "Job is not an array");
	u->j->array->limit = (uint32_t)g_ascii_strtoull(u->value, NULL, 10);
	return true;
}

/* The counts of submitted jobs follow the job to another QOS, account or partition; its age begins anew (P13.3). */
static void leave_counts(struct update *u)
{
	accrue_reset(u->c, u->j);
	limits_count_submit(u->c, u->j, -(int)array_tasks_left(u->j));
}

static void enter_counts(struct update *u)
{
	limits_count_submit(u->c, u->j, (int)array_tasks_left(u->j));
}

static bool set_qos(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct qos *q = u->c->cl->acct ? acct_find_qos(u->c->cl->acct, u->value) : NULL;
	if (!q || (!u->admin && !qos_allowed(u->c, j, q)))
		return REFUSE(error, "Invalid qos specification");
	leave_counts(u);
	if (j->several) { /* one QOS from now on */
		uint32_t n = 0;
		for (uint32_t i = 0; i < j->n_parts; i++)
			if (j->parts[i].qos == j->several[0])
				j->parts[n++] = (struct job_part){j->parts[i].part, j->parts[i].priority, NULL};
		j->n_parts = n;
		g_clear_pointer(&j->several, g_free);
		j->n_several = 0;
	}
	j->qos = q;
	j->qos_set = u->admin;
	enter_counts(u);
	return true;
}

static bool set_account(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct assoc *a = u->c->cl->acct ? acct_find(u->c->cl->acct, j->user, u->value, j->part->name) : NULL;
	if (!a)
		return REFUSE(error, "Invalid account or account/partition combination specified");
	leave_counts(u);
	j->assoc = a;
	j->account = a->account;
	enter_counts(u);
	return true;
}

static bool set_partition(struct update *u, GError **error)
{
	struct job *j = u->j;
	leave_counts(u);
	bool ok = job_set_partitions(u->c, j, u->value, error);
	if (ok && !demand_static_filter(u->c, j) && u->c->p->enforce_part_limits != ENFORCE_PART_NO)
		ok = REFUSE(error, "Requested node configuration is not available");
	enter_counts(u);
	return ok;
}

static bool read_count(const char *value, uint32_t *out)
{
	char *end;
	guint64 v = g_ascii_strtoull(value, &end, 10);
	*out = (uint32_t)v;
	return end != value && *end == '\0' && v > 0 && v < 1000000000;
}

static bool set_cpus(struct update *u, GError **error)
{
	uint32_t n;
	if (!read_count(u->value, &n))
		return REFUSE(error, "Invalid NumCPUs %s", u->value);
	u->j->min_cpus = n;
	if (u->j->ntasks != NO_VAL && u->j->cpt)
		u->j->ntasks = MAX(1u, n / u->j->cpt);
	mark(u, TRES_CPU);
	return true;
}

/* "2" or "2-4" */
static bool set_nodes(struct update *u, GError **error)
{
	g_auto(GStrv) ends = g_strsplit(u->value, "-", 2);
	uint32_t min, max;
	if (!ends[0] || !read_count(ends[0], &min) || !read_count(ends[1] ? ends[1] : ends[0], &max) || max < min)
		return REFUSE(error, "Invalid NumNodes %s", u->value);
	u->j->min_nodes = min;
	u->j->max_nodes = max;
	u->j->max_nodes_implicit = false;
	u->j->min_cpus = MAX(u->j->min_cpus, min);
	mark(u, TRES_NODE);
	return true;
}

static bool set_memory(struct update *u, bool per_cpu, GError **error)
{
	char *end;
	uint64_t mb = g_ascii_strtoull(u->value, &end, 10);
	if (end == u->value || (*end && !strchr("MGT", *end)) || (*end && end[1]) || mb > UINT32_MAX)
		return REFUSE(error, "Invalid memory size %s", u->value);
	u->j->pn_min_memory = mb << (*end == 'G' ? 10 : *end == 'T' ? 20 : 0);
	u->j->mem_per_cpu = per_cpu;
	u->j->mem_all = u->j->pn_min_memory == 0;
	u->j->mem_given = true;
	mark(u, TRES_MEM);
	return true;
}

static bool set_memory_node(struct update *u, GError **error)
{
	return set_memory(u, false, error);
}
static bool set_memory_cpu(struct update *u, GError **error)
{
	return set_memory(u, true, error);
}

static const struct {
	const char *key;
	bool (*set)(struct update *, GError **);
	bool waiting; /* only before the job starts */
} keys[] = {
    {"timelimit", set_time_limit, false},
    {"nice", set_nice, false},
    {"priority", set_priority, false},
    {"sitefactor", set_site, false},
    {"arraytaskthrottle", set_throttle, false},
    {"qos", set_qos, true},
    {"account", set_account, true},
    {"partition", set_partition, true},
    {"numcpus", set_cpus, true},
    {"numnodes", set_nodes, true},
    {"minmemorynode", set_memory_node, true},
    {"minmemorycpu", set_memory_cpu, true},
};

static bool unknown(const char *key, GError **error)
{
	GString *all = g_string_new(NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		g_string_append_printf(all, "%s%s", i ? ", " : "", keys[i].key);
	g_set_error(error, SUBMIT_ERROR, 0, "Update of %s is not modelled; known: %s", key, all->str);
	g_string_free(all, TRUE);
	return false;
}

/* ---- one job ---- */

/* R21: an update that makes the job acceptable again clears its reason. */
static void after_update(struct controller *c, struct job *j)
{
	static const enum reason kept[] = {REASON_HELD_ADMIN, REASON_HELD_USER, REASON_RESERVATION_DELETED,
	                                   REASON_HOLD_MAX_REQUEUE};
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
		if (j->reason == kept[i])
			return;
	if (j->state != JOB_PENDING || partition_check(c, j, j->part, false, NULL) != REASON_NONE)
		return;
	if (j->reason == REASON_BAD_CONSTRAINTS && j->priority == 0)
		priority_release(c, j);
	job_set_reason(c, j, REASON_NONE, NULL);
}

static bool update_one(struct update *u, const char *key, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (g_ascii_strcasecmp(keys[i].key, key))
			continue;
		if (keys[i].waiting && u->j->state != JOB_PENDING)
			return REFUSE(error, "Job is no longer pending execution");
		if (!keys[i].set(u, error))
			return false;
		priority_recompute(u->c, u->j, u->c->now_s); /* P11d */
		after_update(u->c, u->j);
		return true;
	}
	return unknown(key, error);
}

static bool update(struct controller *c, struct job *j, bool alone, const char *user, const char *key, const char *value,
                   usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	GPtrArray *list = ctl_targets(c, j, alone);
	if (j->het) { /* each component of a heterogeneous job has values of its own */
		g_ptr_array_set_size(list, 0);
		g_ptr_array_add(list, j);
	}
	bool ok = true;
	for (guint i = 0; i < list->len && ok; i++) {
		struct update u = {
		    .c = c, .j = list->pdata[i], .value = value, .admin = !user || strcmp(user, "root") == 0};
		if (!job_is_finished(u.j))
			ok = update_one(&u, key, error);
	}
	if (!ok) /* P11d: also a refused one */
		priority_recompute(c, j, c->now_s);
	g_ptr_array_unref(list);
	c->counter++;
	c->config_version++;
	ctl_touch(c);
	return ok;
}

bool controller_update_job_by(struct controller *c, struct job *j, const char *user, const char *key, const char *value,
                              usec_t now, GError **error)
{
	return update(c, j, false, user, key, value, now, error);
}

bool controller_update_record_by(struct controller *c, struct job *j, const char *user, const char *key,
                                 const char *value, usec_t now, GError **error)
{
	return update(c, j, true, user, key, value, now, error);
}

bool controller_update_job(struct controller *c, struct job *j, const char *key, const char *value, usec_t now,
                           GError **error)
{
	return update(c, j, false, NULL, key, value, now, error);
}

/* ---- scontrol top (P22) ---- */

static bool listed(struct job *const *jobs, uint32_t n, const struct job *j)
{
	for (uint32_t i = 0; i < n; i++)
		if (jobs[i] == j)
			return true;
	return false;
}

static bool is_other(const struct job *j, const struct job *first)
{
	return j->priority > 1 && j->n_parts == 1 && strcmp(j->user, first->user) == 0 && j->assoc == first->assoc &&
	       j->part == first->part && j->qos == first->qos;
}

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* The listed jobs take the largest of all priorities, in list order. Returns the sum of what they gain; *LAST: the last
 * given. */
static int64_t give(struct job **jobs, uint32_t n, GArray *all, uint32_t *last)
{
	int64_t gained = 0;
	g_array_sort(all, descending);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = g_array_index(all, uint32_t, i);
		if (i > 0 && p >= *last && *last > 2)
			p = *last - 1;
		int64_t gain = (int64_t)p - jobs[i]->priority;
		jobs[i]->nice -= gain;
		jobs[i]->priority = p;
		gained += gain;
		*last = p;
	}
	return gained;
}

/* The others pay in equal parts. */
static void take_from(GPtrArray *others, int64_t gained, uint32_t last)
{
	for (guint i = 0; i < others->len; i++) {
		struct job *j = others->pdata[i];
		int64_t step = gained / (int64_t)(others->len - i), p = (int64_t)j->priority - step;
		if (p >= last) {
			p = (int64_t)last - 1;
			step = (int64_t)j->priority - p;
		}
		p = MAX(p, 1);
		j->nice += step;
		j->priority = (uint32_t)p;
		gained -= step;
	}
}

static void move_up(struct controller *c, struct job **jobs, uint32_t n)
{
	GPtrArray *others = g_ptr_array_new();
	GArray *all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t last = 0;
	for (uint32_t i = 0; i < n; i++)
		g_array_append_val(all, jobs[i]->priority);
	for (struct job *j = c->pending.head; j; j = j->next)
		if (is_other(j, jobs[0]) && !listed(jobs, n, j)) {
			g_ptr_array_add(others, j);
			g_array_append_val(all, j->priority);
		}
	int64_t gained = give(jobs, n, all, &last);
	take_from(others, gained, last);
	g_array_unref(all);
	g_ptr_array_unref(others);
}

bool controller_top(struct controller *c, struct job *const *jobs, uint32_t n, const char *user, usec_t now,
                    GError **error)
{
	ctl_enter(c, now);
	struct job **kept = g_new(struct job *, n + 1);
	uint32_t k = 0;
	bool ok = true, admin = !user || strcmp(user, "root") == 0;
	if (!admin && !c->p->enable_user_top)
		ok = REFUSE(error, "Function disabled in slurm configuration");
	for (uint32_t i = 0; ok && i < n; i++) {
		struct job *j = jobs[i];
		if (j->state != JOB_PENDING || j->priority == 0 || listed(kept, k, j))
			continue;
		if (!admin && strcmp(user, j->user))
			ok = REFUSE(error, "Access/permission denied");
		else if (j->n_parts > 1)
			ok = REFUSE(error, "Requested operation not supported on this system");
		kept[k++] = j;
	}
	if (ok && k == 0)
		ok = REFUSE(error, "Job is no longer pending execution");
	if (ok) {
		move_up(c, kept, k);
		c->counter++;
		ctl_touch(c);
	}
	g_free(kept);
	return ok;
}
