/*
 * whatif.h - the same run with one thing about one job changed: when would it have started?
 *
 * A change is written as on sbatch's command line, separated by commas: "time=4:00:00,gpus=8", "partition=debug",
 * "gres=gpu:2", "dependency=" (nothing behind "=": without it). Two words are ours: "submit=+2:00:00" (or -, or a date)
 * submits it at another time; "twice" submits it two times, and both must start. "gpus" takes the place of whatever
 * GPUs the job asked for.
 *
 * The run is simulated once up to the job's submission. There the process forks for each change: the child changes the
 * request, goes on, and tells when the job starts; so a change costs no more than the wait that it leads to. (For an
 * earlier submission the child runs from the beginning.) Nothing of a child but its answer reaches the parent. Up to
 * WHATIF_AT_ONCE children run together; answers do not depend on how many do.
 */
#ifndef TOOLS_WHATIF_H
#define TOOLS_WHATIF_H
#include "tools/session.h"

enum { WHATIF_AT_ONCE = 2 };

struct change { /* owned; change_free */
	char *text;
	GPtrArray *keys, *values; /* of char *; a value may be "" */
	bool twice;
	char *submit; /* NULL = at its own time */
};
#define WHATIF_ERROR (g_quark_from_static_string("what-if"))
/* Read a change and try it on no job: NULL and ERROR when an option is unknown or its value bad. */
struct change *change_parse(const char *text, GError **error);
void change_free(struct change *c);
/* Apply it to a request. False and ERROR when it cannot be. */
bool change_apply(const struct change *c, struct job_request *r, GError **error);
/* When it is submitted, for one submitted at AT. False and ERROR when the time is bad. */
bool change_time(const struct change *c, usec_t at, usec_t *out, GError **error);

enum answer_kind {
	ANSWER_STARTED,
	ANSWER_WAITS,   /* still pending at the end, or at the time given as LATEST */
	ANSWER_REFUSED, /* at submission; message tells why */
	ANSWER_ENDED,   /* it ended (cancelled, deadline) without a start */
	ANSWER_FAILED   /* the child died; message */
};
struct answer {
	enum answer_kind kind;
	usec_t submit, start; /* start: of the later one with "twice"; where it was given up for others */
	uint32_t id;
	char message[200];
};

/* Which job: known before it is submitted. */
struct target {
	char *text;    /* as given; owned */
	char *label;   /* owned; NULL when given by number */
	uint32_t id;   /* 0 with a label until it is submitted */
	uint32_t task; /* NO_VAL = the job; of an array: whichever task starts first */
};
void target_init(struct target *t, const char *text);
void target_clear(struct target *t);
/* Is the submission that takes ID, labelled LABEL, the target? Sets t->id. */
bool target_is(struct target *t, const char *label, uint32_t id);
/* Has run RUN of it begun, or has it ended for good? True: *start is the instant, 0 when it ended without. */
bool target_started(const struct target *t, const struct controller *c, uint32_t run, usec_t *start);

/* From within hooks.submission of SIM for the target's SUB: one answer for each change of LIST (of struct change *; a
 * NULL entry = no change), in the same order. LATEST: give up there (INT64_MAX = never). Children return from this call
 * too, with whatif_child(w) true; the hook must then return what it returns, and the caller must call whatif_child_end
 * when sim_run returns. */
struct whatif;
struct whatif *whatif_new(struct sim *sim, const struct tool_options *options, struct target *target);
bool whatif_ask(struct whatif *w, struct submission *sub, GPtrArray *list, usec_t latest, struct answer *answers);
bool whatif_child(const struct whatif *w);
/* In a child, after sim_run: tell the parent and leave the process. */
void whatif_child_end(struct whatif *w) G_GNUC_NORETURN;
void whatif_free(struct whatif *w);
#endif
