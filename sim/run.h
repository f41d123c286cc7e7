/*
 * run.h - the inside of a run (struct sim), shared by the files of sim/ and by nobody else.
 *
 *   sim.c      making and freeing, commands and pins coming in, records of jobs; what is asked from outside
 *   submit.c   workloads and submissions
 *   clock.c    the loop over instants, the three clocks, when a run is over
 *   ends.c     from a job's start to its end and its epilogs; cancellations and wake-ups
 *   label.c    labels of submissions: "@NAME" in dependencies and commands; begin texts
 *   execute.c  carrying out commands: of jobs, and who does what;  execute_cluster.c  of partitions, nodes, the controller
 *   stats.c    what sdiag counts;  estimates.c  how good the published starts were
 *   fairshare.c usage of associations -> recorder
 *   record.c   what happens -> recorder;  rows.c   a job record as sacct shows it
 *
 * Ownership: a submission's outcome and label are needed as long as any of its records (the job; or an array's head and
 * split tasks) lives, or a cancellation is due. So they stand in a counted struct source. Each record has a struct
 * sim_job in job->host. These are never given back before the run is freed, only reused, so an event may point to one
 * that is gone: its generation has then moved on.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H
#include "sched/stranded.h"
#include "sim/commands.h"
#include "sim/estimates.h"
#include "sim/events.h"
#include "sched/stranded.h"
#include "sim/reconfigure.h"
#include "sim/sim.h"
#include "sim/stats.h"
#include "sim/steps.h"

struct source { /* one submission */
	uint32_t refs;
	uint32_t job_id;         /* 0 until accepted */
	struct submission *sub;  /* owned; its request has gone to the controller */
	struct sim_job *records; /* live records, the latest first */
};

struct sim_pause { usec_t from, until; bool halted; }; /* suspended, or halted by a signal; until 0 = still */

struct sim_cut { uint32_t number, component; usec_t at; int signal; }; /* a step cancelled by itself */

struct sim_job { /* one record */
	struct job *job;
	struct source *source;
	struct sim_job *prev, *next; /* of the same source; next also links the free ones */
	char *label;                 /* of a component of a heterogeneous job: NAME+OFFSET; owned; NULL */
	uint32_t generation;         /* raised whenever events under way lose their meaning */
	uint32_t n_events;           /* of this generation in the queue, wake-ups not counted */
	uint32_t run;                /* of the last start */
	usec_t resized;              /* when that run last lost a node and went on; 0 = never */
	int64_t row;                 /* of the run that was recorded last; 0 = none */
	usec_t done;                 /* work saved by earlier runs (checkpoint.h) */
	usec_t left;                 /* of the run time, while it is suspended */
	bool halted;                 /* its processes are stopped by a signal (scancel.h), the job is not suspended */
	GArray *cut;                 /* of struct sim_cut: steps of that run that were cancelled; NULL = none */
	double factor;               /* that run is so much longer for its placement; 0 = not */
	GArray *pauses;              /* of struct sim_pause: suspensions of that run; NULL = none, or a job without steps */
	usec_t end_t;                /* when the processes of that run end by themselves */
	bool began;                  /* its processes have begun: not while its nodes boot */
	usec_t warned;               /* when that run was told that its end is near; 0 = not */
	bool ending;                 /* the epilogs of that run are on their way */
	bool requeued;               /* that run was requeued, and sdiag has not counted it yet (stats.h) */
	usec_t wake;                 /* the wake-up in the queue; 0 = none */
	struct estimates *estimates; /* of the run that waits; owned; NULL = none published */
	/* the open interval of waiting */
	bool waiting;
	enum reason reason;
	char *blocker;               /* what stood in the way when that reason was set; owned; NULL */
	char *reason_text; /* owned */
	usec_t wait_from;
};

enum { NODE_IS_SILENT = 1, NODE_IS_LOST, NODE_BOOTED, NODE_ANSWERS }; /* generation of an EVENT_NODE without a command */

struct node_span { /* the open interval of a node */
	usec_t from;
	const char *state; /* static text of the controller */
	char *reason;      /* owned */
	uint32_t flags;
	enum node_base base;
};

struct pinned_release {
	uint32_t node;
	usec_t t;
	bool by_message;
};
struct pinned_run { /* what the real system did with one run of a job */
	bool has_end;
	usec_t end;
	usec_t start_pass, start; /* started by the pass at start_pass, it counts as started at start; 0 = by that pass's time */
	GArray *releases; /* of struct pinned_release; NULL = not given */
	usec_t message_after[2]; /* its nodes tell its end by messages, so long after it: by itself, killed; 0 = as sim_options says */
	usec_t length; /* it takes so long; 0 = as submitted */
};

struct sim {
	struct cluster *cluster;   /* borrowed */
	struct recorder *recorder; /* borrowed; NULL */
	struct sim_options o;
	struct sched_host host;
	struct controller *c; /* made when first needed, so that sim_watch can still ask for steps */
	usec_t now;
	const char *canceller; /* borrowed: who cancels, while a cancellation is carried out; NULL */
	bool acted;    /* something happened at this instant */
	uint64_t live; /* events in the queue that will still change something: no wake-ups, cancellations or outdated
	                  ones */
	struct event_queue *queue;
	GPtrArray *feeds;    /* of struct workload *, borrowed; one submission of each is in the queue */
	GPtrArray *commands; /* of struct command * */
	GHashTable *labels;  /* label -> job id */
	GHashTable *pinned;  /* "label\nrun" -> struct pinned_run *; NULL = none */
	guint next_pin;
	struct source *submitting; /* whose record is about to come */
	bool timed_after;          /* some job has after:ID+MINUTES (ideal clock) */
	/* no clock turns twice at one instant */
	usec_t last_tick, last_backfill, last_priority, last_slice, last_power;
	struct fault_dice *dice; /* NULL = no failures by chance */
	uint64_t node_news;      /* changes of nodes that the controller told of */
	usec_t *boots;           /* [n_nodes] when the node that is powering up or rebooting will register; NULL = none ever was */
	struct bitset *killed;   /* nodes whose slurmd is dead; NULL = none was ever killed */
	uint64_t repairs;        /* events of repair in the queue, counted in live */
	usec_t outage_until;     /* the controller does nothing until then */
	uint64_t ended_before, runs_since; /* jobs ended, and starts since the last one ended: clock.c */
	struct missed_turns owed; /* turns that the controller was too busy to take */
	usec_t quiet_until; /* clock.c: the run is over when nothing happens until then */
	uint64_t instants;
	/* slab of sim_job */
	GPtrArray *chunks;
	struct sim_job *unused;
	/* record */
	struct node_span *nodes;
	GArray *changed_nodes; /* of uint32_t, at this instant */
	bool usage_changed;
	struct {
		uint32_t running, pending;
		uint64_t cpus, gpus, mem;
	} last_series;
	bool has_series;
	usec_t stranded_next;  /* table stranded: not looked at before */
	struct stranded stranded; /* its last row */
	bool has_stranded;
	GString *user, *account, *partition; /* scratch: of the submission under way */
	const char *commander; /* who gives the command under way; NULL = none is */
	/* watchers */
	GArray *fairshares; /* of double: of each association at the last decay tick */
	sim_accounting_fn *accounting; /* NULL = none */
	sim_conf_fn *conf; /* reads another slurm.conf; NULL = nobody does */
	void *conf_data;
	sim_step_fn *on_step;
	sim_pass_fn *on_pass;
	sim_reason_fn *on_reason;
	void *watch_data;
	sim_preempted_fn *on_preempted; /* NULL */
	void *preempted_data;
	struct sim_hooks hooks;
	struct sim_counts counts;
	struct sim_stats stats;
	GArray *refused_at; /* of sec_t: refused jobs with an id (stats.h); NULL = none */
};

/* sim.c */
struct controller *sim_make_controller(struct sim *s); /* the existing one, if there is one */

/* submit.c */
void sim_push(struct sim *s, struct event e); /* counts it as live; a past time becomes now */
void sim_do_submit(struct sim *s, const struct event *e);
void source_unref(struct source *src);
static inline struct source *source_ref(struct source *src)
{
	src->refs++;
	return src;
}

/* ends.c */
usec_t sim_host_start_time(void *data, const struct job *job, usec_t now);
void sim_host_start(void *data, struct job *job);
void sim_host_configured(void *data, struct job *job);
void sim_host_warn(void *data, struct job *job);
void sim_host_suspend(void *data, struct job *job);
void sim_host_resume(void *data, struct job *job);
void sim_host_stop(void *data, struct job *job, enum end_cause cause);
void sim_job_outdate(struct sim *s, struct sim_job *sj); /* its events under way no longer count */
/* Take an event of a job: false when it is outdated. */
bool sim_job_event(struct sim *s, const struct event *e);
void sim_do_end(struct sim *s, const struct event *e);
void sim_do_time_limit(struct sim *s, const struct event *e);
void sim_do_epilog(struct sim *s, const struct event *e);
void sim_do_cancel(struct sim *s, const struct event *e);
const struct outcome *sim_job_outcome(const struct sim_job *sj);
void sim_plan_cancels(struct sim *s, struct source *src);
/* Whether the cancellation of an event in the queue still has somebody to hit. */
bool sim_cancel_pending(const struct event *e);
/* The earliest time > FROM at which the clock alone may let a pending JOB start or end it; INT64_MAX = none. */
usec_t sim_job_next_change(const struct sim *s, const struct job *job, usec_t from);
/* Ideal clock: put the next such time into the queue, and the time limit of a running job after a change. */
void sim_job_arm(struct sim *s, struct job *job);
/* The record of its own for a task, split off its head if need be; NULL if it is unknown. */
struct job *sim_task_record(struct sim *s, uint32_t array_id, uint32_t task);

/* label.c */
/* TEXT without the leading "@": a label, or LABEL_TASK. *task = NO_VAL without a task. */
bool sim_resolve_label(const struct sim *s, const char *text, uint32_t *id, uint32_t *task);
/* "afterok:@a_3,after:@b+1" -> "afterok:12_3,after:13+1"; g_free. NULL and ERROR when a label is unknown. */
char *sim_resolve_dependency(const struct sim *s, const char *text, GError **error);
/* Put job ids in the place of @NAME in a dependency, and times in the place of begin_text and deadline_text. On failure
 * false and the message for the record in ERROR. */
bool sim_resolve_request(const struct sim *s, struct job_request *req, GError **error);

/* faults_run.c */
void sim_first_fault(struct sim *s);
void sim_do_fault(struct sim *s, const struct event *e);
void sim_faults_reshape(struct sim *s); /* the cluster has other nodes now */

/* power_run.c: the host's side of power saving and reboots */
void sim_host_power(void *data, struct node *node, enum power_order order);
void sim_node_boots(struct sim *s, uint32_t node);

/* A slurmd dies or is started; what follows from it comes as events. */
void sim_slurmd(struct sim *s, const struct command *cmd);

/* steps.c: cancel the numbered steps that run, or the one that STEP names ("0", "0+1"); false: there was none. */
bool sim_steps_cut(struct sim_job *sj, const char *step, usec_t now, int signal);

/* ends.c: its batch shell dies by SIGNAL; its processes stop, or go on */
void sim_job_dies(struct sim *s, struct sim_job *sj, int signal);
void sim_job_halt(struct sim *s, struct sim_job *sj, bool halt);

/* scancel.c */
void sim_scancel(struct sim *s, const struct command *cmd);

/* execute_cluster.c */
void sim_act_on_cluster(struct sim *s, const struct command *cmd);

/* update_job.c */
void sim_update_jobs(struct sim *s, const struct command *cmd);
void sim_update_step(struct sim *s, const struct command *cmd);

/* execute.c */
struct target {            /* what one word of a command stands for */
	uint32_t id, task; /* task NO_VAL = the whole job or array */
	struct job *job;
};
bool sim_find_target(const struct sim *s, const char *name, struct target *t, GError **error);
/* Root (NULL), or a user whom accounting calls an operator or administrator. */
bool sim_is_operator(const struct sim *s, const char *user);
/* USER (NULL = root) may do what he likes with J: it is his, or he is an operator. */
bool sim_may_change(const struct sim *s, const char *user, const struct job *j);
/* "12", "12_3" (split off its head), "12+1", "@name": the record; NULL and ERROR. */
struct job *sim_named_job(struct sim *s, const char *name, GError **error);
void sim_execute(struct sim *s, const struct command *cmd);

/* record.c */
void record_open(struct sim *s);
void record_waits(struct sim *s, struct sim_job *sj);  /* the job begins to wait now */
void record_waited(struct sim *s, struct sim_job *sj, usec_t until); /* and no longer waits */
void record_boots(struct sim *s, struct sim_job *sj); /* it has its nodes, and waits on for them to boot */
void record_refused(struct sim *s, uint32_t id, const char *label, const char *message);
void record_command(struct sim *s, const struct command *cmd, const char *message);
/* The node that was I of N_OLD is TO[I] now, UINT32_MAX = gone. */
void record_reshape(struct sim *s, const uint32_t *to, uint32_t n_old);
void record_instant(struct sim *s); /* all of this instant has happened */
void record_host_callbacks(struct sched_host *host);

/* fairshare.c */
void record_fairshare_open(struct sim *s); /* the controller is there: what its associations begin with */
void record_fairshare_callback(struct sched_host *host);

/* rows.c */
usec_t sim_job_ran(const struct sim *s, const struct job *job); /* running time of its run */
/* Work that is safe when SJ's run ends now, after RAN of running (checkpoint.h). */
usec_t sim_job_saved(const struct sim *s, const struct sim_job *sj, usec_t ran);
void record_job_row(struct sim *s, const struct job *job, const char *state);
void record_job_resize(struct sim *s, const struct job *job); /* it loses a node, and goes on */
#endif
