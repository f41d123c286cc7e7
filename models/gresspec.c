/* gresspec.c - the Gres= text of a node: "name[:type][:no_consume]:count" (spec slurm-conf.md section 4). */
#include "models/gresconf.h"
#include "sched/base/memsize.h"
#include <string.h>

#define GRES_ERROR (g_quark_from_static_string("gres"))
#define COUNT_MAX (G_MAXUINT32 - 2)

void gres_free(struct node_gres *gres, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < gres[i].n_groups; k++) {
			g_free(gres[i].group[k].type);
			bitset_free(gres[i].group[k].cores);
			g_free(gres[i].group[k].links);
		}
		g_free(gres[i].group);
		g_free(gres[i].per_device);
		g_free(gres[i].name);
	}
	g_free(gres);
}

static bool looks_like_count(const char *text)
{
	return g_ascii_isdigit(*text);
}

/* Split one entry; TYPE may stay NULL. */
static bool parse_entry(const char *entry, char **name, char **type, bool *no_consume, uint32_t *count, GError **error)
{
	char **part = g_strsplit(entry, ":", 5);
	guint n = g_strv_length(part);
	uint64_t value = 1;
	bool good = n >= 1 && n <= 4 && *part[0];

	if (good && n > 1 && looks_like_count(part[n - 1])) {
		good = count_parse(part[n - 1], &value);
		n--;
	}
	*type = NULL;
	*no_consume = false;
	for (guint i = 1; good && i < n; i++) {
		if (g_ascii_strcasecmp(part[i], "no_consume") == 0)
			*no_consume = true;
		else if (!*type && *part[i])
			*type = g_strdup(part[i]);
		else
			good = false;
	}
	*name = good ? g_strdup(part[0]) : NULL;
	*count = (uint32_t)MIN(value, COUNT_MAX);
	g_strfreev(part);
	if (!good) {
		g_free(*type);
		g_set_error(error, GRES_ERROR, 0, "bad Gres entry \"%.60s\"", entry);
	}
	return good;
}

static struct node_gres *find_or_add(GArray *all, const char *name)
{
	for (guint i = 0; i < all->len; i++)
		if (g_str_equal(g_array_index(all, struct node_gres, i).name, name))
			return &g_array_index(all, struct node_gres, i);
	struct node_gres g = {.name = g_strdup(name)};
	g_array_append_val(all, g);
	return &g_array_index(all, struct node_gres, all->len - 1);
}

/* Takes TYPE. */
static bool add_group(struct node_gres *g, char *type, uint32_t count, bool no_consume, GError **error)
{
	for (uint32_t k = 0; k < g->n_groups; k++) {
		if (!g->group[k].type == !type && type)
			continue;
		g_set_error(error, GRES_ERROR, 0, "Gres %s stands %s on one node", g->name,
		            type || g->group[k].type ? "with and without a type" : "twice without a type");
		g_free(type);
		return false;
	}
	if (count > COUNT_MAX - g->count)
		count = (uint32_t)(COUNT_MAX - g->count);
	g->group = g_renew(struct gres_group, g->group, g->n_groups + 1);
	g->group[g->n_groups++] = (struct gres_group){.type = type, .first = g->count, .count = count};
	g->count += count;
	g->no_consume |= no_consume;
	return true;
}

bool gres_parse(const char *text, struct node_gres **gres, uint32_t *n, GError **error)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct node_gres));
	char **entry = g_strsplit(text, ",", (gint)GRES_NAMES_MAX + 1);
	bool good = g_strv_length(entry) <= GRES_NAMES_MAX;

	if (!good)
		g_set_error(error, GRES_ERROR, 0, "more than %u entries in Gres", GRES_NAMES_MAX);
	for (char **s = entry; good && *s; s++) {
		char *name = NULL, *type = NULL;
		bool no_consume;
		uint32_t count;

		if (!**s)
			continue;
		good = parse_entry(*s, &name, &type, &no_consume, &count, error) &&
		       add_group(find_or_add(all, name), type, count, no_consume, error);
		g_free(name);
	}
	g_strfreev(entry);
	guint length = all->len;
	struct node_gres *list = (struct node_gres *)(void *)g_array_free(all, FALSE);
	if (!good) {
		gres_free(list, length);
		list = NULL;
		length = 0;
	}
	*gres = list;
	*n = length;
	return good;
}
