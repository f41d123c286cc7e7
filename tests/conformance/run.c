/* run.c - see run.h. */
#include "tests/conformance/run.h"
#include "sched/base/hostlist.h"

static void placed_free(void *data)
{
	struct placed *p = data;
	g_free(p->node);
	g_free(p->cpus);
	g_free(p->gres);
	g_free(p);
}

static void job_run_free(void *data)
{
	struct job_run *j = data;
	g_free(j->state);
	g_free(j->exit);
	g_free(j->nodes);
	if (j->placed)
		g_ptr_array_unref(j->placed);
	g_free(j);
}

static void story_free(void *data)
{
	struct job_story *s = data;
	g_free(s->label);
	g_ptr_array_unref(s->runs);
	g_strfreev(s->reasons);
	g_free(s);
}

static void plan_free(void *data)
{
	struct plan *p = data;
	g_free(p->label);
	g_free(p->nodes);
	g_free(p);
}

static void answer_free(void *data)
{
	struct answer *a = data;
	g_free(a->name);
	g_free(a->message);
	g_free(a);
}

struct run *run_new(void)
{
	struct run *r = g_new0(struct run, 1);
	r->stories = g_ptr_array_new_with_free_func(story_free);
	r->by_label = g_hash_table_new(g_str_hash, g_str_equal);
	r->plans = g_ptr_array_new_with_free_func(plan_free);
	r->answers = g_ptr_array_new_with_free_func(answer_free);
	return r;
}

void run_free(struct run *r)
{
	if (!r)
		return;
	g_hash_table_unref(r->by_label);
	g_ptr_array_unref(r->stories);
	g_ptr_array_unref(r->plans);
	g_ptr_array_unref(r->answers);
	g_free(r);
}

struct job_story *run_find(const struct run *r, const char *label)
{
	return g_hash_table_lookup(r->by_label, label);
}

struct job_story *run_story(struct run *r, const char *label)
{
	struct job_story *s = run_find(r, label);
	if (s)
		return s;
	s = g_new0(struct job_story, 1);
	s->label = g_strdup(label);
	s->runs = g_ptr_array_new_with_free_func(job_run_free);
	s->priority_first = s->priority_last = NO_PRIORITY;
	s->last_look = -1;
	s->reasons = g_new0(char *, 1);
	g_ptr_array_add(r->stories, s);
	g_hash_table_insert(r->by_label, s->label, s);
	return s;
}

struct job_run *story_add(struct job_story *s)
{
	struct job_run *j = g_new0(struct job_run, 1);
	j->start = j->end = NO_TIME;
	j->priority = NO_PRIORITY;
	j->state = g_strdup("");
	j->exit = g_strdup("");
	j->nodes = g_strdup("");
	g_ptr_array_add(s->runs, j);
	return j;
}

struct job_run *story_run(const struct job_story *s, guint k)
{
	return s && k < s->runs->len ? g_ptr_array_index(s->runs, k) : NULL;
}

void run_add_plan(struct run *r, gint64 cycle_ms, const char *label, gint64 start, const char *nodes)
{
	struct plan *p = g_new0(struct plan, 1);
	p->cycle_ms = cycle_ms;
	p->label = g_strdup(label);
	p->start = start;
	p->nodes = g_strdup(nodes);
	g_ptr_array_add(r->plans, p);
}

struct answer *run_add_answer(struct run *r, const char *name, bool refused, bool id_used, const char *message)
{
	struct answer *a = g_new0(struct answer, 1);
	a->name = g_strdup(name);
	a->refused = refused;
	a->id_used = id_used;
	a->message = g_strdup(message ? message : "");
	g_ptr_array_add(r->answers, a);
	return a;
}

void job_run_place(struct job_run *j, const char *node, const char *cpus, gint64 mem, const char *gres)
{
	if (!j->placed)
		j->placed = g_ptr_array_new_with_free_func(placed_free);
	struct placed *p = g_new0(struct placed, 1);
	p->node = g_strdup(node);
	p->cpus = g_strdup(cpus);
	p->mem = mem;
	p->gres = g_strdup(gres);
	g_ptr_array_add(j->placed, p);
}

static int by_node(const void *a, const void *b)
{
	const struct placed *x = *(struct placed *const *)a, *y = *(struct placed *const *)b;
	return hostlist_name_cmp(x->node, y->node);
}

void job_run_sort_placed(struct job_run *j)
{
	if (j->placed)
		g_ptr_array_sort(j->placed, by_node);
}
