/* select.c - see select.h */
#include "sched/select.h"

#include <string.h>

struct run { /* N43.2: consecutive usable nodes of equal weight */
	uint32_t first, last; /* node indexes; members are the candidates between them */
	uint32_t nodes;
	uint64_t cpus;
	uint64_t weight; /* of the nodes, see sched_weight() */
	bool required, used;
};

struct selector *selector_new(const struct cluster *c)
{
	struct selector *s = g_new0(struct selector, 1);
	s->cl = c;
	s->offer = g_new0(uint32_t, c->n_nodes);
	s->gpus = g_new0(uint32_t, c->n_nodes);
	s->left = g_new0(uint32_t, c->n_nodes);
	s->taken = g_new0(uint32_t, c->n_nodes);
	s->gtaken = g_new0(uint32_t, c->n_nodes);
	s->jobs_cpus = g_new0(uint32_t, c->n_nodes);
	s->ok = bitset_new(c->n_nodes);
	s->cand = bitset_new(c->n_nodes);
	s->same = bitset_new(c->n_nodes);
	s->chosen = bitset_new(c->n_nodes);
	s->runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	s->by_offer = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return s;
}

void selector_free(struct selector *s)
{
	if (!s)
		return;
	g_free(s->offer);
	g_free(s->gpus);
	g_free(s->left);
	g_free(s->taken);
	g_free(s->gtaken);
	g_free(s->jobs_cpus);
	bitset_free(s->ok);
	bitset_free(s->cand);
	bitset_free(s->same);
	bitset_free(s->chosen);
	g_array_unref(s->runs);
	g_array_unref(s->by_offer);
	g_free(s);
}

struct trial_counts trial_counts_for(const struct job *j, const struct partition *part, uint32_t cap)
{
	struct trial_counts t;
	uint32_t qos = j->qos ? j->qos->flags : 0;
	t.min = qos & QOS_PART_MIN_NODE ? j->min_nodes : MAX(j->min_nodes, part->min_nodes);
	uint32_t part_max = qos & QOS_PART_MAX_NODE ? INFINITE : part->max_nodes;
	t.max = j->max_nodes == NO_VAL ? part_max : MIN(j->max_nodes, part_max);
	t.max = MIN(MIN(t.max, cap), 500000u);
	bool own_max = j->max_nodes != NO_VAL && !j->max_nodes_implicit && !j->req->use_min_nodes;
	t.req = own_max ? t.max : t.min;
	return t;
}

/* ---- what a node offers (N31-N34) ---- */

const struct gres_want *job_main_gres(const struct job *j)
{
	for (uint32_t i = 0; i < j->n_gres; i++)
		if (j->gres[i].per_job)
			return &j->gres[i];
	return j->n_gres ? &j->gres[0] : NULL;
}

uint32_t gres_available(const struct cluster *c, const struct usage *view, uint32_t node, const struct gres_want *w, bool ignore_use)
{
	const struct node_config *k = c->node[node]->config;
	for (uint32_t g = 0; g < k->n_gres; g++) {
		const struct node_gres *ng = &k->gres[g];
		if (strcmp(ng->name, w->name) != 0)
			continue;
		if (ng->no_consume || ignore_use)
			return node_config_gres(k, w->name, w->type);
		const struct gres_use *u = &usage_gres(view, node)[g];
		if (!ng->devices)
			return node_config_gres(k, w->name, w->type) - MIN(u->count, node_config_gres(k, w->name, w->type));
		uint32_t n = 0;
		for (uint32_t i = 0; i < ng->n_groups; i++) {
			const struct gres_group *gr = &ng->group[i];
			if (w->type && (!gr->type || strcmp(gr->type, w->type) != 0))
				continue;
			for (uint32_t d = gr->first; d < gr->first + gr->count; d++)
				n += !((u->devices >> d) & 1);
		}
		return n;
	}
	return 0;
}

/* CPUs per core that this job may use (N33.3). */
static uint32_t cpus_per_core(const struct selector *s, const struct job *j, const struct node_config *k)
{
	uint32_t c = k->cpus_per_core;
	const struct job_request *r = j->req;
	if (r->threads_per_core != NO_VAL)
		c = MIN(c, MAX(1u, r->threads_per_core));
	if (j->ntasks_per_core && !(s->cl->params->cr_one_task_per_core && r->cpus_per_gpu != NO_VAL))
		c = MIN(c, (uint32_t)j->ntasks_per_core * j->cpt);
	return MAX(1u, c);
}

static uint32_t bits_in(const uint64_t *w, uint32_t first, uint32_t n)
{
	uint32_t used = 0;
	for (uint32_t b = first; b < first + n; b++)
		used += (w[b >> 6] >> (b & 63)) & 1;
	return used;
}

const uint64_t *selector_used_cores(const struct selector *s, uint32_t node, uint64_t *scratch)
{
	const uint64_t *used = usage_cores(s->view, node);
	if (!s->blocked)
		return used;
	uint32_t first = s->view->core_off[node], n = s->view->core_off[node + 1] - first;
	g_assert(n <= 16);
	for (uint32_t w = 0; w < n; w++)
		scratch[w] = used[w] | s->blocked[first + w];
	return scratch;
}

/* N32: cores that run jobs or are kept for reservations. */
static uint32_t held_cores(const struct selector *s, const struct node_config *k, const struct node_use *u, uint32_t node)
{
	uint64_t scratch[16];
	if (!s->blocked || s->mode == TRIAL_TEST_ONLY)
		return u->cores;
	return bits_in(selector_used_cores(s, node, scratch), 0, k->cores);
}

/* Usable cores and tasks by socket, for the cases where sockets matter (CR_Socket, ntasks-per-socket). */
static uint32_t socket_cores(const struct selector *s, const struct job *j, uint32_t node, const struct node_config *k, uint32_t c,
			     uint32_t *tasks_cpus)
{
	static const uint64_t none[16];
	uint64_t both[16];
	const uint64_t *used = s->mode == TRIAL_TEST_ONLY ? none : selector_used_cores(s, node, both);
	uint32_t cores = 0, cpus = 0;
	for (uint32_t x = 0; x < k->sockets; x++) {
		uint32_t u = bits_in(used, x * k->cores_per_socket, k->cores_per_socket);
		uint32_t f = k->cores_per_socket - u;
		if (s->cl->params->cr_unit == CR_SOCKET && u)
			f = 0;
		if (j->req->cores_per_socket != NO_VAL && f < j->req->cores_per_socket)
			f = 0;
		cores += f;
		cpus += j->ntasks_per_socket ? MIN(c * f, (uint32_t)j->ntasks_per_socket * j->cpt) : c * f;
	}
	*tasks_cpus = cpus;
	return cores;
}

/* N34: memory left for AVAIL CPUs; the count that fits, a multiple of cpt. */
static uint32_t fit_memory(const struct selector *s, const struct job *j, uint32_t avail, uint32_t c, uint64_t free_mem)
{
	if (!s->cl->params->cr_memory || j->mem_all || !j->pn_min_memory)
		return avail;
	if (!j->mem_per_cpu)
		return avail;
	uint32_t unit = s->cl->params->cr_unit == CR_CPU ? 1 : c;
	while (avail && j->pn_min_memory * avail > free_mem)
		avail = avail > unit ? avail - unit : 0;
	return j->cpt > 1 ? avail / j->cpt * j->cpt : avail;
}

static bool memory_possible(const struct selector *s, const struct job *j, const struct node_use *u, uint64_t free_mem)
{
	if (!s->cl->params->cr_memory)
		return true;
	if (j->mem_all)
		return u->mem == 0;
	uint64_t need = j->pn_min_memory;
	if (j->mem_per_cpu)
		need *= MAX(MAX(j->ntasks_per_node, j->cpt), MAX(1u, j->pn_min_cpus));
	return need <= free_mem;
}

static bool gres_possible(struct selector *s, const struct job *j, uint32_t node)
{
	const struct gres_want *main = job_main_gres(j);
	for (uint32_t i = 0; i < j->n_gres; i++) {
		const struct gres_want *w = &j->gres[i];
		uint32_t n = gres_available(s->cl, s->view, node, w, s->mode == TRIAL_TEST_ONLY);
		uint32_t need = MAX(MAX(w->per_node, w->per_task), 1u); /* N63, N64 */
		if (n < need)
			return false;
		if (w == main)
			s->gpus[node] = n;
	}
	return true;
}

/* CPUs that NODE offers to the job; 0 = unusable. */
static uint32_t node_offer(struct selector *s, uint32_t node)
{
	static const struct node_use nothing;
	const struct job *j = s->job;
	const struct node_config *k = s->cl->node[node]->config;
	const struct node_use *u = s->mode == TRIAL_TEST_ONLY ? &nothing : usage_node(s->view, node);
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	uint64_t free_mem = memory - MIN(u->mem, memory);
	uint32_t spec = k->spec_cores ? bitset_count(k->spec_cores) : 0;
	if (!memory_possible(s, j, u, free_mem)) /* N31 */
		return 0;
	if (j->n_gres && !gres_possible(s, j, node))
		return 0;
	uint32_t c = cpus_per_core(s, j, k);
	uint32_t f = k->cores - MIN(k->cores, spec + held_cores(s, k, u, node)), avail;
	if (j->whole_node) { /* N31, N32, N53 */
		if (u->cores || u->jobs)
			return 0;
		avail = f * k->cpus_per_core;
		return avail >= j->pn_min_cpus ? avail : 0;
	}
	uint32_t task_cpus = c * f;
	if (s->cl->params->cr_unit == CR_SOCKET || j->ntasks_per_socket || j->req->cores_per_socket != NO_VAL)
		f = socket_cores(s, j, node, k, c, &task_cpus);
	if (c * f < j->pn_min_cpus)
		return 0;
	avail = task_cpus;
	if (s->limit_cpus) { /* N33.1 */
		uint32_t room = s->part->max_cpus_per_node - MIN(s->part->max_cpus_per_node, s->jobs_cpus[node]);
		avail = MIN(avail, room);
	}
	uint32_t t = avail / j->cpt;
	if (j->ntasks_per_node && !j->share_none)
		t = MIN(t, j->ntasks_per_node);
	/* N33.5: CPUs are offered in whole tasks, except in 22.05 and for jobs with GRES */
	if (s->cl->params->version != SLURM_22_05 && !j->n_gres)
		avail = t * j->cpt;
	if ((t < MAX(1u, j->ntasks_per_node) && !j->overcommit) || avail < j->pn_min_cpus) /* N33.6 */
		return 0;
	avail = fit_memory(s, j, avail, c, free_mem);
	if (j->ntasks_per_node && avail / j->cpt < j->ntasks_per_node && !j->overcommit)
		return 0;
	return avail >= j->pn_min_cpus ? avail : 0;
}

static void add_offer(struct selector *s, uint32_t node)
{
	uint32_t cpus = node_offer(s, node);
	if (!cpus)
		return;
	s->offer[node] = cpus;
	bitset_set(s->ok, node);
	s->sum_cpus += cpus;
	s->sum_gpus += s->job->n_gres ? s->gpus[node] : 0;
	s->n_ok++;
}

void trial_recheck(struct selector *s, uint32_t node)
{
	if (!bitset_test(s->usable, node) || !bitset_test(s->job->config_ok, s->cl->node[node]->config->index) ||
	    (s->job->exc_nodes && bitset_test(s->job->exc_nodes, node)))
		return;
	if (bitset_test(s->ok, node)) {
		bitset_clear(s->ok, node);
		s->sum_cpus -= s->offer[node];
		s->sum_gpus -= s->job->n_gres ? s->gpus[node] : 0;
		s->n_ok--;
	}
	add_offer(s, node);
}

static void count_partition_cpus(struct selector *s, struct job *running)
{
	memset(s->jobs_cpus, 0, s->cl->n_nodes * sizeof *s->jobs_cpus);
	for (const struct job *r = running; r; r = r->next)
		if (r->part == s->part && r->alloc)
			for (uint32_t i = 0; i < r->alloc->n; i++)
				s->jobs_cpus[r->alloc->node[i].node] += r->alloc->node[i].cpus;
}

static bool one_weight(const struct cluster *c)
{
	for (guint i = 1; i < c->configs->len; i++)
		if (((struct node_config *)c->configs->pdata[i])->weight != ((struct node_config *)c->configs->pdata[0])->weight)
			return false;
	return true;
}

/* Candidates of one configuration. Idle nodes all offer the same, so one of them speaks for all. */
static void offers_of_config(struct selector *s, const struct node_config *k)
{
	if (!bitset_test(s->job->config_ok, k->index))
		return;
	int64_t i;
	bool alike = s->mode == TRIAL_TEST_ONLY;
	for (uint32_t w = 0; w < s->cand->nwords; w++)
		s->same->word[w] = s->cand->word[w] & k->nodes->word[w] & (alike ? ~UINT64_C(0) : s->view->idle->word[w]);
	int64_t first = bitset_next(s->same, 0);
	uint32_t cpus = first >= 0 ? node_offer(s, (uint32_t)first) : 0;
	if (cpus) {
		uint32_t n = bitset_count(s->same), gpus = s->gpus[first];
		bitset_or(s->ok, s->same);
		for (BITSET_EACH(i, s->same))
			s->offer[i] = cpus;
		if (s->has_gres)
			for (BITSET_EACH(i, s->same))
				s->gpus[i] = gpus;
		s->n_ok += n;
		s->sum_cpus += (uint64_t)n * cpus;
		s->sum_gpus += s->has_gres ? (uint64_t)n * gpus : 0;
	}
	if (alike)
		return;
	for (uint32_t w = 0; w < s->cand->nwords; w++)
		s->same->word[w] = s->cand->word[w] & k->nodes->word[w] & ~s->view->idle->word[w];
	for (BITSET_EACH(i, s->same))
		if (s->mode != TRIAL_RUN_NOW || !usage_node(s->view, (uint32_t)i)->completing) /* N26 */
			add_offer(s, (uint32_t)i);
}

void trial_view(struct selector *s, const struct usage *view)
{
	s->view = view;
}

bool trial_begin(struct selector *s, const struct job *j, const struct partition *part, const struct usage *view,
		 const struct bitset *usable, struct trial_counts count, enum trial_mode mode, struct job *running)
{
	s->job = j;
	s->part = part;
	s->view = view;
	s->mode = mode;
	s->count = count;
	s->usable = usable;
	s->sum_cpus = s->sum_gpus = 0;
	s->n_ok = 0;
	s->limit_cpus = part->max_cpus_per_node != INFINITE;
	if (s->limit_cpus && mode == TRIAL_TEST_ONLY)
		memset(s->jobs_cpus, 0, s->cl->n_nodes * sizeof *s->jobs_cpus);
	else if (s->limit_cpus)
		count_partition_cpus(s, running);
	s->has_gres = j->n_gres > 0;
	s->plain_weights = !s->has_gres && one_weight(s->cl);
	bitset_clear_all(s->ok);
	bitset_assign(s->cand, usable);
	if (mode != TRIAL_TEST_ONLY)
		bitset_and(s->cand, view->free);
	if (mode == TRIAL_RUN_NOW) /* N26 */
		bitset_and(s->cand, j->share_none || j->whole_node ? view->idle : view->nonexclusive);
	if (j->exc_nodes)
		bitset_andnot(s->cand, j->exc_nodes);
	for (guint k = 0; k < s->cl->configs->len; k++)
		offers_of_config(s, s->cl->configs->pdata[k]);
	return !trial_hopeless(s);
}

/* The least number of nodes an accepted choice may have (N41.2). */
static uint32_t least_nodes(const struct selector *s)
{
	const struct job *j = s->job;
	uint32_t min = s->count.min;
	if (j->ntasks_per_node && j->ntasks != NO_VAL)
		min = MAX(min, (j->ntasks + j->ntasks_per_node - 1u) / j->ntasks_per_node);
	return min;
}

bool trial_hopeless(const struct selector *s)
{
	const struct job *j = s->job;
	if (s->n_ok < MAX(1u, least_nodes(s)) || s->count.max < s->count.min)
		return true;
	if (s->sum_cpus < j->min_cpus)
		return true;
	const struct gres_want *w = job_main_gres(j);
	if (w && w->per_job && s->sum_gpus < w->per_job)
		return true;
	return j->req_nodes && !bitset_subset(j->req_nodes, s->ok);
}

/* ---- choosing (N40-N43) ---- */

/* N23: configured weight first; COMPLETING nodes are heavier in a test for now; the low byte of a GPU job tells how many near GPUs
 * the node has. */
static uint64_t sched_weight(const struct selector *s, uint32_t node)
{
	uint64_t w = (uint64_t)s->cl->node[node]->config->weight * 65536;
	if (s->mode == TRIAL_WILL_RUN && !s->view->base && s->cl->params->version != SLURM_22_05 && usage_node(s->view, node)->completing)
		w += 256;
	const struct gres_want *g = s->job->n_gres ? job_main_gres(s->job) : NULL;
	if (!g)
		return w + 255;
	uint32_t most = g->per_node ? g->per_node : g->per_job ? g->per_job : UINT32_MAX;
	return w + 255 - MIN(MIN(s->gpus[node], most), 255u);
}

struct need { /* what is still missing while nodes are taken */
	int64_t nodes, cpus, max_nodes;
	int64_t min_left;  /* k of N42 */
	int64_t cpu_cap;   /* R of N42 */
	uint32_t gpus, gpus_total;
};

static bool need_met(const struct need *n)
{
	return n->nodes <= 0 && n->cpus <= 0 && n->gpus == 0;
}

/* N42: take NODE; returns false when it cannot be used. */
static bool take_node(struct selector *s, struct need *n, uint32_t node)
{
	const struct job *j = s->job;
	uint32_t a = s->left[node];
	const struct gres_want *w = job_main_gres(j);
	if (!j->whole_node) {
		int64_t unit = cpus_per_core(s, j, s->cl->node[node]->config);
		if (s->cl->params->cr_unit == CR_SOCKET)
			unit *= s->cl->node[node]->config->cores_per_socket;
		int64_t k = MAX(1, n->min_left);
		int64_t l = n->cpu_cap - (k - 1) * unit;
		if ((int64_t)a > l)
			a = (uint32_t)MAX(l, (int64_t)MAX(1u, j->pn_min_cpus));
		a = MIN(a, s->left[node]);
	}
	if (!a)
		return false;
	if (w && w->per_job) {
		uint32_t rest = n->min_left > 1 ? (uint32_t)n->min_left - 1 : 0;
		uint32_t want = n->gpus > rest ? n->gpus - rest : 1;
		uint32_t g = MIN(s->gpus[node], MAX(want, 1u));
		s->gtaken[node] = n->gpus ? g : 0;
		n->gpus -= MIN(n->gpus, g);
	}
	s->left[node] = a;
	s->taken[node] = a;
	bitset_set(s->chosen, node);
	s->n_chosen++;
	n->nodes--;
	n->max_nodes--;
	n->min_left--;
	n->cpus -= a;
	n->cpu_cap -= a;
	return true;
}

/* With equal weights only COMPLETING nodes could differ, in tests for now. */
static bool weights_plain(const struct selector *s)
{
	return s->plain_weights && !(s->mode == TRIAL_WILL_RUN && !s->view->base);
}

static void build_runs(struct selector *s)
{
	g_array_set_size(s->runs, 0);
	bool plain = s->job->contiguous || weights_plain(s);
	struct run *r = NULL;
	int64_t i, prev = -2;
	for (BITSET_EACH(i, s->cand)) {
		uint64_t w = plain ? 0 : sched_weight(s, (uint32_t)i);
		if (!r || prev + 1 != i || r->weight != w) {
			struct run fresh = {.first = (uint32_t)i, .weight = w};
			g_array_append_val(s->runs, fresh);
			r = &g_array_index(s->runs, struct run, s->runs->len - 1);
		}
		r->last = (uint32_t)i;
		if (s->job->req_nodes && bitset_test(s->job->req_nodes, (uint32_t)i)) {
			r->required = true;
		} else {
			r->nodes++;
			r->cpus += s->left[i];
		}
		prev = i;
	}
}

/* N43.3: the run to take nodes from next. */
static struct run *best_run(struct selector *s, const struct need *n, bool *sufficient)
{
	struct run *best = NULL;
	int64_t slack = s->count.req > s->count.min ? (int64_t)(s->count.req - s->count.min) : 0;
	for (guint i = 0; i < s->runs->len; i++) {
		struct run *r = &g_array_index(s->runs, struct run, i);
		if (r->used)
			continue;
		bool enough = (int64_t)r->cpus >= n->cpus && (int64_t)r->nodes >= n->nodes - slack;
		if (!best || (!best->required && r->required) || (best->required == r->required && r->weight < best->weight) ||
		    (best->required == r->required && r->weight == best->weight &&
		     ((enough && !*sufficient) || (enough && *sufficient && r->cpus < best->cpus) ||
		      (!enough && !*sufficient && r->cpus > best->cpus)))) {
			best = r;
			*sufficient = enough;
		}
	}
	return best;
}

/* N43.4: one node is enough: the one with the smallest offer that suffices. */
static int64_t best_single(const struct selector *s, const struct run *r, const struct need *n)
{
	int64_t best = -1, i;
	for (i = bitset_next(s->cand, r->first); i >= 0 && i <= r->last; i = bitset_next(s->cand, (uint32_t)i + 1)) {
		if (!bitset_test(s->chosen, (uint32_t)i) && (int64_t)s->left[i] >= n->cpus &&
		    (!n->gpus || s->gpus[i] >= n->gpus) && (best < 0 || s->left[i] < s->left[best])) {
			best = i;
			if ((int64_t)s->left[i] == n->cpus)
				break;
		}
		if ((uint32_t)i + 1 >= s->cand->nbits)
			break;
	}
	return best;
}

static void take_one_of_run(struct selector *s, struct need *n, uint32_t i)
{
	if (bitset_test(s->chosen, i) || !bitset_test(s->cand, i))
		return;
	if (n->max_nodes == 1 && (int64_t)s->left[i] < n->cpus)
		return; /* the last node allowed must do */
	take_node(s, n, i);
}

static void take_from_run(struct selector *s, struct need *n, const struct run *r)
{
	if (r->required) { /* from the first required node up, then down */
		int64_t first = -1;
		for (uint32_t i = r->first; i <= r->last && first < 0; i++)
			if (bitset_test(s->job->req_nodes, i))
				first = i;
		for (uint32_t i = (uint32_t)first; i <= r->last && !need_met(n) && n->max_nodes > 0; i++)
			take_one_of_run(s, n, i);
		for (int64_t i = first - 1; i >= r->first && !need_met(n) && n->max_nodes > 0; i--)
			take_one_of_run(s, n, (uint32_t)i);
		return;
	}
	if (n->nodes <= 1) {
		int64_t one = best_single(s, r, n);
		if (one >= 0 && take_node(s, n, (uint32_t)one))
			return;
	}
	for (uint32_t i = r->first; i <= r->last && !need_met(n) && n->max_nodes > 0; i++)
		take_one_of_run(s, n, i);
}

/* N43 on the candidates. */
static bool choose_best_fit(struct selector *s, uint32_t max_nodes)
{
	const struct job *j = s->job;
	const struct gres_want *w = job_main_gres(j);
	uint32_t min = least_nodes(s);
	bool per_job = w && w->per_job;
	struct need n = {.nodes = per_job ? MIN(min, s->count.req) : MAX(min, s->count.req), .cpus = j->min_cpus,
			 .max_nodes = max_nodes, .min_left = min,
			 .cpu_cap = j->max_cpus != NO_VAL ? j->max_cpus : j->min_cpus, .gpus = per_job ? w->per_job : 0};
	bitset_clear_all(s->chosen);
	s->n_chosen = 0;
	int64_t i;
	if (j->req_nodes)
		for (BITSET_EACH(i, j->req_nodes)) {
			if (n.max_nodes <= 0 || !take_node(s, &n, (uint32_t)i))
				return false;
		}
	if (s->n_chosen && need_met(&n))
		return true;
	build_runs(s);
	while (n.max_nodes > 0) {
		bool sufficient = false;
		struct run *r = best_run(s, &n, &sufficient);
		if (!r || (j->contiguous && !sufficient))
			break;
		take_from_run(s, &n, r);
		if (need_met(&n))
			return true;
		r->used = true;
		if (j->contiguous)
			break;
	}
	return n.cpus <= 0 && n.gpus == 0 && s->n_chosen >= min && s->n_chosen > 0; /* N43.5 */
}

/* N40: the first node by (weight, index) that offers enough. */
static bool choose_first_fit(struct selector *s)
{
	const struct job *j = s->job;
	const struct gres_want *w = job_main_gres(j);
	int64_t best = -1, i;
	uint64_t best_weight = 0;
	for (BITSET_EACH(i, s->ok)) {
		if (j->req_nodes && !bitset_test(j->req_nodes, (uint32_t)i))
			continue;
		if (s->offer[i] < j->min_cpus || (w && w->per_job && s->gpus[i] < w->per_job))
			continue;
		uint64_t weight = sched_weight(s, (uint32_t)i) | 255; /* the order of N40 does not know the GPU byte */
		if (best < 0 || weight < best_weight) {
			best = i;
			best_weight = weight;
		}
	}
	if (best < 0)
		return false;
	struct need n = {.nodes = 1, .cpus = j->min_cpus, .max_nodes = 1, .min_left = 1,
			 .cpu_cap = j->max_cpus != NO_VAL ? j->max_cpus : j->min_cpus, .gpus = w && w->per_job ? w->per_job : 0};
	bitset_clear_all(s->chosen);
	s->n_chosen = 0;
	memcpy(s->left, s->offer, s->cl->n_nodes * sizeof *s->left);
	return take_node(s, &n, (uint32_t)best);
}

static int offer_cmp(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct selector *s = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (s->offer[x] != s->offer[y])
		return s->offer[x] < s->offer[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Can max_nodes nodes give min_cpus at all? */
static bool largest_suffice(struct selector *s, uint32_t max_nodes)
{
	uint64_t sum = 0;
	for (guint k = s->by_offer->len; k > 0 && max_nodes > 0; k--, max_nodes--)
		sum += s->offer[g_array_index(s->by_offer, uint32_t, k - 1)];
	return sum >= s->job->min_cpus;
}

/* N41.4: the choice failed: leave out the node with the smallest offer and try again, until only min nodes remain. */
static bool choose_with_fewer(struct selector *s, uint32_t max_nodes)
{
	g_array_set_size(s->by_offer, 0);
	int64_t i;
	for (BITSET_EACH(i, s->ok)) {
		uint32_t node = (uint32_t)i;
		g_array_append_val(s->by_offer, node);
	}
	g_array_sort_with_data(s->by_offer, offer_cmp, s);
	if (!largest_suffice(s, max_nodes))
		return false;
	uint32_t n = bitset_count(s->cand);
	for (guint k = 0; k < s->by_offer->len && n > MAX(1u, least_nodes(s)); k++) {
		uint32_t node = g_array_index(s->by_offer, uint32_t, k);
		if (s->job->req_nodes && bitset_test(s->job->req_nodes, node))
			continue;
		bitset_clear(s->cand, node);
		n--;
		/* nodes of equal offer beyond the first change nothing while enough remain: go on to the next size */
		if (k + 1 < s->by_offer->len && s->offer[g_array_index(s->by_offer, uint32_t, k + 1)] == s->offer[node] && n > 64)
			continue;
		memcpy(s->left, s->offer, s->cl->n_nodes * sizeof *s->left);
		if (choose_best_fit(s, max_nodes))
			return true;
	}
	return false;
}

bool trial_choose(struct selector *s)
{
	if (trial_hopeless(s))
		return false;
	if (s->count.max == 1 && s->cl->params->version != SLURM_22_05)
		return choose_first_fit(s);
	const struct job *j = s->job;
	uint32_t max_nodes = s->count.max;
	if (j->ntasks != NO_VAL && !j->ntasks_per_node) /* N41.2 */
		max_nodes = MIN(max_nodes, MAX(j->ntasks, s->count.min));
	bitset_assign(s->cand, s->ok);
	memcpy(s->left, s->offer, s->cl->n_nodes * sizeof *s->left);
	if (choose_best_fit(s, max_nodes))
		return true;
	if (j->contiguous || max_nodes >= s->n_ok)
		return false;
	return choose_with_fewer(s, max_nodes);
}
