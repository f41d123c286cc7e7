/*
 * scancel.h - the options of scancel: which jobs, and what is done to them.
 *
 *   -A --account, -n --name (--jobname), -p --partition, -q --qos, -R --reservation, -u --user, -w --nodelist, --wckey
 *                      comma lists are taken; jobs named and options given: both must hold. Without -u and without a
 *                      named job an ordinary user means his own jobs
 *   -t --state         PENDING, RUNNING, SUSPENDED (PD, R, S)
 *   --me               -u of who types
 *   -s --signal        a name (with or without SIG) or a number
 *   -b --batch         the signal goes to the batch shell only; -f --full: to it and to all steps
 *   -i --interactive   asks for each job; somebody must be there to answer (the shell)
 *   -c --ctld, -H --hurry, -Q --quiet, -v --verbose, -M --clusters, --cron, --sibling    change nothing here
 *
 * Jobs: 12, 12_3, 12_[1-3], 12+1 (a component), @NAME; steps: 12.0, 12.batch, @NAME.0.
 *
 * Signals. None, or KILL without -b: the job is cancelled (C32). A job that waits can only be told that: "Job is pending
 * execution". STOP and TSTP halt the processes of a job, CONT lets them go on; its time limit does not wait. Any other
 * that ends a process by default:
 *   a job that saves itself when told (checkpoint "signal")   does so, and runs on
 *   with -b or -f      the batch shell dies: FAILED, RaisedSignal
 *   else               the steps that run end, CANCELLED by it; the script goes on as it would have
 * A step that is cancelled ends now, the others and the job keep their times.
 */
#ifndef SIM_SCANCEL_H
#define SIM_SCANCEL_H
#include <glib.h>
#include <stdbool.h>

struct scancel {
	char *account, *name, *partition, *qos, *reservation, *user, *wckey; /* owned; lists; NULL = any */
	GPtrArray *nodes;      /* of char *; NULL = any */
	unsigned states;       /* bits of enum job_state; 0 = any */
	int signal;            /* -1 = none given */
	bool batch, full, interactive, me;
};

/*
 * Take the options out of WORDS (NULL-ended; what remains are jobs, moved to its beginning). NULL and ERROR with what
 * scancel says. Without any option that matters *PLAIN is true.
 */
struct scancel *scancel_options(char **words, bool *plain, GError **error);
void scancel_free(struct scancel *o); /* NULL is allowed */
#endif
