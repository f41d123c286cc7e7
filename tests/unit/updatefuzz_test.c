/*
 * updatefuzz_test.c - scontrol update job with any key and any value, at any moment of random scenarios: nothing crashes, and after each instant what
 * the controller counts is what its jobs hold (audit.h). FUZZ_SEED=n runs that scenario alone, FUZZ_COUNT=n so many.
 */
#include "scenarios/scenario.h"
#include "sched/update_job.h"
#include "sim/run.h"
#include "tests/unit/random_site.h"
#include <glib/gstdio.h>
#include <stdlib.h>

#define SCENARIOS 40
#define EACH 5 /* instants */

struct fuzz {
	struct sim *sim;
	uint64_t seed, instants, commands, refused;
};

static const char *const KEYS[] = {
    "BurstBuffer", "ClusterFeatures", "AdminComment", "Comment", "Requeue", "DelayBoot", "Partition", "Account", "QOS", "TimeLimit", "TimeMin", "EndTime",
    "Deadline", "Nice", "Priority", "SiteFactor", "ArrayTaskThrottle", "ResetAccrueTime", "StartTime", "EligibleTime", "MinCPUsNode", "MinTmpDiskNode",
    "MinMemoryNode", "MinMemoryCPU", "NumNodes", "ReqNodes", "NumCPUs", "NumTasks", "CPUsPerTask", "TasksPerNode", "ReqSockets", "ReqCores", "ReqThreads",
    "CoreSpec", "ThreadSpec", "OverSubscribe", "Contiguous", "Switches", "Features", "Prefer", "ReqNodeList", "NodeList", "ExcNodeList", "Gres",
    "TresPerNode", "TresPerJob", "TresPerTask", "TresPerSocket", "Licenses", "ReservationName", "Dependency", "JobName", "WCKey", "WorkDir", "StdOut",
    "MailUser", "MailType", "UserId", "nosuch"};

static const char *const VALUES[] = {
    "",         "0",        "1",       "2",          "3",          "4-9",     "2-2",       "1-1",      "100",        "65536",       "2000000000",  "4294967293",
    "4294967294", "4294967295", "99999999999999999999", "-1", "-5", "+7", "-2147483645", "UNLIMITED", "1-00:00:00", "0:30", "now", "now+60", "now+2000",
    "now-100",  "2001-01-01", "yes",   "no",         "a1",         "a[1-2]",  "b1",        "a1,b1",    "a[1-99]",    "ib",          "old&ib",      "[old|new]",
    "old*2",    "gpu:1",    "gpu:2",   "gpu:0",      "gres:gpu:1", "gres/gpu:2", "gres:gpu:3,gres:gpu:1", "gpu",  "gpu:-1",    "app:2",       "app:1,tool:2", "app|tool",
    "app:99",   "r0",       "r1,r0",   "p0",         "p1,p0",      "few",     "small",     "acct",     "other",      "afterok:1",   "afterany:2,3", "after:4+1?singleton",
    "singleton", "aftercorr:3", ":",   ",",          "=",          "=1",      "1@1",       "0@0",      "9@999999",   "END,FAIL",    "NONE",        "x y",
    "\\\\",     "%s%n",     "1:2:3:4", "[",          "a[1-",       "((()",    "*"};

/* A random key with a random value, quoted as in a shell. */
static void draw_word(GString *line)
{
	const char *key = KEYS[draw() % G_N_ELEMENTS(KEYS)], *value = VALUES[draw() % G_N_ELEMENTS(VALUES)];
	g_autofree char *word = one_in(30) ? g_strdup(key) : g_strdup_printf("%s=%s", key, value), *quoted = g_shell_quote(word);
	g_string_append_printf(line, " %s", quoted);
}

static void refused(void *data, uint32_t id, const char *label, const char *message)
{
	struct fuzz *f = data;
	(void)id;
	(void)label;
	assert_true(message && *message);
	f->refused++;
}

static const struct job *random_job(const struct controller *c)
{
	uint32_t n = controller_n_jobs(c);
	return n ? controller_job(c, (uint32_t)(draw() % n)) : NULL;
}

static bool instant(void *data, usec_t now)
{
	struct fuzz *f = data;
	const struct controller *c = sim_controller(f->sim);
	if (++f->instants % EACH)
		return f->instants > 200000;
	const struct job *j = random_job(c);
	if (!j)
		return false;
	GString *line = g_string_new(NULL);
	g_string_printf(line, j->array && j->task != NO_VAL ? "scontrol update job=%u_%u" : "scontrol update job=%u", j->array ? j->array->job_id : j->id, j->task);
	for (int k = between(1, 3); k > 0; k--)
		draw_word(line);
	f->commands += sim_add_command(f->sim, now + 1, line->str, one_in(3) ? j->user : NULL, NULL);
	g_string_free(line, TRUE);
	return false;
}

static void one(uint64_t seed, const char *dir, struct fuzz *total)
{
	struct site *site = site_new(seed);
	struct scenario_options o = {.path = dir};
	GError *error = NULL;
	put_site(dir, site);
	struct scenario *s = scenario_load(&o, &error);
	if (!s)
		fail_msg("%s", error->message);
	s->sim.audit = true; /* after each instant */
	struct fuzz f = {.seed = seed, .sim = scenario_start(s, NULL, &error)};
	struct sim_hooks hooks = {.instant = instant, .refused = refused, .data = &f};
	sim_set_hooks(f.sim, &hooks);
	if (!sim_run(f.sim, NULL, NULL, NULL, &error))
		fail_msg("seed %" G_GUINT64_FORMAT ": %s", (guint64)seed, error->message);
	sim_free(f.sim);
	scenario_free(s);
	site_free(site);
	total->commands += f.commands;
	total->refused += f.refused;
}

static void remove_dir(const char *dir)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	for (const char *name; (name = g_dir_read_name(d));) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		g_unlink(path);
	}
	g_dir_close(d);
	g_rmdir(dir);
}

static void any_key_any_value(void **state)
{
	(void)state;
	const char *single = g_getenv("FUZZ_SEED"), *count = g_getenv("FUZZ_COUNT");
	uint64_t first = single ? g_ascii_strtoull(single, NULL, 10) : 1, n = count ? g_ascii_strtoull(count, NULL, 10) : single ? 1 : SCENARIOS;
	g_autofree char *dir = g_dir_make_tmp("whypend-updates-XXXXXX", NULL);
	struct fuzz total = {0};
	for (uint64_t seed = first; seed < first + n; seed++)
		one(seed, dir, &total);
	remove_dir(dir);
	print_message("%" G_GUINT64_FORMAT " commands, %" G_GUINT64_FORMAT " refusals\n", (guint64)total.commands, (guint64)total.refused);
	assert_true(single || total.commands > 20 * n);
}

/* The list above has every key. */
static void all_keys(void **state)
{
	(void)state;
	uint64_t seen = 0;
	for (gsize i = 0; i < G_N_ELEMENTS(KEYS); i++) {
		const struct update_key *k = update_key_of(KEYS[i]);
		seen |= k ? UINT64_C(1) << update_order(k) : 0;
	}
	assert_true((seen & (seen + 1)) == 0); /* no gap */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_keys), cmocka_unit_test(any_key_any_value)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
