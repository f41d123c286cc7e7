/* scores.h - the form of conformance.json and floor.json: {"NAME": {"pinned": {"state": [agree, scored], ...}, "free":
 * {...}}}. */
#ifndef CONFORMANCE_SCORES_H
#define CONFORMANCE_SCORES_H
#include <cjson/cJSON.h>

/* The text of such a tree, a line a mode. g_free. */
char *scores_text(const cJSON *tree);
#endif
