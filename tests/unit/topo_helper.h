/* topo_helper.h - a world whose topology is read from text, and idle or busy nodes, for the tests of node choice. */
#ifndef TESTS_UNIT_TOPO_HELPER_H
#define TESTS_UNIT_TOPO_HELPER_H
#include "models/topoconf.h"
#include "tests/unit/sched_helper.h"

/* The topology of the world, before w_begin; TEXT is a topology.conf, or a topology.yaml when it begins with "-". */
static inline void w_topology(struct world *w, const char *text)
{
	struct diag *d = diag_new();
	if (*text == '-')
		topoyaml_read_text(w->cl, text, "topology.yaml", d);
	else
		topoconf_read_text(w->cl, text, "topology.conf", TOPOLOGY_FLAT, d);
	for (guint i = 0; i < d->errors->len; i++)
		print_error("%s\n", (const char *)d->errors->pdata[i]);
	assert_int_equal(d->n_errors, 0);
	diag_free(d);
}

/* A job of CORES cores on each of NODES that runs from NOW on. */
static inline struct job *w_busy(struct world *w, sec_t now, const char *nodes, uint32_t cores)
{
	g_autofree char *n = g_strdup_printf("%" G_GINT64_FORMAT, hostlist_count(nodes, NULL));
	g_autofree char *per = g_strdup_printf("%u", cores);
	struct job *j = w_job(w, now, "nodelist", nodes, "nodes", n, "ntasks-per-node", per, "time", "60", "priority",
	                      "1000000", NULL);
	w_full(w, now);
	w_runs_on(w, j, now, nodes);
	return j;
}

/* Submitted and tried at NOW: it runs on NODES. */
#define w_gets(w, now, want, ...)                                                                                      \
	do {                                                                                                           \
		struct job *got_ = w_job((w), (now), __VA_ARGS__, "time", "30", NULL);                                 \
		w_full((w), (now));                                                                                    \
		w_runs_on((w), got_, (now), (want));                                                                   \
	} while (0)
#endif
