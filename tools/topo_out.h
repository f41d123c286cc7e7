/*
 * topo_out.h - a hardware model's GPUs and NICs as `nvidia-smi topo -m` prints them: columns split by tabs.
 */
#ifndef TOOLS_TOPO_OUT_H
#define TOOLS_TOPO_OUT_H
#include "models/nodemodel.h"
#include <glib.h>

/* The matrix with its legend. PCIE: without NVLink, as topo -mp. g_free. */
char *topo_matrix(const struct node_model *m, bool pcie);
/* The folder of the models: here or beside the program; NULL = none. g_free. */
char *topo_folder(void);
/* Find and load a model: a path, or the name of one in models/hardware. NULL after a message of COMMAND on stderr. */
struct node_model *topo_load(const char *command, const char *name);
/* How the MIG instances of LIST ("3g.40gb:2,1g.10gb") sit on the GPUs of M, and its Gres= word. NULL after a message of COMMAND on
 * stderr when the list is bad or does not fit. g_free. */
char *topo_mig(const char *command, const struct node_model *m, const char *list);
/* Names of the models that come with whypend, ascending; NULL-terminated, never NULL. g_strfreev. */
char **topo_names(void);
#endif
