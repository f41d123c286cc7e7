/* update_node.c - scontrol update node; see update.h. What a state does: node_state.c; features, weight and GRES: node_change.c */
#include "sched/base/hostlist.h"
#include "sched/power_state.h"
#include "sched/update_node.h"
#include "sched/update_part.h"

#include <string.h>

#define REFUSE(...) (g_set_error(error, SUBMIT_ERROR, 0, __VA_ARGS__), false)

/* ---- scontrol's part ---- */

static const struct {
	const char *name;
	int since; /* release */
} keys[K_KEYS] = {[K_ACTIVE] = {"ActiveFeatures", 0},   [K_AVAILABLE] = {"AvailableFeatures", 0}, [K_FEATURES] = {"Features", 0},
                  [K_COMMENT] = {"Comment", 0},         [K_CPU_BIND] = {"CpuBind", 0},            [K_EXTRA] = {"Extra", 0},
                  [K_GRES] = {"Gres", 0},               [K_ADDR] = {"NodeAddr", 0},               [K_HOST] = {"NodeHostname", 0},
                  [K_REASON] = {"Reason", 0},           [K_RESUME_AFTER] = {"ResumeAfter", SLURM_26}, [K_STATE] = {"State", 0},
                  [K_WEIGHT] = {"Weight", 0}};

/* What can be asked for; the last ones no node can be told to be. */
static const char *const states[] = {"NoResp", "DRAIN", "FAIL", "FUTURE", "RESUME", "POWER_DOWN", "POWER_DOWN_ASAP", "POWER_DOWN_FORCE", "POWER_UP", "UNDRAIN",
                                     "CANCEL_REBOOT", "DOWN", "IDLE", "ALLOCATED", "MIXED", "UNKNOWN"};

static bool begins(const char *word, const char *value, gsize least)
{
	return strlen(value) >= least && g_ascii_strncasecmp(word, value, strlen(value)) == 0;
}

static int find_key(const char *typed, int release)
{
	int found = -1;
	for (int i = 0; i < K_KEYS; i++) {
		if (release && keys[i].since > release)
			continue;
		if (g_ascii_strcasecmp(keys[i].name, typed) == 0)
			return i;
		if (found < 0 && begins(keys[i].name, typed, 3))
			found = i;
	}
	return found;
}

/* Three letters are enough (recorded). "lost" is what a replay of a record says (controller_update_node). */
static bool read_state(struct node_edit *e, const char *typed, const char *value, GError **error)
{
	e->state = g_ascii_strcasecmp(value, "lost") == 0 ? "lost" : NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(states); i++)
		if (g_ascii_strcasecmp(states[i], value) == 0 || (!e->state && begins(states[i], value, 3)))
			e->state = states[i];
	return e->state || REFUSE("Invalid input: %s=%s\nRequest aborted\nValid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN\n"
				  "Not all states are valid given a node's prior state", typed, value);
}

static bool read_weight(struct node_edit *e, const char *value, GError **error)
{
	char *end;
	int64_t w = g_ascii_strtoll(value, &end, 10);
	if (end == value || *end)
		return REFUSE("scontrol: error: Weight value (%s) is not a valid number\nNo changes specified", value);
	if (w < 0)
		return REFUSE("scontrol: error: Weight value (%s) is less than zero\nNo changes specified", value);
	if (w > 4294967280)
		return REFUSE("scontrol: error: Weight value (%s) is greater than 4294967280\nNo changes specified", value);
	e->weight = (uint32_t)w;
	return true;
}

static bool read_one(struct node_edit *e, const struct setting *s, int release, GError **error)
{
	if (!s->value)
		return REFUSE("scontrol: error: Invalid input: %s  Request aborted\nslurm_update error: No error", s->key);
	int k = find_key(s->key, release);
	if (k < 0)
		return REFUSE("Update of this parameter is not supported: %s=%s\nRequest aborted", s->key, s->value);
	k = k == K_FEATURES ? K_AVAILABLE : k;
	e->value[k] = s->value;
	if (k == K_STATE)
		return read_state(e, s->key, s->value, error);
	if (k == K_WEIGHT)
		return read_weight(e, s->value, error);
	if (k == K_CPU_BIND && !cpu_bind_known(s->value))
		return REFUSE("scontrol: error: Invalid input %s=%s\nslurm_update error: No error", s->key, s->value);
	if (k == K_RESUME_AFTER && !g_ascii_string_to_unsigned(s->value, 10, 0, 100000000, NULL, NULL))
		return REFUSE("scontrol: error: Invalid input %s=%s\nslurm_update error: No error", s->key, s->value);
	return true;
}

static bool is_one_of(const char *state, const char *a, const char *b, const char *c)
{
	return state && (strcmp(state, a) == 0 || strcmp(state, b) == 0 || strcmp(state, c) == 0);
}

static bool read_all(struct node_edit *e, const struct setting *set, guint n, int release, GError **error)
{
	*e = (struct node_edit){.state = NULL};
	for (guint i = 0; i < n; i++)
		if (!read_one(e, &set[i], release, error))
			return false;
	const char *reason = e->value[K_REASON];
	if (is_one_of(e->state, "DOWN", "DRAIN", "FAIL") && !(reason && *reason))
		return REFUSE("You must specify a reason when DOWNING or DRAINING a node. Request denied");
	return n > 0 || REFUSE("No changes specified");
}

bool node_settings_check(const struct setting *set, guint n, int release, GError **error)
{
	struct node_edit e;
	return read_all(&e, set, n, release, error);
}

/* ---- states ---- */

/* Recorded (22.05): what a node may be told to be, given what it is. */
static bool may_become(const struct controller *c, const struct node *n, const char *state)
{
	bool busy = usage_node(c->use, n->index)->jobs > 0, back = strcmp(state, "RESUME") == 0;
	if (back)
		return n->base == NODE_DOWN || n->base == NODE_FUTURE || n->base == NODE_UNKNOWN ||
		       n->flags & (NODE_DRAIN | NODE_FAIL | NODE_REBOOT_REQUESTED | NODE_REBOOT_ISSUED | NODE_POWERING_DOWN | NODE_POWER_DOWN);
	if (strcmp(state, "IDLE") == 0)
		return !busy && n->base != NODE_FUTURE;
	if (strcmp(state, "FUTURE") == 0)
		return !busy;
	if (g_str_has_prefix(state, "POWER_"))
		return c->power->saving && n->base != NODE_FUTURE;
	if (strcmp(state, "CANCEL_REBOOT") == 0)
		return (n->flags & NODE_REBOOT_REQUESTED) != 0;
	return !is_one_of(state, "ALLOCATED", "MIXED", "UNKNOWN");
}

static bool set_states(struct controller *c, const struct node_edit *e, const struct bitset *all, struct bitset **asked, GError **error)
{
	struct bitset *set = bitset_copy(all);
	bool ok = true;
	int64_t i;
	for (BITSET_EACH(i, all))
		if (!may_become(c, c->cl->node[i], e->state)) {
			bitset_clear(set, (uint32_t)i);
			ok = false;
		}
	if (asked && (strcmp(e->state, "RESUME") == 0 || strcmp(e->state, "UNDRAIN") == 0))
		*asked = bitset_copy(set);
	if (strcmp(e->state, "CANCEL_REBOOT") == 0 && !bitset_empty(set)) {
		g_autofree char *names = cluster_format_nodes(c->cl, set);
		ok = controller_cancel_reboot(c, names, c->now, NULL) && ok;
	} else if (!bitset_empty(set)) {
		ok = ctl_set_states(c, set, e->state, e->value[K_REASON], NULL) && ok;
	}
	bitset_free(set);
	return ok || REFUSE(c->p->version == SLURM_22_05 ? "Invalid node state specified" : "Invalid node state transition");
}

/* ---- the rest ---- */

static void set_text(char **text, const char *value)
{
	if (!value)
		return;
	g_free(*text);
	*text = *value ? g_strdup(value) : NULL;
}

/* Each node its own of a list of as many names. */
static void set_names(const struct controller *c, const struct bitset *set, const char *list, bool host)
{
	GPtrArray *names = list ? hostlist_expand(list, NULL) : NULL;
	guint k = 0;
	int64_t i;
	for (BITSET_EACH(i, set))
		if (names)
			set_text(host ? &c->cl->node[i]->host : &c->cl->node[i]->addr, names->pdata[k++]);
	if (names)
		g_ptr_array_unref(names);
}

/* A reason alone: only of a node with which something is wrong (recorded). */
static void set_reason(struct controller *c, struct node *n, const char *reason)
{
	bool well = n->base != NODE_DOWN && n->base != NODE_UNKNOWN && !(n->flags & (NODE_DRAIN | NODE_FAIL));
	if (!reason || well)
		return;
	set_text(&n->reason, reason);
	power_tell(c, n);
}

static struct bitset *parse_nodes(const struct cluster *cl, const char *nodes)
{
	if (g_ascii_strcasecmp(nodes, "ALL"))
		return *nodes ? cluster_parse_nodes(cl, nodes, NULL) : NULL;
	struct bitset *all = bitset_new(cl->n_nodes);
	bitset_set_all(all);
	return all;
}

static void set_rest(struct controller *c, const struct node_edit *e, const struct bitset *set)
{
	int64_t i;
	if (e->value[K_ACTIVE] || e->value[K_AVAILABLE] || e->value[K_GRES] || e->value[K_WEIGHT])
		node_edit_configs(c, e, set);
	set_names(c, set, e->value[K_ADDR], false);
	set_names(c, set, e->value[K_HOST], true);
	for (BITSET_EACH(i, set)) {
		struct node *n = c->cl->node[i];
		set_text(&n->comment, e->value[K_COMMENT]);
		set_text(&n->extra, e->value[K_EXTRA]);
		if (!e->state)
			set_reason(c, n, e->value[K_REASON]);
	}
}

bool controller_set_node(struct controller *c, const char *nodes, const struct setting *set, guint n, usec_t now, struct bitset **asked, GError **error)
{
	struct node_edit e;
	ctl_enter(c, now);
	if (asked)
		*asked = NULL;
	if (!read_all(&e, set, n, (int)c->p->version, error))
		return false;
	struct bitset *which = parse_nodes(c->cl, nodes);
	if (!which)
		return REFUSE("Invalid node name specified");
	bool ok = node_edit_fits(c, &e, which, error) && (!e.state || set_states(c, &e, which, asked, error));
	if (ok)
		set_rest(c, &e, which);
	bitset_free(which);
	return ok;
}
