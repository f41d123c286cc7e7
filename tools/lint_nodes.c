/* lint_nodes.c - nodes: memory, threads, cores near GPUs, links, cores kept for the system, topology (hardware.md). */
#include "tools/lint_checks.h"
#include <string.h>

static const char *first_node(const struct lint *l, const struct node_config *k)
{
	return l->c->node[bitset_first(k->nodes)]->name;
}

static bool used(const struct node_config *k)
{
	return k->nodes && !bitset_empty(k->nodes);
}

void lint_real_memory(struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++) {
		const struct node_config *k = lint_config(l, i);

		if (!used(k) || k->real_memory > 16)
			continue;
		lint_add(l, l->p->cr_memory ? LINT_ERROR : LINT_WARNING,
		         lint_at_node(l->files, first_node(l, k), "RealMemory"),
		         fmt("RealMemory of %s and %u more is %" G_GUINT64_FORMAT " MiB", first_node(l, k),
		             bitset_count(k->nodes) - 1, (guint64)k->real_memory),
		         l->p->cr_memory ? fmt("memory is counted, and jobs may have %" G_GUINT64_FORMAT
		                               " MiB a node: with --mem or DefMemPerCPU "
		                               "none runs there",
		                               (guint64)k->real_memory)
		                         : g_strdup("a job with --mem never runs there"),
		         g_strdup("RealMemory= what slurmd -C prints, less what the system needs"));
	}
}

void lint_threads(struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++) {
		const struct node_config *k = lint_config(l, i);

		if (!used(k) || k->threads < 2)
			continue;
		bool hidden = k->cpus == k->cores;
		if (!hidden && l->p->cr_unit != CR_CORE && l->p->cr_unit != CR_CPU)
			continue;
		lint_add(l, LINT_NOTE, lint_at_node(l->files, first_node(l, k), "ThreadsPerCore"),
		         hidden ? fmt("CPUs=%u of %s hides %u threads", k->cpus, first_node(l, k),
		                      k->cores * (k->threads - 1u))
		                : fmt("a CPU of %s is a thread: ThreadsPerCore=%u", first_node(l, k), k->threads),
		         hidden ? fmt("each of the %u cores counts as one CPU; no job can ask for the second thread",
		                      k->cores)
		         : l->p->cr_unit == CR_CPU ? fmt("with CR_CPU two jobs may get the two threads of one core: a "
		                                         "job of %u tasks can have %u cores or %u",
		                                         k->cores, k->cores, k->cores / k->threads)
		                                   : fmt("-n1 gets a whole core and is charged %u CPUs; -n%u fills the "
		                                         "node with %u tasks on %u cores",
		                                         k->threads, k->cpus, k->cpus, k->cores),
		         hidden ? fmt("CPUs=%u, or ThreadsPerCore=1 to say what is meant", k->cores * k->threads)
		                : fmt("CPUs=%u, or --hint=nomultithread, if a CPU is to be a core", k->cores));
		return;
	}
}

/* ---- GPUs and cores ---- */

/* Is SET all cores, or whole sockets of K? */
static bool whole_sockets(const struct node_config *k, const struct bitset *set, guint *touched)
{
	bool whole = true;

	*touched = 0;
	for (guint s = 0; s < k->sockets; s++) {
		guint n = 0;

		for (guint c = 0; c < k->cores_per_socket; c++)
			n += bitset_test(set, s * k->cores_per_socket + c);
		*touched += n > 0;
		whole &= n == 0 || n == k->cores_per_socket;
	}
	return whole;
}

void lint_gres_cores(struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++)
		for (uint32_t g = 0; used(lint_config(l, i)) && g < lint_config(l, i)->n_gres; g++) {
			const struct node_config *k = lint_config(l, i);
			const struct node_gres *gres = &k->gres[g];
			guint part = 0, spans = 0, touched;

			for (uint32_t n = 0; n < gres->n_groups; n++) {
				const struct bitset *cores = gres->group[n].cores;

				if (!cores || bitset_count(cores) == k->cores)
					continue;
				part += !whole_sockets(k, cores, &touched);
				spans += touched > 1;
			}
			if (!part && !spans)
				continue;
			lint_add(l, LINT_WARNING, lint_at_gres(l->files, first_node(l, k), gres->name),
			         fmt("Cores of %s on %s do not match its sockets", gres->name, first_node(l, k)),
			         fmt("of %u lines %u list a part of a socket and %u several (%u sockets of %u cores): "
			             "new releases drain such a node, "
			             "older ones count the whole socket as near, or only the listed cores with "
			             "enforce-binding",
			             gres->n_groups, part, spans, k->sockets, k->cores_per_socket),
			         fmt("Cores= of exactly one socket (0-%u, ...); with "
			             "SlurmdParameters=numa_node_as_socket a socket is a NUMA node",
			             k->cores_per_socket - 1u));
		}
}

static int link_of(const struct node_gres *g, uint32_t from, uint32_t to, bool *known)
{
	for (uint32_t n = 0; n < g->n_groups; n++) {
		const struct gres_group *x = &g->group[n];

		if (from < x->first || from >= x->first + x->count)
			continue;
		*known = x->links != NULL;
		return x->links ? x->links[to] : 0;
	}
	*known = false;
	return 0;
}

void lint_gres_links(struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++)
		for (uint32_t n = 0; used(lint_config(l, i)) && n < lint_config(l, i)->n_gres; n++) {
			const struct node_gres *g = &lint_config(l, i)->gres[n];
			bool told = false, a_known, b_known;

			for (uint32_t a = 0; a < g->count && g->devices && !told; a++)
				for (uint32_t b = a + 1; b < g->count && !told; b++) {
					int ab = link_of(g, a, b, &a_known), ba = link_of(g, b, a, &b_known);

					told = (a_known || b_known) && ab != ba;
					if (!told)
						continue;
					lint_add(l, LINT_WARNING,
					         lint_at_gres(l->files, first_node(l, lint_config(l, i)), g->name),
					         fmt("Links of %s on %s are not the same in both directions", g->name,
					             first_node(l, lint_config(l, i))),
					         fmt("device %u has %d links to %u, which has %d back: of %u devices "
					             "the choice for a job of 2 depends on "
					             "which is looked at first",
					             a, ab, b, ba, g->count),
					         g_strdup("the same number in line a at place b and in line b at place "
					                  "a (nvidia-smi topo -m)"));
				}
		}
}

void lint_gpu_sockets(struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++)
		for (uint32_t n = 0; used(lint_config(l, i)) && n < lint_config(l, i)->n_gres; n++) {
			const struct node_config *k = lint_config(l, i);
			const struct node_gres *g = &k->gres[n];
			struct bitset *near = bitset_new(MAX(1, k->sockets));
			bool any = false;

			for (uint32_t x = 0; x < g->n_groups; x++) {
				any |= !g->group[x].cores;
				for (guint c = 0; g->group[x].cores && c < k->cores; c++)
					if (bitset_test(g->group[x].cores, c))
						bitset_set(near, c / MAX(1, k->cores_per_socket));
			}
			guint with = bitset_count(near), bare = k->sockets - with;
			bitset_free(near);
			if (any || !with || !bare || !g_str_equal(g->name, "gpu"))
				continue;
			guint cores = bare * k->cores_per_socket,
			      near_cpus = with * k->cores_per_socket * k->cpus_per_core;
			lint_add(l, l->p->enforce_binding_gres ? LINT_WARNING : LINT_NOTE,
			         lint_at_gres(l->files, first_node(l, k), "gpu"),
			         fmt("%u of the %u sockets of %s have no GPU", bare, k->sockets, first_node(l, k)),
			         fmt("with enforce-binding%s %u of %u cores serve no job with GPUs: %u CPUs a GPU at "
			             "most (%u near CPUs, %u GPUs)",
			             l->p->enforce_binding_gres ? " (set here for all jobs)" : "", cores, k->cores,
			             near_cpus / MAX(1, g->count), near_cpus, g->count),
			         fmt("DefCpuPerGPU=%u or less%s", near_cpus / MAX(1, g->count),
			             l->p->enforce_binding_gres ? ", or leave out ENFORCE_BINDING_GRES"
			                                        : "; jobs without GPUs take the rest"));
		}
}

/* ---- cores kept for the system ---- */

struct fit {
	const struct lint *l;
	const struct node_config *k;
};

/* Asks for more CPUs on a node than are left, but not for more than it has. */
static bool just_misses(const struct lint_job *j, const void *data)
{
	const struct fit *f = data;
	uint32_t left = (uint32_t)(f->k->cores - f->k->core_spec_count) * f->k->cpus_per_core;
	const struct partition *p =
	    j->partition ? cluster_find_partition(f->l->c, j->partition) : f->l->c->default_partition;

	return p && bitset_intersects(p->nodes, f->k->nodes) && j->node_cpus > left && j->node_cpus <= f->k->cpus;
}

void lint_core_spec(struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++) {
		const struct node_config *k = lint_config(l, i);
		struct fit f = {l, k};

		if (!used(k) || !k->core_spec_count)
			continue;
		double share = l->trace ? lint_job_share(l->trace, just_misses, &f) : 0;
		uint32_t left = (uint32_t)(k->cores - k->core_spec_count) * k->cpus_per_core;
		char *seen = l->trace
		                 ? fmt("; %.2f %% of the trace's jobs ask for %u to %u", 100 * share, left + 1, k->cpus)
		                 : g_strdup("");

		lint_add(l, share > 0.001 ? LINT_WARNING : LINT_NOTE,
		         lint_at_node(l->files, first_node(l, k), "CoreSpecCount"),
		         fmt("%u cores of %s are kept for the system: jobs may have %u of %u CPUs", k->core_spec_count,
		             first_node(l, k), left, k->cpus),
		         fmt("a job that asks for all %u CPUs of a node (-n%u, --ntasks-per-node=%u) fits on none of "
		             "the %u nodes%s",
		             k->cpus, k->cpus, k->cpus, bitset_count(k->nodes), seen),
		         fmt("tell users %u, or MemSpecLimit instead of cores", left));
		g_free(seen);
	}
}

void lint_power_no_effect(struct lint *l)
{
	static const struct {
		const char *key, *why;
	} rows[] = {{"ResumeFailProgram", "it is told of nodes that did not come up, and decides nothing: they are DOWN, their jobs are requeued"},
	            {"PowerAction", "programs are not run: how long a node takes is the scenario's boot_time"},
	            {"MaxBatchRequeue", "it counts launches that fail, and none fails here; requeues by exit code or command it does not count"}};
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		if (lint_value(l->files, rows[i].key))
			lint_add(l, LINT_NOTE, lint_at(l->files, rows[i].key), fmt("%s has no effect on a simulation", rows[i].key), g_strdup(rows[i].why),
			         g_strdup("nothing: it may stay for the real controller"));
}

/* ---- counting, states, wiring ---- */

void lint_gpu_untracked(struct lint *l)
{
	uint32_t gpus = 0;

	for (uint32_t i = 0; i < l->c->n_nodes; i++)
		gpus += node_config_gres(l->c->node[i]->config, "gpu", NULL);
	for (uint32_t i = 0; i < l->c->tres->n; i++)
		if (g_str_equal(l->c->tres->name[i], "gres/gpu"))
			return;
	if (!gpus)
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "AccountingStorageTRES"),
	         fmt("the cluster has %u GPUs, but AccountingStorageTRES has no gres/gpu", gpus),
	         g_strdup("GPUs can neither be limited nor billed, and sacct does not tell who had how many"),
	         g_strdup("AccountingStorageTRES=gres/gpu"));
}

void lint_node_states(struct lint *l)
{
	struct bitset *drained = bitset_new(MAX(1, l->c->n_nodes)), *down = bitset_new(MAX(1, l->c->n_nodes));

	for (uint32_t i = 0; i < l->c->n_nodes; i++) {
		const struct node *n = l->c->node[i];

		if (n->flags & NODE_INVALID_REG)
			bitset_set(drained, i);
		else if (n->base == NODE_DOWN || n->flags & (NODE_DRAIN | NODE_FAIL))
			bitset_set(down, i);
	}
	int64_t bad = bitset_first(drained), off = bitset_first(down);
	if (bad >= 0) {
		char *names = cluster_format_nodes(l->c, drained);

		lint_add(l, LINT_ERROR, lint_at_gres(l->files, l->c->node[bad]->name, "gpu"),
		         fmt("%s: gres.conf gives less than slurm.conf", names),
		         fmt("%u nodes are drained as soon as they register (%s)", bitset_count(drained),
		             l->c->node[bad]->reason),
		         g_strdup("the same count in Gres= of slurm.conf and in gres.conf"));
		g_free(names);
	}
	if (off >= 0) {
		char *names = cluster_format_nodes(l->c, down);

		lint_add(
		    l, LINT_NOTE, lint_at_node(l->files, l->c->node[off]->name, "State"),
		    fmt("%s begin down or drained", names),
		    fmt("%u of %u nodes come back in this state at each start of the controller without saved state",
		        bitset_count(down), l->c->n_nodes),
		    g_strdup("State=UNKNOWN once they are repaired"));
		g_free(names);
	}
	bitset_free(drained);
	bitset_free(down);
}

static guint roots(const struct topology *t)
{
	guint n = 0;

	for (guint i = 0; i < t->units->len; i++)
		n += t->kind == TOPOLOGY_TREE && topology_unit(t, i)->parent == TOPO_NONE;
	return n;
}

void lint_topology(struct lint *l)
{
	for (guint i = 0; i < l->c->topologies->len; i++) {
		const struct topology *t = l->c->topologies->pdata[i];
		struct bitset *out = bitset_new(l->c->n_nodes);
		struct lint_place at = {l->files->conf_name, 0};

		bitset_set_all(out);
		bitset_andnot(out, t->nodes);
		if (i == 0 && !bitset_empty(out) && t->kind != TOPOLOGY_FLAT) {
			char *names = cluster_format_nodes(l->c, out);

			lint_add(l, LINT_WARNING, lint_at_node(l->files, l->c->node[bitset_first(out)]->name, NULL),
			         fmt("%u nodes are in no unit of topology %s: %s", bitset_count(out), t->name, names),
			         fmt("no job of several nodes ever spans them and the other %u",
			             l->c->n_nodes - bitset_count(out)),
			         g_strdup("name them in the topology file"));
			g_free(names);
		}
		if (roots(t) > 1 && !l->p->topo_optional)
			lint_add(
			    l, LINT_NOTE,
			    lint_at(l->files, "TopologyPlugin").line ? lint_at(l->files, "TopologyPlugin") : at,
			    fmt("topology %s has %u separate trees", t->name, roots(t)),
			    fmt("a job must fit into one of them, never into all %u nodes", bitset_count(t->nodes)),
			    g_strdup("a switch above them, or TopologyParam=TopoOptional"));
		bitset_free(out);
	}
}
