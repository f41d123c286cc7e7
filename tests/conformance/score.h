/*
 * score.h - a simulated run against a recorded one: which fields agree (shared/conformance.md).
 *
 * Every field is counted under one measure, as scored and, when it agrees, as agreeing; what disagrees is kept as a
 * struct difference. A field on which the two recordings of a scenario disagree is left out: the same comparison
 * decides that, except that starts and ends count as disagreeing only beyond the tolerance of free runs.
 *
 * Fields: state, exit and (a job each) number of runs; start and end; order of each pair of runs; node list; CPU ids,
 * GPU indices and memory; reasons held; priority first and last (a job each); start and nodes of each plan; refusal
 * and use of a job id of each submission refused here or there.
 */
#ifndef CONFORMANCE_SCORE_H
#define CONFORMANCE_SCORE_H
#include "tests/conformance/records.h"

enum measure {
	M_STATE,
	M_START,
	M_ORDER,
	M_NODES,
	M_PLACEMENT,
	M_REASONS,
	M_PRIORITY,
	M_PLANS,
	M_SNAPSHOTS,
	M_SDIAG,
	M_REFUSALS,
	N_MEASURES
};
extern const char *const measure_names[N_MEASURES];

struct tally {
	guint agree, scored;
};

struct difference {
	char *job, *field, *real, *simulated;
	int pass; /* in which it arose; -1 = not known */
};

struct score {
	struct tally of[N_MEASURES];
	GPtrArray *differences; /* of struct difference * */
};

struct score_rules {
	bool pinned;           /* equality; else the tolerances */
	double tolerance;      /* seconds, of free runs */
	double backfill_extra; /* added for a run that backfill started in every recording */
	gint64 priority_step;  /* what age alone adds in one PriorityCalcPeriod */
};

/* SIM may be NULL: nothing was simulated, so nothing agrees. */
struct score *score_run(const struct record *record, const struct run *sim, const struct score_rules *rules);
struct score *score_new(void);
void score_free(struct score *s); /* NULL is allowed */

/* Count a field; when it does not agree, keep the difference. */
void score_check(struct score *s, enum measure m, bool agree, const char *job, const char *field, const char *real,
                 const char *simulated, int pass);

/* ---- the comparisons ---- */

/* How far apart the starts of this run may be. */
double score_tolerance(const struct score_rules *rules, const struct job_run *real, const struct job_run *second);
/* Seconds, NO_TIME = never. */
bool score_times_agree(gint64 real, gint64 simulated, double tolerance);
/* In order when pinned; else as a set, with the same first and the same last. */
bool score_reasons_agree(char *const *real, char *const *simulated, bool pinned);
/* What sbatch printed means the same: what follows "Batch job submission failed: ", letters and digits only. A command
 * that refused without asking the controller agrees with any refusal. */
bool score_messages_agree(const char *real, const char *simulated);
#endif
