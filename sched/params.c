/* params.c - the defaults of every setting that decisions read; see params.h for meaning and units. */
#include "sched/params.h"

/* spec main-scheduler.md section 0 and slurm-conf.md 5.4; fields not named are 0 or false = off. */
static void main_scheduler_defaults(struct sched_params *p)
{
	p->sched_interval = 60;
	p->sched_min_interval_us = 2;
	p->batch_sched_delay = 3;
	p->default_queue_depth = 100;
	p->max_sched_time = 2;
	p->max_switch_wait = 300;
	p->correspond_after_task_cnt = 10;
	p->requeue_delay = 120;
	p->max_array_tasks = 1001; /* MaxArraySize */
}

/* spec backfill.md section 0; S38 for sched/builtin. */
static void backfill_defaults(struct sched_params *p)
{
	p->bf_interval = 30;
	p->bf_max_time = 30; /* bf_interval */
	p->bf_window = 1440 * 60;
	p->bf_resolution = 60;
	p->bf_max_job_test = 500;
	p->bf_node_space_size = 500; /* bf_max_job_test */
	p->bf_max_job_array_resv = 20;
	p->bf_yield_interval_us = 2000000;
	p->bf_yield_sleep_us = 500000;
	p->bf_topopt_iterations = 10;
	p->builtin_interval = 30;
	p->builtin_max_job_test = 50;
}

/* spec slurm-conf.md 5.3 */
static void life_cycle_defaults(struct sched_params *p)
{
	p->kill_wait = 30;
	p->time_slice = 30;
	p->slurmd_timeout = 300;
	p->suspend_time = INFINITE;
	p->suspend_timeout = 30;
	p->resume_timeout = 60;
	p->suspend_rate = 60;
	p->resume_rate = 300;
	p->power_save_interval = 10;
	p->max_powered_nodes = INFINITE;
	p->min_job_age = 300;
	p->max_job_count = 10000;
	p->max_array_size = 1001;
	p->first_job_id = 1;
	p->max_job_id = 67043328; /* 0x03ff0000 */
	p->job_requeue = true;
	p->max_batch_requeue = 5;
	p->enforce_part_limits = ENFORCE_PART_NO;
	p->max_depend_depth = 10;
	p->message_timeout = 10;
	p->preempt_exempt_time = -1;
	p->preempt_reorder_count = 1;
	p->preempt_min_exempt_priority = UINT32_MAX;
}

struct sched_params *sched_params_new(enum slurm_version version)
{
	struct sched_params *p = g_new0(struct sched_params, 1);

	p->version = version;
	p->sched_type = SCHED_BACKFILL;
	p->max_tasks_per_node = 512;
	/* SelectType and PriorityType changed their defaults in 23.02 and 23.11 (node-selection.md 0, P3). */
	if (version == SLURM_22_05) {
		p->select_type = SELECT_LINEAR;
		p->cr_unit = CR_NONE;
		p->priority_type = PRIORITY_BASIC;
	} else {
		p->select_type = SELECT_CONS_TRES;
		p->cr_unit = CR_CORE;
		p->cr_memory = true;
		p->priority_type = PRIORITY_MULTIFACTOR;
	}
	main_scheduler_defaults(p);
	backfill_defaults(p);
	life_cycle_defaults(p);
	/* P3 */
	p->priority_max_age = 7 * 86400;
	p->priority_decay_half_life = 7 * 86400;
	p->priority_calc_period = 300;
	p->fairshare_damping = 1;
	return p;
}

void sched_params_free(struct sched_params *p)
{
	if (p == NULL)
		return;
	g_free(p->cluster_name);
	g_free(p->weight_tres);
	g_free(p->weight_tres_text);
	g_free(p->suspend_exc_nodes);
	g_free(p->suspend_exc_parts);
	g_free(p->suspend_exc_states);
	g_free(p);
}

bool preempt_mode_parse(const char *text, enum preempt_mode *mode, uint32_t *flags)
{
	static const struct {
		const char *word;
		enum preempt_mode mode;
		uint32_t flag;
	} words[] = {
		{"off", PREEMPT_MODE_OFF, 0},	      {"cancel", PREEMPT_MODE_CANCEL, 0},
		{"requeue", PREEMPT_MODE_REQUEUE, 0}, {"suspend", PREEMPT_MODE_SUSPEND, 0},
		{"on", PREEMPT_MODE_SUSPEND, 0},      {"cluster", PREEMPT_MODE_UNSET, 0},
		{"gang", 0, PREEMPT_GANG},	      {"within", 0, PREEMPT_WITHIN},
		{"priority", 0, PREEMPT_PRIORITY},
	};
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	bool good = true;
	*flags = 0;
	for (char **s = list; *s; s++) {
		gsize i = 0;
		while (i < G_N_ELEMENTS(words) && g_ascii_strcasecmp(words[i].word, *s) != 0)
			i++;
		if (i == G_N_ELEMENTS(words))
			good = false;
		else if (words[i].flag)
			*flags |= words[i].flag;
		else
			*mode = words[i].mode;
	}
	return good;
}
