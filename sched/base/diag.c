/* diag.c - a collection of input errors; see diag.h. */
#include "sched/base/diag.h"

#define WARNINGS_KEPT 200

struct diag *diag_new(void)
{
	struct diag *d = g_new0(struct diag, 1);

	d->errors = g_ptr_array_new_with_free_func(g_free);
	d->warnings = g_ptr_array_new_with_free_func(g_free);
	return d;
}

void diag_free(struct diag *d)
{
	if (d == NULL)
		return;
	g_ptr_array_unref(d->errors);
	g_ptr_array_unref(d->warnings);
	g_free(d);
}

/* "FILE:LINE:COLUMN: text; hint", each part left out when unknown. */
static char *message(const char *file, guint line, guint column, const char *hint, const char *format, va_list args)
    G_GNUC_PRINTF(5, 0);
static char *message(const char *file, guint line, guint column, const char *hint, const char *format, va_list args)
{
	GString *s = g_string_new(file);

	if (line > 0) {
		g_string_append_printf(s, "%s%u", s->len ? ":" : "line ", line);
		if (column > 0)
			g_string_append_printf(s, ":%u", column);
	}
	if (s->len > 0)
		g_string_append(s, ": ");
	g_string_append_vprintf(s, format, args);
	if (hint != NULL && *hint != '\0')
		g_string_append_printf(s, "; %s", hint);
	return g_string_free(s, FALSE);
}

void diag_error(struct diag *d, const char *file, guint line, guint column, const char *hint, const char *format, ...)
{
	if (d->n_errors < G_MAXUINT)
		d->n_errors++;
	if (d->errors->len >= DIAG_SHOWN)
		return;
	va_list args;

	va_start(args, format);
	g_ptr_array_add(d->errors, message(file, line, column, hint, format, args));
	va_end(args);
}

void diag_warn(struct diag *d, const char *file, guint line, guint column, const char *hint, const char *format, ...)
{
	if (d->n_warnings < G_MAXUINT)
		d->n_warnings++;
	if (d->warnings->len >= WARNINGS_KEPT)
		return;
	va_list args;

	va_start(args, format);
	g_ptr_array_add(d->warnings, message(file, line, column, hint, format, args));
	va_end(args);
}

gboolean diag_ok(const struct diag *d, GError **error)
{
	if (d->n_errors == 0)
		return TRUE;
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < d->errors->len; i++)
		g_string_append_printf(s, "%s%s", i ? "\n" : "", (const char *)g_ptr_array_index(d->errors, i));
	if (d->n_errors > d->errors->len)
		g_string_append_printf(s, "\n... and %u more", d->n_errors - d->errors->len);
	g_set_error_literal(error, DIAG_ERROR, 0, s->str);
	g_string_free(s, TRUE);
	return FALSE;
}
