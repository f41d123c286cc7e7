/*
 * commands.h - commands given at a moment: what an operator or a user types while jobs wait and run.
 *
 *   scontrol hold|uhold|release|requeue|requeuehold|suspend|resume JOBS
 *   scontrol requeue|requeuehold [Incomplete] [State=SpecialExit] JOBS     also of jobs that have ended (sched/requeue.c)
 *   scontrol top JOBS                          before others of the same user, account, partition and QOS
 *   scontrol update job=JOBS KEY=VALUE...      all keys of 22.05: sched/update.c, README; "nice" and "ResetAccrueTime" may stand alone
 *   scontrol update jobname=NAME [userid=USER] KEY=VALUE...    all waiting and running jobs of that name
 *   scontrol update step=JOB[.STEP] timelimit=TIME    refused
 *   scontrol update|create partition=NAME KEY=VALUE...    all keys of scontrol: sched/update.h, README
 *   scontrol delete partition=NAME
 *   scontrol update node=NODES KEY=VALUE...    all keys of scontrol
 *   scontrol power up|down [ASAP|FORCE] NODES [reason=TEXT]   not in 22.05
 *   scontrol create reservation[=NAME] KEY=VALUE...    keys: sched/resv_draft.h, TRES= sched/resv_gres.h; README
 *   scontrol update reservation=NAME KEY=VALUE...
 *   scontrol delete reservation=NAME (or: delete reservation NAME)
 *   sacctmgr [-i] add, modify, delete ...    accounts, users, QOS and their limits (models/accounting.h reads them)
 *   scancel [OPTIONS] JOBS      options, components and steps: sim/scancel.h
 *   node_kill NODES         their slurmds die: no answer after MessageTimeout, DOWN after SlurmdTimeout more
 *   node_start NODES        and are there again: the nodes register (ReturnToService)
 *   scontrol reboot [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES|ALL   when they are idle (sched/power.h)
 *   scontrol cancel_reboot NODES
 *   scontrol reconfigure [FILE]   FILE is the changed slurm.conf; without it the first one is read again (sched/reconfigure.h)
 *   scontrol fsdampeningfactor N
 *   scontrol setdebug, write, notify, wait_job, errnumstr and the like: checked, and do nothing (sim/scontrol_rest.h)
 *   restart [FILE]          slurmctld is stopped and started again with it
 *   outage SECONDS         slurmctld is away: no pass, no sweep; jobs end, submissions wait in its queue
 *   scontrol show ..., sinfo, squeue, sacct, sprio, sshare, sdiag, sreport ...    accepted and do nothing
 *
 * JOBS are separated by commas or blanks: 12, 12_3 (a task), 12_[1-3,7], @NAME and @NAME_3, where NAME is the label of
 * a submission. Words are quoted as in a shell. Keys and verbs are in any case.
 *
 * USER NULL or "root" may do everything, and so may accounting's operators and administrators. Anybody else may only
 * touch his own jobs; his hold is a user's hold, which he can release himself, and so is anybody's uhold.
 *
 * The line is checked when it is read; jobs are looked up when it is carried out. Here is the reading, which needs
 * no run; carrying out is in execute.c.
 */
#ifndef SIM_COMMANDS_H
#define SIM_COMMANDS_H
#include "sim/scancel.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum command_verb {
	COMMAND_SHOW, /* does nothing */
	COMMAND_HOLD,
	COMMAND_UHOLD,
	COMMAND_RELEASE,
	COMMAND_REQUEUE,
	COMMAND_REQUEUE_HOLD,
	COMMAND_SUSPEND,
	COMMAND_RESUME,
	COMMAND_CANCEL,
	COMMAND_TOP,
	COMMAND_UPDATE_JOB,  /* jobs; name: jobname=, else NULL; user ids stay among the pairs */
	COMMAND_UPDATE_STEP, /* name: the step; refused */
	COMMAND_UPDATE_PARTITION,
	COMMAND_CREATE_PARTITION,
	COMMAND_DELETE_PARTITION,
	COMMAND_UPDATE_NODE,
	COMMAND_POWER,       /* as COMMAND_UPDATE_NODE, by scontrol power: not in 22.05 */
	COMMAND_CREATE_RESERVATION,
	COMMAND_UPDATE_RESERVATION,
	COMMAND_DELETE_RESERVATION,
	COMMAND_ACCOUNTING, /* text holds it; what it means is found out when it is carried out */
	COMMAND_OUTAGE,     /* name: the seconds */
	COMMAND_NODE_KILL,
	COMMAND_NODE_START,
	COMMAND_REBOOT,       /* name: the nodes; pairs: asap=, nextstate=, reason= */
	COMMAND_CANCEL_REBOOT, /* name: the nodes */
	COMMAND_RECONFIGURE,  /* name: the changed slurm.conf; NULL = the first one again */
	COMMAND_RESTART,      /* the same, by a slurmctld that starts anew */
	COMMAND_DAMPING       /* name: FairShareDampeningFactor */
};

struct command_pair {
	char *key, *value; /* owned; the key in lower case; value NULL: a word that stands alone (of a job's update only) */
	char *word;        /* owned; the key as typed, of an update; else NULL */
};

struct command {
	enum command_verb verb;
	char *text;       /* owned; as given */
	char *user;       /* owned; NULL = root */
	GPtrArray *jobs;  /* of char *: "12", "12_3", "@name", "@name_3"; never NULL */
	char *name;       /* owned; partition, nodes or reservation, else NULL */
	struct scancel *scancel; /* owned; options of scancel, or steps and components are named; else NULL */
	GPtrArray *pairs; /* of struct command_pair *; never NULL; for requeue incomplete and state */
};

#define COMMAND_ERROR (g_quark_from_static_string("command"))

/* Read one line. NULL and ERROR, which says what is known, when it is not understood or not modelled. */
struct command *command_parse(const char *text, const char *user, GError **error);
void command_free(struct command *c); /* NULL is allowed */
/* The value of KEY (lower case); NULL if it is not given. */
const char *command_value(const struct command *c, const char *key);
/* The pairs as partitions and nodes take them; g_free, texts are C's. */
struct setting;
struct setting *command_settings(const struct command *c);
/* "12" or "12_3" in numbers; *task = NO_VAL without a task. False when it is neither. */
bool command_job_id(const char *text, uint32_t *id, uint32_t *task);
#endif
