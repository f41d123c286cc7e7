/* session.c - see session.h. */
#include "tools/session.h"
#include "tools/moments.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal; /* set by the handler, 0 = none */

static void on_signal(int number)
{
	stop_signal = number;
}

static void watch_signals(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* ---- progress ---- */

struct progress {
	bool shown;
	gint64 begin, last; /* microseconds of the wall clock */
	usec_t start;
};

static void show_progress(void *data, usec_t now, uint64_t ended)
{
	struct progress *p = data;
	gint64 wall = g_get_monotonic_time();
	char *date;

	if (wall - p->last < G_USEC_PER_SEC / 10)
		return;
	p->last = wall;
	p->shown = true;
	date = date_format(usec_to_sec(now), NULL);
	fprintf(stderr, "\r%s  %" G_GUINT64_FORMAT " jobs ended  %.1f simulated days/s\033[K", date, ended,
	        (double)(now - p->start) / 86400e6 / MAX((double)(wall - p->begin) / 1e6, 1e-3));
	fflush(stderr);
	g_free(date);
}

static void clear_progress(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}

/* ---- steps ---- */

static void print_warnings(const struct session *s)
{
	const GPtrArray *warnings = s->scenario->warnings;

	for (guint i = 0; i < warnings->len && !s->options->quiet; i++)
		tool_complain(s->options->command, "warning: %s", (const char *)warnings->pdata[i]);
}

/* A run.db must not replace what it is made from. */
static bool out_is_input(const struct session *s)
{
	char *out = g_canonicalize_filename(s->out, NULL);
	bool same = false;

	for (guint i = 0; i < s->scenario->inputs->len; i++) {
		const struct scenario_input *input = s->scenario->inputs->pdata[i];
		char *path = g_canonicalize_filename(input->path, NULL);

		same |= strcmp(path, out) == 0;
		g_free(path);
	}
	g_free(out);
	return same;
}

static int fail(const struct session *s, GError *error, int code)
{
	tool_complain(s->options->command, "%s", error->message);
	g_error_free(error);
	return code;
}

static const struct session *live_session; /* of the shell; see session_set_live */

void session_set_live(const struct session *live)
{
	live_session = live;
}

static int borrow(struct session *s, const struct tool_options *options, enum session_record record)
{
	*s = *live_session;
	s->options = options;
	s->borrowed = true;
	if (options->until || options->scenario.path || options->conf || options->trace) {
		tool_complain(options->command, "in the shell there is one scenario and one moment; \"until TIME\" goes on");
		return EXIT_USAGE;
	}
	if (record == SESSION_RECORD)
		sim_close_record(s->sim);
	return EXIT_GOOD;
}

/* Records, use and statistics of the run before the moment are not in it. */
static int open_moments(struct session *s, enum session_record record)
{
	if (record == SESSION_RECORD || !s->options->from_moments) {
		tool_complain(s->options->command, "%s holds moments, which do not tell all of this; name the scenario",
		              s->options->scenario.path);
		return EXIT_USAGE;
	}
	watch_signals();
	return moments_open(s, s->options);
}

int session_open(struct session *s, const struct tool_options *options, enum session_record record, const char *out)
{
	if (live_session)
		return borrow(s, options, record);
	GError *error = NULL;

	memset(s, 0, sizeof *s);
	s->options = options;
	s->out = out;
	if (moments_is_folder(options->scenario.path))
		return open_moments(s, record);
	s->scenario = scenario_load(&s->options->scenario, &error);
	if (!s->scenario)
		return fail(s, error, EXIT_USAGE);
	print_warnings(s);
	if (!slurm_options_cluster(&options->slurm, options->command, s->scenario->cluster))
		return EXIT_USAGE;
	if (s->out && out_is_input(s)) {
		tool_complain(s->options->command, "%s: this is an input of the run; write to another file", s->out);
		return EXIT_USAGE;
	}
	watch_signals();
	if (record == SESSION_RECORD) {
		s->recorder = (s->scenario->views->len ? recorder_open_in_memory : recorder_open)(s->out, &error);
		if (!s->recorder)
			return fail(s, error, EXIT_RUN);
		recorder_meta(s->recorder, "version", WHYPEND_VERSION);
	}
	s->sim = scenario_start(s->scenario, s->recorder, &error);
	return s->sim ? EXIT_GOOD : fail(s, error, EXIT_USAGE);
}

static int interrupted(const struct session *s)
{
	char *date = date_format(usec_to_sec(sim_now(s->sim)), NULL);

	if (s->out)
		tool_complain(s->options->command, "interrupted at %s: no %s written", date, s->out);
	else
		tool_complain(s->options->command, "interrupted at %s", date);
	g_free(date);
	return 128 + (int)stop_signal;
}

int session_pause_at(struct session *s, usec_t at)
{
	GError *error = NULL;

	sim_set_until(s->sim, at);
	if (!sim_run(s->sim, &stop_signal, NULL, NULL, &error))
		return fail(s, error, EXIT_RUN);
	return stop_signal ? interrupted(s) : EXIT_GOOD;
}

int session_go(struct session *s)
{
	struct progress p = {.begin = g_get_monotonic_time(), .start = s->scenario->sim.start};
	bool show = isatty(STDERR_FILENO) && !s->options->quiet, ok;
	GError *error = NULL;

	ok = sim_run(s->sim, &stop_signal, show ? show_progress : NULL, &p, &error);
	clear_progress(&p);
	s->wall_seconds = (double)(g_get_monotonic_time() - p.begin) / 1e6;
	if (!ok)
		return fail(s, error, EXIT_RUN);
	if (stop_signal)
		return interrupted(s);
	if (s->recorder)
		sim_close_record(s->sim);
	if (s->recorder && !recorder_ok(s->recorder, &error))
		return fail(s, error, EXIT_RUN);
	return EXIT_GOOD;
}

int session_advance(struct session *s)
{
	GError *error = NULL;
	bool ok;

	stop_signal = 0;
	ok = sim_run(s->sim, &stop_signal, NULL, NULL, &error);
	if (!ok)
		return fail(s, error, EXIT_RUN);
	if (stop_signal) {
		interrupted(s);
		stop_signal = 0;
	}
	return EXIT_GOOD;
}

int session_run(struct session *s, const struct tool_options *options, enum session_record record, const char *out)
{
	int code = session_open(s, options, record, out);

	return code == EXIT_GOOD && !s->borrowed ? session_go(s) : code;
}

int session_run_recorded(struct session *s, const struct tool_options *options, const char *command)
{
	GError *error = NULL;
	int code = session_run(s, options, SESSION_RECORD, NULL);

	if (code != EXIT_GOOD || recorder_finish(s->recorder, &error))
		return code;
	tool_complain(command, "%s", error->message);
	g_error_free(error);
	return EXIT_RUN;
}

int session_run_watched(struct session *s, const struct tool_options *options, enum session_record record, const char *out,
                        session_prepare_fn *prepare, void *data)
{
	int code = session_open(s, options, record, out);

	if (code != EXIT_GOOD)
		return code;
	prepare(s, data);
	return session_go(s);
}

void session_close(struct session *s)
{
	if (s->borrowed) {
		memset(s, 0, sizeof *s);
		return;
	}
	if (s->sim)
		sim_free(s->sim);
	if (s->recorder)
		recorder_free(s->recorder); /* removes the partial file when the run did not come to its end */
	scenario_free(s->later);
	scenario_free(s->scenario);
	memset(s, 0, sizeof *s);
}
