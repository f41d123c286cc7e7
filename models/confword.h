/* confword.h - values that are one of a few words; private to models/. */
#ifndef MODELS_CONFWORD_H
#define MODELS_CONFWORD_H
#include "models/confread.h"

struct conf_word {
	const char *name;
	int value;
};

/* The entry of WORDS (ends with name NULL) that is TEXT, case ignored; NULL = none. */
const struct conf_word *conf_word_find(const struct conf_word *words, const char *text);
/* An error at P's value for TEXT that is none of WORDS, with "did you mean" or all of them. */
void conf_bad_word(struct conf_reader *r, const struct conf_pair *p, const struct conf_word *words, const char *text);
#endif
