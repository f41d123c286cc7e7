/*
 * slurmconf.h - read a site's slurm.conf (with its gres.conf and accounting file) into a struct cluster.
 *
 * Rules: spec slurm-conf.md. Every parameter falls in one class: used (goes to struct sched_params or the tables),
 * without influence on scheduling (9.1: silent), obsolete (9.2: a warning that names it so), known but not modelled in
 * this version (one warning that says so), removed or unknown (an error; unknown ones with "did you mean"). Scenario
 * files may leave out ClusterName and SlurmctldHost; SchedulerType=sched/easy is whypend's own.
 */
#ifndef MODELS_SLURMCONF_H
#define MODELS_SLURMCONF_H
#include "sched/base/diag.h"
#include "sched/cluster.h"
#include <glib.h>
#include <stdbool.h>

struct conf_origins;
struct gres_hardware;

struct slurmconf_options {
	enum slurm_version version;  /* 0 = SLURM_26 */
	const char *gres_path;       /* gres.conf; NULL = "gres.conf" beside slurm.conf, if it is there */
	const char *topology_path;   /* topology.yaml or topology.conf; NULL = the one beside slurm.conf that Slurm would read */
	const char *accounting_path; /* sacctmgr commands or a sacctmgr dump; NULL = none */
	const char *groups_path;     /* groups.h: who is in which group, for AllowGroups; NULL = unknown, all are let in */
	/*
	 * Settings that replace the file's, in order ("--set"), of char *; NULL = none. "Key=Value" for a parameter
	 * that stands alone on its line, "Key=" takes the file's value away; "Key.token=value" sets one token inside a
	 * comma list such as SchedulerParameters, "Key.token" a token without a value, "Key.token=" removes it.
	 */
	GPtrArray *overrides;
	struct conf_origins *origins; /* conforigin.h: filled with what was given and where; NULL = not asked for */
	const struct gres_hardware *hardware; /* greshardware.h: what AutoDetect finds; NULL = devices near all cores */
	bool unknown_is_warning; /* an unknown parameter is a warning, not an error */
};

/*
 * Read the slurm.conf at PATH, or what stands in its place: outputs of scontrol and sinfo (shown.h), several files separated
 * by commas, or a folder (siteinput.h). Returns a finished cluster (cluster_finish done) that the caller frees with
 * cluster_free, or NULL when D holds errors afterwards (all that were found, with file:line:column). Warnings in D come
 * with either. O may be NULL: all defaults.
 */
struct cluster *slurmconf_read(const char *path, const struct slurmconf_options *o, struct diag *d);

/* The same for TEXT held in memory; NAME stands in messages, and its directory is where relative includes are looked
 * for. gres.conf and a topology file are read only when O names them. */
struct cluster *slurmconf_read_text(const char *text, const char *name, const struct slurmconf_options *o,
                                    struct diag *d);

/*
 * A cluster for logs that come without a slurm.conf: NODES equal nodes n[0001-N] (width of N) of CPUS_PER_NODE cores,
 * one partition "all" (Default=YES MaxTime=UNLIMITED), CR_Core, priority/basic. OVERRIDES and ORIGINS as in the options (may be
 * NULL). NULL and errors in D when a number is 0 or too large (HOSTLIST_MAX nodes, 65533 CPUs) or an override is bad.
 */
struct cluster *cluster_from_header(guint64 nodes, guint64 cpus_per_node, enum slurm_version version,
                                    GPtrArray *overrides, struct conf_origins *origins, struct diag *d);
#endif
