#include "models/suggest.h"
#include <string.h>

#define LONGEST 64

static guint edit_distance(const char *a, gsize na, const char *b, gsize nb)
{
	guint row[LONGEST + 1];

	for (gsize j = 0; j <= nb; j++)
		row[j] = (guint)j;
	for (gsize i = 1; i <= na; i++) {
		guint diagonal = row[0];

		row[0] = (guint)i;
		for (gsize j = 1; j <= nb; j++) {
			guint change = diagonal + (g_ascii_tolower(a[i - 1]) != g_ascii_tolower(b[j - 1]));

			diagonal = row[j];
			row[j] = MIN(MIN(row[j], row[j - 1]) + 1, change);
		}
	}
	return row[nb];
}

void suggest_begin(struct suggestion *s, const char *word)
{
	gsize n = strlen(word);

	*s = (struct suggestion){.word = word, .best = NULL, .distance = (guint)MAX(1, MIN(n, LONGEST) / 3) + 1};
}

void suggest_offer(struct suggestion *s, const char *name)
{
	gsize na = strlen(s->word), nb = strlen(name);
	gsize apart = na > nb ? na - nb : nb - na;

	if (na > LONGEST || nb > LONGEST || apart >= s->distance)
		return;
	guint distance = edit_distance(s->word, na, name, nb);
	if (distance < s->distance) {
		s->best = name;
		s->distance = distance;
	}
}

char *suggest_hint(const struct suggestion *s, const char *otherwise)
{
	if (s->best)
		return g_strdup_printf("did you mean %s?", s->best);
	return g_strdup(otherwise);
}
