/*
 * lint_helper.h - a small site written to a directory, and what lint says of it.
 *
 * CLEAN is a site of which no check says anything; the cases change one thing of it.
 */
#ifndef TESTS_UNIT_LINT_HELPER_H
#define TESTS_UNIT_LINT_HELPER_H
#include "models/slurmconf.h"
#include "tests/unit/models_helper.h"
#include "tools/lint.h"

#define HEAD                                                                                                           \
	"ClusterName=t\nSlurmctldHost=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"           \
	"EnforcePartLimits=ALL\nGresTypes=gpu\nAccountingStorageTRES=gres/gpu\nPriorityType=priority/multifactor\n"    \
	"PriorityWeightAge=1000\nDependencyParameters=kill_invalid_depend\n"                                           \
	"AccountingStorageType=accounting_storage/slurmdbd\n"
#define MEM "DefMemPerCPU=1000\n"
#define NODES "NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=64000\n"
#define PART "PartitionName=p Nodes=n[1-4] Default=YES MaxTime=120 DefaultTime=30\n"
#define GPUS "NodeName=g[1-2] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=64000 Weight=9 Gres=gpu:4\n"
#define GPART "PartitionName=g Nodes=g[1-2] MaxTime=120 DefaultTime=30\n"
#define CLEAN HEAD MEM NODES PART
#define ENFORCE "AccountingStorageEnforce=associations,limits,qos\n"
#define USERS "add account a fairshare=1\nadd user ann account=a\nadd user bob account=a\n"

struct lint_case {
	const char *id;
	int level; /* enum lint_level; NONE = it must not fire */
	const char *conf, *acct, *gres, *set;
};
enum { NONE = -1 };

struct lint_run_options {
	const struct lint_trace *trace;
	const GPtrArray *untracked;
	struct lint_upgrade upgrade;
	enum slurm_version version;
};

/* dir_file without waiting for the disk: hundreds of them are written. */
static inline char *quick_file(const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(dir, name, NULL);

	assert_true(g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
	return path;
}

/* The findings for the site; the texts are files in a directory that is dropped again. */
static inline GPtrArray *lint_texts(const struct lint_case *k, const struct lint_run_options *more)
{
	static const struct lint_run_options none;
	char *dir = dir_new(), *conf = quick_file(dir, "slurm.conf", k->conf),
	     *acct = k->acct ? quick_file(dir, "acct", k->acct) : NULL,
	     *gres = k->gres ? quick_file(dir, "gres.conf", k->gres) : NULL;
	GPtrArray *set = g_ptr_array_new();
	struct diag *d = diag_new();

	if (!more)
		more = &none;
	if (k->set)
		g_ptr_array_add(set, (gpointer)k->set);
	struct slurmconf_options o = {
	    .version = more->version, .gres_path = gres, .accounting_path = acct, .overrides = set};
	struct cluster *c = slurmconf_read(conf, &o, d);
	if (d->n_errors)
		print_error("case %s:\n", k->id);
	assert_clean(d);
	struct lint_files *files = lint_files_read(conf, gres, acct, set);
	struct lint_site site = {c, files, more->trace, d->warnings, more->untracked, more->upgrade};
	GPtrArray *findings = lint_run(&site);
	lint_files_free(files);
	cluster_free(c);
	diag_free(d);
	g_ptr_array_unref(set);
	g_free(conf);
	g_free(acct);
	g_free(gres);
	dir_drop(dir);
	return findings;
}

static inline const struct lint_finding *lint_find(const GPtrArray *findings, const char *id)
{
	for (guint i = 0; i < findings->len; i++) {
		const struct lint_finding *f = findings->pdata[i];

		if (g_str_equal(f->check->id, id))
			return f;
	}
	return NULL;
}

/* The case's check fires at its level, with all texts, or stays silent. False after a message. */
static inline bool lint_holds(const struct lint_case *k, const struct lint_run_options *more)
{
	GPtrArray *all = lint_texts(k, more);
	const struct lint_finding *f = lint_find(all, k->id);

	bool good = k->level == NONE ? f == NULL : f && (int)f->level == k->level;

	if (!good)
		print_error("%s: %s%s, wanted %s; %s\n%s%s\n", k->id, f ? "fires at level " : "is silent",
		            f ? lint_level_name(f->level) : "",
		            k->level == NONE ? "silence" : lint_level_name((enum lint_level)k->level), f ? f->what : "",
		            k->conf, k->acct ? k->acct : "");
	if (f) {
		assert_true(*f->what && *f->why && *f->set && *f->file && *f->check->rule);
		assert_null(strpbrk(f->what, "\n"));
		assert_null(strpbrk(f->why, "\n"));
		assert_null(strpbrk(f->set, "\n"));
	}
	g_ptr_array_unref(all);
	return good;
}
#endif
