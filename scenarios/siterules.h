/*
 * siterules.h - what a site's submit plugin does, as a small table in the scenario: routes and boosts by size and time.
 *
 *   "site_rules": [
 *     {"if": {"partition": "", "gpus_min": 1, "time_max": "4:00:00"}, "partition": "gpu-short"},
 *     {"if": {"nodes_min": 5645}, "age_boost": "8-0"},
 *     {"if": {"user": ["ann", "bob"], "qos": ""}, "qos": "high", "last": true},
 *     {"if": {"time_min": "14-0"}, "reject": "at most 14 days"}]
 *
 * Every job passes all rules in order at its submission, before the controller sees it, as with job_submit; "last" ends
 * the walk when its rule fitted. Conditions of one rule must all hold: nodes, gpus, cpus and time with _min and _max
 * (inclusive); partition, qos, account, user, name: a text or a list of texts, of which "" is "not given". A time limit
 * that was not given fits no condition on time. Sizes are those of the request: nodes as asked (1 when not), or as
 * tasks and tasks a node need; gpus over all nodes; cpus tasks times CPUs a task.
 *
 * What a rule does: set partition, qos, account, reservation, constraint, time (of a job without a limit), nice
 * (added); site_factor (added; points) or age_boost (added; a time in points of PriorityWeightAge over PriorityMaxAge,
 * P20); reject with a message. Pending jobs are not touched later.
 */
#ifndef SCENARIOS_SITERULES_H
#define SCENARIOS_SITERULES_H
#include "scenarios/scenario_json.h"
#include "sched/params.h"
#include "sched/request.h"

#define SUBMIT_RULE_ERROR (g_quark_from_static_string("site-rule"))

struct site_rules;
/* Read LIST (of T) for a cluster with parameters P. NULL after reporting into DIAG. */
struct site_rules *site_rules_read(const struct json_text *t, const cJSON *list, const struct sched_params *p,
                                   struct diag *diag);
void site_rules_free(struct site_rules *r); /* NULL is allowed */
/* Change REQ (a sim_options.at_submit). RULES is a struct site_rules. False and ERROR: rejected. */
bool site_rules_apply(void *rules, struct job_request *req, GError **error);
#endif
