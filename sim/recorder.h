/*
 * recorder.h - run.db: all that happened in a run, for analysis across time (SQLite).
 *
 * Rows are buffered in prepared statements within one transaction. The file is written beside its final place as
 * PATH.partial, fsync'ed and renamed by recorder_finish; until then PATH does not exist or is the old one. recorder_abort removes the
 * partial file. With path NULL nothing of it is left (for sacct and the summary without -o): a small record stays in
 * memory, a large one is put in a temporary file without a name (SQLITE_TMPDIR, TMPDIR, /var/tmp or /tmp).
 *
 * Schema (the README repeats it; times are microseconds since the epoch unless named *_s):
 *
 *   meta(key TEXT PRIMARY KEY, value TEXT)         schema=1, version, seed, clock, slurm_version, start, end, cluster, nodes, cpus, gpus,
 *                                                  lines, replayed...; nothing of the host (no wall time, no path), so that equal runs give equal bytes
 *   input(role TEXT, name TEXT, sha256 TEXT, bytes INTEGER)    role: conf, gres, accounting, topology, trace, scenario, pinned; name = base name
 *   setting(key TEXT, value TEXT)                  --set and command line changes
 *   left_out(cause TEXT, count INTEGER, first_line INTEGER)    trace lines that could not be replayed
 *   refused(t INTEGER, job INTEGER, label TEXT, user TEXT, account TEXT, partition TEXT, message TEXT)   job = id used up, or NULL
 *   job(...)                                       a row a run of a job (struct job_row)
 *   wait(job INTEGER, run INTEGER, from_t INTEGER, to_t INTEGER, reason TEXT, detail TEXT, blocker TEXT)  consecutive intervals from submission to
 *                                                  start or end. detail: the text that squeue prints instead of the reason, or "".
 *                                                  blocker: what stood in the way when the interval began, or NULL: "job 12" (the
 *                                                  job ahead, or depended on), "qos gold GrpTRES cpu: limit 64, in use 60, wanted 8",
 *                                                  "association root/phys/ann MaxJobs: limit 2, in use 2, wanted 1", "partition p
 *                                                  MaxTime: limit 60, wanted 90" (minutes), "cores in p: free 3, wanted 8",
 *                                                  "nodes of p: available 2 of 3, wanted 3; down: n3; kept for jobs ahead: 1"
 *   node_state(node TEXT, from_t INTEGER, to_t INTEGER, state TEXT, reason TEXT)
 *   series(t INTEGER, running INTEGER, pending INTEGER, cpus INTEGER, gpus INTEGER, mem INTEGER)   after each change, at most a row an instant
 *   pass(t INTEGER, kind TEXT, queue INTEGER, tested INTEGER, started INTEGER, planned INTEGER, ended_by TEXT,
 *        spent INTEGER, yields INTEGER)    spent: microseconds of work (pace.h), yields of backfill
 *   estimate(job INTEGER, run INTEGER, seen_t INTEGER, lead TEXT, estimate_s INTEGER, start_s INTEGER)   starts as backfill published them at seen_t
 *                                                  (sim/estimates.h), and as they came
 *   assoc_usage(t INTEGER, account TEXT, user TEXT, partition TEXT, raw_usage REAL, norm_usage REAL, effective REAL,
 *               level_fs REAL, fairshare REAL)     after a decay tick, for every association that was charged since the one before or whose
 *                                                  fair-share changed: between its rows usage only fades (P31). user NULL: an account;
 *                                                  partition NULL: any; level_fs NULL: classic, or root
 *   stranded(t INTEGER, free INTEGER, closed INTEGER, count INTEGER, cores INTEGER, memory INTEGER, affinity INTEGER,
 *            socket INTEGER, links INTEGER)       free GPUs, and those of them that no waiting job can use, by cause (sched/stranded.h);
 *                                                  looked at with the first change of a stretch of 5 minutes, a row when it differs
 *   step(job INTEGER, run INTEGER, step TEXT, name TEXT, start_t INTEGER, end_t INTEGER, start_s INTEGER, end_s INTEGER, state TEXT,
 *        exit_code INTEGER, exit_signal INTEGER, tasks INTEGER, nodes INTEGER, cpus INTEGER, nodelist TEXT, alloc_tres TEXT,
 *        suspended INTEGER, max_rss INTEGER, ave_rss INTEGER, cpu_time INTEGER)    a row a step that has begun, of jobs whose
 *                                                  steps are known (traces/steps.h); of others, which have a batch step
 *                                                  alone, none. end 0 = runs on; exit_code NULL = not known; KiB,
 *                                                  microseconds, NULL = not measured
 *   conf(file TEXT, line TEXT)                     the configuration as it counts, settings included: models/confwrite.h's lines of
 *                                                  slurm.conf, gres.conf, topology, accounting
 *   share(account TEXT, user TEXT, partition TEXT, shares INTEGER, norm REAL)   fair-share of the users' associations; norm: of the whole
 *   resize(job INTEGER, run INTEGER, t INTEGER, submit_s INTEGER, eligible_s INTEGER, start_s INTEGER, end_s INTEGER, nnodes INTEGER, ncpus INTEGER,
 *          alloc_tres TEXT, nodelist TEXT, placement TEXT)    a run that lost a node at t and went on (--no-kill): what it held from start_s to
 *                                                  end_s, which sacct shows as a row RESIZING. job has what it held at its end
 *   stretch(job INTEGER, run INTEGER, class TEXT, factor REAL, run_time REAL, stretched REAL, why TEXT)   with the placement model: runs
 *                                                  made longer by where they were placed; seconds before and after
 */
#ifndef SIM_RECORDER_H
#define SIM_RECORDER_H
#include "sched/base/duration.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct recorder;

struct job_row { /* sacct's fields of one run of a job; strings are borrowed for the call */
	uint32_t job;             /* JobIDRaw */
	uint32_t array_job;       /* 0 = no array */
	uint32_t array_task;      /* NO_VAL = not a split task */
	const char *array_tasks;  /* "[3-7%2]" of tasks never started, or NULL */
	uint32_t run;             /* 0 first, +1 for each restart */
	const char *label;        /* scenario label or NULL */
	uint64_t trace_id;        /* 0 = none */
	const char *name, *user, *account, *partition, *qos;
	usec_t submit_t, start_t, end_t; /* exact; start_t 0 = never started, end_t 0 = not ended */
	sec_t submit_s, eligible_s, start_s, end_s; /* as Slurm shows them; 0 = Unknown / None */
	uint32_t time_limit;      /* minutes, INFINITE, NO_VAL */
	const char *state;        /* COMPLETED, ... PENDING/RUNNING at the end of the run */
	int exit_code, exit_signal;
	const char *reason;       /* sacct Reason */
	uint32_t req_nodes, req_cpus, nnodes, ncpus, ngpus; /* n*: allocated */
	uint64_t req_mem, alloc_mem; /* MiB in all */
	const char *req_tres, *alloc_tres; /* TRES strings */
	const char *nodelist;     /* "None assigned" */
	const char *placement;    /* JSON text: [{"node":"n01","cpus":"0-3","mem":1000,"gres":"gpu:h100:2(IDX:0-1)"},...], or NULL */
	uint32_t priority;
	const char *scheduler;    /* "main", "backfill", "submit", or NULL */
	const char *constraints;
	sec_t real_start, real_end; /* of the trace, 0 = unknown */
	uint32_t het_job, het_offset; /* id of the leader of a heterogeneous job, 0 = none; which component */
	uint32_t suspended;       /* seconds suspended in this run */
	uint32_t lost;            /* seconds of running whose work was lost (sim/checkpoint.h) */
	const char *lost_cause;   /* "preempted", "node failure", "requeued", "time limit", ... or NULL */
	const char *cancelled_by; /* the user who ended it with scancel, or NULL */
};

struct step_row; /* sim/steps.h */

/* Open for writing; NULL and ERROR when the place cannot be written. */
struct recorder *recorder_open(const char *path, GError **error);
/* The same, but all is kept in memory until recorder_finish: for a process whose forked children read the record on their way. */
struct recorder *recorder_open_in_memory(const char *path, GError **error);
void recorder_meta(struct recorder *r, const char *key, const char *value);
void recorder_input(struct recorder *r, const char *role, const char *path, GError **error); /* reads the file, hashes it */
void recorder_setting(struct recorder *r, const char *key, const char *value);
void recorder_left_out(struct recorder *r, const char *cause, uint64_t count, uint64_t first_line);
void recorder_refused(struct recorder *r, usec_t t, uint32_t job, const char *label, const char *user, const char *account, const char *partition, const char *message);
/* Returns what recorder_job_again wants. */
int64_t recorder_job(struct recorder *r, const struct job_row *row);
/* The run of ROW, which had ended, was requeued at END_S: its state is REQUEUED and its end_s that; its end_t stays. LOST: seconds. */
void recorder_job_again(struct recorder *r, int64_t row, sec_t end_s, uint32_t lost);
void recorder_step(struct recorder *r, uint32_t job, uint32_t run, const struct step_row *row);
void recorder_wait(struct recorder *r, uint32_t job, uint32_t run, usec_t from, usec_t to, const char *reason, const char *detail, const char *blocker);
void recorder_node_state(struct recorder *r, const char *node, usec_t from, usec_t to, const char *state, const char *reason);
void recorder_series(struct recorder *r, usec_t t, uint32_t running, uint32_t pending, uint64_t cpus, uint64_t gpus, uint64_t mem);
void recorder_pass(struct recorder *r, usec_t t, const char *kind, uint32_t queue, uint32_t tested, uint32_t started, uint32_t planned, const char *ended_by,
		   usec_t spent, uint32_t yields);
void recorder_estimate(struct recorder *r, uint32_t job, uint32_t run, usec_t seen, const char *lead, sec_t estimate, sec_t start);
struct assoc_usage_row {
	usec_t t;
	const char *account, *user, *partition; /* borrowed for the call */
	double raw_usage, norm_usage, effective, level_fs /* NaN = none */, fairshare;
};
void recorder_assoc_usage(struct recorder *r, const struct assoc_usage_row *row);
/* BY: in the order of enum stranded_cause. */
void recorder_stranded(struct recorder *r, usec_t t, uint32_t free, const uint32_t by[7]);
struct stretch_row {
	uint32_t job, run;
	const char *class, *why; /* borrowed for the call */
	double factor, run_time, stretched;
};
void recorder_stretch(struct recorder *r, const struct stretch_row *row);
/* The run of ROW loses a node at T and goes on (--no-kill): what it has held since its start, or since the loss before. */
void recorder_resize(struct recorder *r, usec_t t, const struct job_row *row);
/* A line of the configuration; FILE: "slurm.conf", "gres.conf", "topology", "accounting". */
void recorder_conf(struct recorder *r, const char *file, const char *line);
void recorder_share(struct recorder *r, const char *account, const char *user, const char *partition, uint32_t shares, double norm);
/*
 * Keep only what compares jobs: meta, input, setting, conf, share, refused, job, wait, estimate. The other tables stay empty, and who
 * would work only for them need not (recorder_light). To be said before the first row.
 */
void recorder_jobs_only(struct recorder *r);
bool recorder_light(const struct recorder *r);
/* The first write error so far (disk full ...): false and ERROR. Cheap; a long run asks now and then. */
bool recorder_ok(struct recorder *r, GError **error);
/* Make indexes, commit, fsync and rename into place. False and ERROR on any failure; the partial file is then gone. After it the recorder may only be read
 * (recorder_db) and freed. */
bool recorder_finish(struct recorder *r, GError **error);
/* Remove the partial file. Safe at any time before finish, also after an error. */
void recorder_abort(struct recorder *r);
struct sqlite3 *recorder_db(struct recorder *r); /* the open database, for reading; borrowed */
void recorder_free(struct recorder *r);          /* aborts if not finished */
#endif
