/*
 * tres.h - trackable resources: the table of kinds of a cluster, and counts by kind.
 *
 * Ids (index in the table) are Slurm's order: 0 cpu, 1 mem (MiB), 2 energy, 3 node, 4 billing, 5 fs/disk, 6 vmem, 7 pages,
 * then the configured ones ("gres/gpu", "gres/gpu:h100", "license/matlab") in the order of definition (slurm-conf.md section 10).
 */
#ifndef SCHED_BASE_TRES_H
#define SCHED_BASE_TRES_H
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { TRES_CPU, TRES_MEM, TRES_ENERGY, TRES_NODE, TRES_BILLING, TRES_FS_DISK, TRES_VMEM, TRES_PAGES, TRES_FIRST_CONFIGURED };
#define TRES_MAX 64 /* kinds a cluster may have */

struct tres_table {
	uint32_t n;
	char *name[TRES_MAX]; /* owned; lower case as Slurm prints them: "gres/gpu:h100" */
};

struct tres_table *tres_table_new(void);                         /* with the eight built-in kinds */
void tres_table_free(struct tres_table *t);
int tres_find(const struct tres_table *t, const char *name);     /* index, or -1; case-insensitive */
int tres_add(struct tres_table *t, const char *name);            /* index (existing one if known); -1 when full */

/* Parse "cpu=4,mem=2G,gres/gpu:h100=2" into counts[table->n]; kinds not named get UNSET. mem takes memsize suffixes
 * (bare = MiB), others count suffixes; -1 means "cleared" = INFINITE64. Unknown names: error naming the token. */
bool tres_parse(const struct tres_table *t, const char *text, uint64_t *counts, uint64_t unset, GError **error);
/* Parse weights "CPU=1.0,Mem=0.25G,GRES/gpu=2.0" (P41): value per base unit; a suffix on the value means per that unit (0.25G for mem =
 * 0.25/1024 per MiB; for others K=1024...). Kinds not named get 0. */
bool tres_parse_weights(const struct tres_table *t, const char *text, double *weights, GError **error);
/* "cpu=256,mem=2000G,node=4,billing=256,gres/gpu=32": id order, kinds that are 0 or UNSET left out. g_free. */
char *tres_format(const struct tres_table *t, const uint64_t *counts, uint64_t unset);
/* The same in alphabetical order with the typed gres before the untyped one, as sacct prints it. g_free. */
char *tres_format_sacct(const struct tres_table *t, const uint64_t *counts, uint64_t unset);
#endif
