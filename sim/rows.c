/* rows.c - one run of a job as sacct shows it (struct job_row) */
#include "sched/billing.h"
#include "sim/checkpoint.h"
#include "sim/placement.h"
#include "sim/run.h"
#include <string.h>

#define PLACEMENT_NODES 64 /* larger placements are not written out, to keep the record small */

/* ---- placement ---- */

/* Members of a bit set given as words, as ranges; each member stands for SCALE numbers in a row. */
static void append_ranges(GString *out, const uint64_t *words, uint32_t nbits, uint32_t scale)
{
	bool first = true;
	for (uint32_t i = 0; i < nbits; i++) {
		if (!(words[i / 64] >> (i % 64) & 1))
			continue;
		uint32_t lo = i;
		while (i + 1 < nbits && words[(i + 1) / 64] >> ((i + 1) % 64) & 1)
			i++;
		uint64_t a = (uint64_t)lo * scale, b = ((uint64_t)i + 1) * scale - 1;
		if (!first)
			g_string_append_c(out, ',');
		first = false;
		if (a == b)
			g_string_append_printf(out, "%" G_GUINT64_FORMAT, a);
		else
			g_string_append_printf(out, "%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, a, b);
	}
}

static uint64_t group_devices(const struct gres_group *g, uint64_t devices)
{
	uint64_t mask = g->count >= 64 ? UINT64_MAX : (UINT64_C(1) << g->count) - 1;
	return g->first < 64 ? devices & (mask << g->first) : 0;
}

static uint32_t count_bits(uint64_t x)
{
	uint32_t n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}

/* The type of all of TAKEN when the node has only one of it; else NULL. */
static const char *only_type(const struct node_gres *g)
{
	const char *type = g->n_groups ? g->group[0].type : NULL;
	for (uint32_t i = 1; i < g->n_groups; i++)
		if (g_strcmp0(g->group[i].type, type) != 0)
			return NULL;
	return type;
}

typedef void gres_fn(void *data, const char *name, const char *type, uint32_t count, uint64_t devices);

/* Call FN for each type of what is TAKEN of a GRES; groups of one type are told together. */
static void each_type(const struct node_gres *g, const struct gres_taken *taken, gres_fn *fn, void *data)
{
	if (!g->devices || taken->devices == 0) {
		fn(data, g->name, only_type(g), taken->count, g->per_device ? taken->devices : 0);
		return;
	}
	uint64_t told = 0;
	for (uint32_t i = 0; i < g->n_groups; i++) {
		uint64_t mine = 0;
		for (uint32_t k = i; k < g->n_groups; k++)
			if (g_strcmp0(g->group[k].type, g->group[i].type) == 0)
				mine |= group_devices(&g->group[k], taken->devices);
		mine &= ~told;
		told |= mine;
		if (mine)
			fn(data, g->name, g->group[i].type, count_bits(mine), mine);
	}
}

static void append_gres(void *data, const char *name, const char *type, uint32_t count, uint64_t devices)
{
	GString *out = data;
	if (out->str[out->len - 1] != '"')
		g_string_append_c(out, ',');
	g_string_append_printf(out, "%s%s%s:%u", name, type ? ":" : "", type ? type : "", count);
	if (!devices)
		return;
	g_string_append(out, "(IDX:");
	append_ranges(out, &devices, 64, 1);
	g_string_append_c(out, ')');
}

static void append_node(GString *out, const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node *n = c->node[an->node];
	g_string_append_printf(out, "{\"node\":\"%s\",\"cpus\":\"", n->name);
	append_ranges(out, a->words + an->core_word, n->config->cores, n->config->cpus_per_core);
	g_string_append_printf(out, "\",\"mem\":%" G_GUINT64_FORMAT, (guint64)an->mem);
	if (an->n_gres) {
		GString *gres = g_string_new("\"");
		for (uint32_t i = 0; i < an->n_gres; i++) {
			const struct gres_taken *t = &a->gres[an->gres_first + i];
			each_type(&n->config->gres[t->gres], t, append_gres, gres);
		}
		g_string_append_printf(out, ",\"gres\":%s\"", gres->str);
		g_string_free(gres, TRUE);
	}
	g_string_append_c(out, '}');
}

static char *placement_text(const struct cluster *c, const struct job_alloc *a)
{
	if (!a || a->n == 0 || a->n > PLACEMENT_NODES)
		return NULL;
	GString *out = g_string_new("[");
	for (uint32_t i = 0; i < a->n; i++) {
		if (i)
			g_string_append_c(out, ',');
		append_node(out, c, a, &a->node[i]);
	}
	g_string_append_c(out, ']');
	return g_string_free(out, FALSE);
}

/* ---- placement as scontrol has it ---- */

char *placement_cpu_ids(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node_config *k = c->node[an->node]->config;
	GString *out = g_string_new(NULL);
	append_ranges(out, a->words + an->core_word, k->cores, k->cpus_per_core);
	return g_string_free(out, FALSE);
}

/* append_gres looks for the quote that begins the JSON text. */
static char *unquoted(GString *out)
{
	g_string_erase(out, 0, 1);
	return g_string_free(out, FALSE);
}

char *placement_gres(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node_config *k = c->node[an->node]->config;
	GString *out = g_string_new("\"");
	for (uint32_t i = 0; i < an->n_gres; i++) {
		const struct gres_taken *t = &a->gres[an->gres_first + i];
		each_type(&k->gres[t->gres], t, append_gres, out);
	}
	return unquoted(out);
}

char *placement_gres_used(const struct cluster *c, const struct usage *u, uint32_t node)
{
	const struct node_config *k = c->node[node]->config;
	GString *out = g_string_new("\"");
	for (uint32_t g = 0; g < k->n_gres; g++) {
		const struct gres_use *use = &usage_gres(u, node)[g];
		struct gres_taken taken = {(uint16_t)g, use->count, use->devices};
		if (use->count)
			each_type(&k->gres[g], &taken, append_gres, out);
		else
			g_string_append_printf(out, "%s%s%s%s:0%s", out->len > 1 ? "," : "", k->gres[g].name,
			                       only_type(&k->gres[g]) ? ":" : "",
			                       only_type(&k->gres[g]) ? only_type(&k->gres[g]) : "",
			                       k->gres[g].devices ? "(IDX:N/A)" : "");
	}
	return unquoted(out);
}

/* ---- TRES ---- */

struct counts {
	const struct tres_table *table;
	uint64_t n[TRES_MAX];
};

static void count_gres(struct counts *c, const char *name, const char *type, uint64_t count)
{
	char key[256];
	g_snprintf(key, sizeof key, "gres/%s", name);
	int id = tres_find(c->table, key);
	if (id >= 0)
		c->n[id] += count;
	if (!type)
		return;
	g_snprintf(key, sizeof key, "gres/%s:%s", name, type);
	id = tres_find(c->table, key);
	if (id >= 0)
		c->n[id] += count;
}

static void count_taken(void *data, const char *name, const char *type, uint32_t count, uint64_t devices)
{
	(void)devices;
	count_gres(data, name, type, count);
}

char *placement_tres(const struct cluster *c, const struct job_alloc *a)
{
	struct counts counts = {.table = c->tres};
	if (!a)
		return g_strdup("");
	counts.n[TRES_CPU] = a->cpus;
	counts.n[TRES_MEM] = a->mem;
	counts.n[TRES_NODE] = a->n;
	counts.n[TRES_BILLING] = a->billing > 0 ? (uint64_t)a->billing : 0; /* P42 */
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		for (uint32_t k = 0; k < an->n_gres; k++) {
			const struct gres_taken *t = &a->gres[an->gres_first + k];
			each_type(&c->node[an->node]->config->gres[t->gres], t, count_taken, &counts);
		}
	}
	return tres_format_sacct(c->tres, counts.n, NO_VAL64);
}

static uint64_t requested_mem(const struct job *job)
{
	if (job->mem_all)
		return 0;
	return job->pn_min_memory * (job->mem_per_cpu ? job->min_cpus : MAX(job->min_nodes, 1));
}

static char *req_tres(const struct cluster *c, const struct job *job)
{
	struct counts counts = {.table = c->tres};
	uint64_t nodes = MAX(job->min_nodes, 1), tasks = job->ntasks == NO_VAL ? nodes : job->ntasks;
	counts.n[TRES_CPU] = job->min_cpus;
	counts.n[TRES_MEM] = requested_mem(job);
	counts.n[TRES_NODE] = nodes;
	for (uint32_t i = 0; i < job->n_gres; i++) {
		const struct gres_want *g = &job->gres[i];
		uint64_t n = g->per_job    ? g->per_job
		             : g->per_node ? g->per_node * nodes
		             : g->per_task ? g->per_task * tasks
		                           : g->per_socket * nodes; /* at least one socket a node */
		count_gres(&counts, g->name, g->type, n);
	}
	double b = billing_of(c->params, c->tres, job->part ? job->part->billing_weights : NULL, counts.n);
	counts.n[TRES_BILLING] = b > 0 ? (uint64_t)b : 0;
	return tres_format_sacct(c->tres, counts.n, NO_VAL64);
}

/* ---- the row ---- */

/* What the run holds or held: NULL = it never started. A requeued job still holds the nodes of the run before until its
 * epilogs are done. */
static const struct job_alloc *alloc_of(const struct job *job)
{
	const struct sim_job *sj = job->host;
	return sj && sj->run != job->run ? NULL : job->alloc;
}

static void fill_identity(const struct job *job, const struct job_alloc *a, struct job_row *row)
{
	const struct sim_job *sj = job->host;
	bool several = !a && job->n_parts > 1 && job->req->partition; /* it may start in any of them */
	row->het_job = job->het ? job->het->job_id : 0;
	row->het_offset = job->het_offset;
	row->job = job->id;
	row->array_job = job->array ? job->array->job_id : 0;
	row->array_task = job->task;
	row->run = job->run;
	row->name = job->name;
	row->user = job->user;
	row->account = job->account;
	row->partition = several || !job->part ? job->req->partition : job->part->name;
	row->qos = job->qos ? job->qos->name : job->req->qos;
	row->constraints = job->req->constraint;
	if (!sj)
		return;
	row->label = sj->label ? sj->label : sj->source->sub->label;
	const uint64_t number = sj->source->sub->trace_id;
	row->trace_id = number ? number + job->het_offset : 0; /* components are numbered on */
	const struct outcome *o = sim_job_outcome(sj);
	row->real_start = o->real_start;
	row->real_end = o->real_end;
}

static void fill_times(const struct job *job, bool started, struct job_row *row)
{
	/* else job->end is only expected */
	bool ended = strcmp(row->state, "PENDING") != 0 && strcmp(row->state, "RUNNING") != 0 &&
	             strcmp(row->state, "SUSPENDED") != 0;
	row->submit_t = job->submit_t;
	row->start_t = started ? job->start_t : 0;
	row->end_t = ended ? job->end_t : 0;
	row->submit_s = job->submit;
	row->eligible_s = job->eligible;
	row->start_s = started ? job->start : 0;
	row->end_s = ended ? job->end : 0;
	row->time_limit = job->time_limit;
}

static void fill_resources(const struct job *job, const struct job_alloc *a, struct job_row *row)
{
	row->req_nodes = job->min_nodes;
	row->req_cpus = job->min_cpus;
	row->req_mem = requested_mem(job);
	row->nnodes = a ? a->n : 0;
	row->ncpus = a ? a->cpus : 0;
	row->ngpus = a ? a->gpus : 0;
	row->alloc_mem = a ? a->mem : 0;
}

usec_t sim_job_ran(const struct sim *s, const struct job *job)
{
	const struct sim_job *sj = job->host;
	if (!sj || sj->run != job->run || !job->alloc || !job->start_t || !sj->began)
		return 0;
	sec_t stopped = job->sus_total + (job->suspended ? usec_to_sec(s->now) - job->suspended : job->halted);
	return MAX(0, (job->end_t ? job->end_t : s->now) - job->start_t - stopped * USEC);
}

usec_t sim_job_saved(const struct sim *s, const struct sim_job *sj, usec_t ran)
{
	usec_t since = sj->warned ? s->now - sj->warned : 0;
	return checkpoint_saved_by(sim_job_outcome(sj), sj->done, ran, sj->warned && since <= ran ? ran - since : -1);
}

static void fill_loss(const struct sim *s, const struct job *job, struct job_row *row)
{
	const struct sim_job *sj = job->host;
	const char *cause = checkpoint_cause(row->state);
	usec_t ran = sim_job_ran(s, job);
	if (!cause || !sj || ran <= 0)
		return;
	usec_t saved = sim_job_saved(s, sj, ran) - sj->done;
	row->lost = (uint32_t)MIN(usec_to_sec(MAX(0, ran - saved)), (sec_t)UINT32_MAX);
	row->lost_cause = row->lost ? cause : NULL;
}

/* Of the job's run that ends now, or is cut off by the end of the simulation. */
static void record_steps(struct sim *s, const struct job *job, const char *state)
{
	bool goes_on = strcmp(state, "RUNNING") == 0 || strcmp(state, "SUSPENDED") == 0;
	bool wanted = !(s->cluster->params->enforce & (ENFORCE_NOSTEPS | ENFORCE_NOJOBS)); /* L1 */
	GPtrArray *rows = wanted ? sim_job_steps(s->cluster, job, s->now, goes_on ? NULL : state) : NULL;
	for (guint i = 0; rows && i < rows->len; i++)
		recorder_step(s->recorder, job->id, job->run, rows->pdata[i]);
	if (rows)
		g_ptr_array_unref(rows);
}

static void give_row(struct sim *s, const struct job *job, const struct job_row *row)
{
	struct sim_job *sj = job->host;
	int64_t number = recorder_job(s->recorder, row);
	if (sj)
		sj->row = number;
}

/* What it held until now; TIMES since the loss before. */
static void give_resize(struct sim *s, const struct job *job, struct job_row *row)
{
	struct sim_job *sj = job->host;
	if (!sj)
		return;
	if (sj->resized)
		row->submit_s = row->eligible_s = row->start_s = usec_to_sec(sj->resized);
	recorder_resize(s->recorder, s->now, row);
	sj->resized = s->now;
}

/* STATE NULL: the run goes on, but loses a node. */
static void record_row(struct sim *s, const struct job *job, const char *state)
{
	static const char *const schedulers[] = {[BY_NONE] = NULL, [BY_MAIN] = "main", [BY_BACKFILL] = "backfill"};
	const struct job_alloc *a = alloc_of(job);
	struct job_row row = {.state = state ? state : "RUNNING", .reason = reason_name(job->reason), .priority = job->priority};
	fill_identity(job, a, &row);
	fill_times(job, a != NULL, &row);
	fill_resources(job, a, &row);
	row.suspended = (uint32_t)(job->sus_total + (job->suspended ? usec_to_sec(s->now) - job->suspended : 0));
	fill_loss(s, job, &row);
	if (row.end_t) { /* one that waits again shows that of the run before */
		row.exit_code = job->exit_code;
		row.exit_signal = job->exit_signal;
	}
	row.cancelled_by = strcmp(row.state, "CANCELLED") == 0 ? s->canceller : NULL;
	row.scheduler = a ? schedulers[job->started_by] : NULL;
	char *tasks = job->task == NO_VAL && job->tasks ? job_format_tasks(job) : NULL;
	char *req = req_tres(s->cluster, job), *alloc = placement_tres(s->cluster, a);
	char *nodes = a && job->nodes ? cluster_format_nodes(s->cluster, job->nodes) : NULL;
	char *placement = placement_text(s->cluster, a);
	row.array_tasks = tasks;
	row.req_tres = req;
	row.alloc_tres = alloc;
	row.nodelist = nodes ? nodes : "None assigned";
	row.placement = placement;
	if (!state)
		give_resize(s, job, &row);
	else
		give_row(s, job, &row);
	if (a && state)
		record_steps(s, job, state);
	g_free(tasks);
	g_free(req);
	g_free(alloc);
	g_free(nodes);
	g_free(placement);
}

void record_job_row(struct sim *s, const struct job *job, const char *state)
{
	record_row(s, job, state);
}

void record_job_resize(struct sim *s, const struct job *job)
{
	record_row(s, job, NULL);
}
