/* update_owner.c - scontrol update job: partition, QOS and account, reservation, licences, dependency; see update_job.h */
#include "sched/update_job.h"
#include "sched/license.h"
#include "sched/reservation.h"

#include <string.h>

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

static void one_qos(struct job *j)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < j->n_parts; i++)
		if (j->parts[i].qos == j->several[0])
			j->parts[n++] = (struct job_part){j->parts[i].part, j->parts[i].priority, NULL};
	j->n_parts = n;
	g_clear_pointer(&j->several, g_free);
	j->n_several = 0;
}

static bool kept(const struct update *u)
{
	return u->c->cl->acct && u->c->p->has_accounting;
}

/* Recorded: without accounting any QOS and account is accepted and nothing comes of it. */
bool update_qos(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct acct *a = u->c->cl->acct;
	if (!kept(u))
		return true;
	if (j->state != JOB_PENDING)
		return REFUSE(error, "Job is no longer pending execution");
	const char *name = *u->value ? u->value : j->assoc ? assoc_default_qos(j->assoc) : NULL;
	struct qos *q = acct_find_qos(a, name ? name : "normal");
	if (!q || (!u->admin && !qos_allowed(u->c, j, q)))
		return REFUSE(error, "Invalid qos specification");
	leave_counts(u);
	if (j->several)
		one_qos(j); /* from now on */
	j->qos = q;
	j->qos_set = u->admin;
	enter_counts(u);
	return true;
}

bool update_account(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct acct *acct = u->c->cl->acct;
	if (!kept(u))
		return true;
	struct assoc *a = acct_find(acct, j->user, *u->value ? u->value : NULL, j->part->name);
	if (!a)
		return REFUSE(error, "Invalid account or account/partition combination specified");
	leave_counts(u);
	j->assoc = a;
	j->account = a->account;
	enter_counts(u);
	return true;
}

/* A job is alone on its nodes where its new partition wants that; what it asks for itself stays. */
bool update_partition(struct update *u, GError **error)
{
	struct job *j = u->j;
	leave_counts(u);
	bool ok = job_set_partitions(u->c, j, u->value, error);
	if (ok && !demand_static_filter(u->c, j) && u->c->p->enforce_part_limits != ENFORCE_PART_NO)
		ok = REFUSE(error, "Requested node configuration is not available");
	enter_counts(u);
	if (!ok)
		return false;
	update_text(&job_own_request(j)->partition, u->value);
	demand_sharing(u->c, j);
	u->demand = true;
	return true;
}

/* ---- reservation (C60, C65) ---- */

static bool name_reservation(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct reservation **was = g_steal_pointer(&j->resvs), *one = j->resv;
	uint32_t n = j->n_resvs;
	struct job_request *r = job_own_request(j);
	char *text = g_steal_pointer(&r->reservation);
	j->n_resvs = 0;
	update_text(&r->reservation, u->value);
	if (resv_resolve(u->c, j, error)) {
		g_free(was);
		g_free(text);
		return true;
	}
	g_free(j->resvs);
	g_free(r->reservation);
	j->resvs = was;
	j->n_resvs = n;
	j->resv = one;
	r->reservation = text;
	return false;
}

/* Recorded: of a running job the name must be known, and nothing comes of an empty one. */
bool update_reservation(struct update *u, GError **error)
{
	struct job *j = u->j;
	if (j->state == JOB_PENDING) {
		if (!name_reservation(u, error))
			return false;
		resv_end_record(j);
		u->demand = true;
		return true;
	}
	if (!*u->value)
		return true;
	return resv_find(u->c, u->value) ? REFUSE(error, "Job is no longer pending execution") : REFUSE(error, "Requested reservation is invalid");
}

/* ---- licences (C58) ---- */

/* Recorded: an operator may give a running job more licences than are free. */
bool update_licenses(struct update *u, GError **error)
{
	struct job *j = u->j;
	bool running = j->state != JOB_PENDING;
	struct license_list *fresh = NULL;
	if (running && !u->admin)
		return denied(error);
	if (*u->value && !(fresh = license_parse(u->c->cl, u->value, error)))
		return false;
	limits_count_resize(u->c, j, -1);
	license_return(u->c, j);
	g_free(j->licenses);
	j->licenses = fresh;
	char **text = &job_own_request(j)->licenses;
	g_free(*text);
	*text = g_strdup(u->value); /* recorded: an empty one is shown as such */
	if (running)
		license_take(u->c, j);
	u->c->licenses_forced |= running;
	limits_count_resize(u->c, j, 1);
	update_mark_all(u, "license/");
	u->demand = true;
	return true;
}

/* ---- dependency (C10-C13) ---- */

static bool is_same(const struct job *a, const struct job *b)
{
	return a == b || (b->array && a->array == b->array);
}

/* J waits for itself over at most DEPTH dependencies. Recorded (22.05): a longer circle is not noticed, a long chain that is none not refused. */
static bool is_circular(const struct controller *c, struct job *j, int depth)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) reached = g_ptr_array_new(); /* the nearest first */
	g_ptr_array_add(reached, j);
	for (guint i = 0, level = 1; depth > 0 && i < level; depth--, level = reached->len)
		for (; i < level; i++) {
			const struct job *at = reached->pdata[i];
			for (uint32_t k = 0; k < at->n_deps; k++) {
				struct job *next = at->deps[k].kind == DEP_SINGLETON ? NULL : controller_find_job(c, at->deps[k].job);
				if (next && is_same(next, j))
					return true;
				if (next && g_hash_table_add(seen, next))
					g_ptr_array_add(reached, next);
			}
		}
	return false;
}

/* C12 */
static bool makes_no_circle(const struct update *u, GError **error)
{
	if (is_circular(u->c, u->j, 1)) /* it names itself */
		return REFUSE(error, "Job dependency problem");
	return !is_circular(u->c, u->j, u->c->p->max_depend_depth) || REFUSE(error, "Circular job dependency");
}

static bool read_dependency(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct dependency *was = g_steal_pointer(&j->deps);
	uint32_t n = j->n_deps;
	bool any = j->deps_or;
	j->n_deps = 0;
	bool ok = !*u->value || depend_parse(u->c, j, u->value, error);
	ok = ok && makes_no_circle(u, error);
	g_free(ok ? was : j->deps);
	if (ok)
		return true;
	j->deps = was;
	j->n_deps = n;
	j->deps_or = any;
	return false;
}

/* Recorded: one that is not met yet takes the eligible time away at once, and one that is met gives it. */
bool update_dependency(struct update *u, GError **error)
{
	struct job *j = u->j;
	if (!read_dependency(u, error))
		return false;
	update_text(&job_own_request(j)->dependency, u->value);
	if (j->reason == REASON_DEPENDENCY || j->reason == REASON_DEPENDENCY_NEVER)
		job_set_reason(u->c, j, REASON_NONE, NULL);
	enum dep_state state = depend_test(u->c, j);
	if (state == DEP_PENDING && j->eligible <= u->c->now_s)
		j->eligible = 0;
	else if (state == DEP_MET && !j->eligible && j->priority)
		j->eligible = u->c->now_s;
	return true;
}
