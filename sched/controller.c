/* controller.c - creation, the job list, ids and look-ups; see controller.h and state.h */
#include "sched/release.h"
#include "sched/gang.h"
#include "sched/share.h"
#include "sched/hetjob.h"
#include "sched/recall.h"
#include "sched/ping.h"
#include "sched/power.h"
#include "sched/reservation.h"
#include "sched/select.h"
#include "sched/warn.h"

#include <string.h>

const char *pass_kind_name(enum pass_kind k)
{
	static const char *const names[] = {"main_quick", "main_full", "backfill"};
	return names[k];
}

void ctl_touch(struct controller *c)
{
	c->version++;
	c->touches++;
	c->last_update = c->now_s;
}

void ctl_enter(struct controller *c, usec_t now)
{
	g_assert(now >= c->now); /* time never goes back */
	c->now = now;
	c->now_s = usec_to_sec(now);
}

/* The loop turns at whole seconds plus tick_phase, or later by its slip with each turn. The first turn whose time is >= t. */
usec_t ctl_turn(const struct controller *c, usec_t t)
{
	usec_t first = usec_to_sec(c->start) * USEC + c->tick_phase, into = (t - first) % c->turn;
	if (into < 0)
		into += c->turn;
	return into ? t + c->turn - into : t;
}

usec_t controller_turn_after(const struct controller *c, usec_t t)
{
	return ctl_turn(c, t + 1);
}

sec_t controller_first_second(const struct controller *c, usec_t turn)
{
	return usec_to_sec(turn - c->turn) + 1;
}

void controller_set_loops(struct controller *c, usec_t slip, usec_t backfill_phase)
{
	c->turn = USEC + slip;
	c->threads = c->start + backfill_phase;
	c->bf_next += backfill_phase;
}

struct controller *controller_new(struct cluster *cluster, const struct sched_host *host, usec_t start,
                                  usec_t tick_phase, bool naive)
{
	struct controller *c = g_new0(struct controller, 1);
	c->cl = cluster;
	c->p = cluster->params;
	c->host = *host;
	c->naive = naive;
	c->now = c->start = start;
	c->now_s = usec_to_sec(start);
	c->tick_phase = tick_phase;
	c->turn = USEC;
	c->use = usage_new(cluster);
	c->future = usage_overlay_new(c->use);
	c->jobs = g_ptr_array_new();
	c->by_id = g_hash_table_new(NULL, NULL);
	c->arrays = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	c->ends = c->by_end = g_ptr_array_new();
	c->soft_ends = g_ptr_array_new();
	g_queue_init(&c->finished);
	c->next_id = c->p->first_job_id ? c->p->first_job_id : 1;
	c->basic_low = 4294901760u; /* P50 */
	c->last_full = c->last_sched = c->last_sweep = c->last_purge = c->now_s;
	c->bf_next = start + (c->p->sched_type == SCHED_BUILTIN ? c->p->builtin_interval : c->p->bf_interval > 0 ? c->p->bf_interval : 30) * USEC;
	c->last_update = c->now_s;
	c->bf_last_end = c->now_s;
	c->avail = bitset_new(cluster->n_nodes);
	c->up = bitset_new(cluster->n_nodes);
	c->expediting = g_ptr_array_new();
	c->tmp_nodes = bitset_new(cluster->n_nodes);
	c->tmp_nodes2 = bitset_new(cluster->n_nodes);
	c->part_failed = g_new0(uint8_t, cluster->partitions->len);
	c->part_cleared = g_new0(uint8_t, cluster->partitions->len);
	c->part_count = g_new0(uint32_t, cluster->partitions->len);
	c->idle_fulls = g_array_new(FALSE, FALSE, sizeof(struct idle_span));
	c->queue = g_array_new(FALSE, FALSE, sizeof(struct queue_record));
	c->removal = g_ptr_array_new();
	c->candidates = g_ptr_array_new();
	c->victim_nodes = bitset_new(cluster->n_nodes);
	c->emptied = bitset_new(cluster->n_nodes);
	c->release = release_new(cluster->n_nodes);
	for (guint i = 0; i < cluster->configs->len; i++) {
		const struct node_config *k = cluster->configs->pdata[i];
		c->most_cpus = MAX(c->most_cpus, k->cpus);
		c->most_threads = MAX(c->most_threads, k->cpus_per_core);
	}
	c->lic_free = g_new0(uint32_t, license_kinds(cluster) + 1);
	c->lic_future = g_new0(uint32_t, license_kinds(cluster) + 1);
	c->resvs = g_ptr_array_new();
	c->next_resv_id = 1;
	c->last_resv = c->last_resv_end = c->now_s;
	c->resv_nodes = bitset_new(cluster->n_nodes);
	c->resv_scratch = bitset_new(cluster->n_nodes);
	c->held_nodes = bitset_new(cluster->n_nodes);
	c->user_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c->sel = selector_new(cluster);
	c->sel->now = &c->now_s;
	c->sel->time_bound = &c->time_bound;
	c->bf = bf_new(c);
	c->recall = recall_new(cluster->n_nodes);
	c->het_plans = het_plans_new();
	c->gang = gang_new(c);
	share_begin(c);
	c->power = power_new(c);
	c->pings = pings_new(c);
	c->part_first = g_new0(struct job *, cluster->partitions->len);
	limits_prepare(c);
	if (c->cl->acct) {
		acct_changes_seen(c->cl->acct);
		c->cl->acct->in_use = ctl_assoc_in_use;
		c->cl->acct->in_use_data = c;
	}
	ctl_refresh_up(c);
	decay_begin(c);
	return c;
}

void controller_free(struct controller *c)
{
	if (!c)
		return;
	for (guint i = 0; i < c->jobs->len; i++) {
		struct job *j = c->jobs->pdata[i];
		if (j) {
			if (c->host.forget)
				c->host.forget(c->host.data, j);
			job_free(j);
		}
	}
	g_ptr_array_unref(c->jobs);
	g_hash_table_unref(c->by_id);
	g_hash_table_unref(c->arrays);
	g_ptr_array_unref(c->by_end);
	g_ptr_array_unref(c->soft_ends);
	g_queue_clear(&c->finished);
	usage_free(c->future);
	usage_free(c->use);
	bitset_free(c->avail);
	bitset_free(c->up);
	bitset_free(c->tmp_nodes);
	bitset_free(c->tmp_nodes2);
	g_free(c->part_failed);
	g_free(c->part_cleared);
	g_free(c->part_count);
	g_free(c->part_first);
	g_array_unref(c->queue);
	g_array_unref(c->idle_fulls);
	g_ptr_array_unref(c->removal);
	g_free(c->lic_free);
	g_free(c->lic_future);
	for (guint i = 0; i < c->resvs->len; i++)
		resv_free(c->resvs->pdata[i]);
	g_ptr_array_unref(c->resvs);
	g_ptr_array_unref(c->expediting);
	bitset_free(c->resv_nodes);
	bitset_free(c->resv_scratch);
	bitset_free(c->held_nodes);
	g_free(c->resv_cores);
	g_free(c->resv_gres);
	g_ptr_array_unref(c->candidates);
	bitset_free(c->victim_nodes);
	bitset_free(c->emptied);
	release_free(c->release);
	g_hash_table_unref(c->user_ids);
	selector_free(c->sel);
	bf_free(c->bf);
	recall_free(c->recall);
	het_plans_free(c->het_plans);
	gang_free(c->gang);
	power_free(c->power);
	g_free(c->pings);
	fairshare_free(c->fair);
	if (c->cl->acct && c->cl->acct->in_use_data == c)
		c->cl->acct->in_use = NULL;
	g_free(c);
}

/* ---- job list ---- */

struct job *ctl_new_job(struct controller *c)
{
	struct job *j = g_slice_new0(struct job);
	j->seq = c->next_seq++;
	j->task = NO_VAL;
	j->time_limit = j->time_min = NO_VAL;
	return j;
}

uint32_t ctl_take_id(struct controller *c)
{
	uint32_t first = c->p->first_job_id ? c->p->first_job_id : 1;
	for (;;) {
		uint32_t id = c->next_id++;
		if (c->next_id > c->p->max_job_id)
			c->next_id = first; /* ids wrap around */
		if (!g_hash_table_contains(c->by_id, GUINT_TO_POINTER(id)))
			return id;
	}
}

uint32_t controller_next_id(const struct controller *c)
{
	uint32_t first = c->p->first_job_id ? c->p->first_job_id : 1, id = c->next_id;
	while (g_hash_table_contains(c->by_id, GUINT_TO_POINTER(id)))
		id = id >= c->p->max_job_id ? first : id + 1;
	return id;
}

void ctl_register(struct controller *c, struct job *j, uint32_t id)
{
	j->id = id;
	g_hash_table_insert(c->by_id, GUINT_TO_POINTER(id), j);
	j->place = c->jobs->len;
	g_ptr_array_add(c->jobs, j);
}

void list_insert(struct job_list *l, struct job *j)
{
	struct job *after = l->tail;
	while (after && after->seq > j->seq)
		after = after->prev;
	j->prev = after;
	j->next = after ? after->next : l->head;
	if (j->next)
		j->next->prev = j;
	else
		l->tail = j;
	if (after)
		after->next = j;
	else
		l->head = j;
	l->n++;
}

void list_remove(struct job_list *l, struct job *j)
{
	if (j->prev)
		j->prev->next = j->next;
	else
		l->head = j->next;
	if (j->next)
		j->next->prev = j->prev;
	else
		l->tail = j->prev;
	j->prev = j->next = NULL;
	l->n--;
}

uint32_t ctl_user_id(struct controller *c, const char *user)
{
	gpointer v;
	if (g_hash_table_lookup_extended(c->user_ids, user, NULL, &v))
		return GPOINTER_TO_UINT(v);
	uint32_t id = g_hash_table_size(c->user_ids);
	g_hash_table_insert(c->user_ids, g_strdup(user), GUINT_TO_POINTER(id));
	return id;
}

GPtrArray *ctl_array_records(const struct controller *c, uint32_t array_id)
{
	return g_hash_table_lookup(c->arrays, GUINT_TO_POINTER(array_id));
}

static void compact(struct controller *c)
{
	guint n = 0;
	for (guint i = 0; i < c->jobs->len; i++) {
		struct job *j = c->jobs->pdata[i];
		if (!j)
			continue;
		j->place = n;
		c->jobs->pdata[n++] = j;
	}
	g_ptr_array_set_size(c->jobs, (gint)n);
	c->jobs_holes = 0;
}

/* Those that are to go leave their arrays' lists in one round: a list may be as long as the array. */
static void leave_arrays(struct controller *c, const GPtrArray *gone)
{
	for (guint i = 0; i < gone->len; i++) {
		const struct job *j = gone->pdata[i];
		GPtrArray *records = j->array ? ctl_array_records(c, j->array->job_id) : NULL;
		if (!records || j->left_array)
			continue;
		guint n = 0;
		for (guint k = 0; k < records->len; k++) {
			struct job *r = records->pdata[k];
			r->left_array = r->purged;
			if (!r->purged)
				records->pdata[n++] = r;
		}
		g_ptr_array_set_size(records, (gint)n);
		if (n == 0)
			g_hash_table_remove(c->arrays, GUINT_TO_POINTER(j->array->job_id));
	}
}

static void purge_one(struct controller *c, struct job *j)
{
	bf_forget(c, j);
	recall_forget(c->recall, j);
	if (c->host.forget)
		c->host.forget(c->host.data, j);
	if (g_hash_table_lookup(c->by_id, GUINT_TO_POINTER(j->id)) == j)
		g_hash_table_remove(c->by_id, GUINT_TO_POINTER(j->id));
	c->jobs->pdata[j->place] = NULL;
	c->jobs_holes++;
	job_free(j);
}

/* C38: the record that bears an array's id stays until all its tasks are done. */
static bool awaits_tasks(const struct controller *c, const struct job *j)
{
	const GPtrArray *records = j->array && j->id == j->array->job_id ? ctl_array_records(c, j->id) : NULL;
	for (guint i = records ? records->len : 0; i-- > 0;) { /* the youngest is the likeliest */
		const struct job *r = records->pdata[i];
		if (!job_is_finished(r) || r->flags & JOB_COMPLETING)
			return true;
	}
	return false;
}

/* C38. Scans come every 60 s of the controller's life; between two scans nothing is removed, so it is enough to do the
 * last due scan whenever somebody could notice. */
void ctl_purge(struct controller *c)
{
	sec_t period = c->p->min_job_age > 0 && c->p->min_job_age < 60 ? MAX(10, c->p->min_job_age) : 60;
	sec_t start = usec_to_sec(c->start);
	sec_t scan = start + (c->now_s - start) / period * period;
	if (c->p->min_job_age == 0 || scan <= c->last_purge)
		return;
	c->last_purge = scan;
	g_autoptr(GPtrArray) gone = g_ptr_array_new();
	for (GList *l = c->finished.head, *next; l; l = next) {
		struct job *j = l->data;
		next = l->next;
		if (j->end > scan - c->p->min_job_age)
			break;
		if (j->flags & JOB_COMPLETING || awaits_tasks(c, j)) /* cannot be purged yet: the next scan looks again */
			continue;
		g_queue_delete_link(&c->finished, l);
		j->purged = true;
		g_ptr_array_add(gone, j);
	}
	if (gone->len == 0)
		return;
	leave_arrays(c, gone);
	for (guint i = 0; i < gone->len; i++)
		purge_one(c, gone->pdata[i]);
	c->version++;
	if (c->jobs_holes > 64 && c->jobs_holes * 2 > c->jobs->len)
		compact(c);
}

void controller_purge(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	ctl_purge(c);
}

/* ---- looking ---- */

struct cluster *controller_cluster(const struct controller *c)
{
	return c->cl;
}
const struct usage *controller_usage(const struct controller *c)
{
	return c->use;
}
uint32_t controller_n_running(const struct controller *c)
{
	return c->running.n;
}
uint64_t controller_n_forgotten(const struct controller *c)
{
	return c->n_forgotten;
}
uint32_t controller_n_suspended(const struct controller *c)
{
	uint32_t n = 0;
	for (const struct job *j = c->suspends ? c->running.head : NULL; j; j = j->next)
		n += j->state == JOB_SUSPENDED;
	return n;
}
uint32_t controller_fifo_records(const struct controller *c)
{
	return fifo_order(c) ? c->jobs->len - c->jobs_holes : 0;
}
uint32_t controller_n_pending(const struct controller *c)
{
	return c->n_pending_tasks;
}
struct job *controller_first_pending(const struct controller *c)
{
	return c->pending.head;
}
struct job *controller_first_running(const struct controller *c)
{
	return c->running.head;
}

uint32_t controller_n_jobs(const struct controller *c)
{
	if (c->jobs_holes)
		compact((struct controller *)c);
	return c->jobs->len;
}

struct job *controller_job(const struct controller *c, uint32_t i)
{
	g_assert(i < controller_n_jobs(c));
	return c->jobs->pdata[i];
}

struct job *controller_find_job(const struct controller *c, uint32_t id)
{
	return g_hash_table_lookup(c->by_id, GUINT_TO_POINTER(id));
}

struct job *controller_find_task(const struct controller *c, uint32_t array_id, uint32_t task)
{
	GPtrArray *records = ctl_array_records(c, array_id);
	for (guint i = 0; records && i < records->len; i++) {
		struct job *j = records->pdata[i];
		if (j->task == task || (j->tasks && task < j->tasks->nbits && bitset_test(j->tasks, task)))
			return j;
	}
	return NULL;
}

/* C51 without the suffix of a maintenance reservation. */
static const char *plain_node_state(const struct controller *c, const struct node *n, bool compact_form)
{
	const struct node_use *u = usage_node(c->use, n->index);
	/* recorded (preempt-tier-suspend): since 22.05 suspended jobs no longer make a node look busy */
	bool old = c->p->version == SLURM_22_05;
	bool allocated = old ? u->jobs > 0 : u->jobs > u->paused;
	bool mixed = allocated && (old ? node_use_cpus(u, n->config) : node_use_cpus(u, n->config) - u->paused_cpus) < node_config_usable(n->config);
	bool busy = allocated || u->completing > 0;
	if (n->flags & NODE_MAINT && !allocated && n->base != NODE_DOWN && !(n->flags & NODE_DRAIN))
		return "maint";
	bool reboots = n->flags & (NODE_REBOOT_REQUESTED | NODE_REBOOT_ISSUED);
	if (reboots && !busy)
		return compact_form ? "boot" : "reboot";
	if (n->flags & NODE_DRAIN)
		return busy ? (compact_form ? "drng" : "draining") : (compact_form ? "drain" : "drained");
	if (n->flags & NODE_FAIL)
		return busy ? (compact_form ? "failg" : "failing") : "fail";
	if (n->base == NODE_DOWN)
		return n->flags & NODE_NOT_RESPONDING ? "down*" : "down";
	if (n->base == NODE_UNKNOWN)
		return compact_form ? "unk" : "unknown";
	if (n->base == NODE_FUTURE)
		return compact_form ? "futr" : "future";
	if (allocated && !mixed)
		return u->completing ? (compact_form ? "alloc+" : "allocated+")
		                     : (compact_form ? "alloc" : "allocated");
	if (u->completing) /* recorded (captures sinfo-default): also while other jobs run there */
		return compact_form ? "comp" : "completing";
	if (mixed)
		return n->flags & NODE_PLANNED ? (compact_form ? "mix-" : "mixed-") : (compact_form ? "mix" : "mixed");
	if (n->flags & NODE_RESERVED)
		return compact_form ? "resv" : "reserved";
	if (n->flags & NODE_PLANNED)
		return compact_form ? "plnd" : "planned";
	return "idle";
}

/* C51: one suffix only, the first that applies. */
static const char *state_mark(const struct node *n, const char *state)
{
	static const struct { uint32_t flag; const char *mark; } marks[] = {
		{NODE_MAINT, "$"},	  {NODE_REBOOT_ISSUED, "^"}, {NODE_REBOOT_REQUESTED, "@"}, {NODE_POWERING_UP, "#"},
		{NODE_POWERING_DOWN, "%"}, {NODE_POWERED_DOWN, "~"},  {NODE_POWER_DOWN, "!"}};
	for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
		if (n->flags & marks[i].flag && !(marks[i].flag == NODE_MAINT && strcmp(state, "maint") == 0))
			return marks[i].flag == NODE_REBOOT_REQUESTED && (strcmp(state, "reboot") == 0 || strcmp(state, "boot") == 0) ? "" : marks[i].mark;
	return "";
}

const char *controller_node_state(const struct controller *c, const struct node *n, bool compact_form)
{
	const char *state = plain_node_state(c, n, compact_form), *mark = state_mark(n, state);
	if (!*mark || strpbrk(state, "*-+"))
		return state;
	g_autofree char *marked = g_strconcat(state, mark, NULL);
	return g_intern_string(marked);
}

/* ---- when the loop and the threads are to be called ---- */

usec_t controller_next_tick(const struct controller *c, usec_t now)
{
	usec_t first = ctl_turn(c, now + 1);
	if (c->naive)
		return first;
	sec_t want = INT64_MAX / USEC - 1; /* a whole second at which the loop has something to do */
	if (c->counter > 0)
		want = MIN(want, c->last_sched + c->p->batch_sched_delay);
	if (c->p->sched_interval > 0) { /* one that must wait (S7) may find jobs by then, and is a full one all the same */
		sec_t full = c->last_full + c->p->sched_interval;
		if (c->pending.n || c->counter || ctl_main_allowed(c) > full * USEC)
			want = MIN(want, full);
	}
	if (c->by_end->len) { /* C34: the first sweep that ends a job; OverTimeLimit only makes it later */
		const struct job *j = c->by_end->pdata[0];
		sec_t sweep = c->last_sweep + 30;
		if (j->end > sweep && !c->ends_by_limit)
			sweep += (j->end - sweep + 29) / 30 * 30;
		if (sweep > c->last_sweep + 30 && usec_to_sec(ctl_turn(c, (sweep - 30) * USEC)) >= j->end)
			sweep -= 30; /* the loop slips past that second, and past the end too */
		want = MIN(want, sweep);
	}
	sec_t warn = warn_next(c);
	if (warn != INT64_MAX)
		want = MIN(want, c->last_sweep + 30 + (warn > c->last_sweep + 30 ? (warn - c->last_sweep - 1) / 30 * 30 : 0));
	if (power_jobs_ready(c))
		want = MIN(want, c->last_sweep + 30);
	if (c->n_deadlines) { /* C8: purge scans end jobs too; the first turn after NOW may be one */
		sec_t t = controller_first_second(c, first);
		want = MIN(want, t + (60 - (t - usec_to_sec(c->start)) % 60) % 60);
	}
	want = MIN(want, resv_next_tick(c, controller_first_second(c, first)));
	want = MIN(want, ping_next(c, controller_first_second(c, first)));
	if (want >= INT64_MAX / USEC - 1)
		return INT64_MAX;
	return MAX(first, ctl_turn(c, want * USEC));
}

usec_t controller_next_backfill(const struct controller *c, usec_t now)
{
	usec_t at = c->bf_next;
	if (c->p->sched_type == SCHED_BUILTIN) { /* S38: for jobs that wait */
		usec_t period = (usec_t)c->p->builtin_interval * USEC;
		if (at <= now)
			at += (now - at + period) / period * period;
		return c->naive || c->pending.n ? at : INT64_MAX;
	}
	if (c->p->bf_interval < 1)
		return INT64_MAX;
	if (bf_suspended(c))
		return MAX(at, now + 1);
	if (at <= now) /* it looks again every second (B1) */
		at += (now - at + USEC) / USEC * USEC;
	if (c->naive)
		return at;
	if (c->last_update >= c->bf_last_end)
		return at;
	usec_t flags = resv_flags_from(c, c->bf_last_end);
	return flags <= at ? at : flags == INT64_MAX ? flags : at + (flags - at + USEC - 1) / USEC * USEC;
}
