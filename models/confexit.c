/* confexit.c - RequeueExit and RequeueExitHold: lists of exit codes such as "1-9,18" (lifecycle C41) */
#include "models/confread.h"
#include <string.h>

#define CODES 256

static bool read_code(const char **text, guint *code)
{
	guint64 v = 0;
	const char *s = *text;

	for (; g_ascii_isdigit(*s) && v < CODES; s++)
		v = v * 10 + (guint64)(*s - '0');
	bool ok = s > *text && v < CODES;
	*text = s;
	*code = (guint)v;
	return ok;
}

/* "18" or "1-9" */
static bool read_span(const char *text, uint64_t *bits)
{
	guint from, to;

	if (!read_code(&text, &from))
		return false;
	to = from;
	if (*text == '-' && (text++, !read_code(&text, &to)))
		return false;
	if (*text || to < from)
		return false;
	for (guint i = from; i <= to; i++)
		bits[i / 64] |= UINT64_C(1) << i % 64;
	return true;
}

void conf_set_requeue_exit(struct conf_reader *r, const struct conf_pair *p)
{
	uint64_t *bits = g_ascii_strcasecmp(p->key, "RequeueExit") == 0 ? r->p->requeue_exit : r->p->requeue_exit_hold;
	char **list = conf_list(p->value, false);

	memset(bits, 0, sizeof r->p->requeue_exit);
	for (char **s = list; *s; s++)
		if (!read_span(*s, bits))
			conf_error(r, p, "write exit codes from 0 to 255 and ranges of them, such as 1-9,18", "%s: bad exit code \"%s\"", p->key, *s);
	g_strfreev(list);
}
