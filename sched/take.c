/* take.c - taking a node: CPUs and GPUs it gives to the job (N42), and the first look of N43; see choose.h */
#include "sched/alike.h"
#include "sched/choose.h"
#include "sched/gres_cores.h"
#include "sched/gres_select.h"
#include "sched/offer.h"

#include <string.h>

static uint32_t sockets_per_node(const struct job *j)
{
	return j->req->sockets_per_node != NO_VAL ? j->req->sockets_per_node : 1;
}

/* R of N42 at its start: CPUs for all GPUs when CPUs per GPU are given or defaulted. */
static int64_t least_cpus_for_gpus(const struct selector *s, int64_t nodes)
{
	const struct job *j = s->job;
	const struct gres_want *w = job_main_gres(j);
	bool firm;
	int64_t q = gres_cpus_per_gpu(s, s->first_pass, &firm), min = s->count.min;
	if (!w || !q || !firm)
		return 0;
	int64_t on_node = w->per_node                         ? w->per_node
	                  : w->per_socket                     ? w->per_socket * sockets_per_node(j)
	                  : w->per_task && j->ntasks_per_node ? w->per_task * j->ntasks_per_node
	                                                      : 1;
	int64_t all = w->per_job ? w->per_job
	              : w->per_node || w->per_socket
	                  ? on_node * min
	                  : (int64_t)w->per_task * MAX(1u, (uint32_t)j->ntasks_per_node) * min;
	return MAX(q * all, q * on_node * nodes);
}

struct need need_begin(struct selector *s, uint32_t max_nodes, uint32_t req)
{
	const struct job *j = s->job;
	const struct gres_want *w = job_main_gres(j);
	uint32_t min = least_nodes(s);
	bool per_job = w && w->per_job;
	bitset_clear_all(s->chosen);
	s->n_chosen = 0;
	struct need n = {.nodes = per_job ? MIN(min, req) : MAX(min, req),
	                 .cpus = j->min_cpus,
	                 .max_nodes = max_nodes,
	                 .min_left = min,
	                 .cpu_cap = j->max_cpus != NO_VAL ? j->max_cpus : j->min_cpus,
	                 .gpus = per_job ? w->per_job : 0};
	if (s->has_gres)
		n.cpu_cap = MAX(n.cpu_cap, least_cpus_for_gpus(s, n.nodes));
	n.tasks = j->cpt > 1 && j->ntasks_per_node ? (int64_t)j->ntasks_per_node * max_nodes : n.cpu_cap / j->cpt;
	return n;
}

/* ---- N43's first look ---- */

/* What N66 finds on NODE with GIVEN and LEFT, and in CAND the cores that stay. */
static bool look_at(struct selector *s, uint32_t node, uint32_t given, uint32_t left, uint64_t *cand, struct gres_look *look)
{
	node_candidates(s, node, cand);
	return gres_look(s, node, s->left[node], given, left, cand, look);
}

/* The counts given so far and the nodes left matter to GPUs per job alone. */
static bool key_of_look(const struct selector *s, uint32_t node, struct alike_key *key)
{
	const struct gres_want *w = job_main_gres(s->job);
	if (w->per_job || s->left[node] > UINT16_MAX || s->gpus[node] > UINT16_MAX)
		return false;
	return alike_key(s, node, (uint64_t)s->left[node] << 32 | s->gpus[node] << 1 | s->first_pass, key);
}

/* The same, unless a node that is used alike has been looked at. */
static bool look_remembered(struct selector *s, uint32_t node, uint32_t given, uint32_t left, uint64_t *cand, struct gres_look *look)
{
	struct alike_key key;
	bool found;
	if (!key_of_look(s, node, &key))
		return look_at(s, node, given, left, cand, look);
	size_t size = core_words(key.config) * sizeof *cand;
	struct alike_look *l = alike_look(s->alike, &key, &found);
	if (!found) {
		l->ok = look_at(s, node, given, left, cand, &l->look);
		memcpy(l->cores, cand, size);
	} else {
		memcpy(cand, l->cores, size);
	}
	*look = l->look;
	return l->ok;
}

static void look_once(struct selector *s, uint32_t node, const struct need *n)
{
	struct gres_look look;
	uint64_t *cand = s->core_scratch + s->most_words;
	bool ok = look_remembered(s, node, n->given, (uint32_t)MAX(1, n->min_left), cand, &look);
	s->look_cpus[node] = ok ? look.cpus : 0;
	s->look_gpus[node] = ok ? look.gpus : 0;
}

/* Idle nodes of one configuration look alike: the last one looked at speaks for the next. */
static int64_t alike(const struct selector *s, uint32_t node, int64_t last)
{
	if (last < 0 || s->config[last] != s->config[node] || s->left[last] != s->left[node])
		return -1;
	if (s->mode == TRIAL_TEST_ONLY)
		return last;
	return bitset_test(s->view->idle, node) && bitset_test(s->view->idle, (uint32_t)last) ? last : -1;
}

void look_at_all(struct selector *s, struct need *n)
{
	int64_t i, last = -1;
	n->looked = true;
	n->look_given = n->given;
	n->look_left = (uint32_t)MAX(1, n->min_left);
	if (!s->has_gres)
		return;
	if (s->looked_pass != s->first_pass || s->looked_given != n->look_given || s->looked_left != n->look_left)
		bitset_clear_all(s->looked);
	s->looked_pass = s->first_pass;
	s->looked_given = n->look_given;
	s->looked_left = n->look_left;
	for (BITSET_EACH(i, s->cand)) {
		uint32_t node = (uint32_t)i;
		if (!bitset_test(s->looked, node)) {
			int64_t same = alike(s, node, last);
			if (s->job->whole_node) {
				s->look_cpus[node] = s->left[node];
				s->look_gpus[node] = s->gpus[node];
			} else if (same >= 0) {
				s->look_cpus[node] = s->look_cpus[same];
				s->look_gpus[node] = s->look_gpus[same];
			} else {
				look_once(s, node, n);
			}
			bitset_set(s->looked, node);
		}
		last = i;
		if (!s->look_cpus[node])
			bitset_clear(s->cand, node);
	}
}

/* ---- N42 ---- */

/* The look with which NODE is taken: all its candidate cores, with what is given by now. 22.05 leaves it at the first look
 * (N43). Recorded (gpu_frag, gpus12): the cores that the first look kept do not narrow this one. */
static bool look_to_take(struct selector *s, const struct need *n, uint32_t node, struct gres_look *look)
{
	uint64_t *cand = s->cores + s->core_off[node];
	bool first = n->looked && s->cl->params->version == SLURM_22_05;
	return look_remembered(s, node, first ? n->look_given : n->given, first ? n->look_left : (uint32_t)MAX(1, n->min_left), cand,
	                       look);
}

static uint32_t cut_cpus(const struct selector *s, const struct need *n, uint32_t node, uint32_t a, uint32_t least)
{
	const struct node_config *k = s->config[node];
	int64_t unit = offer_core_cpus(s, k);
	if (s->cl->params->cr_unit == CR_SOCKET)
		unit *= k->cores_per_socket;
	int64_t most = n->cpu_cap - (MAX(1, n->min_left) - 1) * unit;
	if ((int64_t)a <= most)
		return a;
	return (uint32_t)MIN((int64_t)a, MAX(MAX(most, 1), (int64_t)MAX(s->job->pn_min_cpus, least)));
}

/* GPUs per job: how many NODE gives. False: the node is skipped. */
static bool take_gpus(struct selector *s, struct need *n, uint32_t node, const struct gres_look *look, uint32_t *a)
{
	const struct job *j = s->job;
	const struct gres_want *w = job_main_gres(j);
	uint32_t g = look->gpus, q = j->req->cpus_per_gpu != NO_VAL ? j->req->cpus_per_gpu : 0;
	if (s->cl->params->version == SLURM_22_05) {
		if (q && !j->whole_node) {
			g = MIN(g, *a / q);
			*a = MIN(*a, g * q);
		}
	} else if (!j->whole_node) {
		uint32_t rest = (uint32_t)MAX(1, n->min_left) - 1, k = j->ntasks_per_gpu;
		uint32_t u = (uint32_t)MIN((int64_t)look->t_max, MAX(1, MIN(n->tasks - rest, *a / j->cpt)));
		uint32_t least = MAX(u * j->cpt, j->pn_min_cpus);
		if (!j->overcommit && (!u || *a < least))
			return false;
		if (!w->per_node && w->per_task)
			g = MIN(g, u * w->per_task);
		else if (!w->per_node && k)
			g = MIN(g, u / k);
		if (q)
			g = MIN(g, *a / q);
		if (!w->per_task && !k)
			g = MAX(MAX(MIN(n->gpus, g), w->per_node), 1u);
		if (q && g * q >= least && g * q < *a)
			*a = g * q;
		n->tasks -= u;
	}
	s->gtaken[node] = g;
	n->given += g;
	n->gpus = w->per_job > n->given ? w->per_job - n->given : 0;
	return *a > 0;
}

/* N70: at most k restricted cores for each of the node's GPUS stay. */
static bool keep_restricted(struct selector *s, uint32_t node, const struct node_config *k, uint32_t gpus, uint32_t *a)
{
	uint64_t *cand = s->cores + s->core_off[node];
	restricted_keep(k, cand, gpus * k->restricted_cores_per_gpu, NULL, true);
	*a = MIN(*a, cores_all(cand, k) * offer_core_cpus(s, k));
	return *a && *a >= MAX(s->job->pn_min_cpus, (uint32_t)s->job->cpt);
}

bool take_node(struct selector *s, struct need *n, uint32_t node)
{
	const struct job *j = s->job;
	const struct node_config *k = s->config[node];
	const struct gres_want *w = job_main_gres(j);
	struct gres_look look = {.cpus = s->left[node], .gpus = s->has_gres ? s->gpus[node] : 0, .t_max = UINT32_MAX};
	if (s->has_gres && !j->whole_node && !look_to_take(s, n, node, &look))
		return false;
	uint32_t a = look.cpus;
	if (!j->whole_node)
		a = cut_cpus(s, n, node, a, look.least);
	if (!a || (w && w->per_job && !take_gpus(s, n, node, &look, &a)))
		return false;
	if (s->has_gres && !j->whole_node && k->restricted && !keep_restricted(s, node, k, w && w->per_job ? s->gtaken[node] : look.gpus, &a))
		return false;
	if (a < look.cpus) {
		s->left[node] = a;
		s->taken[node] = a;
		bitset_clear(s->looked, node);
	} else {
		s->taken[node] = s->left[node];
	}
	if (s->has_gres && !j->whole_node) { /* N41.5 */
		s->taken[node] = MIN(s->taken[node], cores_all(s->cores + s->core_off[node], k) * k->cpus_per_core);
		s->least[node] = look.least;
		s->t_max[node] = look.t_max;
	}
	bitset_set(s->chosen, node);
	s->n_chosen++;
	n->nodes--;
	n->max_nodes--;
	n->min_left--;
	n->cpus -= a;
	n->cpu_cap -= a;
	return true;
}
