/*
 * resv_draft.h - a reservation while a command makes or changes it: the values of KEY=VALUE (resv_draft.c), then its nodes (resv_choose.c). What scontrol
 * and slurmctld 22.05 answer to each form is recorded: tests/recorded/reservations.
 */
#ifndef SCHED_RESV_DRAFT_H
#define SCHED_RESV_DRAFT_H
#include "sched/reservation.h"
#include "sched/state.h"

struct resv_draft {
	struct controller *c;
	struct reservation *r;
	bool create;       /* else it is changed */
	bool has_start, has_end, has_nodes, has_features, has_users, has_groups;
	bool skip;         /* "skip": a recurring one passes over its next time */
	sec_t start, end;
	bool part_nodes;   /* the flag PART_NODES was given */
	uint32_t minutes;  /* Duration; NO_VAL = not given */
	char minutes_sign; /* "duration+=": '+', '-', else 0 */
	uint32_t node_cnt; /* 0 = not given; 1k = 1024 */
	GArray *cores;     /* CoreCnt: uint32_t, one or one a node */
	bool cores_each;   /* TRESPerNode=cpu: its one number is for each node */
	GArray *wants;     /* GRES asked for: struct resv_want (resv_gres.h), perhaps none; NULL = no such TRES= */
	const char *parts; /* Parts=, resv_gres.h; NULL = not given */
	const char *nodes_text;
	char nodes_sign;
	GError **error;
};

#define RESV_REFUSE(d, ...) (g_set_error((d)->error, SUBMIT_ERROR, 0, __VA_ARGS__), false)
/* What slurmctld answers: "Error creating the reservation: ..."; and what scontrol says itself. */
bool resv_refused(const struct resv_draft *d, const char *why);
bool resv_misread(const struct resv_draft *d, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* One KEY=VALUE; false and d->error when it is not understood. */
bool resv_draft_set(struct resv_draft *d, const char *key, const char *value);
/* Cores of NODE that another reservation, or a job beyond the start, has: OUT gets them. Whole-node ones have all. */
void resv_cores_in_use(const struct resv_draft *d, uint32_t node, struct bitset *out);
/* C64: the nodes and cores of the draft; false and d->error when they are not to be had. */
bool resv_draft_nodes(struct resv_draft *d);
/* C63: as many free cores of node TO as R holds on FROM take their place; false when there are not so many. */
bool resv_move_cores(struct controller *c, struct reservation *r, uint32_t from, uint32_t to);
#endif
