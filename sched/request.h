/*
 * request.h - what a user asks for: the options of one sbatch, before defaults and checks.
 *
 * Field names follow sbatch's long options. NO_VAL / NO_VAL64 / NULL mean "not given". A request owns its strings.
 */
#ifndef SCHED_REQUEST_H
#define SCHED_REQUEST_H
#include "sched/base/duration.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum share_request { SHARE_UNSET, SHARE_EXCLUSIVE, SHARE_OVERSUBSCRIBE, SHARE_EXCLUSIVE_USER, SHARE_EXCLUSIVE_MCS, SHARE_EXCLUSIVE_TOPO };
enum requeue_request { REQUEUE_DEFAULT, REQUEUE_YES, REQUEUE_NO, REQUEUE_EXPEDITE /* --requeue=expedite: see expedite.h */ };
enum { DIST_DEFAULT, DIST_BLOCK, DIST_CYCLIC, DIST_PLANE, DIST_ARBITRARY };

struct job_request {
	char *name, *user, *account, *partition, *qos;    /* partition and qos may be lists */
	char *reservation, *constraint, *prefer, *nodelist, *exclude, *licenses, *dependency, *array, *comment, *workdir, *wckey;
	char *admin_comment, *mail_user, *mail_type, *output; /* shown only, and set by scontrol update alone */
	char *gres;               /* --gres, --gpus-per-node as "gpu[:type]:n", comma list: per node */
	char *gres_given, *gpus_per_node; /* the two options as given; gres is made of them. A repeated option replaces its own part */
	char *gpus;               /* per job, "n" or "type:n" */
	char *gpus_per_task, *gpus_per_socket;
	char *gres_per_task; /* of --tres-per-task, other than GPUs: "shard:2" */
	char *gres_flags;
	uint32_t ntasks_per_gpu, cpus_per_gpu; uint64_t mem_per_gpu; /* MiB */
	uint32_t time_limit, time_min; /* minutes; INFINITE = unlimited */
	uint32_t time_exact; /* the limit in whole seconds where a trace tells it; 0 = none. Only strict EASY uses it (Slurm's limits are minutes) */
	uint32_t min_nodes, max_nodes;
	char *node_counts;        /* -N given as a list ("1,3", "2-8:2"), else NULL */
	uint32_t ntasks, cpus_per_task, ntasks_per_node, ntasks_per_socket, ntasks_per_core;
	uint32_t mincpus, sockets_per_node, cores_per_socket, threads_per_core;
	uint64_t mem_per_node, mem_per_cpu; /* MiB; 0 = all memory of the node */
	uint64_t tmp;             /* MiB */
	int64_t begin, deadline;  /* seconds since the epoch; 0 = none. Relative texts are kept below until submission */
	char *begin_text, *deadline_text; /* as given, resolved by the reader or at submission against the submit time; NULL */
	int64_t nice; bool nice_set;
	int32_t site_factor;      /* set by the site at submission (P20); 0 = none */
	uint32_t priority;        /* given directly */
	bool hold;
	bool privileged;          /* submitted by root or an operator: negative nice and --priority count */
	enum requeue_request requeue;
	enum share_request share;
	bool contiguous, overcommit, spread_job, use_min_nodes, no_kill, kill_on_invalid_dep, kill_on_invalid_dep_set;
	uint32_t switches; int64_t switches_wait; /* seconds, -1 = default */
	uint32_t segment; bool consolidate_segments, spread_segments;
	uint32_t core_spec; bool thread_spec; /* cores, or with thread_spec threads, of each node that the job is to leave alone */
	uint32_t delay_boot;      /* minutes */
	bool reboot;
	int distribution, distribution_socket; uint32_t plane_size;
	char *signal;             /* --signal text */
};

/* A request with every field "not given". Free with job_request_free. */
struct job_request *job_request_new(void);
void job_request_free(struct job_request *r);
struct job_request *job_request_copy(const struct job_request *r);

#define REQUEST_ERROR (g_quark_from_static_string("request"))
/*
 * Set one sbatch option by its long name without dashes ("ntasks", "cpus-per-task", "gres", "time", "nodes", "mem",
 * "exclusive", "array", "hold" ...; "_" is taken for "-"). VALUE NULL for options without one ("exclusive" may have one). Grammar and units
 * as sbatch has them (spec sbatch.md). False and ERROR when the option is unknown or the value bad; the message names both and what would be right.
 */
bool job_request_set(struct job_request *r, const char *option, const char *value, GError **error);
#endif
