/* show_assoc.c - see show_assoc.h */
#include "tools/show_assoc.h"
#include "sched/limits_list.h"
#include "sched/priority.h"
#include "tools/acct_json.h"
#include "tools/cells.h"
#include "tools/show.h"
#include <string.h>

#define ROW "\n    "

struct page {
	FILE *out;
	const struct job_view *v;
	const struct cluster *cl;
	const struct assoc_filter *f;
	int flags;
};

/* ---- filters ---- */

static bool read_flags(const char *list)
{
	static const char *const KNOWN[] = {"users", "assoc", "qos", NULL};
	char **words = g_strsplit(list, ",", -1);
	bool good = words[0] != NULL;

	for (char **w = words; *w; w++)
		good &= g_strv_contains(KNOWN, *w);
	g_strfreev(words);
	return good;
}

bool assoc_filter_read(struct assoc_filter *f, const char *word)
{
	const struct {
		const char *key;
		const char **to;
	} keys[] = {{"users=", &f->users}, {"user=", &f->users}, {"accounts=", &f->accounts}, {"account=", &f->accounts},
	            {"qos=", &f->qos},     {"flags=", &f->flags}};

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (g_ascii_strncasecmp(word, keys[i].key, strlen(keys[i].key)) == 0) {
			*keys[i].to = word + strlen(keys[i].key);
			return keys[i].to != &f->flags || read_flags(f->flags);
		}
	return false;
}

/* ---- values with use ---- */

static void put_count(GString *s, const char *name, uint32_t limit, uint32_t use)
{
	if (limit >= NO_VAL)
		g_string_append_printf(s, "%s=N(%u)", name, use);
	else
		g_string_append_printf(s, "%s=%u(%u)", name, limit, use);
}

static void put_wall(GString *s, uint32_t limit, double seconds)
{
	if (limit >= NO_VAL)
		g_string_append_printf(s, "GrpWall=N(%.2f)", seconds / 60);
	else
		g_string_append_printf(s, "GrpWall=%u(%.2f)", limit, seconds / 60);
}

/* NAME=cpu=N(3),mem=...: all kinds of TRES. */
static void put_tres(GString *s, const struct page *p, const char *name, const uint64_t *limit, const uint64_t *use)
{
	const struct tres_table *t = p->cl->tres;

	g_string_append_printf(s, "%s=", name);
	for (uint32_t i = 0; i < t->n; i++) {
		g_string_append_printf(s, "%s%s=", i ? "," : "", t->name[i]);
		if (limit && limit[i] < NO_VAL64 && limit[i] != INFINITE)
			g_string_append_printf(s, "%" G_GUINT64_FORMAT, limit[i]);
		else
			g_string_append_c(s, 'N');
		g_string_append_printf(s, "(%" G_GUINT64_FORMAT ")", use ? use[i] : 0);
	}
}

/* Limits of one job: only what is set. */
static void put_list(GString *s, const struct page *p, const char *name, const uint64_t *limit)
{
	uint64_t copy[TRES_MAX];

	g_string_append_printf(s, "%s=", name);
	if (!limit)
		return;
	for (uint32_t i = 0; i < p->cl->tres->n; i++)
		copy[i] = limit[i] >= NO_VAL64 || limit[i] == INFINITE ? NO_VAL64 : limit[i];
	char *text = tres_format(p->cl->tres, copy, NO_VAL64);
	g_string_append(s, text ? text : "");
	g_free(text);
}

static void put_plain(GString *s, const char *name, uint32_t limit)
{
	if (limit >= NO_VAL)
		g_string_append_printf(s, "%s=", name);
	else
		g_string_append_printf(s, "%s=%u", name, limit);
}

/* Whose use: of an association and all below it, or of a QOS, or of one user or account in a QOS. */
struct owner {
	const struct assoc *as;
	const struct qos *q;
	const char *user, *account;
};

static bool counts_for(const struct owner *w, const struct job *j)
{
	if (w->as) {
		const struct assoc *a = j->assoc;
		while (a && a != w->as)
			a = a->parent;
		return a != NULL;
	}
	bool by_part = j->part && j->part->qos == w->q;
	return (j->qos == w->q || by_part) && (!w->user || g_strcmp0(j->user, w->user) == 0) &&
	       (!w->account || g_strcmp0(j->account, w->account) == 0);
}

/* Distinct nodes: controllers without a limit of nodes do not count them. */
static uint64_t nodes_of(const struct page *p, const struct owner *w)
{
	struct bitset *all = bitset_new(p->cl->n_nodes);

	for (uint32_t i = 0, n = controller_n_jobs(p->v->c); i < n; i++) {
		const struct job *j = controller_job(p->v->c, i);
		bool holds = j->nodes && (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED);
		if (holds && counts_for(w, j))
			bitset_or(all, j->nodes);
	}
	uint64_t n = bitset_count(all);
	bitset_free(all);
	return n;
}

struct held { /* one use in the units of the page */
	uint64_t tres[TRES_MAX], mins[TRES_MAX], run_mins[TRES_MAX];
};

static void held_of(const struct page *p, const struct owner *w, const struct use *u, const long double *past, struct held *h)
{
	memset(h, 0, sizeof *h);
	for (uint32_t i = 0; i < p->cl->tres->n; i++) {
		h->tres[i] = u && u->tres ? u->tres[i] : 0;
		h->run_mins[i] = u && u->run_secs ? u->run_secs[i] / 60 : 0;
		h->mins[i] = past ? (uint64_t)(past[i] / 60.0L) : 0;
	}
	h->tres[TRES_NODE] = nodes_of(p, w);
}

/* ---- users ---- */

static void put_user(GString *s, const struct page *p, const char *name)
{
	uint32_t n = limits_user_number(p->v->c, name);

	if (strcmp(name, "root") == 0)
		g_string_append(s, "root(0)");
	else if (n == NO_VAL)
		g_string_append_printf(s, "%s(%u)", name, NO_VAL);
	else
		g_string_append_printf(s, "%s(%u)", name, 1000 + n);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* root first; 22.05 has it last. */
static GPtrArray *user_names(const struct page *p)
{
	GPtrArray *names = g_ptr_array_new();
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	bool root = false;

	for (guint i = 0; i < p->cl->acct->assocs->len; i++) {
		const struct assoc *a = p->cl->acct->assocs->pdata[i];
		if (!a->user || a->removed || !in_list(p->f->users, a->user) || !g_hash_table_add(seen, a->user))
			continue;
		if (strcmp(a->user, "root") == 0)
			root = true;
		else
			g_ptr_array_add(names, a->user);
	}
	g_hash_table_unref(seen);
	g_ptr_array_sort(names, by_name);
	if (root)
		g_ptr_array_insert(names, p->v->v22 ? -1 : 0, (gpointer) "root");
	return names;
}

static void print_users(const struct page *p)
{
	GPtrArray *names = user_names(p);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i], *level = g_hash_table_lookup(p->cl->acct->admin, name),
		           *account = g_hash_table_lookup(p->cl->acct->default_account, name);
		bool root = strcmp(name, "root") == 0;
		GString *s = g_string_new("UserName=");

		put_user(s, p, name);
		g_string_append_printf(s, " DefAccount=%s DefWckey=%s AdminLevel=%s", root ? "root" : account ? account : "(null)",
		                       root || p->v->v22 ? "" : "(null)",
		                       root || (level && g_ascii_strncasecmp(level, "admin", 5) == 0)    ? "Administrator"
		                       : level && g_ascii_strncasecmp(level, "operator", 8) == 0 ? "Operator"
		                                                                                 : "None");
		fprintf(p->out, "%s\n", s->str);
		g_string_free(s, TRUE);
	}
	g_ptr_array_unref(names);
}

/* ---- associations ---- */

static void put_up_list(GString *s, const struct page *p, const char *name, const struct assoc *a, size_t offset)
{
	uint64_t merged[TRES_MAX];

	for (uint32_t i = p->cl->tres->n; i < TRES_MAX; i++)
		merged[i] = NO_VAL64;
	assoc_inherited_tres(a, offset, p->cl->tres->n, merged);
	put_list(s, p, name, merged);
}

/* "MaxJobs=20(1)", or nothing after the sign when no limit is inherited either. */
static void put_up_count(GString *s, const char *name, uint32_t limit, uint32_t use)
{
	if (limit >= NO_VAL)
		g_string_append_printf(s, "%s=", name);
	else
		put_count(s, name, limit, use);
}

/* 22.05 numbers the tree from the left, new members before old ones. */
static void number_tree(const struct assoc *a, const struct assoc *wanted, uint32_t *next, uint32_t *left)
{
	(*next)++;
	if (a == wanted)
		*left = *next;
	GPtrArray *children = g_ptr_array_new();
	for (guint i = 0; a->children && i < a->children->len; i++)
		g_ptr_array_add(children, a->children->pdata[i]);
	while (children->len) {
		guint newest = 0;
		for (guint i = 1; i < children->len; i++)
			if (((struct assoc *)children->pdata[i])->id > ((struct assoc *)children->pdata[newest])->id)
				newest = i;
		number_tree(children->pdata[newest], wanted, next, left);
		g_ptr_array_remove_index_fast(children, newest);
	}
	g_ptr_array_unref(children);
	(*next)++;
}

static void put_place(GString *s, const struct page *p, const struct assoc *a)
{
	g_string_append(s, ROW "ParentAccount=");
	if (!a->user && a->parent)
		g_string_append_printf(s, "%s(%u)", a->parent->account, a->parent->id);
	if (p->v->v22) {
		uint32_t next = 0, left = 0;
		number_tree(p->cl->acct->root, a, &next, &left);
		g_string_append_printf(s, " Lft=%u", left);
	} else {
		char *lineage = assoc_lineage(a);
		g_string_append_printf(s, " Lineage=%s", lineage);
		g_free(lineage);
	}
	g_string_append_printf(s, " DefAssoc=%s", a->is_default || (a->user && strcmp(a->user, "root") == 0) ? "Yes" : "No");
}

static void put_assoc_limits(GString *s, const struct page *p, const struct assoc *a)
{
#define UP(member) assoc_inherited_count(a, offsetof(struct limits, member))
	g_string_append(s, ROW);
	put_up_count(s, "MaxJobs", UP(max_jobs), a->use.jobs);
	g_string_append_c(s, ' ');
	put_up_count(s, "MaxJobsAccrue", UP(max_jobs_accrue), a->use.accrue);
	g_string_append_c(s, ' ');
	put_up_count(s, "MaxSubmitJobs", UP(max_submit), a->use.submit);
	g_string_append_c(s, ' ');
	put_plain(s, "MaxWallPJ", UP(max_wall));
#undef UP
	g_string_append(s, ROW);
	put_up_list(s, p, "MaxTRESPJ", a, offsetof(struct limits, max_tres_pj));
	g_string_append(s, ROW);
	put_up_list(s, p, "MaxTRESPN", a, offsetof(struct limits, max_tres_pn));
	g_string_append(s, ROW);
	put_up_list(s, p, "MaxTRESMinsPJ", a, offsetof(struct limits, max_tres_mins_pj));
	g_string_append(s, ROW);
	put_plain(s, "MinPrioThresh", a->limits.min_prio_thresh);
	if (!p->v->v22)
		g_string_append(s, ROW "Comment=(null)");
}

static void put_shares(GString *s, const struct page *p, const struct assoc *a)
{
	struct fair_view f = {0};
	bool root = !a->parent;

	controller_fair_view(p->v->c, a, &f);
	g_string_append_printf(s, ROW "SharesRaw/Norm/Level/Factor=%u/%.2f/%" G_GUINT64_FORMAT "/%.2f", a->shares,
	                       root ? 0.0 : f.norm_shares, root ? (uint64_t)a->shares : f.level_shares, a->user ? f.fairshare : 0.0);
	g_string_append_printf(s, ROW "UsageRaw/Norm/Efctv=%.2Lf/%.2Lf/%.2Lf", f.usage, root ? 1.0L : f.norm_usage,
	                       root ? 1.0L : f.effective);
}

static void print_record(const struct page *p, GString *s)
{
	char **lines = p->flags & SHOW_ONE_LINE ? g_strsplit(s->str, ROW, -1) : NULL;
	char *text = lines ? g_strjoinv(" ", lines) : NULL;

	fprintf(p->out, "%s\n", text ? text : s->str);
	g_free(text);
	g_strfreev(lines);
	g_string_free(s, TRUE);
}

static void print_assoc(const struct page *p, const struct assoc *a)
{
	GString *s = g_string_new(NULL);
	const struct owner w = {.as = a};
	struct held h;

	held_of(p, &w, &a->use, a->tres_usage, &h);
	g_string_append_printf(s, "ClusterName=%s Account=%s UserName=", p->cl->params->cluster_name, a->account);
	if (a->user)
		put_user(s, p, a->user);
	g_string_append_printf(s, " Partition=%s Priority=%u ID=%u", a->partition ? a->partition : "",
	                       a->priority >= NO_VAL ? 0 : a->priority, a->id);
	put_shares(s, p, a);
	put_place(s, p, a);
	g_string_append(s, ROW);
	put_count(s, "GrpJobs", a->limits.grp_jobs, a->use.jobs);
	g_string_append_c(s, ' ');
	put_count(s, "GrpJobsAccrue", a->limits.grp_jobs_accrue, a->use.accrue);
	g_string_append(s, ROW);
	put_count(s, "GrpSubmitJobs", a->limits.grp_submit, a->use.submit);
	g_string_append_c(s, ' ');
	put_wall(s, a->limits.grp_wall, a->wall);
	g_string_append(s, ROW);
	put_tres(s, p, "GrpTRES", a->limits.grp_tres, h.tres);
	g_string_append(s, ROW);
	put_tres(s, p, "GrpTRESMins", a->limits.grp_tres_mins, h.mins);
	g_string_append(s, ROW);
	put_tres(s, p, "GrpTRESRunMins", a->limits.grp_tres_run_mins, h.run_mins);
	put_assoc_limits(s, p, a);
	print_record(p, s);
}

static int by_place(gconstpointer a, gconstpointer b)
{
	const struct assoc *x = *(struct assoc *const *)a, *y = *(struct assoc *const *)b;

	if (!x->user != !y->user)
		return x->user ? -1 : 1;
	int order = strcmp(x->user ? x->user : x->account, y->user ? y->user : y->account);
	return order ? order : strcmp(x->partition ? x->partition : "", y->partition ? y->partition : "");
}

/* With users= all accounts stay, and of the users those named. */
static void print_tree(const struct page *p, const struct assoc *a)
{
	GPtrArray *children = g_ptr_array_new();

	if (in_list(p->f->accounts, a->account) && (!a->user || in_list(p->f->users, a->user)) && !a->removed)
		print_assoc(p, a);
	for (guint i = 0; a->children && i < a->children->len; i++)
		g_ptr_array_add(children, a->children->pdata[i]);
	g_ptr_array_sort(children, by_place);
	for (guint i = 0; i < children->len; i++)
		print_tree(p, children->pdata[i]);
	g_ptr_array_unref(children);
}

/* ---- QOS ---- */

/* Users or accounts that the QOS has counted: in the order of their jobs, then those whose jobs are gone, by name. */
static GPtrArray *counted_names(const struct page *p, const struct qos *q, bool users)
{
	GHashTable *table = users ? q->use_by_user : q->use_by_account;
	GPtrArray *names = g_ptr_array_new(), *rest = g_ptr_array_new();
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it;
	gpointer key;

	for (uint32_t i = 0, n = controller_n_jobs(p->v->c); table && i < n; i++) {
		const struct job *j = controller_job(p->v->c, i);
		const char *name = users ? j->user : j->account;
		if (name && g_hash_table_contains(table, name) && counts_for(&(struct owner){.q = q}, j) &&
		    g_hash_table_add(seen, (gpointer)name))
			g_ptr_array_add(names, (gpointer)name);
	}
	if (table) {
		g_hash_table_iter_init(&it, table);
		while (g_hash_table_iter_next(&it, &key, NULL))
			if (!g_hash_table_contains(seen, key))
				g_ptr_array_add(rest, key);
	}
	g_ptr_array_sort(rest, by_name);
	g_ptr_array_extend(names, rest, NULL, NULL);
	g_ptr_array_unref(rest);
	g_hash_table_unref(seen);
	return names;
}

static void put_part(GString *s, const struct page *p, const struct qos *q, const char *name, bool user)
{
	const struct limits *l = &q->limits;
	const struct use *u = g_hash_table_lookup(user ? q->use_by_user : q->use_by_account, name);
	const struct owner w = {.q = q, .user = user ? name : NULL, .account = user ? NULL : name};
	const char *sep = p->flags & SHOW_ONE_LINE ? " " : ROW "    ", *whose = user ? "PU" : "PA";
	struct held h;
	char title[32];

	held_of(p, &w, u, NULL, &h);
	g_snprintf(title, sizeof title, "MaxJobs%s", whose);
	put_count(s, title, user ? l->max_jobs_pu : l->max_jobs_pa, u->jobs);
	g_snprintf(title, sizeof title, " MaxJobsAccrue%s", whose);
	put_count(s, title, user ? l->max_accrue_pu : l->max_accrue_pa, u->accrue);
	g_snprintf(title, sizeof title, " MaxSubmitJobs%s", whose);
	put_count(s, title, user ? l->max_submit_pu : l->max_submit_pa, u->submit);
	g_string_append(s, sep);
	g_snprintf(title, sizeof title, "MaxTRES%s", whose);
	put_tres(s, p, title, user ? l->max_tres_pu : l->max_tres_pa, h.tres);
	if (p->v->v22)
		return;
	g_string_append(s, sep);
	g_snprintf(title, sizeof title, "MaxTRESRunMins%s", whose);
	put_tres(s, p, title, user ? l->max_tres_run_mins_pu : l->max_tres_run_mins_pa, h.run_mins);
}

/* 22.05 knows users of a QOS by number alone. */
static void put_part_name(GString *s, const struct page *p, const char *name, bool user)
{
	gsize before = s->len;

	if (user)
		put_user(s, p, name);
	else
		g_string_append(s, name);
	char *open = user && p->v->v22 ? strrchr(s->str + before, '(') : NULL;
	if (open) {
		char *number = g_strndup(open + 1, strcspn(open + 1, ")"));
		g_string_truncate(s, before);
		g_string_append(s, number);
		g_free(number);
	}
}

static void put_parts(GString *s, const struct page *p, const struct qos *q, bool users)
{
	GPtrArray *names = counted_names(p, q, users);
	bool line = p->flags & SHOW_ONE_LINE;

	g_string_append_printf(s, line ? "%s%s Limits=" : "%s%s Limits", line ? " " : ROW, users ? "User" : "Account");
	if (!names->len)
		g_string_append_printf(s, "%sNo %s", line ? " " : ROW "    ", users ? "Users" : "Accounts");
	for (guint i = 0; i < names->len; i++) {
		g_string_append(s, line ? " " : ROW "  ");
		put_part_name(s, p, names->pdata[i], users);
		g_string_append(s, line ? "={" : ROW "    ");
		put_part(s, p, q, names->pdata[i], users);
		if (line)
			g_string_append_c(s, '}');
	}
	g_ptr_array_unref(names);
}

static void put_qos_limits(GString *s, const struct page *p, const struct qos *q)
{
	char *mode = q->preempt_mode_text ? g_ascii_strup(q->preempt_mode_text, -1) : g_strdup("OFF");

	g_string_append(s, ROW);
	put_plain(s, "MaxWallPJ", q->limits.max_wall);
	g_string_append(s, ROW);
	put_list(s, p, "MaxTRESPJ", q->limits.max_tres_pj);
	g_string_append(s, ROW);
	put_list(s, p, "MaxTRESPN", q->limits.max_tres_pn);
	g_string_append(s, ROW);
	put_list(s, p, "MaxTRESMinsPJ", q->limits.max_tres_mins_pj);
	g_string_append(s, ROW);
	put_plain(s, "MinPrioThresh", q->limits.min_prio_thresh);
	g_string_append(s, " " ROW);
	put_list(s, p, "MinTRESPJ", q->limits.min_tres_pj);
	g_string_append_printf(s, ROW "PreemptMode=%s" ROW "Priority=%u", mode, q->priority);
	g_free(mode);
}

static void print_qos(const struct page *p, const struct qos *q)
{
	GString *s = g_string_new(NULL);
	struct held h;

	held_of(p, &(struct owner){.q = q}, &q->use, q->tres_usage, &h);
	g_string_append_printf(s, "QOS=%s(%u)" ROW "UsageRaw=%.6Lf" ROW, q->name, q->id, q->usage);
	put_count(s, "GrpJobs", q->limits.grp_jobs, q->use.jobs);
	g_string_append_c(s, ' ');
	put_count(s, "GrpJobsAccrue", q->limits.grp_jobs_accrue, q->use.accrue);
	g_string_append_c(s, ' ');
	put_count(s, "GrpSubmitJobs", q->limits.grp_submit, q->use.submit);
	g_string_append_c(s, ' ');
	put_wall(s, q->limits.grp_wall, q->wall);
	g_string_append(s, ROW);
	put_tres(s, p, "GrpTRES", q->limits.grp_tres, h.tres);
	g_string_append(s, ROW);
	put_tres(s, p, "GrpTRESMins", q->limits.grp_tres_mins, h.mins);
	g_string_append(s, ROW);
	put_tres(s, p, "GrpTRESRunMins", q->limits.grp_tres_run_mins, h.run_mins);
	put_qos_limits(s, p, q);
	put_parts(s, p, q, false);
	put_parts(s, p, q, true);
	print_record(p, s);
}

/* ---- the page ---- */

static void print_title(const struct page *p, const char *title)
{
	bool line = p->flags & SHOW_ONE_LINE;

	fprintf(p->out, line ? "%s\n" : "\n%s\n\n", title);
}

void show_assoc_mgr(FILE *out, const struct job_view *v, const struct assoc_filter *f, int flags)
{
	const struct page p = {out, v, controller_cluster(v->c), f, flags};

	fputs("Current Association Manager state\n", out);
	if (!p.cl->acct)
		return;
	if (in_list(f->flags, "users")) {
		print_title(&p, "User Records");
		print_users(&p);
	}
	if (in_list(f->flags, "assoc")) {
		print_title(&p, "Association Records");
		print_tree(&p, p.cl->acct->root);
	}
	if (in_list(f->flags, "qos")) {
		print_title(&p, "QOS Records");
		for (guint i = 0; i < p.cl->acct->qos->len; i++) {
			const struct qos *q = p.cl->acct->qos->pdata[i];
			if (!q->removed && in_list(f->qos, q->name))
				print_qos(&p, q);
		}
	}
}
