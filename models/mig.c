/* mig.c - see mig.h */
#include "models/mig.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static void table_free(void *data)
{
	struct mig_table *t = data;
	for (uint32_t i = 0; i < t->n; i++)
		g_free(t->profile[i].name);
	g_free(t->profile);
	g_free(t->gpu);
	g_free(t);
}

struct reading {
	struct diag *d;
	const char *file;
	bool good;
};

static void wrong(struct reading *r, const char *what)
{
	diag_error(r->d, r->file, 0, 0, NULL, "%s", what);
	r->good = false;
}

static uint32_t whole(struct reading *r, const cJSON *o, const char *key, uint32_t most)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
	if (cJSON_IsNumber(v) && v->valuedouble >= 1 && v->valuedouble <= most)
		return (uint32_t)v->valuedouble;
	g_autofree char *text = g_strdup_printf("tables[].profiles[].%s: want a number from 1 to %u", key, most);
	wrong(r, text);
	return 1;
}

static char *word(struct reading *r, const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
	if (cJSON_IsString(v) && *v->valuestring)
		return g_strdup(v->valuestring);
	g_autofree char *text = g_strdup_printf("tables[]: %s: want a string", key);
	wrong(r, text);
	return g_strdup("");
}

static void read_profile(struct reading *r, const cJSON *o, struct mig_profile *p)
{
	const cJSON *starts = cJSON_GetObjectItemCaseSensitive(o, "placements"), *v;
	p->name = word(r, o, "name");
	p->compute = whole(r, o, "compute_slices", 7);
	p->size = whole(r, o, "placement_size", MIG_SLICES);
	p->most = whole(r, o, "max_instances", MIG_SLICES);
	p->media = g_str_has_suffix(p->name, "+me");
	cJSON_ArrayForEach(v, starts)
	{
		if (!cJSON_IsNumber(v) || v->valuedouble < 0 || v->valuedouble + p->size > MIG_SLICES)
			wrong(r, "tables[].profiles[].placements: want slices at which the instance fits");
		else
			p->starts |= (uint8_t)(1u << (uint32_t)v->valuedouble);
	}
	if (!p->starts)
		wrong(r, "tables[].profiles[].placements: want at least one slice");
}

static struct mig_table *read_table(struct reading *r, const cJSON *o)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "profiles"), *item;
	struct mig_table *t = g_new0(struct mig_table, 1);
	t->gpu = word(r, o, "gpu");
	t->profile = g_new0(struct mig_profile, (gsize)(cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0) + 1);
	if (!cJSON_IsArray(list))
		wrong(r, "tables[].profiles: want a list");
	else
		cJSON_ArrayForEach(item, list)
			read_profile(r, item, &t->profile[t->n++]);
	return t;
}

GPtrArray *mig_tables_parse(const char *text, const char *name, struct diag *d)
{
	struct reading r = {d, name, true};
	GPtrArray *out = g_ptr_array_new_with_free_func(table_free);
	cJSON *root = cJSON_Parse(text);
	const cJSON *tables = cJSON_GetObjectItemCaseSensitive(root, "tables"), *item;
	const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
	if (!cJSON_IsString(schema) || strcmp(schema->valuestring, "mig-tables/1") != 0)
		wrong(&r, "want a JSON object with \"schema\": \"mig-tables/1\"");
	else if (!cJSON_IsArray(tables))
		wrong(&r, "tables: want a list");
	else
		cJSON_ArrayForEach(item, tables)
			g_ptr_array_add(out, read_table(&r, item));
	cJSON_Delete(root);
	if (r.good)
		return out;
	g_ptr_array_unref(out);
	return NULL;
}

GPtrArray *mig_tables_load(const char *path, struct diag *d)
{
	GError *error = NULL;
	char *text;
	if (!g_file_get_contents(path, &text, NULL, &error)) {
		diag_error(d, path, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
		return NULL;
	}
	GPtrArray *out = mig_tables_parse(text, path, d);
	g_free(text);
	return out;
}

const struct mig_table *mig_table_find(const GPtrArray *tables, const char *gpu)
{
	for (guint i = 0; gpu && i < tables->len; i++)
		if (strcmp(((const struct mig_table *)tables->pdata[i])->gpu, gpu) == 0)
			return tables->pdata[i];
	return NULL;
}

const struct mig_profile *mig_profile_find(const struct mig_table *t, const char *name)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (g_ascii_strcasecmp(t->profile[i].name, name) == 0)
			return &t->profile[i];
	return NULL;
}

/* ---- seating ---- */

struct seating {
	struct mig_instance *list;
	uint32_t n, gpus, steps;
	uint8_t *taken; /* [gpus] slices */
	uint32_t *compute;
};

static int larger_first(const void *a, const void *b)
{
	const struct mig_profile *x = ((const struct mig_instance *)a)->profile,
	                         *y = ((const struct mig_instance *)b)->profile;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->compute != y->compute)
		return x->compute > y->compute ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool allowed(const struct seating *s, uint32_t k, uint32_t gpu)
{
	const struct mig_profile *p = s->list[k].profile;
	uint32_t same = 0;
	bool media = false;
	for (uint32_t i = 0; i < k; i++)
		if (s->list[i].gpu == gpu) {
			same += s->list[i].profile == p;
			media = media || s->list[i].profile->media;
		}
	return same < p->most && !(media && p->media) && s->compute[gpu] + p->compute <= 7;
}

/* Instances of one profile sit in ascending order, which spares trying their permutations. */
static bool comes_after(const struct seating *s, uint32_t k, uint32_t gpu, uint32_t start)
{
	const struct mig_instance *before = k ? &s->list[k - 1] : NULL;
	if (!before || before->profile != s->list[k].profile)
		return true;
	return gpu != before->gpu ? gpu > before->gpu : start > before->start;
}

static bool seat(struct seating *s, uint32_t k)
{
	if (k == s->n)
		return true;
	const struct mig_profile *p = s->list[k].profile;
	for (uint32_t g = 0; g < s->gpus; g++) {
		bool empty = !s->taken[g];
		for (uint32_t at = 0; at + p->size <= MIG_SLICES; at++) {
			uint8_t mask = (uint8_t)(((1u << p->size) - 1) << at);
			if (!(p->starts >> at & 1) || s->taken[g] & mask || !comes_after(s, k, g, at) || !allowed(s, k, g))
				continue;
			if (++s->steps > MIG_STEPS)
				return false;
			s->list[k].gpu = g;
			s->list[k].start = at;
			s->taken[g] |= mask;
			s->compute[g] += p->compute;
			if (seat(s, k + 1))
				return true;
			s->taken[g] &= (uint8_t)~mask;
			s->compute[g] -= p->compute;
		}
		if (empty) /* all empty GPUs are alike */
			break;
	}
	return false;
}

bool mig_fit(struct mig_instance *list, uint32_t n, uint32_t gpus)
{
	struct seating s = {.list = list, .n = n, .gpus = gpus};
	if (n > gpus * MIG_SLICES)
		return false;
	qsort(list, n, sizeof *list, larger_first);
	s.taken = g_new0(uint8_t, gpus + 1);
	s.compute = g_new0(uint32_t, gpus + 1);
	bool ok = seat(&s, 0);
	g_free(s.taken);
	g_free(s.compute);
	return ok;
}
