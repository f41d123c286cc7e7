/* job_fields.c - see job_fields.h. One function fills one cell; the table at the end names the columns. */
#include "tools/job_fields.h"
#include "sched/base/memsize.h"
#include "sched/reservation.h"
#include "tools/cells.h"
#include <string.h>

typedef char *cell_fn(const struct job_view *v, const struct job_ref *r);
#define CELL(name) static char *name(const struct job_view *v, const struct job_ref *r)
#define UNUSED (void)v, (void)r
#define J r->job

static char *number(uint64_t n)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT, n);
}

static char *text_or(const char *text, const char *missing)
{
	return g_strdup(text && *text ? text : missing);
}

static char *date_or_na(sec_t t, sec_t now)
{
	return t ? date_shown(t, now) : g_strdup("N/A");
}

static bool waits(const struct job *j)
{
	return j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING);
}

/* ---- who ---- */

CELL(account)
{
	UNUSED;
	return text_or(J->account, "");
}
CELL(user)
{
	UNUSED;
	return text_or(J->user, "");
}
CELL(uid)
{
	UNUSED;
	return number(job_uid(J));
}
CELL(name)
{
	UNUSED;
	return text_or(J->name, "");
}
CELL(comment)
{
	UNUSED;
	return text_or(J->req->comment, "(null)");
}
CELL(qos)
{
	UNUSED;
	return text_or(J->qos ? J->qos->name : NULL, "normal");
}
CELL(wckey)
{
	UNUSED;
	return text_or(J->req->wckey, "(null)");
}
CELL(cluster_name)
{
	UNUSED;
	return text_or(controller_cluster(v->c)->params->cluster_name, "");
}
CELL(assoc_id)
{
	UNUSED;
	return number(J->assoc ? J->assoc->id : 0);
}

/* ---- ids ---- */

CELL(raw_id)
{
	UNUSED;
	return number(J->id);
}
CELL(array_id)
{
	UNUSED;
	return number(J->array ? J->array->job_id : J->id);
}
CELL(job_id)
{
	UNUSED;
	if (r->joined) {
		char *tasks = job_tasks_text(J, r->joined->tasks), *text = g_strdup_printf("%u_%s", J->array->job_id, tasks);
		g_free(tasks);
		return text;
	}
	return r->task != NO_VAL ? g_strdup_printf("%u_%u", J->array->job_id, r->task) : job_id_shown(J);
}
CELL(task_id)
{
	UNUSED;
	if (r->task != NO_VAL)
		return number(r->task);
	if (J->task != NO_VAL && !r->joined)
		return number(J->task);
	if (!J->array)
		return g_strdup("N/A");
	char *tasks = r->joined ? job_tasks_text(J, r->joined->tasks) : job_tasks_shown(J); /* "[4-7%2]" */
	size_t n = strlen(tasks);
	if (n >= 2 && tasks[0] == '[') {
		memmove(tasks, tasks + 1, n - 2);
		tasks[n - 2] = '\0';
	}
	return tasks;
}

/* ---- state ---- */

CELL(state_compact)
{
	UNUSED;
	return g_strdup(r->state);
}
CELL(state_long)
{
	UNUSED;
	return g_strdup(job_state_shown(J));
}
CELL(reason)
{
	UNUSED;
	return g_strdup(J->reason_text && *J->reason_text ? J->reason_text : reason_name(J->reason));
}
CELL(reason_list)
{
	return r->joined ? g_strdup_printf("(%s)", r->joined->reasons->str) : job_nodes_or_reason(v, J);
}
CELL(dependency)
{
	char *text = job_dependency_text(v, J);
	return text ? text : g_strdup("(null)");
}
CELL(priority_long)
{
	UNUSED;
	return number(r->priority);
}
CELL(priority_part)
{
	UNUSED;
	return g_strdup_printf("%.14f", r->priority / 4294967296.0);
}
CELL(nice)
{
	UNUSED;
	return g_strdup_printf("%" G_GINT64_FORMAT, J->nice);
}
CELL(restarts)
{
	UNUSED;
	return number(J->run);
}
CELL(requeue)
{
	UNUSED;
	return number(J->requeue);
}
CELL(exit_code)
{
	int code, signal;

	UNUSED;
	job_exit_shown(v, J, &code, &signal);
	return v->v22 ? number((uint64_t)code) : g_strdup_printf("%d:%d", code, signal);
}

/* ---- heterogeneous jobs ---- */

CELL(het_id)
{
	UNUSED;
	return J->het ? number(J->het->job_id) : g_strdup("N/A");
}
CELL(het_set)
{
	UNUSED;
	if (!J->het)
		return g_strdup("N/A");
	return g_strdup_printf("%u-%u", J->het->job_id, J->het->job_id + J->het->n - 1);
}
CELL(het_offset)
{
	UNUSED;
	return J->het ? number(J->het_offset) : g_strdup("N/A");
}

/* ---- times ---- */

CELL(submit_time)
{
	UNUSED;
	return date_or_na(J->submit, v->now);
}
CELL(eligible_time)
{
	UNUSED;
	return date_or_na(J->eligible, v->now);
}
CELL(accrue_time)
{
	UNUSED;
	return date_or_na(J->accrue, v->now);
}
CELL(start_time)
{
	UNUSED;
	return date_or_na(job_start_shown(J), v->now);
}
CELL(end_time)
{
	UNUSED;
	return date_or_na(job_end_shown(J), v->now);
}
CELL(deadline)
{
	UNUSED;
	return date_or_na(J->deadline, v->now);
}
CELL(time_used)
{
	return duration_format_squeue(job_seconds_shown(v, J));
}
static char *limit_text(uint32_t minutes)
{
	if (minutes == INFINITE)
		return g_strdup("UNLIMITED");
	if (minutes == NO_VAL)
		return g_strdup("NOT_SET");
	return duration_format_squeue((int64_t)minutes * 60);
}
/* Not given: what the partition gives. */
static uint32_t limit_of(const struct job *j)
{
	const struct partition *p = j->part ? j->part : j->n_parts ? j->parts[0].part : NULL;

	if (j->time_limit != NO_VAL || !p)
		return j->time_limit;
	return p->default_time != NO_VAL ? p->default_time : p->max_time;
}
CELL(time_limit)
{
	UNUSED;
	return limit_text(limit_of(J));
}
CELL(time_min)
{
	UNUSED;
	return J->time_min == NO_VAL ? g_strdup("0:00") : limit_text(J->time_min);
}
CELL(time_left)
{
	uint32_t limit = limit_of(J);

	if (limit >= NO_VAL)
		return limit_text(limit);
	sec_t left = (sec_t)limit * 60 - job_seconds_shown(v, J);
	return left < 0 ? g_strdup("INVALID") : duration_format_squeue(left);
}
CELL(pending_time)
{
	sec_t until = J->start && !waits(J) ? J->start : v->now;

	return g_strdup_printf("%" G_GINT64_FORMAT, MAX(0, until - J->submit));
}

/* ---- what it asks for and has ---- */

CELL(partition)
{
	UNUSED;
	return g_strdup(r->partition);
}
CELL(nodes)
{
	return cell_count(job_node_count(v, J));
}
CELL(cpus)
{
	UNUSED;
	return cell_count(job_cpu_count(J));
}
CELL(max_nodes)
{
	UNUSED;
	return number(J->max_nodes == NO_VAL ? 0 : J->max_nodes);
}
CELL(max_cpus)
{
	UNUSED;
	return number(J->max_cpus == NO_VAL ? job_cpu_count(J) : J->max_cpus);
}
CELL(tasks)
{
	UNUSED;
	return number(J->ntasks == NO_VAL ? MAX(J->min_nodes, 1) : J->ntasks);
}
CELL(cpus_per_task)
{
	UNUSED;
	return number(MAX(1, J->cpt));
}
CELL(min_cpus)
{
	UNUSED;
	return number(MAX(1, J->pn_min_cpus));
}
CELL(min_memory)
{
	UNUSED;
	return job_memory_text(J);
}
CELL(min_tmp)
{
	UNUSED;
	return J->req->tmp == NO_VAL64 ? g_strdup("0") : memsize_format_mib(J->req->tmp);
}
CELL(node_list)
{
	UNUSED;
	char *text = nodes_text(v, job_nodes_shown(J));
	return text ? text : g_strdup("");
}
CELL(batch_host)
{
	const struct cluster *cl = controller_cluster(v->c);
	const struct bitset *nodes = job_nodes_shown(J);
	int64_t first = nodes ? bitset_first(nodes) : -1;

	return g_strdup(first >= 0 ? cl->node[first]->name : "n/a");
}
CELL(sched_nodes)
{
	char *text = waits(J) ? nodes_text(v, J->sched_nodes) : NULL;
	return text ? text : g_strdup("(null)");
}
CELL(req_nodes)
{
	char *text = nodes_text(v, J->req_nodes);
	return text ? text : g_strdup("");
}
CELL(exc_nodes)
{
	char *text = nodes_text(v, J->exc_nodes);
	return text ? text : g_strdup("");
}
CELL(features)
{
	UNUSED;
	return text_or(J->req->constraint, "(null)");
}
CELL(prefer)
{
	UNUSED;
	return text_or(J->req->prefer, "(null)");
}
CELL(gres)
{
	char *text = job_gres_text(v, J);
	return text ? text : g_strdup("N/A");
}
static char *gpus_text(const struct job_view *v, const char *gpus)
{
	return gpus ? g_strdup_printf("gres%sgpu:%s", v->v22 ? ":" : "/", gpus) : g_strdup("N/A");
}
CELL(cpus_per_tres)
{
	UNUSED;
	if (J->req->cpus_per_gpu != NO_VAL)
		return g_strdup_printf("gres%sgpu:%u", v->v22 ? ":" : "/", J->req->cpus_per_gpu);
	return J->def_cpus_per_gpu && J->n_gres ? g_strdup_printf("gpu:%u", J->def_cpus_per_gpu) : g_strdup("N/A");
}
CELL(tres_bind)
{
	UNUSED;
	return g_strdup(J->req->gpus_per_task ? "gres/gpu:per_task:1" : "N/A");
}
static char *level(uint16_t n)
{
	return n ? number(n) : g_strdup("N/A");
}
CELL(nt_per_core)
{
	UNUSED;
	return level(J->ntasks_per_core);
}
CELL(nt_per_socket)
{
	UNUSED;
	return level(J->ntasks_per_socket);
}
CELL(nt_per_node)
{
	UNUSED;
	return number(J->ntasks_per_node);
}
CELL(switches)
{
	UNUSED;
	return number(J->req->switches == NO_VAL ? 0 : J->req->switches);
}
CELL(wait_switch)
{
	UNUSED;
	int64_t most = controller_cluster(v->c)->params->max_switch_wait, wait = J->req->switches_wait;
	if (J->req->switches == NO_VAL || !J->req->switches)
		return g_strdup("0:00");
	return duration_format_squeue(wait < 0 || wait > most ? most : wait);
}
CELL(segment)
{
	UNUSED;
	return J->req->segment == NO_VAL ? g_strdup("N/A") : number(J->req->segment);
}
CELL(licenses_held)
{
	UNUSED;
	return text_or(J->licenses_held ? J->req->licenses : NULL, "(null)");
}
CELL(preempt_time)
{
	UNUSED;
	return date_or_na(J->preempt_time, v->now);
}
CELL(dev_null)
{
	UNUSED;
	return g_strdup("/dev/null");
}
CELL(no)
{
	UNUSED;
	return g_strdup("No");
}
CELL(federation)
{
	UNUSED;
	return g_strdup("NA");
}
CELL(not_set)
{
	UNUSED;
	return g_strdup("NotSet");
}
CELL(tres_per_job)
{
	return gpus_text(v, J->req->gpus);
}
CELL(tres_per_task)
{
	char *text = gpus_text(v, J->req->gpus_per_task), *colon = strrchr(text, ':');
	if (colon && !v->v22) /* the one that is written with "=" */
		*colon = '=';
	return text;
}
CELL(tres_per_socket)
{
	return gpus_text(v, J->req->gpus_per_socket);
}
CELL(tres_alloc)
{
	char *text = job_tres_text(v, J, !waits(J));
	return text ? text : g_strdup("N/A");
}
CELL(licenses)
{
	UNUSED;
	return text_or(J->req->licenses, "(null)");
}
CELL(reservation)
{
	UNUSED;
	return text_or(J->resv ? J->resv->name : J->req->reservation, "(null)");
}
CELL(contiguous)
{
	UNUSED;
	return number(J->contiguous);
}
CELL(oversubscribe)
{
	UNUSED;
	if (J->req->share == SHARE_OVERSUBSCRIBE)
		return g_strdup("YES");
	return g_strdup(v->v22 && !J->whole_node && !J->share_none ? "OK" : "NO");
}
CELL(exclusive)
{
	UNUSED;
	return g_strdup(J->req->share == SHARE_EXCLUSIVE_USER ? "USER" : J->whole_node ? "NODE" : "NO");
}
static char *star(uint32_t n)
{
	return n == NO_VAL ? g_strdup("*") : number(n);
}
CELL(sockets)
{
	UNUSED;
	return star(J->req->sockets_per_node);
}
CELL(cores)
{
	UNUSED;
	return star(J->req->cores_per_socket);
}
CELL(threads)
{
	UNUSED;
	return star(J->req->threads_per_core);
}
CELL(sct)
{
	char *s = sockets(v, r), *c = cores(v, r), *t = threads(v, r), *text = g_strdup_printf("%s:%s:%s", s, c, t);

	g_free(s);
	g_free(c);
	g_free(t);
	return text;
}
CELL(core_spec)
{
	UNUSED;
	if (J->core_spec == NO_VAL)
		return g_strdup("N/A");
	return J->thread_spec ? g_strdup_printf("%u Threads", J->core_spec) : number(J->core_spec);
}
CELL(work_dir)
{
	UNUSED;
	return text_or(J->req->workdir, "");
}
CELL(admin_comment)
{
	UNUSED;
	return text_or(J->req->admin_comment, "(null)");
}
CELL(delay_boot)
{
	UNUSED;
	uint32_t minutes = J->req->delay_boot;
	return minutes && minutes < INFINITE - 1 ? duration_format_squeue((int64_t)minutes * 60) : g_strdup("0:00");
}
CELL(output)
{
	UNUSED;
	return text_or(J->req->output, "/dev/null");
}
CELL(resized)
{
	UNUSED;
	return J->resized && !waits(J) ? date_format(J->resized, NULL) : g_strdup("N/A");
}
CELL(null)
{
	UNUSED;
	return g_strdup("(null)");
}
CELL(empty)
{
	UNUSED;
	return g_strdup("");
}
CELL(one)
{
	UNUSED;
	return g_strdup("1");
}
CELL(zero)
{
	UNUSED;
	return g_strdup("0");
}
CELL(na)
{
	UNUSED;
	return g_strdup("N/A");
}

/* ---- the columns ---- */

#define FIELDS(X)                                                                                                      \
	X('a', "Account", "ACCOUNT", 0, 0, account)                                                                    \
	X('A', "JobId", "JOBID", 0, 0, raw_id)                                                                         \
	X('b', "Gres|tres-per-node", "TRES_PER_NODE", 0, 0, gres)                                                      \
	X('B', "BatchHost", "EXEC_HOST", 0, 0, batch_host)                                                             \
	X('c', "MinCPUs", "MIN_CPUS", 0, 0, min_cpus)                                                                  \
	X('C', "NumCPUs", "CPUS", 0, 0, cpus)                                                                          \
	X('d', "MinTmpDisk", "MIN_TMP_DISK", 0, 0, min_tmp)                                                            \
	X('D', "NumNodes", "NODES", 0, 0, nodes)                                                                       \
	X('e', "EndTime", "END_TIME", 0, 0, end_time)                                                                  \
	X('E', "Dependency", "DEPENDENCY", 0, 0, dependency)                                                           \
	X('f', "Feature", "FEATURES", 0, 0, features)                                                                  \
	X('F', "ArrayJobId", "ARRAY_JOB_ID", 0, 0, array_id)                                                           \
	X('g', "GroupName", "GROUP", 0, 0, user)                                                                       \
	X('G', "GroupId", "GROUP", 0, 0, uid)                                                                          \
	X('h', "OverSubscribe|Shared", "OVER_SUBSCRIBE", 0, 0, oversubscribe)                                          \
	X('H', "Sockets", "SOCKETS_PER_NODE", 0, 0, sockets)                                                           \
	X('i', "JobArrayId", "JOBID", 0, 0, job_id)                                                                    \
	X('I', "Cores", "CORES_PER_SOCKET", 0, 0, cores)                                                               \
	X('j', "Name", "NAME", 0, 0, name)                                                                             \
	X('J', "Threads", "THREADS_PER_CORE", 0, 0, threads)                                                           \
	X('k', "Comment", "COMMENT", 0, 0, comment)                                                                    \
	X('K', "ArrayTaskId", "ARRAY_TASK_ID", 0, 0, task_id)                                                          \
	X('l', "TimeLimit", "TIME_LIMIT", 1, 0, time_limit)                                                            \
	X('L', "TimeLeft", "TIME_LEFT", 1, 0, time_left)                                                               \
	X('m', "MinMemory", "MIN_MEMORY", 0, 0, min_memory)                                                            \
	X('M', "TimeUsed", "TIME", 1, 0, time_used)                                                                    \
	X('n', "ReqNodes", "REQ_NODES", 0, 0, req_nodes)                                                               \
	X('N', "NodeList", "NODELIST", 1, 1, node_list)                                                                \
	X('o', "Command", "COMMAND", 0, 0, null)                                                                       \
	X('O', "Contiguous", "CONTIGUOUS", 0, 0, contiguous)                                                           \
	X('p', "Priority", "PRIORITY", 0, 0, priority_part)                                                            \
	X('P', "Partition", "PARTITION", 0, 0, partition)                                                              \
	X('q', "QOS", "QOS", 0, 0, qos)                                                                                \
	X('Q', "PriorityLong", "PRIORITY", 0, 0, priority_long)                                                        \
	X('r', "Reason", "REASON", 0, 0, reason)                                                                       \
	X('R', "ReasonList", "NODELIST(REASON)", 1, 1, reason_list)                                                    \
	X('S', "StartTime", "START_TIME", 0, 0, start_time)                                                            \
	X('t', "StateCompact", "ST", 0, 0, state_compact)                                                              \
	X('T', "State", "STATE", 0, 0, state_long)                                                                     \
	X('u', "UserName", "USER", 0, 0, user)                                                                         \
	X('U', "UserId", "UID", 0, 0, uid)                                                                             \
	X('v', "Reservation", "RESERVATION", 0, 0, reservation)                                                        \
	X('V', "SubmitTime", "SUBMIT_TIME", 0, 0, submit_time)                                                         \
	X('w', "WCKey", "WCKEY", 0, 0, wckey)                                                                          \
	X('W', "Licenses", "LICENSES", 0, 0, licenses)                                                                 \
	X('x', "ExcNodes", "EXC_NODES", 0, 0, exc_nodes)                                                               \
	X('X', "CoreSpec", "CORE_SPEC", 0, 0, core_spec)                                                               \
	X('s', "SLUID", "SLUID", 0, 0, empty)                                                                          \
	X('y', "Nice", "NICE", 0, 0, nice)                                                                             \
	X('Y', "SchedNodes", "SCHEDNODES", 1, 1, sched_nodes)                                                          \
	X('z', "SCT", "S:C:T", 0, 0, sct)                                                                              \
	X('Z', "WorkDir", "WORK_DIR", 0, 0, work_dir)                                                                  \
	X(0, "admin_comment", "ADMIN_COMMENT", 0, 0, admin_comment)                                                    \
	X(0, "AllocNodes", "ALLOC_NODES", 0, 0, null)                                                                  \
	X(0, "AllocSID", "ALLOC_SID", 0, 0, zero)                                                                      \
	X(0, "BoardsPerNode", "BOARDS_PER_NODE", 0, 0, zero)                                                           \
	X(0, "BurstBuffer", "BURST_BUFFER", 0, 0, null)                                                                \
	X(0, "BurstBufferState", "BURST_BUFFER_STATE", 0, 0, null)                                                     \
	X(0, "ClusterFeature", "CLUSTER_FEATURES", 0, 0, null)                                                         \
	X(0, "Container", "CONTAINER", 0, 0, null)                                                                     \
	X(0, "ContainerId", "CONTAINERID", 0, 0, null)                                                                 \
	X(0, "cpus-per-tres", "CPUS_PER_TRES", 0, 0, cpus_per_tres)                                                    \
	X(0, "CronJob", "CRON_JOB", 0, 0, no)                                                                          \
	X(0, "DelayBoot", "DELAY_BOOT", 0, 0, delay_boot)                                                              \
	X(0, "DerivedEC", "DERIVED_EC", 0, 0, exit_code)                                                               \
	X(0, "HetJobId|PackJobId", "HET_JOB_ID", 0, 0, het_id)                                                             \
	X(0, "HetJobIdSet|PackJobIdSet", "HET_JOB_ID_SET", 0, 0, het_set)                                                   \
	X(0, "HetJobOffset|PackJobOffset", "HET_JOB_OFFSET", 0, 0, het_offset)                                                 \
	X(0, "LicensesAlloc", "LICENSES_ALLOC", 0, 0, licenses_held)                                                   \
	X(0, "mem-per-tres", "MEM_PER_TRES", 0, 0, na)                                                                 \
	X(0, "MCSLabel", "MCSLABEL", 0, 0, null)                                                                       \
	X(0, "Network", "NETWORK", 0, 0, null)                                                                         \
	X(0, "NTPerCore", "NTASKS_PER_CORE", 0, 0, nt_per_core)                                                        \
	X(0, "NTPerNode", "NTASKS_PER_NODE", 0, 0, nt_per_node)                                                        \
	X(0, "NTPerSocket", "NTASKS_PER_SOCKET", 0, 0, nt_per_socket)                                                  \
	X(0, "NTPerBoard", "NTASKS_PER_BOARD", 0, 0, zero)                                                             \
	X(0, "Origin", "ORIGIN", 0, 0, federation)                                                                     \
	X(0, "OriginRaw", "ORIGIN_RAW", 0, 0, federation)                                                              \
	X(0, "PreemptTime", "PREEMPT_TIME", 0, 0, preempt_time)                                                        \
	X(0, "Profile", "PROFILE", 0, 0, not_set)                                                                      \
	X(0, "ReqSwitch", "REQ_SWITCH", 0, 0, switches)                                                                \
	X(0, "ResizeTime", "RESIZE_TIME", 0, 0, resized)                                                               \
	X(0, "Runtime", "RUNTIME", 0, 0, null)                                                                         \
	X(0, "SegmentSize", "SEGMENT_SIZE", 0, 0, segment)                                                             \
	X(0, "SiblingsActive", "ACTIVE_SIBLINGS", 0, 0, federation)                                                    \
	X(0, "SiblingsActiveRaw", "ACTIVE_SIBLINGS_RAW", 0, 0, federation)                                             \
	X(0, "SiblingsViable", "VIABLE_SIBLINGS", 0, 0, federation)                                                    \
	X(0, "SiblingsViableRaw", "VIALBLE_SIBLINGS_RAW", 0, 0, federation)                                            \
	X(0, "SPerBoard", "SOCKETS_PER_BOARD", 0, 0, zero)                                                             \
	X(0, "StdIn", "STDIN", 0, 0, dev_null)                                                                         \
	X(0, "StdOut", "STDOUT", 0, 0, output)                                                                         \
	X(0, "system_comment", "SYSTEM_COMMENT", 0, 0, null)                                                           \
	X(0, "tres-freq", "TRES_FREQ", 0, 0, na)                                                                       \
	X(0, "tres-bind", "TRES_BIND", 0, 0, tres_bind)                                                                \
	X(0, "Wait4Switch", "WAIT4SWITCH", 0, 0, wait_switch)                                                          \
	X(0, "AccrueTime", "ACCRUE_TIME", 0, 0, accrue_time)                                                           \
	X(0, "AssocId", "ASSOC_ID", 0, 0, assoc_id)                                                                    \
	X(0, "BatchFlag", "BATCH_FLAG", 0, 0, one)                                                                     \
	X(0, "Cluster", "CLUSTER", 0, 0, cluster_name)                                                                 \
	X(0, "CPUsPerTask|cpus-per-task", "CPUS_PER_TASK", 0, 0, cpus_per_task)                                        \
	X(0, "Deadline", "DEADLINE", 0, 0, deadline)                                                                   \
	X(0, "EligibleTime", "ELIGIBLE_TIME", 0, 0, eligible_time)                                                     \
	X(0, "Exclusive", "EXCLUSIVE", 0, 0, exclusive)                                                                \
	X(0, "exit_code", "EXIT_CODE", 0, 0, exit_code)                                                                \
	X(0, "LastSchedEval", "LAST_SCHED_EVAL", 0, 0, na)                                                             \
	X(0, "MaxCPUs", "MAX_CPUS", 0, 0, max_cpus)                                                                    \
	X(0, "MaxNodes", "MAX_NODES", 0, 0, max_nodes)                                                                 \
	X(0, "MinTime", "TIME_MIN", 0, 0, time_min)                                                                    \
	X(0, "NumTasks", "TASKS", 0, 0, tasks)                                                                         \
	X(0, "PendingTime", "PENDING_TIME", 0, 0, pending_time)                                                        \
	X(0, "Prefer", "PREFER", 0, 0, prefer)                                                                         \
	X(0, "Reboot", "REBOOT", 0, 0, zero)                                                                           \
	X(0, "Requeue", "REQUEUE", 0, 0, requeue)                                                                      \
	X(0, "RestartCnt", "RESTART_COUNT", 0, 0, restarts)                                                            \
	X(0, "StdErr", "STDERR", 0, 0, null)                                                                           \
	X(0, "Tres|tres-alloc", "TRES_ALLOC", 0, 0, tres_alloc)                                                        \
	X(0, "tres-per-job", "TRES_PER_JOB", 0, 0, tres_per_job)                                                       \
	X(0, "tres-per-socket", "TRES_PER_SOCKET", 0, 0, tres_per_socket)                                              \
	X(0, "tres-per-task", "TRES_PER_TASK", 0, 0, tres_per_task)

#define X(letter, name, header, whole, whole_header, fn) {letter, name, header, whole, whole_header},
const struct table_field JOB_FIELDS[] = {FIELDS(X)};
#undef X
#define X(letter, name, header, whole, whole_header, fn) fn,
static cell_fn *const FILL[] = {FIELDS(X)};
#undef X
const guint N_JOB_FIELDS = G_N_ELEMENTS(JOB_FIELDS);

char *job_field_text(void *row, int field)
{
	const struct job_ref *r = row;

	return FILL[field](r->view, r);
}

int job_field_name(const char *name)
{
	for (guint i = 0; i < N_JOB_FIELDS; i++)
		if (strcmp(JOB_FIELDS[i].name, name) == 0)
			return (int)i;
	return -1;
}

int job_field_letter(char letter)
{
	for (guint i = 0; i < N_JOB_FIELDS; i++)
		if (JOB_FIELDS[i].letter == letter)
			return (int)i;
	return -1;
}
