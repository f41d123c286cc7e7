/* blocker.c - see blocker.h. RESOURCE without a partition is a licence; NODES: "use" is what reservations keep. */
#include "sched/blocker.h"
#include "sched/state.h"
#include "sched/share.h"

#include <string.h>

struct blocker blocker_job(enum blocker_kind kind, const struct job *ahead)
{
	return (struct blocker){
	    .kind = kind, .job = ahead->id, .array = ahead->array ? ahead->array->job_id : 0, .task = ahead->task};
}

struct blocker blocker_partition(const struct partition *p, const char *what, uint64_t value, uint64_t request)
{
	return (struct blocker){.kind = BLOCKER_PARTITION, .part = p, .what = what, .value = value, .request = request};
}

/* ---- what is short ---- */

struct free_now {
	uint64_t nodes, cpus, mem_nodes, gres;
};

static uint64_t memory_a_node(const struct job *j, const struct node_config *k)
{
	if (j->mem_all)
		return k->real_memory - MIN(k->real_memory, k->mem_spec_limit);
	return j->pn_min_memory * (j->mem_per_cpu ? MAX(1u, (uint32_t)j->cpt) : 1u);
}

static uint64_t gres_free(const struct controller *c, const struct job *j, uint32_t node)
{
	const struct node_config *k = c->cl->node[node]->config;
	for (uint32_t g = 0; j->n_gres && g < k->n_gres; g++)
		if (strcmp(k->gres[g].name, j->gres[0].name) == 0) {
			uint32_t have = node_config_gres(k, j->gres[0].name, j->gres[0].type),
			         used = usage_gres(c->use, node)[g].count;
			return have - MIN(have, used);
		}
	return 0;
}

static struct free_now look(const struct controller *c, const struct job *j, const struct bitset *avail)
{
	struct free_now f = {0};
	bool alone = share_alone(c->p, j);
	int64_t i;
	for (BITSET_EACH(i, j->part->nodes)) {
		const struct node_config *k = c->cl->node[i]->config;
		const struct node_use *u = usage_node(c->use, (uint32_t)i);
		if (!bitset_test(avail, (uint32_t)i) || (j->exc_nodes && bitset_test(j->exc_nodes, (uint32_t)i)))
			continue;
		if (j->req_nodes && !bitset_test(j->req_nodes, (uint32_t)i))
			continue;
		bool open = !u->completing && (alone ? u->jobs == 0 : u->exclusive == 0);
		f.nodes += open;
		if (!open)
			continue;
		f.cpus += k->cpus - MIN(k->cpus, u->cpus);
		uint64_t spec = MIN(k->real_memory, k->mem_spec_limit), mem = k->real_memory - spec;
		f.mem_nodes += mem - MIN(mem, u->mem) >= memory_a_node(j, k);
		f.gres += gres_free(c, j, (uint32_t)i);
	}
	return f;
}

static uint64_t gres_wanted(const struct job *j)
{
	const struct gres_want *w = &j->gres[0];
	uint64_t tasks = j->ntasks != NO_VAL ? j->ntasks : j->min_nodes;
	return w->per_job    ? w->per_job
	       : w->per_node ? (uint64_t)w->per_node * j->min_nodes
	       : w->per_task ? w->per_task * tasks
	                     : w->per_socket;
}

struct blocker blocker_fit(const struct controller *c, const struct job *j, const struct bitset *avail,
                           bool nodes_missing)
{
	struct blocker b = {.kind = BLOCKER_NODES,
	                    .part = j->part,
	                    .value = bitset_count_and(avail, j->part->nodes),
	                    .request = j->min_nodes};
	b.promised = bitset_count_and(c->up, j->part->nodes) - (uint32_t)b.value;
	if (nodes_missing)
		return b;
	b.kind = BLOCKER_RESOURCE;
	struct free_now f = look(c, j, avail);
	if (f.nodes < j->min_nodes) {
		b.what = j->share_none || j->whole_node ? "nodes without other jobs" : "nodes open to other jobs";
		b.value = f.nodes;
	} else if (f.cpus < j->min_cpus) {
		b.what = "cores";
		b.value = f.cpus;
		b.request = j->min_cpus;
	} else if (c->p->cr_memory && f.mem_nodes < j->min_nodes) {
		b.what = j->mem_given ? "nodes with enough memory free"
		                      : "nodes with enough memory free (no memory was asked for: the default)";
		b.value = f.mem_nodes;
	} else if (j->n_gres && f.gres < gres_wanted(j)) {
		b.what = j->gres[0].name;
		b.value = f.gres;
		b.request = gres_wanted(j);
	} else { /* enough of each, but not together */
		b.what = "nodes with all of it free at once";
		b.value = NO_VAL64;
	}
	return b;
}

/* ---- printing ---- */

char *blocker_assoc_path(const struct assoc *a)
{
	GString *s = g_string_new(a->user ? a->user : a->account);
	for (const struct assoc *up = a->user ? a : a->parent; up; up = up->parent) {
		if (up->user && up->parent)
			continue; /* the user's account is the next one */
		g_string_prepend_c(s, '/');
		g_string_prepend(s, up->account);
	}
	if (a->partition)
		g_string_append_printf(s, " (partition %s)", a->partition);
	return g_string_free(s, FALSE);
}

static char *job_name(const struct blocker *b)
{
	if (!b->array)
		return g_strdup_printf("job %u", b->job);
	return b->task == NO_VAL ? g_strdup_printf("job %u_[]", b->array)
	                         : g_strdup_printf("job %u_%u", b->array, b->task);
}

static char *limit_name(const struct blocker *b, const struct job *j)
{
	GString *s = g_string_new(NULL);
	if (b->owner_kind == OWNER_ASSOC) {
		g_autofree char *path = blocker_assoc_path(b->owner);
		g_string_append_printf(s, "association %s", path);
	} else {
		g_string_append_printf(s, "qos %s", ((const struct qos *)b->owner)->name);
	}
	if (b->owner_kind == OWNER_QOS_USER)
		g_string_append_printf(s, " user %s", j->user);
	if (b->owner_kind == OWNER_QOS_ACCOUNT)
		g_string_append_printf(s, " account %s", j->account);
	g_string_append_printf(s, " %s", b->what);
	if (b->tres)
		g_string_append_printf(s, " %s", b->tres);
	return g_string_free(s, FALSE);
}

char *blocker_who(const struct blocker *b, const struct job *j)
{
	switch (b->kind) {
	case BLOCKER_LIMIT:
		return limit_name(b, j);
	case BLOCKER_PARTITION:
		return g_strdup_printf("partition %s %s", b->part->name, b->what);
	case BLOCKER_THROTTLE:
		return g_strdup("array %N");
	case BLOCKER_JOB:
	case BLOCKER_DEPENDENCY:
		return job_name(b);
	case BLOCKER_NODES:
		return g_strdup_printf("nodes of %s", b->part->name);
	case BLOCKER_RESOURCE:
		return b->part ? g_strdup_printf("%s in %s", b->what, b->part->name) : g_strdup_printf("licences of %s", b->what);
	default:
		return NULL;
	}
}

static void number(GString *s, uint64_t v)
{
	if (v >= NO_VAL64 || v == INFINITE || v == NO_VAL)
		g_string_append(s, "unlimited");
	else
		g_string_append_printf(s, "%" G_GUINT64_FORMAT, (guint64)v);
}

/* Nodes of the partition that are lost, by cause, as they are now. */
static void missing_nodes(GString *s, const struct blocker *b, const struct cluster *c)
{
	static const char *const causes[] = {"down", "drained", "reserved"};
	struct bitset *set[3];
	int64_t i;
	for (int k = 0; k < 3; k++)
		set[k] = bitset_new(c->n_nodes);
	for (BITSET_EACH(i, b->part->nodes)) {
		const struct node *n = c->node[i];
		if (n->base == NODE_DOWN || n->flags & (NODE_NOT_RESPONDING | NODE_POWERED_DOWN | NODE_POWERING_DOWN))
			bitset_set(set[0], (uint32_t)i);
		else if (n->flags & (NODE_DRAIN | NODE_FAIL))
			bitset_set(set[1], (uint32_t)i);
		else if (n->flags & (NODE_MAINT | NODE_RESERVED))
			bitset_set(set[2], (uint32_t)i);
	}
	for (int k = 0; k < 3; k++) {
		g_autofree char *names = cluster_format_nodes(c, set[k]);
		if (*names)
			g_string_append_printf(s, "; %s: %s", causes[k], names);
		bitset_free(set[k]);
	}
	if (b->kind == BLOCKER_NODES && b->use)
		g_string_append_printf(s, "; kept by reservations: %" G_GUINT64_FORMAT, (guint64)b->use);
	if (b->promised)
		g_string_append_printf(s, "; kept for jobs ahead: %u", b->promised);
}

char *blocker_detail(const struct blocker *b, const struct cluster *c)
{
	GString *s = g_string_new(NULL);
	switch (b->kind) {
	case BLOCKER_PARTITION:
		if (!b->value && !b->request) /* a state or a list, not a number */
			return g_string_free(s, TRUE);
		/* fall through */
	case BLOCKER_LIMIT:
	case BLOCKER_THROTTLE:
		g_string_append(s, "limit ");
		number(s, b->value);
		if (b->use) {
			g_string_append(s, ", in use ");
			number(s, b->use);
		}
		if (b->request) {
			g_string_append(s, ", wanted ");
			number(s, b->request);
		}
		break;
	case BLOCKER_NODES:
		g_string_append_printf(s, "available %" G_GUINT64_FORMAT " of %u, wanted %" G_GUINT64_FORMAT,
		                       (guint64)b->value, b->part->total_nodes, (guint64)b->request);
		missing_nodes(s, b, c);
		break;
	case BLOCKER_RESOURCE:
		if (b->value != NO_VAL64)
			g_string_append_printf(s, "free %" G_GUINT64_FORMAT ", ", (guint64)b->value);
		g_string_append_printf(s, "wanted %" G_GUINT64_FORMAT, (guint64)b->request);
		if (b->part)
			missing_nodes(s, b, c);
		break;
	default:
		return g_string_free(s, TRUE);
	}
	return g_string_free(s, FALSE);
}
