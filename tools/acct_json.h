/*
 * acct_json.h - `--json` of sshare and sacctmgr show, in the shape of Slurm's data_parser (v0.0.46; spec
 * command-output.md 10).
 *
 * Rows are those of the text (sshare_out.h, sacctmgr_out.h); here each becomes an object with every key of Slurm's in
 * Slurm's order.
 */
#ifndef TOOLS_ACCT_JSON_H
#define TOOLS_ACCT_JSON_H
#include "sched/controller.h"
#include "sched/priority.h"
#include "tools/schema_json.h"

cJSON *json_share(const struct controller *c, const struct assoc *a, const struct fair_view *v);
cJSON *json_assoc(const struct cluster *c, const struct assoc *a);
cJSON *json_qos(const struct cluster *c, const struct qos *q);
cJSON *json_user(const struct cluster *c, const char *user);
cJSON *json_account(const struct assoc *a);
char *assoc_lineage(const struct assoc *a); /* "/science/chem/0-carol/gpu/"; g_free */
uint32_t tres_number(uint32_t i);           /* what accounting calls TRES I of the table */
/* The kinds of TRES with their numbers; counts of the cluster, or 0. */
cJSON *json_tres_kinds(const struct cluster *c, bool counted);
cJSON *json_cluster(const struct cluster *c);
/* COMMAND "sshare --json" answers with LIST (taken over) under PAYLOAD. */
void json_print_acct(FILE *out, const struct cluster *c, const char *payload, cJSON *list, const char *command);
#endif
