/* score_jobs.c - how each run of a job went, where, and in which order the runs began. */
#include "tests/conformance/score_parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct one { /* a run of a job, here and there */
	const struct scoring *c;
	const char *job;                           /* as differences name it */
	const struct job_run *real, *second, *sim; /* sim, second: NULL = there was none */
	bool single;
	int pass;
};

static const char *time_text(char buffer[32], gint64 t)
{
	if (t == NO_TIME)
		return "never";
	snprintf(buffer, 32, "%" G_GINT64_FORMAT, t);
	return buffer;
}

static void check_text(const struct one *o, enum measure m, const char *field, const char *real, const char *second,
                       const char *sim)
{
	if (!o->single && g_strcmp0(real, second))
		return;
	score_check(o->c->score, m, g_strcmp0(real, sim) == 0, o->job, field, real, sim ? sim : "(no such run)",
	            o->pass);
}

static void check_time(const struct one *o, const char *field, gint64 real, gint64 second, gint64 sim)
{
	const struct score_rules *rules = o->c->rules;
	double tolerance = score_tolerance(rules, o->real, o->second);
	char a[32], b[32];
	if (!o->single && (!o->second || !score_times_agree(real, second, tolerance)))
		return;
	score_check(o->c->score, M_START, o->sim && score_times_agree(real, sim, rules->pinned ? 0 : tolerance), o->job,
	            field, time_text(a, real), o->sim ? time_text(b, sim) : "(no such run)", o->pass);
}

/* "gpu:h100:2(IDX:0-1)" -> its index lists, with what they are of. */
static bool same_gres(const struct placed *a, const struct placed *b)
{
	return strcmp(a->gres, b->gres) == 0;
}
static bool same_cpus(const struct placed *a, const struct placed *b)
{
	return strcmp(a->cpus, b->cpus) == 0;
}
static bool same_memory(const struct placed *a, const struct placed *b)
{
	return a->mem == b->mem;
}

static bool same_placed(const GPtrArray *a, const GPtrArray *b,
                        bool (*same)(const struct placed *, const struct placed *))
{
	if (!b || a->len != b->len)
		return false;
	for (guint i = 0; i < a->len; i++) {
		const struct placed *x = a->pdata[i], *y = b->pdata[i];
		if (strcmp(x->node, y->node) || !same(x, y))
			return false;
	}
	return true;
}

static char *placed_text(const GPtrArray *placed)
{
	GString *out = g_string_new(NULL);
	for (guint i = 0; placed && i < placed->len; i++) {
		const struct placed *p = placed->pdata[i];
		g_string_append_printf(out, "%s%s cpus %s mem %" G_GINT64_FORMAT "%s%s", i ? "; " : "", p->node,
		                       p->cpus, p->mem, *p->gres ? " " : "", p->gres);
	}
	return g_string_free(out, FALSE);
}

static void check_placed(const struct one *o, const char *label)
{
	const struct scoring *c = o->c;
	if (!o->real->placed || g_hash_table_contains(c->record->vague, label) ||
	    (!o->single && (!o->second || strcmp(o->real->nodes, o->second->nodes))))
		return;
	const GPtrArray *sim = o->sim ? o->sim->placed : NULL;
	char *real_text = placed_text(o->real->placed), *sim_text = placed_text(sim);
	score_check(c->score, M_PLACEMENT, same_placed(o->real->placed, sim, same_cpus), o->job, "cpu ids", real_text,
	            sim_text, o->pass);
	score_check(c->score, M_PLACEMENT, same_placed(o->real->placed, sim, same_gres), o->job, "gpu indices",
	            real_text, sim_text, o->pass);
	score_check(c->score, M_PLACEMENT, same_placed(o->real->placed, sim, same_memory), o->job, "memory", real_text,
	            sim_text, o->pass);
	g_free(real_text);
	g_free(sim_text);
}

/* The pass that first did something else: that of the earlier of the two starts. Only pinned runs share passes. */
static int pass_of(const struct scoring *c, const struct job_run *real, const struct job_run *sim)
{
	double t = INFINITY;
	if (!c->rules->pinned)
		return -1;
	if (real->start != NO_TIME)
		t = real->start_exact;
	if (sim && sim->start != NO_TIME)
		t = fmin(t, sim->start_exact);
	return isinf(t) ? -1 : record_pass_at(c->record, t);
}

static void score_one(const struct scoring *c, const struct job_story *s, guint k)
{
	struct one o = {.c = c, .real = story_run(s, k), .sim = story_run(run_find(c->sim, s->label), k)};
	o.second = scoring_second(c, s->label, k, &o.single);
	o.pass = pass_of(c, o.real, o.sim);
	char *job = s->runs->len > 1 ? g_strdup_printf("%s run %u", s->label, k + 1) : g_strdup(s->label);
	o.job = job;
	const struct job_run *b = o.second, *r = o.real, *m = o.sim;
	check_text(&o, M_STATE, "state", r->state, b ? b->state : NULL, m ? m->state : NULL);
	check_text(&o, M_STATE, "exit", r->exit, b ? b->exit : NULL, m ? m->exit : NULL);
	check_time(&o, "start", r->start, b ? b->start : NO_TIME, m ? m->start : NO_TIME);
	check_time(&o, "end", r->end, b ? b->end : NO_TIME, m ? m->end : NO_TIME);
	if (*r->nodes)
		check_text(&o, M_NODES, "nodes", r->nodes, b ? b->nodes : NULL, m ? m->nodes : NULL);
	check_placed(&o, s->label);
	g_free(job);
}

static void score_run_count(const struct scoring *c, const struct job_story *s)
{
	const struct job_story *sim = run_find(c->sim, s->label);
	const struct job_story *second = c->record->second ? run_find(c->record->second, s->label) : NULL;
	char a[32], b[32];
	if (c->record->second && (!second || second->runs->len != s->runs->len))
		return;
	score_check(c->score, M_STATE, sim && sim->runs->len == s->runs->len, s->label, "runs",
	            time_text(a, s->runs->len), time_text(b, sim ? sim->runs->len : 0), -1);
}

void score_jobs(const struct scoring *c)
{
	for (guint i = 0; i < c->record->run->stories->len; i++) {
		const struct job_story *s = c->record->run->stories->pdata[i];
		score_run_count(c, s);
		for (guint k = 0; k < s->runs->len; k++)
			score_one(c, s, k);
	}
}

/* ---- order ---- */

struct began {
	const char *label;
	guint k;
	const struct job_run *real, *second, *sim;
};

static bool started(const struct job_run *r)
{
	return r && r->start != NO_TIME;
}

static GArray *all_began(const struct scoring *c)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct began));
	for (guint i = 0; i < c->record->run->stories->len; i++) {
		const struct job_story *s = c->record->run->stories->pdata[i];
		for (guint k = 0; k < s->runs->len; k++) {
			bool single;
			struct began b = {.label = s->label, .k = k, .real = story_run(s, k)};
			b.second = scoring_second(c, s->label, k, &single);
			b.sim = story_run(run_find(c->sim, s->label), k);
			if (started(b.real) && (single || started(b.second)))
				g_array_append_val(list, b);
		}
	}
	return list;
}

/* A began really before B by more than the tolerance, in every recording. */
static bool really_before(const struct scoring *c, const struct began *a, const struct began *b)
{
	double tolerance = c->rules->pinned ? 0
	                                    : fmax(score_tolerance(c->rules, a->real, a->second),
	                                           score_tolerance(c->rules, b->real, b->second));
	return (double)(b->real->start - a->real->start) > tolerance &&
	       (!a->second || a->second->start < b->second->start);
}

static void score_pair(const struct scoring *c, const struct began *a, const struct began *b)
{
	bool both = started(a->sim) && started(b->sim);
	bool agree = both && a->sim->start_exact < b->sim->start_exact;
	char *job = NULL, *real = NULL, *sim = NULL;
	int pass = -1;
	if (!agree) {
		char x[32], y[32];
		job = g_strdup_printf("%s before %s", a->label, b->label);
		real = g_strdup_printf("%" G_GINT64_FORMAT " < %" G_GINT64_FORMAT, a->real->start, b->real->start);
		sim = g_strdup_printf("%s, %s", time_text(x, a->sim ? a->sim->start : NO_TIME),
		                      time_text(y, b->sim ? b->sim->start : NO_TIME));
		pass = both ? pass_of(c, b->real, b->sim) : pass_of(c, a->real, NULL);
	}
	score_check(c->score, M_ORDER, agree, job, "order", real, sim, pass);
	g_free(job);
	g_free(real);
	g_free(sim);
}

void score_order(const struct scoring *c)
{
	GArray *list = all_began(c);
	for (guint i = 0; i < list->len; i++)
		for (guint j = 0; j < list->len; j++) {
			const struct began *a = &g_array_index(list, struct began, i);
			const struct began *b = &g_array_index(list, struct began, j);
			if (really_before(c, a, b))
				score_pair(c, a, b);
		}
	g_array_unref(list);
}
