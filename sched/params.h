/*
 * params.h - every slurm.conf setting that a scheduling decision reads, typed, with Slurm's defaults.
 *
 * Filled by models/slurmconf.c; sched/ only reads. Times are seconds unless the name says otherwise.
 * Defaults and ranges: spec slurm-conf.md section 5, main-scheduler.md and backfill.md section 0.
 */
#ifndef SCHED_PARAMS_H
#define SCHED_PARAMS_H
#include "sched/base/duration.h"
#include "sched/base/tres.h"
#include <stdbool.h>
#include <stdint.h>

/* The release whose behaviour is followed, where the spec tells two apart ([22.05] marks). 26.11 records are scored with SLURM_26. */
enum slurm_version { SLURM_22_05 = 2205, SLURM_26 = 2605 };

enum sched_type { SCHED_BACKFILL, SCHED_BUILTIN, SCHED_EASY /* ours: strict EASY of the literature, see sched/easy.h */ };
enum select_type { SELECT_CONS_TRES, SELECT_LINEAR };
enum cr_unit { CR_CPU, CR_CORE, CR_SOCKET, CR_NONE /* memory only, or nothing */ };
enum topology_kind { TOPOLOGY_FLAT, TOPOLOGY_TREE, TOPOLOGY_BLOCK, TOPOLOGY_RING, TOPOLOGY_TORUS };
enum priority_type { PRIORITY_BASIC, PRIORITY_MULTIFACTOR };
enum usage_reset_period { /* PriorityUsageResetPeriod (P33) */
	RESET_NONE, RESET_NOW, RESET_DAILY, RESET_WEEKLY, RESET_MONTHLY, RESET_QUARTERLY, RESET_YEARLY
};
enum enforce_part_limits { ENFORCE_PART_NO, ENFORCE_PART_ANY, ENFORCE_PART_ALL };

enum preempt_type { PREEMPT_NONE, PREEMPT_QOS, PREEMPT_PARTITION };
enum preempt_mode { PREEMPT_MODE_UNSET = -1, PREEMPT_MODE_OFF, PREEMPT_MODE_CANCEL, PREEMPT_MODE_REQUEUE, PREEMPT_MODE_SUSPEND };
enum { PREEMPT_GANG = 1, PREEMPT_WITHIN = 2, PREEMPT_PRIORITY = 4 }; /* flags of a PreemptMode */
enum { /* AccountingStorageEnforce */
	ENFORCE_ASSOC = 1, ENFORCE_LIMITS = 2, ENFORCE_QOS = 4, ENFORCE_SAFE = 8, ENFORCE_WCKEYS = 16, ENFORCE_NOJOBS = 32, ENFORCE_NOSTEPS = 64
};
enum { /* PriorityFlags (P4) */
	PRIO_ACCRUE_ALWAYS = 1, PRIO_SMALL_RELATIVE = 2, PRIO_CALCULATE_RUNNING = 4, PRIO_DEPTH_OBLIVIOUS = 8, PRIO_NO_FAIR_TREE = 16,
	PRIO_INCR_ONLY = 32, PRIO_MAX_TRES = 64, PRIO_MAX_TRES_GRES = 128, PRIO_NO_NORMAL_ASSOC = 256, PRIO_NO_NORMAL_PART = 512,
	PRIO_NO_NORMAL_QOS = 1024, PRIO_NO_NORMAL_TRES = 2048
};

enum het_prio { HET_PRIO_NONE, HET_PRIO_MIN, HET_PRIO_MAX, HET_PRIO_AVG };

struct sched_params {
	enum slurm_version version;
	char *cluster_name;                /* owned */

	enum sched_type sched_type;
	enum select_type select_type;
	enum cr_unit cr_unit;
	bool cr_memory;                    /* memory is consumable */
	bool allow_spec;                   /* AllowSpecResourcesUsage: --core-spec and --thread-spec count */
	bool spec_cores_first;             /* CoreSpecCount and --core-spec take the first cores, not the last */
	bool cr_one_task_per_core, cr_default_dist_block, cr_lln, cr_pack_nodes;
	enum topology_kind topology;       /* TopologyPlugin: kind of the topology.conf; cluster.topologies is what counts */
	bool topology_given;               /* TopologyPlugin was set */
	bool topo_dragonfly, topo_optional, topo_switch_rank, topo_block_rank; /* TopologyParam */
	bool ll_shared_gres, multiple_sharing_gres, one_task_per_sharing_gres; /* N72 */
	bool enforce_binding_gres;         /* --gres-flags=enforce-binding for all that do not say disable-binding */
	uint64_t def_mem, max_mem;         /* MiB; 0 = unset */
	bool def_mem_per_cpu, max_mem_per_cpu; /* the value above is per CPU, else per node */
	uint32_t def_cpu_per_gpu;          /* 0 = unset */
	uint64_t def_mem_per_gpu;          /* 0 = unset */
	uint32_t max_tasks_per_node;       /* 512 */

	/* main scheduler (SchedulerParameters) */
	int sched_interval;                /* 60; -1 = main pass disabled */
	int sched_min_interval_us;         /* 2 */
	int batch_sched_delay;             /* 3 */
	int default_queue_depth;           /* 100 */
	int partition_job_depth;           /* 0 = off */
	int max_sched_time;                /* 2 */
	int sched_max_job_start;           /* 0 = off */
	bool defer, defer_batch, any_defer; /* any_defer: some token contains "defer" (S3) */
	bool assoc_limit_stop, pack_serial_at_end;
	int max_switch_wait;               /* 300 */
	int correspond_after_task_cnt;     /* 10 */
	int requeue_delay;                 /* 120 */
	uint32_t max_array_tasks;          /* MaxArraySize */
	/* backfill */
	int bf_interval;                   /* 30; -1 = never */
	int bf_max_time;                   /* bf_interval */
	int bf_window;                     /* SECONDS, 86400 */
	int bf_resolution;                 /* 60 */
	int bf_max_job_test;               /* 500 */
	int bf_node_space_size;            /* bf_max_job_test */
	int bf_max_job_part, bf_max_job_user, bf_max_job_user_part, bf_max_job_assoc; /* 0 = off */
	int bf_max_job_start;              /* 0 = off */
	int bf_max_job_array_resv;         /* 20 */
	int bf_job_part_count_reserve;     /* 0 = off */
	int bf_min_age_reserve;            /* 0 */
	uint64_t bf_min_prio_reserve;      /* 0 */
	int bf_window_linear;              /* 0 = off */
	int bf_yield_interval_us, bf_yield_sleep_us; /* 2000000, 500000 */
	bool enable_user_top;
	bool bf_continue, bf_busy_nodes, bf_licenses, bf_running_job_reserve, bf_one_resv_per_job, bf_allow_magnetic_slot;
	enum het_prio bf_hetjob_prio;      /* B60 */
	bool bf_hetjob_immediate;          /* B62; with HET_PRIO_MIN at least */
	bool bf_topopt_enable;             /* B47 */
	int bf_topopt_iterations;          /* 10 */
	bool time_min_as_soft_limit;       /* B12 */
	bool reduce_completing_frag;       /* S9 */
	bool allow_zero_lic;               /* more licences than there are: the job waits */
	bool ignore_prefer_validation, ignore_constraint_validation; /* not refused at submission */
	int builtin_interval, builtin_max_job_test; /* S38: 30, 50 */

	/* life cycle */
	int complete_wait, kill_wait;      /* 0, 30 */
	bool over_memory_kill;             /* a job that uses more memory than it asked for is killed (JobAcctGatherParams, cgroups): the host's business */
	int slurmd_timeout;                /* SlurmdTimeout, 300; 0 = never */
	int return_to_service;             /* ReturnToService, 0 (C46) */
	int time_slice;                    /* SchedulerTimeSlice, 30 */
	uint32_t over_time_limit;          /* minutes, 0; INFINITE possible */
	int min_job_age;                   /* 300 */
	uint32_t max_job_count;            /* 10000 */
	uint32_t max_array_size;           /* 1001 */
	uint32_t first_job_id, max_job_id; /* 1, 67043328 */
	bool job_requeue;                  /* 1 */
	int max_batch_requeue;             /* 5 */
	uint64_t requeue_exit[4], requeue_exit_hold[4]; /* RequeueExit, RequeueExitHold: a bit for each exit code 0-255 */
	enum enforce_part_limits enforce_part_limits;
	bool kill_invalid_depend;
	int max_depend_depth;              /* 10 */
	bool keep_part_state;              /* ReconfigFlags=KeepPartState or KeepPartInfo */
	int message_timeout;               /* 10 */
	int inactive_limit;
	int resv_over_run;                 /* minutes */
	bool all_partitions_plugin, require_timelimit_plugin; /* JobSubmitPlugins that are modelled */

	/* power saving and reboots (C56, C57; sched/power.h) */
	uint32_t suspend_time;             /* SuspendTime: seconds idle; INFINITE = never */
	int suspend_timeout, resume_timeout; /* 30, 60 */
	int suspend_rate, resume_rate;     /* nodes a minute: 60, 300; 0 = no limit */
	int power_save_interval, power_save_min_interval; /* 10, 0 */
	uint32_t max_powered_nodes;        /* SlurmctldParameters; INFINITE = no limit */
	bool expedited_requeue;            /* SlurmctldParameters=enable_expedited_requeue (25.11) */
	bool idle_on_node_suspend;         /* a node that is powered down is idle again, whatever it was */
	bool show_cloud;                   /* PrivateData=cloud: nodes with State=CLOUD are shown also while they are powered down */
	bool keep_power_settings;          /* ReconfigFlags=KeepPowerSaveSettings: SuspendExc... survive scontrol reconfigure */
	bool suspend_program, resume_program, reboot_program; /* given */
	char *suspend_exc_nodes, *suspend_exc_parts, *suspend_exc_states; /* as configured; owned; NULL */

	/* preemption (preemption.md section 0) */
	enum preempt_type preempt_type;
	enum preempt_mode preempt_mode;
	uint32_t preempt_flags;            /* PREEMPT_* of the cluster's PreemptMode */
	int64_t preempt_exempt_time;       /* seconds; -1 = unset */
	bool preempt_youngest_first, preempt_strict_order;
	int preempt_reorder_count;         /* 1 */
	uint32_t preempt_min_exempt_priority; /* jobs above it are exempt; UINT32_MAX = none */

	/* priority */
	enum priority_type priority_type;
	uint32_t weight_age, weight_assoc, weight_fairshare, weight_job_size, weight_partition, weight_qos;
	double *weight_tres;               /* [tres->n], owned; NULL = off */
	uint32_t priority_max_age;         /* seconds */
	uint32_t priority_decay_half_life; /* seconds, 0 = none */
	uint32_t priority_calc_period;     /* seconds, 300 */
	bool priority_favor_small;
	uint32_t priority_flags;           /* PRIO_* */
	uint32_t fairshare_damping;        /* FairShareDampeningFactor, 1 */
	enum usage_reset_period usage_reset;
	char *weight_tres_text;            /* owned; PriorityWeightTRES as configured, NULL = off */

	/* accounting */
	bool has_accounting;               /* AccountingStorageType=slurmdbd, or an accounting file was given */
	uint32_t enforce;                  /* ENFORCE_* */
	bool prolog_contain;               /* PrologFlags=Contain: each job has an extern step */
};

/* "REQUEUE", "SUSPEND,GANG", "cancel,within", "cluster": the mode and PREEMPT_* flags; a text without a mode leaves *MODE as it is ("cluster" makes it
 * UNSET). False on an unknown word. */
bool preempt_mode_parse(const char *text, enum preempt_mode *mode, uint32_t *flags);
/* All defaults of VERSION. The caller frees with sched_params_free. */
struct sched_params *sched_params_new(enum slurm_version version);
void sched_params_free(struct sched_params *p);
#endif
