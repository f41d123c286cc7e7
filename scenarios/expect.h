/*
 * expect.h - what a scenario promises: the list "expect" of a scenario file, read and checked against the scenario.
 *
 *   "expect": [
 *     {"name": "the small job goes first", "rule": ["B30", "S12"], "job": "small", "starts_before": "wide"},
 *     {"job": "wide", "at": 600, "state": "PENDING", "reason": "Resources"},
 *     {"class": {"partition": "gpu"}, "max_wait": "2:00:00"}]
 *
 * Every entry may have
 *   "name"      what it says, in words; else its claims are its name
 *   "rule"      rule ids, one or a list, told when it fails (their words: tools/rule_title.h); a name of the site's
 *               own, which is no letter with a number, is told as it is
 *   "version"   "22.05" or "26.05": it holds under the rules of that release only, and is skipped under the other
 * and is of one of these kinds, each with one claim or more; all of an entry's claims must hold.
 *
 * T: seconds after the start, or a date or duration in quotes. D: seconds, or a duration with ':' or '-' in quotes. J,
 * J2: a name of the scenario's jobs, an id, or an array's task "name_3", "12_3". [a, b] includes both. An array named
 * as a whole starts with its first task, ends with its last, and waits as long as the task that waits longest. Of a
 * requeued job the first run is meant, or "run": N (0 first).
 *
 *   {"job": J, ...}
 *     "starts": true | false        it starts | never does
 *     "starts_before": J2, "starts_after": J2, "starts_with": J2
 *                                   by whole seconds; a job that never starts is after all others
 *     "starts_at": T | [T1, T2],  "starts_by": T
 *     "waits": D | [D1, D2]         from its submission (or requeue) to its start; one D: at most. It must start
 *     "ends": "TIMEOUT"             its final state, as sacct calls it
 *     "refused": "text" | false     refused at submission with this text, or a part of it, any case; false: accepted
 *     "requeued": N | [a, b]        how often
 *     "preempted_by": J2 | true     by that job | by any; false: never
 *     "waited_for": R, "never_waited_for": R      this reason at some time of its waits | at no time
 *   {"job": J, "at": T, ...}        as squeue --at T shows it: after all that happens up to T and at T. A job whose
 *                                   record is purged (MinJobAge) still has its state
 *     "state": S, "reason": R | "text as squeue prints it", "nodes": "n[1-2]", "cpus": N, "gpus": N,
 *     "gpu_idx": {"n1": "0-3"}, "priority_above": J2, "priority": N | [a, b]
 *   {"class": {"user": U, "account": A, "partition": P, "qos": Q, "size": S, "gpu": G}, "max_wait": D}
 *                                   no job of the class waits longer, from when it is eligible (metric wait_max). A
 *                                   list of names: any of them; {} = all jobs. A class without a job fails. Sizes and
 *                                   GPU types as "whypend compare" calls them
 *   {"metric": M, "class": {...}, "range": [a, b]}
 *                                   null = no bound on that side. tools/metrics.h lists and defines them: wait_mean (or
 *                                   mean_wait), wait_p95, cpu_utilisation (0 to 1), jain, ...
 *   {"passes": N}, {"backfill_cycles": N}
 *                                   the run takes at most N passes of the main scheduler, cycles of backfill, that had
 *                                   a queue
 *
 * Reading reports, with line and column: unknown keys, claims without their "job", unknown jobs (of a scenario whose
 * jobs are all inline; else when it is checked), unknown reasons, states, nodes, and times behind the end.
 */
#ifndef SCENARIOS_EXPECT_H
#define SCENARIOS_EXPECT_H
#include "scenarios/scenario.h"
#include "scenarios/scenario_json.h"

enum claim_kind {
	CLAIM_STARTS,
	CLAIM_STARTS_BEFORE,
	CLAIM_STARTS_AFTER,
	CLAIM_STARTS_WITH,
	CLAIM_STARTS_AT,
	CLAIM_STARTS_BY,
	CLAIM_WAITS,
	CLAIM_ENDS,
	CLAIM_REFUSED,
	CLAIM_REQUEUED,
	CLAIM_PREEMPTED_BY,
	CLAIM_WAITED_FOR,
	CLAIM_NEVER_WAITED_FOR,
	/* at a moment */
	CLAIM_STATE,
	CLAIM_REASON,
	CLAIM_NODES,
	CLAIM_CPUS,
	CLAIM_GPUS,
	CLAIM_GPU_IDX,
	CLAIM_PRIORITY_ABOVE,
	CLAIM_PRIORITY,
	/* of a class, or of the run */
	CLAIM_MAX_WAIT,
	CLAIM_RANGE,
	CLAIM_PASSES,
	CLAIM_BACKFILL_CYCLES,
	N_CLAIMS
};
const char *claim_key(enum claim_kind k); /* "starts_before" */

struct claim {
	enum claim_kind kind;
	bool yes;         /* false: "starts": false and the like */
	char *text;       /* J2, a state, a reason, a message, nodes; NULL */
	double low, high; /* seconds (times: after the start), counts, a metric; -INFINITY, INFINITY = open */
	char **idx;       /* GPU_IDX: node and index list in turn; NULL */
	guint line, column;
};

struct class_part {   /* "user": ["ann", "bob"] */
	char *key;    /* user, account, partition, qos, size, gpu */
	char **names; /* any of them */
};

struct expect {
	char *name;          /* NULL = none given */
	char **rules;        /* NULL = none */
	const char *version; /* "22.05", "26.05"; static; NULL = both */
	char *job;           /* NULL = of a class, or of the run */
	uint32_t run;        /* of a requeued job */
	bool has_at;
	double at;    /* seconds after the start */
	char *metric; /* NULL */
	bool has_class;
	GPtrArray *class;   /* of struct class_part *; NULL = all jobs */
	GArray *claims;     /* of struct claim; at least one */
	guint line, column; /* of the entry */
};

/* Read LIST of file T into S->expect (of struct expect *), after all else of S has been read. */
void scenario_read_expect(const struct json_text *t, const cJSON *list, struct scenario *s, struct diag *diag);
void expect_free(void *expect);
/* A claim in words: "a starts before b"; g_free. */
char *claim_words(const struct expect *e, const struct claim *c);
/* The entry's name, or its claims in words; g_free. */
char *expect_words(const struct expect *e);
#endif
