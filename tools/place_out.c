/* place_out.c - see place_out.h. */
#include "tools/place_out.h"
#include "sched/cores.h"
#include <string.h>

char *place_cpu_ids(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node_config *k = c->node[an->node]->config;
	struct bitset *cpus = bitset_new((uint32_t)k->cores * k->cpus_per_core);

	for (uint32_t i = 0; i < k->cores; i++)
		if (core_test(a->words + an->core_word, i))
			bitset_set_range(cpus, i * k->cpus_per_core, (i + 1u) * k->cpus_per_core - 1);
	char *text = bitset_to_ranges(cpus);
	bitset_free(cpus);
	return text;
}

char *place_cores(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node_config *k = c->node[an->node]->config;
	struct bitset *cores = bitset_new(k->cores);

	memcpy(cores->word, a->words + an->core_word, core_words(k) * sizeof *cores->word);
	char *text = bitset_to_ranges(cores);
	bitset_free(cores);
	return text;
}

char *place_bits(uint64_t bits, uint32_t n)
{
	struct bitset *set = bitset_new(MAX(n, 1));

	for (uint32_t i = 0; i < MIN(n, 64u); i++)
		if ((bits >> i) & 1)
			bitset_set(set, i);
	char *text = bitset_to_ranges(set);
	bitset_free(set);
	return text;
}

static void append_type(GString *out, const struct node_gres *g, const char *type, uint64_t devices)
{
	char *index = place_bits(devices, 64);

	g_string_append_printf(out, "%s%s%s%s:%u(IDX:%s)", out->len ? "," : "", g->name, type ? ":" : "",
	                       type ? type : "", (guint)__builtin_popcountll(devices), index);
	g_free(index);
}

static uint64_t devices_of(const struct gres_group *g, uint64_t all)
{
	uint64_t bits = g->count >= 64 ? UINT64_MAX : (UINT64_C(1) << g->count) - 1;

	return g->first < 64 ? all & (bits << g->first) : 0;
}

static void append_devices(GString *out, const struct node_gres *g, uint64_t devices)
{
	for (uint32_t i = 0; i < g->n_groups; i++) {
		bool told = false;
		uint64_t mine = 0;

		for (uint32_t k = 0; k < g->n_groups; k++) {
			if (g_strcmp0(g->group[k].type, g->group[i].type))
				continue;
			told = told || k < i;
			mine |= devices_of(&g->group[k], devices);
		}
		if (!told && mine)
			append_type(out, g, g->group[i].type, mine);
	}
}

char *place_gres(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an)
{
	GString *out = g_string_new(NULL);

	for (uint32_t i = 0; i < an->n_gres; i++) {
		const struct gres_taken *t = &a->gres[an->gres_first + i];
		const struct node_gres *g = &c->node[an->node]->config->gres[t->gres];

		if (g->devices) {
			append_devices(out, g, t->devices);
			continue;
		}
		g_string_append_printf(out, "%s%s:%u", out->len ? "," : "", g->name, t->count);
		if (t->devices) {
			char *index = place_bits(t->devices, 64);
			g_string_append_printf(out, "(IDX:%s)", index);
			g_free(index);
		}
	}
	return g_string_free(out, FALSE);
}
