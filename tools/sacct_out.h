/*
 * sacct_out.h - table job of run.db in the form of Slurm's sacct, for eyes and scripts that know it.
 *
 * The rows are those of `sacct -a -X -D`: every run of every job, in order of submission, then of JobIDRaw; steps only
 * when asked for. Rules of cells: spec command-output.md 1.2 and 6, sacct.md 2 and 3; checked against recorded output.
 *
 * Table meta is asked for: slurm_version (a value that begins with "22" gives 22.05's ways: the column Reserved for
 * Planned, AllocCPUS of a job that never started, Start of a job cancelled while pending), end (the moment up to which
 * the time of jobs that still wait or run is counted; microseconds since the epoch, or a date) and cluster. A database
 * without these is printed all the same: as 26.11, and up to the latest instant found in it.
 */
#ifndef TOOLS_SACCT_OUT_H
#define TOOLS_SACCT_OUT_H
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sqlite3;

#define SACCT_ERROR (g_quark_from_static_string("sacct"))

/*
 * Print the jobs of DB to OUT.
 *
 * FORMAT is a comma list of field names, any case, each with an optional width as "%30" or "%-30" (to the left);
 * NULL means Slurm's default columns. Widths are in bytes. Text that does not fit ends in '+', numbers, times and
 * durations are never cut. Dates are UTC. PARSABLE2 joins the cells with '|' unpadded and uncut (sacct -P). NO_HEADER
 * leaves out the header and its dashes (sacct -n).
 *
 * False and ERROR: SACCT_ERROR for a bad FORMAT (the message lists the known fields; nothing was printed),
 * G_IO_ERROR when DB cannot be read or OUT cannot be written.
 */
gboolean sacct_print(FILE *out, struct sqlite3 *db, const char *format, bool parsable2, bool no_header, GError **error);
/* All that can be chosen. */
struct sacct_form {
	const char *format;    /* NULL = the default columns */
	bool parsable, closed; /* -P; -p: the delimiter also at the end of a line */
	bool no_header, steps; /* steps: each job that started is followed by its steps */
	bool only_steps;       /* without the job */
	const char *step_ids;  /* then: these alone, "12.batch,7_1.0"; NULL = all */
	bool each_task;        /* --array: a line for each task that has not started, not one for all of an array */
	const char *delimiter; /* NULL = "|" */
	char unit;             /* --units: K M G T P; 'n' = --noconvert; 0 = Slurm's choice */
	int64_t from, to;      /* -T: Start and End are cut to these; 0 = not */
};
gboolean sacct_print_form(FILE *out, struct sqlite3 *db, const struct sacct_form *form, GError **error);
extern const char sacct_brief_format[], sacct_long_format[]; /* -b, -l */
void sacct_print_fields(FILE *out);                          /* -e */
/* The same jobs as JSON in the shape of Slurm's data_parser, WITH_STEPS or with empty lists of them. False and ERROR when DB cannot be read. */
gboolean sacct_print_json(FILE *out, struct sqlite3 *db, bool with_steps, GError **error);
#endif
