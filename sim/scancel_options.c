/* scancel_options.c - reading scancel's options; see scancel.h */
#include "sim/scancel.h"
#include "sched/base/abbreviation.h"
#include "sched/base/hostlist.h"
#include "sched/reason.h"
#include "sim/commands.h"
#include <string.h>

enum kind { ACCOUNT, NAME, PARTITION, QOS, RESERVATION, USER, WCKEY, NODES, STATE, SIGNAL, BATCH, FULL, INTERACTIVE, ME, OTHER };

static const struct option {
	const char *name;
	char letter;
	bool value;
	enum kind kind;
} options[] = {
    {"account", 'A', true, ACCOUNT},
    {"batch", 'b', false, BATCH},
    {"clusters", 'M', true, OTHER},
    {"cron", 0, false, OTHER},
    {"ctld", 'c', false, OTHER},
    {"full", 'f', false, FULL},
    {"hurry", 'H', false, OTHER},
    {"interactive", 'i', false, INTERACTIVE},
    {"jobname", 0, true, NAME},
    {"me", 0, false, ME},
    {"name", 'n', true, NAME},
    {"nodelist", 'w', true, NODES},
    {"partition", 'p', true, PARTITION},
    {"qos", 'q', true, QOS},
    {"quiet", 'Q', false, OTHER},
    {"reservation", 'R', true, RESERVATION},
    {"sibling", 0, true, OTHER},
    {"signal", 's', true, SIGNAL},
    {"state", 't', true, STATE},
    {"user", 'u', true, USER},
    {"verbose", 'v', false, OTHER},
    {"wckey", 0, true, WCKEY},
};

void scancel_free(struct scancel *o)
{
	if (!o)
		return;
	char *texts[] = {o->account, o->name, o->partition, o->qos, o->reservation, o->user, o->wckey};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	if (o->nodes)
		g_ptr_array_unref(o->nodes);
	g_free(o);
}

static bool refuse(GError **error, const char *format, const char *text)
{
	char *message = g_strdup_printf(format, text);
	g_set_error_literal(error, COMMAND_ERROR, 0, message);
	g_free(message);
	return false;
}

static bool read_states(struct scancel *o, const char *text, GError **error)
{
	static const struct {
		const char *name, *compact;
		enum job_state state;
	} known[] = {{"PENDING", "PD", JOB_PENDING}, {"RUNNING", "R", JOB_RUNNING}, {"SUSPENDED", "S", JOB_SUSPENDED}};
	char **words = g_strsplit(text, ",", -1);
	bool ok = *words != NULL;
	for (char **w = words; ok && *w; w++) {
		unsigned bit = 0;
		for (guint i = 0; i < G_N_ELEMENTS(known); i++)
			if (g_ascii_strcasecmp(*w, known[i].name) == 0 || g_ascii_strcasecmp(*w, known[i].compact) == 0)
				bit = 1U << known[i].state;
		o->states |= bit;
		ok = bit != 0;
	}
	g_strfreev(words);
	return ok || refuse(error, "Invalid job state specified: %s; Valid job states are PENDING, RUNNING, and SUSPENDED", text);
}

static bool read_signal(struct scancel *o, const char *text, GError **error)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {{"HUP", 1},   {"INT", 2},   {"QUIT", 3},  {"ABRT", 6},  {"KILL", 9},  {"USR1", 10}, {"SEGV", 11}, {"USR2", 12},
	             {"PIPE", 13}, {"ALRM", 14}, {"TERM", 15}, {"CHLD", 17}, {"CONT", 18}, {"STOP", 19}, {"TSTP", 20}, {"TTIN", 21},
	             {"TTOU", 22}, {"URG", 23},  {"XCPU", 24}, {"WINCH", 28}};
	guint64 n;
	if (g_ascii_string_to_unsigned(text, 10, 0, 64, &n, NULL)) {
		o->signal = (int)n;
		return true;
	}
	const char *name = g_ascii_strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;
	for (guint i = 0; i < G_N_ELEMENTS(known); i++)
		if (g_ascii_strcasecmp(name, known[i].name) == 0) {
			o->signal = known[i].number;
			return true;
		}
	return refuse(error, "Unknown job signal: %s", text);
}

static bool set(struct scancel *o, enum kind kind, const char *value, GError **error)
{
	char **texts[] = {[ACCOUNT] = &o->account, [NAME] = &o->name, [PARTITION] = &o->partition, [QOS] = &o->qos,
	                  [RESERVATION] = &o->reservation, [USER] = &o->user, [WCKEY] = &o->wckey};
	switch (kind) {
	case STATE:
		return read_states(o, value, error);
	case SIGNAL:
		return read_signal(o, value, error);
	case NODES:
		if (o->nodes)
			g_ptr_array_unref(o->nodes);
		o->nodes = hostlist_expand(value, error);
		return o->nodes != NULL;
	case BATCH:
		return o->batch = true;
	case FULL:
		return o->full = true;
	case INTERACTIVE:
		return o->interactive = true;
	case ME:
		return o->me = true;
	case OTHER:
		return true;
	default:
		g_free(*texts[kind]);
		*texts[kind] = g_strdup(value);
		return *value || refuse(error, "%s", "an option has an empty value");
	}
}

/* One word of options; *NEXT is moved on behind its value. */
static bool read_word(struct scancel *o, const char *word, char ***next, bool *plain, GError **error)
{
	bool is_long = word[1] == '-';
	const char *eq = is_long ? strchr(word, '=') : NULL;
	for (const char *p = word + 1; *p; p++) {
		const struct option *found = NULL;
		if (is_long)
			found = abbreviation_find(options, G_N_ELEMENTS(options), sizeof *options, word + 2, eq ? (size_t)(eq - word - 2) : strlen(word + 2));
		for (guint i = 0; !is_long && i < G_N_ELEMENTS(options); i++)
			if (options[i].letter == *p)
				found = &options[i];
		if (!found || (eq && !found->value))
			return refuse(error, is_long ? "unrecognized option '%s'; see scancel(1)" : "invalid option -- '%s'; see scancel(1)", word + !is_long);
		const char *value = eq ? eq + 1 : !is_long && p[1] ? p + 1 : found->value ? **next : NULL;
		if (found->value && !value)
			return refuse(error, "option '%s' requires an argument", word);
		if (found->value && value == **next)
			(*next)++;
		*plain &= found->kind == OTHER;
		if (!set(o, found->kind, value, error))
			return false;
		if (is_long || found->value)
			break;
	}
	return true;
}

struct scancel *scancel_options(char **words, bool *plain, GError **error)
{
	struct scancel *o = g_new0(struct scancel, 1);
	GPtrArray *taken = g_ptr_array_new_with_free_func(g_free);
	char **keep = words, **next = words;
	bool ok = true;
	o->signal = -1;
	*plain = true;
	while (ok && *next) {
		char *word = *next++;
		if (word[0] != '-' || !word[1]) {
			*keep++ = word;
			continue;
		}
		char **before = next;
		ok = read_word(o, word, &next, plain, error);
		g_ptr_array_add(taken, word);
		for (; before < next; before++)
			g_ptr_array_add(taken, *before);
	}
	while (*next) /* not looked at */
		*keep++ = *next++;
	*keep = NULL;
	g_ptr_array_unref(taken);
	if (ok)
		return o;
	scancel_free(o);
	return NULL;
}
