/* report.h - results for people (a table) and for programs (conformance.json, conformance.diff). */
#ifndef CONFORMANCE_REPORT_H
#define CONFORMANCE_REPORT_H
#include "tests/conformance/attempt.h"
#include <stdio.h>

/* Attempts come scenario by scenario, pinned before free, both of a title together. */
void report_table(FILE *out, const GPtrArray *attempts);
/* One difference a line, fields separated by tabs: scenario, version, mode, job, field, real, simulated, pass ("-"
 * unknown). */
void report_differences(FILE *out, const GPtrArray *attempts);
bool report_write_differences(const char *path, const GPtrArray *attempts, GError **error);
/* {"NAME": {"pinned": {"state": [agree, scored], ...}, "free": {...}}} */
bool report_write_json(const char *path, const GPtrArray *attempts, GError **error);
/* The tree of the attempts that were scored. cJSON_Delete. */
cJSON *report_tree(const GPtrArray *attempts);
#endif
