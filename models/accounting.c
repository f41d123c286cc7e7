/* accounting.c - tell the two kinds of accounting file apart and feed their lines to the readers; see accounting.h. */
#include "models/accounting.h"
#include "models/acctread.h"
#include "models/conflex.h"
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
	return acct_key_is(o->key, "Coordinator", 2) || acct_key_is(o->key, "WCKeys", 2) ||
	       acct_key_is(o->key, "DefaultWCKey", 8);
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
	if (old)
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
	if (as && r->a->assocs->len == before && g_ascii_strcasecmp(user, "root") != 0)
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
	if (acct_find_qos(r->a, name) && g_ascii_strcasecmp(name, "normal") != 0)
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

bool accounting_read_text(const char *text, const char *name, struct acct *a, struct diag *d)
{
	struct acct_reader r = {.a = a, .d = d, .file = name, .dump = is_dump(text), .work_left = ACCT_WORK_MAX};
	guint errors = d->n_errors;
	char *copy = g_strconcat(text, "\n", NULL);

	r.make_qos = r.dump && !has_qos_line(text);
	r.defaults = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	run(&r, copy);
	set_defaults(&r);
	check_preempts(&r);
	acct_refresh(a);
	g_hash_table_unref(r.defaults);
	g_free(copy);
	return d->n_errors == errors;
}

bool accounting_command(struct acct *a, const char *command, GError **error)
{
	struct diag *d = diag_new();

	accounting_read_text(command, "sacctmgr", a, d);
	bool ok = diag_ok(d, error);
	diag_free(d);
	return ok;
}

bool accounting_read(const char *path, struct acct *a, struct diag *d)
{
	GError *error = NULL;
	char *text = conflex_load(path, ACCOUNTING_FILE_MAX, &error);

	if (!text) {
		diag_error(d, path, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
		return false;
	}
	bool good = accounting_read_text(text, path, a, d);
	g_free(text);
	return good;
}
