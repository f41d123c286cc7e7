/* shown.c - see shown.h: records of partitions and nodes, and the order of things. */
#include "models/shown_read.h"
#include <stdlib.h>
#include <string.h>

static void part_free(void *data)
{
	struct shown_part *p = data;

	g_free(p->name);
	g_free(p->nodes);
	g_free(p->gpu_type);
	g_ref_string_release((char *)p->file);
	g_free(p);
}

static void string_free(void *data)
{
	g_string_free(data, TRUE);
}

struct shown *shown_new(conf_line_fn fn, void *data, struct diag *d)
{
	struct shown *s = g_new0(struct shown, 1);

	s->fn = fn;
	s->data = data;
	s->d = d;
	s->parts = g_ptr_array_new_with_free_func(part_free);
	s->described = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	s->part_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->sinfo_parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, string_free);
	s->gres_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->tres_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->sinfo_default = g_string_new(NULL);
	return s;
}

/* ---- lines ---- */

struct conf_line *shown_line(const char *file, guint line)
{
	struct conf_line *l = g_new0(struct conf_line, 1);

	l->file = g_ref_string_new(file);
	l->line = line;
	return l;
}

void shown_pair(struct conf_line *l, const char *key, const char *value)
{
	l->pair = g_renew(struct conf_pair, l->pair, l->n_pairs + 1);
	l->pair[l->n_pairs++] = (struct conf_pair){.key = g_strdup(key),
	                                           .value = g_strdup(value),
	                                           .file = l->file,
	                                           .line = l->line,
	                                           .column = 1,
	                                           .value_line = l->line,
	                                           .value_column = 1};
}

void shown_deliver(struct shown *s, struct conf_line *l)
{
	if (l->n_pairs)
		s->fn(l, s->data);
	else
		conf_line_free(l);
}

bool shown_unset(const char *value)
{
	static const char *const words[] = {"", "(null)", "N/A", "NONE", "(null type)", "none", "None"};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strcmp(words[i], value) == 0)
			return true;
	return false;
}

/* ---- records ---- */

static bool is_key(const char *word, gsize n, const char *const *keys)
{
	for (; *keys; keys++)
		if (strlen(*keys) == n && g_ascii_strncasecmp(*keys, word, n) == 0)
			return true;
	return false;
}

struct record {
	GArray *pairs; /* of struct conf_pair, owned texts */
	const char *file;
	shown_record_fn fn;
	void *data;
};

static void pair_clear(void *data)
{
	struct conf_pair *p = data;

	g_free(p->key);
	g_free(p->value);
}

static void record_end(struct record *r)
{
	if (r->pairs->len)
		r->fn((const struct conf_pair *)(void *)r->pairs->data, r->pairs->len, r->data);
	g_array_set_size(r->pairs, 0);
}

static void take_word(struct record *r, const char *first, const char *const *keys, const char *word, gsize n,
                      guint line, guint column)
{
	const char *equals = memchr(word, '=', n);
	gsize key = equals ? (gsize)(equals - word) : 0;

	if (key && strlen(first) == key && g_ascii_strncasecmp(word, first, key) == 0)
		record_end(r);
	if (key && is_key(word, key, keys) && r->pairs->len < CONFLEX_PAIRS_MAX) {
		struct conf_pair p = {.key = g_strndup(word, key),
		                      .value = g_strndup(equals + 1, n - key - 1),
		                      .file = r->file,
		                      .line = line,
		                      .column = column,
		                      .value_line = line,
		                      .value_column = column + (guint)key + 1};

		g_array_append_val(r->pairs, p);
	} else if (r->pairs->len) {
		struct conf_pair *last = &g_array_index(r->pairs, struct conf_pair, r->pairs->len - 1);
		char *more = g_strdup_printf("%s %.*s", last->value, (int)n, word);

		if (strlen(more) > 4096)
			more[4096] = '\0';
		g_free(last->value);
		last->value = more;
	}
}

void shown_records(const char *text, const char *name, const char *first, const char *const *keys, shown_record_fn fn,
                   void *data)
{
	struct record r = {
	    .pairs = g_array_new(FALSE, FALSE, sizeof(struct conf_pair)), .file = name, .fn = fn, .data = data};
	guint line = 1;
	const char *begin = text;

	g_array_set_clear_func(r.pairs, pair_clear);
	for (const char *p = text; *p;) {
		gsize n = strcspn(p, " \t\r\n");

		if (n)
			take_word(&r, first, keys, p, n, line, (guint)(p - begin) + 1);
		p += n;
		if (*p == '\n') {
			line++;
			begin = p + 1;
		}
		p += *p != '\0';
	}
	record_end(&r);
	g_array_unref(r.pairs);
}

static const char *value_of(const struct conf_pair *pair, guint n, const char *key)
{
	for (guint i = 0; i < n; i++)
		if (g_ascii_strcasecmp(pair[i].key, key) == 0)
			return pair[i].value;
	return "";
}

static guint64 number_of(const struct conf_pair *pair, guint n, const char *key)
{
	return g_ascii_strtoull(value_of(pair, n, key), NULL, 10);
}

/* ---- partitions ---- */

static const char *const part_words[] = {"PartitionName",
                                         "AllowGroups",
                                         "AllowAccounts",
                                         "AllowQos",
                                         "AllocNodes",
                                         "Default",
                                         "QoS",
                                         "DefaultTime",
                                         "DisableRootJobs",
                                         "Exclusive",
                                         "ExclusiveUser",
                                         "ExclusiveTopo",
                                         "GraceTime",
                                         "Hidden",
                                         "MaxNodes",
                                         "MaxTime",
                                         "MinNodes",
                                         "LLN",
                                         "MaxCPUsPerNode",
                                         "MaxCPUsPerSocket",
                                         "NodeSets",
                                         "Nodes",
                                         "PriorityJobFactor",
                                         "PriorityTier",
                                         "RootOnly",
                                         "ReqResv",
                                         "OverSubscribe",
                                         "OverTimeLimit",
                                         "PreemptMode",
                                         "State",
                                         "TotalCPUs",
                                         "TotalNodes",
                                         "SelectTypeParameters",
                                         "JobDefaults",
                                         "DefMemPerNode",
                                         "DefMemPerCPU",
                                         "MaxMemPerNode",
                                         "MaxMemPerCPU",
                                         "TRES",
                                         "TRESBillingWeights",
                                         "Alternate",
                                         "DenyAccounts",
                                         "DenyQos",
                                         "ResumeTimeout",
                                         "SuspendTimeout",
                                         "SuspendTime",
                                         "PowerDownOnIdle",
                                         "CpuBind",
                                         "Topology",
                                         "DefCpuPerGPU",
                                         "DefMemPerGPU",
                                         NULL};

/* Of these, those that are not copied as they are, when set. */
static const char *const part_own[] = {
    "PartitionName", "NodeSets", "PreemptMode", "TotalCPUs", "TotalNodes", "JobDefaults", "TRES",
    "ResumeTimeout", "SuspendTimeout", "SuspendTime", "PowerDownOnIdle", "CpuBind", "DefCpuPerGPU",
    "DefMemPerGPU", NULL};

/* "cpu=128,mem=1000G,node=4,gres/gpu:h100=16": what the nodes hold together. */
static void read_totals(struct shown *all, struct shown_part *p, const char *tres)
{
	char **list = g_strsplit(tres, ",", -1);

	for (char **s = list; *s; s++) {
		char *end, *value = strchr(*s, '=');

		if (!value)
			continue;
		*value++ = '\0';
		if (g_str_has_prefix(*s, "gres/") || g_str_has_prefix(*s, "license/"))
			g_hash_table_add(all->tres_names, g_strdup(*s));
		guint64 v = g_ascii_strtoull(value, &end, 10);
		guint64 unit = strcmp(*s, "mem") ? 1
		               : *end == 'G'     ? 1024
		               : *end == 'T'     ? 1 << 20
		               : *end == 'P'     ? 1 << 30
		                                 : 1;

		if (*end == '.') /* "112.50T" */
			v = (guint64)(g_ascii_strtod(value, &end) * (*end == 'T'   ? 1 << 20
			                                             : *end == 'G' ? 1024
			                                                           : 1)),
			unit = 1;
		if (v > G_MAXUINT64 / unit / 4)
			v = 0;
		if (strcmp(*s, "cpu") == 0)
			p->cpus = v;
		else if (strcmp(*s, "mem") == 0)
			p->mem = v * unit;
		else if (strcmp(*s, "gres/gpu") == 0)
			p->gpus = v;
		else if (g_str_has_prefix(*s, "gres/gpu:") && !p->gpu_type)
			p->gpu_type = g_strdup(*s + 9);
	}
	g_strfreev(list);
}

static bool worth_copying(const char *key, const char *value)
{
	bool all = strcmp(value, "ALL") == 0 && g_str_has_prefix(key, "All");
	bool memory = strstr(key, "Mem") && strcmp(value, "UNLIMITED") == 0;

	return !all && !memory && !shown_unset(value);
}

static void copy_preempt_mode(struct conf_line *l, const char *value)
{
	char **words = g_strsplit(value, ",", -1);
	GString *kept = g_string_new(NULL);

	for (char **s = words; *s; s++) /* GANG is the cluster's */
		if (**s && strcmp(*s, "GANG"))
			g_string_append_printf(kept, "%s%s", kept->len ? "," : "", *s);
	if (kept->len && !shown_unset(value))
		shown_pair(l, "PreemptMode", kept->str);
	g_string_free(kept, TRUE);
	g_strfreev(words);
}

static void copy_job_defaults(struct conf_line *l, const char *value)
{
	char **list = g_strsplit(value, ",", -1);

	for (char **s = list; *s; s++) {
		char *equals = strchr(*s, '=');

		if (equals && g_str_has_prefix(*s, "Def")) {
			*equals = '\0';
			shown_pair(l, *s, equals + 1);
		}
	}
	g_strfreev(list);
}

static void take_partition(const struct conf_pair *pair, guint n, void *data)
{
	struct shown *s = data;
	struct conf_line *l = shown_line(pair->file, pair->line);
	struct shown_part *p;

	shown_pair(l, "PartitionName", pair->value);
	for (const char *const *k = part_words; *k; k++)
		for (guint i = 1; i < n && !g_strv_contains(part_own, *k); i++)
			if (g_ascii_strcasecmp(pair[i].key, *k) == 0 && worth_copying(*k, pair[i].value))
				shown_pair(l, *k, pair[i].value);
	copy_preempt_mode(l, value_of(pair, n, "PreemptMode"));
	copy_job_defaults(l, value_of(pair, n, "JobDefaults"));
	p = g_new0(struct shown_part, 1);
	p->name = g_strdup(pair->value);
	p->nodes = g_strdup(shown_unset(value_of(pair, n, "Nodes")) ? "" : value_of(pair, n, "Nodes"));
	p->file = g_ref_string_new(pair->file);
	p->line = pair->line;
	p->n_nodes = number_of(pair, n, "TotalNodes");
	read_totals(s, p, value_of(pair, n, "TRES"));
	if (!p->cpus)
		p->cpus = number_of(pair, n, "TotalCPUs");
	g_ptr_array_add(s->parts, p);
	g_hash_table_add(s->part_names, g_strdup(pair->value));
	s->any_partition = true;
	shown_deliver(s, l);
}

/* ---- nodes ---- */

static const char *const node_words[] = {"NodeName",
                                         "Arch",
                                         "CoresPerSocket",
                                         "CPUAlloc",
                                         "CPUEfctv",
                                         "CPUErr",
                                         "CPUTot",
                                         "CPULoad",
                                         "AvailableFeatures",
                                         "ActiveFeatures",
                                         "Gres",
                                         "GresDrain",
                                         "GresUsed",
                                         "NodeAddr",
                                         "NodeHostName",
                                         "Port",
                                         "Version",
                                         "OS",
                                         "RealMemory",
                                         "AllocMem",
                                         "FreeMem",
                                         "Sockets",
                                         "Boards",
                                         "CoreSpecCount",
                                         "CPUSpecList",
                                         "MemSpecLimit",
                                         "State",
                                         "ThreadsPerCore",
                                         "TmpDisk",
                                         "Weight",
                                         "Owner",
                                         "MCS_label",
                                         "Partitions",
                                         "BootTime",
                                         "SlurmdStartTime",
                                         "LastBusyTime",
                                         "ResumeAfterTime",
                                         "SuspendTime",
                                         "CfgTRES",
                                         "AllocTRES",
                                         "CapWatts",
                                         "CurrentWatts",
                                         "AveWatts",
                                         "ExtSensorsJoules",
                                         "ExtSensorsWatts",
                                         "ExtSensorsTemp",
                                         "Reason",
                                         "Comment",
                                         "Extra",
                                         "ReservationName",
                                         "NextState",
                                         "InstanceId",
                                         "InstanceType",
                                         "RestrictedCoresPerGPU",
                                         "ResCoresPerGPU",
                                         "Topology",
                                         "CpuBind",
                                         "BcastAddr",
                                         "GpuSpec",
                                         NULL};

char *shown_gres(struct shown *s, const char *text)
{
	GString *plain = g_string_new(NULL);
	int depth = 0;

	for (const char *p = text; *p; p++) {
		depth += *p == '(';
		if (!depth)
			g_string_append_c(plain, *p);
		depth -= *p == ')' && depth;
	}
	char **list = g_strsplit(plain->str, ",", -1);
	for (char **e = list; *e; e++) {
		char **part = g_strsplit(*e, ":", -1);
		guint n = g_strv_length(part);

		if (n && *part[0])
			g_hash_table_add(s->gres_names, g_strdup(part[0]));
		guint64 count = n > 1 ? g_ascii_strtoull(part[n - 1], NULL, 10) : 0;
		if (n > 1 && strcmp(part[0], "gpu") == 0 && count > s->gpus_of_node && count <= 1024) {
			s->gpus_of_node = count;
			g_free(s->gpu_type);
			s->gpu_type = n > 2 ? g_strdup(part[1]) : NULL;
		}
		g_strfreev(part);
	}
	g_strfreev(list);
	return g_string_free(plain, FALSE);
}

/* GPUs in "gpu:h100:8,shard:4". */
static guint64 gpus_in(const char *gres)
{
	char **list = g_strsplit(gres, ",", -1);
	guint64 sum = 0;

	for (char **e = list; *e; e++) {
		const char *last = strrchr(*e, ':');

		if (g_str_has_prefix(*e, "gpu"))
			sum += last ? MIN(g_ascii_strtoull(last + 1, NULL, 10), 65536) : 1;
	}
	g_strfreev(list);
	return sum;
}

/* DOWN, DRAIN, FAIL and FUTURE are states to start with; everything else comes from jobs and reservations. */
char *shown_state(const char *text)
{
	static const struct {
		const char *word, *state;
	} words[] = {{"down", "DOWN"},     {"drain", "DRAIN"}, {"drained", "DRAIN"}, {"draining", "DRAIN"},
	             {"drng", "DRAIN"},    {"fail", "FAIL"},   {"failing", "FAIL"},  {"failg", "FAIL"},
	             {"future", "FUTURE"}, {"futr", "FUTURE"}, {"cloud", "CLOUD"},   {"powered_down", NULL}};
	char **list = g_strsplit_set(text, "+,", -1);
	GString *out = g_string_new(NULL);

	for (char **s = list; *s; s++) {
		char *word = g_ascii_strdown(*s, -1);

		word[strspn(word, "abcdefghijklmnopqrstuvwxyz_")] = '\0'; /* "down*", "drained$" */
		for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
			if (strcmp(words[i].word, word) == 0 && words[i].state && !strstr(out->str, words[i].state))
				g_string_append_printf(out, "%s%s", out->len ? "+" : "", words[i].state);
		g_free(word);
	}
	g_strfreev(list);
	if (!out->len)
		return g_string_free(out, TRUE), NULL;
	return g_string_free(out, FALSE);
}

void shown_guess_shape(struct conf_line *l, guint64 cpus)
{
	guint64 sockets = cpus % 2 == 0 && cpus > 2 ? 2 : 1;
	char text[24];

	if (cpus == 0 || cpus > 65533)
		return;
	g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, cpus);
	shown_pair(l, "CPUs", text);
	g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, sockets);
	shown_pair(l, "Sockets", text);
	g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, cpus / sockets);
	shown_pair(l, "CoresPerSocket", text);
}

/* "replace it [root@2026-11-29T16:57:51]" without who and when. */
static void copy_reason(struct conf_line *l, const char *value)
{
	const char *who = strrchr(value, '[');
	gsize n = who && who > value && strchr(who, '@') ? (gsize)(who - value) : strlen(value);
	char *text = g_strstrip(g_strndup(value, n));

	if (*text)
		shown_pair(l, "Reason", text);
	g_free(text);
}

void shown_node(const struct conf_pair *pair, guint n, void *data)
{
	static const struct {
		const char *shown, *conf;
	} copied[] = {{"CPUTot", "CPUs"},
	              {"Sockets", "Sockets"},
	              {"CoresPerSocket", "CoresPerSocket"},
	              {"ThreadsPerCore", "ThreadsPerCore"},
	              {"RealMemory", "RealMemory"},
	              {"TmpDisk", "TmpDisk"},
	              {"Weight", "Weight"},
	              {"AvailableFeatures", "Features"},
	              {"CoreSpecCount", "CoreSpecCount"},
	              {"MemSpecLimit", "MemSpecLimit"},
	              {"RestrictedCoresPerGPU", "RestrictedCoresPerGPU"}};
	struct shown *s = data;
	struct shown_shape *shape;

	if (!*pair->value || g_hash_table_size(s->described) >= SHOWN_NODES_MAX ||
	    g_hash_table_contains(s->described, pair->value)) /* a node may be shown twice, by several outputs */
		return;
	shape = g_new0(struct shown_shape, 1);
	shape->cpus = number_of(pair, n, "CPUTot");
	shape->mem = number_of(pair, n, "RealMemory");
	g_hash_table_insert(s->described, g_strdup(pair->value), shape);
	struct conf_line *l = shown_line(pair->file, pair->line);
	shown_pair(l, "NodeName", pair->value);
	if (shape->cpus && !*value_of(pair, n, "Sockets"))
		shown_guess_shape(l, shape->cpus);
	for (gsize i = *value_of(pair, n, "Sockets") ? 0 : 1; i < G_N_ELEMENTS(copied); i++)
		if (!shown_unset(value_of(pair, n, copied[i].shown)))
			shown_pair(l, copied[i].conf, value_of(pair, n, copied[i].shown));
	if (!*value_of(pair, n, "CoreSpecCount") && !shown_unset(value_of(pair, n, "CPUSpecList")))
		shown_pair(l, "CpuSpecList", value_of(pair, n, "CPUSpecList"));
	if (!shown_unset(value_of(pair, n, "Gres"))) {
		char *gres = shown_gres(s, value_of(pair, n, "Gres"));

		shown_pair(l, "Gres", gres);
		shape->gpus = gpus_in(gres);
		g_free(gres);
	}
	char *state = shown_state(value_of(pair, n, "State"));
	if (state) {
		shown_pair(l, "State", state);
		copy_reason(l, value_of(pair, n, "Reason"));
	}
	g_free(state);
	shown_deliver(s, l);
}

/* ---- all together ---- */

void shown_take(struct shown *s, const char *text, const char *name, enum site_kind kind)
{
	switch (kind) {
	case SITE_SHOW_CONFIG:
		shown_config(s, text, name);
		break;
	case SITE_SHOW_PARTITION:
		shown_records(text, name, "PartitionName", part_words, take_partition, s);
		break;
	case SITE_SHOW_NODE:
		shown_records(text, name, "NodeName", node_words, shown_node, s);
		break;
	case SITE_SINFO:
		shown_sinfo(s, text, name);
		break;
	case SITE_SINFO_JSON:
		shown_sinfo_json(s, text, name);
		break;
	case SITE_NODE_JSON:
		shown_node_json(s, text, name);
		break;
	default:
		break;
	}
}

/* KEY= all of SET, as if it had been given. */
static void deliver_names(struct shown *s, const char *key, GHashTable *set)
{
	struct conf_line *l = shown_line("(names that nodes and partitions show)", 0);
	GList *names = g_list_sort(g_hash_table_get_keys(set), (GCompareFunc)strcmp);
	GString *list = g_string_new(NULL);

	for (GList *i = names; i; i = i->next)
		g_string_append_printf(list, "%s%s", list->len ? "," : "", (const char *)i->data);
	if (list->len)
		shown_pair(l, key, list->str);
	g_string_free(list, TRUE);
	g_list_free(names);
	shown_deliver(s, l);
}

/* Without "scontrol show partition": the partitions that sinfo names. */
static void deliver_sinfo_partitions(struct shown *s)
{
	GList *names = g_list_sort(g_hash_table_get_keys(s->sinfo_parts), (GCompareFunc)strcmp);

	for (GList *i = names; i && !s->any_partition; i = i->next) {
		struct conf_line *l = shown_line("(partitions of sinfo)", 0);

		shown_pair(l, "PartitionName", i->data);
		shown_pair(l, "Nodes", ((const GString *)g_hash_table_lookup(s->sinfo_parts, i->data))->str);
		if (strcmp(s->sinfo_default->str, i->data) == 0)
			shown_pair(l, "Default", "YES");
		shown_deliver(s, l);
	}
	g_list_free(names);
}

void shown_finish(struct shown *s, bool gres_types, bool tres)
{
	shown_derive_nodes(s);
	deliver_sinfo_partitions(s);
	if (!gres_types)
		deliver_names(s, "GresTypes", s->gres_names);
	if (!tres)
		deliver_names(s, "AccountingStorageTRES", s->tres_names);
	g_ptr_array_unref(s->parts);
	g_hash_table_unref(s->described);
	g_hash_table_unref(s->part_names);
	g_hash_table_unref(s->sinfo_parts);
	g_hash_table_unref(s->gres_names);
	g_hash_table_unref(s->tres_names);
	g_string_free(s->sinfo_default, TRUE);
	g_free(s->gpu_type);
	g_free(s);
}
