/*
 * suggest.h - "did you mean ...": the known name nearest to a misspelt one.
 *
 * Offer every known name in turn; the nearest by edit distance (case ignored) is kept, if it is near enough: at most a
 * third of the word's letters, at least 1. Words beyond 64 letters get no suggestion. No allocation, no failure.
 */
#ifndef MODELS_SUGGEST_H
#define MODELS_SUGGEST_H
#include <glib.h>

struct suggestion {
	const char *word; /* borrowed: the misspelt one */
	const char *best; /* borrowed from the offers; NULL = none near enough */
	guint distance;   /* of best; while best is NULL: one more than is accepted */
};

/* Begin the search for names like WORD. */
void suggest_begin(struct suggestion *s, const char *word);
/* Offer NAME; it must stay valid as long as s->best is used. The first of equals is kept. */
void suggest_offer(struct suggestion *s, const char *name);
/* "did you mean NAME?", or OTHERWISE (may be NULL) when nothing is near. g_free. */
char *suggest_hint(const struct suggestion *s, const char *otherwise);
#endif
