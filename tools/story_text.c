/* story_text.c - an explanation for a terminal, and as one paragraph for a ticket. */
#include "tools/explain.h"
#include "tools/options.h"
#include <string.h>

enum { SHOWN = 12 }; /* intervals, unless all are wanted */

/* ---- small things ---- */

static char *when(usec_t t)
{
	return t ? date_format(usec_to_sec(t), NULL) : g_strdup("never");
}

static char *length(usec_t t)
{
	return duration_format_squeue(usec_to_sec(t + USEC / 2));
}

static void put_size(GString *s, const struct story_job *j)
{
	g_string_append_printf(s, "%u %s, %u %s", j->nodes, j->nodes == 1 ? "node" : "nodes", j->cpus,
	                       j->cpus == 1 ? "CPU" : "CPUs");
	if (j->gpus)
		g_string_append_printf(s, ", %u %s", j->gpus, j->gpus == 1 ? "GPU" : "GPUs");
}

/* "job 12 of bob: 4 nodes, 64 CPUs, 8 GPUs until 2026-01-05T10:45:00" */
static char *job_text(const struct story_job *j, usec_t at)
{
	GString *s = g_string_new(NULL);
	char *until = when(j->until),
	     *limit = j->time_limit < NO_VAL ? duration_format((int64_t)j->time_limit * 60) : NULL;

	g_string_append_printf(s, "job %s of %s: ", j->id, j->user);
	put_size(s, j);
	if (!j->start || j->start > at)
		g_string_append(s, j->start ? " wanted, " : " wanted");
	if (j->start > at) {
		char *start = when(j->start);
		g_string_append_printf(s, "started %s", start);
		g_free(start);
	} else if (!j->start) {
		g_string_append(s, j->ended ? ", never started" : ", still waits");
	} else if (j->ended) {
		g_string_append_printf(s, " until %s", until);
	} else if (j->until) {
		g_string_append_printf(s, " until %s at the latest (limit %s)", until, limit ? limit : "none");
	} else {
		g_string_append(s, ", without a time limit");
	}
	g_free(until);
	g_free(limit);
	return g_string_free(s, FALSE);
}

static const char *plural(guint n)
{
	return n == 1 ? "" : "s";
}

/* ---- the head ---- */

static void print_head(FILE *out, const struct story *s)
{
	char *submit = when(s->job.submit), *eligible = s->eligible ? when(s->eligible * USEC) : NULL;
	char *limit = s->job.time_limit < NO_VAL ? duration_format((int64_t)s->job.time_limit * 60) : g_strdup("none");
	char *end = when(s->to), *wait = length(s->to - s->from);

	fprintf(out, "Job %s", s->job.id);
	if (s->name && *s->name)
		fprintf(out, " (%s)", s->name);
	fprintf(out, " of %s", s->job.user ? s->job.user : "?");
	if (s->job.account && *s->job.account)
		fprintf(out, ", account %s", s->job.account);
	fprintf(out, ", partition %s", s->job.partition ? s->job.partition : "?");
	if (s->job.qos && *s->job.qos)
		fprintf(out, ", QOS %s", s->job.qos);
	fprintf(out, "\n  asked for   %s; time limit %s\n  submitted   %s\n", s->asked ? s->asked : "", limit, submit);
	if (s->run > 0) {
		char *from = when(s->from);
		fprintf(out, "  requeued    %s (run %u)\n", from, s->run);
		g_free(from);
	}
	if (eligible && (!s->started || s->eligible * USEC <= s->job.start))
		fprintf(out, "  eligible    %s\n", eligible);
	fprintf(out, "  %-11s %s%s%s\n  waited      %s\n",
	        s->started     ? "started"
	        : s->job.ended ? "ended"
	                       : "waits still",
	        end, s->started || !s->job.ended ? "" : ", ", s->started || !s->job.ended ? "" : s->job.state, wait);
	if (s->runs > 1)
		fprintf(out, "  runs        %u; this is run %u (--run N shows another)\n", s->runs, s->run);
	g_free(submit);
	g_free(eligible);
	g_free(limit);
	g_free(end);
	g_free(wait);
}

/* ---- an interval ---- */

static void print_passes(FILE *out, const struct story_interval *i)
{
	if (i->main_passes + i->backfill_cycles == 0)
		return;
	fprintf(out, "       looked at   main: %u of %u pass%s", i->main_tested, i->main_passes,
	        i->main_passes == 1 ? "" : "es");
	if (i->backfill_cycles)
		fprintf(out, "; backfill: %u of %u cycle%s, planned in %u", i->backfill_tested, i->backfill_cycles,
		        plural(i->backfill_cycles), i->backfill_planned);
	fputc('\n', out);
	if (i->cut_by)
		fprintf(out, "       not reached %u cycle%s of backfill ended before this job: %s\n", i->cut,
		        plural(i->cut), i->cut_by);
}

static void print_jobs(FILE *out, const struct story_interval *i)
{
	if (i->n_jobs > 1) {
		fprintf(out, "       held by     %u jobs: %u node%s, %u CPUs", i->n_jobs, i->nodes, plural(i->nodes),
		        i->cpus);
		if (i->gpus)
			fprintf(out, ", %u GPUs", i->gpus);
		fputs(i->n_jobs > i->jobs->len ? "; the largest:\n" : "\n", out);
	}
	for (guint k = 0; k < i->jobs->len; k++) {
		char *text = job_text(i->jobs->pdata[k], i->from);
		fprintf(out, "       %-11s %s\n", i->n_jobs > 1 ? "" : "in the way", text);
		g_free(text);
	}
}

static void print_cleared(FILE *out, const struct story *s, const struct story_interval *i, bool last)
{
	char *to = when(i->to);

	if (last && !s->started && s->job.ended)
		fprintf(out, "       ended       %s, without a start: %s%s\n", to, s->job.state,
		        g_strcmp0(s->job.state, "DEADLINE") == 0 ? ", it could no longer end in time" : "");
	else if (last && !s->started)
		fprintf(out, "       clears by   %s (%s)\n", i->cleared_by, clears_name(i->clears));
	else if (i->ended_by)
		fprintf(out, "       cleared     %s, %s\n", to, i->ended_by);
	else
		fprintf(out, "       cleared     %s (by: %s)\n", to, i->cleared_by);
	g_free(to);
}

static void print_interval(FILE *out, const struct story *s, guint k, uint32_t share)
{
	const struct story_interval *i = s->intervals->pdata[k];
	char *from = when(i->from), *span = length(i->to - i->from);

	fprintf(out, "  %2u  %s  %11s  %3u.%u %%  %s [%s]\n", k + 1, from, span, share / 10, share % 10,
	        *i->detail ? i->detail : i->name, i->rule);
	if (i->blocker && !(i->n_jobs == 1 && g_str_has_prefix(i->blocker, "job ") && !strchr(i->blocker, ':')))
		fprintf(out, "       obstacle    %s\n", i->blocker);
	print_jobs(out, i);
	print_passes(out, i);
	print_cleared(out, s, i, k + 1 == s->intervals->len);
	g_free(from);
	g_free(span);
}

static void print_sums(FILE *out, const struct story *s)
{
	GArray *sums = story_sums(s);
	usec_t whole = MAX(1, s->to - s->from);

	if (sums->len > 1 || s->intervals->len > 1) {
		fputs("\nIn all\n", out);
		for (guint i = 0; i < sums->len; i++) {
			const struct story_sum *sum = &g_array_index(sums, struct story_sum, i);
			char *span = length(sum->length);
			fprintf(out, "  %-32s %11s  %5.1f %%\n", sum->name, span,
			        100.0 * (double)sum->length / (double)whole);
			g_free(span);
		}
	}
	g_array_unref(sums);
}

static void print_intervals(FILE *out, const struct story *s, bool all)
{
	uint32_t *shares = story_shares(s);
	guint n = s->intervals->len, hidden = !all && n > SHOWN ? n - SHOWN : 0;
	uint32_t left_out = 0;
	usec_t span = 0;

	fputs("\nWhy it waited, from when, how long\n", out);
	if (n == 0)
		fputs("  it did not wait\n", out);
	for (guint k = 0; k < n; k++) {
		const struct story_interval *i = s->intervals->pdata[k];
		if (k < SHOWN / 2 || k >= SHOWN / 2 + hidden) {
			print_interval(out, s, k, shares[k]);
			continue;
		}
		left_out += shares[k];
		span += i->to - i->from;
		if (k + 1 == SHOWN / 2 + hidden) {
			char *text = length(span);
			fprintf(out, "  ..  %u more intervals   %11s  %3u.%u %%  (--all shows them)\n", hidden, text,
			        left_out / 10, left_out % 10);
			g_free(text);
		}
	}
	g_free(shares);
}

/* ---- what if ---- */

static char *answer_text(const struct answer *a, const struct story *s)
{
	char *start = when(a->start), *wait = length(a->start - a->submit), *text;
	usec_t base = s->started ? s->job.start : INT64_MAX;

	if (a->kind == ANSWER_STARTED && answer_at_once(a))
		text = g_strdup_printf("starts at once, %s", start);
	else if (a->kind == ANSWER_STARTED && a->start < base && base != INT64_MAX) {
		char *gain = length(base - a->start);
		text = g_strdup_printf("starts %s, waits %s (%s earlier)", start, wait, gain);
		g_free(gain);
	} else if (a->kind == ANSWER_STARTED)
		text = g_strdup_printf("starts %s, waits %s", start, wait);
	else if (a->kind == ANSWER_WAITS)
		text = g_strdup(s->started ? "no earlier start" : "waits still");
	else if (a->kind == ANSWER_ENDED)
		text = g_strdup("ends without a start");
	else
		text = g_strdup_printf("%s: %s", a->kind == ANSWER_REFUSED ? "refused" : "failed", a->message);
	g_free(start);
	g_free(wait);
	return text;
}

static void print_ideas(FILE *out, const struct story *s, const GPtrArray *ideas, const char *title)
{
	fprintf(out, "\n%s\n", title);
	for (guint k = 0; k < ideas->len; k++) {
		const struct idea *i = ideas->pdata[k];
		char *text = answer_text(&i->answer, s);
		fprintf(out, "  %-34s %s\n", i->change->text, text);
		if (strcmp(i->what, "as you asked") != 0)
			fprintf(out, "      %s\n", i->what);
		g_free(text);
	}
}

static void print_smallest(FILE *out, const struct explanation *e)
{
	const struct idea *i = ideas_smallest(e->ideas, e->story->started ? e->story->job.start : INT64_MAX);

	if (i)
		fprintf(out, "\nThe smallest change that would have started it at once: %s\n  %s\n", i->change->text,
		        i->what);
	else if (e->ideas->len)
		fputs("\nNone of these changes would have started it at once.\n", out);
	else
		fputs("\nIt started at once: nothing to improve.\n", out);
}

void explain_print(FILE *out, const struct explanation *e, int flags)
{
	print_head(out, e->story);
	print_intervals(out, e->story, flags & ALL_INTERVALS);
	print_sums(out, e->story);
	if (e->own)
		print_ideas(out, e->story, e->own, "What if (a run with this change)");
	if (e->ideas && e->ideas->len)
		print_ideas(out, e->story, e->ideas, "What would have helped (each a run with this one change)");
	if (e->ideas)
		print_smallest(out, e);
}

/* ---- the ticket ---- */

static void ticket_obstacle(GString *t, const struct story *s, const char *reason)
{
	const struct story_interval *longest = NULL;

	for (guint k = 0; k < s->intervals->len; k++) {
		const struct story_interval *i = s->intervals->pdata[k];
		if (strcmp(i->name, reason) == 0 && (!longest || i->to - i->from > longest->to - longest->from))
			longest = i;
	}
	g_string_append_printf(t, " (rule %s", longest->rule);
	if (longest->blocker)
		g_string_append_printf(t, "; %s", longest->blocker);
	if (longest->n_jobs > 1)
		g_string_append_printf(t, "; %u jobs held %u nodes, %u CPUs, %u GPUs", longest->n_jobs, longest->nodes,
		                       longest->cpus, longest->gpus);
	if (longest->cut_by)
		g_string_append_printf(t, "; backfill ended before it %u times by %s", longest->cut, longest->cut_by);
	g_string_append_c(t, ')');
}

void explain_ticket(FILE *out, const struct explanation *e)
{
	const struct story *s = e->story;
	GString *t = g_string_new(NULL);
	char *submit = when(s->job.submit), *end = when(s->to), *wait = length(s->to - s->from);
	char *limit = s->job.time_limit < NO_VAL ? duration_format((int64_t)s->job.time_limit * 60) : g_strdup("none");
	GArray *sums = story_sums(s);
	const struct idea *best =
	    e->ideas ? ideas_smallest(e->ideas, e->story->started ? e->story->job.start : INT64_MAX) : NULL;

	g_string_append_printf(
	    t, "Job %s of %s (account %s, partition %s, QOS %s; %s; time limit %s) was submitted at %s and ", s->job.id,
	    s->job.user, s->job.account ? s->job.account : "none", s->job.partition, s->job.qos ? s->job.qos : "none",
	    s->asked, limit, submit);
	g_string_append_printf(
	    t, s->started ? "waited %s until it started at %s." : "waited %s until %s without a start.", wait, end);
	for (guint i = 0; i < MIN(sums->len, 3); i++) {
		const struct story_sum *sum = &g_array_index(sums, struct story_sum, i);
		g_string_append_printf(t, "%s %.1f %% of it for %s", i ? "," : " It waited",
		                       100.0 * (double)sum->length / (double)MAX(1, s->to - s->from), sum->name);
		ticket_obstacle(t, s, sum->name);
	}
	if (sums->len)
		g_string_append_c(t, '.');
	if (best)
		g_string_append_printf(t, " In a simulation it starts at once with %s (%s).", best->change->text,
		                       best->what);
	else if (e->ideas && e->ideas->len)
		g_string_append_printf(t, " In a simulation none of %u single changes starts it at once.",
		                       e->ideas->len);
	g_string_append_printf(t, " (whypend %s%s%s)", WHYPEND_VERSION, e->slurm_version ? ", rules of Slurm " : "",
	                       e->slurm_version ? e->slurm_version : "");
	fprintf(out, "%s\n", t->str);
	g_string_free(t, TRUE);
	g_array_unref(sums);
	g_free(submit);
	g_free(end);
	g_free(wait);
	g_free(limit);
}
