/*
 * resv_gres.h - reservations of parts of nodes: TRES= and TRESPerNode=, and GRES above all (since 23.11; lifecycle C60, C64).
 *
 * What a part-node reservation has of its nodes is an allocation like a job's: struct reservation.cores, with cores and GRES. Jobs outside
 * cannot have these devices, jobs inside no others of the GRES that it reserves; of a GRES that it does not reserve they may have any
 * (recorded for reservations of cores). GRES with devices are kept device by device, so that it is known at all times which are free. Of
 * a plain count it is only known how many the jobs inside hold now: a test of the future counts these as held in it too.
 *
 * 22.05 reserves no GRES; its words for that are recorded (tests/recorded/reservations-tres). Which devices and cores are taken is recorded nowhere:
 * here the free devices of lowest index, the free cores near them, and without a number of cores as large a share of the node's as
 * of its devices, at least one.
 */
#ifndef SCHED_RESV_GRES_H
#define SCHED_RESV_GRES_H
#include "sched/resv_draft.h"

struct resv_want {
	char *name, *type; /* owned; type NULL = any */
	uint32_t total;    /* over all nodes, or */
	uint32_t per_node; /* on each; the other is 0 */
};

/* ---- resv_tres.c ---- */
/* "cpu=8,gres/gpu:a100=2,license/matlab=1"; PER_NODE: of TRESPerNode. False and d->error when it is not understood. */
bool resv_tres_set(struct resv_draft *d, const char *text, bool per_node);
GArray *resv_wants_new(void); /* of struct resv_want; g_array_unref */
/* "cpu=8,gres/gpu=2,license/matlab=1" as scontrol shows it; NULL = nothing. g_free. */
char *resv_tres_text(const struct controller *c, const struct reservation *r);

/* ---- resv_gres_choose.c ---- */
/* C64 with GRES: of the nodes LIST (uint32_t, the best first) d->r->nodes and d->r->cores. False and d->error when they are not to be had. */
bool resv_gres_choose(struct resv_draft *d, const GArray *list);

/* The parts are d->r's: its nodes, cores and their number. Takes the arrays (of uint64_t, struct alloc_node, struct gres_taken). */
void resv_keep_parts(struct resv_draft *d, GArray *words, GArray *nodes, GArray *gres);
/* C63: what R, which has GRES, holds on node FROM goes over to TO; false when TO has not as much free. R's set of nodes is left to the caller. */
bool resv_gres_move(struct controller *c, struct reservation *r, uint32_t from, uint32_t to);

/* ---- resv_parts.c ---- */
/* d->parts, "n1:0-3:gpu=0-1+n2:0,4:gpu=0": just these. */
bool resv_parts_set(struct resv_draft *d);

/* ---- resv_gres.c ---- */
/* Add to c->sel->blocked_gres what R keeps from jobs; INSIDE: from one of its own. For resv_block_parts. */
void resv_gres_block(struct controller *c, const struct reservation *r, bool inside);
/* What GRES number GRES is in the part AN of A; NULL = nothing. */
const struct gres_taken *resv_taken(const struct job_alloc *a, const struct alloc_node *an, uint32_t gres);
/* The reservation that has a part of NODE; NULL. While there is one the node keeps its shape. */
const struct reservation *resv_part_holder(const struct controller *c, uint32_t node);
/* Does R reserve some of the GRES NAME? R must be one of parts of nodes. */
bool resv_reserves(const struct controller *c, const struct reservation *r, const char *name);
#endif
