/* bench_cluster.h - 64 nodes of 64 cores in one partition, for the benches that look at accounts and not at nodes. */
#ifndef TESTS_BENCH_CLUSTER_H
#define TESTS_BENCH_CLUSTER_H
#include "sched/cluster.h"

static inline struct cluster *bench_cluster(void)
{
	struct cluster *cl = cluster_new(SLURM_26);
	struct node_config *k = cluster_add_config(cl);
	k->boards = k->sockets = 1;
	k->cores = k->cores_per_socket = k->cpus = 64;
	k->threads = k->cpus_per_core = 1;
	k->real_memory = 512000;
	for (int i = 0; i < 64; i++) {
		char name[16];
		g_snprintf(name, sizeof name, "n%02d", i);
		cluster_add_node(cl, name, k);
	}
	struct partition *p = cluster_add_partition(cl, "batch");
	p->nodes_text = g_strdup("ALL");
	p->is_default = true;
	return cl;
}
#endif
