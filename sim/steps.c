/* steps.c - see steps.h */
#include "sched/base/memsize.h"
#include "sim/placement.h"
#include "sim/run.h"
#include "sim/steps.h"
#include <string.h>

static const struct job_steps *steps_of(const struct job *j)
{
	const struct sim_job *sj = j->host;
	return sj ? sj->source->sub->steps : NULL;
}

/* ---- time ---- */

/* When SJ's run has lasted so long, suspensions not counted; INT64_MAX = not while it stands as now. */
static usec_t moment(const struct sim_job *sj, usec_t running)
{
	usec_t t = sj->job->start_t, scaled = sj->factor > 1 ? (usec_t)((double)running * sj->factor + 0.5) : running;
	for (guint i = 0; sj->pauses && i < sj->pauses->len; i++) {
		const struct sim_pause *p = &g_array_index(sj->pauses, struct sim_pause, i);
		if (p->from >= t + scaled)
			break;
		if (p->until == 0)
			return INT64_MAX;
		t += p->until - p->from;
	}
	return t + scaled;
}

/* Seconds that the job was suspended within [FROM, UNTIL). */
static uint32_t stood_still(const struct sim_job *sj, usec_t from, usec_t until)
{
	usec_t sum = 0;
	for (guint i = 0; sj->pauses && i < sj->pauses->len; i++) {
		const struct sim_pause *p = &g_array_index(sj->pauses, struct sim_pause, i);
		usec_t a = MAX(p->from, from), b = MIN(p->until ? p->until : until, until);
		sum += p->halted ? 0 : MAX(0, b - a);
	}
	return (uint32_t)MIN(usec_to_sec(sum), (sec_t)UINT32_MAX);
}

/* ---- what it holds ---- */

static void set_count(GString *out, const char *name, uint64_t n)
{
	g_string_append_printf(out, "%s%s=%" G_GUINT64_FORMAT, out->len ? "," : "", name, n);
}

/* TRES of the step's nodes, with what the step asks for in the place of what the job has there. */
static char *own_tres(const struct job_step *step, const char *whole, const struct step_row *row, uint64_t mem)
{
	char **items = g_strsplit(whole, ",", -1);
	GString *out = g_string_new(NULL);
	guint typed = 0;
	for (char **p = items; *p; p++)
		typed += g_str_has_prefix(*p, "gres/gpu:");
	for (char **p = items; *p; p++) {
		char *eq = strchr(*p, '=');
		bool gpu = g_str_has_prefix(*p, "gres/gpu=") || g_str_has_prefix(*p, "gres/gpu:");
		if (!eq || g_str_has_prefix(*p, "billing="))
			continue;
		if (gpu && step->gpus == 0)
			continue;
		if (gpu && step->gpus != NO_VAL && typed > 1 && (*p)[strlen("gres/gpu")] == ':')
			continue; /* of which type is not known */
		*eq = '\0';
		if (strcmp(*p, "cpu") == 0)
			set_count(out, *p, row->cpus);
		else if (strcmp(*p, "node") == 0)
			set_count(out, *p, row->nodes);
		else if (gpu && step->gpus != NO_VAL)
			set_count(out, *p, MIN(step->gpus, g_ascii_strtoull(eq + 1, NULL, 10)));
		else if (strcmp(*p, "mem") == 0 && mem) {
			char *text = memsize_format_mib(mem);
			g_string_append_printf(out, "%smem=%s", out->len ? "," : "", text);
			g_free(text);
		} else
			g_string_append_printf(out, "%s%s=%s", out->len ? "," : "", *p, eq + 1);
	}
	g_strfreev(items);
	return g_string_free(out, FALSE);
}

/* On the first of the job's nodes; the batch step on the very first. */
static void fill_place(const struct cluster *c, const struct job *j, struct step_row *row)
{
	const struct job_step *step = row->of;
	const struct job_alloc *a = j->alloc;
	bool batch = step->kind == JOBSTEP_BATCH || step->kind == JOBSTEP_INTERACTIVE;
	uint32_t n = batch ? 1 : step->nodes ? step->nodes : step->tasks ? MIN(step->tasks, a->n) : a->n;
	struct job_alloc part = *a;
	uint32_t tasks = 0;
	part.n = MIN(MAX(n, 1u), a->n);
	part.cpus = 0;
	part.mem = 0;
	part.billing = 0;
	struct bitset *nodes = bitset_new(c->n_nodes);
	for (uint32_t i = 0; i < part.n; i++) {
		part.cpus += a->node[i].cpus;
		part.mem += a->node[i].mem;
		tasks += a->node[i].tasks;
		bitset_set(nodes, a->node[i].node);
	}
	bool numbered = step->kind == JOBSTEP_NUMBERED;
	row->nodes = part.n;
	row->tasks = step->tasks ? step->tasks : numbered ? MAX(tasks, 1u) : step->kind == JOBSTEP_EXTERN ? part.n : 1;
	uint32_t wanted = step->cpus ? step->cpus : numbered && step->tasks ? step->tasks * MAX(1, j->cpt) : part.cpus;
	row->cpus = MIN(wanted, part.cpus);
	row->nodelist = cluster_format_nodes(c, nodes);
	char *whole = placement_tres(c, &part);
	uint64_t mem = step->mem ? step->mem : j->mem_per_cpu && row->cpus < part.cpus ? row->cpus * j->pn_min_memory : 0;
	row->tres = own_tres(step, whole, row, mem);
	g_free(whole);
	bitset_free(nodes);
}

/* ---- how it ends ---- */

static void set_end(struct step_row *row, const char *state, int code, int signal)
{
	row->state = state;
	row->exit_code = code;
	row->exit_signal = signal;
}

/* By itself. */
static void own_end(struct step_row *row)
{
	const struct job_step *step = row->of;
	switch (step->how) {
	case JOBSTEP_CANCELLED:
		set_end(row, "CANCELLED", step->exit_code, step->signal ? step->signal : 15);
		break;
	case JOBSTEP_TIMEOUT:
		set_end(row, "TIMEOUT", step->exit_code, step->signal ? step->signal : 15);
		break;
	case JOBSTEP_OOM:
		set_end(row, "OUT_OF_MEMORY", 0, 125);
		break;
	case JOBSTEP_EXITS:
		set_end(row, step->exit_code || step->signal ? "FAILED" : "COMPLETED", step->exit_code, step->signal);
		break;
	}
}

/* With its job, which ends as STATE says. */
static void end_with_job(struct step_row *row, const struct job *j, const char *state)
{
	const struct job_step *step = row->of;
	bool whole = step->end < 0, by_itself = g_str_has_prefix(state, "COMPLETED") || g_str_has_prefix(state, "FAILED") ||
	                                       g_str_has_prefix(state, "OUT_OF_MEMORY");
	if (g_str_has_prefix(state, "NODE_FAIL"))
		set_end(row, "CANCELLED", -1, 0);
	else if (by_itself && whole && (step->exit_code || step->signal || step->how != JOBSTEP_EXITS))
		own_end(row);
	else if (by_itself && step->kind == JOBSTEP_EXTERN)
		set_end(row, "COMPLETED", 0, 0);
	else if (by_itself && whole && g_str_has_prefix(state, "FAILED"))
		set_end(row, "FAILED", j->exit_code, j->exit_signal);
	else if (by_itself && whole)
		set_end(row, "COMPLETED", 0, 0);
	else
		set_end(row, "CANCELLED", 0, 15);
}

static void step_row_free(gpointer data)
{
	struct step_row *row = data;
	g_free(row->id);
	g_free(row->nodelist);
	g_free(row->tres);
	g_free(row);
}

/* ---- cancelled by itself (scancel.h) ---- */

static const struct sim_cut *cut_of(const struct sim_job *sj, const struct job_step *step)
{
	for (guint i = 0; step->kind == JOBSTEP_NUMBERED && sj->cut && i < sj->cut->len; i++) {
		const struct sim_cut *c = &g_array_index(sj->cut, struct sim_cut, i);
		if (c->number == step->number && c->component == step->component)
			return c;
	}
	return NULL;
}

bool sim_steps_cut(struct sim_job *sj, const char *step, usec_t now, int signal)
{
	const struct job_steps *all = sj->source->sub->steps;
	bool any = false;
	for (guint i = 0; all && i < all->list->len; i++) {
		const struct job_step *p = &g_array_index(all->list, struct job_step, i);
		char *id = job_step_id(p);
		bool named = !step || strcmp(step, id) == 0;
		g_free(id);
		if (!named || p->kind != JOBSTEP_NUMBERED || cut_of(sj, p) || moment(sj, p->begin) > now ||
		    (p->end >= 0 && moment(sj, p->end) <= now))
			continue;
		const struct sim_cut c = {p->number, p->component, now, signal};
		if (!sj->cut)
			sj->cut = g_array_new(FALSE, FALSE, sizeof c);
		g_array_append_val(sj->cut, c);
		any = true;
	}
	return any;
}

/* NULL when the step has not begun. */
static struct step_row *row_of(const struct cluster *c, const struct job *j, const struct job_step *step, usec_t now,
                               const char *state)
{
	const struct sim_job *sj = j->host;
	usec_t begin = moment(sj, step->begin), end = step->end < 0 ? INT64_MAX : moment(sj, step->end);
	usec_t closed = state ? j->end_t : 0;
	const struct sim_cut *cut = cut_of(sj, step);
	if (cut)
		end = MIN(end, cut->at);
	if (begin > (state ? closed : now) || (state && begin == closed && begin > j->start_t))
		return NULL;
	struct step_row *row = g_new0(struct step_row, 1);
	row->of = step;
	row->id = job_step_id(step);
	row->start_t = begin;
	row->start_s = MAX(usec_to_sec(begin), j->start);
	bool over = end <= (state ? closed : now);
	row->end_t = over ? end : closed;
	if (over && cut && end == cut->at)
		set_end(row, "CANCELLED", 0, cut->signal);
	else if (over)
		own_end(row);
	else if (state)
		end_with_job(row, j, state);
	else
		set_end(row, j->state == JOB_SUSPENDED ? "SUSPENDED" : "RUNNING", 0, 0);
	row->end_s = row->end_t ? MAX(usec_to_sec(row->end_t), row->start_s) : 0;
	if (!over && state)
		row->end_s = MAX(j->end, row->start_s);
	row->suspended = stood_still(sj, begin, row->end_t ? row->end_t : now);
	fill_place(c, j, row);
	return row;
}

/* The one that used most, of those that were there: C31, the kernel has killed it. */
static void blame(GPtrArray *rows)
{
	struct step_row *most = NULL;
	for (guint i = 0; i < rows->len; i++) {
		struct step_row *row = rows->pdata[i];
		if (row->of->max_rss && (!most || row->of->max_rss > most->of->max_rss))
			most = row;
		if (row->of->how == JOBSTEP_OOM)
			return; /* the trace names it */
	}
	if (most)
		set_end(most, "OUT_OF_MEMORY", 0, 125);
}

/* The batch step, and with PrologFlags=Contain the extern step, that nobody has described. */
static void add_unnamed(const struct cluster *c, const struct job *j, usec_t now, const char *state, GPtrArray *rows)
{
	static const struct job_step unnamed[] = {
	    {.kind = JOBSTEP_BATCH, .component = NO_VAL, .end = -1, .gpus = NO_VAL, .cpu_time = -1},
	    {.kind = JOBSTEP_EXTERN, .component = NO_VAL, .end = -1, .gpus = NO_VAL, .cpu_time = -1}};
	const struct job_steps *s = steps_of(j);
	bool wanted[] = {!s->no_batch && j->het_offset == 0, c->params->prolog_contain};
	for (guint i = 0; i < s->list->len; i++) {
		const struct job_step *step = &g_array_index(s->list, struct job_step, i);
		for (guint k = 0; k < 2; k++)
			wanted[k] &= step->kind != unnamed[k].kind || (j->het && step->component != NO_VAL && step->component != j->het_offset);
	}
	for (guint k = 0; k < 2; k++) {
		struct step_row *row = wanted[k] ? row_of(c, j, &unnamed[k], now, state) : NULL;
		if (row)
			g_ptr_array_add(rows, row);
	}
}

GPtrArray *sim_job_steps(const struct cluster *c, const struct job *j, usec_t now, const char *state)
{
	const struct job_steps *s = steps_of(j);
	const struct sim_job *sj = j->host;
	if (!s || !sj->began || sj->run != j->run || !j->alloc || !j->alloc->n)
		return NULL;
	GPtrArray *rows = g_ptr_array_new_with_free_func(step_row_free);
	add_unnamed(c, j, now, state, rows);
	for (guint i = 0; i < s->list->len; i++) {
		const struct job_step *step = &g_array_index(s->list, struct job_step, i);
		uint32_t component = step->component == NO_VAL ? 0 : step->component;
		struct step_row *row = !j->het || component == j->het_offset ? row_of(c, j, step, now, state) : NULL;
		if (row)
			g_ptr_array_add(rows, row);
	}
	if (state && g_str_has_prefix(state, "OUT_OF_MEMORY"))
		blame(rows);
	return rows;
}
