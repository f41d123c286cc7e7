/*
 * acctcmds.c - a list of sacctmgr commands: add and modify of accounts, users and QOS, modify of the cluster.
 *
 * "sacctmgr" and its switches may stand before the command. Options are Key=Value words; bare words name the entities;
 * "set" and "where" tell values from conditions, and what comes before both is a condition of modify.
 */
#include "models/acctread.h"
#include "models/conflex.h"
#include <string.h>

/* Split LINE into words; quotes protect blanks and are removed; # begins a comment. Of struct acct_option *. */
static GPtrArray *split(const char *line)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(acct_option_free);
	const char *p = line;

	for (;;) {
		while (g_ascii_isspace(*p))
			p++;
		if (!*p || *p == '#')
			return words;
		struct acct_option *o = g_new0(struct acct_option, 1);
		GString *text = g_string_new(NULL);
		char quote = 0;
		gssize equals = -1;

		o->column = (guint)(p - line) + 1;
		for (; *p && (quote || !g_ascii_isspace(*p)); p++) {
			if (quote ? *p == quote : *p == '"' || *p == '\'') {
				quote = quote ? 0 : *p;
				continue;
			}
			if (*p == '=' && equals < 0)
				equals = (gssize)text->len;
			g_string_append_c(text, *p);
		}
		if (equals > 0) {
			bool op = strchr("+-", text->str[equals - 1]) != NULL;

			o->op = op ? text->str[equals - 1] : 0;
			o->key = g_strndup(text->str, (gsize)equals - op);
			o->value = g_strdup(text->str + equals + 1);
		} else {
			o->value = g_strdup(text->str);
		}
		g_string_free(text, TRUE);
		g_ptr_array_add(words, o);
	}
}

/* The words of one command after verb and entity, sorted by role. */
struct command {
	GPtrArray *set;   /* borrowed options: values */
	GPtrArray *where; /* borrowed options: conditions of modify and delete */
	char **names;     /* owned; NULL = none given */
	guint column;     /* of the entity word */
};

static const struct acct_option *option_at(const GPtrArray *list, guint i)
{
	return g_ptr_array_index(list, i);
}

/* A comma list without empty items. g_strfreev. */
static char **items(const char *text)
{
	GPtrArray *list = g_ptr_array_new();
	char **part = g_strsplit(text, ",", -1);

	for (char **s = part; *s; s++)
		if (*g_strstrip(*s))
			g_ptr_array_add(list, g_strdup(*s));
	g_strfreev(part);
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

static void add_names(struct command *c, const char *text)
{
	char **more = items(text);

	if (c->names) {
		char *old = g_strjoinv(",", c->names), *both = g_strconcat(old, ",", text, NULL);

		g_strfreev(more);
		g_strfreev(c->names);
		more = items(both);
		g_free(old);
		g_free(both);
	}
	c->names = more;
}

/* Take and remove the option KEY (or its shorter forms) from LIST: its items, or NULL. g_strfreev. */
static char **take_items(GPtrArray *list, const char *key, gsize shortest)
{
	char **found = NULL;

	for (guint i = 0; i < list->len;) {
		if (!option_at(list, i)->key || !acct_key_is(option_at(list, i)->key, key, shortest)) {
			i++;
			continue;
		}
		g_strfreev(found);
		found = items(option_at(list, i)->value);
		g_ptr_array_remove_index(list, i);
	}
	return found;
}

static void sort_words(struct command *c, const GPtrArray *words, guint first, bool modify, const char *entity)
{
	bool where = modify;

	c->set = g_ptr_array_new();
	c->where = g_ptr_array_new();
	for (guint i = first; i < words->len; i++) {
		struct acct_option *o = g_ptr_array_index(words, i);

		if (!o->key && g_ascii_strcasecmp(o->value, "set") == 0)
			where = false;
		else if (!o->key && g_ascii_strcasecmp(o->value, "where") == 0)
			where = modify;
		else if (!o->key || acct_key_is(o->key, "Names", 4) ||
		         (where || !modify ? acct_key_is(o->key, entity, 4) : false))
			add_names(c, o->value);
		else
			g_ptr_array_add(where ? c->where : c->set, o);
	}
}

static void command_clear(struct command *c)
{
	g_ptr_array_unref(c->set);
	g_ptr_array_unref(c->where);
	g_strfreev(c->names);
}

static void apply_account(struct acct_reader *r, struct assoc *as, const GPtrArray *set)
{
	struct acct_target t = {.assoc = as};

	for (guint i = 0; i < set->len; i++)
		if (!acct_about_option(as, option_at(set, i)) && !acct_ignored_option(option_at(set, i)))
			acct_apply(r, &t, option_at(set, i));
}

static void apply_user(struct acct_reader *r, struct assoc *as, const GPtrArray *set)
{
	struct acct_target t = {.assoc = as};

	for (guint i = 0; i < set->len; i++)
		if (!acct_ignored_option(option_at(set, i)) && !acct_user_option(r, as->user, option_at(set, i)))
			acct_apply(r, &t, option_at(set, i));
}

static void apply_qos(struct acct_reader *r, struct qos *q, const GPtrArray *set)
{
	struct acct_target t = {.qos = q};

	for (guint i = 0; i < set->len; i++)
		acct_apply(r, &t, option_at(set, i));
}

static void add_account(struct acct_reader *r, struct command *c)
{
	char **parent = take_items(c->set, "Parent", 3);
	bool may = acct_reaches(r, parent && *parent ? *parent : r->a->root->account, false);

	for (char **s = c->names; *s && may; s++)
		may = acct_reaches(r, *s, true);
	if (!may)
		acct_denied(r, c->column, "accounts");
	for (char **s = c->names; *s && may; s++) {
		struct assoc *as = acct_make_account(r, c->column, *s, parent ? parent[0] : NULL);

		if (as)
			apply_account(r, as, c->set);
	}
	g_strfreev(parent);
}

static void add_user(struct acct_reader *r, struct command *c)
{
	char **accounts = take_items(c->set, "Accounts", 3), **partitions = take_items(c->set, "Partitions", 3);
	static char *any[] = {NULL};
	const char *fallback = NULL;

	for (guint i = 0; i < c->set->len; i++)
		if (acct_key_is(option_at(c->set, i)->key, "DefaultAccount", 8))
			fallback = option_at(c->set, i)->value;
	if (!accounts && fallback)
		accounts = items(fallback);
	if (!accounts || !*accounts)
		acct_error(r, c->column, "give account=", "a user without an account");
	bool may = !r->by || (acct_reaches_all(r, accounts, false) && !acct_sets_admin(c->set));
	if (!may)
		acct_denied(r, c->column, "users");
	for (char **u = c->names; accounts && may && *u; u++) {
		for (char **a = accounts; *a; a++) {
			char **p = partitions && *partitions ? partitions : any;

			do {
				struct assoc *as = acct_make_user(r, c->column, *u, *a, *p);

				if (as)
					apply_user(r, as, c->set);
			} while (*p && *++p);
		}
	}
	g_strfreev(accounts);
	g_strfreev(partitions);
}

static void add_qos(struct acct_reader *r, struct command *c)
{
	if (r->by) {
		acct_denied(r, c->column, "QOS");
		return;
	}
	for (char **s = c->names; *s; s++) {
		struct qos *q = acct_make_qos(r, c->column, *s);

		if (q)
			apply_qos(r, q, c->set);
	}
}

static bool in_list(char **list, const char *name)
{
	if (!list)
		return true;
	for (; *list; list++)
		if (g_ascii_strcasecmp(*list, name ? name : "") == 0)
			return true;
	return false;
}

static void nothing_matches(struct acct_reader *r, guint column, const char *what)
{
	acct_error(r, column, "add it first", "no such %s", what);
}

/* Conditions that are left over were not understood. */
static void check_where(struct acct_reader *r, const struct command *c)
{
	for (guint i = 0; i < c->where->len; i++)
		if (!acct_ignored_option(option_at(c->where, i)))
			acct_error(r, option_at(c->where, i)->column, "name, account, user and partition can be used",
			           "unknown condition %s", option_at(c->where, i)->key);
}

static bool spend(struct acct_reader *r, guint column)
{
	if (r->work_left > r->a->assocs->len) {
		r->work_left -= r->a->assocs->len;
		return true;
	}
	acct_error(r, column, "write the values on the add lines", "too many modify commands");
	return false;
}

/* Move account AS under PARENT; a loop is refused. */
static void move_account(struct acct_reader *r, guint column, struct assoc *as, const char *parent)
{
	struct assoc *to = acct_find_account(r->a, parent);

	if (!to || !acct_move(r->a, as, to))
		acct_error(r, column, "name an account that is not below it", "account %s cannot go under %.60s",
		           as->account, parent);
}

static void modify_account(struct acct_reader *r, struct command *c)
{
	char **parent = take_items(c->set, "Parent", 3);
	bool found = false;

	check_where(r, c);
	bool may = !r->by || (acct_reaches_all(r, c->names, true) && (!parent || acct_reaches_all(r, parent, false)));
	if (!may)
		acct_denied(r, c->column, NULL);
	for (guint i = 0; may && spend(r, c->column) && i < r->a->assocs->len; i++) {
		struct assoc *as = g_ptr_array_index(r->a->assocs, i);

		if (as->removed || as->user || !in_list(c->names, as->account))
			continue;
		found = true;
		if (parent && *parent)
			move_account(r, c->column, as, *parent);
		apply_account(r, as, c->set);
	}
	if (may && !found)
		nothing_matches(r, c->column, "account");
	g_strfreev(parent);
}

/* The associations of users that C means, none when no name is given and NAMED. g_ptr_array_unref. */
static GPtrArray *users_meant(const struct acct_reader *r, struct command *c, bool named)
{
	char **accounts = take_items(c->where, "Accounts", 3), **partitions = take_items(c->where, "Partitions", 3);
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; (c->names || !named) && i < r->a->assocs->len; i++) {
		struct assoc *as = g_ptr_array_index(r->a->assocs, i);

		if (!as->removed && as->user && in_list(c->names, as->user) && in_list(accounts, as->account) && in_list(partitions, as->partition))
			g_ptr_array_add(list, as);
	}
	g_strfreev(accounts);
	g_strfreev(partitions);
	return list;
}

static bool reaches_users(const struct acct_reader *r, const GPtrArray *users)
{
	for (guint i = 0; i < users->len; i++)
		if (!acct_reaches(r, ((const struct assoc *)users->pdata[i])->account, false))
			return false;
	return true;
}

static void modify_user(struct acct_reader *r, struct command *c)
{
	bool go = spend(r, c->column);
	GPtrArray *users = users_meant(r, c, false);

	check_where(r, c);
	if (!users->len)
		nothing_matches(r, c->column, "user");
	if (r->by && (!reaches_users(r, users) || acct_sets_admin(c->set)))
		go = acct_denied(r, c->column, NULL);
	for (guint i = 0; go && i < users->len; i++)
		apply_user(r, users->pdata[i], c->set);
	g_ptr_array_unref(users);
}

static void modify_qos(struct acct_reader *r, struct command *c)
{
	bool found = false;

	check_where(r, c);
	if (r->by) {
		acct_denied(r, c->column, NULL);
		return;
	}
	for (guint i = 0; i < r->a->qos->len; i++) {
		struct qos *q = g_ptr_array_index(r->a->qos, i);

		if (q->removed || !in_list(c->names, q->name))
			continue;
		found = true;
		apply_qos(r, q, c->set);
	}
	if (!found)
		nothing_matches(r, c->column, "QOS");
}

static void modify_cluster(struct acct_reader *r, struct command *c)
{
	check_where(r, c);
	if (r->by)
		acct_denied(r, c->column, NULL);
	else
		apply_account(r, r->a->root, c->set);
}

/* ---- delete ---- */

static void delete_assoc(struct acct_reader *r, guint column, struct assoc *as)
{
	if (r->a->in_use && r->a->in_use(r->a->in_use_data, as))
		acct_error(r, column, NULL, "Error with request: Job(s) active, cancel job(s) before remove");
	else
		acct_remove(r->a, as);
}

static void delete_account(struct acct_reader *r, struct command *c)
{
	bool found = false;

	check_where(r, c);
	if (r->by) { /* recorded: not even one below his */
		acct_denied(r, c->column, NULL);
		return;
	}
	for (char **s = c->names; s && *s; s++) {
		struct assoc *as = acct_find_account(r->a, *s);

		if (!as || !as->parent)
			continue;
		delete_assoc(r, c->column, as);
		found = true;
	}
	if (!found)
		nothing_matches(r, c->column, "account");
}

static void delete_user(struct acct_reader *r, struct command *c)
{
	bool go = spend(r, c->column);
	GPtrArray *users = users_meant(r, c, true);

	check_where(r, c);
	if (!users->len)
		nothing_matches(r, c->column, "user");
	if (!reaches_users(r, users)) { /* recorded */
		acct_error(r, c->column, NULL, "Nothing deleted");
		go = false;
	}
	for (guint i = 0; go && i < users->len; i++)
		delete_assoc(r, c->column, users->pdata[i]);
	g_ptr_array_unref(users);
}

static void delete_qos(struct acct_reader *r, struct command *c)
{
	bool found = false;

	check_where(r, c);
	if (r->by) {
		acct_denied(r, c->column, NULL);
		return;
	}
	for (char **s = c->names; s && *s; s++) {
		struct qos *q = acct_find_qos(r->a, *s);

		if (!q)
			continue;
		acct_remove_qos(r->a, q);
		found = true;
	}
	if (!found)
		nothing_matches(r, c->column, "QOS");
}

/* ---- coordinators: sacctmgr's own words, recorded on 22.05 ---- */

static bool user_known(const struct acct *a, const char *user)
{
	for (guint i = 0; i < a->assocs->len; i++) {
		const struct assoc *as = g_ptr_array_index(a->assocs, i);
		if (!as->removed && as->user && g_ascii_strcasecmp(as->user, user) == 0)
			return true;
	}
	return false;
}

static bool all_known(struct acct_reader *r, const struct command *c, char **accounts)
{
	for (char **s = accounts; s && *s; s++)
		if (!acct_find_account(r->a, *s)) {
			acct_error(r, c->column, NULL, "You specified a non-existent account '%.60s'.", *s);
			return false;
		}
	for (char **s = c->names; s && *s; s++)
		if (!user_known(r->a, *s)) {
			acct_error(r, c->column, NULL, "You specified a non-existent user '%.60s'.", *s);
			return false;
		}
	return true;
}

static void add_coordinator(struct acct_reader *r, struct command *c)
{
	char **accounts = take_items(c->set, "Accounts", 3);

	if (!c->names)
		acct_error(r, c->column, NULL, "You need to specify a user list here.");
	else if (!accounts)
		acct_error(r, c->column, NULL, "You need to specify an account list here.");
	else if (!acct_reaches_all(r, accounts, false))
		acct_denied(r, c->column, "coordinator");
	else if (all_known(r, c, accounts))
		for (char **s = accounts; *s; s++)
			for (char **u = c->names; *u; u++)
				acct_add_coordinator(r->a, *s, *u);
	g_strfreev(accounts);
}

static void delete_coordinator(struct acct_reader *r, struct command *c)
{
	static char *every[] = {NULL};
	char **accounts = take_items(c->where, "Accounts", 3);
	bool any = false;

	check_where(r, c);
	if (!c->names && !accounts) {
		acct_error(r, c->column, "give names= or account=", "delete coordinator: of whom?");
	} else if (!acct_reaches_all(r, accounts, false)) {
		acct_denied(r, c->column, NULL);
	} else if (all_known(r, c, accounts)) {
		char **s = accounts ? accounts : every;

		do {
			char **u = c->names ? c->names : every;

			do
				any = acct_remove_coordinator(r->a, *s, *u) || any;
			while (*u && *++u);
		} while (*s && *++s);
		if (!any)
			acct_error(r, c->column, NULL, "Nothing removed");
	}
	g_strfreev(accounts);
}

static const struct entity {
	const char *name;
	gsize shortest;
	void (*add)(struct acct_reader *, struct command *);
	void (*modify)(struct acct_reader *, struct command *);
	void (*remove)(struct acct_reader *, struct command *);
} entities[] = {
    {"accounts", 3, add_account, modify_account, delete_account},
    {"users", 1, add_user, modify_user, delete_user},
    {"qos", 1, add_qos, modify_qos, delete_qos},
    {"clusters", 2, NULL, modify_cluster, NULL},
    {"coordinators", 2, add_coordinator, NULL, delete_coordinator},
    {"wckeys", 1, NULL, NULL, NULL},
};

static const struct entity *find_entity(const char *word)
{
	for (gsize i = 0; i < G_N_ELEMENTS(entities); i++)
		if (acct_key_is(word, entities[i].name, entities[i].shortest))
			return &entities[i];
	return NULL;
}

enum verb { ADD, MODIFY, DELETE };

static void run(struct acct_reader *r, const GPtrArray *words, guint first, enum verb verb)
{
	const struct acct_option *word = option_at(words, first);
	const struct entity *e = word->key ? NULL : find_entity(word->value);
	struct command c = {.column = word->column};

	if (!e) {
		char *shown = conflex_show(word->value);

		acct_error(r, word->column, "account, user, qos, coordinator or cluster", "unknown entity %s", shown);
		g_free(shown);
		return;
	}
	void (*act)(struct acct_reader *, struct command *) = verb == ADD      ? e->add
	                                                      : verb == MODIFY ? e->modify
	                                                                       : e->remove;

	sort_words(&c, words, first + 1, verb != ADD, e->name);
	if (act && verb != MODIFY && !c.names && e->add != add_coordinator)
		acct_error(r, word->column, "write its name after it", "%s %s without a name",
		           verb == ADD ? "add" : "delete", word->value);
	else if (act)
		act(r, &c);
	command_clear(&c);
}

void acct_command(struct acct_reader *r, char *line)
{
	GPtrArray *words = split(line);
	guint i = 0;

	while (
	    i < words->len && !option_at(words, i)->key &&
	    (g_ascii_strcasecmp(option_at(words, i)->value, "sacctmgr") == 0 || option_at(words, i)->value[0] == '-'))
		i++;
	if (i < words->len) {
		const char *verb = option_at(words, i)->value;
		guint column = option_at(words, i)->column;
		bool bare = !option_at(words, i)->key;
		bool add = bare && (acct_key_is(verb, "add", 3) || acct_key_is(verb, "create", 2));
		bool modify = bare && (acct_key_is(verb, "modify", 1) || acct_key_is(verb, "update", 1));

		bool remove = bare && (acct_key_is(verb, "delete", 3) || acct_key_is(verb, "remove", 3));

		if (!add && !modify && !remove) {
			char *shown = conflex_show(verb);

			acct_error(r, column, "add, modify or delete", "unknown sacctmgr command %s", shown);
			g_free(shown);
		} else if (i + 1 >= words->len)
			acct_error(r, column, "account, user, qos or cluster", "%s what?", verb);
		else
			run(r, words, i + 1, add ? ADD : modify ? MODIFY : DELETE);
	}
	g_ptr_array_unref(words);
}
