/* gres_place.c - see gres_place.h */
#include "sched/gres_place.h"
#include "sched/gres_cores.h"
#include "sched/gres_share.h"
#include "sched/offer.h"

#include <limits.h>
#include <string.h>

#define ANY_SOCKET (-1)

/* Picking devices of one want on one node. */
struct picking {
	const struct node_gres *ng;
	const struct gres_want *w;
	const struct node_config *k;
	uint64_t busy; /* in use by others */
	uint64_t *out; /* taken by this job, all wants */
	uint32_t got;
	const uint32_t *cores; /* job cores by socket */
	uint32_t n_cores;
	bool enforce;
	struct links *links; /* NULL: none, or not to be heeded */
	bool most_linked;    /* 22.05: by links to what is picked, the most linked first */
};

struct links {        /* N69: the order in which devices are scanned */
	int *row[64]; /* row[i][j]: links between devices i and j */
	uint32_t n;
	int sum[64]; /* to the devices picked */
	uint8_t order[64];
};

/* The full link matrix of a GRES: every device has a row. */
static bool links_of(const struct node_gres *ng, struct links *l)
{
	if (ng->count > 64 || !ng->n_groups || (ng->group[0].count && !ng->group[0].links))
		return false;
	*l = (struct links){.n = ng->count};
	for (uint32_t i = 0; i < ng->n_groups; i++)
		for (uint32_t d = ng->group[i].first; d < ng->group[i].first + ng->group[i].count; d++)
			l->row[d] = ng->group[i].links;
	for (uint32_t d = 0; d < l->n; d++) {
		l->order[d] = (uint8_t)d;
		if (!l->row[d])
			return false;
	}
	return l->n > 0;
}

/* After a pick: devices that nobody holds are scanned by their links to what was picked, the least linked first (as
 * coded). */
static void reorder(struct links *l, uint32_t picked, uint64_t held)
{
	for (uint32_t d = 0; d < l->n; d++)
		if (!((held >> d) & 1))
			l->sum[d] += l->row[picked][d];
	for (uint32_t i = 1; i < l->n; i++) {
		uint8_t d = l->order[i];
		uint32_t at = i;
		for (; at > 0 && l->sum[l->order[at - 1]] > l->sum[d]; at--)
			l->order[at] = l->order[at - 1];
		l->order[at] = d;
	}
}

static bool on_socket(const struct gres_group *g, int64_t socket)
{
	return socket == ANY_SOCKET ? !g->sockets : g->sockets && bitset_test(g->sockets, (uint32_t)socket);
}

static bool may_take(const struct picking *p, int64_t socket, uint32_t d)
{
	if (((p->busy | *p->out) >> d) & 1)
		return false;
	for (uint32_t i = 0; i < p->ng->n_groups; i++) {
		const struct gres_group *g = &p->ng->group[i];
		if (d >= g->first && d < g->first + g->count)
			return on_socket(g, socket) && gres_type_fits(p->w, g);
	}
	return false;
}

/* The scan goes on at the second place of the new order after each pick. */
static uint32_t pick_linked(struct picking *p, int64_t socket, uint32_t want)
{
	uint32_t got = 0;
	for (uint32_t i = 0; i < p->links->n && got < want;) {
		uint32_t d = p->links->order[i];
		if (!may_take(p, socket, d)) {
			i++;
			continue;
		}
		*p->out |= UINT64_C(1) << d;
		got++;
		reorder(p->links, d, p->busy | *p->out);
		i = 1;
	}
	p->got += got;
	return got;
}

#define LINK_LEVELS 4 /* 22.05 tells no finer sums of links apart */

/* [22.05] The device of SOCKET best linked to those picked, lowest index within a level; -1 = none. */
static int best_linked(const struct picking *p, int64_t socket)
{
	const struct links *l = p->links;
	int sum[64], most = 0, best = -1;
	for (uint32_t d = 0; d < l->n; d++) {
		sum[d] = 0;
		for (uint32_t k = 0; k < l->n; k++)
			if ((*p->out >> k) & 1 && k != d)
				sum[d] += MAX(0, l->row[k][d]);
		most = MAX(most, sum[d]);
	}
	for (uint32_t d = 0; d < l->n; d++) {
		if (most > LINK_LEVELS)
			sum[d] = sum[d] * LINK_LEVELS / most;
		if (may_take(p, socket, d) && (best < 0 || sum[d] > sum[best]))
			best = (int)d;
	}
	return best;
}

static uint32_t pick_most_linked(struct picking *p, int64_t socket, uint32_t want)
{
	uint32_t got = 0;
	for (int d; got < want && (d = best_linked(p, socket)) >= 0; got++)
		*p->out |= UINT64_C(1) << d;
	p->got += got;
	return got;
}

/* Up to WANT devices of SOCKET (ANY_SOCKET: those of any), lowest index first. */
static uint32_t pick(struct picking *p, int64_t socket, uint32_t want)
{
	uint32_t got = 0;
	if (p->links)
		return p->most_linked ? pick_most_linked(p, socket, want) : pick_linked(p, socket, want);
	for (uint32_t i = 0; i < p->ng->n_groups && got < want; i++) {
		const struct gres_group *g = &p->ng->group[i];
		if (!on_socket(g, socket) || !gres_type_fits(p->w, g))
			continue;
		for (uint32_t d = g->first; d < MIN(g->first + g->count, 64u) && got < want; d++)
			if (!(((p->busy | *p->out) >> d) & 1)) {
				*p->out |= UINT64_C(1) << d;
				got++;
			}
	}
	p->got += got;
	return got;
}

static uint32_t free_on(const struct picking *p, uint32_t socket)
{
	struct picking copy = *p;
	uint64_t out = *p->out;
	copy.out = &out;
	copy.links = NULL;
	return pick(&copy, socket, UINT32_MAX);
}

static uint32_t missing(const struct picking *p, uint32_t want)
{
	return want - MIN(want, p->got);
}

static void pick_used(struct picking *p, uint32_t want)
{
	for (uint32_t x = 0; x < socket_count(p->k); x++)
		if (p->cores[x])
			pick(p, x, missing(p, want));
}

static void pick_others(struct picking *p, uint32_t want)
{
	for (uint32_t x = 0; x < socket_count(p->k) && !p->enforce; x++)
		if (!p->cores[x])
			pick(p, x, missing(p, want));
}

static void pick_all_sockets(struct picking *p, uint32_t want)
{
	for (uint32_t x = 0; x < socket_count(p->k); x++)
		pick(p, x, missing(p, want));
}

/* Steps 1-3 of the rows "per node" and "per job". */
static void pick_by_cores(struct picking *p, uint32_t want)
{
	for (uint32_t x = 0; x < socket_count(p->k); x++) {
		uint32_t share = p->n_cores ? (uint32_t)((uint64_t)p->cores[x] * want / p->n_cores) : 0;
		pick(p, x, MIN(missing(p, want), share));
	}
	pick(p, ANY_SOCKET, missing(p, want));
	pick_used(p, want);
}

static void pick_one_each(struct picking *p, uint32_t want) /* 22.05, per node */
{
	pick(p, ANY_SOCKET, MIN(1u, missing(p, want)));
	for (uint32_t x = 0; x < socket_count(p->k); x++)
		if (p->cores[x])
			pick(p, x, MIN(1u, missing(p, want)));
	pick(p, ANY_SOCKET, missing(p, want));
	pick_used(p, want);
}

static bool per_node(struct picking *p, bool old, uint32_t want)
{
	if (old)
		pick_one_each(p, want);
	else
		pick_by_cores(p, want);
	pick_others(p, want);
	return p->got >= want;
}

static bool per_socket(struct picking *p, const struct job *j, uint32_t each)
{
	uint32_t n = socket_count(p->k), asked = j->req->sockets_per_node != NO_VAL ? j->req->sockets_per_node : 1,
	         used = 0;
	bool counts[SOCKETS_MAX];
	for (uint32_t x = 0; x < n; x++)
		used += counts[x] = p->cores[x] > 0;
	for (uint32_t x = 0; x < n && used > asked; x++)
		if (counts[x] && !free_on(p, x)) {
			counts[x] = false;
			used--;
		}
	for (uint32_t x = 0; x < n && used < asked && !p->enforce; x++)
		if (!counts[x] && free_on(p, x) >= each) {
			counts[x] = true;
			used++;
		}
	uint32_t want = used * each;
	for (uint32_t x = 0; x < n; x++)
		if (counts[x])
			pick(p, x, MIN(each, missing(p, want)));
	pick(p, ANY_SOCKET, missing(p, want));
	for (uint32_t x = 0; x < n; x++)
		if (counts[x])
			pick(p, x, missing(p, want));
	pick_others(p, want);
	return p->got >= want;
}

/* N68: tasks by socket, read off the job's cores in order. */
static void tasks_by_socket(const struct selector *s, const struct node_config *k, const struct gres_node *n, bool old,
                            uint32_t *tasks)
{
	const struct job *j = s->job;
	uint32_t c = offer_core_cpus(s, k), e = old ? 1 : MAX(1u, n->cpus / MAX(1u, n->tasks)), skip = 0;
	uint32_t each = j->ntasks_per_core ? j->ntasks_per_core : MAX(1u, c / e);
	for (uint32_t x = 0; x < socket_count(k); x++) {
		tasks[x] = 0;
		for (uint32_t i = x * socket_size(k); i < (x + 1) * socket_size(k); i++) {
			if (!core_test(n->cores, i))
				continue;
			if (skip) {
				skip--;
				continue;
			}
			tasks[x] += each;
			if (e > c)
				skip = MAX(1u, e / k->cpus_per_core) - 1;
		}
		if (j->ntasks_per_socket)
			tasks[x] = MIN(tasks[x], j->ntasks_per_socket);
	}
}

static bool per_task(struct picking *p, const struct selector *s, const struct gres_node *n, bool old, uint32_t each)
{
	uint32_t tasks[SOCKETS_MAX], want = MAX(1u, n->tasks) * each, sum = 0;
	tasks_by_socket(s, p->k, n, old, tasks);
	for (uint32_t x = 0; x < socket_count(p->k); x++) {
		sum += tasks[x];
		uint32_t share = old ? (uint32_t)MIN((uint64_t)sum * each, want) : 0;
		pick(p, x, old ? missing(p, share) : MIN(missing(p, want), tasks[x] * each));
	}
	pick(p, ANY_SOCKET, missing(p, want));
	if (!p->enforce)
		pick_all_sockets(p, want);
	return p->got >= want;
}

/* N69: of the devices taken, those stay that are best linked to B, the first of the best linked pair. */
static void keep_linked(struct picking *p, const struct links *l, uint32_t count)
{
	uint32_t b = 0;
	int most = INT_MIN;
	for (uint32_t i = 0; i < l->n; i++)
		for (uint32_t k = i + 1; k < l->n; k++)
			if ((*p->out >> i) & (*p->out >> k) & 1 && l->row[i][k] > most) {
				most = l->row[i][k];
				b = i;
			}
	while (p->got > count) {
		int drop = -1;
		for (uint32_t d = 0; d < l->n; d++)
			if ((*p->out >> d) & 1 && d != b && (drop < 0 || l->row[b][d] < l->row[b][drop]))
				drop = (int)d;
		if (drop < 0)
			return;
		*p->out &= ~(UINT64_C(1) << drop);
		p->got--;
	}
}

static void per_job(struct picking *p, const struct gres_placing *g, const struct gres_node *n, bool old,
                    uint32_t total)
{
	const struct job *j = g->s->job;
	bool firm;
	uint32_t q = gres_cpus_per_gpu(g->s, false, &firm), c = offer_core_cpus(g->s, p->k);
	int64_t want = (int64_t)total - g->given - (g->nodes_left - 1);
	bool by_cpus = j->req->cpus_per_gpu != NO_VAL || j->ntasks_per_gpu;
	if (q && (old ? firm : by_cpus))
		want = MIN(want, p->n_cores * (old ? p->k->cpus_per_core : c) / q);
	if (!old)
		want = MIN(want, g->s->gtaken[n->node]);
	uint32_t count = (uint32_t)MAX(1, want);
	struct links l;
	if (count > 1 && links_of(p->ng, &l)) {
		pick(p, ANY_SOCKET, UINT32_MAX);
		for (uint32_t x = 0; x < socket_count(p->k); x++)
			if (p->cores[x])
				pick(p, x, UINT32_MAX);
		keep_linked(p, &l, count);
	} else if (old) {
		pick(p, ANY_SOCKET, count);
		pick_used(p, count);
	} else {
		pick_by_cores(p, count);
	}
	if (!p->got)
		pick_others(p, 1);
}

void gres_place_begin(struct gres_placing *p, struct selector *s, uint32_t nodes)
{
	*p = (struct gres_placing){.s = s, .nodes_left = nodes};
	p->taken = g_array_new(FALSE, FALSE, sizeof(struct gres_taken));
	p->first = g_array_new(FALSE, FALSE, sizeof(guint));
	p->nodes = g_array_new(FALSE, FALSE, sizeof(guint));
	p->shares = g_array_new(FALSE, FALSE, sizeof(struct gres_taken));
	p->share_of = g_array_new(FALSE, FALSE, sizeof(guint));
}

void gres_place_end(struct gres_placing *p)
{
	g_array_unref(p->taken);
	g_array_unref(p->first);
	g_array_unref(p->nodes);
	g_array_unref(p->shares);
	g_array_unref(p->share_of);
}

static uint64_t all_devices(const struct node_gres *ng)
{
	return !ng->devices ? 0 : ng->count >= 64 ? UINT64_MAX : (UINT64_C(1) << ng->count) - 1;
}

/* A GRES without devices: the same kinds of counts, without indexes. */
static bool place_plain(struct gres_placing *g, const struct gres_want *w, const struct node_gres *ng,
                        const struct gres_node *n, struct gres_taken *t)
{
	uint32_t want = w->per_node     ? w->per_node
	                : w->per_task   ? w->per_task * MAX(1u, n->tasks)
	                : w->per_socket ? w->per_socket
	                                : 1;
	if (!w->per_node && !w->per_task && w->per_job)
		want = g->s->gtaken[n->node];
	t->count += want;
	g->given += w == job_main_gres(g->s->job) ? want : 0;
	return ng->no_consume || gres_gone(g->s, n->node, t->gres).count + t->count <= ng->count;
}

/* Devices of W that the node is to give. */
static uint32_t wanted_here(const struct gres_placing *g, const struct gres_want *w, const struct gres_node *n)
{
	return w->per_node     ? w->per_node
	       : w->per_task   ? w->per_task * MAX(1u, n->tasks)
	       : w->per_socket ? w->per_socket
	                       : g->s->gtaken[n->node];
}

static bool place_shares(struct gres_placing *g, const struct gres_want *w, const struct node_gres *ng,
                         const struct gres_node *n, const uint32_t *cores, uint16_t gres)
{
	const struct selector *s = g->s;
	uint32_t tasks[SOCKETS_MAX];
	tasks_by_socket(s, s->config[n->node], n, s->cl->params->version == SLURM_22_05, tasks);
	struct share_order r = {.s = s,
	                          .w = w,
	                          .ng = ng,
	                          .gres = gres,
	                          .node = n->node,
	                          .cores = cores,
	                          .tasks = tasks,
	                          .n_tasks = n->tasks};
	guint place = g->nodes->len - 1;
	bool ok = share_place(&r, g->shares);
	while (g->share_of->len < g->shares->len)
		g_array_append_val(g->share_of, place);
	return ok;
}

static bool place_want(struct gres_placing *g, const struct gres_want *w, const struct node_gres *ng,
                       const struct gres_node *n, const uint32_t *cores, struct gres_taken *t)
{
	const struct selector *s = g->s;
	const struct node_config *k = s->config[n->node];
	bool old = s->cl->params->version == SLURM_22_05, ok = true;
	if (ng->per_device)
		return place_shares(g, w, ng, n, cores, t->gres);
	if (!ng->devices)
		return place_plain(g, w, ng, n, t);
	struct picking p = {.ng = ng,
	                    .w = w,
	                    .k = k,
	                    .busy = gres_busy(s, n->node, t->gres),
	                    .out = &t->devices,
	                    .cores = cores,
	                    .n_cores = cores_all(n->cores, k),
	                    .enforce = gres_enforces(s->job)};
	struct links l;
	if ((w->per_node || w->per_socket || w->per_task) && links_of(ng, &l)) {
		p.links = &l;
		p.most_linked = old;
	}
	if (k->restricted && strcmp(ng->name, "gpu") == 0) /* N70: first those that the job's restricted cores are kept for */
		for (uint32_t x = 0; x < socket_count(k); x++)
			pick(&p, x, MIN(restricted_gpus(k, n->cores, x), missing(&p, wanted_here(g, w, n))));
	if (w->per_node)
		ok = per_node(&p, old, w->per_node);
	else if (w->per_socket)
		ok = per_socket(&p, s->job, w->per_socket);
	else if (w->per_task)
		ok = per_task(&p, s, n, old, w->per_task);
	else
		per_job(&p, g, n, old, w->per_job);
	if (w == job_main_gres(s->job))
		g->given += p.got;
	t->count += p.got;
	return ok;
}

bool gres_place_node(struct gres_placing *g, const struct gres_node *n)
{
	const struct job *j = g->s->job;
	const struct node_config *k = g->s->config[n->node];
	guint first = g->taken->len, node = n->node;
	uint32_t cores[SOCKETS_MAX];
	g_array_append_val(g->first, first);
	g_array_append_val(g->nodes, node);
	for (uint32_t x = 0; x < socket_count(k); x++)
		cores[x] = cores_on_socket(n->cores, k, x);
	bool ok = true;
	for (uint32_t i = 0; i < k->n_gres && ok; i++) {
		const struct node_gres *ng = &k->gres[i];
		struct gres_taken t = {.gres = (uint16_t)i};
		if (j->whole_node && !ng->no_consume && !ng->per_device) { /* N65: all of it */
			t.count = ng->count;
			t.devices = all_devices(ng);
			g->given += t.count;
		}
		for (uint32_t w = 0; w < j->n_gres && ok && !j->whole_node; w++)
			if (strcmp(j->gres[w].name, ng->name) == 0)
				ok = place_want(g, &j->gres[w], ng, n, cores, &t);
		g_array_append_val(g->taken, t);
	}
	g->nodes_left--;
	return ok;
}

/* The count per job is still short after all nodes: what is free on them fills it, node by node. */
static void fill_node(struct gres_placing *g, const struct gres_want *w, guint i)
{
	const struct selector *s = g->s;
	guint node = g_array_index(g->nodes, guint, i), first = g_array_index(g->first, guint, i);
	const struct node_config *k = s->config[node];
	uint32_t none[SOCKETS_MAX] = {0};
	for (uint32_t n = 0; n < k->n_gres; n++) {
		struct gres_taken *t = &g_array_index(g->taken, struct gres_taken, first + n);
		if (!k->gres[n].devices || strcmp(k->gres[n].name, w->name) != 0)
			continue;
		struct picking p = {.ng = &k->gres[n],
		                    .w = w,
		                    .k = k,
		                    .busy = gres_busy(s, node, n),
		                    .out = &t->devices,
		                    .cores = none};
		uint32_t want = w->per_job - g->given;
		if (s->cl->params->version == SLURM_22_05)
			pick(&p, ANY_SOCKET, want);
		pick_all_sockets(&p, want);
		pick(&p, ANY_SOCKET, missing(&p, want));
		t->count += p.got;
		g->given += p.got;
	}
}

bool gres_place_finish(struct gres_placing *g)
{
	const struct gres_want *w = job_main_gres(g->s->job);
	if (!w || !w->per_job || w->per_node || w->per_task || w->per_socket || g->s->job->whole_node)
		return true;
	for (guint i = 0; i < g->nodes->len && g->given < w->per_job; i++)
		fill_node(g, w, i);
	return g->given >= w->per_job;
}

uint32_t gres_place_store(const struct gres_placing *g, guint i, GArray *out)
{
	guint first = g_array_index(g->first, guint, i);
	const struct node_config *k = g->s->cl->node[g_array_index(g->nodes, guint, i)]->config;
	uint32_t gpus = 0;
	for (uint32_t n = 0; n < k->n_gres; n++) {
		struct gres_taken t = g_array_index(g->taken, struct gres_taken, first + n);
		if (!t.count || k->gres[n].no_consume)
			continue;
		g_array_append_val(out, t);
		gpus += strcmp(k->gres[n].name, "gpu") == 0 ? t.count : 0;
	}
	for (guint n = 0; n < g->shares->len; n++)
		if (g_array_index(g->share_of, guint, n) == i)
			g_array_append_val(out, g_array_index(g->shares, struct gres_taken, n));
	return gpus;
}
