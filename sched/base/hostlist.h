/*
 * hostlist.h - Slurm's hostlist expressions: "n[01-03,07],gpu5" <-> names.
 *
 * Grammar (spec slurm-conf.md section 2): a list separated by commas or white space outside brackets; each token has any
 * number of bracket groups whose cartesian product is taken, the leftmost group varying slowest, with text
 * allowed between and after groups. In a bracket: numbers or lo-hi ranges separated by commas; the width of
 * the LOW text pads every number of its range. Limits: 65,536 numbers a range, HOSTLIST_MAX names a list (untrusted
 * input must not exhaust memory). Multi-dimension boxes ("[000x133]") are refused with a clear message.
 * Hosts keep the order of the text and duplicates are kept.
 */
#ifndef SCHED_BASE_HOSTLIST_H
#define SCHED_BASE_HOSTLIST_H
#include <glib.h>

#define HOSTLIST_MAX 1000000

#define HOSTLIST_ERROR (g_quark_from_static_string("hostlist"))

/* Expand TEXT. Returns a GPtrArray of newly allocated char * (free func set; unref with g_ptr_array_unref),
 * empty for "" . On bad text returns NULL and sets ERROR with the column (from 1) and what would be right. */
GPtrArray *hostlist_expand(const char *text, GError **error);

/* Number of names TEXT stands for, without expanding; -1 and ERROR on bad text. */
gint64 hostlist_count(const char *text, GError **error);

/* Compress names in the given order into Slurm's print form: consecutive names with equal prefix (and suffix-free
 * last digit run) and compatible width join one group: "n[01-03,07]"; a single host has no brackets; "n9,n10" ->
 * "n[9-10]", "n9,n010" stay separate; only the last digit run is compressed ("r1n[1-2],r2n[1-2]").
 * NAMES may be empty ("" is returned). The caller frees with g_free. */
char *hostlist_compress(const char *const *names, gsize n);

/* Natural name order: digit runs compare as numbers (n2 < n10), else bytewise; ties (n2, n02) bytewise.
 * This is the order in which slurmctld sorts its node table (N1). */
int hostlist_name_cmp(const char *a, const char *b);
#endif
