/*
 * record_parts.h - inside of records: reading the files that say when things happened. Each fills its part of R; false
 * and ERROR when its file is missing or bad.
 */
#ifndef CONFORMANCE_RECORD_PARTS_H
#define CONFORMANCE_RECORD_PARTS_H
#include "tests/conformance/records.h"
#include "tests/conformance/textfile.h"

bool record_read_meta(struct record *r, GError **error);
bool record_read_passes(struct record *r, const char *file, GError **error);
/* clocks.c: those of the recording of R whose passes and happenings these are. */
bool record_find_clocks(const struct record *r, const GPtrArray *passes, const GPtrArray *happenings, struct clocks *c, GError **error);
/* Needs nothing read before; replaces no list. */
bool record_read_happenings(struct record *r, const char *file, GError **error);
/* submits.jsonl, jobs.csv (ids used up): told and run->answers. */
bool record_read_told(struct record *r, GError **error);
/* pending.jsonl, timeline.jsonl: samples, and priority_last and priority_step of each story. Needs happenings. */
bool record_read_samples(struct record *r, GError **error);
/* decisions.jsonl: run->plans. */
bool record_read_plans(struct record *r, GError **error);
#endif
