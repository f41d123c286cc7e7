/* expect_value.c - see expect_value.h. */
#include "scenarios/expect_value.h"
#include "models/conflex.h"
#include "models/suggest.h"
#include "scenarios/scenario_parts.h"
#include "sim/commands.h"
#include <math.h>
#include <string.h>

#define SPAN_HINT "write seconds (600), or a duration with ':' or '-' in quotes (\"0:10:00\", \"1-00:00:00\")"

bool expect_bad(const struct reader *r, const cJSON *item, const char *hint)
{
	char *printed = cJSON_PrintUnformatted(item), *shown = conflex_show(printed ? printed : "");

	if (item->string)
		json_text_error(r->t, item, r->diag, hint, "bad value of \"%s\": %s", item->string, shown);
	else
		json_text_error(r->t, item, r->diag, hint, "bad value in a list: %s", shown);
	g_free(shown);
	cJSON_free(printed);
	return false;
}

bool expect_is_text(const cJSON *item)
{
	return cJSON_IsString(item) && *item->valuestring;
}

/* ---- values ---- */

bool expect_time(const struct reader *r, const cJSON *item, double *out)
{
	usec_t start = r->s->sim.start, t = 0;
	bool ok;

	if (cJSON_IsNumber(item)) {
		ok = isfinite(item->valuedouble) && item->valuedouble >= 0 && item->valuedouble < 1e11;
		t = ok ? start + llround(item->valuedouble * 1e6) : 0;
	} else {
		ok = expect_is_text(item) && scenario_parse_time(item->valuestring, start, &t) && t >= start;
	}
	if (!ok)
		return expect_bad(r, item, SCENARIO_TIME_HINT);
	if (t > r->s->sim.until)
		return expect_bad(r, item, "this is behind the end of the run (\"until\", --until)");
	*out = (double)(t - start) / 1e6;
	return true;
}

bool expect_span(const struct reader *r, const cJSON *item, double *out)
{
	int64_t seconds;

	if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= 0 && item->valuedouble < 1e11) {
		*out = item->valuedouble;
		return true;
	}
	if (!expect_is_text(item) || !strpbrk(item->valuestring, ":-") ||
	    !duration_parse_seconds(item->valuestring, &seconds) || seconds < 0)
		return expect_bad(r, item, SPAN_HINT);
	*out = (double)seconds;
	return true;
}

bool expect_count(const struct reader *r, const cJSON *item, double *out)
{
	if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 9007199254740992.0 ||
	    floor(item->valuedouble) < item->valuedouble)
		return expect_bad(r, item, "write a whole number, 0 or more");
	*out = item->valuedouble;
	return true;
}

bool expect_bound(const struct reader *r, const cJSON *item, double *out)
{
	if (cJSON_IsNull(item))
		return true;
	if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
		return expect_bad(r, item, "write a number, or null for no bound");
	*out = item->valuedouble;
	return true;
}

/* ---- names ---- */

/* "name_3" and "name+1" stand for parts of "name". */
static bool is_part_of_label(const struct reader *r, const char *name)
{
	const char *bar = strrchr(name, '_'), *plus = strrchr(name, '+'), *cut = bar > plus ? bar : plus;
	char *whole;
	bool known;

	if (!cut || !cut[1] || cut[1 + strspn(cut + 1, "0123456789")])
		return false;
	whole = g_strndup(name, (gsize)(cut - name));
	known = g_hash_table_contains(r->labels, whole);
	g_free(whole);
	return known;
}

static bool job_known(const struct reader *r, const char *text)
{
	const char *name = text + (text[0] == '@');
	uint32_t id, task;

	if (!r->labels || (text[0] != '@' && command_job_id(text, &id, &task)))
		return true;
	return g_hash_table_contains(r->labels, name) || is_part_of_label(r, name);
}

static char *job_hint(const struct reader *r, const char *text)
{
	struct suggestion s;

	suggest_begin(&s, text + (text[0] == '@'));
	for (guint i = 0; i < r->s->submissions->len && r->diag->n_errors < DIAG_SHOWN; i++) {
		const struct submission *sub = r->s->submissions->pdata[i];

		if (sub->label)
			suggest_offer(&s, sub->label);
	}
	return suggest_hint(&s,
	                    "jobs are called by their \"name\", by an id (12), or as an array's task (name_3, 12_3)");
}

bool expect_job_name(const struct reader *r, const cJSON *item, char **out)
{
	char *number, *hint;

	if (cJSON_IsNumber(item) && item->valuedouble >= 1 && item->valuedouble < 4e9 &&
	    floor(item->valuedouble) == item->valuedouble) {
		number = g_strdup_printf("%.0f", item->valuedouble);
		*out = number;
		return true;
	}
	if (!expect_is_text(item))
		return expect_bad(r, item, "write the name of a job, or an id");
	if (!job_known(r, item->valuestring)) {
		char *shown = conflex_show(item->valuestring);

		hint = job_hint(r, item->valuestring);
		json_text_error(r->t, item, r->diag, hint, "no job of this scenario is called \"%s\"", shown);
		g_free(hint);
		g_free(shown);
		return false;
	}
	*out = g_strdup(item->valuestring + (item->valuestring[0] == '@'));
	return true;
}

bool expect_state(const struct reader *r, const cJSON *item, char **out)
{
	struct suggestion s;
	char *hint;

	if (!expect_is_text(item))
		return expect_bad(r, item, "write a state as sacct calls it: \"COMPLETED\"");
	suggest_begin(&s, item->valuestring);
	for (int i = JOB_PENDING; i <= JOB_OOM + 1; i++) {
		const char *name = i > JOB_OOM ? "COMPLETING" : job_state_name((enum job_state)i);

		if (g_ascii_strcasecmp(name, item->valuestring) == 0) {
			*out = g_strdup(name);
			return true;
		}
		suggest_offer(&s, name);
	}
	hint = suggest_hint(
	    &s, "states are PENDING, RUNNING, SUSPENDED, COMPLETING, COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, "
	        "PREEMPTED, DEADLINE, OUT_OF_MEMORY");
	expect_bad(r, item, hint);
	g_free(hint);
	return false;
}

/* A reason's name; or, as it may replace the name, a text with blanks. */
bool expect_reason(const struct reader *r, const cJSON *item, bool or_text, char **out)
{
	struct suggestion s;
	enum reason reason;
	char *hint;

	if (!expect_is_text(item))
		return expect_bad(r, item, "write a reason as squeue calls it: \"Priority\"");
	reason = reason_find(item->valuestring);
	if (reason != REASON_COUNT || (or_text && strchr(item->valuestring, ' '))) {
		*out = g_strdup(reason != REASON_COUNT ? reason_name(reason) : item->valuestring);
		return true;
	}
	suggest_begin(&s, item->valuestring);
	for (int i = 0; i < REASON_COUNT; i++)
		suggest_offer(&s, reason_name((enum reason)i));
	hint = suggest_hint(&s, "\"whypend reasons\" lists them");
	expect_bad(r, item, hint);
	g_free(hint);
	return false;
}

bool expect_nodes(const struct reader *r, const cJSON *item, char **out)
{
	GError *problem = NULL;
	struct bitset *nodes =
	    expect_is_text(item) ? cluster_parse_nodes(r->s->cluster, item->valuestring, &problem) : NULL;

	if (!expect_is_text(item))
		return expect_bad(r, item, "write nodes: \"n[1-2]\"");
	if (!nodes) {
		expect_bad(r, item, problem->message);
		g_error_free(problem);
		return false;
	}
	*out = cluster_format_nodes(r->s->cluster, nodes);
	bitset_free(nodes);
	return true;
}

/* {"n1": "0-3"} */
bool expect_idx(const struct reader *r, const cJSON *item, char ***out)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	bool ok = cJSON_IsObject(item) && item->child;
	const cJSON *one;

	if (!ok)
		expect_bad(r, item, "write node and GPUs: {\"n1\": \"0-3\"}");
	cJSON_ArrayForEach(one, item)
	{
		if (!one->string)
			break;
		struct bitset *set = bitset_new(64);

		if (!cluster_find_node(r->s->cluster, one->string))
			ok = expect_bad(r, one, "there is no such node");
		else if (!expect_is_text(one) || !bitset_from_ranges(set, one->valuestring) || bitset_empty(set))
			ok = expect_bad(r, one, "write numbers of GPUs: \"0-3\", \"0,2\"");
		g_ptr_array_add(list, g_strdup(one->string));
		g_ptr_array_add(list, bitset_to_ranges(set));
		bitset_free(set);
	}
	g_ptr_array_add(list, NULL);
	char **strv = (char **)g_ptr_array_free(list, FALSE);
	if (ok)
		*out = strv;
	else
		g_strfreev(strv);
	return ok;
}
