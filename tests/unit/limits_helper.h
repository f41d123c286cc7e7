/* limits_helper.h - a cluster with accounts, for the tests of limits and reasons: sched_helper.h plus sacctmgr
 * commands. */
#ifndef TESTS_UNIT_LIMITS_HELPER_H
#define TESTS_UNIT_LIMITS_HELPER_H
#include "sched_helper.h"
#include "models/accounting.h"
#include "sched/limits.h"

#define LIMITS (ENFORCE_ASSOC | ENFORCE_LIMITS)

/* sacctmgr commands on top of: account acct with users u1 and u2, account other with user u3. Before w_begin. */
static inline void l_account(struct world *w, uint32_t enforce, const char *commands)
{
	struct diag *d = diag_new();
	char *text =
	    g_strconcat("add account acct\nadd account other\nadd user u1,u2 account=acct\nadd user u3 account=other\n",
	                commands ? commands : "", NULL);
	w->cl->acct = acct_new(w->cl->tres);
	w->p->has_accounting = true;
	w->p->enforce = enforce;
	if (!accounting_read_text(text, "acct", w->cl->acct, d) || d->n_errors)
		fail_msg("%s", text);
	diag_free(d);
	g_free(text);
}

/* NODES of 8 cores and 4 GPUs in partition p, with accounts; the controller starts at 0. */
static inline struct world *l_unbegun(enum slurm_version v, const char *nodes, uint32_t enforce, const char *commands)
{
	struct world *w = world_new(v);
	struct node_config *k = w_nodes(w, nodes, 1, 8, 1);
	k->gres = g_new0(struct node_gres, 1);
	k->n_gres = 1;
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 4};
	w_part(w, "p", nodes);
	tres_add(w->cl->tres, "gres/gpu");
	tres_add(w->cl->tres, "license/mat");
	tres_add(w->cl->tres, "bb/fast");
	l_account(w, enforce, commands);
	return w;
}

static inline struct world *l_world(enum slurm_version v, const char *nodes, uint32_t enforce, const char *commands)
{
	struct world *w = l_unbegun(v, nodes, enforce, commands);
	w_begin(w, 0);
	return w;
}

static inline struct assoc *l_acct(struct world *w)
{
	return acct_find_account(w->cl->acct, "acct");
}
static inline struct qos *l_qos(struct world *w, const char *name)
{
	return acct_find_qos(w->cl->acct, name);
}
static inline void l_tick(struct world *w, sec_t t)
{
	controller_priority_tick(w->c, t * USEC);
}
static inline void l_runs(const struct job *j)
{
	if (j->state != JOB_RUNNING)
		fail_msg("job %u is %s, reason %s", j->id, job_state_name(j->state), reason_name(j->reason));
}
#endif
