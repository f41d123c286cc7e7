/* accounting.c - accounting files of all kinds, each to its reader, in the order of accounting.h. */
#include "models/accounting.h"
#include "models/acctread.h"
#include "models/conflex.h"
#include "models/siteinput.h"
#include "sched/releases.h"
#include <string.h>

static void message(struct acct_reader *r, guint column, bool error, const char *hint, const char *format, va_list args)
{
	char *text = g_strdup_vprintf(format, args);

	if (error)
		diag_error(r->d, r->file, r->line, column, hint, "%s", text);
	else
		diag_warn(r->d, r->file, r->line, column, hint, "%s", text);
	g_free(text);
}

void acct_error(struct acct_reader *r, guint column, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(r, column, true, hint, format, args);
	va_end(args);
}

void acct_warn(struct acct_reader *r, guint column, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(r, column, false, hint, format, args);
	va_end(args);
}

void acct_option_free(void *option)
{
	struct acct_option *o = option;

	g_free(o->key);
	g_free(o->value);
	g_free(o);
}

bool acct_key_is(const char *key, const char *name, gsize shortest)
{
	gsize n = strlen(key);

	return n >= shortest && n <= strlen(name) && g_ascii_strncasecmp(key, name, n) == 0;
}

bool acct_ignored_option(const struct acct_option *o)
{
	return acct_key_is(o->key, "Description", 3) || acct_key_is(o->key, "Organization", 3) ||
	       acct_key_is(o->key, "Comment", 3) || acct_key_is(o->key, "Clusters", 3) ||
	       acct_key_is(o->key, "Lineage", 4);
}

bool acct_about_option(struct assoc *as, const struct acct_option *o)
{
	char **to = acct_key_is(o->key, "Description", 3)    ? &as->description
	            : acct_key_is(o->key, "Organization", 3) ? &as->organization
	                                                     : NULL;

	if (!to || as->user)
		return false;
	g_free(*to);
	*to = *o->value ? g_ascii_strdown(o->value, -1) : NULL;
	return true;
}

bool acct_user_option(struct acct_reader *r, const char *user, const struct acct_option *o)
{
	if (acct_key_is(o->key, "DefaultAccount", 8)) {
		if (*o->value)
			g_hash_table_replace(r->defaults, g_ascii_strdown(user, -1), g_ascii_strdown(o->value, -1));
		return true;
	}
	if (acct_key_is(o->key, "AdminLevel", 2)) {
		g_hash_table_replace(r->a->admin, g_ascii_strdown(user, -1), g_strdup(o->value));
		return true;
	}
	if (r->dump && acct_key_is(o->key, "Coordinator", 2)) {
		acct_coordinator_of(r->a, user, o->value);
		return true;
	}
	return acct_key_is(o->key, "WCKeys", 2) || acct_key_is(o->key, "DefaultWCKey", 8);
}

void acct_coordinator_of(struct acct *a, const char *user, const char *accounts)
{
	char **names = g_strsplit(accounts, ",", -1);

	for (char **s = names; *s; s++)
		if (*g_strstrip(*s))
			acct_add_coordinator(a, *s, user);
	g_strfreev(names);
}

static bool room(struct acct_reader *r, guint column)
{
	if (r->a->assocs->len < ACCOUNTING_ENTITIES_MAX)
		return true;
	acct_error(r, column, NULL, "more than %u accounts and users", ACCOUNTING_ENTITIES_MAX);
	return false;
}

static char *shown_parent(const struct assoc *as)
{
	return as->parent ? as->parent->account : as->account;
}

struct assoc *acct_make_account(struct acct_reader *r, guint column, const char *name, const char *parent)
{
	struct assoc *old = acct_find_account(r->a, name);

	if (!*name) {
		acct_error(r, column, "give it a name", "an account without a name");
		return NULL;
	}
	if (parent && !acct_find_account(r->a, parent)) {
		char *shown = conflex_show(parent);

		acct_error(r, column, "define it before its children", "unknown parent account %s", shown);
		g_free(shown);
		return NULL;
	}
	if (old && old->parent && parent && g_ascii_strcasecmp(shown_parent(old), parent) != 0) {
		acct_error(r, column, "an account has one parent", "account %s is defined under %s and under %s", name,
		           shown_parent(old), parent);
		return NULL;
	}
	if (old && !r->table)
		acct_warn(r, column, NULL, "account %s is defined twice: the last values are used", name);
	return old ? old : room(r, column) ? acct_add_account(r->a, name, parent) : NULL;
}

struct assoc *acct_make_user(struct acct_reader *r, guint column, const char *user, const char *account,
                             const char *partition)
{
	guint before = r->a->assocs->len;

	if (!*user || !acct_find_account(r->a, account)) {
		char *shown = conflex_show(account);

		acct_error(r, column, "add the account first",
		           *user ? "unknown account %s" : "a user without a name (account %s)", shown);
		g_free(shown);
		return NULL;
	}
	struct assoc *as = room(r, column) ? acct_add_user(r->a, user, account, partition) : NULL;
	if (as && !r->table && r->a->assocs->len == before && g_ascii_strcasecmp(user, "root") != 0)
		acct_warn(r, column, NULL, "user %s of account %s is defined twice: the last values are used", user,
		          account);
	return as;
}

struct qos *acct_make_qos(struct acct_reader *r, guint column, const char *name)
{
	r->qos_lines = true;
	if (!*name || r->a->qos->len >= ACCT_QOS_MAX) {
		acct_error(r, column, NULL, *name ? "too many QOS" : "a QOS without a name");
		return NULL;
	}
	if (acct_find_qos(r->a, name) && !r->qos_tables && g_ascii_strcasecmp(name, "normal") != 0)
		acct_warn(r, column, NULL, "QOS %s is defined twice: the last values are used", name);
	return acct_add_qos(r->a, name);
}

/* Set the default accounts as given, in one pass over the users. */
static void set_defaults(struct acct_reader *r)
{
	GHashTableIter it;
	gpointer user, account;

	for (guint i = 0; i < r->a->assocs->len; i++) {
		struct assoc *as = g_ptr_array_index(r->a->assocs, i);
		const char *wanted = as->user ? g_hash_table_lookup(r->defaults, as->user) : NULL;

		if (wanted)
			as->is_default = g_str_equal(wanted, as->account);
	}
	g_hash_table_iter_init(&it, r->defaults);
	while (g_hash_table_iter_next(&it, &user, &account)) {
		if (!acct_find(r->a, user, account, NULL) && !acct_find_account(r->a, account))
			diag_error(r->d, r->file, 0, 0, "name an account of the file",
			           "user %s: unknown DefaultAccount %s", (char *)user, (char *)account);
		g_hash_table_replace(r->a->default_account, g_strdup(user), g_strdup(account));
	}
}

/* Preempt lists of a dump may name QOS that come later: look again at the end. */
static void check_preempts(struct acct_reader *r)
{
	for (guint i = 0; i < r->a->qos->len; i++) {
		const struct qos *q = g_ptr_array_index(r->a->qos, i);

		for (char **s = q->preempt; s && *s; s++)
			if (!acct_find_qos(r->a, *s))
				diag_error(r->d, r->file, 0, 0, "define it", "QOS %s preempts the unknown QOS %.60s",
				           q->name, *s);
	}
}

/* Does the text begin with a line of a dump ("QOS - ", "Cluster - ", ...)? Comments and empty lines are skipped. */
static bool is_dump(const char *text)
{
	while (*text) {
		const char *end = text + strcspn(text, "\n");
		gsize blank = strspn(text, " \t\r");

		if (text[blank] && text[blank] != '#' && text[blank] != '\n') {
			const char *dash = strstr(text, " -");
			gsize word = strcspn(text + blank, " \t\n");
			return dash == text + blank + word && dash < end && (dash[2] == ' ' || dash[2] == '\'');
		}
		text = *end ? end + 1 : end;
	}
	return false;
}

/* An old dump has no QOS lines. */
static bool has_qos_line(const char *text)
{
	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += strspn(p, "\n\r \t");
		if (g_ascii_strncasecmp(p, "QOS -", 5) == 0)
			return true;
	}
	return false;
}

/* Cut the next logical line off *TEXT (changed in place): comment and continuation as in slurm.conf. NULL at the end.
 */
static char *next_line(char **text, guint *line, guint *first)
{
	char *begin = *text, *out = begin, *p = begin;

	if (!*p)
		return NULL;
	*first = *line;
	for (;;) {
		char *end = p + strcspn(p, "\n"), *stop = end;
		bool last = !*end, comment = p[strspn(p, " \t")] == '#';

		while (stop > p && g_ascii_isspace(stop[-1]))
			stop--;
		bool more = !comment && stop > p && stop[-1] == '\\';
		stop -= more;
		memmove(out, p, (gsize)(stop - p));
		out += stop - p;
		p = last ? end : end + 1;
		(*line)++;
		if (!more || last)
			break;
	}
	*text = p;
	if (out < p)
		*out = '\0';
	return begin;
}

static void run(struct acct_reader *r, char *text)
{
	struct dump_state s = {NULL, false};
	char *line;
	guint next = 1, first = 1;

	while ((line = next_line(&text, &next, &first))) {
		r->line = first;
		if (r->dump)
			acct_dump_line(r, &s, line);
		else
			acct_command(r, line);
	}
	g_free(s.parent);
}

/* One file of several. */
struct input {
	char *name, *text; /* owned */
	enum site_kind kind;
};

static void input_free(void *data)
{
	struct input *i = data;

	g_free(i->name);
	g_free(i->text);
	g_free(i);
}

static void read_lines(struct acct_reader *r, const struct input *in)
{
	char *copy = g_strconcat(in->text, "\n", NULL);

	r->dump = is_dump(in->text);
	r->make_qos = r->dump && !has_qos_line(in->text);
	run(r, copy);
	g_free(copy);
}

/* Does an association table tell the parents of accounts? Such a one is read before the others. */
static bool tells_parents(const char *text)
{
	return strstr(text, "ParentName") || strstr(text, "Lineage") || strstr(text, "\n ");
}

/* What a file says in PASS: 0 names of QOS, 1 commands and dumps, 2 QOS, 3 and 4 associations, 5 users, 6 usage. */
static void read_pass(struct acct_reader *r, const struct input *in, int pass)
{
	r->file = in->name;
	r->line = 0;
	r->make_qos = in->kind != SITE_ACCOUNTING; /* a table may be older than another one */
	r->dump = false;
	r->table = in->kind != SITE_ACCOUNTING;
	if (in->kind == SITE_QOS && (pass == 0 || pass == 2))
		acct_qos_table(r, in->text, pass == 0);
	else if (in->kind == SITE_QOS_JSON && (pass == 0 || pass == 2))
		acct_qos_json(r, in->text, pass == 0);
	else if (in->kind == SITE_ACCOUNTING && pass == 1)
		read_lines(r, in);
	else if (in->kind == SITE_ASSOC && pass == (tells_parents(in->text) ? 3 : 4))
		acct_assoc_table(r, in->text);
	else if (in->kind == SITE_USER && pass == 5)
		acct_user_table(r, in->text);
	else if (in->kind == SITE_SSHARE && pass == 6)
		acct_usage_table(r, in->text);
}

static bool read_all(const GPtrArray *inputs, const char *cluster, const char *by, struct acct *a, struct diag *d)
{
	struct acct_reader r = {.a = a, .d = d, .by = by, .work_left = ACCT_WORK_MAX};
	guint errors = d->n_errors;

	r.defaults = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	r.cluster = cluster ? g_ascii_strdown(cluster, -1) : NULL;
	for (guint i = 0; i < inputs->len; i++) {
		const struct input *in = g_ptr_array_index(inputs, i);

		r.qos_tables |= in->kind == SITE_QOS || in->kind == SITE_QOS_JSON;
	}
	for (int pass = 0; pass <= 6; pass++)
		for (guint i = 0; i < inputs->len; i++)
			read_pass(&r, g_ptr_array_index(inputs, i), pass);
	set_defaults(&r);
	check_preempts(&r);
	acct_refresh(a);
	g_hash_table_unref(r.defaults);
	g_free(r.cluster);
	return d->n_errors == errors;
}

static void add_input(GPtrArray *inputs, const char *name, char *text)
{
	struct input *in = g_new0(struct input, 1);

	in->name = g_strdup(name);
	in->text = text;
	in->kind = site_acct_kind(text);
	g_ptr_array_add(inputs, in);
}

static bool read_text(const char *text, const char *name, const char *by, struct acct *a, struct diag *d)
{
	GPtrArray *inputs = g_ptr_array_new_with_free_func(input_free);

	add_input(inputs, name, g_strdup(text));
	bool good = read_all(inputs, NULL, by, a, d);
	g_ptr_array_unref(inputs);
	return good;
}

bool accounting_read_text(const char *text, const char *name, struct acct *a, struct diag *d)
{
	return read_text(text, name, NULL, a, d);
}

bool accounting_read_all(const char *path, const char *cluster, struct acct *a, struct diag *d)
{
	char **files = site_acct_files(path);
	GPtrArray *inputs = g_ptr_array_new_with_free_func(input_free);
	guint errors = d->n_errors;

	if (!*files)
		diag_error(d, path, 0, 0, "it should hold files such as sacctmgr-dump.cfg or sacctmgr-show-assoc.txt",
		           "there is no accounting in this folder");
	for (char **f = files; *f; f++) {
		GError *error = NULL;
		char *text = conflex_load(*f, ACCOUNTING_FILE_MAX, &error);

		if (text) {
			add_input(inputs, *f, text);
		} else {
			diag_error(d, *f, 0, 0, NULL, "%s", error->message);
			g_error_free(error);
		}
	}
	read_all(inputs, cluster, NULL, a, d);
	g_ptr_array_unref(inputs);
	g_strfreev(files);
	return d->n_errors == errors;
}

void accounting_check_release(const struct acct *a, const struct sched_params *p, const char *file, struct diag *d)
{
	for (guint i = 0; i < a->qos->len; i++) {
		const struct qos *q = a->qos->pdata[i];
		if (q->preempt_flags & PREEMPT_PRIORITY && !since(p, E4_PRIORITY_FLAG))
			diag_error(d, file, 0, 0, "leave it out, or use --slurm-version 26.05",
			           "QOS %s: Slurm 22.05 has no PRIORITY in PreemptMode=%s", q->name, q->preempt_mode_text);
	}
}

bool accounting_command(struct acct *a, const char *command, GError **error)
{
	return accounting_command_by(a, command, NULL, error);
}

bool accounting_command_by(struct acct *a, const char *command, const char *user, GError **error)
{
	struct diag *d = diag_new();

	read_text(command, "sacctmgr", user, a, d);
	bool ok = diag_ok(d, error);
	diag_free(d);
	return ok;
}

bool accounting_read(const char *path, struct acct *a, struct diag *d)
{
	return accounting_read_all(path, NULL, a, d);
}
