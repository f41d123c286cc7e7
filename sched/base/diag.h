/*
 * diag.h - what a reader found wrong in a file: every error, not just the first (at most DIAG_SHOWN are shown).
 *
 * A reader reports into a struct diag while it goes on; at the end the caller turns the collection into one
 * GError whose message has a line an error: "FILE:LINE:COLUMN: text; what would be right".
 */
#ifndef SCHED_BASE_DIAG_H
#define SCHED_BASE_DIAG_H
#include <glib.h>

#define DIAG_SHOWN 20
#define DIAG_ERROR (g_quark_from_static_string("input"))

struct diag {
	GPtrArray *errors;   /* of char *, at most DIAG_SHOWN */
	GPtrArray *warnings; /* of char *, at most 200 */
	guint n_errors, n_warnings;
};

struct diag *diag_new(void);
void diag_free(struct diag *d);
/* LINE and COLUMN count from 1; 0 = unknown and is left out. HINT (may be NULL) says what would be right. */
void diag_error(struct diag *d, const char *file, guint line, guint column, const char *hint, const char *format, ...) G_GNUC_PRINTF(6, 7);
void diag_warn(struct diag *d, const char *file, guint line, guint column, const char *hint, const char *format, ...) G_GNUC_PRINTF(6, 7);
/* True when there are no errors. Else sets ERROR (all shown errors, "... and N more") and returns FALSE. */
gboolean diag_ok(const struct diag *d, GError **error);
#endif
