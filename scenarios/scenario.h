/*
 * scenario.h - what is asked: a scenario file or its parts given as options, made ready to run.
 *
 * scenario.json (paths relative to the file; unknown keys are errors with line and column):
 *   {"schema": "whypend-scenario/1", "name": "...", "about": "...",
 *    "conf": "slurm.conf", "gres": "gres.conf", "topology": "topology.conf", "accounting": "assoc.sacctmgr",
 *    "hardware": {"n[1-4]": "dgx_h100"},   node models, for AutoDetect of gres.conf: a JSON file, or the name of a ready one
 *    "groups": "group",                                 models/groups.h
 *    "cgroup": "cgroup.conf", "site_rules": [{...}],     siterules.h
 *    "trace": {"file": "jobs.jsonl.gz", "format": "swf|sacct|jsonl", "swf_whole_nodes": false, "raise_limits": false, "columns": "..."},
 *    "jobs": [{...}],            inline jobs, keys of traces/jsonl.h
 *    "events": [{"at": 5, "cmd": "scontrol hold @name", "user": "bob"}],
 *    "faults": "failures.csv|failure_rates.json"   scenario_faults.h
 *    "start": "2026-01-05T00:00:00", "until": 3600 | "2026-02-01T00:00:00", "seed": 1,
 *    "clock": "slurm|ideal|pinned:FILE", "slurm_version": "26.05|22.05",
 *    "controller_cost": "instant|small|large|KEY=VALUE,...|FILE" (models/controllercost.h),
 *    "controller_start": -12, "tick_phase": 0.0, "tick_slip": 0.0, "backfill_phase": 0.0, "decay_phase": 0.0,
 *    "launch_latency": 0.0, "epilog_latency": 0.0, "kill_latency": 0.0, "boot_time": 30.0,
 *    "release": "message|reply|reply-at-tick",
 *    "expect": [{...}],          what it promises, for "whypend check": expect.h
 *    "set": {"SchedulerParameters.bf_window": "4320", "PriorityWeightAge": "1000"}}
 * A folder stands for its scenario.json; a folder without one that holds slurm.conf and jobs.json (the form of the recorded runs) is a
 * scenario too: gres.conf, the topology file and assoc.sacctmgr are taken when present, jobs.json gives users, jobs, events and until.
 */
#ifndef SCENARIOS_SCENARIO_H
#define SCENARIOS_SCENARIO_H
#include "models/cgroupconf.h"
#include "models/conforigin.h"
#include "sim/sim.h"

struct scenario_options { /* the command line; NULL / 0 = not given. Strings borrowed */
	const char *path;        /* SCENARIO or NULL */
	const char *conf, *gres, *topology, *accounting, *trace, *format, *columns, *faults;
	char **set;              /* strv of Key=Value */
	const char *until, *clock, *controller_cost, *slurm_version, *max_jobs, *placement_model;
	bool seed_given; uint64_t seed;
	bool strict, naive, audit, swf_whole_nodes, raise_limits;
};

struct scenario {
	char *name, *about;
	struct cluster *cluster;   /* owned */
	struct cgroup_conf *cgroup;   /* owned; cgroup.conf (models/cgroupconf.h) */
	struct site_rules *rules;     /* owned; NULL = none (siterules.h) */
	struct conf_origins *origins; /* owned; the global parameters as given (models/conforigin.h) */
	struct workload *workload; /* owned, or NULL */
	GPtrArray *submissions;    /* inline jobs, of struct submission *, ascending; consumed by scenario_start */
	GPtrArray *events;         /* of struct scenario_event * */
	GPtrArray *views;          /* of struct scenario_event *, ascending: what `whypend run` prints at these moments; no effect on the run */
	GPtrArray *later;          /* of struct later_conf *: for each "scontrol reconfigure", "restart" in the order of the events */
	struct conf_source *source; /* owned; how slurm.conf was read (changed_conf.h); NULL = there was none */
	struct sim_options sim;
	uint64_t seed;
	const char *slurm_version; /* "26.05" or "22.05"; static */
	char *clock;               /* as given */
	const char *placement_model; /* class of jobs that name none; static; NULL = placement costs nothing */
	char *controller_cost;     /* as given; NULL = instant */
	GPtrArray *inputs;         /* of struct scenario_input * */
	GPtrArray *settings;       /* of char *, "Key=Value" */
	GPtrArray *users;          /* of char *, jobs.json users: created in this order, or NULL */
	GPtrArray *warnings;       /* of char * from the readers */
	GPtrArray *expect;         /* of struct expect * (expect.h); NULL = none given */
	double *snapshots; guint n_snapshots; /* jobs.json: seconds after start */
};
struct conf_source;
struct later_conf { char *path; /* as the command has it; NULL = the first file again */ struct cluster *cluster; /* NULL once it was handed out */ };
struct scenario_event { usec_t at; char *command, *user; };
struct scenario_input { char *role, *path; };

/* Read everything. NULL and ERROR with every error of all files. */
struct scenario *scenario_load(const struct scenario_options *o, GError **error);
void scenario_free(struct scenario *s);
/* Create the simulation over the scenario (which must outlive it) with all its submissions and events, and write the inputs and settings
 * into RECORDER (may be NULL). NULL and ERROR when an event's command is not understood or an input cannot be hashed. */
struct sim *scenario_start(struct scenario *s, struct recorder *recorder, GError **error);
#endif
