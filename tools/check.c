/* check.c - see check.h: the run of one scenario. */
#include "tools/check_inside.h"
#include "models/suggest.h"
#include "tools/rule_title.h"
#include <math.h>
#include <string.h>

/* ---- results ---- */

static void verdict_free(void *data)
{
	struct verdict *v = data;

	g_free(v->name);
	g_free(v->expected);
	g_free(v->happened);
	g_free(v->explanation);
	g_strfreev(v->rules);
	g_free(v);
}

void check_result_free(void *data)
{
	struct check_result *r = data;

	g_free(r->file);
	g_free(r->name);
	g_free(r->slurm_version);
	g_free(r->error);
	g_ptr_array_unref(r->warnings);
	g_ptr_array_unref(r->verdicts);
	g_free(r);
}

struct check_result *check_result_new(const char *file)
{
	struct check_result *r = g_new0(struct check_result, 1);

	r->file = g_strdup(file);
	r->warnings = g_ptr_array_new_with_free_func(g_free);
	r->verdicts = g_ptr_array_new_with_free_func(verdict_free);
	return r;
}

const char *outcome_name(enum check_outcome o)
{
	static const char *const names[] = {"holds", "fails", "skipped", "wrong"};

	return names[o];
}

struct check_counts check_count(const GPtrArray *results)
{
	struct check_counts n = {.scenarios = results->len};

	for (guint i = 0; i < results->len; i++) {
		const struct check_result *r = results->pdata[i];

		n.wrong_scenarios += r->error != NULL;
		for (guint k = 0; k < r->verdicts->len; k++) {
			const struct verdict *v = r->verdicts->pdata[k];

			n.holds += v->outcome == CHECK_HOLDS;
			n.fails += v->outcome == CHECK_FAILS;
			n.skipped += v->outcome == CHECK_SKIPPED;
			n.wrong += v->outcome == CHECK_WRONG;
		}
	}
	return n;
}

int check_exit(const GPtrArray *results)
{
	struct check_counts n = check_count(results);

	return n.wrong_scenarios || n.wrong ? EXIT_USAGE : n.fails ? EXIT_RUN : EXIT_GOOD;
}

/* ---- one run ---- */

struct one {
	struct tool_options options;
	struct check_result *result;
	struct scenario *scenario;
	struct recorder *recorder;
	struct sim *sim;
	struct seen *seen;   /* for each expectation */
	GArray *preemptions; /* of struct preemption */
};

static bool give_up(struct one *o, GError *error)
{
	o->result->error = g_strdup(error->message);
	g_error_free(error);
	return false;
}

/* The file that PATH's scenario stands in. */
static char *file_of(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_DIR) ? g_build_filename(path, "scenario.json", NULL) : g_strdup(path);
}

static void on_preempted(void *data, const struct job *victim, const struct job *by, usec_t now)
{
	struct one *o = data;
	const struct preemption p = {victim->array ? victim->array->job_id : victim->id, victim->task,
	                             by->array ? by->array->job_id : by->id, by->task};

	(void)now;
	g_array_append_val(o->preemptions, p);
}

static void metric_known(const struct one *o, const struct expect *e, struct diag *diag)
{
	struct suggestion s;
	enum metric m;
	char *hint;
	GString *all;

	if (!e->metric || check_metric(e->metric, &m))
		return;
	all = g_string_new("metrics are");
	suggest_begin(&s, e->metric);
	for (int i = 0; i < N_METRICS; i++) {
		const char *name = metric_info((enum metric)i)->name;

		suggest_offer(&s, name);
		g_string_append_printf(all, "%s %s", i ? "," : "", name);
	}
	hint = suggest_hint(&s, all->str);
	diag_error(diag, o->result->file, e->line, e->column, hint, "there is no metric %s", e->metric);
	g_free(hint);
	g_string_free(all, TRUE);
}

/* A number that no rule has is a slip, and so is a metric that does not exist. */
static bool names_known(struct one *o)
{
	struct diag *diag = diag_new();
	GError *error = NULL;
	bool ok;

	for (guint i = 0; i < o->scenario->expect->len; i++) {
		const struct expect *e = o->scenario->expect->pdata[i];

		for (char **id = e->rules; id && *id; id++)
			if (rule_is_numbered(*id) && !rule_title(*id))
				diag_error(diag, o->result->file, e->line, e->column,
				           "rules are S1 to S39, B1 to B63, E1 to E30, N1 to N75, C1 to C70, P1 to "
				           "P60, L1 to L90, R10 to R80",
				           "there is no rule %s", *id);
		metric_known(o, e, diag);
	}
	ok = diag_ok(diag, &error) || give_up(o, error);
	diag_free(diag);
	return ok;
}

static struct verdict *skipped(const struct expect *e)
{
	struct verdict *v = g_new0(struct verdict, 1);

	v->outcome = CHECK_SKIPPED;
	v->name = expect_words(e);
	v->happened = g_strdup_printf("only under the rules of Slurm %s", e->version);
	v->rules = g_strdupv(e->rules);
	v->line = e->line;
	v->column = e->column;
	return v;
}

/* Its files are not of the release of --slurm-version, but of the one that it names and all its expectations too: then
 * they are left out. False: it is wrong, whatever the release. */
static bool of_other_release(struct one *o)
{
	struct scenario_options own = o->options.scenario;
	const char *asked = own.slurm_version;

	if (!asked)
		return false;
	own.slurm_version = NULL;
	o->scenario = scenario_load(&own, NULL);
	bool other = o->scenario && o->scenario->expect && strcmp(o->scenario->slurm_version, asked) != 0;
	for (guint i = 0; other && i < o->scenario->expect->len; i++) {
		const struct expect *e = o->scenario->expect->pdata[i];
		other = g_strcmp0(e->version, o->scenario->slurm_version) == 0;
	}
	if (!other)
		return false;
	o->result->name = g_strdup(o->scenario->name);
	o->result->slurm_version = g_strdup(asked);
	for (guint i = 0; i < o->scenario->expect->len; i++)
		g_ptr_array_add(o->result->verdicts, skipped(o->scenario->expect->pdata[i]));
	return true;
}

static bool begin(struct one *o, const struct tool_options *options, const char *path)
{
	GError *error = NULL;

	o->options = *options; /* borrowed */
	o->options.scenario.path = path;
	o->scenario = scenario_load(&o->options.scenario, &error);
	if (!o->scenario && of_other_release(o)) {
		g_error_free(error);
		return false;
	}
	if (error)
		return give_up(o, error);
	o->result->name = g_strdup(o->scenario->name);
	o->result->slurm_version = g_strdup(o->scenario->slurm_version);
	for (guint i = 0; i < o->scenario->warnings->len; i++)
		g_ptr_array_add(o->result->warnings, g_strdup(o->scenario->warnings->pdata[i]));
	if (!o->scenario->expect || !o->scenario->expect->len) {
		o->result->error = g_strdup_printf(
		    "%s: the scenario expects nothing; add \"expect\": [{\"job\": \"a\", \"starts_before\": \"b\"}] "
		    "(\"whypend check --record 20\" writes ranges to begin with)",
		    o->result->file);
		return false;
	}
	if (!names_known(o))
		return false;
	o->recorder = recorder_open(NULL, &error);
	if (!o->recorder)
		return give_up(o, error);
	recorder_meta(o->recorder, "version", WHYPEND_VERSION);
	o->sim = scenario_start(o->scenario, o->recorder, &error);
	if (!o->sim)
		return give_up(o, error);
	sim_watch_preemptions(o->sim, on_preempted, o);
	return true;
}

static usec_t moment_of(const struct scenario *s, const struct expect *e)
{
	return s->sim.start + llround(e->at * 1e6);
}

/* The next moment after T that somebody asks about; INT64_MAX = none. */
static usec_t next_moment(const struct scenario *s, usec_t t)
{
	usec_t next = INT64_MAX;

	for (guint i = 0; i < s->expect->len; i++) {
		const struct expect *e = s->expect->pdata[i];

		if (e->has_at && moment_of(s, e) > t)
			next = MIN(next, moment_of(s, e));
	}
	return next;
}

static bool run(struct one *o)
{
	const struct scenario *s = o->scenario;
	GError *error = NULL;

	o->seen = g_new0(struct seen, s->expect->len);
	for (usec_t t = next_moment(s, s->sim.start - 1); t != INT64_MAX; t = next_moment(s, t)) {
		sim_set_until(o->sim, MAX(t, sim_now(o->sim)));
		if (!sim_run(o->sim, NULL, NULL, NULL, &error))
			return give_up(o, error);
		for (guint i = 0; i < s->expect->len; i++) {
			const struct expect *e = s->expect->pdata[i];

			if (e->has_at && moment_of(s, e) == t)
				check_look(&o->seen[i], o->sim, e);
		}
	}
	sim_set_until(o->sim, MAX(s->sim.until, sim_now(o->sim)));
	if (!sim_run(o->sim, NULL, NULL, NULL, &error))
		return give_up(o, error);
	sim_close_record(o->sim);
	return recorder_finish(o->recorder, &error) || give_up(o, error);
}

/* Is a class or a metric asked about? */
static bool wants_rows(const struct scenario *s)
{
	for (guint i = 0; i < s->expect->len; i++) {
		const struct expect *e = s->expect->pdata[i];

		if (e->metric || e->has_class)
			return true;
	}
	return false;
}

static void judge(struct one *o)
{
	const struct scenario *s = o->scenario;
	GError *error = NULL;
	struct run_rows *rows = wants_rows(s) ? run_rows_read(recorder_db(o->recorder), &error) : NULL;
	const struct judge j = {.rows = rows,
	                        .options = &o->options,
	                        .told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
	                        .preemptions = o->preemptions,
	                        .scenario = s,
	                        .sim = o->sim,
	                        .db = recorder_db(o->recorder),
	                        .start = s->sim.start,
	                        .end = sim_now(o->sim)};

	for (guint i = 0; !error && i < s->expect->len; i++) {
		const struct expect *e = s->expect->pdata[i];
		bool other = e->version && strcmp(e->version, s->slurm_version);

		g_ptr_array_add(o->result->verdicts,
		                other ? skipped(e) : check_judge(&j, e, e->has_at ? &o->seen[i] : NULL));
	}
	if (error)
		give_up(o, error);
	run_rows_free(rows);
	g_hash_table_unref(j.told);
}

static void end(struct one *o)
{
	for (guint i = 0; o->seen && i < o->scenario->expect->len; i++)
		seen_clear(&o->seen[i]);
	g_free(o->seen);
	g_array_unref(o->preemptions);
	if (o->sim)
		sim_free(o->sim);
	if (o->recorder)
		recorder_free(o->recorder);
	scenario_free(o->scenario);
}

struct check_result *check_scenario(const struct tool_options *options, const char *path)
{
	char *file = file_of(path);
	struct one o = {.result = check_result_new(file),
	                .preemptions = g_array_new(FALSE, FALSE, sizeof(struct preemption))};

	if (begin(&o, options, path) && run(&o))
		judge(&o);
	end(&o);
	g_free(file);
	return o.result;
}
