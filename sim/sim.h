/*
 * sim.h - a run: workload and commands on simulated time, over a controller, into a recorder.
 *
 * Clocks:
 *   slurm   ticks, quick passes, backfill intervals and sweeps as the real controller has them;
 *   ideal   every pass happens at the event that calls for it, in zero time: at one instant first all ends, then all
 *           submissions, then one main pass (and one backfill cycle); time limits end jobs exactly. The literature's model;
 *   pinned  passes and sweeps at given times only (a CSV with columns t and kind; conformance.md).
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H
#include "sched/controller.h"
#include "sim/faults.h"
#include "sim/recorder.h"
#include "traces/workload.h"

enum sim_clock { CLOCK_SLURM, CLOCK_IDEAL, CLOCK_PINNED };
enum release_mode { RELEASE_MESSAGE /* an epilog message: frees and asks for a pass at once */, RELEASE_REPLY /* reply to the kill request: frees, raises the counter */,
		    RELEASE_REPLY_AT_TICK /* taken up by the next whole second (26.11 records) */ };

struct pin { usec_t t; enum { PIN_MAIN_QUICK, PIN_MAIN_FULL, PIN_BACKFILL, PIN_SWEEP, PIN_PRIORITY, PIN_SLICE, PIN_STATES } kind; };

/* How much longer a run takes where JOB has just started: 1 = as the trace says. WHY and CLASS go to the record. */
struct sim_stretch { double factor; const char *class; char why[160]; };
typedef void sim_stretch_fn(const void *data, const struct controller *c, const struct job *job, struct sim_stretch *out);

struct sim_options {
	enum sim_clock clock;
	usec_t start;            /* time 0 of the run: `at` of inline jobs and commands counts from here */
	usec_t controller_start; /* when slurmctld starts (<= start); its timers count from there */
	usec_t tick_phase;       /* controller_new */
	usec_t tick_slip;        /* a turn of that loop takes so much more than a second, 0 (22.05: 0.0015 s) */
	GArray *early_turns;     /* of sec_t, ascending: the turn of that loop at these seconds wakes a hair early and reads the second before (S2); NULL = none; borrowed */
	GArray *backfill_times;  /* of usec_t, ascending: cycles of the recorded backfill thread, which tell where in the second it wakes (backfill_within); NULL = none; borrowed */
	usec_t backfill_within;  /* a wake so much before or after one of these comes with it; less than half a second */
	usec_t nodes_register;   /* the nodes of a controller that has just begun answer its first round, which asks for a pass (S3, ping.h); 0 = long ago */
	sec_t first_ping;        /* so long after controller_start the first round of pings comes, 0 = the usual 4 s (ping.h) */
	usec_t backfill_phase;   /* after controller_start the threads of backfill and gang scheduling begin, 0 */
	usec_t decay_phase;      /* after controller_start the decay thread begins, 0 (real ones: 1.17 s in 22.05, 0.38 s in 26.11) */
	usec_t launch_latency;   /* added to the run time of every job, 0 */
	usec_t epilog_latency;   /* from a job's end to the release of its nodes, 0 */
	usec_t kill_latency;     /* more of it for a run that is killed: until its processes are gone, 0 (real ones: 0.025 s) */
	enum release_mode release; /* of a run that ends by itself: one that is killed is always released by a message */
	usec_t until;            /* stop here (inclusive of events before); INT64_MAX = to the end */
	struct controller_cost cost; /* what the controller's work takes (sched/pace.h), nothing; for CLOCK_SLURM */
	usec_t boot_time;        /* from ResumeProgram or RebootProgram to the node's registration, 30 s */
	bool naive;              /* no skipped tick or pass */
	sim_stretch_fn *stretch; /* NULL: placement costs nothing */
	const void *stretch_data; /* borrowed */
	bool audit;              /* controller_audit after every instant: the first finding ends the run */
	GArray *pins;            /* of struct pin, ascending; for CLOCK_PINNED; borrowed */
	struct fault_model *faults; /* failures of nodes by chance; NULL = none; borrowed */
	uint64_t seed;           /* of these */
	bool (*at_submit)(void *data, struct job_request *req, GError **error); /* changes a request before the controller sees it, or refuses it; NULL */
	void *at_submit_data;
	uint64_t (*memory_limit)(void *data, uint64_t held, uint64_t real); /* cgroups: MiB at which a job that holds HELD of a node's REAL is killed; NULL = none */
	void *memory_limit_data;
	bool stop_when_idle;     /* end when no job is pending or running and none will come (default true) */
};
void sim_options_init(struct sim_options *o);
/* Read a pinned file: CSV with a header naming at least `t` (seconds after start, decimals) and `kind` (main_quick, main_full, backfill, sweep, priority, slice, states: the
 * jobs pending and running are counted for sdiag, otherwise a second after each sweep). Rows are sorted by time. NULL and ERROR (file, line) when bad. Free with g_array_unref. */
GArray *sim_read_pins(const char *path, usec_t start, GError **error);

struct sim;
/* CLUSTER and RECORDER (may be NULL) are borrowed. */
struct sim *sim_new(struct cluster *cluster, const struct sim_options *options, struct recorder *recorder);
void sim_free(struct sim *s);
/* Feed submissions from an open reader (borrowed until the run ends); their `at` is absolute. */
void sim_add_workload(struct sim *s, struct workload *w);
/* One submission (ownership passes), absolute time. */
void sim_add_submission(struct sim *s, struct submission *sub);
/* Submit here and now, between the events of a run that stands still: the record, or NULL and ERROR with Slurm's message. */
struct job *sim_submit_now(struct sim *s, struct job_request *request, GError **error);
struct adopted;
struct controller_clock;
/*
 * Continue from a moment (sched/adopt.h): SUB (ownership passes; its outcome is what becomes of the job) as A says, at AT. All
 * jobs in order of submission, before anything else is looked at; then sim_adopt_done. NULL and ERROR when it cannot be.
 */
struct job *sim_adopt(struct sim *s, struct submission *sub, const struct adopted *a, usec_t at, GError **error);
/* Carry out COMMAND about reservations, nodes or partitions at AT, before time goes on. */
bool sim_execute_now(struct sim *s, const char *command, usec_t at, GError **error);
/* What will become of J: the outcome of its submission, or of that task. NULL = unknown. */
const struct outcome *sim_outcome_of(const struct sim *s, const struct job *j);
/* The submission that J came from (its request has gone to the controller); NULL. */
const struct submission *sim_submission_of(const struct sim *s, const struct job *j);
const struct sim_options *sim_options_of(const struct sim *s);
/* The moment is AT; CLOCK NULL: a controller that has just been started. */
void sim_adopt_done(struct sim *s, const struct controller_clock *clock, usec_t at);
/* A command at a moment: "scontrol hold @name", "scancel 12", "scontrol update ...", as USER (NULL = root); see sim/commands.h. Unknown commands give an error
 * when added. */
bool sim_add_command(struct sim *s, usec_t at, const char *command, const char *user, GError **error);

struct command;
/* Ids (uint32_t) of the records that a scancel with options means now; g_array_unref. */
GArray *sim_scancel_matches(struct sim *s, const struct command *cmd);

/* Who carries out sacctmgr commands: FN changes ACCT as COMMAND says; false and ERROR when it does not understand it, or USER, who is no
 * operator (NULL: who is), may not.
 * Without one they are refused. */
typedef bool sim_accounting_fn(struct acct *acct, const char *command, const char *user, GError **error);
void sim_set_accounting(struct sim *s, sim_accounting_fn *fn);

/* Fix what the real system did (pinned scoring): the END of run RUN (0 first) of the job labelled LABEL comes at T instead of start + run time; its nodes are
 * released at RELEASE times (by_message each). */
void sim_pin_end(struct sim *s, const char *label, uint32_t run, usec_t t);
/* The real controller's clock moved on within its passes: a run started by the pass at PASS counts as started at T. */
void sim_pin_start(struct sim *s, const char *label, uint32_t run, usec_t pass, usec_t t);
void sim_pin_release(struct sim *s, const char *label, uint32_t run, uint32_t node, usec_t t, bool by_message);
/* The nodes of that run tell its end by epilog messages AFTER it, when it ends by itself, or (KILLED) when it is killed; those ask for a pass (S3), whatever
 * sim_options says. */
void sim_pin_message(struct sim *s, const char *label, uint32_t run, bool killed, usec_t after);
/* That run takes TIME, launch and all, instead of the time of its submission and sim_options.launch_latency; time suspended is not counted. */
void sim_pin_length(struct sim *s, const char *label, uint32_t run, usec_t time);

/* Stop at T already, if that is earlier. Before sim_run. */
void sim_stop_at(struct sim *s, usec_t t);
/* Run to options.until or the end. False and ERROR only for failures of the host (disk full); `stop` may be set from a signal handler. PROGRESS (may be NULL) is called
 * about 10 times a wall second... it is called every 65,536 events with the simulated time. */
bool sim_run(struct sim *s, const volatile int *stop, void (*progress)(void *data, usec_t now, uint64_t ended), void *progress_data, GError **error);
/* Close the record at the end of the run: rows of jobs still pending or running, open intervals, meta. Call once after sim_run. */
void sim_close_record(struct sim *s);

struct controller *sim_controller(const struct sim *s);
usec_t sim_now(const struct sim *s);
/* The label under which a record was submitted (array tasks: the array's label), NULL if none. */
const char *sim_job_label(const struct sim *s, const struct job *j);

/* Called for each decision step and pass (conformance, debugging). */
typedef void sim_step_fn(void *data, const struct step *step, usec_t now);
typedef void sim_pass_fn(void *data, const struct pass_stats *pass);
typedef void sim_reason_fn(void *data, const struct job *job, usec_t now);
/* Called when job BY makes VICTIM go or be suspended (host.h). */
typedef void sim_preempted_fn(void *data, const struct job *victim, const struct job *by, usec_t now);
void sim_watch_preemptions(struct sim *s, sim_preempted_fn *fn, void *data);
void sim_watch(struct sim *s, sim_step_fn *step, sim_pass_fn *pass, sim_reason_fn *reason, void *data);
/*
 * Looking in from outside. Each may be NULL.
 *   instant     after all of an instant has happened; true: sim_run returns there, and a later sim_run goes on as if it had not.
 *   submission  just before the controller gets a submission, which would take job id ID; the request, outcome and label
 *               may be changed; false: it is left out.
 *   refused     a submission, or a command (id 0, label "command"), was refused.
 *   answer      what a command that was carried out prints ("Reservation created: alice_3").
 */
struct sim_hooks {
	bool (*instant)(void *data, usec_t now);
	bool (*submission)(void *data, struct submission *sub, uint32_t id);
	void (*refused)(void *data, uint32_t id, const char *label, const char *message);
	void *data;
	void (*answer)(void *data, const char *text);
};
void sim_set_hooks(struct sim *s, const struct sim_hooks *hooks); /* copied; NULL = none */
void sim_set_until(struct sim *s, usec_t until);                  /* not before sim_now */
/* What happens from now on is not recorded (a forked process that looks into another future). */
void sim_drop_recorder(struct sim *s);
/* "12", "12_3", or a label "@NAME", "@NAME_3" (the "@" may be left out) in numbers; *task NO_VAL without a task. False
 * when TEXT is neither a number nor the label of a job submitted before. */
bool sim_find_id(const struct sim *s, const char *text, uint32_t *id, uint32_t *task);
struct sim_counts { uint64_t submitted, refused, started, ended, events, passes; };
struct sim_counts sim_counts(const struct sim *s);
#endif
