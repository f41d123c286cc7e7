/* choose_features.c - counts of features and alternatives (N28): several choices, each on the nodes of one term */
#include "sched/choose.h"
#include "sched/features.h"

/* What a trial offers, to be cut down and put back. */
struct offers {
	struct bitset *ok;
	uint32_t n_ok;
	uint64_t cpus, gpus;
	const struct job *job;
	struct trial_counts count;
};

static struct offers keep(const struct selector *s)
{
	return (struct offers){bitset_copy(s->ok), s->n_ok, s->sum_cpus, s->sum_gpus, s->job, s->count};
}

static void restore(struct selector *s, const struct offers *o)
{
	bitset_assign(s->ok, o->ok);
	s->n_ok = o->n_ok;
	s->sum_cpus = o->cpus;
	s->sum_gpus = o->gpus;
	s->job = o->job;
	s->count = o->count;
}

/* Only NODES, less those in WITHOUT (may be NULL), are offered. */
static void cut(struct selector *s, const struct bitset *nodes, const struct bitset *without)
{
	int64_t i;
	bitset_and(s->ok, nodes);
	if (without)
		bitset_andnot(s->ok, without);
	s->n_ok = 0;
	s->sum_cpus = s->sum_gpus = 0;
	for (BITSET_EACH(i, s->ok)) {
		s->n_ok++;
		s->sum_cpus += s->offer[i];
		s->sum_gpus += s->has_gres ? s->gpus[i] : 0;
	}
}

/* The nodes of one counted term, not those PICKED already; they are added to it. */
static bool pick(struct selector *s, const struct feature_term *t, const struct offers *all, struct bitset *picked)
{
	struct job part = *all->job;
	part.min_nodes = part.max_nodes = t->count;
	part.min_cpus = t->count * part.cpt;
	part.max_nodes_implicit = false;
	part.ntasks = NO_VAL;
	part.req_nodes = NULL;
	/* a count of GPUs for the whole job is met by all terms together: here each node gives some */
	part.gres = g_memdup2(all->job->gres, all->job->n_gres * sizeof *part.gres);
	for (uint32_t i = 0; i < part.n_gres; i++)
		part.gres[i].per_job = 0;
	cut(s, t->nodes, picked);
	s->job = &part;
	s->count = (struct trial_counts){t->count, t->count, t->count};
	bool ok = choose_nodes(s);
	restore(s, all);
	g_free(part.gres);
	if (ok)
		bitset_or(picked, s->chosen);
	return ok;
}

/* Picked nodes are required, then the rest. */
static bool choose_rest(struct selector *s, const struct offers *all, struct bitset *picked)
{
	struct job whole = *all->job;
	if (whole.req_nodes)
		bitset_or(picked, whole.req_nodes);
	whole.req_nodes = picked;
	s->job = &whole;
	bool ok = bitset_count(picked) <= s->count.max && choose_nodes(s);
	restore(s, all);
	return ok;
}

static bool choose_counted(struct selector *s, const struct features *f, uint32_t first, uint32_t n,
                           const struct offers *all)
{
	struct bitset *picked = bitset_new(s->cl->n_nodes);
	bool ok = true;
	for (uint32_t i = first; i < first + n && ok; i++)
		ok = pick(s, &f->term[i], all, picked);
	ok = ok && choose_rest(s, all, picked);
	bitset_free(picked);
	return ok;
}

static bool choose_alternative(struct selector *s, const struct features *f, uint32_t i, const struct offers *all)
{
	if (f->term[i].count)
		return choose_counted(s, f, i, 1, all);
	cut(s, f->term[i].nodes, NULL);
	bool ok = choose_nodes(s);
	restore(s, all);
	return ok;
}

bool choose_by_features(struct selector *s, const struct features *f)
{
	struct offers all = keep(s);
	bool ok = false;
	if (!f->alternatives)
		ok = choose_counted(s, f, 0, f->n, &all);
	for (uint32_t i = s->last_alternative ? f->n - 1 : 0; i < f->n && f->alternatives && !ok; i++)
		ok = choose_alternative(s, f, i, &all);
	bitset_free(all.ok);
	return ok;
}

/* ---- node count lists (N20) ---- */

/* Calls with the sizes of a list such as "2-8:2,12", which the request's reader has checked. */
static uint32_t largest_listed(const char *list, uint32_t below)
{
	uint32_t best = 0;
	for (const char *p = list; *p;) {
		char *end;
		uint32_t lo = (uint32_t)g_ascii_strtoull(p, &end, 10), hi = lo, step = 1;
		if (*end == '-')
			hi = (uint32_t)g_ascii_strtoull(end + 1, &end, 10);
		if (*end == ':')
			step = (uint32_t)g_ascii_strtoull(end + 1, &end, 10);
		if (lo < below && step) {
			uint32_t top = MIN(hi, below - 1);
			best = MAX(best, lo + (top - lo) / step * step);
		}
		p = *end == ',' ? end + 1 : end;
		if (end == p && *p)
			break;
	}
	return best;
}

bool choose_of_list(struct selector *s, const char *list)
{
	struct trial_counts given = s->count;
	bool ok = false;
	uint32_t n = largest_listed(list, MIN(s->n_ok, given.max) + 1);
	for (; n >= given.min && n && !ok; n = largest_listed(list, n)) {
		s->count = (struct trial_counts){n, n, n};
		ok = choose_features_or_nodes(s);
	}
	s->count = given;
	return ok;
}
