/*
 * jsonl.h - our own workload format: one JSON object a line, one object a job.
 *
 * Keys are sbatch's long options with "_" for "-" (nodes, ntasks, cpus_per_task, mem, gres, time, array, begin ...;
 * numbers or texts; true for options without a value), and
 *   name        job name; also the label by which others refer to it
 *   at          seconds after the start of the run, may have a fraction; 0 if missing
 *   user        "root" is privileged
 *   run         seconds it runs, may have a fraction; required
 *   exit        exit code; exit_task {"TASK": code} for single array tasks
 *   exit_signal number of the signal that ends it after its run time
 *   ignores_term  true: when it is to end before its time its processes do not heed SIGTERM, and die KillWait later
 *   end         "NODE_FAIL" or "OUT_OF_MEMORY": how it ends after its run time
 *               or "HANG": never by itself, only at its time limit
 *   max_rss     MiB of memory that it uses at most on one node: beyond its request it is killed where memory is confined
 *   startup     seconds at the beginning of each run in which no work is done (stage-in, image pull)
 *   steps       its steps: a list of objects, steps_json.h
 *   script      the text of a batch script (in a scenario also its file): its directives, its srun lines as steps, and how
 *               long it runs where that can be told (sbatch_script.h); the other keys win over it
 *   checkpoint  seconds of work between checkpoints, or {"every": s, "cost": s, "restart": s, "signal": true}: what a run that is cut short
 *               keeps for the next one (sim/checkpoint.h)
 *   cancel      seconds after submission when it is cancelled if still pending
 *   cancel_run  seconds of running after which its user cancels it (then "run" may be missing)
 *   depends     dependencies; @NAME stands for the job so labelled, resolved by the host
 *   het         the other components of a heterogeneous job: a list of objects with sbatch's options, as after ":" on
 *               sbatch's command line. NAME+1 is the label of the first of them
 *   requeue     true or false
 *   priority    0 is ignored: sbatch drops it (spec C5)
 *   extra       more options as sbatch has them: a list of words, or one text
 *   about, tick ignored
 * Any other key is an error. Null and false mean "not given" (except for requeue).
 *
 * The first line may be the header {"schema":"whypend-workload/1","start":"2026-01-05T00:00:00"}; then instants are
 * counted from that start (UTC), else from 0.
 */
#ifndef TRACES_JSONL_H
#define TRACES_JSONL_H
#include "traces/workload.h"
#include <cjson/cJSON.h>

#define JSONL_ERROR (g_quark_from_static_string("jsonl"))

/* One job. NULL and ERROR, which names the key, when it is no job. AT is relative to the start of the run. */
struct submission *submission_from_json(const cJSON *job, GError **error);
#endif
