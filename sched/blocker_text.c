/*
 * blocker_text.c - a blocker in words: see blocker.h
 *
 * What is named by number or by pointer only (nodes, lists, other jobs) is looked up as it is in the moment of
 * printing, which is the moment in which the reason was set.
 */
#include "sched/expedite.h"
#include "sched/reservation.h"
#include "sched/state.h"

#include <string.h>

char *blocker_assoc_path(const struct assoc *a)
{
	GString *s = g_string_new(a->user ? a->user : a->account);
	for (const struct assoc *up = a->user ? a : a->parent; up; up = up->parent) {
		if (up->user && up->parent)
			continue; /* the user's account is the next one */
		g_string_prepend_c(s, '/');
		g_string_prepend(s, up->account);
	}
	if (a->partition)
		g_string_append_printf(s, " (partition %s)", a->partition);
	return g_string_free(s, FALSE);
}

static char *job_name(const struct blocker *b)
{
	if (!b->array)
		return g_strdup_printf("job %u", b->job);
	return b->task == NO_VAL ? g_strdup_printf("job %u_[]", b->array)
	                         : g_strdup_printf("job %u_%u", b->array, b->task);
}

static char *limit_name(const struct blocker *b, const struct job *j)
{
	GString *s = g_string_new(NULL);
	if (b->owner_kind == OWNER_ASSOC) {
		g_autofree char *path = blocker_assoc_path(b->owner);
		g_string_append_printf(s, "association %s", path);
	} else {
		g_string_append_printf(s, "qos %s", ((const struct qos *)b->owner)->name);
	}
	if (b->owner_kind == OWNER_QOS_USER)
		g_string_append_printf(s, " user %s", j->user);
	if (b->owner_kind == OWNER_QOS_ACCOUNT)
		g_string_append_printf(s, " account %s", j->account);
	g_string_append_printf(s, " %s", b->what);
	if (b->tres)
		g_string_append_printf(s, " %s", b->tres);
	return g_string_free(s, FALSE);
}

char *blocker_who(const struct blocker *b, const struct job *j)
{
	switch (b->kind) {
	case BLOCKER_LIMIT:
		return limit_name(b, j);
	case BLOCKER_PARTITION:
	case BLOCKER_ACCESS:
		return g_strdup_printf("partition %s %s", b->part->name, b->what);
	case BLOCKER_THROTTLE:
		return g_strdup("array %N");
	case BLOCKER_POWER:
		return g_strdup_printf("SlurmctldParameters %s", b->what);
	case BLOCKER_JOB:
	case BLOCKER_DEPENDENCY:
		return job_name(b);
	case BLOCKER_NODES:
		return g_strdup_printf("nodes of %s", b->part->name);
	case BLOCKER_RESOURCE:
		return b->part ? g_strdup_printf("%s in %s", b->what, b->part->name) : g_strdup_printf("licences of %s", b->what);
	case BLOCKER_NEVER:
		return g_strdup_printf("%s in %s", b->what, b->part->name);
	case BLOCKER_QOS:
		return g_strdup_printf("qos %s%s%s", ((const struct qos *)b->owner)->name, b->what ? " " : "",
		                       b->what ? b->what : "");
	case BLOCKER_RESV:
		return g_strdup_printf("reservation %s", b->what);
	case BLOCKER_TIME:
		return g_strdup(b->what);
	case BLOCKER_HOLD:
		return g_strdup_printf("held by %s", b->what);
	default:
		return NULL;
	}
}

/* ---- the figures ---- */

static void number(GString *s, uint64_t v)
{
	if (v >= NO_VAL64 || v == INFINITE || v == NO_VAL)
		g_string_append(s, "unlimited");
	else
		g_string_append_printf(s, "%" G_GUINT64_FORMAT, (guint64)v);
}

static void put_limit(GString *s, const struct blocker *b)
{
	g_string_append(s, "limit ");
	number(s, b->value);
	if (b->use) {
		g_string_append(s, ", in use ");
		number(s, b->use);
	}
	if (b->request) {
		g_string_append(s, ", wanted ");
		number(s, b->request);
	}
}

static void put_date(GString *s, const char *before, uint64_t t)
{
	g_autofree char *date = date_format((sec_t)t, NULL);
	g_string_append_printf(s, "%s%s", before, date);
}

static void put_nodes(GString *s, const char *cause, const struct bitset *nodes, const struct cluster *cl)
{
	g_autofree char *names = cluster_format_nodes(cl, nodes);
	if (*names)
		g_string_append_printf(s, "; %s: %s", cause, names);
}

/* ---- nodes that are missing ---- */

enum lost { LOST_DOWN, LOST_SILENT, LOST_POWER, LOST_DRAINED, LOST_FAILING, LOST_BOOTS, LOST_RESERVED, LOST_NOT };

static enum lost lost_by(const struct node *n)
{
	if (n->base == NODE_DOWN)
		return LOST_DOWN;
	if (n->flags & (NODE_POWERED_DOWN | NODE_POWERING_DOWN))
		return LOST_POWER;
	if (n->flags & NODE_REBOOT_ISSUED)
		return LOST_BOOTS;
	if (n->flags & NODE_NOT_RESPONDING)
		return LOST_SILENT;
	if (n->flags & NODE_DRAIN)
		return LOST_DRAINED;
	if (n->flags & NODE_FAIL)
		return LOST_FAILING;
	return n->flags & (NODE_MAINT | NODE_RESERVED) ? LOST_RESERVED : LOST_NOT;
}

static bool own_reservation(const struct job *j, const struct reservation *r)
{
	bool own = j->resv == r;
	for (uint32_t i = 0; i < j->n_resvs; i++)
		own = own || j->resvs[i] == r;
	return own;
}

/* Some of LIST are kept for expedited requeues. */
static void put_expedited(GString *s, const struct job *j, const struct controller *c, const struct bitset *list, struct bitset *named)
{
	struct bitset *of = bitset_copy(list);
	for (guint i = 0; i < c->expediting->len; i++) {
		const struct job *other = c->expediting->pdata[i];
		int64_t n;
		bitset_assign(of, list);
		for (BITSET_EACH(n, list))
			if (expedite_keeper(c, j, (uint32_t)n) != other)
				bitset_clear(of, (uint32_t)n);
		if (bitset_empty(of))
			continue;
		g_autofree char *id = job_format_id(other), *cause = g_strdup_printf("kept for job %s, requeued expedited", id);
		put_nodes(s, cause, of, c->cl);
		bitset_or(named, of);
	}
	bitset_free(of);
}

/* Reservations of others over some of LIST before the job could end, and what is kept for expedited requeues. How many nodes are named. */
static uint32_t put_reservations(GString *s, const struct job *j, const struct controller *c, const struct bitset *list)
{
	struct bitset *of = bitset_copy(list), *named = bitset_copy(list);
	bitset_andnot(named, list);
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = c->resvs->pdata[i];
		sec_t start = resv_start(c, r), end = resv_end(c, r);
		bitset_assign(of, list);
		bitset_and(of, r->nodes);
		if (own_reservation(j, r) || end <= c->now_s || start >= c->now_s + resv_job_seconds(c, j) || bitset_empty(of))
			continue;
		g_autoptr(GString) cause = g_string_new(r->flags & RESV_FLAG(MAINT) ? "maintenance " : "reserved ");
		g_string_append(cause, r->name);
		put_date(cause, start > c->now_s ? " from " : " until ", (uint64_t)(start > c->now_s ? start : end));
		put_nodes(s, cause->str, of, c->cl);
		bitset_or(named, of);
	}
	put_expedited(s, j, c, list, named);
	uint32_t n = bitset_count(named);
	bitset_free(of);
	bitset_free(named);
	return n;
}

/* Nodes of the partition, or of those that the job requires, that are lost, by cause. */
static void missing_nodes(GString *s, const struct blocker *b, const struct job *j, const struct controller *c)
{
	static const char *const causes[] = {"down", "not responding", "powered down", "drained", "failing", "rebooting"};
	struct bitset *set[LOST_NOT + 1], *list = bitset_copy(b->part->nodes);
	int64_t i;
	if (b->kind == BLOCKER_NODES && b->what)
		bitset_and(list, j->req_nodes);
	for (int k = 0; k <= LOST_NOT; k++)
		set[k] = bitset_new(c->cl->n_nodes);
	for (BITSET_EACH(i, list))
		bitset_set(set[lost_by(c->cl->node[i])], (uint32_t)i);
	for (int k = 0; k < LOST_RESERVED; k++)
		put_nodes(s, causes[k], set[k], c->cl);
	bitset_or(set[LOST_NOT], set[LOST_RESERVED]);
	uint32_t named = put_reservations(s, j, c, set[LOST_NOT]);
	if (b->kind == BLOCKER_NODES && b->use > named)
		g_string_append_printf(s, "; kept by reservations: %" G_GUINT64_FORMAT, (guint64)(b->use - named));
	if (b->promised)
		g_string_append_printf(s, "; kept for jobs ahead: %u", b->promised);
	for (int k = 0; k <= LOST_NOT; k++)
		bitset_free(set[k]);
	bitset_free(list);
}

static void put_available(GString *s, const struct blocker *b, const struct job *j, const struct controller *c)
{
	uint32_t all = b->what ? bitset_count(j->req_nodes) : b->part->total_nodes;
	g_string_append_printf(s, "available %" G_GUINT64_FORMAT " of %u", (guint64)b->value, all);
	if (b->what)
		g_string_append_printf(s, " %s", b->what);
	g_string_append_printf(s, ", wanted %" G_GUINT64_FORMAT, (guint64)b->request);
	missing_nodes(s, b, j, c);
}

static void put_free(GString *s, const struct blocker *b, const struct job *j, const struct controller *c)
{
	if (b->value != NO_VAL64)
		g_string_append_printf(s, "free %" G_GUINT64_FORMAT ", ", (guint64)b->value);
	g_string_append_printf(s, "wanted %" G_GUINT64_FORMAT, (guint64)b->request);
	if (b->part)
		missing_nodes(s, b, j, c);
}

static void put_existing(GString *s, const struct blocker *b)
{
	if (b->value != NO_VAL64)
		g_string_append_printf(s, "there are %" G_GUINT64_FORMAT ", ", (guint64)b->value);
	g_string_append_printf(s, "wanted %" G_GUINT64_FORMAT, (guint64)b->request);
}

/* ---- lists, QOS, reservations, dependencies ---- */

static void put_access(GString *s, const struct blocker *b, const struct job *j)
{
	const struct {
		const char *name;
		char **list;
		const char *own;
	} lists[] = {{"AllowQos", b->part->allow_qos, j->qos ? j->qos->name : ""},
	             {"DenyQos", b->part->deny_qos, j->qos ? j->qos->name : ""},
	             {"AllowAccounts", b->part->allow_accounts, j->account},
	             {"DenyAccounts", b->part->deny_accounts, j->account},
	             {"AllowGroups", b->part->allow_groups, j->user}};
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		if (strcmp(b->what, lists[i].name) != 0 || !lists[i].list)
			continue;
		g_autofree char *all = g_strjoinv(",", lists[i].list);
		const char *how = g_str_has_prefix(b->what, "Deny") ? "has" : "has not";
		g_string_append_printf(s, "%s; %s %s", all, how, lists[i].own ? lists[i].own : "");
		if (i + 1 == G_N_ELEMENTS(lists))
			g_string_append(s, " in any of these groups");
	}
}

static void put_qos(GString *s, const struct blocker *b, const struct job *j)
{
	const struct qos *q = b->owner;
	if (b->what) {
		g_string_append_printf(s, "%.6g, fair-share %.6g", (double)b->value / 1e6, (double)b->use / 1e6);
	} else if (q->removed || !j->assoc) {
		g_string_append(s, "deleted");
	} else {
		g_autofree char *path = blocker_assoc_path(j->assoc), *list = g_strjoinv(",", assoc_qos_list(j->assoc));
		g_string_append_printf(s, "not in the list of association %s (%s)", path, *list ? list : "none");
	}
}

static void put_reservation(GString *s, const struct blocker *b, const struct job *j)
{
	switch ((enum resv_problem)b->request) {
	case RESV_NOT_BEGUN:
		put_date(s, "begins ", b->value);
		put_date(s, ", ends ", b->use);
		break;
	case RESV_OVER:
		put_date(s, "over since ", b->use);
		break;
	case RESV_NO_ACCESS:
		g_string_append_printf(s, "not for user %s, account %s", j->user, j->account ? j->account : "none");
		break;
	case RESV_EMPTY:
		g_string_append(s, "has no nodes");
		break;
	case RESV_TOO_SMALL:
		put_date(s, "busy, or too small, or ends before the job's time limit: ends ", b->use);
		break;
	case RESV_GONE:
		g_string_append(s, "deleted");
		break;
	}
}

static const char *state_of(const struct controller *c, const struct dependency *d)
{
	struct job *t = d->task != NO_VAL ? controller_find_task(c, d->job, d->task) : controller_find_job(c, d->job);
	return t ? job_state_name(t->state) : "gone";
}

/* "afterok, RUNNING"; when more than one of J's is not met "afterok:12 RUNNING, afterany:13_4 PENDING". */
static void put_dependencies(GString *s, const struct job *j, const struct controller *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < j->n_deps; i++)
		n += j->deps[i].state != DEP_MET;
	for (uint32_t i = 0; i < j->n_deps; i++) {
		const struct dependency *d = &j->deps[i];
		if (d->state == DEP_MET)
			continue;
		g_string_append_printf(s, "%s%s", s->len ? ", " : "", depend_kind_name(d->kind));
		if (d->kind == DEP_SINGLETON) {
			g_string_append_printf(s, " %s of %s", j->name ? j->name : "", j->user);
			continue;
		}
		if (n > 1)
			g_string_append_printf(s, ":%u", d->job);
		if (n > 1 && d->task != NO_VAL)
			g_string_append_printf(s, "_%u", d->task);
		if (d->minutes)
			g_string_append_printf(s, "+%u", d->minutes);
		g_string_append_printf(s, "%s%s", n > 1 ? " " : ", ", state_of(c, d));
	}
	if (n > 1 && j->deps_or)
		g_string_append(s, ": one of them is enough");
}

static bool put_detail(GString *s, const struct blocker *b, const struct job *j, const struct controller *c)
{
	switch (b->kind) {
	case BLOCKER_PARTITION:
		if (b->value || b->request) /* else a state or a list, not a number */
			put_limit(s, b);
		break;
	case BLOCKER_LIMIT:
	case BLOCKER_THROTTLE:
	case BLOCKER_POWER:
		put_limit(s, b);
		break;
	case BLOCKER_NODES:
		put_available(s, b, j, c);
		break;
	case BLOCKER_RESOURCE:
		put_free(s, b, j, c);
		break;
	case BLOCKER_NEVER:
		put_existing(s, b);
		break;
	case BLOCKER_ACCESS:
		put_access(s, b, j);
		break;
	case BLOCKER_QOS:
		put_qos(s, b, j);
		break;
	case BLOCKER_RESV:
		put_reservation(s, b, j);
		break;
	case BLOCKER_TIME:
		put_date(s, "", b->value);
		break;
	case BLOCKER_DEPENDENCY:
		put_dependencies(s, j, c);
		break;
	default:
		break;
	}
	return s->len > 0;
}

char *blocker_detail(const struct blocker *b, const struct job *j, const struct controller *c)
{
	GString *s = g_string_new(NULL);
	return g_string_free(s, !put_detail(s, b, j, c));
}
