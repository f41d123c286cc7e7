/* views.h - subcommands that look at a moment, run on a live session: by the shell, and by events with "view" */
#ifndef TOOLS_VIEWS_H
#define TOOLS_VIEWS_H
#include "tools/session.h"

/* The subcommand of that name, NULL when it is no view. */
typedef int view_fn(int argc, char **argv);
view_fn *view_find(const char *name);
/* Run WORDS (the first is the name) on S as it stands, in a process of its own, so that no look leaves a trace. Its exit code; -1 with errno when there is none. */
int view_look(const struct session *s, view_fn *run, char **words);
/* Go on with the run of S to its end, and print its scenario's views on the way, to stdout or stderr. An exit code. */
int views_run(struct session *s, bool to_stderr);
#endif
