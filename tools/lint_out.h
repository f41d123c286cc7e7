/* lint_out.h - the findings of lint as text and as JSON. */
#ifndef TOOLS_LINT_OUT_H
#define TOOLS_LINT_OUT_H
#include "tools/lint.h"

/* How many of FINDINGS (of struct lint_finding *) have LEVEL. */
guint lint_count(const GPtrArray *findings, enum lint_level level);
/* Four lines a finding ("FILE:LINE: LEVEL: what [id]", why, set, rule), and a line of counts; CHECKS = how many looked.
 * g_free. */
char *lint_text(const GPtrArray *findings, guint checks);
/* {"findings": [{"id", "level", "file", "line" (null without one), "what", "why", "set", "rule"}], "errors",
 * "warnings", "notes", "checks"}; valid UTF-8 whatever the files hold. cJSON_free. */
char *lint_json(const GPtrArray *findings, guint checks);
/* The table of checks: a line each (g_free), or a list of {"id", "level", "title", "rule"} (cJSON_free). */
char *lint_list_text(void);
char *lint_list_json(void);
#endif
