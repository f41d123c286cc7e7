/* warn.c - see warn.h */
#include "sched/warn.h"

#include <string.h>

static bool armed(const struct job *j)
{
	return j->req->signal && !j->warned && j->time_limit != INFINITE;
}

/* W seconds before the end, 60 unless given. */
static sec_t lead(const struct job *j)
{
	const char *at = strchr(j->req->signal, '@');
	return at ? g_ascii_strtoll(at + 1, NULL, 10) : 60;
}

void warn_arm(struct controller *c, struct job *j)
{
	j->warned = false;
	c->n_signals += j->req->signal != NULL;
}

void warn_disarm(struct controller *c, struct job *j)
{
	c->n_signals -= j->req->signal && !j->warned;
}

void warn_tell(struct controller *c, struct job *j)
{
	if (c->host.warn)
		c->host.warn(c->host.data, j);
}

void warn_sweep(struct controller *c)
{
	for (struct job *j = c->n_signals ? c->running.head : NULL; j; j = j->next) {
		if (j->state != JOB_RUNNING || j->flags & JOB_CONFIGURING || !armed(j) || c->now_s + lead(j) + 30 < j->end)
			continue;
		j->warned = true;
		c->n_signals--;
		warn_tell(c, j);
	}
}

sec_t warn_next(const struct controller *c)
{
	sec_t t = INT64_MAX;
	for (const struct job *j = c->n_signals ? c->running.head : NULL; j; j = j->next)
		if (j->state == JOB_RUNNING && armed(j))
			t = MIN(t, j->end - lead(j) - 30);
	return t;
}
