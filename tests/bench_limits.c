/*
 * bench_limits.c - what limits cost a pass ("make bench"): the same pending jobs once in a small site and once among
 * 1,000 QOS and 50,000 associations, then as many jobs of all of those. Every job is held by a limit: a third before
 * the choice of nodes (L30), a third after it by its QOS (L32), a third by an account three levels up. A pass must not
 * get slower with the size of the site: it climbs each job's own path to root and looks at no other association or QOS.
 */
#include "sched/controller.h"
#include "tests/bench_cluster.h"
#include "tests/bench_time.h"
#include <stdio.h>
#include <stdlib.h>

#define JOBS 6000
#define PASSES 9

struct size {
	int qos, accounts, users; /* users an account */
};

/* Every user sits below two accounts and the top one t0, t1 or t2. */
static void make_accounts(struct cluster *cl, const struct size *z)
{
	char name[32], up[32], user[32];
	cl->acct = acct_new(cl->tres);
	for (int i = 0; i < z->qos; i++) {
		g_snprintf(name, sizeof name, "q%d", i);
		struct qos *q = acct_add_qos(cl->acct, name);
		if (i % 3 == 0)
			q->limits.max_jobs_pu = 0;
		if (i % 3 == 1) {
			q->limits.max_tres_pj = g_new(uint64_t, TRES_MAX);
			for (int t = 0; t < TRES_MAX; t++)
				q->limits.max_tres_pj[t] = t == TRES_CPU ? 1 : NO_VAL64;
		}
	}
	for (int i = 0; i < 3; i++) {
		g_snprintf(name, sizeof name, "t%d", i);
		struct assoc *top = acct_add_account(cl->acct, name, NULL);
		if (i == 2)
			top->limits.grp_jobs = 0;
	}
	for (int i = 0; i < z->accounts; i++) {
		g_snprintf(up, sizeof up, "t%d", i % 3);
		g_snprintf(name, sizeof name, "m%d", i);
		acct_add_account(cl->acct, name, up);
		g_snprintf(user, sizeof user, "a%d", i);
		acct_add_account(cl->acct, user, name);
		for (int k = 0; k < z->users; k++) {
			g_snprintf(name, sizeof name, "u%d_%d", i, k);
			acct_add_user(cl->acct, name, user, NULL);
		}
	}
}

static void submit(struct controller *c, const struct size *z, int i, usec_t now)
{
	struct job_request *r = job_request_new();
	int account = i % (z->accounts / 3 * 3);
	r->user = g_strdup_printf("u%d_%d", account, i / z->accounts % z->users);
	r->qos = g_strdup_printf("q%d", account % 3 + 3 * (i / 3 % (z->qos / 3)));
	job_request_set(r, "time", "600", NULL);
	job_request_set(r, "ntasks", "2", NULL);
	GError *error = NULL;
	if (!controller_submit(c, r, now, NULL, &error)) {
		fprintf(stderr, "bench-limits: %s\n", error->message);
		exit(1);
	}
}

/* The fastest of PASSES full passes, in milliseconds: a site of size Z whose jobs are of the first USED of its QOS and
 * users. */
static double time_passes(const struct size *z, const struct size *used)
{
	const usec_t start = 1000000 * USEC;
	struct cluster *cl = bench_cluster();
	GError *error = NULL;
	make_accounts(cl, z);
	cl->params->has_accounting = true;
	cl->params->enforce = ENFORCE_ASSOC | ENFORCE_LIMITS;
	cl->params->max_job_count = 10 * JOBS;
	cl->params->cr_memory = false;
	cl->params->default_queue_depth = 2 * JOBS;
	if (!cluster_finish(cl, &error)) {
		fprintf(stderr, "bench-limits: %s\n", error->message);
		exit(1);
	}
	struct controller *c = controller_new(cl, &(struct sched_host){0}, start, 0, true);
	for (int i = 0; i < JOBS; i++)
		submit(c, used, i, start + USEC);
	gint64 best = INT64_MAX;
	for (int i = 0; i < PASSES; i++) {
		gint64 from = cpu_time();
		controller_pass(c, PASS_MAIN_FULL, start + (i + 2) * USEC);
		best = MIN(best, cpu_time() - from);
	}
	if (controller_n_running(c) || controller_n_pending(c) != JOBS) {
		fprintf(stderr, "bench-limits: %u jobs run, none should\n", controller_n_running(c));
		exit(1);
	}
	printf("limits: a full pass over %d held jobs, %u QOS, %u associations: %.1f ms\n", JOBS, cl->acct->qos->len,
	       cl->acct->assocs->len, (double)best / 1e6);
	controller_free(c);
	cluster_free(cl);
	return (double)best / 1e6;
}

int main(void)
{
	const struct size few = {12, 6, 2}, many = {1000, 5000, 8};
	double small = time_passes(&few, &few), large = time_passes(&many, &few), spread = time_passes(&many, &many);
	printf("limits: among 1,000 QOS and 50,000 associations the same jobs take %.2f times as long (aim: 1), jobs "
	       "of all of "
	       "them %.2f times: memory farther apart\n",
	       small > 0 ? large / small : 0, small > 0 ? spread / small : 0);
	return 0;
}
