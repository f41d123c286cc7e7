/* sinfo_resv.h - the reservations as sinfo -T prints them (spec command-output.md 3): in order of creation. */
#ifndef TOOLS_SINFO_RESV_H
#define TOOLS_SINFO_RESV_H
#include "sched/controller.h"
#include <stdio.h>

/* Write errors are the caller's to ask of OUT. */
void sinfo_print_resvs(FILE *out, const struct controller *c, sec_t now, bool no_header);
#endif
