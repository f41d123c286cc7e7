/* gres_share.c - see gres_share.h */
#include "sched/gres_share.h"

#include <string.h>

/* The node's GPUs; NULL if it has none. */
static const struct node_gres *gpus_of(const struct node_config *k, uint32_t *index)
{
	for (uint32_t i = 0; i < k->n_gres; i++)
		if (strcmp(k->gres[i].name, "gpu") == 0) {
			*index = i;
			return &k->gres[i];
		}
	return NULL;
}

/* [22.05] knows where shares are only when the lines of the GPUs have cores or types (case 48). */
static bool shares_known(const struct selector *s, const struct node_gres *gpus)
{
	if (s->cl->params->version != SLURM_22_05)
		return true;
	for (uint32_t g = 0; g < gpus->n_groups; g++)
		if (gpus->group[g].cores || gpus->group[g].type)
			return true;
	return false;
}

uint64_t gres_busy(const struct selector *s, uint32_t node, uint32_t i)
{
	const struct node_config *k = s->config[node];
	const struct gres_use *u = usage_gres(s->view, node);
	uint64_t busy = gres_gone(s, node, i).devices;
	if (!k->n_shares || strcmp(k->gres[i].name, "gpu") != 0 || !shares_known(s, &k->gres[i]))
		return busy;
	for (uint32_t n = 0; n < k->n_gres; n++)
		if (k->gres[n].per_device)
			busy |= u[n].devices;
	return busy;
}

static uint32_t free_shares(const struct selector *s, uint32_t node, const struct node_gres *ng, uint32_t d)
{
	const struct node_config *k = s->config[node];
	uint32_t gpu;
	if (s->mode == TRIAL_TEST_ONLY)
		return ng->per_device[d];
	if (gpus_of(k, &gpu) && (gres_gone(s, node, gpu).devices >> d) & 1)
		return 0;
	return ng->per_device[d] - usage_shares(s->view, node, ng)[d];
}

uint32_t share_free(const struct selector *s, uint32_t node, const struct node_gres *ng, uint32_t d)
{
	if (ng->one_sharing && s->mode != TRIAL_TEST_ONLY) {
		const uint32_t *held = usage_shares(s->view, node, ng);
		bool open = false;
		for (uint32_t i = 0; i < ng->n_devices; i++)
			open = open || held[i];
		if (open && !held[d])
			return 0;
	}
	return free_shares(s, node, ng, d);
}

/* The group of GPU D; NULL: it is not known where it is. */
static const struct gres_group *group_of(const struct node_config *k, uint32_t d)
{
	uint32_t gpu;
	const struct node_gres *gpus = gpus_of(k, &gpu);
	for (uint32_t g = 0; gpus && g < gpus->n_groups; g++)
		if (d >= gpus->group[g].first && d < gpus->group[g].first + gpus->group[g].count)
			return &gpus->group[g];
	return NULL;
}

/* What GPU D gives to W: nothing when that is less than W must have from one GPU. */
static uint32_t usable(const struct selector *s, uint32_t node, const struct gres_want *w, const struct node_gres *ng,
                       uint32_t d)
{
	uint32_t n = share_free(s, node, ng, d);
	bool whole = s->mode != TRIAL_TEST_ONLY && (w->per_task || !s->cl->params->multiple_sharing_gres);
	return whole && n < MAX(w->per_node, w->per_task) ? 0 : n;
}

void share_count(const struct selector *s, uint32_t node, const struct gres_want *w, const struct node_gres *ng,
                 const uint32_t *free, struct gres_by_socket *out)
{
	const struct node_config *k = s->config[node];
	out->any = out->total = 0;
	memset(out->on, 0, socket_count(k) * sizeof *out->on);
	for (uint32_t d = 0; d < ng->n_devices; d++) {
		const struct gres_group *g = group_of(k, d);
		uint32_t n = gres_type_fits(w, g) ? usable(s, node, w, ng, d) : 0;
		bool counted = !g || !g->sockets;
		out->any += counted ? n : 0;
		int64_t x;
		if (g && g->sockets)
			for (BITSET_EACH(x, g->sockets)) {
				if (gres_enforces(s->job) && free && !free[x])
					continue;
				out->on[x] += n;
				counted = true;
			}
		out->total += counted ? n : 0;
	}
}

uint32_t share_tasks(const struct selector *s, uint32_t node, const struct gres_want *w, const struct node_gres *ng)
{
	uint32_t most = 0, sum = 0;
	for (uint32_t d = 0; d < ng->n_devices; d++) {
		uint32_t n = share_free(s, node, ng, d) / w->per_task;
		most = MAX(most, n);
		sum += s->job->gres_one_task ? n > 0 : n;
	}
	return s->cl->params->multiple_sharing_gres ? sum : most;
}

/* ---- N72: which GPUs ---- */

struct dealing {
	const struct share_order *r;
	uint32_t *given; /* [n_devices] to this job */
	uint64_t used;   /* GPUs that serve a task */
	uint32_t socket; /* first look there; UINT32_MAX: the used sockets */
};

static bool on_socket(const struct dealing *d, uint32_t device, uint32_t socket)
{
	const struct gres_group *g = group_of(d->r->s->config[d->r->node], device);
	return g && g->sockets && bitset_test(g->sockets, socket);
}

static uint32_t left_on(const struct dealing *d, uint32_t device)
{
	const struct share_order *r = d->r;
	const struct gres_group *g = group_of(r->s->config[r->node], device);
	uint32_t n = gres_type_fits(r->w, g) ? share_free(r->s, r->node, r->ng, device) : 0;
	if (r->s->job->gres_one_task && r->w->per_task && (d->used >> device) & 1)
		return 0;
	return n - MIN(n, d->given[device]);
}

/* Which place DEVICE has in the order of sockets: lower is earlier; -1 = not at all. */
static int rank_of(const struct dealing *d, uint32_t device)
{
	const struct share_order *r = d->r;
	const struct node_config *k = r->s->config[r->node];
	const struct gres_group *g = group_of(k, device);
	uint32_t n = socket_count(k);
	if (!g || !g->sockets)
		return (int)n + 1;
	if (d->socket != UINT32_MAX && on_socket(d, device, d->socket))
		return 0;
	for (uint32_t x = 0; x < n; x++)
		if (r->cores[x] && on_socket(d, device, x))
			return (int)x + 1;
	return gres_enforces(r->s->job) ? -1 : (int)n + 2;
}

/* Least loaded first (LL_SHARED_GRES): larger is better. */
static uint64_t room(const struct dealing *d, uint32_t device)
{
	const struct node_gres *ng = d->r->ng;
	if (!d->r->s->cl->params->ll_shared_gres || !ng->per_device[device])
		return 0;
	return (uint64_t)left_on(d, device) * ng->count / ng->per_device[device];
}

/* The next GPU with LEAST shares left; -1 = none. */
static int next_device(const struct dealing *d, uint32_t least)
{
	int best = -1, rank = 0;
	for (uint32_t i = 0; i < d->r->ng->n_devices; i++) {
		int mine = rank_of(d, i);
		if (mine < 0 || left_on(d, i) < MAX(1u, least))
			continue;
		if (best < 0 || mine < rank || (mine == rank && room(d, i) > room(d, (uint32_t)best))) {
			best = (int)i;
			rank = mine;
		}
	}
	return best;
}

static bool give(struct dealing *d, int device, uint32_t n)
{
	if (device < 0)
		return false;
	d->given[device] += n;
	d->used |= UINT64_C(1) << device;
	return true;
}

static bool deal_per_node(struct dealing *d, uint32_t want)
{
	int device = next_device(d, want);
	if (give(d, device, want) || !d->r->s->cl->params->multiple_sharing_gres)
		return device >= 0;
	while (want && (device = next_device(d, 1)) >= 0) {
		uint32_t n = MIN(want, left_on(d, (uint32_t)device));
		give(d, device, n);
		want -= n;
	}
	return !want;
}

static bool deal_per_task(struct dealing *d, uint32_t each)
{
	const struct share_order *r = d->r;
	uint32_t left = MAX(1u, r->n_tasks);
	if (!r->s->cl->params->multiple_sharing_gres)
		return deal_per_node(d, each * left);
	for (uint32_t x = 0; x < socket_count(r->s->config[r->node]) && left; x++)
		for (uint32_t t = 0; t < r->tasks[x] && left; t++, left--) {
			d->socket = x;
			if (!give(d, next_device(d, each), each))
				return false;
		}
	d->socket = UINT32_MAX;
	for (; left; left--)
		if (!give(d, next_device(d, each), each))
			return false;
	return true;
}

bool share_place(const struct share_order *r, GArray *out)
{
	g_autofree uint32_t *given = g_new0(uint32_t, r->ng->n_devices + 1);
	struct dealing d = {.r = r, .given = given, .socket = UINT32_MAX};
	bool ok = r->w->per_task ? deal_per_task(&d, r->w->per_task) : deal_per_node(&d, MAX(1u, r->w->per_node));
	for (uint32_t i = 0; i < r->ng->n_devices && ok; i++) {
		struct gres_taken t = {.gres = r->gres, .count = given[i], .devices = UINT64_C(1) << i};
		if (given[i])
			g_array_append_val(out, t);
	}
	return ok;
}
