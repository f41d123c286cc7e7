/* place.c - see place.h */
#include "sched/place.h"

#include <string.h>

uint32_t place_tasks(uint32_t n, const uint32_t *cap, const uint32_t *tpc, uint32_t cpt, uint32_t ntasks, uint32_t max_per_node,
		     bool overcommit, uint32_t *cpus, uint32_t *tasks)
{
	uint32_t left = ntasks;
	for (uint32_t i = 0; i < n; i++) { /* (1) one task everywhere */
		tasks[i] = left > 0;
		cpus[i] = MIN(cpt, cap[i]);
		left -= tasks[i];
	}
	for (uint32_t i = 0; i < n && left && !overcommit; i++) { /* (2) fill up the core begun */
		uint32_t more = (cpus[i] % tpc[i]) / cpt;
		while (more-- && left && cpus[i] + cpt <= cap[i] && tasks[i] < max_per_node) {
			tasks[i]++;
			cpus[i] += cpt;
			left--;
		}
	}
	for (bool moved = true; left && moved && !overcommit;) { /* (3) rounds */
		moved = false;
		for (uint32_t i = 0; i < n && left; i++)
			for (uint32_t r = MAX(1u, tpc[i] / cpt); r && left; r--) {
				if (cpus[i] + cpt > cap[i] || tasks[i] >= max_per_node)
					break;
				tasks[i]++;
				cpus[i] += cpt;
				left--;
				moved = true;
			}
	}
	return left;
}

static uint32_t take_socket(const struct node_config *k, const struct bitset *cand, uint32_t socket, uint32_t want, struct bitset *out)
{
	uint32_t got = 0, first = socket * k->cores_per_socket;
	for (uint32_t b = first; b < first + k->cores_per_socket && got < want; b++)
		if (bitset_test(cand, b) && !bitset_test(out, b)) {
			bitset_set(out, b);
			got++;
		}
	return got;
}

static uint32_t socket_free(const struct node_config *k, const struct bitset *cand, const struct bitset *out, uint32_t socket)
{
	uint32_t n = 0, first = socket * k->cores_per_socket;
	for (uint32_t b = first; b < first + k->cores_per_socket; b++)
		n += bitset_test(cand, b) && !bitset_test(out, b);
	return n;
}

uint32_t place_cores_cyclic(const struct node_config *k, const struct bitset *cand, uint32_t cpus, uint32_t cpt, uint32_t c,
			    struct bitset *out)
{
	uint32_t need = (cpus + c - 1) / c, got = 0;
	if (cpt > 1) { /* whole tasks socket by socket first */
		for (uint32_t x = 0; x < k->sockets && got < need; x++) {
			uint32_t whole = socket_free(k, cand, out, x) * c / cpt * cpt;
			uint32_t left_cpus = cpus - MIN(cpus, got * c);
			uint32_t want = (MIN(whole, left_cpus) + c - 1) / c;
			got += take_socket(k, cand, x, want, out);
		}
	}
	for (bool moved = true; got < need && moved;) {
		moved = false;
		for (uint32_t x = 0; x < k->sockets && got < need; x++)
			if (take_socket(k, cand, x, 1, out)) {
				got++;
				moved = true;
			}
	}
	return got;
}

uint32_t place_cores_block(const struct node_config *k, const struct bitset *cand, uint32_t cpus, uint32_t c, struct bitset *out)
{
	uint32_t need = (cpus + c - 1) / c, got = 0;
	while (got < need) {
		int best = -1;
		uint32_t best_n = 0;
		for (uint32_t x = 0; x < k->sockets; x++) {
			uint32_t f = socket_free(k, cand, out, x);
			bool fits = f >= need, best_fits = best >= 0 && best_n >= need;
			if (f && (best < 0 || (fits && !best_fits) || (fits && best_fits && f < best_n) || (!fits && !best_fits && f > best_n))) {
				best = (int)x;
				best_n = f;
			}
		}
		if (best < 0)
			break;
		got += take_socket(k, cand, (uint32_t)best, need - got, out);
	}
	return got;
}

/* Cores that may be given on NODE: free ones; N33.7: only the lowest that cover the offer. */
static void candidate_cores(struct selector *s, uint32_t node, uint32_t c, struct bitset *cand)
{
	const struct node_config *k = s->cl->node[node]->config;
	uint64_t scratch[16];
	const uint64_t *used = selector_used_cores(s, node, scratch);
	bitset_set_all(cand);
	for (uint32_t w = 0; w < cand->nwords; w++)
		cand->word[w] &= ~used[w];
	if (k->spec_cores)
		bitset_andnot(cand, k->spec_cores);
	if (s->job->whole_node || s->limit_cpus) /* recorded: MaxCPUsPerNode does not narrow the choice of cores */
		return;
	if (s->cl->params->cr_unit == CR_SOCKET) /* a socket with any used core gives nothing */
		for (uint32_t x = 0; x < k->sockets; x++) {
			uint32_t first = x * k->cores_per_socket, n = 0;
			for (uint32_t b = first; b < first + k->cores_per_socket; b++)
				n += bitset_test(cand, b);
			for (uint32_t b = first; b < first + k->cores_per_socket && n < k->cores_per_socket; b++)
				bitset_clear(cand, b);
		}
	uint32_t keep = (s->offer[node] + c - 1) / c, n = 0;
	int64_t i;
	for (BITSET_EACH(i, cand))
		if (++n > keep)
			bitset_clear(cand, (uint32_t)i);
}

static uint32_t core_cpus(const struct selector *s, const struct node_config *k)
{
	uint32_t c = k->cpus_per_core;
	if (s->job->req->threads_per_core != NO_VAL)
		c = MIN(c, MAX(1u, s->job->req->threads_per_core));
	if (s->job->ntasks_per_core)
		c = MIN(c, (uint32_t)s->job->ntasks_per_core * s->job->cpt);
	return MAX(1u, c);
}

static void whole_sockets(const struct node_config *k, struct bitset *out)
{
	for (uint32_t x = 0; x < k->sockets; x++) {
		bool touched = false;
		for (uint32_t b = x * k->cores_per_socket; b < (x + 1u) * k->cores_per_socket; b++)
			touched = touched || bitset_test(out, b);
		if (touched)
			bitset_set_range(out, x * k->cores_per_socket, (x + 1u) * k->cores_per_socket - 1);
	}
}

/* Devices: near the job's cores first, lowest index first. Returns how many were found. */
static uint32_t take_devices(const struct node_gres *ng, const struct gres_want *w, uint64_t used, const struct bitset *cores, uint32_t want,
			     uint64_t *out)
{
	uint32_t got = 0;
	for (int near = 1; near >= 0 && got < want; near--)
		for (uint32_t i = 0; i < ng->n_groups && got < want; i++) {
			const struct gres_group *g = &ng->group[i];
			if (w->type && (!g->type || strcmp(g->type, w->type) != 0))
				continue;
			bool is_near = !g->cores || bitset_intersects(g->cores, cores);
			if (is_near != (near == 1))
				continue;
			for (uint32_t d = g->first; d < g->first + g->count && got < want; d++)
				if (!(((used | *out) >> d) & 1)) {
					*out |= UINT64_C(1) << d;
					got++;
				}
		}
	return got;
}

struct placing {
	struct selector *s;
	struct job_alloc *a;
	GArray *words, *gres;
};

static bool place_gres_on(struct placing *p, struct alloc_node *an, const struct bitset *cores)
{
	struct selector *s = p->s;
	const struct job *j = s->job;
	const struct node_config *k = s->cl->node[an->node]->config;
	an->gres_first = p->gres->len;
	for (uint32_t g = 0; g < k->n_gres; g++) {
		const struct node_gres *ng = &k->gres[g];
		const struct gres_use *u = &usage_gres(s->view, an->node)[g];
		struct gres_taken t = {.gres = (uint16_t)g};
		if (ng->no_consume)
			continue;
		if (j->whole_node) { /* N65: all of it */
			t.count = ng->count;
			t.devices = ng->devices ? (ng->count >= 64 ? UINT64_MAX : (UINT64_C(1) << ng->count) - 1) : 0;
		}
		for (uint32_t i = 0; i < j->n_gres && !j->whole_node; i++) {
			const struct gres_want *w = &j->gres[i];
			if (strcmp(w->name, ng->name) != 0)
				continue;
			uint32_t want = w->per_node ? w->per_node : w->per_job ? s->gtaken[an->node] : w->per_task * MAX(1u, an->tasks);
			if (ng->devices && take_devices(ng, w, u->devices, cores, want, &t.devices) < want)
				return false;
			t.count += want;
		}
		if (t.count) {
			g_array_append_val(p->gres, t);
			if (strcmp(ng->name, "gpu") == 0)
				p->a->gpus += t.count;
		}
	}
	an->n_gres = (uint16_t)(p->gres->len - an->gres_first);
	return true;
}

static bool place_on(struct placing *p, struct alloc_node *an, uint32_t cpus)
{
	struct selector *s = p->s;
	const struct job *j = s->job;
	const struct node_config *k = s->cl->node[an->node]->config;
	uint32_t c = core_cpus(s, k);
	struct bitset *cand = bitset_new(k->cores), *out = bitset_new(k->cores);
	candidate_cores(s, an->node, c, cand);
	bool ok = true;
	if (j->whole_node) {
		bitset_assign(out, cand);
		cpus = bitset_count(out) * k->cpus_per_core;
	} else {
		bool block = s->cl->params->cr_unit == CR_CPU || s->cl->params->cr_default_dist_block ||
			     j->req->distribution == DIST_PLANE || j->req->distribution_socket == DIST_BLOCK;
		uint32_t got = block ? place_cores_block(k, cand, cpus, c, out) : place_cores_cyclic(k, cand, cpus, j->cpt, c, out);
		ok = got * c >= cpus;
		if (s->cl->params->cr_unit == CR_SOCKET)
			whole_sockets(k, out);
	}
	an->cores = (uint16_t)bitset_count(out);
	an->cpus = (uint16_t)(s->cl->params->cr_unit == CR_CPU && !j->whole_node ? cpus : an->cores * k->cpus_per_core); /* N56 */
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	if (!s->cl->params->cr_memory)
		an->mem = 0;
	else if (j->mem_all) /* N57 */
		an->mem = memory;
	else
		an->mem = j->mem_per_cpu ? j->pn_min_memory * MIN((uint32_t)an->cpus, an->cores * c) : j->pn_min_memory;
	ok = ok && (!s->cl->params->cr_memory || usage_node(s->view, an->node)->mem + an->mem <= memory);
	an->core_word = p->words->len;
	g_array_append_vals(p->words, out->word, out->nwords);
	ok = ok && place_gres_on(p, an, out);
	p->a->cpus += an->cpus;
	p->a->mem += an->mem;
	bitset_free(cand);
	bitset_free(out);
	return ok;
}

/* N51 */
static uint32_t total_tasks(const struct selector *s)
{
	const struct job *j = s->job;
	if (j->ntasks_per_node && (j->ntasks == NO_VAL || s->cl->params->version == SLURM_22_05))
		return j->ntasks_per_node * s->n_chosen;
	if (j->ntasks != NO_VAL)
		return j->ntasks;
	return MAX(j->min_cpus, s->n_chosen * MAX(1u, j->pn_min_cpus)) / j->cpt;
}

struct job_alloc *trial_place(struct selector *s)
{
	const struct job *j = s->job;
	uint32_t n = s->n_chosen, k = 0;
	struct placing p = {s, g_new0(struct job_alloc, 1), g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			    g_array_new(FALSE, FALSE, sizeof(struct gres_taken))};
	uint32_t *cap = g_new(uint32_t, 4 * (gsize)n), *tpc = cap + n, *cpus = tpc + n, *tasks = cpus + n;
	p.a->n = n;
	p.a->node = g_new0(struct alloc_node, n);
	p.a->whole = j->share_none || j->whole_node;
	int64_t i;
	for (BITSET_EACH(i, s->chosen)) {
		p.a->node[k].node = (uint32_t)i;
		cap[k] = s->taken[i];
		tpc[k++] = s->cl->node[i]->config->cpus_per_core;
	}
	uint32_t per_node = j->ntasks_per_node && !j->share_none ? j->ntasks_per_node : UINT32_MAX;
	place_tasks(n, cap, tpc, j->cpt, total_tasks(s), per_node, j->overcommit, cpus, tasks);
	bool ok = true;
	for (k = 0; k < n && ok; k++) {
		p.a->node[k].tasks = (uint16_t)MIN(tasks[k], UINT16_MAX);
		ok = place_on(&p, &p.a->node[k], cpus[k]);
	}
	g_free(cap);
	p.a->words = (uint64_t *)(void *)g_array_free(p.words, FALSE);
	p.a->gres = (struct gres_taken *)(void *)g_array_free(p.gres, FALSE);
	if (ok)
		return p.a;
	job_alloc_free(p.a);
	return NULL;
}
