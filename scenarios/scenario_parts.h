/*
 * scenario_parts.h - the lists of a scenario file, turned into what a simulation takes: jobs, events, settings, times.
 *
 * All findings go into a struct diag with their place in the text; a bad entry is left out and the rest is read on.
 */
#ifndef SCENARIOS_SCENARIO_PARTS_H
#define SCENARIOS_SCENARIO_PARTS_H
#include "scenarios/scenario.h"
#include "scenarios/scenario_json.h"

/*
 * Inline jobs into OUT (of struct submission *), their times absolute. In a record (KIND) "T0+25 %H:%M:%S" in begin and
 * deadline is a time of day relative to START, and a job whose options sbatch itself would refuse is a warning, as no
 * such job ever reached the controller.
 */
void scenario_read_jobs(const struct json_text *t, const cJSON *jobs, enum scenario_kind kind, usec_t start,
                        GPtrArray *out, struct diag *diag);
/* Events into OUT (of struct scenario_event *), ascending; their commands are checked (sim/commands.h). Those with "view" in the place of "cmd"
 * go into VIEWS; their first word must be one of scenario_view_names. "sbatch ..." (traces/sbatch_line.h; its files are
 * sought beside the scenario) goes into SUBMISSIONS as scenario_read_jobs does. */
void scenario_read_events(const struct json_text *t, const cJSON *events, usec_t start, GPtrArray *out, GPtrArray *views,
                          GPtrArray *submissions, bool v22, struct diag *diag);
extern const char *const scenario_view_names[]; /* ends with NULL; tools/views.c has each */
/* Commands given before the first job, as events at START. */
void scenario_read_setup(const struct json_text *t, const cJSON *setup, usec_t start, GPtrArray *out,
                         struct diag *diag);
/* {"Key": "value" or number} into OUT (of char *, "Key=Value"). */
void scenario_read_set(const struct json_text *t, const cJSON *set, GPtrArray *out, struct diag *diag);
/* A list of names into OUT (of char *). */
void scenario_read_names(const struct json_text *t, const cJSON *names, GPtrArray *out, struct diag *diag);
/* A list of seconds; g_free. */
double *scenario_read_seconds(const struct json_text *t, const cJSON *list, guint *n, struct diag *diag);

void scenario_event_free(void *event);

#define SCENARIO_TIME_HINT                                                                                             \
	"write seconds after the start (3600), a date (2026-02-01T00:00:00) or a duration (2-00:00:00)"
/* A moment: seconds after START, a duration after START with ':' or '-', or a date (UTC). False on bad text. */
bool scenario_parse_time(const char *text, usec_t start, usec_t *out);
#endif
