/*
 * alike.h - nodes that are used alike offer alike: what was worked out for one in a trial speaks for the others.
 *
 * What a job with GRES finds on a node (N31-N34, N66) depends on the node's configuration and on a few words: its
 * free cores, devices and memory. On a cluster of thousands of nodes there are few different ones, so a trial
 * remembers them by content: a small table in which a newcomer takes the place of what was there. Nothing has to be
 * forgotten when a node's use changes; a new trial begins with an empty table.
 *
 * Not for nodes with shares (which hang on more), reservations' cores, MaxCPUsPerNode, and nodes of more than
 * ALIKE_WORDS words.
 */
#ifndef SCHED_ALIKE_H
#define SCHED_ALIKE_H
#include "sched/gres_select.h"
#include "sched/select.h"

#define ALIKE_WORDS 12
#define ALIKE_CORE_WORDS 4

struct alike_key {
	const struct node_config *config;
	uint32_t n; /* words in use */
	uint64_t word[ALIKE_WORDS];
};
struct alike_offer { /* N34, N64, N23 */
	uint32_t cpus, gpus;
	uint8_t near;
};
struct alike_look { /* N66, with the cores that stay */
	bool ok;
	struct gres_look look;
	uint64_t cores[ALIKE_CORE_WORDS];
};

struct alike *alike_new(void);
void alike_free(struct alike *a);
void alike_forget(struct alike *a); /* another trial begins */
/* What NODE's offer to the job of S depends on; MORE: further words. False when it may depend on other things too. */
bool alike_key(const struct selector *s, uint32_t node, uint64_t more, struct alike_key *key);
/* The entry of KEY; *found tells whether it was filled in earlier in this trial, else the caller does so. */
struct alike_offer *alike_offer(struct alike *a, const struct alike_key *key, bool *found);
struct alike_look *alike_look(struct alike *a, const struct alike_key *key, bool *found);
#endif
