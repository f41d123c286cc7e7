/*
 * license.h - cluster licences (lifecycle C58): what a job asks for, and whether it is there.
 *
 * A demand is a list of licences joined by "," (all of them) or, not in 22.05, by "|" (the first that fits). A job
 * takes its licences when it starts and gives them back when its last epilog is done. The counts taken stand in struct
 * license of the cluster. What reservations hold back for others at some time is subtracted from what is free.
 *
 * Counts of all licences at once are arrays of license_kinds() numbers, in the order of cluster.licenses.
 */
#ifndef SCHED_LICENSE_H
#define SCHED_LICENSE_H
#include "sched/blocker.h"
#include "sched/cluster.h"

struct job;
struct controller;

struct license_want {
	uint32_t license /* index in cluster.licenses */, count;
};
struct license_list {
	uint32_t n;
	bool any; /* "|" */
	int held; /* with any: the entry that was taken; -1 = none */
	struct license_want want[];
};

/* Read "name[:n],..." or "name[:n]|...". NULL and a message in ERROR (sbatch's) when a licence is unknown, a count is
 * no number or 0, or is above the configured total. The caller frees with g_free. */
struct license_list *license_parse(const struct cluster *cl, const char *text, GError **error);
struct license_list *license_copy(const struct license_list *l); /* NULL gives NULL */

/* Is there enough in FREE[] for L? NULL never lacks anything. */
bool license_fits(const struct license_list *l, const uint32_t *free);
/* Take what L holds (or would take) out of FREE[]; never below 0. */
void license_subtract(const struct license_list *l, uint32_t *free);
void license_add_back(const struct license_list *l, uint32_t *free);

/* Of licence KIND, what active reservations hold (scontrol show licenses: Reserved). */
uint32_t license_reserved(const struct controller *c, uint32_t kind, sec_t now);
uint32_t license_kinds(const struct cluster *cl);
/* What is free for J from WHEN on for SECONDS, reservations of others subtracted; OUT has license_kinds entries. */
void license_free_for(struct controller *c, const struct job *j, sec_t when, sec_t seconds, uint32_t *out);
/* C58 for a start now. */
bool license_available(struct controller *c, const struct job *j);
/* Which one J is short of now, and by how much: RESOURCE without a partition. */
struct blocker license_blocker(struct controller *c, const struct job *j);
/* The same of what c->lic_free[] holds. */
struct blocker license_short(const struct controller *c, const struct job *j);
void license_take(struct controller *c, struct job *j);
void license_return(struct controller *c, struct job *j);
#endif
