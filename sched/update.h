/*
 * update.h - scontrol create, update and delete partition, and update node, with every key (tests/recorded/updates).
 *
 * A command is a list of KEY=VALUE. What scontrol refuses by itself, before it asks slurmctld, ..._check refuses with its words: an unknown key, a
 * value that cannot be. The rest is refused by the functions that act, with the words that scontrol prints after "slurm_update error: ". A refused
 * command changes nothing. Lines of a message are separated by "\n".
 *
 * Keys are in any case and may be cut off ("maxt"), as in scontrol. RELEASE 0 knows the keys of all releases.
 *
 * A partition (update_part.c): what has no part in decisions is stored to be shown, or accepted without effect (AllocNodes, CpuBind). Nodes=, OverSubscribe=
 * and ExclusiveUser= make what is derived of the cluster anew (reshape.h), which gang scheduling does not allow. Jobs that run stay as they are. A
 * partition that a waiting or running job names cannot be deleted.
 *
 * A node (update_node.c): State= as recorded in 22.05. Weight=, AvailableFeatures=, ActiveFeatures= and Gres= give the nodes configuration records of their
 * own, behind those of slurm.conf in the order of the sets (N22), until the next reconfigure.
 */
#ifndef SCHED_UPDATE_H
#define SCHED_UPDATE_H
#include "sched/controller.h"

struct setting {
	const char *key, *value;
};

/* CREATE: of a partition that is to come. */
bool part_settings_check(const struct setting *set, guint n, bool create, int release, GError **error);
bool controller_set_partition(struct controller *c, const char *name, const struct setting *set, guint n, usec_t now, GError **error);
/* Defaults are those of a PartitionName line, but MinNodes 1, and nothing of PartitionName=DEFAULT (recorded). */
bool controller_create_partition(struct controller *c, const char *name, const struct setting *set, guint n, usec_t now, GError **error);
bool controller_delete_partition(struct controller *c, const char *name, usec_t now, GError **error);

bool node_settings_check(const struct setting *set, guint n, int release, GError **error);
/*
 * NODES: a list, or ALL. Of several nodes those that may be what State= says become it, also when others may not, which is an error then (recorded);
 * the other keys are for all or none. *ASKED (may be NULL): the nodes that are now to tell that they are there, as they were resumed or undrained
 * (C52): the host says so with controller_update_node(noresp, then responding); NULL = none; bitset_free. ResumeAfter= is the host's affair.
 */
bool controller_set_node(struct controller *c, const char *nodes, const struct setting *set, guint n, usec_t now, struct bitset **asked, GError **error);

/* For the files of sched/ only. */

/* Nodes changed: the passes look again. ASKS: for a pass (S3). */
void ctl_nodes_changed(struct controller *c, bool asks);
/* STATE of all nodes of SET, whatever theirs is; SET is used up. False and ERROR when one of them refuses. */
bool ctl_set_states(struct controller *c, struct bitset *set, const char *state, const char *reason, GError **error);
#endif
