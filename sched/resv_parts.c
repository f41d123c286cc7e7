/*
 * resv_parts.c - Parts=, whypend's own key: which cores and devices of which nodes a reservation has, as the reader of a snapshot knows them (see resv_gres.h).
 * Nothing is chosen, and nobody is asked whether they are free.
 */
#include "sched/resv_gres.h"

#include <string.h>

struct parts {
	struct resv_draft *d;
	GArray *words, *nodes, *gres;
};

static bool wrong(const struct resv_draft *d, const char *part)
{
	return resv_misread(d, "Invalid part %s; want NODE:CORES[:GRES=DEVICES] as n1:0-3:gpu=0-1 (GRES=x4 for a plain count)", part);
}

static int gres_of(const struct node_config *k, const char *name, gsize len)
{
	for (uint32_t g = 0; g < k->n_gres; g++)
		if (strlen(k->gres[g].name) == len && strncmp(k->gres[g].name, name, len) == 0)
			return (int)g;
	return -1;
}

/* "gpu=0-1" or "bw=x6" */
static bool add_gres(struct parts *p, const struct node_config *k, const char *text)
{
	const char *eq = strchr(text, '=');
	int g = eq ? gres_of(k, text, (gsize)(eq - text)) : -1;
	struct bitset *set = bitset_new(64);
	struct gres_taken t = {.gres = (uint16_t)MAX(g, 0)};
	bool good = g >= 0;
	if (good && k->gres[g].devices) {
		good = bitset_from_ranges(set, eq + 1) && !bitset_empty(set) && bitset_last(set) < k->gres[g].count;
		t.devices = set->word[0];
		t.count = bitset_count(set);
	} else if (good) {
		t.count = eq[1] == 'x' ? (uint32_t)MIN(g_ascii_strtoull(eq + 2, NULL, 10), k->gres[g].count) : 0;
		good = t.count > 0;
	}
	bitset_free(set);
	if (good)
		g_array_append_val(p->gres, t);
	return good;
}

/* "n1:0-3:gpu=0-1" */
static bool add_part(struct parts *p, const char *text)
{
	const struct cluster *cl = p->d->c->cl;
	g_auto(GStrv) word = g_strsplit(text, ":", -1);
	const struct node *n = word[0] ? cluster_find_node(cl, word[0]) : NULL;
	if (!n || !word[1] || bitset_test(p->d->r->nodes, n->index))
		return false;
	struct bitset *cores = bitset_new(n->config->cores);
	bool good = bitset_from_ranges(cores, word[1]) && !bitset_empty(cores);
	struct alloc_node an = {.node = n->index, .cores = (uint16_t)bitset_count(cores), .core_word = p->words->len, .gres_first = p->gres->len};
	an.cpus = (uint16_t)(an.cores * n->config->cpus_per_core);
	g_array_append_vals(p->words, cores->word, cores->nwords);
	bitset_free(cores);
	for (char **w = word + 2; *w && good; w++) {
		good = add_gres(p, n->config, *w);
		an.n_gres += good;
	}
	g_array_append_val(p->nodes, an);
	bitset_set(p->d->r->nodes, n->index);
	return good;
}

bool resv_parts_set(struct resv_draft *d)
{
	struct parts p = {d, g_array_new(FALSE, TRUE, sizeof(uint64_t)), g_array_new(FALSE, TRUE, sizeof(struct alloc_node)),
	                  g_array_new(FALSE, TRUE, sizeof(struct gres_taken))};
	g_auto(GStrv) list = g_strsplit(d->parts, "+", -1);
	char **it = list;
	bitset_clear_all(d->r->nodes);
	while (*it && add_part(&p, *it))
		it++;
	bool good = *list && !*it;
	resv_keep_parts(d, p.words, p.nodes, p.gres);
	d->r->flags |= RESV_FLAG(SPEC_NODES);
	return good || wrong(d, *it ? *it : d->parts);
}
