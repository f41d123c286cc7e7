/*
 * story.h - the wait of one run of a job, read from a run.db: interval by interval what stood in the way.
 *
 * The intervals follow each other without a gap from the submission (or the requeue) to the start, the end, or the end
 * of the record, so their lengths add up to the wait. For each: the reason; the rule of spec/ that decided it; the
 * figures that were recorded when it began; the jobs in the way at that time, with what they held and until when; what
 * clears such a reason, and what did clear it. A split array task shares the intervals of its array until it was split
 * off.
 *
 * Times are microseconds; "until" of a job that had not ended at the end of the record is start + limit, with ended =
 * false. Jobs in the way: Resources, ReqNodeNotAvail, Licenses: those running in the same partition; limits: those
 * running that count against the same owner; Priority: the job ahead; Dependency: the job depended on;
 * JobArrayTaskLimit: the running tasks.
 */
#ifndef TOOLS_STORY_H
#define TOOLS_STORY_H
#include "sched/base/duration.h"
#include "sched/reason.h"
#include <glib.h>
#include <stdbool.h>

struct sqlite3;
#define STORY_ERROR (g_quark_from_static_string("story"))

struct story_job { /* owned */
	char *id;  /* "12", "12_3", "12_[4-7]" */
	char *user, *account, *qos, *partition, *state;
	usec_t submit, start, end;              /* 0 = not (yet) */
	uint32_t time_limit, nodes, cpus, gpus; /* held, or asked for while it waits */
	usec_t until;                           /* its end; expected when !ended */
	bool ended;
};

enum clears { CLEARS_TIME, CLEARS_JOB, CLEARS_COMMAND, CLEARS_PASS, CLEARS_NEVER };
const char *clears_name(enum clears c); /* "time", "job", "admin", "pass", "never" */

struct story_interval { /* owned */
	usec_t from, to;
	enum reason reason;
	char *name, *detail, *blocker; /* as recorded; detail "" = none; blocker NULL */
	const char *rule;              /* "R14.5"; static */
	GPtrArray *jobs;               /* of struct story_job *, by the time they go; may be empty */
	guint n_jobs;                  /* of them in all: only the largest are kept in jobs */
	uint32_t nodes, cpus, gpus;    /* that all of them hold */
	enum clears clears;
	char *cleared_by; /* what clears such a reason, in words */
	char *ended_by;   /* what did: "job 12 of bob ended"; NULL = not known, or not cleared */
	/* filled by who watched the run (explain); 0 from a bare run.db */
	uint32_t main_passes, main_tested, backfill_cycles, backfill_tested, backfill_planned;
	char *cut_by; /* the cap that most often ended backfill before this job; NULL */
	uint32_t cut; /* how often */
};

struct story {
	struct story_job job;
	char *name, *label, *asked; /* asked: TRES as sacct's ReqTRES */
	uint32_t raw_id, run, runs;
	uint64_t req_mem;
	sec_t eligible;  /* seconds; 0 = never */
	usec_t from, to; /* the wait: from submission or requeue to the start, the end or the end of the record */
	bool started;
	const char *outcome;  /* "started", "ended without a start", "still waits"; static */
	GPtrArray *intervals; /* of struct story_interval * */
};

/* Read the story of JOB ("12", "12_3", a label, "@label"), run RUN (-1 = the first). NULL and ERROR. */
struct story *story_read(struct sqlite3 *db, const char *job, int run, GError **error);
void story_free(struct story *s);

/* The rule that sets a reason; FIRST: it is the reason given at submission. Static. */
const char *story_rule(enum reason r, const char *detail, bool first);
/* Parts of 1000 of the whole wait for each interval; they add up to 1000 (or are all 0). Free with g_free. */
uint32_t *story_shares(const struct story *s);
/* Total lengths by reason, longest first. Array of struct story_sum. */
struct story_sum {
	const char *name;
	usec_t length;
};
GArray *story_sums(const struct story *s);
#endif
