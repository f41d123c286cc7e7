/* checkpoint.c - see checkpoint.h */
#include "sim/checkpoint.h"
#include <string.h>

static usec_t overhead(const struct outcome *o, usec_t done)
{
	return o->startup + (done > 0 ? o->restart_cost : 0);
}

usec_t checkpoint_wall(const struct outcome *o, usec_t done)
{
	usec_t work = MAX(0, o->run_time - done);
	usec_t n = o->checkpoint > 0 && work > 0 ? (work - 1) / o->checkpoint : 0;
	return overhead(o, done) + work + n * o->checkpoint_cost;
}

/* Of RAN, the time until it hung. */
static usec_t until_hung(const struct outcome *o, usec_t done, usec_t ran)
{
	return o->end == OUTCOME_HANG ? MIN(ran, checkpoint_wall(o, done)) : ran;
}

usec_t checkpoint_saved(const struct outcome *o, usec_t done, usec_t ran)
{
	ran = until_hung(o, done, ran);
	usec_t working = ran - overhead(o, done);
	if (o->checkpoint <= 0 || working <= 0)
		return done;
	usec_t n = working / (o->checkpoint + o->checkpoint_cost);
	return MIN(o->run_time, done + n * o->checkpoint);
}

usec_t checkpoint_saved_by(const struct outcome *o, usec_t done, usec_t ran, usec_t warned)
{
	usec_t saved = checkpoint_saved(o, done, ran);
	if (!o->checkpoint_signal || warned < 0 || ran - warned < o->checkpoint_cost || warned > until_hung(o, done, warned))
		return saved;
	usec_t working = warned - overhead(o, done);
	if (working <= 0)
		return saved;
	usec_t whole = o->checkpoint > 0 ? working / (o->checkpoint + o->checkpoint_cost) : 0; /* checkpoints in between took time */
	return MAX(saved, MIN(o->run_time, done + working - whole * o->checkpoint_cost));
}

const char *checkpoint_cause(const char *state)
{
	static const struct {
		const char *state, *cause;
	} causes[] = {{"PREEMPTED", "preempted"}, {"NODE_FAIL", "node failure"}, {"REQUEUED", "requeued"},
	              {"TIMEOUT", "time limit"},  {"FAILED", "failed"},          {"OUT_OF_MEMORY", "out of memory"}};
	for (gsize i = 0; i < G_N_ELEMENTS(causes); i++)
		if (strcmp(causes[i].state, state) == 0)
			return causes[i].cause;
	return NULL;
}
