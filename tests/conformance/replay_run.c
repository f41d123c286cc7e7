/* replay_run.c - running a prepared scenario (see replay.h). */
#include "tests/conformance/collect.h"

/* Every submission counts as accepted until a refusal is found; what the reader left out was refused by it. */
static struct run *expected_run(const struct replay *r)
{
	struct run *run = run_new();
	for (guint i = 0; i < r->record->told->len; i++) {
		const struct told *told = r->record->told->pdata[i];
		bool there = replay_submission(r, i) != NULL;
		run_add_answer(run, told->name, !there, false, there ? "" : "left out by the reader");
	}
	return run;
}

static struct run *run_and_collect(const struct replay *r, struct sim *sim, struct collector *c,
                                   struct recorder *recorder, bool pinned, GError **error)
{
	if (pinned)
		pinned_pin(r, sim);
	else
		free_pin(r, sim);
	if (!sim_run(sim, NULL, NULL, NULL, error))
		return NULL;
	sim_close_record(sim);
	return recorder_finish(recorder, error) ? collector_finish(c, recorder, error) : NULL;
}

struct run *replay_run(struct replay *r, bool pinned, GError **error)
{
	struct recorder *recorder = recorder_open(pinned ? NULL : g_getenv("CONFORMANCE_DB"), error);
	if (!recorder)
		return NULL;
	if (pinned)
		pinned_prepare(r);
	else
		free_prepare(r);
	struct run *expected = expected_run(r), *run = NULL;
	struct sim *sim = scenario_start(r->scenario, recorder, error);
	if (sim) {
		struct collector *c = collector_new(r, sim, expected);
		run = run_and_collect(r, sim, c, recorder, pinned, error);
		collector_free(c);
		sim_free(sim);
	} else {
		run_free(expected);
	}
	recorder_free(recorder);
	return run;
}
