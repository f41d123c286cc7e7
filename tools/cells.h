/*
 * cells.h - cells of squeue's and sinfo's tables (spec command-output.md 1.1), and what both print alike.
 */
#ifndef TOOLS_CELLS_H
#define TOOLS_CELLS_H
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* "%.Nx": to the right in WIDTH bytes; longer text is cut to its first WIDTH bytes. */
void cell_right(GString *line, size_t width, const char *text);
/* The same, never cut: times and time limits of squeue. */
void cell_right_whole(GString *line, size_t width, const char *text);
/* "%Nx": to the left, padded; longer text is cut. */
void cell_left(GString *line, size_t width, const char *text);
/* Any of these by a text of LENGTH bytes: cut to WIDTH unless WHOLE (to the right only); WIDTH 0 = never cut. */
void cell_put(GString *line, size_t width, bool right, bool whole, const char *text, size_t length);
/* T as the commands show it: SLURM_TIME_FORMAT may be standard, relative (to NOW) or a format of strftime. UTC. g_free.
 */
char *date_shown(int64_t t, int64_t now);
/* A count: divided by 1024 while exact to half a unit, "2K", "2.50K". g_free. */
char *cell_count(uint64_t n);
/* Whether NAME is in the comma LIST; LIST NULL = every name. */
bool in_list(const char *list, const char *name);
/* "Sun Nov 29 15:42:48 2026": the line that -l prints first. */
void print_date_line(FILE *out, int64_t now);
#endif
