/* lint_checks.h - the check functions of the table in lint_checks.c, and what they share; private to tools/lint*.c. */
#ifndef TOOLS_LINT_CHECKS_H
#define TOOLS_LINT_CHECKS_H
#include "tools/lint.h"

int lint_compare_u32(const void *a, const void *b); /* for g_array_sort */
/* Is anything limited in S? (Priority thresholds and accrual limits are none.) */
bool lint_limits_any(const struct lint *l, const struct limits *s);
/* The limit on TRES of ARRAY (may be NULL); INFINITE64 = none. */
uint64_t lint_limit(const struct lint *l, const uint64_t *array, uint32_t tres);
struct lint_place lint_at_qos(struct lint *l, const struct qos *q, const char *key);
struct lint_place lint_at_assoc(struct lint *l, const struct assoc *a, const char *key);
/* "QOS high"; "account physics", "user ann of account physics": they live as long as L. */
const char *lint_qos_name(struct lint *l, const struct qos *q);
const char *lint_assoc_name(struct lint *l, const struct assoc *a);

/* lint_backfill.c */
void lint_bf_window(struct lint *l);
void lint_time_unlimited(struct lint *l);
void lint_default_time(struct lint *l);
void lint_bf_resolution(struct lint *l);
void lint_bf_depth(struct lint *l);
void lint_bf_off(struct lint *l);
void lint_bf_interval(struct lint *l);
void lint_bf_assoc_user(struct lint *l);
void lint_bf_space(struct lint *l);
void lint_bf_part_cap(struct lint *l);
void lint_bf_min_prio(struct lint *l);
void lint_bf_min_age(struct lint *l);
void lint_bf_array(struct lint *l);
void lint_licenses(struct lint *l);
/* lint_main.c */
void lint_defer(struct lint *l);
void lint_queue_depth(struct lint *l);
void lint_sched_interval(struct lint *l);
void lint_part_depth(struct lint *l);
void lint_complete_wait(struct lint *l);
void lint_over_time(struct lint *l);
void lint_job_count(struct lint *l);
void lint_array_count(struct lint *l);
void lint_assoc_stop(struct lint *l);
void lint_enforce_part(struct lint *l);
void lint_dependencies(struct lint *l);
void lint_no_effect(struct lint *l);
/* lint_priority.c */
void lint_prio_basic(struct lint *l);
void lint_prio_equal(struct lint *l);
void lint_prio_saturates(struct lint *l);
void lint_prio_vanishes(struct lint *l);
void lint_prio_overtakes(struct lint *l);
void lint_prio_constant(struct lint *l);
void lint_prio_unweighted(struct lint *l);
void lint_prio_tier(struct lint *l);
void lint_max_age(struct lint *l);
/* lint_usage.c */
void lint_fairshare(struct lint *l);
void lint_age(struct lint *l);
void lint_usage_uncharged(struct lint *l);
void lint_half_life(struct lint *l);
void lint_calc_period(struct lint *l);
void lint_billing_gpu(struct lint *l);
void lint_billing_mem(struct lint *l);
void lint_max_tres(struct lint *l);
void lint_shares(struct lint *l);
/* lint_limits.c */
void lint_limits_enforced(struct lint *l);
void lint_qos_enforced(struct lint *l);
void lint_assoc_run_mins(struct lint *l);
void lint_budget_kills(struct lint *l);
void lint_budget_refill(struct lint *l);
void lint_limit_hidden(struct lint *l);
void lint_part_qos_hides(struct lint *l);
void lint_waits_forever(struct lint *l);
void lint_usage_threshold(struct lint *l);
void lint_min_prio(struct lint *l);
void lint_qos_wall(struct lint *l);
void lint_run_mins(struct lint *l);
/* lint_limits_value.c */
void lint_limit_never(struct lint *l);
void lint_limit_above(struct lint *l);
void lint_limit_node(struct lint *l);
void lint_tres_untracked(struct lint *l);
void lint_typed_gres(struct lint *l);
/* lint_partitions.c */
void lint_part_overlap(struct lint *l);
void lint_part_empty(struct lint *l);
void lint_part_default(struct lint *l);
void lint_part_never(struct lint *l);
void lint_unreachable(struct lint *l);
void lint_accounts_unknown(struct lint *l);
void lint_accounts_enforced(struct lint *l);
/* lint_memory.c */
void lint_def_mem(struct lint *l);
void lint_mem_strands(struct lint *l);
void lint_cpu_per_gpu(struct lint *l);
void lint_max_mem_cpu(struct lint *l);
void lint_mem_not_counted(struct lint *l);
void lint_oversub(struct lint *l);
void lint_gpu_weight(struct lint *l);
/* lint_nodes.c */
void lint_real_memory(struct lint *l);
void lint_threads(struct lint *l);
void lint_gres_cores(struct lint *l);
void lint_gres_links(struct lint *l);
void lint_gpu_sockets(struct lint *l);
void lint_core_spec(struct lint *l);
void lint_power_no_effect(struct lint *l);
void lint_gpu_untracked(struct lint *l);
void lint_node_states(struct lint *l);
void lint_topology(struct lint *l);
/* lint_preempt.c */
void lint_preempt_nobody(struct lint *l);
void lint_preempt_tier(struct lint *l);
void lint_preempt_one_sided(struct lint *l);
void lint_preempt_suspend(struct lint *l);
void lint_preempt_exempt(struct lint *l);
void lint_grace(struct lint *l);
void lint_grace_long(struct lint *l);
void lint_requeue_off(struct lint *l);
void lint_expedite_off(struct lint *l);
void lint_preempt_cycle(struct lint *l);
void lint_preempt_order(struct lint *l);
void lint_gang(struct lint *l);
/* lint_reader.c */
void lint_unknown_token(struct lint *l);
void lint_reader_warning(struct lint *l);
/* lint_upgrade.c */
void lint_upgrade_refused(struct lint *l);
void lint_upgrade_ignored(struct lint *l);
void lint_upgrade_renamed(struct lint *l);
void lint_upgrade_defaults(struct lint *l);
void lint_upgrade_decides(struct lint *l);
#endif
