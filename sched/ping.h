/*
 * ping.h - the controller asks its nodes whether they are there (main-scheduler S1), and an answer is a change of nodes: it wakes backfill (B2).
 *
 * Nothing else may happen on the cluster, and a job whose begin time has come, or whose dependency on a time ("after:12+1") is met, still starts:
 * in the backfill cycle that follows the next answer.
 *
 * Recorded (22.05 and 26.11: dependencies, drain-down, mixed-hour):
 *   - the first round comes 4 s after the controller's loop has begun (3 s where all nodes were up before it: 26.11 preempt_strict, more_fairtree), the others each P = SlurmdTimeout / 3 (300: 100 s), at turns of the loop;
 *   - a round asks the nodes from which nothing was heard for more than P: where nothing happens every other round;
 *   - each 20th round asks all of them to register;
 *   - a node is heard when it answers, when a batch script is launched on it (the first node of the job), when a job has left it, when it registers;
 *   - a node that is resumed is asked at the next turn, and the rounds count from there.
 * A round in which a node does not answer takes 11 s until that is known; that is not modelled.
 */
#ifndef SCHED_PING_H
#define SCHED_PING_H
#include "sched/state.h"

/* SlurmdTimeout=0: nobody asks. Free with g_free. */
struct pings *pings_new(const struct controller *c);
void ping_heard(struct controller *c, uint32_t node);
void ping_soon(struct controller *c, uint32_t node); /* it is resumed */
void ping_tick(struct controller *c);                /* the turn of the loop */
/* The first second whose turn, with SINCE its own first second, has a round; INT64_MAX = none. */
sec_t ping_next(const struct controller *c, sec_t since);
#endif
