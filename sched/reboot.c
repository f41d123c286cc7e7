/* reboot.c - scontrol reboot and cancel_reboot; see power.h. Recorded: scenario reboot (22.05) */
#include "sched/power_state.h"

#include <string.h>

static void set_reason(struct node *n, const char *text)
{
	g_free(n->reason);
	n->reason = g_strdup(text);
}

static void add_reason(struct node *n, const char *text)
{
	char *longer = n->reason ? g_strdup_printf("%s : %s", n->reason, text) : g_strdup(text);
	g_free(n->reason);
	n->reason = longer;
}

const char *power_next_state(const struct controller *c, const struct node *n)
{
	static const char *const names[] = {NULL, "RESUME", "DOWN"};
	return n->flags & (NODE_REBOOT_REQUESTED | NODE_REBOOT_ISSUED) ? names[c->power->next[n->index]] : NULL;
}

static void changed(struct controller *c)
{
	power_nodes_changed(c);
	ctl_refresh_up(c);
	c->counter++;
	c->config_version++;
	ctl_touch(c);
}

static void request(struct controller *c, struct node *n, bool asap, enum next_state next, const char *reason)
{
	if (n->flags & (NODE_REBOOT_ISSUED | NODE_POWERED_DOWN | NODE_POWERING_DOWN))
		return;
	if (!(n->flags & NODE_REBOOT_REQUESTED))
		c->power->reboots++;
	n->flags |= NODE_REBOOT_REQUESTED;
	c->power->next[n->index] = (uint8_t)next;
	if (asap && !(n->flags & NODE_DRAIN))
		n->flags |= NODE_DRAIN | NODE_ASAP;
	set_reason(n, reason ? reason : asap ? "Reboot ASAP" : "reboot requested");
	power_tell(c, n);
}

bool controller_reboot(struct controller *c, const char *nodes, bool asap, const char *next, const char *reason, usec_t now, GError **error)
{
	ctl_enter(c, now);
	enum next_state state = !next                                    ? NEXT_NONE
				: g_ascii_strcasecmp(next, "resume") == 0 ? NEXT_RESUME
				: g_ascii_strcasecmp(next, "down") == 0   ? NEXT_DOWN
									  : (enum next_state)3;
	if (state == 3) {
		g_set_error(error, SUBMIT_ERROR, 0, "Invalid nextstate %s; right are RESUME and DOWN", next);
		return false;
	}
	if (!c->p->reboot_program) {
		g_set_error(error, SUBMIT_ERROR, 0, "RebootProgram isn't defined");
		return false;
	}
	struct bitset *set = cluster_parse_nodes(c->cl, nodes, error);
	if (!set)
		return false;
	int64_t i;
	for (BITSET_EACH(i, set))
		request(c, c->cl->node[i], asap, state, reason);
	bitset_free(set);
	c->power->active = true;
	changed(c);
	return true;
}

static bool cancel(struct controller *c, struct node *n, GError **error)
{
	if (!(n->flags & NODE_REBOOT_REQUESTED)) {
		g_set_error(error, SUBMIT_ERROR, 0, "Invalid node state specified");
		return false;
	}
	if (n->flags & NODE_ASAP)
		n->flags &= ~(unsigned)NODE_DRAIN;
	power_node_resumed(c, n);
	g_clear_pointer(&n->reason, g_free);
	power_tell(c, n);
	return true;
}

bool controller_cancel_reboot(struct controller *c, const char *nodes, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct bitset *set = cluster_parse_nodes(c->cl, nodes, error);
	bool ok = set != NULL;
	int64_t i;
	if (ok)
		for (BITSET_EACH(i, set))
			ok = cancel(c, c->cl->node[i], ok ? error : NULL) && ok;
	bitset_free(set);
	changed(c);
	return ok;
}

static bool ready(const struct controller *c, const struct node *n)
{
	return n->flags & NODE_REBOOT_REQUESTED && power_node_idle(c, n->index);
}

bool power_reboot_ready(const struct controller *c)
{
	for (uint32_t i = 0; c->power->reboots && i < c->cl->n_nodes; i++)
		if (ready(c, c->cl->node[i]))
			return true;
	return false;
}

void power_issue_reboots(struct controller *c)
{
	bool any = false;
	for (uint32_t i = 0; c->power->reboots && i < c->cl->n_nodes; i++) {
		struct node *n = c->cl->node[i];
		if (!ready(c, n))
			continue;
		any = true;
		n->flags = (n->flags & ~(unsigned)NODE_REBOOT_REQUESTED) | NODE_REBOOT_ISSUED;
		c->power->reboots--;
		c->power->since[i] = c->now_s;
		n->base = NODE_DOWN;
		add_reason(n, "reboot issued");
		power_tell(c, n);
		if (c->host.power)
			c->host.power(c->host.data, n, POWER_REBOOT);
	}
	if (any)
		changed(c);
}

void power_rebooted(struct controller *c, struct node *n)
{
	enum next_state next = c->power->next[n->index];
	if (n->flags & NODE_ASAP || next == NEXT_RESUME)
		n->flags &= ~(unsigned)NODE_DRAIN;
	n->flags &= ~(unsigned)(NODE_REBOOT_ISSUED | NODE_ASAP | NODE_NOT_RESPONDING);
	c->power->next[n->index] = NEXT_NONE;
	if (next == NEXT_DOWN) {
		add_reason(n, "reboot complete");
	} else {
		n->base = NODE_IDLE;
		if (node_available(n))
			g_clear_pointer(&n->reason, g_free);
	}
	changed(c);
}
