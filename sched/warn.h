/*
 * warn.h - --signal=[R][B:]SIG@W (lifecycle C36): sent once a run, at the first sweep with now + W + 30 >= the end, so more than W and at most W + 30
 * seconds before it. R: preemption E3. What the job does with it is the host's affair.
 */
#ifndef SCHED_WARN_H
#define SCHED_WARN_H
#include "sched/state.h"

/* J begins a run, which arms the signal; leaves it. */
void warn_arm(struct controller *c, struct job *j);
void warn_disarm(struct controller *c, struct job *j);
void warn_sweep(struct controller *c);
/* The sweep at or after which something is to be sent; INT64_MAX = never. */
sec_t warn_next(const struct controller *c);
/* The host hears of it. */
void warn_tell(struct controller *c, struct job *j);
#endif
