/*
 * bench_squeue.c - how long squeue takes over 100,000 pending jobs of 200 users, as the shell prints it ("make bench").
 *
 * Time is that of the processor. Jobs have names, users, two partitions, dependencies and holds among them; the median
 * of LOOKS looks is printed; the aim is 50 ms for the default columns.
 */
#include "sched/controller.h"
#include "tests/bench_cluster.h"
#include "tests/bench_time.h"
#include "tools/squeue_out.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS 100000
#define LOOKS 21

static void submit(struct controller *c, int i, usec_t now)
{
	struct job_request *r = job_request_new();
	GError *error = NULL;

	r->user = g_strdup_printf("user%d", i * 7 % 200);
	r->name = g_strdup_printf("train-%d.sh", i % 1000);
	job_request_set(r, "time", "600", NULL);
	if (i % 3 == 0)
		job_request_set(r, "partition", "long", NULL);
	if (i % 50 == 0)
		job_request_set(r, "hold", NULL, NULL);
	if (!controller_submit(c, r, now, NULL, &error)) {
		fprintf(stderr, "bench-squeue: %s\n", error->message);
		exit(1);
	}
}

static double median(const struct controller *c, const struct squeue_options *o, FILE *out)
{
	gint64 took[LOOKS];

	for (int i = 0; i < LOOKS; i++) {
		gint64 from = cpu_time();
		squeue_print(out, c, 1000100, o);
		fflush(out);
		took[i] = cpu_time() - from;
	}
	return median_ms(took, LOOKS);
}

int main(int argc, char **argv)
{
	const usec_t start = 1000000 * USEC;
	struct cluster *cl = bench_cluster();
	struct partition *p = cluster_add_partition(cl, "long");
	FILE *out = fopen("/dev/null", "w");
	GError *error = NULL;

	p->nodes_text = g_strdup("ALL");
	cl->params->max_job_count = 10 * JOBS;
	if (!out || !cluster_finish(cl, &error)) {
		fprintf(stderr, "bench-squeue: %s\n", error ? error->message : "cannot open /dev/null");
		return 1;
	}
	struct controller *c = controller_new(cl, &(struct sched_host){0}, start, 0, false);
	for (int i = 0; i < JOBS + 64; i++)
		submit(c, i, start + (i < 64 ? 1 : 3) * USEC);
	controller_pass(c, PASS_MAIN_FULL, start + 4 * USEC);
	const struct squeue_options plain = {0}, own = {.format = "%i|%P|%j|%u|%T|%Q|%r|%V|%l|%C"},
	                            sorted = {.sort = "V,-Q"}, one = {.users = "user7"};
	if (argc > 1 && strcmp(argv[1], "--plain") == 0) { /* to be watched by a profiler */
		printf("%.1f ms\n", median(c, &plain, out));
		return 0;
	}
	printf(
	    "squeue over %u pending jobs: %.1f ms (aim: 50); with ten columns %.1f ms, -S V,-Q %.1f ms, -u %.1f ms\n",
	    controller_n_pending(c), median(c, &plain, out), median(c, &own, out), median(c, &sorted, out),
	    median(c, &one, out));
	fclose(out);
	controller_free(c);
	cluster_free(cl);
	return 0;
}
