/* nodemodel_check.h - the rules that node model files promise; private to models/. */
#ifndef MODELS_NODEMODEL_CHECK_H
#define MODELS_NODEMODEL_CHECK_H
#include "models/nodemodel.h"

/* Report every broken rule of hardware.md section 0 ("Rules a loader may assert") in M to D, with FILE's name. */
void node_model_check(const struct node_model *m, const char *file, struct diag *d);
#endif
