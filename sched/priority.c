/*
 * priority.c - priority/basic (P50) and the multifactor sum (P5-P21); see state.h and priority.h.
 *
 * A priority is computed at the events of P11 and nowhere else. What depends on the association alone (P14, P18) is looked
 * up in fairshare.h, so that a decay tick costs a few operations a job.
 */
#include "sched/billing.h"
#include "sched/fairshare.h"
#include "sched/priority.h"
#include "sched/state.h"

/* P50: each new job gets the next lower value. */
static uint32_t basic_next(struct controller *c, int64_t nice)
{
	uint32_t v = c->basic_low >= 2 ? c->basic_low - 1 : 1;
	int64_t p = v;
	if (nice <= 0 || p > nice + 1)
		p -= nice;
	p = CLAMP(p, 1, (int64_t)UINT32_MAX);
	int64_t low = p + nice;
	if (low < (int64_t)c->basic_low)
		c->basic_low = (uint32_t)MAX(low, 1);
	return (uint32_t)p;
}

static double age_factor(const struct controller *c, const struct job *j, sec_t t)
{
	if (!c->p->weight_age || !j->accrue) /* P12 */
		return 0.0;
	sec_t diff = MAX(0, t - j->accrue);
	return diff < (sec_t)c->p->priority_max_age ? (double)diff / (double)c->p->priority_max_age : 1.0;
}

/* P15 */
double controller_size_factor(const struct controller *c, const struct job *j)
{
	double n_all = c->cl->n_nodes, c_all = c->cl->total_cpus, s;
	if (!c->p->weight_job_size || !c->cl->n_nodes || !c->cl->total_cpus)
		return 0.0;
	uint32_t n = j->min_nodes, cpus = j->part_total_cpus ? j->part_total_cpus
	                                                       : j->max_cpus != NO_VAL ? j->max_cpus : j->min_cpus;
	if (c->p->priority_flags & PRIO_SMALL_RELATIVE) {
		uint32_t l = j->time_limit != NO_VAL ? j->time_limit : j->part ? j->part->max_time : 1;
		s = n * c_all / n_all;
		if (cpus > s)
			s = cpus;
		s = s / (l ? l : 1);
		s = s / c_all;
		if (c->p->priority_favor_small)
			s = 1.0 - s;
	} else if (c->p->priority_favor_small) {
		s = c->cl->n_nodes > n ? (n_all - n) / n_all : 0.0;
		if (cpus)
			s = (s + (double)(uint32_t)(c->cl->total_cpus - cpus) / c_all) / 2.0;
	} else {
		s = n / n_all;
		if (cpus)
			s = (s + cpus / c_all) / 2.0;
	}
	return CLAMP(s, 0.0, 1.0);
}

static double part_factor(const struct controller *c, const struct partition *p)
{
	if (!c->p->weight_partition || !p || !p->priority_job_factor)
		return 0.0;
	if (c->p->priority_flags & PRIO_NO_NORMAL_PART)
		return p->priority_job_factor;
	return p->priority_job_factor / (double)MAX(1, c->cl->max_job_factor);
}

double controller_partition_term(const struct controller *c, const struct job *j, const struct partition *p)
{
	return j->direct_priority ? 0.0 : part_factor(c, p) * (double)c->p->weight_partition;
}

static double qos_factor(const struct controller *c, const struct qos *q)
{
	if (!c->p->weight_qos || !q || q->removed || !q->priority)
		return 0.0;
	if (c->p->priority_flags & PRIO_NO_NORMAL_QOS)
		return q->priority;
	return q->priority / (double)MAX(1u, c->cl->acct->max_qos_priority);
}

/* P9: a QOS of several with priority 0 has the term of the job's record. */
double controller_qos_term(const struct controller *c, const struct job *j, const struct qos *q)
{
	if (!q || !q->priority || j->direct_priority)
		return j->terms.qos;
	return qos_factor(c, q) * (double)c->p->weight_qos;
}

/* P18 */
static double assoc_factor(const struct controller *c, const struct job *j)
{
	if (!c->p->weight_assoc || !j->assoc)
		return 0.0;
	return j->assoc->priority_factor;
}

/* P14 */
static double fairshare_factor(const struct controller *c, const struct job *j)
{
	return c->p->weight_fairshare && j->assoc ? fairshare_of(c->fair, j->assoc) : 0.0;
}

/* P19: the whole partition's count of TRES I; its billing is P41 of the other totals. */
static double partition_total(const struct controller *c, const struct partition *p, uint32_t i)
{
	if (!p->tres_total)
		return 0.0;
	if (i == TRES_BILLING) {
		double b = billing_of(c->p, c->cl->tres, p->billing_weights, p->tres_total);
		return b > 0 ? (double)(uint64_t)b : 0.0;
	}
	return (double)p->tres_total[i];
}

double controller_tres_term(const struct controller *c, const struct job *j, const struct partition *p, uint32_t i,
                            const uint64_t *counts)
{
	double w = c->p->weight_tres ? c->p->weight_tres[i] : 0.0, v = (double)counts[i];
	if (w == 0.0 || j->direct_priority)
		return 0.0;
	if (!(c->p->priority_flags & PRIO_NO_NORMAL_TRES)) {
		double total = partition_total(c, p, i);
		v = total > 0 ? v / total : 0.0;
	}
	return v * w;
}

void controller_tres_counts(const struct controller *c, const struct job *j, uint64_t *counts)
{
	if (!j->alloc || j->state == JOB_PENDING) {
		tres_of_request(c->cl, j, counts);
		return;
	}
	tres_of_alloc(c->cl, j->alloc, counts);
	counts[TRES_BILLING] = j->alloc->billing > 0 ? (uint64_t)j->alloc->billing : 0;
}

static double tres_sum(const struct controller *c, const struct job *j, const struct partition *p, const uint64_t *counts)
{
	double sum = 0.0;
	for (uint32_t i = 0; p && i < c->cl->tres->n; i++)
		if (c->p->weight_tres[i] != 0.0 && counts[i])
			sum += controller_tres_term(c, j, p, i, counts); /* P5.3 */
	return sum;
}

struct prio_terms controller_terms(const struct controller *c, const struct job *j)
{
	struct prio_terms x = j->terms;
	uint64_t counts[TRES_MAX];
	if (j->n_parts < 2 || !j->part || j->direct_priority)
		return x;
	controller_tres_counts(c, j, counts);
	x.partition = controller_partition_term(c, j, j->part);
	x.qos = controller_qos_term(c, j, j->several ? j->qos : NULL);
	x.tres = c->p->weight_tres ? tres_sum(c, j, j->part, counts) : 0.0;
	return x;
}

static uint32_t clamp_priority(double sum)
{
	if (sum < 1.0)
		return 1; /* P6 */
	return sum > 4294967295.0 ? UINT32_MAX : (uint32_t)sum;
}

/* P9: one value per partition; the terms that do not depend on it are summed first. */
static void pair_priorities(struct controller *c, struct job *j, const uint64_t *counts)
{
	const struct prio_terms *x = &j->terms;
	for (uint32_t i = 0; i < j->n_parts; i++) {
		struct job_part *pair = &j->parts[i];
		double w = part_factor(c, pair->part) * (double)c->p->weight_partition;
		double tres = c->p->weight_tres ? tres_sum(c, j, pair->part, counts) : 0.0;
		double qos = controller_qos_term(c, j, pair->qos);
		double rest = x->age + x->assoc + x->fairshare + x->size + qos + tres + x->site - (double)j->nice;
		uint32_t v = clamp_priority(w + rest);
		if (c->p->priority_flags & PRIO_INCR_ONLY && v < pair->priority) /* P10 */
			continue;
		c->version += v != pair->priority;
		pair->priority = v;
	}
}

static uint32_t multifactor(struct controller *c, struct job *j, sec_t t)
{
	uint64_t counts[TRES_MAX];
	struct prio_terms *x = &j->terms;
	x->age = age_factor(c, j, t) * (double)c->p->weight_age;
	x->assoc = assoc_factor(c, j) * (double)c->p->weight_assoc;
	x->fairshare = fairshare_factor(c, j) * (double)c->p->weight_fairshare;
	x->size = controller_size_factor(c, j) * (double)c->p->weight_job_size;
	x->partition = part_factor(c, j->part) * (double)c->p->weight_partition;
	x->qos = qos_factor(c, j->qos) * (double)c->p->weight_qos;
	x->site = j->site;
	x->tres = 0.0;
	if (c->p->weight_tres) {
		controller_tres_counts(c, j, counts);
		x->tres = tres_sum(c, j, j->part, counts);
	}
	if (j->n_parts > 1)
		pair_priorities(c, j, counts);
	double sum = x->age + x->assoc + x->fairshare + x->size + x->partition + x->qos + x->tres + x->site; /* P5.4 */
	return clamp_priority(sum - (double)j->nice);
}

static void store(struct controller *c, struct job *j, uint32_t v)
{
	if (v == j->priority)
		return;
	j->priority = v;
	ctl_touch(c);
}

/* P7, P8: held, or set directly. */
static bool is_fixed(const struct controller *c, const struct job *j)
{
	return j->priority == 0 || j->direct_priority || c->p->priority_type == PRIORITY_BASIC;
}

void priority_recompute(struct controller *c, struct job *j, sec_t t)
{
	if (!is_fixed(c, j))
		store(c, j, multifactor(c, j, t));
}

void priority_tick(struct controller *c, struct job *j)
{
	if (is_fixed(c, j))
		return;
	uint32_t v = multifactor(c, j, c->now_s);
	if (c->p->priority_flags & PRIO_INCR_ONLY && v <= j->priority) /* P10 */
		return;
	store(c, j, v);
	c->last_update = c->now_s; /* B2, recorded: even one that stays as it is wakes backfill (preempt-qos-requeue, 48 s and 108 s) */
}

void priority_fix(struct job *j)
{
	j->direct_priority = true;
	j->terms = (struct prio_terms){0}; /* P7 */
}

void priority_init(struct controller *c, struct job *j)
{
	fairshare_refresh(c->fair); /* an association may be new */
	j->priority = c->p->priority_type == PRIORITY_BASIC ? basic_next(c, j->nice) : multifactor(c, j, c->now_s);
}

void priority_release(struct controller *c, struct job *j)
{
	j->direct_priority = false;
	j->priority = c->p->priority_type == PRIORITY_BASIC ? basic_next(c, j->nice) : multifactor(c, j, c->now_s);
}

void accrue_leave(struct controller *c, struct job *j)
{
	if (j->accruing)
		accrue_count(c, j, -(int)array_tasks_left(j));
	j->accruing = false;
}

/* P13.3: hold, an unmet dependency and the like begin ageing anew. */
void accrue_reset(struct controller *c, struct job *j)
{
	accrue_leave(c, j);
	if (c->p->enforce & ENFORCE_LIMITS && !(c->p->priority_flags & PRIO_ACCRUE_ALWAYS))
		j->accrue = 0;
}

/* L40: the tasks that there is room for are split off and age alone. */
static void accrue_tasks(struct controller *c, struct job *head, uint32_t room)
{
	for (uint32_t n = MIN(room, array_tasks_left(head)); n > 0; n--) {
		struct job *j = array_split(c, head, array_first_task(head));
		j->accrue = c->now_s;
		j->accruing = true;
		accrue_count(c, j, 1);
	}
}

/* P13.2: limits not enforced. With limits: only while nothing holds the job back, and as far as there is room (P13.3). */
void accrue_update(struct controller *c, struct job *j)
{
	if (c->p->priority_flags & PRIO_ACCRUE_ALWAYS) {
		if (!j->accrue)
			j->accrue = j->submit;
		return;
	}
	if (c->p->enforce & ENFORCE_LIMITS) {
		note_time(c, j->eligible);
		if (j->priority == 0 || j->reason == REASON_DEPENDENCY) {
			accrue_reset(c, j);
			j->accrue = 0;
			return;
		}
		if (j->eligible > c->now_s || j->accrue || !j->eligible)
			return;
		bool limited;
		uint32_t room = accrue_room(c, j, &limited);
		if (limited && j->tasks) {
			accrue_tasks(c, j, room);
			return;
		}
		if (room == 0)
			return;
		j->accrue = limited ? c->now_s : j->eligible;
		j->accruing = true;
		accrue_count(c, j, (int)array_tasks_left(j));
		return;
	}
	if (!j->accrue)
		j->accrue = j->eligible;
}
