/* lint_backfill.c - backfill's window, grain, depth and thresholds against the site's limits and jobs (backfill.md). */
#include "tools/lint_checks.h"

static bool longer_than(const struct lint_job *j, const void *minutes)
{
	return j->limit != NO_VAL && j->limit > *(const uint32_t *)minutes;
}

static bool without_limit(const struct lint_job *j, const void *unused)
{
	(void)unused;
	return j->limit == NO_VAL;
}

/* "; in the trace 12.3 % of 4000 jobs ..." ; "" without a trace. g_free. */
static char *trace_share(const struct lint *l, lint_job_test *test, const void *data, const char *what)
{
	if (!l->trace)
		return g_strdup("");
	return fmt("; in the trace %.1f %% of %" G_GUINT64_FORMAT " jobs %s",
	           100 * lint_job_share(l->trace, test, data), (guint64)l->trace->n, what);
}

void lint_bf_window(struct lint *l)
{
	const struct partition *longest = NULL;
	uint32_t window = (uint32_t)l->p->bf_window / 60, n = 0, live = 0;

	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);

		if (!p)
			continue;
		live++;
		n += p->max_time > window;
		if (p->max_time != INFINITE && (!longest || p->max_time > longest->max_time))
			longest = p;
	}
	if (!lint_backfills(l) || !longest || longest->max_time <= window)
		return;
	char *share = trace_share(l, longer_than, &window, "ask for more than that");

	lint_add(
	    l, LINT_WARNING, lint_at_token(l, "bf_window", lint_at_part(l->files, longest->name, "MaxTime")),
	    fmt("bf_window is %s, but partition %s allows jobs of %s", lint_minutes(l, window), longest->name,
	        lint_minutes(l, longest->max_time)),
	    fmt("nodes may stay busy beyond the plan's end in %u of %u partitions: a job that waits for them gets no "
	        "start time and no nodes are kept for it, so that smaller jobs start before it again and again%s",
	        n, live, share),
	    fmt("SchedulerParameters=bf_window=%u (minutes)%s", MIN(longest->max_time, 43200),
	        longest->max_time > 43200 ? ", its largest value" : ""));
	g_free(share);
}

void lint_time_unlimited(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);

		if (!p || p->max_time != INFINITE)
			continue;
		bool given = p->default_time != NO_VAL && p->default_time != INFINITE,
		     note = given || lint_requires_limit(l);
		char *share = trace_share(l, without_limit, NULL, "give no limit");

		lint_add(
		    l, note ? LINT_NOTE : LINT_WARNING, lint_at_part(l->files, p->name, "MaxTime"),
		    fmt("partition %s has no MaxTime%s", p->name, given ? "" : " and no DefaultTime"),
		    note ? fmt("a user may ask for any limit on its %u nodes (%u CPUs): beyond bf_window=%s backfill "
		               "can "
		               "plan nothing behind such a job, and no maintenance can be announced to it",
		               p->total_nodes, p->total_cpus, lint_seconds(l, l->p->bf_window))
		         : fmt("a job without -t counts as 365 days: backfill can plan nothing behind it and never "
		               "fits it "
		               "into a gap of its %u nodes (%u CPUs)%s",
		               p->total_nodes, p->total_cpus, share),
		    fmt("PartitionName=%s MaxTime=7-00:00:00 DefaultTime=1:00:00 (what the longest job really needs)",
		        p->name));
		g_free(share);
	}
}

void lint_default_time(struct lint *l)
{
	double share = l->trace ? lint_job_share(l->trace, without_limit, NULL) : 0;
	const struct partition *longest = NULL;
	uint32_t n = 0;

	for (guint i = 0; i < l->n_parts && !lint_requires_limit(l); i++) {
		const struct partition *p = lint_live_part(l, i);

		if (!p || p->default_time != NO_VAL || p->max_time == INFINITE || p->max_time <= 60)
			continue;
		longest = !longest || p->max_time > longest->max_time ? p : longest;
		n++;
	}
	if (!longest)
		return;
	char *seen = trace_share(l, without_limit, NULL, "give none");
	lint_add(l, share > 0.01 ? LINT_WARNING : LINT_NOTE, lint_at_part(l->files, longest->name, NULL),
	         n > 1 ? fmt("%u partitions have no DefaultTime: %s and others", n, longest->name)
	               : fmt("partition %s has no DefaultTime", longest->name),
	         fmt("a job without -t is planned with MaxTime=%s, so that it fits into no gap that is shorter%s",
	             lint_minutes(l, longest->max_time), seen),
	         fmt("PartitionName=%s DefaultTime=1:00:00, or JobSubmitPlugins=require_timelimit", longest->name));
	g_free(seen);
}

static bool below_seconds(const struct lint_job *j, const void *seconds)
{
	return j->limit != NO_VAL && j->limit != INFINITE && (guint64)j->limit * 60 < *(const uint32_t *)seconds;
}

void lint_bf_resolution(struct lint *l)
{
	uint32_t res = (uint32_t)l->p->bf_resolution;
	double share = l->trace ? lint_job_share(l->trace, below_seconds, &res) : 0;
	const struct partition *shortest = NULL;

	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);
		uint32_t time = p ? MIN(p->max_time, p->default_time) : 0;

		if (p && time < res / 60 && (!shortest || time < MIN(shortest->max_time, shortest->default_time)))
			shortest = p;
	}
	if (!lint_backfills(l) || (!shortest && share < 0.1))
		return;
	char *seen = trace_share(l, below_seconds, &res, "have a shorter limit");
	lint_add(
	    l, LINT_WARNING, lint_sp(l, "bf_resolution"),
	    shortest ? fmt("bf_resolution=%u s is coarser than the %s limit of partition %s", res,
	                   lint_minutes(l, MIN(shortest->max_time, shortest->default_time)), shortest->name)
	             : fmt("bf_resolution=%u s is coarser than many jobs are long", res),
	    fmt("each planned job takes its whole nodes for at least %u s of the plan, so a gap in front of a planned "
	        "start is lost to jobs that would fit%s",
	        res, seen),
	    g_strdup("a bf_resolution of at most half the limit of short jobs (the default is 60)"));
	g_free(seen);
}

void lint_bf_depth(struct lint *l)
{
	uint32_t test = (uint32_t)l->p->bf_max_job_test;
	double share = l->trace ? lint_depth_share(l->trace, test) : 0;

	if (!lint_backfills(l) || share < 0.1)
		return;
	uint32_t usual = lint_depth_at(l->trace, 0.1);
	lint_add(l, LINT_WARNING, lint_sp(l, "bf_max_job_test"),
	         fmt("bf_max_job_test=%u is below the depth of the queue", test),
	         fmt("in the %s more than %u submissions waited for %.0f %% of the busy time (a tenth of it more "
	             "than %u, "
	             "at most %u): those behind are never tried by backfill",
	             l->trace->simulated ? "run" : "trace", test, 100 * share, usual, l->trace->peak),
	         fmt("SchedulerParameters=bf_max_job_test=%u,bf_continue (or bf_max_job_user, so that one user does "
	             "not fill it)",
	             MIN(usual * 11 / 10, 1000000)));
}

void lint_bf_off(struct lint *l)
{
	uint32_t wide = 0;

	for (guint i = 0; i < l->n_parts; i++)
		wide += lint_live_part(l, i) && lint_part(l, i)->total_nodes > 1;
	if (l->p->sched_type == SCHED_BUILTIN && wide)
		lint_add(
		    l, LINT_NOTE, lint_at(l->files, "SchedulerType"),
		    g_strdup("SchedulerType=sched/builtin: jobs start in order of priority only"),
		    fmt("in %u partitions of several nodes the first job that does not fit keeps all others waiting, "
		        "however many of the %u nodes are idle",
		        wide, l->c->n_nodes),
		    g_strdup("SchedulerType=sched/backfill"));
	else if (l->p->sched_type == SCHED_BACKFILL && l->p->bf_interval < 0)
		lint_add(l, LINT_WARNING, lint_sp(l, "bf_interval"), g_strdup("bf_interval=-1: backfill never runs"),
		         fmt("the first job of a partition that does not fit keeps the others waiting, however many of "
		             "the %u "
		             "nodes are idle, and no job gets a start time",
		             l->c->n_nodes),
		         g_strdup("SchedulerParameters=bf_interval=30"));
}

void lint_bf_interval(struct lint *l)
{
	if (!lint_backfills(l) || l->p->bf_interval < 300)
		return;
	lint_add(
	    l, LINT_NOTE, lint_sp(l, "bf_interval"),
	    fmt("bf_interval=%d s between the cycles of backfill", l->p->bf_interval),
	    fmt("nodes that come free behind a waiting job stay idle for up to %s; at %u nodes that is up to %.0f node "
	        "hours a gap",
	        lint_seconds(l, l->p->bf_interval), l->c->n_nodes, l->c->n_nodes * (l->p->bf_interval / 3600.0)),
	    g_strdup("SchedulerParameters=bf_interval=60"));
}

void lint_bf_assoc_user(struct lint *l)
{
	if (!lint_backfills(l) || !l->p->bf_max_job_assoc || !l->p->bf_max_job_user)
		return;
	lint_add(l, LINT_WARNING, lint_sp(l, "bf_max_job_user"),
	         fmt("bf_max_job_user=%d has no effect beside bf_max_job_assoc=%d", l->p->bf_max_job_user,
	             l->p->bf_max_job_assoc),
	         fmt("a user with several accounts gets %d tries for each of them (%u users, %u associations here)",
	             l->p->bf_max_job_assoc, lint_users(l), l->acct->assocs->len),
	         g_strdup("keep one of the two"));
}

void lint_bf_space(struct lint *l)
{
	if (!lint_backfills(l) || l->p->bf_node_space_size >= l->p->bf_max_job_test)
		return;
	lint_add(
	    l, LINT_WARNING, lint_sp(l, "bf_node_space_size"),
	    fmt("bf_node_space_size=%d is below bf_max_job_test=%d", l->p->bf_node_space_size, l->p->bf_max_job_test),
	    fmt("a planned job adds up to two records to the plan, and a full plan ends the cycle: after about %d "
	        "plans "
	        "the other jobs are not tried, though up to %d were to be",
	        l->p->bf_node_space_size / 2, l->p->bf_max_job_test),
	    fmt("SchedulerParameters=bf_node_space_size=%d", MIN(2 * l->p->bf_max_job_test, 2000000)));
}

void lint_bf_part_cap(struct lint *l)
{
	const struct sched_params *p = l->p;
	guint64 parts = 0, users = lint_users(l);

	for (guint i = 0; i < l->n_parts; i++)
		parts += lint_live_part(l, i) != NULL;
	guint64 by_part = p->bf_max_job_part * parts, by_user = p->bf_max_job_user * users;
	bool part = p->bf_max_job_part && by_part < (guint64)p->bf_max_job_test,
	     user = p->bf_max_job_user && !p->bf_max_job_assoc && users && by_user < (guint64)p->bf_max_job_test;

	if (!lint_backfills(l) || (!part && !user))
		return;
	lint_add(l, LINT_NOTE, lint_sp(l, part ? "bf_max_job_part" : "bf_max_job_user"),
	         part ? fmt("bf_max_job_part=%d leaves bf_max_job_test=%d out of reach", p->bf_max_job_part,
	                    p->bf_max_job_test)
	              : fmt("bf_max_job_user=%d leaves bf_max_job_test=%d out of reach", p->bf_max_job_user,
	                    p->bf_max_job_test),
	         part ? fmt("%u partitions x %d = %u jobs a cycle at most: the cap, not the depth, decides",
	                    (guint)parts, p->bf_max_job_part, (guint)by_part)
	              : fmt("%u users x %d = %u jobs a cycle at most in a single partition each", (guint)users,
	                    p->bf_max_job_user, (guint)by_user),
	         g_strdup("raise the cap, or leave it if it is meant"));
}

void lint_bf_min_prio(struct lint *l)
{
	double top = lint_top_priority(l);

	if (!l->p->bf_min_prio_reserve || (double)l->p->bf_min_prio_reserve <= top)
		return;
	lint_add(l, LINT_WARNING, lint_sp(l, "bf_min_prio_reserve"),
	         fmt("bf_min_prio_reserve=%" G_GUINT64_FORMAT " is above every priority that a job can have",
	             (guint64)l->p->bf_min_prio_reserve),
	         fmt("the weights give at most %.0f: no job ever gets nodes kept for it, nor keeps others behind it, "
	             "so large "
	             "jobs can wait for ever",
	             top),
	         fmt("SchedulerParameters=bf_min_prio_reserve=%.0f or less", top / 2));
}

void lint_bf_min_age(struct lint *l)
{
	if (!lint_backfills(l) || l->p->bf_min_age_reserve < 43200)
		return;
	lint_add(
	    l, LINT_NOTE, lint_sp(l, "bf_min_age_reserve"),
	    fmt("bf_min_age_reserve=%s before a job gets nodes kept for it", lint_seconds(l, l->p->bf_min_age_reserve)),
	    fmt("until then every smaller job may start in front of one that needs many of the %u nodes",
	        l->c->n_nodes),
	    g_strdup("SchedulerParameters=bf_min_age_reserve=600"));
}

void lint_bf_array(struct lint *l)
{
	if (!lint_backfills(l) || l->p->bf_max_job_array_resv)
		return;
	lint_add(l, LINT_WARNING, lint_sp(l, "bf_max_job_array_resv"),
	         g_strdup("bf_max_job_array_resv=0: backfill passes over every job array"),
	         fmt("tasks of arrays (up to %u a job here) start in the main pass only, that is in order of priority",
	             l->p->max_array_size ? l->p->max_array_size - 1 : 0),
	         g_strdup("SchedulerParameters=bf_max_job_array_resv=20"));
}

void lint_licenses(struct lint *l)
{
	if (!lint_backfills(l) || l->p->bf_licenses || !l->c->licenses->len)
		return;
	const struct license *first = g_ptr_array_index(l->c->licenses, 0);

	lint_add(l, LINT_NOTE, lint_at(l->files, "Licenses"),
	         fmt("%u kinds of licenses, but not bf_licenses", l->c->licenses->len),
	         fmt("a job whose licenses are in use right now (%s: %u in all) is never planned: smaller ones can "
	             "take what "
	             "comes back in front of it for ever",
	             first->name, first->total),
	         g_strdup("SchedulerParameters=bf_licenses"));
}
