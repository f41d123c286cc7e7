/* power_state.h - what power.c, power_scan.c and reboot.c share; see power.h */
#ifndef SCHED_POWER_STATE_H
#define SCHED_POWER_STATE_H
#include "sched/power.h"
#include "sched/state.h"

enum next_state { NEXT_NONE, NEXT_RESUME, NEXT_DOWN };

struct power {
	bool saving;          /* power saving is configured */
	bool active;          /* something here can happen at all */
	sec_t *busy;          /* [n_nodes] until when something was on the node */
	sec_t *since;         /* [n_nodes] when the powering up or down, or the reboot, began */
	uint32_t *idle_time;  /* [n_nodes] SuspendTime in force; INFINITE = never */
	uint32_t *down_time, *up_time; /* [n_nodes] SuspendTimeout and ResumeTimeout in force */
	uint8_t *next;        /* [n_nodes] enum next_state, of a node that is to reboot */
	struct bitset *exempt; /* SuspendExcNodes and SuspendExcParts */
	GPtrArray *keep;      /* of struct kept_nodes *: SuspendExcNodes with a count */
	uint32_t exempt_flags; /* SuspendExcStates */
	bool exempt_down, exempt_planned;
	uint32_t reboots;     /* nodes with REBOOT_REQUESTED */
	uint32_t configuring; /* jobs */
	uint32_t trial;       /* nodes that would be powered up besides (power_count_trial) */
	uint64_t changes, seen; /* of nodes; those that the last scan knew */
	sec_t last_scan, due; /* due: when a scan can next do something, if no node changes; INT64_MAX = never */
	/* tokens of the rates, in sixtieths of a node */
	int64_t up_tokens, down_tokens;
	sec_t tokens_at;
};
struct kept_nodes { struct bitset *nodes; uint32_t n; };

/* State of N changed: the host hears of it. */
void power_tell(struct controller *c, struct node *n);
/* The loop's turn for reboots; whether one is to be issued at the next. */
void power_issue_reboots(struct controller *c);
bool power_reboot_ready(const struct controller *c);
/* N has registered after its reboot. */
void power_rebooted(struct controller *c, struct node *n);
/* N did not come up in time: it goes DOWN for REASON, its jobs are requeued or lost (C45). */
void power_node_fails(struct controller *c, struct node *n, const char *reason);
/* Nothing runs or completes on node I. */
bool power_node_idle(const struct controller *c, uint32_t i);
#endif
