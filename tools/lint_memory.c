/* lint_memory.c - memory and CPUs: defaults that take a whole node, and rules that strand what is left
 * (node-selection.md).
 */
#include "tools/lint_checks.h"
#include <string.h>

static uint64_t def_mem(const struct lint *l, const struct partition *p, bool *per_cpu)
{
	bool own = p->def_mem != NO_VAL64;

	*per_cpu = own ? p->def_mem_per_cpu : l->p->def_mem_per_cpu;
	return own ? p->def_mem : l->p->def_mem;
}

static uint64_t max_mem(const struct lint *l, const struct partition *p, bool *per_cpu)
{
	bool own = p->max_mem != NO_VAL64;

	*per_cpu = own ? p->max_mem_per_cpu : l->p->max_mem_per_cpu;
	return own ? p->max_mem : l->p->max_mem;
}

static uint64_t gpu_mem(const struct lint *l, const struct partition *p)
{
	return p->def_mem_per_gpu ? p->def_mem_per_gpu : l->p->def_mem_per_gpu;
}

static bool whole_nodes(const struct lint *l, const struct partition *p)
{
	return p->oversubscribe == OVERSUB_EXCLUSIVE || l->p->select_type == SELECT_LINEAR;
}

static bool has_nodes(const struct node_config *k, const struct partition *p)
{
	return k->nodes && bitset_intersects(k->nodes, p->nodes);
}

/* The record of P's first node. */
static const struct node_config *first_config(const struct lint *l, const struct partition *p)
{
	return l->c->node[bitset_first(p->nodes)]->config;
}

static const char *first_node(const struct lint *l, const struct node_config *k)
{
	return l->c->node[bitset_first(k->nodes)]->name;
}

/* Jobs of P without --mem take a whole node's memory, though others could run beside them. */
static bool takes_all(const struct lint *l, const struct partition *p)
{
	bool per_cpu;

	return p && !whole_nodes(l, p) && !def_mem(l, p, &per_cpu) && first_config(l, p)->cores > 1;
}

void lint_def_mem(struct lint *l)
{
	const struct partition *p = NULL;
	uint32_t n = 0;

	for (guint i = 0; i < l->n_parts && l->p->cr_memory; i++) {
		if (!takes_all(l, lint_live_part(l, i)))
			continue;
		p = p ? p : lint_part(l, i);
		n++;
	}
	if (!p)
		return;
	const struct node_config *k = first_config(l, p);
	uint64_t mem = k->real_memory - k->mem_spec_limit;
	lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, NULL),
	         n > 1 ? fmt("%u partitions have no default memory: %s and others", n, p->name)
	               : fmt("partition %s has no default memory", p->name),
	         fmt("a job without --mem takes all %s of %s: 1 CPU of it keeps the other %u from everybody%s",
	             lint_mem(l, mem), first_node(l, k), k->cpus - 1u,
	             gpu_mem(l, p) ? " (DefMemPerGPU is for jobs with GPUs only)" : ""),
	         fmt("DefMemPerCPU=%" G_GUINT64_FORMAT " (an even share), or less", (guint64)(mem / MAX(1, k->cpus))));
}

static void strands(struct lint *l, const struct partition *p, const struct node_config *k)
{
	bool per_cpu;
	uint64_t def = def_mem(l, p, &per_cpu), mem = k->real_memory - k->mem_spec_limit;
	uint32_t gpus = node_config_gres(k, "gpu", NULL);
	uint64_t per_gpu = gpu_mem(l, p), jobs = def ? mem / def : 0;
	uint32_t cpus = MAX(1, (uint32_t)(k->cores - k->core_spec_count) * k->cpus_per_core);

	if (def && per_cpu && jobs < cpus * 9 / 10)
		lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "DefMemPerCPU"),
		         fmt("DefMemPerCPU=%" G_GUINT64_FORMAT " is more than an even share of a node of partition %s",
		             (guint64)def, p->name),
		         fmt("%" G_GUINT64_FORMAT
		             " of the %u CPUs of %s fill its %s; a job of %u CPUs does not fit without --mem, and %u "
		             "CPUs stay idle behind jobs that take the default",
		             (guint64)jobs, cpus, first_node(l, k), lint_mem(l, mem), cpus, (guint)(cpus - jobs)),
		         fmt("DefMemPerCPU=%" G_GUINT64_FORMAT, (guint64)(mem / cpus)));
	if (def && !per_cpu && def > mem)
		lint_add(l, LINT_ERROR, lint_at_part(l->files, p->name, "DefMemPerNode"),
		         fmt("DefMemPerNode=%" G_GUINT64_FORMAT " is more than the memory of %s", (guint64)def,
		             first_node(l, k)),
		         fmt("the node has %s for jobs: without --mem no job runs there", lint_mem(l, mem)),
		         fmt("DefMemPerNode=%" G_GUINT64_FORMAT " or less", (guint64)mem));
	if (per_gpu && gpus && per_gpu * gpus > mem)
		lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "DefMemPerGPU"),
		         fmt("DefMemPerGPU=%" G_GUINT64_FORMAT " does not fit for all GPUs of %s", (guint64)per_gpu,
		             first_node(l, k)),
		         fmt("%u GPUs would take %s, the node has %s: %u of them stay idle behind jobs that take the "
		             "default",
		             gpus, lint_mem(l, per_gpu * gpus), lint_mem(l, mem), (guint)(gpus - mem / per_gpu)),
		         fmt("DefMemPerGPU=%" G_GUINT64_FORMAT, (guint64)(mem / gpus)));
}

void lint_mem_strands(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && l->p->cr_memory; i++) {
		const struct partition *p = lint_live_part(l, i);
		guint before = l->findings->len;

		/* the first kind of node that strands something tells it for the partition */
		for (guint k = 0; p && !whole_nodes(l, p) && k < l->n_configs && l->findings->len == before; k++)
			if (has_nodes(lint_config(l, k), p))
				strands(l, p, lint_config(l, k));
	}
}

void lint_cpu_per_gpu(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++)
		for (guint k = 0; k < l->n_configs; k++) {
			const struct partition *p = lint_live_part(l, i);
			const struct node_config *n = lint_config(l, k);
			uint32_t def = p && p->def_cpu_per_gpu ? p->def_cpu_per_gpu : l->p->def_cpu_per_gpu,
			         gpus = node_config_gres(n, "gpu", NULL),
			         cpus = (uint32_t)(n->cores - n->core_spec_count) * n->cpus_per_core;

			if (!p || !def || !gpus || !has_nodes(n, p) || def * gpus <= cpus)
				continue;
			lint_add(l, LINT_WARNING,
			         lint_part_pair(l->files, p->name, "DefCPUPerGPU")
			             ? lint_at_part(l->files, p->name, "DefCPUPerGPU")
			             : lint_at(l->files, "DefCpuPerGPU"),
			         fmt("DefCpuPerGPU=%u does not fit for all GPUs of %s", def, first_node(l, n)),
			         fmt("%u GPUs would take %u CPUs, jobs may have %u: %u GPUs stay idle behind jobs that "
			             "take the default",
			             gpus, def * gpus, cpus, gpus - cpus / def),
			         fmt("DefCpuPerGPU=%u", cpus / gpus));
			break;
		}
}

void lint_max_mem_cpu(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);
		bool per_cpu = false;
		uint64_t max = p ? max_mem(l, p, &per_cpu) : 0;

		if (!max || !per_cpu || !l->p->cr_memory)
			continue;
		const struct node_config *k = first_config(l, p);
		uint64_t use = max * k->cpus, mem = k->real_memory - k->mem_spec_limit;
		bool own = p->max_mem != NO_VAL64;

		lint_add(l, use < mem * 9 / 10 ? LINT_WARNING : LINT_NOTE,
		         own ? lint_at_part(l->files, p->name, "MaxMemPerCPU") : lint_at(l->files, "MaxMemPerCPU"),
		         fmt("MaxMemPerCPU=%" G_GUINT64_FORMAT
		             " gives a job of partition %s more CPUs than it asked for",
		             (guint64)max, p->name),
		         use < mem * 9 / 10
		             ? fmt("with all %u CPUs of %s only %s of its %s can be asked for: the rest is never used",
		                   k->cpus, first_node(l, k), lint_mem(l, use), lint_mem(l, mem))
		             : fmt("-c1 --mem-per-cpu=%" G_GUINT64_FORMAT
		                   " gets 2 CPUs and is charged for them; %s of a node of %u CPUs need "
		                   "%u CPUs",
		                   (guint64)(max * 2), lint_mem(l, mem), k->cpus, (guint)((mem + max - 1) / max)),
		         fmt("MaxMemPerCPU=%" G_GUINT64_FORMAT " is an even share", (guint64)(mem / MAX(1, k->cpus))));
		if (!own)
			return;
	}
}

void lint_mem_not_counted(struct lint *l)
{
	const char *rules[] = {"DefMemPerCPU", "DefMemPerNode", "MaxMemPerCPU", "MaxMemPerNode", "DefMemPerGPU"};
	const char *set = NULL;

	if (l->p->cr_memory || l->p->select_type == SELECT_LINEAR)
		return;
	for (gsize i = 0; i < G_N_ELEMENTS(rules) && !set; i++)
		set = lint_value(l->files, rules[i]) ? rules[i] : NULL;
	uint32_t most = 0;
	for (guint i = 0; i < l->n_configs; i++)
		most = MAX(most, lint_config(l, i)->cpus);
	if (most < 2)
		return;
	lint_add(l, set ? LINT_WARNING : LINT_NOTE,
	         set ? lint_at(l->files, set) : lint_at(l->files, "SelectTypeParameters"),
	         set ? fmt("%s is set, but memory is not counted (SelectTypeParameters without _Memory)", set)
	             : g_strdup("memory is not counted: SelectTypeParameters without _Memory"),
	         fmt("--mem only picks nodes with so much RealMemory; up to %u jobs share a node's memory unseen, and "
	             "one that takes it "
	             "all kills the others",
	             most),
	         g_strdup("SelectTypeParameters=CR_Core_Memory with DefMemPerCPU"));
}

void lint_oversub(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);

		if (!p || p->max_share < 2 || (p->oversubscribe != OVERSUB_FORCE && p->oversubscribe != OVERSUB_YES))
			continue;
		bool gang = l->p->preempt_flags & PREEMPT_GANG;
		const struct node_config *k = first_config(l, p);

		lint_add(l, gang || l->p->cr_memory ? LINT_NOTE : LINT_WARNING,
		         lint_at_part(l->files, p->name, "OverSubscribe"),
		         fmt("OverSubscribe=%s:%u of partition %s puts up to %u jobs on one core",
		             p->oversubscribe == OVERSUB_FORCE ? "FORCE" : "YES", p->max_share, p->name, p->max_share),
		         l->p->cr_memory ? fmt("they share %s of memory a node, which is counted: without small --mem "
		                               "the rows stay empty%s",
		                               lint_mem(l, k->real_memory),
		                               gang ? "" : ", and without GANG all run at once and slow each other")
		                         : fmt("up to %u jobs a node, and their memory is not counted (%s a node)%s",
		                               (guint)k->cpus * p->max_share, lint_mem(l, k->real_memory),
		                               gang ? "" : "; without GANG all run at once and slow each other"),
		         g_strdup("OverSubscribe=NO, or CR_Core_Memory with DefMemPerCPU and PreemptMode=GANG"));
	}
}

void lint_gpu_weight(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);
		const struct node_config *gpu = NULL, *plain = NULL;

		for (guint k = 0; p && k < l->n_configs; k++) {
			const struct node_config *n = lint_config(l, k);

			if (!has_nodes(n, p))
				continue;
			if (node_config_gres(n, "gpu", NULL))
				gpu = !gpu || n->weight < gpu->weight ? n : gpu;
			else
				plain = !plain || n->weight > plain->weight ? n : plain;
		}
		if (!gpu || !plain || gpu->weight > plain->weight)
			continue;
		/* equal weights: the first in the order of names that fits, for jobs of one node (N40) */
		bool first = gpu->weight < plain->weight || bitset_first(gpu->nodes) < bitset_first(plain->nodes);
		lint_add(l, first ? LINT_WARNING : LINT_NOTE, lint_at_node(l->files, first_node(l, gpu), NULL),
		         fmt("in partition %s jobs without GPUs go to GPU nodes as well%s", p->name,
		             first ? "" : ", when the others are busy"),
		         fmt("Weight of %s (%u GPUs) is %u, of %s %u: a job without GPUs takes %s, and can leave %u "
		             "GPUs without CPUs",
		             first_node(l, gpu), node_config_gres(gpu, "gpu", NULL), gpu->weight, first_node(l, plain),
		             plain->weight,
		             first ? "the GPU node first" : "the first by name that fits, or the best run of nodes",
		             node_config_gres(gpu, "gpu", NULL)),
		         fmt("Weight=%u on the nodes with GPUs", plain->weight + 10));
	}
}
