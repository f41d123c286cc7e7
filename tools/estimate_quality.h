/*
 * estimate_quality.h - how far the StartTime that users saw was from the start that came, by how far ahead it lay (table estimate of run.db).
 *
 * Error: real start - estimate in seconds; above 0 the job started later than told. One estimate a run and lead: the first so far ahead.
 */
#ifndef TOOLS_ESTIMATE_QUALITY_H
#define TOOLS_ESTIMATE_QUALITY_H
#include <cjson/cJSON.h>
#include <glib.h>
#include <stdio.h>

struct sqlite3;

struct estimate_group {
	char *lead;                           /* owned: "1 h": less than that ahead */
	guint64 n;
	double median, p10, p90;              /* of the error, seconds */
	double right, late;                   /* shares 0..1: within a minute; later than told by more than that */
};

/* Of struct estimate_group, the shortest lead first; only leads that have estimates. NULL and ERROR (G_IO_ERROR) when DB cannot be read. */
GArray *estimate_quality(struct sqlite3 *db, GError **error);
void estimate_quality_text(FILE *out, const GArray *groups);
void estimate_quality_json(cJSON *root, const GArray *groups);
#endif
