/*
 * check.h - whypend check: a scenario run once, and each of its expectations (scenarios/expect.h) judged.
 *
 *   check_scenario   one run, with a record in memory; it stops at the moments that are asked about (check_look.c), and
 *                    at its end the claims are judged over the record (check_judge.c)
 *   check_all        many scenarios, several at once; the results stand in the order asked for (check_many.c)
 *   check_print      what came out: TAP and annotations of GitHub (check_out.c), JUnit XML (check_xml.c), JSON
 *                    (check_json.c)
 *   check_record     ranges of metrics from replicas, as expectations to begin with (check_record.c)
 *
 * What is printed is a function of the inputs: no clock, no number of processors shows in it.
 */
#ifndef TOOLS_CHECK_H
#define TOOLS_CHECK_H
#include "scenarios/expect.h"
#include "tools/metrics.h"
#include "tools/options.h"
#include <stdio.h>

enum check_outcome {
	CHECK_HOLDS,
	CHECK_FAILS,
	CHECK_SKIPPED, /* of another release */
	CHECK_WRONG,   /* it cannot be judged: "happened" says why */
};
const char *outcome_name(enum check_outcome o); /* "holds", "fails", "skipped", "wrong" */

struct verdict { /* owned */
	enum check_outcome outcome;
	char *name;                /* of the expectation, or its claims in words */
	char *expected, *happened; /* of what fails: the claims that do, with "; " between; else NULL */
	char **rules;              /* ids; NULL */
	char *explanation;         /* the story of the job concerned; NULL */
	guint line, column;        /* of the entry */
};

struct check_result {               /* owned */
	char *file;                 /* the scenario's file, as given or found */
	char *name, *slurm_version; /* NULL: it could not be read */
	char *error;                /* it could not be run: lines; NULL */
	GPtrArray *warnings;        /* of char * */
	GPtrArray *verdicts;        /* of struct verdict * */
};
struct check_result *check_result_new(const char *file);
void check_result_free(void *result);

/* Run the scenario at PATH with OPTIONS and judge. Never NULL. */
struct check_result *check_scenario(const struct tool_options *options, const char *path);
/* All PATHS (of char *), at most JOBS at once. Array of struct check_result *. */
GPtrArray *check_all(const struct tool_options *options, const GPtrArray *paths, guint jobs);
/*
 * Scenarios that PATH stands for, into OUT (of char *): a file or a scenario's folder itself; of any other folder those
 * in it, however deep, by name: folders with a scenario.json, and *.json that are scenarios. False and ERROR when there
 * is none.
 */
bool check_find(const char *path, GPtrArray *out, GError **error);

enum check_format { CHECK_TAP, CHECK_JUNIT, CHECK_JSON, CHECK_GITHUB, N_CHECK_FORMATS };
bool check_format_find(const char *name, enum check_format *out); /* "tap", "junit", "json", "github" */
void check_print(FILE *out, const GPtrArray *results, enum check_format format);
/* 0 all hold, 1 some fail, 2 a scenario is wrong. */
int check_exit(const GPtrArray *results);

struct check_counts {
	guint scenarios, wrong_scenarios, holds, fails, skipped, wrong;
};
struct check_counts check_count(const GPtrArray *results);

/* check_json.c: a result as JSON, and back (between processes). */
struct cJSON;
struct cJSON *check_result_json(const struct check_result *r);
struct check_result *check_result_parse(const char *text);
void check_print_json(FILE *out, const GPtrArray *results);
void check_print_junit(FILE *out, const GPtrArray *results); /* check_xml.c */

/*
 * The text of the scenario's file at PATH with ranges of metrics put into its "expect", from the scenario as it is and
 * REPLICAS of it: of all jobs, and of each class of KIND when there are several. NULL and ERROR. g_free.
 */
char *check_record(const struct tool_options *options, const char *path, guint replicas, guint jobs,
                   enum class_kind kind, GError **error);
#endif
