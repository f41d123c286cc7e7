/* preempt.c - see preempt.h */
#include "sched/expedite.h"
#include "sched/preempt.h"
#include "sched/hetjob.h"
#include "sched/warn.h"

#include <string.h>

bool preempt_enabled(const struct controller *c)
{
	return c->p->preempt_type != PREEMPT_NONE && c->p->preempt_mode != PREEMPT_MODE_OFF;
}

static enum preempt_mode own_mode(const struct controller *c, const struct job *v)
{
	int own = PREEMPT_MODE_UNSET;
	if (c->p->preempt_type == PREEMPT_QOS && v->qos)
		own = v->qos->preempt_mode;
	else if (c->p->preempt_type == PREEMPT_PARTITION)
		own = v->part->preempt_mode;
	enum preempt_mode m = own == PREEMPT_MODE_UNSET ? c->p->preempt_mode : (enum preempt_mode)own;
	bool by_signal = v->req->signal && g_str_has_prefix(v->req->signal, "R"); /* --signal=R:... */
	return by_signal && m != PREEMPT_MODE_REQUEUE && m != PREEMPT_MODE_OFF ? PREEMPT_MODE_CANCEL : m;
}

enum preempt_mode preempt_mode_of(const struct controller *c, const struct job *v)
{
	if (!v->het)
		return own_mode(c, v);
	bool requeue = false; /* E3: suspension before requeueing before cancelling */
	for (uint32_t k = 0; k < v->het->n; k++) {
		enum preempt_mode m = v->het->comp[k] ? own_mode(c, v->het->comp[k]) : PREEMPT_MODE_CANCEL;
		if (m == PREEMPT_MODE_SUSPEND)
			return m;
		requeue = requeue || m == PREEMPT_MODE_REQUEUE;
	}
	return requeue ? PREEMPT_MODE_REQUEUE : PREEMPT_MODE_CANCEL;
}

static bool qos_may(const struct controller *c, const struct qos *a, const struct qos *b, uint32_t pa, uint32_t pb)
{
	uint32_t flags = c->p->preempt_flags;
	if (!a || !b)
		return false;
	if (a == b) /* E4.1 */
		return (flags | a->preempt_flags) & PREEMPT_WITHIN && pa > pb;
	if (!a->preempt || !g_strv_contains((const char *const *)a->preempt, b->name))
		return false;
	return !((flags | a->preempt_flags) & PREEMPT_PRIORITY) || pa > pb;
}

bool preempt_may(const struct controller *c, const struct job *j, const struct job *v)
{
	if (c->p->preempt_type == PREEMPT_QOS)
		return qos_may(c, j->qos, v->qos, j->priority, v->priority);
	if (c->p->preempt_flags & PREEMPT_PRIORITY && j->priority < v->priority)
		return false;
	return v->part->priority_tier < j->part->priority_tier && preempt_mode_of(c, v) != PREEMPT_MODE_OFF;
}

static bool record_preempts(const struct controller *c, const struct queue_record *a, const struct queue_record *b)
{
	if (c->p->preempt_type == PREEMPT_QOS)
		return qos_may(c, a->qos ? a->qos : a->job->qos, b->qos ? b->qos : b->job->qos, a->job->priority,
		               b->job->priority);
	if (c->p->preempt_flags & PREEMPT_PRIORITY && a->job->priority < b->job->priority)
		return false;
	return a->part->priority_tier > b->part->priority_tier && bitset_intersects(a->part->nodes, b->part->nodes);
}

int preempt_order(const struct controller *c, const struct queue_record *a, const struct queue_record *b)
{
	if (a->job == b->job)
		return 0;
	if (record_preempts(c, a, b))
		return -1;
	return record_preempts(c, b, a) ? 1 : 0;
}

/* ---- candidates ---- */

/* E8: the first exempt time that is set; -1 = none. */
static int64_t exempt_time(const struct controller *c, const struct job *v)
{
	const struct qos *own = v->qos, *part = v->part->qos;
	bool over = own && own->flags & QOS_OVER_PART_QOS;
	const struct qos *first = part && !over ? part : own, *second = first == own ? part : own;
	/* recorded: 22.05 knew only the cluster's value */
	if (c->p->version != SLURM_22_05) {
		if (first && first->preempt_exempt_time >= 0)
			return first->preempt_exempt_time;
		if (second && second->preempt_exempt_time >= 0)
			return second->preempt_exempt_time;
	}
	return c->p->preempt_exempt_time;
}

bool preempt_is_exempt(struct controller *c, const struct job *v)
{
	int64_t t = exempt_time(c, v);
	if (t <= 0 || c->now_s >= v->start + t)
		return false;
	note_time(c, v->start + t);
	return true;
}

/* E7.1-5 of one record */
static bool may_be_taken(struct controller *c, const struct job *j, const struct job *v)
{
	if (!preempt_may(c, j, v) || v->priority > c->p->preempt_min_exempt_priority)
		return false;
	return !preempt_is_exempt(c, v);
}

static bool is_running(const struct job *v)
{
	return v->state == JOB_RUNNING || v->state == JOB_SUSPENDED;
}

static bool is_candidate(struct controller *c, const struct job *j, struct job *v)
{
	if (v->het && v->het_offset)
		return false;
	bool near = false, running = true;
	for (uint32_t k = 0; het_member(v, k); k++)
		running = running && is_running(het_member(v, k));
	for (uint32_t k = 0; running && het_member(v, k) && !near; k++)
		near = bitset_intersects(het_member(v, k)->nodes, j->part->nodes);
	for (uint32_t k = 0; near && het_member(v, k); k++)
		near = may_be_taken(c, j, het_member(v, k));
	return near;
}

/* E10 */
static uint64_t rank_of(const struct controller *c, const struct job *v)
{
	uint32_t level = c->p->preempt_type == PREEMPT_QOS ? (v->qos ? v->qos->priority : 0) : v->part->priority_tier;
	return (uint64_t)MIN(level, 65535u) * 65536 + MIN(v->alloc->n, 65535u);
}

static gint candidate_cmp(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct controller *c = data;
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;
	if (c->p->preempt_youngest_first)
		return x->start == y->start ? 0 : x->start > y->start ? -1 : 1;
	uint64_t k = rank_of(c, x), l = rank_of(c, y);
	return k == l ? 0 : k < l ? -1 : 1;
}

GPtrArray *preempt_candidates(struct controller *c, const struct job *j)
{
	g_ptr_array_set_size(c->candidates, 0);
	if (!preempt_enabled(c))
		return c->candidates;
	for (struct job *v = c->running.head; v; v = v->next)
		if (is_candidate(c, j, v))
			g_ptr_array_add(c->candidates, v);
	g_ptr_array_sort_with_data(c->candidates, candidate_cmp, c);
	return c->candidates;
}

/* ---- choosing victims (E11-E15) ---- */

void preempt_usable(struct controller *c, const struct job *j, struct bitset *out)
{
	bitset_assign(out, c->use->nonexclusive);
	GPtrArray *list = preempt_candidates(c, j);
	for (guint i = 0; i < list->len; i++)
		for (uint32_t k = 0; het_member(list->pdata[i], k); k++) {
			const struct job *v = het_member(list->pdata[i], k);
			if (v->alloc->whole)
				bitset_or(out, v->nodes);
		}
	int64_t i;
	for (BITSET_EACH(i, out))
		if (usage_node(c->use, (uint32_t)i)->completing)
			bitset_clear(out, (uint32_t)i);
}

struct search {
	struct controller *c;
	struct job *j;
	GPtrArray *list;  /* of struct job *: candidates, reordered between passes */
	uint32_t *usable; /* E14, parallel to list */
	struct trial_counts n;
};

static void usable_nodes(struct search *s, const struct bitset *avail, struct bitset *out)
{
	preempt_usable(s->c, s->j, out);
	bitset_and(out, avail);
	bitset_and(out, s->j->part->nodes);
	expedite_leave(s->c, s->j, out);
}

static bool removable(const struct controller *c, const struct job *v)
{
	enum preempt_mode m = preempt_mode_of(c, v);
	return m == PREEMPT_MODE_CANCEL || m == PREEMPT_MODE_REQUEUE;
}

/* Remove candidates in order until J fits: index of the last removed one, -1 = never. */
static int remove_until_fit(struct search *s)
{
	struct controller *c = s->c;
	usage_overlay_reset(c->future);
	trial_begin(c->sel, s->j, s->j->part, c->future, c->victim_nodes, s->n, TRIAL_WILL_RUN, c->running.head);
	for (guint i = 0; i < s->list->len; i++) {
		struct job *v = s->list->pdata[i];
		if (!removable(c, v))
			continue;
		for (uint32_t m = 0; het_member(v, m); m++) {
			const struct job_alloc *a = het_member(v, m)->alloc;
			usage_remove(c->future, a);
			for (uint32_t k = 0; k < a->n; k++)
				trial_recheck(c->sel, a->node[k].node);
		}
		s->usable[i] = 0;
		if (trial_choose(c->sel))
			return (int)i;
	}
	return -1;
}

/* E14 */
static void reorder(struct search *s, guint last)
{
	struct controller *c = s->c;
	guint n = s->list->len;
	struct job *moved = s->list->pdata[last];
	if (c->p->preempt_strict_order) {
		memmove(s->list->pdata + 1, s->list->pdata, last * sizeof(gpointer));
		s->list->pdata[0] = moved;
		return;
	}
	for (guint i = 0; i < n; i++) {
		uint32_t shared = 0;
		for (uint32_t k = 0; i < last && het_member(s->list->pdata[i], k); k++)
			shared += bitset_count_and(het_member(s->list->pdata[i], k)->nodes, c->sel->chosen);
		s->usable[i] = i == last ? 99999 : shared;
	}
	for (guint i = 1; i < n; i++) { /* a stable insertion sort, descending */
		uint32_t u = s->usable[i];
		gpointer v = s->list->pdata[i];
		guint k = i;
		for (; k > 0 && s->usable[k - 1] < u; k--) {
			s->usable[k] = s->usable[k - 1];
			s->list->pdata[k] = s->list->pdata[k - 1];
		}
		s->usable[k] = u;
		s->list->pdata[k] = v;
	}
}

/* E13: true with the final order in the list; *last = index of the last candidate removed. */
static bool find_victims(struct search *s, guint *last)
{
	const int most = MAX(0, s->c->p->preempt_reorder_count < 0 ? 1 : s->c->p->preempt_reorder_count);
	for (int passes = 0;; passes++) {
		s->c->sel->last_alternative = s->c->p->version != SLURM_22_05; /* E16a */
		int l = remove_until_fit(s);
		s->c->sel->last_alternative = false;
		if (l < 0)
			return false;
		*last = (guint)l;
		if (passes > most || (int)s->list->len <= passes + 1)
			return true;
		reorder(s, (guint)l);
	}
}

/* ---- acting (E17-E21) ---- */

static int grace_of(const struct controller *c, const struct job *v)
{
	return c->p->preempt_type == PREEMPT_QOS ? (v->qos ? v->qos->grace_time : 0) : v->part->grace_time;
}

static void take_out(struct controller *c, struct job *leader)
{
	bool requeue = preempt_mode_of(c, leader) == PREEMPT_MODE_REQUEUE && leader->requeue;
	for (uint32_t k = 0; het_member(leader, k); k++) {
		struct job *v = het_member(leader, k);
		if (requeue)
			job_requeue(c, v, "PREEMPTED", END_REQUEUE, 0);
		else
			job_end(c, v, JOB_PREEMPTED, REASON_NONE, END_CANCEL);
	}
}

/* E17.1: true when the grace of one record begins. */
static bool begin_grace(struct controller *c, struct job *v)
{
	int grace = grace_of(c, v);
	v->preempt_time = c->now_s;
	if (grace <= 0)
		return false;
	job_set_end(c, v, MIN(v->end, c->now_s + grace));
	v->in_grace = true;
	warn_tell(c, v); /* SIGTERM */
	ctl_touch(c);
	return true;
}

/* E17; of a het job every component must have passed its grace. */
static void act_on(struct controller *c, struct job *leader)
{
	bool wait = false;
	for (uint32_t k = 0; het_member(leader, k); k++) {
		struct job *v = het_member(leader, k);
		if (!v->preempt_time) {
			wait = begin_grace(c, v) || wait;
		} else if (c->now_s < v->end) {
			note_time(c, v->end);
			wait = true;
		} else {
			v->preempt_time = c->now_s;
		}
	}
	if (!wait)
		take_out(c, leader);
}

void preempt_victim(struct controller *c, struct job *v)
{
	act_on(c, v);
}

void preempt_sweep(struct controller *c)
{
	if (!preempt_enabled(c))
		return;
	for (struct job *v = c->running.head, *next; v; v = next) {
		next = v->next;
		if (!v->preempt_time || v->end > c->now_s || (v->het && v->het_offset))
			continue;
		while (next && next->het && next->het == v->het) /* may leave the list with it */
			next = next->next;
		act_on(c, v);
	}
}

bool preempt_for(struct controller *c, struct job *j, const struct bitset *avail, struct trial_counts n)
{
	if (!preempt_enabled(c))
		return false;
	struct search s = {.c = c, .j = j, .n = n};
	s.list = preempt_candidates(c, j);
	if (!s.list->len)
		return false;
	usable_nodes(&s, avail, c->victim_nodes);
	s.usable = g_new0(uint32_t, s.list->len);
	guint last = 0;
	bool found = find_victims(&s, &last);
	sec_t quiet = c->p->kill_wait + c->p->message_timeout; /* E19 */
	bool silent = j->preempt_start && j->preempt_start > c->now_s - quiet;
	if (found && silent)
		note_time(c, j->preempt_start + quiet);
	if (found && !silent) {
		g_autoptr(GPtrArray) victims = g_ptr_array_new(); /* E15 */
		for (guint i = 0; i <= last; i++) {
			struct job *v = s.list->pdata[i];
			bool met = false;
			for (uint32_t k = 0; het_member(v, k); k++)
				met = met || bitset_intersects(het_member(v, k)->nodes, c->sel->chosen);
			if (removable(c, v) && met)
				g_ptr_array_add(victims, v);
		}
		j->preempt_start = c->now_s;
		for (guint i = 0; i < victims->len; i++) {
			if (c->host.preempted)
				c->host.preempted(c->host.data, victims->pdata[i], j);
			act_on(c, victims->pdata[i]);
		}
		j->preempting = true;
	}
	g_free(s.usable);
	return found;
}
