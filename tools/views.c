/* views.c - see views.h */
#include "tools/views.h"
#include "tools/commands.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name;
	view_fn *run;
} VIEWS[] = {{"squeue", cmd_squeue},   {"sinfo", cmd_sinfo},       {"sacct", cmd_sacct}, {"sprio", cmd_sprio},   {"sshare", cmd_sshare},
             {"seff", cmd_seff},       {"limits", cmd_limits},     {"node", cmd_node},   {"fit", cmd_fit},   {"reasons", cmd_reasons}, {"sdiag", cmd_sdiag},
             {"sacctmgr", cmd_sacctmgr}, {"scontrol", cmd_scontrol}, {"explain-priority", cmd_explain_priority}};

view_fn *view_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(VIEWS); i++)
		if (strcmp(VIEWS[i].name, name) == 0)
			return VIEWS[i].run;
	return NULL;
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int view_look(const struct session *s, view_fn *run, char **words)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return -1;
	if (pid == 0) {
		session_set_live(s);
		int code = run((int)g_strv_length(words), words);
		fflush(NULL);
		_exit(code);
	}
	return wait_for(pid);
}

/* "@NAME" and "@NAME_3", alone or in a list, become the ids of jobs submitted before; what is not known stays. */
static char *with_ids(const struct session *s, const char *word)
{
	char **list = g_strsplit(word, ",", -1);

	for (char **w = list; *w; w++) {
		uint32_t id, task;
		if (**w != '@' || !sim_find_id(s->sim, *w, &id, &task))
			continue;
		g_free(*w);
		*w = task == NO_VAL ? g_strdup_printf("%u", id) : g_strdup_printf("%u_%u", id, task);
	}
	char *out = g_strjoinv(",", list);
	g_strfreev(list);
	return out;
}

static int print_view(struct session *s, const struct scenario_event *e)
{
	char **words = NULL, *date = date_format(usec_to_sec(sim_now(s->sim)), NULL);
	int code = EXIT_RUN;

	g_shell_parse_argv(e->command, NULL, &words, NULL); /* checked when it was read */
	for (char **w = words; *w; w++) {
		char *meant = with_ids(s, *w);
		g_free(*w);
		*w = meant;
	}
	printf("--- %s  %s\n", date, e->command);
	code = view_look(s, view_find(words[0]), words);
	if (code < 0)
		tool_complain(s->options->command, "cannot fork: %s", g_strerror(errno));
	putchar('\n');
	g_strfreev(words);
	g_free(date);
	return code < 0 ? EXIT_RUN : code == EXIT_USAGE ? code : EXIT_GOOD; /* that a job is not there is an answer too */
}

static int pause_at_views(struct session *s)
{
	const GPtrArray *views = s->scenario->views;
	usec_t until = sim_options_of(s->sim)->until;
	int code = EXIT_GOOD;

	for (guint i = 0; i < views->len && code == EXIT_GOOD; i++) {
		const struct scenario_event *e = views->pdata[i];
		if (e->at > until)
			break;
		if (e->at >= sim_now(s->sim))
			code = session_pause_at(s, e->at);
		if (code == EXIT_GOOD)
			code = print_view(s, e);
	}
	sim_set_until(s->sim, MAX(until, sim_now(s->sim)));
	return code;
}

int views_run(struct session *s, bool to_stderr)
{
	int kept = -1, code;

	if (!s->scenario->views->len)
		return session_go(s);
	if (to_stderr) {
		fflush(stdout);
		kept = dup(STDOUT_FILENO);
		dup2(STDERR_FILENO, STDOUT_FILENO);
	}
	code = pause_at_views(s);
	fflush(stdout);
	if (kept >= 0) {
		dup2(kept, STDOUT_FILENO);
		close(kept);
	}
	return code == EXIT_GOOD ? session_go(s) : code;
}
