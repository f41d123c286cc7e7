/* power.c - see power.h: what is configured, jobs on nodes that boot, nodes that register, commands */
#include "sched/easy.h"
#include "sched/power_state.h"
#include "sched/reconfigure.h"
#include "sched/reshape.h"
#include "sched/select.h"

#include <string.h>

/* ---- SuspendExc... ---- */

static void exception_free(void *data)
{
	struct power_exception *x = data;
	g_free(x->nodes);
	g_free(x);
}

static struct power_exception *exception_of(const char *text, gsize len)
{
	struct power_exception *x = g_new0(struct power_exception, 1);
	g_autofree char *entry = g_strndup(text, len);
	char *colon = strrchr(entry, ':');
	guint64 n = UINT32_MAX;
	x->bad = colon && !g_ascii_string_to_unsigned(colon + 1, 10, 0, UINT32_MAX - 1, &n, NULL);
	if (colon && !x->bad)
		*colon = '\0';
	x->bad |= !*entry;
	x->keep = (uint32_t)n;
	x->nodes = g_strdup(entry);
	return x;
}

GPtrArray *power_exceptions_split(const char *text)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(exception_free);
	const char *from = text;
	int depth = 0;
	for (const char *p = text; text; p++) {
		depth += (*p == '[') - (*p == ']');
		if (*p && (*p != ',' || depth > 0))
			continue;
		if (p > from)
			g_ptr_array_add(list, exception_of(from, (gsize)(p - from)));
		from = p + 1;
		if (!*p)
			break;
	}
	return list;
}

static const struct exempt_state { const char *word; uint32_t flag; } exempt_states[] = {
    {"CLOUD", NODE_CLOUD}, {"DOWN", 0}, {"DRAIN", NODE_DRAIN}, {"DYNAMIC_FUTURE", 0}, {"DYNAMIC_NORM", 0}, {"FAIL", NODE_FAIL},
    {"INVALID_REG", NODE_INVALID_REG}, {"MAINTENANCE", NODE_MAINT}, {"NOT_RESPONDING", NODE_NOT_RESPONDING}, {"PERFCTRS", 0},
    {"PLANNED", NODE_PLANNED}, {"RESERVED", NODE_RESERVED}};

static const struct exempt_state *exempt_state(const char *text)
{
	for (gsize i = 0; i < G_N_ELEMENTS(exempt_states); i++)
		if (g_ascii_strcasecmp(exempt_states[i].word, text) == 0)
			return &exempt_states[i];
	return NULL;
}

bool power_exception_state(const char *text)
{
	return exempt_state(text) != NULL;
}

/* A count speaks of all nodes since the one before it: of "n[1-2],n[3-8]:4" any four (recorded). What follows the last is kept whole. */
static void read_exception_nodes(struct controller *c, struct power *p)
{
	GPtrArray *list = power_exceptions_split(c->p->suspend_exc_nodes);
	struct bitset *set = bitset_new(c->cl->n_nodes);
	for (guint i = 0; i < list->len; i++) {
		const struct power_exception *x = list->pdata[i];
		struct bitset *nodes = x->bad ? NULL : cluster_parse_nodes(c->cl, x->nodes, NULL);
		if (nodes)
			bitset_or(set, nodes);
		bitset_free(nodes);
		if (x->keep == UINT32_MAX)
			continue;
		struct kept_nodes *k = g_new(struct kept_nodes, 1);
		*k = (struct kept_nodes){bitset_copy(set), x->keep};
		g_ptr_array_add(p->keep, k);
		bitset_clear_all(set);
	}
	bitset_or(p->exempt, set);
	bitset_free(set);
	g_ptr_array_unref(list);
}

static void read_exceptions(struct controller *c, struct power *p)
{
	read_exception_nodes(c, p);
	g_auto(GStrv) parts = g_strsplit(c->p->suspend_exc_parts ? c->p->suspend_exc_parts : "", ",", -1);
	for (char **s = parts; *s; s++) {
		const struct partition *part = cluster_find_partition(c->cl, g_strstrip(*s));
		if (part)
			bitset_or(p->exempt, part->nodes);
	}
	g_auto(GStrv) states = g_strsplit(c->p->suspend_exc_states ? c->p->suspend_exc_states : "", ",", -1);
	for (char **s = states; *s; s++) {
		const struct exempt_state *e = exempt_state(g_strstrip(*s));
		p->exempt_flags |= e ? e->flag : 0;
		p->exempt_down |= e && strcmp(e->word, "DOWN") == 0;
	}
}

/* ---- which times are in force: the node's own, else the highest of its partitions, else the cluster's ---- */

static uint32_t highest(const struct controller *c, uint32_t node, uint32_t (*of)(const struct partition *), uint32_t otherwise)
{
	uint32_t most = 0;
	bool any = false;
	for (guint i = 0; i < c->cl->partitions->len; i++) {
		const struct partition *part = c->cl->partitions->pdata[i];
		uint32_t t = of(part);
		if (t == NO_VAL || !bitset_test(part->nodes, node))
			continue;
		any = true;
		most = MAX(most, t == INFINITE ? UINT32_MAX : t);
	}
	return !any ? otherwise : most == UINT32_MAX ? INFINITE : most;
}

static uint32_t part_idle_time(const struct partition *p)
{
	return p->suspend_time;
}
static uint32_t part_down_time(const struct partition *p)
{
	return p->suspend_timeout;
}
static uint32_t part_up_time(const struct partition *p)
{
	return p->resume_timeout;
}

static void read_times(struct controller *c, struct power *p)
{
	bool any = false;
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		const struct node *n = c->cl->node[i];
		uint32_t own = n->suspend_time;
		p->idle_time[i] = own != NO_VAL ? own : highest(c, i, part_idle_time, c->p->suspend_time);
		p->down_time[i] = highest(c, i, part_down_time, (uint32_t)c->p->suspend_timeout);
		p->up_time[i] = highest(c, i, part_up_time, (uint32_t)c->p->resume_timeout);
		any |= p->idle_time[i] != INFINITE;
		p->active |= (n->flags & NODE_POWERED_DOWN) != 0;
	}
	p->saving = c->p->suspend_program && c->p->resume_program;
	p->active |= any && p->saving;
}

static void kept_free(void *data)
{
	struct kept_nodes *k = data;
	bitset_free(k->nodes);
	g_free(k);
}

struct power *power_new(struct controller *c)
{
	struct power *p = g_new0(struct power, 1);
	uint32_t n = c->cl->n_nodes;
	p->busy = g_new(sec_t, n + 1);
	p->since = g_new0(sec_t, n + 1);
	p->idle_time = g_new(uint32_t, n + 1);
	p->down_time = g_new(uint32_t, n + 1);
	p->up_time = g_new(uint32_t, n + 1);
	p->next = g_new0(uint8_t, n + 1);
	p->exempt = bitset_new(n);
	p->keep = g_ptr_array_new_with_free_func(kept_free);
	for (uint32_t i = 0; i < n; i++)
		p->busy[i] = c->now_s;
	read_exceptions(c, p);
	read_times(c, p);
	p->last_scan = p->tokens_at = c->now_s;
	p->up_tokens = (int64_t)c->p->resume_rate * 60;
	p->down_tokens = (int64_t)c->p->suspend_rate * 60;
	p->changes = 1; /* the first turn looks */
	c->sel->power = power_matters(c->cl);
	return p;
}

void power_reconfigured(struct controller *c)
{
	struct power *p = c->power;
	bitset_clear_all(p->exempt);
	g_ptr_array_set_size(p->keep, 0);
	p->exempt_flags = 0;
	p->exempt_down = false;
	read_exceptions(c, p);
	read_times(c, p);
	p->changes++;
}

#define MOVE(array, c, to, n_old, otherwise)                                                                           \
	do {                                                                                                           \
		__typeof__(array) moved_ = g_malloc_n((c)->cl->n_nodes + 1, sizeof *moved_);                          \
		for (uint32_t m_ = 0; m_ < (c)->cl->n_nodes; m_++)                                                     \
			moved_[m_] = (otherwise);                                                                      \
		for (uint32_t m_ = 0; m_ < (n_old); m_++)                                                              \
			if ((to)[m_] != UINT32_MAX)                                                                    \
				moved_[(to)[m_]] = (array)[m_];                                                        \
		g_free(array);                                                                                         \
		(array) = moved_;                                                                                      \
	} while (0)

void power_reshape(struct controller *c, const uint32_t *to, uint32_t n_old)
{
	struct power *p = c->power;
	if (to) {
		MOVE(p->busy, c, to, n_old, c->now_s);
		MOVE(p->since, c, to, n_old, 0);
		MOVE(p->next, c, to, n_old, NEXT_NONE);
		p->idle_time = g_renew(uint32_t, p->idle_time, c->cl->n_nodes + 1);
		p->down_time = g_renew(uint32_t, p->down_time, c->cl->n_nodes + 1);
		p->up_time = g_renew(uint32_t, p->up_time, c->cl->n_nodes + 1);
	}
	bitset_free(p->exempt);
	p->exempt = bitset_new(c->cl->n_nodes);
	p->reboots = 0;
	for (uint32_t i = 0; i < c->cl->n_nodes; i++)
		p->reboots += (c->cl->node[i]->flags & NODE_REBOOT_REQUESTED) != 0;
	power_reconfigured(c);
}

void power_free(struct power *p)
{
	if (!p)
		return;
	g_free(p->busy);
	g_free(p->since);
	g_free(p->idle_time);
	g_free(p->down_time);
	g_free(p->up_time);
	g_free(p->next);
	bitset_free(p->exempt);
	g_ptr_array_unref(p->keep);
	g_free(p);
}

/* ---- nodes ---- */

bool power_matters(const struct cluster *cl)
{
	for (uint32_t i = 0; i < cl->n_nodes; i++)
		if (cl->node[i]->flags & NODE_POWER_FLAGS)
			return true;
	return false;
}

void power_tell(struct controller *c, struct node *n)
{
	n->state_since = c->now;
	c->sel->power |= (n->flags & NODE_POWER_FLAGS) != 0;
	if (c->host.node)
		c->host.node(c->host.data, n);
}

bool power_node_idle(const struct controller *c, uint32_t i)
{
	const struct node_use *u = usage_node(c->use, i);
	return u->jobs == 0 && u->completing == 0;
}

void power_node_left(struct controller *c, const struct job *j, uint32_t node)
{
	struct power *p = c->power;
	struct node *n = c->cl->node[node];
	p->busy[node] = c->now_s;
	p->changes++;
	if (p->saving && j->part->power_down_on_idle && p->idle_time[node] != INFINITE && !(n->flags & (NODE_POWER_FLAGS | NODE_REBOOT_REQUESTED)))
		n->flags |= NODE_POWER_DOWN;
}

void power_nodes_changed(struct controller *c)
{
	c->power->changes++;
}

void power_node_resumed(struct controller *c, struct node *n)
{
	struct power *p = c->power;
	p->busy[n->index] = c->now_s;
	if (n->flags & NODE_REBOOT_REQUESTED)
		p->reboots--;
	n->flags &= ~(unsigned)(NODE_REBOOT_REQUESTED | NODE_REBOOT_ISSUED | NODE_POWER_DOWN | NODE_ASAP);
	p->next[n->index] = NEXT_NONE;
}

/* ---- jobs on nodes that boot ---- */

#define ASLEEP (NODE_POWERED_DOWN | NODE_POWERING_UP | NODE_POWER_UP)

static bool power_sleeping(const struct controller *c)
{
	for (uint32_t i = 0; i < c->cl->n_nodes; i++)
		if (c->cl->node[i]->flags & ASLEEP)
			return true;
	return false;
}

static bool is_up(const struct node *n)
{
	return !(n->flags & (NODE_POWERED_DOWN | NODE_POWERING_DOWN)) || n->flags & NODE_POWER_UP;
}

static uint32_t nodes_asleep(const struct controller *c, const struct job_alloc *a)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < a->n; i++)
		n += !is_up(c->cl->node[a->node[i].node]);
	return n;
}

void power_count_trial(struct controller *c, const struct job_alloc *a, int sign)
{
	c->power->trial = (uint32_t)((int64_t)c->power->trial + sign * (int64_t)nodes_asleep(c, a));
}

bool power_exceeds(const struct controller *c, const struct job_alloc *a, struct blocker *b)
{
	uint32_t most = c->p->max_powered_nodes, up = c->power->trial;
	if (most == INFINITE || !c->power->active)
		return false;
	uint32_t more = nodes_asleep(c, a);
	for (uint32_t i = 0; more && i < c->cl->n_nodes; i++)
		up += is_up(c->cl->node[i]);
	*b = (struct blocker){.kind = BLOCKER_POWER, .what = "max_powered_nodes", .value = most, .use = up, .request = more};
	return more && up + more > most;
}

bool power_hides(const struct cluster *cl, const struct node *n)
{
	return n->flags & NODE_CLOUD && n->flags & NODE_POWERED_DOWN && !cl->params->show_cloud;
}

/* --reboot, recorded: the node counts as powering up, the job waits for it as for one that was off. */
static void boot_for_job(struct controller *c, struct node *n)
{
	n->flags |= NODE_POWERING_UP;
	c->power->since[n->index] = c->now_s;
	power_tell(c, n);
	if (c->host.power)
		c->host.power(c->host.data, n, POWER_REBOOT);
}

void power_job_started(struct controller *c, struct job *j)
{
	struct power *p = c->power;
	p->changes++;
	p->active |= j->req->reboot && c->p->reboot_program;
	if (!p->active)
		return;
	bool asleep = false;
	int64_t i;
	for (BITSET_EACH(i, j->nodes)) {
		struct node *n = c->cl->node[i];
		if (n->flags & NODE_REBOOT_REQUESTED && !(n->flags & NODE_DRAIN))
			g_clear_pointer(&n->reason, g_free); /* recorded: a node that takes a job forgets why it is to reboot */
		if (j->req->reboot && c->p->reboot_program && !(n->flags & ASLEEP))
			boot_for_job(c, n);
		if (!(n->flags & ASLEEP))
			continue;
		asleep = true;
		if (n->flags & NODE_POWERED_DOWN) {
			n->flags |= NODE_POWER_UP;
			g_clear_pointer(&n->reason, g_free);
		}
	}
	/* components start one by one, but must begin together: while any node sleeps they begin at a sweep */
	if (!asleep && !(j->het && power_sleeping(c)))
		return;
	j->flags |= JOB_CONFIGURING;
	p->configuring++;
}

static bool nodes_boot(const struct controller *c, const struct job *j)
{
	int64_t i;
	for (BITSET_EACH(i, j->nodes))
		if (c->cl->node[i]->flags & ASLEEP)
			return true;
	return false;
}

static bool job_boots(const struct controller *c, const struct job *j)
{
	if (!j->het)
		return nodes_boot(c, j);
	for (uint32_t k = 0; k < j->het->n; k++) /* all components together (C70) */
		if (j->het->comp[k] && j->het->comp[k]->nodes && nodes_boot(c, j->het->comp[k]))
			return true;
	return false;
}

void power_job_ended(struct controller *c, struct job *j)
{
	if (j->flags & JOB_CONFIGURING)
		c->power->configuring--;
	j->flags &= ~(unsigned)JOB_CONFIGURING;
}

bool power_jobs_ready(const struct controller *c)
{
	for (const struct job *j = c->power->configuring ? c->running.head : NULL; j; j = j->next)
		if (j->flags & JOB_CONFIGURING && j->state == JOB_RUNNING && !job_boots(c, j))
			return true;
	return false;
}

static void begin(struct controller *c, struct job *j)
{
	power_job_ended(c, j);
	j->start_t = c->now;
	j->start = c->now_s;
	j->pre_sus = j->sus_total = 0;
	job_set_end(c, j, j->start + easy_limit_seconds(c, j));
	ctl_touch(c);
	if (c->host.configured)
		c->host.configured(c->host.data, j);
}

void power_jobs_begin(struct controller *c)
{
	for (struct job *j = c->power->configuring ? c->running.head : NULL, *next; j; j = next) {
		next = j->next;
		if (j->flags & JOB_CONFIGURING && j->state == JOB_RUNNING && !job_boots(c, j))
			begin(c, j);
	}
}

void controller_begin_configured(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	power_jobs_begin(c);
}

bool power_node_registers(struct controller *c, struct node *n)
{
	struct power *p = c->power;
	if (n->flags & NODE_REBOOT_ISSUED) {
		power_rebooted(c, n);
	} else if (n->flags & NODE_POWERING_UP) {
		n->flags &= ~(unsigned)(NODE_POWERING_UP | NODE_POWER_UP | NODE_NOT_RESPONDING);
	} else {
		return (n->flags & (NODE_POWERED_DOWN | NODE_POWERING_DOWN | NODE_POWER_UP)) != 0; /* it is off: nobody listens */
	}
	p->busy[n->index] = c->now_s;
	p->changes++;
	power_tell(c, n);
	return true;
}

/* ---- commands ---- */

static void power_down_when_idle(struct node *n, bool asap)
{
	if (n->flags & (NODE_POWERED_DOWN | NODE_POWERING_DOWN))
		return;
	n->flags |= NODE_POWER_DOWN;
	if (!asap)
		return;
	if (!(n->flags & NODE_DRAIN))
		n->flags |= NODE_DRAIN | NODE_ASAP;
	g_free(n->reason);
	n->reason = g_strdup("POWER_DOWN_ASAP"); /* recorded: it stays when the node is down */
}

bool power_command(struct controller *c, struct node *n, const char *text, bool *ok, GError **error)
{
	static const char *const words[] = {"power_up", "power_down", "power_down_asap", "power_down_force", NULL};
	int which = 0;
	while (words[which] && g_ascii_strcasecmp(words[which], text) != 0)
		which++;
	if (!words[which])
		return false;
	*ok = c->power->saving;
	bool force = which == 3;
	if (!*ok) {
		g_set_error(error, SUBMIT_ERROR, 0, "%s needs SuspendTime, SuspendProgram and ResumeProgram in slurm.conf", text);
		return true;
	}
	c->power->active = true;
	if (which == 0 && n->flags & NODE_POWERED_DOWN)
		n->flags |= NODE_POWER_UP;
	else if (which == 0)
		n->flags &= ~(unsigned)NODE_POWER_DOWN;
	else
		power_down_when_idle(n, which == 2 || force);
	power_tell(c, n);
	if (force) /* its jobs go as with a node that fails */
		ctl_node_down(c, n->index, true);
	return true;
}
