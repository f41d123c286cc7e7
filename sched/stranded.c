/* stranded.c - see stranded.h */
#include "sched/stranded.h"
#include "sched/cores.h"
#include "sched/state.h"

#include <string.h>

#define SHAPES_MAX 32 /* more kinds of waiting jobs than that are not told apart */

struct gpu_shape {
	const struct partition *part;
	const struct bitset *configs;
	const char *type;
	uint32_t gpus, cpus, per_socket;
	uint64_t mem;
	bool enforce, whole;
};
struct gpu_shapes {
	struct gpu_shape shape[SHAPES_MAX];
	guint n;
};

const char *stranded_cause_name(enum stranded_cause c)
{
	static const char *const names[STRANDED_CAUSES] = {"closed",   "count",  "cores", "memory",
	                                                   "affinity", "socket", "links"};
	return names[c];
}

/* ---- shapes ---- */

static struct gpu_shape shape_of(const struct job *j, const struct gres_want *w)
{
	bool one_node = j->max_nodes == 1;
	struct gpu_shape s = {.part = j->part,
	                      .configs = j->config_ok,
	                      .type = w->type,
	                      .per_socket = w->per_socket,
	                      .enforce = j->gres_enforce,
	                      .whole = j->whole_node};
	s.gpus = MAX(MAX(1u, w->per_node), MAX(w->per_task * MAX(1u, (uint32_t)j->ntasks_per_node), w->per_socket));
	if (one_node && w->per_job)
		s.gpus = w->per_job;
	s.cpus = MAX(one_node ? j->min_cpus : MAX(1u, j->pn_min_cpus), (uint32_t)MAX(1u, j->cpt));
	if (j->req->cpus_per_gpu != NO_VAL)
		s.cpus = MAX(s.cpus, s.gpus * j->req->cpus_per_gpu);
	s.mem = j->mem_per_gpu ? j->mem_per_gpu * s.gpus : j->mem_per_cpu ? j->pn_min_memory * s.cpus : j->pn_min_memory;
	return s;
}

static bool same_shape(const struct gpu_shape *a, const struct gpu_shape *b)
{
	return a->part == b->part && g_strcmp0(a->type, b->type) == 0 && a->gpus == b->gpus && a->cpus == b->cpus &&
	       a->per_socket == b->per_socket && a->mem == b->mem && a->enforce == b->enforce && a->whole == b->whole &&
	       bitset_equal(a->configs, b->configs);
}

static void add_shape(struct gpu_shapes *s, const struct gpu_shape *fresh)
{
	for (guint i = 0; i < s->n; i++)
		if (same_shape(&s->shape[i], fresh))
			return;
	if (s->n < SHAPES_MAX)
		s->shape[s->n++] = *fresh;
}

struct gpu_shapes *gpu_shapes_new(const struct controller *c)
{
	struct gpu_shapes *s = g_new0(struct gpu_shapes, 1);
	for (const struct job *j = c->pending.head; j && s->n < SHAPES_MAX; j = j->next)
		for (uint32_t i = 0; i < j->n_gres && j->config_ok; i++)
			if (strcmp(j->gres[i].name, "gpu") == 0) {
				struct gpu_shape fresh = shape_of(j, &j->gres[i]);
				add_shape(s, &fresh);
			}
	return s;
}

void gpu_shapes_free(struct gpu_shapes *s)
{
	g_free(s);
}

/* ---- a node ---- */

struct room {
	const struct controller *c;
	const struct node *n;
	const struct node_gres *gpus;
	uint64_t held;          /* GPUs */
	uint32_t cpus, taken;   /* free CPUs; GPUs that shapes have taken in thought */
	uint64_t mem;
	uint32_t cores[SOCKETS_MAX];
};

static uint32_t free_of_group(const struct room *r, const struct gres_group *g)
{
	uint64_t bits = (g->count >= 64 ? UINT64_MAX : (UINT64_C(1) << g->count) - 1) << MIN(g->first, 63u);
	return (uint32_t)__builtin_popcountll(bits & ~r->held);
}

static bool fits_type(const struct gpu_shape *s, const struct gres_group *g)
{
	return !s->type || (g->type && strcmp(g->type, s->type) == 0);
}

static uint32_t free_gpus(const struct room *r, const struct gpu_shape *s)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->gpus->n_groups; i++)
		if (!s || fits_type(s, &r->gpus->group[i]))
			n += free_of_group(r, &r->gpus->group[i]);
	return n - MIN(n, r->taken);
}

static bool on_socket(const struct gres_group *g, uint32_t x)
{
	return !g->sockets || bitset_test(g->sockets, x);
}

/* Enforced binding: GPUs count on sockets with a free core, CPUs on sockets with a GPU that counts. */
static bool near_enough(const struct room *r, const struct gpu_shape *s)
{
	const struct node_config *k = r->n->config;
	uint32_t gpus = 0, cores = 0;
	for (uint32_t i = 0; i < r->gpus->n_groups; i++) {
		const struct gres_group *g = &r->gpus->group[i];
		bool near = false;
		for (uint32_t x = 0; x < socket_count(k); x++)
			near = near || (on_socket(g, x) && r->cores[x]);
		gpus += near && fits_type(s, g) ? free_of_group(r, g) : 0;
	}
	for (uint32_t x = 0; x < socket_count(k); x++) {
		bool any = false;
		for (uint32_t i = 0; i < r->gpus->n_groups; i++)
			any = any || (on_socket(&r->gpus->group[i], x) && fits_type(s, &r->gpus->group[i]) &&
			              free_of_group(r, &r->gpus->group[i]));
		cores += any ? r->cores[x] : 0;
	}
	return gpus >= s->gpus && cores * k->cpus_per_core >= s->cpus;
}

static bool a_socket_has(const struct room *r, const struct gpu_shape *s)
{
	for (uint32_t x = 0; x < socket_count(r->n->config); x++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < r->gpus->n_groups; i++)
			n += on_socket(&r->gpus->group[i], x) && fits_type(s, &r->gpus->group[i])
			         ? free_of_group(r, &r->gpus->group[i])
			         : 0;
		if (n >= s->per_socket)
			return true;
	}
	return s->per_socket == 0;
}

/* Two free GPUs with a link between them, where links are known. */
static bool linked_pair(const struct room *r)
{
	bool known = false;
	for (uint32_t i = 0; i < r->gpus->n_groups; i++) {
		const struct gres_group *g = &r->gpus->group[i];
		known = known || g->links;
		for (uint32_t d = 0; g->links && d < MIN(r->gpus->count, 64u); d++)
			if (d != g->first && g->links[d] > 0 && !((r->held >> d) & 1) && free_of_group(r, g))
				return true;
	}
	return !known;
}

static bool may_use(const struct gpu_shape *s, const struct node *n)
{
	return bitset_test(s->part->nodes, n->index) && bitset_test(s->configs, n->config->index);
}

static bool wanted(const struct gpu_shapes *s, const struct node *n)
{
	for (guint i = 0; i < s->n; i++)
		if (may_use(&s->shape[i], n))
			return true;
	return false;
}

/* What stops S in R: STRANDED_CAUSES = nothing. */
static enum stranded_cause stopped_by(const struct room *r, const struct gpu_shape *s)
{
	const struct node_use *u = usage_node(r->c->use, r->n->index);
	if (!may_use(s, r->n) || (s->whole && u->jobs))
		return STRANDED_CLOSED;
	if (free_gpus(r, s) < s->gpus)
		return STRANDED_COUNT;
	if (r->cpus < s->cpus)
		return STRANDED_CORES;
	if (r->c->p->cr_memory && r->mem < s->mem)
		return STRANDED_MEMORY;
	if (s->enforce && !near_enough(r, s))
		return STRANDED_AFFINITY;
	if (!a_socket_has(r, s))
		return STRANDED_SOCKET;
	if (s->gpus > 1 && !linked_pair(r))
		return STRANDED_LINKS;
	return STRANDED_CAUSES;
}

/* The shape that takes most of what is free, once; the farthest that any came is in *CAUSE. NULL = none fits. */
static const struct gpu_shape *best_shape(const struct room *r, const struct gpu_shapes *s, enum stranded_cause *cause)
{
	const struct gpu_shape *best = NULL;
	*cause = STRANDED_CLOSED;
	for (guint i = 0; i < s->n; i++) {
		enum stranded_cause stop = stopped_by(r, &s->shape[i]);
		if (stop < STRANDED_CAUSES)
			*cause = MAX(*cause, stop);
		else if (!best || s->shape[i].gpus > best->gpus ||
		         (s->shape[i].gpus == best->gpus && s->shape[i].cpus < best->cpus))
			best = &s->shape[i];
	}
	return best;
}

static void take(struct room *r, const struct gpu_shape *s)
{
	r->taken += s->gpus;
	r->cpus -= MIN(r->cpus, s->cpus);
	r->mem -= MIN(r->mem, s->mem);
}

static bool look_at(const struct controller *c, uint32_t node, struct room *r)
{
	const struct node_config *k = c->cl->node[node]->config;
	const struct node_use *u = usage_node(c->use, node);
	*r = (struct room){.c = c, .n = c->cl->node[node]};
	for (uint32_t i = 0; i < k->n_gres; i++)
		if (strcmp(k->gres[i].name, "gpu") == 0 && k->gres[i].devices) {
			r->gpus = &k->gres[i];
			r->held = usage_gres(c->use, node)[i].devices;
		}
	uint32_t spec = k->spec_cores ? bitset_count(k->spec_cores) : 0;
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	r->cpus = (uint32_t)(k->cores - spec - u->cores) * k->cpus_per_core;
	r->mem = memory - MIN(u->mem, memory);
	for (uint32_t x = 0; x < socket_count(k); x++)
		r->cores[x] = socket_size(k) - cores_on_socket(usage_cores(c->use, node), k, x);
	return r->gpus != NULL;
}

struct stranded stranded_on(const struct controller *c, const struct gpu_shapes *s, uint32_t node)
{
	struct stranded out = {0};
	struct room r;
	enum stranded_cause cause;
	if (!look_at(c, node, &r))
		return out;
	out.free = free_gpus(&r, NULL);
	if (!out.free || !wanted(s, r.n))
		return out;
	if (!node_available(r.n) || usage_node(c->use, node)->exclusive) {
		out.by[STRANDED_CLOSED] = out.free;
		return out;
	}
	for (const struct gpu_shape *best; (best = best_shape(&r, s, &cause));)
		take(&r, best);
	out.by[cause] = free_gpus(&r, NULL);
	return out;
}

struct stranded stranded_all(const struct controller *c)
{
	struct stranded sum = {0};
	struct gpu_shapes *s = gpu_shapes_new(c);
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		struct stranded one = stranded_on(c, s, i);
		sum.free += one.free;
		for (int k = 0; k < STRANDED_CAUSES; k++)
			sum.by[k] += one.by[k];
	}
	gpu_shapes_free(s);
	return sum;
}
