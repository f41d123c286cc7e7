/* estimates.c - see estimates.h. */
#include "sim/run.h"

static const struct {
	const char *name;
	sec_t below; /* seconds ahead */
} leads[N_LEADS] = {{"10 min", 600}, {"1 h", 3600}, {"6 h", 21600}, {"1 day", 86400}, {"more", INT64_MAX}};

struct estimates {
	sec_t last; /* published */
	struct {
		usec_t seen; /* 0 = none so far ahead */
		sec_t start;
	} first[N_LEADS];
};

const char *estimate_lead_name(int lead)
{
	return leads[lead].name;
}

static void note(struct sim *s, struct sim_job *sj, sec_t start)
{
	sec_t ahead = start - usec_to_sec(s->now);
	int lead = 0;
	if (!sj->estimates)
		sj->estimates = g_new0(struct estimates, 1);
	struct estimates *e = sj->estimates;
	if (e->last == start)
		return;
	e->last = start;
	while (ahead >= leads[lead].below)
		lead++;
	if (!e->first[lead].seen) {
		e->first[lead].seen = s->now;
		e->first[lead].start = start;
	}
}

void estimates_note(struct sim *s)
{
	if (!s->recorder)
		return;
	for (const struct job *j = controller_first_pending(s->c); j; j = j->next)
		if (j->est_start && j->host)
			note(s, j->host, j->est_start);
}

void estimates_split(struct job *task, struct job *head)
{
	struct sim_job *from = head->host, *to = task->host;
	g_free(to->estimates);
	to->estimates = g_steal_pointer(&from->estimates);
}

void estimates_started(struct sim *s, const struct job *job)
{
	struct sim_job *sj = job->host;
	struct estimates *e = g_steal_pointer(&sj->estimates);
	for (int lead = N_LEADS - 1; e && s->recorder && lead >= 0; lead--) /* the record may have been dropped meanwhile */
		if (e->first[lead].seen)
			recorder_estimate(s->recorder, job->id, job->run, e->first[lead].seen, leads[lead].name, e->first[lead].start, job->start);
	g_free(e);
}
