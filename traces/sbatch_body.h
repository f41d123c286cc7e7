/*
 * sbatch_body.h - how long the commands of a batch script take, and the steps of its srun lines (sbatch_script.h).
 *
 * The text is cut into words first; ";" stands for the end of a command, "&" for one put into the background. "|",
 * "&&" and "||" end a command too. Then the words are walked through with a clock.
 */
#ifndef TRACES_SBATCH_BODY_H
#define TRACES_SBATCH_BODY_H
#include "traces/steps.h"

GPtrArray *sbatch_body_words(const char *text); /* of char *; g_ptr_array_unref */
/* How long all of it takes, -1 when nobody knows; *EXIT_CODE when it says exit N (else untouched). */
usec_t sbatch_body_length(const GPtrArray *words, int *exit_code);
struct job_steps *sbatch_body_steps(const GPtrArray *words, usec_t run); /* NULL = none */
#endif
