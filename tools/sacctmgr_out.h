/*
 * sacctmgr_out.h - what accounting holds, as `sacctmgr show` prints it: assoc, qos, user, account, tres, cluster (spec
 * command-output.md 1.2).
 *
 * Cells are cut at their width, the last kept character replaced by "+"; with -P everything is whole and separated by
 * "|".
 */
#ifndef TOOLS_SACCTMGR_OUT_H
#define TOOLS_SACCTMGR_OUT_H
#include "sched/cluster.h"
#include <stdio.h>

struct sacctmgr_options {
	const char *entity;                   /* "assoc", "associations", "qos", "user", "account", "tres", "cluster" */
	const char *format;                   /* comma list of fields, "Name%20"; NULL = Slurm's */
	const char *users, *accounts, *names, *nodes; /* where; comma lists; NULL = all */
	bool tree;                            /* of assoc: accounts indented by their depth */
	bool own;                             /* wopinfo: no inherited values */
	bool without_limits;                  /* wolimits */
	bool with_assoc;                      /* of user, account: their associations too */
	bool with_coord;                      /* of user, account: the column of coordinators */
	bool parsable, closed /* -p: "|" also at the end */, no_header;
	bool json;           /* as JSON (acct_json.h) */
	const char *command; /* what was typed, for its envelope */
};
/* What sacctmgr says to an entity that it does not know. */
#define SACCTMGR_NO_ENTITY                                                                                                      \
	"No valid entity in list command\n"                                                                                     \
	"Input line must include \"Account\", \"Association\", \"Cluster\", \"Configuration\",\n"                                    \
	"\"Event\", \"Federation\", \"Problem\", \"QOS\", \"Resource\", \"Reservation\",\n"                                         \
	"\"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", \"User\", or \"WCKey\""
#define SACCTMGR_ERROR (g_quark_from_static_string("sacctmgr"))
/* False and ERROR when an entity or field is unknown. */
bool sacctmgr_print(FILE *out, const struct cluster *c, const struct sacctmgr_options *o, GError **error);
#endif
