/* memsize.h - memory sizes in MiB, as sbatch --mem and slurm.conf write them. */
#ifndef SCHED_BASE_MEMSIZE_H
#define SCHED_BASE_MEMSIZE_H
#include <stdbool.h>
#include <stdint.h>

/* "1000" (MiB), "512K", "4G", "1.5T"... base 1024; K rounds up to a MiB. False on bad text or overflow. */
bool memsize_parse_mib(const char *text, uint64_t *mib);
/* A count with optional K M G T P suffix; base 1024. "8" -> 8, "4K" -> 4096. */
bool count_parse(const char *text, uint64_t *out);
/* Slurm's short form of MiB: divided by 1024 while it stays exact to half units: 2048 -> "2G", 2560 -> "2.50G",
 * 1000 -> "1000M", 0 -> "0". g_free. */
char *memsize_format_mib(uint64_t mib);
#endif
