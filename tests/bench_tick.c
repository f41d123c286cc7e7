/*
 * bench_tick.c - how long a decay tick takes: 100,000 pending jobs of 20,000 associations, 4,096 running ("make bench").
 *
 * Time is that of the processor, so that other work on the machine does not count. Every factor has a weight, users' usages differ, limits are enforced (TRES usage is kept). Prints the median of TICKS ticks;
 * the aim is 20 ms.
 */
#include "sched/controller.h"
#include "tests/bench_cluster.h"
#include "tests/bench_time.h"
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 1000
#define USERS 19 /* an account: with the accounts 20,000 associations */
#define JOBS 100000
#define TICKS 21

static void make_accounts(struct cluster *cl)
{
	cl->acct = acct_new(cl->tres);
	for (int i = 0; i < ACCOUNTS; i++) {
		char name[16], user[16], parent[16];
		g_snprintf(name, sizeof name, "a%d", i);
		g_snprintf(parent, sizeof parent, "a%d", i / 10);
		acct_add_account(cl->acct, name, i < 10 ? NULL : parent);
		for (int k = 0; k < USERS; k++) {
			g_snprintf(user, sizeof user, "u%d_%d", i, k);
			acct_add_user(cl->acct, user, name, NULL);
		}
	}
}

static void set_params(struct sched_params *p)
{
	p->has_accounting = true;
	p->enforce = ENFORCE_ASSOC | ENFORCE_LIMITS;
	p->max_job_count = 10 * JOBS;
	p->weight_age = p->weight_assoc = p->weight_job_size = p->weight_partition = p->weight_qos = 1000;
	p->weight_fairshare = 100000;
	p->weight_tres = g_new0(double, TRES_MAX);
	p->weight_tres[TRES_CPU] = p->weight_tres[TRES_MEM] = 500;
	p->weight_tres[TRES_FIRST_CONFIGURED] = 2000;
	p->cr_memory = false;
}

static void submit(struct controller *c, int i, usec_t now)
{
	struct job_request *r = job_request_new();
	r->user = g_strdup_printf("u%d_%d", i * 7 % ACCOUNTS, i / ACCOUNTS % USERS);
	job_request_set(r, "time", "600", NULL);
	GError *error = NULL;
	if (!controller_submit(c, r, now, NULL, &error)) {
		fprintf(stderr, "bench-tick: %s\n", error->message);
		exit(1);
	}
}

int main(void)
{
	const usec_t start = 1000000 * USEC;
	struct cluster *cl = bench_cluster();
	tres_add(cl->tres, "gres/gpu");
	GError *error = NULL;
	make_accounts(cl);
	set_params(cl->params);
	if (!cluster_finish(cl, &error)) {
		fprintf(stderr, "bench-tick: %s\n", error->message);
		return 1;
	}
	struct controller *c = controller_new(cl, &(struct sched_host){0}, start, 0, false);
	for (int i = 0; i < 4096; i++)
		submit(c, i, start + USEC);
	controller_pass(c, PASS_MAIN_FULL, start + 2 * USEC);
	uint32_t running = controller_n_running(c);
	for (int i = 0; i < JOBS; i++)
		submit(c, i, start + 3 * USEC);
	gint64 took[TICKS];
	for (int i = 0; i < TICKS; i++) {
		gint64 from = cpu_time();
		controller_priority_tick(c, start + (i + 1) * 300 * USEC);
		took[i] = cpu_time() - from;
	}
	printf("decay tick over %u pending and %u running jobs, %u associations: %.1f ms (aim: 20)\n",
	       controller_n_pending(c), running, cl->acct->assocs->len, median_ms(took, TICKS));
	controller_free(c);
	cluster_free(cl);
	return 0;
}
