/* limits_list.c - see limits_list.h */
#include "sched/limits.h"
#include "sched/limits_list.h"

#include <string.h>

struct list {
	struct controller *c;
	GArray *lines;
	const struct assoc *user;
};

static bool mine(const struct assoc *a, const char *user, const char *account)
{
	return a->user && !a->removed && g_ascii_strcasecmp(a->user, user) == 0 &&
	       (!account || g_ascii_strcasecmp(a->account, account) == 0);
}

uint32_t limits_user_number(const struct controller *c, const char *user)
{
	gpointer key;

	return g_hash_table_lookup_extended(c->user_ids, user, NULL, &key) ? GPOINTER_TO_UINT(key) : NO_VAL;
}

bool limits_list_known(const struct controller *c, const char *user, const char *account)
{
	const struct acct *a = c->cl->acct;
	for (guint i = 0; a && i < a->assocs->len; i++)
		if (mine(a->assocs->pdata[i], user, account))
			return true;
	return false;
}

/* What counts against a limit of kind K now. */
static uint64_t used(enum limit_kind k, const struct use *u, const long double *usage, double wall, uint32_t i)
{
	switch (k) {
	case LK_GRP_MINS:
		return usage_minutes(usage, i);
	case LK_GRP_RUN_MINS:
	case LK_RUN_MINS_PA:
	case LK_RUN_MINS_PU:
		return u->run_secs ? u->run_secs[i] / 60 : 0;
	case LK_GRP_TRES:
	case LK_MAX_PA:
	case LK_MAX_PU:
		return i == TRES_NODE && u->node_jobs ? u->nodes : u->tres ? u->tres[i] : 0;
	case LK_GRP_JOBS:
	case LK_MAX_JOBS:
	case LK_MAX_JOBS_PA:
	case LK_MAX_JOBS_PU:
		return u->jobs;
	case LK_GRP_SUBMIT:
	case LK_MAX_SUBMIT:
	case LK_MAX_SUBMIT_PA:
	case LK_MAX_SUBMIT_PU:
		return u->submit;
	case LK_GRP_WALL:
		return wall_minutes(wall);
	case LK_GRP_ACCRUE:
	case LK_MAX_ACCRUE:
	case LK_MAX_ACCRUE_PA:
	case LK_MAX_ACCRUE_PU:
		return u->accrue;
	default:
		return 0;
	}
}

static bool is_per_job(enum limit_kind k)
{
	return k == LK_MAX_PJ || k == LK_MAX_PN || k == LK_MAX_MINS_PJ || k == LK_MIN_PJ || k == LK_MAX_WALL;
}

static bool is_minutes(enum limit_kind k)
{
	return k == LK_GRP_MINS || k == LK_GRP_RUN_MINS || k == LK_MAX_MINS_PJ || k == LK_RUN_MINS_PA ||
	       k == LK_RUN_MINS_PU || k == LK_GRP_WALL || k == LK_MAX_WALL;
}

static bool holds(const struct limit_line *l, const struct job *j)
{
	const struct blocker *b = &j->blocker;
	if (l->of_partition)
		return b->kind == BLOCKER_PARTITION && b->part == l->owner && strcmp(b->what, l->name) == 0 &&
		       g_strcmp0(j->user, l->assoc->user) == 0;
	if (b->kind == BLOCKER_PARTITION)
		return false;
	if (b->kind != BLOCKER_LIMIT || b->owner != l->owner || b->owner_kind != l->owner_kind ||
	    strcmp(b->what, l->name) != 0)
		return false;
	if (l->owner_kind == OWNER_QOS_USER && strcmp(j->user, l->assoc->user) != 0)
		return false;
	if (l->owner_kind == OWNER_QOS_ACCOUNT && g_strcmp0(j->account, l->assoc->account) != 0)
		return false;
	return g_strcmp0(b->tres, l->tres) == 0;
}

/* L with the jobs that wait for it. */
static void append(struct list *x, struct limit_line l)
{
	l.holds = g_ptr_array_new();
	for (struct job *j = x->c->pending.head; j; j = j->next)
		if (holds(&l, j))
			g_ptr_array_add(l.holds, j);
	g_array_append_val(x->lines, l);
}

static void add(struct list *x, enum limit_kind k, struct limit_line l, const struct use *u, const long double *usage,
                double wall, uint32_t i)
{
	l.assoc = x->user;
	l.per_job = is_per_job(k);
	l.minimum = k == LK_MIN_PJ;
	l.minutes = is_minutes(k);
	l.tres = k < LK_TRES_KINDS ? x->c->cl->tres->name[i] : NULL;
	l.use = used(k, u, usage, wall, i);
	l.room = l.value - MIN(l.value, l.use);
	for (guint n = 0; n < x->lines->len; n++) { /* the same for another association of the user */
		const struct limit_line *o = &g_array_index(x->lines, struct limit_line, n);
		if (o->owner == l.owner && o->name == l.name && o->tres == l.tres && o->owner_kind == l.owner_kind &&
		    (l.owner_kind != OWNER_QOS_ACCOUNT || strcmp(o->assoc->account, l.assoc->account) == 0))
			return;
	}
	append(x, l);
}

static void add_qos(struct list *x, const struct qos *q)
{
	for (unsigned k = 0; q && k < LK_KINDS; k++) {
		const struct limit_info *info = &limit_info[k];
		const struct use *u = limit_use_of(q, info->scope, x->user->user, x->user->account);
		struct limit_line l = {.owner_kind = info->scope, .owner = q, .name = info->qos_name};
		if (!info->qos_name)
			continue;
		if (k >= LK_TRES_KINDS) {
			l.value = limit_value(&q->limits, (enum limit_kind)k);
			if (limit_set32((uint32_t)l.value))
				add(x, (enum limit_kind)k, l, u, q->tres_usage, q->wall, 0);
			continue;
		}
		for (uint32_t i = 0; i < x->c->cl->tres->n; i++) {
			l.value = limit_tres(&q->limits, (enum limit_kind)k, i);
			if (limit_set64(l.value))
				add(x, (enum limit_kind)k, l, u, q->tres_usage, q->wall, i);
		}
	}
}

/* Group limits are of each level; the others are inherited and checked at the user's. */
static bool of_group(enum limit_kind k)
{
	return k == LK_GRP_TRES || k == LK_GRP_MINS || k == LK_GRP_RUN_MINS || k == LK_GRP_JOBS || k == LK_GRP_SUBMIT ||
	       k == LK_GRP_WALL || k == LK_GRP_ACCRUE;
}

static void add_assoc(struct list *x, const struct assoc *a)
{
	for (unsigned n = 0; n < LK_KINDS; n++) {
		enum limit_kind k = (enum limit_kind)n;
		struct limit_line l = {.owner_kind = OWNER_ASSOC, .owner = a, .name = limit_info[k].assoc_name};
		if (!l.name || (a != x->user && !of_group(k)))
			continue;
		for (uint32_t i = 0; i < (k < LK_TRES_KINDS ? x->c->cl->tres->n : 1); i++) {
			uint64_t own = k < LK_TRES_KINDS ? limit_tres(&a->limits, k, i) : limit_value(&a->limits, k);
			l.value = of_group(k)         ? own
			          : k < LK_TRES_KINDS ? limit_tres_inherited(a, k, i)
			                              : limit_inherited(a, k);
			l.inherited = l.value != own;
			if (k < LK_TRES_KINDS ? limit_set64(l.value) : limit_set32((uint32_t)l.value))
				add(x, k, l, &a->use, a->tres_usage, a->wall, i);
		}
	}
}

/* ---- partitions ---- */

static void add_setting(struct list *x, const struct partition *p, const char *name, uint64_t value, bool minutes,
                        bool minimum)
{
	struct limit_line l = {.owner = p, .of_partition = true, .assoc = x->user, .name = name, .per_job = true,
	                       .minutes = minutes, .minimum = minimum, .value = value};
	for (guint n = 0; n < x->lines->len; n++) { /* another association of the user */
		const struct limit_line *o = &g_array_index(x->lines, struct limit_line, n);
		if (o->owner == p && strcmp(o->name, name) == 0)
			return;
	}
	append(x, l);
}

static bool account_listed(char **list, const struct assoc *user)
{
	for (const struct assoc *a = user; a; a = a->parent)
		if (a->account && g_strv_contains((const char *const *)list, a->account))
			return true;
	return false;
}

/* L62, L72: what one job may ask of the partition; the cluster's MaxMemPer* where it has none of its own. */
static void add_partition(struct list *x, const struct partition *p)
{
	const struct sched_params *s = x->c->p;
	bool own = p->max_mem != NO_VAL64;
	uint64_t mem = own ? p->max_mem : s->max_mem;
	if (p->allow_accounts ? !account_listed(p->allow_accounts, x->user)
	                      : p->deny_accounts && account_listed(p->deny_accounts, x->user))
		return;
	if (limit_set32(p->max_time))
		add_setting(x, p, "MaxTime", p->max_time, true, false);
	if (limit_set32(p->max_nodes))
		add_setting(x, p, "MaxNodes", p->max_nodes, false, false);
	if (p->min_nodes > 1)
		add_setting(x, p, "MinNodes", p->min_nodes, false, true);
	if (limit_set32(p->max_cpus_per_node))
		add_setting(x, p, "MaxCPUsPerNode", p->max_cpus_per_node, false, false);
	if (limit_set32(p->max_cpus_per_socket))
		add_setting(x, p, "MaxCPUsPerSocket", p->max_cpus_per_socket, false, false);
	if (mem && mem != NO_VAL64 && mem != UINT64_MAX)
		add_setting(x, p, (own ? p->max_mem_per_cpu : s->max_mem_per_cpu) ? "MaxMemPerCPU" : "MaxMemPerNode", mem, false,
		            false);
}

static void add_user(struct list *x)
{
	struct acct *a = x->c->cl->acct;
	for (guint i = 0; i < x->c->cl->partitions->len; i++)
		add_partition(x, x->c->cl->partitions->pdata[i]);
	for (guint i = 0; i < x->c->cl->partitions->len; i++)
		add_qos(x, ((struct partition *)x->c->cl->partitions->pdata[i])->qos);
	for (char **q = assoc_qos_list(x->user); *q; q++)
		add_qos(x, acct_find_qos(a, *q));
	for (const struct assoc *up = x->user; up; up = up->parent)
		add_assoc(x, up);
}

static void clear_line(void *data)
{
	g_ptr_array_unref(((struct limit_line *)data)->holds);
}

GArray *limits_list(struct controller *c, const char *user, const char *account)
{
	struct list x = {.c = c, .lines = g_array_new(FALSE, TRUE, sizeof(struct limit_line))};
	g_array_set_clear_func(x.lines, clear_line);
	for (guint i = 0; c->cl->acct && i < c->cl->acct->assocs->len; i++) {
		x.user = c->cl->acct->assocs->pdata[i];
		if (mine(x.user, user, account))
			add_user(&x);
	}
	return x.lines;
}
