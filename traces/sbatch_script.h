/*
 * sbatch_script.h - the text of a batch script: its #SBATCH lines, and the steps that its srun lines start.
 *
 * Directives are read as sbatch reads them (spec sbatch.md 1): only before the first command, only at the beginning of a
 * line; "#SBATCH hetjob" (or packjob) begins the next component. "#SIM runtime=3600 exit=1 user=ada" is ours.
 *
 * The commands are read for what they tell of time, nothing is run:
 *   sleep N[s|m|h|d]                 so long
 *   srun OPTIONS sleep N             a step of that length; -n -N -c -G/--gpus --mem -J (or the program's name) are its size
 *   ... &, wait                      side by side; what is not waited for ends with the script
 *   for X in A B C; do ... done      again and again; {1..4} and $(seq 1 4) too
 *   exit N                           the script's exit code
 *   echo, cd, module, export, X=Y .. no time
 * Anything else takes a time that nobody knows. One such command is given what is left of the job's time when that is
 * known; with more than one, or inside if, while, case or a function, the script's first srun is one step, as long
 * as the job.
 */
#ifndef TRACES_SBATCH_SCRIPT_H
#define TRACES_SBATCH_SCRIPT_H
#include "traces/steps.h"

#define SBATCH_SCRIPT_ERROR (g_quark_from_static_string("sbatch-script"))

struct sbatch_script {
	GPtrArray *components; /* of GPtrArray of char *: the words of the directives of each; at least one */
	GPtrArray *words;      /* of char *: those of the body's lines, "" where a line ends; see sbatch_script.c */
	usec_t runtime;        /* of #SIM; -1 = not told */
	int exit_code;         /* of #SIM or of exit; 0 */
	char *user;            /* of #SIM; NULL */
	usec_t length;         /* of the body; -1 = not known */
	bool old_directive;    /* there is a #SLURM line */
};

/* LENGTH bytes of TEXT. NULL and ERROR with sbatch's message. */
struct sbatch_script *sbatch_script_read(const char *text, size_t length, GError **error);
/* The same of the one line of --wrap. */
struct sbatch_script *sbatch_script_wrap(const char *command);
/* The steps when the job runs RUN; NULL when there is no srun. */
struct job_steps *sbatch_script_steps(const struct sbatch_script *s, usec_t run);
void sbatch_script_free(struct sbatch_script *s); /* NULL is allowed */
#endif
