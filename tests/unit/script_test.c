/* script_test.c - batch scripts: directives, what the body takes, and the steps of its srun lines (traces/sbatch_*.h) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the four headers that it needs */
#include <cmocka.h>

#include "traces/sbatch_line.h"

/* "name:begin-end" of each step, seconds; end "*" = with the job */
static char *shown(const struct job_steps *s)
{
	GString *out = g_string_new(NULL);
	for (guint i = 0; s && i < s->list->len; i++) {
		const struct job_step *p = &g_array_index(s->list, struct job_step, i);
		g_string_append_printf(out, "%s%s:%g-", i ? " " : "", job_step_name(p), (double)p->begin / USEC);
		if (p->end < 0)
			g_string_append_c(out, '*');
		else
			g_string_append_printf(out, "%g", (double)p->end / USEC);
	}
	return g_string_free(out, FALSE);
}

static void test_bodies(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		double length; /* -1 = not known */
		double run;    /* then the steps are */
		const char *steps;
	} table[] = {
	    {"sleep 90", 90, 90, ""},
	    {"sleep 1.5m; sleep 2", 92, 92, ""},
	    {"srun sleep 10\nsrun -J b sleep 20", 30, 30, "sleep:0-10 b:10-30"},
	    {"srun sleep 10 &\nsrun sleep 20 &\nwait\nsrun sleep 5", 25, 25, "sleep:0-10 sleep:0-20 sleep:20-25"},
	    {"srun sleep 100 &\nsleep 5", 5, 5, "sleep:0-100"}, /* not waited for: cut by the end of its job */
	    {"for i in a b c; do srun sleep 2; done", 6, 6, "sleep:0-2 sleep:2-4 sleep:4-6"},
	    {"for i in {1..2}; do for k in $(seq 1 2); do srun sleep 1 & done; wait; done", 2, 2,
	     "sleep:0-1 sleep:0-1 sleep:1-2 sleep:1-2"},
	    {"for i in $(seq 0 5 10); do\n sleep 1\ndone", 3, 3, ""},
	    {"echo srun sleep 9 # srun sleep 9\nexport A=1; B=2 srun sleep 4", 4, 4, "sleep:0-4"},
	    {"srun -n4 ./bin/train --x > out 2>&1", -1, 70, "train:0-70"},
	    {"sleep 5; srun train; srun sleep 10", -1, 100, "train:5-90 sleep:90-100"},
	    {"srun train & sleep 10; wait", -1, 100, "train:0-100"},
	    {"python x.py; srun sleep 10", -1, 100, "sleep:90-100"},
	    {"srun a; srun b", -1, 100, "a:0-*"},
	    {"if true; then srun a; fi", -1, 100, "a:0-*"},
	    {"while true; do srun a; done", -1, 100, "a:0-*"},
	    {"for f in *.txt; do srun a; done", -1, 100, "a:0-*"},
	    {"python x.py", -1, 100, ""},
	    {"srun -t 1 sleep 90", 60, 60, "sleep:0-60"},
	    {"srun a &> log &\nwait", -1, 7, "a:0-7"},
	    {"sleep 3; exit 4; sleep 9", 3, 3, ""},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		struct sbatch_script *s = sbatch_script_wrap(table[i].body);
		double length = s->length < 0 ? -1 : (double)s->length / USEC;
		struct job_steps *steps = sbatch_script_steps(s, (usec_t)(table[i].run * USEC));
		char *text = shown(steps);
		if (length > table[i].length || length < table[i].length || strcmp(text, table[i].steps) != 0)
			fail_msg("\"%s\": %g s, \"%s\"", table[i].body, length, text);
		g_free(text);
		job_steps_free(steps);
		sbatch_script_free(s);
	}
}

static void test_srun_options(void **state)
{
	(void)state;
	struct sbatch_script *s = sbatch_script_wrap(
	    "srun -N2 -n 8 -c4 --gpus-per-node=h100:2 --mem=3G --exclusive --job-name=big sleep 1\n"
	    "srun --ntasks=2 --gpus-per-task=1 --mem-per-cpu=100M a b\nsrun --gres=none -n1 sleep 1");
	struct job_steps *steps = sbatch_script_steps(s, 100 * USEC);
	assert_int_equal(steps->list->len, 3);
	const struct job_step *p = &g_array_index(steps->list, struct job_step, 0);
	assert_string_equal(p->name, "big");
	assert_int_equal(p->nodes, 2);
	assert_int_equal(p->tasks, 8);
	assert_int_equal(p->cpus, 32);
	assert_int_equal(p->gpus, 4);
	assert_int_equal(p->mem, 6144);
	assert_int_equal(p[1].tasks, 2);
	assert_int_equal(p[1].gpus, 2);
	assert_int_equal(p[1].mem, 200);
	assert_int_equal(p[2].gpus, 0);
	assert_int_equal(p[2].number, 2);
	job_steps_free(steps);
	sbatch_script_free(s);
}

static struct sbatch_line *of(const char *text)
{
	GError *error = NULL;
	struct sbatch_line *l = sbatch_line_of_text(text, strlen(text), &error);
	if (error)
		fail_msg("%s", error->message);
	return l;
}

static void test_directives(void **state)
{
	(void)state;
	struct sbatch_line *l = of("#!/bin/sh\n#SBATCH -n4 -J 'a b' # more -n9\n ##SBATCH -n5\n#SBATCHX -n7\n#SLURM -n8\n\n"
	                           "#SIM runtime=1:00 exit=3 user=ada\n#SBATCH hetjob\n#SBATCH --nodes=2 -p q\ntrue\n#SBATCH -n99\n");
	const struct submission *s = l->sub;
	assert_int_equal(s->request->ntasks, 4);
	assert_string_equal(s->request->name, "a b");
	assert_string_equal(s->request->user, "ada");
	assert_int_equal(s->n_het, 1);
	assert_int_equal(s->het[0]->min_nodes, 2);
	assert_string_equal(s->het[0]->partition, "q");
	assert_int_equal(s->outcome.run_time, 60 * USEC);
	assert_int_equal(s->outcome.exit_code, 3);
	assert_true(l->run_known);
	assert_true(l->body->old_directive);
	sbatch_line_free(l);
	l = of("#!/bin/sh\n#SBATCH --hold\nsrun a\n");
	assert_false(l->run_known); /* up to its limit, else a day */
	assert_int_equal(l->sub->outcome.run_time, 86400 * USEC);
	assert_true(l->sub->request->hold);
	sbatch_line_free(l);
}

/* The command line wins over the script; what follows the script is its own. */
static void test_lines(void **state)
{
	(void)state;
	static const char *const words[] = {"-n2", "--run=90", "--parsable", "-M", "c", "--test-only", ":", "-n3", "--wrap", "srun sleep 5", NULL};
	struct sbatch_line *l = sbatch_line_read(words, NULL, false, NULL);
	assert_non_null(l);
	assert_true(l->parsable && l->test_only && !l->quiet);
	assert_string_equal(l->cluster, "c");
	assert_int_equal(l->sub->n_het, 1);
	assert_int_equal(l->sub->het[0]->ntasks, 3);
	assert_int_equal(l->sub->outcome.run_time, 90 * USEC);
	assert_string_equal(l->sub->request->name, "wrap");
	assert_null(l->sub->label);
	sbatch_line_free(l);
}

/* Recorded on 22.05: what a component takes from the one before it, and what not (the last lines). */
static void test_components(void **state)
{
	(void)state;
	static const char *const words[] = {"-n2", "-A", "phys", "--qos=high", "-t", "7", "--time-min=3", "--nice=5", "-x", "n1", "--mem=77",
	                                    "--reservation=r", "--deadline=now+9hours", "-p", "big", "-C", "f", "-w", "n2", "-L", "mat", "--exclusive",
	                                    "-c", "4", "--contiguous", ":", "-n3", ":", "-n4", "--qos=low", "--mem-per-cpu=5", "--wrap", "sleep 5", NULL};
	static const char *const expedite[] = {"--requeue=expedite", "--wrap", "sleep 5", NULL};
	struct sbatch_line *l = sbatch_line_read(expedite, NULL, false, NULL);
	GError *error = NULL;
	assert_int_equal(l->sub->request->requeue, REQUEUE_EXPEDITE);
	sbatch_line_free(l);
	assert_null(sbatch_line_read(expedite, NULL, true, &error));
	assert_string_equal(error->message, "option '--requeue' doesn't allow an argument");
	g_clear_error(&error);
	l = sbatch_line_read(words, NULL, true, NULL);
	assert_non_null(l);
	assert_int_equal(l->sub->n_het, 2);
	const struct job_request *a = l->sub->het[0], *b = l->sub->het[1];
	assert_string_equal(a->account, "phys");
	assert_string_equal(b->account, "phys");
	assert_string_equal(a->qos, "high");
	assert_string_equal(b->qos, "low");
	assert_int_equal(a->time_limit, 7);
	assert_int_equal(b->time_min, 3);
	assert_int_equal(b->nice, 5);
	assert_string_equal(b->exclude, "n1");
	assert_string_equal(a->reservation, "r");
	assert_string_equal(b->deadline_text, "now+9hours");
	assert_int_equal(a->mem_per_node, 77);
	assert_true(b->mem_per_node == NO_VAL64 && b->mem_per_cpu == 5);
	assert_null(a->partition);
	assert_null(a->constraint);
	assert_null(a->nodelist);
	assert_null(a->licenses);
	assert_true(a->share == SHARE_UNSET && !a->contiguous && a->cpus_per_task == NO_VAL && a->ntasks == 3);
	sbatch_line_free(l);
}

/* However it is nested, reading ends. */
static void test_bombs(void **state)
{
	(void)state;
	GString *text = g_string_new("#!/bin/sh\n");
	for (int i = 0; i < 40; i++)
		g_string_append(text, "for i in {1..1000000000}; do\n");
	g_string_append(text, "srun sleep 1\n");
	for (int i = 0; i < 40; i++)
		g_string_append(text, "done\n");
	struct sbatch_line *l = of(text->str);
	assert_int_equal(l->sub->steps->list->len, 1);
	sbatch_line_free(l);
	g_string_assign(text, "#!/bin/sh\nfor a in {1..999}; do for b in {1..999}; do for c in {1..999}; do srun sleep 1; done; done; done\n");
	l = of(text->str);
	assert_int_equal(l->sub->steps->list->len, 1);
	sbatch_line_free(l);
	g_string_assign(text, "#!/bin/sh\n");
	for (int i = 0; i < 100000; i++)
		g_string_append(text, "$(`'\"");
	l = of(text->str);
	sbatch_line_free(l);
	g_string_free(text, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bodies), cmocka_unit_test(test_srun_options), cmocka_unit_test(test_directives),
	                                   cmocka_unit_test(test_lines), cmocka_unit_test(test_components), cmocka_unit_test(test_bombs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
