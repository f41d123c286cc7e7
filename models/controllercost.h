/*
 * controllercost.h - how fast the controller is, from words, a file, or a site's own sdiag (sched/pace.h says what follows).
 *
 *   instant                       nothing takes time (the default)
 *   small, large                  orders of magnitude: a few nodes on a modest host as recorded (tests/conformance), thousands of nodes and a deep queue
 *   KEY=VALUE,...                 pass, main_job, bf_job, node, start in microseconds, decimals allowed; what is not named is 0
 *   FILE                          the same, one or more to a line, # begins a comment; "whypend calibrate" writes such a file
 */
#ifndef MODELS_CONTROLLERCOST_H
#define MODELS_CONTROLLERCOST_H
#include "sched/pace.h"
#include <glib.h>

#define COST_ERROR (g_quark_from_static_string("controller-cost"))

/* TEXT as above. False and ERROR: what is wrong, where, and what would be right. */
bool controller_cost_parse(const char *text, struct controller_cost *cost, GError **error);
/* The same as text, one KEY=VALUE a line; g_free. */
char *controller_cost_format(const struct controller_cost *cost);

/* What sdiag says about the speed of a controller; -1 = not told. Means in microseconds. */
struct sdiag_pace { double main_mean, main_depth, bf_mean, bf_depth_try; };
/* Read the output of sdiag or sdiag --json of any release. False and ERROR when the file cannot be read, or holds neither statistics. */
bool sdiag_read(const char *path, struct sdiag_pace *pace, GError **error);
/* The costs that give these means: a tenth of a pass goes to its beginning, the rest to its jobs; nodes and starts are in it. Unknown ones are 0. */
struct controller_cost sdiag_cost(const struct sdiag_pace *pace);
#endif
