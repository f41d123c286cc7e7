/* show_topology.c - scontrol show topology, scontrol completing; see show.h */
#include "sched/base/hostlist.h"
#include "tools/show.h"
#include <string.h>

/* ---- topology ---- */

static char *members_text(const struct job_view *v, const struct topo_unit *u)
{
	GPtrArray *names = g_ptr_array_new();
	char *text;

	for (guint i = 0; v->v22 && u->members && i < u->members->len; i++)
		g_ptr_array_add(names, ((const struct node *)u->members->pdata[i])->name);
	text = names->len ? hostlist_compress((const char *const *)names->pdata, names->len)
	                  : cluster_format_nodes(controller_cluster(v->c), u->nodes);
	g_ptr_array_unref(names);
	return text;
}

static void show_switch(FILE *out, const struct job_view *v, const struct topology *t, uint32_t index)
{
	const struct topo_unit *u = topology_unit(t, index);
	GPtrArray *children = g_ptr_array_new();
	char *nodes = members_text(v, u);

	for (uint32_t i = 0; i < t->units->len; i++)
		if (topology_unit(t, i)->parent == index)
			g_ptr_array_add(children, topology_unit(t, i)->name);
	fprintf(out, "SwitchName=%s Level=%u LinkSpeed=1 Nodes=%s", u->name, u->level, nodes);
	if (children->len) {
		char *names = hostlist_compress((const char *const *)children->pdata, children->len);
		fprintf(out, " Switches=%s", names);
		g_free(names);
	}
	fputc('\n', out);
	g_ptr_array_unref(children);
	g_free(nodes);
}

static void show_block(FILE *out, const struct job_view *v, const struct topology *t, uint32_t index)
{
	const struct topo_unit *u = topology_unit(t, index);
	char *nodes = cluster_format_nodes(controller_cluster(v->c), u->nodes);

	fprintf(out, "BlockName=%s BlockIndex=%u Nodes=%s BlockSize=%u\n", u->name, index, nodes, t->base_size);
	g_free(nodes);
}

/* Is unit U asked for: by its name (22.05), or by a node in it? */
static bool unit_wanted(const struct job_view *v, const struct topo_unit *u, const char *names)
{
	bool by_node = !v->v22 && names && g_ascii_strncasecmp(names, "node=", 5) == 0;
	const struct node *n = names ? cluster_find_node(controller_cluster(v->c), by_node ? names + 5 : names) : NULL;

	if (!names || (v->v22 && strcmp(u->name, names) == 0))
		return true;
	return (v->v22 || by_node) && n && bitset_test(u->nodes, n->index);
}

int show_topology(FILE *out, const struct job_view *v, const char *names, int flags)
{
	const struct topology *t = cluster_find_topology(controller_cluster(v->c), NULL);
	bool any = false;

	(void)flags;
	for (uint32_t i = 0; t && i < t->units->len; i++) {
		if (!unit_wanted(v, topology_unit(t, i), names))
			continue;
		any = true;
		(t->kind == TOPOLOGY_TREE ? show_switch : show_block)(out, v, t, i);
	}
	if (any || !names) {
		if (!any)
			fputs("No topology information available\n", out);
		return 0;
	}
	if (v->v22)
		fprintf(stderr, "scontrol: error: Topology information contains no switch or node named %s\n", names);
	else
		fputs("slurm_load_topo error: Requested topology configuration is not available\n", stderr);
	return 1;
}

/* ---- completing ---- */

int show_completing(FILE *out, const struct job_view *v)
{
	for (uint32_t i = 0, n = controller_n_jobs(v->c); i < n; i++) {
		const struct job *j = controller_job(v->c, i);

		if (!(j->flags & JOB_COMPLETING) || !j->nodes)
			continue;
		char *end = date_format(j->end, NULL), *took = duration_format(MAX(0, v->now - j->end)),
		     *nodes = nodes_text(v, j->nodes);
		fprintf(out, "JobId=%u EndTime=%s CompletingTime=%s Nodes(COMPLETING)=%s \n", j->id, end, took,
		        nodes ? nodes : "");
		g_free(end);
		g_free(took);
		g_free(nodes);
	}
	return 0;
}
