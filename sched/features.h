/*
 * features.h - --constraint and --prefer: what nodes they allow (sbatch.md 3.6, node-selection N12, N28).
 *
 * Names joined by & or "," (and) and | (or), from left to right, with parentheses; one bracket group: "[a|b]" all nodes
 * match the same alternative, "[a*2&b*1]" so many nodes of each; "a*2" alone counts too. An expression becomes a list
 * of terms: the same expression with the bracket group replaced by one of its members.
 */
#ifndef SCHED_FEATURES_H
#define SCHED_FEATURES_H
#include "sched/cluster.h"

struct feature_term {
	uint32_t count;         /* so many nodes, 0 = not counted */
	struct bitset *configs; /* owned; node configurations that have it, by index */
	struct bitset *nodes;   /* owned; their nodes */
};
struct features {
	uint32_t refs;
	bool alternatives;         /* the terms exclude each other (XOR), else each is picked in turn */
	struct feature_term *term; /* owned [n] */
	uint32_t n;
};

/* Parse EXPR; NULL when it is malformed or names a feature that no node has. One reference is the caller's. */
struct features *features_parse(const struct cluster *c, const char *expr);
struct features *features_ref(struct features *f); /* NULL is allowed */
void features_unref(struct features *f);           /* NULL is allowed */
/* Does a configuration match any of the terms? */
bool features_allow(const struct features *f, const struct node_config *k);
/* The same for a text, where it is asked rarely: false when EXPR is malformed or names no feature of the cluster. */
bool features_text_allows(const struct cluster *c, const char *expr, const struct node_config *k);
/* More than the set of allowed configurations has to be obeyed. */
static inline bool features_special(const struct features *f)
{
	return f && (f->n > 1 || f->term[0].count);
}
#endif
