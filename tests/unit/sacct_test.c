/* sacct -P dumps: shapes of file, values, what is inferred, requeues, damage, and the real dumps. */
#include "tests/unit/trace_helper.h"
#include "traces/sacct_fields.h"

#define HEAD "JobIDRaw|JobName|User|Partition|Submit|Start|End|ElapsedRaw|Timelimit|State|NNodes|NCPUS|ReqTRES\n"
#define TAIL                                                                                                           \
	"|u1|main|2025-11-06T09:00:00|2025-11-06T09:00:01|2025-11-06T09:01:01|60|00:10:00|COMPLETED|1|1|cpu=1,mem=1G," \
	"node=1\n"
#define ROW(id, name) #id "|" name TAIL

static struct submission *only(struct workload *w)
{
	assert_int_equal(workload_info(w)->replayed, 1);
	return next(w);
}

static void test_plain_row(void **state)
{
	(void)state;
	struct workload *w = open_text(HEAD ROW(901, "plain"), NULL);
	struct submission *s = only(w);
	assert_int_equal(s->trace_id, 901);
	assert_int_equal(s->line, 2);
	assert_int_equal(s->at, INT64_C(1762419600) * USEC);
	assert_int_equal(workload_info(w)->unix_start, 1762419600);
	assert_int_equal(s->outcome.run_time, 60 * USEC);
	assert_int_equal(s->outcome.real_start, 1762419601);
	assert_int_equal(s->outcome.real_end, 1762419661);
	assert_int_equal(s->outcome.cancel_after, -1);
	assert_string_equal(s->request->name, "plain");
	assert_string_equal(s->request->user, "u1");
	assert_string_equal(s->request->partition, "main");
	assert_int_equal(s->request->time_limit, 10);
	assert_int_equal(s->request->ntasks, 1);
	assert_int_equal(s->request->min_nodes, 1);
	assert_int_equal(s->request->max_nodes, 1);
	assert_int_equal(s->request->mem_per_node, 1024);
	assert_string_equal(workload_info(w)->partitions->pdata[0], "main");
	submission_free(s);
	workload_close(w);
}

/* Case 35: a name may hold the delimiter. */
static void test_delimiter_in_name(void **state)
{
	(void)state;
	static const char *const names[] = {"plain", "crazy|name", "a||b|c", "|", "\xff\xfe", ""};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		char *text = g_strconcat(HEAD "9|", names[i], TAIL, NULL);
		struct workload *w = open_text(text, NULL);
		struct submission *s = only(w);
		assert_string_equal(s->request->name, *names[i] ? names[i] : "job9");
		assert_string_equal(s->request->user, "u1");
		submission_free(s);
		workload_close(w);
		g_free(text);
	}
}

#define TWO_HEAD "JobIDRaw|JobName|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES|WorkDir\n"
#define TWO_ROW(name, dir)                                                                                             \
	"905|" name                                                                                                    \
	"|u1|main|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|00:10:00|COMPLETED|cpu=1|" dir "\n"

static void test_two_free_texts(void **state)
{
	(void)state;
	struct workload *w = open_text(TWO_HEAD TWO_ROW("x|y", "/home/a|b"), NULL);
	struct submission *s = only(w);
	assert_string_equal(s->request->name, "x|y");
	assert_string_equal(s->request->user, "u1");
	submission_free(s);
	workload_close(w);
	/* two neighbours: nothing tells where the one ends */
	w = open_text(
	    "JobIDRaw|JobName|WorkDir|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES\n"
	    "1|a|b|/c|u|main|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1|COMPLETED|cpu=1\n"
	    "2|a|/c|u|main|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1\n",
	    NULL);
	assert_cause(w, "several ways", 1, 2);
	workload_close(w);
}

static void test_short_line(void **state)
{
	(void)state;
	struct workload *w =
	    open_text(HEAD ROW(901, "a") "904|short|u1|main|2025-11-06T09:00:30|x\n" ROW(905, "b"), NULL);
	assert_int_equal(workload_info(w)->replayed, 2);
	assert_cause(w, "line has 6 cells, header has 13", 1, 3);
	workload_close(w);
	w = open_text(HEAD ROW(901, "a") "904|short|u1|main|2025-11-06T09:00:30|x", NULL);
	assert_cause(w, "line has 6 cells, header has 13", 1, 3);
	workload_close(w);
	assert_refused(HEAD "904|short\n", NULL, "line has 2 cells");
}

/* SubmitLine over several lines, in the middle and at the end. */
static void test_line_breaks(void **state)
{
	(void)state;
	struct workload *w =
	    open_text("JobID|SubmitLine|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES\n"
	              "1|sbatch -N2 --wrap a\n\nb|c\nd|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|"
	              "2025-11-06T09:02:11|01:00|COMPLETED|cpu=4,node=1\n"
	              "2|sbatch x|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|01:00|"
	              "COMPLETED|cpu=4,node=1\n",
	              NULL);
	assert_int_equal(workload_info(w)->replayed, 2);
	struct submission *s = next(w);
	assert_int_equal(s->line, 2);
	assert_int_equal(s->request->min_nodes, 2);
	submission_free(s);
	workload_close(w);
	w = open_text(
	    "JobID|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES|SubmitLine\n"
	    "1|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|01:00|COMPLETED|cpu=4|sbatch a\n"
	    "more words\n"
	    "2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|01:00|COMPLETED|cpu=4|sbatch\n",
	    NULL);
	assert_int_equal(workload_info(w)->lines, 2);
	assert_int_equal(workload_info(w)->replayed, 2);
	workload_close(w);
}

/* The same two rows in every shape a dump may have. */
static void test_shapes(void **state)
{
	(void)state;
	static const char *const delimiters[] = {"|", ",", ";", "^", "|#", "\t", "@@"};
	for (guint d = 0; d < G_N_ELEMENTS(delimiters); d++)
		for (int shape = 0; shape < 6; shape++) {
			const char *x = delimiters[d];
			GString *text = g_string_new(NULL);
			const char *head = "JobID|State|User|Partition|Submit|Start|End|Timelimit|NCPUS|NNodes|ReqMem";
			const char *row =
			    "7|FAILED|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1-00:00:00|"
			    "4|2|4Gn";
			bool last = shape & 1, list = shape >= 4;
			if (list && d == 6) { /* without a header only the usual delimiters are tried */
				g_string_free(text, TRUE);
				continue;
			}
			for (int i = list ? 1 : 0; i < 4; i++) {
				char *line = g_strdup(i == 0 || (i == 2 && shape == 2) ? head : row);
				if (i == 3)
					line[0] = '8';
				char **parts = g_strsplit(line, "|", -1);
				char *joined = g_strjoinv(x, parts);
				if (!(i == 2 && shape != 2))
					g_string_append_printf(text, "%s%s%s", joined, last ? x : "",
					                       shape == 3 ? "\r\n" : "\n");
				g_free(joined);
				g_strfreev(parts);
				g_free(line);
			}
			struct workload_options o = {.columns = list ? "JobID,state,User,Part,Submit,Start,End,"
			                                               "Timelimit%20,NCPUS,NNodes,ReqMem"
			                                             : NULL};
			struct workload *w = open_text(text->str, &o);
			assert_int_equal(workload_info(w)->replayed, 2);
			struct submission *s = next(w);
			assert_int_equal(s->outcome.exit_code, 1);
			assert_int_equal(s->request->mem_per_node, 4096);
			assert_int_equal(s->request->time_limit, 1440);
			assert_int_equal(s->request->ntasks, 4);
			assert_int_equal(s->request->ntasks_per_node, 2);
			submission_free(s);
			workload_close(w);
			g_string_free(text, TRUE);
		}
}

static void test_no_header(void **state)
{
	(void)state;
	const struct workload_options sacct = {.format = "sacct"};
	assert_refused("", &sacct, "no header line was found (the file is empty)");
	assert_refused("1|2|3\n", &sacct, "sacct -a -X -D -P");
	assert_refused("JobID|State|Start|End\n", NULL, "User, Partition, Submit, TimelimitRaw or Timelimit, ReqTRES");
	assert_refused("1|2\n", &(struct workload_options){.columns = "JobID,Colour"}, "\"Colour\" is no column");
	struct workload *w = open_text(HEAD, NULL);
	assert_int_equal(workload_info(w)->lines, 0);
	workload_close(w);
}

/* Cases 31 and 39: words in Timelimit and State, and step rows. */
static const struct {
	const char *limit, *state, *start;
	uint32_t minutes;
	enum outcome_end end;
	int64_t run, cancel; /* seconds */
	int exit_code;
} endings[] = {
    {"Partition_Limit", "CANCELLED by 1001", "None", NO_VAL, OUTCOME_CANCEL_RUNNING, 0, 600, 0},
    {"UNLIMITED", "COMPLETED", "2022-08-26T10:01:00", INFINITE, OUTCOME_EXIT, 540, -1, 0},
    {"1-00:00:00", "COMPLETED", "2022-08-26T10:01:00", 1440, OUTCOME_EXIT, 540, -1, 0},
    {"00:08:30", "TIMEOUT", "2022-08-26T10:01:00", 9, OUTCOME_EXIT, 1140, -1, 0},
    {"01:00:00", "OUT_OF_MEMORY", "2022-08-26T10:01:00", 60, OUTCOME_OOM, 540, -1, 0},
    {"01:00:00", "CANCELLED by 5", "2022-08-26T10:01:00", 60, OUTCOME_CANCEL_RUNNING, 540, -1, 0},
    {"01:00:00", "CANCELLED+", "2022-08-26T10:01:00", 60, OUTCOME_CANCEL_RUNNING, 540, -1, 0},
    {"01:00:00", "DEADLINE", "None", 60, OUTCOME_CANCEL_RUNNING, 0, 600, 0},
    {"01:00:00", "NODE_FAIL", "2022-08-26T10:01:00", 60, OUTCOME_NODE_FAIL, 540, -1, 0},
    {"01:00:00", "SPECIAL_EXIT", "2022-08-26T10:01:00", 60, OUTCOME_EXIT, 540, -1, 1},
    {"01:00:00", "FAILED", "2022-08-26T10:01:00", 60, OUTCOME_EXIT, 540, -1, 1},
    {"01:00:00", "PREEMPTED", "2022-08-26T10:01:00", 60, OUTCOME_CANCEL_RUNNING, 540, -1, 0},
    /* the limit was raised by hand while it ran */
    {"00:01:00", "COMPLETED", "2022-08-26T10:01:00", 9, OUTCOME_EXIT, 540, -1, 0},
};

static void test_endings(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
		char *text =
		    g_strdup_printf("JobID|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES\n"
		                    "10|u1|main|2022-08-26T10:00:00|%s|2022-08-26T10:10:00|%s|%s|cpu=2,node=1\n"
		                    "10.batch||||%s|2022-08-26T10:10:04||CANCELLED|\n",
		                    endings[i].start, endings[i].limit, endings[i].state, endings[i].start);
		struct workload *w = open_text(text, NULL);
		assert_cause(w, "job steps", 1, 3);
		struct submission *s = only(w);
		assert_int_equal(s->request->time_limit, endings[i].minutes);
		assert_int_equal(s->outcome.end, endings[i].end);
		assert_int_equal(s->outcome.run_time, endings[i].run * USEC);
		assert_int_equal(s->outcome.cancel_after, endings[i].cancel < 0 ? -1 : endings[i].cancel * USEC);
		assert_int_equal(s->outcome.exit_code, endings[i].exit_code);
		submission_free(s);
		workload_close(w);
		g_free(text);
	}
}

/* Case 32: cancelled before start, eligible only after the end. */
static void test_cancelled_before_start(void **state)
{
	(void)state;
	struct workload *w = open_text(
	    "State|JobIDRaw|Constraints|Submit|Eligible|Start|Elapsed|End|Timelimit|Partition|User|ReqTRES\n"
	    "CANCELLED by "
	    "3|141|x&c7&spot|2022-09-09T17:39:14|2022-09-09T17:41:15|None|00:00:00|2022-09-09T17:39:37|01:00:00|"
	    "all|u1|cpu=1,mem=2T,node=1\n"
	    "CANCELLED|142|[r1|r2]|2022-09-09T17:39:20|2022-09-09T17:39:20||00:00:00|2022-09-09T17:50:00|01:00:00|all|"
	    "u1|"
	    "cpu=1,mem=2G,node=1\n"
	    "CANCELLED|143||2022-09-09T17:39:30|Unknown|None|00:00:00|2022-09-09T17:50:00|01:00:00|all|u1|cpu=1\n",
	    NULL);
	struct submission *s = next(w);
	assert_int_equal(s->outcome.cancel_after, 23 * USEC);
	assert_int_equal(s->request->begin, 1662745275);
	assert_string_equal(s->request->constraint, "x&c7&spot");
	assert_int_equal(s->request->mem_per_node, 2 * 1024 * 1024);
	submission_free(s);
	s = next(w);
	assert_int_equal(s->outcome.cancel_after, 640 * USEC);
	assert_int_equal(s->request->begin, 0);
	assert_false(s->request->hold);
	assert_string_equal(s->request->constraint, "[r1|r2]");
	submission_free(s);
	s = next(w);
	assert_true(s->request->hold);
	submission_free(s);
	workload_close(w);
}

/* Case 33: array records. */
static void test_arrays(void **state)
{
	(void)state;
	struct workload *w = open_text(
	    "JobID|JobIDRaw|JobName|User|Partition|Submit|Start|End|Elapsed|ReqMem|NCPUS|Timelimit|State|NNodes\n"
	    "123_1|124|j|u1|main|2021-05-06T08:00:00|2021-05-06T08:00:02|2021-05-06T08:30:02|00:30:00|3Gn|1|05:00:00|"
	    "COMPLETED|1\n"
	    "123_[3-5,8,9-10%500]|123|j|u1|main|2021-05-06T08:00:00|Unknown|Unknown|00:00:00|3Gn|1|05:00:00|PENDING|1\n"
	    "578_[5-9%3]|578|x|u2|main|2021-05-06T08:01:00|None|2021-05-06T08:05:00|00:00:00|0n|1|05:00:00|CANCELLED "
	    "by 1|1\n"
	    "654_[1,3,5,...]|654|cut|u2|main|2021-05-06T08:02:00|None|2021-05-06T08:05:00|00:00:00|2000Mc|1|05:00:00|"
	    "CANCELLED|1\n",
	    NULL);
	assert_cause(w, "still pending", 1, 3);
	assert_true(has_note(w, "1 array lists are cut"));
	struct submission *s = next(w);
	assert_string_equal(s->label, "123_1");
	assert_int_equal(s->trace_id, 124);
	assert_null(s->request->array);
	assert_int_equal(s->request->mem_per_node, 3072);
	submission_free(s);
	s = next(w);
	assert_string_equal(s->request->array, "5-9%3");
	assert_int_equal(s->request->mem_per_node, 0);
	assert_int_equal(s->outcome.cancel_after, 240 * USEC);
	submission_free(s);
	s = next(w);
	assert_string_equal(s->request->array, "1,3,5");
	assert_int_equal(s->request->mem_per_cpu, 2000);
	submission_free(s);
	workload_close(w);
}

/* Case 37: runs of a requeued job, duplicates, and a number used again years later. */
#define RUN(id, state, submit, start, end, user)                                                                       \
#id "|" state "|" submit "|" start "|" end "|02:00:00|1|1|5000Mc|" user "|main\n"

static void test_requeues(void **state)
{
	(void)state;
	struct workload *w = open_text(
	    "JobIDRaw|State|Submit|Start|End|Timelimit|NNodes|NCPUS|ReqMem|User|Partition\n" RUN(
	        29, "REQUEUED", "2023-02-27T08:00:00", "2023-02-27T08:00:10", "2023-02-27T09:04:59",
	        "u1") RUN(29, "NODE_FAIL", "2023-02-27T09:04:59", "2023-02-27T09:07:05", "2023-02-27T10:21:38", "u1")
	        RUN(29, "COMPLETED", "2023-02-27T10:21:38", "2023-02-27T10:24:00", "2023-02-27T10:59:53", "u1") RUN(
	            30, "COMPLETED", "2023-02-27T08:01:00", "2023-02-27T08:01:10", "2023-02-27T08:11:10", "u1")
	            RUN(30, "COMPLETED", "2023-02-27T08:01:00", "2023-02-27T08:01:10", "2023-02-27T08:11:10", "u1") RUN(
	                31, "COMPLETED", "2021-01-04T08:00:00", "2021-01-04T08:00:10", "2021-01-04T08:10:10",
	                "u7") RUN(31, "COMPLETED", "2023-02-27T08:02:00", "2023-02-27T08:02:10", "2023-02-27T08:12:10",
	                          "u1") RUN(32, "PENDING", "2023-02-27T08:03:00", "Unknown", "Unknown", "u1")
	                RUN(32, "COMPLETED", "2023-02-27T08:03:00", "2023-02-27T08:03:10", "2023-02-27T08:13:10", "u1")
	                    RUN(33, "RUNNING", "2023-02-27T08:04:00", "2023-02-27T08:03:10", "Unknown", "u1")
	                        RUN(34, "REVOKED", "2023-02-27T08:04:00", "Unknown", "2023-02-27T08:05:00", "u1"),
	    NULL);
	assert_int_equal(workload_info(w)->replayed, 5);
	assert_cause(w, "earlier run of a requeued job", 2, 2);
	assert_cause(w, "duplicate of the same run", 2, 5);
	assert_cause(w, "still running at the end of the dump", 1, 11);
	assert_cause(w, "federated", 1, 12);
	static const uint64_t right[] = {31, 29, 30, 31, 32};
	for (guint i = 0; i < G_N_ELEMENTS(right); i++) {
		struct submission *s = next(w);
		assert_int_equal(s->trace_id, right[i]);
		if (s->trace_id == 29) {
			assert_int_equal(s->at, INT64_C(1677484800) * USEC);
			assert_int_equal(s->outcome.run_time, 2153 * USEC);
		}
		submission_free(s);
	}
	workload_close(w);
}

/* What is asked for, from ReqTRES, AllocTRES, ReqMem and old columns. */
static const struct {
	const char *req, *alloc, *mem;
	uint32_t nodes, max_nodes, ntasks, per_node;
	uint64_t per_node_mib, per_cpu_mib;
	const char *gres, *gpus;
} sizes[] = {
    {"cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=2", "cpu=8,node=2", "64G", 2, 2, 8, 4, 32768, NO_VAL64,
     "gpu:a100:2", NULL},
    {"cpu=8,gres/gpu=3,mem=64G,node=2", "cpu=8,node=2", "", 2, 2, 8, 4, 32768, NO_VAL64, NULL, "3"},
    {"cpu=8,mem=8G,node=1", "cpu=16,mem=16G,node=1", "8G", 1, 1, 8, NO_VAL, NO_VAL64, 1024, NULL, NULL},
    {"cpu=32,mem=8G,node=1", "cpu=32,mem=8G,node=2", "8G", 1, NO_VAL, 32, NO_VAL, 8192, NO_VAL64, NULL, NULL},
    {"", "cpu=4,gres/gpu:h100=2,gres/gpu=2,mem=4000M,node=1", "", 1, 1, 4, NO_VAL, 4000, NO_VAL64, "gpu:2", NULL},
    {"cpu=4,node=1", "cpu=4,mem=4000M,node=1", "", 1, 1, 4, NO_VAL, NO_VAL64, NO_VAL64, NULL, NULL},
    {"cpu=4,mem=0,node=1", "cpu=4,node=1", "", 1, 1, 4, NO_VAL, 0, NO_VAL64, NULL, NULL},
    {"cpu=4,node=1", "cpu=4,node=1", "2147486448Mn", 1, 1, 4, NO_VAL, NO_VAL64, 2800, NULL, NULL},
    {"cpu=4,node=1", "cpu=4,node=1", "62.50Gn", 1, 1, 4, NO_VAL, 64000, NO_VAL64, NULL, NULL},
    {"cpu=4,gres/shard=6,node=1", "cpu=4,node=1", "", 1, 1, 4, NO_VAL, NO_VAL64, NO_VAL64, "shard:6", NULL},
};

static void test_sizes(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		char *text =
		    g_strdup_printf("JobID|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES|AllocTRES|ReqMem\n"
		                    "1|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00:00|"
		                    "COMPLETED|%s|%s|%s\n",
		                    sizes[i].req, sizes[i].alloc, sizes[i].mem);
		struct workload *w = open_text(text, NULL);
		struct submission *s = only(w);
		const struct job_request *r = s->request;
		assert_int_equal(r->min_nodes, sizes[i].nodes);
		assert_int_equal(r->max_nodes, sizes[i].max_nodes);
		assert_int_equal(r->ntasks, sizes[i].ntasks);
		assert_int_equal(r->ntasks_per_node, sizes[i].per_node);
		assert_int_equal(r->mem_per_node, sizes[i].per_node_mib);
		assert_int_equal(r->mem_per_cpu, sizes[i].per_cpu_mib);
		assert_int_equal(g_strcmp0(r->gres, sizes[i].gres), 0);
		assert_int_equal(g_strcmp0(r->gpus, sizes[i].gpus), 0);
		submission_free(s);
		workload_close(w);
		g_free(text);
	}
}

static void test_submit_line(void **state)
{
	(void)state;
#define LINE(id, minute, line)                                                                                         \
#id "|u|p|2025-11-06T09:" #minute ":00|2025-11-06T09:59:00|2025-11-06T09:59:30|2025-11-06T09:59:40|1:00:00|"   \
	    "COMPLETED|cpu=16,gres/gpu=2,mem=8G,node=2|" line "\n"
	struct workload *w = open_text(
	    "JobIDRaw|User|Partition|Submit|Eligible|Start|End|Timelimit|State|ReqTRES|SubmitLine\n" LINE(
	        1, 01, "sbatch -p a,b -c4 --mem-per-cpu=512 --gpus-per-task=1 -t 5 -q high -x n7 -H --foo=1 job.sh -N9")
	        LINE(2, 02, "sbatch -d afterok:1 -n8 job.sh") LINE(3, 03, "sbatch --dependency=afterany:77 job.sh")
	            LINE(4, 04, "/usr/bin/srun -a 1-3 -b now+1hour -d singleton true"),
	    NULL);
	struct submission *s = next(w);
	const struct job_request *r = s->request;
	assert_string_equal(r->partition, "a,b");
	assert_int_equal(r->cpus_per_task, 4);
	assert_int_equal(r->ntasks, 4);
	assert_int_equal(r->min_nodes, 2);
	assert_int_equal(r->mem_per_cpu, 512);
	assert_int_equal(r->mem_per_node, NO_VAL64);
	assert_null(r->gres);
	assert_string_equal(r->gpus_per_task, "1");
	assert_int_equal(r->time_limit, 5);
	assert_string_equal(r->qos, "high");
	assert_string_equal(r->exclude, "n7");
	assert_false(r->hold);
	assert_int_equal(r->begin, 1762423140); /* Eligible */
	submission_free(s);
	s = next(w);
	assert_string_equal(s->request->dependency, "afterok:@1");
	assert_int_equal(s->request->begin, 0);
	assert_int_equal(s->request->ntasks, 8);
	assert_int_equal(s->request->cpus_per_task, 2);
	submission_free(s);
	s = next(w); /* its dependency is not in the dump */
	assert_null(s->request->dependency);
	assert_int_equal(s->request->begin, 1762423140);
	submission_free(s);
	s = next(w);
	assert_string_equal(s->request->dependency, "singleton");
	assert_null(s->request->array);
	assert_null(s->request->begin_text);
	submission_free(s);
	workload_close(w);
}

static void test_times(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool good;
		sec_t right;
	} table[] = {
	    {"2022-02-21T14:37:02", true, 1645454222},
	    {"2022-02-21T14:37:02+0100", true, 1645450622},
	    {"2022-02-21T14:37:02+01:00", true, 1645450622},
	    {"2022-02-21T14:37:02Z", true, 1645454222},
	    {"1645454222", true, 1645454222},
	    {"Unknown", true, 0},
	    {"None", true, 0},
	    {"", true, 0},
	    {"N/A", true, 0},
	    {"yesterday", false, 0},
	    {"2022-13-41T00:00:00", false, 0},
	    {"999999999999999999", false, 0},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		sec_t t = -1;
		bool good = sacct_parse_time(table[i].text, &t);
		if (good != table[i].good || (good && t != table[i].right))
			fail_msg("%s: %d %" G_GINT64_FORMAT, table[i].text, good, t);
	}
}

static void test_ids(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool good, step;
		uint32_t task, component;
	} table[] = {
	    {"123", true, false, NO_VAL, NO_VAL},
	    {"123.batch", true, true, NO_VAL, NO_VAL},
	    {"123.0+1", true, true, NO_VAL, NO_VAL},
	    {"123_4", true, false, 4, NO_VAL},
	    {"123_4.extern", true, true, 4, NO_VAL},
	    {"123+1", true, false, NO_VAL, 1},
	    {"123+0.0", true, true, NO_VAL, 0},
	    {"123_[5-9%3]", true, false, NO_VAL, NO_VAL},
	    {"123_[5-9,...]", true, false, NO_VAL, NO_VAL},
	    {"", false, false, 0, 0},
	    {"x", false, false, 0, 0},
	    {"123_", false, false, 0, 0},
	    {"123_[", false, false, 0, 0},
	    {"123_[]", false, false, 0, 0},
	    {"12 3", false, false, 0, 0},
	    {"123.", false, false, 0, 0},
	    {"99999999999999999999", false, false, 0, 0},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		struct sacct_id id;
		if (sacct_parse_id(table[i].text, &id) != table[i].good)
			fail_msg("%s", table[i].text);
		if (!table[i].good)
			continue;
		assert_int_equal(id.number, 123);
		assert_int_equal(id.step, table[i].step);
		assert_int_equal(id.task, table[i].task);
		assert_int_equal(id.component, table[i].component);
	}
}

/* One bad value in an otherwise good row. */
static void test_damage(void **state)
{
	(void)state;
	static const struct {
		const char *row, *cause;
	} table[] = {
	    {"x|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1|1G",
	     "not a job id"},
	    {"2|u|p|soon|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1|1G", "Submit is not a time"},
	    {"2|u|p||2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1|1G", "no submit time"},
	    {"2|u|p|2025-11-06T09:00:10|late|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1|1G", "Start is not a time"},
	    {"2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|x|1:00|COMPLETED|cpu=1|1G", "End is not a time"},
	    {"2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|long|COMPLETED|cpu=1|1G", "Timelimit"},
	    {"2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|DONE|cpu=1|1G",
	     "State is not known"},
	    {"2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|COMPLETED|mem=1|1G",
	     "no processors"},
	    {"2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1|big", "ReqMem"},
	    {"2|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|Unknown|1:00|COMPLETED|cpu=1|1G", "run time unknown"},
	    {"2|u|p|2025-11-06T09:00:10|None|Unknown|1:00|CANCELLED|cpu=1|1G", "its end is unknown"},
	    {"2|u|p|2025-11-06T09:00:10|x|y|z|2025-11-06T09:02:11|1:00|COMPLETED|cpu=1|1G", "line has 12 cells"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		char *text =
		    g_strconcat("JobID|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES|ReqMem\n"
		                "1|u|p|2025-11-06T09:00:10|2025-11-06T09:00:11|2025-11-06T09:02:11|01:00|COMPLETED|"
		                "cpu=1|1G\n",
		                table[i].row, "\n", NULL);
		struct workload *w = open_text(text, NULL);
		assert_int_equal(workload_info(w)->replayed, 1);
		assert_cause(w, table[i].cause, 1, 3);
		workload_close(w);
		assert_refused(text, &(struct workload_options){.strict = true}, table[i].cause);
		g_free(text);
	}
}

static void test_real_dumps(void **state)
{
	(void)state;
	check_real("pozidriv", "slurm/xdmod_pozidriv.sacct.psv.gz", 11704, 11704);
	check_real("invalid UTF-8", "slurm/meta_gcm_sacct_all_columns_invalid_utf8.psv", 11, 2);
	check_real("multiline", "slurm/meta_gcm_sacct_multiline.psv", 6, 2);
	const char *states = SHARED_TRACES "slurm/meta_gcm_sacct_states_2021-04.psv.gz";
	if (g_access(states, R_OK) != 0) {
		printf("SKIPPED states: ../shared absent\n");
		return;
	}
	GError *error = NULL;
	assert_null(workload_open(states, NULL, &error)); /* four columns are not enough to replay */
	assert_non_null(strstr(error->message, "Submit"));
	g_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plain_row),
	    cmocka_unit_test(test_delimiter_in_name),
	    cmocka_unit_test(test_two_free_texts),
	    cmocka_unit_test(test_short_line),
	    cmocka_unit_test(test_line_breaks),
	    cmocka_unit_test(test_shapes),
	    cmocka_unit_test(test_no_header),
	    cmocka_unit_test(test_endings),
	    cmocka_unit_test(test_cancelled_before_start),
	    cmocka_unit_test(test_arrays),
	    cmocka_unit_test(test_requeues),
	    cmocka_unit_test(test_sizes),
	    cmocka_unit_test(test_submit_line),
	    cmocka_unit_test(test_times),
	    cmocka_unit_test(test_ids),
	    cmocka_unit_test(test_damage),
	    cmocka_unit_test(test_real_dumps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
