/* requeue.h - what requeue.c does for the rest of the life cycle (C40, C41); the command itself is in controller.h */
#ifndef SCHED_REQUEUE_H
#define SCHED_REQUEUE_H
#include "sched/controller.h"

/* J has ended by itself and its last epilog is done: it waits again if RequeueExit or RequeueExitHold has its exit code. */
void requeue_by_exit(struct controller *c, struct job *j);
#endif
