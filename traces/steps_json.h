/*
 * steps_json.h - "steps" of a job of our own format (jsonl.h): a list of objects
 *   name        what squeue -s shows; else "step"
 *   begin       seconds of the job's running time; else where the step before ends, or 0
 *   run         seconds; or "end": seconds of the job's running time. Neither: as long as the job
 *   tasks, nodes, cpus, gpus, mem (MiB in all)      else all that the job has
 *   exit, signal          0 to 255, 0 to 64
 *   state       "CANCELLED", "TIMEOUT" or "OUT_OF_MEMORY": how it ends; else by its exit code
 *   max_rss     MiB of its biggest task
 *   step        "batch", "extern", "interactive", a number, or "0+1" (component of a heterogeneous job); else the next number
 */
#ifndef TRACES_STEPS_JSON_H
#define TRACES_STEPS_JSON_H
#include "traces/steps.h"
#include <cjson/cJSON.h>

/* NULL and ERROR, which says which step and key. */
struct job_steps *job_steps_from_json(const cJSON *list, GError **error);
#endif
