/*
 * reservation.h - advance reservations (lifecycle C35, C60-C65).
 *
 * Files: reservation.c (the list, time: active, recurring, ended; who may use one), resv_nodes.c (C60: which nodes a
 * job may use at a time), resv_command.c (create, update, delete) with resv_draft.c and
 * resv_choose.c, resv_replace.c (C63: nodes exchanged).
 *
 * Reservations stand in controller.resvs in order of creation. A job points to those that it names (job.resvs) and,
 * while a record of it is looked at or it runs, to the one in use (job.resv; also a MAGNETIC one that it did not name).
 * A reservation is not freed while a job runs in it; pending jobs lose their pointer when it goes (C65).
 *
 * Whether a reservation is active is a matter of the clock alone. What the controller's loop does about it - node flags
 * every 5 s, ended reservations every 30 s (C62) - happens in resv_tick; resv_next_tick bounds when that is needed
 * again.
 */
#ifndef SCHED_RESERVATION_H
#define SCHED_RESERVATION_H
#include "sched/license.h"

#define RESV_FLAGS(X) /* in the order in which scontrol prints them */                                                 \
	X(MAINT)                                                                                                       \
	X(FLEX) X(OVERLAP) X(IGNORE_JOBS) X(HOURLY) X(DAILY) X(WEEKDAY) X(WEEKEND) X(WEEKLY) X(SPEC_NODES)             \
	    X(ALL_NODES) X(ANY_NODES) X(STATIC) X(PART_NODES) X(FIRST_CORES) X(TIME_FLOAT) X(REPLACE) X(REPLACE_DOWN) X(PURGE_COMP)   \
	        X(NO_HOLD_JOBS_AFTER_END) X(MAGNETIC) X(USER_DELETE) X(FORCE_START)
#define X(name) RESV_BIT_##name,
enum { RESV_FLAGS(X) RESV_BITS };
#undef X
#define RESV_FLAG(name) (1u << RESV_BIT_##name)
#define RESV_RECURRING                                                                                                 \
	(RESV_FLAG(HOURLY) | RESV_FLAG(DAILY) | RESV_FLAG(WEEKDAY) | RESV_FLAG(WEEKEND) | RESV_FLAG(WEEKLY))

struct name_list {
	char **names;
	bool deny;
}; /* names NULL = not given; deny: "-name" entries */

struct reservation {
	char *name;
	uint32_t id, flags;
	sec_t start, end;
	sec_t float_by;               /* TIME_FLOAT: start = now + this */
	struct bitset *nodes;         /* never NULL; may be empty */
	struct job_alloc *cores;      /* part-node reservation: the cores and GRES held (resv_gres.h); NULL = whole nodes */
	uint32_t core_cnt;            /* cores in all */
	const struct partition *part; /* PartitionName; NULL */
	struct name_list users, groups, accounts, qos, partitions;
	char *features, *comment;
	uint32_t *licenses; /* [license_kinds]; NULL = none */
	char *licenses_text;
	uint32_t max_start_delay; /* seconds; 0 = none */
	uint32_t purge_after;     /* PURGE_COMP: seconds */
	usec_t made;              /* created, or last changed by a command */
	sec_t idle_since;         /* since when no job has it; 0 = some has */
	bool by_count;            /* nodes were chosen by count: down ones are replaced */
	uint64_t stuck;           /* version of the controller at which no node was there to exchange for */
	sec_t cores_since;        /* when its cores were chosen */
	uint32_t recurred;        /* times */
	bool flagged;             /* its nodes carry RESERVED (or MAINT) */
	bool failed;              /* S31(b): blocked in the pass in progress */
	const struct job *first_failed; /* by this job; only with failed */
	uint32_t running;         /* jobs running in it */
};

/* ---- reservation.c ---- */
void resv_free(struct reservation *r);
struct reservation *resv_find(const struct controller *c, const char *name); /* NULL */
const GPtrArray *controller_resvs(const struct controller *c); /* of struct reservation *, in order of creation */
bool resv_active_at(const struct reservation *r, sec_t t);
/* Start and end as they are now: TIME_FLOAT moves with the clock. */
sec_t resv_start(const struct controller *c, const struct reservation *r);
sec_t resv_end(const struct controller *c, const struct reservation *r);
/* May J use R (users, accounts, QOS, partitions)? */
bool resv_access(const struct controller *c, const struct reservation *r, const struct job *j);
/* Does a pending job name R? */
bool resv_is_wanted(const struct controller *c, const struct reservation *r);
/* Fill job.resvs from --reservation; false and sbatch's message when one is unknown or not the user's. */
bool resv_resolve(struct controller *c, struct job *j, GError **error);
/* After a record: a pending job is back to what it named. */
void resv_end_record(struct job *j);
/* --signal=R:... was given (S25). */
bool resv_signal_asked(const struct job *j);
void resv_forget_job(struct job *j); /* a pending job no longer names its reservations */
/* C3.6: false when J names reservations of which none is active; holds J when they are over (C60). */
bool resv_usable_now(struct controller *c, struct job *j);
/* L of C60, seconds: the time limit of J; the partition's if it has none; a year when unlimited. */
sec_t resv_job_seconds(const struct controller *c, const struct job *j);
/* Subtract from FREE the licences that others hold reserved in [when, when + seconds). */
void resv_take_licenses(struct controller *c, const struct job *j, sec_t when, sec_t seconds, uint32_t *free);
/*
 * Recorded (22.05 and 26.11, an active reservation on an idle cluster): while one that has nodes is active, each turn of node flags counts as a change
 * (B2), although it changes nothing. The second of the last such turn (INT64_MIN = none), and the time of the first one in second SECOND or later
 * (INT64_MAX = none).
 */
sec_t resv_last_flags(const struct controller *c);
usec_t resv_flags_from(const struct controller *c, sec_t second);
/* Recorded: the cores of a reservation of cores are shown from the next 5 s turn on. */
bool resv_cores_known(const struct controller *c, const struct reservation *r, sec_t now);
/* The loop's turns: node flags (every 5 s); ended reservations (every 30 s). EXACT: only when NOW is such a turn, else
 * also when one was left out. */
void resv_tick(struct controller *c, bool exact);
/* A reservation is made or changed: turns before now, of which none was needed, are not taken later on. */
void resv_turns_passed(struct controller *c);
void resv_end_tick(struct controller *c, bool exact);
/* The first whole second >= FIRST at which one of them has something to do. INT64_MAX / USEC - 1 = never. */
sec_t resv_next_tick(const struct controller *c, sec_t first);
/* Recorded (22.05): a pass that asks for a job is the first to find that a recurring one is over, and moves it on; jobs that run in it run on. Without such a pass
 * the turn of ended ones does, after it has ended the jobs (C35). */
void resv_advance(struct controller *c);
/* Node flags of R's nodes after its nodes, flags or state changed. */
void resv_set_node_flags(struct controller *c);
/* Take R away: pending jobs that name it are held (C65). R must have no running job. */
void resv_remove(struct controller *c, struct reservation *r);
/* The start of the occurrence after the one that starts at T (C63). */
sec_t resv_next_start(const struct reservation *r, sec_t t);
/* Times in [a0, a1) at which S's occurrences and R's meet (C64). */
bool resv_times_meet(const struct controller *c, const struct reservation *r, const struct reservation *s);

/* ---- resv_nodes.c ---- */
enum resv_verdict {
	RESV_OK,          /* nodes are what is left */
	RESV_MAINTENANCE, /* a.: nothing may run; for a job in its own: maintenance takes all of its nodes */
	RESV_BUSY,        /* b.: required nodes are inside another's */
	RESV_NOT_ACTIVE,  /* the job's own has not started */
	RESV_INVALID      /* the job cannot run in it */
};
struct resv_answer {
	enum resv_verdict verdict;
	sec_t when;      /* with MOVE: the time tried, perhaps later than asked */
	bool overlap;    /* C60's overlap flag */
	bool part_nodes; /* some part-node reservation excludes cores or GRES: see resv_block_parts */
};
/* C60: take out of NODES what J (in job.part and job.resv) may not use in [when, when + L), and what is kept for expedited requeues (expedite.h). With MAINTENANCE and BUSY
 * NODES is left empty, unless MOVE has found a later time. */
struct resv_answer resv_allow(struct controller *c, const struct job *j, sec_t when, bool move, struct bitset *nodes);
/* Does R keep what it has from a job in OWN (NULL: in none)? */
bool resv_keeps_from(const struct controller *c, const struct reservation *r, const struct reservation *own);
/* Is R one whose nodes bind J (not FLEX, not ANY_NODES, and it has nodes)? */
bool resv_binds(const struct reservation *r);
/* Nodes that a job takes before others of the same weight: those that its association uses (N24), or (recorded: 22.05) those of its FLEX reservation. NULL = none. */
const struct bitset *first_nodes(struct controller *c, const struct job *j);
/* Before a trial of J for [when, when + L): c->sel->blocked and blocked_gres are what part-node reservations keep from it. PART_NODES: of
 * resv_allow's answer; false = nothing. */
void resv_block_parts(struct controller *c, const struct job *j, sec_t when, bool part_nodes);
/* B22.6: earliest end among all reservations that end at T or later; 0 = none. */
sec_t resv_earliest_end(const struct controller *c, sec_t t);

/* ---- resv_replace.c ---- */
/* C63: some node of R is to be exchanged, and since the last look something has changed. */
bool resv_wants_nodes(const struct controller *c, const struct reservation *r);
/* A turn of the loop: nodes that cannot be used are exchanged for idle ones. */
void resv_replace_tick(struct controller *c);
/* A job has started in R: with REPLACE the nodes that it took are exchanged at once. */
void resv_replace_taken(struct controller *c, struct reservation *r);

/* ---- resv_command.c ---- */
struct resv_setting {
	const char *key, *value;
}; /* key in lower case; value NULL is not allowed */
/* "now", "now+90", a date ... against NOW; used for StartTime and EndTime. */
bool controller_create_reservation(struct controller *c, const struct resv_setting *set, uint32_t n, usec_t now,
                                   char **name, GError **error);
bool controller_update_reservation(struct controller *c, const char *name, const struct resv_setting *set, uint32_t n,
                                   usec_t now, GError **error);
/* USER_DELETE: USER is one of its users, or has an association with one of its accounts. */
bool controller_user_may_delete(const struct controller *c, const char *name, const char *user);
bool controller_delete_reservation(struct controller *c, const char *name, usec_t now, GError **error);
#endif
