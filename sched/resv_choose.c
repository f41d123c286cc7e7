/* resv_choose.c - which nodes and cores a new or changed reservation gets (lifecycle C64); see resv_draft.h */
#include "sched/features.h"
#include "sched/resv_gres.h"

#include <string.h>

#define BUSY_TEXT "Requested nodes are busy"
#define NEVER_TEXT "Requested node configuration is not available"
#define UNSUPPORTED "Requested operation not supported on this system"
#define OVERLAP_TEXT "Requested reservation overlaps with another reservation"
#define UNEVEN_TEXT "Core count for reservation node list is not consistent!"
#define NOTE_TEXT "\nNote, unless nodes are directly requested a reservation must exist in a single partition.\n" \
	"If no partition is requested the default partition is assumed."

static bool shares_nodes(const struct reservation *r)
{
	return r->flags & (RESV_FLAG(MAINT) | RESV_FLAG(OVERLAP));
}

static bool is_old(const struct resv_draft *d)
{
	return d->c->p->version == SLURM_22_05;
}

/* Not of whole nodes. */
static bool of_parts(const struct resv_draft *d)
{
	return d->cores->len || d->wants;
}

static void add_cores(const struct job_alloc *a, uint32_t node, struct bitset *out)
{
	for (uint32_t k = 0; k < a->n; k++)
		for (uint32_t w = 0; a->node[k].node == node && w < out->nwords; w++)
			out->word[w] |= a->words[a->node[k].core_word + w];
}

/* Cores of NODE that other reservations have at its times: OUT gets them. Recorded (22.05): one of whole nodes does not mind those of cores. */
static void cores_reserved(const struct resv_draft *d, uint32_t node, struct bitset *out)
{
	const struct controller *c = d->c;
	for (guint i = 0; i < c->resvs->len && !shares_nodes(d->r); i++) {
		const struct reservation *s = c->resvs->pdata[i];
		if (strcmp(s->name, d->r->name) == 0 || !bitset_test(s->nodes, node) || !resv_times_meet(c, d->r, s))
			continue;
		if (!s->cores)
			bitset_set_all(out);
		else if (of_parts(d) || !is_old(d))
			add_cores(s->cores, node, out);
	}
}

void resv_cores_in_use(const struct resv_draft *d, uint32_t node, struct bitset *out)
{
	bitset_clear_all(out);
	cores_reserved(d, node, out);
	for (const struct job *j = d->c->running.head; j && !(d->r->flags & RESV_FLAG(IGNORE_JOBS)); j = j->next)
		if (j->end > d->r->start && bitset_test(j->nodes, node))
			add_cores(j->alloc, node, out);
}

static bool is_reserved(const struct resv_draft *d, uint32_t node)
{
	struct bitset *cores = bitset_new(d->c->cl->node[node]->config->cores);
	cores_reserved(d, node, cores);
	bool any = !bitset_empty(cores);
	bitset_free(cores);
	return any;
}

static uint32_t free_cores(const struct resv_draft *d, uint32_t node)
{
	uint32_t n = d->c->cl->node[node]->config->cores;
	struct bitset *used = bitset_new(n);
	resv_cores_in_use(d, node, used);
	n -= bitset_count(used);
	bitset_free(used);
	return n;
}

static bool node_free(const struct resv_draft *d, uint32_t node)
{
	return free_cores(d, node) == d->c->cl->node[node]->config->cores;
}

static gint by_weight(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct resv_draft *d = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct node_config *p = d->c->cl->node[x]->config, *q = d->c->cl->node[y]->config;
	bool i = bitset_test(d->c->use->idle, x), k = bitset_test(d->c->use->idle, y);
	if (p->weight != q->weight)
		return p->weight < q->weight ? -1 : 1;
	if (i != k)
		return i ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Nodes that a reservation by count may take, the best first. */
static GArray *candidates(const struct resv_draft *d)
{
	const struct cluster *cl = d->c->cl;
	const struct partition *p = d->r->part ? d->r->part : cl->default_partition;
	GArray *list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < cl->n_nodes; i++) {
		if ((p && !bitset_test(p->nodes, i)) || !node_available(cl->node[i]))
			continue;
		if (d->r->features && !features_text_allows(cl, d->r->features, cl->node[i]->config))
			continue;
		g_array_append_val(list, i);
	}
	if (list->len > 1)
		g_qsort_with_data(list->data, (gint)list->len, sizeof(uint32_t), by_weight, (gpointer)d);
	return list;
}

/* Hold WANT cores of NODE, the lowest free ones. */
static void hold_cores(const struct resv_draft *d, uint32_t node, uint32_t want, GArray *words, GArray *nodes)
{
	uint32_t n_cores = d->c->cl->node[node]->config->cores;
	struct bitset *used = bitset_new(n_cores), *mine = bitset_new(n_cores);
	resv_cores_in_use(d, node, used);
	for (int64_t i = bitset_next_clear(used, 0); i >= 0 && want;
	     i = bitset_next_clear(used, (uint32_t)i + 1), want--)
		bitset_set(mine, (uint32_t)i);
	struct alloc_node an = {.node = node, .cores = (uint16_t)bitset_count(mine), .core_word = words->len};
	g_array_append_vals(words, mine->word, mine->nwords);
	g_array_append_val(nodes, an);
	bitset_free(used);
	bitset_free(mine);
}

static int node_cmp(gconstpointer a, gconstpointer b)
{
	const struct alloc_node *x = a, *y = b;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void keep_cores(struct resv_draft *d, GArray *words, GArray *nodes)
{
	struct job_alloc *a = g_new0(struct job_alloc, 1);
	g_array_sort(nodes, node_cmp);
	a->n = nodes->len;
	a->words = (uint64_t *)(void *)g_array_free(words, FALSE);
	a->node = (struct alloc_node *)(void *)g_array_free(nodes, FALSE);
	for (uint32_t i = 0; i < a->n; i++)
		a->cpus += a->node[i].cores * d->c->cl->node[a->node[i].node]->config->cpus_per_core;
	d->r->cores = a;
	d->r->cores_since = d->c->now_s;
}

/* CoreCnt: of named nodes a number for each; with a number of nodes spread over these; else as many nodes as needed. */
static bool choose_cores(struct resv_draft *d, GArray *list)
{
	GArray *words = g_array_new(FALSE, TRUE, sizeof(uint64_t)),
	       *nodes = g_array_new(FALSE, TRUE, sizeof(struct alloc_node));
	uint32_t total = 0, share = 0;
	for (guint i = 0; i < d->cores->len; i++)
		total += g_array_index(d->cores, uint32_t, i);
	if (!d->has_nodes && d->node_cnt)
		share = (total + d->node_cnt - 1) / d->node_cnt;
	uint32_t left = total;
	bitset_clear_all(d->r->nodes);
	for (guint i = 0; i < list->len && left; i++) {
		uint32_t node = g_array_index(list, uint32_t, i), free = free_cores(d, node);
		uint32_t want = d->has_nodes ? g_array_index(d->cores, uint32_t, i) : share ? MIN(share, left) : MIN(left, free);
		if (!want || want > free)
			continue;
		hold_cores(d, node, want, words, nodes);
		bitset_set(d->r->nodes, node);
		left -= MIN(left, want);
	}
	keep_cores(d, words, nodes);
	d->r->core_cnt = total;
	return left == 0 || resv_refused(d, d->has_nodes && !is_old(d) ? BUSY_TEXT : BUSY_TEXT NOTE_TEXT);
}

/* A changed count: the reservation keeps what it has (recorded: fewer leaves the first ones, more adds free ones). */
static uint32_t keep_some(const struct resv_draft *d, const struct bitset *had)
{
	uint32_t left = d->node_cnt, n = bitset_count(had);
	int64_t i;
	for (BITSET_EACH(i, had)) {
		if (n-- > d->node_cnt)
			continue;
		bitset_set(d->r->nodes, (uint32_t)i);
		left--;
	}
	return left;
}

static bool choose_by_count(struct resv_draft *d, const struct bitset *had)
{
	if (!d->r->part && d->create) /* recorded: shown as its partition */
		d->r->part = d->c->cl->default_partition;
	g_autoptr(GArray) list = candidates(d);
	d->r->by_count = true;
	if (d->wants)
		return resv_gres_choose(d, list);
	if (d->cores->len)
		return choose_cores(d, list);
	uint32_t left = keep_some(d, had);
	for (guint i = 0; i < list->len && left; i++) {
		uint32_t node = g_array_index(list, uint32_t, i);
		if (bitset_test(d->r->nodes, node) || !node_free(d, node))
			continue;
		bitset_set(d->r->nodes, node);
		left--;
	}
	if (left == 0 || (is_old(d) && !bitset_empty(d->r->nodes))) /* recorded: 22.05 takes what there is */
		return true;
	return resv_refused(d, list->len ? BUSY_TEXT NOTE_TEXT : NEVER_TEXT NOTE_TEXT);
}

static void all_nodes(struct resv_draft *d)
{
	struct reservation *r = d->r;
	r->flags |= RESV_FLAG(SPEC_NODES) | (r->part ? RESV_FLAG(PART_NODES) : RESV_FLAG(ALL_NODES));
	if (r->part)
		bitset_assign(r->nodes, r->part->nodes);
	else
		bitset_set_all(r->nodes);
}

static bool named_nodes(struct resv_draft *d, const struct bitset *had)
{
	struct reservation *r = d->r;
	const char *text = d->nodes_text;
	if (!text || g_ascii_strcasecmp(text, "all") == 0) {
		all_nodes(d);
		return true;
	}
	struct bitset *set = cluster_parse_nodes(d->c->cl, text, NULL);
	if (!set)
		return resv_refused(d, "Invalid node name specified");
	r->flags = (r->flags & ~(RESV_FLAG(PART_NODES) | RESV_FLAG(ALL_NODES))) | RESV_FLAG(SPEC_NODES);
	bitset_assign(r->nodes, d->nodes_sign ? had : set);
	if (d->nodes_sign == '+')
		bitset_or(r->nodes, set);
	else if (d->nodes_sign == '-')
		bitset_andnot(r->nodes, set);
	r->by_count = false;
	bitset_free(set);
	return !bitset_empty(r->nodes) || resv_refused(d, "Invalid node name specified");
}

static bool check_named(struct resv_draft *d)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	int64_t i;
	for (BITSET_EACH(i, d->r->nodes)) {
		uint32_t node = (uint32_t)i;
		if (!of_parts(d) && !node_free(d, node))
			return resv_refused(d, is_reserved(d, node) ? OVERLAP_TEXT : is_old(d) ? BUSY_TEXT NOTE_TEXT : BUSY_TEXT);
		if (of_parts(d) && free_cores(d, node) == 0 && is_reserved(d, node))
			return resv_refused(d, OVERLAP_TEXT);
		g_array_append_val(list, node);
	}
	if (!of_parts(d))
		return true;
	if (d->cores->len && d->cores->len != list->len && !d->cores_each) /* recorded */
		return resv_refused(d, d->cores->len < list->len ? UNEVEN_TEXT : BUSY_TEXT NOTE_TEXT);
	if (!d->r->part)
		d->r->part = d->c->cl->default_partition;
	return d->wants ? resv_gres_choose(d, list) : choose_cores(d, list);
}

static void count_cores(struct resv_draft *d)
{
	struct reservation *r = d->r;
	int64_t i;
	if (r->cores)
		return;
	r->core_cnt = 0;
	for (BITSET_EACH(i, r->nodes))
		r->core_cnt += d->c->cl->node[i]->config->cores;
}

/* C58, C60: what others hold reserved at its times, and its own, is no more than there is. */
static bool licenses_left(const struct resv_draft *d)
{
	const struct controller *c = d->c;
	for (uint32_t k = 0; d->r->licenses && k < license_kinds(c->cl); k++) {
		uint64_t sum = d->r->licenses[k];
		for (guint i = 0; i < c->resvs->len; i++) {
			const struct reservation *s = c->resvs->pdata[i];
			if (s->licenses && strcmp(s->name, d->r->name) != 0 && resv_times_meet(c, d->r, s))
				sum += s->licenses[k];
		}
		if (d->r->licenses[k] && sum > ((const struct license *)c->cl->licenses->pdata[k])->total)
			return resv_refused(d, "Invalid license specification");
	}
	return true;
}

/* What scontrol and slurmctld refuse before they look at nodes. */
static bool flags_agree(const struct resv_draft *d)
{
	const struct reservation *r = d->r;
	const uint32_t replace = RESV_FLAG(REPLACE) | RESV_FLAG(REPLACE_DOWN);
	bool all = d->nodes_text && g_ascii_strcasecmp(d->nodes_text, "all") == 0;
	if (d->part_nodes && (!r->part || !all))
		return resv_misread(d, "PART_NODES flag requires specifying a Partition and ALL nodes");
	if (r->flags & RESV_FLAG(TIME_FLOAT) && r->flags & RESV_RECURRING)
		return resv_refused(d, UNSUPPORTED);
	if (d->has_nodes && r->flags & replace)
		return resv_refused(d, d->create ? "Invalid node name specified" : UNSUPPORTED);
	if (!d->create && d->has_features)
		return resv_refused(d, UNSUPPORTED);
	if (d->create && of_parts(d) && r->flags & replace) /* recorded */
		return resv_refused(d, "CPU count specification invalid");
	if (d->wants && d->wants->len && r->flags & RESV_FLAG(ANY_NODES))
		return resv_misread(d, "GRES are of nodes: ANY_NODES (LICENSE_ONLY) reserves none");
	const struct reservation *was = d->create ? NULL : resv_find(d->c, r->name);
	if (was && (of_parts(d) || (was->cores && (d->has_nodes || d->node_cnt))))
		return resv_refused(d, "Core-based reservation can not be updated");
	return licenses_left(d);
}

bool resv_draft_nodes(struct resv_draft *d)
{
	struct reservation *r = d->r;
	bool by_count = d->node_cnt || of_parts(d);
	if (!flags_agree(d))
		return false;
	if (!d->create && !d->has_nodes && !by_count)
		return true;
	struct bitset *had = bitset_copy(r->nodes);
	bool ok = true;
	job_alloc_free(r->cores);
	r->cores = NULL;
	bitset_clear_all(r->nodes);
	if (r->flags & RESV_FLAG(ANY_NODES) && !d->has_nodes) /* of none in particular: licences alone, also when a number is given */
		d->node_cnt = 0;
	else if (d->parts)
		ok = resv_parts_set(d);
	else if (!d->has_nodes && by_count)
		ok = choose_by_count(d, had);
	else if (d->has_nodes || r->part)
		ok = named_nodes(d, had) && check_named(d);
	else if (r->licenses)
		ok = resv_refused(d, "Invalid node name specified"); /* recorded: LICENSE_ONLY must be said */
	else
		ok = resv_misread(d, "CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified");
	bitset_free(had);
	count_cores(d);
	return ok;
}

bool resv_move_cores(struct controller *c, struct reservation *r, uint32_t from, uint32_t to)
{
	struct job_alloc *old = r->cores;
	if (old->gres)
		return resv_gres_move(c, r, from, to);
	GArray *words = g_array_new(FALSE, TRUE, sizeof(uint64_t)), *nodes = g_array_new(FALSE, TRUE, sizeof(struct alloc_node));
	struct resv_draft d = {.c = c, .r = r, .cores = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	g_array_set_size(d.cores, 1); /* it is one of cores */
	bool fits = true;
	for (uint32_t i = 0; i < old->n; i++) {
		struct alloc_node an = old->node[i];
		if (an.node == from) {
			fits = free_cores(&d, to) >= an.cores;
			hold_cores(&d, to, an.cores, words, nodes);
			continue;
		}
		uint32_t first = an.core_word;
		an.core_word = words->len;
		g_array_append_vals(words, old->words + first, (c->cl->node[an.node]->config->cores + 63) / 64);
		g_array_append_val(nodes, an);
	}
	r->cores = NULL;
	keep_cores(&d, words, nodes);
	if (fits) {
		job_alloc_free(old);
	} else {
		job_alloc_free(r->cores);
		r->cores = old;
	}
	g_array_unref(d.cores);
	return fits;
}
