/* offer.c - see offer.h */
#include "sched/offer.h"
#include "sched/alike.h"
#include "sched/gres_cores.h"
#include "sched/gres_select.h"

#include <string.h>

uint32_t offer_core_cpus(const struct selector *s, const struct node_config *k)
{
	const struct job *j = s->job;
	uint32_t c = k->cpus_per_core;
	if (s->cl->params->cr_one_task_per_core && j->req->cpus_per_gpu != NO_VAL)
		return c;
	if (j->req->threads_per_core != NO_VAL)
		c = MIN(c, MAX(1u, j->req->threads_per_core));
	if (j->ntasks_per_core)
		c = MIN(c, (uint32_t)j->ntasks_per_core * j->cpt);
	return MAX(1u, c);
}

bool offer_user_only(const struct selector *s)
{
	return s->job->req->share == SHARE_EXCLUSIVE_USER || s->part->exclusive_user;
}

/* What is judged of a node before memory. */
struct judged {
	const struct node_config *k;
	uint32_t c;
	uint32_t avail; /* CPUs */
	uint32_t sockets;
	uint32_t *free; /* [sockets] */
	bool *needed;   /* [sockets] their cores are kept first (N63) */
};

/* Cores that are not for the job: the node's own, or as many as its --core-spec says (N32, recorded). */
static void cut_spec(const struct selector *s, const struct node_config *k, uint64_t *w)
{
	const struct job *j = s->job;
	if (j->core_spec == NO_VAL || j->thread_spec) {
		for (uint32_t i = 0; i < core_words(k) && k->spec_cores; i++)
			w[i] &= ~k->spec_cores->word[i];
		return;
	}
	uint64_t *special = g_newa0(uint64_t, core_words(k));
	cores_special(k, j->core_spec, s->cl->params->spec_cores_first, special);
	for (uint32_t i = 0; i < core_words(k); i++)
		w[i] &= ~special[i];
}

/* CPUs of a node that is all the job's (recorded): --core-spec takes the place of the node's own cores, --thread-spec goes off besides. */
static uint32_t whole_cpus(const struct job *j, const struct node_config *k)
{
	uint32_t own = k->spec_cores ? bitset_count(k->spec_cores) : 0, spec = j->core_spec == NO_VAL || j->thread_spec ? own : MIN(j->core_spec, k->cores);
	uint32_t cpus = (uint32_t)(k->cores - spec) * k->cpus_per_core;
	return j->thread_spec ? cpus - MIN(cpus, j->core_spec) : cpus;
}

/* N32, N33.1, N33.2. False when too few sockets remain. */
static bool free_cores(const struct selector *s, uint32_t node, const struct node_config *k, uint64_t *w,
                       uint32_t *free)
{
	uint32_t words = core_words(k), n = socket_count(k), usable = 0;
	const uint64_t *used = s->mode == TRIAL_TEST_ONLY ? NULL : usage_cores(s->view, node);
	for (uint32_t i = 0; i < words; i++)
		w[i] = used ? ~used[i] : UINT64_MAX;
	for (uint32_t i = 0; used && s->blocked && i < words; i++) /* kept for reservations (C60) */
		w[i] &= ~s->blocked[s->view->core_off[node] + i];
	if (k->cores % 64)
		w[words - 1] &= (UINT64_C(1) << (k->cores % 64)) - 1;
	if (s->cl->params->cr_unit == CR_SOCKET)
		cores_drop_broken_sockets(w, k);
	cut_spec(s, k, w);
	restricted_cut(s, k, w);
	uint32_t least = s->job->req->cores_per_socket != NO_VAL ? s->job->req->cores_per_socket : 0;
	for (uint32_t x = 0; x < n; x++) {
		free[x] = cores_on_socket(w, k, x);
		if (free[x] && free[x] < least) {
			cores_keep_on_socket(w, k, x, 0);
			free[x] = 0;
		}
		usable += free[x] > 0;
	}
	return s->job->req->sockets_per_node == NO_VAL || usable >= s->job->req->sockets_per_node;
}

/* N33.3-N33.6, N33.8 on the sums: CPUS = sum of c x f, T = tasks by sockets. */
static uint32_t offer_from_sums(const struct selector *s, uint32_t node, uint32_t c, uint32_t cpus, uint32_t t)
{
	const struct job *j = s->job;
	uint32_t avail = cpus, npn = j->ntasks_per_node;
	if (cpus < j->pn_min_cpus)
		return 0;
	if (s->limit_cpus) { /* N33.1 */
		uint32_t room = s->part->max_cpus_per_node - MIN(s->part->max_cpus_per_node, s->jobs_cpus[node]);
		avail = MIN(avail, room);
	}
	t = MIN(t, avail);
	if (npn && !j->share_none && j->req->cpus_per_gpu == NO_VAL)
		t = MIN(t, npn);
	if (s->cl->params->version != SLURM_22_05 && !j->n_gres) { /* N33.5 */
		if (j->cpt > 1 && j->ntasks_per_core == 1 && j->cpt > c)
			avail = avail / ((j->cpt + c - 1) / c * c) * j->cpt;
		if (j->cpt > 1)
			t = MIN(t, avail / j->cpt);
		avail = t * j->cpt;
	}
	if ((t < npn && !j->overcommit) || avail < j->pn_min_cpus) /* N33.6 */
		return 0;
	uint32_t tasks = npn ? npn : j->overcommit ? 1 : s->count.max == 1 && j->ntasks != NO_VAL ? j->ntasks : 1;
	return avail >= (uint64_t)j->cpt * tasks ? avail : 0; /* N33.8 */
}

static uint32_t judge(struct selector *s, uint32_t node, uint64_t *w, struct judged *n)
{
	const struct job *j = s->job;
	if (!free_cores(s, node, n->k, w, n->free))
		return 0;
	uint32_t cpus = 0, t = 0;
	for (uint32_t x = 0; x < n->sockets; x++) {
		cpus += n->c * n->free[x];
		t += j->ntasks_per_socket ? MIN(n->c * n->free[x], j->ntasks_per_socket) : n->c * n->free[x];
		n->needed[x] = false;
	}
	if (j->n_gres && !gres_possible(s, node, n->free, n->needed))
		return 0;
	return n->avail = offer_from_sums(s, node, n->c, cpus, t);
}

/* N33.7 */
static void keep_cores(const struct selector *s, const struct judged *n, uint64_t *w)
{
	const struct job *j = s->job;
	if (s->limit_cpus) /* recorded: MaxCPUsPerNode does not narrow the choice of cores */
		return;
	uint32_t rest = n->avail, first_cpus = 0, first = 0;
	for (uint32_t x = 0; x < n->sockets; x++) {
		first += n->needed[x];
		first_cpus += n->needed[x] ? n->free[x] * n->c : 0;
	}
	uint32_t share = first && first_cpus > n->avail ? n->avail / first / n->c + 1 : UINT32_MAX;
	uint32_t most = j->ntasks_per_socket ? ((uint32_t)j->ntasks_per_socket * j->cpt + n->c - 1) / n->c : UINT32_MAX;
	for (int needed = 1; needed >= 0; needed--)
		for (uint32_t x = 0; x < n->sockets; x++) {
			if (n->needed[x] != (needed == 1))
				continue;
			uint32_t keep = MIN(MIN(n->free[x], most), (rest + n->c - 1) / n->c);
			if (needed)
				keep = MIN(keep, share);
			if (keep < n->free[x])
				cores_keep_on_socket(w, n->k, x, keep);
			rest -= MIN(rest, keep * n->c);
		}
}

/* N34: memory left for AVAIL CPUs; the count that fits, a multiple of cpt. */
static uint32_t fit_memory(const struct selector *s, const struct node_config *k, uint32_t avail, uint32_t c,
                           uint64_t free_mem)
{
	const struct job *j = s->job;
	if (!s->cl->params->cr_memory || j->mem_all || !j->pn_min_memory || !j->mem_per_cpu)
		return avail;
	bool by_task = j->ntasks_per_core == 1 && j->cpt == 1 && s->cl->params->cr_unit != CR_CPU;
	uint32_t times = by_task ? k->cpus_per_core : 1;
	uint32_t unit = by_task || s->cl->params->cr_unit == CR_CPU ? 1
	                : s->cl->params->cr_unit == CR_SOCKET       ? c * socket_size(k)
	                                                            : c;
	while (avail && j->pn_min_memory * avail * times > free_mem)
		avail = avail > unit ? avail - unit : 0;
	avail = j->cpt > 1 ? avail / j->cpt * j->cpt : avail;
	return j->ntasks_per_node && avail / j->cpt < j->ntasks_per_node && !j->overcommit ? 0 : avail;
}

static bool memory_possible(const struct selector *s, const struct node_use *u, uint64_t free_mem)
{
	const struct job *j = s->job;
	if (!s->cl->params->cr_memory)
		return true;
	if (j->mem_all)
		return u->mem == 0;
	uint64_t need = j->pn_min_memory;
	if (j->mem_per_cpu)
		need *= MAX(MAX(j->ntasks_per_node, j->cpt), MAX(1u, j->pn_min_cpus));
	return need <= free_mem;
}

/* A whole node comes with all its GRES. */
static bool gres_untouched(const struct selector *s, uint32_t node)
{
	const struct gres_use *g = usage_gres(s->view, node);
	for (uint32_t i = 0; i < s->config[node]->n_gres; i++)
		if (g[i].count || g[i].devices)
			return false;
	return true;
}

static uint32_t offer_whole(struct selector *s, uint32_t node, const struct node_config *k, const struct node_use *u,
                            uint64_t free_mem)
{
	const struct job *j = s->job;
	if (u->cores || (u->jobs && !(s->admitted && gres_untouched(s, node)))) /* N31, N32 */
		return 0;
	uint32_t avail = whole_cpus(j, k);
	if (!avail || avail < j->pn_min_cpus ||
	    (s->cl->params->cr_memory && j->mem_per_cpu && j->pn_min_memory * avail > free_mem))
		return 0;
	if (!j->n_gres)
		return avail;
	uint32_t free[SOCKETS_MAX];
	if (!free_cores(s, node, k, s->core_scratch, free) || !gres_possible(s, node, free, NULL) ||
	    !gres_limits(s, node, s->core_scratch, avail, free_mem))
		return 0;
	return avail;
}

/* A part of a node by its cores and devices: N32-N34. */
static uint32_t offer_part(struct selector *s, uint32_t node, const struct node_config *k, uint64_t free_mem)
{
	const struct job *j = s->job;
	uint32_t c = offer_core_cpus(s, k), free[SOCKETS_MAX];
	bool needed[SOCKETS_MAX];
	struct judged n = {.k = k, .c = c, .sockets = socket_count(k), .free = free, .needed = needed};
	uint32_t avail = judge(s, node, s->core_scratch, &n);
	if (avail && j->n_gres) {
		keep_cores(s, &n, s->core_scratch);
		if (!gres_limits(s, node, s->core_scratch, avail, free_mem))
			return 0;
	}
	return avail ? fit_memory(s, k, avail, c, free_mem) : 0;
}

/* The same, unless a node that is used alike has been judged. */
static uint32_t offer_remembered(struct selector *s, uint32_t node, const struct node_config *k, uint64_t free_mem)
{
	struct alike_key key;
	bool found;
	if (!alike_key(s, node, 0, &key))
		return offer_part(s, node, k, free_mem);
	struct alike_offer *o = alike_offer(s->alike, &key, &found);
	if (!found)
		*o = (struct alike_offer){.cpus = offer_part(s, node, k, free_mem), .gpus = s->gpus[node], .near = s->near[node]};
	s->gpus[node] = o->gpus;
	s->near[node] = o->near;
	return o->cpus;
}

/* A part of the node is kept from the job: by others, or as it is not its reservation's (recorded: then it never starts). */
static bool kept_from(const struct selector *s, uint32_t node, const struct node_config *k)
{
	if (!s->blocked || s->mode == TRIAL_TEST_ONLY)
		return false;
	const uint64_t *kept = s->blocked + s->view->core_off[node];
	for (uint32_t i = 0; i < k->cores; i++)
		if (core_test(kept, i) && !(k->spec_cores && bitset_test(k->spec_cores, i)))
			return true;
	for (uint32_t g = 0; g < k->n_gres && s->blocked_gres; g++) {
		const struct gres_use *u = &s->blocked_gres[s->view->gres_off[node] + g];
		uint64_t all = k->gres[g].count >= 64 ? UINT64_MAX : (UINT64_C(1) << k->gres[g].count) - 1;
		if (u->count || u->devices & all)
			return true;
	}
	return false;
}

uint32_t node_offer(struct selector *s, uint32_t node)
{
	static const struct node_use nothing;
	const struct job *j = s->job;
	const struct node_config *k = s->config[node];
	const struct node_use *u = s->mode == TRIAL_TEST_ONLY ? &nothing : usage_node(s->view, node);
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	uint64_t free_mem = memory - MIN(u->mem, memory);
	if ((j->n_gres && !gres_enough(s, node)) || !memory_possible(s, u, free_mem) ||
	    !node_use_admits(u, j->user_key + 1, offer_user_only(s))) /* N31 */
		return 0;
	if (j->whole_node)
		return kept_from(s, node, k) ? 0 : offer_whole(s, node, k, u, free_mem);
	uint32_t avail;
	if (s->sums_suffice && !k->restricted && !(s->blocked && s->mode != TRIAL_TEST_ONLY)) {
		uint32_t spec = k->spec_cores ? bitset_count(k->spec_cores) : 0, c = offer_core_cpus(s, k),
		         cpus = c * (uint32_t)(k->cores - spec - u->cores);
		avail = offer_from_sums(s, node, c, cpus, cpus);
		avail = avail ? fit_memory(s, k, avail, c, free_mem) : 0;
	} else {
		avail = offer_remembered(s, node, k, free_mem);
	}
	return avail >= j->pn_min_cpus ? avail : 0;
}

void node_candidates(struct selector *s, uint32_t node, uint64_t *cand)
{
	const struct node_config *k = s->config[node];
	uint32_t free[SOCKETS_MAX];
	bool needed[SOCKETS_MAX];
	struct judged n = {
	    .k = k, .c = offer_core_cpus(s, k), .sockets = socket_count(k), .free = free, .needed = needed};
	if (s->job->whole_node)
		free_cores(s, node, k, cand, free);
	else if (judge(s, node, cand, &n))
		keep_cores(s, &n, cand);
}
