/*
 * floor.h - the best score reached per scenario and measure, kept in the repository; a change may not fall below it.
 *
 * The file has the form of conformance.json: [agree, scored] pairs. They compare as shares, without rounding. What was
 * scored once must stay scored.
 */
#ifndef CONFORMANCE_FLOOR_H
#define CONFORMANCE_FLOOR_H
#include <cjson/cJSON.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/* Number of measures of NOW (a tree of scores) that are below FLOOR, each listed on OUT. Scenarios that are not in NOW
 * are not looked at. */
guint floor_check(const cJSON *floor, const cJSON *now, FILE *out);
/* Raise entries of FLOOR where NOW is better or more was scored with the same share; add those that are missing.
 * Returns how many. Nothing ever goes down. */
guint floor_raise(cJSON *floor, const cJSON *now);
/* Read and write. A missing file is an empty floor. NULL / false and ERROR when bad. */
cJSON *floor_read(const char *path, GError **error);
bool floor_write(const char *path, const cJSON *floor, GError **error);
#endif
