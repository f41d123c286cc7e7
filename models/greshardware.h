/*
 * greshardware.h - what AutoDetect would have found: GPUs of nodes taken from hardware models (hardware.md section 0).
 *
 * A node whose GPUs gres.conf leaves to AutoDetect gets the gres.conf lines of its model: cores near each device, and
 * links. The model is the one named for the node, or a guess: the only one in the folder of models with the same
 * sockets, cores and number of GPUs whose type fits Type (either holds the other, case ignored); each guess is told in
 * a warning. Without a model devices are near all cores.
 */
#ifndef MODELS_GRESHARDWARE_H
#define MODELS_GRESHARDWARE_H
#include "models/gresread.h"
#include "sched/cluster.h"

struct gres_model_of {      /* named: these nodes are of that model */
	char *nodes, *path; /* owned; a host list, a JSON file */
};
void gres_model_of_free(void *m);

struct gres_hardware {
	GPtrArray *named;   /* of struct gres_model_of *; NULL = none */
	const char *folder; /* of models to guess from; NULL = no guessing */
};

/* Add lines to F for the nodes of C (pending, cluster_finish not done) that are to be detected: guesses only where
 * gres.conf says AutoDetect, named nodes always. Errors: an unreadable model, nodes that do not exist, a model of
 * another shape. */
void greshardware_add(struct gres_file *f, const struct cluster *c, const struct gres_hardware *hw, char **gres_types,
                      struct diag *d);
#endif
