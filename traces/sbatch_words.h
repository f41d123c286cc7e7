/*
 * sbatch_words.h - the words of an sbatch command line, applied to a request.
 *
 * Serves the SubmitLine column of sacct, where quotes are lost and options of other commands occur (lenient), and the
 * "extra" list of our own workload files (strict). Long options with "=" or in two words, unique abbreviations of long
 * names, short options with the value attached or in the next word, and joined short flags are understood. Options
 * that mean nothing to scheduling (--output, --mail-type ...) are skipped together with their value.
 */
#ifndef TRACES_SBATCH_WORDS_H
#define TRACES_SBATCH_WORDS_H
#include "sched/request.h"

#define SBATCH_WORDS_ERROR (g_quark_from_static_string("sbatch-words"))

/* Split at blanks; quotes and backslash as in a shell. An open quote ends with the text. g_strfreev. */
char **sbatch_words_split(const char *text);
/*
 * Apply WORDS up to the first that is no option (the script). Strict: false and ERROR at the first unknown option, bad
 * value or word that is no option. Lenient: those are skipped, and *N_IGNORED (may be NULL) counts options with a bad
 * value.
 */
bool sbatch_words_apply(struct job_request *r, const char *const *words, bool strict, guint *n_ignored, GError **error);
/*
 * A command line as it is typed: strict, with our own --run and --user. Options that mean nothing to scheduling go to
 * CLIENT with their value (NULL = none), which may refuse them. *REST: the first word that is no option (the script,
 * or ":"), or the end.
 */
struct sbatch_client {
	bool (*option)(void *data, const char *name, const char *value, GError **error);
	void (*seen)(void *data, const char *name, const char *value); /* every option */
	void *data;
};
bool sbatch_words_client(struct job_request *r, const char *const *words, const struct sbatch_client *client,
                         const char *const **rest, GError **error);
#endif
