/* cmd_shell.c - whypend shell: reading lines, looking, undoing; see shell.h */
#include "tools/commands.h"
#include "tools/explain.h"
#include "tools/scontrol_answer.h"
#include "tools/shell.h"
#include "tools/views.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <readline/readline.h>
#include <readline/history.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct tool_usage USAGE = {
    .command = "whypend shell",
    .operands = "[SCENARIO]",
    .summary =
        "Stop a scenario anywhere, look at it with the commands that you know, change it as in Slurm, go on or undo.\n"
        "Lines come from the terminal or from standard input; \"help\" lists them.",
    .examples = "Examples:\n"
                "  whypend shell scenarios/first-look\n"
                "  printf 'until job wide starts\\nsqueue\\nwhy behind\\n' | whypend shell scenarios/first-look",
};

static const char HELP[] =
    "until TIME | until job J starts|ends | until reason J is X | until node N down|up|STATE\n"
    "step pass|event|tick [N]\n"
    "squeue, sinfo, sacct, sprio, sshare, scontrol show, sacctmgr show|dump, seff, sdiag, fit, node, limits,\n"
    "explain-priority, reasons (options as always; --help tells them)\n"
    "sbatch OPTIONS [--run=TIME] [SCRIPT], scancel OPTIONS JOBS, scontrol hold|release|requeue|suspend|resume|update|create|delete|reboot|power ...,\n"
    "scontrol update job=J KEY=VALUE ...   every key of 22.05: TimeLimit, StartTime, NumNodes, Features, Dependency, Gres ... (README)\n"
    "sacctmgr add|modify|delete ...\n"
    "scontrol reconfigure [FILE], restart [FILE]   go on with the slurm.conf FILE; without FILE the scenario's own is read again: what\n"
    "              scontrol update changed is as in the file then. node_kill, node_start NODES; outage SECONDS\n"
    "scontrol setdebug, write config, notify, wait_job, errnumstr ...   answered as scontrol does; nothing changes\n"
    "as USER       who types: root at first\n"
    "why J         the wait of a job up to now\n"
    "undo          back to before the last line that went on or changed something\n"
    "save FILE     what was typed, as a scenario\n"
    "quit\n";

enum { EXIT_UNDO = 86 };

bool shell_complain(struct shell *sh, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	fflush(stdout);
	tool_complain(USAGE.command, "%s", text);
	g_free(text);
	sh->failed = true;
	return false;
}

void shell_say_stop(const struct shell *sh)
{
	char *date = date_format(usec_to_sec(sim_now(sh->session.sim)), NULL);

	printf("stopped at %s\n", date);
	g_free(date);
}

/* ---- forks ---- */

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Look at what stands there, in a process of its own. */
static bool look(struct shell *sh, view_fn *run, char **words)
{
	int code = view_look(&sh->session, run, words);

	if (code < 0)
		return shell_complain(sh, "cannot fork: %s", g_strerror(errno));
	sh->failed |= code != 0;
	return code == 0;
}

/*
 * The parent stays behind with the state as it is, until the child is undone (then it goes on reading: false), or ends
 * (then it ends too). True in the child.
 */
static bool leave_behind(struct shell *sh)
{
	void (*before)(int) = SIG_DFL;
	pid_t pid;
	int code;

	if (sh->depth >= SHELL_UNDO_MAX)
		return true; /* undo will go further back than one line */
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return true;
	if (pid == 0) {
		sh->depth++;
		return true;
	}
	before = signal(SIGINT, SIG_IGN);
	code = wait_for(pid);
	signal(SIGINT, before);
	if (code != EXIT_UNDO)
		_exit(code);
	printf("undone: ");
	shell_say_stop(sh);
	return false;
}

/* ---- lines ---- */

static int tell_why(int argc, char **argv)
{
	(void)argc;
	struct tool_options options = {.command = "whypend shell"};
	struct session s;
	struct explanation e = {0};
	GError *error = NULL;

	session_run(&s, &options, SESSION_RECORD, NULL);
	if (!recorder_finish(s.recorder, &error) ||
	    !(e.story = story_read(recorder_db(s.recorder), argv[1], -1, &error))) {
		tool_complain("why", "%s", error->message);
		return EXIT_USAGE;
	}
	explain_print(stdout, &e, 0);
	return EXIT_GOOD;
}

/* scontrol and sacctmgr: does the line only look? */
static bool is_show(char **words)
{
	static const char *const LOOKS[] = {"show", "list", "completing", "ping", "version", "dump", NULL};

	for (char **w = words + 1; *w; w++)
		if ((*w)[0] != '-') {
			char *word = g_ascii_strdown(*w, -1);
			bool looks = g_strv_contains(LOOKS, word);
			g_free(word);
			return looks;
		}
	return false;
}

/* scontrol's verbs that neither show nor change what is decided. */
static bool is_answered(struct shell *sh, char **words)
{
	int status = 0;

	if (strcmp(words[0], "scontrol") != 0 || !words[1] || !scontrol_answer(&sh->session, sh->user, words + 1, &status))
		return false;
	sh->failed |= status != 0;
	return true;
}

/* Lines that go on or change something. */
static bool change(struct shell *sh, const char *line, char **words)
{
	if (strcmp(words[0], "until") == 0)
		shell_until(sh, words);
	else if (strcmp(words[0], "step") == 0)
		shell_step(sh, words);
	else if (strcmp(words[0], "sbatch") == 0)
		shell_submit(sh, line);
	else
		shell_command(sh, line);
	return true;
}

static bool become_user(struct shell *sh, const char *name)
{
	if (!name)
		return shell_complain(sh, "write: as USER");
	g_free(sh->user);
	sh->user = strcmp(name, "root") == 0 ? NULL : g_strdup(name);
	return true;
}

static bool own_word(struct shell *sh, char **words, bool *stay)
{
	const char *w = words[0];

	if (strcmp(w, "help") == 0 || strcmp(w, "?") == 0)
		fputs(HELP, stdout);
	else if (strcmp(w, "as") == 0)
		become_user(sh, words[1]);
	else if (strcmp(w, "save") == 0 && words[1])
		shell_save(sh, words[1]);
	else if (strcmp(w, "save") == 0)
		shell_complain(sh, "write: save FILE");
	else if (strcmp(w, "why") == 0 && words[1])
		look(sh, tell_why, words);
	else if (strcmp(w, "why") == 0)
		shell_complain(sh, "write: why JOB");
	else if (strcmp(w, "undo") == 0 && sh->depth > 0)
		_exit(EXIT_UNDO);
	else if (strcmp(w, "undo") == 0)
		shell_complain(sh, "nothing to undo");
	else if (strcmp(w, "quit") == 0 || strcmp(w, "exit") == 0)
		*stay = false;
	else
		return false;
	return true;
}

bool shell_line(struct shell *sh, const char *line)
{
	char **words = NULL;
	view_fn *view;
	bool stay = true;

	if (!g_shell_parse_argv(line, NULL, &words, NULL)) {
		if (*line && line[strspn(line, " \t")] && line[strspn(line, " \t")] != '#')
			shell_complain(sh, "quotes do not match: %s", line);
		return true;
	}
	fflush(stdout);
	bool may_change = strcmp(words[0], "scontrol") == 0 || strcmp(words[0], "sacctmgr") == 0;
	view = may_change && !is_show(words) ? NULL : view_find(words[0]);
	if (words[0][0] == '#' || own_word(sh, words, &stay) || is_answered(sh, words))
		;
	else if (view)
		look(sh, view, words);
	else if (leave_behind(sh))
		change(sh, line, words);
	fflush(stdout);
	g_strfreev(words);
	return stay;
}

/* ---- reading ---- */

static char *prompt(const struct shell *sh)
{
	char *date = date_format(usec_to_sec(sim_now(sh->session.sim)), NULL), *text;

	text = g_strdup_printf("%s%s%s> ", date, sh->user ? " " : "", sh->user ? sh->user : "");
	g_free(date);
	return text;
}

/* One line of standard input, byte by byte: what follows must stay there for whoever reads on. NULL at the end. */
static char *read_plain(void)
{
	GString *line = g_string_new(NULL);
	char c;
	ssize_t n;

	while ((n = read(STDIN_FILENO, &c, 1)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || c == '\n' || line->len > 65536)
			break;
		g_string_append_c(line, c);
	}
	return g_string_free(line, n <= 0 && line->len == 0);
}

char *shell_read_answer(void)
{
	return read_plain();
}

static char *read_line(struct shell *sh)
{
	char *text, *line, *copy;

	if (!sh->interactive)
		return read_plain();
	text = prompt(sh);
	line = readline(text);
	g_free(text);
	if (line && *line)
		add_history(line);
	copy = g_strdup(line);
	free(line);
	return copy;
}

static int loop(struct shell *sh)
{
	bool stay = true;
	char *line;

	while (stay && (line = read_line(sh))) {
		stay = shell_line(sh, line);
		g_free(line);
	}
	if (sh->interactive && stay)
		putchar('\n');
	if (tool_flush(USAGE.command) != EXIT_GOOD)
		return EXIT_RUN;
	return sh->failed && !sh->interactive ? EXIT_USAGE : EXIT_GOOD;
}

static int run(const struct tool_options *options)
{
	struct shell sh = {.options = options, .interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
	int code = session_open(&sh.session, options, SESSION_RECORD, NULL);

	if (code == EXIT_GOOD) {
		sh.typed = g_ptr_array_new_with_free_func(typed_free);
		shell_watch(&sh);
		sim_set_until(sh.session.sim, sh.session.scenario->sim.start);
		code = session_advance(&sh.session);
		if (sh.interactive) {
			rl_readline_name = "whypend";
			puts("help lists what can be typed; quit leaves");
		}
		code = code == EXIT_GOOD ? loop(&sh) : code;
		g_ptr_array_unref(sh.typed);
	}
	session_close(&sh.session);
	g_free(sh.user);
	g_free(sh.message);
	g_free(sh.answer);
	g_free(sh.job);
	g_free(sh.word);
	return code;
}

int cmd_shell(int argc, char **argv)
{
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, 0, &USAGE, NULL) && tool_options_scenario(&options)) {
		if (options.until)
			tool_complain(USAGE.command, "--until: type it");
		else
			code = run(&options);
	}
	tool_options_clear(&options);
	return code;
}
