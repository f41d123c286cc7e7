/* lint_main.c - when the main scheduler looks, how far, and what ends or stops a job (main-scheduler.md, lifecycle.md).
 */
#include "tools/lint_checks.h"

/* The median run time of the trace's submissions in seconds; 0 = not known. */
static uint32_t median_run(const struct lint *l)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t median = 0;

	for (guint i = 0; l->trace && i < l->trace->jobs->len; i++)
		g_array_append_val(runs, g_array_index(l->trace->jobs, struct lint_job, i).run);
	g_array_sort(runs, lint_compare_u32);
	if (runs->len)
		median = g_array_index(runs, uint32_t, runs->len / 2);
	g_array_unref(runs);
	return median;
}

void lint_defer(struct lint *l)
{
	uint32_t run = median_run(l), gap = (uint32_t)l->p->batch_sched_delay + 1;

	if (!l->p->any_defer)
		return;
	char *share = run ? fmt("; half of the trace's jobs run %u s or less", run) : g_strdup("");
	lint_add(l, run && run < 20 * gap ? LINT_WARNING : LINT_NOTE, lint_sp(l, l->p->defer ? "defer" : "defer_batch"),
	         fmt("%s: the end of a job starts no pass by itself", l->p->defer ? "defer" : "defer_batch"),
	         fmt("freed nodes wait for the next look, up to %u s (batch_sched_delay %d + 1)%s; any text with "
	             "\"defer\" in "
	             "SchedulerParameters does this%s",
	             gap, l->p->batch_sched_delay, l->p->defer ? ", and srun and salloc wait as well" : "", share),
	         g_strdup("leave defer out unless the controller is overloaded, or lower batch_sched_delay"));
	g_free(share);
}

/* Live partitions that share no node with an earlier live one. */
static uint32_t separate_partitions(const struct lint *l)
{
	uint32_t n = 0;

	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);
		bool shares = false;

		for (guint k = 0; p && k < i && !shares; k++)
			shares = lint_live_part(l, k) && bitset_intersects(p->nodes, lint_part(l, k)->nodes);
		n += p && !shares;
	}
	return n;
}

void lint_queue_depth(struct lint *l)
{
	uint32_t depth = (uint32_t)l->p->default_queue_depth, parts = separate_partitions(l);
	double share = l->trace ? lint_depth_share(l->trace, depth) : 0;

	if (depth < parts)
		lint_add(l, LINT_WARNING, lint_sp(l, "default_queue_depth"),
		         fmt("default_queue_depth=%u is below the number of partitions", depth),
		         fmt("a quick pass looks at %u jobs, but %u partitions have nodes of their own: some get none "
		             "of the looks",
		             depth + 1, parts),
		         g_strdup("SchedulerParameters=default_queue_depth=100"));
	else if (share >= 0.25 && parts > 1)
		lint_add(
		    l, LINT_NOTE, lint_sp(l, "default_queue_depth"),
		    fmt("default_queue_depth=%u is below the depth of the queue", depth),
		    fmt("for %.0f %% of the busy time of the %s more submissions waited: those behind are looked at "
		        "every "
		        "%d s only (sched_interval) or by backfill, even when the nodes of their partition (%u with "
		        "nodes of "
		        "their own) are idle",
		        100 * share, l->trace->simulated ? "run" : "trace", l->p->sched_interval, parts),
		    fmt("SchedulerParameters=default_queue_depth=%u, or partition_job_depth=%u to share the looks out",
		        MIN(lint_depth_at(l->trace, 0.25), 10000), MAX(10, depth / parts)));
}

void lint_sched_interval(struct lint *l)
{
	if (l->p->sched_interval == -1)
		lint_add(l, LINT_WARNING, lint_sp(l, "sched_interval"),
		         g_strdup("sched_interval=-1: the main scheduler is off"),
		         fmt("jobs start by backfill only, every %d s, and the order of priority is backfill's",
		             l->p->bf_interval),
		         g_strdup("SchedulerParameters=sched_interval=60"));
	else if (l->p->sched_interval > 300)
		lint_add(l, LINT_NOTE, lint_sp(l, "sched_interval"),
		         fmt("sched_interval=%d s between full passes", l->p->sched_interval),
		         fmt("jobs behind the first %d of the queue are looked at every %s only, whatever is idle in "
		             "their partition",
		             l->p->default_queue_depth + 1, lint_seconds(l, l->p->sched_interval)),
		         g_strdup("SchedulerParameters=sched_interval=60"));
}

void lint_part_depth(struct lint *l)
{
	if (!l->p->partition_job_depth || l->p->partition_job_depth >= 10)
		return;
	lint_add(l, LINT_NOTE, lint_sp(l, "partition_job_depth"),
	         fmt("partition_job_depth=%d jobs a partition and pass", l->p->partition_job_depth),
	         fmt("when these wait for a limit or a license, the jobs behind stay \"Priority\" though some of the "
	             "%u nodes are "
	             "idle; it counts in full passes too",
	             l->c->n_nodes),
	         g_strdup("SchedulerParameters=partition_job_depth=50 or more"));
}

void lint_complete_wait(struct lint *l)
{
	double days = l->trace ? lint_trace_days(l->trace) : 0, ends = days ? (double)l->trace->n / days : 0;
	double blocked = MIN(1, ends * l->p->complete_wait / 86400);

	if (!l->p->complete_wait || lint_has_token(l, "reduce_completing_frag"))
		return;
	bool much = l->trace ? blocked > 0.1 : l->p->complete_wait >= 10;
	char *share = l->trace ? fmt("; %.0f jobs end a day in the trace: up to %.0f %% of the day without a start",
	                             ends, 100 * blocked)
	                       : g_strdup("");
	lint_add(
	    l, much ? LINT_WARNING : LINT_NOTE, lint_at(l->files, "CompleteWait"),
	    fmt("CompleteWait=%d stops all starts while any job completes", l->p->complete_wait),
	    fmt("neither a main pass nor backfill runs on any of the %u nodes for up to %d s after each job's end%s",
	        l->c->n_nodes, l->p->complete_wait, share),
	    g_strdup("CompleteWait=0, or SchedulerParameters=reduce_completing_frag"));
	g_free(share);
}

static void over_time(struct lint *l, uint32_t minutes, struct lint_place at, const char *whose, uint32_t longest)
{
	bool much = minutes == INFINITE || minutes >= 60;

	lint_add(l, much ? LINT_WARNING : LINT_NOTE, at, fmt("OverTimeLimit of %s%s", lint_minutes(l, minutes), whose),
	         minutes == INFINITE ? fmt("no job is ended at its limit (longest: %s); backfill plans with the limit, "
	                                   "so that planned starts "
	                                   "are missed for as long as the jobs run",
	                                   lint_minutes(l, longest))
	                             : fmt("a job of a %s limit may run for %s, but backfill plans with the limit: "
	                                   "planned starts slip by up to "
	                                   "%u minutes",
	                                   lint_minutes(l, longest),
	                                   lint_minutes(l, longest == INFINITE ? longest : longest + minutes), minutes),
	         g_strdup("OverTimeLimit=0, or a few minutes"));
}

void lint_over_time(struct lint *l)
{
	uint32_t longest = 0;

	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_part(l, i);

		longest = MAX(longest, p->max_time);
		if (p->over_time_limit == NO_VAL || p->over_time_limit == 0)
			continue;
		char *whose = fmt(" in partition %s", p->name);
		over_time(l, p->over_time_limit, lint_at_part(l->files, p->name, "OverTimeLimit"), whose, p->max_time);
		g_free(whose);
	}
	if (l->p->over_time_limit)
		over_time(l, l->p->over_time_limit, lint_at(l->files, "OverTimeLimit"), "", longest);
}

void lint_job_count(struct lint *l)
{
	uint32_t max = l->p->max_job_count;

	if (!l->trace || l->trace->peak_jobs < max * 0.9)
		return;
	lint_add(l, l->trace->peak_jobs > max ? LINT_ERROR : LINT_WARNING, lint_at(l->files, "MaxJobCount"),
	         fmt("MaxJobCount=%u is too small for the trace", max),
	         fmt("up to %u jobs were pending and running together: beyond MaxJobCount every submission is refused",
	             l->trace->peak_jobs),
	         fmt("MaxJobCount=%u", (uint32_t)MIN(2.0 * l->trace->peak_jobs, 4e9)));
}

void lint_array_count(struct lint *l)
{
	uint32_t tasks = MIN(l->p->max_array_tasks, l->p->max_array_size ? l->p->max_array_size - 1 : 0);

	if (tasks <= l->p->max_job_count)
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "MaxArraySize"),
	         fmt("MaxArraySize=%u allows arrays that MaxJobCount=%u can not hold", l->p->max_array_size,
	             l->p->max_job_count),
	         fmt("each task that starts or is changed is a record of its own: one user's array of %u tasks can "
	             "take all %u, and then "
	             "the submissions of all others are refused",
	             tasks, l->p->max_job_count),
	         fmt("MaxJobCount=%u, or SchedulerParameters=max_array_tasks=%u", (uint32_t)MIN(4.0 * tasks, 4e9),
	             MAX(1, l->p->max_job_count / 10)));
}

void lint_assoc_stop(struct lint *l)
{
	guint limited = 0;

	for (guint i = 0; i < l->n_qos; i++)
		limited += lint_limits_any(l, &lint_qos(l, i)->limits);
	for (guint i = 0; i < l->acct->assocs->len; i++)
		limited += lint_limits_any(l, &lint_assoc(l, i)->limits);
	if (!l->p->assoc_limit_stop || !lint_enforces(l, ENFORCE_LIMITS))
		return;
	lint_add(l, LINT_WARNING, lint_sp(l, "assoc_limit_stop"),
	         g_strdup("assoc_limit_stop: a job at its limit holds back all others of its partition"),
	         fmt("%u accounts, users and QOS have limits: one of them at its limit stops the partition's queue, "
	             "although "
	             "others have room",
	             limited),
	         g_strdup("leave assoc_limit_stop out"));
}

static bool above_max_time(const struct lint_job *j, const void *data)
{
	const struct lint *l = data;
	const struct partition *p = j->partition ? cluster_find_partition(l->c, j->partition) : l->c->default_partition;

	return p && j->limit != NO_VAL && p->max_time != INFINITE && j->limit > p->max_time;
}

void lint_enforce_part(struct lint *l)
{
	guint limited = 0;
	double share = l->trace ? lint_job_share(l->trace, above_max_time, l) : 0;

	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_part(l, i);

		limited += p->max_time != INFINITE || p->max_nodes != INFINITE || p->min_nodes > 1;
	}
	if (l->p->enforce_part_limits != ENFORCE_PART_NO || !limited)
		return;
	char *seen =
	    share > 0 ? fmt("; %.2f %% of the trace's jobs ask for more than MaxTime", 100 * share) : g_strdup("");
	lint_add(l, share > 0.001 ? LINT_WARNING : LINT_NOTE, lint_at(l->files, "EnforcePartLimits"),
	         g_strdup("EnforcePartLimits=NO: jobs beyond a partition's limits are accepted"),
	         fmt("they wait for ever (PartitionTimeLimit, PartitionNodeLimit) in %u of %u partitions that have "
	             "such limits%s",
	             limited, l->c->partitions->len, seen),
	         g_strdup("EnforcePartLimits=ALL (all of a job's partitions must fit) or ANY"));
	g_free(seen);
}

static bool has_dependency(const struct lint_job *j, const void *unused)
{
	(void)unused;
	return j->depends;
}

void lint_dependencies(struct lint *l)
{
	double share = l->trace ? lint_job_share(l->trace, has_dependency, NULL) : 0;

	if (l->p->kill_invalid_depend || share <= 0)
		return;
	lint_add(l, LINT_NOTE, lint_at(l->files, "DependencyParameters"),
	         g_strdup("jobs whose dependency has failed stay in the queue"),
	         fmt("%.1f %% of the trace's jobs depend on others: after a failure they wait as "
	             "DependencyNeverSatisfied until "
	             "somebody cancels them, and count against MaxJobCount=%u and submit limits",
	             100 * share, l->p->max_job_count),
	         g_strdup("DependencyParameters=kill_invalid_depend"));
}

/* Tokens that the readers accept and that change nothing here. */
void lint_no_effect(struct lint *l)
{
#define NO_RPCS "nobody sends RPCs to a simulated controller"
#define NO_STEPS "a job is its allocation here: there are no steps"
#define NO_CLIENT "srun, salloc and sbatch themselves are not simulated"
	static const struct {
		const char *token, *why;
	} rows[] = {{"max_rpc_cnt", NO_RPCS},
	            {"bf_yield_rpc_cnt", NO_RPCS},
	            {"build_queue_timeout", "a queue is built in no time here"},
	            {"bb_array_stage_cnt", "burst buffers are not modelled"},
	            {"salloc_wait_nodes", NO_CLIENT},
	            {"sbatch_wait_nodes", NO_CLIENT},
	            {"max_script_size", NO_CLIENT},
	            {"max_submit_line_size", NO_CLIENT},
	            {"step_retry_count", NO_STEPS},
	            {"step_retry_time", NO_STEPS},
	            {"enable_hetjob_steps", NO_STEPS},
	            {"disable_hetjob_steps", NO_STEPS},
	            {"disable_job_shrink", "not tested: scontrol update makes running jobs give nodes back all the same"},
	            {"no_backup_scheduling", "there is one controller"},
	            {"Ignore_NUMA", "it is of plugins that are gone"}};
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		if (lint_has_token(l, rows[i].token))
			lint_add(l, LINT_NOTE, lint_sp(l, rows[i].token), fmt("%s has no effect on a simulation", rows[i].token), g_strdup(rows[i].why),
			         g_strdup("nothing: it may stay for the real controller"));
}
