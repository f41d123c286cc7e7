/* acct_coord.c - coordinators of accounts, and how accounting lists and calls accounts and QOS; see acct.h */
#include "sched/acct.h"
#include <string.h>

static int find(const GPtrArray *users, const char *user)
{
	for (guint i = 0; users && i < users->len; i++)
		if (g_ascii_strcasecmp(users->pdata[i], user) == 0)
			return (int)i;
	return -1;
}

static GPtrArray *users_of(const struct acct *a, const char *account)
{
	char *key = g_ascii_strdown(account, -1);
	GPtrArray *users = g_hash_table_lookup(a->coordinators, key);

	g_free(key);
	return users;
}

bool acct_add_coordinator(struct acct *a, const char *account, const char *user)
{
	GPtrArray *users = users_of(a, account);

	if (find(users, user) >= 0)
		return false;
	if (!users) {
		users = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(a->coordinators, g_ascii_strdown(account, -1), users);
	}
	g_ptr_array_add(users, g_ascii_strdown(user, -1));
	return true;
}

static bool remove_from(GPtrArray *users, const char *user)
{
	int at = user ? find(users, user) : -1;
	bool any = users && (user ? at >= 0 : users->len > 0);

	if (any && user)
		g_ptr_array_remove_index(users, (guint)at);
	else if (any)
		g_ptr_array_set_size(users, 0);
	return any;
}

bool acct_remove_coordinator(struct acct *a, const char *account, const char *user)
{
	GHashTableIter it;
	gpointer users;
	bool any = false;

	if (account)
		return remove_from(users_of(a, account), user);
	g_hash_table_iter_init(&it, a->coordinators);
	while (g_hash_table_iter_next(&it, NULL, &users))
		any = remove_from(users, user) || any;
	return any;
}

bool acct_coordinates(const struct acct *a, const char *user, const char *account)
{
	if (!user || !account || g_hash_table_size(a->coordinators) == 0)
		return false;
	for (const struct assoc *as = acct_find_account(a, account); as; as = as->parent)
		if (find(users_of(a, as->account), user) >= 0)
			return true;
	return false;
}

static gint by_name(gconstpointer x, gconstpointer y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

GPtrArray *acct_coordinators(const struct acct *a, const char *account)
{
	GPtrArray *users = users_of(a, account), *out = g_ptr_array_new();

	for (guint i = 0; users && i < users->len; i++)
		g_ptr_array_add(out, users->pdata[i]);
	g_ptr_array_sort(out, by_name);
	return out;
}

/* ---- order and names ---- */

int assoc_by_place(const struct assoc *x, const struct assoc *y, bool old)
{
	if (!x->user != !y->user)
		return x->user ? -1 : 1;
	int order = strcmp(x->user ? x->user : x->account, y->user ? y->user : y->account);
	if (!order && old)
		return (x->id < y->id) - (x->id > y->id);
	return order ? order : strcmp(x->partition ? x->partition : "", y->partition ? y->partition : "");
}

static int by_place(gconstpointer x, gconstpointer y, gpointer old)
{
	return assoc_by_place(*(struct assoc *const *)x, *(struct assoc *const *)y, old != NULL);
}

void acct_sort_children(GPtrArray *list, bool old)
{
	g_ptr_array_sort_with_data(list, by_place, GINT_TO_POINTER(old));
}

const char *account_description(const struct assoc *a)
{
	return a->description ? a->description : a->account;
}

const char *account_organization(const struct assoc *a)
{
	return a->organization ? a->organization : a->parent && a->parent->parent ? a->parent->account : a->account;
}

const char *qos_description(const struct qos *q)
{
	return q->description ? q->description : q->id == 1 ? "Normal QOS default" : q->name;
}
