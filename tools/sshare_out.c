/* sshare_out.c - see sshare_out.h. One function fills one cell; a table names the fields. */
#include "tools/sshare_out.h"
#include "tools/options_slurm.h"
#include "sched/priority.h"
#include "tools/acct_json.h"
#include "tools/cells.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const struct controller *c;
	const struct cluster *cl;
	const struct fairshare *tree;
	const struct assoc *a;
	struct fair_view v;
	int depth;
};

typedef char *cell_fn(const struct row *r);

/* ---- values ---- */

static char *number(long double v)
{
	return isinf(v) ? g_strdup("inf") : g_strdup_printf("%f", (double)v);
}

static char *cell_account(const struct row *r)
{
	return g_strdup_printf("%*s%s", r->depth, "", r->a->account);
}

static char *cell_user(const struct row *r)
{
	return g_strdup(r->a->user ? r->a->user : "");
}

static char *cell_partition(const struct row *r)
{
	return g_strdup(r->a->partition ? r->a->partition : "");
}

static char *cell_cluster(const struct row *r)
{
	return g_strdup(r->cl->params->cluster_name ? r->cl->params->cluster_name : "");
}

static char *cell_id(const struct row *r)
{
	return g_strdup_printf("%u", r->a->id);
}

static char *cell_raw_shares(const struct row *r)
{
	if (r->v.is_root)
		return g_strdup("");
	return r->a->shares == SHARES_PARENT ? g_strdup("parent") : g_strdup_printf("%u", r->a->shares);
}

/* priority/basic computes nothing: shares are blank, everything else stays 0. */
static bool is_basic(const struct row *r)
{
	return r->cl->params->priority_type == PRIORITY_BASIC;
}

static char *cell_norm_shares(const struct row *r)
{
	if (is_basic(r))
		return g_strdup("");
	return number(r->v.norm_shares);
}

static char *cell_raw_usage(const struct row *r)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)r->v.usage); /* P37 */
}

static char *cell_norm_usage(const struct row *r)
{
	return r->v.is_root || r->v.is_new || is_basic(r) ? g_strdup("") : number(r->v.norm_usage); /* P45d */
}

static char *cell_effective(const struct row *r)
{
	return number(is_basic(r) ? 0.0L : r->v.effective);
}

/* Classic 22.05 shows that of accounts as well. */
static char *cell_fairshare(const struct row *r)
{
	bool accounts = !r->tree->tree && r->cl->params->version == SLURM_22_05;
	return r->a->user || accounts ? number(r->v.fairshare) : g_strdup("");
}

static char *cell_level_fs(const struct row *r)
{
	if (is_basic(r))
		return number(0.0L);
	if (r->v.is_root || r->a->shares == SHARES_PARENT || !r->tree->tree)
		return g_strdup("");
	return number(r->v.level_fs);
}

static char *cell_grp_tres_mins(const struct row *r)
{
	const uint64_t *limit = r->a->limits.grp_tres_mins;
	GString *text = g_string_new(NULL);
	for (uint32_t i = 0; limit && i < r->cl->tres->n; i++)
		if (limit[i] != NO_VAL64 && limit[i] != INFINITE64)
			g_string_append_printf(text, "%s%s=%" G_GUINT64_FORMAT, text->len ? "," : "", r->cl->tres->name[i],
			                       limit[i]);
	return g_string_free(text, FALSE);
}

/* 26.11 adds the two kinds that every cluster with GPUs has there; nothing here uses them. */
static void append_gpu_kinds(GString *text, const struct row *r, uint32_t i)
{
	const struct tres_table *t = r->cl->tres;
	bool gpu = g_str_has_prefix(t->name[i], "gres/gpu") && (t->name[i][8] == '\0' || t->name[i][8] == ':');
	bool more = i + 1 < t->n && g_str_has_prefix(t->name[i + 1], "gres/gpu");
	if (gpu && !more && r->cl->params->version != SLURM_22_05)
		g_string_append(text, ",gres/gpumem=0,gres/gpuutil=0");
}

static char *minutes(const struct row *r, const uint64_t *v)
{
	GString *text = g_string_new(NULL);
	for (uint32_t i = 0; i < r->cl->tres->n; i++) {
		g_string_append_printf(text, "%s%s=%" G_GUINT64_FORMAT, i ? "," : "", r->cl->tres->name[i], v[i]);
		append_gpu_kinds(text, r, i);
	}
	return g_string_free(text, FALSE);
}

static char *cell_grp_tres_raw(const struct row *r)
{
	uint64_t v[TRES_MAX];
	for (uint32_t i = 0; i < r->cl->tres->n; i++)
		v[i] = r->a->tres_usage ? (uint64_t)(r->a->tres_usage[i] / 60.0L) : 0;
	return minutes(r, v);
}

static char *cell_run_mins(const struct row *r)
{
	uint64_t v[TRES_MAX];
	controller_run_seconds(r->c, r->a, v);
	for (uint32_t i = 0; i < r->cl->tres->n; i++)
		v[i] /= 60;
	return minutes(r, v);
}

/* ---- columns ---- */

static const struct field {
	const char *name;
	int width; /* < 0: to the left */
	cell_fn *cell;
	bool is_double;
} FIELDS[] = {
    {"Account", -20, cell_account, false},
    {"Cluster", 10, cell_cluster, false},
    {"EffectvUsage", 13, cell_effective, true},
    {"FairShare", 10, cell_fairshare, true},
    {"GrpTRESMins", 30, cell_grp_tres_mins, false},
    {"GrpTRESRaw", 30, cell_grp_tres_raw, false},
    {"ID", 6, cell_id, false},
    {"LevelFS", 10, cell_level_fs, true},
    {"NormShares", 11, cell_norm_shares, true},
    {"NormUsage", 11, cell_norm_usage, true},
    {"Partition", 12, cell_partition, false},
    {"RawShares", 10, cell_raw_shares, false},
    {"RawUsage", 11, cell_raw_usage, true},
    {"TRESRunMins", 30, cell_run_mins, false},
    {"User", 10, cell_user, false},
};

struct column {
	const struct field *field;
	int width;
};

static bool read_column(const char *text, struct column *column)
{
	size_t n = strcspn(text, "%");
	for (size_t i = 0; i < G_N_ELEMENTS(FIELDS); i++)
		if (strlen(FIELDS[i].name) == n && g_ascii_strncasecmp(FIELDS[i].name, text, n) == 0) {
			char *end = NULL;
			long width = text[n] ? strtol(text + n + 1, &end, 10) : FIELDS[i].width;
			*column = (struct column){&FIELDS[i], (int)width};
			return !end || (*end == '\0' && width >= -1000 && width <= 1000 && width != 0);
		}
	return false;
}

bool sshare_check(const struct sshare_options *o, GError **error)
{
	char **names = g_strsplit(o->format ? o->format : "", ",", -1);
	bool ok = true;
	for (char **s = names; *s && ok; s++) {
		struct column column;
		ok = read_column(*s, &column);
		if (!ok)
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			            "Invalid field requested: \"%s\"%s", *s, slurm_own_name() ? "" : "; -e lists the fields");
	}
	g_strfreev(names);
	return ok;
}

void sshare_print_fields(FILE *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(FIELDS); i++)
		fprintf(out, "%-17s%s", FIELDS[i].name, i % 4 == 3 || i + 1 == G_N_ELEMENTS(FIELDS) ? "\n" : " ");
}

static char *default_format(const struct sshare_options *o, const struct fairshare *tree)
{
	return g_strdup_printf("Account,User,%sRawShares,NormShares,RawUsage,%sEffectvUsage,FairShare%s%s",
	                       o->partition ? "Partition," : "", o->is_long ? "NormUsage," : "",
	                       o->is_long && (!tree || tree->tree) ? ",LevelFS" : "",
	                       o->is_long ? ",GrpTRESMins,TRESRunMins" : "");
}

/* Text too long ends in '+'; a double becomes an exponent form and is never cut, nor is a count (1.2). */
static void append_cell(GString *line, const struct column *column, const char *value)
{
	size_t width = (size_t)abs(column->width), n = strlen(value);
	char *text = NULL;
	if (n > width && column->field->cell != cell_raw_usage) {
		if (column->field->is_double && strcmp(value, "inf") != 0)
			text = g_strdup_printf("%e", g_ascii_strtod(value, NULL));
		else if (!column->field->is_double)
			text = g_strdup_printf("%.*s+", (int)width - 1, value);
	}
	g_string_append_printf(line, column->width < 0 ? "%-*s " : "%*s ", (int)width, text ? text : value);
	g_free(text);
}

struct table {
	FILE *out;
	const struct sshare_options *o;
	GArray *columns; /* of struct column */
	cJSON *list;     /* of --json; else NULL */
};

static bool is_parsable(const struct sshare_options *o)
{
	return o->parsable || o->parsable2;
}

/* R NULL: the header. */
static void print_row(const struct table *t, const struct row *r)
{
	GString *line = g_string_new(NULL);
	for (guint i = 0; i < t->columns->len; i++) {
		const struct column *column = &g_array_index(t->columns, struct column, i);
		char *value = r ? column->field->cell(r) : g_strdup(column->field->name);
		if (is_parsable(t->o))
			g_string_append_printf(line, "%s%s", value,
			                       t->o->parsable || i + 1 < t->columns->len ? "|" : "");
		else if (r)
			append_cell(line, column, value);
		else
			g_string_append_printf(line, column->width < 0 ? "%-*.*s " : "%*.*s ", abs(column->width),
			                       abs(column->width), value);
		g_free(value);
	}
	fprintf(t->out, "%s\n", line->str);
	g_string_free(line, TRUE);
}

static void print_header(const struct table *t)
{
	if (t->o->no_header)
		return;
	print_row(t, NULL);
	for (guint i = 0; i < t->columns->len && !is_parsable(t->o); i++) {
		for (int k = abs(g_array_index(t->columns, struct column, i).width); k > 0; k--)
			fputc('-', t->out);
		fputs(i + 1 < t->columns->len ? " " : " \n", t->out);
	}
}

/* ---- rows ---- */

static int by_name(const void *a, const void *b, void *data)
{
	const struct fairshare *f = data;
	const struct assoc *x = *(struct assoc *const *)a, *y = *(struct assoc *const *)b;
	if (!x->user != !y->user)
		return x->user ? -1 : 1;
	int order = x->user ? strcmp(x->user, y->user) : strcmp(x->account, y->account);
	if (order)
		return order;
	order = g_strcmp0(x->partition, y->partition); /* 26.11: the one without partition first */
	return f->newest_first ? (x->id < y->id) - (x->id > y->id) : order;
}

static bool row_wanted(const struct sshare_options *o, const struct assoc *a)
{
	if (!a->user)
		return !o->only_users;
	return o->all || in_list(o->users ? o->users : "root", a->user);
}

/* DEPTH < 0: not in a wanted subtree. */
static void print_tree(const struct table *t, struct row *r, const struct assoc *a, int depth)
{
	if (depth < 0 && !a->user && in_list(t->o->accounts, a->account))
		depth = 0;
	if (depth >= 0 && row_wanted(t->o, a)) {
		r->a = a;
		r->depth = t->o->only_users ? 0 : depth;
		controller_fair_view(r->c, a, &r->v);
		if (t->list)
			cJSON_AddItemToArray(t->list, json_share(r->c, a, &r->v));
		else
			print_row(t, r);
	}
	GPtrArray *children = g_ptr_array_new();
	for (guint i = 0; i < a->children->len; i++)
		g_ptr_array_add(children, a->children->pdata[i]);
	g_ptr_array_sort_with_data(children, by_name, (void *)r->tree);
	for (guint i = 0; i < children->len; i++)
		print_tree(t, r, children->pdata[i], depth < 0 ? depth : depth + 1);
	g_ptr_array_unref(children);
}

static void print_json(FILE *out, const struct controller *c, const struct sshare_options *o)
{
	struct row r = {.c = c, .cl = controller_cluster(c), .tree = controller_fairshare(c)};
	struct table t = {out, o, NULL, cJSON_CreateArray()};
	cJSON *shares = cJSON_CreateObject();

	if (r.cl->acct)
		print_tree(&t, &r, r.cl->acct->root, -1);
	cJSON_AddItemToObject(shares, "shares", t.list);
	cJSON_AddNumberToObject(shares, "total_shares", 0);
	json_print_acct(out, r.cl, "shares", shares, o->all ? "sshare -a --json" : "sshare --json");
}

void sshare_print(FILE *out, const struct controller *c, const struct sshare_options *o)
{
	if (o->json) {
		print_json(out, c, o);
		return;
	}
	struct row r = {.c = c, .cl = controller_cluster(c), .tree = controller_fairshare(c)};
	struct table t = {out, o, g_array_new(FALSE, FALSE, sizeof(struct column)), NULL};
	char *format = o->format ? g_strdup(o->format) : default_format(o, r.tree);
	char **names = g_strsplit(format, ",", -1);
	for (char **s = names; *s; s++) {
		struct column column;
		if (read_column(*s, &column))
			g_array_append_val(t.columns, column);
	}
	print_header(&t);
	if (r.cl->acct)
		print_tree(&t, &r, r.cl->acct->root, -1);
	g_strfreev(names);
	g_free(format);
	g_array_unref(t.columns);
}
