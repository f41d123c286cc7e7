/* resv_draft.c - the values of a reservation's KEY=VALUE; see resv_draft.h */
#include "sched/resv_gres.h"

#include <string.h>

static bool is_old(const struct resv_draft *d)
{
	return d->c->p->version == SLURM_22_05;
}

bool resv_refused(const struct resv_draft *d, const char *why)
{
	if (d->create)
		return RESV_REFUSE(d, "Error creating the reservation: %s", why);
	g_autofree char *first = is_old(d) ? g_strdup_printf("Error updating the reservation: %s\n", why) : g_strdup("");
	return RESV_REFUSE(d, "%sslurm_update error: %s", first, why);
}

bool resv_misread(const struct resv_draft *d, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	if (d->create)
		return RESV_REFUSE(d, "scontrol: error: %s.  No reservation created.", text);
	return RESV_REFUSE(d, "scontrol: error: %s.  No reservation update.%s", text, is_old(d) ? "\nslurm_update error: No error" : "");
}

#define NO_SUCH_ACCOUNT "Invalid account or account/partition combination specified"

static const char *const flag_names[] = {
#define X(name) #name,
    RESV_FLAGS(X)
#undef X
};
static const struct {
	const char *name;
	uint32_t flag;
} other_names[] = {{"STATIC_ALLOC", RESV_FLAG(STATIC)},
                   {"NO_HOLD_JOBS", RESV_FLAG(NO_HOLD_JOBS_AFTER_END)},
                   {"LICENSE_ONLY", RESV_FLAG(ANY_NODES)},
                   {"IGNORE_RUNNING", RESV_FLAG(IGNORE_JOBS)}};

/* Some are shown only, some are not of every release (recorded: 22.05). */
static bool may_be_given(const struct controller *c, uint32_t flag)
{
	const uint32_t shown = RESV_FLAG(SPEC_NODES) | RESV_FLAG(ALL_NODES), young = RESV_FLAG(USER_DELETE) | RESV_FLAG(FORCE_START);
	return !(flag & shown) && (c->p->version != SLURM_22_05 || !(flag & young));
}

/* Recorded (22.05): these stay as they are, or are only set. */
static bool may_be_signed(const struct resv_draft *d, uint32_t flag, char sign)
{
	return !sign || !is_old(d) || (flag != RESV_FLAG(TIME_FLOAT) && (flag != RESV_FLAG(REPLACE) || sign == '+'));
}

static bool flag_of(const struct controller *c, const char *name, uint32_t *flag)
{
	for (guint i = 0; i < RESV_BITS; i++)
		if (g_ascii_strcasecmp(flag_names[i], name) == 0) {
			*flag = 1u << i;
			return may_be_given(c, *flag);
		}
	for (guint i = 0; i < G_N_ELEMENTS(other_names); i++)
		if (g_ascii_strcasecmp(other_names[i].name, name) == 0) {
			*flag = other_names[i].flag;
			return true;
		}
	return false;
}

/* "MAINT,IGNORE_JOBS", "PURGE_COMP=60" (a time as of a limit: minutes); SIGN '+', '-' or 0; an entry may carry its own sign. */
static bool set_flags(struct resv_draft *d, const char *text, char sign)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	for (char **it = list; *it; it++) {
		char s = sign;
		const char *name = *it;
		if (*name == '+' || *name == '-')
			s = *name++;
		char *eq = strchr(name, '=');
		if (eq)
			*eq = '\0';
		uint32_t flag;
		int64_t seconds = 300;
		bool good = flag_of(d->c, name, &flag) && may_be_signed(d, flag, s) && (!eq || (flag == RESV_FLAG(PURGE_COMP) && duration_parse_seconds(eq + 1, &seconds)));
		if (!good)
			return sign ? resv_misread(d, "Error parsing flags %c%s", sign, text) : resv_misread(d, "Error parsing flags %s", text);
		d->part_nodes |= flag == RESV_FLAG(PART_NODES);
		if (flag == RESV_FLAG(PURGE_COMP))
			d->r->purge_after = (uint32_t)CLAMP(seconds, 0, NO_VAL - 1);
		d->r->flags = s == '-' ? d->r->flags & ~flag : d->r->flags | flag;
	}
	return true;
}

static bool set_time(struct resv_draft *d, const char *key, const char *text, sec_t *out)
{
	if (date_parse_begin(text, d->c->now_s, NULL, out))
		return true;
	return RESV_REFUSE(d, "Invalid time specification (pos=0): %s\nscontrol: error: Invalid %s time %s=%s.  No reservation %s.", text,
	                   *key == 's' ? "start" : "end", key, text, d->create ? "created" : "update");
}

static void name_list_add(struct name_list *l, const char *name)
{
	guint n = l->names ? g_strv_length(l->names) : 0;
	l->names = g_renew(char *, l->names, n + 2);
	l->names[n] = g_strdup(name);
	l->names[n + 1] = NULL;
}

static void name_list_remove(struct name_list *l, const char *name)
{
	guint n = 0;
	for (char **p = l->names; p && *p; p++)
		if (strcmp(*p, name) == 0)
			g_free(*p);
		else
			l->names[n++] = *p;
	if (l->names)
		l->names[n] = NULL;
}

/* "alice,bob" or "-alice,-bob", not mixed (C60). SIGN: "users+=", "users-="; an update with "-alice" takes alice out of a list of the allowed. */
static bool set_names(struct resv_draft *d, struct name_list *l, const char *text, char sign)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	const char *wrong = l == &d->r->accounts ? NO_SUCH_ACCOUNT : l == &d->r->groups ? "Invalid group id" : "Invalid user id";
	if (d->create && sign == '-' && *text != '-') { /* recorded: "users-=alice" is "users=-alice" */
		l->deny = true;
		sign = '+';
	} else if (!sign && *text == '-' && !d->create && l->names && *l->names && !l->deny)
		sign = '-';
	else if (*text == '-' && (sign || l == &d->r->groups))
		return resv_refused(d, wrong);
	else if (!sign) {
		g_clear_pointer(&l->names, g_strfreev);
		l->deny = *text == '-';
	}
	for (char **it = list; *it && **it; it++) {
		bool minus = **it == '-';
		if (minus != (*text == '-'))
			return resv_refused(d, wrong);
		const char *name = *it + (minus || **it == '+');
		if (sign == '-')
			name_list_remove(l, name);
		else
			name_list_add(l, name);
	}
	return true;
}

static bool set_groups(struct resv_draft *d, const char *text, char sign)
{
	struct name_list *l = &d->r->groups;
	if (!d->c->cl->groups)
		return resv_misread(d, "Who is in group %s is not known: the scenario names no file of groups", text);
	if (d->create && sign == '-')
		return resv_refused(d, "Invalid group id");
	if (!set_names(d, l, text, sign))
		return false;
	for (char **n = l->names; n && *n && !sign; n++) { /* recorded: "groups+=" takes any name */
		GHashTable *users = g_hash_table_lookup(d->c->cl->groups, *n);
		if (!users || !g_hash_table_size(users)) /* recorded: nor one without members */
			return resv_refused(d, "Invalid group id");
	}
	return true;
}

static bool set_licenses(struct resv_draft *d, const char *text)
{
	struct reservation *r = d->r;
	g_clear_pointer(&r->licenses, g_free);
	g_clear_pointer(&r->licenses_text, g_free);
	if (!*text)
		return true;
	struct license_list *l = license_parse(d->c->cl, text, NULL);
	if (!l || l->any) {
		g_free(l);
		return resv_refused(d, "Invalid license specification");
	}
	r->licenses = g_new0(uint32_t, license_kinds(d->c->cl) + 1);
	r->licenses_text = g_strdup(text);
	for (uint32_t i = 0; i < l->n; i++)
		r->licenses[l->want[i].license] += l->want[i].count;
	g_free(l);
	return true;
}

/* "4", "4,6"; of nodes "2k" (recorded: not of cores) */
static bool set_counts(struct resv_draft *d, const char *key, const char *text, GArray *out)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	g_array_set_size(out, 0);
	for (char **it = list; *it; it++) {
		char *end;
		guint64 n = MIN(g_ascii_strtoull(*it, &end, 10), 1000000u);
		bool given = end != *it;
		if (given && *key == 'n' && g_ascii_tolower(*end) == 'k')
			n *= 1024, end++;
		uint32_t v = (uint32_t)n;
		if (!given || *end)
			return *key == 'n' ? resv_misread(d, "Invalid %s %s", key, text) : RESV_REFUSE(d, "scontrol: error: Invalid %s %s", key, text);
		if (v)
			g_array_append_val(out, v);
	}
	return true;
}

static bool set_node_cnt(struct resv_draft *d, const char *text)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	if (!set_counts(d, "node count", text, list))
		return false;
	d->node_cnt = 0;
	for (guint i = 0; i < list->len; i++)
		d->node_cnt += g_array_index(list, uint32_t, i);
	return true;
}

static bool set_partition(struct resv_draft *d, const char *text)
{
	d->r->part = cluster_find_partition(d->c->cl, text);
	return d->r->part || resv_refused(d, "Invalid partition name specified");
}

static bool set_accounts(struct resv_draft *d, const char *text, char sign)
{
	struct name_list *l = &d->r->accounts;
	if (!set_names(d, l, text, sign))
		return false;
	for (char **n = l->names; d->c->cl->acct && n && *n; n++)
		if (!acct_find_account(d->c->cl->acct, *n))
			return resv_refused(d, NO_SUCH_ACCOUNT);
	return true;
}

static bool set_nodes(struct resv_draft *d, const char *text, char sign)
{
	if (sign && (is_old(d) || d->create))
		return resv_misread(d, "The +=/-= notation is not supported when updating nodes");
	if (!*text && !d->create) /* recorded: no change */
		return true;
	d->nodes_text = text;
	d->nodes_sign = sign;
	return d->has_nodes = true;
}

static bool set_duration(struct resv_draft *d, const char *text, char sign)
{
	d->minutes_sign = sign;
	return duration_parse_minutes(text, &d->minutes) || resv_misread(d, "Invalid duration duration=%s", text);
}

static bool set_text(char **field, const char *text)
{
	g_free(*field);
	*field = *text ? g_strdup(text) : NULL;
	return true;
}

static bool set_start_delay(struct resv_draft *d, const char *text)
{
	uint32_t minutes;
	bool ok = duration_parse_minutes(text, &minutes);
	d->r->max_start_delay = ok ? minutes * 60 : 0;
	return ok || resv_misread(d, "Invalid duration maxstartdelay=%s", text);
}

static bool key_is(const char *key, gsize len, const char *names)
{
	for (const char *name = names; *name; name += strlen(name) + 1)
		if (strlen(name) == len && strncmp(key, name, len) == 0)
			return true;
	return false;
}

bool resv_draft_set(struct resv_draft *d, const char *key, const char *v)
{
	struct reservation *r = d->r;
	gsize n = strlen(key);
	bool young = !is_old(d);
	char sign = n && (key[n - 1] == '+' || key[n - 1] == '-') ? key[--n] : '\0';
	if (key_is(key, n, "starttime\0"))
		return d->has_start = set_time(d, "starttime", v, &d->start);
	if (key_is(key, n, "endtime\0"))
		return d->has_end = set_time(d, "endtime", v, &d->end);
	if (key_is(key, n, "duration\0"))
		return set_duration(d, v, sign);
	if (key_is(key, n, "users\0user\0"))
		return set_names(d, &r->users, v, sign) && (d->has_users = true);
	if (key_is(key, n, "groups\0group\0"))
		return set_groups(d, v, sign) && (d->has_groups = true);
	if (key_is(key, n, "accounts\0account\0"))
		return set_accounts(d, v, sign);
	if (young && key_is(key, n, "qos\0"))
		return set_names(d, &r->qos, v, sign);
	if (young && key_is(key, n, "allowedpartitions\0"))
		return set_names(d, &r->partitions, v, sign);
	if (key_is(key, n, "nodes\0nodelist\0"))
		return set_nodes(d, v, sign);
	if (key_is(key, n, "nodecnt\0nodecount\0"))
		return set_node_cnt(d, v);
	if (key_is(key, n, "corecnt\0corecount\0"))
		return set_counts(d, "core count", v, d->cores);
	if (key_is(key, n, "partitionname\0partition\0"))
		return set_partition(d, v);
	if (key_is(key, n, "flags\0flag\0"))
		return set_flags(d, v, sign);
	if (key_is(key, n, "licenses\0license\0"))
		return set_licenses(d, v);
	if (key_is(key, n, "tres\0"))
		return resv_tres_set(d, v, false);
	if (young && key_is(key, n, "trespernode\0"))
		return resv_tres_set(d, v, true);
	if (key_is(key, n, "features\0feature\0"))
		return set_text(&r->features, v) && (d->has_features = true);
	if (key_is(key, n, "maxstartdelay\0"))
		return set_start_delay(d, v);
	if (young && key_is(key, n, "comment\0"))
		return set_text(&r->comment, v);
	if (d->create && key_is(key, n, "parts\0"))
		return (d->parts = v) != NULL;
	if (key_is(key, n, "skip\0") && !*v && !d->create)
		return d->skip = true;
	if (key_is(key, n, "burstbuffer\0") || (!young && key_is(key, n, "watts\0")))
		return resv_misread(d, "%s of a reservation is not modelled", key);
	return resv_misread(d, "Unknown parameter %s=%s", key, v);
}
