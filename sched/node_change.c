/* node_change.c - nodes that get other features, GRES or another weight by command; see update.h */
#include "sched/base/hostlist.h"
#include "sched/base/memsize.h"
#include "sched/license.h"
#include "sched/reshape.h"
#include "sched/resv_gres.h"
#include "sched/update_node.h"

#include <string.h>

#define REFUSE(...) (g_set_error(error, SUBMIT_ERROR, 0, __VA_ARGS__), false)

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
	if (resv_part_holder(c, n->index))
		return REFUSE("node %s: Gres cannot change while reservation %s has a part of it", n->name, resv_part_holder(c, n->index)->name);
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

bool node_edit_fits(const struct controller *c, const struct node_edit *e, const struct bitset *set, GError **error)
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
		node_gres_clear_groups(g);
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

void node_edit_configs(struct controller *c, const struct node_edit *e, const struct bitset *set)
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
