/* floor.c - see floor.h. */
#include "tests/conformance/floor.h"
#include "tests/conformance/scores.h"

struct pair {
	gint64 agree, scored;
};

static struct pair pair_of(const cJSON *item)
{
	const cJSON *a = cJSON_GetArrayItem(item, 0), *b = cJSON_GetArrayItem(item, 1);
	return (struct pair){a ? a->valueint : 0, b ? b->valueint : 0};
}

/* -1, 0, 1: X is worse, as good, better. Nothing scored is worse than anything scored. */
static int compare(struct pair x, struct pair y)
{
	if (x.scored == 0 || y.scored == 0)
		return (x.scored > 0) - (y.scored > 0);
	gint64 a = x.agree * y.scored, b = y.agree * x.scored;
	return (a > b) - (a < b);
}

static const cJSON *score_in(const cJSON *tree, const char *scenario, const char *mode, const char *measure)
{
	const cJSON *s = cJSON_GetObjectItemCaseSensitive(tree, scenario);
	return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(s, mode), measure);
}

guint floor_check(const cJSON *floor, const cJSON *now, FILE *out)
{
	const cJSON *scenario, *mode, *measure;
	guint fell = 0;
	cJSON_ArrayForEach(scenario, floor)
	{
		if (!cJSON_HasObjectItem(now, scenario->string))
			continue;
		cJSON_ArrayForEach(mode, scenario) cJSON_ArrayForEach(measure, mode)
		{
			struct pair best = pair_of(measure);
			struct pair got = pair_of(score_in(now, scenario->string, mode->string, measure->string));
			if (compare(got, best) >= 0 || (got.scored == 0 && best.agree == 0))
				continue; /* nothing that agreed is gone */
			fell++;
			fprintf(out,
			        "below the floor: %s %s %s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
			        ", was %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "\n",
			        scenario->string, mode->string, measure->string, got.agree, got.scored, best.agree,
			        best.scored);
		}
	}
	return fell;
}

static cJSON *object_in(cJSON *parent, const char *name)
{
	cJSON *o = cJSON_GetObjectItemCaseSensitive(parent, name);
	return o ? o : cJSON_AddObjectToObject(parent, name);
}

/* FLOOR's mode takes over what is better in NOW's. */
static guint raise_mode(cJSON *floor, const cJSON *now)
{
	const cJSON *measure;
	guint raised = 0;
	cJSON_ArrayForEach(measure, now)
	{
		struct pair got = pair_of(measure);
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(floor, measure->string);
		struct pair best = pair_of(item);
		int order = compare(got, best);
		if (item && (order < 0 || (order == 0 && got.scored <= best.scored)))
			continue;
		if (!item && got.scored == 0)
			continue;
		cJSON_DeleteItemFromObjectCaseSensitive(floor, measure->string);
		cJSON_AddItemToObject(floor, measure->string, cJSON_Duplicate(measure, true));
		raised++;
	}
	return raised;
}

guint floor_raise(cJSON *floor, const cJSON *now)
{
	const cJSON *scenario, *mode;
	guint raised = 0;
	cJSON_ArrayForEach(scenario, now) cJSON_ArrayForEach(mode, scenario) raised +=
	    raise_mode(object_in(object_in(floor, scenario->string), mode->string), mode);
	return raised;
}

cJSON *floor_read(const char *path, GError **error)
{
	char *text = NULL;
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return cJSON_CreateObject();
	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	cJSON *floor = cJSON_Parse(text);
	g_free(text);
	if (!floor)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: no JSON", path);
	return floor;
}

bool floor_write(const char *path, const cJSON *floor, GError **error)
{
	char *text = scores_text(floor);
	bool good = g_file_set_contents(path, text, -1, error);
	g_free(text);
	return good;
}
