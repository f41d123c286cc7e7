/* power_scan.c - see power.h: the scan of power saving (C56, C57), and when it is to be made */
#include "sched/power_state.h"
#include "sched/select.h"

/* ---- rates: a bucket of a minute's worth, in sixtieths of a node ---- */

static void refill(struct controller *c)
{
	struct power *p = c->power;
	sec_t gone = MIN(c->now_s - p->tokens_at, 60);
	p->tokens_at = c->now_s;
	p->up_tokens = MIN(p->up_tokens + gone * c->p->resume_rate, (int64_t)c->p->resume_rate * 60);
	p->down_tokens = MIN(p->down_tokens + gone * c->p->suspend_rate, (int64_t)c->p->suspend_rate * 60);
}

static bool take(int64_t *tokens, int rate)
{
	if (rate == 0)
		return true;
	if (*tokens < 60)
		return false;
	*tokens -= 60;
	return true;
}

/* ---- what becomes due ---- */

static void due_at(struct controller *c, sec_t t)
{
	c->power->due = MIN(c->power->due, MAX(t, c->now_s + 1));
}

/* Up or down: has it taken its time? *T: when it will have. */
static sec_t ready_at(const struct power *p, const struct node *n)
{
	if (n->flags & NODE_POWERING_DOWN)
		return p->since[n->index] + p->down_time[n->index];
	return p->up_time[n->index] == INFINITE ? INT64_MAX : p->since[n->index] + p->up_time[n->index] + 1;
}

void power_node_fails(struct controller *c, struct node *n, const char *reason)
{
	uint32_t up = NODE_POWERING_UP | NODE_POWER_UP | NODE_REBOOT_ISSUED | NODE_ASAP;
	bool powered = n->flags & NODE_POWERING_UP;
	n->flags = (n->flags & ~up) | (powered ? NODE_POWERED_DOWN : 0); /* recorded: "down~" */
	n->base = NODE_DOWN;
	g_free(n->reason);
	n->reason = g_strdup(reason);
	power_tell(c, n);
	ctl_node_down(c, n->index, false);
}

static void in_transit(struct controller *c, struct node *n)
{
	sec_t t = ready_at(c->power, n);
	if (t > c->now_s) {
		due_at(c, t);
		return;
	}
	if (n->flags & NODE_POWERING_DOWN) {
		n->flags = (n->flags & ~(unsigned)NODE_POWERING_DOWN) | NODE_POWERED_DOWN;
		power_tell(c, n);
	} else {
		power_node_fails(c, n, n->flags & NODE_REBOOT_ISSUED ? "reboot timed out" : "ResumeTimeout reached");
	}
}

static void power_up(struct controller *c, struct node *n)
{
	struct power *p = c->power;
	if (!take(&p->up_tokens, c->p->resume_rate)) {
		due_at(c, c->now_s);
		return;
	}
	n->flags = (n->flags & ~(unsigned)(NODE_POWER_UP | NODE_POWERED_DOWN)) | NODE_POWERING_UP;
	p->since[n->index] = c->now_s;
	due_at(c, ready_at(p, n));
	power_tell(c, n);
	if (c->host.power)
		c->host.power(c->host.data, n, POWER_ON);
}

/* C56: nothing is there and nothing is under way. */
static bool could_go_down(const struct controller *c, const struct node *n)
{
	return (n->base == NODE_IDLE || n->base == NODE_DOWN) && !(n->flags & (NODE_POWER_FLAGS & ~NODE_POWER_DOWN)) &&
	       power_node_idle(c, n->index);
}

static bool is_exempt(const struct power *p, const struct node *n)
{
	return bitset_test(p->exempt, n->index) || n->flags & p->exempt_flags || (p->exempt_down && n->base == NODE_DOWN);
}

/* SuspendExcNodes=NODES:COUNT: the first COUNT usable ones stay. */
static void keep_some(const struct controller *c, struct bitset *kept)
{
	for (guint i = 0; i < c->power->keep->len; i++) {
		const struct kept_nodes *k = c->power->keep->pdata[i];
		uint32_t n = 0;
		int64_t node;
		for (BITSET_EACH(node, k->nodes)) {
			const struct node *x = c->cl->node[node];
			if (n >= k->n)
				break;
			if (!node_available(x) || x->flags & NODE_POWERED_DOWN || !power_node_idle(c, x->index))
				continue;
			bitset_set(kept, x->index);
			n++;
		}
	}
}

static void power_down(struct controller *c, struct node *n)
{
	struct power *p = c->power;
	if (!take(&p->down_tokens, c->p->suspend_rate)) {
		due_at(c, c->now_s);
		return;
	}
	if (n->flags & NODE_ASAP)
		n->flags &= ~(unsigned)(NODE_DRAIN | NODE_ASAP);
	if (c->p->idle_on_node_suspend) { /* recorded: it keeps its reason until a job wakes it */
		n->base = NODE_IDLE;
		n->flags &= ~(unsigned)(NODE_DRAIN | NODE_FAIL | NODE_NOT_RESPONDING);
	}
	n->flags = (n->flags & ~(unsigned)NODE_POWER_DOWN) | NODE_POWERING_DOWN;
	p->since[n->index] = c->now_s;
	due_at(c, ready_at(p, n));
	power_tell(c, n);
	if (c->host.power)
		c->host.power(c->host.data, n, POWER_OFF);
}

static void maybe_down(struct controller *c, struct node *n, const struct bitset *kept)
{
	const struct power *p = c->power;
	uint32_t i = n->index, wait = p->idle_time[i];
	if (!could_go_down(c, n))
		return;
	if (!(n->flags & NODE_POWER_DOWN)) {
		if (wait == INFINITE || is_exempt(p, n) || bitset_test(kept, i))
			return;
		if (p->busy[i] + wait >= c->now_s) {
			due_at(c, p->busy[i] + wait + 1);
			return;
		}
	}
	power_down(c, n);
}

static void scan(struct controller *c)
{
	struct power *p = c->power;
	struct bitset *kept = bitset_new(c->cl->n_nodes);
	p->due = INT64_MAX;
	refill(c);
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		struct node *n = c->cl->node[i];
		if (n->flags & (NODE_POWERING_DOWN | NODE_POWERING_UP | NODE_REBOOT_ISSUED))
			in_transit(c, n);
		else if (n->flags & NODE_POWER_UP && p->saving)
			power_up(c, n);
	}
	if (p->saving) {
		keep_some(c, kept);
		for (uint32_t i = 0; i < c->cl->n_nodes; i++)
			maybe_down(c, c->cl->node[i], kept);
	}
	bitset_free(kept);
}

/* What the scheduler sees has changed by the scan. */
static uint64_t fingerprint(const struct controller *c)
{
	uint64_t h = 0;
	for (uint32_t i = 0; i < c->cl->n_nodes; i++)
		h = h * 31 + (c->cl->node[i]->flags & NODE_POWER_FLAGS) * 7 + c->cl->node[i]->base;
	return h;
}

/* Scans come every so many seconds when nothing changes; those that could find nothing are only thought of. */
static sec_t scan_period(const struct controller *c)
{
	return MAX(c->p->power_save_interval + 1, c->p->power_save_min_interval);
}

static sec_t latest_scan(const struct controller *c, sec_t now)
{
	sec_t step = scan_period(c);
	return c->power->last_scan + (now - c->power->last_scan) / step * step;
}

void controller_power(struct controller *c, usec_t now)
{
	struct power *p = c->power;
	ctl_enter(c, now);
	if (!p->active)
		return;
	power_issue_reboots(c);
	sec_t last = latest_scan(c, c->now_s);
	bool by_time = last > p->last_scan && last == c->now_s, by_change = p->changes != p->seen && c->now_s >= last + c->p->power_save_min_interval;
	p->last_scan = by_change ? c->now_s : last;
	if (!by_change && !by_time)
		return;
	uint64_t before = fingerprint(c);
	scan(c);
	p->seen = p->changes;
	c->sel->power = power_matters(c->cl);
	if (fingerprint(c) == before)
		return;
	ctl_refresh_up(c);
	c->counter++;
	c->config_version++;
	ctl_touch(c);
}

usec_t controller_next_power(const struct controller *c, usec_t now)
{
	const struct power *p = c->power;
	if (!p->active)
		return INT64_MAX;
	usec_t first = ctl_turn(c, now + 1);
	if (power_reboot_ready(c))
		return first;
	if (p->changes != p->seen) {
		sec_t latest = latest_scan(c, usec_to_sec(now));
		usec_t turn = ctl_turn(c, latest * USEC); /* it may be to come, in this very second */
		return MAX(first, turn > now ? turn : ctl_turn(c, (latest + c->p->power_save_min_interval) * USEC));
	}
	if (p->due == INT64_MAX)
		return INT64_MAX;
	sec_t step = scan_period(c), ahead = MAX(p->due - p->last_scan, 1);
	return MAX(first, ctl_turn(c, (p->last_scan + (ahead + step - 1) / step * step) * USEC));
}
