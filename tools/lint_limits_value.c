/* lint_limits_value.c - values of limits against the machine: what no job can meet, what holds nobody (limits.md). */
#include "tools/lint_checks.h"
#include <string.h>

/* Kinds of which the cluster has a countable total. */
static bool countable(const struct lint *l, uint32_t tres)
{
	const char *name = l->c->tres->name[tres];

	if (g_str_has_prefix(name, "gres/gpumem") || g_str_has_prefix(name, "gres/gpuutil"))
		return false;
	return tres == TRES_CPU || tres == TRES_MEM || tres == TRES_NODE || g_str_has_prefix(name, "gres/");
}

/* ---- limits that no job can meet ---- */

static void never(struct lint *l, struct lint_place at, char *what, char *why, const char *set)
{
	lint_add(l, LINT_ERROR, at, what, why, g_strdup(set));
}

/* A limit of 0 may be meant to close something; jobs wait for it all the same. */
static void nothing(struct lint *l, struct lint_place at, char *what, char *why)
{
	lint_add(l, LINT_WARNING, at, what, why,
	         g_strdup("-1 takes a limit away; to close it: MaxSubmitJobs=0, which says so at submission"));
}

static void qos_never(struct lint *l, const struct qos *q, uint32_t i)
{
	const struct limits *s = &q->limits;
	const char *tres = l->c->tres->name[i];
	uint64_t least = lint_limit(l, s->min_tres_pj, i), total = l->total[i];
	const struct {
		const char *name;
		uint64_t most;
	} upper[] = {{"MaxTRESPerJob", lint_limit(l, s->max_tres_pj, i)},
	             {"MaxTRESPerUser", lint_limit(l, s->max_tres_pu, i)},
	             {"MaxTRESPerAccount", lint_limit(l, s->max_tres_pa, i)},
	             {"GrpTRES", lint_limit(l, s->grp_tres, i)}};

	for (gsize k = 0; k < G_N_ELEMENTS(upper); k++) {
		if (least != INFINITE64 && upper[k].most != INFINITE64 && least > upper[k].most)
			never(l, lint_at_qos(l, q, "mintres"),
			      fmt("QOS %s: MinTRESPerJob %s=%" G_GUINT64_FORMAT " is above %s %s=%" G_GUINT64_FORMAT,
			          q->name, tres, (guint64)least, upper[k].name, tres, (guint64)upper[k].most),
			      fmt("no job meets both: every job of the QOS waits for ever (the cluster has "
			          "%" G_GUINT64_FORMAT " %s)",
			          (guint64)total, tres),
			      "a minimum below the maximum");
		if (upper[k].most == 0 && (i == TRES_CPU || i == TRES_NODE || i == TRES_MEM))
			nothing(l, lint_at_qos(l, q, k == 3 ? "grptres" : "maxtres"),
			        fmt("QOS %s: %s %s=0", q->name, upper[k].name, tres),
			        fmt("every job asks for some %s: no job of the QOS ever starts", tres));
	}
	if (least != INFINITE64 && countable(l, i) && least > total)
		never(l, lint_at_qos(l, q, "mintres"),
		      fmt("QOS %s: MinTRESPerJob %s=%" G_GUINT64_FORMAT " is more than the cluster has", q->name, tres,
		          (guint64)least),
		      fmt("the cluster has %" G_GUINT64_FORMAT ": every job of the QOS waits for ever", (guint64)total),
		      "a minimum that the cluster can give");
}

void lint_limit_never(struct lint *l)
{
	if (!lint_enforces(l, ENFORCE_LIMITS))
		return;
	for (guint k = 0; k < l->n_qos; k++) {
		const struct qos *q = lint_qos(l, k);

		for (uint32_t i = 0; i < l->c->tres->n; i++)
			qos_never(l, q, i);
		if (q->limits.max_wall == 0)
			nothing(l, lint_at_qos(l, q, "maxwall"), fmt("QOS %s: MaxWall=0", q->name),
			        g_strdup("every job's limit is above it: no job of the QOS ever starts"));
	}
	for (guint k = 0; k < l->acct->assocs->len; k++) {
		const struct assoc *a = lint_assoc(l, k);

		for (uint32_t i = TRES_CPU; i <= TRES_NODE; i++)
			if (i != TRES_ENERGY &&
			    (lint_limit(l, a->limits.grp_tres, i) == 0 || lint_limit(l, a->limits.max_tres_pj, i) == 0))
				nothing(l, lint_at_assoc(l, a, "tres"),
				        fmt("%s: a limit of %s=0", lint_assoc_name(l, a), l->c->tres->name[i]),
				        fmt("every job asks for some %s: none of it ever starts", l->c->tres->name[i]));
	}
}

void lint_limit_above(struct lint *l)
{
	guint n = 0;
	struct lint_place at = {NULL, 0};
	char *example = NULL;

	for (guint k = 0; k < l->n_qos + l->acct->assocs->len && lint_enforces(l, ENFORCE_LIMITS); k++) {
		bool qos = k < l->n_qos;
		const struct qos *q = qos ? lint_qos(l, k) : NULL;
		const struct assoc *a = qos ? NULL : lint_assoc(l, k - l->n_qos);
		const uint64_t *grp = qos ? q->limits.grp_tres : a->limits.grp_tres;

		for (uint32_t i = 0; grp && i < l->c->tres->n; i++) {
			uint64_t v = lint_limit(l, grp, i), total = countable(l, i) ? l->total[i] : INFINITE64;

			if (v == INFINITE64 || v <= total || (q && q->flags & QOS_RELATIVE))
				continue;
			n++;
			if (example)
				continue;
			at = qos ? lint_at_qos(l, q, "grptres") : lint_at_assoc(l, a, "grptres");
			example = fmt(
			    "%s: GrpTRES %s=%" G_GUINT64_FORMAT " is more than the cluster has (%" G_GUINT64_FORMAT ")",
			    qos ? q->name : lint_assoc_name(l, a), l->c->tres->name[i], (guint64)v, (guint64)total);
		}
	}
	if (n)
		lint_add(l, LINT_NOTE, at, example, fmt("%u limits of this kind hold nobody", n),
		         g_strdup("leave it out, or a value that holds"));
}

/* ---- limits below one node ---- */

/* The smallest node of P (of those that have any of it): how much of TRES it has. */
static uint64_t smallest_node(const struct lint *l, const struct partition *p, uint32_t tres)
{
	uint64_t least = INFINITE64;

	for (guint i = 0; i < l->n_configs; i++) {
		const struct node_config *k = lint_config(l, i);
		uint64_t n =
		    k->nodes && bitset_intersects(k->nodes, p->nodes) ? cluster_tres_on_node(l->c, tres, k) : 0;

		if (n)
			least = MIN(least, n);
	}
	return least;
}

static void below_node(struct lint *l, const struct partition *p, const struct qos *q, bool guards)
{
	const struct {
		const char *name;
		const uint64_t *array;
	} kinds[] = {{"MaxTRESPerJob", q->limits.max_tres_pj},
	             {"MaxTRESPerUser", q->limits.max_tres_pu},
	             {"MaxTRESPerAccount", q->limits.max_tres_pa},
	             {"MaxTRESPerNode", q->limits.max_tres_pn},
	             {"GrpTRES", q->limits.grp_tres}};
	bool whole = p->oversubscribe == OVERSUB_EXCLUSIVE;

	for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++)
		for (uint32_t i = 0; i < l->c->tres->n; i++) {
			uint64_t v = lint_limit(l, kinds[k].array, i),
			         node = v != INFINITE64 && i != TRES_NODE && countable(l, i) ? smallest_node(l, p, i)
			                                                                     : INFINITE64;

			if (node == INFINITE64 || v >= node)
				continue;
			lint_add(l,
			         whole    ? LINT_ERROR
			         : guards ? LINT_WARNING
			                  : LINT_NOTE,
			         lint_at_qos(l, q, k == 4 ? "grptres" : "maxtres"),
			         fmt("%s %s=%" G_GUINT64_FORMAT " of QOS %s is below one node of partition %s",
			             kinds[k].name, l->c->tres->name[i], (guint64)v, q->name, p->name),
			         whole ? fmt("jobs there get whole nodes of %" G_GUINT64_FORMAT " %s: none ever starts",
			                     (guint64)node, l->c->tres->name[i])
			               : fmt("a node has %" G_GUINT64_FORMAT
			                     " %s: a job that wants a whole node (--exclusive, all its %s) waits "
			                     "for ever",
			                     (guint64)node, l->c->tres->name[i], l->c->tres->name[i]),
			         fmt("%s=%s=%" G_GUINT64_FORMAT " or more", kinds[k].name, l->c->tres->name[i],
			             (guint64)node));
			return;
		}
}

void lint_limit_node(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && lint_enforces(l, ENFORCE_LIMITS); i++) {
		const struct partition *p = lint_live_part(l, i);

		if (p && p->qos)
			below_node(l, p, p->qos, true);
		for (char **s = p ? p->allow_qos : NULL; s && *s; s++) {
			const struct qos *q = acct_find_qos(l->acct, *s);

			if (q && q != p->qos)
				below_node(l, p, q, false);
		}
	}
}

/* ---- kinds ---- */

void lint_tres_untracked(struct lint *l)
{
	for (guint i = 0; l->site->untracked && i < l->site->untracked->len; i++) {
		const char *name = l->site->untracked->pdata[i], *all = lint_value(l->files, "AccountingStorageTRES");
		struct lint_place at = {l->files->acct_name, 0};

		for (guint k = 0; l->files->acct[k] && !at.line; k++)
			if (*l->files->acct[k] != '#' && strstr(l->files->acct[k], name))
				at.line = k + 1;
		lint_add(l, LINT_ERROR, at, fmt("limits name %s, but AccountingStorageTRES does not", name),
		         fmt("the controller of this cluster does not count it, so no limit on it holds any job of the "
		             "%u users",
		             lint_users(l)),
		         fmt("AccountingStorageTRES=%s%s%s", all && !strstr(all, name) ? all : "",
		             all && !strstr(all, name) ? "," : "", name));
	}
}

static bool limits_kind(const struct lint *l, uint32_t tres, const struct limits *s)
{
	const uint64_t *arrays[] = {s->grp_tres,    s->max_tres_pj,       s->max_tres_pn,      s->max_tres_pu,
	                            s->max_tres_pa, s->grp_tres_run_mins, s->max_tres_mins_pj, s->grp_tres_mins};

	for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
		if (lint_limit(l, arrays[k], tres) != INFINITE64)
			return true;
	return false;
}

/* How many types the base name of typed TRES I has on the nodes. */
static guint types_of(const struct lint *l, const char *name)
{
	GHashTable *types = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < l->n_configs; i++)
		for (uint32_t k = 0; k < lint_config(l, i)->n_gres; k++) {
			const struct node_gres *g = &lint_config(l, i)->gres[k];

			for (uint32_t n = 0; g_str_equal(g->name, name) && n < g->n_groups; n++)
				if (g->group[n].type)
					g_hash_table_add(types, g->group[n].type);
		}
	guint n = g_hash_table_size(types);
	g_hash_table_unref(types);
	return n;
}

void lint_typed_gres(struct lint *l)
{
	for (uint32_t i = TRES_FIRST_CONFIGURED; i < l->c->tres->n && lint_enforces(l, ENFORCE_LIMITS); i++) {
		const char *name = l->c->tres->name[i], *colon = strchr(name, ':');
		const struct qos *q = NULL;
		const struct assoc *a = NULL;

		if (!colon || !g_str_has_prefix(name, "gres/"))
			continue;
		for (guint k = 0; k < l->n_qos && !q; k++)
			q = limits_kind(l, i, &lint_qos(l, k)->limits) ? lint_qos(l, k) : NULL;
		for (guint k = 0; k < l->acct->assocs->len && !q && !a; k++)
			a = limits_kind(l, i, &lint_assoc(l, k)->limits) ? lint_assoc(l, k) : NULL;
		if (!q && !a)
			continue;
		char *base = g_strndup(name, (gsize)(colon - name));
		guint types = types_of(l, base + strlen("gres/"));
		if (types > 1)
			lint_add(
			    l, LINT_NOTE, q ? lint_at_qos(l, q, name) : lint_at_assoc(l, a, name),
			    fmt("a limit on %s: a job that asks for %s without a type is placed before it is tested",
			        name, base),
			    fmt("the nodes have %u types; the order of nodes picks one, and when that is the limited "
			        "type the job waits "
			        "for the limit though another type is free; at submission the limit is not seen at all",
			        types),
			    fmt("a submit plugin that adds the type, or a limit on %s", base));
		g_free(base);
	}
}
