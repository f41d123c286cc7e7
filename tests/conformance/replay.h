/*
 * replay.h - running a recorded scenario in the simulation, and taking down what became of its jobs.
 *
 * What both ways to run share: the scenario from its folder, T0 at the recorded place in the hour, labels as the record
 * has them, and the collecting of a struct run. pinned.c and free.c say when things happen.
 */
#ifndef CONFORMANCE_REPLAY_H
#define CONFORMANCE_REPLAY_H
#include "scenarios/scenario.h"
#include "tests/conformance/records.h"
#include "tests/conformance/score.h"

struct replay {
	const struct record *record; /* borrowed */
	struct scenario *scenario;   /* owned */
	char *copy;                  /* owned: the folder it was read from, when not its own */
	const struct clocks *clocks; /* of that recording */
	usec_t t0;
	GArray *which; /* of guint: scenario->submissions[i] is record->told[which[i]] */
};

/* Load the scenario and set T0 and labels; WHICH: the clocks of the first (0) or second (1) recording. NULL and ERROR when scenario_load refuses it. */
struct replay *replay_load(const struct record *record, guint which, GError **error);
void replay_free(struct replay *r); /* NULL is allowed */
/* An instant of the record. */
usec_t replay_time(const struct replay *r, double seconds);
/* The submission that was made as told[I]; NULL when the reader left it out. */
struct submission *replay_submission(const struct replay *r, guint i);
/* Sort submissions and events after their times were changed. */
void replay_sort(struct replay *r);

/* The text of a command as recorded; g_free. */
char *replay_command_text(const cJSON *line);
/* When the controller acted on COMMAND, which was given at T. */
typedef double command_time_fn(const struct record *record, const char *command, double t);
/* Each command comes when WHEN says; those of "setup", which have no time, stay. */
void replay_time_commands(struct replay *r, command_time_fn *when);

/* How a scenario runs: set times and options (before), pin what is pinned (sim is made). */
void pinned_prepare(struct replay *r);
void pinned_pin(const struct replay *r, struct sim *sim);
void free_prepare(struct replay *r);
void free_pin(const struct replay *r, struct sim *sim);

/* What free runs are measured with, from the scenario's configuration. */
struct score_rules replay_rules(const struct replay *r, bool pinned);

/* Run and collect. NULL and ERROR when the simulation fails. */
struct run *replay_run(struct replay *r, bool pinned, GError **error);
#endif
