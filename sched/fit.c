/* fit.c - see fit.h */
#include "sched/fit.h"
#include "sched/expedite.h"
#include "sched/features.h"
#include "sched/gres_select.h"
#include "sched/offer.h"
#include "sched/reservation.h"
#include "sched/state.h"
#include "sched/share.h"

#include <string.h>

struct judging {
	struct controller *c;
	struct job *j;
	struct selector *s;
	struct trial_counts n;
	const struct node_config *k; /* of the node in hand */
	const struct node_use *u;
	uint32_t node;
	char *why;
};

/* "RULE: why" for the node in hand. */
G_GNUC_PRINTF(3, 4)
static const char *fails(struct judging *g, const char *rule, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g->why = g_strdup_vprintf(format, args);
	va_end(args);
	return rule;
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- what does not change with the jobs that run ---- */

static const char *by_state(struct judging *g)
{
	const struct node *n = g->c->cl->node[g->node];
	if (g->j->exc_nodes && bitset_test(g->j->exc_nodes, g->node))
		return fails(g, "N5", "excluded by the job");
	if (!node_available(n))
		return fails(g, "C53", "%s%s%s", controller_node_state(g->c, n, false), n->reason ? ": " : "",
		             n->reason ? n->reason : "");
	return NULL;
}

static const char *by_size(struct judging *g)
{
	const struct job *j = g->j;
	const struct node_config *k = g->k;
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	uint64_t need = j->mem_per_cpu ? j->pn_min_memory * MAX(1u, j->pn_min_cpus) : j->pn_min_memory;
	if (k->cpus < j->pn_min_cpus)
		return fails(g, "N12", "has %u CPUs, %u wanted", k->cpus, j->pn_min_cpus);
	if (need > (g->c->p->cr_memory ? memory : k->real_memory))
		return fails(g, "N12", "has %" G_GUINT64_FORMAT " MiB of memory, %" G_GUINT64_FORMAT " wanted",
		             (guint64)memory, (guint64)need);
	for (uint32_t i = 0; i < j->n_gres; i++) {
		const struct gres_want *w = &j->gres[i];
		uint32_t have = node_config_gres(k, w->name, w->type), want = MAX(MAX(w->per_node, w->per_task), 1u);
		if (have < want)
			return fails(g, "N12", "has %u %s%s%s, %u wanted", have, w->name, w->type ? ":" : "",
			             w->type ? w->type : "", want);
	}
	if (j->features && !features_allow(j->features, k))
		return fails(g, "N12", "lacks features that %s asks for", j->req->constraint);
	if (!bitset_test(j->config_ok, k->index))
		return fails(g, "N12", "its sockets, cores, threads or disk are not what the job asks for");
	return NULL;
}

/* ---- what other jobs hold ---- */

static const char *by_sharing(struct judging *g)
{
	const struct job *j = g->j;
	bool alone = share_alone(g->s->cl->params, j);
	if (g->u->completing)
		return fails(g, "N26", "the epilog of an ended job is outstanding");
	if (alone && g->u->jobs)
		return fails(g, "N26", "%u job%s there, the job wants the node to itself", g->u->jobs,
		             g->u->jobs == 1 ? " is" : "s are");
	if (g->u->exclusive)
		return fails(g, "N26", "held whole by another job");
	for (const struct job *v = g->c->running.head; v && share_rows(g->c) && g->c->p->select_type != SELECT_LINEAR; v = v->next)
		if (bitset_test(v->nodes, g->node) && share_wanted(g->c->p, v) != share_wanted(g->c->p, j))
			return fails(g, "N31", "job %u there %s its cores, the job does%s", v->id,
			             share_wanted(g->c->p, v) ? "shares" : "does not share", share_wanted(g->c->p, j) ? "" : " not");
	if (!node_use_admits(g->u, j->user_key + 1, offer_user_only(g->s)))
		return fails(g, "N31", "jobs of another user there, or shared with one user's jobs only");
	return NULL;
}

static const char *by_memory(struct judging *g)
{
	const struct job *j = g->j;
	uint64_t memory = g->k->real_memory - MIN(g->k->mem_spec_limit, g->k->real_memory);
	uint64_t free = memory - MIN(g->u->mem, memory), need = j->pn_min_memory;
	if (!g->c->p->cr_memory)
		return NULL;
	if (j->mem_all && g->u->mem)
		return fails(g, "N31", "the job wants all memory, %" G_GUINT64_FORMAT " MiB are held", (guint64)g->u->mem);
	if (j->mem_per_cpu)
		need *= MAX(MAX(j->ntasks_per_node, j->cpt), MAX(1u, j->pn_min_cpus));
	if (!j->mem_all && need > free)
		return fails(g, "N31", "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " MiB free, %" G_GUINT64_FORMAT " wanted",
		             (guint64)free, (guint64)memory, (guint64)need);
	return NULL;
}

/* ", 2 kept by reservations": free, but not for this job; "" when there are none. g_free. */
static char *gres_kept(struct judging *g, const struct gres_want *w, uint32_t free)
{
	struct gres_by_socket all;
	const struct gres_use *kept = g->s->blocked_gres;
	g->s->blocked_gres = NULL;
	gres_count(g->s, g->node, w, NULL, &all);
	g->s->blocked_gres = kept;
	return all.total > free ? g_strdup_printf(", %u kept by reservations", all.total - free) : g_strdup("");
}

static const char *by_gres(struct judging *g)
{
	struct gres_by_socket have;
	for (uint32_t i = 0; i < g->j->n_gres; i++) {
		const struct gres_want *w = &g->j->gres[i];
		uint32_t want = MAX(1u, MAX(w->per_node, w->per_task));
		gres_count(g->s, g->node, w, NULL, &have);
		if (have.total < want) {
			g_autofree char *kept = gres_kept(g, w, have.total);
			return fails(g, "N63", "%u of %u %s%s%s free, %u wanted%s", have.total,
			             node_config_gres(g->k, w->name, w->type), w->name, w->type ? ":" : "",
			             w->type ? w->type : "", want, kept);
		}
	}
	return NULL;
}

/* Cores, and GPUs with the cores near them; the last thing that may be missing. */
static const char *by_cores(struct judging *g)
{
	if (share_rows(g->c) && share_wanted(g->c->p, g->j)) /* which row has room depends on more than this node */
		return NULL;
	uint32_t spec = g->k->spec_cores ? bitset_count(g->k->spec_cores) : 0,
	         free = (uint32_t)(g->k->cores - spec - g->u->cores), wanted = MAX(1u, g->j->pn_min_cpus);
	uint32_t c = offer_core_cpus(g->s, g->k);
	if (free * c < wanted || !free)
		return fails(g, "N32", "%u of %u cores free, %u CPU%s wanted", free, g->k->cores - spec, wanted, plural(wanted));
	if (g->n.max == 1 && free * c < g->j->min_cpus)
		return fails(g, "N33", "%u of %u cores free, %u CPUs wanted on one node", free, g->k->cores - spec,
		             g->j->min_cpus);
	if (g->s->limit_cpus)
		return fails(g, "N33.1", "MaxCPUsPerNode: jobs of the partition use %u of %u CPUs", g->s->jobs_cpus[g->node],
		             g->s->part->max_cpus_per_node);
	if (g->s->blocked)
		return fails(g, "C60", "cores are kept for reservations");
	if (g->j->n_gres && gres_enforces(g->j))
		return fails(g, "N63", "the free GPUs have no free cores near them (enforce-binding)");
	if (g->j->n_gres)
		return fails(g, "N64", "%u cores free: too few cores or too little memory for the GPUs, or GPUs on the wrong sockets",
		             free);
	return fails(g, "N33", "%u cores free, but not as the sockets, tasks or memory of the job need them", free);
}

/* The node offers something: is it enough by itself? */
static const char *by_offer(struct judging *g)
{
	struct selector *s = g->s;
	const struct gres_want *w = job_main_gres(g->j);
	uint32_t cpus = s->offer[g->node];
	if (s->has_gres && !g->j->whole_node) {
		struct gres_look look;
		uint64_t *cand = s->core_scratch + s->most_words;
		s->first_pass = false;
		node_candidates(s, g->node, cand);
		if (!gres_look(s, g->node, cpus, 0, MAX(1u, g->n.min), cand, &look))
			return fails(g, "N66", "its free cores do not go with its free GPUs for the tasks asked for");
		cpus = look.cpus;
	}
	if (g->n.max == 1 && cpus < g->j->min_cpus)
		return fails(g, "N40", "offers %u CPU%s, %u wanted on one node", cpus, plural(cpus), g->j->min_cpus);
	if (g->n.max == 1 && w && w->per_job > s->gpus[g->node])
		return fails(g, "N40", "offers %u %s, %u wanted on one node", s->gpus[g->node], w->name, w->per_job);
	if (w)
		fails(g, NULL, "offers %u CPU%s and %u %s", cpus, plural(cpus), s->gpus[g->node], w->name);
	else
		fails(g, NULL, "offers %u CPU%s", cpus, plural(cpus));
	return NULL;
}

static const char *judge_node(struct judging *g, const struct bitset *allowed)
{
	const char *rule = by_state(g);
	rule = rule ? rule : by_size(g);
	const struct job *keeper = expedite_keeper(g->c, g->j, g->node);
	if (!rule && keeper)
		rule = fails(g, "C40", "kept for job %u, requeued expedited", keeper->id);
	if (!rule && !bitset_test(allowed, g->node))
		rule = fails(g, "C60", "reserved");
	rule = rule ? rule : by_sharing(g);
	rule = rule ? rule : by_memory(g);
	rule = rule ? rule : by_gres(g);
	if (rule)
		return rule;
	return bitset_test(g->s->ok, g->node) ? by_offer(g) : by_cores(g);
}

static void judge_all(struct fit *f, struct controller *c, struct job *j)
{
	struct judging g = {.c = c, .j = j, .s = c->sel};
	struct bitset *allowed = bitset_copy(c->up);
	bitset_and(allowed, f->part->nodes);
	struct resv_answer resv = resv_allow(c, j, c->now_s, false, allowed);
	int64_t i;
	if (!limits_counts(c, j, f->part, &g.n))
		g.n = trial_counts_for(j, f->part, INFINITE);
	resv_block_parts(c, j, c->now_s, resv.part_nodes);
	trial_begin(c->sel, j, f->part, c->use, allowed, g.n, TRIAL_RUN_NOW, c->running.head);
	trial_offer_all(c->sel);
	for (BITSET_EACH(i, f->part->nodes)) {
		if (j->req_nodes && !bitset_test(j->req_nodes, (uint32_t)i) && bitset_count(j->req_nodes) >= g.n.max)
			continue; /* it may use only those it requires */
		g.node = (uint32_t)i;
		g.k = c->cl->node[i]->config;
		g.u = usage_node(c->use, g.node);
		g.why = NULL;
		struct fit_node n = {.node = g.node, .rule = judge_node(&g, allowed)};
		n.why = g.why;
		g_array_append_val(f->nodes, n);
	}
	bitset_free(allowed);
}

/* ---- the job ---- */

static uint32_t jobs_ahead(const struct controller *c, const struct job *j)
{
	uint32_t n = 0;
	for (const struct job *o = c->pending.head; o; o = o->next)
		for (uint32_t i = 0; i < o->n_parts; i++)
			if (o != j && o->parts[i].part == j->part && (o->priority > j->priority || o->flags & JOB_EXPEDITING)) {
				n++;
				break;
			}
	return n;
}

static void node_clear(void *data)
{
	g_free(((struct fit_node *)data)->why);
}

/* One partition. True when the job fits. */
static bool try_part(struct fit *f, struct controller *c, struct job *j, struct partition *p, bool *nodes_missing)
{
	struct blocker b;
	f->part = j->part = p;
	*nodes_missing = false;
	enum reason check = partition_check(c, j, p, false, &b);
	if (check != REASON_NONE) {
		job_blocked(c, j, check, NULL, &b);
		return false;
	}
	enum attempt a = attempt_start(c, j, c->up, &f->alloc);
	*nodes_missing = a == ATTEMPT_BUSY || a == ATTEMPT_UNAVAILABLE || a == ATTEMPT_NEVER;
	if (a == ATTEMPT_NEVER)
		job_never(c, j, REASON_BAD_CONSTRAINTS);
	return a == ATTEMPT_OK;
}

struct fit *fit_job(struct controller *c, struct job *job, usec_t now)
{
	struct fit *f = g_new0(struct fit, 1);
	bool missing = false;
	g_assert(job->state == JOB_PENDING);
	ctl_enter(c, now);
	c->looking = true;
	f->nodes = g_array_new(FALSE, FALSE, sizeof(struct fit_node));
	g_array_set_clear_func(f->nodes, node_clear);
	if (job->priority == 0 && job->reason != REASON_NONE) { /* held */
		f->part = job->part;
	} else if (!job_independent(c, job)) {
		f->part = job->part;
	} else {
		for (uint32_t i = 0; i < job->n_parts && !f->alloc; i++)
			if (try_part(f, c, job, job->parts[i].part, &missing))
				job_set_reason(c, job, REASON_NONE, NULL);
		if (!f->alloc && missing)
			judge_all(f, c, job);
	}
	c->looking = false;
	f->reason = job->reason;
	f->text = g_strdup(job->reason_text);
	f->ahead = jobs_ahead(c, job);
	return f;
}

void fit_free(struct fit *f)
{
	if (!f)
		return;
	job_alloc_free(f->alloc);
	g_free(f->text);
	g_array_unref(f->nodes);
	g_free(f);
}
