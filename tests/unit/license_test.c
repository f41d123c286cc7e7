/* license_test.c - cluster licences (lifecycle C58, Y13 of reasons.md, bf_licenses) */
#include "tests/unit/sched_helper.h"
#include "sched/license.h"

static void add_license(struct world *w, const char *name, uint32_t total)
{
	struct license *l = g_new0(struct license, 1);
	l->name = g_strdup(name);
	l->total = total;
	g_ptr_array_add(w->cl->licenses, l);
}

static struct world *world(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-4]", 8);
	add_license(w, "mat", 4);
	add_license(w, "sim", 2);
	return w;
}

static uint32_t used(const struct world *w, uint32_t i)
{
	return ((struct license *)w->cl->licenses->pdata[i])->used;
}

static void parses(struct world *w, const char *text, bool ok)
{
	GError *error = NULL;
	struct license_list *l = license_parse(w->cl, text, &error);
	if (!!l != ok)
		fail_msg("%s", text);
	if (!l)
		assert_string_equal(error->message, "Invalid license specification");
	g_clear_error(&error);
	g_free(l);
}

static void test_parse(void **state)
{
	(void)state;
	struct world *w = world(SLURM_26), *old = world(SLURM_22_05);
	parses(w, "mat", true);
	parses(w, "mat:4,sim:2", true);
	parses(w, "mat:4|sim:1", true);
	parses(old, "mat:4|sim:1", false); /* not in 22.05 */
	parses(w, "mat:5", false);
	parses(w, "mat:0", false);
	parses(w, "mat:x", false);
	parses(w, "mat:", false);
	parses(w, "none:1", false);
	parses(w, "", false);
	parses(w, "mat,sim|mat", false);
	world_free(w);
	world_free(old);
}

/* Taken at start, given back when COMPLETING is over; blocks nobody. */
static void test_life(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = world(v);
			w_begin(w, 0);
			w_refused(w, 0, "Invalid license specification", "licenses", "mat:9", NULL);
			struct job *a = w_job(w, 1, "ntasks", "1", "licenses", "mat:3", NULL);
			struct job *b = w_job(w, 1, "ntasks", "1", "licenses", "mat:2", NULL);
			struct job *c = w_job(w, 1, "ntasks", "1", "licenses", "mat:1,sim", NULL);
			struct job *d = w_job(w, 1, "ntasks", "1", NULL);
			w_full(w, 2);
			w_runs_on(w, a, 2, "n1");
			w_waits(b, REASON_LICENSES);
			w_runs_on(w, c, 2, "n1");
			w_runs_on(w, d, 2, "n1");
			assert_int_equal(used(w, 0), 4);
			assert_int_equal(used(w, 1), 1);
			w_end(w, a, 10, 0, false);
			w_full(w, 11);
			w_waits(b, REASON_LICENSES); /* the epilog is not done */
			controller_epilog_done(w->c, a, UINT32_MAX, true, 12 * USEC);
			w_full(w, 12);
			w_runs_on(w, b, 12, "n1");
			assert_int_equal(used(w, 0), 3);
			world_free(w);
		}
}

static void test_either(void **state)
{
	(void)state;
	struct world *w = world(SLURM_26);
	w_begin(w, 0);
	struct job *a = w_job(w, 1, "ntasks", "1", "licenses", "mat:3|sim:2", NULL);
	struct job *b = w_job(w, 1, "ntasks", "1", "licenses", "mat:3|sim:2", NULL);
	struct job *c = w_job(w, 1, "ntasks", "1", "licenses", "mat:3|sim:2", NULL);
	w_full(w, 2);
	assert_int_equal(a->licenses->held, 0);
	assert_int_equal(b->licenses->held, 1);
	w_waits(c, REASON_LICENSES);
	assert_int_equal(used(w, 0), 3);
	assert_int_equal(used(w, 1), 2);
	w_end(w, b, 5, 0, true);
	assert_int_equal(used(w, 1), 0);
	world_free(w);
}

/* R10 of 22.05: a job whose licences are not free does not count as eligible: no Priority. */
static void test_first_reason(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = world(v);
			w->p->priority_type = PRIORITY_BASIC;
			w_begin(w, 0);
			struct job *a = w_job(w, 1, "ntasks", "1", "licenses", "mat:4", NULL);
			w_full(w, 2);
			w_runs_on(w, a, 2, "n1");
			w_job(w, 3, "nodes", "4", "exclusive", "", NULL);
			struct job *c = w_job(w, 4, "ntasks", "1", "licenses", "mat:1", NULL);
			w_waits(c, v == SLURM_22_05 ? REASON_NONE : REASON_PRIORITY);
			world_free(w);
		}
}

/* Y13: with bf_licenses the main pass stops at the first shortage; backfill plans licences. */
static void test_y13(void **state)
{
	(void)state;
	struct world *w = world(SLURM_26);
	struct partition *high = w_part(w, "high", "n[1-4]");
	high->priority_tier = 10;
	w->p->bf_licenses = w->p->bf_running_job_reserve = true;
	w->p->bf_resolution = 1;
	w->p->priority_type = PRIORITY_BASIC;
	w_begin(w, 0);
	struct job *m1 = w_job(w, 1, "ntasks", "1", "licenses", "mat:3", "time", "1", NULL);
	w_full(w, 2);
	w_runs_on(w, m1, 2, "n1");
	struct job *m2 = w_job(w, 3, "ntasks", "1", "licenses", "mat:2", "time", "1", NULL);
	struct job *later = w_job(w, 4, "ntasks", "1", "time", "1", NULL);
	struct job *tier = w_job(w, 5, "ntasks", "1", "time", "1", "partition", "high", NULL);
	struct job *both = w_job(w, 6, "ntasks", "1", "licenses", "mat:1,sim:2", "time", "2", NULL);
	w_clear(w);
	w_full(w, 7);
	w_waits(m2, REASON_LICENSES);
	w_waits(later, REASON_PRIORITY);
	w_waits(both, REASON_PRIORITY);
	assert_int_equal(tier->start, 7);
	w_backfill(w, 8);
	assert_int_equal(m2->est_start, 62);
	assert_int_equal(later->start, 8);
	assert_int_equal(both->state, JOB_RUNNING); /* [8, 128): 1 of mat is free before 62, 2 after */
	struct job *last = w_job(w, 9, "ntasks", "1", "licenses", "mat:1,sim:1", "time", "1", NULL);
	w_backfill(w, 10);
	w_waits(last, REASON_LICENSES); /* from the plan */
	assert_int_equal(last->est_start, 128);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parse),        cmocka_unit_test(test_life), cmocka_unit_test(test_either),
	    cmocka_unit_test(test_first_reason), cmocka_unit_test(test_y13),
	};
	return cmocka_run_group_tests_name("license", tests, NULL, NULL);
}
