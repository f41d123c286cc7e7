/* charge.c - usage: decay, reset and what running jobs add (P31, P33, P34); see fairshare.h. */
#include "sched/billing.h"
#include "sched/fairshare.h"
#include <float.h>
#include <math.h>
#include <time.h>

/* ---- decay (P31) ---- */

double decay_per_second(uint32_t half_life)
{
	return half_life ? 1.0 - 0.693 / half_life : 1.0;
}

double decay_factor(double per_second, sec_t delta)
{
	return fmax(pow(per_second, (double)delta), DBL_MIN);
}

static void scale(long double *usage, long double *tres, uint32_t n, double *wall, double factor)
{
	*usage *= factor;
	*wall *= factor;
	for (uint32_t i = 0; tres && i < n; i++)
		tres[i] *= factor;
}

/* Associations and their TRES usage lie anywhere in memory: they are asked for some places ahead. */
static inline __attribute__((always_inline)) void fetch(const struct acct *acct, guint i, uint32_t n)
{
	const struct assoc *far = i + 16 < acct->assocs->len ? acct->assocs->pdata[i + 16] : NULL;
	const struct assoc *near = i + 8 < acct->assocs->len ? acct->assocs->pdata[i + 8] : NULL;
	if (far)
		__builtin_prefetch(&far->usage, 1);
	for (uint32_t k = 0; near && near->tres_usage && k < n; k += 4)
		__builtin_prefetch(near->tres_usage + k, 1);
}

static void scale_all(struct acct *acct, double factor, bool no_decay_too)
{
	uint32_t n = acct->tres->n;
	for (guint i = 0; i < acct->assocs->len; i++) {
		struct assoc *a = acct->assocs->pdata[i];
		fetch(acct, i, n);
		scale(&a->usage, a->tres_usage, n, &a->wall, factor);
	}
	for (guint i = 0; i < acct->qos->len; i++) {
		struct qos *q = acct->qos->pdata[i];
		if (no_decay_too || !(q->flags & QOS_NO_DECAY))
			scale(&q->usage, q->tres_usage, n, &q->wall, factor);
	}
}

void usage_decay(struct acct *acct, double factor)
{
	if (factor != 1.0)
		scale_all(acct, factor, false);
}

void usage_reset(struct acct *acct)
{
	scale_all(acct, 0.0, true);
}

bool usage_any(const struct acct *acct)
{
	if (acct->root->usage > 0)
		return true;
	for (guint i = 0; i < acct->qos->len; i++)
		if (((const struct qos *)acct->qos->pdata[i])->usage > 0)
			return true;
	return false;
}

/* ---- reset (P33) ---- */

/* 00:00 of the first day of the month MONTHS after that of T, counted from the quarter or year when that is its unit. */
static sec_t first_of(sec_t t, int unit)
{
	GDateTime *at = g_date_time_new_from_unix_utc(t);
	int month = (g_date_time_get_month(at) - 1) / unit * unit + unit;
	GDateTime *next = g_date_time_new_utc(g_date_time_get_year(at) + month / 12, month % 12 + 1, 1, 0, 0, 0);
	sec_t result = g_date_time_to_unix(next);
	g_date_time_unref(at);
	g_date_time_unref(next);
	return result;
}

/* Midnight of LAST plus DAYS, and whole PERIODs until it is not past by more than one. */
static sec_t catch_up(sec_t last, int days, sec_t period, sec_t now)
{
	sec_t next = last - ((last % 86400) + 86400) % 86400 + (sec_t)days * 86400;
	if (now > next + period)
		next += (now - next - 1) / period * period;
	return next;
}

sec_t usage_next_reset(enum usage_reset_period period, sec_t last, sec_t now)
{
	switch (period) {
	case RESET_DAILY:
		return catch_up(last, 1, 86400, now);
	case RESET_WEEKLY: {
		int weekday = (int)(((last / 86400 + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday; Sunday = 0 */
		return catch_up(last, 7 - weekday, 7 * 86400, now);
	}
	case RESET_MONTHLY:
		return first_of(last, 1);
	case RESET_QUARTERLY:
		return first_of(last, 3);
	case RESET_YEARLY:
		return first_of(last, 12);
	case RESET_NONE:
	case RESET_NOW: /* once, at the first pass */
		break;
	}
	return INT64_MAX;
}

/* ---- new usage (P34) ---- */

struct slice {
	double wall, used;       /* decayed by the slice's own length */
	double raw_wall, raw_used;
	const uint64_t *alloc;   /* [n]; NULL: TRES usage is not kept */
	uint32_t n;
};

static void add(long double *usage, long double **tres, double *wall, const struct slice *s, double w, double u)
{
	*wall += w;
	*usage += u;
	if (!s->alloc)
		return;
	if (!*tres)
		*tres = g_new0(long double, TRES_MAX);
	for (uint32_t i = 0; i < s->n; i++)
		if (i != TRES_ENERGY && s->alloc[i])
			(*tres)[i] += (long double)w * (long double)s->alloc[i];
}

static void add_qos(struct qos *q, const struct slice *s)
{
	bool raw = q->flags & QOS_NO_DECAY;
	add(&q->usage, &q->tres_usage, &q->wall, s, raw ? s->raw_wall : s->wall, raw ? s->raw_used : s->used);
}

void usage_charge(const struct cluster *cl, struct job *j, double per_second, sec_t a, sec_t b)
{
	uint64_t counts[TRES_MAX];
	double d = (double)MAX(0, b - a), u = j->qos && j->qos->usage_factor >= 0 ? j->qos->usage_factor : 1.0;
	double billing = j->alloc ? j->alloc->billing : 0.0;
	struct slice s = {.n = cl->tres->n};
	if (!j->assoc || d == 0.0)
		return;
	if (!j->alloc) { /* CALCULATE_RUNNING counts waiting jobs too */
		tres_of_request(cl, j, counts);
		billing = (double)counts[TRES_BILLING];
	} else if (cl->params->enforce & ENFORCE_LIMITS) {
		tres_of_alloc(cl, j->alloc, counts);
		counts[TRES_BILLING] = billing > 0 ? (uint64_t)billing : 0; /* P42 */
		s.alloc = counts;
	}
	double wall = d * pow(per_second, d), used = wall * billing;
	s.used = used * u;
	s.wall = wall * u;
	s.raw_used = d * billing * u;
	s.raw_wall = d * u;
	if (j->qos)
		add_qos(j->qos, &s);
	if (j->part && j->part->qos && j->part->qos != j->qos)
		add_qos(j->part->qos, &s);
	for (struct assoc *up = j->assoc; up; up = up->parent) {
		add(&up->usage, &up->tres_usage, &up->wall, &s, s.wall, s.used);
		up->charged |= s.used != 0.0;
	}
}
