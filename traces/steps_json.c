/* steps_json.c - see steps_json.h */
#include "traces/steps_json.h"
#include "traces/jsonl.h"
#include "traces/reader.h"
#include <math.h>
#include <string.h>

struct making {
	struct job_step *step;
	bool has_begin, has_run;
	usec_t run;
};

static bool fail(GError **error, const char *key, const char *right)
{
	g_set_error(error, JSONL_ERROR, 0, "\"%s\" %s", key, right);
	return false;
}

static bool number_ok(const cJSON *item, double most, bool whole)
{
	double v = cJSON_IsNumber(item) ? item->valuedouble : -1;
	return v >= 0 && v <= most && (!whole || v == floor(v));
}

static bool read_seconds(const cJSON *item, usec_t *out, GError **error)
{
	if (!number_ok(item, (double)READER_MAX_SECONDS, false))
		return fail(error, item->string, "must be seconds, 0 or more");
	*out = llround(item->valuedouble * 1e6);
	return true;
}

static bool read_count(const cJSON *item, double most, uint32_t *out, GError **error)
{
	if (!number_ok(item, most, true))
		return fail(error, item->string, "must be a whole number");
	*out = (uint32_t)item->valuedouble;
	return true;
}

/* "batch", 3, "3", "0+1" */
static bool read_id(const cJSON *item, struct job_step *step, GError **error)
{
	static const char *const kinds[] = {
	    [JOBSTEP_BATCH] = "batch", [JOBSTEP_EXTERN] = "extern", [JOBSTEP_INTERACTIVE] = "interactive"};
	if (number_ok(item, INT32_MAX, true)) {
		step->number = (uint32_t)item->valuedouble;
		return true;
	}
	const char *text = cJSON_IsString(item) ? item->valuestring : "";
	for (int k = JOBSTEP_BATCH; k <= JOBSTEP_INTERACTIVE; k++)
		if (strcmp(text, kinds[k]) == 0) {
			step->kind = (enum jobstep_kind)k;
			return true;
		}
	char **part = g_strsplit(text, "+", 2);
	guint64 a = 0, b = NO_VAL;
	bool ok = part[0] && g_ascii_string_to_unsigned(part[0], 10, 0, INT32_MAX, &a, NULL) &&
	          (!part[1] || g_ascii_string_to_unsigned(part[1], 10, 0, 127, &b, NULL));
	g_strfreev(part);
	step->number = (uint32_t)a;
	step->component = (uint32_t)b;
	return ok || fail(error, item->string, "must be a number, \"0+1\", \"batch\", \"extern\" or \"interactive\"");
}

static bool read_state(const cJSON *item, struct job_step *step, GError **error)
{
	const char *text = cJSON_IsString(item) ? item->valuestring : "";
	if (strcmp(text, "CANCELLED") == 0)
		step->how = JOBSTEP_CANCELLED;
	else if (strcmp(text, "TIMEOUT") == 0)
		step->how = JOBSTEP_TIMEOUT;
	else if (strcmp(text, "OUT_OF_MEMORY") == 0)
		step->how = JOBSTEP_OOM;
	else
		return fail(error, item->string, "must be \"CANCELLED\", \"TIMEOUT\" or \"OUT_OF_MEMORY\"");
	return true;
}

static bool read_memory(const cJSON *item, uint64_t scale, uint64_t *out, GError **error)
{
	if (!number_ok(item, 1e12, false))
		return fail(error, item->string, "must be MiB, 0 or more");
	*out = (uint64_t)ceil(item->valuedouble * (double)scale);
	return true;
}

static bool set_key(struct making *m, const cJSON *item, GError **error)
{
	struct job_step *s = m->step;
	const char *key = item->string;
	uint32_t n = 0;
	if (strcmp(key, "name") == 0) {
		if (!cJSON_IsString(item) || !*item->valuestring)
			return fail(error, key, "must be a text that is not empty");
		g_free(s->name);
		s->name = g_strdup(item->valuestring);
		return true;
	}
	if (strcmp(key, "step") == 0)
		return read_id(item, s, error);
	if (strcmp(key, "begin") == 0)
		return (m->has_begin = true) && read_seconds(item, &s->begin, error);
	if (strcmp(key, "end") == 0)
		return read_seconds(item, &s->end, error);
	if (strcmp(key, "run") == 0)
		return (m->has_run = true) && read_seconds(item, &m->run, error);
	if (strcmp(key, "tasks") == 0)
		return read_count(item, INT32_MAX, &s->tasks, error);
	if (strcmp(key, "nodes") == 0)
		return read_count(item, INT32_MAX, &s->nodes, error);
	if (strcmp(key, "cpus") == 0)
		return read_count(item, INT32_MAX, &s->cpus, error);
	if (strcmp(key, "gpus") == 0)
		return read_count(item, INT32_MAX, &s->gpus, error);
	if (strcmp(key, "mem") == 0)
		return read_memory(item, 1, &s->mem, error);
	if (strcmp(key, "max_rss") == 0)
		return read_memory(item, 1024, &s->max_rss, error);
	if (strcmp(key, "state") == 0)
		return read_state(item, s, error);
	if (strcmp(key, "exit") == 0 || strcmp(key, "signal") == 0) {
		if (!read_count(item, *key == 'e' ? 255 : 64, &n, error))
			return false;
		*(*key == 'e' ? &s->exit_code : &s->signal) = (int)n;
		return true;
	}
	return fail(error, key,
	            "is not a key of a step: name, step, begin, run, end, tasks, nodes, cpus, gpus, mem, max_rss, exit, "
	            "signal, state");
}

static bool read_step(struct job_steps *steps, const cJSON *object, usec_t before, GError **error)
{
	if (!cJSON_IsObject(object))
		return fail(error, "steps", "must be a list of objects");
	struct making m = {.step = job_steps_add(steps)};
	const cJSON *item;
	cJSON_ArrayForEach(item, object)
	{
		if (!cJSON_IsNull(item) && !set_key(&m, item, error))
			return false;
	}
	bool sequel = m.step->kind == JOBSTEP_NUMBERED && !m.has_begin;
	if (sequel && before < 0)
		return fail(error, "begin", "is missing: the step before lasts as long as the job");
	if (sequel)
		m.step->begin = before;
	if (m.has_run && m.step->end >= 0)
		return fail(error, "run", "and \"end\" say the same: give one");
	if (m.has_run)
		m.step->end = m.step->begin + m.run;
	if (m.step->end >= 0 && m.step->end < m.step->begin)
		return fail(error, "end", "is before the step begins");
	return true;
}

static bool twice(const struct job_steps *steps)
{
	for (guint i = 1; i < steps->list->len; i++) {
		const struct job_step *a = &g_array_index(steps->list, struct job_step, i - 1), *b = a + 1;
		if (a->kind == b->kind && a->number == b->number && a->component == b->component)
			return true;
	}
	return false;
}

struct job_steps *job_steps_from_json(const cJSON *list, GError **error)
{
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > STEPS_MAX) {
		fail(error, "steps", "must be a list of at most 100000 objects");
		return NULL;
	}
	struct job_steps *steps = job_steps_new();
	const cJSON *object;
	usec_t before = 0;
	guint n = 0;
	bool ok = true;
	cJSON_ArrayForEach(object, list)
	{
		n++;
		ok = read_step(steps, object, before, error);
		if (!ok)
			break;
		const struct job_step *last = &g_array_index(steps->list, struct job_step, steps->list->len - 1);
		steps->next = last->kind == JOBSTEP_NUMBERED ? last->number + 1 : n == 1 ? 0 : steps->next - 1;
		if (last->kind == JOBSTEP_NUMBERED)
			before = last->end;
	}
	if (!ok)
		g_prefix_error(error, "\"steps\": step %u: ", n);
	job_steps_sort(steps);
	if (ok && twice(steps))
		ok = fail(error, "steps", "names a step twice");
	if (ok)
		return steps;
	job_steps_free(steps);
	return NULL;
}
