/* sacctmgr_out.c - see sacctmgr_out.h */
#include "tools/sacctmgr_out.h"
#include "sched/acct.h"
#include "tools/cells.h"
#include <stdlib.h>
#include <string.h>

struct row {
	const struct cluster *c;
	const struct assoc *as;
	const struct qos *q;
	const char *user; /* of "show user" */
	int tres;
};
typedef char *cell_fn(const struct row *r);
struct field {
	const char *names; /* alternatives by "|"; the first is the header */
	int width;
	cell_fn *fill;
};
#define CELL(name) static char *name(const struct row *r)

/* ---- values ---- */

static char *count(uint32_t n)
{
	return n >= NO_VAL ? g_strdup("") : g_strdup_printf("%u", n);
}

static char *minutes(uint32_t n)
{
	return n >= NO_VAL ? g_strdup("") : duration_format((int64_t)n * 60);
}

/* Only what is set: an unset kind is NO_VAL64, a cleared one INFINITE. */
static char *counts(const struct row *r, const uint64_t *list)
{
	uint64_t copy[TRES_MAX];

	if (!list)
		return g_strdup("");
	for (uint32_t i = 0; i < r->c->tres->n; i++)
		copy[i] = list[i] >= NO_VAL64 || list[i] == INFINITE ? NO_VAL64 : list[i];
	return tres_format(r->c->tres, copy, NO_VAL64);
}

/* The nearest value up the tree. */
static uint32_t up_count(const struct assoc *a, size_t offset)
{
	for (; a; a = a->parent) {
		uint32_t n = *(const uint32_t *)((const char *)&a->limits + offset);
		if (n != NO_VAL)
			return n;
	}
	return NO_VAL;
}

static char *up_counts(const struct row *r, size_t offset)
{
	uint64_t merged[TRES_MAX];

	for (uint32_t i = 0; i < r->c->tres->n; i++)
		merged[i] = NO_VAL64;
	for (const struct assoc *a = r->as; a; a = a->parent) {
		const uint64_t *list = *(uint64_t *const *)((const char *)&a->limits + offset);
		for (uint32_t i = 0; list && i < r->c->tres->n; i++)
			if (merged[i] == NO_VAL64)
				merged[i] = list[i];
	}
	return counts(r, merged);
}

#define UP_COUNT(name, member)                                                                                         \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return count(up_count(r->as, offsetof(struct limits, member)));                                        \
	}
#define UP_COUNTS(name, member)                                                                                        \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return up_counts(r, offsetof(struct limits, member));                                                  \
	}
#define OWN_COUNT(name, whose, member)                                                                                 \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return count(r->whose->limits.member);                                                                 \
	}
#define OWN_COUNTS(name, whose, member)                                                                                \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return counts(r, r->whose->limits.member);                                                             \
	}

CELL(empty)
{
	(void)r;
	return g_strdup("");
}
CELL(cluster_name)
{
	return g_strdup(r->c->params->cluster_name ? r->c->params->cluster_name : "");
}

/* ---- associations ---- */

CELL(account)
{
	return g_strdup(r->as->account);
}
CELL(user)
{
	return g_strdup(r->as->user ? r->as->user : "");
}
CELL(partition)
{
	return g_strdup(r->as->partition ? r->as->partition : "");
}
CELL(share)
{
	return r->as->shares == SHARES_PARENT ? g_strdup("parent") : g_strdup_printf("%u", r->as->shares);
}
CELL(assoc_priority)
{
	return count(r->as->priority);
}
CELL(assoc_id)
{
	return g_strdup_printf("%u", r->as->id);
}
CELL(parent_name)
{
	return g_strdup(r->as->user || !r->as->parent ? "" : r->as->parent->account);
}
static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}
CELL(qos_list)
{
	char **names = assoc_qos_list(r->as), **copy = names ? g_strdupv(names) : NULL, *text;

	if (!copy)
		return g_strdup("normal");
	qsort(copy, g_strv_length(copy), sizeof *copy, by_text);
	text = g_strjoinv(",", copy);
	g_strfreev(copy);
	return text;
}
CELL(default_qos)
{
	for (const struct assoc *a = r->as; a; a = a->parent)
		if (a->default_qos)
			return g_strdup(a->default_qos);
	return g_strdup("");
}
CELL(up_wall)
{
	return minutes(up_count(r->as, offsetof(struct limits, max_wall)));
}
CELL(grp_wall)
{
	return minutes(r->as->limits.grp_wall);
}
OWN_COUNT(grp_jobs, as, grp_jobs)
OWN_COUNT(grp_submit, as, grp_submit)
OWN_COUNTS(grp_tres, as, grp_tres)
OWN_COUNTS(grp_tres_mins, as, grp_tres_mins)
OWN_COUNTS(grp_tres_run_mins, as, grp_tres_run_mins)
UP_COUNT(max_jobs, max_jobs)
UP_COUNT(max_submit, max_submit)
UP_COUNTS(max_tres, max_tres_pj)
UP_COUNTS(max_tres_node, max_tres_pn)
UP_COUNTS(max_tres_mins, max_tres_mins_pj)

static const struct field ASSOC[] = {{"Cluster", 10, cluster_name},
                                     {"Account", 10, account},
                                     {"User", 10, user},
                                     {"Partition", 10, partition},
                                     {"Share|Fairshare", 9, share},
                                     {"Priority", 10, assoc_priority},
                                     {"GrpJobs", 7, grp_jobs},
                                     {"GrpTRES", 13, grp_tres},
                                     {"GrpSubmit|GrpSubmitJobs", 9, grp_submit},
                                     {"GrpWall", 11, grp_wall},
                                     {"GrpTRESMins", 13, grp_tres_mins},
                                     {"MaxJobs", 7, max_jobs},
                                     {"MaxTRES|MaxTRESPerJob|MaxTRESPJ", 13, max_tres},
                                     {"MaxTRESPerNode|MaxTRESPN", 14, max_tres_node},
                                     {"MaxSubmit|MaxSubmitJobs", 9, max_submit},
                                     {"MaxWall|MaxWallDurationPerJob", 11, up_wall},
                                     {"MaxTRESMins|MaxTRESMinsPerJob", 13, max_tres_mins},
                                     {"QOS", 20, qos_list},
                                     {"Def QOS|DefaultQOS|DefQOS", 9, default_qos},
                                     {"GrpTRESRunMins", 13, grp_tres_run_mins},
                                     {"ID", 6, assoc_id},
                                     {"Par Name|ParentName", 10, parent_name}};
enum { ASSOC_SHOWN = 20 };

/* ---- QOS ---- */

CELL(qos_name)
{
	return g_strdup(r->q->name);
}
CELL(qos_priority)
{
	return g_strdup_printf("%u", r->q->priority);
}
CELL(grace)
{
	return duration_format(r->q->grace_time > 0 ? r->q->grace_time : 0);
}
CELL(preempt)
{
	return r->q->preempt ? g_strjoinv(",", r->q->preempt) : g_strdup("");
}
CELL(exempt)
{
	return r->q->preempt_exempt_time < 0 ? g_strdup("") : duration_format(r->q->preempt_exempt_time);
}
CELL(mode)
{
	return r->q->preempt_mode_text ? g_ascii_strdown(r->q->preempt_mode_text, -1) : g_strdup("cluster");
}
CELL(flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} WORDS[] = {{QOS_DENY_LIMIT, "DenyOnLimit"},
	             {QOS_ENFORCE_USAGE_THRESHOLD, "EnforceUsageThreshold"},
	             {QOS_NO_RESERVE, "NoReserve"},
	             {QOS_PART_MAX_NODE, "PartitionMaxNodes"},
	             {QOS_PART_MIN_NODE, "PartitionMinNodes"},
	             {QOS_PART_TIME_LIMIT, "PartitionTimeLimit"},
	             {QOS_OVER_PART_QOS, "OverPartQOS"},
	             {QOS_REQUIRES_RESV, "RequiresReservation"},
	             {QOS_NO_DECAY, "NoDecay"},
	             {QOS_USAGE_FACTOR_SAFE, "UsageFactorSafe"},
	             {QOS_RELATIVE, "Relative"}};
	GString *s = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (r->q->flags & WORDS[i].flag)
			g_string_append_printf(s, "%s%s", s->len ? "," : "", WORDS[i].name);
	return g_string_free(s, FALSE);
}
CELL(threshold)
{
	return r->q->usage_threshold < 0 ? g_strdup("") : g_strdup_printf("%f", r->q->usage_threshold);
}
CELL(factor)
{
	return g_strdup_printf("%f", r->q->usage_factor);
}
CELL(qos_wall)
{
	return minutes(r->q->limits.max_wall);
}
CELL(qos_grp_wall)
{
	return minutes(r->q->limits.grp_wall);
}
OWN_COUNTS(q_grp_tres, q, grp_tres)
OWN_COUNTS(q_grp_tres_mins, q, grp_tres_mins)
OWN_COUNTS(q_grp_tres_run, q, grp_tres_run_mins)
OWN_COUNT(q_grp_jobs, q, grp_jobs)
OWN_COUNT(q_grp_submit, q, grp_submit)
OWN_COUNTS(q_max_tres, q, max_tres_pj)
OWN_COUNTS(q_max_tres_node, q, max_tres_pn)
OWN_COUNTS(q_max_tres_mins, q, max_tres_mins_pj)
OWN_COUNTS(q_max_tres_pu, q, max_tres_pu)
OWN_COUNT(q_max_jobs_pu, q, max_jobs_pu)
OWN_COUNT(q_max_submit_pu, q, max_submit_pu)
OWN_COUNTS(q_max_tres_pa, q, max_tres_pa)
OWN_COUNTS(q_run_mins_pa, q, max_tres_run_mins_pa)
OWN_COUNTS(q_run_mins_pu, q, max_tres_run_mins_pu)
OWN_COUNT(q_max_jobs_pa, q, max_jobs_pa)
OWN_COUNT(q_max_submit_pa, q, max_submit_pa)
OWN_COUNTS(q_min_tres, q, min_tres_pj)

static const struct field QOS[] = {{"Name", 10, qos_name},
                                   {"Priority", 10, qos_priority},
                                   {"GraceTime", 10, grace},
                                   {"Preempt", 10, preempt},
                                   {"PreemptExemptTime", 19, exempt},
                                   {"PreemptMode", 11, mode},
                                   {"Flags", 40, flags},
                                   {"UsageThres|UsageThreshold", 10, threshold},
                                   {"UsageFactor", 11, factor},
                                   {"GrpTRES", 13, q_grp_tres},
                                   {"GrpTRESMins", 13, q_grp_tres_mins},
                                   {"GrpTRESRunMins", 13, q_grp_tres_run},
                                   {"GrpJobs", 7, q_grp_jobs},
                                   {"GrpSubmit|GrpSubmitJobs", 9, q_grp_submit},
                                   {"GrpWall", 11, qos_grp_wall},
                                   {"MaxTRES|MaxTRESPerJob|MaxTRESPJ", 13, q_max_tres},
                                   {"MaxTRESPerNode|MaxTRESPN", 14, q_max_tres_node},
                                   {"MaxTRESMins|MaxTRESMinsPerJob", 13, q_max_tres_mins},
                                   {"MaxWall|MaxWallDurationPerJob", 11, qos_wall},
                                   {"MaxTRESPU|MaxTRESPerUser", 13, q_max_tres_pu},
                                   {"MaxJobsPU|MaxJobsPerUser", 9, q_max_jobs_pu},
                                   {"MaxSubmitPU|MaxSubmitJobsPerUser|MaxSubmitJobsPU", 11, q_max_submit_pu},
                                   {"MaxTRESPA|MaxTRESPerAccount", 13, q_max_tres_pa},
                                   {"MaxTRESRunMinsPA", 22, q_run_mins_pa},
                                   {"MaxTRESRunMinsPU", 22, q_run_mins_pu},
                                   {"MaxJobsPA|MaxJobsPerAccount", 9, q_max_jobs_pa},
                                   {"MaxSubmitPA|MaxSubmitJobsPerAccount", 11, q_max_submit_pa},
                                   {"MinTRES|MinTRESPerJob", 13, q_min_tres}};

/* ---- users, accounts, TRES ---- */

CELL(user_name)
{
	return g_strdup(r->user);
}
CELL(user_account)
{
	const char *account = g_hash_table_lookup(r->c->acct->default_account, r->user);
	return g_strdup(account ? account : "");
}
CELL(admin)
{
	const char *level = g_hash_table_lookup(r->c->acct->admin, r->user);

	if (strcmp(r->user, "root") == 0 || (level && g_ascii_strncasecmp(level, "admin", 5) == 0))
		return g_strdup("Administrator");
	return g_strdup(level && g_ascii_strncasecmp(level, "operator", 8) == 0 ? "Operator" : "None");
}
CELL(tres_type)
{
	const char *name = r->c->tres->name[r->tres];
	return g_strndup(name, strcspn(name, "/"));
}
CELL(tres_name)
{
	const char *slash = strchr(r->c->tres->name[r->tres], '/');
	return g_strdup(slash ? slash + 1 : "");
}
static const struct field USER[] = {{"User|Name", 10, user_name},
                                    {"Def Acct|DefaultAccount|DefAcct", 10, user_account},
                                    {"Admin|AdminLevel", 9, admin}};
static const struct field ACCOUNT[] = {
    {"Account|Name", 10, account}, {"Descr|Description", 20, empty}, {"Org|Organization", 20, empty}};
static const struct field TRES[] = {{"Type", 8, tres_type}, {"Name", 15, tres_name}};

/* ---- printing ---- */

struct sheet {
	const struct sacctmgr_options *o;
	FILE *out;
	GArray *columns; /* of struct field */
	GArray *left;    /* of bool */
};

static size_t header_length(const struct field *f)
{
	return strcspn(f->names, "|");
}

static void put(const struct sheet *s, guint i, const char *text, bool header)
{
	const struct field *f = &g_array_index(s->columns, struct field, i);
	bool left = g_array_index(s->left, bool, i);
	size_t n = strlen(text), width = (size_t)f->width;

	if (s->o->parsable || s->o->closed) {
		fprintf(s->out, "%s%s", text, s->o->closed || i + 1 < s->columns->len ? "|" : "");
		return;
	}
	if (n > width)
		fprintf(s->out, "%.*s%s ", (int)(header ? width : width - 1), text, header ? "" : "+");
	else
		fprintf(s->out, left ? "%-*s " : "%*s ", (int)width, text);
}

static void print_header(const struct sheet *s)
{
	if (s->o->no_header)
		return;
	for (guint i = 0; i < s->columns->len; i++) {
		const struct field *f = &g_array_index(s->columns, struct field, i);
		char *name = g_strndup(f->names, header_length(f));
		put(s, i, name, true);
		g_free(name);
	}
	fputc('\n', s->out);
	if (s->o->parsable || s->o->closed)
		return;
	for (guint i = 0; i < s->columns->len; i++) {
		for (int k = 0; k < g_array_index(s->columns, struct field, i).width; k++)
			fputc('-', s->out);
		fputc(' ', s->out);
	}
	fputc('\n', s->out);
}

static void print_row(const struct sheet *s, const struct row *r)
{
	for (guint i = 0; i < s->columns->len; i++) {
		char *text = g_array_index(s->columns, struct field, i).fill(r);
		put(s, i, text, false);
		g_free(text);
	}
	fputc('\n', s->out);
}

/* ---- which columns ---- */

/* sacctmgr takes what a name begins with. */
static const struct field *find_field(const struct field *fields, size_t n, const char *text, size_t len)
{
	for (int exact = 1; exact >= 0; exact--)
		for (size_t i = 0; i < n; i++)
			for (const char *p = fields[i].names; *p; p += *p == '|') {
				size_t size = strcspn(p, "|");
				if ((exact ? size == len : size > len) && g_ascii_strncasecmp(p, text, len) == 0)
					return &fields[i];
				p += size;
			}
	return NULL;
}

static bool read_format(struct sheet *s, const struct field *fields, size_t n, size_t shown, GError **error)
{
	bool no = false;

	for (size_t i = 0; !s->o->format && i < shown; i++) {
		g_array_append_val(s->columns, fields[i]);
		g_array_append_val(s->left, no);
	}
	for (const char *p = s->o->format; p && *p; p += *p == ',') {
		size_t len = strcspn(p, ","), name = MIN(len, strcspn(p, "%"));
		const struct field *found = name ? find_field(fields, n, p, name) : NULL;

		if (!found) {
			g_set_error(error, SACCTMGR_ERROR, 0, "Unknown field '%.*s'", (int)MIN(len, 60), p);
			return false;
		}
		struct field f = *found;
		int width = name < len ? atoi(p + name + 1) : 0;
		bool left = width < 0;
		if (width)
			f.width = MIN(abs(width), 1000);
		g_array_append_val(s->columns, f);
		g_array_append_val(s->left, left);
		p += len;
	}
	return true;
}

/* ---- which rows ---- */

static int by_place(gconstpointer a, gconstpointer b)
{
	const struct assoc *x = *(struct assoc *const *)a, *y = *(struct assoc *const *)b;

	if (!x->user != !y->user)
		return x->user ? -1 : 1;
	int order = strcmp(x->user ? x->user : x->account, y->user ? y->user : y->account);
	return order ? order : strcmp(x->partition ? x->partition : "", y->partition ? y->partition : "");
}

static bool assoc_wanted(const struct sacctmgr_options *o, const struct assoc *a)
{
	return in_list(o->accounts, a->account) && (!o->users || (a->user && in_list(o->users, a->user)));
}

static void print_tree(const struct sheet *s, const struct cluster *c, const struct assoc *a)
{
	GPtrArray *children = g_ptr_array_new();

	if (assoc_wanted(s->o, a))
		print_row(s, &(struct row){.c = c, .as = a});
	for (guint i = 0; a->children && i < a->children->len; i++)
		g_ptr_array_add(children, a->children->pdata[i]);
	g_ptr_array_sort(children, by_place);
	for (guint i = 0; i < children->len; i++)
		print_tree(s, c, children->pdata[i]);
	g_ptr_array_unref(children);
}

static void print_names(const struct sheet *s, const struct cluster *c, bool users)
{
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GList *names = NULL;

	for (guint i = 0; i < c->acct->assocs->len; i++) {
		const struct assoc *a = c->acct->assocs->pdata[i];
		const char *name = users ? a->user : a->user ? NULL : a->account;
		if (name && in_list(s->o->names, name) && in_list(users ? s->o->users : s->o->accounts, name))
			g_hash_table_insert(seen, (gpointer)name, (gpointer)a);
	}
	names = g_list_sort(g_hash_table_get_keys(seen), (GCompareFunc)strcmp);
	for (GList *l = names; l; l = l->next)
		print_row(s, &(struct row){.c = c, .user = l->data, .as = g_hash_table_lookup(seen, l->data)});
	g_list_free(names);
	g_hash_table_unref(seen);
}

static void print_rows(const struct sheet *s, const struct cluster *c, char kind)
{
	switch (kind) {
	case 'a':
		print_tree(s, c, c->acct->root);
		break;
	case 'q':
		for (guint i = 0; i < c->acct->qos->len; i++) {
			const struct qos *q = c->acct->qos->pdata[i];
			if (in_list(s->o->names, q->name))
				print_row(s, &(struct row){.c = c, .q = q});
		}
		break;
	case 't':
		for (uint32_t i = 0; i < c->tres->n; i++)
			print_row(s, &(struct row){.c = c, .tres = (int)i});
		break;
	default:
		print_names(s, c, kind == 'u');
	}
}

bool sacctmgr_print(FILE *out, const struct cluster *c, const struct sacctmgr_options *o, GError **error)
{
	static const struct {
		const char *name;
		char kind;
		const struct field *fields;
		size_t n, shown;
	} ENTITIES[] = {{"associations", 'a', ASSOC, G_N_ELEMENTS(ASSOC), ASSOC_SHOWN},
	                {"qos", 'q', QOS, G_N_ELEMENTS(QOS), G_N_ELEMENTS(QOS)},
	                {"users", 'u', USER, G_N_ELEMENTS(USER), G_N_ELEMENTS(USER)},
	                {"accounts", 'c', ACCOUNT, G_N_ELEMENTS(ACCOUNT), G_N_ELEMENTS(ACCOUNT)},
	                {"tres", 't', TRES, G_N_ELEMENTS(TRES), G_N_ELEMENTS(TRES)}};
	size_t n = strlen(o->entity), at = 0;
	struct sheet s = {o, out, NULL, NULL};
	bool ok;

	while (at < G_N_ELEMENTS(ENTITIES) && (n < 2 || g_ascii_strncasecmp(ENTITIES[at].name, o->entity, n) != 0))
		at++;
	if (at == G_N_ELEMENTS(ENTITIES)) {
		g_set_error(error, SACCTMGR_ERROR, 0,
		            "invalid entity \"%s\"; known are assoc, qos, user, account, tres", o->entity);
		return false;
	}
	if (!c->acct) {
		g_set_error(error, SACCTMGR_ERROR, 0, "this cluster has no accounting; give --accounting FILE");
		return false;
	}
	s.columns = g_array_new(FALSE, FALSE, sizeof(struct field));
	s.left = g_array_new(FALSE, FALSE, sizeof(bool));
	ok = read_format(&s, ENTITIES[at].fields, ENTITIES[at].n, ENTITIES[at].shown, error);
	if (ok) {
		print_header(&s);
		print_rows(&s, c, ENTITIES[at].kind);
	}
	g_array_unref(s.columns);
	g_array_unref(s.left);
	return ok;
}
