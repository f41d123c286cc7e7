/*
 * check_judge.c - claims judged over the record of a run; see check.h.
 *
 * Each claim gives what happened in words when it does not hold, else nothing. Facts of a job are read once an entry:
 * they are sums over its records (an array has one for each task).
 */
#include "tools/check.h"
#include "tools/explain.h"
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>

struct facts { /* of a job; owned */
	bool known, refused;
	char *refusal;
	uint32_t id, task; /* task NO_VAL = the whole job */
	bool started;
	usec_t start; /* of the run asked for, the first task's */
	usec_t wait;  /* the longest */
	bool all_started;
	bool has_run; /* there is such a run */
	uint32_t requeued;
	char *ends; /* final states, several with ", " */
};

struct judging {
	const struct judge *j;
	const struct expect *e;
	const struct seen *seen;
	struct facts facts; /* of e->job */
	char *concerned;    /* whose story explains a failure; NULL = the entry's job */
	char *wrong;        /* why it cannot be judged; NULL */
};

/* ---- words ---- */

static char *seconds(usec_t t)
{
	return g_strdup_printf("%.12g s", (double)t / 1e6);
}

/* "at 300 s" */
static char *moment(const struct judge *j, usec_t t)
{
	char *text = seconds(usec_to_sec(t - j->start) * USEC), *at = g_strconcat("at ", text, NULL);

	g_free(text);
	return at;
}

static char *start_words(const struct judge *j, const char *name, const struct facts *f)
{
	char *at, *text;

	if (f->refused)
		return g_strdup_printf("%s was refused: %s", name, f->refusal);
	if (!f->has_run)
		return g_strdup_printf("%s had no such run", name);
	if (!f->started)
		return g_strdup_printf("%s never started", name);
	at = moment(j, f->start);
	text = g_strdup_printf("%s started %s", name, at);
	g_free(at);
	return text;
}

/* ---- the record ---- */

static sqlite3_stmt *query(const struct judge *j, const char *sql)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(j->db, sql, -1, &q, NULL) != SQLITE_OK)
		g_error("whypend check: %s: %s", sqlite3_errmsg(j->db), sql); /* our own words on our own tables */
	return q;
}

static bool find_refused(const struct judge *j, const char *name, struct facts *f)
{
	sqlite3_stmt *q = query(j, "SELECT message FROM refused WHERE label = ?1 OR (job = ?2 AND job > 0)");

	sqlite3_bind_text(q, 1, name, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(q, 2, f->task == NO_VAL ? f->id : 0);
	f->refused = sqlite3_step(q) == SQLITE_ROW;
	if (f->refused)
		f->refusal = g_strdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return f->refused;
}

/* Rows of the job: of a task its own, and while it was never split off that of the rest of its array. */
#define ROWS                                                                                                           \
	" FROM job WHERE (?2 < 0 AND (job = ?1 OR array_job = ?1)) OR (?2 >= 0 AND array_job = ?1 AND (array_task = "  \
	"?2 OR "                                                                                                       \
	"(array_task = 4294967294 AND NOT EXISTS (SELECT 1 FROM job WHERE array_job = ?1 AND array_task = ?2)))) "

static sqlite3_stmt *rows_of(const struct judge *j, const struct facts *f, const char *columns, const char *order)
{
	char *sql = g_strconcat("SELECT ", columns, ROWS, order, NULL);
	sqlite3_stmt *q = query(j, sql);

	g_free(sql);
	sqlite3_bind_int64(q, 1, f->id);
	sqlite3_bind_int64(q, 2, f->task == NO_VAL ? -1 : (int64_t)f->task);
	return q;
}

/* When run RUN of record JOB began to wait; 0 = it did not. */
static usec_t wait_begin(const struct judge *j, int64_t job, int64_t run)
{
	sqlite3_stmt *q = query(j, "SELECT min(from_t) FROM wait WHERE job = ?1 AND run = ?2");
	usec_t from;

	sqlite3_bind_int64(q, 1, job);
	sqlite3_bind_int64(q, 2, run);
	from = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return from;
}

static void add_row(const struct judge *j, uint32_t wanted, sqlite3_stmt *q, struct facts *f)
{
	int64_t job = sqlite3_column_int64(q, 0), run = sqlite3_column_int64(q, 1);
	usec_t submit = sqlite3_column_int64(q, 2), start = sqlite3_column_int64(q, 3),
	       end = sqlite3_column_int64(q, 4);
	usec_t from = run ? wait_begin(j, job, run) : submit;

	f->known = true;
	f->requeued = MAX(f->requeued, (uint32_t)run);
	if (run != (int64_t)wanted)
		return;
	f->has_run = true;
	if (start && (!f->started || start < f->start))
		f->start = start;
	f->started = f->started || start;
	f->all_started = f->all_started && start;
	f->wait = MAX(f->wait, (start ? start : end ? end : j->end) - (from ? from : submit));
}

static void read_ends(const struct judge *j, struct facts *f)
{
	sqlite3_stmt *q = rows_of(j, f, "state, job, max(run)", "GROUP BY job ORDER BY job");
	GString *all = g_string_new(NULL);
	char *last = NULL;

	while (sqlite3_step(q) == SQLITE_ROW) {
		const char *state = (const char *)sqlite3_column_text(q, 0);

		if (g_strcmp0(last, state))
			g_string_append_printf(all, "%s%s", all->len ? ", " : "", state);
		g_free(last);
		last = g_strdup(state);
	}
	g_free(last);
	sqlite3_finalize(q);
	f->ends = g_string_free(all, FALSE);
}

static void read_facts(const struct judge *j, const char *name, uint32_t run, struct facts *f)
{
	sqlite3_stmt *q;

	memset(f, 0, sizeof *f);
	f->all_started = true;
	f->task = NO_VAL;
	if (sim_find_id(j->sim, name, &f->id, &f->task)) {
		q = rows_of(j, f, "job, run, submit_t, start_t, end_t", "ORDER BY run, start_t");
		while (sqlite3_step(q) == SQLITE_ROW)
			add_row(j, run, q, f);
		sqlite3_finalize(q);
	}
	if (f->known)
		read_ends(j, f);
	else
		f->known = find_refused(j, name, f);
}

static void facts_clear(struct facts *f)
{
	g_free(f->refusal);
	g_free(f->ends);
}

/* A job that did not come: NULL when it may not be judged, else what happened. */
static char *unknown_job(struct judging *g, const char *name, guint line, guint column)
{
	uint32_t id, task;
	bool number = sim_find_id(g->j->sim, name, &id, &task) || g_ascii_isdigit(*name);

	if (!number && !g->j->scenario->workload)
		return g_strdup_printf("%s was not submitted before the run ended", name);
	if (!g->wrong)
		g->wrong = g_strdup_printf("%u:%u: there is no job %s in this run", line, column, name);
	return NULL;
}

/* ---- claims of a job ---- */

static char *judge_order(struct judging *g, const struct claim *c)
{
	struct facts other;
	char *a, *b, *text = NULL;
	bool ok;

	read_facts(g->j, c->text, 0, &other);
	if (!other.known) {
		facts_clear(&other);
		return unknown_job(g, c->text, c->line, c->column);
	}
	sec_t mine = g->facts.started ? usec_to_sec(g->facts.start) : INT64_MAX;
	sec_t its = other.started ? usec_to_sec(other.start) : INT64_MAX;
	if (c->kind == CLAIM_STARTS_BEFORE)
		ok = mine < its;
	else if (c->kind == CLAIM_STARTS_AFTER)
		ok = mine > its;
	else
		ok = mine == its && g->facts.started;
	if (!ok) {
		a = start_words(g->j, g->e->job, &g->facts);
		b = start_words(g->j, c->text, &other);
		text = g_strdup_printf("%s, %s", a, b);
		g_free(a);
		g_free(b);
		if (c->kind == CLAIM_STARTS_AFTER) /* why did the other wait so long? */
			g->concerned = g_strdup(c->text);
	}
	facts_clear(&other);
	return text;
}

static bool within(const struct claim *c, double n)
{
	return n >= c->low && n <= c->high;
}

static char *judge_start(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;
	double at = f->started ? (double)usec_to_sec(f->start - g->j->start) : INFINITY;
	bool ok = c->kind == CLAIM_STARTS ? f->started == c->yes
	                                  : f->started && floor(at) >= floor(c->low) && floor(at) <= c->high;

	return ok ? NULL : start_words(g->j, g->e->job, f);
}

static char *judge_wait(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;
	char *wait, *text;

	if (f->refused || !f->has_run)
		return start_words(g->j, g->e->job, f);
	if (within(c, (double)f->wait / 1e6) && f->all_started)
		return NULL;
	wait = seconds(f->wait);
	text = g_strdup_printf(f->all_started ? "%s waited %s" : "%s waited %s and never started", g->e->job, wait);
	g_free(wait);
	return text;
}

static char *judge_end(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;

	if (f->refused)
		return start_words(g->j, g->e->job, f);
	/* "CANCELLED by 1000" */
	if (g_str_has_prefix(f->ends, c->text) && !strchr(f->ends, ',') &&
	    (f->ends[strlen(c->text)] == '\0' || f->ends[strlen(c->text)] == ' '))
		return NULL;
	return g_strdup_printf("%s ended as %s", g->e->job, f->ends);
}

/* What sbatch prints before and after the message itself is left out. */
static bool message_fits(const char *said, const char *wanted)
{
	static const char *const before[] = {
	    "sbatch: error: Batch job submission failed: ", "Batch job submission failed: ", "sbatch: error: "};
	char *a, *b;
	bool fits;

	for (size_t i = 0; i < G_N_ELEMENTS(before); i++)
		if (g_str_has_prefix(wanted, before[i])) {
			wanted += strlen(before[i]);
			break;
		}
	a = g_utf8_casefold(said, -1);
	b = g_utf8_casefold(wanted, -1);
	fits = strstr(a, b) != NULL;
	g_free(a);
	g_free(b);
	return fits;
}

static char *judge_refusal(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;

	if (f->refused == c->yes && (!c->text || message_fits(f->refusal, c->text)))
		return NULL;
	return f->refused ? start_words(g->j, g->e->job, f) : g_strdup_printf("%s was accepted", g->e->job);
}

static char *judge_requeued(const struct judging *g, const struct claim *c)
{
	if (within(c, g->facts.requeued))
		return NULL;
	return g_strdup_printf("%s was requeued %u time%s", g->e->job, g->facts.requeued,
	                       g->facts.requeued == 1 ? "" : "s");
}

/* Reasons of its waits, in the order of their first appearance; array of char *. */
static GPtrArray *reasons_of(const struct judging *g)
{
	const struct facts *f = &g->facts;
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	sqlite3_stmt *q;

	q = query(
	    g->j,
	    "SELECT reason FROM wait WHERE (?3 = 0 OR run = ?3) AND (job IN (SELECT job" ROWS
	    ") OR (?2 >= 0 AND job = ?1 AND from_t < (SELECT coalesce(min(w.from_t), 9e18) FROM wait w WHERE w.job IN "
	    "(SELECT job FROM job WHERE array_job = ?1 AND array_task = ?2)))) GROUP BY reason ORDER BY min(from_t), "
	    "reason");
	sqlite3_bind_int64(q, 1, f->id);
	sqlite3_bind_int64(q, 2, f->task == NO_VAL ? -1 : (int64_t)f->task);
	sqlite3_bind_int64(q, 3, g->e->run);
	while (sqlite3_step(q) == SQLITE_ROW)
		g_ptr_array_add(list, g_strdup((const char *)sqlite3_column_text(q, 0)));
	sqlite3_finalize(q);
	return list;
}

static char *judge_reasons(const struct judging *g, const struct claim *c)
{
	GPtrArray *list;
	char *all, *text = NULL;
	bool found = false;

	if (g->facts.refused)
		return start_words(g->j, g->e->job, &g->facts);
	list = reasons_of(g);
	for (guint i = 0; i < list->len; i++)
		found = found || g_ascii_strcasecmp(list->pdata[i], c->text) == 0;
	if (found != (c->kind == CLAIM_WAITED_FOR)) {
		g_ptr_array_add(list, NULL);
		all = g_strjoinv(", ", (char **)list->pdata);
		text = *all ? g_strdup_printf("%s waited for: %s", g->e->job, all)
		            : g_strdup_printf("%s did not wait", g->e->job);
		g_free(all);
	}
	g_ptr_array_unref(list);
	return text;
}

static bool is_job(const struct facts *f, uint32_t id, uint32_t task)
{
	return f->id == id && (f->task == NO_VAL || f->task == task);
}

/* "job 7, job 12_3": who made it go, each once. */
static char *preemptors(const struct judging *g, const struct facts *wanted, bool *found)
{
	const GArray *all = g->j->preemptions;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	char *text;

	for (guint i = 0; i < all->len; i++) {
		const struct preemption *p = &g_array_index(all, struct preemption, i);
		char *id;

		if (!is_job(&g->facts, p->victim, p->victim_task))
			continue;
		*found = *found || (wanted && is_job(wanted, p->by, p->by_task));
		id = p->by_task == NO_VAL ? g_strdup_printf("job %u", p->by)
		                          : g_strdup_printf("job %u_%u", p->by, p->by_task);
		if (g_ptr_array_find_with_equal_func(names, id, g_str_equal, NULL))
			g_free(id);
		else
			g_ptr_array_add(names, id);
	}
	g_ptr_array_add(names, NULL);
	text = g_strjoinv(", ", (char **)names->pdata);
	g_ptr_array_unref(names);
	return text;
}

static char *judge_preempted(struct judging *g, const struct claim *c)
{
	struct facts other = {.task = NO_VAL};
	bool found = false, known = true;
	char *by, *text;

	if (c->text) {
		read_facts(g->j, c->text, 0, &other);
		known = other.known;
	}
	by = preemptors(g, c->text ? &other : NULL, &found);
	facts_clear(&other);
	if (!known)
		text = unknown_job(g, c->text, c->line, c->column);
	else if (c->text ? found : (*by != '\0') == c->yes)
		text = NULL;
	else if (*by)
		text = g_strdup_printf("%s was preempted by %s", g->e->job, by);
	else
		text = g_strdup_printf("%s was not preempted", g->e->job);
	g_free(by);
	return text;
}

static char *judge_job(struct judging *g, const struct claim *c)
{
	switch (c->kind) {
	case CLAIM_STARTS_BEFORE:
	case CLAIM_STARTS_AFTER:
	case CLAIM_STARTS_WITH:
		return judge_order(g, c);
	case CLAIM_STARTS:
	case CLAIM_STARTS_AT:
	case CLAIM_STARTS_BY:
		return judge_start(g, c);
	case CLAIM_WAITS:
		return judge_wait(g, c);
	case CLAIM_ENDS:
		return judge_end(g, c);
	case CLAIM_REFUSED:
		return judge_refusal(g, c);
	case CLAIM_REQUEUED:
		return judge_requeued(g, c);
	case CLAIM_PREEMPTED_BY:
		return judge_preempted(g, c);
	case CLAIM_WAITED_FOR:
	case CLAIM_NEVER_WAITED_FOR:
		return judge_reasons(g, c);
	default:
		g_assert_not_reached();
	}
}

/* ---- claims of a moment ---- */

static char *idx_text(const struct seen *s)
{
	GString *t = g_string_new(NULL);

	for (guint i = 0; i + 1 < s->idx->len; i += 2)
		g_string_append_printf(t, "%s%s on %s", i ? ", " : "", (char *)s->idx->pdata[i + 1],
		                       (char *)s->idx->pdata[i]);
	return g_string_free(t, FALSE);
}

/* The nodes that are named must have just these GPUs. */
static bool idx_fits(const struct seen *s, char **wanted)
{
	for (char **p = wanted; p[0] && p[1]; p += 2) {
		bool found = false;

		for (guint i = 0; i + 1 < s->idx->len; i += 2)
			found =
			    found || (strcmp(s->idx->pdata[i], p[0]) == 0 && strcmp(s->idx->pdata[i + 1], p[1]) == 0);
		if (!found)
			return false;
	}
	return true;
}

static char *had(const struct judging *g, const char *what, char *taken)
{
	char *text = g_strdup_printf("at %.12g s %s %s %s", g->e->at, g->e->job, what, *taken ? taken : "none");

	g_free(taken);
	return text;
}

static char *number(uint32_t n)
{
	return g_strdup_printf("%u", n);
}

static char *judge_priority(struct judging *g, const struct claim *c)
{
	const struct seen *s = g->seen;

	if (!s->other_there) {
		struct facts other;
		bool known;

		read_facts(g->j, c->text, 0, &other);
		known = other.known;
		facts_clear(&other);
		return known ? g_strdup_printf("at %.12g s %s is not there", g->e->at, c->text)
		             : unknown_job(g, c->text, c->line, c->column);
	}
	if (s->priority > s->other_priority)
		return NULL;
	return g_strdup_printf("at %.12g s %s has priority %u, %s %u", g->e->at, g->e->job, s->priority, c->text,
	                       s->other_priority);
}

/* The state in which it had ended by then, its record being purged (C38); NULL = it had not come yet. */
static char *state_before(const struct judging *g)
{
	usec_t at = g->j->start + llround(g->e->at * 1e6);
	sqlite3_stmt *q = rows_of(g->j, &g->facts, "state, end_t", "ORDER BY run DESC, end_t DESC");
	char *state = NULL;

	while (!state && sqlite3_step(q) == SQLITE_ROW)
		if (sqlite3_column_int64(q, 1) > 0 && sqlite3_column_int64(q, 1) <= at)
			state = g_strdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return state;
}

/* No record was there at the moment: refused, not submitted yet, or purged. */
static char *judge_absent(const struct judging *g, const struct claim *c)
{
	char *state, *text;

	if (g->facts.refused)
		return start_words(g->j, g->e->job, &g->facts);
	state = state_before(g);
	if (!state)
		return g_strdup_printf("at %.12g s %s was not submitted yet", g->e->at, g->e->job);
	text = c->kind == CLAIM_STATE && g_str_has_prefix(state, c->text)
	           ? NULL
	           : g_strdup_printf("at %.12g s %s had ended as %s, and its record was purged", g->e->at, g->e->job,
	                             state);
	g_free(state);
	return text;
}

static char *judge_moment(struct judging *g, const struct claim *c)
{
	const struct seen *s = g->seen;

	if (!s->there)
		return judge_absent(g, c);
	switch (c->kind) {
	case CLAIM_STATE:
		return strcmp(c->text, s->state) == 0 || strcmp(c->text, s->shown) == 0
		           ? NULL
		           : had(g, "is", g_strdup(s->shown));
	case CLAIM_REASON:
		return strcmp(c->text, s->reason) == 0 || (s->text && strcmp(c->text, s->text) == 0)
		           ? NULL
		           : had(g,
		                 strcmp(s->state, "PENDING") ? "is running or over; it has the reason"
		                                             : "has the reason",
		                 g_strdup(s->text ? s->text : s->reason));
	case CLAIM_NODES:
		return strcmp(c->text, s->nodes) == 0 ? NULL
		                                      : had(g, "is on", g_strdup(*s->nodes ? s->nodes : "no node"));
	case CLAIM_CPUS:
		return within(c, s->cpus) ? NULL : had(g, "has cpus", number(s->cpus));
	case CLAIM_GPUS:
		return within(c, s->gpus) ? NULL : had(g, "has gpus", number(s->gpus));
	case CLAIM_GPU_IDX:
		return idx_fits(s, c->idx) ? NULL : had(g, "has GPUs", idx_text(s));
	case CLAIM_PRIORITY_ABOVE:
		return judge_priority(g, c);
	case CLAIM_PRIORITY:
		return within(c, s->priority) ? NULL : had(g, "has priority", number(s->priority));
	default:
		g_assert_not_reached();
	}
}

/* ---- claims of a class, of the run ---- */

bool check_metric(const char *name, enum metric *m)
{
	const char *bar = strchr(name, '_');
	char *turned;
	bool known;

	if (metric_find(name, m) || !bar)
		return metric_find(name, m);
	turned = g_strdup_printf("%s_%.*s", bar + 1, (int)(bar - name), name);
	known = metric_find(turned, m);
	g_free(turned);
	return known;
}

static bool in_part(const struct class_part *p, const struct run_job *job)
{
	enum class_kind kind = CLASS_ALL;

	class_kind_find(p->key, &kind);
	return g_strv_contains((const char *const *)p->names, job->class[kind]);
}

static bool in_class(const struct expect *e, const struct run_job *job)
{
	for (guint i = 0; e->class && i < e->class->len; i++)
		if (!in_part(e->class->pdata[i], job))
			return false;
	return true;
}

/* The rows of the class alone; what it borrows is the whole's. g_array_unref its jobs. */
static struct run_rows rows_of_class(const struct judging *g)
{
	struct run_rows rows = *g->j->rows;

	rows.jobs = g_array_new(FALSE, FALSE, sizeof(struct run_job));
	for (guint i = 0; i < g->j->rows->jobs->len; i++) {
		const struct run_job *job = &g_array_index(g->j->rows->jobs, struct run_job, i);

		if (in_class(g->e, job))
			g_array_append_vals(rows.jobs, job, 1);
	}
	return rows;
}

static char *judge_max_wait(struct judging *g, const struct claim *c, const struct run_rows *rows)
{
	const struct run_job *worst = NULL;
	char *wait, *text;

	for (guint i = 0; i < rows->jobs->len; i++) {
		const struct run_job *job = &g_array_index(rows->jobs, struct run_job, i);

		if (!isnan(job->wait) && (!worst || job->wait > worst->wait))
			worst = job;
	}
	if (!worst || worst->wait <= c->high)
		return NULL;
	wait = g_strdup_printf("%.12g s", worst->wait);
	g->concerned = g_strdup(strchr(worst->id, '[') ? worst->label : worst->id);
	text = g_strdup_printf("job %s%s%s%s waited %s%s", worst->id, worst->label ? " (" : "",
	                       worst->label ? worst->label : "", worst->label ? ")" : "", wait,
	                       worst->started ? "" : " and never started");
	g_free(wait);
	return text;
}

static char *judge_range(struct judging *g, const struct claim *c, const struct run_rows *rows)
{
	double values[N_METRICS];
	enum metric m = METRIC_JOBS;
	char *shown, *text;

	check_metric(g->e->metric, &m); /* it has been looked up before the run */
	metrics_of(rows, NULL, values);
	if (isnan(values[m]))
		return g_strdup_printf("%s: there is nothing to measure", g->e->metric);
	if (within(c, values[m]))
		return NULL;
	shown = metric_format(m, values[m], false);
	text = g_strdup_printf("%s is %.12g (%s)", g->e->metric, values[m], shown);
	g_free(shown);
	return text;
}

static char *judge_class(struct judging *g, const struct claim *c)
{
	struct run_rows rows = rows_of_class(g);
	char *text;

	if (!rows.jobs->len)
		text = g_strdup("no job of this class was submitted");
	else
		text = c->kind == CLAIM_MAX_WAIT ? judge_max_wait(g, c, &rows) : judge_range(g, c, &rows);
	g_array_unref(rows.jobs);
	return text;
}

static char *judge_passes(const struct judging *g, const struct claim *c)
{
	bool backfill = c->kind == CLAIM_BACKFILL_CYCLES;
	sqlite3_stmt *q = query(g->j, backfill ? "SELECT count(*) FROM pass WHERE kind = 'backfill'"
	                                       : "SELECT count(*) FROM pass WHERE kind <> 'backfill'");
	int64_t n = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;

	sqlite3_finalize(q);
	if (within(c, (double)n))
		return NULL;
	return g_strdup_printf("the run took %" G_GINT64_FORMAT " %s", (gint64)n,
	                       backfill ? "cycles of backfill" : "passes of the main scheduler");
}

static char *judge_claim(struct judging *g, const struct claim *c)
{
	if (g->e->job && !g->facts.known)
		return unknown_job(g, g->e->job, g->e->line, g->e->column);
	if (c->kind < CLAIM_STATE)
		return judge_job(g, c);
	if (c->kind < CLAIM_MAX_WAIT)
		return judge_moment(g, c);
	if (c->kind == CLAIM_MAX_WAIT || c->kind == CLAIM_RANGE)
		return judge_class(g, c);
	return judge_passes(g, c);
}

/* ---- an entry ---- */

/*
 * The story of a job as "whypend explain" prints it, so with what each pass made of it: that takes the run up to its
 * start once more. Of a long run, and beyond the first few, the record's alone, without the passes.
 */
enum { AGAIN_MOST = 20 };
#define AGAIN_EVENTS_MOST 2000000

static bool story_by_run(const struct judge *j, const char *job, int run, struct explanation *e)
{
	struct tool_options options = *j->options;
	const struct explain_wish wish = {.job = job, .run = run};

	if (g_hash_table_size(j->told) >= AGAIN_MOST || sim_counts(j->sim).events > AGAIN_EVENTS_MOST)
		return false;
	options.quiet = true;
	bool told = explain_scenario(e, &options, &wish) == EXIT_GOOD;
	signal(SIGINT, SIG_DFL); /* which the session watched */
	signal(SIGTERM, SIG_DFL);
	return told;
}

static char *tell(const struct judge *j, const char *job, int run)
{
	struct explanation e = {.story = story_read(j->db, job, run, NULL)};
	char *buffer = NULL, *text;
	size_t size = 0;
	FILE *out;

	if (e.story && !e.story->intervals->len && e.story->run + 1 < e.story->runs && run < 0) { /* it waited later */
		run = (int)e.story->runs - 1;
		story_free(e.story);
		e.story = story_read(j->db, job, run, NULL);
	}
	if (!e.story)
		return NULL;
	if (e.story->intervals->len) {
		struct explanation better = {0};

		if (story_by_run(j, job, run, &better)) {
			explanation_clear(&e);
			e = better;
		}
	}
	out = open_memstream(&buffer, &size);
	explain_print(out, &e, 0);
	fclose(out);
	text = g_strdup(buffer);
	free(buffer);
	explanation_clear(&e);
	return text;
}

/* Of the job concerned; NULL when there is none, or no story. */
static char *explanation(const struct judging *g)
{
	const char *job = g->concerned ? g->concerned : g->e->job;
	int run = g->concerned || !g->e->run ? -1 : (int)g->e->run;
	char *key;

	if (!job)
		return NULL;
	key = g_strdup_printf("%s\n%d", job, run);
	if (!g_hash_table_contains(g->j->told, key))
		g_hash_table_insert(g->j->told, g_strdup(key), tell(g->j, job, run));
	char *text = g_strdup(g_hash_table_lookup(g->j->told, key));
	g_free(key);
	return text;
}

static void append(GString *s, char *taken)
{
	g_string_append_printf(s, "%s%s", s->len ? "; " : "", taken);
	g_free(taken);
}

struct verdict *check_judge(const struct judge *j, const struct expect *e, const struct seen *seen)
{
	struct judging g = {.j = j, .e = e, .seen = seen};
	struct verdict *v = g_new0(struct verdict, 1);
	GString *expected = g_string_new(NULL), *happened = g_string_new(NULL);

	v->name = expect_words(e);
	v->rules = g_strdupv(e->rules);
	v->line = e->line;
	v->column = e->column;
	if (e->job)
		read_facts(j, e->job, e->run, &g.facts);
	for (guint i = 0; i < e->claims->len && !g.wrong; i++) {
		const struct claim *c = &g_array_index(e->claims, struct claim, i);
		char *what = judge_claim(&g, c);

		if (!what)
			continue;
		append(expected, claim_words(e, c));
		append(happened, what);
	}
	v->outcome = g.wrong ? CHECK_WRONG : happened->len ? CHECK_FAILS : CHECK_HOLDS;
	if (v->outcome == CHECK_FAILS)
		v->explanation = explanation(&g);
	v->expected = expected->len ? g_strdup(expected->str) : NULL;
	v->happened = g.wrong ? g_strdup(g.wrong) : happened->len ? g_strdup(happened->str) : NULL;
	g_string_free(expected, TRUE);
	g_string_free(happened, TRUE);
	facts_clear(&g.facts);
	g_free(g.concerned);
	g_free(g.wrong);
	return v;
}
