/* sacct_json.h - parts of sacct --json: what jobs and steps have in common (sacct_json.c), and a step (sacct_json_step.c) */
#ifndef TOOLS_SACCT_JSON_H
#define TOOLS_SACCT_JSON_H
#include "tools/sacct_steps.h"
#include "tools/schema_json.h"

#define SACCT_JSON_EXIT "{status:l return_code:t signal{id:n name:s}} "

/* "cpu=16,gres/gpu=4" -> [{"type", "name", "id", "count"}] */
cJSON *sacct_json_tres(const char *tres);
void sacct_json_exit(cJSON *o, const char *key, int code, int signal);
/* A step of the job whose JobIDRaw is j->job; NOW: of those that run. */
cJSON *sacct_json_step(const struct record *j, sec_t now);
#endif
