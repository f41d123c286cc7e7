/*
 * sbatch_line.h - "sbatch OPTIONS [ : OPTIONS ] SCRIPT" as a submission: typed in the shell, or an event of a scenario.
 *
 * Every option of sbatch is understood (spec sbatch.md 2); one that nobody knows is an error. The command line wins over
 * the script's directives. Components of a heterogeneous job come from ":" and from "#SBATCH hetjob". Our own:
 *   --run=TIME    how long it runs: 90, 10:00, 1:00:00. Else #SIM runtime=, else what the script's (or --wrap's) sleeps
 *                 come to, else up to its limit, else a day
 *   --user=NAME   who submits (as --uid)
 * Hosts of --nodefile, and of --nodelist and --exclude that hold a "/", are read from files.
 */
#ifndef TRACES_SBATCH_LINE_H
#define TRACES_SBATCH_LINE_H
#include "traces/sbatch_script.h"
#include "traces/workload.h"

#define SBATCH_LINE_ERROR (g_quark_from_static_string("sbatch-line"))

struct sbatch_line {
	struct submission *sub; /* its time is not set; user NULL when nobody is named; label: the name that -J gives, or NULL */
	bool parsable, quiet, test_only;
	char *cluster;          /* of -M; NULL */
	char *script;           /* the file that was read; NULL */
	struct sbatch_script *body; /* of the script or of --wrap; NULL */
	bool run_known;         /* somebody tells how long it runs */
};

/* WORDS behind "sbatch", ended by NULL. DIR: where relative files are; NULL = here. V22: options that 22.05 lets stand
 * side by side are. NULL and ERROR with what sbatch says, without its "sbatch: error: ". */
struct sbatch_line *sbatch_line_read(const char *const *words, const char *dir, bool v22, GError **error);
/* The same of the text of a script alone. */
struct sbatch_line *sbatch_line_of_text(const char *text, size_t length, GError **error);
void sbatch_line_free(struct sbatch_line *l); /* and its submission, unless that was taken (set to NULL) */
#endif
