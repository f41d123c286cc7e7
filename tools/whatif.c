/* whatif.c - forking into other futures; see whatif.h */
#include "tools/whatif.h"
#include "sim/commands.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct whatif {
	struct sim *sim;
	const struct tool_options *options;
	struct target *target; /* borrowed */
	bool child;
	bool stopped; /* a child was interrupted: the user wants no more */
	/* in a child */
	int pipe;
	usec_t latest;
	struct answer answer;
	struct submission *copy; /* the one that stands for the target from now on; borrowed from the run */
	struct submission *second;
	const struct submission *current; /* on its way to the controller at this instant */
	struct target twin;               /* of "twice" */
	bool first_known, twin_known, want_twin;
	usec_t first_start, twin_start;
};

/* ---- the target ---- */

void target_init(struct target *t, const char *text)
{
	const char *name = text + (text[0] == '@');

	*t = (struct target){.text = g_strdup(text), .task = NO_VAL};
	if (text[0] != '@' && command_job_id(text, &t->id, &t->task))
		return;
	t->label = g_strdup(name);
}

void target_clear(struct target *t)
{
	g_free(t->text);
	g_free(t->label);
	memset(t, 0, sizeof *t);
}

/* "name" or "name_3" for a submission labelled "name". */
static bool is_label(struct target *t, const char *label)
{
	size_t n = label ? strlen(label) : 0;
	uint32_t task, none;

	if (!label || strncmp(t->label, label, n) != 0)
		return false;
	if (t->label[n] == '\0')
		return true;
	if (t->label[n] != '_' || !command_job_id(t->label + n + 1, &task, &none) || none != NO_VAL)
		return false;
	t->task = task;
	return true;
}

bool target_is(struct target *t, const char *label, uint32_t id)
{
	if (!t->label)
		return t->id == id;
	if (t->id || !is_label(t, label))
		return false;
	t->id = id;
	return true;
}

static bool has_begun(const struct job *j, uint32_t run, usec_t *start)
{
	*start = 0;
	if (j->state == JOB_PENDING && j->run == run)
		return false;
	if (j->run == run)
		*start = j->start_t;
	return j->run > run || j->start_t > 0 || job_is_finished(j);
}

bool target_started(const struct target *t, const struct controller *c, uint32_t run, usec_t *start)
{
	const struct job *j;

	*start = 0;
	if (t->task != NO_VAL) {
		j = controller_find_task(c, t->id, t->task);
		return j && j->task != NO_VAL ? has_begun(j, run, start) : j == NULL;
	}
	j = controller_find_job(c, t->id);
	if (!j)
		return true;
	if (!j->array)
		return has_begun(j, run, start);
	if (!j->array->started)
		return job_is_finished(j) && has_begun(j, run, start);
	for (uint32_t i = 0; i < controller_n_jobs(c); i++) { /* the task that was first */
		const struct job *k = controller_job(c, i);
		if (k->array == j->array && k->start_t > 0 && (*start == 0 || k->start_t < *start))
			*start = k->start_t;
	}
	return true;
}

/* ---- in a child ---- */

static void tell(struct whatif *w)
{
	const char *p = (const char *)&w->answer;
	size_t left = sizeof w->answer;

	while (left > 0) {
		ssize_t n = write(w->pipe, p, left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		p += n;
		left -= (size_t)n;
	}
	_exit(0);
}

static bool child_submission(void *data, struct submission *sub, uint32_t id)
{
	struct whatif *w = data;

	w->current = sub;
	if (sub == w->copy) {
		w->target->id = w->answer.id = id;
		w->answer.submit = sub->at;
	}
	if (sub == w->second) {
		w->twin.id = id;
		w->want_twin = true;
	}
	return true;
}

static void child_refused(void *data, uint32_t id, const char *label, const char *message)
{
	struct whatif *w = data;

	(void)id, (void)label;
	if (!w->current || w->answer.kind == ANSWER_REFUSED || (w->current != w->copy && w->current != w->second))
		return;
	w->answer.kind = ANSWER_REFUSED;
	g_strlcpy(w->answer.message, message, sizeof w->answer.message);
}

/* Both halves must have begun. */
static bool child_begun(struct whatif *w)
{
	const struct controller *c = sim_controller(w->sim);

	if (!w->first_known && w->answer.id)
		w->first_known = target_started(w->target, c, 0, &w->first_start);
	if (!w->second)
		return w->first_known;
	if (!w->twin_known && w->want_twin)
		w->twin_known = target_started(&w->twin, c, 0, &w->twin_start);
	return w->first_known && w->twin_known;
}

static bool child_instant(void *data, usec_t now)
{
	struct whatif *w = data;

	w->current = NULL;
	if (w->answer.kind == ANSWER_REFUSED) {
		w->answer.start = now;
		tell(w);
	}
	if (child_begun(w)) {
		bool none = w->first_start == 0 || (w->second && w->twin_start == 0);
		w->answer.kind = none ? ANSWER_ENDED : ANSWER_STARTED;
		w->answer.start = none ? now : MAX(w->first_start, w->twin_start);
		tell(w);
	}
	if (now > w->latest)
		whatif_child_end(w);
	return false;
}

void whatif_child_end(struct whatif *w)
{
	if (w->answer.kind != ANSWER_REFUSED)
		w->answer.kind = ANSWER_WAITS;
	w->answer.start = sim_now(w->sim);
	tell(w);
	_exit(0);
}

static struct submission *copy_submission(const struct submission *sub)
{
	struct submission *s = submission_new();

	job_request_free(s->request);
	*s = *sub;
	s->request = job_request_copy(sub->request);
	s->label = g_strdup(sub->label);
	s->tasks = sub->n_tasks ? g_memdup2(sub->tasks, sub->n_tasks * sizeof *sub->tasks) : NULL;
	return s;
}

static void fail(struct whatif *w, enum answer_kind kind, const char *message)
{
	w->answer.kind = kind;
	g_strlcpy(w->answer.message, message, sizeof w->answer.message);
	tell(w);
}

static const struct sim_hooks *child_hooks(struct whatif *w)
{
	static struct sim_hooks hooks;

	hooks = (struct sim_hooks){child_instant, child_submission, child_refused, w, NULL};
	return &hooks;
}

/* ---- an earlier submission: from the beginning ---- */

struct again {
	struct whatif *w;
	uint32_t id, out; /* the original's, to be left out */
};

/* The original has moved: others before it have not, so it still comes with the id it would have, plus one. */
static bool again_submission(void *data, struct submission *sub, uint32_t id)
{
	struct again *a = data;

	if (sub == a->w->copy || sub == a->w->second)
		return child_submission(a->w, sub, id);
	a->w->current = NULL;
	if (!a->out && id == a->id) {
		a->out = id;
		return false;
	}
	return true;
}

static bool again_instant(void *data, usec_t now)
{
	return child_instant(((struct again *)data)->w, now);
}

static void again_refused(void *data, uint32_t id, const char *label, const char *message)
{
	child_refused(((struct again *)data)->w, id, label, message);
}

static void run_again(struct whatif *w, uint32_t id)
{
	GError *error = NULL;
	struct scenario *scenario = scenario_load(&w->options->scenario, &error);
	struct sim *sim = scenario ? scenario_start(scenario, NULL, &error) : NULL;
	/* one submission (or two) more comes before it than in the run as it was */
	struct again again = {.w = w, .id = id + 1 + (w->second != NULL)};
	const struct sim_hooks hooks = {again_instant, again_submission, again_refused, &again, NULL};

	if (!sim)
		fail(w, ANSWER_FAILED, error->message);
	w->sim = sim;
	sim_set_hooks(sim, &hooks);
	sim_add_submission(sim, w->copy);
	if (w->second)
		sim_add_submission(sim, w->second);
	if (!sim_run(sim, NULL, NULL, NULL, &error))
		fail(w, ANSWER_FAILED, error->message);
	whatif_child_end(w);
}

/* ---- forking ---- */

/* Make this process the child that lives with CHANGE. True: SUB is still to be submitted. */
static bool become(struct whatif *w, struct submission *sub, const struct change *change)
{
	GError *error = NULL;
	usec_t at = sim_now(w->sim), now = at;
	uint32_t id = controller_next_id(sim_controller(w->sim));

	w->copy = sub;
	if (change && (!change_apply(change, sub->request, &error) || !change_time(change, at, &at, &error)))
		fail(w, ANSWER_REFUSED, error->message);
	if (change && (change->twice || at != now)) {
		w->copy = at != now ? copy_submission(sub) : sub;
		w->copy->at = at;
		if (change->twice) {
			w->second = copy_submission(w->copy);
			g_clear_pointer(&w->second->label, g_free);
			w->twin = *w->target;
		}
	}
	sim_drop_recorder(w->sim);
	w->answer.submit = at;
	if (at > now && w->latest != INT64_MAX) /* a later submission may wait as long */
		w->latest += at - now;
	if (at < now)
		run_again(w, id);
	sim_set_hooks(w->sim, child_hooks(w));
	if (w->second)
		sim_add_submission(w->sim, w->second);
	if (w->copy == sub) {
		child_submission(w, sub, id);
		return true;
	}
	sim_add_submission(w->sim, w->copy);
	w->target->id = 0;
	return false;
}

struct running {
	pid_t pid;
	int fd;
	guint index;
};

static bool begin(struct whatif *w, struct running *r, guint index)
{
	int ends[2];

	if (pipe(ends) != 0)
		return false;
	fflush(NULL);
	r->pid = fork();
	if (r->pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	if (r->pid == 0) {
		close(ends[0]);
		w->child = true;
		if (!freopen("/dev/null", "w", stderr)) /* one progress line is enough */
			_exit(1);
		w->pipe = ends[1];
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		return true;
	}
	close(ends[1]);
	r->fd = ends[0];
	r->index = index;
	return true;
}

static void collect(struct whatif *w, struct running *r, struct answer *answer)
{
	int status = 0;
	char *p = (char *)answer;
	size_t got = 0;

	while (got < sizeof *answer) {
		ssize_t n = read(r->fd, p + got, sizeof *answer - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	if (got < sizeof *answer) {
		*answer = (struct answer){.kind = ANSWER_FAILED};
		g_strlcpy(answer->message, "the run with this change did not come to an end", sizeof answer->message);
	}
	close(r->fd);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->stopped |= WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
}

/* Wait until one of N has something to tell; its place. */
static guint wait_for_one(struct running *r, guint n)
{
	struct pollfd fds[WHATIF_AT_ONCE];

	for (guint i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = r[i].fd, .events = POLLIN};
	while (poll(fds, n, -1) < 0 && errno == EINTR)
		;
	for (guint i = 0; i < n; i++)
		if (fds[i].revents)
			return i;
	return 0;
}

bool whatif_ask(struct whatif *w, struct submission *sub, GPtrArray *list, usec_t latest, struct answer *answers)
{
	struct running running[WHATIF_AT_ONCE];
	guint n = 0, next = 0;

	while (next < list->len || n > 0) {
		if (next < list->len && w->stopped) {
			answers[next++] = (struct answer){.kind = ANSWER_FAILED, .message = "interrupted"};
			continue;
		}
		if (next < list->len && n < WHATIF_AT_ONCE) {
			w->latest = latest;
			if (!begin(w, &running[n], next)) {
				answers[next] = (struct answer){.kind = ANSWER_FAILED};
				g_strlcpy(answers[next].message, g_strerror(errno), sizeof answers[next].message);
			} else if (w->child) {
				return become(w, sub, list->pdata[next]);
			} else {
				n++;
			}
			next++;
			continue;
		}
		guint i = wait_for_one(running, n);
		collect(w, &running[i], &answers[running[i].index]);
		running[i] = running[--n];
	}
	return true;
}

bool whatif_child(const struct whatif *w)
{
	return w->child;
}

struct whatif *whatif_new(struct sim *sim, const struct tool_options *options, struct target *target)
{
	struct whatif *w = g_new0(struct whatif, 1);

	w->sim = sim;
	w->options = options;
	w->target = target;
	return w;
}

void whatif_free(struct whatif *w)
{
	g_free(w);
}
