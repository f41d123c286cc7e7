/*
 * sched_helper.h - a small cluster in memory and a controller over it, for the tests of sched/.
 *
 * Order of use: world_new, then w_nodes, w_part and changes of w->p (parameters), then w_begin, then jobs and passes.
 * Times are whole seconds unless the name says _us; the controller asserts that time never goes back, so the calls must
 * come in order. Every start is noted in w->starts, every pass in w->passes and every step of the passes since the last
 * w_clear in w->steps.
 */
#ifndef TESTS_UNIT_SCHED_HELPER_H
#define TESTS_UNIT_SCHED_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/hostlist.h"
#include "sched/select.h"
#include "sched/slotmap.h"
#include "sched/state.h"
#include <string.h>

struct world {
	struct cluster *cl;
	struct sched_params *p;
	struct controller *c;
	GString *starts; /* "1@100 2@100": id and second */
	GString *passes; /* "quick@11 full@60" and "backfill@90:end of queue" */
	GString *steps;
	GString *skips; /* "2 B17: bf_max_job_user; 3 ...": records passed over, and by which rule; not in steps */
	bool naive; /* set before w_begin */
};

/* The numbers of the worked examples need select/cons_tres, CR_Core without memory and equal priorities. */
static inline struct world *world_new(enum slurm_version version)
{
	struct world *w = g_new0(struct world, 1);
	w->cl = cluster_new(version);
	w->p = w->cl->params;
	w->p->select_type = SELECT_CONS_TRES;
	w->p->cr_unit = CR_CORE;
	w->p->cr_memory = false;
	w->p->priority_type = PRIORITY_MULTIFACTOR;
	w->starts = g_string_new(NULL);
	w->passes = g_string_new(NULL);
	w->steps = g_string_new(NULL);
	w->skips = g_string_new(NULL);
	return w;
}

static inline void world_free(struct world *w)
{
	controller_free(w->c);
	cluster_free(w->cl);
	g_string_free(w->starts, TRUE);
	g_string_free(w->passes, TRUE);
	g_string_free(w->steps, TRUE);
	g_string_free(w->skips, TRUE);
	g_free(w);
}

/* One NodeName line: S sockets x C cores x T threads. */
static inline struct node_config *w_nodes(struct world *w, const char *names, uint16_t s, uint16_t c, uint16_t t)
{
	GPtrArray *list = hostlist_expand(names, NULL);
	struct node_config *k = cluster_add_config(w->cl);
	assert_non_null(list);
	k->boards = 1;
	k->sockets = s;
	k->cores_per_socket = c;
	k->threads = t;
	k->cores = (uint16_t)(s * c);
	k->cpus = (uint16_t)(s * c * t);
	k->cpus_per_core = t;
	k->real_memory = 65536;
	for (guint i = 0; i < list->len; i++)
		cluster_add_node(w->cl, g_ptr_array_index(list, i), k);
	g_ptr_array_unref(list);
	return k;
}

/* Four GPUs without a type on nodes of eight cores: 0 and 1 near cores 0-3, 2 and 3 near cores 4-7. */
static inline void w_four_gpus(struct node_config *k)
{
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 4, .devices = true, .n_groups = 2};
	k->gres[0].group = g_new0(struct gres_group, 2);
	for (uint32_t i = 0; i < 2; i++) {
		k->gres[0].group[i] = (struct gres_group){.first = 2 * i, .count = 2, .cores = bitset_new(8)};
		bitset_set_range(k->gres[0].group[i].cores, 4 * i, 4 * i + 3);
	}
}

static inline void w_features(struct node_config *k, const char *list)
{
	g_strfreev(k->features);
	k->features = g_strsplit(list, ",", -1);
}

/* A partition; the first is the default one. */
static inline struct partition *w_part(struct world *w, const char *name, const char *nodes)
{
	struct partition *p = cluster_add_partition(w->cl, name);
	p->nodes_text = g_strdup(nodes);
	p->is_default = w->cl->partitions->len == 1;
	return p;
}

static inline void w_note_start(void *data, struct job *j)
{
	struct world *w = data;
	g_string_append_printf(w->starts, "%s%u@%" G_GINT64_FORMAT, w->starts->len ? " " : "", j->id, j->start);
}

static inline void w_note_pass(void *data, const struct pass_stats *s)
{
	static const char *const names[] = {"quick", "full", "backfill"};
	struct world *w = data;
	g_string_append_printf(w->passes, "%s%s@%" G_GINT64_FORMAT, w->passes->len ? " " : "", names[s->kind],
	                       usec_to_sec(s->t));
	if (s->kind == PASS_BACKFILL)
		g_string_append_printf(w->passes, ":%s", s->ended_by);
}

static inline void w_note_step(void *data, const struct step *s)
{
	static const char *const names[] = {"test",  "try",    "start",   "plan",       "overlap",
	                                    "later", "failed", "blocked", "passed over"};
	struct world *w = data;
	if (s->kind == STEP_SKIP) {
		g_string_append_printf(w->skips, "%s%u %s", w->skips->len ? "; " : "", s->job->id, s->rule);
		return;
	}
	g_autofree char *nodes = s->nodes ? cluster_format_nodes(w->cl, s->nodes) : g_strdup("");
	g_string_append_printf(w->steps, "%s%s %u", w->steps->len ? "; " : "", names[s->kind], s->job->id);
	if (s->kind == STEP_TRY || s->kind == STEP_PLAN || s->kind == STEP_LATER)
		g_string_append_printf(w->steps, " %" G_GINT64_FORMAT, s->start);
	if (s->kind == STEP_TRY || s->kind == STEP_PLAN || s->kind == STEP_START)
		g_string_append_printf(w->steps, " %s", nodes);
}

/* The controller starts at START. */
static inline void w_begin(struct world *w, sec_t start)
{
	struct sched_host host = {.data = w, .start = w_note_start, .pass = w_note_pass, .step = w_note_step};
	GError *error = NULL;
	if (!cluster_finish(w->cl, &error))
		fail_msg("%s", error->message);
	w->c = controller_new(w->cl, &host, start * USEC, 0, w->naive);
}

static inline void w_clear(struct world *w)
{
	g_string_truncate(w->starts, 0);
	g_string_truncate(w->passes, 0);
	g_string_truncate(w->steps, 0);
	g_string_truncate(w->skips, 0);
}

/* N nodes n1..nN of CORES cores and one partition p over them. */
static inline struct world *w_simple(enum slurm_version version, const char *nodes, uint16_t cores)
{
	struct world *w = world_new(version);
	w_nodes(w, nodes, 1, cores, 1);
	w_part(w, "p", nodes);
	return w;
}

/*
 * Submit a request of option, value pairs, NULL at the end; value "" = none. "priority" makes the request privileged;
 * "begin" and "deadline" are whole seconds. User u1 unless given.
 */
static inline struct job *w_submit_us(struct world *w, usec_t t, GError **error, va_list ap)
{
	struct job_request *r = job_request_new();
	const char *option;
	GError *bad = NULL;
	while ((option = va_arg(ap, const char *))) {
		const char *value = va_arg(ap, const char *);
		if (strcmp(option, "begin") == 0) {
			r->begin = g_ascii_strtoll(value, NULL, 10);
			continue;
		}
		if (strcmp(option, "deadline") == 0) {
			r->deadline = g_ascii_strtoll(value, NULL, 10);
			continue;
		}
		r->privileged = r->privileged || strcmp(option, "priority") == 0;
		if (!job_request_set(r, option, *value ? value : NULL, &bad))
			fail_msg("%s", bad->message);
	}
	if (!r->user)
		r->user = g_strdup("u1");
	return controller_submit(w->c, r, t, NULL, error);
}

static inline struct job *w_job_us(struct world *w, usec_t t, ...)
{
	GError *error = NULL;
	va_list ap;
	va_start(ap, t);
	struct job *j = w_submit_us(w, t, &error, ap);
	va_end(ap);
	if (!j)
		fail_msg("refused: %s", error->message);
	return j;
}

/* As above at a whole second; the job must be accepted. */
static inline struct job *w_job(struct world *w, sec_t t, ...)
{
	GError *error = NULL;
	va_list ap;
	va_start(ap, t);
	struct job *j = w_submit_us(w, t * USEC, &error, ap);
	va_end(ap);
	if (!j)
		fail_msg("refused: %s", error->message);
	return j;
}

/* The job must be refused with a message that holds TEXT. */
static inline void w_refused(struct world *w, sec_t t, const char *text, ...)
{
	GError *error = NULL;
	va_list ap;
	va_start(ap, text);
	struct job *j = w_submit_us(w, t * USEC, &error, ap);
	va_end(ap);
	assert_null(j);
	assert_non_null(error);
	if (!strstr(error->message, text))
		fail_msg("message \"%s\" does not hold \"%s\"", error->message, text);
	g_error_free(error);
}

static inline void w_full(struct world *w, sec_t t)
{
	controller_pass(w->c, PASS_MAIN_FULL, t * USEC);
}
static inline void w_quick(struct world *w, sec_t t)
{
	controller_pass(w->c, PASS_MAIN_QUICK, t * USEC);
}
static inline void w_backfill(struct world *w, sec_t t)
{
	controller_pass(w->c, PASS_BACKFILL, t * USEC);
}

/* A job that runs on NODES, whole, from NOW for MINUTES. */
static inline struct job *w_run(struct world *w, sec_t now, const char *nodes, uint32_t minutes)
{
	g_autofree char *time = g_strdup_printf("%u", minutes);
	struct job *j = w_job(w, now, "nodelist", nodes, "exclusive", "", "time", time, "priority", "1000000", NULL);
	w_full(w, now);
	assert_int_equal(j->state, JOB_RUNNING);
	assert_int_equal(j->start, now);
	return j;
}

/* J ends by itself at T with CODE; its epilog is done at the same moment when EPILOG. */
static inline void w_end(struct world *w, struct job *j, sec_t t, int code, bool epilog)
{
	controller_job_exited(w->c, j, code, 0, false, t * USEC);
	if (epilog)
		controller_epilog_done(w->c, j, UINT32_MAX, true, t * USEC);
}

static inline void w_nodes_are(struct world *w, const struct bitset *set, const char *want)
{
	assert_non_null(set);
	g_autofree char *names = cluster_format_nodes(w->cl, set);
	assert_string_equal(names, want);
}

static inline void w_runs_on(struct world *w, const struct job *j, sec_t start, const char *nodes)
{
	if (j->state != JOB_RUNNING)
		fail_msg("job %u is %s, reason %s", j->id, job_state_name(j->state), reason_name(j->reason));
	assert_int_equal(j->start, start);
	w_nodes_are(w, j->nodes, nodes);
}

static inline void w_planned(struct world *w, const struct job *j, sec_t start, const char *nodes)
{
	assert_int_equal(j->state, JOB_PENDING);
	assert_int_equal(j->est_start, start);
	w_nodes_are(w, j->sched_nodes, nodes);
}

static inline void w_waits(const struct job *j, enum reason reason)
{
	assert_int_equal(j->state, JOB_PENDING);
	assert_string_equal(reason_name(j->reason), reason_name(reason));
}

static inline char *slots_text(const struct cluster *cl, const struct slot_map *m)
{
	GString *s = g_string_new(NULL);
	for (int i = 0; i >= 0; i = slotmap_at(m, i)->next) {
		const struct slot *x = slotmap_at(m, i);
		if (x->begin == x->end)
			continue; /* B43: "a zero-length record stays in front; no other effect" */
		g_autofree char *nodes = cl ? cluster_format_nodes(cl, x->nodes) : bitset_to_ranges(x->nodes);
		g_string_append_printf(s, "%s[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ") %s", s->len ? "; " : "",
		                       x->begin, x->end, nodes);
	}
	return g_string_free(s, FALSE);
}

/* The map of the last backfill cycle: the first member of struct bf_state (backfill.c). */
static inline const struct slot_map *w_map(const struct world *w)
{
	return *(struct slot_map *const *)(const void *)w->c->bf;
}

static inline void w_map_is(const struct world *w, const char *want)
{
	g_autofree char *text = slots_text(w->cl, w_map(w));
	assert_string_equal(text, want);
}

/* ---- accounting ---- */

static inline uint64_t *w_tres(uint32_t kind, uint64_t value) /* for a limit array */
{
	uint64_t *a = g_new(uint64_t, TRES_MAX);
	for (uint32_t i = 0; i < TRES_MAX; i++)
		a[i] = NO_VAL64;
	a[kind] = value;
	return a;
}

/* Account "acct" with users u1 and u2, all limits enforced. Before w_begin. */
static inline struct assoc *w_accounting(struct world *w)
{
	w->cl->acct = acct_new(w->cl->tres);
	w->p->has_accounting = true;
	w->p->enforce = ENFORCE_ASSOC | ENFORCE_LIMITS;
	struct assoc *a = acct_add_account(w->cl->acct, "acct", NULL);
	assert_non_null(acct_add_user(w->cl->acct, "u1", "acct", NULL));
	assert_non_null(acct_add_user(w->cl->acct, "u2", "acct", NULL));
	return a;
}

static const enum slurm_version both_versions[] = {SLURM_26, SLURM_22_05};
/* for (EACH_VERSION(v)) ... */
#define EACH_VERSION(v)                                                                                                \
	size_t v##_i = 0, v = 0;                                                                                       \
	v##_i < 2 && ((v) = both_versions[v##_i], 1);                                                                  \
	v##_i++

/* n1-n4, full until 3600 */
static inline struct world *w_full_cluster(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-4]", 4);
	w_begin(w, 0);
	w_run(w, 0, "n[1-4]", 60);
	return w;
}

#endif
