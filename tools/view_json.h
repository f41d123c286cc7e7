/*
 * view_json.h - `--json` of squeue, sinfo and scontrol show, in the shape of Slurm's data_parser (v0.0.46; spec
 * command-output.md 10).
 *
 * Every key of a record is printed, in Slurm's order, set or not. Records are made from a schema (view_json.c), in
 * which a key has a kind: text, list, whole number, flag, number with "set", or an object; then what the run knows is
 * filled in.
 */
#ifndef TOOLS_VIEW_JSON_H
#define TOOLS_VIEW_JSON_H
#include "tools/job_fields.h"
#include "tools/squeue_out.h"

void json_print_jobs(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o,
                     const char *command);
void json_print_nodes(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command);
void json_print_partitions(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command);
void json_print_reservations(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command);
void json_print_licenses(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command);
void json_print_pings(FILE *out, const struct controller *c);
/* sinfo's groups: the nodes of each partition that are in one state. */
void json_print_sinfo(FILE *out, const struct controller *c, sec_t now, const char *partitions);
#endif
