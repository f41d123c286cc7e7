/* update.c - scontrol update job (L2, L22, P11d, P20, P21, R21): the keys, and a line of them carried out; see update_job.h */
#include "sched/update_job.h"
#include "sched/hetjob.h"

#include <string.h>

/* In the order in which they are carried out. The names are scontrol's own (recorded). */
static const struct update_key keys[] = {
    {"BurstBuffer", NULL, update_burst_buffer, FORM_TEXT, false, false},
    {"ClusterFeatures", NULL, update_cluster_features, FORM_TEXT, false, false},
    {"AdminComment", NULL, update_admin_comment, FORM_TEXT, false, false},
    {"Comment", NULL, update_comment, FORM_TEXT, false, false},
    {"Requeue", NULL, update_requeue, FORM_COUNT, false, false},
    {"DelayBoot", NULL, update_delay_boot, FORM_DELAY, false, false},
    {"Partition", NULL, update_partition, FORM_TEXT, true, false},
    {"Account", NULL, update_account, FORM_TEXT, true, false},
    {"QOS", NULL, update_qos, FORM_TEXT, false, false},
    {"TimeLimit", NULL, update_time_limit, FORM_LIMIT, false, false},
    {"TimeMin", NULL, update_time_min, FORM_MINUTES, false, false},
    {"EndTime", NULL, update_end, FORM_DATE, false, false},
    {"Deadline", NULL, update_deadline, FORM_DATE, false, false},
    {"Nice", NULL, update_nice, FORM_SMALL, false, true},
    {"Priority", NULL, update_priority, FORM_PRIORITY, false, false},
    {"SiteFactor", NULL, update_site, FORM_SMALL, false, false},
    {"ArrayTaskThrottle", NULL, update_throttle, FORM_TEXT, false, false},
    {"ResetAccrueTime", NULL, update_accrue, FORM_TEXT, true, true},
    {"StartTime", "EligibleTime", update_start, FORM_DATE, true, false},
    {"MinCPUsNode", NULL, update_min_cpus, FORM_COUNT, true, false},
    {"MinTmpDiskNode", NULL, update_tmp, FORM_COUNT, true, false},
    {"MinMemoryNode", NULL, update_memory_node, FORM_COUNT, true, false},
    {"MinMemoryCPU", NULL, update_memory_cpu, FORM_COUNT, true, false},
    {"ReqNodeList", "NodeList", update_req_nodes, FORM_TEXT, false, false},
    {"ExcNodeList", NULL, update_exc_nodes, FORM_TEXT, true, false},
    {"NumNodes", "ReqNodes", update_nodes, FORM_NODES, false, false},
    {"NumCPUs", NULL, update_cpus, FORM_CPUS, true, false},
    {"NumTasks", "ReqProcs", update_tasks, FORM_COUNT, true, false},
    {"CPUsPerTask", NULL, update_cpus_per_task, FORM_COUNT, true, false},
    {"TasksPerNode", NULL, update_tasks_per_node, FORM_COUNT, true, false},
    {"ReqSockets", NULL, update_sockets, FORM_COUNT, true, false},
    {"ReqCores", NULL, update_cores, FORM_COUNT, true, false},
    {"ReqThreads", NULL, update_threads, FORM_COUNT, true, false},
    {"CoreSpec", "Cores", update_core_spec, FORM_COUNT, true, false},
    {"ThreadSpec", NULL, update_thread_spec, FORM_COUNT, true, false},
    {"OverSubscribe", "Shared", update_share, FORM_FLAG, true, false},
    {"Contiguous", NULL, update_contiguous, FORM_FLAG, true, false},
    {"Switches", NULL, update_switches, FORM_TEXT, false, false},
    {"Features", NULL, update_features, FORM_TEXT, true, false},
    {"Prefer", NULL, update_prefer, FORM_TEXT, true, false},
    {"Gres", NULL, update_gres, FORM_TEXT, true, false},
    {"TresPerNode", NULL, update_tres_per_node, FORM_TEXT, true, false},
    {"TresPerJob", NULL, update_tres_per_job, FORM_TEXT, true, false},
    {"TresPerTask", NULL, update_tres_per_task, FORM_TEXT, true, false},
    {"TresPerSocket", NULL, update_tres_per_socket, FORM_TEXT, true, false},
    {"Licenses", NULL, update_licenses, FORM_TEXT, false, false},
    {"ReservationName", "Reservation", update_reservation, FORM_TEXT, false, false},
    {"Dependency", NULL, update_dependency, FORM_TEXT, true, false},
    {"JobName", "Name", update_name, FORM_TEXT, false, false},
    {"WCKey", NULL, update_wckey, FORM_TEXT, true, false},
    {"WorkDir", NULL, update_workdir, FORM_TEXT, true, false},
    {"StdOut", NULL, update_output, FORM_TEXT, true, false},
    {"MailUser", NULL, update_mail_user, FORM_TEXT, false, false},
    {"MailType", NULL, update_mail_type, FORM_MAIL, false, false},
};

const struct update_key *update_key_of(const char *word)
{
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (g_ascii_strcasecmp(keys[i].name, word) == 0 || (keys[i].also && g_ascii_strcasecmp(keys[i].also, word) == 0))
			return &keys[i];
	return NULL;
}

int update_order(const struct update_key *k)
{
	return (int)(k - keys);
}

void update_text(char **field, const char *text)
{
	g_free(*field);
	*field = *text ? g_strdup(text) : NULL;
}

void update_mark_all(const struct update *u, const char *prefix)
{
	const struct tres_table *t = u->c->cl->tres;
	for (uint32_t i = TRES_FIRST_CONFIGURED; i < t->n; i++)
		if (g_str_has_prefix(t->name[i], prefix))
			update_mark(u, i);
}

/* ---- one job ---- */

/* Recorded (updates): while the partition can never take the job, every update of it is answered so, and done all the same. */
#define NOT_AVAILABLE "Requested partition configuration not available now"

/* R21: an update that makes the job acceptable again clears its reason. */
static bool after_update(struct controller *c, struct job *j, GError **error)
{
	static const enum reason kept[] = {REASON_HELD_ADMIN, REASON_HELD_USER, REASON_RESERVATION_DELETED,
	                                   REASON_HOLD_MAX_REQUEUE};
	struct blocker b;
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
		if (j->reason == kept[i])
			return true;
	if (j->state != JOB_PENDING)
		return true;
	struct bitset *asked = g_steal_pointer(&j->req_nodes); /* recorded: nodes outside of the partition are left to the next pass */
	enum reason r = partition_check(c, j, j->part, false, &b);
	j->req_nodes = asked;
	if (r == REASON_PARTITION_CONFIG) {
		job_blocked(c, j, r, NULL, &b);
		return REFUSE(error, NOT_AVAILABLE);
	}
	if (r != REASON_NONE)
		return true;
	if (j->reason == REASON_BAD_CONSTRAINTS && j->priority == 0)
		priority_release(c, j);
	job_set_reason(c, j, REASON_NONE, NULL);
	return true;
}

/* What was worked out from the request is so no more. */
static void renew_demand(struct controller *c, struct job *j)
{
	demand_static_filter(c, j);
	j->ever_version = 0;
	j->part_total_cpus = 0;
}

static const struct job_setting *at_place(const struct job_setting *set, uint32_t n, int place)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct update_key *k = update_key_of(set[i].key);
		if (k && update_order(k) == place)
			return &set[i];
	}
	return NULL;
}

static bool set_all(struct update *u, const struct job_setting *set, uint32_t n, GError **error)
{
	if (job_is_finished(u->j))
		return REFUSE(error, "Job has already finished");
	for (int place = 0; place < (int)G_N_ELEMENTS(keys); place++) {
		const struct job_setting *s = at_place(set, n, place);
		if (!s)
			continue;
		if (keys[place].waiting && u->j->state != JOB_PENDING)
			return REFUSE(error, "Job is no longer pending execution");
		u->value = s->value ? s->value : "";
		if (!s->value && keys[place].set == update_nice)
			u->value = "100";
		if (!keys[place].set(u, error))
			return false;
	}
	return true;
}

static bool update_one(struct controller *c, struct job *j, bool admin, const struct job_setting *set, uint32_t n, GError **error)
{
	struct update u = {.c = c, .j = j, .admin = admin};
	bool ok = set_all(&u, set, n, error);
	if (job_is_finished(j))
		return ok;
	if (u.demand)
		renew_demand(c, j);
	priority_recompute(c, j, c->now_s); /* P11d: also a refused one */
	return ok && after_update(c, j, error);
}

/* ---- the tasks of an array ---- */

struct answer {
	struct bitset *tasks; /* owned */
	char *text;           /* owned; NULL = done */
};

static void answer_free(gpointer data)
{
	struct answer *a = data;
	bitset_free(a->tasks);
	g_free(a->text);
	g_free(a);
}

/* TEXT is taken over. */
static void add_answer(GPtrArray *answers, const struct job *j, uint32_t most, char *text)
{
	struct answer *a = NULL;
	for (guint i = 0; i < answers->len && !a; i++)
		if (g_strcmp0(((struct answer *)answers->pdata[i])->text, text) == 0)
			a = answers->pdata[i];
	if (!a) {
		a = g_new0(struct answer, 1);
		a->tasks = bitset_new(most);
		a->text = g_strdup(text);
		g_ptr_array_add(answers, a);
	}
	g_free(text);
	int64_t t;
	if (!j->tasks)
		bitset_set(a->tasks, j->task);
	else
		for (BITSET_EACH(t, j->tasks))
			bitset_set(a->tasks, (uint32_t)t);
}

static int by_first_task(const void *a, const void *b)
{
	const struct answer *x = *(const struct answer *const *)a, *y = *(const struct answer *const *)b;
	return bitset_first(x->tasks) < bitset_first(y->tasks) ? -1 : 1;
}

/* "5_1: Access/permission denied\n5_2-3: No error" */
static void tell_answers(const struct controller *c, GPtrArray *answers, uint32_t id, GError **error)
{
	g_ptr_array_sort(answers, by_first_task);
	GString *all = g_string_new(NULL);
	for (guint i = 0; i < answers->len; i++) {
		const struct answer *a = answers->pdata[i];
		g_autofree char *tasks = bitset_to_ranges(a->tasks);
		bool one = bitset_count(a->tasks) == 1, brackets = !one && c->p->version != SLURM_22_05;
		g_string_append_printf(all, "%s%u_%s%s%s: %s", i ? "\n" : "", id, brackets ? "[" : "", tasks, brackets ? "]" : "",
		                       a->text ? a->text : "No error");
	}
	g_set_error_literal(error, SUBMIT_ERROR, UPDATE_TASKS, all->str);
	g_string_free(all, TRUE);
}

static uint32_t most_tasks(const GPtrArray *list)
{
	uint32_t most = 1;
	for (guint i = 0; i < list->len; i++) {
		const struct job *j = list->pdata[i];
		most = MAX(most, j->tasks ? j->tasks->nbits : j->task == NO_VAL ? 1 : j->task + 1);
	}
	return most;
}

/* C26: each record for itself; those that have ended are passed over. */
static bool update_array(struct controller *c, GPtrArray *list, bool admin, const struct job_setting *set, uint32_t n, GError **error)
{
	g_autoptr(GPtrArray) answers = g_ptr_array_new_with_free_func(answer_free);
	uint32_t most = most_tasks(list), id = ((struct job *)list->pdata[0])->array->job_id, open = 0;
	bool ok = true;
	for (guint i = 0; i < list->len; i++) {
		struct job *j = list->pdata[i];
		GError *why = NULL;
		if (job_is_finished(j))
			continue;
		open++;
		ok &= update_one(c, j, admin, set, n, &why);
		add_answer(answers, j, most, why ? g_strdup(why->message) : NULL);
		g_clear_error(&why);
	}
	if (!open)
		return REFUSE(error, "Job has already finished");
	if (!ok)
		tell_answers(c, answers, id, error);
	return ok;
}

static bool runs(const struct job *j)
{
	return j->state == JOB_RUNNING || j->state == JOB_SUSPENDED;
}

static bool resizes_array(const GPtrArray *list, const struct job_setting *set, uint32_t n, GError **error)
{
	bool any = false, asked = false;
	for (guint i = 0; i < list->len; i++)
		any |= runs(list->pdata[i]);
	for (uint32_t i = 0; i < n; i++) {
		const struct update_key *k = update_key_of(set[i].key);
		asked |= k && k->set == update_nodes;
	}
	if (any && asked)
		g_set_error(error, SUBMIT_ERROR, UPDATE_LINE, "scontrol: error: Job resizing not supported for job arrays");
	return any && asked;
}

bool controller_update_job_set(struct controller *c, struct job *j, bool alone, const char *user, const struct job_setting *set, uint32_t n,
                               usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (!controller_check_job_update(j, set, n, now, error)) {
		if (!job_is_finished(j)) /* as before: also a refused one */
			priority_recompute(c, j, c->now_s);
		return false;
	}
	bool admin = !user || strcmp(user, "root") == 0, ok;
	GPtrArray *list = ctl_targets(c, j, alone);
	if (j->het) { /* each component of a heterogeneous job has values of its own */
		g_ptr_array_set_size(list, 0);
		g_ptr_array_add(list, j);
	}
	if (!j->array)
		ok = update_one(c, j, admin, set, n, error);
	else
		ok = !resizes_array(list, set, n, error) && update_array(c, list, admin, set, n, error);
	g_ptr_array_unref(list);
	c->counter++;
	c->config_version++;
	ctl_touch(c);
	return ok;
}

bool controller_update_job_by(struct controller *c, struct job *j, const char *user, const char *key, const char *value,
                              usec_t now, GError **error)
{
	return controller_update_job_set(c, j, false, user, &(struct job_setting){key, value}, 1, now, error);
}

bool controller_update_job(struct controller *c, struct job *j, const char *key, const char *value, usec_t now,
                           GError **error)
{
	return controller_update_job_by(c, j, NULL, key, value, now, error);
}
