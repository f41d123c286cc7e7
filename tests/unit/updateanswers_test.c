/*
 * updateanswers_test.c - tests/recorded/updates/answers.txt: what a real 22.05 answered to every "scontrol update job" and "update step", on
 * jobs that wait (no node was up) and with jobs that run, is what whypend answers on a like cluster. Other lines of the record are carried out
 * where they change these jobs, and not compared.
 */
#include "play_helper.h"

#define RECORD "tests/recorded/updates/answers.txt"

/* Lines that cannot be equal, and why. The user of a line is not in the record: those of alice follow from the answers. */
static const struct {
	const char *section, *words, *why;
} unlike[] = {
    {"waiting", "jobid=abc", "a job id that is none is found when the line is read"},
    {"waiting", "stepid=@run.0", "the recorder had not put the id in the place of the label"},
    {"running", "features=[a*2&c*1]", "there the shell took the line apart"},
    {"running", "jobid=@wait features=q", "a node had been given the feature q by then"},
    {"running", "jobid=@done", "requeue had brought the finished job back, and is left out here"},
    {"running", "jobid=@arr partition=other", "that partition had been deleted by then"},
    {"running", "jobid=@arr priority=3", "the task that runs had been held too, which does nothing here"},
    {"running", "jobid=@arr gres=gpu:1", "the record does not tell what was wrong with it"},
};

struct line {
	char *command, *answer;
	int status;
	bool compared;
	double at;
	const char *user;
};

static void line_free(gpointer data)
{
	struct line *l = data;
	g_free(l->command);
	g_free(l->answer);
	g_free(l);
}

static bool is_update(const char *command)
{
	static const char *const begins[] = {"scontrol update jobid=", "scontrol update job=", "scontrol update step"};
	for (gsize i = 0; i < G_N_ELEMENTS(begins); i++)
		if (g_str_has_prefix(command, begins[i]))
			return true;
	return false;
}

/* They change the jobs on the way. */
static bool is_other(const struct line *l)
{
	static const char *const begins[] = {"scontrol hold @", "scontrol uhold @", "scontrol release @", "scontrol suspend @", "scontrol resume @",
	                                     "scontrol requeue @", "scontrol requeuehold @"};
	for (gsize i = 0; i < G_N_ELEMENTS(begins); i++)
		if (l->status == 0 && g_str_has_prefix(l->command, begins[i]))
			return true;
	return strcmp(l->command, "scontrol hold name=wait2") == 0 || strcmp(l->command, "scontrol hold jobname=bobs") == 0;
}

static GPtrArray *read_section(const char *name, const char *alice_from, double first)
{
	char *text;
	assert_true(g_file_get_contents(RECORD, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_free(text);
	GPtrArray *list = g_ptr_array_new_with_free_func(line_free);
	bool in = false, alice = false;
	for (char **l = lines; *l; l++) {
		if (g_str_has_prefix(*l, "== ")) {
			in = strcmp(*l + 3, name) == 0;
			continue;
		}
		g_auto(GStrv) cell = g_strsplit(*l, "\t", -1);
		if (!in || g_strv_length(cell) < 4)
			continue;
		alice = alice || strcmp(cell[1], alice_from) == 0;
		struct line *one = g_new0(struct line, 1);
		*one = (struct line){g_strdup(cell[1]), g_strdup(cell[3]), atoi(cell[2]), is_update(cell[1]), 0, alice ? "alice" : "root"};
		if (!one->compared && !is_other(one)) {
			line_free(one);
			continue;
		}
		if (strchr(one->command, '=') && g_str_has_prefix(one->command, "scontrol hold")) { /* by name: the array was called bobs too */
			bool second = strstr(one->command, "wait2") != NULL;
			g_free(one->command);
			one->command = g_strdup(second ? "scontrol hold @wait2" : "scontrol hold @arr");
		}
		one->at = first + 0.001 * list->len;
		g_ptr_array_add(list, one);
	}
	return list;
}

static const char *excuse(const char *section, const struct line *l)
{
	for (gsize i = 0; i < G_N_ELEMENTS(unlike); i++)
		if (strcmp(unlike[i].section, section) == 0 && strstr(l->command, unlike[i].words))
			return unlike[i].why;
	return NULL;
}

static char *scenario_of(const char *section, const GPtrArray *lines, const char *jobs)
{
	GString *s = g_string_new(NULL);
	g_string_append_printf(s, "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"slurm_version\": \"22.05\", \"until\": 20,\n \"jobs\": [%s],\n \"events\": [", jobs);
	for (guint i = 0, n = 0; i < lines->len; i++) {
		const struct line *l = lines->pdata[i];
		g_autofree char *quoted = g_strescape(l->command, NULL);
		if (!excuse(section, l))
			g_string_append_printf(s, "%s\n  {\"at\": %.3f, \"cmd\": \"%s\", \"user\": \"%s\"}", n++ ? "," : "", l->at, quoted, l->user);
	}
	g_string_append(s, "]}");
	return g_string_free(s, FALSE);
}

/* What was said at this line; "" = nothing. g_free. */
static char *said(const struct played *p, const struct line *l)
{
	char *row = played_ask(p, "select coalesce(group_concat(substr(message, instr(message, ?1) + length(?1) + 2), ' / '), '') from refused where t = ?2",
	                       l->command, l->at);
	g_auto(GStrv) lines = g_strsplit(row ? row : "", "\n", -1);
	g_free(row);
	return g_strjoinv(" / ", lines);
}

static void play(const char *section, const char *alice_from, const char *conf, const char *jobs)
{
	GPtrArray *lines = read_section(section, alice_from, 5);
	g_autofree char *json = scenario_of(section, lines, jobs);
	const struct play_file files[] = {{"slurm.conf", conf}, {"scenario.json", json}, {NULL, NULL}};
	struct played p = play_files(files);
	guint compared = 0, bad = 0;
	for (guint i = 0; i < lines->len; i++) {
		const struct line *l = lines->pdata[i];
		if (!l->compared || excuse(section, l))
			continue;
		g_autofree char *text = said(&p, l);
		compared++;
		if (strcmp(text, l->answer) == 0 && (*text != '\0') == (l->status != 0))
			continue;
		bad++;
		print_error("%s, %s\n  recorded (%d): %s\n  whypend:      %s\n", section, l->command, l->status, l->answer, text);
	}
	print_message("%s: %u lines compared, %u differ\n", section, compared, bad);
	played_done(&p);
	g_ptr_array_unref(lines);
	assert_true(compared > 80);
	assert_int_equal(bad, 0);
}

#define CONF                                                                                                                                        \
	"ClusterName=c\nSchedulerType=sched/backfill\nSchedulerParameters=batch_sched_delay=1,bf_interval=2,bf_resolution=1,bf_window=60\n"           \
	"PriorityType=priority/basic\nReturnToService=2\nGresTypes=gpu\nLicenses=mat:4\nSelectType=select/cons_tres\n"                                 \
	"SelectTypeParameters=CR_Core_Memory\n"                                                                                                           \
	"PartitionName=batch Nodes=ALL Default=YES MaxTime=120 DefaultTime=2 State=UP\nPartitionName=other Nodes=n01 MaxTime=120 DefaultTime=2 State=UP\n"
#define NODES "NodeName=n[01-04] CPUs=4 RealMemory=4000 Gres=gpu:2 Feature=a,c"
#define JOB(name, user, more) "{\"name\": \"" name "\", \"at\": 0, \"user\": \"" user "\", \"run\": 300, \"time\": 10" more "}"

static void waiting(void **state)
{
	(void)state;
	play("waiting", "scontrol update jobid=@wait2 priority=5", CONF NODES " State=DOWN\n",
	     JOB("done", "alice", "") "," JOB("run", "alice", ", \"nodes\": 1") "," JOB("run2", "alice", "") "," JOB("wait", "alice", ", \"nodes\": 1") ","
	     JOB("wait2", "alice", "") "," JOB("bobs", "bob", ""));
}

static void running(void **state)
{
	(void)state;
	play("running", "scontrol update jobid=@arr timelimit=30", CONF NODES " State=UNKNOWN\n",
	     "{\"name\": \"done\", \"at\": 0, \"user\": \"alice\", \"run\": 1, \"time\": 10}," JOB("run", "alice", ", \"nodes\": 2, \"mem\": 100") ","
	     JOB("norq", "alice", ", \"requeue\": false, \"mem\": 100") "," JOB("wait", "alice", ", \"exclusive\": true, \"nodes\": \"1-3\", \"begin\": \"now+100\", \"mem\": 100") ","
	     JOB("arr", "alice", ", \"array\": \"1-3%1\", \"nodes\": 1, \"mem\": 100") "," JOB("bobs", "bob", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(waiting), cmocka_unit_test(running)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
