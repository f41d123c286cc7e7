/* conf_json.h - scontrol show config --json, in the shape of Slurm's data_parser (v0.0.46; spec command-output.md 10) */
#ifndef TOOLS_CONF_JSON_H
#define TOOLS_CONF_JSON_H
#include "sched/controller.h"
#include <glib.h>
#include <stdio.h>

/* ROWS: of struct conf_row * (models/confshow.h), which have the values as text; BOOT: the controller's start. */
void conf_json_print(FILE *out, const struct controller *c, const GPtrArray *rows, sec_t boot, sec_t now);
#endif
