/* whatif_change.c - reading a change and applying it to a request; see whatif.h */
#include "tools/whatif.h"
#include <string.h>

static bool is_key(const char *token)
{
	size_t n = strspn(token, "abcdefghijklmnopqrstuvwxyz-_");

	return n > 0 && (token[n] == '=' || token[n] == '\0');
}

/* Commas also stand inside values: what does not look like the next option belongs to the one before. */
static GPtrArray *split(const char *text)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	char **tokens = g_strsplit(text, ",", -1);

	for (char **t = tokens; *t; t++) {
		char *trimmed = g_strstrip(*t), *last = parts->len ? parts->pdata[parts->len - 1] : NULL;
		bool option = is_key(trimmed) && (strchr(trimmed, '=') || strcmp(trimmed, "twice") == 0 ||
		                                  strcmp(trimmed, "exclusive") == 0 || !last);

		if (option || !last)
			g_ptr_array_add(parts, g_strdup(trimmed));
		else {
			parts->pdata[parts->len - 1] = g_strconcat(last, ",", trimmed, NULL);
			g_free(last);
		}
	}
	g_strfreev(tokens);
	return parts;
}

static void add_part(struct change *c, const char *part)
{
	const char *eq = strchr(part, '=');

	if (strcmp(part, "twice") == 0) {
		c->twice = true;
	} else if (g_str_has_prefix(part, "submit=")) {
		g_free(c->submit);
		c->submit = g_strdup(eq + 1);
	} else {
		g_ptr_array_add(c->keys, eq ? g_strndup(part, (gsize)(eq - part)) : g_strdup(part));
		g_ptr_array_add(c->values, eq ? g_strdup(eq + 1) : NULL);
	}
}

struct change *change_parse(const char *text, GError **error)
{
	struct change *c = g_new0(struct change, 1);
	GPtrArray *parts = split(text);
	struct job_request *trial = job_request_new();
	usec_t ignored;
	bool ok = true;

	c->text = g_strdup(text);
	c->keys = g_ptr_array_new_with_free_func(g_free);
	c->values = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < parts->len; i++)
		add_part(c, parts->pdata[i]);
	if (!*text) {
		g_set_error(error, WHATIF_ERROR, 0, "nothing to change; write for example time=4:00:00,gpus=8");
		ok = false;
	}
	ok = ok && change_apply(c, trial, error) && change_time(c, 0, &ignored, error);
	g_ptr_array_unref(parts);
	job_request_free(trial);
	if (ok)
		return c;
	change_free(c);
	return NULL;
}

void change_free(struct change *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->keys);
	g_ptr_array_unref(c->values);
	g_free(c->text);
	g_free(c->submit);
	g_free(c);
}

/* ---- applying ---- */

/* Take "gpu..." off a GRES list. */
static void drop_gpus(char **list)
{
	char **items = *list ? g_strsplit(*list, ",", -1) : NULL;
	GString *rest = g_string_new(NULL);

	for (char **p = items; p && *p; p++)
		if (strcmp(*p, "gpu") != 0 && !g_str_has_prefix(*p, "gpu:") && !g_str_has_prefix(*p, "gres/gpu"))
			g_string_append_printf(rest, "%s%s", rest->len ? "," : "", *p);
	g_strfreev(items);
	g_free(*list);
	*list = g_string_free(rest, rest->len == 0);
}

static void forget_gpus(struct job_request *r)
{
	drop_gpus(&r->gres);
	drop_gpus(&r->gres_given);
	g_clear_pointer(&r->gpus_per_node, g_free);
	g_clear_pointer(&r->gpus_per_task, g_free);
	g_clear_pointer(&r->gpus_per_socket, g_free);
	g_clear_pointer(&r->gpus, g_free);
	r->ntasks_per_gpu = NO_VAL;
}

/* "option=": as if it had not been given. False when this means nothing for the option. */
static bool clear_option(struct job_request *r, const char *key)
{
	struct {
		const char *name;
		char **field;
	} texts[] = {{"dependency", &r->dependency},
	             {"constraint", &r->constraint},
	             {"prefer", &r->prefer},
	             {"nodelist", &r->nodelist},
	             {"exclude", &r->exclude},
	             {"licenses", &r->licenses},
	             {"qos", &r->qos},
	             {"partition", &r->partition},
	             {"reservation", &r->reservation},
	             {"account", &r->account},
	             {"gres-flags", &r->gres_flags}};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (strcmp(texts[i].name, key) == 0) {
			g_clear_pointer(texts[i].field, g_free);
			return true;
		}
	if (strcmp(key, "begin") == 0) {
		g_clear_pointer(&r->begin_text, g_free);
		r->begin = 0;
	} else if (strcmp(key, "deadline") == 0) {
		g_clear_pointer(&r->deadline_text, g_free);
		r->deadline = 0;
	} else if (strcmp(key, "hold") == 0) {
		r->hold = false;
	} else if (strcmp(key, "exclusive") == 0) {
		r->share = SHARE_UNSET;
	} else if (strcmp(key, "gpus") == 0 || strcmp(key, "gres") == 0) {
		forget_gpus(r);
	} else if (strcmp(key, "switches") == 0) {
		r->switches = NO_VAL;
	} else {
		return false;
	}
	return true;
}

static bool apply_one(struct job_request *r, const char *key, const char *value, GError **error)
{
	char *name = g_strdelimit(g_strdup(key), "_", '-');
	bool ok;

	if (value && !*value && clear_option(r, name)) {
		g_free(name);
		return true;
	}
	if (strcmp(name, "gpus") == 0)
		forget_gpus(r);
	if (strcmp(name, "time") == 0)
		r->time_exact = 0;
	ok = job_request_set(r, name, value, error);
	g_free(name);
	return ok;
}

bool change_apply(const struct change *c, struct job_request *r, GError **error)
{
	for (guint i = 0; i < c->keys->len; i++)
		if (!apply_one(r, c->keys->pdata[i], c->values->pdata[i], error))
			return false;
	return true;
}

bool change_time(const struct change *c, usec_t at, usec_t *out, GError **error)
{
	const char *text = c->submit;
	int64_t seconds;

	*out = at;
	if (!text)
		return true;
	if (*text == '+' || *text == '-') {
		if (!duration_parse_elapsed(text + 1, &seconds)) {
			g_set_error(error, WHATIF_ERROR, 0,
			            "bad time \"submit=%s\"; write +H:MM:SS, -H:MM:SS or a date", text);
			return false;
		}
		*out = *text == '+' ? at + seconds : at - seconds;
		return true;
	}
	if (!date_parse(text, NULL, &seconds)) {
		g_set_error(error, WHATIF_ERROR, 0, "bad time \"submit=%s\"; write +H:MM:SS, -H:MM:SS or a date", text);
		return false;
	}
	*out = seconds * USEC;
	return true;
}
