/* components.c - see components.h. */
#include "traces/components.h"

static void text(char **to, const char *from)
{
	if (!*to)
		*to = g_strdup(from);
}

static void number(uint32_t *to, uint32_t from)
{
	if (*to == NO_VAL)
		*to = from;
}

static void follow_times(struct job_request *r, const struct job_request *before)
{
	number(&r->time_limit, before->time_limit);
	number(&r->time_min, before->time_min);
	if (!r->begin_text && !r->begin) {
		text(&r->begin_text, before->begin_text);
		r->begin = before->begin;
	}
	if (!r->deadline_text && !r->deadline) {
		text(&r->deadline_text, before->deadline_text);
		r->deadline = before->deadline;
	}
}

static void follow(struct job_request *r, const struct job_request *before)
{
	text(&r->account, before->account);
	text(&r->qos, before->qos);
	text(&r->reservation, before->reservation);
	text(&r->exclude, before->exclude);
	text(&r->comment, before->comment);
	text(&r->wckey, before->wckey);
	text(&r->signal, before->signal);
	follow_times(r, before);
	number(&r->priority, before->priority);
	if (!r->nice_set) {
		r->nice = before->nice;
		r->nice_set = before->nice_set;
	}
	if (r->mem_per_node == NO_VAL64 && r->mem_per_cpu == NO_VAL64 && r->mem_per_gpu == NO_VAL64)
		r->mem_per_node = before->mem_per_node;
	if (r->distribution == DIST_DEFAULT) {
		r->distribution = before->distribution;
		r->distribution_socket = before->distribution_socket;
		r->plane_size = before->plane_size;
	}
}

void components_follow(struct submission *s)
{
	for (uint32_t k = 0; k < s->n_het; k++)
		follow(s->het[k], k ? s->het[k - 1] : s->request);
}
