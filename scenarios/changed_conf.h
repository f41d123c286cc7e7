/*
 * changed_conf.h - another slurm.conf for a run that goes on: what "scontrol reconfigure FILE" and "restart FILE" name.
 *
 * It is read as the scenario's first one was: with the same gres.conf, topology and accounting files where the scenario names them, the same --set and
 * "set", the same hardware models, for the same release. FILE counts from the scenario's folder; without FILE the first slurm.conf is read again, as it
 * is now. Files that events name are read with the scenario, so that their errors come before the run.
 */
#ifndef SCENARIOS_CHANGED_CONF_H
#define SCENARIOS_CHANGED_CONF_H
#include "models/greshardware.h"
#include "scenarios/scenario.h"

struct conf_source {         /* all owned */
	enum slurm_version version;
	char *dir;           /* the scenario's folder; NULL = none */
	char *conf;          /* the first slurm.conf; NULL = there is none */
	char *gres, *topology, *accounting; /* NULL = found beside it, or none */
	GPtrArray *overrides;
	GPtrArray *hardware; /* of struct gres_model_of *; NULL */
};

struct conf_source *conf_source_new(void);
void conf_source_free(struct conf_source *s); /* NULL is allowed */
/* Where the file NAME (NULL: the first) is; g_free; NULL when there is none. */
char *conf_source_path(const struct conf_source *s, const char *name);
/* The cluster that PATH describes; NULL after errors in D. */
struct cluster *conf_source_read(const struct conf_source *s, const char *path, struct diag *d);
/* sim_conf_fn over a struct scenario: what was read with it, else read now. */
struct cluster *scenario_next_conf(void *scenario, const char *name, GError **error);
#endif
