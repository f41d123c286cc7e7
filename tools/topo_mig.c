/* topo_mig.c - whypend topo --mig: MIG instances on the GPUs of a hardware model; see topo_out.h and models/mig.h. */
#include "models/mig.h"
#include "models/suggest.h"
#include "tools/options.h"
#include "tools/topo_out.h"
#include <string.h>

static bool bad_profile(const char *command, const struct mig_table *t, const char *name)
{
	struct suggestion s;
	suggest_begin(&s, name);
	GString *all = g_string_new("one of");
	for (uint32_t i = 0; i < t->n; i++) {
		suggest_offer(&s, t->profile[i].name);
		g_string_append_printf(all, " %s", t->profile[i].name);
	}
	char *hint = suggest_hint(&s, all->str);
	tool_complain(command, "%s has no MIG profile \"%s\"; %s", t->gpu, name, hint);
	g_free(hint);
	g_string_free(all, TRUE);
	return false;
}

/* "3g.40gb:2,1g.10gb" into OUT (of struct mig_instance) and the Gres= word. */
static bool read_list(const char *command, const struct mig_table *t, const char *list, GArray *out, GString *gres)
{
	g_auto(GStrv) part = g_strsplit(list, ",", -1);
	for (char **p = part; *p; p++) {
		char *count = strrchr(*p, ':');
		guint64 n = 1;
		if (count && !g_ascii_string_to_unsigned(count + 1, 10, 1, 4096, &n, NULL)) {
			tool_complain(command, "--mig: \"%s\": want PROFILE:COUNT with a count from 1 to 4096", *p);
			return false;
		}
		if (count)
			*count = '\0';
		const struct mig_profile *f = mig_profile_find(t, *p);
		if (!f)
			return bad_profile(command, t, *p);
		for (guint64 i = 0; i < n && out->len <= 4096; i++) {
			struct mig_instance x = {.profile = f};
			g_array_append_val(out, x);
		}
		g_string_append_printf(gres, "%sgpu:%s:%u", gres->len ? "," : "", f->name, (guint)n);
	}
	return out->len > 0;
}

static char *seats(const struct node_model *m, const GArray *list, const char *gres)
{
	GString *s = g_string_new(NULL);
	for (uint32_t g = 0; g < m->n_gpus; g++) {
		bool any = false;
		g_string_append_printf(s, "GPU%-3u", g);
		for (uint32_t at = 0; at < MIG_SLICES; at++)
			for (guint i = 0; i < list->len; i++) {
				const struct mig_instance *x = &g_array_index(list, struct mig_instance, i);
				uint32_t last = at + x->profile->size - 1;
				if (x->gpu != g || x->start != at)
					continue;
				any = true;
				if (last > at)
					g_string_append_printf(s, " %u-%u %s", at, last, x->profile->name);
				else
					g_string_append_printf(s, " %u %s", at, x->profile->name);
			}
		g_string_append(s, any ? "\n" : " -\n");
	}
	g_string_append_printf(s, "Gres=%s\n", gres);
	return g_string_free(s, FALSE);
}

static const struct mig_table *table_of(const char *command, const struct node_model *m, const GPtrArray *tables)
{
	const char *name = m->n_gpus ? m->gpu[0].mig_table : NULL;
	const struct mig_table *t = mig_table_find(tables, name);
	if (!t)
		tool_complain(command, "%s: its GPUs have no MIG profiles in data/mig_profiles.json", m->name);
	return t;
}

char *topo_mig(const char *command, const struct node_model *m, const char *list)
{
	struct diag *d = diag_new();
	char *folder = topo_folder(), *text = NULL;
	g_autofree char *path = g_build_filename(folder ? folder : "models/hardware", "data", "mig_profiles.json", NULL);
	GPtrArray *tables = mig_tables_load(path, d);
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct mig_instance));
	GString *gres = g_string_new(NULL);

	for (guint i = 0; i < d->errors->len; i++)
		tool_complain(command, "%s", (const char *)d->errors->pdata[i]);
	const struct mig_table *t = tables ? table_of(command, m, tables) : NULL;
	if (t && read_list(command, t, list, all, gres)) {
		if (mig_fit((struct mig_instance *)(void *)all->data, all->len, m->n_gpus))
			text = seats(m, all, gres->str);
		else
			tool_complain(command, "%s does not fit on %u GPUs %s: each profile may begin only at its placements", list,
			              m->n_gpus, t->gpu);
	}
	if (tables)
		g_ptr_array_unref(tables);
	g_array_unref(all);
	g_string_free(gres, TRUE);
	diag_free(d);
	g_free(folder);
	return text;
}
