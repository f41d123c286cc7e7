/* sinfo_sort.c - see sinfo_sort.h */
#include "tools/sinfo_sort.h"
#include "sched/base/hostlist.h"
#include "tools/sinfo_fields.h"
#include <string.h>

static bool is_sign(char c)
{
	return c == '-' || c == '+' || c == '#';
}

bool sinfo_sort_check(const char *keys, GError **error)
{
	for (const char *p = keys; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ","), sign = 0;
		while (is_sign(p[sign]))
			sign++;
		if (n != sign + 1 || sinfo_field_letter(p[sign]) < 0) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			            "-S: bad key \"%.*s\"; write letters of -o between commas, each with - or +: #P,-t",
			            (int)MIN(n, 40), p);
			return false;
		}
		p += n;
	}
	return true;
}

static const struct node *first_node(const struct sinfo_row *r)
{
	int64_t i = bitset_first(r->nodes);

	return i < 0 ? NULL : controller_cluster(r->sheet->view->c)->node[i];
}

static int by_node(const struct sinfo_row *x, const struct sinfo_row *y)
{
	const struct node *a = first_node(x), *b = first_node(y);

	return a && b ? hostlist_name_cmp(a->name, b->name) : (a != NULL) - (b != NULL);
}

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* A text that begins with a number goes by it ("4/28/0/32", "256000+"). */
static int by_text(const struct sinfo_row *x, const struct sinfo_row *y, char letter)
{
	int field = sinfo_field_letter(letter), order;
	char *a = sinfo_field_text((void *)x, field), *b = sinfo_field_text((void *)y, field);

	order = strchr("AcCdDFIBmpswXYzZ", letter) ? by_number(g_ascii_strtoull(a, NULL, 10), g_ascii_strtoull(b, NULL, 10)) : 0;
	if (!order)
		order = strcmp(a, b);
	g_free(a);
	g_free(b);
	return order;
}

static int by_key(const struct sinfo_row *x, const struct sinfo_row *y, char letter, bool configured)
{
	switch (letter) {
	case 'P':
	case 'R':
		return configured ? by_number(x->part->index, y->part->index) : strcmp(x->part->name, y->part->name);
	case 't':
	case 'T':
		return by_number(x->rank, y->rank);
	case 'N':
	case 'n':
		return by_node(x, y);
	case 'D': /* printed as 2K when there are many */
		return by_number(bitset_count(x->nodes), bitset_count(y->nodes));
	case 'l':
		return by_number(x->part->max_time, y->part->max_time);
	case 'L':
		return by_number(x->part->default_time, y->part->default_time);
	default:
		return by_text(x, y, letter);
	}
}

struct place { /* of a row in the usual order */
	const struct sinfo_row *row;
	guint at;
};

static int compare(gconstpointer a, gconstpointer b, gpointer keys)
{
	const struct place *x = a, *y = b;

	for (const char *p = keys; *p; p += *p == ',') {
		bool down = false, configured = false;
		for (; is_sign(*p); p++) {
			down |= *p == '-';
			configured |= *p == '#';
		}
		int order = by_key(x->row, y->row, *p, configured);
		if (order)
			return down ? -order : order;
		p++;
	}
	return by_number(x->at, y->at);
}

void sinfo_sort(GPtrArray *rows, const char *keys)
{
	GArray *places = g_array_sized_new(FALSE, FALSE, sizeof(struct place), rows->len);

	for (guint i = 0; i < rows->len; i++) {
		struct place p = {rows->pdata[i], i};
		g_array_append_val(places, p);
	}
	g_array_sort_with_data(places, compare, (gpointer)keys);
	for (guint i = 0; i < rows->len; i++)
		rows->pdata[i] = (gpointer)g_array_index(places, struct place, i).row;
	g_array_unref(places);
}
