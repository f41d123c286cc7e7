/* sim.c - making and freeing a run, its records, commands and pins; see sim.h */
#include "sim/run.h"
#include <string.h>

#define CHUNK 256 /* sim_jobs at a time */

void sim_options_init(struct sim_options *o)
{
	*o = (struct sim_options){.clock = CLOCK_SLURM, .until = INT64_MAX, .boot_time = 30 * USEC, .stop_when_idle = true};
}

/* ---- sources and jobs ---- */

static struct sim_job *sim_job_new(struct sim *s)
{
	if (!s->unused) {
		struct sim_job *chunk = g_new0(struct sim_job, CHUNK);
		g_ptr_array_add(s->chunks, chunk);
		for (int i = CHUNK - 1; i >= 0; i--) {
			chunk[i].next = s->unused;
			s->unused = &chunk[i];
		}
	}
	struct sim_job *sj = s->unused;
	s->unused = sj->next;
	*sj = (struct sim_job){.generation = sj->generation + 1};
	return sj;
}

static void sim_job_attach(struct sim_job *sj, struct source *src)
{
	sj->source = source_ref(src);
	sj->next = src->records;
	if (sj->next)
		sj->next->prev = sj;
	src->records = sj;
}

static void sim_job_detach(struct sim_job *sj)
{
	if (sj->next)
		sj->next->prev = sj->prev;
	if (sj->prev)
		sj->prev->next = sj->next;
	else
		sj->source->records = sj->next;
	source_unref(g_steal_pointer(&sj->source));
}

static void host_created(void *data, struct job *job, struct job *from)
{
	struct sim *s = data;
	const struct sim_job *head = from ? from->host : NULL;
	struct source *src = head ? head->source : s->submitting;
	g_assert(src); /* records come from submissions only */
	struct sim_job *sj = sim_job_new(s);
	sj->job = job;
	job->host = sj;
	if (job->het && src->sub->label)
		sj->label = g_strdup_printf("%s+%u", src->sub->label, job->het_offset);
	sim_job_attach(sj, src);
	if (from)
		estimates_split(job, from);
	record_waits(s, sj);
}

static void host_forget(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = g_steal_pointer(&job->host);
	if (!sj)
		return;
	sim_job_outdate(s, sj);
	sim_job_detach(sj);
	g_clear_pointer(&sj->reason_text, g_free);
	g_clear_pointer(&sj->blocker, g_free);
	g_clear_pointer(&sj->label, g_free);
	g_clear_pointer(&sj->estimates, g_free);
	g_clear_pointer(&sj->pauses, g_array_unref);
	g_clear_pointer(&sj->cut, g_array_unref);
	sj->job = NULL;
	sj->next = s->unused;
	s->unused = sj;
}

/* ---- making and freeing ---- */

struct controller *sim_make_controller(struct sim *s)
{
	if (!s->c) {
		s->c = controller_new(s->cluster, &s->host, s->o.controller_start, s->o.tick_phase, s->o.naive);
		if (s->o.clock == CLOCK_SLURM)
			controller_set_cost(s->c, &s->o.cost);
		record_fairshare_open(s);
		controller_set_loops(s->c, s->o.tick_slip, s->o.backfill_phase);
		controller_delay_decay(s->c, s->o.decay_phase);
		if (s->o.first_ping)
			controller_first_ping(s->c, s->o.first_ping);
		record_open(s);
	}
	return s->c;
}

static void pinned_run_free(gpointer data)
{
	struct pinned_run *p = data;
	if (p->releases)
		g_array_unref(p->releases);
	g_free(p);
}

struct sim *sim_new(struct cluster *cluster, const struct sim_options *options, struct recorder *recorder)
{
	struct sim *s = g_new0(struct sim, 1);
	s->cluster = cluster;
	s->recorder = recorder;
	s->o = *options;
	s->o.controller_start = MIN(options->controller_start, options->start);
	s->now = s->o.controller_start;
	s->last_tick = s->last_backfill = s->last_priority = s->last_slice = s->last_power = INT64_MIN;
	s->host = (struct sched_host){
	    .data = s, .start_time = sim_host_start_time, .start = sim_host_start, .configured = sim_host_configured, .warn = sim_host_warn, .power = sim_host_power, .suspend = sim_host_suspend, .resume = sim_host_resume, .stop = sim_host_stop, .created = host_created, .forget = host_forget};
	record_host_callbacks(&s->host);
	record_fairshare_callback(&s->host);
	s->fairshares = g_array_new(FALSE, FALSE, sizeof(double));
	s->queue = event_queue_new();
	s->feeds = g_ptr_array_new();
	s->commands = g_ptr_array_new_with_free_func((GDestroyNotify)command_free);
	s->labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->chunks = g_ptr_array_new_with_free_func(g_free);
	s->changed_nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	s->user = g_string_new(NULL);
	s->account = g_string_new(NULL);
	s->partition = g_string_new(NULL);
	return s;
}

/* What is still in the queue owns submissions and holds sources. */
static void free_events(struct sim *s)
{
	struct event e;
	while (event_queue_pop(s->queue, &e)) {
		if (e.kind == EVENT_SUBMIT) /* a failure by chance has nothing of its own */
			submission_free(e.what);
		else if (e.kind == EVENT_CANCEL)
			source_unref(e.what);
	}
	event_queue_free(s->queue);
}

void sim_free(struct sim *s)
{
	if (!s)
		return;
	controller_free(s->c); /* forgets all records */
	free_events(s);
	g_ptr_array_unref(s->feeds);
	g_ptr_array_unref(s->commands);
	g_hash_table_unref(s->labels);
	if (s->pinned)
		g_hash_table_unref(s->pinned);
	for (uint32_t i = 0; s->nodes && i < s->cluster->n_nodes; i++)
		g_free(s->nodes[i].reason);
	g_free(s->nodes);
	fault_dice_free(s->dice);
	bitset_free(s->killed);
	g_free(s->boots);
	g_ptr_array_unref(s->chunks);
	g_array_unref(s->changed_nodes);
	if (s->refused_at)
		g_array_unref(s->refused_at);
	g_array_unref(s->fairshares);
	g_string_free(s->user, TRUE);
	g_string_free(s->account, TRUE);
	g_string_free(s->partition, TRUE);
	g_free(s);
}

/* ---- commands and pins ---- */

bool sim_add_command(struct sim *s, usec_t at, const char *command, const char *user, GError **error)
{
	struct command *cmd = command_parse(command, user, error);
	if (!cmd)
		return false;
	g_ptr_array_add(s->commands, cmd);
	bool of_node = cmd->verb == COMMAND_UPDATE_NODE || cmd->verb == COMMAND_POWER || cmd->verb == COMMAND_NODE_KILL || cmd->verb == COMMAND_NODE_START ||
	               cmd->verb == COMMAND_REBOOT || cmd->verb == COMMAND_CANCEL_REBOOT;
	int kind = of_node ? EVENT_NODE : EVENT_COMMAND;
	sim_push(s, (struct event){.t = at, .kind = (uint8_t)kind, .what = cmd});
	return true;
}

void sim_set_accounting(struct sim *s, sim_accounting_fn *fn)
{
	s->accounting = fn;
}

static struct pinned_run *pinned_of(struct sim *s, const char *label, uint32_t run)
{
	if (!s->pinned)
		s->pinned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, pinned_run_free);
	char *key = g_strdup_printf("%s\n%u", label, run);
	struct pinned_run *p = g_hash_table_lookup(s->pinned, key);
	if (p) {
		g_free(key);
		return p;
	}
	p = g_new0(struct pinned_run, 1);
	g_hash_table_insert(s->pinned, key, p);
	return p;
}

void sim_pin_end(struct sim *s, const char *label, uint32_t run, usec_t t)
{
	struct pinned_run *p = pinned_of(s, label, run);
	p->has_end = true;
	p->end = t;
}

void sim_pin_start(struct sim *s, const char *label, uint32_t run, usec_t pass, usec_t t)
{
	struct pinned_run *p = pinned_of(s, label, run);
	p->start_pass = pass;
	p->start = t;
}

void sim_pin_message(struct sim *s, const char *label, uint32_t run, bool killed, usec_t after)
{
	pinned_of(s, label, run)->message_after[killed] = after;
}

void sim_pin_length(struct sim *s, const char *label, uint32_t run, usec_t time)
{
	pinned_of(s, label, run)->length = time;
}

void sim_pin_release(struct sim *s, const char *label, uint32_t run, uint32_t node, usec_t t, bool by_message)
{
	struct pinned_run *p = pinned_of(s, label, run);
	if (!p->releases)
		p->releases = g_array_new(FALSE, FALSE, sizeof(struct pinned_release));
	struct pinned_release r = {.node = node, .t = t, .by_message = by_message};
	g_array_append_val(p->releases, r);
}

void sim_stop_at(struct sim *s, usec_t t)
{
	s->o.until = MIN(s->o.until, t);
}

/* ---- looking ---- */

/* Making the controller late changes nothing that can be seen: it begins to live with the run. */
struct controller *sim_controller(const struct sim *s)
{
	return sim_make_controller((struct sim *)s);
}
usec_t sim_now(const struct sim *s)
{
	return s->now;
}
struct sim_counts sim_counts(const struct sim *s)
{
	return s->counts;
}

const char *sim_job_label(const struct sim *s, const struct job *j)
{
	(void)s;
	const struct sim_job *sj = j->host;
	return sj && sj->label ? sj->label : sj ? sj->source->sub->label : NULL;
}

const struct outcome *sim_outcome_of(const struct sim *s, const struct job *j)
{
	(void)s;
	return j->host ? sim_job_outcome(j->host) : NULL;
}

const struct submission *sim_submission_of(const struct sim *s, const struct job *j)
{
	(void)s;
	return j->host ? ((const struct sim_job *)j->host)->source->sub : NULL;
}

const struct sim_options *sim_options_of(const struct sim *s)
{
	return &s->o;
}

static void host_step(void *data, const struct step *step)
{
	struct sim *s = data;
	s->on_step(s->watch_data, step, s->now);
}

void sim_watch(struct sim *s, sim_step_fn *step, sim_pass_fn *pass, sim_reason_fn *reason, void *data)
{
	g_assert(!step || !s->c); /* the controller learns at its birth whether somebody looks at steps */
	s->on_step = step;
	s->on_pass = pass;
	s->on_reason = reason;
	s->watch_data = data;
	s->host.step = step ? host_step : NULL;
}

static void host_preempted(void *data, struct job *victim, struct job *by)
{
	struct sim *s = data;

	if (s->on_preempted)
		s->on_preempted(s->preempted_data, victim, by, s->now);
}

void sim_watch_preemptions(struct sim *s, sim_preempted_fn *fn, void *data)
{
	g_assert(!s->c); /* as above */
	s->on_preempted = fn;
	s->preempted_data = data;
	s->host.preempted = fn ? host_preempted : NULL;
}

/* ---- looking in ---- */

void sim_set_hooks(struct sim *s, const struct sim_hooks *hooks)
{
	s->hooks = hooks ? *hooks : (struct sim_hooks){0};
}

void sim_set_until(struct sim *s, usec_t until)
{
	g_assert(until >= s->now);
	s->o.until = until;
}

void sim_drop_recorder(struct sim *s)
{
	s->recorder = NULL;
	for (uint32_t i = 0; s->nodes && i < s->cluster->n_nodes; i++)
		g_free(s->nodes[i].reason);
	g_clear_pointer(&s->nodes, g_free);
	g_array_set_size(s->changed_nodes, 0);
}

bool sim_find_id(const struct sim *s, const char *text, uint32_t *id, uint32_t *task)
{
	if (text[0] != '@' && command_job_id(text, id, task))
		return true;
	return sim_resolve_label(s, text + (text[0] == '@'), id, task);
}
