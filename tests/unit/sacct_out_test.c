/* Tests of tools/sacct_out.c. The first lines expected are those of Slurm itself (26.11, sacct -a -X). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/recorder.h"
#include "tools/sacct_out.h"
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

enum { T0 = 1795971455 }; /* 2026-11-29T16:57:35, the submission of most jobs */

static struct job_row base(uint32_t id, const char *name, const char *partition, const char *account)
{
	return (struct job_row){.job = id,
	                        .array_task = NO_VAL,
	                        .name = name,
	                        .user = "alice",
	                        .account = account,
	                        .partition = partition,
	                        .qos = "normal",
	                        .submit_t = T0 * USEC,
	                        .submit_s = T0,
	                        .eligible_s = T0,
	                        .time_limit = 20,
	                        .req_nodes = 1,
	                        .req_cpus = 1,
	                        .req_mem = 2000,
	                        .req_tres = "billing=1,cpu=1,mem=2000M,node=1",
	                        .priority = 140};
}

static void run(struct job_row *j, sec_t start, sec_t end, uint32_t cpus, const char *nodes, const char *state)
{
	j->start_s = T0 + start;
	j->start_t = j->start_s * USEC;
	j->end_s = end ? T0 + end : 0;
	j->end_t = j->end_s * USEC;
	j->ncpus = cpus;
	j->nnodes = 1;
	j->nodelist = nodes;
	j->state = state;
	j->alloc_tres = "billing=1,cpu=1,mem=2000M,node=1";
	j->scheduler = "main";
}

static void add_started(struct recorder *r)
{
	struct job_row j = base(1, "train", "gpu", "physics");
	run(&j, 1, 0, 16, "h01", "RUNNING");
	j.time_limit = 60;
	j.req_cpus = 8;
	j.req_mem = 65536;
	j.priority = 1453;
	recorder_job(r, &j);
	j = base(2, "nodefail", "cpu", "acme_long_account");
	run(&j, 1, 16, 1, "c04", "NODE_FAIL");
	j.exit_code = 1;
	j.scheduler = "backfill";
	recorder_job(r, &j);
	j = base(4, "a_very_long_job_name_that_exceeds_forty_characters_indeed", "cpu", "acme_long_account");
	run(&j, 1, 17, 4, "c02", "COMPLETED");
	recorder_job(r, &j);
	j = base(9, "segv", "cpu", "physics");
	run(&j, 1, 1, 1, "c02", "OUT_OF_MEMORY");
	j.exit_signal = 125;
	recorder_job(r, &j);
	j = base(12, "cancelme", "cpu", "acme_long_account");
	run(&j, 16, 16, 1, "c02", "CANCELLED by 2005");
	j.reason = "AssocMaxJobsLimit";
	recorder_job(r, &j);
	j = base(16, "requeued", "cpu", "chem");
	run(&j, 1, 16, 2, "c01", "REQUEUED");
	recorder_job(r, &j);
	j = base(24, "sweep", "cpu", "chem");
	run(&j, 2, 0, 1, "c01", "RUNNING");
	j.array_job = 7;
	j.array_task = 0;
	recorder_job(r, &j);
}

static void add_waiting(struct recorder *r)
{
	struct job_row j = base(7, "sweep", "cpu", "chem");
	j.array_job = 7;
	j.array_tasks = "[2-9%2]";
	j.eligible_s = 0;
	j.state = "PENDING";
	recorder_job(r, &j);
	j = base(32, "big", "gpu", "physics");
	j.submit_s = j.eligible_s = T0 + 7;
	j.submit_t = j.submit_s * USEC;
	j.time_limit = 2880;
	j.req_nodes = 3;
	j.req_cpus = 24;
	j.req_mem = 307200;
	j.priority = 3503;
	j.state = "PENDING";
	recorder_job(r, &j);
	j = base(38, "deadline", "cpu", "physics");
	j.submit_s = T0 + 8;
	j.eligible_s = T0 + 67;
	j.end_s = T0 + 131;
	j.req_cpus = 30;
	j.state = "DEADLINE";
	j.exit_code = 1;
	j.time_limit = NO_VAL;
	recorder_job(r, &j);
	j = base(41, "cancelpend", "cpu", "physics");
	j.submit_s = T0 + 9;
	j.end_s = T0 + 16;
	j.eligible_s = 0;
	j.state = "CANCELLED by 2005";
	j.time_limit = INFINITE;
	recorder_job(r, &j);
	j = base(16, "requeued", "cpu", "chem");
	j.submit_s = T0 + 16;
	j.eligible_s = T0 + 137;
	j.run = 1;
	run(&j, 141, 0, 2, "c01", "RUNNING");
	j.constraints = "h100|a100";
	recorder_job(r, &j);
}

static struct recorder *make(const char *version)
{
	struct recorder *r = recorder_open(NULL, NULL);
	char *end = g_strdup_printf("%" G_GINT64_FORMAT, (T0 + 193) * USEC);
	recorder_meta(r, "end", end);
	recorder_meta(r, "cluster", "orc");
	recorder_meta(r, "slurm_version", version);
	g_free(end);
	add_waiting(r); /* the order of writing must not matter */
	add_started(r);
	assert_true(recorder_finish(r, NULL));
	return r;
}

static void check_version(const char *version, const char *format, bool parsable2, bool no_header, const char *expected)
{
	struct recorder *r = make(version);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	GError *error = NULL;
	if (!sacct_print(out, recorder_db(r), format, parsable2, no_header, &error))
		fail_msg("%s", error->message);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	recorder_free(r);
}

static void check(const char *format, bool parsable2, bool no_header, const char *expected)
{
	check_version("26.11", format, parsable2, no_header, expected);
}

static void test_default(void **state)
{
	(void)state;
	check(NULL, false, false,
	      "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n"
	      "------------ ---------- ---------- ---------- ---------- ---------- -------- \n"
	      "1                 train        gpu    physics         16    RUNNING      0:0 \n"
	      "2              nodefail        cpu acme_long+          1  NODE_FAIL      1:0 \n"
	      "4            a_very_lo+        cpu acme_long+          4  COMPLETED      0:0 \n"
	      "7_[2-9%2]         sweep        cpu       chem          0    PENDING      0:0 \n"
	      "9                  segv        cpu    physics          1 OUT_OF_ME+    0:125 \n"
	      "12             cancelme        cpu acme_long+          1 CANCELLED+      0:0 \n"
	      "16             requeued        cpu       chem          2   REQUEUED      0:0 \n"
	      "7_0               sweep        cpu       chem          1    RUNNING      0:0 \n"
	      "32                  big        gpu    physics          0    PENDING      0:0 \n"
	      "38             deadline        cpu    physics          0   DEADLINE      1:0 \n"
	      "41           cancelpend        cpu    physics          0 CANCELLED+      0:0 \n"
	      "16             requeued        cpu       chem          2    RUNNING      0:0 \n");
}

static void test_widths(void **state)
{
	(void)state;
	/* the first two rows are in Slurm's own sacct-o-widths capture */
	struct recorder *r = make("26.11");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_true(sacct_print(out, recorder_db(r), "JobID%-20, state%-6,ELAPSED%5,NodeList%-10,ReqMem%4", false,
	                        false, NULL));
	fclose(out);
	static const char expected[] = "JobID                State  Elaps NodeList   ReqM \n"
	                               "-------------------- ------ ----- ---------- ---- \n"
	                               "1                    RUNNI+ 00:03:12 h01         64G \n"
	                               "2                    NODE_+ 00:00:15 c04        200+ \n";
	text[strlen(expected)] = '\0';
	assert_string_equal(text, expected);
	free(text);
	recorder_free(r);
}

static void test_jobid_to_the_right(void **state)
{
	(void)state;
	struct recorder *r = make("26.11");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_true(sacct_print(out, recorder_db(r), "JobID%8,JobName%30,TimelimitRaw%4,Timelimit", false, true, NULL));
	fclose(out);
	assert_non_null(strstr(text, "       1                          train   60   01:00:00 \n"));
	assert_non_null(strstr(text, "       4 a_very_long_job_name_that_exc+   20   00:20:00 \n"));
	assert_non_null(strstr(text, "      32                            big 2880 2-00:00:00 \n"));
	assert_non_null(strstr(text, "      38                       deadline Par+ Partition+ \n"));
	assert_non_null(strstr(text, "7_[2-9%+                          sweep   20   00:20:00 \n"));
	free(text);
	recorder_free(r);
}

static void test_parsable_all(void **state)
{
	(void)state;
	check(
	    "JobID,JobIDRaw,Submit,Eligible,Start,End,Elapsed,ElapsedRaw,Planned,Timelimit,TimelimitRaw,State", true,
	    false,
	    "JobID|JobIDRaw|Submit|Eligible|Start|End|Elapsed|ElapsedRaw|Planned|Timelimit|TimelimitRaw|State\n"
	    "1|1|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:36|Unknown|00:03:12|192|00:00:01|01:00:00|60|"
	    "RUNNING\n"
	    "2|2|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:36|2026-11-29T16:57:51|00:00:15|15|00:00:01|"
	    "00:20:00|20|NODE_FAIL\n"
	    "4|4|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:36|2026-11-29T16:57:52|00:00:16|16|00:00:01|"
	    "00:20:00|20|COMPLETED\n"
	    "7_[2-9%2]|7|2026-11-29T16:57:35|Unknown|Unknown|Unknown|00:00:00|0|00:00:00|00:20:00|20|PENDING\n"
	    "9|9|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:36|2026-11-29T16:57:36|00:00:00|0|00:00:01|"
	    "00:20:00|20|OUT_OF_MEMORY\n"
	    "12|12|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:51|2026-11-29T16:57:51|00:00:00|0|00:00:16|"
	    "00:20:00|20|CANCELLED by 2005\n"
	    "16|16|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:36|2026-11-29T16:57:51|00:00:15|15|00:00:"
	    "01|"
	    "00:20:00|20|REQUEUED\n"
	    "7_0|24|2026-11-29T16:57:35|2026-11-29T16:57:35|2026-11-29T16:57:37|Unknown|00:03:11|191|00:00:02|00:20:00|"
	    "20|RUNNING\n"
	    "32|32|2026-11-29T16:57:42|2026-11-29T16:57:42|Unknown|Unknown|00:00:00|0|00:03:06|2-00:00:00|2880|"
	    "PENDING\n"
	    "38|38|2026-11-29T16:57:43|2026-11-29T16:58:42|None|2026-11-29T16:59:46|00:00:00|0|00:01:04|Partition_"
	    "Limit|"
	    "Partition_Limit|DEADLINE\n"
	    "41|41|2026-11-29T16:57:44|Unknown|None|2026-11-29T16:57:51|00:00:00|0|00:00:00|UNLIMITED|UNLIMITED|"
	    "CANCELLED by 2005\n"
	    "16|16|2026-11-29T16:57:51|2026-11-29T16:59:52|2026-11-29T16:59:56|Unknown|00:00:52|52|00:00:04|00:20:00|"
	    "20|"
	    "RUNNING\n");
}

static void test_parsable_rest(void **state)
{
	(void)state;
	struct recorder *r = make("26.11");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_true(
	    sacct_print(out, recorder_db(r),
	                "JobID,User,QOS,ExitCode,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,NodeList,Priority,"
	                "Reason,Restarts,Constraints,Flags,Cluster,CPUTime,CPUTimeRAW,AllocNodes,ReqNodes",
	                true, true, NULL));
	fclose(out);
	assert_non_null(strstr(text,
	                       "1|alice|normal|0:0|1|16|8|64G|billing=1,cpu=1,mem=2000M,node=1|billing=1,cpu=1,"
	                       "mem=2000M,node=1|h01|1453|None|0||SchedMain,StartReceived|orc|00:51:12|3072|1|1\n"));
	assert_non_null(strstr(text,
	                       "\n12|alice|normal|0:0|1|1|1|2000M|billing=1,cpu=1,mem=2000M,node=1|billing=1,cpu=1,"
	                       "mem=2000M,node=1|c02|140|AssocMaxJobsLimit|0||SchedMain,StartReceived|orc|"));
	assert_non_null(strstr(text,
	                       "\n32|alice|normal|0:0|3|0|24|300G|billing=1,cpu=1,mem=2000M,node=1||None assigned|"
	                       "3503|None|0||StartReceived|orc|00:00:00|0|0|3\n"));
	assert_non_null(strstr(text, "|c01|140|None|1|h100|a100|SchedMain,StartReceived|orc|"));
	free(text);
	recorder_free(r);
}

static void test_22_05(void **state)
{
	(void)state;
	struct recorder *r = make("22.05");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_true(sacct_print(out, recorder_db(r), "JobID,AllocCPUS,Start,Reserved,Flags", true, false, NULL));
	fclose(out);
	assert_true(g_str_has_prefix(text, "JobID|AllocCPUS|Start|Reserved|Flags\n"));
	assert_non_null(strstr(text, "\n32|24|Unknown|00:03:06|StartRecieved\n"));
	assert_non_null(strstr(text, "\n38|30|None|00:01:04|StartRecieved\n"));
	assert_non_null(strstr(text, "\n41|1|2026-11-29T16:57:51|00:00:00|StartRecieved\n"));
	free(text);
	recorder_free(r);
}

static void refuse(const char *format, const char *word)
{
	struct recorder *r = make("26.11");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	GError *error = NULL;
	assert_false(sacct_print(out, recorder_db(r), format, false, false, &error));
	fclose(out);
	assert_int_equal(size, 0);
	assert_true(g_error_matches(error, SACCT_ERROR, 0));
	assert_non_null(strstr(error->message, word));
	assert_non_null(strstr(error->message, "Account,AdminComment,AllocCPUS,"));
	g_error_free(error);
	free(text);
	recorder_free(r);
}

static void test_bad_formats(void **state)
{
	(void)state;
	refuse("JobID,nosuch", "Invalid field requested: \"nosuch\"");
	refuse("nosuch%5", "Invalid field requested: \"nosuch%5\"");
	refuse("JobID%", "Invalid field width requested: \"JobID%\"");
	refuse("JobID%x", "Invalid field width requested: \"JobID%x\"");
	refuse("JobID%0", "Invalid field width requested");
	refuse("JobID%99999999999999999999", "Invalid field width requested");
	refuse("", "No field requested");
	refuse(" , ,", "No field requested");
}

static void test_without_meta(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	char *text = NULL;
	size_t size = 0;
	struct job_row j = base(1, "a", "cpu", "x");
	run(&j, 1, 0, 1, "n1", "RUNNING");
	recorder_job(r, &j);
	recorder_series(r, (T0 + 61) * USEC, 1, 0, 1, 0, 0); /* the latest instant */
	assert_true(recorder_finish(r, NULL));
	FILE *out = open_memstream(&text, &size);
	assert_true(sacct_print(out, recorder_db(r), "jobid,elapsed,cluster", true, true, NULL));
	fclose(out);
	assert_string_equal(text, "1|00:01:00|\n");
	free(text);
	recorder_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_default),
	    cmocka_unit_test(test_widths),
	    cmocka_unit_test(test_jobid_to_the_right),
	    cmocka_unit_test(test_parsable_all),
	    cmocka_unit_test(test_parsable_rest),
	    cmocka_unit_test(test_22_05),
	    cmocka_unit_test(test_bad_formats),
	    cmocka_unit_test(test_without_meta),
	};
	return cmocka_run_group_tests_name("sacct_out", tests, NULL, NULL);
}
