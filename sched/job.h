/*
 * job.h - a job record as the controller holds it.
 *
 * One record is one schedulable thing: an ordinary job, the head of an array with the tasks not yet split off, or one split
 * task. Records carry what passes read often (the numbers) and point to the request for the rest. Arrays: a head plus
 * split tasks (C20-C26); all records of an array share one struct job_array.
 */
#ifndef SCHED_JOB_H
#define SCHED_JOB_H
#include "sched/acct.h"
#include "sched/blocker.h"
#include "sched/cluster.h"
#include "sched/reason.h"
#include "sched/request.h"

/* What a job holds on one node. */
struct gres_taken {
	uint16_t gres;     /* index in the node configuration's gres[] */
	uint32_t count;
	uint64_t devices;  /* bit i = device i, 0 for plain counts (at most 64 devices a GRES, checked by the reader). Shares: the one GPU
	                    * that COUNT of them are of; an entry for each GPU */
};
struct alloc_node {
	uint32_t node;
	uint16_t cpus;     /* charged (N56) */
	uint16_t cores;    /* number of cores held */
	uint16_t tasks;
	uint16_t n_gres;
	uint32_t core_word; /* first word in alloc.words */
	uint32_t gres_first; /* first entry in alloc.gres */
	uint64_t mem;      /* MiB */
};
struct job_alloc {     /* one block; freed with g_free parts by job_alloc_free */
	uint32_t n;
	struct alloc_node *node; /* [n] in ascending node index */
	uint64_t *words;   /* core bitmaps, core k of a node = bit k of its words */
	struct gres_taken *gres;
	uint32_t cpus, gpus; /* totals */
	uint64_t mem;      /* MiB */
	bool whole;        /* holds whole nodes: no other job may be there (share_res 0) */
	uint32_t user;     /* number of the user, 1 and up */
	bool paused;       /* of a suspended job: not in the totals of usage.h */
	bool cores_free;   /* and its cores are given back (E30) */
	bool topo_only;    /* --exclusive=topo or the partition's: holds the blocks or rings of its nodes against others */
	bool user_only;    /* --exclusive=user or ExclusiveUser: only jobs of this user may be there too */
	double billing;    /* P41 */
	uint32_t cores, most_cores; /* in all, and of the node with most; counted when first wanted, 0 = not yet */
};

struct gres_want {     /* one entry of --gres / --gpus: resolved against the cluster's GRES names */
	char *name, *type; /* type NULL = any; owned by the job */
	uint32_t per_node, per_job, per_task, per_socket; /* 0 = not asked in this way */
};

enum dep_kind { DEP_AFTER, DEP_AFTERANY, DEP_AFTEROK, DEP_AFTERNOTOK, DEP_SINGLETON, DEP_AFTERCORR, DEP_AFTERBURSTBUFFER };
enum dep_state { DEP_PENDING, DEP_MET, DEP_FAILED };
struct dependency {
	enum dep_kind kind;
	uint32_t job;      /* job id, or array job id */
	uint32_t task;     /* NO_VAL = whole job */
	bool of_array;     /* "12_3", "12_*": met when 12 is no array (recorded: 22.05) */
	uint32_t minutes;  /* after:id+m */
	enum dep_state state;
};

struct job_array {     /* shared by the head and the split tasks of one array */
	uint32_t refs;
	uint32_t job_id;   /* the submitted id */
	uint32_t limit;    /* %n, 0 = none */
	uint32_t running;  /* started and not ended */
	uint32_t n_tasks;
	uint32_t planned;  /* tasks planned in this backfill cycle */
	uint32_t ended, ended_ok; /* finished tasks, for dependencies */
	uint32_t started;
	char *text;        /* owned: the list as submitted without %n */
};

struct het_job {        /* shared by the components of one heterogeneous job (C70); see hetjob.h */
	uint32_t refs;
	uint32_t job_id;   /* the leader's */
	uint32_t n;
	struct job **comp; /* [n] by offset; NULL = that record is gone */
	/* the estimates of one backfill cycle (B61): earliest start over a component's partitions, and where; 0 = not tried */
	uint64_t cycle;
	sec_t *est;
	struct partition **part;
	/* B60, as the last cycle of backfill found them with bf_hetjob_prio; until then (ranked is false) each component has its own */
	bool ranked, any_resv;
	uint32_t tier, priority;
};

struct prio_terms {    /* weighted terms of the last calculation of a priority (P5); all 0 when it was set directly (P7) */
	double age, assoc, fairshare, size, partition, qos, tres, site;
};

struct job_part { /* a job's record per partition and, when it named several, QOS (P9, S10) */
	struct partition *part;
	uint32_t priority;
	struct qos *qos; /* NULL = the job's only one */
};

struct job {
	/* What a decay tick reads and writes of every waiting job (P11a) comes first and close together: see decay.c. */
	struct prio_terms terms;
	uint32_t priority;         /* 0 = held */
	enum job_state state;
	bool direct_priority;      /* P7 */
	bool in_pending;
	bool mem_per_cpu, mem_all; /* pn_min_memory is per CPU; all memory of the node (--mem=0) */
	int32_t site;              /* site factor (P20) */
	int64_t nice;
	sec_t accrue;
	struct assoc *assoc;       /* NULL without accounting */
	struct qos *qos;           /* with several: of the record last looked at, or with which it runs */
	struct partition *part;    /* current one: last looked at, or where it runs */
	struct job_alloc *alloc;   /* while running and until the epilog is done */
	uint32_t min_nodes, min_cpus, max_cpus /* NO_VAL = not given */, ntasks /* NO_VAL */;
	uint32_t part_total_cpus;  /* total CPUs once estimated (P15): 0 = not yet */
	uint32_t time_limit;       /* minutes in force; NO_VAL = not given */
	uint64_t pn_min_memory;    /* MiB */
	struct gres_want *gres;
	uint32_t n_gres, n_parts;

	uint32_t id;
	uint64_t seq;              /* position in the job list (creation order; a split task's is new) */
	unsigned flags;            /* JOB_COMPLETING ... */
	uint32_t place;            /* in the controller's list of jobs */
	bool purged, left_array;   /* in the scan that removes it: it is to go; its array's list has lost it */
	uint32_t run;              /* restart count */
	void *host;                /* the host's own data; never touched here */

	const struct job_request *req; /* owned by the first record, shared by count */
	uint32_t *req_refs;
	const char *name, *user, *account; /* borrowed from req or assoc */

	struct job_array *array;   /* NULL = no array */
	struct bitset *tasks;      /* head: tasks not yet split off; owned. Changed by array.c alone */
	uint32_t tasks_left, tasks_from; /* their number; none is below the second */
	uint32_t task;             /* split task's index, else NO_VAL */

	struct het_job *het;       /* NULL = no component of a heterogeneous job */
	uint32_t het_offset;

	struct job_part *parts;    /* [n_parts], PriorityTier descending, several QOS of a partition by priority; owned */

	/* times, whole seconds (0 = unset); *_t are exact microseconds for the record */
	sec_t submit, eligible /* begin_time of C3 */, start, end, deadline;
	usec_t submit_t, start_t, end_t;
	sec_t est_start;           /* B7, B44: 0 = none */
	struct bitset *sched_nodes; /* planned nodes; NULL = none; owned */
	uint32_t time_min;         /* minutes, NO_VAL */
	bool limit_was_unset;

	enum reason reason;
	char *reason_text;         /* owned; NULL */
	struct blocker blocker;    /* what the reason speaks of */

	/* demand, node-selection N2-N8, N57 */
	uint32_t max_nodes;        /* NO_VAL = not given */
	bool max_nodes_implicit;
	uint16_t cpt;              /* cpus per task */
	uint16_t ntasks_per_node, ntasks_per_socket, ntasks_per_core; /* 0 = not given */
	uint32_t pn_min_cpus;
	bool mem_given;
	bool whole_node;           /* --exclusive or an EXCLUSIVE partition */
	bool share_none;           /* share_res = 0 */
	uint32_t core_spec;        /* --core-spec in force, with thread_spec --thread-spec; NO_VAL = the nodes' own */
	bool thread_spec;
	bool contiguous, overcommit, requeue;
	struct license_list *licenses; /* --licenses; NULL; owned */
	bool licenses_held;        /* taken from the cluster's */
	bool gres_one_task;        /* --gres-flags=one-task-per-sharing (N72) */
	bool gres_enforce;         /* --gres-flags=enforce-binding */
	uint16_t ntasks_per_gpu;   /* 0 = not given */
	uint32_t def_cpus_per_gpu; /* DefCpuPerGPU in force (N9), 0 = none */
	uint64_t mem_per_gpu;      /* MiB, given or by DefMemPerGPU; then pn_min_memory is what the fewest GPUs of a node need (N57) */
	struct bitset *req_nodes, *exc_nodes; /* --nodelist, --exclude; NULL; owned */
	struct bitset *config_ok;  /* node configurations that pass the static filter N12, by index; owned */
	struct features *features; /* --constraint; NULL; a reference */
	struct features *prefer;   /* --prefer: tried before it; NULL; a reference */
	struct bitset *prefer_ok;  /* config_ok of --prefer; owned; NULL */

	struct dependency *deps; uint32_t n_deps; bool deps_or; /* "?" */
	bool dep_kill;             /* --kill-on-invalid-dep or kill_invalid_depend */

	struct reservation **resvs; uint32_t n_resvs; /* named with --reservation; the list is owned */
	struct reservation *resv;  /* of the record looked at, or where it runs; NULL */
	bool magnetic;             /* that one was not named */

	struct bitset *nodes;      /* nodes of alloc; owned */
	/* What it held and where, when it has ended for good and is only remembered: for those who look. Owned; NULL */
	struct job_alloc *was_alloc;
	struct bitset *was_nodes;
	uint32_t epilogs;          /* nodes whose epilog is outstanding */
	struct bitset *comp_nodes; /* those nodes, while completing; owned; NULL */
	enum { BY_NONE, BY_MAIN, BY_BACKFILL } started_by;
	int exit_code, exit_signal;
	bool requeue_pending;      /* PENDING + COMPLETING: to wait again after the epilog (C40) */
	struct bitset *kept_nodes; /* EXPEDITING: those of its last run, where no other job starts (expedite.h); owned; NULL */
	bool timed_out;
	sec_t resized;             /* when it last lost a node and went on (--no-kill), or gave nodes back; 0 = not in this run */
	sec_t preempt_time;        /* victim: when it was first chosen (E17), 0 = not */
	sec_t suspended;           /* since when; 0 = not suspended now */
	sec_t pre_sus;             /* seconds it has run before that, since its start (C43) */
	sec_t sus_total;           /* seconds suspended in this run, up to the last resumption */
	sec_t halted;              /* ended while suspended: for so many seconds before; .end is when that began, .end_t the real end */
	uint32_t row;              /* of its partition's jobs that share cores (N50) */
	bool sus_admin;            /* suspended by a command: gang scheduling leaves it alone (E28) */
	struct gang_job *gang;     /* its place in a partition's rows (gang.h); NULL */
	bool warned;               /* the signal of --signal was sent in this run (C36) */
	bool in_grace;             /* victim: told to end, not yet killed */
	sec_t preempt_start;       /* preemptor: when it last chose victims (E19) */
	bool preempting;           /* preemptor: has done so in this pass (S10.1, S17) */

	/* scratch of passes */
	uint64_t ever_version;     /* ever_ok was computed at this config_version, for ever_part */
	const struct partition *ever_part;
	const struct reservation *ever_resv;
	bool ever_ok;              /* could run on its partition's nodes if nothing else ran (N60) */
	uint32_t user_key;         /* small integer of the user, for counting */
	uint32_t gone;             /* removed from the imagined future of this epoch (willrun.c) */
	struct job *prev, *next;   /* pending list or running list, by seq */
	uint64_t *tres;            /* L20: what is counted while it runs, [tres->n]; owned; NULL = nothing is */
	bool accruing;             /* L40: counted as ageing */
	struct qos *
	    *several; /* [n_several], by priority, highest first: several QOS (24.11); owned; NULL = one or none */
	uint32_t n_several;
	/* L2: set by an administrator, so that limits on it are not tested any more */
	bool time_set, qos_set;
	uint64_t tres_set;         /* a bit for each TRES */
	sec_t first_try;           /* when nodes were first looked for (--switches waits from then on); 0 = not yet */
	bool over_nodes;       /* its last try failed as select.h says */
};

/* Time limit in seconds used for end times: unlimited counts as 365 days (C28). */
sec_t job_limit_seconds(uint32_t minutes);
bool job_is_finished(const struct job *j);
bool job_held_running(const struct job *j); /* it was held while it runs: priority 0, and the reason says by whom (R21) */
bool job_is_array_head(const struct job *j);
/* "12", "12_3", "12_[4-7%2]", "12+1" as squeue prints it; g_free. */
char *job_format_id(const struct job *j);
/* "4", or ranges of the remaining tasks "[4-7,9%2]". g_free. */
char *job_format_tasks(const struct job *j);
void job_alloc_free(struct job_alloc *a);
void job_free(struct job *j);
/* J's request, of its own from now on, to be changed. What other records of its array share is left as it is. */
struct job_request *job_own_request(struct job *j);
#endif
