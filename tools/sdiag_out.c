/* sdiag_out.c - see sdiag_out.h. */
#include "tools/sdiag_out.h"
#include <glib.h>
#include <inttypes.h>

#define BANNER "*******************************************************"

static char *ctime_text(sec_t t)
{
	GDateTime *date = g_date_time_new_from_unix_utc(t);
	char *day = g_date_time_format(date, "%a %b %e %H:%M:%S %Y");
	char *text = g_strdup_printf("%s (%" PRId64 ")", day, (int64_t)t);
	g_free(day);
	g_date_time_unref(date);
	return text;
}

static void print_time(FILE *out, const char *name, sec_t t)
{
	char *text = ctime_text(t);
	fprintf(out, "%s%s\n", name, text);
	g_free(text);
}

static void print_jobs(FILE *out, const struct sim_stats *s)
{
	fprintf(out, "\nJobs submitted: %" PRIu64 "\nJobs started:   %" PRIu64 "\nJobs completed: %" PRIu64 "\nJobs canceled:  %" PRIu64
	        "\nJobs failed:    %" PRIu64 "\n\n",
	        s->submitted, s->started, s->completed, s->canceled, s->failed);
	print_time(out, "Job states ts:  ", s->states_at);
	fprintf(out, "Jobs pending:   %u\nJobs running:   %u\n", s->pending, s->running);
}

static void print_main(FILE *out, const struct sim_stats *s, sec_t now, bool old)
{
	const struct cycle_stats *c = &s->main;
	fprintf(out, "\nMain schedule statistics (microseconds):\n\tLast cycle:   %" PRId64 "\n\tMax cycle:    %" PRId64
	        "\n\tTotal cycles: %" PRIu64 "\n", c->last, c->max, c->cycles);
	if (c->cycles)
		fprintf(out, "\tMean cycle:   %" PRIu64 "\n\tMean depth cycle:  %" PRIu64 "\n", c->sum / c->cycles, c->depth_sum / c->cycles);
	if (now - s->since >= 60)
		fprintf(out, "\tCycles per minute: %" PRIu64 "\n", c->cycles / (uint64_t)((now - s->since) / 60));
	fprintf(out, "\tLast queue length: %u\n", c->last_queue);
	if (old)
		return;
	fputs("\nMain scheduler exit:\n", out);
	for (guint i = 0; i < N_MAIN_EXITS; i++)
		fprintf(out, "\t%s:%2" PRIu64 "\n", main_exit_name(i), c->exits[i]);
}

static void print_backfill_means(FILE *out, const struct cycle_stats *c)
{
	if (c->cycles)
		fprintf(out, "\tDepth Mean: %" PRIu64 "\n\tDepth Mean (try depth): %" PRIu64 "\n", c->depth_sum / c->cycles, c->try_sum / c->cycles);
	fprintf(out, "\tLast queue length: %u\n", c->last_queue);
	if (c->cycles)
		fprintf(out, "\tQueue length mean: %" PRIu64 "\n", c->queue_sum / c->cycles);
	fprintf(out, "\tLast table size: %u\n", c->last_table);
	if (c->cycles)
		fprintf(out, "\tMean table size: %" PRIu64 "\n", c->table_sum / c->cycles);
}

static void print_backfill(FILE *out, const struct sim_stats *s, bool old)
{
	const struct cycle_stats *c = &s->backfill;
	fprintf(out, "\nBackfilling stats\n\tTotal backfilled jobs (since last slurm start): %" PRIu64
	        "\n\tTotal backfilled jobs (since last stats cycle start): %" PRIu64
	        "\n\tTotal backfilled heterogeneous job components: %" PRIu64 "\n\tTotal cycles: %" PRIu64 "\n",
	        s->backfilled, s->backfilled_since, s->backfilled_het, c->cycles);
	if (c->cycles)
		print_time(out, "\tLast cycle when: ", c->last_when);
	else
		fputs("\tLast cycle when: N/A\n", out);
	fprintf(out, "\tLast cycle: %" PRId64 "\n\tMax cycle:  %" PRId64 "\n", c->last, c->max);
	if (c->cycles)
		fprintf(out, "\tMean cycle: %" PRIu64 "\n", c->sum / c->cycles);
	fprintf(out, "\tLast depth cycle: %u\n\tLast depth cycle (try sched): %u\n", c->last_depth, c->last_try);
	print_backfill_means(out, c);
	if (old)
		return;
	fputs("\nBackfill exit\n", out);
	for (guint i = 0; i < N_BF_EXITS; i++)
		fprintf(out, "\t%s:%2" PRIu64 "\n", bf_exit_name(i), c->exits[i]);
}

void sdiag_print(FILE *out, const struct sim_stats *s, sec_t now, bool old)
{
	fputs(BANNER "\n", out);
	print_time(out, "sdiag output at ", now);
	print_time(out, "Data since      ", s->since);
	fputs(BANNER "\nServer thread count:  1\n", out);
	if (!old)
		fputs("RPC queue enabled:    0\n", out);
	fputs("Agent queue size:     0\nAgent count:          0\nAgent thread count:   0\nDBD Agent queue size: 0\n", out);
	print_jobs(out, s);
	print_main(out, s, now, old);
	print_backfill(out, s, old);
	fputs("\nLatency for 1000 calls to gettimeofday(): 0 microseconds\n\nRemote Procedure Call statistics by message type\n"
	      "\tNo RPCs recorded yet.\n\nRemote Procedure Call statistics by user\n\tNo RPCs recorded yet.\n\nPending RPC statistics\n"
	      "\tNo pending RPCs\n",
	      out);
}
