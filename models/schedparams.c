/*
 * schedparams.c - the tokens of SchedulerParameters (spec slurm-conf.md 5.4, main-scheduler.md 0, backfill.md 0).
 *
 * Slurm finds tokens by searching the text, so the first of two equal ones counts and unknown ones pass unseen. Here an
 * unknown token is a warning with "did you mean", and a value out of range a warning and the default, as Slurm logs it.
 */
#include "models/confread.h"
#include "models/suggest.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum token_kind { TOKEN_INT, TOKEN_MINUTES, TOKEN_U32, TOKEN_U64, TOKEN_FLAG, TOKEN_HET_PRIO, TOKEN_NO_EFFECT, TOKEN_LATER, TOKEN_OLD };

struct token {
	const char *name;
	enum token_kind kind;
	size_t offset; /* in struct sched_params */
	gint64 min, max;
	bool minus_one; /* -1 = off is accepted too */
};

#define AT(field) offsetof(struct sched_params, field)
#define INT(name, min, max)                                                                                            \
	{                                                                                                              \
#name, TOKEN_INT, AT(name), min, max, false                                                            \
	}
#define FLAG(name)                                                                                                     \
	{                                                                                                              \
#name, TOKEN_FLAG, AT(name), 0, 0, false                                                               \
	}
#define NO_EFFECT(name)                                                                                                \
	{                                                                                                              \
#name, TOKEN_NO_EFFECT, 0, 0, 0, false                                                                 \
	}
#define LATER(name)                                                                                                    \
	{                                                                                                              \
#name, TOKEN_LATER, 0, 0, 0, false                                                                     \
	}

static const struct token tokens[] = {
    /* main scheduler */
    INT(default_queue_depth, 0, G_MAXINT32),
    INT(partition_job_depth, 0, G_MAXINT32),
    {"sched_interval", TOKEN_INT, AT(sched_interval), 0, G_MAXINT32, true},
    {"sched_min_interval", TOKEN_INT, AT(sched_min_interval_us), 0, G_MAXINT32, false},
    INT(sched_max_job_start, 0, G_MAXINT32),
    INT(max_sched_time, 1, G_MAXINT32),
    INT(batch_sched_delay, 0, G_MAXINT32),
    FLAG(defer),
    FLAG(defer_batch),
    FLAG(assoc_limit_stop),
    FLAG(reduce_completing_frag),
    FLAG(pack_serial_at_end),
    {"max_array_tasks", TOKEN_U32, AT(max_array_tasks), 1, 4000001, false},
    INT(max_switch_wait, 0, G_MAXINT32),
    INT(requeue_delay, 0, G_MAXINT32),
    INT(correspond_after_task_cnt, 10, G_MAXINT32),
    FLAG(time_min_as_soft_limit),
    /* backfill */
    {"bf_interval", TOKEN_INT, AT(bf_interval), 1, 10800, true},
    INT(bf_max_time, 1, 3600),
    {"bf_window", TOKEN_MINUTES, AT(bf_window), 1, 43200, false},
    INT(bf_resolution, 1, 3600),
    INT(bf_max_job_test, 1, 1000000),
    INT(bf_max_job_part, 0, 1000000),
    INT(bf_max_job_user, 0, 1000000),
    INT(bf_max_job_user_part, 0, 1000000),
    INT(bf_max_job_assoc, 0, 1000000),
    INT(bf_max_job_start, 0, 10000),
    INT(bf_max_job_array_resv, 0, 1000),
    INT(bf_job_part_count_reserve, 0, 100000),
    INT(bf_min_age_reserve, 0, 2592000),
    {"bf_min_prio_reserve", TOKEN_U64, AT(bf_min_prio_reserve), 0, G_MAXINT64, false},
    INT(bf_node_space_size, 2, 2000000),
    INT(bf_window_linear, 0, G_MAXINT32),
    {"bf_yield_interval", TOKEN_INT, AT(bf_yield_interval_us), 1, 10000000, false},
    {"bf_yield_sleep", TOKEN_INT, AT(bf_yield_sleep_us), 1, 10000000, false},
    FLAG(bf_continue),
    FLAG(bf_busy_nodes),
    FLAG(bf_licenses),
    FLAG(bf_running_job_reserve),
    FLAG(bf_one_resv_per_job),
    FLAG(bf_allow_magnetic_slot),
    {"interval", TOKEN_INT, AT(builtin_interval), 1, G_MAXINT32, false}, /* S38 */
    /* handled by name, or without effect on a simulation */
    FLAG(spec_cores_first),
    NO_EFFECT(build_queue_timeout),
    NO_EFFECT(max_rpc_cnt),
    NO_EFFECT(bf_yield_rpc_cnt),
    NO_EFFECT(Ignore_NUMA),
    NO_EFFECT(no_backup_scheduling),
    NO_EFFECT(max_script_size),
    NO_EFFECT(max_submit_line_size),
    NO_EFFECT(salloc_wait_nodes),
    NO_EFFECT(sbatch_wait_nodes),
    NO_EFFECT(step_retry_count),
    NO_EFFECT(step_retry_time),
    NO_EFFECT(disable_job_shrink),
    NO_EFFECT(enable_hetjob_steps),
    NO_EFFECT(disable_hetjob_steps),
    NO_EFFECT(bb_array_stage_cnt),
    /* they change results, later */
    LATER(nohold_on_prolog_fail),
    LATER(requeue_on_resume_failure),
    LATER(delay_boot),
    FLAG(allow_zero_lic),
    LATER(extra_constraints),
    FLAG(ignore_constraint_validation),
    FLAG(ignore_prefer_validation),
    FLAG(enable_user_top),
    LATER(whole_hetjob),
    LATER(whole_pack),
    {"bf_hetjob_prio", TOKEN_HET_PRIO, AT(bf_hetjob_prio), 0, 0, false},
    FLAG(bf_hetjob_immediate),
    FLAG(bf_topopt_enable),
    INT(bf_topopt_iterations, 2, 30),
    FLAG(preempt_youngest_first),
    FLAG(preempt_strict_order),
    INT(preempt_reorder_count, 0, 1000000),
    {"max_job_bf", TOKEN_OLD, 0, 0, 0, false},
};

static const char *const het_prios[] = {[HET_PRIO_MIN] = "min", [HET_PRIO_MAX] = "max", [HET_PRIO_AVG] = "avg"};

void conf_write_tokens(const struct sched_params *p, GString *list)
{
	struct sched_params *plain = sched_params_new(p->version);

	for (gsize i = 0; i < G_N_ELEMENTS(tokens); i++) {
		const struct token *t = &tokens[i];
		const char *a = (const char *)p + t->offset, *b = (const char *)plain + t->offset;
		const char *comma = list->len ? "," : "";

		if (t->kind == TOKEN_FLAG && *(const bool *)(const void *)a)
			g_string_append_printf(list, "%s%s", comma, t->name);
		else if (t->kind == TOKEN_HET_PRIO && p->bf_hetjob_prio)
			g_string_append_printf(list, "%s%s=%s", comma, t->name, het_prios[p->bf_hetjob_prio]);
		else if (t->kind == TOKEN_MINUTES && memcmp(a, b, sizeof(int)))
			g_string_append_printf(list, "%s%s=%d", comma, t->name, *(const int *)(const void *)a / 60);
		else if (t->kind == TOKEN_U64 && memcmp(a, b, sizeof(uint64_t)))
			g_string_append_printf(list, "%s%s=%" G_GUINT64_FORMAT, comma, t->name, *(const uint64_t *)(const void *)a);
		else if ((t->kind == TOKEN_INT || t->kind == TOKEN_U32) && memcmp(a, b, sizeof(int)))
			g_string_append_printf(list, "%s%s=%d", comma, t->name, *(const int *)(const void *)a);
	}
	sched_params_free(plain);
}

static const struct token *token_find(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(tokens); i++)
		if (g_ascii_strcasecmp(tokens[i].name, name) == 0)
			return &tokens[i];
	return NULL;
}

static void unknown_token(struct conf_reader *r, const struct conf_pair *p, const char *name)
{
	struct suggestion s;
	char *shown = conflex_show(name);

	suggest_begin(&s, name);
	for (gsize i = 0; i < G_N_ELEMENTS(tokens); i++)
		if (tokens[i].kind != TOKEN_OLD)
			suggest_offer(&s, tokens[i].name);
	char *hint = suggest_hint(&s, "Slurm ignores it silently");
	conf_warn(r, p, hint, "unknown token %s in SchedulerParameters has no effect", shown);
	g_free(hint);
	g_free(shown);
}

static bool parse_value(const struct token *t, const char *text, gint64 *out)
{
	char *end;

	if (!text)
		return false;
	errno = 0;
	*out = g_ascii_strtoll(text, &end, 10);
	if (end == text || *end || errno)
		return false;
	return (*out >= t->min && *out <= t->max) || (t->minus_one && *out == -1);
}

/* B60 */
static void set_het_prio(struct conf_reader *r, const struct conf_pair *p, const char *value)
{
	for (int i = HET_PRIO_MIN; i <= HET_PRIO_AVG; i++)
		if (value && g_ascii_strcasecmp(value, het_prios[i]) == 0) {
			r->p->bf_hetjob_prio = (enum het_prio)i;
			return;
		}
	g_autofree char *shown = conflex_show(value ? value : "");
	conf_warn(r, p, "write min, max or avg", "bf_hetjob_prio=%s in SchedulerParameters is unknown: the default, none, is used", shown);
}

static void set_token(struct conf_reader *r, const struct conf_pair *p, const struct token *t, const char *value)
{
	void *field = (char *)r->p + t->offset;
	gint64 v = 0;

	if (t->kind == TOKEN_FLAG) {
		*(bool *)field = true;
		return;
	}
	if (t->kind == TOKEN_HET_PRIO) {
		set_het_prio(r, p, value);
		return;
	}
	if (!parse_value(t, value, &v)) {
		char *shown = conflex_show(value ? value : "");

		conf_warn(r, p, NULL,
		          "%s=%s in SchedulerParameters is not %s%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
		          ": the default is used",
		          t->name, shown, t->minus_one ? "-1 or " : "", t->min, t->max);
		g_free(shown);
		return;
	}
	switch (t->kind) {
	case TOKEN_MINUTES:
		*(int *)field = (int)(v * 60);
		break;
	case TOKEN_U32:
		*(uint32_t *)field = (uint32_t)v;
		break;
	case TOKEN_U64:
		*(uint64_t *)field = (uint64_t)v;
		break;
	default:
		*(int *)field = (int)v;
	}
}

static void take_token(struct conf_reader *r, const struct conf_pair *p, char *text, GHashTable *seen)
{
	char *equals = strchr(text, '=');

	if (equals)
		*equals = '\0';
	const struct token *t = token_find(text);
	if (!t) {
		unknown_token(r, p, text);
		return;
	}
	if (!g_hash_table_add(seen, (gpointer)t->name)) {
		conf_warn(r, p, NULL, "%s stands twice in SchedulerParameters: the first is used", t->name);
		return;
	}
	if (t->kind == TOKEN_LATER)
		conf_warn(r, p, NULL, "SchedulerParameters %s is not modelled in this version and has no effect",
		          t->name);
	else if (t->kind == TOKEN_OLD)
		conf_error(r, p, "use bf_max_job_test", "SchedulerParameters %s has been removed from Slurm", t->name);
	else if (t->kind != TOKEN_NO_EFFECT)
		set_token(r, p, t, equals ? equals + 1 : NULL);
}

/* Values whose default is another's value. */
static void derive(struct conf_reader *r, const struct conf_pair *p, GHashTable *seen)
{
	struct sched_params *s = r->p;
	int half = MAX(1, s->message_timeout / 2);
	char *lower = g_ascii_strdown(p->value, -1);

	s->any_defer = strstr(lower, "defer") != NULL; /* S3 */
	g_free(lower);
	if (!g_hash_table_contains(seen, "bf_max_time") && s->bf_interval > 0)
		s->bf_max_time = MIN(s->bf_interval, 3600);
	if (!g_hash_table_contains(seen, "bf_node_space_size"))
		s->bf_node_space_size = s->bf_max_job_test;
	if (g_hash_table_contains(seen, "bf_max_job_test"))
		s->builtin_max_job_test = s->bf_max_job_test;
	if (s->max_sched_time > half) {
		if (g_hash_table_contains(seen, "max_sched_time"))
			conf_warn(r, p, "raise MessageTimeout",
			          "max_sched_time is above half of MessageTimeout: the default is used");
		s->max_sched_time = MIN(2, half);
	}
	if (s->bf_hetjob_immediate && s->bf_hetjob_prio == HET_PRIO_NONE)
		s->bf_hetjob_prio = HET_PRIO_MIN;
	if (s->bf_licenses)
		s->bf_running_job_reserve = true;
	int *depth[] = {&s->bf_max_job_part, &s->bf_max_job_user, &s->bf_max_job_user_part, &s->bf_max_job_assoc};
	for (gsize i = 0; i < G_N_ELEMENTS(depth); i++) {
		if (*depth[i] <= s->bf_max_job_test)
			continue;
		conf_warn(r, p, NULL, "bf_max_job_* = %d is above bf_max_job_test=%d: the default 0 is used", *depth[i],
		          s->bf_max_job_test);
		*depth[i] = 0;
	}
}

void conf_set_scheduler_parameters(struct conf_reader *r, const struct conf_pair *p)
{
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++)
		take_token(r, p, *s, seen);
	derive(r, p, seen);
	g_strfreev(list);
	g_hash_table_destroy(seen);
}
