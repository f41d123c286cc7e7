/* replica.c - see replica.h. */
#include "scenarios/replica.h"
#include <gsl/gsl_rng.h>
#include <string.h>

#define SESSION (60 * USEC)
#define HOUR (3600 * USEC)
#define LIKE 5 /* outcomes of jobs like this that are enough to draw from */
#define LEVELS 4

/* ---- the whole trace ---- */

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct submission *x = *(struct submission *const *)a, *y = *(struct submission *const *)b;

	return (x->at > y->at) - (x->at < y->at);
}

void replica_load(struct scenario *s)
{
	struct submission *sub;

	while (s->workload && (sub = workload_next(s->workload)))
		g_ptr_array_add(s->submissions, sub);
	g_clear_pointer(&s->workload, workload_close);
	g_ptr_array_sort(s->submissions, by_time); /* stable */
}

/* ---- dependencies ---- */

/* The label that begins behind "@": up to TEXT[length]; a task's number may end it. NULL when KNOWN has neither. */
static const char *label_in(GHashTable *known, const char *text, gsize length)
{
	char *name = g_strndup(text, length), *bar;
	gpointer found = NULL;

	if (!g_hash_table_lookup_extended(known, name, &found, NULL) && (bar = strrchr(name, '_'))) {
		*bar = '\0';
		g_hash_table_lookup_extended(known, name, &found, NULL);
	}
	g_free(name);
	return found;
}

typedef void label_fn(void *data, const char *text, gsize length);

static void each_label(const char *text, label_fn *fn, void *data)
{
	for (const char *p = text ? strchr(text, '@') : NULL; p; p = strchr(p + 1, '@'))
		fn(data, p + 1, strcspn(p + 1, ":,?+ \t"));
}

char *replica_strip_dependency(const char *text, GHashTable *kept)
{
	GString *out = g_string_new(NULL);

	for (const char *p = text; *p;) {
		gsize n = strcspn(p, ",?"), type = MIN(strcspn(p, ":"), n);
		gsize before = out->len;
		bool any = type == n; /* singleton */
		if (out->len)
			g_string_append_c(out, p[-1]);
		g_string_append_len(out, p, (gssize)type);
		for (const char *id = p + type; id < p + n;) {
			gsize length = MIN(strcspn(id + 1, ":"), (gsize)(p + n - id - 1));
			if (id[1] == '@' && label_in(kept, id + 2, MIN(strcspn(id + 2, "+"), length - 1))) {
				g_string_append_len(out, id, (gssize)length + 1);
				any = true;
			}
			id += length + 1;
		}
		if (!any)
			g_string_truncate(out, before);
		p += n + (p[n] != '\0');
	}
	return g_string_free(out, out->len == 0);
}

/* ---- arrivals ---- */

struct arrivals {
	GPtrArray *subs;
	GHashTable *index; /* label -> position + 1 */
	bool *fixed;
	guint *session; /* of each submission: the submission that begins it */
	gint64 *within; /* time after that one */
	bool numbered;  /* somebody names jobs by number: no job may pass another */
};

static void fix_label(void *data, const char *text, gsize length)
{
	struct arrivals *a = data;
	const char *name = label_in(a->index, text, length);

	if (name)
		a->fixed[GPOINTER_TO_UINT(g_hash_table_lookup(a->index, name)) - 1] = true;
}

static bool names_numbers(const char *dependency)
{
	for (const char *p = dependency ? strchr(dependency, ':') : NULL; p; p = strchr(p + 1, ':'))
		if (g_ascii_isdigit(p[1]))
			return true;
	return false;
}

static bool event_names_numbers(const char *command)
{
	static const char *const verbs[] = {"scancel ",
	                                    "scontrol hold ",
	                                    "scontrol release ",
	                                    "scontrol requeue ",
	                                    "scontrol suspend ",
	                                    "scontrol resume ",
	                                    "scontrol update job",
	                                    "scontrol uhold ",
	                                    "scontrol requeuehold ",
	                                    "scontrol top "};

	for (size_t i = 0; i < G_N_ELEMENTS(verbs); i++)
		if (g_ascii_strncasecmp(command, verbs[i], strlen(verbs[i])) == 0 && !strchr(command, '@'))
			return true;
	return false;
}

static void find_fixed(struct arrivals *a, const struct scenario *s)
{
	for (guint i = 0; i < s->events->len; i++) {
		const struct scenario_event *e = s->events->pdata[i];
		each_label(e->command, fix_label, a);
		a->numbered |= event_names_numbers(e->command);
	}
	for (guint i = a->subs->len; i-- > 0;) { /* what it depends on stands before it */
		const struct submission *sub = a->subs->pdata[i];
		if (a->fixed[i])
			each_label(sub->request->dependency, fix_label, a);
		a->numbered |= names_numbers(sub->request->dependency);
	}
}

static void find_sessions(struct arrivals *a)
{
	GHashTable *last = g_hash_table_new(g_str_hash, g_str_equal); /* user -> latest submission + 1 */

	for (guint i = 0; i < a->subs->len; i++) {
		const struct submission *sub = a->subs->pdata[i];
		const char *user = sub->request->user ? sub->request->user : "";
		guint before = GPOINTER_TO_UINT(g_hash_table_lookup(last, user));
		a->session[i] = i;
		if (before && !a->numbered && sub->at - ((struct submission *)a->subs->pdata[before - 1])->at < SESSION)
			a->session[i] = a->session[before - 1];
		a->within[i] = sub->at - ((struct submission *)a->subs->pdata[a->session[i]])->at;
		g_hash_table_insert(last, (gpointer)user, GUINT_TO_POINTER(i + 1));
	}
	g_hash_table_unref(last);
}

static guint hour_of(usec_t t)
{
	return (guint)(((t / HOUR) % 24 + 24) % 24);
}

/* New beginnings of the sessions FIRST..LAST of BEGIN, which all lie in one hour. */
static void draw_hour(usec_t *begin, guint first, guint last, const GArray *gaps, gsl_rng *rng)
{
	usec_t hour = begin[first] / HOUR * HOUR;
	guint n = last - first + 1;
	double *sum = g_new(double, n + 1), all = 0;

	for (guint k = 0; k <= n; k++) /* one more than there are sessions: the way to the end of the hour */
		sum[k] = all += g_array_index(gaps, double, gsl_rng_uniform_int(rng, gaps->len));
	double turn = gsl_rng_uniform(rng) * sum[0]; /* where in the first gap the hour begins */
	for (guint k = 0; k < n; k++)
		begin[first + k] = hour + (usec_t)((sum[k] - turn) / (all - turn) * (double)(HOUR - 1));
	g_free(sum);
}

static void draw_sessions(usec_t *begin, guint n, gsl_rng *rng)
{
	GArray *gaps[24];

	for (int h = 0; h < 24; h++)
		gaps[h] = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 1; i < n; i++) {
		double gap = (double)MAX(begin[i] - begin[i - 1], 1000);
		g_array_append_val(gaps[hour_of(begin[i])], gap);
	}
	for (guint i = 0, k; i < n; i = k) {
		for (k = i; k < n && begin[k] / HOUR == begin[i] / HOUR;)
			k++;
		const GArray *pool = gaps[hour_of(begin[i])];
		if (pool->len)
			draw_hour(begin, i, k - 1, pool, rng);
	}
	for (int h = 0; h < 24; h++)
		g_array_unref(gaps[h]);
}

struct latest {
	struct arrivals *a;
	usec_t at;
};

static void after_label(void *data, const char *text, gsize length)
{
	struct latest *l = data;
	const char *name = label_in(l->a->index, text, length);

	if (name) {
		guint i = GPOINTER_TO_UINT(g_hash_table_lookup(l->a->index, name)) - 1;
		l->at = MAX(l->at, ((struct submission *)l->a->subs->pdata[i])->at + 1000);
	}
}

static void place(struct arrivals *a, const usec_t *begin, const guint *number)
{
	usec_t before = INT64_MIN;

	for (guint i = 0; i < a->subs->len; i++) {
		struct submission *sub = a->subs->pdata[i];
		struct latest l = {a, sub->at};
		if (!a->fixed[i]) {
			l.at = begin[number[a->session[i]]] + a->within[i];
			each_label(sub->request->dependency, after_label, &l);
		}
		sub->at = a->numbered ? MAX(before, l.at) : l.at;
		before = sub->at;
	}
}

static void perturb_arrivals(struct scenario *s, gsl_rng *rng)
{
	guint n = s->submissions->len, sessions = 0;
	struct arrivals a = {.subs = s->submissions,
	                     .fixed = g_new0(bool, n + 1),
	                     .session = g_new(guint, n + 1),
	                     .within = g_new(gint64, n + 1)};
	usec_t *begin = g_new(usec_t, n + 1);
	guint *number = g_new(guint, n + 1); /* of the session that this submission begins */

	a.index = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < n; i++) {
		const struct submission *sub = a.subs->pdata[i];
		if (sub->label)
			g_hash_table_insert(a.index, sub->label, GUINT_TO_POINTER(i + 1));
	}
	find_fixed(&a, s);
	find_sessions(&a);
	for (guint i = 0; i < n; i++) {
		number[i] = sessions;
		if (a.session[i] == i)
			begin[sessions++] = ((struct submission *)a.subs->pdata[i])->at - s->sim.start;
	}
	draw_sessions(begin, sessions, rng);
	for (guint k = 0; k < sessions; k++)
		begin[k] += s->sim.start;
	place(&a, begin, number);
	g_ptr_array_sort(s->submissions, by_time);
	g_hash_table_unref(a.index);
	g_free(a.fixed);
	g_free(a.session);
	g_free(a.within);
	g_free(begin);
	g_free(number);
}

/* ---- run times ---- */

struct fate {
	double ratio;
	int exit_code, signal;
	enum outcome_end end;
};

static void array_free(gpointer array)
{
	g_array_unref(array);
}

/* Microseconds of which the run time is a fraction. */
static double base_of(const struct job_request *r)
{
	return r->time_limit == NO_VAL || r->time_limit == INFINITE ? 1e6 : r->time_limit * 60e6;
}

static char *likeness(const struct submission *sub, int level)
{
	const struct job_request *r = sub->request;
	const char *partition = r->partition ? r->partition : "";
	char *size = g_strdup_printf("%u,%u,%u,%u,%s,%s", r->min_nodes, r->ntasks, r->ntasks_per_node, r->cpus_per_task,
	                             r->gres ? r->gres : "", r->gpus ? r->gpus : "");
	bool limited = r->time_limit != NO_VAL && r->time_limit != INFINITE;
	char *key = level == 0
	                ? g_strdup_printf("0|%s|%s|%u|%s", r->user ? r->user : "", partition, r->time_limit, size)
	            : level == 1 ? g_strdup_printf("1|%s|%u|%s", partition, r->time_limit, size)
	            : level == 2 ? g_strdup_printf("2|%d|%s|%s", limited, partition, size)
	                         : g_strdup_printf("3|%d", limited);

	g_free(size);
	return key;
}

static void note_fate(GHashTable *fates, const char *key, const struct outcome *o, double base)
{
	struct fate f = {(double)o->run_time / base, o->exit_code, o->signal, o->end};
	GArray *list = g_hash_table_lookup(fates, key);

	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(struct fate));
		g_hash_table_insert(fates, g_strdup(key), list);
	}
	g_array_append_val(list, f);
}

static void note_fates(GHashTable *fates, const struct submission *sub)
{
	double base = base_of(sub->request);

	for (int level = 0; level < LEVELS; level++) {
		char *key = likeness(sub, level);
		note_fate(fates, key, &sub->outcome, base);
		for (uint32_t k = 0; k < sub->n_tasks; k++)
			note_fate(fates, key, &sub->tasks[k].outcome, base);
		g_free(key);
	}
}

static void draw_fate(const GArray *list, struct outcome *o, double base, gsl_rng *rng)
{
	const struct fate *f = &g_array_index(list, struct fate, gsl_rng_uniform_int(rng, list->len));

	o->run_time = (usec_t)MIN(f->ratio * base, 3e15);
	o->exit_code = f->exit_code;
	o->signal = f->signal;
	o->end = f->end;
}

struct replica_pool {
	GHashTable *fates;   /* likeness -> GArray of struct fate */
	const GArray **like; /* of each submission: what it draws from */
};

struct replica_pool *replica_pool_new(const struct scenario *s)
{
	struct replica_pool *p = g_new0(struct replica_pool, 1);

	p->fates = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, array_free);
	p->like = g_new0(const GArray *, s->submissions->len + 1);
	for (guint i = 0; i < s->submissions->len; i++)
		note_fates(p->fates, s->submissions->pdata[i]);
	for (guint i = 0; i < s->submissions->len; i++)
		for (int level = 0; level < LEVELS && (!p->like[i] || p->like[i]->len < LIKE); level++) {
			char *key = likeness(s->submissions->pdata[i], level);
			p->like[i] = g_hash_table_lookup(p->fates, key);
			g_free(key);
		}
	return p;
}

void replica_pool_free(void *data)
{
	struct replica_pool *p = data;

	if (!p)
		return;
	g_hash_table_unref(p->fates);
	g_free(p->like);
	g_free(p);
}

static void perturb_run_times(struct scenario *s, const struct replica_pool *p, gsl_rng *rng)
{
	for (guint i = 0; i < s->submissions->len; i++) {
		struct submission *sub = s->submissions->pdata[i];
		draw_fate(p->like[i], &sub->outcome, base_of(sub->request), rng);
		for (uint32_t k = 0; k < sub->n_tasks; k++)
			draw_fate(p->like[i], &sub->tasks[k].outcome, base_of(sub->request), rng);
	}
}

/* ---- the two together ---- */

/* SplitMix64: neighbouring numbers give unrelated seeds. */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

void replica_perturb_from(struct scenario *s, const struct replica_pool *pool, uint64_t seed, uint32_t number)
{
	gsl_rng *rng;

	if (!number || !s->submissions->len)
		return;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, (unsigned long)(mix(mix(seed) + number) & 0xffffffff));
	perturb_run_times(s, pool, rng); /* in the order of the trace, before that changes */
	perturb_arrivals(s, rng);
	gsl_rng_free(rng);
}

void replica_perturb(struct scenario *s, uint64_t seed, uint32_t number)
{
	struct replica_pool *pool = replica_pool_new(s);

	replica_perturb_from(s, pool, seed, number);
	replica_pool_free(pool);
}

/* Had it started at once, it would run at T. */
static bool runs_into(const struct submission *sub, usec_t t)
{
	double limit = base_of(sub->request);
	bool limited = sub->request->time_limit != NO_VAL && sub->request->time_limit != INFINITE;
	double run = limited ? MIN((double)sub->outcome.run_time, limit) : (double)sub->outcome.run_time;

	return sub->at < t && (double)sub->at + run > (double)t;
}

void replica_window(struct scenario *s, usec_t from, usec_t to)
{
	GHashTable *kept = g_hash_table_new(g_str_hash, g_str_equal);
	guint n = 0;

	for (guint i = 0; i < s->submissions->len; i++) {
		struct submission *sub = s->submissions->pdata[i];
		if (sub->at >= to || (sub->at < from && !runs_into(sub, from))) {
			submission_free(sub);
			continue;
		}
		if (sub->label)
			g_hash_table_add(kept, sub->label);
		s->submissions->pdata[n++] = sub;
	}
	s->submissions->len = n; /* the others are freed */
	for (guint i = 0; i < n; i++) {
		struct job_request *r = ((struct submission *)s->submissions->pdata[i])->request;
		char *left = r->dependency ? replica_strip_dependency(r->dependency, kept) : NULL;
		g_free(r->dependency);
		r->dependency = left;
	}
	g_hash_table_unref(kept);
}
