/*
 * blocker_never.c - why a job could never run in its partition: see blocker.h
 *
 * Demand by demand, in the order of the request, nodes that do not meet it are left out; the first demand that leaves
 * fewer than the job needs is the one named. Then what the rest of them have together.
 */
#include "sched/features.h"
#include "sched/reservation.h"
#include "sched/state.h"

struct looked {
	const struct controller *c;
	const struct job *j;
	struct bitset *left;
	struct blocker b; /* kind is set once it is found */
};

typedef bool meets_fn(const struct looked *l, uint32_t node, const struct node_config *k);

static bool not_excluded(const struct looked *l, uint32_t node, const struct node_config *k)
{
	(void)k;
	return !l->j->exc_nodes || !bitset_test(l->j->exc_nodes, node);
}

static bool in_reservation(const struct looked *l, uint32_t node, const struct node_config *k)
{
	(void)k;
	return !l->j->resv || !resv_binds(l->j->resv) || bitset_test(l->j->resv->nodes, node);
}

static bool has_features(const struct looked *l, uint32_t node, const struct node_config *k)
{
	(void)node;
	return !l->j->features || features_allow(l->j->features, k);
}

static bool has_cpus(const struct looked *l, uint32_t node, const struct node_config *k)
{
	(void)node;
	return k->cpus >= MAX(l->j->pn_min_cpus, (uint32_t)l->j->cpt);
}

static bool has_layout(const struct looked *l, uint32_t node, const struct node_config *k)
{
	const struct job_request *r = l->j->req;
	(void)node;
	return (r->sockets_per_node == NO_VAL || k->sockets >= r->sockets_per_node) &&
	       (r->cores_per_socket == NO_VAL || k->cores_per_socket >= r->cores_per_socket) &&
	       (r->threads_per_core == NO_VAL || k->threads >= r->threads_per_core);
}

static uint64_t memory_a_node(const struct job *j)
{
	return j->mem_per_cpu ? j->pn_min_memory * MAX(1u, MAX(j->pn_min_cpus, (uint32_t)j->cpt)) : j->pn_min_memory;
}

static bool has_memory(const struct looked *l, uint32_t node, const struct node_config *k)
{
	uint64_t spec = l->c->p->cr_memory ? MIN(k->mem_spec_limit, k->real_memory) : 0;
	(void)node;
	return memory_a_node(l->j) <= k->real_memory - spec;
}

static bool has_disk(const struct looked *l, uint32_t node, const struct node_config *k)
{
	(void)node;
	return l->j->req->tmp == NO_VAL64 || k->tmp_disk >= l->j->req->tmp;
}

static uint32_t gres_a_node(const struct gres_want *w)
{
	return MAX(MAX(w->per_node, w->per_task), 1u);
}

static bool has_gres(const struct looked *l, uint32_t node, const struct node_config *k)
{
	(void)node;
	for (uint32_t g = 0; g < l->j->n_gres; g++)
		if (node_config_gres(k, l->j->gres[g].name, l->j->gres[g].type) < gres_a_node(&l->j->gres[g]))
			return false;
	return true;
}

static const char *gres_words(const struct job *j)
{
	g_autoptr(GString) s = g_string_new("nodes with");
	for (uint32_t g = 0; g < j->n_gres; g++)
		g_string_append_printf(s, "%s %s%s%s x %u", g ? "," : "", j->gres[g].name, j->gres[g].type ? "/" : "",
		                       j->gres[g].type ? j->gres[g].type : "", gres_a_node(&j->gres[g]));
	return g_intern_string(s->str);
}

static const char *number_words(const char *format, uint64_t n)
{
	g_autofree char *n_text = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)n);
	g_autofree char *s = g_strdup_printf("nodes with %s %s", n_text, format);
	return g_intern_string(s);
}

static const char *option_words(const char *how, const char *option, const char *value)
{
	g_autofree char *s = g_strdup_printf("nodes %s %s=%s", how, option, value ? value : "");
	return g_intern_string(s);
}

/* What the demand number I is called. */
static const char *words(const struct job *j, int i)
{
	switch (i) {
	case 0:
		return option_words("outside of", "--exclude", j->req->exclude);
	case 1:
		return option_words("of", "--reservation", j->resv->name);
	case 2:
		return option_words("with", "--constraint", j->req->constraint);
	case 3:
		return number_words("CPUs each", MAX(j->pn_min_cpus, (uint32_t)j->cpt));
	case 4:
		return "nodes with the sockets, cores and threads asked for";
	case 5:
		return number_words("MiB of memory each", memory_a_node(j));
	case 6:
		return number_words("MiB of --tmp each", j->req->tmp);
	default:
		return gres_words(j);
	}
}

static void found(struct looked *l, const char *what, uint64_t value, uint64_t request)
{
	l->b = (struct blocker){
	    .kind = BLOCKER_NEVER, .part = l->j->part, .what = what, .value = value, .request = request};
}

static void demand(struct looked *l, int number, meets_fn *meets)
{
	int64_t i;
	uint32_t before = bitset_count(l->left);
	for (BITSET_EACH(i, l->left))
		if (!meets(l, (uint32_t)i, l->c->cl->node[i]->config))
			bitset_clear(l->left, (uint32_t)i);
	uint32_t n = bitset_count(l->left);
	if (n < before && n < l->j->min_nodes)
		found(l, words(l->j, number), n, l->j->min_nodes);
}

static int more(gconstpointer a, gconstpointer b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x > y ? -1 : x < y;
}

/* CPUs of as many nodes as the job may have, the largest first. */
static uint64_t cpus_of_most(const struct looked *l)
{
	const struct partition *p = l->j->part;
	uint32_t most = l->j->max_nodes != NO_VAL ? l->j->max_nodes : p->max_nodes;
	g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t sum = 0;
	int64_t i;
	for (BITSET_EACH(i, l->left)) {
		uint64_t n = MIN(l->c->cl->node[i]->config->cpus, p->max_cpus_per_node);
		g_array_append_val(cpus, n);
	}
	g_array_sort(cpus, more);
	for (guint k = 0; k < MIN(most, cpus->len); k++)
		sum += g_array_index(cpus, uint64_t, k);
	return sum;
}

static void together(struct looked *l)
{
	const struct job *j = l->j;
	uint64_t cpus = cpus_of_most(l);
	if (cpus < j->min_cpus) {
		found(l, "CPUs of the nodes that it may have", cpus, j->min_cpus);
		return;
	}
	for (uint32_t g = 0; g < j->n_gres; g++) {
		uint64_t sum = 0, wanted = blocker_gres_wanted(j, g);
		int64_t i;
		for (BITSET_EACH(i, l->left))
			sum += node_config_gres(l->c->cl->node[i]->config, j->gres[g].name, j->gres[g].type);
		if (sum < wanted) {
			found(l, j->gres[g].name, sum, wanted);
			return;
		}
	}
	found(l, "nodes with all of it at once", NO_VAL64, j->min_nodes);
}

struct blocker blocker_never(const struct controller *c, const struct job *j)
{
	static meets_fn *const demands[] = {not_excluded, in_reservation, has_features, has_cpus,
	                                    has_layout,   has_memory,     has_disk,     has_gres};
	struct looked l = {c, j, bitset_copy(j->part->nodes), {0}};
	if (bitset_count(l.left) < j->min_nodes)
		found(&l, "nodes", bitset_count(l.left), j->min_nodes);
	for (int i = 0; i < (int)G_N_ELEMENTS(demands) && l.b.kind == BLOCKER_NONE; i++)
		demand(&l, i, demands[i]);
	if (l.b.kind == BLOCKER_NONE)
		together(&l);
	bitset_free(l.left);
	return l.b;
}
