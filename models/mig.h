/*
 * mig.h - which MIG instances fit on a GPU (hardware.md 3.1): the tables of models/hardware/data/mig_profiles.json.
 *
 * A GPU of 8 memory slices is cut into instances of profiles such as 3g.40gb. A profile may begin only at the slices of its
 * list of placements and takes placement_size of them; instances do not overlap, a profile has a greatest number of
 * instances, at most one instance has the media extensions (+me), and the compute slices of all are 7 at most.
 */
#ifndef MODELS_MIG_H
#define MODELS_MIG_H
#include "sched/base/diag.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define MIG_SLICES 8

struct mig_profile {
	char *name;               /* owned; "3g.40gb" */
	uint32_t compute, size;   /* slices of compute; of memory, from a placement on */
	uint32_t most;            /* instances on a GPU */
	uint8_t starts;           /* bit s: may begin at slice s */
	bool media;               /* +me */
};
struct mig_table {            /* of one kind of GPU */
	char *gpu;                /* owned; "H100-80GB", as "mig_table" of the node models */
	struct mig_profile *profile; /* owned; [n] */
	uint32_t n;
};

/* The tables at PATH (struct mig_table *, owned by the array); NULL after messages in D. g_ptr_array_unref. */
GPtrArray *mig_tables_load(const char *path, struct diag *d);
GPtrArray *mig_tables_parse(const char *text, const char *name, struct diag *d);
const struct mig_table *mig_table_find(const GPtrArray *tables, const char *gpu); /* NULL */
const struct mig_profile *mig_profile_find(const struct mig_table *t, const char *name); /* NULL */

struct mig_instance {
	const struct mig_profile *profile;
	uint32_t gpu, start; /* where it sits: set by mig_fit */
};
/* Seat all N instances on GPUS equal GPUs, larger ones first (LIST is reordered so), each on the first GPU and slice that leave
 * room for the rest. False when they cannot all sit. The search gives up as not fitting after MIG_STEPS trials. */
#define MIG_STEPS 2000000
bool mig_fit(struct mig_instance *list, uint32_t n, uint32_t gpus);
#endif
