/*
 * snapshot_sdiag.h - the counts of sdiag in a snapshot: jobs, passes, depths, queues, tables and why passes ended. In pinned runs all of them must be
 * equal; free runs, whose passes come at times of their own, are not scored. Times in microseconds are the host's.
 */
#ifndef CONFORMANCE_SNAPSHOT_SDIAG_H
#define CONFORMANCE_SNAPSHOT_SDIAG_H
#include "tests/conformance/score.h"

/* "section name" -> value as text, of the output of sdiag. g_hash_table_unref. */
GHashTable *sdiag_counts(const char *text);
/* Each count of REAL, the output at second T, beside the simulated ones. */
void sdiag_compare(struct score *score, gint64 t, const char *real, GHashTable *simulated);
#endif
