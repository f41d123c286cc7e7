/*
 * explain_priority.h - why a job has its priority, and where a fair-share stands, in words and numbers.
 *
 * Everything is read from the live controller; nothing is simulated further. "When it would overtake" supposes that nothing
 * changes but age: no usage, no other job.
 */
#ifndef TOOLS_EXPLAIN_PRIORITY_H
#define TOOLS_EXPLAIN_PRIORITY_H
#include "sched/controller.h"
#include <stdio.h>

/* The sum of JOB as of NOW term by term, its place in the share tree, and the AHEAD jobs directly ahead of it. */
void explain_priority_job(FILE *out, const struct controller *c, const struct job *job, sec_t now, unsigned ahead);
/* The associations of USER and ACCOUNT (one of them may be NULL = any; user NULL: the account itself). False when there is none. */
bool explain_fairshare(FILE *out, const struct controller *c, const char *user, const char *account);
/* The second > NOW, rounded up to a decay tick, at which J is computed higher than OTHER by age alone; 0 = never. For tests. */
sec_t explain_overtakes(const struct controller *c, const struct job *j, const struct job *other, sec_t now);
#endif
