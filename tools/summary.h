/*
 * summary.h - what a run came to, from run.db: one page for a terminal, or JSON with the same numbers.
 *
 * What each number means is defined in summary_data.h.
 *
 * JSON: one object; seconds are plain numbers, shares 0..1, dates text in UTC, what is not known is left out:
 *   {"cluster","slurm_version","seed","nodes",
 *    "jobs":{"total","runs","states":{NAME:n}}, "refused":{"total","causes":[{"cause","count"}]},
 *    "left_out":{"total","causes":[{"cause","count","first_line"}]},
 *    "wait":{"all":W,"partition":{NAME:W},"qos":{NAME:W}}  with W = {"jobs","mean","median","p90","p99","max"},
 *    "cpu":{"total","utilisation"}, "gpu":{"total","utilisation"},
 *    "pending":{"hours","reasons":[{"reason","hours","share"}]},
 *    "replay":{"jobs","only_recorded","only_simulated","start_error":{..},"wait":{"recorded","simulated","correlation",..},
 *              "cpu_use":{"recorded","simulated"}},  only when the trace records starts (replay_truth.h)
 *    "first_submit","last_end","makespan","simulated_days","wall_seconds","simulated_days_per_wall_second"}
 */
#ifndef TOOLS_SUMMARY_H
#define TOOLS_SUMMARY_H
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct sqlite3;

/*
 * Print the summary of DB to OUT, as text of at most 100 columns or, with JSON, as a JSON object. WALL_SECONDS is what
 * the run took on this host (run.db holds nothing of the host); below 0 the lines about it are left out. Text shows the
 * largest dozen of each list and says how many more there are; JSON has all.
 *
 * False and ERROR (G_IO_ERROR) when DB cannot be read or OUT cannot be written.
 */
gboolean summary_print(FILE *out, struct sqlite3 *db, bool json, double wall_seconds, GError **error);
#endif
