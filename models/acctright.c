/* acctright.c - what a coordinator may change with sacctmgr; see acctread.h */
#include "models/acctread.h"

bool acct_reaches(const struct acct_reader *r, const char *account, bool below)
{
	const struct assoc *as = acct_find_account(r->a, account);

	if (!r->by || !as)
		return true;
	if (below)
		return as->parent && acct_coordinates(r->a, r->by, as->parent->account);
	return acct_coordinates(r->a, r->by, account);
}

bool acct_reaches_all(const struct acct_reader *r, char **accounts, bool below)
{
	if (!accounts)
		return !r->by;
	for (; *accounts; accounts++)
		if (!acct_reaches(r, *accounts, below))
			return false;
	return true;
}

bool acct_sets_admin(const GPtrArray *set)
{
	for (guint i = 0; i < set->len; i++) {
		const struct acct_option *o = g_ptr_array_index(set, i);
		if (acct_key_is(o->key, "AdminLevel", 2))
			return true;
	}
	return false;
}

bool acct_denied(struct acct_reader *r, guint column, const char *what)
{
	if (what)
		acct_error(r, column, NULL, "Problem adding %s: Access/permission denied", what);
	else
		acct_error(r, column, NULL, "Error with request: Access/permission denied");
	return false;
}
