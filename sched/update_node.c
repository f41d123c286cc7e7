/* update_node.c - scontrol update node; see update.h. What a state does: node_state.c */
#include "sched/base/hostlist.h"
#include "sched/base/memsize.h"
#include "sched/license.h"
#include "sched/power_state.h"
#include "sched/reshape.h"
#include "sched/update_part.h"

#include <string.h>

#define REFUSE(...) (g_set_error(error, SUBMIT_ERROR, 0, __VA_ARGS__), false)

/* ---- scontrol's part ---- */

enum node_key { K_ACTIVE, K_AVAILABLE, K_FEATURES, K_COMMENT, K_CPU_BIND, K_EXTRA, K_GRES, K_ADDR, K_HOST, K_REASON, K_RESUME_AFTER, K_STATE, K_WEIGHT, K_KEYS };

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

struct node_edit {
	const char *value[K_KEYS]; /* NULL = not given */
	const char *state;         /* of the list above; NULL */
	uint32_t weight;
};

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

/* ---- may these nodes? ---- */

static char **names_of(const char *list)
{
	char **all = g_strsplit(list, ",", -1);
	guint n = 0;
	for (char **s = all; *s; s++)
		if (**s)
			all[n++] = *s;
		else
			g_free(*s);
	all[n] = NULL;
	return all;
}

static bool subset(char **some, char **all)
{
	for (; *some; some++)
		if (!g_strv_contains((const char *const *)all, *some))
			return false;
	return true;
}

static bool features_fit(const struct node_edit *e, const struct node_config *k, GError **error)
{
	const char *now = e->value[K_ACTIVE], *all = e->value[K_AVAILABLE];
	g_auto(GStrv) active = now ? names_of(now) : g_strdupv(config_active(k));
	g_auto(GStrv) available = all ? names_of(all) : g_strdupv(k->features);
	return subset(active, available) || REFUSE("Active features not subset of available features");
}

struct wanted_gres {
	char *name, *type; /* type NULL = none given */
	uint64_t count;
};

static void wanted_gres_free(void *data)
{
	struct wanted_gres *w = data;
	g_free(w->name);
	g_free(w->type);
	g_free(w);
}

/* "gpu:2,bw:10,gpu:h100:4"; NULL = malformed */
static GPtrArray *gres_list(const char *text)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(wanted_gres_free);
	g_auto(GStrv) items = names_of(text);
	for (char **s = items; *s; s++) {
		g_auto(GStrv) part = g_strsplit(*s, ":", 3);
		guint n = g_strv_length(part);
		struct wanted_gres *w = g_new0(struct wanted_gres, 1);
		g_ptr_array_add(list, w);
		w->name = g_strdup(part[0]);
		w->count = 1;
		if (n == 3)
			w->type = g_strdup(part[1]);
		if (n > 1 && !count_parse(part[n - 1], &w->count) && n == 2) {
			w->type = g_strdup(part[1]);
		} else if (w->count > UINT32_MAX - 2 || (n == 3 && !count_parse(part[2], &w->count))) {
			g_ptr_array_unref(list);
			return NULL;
		}
	}
	return list;
}

/* How many of NAME (and TYPE, if not NULL). */
static uint64_t wanted(const GPtrArray *list, const char *name, const char *type)
{
	uint64_t n = 0;
	for (guint i = 0; i < list->len; i++) {
		const struct wanted_gres *w = list->pdata[i];
		if (strcmp(w->name, name) == 0 && (!type || g_strcmp0(w->type, type) == 0))
			n += w->count;
	}
	return n;
}

static const struct node_gres *gres_of(const struct node_config *k, const char *name)
{
	for (uint32_t g = 0; g < k->n_gres; g++)
		if (strcmp(k->gres[g].name, name) == 0)
			return &k->gres[g];
	return NULL;
}

/* Does the cluster have it as devices? */
static bool has_files(const struct cluster *cl, const char *name)
{
	for (guint i = 0; i < cl->configs->len; i++) {
		const struct node_gres *g = gres_of(cl->configs->pdata[i], name);
		if (g && (g->devices || g->per_device))
			return true;
	}
	return false;
}

/* Recorded: of devices with files all or none; of others what one likes. */
static bool gres_fits(const struct controller *c, const GPtrArray *list, const struct node *n, GError **error)
{
	for (guint i = 0; list && i < list->len; i++) {
		const struct wanted_gres *w = list->pdata[i];
		const struct node_gres *g = gres_of(n->config, w->name);
		uint64_t sum = wanted(list, w->name, NULL);
		if (has_files(c->cl, w->name) && sum && sum != (g ? g->count : 0))
			return REFUSE("Invalid generic resource (gres) specification");
	}
	if (!list)
		return REFUSE("Invalid generic resource (gres) specification");
	if (usage_node(c->use, n->index)->jobs || usage_node(c->use, n->index)->completing)
		return REFUSE("node %s: Gres cannot change while jobs are there (in this version)", n->name);
	return true;
}

static bool count_names(const char *text, uint32_t n)
{
	GPtrArray *names = text ? hostlist_expand(text, NULL) : NULL;
	bool ok = !text || (names && names->len == n);
	if (names)
		g_ptr_array_unref(names);
	return ok;
}

static bool fits(const struct controller *c, const struct node_edit *e, const struct bitset *set, GError **error)
{
	uint32_t n = bitset_count(set);
	bool features = e->value[K_ACTIVE] || e->value[K_AVAILABLE], ok = true;
	GPtrArray *gres = e->value[K_GRES] ? gres_list(e->value[K_GRES]) : NULL;
	int64_t i;
	if (!count_names(e->value[K_ADDR], n) || !count_names(e->value[K_HOST], n))
		ok = REFUSE("Invalid node name specified");
	for (BITSET_EACH(i, set)) {
		const struct node *node = c->cl->node[i];
		ok = ok && (!features || features_fit(e, node->config, error)) && (!e->value[K_GRES] || gres_fits(c, gres, node, error));
	}
	if (gres)
		g_ptr_array_unref(gres);
	return ok && (!(features || e->value[K_GRES] || e->value[K_WEIGHT]) || controller_reshapable(c, error));
}

/* ---- configuration records ---- */

/* Recorded: while all of them are active, new ones are too. */
static void set_features(const struct node_edit *e, struct node_config *k)
{
	if (e->value[K_ACTIVE]) {
		g_strfreev(k->active);
		k->active = names_of(e->value[K_ACTIVE]);
	}
	if (e->value[K_AVAILABLE]) {
		g_strfreev(k->features);
		k->features = names_of(e->value[K_AVAILABLE]);
	}
}

/* Allocations name a GRES by its place: places stay. */
static void set_count(struct node_gres *g, const GPtrArray *list)
{
	uint64_t n = wanted(list, g->name, NULL);
	if (g->devices || g->per_device) {
		if (n)
			return;
		for (uint32_t i = 0; i < g->n_groups; i++) {
			g_free(g->group[i].type);
			bitset_free(g->group[i].cores);
			g_free(g->group[i].links);
			bitset_free(g->group[i].sockets);
			bitset_free(g->group[i].restricted);
		}
		g->n_groups = g->n_devices = 0;
		g_clear_pointer(&g->per_device, g_free);
	}
	for (uint32_t i = 0; i < g->n_groups; i++)
		g->group[i].count = (uint32_t)(g->n_groups == 1 ? n : wanted(list, g->name, g->group[i].type));
	g->count = (uint32_t)n;
}

static void add_gres(struct node_config *k, const struct wanted_gres *w, uint64_t count)
{
	k->gres = g_renew(struct node_gres, k->gres, k->n_gres + 1);
	k->gres[k->n_gres] = (struct node_gres){.name = g_strdup(w->name), .count = (uint32_t)count, .n_groups = 1, .group = g_new0(struct gres_group, 1)};
	k->gres[k->n_gres].group[0] = (struct gres_group){.type = g_strdup(w->type), .count = (uint32_t)count};
	k->n_gres++;
}

static bool known_gres(const struct cluster *cl, const char *name)
{
	for (guint i = 0; i < cl->configs->len; i++)
		if (gres_of(cl->configs->pdata[i], name))
			return true;
	return false;
}

/* What there is now, as a slurm.conf would have it. g_free. */
static char *gres_text(const struct node_config *k)
{
	GString *s = g_string_new(NULL);
	for (uint32_t g = 0; g < k->n_gres; g++)
		for (uint32_t i = 0; i < k->gres[g].n_groups; i++) {
			const struct gres_group *group = &k->gres[g].group[i];
			if (group->count)
				g_string_append_printf(s, "%s%s%s%s:%u", s->len ? "," : "", k->gres[g].name, group->type ? ":" : "", group->type ? group->type : "",
						       group->count);
		}
	return g_string_free(s, FALSE);
}

static void set_gres(struct cluster *cl, struct node_config *k, const char *text)
{
	GPtrArray *list = gres_list(text);
	for (uint32_t g = 0; g < k->n_gres; g++)
		set_count(&k->gres[g], list);
	for (guint i = 0; i < list->len; i++) {
		const struct wanted_gres *w = list->pdata[i];
		if (!gres_of(k, w->name) && known_gres(cl, w->name)) /* others nobody can ask for */
			add_gres(k, w, wanted(list, w->name, NULL));
	}
	g_ptr_array_unref(list);
	const struct node_gres *gpu = gres_of(k, "gpu");
	if (gpu && !gpu->count)
		k->restricted_cores_per_gpu = 0;
	g_free(k->gres_shown);
	k->gres_shown = g_strdup(text);
	g_free(k->gres_text);
	k->gres_text = gres_text(k);
	cluster_config_changed(cl, k);
}

static void set_configs(struct controller *c, const struct node_edit *e, const struct bitset *set)
{
	cluster_split_configs(c->cl, set);
	for (guint i = 0; i < c->cl->configs->len; i++) {
		struct node_config *k = c->cl->configs->pdata[i];
		if (!bitset_intersects(k->nodes, set))
			continue;
		set_features(e, k);
		if (e->value[K_WEIGHT])
			k->weight = e->weight;
		if (e->value[K_GRES])
			set_gres(c->cl, k, e->value[K_GRES]);
	}
	controller_reshape(c, NULL, c->cl->n_nodes, license_kinds(c->cl));
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
		set_configs(c, e, set);
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
	bool ok = fits(c, &e, which, error) && (!e.state || set_states(c, &e, which, asked, error));
	if (ok)
		set_rest(c, &e, which);
	bitset_free(which);
	return ok;
}
