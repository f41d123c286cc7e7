/* gpu_select_test.c - the worked examples W4, W5, W9, W13 of spec node-selection.md section 10 and the GPU cases 42,
 * 44, 45, 46 */
#include "sched_helper.h"

/* A node of 2 sockets x CORES with GPUS GPUs, half of them near each socket; NEAR false: near all. */
static struct world *gpu_world(enum slurm_version v, const char *nodes, uint16_t cores, uint32_t gpus, bool near)
{
	struct world *w = world_new(v);
	struct node_config *k = w_nodes(w, nodes, 2, cores, 1);
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] =
	    (struct node_gres){.name = g_strdup("gpu"), .count = gpus, .devices = true, .n_groups = near ? 2 : 1};
	k->gres[0].group = g_new0(struct gres_group, k->gres[0].n_groups);
	for (uint32_t i = 0; i < k->gres[0].n_groups; i++) {
		struct gres_group *g = &k->gres[0].group[i];
		g->count = gpus / k->gres[0].n_groups;
		g->first = i * g->count;
		if (!near)
			continue;
		g->cores = bitset_new(k->cores);
		bitset_set_range(g->cores, i * cores, (i + 1) * cores - 1);
	}
	w_part(w, "p", nodes);
	w_begin(w, 1);
	return w;
}

/* W4's node */
static struct world *small_world(enum slurm_version v, const char *nodes)
{
	return gpu_world(v, nodes, 4, 4, true);
}

/* Submit "ntasks=1 gres=gpu:1 contiguous". */
static struct job *submit(struct world *w, sec_t t, const char *options, GError **error)
{
	struct job_request *r = job_request_new();
	g_auto(GStrv) list = g_strsplit(options, " ", -1);
	GError *bad = NULL;
	for (char **o = list; *o; o++) {
		char *value = strchr(*o, '=');
		if (value)
			*value++ = '\0';
		if (!job_request_set(r, *o, value, &bad))
			fail_msg("%s", bad->message);
	}
	r->user = g_strdup("u1");
	return controller_submit(w->c, r, t * USEC, NULL, error);
}

/* "n1 0,4 gpu 0-3; n2 ..." or "waits" */
static char *where(const struct world *w, const struct job *j)
{
	if (j->state != JOB_RUNNING)
		return g_strdup("waits");
	GString *s = g_string_new(NULL);
	for (uint32_t i = 0; i < j->alloc->n; i++) {
		const struct alloc_node *an = &j->alloc->node[i];
		const struct node *n = w->cl->node[an->node];
		struct bitset *cores = bitset_new(n->config->cores), *gpus = bitset_new(64);
		cores->word[0] = j->alloc->words[an->core_word];
		for (uint32_t g = 0; g < an->n_gres; g++)
			gpus->word[0] |= j->alloc->gres[an->gres_first + g].devices;
		g_autofree char *c = bitset_to_ranges(cores), *d = bitset_to_ranges(gpus);
		g_string_append_printf(s, "%s%s %s gpu %s", i ? "; " : "", n->name, c, d);
		bitset_free(cores);
		bitset_free(gpus);
	}
	return g_string_free(s, FALSE);
}

static void runs_at(struct world *w, sec_t t, const char *options, const char *want)
{
	GError *error = NULL;
	struct job *j = submit(w, t, options, &error);
	if (!j && strcmp(want, "refused") == 0) {
		assert_non_null(strstr(error->message, "Requested node configuration is not available"));
		g_clear_error(&error);
		return;
	}
	if (!j)
		fail_msg("%s: %s", options, error->message);
	w_full(w, t);
	g_autofree char *got = where(w, j);
	if (strcmp(got, want) != 0)
		fail_msg("%s (%s): got \"%s\", wanted \"%s\"", options, w->p->version == SLURM_26 ? "26" : "22.05", got,
		         want);
}

/* Cores and GPUs of a node that somebody holds. */
static void held(struct world *w, uint32_t node, uint64_t cores, uint64_t gpus)
{
	uint64_t words[1] = {cores};
	struct gres_taken taken = {.gres = 0, .count = (uint32_t)__builtin_popcountll(gpus), .devices = gpus};
	struct alloc_node an = {.node = node, .cores = (uint16_t)__builtin_popcountll(cores), .n_gres = 1};
	an.cpus = an.cores;
	struct job_alloc a = {
	    .n = 1, .node = &an, .words = words, .gres = &taken, .cpus = an.cpus, .gpus = taken.count};
	usage_add(w->c->use, &a);
}

/* W4: jobs one after another; sockets with more free cores go first (N66) */
static void one_after_another(void **state)
{
	static const char *const want[] = {"n1 0 gpu 0", "n1 4 gpu 2", "n1 1 gpu 1", "n1 5 gpu 3"};
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = small_world(v, "n1");
		for (size_t i = 0; i < G_N_ELEMENTS(want); i++)
			runs_at(w, 10 + (sec_t)i, "ntasks=1 gres=gpu:1", want[i]);
		world_free(w);
	}
}

struct shape_case {
	const char *options, *new, *old;
};

static void each_on_idle(const struct shape_case *cases, size_t n,
                         struct world *(*make)(enum slurm_version, const char *), const char *nodes)
{
	for (EACH_VERSION(v))
		for (size_t i = 0; i < n; i++) {
			struct world *w = make(v, nodes);
			runs_at(w, 10, cases[i].options, v == SLURM_26 || !cases[i].old ? cases[i].new : cases[i].old);
			world_free(w);
		}
}

/* W4: on an idle node: N66, N67, N68 */
static void on_an_idle_node(void **state)
{
	static const struct shape_case cases[] = {
	    {"nodes=1 ntasks=2 gres=gpu:2", "n1 0-1 gpu 0-1", NULL},
	    {"nodes=1 ntasks=2 gres=gpu:4", "n1 0,4 gpu 0-3", NULL},
	    {"ntasks=1 gres=gpu:4", "n1 4 gpu 0-3", NULL},
	    {"nodes=1 ntasks=6 gres=gpu:2", "n1 0-5 gpu 0-1", "n1 0-5 gpu 0,2"},
	    {"nodes=1 ntasks=6 gres=gpu:2 gres-flags=enforce-binding", "refused", NULL},
	    {"nodes=1 ntasks=4 gres=gpu:2 gres-flags=enforce-binding", "n1 0-3 gpu 0-1", NULL},
	    {"nodes=1 ntasks=1 gpus=3", "n1 4 gpu 0,2-3", NULL},
	    {"nodes=1 ntasks=2 gpus=2 cpus-per-gpu=2", "n1 0-3 gpu 0-1", NULL},
	    {"ntasks=2 nodes=1 gpus-per-task=2", "n1 0,4 gpu 0-3", NULL},
	    {"nodes=1 ntasks=2 sockets-per-node=2 gpus-per-socket=1", "n1 0,4 gpu 0,2", NULL},
	    {"nodes=1 ntasks=1", "n1 0 gpu ", NULL},          /* N65: no GPU unasked */
	    {"nodes=1 exclusive", "n1 0-7 gpu 0-3", NULL},    /* N65: all of them */
	    {"nodes=1 ntasks=1 gres=gpu:5", "refused", NULL}, /* N60 */
	};
	(void)state;
	each_on_idle(cases, G_N_ELEMENTS(cases), small_world, "n1");
}

/* W5: a count per job over two nodes: N42, N66.1, N68 */
static void per_job(void **state)
{
	static const struct shape_case cases[] = {
	    {"nodes=2 ntasks=2 gpus=3", "n1 0 gpu 0-1; n2 0 gpu 0", "n1 4 gpu 2-3; n2 4 gpu 2"},
	    {"gpus=6", "n1 0 gpu 0-3; n2 0 gpu 0-1", NULL},
	};
	(void)state;
	each_on_idle(cases, G_N_ELEMENTS(cases), small_world, "n[1-2]");
}

/* W9: in the one-node test the GPUs of rejected nodes stay counted (26.05 and later) */
static void rejected_nodes_count(void **state)
{
	(void)state;
	struct world *w = small_world(SLURM_26, "n[1-3]");
	held(w, 0, 1, 7);
	runs_at(w, 10, "ntasks=1 gpus=2", "n2 0 gpu 0-1");
	world_free(w);
	w = small_world(SLURM_26, "n[1-3]");
	held(w, 0, 1, 7);
	held(w, 1, 1, 7);
	runs_at(w, 10, "ntasks=1 gpus=2", "waits");
	world_free(w);
}

/* W13: near GPUs are part of the weight and split the runs (N23) */
static void near_gpus(void **state)
{
	static const struct {
		const char *options, *nodes;
	} cases[] = {
	    {"nodes=2 gres=gpu:4", "n[1,3]"}, /* the middle node is unusable */
	    {"nodes=2 gres=gpu:2", "n[1-2]"}, /* near = 2 everywhere: one run */
	    {"nodes=2 gpus=4", "n[1,3]"},     /* 4, 2, 4: three runs */
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = small_world(v, "n[1-3]");
			held(w, 1, 0, 5);
			GError *error = NULL;
			struct job *j = submit(w, 10, cases[i].options, &error);
			w_full(w, 10);
			g_autofree char *nodes = cluster_format_nodes(w->cl, j->nodes);
			assert_string_equal(nodes, cases[i].nodes);
			world_free(w);
		}
}

/* A step of a case; OLD NULL = as NEW. */
struct case_step {
	const char *options, *new, *old;
};

static void steps(struct world *w, const struct case_step *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		runs_at(w, 10 + (sec_t)i, s[i].options, w->p->version == SLURM_26 || !s[i].old ? s[i].new : s[i].old);
	world_free(w);
}

/* Case 42: more cores than a GPU's socket has */
static void case_42(void **state)
{
	static const struct case_step list[] = {
	    {"nodes=1 ntasks=1 cpus-per-task=15 gres=gpu:1", "n1 0-14 gpu 0", NULL},
	    {"nodes=1 ntasks=1 cpus-per-task=15 gres=gpu:1 gres-flags=enforce-binding", "refused", NULL},
	    {"nodes=1 ntasks=1 cpus-per-task=14 gres=gpu:1 gres-flags=enforce-binding", "n2 0-13 gpu 0", NULL},
	    {"ntasks=15 gres=gpu:1 gres-flags=enforce-binding", NULL,
	     "n1 15-27 gpu 2; n2 14-15 gpu 2"}, /* measured on 22.05 */
	};
	(void)state;
	for (EACH_VERSION(v))
		steps(gpu_world(v, "n[1-2]", 14, 4, true), list, G_N_ELEMENTS(list) - (v == SLURM_26));
}

/* Case 44: one task of half the cores with both GPUs sits on both sockets */
static void case_44(void **state)
{
	static const struct case_step list[] = {
	    {"ntasks=1 cpus-per-task=16 gres=gpu:2", "n1 0-7,16-23 gpu 0-1", NULL},
	    {"nodes=1 ntasks=2 cpus-per-task=8 gres=gpu:2", "n2 0-7,16-23 gpu 0-1", NULL},
	    {"nodes=1 ntasks=2 cpus-per-task=8 gres=gpu:2 ntasks-per-socket=1", "waits", NULL},
	};
	(void)state;
	for (EACH_VERSION(v))
		steps(gpu_world(v, "n[1-2]", 16, 2, true), list, G_N_ELEMENTS(list));
}

/* Case 45: GPUs that are near all cores; per node, per task, per job */
static void case_45(void **state)
{
	static const struct case_step list[] = {
	    {"nodes=1 ntasks=4 gres=gpu:1", "n1 0-1,8-9 gpu 0", NULL},
	    {"nodes=1 ntasks=4 gpus-per-task=1", "n1 2-3,10-11 gpu 1-4", NULL},
	    {"nodes=1 ntasks=4 gpus=4", "waits", NULL},
	    {"nodes=1 ntasks=3 gpus-per-task=3", "refused", NULL},
	};
	(void)state;
	for (EACH_VERSION(v))
		steps(gpu_world(v, "n1", 8, 8, false), list, G_N_ELEMENTS(list));
}

/* Case 46: two free GPUs on each of two nodes */
static void case_46(void **state)
{
	static const struct {
		const char *options, *want;
	} list[] = {
	    {"ntasks=4 gpus=4", "n1 0-1,9 gpu 2-3; n2 0 gpu 2-3"},
	    {"ntasks=4 gres=gpu:4", "waits"},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
		struct world *w = gpu_world(SLURM_22_05, "n[1-2]", 8, 4, false);
		held(w, 0, 1u << 8, 3);
		held(w, 1, 1u << 8, 3);
		runs_at(w, 10, list[i].options, list[i].want);
		world_free(w);
	}
}

/* N69: pairs 0-1 and 2-3 are linked four times, all others once */
static void links(void **state)
{
	static const int rows[4][4] = {{-1, 4, 1, 1}, {4, -1, 1, 1}, {1, 1, -1, 4}, {1, 1, 4, -1}};
	static const struct {
		uint64_t busy;
		const char *options, *want;
		enum slurm_version version;
	} list[] = {
	    {0, "nodes=1 gres=gpu:3", "n1 0 gpu 0-2", SLURM_22_05}, /* there the most linked to what is picked */
	    {5, "nodes=1 gres=gpu:2", "n1 0 gpu 1,3", SLURM_22_05},
	    {1, "nodes=1 gres=gpu:2", "n1 0 gpu 1-2", SLURM_22_05},
	    {1, "nodes=1 gpus=2", "n1 0 gpu 2-3", SLURM_22_05},
	    {1, "nodes=1 gpus=2", "n1 0 gpu 2-3", SLURM_26}, /* per job: the best linked pair stays */
	    {0, "nodes=1 gpus=2", "n1 0 gpu 0-1", SLURM_26},
	    {0, "nodes=1 gres=gpu:2", "n1 0 gpu 0,2", SLURM_26}, /* per node: later picks are the least linked */
	    {0, "nodes=1 gpus=3", "n1 0 gpu 0-1,3", SLURM_26},   /* the lowest of equally linked ones goes */
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
		struct world *w = world_new(list[i].version == SLURM_22_05 ? SLURM_22_05 : SLURM_26);
		struct node_config *k = w_nodes(w, "n1", 2, 4, 1);
		k->n_gres = 1;
		k->gres = g_new0(struct node_gres, 1);
		k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 4, .devices = true, .n_groups = 4};
		k->gres[0].group = g_new0(struct gres_group, 4);
		for (uint32_t d = 0; d < 4; d++)
			k->gres[0].group[d] =
			    (struct gres_group){.first = d, .count = 1, .links = g_memdup2(rows[d], sizeof rows[d])};
		w_part(w, "p", "n1");
		w_begin(w, 1);
		held(w, 0, 0, list[i].busy);
		runs_at(w, 10, list[i].options, list[i].want);
		world_free(w);
	}
}

/* N70: one core kept for each GPU: 0, 1 near GPUs 0, 1 and 4, 5 near GPUs 2, 3 */
static struct world *restricted_world(void)
{
	struct world *w = world_new(SLURM_26);
	struct node_config *k = w_nodes(w, "n1", 2, 4, 1);
	k->restricted_cores_per_gpu = 1;
	w_four_gpus(k);
	w_part(w, "p", "n1");
	w_begin(w, 1);
	return w;
}

static void restricted(void **state)
{
	static const char *const list[][2] = {
	    {"ntasks=4 nodes=1", "n1 2-3,6-7 gpu "},
	    {"ntasks=5 nodes=1", "refused"},
	    {"ntasks=1 gres=gpu:1", "n1 1 gpu 0"},
	    {"ntasks=2 nodes=1 gres=gpu:1", "n1 1-2 gpu 0"}, /* one of 0 and 1 for one GPU: the lowest goes */
	    {"ntasks=4 nodes=1 gres=gpu:2", "n1 0-3 gpu 0-1"},
	    {"ntasks=8 nodes=1 gres=gpu:4", "n1 0-7 gpu 0-3"},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
		struct world *w = restricted_world();
		runs_at(w, 10, list[i][0], list[i][1]);
		world_free(w);
	}
	struct world *w = restricted_world();
	runs_at(w, 10, "ntasks=4 nodes=1", "n1 2-3,6-7 gpu ");
	runs_at(w, 11, "ntasks=1 gres=gpu:1", "n1 1 gpu 0");
	runs_at(w, 12, "ntasks=1 gres=gpu:1", "n1 5 gpu 2");
	runs_at(w, 13, "ntasks=1", "waits");
	world_free(w);
}

/* A line with fewer cores than its GPUs need: the node is down. */
static void restricted_too_few(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	struct node_config *k = w_nodes(w, "n1", 2, 4, 1);
	k->restricted_cores_per_gpu = 3;
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 2, .devices = true, .n_groups = 1};
	k->gres[0].group = g_new0(struct gres_group, 1);
	k->gres[0].group[0] = (struct gres_group){.count = 2, .cores = bitset_new(8)};
	bitset_set_range(k->gres[0].group[0].cores, 0, 3);
	w_part(w, "p", "n1");
	w_begin(w, 1);
	assert_int_equal(w->cl->node[0]->base, NODE_DOWN);
	world_free(w);
}

/* N28 with a count of GPUs for the whole job: the terms give it together */
static void counted_features(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	for (int i = 0; i < 2; i++) {
		struct node_config *k = w_nodes(w, i ? "h1" : "a1", 1, 8, 1);
		w_features(k, i ? "h100" : "a100");
		k->n_gres = 1;
		k->gres = g_new0(struct node_gres, 1);
		k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 2, .devices = true, .n_groups = 1};
		k->gres[0].group = g_new0(struct gres_group, 1);
		k->gres[0].group[0].count = 2;
	}
	w_part(w, "p", "ALL");
	w_begin(w, 1);
	runs_at(w, 10, "nodes=2 ntasks=3 gpus=3 constraint=[a100*1&h100*1]", "a1 0-1 gpu 0-1; h1 0 gpu 0");
	world_free(w);
}

/* ENFORCE_BINDING_GRES (N67): a default that --gres-flags=disable-binding switches off */
static void enforced_by_default(void **state)
{
	(void)state;
	struct world *w = small_world(SLURM_26, "n1");
	w->p->enforce_binding_gres = true;
	runs_at(w, 10, "nodes=1 ntasks=6 gres=gpu:2", "refused");
	runs_at(w, 11, "nodes=1 ntasks=6 gres=gpu:2 gres-flags=disable-binding", "n1 0-5 gpu 0-1");
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_after_another),
	    cmocka_unit_test(on_an_idle_node),
	    cmocka_unit_test(per_job),
	    cmocka_unit_test(rejected_nodes_count),
	    cmocka_unit_test(near_gpus),
	    cmocka_unit_test(links),
	    cmocka_unit_test(counted_features),
	    cmocka_unit_test(restricted),
	    cmocka_unit_test(restricted_too_few),
	    cmocka_unit_test(enforced_by_default),
	    cmocka_unit_test(case_42),
	    cmocka_unit_test(case_44),
	    cmocka_unit_test(case_45),
	    cmocka_unit_test(case_46),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
