/* command.c - what users and administrators do to jobs, partitions and nodes (C6, C26, C32, C52) */
#include "sched/hetjob.h"
#include "sched/ping.h"
#include "sched/power.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

GPtrArray *ctl_targets(struct controller *c, struct job *j, bool alone)
{
	GPtrArray *list = g_ptr_array_new();
	bool whole = !alone && j->array && (j->tasks || j->id == j->array->job_id);
	GPtrArray *records = whole ? ctl_array_records(c, j->array->job_id) : NULL;
	for (uint32_t k = 0; het_is_leader(j) && k < j->het->n; k++)
		if (j->het->comp[k])
			g_ptr_array_add(list, j->het->comp[k]);
	if (!records && !list->len)
		g_ptr_array_add(list, j);
	if (!records)
		return list;
	for (guint i = 0; i < records->len; i++)
		g_ptr_array_add(list, records->pdata[i]);
	return list;
}

static void cancel_one(struct controller *c, struct job *j)
{
	if (j->state == JOB_PENDING) {
		bool completing = (j->flags & JOB_COMPLETING) != 0; /* a requeue under way: R52 */
		j->requeue_pending = false;
		job_end_pending(c, j, JOB_CANCELLED, j->reason);
		if (completing)
			g_queue_push_tail(&c->finished, j);
	} else if (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED) {
		job_end(c, j, JOB_CANCELLED, REASON_NONE, END_CANCEL);
	}
}

/* C70: a component that waits cannot be treated apart from its job. */
static bool is_waiting_component(const struct job *j, GError **error)
{
	if (!j->het || j->het_offset == 0 || j->state != JOB_PENDING)
		return false;
	g_set_error(error, SUBMIT_ERROR, 0, "Unable to access or operate on an individual component of a pending heterogeneous job; name job %u",
		    j->het->job_id);
	return true;
}

bool controller_cancel(struct controller *c, struct job *j, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (is_waiting_component(j, error))
		return false;
	GPtrArray *list = ctl_targets(c, j, false);
	bool any = false;
	for (guint i = 0; i < list->len; i++) {
		struct job *t = list->pdata[i];
		any = any || !job_is_finished(t);
		if (!job_is_finished(t))
			cancel_one(c, t);
	}
	g_ptr_array_unref(list);
	return any ? true : REFUSE(error, "Job/step already completing or completed");
}

bool controller_cancel_record(struct controller *c, struct job *j, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	cancel_one(c, j);
	return true;
}

bool controller_cancel_task(struct controller *c, uint32_t array_id, uint32_t task, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct job *j = controller_find_task(c, array_id, task);
	if (!j)
		return REFUSE(error, "Invalid job id specified");
	if (j->tasks && j->tasks_left > 1) { /* recorded: the head forgets it; no record, no id */
		array_forget_task(j, task);
		c->n_pending_tasks--;
		j->array->ended++;
		c->n_forgotten++;
		limits_count_submit(c, j, -1);
		ctl_touch(c);
		return true;
	}
	if (j->tasks)
		j = array_split(c, j, task);
	return controller_cancel_record(c, j, now, error);
}

struct job *controller_split_task(struct controller *c, struct job *head, uint32_t task, usec_t now)
{
	ctl_enter(c, now);
	ctl_touch(c);
	return array_split(c, head, task);
}

static void hold_one(struct controller *c, struct job *j, bool by_user)
{
	if (j->state != JOB_PENDING)
		return;
	j->priority = 0;
	priority_fix(j); /* P8 */
	accrue_reset(c, j);
	struct blocker b = blocker_hold(by_user ? "its owner or a coordinator" : "an operator");
	job_blocked(c, j, by_user ? REASON_HELD_USER : REASON_HELD_ADMIN, NULL, &b);
	ctl_touch(c);
}

static bool hold(struct controller *c, struct job *j, bool alone, bool by_user, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	if (is_waiting_component(j, error))
		return false;
	GPtrArray *list = ctl_targets(c, j, alone);
	for (guint i = 0; i < list->len; i++)
		hold_one(c, list->pdata[i], by_user);
	g_ptr_array_unref(list);
	c->counter++;
	return true;
}

bool controller_hold(struct controller *c, struct job *j, bool by_user, usec_t now, GError **error)
{
	return hold(c, j, false, by_user, now, error);
}

bool controller_hold_record(struct controller *c, struct job *j, bool by_user, usec_t now, GError **error)
{
	return hold(c, j, true, by_user, now, error);
}

/* P13.3, C5: release recomputes the priority; the eligible time is the first test after it. */
static void release_one(struct controller *c, struct job *j)
{
	if (j->state != JOB_PENDING || (j->priority != 0 && !j->direct_priority))
		return;
	if (j->eligible <= c->now_s)
		j->eligible = 0;
	j->flags &= ~(unsigned)JOB_RESV_DEL_HOLD;
	priority_release(c, j);
	job_set_reason(c, j, REASON_NONE, NULL);
	ctl_touch(c);
}

static bool release(struct controller *c, struct job *j, bool alone, const char *user, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	if (is_waiting_component(j, error))
		return false;
	if (user && strcmp(user, "root") != 0) {
		if (strcmp(user, j->user) != 0 || j->reason == REASON_HELD_ADMIN) /* R21 */
			return REFUSE(error, "Access/permission denied");
	}
	GPtrArray *list = ctl_targets(c, j, alone);
	for (guint i = 0; i < list->len; i++)
		release_one(c, list->pdata[i]);
	g_ptr_array_unref(list);
	c->counter++;
	return true;
}

bool controller_release(struct controller *c, struct job *j, const char *user, usec_t now, GError **error)
{
	return release(c, j, false, user, now, error);
}

bool controller_release_record(struct controller *c, struct job *j, const char *user, usec_t now, GError **error)
{
	return release(c, j, true, user, now, error);
}

static bool parse_count(const char *value, uint32_t *out)
{
	if (g_ascii_strcasecmp(value, "unlimited") == 0 || g_ascii_strcasecmp(value, "infinite") == 0) {
		*out = INFINITE;
		return true;
	}
	char *end;
	guint64 v = g_ascii_strtoull(value, &end, 10);
	*out = (uint32_t)v;
	return end != value && !*end && v < UINT32_MAX;
}

bool controller_update_partition(struct controller *c, const char *partition, const char *key, const char *value, usec_t now, GError **error)
{
	static const struct { const char *name; enum part_state state; } states[] = {
		{"up", PART_UP}, {"down", PART_DOWN}, {"drain", PART_DRAIN}, {"inactive", PART_INACTIVE}};
	ctl_enter(c, now);
	struct partition *p = cluster_find_partition(c->cl, partition);
	if (!p)
		return REFUSE(error, "Invalid partition name specified");
	bool ok = false;
	if (g_ascii_strcasecmp(key, "state") == 0) {
		for (gsize i = 0; i < G_N_ELEMENTS(states); i++)
			if (g_ascii_strcasecmp(value, states[i].name) == 0) {
				p->state = states[i].state;
				ok = true;
			}
	} else if (g_ascii_strcasecmp(key, "maxnodes") == 0) {
		ok = parse_count(value, &p->max_nodes);
	} else if (g_ascii_strcasecmp(key, "minnodes") == 0) {
		ok = parse_count(value, &p->min_nodes);
	} else if (g_ascii_strcasecmp(key, "maxtime") == 0) {
		ok = duration_parse_minutes(value, &p->max_time);
	} else if (g_ascii_strcasecmp(key, "defaulttime") == 0) {
		ok = duration_parse_minutes(value, &p->default_time);
	} else {
		return REFUSE(error, "Update of partition %s is not modelled; known: state, maxnodes, minnodes, maxtime, defaulttime", key);
	}
	if (!ok)
		return REFUSE(error, "Invalid value %s for %s", value, key);
	c->counter++;
	c->part_changes++;
	c->config_version++;
	ctl_touch(c);
	return true;
}

/* C52 */
static bool set_node_state(struct controller *c, struct node *n, const char *state, const char *reason, GError **error)
{
	bool done = true;
	if (power_command(c, n, state, &done, error))
		return done;
	if (g_ascii_strcasecmp(state, "drain") == 0)
		n->flags |= NODE_DRAIN;
	else if (g_ascii_strcasecmp(state, "fail") == 0)
		n->flags |= NODE_FAIL;
	else if (g_ascii_strcasecmp(state, "undrain") == 0)
		n->flags &= ~(unsigned)NODE_DRAIN;
	else if (g_ascii_strcasecmp(state, "resume") == 0 || g_ascii_strcasecmp(state, "idle") == 0) {
		n->flags &= ~(unsigned)(NODE_DRAIN | NODE_FAIL | NODE_NOT_RESPONDING);
		if (n->base == NODE_DOWN)
			n->base = NODE_IDLE;
		power_node_resumed(c, n);
		ping_soon(c, n->index);
	} else if (g_ascii_strcasecmp(state, "down") == 0)
		n->base = NODE_DOWN;
	else if (g_ascii_strcasecmp(state, "noresp") == 0)
		n->flags |= NODE_NOT_RESPONDING;
	else if (g_ascii_strcasecmp(state, "lost") == 0) {
		n->flags |= NODE_NOT_RESPONDING;
		n->base = NODE_DOWN;
		reason = "Not responding";
	} else if (g_ascii_strcasecmp(state, "responding") == 0) {
		n->flags &= ~(unsigned)NODE_NOT_RESPONDING;
		ping_heard(c, n->index);
	} else
		return REFUSE(error, "Invalid node state %s; known: drain, down, fail, noresp, resume, undrain, idle, power_up, "
			      "power_down, power_down_asap, power_down_force",
		              state);
	bool back = node_available(n);
	g_free(n->reason);
	n->reason = back ? NULL : g_strdup(reason);
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
		j->requeue_hold = false;
		job_requeue(c, j, "NODE_FAIL", END_REQUEUE);
		j->exit_code = 0;
	} else {
		controller_job_lost(c, j, c->now);
	}
	release_down_nodes(c, j);
}

/* C45: jobs on a node that goes down are requeued when they may be, else lost. */
void ctl_node_down(struct controller *c, uint32_t node)
{
	for (struct job *j = c->running.head, *next; j; j = next) {
		next = j->next;
		if (!bitset_test(j->nodes, node))
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
static void nodes_changed(struct controller *c, bool asks)
{
	power_nodes_changed(c);
	ctl_refresh_up(c);
	c->counter += asks;
	c->config_version++;
	ctl_touch(c);
}

bool controller_update_node(struct controller *c, const char *nodes, const char *state, const char *reason, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct bitset *set = cluster_parse_nodes(c->cl, nodes, error);
	if (!set)
		return false;
	bool ok = true;
	int64_t i;
	for (BITSET_EACH(i, set)) { /* what is left in the set goes down now */
		struct node *n = c->cl->node[i];
		bool was_down = n->base == NODE_DOWN;
		ok = ok && set_node_state(c, n, state, reason, error);
		if (!ok || n->base != NODE_DOWN || was_down)
			bitset_clear(set, (uint32_t)i);
	}
	for (BITSET_EACH(i, set))
		ctl_node_down(c, (uint32_t)i);
	bitset_free(set);
	nodes_changed(c, g_ascii_strcasecmp(state, "noresp") && g_ascii_strcasecmp(state, "lost"));
	return ok;
}

void controller_node_news(struct controller *c, uint32_t node, enum node_news news, usec_t now)
{
	ctl_enter(c, now);
	struct node *n = c->cl->node[node];
	if (news == NODE_REGISTERS && power_node_registers(c, n)) {
		ping_heard(c, node);
		nodes_changed(c, true);
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
		ctl_node_down(c, node);
	nodes_changed(c, news == NODE_REGISTERS);
}
