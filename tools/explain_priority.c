/* explain_priority.c - see explain_priority.h. */
#include "tools/explain_priority.h"
#include "sched/priority.h"
#include <math.h>
#include <string.h>

/* ---- age in times to come ---- */

static double age_at(const struct sched_params *p, const struct job *j, sec_t t)
{
	if (!p->weight_age || !j->accrue || j->direct_priority)
		return 0.0;
	double part = t - j->accrue < (sec_t)p->priority_max_age ? (double)MAX(0, t - j->accrue) / p->priority_max_age : 1.0;
	return part * p->weight_age;
}

static double sum_without_age(const struct job *j, const struct prio_terms *x)
{
	return x->assoc + x->fairshare + x->size + x->partition + x->qos + x->tres + x->site - (double)j->nice;
}

static uint32_t priority_at(const struct controller *c, const struct job *j, sec_t t)
{
	const struct sched_params *p = controller_cluster(c)->params;
	struct prio_terms x = controller_terms(c, j);
	if (!j->priority || j->direct_priority || p->priority_type == PRIORITY_BASIC)
		return j->priority;
	double sum = sum_without_age(j, &x) + age_at(p, j, t);
	return sum < 1.0 ? 1 : sum > 4294967295.0 ? UINT32_MAX : (uint32_t)sum;
}

/* Equal priorities go by submission, then by id. */
static bool goes_before(const struct controller *c, const struct job *a, const struct job *b, sec_t t)
{
	uint32_t x = priority_at(c, a, t), y = priority_at(c, b, t);
	if (x != y)
		return x > y;
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

sec_t explain_overtakes(const struct controller *c, const struct job *j, const struct job *other, sec_t now)
{
	const struct sched_params *p = controller_cluster(c)->params;
	sec_t low = now, high = MAX(now + 1, j->accrue + (sec_t)p->priority_max_age);
	/* both grow alike until the older one is at its most: the younger one can only win later, and stays ahead */
	if (!goes_before(c, j, other, high))
		return 0;
	while (low + 1 < high) {
		sec_t middle = low + (high - low) / 2;
		if (goes_before(c, j, other, middle))
			high = middle;
		else
			low = middle;
	}
	usec_t first = controller_next_priority_tick(c, now * USEC);
	sec_t tick = usec_to_sec(first), period = MAX(1, (sec_t)p->priority_calc_period);
	if (first == INT64_MAX)
		return high;
	return high <= tick ? tick : tick + (high - tick + period - 1) / period * period;
}

/* ---- the sum ---- */

static void line(FILE *out, const char *name, double weight, double term, const char *from)
{
	double factor = weight != 0.0 ? term / weight : 0.0;
	if (weight == 0.0 && term == 0.0)
		return;
	fprintf(out, "  %-12s %10.0f x %-12.7g = %14.4f   %s\n", name, weight, factor, term, from);
}

static char *age_text(const struct controller *c, const struct job *j)
{
	const struct sched_params *p = controller_cluster(c)->params;
	if (!j->accrue)
		return g_strdup("no age yet: it becomes eligible in the next pass over the queue");
	char *since = date_format(j->accrue, NULL);
	double age = p->weight_age ? j->terms.age / p->weight_age * p->priority_max_age : 0;
	char *text = g_strdup_printf("%.0f s of at most %u s, counted since %s", age, p->priority_max_age, since);
	g_free(since);
	return text;
}

static void print_tres(FILE *out, const struct controller *c, const struct job *j)
{
	const struct cluster *cl = controller_cluster(c);
	uint64_t counts[TRES_MAX];
	controller_tres_counts(c, j, counts);
	for (uint32_t i = 0; i < cl->tres->n && cl->params->weight_tres && j->part; i++) {
		double term = controller_tres_term(c, j, j->part, i, counts);
		char *from = g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " in partition %s", counts[i],
		                             j->part->tres_total ? j->part->tres_total[i] : 0, j->part->name);
		if (term != 0.0)
			line(out, cl->tres->name[i], cl->params->weight_tres[i], term, from);
		g_free(from);
	}
}

static void print_terms(FILE *out, const struct controller *c, const struct job *j)
{
	const struct cluster *cl = controller_cluster(c);
	const struct sched_params *p = cl->params;
	const struct prio_terms terms = controller_terms(c, j), *x = &terms;
	char *age = age_text(c, j);
	char *size = g_strdup_printf("%u of %u nodes, %u of %u CPUs", j->min_nodes, cl->n_nodes,
	                             j->part_total_cpus ? j->part_total_cpus : j->min_cpus, cl->total_cpus);
	char *part = g_strdup_printf("PriorityJobFactor %u of at most %u", j->part ? j->part->priority_job_factor : 0,
	                             MAX(1, cl->max_job_factor));
	char *qos = g_strdup_printf("%s: priority %u of at most %u", j->qos ? j->qos->name : "no QOS",
	                            j->qos ? j->qos->priority : 0, cl->acct ? cl->acct->max_qos_priority : 0);
	line(out, "age", p->weight_age, x->age, age);
	line(out, "association", p->weight_assoc, x->assoc, "priority of the association");
	line(out, "fair-share", p->weight_fairshare, x->fairshare, "see below");
	line(out, "job size", p->weight_job_size, x->size, size);
	line(out, "partition", p->weight_partition, x->partition, part);
	line(out, "QOS", p->weight_qos, x->qos, qos);
	print_tres(out, c, j);
	if (j->site)
		line(out, "site", 1, x->site, "site factor");
	if (j->nice)
		line(out, "nice", -1, (double)-j->nice, "taken off");
	fprintf(out, "  sum %.4f, truncated: %u\n", sum_without_age(j, x) + x->age, j->priority);
	g_free(age);
	g_free(size);
	g_free(part);
	g_free(qos);
}

/* ---- who is ahead ---- */

static const struct {
	const char *name;
	size_t offset;
} TERMS[] = {{"age", offsetof(struct prio_terms, age)},
             {"association", offsetof(struct prio_terms, assoc)},
             {"fair-share", offsetof(struct prio_terms, fairshare)},
             {"job size", offsetof(struct prio_terms, size)},
             {"partition", offsetof(struct prio_terms, partition)},
             {"QOS", offsetof(struct prio_terms, qos)},
             {"TRES", offsetof(struct prio_terms, tres)},
             {"site", offsetof(struct prio_terms, site)}};

static char *compare_terms(const struct controller *c, const struct job *j, const struct job *o)
{
	struct prio_terms own = controller_terms(c, j), other = controller_terms(c, o);
	GString *text = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(TERMS); i++) {
		double mine = *(const double *)((const char *)&own + TERMS[i].offset);
		double theirs = *(const double *)((const char *)&other + TERMS[i].offset);
		if (fabs(theirs - mine) >= 0.05)
			g_string_append_printf(text, "%s%s %+.1f", text->len ? ", " : "", TERMS[i].name, theirs - mine);
	}
	if (o->nice != j->nice)
		g_string_append_printf(text, "%snice %+.0f", text->len ? ", " : "", (double)(j->nice - o->nice));
	if (!text->len)
		g_string_append(text, "nothing: it came earlier");
	return g_string_free(text, FALSE);
}

/* S12 key 1 */
static void print_expediting(FILE *out, const struct job *o)
{
	char *id = job_format_id(o);
	fprintf(out, "  %-12s %10u  %s of %s is EXPEDITING: it lost a node, and comes before all others\n", id, o->priority, o->part ? o->part->name : "",
	        o->user);
	g_free(id);
}

static void print_rival(FILE *out, const struct controller *c, const struct job *j, const struct job *o, sec_t now)
{
	if ((o->flags & ~j->flags) & JOB_EXPEDITING) {
		print_expediting(out, o);
		return;
	}
	sec_t when = explain_overtakes(c, j, o, now);
	char *more = o->direct_priority ? g_strdup("set directly") : compare_terms(c, j, o);
	char *date = when ? date_format(when, NULL) : NULL;
	char *id = job_format_id(o);
	fprintf(out, "  %-12s %10u  %s of %s has more of: %s\n", id, o->priority, o->part ? o->part->name : "", o->user, more);
	if (date)
		fprintf(out, "%25s overtaken at %s, if nothing but age changes\n", "", date);
	else if (o->direct_priority || j->direct_priority)
		fprintf(out, "%25s never by age: a priority set directly does not change\n", "");
	else if (!controller_cluster(c)->params->weight_age)
		fprintf(out, "%25s never by age: PriorityWeightAge is 0\n", "");
	else if (o->accrue && o->accrue <= j->accrue)
		fprintf(out, "%25s never by age: both grow alike, and at its most the lead is not made up\n", "");
	else
		fprintf(out, "%25s never by age: the lead is in the other terms\n", "");
	g_free(more);
	g_free(date);
	g_free(id);
}

static bool is_ahead(const struct controller *c, const struct job *j, const struct job *o, sec_t now)
{
	if ((o->flags ^ j->flags) & JOB_EXPEDITING)
		return (o->flags & JOB_EXPEDITING) != 0;
	return o->priority > j->priority || (o->priority == j->priority && goes_before(c, o, j, now));
}

static int by_nearest(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;
	if ((x->flags ^ y->flags) & JOB_EXPEDITING)
		return x->flags & JOB_EXPEDITING ? 1 : -1;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->id > y->id ? -1 : x->id < y->id;
}

static bool shares_partition(const struct job *a, const struct job *b)
{
	for (uint32_t i = 0; i < a->n_parts; i++)
		for (uint32_t k = 0; k < b->n_parts; k++)
			if (a->parts[i].part == b->parts[k].part)
				return true;
	return false;
}

static void print_ahead(FILE *out, const struct controller *c, const struct job *j, sec_t now, unsigned ahead)
{
	GPtrArray *list = g_ptr_array_new();
	for (struct job *o = controller_first_pending(c); o; o = o->next)
		if (o != j && o->priority && o->eligible && o->eligible <= now && shares_partition(j, o) && is_ahead(c, j, o, now))
			g_ptr_array_add(list, o);
	g_ptr_array_sort(list, by_nearest);
	fprintf(out, "\n%u eligible jobs of its partitions are ahead", list->len);
	fprintf(out, list->len ? "; directly ahead:\n" : ".\n");
	for (guint i = 0; i < list->len && i < ahead; i++)
		print_rival(out, c, j, list->pdata[i], now);
	g_ptr_array_unref(list);
}

/* ---- the share tree ---- */

/* How many members of its level have a higher level fair-share. */
static unsigned members_above(const struct fairshare *f, const struct share_node *m)
{
	const struct share_node *up = &f->node[m->parent];
	unsigned n = 0;
	for (uint32_t i = 0; i < up->n; i++)
		n += f->node[f->order[up->first + i]].level_fs > m->level_fs;
	return n;
}

static void print_node(FILE *out, const struct controller *c, const struct fairshare *f, const struct assoc *a, int depth)
{
	struct fair_view v;
	const struct share_node *m = share_node_of(f, a);
	controller_fair_view(c, a, &v);
	if (v.is_root) {
		fprintf(out, "  root: %" G_GUINT64_FORMAT " billing seconds in all\n", (guint64)v.usage);
		return;
	}
	fprintf(out, "  %*s%s%s: ", depth * 2, "", a->user ? "user " : "account ", a->user ? a->user : a->account);
	if (a->shares == SHARES_PARENT)
		fprintf(out, "shares of its parent");
	else
		fprintf(out, "%u of %" G_GUINT64_FORMAT " shares = %.6f", a->shares, v.level_shares, v.norm_shares);
	fprintf(out, "; used %" G_GUINT64_FORMAT ", %.6f of its level", (guint64)v.usage, (double)v.effective);
	if (f->tree)
		fprintf(out, "; level fair-share %f, %u of %u in its level before it", (double)v.level_fs,
		        members_above(f, m), f->node[m->parent].n);
	fputc('\n', out);
}

static void print_path(FILE *out, const struct controller *c, const struct fairshare *f, const struct assoc *a)
{
	const struct assoc *path[64];
	int n = 0;
	for (const struct assoc *up = a; up && n < 64; up = up->parent)
		path[n++] = up;
	for (int i = n; i-- > 0;)
		print_node(out, c, f, path[i], n - 1 - i);
}

static void print_meaning(FILE *out, const struct controller *c, const struct fairshare *f, const struct assoc *a)
{
	const struct sched_params *p = controller_cluster(c)->params;
	struct fair_view v;
	controller_fair_view(c, a, &v);
	if (a->user && f->tree)
		fprintf(out, "  FairShare %f: its rank among %u users, not a ratio; every level is ranked by itself\n", v.fairshare,
		        f->n_users);
	else if (a->user)
		fprintf(out, "  FairShare %f = 2^-(%f / %f / %u)\n", v.fairshare, (double)v.effective, v.norm_shares,
		        p->fairshare_damping);
	if (!p->priority_decay_half_life) {
		fputs("  usage does not fade (PriorityDecayHalfLife=0)\n", out);
		return;
	}
	char *half = duration_format(p->priority_decay_half_life);
	double g = decay_factor(decay_per_second(p->priority_decay_half_life), p->priority_decay_half_life);
	fprintf(out, "  without new usage %" G_GUINT64_FORMAT " fade to %" G_GUINT64_FORMAT " in %s, and so on; that of the "
	             "others fades alike,\n  so ranks change by what is used, not by fading alone\n",
	        (guint64)v.usage, (guint64)(v.usage * g), half);
	g_free(half);
}

static void print_fairshare(FILE *out, const struct controller *c, const struct assoc *a)
{
	const struct fairshare *f = controller_fairshare(c);
	print_path(out, c, f, a);
	print_meaning(out, c, f, a);
}

bool explain_fairshare(FILE *out, const struct controller *c, const char *user, const char *account)
{
	const struct acct *acct = controller_cluster(c)->acct;
	bool any = false;
	for (guint i = 0; acct && i < acct->assocs->len; i++) {
		const struct assoc *a = acct->assocs->pdata[i];
		if (!user != !a->user || (user && g_ascii_strcasecmp(user, a->user) != 0))
			continue;
		if (account && g_ascii_strcasecmp(account, a->account) != 0)
			continue;
		fprintf(out, "%s%s%s%s%s%s%s:\n", any ? "\n" : "", user ? "User " : "", user ? a->user : "",
		        user ? " in account " : "Account ", a->account, a->partition ? ", partition " : "",
		        a->partition ? a->partition : "");
		print_fairshare(out, c, a);
		any = true;
	}
	return any;
}

/* ---- a job ---- */

void explain_priority_job(FILE *out, const struct controller *c, const struct job *j, sec_t now, unsigned ahead)
{
	const struct sched_params *p = controller_cluster(c)->params;
	char *id = job_format_id(j), *date = date_format(now, NULL);
	fprintf(out, "Job %s of %s, account %s, partition %s, at %s: priority %u\n", id, j->user,
	        j->account ? j->account : "(none)", j->part ? j->part->name : "", date, j->priority);
	if (p->priority_type == PRIORITY_BASIC)
		fputs("  priority/basic: every new job gets the next lower number, less its nice value\n", out);
	else if (!j->priority)
		fputs("  held: it has no priority until it is released\n", out);
	else if (j->direct_priority)
		fputs("  set directly: it stays until it is released\n", out);
	else
		print_terms(out, c, j);
	for (uint32_t i = 0; i < j->n_parts && j->n_parts > 1 && !j->direct_priority; i++)
		fprintf(out, "  in partition %s%s%s: %u\n", j->parts[i].part->name, j->parts[i].qos ? " with QOS " : "",
		        j->parts[i].qos ? j->parts[i].qos->name : "", j->parts[i].priority);
	if (j->assoc && p->weight_fairshare) {
		fputs("\nFair-share:\n", out);
		print_fairshare(out, c, j->assoc);
	}
	if (j->state == JOB_PENDING && j->priority)
		print_ahead(out, c, j, now, ahead);
	g_free(id);
	g_free(date);
}
