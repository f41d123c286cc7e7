/*
 * gresconf.h - generic resources: the Gres= text of a node line, and gres.conf (spec slurm-conf.md 4 and 7.1; N61).
 *
 * gres.conf tells which device files a node has, which cores are near them and how they are linked. AutoDetect lines
 * mean "believe slurm.conf": devices 0..n-1 near all cores. Cores= are abstract core ids (socket 0 first), never OS CPU
 * ids.
 */
#ifndef MODELS_GRESCONF_H
#define MODELS_GRESCONF_H
#include "sched/base/diag.h"
#include "sched/cluster.h"
#include <glib.h>

#define GRES_DEVICES_MAX 1024u /* devices of one name on a node */
#define GRES_NAMES_MAX 64u     /* entries of one Gres= text */

/*
 * Parse "gpu:h100:8,shard:64,bandwidth:lustre:no_consume:4G" into *GRES [*N] (owned: gres_free). One group an entry;
 * indexes count up within a name; groups of one name keep the order of the text. Counts take K M G T P (1024) and are 1
 * when left out; a count beyond 32 bits is held at the largest. False and ERROR: bad count, no name, typed and untyped
 * entries of one name.
 */
bool gres_parse(const char *text, struct node_gres **gres, uint32_t *n, GError **error);
void gres_free(struct node_gres *gres, uint32_t n);

/*
 * Refine the node_gres of the configuration records of C (its nodes added, cluster_finish not done yet) by the
 * gres.conf at PATH. PATH NULL = there is no gres.conf: GPUs then have devices 0..n-1, other names are plain counts.
 * Where gres.conf tells nodes of one record apart, the record is split. A node with fewer devices than slurm.conf says
 * is drained with Slurm's reason and a warning (INVALID registration); surplus devices are ignored. Errors go to D with
 * file:line:column. GRES_TYPES: the names of GresTypes (NULL = none); lines of other names are ignored with a warning.
 */
void gresconf_apply(struct cluster *c, const char *path, char **gres_types, struct diag *d);
/* The same, with hardware models for what AutoDetect would find (greshardware.h; NULL = none). */
struct gres_hardware;
void gresconf_apply_hardware(struct cluster *c, const char *path, char **gres_types, const struct gres_hardware *hw,
                             struct diag *d);
/* The same with the text of gres.conf in memory; NAME stands in messages. */
void gresconf_apply_text(struct cluster *c, const char *text, const char *name, char **gres_types, struct diag *d);
#endif
