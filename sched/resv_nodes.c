/* resv_nodes.c - which nodes reservations leave to a job at a time (lifecycle C60) */
#include "sched/expedite.h"
#include "sched/limits.h"
#include "sched/resv_gres.h"
#include "sched/select.h"
#include "sched/state.h"

#include <string.h>

#define MOVES 10

bool resv_binds(const struct reservation *r)
{
	return !(r->flags & (RESV_FLAG(FLEX) | RESV_FLAG(ANY_NODES))) && !bitset_empty(r->nodes);
}

/* Does R lie in [when, when + seconds)? Bounds the pass when the answer changes with the clock. */
static bool meets(struct controller *c, const struct reservation *r, sec_t when, sec_t seconds)
{
	sec_t start = resv_start(c, r), end = resv_end(c, r);
	if (when == c->now_s && !(r->flags & RESV_FLAG(TIME_FLOAT))) {
		note_time(c, start - seconds + 1);
		note_time(c, end);
	}
	return start < when + seconds && end > when;
}

/* "--signal=R:sig@w" with w <= MaxStartDelay: the job may begin before R and gives way. */
static bool lets_in(const struct reservation *r, const struct job *j)
{
	if (!r->max_start_delay || !resv_signal_asked(j))
		return false;
	const char *w = strchr(j->req->signal, '@');
	return (w ? g_ascii_strtoull(w + 1, NULL, 10) : 60) <= r->max_start_delay;
}

/* a.: R keeps everybody off. */
static bool blocks_all(const struct reservation *r, const struct job *j)
{
	if (r->flags & RESV_FLAG(ALL_NODES))
		return true;
	if (r->flags & RESV_FLAG(PART_NODES) && r->part == j->part)
		return true;
	return r->flags & RESV_FLAG(MAINT) && bitset_subset(j->part->nodes, r->nodes);
}

/*
 * One going through the list for a job without a reservation. *HINT: when to try again, 0 = not blocked. The first that
 * blocks gives the hint; a start now looks on, as maintenance is the word that counts (measured: 26.11 more_reservations,
 * n03_2min, whose node is in a user's reservation that begins before the maintenance of all).
 */
static enum resv_verdict walk(struct controller *c, const struct job *j, sec_t when, bool move, struct resv_answer *a,
                              struct bitset *nodes, sec_t *hint)
{
	sec_t seconds = resv_job_seconds(c, j);
	enum resv_verdict verdict = RESV_OK;
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = c->resvs->pdata[i];
		if (!meets(c, r, when, seconds) || lets_in(r, j))
			continue;
		bool required = j->req_nodes && bitset_intersects(j->req_nodes, r->nodes);
		if (blocks_all(r, j)) {
			*hint = resv_end(c, r);
			return RESV_MAINTENANCE;
		}
		if (required && (!r->cores || j->whole_node)) {
			*hint = resv_end(c, r);
			if (move)
				return RESV_BUSY;
			verdict = RESV_BUSY;
			continue;
		}
		if (!bitset_intersects(r->nodes, j->part->nodes))
			continue;
		a->overlap = true;
		if (r->cores && !j->whole_node)
			a->part_nodes = true;
		else
			bitset_andnot(nodes, r->nodes);
	}
	return verdict;
}

static struct resv_answer without(struct controller *c, const struct job *j, sec_t when, bool move,
                                  struct bitset *nodes)
{
	struct resv_answer a = {.when = when};
	struct bitset *all = c->resv_scratch;
	bitset_assign(all, nodes);
	for (int moves = 0;; moves++) {
		sec_t hint = 0;
		bitset_assign(nodes, all);
		a.part_nodes = false;
		a.verdict = walk(c, j, a.when, move, &a, nodes, &hint);
		if (a.verdict == RESV_OK)
			return a;
		if (!move || moves == MOVES || hint <= a.when)
			break;
		a.when = hint;
	}
	bitset_clear_all(nodes);
	return a;
}

bool resv_keeps_from(const struct controller *c, const struct reservation *r, const struct reservation *own)
{
	if (!own)
		return true;
	if (r == own || own->flags & RESV_FLAG(MAINT))
		return false;
	if (r->cores && !own->cores && c->p->version == SLURM_22_05) /* recorded: who has whole nodes has them */
		return false;
	return !(own->flags & RESV_FLAG(OVERLAP)) || r->flags & RESV_FLAG(MAINT);
}

/* Nodes that other reservations keep from a job in OWN. Maintenance that leaves none of them is told apart. */
static void minus_others(struct controller *c, const struct job *j, const struct reservation *own, sec_t when,
                         struct resv_answer *a, struct bitset *nodes)
{
	sec_t seconds = resv_job_seconds(c, j);
	bool some = !bitset_empty(nodes);
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = c->resvs->pdata[i];
		if (!resv_keeps_from(c, r, own) || !meets(c, r, when, seconds))
			continue;
		if (r->cores && !j->whole_node)
			a->part_nodes = a->part_nodes || bitset_intersects(r->nodes, nodes);
		else
			bitset_andnot(nodes, r->nodes);
		if (some && (r->flags & RESV_FLAG(MAINT) || c->p->version == SLURM_22_05) && bitset_empty(nodes)) { /* recorded (22.05): whatever takes the last */
			a->verdict = RESV_MAINTENANCE;
			return;
		}
	}
}

static struct resv_answer within(struct controller *c, const struct job *j, sec_t when, bool move, struct bitset *nodes)
{
	const struct reservation *r = j->resv;
	struct resv_answer a = {.when = when};
	sec_t start = resv_start(c, r), end = resv_end(c, r);
	bool flex = r->flags & RESV_FLAG(FLEX);
	bool no_nodes = bitset_empty(r->nodes) && !r->licenses && !(r->flags & RESV_FLAG(ANY_NODES));
	note_time(c, start);
	note_time(c, end + 1);
	if (j->magnetic && !flex && c->p->version != SLURM_22_05) { /* recorded: 22.05 does not ask */
		note_time(c, end - resv_job_seconds(c, j) + 1);
		if (when + resv_job_seconds(c, j) > end)
			a.verdict = RESV_INVALID;
	}
	if (a.verdict == RESV_OK && !flex && (start > when || no_nodes))
		a.verdict = RESV_NOT_ACTIVE;
	else if (a.verdict == RESV_OK && !flex && when > end)
		a.verdict = RESV_INVALID;
	else if (a.verdict == RESV_OK && j->req_nodes && resv_binds(r) && !bitset_subset(j->req_nodes, r->nodes))
		a.verdict = RESV_INVALID;
	if (a.verdict != RESV_OK) {
		bitset_clear_all(nodes);
		return a;
	}
	if (resv_binds(r))
		bitset_and(nodes, r->nodes);
	a.part_nodes = r->cores != NULL;
	minus_others(c, j, r, when, &a, nodes);
	if (move && a.verdict == RESV_MAINTENANCE) /* backfill looks for a later time as with any missing node */
		a.verdict = RESV_OK;
	return a;
}

struct resv_answer resv_allow(struct controller *c, const struct job *j, sec_t when, bool move, struct bitset *nodes)
{
	expedite_leave(c, j, nodes);
	if (!c->resvs->len)
		return (struct resv_answer){.when = when};
	resv_advance(c);
	return j->resv ? within(c, j, when, move, nodes) : without(c, j, when, move, nodes);
}

const struct bitset *first_nodes(struct controller *c, const struct job *j)
{
	if (j->resv && j->resv->flags & RESV_FLAG(FLEX) && !bitset_empty(j->resv->nodes))
		return j->resv->nodes;
	return limits_used_nodes(c, j, c->held_nodes) ? c->held_nodes : NULL;
}

static void add_words(struct controller *c, const struct job_alloc *a, bool inside)
{
	const uint32_t *off = c->use->core_off;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		for (uint32_t w = off[an->node]; w < off[an->node + 1]; w++) {
			uint64_t bits = a->words[an->core_word + w - off[an->node]];
			c->resv_cores[w] |= inside ? ~bits : bits;
		}
	}
}

void resv_block_parts(struct controller *c, const struct job *j, sec_t when, bool part_nodes)
{
	c->sel->blocked = NULL;
	c->sel->blocked_gres = NULL;
	c->sel->blocked_job = j;
	if (!part_nodes)
		return;
	uint32_t words = c->use->core_off[c->cl->n_nodes];
	if (!c->resv_cores)
		c->resv_cores = g_new(uint64_t, words);
	memset(c->resv_cores, 0, words * sizeof *c->resv_cores);
	c->sel->blocked = c->resv_cores;
	sec_t seconds = resv_job_seconds(c, j);
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = c->resvs->pdata[i];
		bool inside = r == j->resv && !(r->flags & RESV_FLAG(FLEX));
		if (!r->cores || !(inside || (resv_keeps_from(c, r, j->resv) && meets(c, r, when, seconds))))
			continue;
		add_words(c, r->cores, inside);
		resv_gres_block(c, r, inside);
	}
}

sec_t resv_earliest_end(const struct controller *c, sec_t t)
{
	sec_t least = 0;
	for (guint i = 0; i < c->resvs->len; i++) {
		sec_t end = resv_end(c, c->resvs->pdata[i]);
		if (end >= t && (!least || end < least))
			least = end;
	}
	return least;
}
