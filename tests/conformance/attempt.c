/* attempt.c - see attempt.h. */
#include "tests/conformance/attempt.h"
#include "tests/conformance/replay.h"
#include "tests/conformance/snapshots.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct attempt *attempt_new(const char *version, const char *name, bool pinned)
{
	struct attempt *a = g_new0(struct attempt, 1);
	a->version = g_strdup(version);
	a->name = g_strdup(name);
	a->pinned = pinned;
	return a;
}

void attempt_free(void *attempt)
{
	struct attempt *a = attempt;
	g_free(a->version);
	g_free(a->name);
	g_free(a->why);
	score_free(a->score);
	g_free(a);
}

char *attempt_title(const struct attempt *a)
{
	return strcmp(a->version, "22.05") == 0 ? g_strdup(a->name) : g_strdup_printf("%s/%s", a->version, a->name);
}

/* ---- a score as JSON ---- */

static cJSON *score_to_json(const struct score *s, const char *why)
{
	cJSON *o = cJSON_CreateObject(), *tallies = cJSON_AddArrayToObject(o, "tallies");
	cJSON *list = cJSON_AddArrayToObject(o, "differences");
	if (why)
		cJSON_AddStringToObject(o, "why", why);
	for (int m = 0; m < N_MEASURES; m++) {
		cJSON_AddItemToArray(tallies, cJSON_CreateNumber(s->of[m].agree));
		cJSON_AddItemToArray(tallies, cJSON_CreateNumber(s->of[m].scored));
	}
	for (guint i = 0; i < s->differences->len; i++) {
		const struct difference *d = s->differences->pdata[i];
		cJSON *row = cJSON_CreateArray();
		cJSON_AddItemToArray(row, cJSON_CreateString(d->job ? d->job : ""));
		cJSON_AddItemToArray(row, cJSON_CreateString(d->field ? d->field : ""));
		cJSON_AddItemToArray(row, cJSON_CreateString(d->real ? d->real : ""));
		cJSON_AddItemToArray(row, cJSON_CreateString(d->simulated ? d->simulated : ""));
		cJSON_AddItemToArray(row, cJSON_CreateNumber(d->pass));
		cJSON_AddItemToArray(list, row);
	}
	return o;
}

static void difference_from_json(struct score *s, const cJSON *row)
{
	const cJSON *pass = cJSON_GetArrayItem(row, 4);
	struct difference *d = g_new0(struct difference, 1);
	d->job = g_strdup(cJSON_GetStringValue(cJSON_GetArrayItem(row, 0)));
	d->field = g_strdup(cJSON_GetStringValue(cJSON_GetArrayItem(row, 1)));
	d->real = g_strdup(cJSON_GetStringValue(cJSON_GetArrayItem(row, 2)));
	d->simulated = g_strdup(cJSON_GetStringValue(cJSON_GetArrayItem(row, 3)));
	d->pass = pass ? pass->valueint : -1;
	g_ptr_array_add(s->differences, d);
}

static struct score *score_from_json(const cJSON *o)
{
	struct score *s = score_new();
	guint *place = NULL, i = 0;
	const cJSON *item;
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(o, "tallies"))
	{
		if (i / 2 >= N_MEASURES)
			break;
		place = i % 2 ? &s->of[i / 2].scored : &s->of[i / 2].agree;
		*place = (guint)item->valueint;
		i++;
	}
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(o, "differences")) difference_from_json(s, item);
	return s;
}

/* ---- the child ---- */

static void send(FILE *out, const struct score *s, const char *why)
{
	cJSON *o = score_to_json(s, why);
	char *text = cJSON_PrintUnformatted(o);
	fprintf(out, "%s\n", text);
	fflush(out);
	cJSON_free(text);
	cJSON_Delete(o);
}

static void send_failure(FILE *out, const struct record *record, const struct score_rules *rules, const char *why)
{
	struct score *s = score_run(record, NULL, rules);
	snapshots_score(record, rules, false, s);
	send(out, s, why);
	score_free(s);
}

static void simulate(FILE *out, const struct record *record, struct replay *r, bool pinned)
{
	GError *error = NULL;
	struct score_rules rules = replay_rules(r, pinned);
	send_failure(out, record, &rules, "the simulation died");
	struct run *run = replay_run(r, pinned, &error);
	if (!run) {
		send_failure(out, record, &rules, error->message);
		g_error_free(error);
		return;
	}
	struct score *s = score_run(record, run, &rules);
	snapshots_score(record, &rules, true, s);
	send(out, s, NULL);
	score_free(s);
	run_free(run);
}

static void child(FILE *out, const char *root, const struct attempt *a)
{
	GError *error = NULL;
	struct record *record = record_read(root, a->version, a->name, &error);
	if (!record) {
		struct score *none = score_new();
		send(out, none, error->message);
		score_free(none);
		g_error_free(error);
		return;
	}
	record->plain = a->plain;
	struct score_rules strictest = {.pinned = a->pinned, .tolerance = 2};
	send_failure(out, record, &strictest, "the scenario could not be loaded: died");
	struct replay *r = replay_load(record, 0, &error);
	if (r) {
		simulate(out, record, r, a->pinned);
		replay_free(r);
	} else {
		send_failure(out, record, &strictest, error->message);
		g_error_free(error);
	}
	record_free(record);
}

/* ---- the parent ---- */

struct running {
	struct attempt *attempt; /* NULL = free place */
	pid_t pid;
	int pipe;
	GString *text;
};

static bool begin(struct running *place, const char *root, struct attempt *a)
{
	int ends[2];
	fflush(NULL);
	if (pipe(ends) != 0)
		return false;
	pid_t pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	if (pid == 0) {
		close(ends[0]);
		alarm(ATTEMPT_ALARM);
		FILE *out = fdopen(ends[1], "w");
		if (out)
			child(out, root, a);
		fflush(NULL);
		_exit(out ? 0 : 1);
	}
	close(ends[1]);
	*place = (struct running){.attempt = a, .pid = pid, .pipe = ends[0], .text = g_string_new(NULL)};
	return true;
}

/* The last whole line is the result. */
static cJSON *last_line(GString *text)
{
	char *end = strrchr(text->str, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	char *from = strrchr(text->str, '\n');
	return cJSON_Parse(from ? from + 1 : text->str);
}

static char *fate(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return g_strdup_printf("no end within %d s", ATTEMPT_ALARM);
	if (WIFSIGNALED(status))
		return g_strdup_printf("died of %s", g_strsignal(WTERMSIG(status)));
	return WEXITSTATUS(status) ? g_strdup_printf("exited with %d", WEXITSTATUS(status)) : NULL;
}

static void finish(struct running *place)
{
	int status = 0;
	while (waitpid(place->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(place->pipe);
	struct attempt *a = place->attempt;
	cJSON *o = last_line(place->text);
	a->why = fate(status);
	if (o) {
		const char *why = json_text(o, "why");
		a->score = score_from_json(o);
		if (!a->why && *why)
			a->why = g_strdup(why);
	} else if (!a->why) {
		a->why = g_strdup("no result");
	}
	cJSON_Delete(o);
	g_string_free(place->text, TRUE);
	*place = (struct running){0};
}

static void read_some(struct running *place)
{
	char buffer[65536];
	ssize_t n = read(place->pipe, buffer, sizeof buffer);
	if (n > 0)
		g_string_append_len(place->text, buffer, n);
	else if (n == 0 || errno != EINTR)
		finish(place);
}

void attempts_run(const char *root, GPtrArray *attempts, guint at_once)
{
	struct running *places = g_new0(struct running, at_once);
	struct pollfd *polls = g_new0(struct pollfd, at_once);
	guint next = 0, busy = 0;
	do {
		for (guint i = 0; i < at_once && next < attempts->len; i++)
			if (!places[i].attempt && !begin(&places[i], root, attempts->pdata[next++]))
				((struct attempt *)attempts->pdata[next - 1])->why = g_strdup("no process");
		busy = 0;
		for (guint i = 0; i < at_once; i++) {
			busy += places[i].attempt != NULL;
			polls[i] = (struct pollfd){.fd = places[i].attempt ? places[i].pipe : -1, .events = POLLIN};
		}
		if (busy && poll(polls, at_once, -1) > 0)
			for (guint i = 0; i < at_once; i++)
				if (polls[i].revents)
					read_some(&places[i]);
	} while (busy || next < attempts->len);
	g_free(places);
	g_free(polls);
}
