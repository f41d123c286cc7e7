/* scores.c - see scores.h. */
#include "tests/conformance/scores.h"
#include <glib.h>

char *scores_text(const cJSON *tree)
{
	GString *text = g_string_new("{");
	const cJSON *scenario, *mode;
	cJSON_ArrayForEach(scenario, tree)
	{
		g_string_append_printf(text, "%s\n\"%s\": {", scenario != tree->child ? "," : "", scenario->string);
		cJSON_ArrayForEach(mode, scenario)
		{
			char *line = cJSON_PrintUnformatted(mode);
			g_string_append_printf(text, "%s\n  \"%s\": %s", mode != scenario->child ? "," : "",
			                       mode->string, line);
			cJSON_free(line);
		}
		g_string_append(text, "}");
	}
	g_string_append(text, "\n}\n");
	return g_string_free(text, FALSE);
}
