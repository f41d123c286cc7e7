/* blocker.c - filling blockers: see blocker.h; in words: blocker_text.c. RESOURCE without a partition is a licence. */
#include "sched/cores.h"
#include "sched/reservation.h"
#include "sched/share.h"
#include "sched/state.h"

#include <string.h>

struct blocker blocker_job(enum blocker_kind kind, const struct job *ahead)
{
	return (struct blocker){
	    .kind = kind, .job = ahead->id, .array = ahead->array ? ahead->array->job_id : 0, .task = ahead->task};
}

struct blocker blocker_partition(const struct partition *p, const char *what, uint64_t value, uint64_t request)
{
	return (struct blocker){.kind = BLOCKER_PARTITION, .part = p, .what = what, .value = value, .request = request};
}

struct blocker blocker_hold(const char *what)
{
	return (struct blocker){.kind = BLOCKER_HOLD, .what = what};
}

struct blocker blocker_qos(const struct job *j)
{
	return (struct blocker){.kind = BLOCKER_QOS, .owner = j->qos};
}

struct blocker blocker_access(const struct partition *p, const char *list)
{
	return (struct blocker){.kind = BLOCKER_ACCESS, .part = p, .what = list};
}

/* ---- reservations ---- */

/* The name is interned: the reservation may go before the job's reason does. */
struct blocker blocker_resv(const struct reservation *r, enum resv_problem problem)
{
	return (struct blocker){.kind = BLOCKER_RESV,
	                        .what = g_intern_string(r->name),
	                        .value = (uint64_t)r->start,
	                        .use = (uint64_t)r->end,
	                        .request = problem};
}

static enum resv_problem problem_of(const struct controller *c, const struct reservation *r, const struct job *j)
{
	if (!resv_access(c, r, j))
		return RESV_NO_ACCESS;
	if (c->now_s < resv_start(c, r))
		return RESV_NOT_BEGUN;
	if (!resv_active_at(r, c->now_s))
		return RESV_OVER;
	bool empty = bitset_empty(r->nodes) && !r->licenses && !(r->flags & RESV_FLAG(ANY_NODES));
	return empty ? RESV_EMPTY : RESV_TOO_SMALL;
}

struct blocker blocker_reservation(const struct controller *c, const struct job *j)
{
	const struct reservation *next = j->n_resvs ? j->resvs[0] : j->resv;
	for (uint32_t i = 1; i < j->n_resvs; i++)
		if (j->resvs[i]->start >= c->now_s && (next->start < c->now_s || j->resvs[i]->start < next->start))
			next = j->resvs[i];
	return next ? blocker_resv(next, problem_of(c, next, j)) : (struct blocker){0};
}

/* ---- what is short ---- */

struct free_now {
	uint64_t nodes, cpus, mem_nodes;
	uint64_t *gres; /* [n_gres] */
};

static uint64_t memory_a_node(const struct job *j, const struct node_config *k)
{
	if (j->mem_all)
		return k->real_memory - MIN(k->real_memory, k->mem_spec_limit);
	return j->pn_min_memory * (j->mem_per_cpu ? MAX(1u, (uint32_t)j->cpt) : 1u);
}

/* What reservations keep from J of parts of nodes is known while J is the one that was just tried (resv_block_parts). */
static bool knows_kept(const struct controller *c, const struct job *j)
{
	return c->sel->blocked && c->sel->blocked_job == j;
}

/* CPUs of NODE's free cores that reservations keep. */
static uint32_t cpus_kept(const struct controller *c, uint32_t node)
{
	const struct node_config *k = c->cl->node[node]->config;
	const uint64_t *held = usage_cores(c->use, node), *kept = c->sel->blocked + c->use->core_off[node];
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->cores; i++)
		n += core_test(kept, i) && !core_test(held, i);
	return n * k->cpus_per_core;
}

static uint64_t gres_free(const struct controller *c, const struct job *j, const struct gres_want *w, uint32_t node)
{
	const struct node_config *k = c->cl->node[node]->config;
	for (uint32_t g = 0; g < k->n_gres; g++)
		if (strcmp(k->gres[g].name, w->name) == 0) {
			const struct gres_use *use = &usage_gres(c->use, node)[g];
			uint32_t have = node_config_gres(k, w->name, w->type), used = use->count;
			if (knows_kept(c, j) && c->sel->blocked_gres) {
				const struct gres_use *kept = &c->sel->blocked_gres[c->use->gres_off[node] + g];
				uint64_t all = k->gres[g].count >= 64 ? UINT64_MAX : (UINT64_C(1) << k->gres[g].count) - 1;
				used += kept->count + bitset_word_count(kept->devices & all & ~use->devices);
			}
			return have - MIN(have, used);
		}
	return 0;
}

static struct free_now look(const struct controller *c, const struct job *j, const struct bitset *avail)
{
	struct free_now f = {.gres = j->n_gres ? g_new0(uint64_t, j->n_gres) : NULL};
	bool alone = share_alone(c->p, j);
	int64_t i;
	for (BITSET_EACH(i, j->part->nodes)) {
		const struct node_config *k = c->cl->node[i]->config;
		const struct node_use *u = usage_node(c->use, (uint32_t)i);
		if (!bitset_test(avail, (uint32_t)i) || (j->exc_nodes && bitset_test(j->exc_nodes, (uint32_t)i)))
			continue;
		if (j->req_nodes && !bitset_test(j->req_nodes, (uint32_t)i))
			continue;
		if (j->resv && resv_binds(j->resv) && !bitset_test(j->resv->nodes, (uint32_t)i))
			continue;
		bool open = !u->completing && (alone ? u->jobs == 0 : u->exclusive == 0);
		f.nodes += open;
		if (!open)
			continue;
		f.cpus += k->cpus - MIN(k->cpus, u->cpus + (knows_kept(c, j) ? cpus_kept(c, (uint32_t)i) : 0));
		uint64_t spec = MIN(k->real_memory, k->mem_spec_limit), mem = k->real_memory - spec;
		f.mem_nodes += mem - MIN(mem, u->mem) >= memory_a_node(j, k);
		for (uint32_t g = 0; g < j->n_gres; g++)
			f.gres[g] += gres_free(c, j, &j->gres[g], (uint32_t)i);
	}
	return f;
}

uint64_t blocker_gres_wanted(const struct job *j, uint32_t g)
{
	const struct gres_want *w = &j->gres[g];
	uint64_t tasks = j->ntasks != NO_VAL ? j->ntasks : j->min_nodes;
	return w->per_job    ? w->per_job
	       : w->per_node ? (uint64_t)w->per_node * j->min_nodes
	       : w->per_task ? w->per_task * tasks
	                     : w->per_socket;
}

/* The first GRES that is short; n_gres = none is. */
static uint32_t short_gres(const struct job *j, const struct free_now *f)
{
	uint32_t g = 0;
	while (g < j->n_gres && f->gres[g] >= blocker_gres_wanted(j, g))
		g++;
	return g;
}

struct blocker blocker_nodes(const struct controller *c, const struct job *j, const struct bitset *avail,
                             const struct bitset *left)
{
	bool required = j->req_nodes && !bitset_subset(j->req_nodes, left);
	const struct bitset *of = required ? j->req_nodes : j->part->nodes;
	uint32_t have = bitset_count_and(avail, of);
	struct blocker b = {.kind = BLOCKER_NODES, .part = j->part, .what = required ? "required" : NULL};
	b.value = left == avail ? have : MIN(have, bitset_count_and(left, of));
	b.use = have - b.value;
	b.request = required ? bitset_count(of) : j->min_nodes;
	b.promised = bitset_count_and(c->up, of) - MIN(have, bitset_count_and(c->up, of));
	return b;
}

struct blocker blocker_fit(const struct controller *c, const struct job *j, const struct bitset *avail)
{
	struct blocker b = {.kind = BLOCKER_RESOURCE, .part = j->part, .request = j->min_nodes};
	b.promised = bitset_count_and(c->up, j->part->nodes) - bitset_count_and(avail, j->part->nodes);
	struct free_now f = look(c, j, avail);
	uint32_t g = short_gres(j, &f);
	if (f.nodes < j->min_nodes) {
		b.what = j->share_none || j->whole_node ? "nodes without other jobs" : "nodes open to other jobs";
		b.value = f.nodes;
	} else if (f.cpus < j->min_cpus) {
		b.what = "cores";
		b.value = f.cpus;
		b.request = j->min_cpus;
	} else if (c->p->cr_memory && f.mem_nodes < j->min_nodes) {
		b.what = j->mem_given ? "nodes with enough memory free"
		                      : "nodes with enough memory free (no memory was asked for: the default)";
		b.value = f.mem_nodes;
	} else if (g < j->n_gres) {
		b.what = j->gres[g].name;
		b.value = f.gres[g];
		b.request = blocker_gres_wanted(j, g);
	} else { /* enough of each, but not together */
		b.what = "nodes with all of it free at once";
		b.value = NO_VAL64;
	}
	g_free(f.gres);
	return b;
}
