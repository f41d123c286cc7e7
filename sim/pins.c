/* pins.c - reading the times at which the real controller made its passes; see sim_read_pins in sim.h */
#include "sched/base/diag.h"
#include "sim/sim.h"
#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {[PIN_MAIN_QUICK] = "main_quick",
                                    [PIN_MAIN_FULL] = "main_full",
                                    [PIN_BACKFILL] = "backfill",
                                    [PIN_SWEEP] = "sweep",
                                    [PIN_PRIORITY] = "priority",
                                    [PIN_SLICE] = "slice",
                                    [PIN_STATES] = "states"};

#define MAX_SECONDS 1e11 /* beyond it is no time after a start, and usec_t is still far from its end */

struct pin_reader {
	const char *path;
	struct diag *diag;
	GArray *pins; /* of struct pin */
	usec_t start;
	guint line, column;        /* of the field to come */
	int t_column, kind_column; /* -1 = not named */
	bool empty;                /* no field of this row had anything in it */
	struct pin pin;
	bool have_t, have_kind, bad;
	int row_end; /* what ended the last row */
};

static void header_field(struct pin_reader *r, const char *text)
{
	if (strcmp(text, "t") == 0)
		r->t_column = (int)r->column;
	else if (strcmp(text, "kind") == 0)
		r->kind_column = (int)r->column;
}

static void time_field(struct pin_reader *r, const char *text)
{
	char *end;
	double t = g_ascii_strtod(text, &end);
	if (end == text || *end || !isfinite(t) || fabs(t) > MAX_SECONDS) {
		diag_error(r->diag, r->path, r->line, 0, "seconds after the start, as 12.345678", "bad time \"%s\"",
		           text);
		r->bad = true;
		return;
	}
	r->pin.t = r->start + (usec_t)llround(t * (double)USEC);
	r->have_t = true;
}

static void kind_field(struct pin_reader *r, const char *text)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(text, kinds[i]) == 0) {
			r->pin.kind = i;
			r->have_kind = true;
			return;
		}
	diag_error(r->diag, r->path, r->line, 0, "main_quick, main_full, backfill, sweep, priority, slice, states",
	           "unknown kind \"%s\"", text);
	r->bad = true;
}

static void on_field(void *field, size_t len, void *data)
{
	struct pin_reader *r = data;
	const char *text = field ? field : ""; /* CSV_APPEND_NULL */
	r->empty = r->empty && len == 0;
	if (r->line == 1)
		header_field(r, text);
	else if ((int)r->column == r->t_column)
		time_field(r, text);
	else if ((int)r->column == r->kind_column)
		kind_field(r, text);
	r->column++;
}

static void end_header(struct pin_reader *r)
{
	const char *hint = "a line of column names with t and kind among them";
	if (r->t_column < 0)
		diag_error(r->diag, r->path, 1, 0, hint, "no column \"t\"");
	if (r->kind_column < 0)
		diag_error(r->diag, r->path, 1, 0, hint, "no column \"kind\"");
}

static void end_row(struct pin_reader *r)
{
	if (r->t_column < 0 || r->kind_column < 0 || r->bad)
		return;
	if (r->have_t && r->have_kind)
		g_array_append_val(r->pins, r->pin);
	else if (!r->empty)
		diag_error(r->diag, r->path, r->line, 0, NULL, "the row has no %s", r->have_t ? "kind" : "t");
}

static void on_row(int end, void *data)
{
	struct pin_reader *r = data;
	bool crlf = end == '\n' && r->row_end == '\r' && r->column == 0;
	r->row_end = end;
	if (crlf) /* the second half of one line end */
		return;
	if (r->line == 1)
		end_header(r);
	else
		end_row(r);
	r->line++;
	r->column = 0;
	r->empty = true;
	r->have_t = r->have_kind = r->bad = false;
}

/* Rows of one instant keep the order of the file: the sort must be stable. */
static gint by_time(gconstpointer a, gconstpointer b, gpointer data)
{
	(void)data;
	const struct pin *x = a, *y = b;
	return x->t < y->t ? -1 : x->t > y->t;
}

static void sort_pins(GArray *pins)
{
	if (pins->len > 1)
		g_qsort_with_data(pins->data, (gint)pins->len, sizeof(struct pin), by_time, NULL);
}

static void parse_text(struct pin_reader *r, const char *text, gsize len)
{
	struct csv_parser p;
	if (csv_init(&p, CSV_APPEND_NULL | CSV_REPALL_NL) != 0)
		g_error("csv_init failed");
	if (csv_parse(&p, text, len, on_field, on_row, r) != len || csv_fini(&p, on_field, on_row, r) != 0)
		diag_error(r->diag, r->path, r->line, 0, NULL, "%s", csv_strerror(csv_error(&p)));
	csv_free(&p);
	if (r->line == 1)
		diag_error(r->diag, r->path, 0, 0, "a line of column names with t and kind among them",
		           "the file is empty");
}

GArray *sim_read_pins(const char *path, usec_t start, GError **error)
{
	char *text;
	gsize len;
	if (!g_file_get_contents(path, &text, &len, error))
		return NULL;
	struct pin_reader r = {
	    .path = path, .start = start, .line = 1, .t_column = -1, .kind_column = -1, .empty = true};
	r.diag = diag_new();
	r.pins = g_array_new(FALSE, FALSE, sizeof(struct pin));
	parse_text(&r, text, len);
	g_free(text);
	if (!diag_ok(r.diag, error))
		g_clear_pointer(&r.pins, g_array_unref);
	else
		sort_pins(r.pins);
	diag_free(r.diag);
	return r.pins;
}
