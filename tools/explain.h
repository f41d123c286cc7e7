/*
 * explain.h - whypend explain: a scenario run up to the job's start with somebody watching, and the story told.
 */
#ifndef TOOLS_EXPLAIN_H
#define TOOLS_EXPLAIN_H
#include "tools/session.h"
#include "tools/story.h"
#include "tools/whatif_ideas.h"
#include <stdio.h>

struct explanation { /* explanation_clear */
	struct story *story;
	GPtrArray *ideas;    /* of struct idea *; NULL = not asked for */
	GPtrArray *own;      /* of struct idea *: the user's --what-if; NULL */
	char *slurm_version; /* NULL = unknown */
};
void explanation_clear(struct explanation *e);

struct explain_wish {
	const char *job;
	int run;        /* -1 = the first */
	char **what_if; /* strv or NULL */
	bool ideas;
};
/* Run OPTIONS' scenario and explain. An exit code, after a message on stderr when it is not EXIT_GOOD. */
int explain_scenario(struct explanation *e, const struct tool_options *options, const struct explain_wish *wish);

/* story_text.c, story_json.c */
enum { ALL_INTERVALS = 1 };
void explain_print(FILE *out, const struct explanation *e, int flags);
void explain_ticket(FILE *out, const struct explanation *e);
void explain_json(FILE *out, const struct explanation *e);
#endif
