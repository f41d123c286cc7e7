/*
 * confread.h - what the parts of the slurm.conf reader share; private to models/.
 *
 * slurmconf.c drives: it collects the lines, then the global parameters are set in the order of the key table
 * (confkeys.c, confparams.c, schedparams.c), then nodes (confnodes.c), node sets (confsets.c), partitions
 * (confparts.c), gres.conf and accounting. Pairs point into lines that the reader keeps until the end.
 */
#ifndef MODELS_CONFREAD_H
#define MODELS_CONFREAD_H
#include "models/conflex.h"
#include "models/slurmconf.h"
#include "sched/cluster.h"
#include "sched/power.h"

#define CONF_NODE_LINES_MAX 200000u
#define CONF_OTHER_LINES_MAX 20000u

struct conf_reader {
	struct cluster *c;
	struct sched_params *p; /* c->params */
	struct diag *d;
	const struct slurmconf_options *o;
	GHashTable *scalars; /* key in lower case -> struct conf_line * with one pair; owned */
	GPtrArray *node_lines, *down_lines, *set_lines, *part_lines; /* of struct conf_line *; owned */
	GHashTable *nodes;                                           /* name -> struct node *; borrowed both */
	GHashTable
	    *config_by_text;   /* canonical text (owned) -> struct node_config * : equal lines share a record (N22) */
	GHashTable *node_sets; /* NodeSet name (borrowed) -> GPtrArray of owned node names, or "ALL" */
	GPtrArray *part_pairs, *nodes_pairs; /* where partition i was named, and its Nodes=; borrowed */
	char **gres_types;                   /* owned strv; NULL = none given */
	GHashTable *warned;                  /* keys already warned of once; owned strings */
	guint64 names_left;                  /* how many node names may still be expanded: bounds hostile input */
	bool disable_root;                   /* DisableRootJobs: default of partitions */
	bool preempt_type_set;
	guint n_hosts; /* SlurmctldHost lines so far */
	bool shown; /* outputs of scontrol were read: what does not fit is a warning */
	bool line_limit_told;
};

/* Report at the pair's key (error, warning) or at its value. HINT may be NULL. */
void conf_error(struct conf_reader *r, const struct conf_pair *p, const char *hint, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
void conf_warn(struct conf_reader *r, const struct conf_pair *p, const char *hint, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* One warning a KEY that PURPOSE is not modelled in this version. */
void conf_not_modelled(struct conf_reader *r, const struct conf_pair *p, const char *what);

/* Values (section 1). Each reports an error at the value and returns false when it is bad. */
#define CONF_UNLIMITED UINT64_MAX
bool conf_number(struct conf_reader *r, const struct conf_pair *p, guint64 max,
                 guint64 *out); /* CONF_UNLIMITED for UNLIMITED */
bool conf_bool(struct conf_reader *r, const struct conf_pair *p, bool *out);
bool conf_minutes(struct conf_reader *r, const struct conf_pair *p, uint32_t *out); /* INFINITE for UNLIMITED */
bool conf_double(struct conf_reader *r, const struct conf_pair *p, double *out);
/* The comma list of a value without blanks and empty items; LOWER folds the case. g_strfreev. */
char **conf_list(const char *text, bool lower);

/* The names of the list TEXT, taken from the budget of names; blanks count as commas. NULL after an error at P's value.
 */
/* The names of list TEXT at P; they are taken off *NAMES_LEFT. NULL: a bad list, which D is told, or more than that many (*MORE). */
GPtrArray *conf_expand_within(struct diag *d, const struct conf_pair *p, const char *text, guint64 *names_left, bool *more);
GPtrArray *conf_expand(struct conf_reader *r, const struct conf_pair *p, const char *text);

/* The key table (confkeys.c). */
struct conf_key {
	const char *name;
	enum { KEY_VALUE, KEY_IGNORED, KEY_OBSOLETE, KEY_REMOVED, KEY_NOT_MODELLED } kind;
	const char *note;    /* obsolete/removed: what real Slurm says; not modelled: what */
	const char *neutral; /* not modelled: comma list of values that need no warning */
	void (*set)(struct conf_reader *r, const struct conf_pair *p); /* KEY_VALUE with a function of its own */
	enum { TYPE_NONE, TYPE_BOOL, TYPE_INT, TYPE_U32, TYPE_MINUTES, TYPE_MINUTES_AS_SECONDS } type;
	size_t offset; /* in struct sched_params */
	guint64 min, max;
};
extern const struct conf_key conf_keys[];               /* in the order in which they are set; ends with name NULL */
const struct conf_key *conf_key_find(const char *name); /* case ignored; NULL = unknown */
/* "did you mean X?" for a name that conf_key_find does not know. g_free. */
char *conf_key_hint(const char *name);
/* Set all collected global parameters. */
void conf_apply_keys(struct conf_reader *r);

/* SchedulerParameters that gives P: all tokens whose value is not the default (schedparams.c). Appends to LIST. */
void conf_write_tokens(const struct sched_params *p, GString *list);

/* Setters named in the table (confparams.c, confpolicy.c). */
void conf_set_cluster_name(struct conf_reader *r, const struct conf_pair *p);
void conf_set_scheduler_type(struct conf_reader *r, const struct conf_pair *p);
void conf_set_scheduler_parameters(struct conf_reader *r, const struct conf_pair *p); /* schedparams.c */
void conf_set_select_type(struct conf_reader *r, const struct conf_pair *p);
void conf_set_select_parameters(struct conf_reader *r, const struct conf_pair *p);
void conf_set_gres_types(struct conf_reader *r, const struct conf_pair *p);
void conf_set_accounting_tres(struct conf_reader *r, const struct conf_pair *p);
void conf_set_def_mem(struct conf_reader *r, const struct conf_pair *p);
void conf_set_max_mem(struct conf_reader *r, const struct conf_pair *p);
void conf_set_def_mem_per_gpu(struct conf_reader *r, const struct conf_pair *p);
void conf_set_licenses(struct conf_reader *r, const struct conf_pair *p);
void conf_set_enforce_part_limits(struct conf_reader *r, const struct conf_pair *p);
void conf_set_dependency_parameters(struct conf_reader *r, const struct conf_pair *p);
void conf_set_job_submit_plugins(struct conf_reader *r, const struct conf_pair *p);
void conf_set_requeue_exit(struct conf_reader *r, const struct conf_pair *p); /* confexit.c */
void conf_set_auth_info(struct conf_reader *r, const struct conf_pair *p);
void conf_set_disable_root_jobs(struct conf_reader *r, const struct conf_pair *p);
void conf_set_priority_type(struct conf_reader *r, const struct conf_pair *p);
void conf_set_priority_flags(struct conf_reader *r, const struct conf_pair *p);
void conf_set_weight_fairshare(struct conf_reader *r, const struct conf_pair *p);
void conf_set_usage_reset(struct conf_reader *r, const struct conf_pair *p);
void conf_set_weight_tres(struct conf_reader *r, const struct conf_pair *p);
void conf_set_accounting_type(struct conf_reader *r, const struct conf_pair *p);
void conf_set_accounting_enforce(struct conf_reader *r, const struct conf_pair *p);
void conf_set_prolog_flags(struct conf_reader *r, const struct conf_pair *p);
void conf_set_preempt_type(struct conf_reader *r, const struct conf_pair *p);
void conf_set_acct_gather_params(struct conf_reader *r, const struct conf_pair *p); /* OverMemoryKill alone matters */
/* FLAGS of PreemptMode that the release does not have. */
void conf_check_preempt_flags(struct conf_reader *r, const struct conf_pair *p, uint32_t flags);
void conf_set_preempt_mode(struct conf_reader *r, const struct conf_pair *p);
void conf_set_preempt_parameters(struct conf_reader *r, const struct conf_pair *p);
void conf_set_preempt_exempt(struct conf_reader *r, const struct conf_pair *p);
void conf_set_slurmctld_parameters(struct conf_reader *r, const struct conf_pair *p);
void conf_set_topology_plugin(struct conf_reader *r, const struct conf_pair *p); /* conftopo.c */
void conf_set_reconfig_flags(struct conf_reader *r, const struct conf_pair *p);
void conf_set_topology_param(struct conf_reader *r, const struct conf_pair *p);
/* Power saving (confpower.c). */
void conf_set_power_program(struct conf_reader *r, const struct conf_pair *p);
void conf_set_private_data(struct conf_reader *r, const struct conf_pair *p); /* cloud alone matters */
void conf_set_suspend_time(struct conf_reader *r, const struct conf_pair *p);
void conf_set_suspend_exc(struct conf_reader *r, const struct conf_pair *p);
/* Seconds, or never: -1, INFINITE, UNLIMITED (then INFINITE). P may be NULL: *OUT stays. */
void conf_power_seconds(struct conf_reader *r, const struct conf_pair *p, uint32_t *out);
/* When nodes and partitions are known: do the exceptions name such? Is there what power saving needs? */
void conf_check_power(struct conf_reader *r);
void conf_set_fast_schedule(struct conf_reader *r, const struct conf_pair *p);

/* Lines of further pairs: the values of one line laid over the DEFAULT line's. */
struct line_key {
	const char *name;
	int id; /* several names may share one */
};
/* Fill VALUE[id] for each pair of LINE from FIRST on; unknown keys and doubles are reported. KEYS ends with name NULL;
 * WHAT ("NodeName") is for messages. */
void conf_line_values(struct conf_reader *r, const struct conf_line *line, const struct line_key *keys,
                      const char *what, const struct conf_pair **value);

void conf_read_nodes(struct conf_reader *r);      /* NodeName and DownNodes lines; sets r->nodes */
/* topology.yaml or topology.conf: the one of the options, else the one in DIRECTORY (NULL = none). After the nodes, before
 * the partitions. */
void conf_read_topology(struct conf_reader *r, const char *directory);
/* Topology=P of a partition; P may be NULL. */
void conf_check_topology(struct conf_reader *r, const struct conf_pair *p, struct partition *part);
void conf_read_node_sets(struct conf_reader *r);  /* NodeSet lines, after the nodes */
void conf_read_partitions(struct conf_reader *r); /* PartitionName lines; nodes_text is left as configured */
/*
 * Resolve partition node lists: checks every name, and replaces nodes_text by the plain list for cluster_finish. The
 * texts as configured are returned (of char *, partition order) and go back with conf_restore_texts.
 */
GPtrArray *conf_resolve_partitions(struct conf_reader *r);
void conf_restore_texts(struct conf_reader *r, GPtrArray *texts);
/* Partition QOS, AllowQos and DenyQos must name known QOS; without an accounting file they are made. */
void conf_check_partition_qos(struct conf_reader *r);
#endif
