/* place.c - see place.h */
#include "sched/place.h"
#include "sched/choose.h"
#include "sched/gres_place.h"
#include "sched/offer.h"
#include "sched/share.h"

#include <string.h>

struct layout { /* N52 of one job */
	uint32_t n, cpt, left;
	const uint32_t *cap, *tpc;
	uint32_t *limit; /* tasks at most on a node */
	uint32_t *cpus, *tasks;
};

static bool add_task(struct layout *l, uint32_t i)
{
	if (!l->left || l->cpus[i] + l->cpt > l->cap[i] || l->tasks[i] >= l->limit[i])
		return false;
	l->tasks[i]++;
	l->cpus[i] += l->cpt;
	l->left--;
	return true;
}

static bool add_round(struct layout *l, uint32_t plane)
{
	bool moved = false;
	for (uint32_t i = 0; i < l->n && l->left; i++)
		for (uint32_t r = plane ? plane : MAX(1u, l->tpc[i] / l->cpt); r && add_task(l, i); r--)
			moved = true;
	return moved;
}

/* Tasks that node I has room for. */
static uint32_t room_on(const struct layout *l, uint32_t i)
{
	uint32_t cpus = l->cap[i] > l->cpus[i] ? (l->cap[i] - l->cpus[i]) / l->cpt : 0;
	return l->limit[i] > l->tasks[i] ? MIN(cpus, l->limit[i] - l->tasks[i]) : 0;
}

/* Rounds in which each node that has room takes as many as in the first: all at once. */
static void add_even_rounds(struct layout *l)
{
	uint32_t rounds = UINT32_MAX, each = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t room = room_on(l, i), turn = MAX(1u, l->tpc[i] / l->cpt);
		if (!room)
			continue;
		rounds = MIN(rounds, room / turn);
		each += turn;
	}
	rounds = each ? MIN(rounds, l->left / each) : 0;
	for (uint32_t i = 0; i < l->n && rounds; i++) {
		uint32_t more = room_on(l, i) ? rounds * MAX(1u, l->tpc[i] / l->cpt) : 0;
		l->tasks[i] += more;
		l->cpus[i] += more * l->cpt;
		l->left -= more;
	}
}

/* N52 */
static void lay_out(struct layout *l, uint32_t plane, bool overcommit)
{
	for (uint32_t i = 0; i < l->n; i++) { /* (1) one task everywhere */
		l->tasks[i] = l->left > 0;
		l->cpus[i] = MIN(l->cpt, l->cap[i]);
		l->left -= l->tasks[i];
	}
	for (uint32_t i = 0; i < l->n && l->left && !plane; i++) /* (2) fill up the core begun */
		for (uint32_t more = (l->cpus[i] % l->tpc[i]) / l->cpt; more && add_task(l, i); more--)
			;
	for (uint32_t i = 0; i < l->n && plane; i++)
		for (uint32_t more = plane - 1; more && add_task(l, i); more--)
			;
	do { /* (3) */
		if (!plane && !overcommit)
			add_even_rounds(l);
	} while (l->left && !overcommit && add_round(l, plane));
}

uint32_t place_tasks(uint32_t n, const uint32_t *cap, const uint32_t *tpc, uint32_t cpt, uint32_t ntasks,
                     uint32_t max_per_node, bool overcommit, uint32_t *cpus, uint32_t *tasks)
{
	uint32_t *limit = g_new(uint32_t, MAX(1u, n));
	for (uint32_t i = 0; i < n; i++)
		limit[i] = max_per_node;
	struct layout l = {
	    .n = n, .cpt = cpt, .left = ntasks, .cap = cap, .tpc = tpc, .limit = limit, .cpus = cpus, .tasks = tasks};
	lay_out(&l, 0, overcommit);
	g_free(limit);
	return l.left;
}

struct placing {
	struct selector *s;
	struct job_alloc *a;
	GArray *words, *gres;
	struct gres_placing devices;
};

/* N54 or N55 (the table of N54): the cores for CPUS among CAND. False when there are too few. */
static bool choose_cores(const struct selector *s, const struct node_config *k, const uint64_t *cand, uint32_t cpus,
                         uint64_t *out)
{
	const struct job *j = s->job;
	uint32_t c = offer_core_cpus(s, k);
	struct core_request r = {.cpus = cpus,
	                         .cpt = j->cpt,
	                         .c = c,
	                         .per_socket = j->ntasks_per_socket,
	                         .whole_core_task = j->ntasks_per_core == 1 && j->cpt > c};
	bool unset = j->req->distribution_socket == DIST_DEFAULT;
	bool block = s->cl->params->cr_unit == CR_CPU || (unset && s->cl->params->cr_default_dist_block) ||
	             j->req->distribution == DIST_PLANE || j->req->distribution_socket == DIST_BLOCK;
	uint32_t got = block ? cores_block(k, cand, &r, out) : cores_cyclic(k, cand, &r, out);
	if (s->cl->params->cr_unit == CR_SOCKET)
		cores_fill_sockets(out, k);
	return got * c >= cpus;
}

/* Cores and CPUs of one node (N53-N56). */
static bool place_cores_on(struct placing *p, struct alloc_node *an, uint32_t cpus)
{
	struct selector *s = p->s;
	const struct job *j = s->job;
	const struct node_config *k = s->config[an->node];
	uint32_t words = core_words(k);
	uint64_t *cand = s->core_scratch + s->most_words;
	an->core_word = p->words->len;
	g_array_set_size(p->words, an->core_word + words);
	uint64_t *out = &g_array_index(p->words, uint64_t, an->core_word);
	memset(out, 0, words * sizeof *out);
	if (s->has_gres && !j->whole_node)
		cand = s->cores + s->core_off[an->node];
	else
		node_candidates(s, an->node, cand);
	bool ok = true;
	if (j->whole_node)
		memcpy(out, cand, words * sizeof *out);
	else
		ok = choose_cores(s, k, cand, cpus, out);
	an->cores = (uint16_t)cores_all(out, k);
	uint32_t charged = an->cores; /* N56 */
	if (j->core_spec != NO_VAL) /* recorded: whatever it leaves alone or uses of the node's own */
		charged = k->cores - (k->spec_cores ? bitset_count(k->spec_cores) : 0);
	an->cpus = (uint16_t)(s->cl->params->cr_unit == CR_CPU && !j->whole_node ? cpus : charged * k->cpus_per_core);
	struct gres_node n = {.node = an->node, .cores = out, .cpus = cpus, .tasks = an->tasks};
	return ok && (!(s->has_gres || (j->whole_node && k->n_gres)) || gres_place_node(&p->devices, &n));
}

/* N57 */
static uint64_t memory_on(const struct selector *s, const struct alloc_node *an, const struct node_config *k,
                          uint32_t gpus)
{
	const struct job *j = s->job;
	uint32_t c = k->cpus_per_core;
	if (j->req->threads_per_core != NO_VAL)
		c = MIN(c, MAX(1u, j->req->threads_per_core));
	if (!s->cl->params->cr_memory)
		return 0;
	if (j->mem_all)
		return k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	if (j->mem_per_gpu)
		return j->mem_per_gpu * gpus;
	return j->mem_per_cpu ? j->pn_min_memory * MIN((uint32_t)an->cpus, an->cores * c) : j->pn_min_memory;
}

static bool place_memory(struct placing *p, struct alloc_node *an, uint32_t gpus)
{
	const struct node_config *k = p->s->config[an->node];
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	an->mem = memory_on(p->s, an, k, gpus);
	p->a->cpus += an->cpus;
	p->a->mem += an->mem;
	return !p->s->cl->params->cr_memory || usage_node(p->s->view, an->node)->mem + an->mem <= memory;
}

/* N51 */
static uint32_t total_tasks(const struct selector *s, uint32_t least)
{
	const struct job *j = s->job;
	bool old = s->cl->params->version == SLURM_22_05;
	if (j->ntasks_per_node)
		return j->ntasks_per_node * s->n_chosen;
	if (j->ntasks != NO_VAL && !old)
		return j->ntasks;
	return MAX(MAX(j->min_cpus, s->n_chosen * MAX(1u, j->pn_min_cpus)), least) / j->cpt;
}

/* Tasks and CPUs of every node. False when they find no place. */
static bool lay_out_job(struct selector *s, struct layout *l)
{
	const struct job *j = s->job;
	bool old = s->cl->params->version == SLURM_22_05, ok = true;
	uint32_t per_node = j->ntasks_per_node && !j->share_none ? j->ntasks_per_node : UINT32_MAX, k = 0, least = 0;
	bool by_task = false, limited = false;
	int64_t i;
	for (uint32_t w = 0; w < j->n_gres; w++)
		by_task = by_task || j->gres[w].per_task;
	for (BITSET_EACH(i, s->chosen)) {
		bool gpus = s->has_gres && !j->whole_node;
		uint32_t t_max = gpus && (by_task || !old) ? s->t_max[i] : UINT32_MAX;
		l->limit[k++] = MIN(per_node, t_max);
		limited = limited || (t_max < per_node && !by_task);
		least += gpus ? s->least[i] : 0;
	}
	l->left = total_tasks(s, least);
	lay_out(l, j->req->distribution == DIST_PLANE ? MAX(1u, j->req->plane_size) : 0, j->overcommit);
	if (l->left && limited && !j->overcommit) { /* no progress: a limit that is not of --gpus-per-task goes */
		for (k = 0; k < l->n; k++)
			l->limit[k] = per_node;
		while (l->left && add_round(l, 0))
			;
	}
	if (l->left && !j->overcommit && !old && !j->whole_node && s->has_gres)
		ok = false;
	k = 0;
	for (BITSET_EACH(i, s->chosen)) {
		if (s->has_gres && !j->whole_node)
			l->cpus[k] = MIN(MAX(l->cpus[k], s->least[i]), l->cap[k]);
		k++;
	}
	return ok;
}

static bool place_all(struct placing *p, const struct layout *l)
{
	bool ok = true;
	for (uint32_t k = 0; k < l->n && ok; k++) {
		p->a->node[k].tasks = (uint16_t)MIN(l->tasks[k], UINT16_MAX);
		ok = place_cores_on(p, &p->a->node[k], l->cpus[k]);
	}
	ok = ok && (!p->s->has_gres || gres_place_finish(&p->devices));
	for (uint32_t k = 0, placed = 0; k < l->n && ok; k++) {
		struct alloc_node *an = &p->a->node[k];
		uint32_t gpus = 0;
		an->gres_first = p->gres->len;
		if (placed < p->devices.nodes->len && g_array_index(p->devices.nodes, guint, placed) == an->node)
			gpus = gres_place_store(&p->devices, placed++, p->gres);
		an->n_gres = (uint16_t)(p->gres->len - an->gres_first);
		p->a->gpus += gpus;
		ok = place_memory(p, an, gpus);
	}
	return ok;
}

struct job_alloc *trial_place(struct selector *s)
{
	const struct job *j = s->job;
	uint32_t n = s->n_chosen, k = 0;
	struct placing p = {.s = s,
	                    .a = g_new0(struct job_alloc, 1),
	                    .words = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
	                    .gres = g_array_new(FALSE, FALSE, sizeof(struct gres_taken))};
	uint32_t *cap = g_new(uint32_t, 5 * (gsize)n), *tpc = cap + n;
	struct layout l = {
	    .n = n, .cpt = j->cpt, .cap = cap, .tpc = tpc, .cpus = tpc + n, .tasks = tpc + 2 * n, .limit = tpc + 3 * n};
	p.a->n = n;
	p.a->node = g_new0(struct alloc_node, n);
	p.a->whole = share_alone(s->cl->params, j);
	p.a->user = j->user_key + 1;
	p.a->user_only = offer_user_only(s);
	p.a->topo_only = wants_units(j, s->part);
	int64_t i;
	for (BITSET_EACH(i, s->chosen)) {
		p.a->node[k].node = (uint32_t)i;
		cap[k] = s->taken[i];
		tpc[k++] = s->config[i]->cpus_per_core;
	}
	gres_place_begin(&p.devices, s, n);
	bool ok = lay_out_job(s, &l) && place_all(&p, &l);
	gres_place_end(&p.devices);
	g_free(cap);
	p.a->words = (uint64_t *)(void *)g_array_free(p.words, FALSE);
	p.a->gres = (struct gres_taken *)(void *)g_array_free(p.gres, FALSE);
	if (ok)
		return p.a;
	job_alloc_free(p.a);
	return NULL;
}

bool trial_would_start(struct selector *s)
{
	if (!trial_choose(s))
		return false;
	if (!s->has_gres)
		return true;
	struct job_alloc *a = trial_place(s);
	bool ok = a != NULL;
	job_alloc_free(a);
	return ok;
}
