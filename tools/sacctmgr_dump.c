/* sacctmgr_dump.c - see sacctmgr_dump.h */
#include "tools/sacctmgr_dump.h"
#include "models/confwrite.h"
#include "tools/sacctmgr_out.h"
#include <string.h>

static const char HEAD[] =
    "# To edit this file start with a cluster line for the new cluster\n"
    "# Cluster - 'cluster_name':MaxTRESPerJob=node=50\n"
    "# Followed by Accounts you want in this fashion (root is created by default)...\n"
    "# Parent - 'root'\n"
    "# Account - 'cs':MaxTRESPerJob=node=5:MaxJobs=4:MaxTRESMinsPerJob=cpu=20:FairShare=399:MaxWallDurationPerJob=40:Description='Computer "
    "Science':Organization='LC'\n"
    "# Any of the options after a ':' can be left out and they can be in any order.\n"
    "# If you want to add any sub accounts just list the Parent THAT HAS ALREADY\n"
    "# BEEN CREATED before the account line in this fashion...\n"
    "# Parent - 'cs'\n"
    "# Account - 'test':MaxTRESPerJob=node=1:MaxJobs=1:MaxTRESMinsPerJob=cpu=1:FairShare=1:MaxWallDurationPerJob=1:Description='Test "
    "Account':Organization='Test'\n"
    "# To add users to a account add a line like this after a Parent - 'line'\n"
    "# User - 'lipari':MaxTRESPerJob=node=2:MaxJobs=3:MaxTRESMinsPerJob=cpu=4:FairShare=1:MaxWallDurationPerJob=1\n";

/* Recorded: each line behind "sacctmgr: "; the QOS and the Cluster line are one message. */
static void tell(FILE *echo, const char *text)
{
	bool qos = g_str_has_prefix(text, "QOS"), inside = false;

	while (*text) {
		size_t n = strcspn(text, "\n");

		fprintf(echo, "%s%.*s\n", inside ? "" : "sacctmgr: ", (int)n, text);
		inside = qos && !g_str_has_prefix(text, "Cluster");
		qos = qos && inside;
		text += n + (text[n] != '\0');
	}
}

bool sacctmgr_dump(FILE *echo, const struct cluster *c, const char *cluster, const char *file, GError **error)
{
	const char *own = c->params->cluster_name;
	g_autofree char *name = file ? g_strdup(file) : g_strdup_printf("%s.cfg", own);

	if (cluster && g_ascii_strcasecmp(cluster, own) != 0) {
		g_set_error(error, SACCTMGR_ERROR, 0, " Cluster %s doesn't exist.", cluster);
		return false;
	}
	g_autofree char *text = confwrite_dump(c->acct, own, c->params->version == SLURM_22_05), *whole = g_strconcat(HEAD, text, NULL);

	if (!g_file_set_contents(name, whole, -1, error))
		return false;
	tell(echo, text);
	return true;
}
