/* sbatch_words.c - see sbatch_words.h */
#include "traces/sbatch_words.h"
#include "sched/base/abbreviation.h"
#include <string.h>

/* SKIPPED means nothing to scheduling; OWN is known on a command line alone */
enum value { NONE, ONE, MAYBE }; /* MAYBE: only with "=" */

struct option {
	const char *name;
	char letter;
	enum value value;
	bool skipped; /* means nothing to scheduling */
};

static const struct option options[] = {
    {"account", 'A', ONE, false},
    {"acctg-freq", 0, ONE, true},
    {"array", 'a', ONE, false},
    {"batch", 0, ONE, true},
    {"bb", 0, ONE, true},
    {"bbf", 0, ONE, true},
    {"begin", 'b', ONE, false},
    {"chdir", 'D', ONE, false},
    {"cluster-constraint", 0, ONE, true},
    {"clusters", 'M', ONE, true},
    {"comment", 0, ONE, false},
    {"consolidate-segments", 0, NONE, false},
    {"constraint", 'C', ONE, false},
    {"container", 0, ONE, true},
    {"container-id", 0, ONE, true},
    {"contiguous", 0, NONE, false},
    {"core-spec", 'S', ONE, false},
    {"cores-per-socket", 0, ONE, false},
    {"cpu-bind", 0, ONE, true},
    {"cpu-freq", 0, ONE, true},
    {"cpus-per-gpu", 0, ONE, false},
    {"cpus-per-task", 'c', ONE, false},
    {"deadline", 0, ONE, false},
    {"delay-boot", 0, ONE, false},
    {"dependency", 'd', ONE, false},
    {"distribution", 'm', ONE, false},
    {"error", 'e', ONE, true},
    {"exclude", 'x', ONE, false},
    {"exclusive", 0, MAYBE, false},
    {"export", 0, ONE, true},
    {"export-file", 0, ONE, true},
    {"extra", 0, ONE, true},
    {"extra-node-info", 'B', ONE, false},
    {"get-user-env", 0, MAYBE, true},
    {"gid", 0, ONE, true},
    {"gpu-bind", 0, ONE, true},
    {"gpu-freq", 0, ONE, true},
    {"gpus", 'G', ONE, false},
    {"gpus-per-node", 0, ONE, false},
    {"gpus-per-socket", 0, ONE, false},
    {"gpus-per-task", 0, ONE, false},
    {"gres", 0, ONE, false},
    {"gres-flags", 0, ONE, false},
    {"help", 'h', NONE, true},
    {"hint", 0, ONE, false},
    {"hold", 'H', NONE, false},
    {"ignore-pbs", 0, NONE, true},
    {"input", 'i', ONE, true},
    {"job-name", 'J', ONE, false},
    {"kill-on-invalid-dep", 0, ONE, false},
    {"label", 'l', NONE, true},
    {"licenses", 'L', ONE, false},
    {"mail-type", 0, ONE, true},
    {"mail-user", 0, ONE, true},
    {"mcs-label", 0, ONE, true},
    {"mem", 0, ONE, false},
    {"mem-bind", 0, ONE, true},
    {"mem-per-cpu", 0, ONE, false},
    {"mem-per-gpu", 0, ONE, false},
    {"mincpus", 0, ONE, false},
    {"network", 0, ONE, true},
    {"nice", 0, MAYBE, false},
    {"no-kill", 'k', MAYBE, false},
    {"no-requeue", 0, NONE, false},
    {"nodefile", 'F', ONE, true},
    {"nodelist", 'w', ONE, false},
    {"nodes", 'N', ONE, false},
    {"ntasks", 'n', ONE, false},
    {"ntasks-per-core", 0, ONE, false},
    {"ntasks-per-gpu", 0, ONE, false},
    {"ntasks-per-node", 0, ONE, false},
    {"ntasks-per-socket", 0, ONE, false},
    {"oom-kill-step", 0, MAYBE, true},
    {"open-mode", 0, ONE, true},
    {"output", 'o', ONE, true},
    {"overcommit", 'O', NONE, false},
    {"oversubscribe", 's', NONE, false},
    {"parsable", 0, NONE, true},
    {"partition", 'p', ONE, false},
    {"prefer", 0, ONE, false},
    {"priority", 0, ONE, false},
    {"profile", 0, ONE, true},
    {"propagate", 0, MAYBE, true},
    {"qos", 'q', ONE, false},
    {"power", 0, ONE, true},
    {"quiet", 'Q', NONE, true},
    {"reboot", 0, NONE, false},
    {"requeue", 0, MAYBE, false},
    {"reservation", 0, ONE, false},
    {"segment", 0, ONE, false},
    {"share", 0, NONE, false},
    {"signal", 0, ONE, false},
    {"sockets-per-node", 0, ONE, false},
    {"spread-job", 0, NONE, false},
    {"spread-segments", 0, NONE, false},
    {"stepmgr", 0, NONE, true},
    {"switches", 0, ONE, false},
    {"test-only", 0, NONE, true},
    {"thread-spec", 0, ONE, false},
    {"threads-per-core", 0, ONE, false},
    {"time", 't', ONE, false},
    {"time-min", 0, ONE, false},
    {"tmp", 0, ONE, false},
    {"tres-per-task", 0, ONE, false},
    {"uid", 0, ONE, true},
    {"usage", 0, NONE, true},
    {"use-min-nodes", 0, NONE, false},
    {"verbose", 'v', NONE, true},
    {"wait", 'W', NONE, true},
    {"wait-all-nodes", 0, ONE, true},
    {"wckey", 0, ONE, false},
    {"wrap", 0, ONE, true},
    {"x11", 0, MAYBE, true},
};

struct applying {
	struct job_request *request;
	const char *const *next; /* the word after the one in hand */
	bool strict;
	guint ignored;
	const struct sbatch_client *client; /* NULL = nobody asks */
};

static char *next_word(const char **text)
{
	const char *p = *text;
	GString *word = g_string_new(NULL);
	char quote = 0;
	for (; *p && (quote || !g_ascii_isspace(*p)); p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else if (*p == '\\' && quote != '\'' && p[1])
			g_string_append_c(word, *++p);
		else
			g_string_append_c(word, *p);
	}
	*text = p;
	return g_string_free(word, FALSE);
}

char **sbatch_words_split(const char *text)
{
	GPtrArray *words = g_ptr_array_new();
	for (;;) {
		while (g_ascii_isspace(*text))
			text++;
		if (!*text)
			break;
		g_ptr_array_add(words, next_word(&text));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static const struct option *find_short(char letter)
{
	for (guint i = 0; letter && i < G_N_ELEMENTS(options); i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

static bool refuse(struct applying *a, GError **error, const char *text, const char *word)
{
	if (!a->strict)
		return true;
	g_set_error(error, SBATCH_WORDS_ERROR, 0, "%s \"%s\"; give options as sbatch has them", text, word);
	return false;
}

static bool set(struct applying *a, const struct option *option, const char *value, GError **error)
{
	if (a->client)
		a->client->seen(a->client->data, option->name, value);
	if (option->skipped)
		return !a->client || a->client->option(a->client->data, option->name, value, error);
	GError *problem = NULL;
	if (job_request_set(a->request, option->name, value, &problem))
		return true;
	if (a->strict) {
		g_propagate_error(error, problem);
		return false;
	}
	a->ignored++;
	g_clear_error(&problem);
	return true;
}

static bool apply_long(struct applying *a, const char *word, GError **error)
{
	const char *name = word + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option *option = abbreviation_find(options, G_N_ELEMENTS(options), sizeof *options, name, length);
	static const struct option run = {"run", 0, ONE, true}, user = {"user", 0, ONE, true};
	if (a->client && !option && length == 3 && strncmp(name, "run", 3) == 0)
		option = &run;
	if (a->client && !option && length == 4 && strncmp(name, "user", 4) == 0)
		option = &user;
	if (!option || (equals && option->value == NONE))
		return refuse(a, error, option ? "option takes no value:" : "unknown option", word);
	const char *value = equals ? equals + 1 : NULL;
	if (!equals && option->value == ONE) {
		value = *a->next;
		if (!value)
			return refuse(a, error, "option wants a value:", word);
		a->next++;
	}
	return set(a, option, value, error);
}

/* "-N4", "-N 4", "-HO" */
static bool apply_short(struct applying *a, const char *word, GError **error)
{
	for (const char *p = word + 1; *p; p++) {
		const struct option *option = find_short(*p);
		if (!option)
			return refuse(a, error, "unknown option", word);
		if (option->value != ONE) {
			if (!set(a, option, NULL, error))
				return false;
			continue;
		}
		const char *value = p[1] ? p + 1 : *a->next;
		if (!value)
			return refuse(a, error, "option wants a value:", word);
		a->next += p[1] ? 0 : 1;
		return set(a, option, value, error);
	}
	return true;
}

bool sbatch_words_client(struct job_request *r, const char *const *words, const struct sbatch_client *client,
                         const char *const **rest, GError **error)
{
	struct applying a = {.request = r, .next = words, .strict = true, .client = client};
	bool ok = true;
	while (ok && *a.next) {
		const char *word = *a.next;
		if (word[0] != '-' || word[1] == '\0')
			break;
		a.next++;
		if (strcmp(word, "--") == 0)
			break;
		ok = word[1] == '-' ? apply_long(&a, word, error) : apply_short(&a, word, error);
	}
	*rest = a.next;
	return ok;
}

bool sbatch_words_apply(struct job_request *r, const char *const *words, bool strict, guint *n_ignored, GError **error)
{
	struct applying a = {.request = r, .next = words, .strict = strict};
	bool ok = true;
	while (ok && *a.next) {
		const char *word = *a.next++;
		if (word[0] != '-' || word[1] == '\0') {
			ok = refuse(&a, error, "not an option:", word);
			break;
		}
		if (strcmp(word, "--") == 0)
			break;
		ok = word[1] == '-' ? apply_long(&a, word, error) : apply_short(&a, word, error);
	}
	if (n_ignored)
		*n_ignored = a.ignored;
	return ok;
}
