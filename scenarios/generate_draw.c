/*
 * generate_draw.c - drawing the jobs of the month, class by class.
 *
 * A class is drawn in sessions: a user sits down at some time (thinning by the rhythm) and submits one job or a burst
 * of similar ones (a shell loop, a chain). The numbers are ours; their manner is that of published traces of GPU
 * centres: most jobs small and short, most GPU hours in the few wide and long ones, limits asked with a generous factor
 * and in round numbers.
 */
#include "scenarios/generate_job.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#define DAY 86400.0
#define BUSIEST 1.1 /* largest value of rhythm() */

/* One call of the generator an expression: C leaves the order of arguments open, and the same seed must give the same
 * bytes. */
struct draw {
	gsl_rng *rng;
	GPtrArray *jobs;
	gsl_ran_discrete_t *who[WORK_COUNT];
};

/* Give J its partition and shape; the rest is common to all classes. */
typedef void (*shape_fn)(struct draw *d, struct month_job *j);

struct month_class {
	const char *kind;
	double share; /* of all jobs, array tasks counted */
	enum month_work work;
	double rhythm;        /* 0 = day and night alike, 1 = office hours only */
	double burst;         /* mean number of submissions in a session */
	double median, sigma; /* lognormal work, minutes */
	double weibull,
	    scale; /* this part is Weibull of shape 0.7 instead: short tries with a long tail; scale in minutes */
	double fails, cancels; /* chance of an early failure; of a cancellation while pending */
	double patience;       /* mean minutes until that cancellation */
	gboolean stretched;
	shape_fn shape;
};

/* ---- small helpers over the generator ---- */

static gboolean chance(struct draw *d, double p)
{
	return gsl_rng_uniform(d->rng) < p;
}

static guint32 pick(struct draw *d, const guint32 *values, const double *weights, guint n)
{
	double sum = 0;
	for (guint i = 0; i < n; i++)
		sum += weights[i];
	double u = gsl_rng_uniform(d->rng) * sum;
	for (guint i = 0; i + 1 < n; i++) {
		if (u < weights[i])
			return values[i];
		u -= weights[i];
	}
	return values[n - 1];
}

/* Relative rate of submissions at T seconds into the month: a working day with its top at two in the afternoon, a quiet
 * weekend. */
static double rhythm(double t)
{
	static const double weekday[7] = {1.0, 1.05, 1.1, 1.05, 0.9, 0.4, 0.35}; /* from Monday */
	double hour = fmod(t, DAY) / 3600;
	double off = (hour - 14) / 3.8;
	return weekday[(int)(t / DAY) % 7] * (0.15 + 0.85 * exp(-off * off / 2));
}

/* Thinning: a uniform time is kept with the chance of its rate over the largest one. */
static gint64 draw_time(struct draw *d, double strength)
{
	for (;;) {
		double t = gsl_ran_flat(d->rng, 0, MONTH_SECONDS);
		double rate = (1 - strength) * BUSIEST + strength * rhythm(t);
		if (gsl_rng_uniform(d->rng) * BUSIEST < rate)
			return (gint64)(t * 1000);
	}
}

/* ---- shapes ---- */

static void gpu_shape(struct draw *d, struct month_job *j, enum month_partition_id part, guint32 nodes, guint32 gpus)
{
	static const guint32 cpus[] = {8, 12, 16, 24, 28};
	static const double weights[] = {4, 2, 5, 2, 2};
	j->part = part;
	j->nodes = nodes;
	j->gpus = gpus;
	j->ntasks_per_node = gpus;
	j->cpus_per_task = pick(d, cpus, weights, G_N_ELEMENTS(cpus));
	if (!chance(d, 0.25)) /* else DefMemPerCPU */
		j->mem = gpus * (chance(d, 0.3) ? 200 : chance(d, 0.5) ? 128 : 64);
	if (nodes == 1 && gpus < 8)
		j->gpus_per_job = chance(d, 0.3);
}

static void shape_debug(struct draw *d, struct month_job *j)
{
	j->qos = "debug";
	if (chance(d, 0.2)) {
		j->part = PART_DEBUG_CPU;
		j->ntasks = 1;
		j->cpus_per_task = chance(d, 0.5) ? 4 : 16;
		return;
	}
	gpu_shape(d, j, PART_DEBUG, 1, chance(d, 0.9) ? 1 : 2);
}

static void shape_sweep(struct draw *d, struct month_job *j)
{
	gpu_shape(d, j, chance(d, 0.3) ? PART_H100 : PART_A100, 1, 1);
	j->tasks = 2 + (guint32)fmin(gsl_ran_lognormal(d->rng, log(14), 0.9), 254);
	j->at_once = chance(d, 0.5) ? 4 << gsl_rng_uniform_int(d->rng, 3) : 0;
	if (j->at_once >= j->tasks)
		j->at_once = 0;
}

static void shape_small(struct draw *d, struct month_job *j)
{
	static const guint32 gpus[] = {1, 2, 4};
	static const double weights[] = {55, 22, 23};
	enum month_partition_id part = chance(d, 0.35) ? PART_H100 : PART_A100;
	gpu_shape(d, j, part, 1, pick(d, gpus, weights, G_N_ELEMENTS(gpus)));
}

static void shape_node(struct draw *d, struct month_job *j)
{
	gpu_shape(d, j, chance(d, 0.35) ? PART_H100 : PART_A100, 1, 8);
}

static void shape_wide(struct draw *d, struct month_job *j)
{
	static const guint32 nodes[] = {2, 3, 4, 6, 8, 12, 16};
	static const double weights[] = {46, 5, 27, 3, 12.5, 1.5, 5};
	guint32 n = pick(d, nodes, weights, G_N_ELEMENTS(nodes));
	gpu_shape(d, j, chance(d, 0.42) ? PART_H100 : PART_A100, n, 8);
}

/* 24 or all 32 H100 nodes: the rare big run, agreed with the operators, hence QOS high. */
static void shape_hero(struct draw *d, struct month_job *j)
{
	gboolean first = TRUE;
	for (guint i = 0; i < d->jobs->len && first; i++)
		first = strcmp(((struct month_job *)d->jobs->pdata[i])->kind, "hero") != 0;
	gpu_shape(d, j, PART_H100, first || chance(d, 0.5) ? 32 : 24, 8);
	j->qos = "high";
}

static void shape_long(struct draw *d, struct month_job *j)
{
	static const guint32 gpus[] = {1, 2, 4};
	static const double weights[] = {40, 30, 30};
	gpu_shape(d, j, PART_LONG, 1, pick(d, gpus, weights, G_N_ELEMENTS(gpus)));
	j->qos = "long";
}

static void shape_cpu(struct draw *d, struct month_job *j)
{
	static const guint32 cpus[] = {1, 2, 4, 8, 16, 32, 64, 128};
	static const double weights[] = {16, 10, 18, 18, 16, 11, 7, 4};
	j->part = PART_CPU;
	j->ntasks = 1;
	j->cpus_per_task = pick(d, cpus, weights, G_N_ELEMENTS(cpus));
	if (chance(d, 0.35))
		j->mem_per_cpu = chance(d, 0.7) ? 2 : 3;
	else if (chance(d, 0.3))
		j->mem = 8 << gsl_rng_uniform_int(d->rng, 5);
}

static void shape_cpu_array(struct draw *d, struct month_job *j)
{
	shape_cpu(d, j);
	j->cpus_per_task = MIN(j->cpus_per_task, 16);
	j->tasks = 5 + (guint32)fmin(gsl_ran_lognormal(d->rng, log(30), 1.0), 495);
	j->at_once = chance(d, 0.4) && j->tasks > 50 ? 50 : 0;
}

static void shape_mpi(struct draw *d, struct month_job *j)
{
	static const guint32 nodes[] = {1, 2, 4, 8, 16};
	static const double weights[] = {34, 28, 22, 12, 4};
	j->part = PART_CPU;
	j->nodes = pick(d, nodes, weights, G_N_ELEMENTS(nodes));
	j->ntasks_per_node = 128;
	j->ntasks = j->nodes * 128;
	j->cpus_per_task = 2; /* one task a core */
}

/* Parts of a chain; the session code picks them by place. */
static void shape_chain(struct draw *d, struct month_job *j)
{
	if (chance(d, 0.8))
		shape_node(d, j);
	else
		gpu_shape(d, j, chance(d, 0.4) ? PART_H100 : PART_A100, 2, 8);
}

/* ---- the classes ---- */

static const struct month_class classes[] = {
    /* kind, share, work, rhythm, burst, median, sigma, weibull, scale, fails, cancels, patience, stretched, shape */
    {"debug", 0.09, WORK_GPU, 0.9, 1.5, 9, 1.0, 0.2, 5, 0.22, 0.06, 3, FALSE, shape_debug},
    {"sweep", 0.25, WORK_GPU, 0.6, 1.2, 120, 1.0, 0.3, 60, 0.08, 0.09, 45, TRUE, shape_sweep},
    {"small", 0.15, WORK_GPU, 0.7, 1.6, 100, 1.5, 0.3, 45, 0.12, 0.08, 20, TRUE, shape_small},
    {"node", 0.070, WORK_GPU, 0.6, 1.4, 330, 1.3, 0.3, 90, 0.12, 0.08, 60, TRUE, shape_node},
    {"wide", 0.038, WORK_WIDE, 0.5, 1.3, 270, 1.2, 0.3, 60, 0.14, 0.08, 120, TRUE, shape_wide},
    {"hero", 0.0001, WORK_WIDE, 0.3, 1.0, 240, 0.4, 0.0, 60, 0.0, 0.0, 60, FALSE, shape_hero},
    {"long", 0.009, WORK_WIDE, 0.6, 1.2, 3300, 0.6, 0.2, 2000, 0.08, 0.08, 300, FALSE, shape_long},
    {"chain", 0.06, WORK_GPU, 0.5, 1.0, 300, 1.1, 0.2, 60, 0.10, 0.06, 60, TRUE, shape_chain},
    {"prep", 0.20, WORK_CPU, 0.7, 4.0, 40, 1.6, 0.3, 15, 0.10, 0.09, 10, TRUE, shape_cpu},
    {"batch", 0.0879, WORK_CPU, 0.5, 1.1, 60, 1.2, 0.2, 20, 0.06, 0.07, 30, TRUE, shape_cpu_array},
    {"mpi", 0.045, WORK_CPU, 0.5, 1.5, 240, 1.3, 0.2, 60, 0.10, 0.09, 60, TRUE, shape_mpi},
};
#define CANCEL_RUNNING 0.04
#define TOO_SHORT 0.05
#define ASK_MOST 0.18
#define HIGH 0.05

/* ---- who ---- */

/* Zipf over the users, in an order that does not follow their names, times what their account does of WORK. */
static gsl_ran_discrete_t *who_new(enum month_work work)
{
	g_autofree double *weights = g_new(double, month_user_count);
	for (guint i = 0; i < month_user_count; i++) {
		guint rank = (i * 37 + 11) % month_user_count + 1;
		weights[i] = month_accounts[month_users[i].account].weight[work] / pow(rank, 0.8);
	}
	return gsl_ran_discrete_preproc(month_user_count, weights);
}

static void draw_user(struct draw *d, struct month_job *j, enum month_work work)
{
	const struct month_user *u = &month_users[gsl_ran_discrete(d->rng, d->who[work])];
	int account = u->account;
	if (u->second >= 0 && chance(d, 0.3))
		account = u->second;
	j->user = u->name;
	j->account = month_accounts[account].name;
	if (!j->qos) /* accounts without wide work may not use high */
		j->qos = chance(d, HIGH) && month_accounts[account].weight[WORK_WIDE] > 0 ? "high" : "normal";
}

/* ---- how long, and what becomes of it ---- */

static double draw_work(struct draw *d, const struct month_class *c)
{
	double minutes = chance(d, c->weibull) ? gsl_ran_weibull(d->rng, c->scale, 0.7)
	                                       : gsl_ran_lognormal(d->rng, log(c->median), c->sigma);
	return 60 * minutes;
}

static void draw_fate(struct draw *d, struct month_job *j, const struct month_class *c)
{
	j->stretched = c->stretched;
	j->over = fmax(1.05, gsl_ran_lognormal(d->rng, log(2.2), 0.6));
	j->ask_most = chance(d, ASK_MOST);
	if (chance(d, c->cancels))
		j->cancel = 1 + (guint32)gsl_ran_exponential(d->rng, c->patience * 60);
	double u = gsl_rng_uniform(d->rng);
	if (u < c->fails) {
		j->fails_after = 2 + gsl_ran_exponential(d->rng, 240);
		j->exit_code = chance(d, 0.7) ? 1 : chance(d, 0.5) ? 2 : 127;
	} else if (u < c->fails + CANCEL_RUNNING) {
		j->cancel_part = gsl_ran_flat(d->rng, 0.05, 0.9);
	} else if (u < c->fails + CANCEL_RUNNING + TOO_SHORT) {
		j->too_short = TRUE;
	}
	if (strcmp(c->kind, "hero") == 0)
		j->cancel_part = 0;
}

/* ---- sessions ---- */

static struct month_job *job_add(struct draw *d, const struct month_job *model, gint64 at)
{
	struct month_job *j = g_memdup2(model, sizeof *model);
	j->seq = d->jobs->len;
	j->at = at;
	g_ptr_array_add(d->jobs, j);
	return j;
}

/* The next submission of a session, some seconds after the one at AT. A script submits faster than a hand. */
static gint64 soon(struct draw *d, gint64 at, double mean)
{
	return MIN(at + 40 + (gint64)(1000 * gsl_ran_exponential(d->rng, mean)), (gint64)MONTH_SECONDS * 1000 - 1);
}

/* One to LEFT submissions of one user, alike but for their run time. Returns the number of jobs. */
static guint32 session_burst(struct draw *d, const struct month_class *c, guint32 left)
{
	gint64 at = draw_time(d, c->rhythm);
	guint32 count = gsl_ran_geometric(d->rng, 1 / c->burst), done = 0;
	struct month_job model = {.kind = c->kind};
	c->shape(d, &model);
	draw_user(d, &model, c->work);
	double work = draw_work(d, c), gap = chance(d, 0.5) ? 1.5 : 60;
	for (guint32 i = 0; i < count && done < left; i++) {
		struct month_job *j = job_add(d, &model, at);
		if (j->tasks > left - done)
			j->tasks = left - done;
		if (j->at_once >= j->tasks)
			j->at_once = 0;
		j->work = work * gsl_ran_lognormal(d->rng, 0, 0.3);
		draw_fate(d, j, c);
		done += MAX(j->tasks, 1);
		at = soon(d, at, gap);
	}
	return done;
}

/* One step of a chain, after AFTER (NULL: the first). */
static struct month_job *chain_step(struct draw *d, const struct month_class *c, gint64 at,
                                    const struct month_job *after, const char *how)
{
	struct month_job model = {.kind = c->kind, .after = after, .after_how = after ? how : NULL};
	struct month_job *j = job_add(d, &model, at);
	j->work = draw_work(d, c);
	if (after) {
		j->user = after->user;
		j->account = after->account;
		j->qos = after->qos;
	} else {
		draw_user(d, j, c->work);
	}
	draw_fate(d, j, c);
	return j;
}

/* Preprocess (sometimes), train, evaluate (nearly always), a second round of training or a report. */
static guint32 session_chain(struct draw *d, const struct month_class *c, guint32 left)
{
	gint64 at = draw_time(d, c->rhythm);
	guint32 first = d->jobs->len;
	struct month_job *last = NULL;
	if (left > 2 && chance(d, 0.35)) {
		last = chain_step(d, c, at, NULL, NULL);
		shape_cpu(d, last);
		last->work *= 0.2;
		at = soon(d, at, 2);
	}
	struct month_job *train = chain_step(d, c, at, last, "afterok");
	shape_chain(d, train);
	if (d->jobs->len - first < left && chance(d, 0.9)) {
		at = soon(d, at, 2);
		const char *how = chance(d, 0.7) ? "afterok" : "afterany";
		struct month_job *eval = chain_step(d, c, at, train, how);
		gpu_shape(d, eval, train->part, 1, chance(d, 0.6) ? 1 : 2);
		eval->work *= 0.1;
		if (d->jobs->len - first < left && chance(d, 0.3)) {
			struct month_job *more = chain_step(d, c, soon(d, eval->at, 2), train, "afterany");
			gpu_shape(d, more, train->part, train->nodes, 8);
		}
	}
	return d->jobs->len - first;
}

GPtrArray *month_draw(gsl_rng *rng, guint32 jobs)
{
	struct draw d = {rng, g_ptr_array_new_with_free_func(g_free), {NULL}};
	for (guint w = 0; w < WORK_COUNT; w++)
		d.who[w] = who_new(w);
	guint32 done = 0;
	double planned = 0;
	for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
		const struct month_class *c = &classes[i];
		gboolean chain = c->shape == shape_chain;
		planned += c->share;
		guint32 until = i + 1 == G_N_ELEMENTS(classes) ? jobs : (guint32)MIN(planned * jobs + 0.5, jobs);
		while (done < until)
			done += chain ? session_chain(&d, c, until - done) : session_burst(&d, c, until - done);
	}
	for (guint w = 0; w < WORK_COUNT; w++)
		gsl_ran_discrete_free(d.who[w]);
	return d.jobs;
}

/* ---- limits ---- */

static const guint32 habits[] = {10, 15, 30, 60, 120, 240, 480, 720, 1440, 2160, 2880, 4320, 7200, 10080}; /* minutes */

/* The smallest habitual limit that is at least MINUTES, or the largest below it. */
static guint32 habit(double minutes, gboolean below)
{
	guint i = 0;
	while (i + 1 < G_N_ELEMENTS(habits) && habits[i] < minutes)
		i++;
	return below && i > 0 ? habits[i - 1] : habits[i];
}

void month_job_finish(struct month_job *j, double stretch)
{
	guint32 most = month_partitions[j->part].max_minutes;
	double work = fmax(j->work * (j->stretched ? stretch : 1), 3);
	if (j->too_short) {
		work = fmax(work, habits[0] * 60 * 1.2);
		j->limit = habit(work / 60, TRUE);
	} else if (j->ask_most) {
		j->limit = most;
	} else {
		j->limit = habit(work * j->over / 60, FALSE);
	}
	j->limit = MIN(j->limit, most);
	if (j->fails_after > 0)
		work = fmin(work, j->fails_after);
	j->run = MAX((gint64)work, 2);
	double seen = fmin(work, j->limit * 60.0);
	j->cancel_run = j->cancel_part > 0 ? CLAMP((gint64)(seen * j->cancel_part), 1, j->run - 1) : 0;
}
