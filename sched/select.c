/* select.c - see select.h */
#include "sched/alike.h"
#include "sched/choose.h"
#include "sched/gres_select.h"
#include "sched/offer.h"
#include "sched/features.h"
#include "sched/share.h"

#include <string.h>

struct weight_class {
	uint32_t weight;
	struct bitset *nodes; /* owned */
};

static gint by_weight(gconstpointer a, gconstpointer b)
{
	const struct weight_class *x = a, *y = b;
	return x->weight < y->weight ? -1 : x->weight > y->weight;
}

static void weight_class_clear(void *data)
{
	bitset_free(((struct weight_class *)data)->nodes);
}

static GArray *weight_classes(const struct cluster *c)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct weight_class));
	g_array_set_clear_func(out, weight_class_clear);
	for (guint i = 0; i < c->configs->len; i++) {
		const struct node_config *k = c->configs->pdata[i];
		struct weight_class *at = NULL;
		for (guint n = 0; n < out->len && !at; n++)
			if (g_array_index(out, struct weight_class, n).weight == k->weight)
				at = &g_array_index(out, struct weight_class, n);
		if (!at) {
			struct weight_class fresh = {k->weight, bitset_new(c->n_nodes)};
			g_array_append_val(out, fresh);
			at = &g_array_index(out, struct weight_class, out->len - 1);
		}
		bitset_or(at->nodes, k->nodes);
	}
	g_array_sort(out, by_weight);
	return out;
}

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
	s->near = g_new0(uint8_t, c->n_nodes);
	s->byte = g_new0(uint8_t, c->n_nodes);
	memset(s->byte, 255, c->n_nodes);
	s->look_cpus = g_new0(uint32_t, c->n_nodes);
	s->look_gpus = g_new0(uint32_t, c->n_nodes);
	s->looked = bitset_new(c->n_nodes);
	s->least = g_new0(uint32_t, c->n_nodes);
	s->t_max = g_new0(uint32_t, c->n_nodes);
	s->core_off = g_new0(uint32_t, c->n_nodes + 1);
	s->most_words = 1;
	s->config = g_new0(const struct node_config *, c->n_nodes + 1);
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		s->config[i] = c->node[i]->config;
		s->core_off[i + 1] = s->core_off[i] + core_words(c->node[i]->config);
		s->most_words = MAX(s->most_words, core_words(c->node[i]->config));
	}
	s->cores = g_new0(uint64_t, s->core_off[c->n_nodes] + 1);
	s->core_scratch = g_new0(uint64_t, 2 * (gsize)s->most_words);
	s->weights = weight_classes(c);
	s->split = g_new0(bool, c->configs->len + 1);
	s->fits = g_new0(struct gres_fits, 1);
	s->fits->at = g_new0(struct gres_fit, (gsize)GRES_FIT_WANTS * (c->configs->len + 1));
	s->ok = bitset_new(c->n_nodes);
	s->cand = bitset_new(c->n_nodes);
	s->same = bitset_new(c->n_nodes);
	s->alike = alike_new();
	s->chosen = bitset_new(c->n_nodes);
	s->dropped = bitset_new(c->n_nodes);
	s->runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	s->heap = g_array_new(FALSE, FALSE, sizeof(guint));
	s->by_offer = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return s;
}

void selector_free(struct selector *s)
{
	if (!s)
		return;
	g_array_unref(s->weights);
	g_free(s->fits->at);
	g_free(s->fits);
	g_free(s->split);
	g_free(s->offer);
	g_free(s->gpus);
	g_free(s->left);
	g_free(s->taken);
	g_free(s->gtaken);
	g_free(s->jobs_cpus);
	g_free(s->near);
	g_free(s->byte);
	g_free(s->look_cpus);
	g_free(s->look_gpus);
	bitset_free(s->looked);
	g_free(s->least);
	g_free(s->t_max);
	g_free(s->core_scratch);
	g_free(s->config);
	g_free(s->cores);
	g_free(s->core_off);
	bitset_free(s->ok);
	bitset_free(s->cand);
	bitset_free(s->same);
	alike_free(s->alike);
	bitset_free(s->chosen);
	bitset_free(s->dropped);
	g_array_unref(s->runs);
	g_array_unref(s->heap);
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
	if (j->req_nodes) /* recorded: named by an update, they are all taken */
		t.min = MAX(t.min, MIN(bitset_count(j->req_nodes), t.max));
	bool own_max = j->max_nodes != NO_VAL && !j->max_nodes_implicit && !j->req->use_min_nodes;
	t.req = own_max ? t.max : t.min;
	return t;
}

/* ---- what the nodes offer (N31-N34) ---- */

const struct gres_want *job_main_gres(const struct job *j)
{
	for (uint32_t i = 0; i < j->n_gres; i++)
		if (j->gres[i].per_job)
			return &j->gres[i];
	return j->n_gres ? &j->gres[0] : NULL;
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
	if (!bitset_test(s->usable, node) || !bitset_test(s->job->config_ok, s->config[node]->index) ||
	    (s->job->exc_nodes && bitset_test(s->job->exc_nodes, node)))
		return;
	if (bitset_test(s->ok, node)) {
		bitset_clear(s->ok, node);
		s->sum_cpus -= s->offer[node];
		s->sum_gpus -= s->job->n_gres ? s->gpus[node] : 0;
		s->n_ok--;
	}
	bitset_clear(s->looked, node);
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

/* The idle nodes in s->same, all of one configuration, get the offer of the first of them. */
static void offer_alike(struct selector *s)
{
	int64_t i, first = bitset_next(s->same, 0);
	uint32_t cpus = first >= 0 ? node_offer(s, (uint32_t)first) : 0;
	if (!cpus)
		return;
	uint32_t n = bitset_count(s->same), gpus = s->gpus[first];
	uint8_t near = s->near[first];
	bitset_or(s->ok, s->same);
	for (uint32_t w = 0; w < s->same->nwords; w++) {
		uint64_t bits = s->same->word[w];
		for (uint32_t k = 0; bits == ~UINT64_C(0) && k < 64; k++)
			s->offer[w * 64 + k] = cpus;
		for (bits = bits == ~UINT64_C(0) ? 0 : bits; bits; bits &= bits - 1)
			s->offer[w * 64 + (uint32_t)__builtin_ctzll(bits)] = cpus;
	}
	if (s->has_gres)
		for (BITSET_EACH(i, s->same)) {
			s->gpus[i] = gpus;
			s->near[i] = near;
		}
	s->n_ok += n;
	s->sum_cpus += (uint64_t)n * cpus;
	s->sum_gpus += s->has_gres ? (uint64_t)n * gpus : 0;
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
	offer_alike(s);
	if (alike)
		return;
	for (uint32_t w = 0; w < s->cand->nwords; w++)
		s->same->word[w] = s->cand->word[w] & k->nodes->word[w] & ~s->view->idle->word[w];
	for (BITSET_EACH(i, s->same))
		if (s->mode != TRIAL_RUN_NOW || !usage_node(s->view, (uint32_t)i)->completing) /* N26 */
			add_offer(s, (uint32_t)i);
}

/* A word of nodes at a time: on large clusters nearly all are set. */
static void set_bytes(struct selector *s, const struct bitset *nodes, uint8_t value)
{
	for (uint32_t w = 0; w < nodes->nwords; w++) {
		uint64_t left = nodes->word[w];
		if (left == UINT64_MAX) {
			memset(s->byte + 64 * (size_t)w, value, 64);
			continue;
		}
		for (; left; left &= left - 1)
			s->byte[64 * w + (uint32_t)__builtin_ctzll(left)] = value;
	}
}

void trial_forget_bytes(struct selector *s, const struct bitset *nodes)
{
	if (s->bytes_differ)
		set_bytes(s, nodes, 255);
}

void trial_imagine_bytes(struct selector *s, const struct bitset *nodes)
{
	set_bytes(s, nodes, 0);
	s->bytes_differ = true;
}

uint64_t trial_bytes(const struct selector *s)
{
	uint64_t h = UINT64_C(14695981039346656037);
	if (s->cl->params->version != SLURM_22_05 || !s->bytes_differ)
		return h;
	for (uint32_t i = 0; i < s->cl->n_nodes; i++)
		h = (h ^ s->byte[i]) * UINT64_C(1099511628211);
	return h;
}

/* N50 step 0, as 22.05 always takes it: as if all cores were free. Nodes without enough devices keep their bytes (recorded in mixed-day). */
static void bytes_of_step_0(struct selector *s)
{
	const struct gres_want *w = job_main_gres(s->job);
	uint32_t most = w->per_node ? w->per_node : w->per_job ? w->per_job : UINT32_MAX;
	struct gres_by_socket have;
	int64_t i;
	for (BITSET_EACH(i, s->usable)) {
		if (!bitset_test(s->job->config_ok, s->config[i]->index) ||
		    (s->job->exc_nodes && bitset_test(s->job->exc_nodes, (uint32_t)i)))
			continue;
		gres_count(s, (uint32_t)i, w, NULL, &have);
		if (have.total >= MAX(1u, MAX(w->per_node, w->per_task)))
			s->byte[i] = (uint8_t)(255 - MIN(MIN(have.total, most), 255u));
	}
}

/* N23: the nodes just judged get their bytes. */
static void keep_bytes(struct selector *s)
{
	int64_t i;
	if (!s->has_gres)
		return;
	if (s->cl->params->version == SLURM_22_05 && s->mode != TRIAL_TEST_ONLY)
		bytes_of_step_0(s);
	for (BITSET_EACH(i, s->ok))
		s->byte[i] = s->near[i];
	s->bytes_differ = true;
}

void trial_recheck_idle(struct selector *s, struct bitset *nodes)
{
	int64_t i;
	if (s->limit_cpus) { /* MaxCPUsPerNode: idle nodes are still all alike, but keep to the plain way */
		for (BITSET_EACH(i, nodes))
			trial_recheck(s, (uint32_t)i);
		return;
	}
	bitset_and(nodes, s->usable);
	if (s->job->exc_nodes)
		bitset_andnot(nodes, s->job->exc_nodes);
	for (uint32_t w = 0; w < nodes->nwords; w++)
		s->same->word[w] = nodes->word[w] & s->ok->word[w];
	for (BITSET_EACH(i, s->same)) {
		s->sum_cpus -= s->offer[i];
		s->sum_gpus -= s->has_gres ? s->gpus[i] : 0;
		s->n_ok--;
	}
	bitset_andnot(s->ok, s->same);
	bitset_andnot(s->looked, nodes);
	for (guint k = 0; k < s->cl->configs->len; k++) {
		const struct node_config *cfg = s->cl->configs->pdata[k];
		if (!bitset_test(s->job->config_ok, cfg->index))
			continue;
		for (uint32_t w = 0; w < nodes->nwords; w++)
			s->same->word[w] = nodes->word[w] & cfg->nodes->word[w];
		offer_alike(s);
	}
}

void trial_offer_all(struct selector *s)
{
	if (!s->lazy)
		return;
	s->lazy = false;
	for (guint k = 0; k < s->cl->configs->len; k++)
		offers_of_config(s, s->cl->configs->pdata[k]);
}

static bool units_matter(const struct selector *s);

/*
 * N40 takes the first node that does, so a start on one node need not judge the others: what they offer matters to nobody
 * else, since run-now attempts set the weights, and with them the GPU bytes, anew (not in 22.05). Tests of an imagined
 * future judge all nodes, because the bytes and the offers are read again there.
 */
static bool may_be_lazy(const struct selector *s)
{
	const struct job *j = s->job;
	const struct topology *t = s->part->topology;
	return s->mode == TRIAL_RUN_NOW && !units_matter(s) && !s->held && !s->power && s->cl->params->select_type != SELECT_LINEAR && s->count.max == 1 && s->count.min <= 1 && s->cl->params->version != SLURM_22_05 &&
	       !j->req_nodes && !j->req->node_counts && !features_special(j->features) && least_nodes(s) <= 1 &&
	       (!t || t->kind == TOPOLOGY_TREE || t->kind == TOPOLOGY_BLOCK);
}

void trial_view(struct selector *s, const struct usage *view)
{
	s->view = view;
}

/* N24: sets of which a part is held by the job's own associations or QOS already are split. */
static void split_sets(struct selector *s)
{
	for (guint i = 0; i < s->cl->configs->len; i++) {
		const struct node_config *k = s->cl->configs->pdata[i];
		uint32_t all = 0, held = 0;
		for (uint32_t w = 0; w < k->nodes->nwords; w++) {
			uint64_t mine = k->nodes->word[w] & s->usable->word[w];
			all += (uint32_t)__builtin_popcountll(mine);
			held += (uint32_t)__builtin_popcountll(mine & s->held->word[w]);
		}
		s->split[k->index] = held && held < all;
	}
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
	s->fits->job = NULL;
	alike_forget(s->alike);
	if (s->held)
		split_sets(s);
	s->plain_weights = !s->has_gres && !s->held && !s->power && one_weight(s->cl);
	s->sums_suffice = !s->has_gres && s->cl->params->cr_unit != CR_SOCKET && !j->ntasks_per_socket &&
			  j->req->cores_per_socket == NO_VAL && j->req->sockets_per_node == NO_VAL;
	s->first_pass = true;
	bitset_clear_all(s->looked);
	bitset_clear_all(s->ok);
	bitset_assign(s->cand, usable);
	if (s->admitted)
		bitset_and(s->cand, s->admitted);
	else if (mode == TRIAL_RUN_NOW) /* N26 */
		bitset_and(s->cand, share_alone(s->cl->params, j) ? view->idle : view->nonexclusive);
	if (mode != TRIAL_TEST_ONLY)
		bitset_and(s->cand, view->free);
	if (j->exc_nodes)
		bitset_andnot(s->cand, j->exc_nodes);
	s->lazy = may_be_lazy(s);
	if (s->lazy)
		return !bitset_empty(s->cand);
	for (guint k = 0; k < s->cl->configs->len; k++)
		offers_of_config(s, s->cl->configs->pdata[k]);
	if (!trial_hopeless(s))
		return true;
	keep_bytes(s);
	return false;
}

uint32_t least_nodes(const struct selector *s)
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

/* N23. In 22.05 will-run tests see the weights that the last run-now attempt set. */
#define SLEEP (NODE_POWERED_DOWN | NODE_POWER_UP | NODE_POWERING_UP)
#define REBOOT NODE_REBOOT_REQUESTED
uint64_t sched_weight(const struct selector *s, uint32_t node)
{
	uint64_t w = (uint64_t)s->config[node]->weight * 65536 + s->byte[node];
	if (s->mode == TRIAL_WILL_RUN && !s->view->base && s->cl->params->version != SLURM_22_05 && usage_node(s->view, node)->completing)
		w += 256;
	if (s->held && s->split[s->config[node]->index] && !bitset_test(s->held, node)) /* N24 */
		w++;
	uint32_t flags = s->power ? s->cl->node[node]->flags : 0;
	if (s->mode == TRIAL_WILL_RUN)
		w += (flags & SLEEP ? UINT64_C(1) << 49 : 0) + (flags & REBOOT ? 512 : 0);
	else if (flags & (NODE_POWERED_DOWN | REBOOT))
		w += UINT64_C(3) << 48;
	else if (flags & SLEEP)
		w += UINT64_C(2) << 48;
	return w;
}

static int node_order(gconstpointer a, gconstpointer b, gpointer data)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = sched_weight(data, x), q = sched_weight(data, y);
	if (p != q)
		return p < q ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* One node of N40. *given stays counted when only the GPUs fall short. */
static bool first_fit_takes(struct selector *s, uint32_t node, uint32_t *given)
{
	struct need n = need_begin(s, 1, 1);
	n.nodes = n.min_left = 1;
	n.given = *given;
	n.gpus -= MIN(n.gpus, n.given);
	s->left[node] = s->offer[node];
	if (!take_node(s, &n, node))
		return false;
	*given = n.given; /* recorded: also when its CPUs fall short (gpu_frag, cpg) */
	return n.gpus == 0 && n.cpus <= 0;
}

static bool first_fit_pass(struct selector *s)
{
	uint32_t given = 0;
	for (guint i = 0; i < s->by_offer->len; i++) {
		uint32_t node = g_array_index(s->by_offer, uint32_t, i);
		if (s->offer[node] >= s->job->min_cpus && first_fit_takes(s, node, &given))
			return true;
	}
	return false;
}

/* N40: the first node by (weight before this test, index) that offers enough. */
static bool choose_first_fit(struct selector *s)
{
	int64_t i;
	bool plain = !s->bytes_differ && !s->held && !s->power && one_weight(s->cl) && !(s->mode == TRIAL_WILL_RUN && !s->view->base);
	g_array_set_size(s->by_offer, 0);
	for (BITSET_EACH(i, s->ok)) {
		uint32_t node = (uint32_t)i;
		if (s->offer[node] < s->job->min_cpus || (s->job->req_nodes && !bitset_test(s->job->req_nodes, node)))
			continue;
		g_array_append_val(s->by_offer, node);
		if (plain && !s->has_gres)
			break; /* it will do */
	}
	if (!plain)
		g_array_sort_with_data(s->by_offer, node_order, s);
	keep_bytes(s);
	if (first_fit_pass(s))
		return true;
	s->first_pass = false;
	return s->has_gres && first_fit_pass(s);
}

/* Judge NODE now and take it if it will do. */
static bool lazy_takes(struct selector *s, uint32_t node, uint32_t *given, const struct node_config **hopeless)
{
	const struct node_config *k = s->config[node];
	bool idle = bitset_test(s->view->idle, node);
	if (!bitset_test(s->job->config_ok, k->index) || (idle && k == *hopeless) ||
	    (!idle && usage_node(s->view, node)->completing)) /* N26 */
		return false;
	s->offer[node] = node_offer(s, node);
	if (s->offer[node] >= s->job->min_cpus && s->offer[node])
		return first_fit_takes(s, node, given);
	if (idle) /* the other idle nodes of its kind offer no more */
		*hopeless = k;
	return false;
}

static bool lazy_pass(struct selector *s)
{
	uint32_t given = 0;
	const struct node_config *hopeless = NULL;
	int64_t i;
	for (guint n = 0; n < s->weights->len; n++) {
		const struct bitset *nodes = g_array_index(s->weights, struct weight_class, n).nodes;
		for (uint32_t w = 0; w < s->cand->nwords; w++)
			s->same->word[w] = s->cand->word[w] & nodes->word[w];
		for (BITSET_EACH(i, s->same))
			if (lazy_takes(s, (uint32_t)i, &given, &hopeless))
				return true;
	}
	return false;
}

/* N40 without a look at the nodes behind the one that is taken. */
static bool choose_lazily(struct selector *s)
{
	s->first_pass = true;
	if (lazy_pass(s))
		return true;
	s->first_pass = false;
	return s->has_gres && lazy_pass(s);
}

/* What a candidate is worth when one must go (N41.4): CPUs, for GPU jobs times free units. */
static uint64_t node_worth(const struct selector *s, uint32_t node)
{
	return s->has_gres ? (uint64_t)s->offer[node] * s->gpus[node] : s->offer[node];
}

static int offer_cmp(gconstpointer a, gconstpointer b, gpointer data)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = node_worth(data, x), q = node_worth(data, y);
	if (p != q)
		return p < q ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Can max_nodes nodes give min_cpus at all? */
static bool largest_suffice(struct selector *s, uint32_t max_nodes)
{
	uint64_t sum = 0, most = 0;
	if (s->has_gres) { /* not in order of CPUs */
		for (guint k = 0; k < s->by_offer->len; k++)
			most = MAX(most, s->offer[g_array_index(s->by_offer, uint32_t, k)]);
		return most * MIN(max_nodes, s->by_offer->len) >= s->job->min_cpus;
	}
	for (guint k = s->by_offer->len; k > 0 && max_nodes > 0; k--, max_nodes--)
		sum += s->offer[g_array_index(s->by_offer, uint32_t, k - 1)];
	return sum >= s->job->min_cpus;
}

static void list_by_worth(struct selector *s)
{
	int64_t i;
	g_array_set_size(s->by_offer, 0);
	for (BITSET_EACH(i, s->ok)) {
		uint32_t node = (uint32_t)i;
		g_array_append_val(s->by_offer, node);
	}
	g_array_sort_with_data(s->by_offer, offer_cmp, s);
}

/* N41.4: the choice failed: leave out the node with the smallest worth and try again, until only min nodes remain. */
static bool choose_with_fewer(struct selector *s, uint32_t max_nodes)
{
	list_by_worth(s);
	if (!largest_suffice(s, max_nodes))
		return false;
	uint32_t n = bitset_count(s->cand);
	for (guint k = 0; k < s->by_offer->len && n > MAX(1u, least_nodes(s)); k++) {
		uint32_t node = g_array_index(s->by_offer, uint32_t, k);
		if (!bitset_test(s->cand, node) || (s->job->req_nodes && bitset_test(s->job->req_nodes, node)))
			continue;
		bitset_clear(s->cand, node);
		n--;
		/* nodes of equal worth beyond the first change nothing while enough remain: go on to the next size */
		if (k + 1 < s->by_offer->len && node_worth(s, g_array_index(s->by_offer, uint32_t, k + 1)) == node_worth(s, node) && n > 64)
			continue;
		if (choose_best_fit(s, max_nodes))
			return true;
	}
	return false;
}

/* The smallest value above X of CPUs + units among the candidates that may go; 0 = none. */
static uint32_t next_size(const struct selector *s, uint32_t x)
{
	uint32_t best = 0;
	int64_t i;
	for (BITSET_EACH(i, s->cand)) {
		uint32_t size = s->left[i] + (s->has_gres ? s->gpus[i] : 0);
		if (size > x && (!best || size < best) && !(s->job->req_nodes && bitset_test(s->job->req_nodes, (uint32_t)i)))
			best = size;
	}
	return best;
}

/* N41.4 up to 25.05: all nodes up to a size go at once, the sizes ascending. */
static bool choose_without_small(struct selector *s, uint32_t max_nodes)
{
	uint32_t least = MAX(1u, least_nodes(s)), n = bitset_count(s->cand);
	list_by_worth(s);
	if (!largest_suffice(s, max_nodes))
		return false;
	for (uint32_t x = next_size(s, 0); x && n > least; x = next_size(s, x)) {
		int64_t i;
		for (BITSET_EACH(i, s->cand)) {
			if (n <= least)
				break;
			if (s->left[i] + (s->has_gres ? s->gpus[i] : 0) > x || (s->job->req_nodes && bitset_test(s->job->req_nodes, (uint32_t)i)))
				continue;
			bitset_clear(s->cand, (uint32_t)i);
			n--;
		}
		if (choose_best_fit(s, max_nodes))
			return true;
	}
	return false;
}

static void begin_tries(struct selector *s)
{
	bitset_assign(s->cand, s->ok);
	memcpy(s->left, s->offer, s->cl->n_nodes * sizeof *s->left);
}

/* N41.4, N67 for the best fit. */
static bool choose_in_two_passes(struct selector *s, uint32_t max_nodes)
{
	begin_tries(s);
	if (choose_best_fit(s, max_nodes))
		return true;
	bool old = s->cl->params->version == SLURM_22_05, cut = max_nodes < s->count.max && !old;
	if (cut)
		max_nodes = s->count.max; /* N41.2: the cap is of the first pass */
	if (s->has_gres) {
		s->first_pass = false;
		bitset_assign(s->cand, s->ok);
	}
	if ((s->has_gres || cut) && choose_best_fit(s, max_nodes))
		return true;
	if (max_nodes >= s->n_ok)
		return false;
	return old ? choose_without_small(s, max_nodes) : choose_with_fewer(s, max_nodes);
}

static bool choose_among(struct selector *s)
{
	s->first_pass = true;
	if (trial_hopeless(s)) {
		keep_bytes(s);
		return false;
	}
	if (s->cl->params->select_type == SELECT_LINEAR)
		return choose_linear(s);
	bool old = s->cl->params->version == SLURM_22_05;
	enum method method = choose_method(s);
	if (s->count.max == 1 && !old && method != METHOD_TORUS)
		return choose_first_fit(s);
	keep_bytes(s);
	const struct job *j = s->job;
	uint32_t max_nodes = s->count.max;
	if (j->ntasks != NO_VAL && (!j->ntasks_per_node || old)) /* N41.2 */
		max_nodes = MIN(max_nodes, MAX(j->ntasks, s->count.min));
	if (method == METHOD_BEST_FIT)
		return choose_in_two_passes(s, max_nodes);
	begin_tries(s);
	return choose_by_method(s, method, max_nodes);
}

/* Blocks and rings that are held, or that the job wants to itself, come into play. */
static bool units_matter(const struct selector *s)
{
	const struct topology *t = s->part->topology;
	const struct usage *now = s->view && s->view->base ? s->view->base : s->view;
	return t && t->kind != TOPOLOGY_TREE && s->mode != TRIAL_TEST_ONLY &&
	       (wants_units(s->job, s->part) || now->topo_only);
}

bool choose_nodes(struct selector *s)
{
	if (!units_matter(s))
		return choose_among(s);
	struct bitset *all = bitset_copy(s->ok);
	leave_held_units(s, s->ok);
	leave_shared_units(s, s->ok);
	uint32_t n = s->n_ok;
	s->n_ok = bitset_count(s->ok);
	bool ok = choose_among(s);
	s->n_ok = n;
	bitset_assign(s->ok, all);
	bitset_free(all);
	return ok;
}

bool choose_features_or_nodes(struct selector *s)
{
	return features_special(s->job->features) ? choose_by_features(s, s->job->features) : choose_nodes(s);
}

bool trial_choose(struct selector *s)
{
	if (s->lazy)
		return choose_lazily(s);
	if (trial_hopeless(s)) {
		s->first_pass = true;
		keep_bytes(s);
		return false;
	}
	const char *list = s->job->req->node_counts;
	return list ? choose_of_list(s, list) : choose_features_or_nodes(s);
}
