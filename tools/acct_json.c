/* acct_json.c - see acct_json.h */
#include "tools/acct_json.h"
#include "sched/acct.h"
#include <string.h>

static const char SHARE[] = "id:i cluster:s name:s parent:s partition:s shares_normalized:T shares:n "
                            "tres{run_seconds:l group_minutes:l usage:l} "
                            "effective_usage:T usage_normalized:N usage:i fairshare{factor:T level:N} type:l";
static const char ASSOC[] =
    "accounting:l account:s cluster:s comment:s default{qos:s} flags:l max{jobs{per{count:u accruing:u submitted:u "
    "wall_clock:u} active:u accruing:u total:u} tres{total:l group{minutes:l active:l} minutes{total:l per{job:l}} "
    "per{job:l node:l}} per{account{wall_clock:u}}} id:i is_default:b lineage:s min{priority_threshold:u} "
    "parent_account:s partition:s priority:u qos:l shares_raw:i user:s";
static const char QOS[] =
    "description:s flags:l id:i limits{grace_time:i max{active_jobs{accruing:u count:u} jobs{count:u "
    "active_jobs{per{account:u user:u}} per{account:u user:u}} tres{total:l minutes{total:l per{qos:l job:l account:l "
    "user:l}} per{account:l job:l node:l user:l}} wall_clock{per{qos:u job:u}} accruing{per{account:u user:u}}} "
    "factor:U min{priority_threshold:u tres{per{job:l}}}} name:s preempt{list:l mode:l exempt_time:u} priority:n "
    "usage_factor:T usage_threshold:U";

/* ---- TRES: the numbers that accounting gives them ---- */

enum { BUILT_IN = 8, FIRST_ID = 1001 };

uint32_t tres_number(uint32_t i)
{
	return i < BUILT_IN ? i + 1 : FIRST_ID + i - BUILT_IN;
}

static cJSON *kind_json(const char *name, uint32_t id, uint64_t count)
{
	const char *slash = strchr(name, '/');
	cJSON *o = json_from_schema("type:s name:s id:i count:i");

	json_put_taken(o, "type", g_strndup(name, strcspn(name, "/")));
	json_put_text(o, "name", slash ? slash + 1 : "");
	json_put_int(o, "id", id);
	json_put_int(o, "count", (double)count);
	return o;
}

/* What LIST sets, as [{type, name, id, count}]; LIST NULL = nothing. */
static void put_counts(cJSON *o, const char *path, const struct cluster *c, const uint64_t *list)
{
	cJSON *items = cJSON_CreateArray();

	for (uint32_t i = 0; list && i < c->tres->n; i++)
		if (list[i] < NO_VAL64 && list[i] != INFINITE)
			cJSON_AddItemToArray(items, kind_json(c->tres->name[i], tres_number(i), list[i]));
	json_put(o, path, items);
}

static uint64_t count_of(const struct cluster *c, const char *name)
{
	uint64_t sum = 0;

	if (strcmp(name, "node") == 0)
		return c->n_nodes;
	for (guint i = 0; g_str_has_prefix(name, "license/") && i < c->licenses->len; i++) {
		const struct license *l = c->licenses->pdata[i];
		sum += strcmp(l->name, name + strlen("license/")) == 0 ? l->total : 0;
	}
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct node_config *k = c->node[i]->config;

		sum += strcmp(name, "cpu") == 0 ? k->cpus : strcmp(name, "mem") == 0 ? k->real_memory : 0;
		if (g_str_has_prefix(name, "gres/")) {
			char **part = g_strsplit(name + strlen("gres/"), ":", 2);
			sum += node_config_gres(k, part[0], part[1]);
			g_strfreev(part);
		}
	}
	return sum;
}

cJSON *json_tres_kinds(const struct cluster *c, bool counted)
{
	cJSON *list = cJSON_CreateArray();

	for (uint32_t i = 0; i < c->tres->n; i++)
		cJSON_AddItemToArray(
		    list, kind_json(c->tres->name[i], tres_number(i), counted ? count_of(c, c->tres->name[i]) : 0));
	return list;
}

/* ---- sshare ---- */

static void add_named(cJSON *list, const char *name, cJSON *value)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddStringToObject(o, "name", name);
	cJSON_AddItemToObject(o, "value", value);
	cJSON_AddItemToArray(list, o);
}

static cJSON *limit_json(uint64_t n, bool is_limit)
{
	cJSON *o = json_unset(is_limit && (n >= NO_VAL64 || n == INFINITE) ? 'u' : 't');

	if (cJSON_IsTrue(cJSON_GetObjectItem(o, "set")))
		cJSON_SetNumberValue(cJSON_GetObjectItem(o, "number"), (double)n);
	return o;
}

static void put_share_tres(cJSON *o, const struct controller *c, const struct assoc *a)
{
	const struct tres_table *t = controller_cluster(c)->tres;
	cJSON *run = cJSON_CreateArray(), *limit = cJSON_CreateArray(), *usage = cJSON_CreateArray();
	uint64_t seconds[TRES_MAX];

	controller_run_seconds(c, a, seconds);
	for (uint32_t i = 0; i < t->n; i++) {
		add_named(run, t->name[i], limit_json(seconds[i], false));
		add_named(limit, t->name[i],
		          limit_json(a->limits.grp_tres_mins ? a->limits.grp_tres_mins[i] : NO_VAL64, true));
		add_named(usage, t->name[i], json_double(a->tres_usage ? (double)a->tres_usage[i] : 0));
	}
	json_put(o, "tres.run_seconds", run);
	json_put(o, "tres.group_minutes", limit);
	json_put(o, "tres.usage", usage);
}

cJSON *json_share(const struct controller *c, const struct assoc *a, const struct fair_view *v)
{
	const char *cluster = controller_cluster(c)->params->cluster_name;
	cJSON *o = json_from_schema(SHARE);

	json_put_int(o, "id", a->id);
	json_put_text(o, "cluster", cluster);
	json_put_text(o, "name", a->user ? a->user : a->account);
	json_put_text(o, "parent", a->user ? a->account : a->parent ? a->parent->account : NULL);
	json_put_text(o, "partition", a->partition);
	json_put_double(o, "shares_normalized", v->is_root ? 1.0 / NO_VAL : v->norm_shares);
	if (!v->is_root)
		json_put_number(o, "shares", a->shares);
	put_share_tres(o, c, a);
	json_put_double(o, "effective_usage", (double)v->effective);
	if (!v->is_root && !v->is_new)
		json_put_double(o, "usage_normalized", (double)v->norm_usage);
	json_put_int(o, "usage", (double)(guint64)v->usage);
	json_put_double(o, "fairshare.factor", a->user ? v->fairshare : 0);
	if (!v->is_root)
		json_put_double(o, "fairshare.level", (double)v->level_fs);
	json_put_list(o, "type", a->user ? "USER" : "ASSOCIATION", ",");
	return o;
}

/* ---- sacctmgr: associations ---- */

static void put_up_counts(cJSON *o, const char *path, const struct cluster *c, const struct assoc *of, size_t offset)
{
	uint64_t merged[TRES_MAX];

	assoc_inherited_tres(of, offset, c->tres->n, merged);
	put_counts(o, path, c, merged);
}

/* "/science/chem/0-carol/gpu/" */
char *assoc_lineage(const struct assoc *a)
{
	GString *s = g_string_new("/");

	for (const struct assoc *up = a->user ? a->parent : a; up && up->parent; up = up->parent) {
		g_string_prepend(s, up->account);
		g_string_prepend_c(s, '/');
	}
	if (a->user)
		g_string_append_printf(s, "0-%s/", a->user);
	if (a->partition)
		g_string_append_printf(s, "%s/", a->partition);
	return g_string_free(s, FALSE);
}

static void put_assoc_limits(cJSON *o, const struct cluster *c, const struct assoc *a)
{
	const struct limits *l = &a->limits;

	json_put_limit(o, "max.jobs.per.count", l->grp_jobs);
	json_put_limit(o, "max.jobs.per.accruing", l->grp_jobs_accrue);
	json_put_limit(o, "max.jobs.per.submitted", l->grp_submit);
	json_put_limit(o, "max.jobs.per.wall_clock", assoc_inherited_count(a, offsetof(struct limits, max_wall)));
	json_put_limit(o, "max.jobs.active", assoc_inherited_count(a, offsetof(struct limits, max_jobs)));
	json_put_limit(o, "max.jobs.accruing", assoc_inherited_count(a, offsetof(struct limits, max_jobs_accrue)));
	json_put_limit(o, "max.jobs.total", assoc_inherited_count(a, offsetof(struct limits, max_submit)));
	put_counts(o, "max.tres.total", c, l->grp_tres);
	put_counts(o, "max.tres.group.minutes", c, l->grp_tres_mins);
	put_counts(o, "max.tres.group.active", c, l->grp_tres_run_mins);
	put_up_counts(o, "max.tres.minutes.per.job", c, a, offsetof(struct limits, max_tres_mins_pj));
	put_up_counts(o, "max.tres.per.job", c, a, offsetof(struct limits, max_tres_pj));
	put_up_counts(o, "max.tres.per.node", c, a, offsetof(struct limits, max_tres_pn));
	json_put_limit(o, "max.per.account.wall_clock", l->grp_wall);
	json_put_limit(o, "min.priority_threshold", assoc_inherited_count(a, offsetof(struct limits, min_prio_thresh)));
}

static void put_strv(cJSON *o, const char *path, char **names)
{
	cJSON *list = cJSON_CreateArray();

	for (char **s = names; s && *s; s++)
		cJSON_AddItemToArray(list, cJSON_CreateString(*s));
	json_put(o, path, list);
}

cJSON *json_assoc(const struct cluster *c, const struct assoc *a)
{
	static char normal[] = "normal", *only_normal[] = {normal, NULL};
	cJSON *o = json_from_schema(ASSOC);
	char **names = assoc_qos_list(a);
	const struct assoc *up = a;

	json_put_text(o, "account", a->account);
	json_put_text(o, "cluster", c->params->cluster_name);
	while (up && !up->default_qos)
		up = up->parent;
	json_put_text(o, "default.qos", up ? up->default_qos : NULL);
	put_assoc_limits(o, c, a);
	json_put_int(o, "id", a->id);
	json_put_flag(o, "is_default", a->user && !a->partition && a->is_default);
	json_put_taken(o, "lineage", assoc_lineage(a));
	json_put_text(o, "parent_account", a->user || !a->parent ? NULL : a->parent->account);
	json_put_text(o, "partition", a->partition);
	json_put_limit(o, "priority", a->priority);
	put_strv(o, "qos", names ? names : only_normal);
	json_put_int(o, "shares_raw", a->shares);
	json_put_text(o, "user", a->user);
	return o;
}

/* ---- sacctmgr: QOS ---- */

static char *qos_flags(uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} WORDS[] = {{QOS_PART_MIN_NODE, "PARTITION_MINIMUM_NODE"},
	             {QOS_PART_MAX_NODE, "PARTITION_MAXIMUM_NODE"},
	             {QOS_PART_TIME_LIMIT, "PARTITION_TIME_LIMIT"},
	             {QOS_ENFORCE_USAGE_THRESHOLD, "ENFORCE_USAGE_THRESHOLD"},
	             {QOS_NO_RESERVE, "NO_RESERVE"},
	             {QOS_REQUIRES_RESV, "REQUIRED_RESERVATION"},
	             {QOS_DENY_LIMIT, "DENY_LIMIT"},
	             {QOS_OVER_PART_QOS, "OVERRIDE_PARTITION_QOS"},
	             {QOS_NO_DECAY, "NO_DECAY"},
	             {QOS_USAGE_FACTOR_SAFE, "USAGE_FACTOR_SAFE"},
	             {QOS_RELATIVE, "RELATIVE"}};
	GString *s = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (flags & WORDS[i].flag)
			g_string_append_printf(s, "%s%s", s->len ? "," : "", WORDS[i].name);
	return g_string_free(s, FALSE);
}

static void put_qos_limits(cJSON *o, const struct cluster *c, const struct limits *l)
{
	json_put_limit(o, "limits.max.active_jobs.accruing", l->grp_jobs_accrue);
	json_put_limit(o, "limits.max.active_jobs.count", l->grp_jobs);
	json_put_limit(o, "limits.max.jobs.count", l->grp_submit);
	json_put_limit(o, "limits.max.jobs.active_jobs.per.account", l->max_jobs_pa);
	json_put_limit(o, "limits.max.jobs.active_jobs.per.user", l->max_jobs_pu);
	json_put_limit(o, "limits.max.jobs.per.account", l->max_submit_pa);
	json_put_limit(o, "limits.max.jobs.per.user", l->max_submit_pu);
	put_counts(o, "limits.max.tres.total", c, l->grp_tres);
	put_counts(o, "limits.max.tres.minutes.total", c, l->grp_tres_mins);
	put_counts(o, "limits.max.tres.minutes.per.qos", c, l->grp_tres_run_mins);
	put_counts(o, "limits.max.tres.minutes.per.job", c, l->max_tres_mins_pj);
	put_counts(o, "limits.max.tres.minutes.per.account", c, l->max_tres_run_mins_pa);
	put_counts(o, "limits.max.tres.minutes.per.user", c, l->max_tres_run_mins_pu);
	put_counts(o, "limits.max.tres.per.account", c, l->max_tres_pa);
	put_counts(o, "limits.max.tres.per.job", c, l->max_tres_pj);
	put_counts(o, "limits.max.tres.per.node", c, l->max_tres_pn);
	put_counts(o, "limits.max.tres.per.user", c, l->max_tres_pu);
	json_put_limit(o, "limits.max.wall_clock.per.qos", l->grp_wall);
	json_put_limit(o, "limits.max.wall_clock.per.job", l->max_wall);
	json_put_limit(o, "limits.max.accruing.per.account", l->max_accrue_pa);
	json_put_limit(o, "limits.max.accruing.per.user", l->max_accrue_pu);
	json_put_limit(o, "limits.min.priority_threshold", l->min_prio_thresh);
	put_counts(o, "limits.min.tres.per.job", c, l->min_tres_pj);
}

cJSON *json_qos(const struct cluster *c, const struct qos *q)
{
	cJSON *o = json_from_schema(QOS);
	char *flags = qos_flags(q->flags);
	char *mode = q->preempt_mode_text ? g_ascii_strup(q->preempt_mode_text, -1) : g_strdup("CLUSTER");

	json_put_text(o, "description", qos_description(q));
	json_put_list(o, "flags", flags, ",");
	json_put_int(o, "id", q->id);
	json_put_int(o, "limits.grace_time", q->grace_time > 0 ? q->grace_time : 0);
	put_qos_limits(o, c, &q->limits);
	if (q->limit_factor >= 0)
		json_put_double(o, "limits.factor", q->limit_factor);
	json_put_text(o, "name", q->name);
	put_strv(o, "preempt.list", q->preempt);
	json_put_list(o, "preempt.mode", strcmp(mode, "CLUSTER") == 0 ? "DISABLED" : mode, ",");
	if (q->preempt_exempt_time >= 0)
		json_put_number(o, "preempt.exempt_time", (double)q->preempt_exempt_time);
	json_put_number(o, "priority", q->priority);
	json_put_double(o, "usage_factor", q->usage_factor);
	if (q->usage_threshold >= 0)
		json_put_double(o, "usage_threshold", q->usage_threshold);
	g_free(mode);
	g_free(flags);
	return o;
}

/* ---- sacctmgr: users, accounts, the cluster ---- */

cJSON *json_user(const struct cluster *c, const char *user)
{
	const char *level = g_hash_table_lookup(c->acct->admin, user);
	bool admin = strcmp(user, "root") == 0 || (level && g_ascii_strncasecmp(level, "admin", 5) == 0);
	cJSON *o =
	    json_from_schema("administrator_level:l associations:l coordinators:l default{qos:i account:s wckey:s} "
	                     "flags:l name:s old_name:s wckeys:l");

	json_put_list(o, "administrator_level",
	              admin                                                     ? "Administrator"
	              : level && g_ascii_strncasecmp(level, "operator", 8) == 0 ? "Operator"
	                                                                        : "None",
	              ",");
	json_put_text(o, "default.account",
	              strcmp(user, "root") == 0 ? "root" : g_hash_table_lookup(c->acct->default_account, user));
	json_put_list(o, "flags", "NONE", ",");
	json_put_text(o, "name", user);
	return o;
}

cJSON *json_account(const struct assoc *a)
{
	cJSON *o = json_from_schema("associations:l coordinators:l description:s name:s organization:s flags:l");

	json_put_text(o, "description", account_description(a));
	json_put_text(o, "name", a->account);
	json_put_text(o, "organization", account_organization(a));
	return o;
}

cJSON *json_cluster(const struct cluster *c)
{
	cJSON *o =
	    json_from_schema("controller{host:s port:i} flags:l name:s nodes:s associations{root{account:s cluster:s "
	                     "partition:s user:s id:i}} rpc_version:i tres:l");
	struct bitset *all = bitset_new(c->n_nodes);

	for (uint32_t i = 0; i < c->n_nodes; i++)
		bitset_set(all, i);
	json_put_text(o, "controller.host", "127.0.0.1");
	json_put_int(o, "controller.port", 6817);
	json_put_int(o, "rpc_version", c->params->version == SLURM_22_05 ? 9728 : 11776);
	json_put_text(o, "name", c->params->cluster_name);
	json_put_taken(o, "nodes", cluster_format_nodes(c, all));
	json_put_text(o, "associations.root.account", "root");
	json_put_text(o, "associations.root.cluster", c->params->cluster_name);
	json_put_int(o, "associations.root.id", 1);
	json_put(o, "tres", json_tres_kinds(c, true));
	bitset_free(all);
	return o;
}

void json_print_acct(FILE *out, const struct cluster *c, const char *payload, cJSON *list, const char *command)
{
	const struct json_origin from = {
	    .now = 0, .v22 = c->params->version == SLURM_22_05, .accounting = c->acct != NULL, .cluster = c->params->cluster_name};

	json_print_envelope(out, &from, payload, list, command);
}
