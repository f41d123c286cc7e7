/*
 * sinfo_sort.h - the order of sinfo's rows (-S; spec command-output.md 3).
 *
 * Keys are letters of the columns between commas; "-" turns one around. P is the name of the partition, #P its place in
 * slurm.conf; t and T the raw state number, whose flags outweigh the base state; N the name of the first node. Numbers,
 * times and limits go by their value, everything else as text. What is equal keeps the usual order.
 */
#ifndef TOOLS_SINFO_SORT_H
#define TOOLS_SINFO_SORT_H
#include <glib.h>
#include <stdbool.h>

/* False and ERROR when a letter is no column. KEYS may be NULL. */
bool sinfo_sort_check(const char *keys, GError **error);
/* ROWS are of struct sinfo_row; KEYS have been checked. */
void sinfo_sort(GPtrArray *rows, const char *keys);
#endif
