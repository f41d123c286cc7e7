/* sinfo_out.c - see sinfo_out.h. The columns are in sinfo_fields.c. */
#include "sched/power.h"
#include "tools/sinfo_out.h"
#include "tools/cells.h"
#include "tools/sinfo_fields.h"
#include "tools/sinfo_sort.h"
#include "tools/show.h"
#include <string.h>

/* ---- which nodes ---- */

static const struct state_word {
	const char *word, *alias, *part; /* PART of node_state_words: "IDLE" at its begin, "+DRAIN" in it */
} STATES[] = {{"idle", NULL, "IDLE"},          {"alloc", "allocated", "ALLOCATED"},
              {"mix", "mixed", "MIXED"},       {"down", NULL, "DOWN"},
              {"drain", "drained", "+DRAIN"},  {"drng", "draining", "+DRAIN"},
              {"fail", "failing", "+FAIL"},    {"comp", "completing", "+COMPLETING"},
              {"maint", NULL, "+MAINTENANCE"}, {"resv", "reserved", "+RESERVED"},
              {"plnd", "planned", "+PLANNED"}, {"no_respond", NULL, "+NOT_RESPONDING"},
              {"powered_down", NULL, "+POWERED_DOWN"}, {"powering_down", NULL, "+POWERING_DOWN"},
              {"powering_up", NULL, "+POWERING_UP"},   {"power_down", NULL, "+POWER_DOWN"},
              {"power_up", NULL, "+POWER_UP"},         {"cloud", NULL, "+CLOUD"},
              {"reboot_requested", NULL, "+REBOOT_REQUESTED"}, {"reboot_issued", NULL, "+REBOOT_ISSUED"},
              {"reboot", "boot", "+REBOOT_"}};

static const struct state_word *find_word(const char *text, size_t n)
{
	for (size_t i = 0; i < G_N_ELEMENTS(STATES); i++)
		if ((strlen(STATES[i].word) == n && g_ascii_strncasecmp(STATES[i].word, text, n) == 0) ||
		    (STATES[i].alias && strlen(STATES[i].alias) == n &&
		     g_ascii_strncasecmp(STATES[i].alias, text, n) == 0))
			return &STATES[i];
	return NULL;
}

bool sinfo_check(const struct sinfo_options *o, GError **error)
{
	if (!sinfo_sort_check(o->sort, error))
		return false;
	for (const char *p = o->states; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ",");
		if (!find_word(p, n)) {
			GString *known = g_string_new(NULL);
			for (size_t i = 0; i < G_N_ELEMENTS(STATES); i++)
				g_string_append_printf(known, "%s%s", i ? "," : "", STATES[i].word);
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			            "Bad state string: \"%.*s\"\nvalid states: %s", (int)MIN(n, 40), p, known->str);
			g_string_free(known, TRUE);
			return false;
		}
		p += n;
	}
	return true;
}

static bool state_wanted(const char *states, const char *words)
{
	for (const char *p = states; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ",");
		const struct state_word *w = find_word(p, n);
		if (w && (*w->part == '+' ? strstr(words, w->part) != NULL : g_str_has_prefix(words, w->part)))
			return true;
		p += n;
	}
	return !states;
}

static bool node_wanted(const struct job_view *v, const struct sinfo_options *o, const struct bitset *only,
                        const struct node *n)
{
	bool silent = n->flags & NODE_NOT_RESPONDING;
	char *words;
	bool wanted;

	if (power_hides(controller_cluster(v->c), n) || (only && !bitset_test(only, n->index)) || (o->dead && !silent) || (o->responding && silent) ||
	    (o->reasons && !n->reason))
		return false;
	if (!o->states)
		return n->base != NODE_FUTURE; /* recorded: such nodes are not shown */
	words = node_state_words(v, n);
	wanted = state_wanted(o->states, words);
	g_free(words);
	return wanted;
}

static bool partition_shown(const struct sinfo_options *o, const struct partition *p)
{
	return in_list(o->partitions, p->name) && (o->all || !p->hidden);
}

/* ---- rows ---- */

static void row_free(void *data)
{
	struct sinfo_row *r = data;

	bitset_free(r->nodes);
	g_free(r->key);
	g_free(r);
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct sinfo_row *x = *(struct sinfo_row *const *)a, *y = *(struct sinfo_row *const *)b;
	int64_t m = bitset_first(x->nodes), n = bitset_first(y->nodes);

	if (x->by_node)
		return m != n ? (m > n) - (m < n)
		              : (x->part->index > y->part->index) - (x->part->index < y->part->index);
	if (x->part->index != y->part->index)
		return x->part->index > y->part->index ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return (m > n) - (m < n);
}

/* What tells rows apart: every column whose text depends on the node or the partition alone. */
static char *key_of(const struct sinfo_sheet *sheet, const struct sinfo_row *one)
{
	GString *key = g_string_new(NULL);

	if (sheet->o->by_node)
		g_string_append_printf(key, "%" G_GINT64_FORMAT " %u\n", bitset_first(one->nodes), one->part->index);
	for (guint i = 0; i < N_SINFO_FIELDS; i++) {
		if (!sinfo_field_splits(i, sheet->o->exact, sheet->view->v22) || !table_has(sheet->columns, (int)i))
			continue;
		char *text = sinfo_field_text((void *)one, (int)i);
		g_string_append_printf(key, "%s\n", text);
		g_free(text);
	}
	return g_string_free(key, FALSE);
}

static struct sinfo_row *row_new(const struct sinfo_sheet *sheet, const struct partition *p)
{
	struct sinfo_row *r = g_new0(struct sinfo_row, 1);

	r->sheet = sheet;
	r->part = p;
	r->by_node = sheet->o->by_node;
	r->nodes = bitset_new(controller_cluster(sheet->view->c)->n_nodes);
	return r;
}

static void add_node(const struct sinfo_sheet *sheet, GPtrArray *rows, GHashTable *by_key, const struct partition *p,
                     const struct node *n)
{
	struct sinfo_row *one = row_new(sheet, p), *same;

	bitset_set(one->nodes, n->index);
	one->rank = sinfo_state_rank(sheet->view->c, n);
	one->key = key_of(sheet, one);
	same = g_hash_table_lookup(by_key, one->key);
	if (same) {
		bitset_set(same->nodes, n->index);
		same->rank = MAX(same->rank, one->rank);
		row_free(one);
		return;
	}
	g_hash_table_insert(by_key, one->key, one);
	g_ptr_array_add(rows, one);
}

static GPtrArray *collect(const struct sinfo_sheet *sheet)
{
	const struct cluster *cl = controller_cluster(sheet->view->c);
	GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);
	GHashTable *by_key = g_hash_table_new(g_str_hash, g_str_equal);
	struct bitset *only = sheet->o->nodes ? cluster_parse_nodes(cl, sheet->o->nodes, NULL) : NULL;
	int64_t i;

	if (sheet->o->nodes && !only)
		only = bitset_new(cl->n_nodes);
	for (guint k = 0; k < cl->partitions->len; k++) {
		const struct partition *p = cl->partitions->pdata[k];
		bool empty = true;

		if (!partition_shown(sheet->o, p))
			continue;
		for (BITSET_EACH(i, p->nodes))
			if (node_wanted(sheet->view, sheet->o, only, cl->node[i])) {
				add_node(sheet, rows, by_key, p, cl->node[i]);
				empty = false;
			}
		if (empty && sinfo_splits_partitions(sheet->columns) && !sheet->o->by_node &&
		    !sheet->o->reasons)
			g_ptr_array_add(rows, row_new(sheet, p));
	}
	bitset_free(only);
	g_hash_table_unref(by_key);
	g_ptr_array_sort(rows, compare_rows);
	if (sheet->o->sort)
		sinfo_sort(rows, sheet->o->sort);
	return rows;
}

/* ---- columns ---- */

/* PARTITION is as wide as the longest name that is printed, at least 9. */
static int partition_width(const struct cluster *cluster, const struct sinfo_options *o)
{
	size_t width = 9;

	for (guint i = 0; i < cluster->partitions->len; i++) {
		const struct partition *p = cluster->partitions->pdata[i];
		if (partition_shown(o, p))
			width = MAX(width, strlen(p->name) + p->is_default);
	}
	return (int)width;
}

static char *default_format(const struct job_view *v, const struct sinfo_options *o)
{
	const struct cluster *cl = controller_cluster(v->c);
	int width = partition_width(cl, o), names = 9;

	for (uint32_t i = 0; i < cl->n_nodes; i++)
		names = MAX(names, (int)strlen(cl->node[i]->name));
	if (o->by_node && o->wide)
		return g_strdup_printf("%%%dN %%.6D %%.%dP %%.11T %%4c %%.8z %%.6m %%.8d %%.6w %%.8f %%20E", names,
		                       width);
	if (o->by_node)
		return g_strdup_printf("%%%dN %%.6D %%.%dP %%6t", names, width);
	if (o->reasons)
		return g_strdup(o->wide ? "%20E %12U %19H %6t %N" : "%20E %9u %19H %N");
	if (o->summary)
		return g_strdup_printf("%%%dP %%.5a %%.10l %%.16F %%N", width);
	if (o->wide)
		return g_strdup_printf("%%%dP %%.5a %%.10l %%.10s %%.4r %%.8h %%.10g %%.6D %%.11T %s%%N", width,
		                       v->v22 ? "" : "%.11i ");
	return g_strdup_printf("%%%dP %%.5a %%.10l %%.6D %%.6t %%N", width);
}

static struct table *columns_of(const struct job_view *v, const struct sinfo_options *o)
{
	char *format;
	struct table *t;

	if (o->long_format)
		return table_long(SINFO_FIELDS, N_SINFO_FIELDS, o->long_format);
	format = o->format ? g_strdup(o->format) : default_format(v, o);
	t = table_short(SINFO_FIELDS, N_SINFO_FIELDS, format);
	g_free(format);
	return t;
}

void sinfo_print(FILE *out, const struct controller *c, sec_t now, const struct sinfo_options *o)
{
	const struct job_view v = {c, now, controller_cluster(c)->params->version == SLURM_22_05};
	struct sinfo_sheet sheet = {&v, o, columns_of(&v, o)};
	GPtrArray *rows = collect(&sheet);

	table_complain(sheet.columns, o->long_format ? "sinfo" : NULL,
	               o->long_format ? "Invalid job format specification" : "Invalid node format specification");
	if (o->wide && !o->no_header)
		print_date_line(out, now);
	if (!o->no_header)
		table_header(out, sheet.columns, SINFO_FIELDS);
	for (guint i = 0; i < rows->len; i++)
		table_row(out, sheet.columns, SINFO_FIELDS, sinfo_field_text, rows->pdata[i]);
	g_ptr_array_unref(rows);
	table_drop(sheet.columns);
}
