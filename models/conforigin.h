/*
 * conforigin.h - the global parameters of a configuration as they were given, and where.
 *
 * The reader of slurm.conf turns parameters into struct sched_params and forgets how they were written. A caller that
 * wants to tell (whypend config, whypend lint) hands in a struct conf_origins and finds every parameter there that
 * stands alone on its line: those that count, those without influence, and obsolete ones. Keys are in lower case;
 * SlurmctldHost, which may be given several times, is "slurmctldhost[0]", "slurmctldhost[1]"...
 */
#ifndef MODELS_CONFORIGIN_H
#define MODELS_CONFORIGIN_H
#include <glib.h>

struct conf_origin {
	char *key, *value; /* owned; the key as written */
	char *file; /* owned; name as given or as included; "--set Key=Value" for a setting of the command line */
	guint line; /* 0 = of no line: --set */
};

struct conf_origins {
	GHashTable *by_key; /* key in lower case (owned) -> struct conf_origin * (owned) */
	char *path;         /* owned; the file that was read; NULL = none */
};

struct conf_origins *conf_origins_new(void);
void conf_origins_free(struct conf_origins *o); /* NULL is allowed */
/* Add or replace; everything is copied. */
void conf_origins_put(struct conf_origins *o, const char *key, const char *value, const char *file, guint line);
/* The parameter KEY in any case; NULL = not given. */
const struct conf_origin *conf_origins_get(const struct conf_origins *o, const char *key);
#endif
