/* gresread.h - the lines of gres.conf as records; private to models/gresconf.c and gresread.c. */
#ifndef MODELS_GRESREAD_H
#define MODELS_GRESREAD_H
#include "sched/base/diag.h"
#include <glib.h>
#include <stdbool.h>

#define GRES_RECORDS_MAX 100000u
#define GRES_GLOBAL_MAX 1024u        /* records for all nodes */
#define GRES_NODE_NAMES_MAX 4000000u /* node names in all NodeName lists */

struct gres_record {
	char *name, *type;   /* owned; type NULL = untyped */
	guint32 count;       /* devices, or plain count */
	bool files;          /* has device files */
	bool shared;         /* mps, shard */
	char *cores, *links; /* owned; NULL = none */
	char *devices;       /* owned; File or MultipleFiles as given; NULL = none */
	bool one_sharing;    /* mps, or Flags=one_sharing */
	char *file;          /* owned reference: for messages */
	guint line, column;
	guint content; /* equal for records equal in everything but their nodes */
};

struct gres_file {
	GPtrArray *records;  /* of struct gres_record *, in file order */
	GArray *global;      /* of guint: records for all nodes */
	GHashTable *by_node; /* name (owned) -> GArray of guint: records for that node; ascending */
	GHashTable *detect;  /* name (owned) -> AutoDetect word (owned, lower case) */
	char *global_detect; /* owned; NULL = not given */
	GHashTable *contents; /* texts of records, numbered; owned */
};

/* Read the file (PATH) or text; never NULL, free with gres_file_free. Errors go to D. */
struct gres_file *gres_file_read(const char *path, const char *text, const char *name, char **gres_types,
                                 struct diag *d);
/* Read TEXT behind what F has. */
void gres_file_append(struct gres_file *f, const char *text, const char *name, char **gres_types, struct diag *d);
void gres_file_free(struct gres_file *f);
#endif
