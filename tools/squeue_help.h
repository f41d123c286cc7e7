/*
 * squeue_help.h - what squeue --helpformat, --helpFormat and --helpstate list (spec command-output.md 2; from 26.11 on):
 * letters of -o, names of -O, and states for -t. They need no cluster.
 */
#ifndef TOOLS_SQUEUE_HELP_H
#define TOOLS_SQUEUE_HELP_H
#include <stdio.h>

void squeue_help_letters(FILE *out);
void squeue_help_names(FILE *out);
void squeue_help_states(FILE *out);
#endif
