/* confset.h - "--set" overrides; private to models/. */
#ifndef MODELS_CONFSET_H
#define MODELS_CONFSET_H
#include "models/confread.h"

/* Change the collected global parameters of R by OVERRIDES (of char *, in order; NULL = none). Errors go to r->d with
 * the text of the override in place of a file. */
void conf_apply_overrides(struct conf_reader *r, const GPtrArray *overrides);
#endif
