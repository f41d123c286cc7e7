/* recall.c - see recall.h */
#include "sched/gang.h"
#include "sched/limits.h"
#include "sched/reservation.h"
#include "sched/preempt.h"
#include "sched/recall.h"
#include "sched/share.h"

#include <string.h>

enum { PER_JOB = 24 };
#define MOST_BYTES ((gsize)48 << 20)

struct estimate {
	const struct partition *part;
	struct trial_counts count;
	bool present, found, no_room; /* present: it was tried for the moment; found now when START is 0 */
	sec_t start_res, later_start, start;
	sec_t next_end; /* of a running job, after start_res */
	sec_t bound;    /* the clock up to which it stands, exclusive */
	struct will_run_groups groups;
	uint64_t stamp;               /* of the usage when it was made */
	uint32_t n_chosen;
	uint64_t words[];             /* usable, then chosen */
};

struct failure { /* of a start now */
	const struct partition *part; /* NULL = none is known */
	struct trial_counts count;
	sec_t bound;
	uint64_t stamp;
	uint64_t *nodes; /* owned */
};

struct line { /* of one job */
	struct recall *in;
	uint64_t seq, config_version;
	struct failure failure[2]; /* of the main pass, of backfill: they see other nodes */
	guint next;                    /* place to fill */
	struct estimate *kept[PER_JOB]; /* owned or NULL */
};

struct recall {
	GHashTable *lines; /* job -> struct line *, owned */
	uint32_t nwords;
	gsize bytes;
	struct recall_counts counts;
};

static gsize estimate_size(const struct recall *r)
{
	return sizeof(struct estimate) + 2 * r->nwords * sizeof(uint64_t);
}

static void line_free(void *data)
{
	struct line *l = data;
	for (guint i = 0; i < PER_JOB; i++) {
		l->in->bytes -= l->kept[i] ? estimate_size(l->in) : 0;
		g_free(l->kept[i]);
	}
	g_free(l->failure[0].nodes);
	g_free(l->failure[1].nodes);
	l->in->bytes -= sizeof *l;
	g_free(l);
}

struct recall *recall_new(uint32_t n_nodes)
{
	struct recall *r = g_new0(struct recall, 1);
	r->lines = g_hash_table_new_full(NULL, NULL, NULL, line_free);
	r->nwords = (n_nodes + 63) / 64;
	return r;
}

void recall_free(struct recall *r)
{
	if (!r)
		return;
	g_hash_table_unref(r->lines);
	g_free(r);
}

struct recall_counts recall_counts(const struct recall *r)
{
	return r->counts;
}

void recall_forget(struct recall *r, const struct job *j)
{
	g_hash_table_remove(r->lines, j);
}

/* Does a trial of J read nothing that is not kept with its outcome? */
static bool reads_no_more(const struct controller *c, const struct job *j)
{
	if (c->naive || j->prefer || c->sel->blocked || c->sel->held || c->sel->power || share_active(c))
		return false;
	return since(c->p, B37_FORGETS_BYTES) || (!j->n_gres && !c->sel->bytes_differ);
}

static struct line *line_of(struct recall *r, const struct controller *c, const struct job *j)
{
	struct line *l = g_hash_table_lookup(r->lines, j);
	if (l && (l->seq != j->seq || l->config_version != c->config_version)) {
		g_hash_table_remove(r->lines, j);
		l = NULL;
	}
	if (!l && r->bytes > MOST_BYTES)
		g_hash_table_remove_all(r->lines);
	if (!l) {
		l = g_new0(struct line, 1);
		g_hash_table_insert(r->lines, (void *)j, l);
		r->bytes += sizeof *l;
	}
	l->in = r;
	l->seq = j->seq;
	l->config_version = c->config_version;
	return l;
}

static bool same_counts(const struct trial_counts *a, const struct trial_counts *b)
{
	return a->min == b->min && a->max == b->max && a->req == b->req;
}

static bool stands(const struct recall *r, struct controller *c, const struct estimate *e, const struct job *j, const struct will_run *w)
{
	bool present = w->start_res <= c->now_s;
	return e && e->part == j->part && e->present == present && (present ? w->start_res < e->next_end : e->start_res == w->start_res) &&
	       e->later_start == w->later_start && c->now_s < e->bound && same_counts(&e->count, &w->count) &&
	       !memcmp(e->words, w->usable->word, r->nwords * sizeof *e->words) &&
	       !usage_changed_since(c->use, w->usable, e->stamp) && will_run_same_groups(c, w, &e->groups);
}

static bool answer(const struct recall *r, struct controller *c, struct job *j, const struct estimate *e, struct will_run *w, sec_t *start)
{
	note_time(c, e->bound);
	if (e->present)
		note_time(c, e->next_end);
	if (!j->first_try)
		j->first_try = c->now_s;
	w->no_room = e->no_room;
	if (!e->found)
		return false;
	memcpy(c->sel->chosen->word, e->words + r->nwords, r->nwords * sizeof *e->words);
	c->sel->n_chosen = e->n_chosen;
	*start = e->start ? e->start : c->now_s;
	return true;
}

/* The first end of a running job after T. */
static sec_t next_end(const struct controller *c, sec_t t)
{
	guint lo = 0, hi = c->by_end->len;
	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		if (((const struct job *)c->by_end->pdata[mid])->end <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < c->by_end->len ? ((const struct job *)c->by_end->pdata[lo])->end : INT64_MAX;
}

static struct estimate *place_for(struct recall *r, struct line *l)
{
	struct estimate **at = &l->kept[l->next++ % PER_JOB];
	if (!*at) {
		*at = g_malloc(estimate_size(r));
		r->bytes += estimate_size(r);
	}
	return *at;
}

bool recall_will_run(struct recall *r, struct controller *c, struct job *j, struct will_run *w, sec_t *start)
{
	if (!reads_no_more(c, j) || j->het || j->licenses || preempt_enabled(c) || soft_limits(c) || first_nodes(c, j))
		return will_run(c, j, w, start);
	struct line *l = line_of(r, c, j);
	for (guint i = 0; i < PER_JOB; i++)
		if (stands(r, c, l->kept[i], j, w) && ++r->counts.recalled)
			return answer(r, c, j, l->kept[i], w, start);
	r->counts.made++;
	sec_t bound = c->time_bound;
	c->time_bound = INT64_MAX;
	struct will_run_groups groups = {0};
	w->groups = &groups;
	bool found = will_run(c, j, w, start);
	w->groups = NULL;
	struct estimate *e = place_for(r, l);
	bool present = w->start_res <= c->now_s;
	*e = (struct estimate){.part = j->part, .count = w->count, .present = present, .found = found, .no_room = w->no_room,
			       .start_res = w->start_res, .later_start = w->later_start, .start = found && *start > c->now_s ? *start : 0,
			       .groups = groups, .stamp = c->use->clock, .n_chosen = c->sel->n_chosen};
	e->next_end = next_end(c, w->start_res);
	e->bound = MIN(c->time_bound, e->start ? e->start : INT64_MAX); /* from the start found on it would be a guess (B36) */
	memcpy(e->words, w->usable->word, r->nwords * sizeof *e->words);
	memcpy(e->words + r->nwords, c->sel->chosen->word, r->nwords * sizeof *e->words);
	c->time_bound = MIN(bound, c->time_bound);
	return found;
}

bool recall_fails_now(struct recall *r, struct controller *c, struct job *j, const struct bitset *nodes, const struct trial_counts *n)
{
	struct failure *f = reads_no_more(c, j) ? &line_of(r, c, j)->failure[c->start_only != NULL] : NULL;
	if (!f || f->part != j->part || c->now_s >= f->bound || !same_counts(&f->count, n) ||
	    memcmp(f->nodes, nodes->word, r->nwords * sizeof *f->nodes) || usage_changed_since(c->use, nodes, f->stamp))
		return false;
	note_time(c, f->bound);
	r->counts.spared++;
	return true;
}

void recall_failed_now(struct recall *r, struct controller *c, struct job *j, const struct bitset *nodes, const struct trial_counts *n, sec_t bound)
{
	if (!reads_no_more(c, j))
		return;
	struct failure *f = &line_of(r, c, j)->failure[c->start_only != NULL];
	f->nodes = f->nodes ? f->nodes : g_new(uint64_t, r->nwords);
	memcpy(f->nodes, nodes->word, r->nwords * sizeof *f->nodes);
	f->part = j->part;
	f->count = *n;
	f->bound = bound;
	f->stamp = c->use->clock;
}
