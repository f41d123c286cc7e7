/* snapshot_sdiag.c - see snapshot_sdiag.h. */
#include "tests/conformance/snapshot_sdiag.h"
#include <string.h>

/* Host times, the times of day and RPCs are not of the simulation. */
static const char *const left_out[] = {"sdiag output", "Data since", "Server thread", "RPC queue", "Agent ", "DBD Agent", "Job states ts",
                                       "Last cycle",   "Max cycle",  "Mean cycle",    "Cycles per minute", "Latency"};

static bool is_left_out(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(left_out); i++)
		if (g_str_has_prefix(name, left_out[i]) && !g_str_has_prefix(name, "Last cycle depth"))
			return true;
	return false;
}

GHashTable *sdiag_counts(const char *text)
{
	GHashTable *counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	char **lines = g_strsplit(text, "\n", -1), *section = g_strdup("");
	for (guint i = 0; lines[i] && !g_str_has_prefix(lines[i], "Remote Procedure"); i++) {
		char *name = g_strstrip(lines[i]), *colon = strrchr(name, ':');
		bool heads = g_str_has_prefix(name, "Main schedul") || g_str_has_prefix(name, "Backfill");
		if (heads) {
			g_free(section);
			section = g_strndup(name, strcspn(name, " "));
		}
		if (heads || !colon || is_left_out(name))
			continue;
		*colon = '\0';
		g_hash_table_replace(counts, g_strdup_printf("%s %s", section, name), g_strdup(g_strstrip(colon + 1)));
	}
	g_free(section);
	g_strfreev(lines);
	return counts;
}

void sdiag_compare(struct score *score, gint64 t, const char *real, GHashTable *simulated)
{
	GHashTable *counts = sdiag_counts(real);
	GList *names = g_list_sort(g_hash_table_get_keys(counts), (GCompareFunc)strcmp);
	g_autofree char *field = g_strdup_printf("sdiag at %" G_GINT64_FORMAT, t);
	for (GList *l = names; l; l = l->next) {
		const char *want = g_hash_table_lookup(counts, l->data), *got = g_hash_table_lookup(simulated, l->data);
		score_check(score, M_SDIAG, g_strcmp0(want, got) == 0, l->data, field, want, got ? got : "(no such line)", -1);
	}
	g_list_free(names);
	g_hash_table_unref(counts);
}
