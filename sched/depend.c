/* depend.c - dependencies (lifecycle C10-C13) */
#include "sched/state.h"

#include <string.h>

static bool parse_item(const char *text, enum dep_kind kind, struct dependency *d)
{
	char *end;
	guint64 id = g_ascii_strtoull(text, &end, 10);
	if (end == text || id == 0 || id > UINT32_MAX)
		return false;
	*d = (struct dependency){.kind = kind, .job = (uint32_t)id, .task = NO_VAL};
	if (*end == '_') {
		const char *s = end + 1;
		d->of_array = true;
		if (*s == '*')
			end = (char *)s + 1;
		else
			d->task = (uint32_t)g_ascii_strtoull(s, &end, 10);
		if (end == s)
			return false;
	}
	if (*end == '+' && kind == DEP_AFTER) {
		const char *s = end + 1;
		d->minutes = (uint32_t)g_ascii_strtoull(s, &end, 10);
		if (end == s || d->minutes == 0) /* recorded */
			return false;
	} else if (*end == '+' && d->task == NO_VAL) { /* a component of a heterogeneous job has an id of its own */
		const char *s = end + 1;
		d->job += (uint32_t)MIN(g_ascii_strtoull(s, &end, 10), 1000000u);
		if (end == s)
			return false;
	}
	return *end == '\0';
}

static const struct { const char *name; enum dep_kind kind; } kinds[] = {
	{"after", DEP_AFTER}, {"afterany", DEP_AFTERANY}, {"afterok", DEP_AFTEROK},
	{"afternotok", DEP_AFTERNOTOK}, {"aftercorr", DEP_AFTERCORR}, {"singleton", DEP_SINGLETON},
	{"afterburstbuffer", DEP_AFTERBURSTBUFFER} /* there are none: as afterany */};

static bool kind_of(const char *name, enum dep_kind *kind)
{
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_ascii_strcasecmp(kinds[i].name, name) == 0) {
			*kind = kinds[i].kind;
			return true;
		}
	return false;
}

const char *depend_kind_name(enum dep_kind kind)
{
	gsize i = 0;
	while (i + 1 < G_N_ELEMENTS(kinds) && kinds[i].kind != kind)
		i++;
	return kinds[i].name;
}

static void add(struct job *j, struct dependency d)
{
	j->deps = g_renew(struct dependency, j->deps, j->n_deps + 1);
	j->deps[j->n_deps++] = d;
}

static bool parse_part(struct job *j, char *part)
{
	g_auto(GStrv) w = g_strsplit(part, ":", -1);
	enum dep_kind kind;
	if (!w[0] || !*w[0])
		return false;
	if (!kind_of(w[0], &kind)) { /* a bare id = afterany */
		struct dependency d;
		if (w[1] || !parse_item(w[0], DEP_AFTERANY, &d))
			return false;
		add(j, d);
		return true;
	}
	if (kind == DEP_SINGLETON) {
		add(j, (struct dependency){.kind = kind, .task = NO_VAL});
		return !w[1];
	}
	if (!w[1])
		return false;
	for (char **it = w + 1; *it; it++) {
		struct dependency d;
		if (!parse_item(*it, kind, &d))
			return false;
		add(j, d);
	}
	return true;
}

bool depend_parse(struct controller *c, struct job *j, const char *text, GError **error)
{
	g_free(j->deps);
	j->deps = NULL;
	j->n_deps = 0;
	bool any = strchr(text, '?') != NULL;
	bool old = c->p->version == SLURM_22_05; /* recorded: there "," is "?" in a list that has one, and bare ids are not in such a list */
	bool ok = !any || old || !strchr(text, ',');
	if (g_str_has_prefix(text, "expand:")) {
		g_set_error(error, SUBMIT_ERROR, 0, "Requested operation not supported on this system");
		return false;
	}
	g_auto(GStrv) parts = g_strsplit_set(text, ",?", -1);
	for (char **it = parts; *it && ok; it++)
		ok = parse_part(j, *it) && !(any && old && g_ascii_isdigit(**it));
	j->deps_or = any;
	/* C11: an unknown id makes afterok and afternotok invalid since 23.02 */
	for (uint32_t i = 0; i < j->n_deps && ok; i++) {
		const struct dependency *d = &j->deps[i];
		bool strict = d->kind == DEP_AFTEROK || d->kind == DEP_AFTERNOTOK;
		if (strict && !old && !ctl_array_records(c, d->job) && (d->of_array || !controller_find_job(c, d->job)))
			ok = false;
	}
	if (!ok)
		g_set_error(error, SUBMIT_ERROR, 0, "Job dependency problem");
	return ok;
}

/* C11 for D as one thing: state of the jobs behind (id, task). */
struct target { bool exists, pending, completed, over /* or SPECIAL_EXIT */, ok; sec_t start; };

static void add_record(struct target *t, const struct job *r)
{
	t->exists = true;
	if (r->state == JOB_PENDING || r->flags & JOB_CONFIGURING)
		t->pending = true;
	bool completed = job_is_finished(r) && !(r->flags & JOB_COMPLETING);
	t->completed = t->completed && completed;
	t->over = t->over && (completed || r->flags & JOB_SPECIAL_EXIT);
	t->ok = t->ok && r->state == JOB_COMPLETED;
	t->start = MAX(t->start, r->start);
}

static struct target look(struct controller *c, const struct dependency *d, uint32_t task)
{
	struct target t = {.completed = true, .over = true, .ok = true};
	GPtrArray *records = ctl_array_records(c, d->job);
	if (!records) {
		struct job *r = d->of_array ? NULL : controller_find_job(c, d->job);
		if (r && r->het && r->het_offset == 0) /* C70: the leader stands for all */
			for (uint32_t k = 0; k < r->het->n; k++) {
				if (r->het->comp[k])
					add_record(&t, r->het->comp[k]);
			}
		else if (r)
			add_record(&t, r);
		return t;
	}
	if (task != NO_VAL) {
		struct job *r = controller_find_task(c, d->job, task);
		if (r)
			add_record(&t, r);
		return t;
	}
	for (guint i = 0; i < records->len; i++)
		add_record(&t, records->pdata[i]);
	const struct job_array *a = ((struct job *)records->pdata[0])->array;
	if (a->ended_ok < a->ended) /* also tasks whose records are gone */
		t.ok = false;
	return t;
}

/* Another job of J's user and name, as singleton sees it. */
static bool same_single(const struct job *j, const struct job *r)
{
	return r != j && (!j->het || r->het != j->het) && strcmp(r->user, j->user) == 0 && g_strcmp0(r->name, j->name) == 0;
}

const struct job *depend_singleton(const struct controller *c, const struct job *j)
{
	for (const struct job *r = c->running.head; r; r = r->next)
		if (same_single(j, r))
			return r;
	for (const struct job *r = c->pending.head; r; r = r->next)
		if (r->id < j->id && same_single(j, r))
			return r;
	return NULL;
}

static enum dep_state test_item(struct controller *c, const struct job *j, const struct dependency *d)
{
	if (d->kind == DEP_SINGLETON)
		return depend_singleton(c, j) ? DEP_PENDING : DEP_MET;
	uint32_t task = d->task;
	if (d->kind == DEP_AFTERCORR) {
		uint32_t own = j->tasks ? (uint32_t)bitset_next(j->tasks, j->tasks_from) : j->task;
		task = own != NO_VAL && controller_find_task(c, d->job, own) ? own : NO_VAL;
	}
	struct target t = look(c, d, task);
	if (!t.exists)
		return DEP_MET; /* purged */
	switch (d->kind) {
	case DEP_AFTER:
		return !t.pending && (!d->minutes || c->now_s - t.start >= (sec_t)d->minutes * 60) ? DEP_MET : DEP_PENDING;
	case DEP_AFTERANY:
	case DEP_AFTERBURSTBUFFER:
		return t.completed ? DEP_MET : DEP_PENDING;
	case DEP_AFTERNOTOK:
		return !t.over ? DEP_PENDING : t.ok ? DEP_FAILED : DEP_MET;
	default:
		return !t.completed ? DEP_PENDING : t.ok ? DEP_MET : DEP_FAILED;
	}
}

enum dep_state depend_test(struct controller *c, struct job *j)
{
	uint32_t met = 0, failed = 0;
	for (uint32_t i = 0; i < j->n_deps; i++) {
		struct dependency *d = &j->deps[i];
		if (d->state == DEP_PENDING)
			d->state = test_item(c, j, d); /* fulfilled and failed are permanent */
		met += d->state == DEP_MET;
		failed += d->state == DEP_FAILED;
	}
	if (j->deps_or)
		return met ? DEP_MET : failed == j->n_deps ? DEP_FAILED : DEP_PENDING;
	return failed ? DEP_FAILED : met == j->n_deps ? DEP_MET : DEP_PENDING;
}
