/*
 * faults.h - nodes that fail by chance: a seeded model of failures and repairs.
 *
 * Failures come as a Poisson process over all nodes: RATE per 1000 nodes and day. Each hits one node, evenly chosen
 * (nothing happens when that node is down already), with a cause drawn from the mix; the node goes DOWN with that
 * reason, its jobs are lost or requeued (C45), and after a repair time drawn from the class of the repair it is
 * resumed. All chance comes from one generator with the run's seed, which nothing else uses, so equal inputs give equal
 * failures whatever the jobs do.
 *
 * A failure to come does not keep a run from being over; a repair does only while jobs wait.
 */
#ifndef SIM_FAULTS_H
#define SIM_FAULTS_H
#include <glib.h>
#include <stdint.h>

struct fault_cause { char *name; double weight; };
struct repair_class { double share, p50_h, p90_h; }; /* lognormal, hours */

struct fault_model {
	double rate; /* per 1000 node-days */
	GArray *causes;  /* of struct fault_cause */
	GArray *repairs; /* of struct repair_class */
};
struct fault_model *fault_model_new(void);
void fault_model_free(struct fault_model *m); /* NULL is allowed */

/* The dice of one run. */
struct fault_dice;
struct fault_dice *fault_dice_new(const struct fault_model *m, uint32_t n_nodes, uint64_t seed);
void fault_dice_set_nodes(struct fault_dice *d, uint32_t n_nodes); /* from now on there are so many; not 0 */
void fault_dice_free(struct fault_dice *d); /* NULL is allowed */
/* Seconds until the next failure, and what it is: NODE, CAUSE (borrowed of the model) and the seconds of repair. */
double fault_dice_next(struct fault_dice *d);
void fault_dice_throw(struct fault_dice *d, uint32_t *node, const char **cause, double *repair);
#endif
