/* acct.c - the association tree and the QOS; see acct.h, combination rules in spec accounting-files.md section 3. */
#include "sched/acct.h"
#include <string.h>

void limits_init(struct limits *l)
{
	*l = (struct limits){
	    .grp_jobs = NO_VAL,
	    .grp_submit = NO_VAL,
	    .grp_wall = NO_VAL,
	    .grp_jobs_accrue = NO_VAL,
	    .max_jobs = NO_VAL,
	    .max_submit = NO_VAL,
	    .max_wall = NO_VAL,
	    .max_jobs_accrue = NO_VAL,
	    .max_jobs_pu = NO_VAL,
	    .max_jobs_pa = NO_VAL,
	    .max_submit_pu = NO_VAL,
	    .max_submit_pa = NO_VAL,
	    .max_accrue_pu = NO_VAL,
	    .max_accrue_pa = NO_VAL,
	    .min_prio_thresh = NO_VAL,
	};
}

void limits_tres_arrays(const struct limits *l, uint64_t **out)
{
	uint64_t *const all[LIMITS_TRES] = {l->grp_tres,
	                                    l->grp_tres_mins,
	                                    l->grp_tres_run_mins,
	                                    l->max_tres_pj,
	                                    l->max_tres_pn,
	                                    l->max_tres_mins_pj,
	                                    l->max_tres_pu,
	                                    l->max_tres_pa,
	                                    l->max_tres_run_mins_pu,
	                                    l->max_tres_run_mins_pa,
	                                    l->min_tres_pj};
	memcpy(out, all, sizeof all);
}

static void limits_clear(struct limits *l)
{
	uint64_t *arrays[LIMITS_TRES];
	limits_tres_arrays(l, arrays);
	for (size_t i = 0; i < LIMITS_TRES; i++)
		g_free(arrays[i]);
}

/* TRES kinds may still be added after an account: use counts always have room for all. */
static void use_init(struct use *u)
{
	u->tres = g_new0(uint64_t, TRES_MAX);
	u->run_secs = g_new0(uint64_t, TRES_MAX);
}

static void use_clear(struct use *u)
{
	g_free(u->tres);
	g_free(u->run_secs);
	g_free(u->node_jobs);
}

static void use_free(void *data)
{
	use_clear(data);
	g_free(data);
}

struct use *acct_use_of(GHashTable *table, const char *name)
{
	struct use *u = g_hash_table_lookup(table, name);

	if (u == NULL) {
		u = g_new0(struct use, 1);
		use_init(u);
		g_hash_table_insert(table, g_strdup(name), u);
	}
	return u;
}

static void assoc_free(void *data)
{
	struct assoc *as = data;

	g_free(as->account);
	g_free(as->description);
	g_free(as->organization);
	g_free(as->user);
	g_free(as->partition);
	g_ptr_array_unref(as->children);
	limits_clear(&as->limits);
	g_strfreev(as->qos);
	g_free(as->default_qos);
	use_clear(&as->use);
	g_free(as->tres_usage);
}

static void qos_free(void *data)
{
	struct qos *q = data;

	g_free(q->name);
	g_free(q->description);
	limits_clear(&q->limits);
	g_strfreev(q->preempt);
	g_free(q->preempt_mode_text);
	use_clear(&q->use);
	g_free(q->tres_usage);
	g_hash_table_unref(q->use_by_user);
	g_hash_table_unref(q->use_by_account);
	g_free(q);
}

/* The key of by_key, in lower case (slurm-conf.md section 1: accounts and users are stored in lower case). */
static char *make_key(const char *account, const char *user, const char *partition)
{
	char *a = g_ascii_strdown(account, -1), *u = user ? g_ascii_strdown(user, -1) : NULL;
	char *key = g_strdup_printf("%s\1%s\1%s", a, u ? u : "", partition ? partition : "");

	g_free(a);
	g_free(u);
	return key;
}

static struct assoc *lookup(const struct acct *a, const char *account, const char *user, const char *partition)
{
	char *key = make_key(account, user, partition);
	struct assoc *as = g_hash_table_lookup(a->by_key, key);

	g_free(key);
	return as;
}

#define ASSOCS_PER_BLOCK 64

static struct assoc *room_for_one(struct acct *a)
{
	guint at = a->assocs->len % ASSOCS_PER_BLOCK;
	if (at == 0)
		g_ptr_array_add(a->blocks, g_new0(struct assoc, ASSOCS_PER_BLOCK));
	return (struct assoc *)a->blocks->pdata[a->blocks->len - 1] + at;
}

/* A new association under PARENT (NULL: the root). */
static struct assoc *add(struct acct *a, struct assoc *parent, const char *account, const char *user,
                         const char *partition)
{
	struct assoc *as = room_for_one(a);

	as->id = a->assocs->len + 1;
	as->account = g_ascii_strdown(account, -1);
	as->user = user ? g_ascii_strdown(user, -1) : NULL;
	as->partition = g_strdup(partition);
	as->parent = parent;
	as->children = g_ptr_array_new();
	as->shares = 1;
	as->priority = NO_VAL;
	limits_init(&as->limits);
	use_init(&as->use);
	as->tres_usage = g_new0(long double, TRES_MAX);
	if (parent != NULL)
		g_ptr_array_add(parent->children, as);
	g_ptr_array_add(a->assocs, as);
	g_hash_table_insert(a->by_key, make_key(account, user, partition), as);
	a->generation++;
	return as;
}

struct acct *acct_new(struct tres_table *tres)
{
	static const char *const root_qos[] = {"normal", NULL};
	struct acct *a = g_new0(struct acct, 1);

	a->tres = tres;
	a->assocs = g_ptr_array_new_with_free_func(assoc_free);
	a->blocks = g_ptr_array_new_with_free_func(g_free);
	a->qos = g_ptr_array_new_with_free_func(qos_free);
	a->admin = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	a->coordinators = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
	a->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	a->default_account = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	acct_add_qos(a, "normal");
	a->root = add(a, NULL, "root", NULL, NULL);
	a->root->qos = g_strdupv((char **)root_qos);
	a->root->description = g_strdup("default root account");
	a->root->organization = g_strdup("root");
	acct_add_user(a, "root", "root", NULL);
	return a;
}

void acct_free(struct acct *a)
{
	if (a == NULL)
		return;
	g_hash_table_unref(a->by_key);
	g_hash_table_unref(a->default_account);
	g_hash_table_unref(a->admin);
	g_hash_table_unref(a->coordinators);
	g_ptr_array_unref(a->assocs);
	g_ptr_array_unref(a->blocks);
	g_ptr_array_unref(a->qos);
	g_free(a);
}

struct qos *acct_find_qos(const struct acct *a, const char *name)
{
	for (guint i = 0; name != NULL && i < a->qos->len; i++) {
		struct qos *q = g_ptr_array_index(a->qos, i);
		if (!q->removed && g_ascii_strcasecmp(q->name, name) == 0)
			return q;
	}
	return NULL;
}

struct qos *acct_add_qos(struct acct *a, const char *name)
{
	struct qos *q = acct_find_qos(a, name);

	if (q != NULL)
		return q;
	q = g_new0(struct qos, 1);
	q->id = a->qos->len + 1;
	q->name = g_ascii_strdown(name, -1);
	q->usage_factor = 1.0;
	q->limit_factor = -1;
	q->usage_threshold = -1;
	q->preempt_mode = PREEMPT_MODE_UNSET;
	q->preempt_exempt_time = -1;
	limits_init(&q->limits);
	use_init(&q->use);
	q->tres_usage = g_new0(long double, TRES_MAX);
	q->use_by_user = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, use_free);
	q->use_by_account = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, use_free);
	g_ptr_array_add(a->qos, q);
	return q;
}

struct assoc *acct_find_account(const struct acct *a, const char *account)
{
	return account == NULL ? NULL : lookup(a, account, NULL, NULL);
}

struct assoc *acct_add_account(struct acct *a, const char *name, const char *parent)
{
	struct assoc *as = acct_find_account(a, name), *up = acct_find_account(a, parent);

	return as != NULL ? as : add(a, up != NULL ? up : a->root, name, NULL, NULL);
}

/* The default account of USER in any case, or NULL. */
static const char *default_account(const struct acct *a, const char *user)
{
	char *u = g_ascii_strdown(user, -1);
	const char *account = g_hash_table_lookup(a->default_account, u);

	g_free(u);
	return account;
}

struct assoc *acct_add_user(struct acct *a, const char *user, const char *account, const char *partition)
{
	struct assoc *up = acct_find_account(a, account);

	if (partition != NULL && *partition == '\0')
		partition = NULL;
	if (up == NULL || user == NULL || *user == '\0')
		return NULL;
	struct assoc *as = lookup(a, account, user, partition);

	if (as != NULL)
		return as;
	as = add(a, up, account, user, partition);
	const char *first = default_account(a, user);

	if (first == NULL)
		g_hash_table_insert(a->default_account, g_strdup(as->user), g_strdup(as->account));
	as->is_default = first == NULL || strcmp(first, as->account) == 0;
	return as;
}

void acct_set_default_account(struct acct *a, const char *user, const char *account)
{
	char *u = g_ascii_strdown(user, -1), *name = g_ascii_strdown(account, -1);

	for (guint i = 0; i < a->assocs->len; i++) {
		struct assoc *as = g_ptr_array_index(a->assocs, i);
		if (as->user != NULL && strcmp(as->user, u) == 0)
			as->is_default = strcmp(as->account, name) == 0;
	}
	g_hash_table_insert(a->default_account, u, name);
}

struct assoc *acct_find(const struct acct *a, const char *user, const char *account, const char *partition)
{
	if (user == NULL || *user == '\0')
		return NULL;
	if (account == NULL || *account == '\0')
		account = default_account(a, user);
	if (account == NULL)
		return NULL;
	struct assoc *as = partition != NULL ? lookup(a, account, user, partition) : NULL;

	return as != NULL ? as : lookup(a, account, user, NULL);
}

void acct_remove(struct acct *a, struct assoc *as)
{
	g_assert(as->parent);
	while (as->children->len)
		acct_remove(a, g_ptr_array_index(as->children, as->children->len - 1));
	char *key = make_key(as->account, as->user, as->partition);

	g_hash_table_remove(a->by_key, key);
	g_free(key);
	g_ptr_array_remove(as->parent->children, as);
	as->removed = as->changed = true;
	a->generation++;
	if (!as->user)
		acct_remove_coordinator(a, as->account, NULL);
	const char *fallback = as->user ? g_hash_table_lookup(a->default_account, as->user) : NULL;
	if (fallback && strcmp(fallback, as->account) == 0 && !lookup(a, as->account, as->user, NULL))
		g_hash_table_remove(a->default_account, as->user);
}

void acct_remove_qos(struct acct *a, struct qos *q)
{
	q->removed = q->changed = true;
	acct_refresh(a);
}

void acct_set_usage(struct assoc *as, long double usage)
{
	for (guint i = 0; i < as->children->len; i++)
		acct_set_usage(g_ptr_array_index(as->children, i), usage);
	long double more = usage - as->usage;
	for (struct assoc *up = as; up != NULL; up = up->parent) {
		up->usage = MAX(0.0L, up->usage + more);
		up->charged = true;
	}
}

bool acct_move(struct acct *a, struct assoc *as, struct assoc *up)
{
	for (const struct assoc *x = up; x; x = x->parent)
		if (x == as)
			return false;
	if (!up || up->user || !as->parent)
		return false;
	g_ptr_array_remove(as->parent->children, as);
	g_ptr_array_add(up->children, as);
	as->parent = up;
	as->changed = true;
	a->generation++;
	return true;
}

char **assoc_qos_list(const struct assoc *as)
{
	static char *none[] = {NULL};

	for (; as != NULL; as = as->parent)
		if (as->qos != NULL)
			return as->qos;
	return none;
}

const char *assoc_default_qos(const struct assoc *as)
{
	char **allowed = assoc_qos_list(as);

	for (const struct assoc *up = as; up != NULL; up = up->parent)
		if (up->default_qos != NULL)
			return up->default_qos;
	return g_strv_contains((const char *const *)allowed, "normal") ? "normal" : allowed[0];
}

uint32_t assoc_inherited_count(const struct assoc *as, size_t offset)
{
	for (; as; as = as->parent) {
		uint32_t n = *(const uint32_t *)(const void *)((const char *)&as->limits + offset);
		if (n != NO_VAL)
			return n;
	}
	return NO_VAL;
}

void assoc_inherited_tres(const struct assoc *as, size_t offset, uint32_t n, uint64_t *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = NO_VAL64;
	for (; as; as = as->parent) {
		const uint64_t *list = *(uint64_t *const *)(const void *)((const char *)&as->limits + offset);
		for (uint32_t i = 0; list && i < n; i++)
			if (out[i] == NO_VAL64)
				out[i] = list[i];
	}
}

void acct_refresh(struct acct *a)
{
	a->max_qos_priority = 0;
	for (guint i = 0; i < a->qos->len; i++) {
		const struct qos *q = g_ptr_array_index(a->qos, i);
		if (!q->removed)
			a->max_qos_priority = MAX(a->max_qos_priority, q->priority);
	}
}
