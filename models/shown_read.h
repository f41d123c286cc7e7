/* shown_read.h - what the parts of shown share; private to models/shown*.c. */
#ifndef MODELS_SHOWN_READ_H
#define MODELS_SHOWN_READ_H
#include "models/shown.h"

struct shown_part {         /* what a partition's output tells of its nodes */
	char *name, *nodes; /* owned */
	char *gpu_type;     /* owned; NULL */
	guint64 cpus, mem, gpus, n_nodes;
	const char *file; /* owned reference (GRefString) */
	guint line;
};

struct shown_shape { /* what a described node adds to the totals of its partitions */
	guint64 cpus, mem, gpus;
};

struct shown {
	conf_line_fn fn;
	void *data;
	struct diag *d;
	GPtrArray *parts;        /* of struct shown_part *, owned */
	GHashTable *described;   /* node name (owned) -> struct shown_shape * (owned) */
	GHashTable *part_names;  /* of partitions with a record; owned */
	GString *sinfo_default;  /* the default partition by sinfo's "*"; empty = none */
	GHashTable *sinfo_parts; /* name (owned) -> GString of node names (owned) */
	guint64 gpus_of_node;    /* largest number of GPUs of a described node; 0 = none seen */
	char *gpu_type;          /* owned; its type */
	GHashTable *gres_names;  /* names of GRES seen; owned */
	GHashTable *tres_names;  /* gres/... and license/... of TRES= lines; owned */
	bool any_partition, any_reason;
};

/* A line under construction. */
struct conf_line *shown_line(const char *file, guint line);
void shown_pair(struct conf_line *l, const char *key, const char *value);
/* Hand it over. */
void shown_deliver(struct shown *s, struct conf_line *l);
/* "gpu:h100:8(S:0-1),shard:4" without what is in brackets; its names and GPUs are noted. g_free. */
char *shown_gres(struct shown *s, const char *text);
/* State words of a node joined by "+", or of sinfo, as NodeName's State= takes them; NULL = nothing to say. g_free. */
char *shown_state(const char *text);
/* Sockets=, CoresPerSocket= for CPUs without a known shape. */
void shown_guess_shape(struct conf_line *l, guint64 cpus);
/* A node's record, as pairs with the names of "scontrol show node" (a shown_record_fn; DATA is the struct shown). */
void shown_node(const struct conf_pair *pair, guint n, void *data);
bool shown_unset(const char *value); /* "(null)", N/A, NONE, empty */

void shown_config(struct shown *s, const char *text, const char *name);    /* shown_config.c */
void shown_sinfo(struct shown *s, const char *text, const char *name);     /* shown_sinfo.c */
void shown_node_json(struct shown *s, const char *text, const char *name); /* shown_json.c */
void shown_sinfo_json(struct shown *s, const char *text, const char *name);
void shown_derive_nodes(struct shown *s); /* shown_derive.c */
#endif
