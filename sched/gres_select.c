/* gres_select.c - see gres_select.h */
#include "sched/gres_select.h"
#include "sched/gres_cores.h"
#include "sched/gres_share.h"

#include <string.h>

static bool is_22_05(const struct selector *s)
{
	return s->cl->params->version == SLURM_22_05;
}

uint32_t gres_cpus_per_gpu(const struct selector *s, bool first_pass, bool *firm)
{
	const struct job *j = s->job;
	*firm = true;
	if (j->req->cpus_per_gpu != NO_VAL)
		return j->req->cpus_per_gpu;
	if (j->ntasks_per_gpu)
		return (uint32_t)j->ntasks_per_gpu * j->cpt;
	if (j->def_cpus_per_gpu)
		return j->def_cpus_per_gpu;
	*firm = false;
	const struct gres_want *w = job_main_gres(j);
	uint32_t g = w ? w->per_job : 0, n = j->ntasks;
	if (!first_pass || is_22_05(s) || !g || n == NO_VAL || !n)
		return 0;
	if (n >= g)
		return n % g == 0 ? n / g * j->cpt : 0;
	return g % n == 0 && j->cpt % (g / n) == 0 ? j->cpt / (g / n) : 0;
}

/* ---- N61-N63: what is usable ---- */

static uint64_t device_bits(const struct gres_group *g)
{
	if (g->first >= 64)
		return 0;
	uint64_t bits = g->count >= 64 ? UINT64_MAX : (UINT64_C(1) << g->count) - 1;
	return bits << g->first;
}

static struct gres_fit fit_of_config(const struct node_config *k, const struct gres_want *w)
{
	struct gres_fit f = {.gres = -1};
	for (uint32_t i = 0; i < k->n_gres && f.gres < 0; i++)
		f.gres = strcmp(k->gres[i].name, w->name) == 0 ? (int32_t)i : -1;
	bool apart = true;
	for (uint32_t g = 0; f.gres >= 0 && g < MIN(k->gres[f.gres].n_groups, 64u); g++) {
		const struct gres_group *group = &k->gres[f.gres].group[g];
		uint64_t bits = gres_type_fits(w, group) ? device_bits(group) : 0;
		apart = apart && !(f.devices & bits);
		f.devices |= bits;
		f.groups |= gres_type_fits(w, group) ? UINT64_C(1) << g : 0;
	}
	f.devices = apart && f.gres >= 0 && k->gres[f.gres].n_groups <= 64 ? f.devices : 0;
	return f;
}

/* NULL: it is to be found out anew. */
static const struct gres_fit *fit_of(const struct selector *s, const struct node_config *k, const struct gres_want *w)
{
	const struct job *j = s->job;
	uint32_t n = MIN(j->n_gres, (uint32_t)GRES_FIT_WANTS);
	if (w < j->gres || w >= j->gres + n)
		return NULL;
	if (s->fits->job != j) {
		for (guint c = 0; c < s->cl->configs->len; c++)
			for (uint32_t i = 0; i < n; i++)
				s->fits->at[c * GRES_FIT_WANTS + i] = fit_of_config(s->cl->configs->pdata[c], &j->gres[i]);
		s->fits->job = j;
	}
	const struct gres_fit *f = &s->fits->at[k->index * GRES_FIT_WANTS + (uint32_t)(w - j->gres)];
	return f->gres >= 0 && k->gres[f->gres].n_groups > 64 ? NULL : f;
}

static void count_group(const struct gres_group *g, uint32_t n, const uint32_t *free, bool enforce,
                        struct gres_by_socket *out)
{
	if (!g->sockets) {
		out->any += n;
		out->total += n;
		return;
	}
	bool counted = false;
	int64_t s;
	for (BITSET_EACH(s, g->sockets)) {
		if (enforce && free && !free[s])
			continue;
		out->on[s] += n;
		counted = true;
	}
	out->total += counted ? n : 0;
}

/* Sockets with fewer than asked drop out, excess is cut. */
static void cut_to_socket_request(uint32_t sockets, uint32_t per_socket, struct gres_by_socket *out)
{
	out->total = out->any;
	for (uint32_t x = 0; x < sockets; x++) {
		if (out->on[x] + out->any < per_socket)
			out->on[x] = 0;
		out->on[x] = MIN(out->on[x], per_socket);
		out->total += out->on[x];
	}
}

void gres_count(const struct selector *s, uint32_t node, const struct gres_want *w, const uint32_t *free,
                struct gres_by_socket *out)
{
	const struct node_config *k = s->config[node];
	out->any = out->total = 0;
	memset(out->on, 0, socket_count(k) * sizeof *out->on);
	const struct gres_fit *f = fit_of(s, k, w);
	for (uint32_t i = f && f->gres >= 0 ? (uint32_t)f->gres : 0; i < k->n_gres && !(f && f->gres < 0); i++) {
		const struct node_gres *ng = &k->gres[i];
		if (!f && strcmp(ng->name, w->name) != 0)
			continue;
		bool all = ng->no_consume || s->mode == TRIAL_TEST_ONLY;
		if (ng->per_device) {
			share_count(s, node, w, ng, free, out);
			return;
		}
		if (!ng->devices) {
			uint32_t have = node_config_gres(k, w->name, w->type);
			out->any = out->total = have - MIN(have, all ? 0 : gres_gone(s, node, i).count);
			return;
		}
		for (uint32_t g = 0; g < ng->n_groups; g++)
			if (f ? f->groups >> g & 1 : gres_type_fits(w, &ng->group[g])) {
				uint64_t bits = device_bits(&ng->group[g]) & ~(all ? 0 : gres_busy(s, node, i));
				count_group(&ng->group[g], bitset_word_count(bits), free,
				            gres_enforces(s->job), out);
			}
		if (w->per_socket)
			cut_to_socket_request(socket_count(k), w->per_socket, out);
		return;
	}
}

bool gres_enough(const struct selector *s, uint32_t node)
{
	const struct node_config *k = s->config[node];
	for (uint32_t i = 0; i < s->job->n_gres; i++) {
		const struct gres_want *w = &s->job->gres[i];
		uint32_t n = 0, need = MAX(1u, MAX(w->per_node, w->per_task));
		const struct gres_fit *f = fit_of(s, k, w);
		if (f && f->gres < 0)
			return false;
		if (f && f->devices && k->gres[f->gres].devices && !k->gres[f->gres].no_consume && s->mode != TRIAL_TEST_ONLY) {
			if (bitset_word_count(f->devices & ~gres_busy(s, node, (uint32_t)f->gres)) < need)
				return false;
			continue;
		}
		for (uint32_t g = 0; g < k->n_gres && n < need; g++) {
			const struct node_gres *ng = &k->gres[g];
			if (strcmp(ng->name, w->name) != 0)
				continue;
			if (!ng->devices || ng->no_consume || s->mode == TRIAL_TEST_ONLY) {
				n = need; /* left to gres_possible */
				break;
			}
			uint64_t used = gres_busy(s, node, g);
			for (uint32_t d = 0; d < ng->n_groups; d++)
				if (gres_type_fits(w, &ng->group[d]))
					n += bitset_word_count(device_bits(&ng->group[d]) & ~used);
		}
		if (n < need)
			return false;
	}
	return true;
}

/* The sockets needed to reach max(per node, per task) beyond the devices of any socket: fullest first. */
static void need_sockets(const struct gres_want *w, uint32_t sockets, const uint32_t *free,
                         const struct gres_by_socket *have, bool *needed)
{
	uint32_t want = MAX(w->per_node, w->per_task), got = have->any;
	while (got < want) {
		int best = -1;
		for (uint32_t x = 0; x < sockets; x++)
			if (free[x] && !needed[x] && have->on[x] && (best < 0 || have->on[x] > have->on[best]))
				best = (int)x;
		if (best < 0)
			return;
		needed[best] = true;
		got += have->on[best];
	}
}

bool gres_possible(struct selector *s, uint32_t node, const uint32_t *free, bool *needed)
{
	const struct job *j = s->job;
	uint32_t sockets = socket_count(s->config[node]);
	struct gres_by_socket have;
	for (uint32_t i = 0; i < j->n_gres; i++) {
		const struct gres_want *w = &j->gres[i];
		gres_count(s, node, w, free, &have);
		if (have.total < MAX(1u, MAX(w->per_node, w->per_task)))
			return false;
		if (needed)
			need_sockets(w, sockets, free, &have, needed);
	}
	return true;
}

/* The least number of devices that a job needs on each of its nodes. */
static uint32_t least_devices(const struct job *j, const struct gres_want *w)
{
	uint32_t least = MAX(1u, w->per_node), s = w->per_socket;
	if (s && j->ntasks_per_socket && j->ntasks_per_node)
		s *= (j->ntasks_per_node + j->ntasks_per_socket - 1u) / j->ntasks_per_socket;
	least = MAX(least, s);
	return MAX(least, w->per_task * MAX(1u, (uint32_t)j->ntasks_per_node));
}

bool gres_limits(struct selector *s, uint32_t node, const uint64_t *cand, uint32_t avail, uint64_t free_mem)
{
	const struct job *j = s->job;
	const struct node_config *k = s->config[node];
	const struct gres_want *main = job_main_gres(j);
	bool firm;
	uint32_t q = gres_cpus_per_gpu(s, true, &firm), free[SOCKETS_MAX];
	for (uint32_t x = 0; x < socket_count(k); x++)
		free[x] = cores_on_socket(cand, k, x);
	for (uint32_t i = 0; i < j->n_gres; i++) {
		const struct gres_want *w = &j->gres[i];
		struct gres_by_socket have;
		gres_count(s, node, w, free, &have);
		uint32_t most = j->whole_node ? UINT32_MAX
		                : w->per_node ? w->per_node
		                : w->per_job  ? w->per_job
		                              : UINT32_MAX;
		if (!j->whole_node && q && firm)
			most = MIN(most, MIN(avail / q, cores_all(cand, k) * k->cpus_per_core / q));
		if (j->mem_per_gpu && s->cl->params->cr_memory && w == main)
			most = (uint32_t)MIN((uint64_t)most, free_mem / j->mem_per_gpu);
		if (MIN(most, have.total) < least_devices(j, w))
			return false;
		if (w != main)
			continue;
		uint32_t near = have.any;
		for (uint32_t x = 0; x < socket_count(k); x++)
			near += free[x] ? have.on[x] : 0;
		s->gpus[node] = MIN(have.total, most);
		s->near[node] = (uint8_t)(255 - MIN(MIN(near, most), 255u));
	}
	return true;
}

/* ---- N66: which cores stay ---- */

struct looking {
	struct selector *s;
	const struct job *j;
	const struct gres_want *w;
	const struct node_config *k;
	uint64_t *cand;
	uint32_t node, avail, c, q, given, min_left;
	bool firm, first, enforce;
	uint32_t t_min, t_max, t_step; /* t_step: t_min as first set */
	uint32_t want;                 /* W; UINT32_MAX = unlimited */
	uint32_t count;                /* N */
	uint32_t needed, gpu_cores;    /* n: cores; those for CPUs per GPU */
	uint32_t *cores;               /* candidates by socket */
	bool *required;
	struct gres_by_socket *have;
};

static void task_bounds(struct looking *l)
{
	const struct job *j = l->j;
	uint32_t n = j->ntasks, unlimited = UINT32_MAX;
	l->t_min = 1;
	l->t_max = unlimited;
	if (j->ntasks_per_node) {
		l->t_min = l->t_max = j->ntasks_per_node;
	} else if (j->ntasks_per_socket) {
		l->t_min = j->ntasks_per_socket;
		l->t_max = l->t_min * socket_count(l->k);
	} else if (j->ntasks_per_core) {
		l->t_min = j->ntasks_per_core;
		l->t_max = l->t_min * l->k->cores;
	} else if (j->ntasks_per_gpu) {
		l->t_min = j->ntasks_per_gpu;
		l->t_max = n != NO_VAL ? n : unlimited;
		if (is_22_05(l->s))
			l->t_min = l->t_max = n != NO_VAL ? MAX(1u, n / MAX(1u, j->min_nodes)) : l->t_min;
		else if (n != NO_VAL && j->max_nodes == j->min_nodes)
			l->t_min = l->t_max = MAX(1u, n / MAX(1u, j->min_nodes));
	} else if (j->max_nodes == 1) {
		l->t_min = n != NO_VAL ? n : 1;
		l->t_max = n != NO_VAL ? n : unlimited;
	} else if (n == 1 || (n != NO_VAL && n == j->min_nodes && n == j->max_nodes)) {
		l->t_max = 1;
	}
	l->t_step = MAX(1u, l->t_min);
}

static bool bound_tasks(struct looking *l)
{
	const struct job *j = l->j;
	task_bounds(l);
	if (j->overcommit)
		return true;
	if (l->avail / j->cpt < l->t_min)
		return false;
	l->t_max = MIN(l->t_max, l->avail / j->cpt);
	if (j->ntasks != NO_VAL && !is_22_05(l->s))
		l->t_max = MIN(l->t_max, j->ntasks);
	return true;
}

/* Step 1: the want W. */
static bool set_want(struct looking *l)
{
	const struct gres_want *w = l->w;
	uint32_t rem = 0;
	if (w->per_job) {
		uint32_t others = is_22_05(l->s) ? 0 : l->min_left - 1;
		uint32_t spn = l->j->req->sockets_per_node != NO_VAL ? l->j->req->sockets_per_node : 1;
		if (l->given < w->per_job)
			rem = MAX(1, (int64_t)w->per_job - l->given - others);
		else
			rem = w->per_node ? w->per_node : MAX(MAX(1u, w->per_task), w->per_socket * spn);
		if (w->per_task) {
			if ((uint64_t)w->per_task * l->t_min > rem)
				return false;
			rem = (uint32_t)MIN((uint64_t)rem, (uint64_t)w->per_task * l->t_max);
		}
	}
	uint32_t most = l->j->whole_node ? UINT32_MAX
	                : w->per_node    ? w->per_node
	                : w->per_job     ? w->per_job
	                                 : UINT32_MAX;
	if (w == job_main_gres(l->j))
		most = MIN(most, l->s->gpus[l->node]);
	l->want = l->j->whole_node ? UINT32_MAX : MIN(rem ? rem : UINT32_MAX, most);
	return true;
}

static uint32_t cores_left(const struct looking *l)
{
	uint32_t n = 0;
	for (uint32_t x = 0; x < socket_count(l->k); x++)
		n += l->cores[x];
	return n;
}

static void set_cores(struct looking *l, uint32_t socket, uint32_t n)
{
	if (n < l->cores[socket])
		cores_keep_on_socket(l->cand, l->k, socket, n);
	l->cores[socket] = n;
}

/* Sockets by candidate cores, descending, lower ones first on ties. */
static void order_sockets(const struct looking *l, uint16_t *order)
{
	uint32_t n = socket_count(l->k);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;
		for (; at > 0 && l->cores[order[at - 1]] < l->cores[i]; at--)
			order[at] = order[at - 1];
		order[at] = (uint16_t)i;
	}
}

/* Step 2: which sockets are required. Returns the devices found on sockets. */
static uint32_t require_sockets(struct looking *l)
{
	uint16_t order[SOCKETS_MAX];
	uint32_t sum = 0, any = l->have->any, n = socket_count(l->k),
	         spare_at = (MAX(l->t_min, 1u) * l->j->cpt + l->c - 1) / l->c;
	bool sufficient = false, strict = l->first || l->enforce;
	order_sockets(l, order);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = order[i], here = l->have->on[x];
		l->required[x] = false;
		if (strict && l->q)
			here = MIN(here, l->cores[x] * l->c / l->q);
		if ((l->w->per_socket && l->w->per_socket > any + here) || any + here == 0) {
			if (l->w->per_socket || l->enforce)
				here = 0;
			uint32_t left = cores_left(l), drop = left > spare_at ? MIN(l->cores[x], left - spare_at) : 0;
			if (l->first)
				set_cores(l, x, l->cores[x] - drop);
		}
		if (strict && !l->cores[x])
			continue;
		sum += here;
		if (is_22_05(l->s))
			l->required[x] = !sufficient;
		else
			l->required[x] = any > 0 || (here > 0 && !sufficient);
		sufficient = sufficient || ((sum >= l->want || (l->w->per_node && sum >= l->w->per_node)) &&
		                            !(is_22_05(l->s) && any));
	}
	return sum;
}

/* Step 3: the count and the tasks it allows. */
static bool set_count(struct looking *l, uint32_t sum)
{
	const struct gres_want *w = l->w;
	const struct job *j = l->j;
	bool old = is_22_05(l->s);
	uint32_t n = l->have->any + sum, k = j->ntasks_per_gpu;
	if (l->q)
		n = MIN(n, l->avail / l->q);
	if (!old) {
		n = MIN(n, l->want);
		if (w->per_node && !j->whole_node)
			n = MIN(n, w->per_node);
	}
	if (!n || n < w->per_node || n < w->per_task)
		return false;
	if (!old && l->q) {
		bool few = (uint64_t)n * l->q < MAX(j->pn_min_cpus, l->t_min * j->cpt);
		l->t_max = MIN(l->t_max, few ? l->t_min : MAX(l->t_min, n * l->q / j->cpt));
	}
	if (w->per_task) {
		l->t_max = MIN(l->t_max, n / w->per_task);
		if (!old && !w->per_node)
			n = MIN(n, l->t_max * w->per_task);
	} else if (k && !old) {
		l->t_max = (uint32_t)MIN((uint64_t)l->t_max, (uint64_t)n * k);
		if (!w->per_node)
			n = MIN(n, MAX(1u, l->t_max / k));
	}
	if (l->t_max != UINT32_MAX)
		l->t_max -= l->t_max % l->t_step;
	l->count = n;
	return l->t_max > 0;
}

/* Step 5: cores needed for the tasks and for CPUs per GPU. */
static bool set_needed(struct looking *l)
{
	const struct job *j = l->j;
	const struct gres_want *w = l->w;
	uint32_t cpt = j->cpt, left = cores_left(l), required = 0;
	if (j->ntasks_per_core == 1)
		cpt = (cpt + l->c - 1) / l->c * l->c;
	uint32_t fits = (uint32_t)MIN((uint64_t)left * l->c / MAX(1u, cpt), UINT32_MAX);
	if (l->t_max > MAX(l->t_min, fits)) /* as many tasks as the cores left hold, but not fewer than t_min */
		l->t_max = MAX(l->t_min, fits);
	l->needed = (l->t_max * cpt + l->c - 1) / l->c;
	for (uint32_t x = 0; x < socket_count(l->k); x++)
		required += l->required[x];
	l->gpu_cores = 0;
	if (l->q) {
		uint32_t g = w->per_node     ? w->per_node
		             : w->per_socket ? w->per_socket * required
		             : w->per_task   ? w->per_task * l->t_max
		                             : l->count;
		if (is_22_05(l->s) && w->per_job && !w->per_node)
			g = MIN(g, l->want);
		l->gpu_cores = (l->q * g + l->c - 1) / l->c;
		l->needed = MAX(l->needed, l->gpu_cores);
	}
	if (l->enforce) {
		l->gpu_cores = MAX(l->gpu_cores, required);
		l->needed = MAX(l->needed, required);
		if (l->needed * l->c > l->avail)
			return false;
	}
	return l->needed <= left;
}

/* Cores go one at a time from the fullest required socket, the lowest of equals: many steps of that at once, down to the
 * next fullest. False when there is nothing left. */
static bool level_down(const struct looking *l, uint32_t *keep, uint32_t *surplus)
{
	uint32_t most = 0, next = 0, equal = 0, n = socket_count(l->k);
	for (uint32_t x = 0; x < n; x++) {
		if (!l->required[x])
			continue;
		if (keep[x] > most) {
			next = most;
			most = keep[x];
			equal = 1;
		} else if (keep[x] == most) {
			equal++;
		} else {
			next = MAX(next, keep[x]);
		}
	}
	if (!most)
		return false;
	uint32_t gone = MIN(*surplus, equal * (most - next)), each = gone / equal, rest = gone % equal;
	for (uint32_t x = 0; x < n; x++)
		if (l->required[x] && keep[x] == most) {
			keep[x] -= each + (rest > 0);
			rest -= rest > 0;
		}
	*surplus -= gone;
	return true;
}

/* Step 6: surplus cores go: those of not required sockets (second pass), then one at a time from the fullest required
 * socket. */
static void drop_surplus(struct looking *l)
{
	uint32_t left = cores_left(l), surplus = left - l->needed, n = socket_count(l->k);
	for (uint32_t x = 0; x < n && surplus && !l->first && !l->enforce; x++)
		if (!l->required[x]) {
			uint32_t drop = MIN(surplus, l->cores[x]);
			set_cores(l, x, l->cores[x] - drop);
			surplus -= drop;
		}
	uint32_t keep[SOCKETS_MAX];
	memcpy(keep, l->cores, n * sizeof *keep);
	while (surplus && level_down(l, keep, &surplus))
		;
	for (uint32_t x = 0; x < n; x++)
		set_cores(l, x, keep[x]);
}

/* N70: k cores for each GPU. */
static void limit_restricted(struct looking *l)
{
	bool by_socket = !l->first && !l->enforce;
	restricted_keep(l->k, l->cand, l->count * l->k->restricted_cores_per_gpu, by_socket ? l->required : NULL, false);
	for (uint32_t x = 0; x < socket_count(l->k); x++)
		l->cores[x] = cores_on_socket(l->cand, l->k, x);
}

/* Tasks that N devices, or the shares of the node, serve. */
static uint32_t tasks_served(const struct looking *l, uint32_t n)
{
	for (uint32_t i = 0; i < l->k->n_gres; i++)
		if (l->k->gres[i].per_device && strcmp(l->k->gres[i].name, l->w->name) == 0)
			return share_tasks(l->s, l->node, l->w, &l->k->gres[i]);
	return n / l->w->per_task;
}

static bool look_for(struct looking *l, struct gres_look *out)
{
	const struct job *j = l->j;
	bool old = is_22_05(l->s), main = l->w == job_main_gres(j);
	for (uint32_t x = 0; x < socket_count(l->k); x++)
		l->cores[x] = cores_on_socket(l->cand, l->k, x);
	gres_count(l->s, l->node, l->w, l->cores, l->have);
	if (!bound_tasks(l) || !set_want(l))
		return false;
	uint32_t sum = require_sockets(l);
	if (!set_count(l, sum))
		return false;
	for (uint32_t x = 0; x < socket_count(l->k) && (l->first || l->enforce); x++) /* step 4 */
		if (!l->required[x])
			set_cores(l, x, 0);
	if (l->k->restricted && main)
		limit_restricted(l);
	bool bounded = l->t_max != UINT32_MAX;
	if (bounded) {
		if (!set_needed(l))
			return false;
		if (l->s->cl->params->cr_unit != CR_SOCKET)
			drop_surplus(l);
	}
	l->avail = MIN(l->avail, cores_left(l) * l->c); /* step 7 */
	bool firm_q = l->q && l->firm;
	if (bounded && !firm_q && !(l->s->cl->params->cr_one_task_per_core && j->cpt == 1))
		l->avail = MIN(l->avail, MAX(l->t_max * j->cpt, l->enforce ? l->c * l->needed : 0));
	if (bounded && (firm_q || l->enforce)) {
		/* recorded: in 22.05 the tasks that would fit do not raise it (case 42, gpu-defaults) */
		out->least = MAX(out->least, l->c * (old ? l->gpu_cores : l->needed));
	}
	if (main) {
		uint32_t n = l->q ? MIN(l->count, l->avail / l->q) : l->count;
		out->gpus = old ? MIN(l->q ? l->avail / l->q : UINT32_MAX, l->have->total) : n;
	}
	if (l->w->per_task)
		out->t_max = MIN(out->t_max, tasks_served(l, main ? out->gpus : l->count));
	else if (!old)
		out->t_max = MIN(out->t_max, l->t_max);
	return l->avail > 0;
}

bool gres_look(struct selector *s, uint32_t node, uint32_t avail, uint32_t given, uint32_t min_left, uint64_t *cand,
               struct gres_look *out)
{
	const struct job *j = s->job;
	const struct node_config *k = s->config[node];
	uint32_t c = k->cpus_per_core;
	if (j->req->threads_per_core != NO_VAL)
		c = MIN(c, MAX(1u, j->req->threads_per_core));
	*out = (struct gres_look){.cpus = avail, .t_max = UINT32_MAX};
	bool firm, required[SOCKETS_MAX];
	uint32_t q = gres_cpus_per_gpu(s, s->first_pass, &firm), cores[SOCKETS_MAX];
	struct gres_by_socket have;
	for (uint32_t i = 0; i < j->n_gres; i++) {
		struct looking l = {.s = s,
		                    .j = j,
		                    .w = &j->gres[i],
		                    .k = k,
		                    .cand = cand,
		                    .node = node,
		                    .avail = out->cpus,
		                    .c = MAX(1u, c),
		                    .q = strcmp(j->gres[i].name, "gpu") == 0 ? q : 0,
		                    .firm = firm,
		                    .given = given,
		                    .min_left = MAX(1u, min_left),
		                    .first = s->first_pass,
		                    .enforce = gres_enforces(j),
		                    .cores = cores,
		                    .required = required,
		                    .have = &have};
		if (!look_for(&l, out))
			return false;
		out->cpus = l.avail;
	}
	return true;
}
