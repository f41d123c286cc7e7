/* cluster_text.h - everything that a configuration decides, as text: two configurations are equal when their texts are.
 */
#ifndef TESTS_UNIT_CLUSTER_TEXT_H
#define TESTS_UNIT_CLUSTER_TEXT_H
#include "sched/acct.h"
#include "sched/cluster.h"

enum {
	TEXT_PARAMS = 1,
	TEXT_NODES = 2,
	TEXT_STATES = 4,  /* of nodes */
	TEXT_DEVICES = 8, /* what gres.conf says */
	TEXT_PARTITIONS = 16,
	TEXT_TOPOLOGY = 32,
	TEXT_ACCOUNTS = 64,
	TEXT_ALL = 127
};

#define OUT(...) g_string_append_printf(o, __VA_ARGS__)

static inline void text_params(GString *o, const struct cluster *c)
{
	const struct sched_params *p = c->params;

	OUT("cluster %s %d\n", p->cluster_name, p->version);
	OUT("select %d %d %d %d %d %d %d\n", p->sched_type, p->select_type, p->cr_unit, p->cr_memory,
	    p->cr_one_task_per_core, p->cr_default_dist_block, p->cr_lln);
	OUT("select %d %d %d %d %d %d %d\n", p->cr_pack_nodes, p->topology, p->topo_dragonfly, p->topo_optional,
	    p->topo_switch_rank, p->topo_block_rank, p->enforce_binding_gres);
	OUT("memory %lu %lu %d %d %u %lu %u\n", p->def_mem, p->max_mem, p->def_mem && p->def_mem_per_cpu,
	    p->max_mem && p->max_mem_per_cpu, p->def_cpu_per_gpu, p->def_mem_per_gpu, p->max_tasks_per_node);
	OUT("main %d %d %d %d %d %d %d\n", p->sched_interval, p->sched_min_interval_us, p->batch_sched_delay,
	    p->default_queue_depth, p->partition_job_depth, p->max_sched_time, p->sched_max_job_start);
	OUT("main %d %d %d %d %d %d %d %d %u\n", p->defer, p->defer_batch, p->any_defer, p->assoc_limit_stop,
	    p->pack_serial_at_end, p->max_switch_wait, p->correspond_after_task_cnt, p->requeue_delay,
	    p->max_array_tasks);
	OUT("backfill %d %d %d %d %d %d %d %d %d %d\n", p->bf_interval, p->bf_max_time, p->bf_window, p->bf_resolution,
	    p->bf_max_job_test, p->bf_node_space_size, p->bf_max_job_part, p->bf_max_job_user, p->bf_max_job_user_part,
	    p->bf_max_job_assoc);
	OUT("backfill %d %d %d %d %lu %d %d %d %d %d %d %d %d %d\n", p->bf_max_job_start, p->bf_max_job_array_resv,
	    p->bf_job_part_count_reserve, p->bf_min_age_reserve, p->bf_min_prio_reserve, p->bf_window_linear,
	    p->bf_continue, p->bf_busy_nodes, p->bf_licenses, p->bf_running_job_reserve, p->bf_one_resv_per_job,
	    p->bf_allow_magnetic_slot, p->builtin_interval, p->builtin_max_job_test);
	OUT("life %d %d %u %d %u %u %u %u %d %d %d %d %d %d %d %d %d %d\n", p->complete_wait, p->kill_wait,
	    p->over_time_limit, p->min_job_age, p->max_job_count, p->max_array_size, p->first_job_id, p->max_job_id,
	    p->job_requeue, p->max_batch_requeue, p->enforce_part_limits, p->kill_invalid_depend, p->max_depend_depth,
	    p->message_timeout, p->inactive_limit, p->resv_over_run, p->all_partitions_plugin,
	    p->require_timelimit_plugin);
	OUT("preempt %d %d %u %d %d %d %d %u\n", p->preempt_type, p->preempt_mode, p->preempt_flags,
	    (int)MAX(p->preempt_exempt_time, 0), p->preempt_youngest_first, p->preempt_strict_order,
	    p->preempt_reorder_count, p->preempt_min_exempt_priority);
	OUT("priority %d %u %u %u %u %u %u %u %u %u %d %u %u %d %s\n", p->priority_type, p->weight_age, p->weight_assoc,
	    p->weight_fairshare, p->weight_job_size, p->weight_partition, p->weight_qos, p->priority_max_age,
	    p->priority_decay_half_life, p->priority_calc_period, p->priority_favor_small, p->priority_flags,
	    p->fairshare_damping, p->usage_reset, p->weight_tres_text ? p->weight_tres_text : "-");
	OUT("accounting %d %u\n", p->has_accounting, p->enforce);
	for (int i = 0; i < 4; i++)
		OUT("requeue %lx %lx\n", p->requeue_exit[i], p->requeue_exit_hold[i]);
	OUT("requeue %d\n", p->expedited_requeue);
	for (guint i = 0; i < c->licenses->len; i++) {
		const struct license *l = c->licenses->pdata[i];

		OUT("license %s %u\n", l->name, l->total);
	}
}

static inline void text_devices(GString *o, const struct node_config *k)
{
	for (uint32_t g = 0; g < k->n_gres; g++) {
		OUT("  gres %s %u %d %d\n", k->gres[g].name, k->gres[g].count, k->gres[g].devices,
		    k->gres[g].no_consume);
		for (uint32_t i = 0; i < k->gres[g].n_groups; i++) {
			const struct gres_group *d = &k->gres[g].group[i];
			char *cores = d->cores ? bitset_to_ranges(d->cores) : g_strdup("any");

			OUT("    %s %u %u cores %s", d->type ? d->type : "-", d->first, d->count, cores);
			for (uint32_t j = 0; d->links && j < k->gres[g].count; j++)
				OUT(" %d", d->links[j]);
			OUT("\n");
			g_free(cores);
		}
	}
}

static inline void text_nodes(GString *o, const struct cluster *c, int what)
{
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct node *n = c->node[i];
		const struct node_config *k = n->config;
		char *features = g_strjoinv(",", k->features),
		     *spec = k->spec_cores ? bitset_to_ranges(k->spec_cores) : NULL;

		OUT("node %s %u %u %u %u %u %u mem %lu %lu disk %lu weight %u spec %s res %u features %s gres %s\n",
		    n->name, k->boards, k->sockets, k->cores_per_socket, k->threads, k->cpus, k->cpus_per_core,
		    k->real_memory, k->mem_spec_limit, k->tmp_disk, k->weight, spec ? spec : "-",
		    k->restricted_cores_per_gpu, features, k->gres_text);
		if (what & TEXT_STATES)
			OUT("  state %d %u %s\n", n->base, n->flags, n->reason ? n->reason : "-");
		if (what & TEXT_DEVICES)
			text_devices(o, k);
		g_free(features);
		g_free(spec);
	}
}

static inline void text_list(GString *o, const char *name, char **list)
{
	char *all = list ? g_strjoinv(",", list) : g_strdup("-");

	OUT("  %s %s\n", name, all);
	g_free(all);
}

static inline void text_partitions(GString *o, const struct cluster *c)
{
	for (guint i = 0; i < c->partitions->len; i++) {
		const struct partition *p = c->partitions->pdata[i];
		char *nodes = cluster_format_nodes(c, p->nodes);

		OUT("partition %s nodes %s %d%d%d%d%d%d state %d\n", p->name, nodes, p->is_default, p->root_only,
		    p->req_resv, p->hidden, p->lln, p->disable_root, p->state);
		OUT("  time %u %u nodes %u %u cpus %u %u mem %lu %lu %d %d gpu %u %lu\n", p->max_time, p->default_time,
		    p->min_nodes, p->max_nodes, p->max_cpus_per_node, p->max_cpus_per_socket, p->def_mem, p->max_mem,
		    p->def_mem != NO_VAL64 && p->def_mem_per_cpu, p->max_mem != NO_VAL64 && p->max_mem_per_cpu,
		    p->def_cpu_per_gpu, p->def_mem_per_gpu);
		OUT("  prio %u %u over %d %u excl %d %d time %u grace %d preempt %d qos %s alt %s topo %s\n",
		    p->priority_tier, p->priority_job_factor, p->oversubscribe, p->max_share, p->exclusive_user,
		    p->exclusive_topo, p->over_time_limit, p->grace_time, p->preempt_mode,
		    p->qos_name ? p->qos_name : "-", p->alternate ? p->alternate : "-",
		    p->topology_name ? p->topology_name : "-");
		text_list(o, "accounts", p->allow_accounts);
		text_list(o, "not accounts", p->deny_accounts);
		text_list(o, "qos", p->allow_qos);
		text_list(o, "not qos", p->deny_qos);
		text_list(o, "groups", p->allow_groups);
		text_list(o, "from", p->alloc_nodes);
		for (uint32_t t = 0; p->billing_weights && t < c->tres->n; t++)
			if (p->billing_weights[t] != 0)
				OUT("  bills %s %.9g\n", c->tres->name[t], p->billing_weights[t]);
		OUT("  total %u %u\n", p->total_nodes, p->total_cpus);
		g_free(nodes);
	}
}

static inline void text_topology(GString *o, const struct cluster *c)
{
	for (guint i = 0; i < c->topologies->len; i++) {
		const struct topology *t = c->topologies->pdata[i];

		OUT("topology %s %d base %u levels %u\n", t->name, t->kind, t->base_size, t->levels);
		for (guint u = 0; u < t->units->len; u++) {
			const struct topo_unit *k = topology_unit(t, u);
			char *nodes = cluster_format_nodes(c, k->nodes);

			OUT("  %s level %u parent %s nodes %s %u %u %u\n", k->name, k->level,
			    k->parent == TOPO_NONE || t->kind != TOPOLOGY_TREE ? "-"
			                                                       : topology_unit(t, k->parent)->name,
			    nodes, k->x, k->y, k->z);
			g_free(nodes);
		}
	}
}

static inline void text_tres(GString *o, const struct tres_table *t, const char *name, const uint64_t *counts)
{
	for (uint32_t i = 0; counts && i < t->n; i++)
		if (counts[i] != NO_VAL64)
			OUT("  %s %s %lu\n", name, t->name[i], counts[i]);
}

static inline void text_limits(GString *o, const struct tres_table *t, const struct limits *l)
{
	OUT("  limits %u %u %u %u | %u %u %u %u | %u %u %u %u %u %u | %u\n", l->grp_jobs, l->grp_submit, l->grp_wall,
	    l->grp_jobs_accrue, l->max_jobs, l->max_submit, l->max_wall, l->max_jobs_accrue, l->max_jobs_pu,
	    l->max_jobs_pa, l->max_submit_pu, l->max_submit_pa, l->max_accrue_pu, l->max_accrue_pa, l->min_prio_thresh);
	text_tres(o, t, "grp", l->grp_tres);
	text_tres(o, t, "grp mins", l->grp_tres_mins);
	text_tres(o, t, "grp run mins", l->grp_tres_run_mins);
	text_tres(o, t, "job", l->max_tres_pj);
	text_tres(o, t, "node", l->max_tres_pn);
	text_tres(o, t, "job mins", l->max_tres_mins_pj);
	text_tres(o, t, "user", l->max_tres_pu);
	text_tres(o, t, "account", l->max_tres_pa);
	text_tres(o, t, "user run mins", l->max_tres_run_mins_pu);
	text_tres(o, t, "account run mins", l->max_tres_run_mins_pa);
	text_tres(o, t, "least", l->min_tres_pj);
}

static inline void text_accounts(GString *o, const struct acct *a)
{
	for (guint i = 0; i < a->qos->len; i++) {
		const struct qos *q = a->qos->pdata[i];

		OUT("qos %u %s flags %u prio %u factor %.9g %.9g %.9g mode %d %u grace %d exempt %ld\n", q->id, q->name,
		    q->flags, q->priority, q->usage_factor, q->limit_factor, q->usage_threshold, q->preempt_mode,
		    q->preempt_flags, q->grace_time, (long)q->preempt_exempt_time);
		text_list(o, "preempts", q->preempt && *q->preempt ? q->preempt : NULL);
		text_limits(o, a->tres, &q->limits);
	}
	for (guint i = 0; i < a->assocs->len; i++) {
		const struct assoc *s = a->assocs->pdata[i];

		OUT("assoc %s %s %s under %s shares %u prio %u default %d qos %s\n", s->account,
		    s->user ? s->user : "-", s->partition ? s->partition : "-", s->parent ? s->parent->account : "-",
		    s->shares, s->priority, s->is_default, s->default_qos ? s->default_qos : "-");
		text_list(o, "qos", assoc_qos_list(s));
		text_limits(o, a->tres, &s->limits);
		if (s->usage > 0)
			OUT("  usage %.0Lf\n", s->usage);
	}
}

/* WHAT: TEXT_* bits. g_free. */
static inline char *cluster_text(const struct cluster *c, int what)
{
	GString *o = g_string_new(NULL);

	if (what & TEXT_PARAMS)
		text_params(o, c);
	if (what & TEXT_NODES)
		text_nodes(o, c, what);
	if (what & TEXT_PARTITIONS)
		text_partitions(o, c);
	if (what & TEXT_TOPOLOGY)
		text_topology(o, c);
	if (what & TEXT_ACCOUNTS)
		text_accounts(o, c->acct);
	return g_string_free(o, FALSE);
}
#undef OUT

/* Associations and QOS as sorted blocks: two files may name them in another order. */
static inline char *accounts_text_sorted(const struct acct *a)
{
	GString *o = g_string_new(NULL);

	text_accounts(o, a);
	GPtrArray *blocks = g_ptr_array_new_with_free_func(g_free);
	char **line = g_strsplit(o->str, "\n", -1);
	for (char **s = line; *s; s++) {
		char *text =
		    g_str_has_prefix(*s, "qos ") ? g_strdup_printf("qos%s", strchr(*s + 4, ' ')) : g_strdup(*s);

		if (**s == ' ' && blocks->len) {
			char **last = (char **)&blocks->pdata[blocks->len - 1],
			     *joined = g_strconcat(*last, "\n", text, NULL);
			g_free(*last);
			g_free(text);
			*last = joined;
		} else {
			g_ptr_array_add(blocks, text);
		}
	}
	g_ptr_array_sort(blocks, (GCompareFunc)(void *)g_strcmp0);
	for (guint i = 0; i + 1 < blocks->len; i++) {
		char **x = (char **)&blocks->pdata[i], **y = (char **)&blocks->pdata[i + 1];
		if (strcmp(*x, *y) > 0) {
			char *t = *x;
			*x = *y;
			*y = t;
			i = (guint)-1;
		}
	}
	g_ptr_array_set_free_func(blocks, NULL);
	g_ptr_array_add(blocks, NULL);
	char *all = g_strjoinv("\n", (char **)blocks->pdata);
	g_strfreev((char **)g_ptr_array_free(blocks, FALSE));
	g_strfreev(line);
	g_string_free(o, TRUE);
	return all;
}

/* Fail with the first differing line when two texts differ. */
static inline void assert_same_text(const char *a, const char *b)
{
	char **x = g_strsplit(a, "\n", -1), **y = g_strsplit(b, "\n", -1);
	guint i = 0;

	while (x[i] && y[i] && strcmp(x[i], y[i]) == 0)
		i++;
	if (x[i] || y[i]) {
		print_error("line %u: %s\n   but: %s\n", i + 1, x[i] ? x[i] : "(end)", y[i] ? y[i] : "(end)");
		fail();
	}
	g_strfreev(x);
	g_strfreev(y);
}
#endif
