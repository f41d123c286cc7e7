/* collect.h - a simulated run's record -> struct run, in the form of the recorded ones. */
#ifndef CONFORMANCE_COLLECT_H
#define CONFORMANCE_COLLECT_H
#include "tests/conformance/replay.h"

struct collector;
/* Watches SIM from now on. RUN (ownership passes) holds an answer for each submission told, not refused unless the
 * reader left it out. */
struct collector *collector_new(const struct replay *r, struct sim *sim, struct run *run);
/* After sim_close_record and recorder_finish: everything. NULL and ERROR when the record cannot be read. */
struct run *collector_finish(struct collector *c, struct recorder *recorder, GError **error);
void collector_free(struct collector *c);
#endif
