/* story_json.c - an explanation as JSON: times in microseconds since the epoch (*_us) and as dates. */
#include "tools/explain.h"
#include <cjson/cJSON.h>
#include <string.h>

static void add_text(cJSON *o, const char *key, const char *text)
{
	if (text && *text)
		cJSON_AddStringToObject(o, key, text);
	else
		cJSON_AddNullToObject(o, key);
}

/* All digits: cJSON would write an exponent. */
static void add_usec(cJSON *o, const char *key, usec_t t)
{
	char digits[24];

	g_snprintf(digits, sizeof digits, "%" G_GINT64_FORMAT, t);
	cJSON_AddRawToObject(o, key, digits);
}

static void add_time(cJSON *o, const char *key, usec_t t)
{
	char *date = t ? date_format(usec_to_sec(t), NULL) : NULL, *name = g_strconcat(key, "_us", NULL);

	add_text(o, key, date);
	add_usec(o, name, t);
	g_free(date);
	g_free(name);
}

static void add_limit(cJSON *o, uint32_t minutes)
{
	if (minutes < NO_VAL)
		cJSON_AddNumberToObject(o, "time_limit_minutes", minutes);
	else
		cJSON_AddNullToObject(o, "time_limit_minutes");
}

static cJSON *job_json(const struct story_job *j)
{
	cJSON *o = cJSON_CreateObject();

	add_text(o, "job", j->id);
	add_text(o, "user", j->user);
	add_text(o, "account", j->account);
	add_text(o, "qos", j->qos);
	add_text(o, "partition", j->partition);
	cJSON_AddNumberToObject(o, "nodes", j->nodes);
	cJSON_AddNumberToObject(o, "cpus", j->cpus);
	cJSON_AddNumberToObject(o, "gpus", j->gpus);
	add_limit(o, j->time_limit);
	add_time(o, "start", j->start);
	add_time(o, "until", j->until);
	cJSON_AddBoolToObject(o, "ended", j->ended);
	return o;
}

static cJSON *interval_json(const struct story_interval *i, uint32_t share)
{
	cJSON *o = cJSON_CreateObject(), *held = cJSON_CreateObject(), *jobs = cJSON_CreateArray();
	cJSON *passes = cJSON_CreateObject();

	add_time(o, "from", i->from);
	add_time(o, "to", i->to);
	add_usec(o, "length_us", i->to - i->from);
	cJSON_AddNumberToObject(o, "share_permille", share);
	add_text(o, "reason", i->name);
	add_text(o, "detail", i->detail);
	add_text(o, "rule", i->rule);
	add_text(o, "obstacle", i->blocker);
	cJSON_AddNumberToObject(held, "jobs", i->n_jobs);
	cJSON_AddNumberToObject(held, "nodes", i->nodes);
	cJSON_AddNumberToObject(held, "cpus", i->cpus);
	cJSON_AddNumberToObject(held, "gpus", i->gpus);
	cJSON_AddItemToObject(o, "held", held);
	for (guint k = 0; k < i->jobs->len; k++)
		cJSON_AddItemToArray(jobs, job_json(i->jobs->pdata[k]));
	cJSON_AddItemToObject(o, "jobs", jobs);
	cJSON_AddNumberToObject(passes, "main", i->main_passes);
	cJSON_AddNumberToObject(passes, "main_looked", i->main_tested);
	cJSON_AddNumberToObject(passes, "backfill", i->backfill_cycles);
	cJSON_AddNumberToObject(passes, "backfill_looked", i->backfill_tested);
	cJSON_AddNumberToObject(passes, "backfill_planned", i->backfill_planned);
	cJSON_AddNumberToObject(passes, "not_reached", i->cut);
	add_text(passes, "not_reached_by", i->cut_by);
	cJSON_AddItemToObject(o, "passes", passes);
	add_text(o, "clears", clears_name(i->clears));
	add_text(o, "cleared_by", i->cleared_by);
	add_text(o, "ended_by", i->ended_by);
	return o;
}

static cJSON *idea_json(const struct idea *i)
{
	static const char *const kinds[] = {"started", "waits", "refused", "ended", "failed"};
	cJSON *o = cJSON_CreateObject();
	bool started = i->answer.kind == ANSWER_STARTED;

	add_text(o, "change", i->change->text);
	add_text(o, "what", i->what);
	add_text(o, "result", kinds[i->answer.kind]);
	add_time(o, "start", started ? i->answer.start : 0);
	if (started)
		add_usec(o, "wait_us", i->answer.start - i->answer.submit);
	else
		cJSON_AddNullToObject(o, "wait_us");
	cJSON_AddBoolToObject(o, "at_once", answer_at_once(&i->answer));
	cJSON_AddBoolToObject(o, "preemptible", i->preemptible);
	add_text(o, "message", i->answer.message);
	return o;
}

static void add_ideas(cJSON *o, const char *key, const GPtrArray *ideas)
{
	cJSON *list = cJSON_AddArrayToObject(o, key);

	for (guint k = 0; k < ideas->len; k++)
		cJSON_AddItemToArray(list, idea_json(ideas->pdata[k]));
}

static void add_head(cJSON *o, const struct story *s)
{
	add_text(o, "job", s->job.id);
	add_text(o, "name", s->name);
	add_text(o, "label", s->label);
	cJSON_AddNumberToObject(o, "run", s->run);
	add_text(o, "user", s->job.user);
	add_text(o, "account", s->job.account);
	add_text(o, "partition", s->job.partition);
	add_text(o, "qos", s->job.qos);
	add_text(o, "asked", s->asked);
	add_limit(o, s->job.time_limit);
	add_time(o, "submit", s->job.submit);
	add_time(o, "eligible", s->eligible * USEC);
	add_time(o, "start", s->job.start);
	add_text(o, "outcome", s->outcome);
	add_time(o, "waited_from", s->from);
	add_time(o, "waited_to", s->to);
	add_usec(o, "wait_us", s->to - s->from);
}

void explain_json(FILE *out, const struct explanation *e)
{
	cJSON *o = cJSON_CreateObject(), *list;
	uint32_t *shares = story_shares(e->story);
	GArray *sums = story_sums(e->story);
	const struct idea *best =
	    e->ideas ? ideas_smallest(e->ideas, e->story->started ? e->story->job.start : INT64_MAX) : NULL;
	char *text;

	add_head(o, e->story);
	list = cJSON_AddArrayToObject(o, "intervals");
	for (guint k = 0; k < e->story->intervals->len; k++)
		cJSON_AddItemToArray(list, interval_json(e->story->intervals->pdata[k], shares[k]));
	list = cJSON_AddArrayToObject(o, "reasons");
	for (guint k = 0; k < sums->len; k++) {
		cJSON *sum = cJSON_CreateObject();
		add_text(sum, "reason", g_array_index(sums, struct story_sum, k).name);
		add_usec(sum, "length_us", g_array_index(sums, struct story_sum, k).length);
		cJSON_AddItemToArray(list, sum);
	}
	if (e->own)
		add_ideas(o, "what_if", e->own);
	if (e->ideas) {
		add_ideas(o, "would_have_helped", e->ideas);
		add_text(o, "smallest", best ? best->change->text : NULL);
	}
	text = cJSON_Print(o);
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(o);
	g_free(shares);
	g_array_unref(sums);
}
