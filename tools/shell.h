/*
 * shell.h - whypend shell: a scenario under one's hands, stopped anywhere, looked at, and changed.
 *
 *   until TIME                  a date, seconds since the start, 1:00:00 (since the start), +10:00 (from now)
 *   until job J starts|ends     J: 12, 12_3, or a label
 *   until reason J is X
 *   until node N down|up|STATE  STATE as sinfo prints it
 *   step pass|event|tick [N]
 *   squeue, sinfo, sacct, sprio, sshare, scontrol show, sacctmgr show, seff, sdiag, limits, fit, node,
 *   explain-priority, reasons
 *   sbatch, scancel, scontrol hold ..., sacctmgr add|modify|delete ...   as in Slurm; "as USER" says who types (root at
 * first) why J, undo, save FILE, as USER, help, quit
 *
 * What is typed happens a microsecond after the stop, so that a file written by save, which holds it as events, brings
 * about the very same. sbatch is that of traces/sbatch_line.h; a job without -J has no label.
 *
 * undo: before each line that goes on or changes something the process forks; the child goes on, the parent waits with
 * the state as it was. undo ends the child. Looking at something forks too, so that no look leaves a trace. Lines of a
 * script come from standard input one by one, unbuffered, so that parent and child read on in the same place.
 */
#ifndef TOOLS_SHELL_H
#define TOOLS_SHELL_H
#include "tools/session.h"

enum { SHELL_UNDO_MAX = 200 };

struct typed { /* what "save" writes; owned */
	usec_t at;
	char *user; /* NULL = root */
	char *line; /* the command */
};

struct shell {
	struct session session;
	const struct tool_options *options;
	bool interactive, failed;
	char *user;        /* who types; NULL = root */
	GPtrArray *typed;  /* of struct typed * */
	int depth;         /* forks that wait */
	uint32_t answered; /* of the last submission: job id */
	char *message;     /* of the last refusal; owned */
	char *answer;      /* what the last command prints; owned */
	/* what a line waits for */
	bool (*reached)(struct shell *sh);
	char *job, *word; /* owned */
	const struct node *node;
	usec_t target;
	uint32_t steps;
	bool ends;
};

/* One line, already without its newline. False: leave the shell. */
bool shell_line(struct shell *sh, const char *line);
/* shell_until.c: until and step. False after a message. */
bool shell_until(struct shell *sh, char **words);
bool shell_step(struct shell *sh, char **words);
void shell_watch(struct shell *sh); /* before the first step */
/* shell_type.c: commands that change something; saving. False after a message. */
bool shell_submit(struct shell *sh, const char *line);
bool shell_command(struct shell *sh, const char *line);
char *shell_read_answer(void); /* a line of standard input; NULL at its end. g_free */
bool shell_save(struct shell *sh, const char *path);
void typed_free(void *typed);
/* "whypend shell: TEXT" on stderr; notes that a line failed. Returns false. */
bool shell_complain(struct shell *sh, const char *format, ...) G_GNUC_PRINTF(2, 3);
void shell_say_stop(const struct shell *sh);
#endif
