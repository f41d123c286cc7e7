/*
 * session.h - one run of a scenario for a subcommand: load, simulate with progress and signals, look, close.
 */
#ifndef TOOLS_SESSION_H
#define TOOLS_SESSION_H
#include "tools/options.h"

struct session {
	const struct tool_options *options;
	const char *out; /* run.db to write; NULL = none */
	struct scenario *scenario;
	struct scenario *later; /* of moments (moments.h): what was to come; else NULL */
	struct recorder *recorder; /* NULL without record */
	struct sim *sim;
	double wall_seconds;
	bool borrowed; /* of a live session: session_close leaves everything as it is */
};

enum session_record { SESSION_NO_RECORD, SESSION_RECORD };

/*
 * Load what OPTIONS say, start the simulation and run it up to --until / --at or its end. With SESSION_RECORD a
 * recorder writes to OUT (NULL: in memory), and open records are closed at the end; it is not finished. An exit code:
 * EXIT_GOOD, or what to return after a message on stderr. In all cases session_close must follow; unless the recorder
 * was finished no file appears.
 */
int session_run(struct session *s, const struct tool_options *options, enum session_record record, const char *out);
/* session_run with a record in memory that is finished and ready to be asked (recorder_db). COMMAND stands in messages. */
int session_run_recorded(struct session *s, const struct tool_options *options, const char *command);
/* The same as session_run; PREPARE is called before the first instant is simulated: time to watch. */
typedef void session_prepare_fn(struct session *s, void *data);
int session_run_watched(struct session *s, const struct tool_options *options, enum session_record record, const char *out,
                        session_prepare_fn *prepare, void *data);
/* The two halves of it, for who has something to set up in between: load and start; then run. */
int session_open(struct session *s, const struct tool_options *options, enum session_record record, const char *out);
int session_go(struct session *s);
/* Run up to AT and stand still there; session_go goes on. An exit code. */
int session_pause_at(struct session *s, usec_t at);
/* Run on to where the run's until or a hook stops it; the record stays open. Ctrl-C stops it too, after a message. */
int session_advance(struct session *s);
/*
 * From now on session_open and session_run answer with LIVE as it stands instead of a run of its own (NULL: no longer): so that in the
 * shell every subcommand that looks at a moment looks at this one. SESSION_RECORD closes LIVE's record; do that in a forked
 * process only.
 */
void session_set_live(const struct session *live);
void session_close(struct session *s);
#endif
