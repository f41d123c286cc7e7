/* confwrite_parts.c - gres.conf, topologies, accounting, and all files of a folder; see confwrite.h. */
#include "models/confwrite.h"
#include "sched/acct.h"
#include "sched/base/hostlist.h"
#include <glib/gstdio.h>
#include <string.h>

/* ---- gres.conf ---- */

static char *nodes_of(const struct cluster *c, const struct bitset *nodes)
{
	return cluster_format_nodes(c, nodes);
}

/* Links= may only stand on a line with one device. */
static void device_line(GString *o, const char *nodes, const struct node_gres *g, const struct gres_group *d,
                        uint32_t first, uint32_t count)
{
	g_string_append_printf(o, "NodeName=%s Name=%s", nodes, g->name);
	if (d->type)
		g_string_append_printf(o, " Type=%s", d->type);
	if (!g->devices)
		g_string_append_printf(o, " Count=%u", count);
	else if (count == 1)
		g_string_append_printf(o, " File=/dev/%s%u", g->name, first);
	else
		g_string_append_printf(o, " File=/dev/%s[%u-%u]", g->name, first, first + count - 1);
	if (d->cores) {
		char *cores = bitset_to_ranges(d->cores);

		g_string_append_printf(o, " Cores=%s", cores);
		g_free(cores);
	}
	for (uint32_t i = 0; d->links && i < g->count; i++)
		g_string_append_printf(o, "%s%d", i ? "," : " Links=", d->links[i]);
	g_string_append_c(o, '\n');
}

static void config_lines(GString *o, const char *nodes, const struct node_config *k)
{
	for (uint32_t i = 0; i < k->n_gres; i++) {
		const struct node_gres *g = &k->gres[i];

		for (uint32_t j = 0; j < g->n_groups; j++) {
			const struct gres_group *d = &g->group[j];

			if (!g->devices && !d->cores && strcmp(g->name, "gpu"))
				continue; /* a plain count: Gres= says all */
			if (d->count)
				device_line(o, nodes, g, d, d->first, d->count);
		}
	}
}

char *confwrite_gres_conf(const struct cluster *c)
{
	GString *o = g_string_new(NULL);

	for (guint i = 0; i < c->configs->len; i++) {
		const struct node_config *k = c->configs->pdata[i];
		char *nodes = k->nodes ? nodes_of(c, k->nodes) : g_strdup("");

		if (*nodes)
			config_lines(o, nodes, k);
		g_free(nodes);
	}
	return g_string_free(o, FALSE);
}

/* ---- topologies ---- */

static char *members_of(const struct topo_unit *u)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < u->members->len; i++)
		g_ptr_array_add(names, ((const struct node *)u->members->pdata[i])->name);
	char *text = hostlist_compress((const char *const *)names->pdata, names->len);
	g_ptr_array_unref(names);
	return text;
}

static char *children_of(const struct topology *t, guint unit)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < t->units->len; i++)
		if (topology_unit(t, i)->parent == unit)
			g_ptr_array_add(names, topology_unit(t, i)->name);
	char *text = hostlist_compress((const char *const *)names->pdata, names->len);
	g_ptr_array_unref(names);
	return text;
}

/* "4,8,16": the sizes of blocks that are configured. */
static char *block_sizes(const struct topology *t)
{
	GString *o = g_string_new(NULL);

	for (uint32_t l = 0; l < TOPO_BLOCK_LEVELS; l++)
		if (t->levels & (1u << l))
			g_string_append_printf(o, "%s%u", o->len ? ", " : "", t->base_size << l);
	return g_string_free(o, FALSE);
}

static void yaml_unit(GString *o, const struct topology *t, guint i)
{
	static const char *const words[] = {
	    [TOPOLOGY_TREE] = "switch", [TOPOLOGY_BLOCK] = "block", [TOPOLOGY_RING] = "ring"};
	const struct topo_unit *u = topology_unit(t, i);
	bool upper = t->kind == TOPOLOGY_TREE && u->level > 0;
	char *list = upper ? children_of(t, i) : members_of(u);

	g_string_append_printf(o, "      - %s: %s\n", words[t->kind], u->name);
	if (*list)
		g_string_append_printf(o, "        %s: %s\n", upper ? "children" : "nodes", list);
	g_free(list);
}

static void yaml_torus(GString *o, const struct topo_unit *u)
{
	char *list = members_of(u);

	g_string_append_printf(
	    o,
	    "      - name: %s\n        dims:\n          x: %u\n          y: %u\n          z: %u\n        nodes: %s\n",
	    u->name, u->x, u->y, u->z, list);
	g_free(list);
}

static void yaml_topology(GString *o, const struct topology *t, bool first)
{
	static const char *const heads[] = {[TOPOLOGY_TREE] = "tree:\n    switches:",
	                                    [TOPOLOGY_BLOCK] = "block:\n    blocks:",
	                                    [TOPOLOGY_RING] = "ring:\n    rings:",
	                                    [TOPOLOGY_TORUS] = "torus3d:\n    toruses:"};
	char *sizes = t->kind == TOPOLOGY_BLOCK ? block_sizes(t) : NULL;

	g_string_append_printf(o, "- topology: %s\n  cluster_default: %s\n", t->name, first ? "true" : "false");
	if (t->kind == TOPOLOGY_FLAT) {
		g_string_append(o, "  flat: true\n");
		return;
	}
	if (sizes)
		g_string_append_printf(o, "  block:\n    block_sizes: [%s]\n    blocks:\n", sizes);
	else
		g_string_append_printf(o, "  %s\n", heads[t->kind]);
	for (guint i = 0; i < t->units->len; i++)
		if (t->kind == TOPOLOGY_TORUS)
			yaml_torus(o, topology_unit(t, i));
		else
			yaml_unit(o, t, i);
	g_free(sizes);
}

char *confwrite_topology_yaml(const struct cluster *c)
{
	GString *o = g_string_new(NULL);

	for (guint i = 0; i < c->topologies->len; i++)
		yaml_topology(o, c->topologies->pdata[i], i == 0);
	return g_string_free(o, FALSE);
}

char *confwrite_topology_conf(const struct cluster *c)
{
	static const char *const words[] = {
	    [TOPOLOGY_TREE] = "SwitchName", [TOPOLOGY_BLOCK] = "BlockName", [TOPOLOGY_RING] = "RingName"};
	const struct topology *t = c->topologies->len ? c->topologies->pdata[0] : NULL;
	GString *o = g_string_new(NULL);

	for (guint i = 0; t && (t->kind == TOPOLOGY_TREE || t->kind == TOPOLOGY_BLOCK || t->kind == TOPOLOGY_RING) &&
	                  i < t->units->len;
	     i++) {
		const struct topo_unit *u = topology_unit(t, i);
		bool upper = t->kind == TOPOLOGY_TREE && u->level > 0;
		char *list = upper ? children_of(t, i) : members_of(u);

		g_string_append_printf(o, "%s=%s", words[t->kind], u->name);
		if (*list)
			g_string_append_printf(o, " %s=%s", upper ? "Switches" : "Nodes", list);
		g_string_append_c(o, '\n');
		g_free(list);
	}
	if (t && t->kind == TOPOLOGY_BLOCK) {
		char *sizes = block_sizes(t);
		char **part = g_strsplit(sizes, ", ", -1), *joined = g_strjoinv(",", part);

		g_string_append_printf(o, "BlockSizes=%s\n", joined);
		g_strfreev(part);
		g_free(joined);
		g_free(sizes);
	}
	return g_string_free(o, FALSE);
}

/* ---- a folder ---- */

static gboolean put(const char *dir, const char *name, char *text, gboolean always, GError **error)
{
	char *path = g_build_filename(dir, name, NULL);
	gboolean good = TRUE;

	if (*text || always)
		good = g_file_set_contents(path, text, -1, error);
	g_free(path);
	g_free(text);
	return good;
}

gboolean confwrite_folder(const struct cluster *c, const char *dir, GError **error)
{
	bool old = c->params->version == SLURM_22_05;

	if (g_mkdir_with_parents(dir, 0755) != 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: cannot make this folder", dir);
		return FALSE;
	}
	return put(dir, "slurm.conf", confwrite_slurm_conf(c), TRUE, error) &&
	       put(dir, "gres.conf", confwrite_gres_conf(c), FALSE, error) &&
	       put(dir, old ? "topology.conf" : "topology.yaml",
	           old ? confwrite_topology_conf(c) : confwrite_topology_yaml(c), FALSE, error) &&
	       (!c->params->has_accounting || /* a site without one runs no decay thread */
	        put(dir, "sacctmgr-dump.cfg", confwrite_accounting(c->acct, c->params->cluster_name), TRUE, error));
}
