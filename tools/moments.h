/*
 * moments.h - moments of a run in a folder, so that a look at a later moment need not begin at the run's start.
 *
 * A folder of moments holds moments.json, with the inputs of the run and their SHA-256, and a snapshot (scenarios/snapshot.h) in a
 * subfolder for each moment, named by its date. A session for AT begins with the latest that is MOMENTS_AGE before AT, or further
 * back where MinJobAge is longer: what had ended by then is forgotten at AT in any run.
 */
#ifndef TOOLS_MOMENTS_H
#define TOOLS_MOMENTS_H
#include "tools/session.h"

enum { MOMENTS_AGE = 3600 };

/* Is PATH such a folder? */
bool moments_is_folder(const char *path);
/* Write the present moment of S, a run of OPTIONS, into DIR; FIRST: moments.json too. False and ERROR. */
bool moments_write(const struct session *s, const struct tool_options *options, const char *dir, bool first, GError **error);
/* Fill in S's scenario and sim: the run goes on from the moment chosen to that of OPTIONS (--at). An exit code, after a message. */
int moments_open(struct session *s, const struct tool_options *options);
#endif
