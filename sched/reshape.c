/* reshape.c - see reshape.h */
#include "sched/reshape.h"
#include "sched/features.h"
#include "sched/gang.h"
#include "sched/hetjob.h"
#include "sched/limits.h"
#include "sched/power.h"
#include "sched/recall.h"
#include "sched/reconfigure.h"
#include "sched/release.h"
#include "sched/reservation.h"
#include "sched/select.h"
#include "sched/share.h"

#include <string.h>

struct move {
	struct controller *c;
	const uint32_t *to;
	uint32_t n_old;
};

bool controller_reshapable(const struct controller *c, GError **error)
{
	if (!gang_active(c))
		return true;
	g_set_error(error, SUBMIT_ERROR, 0, "nodes and partitions cannot come, go or change their kind under gang scheduling (PreemptMode=GANG) in this version");
	return false;
}

static uint32_t moved(const struct move *m, uint32_t node)
{
	return m->to ? m->to[node] : node;
}

/* ---- what names nodes ---- */

static void move_set(const struct move *m, struct bitset **set)
{
	if (!*set)
		return;
	struct bitset *fresh = bitset_new(m->c->cl->n_nodes);
	int64_t i;
	for (BITSET_EACH(i, *set))
		if (moved(m, (uint32_t)i) != UINT32_MAX)
			bitset_set(fresh, moved(m, (uint32_t)i));
	bitset_free(*set);
	*set = fresh;
}

static int by_node(const void *a, const void *b)
{
	const struct alloc_node *x = a, *y = b;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void move_alloc(const struct move *m, struct job_alloc *a)
{
	uint32_t n = 0;
	for (uint32_t i = 0; a && i < a->n; i++) {
		a->node[i].node = moved(m, a->node[i].node);
		if (a->node[i].node != UINT32_MAX)
			a->node[n++] = a->node[i];
	}
	if (!a)
		return;
	a->n = n;
	qsort(a->node, n, sizeof *a->node, by_node);
}

static void renew_features(struct controller *c, struct features **f, const char *text)
{
	if (!*f)
		return;
	struct features *fresh = features_parse(c->cl, text);
	if (!fresh) { /* nobody has it any more: a term that nothing matches */
		fresh = g_new0(struct features, 1);
		fresh->refs = fresh->n = 1;
		fresh->alternatives = true;
		fresh->term = g_new0(struct feature_term, 1);
		fresh->term[0] = (struct feature_term){0, bitset_new(c->cl->configs->len), bitset_new(c->cl->n_nodes)};
	}
	features_unref(*f);
	*f = fresh;
}

static void move_job(const struct move *m, struct job *j)
{
	move_set(m, &j->req_nodes);
	move_set(m, &j->exc_nodes);
	move_set(m, &j->nodes);
	move_set(m, &j->comp_nodes);
	move_set(m, &j->kept_nodes);
	move_alloc(m, j->alloc);
	bitset_free(j->sched_nodes);
	j->sched_nodes = NULL;
	j->est_start = 0;
	renew_features(m->c, &j->features, j->req->constraint);
	renew_features(m->c, &j->prefer, j->req->prefer);
	if (j->state == JOB_PENDING)
		job_sort_partitions(j);
	if (!job_is_finished(j)) { /* one that runs may wait again */
		demand_static_filter(m->c, j);
	} else {
		g_clear_pointer(&j->config_ok, bitset_free);
		g_clear_pointer(&j->prefer_ok, bitset_free);
	}
}

/* Nodes may have gone. */
static void count_part(const struct cluster *cl, struct reservation *r)
{
	r->cores->cpus = 0;
	for (uint32_t i = 0; i < r->cores->n; i++) {
		const struct alloc_node *an = &r->cores->node[i];
		r->core_cnt += an->cores;
		r->cores->cpus += (uint32_t)an->cores * cl->node[an->node]->config->cpus_per_core;
	}
}

static void move_reservation(const struct move *m, struct reservation *r, uint32_t kinds)
{
	struct controller *c = m->c;
	move_set(m, &r->nodes);
	move_alloc(m, r->cores);
	if (r->licenses) {
		r->licenses = g_renew(uint32_t, r->licenses, license_kinds(c->cl) + 1);
		memset(r->licenses + kinds, 0, (license_kinds(c->cl) + 1 - kinds) * sizeof *r->licenses);
	}
	if (r->part && cluster_find_partition(c->cl, r->part->name) != r->part)
		r->part = NULL;
	if (r->flags & RESV_FLAG(PART_NODES) && r->part)
		bitset_assign(r->nodes, r->part->nodes);
	if (r->flags & RESV_FLAG(ALL_NODES))
		bitset_set_all(r->nodes);
	int64_t i;
	r->core_cnt = 0;
	if (r->cores) {
		count_part(c->cl, r);
		return;
	}
	for (BITSET_EACH(i, r->nodes))
		r->core_cnt += c->cl->node[i]->config->cores;
}

/* ---- what is derived ---- */

/* Holders of cores first, then those who have given theirs back. */
static void fill_usage(struct controller *c)
{
	struct usage *u = c->use;
	for (struct job *j = c->running.head; j; j = j->next) {
		bool paused = j->alloc->paused, cores = j->alloc->cores_free;
		j->alloc->paused = j->alloc->cores_free = false;
		usage_add(u, j->alloc);
		if (paused)
			usage_pause(u, j->alloc, cores);
	}
	for (guint i = 0; i < c->jobs->len; i++) {
		const struct job *j = c->jobs->pdata[i];
		int64_t n;
		if (!j || !(j->flags & JOB_COMPLETING) || !j->comp_nodes)
			continue;
		for (BITSET_EACH(n, j->comp_nodes))
			usage_completing(u, (uint32_t)n, 1);
	}
}

static void renew_usage(struct controller *c)
{
	struct usage *fresh = usage_new(c->cl), was = *c->use;
	bool shared = was.holders != NULL;
	*c->use = *fresh;
	*fresh = was;
	c->use->changes = was.changes + 1;
	c->use->clock = was.clock + 1;
	usage_free(c->future);
	usage_free(fresh);
	c->future = usage_overlay_new(c->use);
	if (shared) {
		usage_share(c->use);
		usage_share(c->future);
	} else {
		share_begin(c);
	}
	fill_usage(c);
	struct bitset *all = bitset_new(c->cl->n_nodes);
	bitset_set_all(all);
	usage_touch(c->use, all);
	bitset_free(all);
}

static void renew_set(struct controller *c, struct bitset **set)
{
	bitset_free(*set);
	*set = bitset_new(c->cl->n_nodes);
}

static void renew_scratch(struct controller *c)
{
	struct bitset **sets[] = {&c->avail, &c->up, &c->tmp_nodes, &c->tmp_nodes2, &c->victim_nodes, &c->emptied, &c->resv_nodes, &c->resv_scratch, &c->held_nodes};
	guint parts = c->cl->partitions->len;
	uint32_t kinds = license_kinds(c->cl);
	for (gsize i = 0; i < G_N_ELEMENTS(sets); i++)
		renew_set(c, sets[i]);
	c->part_failed = g_renew(uint8_t, c->part_failed, parts + 1);
	c->part_cleared = g_renew(uint8_t, c->part_cleared, parts + 1);
	c->part_count = g_renew(uint32_t, c->part_count, parts + 1);
	c->part_first = g_renew(struct job *, c->part_first, parts + 1);
	memset(c->part_failed, 0, parts + 1);
	memset(c->part_cleared, 0, parts + 1);
	memset(c->part_count, 0, (parts + 1) * sizeof *c->part_count);
	memset(c->part_first, 0, (parts + 1) * sizeof *c->part_first);
	c->lic_free = g_renew(uint32_t, c->lic_free, kinds + 1);
	c->lic_future = g_renew(uint32_t, c->lic_future, kinds + 1);
	g_clear_pointer(&c->resv_cores, g_free);
	g_clear_pointer(&c->resv_gres, g_free);
	c->most_cpus = c->most_threads = 0;
	for (guint i = 0; i < c->cl->configs->len; i++) {
		const struct node_config *k = c->cl->configs->pdata[i];
		c->most_cpus = MAX(c->most_cpus, k->cpus);
		c->most_threads = MAX(c->most_threads, k->cpus_per_core);
	}
}

/* N23: the bytes of nodes that stay are kept. */
static void renew_selector(const struct move *m)
{
	struct controller *c = m->c;
	struct selector *old = c->sel, *s = c->sel = selector_new(c->cl);
	s->now = &c->now_s;
	s->time_bound = &c->time_bound;
	s->bytes_differ = old->bytes_differ;
	s->power = power_matters(c->cl);
	for (uint32_t i = 0; i < m->n_old; i++)
		if (moved(m, i) != UINT32_MAX)
			s->byte[moved(m, i)] = old->byte[i];
	selector_free(old);
}

static void forget_counts(struct use *u)
{
	g_clear_pointer(&u->node_jobs, g_free);
	u->nodes = 0;
}

static void forget_table(GHashTable *table)
{
	GHashTableIter it;
	gpointer u;
	if (!table)
		return;
	g_hash_table_iter_init(&it, table);
	while (g_hash_table_iter_next(&it, NULL, &u))
		forget_counts(u);
}

/* Limits of nodes count distinct ones, by index. */
static void recount_limits(struct controller *c)
{
	struct acct *a = c->cl->acct;
	if (!a)
		return;
	for (guint i = 0; i < a->assocs->len; i++)
		forget_counts(&((struct assoc *)a->assocs->pdata[i])->use);
	for (guint i = 0; i < a->qos->len; i++) {
		struct qos *q = a->qos->pdata[i];
		forget_counts(&q->use);
		forget_table(q->use_by_user);
		forget_table(q->use_by_account);
	}
	limits_prepare(c);
	limits_recount_nodes(c);
}

static void displace(struct controller *c, struct job *j, bool some_left)
{
	if (j->state == JOB_PENDING) {
		bool completing = (j->flags & JOB_COMPLETING) != 0;
		j->requeue_pending = false;
		job_end_pending(c, j, JOB_NODE_FAIL, REASON_NODE_DOWN);
		if (completing)
			g_queue_push_tail(&c->finished, j);
	} else if (!job_is_finished(j)) {
		if (c->p->version != SLURM_22_05)
			j->exit_code = 1;
		else if (some_left)
			j->exit_signal = 15;
		job_end(c, j, JOB_NODE_FAIL, REASON_NODE_DOWN, END_NODE_DOWN);
	}
}

void ctl_job_displaced(struct controller *c, struct job *j, bool some_left)
{
	struct het_job *h = j->het;
	for (uint32_t k = 0; h && k < h->n; k++)
		if (h->comp[k] && h->comp[k] != j)
			displace(c, h->comp[k], true);
	displace(c, j, some_left);
}

void controller_reshape(struct controller *c, const uint32_t *to, uint32_t n_old, uint32_t kinds)
{
	const struct move m = {c, to, n_old};
	bf_abandon(c);
	for (guint i = 0; i < c->cl->partitions->len; i++)
		cluster_partition_changed(c->cl, c->cl->partitions->pdata[i]);
	renew_scratch(c);
	for (guint i = 0; i < c->jobs->len; i++)
		if (c->jobs->pdata[i])
			move_job(&m, c->jobs->pdata[i]);
	for (guint i = 0; i < c->resvs->len; i++)
		move_reservation(&m, c->resvs->pdata[i], kinds);
	renew_usage(c);
	renew_selector(&m);
	bf_free(c->bf);
	c->bf = bf_new(c);
	recall_free(c->recall);
	c->recall = recall_new(c->cl->n_nodes);
	release_free(c->release);
	c->release = release_new(c->cl->n_nodes);
	het_plans_clear(c->het_plans);
	power_reshape(c, to, n_old);
	recount_limits(c);
	ctl_refresh_up(c);
	resv_set_node_flags(c);
	c->counter++;
	c->part_changes++;
	c->resv_changes++;
	c->config_version++;
	ctl_touch(c);
}
