/*
 * cgroupconf.h - cgroup.conf: what the site does about memory beyond the request (spec slurm-conf.md section 8).
 *
 * Only the memory keys are kept with a type; all others are checked for their name and value and kept as text. Obsolete
 * keys are named as such, unknown ones are errors with "did you mean". The same section of "scontrol show config"
 * ("Cgroup Support Configuration:") is read too.
 */
#ifndef MODELS_CGROUPCONF_H
#define MODELS_CGROUPCONF_H
#include "sched/base/diag.h"
#include <glib.h>
#include <stdbool.h>

struct cgroup_conf {
	bool given;                         /* there is a cgroup.conf */
	bool constrain_ram, constrain_swap; /* no */
	double allowed_ram, allowed_swap;   /* percent of the allocation: 100, 0 */
	double max_ram, max_swap;           /* percent of the node: 100 */
	guint64 min_ram;                    /* MiB: 30 */
	GHashTable *text;                   /* owned: key in lower case -> value as given */
};

struct cgroup_conf *cgroup_conf_new(void);    /* Slurm's defaults */
void cgroup_conf_free(struct cgroup_conf *c); /* NULL is allowed */
/* Add what the file at PATH, or TEXT called NAME, says. False when D has new errors. */
bool cgroup_conf_read(struct cgroup_conf *c, const char *path, struct diag *d);
bool cgroup_conf_read_text(struct cgroup_conf *c, const char *text, const char *name, struct diag *d);
/* The memory that a job with ALLOCATED MiB on a node of REAL MiB may use before it is killed; UINT64_MAX = not
 * constrained. */
guint64 cgroup_conf_limit(const struct cgroup_conf *c, guint64 allocated, guint64 real);
/* As "scontrol show config" prints it: the section with its title, or "" when there is no cgroup.conf. g_free. */
char *cgroup_conf_show(const struct cgroup_conf *c);
#endif
