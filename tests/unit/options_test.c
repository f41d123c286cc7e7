/*
 * options_test.c - options of sbatch that decide about nodes and cores, one by one, where no worked example of
 * node-selection.md has them (N4-N9, N33, N53-N57). Worked examples: select_test.c, choose_test.c, gpu_select_test.c,
 * tree_test.c, block_test.c, gpucases_test.c.
 */
#include "sched/select.h"
#include "tests/unit/sched_helper.h"

static struct job *try(struct world *w, sec_t t, const char *options)
{
	struct job_request *r = job_request_new();
	g_auto(GStrv) list = g_strsplit(options, " ", -1);
	GError *error = NULL;
	for (char **o = list; *o; o++) {
		char *value = strchr(*o, '=');
		if (value)
			*value++ = '\0';
		if (!job_request_set(r, *o, value, &error))
			fail_msg("%s", error->message);
	}
	if (!r->user)
		r->user = g_strdup("u1");
	r->privileged = true;
	struct job *j = controller_submit(w->c, r, t * USEC, NULL, &error);
	g_clear_error(&error);
	if (j)
		w_full(w, t);
	return j;
}

/* "n1 0,4 cpus 2 gpus 0; n2 ..." with "mem M" where it counts, "waits" or "refused" */
static char *where(const struct world *w, const struct job *j)
{
	if (!j || j->state != JOB_RUNNING)
		return g_strdup(j ? "waits" : "refused");
	GString *s = g_string_new(NULL);
	for (uint32_t i = 0; i < j->alloc->n; i++) {
		const struct alloc_node *an = &j->alloc->node[i];
		struct bitset *cores = bitset_new(64), *gpus = bitset_new(64);
		cores->word[0] = j->alloc->words[an->core_word];
		for (uint32_t g = 0; g < an->n_gres; g++)
			gpus->word[0] |= j->alloc->gres[an->gres_first + g].devices;
		g_autofree char *c = bitset_to_ranges(cores), *d = bitset_to_ranges(gpus);
		g_string_append_printf(s, "%s%s %s cpus %u", i ? "; " : "", w->cl->node[an->node]->name, c, an->cpus);
		if (an->n_gres)
			g_string_append_printf(s, " gpus %s", d);
		if (w->p->cr_memory)
			g_string_append_printf(s, " mem %u", (unsigned)an->mem);
		bitset_free(cores);
		bitset_free(gpus);
	}
	return g_string_free(s, FALSE);
}

static void gets(struct world *w, sec_t t, const char *options, const char *want)
{
	g_autofree char *got = where(w, try(w, t, options));
	if (strcmp(got, want) != 0)
		fail_msg("%s (%s): got \"%s\", wanted \"%s\"", options, w->p->version == SLURM_26 ? "26" : "22.05", got, want);
}

/* NODES of 2 x 4 cores with TPC threads. */
static struct world *plain(enum slurm_version v, const char *nodes, uint16_t tpc)
{
	struct world *w = world_new(v);
	w_nodes(w, nodes, 2, 4, tpc);
	w_part(w, "p", "ALL");
	return w;
}

/* The same with two GPUs near each socket. */
static struct world *with_gpus(enum slurm_version v, const char *nodes)
{
	struct world *w = plain(v, nodes, 1);
	struct node_config *k = w->cl->configs->pdata[0];
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 4, .devices = true, .n_groups = 2};
	k->gres[0].group = g_new0(struct gres_group, 2);
	for (uint32_t i = 0; i < 2; i++) {
		struct gres_group *g = &k->gres[0].group[i];
		*g = (struct gres_group){.first = 2 * i, .count = 2, .cores = bitset_new(8)};
		bitset_set_range(g->cores, 4 * i, 4 * i + 3);
	}
	return w;
}

/* On an idle node each: OPTIONS -> where */
struct row {
	const char *options, *want;
};
static void each(struct world *(*make)(enum slurm_version v), const struct row *rows)
{
	for (; rows->options; rows++)
		for (EACH_VERSION(v)) {
			struct world *w = make(v);
			w_begin(w, 1);
			gets(w, 10, rows->options, rows->want);
			world_free(w);
		}
}

static struct world *one_node_two_threads(enum slurm_version v)
{
	return plain(v, "n1", 2);
}

/* N33.3, N54, N56: how many CPUs of a core are used */
static void threads(void **state)
{
	(void)state;
	static const struct row rows[] = {
	    {"ntasks=4 nodes=1", "n1 0,4 cpus 4"},
	    {"ntasks=4 nodes=1 ntasks-per-core=1", "n1 0-1,4-5 cpus 8"},
	    {"ntasks=4 nodes=1 threads-per-core=1", "n1 0-1,4-5 cpus 8"},
	    {"ntasks=4 nodes=1 hint=nomultithread", "n1 0-1,4-5 cpus 8"},
	    {"ntasks=2 nodes=1 cpus-per-task=3 ntasks-per-core=1", "n1 0-3 cpus 8"}, /* a task has whole cores */
	    {NULL, NULL}};
	each(one_node_two_threads, rows);
}

static struct world *one_node(enum slurm_version v)
{
	return plain(v, "n1", 1);
}

/* The table of N54 */
static void distribution(void **state)
{
	(void)state;
	static const struct row rows[] = {{"ntasks=3 nodes=1", "n1 0-1,4 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=block", "n1 0-1,4 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=cyclic", "n1 0-1,4 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=block:cyclic", "n1 0-1,4 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=cyclic:fcyclic", "n1 0-1,4 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=cyclic:block", "n1 0-2 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=block:block", "n1 0-2 cpus 3"},
	                                  {"ntasks=3 nodes=1 distribution=plane=2", "n1 0-2 cpus 3"},
	                                  {NULL, NULL}};
	each(one_node, rows);
}

/* N33.2, N33.4 */
static void sockets(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = one_node(v);
		w_begin(w, 1);
		gets(w, 10, "ntasks=3 nodes=1 distribution=block:block time=30", "n1 0-2 cpus 3");
		gets(w, 11, "ntasks=1 cores-per-socket=4", "n1 4 cpus 1"); /* socket 0 has one core left */
		gets(w, 12, "ntasks=1 sockets-per-node=2 cores-per-socket=2", "waits");
		gets(w, 13, "ntasks=1 sockets-per-node=2 cores-per-socket=1 priority=9", "n1 3 cpus 1");
		world_free(w);
	}
	struct world *w = plain(SLURM_26, "n[1-3]", 1); /* a task a socket, and two sockets a node */
	w_begin(w, 1);
	gets(w, 10, "ntasks=4 ntasks-per-socket=1", "n1 0,4 cpus 2; n2 0,4 cpus 2");
	world_free(w);
}

/* N4, N12: only nodes with as many CPUs; N5: a list of more nodes than wanted */
static void which_nodes(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = plain(v, "n[1-2]", 1);
		w_nodes(w, "n3", 2, 8, 1);
		w_begin(w, 1);
		gets(w, 10, "ntasks=1 mincpus=9", v == SLURM_22_05 ? "n3 0-4,8-11 cpus 9" : "n3 0 cpus 1"); /* N51 */
		gets(w, 11, "ntasks=1 exclude=n[1,3]", "n2 0 cpus 1");
		gets(w, 12, "ntasks=1 nodelist=n2", "n2 1 cpus 1");
		gets(w, 13, "ntasks=1 nodelist=n2 exclude=n[1-2]", "refused");
		if (v != SLURM_22_05)
			gets(w, 14, "nodes=2 ntasks=2 nodelist=n[1-3]", "n1 0 cpus 1; n2 2 cpus 1");
		world_free(w);
	}
}

/* N32, N53: specialised cores; --core-spec alone changes nothing (N7) */
static void specialised(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = plain(v, "n[1-2]", 1);
		struct node_config *k = w->cl->configs->pdata[0];
		k->core_spec_count = 2;
		k->spec_cores = bitset_new(8);
		bitset_set(k->spec_cores, 3);
		bitset_set(k->spec_cores, 7);
		w_begin(w, 1);
		gets(w, 10, "ntasks=6 nodes=1", "n1 0-2,4-6 cpus 6");
		gets(w, 11, "ntasks=1 exclusive", "n2 0-2,4-6 cpus 6");
		gets(w, 12, "ntasks=7 nodes=1", "refused");
		world_free(w);
		w = plain(v, "n1", 1);
		w_begin(w, 1);
		gets(w, 10, "ntasks=1 core-spec=2", "n1 0 cpus 1");
		gets(w, 11, "ntasks=1", "n1 1 cpus 1");
		world_free(w);
	}
}

static struct world *gpu_node(enum slurm_version v)
{
	return with_gpus(v, "n1");
}

/* N8: counts of tasks and GPUs from each other */
static void gpu_counts(void **state)
{
	(void)state;
	static const struct row rows[] = {{"nodes=1 gpus=2 ntasks-per-gpu=2", "n1 0-3 cpus 4 gpus 0-1"},
	                                  {"nodes=1 ntasks=4 ntasks-per-gpu=2", "n1 0-3 cpus 4 gpus 0-1"},
	                                  {"nodes=1 ntasks=3 ntasks-per-gpu=2", "refused"},
	                                  {"nodes=1 ntasks=2 gpus-per-task=1", "n1 0-1 cpus 2 gpus 0-1"},
	                                  {"nodes=1 gpus=4 gpus-per-task=3", "refused"},
	                                  {"nodes=1 gpus-per-socket=1", "refused"}, /* needs --sockets-per-node */
	                                  {"nodes=1 ntasks=2 cpus-per-gpu=2 gpus=1", "n1 0-1 cpus 2 gpus 0"},
	                                  {"nodes=1 ntasks=1 cpus-per-gpu=2", "refused"},
	                                  {"nodes=2 gpus=1", "refused"},
	                                  {NULL, NULL}};
	each(gpu_node, rows);
}

/* N9: DefCpuPerGPU of the partition, else of the cluster, unless -c is given */
static void default_cpus_per_gpu(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int of_cluster = 0; of_cluster < 2; of_cluster++) {
			struct world *w = gpu_node(v);
			struct partition *p = w->cl->partitions->pdata[0];
			if (!of_cluster)
				p->def_cpu_per_gpu = 3;
			w->p->def_cpu_per_gpu = of_cluster ? 3 : 2;
			w_begin(w, 1);
			gets(w, 10, "ntasks=1 nodes=1 gres=gpu:1", "n1 0-2 cpus 3 gpus 0");
			gets(w, 11, "ntasks=1 nodes=1 gres=gpu:1 cpus-per-task=1", "n1 4 cpus 1 gpus 2");
			world_free(w);
		}
}

/* N9, N57: memory by GPU */
static void memory_by_gpu(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = gpu_node(v);
		w->p->cr_memory = true;
		w_begin(w, 1);
		gets(w, 10, "ntasks=1 nodes=1 gres=gpu:2 mem-per-gpu=20000", "n1 0 cpus 1 gpus 0-1 mem 40000");
		gets(w, 11, "ntasks=1 nodes=1 gres=gpu:2 mem-per-gpu=20000", "waits");
		gets(w, 12, "ntasks=1 nodes=1 gres=gpu:1 mem-per-gpu=20000 priority=9", "n1 4 cpus 1 gpus 2 mem 20000");
		gets(w, 13, "ntasks=1 nodes=1 mem-per-gpu=1", "refused");
		world_free(w);
		w = gpu_node(v);
		w->p->cr_memory = true;
		((struct partition *)w->cl->partitions->pdata[0])->def_mem_per_gpu = 7000;
		w_begin(w, 1);
		gets(w, 10, "ntasks=1 nodes=1 gres=gpu:2", "n1 0 cpus 1 gpus 0-1 mem 14000");
		gets(w, 11, "ntasks=1 nodes=1 gres=gpu:2 mem=100", "n1 4 cpus 1 gpus 2-3 mem 100");
		world_free(w);
	}
}

/* --exclusive=mcs without a plugin for labels keeps nobody away. */
static void labels(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = one_node(v);
		w_begin(w, 1);
		gets(w, 10, "ntasks=1 exclusive=mcs", "n1 0 cpus 1");
		gets(w, 11, "ntasks=1 user=u2", "n1 1 cpus 1");
		gets(w, 12, "ntasks=1 user=u3 exclusive=mcs", "n1 2 cpus 1");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(threads),     cmocka_unit_test(distribution),         cmocka_unit_test(sockets),
	    cmocka_unit_test(which_nodes), cmocka_unit_test(specialised),          cmocka_unit_test(gpu_counts),
	    cmocka_unit_test(labels),      cmocka_unit_test(default_cpus_per_gpu), cmocka_unit_test(memory_by_gpu)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
