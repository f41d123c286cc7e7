/* update_part.h - what reading the keys of a partition (update_part.c) and carrying them out (part_change.c) share; see update.h */
#ifndef SCHED_UPDATE_PART_H
#define SCHED_UPDATE_PART_H
#include "sched/update.h"

enum {
	PART_EDIT_NODES = 1,   /* nodes_text is to become nodes */
	PART_EDIT_SHAPE = 2,   /* what is derived of the cluster is to be made anew */
	PART_EDIT_TIER = 4,
	PART_EDIT_QOS = 8,     /* qos_name is to become qos */
	PART_EDIT_BILLING = 16, /* billing_text is to become billing_weights */
	PART_EDIT_DEFAULT = 32
};

struct part_edit {
	struct partition *p; /* what is edited */
	const char *typed;   /* the key in work */
	uint32_t what;       /* PART_EDIT_* */
	bool late_error;     /* it is slurmctld that refuses the value, not scontrol */
};
/* P as SET says; on failure P is half changed. */
bool part_edit(struct part_edit *e, const struct setting *set, guint n, int release, GError **error);
/* A value of CpuBind. */
bool cpu_bind_known(const char *value);
#endif
