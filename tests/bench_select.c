/*
 * bench_select.c - how long choosing nodes takes on 10,000 nodes of 8 GPUs, half of them full, three in ten in part
 * ("make bench").
 *
 * Choosing is what an attempt does once a job may be tried: what the nodes offer, the choice, cores and devices. Time is that
 * of the processor; the median of ROUNDS is printed. The aims: 20 us for a job of one GPU, 1 ms for one of 1,024 nodes.
 */
#include "sched/state.h"
#include "sched/select.h"
#include "tests/bench_time.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES 10000
#define ROUNDS 101

static struct cluster *make_cluster(void)
{
	struct cluster *cl = cluster_new(SLURM_26);
	struct node_config *k = cluster_add_config(cl);
	k->boards = 1;
	k->sockets = 2;
	k->cores_per_socket = 56;
	k->cores = 112;
	k->threads = k->cpus_per_core = 2;
	k->cpus = 224;
	k->real_memory = 2063000;
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 8, .devices = true, .n_groups = 2};
	k->gres[0].group = g_new0(struct gres_group, 2);
	for (uint32_t i = 0; i < 2; i++) {
		k->gres[0].group[i] = (struct gres_group){.first = 4 * i, .count = 4, .cores = bitset_new(112)};
		bitset_set_range(k->gres[0].group[i].cores, 56 * i, 56 * i + 55);
	}
	for (int i = 0; i < NODES; i++) {
		char name[16];
		g_snprintf(name, sizeof name, "n%05d", i);
		cluster_add_node(cl, name, k);
	}
	struct partition *p = cluster_add_partition(cl, "batch");
	p->nodes_text = g_strdup("ALL");
	p->is_default = true;
	cl->params->def_mem = 4000;
	cl->params->def_mem_per_cpu = true;
	return cl;
}

/* GPUS GPUs and 13 cores for each are held on a node. */
static void hold(struct controller *c, uint32_t node, uint32_t gpus)
{
	uint64_t words[2] = {0};
	struct gres_taken taken = {.count = gpus, .devices = (UINT64_C(1) << gpus) - 1};
	struct alloc_node an = {.node = node, .n_gres = 1, .mem = 200000 * gpus};
	for (uint32_t i = 0; i < MIN(14 * gpus, 112u); i++)
		words[i / 64] |= UINT64_C(1) << (i % 64);
	an.cores = (uint16_t)MIN(14 * gpus, 112u);
	an.cpus = (uint16_t)(2 * an.cores);
	struct job_alloc a = {.n = 1, .node = &an, .words = words, .gres = &taken, .cpus = an.cpus, .gpus = gpus, .mem = an.mem, .user = 1};
	usage_add(c->use, &a);
}

static struct job *submit(struct controller *c, const char *options)
{
	struct job_request *r = job_request_new();
	char **word = g_strsplit(options, " ", -1);
	GError *error = NULL;
	r->user = g_strdup("u1");
	for (char **w = word; *w; w++) {
		char *value = strchr(*w, '=');
		if (value)
			*value++ = '\0';
		if (!job_request_set(r, *w, value, &error)) {
			fprintf(stderr, "bench-select: %s\n", error->message);
			exit(1);
		}
	}
	g_strfreev(word);
	struct job *j = controller_submit(c, r, c->now, NULL, &error);
	if (!j) {
		fprintf(stderr, "bench-select: %s\n", error->message);
		exit(1);
	}
	return j;
}

static void measure(struct controller *c, const char *options, double aim)
{
	struct job *j = submit(c, options);
	struct trial_counts n = trial_counts_for(j, j->part, INFINITE);
	gint64 took[ROUNDS];
	uint32_t nodes = 0, gpus = 0;
	for (int i = 0; i < ROUNDS; i++) {
		gint64 from = cpu_time();
		trial_forget_bytes(c->sel, c->up);
		bool ok = trial_begin(c->sel, j, j->part, c->use, c->up, n, TRIAL_RUN_NOW, c->running.head) && trial_choose(c->sel);
		struct job_alloc *a = ok ? trial_place(c->sel) : NULL;
		took[i] = cpu_time() - from;
		nodes = a ? a->n : 0;
		gpus = a ? a->gpus : 0;
		job_alloc_free(a);
	}
	printf("choosing among %d nodes for %-32s %8.1f us (aim %.0f): %u nodes, %u GPUs\n", NODES, options,
	       median_ms(took, ROUNDS) * 1000, aim, nodes, gpus);
}

int main(void)
{
	struct cluster *cl = make_cluster();
	GError *error = NULL;
	if (!cluster_finish(cl, &error)) {
		fprintf(stderr, "bench-select: %s\n", error->message);
		return 1;
	}
	struct controller *c = controller_new(cl, &(struct sched_host){0}, 1000000 * USEC, 0, false);
	ctl_enter(c, 1000001 * USEC);
	uint64_t seed = 1;
	for (uint32_t i = 0; i < NODES; i++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint32_t kind = (uint32_t)(seed >> 33) % 10;
		if (kind < 5)
			hold(c, i, 8);
		else if (kind < 8)
			hold(c, i, 1 + (uint32_t)(seed >> 40) % 7);
	}
	measure(c, "ntasks=1 gpus=1 cpus-per-task=8", 20);
	measure(c, "ntasks=1 gres=gpu:1", 20);
	measure(c, "ntasks=1 gres=gpu:8 cpus-per-task=96", 20);
	measure(c, "ntasks=1", 20);
	measure(c, "nodes=1024 gres=gpu:8 ntasks-per-node=8", 1000);
	measure(c, "nodes=1024 gres=gpu:1", 1000);
	measure(c, "nodes=1024 ntasks-per-node=4", 1000);
	controller_free(c);
	cluster_free(cl);
	return 0;
}
