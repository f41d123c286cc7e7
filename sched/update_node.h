/* update_node.h - what reading the keys of a node (update_node.c) and carrying them out (node_change.c) share; see update.h */
#ifndef SCHED_UPDATE_NODE_H
#define SCHED_UPDATE_NODE_H
#include "sched/update.h"

enum node_key { K_ACTIVE, K_AVAILABLE, K_FEATURES, K_COMMENT, K_CPU_BIND, K_EXTRA, K_GRES, K_ADDR, K_HOST, K_REASON, K_RESUME_AFTER, K_STATE, K_WEIGHT, K_KEYS };

struct node_edit {
	const char *value[K_KEYS]; /* NULL = not given */
	const char *state;         /* as scontrol spells it; NULL */
	uint32_t weight;
};

/* May all nodes of SET have the features, GRES and addresses that E gives them? */
bool node_edit_fits(const struct controller *c, const struct node_edit *e, const struct bitset *set, GError **error);
/* Features, GRES and weight of the nodes of SET as E says, when that fits. */
void node_edit_configs(struct controller *c, const struct node_edit *e, const struct bitset *set);
#endif
