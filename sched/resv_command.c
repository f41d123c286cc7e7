/* resv_command.c - scontrol create, update and delete of reservations (lifecycle C63-C65) */
#include "sched/features.h"
#include "sched/reservation.h"
#include "sched/state.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)
#define BUSY_TEXT "Error creating the reservation: Requested nodes are busy"
#define MAX_PAST 600 /* seconds that a start may lie back */

struct draft {
	struct controller *c;
	struct reservation *r;
	bool create, has_start, has_end, has_nodes;
	sec_t start, end;
	uint32_t minutes;  /* Duration; NO_VAL = not given */
	uint32_t node_cnt; /* 0 = not given */
	GArray *cores;     /* CoreCnt: uint32_t, one or one a node */
	const char *nodes_text;
	GError **error;
};

/* ---- values ---- */

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
                   {"FIRST_CORES", 0},
                   {"LICENSE_ONLY", RESV_FLAG(ANY_NODES)},
                   {"IGNORE_RUNNING", RESV_FLAG(IGNORE_JOBS)}};

static bool flag_of(const char *name, uint32_t *flag)
{
	for (guint i = 0; i < RESV_BITS; i++)
		if (g_ascii_strcasecmp(flag_names[i], name) == 0) {
			*flag = 1u << i;
			return true;
		}
	for (guint i = 0; i < G_N_ELEMENTS(other_names); i++)
		if (g_ascii_strcasecmp(other_names[i].name, name) == 0) {
			*flag = other_names[i].flag;
			return true;
		}
	return false;
}

/* "MAINT,IGNORE_JOBS", "PURGE_COMP=60"; SIGN '+', '-' or 0; an entry may carry its own sign. */
static bool set_flags(struct draft *d, const char *text, char sign)
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
		if (!flag_of(name, &flag))
			return REFUSE(d->error, "scontrol: error: Error parsing flags %s.  No reservation created.",
			              text);
		if (flag == RESV_FLAG(PURGE_COMP)) {
			uint32_t minutes = 5;
			bool seconds = eq && strspn(eq + 1, "0123456789") == strlen(eq + 1);
			if (eq && !seconds && !duration_parse_minutes(eq + 1, &minutes))
				return REFUSE(d->error,
				              "scontrol: error: Error parsing flags %s.  No reservation created.",
				              text);
			d->r->purge_after = seconds ? (uint32_t)g_ascii_strtoull(eq + 1, NULL, 10) : minutes * 60;
		}
		d->r->flags = s == '-' ? d->r->flags & ~flag : d->r->flags | flag;
	}
	return true;
}

static bool set_time(struct draft *d, const char *key, const char *text, sec_t *out)
{
	if (date_parse_begin(text, d->c->now_s, NULL, out))
		return true;
	return REFUSE(d->error, "scontrol: error: Invalid %s time %s=%s.  No reservation created.",
	              *key == 's' ? "start" : "end", key, text);
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

/* "alice,bob" or "-alice,-bob", not mixed (C60). SIGN: "users+=", "users-=". */
static bool set_names(struct draft *d, struct name_list *l, const char *text, char sign)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	if (!sign) {
		g_clear_pointer(&l->names, g_strfreev);
		l->deny = *text == '-';
	}
	for (char **it = list; *it && **it; it++) {
		bool minus = **it == '-';
		if (!sign && minus != l->deny)
			return REFUSE(d->error,
			              "Error creating the reservation: names with and without \"-\" in one list: %s",
			              text);
		const char *name = *it + (minus || **it == '+');
		if (sign == '-')
			name_list_remove(l, name);
		else
			name_list_add(l, name);
	}
	return true;
}

static bool set_licenses(struct draft *d, const char *text)
{
	struct license_list *l = license_parse(d->c->cl, text, NULL);
	if (!l || l->any) {
		g_free(l);
		return REFUSE(d->error, "Error creating the reservation: Invalid license specification");
	}
	g_free(d->r->licenses);
	g_free(d->r->licenses_text);
	d->r->licenses = g_new0(uint32_t, license_kinds(d->c->cl) + 1);
	d->r->licenses_text = g_strdup(text);
	for (uint32_t i = 0; i < l->n; i++)
		d->r->licenses[l->want[i].license] += l->want[i].count;
	g_free(l);
	return true;
}

static bool set_counts(struct draft *d, const char *key, const char *text, GArray *out)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	g_array_set_size(out, 0);
	for (char **it = list; *it; it++) {
		char *end;
		guint64 n = g_ascii_strtoull(*it, &end, 10);
		uint32_t v = (uint32_t)MIN(n, 1000000000u);
		if (end == *it || *end || !n)
			return REFUSE(d->error, "scontrol: error: Invalid %s %s.  No reservation created.", key, text);
		g_array_append_val(out, v);
	}
	return true;
}

static bool set_node_cnt(struct draft *d, const char *text)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	if (!set_counts(d, "node count", text, list))
		return false;
	d->node_cnt = 0;
	for (guint i = 0; i < list->len; i++)
		d->node_cnt += g_array_index(list, uint32_t, i);
	return true;
}

/* "cpu=8,node=2,license/matlab=1" */
static bool set_tres(struct draft *d, const char *text)
{
	g_auto(GStrv) list = g_strsplit(text, ",", -1);
	for (char **it = list; *it; it++) {
		char *eq = strchr(*it, '=');
		if (!eq)
			return REFUSE(d->error, "Error creating the reservation: Invalid TRES %s", *it);
		*eq = '\0';
		bool ok = false;
		if (g_ascii_strcasecmp(*it, "cpu") == 0)
			ok = set_counts(d, "core count", eq + 1, d->cores);
		else if (g_ascii_strcasecmp(*it, "node") == 0)
			ok = set_node_cnt(d, eq + 1);
		else if (g_str_has_prefix(*it, "license/")) {
			g_autofree char *one = g_strdup_printf("%s:%s", *it + 8, eq + 1);
			ok = set_licenses(d, one);
		} else
			return REFUSE(d->error,
			              "Reservation of TRES %s is not modelled; known: cpu, node, license/NAME", *it);
		if (!ok)
			return false;
	}
	return true;
}

static bool set_partition(struct draft *d, const char *text)
{
	d->r->part = cluster_find_partition(d->c->cl, text);
	return d->r->part ? true : REFUSE(d->error, "Error creating the reservation: Invalid partition name specified");
}

static bool set_accounts(struct draft *d, const char *text, char sign)
{
	struct name_list *l = &d->r->accounts;
	if (!set_names(d, l, text, sign))
		return false;
	for (char **n = l->names; d->c->cl->acct && n && *n; n++)
		if (!acct_find_account(d->c->cl->acct, *n))
			return REFUSE(d->error, "Error creating the reservation: Invalid account or account/partition "
			                        "combination specified");
	return true;
}

static bool key_is(const char *key, gsize len, const char *name)
{
	return strlen(name) == len && strncmp(key, name, len) == 0;
}

static bool set_one(struct draft *d, const char *key, const char *v)
{
	struct reservation *r = d->r;
	gsize n = strlen(key);
	char sign = n && (key[n - 1] == '+' || key[n - 1] == '-') ? key[--n] : '\0';
	if (key_is(key, n, "starttime"))
		return d->has_start = set_time(d, "starttime", v, &d->start);
	if (key_is(key, n, "endtime"))
		return d->has_end = set_time(d, "endtime", v, &d->end);
	if (key_is(key, n, "duration"))
		return duration_parse_minutes(v, &d->minutes) ||
		       REFUSE(d->error, "scontrol: error: Invalid duration %s.  No reservation created.", v);
	if (key_is(key, n, "users") || key_is(key, n, "user"))
		return set_names(d, &r->users, v, sign);
	if (key_is(key, n, "accounts") || key_is(key, n, "account"))
		return set_accounts(d, v, sign);
	if (key_is(key, n, "qos"))
		return set_names(d, &r->qos, v, sign);
	if (key_is(key, n, "allowedpartitions"))
		return set_names(d, &r->partitions, v, sign);
	if (key_is(key, n, "nodes") || key_is(key, n, "nodelist")) {
		d->nodes_text = v;
		return d->has_nodes = true;
	}
	if (key_is(key, n, "nodecnt"))
		return set_node_cnt(d, v);
	if (key_is(key, n, "corecnt"))
		return set_counts(d, "core count", v, d->cores);
	if (key_is(key, n, "partitionname") || key_is(key, n, "partition"))
		return set_partition(d, v);
	if (key_is(key, n, "flags"))
		return set_flags(d, v, sign);
	if (key_is(key, n, "licenses") || key_is(key, n, "license"))
		return set_licenses(d, v);
	if (key_is(key, n, "tres"))
		return set_tres(d, v);
	if (key_is(key, n, "features") || key_is(key, n, "feature")) {
		g_free(r->features);
		r->features = g_strdup(v);
		return true;
	}
	if (key_is(key, n, "maxstartdelay")) {
		uint32_t minutes;
		bool ok = duration_parse_minutes(v, &minutes);
		r->max_start_delay = ok ? minutes * 60 : 0;
		return ok || REFUSE(d->error, "scontrol: error: Invalid MaxStartDelay %s.  No reservation created.", v);
	}
	if (key_is(key, n, "comment") || key_is(key, n, "burstbuffer") || key_is(key, n, "watts"))
		return true;
	return REFUSE(d->error, "Update of this parameter is not supported: %s=%s", key, v);
}

/* ---- time ---- */

static bool settle_times(struct draft *d)
{
	struct reservation *r = d->r;
	sec_t length = r->end - r->start;
	if (d->create && !d->has_start)
		return REFUSE(d->error, "scontrol: error: A start time must be given.  No reservation created.");
	if (d->create && !d->has_end && d->minutes == NO_VAL)
		return REFUSE(d->error,
		              "scontrol: error: An end time or duration must be given.  No reservation created.");
	if (d->has_start)
		r->start = d->start;
	if (d->has_end)
		r->end = d->end;
	else if (d->minutes != NO_VAL)
		r->end = r->start + job_limit_seconds(d->minutes);
	else if (d->has_start)
		r->end = r->start + length;
	if (r->flags & RESV_FLAG(TIME_FLOAT))
		r->float_by = d->has_start ? r->start - d->c->now_s : r->float_by;
	if (r->end <= r->start || r->end <= d->c->now_s || (d->has_start && r->start < d->c->now_s - MAX_PAST))
		return REFUSE(d->error, "Error creating the reservation: Invalid time specified");
	return true;
}

static bool may_be_used(struct draft *d)
{
	const struct reservation *r = d->r;
	if (r->users.names || r->accounts.names || r->qos.names || r->partitions.names)
		return true;
	return REFUSE(
	    d->error,
	    "scontrol: error: Either Users/Groups, AllowedPartitions, QOS and/or Accounts must be specified.  "
	    "No reservation created.");
}

/* ---- nodes (C64) ---- */

static bool shares_nodes(const struct reservation *r)
{
	return r->flags & (RESV_FLAG(MAINT) | RESV_FLAG(OVERLAP));
}

/* Cores of NODE that another reservation, or a job beyond the start, has: OUT gets them. Whole-node ones have all. */
static void cores_in_use(const struct draft *d, uint32_t node, struct bitset *out)
{
	const struct controller *c = d->c;
	bitset_clear_all(out);
	for (guint i = 0; i < c->resvs->len && !shares_nodes(d->r); i++) {
		const struct reservation *s = c->resvs->pdata[i];
		if (strcmp(s->name, d->r->name) == 0 || !bitset_test(s->nodes, node) || !resv_times_meet(c, d->r, s))
			continue;
		if (!s->cores)
			bitset_set_all(out);
		for (uint32_t k = 0; s->cores && k < s->cores->n; k++)
			for (uint32_t w = 0; s->cores->node[k].node == node && w < out->nwords; w++)
				out->word[w] |= s->cores->words[s->cores->node[k].core_word + w];
	}
	for (const struct job *j = c->running.head; j && !(d->r->flags & RESV_FLAG(IGNORE_JOBS)); j = j->next) {
		if (j->end <= d->r->start || !bitset_test(j->nodes, node))
			continue;
		for (uint32_t k = 0; k < j->alloc->n; k++)
			for (uint32_t w = 0; j->alloc->node[k].node == node && w < out->nwords; w++)
				out->word[w] |= j->alloc->words[j->alloc->node[k].core_word + w];
	}
}

static uint32_t free_cores(const struct draft *d, uint32_t node)
{
	uint32_t n = d->c->cl->node[node]->config->cores;
	struct bitset *used = bitset_new(n);
	cores_in_use(d, node, used);
	n -= bitset_count(used);
	bitset_free(used);
	return n;
}

static bool node_free(const struct draft *d, uint32_t node)
{
	return free_cores(d, node) == d->c->cl->node[node]->config->cores;
}

static gint by_weight(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct draft *d = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct node_config *p = d->c->cl->node[x]->config, *q = d->c->cl->node[y]->config;
	bool i = bitset_test(d->c->use->idle, x), k = bitset_test(d->c->use->idle, y);
	if (p->weight != q->weight)
		return p->weight < q->weight ? -1 : 1;
	if (i != k)
		return i ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Nodes that a reservation by count may take, the best first. */
static GArray *candidates(const struct draft *d)
{
	const struct cluster *cl = d->c->cl;
	const struct partition *p = d->r->part ? d->r->part : cl->default_partition;
	GArray *list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < cl->n_nodes; i++) {
		if ((p && !bitset_test(p->nodes, i)) || !node_available(cl->node[i]))
			continue;
		if (d->r->features && !features_text_allows(cl, d->r->features, cl->node[i]->config))
			continue;
		g_array_append_val(list, i);
	}
	if (list->len > 1)
		g_qsort_with_data(list->data, (gint)list->len, sizeof(uint32_t), by_weight, (gpointer)d);
	return list;
}

/* Hold WANT cores of NODE, the lowest free ones. */
static void hold_cores(const struct draft *d, uint32_t node, uint32_t want, GArray *words, GArray *nodes)
{
	uint32_t n_cores = d->c->cl->node[node]->config->cores;
	struct bitset *used = bitset_new(n_cores), *mine = bitset_new(n_cores);
	cores_in_use(d, node, used);
	for (int64_t i = bitset_next_clear(used, 0); i >= 0 && want;
	     i = bitset_next_clear(used, (uint32_t)i + 1), want--)
		bitset_set(mine, (uint32_t)i);
	struct alloc_node an = {.node = node, .cores = (uint16_t)bitset_count(mine), .core_word = words->len};
	g_array_append_vals(words, mine->word, mine->nwords);
	g_array_append_val(nodes, an);
	bitset_free(used);
	bitset_free(mine);
}

static int node_cmp(gconstpointer a, gconstpointer b)
{
	const struct alloc_node *x = a, *y = b;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void keep_cores(struct draft *d, GArray *words, GArray *nodes)
{
	struct job_alloc *a = g_new0(struct job_alloc, 1);
	g_array_sort(nodes, node_cmp);
	a->n = nodes->len;
	a->words = (uint64_t *)(void *)g_array_free(words, FALSE);
	a->node = (struct alloc_node *)(void *)g_array_free(nodes, FALSE);
	d->r->cores = a;
}

/* CoreCnt: with nodes chosen already, a number for each (one number: spread over all); else as many nodes as needed. */
static bool choose_cores(struct draft *d, GArray *list)
{
	GArray *words = g_array_new(FALSE, TRUE, sizeof(uint64_t)),
	       *nodes = g_array_new(FALSE, TRUE, sizeof(struct alloc_node));
	uint32_t total = 0, left, share = 0;
	for (guint i = 0; i < d->cores->len; i++)
		total += g_array_index(d->cores, uint32_t, i);
	left = total;
	guint spread = d->has_nodes ? list->len : d->node_cnt;
	if (spread)
		share = (total + spread - 1) / spread;
	bitset_clear_all(d->r->nodes);
	for (guint i = 0; i < list->len && left; i++) {
		uint32_t node = g_array_index(list, uint32_t, i), free = free_cores(d, node);
		uint32_t want = share ? MIN(share, left) : MIN(left, free);
		if (d->has_nodes && d->cores->len > 1)
			want = i < d->cores->len ? g_array_index(d->cores, uint32_t, i) : 0;
		if (!want || want > free)
			continue;
		hold_cores(d, node, want, words, nodes);
		bitset_set(d->r->nodes, node);
		left -= MIN(left, want);
	}
	keep_cores(d, words, nodes);
	d->r->core_cnt = total;
	return left == 0 || REFUSE(d->error, BUSY_TEXT);
}

static bool choose_by_count(struct draft *d)
{
	g_autoptr(GArray) list = candidates(d);
	d->r->by_count = true;
	if (d->cores->len)
		return choose_cores(d, list);
	uint32_t left = d->node_cnt;
	for (guint i = 0; i < list->len && left; i++) {
		uint32_t node = g_array_index(list, uint32_t, i);
		if (!node_free(d, node))
			continue;
		bitset_set(d->r->nodes, node);
		left--;
	}
	return left == 0 ||
	       REFUSE(d->error, BUSY_TEXT
	              "\nNote, unless nodes are directly requested a reservation must exist in a single partition.\n"
	              "If no partition is requested the default partition is assumed.");
}

static bool named_nodes(struct draft *d)
{
	struct reservation *r = d->r;
	const char *text = d->nodes_text;
	if (!text || g_ascii_strcasecmp(text, "all") == 0) {
		const struct partition *p = r->part;
		r->flags |= RESV_FLAG(SPEC_NODES) | (p ? RESV_FLAG(PART_NODES) : RESV_FLAG(ALL_NODES));
		if (p)
			bitset_assign(r->nodes, p->nodes);
		else
			bitset_set_all(r->nodes);
		return true;
	}
	struct bitset *set = cluster_parse_nodes(d->c->cl, text, NULL);
	if (!set)
		return REFUSE(d->error, "Error creating the reservation: Invalid node name specified");
	r->flags = (r->flags & ~(RESV_FLAG(PART_NODES) | RESV_FLAG(ALL_NODES))) | RESV_FLAG(SPEC_NODES);
	bitset_free(r->nodes);
	r->nodes = set;
	return true;
}

static bool check_named(struct draft *d)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	int64_t i;
	for (BITSET_EACH(i, d->r->nodes)) {
		uint32_t node = (uint32_t)i;
		if (!d->cores->len && !node_free(d, node))
			return REFUSE(d->error, BUSY_TEXT);
		g_array_append_val(list, node);
	}
	return !d->cores->len || choose_cores(d, list);
}

static bool settle_nodes(struct draft *d)
{
	struct reservation *r = d->r;
	bool by_count = d->node_cnt || d->cores->len;
	bool change = d->create || d->has_nodes || by_count;
	if (r->flags & RESV_FLAG(PART_NODES) &&
	    (!r->part || (d->nodes_text && g_ascii_strcasecmp(d->nodes_text, "all") != 0)))
		return REFUSE(d->error, "Error creating the reservation: PART_NODES needs a partition and nodes=ALL");
	if (!change)
		return true;
	job_alloc_free(r->cores);
	r->cores = NULL;
	bitset_clear_all(r->nodes);
	if (!d->has_nodes && by_count) {
		if (!choose_by_count(d))
			return false;
	} else if (d->has_nodes || r->part) {
		if (!named_nodes(d) || !check_named(d))
			return false;
	} else if (r->licenses) {
		r->flags |= RESV_FLAG(ANY_NODES);
	} else {
		return REFUSE(
		    d->error,
		    "Error creating the reservation: Nodes, NodeCnt, CoreCnt, PartitionName or Licenses must be given");
	}
	int64_t i;
	if (!r->cores) {
		r->core_cnt = 0;
		for (BITSET_EACH(i, r->nodes))
			r->core_cnt += d->c->cl->node[i]->config->cores;
	}
	return true;
}

/* ---- the commands ---- */

static char **copy_names(char **names)
{
	return names ? g_strdupv(names) : NULL;
}

static struct reservation *copy(const struct controller *c, const struct reservation *r)
{
	struct reservation *n = g_new(struct reservation, 1);
	*n = *r;
	n->name = g_strdup(r->name);
	n->nodes = bitset_copy(r->nodes);
	n->cores = NULL;
	n->users.names = copy_names(r->users.names);
	n->accounts.names = copy_names(r->accounts.names);
	n->qos.names = copy_names(r->qos.names);
	n->partitions.names = copy_names(r->partitions.names);
	n->features = g_strdup(r->features);
	n->licenses = r->licenses ? g_memdup2(r->licenses, (license_kinds(c->cl) + 1) * sizeof *r->licenses) : NULL;
	n->licenses_text = g_strdup(r->licenses_text);
	return n;
}

static bool settle(struct draft *d, const struct resv_setting *set, uint32_t n)
{
	bool ok = true;
	d->cores = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < n && ok; i++)
		ok = set_one(d, set[i].key, set[i].value);
	ok = ok && settle_times(d) && may_be_used(d) && settle_nodes(d);
	g_array_unref(d->cores);
	return ok;
}

static void changed(struct controller *c)
{
	c->resv_changes++;
	resv_turns_passed(c);
	for (guint i = 0; i < c->resvs->len; i++) {
		struct reservation *r = c->resvs->pdata[i];
		r->flagged = resv_active_at(r, c->now_s);
	}
	resv_set_node_flags(c);
	c->counter++;
	c->config_version++;
	ctl_touch(c);
}

/* As Slurm names one without a name: first user or account, and its number. */
static char *make_name(const struct reservation *r)
{
	const char *who = r->users.names && *r->users.names         ? *r->users.names
	                  : r->accounts.names && *r->accounts.names ? *r->accounts.names
	                                                            : "resv";
	return g_strdup_printf("%s_%u", who, r->id);
}

bool controller_create_reservation(struct controller *c, const struct resv_setting *set, uint32_t n, usec_t now,
                                   char **name, GError **error)
{
	ctl_enter(c, now);
	struct reservation *r = g_new0(struct reservation, 1);
	r->nodes = bitset_new(c->cl->n_nodes);
	r->name = g_strdup(name && *name ? *name : "");
	r->purge_after = 300;
	struct draft d = {.c = c, .r = r, .create = true, .minutes = NO_VAL, .error = error};
	bool known = *r->name && resv_find(c, r->name);
	if (known || !settle(&d, set, n)) {
		resv_free(r);
		return known ? REFUSE(error, "Error creating the reservation: Reservation %s exists", *name) : false;
	}
	r->id = c->next_resv_id++;
	if (!*r->name) {
		g_free(r->name);
		r->name = make_name(r);
		if (name)
			*name = g_strdup(r->name);
	}
	g_ptr_array_add(c->resvs, r);
	changed(c);
	return true;
}

/* C65: pending jobs that may no longer use R are held. */
static void hold_excluded(struct controller *c, const struct reservation *r)
{
	for (struct job *j = c->pending.head; j; j = j->next) {
		bool names = false;
		for (uint32_t i = 0; i < j->n_resvs; i++)
			names = names || j->resvs[i] == r;
		if (!names || resv_access(c, r, j))
			continue;
		j->priority = 0;
		struct blocker b = blocker_resv(r, RESV_NO_ACCESS);
		job_blocked(c, j, REASON_RESERVATION_DELETED, NULL, &b);
	}
}

bool controller_update_reservation(struct controller *c, const char *name, const struct resv_setting *set, uint32_t n,
                                   usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct reservation *r = resv_find(c, name);
	if (!r)
		return REFUSE(error, "slurm_update error: Requested reservation is invalid");
	struct reservation *fresh = copy(c, r);
	struct draft d = {.c = c, .r = fresh, .minutes = NO_VAL, .error = error};
	bool ok = settle(&d, set, n);
	if (ok) {
		if (!d.has_nodes && !d.node_cnt && !fresh->cores) { /* kept as they were */
			fresh->cores = r->cores;
			r->cores = NULL;
		}
		struct reservation old = *r;
		*r = *fresh;
		*fresh = old;
	}
	resv_free(fresh);
	if (!ok)
		return false;
	hold_excluded(c, r);
	changed(c);
	return true;
}

bool controller_delete_reservation(struct controller *c, const char *name, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct reservation *r = resv_find(c, name);
	if (!r)
		return REFUSE(error, "delete_reservation reservation: Requested reservation is invalid");
	if (r->running)
		return REFUSE(error, "delete_reservation reservation: Requested reservation is in use");
	resv_remove(c, r);
	changed(c);
	return true;
}
