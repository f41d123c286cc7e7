/* resv_tres.c - TRES= and TRESPerNode= of a reservation (see resv_gres.h). The refusals are those recorded of 22.05's scontrol. */
#include "sched/resv_gres.h"

#include <string.h>

static void want_clear(gpointer p)
{
	struct resv_want *w = p;
	g_free(w->name);
	g_free(w->type);
}

GArray *resv_wants_new(void)
{
	GArray *wants = g_array_new(FALSE, TRUE, sizeof(struct resv_want));
	g_array_set_clear_func(wants, want_clear);
	return wants;
}

/* ---- one entry ---- */

G_GNUC_PRINTF(2, 3)
static bool tres_error(const struct resv_draft *d, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	bool told = !d->create && d->c->p->version == SLURM_22_05; /* recorded */
	return RESV_REFUSE(d, "scontrol: error: %s%s", text, told ? "\nslurm_update error: No error" : "");
}

static bool unknown(const struct resv_draft *d, const char *tres)
{
	return tres_error(d, "couldn't identify configured TRES '%s'", tres);
}

static bool unsupported(const struct resv_draft *d, const char *tres, bool per_node)
{
	return tres_error(d, "TRES type '%s' not supported with reservations%s", tres,
	                   per_node ? " per node: TRESPerNode takes cpu and gres/NAME" : "");
}

static bool bad_value(const struct resv_draft *d, const char *tres, const char *value)
{
	return tres_error(d, "invalid TRES %s value '%s'", tres, value);
}

static bool read_count(const char *value, uint32_t *count)
{
	char *end;
	guint64 n = g_ascii_strtoull(value, &end, 10);
	*count = (uint32_t)MIN(n, 1000000000u);
	return end != value && !*end && n > 0;
}

/* The GRES NAME[:TYPE] of some node; NULL = no node has it. */
static const struct node_gres *find_gres(const struct cluster *cl, const char *name, const char *type)
{
	for (guint i = 0; i < cl->configs->len; i++) {
		const struct node_config *k = cl->configs->pdata[i];
		for (uint32_t g = 0; g < k->n_gres; g++)
			if (strcmp(k->gres[g].name, name) == 0 && (!type || node_config_gres(k, name, type)))
				return &k->gres[g];
	}
	return NULL;
}

/* One GRES is asked for either with types or without, and in one way. */
static bool want_agrees(const struct resv_draft *d, const struct resv_want *w)
{
	for (guint i = 0; i < d->wants->len; i++) {
		const struct resv_want *v = &g_array_index(d->wants, struct resv_want, i);
		if (strcmp(v->name, w->name) != 0)
			continue;
		if (!v->type != !w->type || g_strcmp0(v->type, w->type) == 0 || !v->per_node != !w->per_node)
			return tres_error(d,
			                  "gres/%s is given twice: give it once, or once for each type, all by TRES or all by "
			                   "TRESPerNode",
			                   w->name);
	}
	return true;
}

static bool set_gres(struct resv_draft *d, const char *tres, const char *value, bool per_node)
{
	uint32_t count;
	const char *colon = strchr(tres + 5, ':');
	g_autofree char *name = colon ? g_strndup(tres + 5, (gsize)(colon - tres - 5)) : g_strdup(tres + 5);
	const char *type = colon ? colon + 1 : NULL;
	const struct node_gres *ng = find_gres(d->c->cl, name, type);
	if (d->c->p->version == SLURM_22_05)
		return tres_find(d->c->cl->tres, tres) >= 0 ? unsupported(d, tres, false) : unknown(d, tres);
	if (!ng)
		return unknown(d, tres);
	if (ng->per_device || ng->no_consume)
		return tres_error(d, "gres/%s cannot be reserved: %s", name,
		                   ng->per_device ? "it is shares of GPUs; reserve gres/gpu" : "it is not consumed (no_consume)");
	if (!read_count(value, &count))
		return bad_value(d, tres, value);
	struct resv_want w = {.name = name, .type = (char *)(uintptr_t)type, .total = per_node ? 0 : count, .per_node = per_node ? count : 0};
	if (!want_agrees(d, &w))
		return false;
	w.name = g_strdup(name);
	w.type = g_strdup(type);
	g_array_append_val(d->wants, w);
	return true;
}

static bool is_license(const struct resv_draft *d, const char *tres)
{
	const struct cluster *cl = d->c->cl;
	if (d->c->p->version == SLURM_22_05 && tres_find(cl->tres, tres) < 0) /* recorded: it must be in AccountingStorageTRES */
		return false;
	for (uint32_t i = 0; i < license_kinds(cl); i++)
		if (strcmp(((const struct license *)cl->licenses->pdata[i])->name, tres + 8) == 0)
			return true;
	return false;
}

/* Licences are one setting: all entries together. */
static bool add_license(struct resv_draft *d, const char *tres, const char *value, GString *licenses)
{
	uint32_t count;
	if (!is_license(d, tres))
		return unknown(d, tres);
	if (!read_count(value, &count))
		return bad_value(d, tres, value);
	g_string_append_printf(licenses, "%s%s:%u", licenses->len ? "," : "", tres + 8, count);
	return true;
}

static bool set_entry(struct resv_draft *d, const char *tres, const char *value, bool per_node, GString *licenses)
{
	bool cpu = strcmp(tres, "cpu") == 0, node = strcmp(tres, "node") == 0;
	if (g_str_has_prefix(tres, "gres/"))
		return set_gres(d, tres, value, per_node);
	if (!cpu && per_node)
		return tres_find(d->c->cl->tres, tres) >= 0 ? unsupported(d, tres, true) : unknown(d, tres);
	if (cpu || node) {
		if (!*value || value[strspn(value, node ? "0123456789,kK" : "0123456789,")])
			return bad_value(d, tres, value);
		d->cores_each = d->cores_each || per_node;
		return resv_draft_set(d, cpu ? "corecnt" : "nodecnt", value);
	}
	if (g_str_has_prefix(tres, "license/"))
		return add_license(d, tres, value, licenses);
	return tres_find(d->c->cl->tres, tres) >= 0 ? unsupported(d, tres, false) : unknown(d, tres);
}

bool resv_tres_set(struct resv_draft *d, const char *text, bool per_node)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	g_autoptr(GString) licenses = g_string_new(NULL);
	if (!d->wants && *text && (per_node || strstr(text, "gres/")))
		d->wants = resv_wants_new();
	for (char **it = list; *it && *text; it++) {
		char *eq = strchr(*it, '=');
		if (!eq)
			return tres_error(d, "invalid TRES '%s'", *it);
		g_autofree char *tres = g_strndup(*it, (gsize)(eq - *it));
		g_autoptr(GString) value = g_string_new(eq + 1);
		for (char *p = tres; *p && *p != '/'; p++)
			*p = g_ascii_tolower(*p);
		while (it[1] && g_ascii_isdigit(*it[1]) && !strchr(it[1], '=')) /* cpu=2,2,1: a number for each node */
			g_string_append_printf(value, ",%s", *++it);
		if (!set_entry(d, tres, value->str, per_node, licenses))
			return false;
	}
	return !licenses->len || resv_draft_set(d, "licenses", licenses->str);
}

/* ---- what it has ---- */

static uint32_t count_type(const struct node_gres *ng, const struct gres_taken *t, const char *type)
{
	uint64_t bits = 0;
	for (uint32_t g = 0; g < ng->n_groups; g++)
		if (ng->group[g].first < 64 && g_strcmp0(ng->group[g].type, type) == 0)
			bits |= (ng->group[g].count >= 64 ? UINT64_MAX : (UINT64_C(1) << ng->group[g].count) - 1) << ng->group[g].first;
	return (uint32_t)__builtin_popcountll(t->devices & bits);
}

static void count_gres(const struct controller *c, const struct reservation *r, uint64_t *counts)
{
	const struct tres_table *table = c->cl->tres;
	for (uint32_t id = TRES_FIRST_CONFIGURED; id < table->n; id++) {
		const char *name = table->name[id], *colon = strchr(name, ':');
		for (uint32_t i = 0; g_str_has_prefix(name, "gres/") && i < r->cores->n; i++) {
			const struct alloc_node *an = &r->cores->node[i];
			for (uint32_t g = 0; g < an->n_gres; g++) {
				const struct gres_taken *t = &r->cores->gres[an->gres_first + g];
				const struct node_gres *ng = &c->cl->node[an->node]->config->gres[t->gres];
				gsize len = colon ? (gsize)(colon - name - 5) : strlen(name + 5);
				if (strlen(ng->name) == len && strncmp(ng->name, name + 5, len) == 0)
					counts[id] += colon ? count_type(ng, t, colon + 1) : t->count;
			}
		}
	}
}

char *resv_tres_text(const struct controller *c, const struct reservation *r)
{
	uint64_t counts[TRES_MAX] = {0};
	int64_t i;
	for (BITSET_EACH(i, r->nodes))
		counts[TRES_CPU] += c->cl->node[i]->config->cpus;
	if (r->cores) {
		counts[TRES_CPU] = r->cores->cpus;
		count_gres(c, r, counts);
	}
	for (uint32_t k = 0; r->licenses && k < license_kinds(c->cl); k++) {
		g_autofree char *name = g_strdup_printf("license/%s", ((const struct license *)c->cl->licenses->pdata[k])->name);
		int id = tres_find(c->cl->tres, name);
		if (id >= 0)
			counts[id] += r->licenses[k];
	}
	char *text = tres_format(c->cl->tres, counts, 0);
	if (*text)
		return text;
	g_free(text);
	return NULL;
}
