/*
 * update_job.h - what the files of scontrol update job share; the door is controller_update_job in controller.h.
 *
 *   update.c         the table of keys; a line of settings is carried out on one job, on an array, on components
 *   update_check.c   what scontrol itself finds wrong with a line, before it asks slurmctld
 *   update_time.c    limits, times, priority
 *   update_owner.c   partition, QOS, account; reservation, licences, dependency
 *   update_demand.c  nodes, CPUs, memory, GRES, features: what is asked for
 *   update_shown.c   what is only shown
 *   shrink.c         nodes of a running job are given back
 *
 * All of a line is done in the order of the table, not in that of the line, up to the first setting that is refused (recorded: of "name=a
 * comment=b features=nosuch" the comment stays and the name does not). Texts are those of 22.05 as recorded in tests/recorded/updates.
 */
#ifndef SCHED_UPDATE_JOB_H
#define SCHED_UPDATE_JOB_H
#include "sched/limits.h"

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)
#define NOT_SUPPORTED "Requested operation not supported on this system"

struct update { /* one key of one job */
	struct controller *c;
	struct job *j;
	const char *value; /* never NULL */
	bool admin;        /* an operator asks */
	bool demand;       /* out: what the job asks for has changed */
};
typedef bool update_fn(struct update *u, GError **error);

/* What a value must look like for scontrol to pass it on. */
enum update_form { FORM_TEXT, FORM_COUNT, FORM_FLAG, FORM_CPUS, FORM_NODES, FORM_LIMIT, FORM_MINUTES, FORM_DATE, FORM_PRIORITY, FORM_SMALL, FORM_DELAY, FORM_MAIL };

struct update_key {
	const char *name, *also; /* as scontrol writes it; another name it has, or NULL */
	update_fn *set;
	enum update_form form;
	bool waiting;   /* only before the job starts */
	bool bare;      /* may stand without "=" */
};
/* The key that WORD is a name of, in any case; NULL. */
const struct update_key *update_key_of(const char *word);
/* Position in the table: the order in which settings are carried out. */
int update_order(const struct update_key *k);
uint32_t update_most(const struct job *j); /* the longest limit of the partitions in which J may run, minutes */

static inline bool denied(GError **error)
{
	return REFUSE(error, "Access/permission denied");
}
/* L2: what an operator sets is not tested against limits any more. */
static inline void update_mark(const struct update *u, uint32_t tres)
{
	if (u->admin)
		u->j->tres_set |= UINT64_C(1) << tres;
}
/* All TRES whose name begins with PREFIX ("gres/"). */
void update_mark_all(const struct update *u, const char *prefix);
/* *FIELD (of a request) becomes TEXT, NULL for an empty one. */
void update_text(char **field, const char *text);
/* The number that VALUE begins with, as C's atoi reads it. */
int64_t update_number(const char *value);

update_fn update_time_limit, update_time_min, update_deadline, update_start, update_end, update_nice, update_priority, update_site, update_throttle,
    update_accrue, update_requeue;
update_fn update_qos, update_account, update_partition, update_reservation, update_licenses, update_dependency;
update_fn update_cpus, update_nodes, update_memory_node, update_memory_cpu, update_tmp, update_min_cpus, update_tasks, update_cpus_per_task,
    update_tasks_per_node, update_sockets, update_cores, update_threads, update_features, update_prefer, update_req_nodes, update_exc_nodes, update_gres,
    update_tres_per_node, update_tres_per_job, update_tres_per_task, update_tres_per_socket, update_share, update_contiguous, update_switches;
update_fn update_name, update_comment, update_admin_comment, update_wckey, update_workdir, update_output, update_mail_user, update_mail_type,
    update_delay_boot, update_core_spec, update_thread_spec, update_cluster_features, update_burst_buffer;

/* ---- shrink.c ---- */
/* A running job keeps the nodes KEEP (some of its own) and gives the others back. False and ERROR, and nothing changed, where that is not modelled. */
bool job_shrink(struct controller *c, struct job *j, const struct bitset *keep, GError **error);
#endif
