/*
 * resv_gres.h - GRES in reservations (since 23.11; lifecycle C60, C64). 22.05 has none (recorded: "not supported with reservations").
 *
 * What a part-node reservation has of its nodes is an allocation like a job's: struct reservation.cores, with cores and GRES. Jobs outside
 * cannot have these devices, jobs inside no others of the GRES that it reserves; of a GRES that it does not reserve they may have any
 * (recorded for reservations of cores). GRES with devices are kept device by device, so that it is known at all times which are free. Of
 * a plain count it is only known how many the jobs inside hold now: a test of the future counts these as held in it too.
 */
#ifndef SCHED_RESV_GRES_H
#define SCHED_RESV_GRES_H
#include "sched/reservation.h"

/* Add to c->sel->blocked_gres what R keeps from jobs; INSIDE: from one of its own. For resv_block_parts. */
void resv_gres_block(struct controller *c, const struct reservation *r, bool inside);
#endif
