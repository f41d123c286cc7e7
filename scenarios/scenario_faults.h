/*
 * scenario_faults.h - failures of nodes: a list of events, or a model ("faults" of a scenario, --faults FILE).
 *
 * A list is a CSV file with the header time,node,state,reason (reason may be left out): TIME in seconds after the start
 * or a date, NODE a host list, STATE as `scontrol update node=... state=` has it (down, drain, fail, resume, undrain).
 *
 * A history is what `sacctmgr -P show event start=... format=NodeName,TimeStart,TimeEnd,State,Reason` prints: each row takes the node out and
 * brings it back. Or what `sinfo -R` (better: `sinfo -R -l`, again and again, into one file) prints: then a node comes back when a later output
 * with its date line has it no more. Rows before the start count from it on.
 *
 * A model is a JSON object: default_node_rate_per_1000_node_days; cause_mix [{"cause": "gpu_faulty", "count": 148},
 * ...]; repair_classes [{"share": 0.4, "p50_h": 0.25, "p90_h": 2}, ...]. Other members tell where the numbers come from
 * and are not read. models/failure_rates.json is one.
 */
#ifndef SCENARIOS_SCENARIO_FAULTS_H
#define SCENARIOS_SCENARIO_FAULTS_H
#include "scenarios/scenario.h"

/* Read PATH: events are added to s->events, or s->sim.faults is set. Errors go to DIAG. */
void scenario_read_faults(struct scenario *s, const char *path, struct diag *diag);
#endif
