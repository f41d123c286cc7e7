/* sdiag_json.c - sdiag --json: the controller's statistics in the shape of Slurm's data_parser. */
#include "tools/schema_json.h"
#include "tools/sdiag_out.h"

static const char STATISTICS[] =
    "req_time:t req_time_start:t server_thread_count:i agent_queue_size:i agent_count:i agent_thread_count:i "
    "dbd_agent_queue_size:i gettimeofday_latency:i schedule_cycle_max:i schedule_cycle_last:i schedule_cycle_sum:i "
    "schedule_cycle_total:i schedule_cycle_mean:i schedule_cycle_mean_depth:i schedule_cycle_per_minute:i "
    "schedule_cycle_depth:i schedule_exit{end_job_queue:i default_queue_depth:i max_job_start:i max_rpc_cnt:i "
    "max_sched_time:i licenses:i} schedule_queue_length:i jobs_submitted:i jobs_started:i jobs_completed:i "
    "jobs_canceled:i jobs_failed:i jobs_pending:i jobs_running:i job_states_ts:t bf_backfilled_jobs:i "
    "bf_last_backfilled_jobs:i bf_backfilled_het_jobs:i bf_cycle_counter:i bf_cycle_mean:i bf_depth_mean:i "
    "bf_depth_mean_try:i bf_cycle_sum:i bf_cycle_last:i bf_cycle_max:i bf_exit{end_job_queue:i bf_max_job_start:i "
    "bf_max_job_test:i bf_max_time:i bf_node_space_size:i state_changed:i} bf_last_depth:i bf_last_depth_try:i "
    "bf_depth_sum:i bf_depth_try_sum:i bf_queue_len:i bf_queue_len_mean:i bf_queue_len_sum:i bf_table_size:i "
    "bf_table_size_sum:i bf_table_size_mean:i bf_when_last_cycle:t bf_active:b rpcs_by_message_type:l rpcs_by_user:l "
    "pending_rpcs:l pending_rpcs_by_hostlist:l";

static double mean(uint64_t sum, uint64_t n)
{
	return n ? (double)(sum / n) : 0;
}

static void put_main(cJSON *o, const struct sim_stats *s, sec_t now)
{
	const struct cycle_stats *c = &s->main;

	json_put_int(o, "schedule_cycle_max", (double)c->max);
	json_put_int(o, "schedule_cycle_last", (double)c->last);
	json_put_int(o, "schedule_cycle_sum", (double)c->sum);
	json_put_int(o, "schedule_cycle_total", (double)c->cycles);
	json_put_int(o, "schedule_cycle_mean", mean(c->sum, c->cycles));
	json_put_int(o, "schedule_cycle_mean_depth", mean(c->depth_sum, c->cycles));
	json_put_int(o, "schedule_cycle_per_minute",
	             mean(c->cycles, now > s->since ? (uint64_t)((now - s->since) / 60) : 0));
	json_put_int(o, "schedule_cycle_depth", (double)c->depth_sum);
	json_put_int(o, "schedule_exit.end_job_queue", (double)c->exits[MAIN_EXIT_END]);
	json_put_int(o, "schedule_exit.default_queue_depth", (double)c->exits[MAIN_EXIT_DEPTH]);
	json_put_int(o, "schedule_exit.max_job_start", (double)c->exits[MAIN_EXIT_STARTS]);
	json_put_int(o, "schedule_exit.max_rpc_cnt", (double)c->exits[MAIN_EXIT_RPC]);
	json_put_int(o, "schedule_exit.max_sched_time", (double)c->exits[MAIN_EXIT_TIME]);
	json_put_int(o, "schedule_exit.licenses", (double)c->exits[MAIN_EXIT_LICENSES]);
	json_put_int(o, "schedule_queue_length", c->last_queue);
}

static void put_jobs(cJSON *o, const struct sim_stats *s)
{
	json_put_int(o, "jobs_submitted", (double)s->submitted);
	json_put_int(o, "jobs_started", (double)s->started);
	json_put_int(o, "jobs_completed", (double)s->completed);
	json_put_int(o, "jobs_canceled", (double)s->canceled);
	json_put_int(o, "jobs_failed", (double)s->failed);
	json_put_int(o, "jobs_pending", s->pending);
	json_put_int(o, "jobs_running", s->running);
	json_put_number(o, "job_states_ts", (double)s->states_at);
}

static void put_backfill(cJSON *o, const struct sim_stats *s)
{
	const struct cycle_stats *c = &s->backfill;

	json_put_int(o, "bf_backfilled_jobs", (double)s->backfilled);
	json_put_int(o, "bf_last_backfilled_jobs", (double)s->backfilled_since);
	json_put_int(o, "bf_cycle_counter", (double)c->cycles);
	json_put_int(o, "bf_cycle_mean", mean(c->sum, c->cycles));
	json_put_int(o, "bf_depth_mean", mean(c->depth_sum, c->cycles));
	json_put_int(o, "bf_depth_mean_try", mean(c->try_sum, c->cycles));
	json_put_int(o, "bf_cycle_sum", (double)c->sum);
	json_put_int(o, "bf_cycle_last", (double)c->last);
	json_put_int(o, "bf_cycle_max", (double)c->max);
	json_put_int(o, "bf_exit.end_job_queue", (double)c->exits[BF_EXIT_END]);
	json_put_int(o, "bf_exit.bf_max_job_start", (double)c->exits[BF_EXIT_STARTS]);
	json_put_int(o, "bf_exit.bf_max_job_test", (double)c->exits[BF_EXIT_TESTS]);
	json_put_int(o, "bf_exit.bf_max_time", (double)c->exits[BF_EXIT_TIME]);
	json_put_int(o, "bf_exit.bf_node_space_size", (double)c->exits[BF_EXIT_TABLE]);
	json_put_int(o, "bf_exit.state_changed", (double)c->exits[BF_EXIT_STATE]);
	json_put_int(o, "bf_last_depth", c->last_depth);
	json_put_int(o, "bf_last_depth_try", c->last_try);
	json_put_int(o, "bf_depth_sum", (double)c->depth_sum);
	json_put_int(o, "bf_depth_try_sum", (double)c->try_sum);
	json_put_int(o, "bf_queue_len", c->last_queue);
	json_put_int(o, "bf_queue_len_mean", mean(c->queue_sum, c->cycles));
	json_put_int(o, "bf_queue_len_sum", (double)c->queue_sum);
	json_put_int(o, "bf_table_size", c->last_table);
	json_put_int(o, "bf_table_size_sum", (double)c->table_sum);
	json_put_int(o, "bf_table_size_mean", mean(c->table_sum, c->cycles));
	json_put_number(o, "bf_when_last_cycle", (double)c->last_when);
}

void sdiag_print_json(FILE *out, const struct sim_stats *s, sec_t now, const struct cluster *cluster)
{
	const struct json_origin from = {
	    .now = 0, .v22 = cluster->params->version == SLURM_22_05, .accounting = cluster->acct != NULL, .cluster = cluster->params->cluster_name};
	cJSON *o = json_from_schema(STATISTICS);

	json_put_number(o, "req_time", (double)now);
	json_put_number(o, "req_time_start", (double)s->since);
	json_put_int(o, "server_thread_count", 1);
	put_main(o, s, now);
	put_jobs(o, s);
	put_backfill(o, s);
	json_print_envelope(out, &from, "statistics", o, "sdiag --json");
}
