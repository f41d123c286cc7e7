/* placement.c - see placement.h */
#include "models/placement.h"
#include "sched/cores.h"
#include <string.h>

static const struct placement_class classes[] = {
    {"cnn", 0.05, 0.05, 1.0},   /* ResNet-50 is what was measured beside busy neighbours */
    {"dense", 0.20, 0.05, 0.5}, /* dense LLM, good overlap */
    {"comm", 0.40, 0.05, 0.5},  /* VGG-like, MoE, tensor parallel */
    {"none", 0, 0, 0},
    {NULL, 0, 0, 0},
};

enum { COPY, NEIGHBOURS, LINKS, NODES, LEAVES };
static const struct placement_constant constants[] = {
    [COPY] = {"copy", 0.7, "h2d_remote_factor.default",
              "S spread: 1.0 (EPYC 9554 + MI210, RecStore), 0.7 (pytorch #160420), 0.2-0.5 (DeepSpeed #1576), 0.31 "
              "(gearshifft PR #82, old Xeon), 0.35 (torchtitan PR #3519, Grace-Blackwell); default D"},
    [NEIGHBOURS] = {"neighbours", 0.66, "placement[2].factor", "R Philly: 75.6/114.8"},
    [LINKS] = {"links", 0.1, "placement[7].factor", "S nccl-tests #178"},
    /* speeds of whole jobs of class comm: the bandwidth that gives them is derived */
    [NODES] = {"nodes", 0.78, "placement[6].factor", "R Themis NSDI'20: 80.4/103.6"},
    [LEAVES] = {"leaves", 0.65, "placement[8].factor", "weak vendor blog (Fluidstack)"},
    {NULL, 0, NULL, NULL},
};

const struct placement_class *placement_classes(void)
{
	return classes;
}

const struct placement_constant *placement_constants(void)
{
	return constants;
}

const struct placement_class *placement_find(const char *name)
{
	for (const struct placement_class *k = classes; k->name; k++)
		if (strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

/* The bandwidth, of 1, at which a job of class comm has SPEED. */
static double bandwidth_for(double speed)
{
	double c = placement_find("comm")->c;
	return c / (1 / speed - 1 + c);
}

static const struct placement_class *class_of(const struct placement_class *otherwise, const struct job *j)
{
	const char *at = j->req->comment ? strstr(j->req->comment, "placement:") : NULL;
	if (!at)
		return otherwise;
	at += strlen("placement:");
	size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
	for (const struct placement_class *k = classes; k->name; k++)
		if (strlen(k->name) == n && strncmp(k->name, at, n) == 0)
			return k;
	return otherwise;
}

/* ---- what is found ---- */

struct found {
	uint32_t gpus, far, nodes, shared, most_gpus;
	bool unlinked; /* some node gives linked GPUs a miss */
};

static const struct gres_group *group_of(const struct node_gres *g, uint32_t device)
{
	for (uint32_t i = 0; i < g->n_groups; i++)
		if (device >= g->group[i].first && device < g->group[i].first + g->group[i].count)
			return &g->group[i];
	return NULL;
}

/* Does the job hold a core on a socket of GPU D? */
static bool has_near_core(const struct node_config *k, const struct gres_group *g, const uint64_t *cores)
{
	if (!g || !g->sockets)
		return true;
	int64_t x;
	for (BITSET_EACH(x, g->sockets))
		if (cores_on_socket(cores, k, (uint32_t)x))
			return true;
	return false;
}

static bool linked(const struct node_gres *g, uint32_t a, uint32_t b)
{
	const struct gres_group *x = group_of(g, a);
	return x && x->links && x->links[b] > 0;
}

/* All of DEVICES linked with each other? */
static bool all_linked(const struct node_gres *g, uint64_t devices)
{
	for (uint32_t a = 0; a < MIN(g->count, 64u); a++)
		for (uint32_t b = a + 1; b < MIN(g->count, 64u); b++)
			if ((devices >> a) & (devices >> b) & 1 && !linked(g, a, b))
				return false;
	return true;
}

/* Are there N GPUs on the node that are all linked? Grown greedily from each. */
static bool linked_set_exists(const struct node_gres *g, uint32_t n)
{
	for (uint32_t a = 0; a < MIN(g->count, 64u); a++) {
		uint64_t set = UINT64_C(1) << a;
		for (uint32_t b = 0; b < MIN(g->count, 64u); b++)
			if (b != a && all_linked(g, set | UINT64_C(1) << b))
				set |= UINT64_C(1) << b;
		if ((uint32_t)__builtin_popcountll(set) >= n)
			return true;
	}
	return false;
}

static void look_at_gpus(struct found *f, const struct node_config *k, const struct node_gres *g, uint64_t devices,
                         const uint64_t *cores)
{
	uint32_t n = (uint32_t)__builtin_popcountll(devices);
	f->gpus += n;
	for (uint32_t d = 0; d < MIN(g->count, 64u); d++)
		if ((devices >> d) & 1)
			f->far += !has_near_core(k, group_of(g, d), cores);
	bool known = g->n_groups && g->group[0].links;
	if (known && n > 1 && !all_linked(g, devices) && linked_set_exists(g, n))
		f->unlinked = true;
}

static void look(struct found *f, const struct controller *c, const struct job *j)
{
	const struct cluster *cl = controller_cluster((struct controller *)(uintptr_t)c);
	for (uint32_t i = 0; i < j->alloc->n; i++) {
		const struct alloc_node *an = &j->alloc->node[i];
		const struct node_config *k = cl->node[an->node]->config;
		f->nodes++;
		f->shared += usage_node(controller_usage(c), an->node)->jobs > 1;
		for (uint32_t t = 0; t < an->n_gres; t++) {
			const struct gres_taken *taken = &j->alloc->gres[an->gres_first + t];
			const struct node_gres *g = &k->gres[taken->gres];
			if (strcmp(g->name, "gpu") != 0 || !g->devices)
				continue;
			f->most_gpus = MAX(f->most_gpus, g->count);
			look_at_gpus(f, k, g, taken->devices, j->alloc->words + an->core_word);
		}
	}
}

/* Leaf switches that the job spans, and how many its nodes need at least; both 0 without a tree. */
static void count_leaves(const struct job *j, uint32_t *spanned, uint32_t *needed)
{
	const struct topology *t = j->part->topology;
	uint32_t nodes = bitset_count(j->nodes), largest = 0;
	*spanned = *needed = 0;
	if (!t || t->kind != TOPOLOGY_TREE)
		return;
	for (guint i = 0; i < t->units->len; i++) {
		const struct topo_unit *u = topology_unit(t, i);
		if (u->level != 0)
			continue;
		*spanned += bitset_intersects(u->nodes, j->nodes);
		largest = MAX(largest, bitset_count(u->nodes));
	}
	*needed = largest ? (nodes + largest - 1) / largest : 0;
}

/* ---- what it costs ---- */

static void say(struct placement_cost *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void say(struct placement_cost *out, const char *format, ...)
{
	size_t n = strlen(out->why);
	va_list args;
	if (n && n + 2 < sizeof out->why) {
		strcpy(out->why + n, ", ");
		n += 2;
	}
	va_start(args, format);
	g_vsnprintf(out->why + n, sizeof out->why - n, format, args);
	va_end(args);
}

static double bandwidth(const struct found *f, const struct job *j, struct placement_cost *out)
{
	double b = 1;
	uint32_t spanned, needed, least = f->most_gpus ? (f->gpus + f->most_gpus - 1) / f->most_gpus : f->nodes;
	if (f->unlinked) {
		b = constants[LINKS].value;
		say(out, "GPUs without links");
	}
	if (f->nodes > least && f->gpus > 1) {
		b = MIN(b, bandwidth_for(constants[NODES].value));
		say(out, "%u nodes where %u would do", f->nodes, least);
	}
	count_leaves(j, &spanned, &needed);
	if (spanned > needed && needed) {
		b = MIN(b, bandwidth_for(constants[LEAVES].value));
		say(out, "%u leaf switches where %u would do", spanned, needed);
	}
	return b;
}

void placement_cost(const struct placement_class *default_class, const struct controller *c, const struct job *job,
                    struct placement_cost *out)
{
	const struct placement_class *k = class_of(default_class, job);
	struct found f = {0};
	*out = (struct placement_cost){.class = k, .factor = 1};
	if (!job->alloc || !job->alloc->gpus)
		return;
	look(&f, c, job);
	double far = f.gpus ? (double)f.far / f.gpus : 0, shared = f.nodes ? (double)f.shared / f.nodes : 0;
	double b = k->c > 0 && f.gpus > 1 ? bandwidth(&f, job, out) : 1;
	out->factor = (1 - k->c - k->h) + k->c / b + k->h * ((1 - far) + far / constants[COPY].value) +
	              k->n * shared * (1 / constants[NEIGHBOURS].value - 1);
	if (far > 0 && k->h > 0)
		say(out, "%u of %u GPUs far from its cores", f.far, f.gpus);
	if (shared > 0 && k->n > 0)
		say(out, "%u of %u nodes shared", f.shared, f.nodes);
	if (out->factor < 1 + 1e-9) {
		out->factor = 1;
		out->why[0] = '\0';
	}
}
