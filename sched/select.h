/*
 * select.h - which nodes a job gets: a trial of one job on a set of nodes (node-selection rules N20-N43).
 *
 * A trial has three steps, so that the estimate of a future start (willrun.c) can repeat the last two cheaply:
 *   1. trial_begin: what does each usable node offer (N31-N34)? Nodes without a free core are never looked at.
 *   2. trial_recheck: a node's use changed (a job was removed from the imagined future): only that node is looked at again.
 *   3. trial_choose: pick nodes (N40-N43). Sums of what is offered reject most hopeless tries without a look at any node.
 * trial_place then turns the choice into cores, memory and devices (place.c; N51-N57, N68).
 *
 * What a node offers is judged in offer.c, what N42 takes in take.c, GPUs in gres_select.c and gres_place.c, cores in cores.c, the layout in
 * place.c. The seam for the methods of choice other than the best fit (LLN, tree, block ...: N44-N49) is choose.h.
 */
#ifndef SCHED_SELECT_H
#define SCHED_SELECT_H
#include "sched/cluster.h"
#include "sched/job.h"
#include "sched/usage.h"

enum trial_mode {
	TRIAL_RUN_NOW,  /* with the sharing filter N26 */
	TRIAL_WILL_RUN, /* an imagined state: N26 does not apply */
	TRIAL_TEST_ONLY /* as if nothing ran: all cores, memory and GRES free (N60) */
};

struct trial_counts { uint32_t min, max, req; }; /* N20 */

/* Which GRES of a node's configuration a want of the trial's job is about: names and types are compared once a trial. */
enum { GRES_FIT_WANTS = 4 };
struct gres_fit {
	int32_t gres;     /* its place in the configuration; -1 = none */
	uint64_t groups;  /* the groups of devices whose type will do, by their place */
	uint64_t devices; /* their devices, no group sharing one with another; else 0 */
};
struct gres_fits {
	const struct job *job; /* whose they are; NULL = nobody's */
	struct gres_fit *at;   /* [configs x GRES_FIT_WANTS] */
};

struct selector {
	const struct cluster *cl;
	const struct node_config **config; /* [n_nodes] of each node, side by side: a look at thousands of nodes begins with it */
	/* the trial in progress */
	const struct job *job;
	const struct partition *part;
	const struct usage *view;
	const struct bitset *held; /* N24: nodes that the job's associations and QOS with a limit of nodes hold already; NULL = no such limit. Set
	                            * before trial_begin, as is */
	const uint64_t *blocked; /* cores that reservations keep from the job, laid out like usage.core; NULL = none. Set before trial_begin */
	const struct gres_use *blocked_gres; /* and devices and counts, laid out like usage.gres; NULL = none, as always when blocked is */
	const struct job *blocked_job; /* from whom; not dereferenced */
	const struct bitset *admitted; /* where jobs take turns (share.h): in the place of N26; else NULL. Set before trial_begin */
	bool last_alternative; /* of alternative features ("[a|b]") only the last one is tried (E16a); set and cleared by preempt.c */
	enum trial_mode mode;
	struct trial_counts count;
	const struct bitset *usable; /* borrowed until the next trial_begin */
	uint32_t *offer;   /* [n_nodes] CPUs a node offers; valid where ok is set */
	uint32_t *gpus;    /* [n_nodes] free units of the per-job GRES, for jobs that ask per job or per node */
	struct bitset *ok; /* nodes that offer something */
	uint64_t sum_cpus, sum_gpus;
	uint32_t n_ok;
	uint32_t *jobs_cpus; /* CPUs used by the partition on a node, only when it has MaxCPUsPerNode */
	bool limit_cpus;
	bool power;         /* some node is off, boots or is to reboot: its weight is higher (N23). Set by power.c */
	bool plain_weights; /* all nodes weigh the same for this job */
	bool has_gres;
	bool lazy;          /* one-node start: nodes are judged in the order in which they are tried; ok and offer are not set */
	GArray *weights;    /* of struct weight_class, ascending: the nodes of each configured weight */
	bool *split;            /* [configs] some of its nodes are in held, some not (N24) */
	struct alike *alike;    /* what nodes that are used alike offer (alike.h) */
	struct bitset *same; /* scratch: idle candidates of one configuration */
	bool sums_suffice;      /* sockets do not matter for what a node offers */
	uint64_t *core_scratch; /* 2 x words of the largest node */
	uint32_t most_words;
	/* jobs with GRES */
	struct gres_fits *fits;
	bool first_pass;        /* GPU locality is demanded (N66); the second pass relaxes it (N67) */
	uint8_t *near;          /* [n_nodes] the weight's low byte as this trial finds it (N23) */
	uint8_t *byte;          /* [n_nodes] the low byte in force: of the last trial that came to the node */
	bool bytes_differ;      /* some byte is not 255 */
	uint32_t *look_cpus, *look_gpus; /* [n_nodes] N43's first look; valid where looked is set */
	struct bitset *looked;
	bool looked_pass;       /* what it was looked at with */
	uint32_t looked_given, looked_left;
	uint32_t *core_off;     /* [n_nodes + 1] first word of a node in cores */
	uint64_t *cores;        /* candidate cores of chosen nodes of jobs with GRES */
	uint32_t *least;        /* [n_nodes] CPUs implied by GPUs on a chosen node */
	uint32_t *t_max;        /* [n_nodes] GPU task limit of a chosen node */
	/* scratch of trial_choose */
	uint32_t *left;    /* offer, as cut by N42 */
	uint32_t *taken;   /* CPUs of a chosen node that tasks may use: the cap of N52 */
	uint32_t *gtaken;  /* units of the per-job GRES taken */
	struct bitset *cand, *chosen;
	struct bitset *dropped; /* candidates to leave out after CHOICE_DROP (choose.h) */
	/* set by the controller */
	const sec_t *now;      /* its clock, and */
	sec_t *time_bound;     /* when the outcome of a trial could differ by the clock alone (note_time); NULL: no clock */
	bool group_test;       /* the trial is a group test of a will-run estimate (backfill B33, B37) */
	GArray *runs;      /* of struct run */
	GArray *heap;      /* of guint: places in runs, see best_run */
	uint32_t most_in_run; /* nodes of the longest */
	GArray *by_offer;
	bool over_nodes;   /* choose_tree.c: the last try that found a switch large enough took all the nodes that it may, none of them by name, and had too few CPUs */
	uint32_t n_chosen;
	uint32_t chosen_cpus;
};

struct selector *selector_new(const struct cluster *c);
void selector_free(struct selector *s);

/* N20: node counts of an attempt in PART with CAP from accounting limits (INFINITE = none). */
struct trial_counts trial_counts_for(const struct job *j, const struct partition *part, uint32_t cap);

/* Start a trial. VIEW: the true state or an overlay. The usable set is AND-ed with the job's static filter (N12) and exclusions here. RUNNING:
 * first of the running list, needed for MaxCPUsPerNode. Returns false when fewer than count.min nodes or too few CPUs are offered, or a
 * required node offers nothing. */
bool trial_begin(struct selector *s, const struct job *j, const struct partition *part, const struct usage *view, const struct bitset *usable,
		 struct trial_counts count, enum trial_mode mode, struct job *running);
/* The same trial seen through another view of equal content (an overlay just reset). */
void trial_view(struct selector *s, const struct usage *view);
void trial_recheck(struct selector *s, uint32_t node);
/* The same for many nodes at once that have become idle: one of each configuration speaks for all. NODES is overwritten. */
void trial_recheck_idle(struct selector *s, struct bitset *nodes);
/* After trial_begin: judge all nodes now, also where that was put off. */
void trial_offer_all(struct selector *s);
/* Necessary conditions by the sums alone. */
bool trial_hopeless(const struct selector *s);
/* Choose nodes: true with chosen, taken set. */
bool trial_choose(struct selector *s);
/* N23: a run-now attempt, a submission or a backfill test (B37) sets the weights of NODES anew: their GPU bytes are forgotten. */
void trial_forget_bytes(struct selector *s, const struct bitset *nodes);
/* The same for the will-run test of a job with GRES since 23.02: the weights of NODES are set anew without a byte, so that those that a test
 * does not judge usable come before all others in the next (recorded: gpu_frag, cpg planned on g03). */
void trial_imagine_bytes(struct selector *s, const struct bitset *nodes);
/* A hash of the GPU bytes that later trials may read: constant where they are always set anew (not 22.05). */
uint64_t trial_bytes(const struct selector *s);
/* The same for will-run tests: a choice whose devices cannot be dealt out (N68) is none. */
bool trial_would_start(struct selector *s);
/* Cores, memory and devices of the choice. NULL when a detail cannot be met (then the start fails as busy). The caller owns the result. */
struct job_alloc *trial_place(struct selector *s);
/* The first per-node or per-job want that counts devices: NULL if none. */
const struct gres_want *job_main_gres(const struct job *j);
#endif
