/* steps.c - see steps.h */
#include "traces/steps.h"

static void clear_step(gpointer data)
{
	struct job_step *step = data;
	g_free(step->name);
}

struct job_steps *job_steps_new(void)
{
	struct job_steps *s = g_new0(struct job_steps, 1);
	s->list = g_array_new(FALSE, TRUE, sizeof(struct job_step));
	g_array_set_clear_func(s->list, clear_step);
	return s;
}

void job_steps_free(struct job_steps *s)
{
	if (!s)
		return;
	g_array_unref(s->list);
	g_free(s);
}

struct job_step *job_steps_add(struct job_steps *s)
{
	struct job_step step = {.number = s->next++, .component = NO_VAL, .end = -1, .gpus = NO_VAL, .cpu_time = -1};
	g_array_append_val(s->list, step);
	return &g_array_index(s->list, struct job_step, s->list->len - 1);
}

static const char *const kinds[] = {
    [JOBSTEP_NUMBERED] = "step", [JOBSTEP_BATCH] = "batch", [JOBSTEP_EXTERN] = "extern", [JOBSTEP_INTERACTIVE] = "interactive"};

char *job_step_id(const struct job_step *step)
{
	if (step->kind != JOBSTEP_NUMBERED)
		return g_strdup(kinds[step->kind]);
	if (step->component == NO_VAL)
		return g_strdup_printf("%u", step->number);
	return g_strdup_printf("%u+%u", step->number, step->component);
}

const char *job_step_name(const struct job_step *step)
{
	return step->name ? step->name : kinds[step->kind];
}

static gint compare(gconstpointer a, gconstpointer b)
{
	static const int rank[] = {[JOBSTEP_BATCH] = 0, [JOBSTEP_EXTERN] = 1, [JOBSTEP_INTERACTIVE] = 2, [JOBSTEP_NUMBERED] = 3};
	const struct job_step *x = a, *y = b;
	if (x->kind != y->kind)
		return rank[x->kind] - rank[y->kind];
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	uint32_t m = x->component == NO_VAL ? 0 : x->component + 1, n = y->component == NO_VAL ? 0 : y->component + 1;
	return (m > n) - (m < n);
}

void job_steps_sort(struct job_steps *s)
{
	g_array_sort(s->list, compare);
}

uint64_t job_steps_memory(const struct job_steps *s)
{
	uint64_t most = 0;
	for (guint i = 0; s && i < s->list->len; i++)
		most = MAX(most, g_array_index(s->list, struct job_step, i).max_rss);
	return (most + 1023) / 1024;
}
