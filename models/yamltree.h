/*
 * yamltree.h - the subset of YAML that topology.yaml needs, as a tree; private to models/.
 *
 * Block sequences and maps, flow sequences of scalars on one line ("[4, 16]"), plain and quoted scalars, comments, an
 * optional "---". A plain scalar that does not begin with a bracket may hold some (node[01-02]). Not read, and an
 * error: flow maps, anchors, tags, block scalars, several documents.
 */
#ifndef MODELS_YAMLTREE_H
#define MODELS_YAMLTREE_H
#include "sched/base/diag.h"
#include <glib.h>

#define YAML_DEPTH_MAX 32
#define YAML_LINES_MAX 1000000u

struct yaml {
	enum { YAML_SCALAR, YAML_MAP, YAML_SEQ } type;
	char *key;                  /* owned; of a member of a map */
	char *text;                 /* owned; scalar: "" when nothing was written */
	GPtrArray *kids;            /* of struct yaml *; map, sequence */
	guint line, column;         /* of the value */
	guint key_line, key_column; /* of the key of a member */
};

/* The tree of TEXT; NULL and errors in D when it is not of the subset. NAME stands in messages. */
struct yaml *yaml_parse(const char *text, const char *name, struct diag *d);
void yaml_free(void *yaml);
/* Member KEY of a map; NULL. */
const struct yaml *yaml_get(const struct yaml *map, const char *key);
#endif
