/*
 * whatif_ideas.h - which changes to one job are worth trying, and the smallest that lets it start at once.
 *
 * Ideas come from the request, the job's true run time and what the site offers: a shorter --time down to the true run
 * time; half, a quarter and one of its nodes or GPUs; the half size twice; the same tasks on fewer nodes; other
 * partitions and QOS that take it; GPUs of any type; without dependency, begin time, hold, constraint, node list or
 * licences; a later hour; no idea changes two things, except that fewer nodes take tasks and GPUs along.
 */
#ifndef TOOLS_WHATIF_IDEAS_H
#define TOOLS_WHATIF_IDEAS_H
#include "tools/whatif.h"

enum idea_kind { IDEA_TIME, IDEA_FREEDOM, IDEA_PLACE, IDEA_ORDER, IDEA_HOUR, IDEA_SIZE };
struct idea { /* owned; idea_free */
	struct change *change;
	char *what; /* "half the time limit: it really runs 0:52:00" */
	enum idea_kind kind;
	double kept;      /* of what was asked for: 0.5 = half; 1 = all */
	bool preemptible; /* jobs of others may then push it aside */
	struct answer answer;
};
void idea_free(void *idea);
/* Ideas for SUB, which is about to be submitted to C; NAMES of partitions are tried up to a few. */
GPtrArray *ideas_for(const struct submission *sub, const struct target *t, const struct controller *c);
/* An idea between A (starts at once) and B (does not, or NULL = as submitted) of the same kind; NULL when there is
 * none. */
struct idea *idea_between(const struct submission *sub, const struct target *t, const struct controller *c,
                          const struct idea *a, const struct idea *b);
/* Started within a minute of its submission. */
bool answer_at_once(const struct answer *a);
/* The idea that starts at once, before BASE (when it really started; INT64_MAX = never), and gives up least; NULL =
 * none. */
const struct idea *ideas_smallest(const GPtrArray *ideas, usec_t base);
#endif
