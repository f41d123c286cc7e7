/* confword.c - keywords of slurm.conf values; see confword.h. */
#include "models/confword.h"
#include "models/suggest.h"

const struct conf_word *conf_word_find(const struct conf_word *words, const char *text)
{
	for (; words->name; words++)
		if (g_ascii_strcasecmp(words->name, text) == 0)
			return words;
	return NULL;
}

void conf_bad_word(struct conf_reader *r, const struct conf_pair *p, const struct conf_word *words, const char *text)
{
	struct suggestion s;
	GString *all = g_string_new("one of");
	char *shown = conflex_show(text);

	suggest_begin(&s, text);
	for (const struct conf_word *w = words; w->name; w++) {
		suggest_offer(&s, w->name);
		g_string_append_printf(all, "%s %s", w == words ? "" : ",", w->name);
	}
	char *hint = suggest_hint(&s, all->str);
	diag_error(r->d, p->file, p->value_line, p->value_column, hint, "unknown value %s of %s", shown, p->key);
	g_free(hint);
	g_free(shown);
	g_string_free(all, TRUE);
}
