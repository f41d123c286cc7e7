/*
 * abbreviation.h - long options by their name or by an abbreviation that only one of them has, as getopt_long finds them.
 */
#ifndef SCHED_BASE_ABBREVIATION_H
#define SCHED_BASE_ABBREVIATION_H
#include <stddef.h>

/*
 * The element of TABLE that WORD's first LENGTH characters name: the one of that name, else the only one whose name begins so; NULL for none or several.
 * TABLE has N elements of SIZE bytes, each beginning with its name (const char *).
 */
const void *abbreviation_find(const void *table, size_t n, size_t size, const char *word, size_t length);
#endif
