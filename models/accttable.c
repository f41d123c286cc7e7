/*
 * accttable.c - tables of sacctmgr and sshare with columns between "|", and QOS as JSON (spec accounting-files.md
 * section 2).
 *
 * Columns are told by the header line; those without meaning here are skipped. Text with a "|" in it makes too many
 * cells: cells before it are counted from the left, those after it from the right.
 */
#include "models/acctread.h"
#include "models/conflex.h"
#include <cjson/cJSON.h>
#include <string.h>

#define COLUMNS_MAX 128

struct table {
	struct acct_reader *r;
	char **header; /* owned */
	guint n;
	int free_text; /* column of text that may hold "|"; -1 = none */
};

/* Names of columns, and the option of sacctmgr that each is. */
struct column_name {
	const char *header, *option;
};

static const struct column_name assoc_columns[] = {{"Share", "Fairshare"},
                                                   {"Priority", "Priority"},
                                                   {"GrpJobs", "GrpJobs"},
                                                   {"GrpTRES", "GrpTRES"},
                                                   {"GrpSubmit", "GrpSubmitJobs"},
                                                   {"GrpWall", "GrpWall"},
                                                   {"GrpTRESMins", "GrpTRESMins"},
                                                   {"MaxJobs", "MaxJobs"},
                                                   {"MaxTRES", "MaxTRES"},
                                                   {"MaxTRESPerNode", "MaxTRESPerNode"},
                                                   {"MaxSubmit", "MaxSubmitJobs"},
                                                   {"MaxWall", "MaxWall"},
                                                   {"MaxTRESMins", "MaxTRESMins"},
                                                   {"QOS", "QOS"},
                                                   {"Def QOS", "DefaultQOS"},
                                                   {"GrpTRESRunMins", "GrpTRESRunMins"},
                                                   {"GrpJobsAccrue", "GrpJobsAccrue"},
                                                   {"MaxJobsAccrue", "MaxJobsAccrue"},
                                                   {"MinPrioThres", "MinPrioThresh"},
                                                   {"GrpCPUs", "GrpCPUs"},
                                                   {"GrpNodes", "GrpNodes"},
                                                   {"GrpMemory", "GrpMemory"},
                                                   {"MaxCPUs", "MaxCPUsPerJob"},
                                                   {"MaxNodes", "MaxNodesPerJob"},
                                                   {NULL, NULL}};

static const struct column_name qos_columns[] = {{"Priority", "Priority"},
                                                 {"GraceTime", "GraceTime"},
                                                 {"Preempt", "Preempt"},
                                                 {"PreemptExemptTime", "PreemptExemptTime"},
                                                 {"PreemptMode", "PreemptMode"},
                                                 {"Flags", "Flags"},
                                                 {"UsageThres", "UsageThreshold"},
                                                 {"UsageFactor", "UsageFactor"},
                                                 {"LimitFactor", "LimitFactor"},
                                                 {"GrpTRES", "GrpTRES"},
                                                 {"GrpTRESMins", "GrpTRESMins"},
                                                 {"GrpTRESRunMins", "GrpTRESRunMins"},
                                                 {"GrpJobs", "GrpJobs"},
                                                 {"GrpJobsAccrue", "GrpJobsAccrue"},
                                                 {"GrpSubmit", "GrpSubmitJobs"},
                                                 {"GrpWall", "GrpWall"},
                                                 {"MaxTRES", "MaxTRES"},
                                                 {"MaxTRESPerNode", "MaxTRESPerNode"},
                                                 {"MaxTRESMins", "MaxTRESMins"},
                                                 {"MaxWall", "MaxWall"},
                                                 {"MaxTRESPU", "MaxTRESPU"},
                                                 {"MaxJobsPU", "MaxJobsPU"},
                                                 {"MaxJobsAccruePU", "MaxJobsAccruePU"},
                                                 {"MaxSubmitPU", "MaxSubmitPU"},
                                                 {"MaxTRESPA", "MaxTRESPA"},
                                                 {"MaxTRESRunMinsPA", "MaxTRESRunMinsPA"},
                                                 {"MaxTRESRunMinsPU", "MaxTRESRunMinsPU"},
                                                 {"MaxJobsPA", "MaxJobsPA"},
                                                 {"MaxJobsAccruePA", "MaxJobsAccruePA"},
                                                 {"MaxSubmitPA", "MaxSubmitPA"},
                                                 {"MinTRES", "MinTRES"},
                                                 {"MinPrioThres", "MinPrioThresh"},
                                                 {"Descr", "Description"},
                                                 {NULL, NULL}};

static const char *option_of(const struct column_name *names, const char *header)
{
	for (; names->header; names++)
		if (g_ascii_strcasecmp(names->header, header) == 0)
			return names->option;
	return NULL;
}

/* ---- lines and cells ---- */

typedef void (*row_fn)(struct table *t, char **cell);

static const char *cell_at(const struct table *t, char **cell, const char *name)
{
	guint n = g_strv_length(cell);

	for (guint i = 0; i < t->n; i++) {
		if (g_ascii_strcasecmp(t->header[i], name) != 0)
			continue;
		bool behind = t->free_text >= 0 && n > t->n && (int)i > t->free_text;
		guint at = behind ? i + (n - t->n) : i;

		return at < n ? cell[at] : "";
	}
	return "";
}

static void read_rows(struct acct_reader *r, const char *text, row_fn fn)
{
	struct table t = {.r = r, .free_text = -1};
	char **lines = g_strsplit(text, "\n", -1);

	for (guint i = 0; lines[i]; i++) {
		r->line = i + 1;
		g_strchomp(lines[i]);
		if (!lines[i][strspn(lines[i], " \t")] || lines[i][0] == '#')
			continue;
		char **cell = g_strsplit(lines[i], "|", COLUMNS_MAX);
		if (!t.header) {
			t.header = cell;
			t.n = g_strv_length(cell);
			for (guint c = 0; c < t.n; c++)
				if (g_ascii_strcasecmp(cell[c], "Descr") == 0 ||
				    g_ascii_strcasecmp(cell[c], "Comment") == 0)
					t.free_text = (int)c;
			continue;
		}
		if (g_strv_length(cell) < 2)
			acct_error(r, 1, "give the output of -P", "this is no row of the table");
		else
			fn(&t, cell);
		g_strfreev(cell);
	}
	g_strfreev(t.header);
	g_strfreev(lines);
}

static void apply_cell(struct acct_reader *r, const struct acct_target *target, const char *option, const char *value)
{
	struct acct_option o = {.key = (char *)option, .value = (char *)value, .op = 0, .column = 1};

	if (*value)
		acct_apply(r, target, &o);
}

static void apply_row(const struct table *t, char **cell, const struct acct_target *target,
                      const struct column_name *names)
{
	for (guint i = 0; i < t->n; i++) {
		const char *option = option_of(names, t->header[i]);

		if (option)
			apply_cell(t->r, target, option, cell_at(t, cell, t->header[i]));
	}
}

/* ---- QOS ---- */

static struct qos *make_qos(struct acct_reader *r, const char *name)
{
	if (*name && r->a->qos->len < ACCT_QOS_MAX)
		return acct_add_qos(r->a, name);
	acct_error(r, 1, NULL, *name ? "too many QOS" : "a QOS without a name");
	return NULL;
}

static void name_qos(struct table *t, char **cell)
{
	make_qos(t->r, cell_at(t, cell, "Name"));
}

static void take_qos(struct table *t, char **cell)
{
	struct acct_target target = {.qos = acct_find_qos(t->r->a, cell_at(t, cell, "Name"))};

	if (target.qos)
		apply_row(t, cell, &target, qos_columns);
}

void acct_qos_table(struct acct_reader *r, const char *text, bool names_only)
{
	read_rows(r, text, names_only ? name_qos : take_qos);
}

/* A list of objects whose members are named as the columns; texts or numbers. Also {"qos": [...]}. */
static void json_qos(struct acct_reader *r, const cJSON *q, bool names_only)
{
	const cJSON *name = cJSON_GetObjectItem(q, "Name"), *m;

	if (!cJSON_IsString(name)) {
		acct_error(r, 0, "give a list of objects with the columns of sacctmgr show qos",
		           "a QOS without \"Name\"");
		return;
	}
	struct acct_target target = {.qos = make_qos(r, name->valuestring)};
	if (!target.qos || names_only)
		return;
	cJSON_ArrayForEach(m, q)
	{
		const char *option = option_of(qos_columns, m->string);
		char number[32];

		if (option && cJSON_IsString(m)) {
			apply_cell(r, &target, option, m->valuestring);
		} else if (option && cJSON_IsNumber(m)) {
			g_snprintf(number, sizeof number, "%.10g", m->valuedouble);
			apply_cell(r, &target, option, number);
		}
	}
}

void acct_qos_json(struct acct_reader *r, const char *text, bool names_only)
{
	/* some sites cut the list out of a larger file: what follows it does not matter */
	cJSON *root = cJSON_ParseWithOpts(text, NULL, 0);
	const cJSON *list = cJSON_IsObject(root) ? cJSON_GetObjectItem(root, "qos") : root, *q;

	r->line = 0;
	if (!cJSON_IsArray(list))
		acct_error(r, 0, "a list of QOS is expected", "this is no JSON of QOS");
	else
		cJSON_ArrayForEach(q, list) json_qos(r, q, names_only);
	cJSON_Delete(root);
}

/* ---- associations ---- */

/* Rows of another cluster are left out; the first one's counts when the configuration has no name of its own. */
static bool other_cluster(struct table *t, char **cell)
{
	const char *name = cell_at(t, cell, "Cluster");

	if (!*name)
		return false;
	if (!t->r->cluster)
		t->r->cluster = g_ascii_strdown(name, -1);
	if (g_ascii_strcasecmp(name, t->r->cluster) == 0)
		return false;
	t->r->other_clusters++;
	return true;
}

/* "/science/chem/" or "/science/chem/0-user/": the account above the last one. g_free. */
static char *lineage_parent(const char *lineage)
{
	char **part = g_strsplit(lineage, "/", -1);
	GPtrArray *names = g_ptr_array_new();

	for (char **s = part; *s; s++)
		if (**s && !g_ascii_isdigit(**s))
			g_ptr_array_add(names, *s);
	char *parent = names->len > 1 ? g_strdup(names->pdata[names->len - 2]) : g_strdup("root");
	g_ptr_array_unref(names);
	g_strfreev(part);
	return parent;
}

/* Depth by leading blanks (tree): the account last seen one level above. */
static const char *tree_parent(struct acct_reader *r, const char *cell, const char *name)
{
	guint depth = (guint)strspn(cell, " ");

	if (depth >= r->path->len + 1)
		depth = r->path->len;
	const char *parent = depth ? g_ptr_array_index(r->path, depth - 1) : NULL;
	g_ptr_array_set_size(r->path, (gint)depth);
	g_ptr_array_add(r->path, g_strdup(name));
	return parent;
}

static struct assoc *account_of(struct table *t, char **cell, const char *account)
{
	struct acct_reader *r = t->r;
	struct assoc *known = acct_find_account(r->a, account);
	const char *parent = cell_at(t, cell, "ParentName"), *lineage = cell_at(t, cell, "Lineage");
	const char *by_tree = tree_parent(r, cell_at(t, cell, "Account"), account);

	if (known || g_ascii_strcasecmp(account, "root") == 0)
		return known ? known : r->a->root;
	char *found = *parent    ? g_strdup(parent)
	              : *lineage ? lineage_parent(lineage)
	              : by_tree  ? g_strdup(by_tree)
	                         : NULL;
	if (!found)
		r->no_parents++;
	if (found && !acct_find_account(r->a, found)) {
		acct_error(r, 1, "its row must come before", "unknown parent account %.60s", found);
		g_free(found);
		return NULL;
	}
	struct assoc *made = acct_make_account(r, 1, account, found);
	g_free(found);
	return made;
}

/* Tables without "wopinfo" repeat what a row inherits. */
static bool is_inherited(const struct table *t, const struct assoc *as, const char *option, const char *value)
{
	const char *above = as->parent ? g_hash_table_lookup(t->r->seen_cells, as->parent) : NULL;

	if (!above || g_str_has_prefix(option, "Grp") || strcmp(option, "Fairshare") == 0 ||
	    strcmp(option, "DefaultQOS") == 0)
		return false;
	char *cell = g_strdup_printf("\n%s=%s\n", option, value);
	bool found = strstr(above, cell) != NULL;
	g_free(cell);
	return found;
}

/* Remember what the row shows, for its children. */
static void note_cells(struct table *t, char **cell, const struct assoc *as)
{
	GString *all = g_string_new("\n");

	for (guint i = 0; i < t->n; i++) {
		const char *option = option_of(assoc_columns, t->header[i]);

		if (option && *cell_at(t, cell, t->header[i]))
			g_string_append_printf(all, "%s=%s\n", option, cell_at(t, cell, t->header[i]));
	}
	g_hash_table_replace(t->r->seen_cells, (gpointer)as, g_string_free(all, FALSE));
}

static void take_assoc(struct table *t, char **cell)
{
	char *account = g_strstrip(g_strdup(cell_at(t, cell, "Account")));
	const char *user = cell_at(t, cell, "User"), *partition = cell_at(t, cell, "Partition");
	struct acct_target target = {0};

	if (other_cluster(t, cell) || !*account) {
		g_free(account);
		return;
	}
	if (*user)
		target.assoc = acct_make_user(t->r, 1, user, account, *partition ? partition : NULL);
	else
		target.assoc = account_of(t, cell, account);
	bool above_root = target.assoc && target.assoc != t->r->a->root;
	if (above_root && !*cell_at(t, cell, "QOS"))
		t->r->own_only = true;
	for (guint i = 0; target.assoc && i < t->n; i++) {
		const char *option = option_of(assoc_columns, t->header[i]), *value = cell_at(t, cell, t->header[i]);

		if (!option || !*value || is_inherited(t, target.assoc, option, value))
			continue;
		struct acct_option o = {.key = (char *)option, .value = (char *)value, .column = 1};
		if (above_root && t->r->own_only && strcmp(option, "QOS") == 0) {
			o.op = '+';
			t->r->added_qos++;
		}
		acct_apply(t->r, &target, &o);
	}
	if (target.assoc && !*user)
		note_cells(t, cell, target.assoc);
	g_free(account);
}

static void begin_tree(struct acct_reader *r)
{
	r->path = g_ptr_array_new_with_free_func(g_free);
	r->seen_cells = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	r->no_parents = r->other_clusters = r->added_qos = 0;
	r->own_only = false;
}

static void end_tree(struct acct_reader *r, const char *hint)
{
	r->line = 0;
	if (r->no_parents)
		acct_warn(r, 0, hint, "%u accounts have no parent that the table tells: they are put under root",
		          r->no_parents);
	if (r->added_qos)
		acct_warn(r, 0, "give the table without wopinfo if they are all that is allowed",
		          "the QOS of %u rows are taken as additions to what they inherit", r->added_qos);
	if (r->other_clusters)
		acct_warn(r, 0, NULL, "%u rows of other clusters than %s are left out", r->other_clusters, r->cluster);
	g_ptr_array_unref(r->path);
	g_hash_table_unref(r->seen_cells);
}

void acct_assoc_table(struct acct_reader *r, const char *text)
{
	begin_tree(r);
	read_rows(r, text, take_assoc);
	end_tree(r, "add ParentName to the format=, or \"tree\"");
}

static void take_user(struct table *t, char **cell)
{
	const char *user = cell_at(t, cell, "User"), *account = cell_at(t, cell, "Def Acct"),
	           *admin = cell_at(t, cell, "Admin");

	if (*user && *account)
		g_hash_table_replace(t->r->defaults, g_ascii_strdown(user, -1), g_ascii_strdown(account, -1));
	if (*user)
		acct_coordinator_of(t->r->a, user, cell_at(t, cell, "Coord Accounts"));
	if (*user && *admin)
		g_hash_table_replace(t->r->a->admin, g_ascii_strdown(user, -1), g_strdup(admin));
}

void acct_user_table(struct acct_reader *r, const char *text)
{
	read_rows(r, text, take_user);
}

/* ---- usage ---- */

/* "cpu=120,mem=4000": TRES minutes so far. */
static void take_tres(struct acct_reader *r, struct assoc *as, const char *text)
{
	uint64_t minutes[TRES_MAX];

	if (!*text || !tres_parse(r->a->tres, text, minutes, NO_VAL64, NULL))
		return;
	for (uint32_t i = 0; i < r->a->tres->n; i++)
		if (minutes[i] < NO_VAL64)
			as->tres_usage[i] = (long double)minutes[i] * 60;
}

/* The row's association: of several partitions that it does not name, the first that has no usage yet. */
static struct assoc *usage_of_row(struct table *t, char **cell, const char *account)
{
	const char *user = cell_at(t, cell, "User"), *partition = cell_at(t, cell, "Partition");
	struct acct *a = t->r->a;

	if (!*user)
		return acct_find_account(a, account);
	if (*partition)
		return acct_find(a, user, account, partition);
	for (guint i = 0; i < a->assocs->len; i++) {
		struct assoc *as = g_ptr_array_index(a->assocs, i);

		if (as->user && g_ascii_strcasecmp(as->user, user) == 0 &&
		    g_ascii_strcasecmp(as->account, account) == 0 && !g_hash_table_contains(t->r->seen_cells, as))
			return as;
	}
	return NULL;
}

/* Without any other file sshare tells the accounts, users and shares too. */
static struct assoc *make_of_row(struct table *t, char **cell, const char *account)
{
	const char *user = cell_at(t, cell, "User"), *shares = cell_at(t, cell, "RawShares");
	struct acct_target target = {0};

	if (*user)
		target.assoc = acct_make_user(t->r, 1, user, account,
		                              *cell_at(t, cell, "Partition") ? cell_at(t, cell, "Partition") : NULL);
	else
		target.assoc = account_of(t, cell, account);
	if (target.assoc && *shares)
		apply_cell(t->r, &target, "Fairshare", shares);
	return target.assoc;
}

static void take_usage(struct table *t, char **cell)
{
	char *account = g_strstrip(g_strdup(cell_at(t, cell, "Account")));
	char *end;
	double raw = g_ascii_strtod(cell_at(t, cell, "RawUsage"), &end);
	struct assoc *as = NULL;

	if (*account && !other_cluster(t, cell)) {
		as = t->r->make_tree ? make_of_row(t, cell, account) : usage_of_row(t, cell, account);
		if (!as && !t->r->make_tree)
			t->r->no_parents++;
	}
	if (as) {
		if (raw > 0 && raw < 1e18)
			as->usage = raw;
		take_tres(t->r, as, cell_at(t, cell, "GrpTRESRaw"));
		g_hash_table_replace(t->r->seen_cells, as, g_strdup(""));
	}
	g_free(account);
}

void acct_usage_table(struct acct_reader *r, const char *text)
{
	begin_tree(r);
	r->make_tree = r->a->assocs->len <= 2; /* root's own */
	read_rows(r, text, take_usage);
	guint unknown = r->no_parents;
	r->no_parents = 0;
	r->line = 0;
	if (unknown)
		acct_warn(r, 0, "give the associations of the same time",
		          "usage of %u unknown associations is left out", unknown);
	end_tree(r, NULL);
}
