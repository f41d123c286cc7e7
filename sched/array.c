/* array.c - job arrays: a head with the tasks not yet split off, and split tasks (lifecycle C20-C26) */
#include "sched/features.h"
#include "sched/license.h"
#include "sched/state.h"

#include <string.h>

#define REFUSE(err) (g_set_error(err, SUBMIT_ERROR, 0, "Invalid job array specification"), false)

/* One "lo[-hi[:step]]" of the list into TASKS. */
static bool parse_span(const char *text, uint32_t max, struct bitset *tasks)
{
	char *end;
	guint64 lo = g_ascii_strtoull(text, &end, 10), hi, step = 1;
	if (end == text || lo >= max)
		return false;
	hi = lo;
	if (*end == '-') {
		const char *s = end + 1;
		hi = g_ascii_strtoull(s, &end, 10);
		if (end == s || hi < lo || hi >= max)
			return false;
	}
	if (*end == ':') {
		const char *s = end + 1;
		step = g_ascii_strtoull(s, &end, 10);
		if (end == s || step == 0)
			return false;
	}
	if (*end)
		return false;
	for (guint64 t = lo; t <= hi; t += step)
		bitset_set(tasks, (uint32_t)t);
	return true;
}

bool array_parse(struct controller *c, struct job *j, const char *text, GError **error)
{
	uint32_t max = MIN(c->p->max_array_size, 4000001u);
	const char *percent = strchr(text, '%');
	g_autofree char *list = percent ? g_strndup(text, (gsize)(percent - text)) : g_strdup(text);
	guint64 limit = 0;
	if (percent) {
		char *end;
		limit = g_ascii_strtoull(percent + 1, &end, 10);
		if (end == percent + 1 || *end || limit == 0 || limit > UINT32_MAX)
			return REFUSE(error);
	}
	if (max == 0 || strlen(text) > 1000000)
		return REFUSE(error);
	struct bitset *tasks = bitset_new(max);
	g_auto(GStrv) spans = g_strsplit(list, ",", -1);
	for (char **it = spans; *it; it++)
		if (!parse_span(*it, max, tasks)) {
			bitset_free(tasks);
			return REFUSE(error);
		}
	uint32_t n = bitset_count(tasks);
	if (n == 0 || (c->p->max_array_tasks && n > c->p->max_array_tasks)) {
		bitset_free(tasks);
		return REFUSE(error);
	}
	/* memory in proportion to the highest task, not to MaxArraySize */
	struct bitset *small = bitset_new((uint32_t)bitset_last(tasks) + 1);
	memcpy(small->word, tasks->word, small->nwords * sizeof(uint64_t));
	bitset_free(tasks);
	j->tasks = small;
	j->tasks_left = n;
	j->tasks_from = 0;
	j->array = g_new0(struct job_array, 1);
	*j->array = (struct job_array){.refs = 1, .limit = (uint32_t)limit, .n_tasks = n, .text = g_steal_pointer(&list)};
	return true;
}

uint32_t array_tasks_left(const struct job *j)
{
	return j->tasks ? j->tasks_left : 1;
}

uint32_t array_first_task(struct job *head)
{
	int64_t t = bitset_next(head->tasks, head->tasks_from);
	g_assert(t >= 0);
	return head->tasks_from = (uint32_t)t;
}

void array_forget_task(struct job *head, uint32_t task)
{
	g_assert(head->tasks_left > 1 && bitset_test(head->tasks, task));
	bitset_clear(head->tasks, task);
	head->tasks_left--;
}

bool array_at_limit(const struct job *j)
{
	return j->array && j->array->limit && j->array->running >= j->array->limit;
}

/* A copy of the head's fields for one task; lists and owned things are duplicated or shared by count. */
static struct job *clone(struct controller *c, const struct job *h)
{
	struct job *j = ctl_new_job(c);
	uint64_t seq = j->seq;
	*j = *h;
	j->seq = seq;
	j->host = NULL;
	j->prev = j->next = NULL;
	++*j->req_refs;
	j->array->refs++;
	j->tasks = NULL;
	j->several = g_memdup2(h->several, h->n_several * sizeof *h->several);
	j->parts = g_memdup2(h->parts, h->n_parts * sizeof *h->parts);
	j->deps = g_memdup2(h->deps, h->n_deps * sizeof *h->deps);
	j->gres = g_memdup2(h->gres, h->n_gres * sizeof *h->gres);
	for (uint32_t i = 0; i < h->n_gres; i++) {
		j->gres[i].name = g_strdup(h->gres[i].name);
		j->gres[i].type = g_strdup(h->gres[i].type);
	}
	j->licenses = license_copy(h->licenses);
	j->resvs = g_memdup2(h->resvs, h->n_resvs * sizeof *h->resvs);
	j->reason_text = g_strdup(h->reason_text);
	j->sched_nodes = h->sched_nodes ? bitset_copy(h->sched_nodes) : NULL;
	j->req_nodes = h->req_nodes ? bitset_copy(h->req_nodes) : NULL;
	j->exc_nodes = h->exc_nodes ? bitset_copy(h->exc_nodes) : NULL;
	j->config_ok = bitset_copy(h->config_ok);
	j->prefer_ok = h->prefer_ok ? bitset_copy(h->prefer_ok) : NULL;
	j->features = features_ref(h->features);
	j->prefer = features_ref(h->prefer);
	return j;
}

struct job *array_split(struct controller *c, struct job *head, uint32_t task)
{
	g_assert(head->tasks && bitset_test(head->tasks, task));
	if (head->tasks_left == 1) { /* C25: the last one keeps the submitted id */
		bitset_free(head->tasks);
		head->tasks = NULL;
		head->task = task;
		return head;
	}
	array_forget_task(head, task);
	struct job *j = clone(c, head);
	j->task = task;
	ctl_register(c, j, ctl_take_id(c));
	g_ptr_array_add(ctl_array_records(c, head->array->job_id), j);
	list_insert(&c->pending, j);
	j->in_pending = true;
	if (j->deadline)
		c->n_deadlines++;
	if (c->host.created)
		c->host.created(c->host.data, j, head);
	return j;
}

void array_task_again(struct job *j)
{
	if (!j->array)
		return;
	uint32_t n = array_tasks_left(j);
	j->array->ended -= n;
	if (j->state == JOB_COMPLETED)
		j->array->ended_ok -= n;
}

void array_task_ended(struct job *j)
{
	if (!j->array)
		return;
	uint32_t n = array_tasks_left(j);
	j->array->ended += n;
	if (j->state == JOB_COMPLETED)
		j->array->ended_ok += n;
}
