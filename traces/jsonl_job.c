/* jsonl_job.c - one JSON object to one submission; see jsonl.h for the keys. */
#include "traces/jsonl.h"
#include "traces/components.h"
#include "traces/reader.h"
#include "traces/sbatch_line.h"
#include "traces/sbatch_words.h"
#include "traces/steps_json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_TASKS 100000
#define MAX_COMPONENTS 127

struct building {
	struct submission *s;
	bool has_run;
	const cJSON *exit_task;
	usec_t cancel_run; /* -1: not given */
};

static bool fail(GError **error, const char *key, const char *right)
{
	g_set_error(error, JSONL_ERROR, 0, "\"%s\": %s", key, right);
	return false;
}

static bool read_span(const cJSON *item, usec_t *out, GError **error)
{
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > (double)READER_MAX_SECONDS)
		return fail(error, item->string, "must be seconds, 0 or more");
	*out = llround(item->valuedouble * 1e6);
	return true;
}

static bool read_text(const cJSON *item, char **out, GError **error)
{
	if (!cJSON_IsString(item) || !*item->valuestring)
		return fail(error, item->string, "must be a text that is not empty");
	g_free(*out);
	*out = g_strdup(item->valuestring);
	return true;
}

static bool read_exit(const cJSON *item, int *out, GError **error)
{
	double code = cJSON_IsNumber(item) ? item->valuedouble : -1;
	if (!(code >= 0 && code <= 255) || code != floor(code))
		return fail(error, item->string ? item->string : "exit", "must be an exit code, 0 to 255");
	*out = (int)code;
	return true;
}

static bool set_name(struct building *b, const cJSON *item, GError **error)
{
	if (!read_text(item, &b->s->label, error))
		return false;
	g_free(b->s->request->name);
	b->s->request->name = g_strdup(b->s->label);
	return true;
}

static bool set_at(struct building *b, const cJSON *item, GError **error)
{
	return read_span(item, &b->s->at, error);
}

static bool set_user(struct building *b, const cJSON *item, GError **error)
{
	if (!read_text(item, &b->s->request->user, error))
		return false;
	b->s->request->privileged = strcmp(b->s->request->user, "root") == 0;
	return true;
}

static bool set_run(struct building *b, const cJSON *item, GError **error)
{
	b->has_run = true;
	return read_span(item, &b->s->outcome.run_time, error);
}

static bool set_exit(struct building *b, const cJSON *item, GError **error)
{
	return read_exit(item, &b->s->outcome.exit_code, error);
}

static bool set_exit_runs(struct building *b, const cJSON *item, GError **error)
{
	double runs = cJSON_IsNumber(item) ? item->valuedouble : 0;
	if (!(runs >= 1 && runs <= 1e9) || runs != floor(runs))
		return fail(error, "exit_runs", "must be how many runs end with \"exit\", 1 or more; later ones end with 0");
	b->s->outcome.exit_runs = (uint32_t)runs;
	return true;
}

static bool set_signal(struct building *b, const cJSON *item, GError **error)
{
	enum { SIGNAL_MAX = 64 };

	if (!cJSON_IsNumber(item) || item->valuedouble != floor(item->valuedouble) || item->valuedouble < 1 ||
	    item->valuedouble > SIGNAL_MAX)
		return fail(error, "exit_signal", "must be the number of a signal, 1 to 64");
	b->s->outcome.signal = (int)item->valuedouble;
	return true;
}

static bool set_ignores_term(struct building *b, const cJSON *item, GError **error)
{
	if (!cJSON_IsBool(item))
		return fail(error, "ignores_term", "must be true or false");
	b->s->outcome.ignores_term = cJSON_IsTrue(item);
	return true;
}

static bool set_exit_task(struct building *b, const cJSON *item, GError **error)
{
	if (!cJSON_IsObject(item) || cJSON_GetArraySize(item) > MAX_TASKS)
		return fail(error, "exit_task", "must be an object {\"TASK\": exit code}");
	b->exit_task = item;
	return true;
}

static bool set_end(struct building *b, const cJSON *item, GError **error)
{
	const char *text = cJSON_IsString(item) ? item->valuestring : "";
	if (strcmp(text, "NODE_FAIL") == 0)
		b->s->outcome.end = OUTCOME_NODE_FAIL;
	else if (strcmp(text, "OUT_OF_MEMORY") == 0)
		b->s->outcome.end = OUTCOME_OOM;
	else if (strcmp(text, "HANG") == 0)
		b->s->outcome.end = OUTCOME_HANG;
	else
		return fail(error, "end", "must be \"NODE_FAIL\", \"OUT_OF_MEMORY\" or \"HANG\"");
	return true;
}

static bool set_cancel(struct building *b, const cJSON *item, GError **error)
{
	return read_span(item, &b->s->outcome.cancel_after, error);
}

static bool set_cancel_run(struct building *b, const cJSON *item, GError **error)
{
	return read_span(item, &b->cancel_run, error);
}

static bool set_max_rss(struct building *b, const cJSON *item, GError **error)
{
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > 1e12)
		return fail(error, "max_rss", "must be MiB, 0 or more");
	b->s->outcome.max_rss = (uint64_t)ceil(item->valuedouble);
	return true;
}

static bool set_startup(struct building *b, const cJSON *item, GError **error)
{
	return read_span(item, &b->s->outcome.startup, error);
}

/* Seconds of work between two, or an object {"every": 3600, "cost": 60, "restart": 120, "signal": true}. */
static bool set_checkpoint(struct building *b, const cJSON *item, GError **error)
{
	struct outcome *o = &b->s->outcome;
	if (!cJSON_IsObject(item))
		return read_span(item, &o->checkpoint, error);
	const cJSON *part;
	cJSON_ArrayForEach(part, item)
	{
		if (strcmp(part->string, "signal") == 0 && cJSON_IsBool(part)) {
			o->checkpoint_signal = cJSON_IsTrue(part);
			continue;
		}
		usec_t *to = strcmp(part->string, "every") == 0     ? &o->checkpoint
		             : strcmp(part->string, "cost") == 0    ? &o->checkpoint_cost
		             : strcmp(part->string, "restart") == 0 ? &o->restart_cost
		                                                    : NULL;
		if (!to)
			return fail(error, "checkpoint", "must be seconds, or {\"every\": 3600, \"cost\": 60, \"restart\": 120, \"signal\": true}");
		if (!read_span(part, to, error)) {
			g_prefix_error(error, "\"checkpoint\": ");
			return false;
		}
	}
	return true;
}

static bool set_steps(struct building *b, const cJSON *item, GError **error)
{
	job_steps_free(b->s->steps);
	b->s->steps = job_steps_from_json(item, error);
	return b->s->steps != NULL;
}

static bool set_depends(struct building *b, const cJSON *item, GError **error)
{
	return read_text(item, &b->s->request->dependency, error);
}

static bool set_requeue(struct building *b, const cJSON *item, GError **error)
{
	if (cJSON_IsString(item) && strcmp(item->valuestring, "expedite") == 0)
		return job_request_set(b->s->request, "requeue", "expedite", error);
	if (!cJSON_IsBool(item))
		return fail(error, "requeue", "must be true, false or \"expedite\"");
	return job_request_set(b->s->request, cJSON_IsTrue(item) ? "requeue" : "no-requeue", NULL, error);
}

static bool set_extra(struct building *b, const cJSON *item, GError **error)
{
	char **words = NULL;
	if (cJSON_IsString(item)) {
		words = sbatch_words_split(item->valuestring);
	} else if (cJSON_IsArray(item)) {
		GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
		const cJSON *word;
		cJSON_ArrayForEach(word, item)
		{
			if (!cJSON_IsString(word)) {
				g_ptr_array_unref(list);
				return fail(error, "extra", "must be a list of texts");
			}
			g_ptr_array_add(list, g_strdup(word->valuestring));
		}
		g_ptr_array_add(list, NULL);
		g_ptr_array_set_free_func(list, NULL);
		words = (char **)g_ptr_array_free(list, FALSE);
	} else {
		return fail(error, "extra", "must be a list of sbatch's words, or one text");
	}
	bool ok = sbatch_words_apply(b->s->request, (const char *const *)words, true, NULL, error);
	if (!ok)
		g_prefix_error(error, "\"extra\": ");
	g_strfreev(words);
	return ok;
}

static bool set_nothing(struct building *b, const cJSON *item, GError **error)
{
	(void)b, (void)item, (void)error;
	return true;
}

/* A number as sbatch would be given it. */
static void number_text(double value, char *out, size_t size)
{
	if (value == floor(value) && fabs(value) < 1e15)
		snprintf(out, size, "%.0f", value);
	else
		g_ascii_formatd(out, (gint)size, "%.9g", value);
}

/* Any other key: sbatch's option of that name. */
static bool set_option(struct building *b, const cJSON *item, GError **error)
{
	char number[64], *option = g_strdelimit(g_strdup(item->string), "_", '-');
	GError *problem = NULL;
	bool ok = true;
	if (cJSON_IsNumber(item)) {
		number_text(item->valuedouble, number, sizeof number);
		ok = job_request_set(b->s->request, option, number, &problem);
	} else if (cJSON_IsString(item)) {
		ok = job_request_set(b->s->request, option, item->valuestring, &problem);
	} else if (cJSON_IsTrue(item)) {
		ok = job_request_set(b->s->request, option, NULL, &problem);
	} else {
		g_set_error(&problem, JSONL_ERROR, 0, "must be a number, a text, true or false");
		ok = false;
	}
	if (!ok)
		g_propagate_prefixed_error(error, problem, "\"%s\": ", item->string);
	g_free(option);
	return ok;
}

static bool set_priority(struct building *b, const cJSON *item, GError **error)
{
	bool zero = (cJSON_IsNumber(item) && item->valuedouble == 0) ||
	            (cJSON_IsString(item) && strcmp(item->valuestring, "0") == 0);
	return zero || set_option(b, item, error);
}

/* Of a component after the first only what sbatch takes after ":" and what does not belong to the whole job. */
static bool set_component_key(struct building *b, const cJSON *item, GError **error)
{
	static const char *const of_all[] = {"name", "at", "user", "run", "exit", "exit_task", "exit_runs", "exit_signal", "ignores_term", "end",
	                                     "cancel", "cancel_run", "startup", "checkpoint", "max_rss", "steps", "script",
	                                     "depends", "requeue", "het", "begin", "hold", "array", NULL};
	if (g_strv_contains(of_all, item->string))
		return fail(error, item->string, "belongs to the job as a whole, not to a component");
	if (cJSON_IsNull(item) || cJSON_IsFalse(item))
		return true;
	if (strcmp(item->string, "extra") == 0)
		return set_extra(b, item, error);
	return set_option(b, item, error);
}

static bool set_het(struct building *b, const cJSON *item, GError **error);

/* P20: what a job_submit hook would set. */
static bool set_site_factor(struct building *b, const cJSON *item, GError **error)
{
	if (!cJSON_IsNumber(item) || item->valuedouble != floor(item->valuedouble) ||
	    fabs(item->valuedouble) > 2147483645)
		return fail(error, "site_factor", "must be a whole number from -2147483645 to 2147483645");
	b->s->request->site_factor = (int32_t)item->valuedouble;
	return true;
}

static const struct {
	const char *key;
	bool (*set)(struct building *b, const cJSON *item, GError **error);
} keys[] = {
    {"name", set_name},         {"at", set_at},           {"user", set_user},
    {"run", set_run},           {"exit", set_exit},       {"exit_task", set_exit_task}, {"exit_runs", set_exit_runs}, {"exit_signal", set_signal}, {"ignores_term", set_ignores_term},
    {"end", set_end},           {"cancel", set_cancel},   {"cancel_run", set_cancel_run},
    {"depends", set_depends},   {"requeue", set_requeue}, {"extra", set_extra},
    {"priority", set_priority}, {"het", set_het},         {"tick", set_nothing},
    {"about", set_nothing},     {"startup", set_startup}, {"max_rss", set_max_rss}, {"checkpoint", set_checkpoint},
    {"site_factor", set_site_factor}, {"steps", set_steps}, {"script", set_nothing},
};

/* The other components: a list of objects with sbatch's options. */
static bool set_het(struct building *b, const cJSON *item, GError **error)
{
	int n = cJSON_GetArraySize(item);
	if (!cJSON_IsArray(item) || n < 1 || n > MAX_COMPONENTS)
		return fail(error, "het", "must be a list of 1 to 127 objects, the options of the other components");
	if (b->s->n_het)
		return fail(error, "het", "is told by the script already");
	b->s->het = g_new0(struct job_request *, n);
	const cJSON *comp, *option;
	cJSON_ArrayForEach(comp, item)
	{
		if (!cJSON_IsObject(comp))
			return fail(error, "het", "must be a list of objects");
		struct submission part = {.request = b->s->het[b->s->n_het++] = job_request_new()};
		struct building of_part = {.s = &part, .cancel_run = -1};
		cJSON_ArrayForEach(option, comp)
		{
			if (!set_component_key(&of_part, option, error)) {
				g_prefix_error(error, "\"het\": component %u: ", b->s->n_het);
				return false;
			}
		}
	}
	return true;
}

static bool set_key(struct building *b, const cJSON *item, GError **error)
{
	if (cJSON_IsNull(item) || (cJSON_IsFalse(item) && strcmp(item->string, "requeue") != 0))
		return true;
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		if (strcmp(keys[i].key, item->string) == 0)
			return keys[i].set(b, item, error);
	return set_option(b, item, error);
}

static gint compare_tasks(gconstpointer a, gconstpointer b)
{
	const struct task_outcome *x = a, *y = b;
	return (x->task > y->task) - (x->task < y->task);
}

/* Once all else is known: the exceptions start as copies of the job's outcome. */
static bool add_tasks(struct building *b, GError **error)
{
	GArray *tasks = g_array_new(FALSE, TRUE, sizeof(struct task_outcome));
	const cJSON *item;
	bool ok = true;
	cJSON_ArrayForEach(item, b->exit_task)
	{
		guint64 number;
		struct task_outcome task = {.outcome = b->s->outcome};
		ok = g_ascii_string_to_unsigned(item->string, 10, 0, G_MAXUINT32 - 2, &number, NULL) ||
		     fail(error, "exit_task", "its keys must be task numbers");
		ok = ok && read_exit(item, &task.outcome.exit_code, error);
		if (!ok)
			break;
		task.task = (uint32_t)number;
		g_array_append_val(tasks, task);
	}
	g_array_sort(tasks, compare_tasks);
	for (guint i = 1; ok && i < tasks->len; i++)
		if (g_array_index(tasks, struct task_outcome, i).task ==
		    g_array_index(tasks, struct task_outcome, i - 1).task)
			ok = fail(error, "exit_task", "names a task twice");
	b->s->n_tasks = tasks->len;
	b->s->tasks = (struct task_outcome *)(gpointer)g_array_free(tasks, FALSE);
	return ok;
}

static bool finish(struct building *b, GError **error)
{
	struct outcome *outcome = &b->s->outcome;
	if (b->cancel_run >= 0 && (!b->has_run || b->cancel_run < outcome->run_time)) {
		outcome->run_time = b->cancel_run;
		outcome->end = OUTCOME_CANCEL_RUNNING;
	} else if (!b->has_run && b->cancel_run < 0) {
		return fail(error, "run", "is missing; give the seconds it runs");
	}
	if (!b->s->request->user)
		return fail(error, "user", "is missing");
	if (!outcome->max_rss)
		outcome->max_rss = job_steps_memory(b->s->steps);
	if (b->s->n_het && b->s->request->array)
		return fail(error, "array", "cannot be part of a heterogeneous job");
	components_follow(b->s);
	return !b->exit_task || add_tasks(b, error);
}

/* What the script says comes first; the other keys win over it. */
static bool begin_with_script(struct building *b, const cJSON *job, struct sbatch_line **line, GError **error)
{
	const cJSON *script = cJSON_GetObjectItemCaseSensitive(job, "script");
	*line = NULL;
	if (!script || cJSON_IsNull(script)) {
		b->s = submission_new();
		return true;
	}
	if (!cJSON_IsString(script))
		return fail(error, "script", "must be a batch script: its text, or (in a scenario) its file");
	*line = sbatch_line_of_text(script->valuestring, strlen(script->valuestring), error);
	if (!*line) {
		g_prefix_error(error, "\"script\": ");
		return false;
	}
	b->s = g_steal_pointer(&(*line)->sub);
	b->has_run = (*line)->run_known;
	return true;
}

struct submission *submission_from_json(const cJSON *job, GError **error)
{
	if (!cJSON_IsObject(job)) {
		g_set_error(error, JSONL_ERROR, 0, "a job must be an object {\"name\": ..., \"at\": ..., ...}");
		return NULL;
	}
	struct building b = {.cancel_run = -1};
	struct sbatch_line *line;
	bool ok = begin_with_script(&b, job, &line, error);
	struct job_steps *of_script = ok ? g_steal_pointer(&b.s->steps) : NULL;
	const cJSON *item;
	cJSON_ArrayForEach(item, job)
	{
		ok = ok && set_key(&b, item, error);
		if (!ok)
			break;
	}
	ok = ok && finish(&b, error);
	if (ok && line && !b.s->steps)
		b.s->steps = sbatch_script_steps(line->body, b.s->outcome.run_time);
	job_steps_free(of_script);
	sbatch_line_free(line);
	if (ok)
		return b.s;
	submission_free(b.s);
	return NULL;
}
