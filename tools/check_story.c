/* check_story.c - the story that explains a failure; see check_inside.h. */
#include "tools/check_inside.h"
#include "tools/explain.h"
#include <signal.h>

/*
 * The story of a job as "whypend explain" prints it, so with what each pass made of it: that takes the run up to its
 * start once more. Of a long run, and beyond the first few, the record's alone, without the passes.
 */
enum { AGAIN_MOST = 20 };
#define AGAIN_EVENTS_MOST 2000000

static bool story_by_run(const struct judge *j, const char *job, int run, struct explanation *e)
{
	struct tool_options options = *j->options;
	const struct explain_wish wish = {.job = job, .run = run};

	if (g_hash_table_size(j->told) >= AGAIN_MOST || sim_counts(j->sim).events > AGAIN_EVENTS_MOST)
		return false;
	options.quiet = true;
	bool told = explain_scenario(e, &options, &wish) == EXIT_GOOD;
	signal(SIGINT, SIG_DFL); /* which the session watched */
	signal(SIGTERM, SIG_DFL);
	return told;
}

static char *tell(const struct judge *j, const char *job, int run)
{
	struct explanation e = {.story = story_read(j->db, job, run, NULL)};
	char *buffer = NULL, *text;
	size_t size = 0;
	FILE *out;

	if (e.story && !e.story->intervals->len && e.story->run + 1 < e.story->runs && run < 0) { /* it waited later */
		run = (int)e.story->runs - 1;
		story_free(e.story);
		e.story = story_read(j->db, job, run, NULL);
	}
	if (!e.story)
		return NULL;
	if (e.story->intervals->len) {
		struct explanation better = {0};

		if (story_by_run(j, job, run, &better)) {
			explanation_clear(&e);
			e = better;
		}
	}
	out = open_memstream(&buffer, &size);
	explain_print(out, &e, 0);
	fclose(out);
	text = g_strdup(buffer);
	free(buffer);
	explanation_clear(&e);
	return text;
}

char *check_story(const struct judging *g)
{
	const char *job = g->concerned ? g->concerned : g->e->job;
	int run = g->concerned || !g->e->run ? -1 : (int)g->e->run;
	char *key;

	if (!job)
		return NULL;
	key = g_strdup_printf("%s\n%d", job, run);
	if (!g_hash_table_contains(g->j->told, key))
		g_hash_table_insert(g->j->told, g_strdup(key), tell(g->j, job, run));
	char *text = g_strdup(g_hash_table_lookup(g->j->told, key));
	g_free(key);
	return text;
}
