/*
 * scenario_json.h - a scenario file as plain values: what scenario.json, or the jobs.json of a recorded run, says.
 *
 * This layer knows JSON, keys, types and where in the text each stands; it resolves nothing and opens no other file.
 * Every finding goes into a struct diag with line and column (cJSON keeps no positions, so json_text_locate walks the
 * text along the parsed tree when one is needed).
 */
#ifndef SCENARIOS_SCENARIO_JSON_H
#define SCENARIOS_SCENARIO_JSON_H
#include "sched/base/diag.h"
#include <cjson/cJSON.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct json_text {  /* a parsed file */
	char *path; /* as messages name it */
	char *text;
	cJSON *root; /* NULL when the syntax is wrong */
};

/* Read and parse PATH. False after reporting: unreadable, syntax error (at its place), top level no object. */
bool json_text_read(struct json_text *t, const char *path, struct diag *diag);
void json_text_clear(struct json_text *t);
/* Line and column (from 1, in bytes) of ITEM's key, or of its value when it stands in an array. 0 and 0: not in T. */
void json_text_locate(const struct json_text *t, const cJSON *item, guint *line, guint *column);
/* The same for every item under PARENT, in the order of the text, in one walk over it. */
typedef void json_place_fn(void *data, const cJSON *item, guint line, guint column);
void json_text_locate_all(const struct json_text *t, const cJSON *parent, json_place_fn *fn, void *data);
/* Report at ITEM. */
void json_text_error(const struct json_text *t, const cJSON *item, struct diag *diag, const char *hint,
                     const char *format, ...) G_GNUC_PRINTF(5, 6);

enum scenario_kind { SCENARIO_FILE = 1, SCENARIO_RECORD = 2 /* jobs.json */ };

struct scenario_values { /* strings are borrowed from the text's tree; NULL = not there */
	const char *name, *about;
	const char *conf, *gres, *topology, *accounting, *cgroup, *groups;
	const char *trace, *format, *columns, *faults;
	bool swf_whole_nodes, raise_limits;
	const char *start, *clock, *controller_cost, *slurm_version, *release, *placement_model;
	const cJSON *until; /* number or string */
	bool seed_given;
	uint64_t seed;
	bool controller_start_given;
	double controller_start, tick_phase, tick_slip, backfill_phase, decay_phase, launch_latency, epilog_latency, kill_latency, boot_time; /* seconds */
	const cJSON *jobs, *events, *set, *users, *setup, *snapshots, *site_rules, *hardware, *expect;
};

/* Check T's keys and types against those of KIND and fill V (zeroed first). Reports into DIAG; false when anything was
 * wrong. */
bool scenario_values_read(const struct json_text *t, enum scenario_kind kind, struct scenario_values *v,
                          struct diag *diag);
#endif
