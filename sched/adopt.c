/* adopt.c - see adopt.h. */
#include "sched/adopt.h"
#include "sched/billing.h"
#include "sched/easy.h"
#include "sched/expedite.h"
#include "sched/features.h"
#include "sched/license.h"
#include "sched/limits.h"
#include "sched/reservation.h"
#include "sched/share.h"
#include "sched/warn.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

/* ---- what a running job holds ---- */

static bool core_is_free(const struct controller *c, uint32_t node, uint32_t core)
{
	return !(usage_cores(c->use, node)[core / 64] >> (core % 64) & 1);
}

/* The cores of one node into WORDS: the given ones, else the first free ones. Number of cores; 0 = they are not there.
 */
static uint32_t take_cores(const struct controller *c, const struct adopted_node *n, uint64_t *words)
{
	const struct node_config *k = c->cl->node[n->node]->config;
	uint32_t per_core = MAX(1, k->cpus_per_core), want = (n->cpus + per_core - 1) / per_core, got = 0;
	int64_t i;

	if (n->cores) {
		for (BITSET_EACH(i, n->cores)) {
			if (i >= k->cores || !core_is_free(c, n->node, (uint32_t)i))
				return 0;
			words[i / 64] |= UINT64_C(1) << (i % 64);
			got++;
		}
		return got;
	}
	for (uint32_t core = 0; core < k->cores && got < want; core++) {
		if (!core_is_free(c, n->node, core) || (k->spec_cores && bitset_test(k->spec_cores, core)))
			continue;
		words[core / 64] |= UINT64_C(1) << (core % 64);
		got++;
	}
	return got == want ? got : 0;
}

/* Device bits of GRES number G (of type TYPE) on NODE that are free. */
static uint64_t free_devices(const struct controller *c, uint32_t node, uint32_t g, const char *type)
{
	const struct node_gres *k = &c->cl->node[node]->config->gres[g];
	uint64_t bits = 0;

	for (uint32_t i = 0; i < k->n_groups; i++) {
		const struct gres_group *d = &k->group[i];

		for (uint32_t b = d->first; b < d->first + d->count && b < 64; b++)
			if (!type || !d->type || strcmp(type, d->type) == 0)
				bits |= UINT64_C(1) << b;
	}
	return bits & ~usage_gres(c->use, node)[g].devices;
}

static bool take_gres(const struct controller *c, const struct adopted_node *n, const struct adopted_gres *want,
                      struct gres_taken *out, GError **error)
{
	const struct node *node = c->cl->node[n->node];
	const struct node_config *k = node->config;
	uint32_t g = 0;

	while (g < k->n_gres && strcmp(k->gres[g].name, want->name))
		g++;
	if (g == k->n_gres)
		return REFUSE(error, "node %s has no %s", node->name, want->name);
	*out = (struct gres_taken){.gres = (uint16_t)g, .count = want->count};
	if (!k->gres[g].devices)
		return true;
	uint64_t open = free_devices(c, n->node, g, want->type), bits = want->devices;
	if (bits & ~free_devices(c, n->node, g, NULL))
		return REFUSE(error, "a device of %s on node %s is held twice, or does not exist", want->name,
		              node->name);
	for (uint32_t b = 0, left = bits ? 0 : want->count; b < 64 && left; b++)
		if (open >> b & 1) {
			bits |= UINT64_C(1) << b;
			left--;
		}
	out->devices = bits;
	out->count = (uint32_t)__builtin_popcountll(bits);
	return out->count == want->count ||
	       REFUSE(error, "node %s has no %u free %s", node->name, want->count, want->name);
}

static bool fill_node(const struct controller *c, const struct adopted_node *n, struct job_alloc *a, uint32_t i,
                      uint32_t *word, uint32_t *gres, GError **error)
{
	struct alloc_node *to = &a->node[i];
	const struct node_config *k = c->cl->node[n->node]->config;
	uint32_t cores = take_cores(c, n, a->words + *word);

	*to = (struct alloc_node){.node = n->node,
	                          .cpus = n->cpus,
	                          .cores = (uint16_t)cores,
	                          .core_word = *word,
	                          .gres_first = *gres,
	                          .mem = n->mem};
	if (!cores && n->cpus)
		return REFUSE(error, "node %s has not %u free CPUs, or a core is held twice",
		              c->cl->node[n->node]->name, n->cpus);
	*word += (k->cores + 63u) / 64;
	for (guint g = 0; n->gres && g < n->gres->len; g++) {
		if (!take_gres(c, n, &g_array_index(n->gres, struct adopted_gres, g), &a->gres[*gres], error))
			return false;
		if (strcmp(k->gres[a->gres[*gres].gres].name, "gpu") == 0)
			a->gpus += a->gres[*gres].count;
		++*gres;
		to->n_gres++;
	}
	a->cpus += n->cpus;
	a->mem += n->mem;
	return true;
}

static struct job_alloc *make_alloc(const struct controller *c, const struct job *j, const struct adopted *d,
                                    GError **error)
{
	struct job_alloc *a = g_new0(struct job_alloc, 1);
	uint32_t words = 0, gres = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		words += (c->cl->node[d->node[i].node]->config->cores + 63u) / 64;
		gres += d->node[i].gres ? d->node[i].gres->len : 0;
	}
	a->n = d->n;
	a->node = g_new0(struct alloc_node, d->n + 1);
	a->words = g_new0(uint64_t, words + 1);
	a->gres = g_new0(struct gres_taken, gres + 1);
	a->whole = share_alone(c->p, j);
	a->user = j->user_key + 1;
	a->user_only = j->req->share == SHARE_EXCLUSIVE_USER || j->part->exclusive_user;
	words = gres = 0;
	for (uint32_t i = 0; i < d->n; i++)
		if (!fill_node(c, &d->node[i], a, i, &words, &gres, error)) {
			job_alloc_free(a);
			return NULL;
		}
	return a;
}

/* ---- arrays ---- */

/* J shares the array ID with the records that came before it, or is its first. */
static void join_array(struct controller *c, struct job *j, uint32_t id, uint32_t limit)
{
	GPtrArray *records = ctl_array_records(c, id);
	struct job_array *old = records && records->len ? ((struct job *)records->pdata[0])->array : NULL;

	if (old && j->array) { /* a head: its tasks came first */
		old->n_tasks += j->array->n_tasks;
		if (j->array->limit)
			old->limit = j->array->limit;
		g_free(j->array->text);
		g_free(j->array);
	}
	if (old)
		j->array = old, old->refs++;
	else if (!j->array)
		*(j->array = g_new0(struct job_array, 1)) =
		    (struct job_array){.refs = 1, .limit = limit, .text = g_strdup("")};
	if (!j->tasks)
		j->array->n_tasks++;
	j->array->job_id = id;
	if (!records) {
		records = g_ptr_array_new();
		g_hash_table_insert(c->arrays, GUINT_TO_POINTER(id), records);
	}
	g_ptr_array_add(records, j);
}

/* ---- one record ---- */

static void set_times(struct job *j, const struct adopted *a)
{
	j->submit_t = a->submit_t;
	j->submit = usec_to_sec(a->submit_t);
	if (a->eligible)
		j->eligible = a->eligible;
	j->accrue = a->accrue;
	if (a->time_limit != NO_VAL)
		j->time_limit = a->time_limit;
	j->run = a->run;
	j->part_total_cpus = a->total_cpus;
	j->preempt_start = a->preempt_start;
	j->started_by = a->started_by;
}

static void set_priority(struct controller *c, struct job *j, const struct adopted *a)
{
	priority_init(c, j);
	if (a->accrue)
		j->accrue = a->accrue;
	if (a->priority == NO_VAL)
		return;
	j->priority = a->priority;
	for (uint32_t i = 0; i < j->n_parts; i++)
		j->parts[i].priority = i < a->n_part_priorities ? a->part_priorities[i] : a->priority;
	if (a->direct_priority || !a->priority)
		priority_fix(j);
	if (!a->priority) {
		struct blocker b = blocker_hold("an order before the run began");
		job_blocked(c, j, a->held_by_admin ? REASON_HELD_ADMIN : REASON_HELD_USER, NULL, &b);
	}
}

/* Where it runs goes first among its partitions. */
static bool set_partition(struct job *j, const char *name, GError **error)
{
	j->part = j->parts[0].part;
	for (uint32_t i = 0; name && i < j->n_parts; i++)
		if (strcmp(j->parts[i].part->name, name) == 0) {
			j->part = j->parts[i].part;
			return true;
		}
	return !name || REFUSE(error, "job %u is not of partition %s", j->id, name);
}

/* As job_start, but at the time when it was. */
static void enter_running(struct controller *c, struct job *j, struct job_alloc *alloc, const struct adopted *a)
{
	uint64_t counts[TRES_MAX];

	j->alloc = alloc;
	j->nodes = bitset_new(c->cl->n_nodes);
	for (uint32_t i = 0; i < alloc->n; i++)
		bitset_set(j->nodes, alloc->node[i].node);
	usage_add(c->use, alloc);
	license_take(c, j);
	if (j->resv)
		j->resv->running++;
	if (j->time_limit == NO_VAL)
		j->time_limit = j->part->default_time != NO_VAL ? j->part->default_time : j->part->max_time;
	j->state = JOB_RUNNING;
	j->start_t = a->start_t;
	j->start = usec_to_sec(a->start_t);
	j->end = a->grace_end ? a->grace_end : j->start + easy_limit_seconds(c, j);
	j->preempt_time = a->preempt_time;
	j->in_grace = a->grace_end != 0;
	tres_of_alloc(c->cl, alloc, counts);
	alloc->billing = billing_of(c->p, c->cl->tres, j->part->billing_weights, counts);
	j->part_total_cpus = alloc->cpus;
	if (j->array) {
		j->array->running++;
		j->array->started++;
	}
	limits_count_submit(c, j, 1);
	list_insert(&c->running, j);
	ctl_by_end_insert(c, j);
	warn_arm(c, j);
	limits_count_start(c, j, 1);
	job_set_reason(c, j, REASON_NONE, NULL);
}

static bool is_finished(enum job_state state)
{
	return state != JOB_PENDING && state != JOB_RUNNING && state != JOB_SUSPENDED;
}

static void enter_finished(struct controller *c, struct job *j, const struct adopted *a)
{
	j->state = a->state;
	j->start_t = a->start_t;
	j->start = usec_to_sec(a->start_t);
	j->end_t = a->end_t;
	j->end = usec_to_sec(a->end_t);
	if (j->array) {
		j->array->ended++;
		j->array->ended_ok += j->state == JOB_COMPLETED;
	}
	g_queue_push_tail(&c->finished, j);
}

struct job *controller_adopt(struct controller *c, struct job_request *req, const struct adopted *a, usec_t now,
                             GError **error)
{
	ctl_enter(c, now);
	struct job *j = ctl_new_job(c);
	struct job_alloc *alloc = NULL;

	j->req = req;
	j->req_refs = g_new(uint32_t, 1);
	*j->req_refs = 1;
	j->submit = c->now_s;
	j->submit_t = c->now;
	j->state = JOB_PENDING;
	j->id = a->id;
	j->task = a->array_id ? a->task : NO_VAL;
	bool good = submit_prepare(c, j, false, error) && set_partition(j, a->partition, error);
	if (good && !demand_static_filter(c, j) && a->state == JOB_PENDING)
		good = REFUSE(error, "Requested node configuration is not available");
	if (good && a->state == JOB_RUNNING)
		good = (alloc = make_alloc(c, j, a, error)) != NULL;
	if (!good || g_hash_table_contains(c->by_id, GUINT_TO_POINTER(a->id))) {
		if (good)
			g_set_error(error, SUBMIT_ERROR, 0, "job %u is there twice", a->id);
		if (alloc)
			job_alloc_free(alloc);
		job_free(j);
		return NULL;
	}
	set_times(j, a);
	if (j->tasks || a->array_id)
		join_array(c, j, a->array_id ? a->array_id : a->id, a->array_limit);
	set_priority(c, j, a);
	ctl_register(c, j, a->id);
	if (c->host.created)
		c->host.created(c->host.data, j, NULL);
	if (a->state == JOB_RUNNING)
		enter_running(c, j, alloc, a);
	else if (is_finished(a->state))
		enter_finished(c, j, a);
	else
		ctl_enter_pending(c, j);
	if (a->kept && j->state == JOB_PENDING)
		expedite_keep(c, j, a->kept);
	if (a->state == JOB_RUNNING && c->host.start)
		c->host.start(c->host.data, j);
	c->next_id = MAX(c->next_id, a->id + 1);
	ctl_touch(c);
	return j;
}

/* ---- dependencies, timers ---- */

bool controller_adopt_dependency(struct controller *c, struct job *job, const char *text, GError **error)
{
	bool good = depend_parse(c, job, text, error);

	c->version++;
	c->config_version++;
	return good;
}

void controller_clock_get(const struct controller *c, struct controller_clock *k)
{
	*k = (struct controller_clock){.counter = c->counter,
	                               .next_id = c->next_id,
	                               .basic_low = c->basic_low,
	                               .last_full = c->last_full,
	                               .last_sched = c->last_sched,
	                               .last_sweep = c->last_sweep,
	                               .last_purge = c->last_purge,
	                               .bf_last_end = c->bf_last_end,
	                               .last_update = c->last_update,
	                               .last_resv = c->last_resv,
	                               .last_resv_end = c->last_resv_end,
	                               .bf_next_t = c->bf_next,
	                               .prio_next_t = c->prio_next,
	                               .decay_last = c->decay.last,
	                               .decay_reset = c->decay.last_reset,
	                               .decay_passes = c->decay.passes};
}

static int finished_cmp(const void *a, const void *b, void *data)
{
	const struct job *x = a, *y = b;

	(void)data;
	return x->end != y->end ? (x->end < y->end ? -1 : 1) : x->seq < y->seq ? -1 : x->seq > y->seq;
}

void controller_adopt_done(struct controller *c, const struct controller_clock *k, usec_t now)
{
	ctl_enter(c, now);
	g_queue_sort(&c->finished, finished_cmp, NULL);
	c->counter = k ? k->counter : 1; /* S3: there may be something to start */
	ctl_touch(c);
	if (!k)
		return;
	c->next_id = MAX(c->next_id, k->next_id);
	c->basic_low = k->basic_low;
	c->last_full = k->last_full;
	c->last_sched = k->last_sched;
	c->last_sweep = k->last_sweep;
	c->last_purge = k->last_purge;
	c->bf_last_end = k->bf_last_end;
	c->last_update = k->last_update;
	c->last_resv = k->last_resv;
	c->last_resv_end = k->last_resv_end;
	c->bf_next = k->bf_next_t;
	c->prio_next = k->prio_next_t;
	c->decay.last = k->decay_last;
	c->decay.last_reset = k->decay_reset;
	c->decay.passes = k->decay_passes;
}

uint32_t controller_n_reservations(const struct controller *c)
{
	return c->resvs->len;
}

const struct reservation *controller_reservation(const struct controller *c, uint32_t i)
{
	return c->resvs->pdata[i];
}

GPtrArray *controller_user_names(const struct controller *c)
{
	guint n = g_hash_table_size(c->user_ids);
	GPtrArray *names = g_ptr_array_sized_new(n);
	GHashTableIter it;
	gpointer name, id;

	g_ptr_array_set_size(names, (gint)n);
	g_hash_table_iter_init(&it, c->user_ids);
	while (g_hash_table_iter_next(&it, &name, &id))
		names->pdata[GPOINTER_TO_UINT(id)] = name;
	return names;
}

void controller_meet_user(struct controller *c, const char *user)
{
	ctl_user_id(c, user);
}
