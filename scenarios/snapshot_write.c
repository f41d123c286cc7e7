/* snapshot_write.c - the present moment of a run as a folder; see snapshot.h. */
#include "models/confwrite.h"
#include "scenarios/snapshot.h"
#include "sched/acct.h"
#include "sched/reservation.h"
#include "sim/placement.h"
#include <string.h>

static void add_set(cJSON *o, const char *key, double value)
{
	cJSON *v = cJSON_AddObjectToObject(o, key);

	cJSON_AddBoolToObject(v, "set", value < INFINITE);
	cJSON_AddBoolToObject(v, "infinite", value >= INFINITE);
	cJSON_AddNumberToObject(v, "number", value >= INFINITE ? 0 : value);
}

static void add_text(cJSON *o, const char *key, const char *text)
{
	cJSON_AddStringToObject(o, key, text ? text : "");
}

/* ---- one job as squeue --json has it ---- */

static const char *state_word(const struct job *j)
{
	static const struct {
		enum job_state state;
		const char *word;
	} words[] = {{JOB_PENDING, "PENDING"},     {JOB_RUNNING, "RUNNING"},  {JOB_COMPLETED, "COMPLETED"},
	             {JOB_CANCELLED, "CANCELLED"}, {JOB_FAILED, "FAILED"},    {JOB_TIMEOUT, "TIMEOUT"},
	             {JOB_NODE_FAIL, "NODE_FAIL"}, {JOB_DEADLINE, "DEADLINE"}};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (words[i].state == j->state)
			return words[i].word;
	return "FAILED";
}

static void add_allocation(cJSON *list, const struct cluster *c, const struct job_alloc *a, uint32_t i)
{
	const struct alloc_node *n = &a->node[i];
	const struct node_config *k = c->node[n->node]->config;
	cJSON *o = cJSON_CreateObject(), *cpus, *memory, *sockets, *cores = NULL;
	int last = -1;

	cJSON_AddItemToArray(list, o);
	cJSON_AddNumberToObject(o, "index", i);
	add_text(o, "name", c->node[n->node]->name);
	cpus = cJSON_AddObjectToObject(o, "cpus");
	cJSON_AddNumberToObject(cpus, "count", n->cpus);
	memory = cJSON_AddObjectToObject(o, "memory");
	cJSON_AddNumberToObject(memory, "allocated", (double)n->mem);
	sockets = cJSON_AddArrayToObject(o, "sockets");
	for (uint32_t core = 0; core < k->cores; core++) {
		int socket = (int)(core / k->cores_per_socket);

		if (!(a->words[n->core_word + core / 64] >> (core % 64) & 1))
			continue;
		if (socket != last) {
			cJSON *s = cJSON_CreateObject();

			cJSON_AddItemToArray(sockets, s);
			cJSON_AddNumberToObject(s, "index", socket);
			cores = cJSON_AddArrayToObject(s, "cores");
			last = socket;
		}
		cJSON *one = cJSON_CreateObject();
		cJSON_AddNumberToObject(one, "index", core % k->cores_per_socket);
		cJSON_AddItemToArray(cJSON_AddArrayToObject(one, "status"), cJSON_CreateString("ALLOCATED"));
		cJSON_AddItemToArray(cores, one);
	}
}

/* "gpu:h100:4(IDX:4-7)" of node I; g_free. */
static char *gres_text(const struct cluster *c, const struct job_alloc *a, uint32_t i)
{
	const struct alloc_node *n = &a->node[i];
	const struct node_config *k = c->node[n->node]->config;
	GString *out = g_string_new(NULL);

	for (uint32_t g = 0; g < n->n_gres; g++) {
		const struct gres_taken *t = &a->gres[n->gres_first + g];
		const struct node_gres *kind = &k->gres[t->gres];

		g_string_append_printf(out, "%s%s:%u", out->len ? "," : "", kind->name, t->count);
		if (kind->devices) {
			struct bitset *set = bitset_new(64);
			set->word[0] = t->devices;
			char *ranges = bitset_to_ranges(set);
			g_string_append_printf(out, "(IDX:%s)", ranges);
			g_free(ranges);
			bitset_free(set);
		}
	}
	return g_string_free(out, FALSE);
}

static void add_places(cJSON *o, const struct cluster *c, const struct job *j)
{
	cJSON *resources = cJSON_AddObjectToObject(o, "job_resources"),
	      *nodes = cJSON_AddObjectToObject(resources, "nodes");
	cJSON *list = cJSON_AddArrayToObject(nodes, "allocation"), *gres = cJSON_AddArrayToObject(o, "gres_detail");

	for (uint32_t i = 0; i < j->alloc->n; i++) {
		char *text = gres_text(c, j->alloc, i);

		add_allocation(list, c, j->alloc, i);
		cJSON_AddItemToArray(gres, cJSON_CreateString(text));
		g_free(text);
	}
}

static void add_outcome(cJSON *o, const struct outcome *out)
{
	static const char *const ends[] = {"exit", "cancel", "node_fail", "oom", "hang"};

	cJSON_AddNumberToObject(o, "run_us", (double)out->run_time);
	cJSON_AddNumberToObject(o, "exit", out->exit_code);
	cJSON_AddNumberToObject(o, "signal", out->signal);
	if (out->exit_runs)
		cJSON_AddNumberToObject(o, "exit_runs", out->exit_runs);
	add_text(o, "end", ends[out->end]);
	if (out->ignores_term)
		cJSON_AddTrueToObject(o, "ignores_term");
	if (out->cancel_after >= 0)
		cJSON_AddNumberToObject(o, "cancel_after_us", (double)out->cancel_after);
}

/* A waiting array head: the tasks that are left, as asked for. */
static void fix_array(cJSON *options, const struct job *j)
{
	cJSON_DeleteItemFromObject(options, "array");
	if (!j->tasks)
		return;
	char *ranges = bitset_to_ranges(j->tasks);
	char *text = j->array->limit ? g_strdup_printf("%s%%%u", ranges, j->array->limit) : g_strdup(ranges);
	add_text(options, "array", text);
	g_free(text);
	g_free(ranges);
}

static void add_own(cJSON *o, const struct sim *sim, const struct job *j)
{
	cJSON *own = cJSON_AddObjectToObject(o, "whypend"), *options = snapshot_request_json(j->req), *list;
	const struct submission *sub = sim_submission_of(sim, j);
	const struct outcome *out = sim_outcome_of(sim, j);

	fix_array(options, j);
	cJSON_DeleteItemFromObject(options, "hold");
	cJSON_DeleteItemFromObject(options, "nice");
	if (j->nice)
		cJSON_AddNumberToObject(options, "nice", (double)j->nice);
	if (j->time_limit != NO_VAL && j->time_limit != INFINITE) {
		cJSON_DeleteItemFromObject(options, "time");
		cJSON_AddNumberToObject(options, "time", j->time_limit);
	}
	cJSON_AddItemToObject(own, "options", options);
	cJSON_AddNumberToObject(own, "submit_us", (double)j->submit_t);
	cJSON_AddNumberToObject(own, "start_us", (double)j->start_t);
	cJSON_AddNumberToObject(own, "end_us", (double)j->end_t);
	cJSON_AddNumberToObject(own, "preempt_time", (double)j->preempt_time);
	cJSON_AddNumberToObject(own, "preempt_start", (double)j->preempt_start);
	cJSON_AddNumberToObject(own, "grace_end", j->in_grace ? (double)j->end : 0);
	cJSON_AddNumberToObject(own, "started_by", j->started_by);
	cJSON_AddNumberToObject(own, "total_cpus", j->part_total_cpus);
	cJSON_AddBoolToObject(own, "direct_priority", j->direct_priority);
	cJSON_AddBoolToObject(own, "privileged", j->req->privileged);
	cJSON_AddNumberToObject(own, "site_factor", j->site);
	cJSON *parts = cJSON_AddArrayToObject(own, "part_priorities");
	for (uint32_t i = 0; i < j->n_parts; i++)
		cJSON_AddItemToArray(parts, cJSON_CreateNumber(j->parts[i].priority));
	if (j->kept_nodes) {
		char *kept = cluster_format_nodes(controller_cluster(sim_controller((struct sim *)sim)), j->kept_nodes);
		add_text(own, "kept_nodes", kept);
		g_free(kept);
	}
	add_text(own, "label", sub ? sub->label : NULL);
	if (out)
		add_outcome(own, j->tasks && sub ? &sub->outcome : out);
	list = cJSON_AddArrayToObject(own, "tasks");
	for (uint32_t i = 0; j->tasks && sub && i < sub->n_tasks; i++) {
		cJSON *t = cJSON_CreateObject();

		cJSON_AddNumberToObject(t, "task", sub->tasks[i].task);
		cJSON_AddNumberToObject(t, "run_us", (double)sub->tasks[i].outcome.run_time);
		cJSON_AddNumberToObject(t, "exit", sub->tasks[i].outcome.exit_code);
		cJSON_AddItemToArray(list, t);
	}
}

static void add_dependency(cJSON *o, const struct job *j)
{
	static const char *const kinds[] = {
	    [DEP_AFTER] = "after",           [DEP_AFTERANY] = "afterany",   [DEP_AFTEROK] = "afterok",
	    [DEP_AFTERNOTOK] = "afternotok", [DEP_SINGLETON] = "singleton", [DEP_AFTERCORR] = "aftercorr",
	    [DEP_AFTERBURSTBUFFER] = "afterburstbuffer"};
	GString *out = g_string_new(NULL);

	for (uint32_t i = 0; i < j->n_deps; i++) {
		const struct dependency *d = &j->deps[i];

		if (d->state == DEP_MET && !j->deps_or)
			continue;
		g_string_append_printf(out, "%s%s", out->len ? (j->deps_or ? "?" : ",") : "", kinds[d->kind]);
		if (d->kind != DEP_SINGLETON)
			g_string_append_printf(out, ":%u", d->job);
		if (d->kind != DEP_SINGLETON && d->task != NO_VAL)
			g_string_append_printf(out, "_%u", d->task);
		if (d->minutes)
			g_string_append_printf(out, "+%u", d->minutes);
	}
	add_text(o, "dependency", out->str);
	g_string_free(out, TRUE);
}

static cJSON *job_json(const struct sim *sim, const struct cluster *c, const struct job *j)
{
	cJSON *o = cJSON_CreateObject();
	char *nodes = j->nodes ? cluster_format_nodes(c, j->nodes) : g_strdup(""),
	     *tasks = j->tasks ? job_format_tasks(j) : NULL;
	bool holds = j->state == JOB_RUNNING && j->alloc;

	cJSON_AddNumberToObject(o, "job_id", j->id);
	add_set(o, "array_job_id", j->array ? j->array->job_id : 0);
	add_set(o, "array_task_id", j->task == NO_VAL ? 0 : j->task);
	add_text(o, "array_task_string", tasks ? g_strdelimit(tasks, "[]", ' ') : "");
	add_set(o, "array_max_tasks", j->array ? j->array->limit : 0);
	add_text(o, "name", j->name);
	add_text(o, "user_name", j->user);
	add_text(o, "account", j->account);
	add_text(o, "partition", holds || j->n_parts == 1 ? j->part->name : j->req->partition);
	add_text(o, "qos", j->qos ? j->qos->name : NULL);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "job_state"), cJSON_CreateString(state_word(j)));
	add_text(o, "state_reason", reason_name(j->reason));
	cJSON_AddBoolToObject(o, "hold", j->priority == 0);
	add_set(o, "priority", j->priority);
	add_set(o, "submit_time", (double)j->submit);
	add_set(o, "eligible_time", (double)j->eligible);
	add_set(o, "accrue_time", (double)j->accrue);
	add_set(o, "start_time", (double)j->start);
	add_set(o, "end_time", (double)j->end);
	add_set(o, "time_limit", j->time_limit == NO_VAL ? 0 : j->time_limit);
	add_set(o, "node_count", holds ? j->alloc->n : j->min_nodes);
	add_set(o, "cpus", holds ? j->alloc->cpus : j->min_cpus);
	add_set(o, "tasks", j->ntasks == NO_VAL ? 0 : j->ntasks);
	add_set(o, "cpus_per_task", j->cpt);
	add_set(o, j->mem_per_cpu ? "memory_per_cpu" : "memory_per_node", (double)j->pn_min_memory);
	cJSON_AddNumberToObject(o, "nice", (double)j->nice);
	cJSON_AddNumberToObject(o, "restart_cnt", j->run);
	add_text(o, "nodes", nodes);
	add_text(o, "tres_per_node", j->req->gres);
	add_text(o, "features", j->req->constraint);
	add_text(o, "licenses", j->req->licenses);
	add_text(o, "resv_name", j->req->reservation);
	add_dependency(o, j);
	if (holds)
		add_places(o, c, j);
	add_own(o, sim, j);
	g_free(nodes);
	g_free(tasks);
	return o;
}

static char *squeue_json(struct sim *sim)
{
	const struct controller *c = sim_controller(sim);
	cJSON *root = cJSON_CreateObject(), *jobs = cJSON_AddArrayToObject(root, "jobs");

	for (uint32_t i = 0; i < controller_n_jobs(c); i++) {
		const struct job *j = controller_job(c, i);

		if (j)
			cJSON_AddItemToArray(jobs, job_json(sim, controller_cluster(c), j));
	}
	add_set(root, "last_update", (double)usec_to_sec(sim_now(sim)));
	char *text = cJSON_Print(root);
	cJSON_Delete(root);
	return text;
}

/* ---- whypend.json ---- */

static void add_exact(cJSON *o, const char *key, long double value)
{
	char text[64];

	g_snprintf(text, sizeof text, "%La", value);
	cJSON_AddStringToObject(o, key, text);
}

static void add_usage(cJSON *o, const struct tres_table *t, long double usage, const long double *tres, double wall)
{
	cJSON *list = cJSON_AddObjectToObject(o, "tres");

	add_exact(o, "usage", usage);
	add_exact(o, "wall", wall);
	for (uint32_t i = 0; tres && i < t->n; i++)
		if (tres[i] != 0)
			add_exact(list, t->name[i], tres[i]);
}

static cJSON *usage_json(const struct cluster *c)
{
	cJSON *o = cJSON_CreateObject(), *assocs = cJSON_AddArrayToObject(o, "associations"),
	      *all = cJSON_AddArrayToObject(o, "qos");

	for (guint i = 0; i < c->acct->assocs->len; i++) {
		const struct assoc *a = c->acct->assocs->pdata[i];
		cJSON *one = cJSON_CreateObject();

		add_text(one, "account", a->account);
		add_text(one, "user", a->user);
		add_text(one, "partition", a->partition);
		add_exact(one, "fairshare", a->fairshare);
		add_usage(one, c->tres, a->usage, a->tres_usage, a->wall);
		cJSON_AddItemToArray(assocs, one);
	}
	for (guint i = 0; i < c->acct->qos->len; i++) {
		const struct qos *q = c->acct->qos->pdata[i];
		cJSON *one = cJSON_CreateObject();

		add_text(one, "name", q->name);
		add_usage(one, c->tres, q->usage, q->tres_usage, q->wall);
		cJSON_AddItemToArray(all, one);
	}
	return o;
}

static void add_pings(cJSON *o, const struct controller *c)
{
	struct controller_pings k;
	cJSON *heard = cJSON_AddArrayToObject(o, "heard");

	controller_pings_get(c, &k);
	cJSON_AddNumberToObject(o, "last_ping", (double)k.last);
	cJSON_AddNumberToObject(o, "ping_rounds", (double)k.rounds);
	cJSON_AddBoolToObject(o, "ping_soon", k.soon);
	for (uint32_t i = 0; i < k.n_heard; i++)
		cJSON_AddItemToArray(heard, cJSON_CreateNumber((double)k.heard[i]));
}

static cJSON *clock_json(const struct controller *c)
{
	struct controller_clock k;
	cJSON *o = cJSON_CreateObject();

	controller_clock_get(c, &k);
	cJSON_AddNumberToObject(o, "counter", k.counter);
	cJSON_AddNumberToObject(o, "next_id", k.next_id);
	cJSON_AddNumberToObject(o, "basic_low", k.basic_low);
	cJSON_AddNumberToObject(o, "last_full", (double)k.last_full);
	cJSON_AddNumberToObject(o, "last_sched", (double)k.last_sched);
	cJSON_AddNumberToObject(o, "last_sweep", (double)k.last_sweep);
	cJSON_AddNumberToObject(o, "last_purge", (double)k.last_purge);
	cJSON_AddNumberToObject(o, "bf_last_end", (double)k.bf_last_end);
	cJSON_AddNumberToObject(o, "last_update", (double)k.last_update);
	cJSON_AddNumberToObject(o, "last_resv", (double)k.last_resv);
	cJSON_AddNumberToObject(o, "last_resv_end", (double)k.last_resv_end);
	cJSON_AddNumberToObject(o, "bf_next_us", (double)k.bf_next_t);
	cJSON_AddNumberToObject(o, "prio_next_us", (double)k.prio_next_t);
	cJSON_AddNumberToObject(o, "decay_last", (double)k.decay_last);
	cJSON_AddNumberToObject(o, "decay_reset", (double)k.decay_reset);
	cJSON_AddNumberToObject(o, "decay_passes", (double)k.decay_passes);
	add_pings(o, c);
	return o;
}

static cJSON *sim_json(const struct sim *sim)
{
	const struct sim_options *s = sim_options_of(sim);
	cJSON *o = cJSON_CreateObject();

	cJSON_AddNumberToObject(o, "clock", s->clock);
	cJSON_AddNumberToObject(o, "controller_start_us", (double)s->controller_start);
	cJSON_AddNumberToObject(o, "tick_phase_us", (double)s->tick_phase);
	cJSON_AddNumberToObject(o, "tick_slip_us", (double)s->tick_slip);
	cJSON_AddNumberToObject(o, "backfill_phase_us", (double)s->backfill_phase);
	cJSON_AddNumberToObject(o, "decay_phase_us", (double)s->decay_phase);
	cJSON_AddNumberToObject(o, "launch_latency_us", (double)s->launch_latency);
	cJSON_AddNumberToObject(o, "epilog_latency_us", (double)s->epilog_latency);
	cJSON_AddNumberToObject(o, "kill_latency_us", (double)s->kill_latency);
	cJSON_AddNumberToObject(o, "boot_time_us", (double)s->boot_time);
	cJSON_AddNumberToObject(o, "release", s->release);
	return o;
}

/* Paths are made absolute, so that the folder can be read from anywhere. */
static void add_path(cJSON *o, const char *key, const char *path)
{
	char **part = path ? g_strsplit(path, g_file_test(path, G_FILE_TEST_EXISTS) ? "\n" : ",", -1) : NULL;

	if (!path)
		return;
	for (char **p = part; *p; p++) {
		char *full = g_canonicalize_filename(*p, NULL);

		g_free(*p);
		*p = full;
	}
	char *all = g_strjoinv(",", part);
	add_text(o, key, all);
	g_free(all);
	g_strfreev(part);
}

static cJSON *options_json(const struct scenario_options *s)
{
	cJSON *o = cJSON_CreateObject(), *set = cJSON_AddArrayToObject(o, "set");

	add_path(o, "path", s->path);
	add_path(o, "conf", s->conf);
	add_path(o, "gres", s->gres);
	add_path(o, "topology", s->topology);
	add_path(o, "accounting", s->accounting);
	add_path(o, "trace", s->trace);
	if (s->format)
		add_text(o, "format", s->format);
	if (s->columns)
		add_text(o, "columns", s->columns);
	if (s->max_jobs)
		add_text(o, "max_jobs", s->max_jobs);
	if (s->slurm_version)
		add_text(o, "slurm_version", s->slurm_version);
	for (char **p = s->set; p && *p; p++)
		cJSON_AddItemToArray(set, cJSON_CreateString(*p));
	cJSON_AddBoolToObject(o, "swf_whole_nodes", s->swf_whole_nodes);
	cJSON_AddBoolToObject(o, "raise_limits", s->raise_limits);
	return o;
}

static char *own_json(const struct scenario *s, struct sim *sim, const struct scenario_options *options)
{
	const struct controller *c = sim_controller(sim);
	cJSON *o = cJSON_CreateObject();

	add_text(o, "schema", SNAPSHOT_SCHEMA);
	cJSON_AddNumberToObject(o, "at_us", (double)sim_now(sim));
	add_text(o, "slurm_version", s->slurm_version);
	cJSON_AddItemToObject(o, "sim", sim_json(sim));
	cJSON_AddItemToObject(o, "controller", clock_json(c));
	cJSON_AddItemToObject(o, "options", options_json(options));
	cJSON_AddItemToObject(o, "usage", usage_json(controller_cluster(c)));
	GPtrArray *users = controller_user_names(c);
	cJSON *list = cJSON_AddArrayToObject(o, "users");
	for (guint i = 0; i < users->len; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(users->pdata[i]));
	g_ptr_array_unref(users);
	char *text = cJSON_Print(o);
	cJSON_Delete(o);
	return text;
}

/* ---- reservations ---- */

static void add_names(GString *o, const char *key, const struct name_list *l)
{
	GString *all = g_string_new(NULL);

	for (char **n = l->names; n && *n; n++)
		g_string_append_printf(all, "%s%s%s", all->len ? "," : "", l->deny ? "-" : "", *n);
	g_string_append_printf(o, " %s=%s", key, all->len ? all->str : "(null)");
	g_string_free(all, TRUE);
}

/* The lines of scontrol that name its cores and devices. */
static void add_parts(GString *o, const struct cluster *cl, const struct reservation *r)
{
	for (uint32_t i = 0; r->cores && i < r->cores->n; i++) {
		const struct alloc_node *an = &r->cores->node[i];
		const struct node *n = cl->node[an->node];
		struct bitset *cores = bitset_new(n->config->cores);

		memcpy(cores->word, r->cores->words + an->core_word, cores->nwords * sizeof *cores->word);
		char *ids = bitset_to_ranges(cores), *gres = placement_gres(cl, r->cores, an);
		g_string_append_printf(o, "   NodeName=%s CoreIDs=%s%s%s\n  ", n->name, ids, *gres ? " GRES=" : "", gres);
		g_free(ids);
		g_free(gres);
		bitset_free(cores);
	}
}

static char *resv_text(const struct controller *c)
{
	static const char *const flags[] = {
#define X(name) #name,
	    RESV_FLAGS(X)
#undef X
	};
	GString *o = g_string_new(NULL);

	for (uint32_t i = 0; i < controller_n_reservations(c); i++) {
		const struct reservation *r = controller_reservation(c, i);
		char *nodes = cluster_format_nodes(controller_cluster(c), r->nodes),
		     *start = date_format(resv_start(c, r), NULL);
		char *end = date_format(resv_end(c, r), NULL);
		GString *words = g_string_new(NULL);

		for (int b = 0; b < RESV_BITS; b++)
			if (r->flags & (1u << b))
				g_string_append_printf(words, "%s%s", words->len ? "," : "", flags[b]);
		if (r->flags & RESV_FLAG(PURGE_COMP)) { /* it is not the last word */
			char *comp = strstr(words->str, "PURGE_COMP"), *span = duration_format(r->purge_after), *with = g_strconcat("=", span, NULL);
			g_string_insert(words, comp - words->str + (gssize)strlen("PURGE_COMP"), with);
			g_free(span);
			g_free(with);
		}
		g_string_append_printf(
		    o, "ReservationName=%s StartTime=%s EndTime=%s\n   Nodes=%s PartitionName=%s Flags=%s\n  ", r->name,
		    start, end, *nodes ? nodes : "(null)", r->part ? r->part->name : "(null)",
		    words->len ? words->str : "(null)");
		add_parts(o, controller_cluster(c), r);
		add_names(o, "AllowedPartitions", &r->partitions);
		add_names(o, "QOS", &r->qos);
		g_string_append(o, "\n  ");
		add_names(o, "Users", &r->users);
		add_names(o, "Groups", &r->groups);
		add_names(o, "Accounts", &r->accounts);
		char *delay = r->max_start_delay ? duration_format(r->max_start_delay) : g_strdup("(null)");
		g_string_append_printf(o, " Licenses=%s Features=%s MaxStartDelay=%s\n\n", r->licenses_text ? r->licenses_text : "(null)",
		                       r->features ? r->features : "(null)", delay);
		g_free(delay);
		g_string_free(words, TRUE);
		g_free(nodes);
		g_free(start);
		g_free(end);
	}
	return g_string_free(o, FALSE);
}

/* ---- groups of users ---- */

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(a, b);
}

static char *groups_text(GHashTable *groups)
{
	GString *o = g_string_new(NULL);
	GList *names = g_list_sort(g_hash_table_get_keys(groups), by_text);

	for (GList *n = names; n; n = n->next) {
		GList *users = g_list_sort(g_hash_table_get_keys(g_hash_table_lookup(groups, n->data)), by_text);
		g_string_append_printf(o, "%s:x:0:", (const char *)n->data);
		for (GList *u = users; u; u = u->next)
			g_string_append_printf(o, "%s%s", u == users ? "" : ",", (const char *)u->data);
		g_string_append_c(o, '\n');
		g_list_free(users);
	}
	g_list_free(names);
	return g_string_free(o, FALSE);
}

/* ---- the folder ---- */

static bool put(const char *dir, const char *name, char *text, bool by_json, GError **error)
{
	char *path = g_build_filename(dir, name, NULL);
	bool good = g_file_set_contents(path, text, -1, error);

	g_free(path);
	if (by_json)
		cJSON_free(text);
	else
		g_free(text);
	return good;
}

bool snapshot_write(const struct scenario *s, struct sim *sim, const struct scenario_options *o, const char *dir,
                    GError **error)
{
	const struct controller *c = sim_controller(sim);
	GHashTable *groups = controller_cluster(c)->groups;

	return confwrite_folder(controller_cluster(c), dir, error) && (!groups || put(dir, "groups", groups_text(groups), false, error)) &&
	       put(dir, "squeue.json", squeue_json(sim), true, error) &&
	       put(dir, "scontrol-show-res.txt", resv_text(c), false, error) &&
	       put(dir, "whypend.json", own_json(s, sim, o), true, error);
}
