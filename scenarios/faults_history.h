/* faults_history.h - "faults" from what a site's commands print: see scenario_faults.h */
#ifndef SCENARIOS_FAULTS_HISTORY_H
#define SCENARIOS_FAULTS_HISTORY_H
#include "sched/base/diag.h"
#include "sched/base/hostlist.h"
#include "scenarios/scenario.h"

/* TEXT of PATH is such an output: its failures become events of S. False: it is something else. */
bool faults_history_read(struct scenario *s, const char *path, const char *text, struct diag *diag);
#endif
