/*
 * check_inside.h - the inside of a check, shared by tools/check_*.c and by nobody else.
 *
 *   check_look.c    a job at a moment of the run
 *   check_facts.c   what the record says of a job
 *   check_judge.c   the claims of an entry, those of a job
 *   check_moment.c  those of a moment;  check_class.c  of a class, a metric, the run
 *   check_story.c   the story of the job concerned
 *
 * A claim is judged by a function that gives what happened in words (g_free) when it does not hold, else NULL.
 */
#ifndef TOOLS_CHECK_INSIDE_H
#define TOOLS_CHECK_INSIDE_H
#include "tools/check.h"
#include <sqlite3.h>

struct seen {                /* a job at a moment; owned */
	bool there;          /* a record of it was there */
	char *state, *shown; /* base state; what squeue prints for it */
	char *reason, *text; /* name; text instead of it, or NULL */
	char *nodes;         /* "" = none */
	uint32_t cpus, gpus, priority;
	GPtrArray *idx;   /* of char *, node and GPUs in turn */
	bool other_there; /* of PRIORITY_ABOVE */
	uint32_t other_priority;
};
void check_look(struct seen *out, const struct sim *sim, const struct expect *e);
void seen_clear(struct seen *s);

struct preemption { /* VICTIM has to go for BY; ids as a user names them: of an array's task the array's */
	uint32_t victim, victim_task, by, by_task;
};
struct judge {
	const struct tool_options *options; /* of the scenario's run */
	const GArray *preemptions;          /* of struct preemption */
	const struct scenario *scenario;
	const struct sim *sim;
	struct sqlite3 *db;
	usec_t start, end;           /* of the run */
	const struct run_rows *rows; /* NULL = no claim speaks of a class */
	GHashTable *told;            /* "job\nrun" -> its story as text: each is told once and run once more for */
};
/* A metric by its name, or the name turned round ("mean_wait"). */
bool check_metric(const char *name, enum metric *m);
/* E over the record; SEEN: at its moment, or NULL. Never NULL. */
struct verdict *check_judge(const struct judge *j, const struct expect *e, const struct seen *seen);

struct facts { /* of a job; owned */
	bool known, refused;
	char *refusal;
	uint32_t id, task; /* task NO_VAL = the whole job */
	bool started;
	usec_t start; /* of the run asked for, the first task's */
	usec_t wait;  /* the longest */
	bool all_started;
	bool has_run; /* there is such a run */
	uint32_t requeued;
	char *ends; /* final states, several with ", " */
};

struct judging {
	const struct judge *j;
	const struct expect *e;
	const struct seen *seen;
	struct facts facts; /* of e->job */
	char *concerned;    /* whose story explains a failure; NULL = the entry's job */
	char *wrong;        /* why it cannot be judged; NULL */
};

static inline bool within(const struct claim *c, double n)
{
	return n >= c->low && n <= c->high;
}

/* check_facts.c */
/* SQL is ours: it cannot fail. sqlite3_finalize. */
sqlite3_stmt *judge_query(const struct judge *j, const char *sql);
/* COLUMNS of the job's rows; ORDER: what follows the condition. */
sqlite3_stmt *rows_of(const struct judge *j, const struct facts *f, const char *columns, const char *order);
/* Reasons of its waits, of run RUN (0 = all), in the order of their first appearance; array of char *. */
GPtrArray *reasons_of(const struct judge *j, const struct facts *f, uint32_t run);
/* Of the job called NAME; run RUN for its start and wait. facts_clear. */
void read_facts(const struct judge *j, const char *name, uint32_t run, struct facts *f);
void facts_clear(struct facts *f);
char *seconds_words(usec_t t); /* "5.5 s" */
/* "a started at 300 s", "a never started", "a was refused: ..." */
char *start_words(const struct judge *j, const char *name, const struct facts *f);
/* A job that did not come: NULL when it may not be judged (g->wrong), else what happened. */
char *unknown_job(struct judging *g, const char *name, guint line, guint column);

char *judge_moment(struct judging *g, const struct claim *c); /* check_moment.c */
char *judge_class(struct judging *g, const struct claim *c);  /* check_class.c */
char *judge_passes(const struct judging *g, const struct claim *c);
/* The story of the job concerned, as "whypend explain" prints it; NULL when there is none. check_story.c */
char *check_story(const struct judging *g);
#endif
