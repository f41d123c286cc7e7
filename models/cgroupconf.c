/* cgroupconf.c - see cgroupconf.h. */
#include "models/cgroupconf.h"
#include "models/conflex.h"
#include "models/suggest.h"
#include "sched/base/memsize.h"
#include <math.h>
#include <string.h>

enum type { BOOL, PERCENT, MEBIBYTES, NUMBER, TEXT, OBSOLETE };

#define AT(field) G_STRUCT_OFFSET(struct cgroup_conf, field)
static const struct cgroup_key {
	const char *name;
	enum type type;
	glong offset;      /* in struct cgroup_conf; 0 = only kept as text */
	const char *shown; /* by scontrol, when not given; NULL = not shown */
} keys[] = {{"AllowedRAMSpace", PERCENT, AT(allowed_ram), "100.0%"},
            {"AllowedSwapSpace", PERCENT, AT(allowed_swap), "0.0%"},
            {"CgroupMountpoint", TEXT, 0, "/sys/fs/cgroup"},
            {"CgroupPlugin", TEXT, 0, "autodetect"},
            {"CgroupSlice", TEXT, 0, NULL},
            {"ConstrainCores", BOOL, 0, "no"},
            {"ConstrainDevices", BOOL, 0, "no"},
            {"ConstrainRAMSpace", BOOL, AT(constrain_ram), "no"},
            {"ConstrainSwapSpace", BOOL, AT(constrain_swap), "no"},
            {"EnableControllers", BOOL, 0, "no"},
            {"EnableExtraControllers", TEXT, 0, NULL},
            {"IgnoreSystemd", BOOL, 0, "no"},
            {"IgnoreSystemdOnFailure", BOOL, 0, "no"},
            {"MaxRAMPercent", PERCENT, AT(max_ram), "100.0%"},
            {"MaxSwapPercent", PERCENT, AT(max_swap), "100.0%"},
            {"MemorySwappiness", NUMBER, 0, "(null)"},
            {"MinRAMSpace", MEBIBYTES, AT(min_ram), "30 MB"},
            {"SignalChildrenProcesses", BOOL, 0, NULL},
            {"SystemdTimeout", NUMBER, 0, NULL},
            {"AllowedDevicesFile", OBSOLETE, 0, NULL},
            {"AllowedKmemSpace", OBSOLETE, 0, NULL},
            {"CgroupAutomount", OBSOLETE, 0, NULL},
            {"CgroupReleaseAgentDir", OBSOLETE, 0, NULL},
            {"ConstrainKmemSpace", OBSOLETE, 0, NULL},
            {"MaxKmemPercent", OBSOLETE, 0, NULL},
            {"MinKmemSpace", OBSOLETE, 0, NULL},
            {"TaskAffinity", OBSOLETE, 0, NULL}};

struct cgroup_conf *cgroup_conf_new(void)
{
	struct cgroup_conf *c = g_new0(struct cgroup_conf, 1);

	c->allowed_ram = c->max_ram = c->max_swap = 100;
	c->min_ram = 30;
	c->text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return c;
}

void cgroup_conf_free(struct cgroup_conf *c)
{
	if (!c)
		return;
	g_hash_table_unref(c->text);
	g_free(c);
}

struct reading {
	struct cgroup_conf *c;
	struct diag *d;
	bool shown; /* an output of scontrol: units and "(null)" */
};

static const struct cgroup_key *find(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (g_ascii_strcasecmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

static void unknown(struct reading *r, const struct conf_pair *p)
{
	struct suggestion s;
	char *shown = conflex_show(p->key), *hint;

	suggest_begin(&s, p->key);
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (keys[i].type != OBSOLETE)
			suggest_offer(&s, keys[i].name);
	hint = suggest_hint(&s, "cgroup.conf knows no such parameter: remove the line");
	diag_error(r->d, p->file, p->line, p->column, hint, "unknown parameter %s", shown);
	g_free(hint);
	g_free(shown);
}

static const char *set(struct reading *r, const struct cgroup_key *k, const char *value)
{
	void *field = G_STRUCT_MEMBER_P(r->c, k->offset);
	char *end;
	double v;

	switch (k->type) {
	case BOOL: {
		bool yes = g_ascii_strcasecmp(value, "yes") == 0 || g_ascii_strcasecmp(value, "true") == 0 ||
		           strcmp(value, "1") == 0;

		if (!yes && g_ascii_strcasecmp(value, "no") != 0 && g_ascii_strcasecmp(value, "false") != 0 &&
		    strcmp(value, "0") != 0)
			return "yes or no is expected";
		if (k->offset)
			*(bool *)field = yes;
		return NULL;
	}
	case PERCENT:
		v = g_ascii_strtod(value, &end);
		if (end == value || strcmp(end, *end == '%' ? "%" : "") || !isfinite(v) || v < 0 || v > 1e6)
			return "a percentage is expected";
		*(double *)field = v;
		return NULL;
	case MEBIBYTES: {
		guint64 n;
		char *number = g_strndup(value, strspn(value, "0123456789"));
		bool good = g_ascii_string_to_unsigned(number, 10, 0, 1u << 30, &n, NULL);

		g_free(number);
		if (!good)
			return "a number of megabytes is expected";
		*(guint64 *)field = n;
		return NULL;
	}
	case NUMBER:
		return *value && strspn(value, "0123456789") == strlen(value) ? NULL : "a number is expected";
	case TEXT:
	case OBSOLETE:
		break;
	}
	return NULL;
}

static void take_pair(struct reading *r, const struct conf_pair *p)
{
	const struct cgroup_key *k = find(p->key);

	if (!k) {
		unknown(r, p);
		return;
	}
	if (k->type == OBSOLETE) {
		if (!r->shown)
			diag_warn(r->d, p->file, p->line, p->column, "remove it", "%s is obsolete and has no effect",
			          k->name);
		return;
	}
	const char *right = set(r, k, p->value);
	if (right) {
		char *shown = conflex_show(p->value);

		diag_error(r->d, p->file, p->value_line, p->value_column, right, "bad value \"%s\" of %s", shown,
		           k->name);
		g_free(shown);
		return;
	}
	g_hash_table_replace(r->c->text, g_ascii_strdown(p->key, -1), g_strdup(p->value));
}

static void take_line(struct conf_line *line, void *data)
{
	struct reading *r = data;

	for (guint i = 0; i < line->n_pairs; i++)
		take_pair(r, &line->pair[i]);
	conf_line_free(line);
}

bool cgroup_conf_read(struct cgroup_conf *c, const char *path, struct diag *d)
{
	struct reading r = {c, d, false};
	guint errors = d->n_errors;

	c->given = true;
	conflex_file(path, take_line, &r, d);
	return d->n_errors == errors;
}

/* The section of "scontrol show config". */
static void read_section(struct reading *r, const char *text, const char *name)
{
	char **lines = g_strsplit(text, "\n", -1);

	r->shown = true;
	for (guint i = 0; lines[i]; i++) {
		char *equals = strchr(lines[i], '=');
		struct conf_pair p = {.file = name, .line = i + 1, .column = 1, .value_line = i + 1, .value_column = 1};

		if (g_str_has_suffix(g_strchomp(lines[i]), "Configuration:") && i)
			break;
		if (!equals)
			continue;
		*equals = '\0';
		p.key = g_strstrip(lines[i]);
		p.value = g_strstrip(equals + 1);
		if (strcmp(p.value, "(null)") && find(p.key)) /* others are of another release */
			take_pair(r, &p);
	}
	g_strfreev(lines);
}

bool cgroup_conf_read_text(struct cgroup_conf *c, const char *text, const char *name, struct diag *d)
{
	struct reading r = {c, d, false};
	guint errors = d->n_errors;

	c->given = true;
	if (g_str_has_prefix(text, "Cgroup Support Configuration:"))
		read_section(&r, text, name);
	else
		conflex_text(text, name, take_line, &r, d);
	return d->n_errors == errors;
}

guint64 cgroup_conf_limit(const struct cgroup_conf *c, guint64 allocated, guint64 real)
{
	double limit;

	if (!c->constrain_ram)
		return G_MAXUINT64;
	limit = MIN((double)allocated * c->allowed_ram / 100, (double)real * c->max_ram / 100);
	if (c->constrain_swap)
		limit += MIN((double)allocated * c->allowed_swap / 100, (double)real * c->max_swap / 100);
	return (guint64)MAX(limit, (double)c->min_ram);
}

/* A value as scontrol prints it. g_free. */
static char *shown_value(const struct cgroup_conf *c, const struct cgroup_key *k)
{
	char *lower = g_ascii_strdown(k->name, -1);
	const char *given = g_hash_table_lookup(c->text, lower);

	g_free(lower);
	if (!given)
		return g_strdup(k->shown);
	if (k->type == PERCENT)
		return g_strdup_printf("%.1f%%", G_STRUCT_MEMBER(double, c, k->offset));
	if (k->type == MEBIBYTES)
		return g_strdup_printf("%" G_GUINT64_FORMAT " MB", G_STRUCT_MEMBER(guint64, c, k->offset));
	if (k->type == BOOL)
		return g_strdup(strchr("yYtT1", *given) ? "yes" : "no");
	return g_strdup(given);
}

char *cgroup_conf_show(const struct cgroup_conf *c)
{
	GString *out = g_string_new(NULL);

	for (gsize i = 0; c->given && i < G_N_ELEMENTS(keys); i++) {
		char *value = shown_value(c, &keys[i]);

		if (!out->len)
			g_string_append(out, "Cgroup Support Configuration:\n");
		if (value)
			g_string_append_printf(out, "%-23s = %s\n", keys[i].name, value);
		g_free(value);
	}
	return g_string_free(out, FALSE);
}
