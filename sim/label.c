/* label.c - labels of submissions, and texts of a request that only the moment of submission can turn into numbers */
#include "sim/run.h"
#include <string.h>

bool sim_resolve_label(const struct sim *s, const char *text, uint32_t *id, uint32_t *task)
{
	*task = NO_VAL;
	*id = GPOINTER_TO_UINT(g_hash_table_lookup(s->labels, text));
	if (*id)
		return true;
	/* a label may hold "_" itself, so only the last one can begin a task */
	const char *bar = strrchr(text, '_');
	uint32_t none;
	if (!bar || !command_job_id(bar + 1, task, &none))
		return false;
	char *label = g_strndup(text, (gsize)(bar - text));
	*id = GPOINTER_TO_UINT(g_hash_table_lookup(s->labels, label));
	g_free(label);
	return *id != 0;
}

char *sim_resolve_dependency(const struct sim *s, const char *text, GError **error)
{
	GString *out = g_string_new(NULL);
	for (const char *p = text; *p;) {
		gsize plain = strcspn(p, "@");
		g_string_append_len(out, p, (gssize)plain);
		p += plain;
		if (!*p)
			break;
		gsize len = strcspn(++p, ":,?+");
		bool all = len > 2 && memcmp(p + len - 2, "_*", 2) == 0;
		char *name = g_strndup(p, all ? len - 2 : len);
		uint32_t id, task;
		bool known = sim_resolve_label(s, name, &id, &task);
		if (known && all)
			g_string_append_printf(out, "%u_*", id);
		else if (known && task != NO_VAL)
			g_string_append_printf(out, "%u_%u", id, task);
		else if (known)
			g_string_append_printf(out, "%u", id);
		else
			g_set_error(error, SUBMIT_ERROR, 0, "Job dependency problem: no job @%s was submitted before",
			            name);
		g_free(name);
		if (!known) {
			g_string_free(out, TRUE);
			return NULL;
		}
		p += len;
	}
	return g_string_free(out, FALSE);
}

/* "T0+25 %H:%M:%S" of the recorded scenarios: an instant counted from the start of the run, written as a user would.
 * NULL when TEXT is not of this form. */
static char *from_start(const struct sim *s, const char *text)
{
	if (!g_str_has_prefix(text, "T0") || (text[2] != '+' && text[2] != '-'))
		return NULL;
	char *end;
	int64_t offset = g_ascii_strtoll(text + 2, &end, 10);
	if (end == text + 2 || *end != ' ' || offset < -INT64_C(10000000000) || offset > INT64_C(10000000000))
		return NULL;
	GDateTime *at = g_date_time_new_from_unix_utc(usec_to_sec(s->o.start) + offset);
	char *out = at ? g_date_time_format(at, end + 1) : NULL;
	if (at)
		g_date_time_unref(at);
	return out;
}

static bool resolve_time(const struct sim *s, const char *what, char **text, int64_t *out, GError **error)
{
	if (!*text)
		return true;
	char *written = from_start(s, *text);
	bool ok = date_parse_begin(written ? written : *text, usec_to_sec(s->now), NULL, out);
	if (!ok)
		g_set_error(error, SUBMIT_ERROR, 0, "Invalid --%s specification: %s", what, *text);
	g_free(written);
	g_clear_pointer(text, g_free);
	return ok;
}

bool sim_resolve_request(const struct sim *s, struct job_request *req, GError **error)
{
	if (req->dependency && strchr(req->dependency, '@')) {
		char *resolved = sim_resolve_dependency(s, req->dependency, error);
		if (!resolved)
			return false;
		g_free(req->dependency);
		req->dependency = resolved;
	}
	if (!resolve_time(s, "begin", &req->begin_text, &req->begin, error) ||
	    !resolve_time(s, "deadline", &req->deadline_text, &req->deadline, error))
		return false;
	if (req->begin <= usec_to_sec(s->now)) /* a past time counts as now (measured, begin-formats: past) */
		req->begin = 0;
	return true;
}
