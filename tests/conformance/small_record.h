/* small_record.h - a recording of 26.11 written by a test into a folder of its own: two nodes of 4 CPUs, jobs a, b, c of the whole node n01 and 10 s (c comes at 150 s, if not told). */
#ifndef CONFORMANCE_SMALL_RECORD_H
#define CONFORMANCE_SMALL_RECORD_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "tests/conformance/replay.h"

struct small {
	const char *params;   /* SchedulerParameters; NULL = batch_sched_delay=3,bf_interval=30 */
	const char *limit;    /* of a, minutes; NULL = 30 */
	const char *passes;   /* lines "T KIND" */
	const char *events;   /* lines "T,EVENT,JOB,NODE,DETAIL" */
	const char *submits;  /* lines "NAME DONE" */
	const char *starts;   /* lines "NAME SECOND": jobs.csv; NULL = none */
	const char *commands; /* events.jsonl; NULL = none */
	/* made by small_open */
	char *root;
	struct record *record;
	struct replay *replay;
};

static void small_write(const struct small *s, const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(s->root, dir, name, NULL), *folder = g_path_get_dirname(path);
	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	g_free(folder);
	g_free(path);
}

#define SMALL_DIR "26.11/small"
#define SMALL_SCENARIO "scenarios/small"

/* Each line of LINES, whose words are the arguments of FORMAT (of two), behind HEAD. */
static char *small_lines(const char *head, const char *lines, const char *format)
{
	GString *s = g_string_new(head);
	char **line = g_strsplit(lines ? lines : "", "\n", -1);
	for (guint i = 0; line[i]; i++) {
		char **word = g_strsplit(g_strstrip(line[i]), " ", 2);
		if (word[0] && word[1]) {
			char **part = g_strsplit(format, "%", -1); /* %1 and %2 */
			for (guint k = 0; part[k]; k++)
				g_string_append_printf(s, "%s%s", k == 0 ? "" : word[part[k][0] - '1'], k == 0 ? part[k] : part[k] + 1);
			g_strfreev(part);
		}
		g_strfreev(word);
	}
	g_strfreev(line);
	return g_string_free(s, FALSE);
}

static void small_file(const struct small *s, const char *name, const char *head, const char *lines, const char *format)
{
	char *text = small_lines(head, lines, format);
	small_write(s, SMALL_DIR, name, text);
	g_free(text);
}

static void small_scenario(const struct small *s)
{
	char *conf = g_strdup_printf("SchedulerType=sched/backfill\nSchedulerParameters=%s\nPriorityType=priority/basic\nSelectType=select/cons_tres\n"
	                             "SelectTypeParameters=CR_Core\nNodeName=n[01-02] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000\n"
	                             "PartitionName=batch Nodes=ALL Default=YES MaxTime=120 DefaultTime=2 State=UP\n",
	                             s->params ? s->params : "batch_sched_delay=3,bf_interval=30");
	GString *jobs = g_string_new("{\"users\": [\"alice\"], \"until\": 200, \"jobs\": [");
	for (guint i = 0; i < 3; i++)
		g_string_append_printf(jobs, "%s{\"name\": \"%c\", \"at\": %d, \"user\": \"alice\", \"nodes\": 1, \"exclusive\": true, \"nodelist\": \"n01\", \"time\": %s, \"run\": 10}",
		                       i ? ", " : "", 'a' + i, i == 2 ? 150 : 1, i == 0 && s->limit ? s->limit : "30");
	g_string_append(jobs, "], \"events\": [");
	char *at = s->commands ? strstr(s->commands, "\"cmd\"") : NULL;
	if (at)
		g_string_append_printf(jobs, "{\"at\": 1, %.*s}", (int)strcspn(at, "}"), at);
	g_string_append(jobs, "]}");
	small_write(s, SMALL_SCENARIO, "slurm.conf", conf);
	small_write(s, SMALL_SCENARIO, "jobs.json", jobs->str);
	g_string_free(jobs, TRUE);
	g_free(conf);
}

static void small_open(struct small *s)
{
	GError *error = NULL;
	s->root = g_dir_make_tmp("small-XXXXXX", &error);
	assert_non_null(s->root);
	small_scenario(s);
	small_write(s, SMALL_DIR, "meta.json", "{\"t0_after_slurmctld_start\": 12, \"speed\": 1.0, \"slurmdbd\": true, \"until\": 200, \"t0_seconds_into_hour\": {\"run1\": 100}}");
	small_file(s, "passes.csv", "pass,t,kind,end,queue,tested,started\n", s->passes, "0,%1,%2,%1,,,\n");
	small_file(s, "submits.jsonl", "", s->submits, "{\"at\": 0, \"done\": %2, \"name\": \"%1\", \"jobid\": \"1\", \"error\": null}\n");
	small_file(s, "jobs.csv", "label,job,start,end,state,exit,nodes,priority_first,priority_last,reasons_held\n", s->starts, "%1,1,%2,%2,COMPLETED,0:0,n01,1,1,\n");
	char *events = g_strconcat("t,event,job,node,detail\n", s->events ? s->events : "", NULL);
	small_write(s, SMALL_DIR, "controller_events.csv", events);
	g_free(events);
	small_write(s, SMALL_DIR, "events.jsonl", s->commands ? s->commands : "");
	for (guint i = 0; i < 4; i++)
		small_write(s, SMALL_DIR, ((const char *const[]){"alloc.jsonl", "decisions.jsonl", "pending.jsonl", "timeline.jsonl"})[i], "");
	s->record = record_read(s->root, "26.11", "small", &error);
	if (!s->record)
		fail_msg("%s", error->message);
	s->replay = replay_load(s->record, 0, &error);
	if (!s->replay)
		fail_msg("%s", error->message);
}

static void small_remove(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		char *below = g_build_filename(path, name, NULL);
		small_remove(below);
		g_free(below);
	}
	if (dir)
		g_dir_close(dir);
	g_remove(path);
}

static void small_close(struct small *s)
{
	replay_free(s->replay);
	record_free(s->record);
	small_remove(s->root);
	g_free(s->root);
}
#endif
