/* scontrol_answer.c - see scontrol_answer.h */
#include "tools/scontrol_answer.h"
#include "models/confwrite.h"
#include "sim/scontrol_rest.h"
#include <stdio.h>
#include <string.h>

bool scontrol_answer_needs_run(char **words)
{
	static const char *const VERBS[] = {"notify", "wait_job", "write", "schedloglevel"};

	for (size_t i = 0; i < G_N_ELEMENTS(VERBS); i++)
		if (g_ascii_strcasecmp(words[0], VERBS[i]) == 0)
			return true;
	return false;
}

static int write_config(const struct session *s, const char *file, GString *said)
{
	char *text = confwrite_slurm_conf(controller_cluster(sim_controller(s->sim))), *path;
	GError *error = NULL;
	int status = 0;

	path = g_strdup_printf("%s.%" G_GINT64_FORMAT, file ? file : "slurm.conf", (gint64)usec_to_sec(sim_now(s->sim)));
	if (g_file_set_contents(path, text, -1, &error)) {
		g_string_printf(said, "Slurm config saved to %s", path);
	} else {
		g_string_printf(said, "%s", error->message);
		g_error_free(error);
		status = 1;
	}
	g_free(path);
	g_free(text);
	return status;
}

bool scontrol_answer(const struct session *s, const char *user, char **words, int *status)
{
	GString *said = g_string_new(NULL);
	bool known = scontrol_rest(s ? s->sim : NULL, user, words, said, status);

	if (known && s && *status == 0 && g_ascii_strcasecmp(words[0], "write") == 0 && g_ascii_strcasecmp(words[1], "config") == 0)
		*status = write_config(s, words[2], said);
	if (known && said->len)
		fprintf(*status ? stderr : stdout, "%s\n", said->str);
	g_string_free(said, TRUE);
	return known;
}
