/*
 * updateeffects_test.c - tests/recorded/updates/effects.txt: what "scontrol show job" of a real 22.05 showed after each "scontrol update job", key by
 * key, on jobs that wait (no node was up), as root and as the jobs' user. A line holds the job, who asks, the job's sbatch options, the settings, the
 * answer, and the fields that changed; dates count from the moment of the command. Lines of one job follow each other.
 * tests/recorded/updates/running.txt: the same of jobs that run (and one that has ended, and one that is suspended).
 * tests/recorded/updates/placed.txt: where such a job then ran, and with how many CPUs and MiB on each node.
 */
#define _GNU_SOURCE
#include "play_helper.h"
#include "sched/audit.h"
#include "sim/run.h"
#include "tools/show.h"
#include <stdio.h>

#define RECORD "tests/recorded/updates/effects.txt"

static const char conf[] =
    "ClusterName=c\nSchedulerType=sched/backfill\nSchedulerParameters=batch_sched_delay=1,bf_interval=2,bf_resolution=1,bf_window=60\n"
    "PriorityType=priority/basic\nReturnToService=2\nGresTypes=gpu\nLicenses=mat:4\nSelectType=select/cons_tres\n"
    "SelectTypeParameters=CR_Core_Memory\nNodeName=n[01-04] CPUs=4 RealMemory=4000 Gres=gpu:2 Feature=a,c State=DOWN\n"
    "PartitionName=batch Nodes=ALL Default=YES MaxTime=120 DefaultTime=2\nPartitionName=other Nodes=n01 MaxTime=120 DefaultTime=2\n"
    "PartitionName=tiny Nodes=n01 MaxTime=5 MaxNodes=1\nPartitionName=dn Nodes=ALL State=DOWN\nPartitionName=dr Nodes=ALL State=DRAIN\n"
    "PartitionName=ina Nodes=ALL State=INACTIVE\nPartitionName=two Nodes=n[01-02] MinNodes=2\nPartitionName=rt Nodes=ALL RootOnly=YES\n"
    "PartitionName=ag Nodes=ALL AllowAccounts=zz\nPartitionName=ex Nodes=ALL OverSubscribe=EXCLUSIVE\n";

/* Fields of a line that cannot be equal, and why. */
static const struct {
	const char *settings, *field, *why;
} unlike[] = {
    {"numcpus=2", "TRES", "of MinMemoryCPU the record counts tasks, not CPUs"},
    {"numnodes=1", "TRES", "what all memory of the nodes is, is not worked out anew there"},
    {"numnodes=1-1", "TRES", "the same"},
    {"numnodes=3", "TRES", "the same"},
    {"cpuspertask=4", "NumNodes", "there it is an estimate by the CPUs of nodes"},
    {"gres=", "TresPerNode", "there an empty prefix stays behind, with which no other is accepted"},
    {"tresperjob=gres:gpu:1", "", "the same"},
    {"tresperjob=gres:gpu:3", "", "the same"},
    {"endtime=x", "", "there such a line is good and does nothing (status 0)"},
};

struct play {
	struct sim *sim;
	GString *answer;
	guint compared, bad;
};

static void note(void *data, uint32_t id, const char *label, const char *message)
{
	(void)id;
	(void)label;
	struct play *p = data;
	g_string_append_printf(p->answer, "%s%s", p->answer->len ? " / " : "", message);
}

static bool excused(const char *settings, const char *field)
{
	for (gsize i = 0; i < G_N_ELEMENTS(unlike); i++)
		if (unlike[i].why && strcmp(unlike[i].settings, settings) == 0 && strcmp(unlike[i].field, field) == 0)
			return true;
	return false;
}

/* The value of KEY in a record on one line; g_free. NULL: it is not there. */
static char *field_of(const char *row, const char *key)
{
	g_autofree char *begin = g_strdup_printf(" %s=", key);
	const char *at = strstr(row, begin);
	if (!at)
		return NULL;
	at += strlen(begin);
	return g_strndup(at, strcspn(at, " \n"));
}

static char *shown(const struct play *p, uint32_t id)
{
	char *text = NULL, number[16];
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct job_view v = {sim_controller(p->sim), usec_to_sec(sim_now(p->sim)), true};
	g_snprintf(number, sizeof number, "%u", id);
	assert_int_equal(show_jobs(out, &v, number, SHOW_ONE_LINE), 0);
	fclose(out);
	char *copy = g_strdup(text);
	free(text);
	return copy;
}

/* "now+100" as the date it is, for the fields that hold one; g_free. */
static char *expected(const struct play *p, const char *row, const char *value)
{
	sec_t t;
	if (g_str_has_prefix(value, "start+")) {
		g_autofree char *start = field_of(row, "StartTime");
		assert_true(date_parse(start, NULL, &t));
		return date_format(t + g_ascii_strtoll(value + strlen("start+"), NULL, 10), NULL);
	}
	if (!g_str_has_prefix(value, "now") || !date_parse_begin(value, usec_to_sec(sim_now(p->sim)), NULL, &t))
		return g_strdup(value);
	return date_format(t, NULL);
}

/* Lists of nodes are shown there as they were written. */
static bool same_nodes(const struct play *p, const char *key, const char *is, const char *want)
{
	const struct cluster *cl = controller_cluster(sim_controller(p->sim));
	if (!g_str_has_suffix(key, "NodeList") || !is)
		return false;
	struct bitset *a = cluster_parse_nodes(cl, is, NULL), *b = cluster_parse_nodes(cl, want, NULL);
	bool same = a && b && bitset_equal(a, b);
	bitset_free(a);
	bitset_free(b);
	return same;
}

static void compare_field(struct play *p, char **cell, const char *row, const char *before, const char *effect)
{
	const char *eq = strchr(effect, '=');
	g_autofree char *key = g_strndup(effect, (gsize)(eq - effect)), *is = field_of(row, key), *want = expected(p, row, eq + 1);
	if (excused(cell[3], key))
		return;
	if (strcmp(key, "Priority") == 0 && (want[0] == '+' || want[0] == '-')) {
		g_autofree char *was = field_of(before, key);
		int64_t by = g_ascii_strtoll(want, NULL, 10);
		g_free(want);
		want = g_strdup_printf("%" G_GINT64_FORMAT, g_ascii_strtoll(was, NULL, 10) + by);
	}
	p->compared++;
	if (g_strcmp0(is ? is : "", want) == 0 || same_nodes(p, key, is, want))
		return;
	p->bad++;
	print_error("%s %s (%s): %s=%s, recorded %s\n", cell[0], cell[3], cell[1], key, is ? is : "(not there)", want);
}

static void carry_out(struct play *p, char **cell, const char *label, uint32_t id)
{
	g_autofree char *text = g_strdup_printf("scontrol update jobid=@%s %s", label, cell[3]);
	GError *error = NULL;
	struct command *cmd = command_parse(text, cell[1], &error);
	if (!cmd)
		fail_msg("%s", error->message);
	g_autofree char *before = shown(p, id);
	g_string_truncate(p->answer, 0);
	sim_execute(p->sim, cmd);
	command_free(cmd);
	g_autofree char *number = g_strdup_printf("for job %u", id), *row = shown(p, id);
	g_string_replace(p->answer, number, "for job N", 0);
	g_string_replace(p->answer, "\n", " / ", 0);
	p->compared++;
	if (strcmp(p->answer->str, cell[4]) && !excused(cell[3], "")) {
		p->bad++;
		print_error("%s %s (%s): \"%s\", recorded \"%s\"\n", cell[0], cell[3], cell[1], p->answer->str, cell[4]);
	}
	g_auto(GStrv) effects = g_strsplit(cell[5], ";", -1);
	for (char **e = effects; *e; e++)
		if (strchr(*e, '='))
			compare_field(p, cell, row, before, *e);
}

static GPtrArray *read_run(const char *record, const char *run)
{
	char *text;
	assert_true(g_file_get_contents(record, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_free(text);
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	for (char **l = lines; *l; l++)
		if (g_str_has_prefix(*l, run)) {
			char **cell = g_strsplit(*l, "\t", -1);
			assert_int_equal(g_strv_length(cell), 6);
			g_ptr_array_add(list, cell);
		}
	return list;
}

static const char *label_of(char **cell)
{
	return strchr(cell[0], '-') + 1;
}

/* Four jobs of bob, and one for each line of another job. */
static char *scenario_of(const GPtrArray *lines)
{
	GString *s = g_string_new("{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"slurm_version\": \"22.05\", \"until\": 3, \"jobs\": [");
	for (int i = 0; i < 4; i++)
		g_string_append_printf(s, "%s{\"name\": \"hog%d\", \"at\": 0, \"user\": \"bob\", \"nodes\": 1, \"ntasks\": 4, \"time\": 20, \"run\": 300}", i ? "," : "", i);
	const char *last = "";
	for (guint i = 0; i < lines->len; i++) {
		char **cell = lines->pdata[i];
		const char *tasks = strstr(cell[2], "-n");
		if (strcmp(label_of(cell), last) == 0)
			continue;
		last = label_of(cell);
		g_string_append_printf(s, ",\n {\"name\": \"%s\", \"at\": 1, \"user\": \"alice\", %s\"ntasks\": %s, \"time\": 10, \"run\": 5}", last,
		                       strstr(cell[2], "-N1") ? "\"nodes\": 1, " : "", tasks + 2);
	}
	g_string_append(s, "]}");
	return g_string_free(s, FALSE);
}

static void play_lines(GPtrArray *lines, const char *run, const char *cluster, const char *json)
{
	g_autofree char *dir = g_dir_make_tmp("whypend-effects-XXXXXX", NULL);
	g_autofree char *conf_path = g_build_filename(dir, "slurm.conf", NULL), *path = g_build_filename(dir, "scenario.json", NULL);
	assert_true(g_file_set_contents(conf_path, cluster, -1, NULL) && g_file_set_contents(path, json, -1, NULL));
	GError *error = NULL;
	struct scenario_options o = {.path = dir};
	struct scenario *s = scenario_load(&o, &error);
	if (!s)
		fail_msg("%s", error->message);
	struct play p = {.sim = scenario_start(s, NULL, &error), .answer = g_string_new(NULL)};
	struct sim_hooks hooks = {.refused = note, .data = &p};
	sim_set_hooks(p.sim, &hooks);
	assert_true(sim_run(p.sim, NULL, NULL, NULL, &error));
	for (guint i = 0; i < lines->len; i++) {
		uint32_t id, task;
		char **cell = lines->pdata[i];
		assert_true(sim_find_id(p.sim, label_of(cell), &id, &task));
		carry_out(&p, cell, label_of(cell), id);
		if (!controller_audit((struct controller *)sim_controller(p.sim), &error))
			fail_msg("%s %s: %s", cell[0], cell[3], error->message);
	}
	print_message("%s: %u commands, %u answers and fields compared, %u differ\n", run, lines->len, p.compared, p.bad);
	sim_free(p.sim);
	scenario_free(s);
	g_unlink(conf_path);
	g_unlink(path);
	g_rmdir(dir);
	g_string_free(p.answer, TRUE);
	assert_true(p.compared > 80);
	assert_int_equal(p.bad, 0);
}

static void play(const char *run)
{
	GPtrArray *lines = read_run(RECORD, run);
	g_autofree char *json = scenario_of(lines);
	play_lines(lines, run, conf, json);
	g_ptr_array_unref(lines);
}

static void of_running_jobs(void **state)
{
	(void)state;
	static const char json[] =
	    "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"slurm_version\": \"22.05\", \"until\": 20, \"jobs\": [\n"
#define JOB(name, more) "{\"name\": \"" name "\", \"at\": 0, \"user\": \"alice\", \"run\": 100, \"time\": 10, \"mem\": 100" more "}"
	    JOB("one", ", \"nodes\": 1") ", " JOB("two", ", \"nodes\": 2, \"ntasks\": 2") ", "
	    JOB("four", ", \"nodes\": 4, \"ntasks\": 8, \"gres\": \"gpu:1\", \"licenses\": \"mat:1\"") ", "
	    JOB("rng", ", \"nodes\": \"2-4\", \"ntasks\": 4") ", " JOB("k", ", \"nodes\": 3, \"ntasks\": 3") ", " JOB("usr", ", \"nodes\": 1") ", "
	    JOB("sus", ", \"nodes\": 1") ", {\"name\": \"done\", \"at\": 0, \"user\": \"alice\", \"run\": 1, \"time\": 10, \"mem\": 100, \"nodes\": 1}],\n"
	    "\"events\": [{\"at\": 19, \"cmd\": \"scontrol suspend @sus\"}]}";
	g_autofree char *wide = g_strdup(conf), *up = NULL;
	g_auto(GStrv) part = g_strsplit(wide, "CPUs=4", 2);
	g_free(wide);
	wide = g_strjoinv("CPUs=32", part);
	g_auto(GStrv) state_of = g_strsplit(wide, " State=DOWN\n", 2);
	up = g_strjoinv("\n", state_of);
	GPtrArray *lines = read_run("tests/recorded/updates/running.txt", "r-");
	play_lines(lines, "running", up, json);
	g_ptr_array_unref(lines);
}

static void one_by_one(void **state)
{
	(void)state;
	play("e1-");
}
static void of_a_user(void **state)
{
	(void)state;
	play("e2-");
}
static void in_turn(void **state)
{
	(void)state;
	play("e3-");
}

/* ---- where a job runs after an update ---- */

#define PLACED "tests/recorded/updates/placed.txt"
#define GAP 3 /* seconds from one job to the next; each may begin 2 seconds after its submission, and runs 1 second */

/* Tasks of TasksPerNode are limited there, CPUs are not. */
#define UNLIKE "taskspernode=2"

static char *placed_scenario(GPtrArray *lines)
{
	GString *jobs = g_string_new(NULL), *events = g_string_new(NULL);
	for (guint i = 0; i < lines->len; i++) {
		char **cell = lines->pdata[i];
		const char *sep = i ? ",\n " : "";
		g_auto(GStrv) word = g_strsplit(cell[2], " ", -1);
		g_autofree char *words = g_strjoinv("' '", word);
		g_string_append_printf(jobs, "%s{\"name\": \"%s\", \"at\": %u, \"user\": \"alice\", %s\"ntasks\": %s, \"mem\": 100, \"time\": 1, \"run\": 1, \"begin\": \"now+2\"}",
		                       sep, cell[0], 1 + i * GAP, strstr(cell[1], "-N1") ? "\"nodes\": 1, " : "", strtok(strstr(cell[1], "-n") + 2, " "));
		g_string_append_printf(events, "%s{\"at\": %u.3, \"cmd\": \"scontrol update jobid=@%s '%s'\"}", sep, 1 + i * GAP, cell[0], words);
	}
	char *json = g_strdup_printf("{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"slurm_version\": \"22.05\", \"until\": 200,\n"
	                             " \"jobs\": [%s],\n \"events\": [%s]}", jobs->str, events->str);
	g_string_free(jobs, TRUE);
	g_string_free(events, TRUE);
	return json;
}

/* "n01:3:100,n02:1:100", or the reason for which it waits; g_free. */
static char *place_of(const struct job *j, const struct cluster *cl)
{
	GString *s = g_string_new(NULL);
	const struct job_alloc *a = j->alloc ? j->alloc : j->was_alloc;
	g_string_printf(s, "%s %s", job_state_name(j->state), a ? "" : reason_name(j->reason));
	for (uint32_t i = 0; a && i < a->n; i++)
		g_string_append_printf(s, "%s%s:%u:%" G_GUINT64_FORMAT, i ? "," : "", cl->node[a->node[i].node]->name, a->node[i].cpus, a->node[i].mem);
	return g_string_free(s, FALSE);
}

static void placed(void **state)
{
	(void)state;
	char *text;
	GError *error = NULL;
	assert_true(g_file_get_contents(PLACED, &text, NULL, NULL));
	g_auto(GStrv) rows = g_strsplit(g_strchomp(text), "\n", -1);
	g_free(text);
	GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	for (char **r = rows; *r; r++)
		g_ptr_array_add(lines, g_strsplit(*r, "\t", -1));
	g_autofree char *json = placed_scenario(lines), *dir = g_dir_make_tmp("whypend-placed-XXXXXX", NULL);
	g_autofree char *conf_path = g_build_filename(dir, "slurm.conf", NULL), *path = g_build_filename(dir, "scenario.json", NULL);
	g_autofree char *own = g_strdup(strstr(conf, "PartitionName=batch"));
	*strchr(own, '\n') = '\0';
	g_autofree char *all = g_strdup_printf("ClusterName=c\nSchedulerParameters=batch_sched_delay=1,bf_interval=2,bf_resolution=1,bf_window=60\nPriorityType=priority/basic\n"
	                                       "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\n"
	                                       "NodeName=n[01-04] CPUs=8 RealMemory=16000 Gres=gpu:2 Feature=a,c\n%s\n", own);
	assert_true(g_file_set_contents(conf_path, all, -1, NULL) && g_file_set_contents(path, json, -1, NULL));
	struct scenario_options o = {.path = dir};
	struct scenario *s = scenario_load(&o, &error);
	if (!s)
		fail_msg("%s", error->message);
	struct sim *sim = scenario_start(s, NULL, &error);
	assert_true(sim_run(sim, NULL, NULL, NULL, &error));
	guint bad = 0;
	for (guint i = 0; i < lines->len; i++) {
		uint32_t id, task;
		char **cell = lines->pdata[i];
		assert_true(sim_find_id(sim, cell[0], &id, &task));
		g_autofree char *got = place_of(controller_find_job(sim_controller(sim), id), controller_cluster(sim_controller(sim)));
		if (strcmp(got, cell[3]) == 0 || strcmp(cell[2], UNLIKE) == 0)
			continue;
		bad++;
		print_error("%s %s: %s, recorded %s\n", cell[0], cell[2], got, cell[3]);
	}
	print_message("%u jobs, %u elsewhere\n", lines->len, bad);
	sim_free(sim);
	scenario_free(s);
	g_unlink(conf_path);
	g_unlink(path);
	g_rmdir(dir);
	g_ptr_array_unref(lines);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_by_one), cmocka_unit_test(of_a_user), cmocka_unit_test(in_turn),
	                                   cmocka_unit_test(of_running_jobs), cmocka_unit_test(placed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
