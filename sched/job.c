/* job.c - see job.h */
#include "sched/job.h"
#include "sched/features.h"
#include "sched/hetjob.h"

#include <string.h>

sec_t job_limit_seconds(uint32_t minutes)
{
	if (minutes == INFINITE || minutes == NO_VAL)
		return INT64_C(365) * 86400;
	return (sec_t)minutes * 60;
}

bool job_is_finished(const struct job *j)
{
	return j->state > JOB_SUSPENDED;
}

bool job_held_running(const struct job *j)
{
	return (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED) && j->priority == 0 && (j->reason == REASON_HELD_ADMIN || j->reason == REASON_HELD_USER);
}

bool job_is_array_head(const struct job *j)
{
	return j->array && j->tasks;
}

char *job_format_tasks(const struct job *j)
{
	if (!j->array)
		return g_strdup("");
	if (!j->tasks)
		return g_strdup_printf("%u", j->task);
	char *ranges = bitset_to_ranges(j->tasks);
	char *s =
	    j->array->limit ? g_strdup_printf("[%s%%%u]", ranges, j->array->limit) : g_strdup_printf("[%s]", ranges);
	g_free(ranges);
	return s;
}

char *job_format_id(const struct job *j)
{
	if (j->het)
		return g_strdup_printf("%u+%u", j->het->job_id, j->het_offset);
	if (!j->array)
		return g_strdup_printf("%u", j->id);
	char *tasks = job_format_tasks(j);
	char *s = g_strdup_printf("%u_%s", j->array->job_id, tasks);
	g_free(tasks);
	return s;
}

void job_alloc_free(struct job_alloc *a)
{
	if (!a)
		return;
	g_free(a->node);
	g_free(a->words);
	g_free(a->gres);
	g_free(a);
}

static const char *follow(const char *text, const char *was, const char *is)
{
	return text == was ? is : text;
}

struct job_request *job_own_request(struct job *j)
{
	if (*j->req_refs > 1) {
		const struct job_request *shared = j->req;
		struct job_request *own = job_request_copy(shared);
		--*j->req_refs;
		j->req_refs = g_new(uint32_t, 1);
		*j->req_refs = 1;
		j->req = own;
		j->name = follow(j->name, shared->name, own->name);
		j->user = follow(j->user, shared->user, own->user);
		j->account = follow(j->account, shared->account, own->account);
	}
	return (struct job_request *)j->req;
}

void job_free(struct job *j)
{
	if (j->req_refs && --*j->req_refs == 0) {
		g_free(j->req_refs);
		job_request_free((struct job_request *)j->req);
	}
	if (j->array && --j->array->refs == 0) {
		g_free(j->array->text);
		g_free(j->array);
	}
	if (j->het)
		het_leave(j);
	for (uint32_t i = 0; i < j->n_gres; i++) {
		g_free(j->gres[i].name);
		g_free(j->gres[i].type);
	}
	g_free(j->gres);
	g_free(j->licenses);
	g_free(j->resvs);
	bitset_free(j->tasks);
	bitset_free(j->sched_nodes);
	bitset_free(j->req_nodes);
	bitset_free(j->exc_nodes);
	bitset_free(j->config_ok);
	bitset_free(j->prefer_ok);
	features_unref(j->features);
	features_unref(j->prefer);
	bitset_free(j->nodes);
	bitset_free(j->comp_nodes);
	bitset_free(j->kept_nodes);
	bitset_free(j->was_nodes);
	job_alloc_free(j->alloc);
	job_alloc_free(j->was_alloc);
	g_free(j->tres);
	g_free(j->parts);
	g_free(j->several);
	g_free(j->deps);
	g_free(j->reason_text);
	g_slice_free(struct job, j);
}
