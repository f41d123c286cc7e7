/* score_parts.h - inside of score: one call a measure or two; see score.h. Everything is borrowed. */
#ifndef CONFORMANCE_SCORE_PARTS_H
#define CONFORMANCE_SCORE_PARTS_H
#include "tests/conformance/score.h"

struct scoring {
	const struct record *record;
	const struct run *sim;
	const struct score_rules *rules;
	struct score *score;
};

void score_jobs(const struct scoring *c);     /* state, start, nodes, placement */
void score_order(const struct scoring *c);    /* order */
void score_waiting(const struct scoring *c);  /* reasons, priority */
void score_plans(const struct scoring *c);    /* plans */
void score_refusals(const struct scoring *c); /* refusals */

/* The same run in the second recording. *SINGLE: there is no second recording. */
const struct job_run *scoring_second(const struct scoring *c, const char *label, guint k, bool *single);
#endif
