/* gres_cores.c - see gres_cores.h */
#include "sched/gres_cores.h"

#include <string.h>

/* ---- which cores are restricted ---- */

/* The cores of one line; false: it has too few. */
static bool find_of_group(struct node_config *k, struct gres_group *g)
{
	uint32_t want = k->restricted_cores_per_gpu * g->count;
	int64_t i;
	g->restricted = bitset_new(k->cores);
	if (!g->cores)
		return false;
	for (BITSET_EACH(i, g->cores)) {
		if (!want)
			break;
		if (bitset_test(k->restricted, (uint32_t)i) || (k->spec_cores && bitset_test(k->spec_cores, (uint32_t)i)))
			continue;
		bitset_set(g->restricted, (uint32_t)i);
		bitset_set(k->restricted, (uint32_t)i);
		want--;
	}
	return want == 0;
}

static bool find_of_config(struct node_config *k)
{
	bool enough = true;
	bitset_free(k->restricted);
	k->restricted = bitset_new(k->cores);
	for (uint32_t n = 0; n < k->n_gres; n++)
		for (uint32_t i = 0; i < k->gres[n].n_groups && strcmp(k->gres[n].name, "gpu") == 0; i++) {
			bitset_free(k->gres[n].group[i].restricted);
			enough = find_of_group(k, &k->gres[n].group[i]) && enough;
		}
	return enough;
}

void restricted_find(struct cluster *c)
{
	for (guint i = 0; i < c->configs->len && c->params->version != SLURM_22_05; i++) {
		struct node_config *k = c->configs->pdata[i];
		int64_t n;
		if (!k->restricted_cores_per_gpu || find_of_config(k))
			continue;
		for (BITSET_EACH(n, k->nodes)) {
			c->node[n]->base = NODE_DOWN;
			g_free(c->node[n]->reason);
			c->node[n]->reason = g_strdup("RestrictedCoresPerGPU: too few cores near the GPUs");
		}
	}
}

/* ---- what a job sees of them ---- */

static void clear(uint64_t *w, const struct bitset *set)
{
	for (uint32_t i = 0; i < set->nwords; i++)
		w[i] &= ~set->word[i];
}

static bool asks_for(const struct job *j, const struct gres_group *g)
{
	for (uint32_t i = 0; i < j->n_gres; i++)
		if (strcmp(j->gres[i].name, "gpu") == 0 &&
		    (!j->gres[i].type || (g->type && strcmp(j->gres[i].type, g->type) == 0)))
			return true;
	return false;
}

/* The free restricted cores of a line in groups of k, socket by socket: whole groups are set in OUT. */
static void whole_groups(const struct node_config *k, const struct gres_group *g, const uint64_t *w, uint64_t *out)
{
	uint32_t per = k->restricted_cores_per_gpu, size = socket_size(k);
	for (uint32_t x = 0; x < socket_count(k); x++) {
		uint32_t n = 0;
		for (uint32_t i = x * size; i < (x + 1) * size; i++)
			n += core_test(w, i) && bitset_test(g->restricted, i);
		n -= n % per;
		for (uint32_t i = x * size; i < (x + 1) * size && n; i++)
			if (core_test(w, i) && bitset_test(g->restricted, i)) {
				core_set(out, i);
				n--;
			}
	}
}

void restricted_cut(const struct selector *s, const struct node_config *k, uint64_t *w)
{
	if (!k->restricted || s->job->whole_node)
		return;
	g_autofree uint64_t *kept = g_new0(uint64_t, core_words(k));
	bool socket_unit = s->cl->params->cr_unit == CR_SOCKET, any = false;
	for (uint32_t n = 0; n < k->n_gres; n++)
		for (uint32_t i = 0; i < k->gres[n].n_groups; i++) {
			const struct gres_group *g = &k->gres[n].group[i];
			if (!g->restricted || !asks_for(s->job, g))
				continue;
			any = true;
			whole_groups(k, g, w, kept);
		}
	if (any && socket_unit)
		return;
	clear(w, k->restricted);
	for (uint32_t i = 0; i < core_words(k); i++)
		w[i] |= kept[i];
}

void restricted_keep(const struct node_config *k, uint64_t *cand, uint32_t most, const bool *required, bool highest_first)
{
	uint32_t have = 0, size = socket_size(k);
	int64_t i;
	for (BITSET_EACH(i, k->restricted))
		have += core_test(cand, (uint32_t)i);
	for (int need = required ? 0 : 1; need <= 1 && have > most; need++)
		for (uint32_t n = 0; n < k->cores && have > most; n++) {
			uint32_t core = highest_first ? k->cores - 1 - n : n;
			if (!core_test(cand, core) || !bitset_test(k->restricted, core) ||
			    (required && required[core / size] != (need == 1)))
				continue;
			core_clear(cand, core);
			have--;
		}
}

uint32_t restricted_gpus(const struct node_config *k, const uint64_t *cores, uint32_t socket)
{
	uint32_t n = 0, size = socket_size(k);
	for (uint32_t i = socket * size; i < (socket + 1) * size; i++)
		n += core_test(cores, i) && bitset_test(k->restricted, i);
	return (n + k->restricted_cores_per_gpu - 1) / k->restricted_cores_per_gpu;
}
