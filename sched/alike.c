/* alike.c - see alike.h */
#include "sched/alike.h"
#include "sched/cores.h"

#include <string.h>

#define ENTRIES 256u /* of a table; a power of two */

struct tag {
	uint32_t trial; /* the one in which the entry was filled in */
	struct alike_key key;
};
struct alike {
	uint32_t trial;
	struct tag offer_tag[ENTRIES], look_tag[ENTRIES];
	struct alike_offer offer[ENTRIES];
	struct alike_look look[ENTRIES];
};

struct alike *alike_new(void)
{
	struct alike *a = g_new0(struct alike, 1);
	a->trial = 1;
	return a;
}

void alike_free(struct alike *a)
{
	g_free(a);
}

void alike_forget(struct alike *a)
{
	if (++a->trial)
		return;
	memset(a, 0, sizeof *a); /* after 2^32 trials */
	a->trial = 1;
}

bool alike_key(const struct selector *s, uint32_t node, uint64_t more, struct alike_key *key)
{
	const struct node_config *k = s->config[node];
	uint32_t cores = core_words(k), n = 0;
	if (!s->has_gres || s->mode == TRIAL_TEST_ONLY || s->job->whole_node || s->blocked || s->limit_cpus || k->n_shares ||
	    cores > ALIKE_CORE_WORDS || cores + 2u * k->n_gres + 2 > ALIKE_WORDS)
		return false;
	const struct usage *u = usage_of(s->view, node);
	key->config = k;
	key->word[n++] = u->node[node].mem;
	key->word[n++] = more << 1 | (s->count.max == 1);
	for (uint32_t i = 0; i < cores; i++)
		key->word[n++] = u->core[u->core_off[node] + i];
	for (uint32_t i = 0; i < k->n_gres; i++) {
		const struct gres_use *g = &u->gres[u->gres_off[node] + i];
		key->word[n++] = g->devices;
		key->word[n++] = g->count;
	}
	key->n = n;
	return true;
}

static uint32_t place_of(const struct alike_key *key)
{
	uint64_t h = (uint64_t)(uintptr_t)key->config;
	for (uint32_t i = 0; i < key->n; i++)
		h = (h ^ key->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 40) % ENTRIES;
}

static bool claim(const struct alike *a, struct tag *t, const struct alike_key *key)
{
	if (t->trial == a->trial && t->key.config == key->config &&
	    memcmp(t->key.word, key->word, key->n * sizeof *key->word) == 0)
		return true;
	t->trial = a->trial;
	t->key.config = key->config;
	memcpy(t->key.word, key->word, key->n * sizeof *key->word);
	return false;
}

struct alike_offer *alike_offer(struct alike *a, const struct alike_key *key, bool *found)
{
	uint32_t at = place_of(key);
	*found = claim(a, &a->offer_tag[at], key);
	return &a->offer[at];
}

struct alike_look *alike_look(struct alike *a, const struct alike_key *key, bool *found)
{
	uint32_t at = place_of(key);
	*found = claim(a, &a->look_tag[at], key);
	return &a->look[at];
}
