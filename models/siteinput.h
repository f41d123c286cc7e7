/*
 * siteinput.h - which files a site gave, and what kind each is.
 *
 * Where slurm.conf or an accounting file is asked for, a site may give other things in its place: several files
 * separated by commas, or a folder. What a file is, is told by its content, never by its name; a folder's files are
 * found by name: slurm.conf alone if it is there, else all that look like outputs of scontrol, sinfo and sacctmgr
 * ("scontrol-show-config.txt", "scontrol_show_partition.txt", "sinfo_nodes.txt", "show-node.txt"...).
 */
#ifndef MODELS_SITEINPUT_H
#define MODELS_SITEINPUT_H
#include <glib.h>

enum site_kind {
	SITE_CONF,           /* slurm.conf */
	SITE_SHOW_CONFIG,    /* scontrol show config */
	SITE_SHOW_PARTITION, /* scontrol show partition, also -o */
	SITE_SHOW_NODE,      /* scontrol show node, also -o and -d */
	SITE_NODE_JSON,      /* scontrol show node --json */
	SITE_SINFO,          /* sinfo with columns separated by | */
	SITE_SINFO_JSON,     /* sinfo --json */
	SITE_ACCOUNTING,     /* sacctmgr commands or dump */
	SITE_ASSOC,          /* sacctmgr show assoc -P */
	SITE_QOS,            /* sacctmgr show qos -P */
	SITE_QOS_JSON,       /* a list of objects with the columns of sacctmgr show qos */
	SITE_TRES,           /* sacctmgr show tres -P */
	SITE_USER,           /* sacctmgr show user -P */
	SITE_SSHARE,         /* sshare -l -P */
};

/* What TEXT is. One of the kinds of a configuration; SITE_CONF when nothing else fits. */
enum site_kind site_conf_kind(const char *text);
/* The same among the kinds of accounting; SITE_ACCOUNTING when nothing else fits. */
enum site_kind site_acct_kind(const char *text);

/* The files that PATH stands for as configuration; a strv (g_strfreev), never NULL: PATH itself when it is one file or
 * does not exist, empty when it is a folder without such files. */
char **site_conf_files(const char *path);
/* The same for accounting: in a folder the files whose names hold "sacctmgr" or "sshare" (not "stats" or other
 * outputs). */
char **site_acct_files(const char *path);
#endif
