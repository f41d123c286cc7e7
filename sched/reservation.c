/* reservation.c - see reservation.h: the list, its time, and who may use what */
#include "sched/reservation.h"
#include "sched/state.h"

#include <string.h>

#define NEVER (INT64_MAX / USEC - 1)

static struct reservation *at(const struct controller *c, guint i)
{
	return c->resvs->pdata[i];
}

void resv_free(struct reservation *r)
{
	g_free(r->name);
	bitset_free(r->nodes);
	job_alloc_free(r->cores);
	g_strfreev(r->users.names);
	g_strfreev(r->groups.names);
	g_strfreev(r->accounts.names);
	g_strfreev(r->qos.names);
	g_strfreev(r->partitions.names);
	g_free(r->features);
	g_free(r->comment);
	g_free(r->licenses);
	g_free(r->licenses_text);
	g_free(r);
}

const GPtrArray *controller_resvs(const struct controller *c)
{
	return c->resvs;
}

struct reservation *resv_find(const struct controller *c, const char *name)
{
	for (guint i = 0; i < c->resvs->len; i++)
		if (strcmp(at(c, i)->name, name) == 0)
			return at(c, i);
	return NULL;
}

/* ---- time ---- */

sec_t resv_start(const struct controller *c, const struct reservation *r)
{
	return r->flags & RESV_FLAG(TIME_FLOAT) ? c->now_s + r->float_by : r->start;
}

sec_t resv_end(const struct controller *c, const struct reservation *r)
{
	return r->flags & RESV_FLAG(TIME_FLOAT) ? c->now_s + r->float_by + (r->end - r->start) : r->end;
}

bool resv_active_at(const struct reservation *r, sec_t t) /* C62 */
{
	if (r->flags & RESV_FLAG(TIME_FLOAT)) /* the same at every time */
		return r->float_by <= 0 && r->float_by + r->end - r->start > 0;
	return r->start <= t && t < r->end;
}

/* 0 = Monday; day 0 of the epoch was a Thursday. Reservations are kept in UTC as all times are. */
static int weekday(sec_t t)
{
	sec_t days = t / 86400 - (t % 86400 < 0);
	return (int)(((days + 3) % 7 + 7) % 7);
}

sec_t resv_next_start(const struct reservation *r, sec_t t)
{
	if (r->flags & RESV_FLAG(HOURLY))
		return t + 3600;
	if (r->flags & RESV_FLAG(WEEKLY))
		return t + 7 * 86400;
	do
		t += 86400;
	while ((r->flags & RESV_FLAG(WEEKDAY) && weekday(t) >= 5) || (r->flags & RESV_FLAG(WEEKEND) && weekday(t) < 5));
	return t;
}

/* C64: a recurring reservation stands for all its occurrences. Two of them repeat together after a week at the latest,
 * so it is enough to look at the occurrences of both within two weeks after the later of the two first starts. */
bool resv_times_meet(const struct controller *c, const struct reservation *r, const struct reservation *s)
{
	sec_t r0 = resv_start(c, r), s0 = resv_start(c, s), horizon = MAX(r0, s0) + 15 * 86400;
	sec_t r_len = resv_end(c, r) - r0, s_len = resv_end(c, s) - s0;
	for (;;) {
		if (r0 < s0 + s_len && s0 < r0 + r_len)
			return true;
		const struct reservation *earlier = r0 + r_len <= s0 ? r : s;
		if (!(earlier->flags & RESV_RECURRING))
			return false;
		sec_t *t = earlier == r ? &r0 : &s0;
		*t = resv_next_start(earlier, *t);
		if (*t > horizon)
			return false;
	}
}

/* ---- access (C60) ---- */

static bool listed(const struct name_list *l, const char *name)
{
	return name && g_strv_contains((const char *const *)l->names, name);
}

static bool account_listed(const struct controller *c, const struct name_list *l, const struct job *j)
{
	if (!j->assoc || !(c->p->enforce & ENFORCE_ASSOC))
		return listed(l, j->account);
	for (const struct assoc *a = j->assoc; a; a = a->parent)
		if (listed(l, a->account))
			return true;
	return false;
}

static bool partition_listed(const struct name_list *l, const struct job *j)
{
	if (j->part && !j->n_parts)
		return listed(l, j->part->name);
	for (uint32_t i = 0; i < j->n_parts; i++)
		if (listed(l, j->parts[i].part->name))
			return true;
	return false;
}

static bool passes(const struct name_list *l, bool is_listed)
{
	return !l->names || is_listed != l->deny;
}

static bool in_groups(const struct controller *c, const struct name_list *l, const char *user)
{
	for (char **g = l->names; *g && user; g++) {
		GHashTable *users = c->cl->groups ? g_hash_table_lookup(c->cl->groups, *g) : NULL;
		if (users && g_hash_table_contains(users, user))
			return true;
	}
	return false;
}

bool resv_access(const struct controller *c, const struct reservation *r, const struct job *j)
{
	if (r->users.names && !passes(&r->users, listed(&r->users, j->user)))
		return false;
	if (r->groups.names && !passes(&r->groups, in_groups(c, &r->groups, j->user)))
		return false;
	if (r->accounts.names && !passes(&r->accounts, account_listed(c, &r->accounts, j)))
		return false;
	if (r->qos.names && !passes(&r->qos, j->qos && listed(&r->qos, j->qos->name)))
		return false;
	return !r->partitions.names || passes(&r->partitions, partition_listed(&r->partitions, j));
}

bool resv_resolve(struct controller *c, struct job *j, GError **error)
{
	const char *text = j->req->reservation;
	if (!text || !*text)
		return true;
	g_auto(GStrv) names = g_strsplit(text, ",", -1);
	for (char **n = names; *n; n++) {
		struct reservation *r = resv_find(c, *n);
		if (!r || !resv_access(c, r, j) || (r->flags & RESV_FLAG(TIME_FLOAT) && c->p->version == SLURM_22_05)) { /* recorded: a floating one takes nobody */
			g_set_error_literal(error, SUBMIT_ERROR, 0,
			                    r ? "Access denied to requested reservation"
			                      : "Requested reservation is invalid");
			return false;
		}
		j->resvs = g_renew(struct reservation *, j->resvs, j->n_resvs + 1);
		j->resvs[j->n_resvs++] = r;
	}
	j->resv = j->n_resvs == 1 ? j->resvs[0] : NULL;
	return true;
}

void resv_end_record(struct job *j)
{
	if (j->state != JOB_PENDING)
		return;
	j->resv = j->n_resvs == 1 ? j->resvs[0] : NULL;
	j->magnetic = false;
}

bool resv_signal_asked(const struct job *j)
{
	const char *s = j->req->signal, *colon = s ? strchr(s, ':') : NULL;
	return colon && memchr(s, 'R', (gsize)(colon - s)) != NULL;
}

void resv_forget_job(struct job *j)
{
	g_free(j->resvs);
	j->resvs = NULL;
	j->n_resvs = 0;
}

/* C60: over for good, or before the job may begin. */
static bool over_for(const struct controller *c, const struct reservation *r, const struct job *j)
{
	if (r->flags & (RESV_RECURRING | RESV_FLAG(TIME_FLOAT)))
		return false;
	return c->now_s > r->end || j->eligible > r->end;
}

bool resv_usable_now(struct controller *c, struct job *j)
{
	resv_advance(c);
	bool all_over = true;
	for (uint32_t i = 0; i < j->n_resvs; i++) {
		const struct reservation *r = j->resvs[i];
		note_time(c, r->start);
		note_time(c, r->end);
		note_time(c, r->end + 1);
		bool empty = bitset_empty(r->nodes) && !r->licenses && !(r->flags & RESV_FLAG(ANY_NODES));
		bool open = resv_active_at(r, c->now_s) || (r->flags & RESV_FLAG(FLEX) && c->now_s < resv_end(c, r)); /* recorded: FLEX before its start too */
		if (open && !empty && resv_access(c, r, j))
			return true;
		all_over = all_over && over_for(c, r, j);
	}
	if (!j->n_resvs)
		return true;
	/* recorded: in 22.05 it waits until the reservation is taken away, as the others with NO_HOLD_JOBS_AFTER_END do */
	if (all_over && j->priority && c->p->version != SLURM_22_05 && !(j->resvs[0]->flags & RESV_FLAG(NO_HOLD_JOBS_AFTER_END))) {
		j->priority = 0;
		c->version++;
	}
	return false;
}

sec_t resv_job_seconds(const struct controller *c, const struct job *j)
{
	(void)c;
	uint32_t limit = j->time_limit != NO_VAL ? j->time_limit : j->part->max_time;
	return job_limit_seconds(limit);
}

void resv_take_licenses(struct controller *c, const struct job *j, sec_t when, sec_t seconds, uint32_t *free)
{
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = at(c, i);
		if (!r->licenses || r == j->resv)
			continue;
		sec_t start = resv_start(c, r), end = resv_end(c, r);
		if (when == c->now_s && !(r->flags & RESV_FLAG(TIME_FLOAT))) {
			note_time(c, start - seconds + 1);
			note_time(c, end);
		}
		if (start < when + seconds && end > when)
			for (uint32_t k = 0; k < license_kinds(c->cl); k++)
				free[k] -= MIN(free[k], r->licenses[k]);
	}
}

uint32_t license_reserved(const struct controller *c, uint32_t kind, sec_t now)
{
	uint32_t sum = 0;
	for (guint i = 0; i < c->resvs->len; i++)
		if (at(c, i)->licenses && resv_active_at(at(c, i), now))
			sum += at(c, i)->licenses[kind];
	return sum;
}

/* ---- the loop (C62, C63) ---- */

void resv_set_node_flags(struct controller *c)
{
	uint32_t mask = NODE_MAINT | NODE_RESERVED;
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		uint32_t want = 0;
		for (guint k = 0; k < c->resvs->len; k++) {
			const struct reservation *r = at(c, k);
			if (!r->flagged || !bitset_test(r->nodes, i) || r->cores)
				continue;
			want |= r->flags & RESV_FLAG(MAINT) ? mask : NODE_RESERVED;
		}
		struct node *n = c->cl->node[i];
		if ((n->flags & mask) == want)
			continue;
		n->flags = (n->flags & ~mask) | want;
		if (c->host.node)
			c->host.node(c->host.data, n);
	}
}

/* The latest turn of PERIOD seconds, counted from the controller's start, that is not after T. */
static sec_t turn(const struct controller *c, sec_t t, sec_t period)
{
	sec_t start = usec_to_sec(c->start);
	return start + (t - start) / period * period;
}

bool resv_is_wanted(const struct controller *c, const struct reservation *r)
{
	for (const struct job *j = c->pending.head; j; j = j->next)
		for (uint32_t i = 0; i < j->n_resvs; i++)
			if (j->resvs[i] == r)
				return true;
	return false;
}

/* C63: the next occurrence, with a new id. */
static void recur(struct controller *c, struct reservation *r)
{
	sec_t length = r->end - r->start;
	do
		r->start = resv_next_start(r, r->start);
	while (r->start + length <= c->now_s);
	r->end = r->start + length;
	r->id = c->next_resv_id++;
	r->idle_since = 0;
	r->recurred++;
	ctl_touch(c);
}

void resv_advance(struct controller *c)
{
	for (guint i = 0; i < c->resvs->len; i++)
		if (at(c, i)->flags & RESV_RECURRING && at(c, i)->end <= c->now_s)
			recur(c, at(c, i));
}

/* PURGE_COMP: since when does nobody have it? */
static void watch_idle(struct controller *c, struct reservation *r)
{
	if (!(r->flags & RESV_FLAG(PURGE_COMP)))
		return;
	bool used = r->running > 0 || resv_is_wanted(c, r);
	if (used)
		r->idle_since = 0;
	else if (!r->idle_since)
		r->idle_since = c->now_s;
}

/* Recorded: it ends, and goes, at the turn of ended reservations that finds it idle for so long. */
static void purge_idle(struct controller *c, struct reservation *r)
{
	watch_idle(c, r);
	if (!r->idle_since || !resv_active_at(r, c->now_s) || c->now_s - r->idle_since < r->purge_after)
		return;
	if (r->flags & RESV_RECURRING) {
		recur(c, r);
		return;
	}
	r->end = c->now_s;
	ctl_touch(c);
}

bool resv_cores_known(const struct controller *c, const struct reservation *r, sec_t now)
{
	return r->cores && turn(c, now, 5) > r->cores_since;
}

void resv_turns_passed(struct controller *c)
{
	c->last_resv = MAX(c->last_resv, turn(c, c->now_s - 1, 5));
}

void resv_tick(struct controller *c, bool exact)
{
	resv_replace_tick(c);
	sec_t t = turn(c, c->now_s, 5);
	if (t <= c->last_resv)
		return;
	c->last_resv = t;
	if (exact && t < c->turn_since)
		return;
	bool any = false;
	for (guint i = 0; i < c->resvs->len; i++) {
		struct reservation *r = at(c, i);
		watch_idle(c, r);
		bool active = resv_active_at(r, t);
		if (active == r->flagged)
			continue;
		r->flagged = active;
		any = true;
		if (active)
			c->counter++; /* S3 */
	}
	if (!any)
		return;
	ctl_touch(c);
	resv_set_node_flags(c);
}

void resv_remove(struct controller *c, struct reservation *r)
{
	bool hold = !(r->flags & RESV_FLAG(NO_HOLD_JOBS_AFTER_END));
	for (struct job *j = c->pending.head; j; j = j->next) {
		bool names = false;
		for (uint32_t i = 0; i < j->n_resvs; i++)
			names = names || j->resvs[i] == r;
		if (j->resv == r)
			j->resv = NULL;
		if (!names)
			continue;
		resv_forget_job(j);
		if (j->priority == 0) { /* recorded: one that is held already stays so */
			if (j->reason == REASON_BAD_CONSTRAINTS)
				job_set_reason(c, j, REASON_HELD_ADMIN, NULL);
			continue;
		}
		if (!hold)
			continue;
		g_autofree char *text = g_strdup_printf("Reservation %s was deleted", r->name);
		j->priority = 0;
		j->flags |= JOB_RESV_DEL_HOLD;
		struct blocker b = blocker_resv(r, RESV_GONE);
		job_blocked(c, j, REASON_RESERVATION_DELETED, text, &b);
	}
	for (guint i = 0; i < c->jobs->len; i++) { /* ended jobs and those whose epilog is under way */
		struct job *j = c->jobs->pdata[i];
		if (j && j->resv == r)
			j->resv = NULL;
		if (j && j->state != JOB_PENDING && j->n_resvs)
			resv_forget_job(j);
		if (j && j->ever_resv == r)
			j->ever_version = 0;
	}
	c->resv_changes++;
	g_ptr_array_remove(c->resvs, r);
	resv_free(r);
	resv_set_node_flags(c);
	ctl_touch(c);
}

/* C35 */
static void end_jobs(struct controller *c, const struct reservation *r)
{
	sec_t over = (sec_t)c->p->resv_over_run * 60;
	if (r->flags & RESV_FLAG(FLEX) || r->end + over >= c->now_s)
		return;
	for (struct job *j = c->running.head, *next; j; j = next) {
		next = j->next;
		if (j->resv != r)
			continue;
		j->timed_out = true;
		job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, END_TIME_LIMIT);
	}
}

void resv_end_tick(struct controller *c, bool exact)
{
	sec_t t = turn(c, c->now_s, 30);
	if (t <= c->last_resv_end)
		return;
	c->last_resv_end = t;
	if (exact && t < c->turn_since)
		return;
	for (guint i = 0; i < c->resvs->len;) {
		struct reservation *r = at(c, i);
		purge_idle(c, r);
		if (r->flags & RESV_FLAG(TIME_FLOAT) || r->end > t) {
			i++;
			continue;
		}
		end_jobs(c, r);
		if (r->flags & RESV_RECURRING && !r->running)
			recur(c, r);
		else if (!r->running) {
			resv_remove(c, r);
			continue;
		}
		i++;
	}
}

/* The first turn of PERIOD at or after T. */
static sec_t turn_from(const struct controller *c, sec_t t, sec_t period)
{
	return turn(c, MAX(t, usec_to_sec(c->start)) + period - 1, period);
}

sec_t resv_next_tick(const struct controller *c, sec_t first)
{
	sec_t want = NEVER;
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = at(c, i);
		bool every_turn =
		    r->flags & RESV_FLAG(PURGE_COMP) || r->flagged != resv_active_at(r, c->now_s);
		if (resv_wants_nodes(c, r))
			want = MIN(want, first);
		if (every_turn)
			want = MIN(want, turn_from(c, first, 5));
		if (r->flags & RESV_FLAG(TIME_FLOAT))
			continue;
		sec_t start = turn_from(c, r->start, 5), end = turn_from(c, r->end, 5);
		if (start >= first)
			want = MIN(want, start);
		if (end >= first)
			want = MIN(want, end);
		want = MIN(want, turn_from(c, MAX(r->end, first), 30));
	}
	return want;
}

/* The loop's turn for the 5 s turn T of node flags. */
static usec_t flags_turn(const struct controller *c, sec_t t)
{
	return ctl_turn(c, t * USEC);
}

static bool any_flagged(const struct controller *c)
{
	for (guint i = 0; i < c->resvs->len; i++)
		if (at(c, i)->flagged && at(c, i)->nodes && bitset_count(at(c, i)->nodes))
			return true;
	return false;
}

sec_t resv_last_flags(const struct controller *c)
{
	if (!any_flagged(c))
		return INT64_MIN;
	sec_t t = turn(c, c->now_s, 5);
	return usec_to_sec(flags_turn(c, flags_turn(c, t) <= c->now ? t : t - 5));
}

usec_t resv_flags_from(const struct controller *c, sec_t second)
{
	if (!any_flagged(c))
		return INT64_MAX;
	sec_t t = turn(c, second, 5);
	while (usec_to_sec(flags_turn(c, t)) < second)
		t += 5;
	return flags_turn(c, t);
}

static sec_t next_bound(const struct controller *c, sec_t t, uint32_t most_recurred)
{
	sec_t want = NEVER;
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = at(c, i);
		if (r->flags & RESV_FLAG(TIME_FLOAT) || r->recurred > most_recurred)
			continue;
		if (r->start > t)
			want = MIN(want, r->start);
		if (r->end > t)
			want = MIN(want, r->end);
	}
	return want;
}

usec_t controller_next_reservation(const struct controller *c, usec_t now)
{
	sec_t want = MIN(resv_next_tick(c, usec_to_sec(now) + 1), next_bound(c, usec_to_sec(now), UINT32_MAX));
	return want >= NEVER ? INT64_MAX : want * USEC;
}

usec_t controller_reservation_change(const struct controller *c, usec_t from)
{
	sec_t want = next_bound(c, usec_to_sec(from), 8);
	return want >= NEVER ? INT64_MAX : want * USEC;
}

void controller_reservations(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	resv_tick(c, false);
	resv_end_tick(c, false);
}
