/*
 * lint_upgrade.c - what a newer release refuses, ignores, renames, takes another default for, or decides differently.
 *
 * Only with --upgrade-to. What the rules know of the release that changed a thing is in the tables; often it is only
 * that 22.05 does otherwise. Keys come from the reader's table (models/confread.h), the rest from the tables below,
 * which follow the version notes of the rule files (L90, P60, "differences of 22.05" in B, E, S, N).
 */
#include "tools/lint_checks.h"
#include "models/confread.h"
#include <string.h>

/* The rules know that 22.05 does otherwise, not which release changed it. */
#define AFTER_2205 2206u

static bool crosses(const struct lint *l, uint32_t since)
{
	const struct lint_upgrade *u = &l->site->upgrade;

	return u->to && since > u->from && since <= u->to;
}

static char *release(uint32_t r)
{
	return r == AFTER_2205 ? g_strdup("a release after 22.05") : fmt("%02u.%02u", r / 100, r % 100);
}

/* ---- parameters of the key table ---- */

static void each_key(struct lint *l, bool refused)
{
	char *to = release(l->site->upgrade.to);

	for (guint i = 0; l->site->upgrade.to && i < l->files->conf->len; i++) {
		const struct conf_line *line = g_ptr_array_index(l->files->conf, i);
		const struct conf_key *k = conf_key_find(line->pair[0].key);

		if (!k || (k->kind != KEY_OBSOLETE && k->kind != KEY_REMOVED))
			continue;
		bool defunct = k->kind == KEY_OBSOLETE && strstr(k->note, "defunct");
		if (defunct == refused)
			continue;
		lint_add(l, refused ? LINT_ERROR : LINT_NOTE, (struct lint_place){line->file, line->line},
		         fmt(refused ? "%s is unknown to %s: the daemons do not start" : "%s has no effect in %s",
		             k->name, to),
		         refused ? fmt("%s; all %u nodes are without a controller until the line is gone", k->note,
		                       l->c->n_nodes)
		                 : g_strdup("it is logged as defunct and passed over"),
		         k->kind == KEY_REMOVED ? g_strdup(k->note) : g_strdup("remove the line"));
	}
	g_free(to);
}

/* ---- values that became errors ---- */

static const struct {
	const char *key, *word; /* the value holds the word, case ignored */
	uint32_t since;
	const char *instead;
} REFUSED_VALUES[] = {
    {"SelectType", "select/cons_res", AFTER_2205, "SelectType=select/cons_tres"},
    {"SelectTypeParameters", "OTHER_CONS_RES", AFTER_2205, "leave it out"},
    {"SelectTypeParameters", "OTHER_CONS_TRES", AFTER_2205, "leave it out"},
    {"SelectTypeParameters", "CR_NHC", AFTER_2205, "leave it out"},
    {"SchedulerParameters", "max_job_bf", AFTER_2205, "SchedulerParameters=bf_max_job_test=N"},
};

bool lint_value_was_removed(const char *key, const char *word)
{
	for (gsize i = 0; i < G_N_ELEMENTS(REFUSED_VALUES); i++)
		if (g_str_equal(REFUSED_VALUES[i].key, key) &&
		    g_ascii_strncasecmp(word, REFUSED_VALUES[i].word, strlen(REFUSED_VALUES[i].word)) == 0)
			return true;
	return false;
}

void lint_upgrade_refused(struct lint *l)
{
	each_key(l, true);
	for (gsize i = 0; i < G_N_ELEMENTS(REFUSED_VALUES); i++) {
		const char *value = lint_value(l->files, REFUSED_VALUES[i].key);
		char *low = g_ascii_strdown(value ? value : "", -1),
		     *word = g_ascii_strdown(REFUSED_VALUES[i].word, -1);

		if (strstr(low, word) && crosses(l, REFUSED_VALUES[i].since)) {
			char *since = release(REFUSED_VALUES[i].since);

			lint_add(l, LINT_ERROR, lint_at(l->files, REFUSED_VALUES[i].key),
			         fmt("%s=%s is refused since %s", REFUSED_VALUES[i].key, REFUSED_VALUES[i].word, since),
			         fmt("the controller of the %u nodes does not start with it", l->c->n_nodes),
			         g_strdup(REFUSED_VALUES[i].instead));
			g_free(since);
		}
		g_free(low);
		g_free(word);
	}
}

void lint_upgrade_ignored(struct lint *l)
{
	each_key(l, false);
}

/* ---- names that moved ---- */

static const struct {
	const char *line, *key, *word; /* line NULL: a parameter; word NULL: any value */
	uint32_t since;
	const char *now;
} RENAMED[] = {
    {NULL, "SchedulerParameters", "preempt_youngest_first", AFTER_2205, "PreemptParameters=youngest_first"},
    {NULL, "SchedulerParameters", "preempt_strict_order", AFTER_2205, "PreemptParameters=strict_order"},
    {NULL, "SchedulerParameters", "preempt_reorder_count", AFTER_2205, "PreemptParameters=reorder_count=N"},
    {NULL, "SlurmctldParameters", "preempt_send_user_signal", AFTER_2205, "PreemptParameters=send_user_signal"},
    {NULL, "PriorityFlags", "FAIR_TREE", 0, "nothing: Fair Tree is the default"},
    {NULL, "ControlMachine", NULL, 0, "SlurmctldHost"},
    {NULL, "BackupController", NULL, 0, "a second SlurmctldHost line"},
    {NULL, "TopologyPlugin", "topology/none", AFTER_2205, "TopologyPlugin=topology/flat"},
    {"PartitionName", "Shared", NULL, 0, "OverSubscribe"},
    {"PartitionName", "Priority", NULL, 0, "PriorityTier and PriorityJobFactor"},
    {"PartitionName", "OverSubscribe", "EXCLUSIVE", 2611, "Exclusive=NODE"},
    {"PartitionName", "ExclusiveUser", "YES", 2611, "Exclusive=USER"},
    {"PartitionName", "ExclusiveTopo", "YES", 2611, "Exclusive=TOPO"},
    {"NodeName", "Procs", NULL, 0, "CPUs"},
    {"NodeName", "Feature", NULL, 0, "Features"},
};

static bool value_holds(const char *value, const char *word)
{
	char **list = g_strsplit_set(value, ",:", -1);
	bool found = !word;

	for (char **s = list; *s && !found; s++) {
		char *equals = strchr(*s, '=');

		if (equals)
			*equals = '\0';
		found = g_ascii_strcasecmp(g_strstrip(*s), word) == 0;
	}
	g_strfreev(list);
	return found;
}

static const struct conf_pair *find_renamed(const struct lint *l, gsize row)
{
	for (guint i = 0; i < l->files->conf->len; i++) {
		const struct conf_line *line = g_ptr_array_index(l->files->conf, i);
		const char *first = RENAMED[row].line;
		bool here = !first || g_ascii_strcasecmp(line->pair[0].key, first) == 0;

		for (guint k = first ? 1 : 0; here && k < (first ? line->n_pairs : 1); k++)
			if (g_ascii_strcasecmp(line->pair[k].key, RENAMED[row].key) == 0 &&
			    value_holds(line->pair[k].value, RENAMED[row].word))
				return &line->pair[k];
	}
	return NULL;
}

void lint_upgrade_renamed(struct lint *l)
{
	/* an old spelling is named whenever the target knows the new one: it may go at any time */
	for (gsize i = 0; i < G_N_ELEMENTS(RENAMED); i++) {
		const struct conf_pair *p =
		    l->site->upgrade.to && l->site->upgrade.to >= RENAMED[i].since ? find_renamed(l, i) : NULL;

		if (!p)
			continue;
		char *to = release(l->site->upgrade.to);
		lint_add(l, LINT_NOTE, (struct lint_place){p->file, p->line},
		         RENAMED[i].word ? fmt("%s %s is an old spelling", RENAMED[i].key, RENAMED[i].word)
		                         : fmt("%s is an old spelling", RENAMED[i].key),
		         fmt("%s still reads it; later releases need not", to), g_strdup(RENAMED[i].now));
		g_free(to);
	}
}

/* ---- defaults ---- */

void lint_upgrade_defaults(struct lint *l)
{
	if (!lint_value(l->files, "PriorityType") && crosses(l, 2311))
		lint_add(
		    l, LINT_WARNING, lint_at(l->files, "PriorityType"),
		    g_strdup(
		        "the default of PriorityType changes from priority/basic to priority/multifactor in 23.11"),
		    fmt("the queue of the %u partitions is ordered by weights instead of submission; without weights "
		        "every priority is 1",
		        l->c->partitions->len),
		    g_strdup("PriorityType=priority/basic keeps what was"));
	if (!lint_value(l->files, "SelectType") && crosses(l, 2302))
		lint_add(l, LINT_WARNING, lint_at(l->files, "SelectType"),
		         g_strdup("the default of SelectType changes from select/linear to select/cons_tres in 23.02"),
		         fmt("jobs get cores and a part of the memory instead of whole nodes: those without --mem take "
		             "all memory of a node "
		             "all the same, unless DefMemPerCPU says less (%u nodes)",
		             l->c->n_nodes),
		         g_strdup("SelectType=select/linear keeps what was"));
}

/* ---- decisions ---- */

static bool uses_allow_accounts(const struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++)
		if (lint_part(l, i)->allow_accounts || lint_part(l, i)->deny_accounts)
			return true;
	return false;
}

static bool uses_allow_groups(const struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++)
		if (lint_part(l, i)->allow_groups)
			return true;
	return false;
}

static bool uses_backfill(const struct lint *l)
{
	return lint_backfills(l);
}

static bool uses_limits(const struct lint *l)
{
	return lint_enforces(l, ENFORCE_LIMITS);
}

static bool uses_accrue(const struct lint *l)
{
	guint n = 0;

	for (guint i = 0; i < l->n_qos; i++) {
		const struct limits *s = &lint_qos(l, i)->limits;

		n += (s->grp_jobs_accrue < INFINITE - 1) + (s->max_accrue_pu < INFINITE - 1) +
		         (s->max_accrue_pa < INFINITE - 1) >
		     1;
	}
	return n && uses_limits(l);
}

static bool uses_run_mins(const struct lint *l)
{
	for (guint i = 0; i < l->n_qos; i++)
		if (lint_qos(l, i)->limits.max_tres_run_mins_pu || lint_qos(l, i)->limits.max_tres_run_mins_pa)
			return uses_limits(l);
	return false;
}

static bool uses_part_qos(const struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++)
		if (lint_part(l, i)->qos)
			return uses_limits(l);
	return false;
}

static bool uses_preemption(const struct lint *l)
{
	return l->p->preempt_type != PREEMPT_NONE;
}

static bool uses_suspend_exempt(const struct lint *l)
{
	return uses_preemption(l) && l->p->preempt_mode == PREEMPT_MODE_SUSPEND && l->p->preempt_exempt_time > 0;
}

static bool uses_licenses(const struct lint *l)
{
	return l->c->licenses->len > 0;
}

static bool uses_gpu_cores(const struct lint *l)
{
	for (guint i = 0; i < l->n_configs; i++)
		for (uint32_t g = 0; g < lint_config(l, i)->n_gres; g++)
			for (uint32_t n = 0; n < lint_config(l, i)->gres[g].n_groups; n++)
				if (lint_config(l, i)->gres[g].group[n].cores)
					return true;
	return false;
}

static bool uses_multifactor(const struct lint *l)
{
	return l->p->priority_type == PRIORITY_MULTIFACTOR;
}

static bool uses_topology_conf(const struct lint *l)
{
	return l->c->topologies->len > 0;
}

static bool uses_part_limits(const struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++)
		if (lint_part(l, i)->max_time != INFINITE || lint_part(l, i)->max_nodes != INFINITE)
			return l->p->enforce_part_limits == ENFORCE_PART_NO;
	return false;
}

static const struct {
	uint32_t since;
	const char *rule, *key, *what, *why;
	bool (*uses)(const struct lint *l);
} DECIDES[] = {
    {AFTER_2205, "L62, L90", "AllowAccounts", "AllowAccounts and DenyAccounts cover the accounts below the named ones",
     "22.05 compares names exactly and does so without association enforcement; now a child account is let in (or "
     "out), and the lists "
     "need AccountingStorageEnforce=associations",
     uses_allow_accounts},
    {AFTER_2205, "L90", "AllowGroups",
     "AllowGroups is tested at submission only with EnforcePartLimits, and again at each try",
     "22.05 always refuses at submission", uses_allow_groups},
    {AFTER_2205, "L90 (L65)", "EnforcePartLimits",
     "a job over a partition's limit shows PartitionTimeLimit or PartitionNodeLimit at once",
     "22.05 shows PartitionConfig until the next pass, and refuses lists of partitions in cases that are accepted now",
     uses_part_limits},
    {AFTER_2205, "B33-B35", "SchedulerParameters",
     "backfill's start times come from the nodes chosen, not from the last job removed",
     "estimates in squeue --start get earlier, and so do the plans that lower jobs must not disturb; jobs past their "
     "end count as gone",
     uses_backfill},
    {AFTER_2205, "B40", "SchedulerParameters", "a planned job's slot is rounded up to bf_resolution",
     "22.05 rounds down; now nodes stay kept until the last grain of a planned job is over", uses_backfill},
    {AFTER_2205, "B22.6, B23, B24", "SchedulerParameters",
     "backfill tests a slot against the plan before the real start is known",
     "jobs are moved behind reservations and exclusive users at once instead of cycle by cycle", uses_backfill},
    {2405, "L90", "AccountingStorageEnforce", "MaxTRESRunMinsPerUser and PerAccount exist on QOS",
     "22.05 stores such a limit but does not count for it", uses_run_mins},
    {2511, "L26, L90", "AccountingStorageEnforce",
     "with a partition QOS and a job QOS, each kind of limit is decided by itself",
     "before, a Grp limit in one hid the per-user limit of the other at submission", uses_part_qos},
    {AFTER_2205, "L90 (R31)", "AccountingStorageEnforce",
     "limit reasons of GRES, billing and per-account kinds are known as limit reasons",
     "in 22.05 such jobs keep the old reason and still count as competitors for an immediate start", uses_limits},
    {AFTER_2205, "L40, L90", "AccountingStorageEnforce", "of several accrue limits of a QOS the smallest decides",
     "22.05 takes the first that is set (group, account, user): jobs begin to age at other times", uses_accrue},
    {2405, "P60 (P11)", "PriorityType", "a requeued job's priority is computed anew at once",
     "22.05 keeps the old priority until the next PriorityCalcPeriod", uses_multifactor},
    {2605, "E23", "PreemptExemptTime", "PreemptExemptTime protects from SUSPEND too",
     "before, exempt jobs were suspended all the same", uses_suspend_exempt},
    {2511, "E16a", "PreemptType", "a job with -C [a|b] preempts only for its last alternative",
     "idle nodes of any alternative come before preemption", uses_preemption},
    {2511, "E21", "PreemptMode", "SchedulerParameters=requeue_delay says when a preempted job may start again",
     "before, it is the credential lifetime (AuthInfo=cred_expire, 120 s) + 1 always", uses_preemption},
    {AFTER_2205, "L90", "Licenses", "the main loop tests licenses inside node selection",
     "22.05 tests them before: which of Licenses and Resources is shown changes, and what blocks the partition",
     uses_licenses},
    {AFTER_2205, "N62, hardware 1.5", "GresTypes", "Cores= of a GPU must be all cores or one whole socket",
     "a node whose gres.conf says otherwise is drained when it registers", uses_gpu_cores},
    {2605, "N40", "SelectType", "a job of one node takes the first node that fits",
     "before, the best fit among consecutive nodes: single-node jobs land on other nodes", uses_backfill},
    {2505, "slurm-conf 7.5", "TopologyPlugin",
     "topology.yaml, when it exists, wins over topology.conf and TopologyPlugin",
     "a file left beside slurm.conf takes over", uses_topology_conf},
};

void lint_upgrade_decides(struct lint *l)
{
	for (gsize i = 0; i < G_N_ELEMENTS(DECIDES); i++) {
		if (!crosses(l, DECIDES[i].since) || !DECIDES[i].uses(l))
			continue;
		char *since = release(DECIDES[i].since);

		struct lint_finding *f = lint_add(
		    l, LINT_NOTE, lint_at(l->files, DECIDES[i].key), fmt("since %s: %s", since, DECIDES[i].what),
		    g_strdup(DECIDES[i].why),
		    g_strdup("nothing; compare on your own trace: whypend run --slurm-version 22.05 and 26.05"));
		f->rule = DECIDES[i].rule;
		g_free(since);
	}
}
