/*
 * snapshot.h - a moment of a cluster as files in a folder, from a live site or from a run of whypend.
 *
 * A folder holds the configuration (slurm.conf with gres.conf and a topology file, or outputs of scontrol and sinfo:
 * models/siteinput.h), accounting and usage (sacctmgr, sshare), and
 *
 *   squeue.json                   squeue --json: the jobs; or
 *   squeue.txt                    squeue -h -a -t all -o SNAPSHOT_SQUEUE_FORMAT
 *   scontrol-show-res.txt         scontrol show reservation
 *   groups                        getent group: who may use partitions and reservations of groups (models/groups.h)
 *   sacct.txt                     sacct -P of past weeks, for how long jobs run compared with their limits
 *   whypend.json                  what only a run of whypend knows, see below
 *
 * Files are found by these names. Running jobs go on where they are: on the nodes, cores and GPU devices that squeue
 * --json tells, else on the first free ones of the nodes named. Suspended jobs count as running. Jobs that ended and
 * still complete have given their nodes back.
 *
 * A snapshot of a run (whypend snapshot) is complete: each job of its squeue.json has a member "whypend" with the
 * options that were asked for, exact times, and what will become of it; whypend.json has the controller's timers, exact
 * usage, and the scenario with which later submissions and events go on. Continued, it gives the future of the run that
 * was not interrupted. Not taken along: epilogs that take time, and the past's records.
 */
#ifndef SCENARIOS_SNAPSHOT_H
#define SCENARIOS_SNAPSHOT_H
#include "scenarios/scenario.h"
#include "sched/adopt.h"
#include <cjson/cJSON.h>

#define SNAPSHOT_SCHEMA "whypend-snapshot/1"
#define SNAPSHOT_SQUEUE_FORMAT "%A|%F|%K|%u|%a|%P|%q|%T|%V|%S|%l|%D|%C|%m|%b|%N|%E|%Q|%r|%f|%W|%v|%n|%x|%y|%j"

struct snap_node {     /* of a running job */
	char *name;    /* owned */
	uint16_t cpus; /* 0 = the job's CPUs divided by its nodes */
	uint64_t mem;
	GArray *cores;   /* of struct snap_core; NULL = not told */
	GPtrArray *gres; /* of char *: "gpu:h100:4(IDX:4-7)"; NULL = not told */
};
struct snap_core {
	uint32_t socket, core;
};

struct snap_job {
	uint32_t id, array_id, task, array_limit; /* task NO_VAL = none */
	enum job_state state;
	struct job_request *req; /* owned */
	char *partition;         /* owned; where it runs */
	char *dependency;        /* owned; NULL */
	char *reason;            /* owned; as squeue says */
	char *label;             /* owned; of a run's submission; NULL */
	char *kept_nodes;        /* owned; of a run's EXPEDITING job; NULL */
	usec_t submit_t, start_t, end_t;
	sec_t eligible, accrue;
	uint32_t priority, run, cpus;
	int started_by;
	uint32_t total_cpus;
	sec_t preempt_time, preempt_start, grace_end;
	GArray *part_priorities; /* of uint32_t */
	bool direct;             /* priority set by hand */
	GPtrArray *nodes;        /* of struct snap_node * */
	bool outcome_known;      /* of a run: */
	struct outcome outcome;
	struct task_outcome *tasks;
	uint32_t n_tasks; /* owned */
};

struct snapshot {
	char *dir;
	usec_t at;
	GPtrArray *jobs;               /* of struct snap_job *, in order of submission */
	GPtrArray *reservations;       /* of char *: commands that make them */
	bool own;                      /* of a run of whypend */
	struct controller_clock clock; /* own */
	struct controller_pings pings; /* own; its seconds are those of heard */
	GArray *heard;                 /* of sec_t */
	struct sim_options sim;        /* own: clock, phases, latencies */
	cJSON *usage;                  /* own: exact usage; NULL */
	cJSON *options;                /* own: of the command line */
	cJSON *users;                  /* own: their names in the order of their numbers; NULL */
	GPtrArray *history;            /* of struct snap_past *: how long jobs ran; may be empty */
	GPtrArray *warnings;           /* of char * */
};
struct snap_past {
	char *user, *partition;
	double ratio; /* run time over limit */
	uint32_t limit;
};

/* Read folder DIR. NULL and ERROR with all that is wrong. */
struct snapshot *snapshot_read(const char *dir, GError **error);
void snapshot_free(struct snapshot *s); /* NULL is allowed */
/* Run times for running and waiting jobs; called for each job (own ones too, when IT says so). */
typedef usec_t snapshot_draw_fn(void *data, const struct snapshot *s, const struct snap_job *job);
/* Enter everything into SIM, whose cluster was read from the folder. DRAW: NULL = as known, else jobs run to their
 * limits. Jobs that cannot be entered are counted in *LEFT_OUT and told in WARNINGS (may be NULL). */
void snapshot_enter(const struct snapshot *s, struct sim *sim, snapshot_draw_fn *draw, void *data, guint *left_out,
                    GPtrArray *warnings);
/* Exact usage of associations and QOS, before the controller is made. */
void snapshot_usage(const struct snapshot *s, struct cluster *c);

/* Own snapshots: the scenario that the run came from; NULL without ERROR when there is none. The caller frees it after
 * the run. */
struct scenario *snapshot_later_load(const struct snapshot *s, GError **error);
/* Its submissions and events after the moment go to SIM. */
bool snapshot_later_enter(const struct snapshot *s, struct scenario *later, struct sim *sim, GError **error);

/* Write the present moment of SIM, a run of S with command line O, into DIR. */
bool snapshot_write(const struct scenario *s, struct sim *sim, const struct scenario_options *o, const char *dir,
                    GError **error);

/* ---- parts ---- */
/* The options of sbatch that give REQ, as an object for jsonl (traces/jsonl.h); what was not given is left out. */
cJSON *snapshot_request_json(const struct job_request *req);
struct snap_job *snap_job_new(void);
void snap_job_free(void *job);
/* squeue --json, squeue -o SNAPSHOT_SQUEUE_FORMAT, scontrol show res into S; findings into D. */
void snapshot_read_squeue_json(struct snapshot *s, const char *text, const char *name, struct diag *d);
void snapshot_read_squeue_text(struct snapshot *s, const char *text, const char *name, struct diag *d);
void snapshot_read_reservations(struct snapshot *s, const char *text, const char *name, struct diag *d);
#endif
