/*
 * confrows_test.c - every row of the tables of spec slurm-conf.md: each parameter reaches its place, each token its
 * range, each ignorable key is silent, each obsolete one named.
 */
#include "tests/unit/models_helper.h"
#include "models/slurmconf.h"
#include "sched/acct.h"
#include <stddef.h>
#include <stdlib.h>

#define TAIL "\nNodeName=n[1-4] CPUs=8 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n"

static struct cluster *read_text(const char *text, enum slurm_version v, struct diag *d)
{
	struct slurmconf_options o = {.version = v};

	return slurmconf_read_text(text, "s.conf", &o, d);
}

static struct cluster *with_tail(const char *text, struct diag *d)
{
	char *all = g_strconcat(text, TAIL, NULL);
	struct cluster *c = read_text(all, SLURM_26, d);

	g_free(all);
	return c;
}

/* ---- sections 5.1 to 5.7: parameters with a value ---- */

#define AT(field) offsetof(struct sched_params, field), sizeof(((struct sched_params *)0)->field)
struct row {
	const char *text;
	size_t offset, size;
	guint64 value;
};

static guint64 field(const void *base, size_t offset, size_t size)
{
	const char *p = (const char *)base + offset;

	switch (size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return *(const uint16_t *)(const void *)p;
	case 4:
		return *(const uint32_t *)(const void *)p;
	default:
		return *(const uint64_t *)(const void *)p;
	}
}

static void check_params(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct diag *d = diag_new();
		struct cluster *c = with_tail(rows[i].text, d);

		if (d->n_errors || d->n_warnings || field(c->params, rows[i].offset, rows[i].size) != rows[i].value) {
			print_error("row: %s\n", rows[i].text);
			assert_warnings(d, 0);
			assert_clean(d);
			assert_int_equal(field(c->params, rows[i].offset, rows[i].size), rows[i].value);
		}
		cluster_free(c);
		diag_free(d);
	}
}

static void parameters(void **state)
{
	static const struct row rows[] = {
	    /* 5.1 */
	    {"SelectType=select/linear", AT(select_type), SELECT_LINEAR},
	    {"SelectType=select/cons_tres", AT(select_type), SELECT_CONS_TRES},
	    {"", AT(cr_unit), CR_CORE},
	    {"", AT(cr_memory), 1},
	    {"SelectType=select/linear", AT(cr_memory), 0},
	    {"DefMemPerNode=7", AT(def_mem), 7},
	    {"DefMemPerCPU=7", AT(def_mem_per_cpu), 1},
	    {"DefMemPerGPU=7", AT(def_mem_per_gpu), 7},
	    {"MaxMemPerNode=7", AT(max_mem), 7},
	    {"MaxMemPerCPU=7", AT(max_mem_per_cpu), 1},
	    {"DefCpuPerGPU=7", AT(def_cpu_per_gpu), 7},
	    {"", AT(max_tasks_per_node), 512},
	    {"MaxTasksPerNode=7", AT(max_tasks_per_node), 7},
	    {"MaxNodeCount=7", AT(def_mem), 0},
	    {"SlurmdParameters=config_overrides,numa_node_as_socket", AT(def_mem), 0},
	    {"TopologyPlugin=topology/flat", AT(topology), TOPOLOGY_FLAT},
	    {"TopologyPlugin=topology/none", AT(topology), TOPOLOGY_FLAT},
	    {"TopologyParam=Dragonfly", AT(topo_dragonfly), 1},
	    {"TopologyParam=TopoOptional", AT(topo_optional), 1},
	    {"TopologyParam=SwitchAsNodeRank", AT(topo_switch_rank), 1},
	    {"TopologyParam=BlockAsNodeRank", AT(topo_block_rank), 1},
	    {"TopologyParam=RoutePart,RouteTree", AT(topo_optional), 0},
	    /* 5.2 */
	    {"SelectTypeParameters=CR_CPU", AT(cr_unit), CR_CPU},
	    {"SelectTypeParameters=CR_CPU", AT(cr_memory), 0},
	    {"SelectTypeParameters=CR_CPU_Memory", AT(cr_memory), 1},
	    {"SelectTypeParameters=CR_Core", AT(cr_memory), 0},
	    {"SelectTypeParameters=CR_Core_Memory", AT(cr_unit), CR_CORE},
	    {"SelectTypeParameters=CR_Socket", AT(cr_unit), CR_SOCKET},
	    {"SelectTypeParameters=CR_Socket_Memory", AT(cr_memory), 1},
	    {"SelectTypeParameters=CR_Memory", AT(cr_unit), CR_NONE},
	    {"SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE", AT(cr_one_task_per_core), 1},
	    {"SelectTypeParameters=CR_Core,CR_CORE_DEFAULT_DIST_BLOCK", AT(cr_default_dist_block), 1},
	    {"SelectTypeParameters=CR_Core,CR_LLN", AT(cr_lln), 1},
	    {"SelectTypeParameters=CR_Core,CR_Pack_Nodes", AT(cr_pack_nodes), 1},
	    {"SelectTypeParameters=CR_Core,ENFORCE_BINDING_GRES", AT(enforce_binding_gres), 1},
	    {"SelectTypeParameters=CR_Core,CR_NO_DIST_TOPO_BLOCK", AT(cr_lln), 0},
	    /* 5.3 */
	    {"", AT(sched_type), SCHED_BACKFILL},
	    {"SchedulerType=sched/builtin", AT(sched_type), SCHED_BUILTIN},
	    {"SchedulerTimeSlice=60", AT(sched_type), SCHED_BACKFILL},
	    {"CompleteWait=7", AT(complete_wait), 7},
	    {"", AT(max_job_count), 10000},
	    {"MaxJobCount=7", AT(max_job_count), 7},
	    {"MaxJobCount=2k", AT(max_job_count), 2048},
	    {"", AT(max_array_size), 1001},
	    {"MaxArraySize=0", AT(max_array_size), 0},
	    {"MaxArraySize=4000001", AT(max_array_size), 4000001},
	    {"MaxStepCount=7", AT(max_array_size), 1001},
	    {"", AT(min_job_age), 300},
	    {"MinJobAge=7", AT(min_job_age), 7},
	    {"", AT(first_job_id), 1},
	    {"FirstJobId=7", AT(first_job_id), 7},
	    {"", AT(max_job_id), 0x03ff0000},
	    {"MaxJobId=777", AT(max_job_id), 777},
	    {"", AT(job_requeue), 1},
	    {"JobRequeue=0", AT(job_requeue), 0},
	    {"", AT(max_batch_requeue), 5},
	    {"MaxBatchRequeue=7", AT(max_batch_requeue), 7},
	    {"AllowSpecResourcesUsage=YES", AT(allow_spec), 1},
	    {"RequeueExit=1-3,63", AT(requeue_exit), INT64_MIN | 14},
	    {"RequeueExit=1-3,63", AT(requeue_exit_hold), 0},
	    {"RequeueExitHold=17", AT(requeue_exit_hold), 1 << 17},
	    {"SlurmctldParameters=power_save_min_interval=5", AT(power_save_min_interval), 5},
	    {"SlurmctldParameters=idle_on_node_suspend", AT(idle_on_node_suspend), 1},
	    {"", AT(expedited_requeue), 0},
	    {"SlurmctldParameters=enable_expedited_requeue", AT(expedited_requeue), 1},
	    {"", AT(max_powered_nodes), INFINITE},
	    {"SlurmctldParameters=max_powered_nodes=7", AT(max_powered_nodes), 7},
	    {"ReconfigFlags=KeepPowerSaveSettings", AT(keep_power_settings), 1},
	    {"OverTimeLimit=7", AT(over_time_limit), 7},
	    {"OverTimeLimit=UNLIMITED", AT(over_time_limit), INFINITE},
	    {"", AT(kill_wait), 30},
	    {"KillWait=7", AT(kill_wait), 7},
	    {"InactiveLimit=7", AT(inactive_limit), 7},
	    {"EnforcePartLimits=ANY", AT(enforce_part_limits), ENFORCE_PART_ANY},
	    {"EnforcePartLimits=YES", AT(enforce_part_limits), ENFORCE_PART_ANY},
	    {"EnforcePartLimits=ALL", AT(enforce_part_limits), ENFORCE_PART_ALL},
	    {"EnforcePartLimits=NO", AT(enforce_part_limits), ENFORCE_PART_NO},
	    {"", AT(max_depend_depth), 10},
	    {"DependencyParameters=max_depend_depth=7", AT(max_depend_depth), 7},
	    {"DependencyParameters=kill_invalid_depend,disable_remote_singleton", AT(kill_invalid_depend), 1}, /* C14: without a warning */
	    {"ResvOverRun=7", AT(resv_over_run), 7},
	    {"JobSubmitPlugins=all_partitions", AT(all_partitions_plugin), 1},
	    {"JobSubmitPlugins=job_submit/require_timelimit", AT(require_timelimit_plugin), 1},
	    {"ReturnToService=0", AT(resv_over_run), 0},
	    {"PrivateData=none", AT(resv_over_run), 0},
	    {"ReconfigFlags=KeepPartInfo", AT(resv_over_run), 0},
	    {"AuthInfo=cred_expire=77", AT(requeue_delay), 77},
	    {"MessageTimeout=77", AT(message_timeout), 77},
	    /* 5.5 */
	    {"", AT(priority_type), PRIORITY_MULTIFACTOR},
	    {"PriorityType=priority/basic", AT(priority_type), PRIORITY_BASIC},
	    {"AccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightAge=7", AT(weight_age), 7},
	    {"AccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightFairshare=7", AT(weight_fairshare), 7},
	    {"PriorityWeightJobSize=7", AT(weight_job_size), 7},
	    {"PriorityWeightPartition=7", AT(weight_partition), 7},
	    {"PriorityWeightQOS=7", AT(weight_qos), 7},
	    {"PriorityWeightAssoc=4294967295", AT(weight_assoc), 4294967295},
	    {"", AT(priority_max_age), 604800},
	    {"PriorityMaxAge=1-0", AT(priority_max_age), 86400},
	    {"", AT(priority_decay_half_life), 604800},
	    {"PriorityDecayHalfLife=0", AT(priority_decay_half_life), 0},
	    {"", AT(priority_calc_period), 300},
	    {"PriorityCalcPeriod=2", AT(priority_calc_period), 120},
	    {"PriorityUsageResetPeriod=NOW", AT(usage_reset), RESET_NOW},
	    {"PriorityUsageResetPeriod=DAILY", AT(usage_reset), RESET_DAILY},
	    {"PriorityUsageResetPeriod=WEEKLY", AT(usage_reset), RESET_WEEKLY},
	    {"PriorityUsageResetPeriod=MONTHLY", AT(usage_reset), RESET_MONTHLY},
	    {"PriorityUsageResetPeriod=QUARTERLY", AT(usage_reset), RESET_QUARTERLY},
	    {"PriorityUsageResetPeriod=YEARLY", AT(usage_reset), RESET_YEARLY},
	    {"PriorityFavorSmall=YES", AT(priority_favor_small), 1},
	    {"FairShareDampeningFactor=7", AT(fairshare_damping), 7},
	    {"PriorityFlags=ACCRUE_ALWAYS", AT(priority_flags), PRIO_ACCRUE_ALWAYS},
	    {"PriorityFlags=CALCULATE_RUNNING", AT(priority_flags), PRIO_CALCULATE_RUNNING},
	    {"PriorityFlags=DEPTH_OBLIVIOUS", AT(priority_flags), PRIO_DEPTH_OBLIVIOUS | PRIO_NO_FAIR_TREE},
	    {"PriorityFlags=NO_FAIR_TREE", AT(priority_flags), PRIO_NO_FAIR_TREE},
	    {"PriorityFlags=FAIR_TREE", AT(priority_flags), 0},
	    {"PriorityFlags=INCR_ONLY", AT(priority_flags), PRIO_INCR_ONLY},
	    {"PriorityFlags=MAX_TRES", AT(priority_flags), PRIO_MAX_TRES},
	    {"PriorityFlags=MAX_TRES_GRES", AT(priority_flags), PRIO_MAX_TRES_GRES},
	    {"PriorityFlags=NO_NORMAL_ASSOC", AT(priority_flags), PRIO_NO_NORMAL_ASSOC},
	    {"PriorityFlags=NO_NORMAL_PART", AT(priority_flags), PRIO_NO_NORMAL_PART},
	    {"PriorityFlags=NO_NORMAL_QOS", AT(priority_flags), PRIO_NO_NORMAL_QOS},
	    {"PriorityFlags=NO_NORMAL_TRES", AT(priority_flags), PRIO_NO_NORMAL_TRES},
	    {"PriorityFlags=NO_NORMAL_ALL", AT(priority_flags),
	     PRIO_NO_NORMAL_ASSOC | PRIO_NO_NORMAL_PART | PRIO_NO_NORMAL_QOS | PRIO_NO_NORMAL_TRES},
	    {"PriorityFlags=SMALL_RELATIVE_TO_TIME", AT(priority_flags), PRIO_SMALL_RELATIVE},
	    /* 5.6 */
	    {"PreemptType=preempt/none", AT(preempt_type), PREEMPT_NONE},
	    {"PreemptType=preempt/qos\nPreemptMode=REQUEUE", AT(preempt_type), PREEMPT_QOS},
	    {"PreemptType=preempt/partition_prio\nPreemptMode=CANCEL", AT(preempt_type), PREEMPT_PARTITION},
	    {"PreemptType=preempt/qos\nPreemptMode=CANCEL", AT(preempt_mode), PREEMPT_MODE_CANCEL},
	    {"PreemptType=preempt/qos\nPreemptMode=REQUEUE,WITHIN", AT(preempt_flags), PREEMPT_WITHIN},
	    {"PreemptMode=OFF", AT(preempt_mode), PREEMPT_MODE_OFF},
	    {"PreemptMode=cluster", AT(preempt_type), PREEMPT_NONE},
	    {"PreemptExemptTime=0:10:00", AT(preempt_exempt_time), 600},
	    {"PreemptParameters=min_exempt_priority=7", AT(preempt_min_exempt_priority), 7},
	    {"PreemptParameters=reorder_count=7", AT(preempt_reorder_count), 7},
	    {"PreemptParameters=strict_order", AT(preempt_strict_order), 1},
	    {"PreemptParameters=youngest_first", AT(preempt_youngest_first), 1},
	    {"SchedulerParameters=preempt_youngest_first", AT(preempt_youngest_first), 1},
	    {"SchedulerParameters=preempt_strict_order", AT(preempt_strict_order), 1},
	    {"SchedulerParameters=preempt_reorder_count=7", AT(preempt_reorder_count), 7},
	    /* 5.7 */
	    {"AccountingStorageType=accounting_storage/none", AT(has_accounting), 0},
	    {"AccountingStorageType=accounting_storage/slurmdbd", AT(has_accounting), 1},
	    {"AccountingStorageEnforce=none", AT(enforce), 0},
	    {"AccountingStorageEnforce=associations", AT(enforce), ENFORCE_ASSOC},
	    {"AccountingStorageEnforce=1", AT(enforce), ENFORCE_ASSOC},
	    {"AccountingStorageEnforce=limits", AT(enforce), ENFORCE_ASSOC | ENFORCE_LIMITS},
	    {"AccountingStorageEnforce=2", AT(enforce), ENFORCE_ASSOC | ENFORCE_LIMITS},
	    {"AccountingStorageEnforce=qos", AT(enforce), ENFORCE_ASSOC | ENFORCE_QOS},
	    {"AccountingStorageEnforce=safe", AT(enforce), ENFORCE_ASSOC | ENFORCE_LIMITS | ENFORCE_SAFE},
	    {"AccountingStorageEnforce=all", AT(enforce),
	     ENFORCE_ASSOC | ENFORCE_LIMITS | ENFORCE_WCKEYS | ENFORCE_QOS | ENFORCE_SAFE},
	    {"AccountingStorageEnforce=nojobs,nosteps", AT(enforce), ENFORCE_NOJOBS | ENFORCE_NOSTEPS},
	    {"AccountingStoreFlags=job_comment", AT(enforce), 0},
	    {"TrackWCKey=NO", AT(enforce), 0},
	};

	(void)state;
	check_params(rows, G_N_ELEMENTS(rows));
}

/* ---- section 5.4 ---- */

struct token_row {
	const char *name;
	size_t offset, size;
	guint64 otherwise;
	gint64 min, max; /* accepted; MIN > MAX: a flag. G_MAXINT64: no upper bound is tried */
	guint64 factor;
};

static guint64 token_value(const char *token, guint64 *warnings, const struct token_row *t)
{
	char *text = g_strconcat("SchedulerParameters=", token, NULL);
	struct diag *d = diag_new();
	struct cluster *c = with_tail(text, d);

	assert_clean(d);
	*warnings = d->n_warnings;
	guint64 v = field(c->params, t->offset, t->size);
	cluster_free(c);
	diag_free(d);
	g_free(text);
	return v;
}

static void one_token(const struct token_row *t)
{
	char *text;
	guint64 warnings;
	bool good = token_value("bf_continue", &warnings, t) == t->otherwise;

	if (t->min > t->max) {
		good = token_value(t->name, &warnings, t) == 1 && warnings == 0;
	} else {
		gint64 tries[] = {t->min, t->max, t->min - (t->min > G_MININT64), t->max + (t->max < G_MAXINT64)};

		for (int i = 0; i < 4 && good; i++) {
			if ((t->max == G_MAXINT64 && (i & 1)) ||
			    (t->min == 0 && i == 2 && tries[i] == -1 && strcmp(t->name, "sched_interval") == 0))
				continue;
			text = g_strdup_printf("%s=%" G_GINT64_FORMAT, t->name, tries[i]);
			guint64 v = token_value(text, &warnings, t);
			bool ok = i < 2 ? v == (guint64)tries[i] * t->factor : v == t->otherwise && warnings == 1;

			if (!ok)
				print_error("%s gives %" G_GUINT64_FORMAT "\n", text, v);
			good = good && ok;
			g_free(text);
		}
	}
	if (!good) {
		print_error("token %s\n", t->name);
		fail();
	}
}

static void tokens(void **state)
{
	static const struct token_row rows[] = {
	    {"default_queue_depth", AT(default_queue_depth), 100, 0, G_MAXINT64, 1},
	    {"partition_job_depth", AT(partition_job_depth), 0, 0, G_MAXINT64, 1},
	    {"sched_interval", AT(sched_interval), 60, 0, G_MAXINT64, 1},
	    {"sched_min_interval", AT(sched_min_interval_us), 2, 0, G_MAXINT64, 1},
	    {"sched_max_job_start", AT(sched_max_job_start), 0, 0, G_MAXINT64, 1},
	    {"batch_sched_delay", AT(batch_sched_delay), 3, 0, G_MAXINT64, 1},
	    {"defer", AT(defer), 0, 1, 0, 1},
	    {"defer_batch", AT(defer_batch), 0, 1, 0, 1},
	    {"assoc_limit_stop", AT(assoc_limit_stop), 0, 1, 0, 1},
	    {"max_switch_wait", AT(max_switch_wait), 300, 0, G_MAXINT64, 1},
	    {"pack_serial_at_end", AT(pack_serial_at_end), 0, 1, 0, 1},
	    {"requeue_delay", AT(requeue_delay), 120, 0, G_MAXINT64, 1},
	    {"correspond_after_task_cnt", AT(correspond_after_task_cnt), 10, 10, G_MAXINT64, 1},
	    {"bf_interval", AT(bf_interval), 30, 1, 10800, 1},
	    {"bf_max_time", AT(bf_max_time), 30, 1, 3600, 1},
	    {"bf_window", AT(bf_window), 86400, 1, 43200, 60},
	    {"bf_resolution", AT(bf_resolution), 60, 1, 3600, 1},
	    {"bf_max_job_test", AT(bf_max_job_test), 500, 1, 1000000, 1},
	    {"bf_max_job_part", AT(bf_max_job_part), 0, 0, 500, 1},
	    {"bf_max_job_user", AT(bf_max_job_user), 0, 0, 500, 1},
	    {"bf_max_job_user_part", AT(bf_max_job_user_part), 0, 0, 500, 1},
	    {"bf_max_job_assoc", AT(bf_max_job_assoc), 0, 0, 500, 1},
	    {"bf_max_job_start", AT(bf_max_job_start), 0, 0, 10000, 1},
	    {"bf_max_job_array_resv", AT(bf_max_job_array_resv), 20, 0, 1000, 1},
	    {"bf_job_part_count_reserve", AT(bf_job_part_count_reserve), 0, 0, 100000, 1},
	    {"bf_min_age_reserve", AT(bf_min_age_reserve), 0, 0, 2592000, 1},
	    {"bf_min_prio_reserve", AT(bf_min_prio_reserve), 0, 0, G_MAXINT64, 1},
	    {"bf_continue", AT(bf_continue), 1, 1, 0, 1},
	    {"bf_busy_nodes", AT(bf_busy_nodes), 0, 1, 0, 1},
	    {"bf_licenses", AT(bf_licenses), 0, 1, 0, 1},
	    {"bf_running_job_reserve", AT(bf_running_job_reserve), 0, 1, 0, 1},
	    {"bf_one_resv_per_job", AT(bf_one_resv_per_job), 0, 1, 0, 1},
	    {"bf_allow_magnetic_slot", AT(bf_allow_magnetic_slot), 0, 1, 0, 1},
	    {"bf_node_space_size", AT(bf_node_space_size), 500, 2, 2000000, 1},
	    {"bf_window_linear", AT(bf_window_linear), 0, 0, G_MAXINT64, 1},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		one_token(&rows[i]);
}

/* Off, and values that follow others. */
static void token_defaults(void **state)
{
	static const struct row rows[] = {
	    {"SchedulerParameters=sched_interval=-1", AT(sched_interval), (uint32_t)-1},
	    {"SchedulerParameters=bf_interval=-1", AT(bf_interval), (uint32_t)-1},
	    {"SchedulerParameters=bf_interval=44", AT(bf_max_time), 44},
	    {"SchedulerParameters=bf_max_job_test=77", AT(bf_node_space_size), 77},
	    {"SchedulerParameters=bf_licenses", AT(bf_running_job_reserve), 1},
	    {"MessageTimeout=3", AT(max_sched_time), 1},
	    {"MessageTimeout=100\nSchedulerParameters=max_sched_time=7", AT(max_sched_time), 7},
	    {"", AT(max_sched_time), 2},
	    {"MaxArraySize=50", AT(max_array_tasks), 50},
	    {"SchedulerParameters=max_array_tasks=50", AT(max_array_tasks), 50},
	    {"AuthInfo=cred_expire=9\nSchedulerParameters=requeue_delay=8", AT(requeue_delay), 8},
	};

	(void)state;
	check_params(rows, G_N_ELEMENTS(rows));
}

static void warns_once(const char *text, const char *message)
{
	struct diag *d = diag_new();
	struct cluster *c = with_tail(text, d);

	if (d->n_errors || d->n_warnings != 1)
		print_error("row: %s\n", text);
	assert_clean(d);
	assert_warnings(d, 1);
	assert_message(d->warnings, message);
	cluster_free(c);
	diag_free(d);
}

/* Tokens without effect are silent; those that are not modelled say so once. */
static void other_tokens(void **state)
{
	static const char *const silent[] = {
	    "max_rpc_cnt=9",        "bf_yield_rpc_cnt=9",   "build_queue_timeout=9",  "Ignore_NUMA",
	    "no_backup_scheduling", "max_script_size=9",    "max_submit_line_size=9", "salloc_wait_nodes",
	    "sbatch_wait_nodes",    "step_retry_count=9",   "step_retry_time=9",      "disable_job_shrink",
	    "enable_user_top",      "allow_zero_lic",       "ignore_prefer_validation", "ignore_constraint_validation",
	    "reduce_completing_frag", "time_min_as_soft_limit", "bf_topopt_enable", "bf_topopt_iterations=5",
	    "enable_hetjob_steps",  "disable_hetjob_steps", "bb_array_stage_cnt=9",   "bf_yield_interval=9",
	    "bf_yield_sleep=9",     "spec_cores_first", "bf_hetjob_prio=min", "bf_hetjob_immediate"};
	static const char *const later[] = {"nohold_on_prolog_fail",
	                                    "requeue_on_resume_failure",
	                                    "delay_boot=5",
	                                    "extra_constraints",
	                                    "whole_hetjob",
	                                    "whole_pack"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(silent); i++) {
		char *text = g_strconcat("SchedulerParameters=", silent[i], NULL);
		struct diag *d = diag_new();
		struct cluster *c = with_tail(text, d);

		if (d->n_warnings)
			print_error("token: %s\n", silent[i]);
		assert_warnings(d, 0);
		cluster_free(c);
		diag_free(d);
		g_free(text);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(later); i++) {
		char *text = g_strconcat("SchedulerParameters=", later[i], NULL);

		warns_once(text, "is not modelled in this version and has no effect");
		g_free(text);
	}
	warns_once("SchedulerParameters=bf_windo=5",
	           "unknown token bf_windo in SchedulerParameters has no effect; did you mean bf_window?");
}

/* ---- sections 9.1 and 9.2 ---- */

static const char *const irrelevant[] = {"AccountingStorageBackupHost",
                                         "AccountingStorageExternalHost",
                                         "AccountingStorageHost",
                                         "AccountingStorageParameters",
                                         "AccountingStoragePass",
                                         "AccountingStoragePort",
                                         "AccountingStorageUser",
                                         "AcctGatherEnergyType",
                                         "AcctGatherFilesystemType",
                                         "AcctGatherInfinibandType",
                                         "AcctGatherInterconnectType",
                                         "AcctGatherNodeFreq",
                                         "AcctGatherProfileType",
                                         "AuthAltParameters",
                                         "AuthAltTypes",
                                         "AuthInfo",
                                         "AuthType",
                                         "BackupAddr",
                                         "BackupController",
                                         "BcastExclude",
                                         "BcastParameters",
                                         "BurstBufferParameters",
                                         "BurstBufferType",
                                         "CertgenType",
                                         "CertgenParameters",
                                         "CertmgrType",
                                         "CertmgrParameters",
                                         "CliFilterParameters",
                                         "CliFilterPlugins",
                                         "CommunicationParameters",
                                         "ControlAddr",
                                         "ControlMachine",
                                         "CpuFreqDef",
                                         "CpuFreqGovernors",
                                         "CredType",
                                         "CryptoType",
                                         "DataParserParameters",
                                         "DebugFlags",
                                         "DefRuntimePlugin",
                                         "EioTimeout",
                                         "Epilog",
                                         "EpilogMsgTime",
                                         "EpilogSlurmctld",
                                         "EpilogTimeout",
                                         "FederationParameters",
                                         "GpuFreqDef",
                                         "GroupUpdateForce",
                                         "GroupUpdateTime",
                                         "HashPlugin",
                                         "HealthCheckInterval",
                                         "HealthCheckNodeState",
                                         "HealthCheckProgram",
                                         "HealthCheckTimeout",
                                         "HttpParserType",
                                         "InactiveLimit",
                                         "InteractiveStepOptions",
                                         "JobAcctGatherFrequency",
                                         "JobAcctGatherParams",
                                         "JobAcctGatherType",
                                         "JobCompHost",
                                         "JobCompLoc",
                                         "JobCompParams",
                                         "JobCompPass",
                                         "JobCompPassScript",
                                         "JobCompPort",
                                         "JobCompType",
                                         "JobCompUser",
                                         "JobContainerType",
                                         "JobFileAppend",
                                         "KeepAliveTime",
                                         "KillOnBadExit",
                                         "LaunchParameters",
                                         "LogTimeFormat",
                                         "MailDomain",
                                         "MailProg",
                                         "MaxDBDMsgs",
                                         "MaxStepCount",
                                         "MessageTimeout",
                                         "MetricsAuthUsers",
                                         "MetricsParameters",
                                         "MetricsType",
                                         "MpiDefault",
                                         "MpiParams",
                                         "NamespaceType",
                                         "PluginDir",
                                         "PlugStackConfig",
                                         "PrEpParameters",
                                         "PrEpPlugins",
                                         "ProctrackType",
                                         "Prolog",
                                         "PrologEpilogTimeout",
                                         "PrologSlurmctld",
                                         "PrologTimeout",
                                         "PropagatePrioProcess",
                                         "PropagateResourceLimits",
                                         "PropagateResourceLimitsExcept",
                                         "ResvEpilog",
                                         "ResvProlog",
                                         "RoutePlugin",
                                         "SbcastParameters",
                                         "SerializerParameters",
                                         "SerializerPlugins",
                                         "SlurmctldAddr",
                                         "SlurmctldDebug",
                                         "SlurmctldHost",
                                         "SlurmctldHttpAuthParameters",
                                         "SlurmctldLogFile",
                                         "SlurmctldPidFile",
                                         "SlurmctldPort",
                                         "SlurmctldPrimaryOffProg",
                                         "SlurmctldPrimaryOnProg",
                                         "SlurmctldSyslogDebug",
                                         "SlurmctldTimeout",
                                         "SlurmdDebug",
                                         "SlurmdHttpAuthParameters",
                                         "SlurmdLogFile",
                                         "SlurmdPidFile",
                                         "SlurmdPort",
                                         "SlurmdSpoolDir",
                                         "SlurmdSyslogDebug",
                                         "SlurmdTimeout",
                                         "SlurmdUser",
                                         "SlurmrestdHttpAuthParameters",
                                         "SlurmrestdParameters",
                                         "SlurmSchedLogFile",
                                         "SlurmSchedLogLevel",
                                         "SlurmstepdParameters",
                                         "SlurmUser",
                                         "SrunEpilog",
                                         "SrunPortRange",
                                         "SrunProlog",
                                         "StateSaveLocation",
                                         "SwitchParameters",
                                         "SwitchType",
                                         "TaskEpilog",
                                         "TaskPlugin",
                                         "TaskPluginParam",
                                         "TaskProlog",
                                         "TCPTimeout",
                                         "TLSParameters",
                                         "TLSType",
                                         "TmpFS",
                                         "TreeWidth",
                                         "UnkillableStepProgram",
                                         "UnkillableStepTimeout",
                                         "UrlParserType",
                                         "UsePAM",
                                         "VSizeFactor",
                                         "WaitTime",
                                         "X11Parameters"};
static const char *const obsolete[] = {"AccountingStorageUser",
                                       "CoreSpecPlugin",
                                       "ExtSensorsFreq",
                                       "ExtSensorsType",
                                       "GetEnvTimeout",
                                       "JobCredentialPrivateKey",
                                       "JobCredentialPublicCertificate",
                                       "PowerParameters",
                                       "PowerPlugin",
                                       "AccountingStorageLoc",
                                       "CacheGroups",
                                       "FrontendName",
                                       "CheckpointType",
                                       "JobCheckpointDir",
                                       "ChosLoc",
                                       "JobAcctLogFile",
                                       "JobAcctFrequency",
                                       "JobAcctType",
                                       "LayoutsType",
                                       "Layouts",
                                       "MemLimitEnforce",
                                       "MaxJobsPerUser",
                                       "MsgAggregationParams",
                                       "SallocDefaultCommand",
                                       "SchedulerPort",
                                       "SchedulerRootFilter",
                                       "SchedulerAuth",
                                       "SlurmctldPlugstack",
                                       "DefaultStorageType",
                                       "DefaultStorageHost"};

static void irrelevant_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(irrelevant); i++) {
		char *text = g_strconcat(irrelevant[i], "=1", NULL);
		struct diag *d = diag_new();
		bool loud = strcmp(irrelevant[i], "AccountingStorageUser") == 0; /* 9.2 too */
		struct cluster *c = with_tail(text, d);

		if (d->n_errors || d->n_warnings != (loud ? 1u : 0u))
			print_error("key: %s\n", irrelevant[i]);
		assert_clean(d);
		assert_warnings(d, loud ? 1 : 0);
		cluster_free(c);
		diag_free(d);
		g_free(text);
	}
}

static void obsolete_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(obsolete); i++) {
		char *text = g_strconcat(obsolete[i], "=1", NULL);

		warns_once(text, "obsolete");
		g_free(text);
	}
	warns_once("FastSchedule=1", "FastSchedule is obsolete");
	struct diag *d = diag_new();
	struct cluster *c = with_tail(
	    "TopologyPlugin=topology/none\nTaskPlugin=task/none\nSwitchType=switch/none\nCryptoType=crypto/munge", d);
	assert_clean(d);
	assert_warnings(d, 0);
	cluster_free(c);
	diag_free(d);
}

/* Known and not modelled: one warning that says so. */
static void later_keys(void **state)
{
	static const char *const keys[] = {"LicenseParameters=x",
	                                   "MCSParameters=enforced",
	                                   "MCSPlugin=mcs/user",
	                                   "NodeFeaturesPlugins=knl",
	                                   "PriorityParameters=x",
	                                   "PrioritySiteFactorParameters=x",
	                                   "PrioritySiteFactorPlugin=x/y",
	                                   "PrivateData=jobs",
	                                   "ScronParameters=enable",
	                                   "TrackWCKey=YES",
	                                   "TopologyPlugin=topology/hypercube",
	                                   "PreemptParameters=reclaim_licenses",
	                                   "PreemptParameters=send_user_signal"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		warns_once(keys[i], "not modelled in this version");
	warns_once("JobSubmitPlugins=lua", "cannot be modelled");
	warns_once("TopologyParam=TopoMaxSizeUnroll=5", "not modelled in this version");
}

/* Case 62: what real Slurm would do with each old key is told; what it stops at is an error. */
static void case_62(void **state)
{
	static const struct {
		const char *text, *message;
		bool error;
	} rows[] = {
	    {"AccountingStorageUser=x",
	     "AccountingStorageUser is obsolete and has no effect; Slurm logs that it is defunct and goes on", false},
	    {"AccountingStorageLoc=x", "present-day Slurm refuses it as an unknown parameter", false},
	    {"FastSchedule=1", "Slurm logs that it is ignored", false},
	    {"FastSchedule=0", "FastSchedule=0 has been removed from Slurm", true},
	    {"FastSchedule=2", "use SlurmdParameters=config_overrides", true},
	    {"SallocDefaultCommand=x", "Slurm refuses it: use LaunchParameters=use_interactive_step", false},
	    {"AccountingStoreJobComment=YES", "use AccountingStoreFlags=job_comment", true},
	    {"SchedulerAuth=x", "present-day Slurm refuses it", false},
	    {"PriorityWeightFairShares=10",
	     "unknown parameter PriorityWeightFairShares; did you mean PriorityWeightFairshare?", true},
	    {"MaxJobCount=100\nMaxJobCount=200", "MaxJobCount specified more than once, latest value used", false},
	    {"KillWait=", "KillWait= has no value", true},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct diag *d = diag_new();
		struct cluster *c = with_tail(rows[i].text, d);

		assert_true((c == NULL) == rows[i].error);
		assert_message(rows[i].error ? d->errors : d->warnings, rows[i].message);
		if (i == 9)
			assert_int_equal(c->params->max_job_count, 200);
		if (c)
			cluster_free(c);
		diag_free(d);
	}
}

/* ---- sections 4 and 6: keys of nodes and partitions ---- */

#define NODE(member) offsetof(struct node_config, member), sizeof(((struct node_config *)0)->member)
static void node_keys(void **state)
{
	static const struct row rows[] = {
	    {"Boards=2 SocketsPerBoard=3", NODE(sockets), 6},
	    {"Sockets=3", NODE(sockets), 3},
	    {"CoresPerSocket=3", NODE(cores_per_socket), 3},
	    {"ThreadsPerCore=3", NODE(threads), 3},
	    {"CPUs=12", NODE(cpus), 12},
	    {"Procs=12", NODE(sockets), 12},
	    {"RealMemory=77", NODE(real_memory), 77},
	    {"", NODE(real_memory), 1},
	    {"TmpDisk=77", NODE(tmp_disk), 77},
	    {"Weight=77", NODE(weight), 77},
	    {"", NODE(weight), 1},
	    {"RealMemory=100 MemSpecLimit=77", NODE(mem_spec_limit), 77},
	    {"CPUs=8 CoreSpecCount=2", NODE(core_spec_count), 2},
	    {"RestrictedCoresPerGPU=2", NODE(restricted_cores_per_gpu), 2},
	    {"NodeHostname=x NodeAddr=y BcastAddr=z Port=7 CpuBind=core Parameters=a GresConf=b", NODE(weight), 1},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = g_strdup_printf("NodeName=n %s\nPartitionName=p Nodes=n\n", rows[i].text);
		struct diag *d = diag_new();
		struct cluster *c = read_text(text, SLURM_26, d);

		if (d->n_errors || d->n_warnings ||
		    field(c->node[0]->config, rows[i].offset, rows[i].size) != rows[i].value)
			print_error("node: %s\n", rows[i].text);
		assert_clean(d);
		assert_warnings(d, 0);
		assert_int_equal(field(c->node[0]->config, rows[i].offset, rows[i].size), rows[i].value);
		cluster_free(c);
		diag_free(d);
		g_free(text);
	}
}

#define PART(member) offsetof(struct partition, member), sizeof(((struct partition *)0)->member)
static void partition_keys(void **state)
{
	static const struct row rows[] = {
	    {"Default=YES", PART(is_default), 1},
	    {"State=DOWN", PART(state), PART_DOWN},
	    {"State=DRAIN", PART(state), PART_DRAIN},
	    {"State=INACTIVE", PART(state), PART_INACTIVE},
	    {"State=UP", PART(state), PART_UP},
	    {"", PART(max_time), INFINITE},
	    {"MaxTime=90", PART(max_time), 90},
	    {"MaxTime=0:30", PART(max_time), 1}, /* seconds round up */
	    {"", PART(default_time), NO_VAL},
	    {"DefaultTime=9", PART(default_time), 9},
	    {"MinNodes=3", PART(min_nodes), 3},
	    {"", PART(max_nodes), INFINITE},
	    {"MaxNodes=3", PART(max_nodes), 3},
	    {"MaxCPUsPerNode=3", PART(max_cpus_per_node), 3},
	    {"MaxCPUsPerSocket=3", PART(max_cpus_per_socket), 3},
	    {"DefMemPerCPU=3", PART(def_mem_per_cpu), 1},
	    {"DefMemPerNode=3", PART(def_mem), 3},
	    {"", PART(def_mem), NO_VAL64},
	    {"DefMemPerGPU=3", PART(def_mem_per_gpu), 3},
	    {"MaxMemPerCPU=3", PART(max_mem_per_cpu), 1},
	    {"MaxMemPerNode=3", PART(max_mem), 3},
	    {"DefCPUPerGPU=3", PART(def_cpu_per_gpu), 3},
	    {"", PART(priority_tier), 1},
	    {"PriorityTier=65533", PART(priority_tier), 65533},
	    {"", PART(priority_job_factor), 1},
	    {"PriorityJobFactor=3", PART(priority_job_factor), 3},
	    {"Priority=3 PriorityTier=4", PART(priority_tier), 3},
	    {"Priority=3 PriorityJobFactor=4", PART(priority_job_factor), 3},
	    {"PreemptMode=CANCEL", PART(preempt_mode), PREEMPT_MODE_CANCEL},
	    {"GraceTime=3", PART(grace_time), 3},
	    {"OverSubscribe=NO", PART(oversubscribe), OVERSUB_NO},
	    {"OverSubscribe=YES", PART(max_share), 4},
	    {"OverSubscribe=YES:3", PART(max_share), 3},
	    {"Shared=FORCE:1", PART(oversubscribe), OVERSUB_FORCE},
	    {"OverSubscribe=FORCE", PART(max_share), 4},
	    {"OverSubscribe=EXCLUSIVE", PART(oversubscribe), OVERSUB_EXCLUSIVE},
	    {"Exclusive=NODE", PART(oversubscribe), OVERSUB_EXCLUSIVE},
	    {"Exclusive=USER", PART(exclusive_user), 1},
	    {"Exclusive=TOPO", PART(exclusive_topo), 1},
	    {"ExclusiveUser=YES", PART(exclusive_user), 1},
	    {"ExclusiveTopo=YES", PART(exclusive_topo), 1},
	    {"RootOnly=YES", PART(root_only), 1},
	    {"ReqResv=YES", PART(req_resv), 1},
	    {"DisableRootJobs=YES", PART(disable_root), 1},
	    {"Hidden=YES", PART(hidden), 1},
	    {"LLN=YES", PART(lln), 1},
	    {"OverTimeLimit=3", PART(over_time_limit), 3},
	    {"OverTimeLimit=UNLIMITED", PART(over_time_limit), INFINITE},
	    {"", PART(over_time_limit), NO_VAL},
	    {"AllowQos=ALL AllowAccounts=ALL AllowGroups=ALL AllocNodes=ALL CpuBind=core SuspendTimeout=3 "
	     "ResumeTimeout=3",
	     PART(root_only), 0},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = g_strdup_printf("PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n "
		                             "CPUs=4\nPartitionName=p Nodes=n %s\n",
		                             rows[i].text);
		struct diag *d = diag_new();
		struct cluster *c = read_text(text, SLURM_26, d);

		if (d->n_errors || field(c->partitions->pdata[0], rows[i].offset, rows[i].size) != rows[i].value)
			print_error("partition: %s\n", rows[i].text);
		assert_clean(d);
		assert_int_equal(field(c->partitions->pdata[0], rows[i].offset, rows[i].size), rows[i].value);
		cluster_free(c);
		diag_free(d);
		g_free(text);
	}
}

static void partition_lists(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c = read_text(
	    "NodeName=n CPUs=4\nPartitionName=p Nodes=n AllowAccounts=A,b AllowQos=Q AllowGroups=G AllocNodes=login\n"
	    "PartitionName=r Nodes=n DenyAccounts=C DenyQos=Z QOS=Part Alternate=p "
	    "TRESBillingWeights=\"CPU=1.0,Mem=0.25G\"\n",
	    SLURM_26, d);
	const struct partition *p = c->partitions->pdata[0], *r = c->partitions->pdata[1];

	(void)state;
	assert_clean(d);
	assert_string_equal(p->allow_accounts[0], "a"); /* lower case on reading */
	assert_string_equal(p->allow_accounts[1], "b");
	assert_string_equal(p->allow_qos[0], "q");
	assert_string_equal(p->allow_groups[0], "G");
	assert_string_equal(p->alloc_nodes[0], "login");
	assert_string_equal(r->deny_accounts[0], "c");
	assert_string_equal(r->deny_qos[0], "z");
	assert_string_equal(r->qos_name, "part");
	assert_string_equal(r->alternate, "p");
	assert_true(r->billing_weights[TRES_CPU] == 1 && r->billing_weights[TRES_MEM] == 0.25 / 1024);
	cluster_free(c);
	diag_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(parameters),      cmocka_unit_test(tokens),          cmocka_unit_test(token_defaults),
	    cmocka_unit_test(other_tokens),    cmocka_unit_test(irrelevant_keys), cmocka_unit_test(obsolete_keys),
	    cmocka_unit_test(later_keys),      cmocka_unit_test(node_keys),       cmocka_unit_test(partition_keys),
	    cmocka_unit_test(partition_lists), cmocka_unit_test(case_62),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
