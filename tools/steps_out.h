/*
 * steps_out.h - job steps of a live controller as `squeue -s` and `scontrol show steps` print them (command-output.md
 * 2, 7).
 *
 * A simulated job has the step of its batch script ("12.batch") while it runs or is suspended, and those of its steps
 * (sim/steps.h) that run now.
 */
#ifndef TOOLS_STEPS_OUT_H
#define TOOLS_STEPS_OUT_H
#include "tools/schema_json.h"
#include "tools/squeue_out.h"

/* squeue -s: of the jobs that O wants; format and long_format are columns of steps. */
void steps_print(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o);
/* scontrol show steps: all, or of NAMES ("12", "12.batch", "7_1.batch"). An exit code. */
int show_steps(FILE *out, const struct job_view *v, const char *names, int flags);
void json_print_steps(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o,
                      const char *command);
#endif
