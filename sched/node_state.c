/* node_state.c - states of nodes, by command and by what their daemons do (C45, C46, C52) */
#include "sched/expedite.h"
#include "sched/ping.h"
#include "sched/power.h"
#include "sched/update.h"
#include "sched/state.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

/* ---- commands (C52) ---- */

static bool is_busy(const struct controller *c, const struct node *n)
{
	return usage_node(c->use, n->index)->jobs > 0;
}

static void drain(struct controller *c, struct node *n)
{
	(void)c;
	n->flags |= NODE_DRAIN;
	n->flags &= ~(unsigned)(NODE_FAIL | NODE_ASAP);
}

static void fail(struct controller *c, struct node *n)
{
	(void)c;
	n->flags |= NODE_FAIL;
	n->flags &= ~(unsigned)(NODE_DRAIN | NODE_ASAP);
}

/* Recorded: a node that fails is well again only when nothing runs there. */
static void undrain(struct controller *c, struct node *n)
{
	n->flags &= ~(unsigned)(NODE_DRAIN | NODE_ASAP);
	if (n->base != NODE_DOWN && !is_busy(c, n))
		n->flags &= ~(unsigned)NODE_FAIL;
	ping_soon(c, n->index);
}

static void idle(struct controller *c, struct node *n)
{
	n->flags &= ~(unsigned)(NODE_DRAIN | NODE_FAIL);
	if (n->base == NODE_DOWN || n->base == NODE_FUTURE)
		n->base = NODE_IDLE;
	power_node_resumed(c, n);
}

static void resume(struct controller *c, struct node *n)
{
	n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
	idle(c, n);
	ping_soon(c, n->index);
}

static void down(struct controller *c, struct node *n)
{
	(void)c;
	n->base = NODE_DOWN;
}

/* It is forgotten that it was drained (recorded). */
static void future(struct controller *c, struct node *n)
{
	idle(c, n);
	n->base = NODE_FUTURE;
}

static void silent(struct controller *c, struct node *n)
{
	(void)c;
	n->flags |= NODE_NOT_RESPONDING;
}

static void lost(struct controller *c, struct node *n)
{
	silent(c, n);
	down(c, n);
}

static void answers(struct controller *c, struct node *n)
{
	n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
	ping_heard(c, n->index);
}

static const struct node_word {
	const char *word;
	void (*act)(struct controller *c, struct node *n);
} words[] = {{"drain", drain}, {"fail", fail},     {"undrain", undrain}, {"resume", resume}, {"idle", idle},
             {"down", down},   {"future", future}, {"noresp", silent},   {"lost", lost},     {"responding", answers}};

/* Nothing is wrong with it any more: the reason is gone. */
static bool is_well(const struct node *n)
{
	return n->base != NODE_DOWN && n->base != NODE_UNKNOWN && !(n->flags & (NODE_DRAIN | NODE_FAIL));
}

static bool set_node_state(struct controller *c, struct node *n, const char *state, const char *reason, GError **error)
{
	bool done = true;
	gsize i = 0;
	if (power_command(c, n, state, &done, error))
		return done;
	while (i < G_N_ELEMENTS(words) && g_ascii_strcasecmp(words[i].word, state) != 0)
		i++;
	if (i == G_N_ELEMENTS(words))
		return REFUSE(error, "Invalid node state specified");
	words[i].act(c, n);
	if (words[i].act == lost)
		reason = "Not responding";
	if (is_well(n)) {
		g_clear_pointer(&n->reason, g_free);
	} else if (reason) {
		g_free(n->reason);
		n->reason = g_strdup(reason);
	}
	n->state_since = c->now;
	if (c->host.node)
		c->host.node(c->host.data, n);
	return true;
}

/* C30: the epilogs of nodes that are down are not waited for; but one that does not answer is asked to the end (the
 * host's affair). */
static void release_down_nodes(struct controller *c, struct job *j)
{
	for (uint32_t i = 0; i < c->cl->n_nodes && j->flags & JOB_COMPLETING; i++)
		if (c->cl->node[i]->base == NODE_DOWN && !(c->cl->node[i]->flags & NODE_NOT_RESPONDING) &&
		    bitset_test(j->nodes, i))
			controller_epilog_done(c, j, i, false, c->now);
}

static bool job_runs(const struct job *j)
{
	return j && (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED);
}

static void fail_job(struct controller *c, struct job *j)
{
	if (j->requeue) {
		if (c->p->version != SLURM_22_05)
			j->exit_code = 1;
		expedite_begin(c, j);
		job_requeue(c, j, "NODE_FAIL", END_REQUEUE, 0);
		j->exit_code = 0;
	} else {
		controller_job_lost(c, j, c->now);
	}
	release_down_nodes(c, j);
}

/* C45: jobs on a node that goes down go on without it, are requeued when they may be, else lost. */
void ctl_node_down(struct controller *c, uint32_t node, bool told)
{
	for (struct job *j = c->running.head, *next; j; j = next) {
		next = j->next;
		if (!bitset_test(j->nodes, node) || job_loses_node(c, j, node, told))
			continue;
		for (uint32_t k = 0; j->het && k < j->het->n; k++) /* C70: no component without the others */
			if (j->het->comp[k] != j && job_runs(j->het->comp[k])) {
				next = next == j->het->comp[k] ? next->next : next;
				fail_job(c, j->het->comp[k]);
			}
		fail_job(c, j);
	}
}

/* ASKS: for a pass (S3). Recorded (drain-down, both versions): a node that does not answer does not. */
void ctl_nodes_changed(struct controller *c, bool asks)
{
	power_nodes_changed(c);
	ctl_refresh_up(c);
	c->counter += asks;
	c->config_version++;
	ctl_touch(c);
}

bool ctl_set_states(struct controller *c, struct bitset *set, const char *state, const char *reason, GError **error)
{
	bool ok = true;
	int64_t i;
	for (BITSET_EACH(i, set)) { /* what is left in the set goes down now */
		struct node *n = c->cl->node[i];
		bool was_down = n->base == NODE_DOWN;
		ok = set_node_state(c, n, state, reason, ok ? error : NULL) && ok;
		if (n->base != NODE_DOWN || was_down)
			bitset_clear(set, (uint32_t)i);
	}
	for (BITSET_EACH(i, set))
		ctl_node_down(c, (uint32_t)i, !(c->cl->node[i]->flags & NODE_NOT_RESPONDING));
	ctl_nodes_changed(c, g_ascii_strcasecmp(state, "noresp") && g_ascii_strcasecmp(state, "lost"));
	return ok;
}

bool controller_update_node(struct controller *c, const char *nodes, const char *state, const char *reason, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct bitset *set = cluster_parse_nodes(c->cl, nodes, error);
	bool ok = set && ctl_set_states(c, set, state, reason, error);
	bitset_free(set);
	return ok;
}

void controller_node_news(struct controller *c, uint32_t node, enum node_news news, usec_t now)
{
	ctl_enter(c, now);
	struct node *n = c->cl->node[node];
	if (news == NODE_REGISTERS && power_node_registers(c, n)) {
		ping_heard(c, node);
		ctl_nodes_changed(c, true);
		return;
	}
	if (n->flags & (NODE_POWERED_DOWN | NODE_POWERING_DOWN | NODE_POWERING_UP)) /* nobody expects an answer of it */
		return;
	bool silent = (n->flags & NODE_NOT_RESPONDING) != 0, was_down = n->base == NODE_DOWN;
	if (news == NODE_REGISTERS) {
		bool back = was_down && (c->p->return_to_service == 2 || (c->p->return_to_service == 1 && silent)); /* C46 */
		n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
		if (back) {
			n->base = NODE_IDLE;
			g_clear_pointer(&n->reason, g_free);
		}
		ping_heard(c, node);
	} else {
		n->flags |= NODE_NOT_RESPONDING;
		if (news == NODE_LOST && !was_down) {
			n->base = NODE_DOWN;
			g_free(n->reason);
			n->reason = g_strdup("Not responding");
		}
	}
	n->state_since = now;
	if (c->host.node)
		c->host.node(c->host.data, n);
	if (news == NODE_LOST && !was_down)
		ctl_node_down(c, node, false);
	ctl_nodes_changed(c, news == NODE_REGISTERS);
}
