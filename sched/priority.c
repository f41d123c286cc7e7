/* priority.c - priority/basic (P50) and the multifactor sum (P5-P19) without fair-share */
#include "sched/state.h"

#include <math.h>
#include <string.h>

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
static double size_factor(const struct controller *c, const struct job *j)
{
	double n_all = c->cl->n_nodes, c_all = c->cl->total_cpus, s;
	if (!c->p->weight_job_size || !c->cl->n_nodes || !c->cl->total_cpus)
		return 0.0;
	uint32_t n = j->min_nodes, cpus = j->part_total_cpus ? j->part_total_cpus : j->max_cpus != NO_VAL ? j->max_cpus : j->min_cpus;
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

static double qos_factor(const struct controller *c, const struct job *j)
{
	if (!c->p->weight_qos || !j->qos || !j->qos->priority)
		return 0.0;
	if (c->p->priority_flags & PRIO_NO_NORMAL_QOS)
		return j->qos->priority;
	return j->qos->priority / (double)MAX(1u, c->cl->acct->max_qos_priority);
}

static uint32_t assoc_priority(const struct assoc *a)
{
	for (; a; a = a->parent)
		if (a->priority != NO_VAL)
			return a->priority == INFINITE ? 0 : a->priority;
	return 0;
}

static double assoc_factor(const struct controller *c, const struct job *j)
{
	if (!c->p->weight_assoc || !j->assoc)
		return 0.0;
	uint32_t own = assoc_priority(j->assoc), most = 0;
	if (c->p->priority_flags & PRIO_NO_NORMAL_ASSOC)
		return own;
	for (guint i = 0; i < c->cl->acct->assocs->len; i++)
		most = MAX(most, assoc_priority(c->cl->acct->assocs->pdata[i]));
	return most ? own / (double)most : 0.0;
}

/* P19: requested counts; memory and GRES per node times nodes. */
static double tres_sum(const struct controller *c, const struct job *j, const struct partition *p)
{
	if (!c->p->weight_tres || !p)
		return 0.0;
	double sum = 0.0;
	for (uint32_t i = 0; i < c->cl->tres->n; i++) {
		double w = c->p->weight_tres[i], v = 0.0, total = p->tres_total ? (double)p->tres_total[i] : 0.0;
		if (w == 0.0)
			continue;
		if (i == TRES_CPU)
			v = j->min_cpus;
		else if (i == TRES_NODE)
			v = j->min_nodes;
		else if (i == TRES_MEM)
			v = (double)j->pn_min_memory * (j->mem_per_cpu ? j->min_cpus : j->min_nodes);
		else
			for (uint32_t g = 0; g < j->n_gres; g++) {
				g_autofree char *plain = g_strdup_printf("gres/%s", j->gres[g].name);
				g_autofree char *typed = j->gres[g].type ? g_strdup_printf("%s:%s", plain, j->gres[g].type) : NULL;
				if (strcmp(c->cl->tres->name[i], plain) == 0 || g_strcmp0(c->cl->tres->name[i], typed) == 0)
					v += j->gres[g].per_job ? j->gres[g].per_job : (double)j->gres[g].per_node * j->min_nodes;
			}
		if (!(c->p->priority_flags & PRIO_NO_NORMAL_TRES))
			v = total > 0 ? v / total : 0.0;
		sum += v * w;
	}
	return sum;
}

static uint32_t clamp_priority(double sum)
{
	if (sum < 1.0)
		return 1; /* P6 */
	return sum > 4294967295.0 ? UINT32_MAX : (uint32_t)sum;
}

static uint32_t multifactor(struct controller *c, struct job *j, sec_t t)
{
	double age = age_factor(c, j, t) * (double)c->p->weight_age;
	double assoc = assoc_factor(c, j) * (double)c->p->weight_assoc;
	double fs = 0.0;
	double size = size_factor(c, j) * (double)c->p->weight_job_size;
	double part = part_factor(c, j->part) * (double)c->p->weight_partition;
	double qos = qos_factor(c, j) * (double)c->p->weight_qos;
	double tres = tres_sum(c, j, j->part);
	if (j->n_parts > 1) /* P9: one value per partition */
		for (uint32_t i = 0; i < j->n_parts; i++) {
			double pp = part_factor(c, j->parts[i].part) * (double)c->p->weight_partition;
			double rest = age + assoc + fs + size + qos + tres_sum(c, j, j->parts[i].part) - (double)j->nice;
			uint32_t v = clamp_priority(pp + rest);
			c->version += v != j->parts[i].priority;
			j->parts[i].priority = v;
		}
	double sum = age + assoc + fs + size + part + qos + tres; /* P5.4 */
	return clamp_priority(sum - (double)j->nice);
}

void priority_recompute(struct controller *c, struct job *j, sec_t t)
{
	if (j->priority == 0 || j->direct_priority || c->p->priority_type == PRIORITY_BASIC)
		return; /* P7, P8 */
	uint32_t v = multifactor(c, j, t);
	if (v != j->priority) {
		j->priority = v;
		ctl_touch(c);
	}
}

void priority_init(struct controller *c, struct job *j)
{
	j->priority = c->p->priority_type == PRIORITY_BASIC ? basic_next(c, j->nice) : multifactor(c, j, c->now_s);
}

void priority_release(struct controller *c, struct job *j)
{
	j->direct_priority = false;
	j->priority = c->p->priority_type == PRIORITY_BASIC ? basic_next(c, j->nice) : multifactor(c, j, c->now_s);
}

bool priority_all(struct controller *c)
{
	uint64_t before = c->version;
	if (c->p->priority_type == PRIORITY_MULTIFACTOR)
		for (struct job *j = c->pending.head; j; j = j->next)
			priority_recompute(c, j, c->now_s); /* P11a */
	return c->version != before;
}

void accrue_reset(struct controller *c, struct job *j)
{
	if (j->accruing)
		accrue_count(c, j, -(int)array_tasks_left(j));
	j->accruing = false;
}

/* L40: the tasks that there is room for are split off and age alone. */
static void accrue_tasks(struct controller *c, struct job *head, uint32_t room)
{
	for (uint32_t n = MIN(room, array_tasks_left(head)); n > 0; n--) {
		struct job *j = array_split(c, head, (uint32_t)bitset_first(head->tasks));
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

void controller_priority_tick(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	usec_t period = (usec_t)c->p->priority_calc_period * USEC;
	while (period > 0 && c->prio_next <= now)
		c->prio_next += period;
	usage_tick(c);
	priority_all(c);
}

usec_t controller_next_priority_tick(const struct controller *c, usec_t now)
{
	usec_t period = (usec_t)c->p->priority_calc_period * USEC;
	if (c->p->priority_type != PRIORITY_MULTIFACTOR || period <= 0 || !c->p->has_accounting)
		return INT64_MAX;
	if (!c->naive && !c->pending.n && !(c->p->enforce & ENFORCE_LIMITS))
		return INT64_MAX;
	usec_t next = c->prio_next;
	if (next <= now)
		next += (now - next + period) / period * period;
	return next;
}
