/* scenario_json.c - see scenario_json.h: the keys of a scenario file, and where in the text they stand. */
#include "scenarios/scenario_json.h"
#include "models/conflex.h"
#include "models/suggest.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define SCENARIO_BYTES_MAX (256u << 20)

/* ---- positions ---- */

struct finder {
	const char *p; /* in a text that is known to be correct */
	const cJSON *wanted;
	const char *found;
	/* for all items under one */
	const cJSON *parent;
	json_place_fn *fn; /* NULL = one item is wanted */
	void *data;
	bool inside;
	guint line; /* of counted */
	const char *counted, *begin;
};

static void skip_blanks(struct finder *f)
{
	f->p += strspn(f->p, " \t\r\n");
}

static void skip_string(struct finder *f)
{
	f->p++;
	while (*f->p && *f->p != '"')
		f->p += f->p[0] == '\\' && f->p[1] ? 2 : 1;
	if (*f->p)
		f->p++;
}

static void find_in_value(struct finder *f, const cJSON *item);

/* Here stands CHILD: the lines up to here are counted once. */
static void tell_place(struct finder *f, const cJSON *child)
{
	for (; f->counted < f->p; f->counted++)
		if (*f->counted == '\n') {
			f->line++;
			f->begin = f->counted + 1;
		}
	f->fn(f->data, child, f->line, (guint)(f->p - f->begin) + 1);
}

static void find_in_children(struct finder *f, const cJSON *item)
{
	bool outside = f->fn && item == f->parent;

	f->inside = f->inside || outside;
	f->p++; /* the bracket */
	for (const cJSON *child = item->child; child && !f->found; child = child->next) {
		skip_blanks(f);
		if (child == f->wanted)
			f->found = f->p;
		if (f->inside)
			tell_place(f, child);
		if (cJSON_IsObject(item)) {
			skip_string(f);
			skip_blanks(f);
			f->p += *f->p == ':';
		}
		find_in_value(f, child);
		skip_blanks(f);
		f->p += *f->p == ',';
	}
	skip_blanks(f);
	f->p += *f->p == ']' || *f->p == '}';
	f->inside = f->inside && !outside;
}

/* As deep as cJSON's own limit of nesting. */
static void find_in_value(struct finder *f, const cJSON *item)
{
	skip_blanks(f);
	if (f->found)
		return;
	if (cJSON_IsObject(item) || cJSON_IsArray(item))
		find_in_children(f, item);
	else if (*f->p == '"')
		skip_string(f);
	else
		f->p += strcspn(f->p, ",]} \t\r\n");
}

static void position_of(const char *text, const char *at, guint *line, guint *column)
{
	const char *begin = text;

	*line = 1;
	for (const char *p = text; p < at; p++)
		if (*p == '\n') {
			++*line;
			begin = p + 1;
		}
	*column = (guint)(at - begin) + 1;
}

void json_text_locate(const struct json_text *t, const cJSON *item, guint *line, guint *column)
{
	struct finder f = {.p = t->text, .wanted = item};

	*line = *column = 0;
	if (!t->root)
		return;
	if (g_str_has_prefix(f.p, "\xef\xbb\xbf"))
		f.p += 3;
	skip_blanks(&f);
	if (item == t->root)
		f.found = f.p;
	find_in_value(&f, t->root);
	if (f.found)
		position_of(t->text, f.found, line, column);
}

void json_text_locate_all(const struct json_text *t, const cJSON *parent, json_place_fn *fn, void *data)
{
	struct finder f = {.p = t->text, .parent = parent, .fn = fn, .data = data, .line = 1, .counted = t->text, .begin = t->text};

	if (!t->root)
		return;
	if (g_str_has_prefix(f.p, "\xef\xbb\xbf"))
		f.p += 3;
	find_in_value(&f, t->root);
}

void json_text_error(const struct json_text *t, const cJSON *item, struct diag *diag, const char *hint,
                     const char *format, ...)
{
	guint line = 0, column = 0;
	va_list args;
	char *message;

	if (diag->n_errors < DIAG_SHOWN) /* the others are only counted */
		json_text_locate(t, item, &line, &column);
	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	diag_error(diag, t->path, line, column, hint, "%s", message);
	g_free(message);
}

/* ---- the file ---- */

static void report_syntax(const struct json_text *t, const char *at, struct diag *diag)
{
	guint line, column;
	char *shown;

	position_of(t->text, at, &line, &column);
	if (*at) {
		shown = conflex_show(at);
		diag_error(
		    diag, t->path, line, column,
		    "check for a missing or surplus comma, quote or bracket just before; comments are not allowed",
		    "no valid JSON at \"%s\"", shown);
		g_free(shown);
	} else {
		diag_error(diag, t->path, line, column, "close every bracket and quote",
		           "the JSON text ends too early");
	}
}

bool json_text_read(struct json_text *t, const char *path, struct diag *diag)
{
	GError *error = NULL;
	const char *end = NULL;

	memset(t, 0, sizeof *t);
	t->path = g_strdup(path);
	t->text = conflex_load(path, SCENARIO_BYTES_MAX, &error);
	if (!t->text) {
		diag_error(diag, NULL, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
		return false;
	}
	t->root = cJSON_ParseWithLengthOpts(t->text, strlen(t->text) + 1, &end, true);
	if (!t->root) {
		report_syntax(t, end ? end : t->text, diag);
		return false;
	}
	if (!cJSON_IsObject(t->root)) {
		json_text_error(t, t->root, diag, "write {\"schema\": \"whypend-scenario/1\", ...}",
		                "a scenario is one JSON object");
		return false;
	}
	return true;
}

void json_text_clear(struct json_text *t)
{
	g_free(t->path);
	g_free(t->text);
	cJSON_Delete(t->root);
	memset(t, 0, sizeof *t);
}

/* ---- keys ---- */

enum value_type { STRING, BOOLEAN, SECONDS, WHOLE, ARRAY, OBJECT, TIME, SCHEMA, TRACE, IGNORED };

struct json_key {
	const char *name;
	enum value_type type;
	unsigned kinds; /* enum scenario_kind bits */
	size_t offset;
};

#define AT(member) offsetof(struct scenario_values, member)
static const struct json_key KEYS[] = {
    {"schema", SCHEMA, SCENARIO_FILE, 0},
    {"name", STRING, SCENARIO_FILE, AT(name)},
    {"about", STRING, SCENARIO_FILE | SCENARIO_RECORD, AT(about)},
    {"conf", STRING, SCENARIO_FILE, AT(conf)},
    {"gres", STRING, SCENARIO_FILE, AT(gres)},
    {"topology", STRING, SCENARIO_FILE, AT(topology)},
    {"accounting", STRING, SCENARIO_FILE, AT(accounting)},
    {"hardware", OBJECT, SCENARIO_FILE, AT(hardware)},
    {"cgroup", STRING, SCENARIO_FILE, AT(cgroup)},
    {"groups", STRING, SCENARIO_FILE, AT(groups)},
    {"trace", TRACE, SCENARIO_FILE, 0},
    {"jobs", ARRAY, SCENARIO_FILE | SCENARIO_RECORD, AT(jobs)},
    {"events", ARRAY, SCENARIO_FILE | SCENARIO_RECORD, AT(events)},
    {"setup", ARRAY, SCENARIO_FILE | SCENARIO_RECORD, AT(setup)},
    {"start", STRING, SCENARIO_FILE, AT(start)},
    {"until", TIME, SCENARIO_FILE | SCENARIO_RECORD, AT(until)},
    {"seed", WHOLE, SCENARIO_FILE, AT(seed)},
    {"faults", STRING, SCENARIO_FILE, AT(faults)},
    {"clock", STRING, SCENARIO_FILE, AT(clock)},
    {"controller_cost", STRING, SCENARIO_FILE, AT(controller_cost)},
    {"slurm_version", STRING, SCENARIO_FILE, AT(slurm_version)},
    {"controller_start", SECONDS, SCENARIO_FILE, AT(controller_start)},
    {"tick_phase", SECONDS, SCENARIO_FILE, AT(tick_phase)},
    {"tick_slip", SECONDS, SCENARIO_FILE, AT(tick_slip)},
    {"backfill_phase", SECONDS, SCENARIO_FILE, AT(backfill_phase)},
    {"decay_phase", SECONDS, SCENARIO_FILE, AT(decay_phase)},
    {"launch_latency", SECONDS, SCENARIO_FILE, AT(launch_latency)},
    {"epilog_latency", SECONDS, SCENARIO_FILE, AT(epilog_latency)},
    {"kill_latency", SECONDS, SCENARIO_FILE, AT(kill_latency)},
    {"boot_time", SECONDS, SCENARIO_FILE, AT(boot_time)},
    {"release", STRING, SCENARIO_FILE, AT(release)},
    {"placement_model", STRING, SCENARIO_FILE, AT(placement_model)},
    {"set", OBJECT, SCENARIO_FILE, AT(set)},
    {"site_rules", ARRAY, SCENARIO_FILE, AT(site_rules)},
    {"expect", ARRAY, SCENARIO_FILE, AT(expect)},
    {"users", ARRAY, SCENARIO_RECORD, AT(users)},
    {"snapshots", ARRAY, SCENARIO_RECORD, AT(snapshots)},
    /* how the record was made; of no effect on a schedule */
    {"align", IGNORED, SCENARIO_RECORD, 0},
    {"assoc_mgr", IGNORED, SCENARIO_RECORD, 0},
    {"sample", IGNORED, SCENARIO_RECORD, 0},
    {"speed", IGNORED, SCENARIO_RECORD, 0},
};
static const struct json_key TRACE_KEYS[] = {
    {"file", STRING, SCENARIO_FILE, AT(trace)},
    {"format", STRING, SCENARIO_FILE, AT(format)},
    {"swf_whole_nodes", BOOLEAN, SCENARIO_FILE, AT(swf_whole_nodes)},
    {"raise_limits", BOOLEAN, SCENARIO_FILE, AT(raise_limits)},
    {"columns", STRING, SCENARIO_FILE, AT(columns)},
};

struct reading {
	const struct json_text *text;
	struct scenario_values *values;
	struct diag *diag;
};

static bool read_object(struct reading *r, const cJSON *object, const struct json_key *keys, size_t n, unsigned kind);

static void wrong_type(struct reading *r, const cJSON *item, const char *right)
{
	char *printed = cJSON_PrintUnformatted(item);
	char *shown = conflex_show(printed ? printed : "");

	json_text_error(r->text, item, r->diag, right, "bad value of \"%s\": %s", item->string, shown);
	g_free(shown);
	cJSON_free(printed);
}

/* A span of time in seconds that a run can hold in microseconds. */
static bool is_seconds(const cJSON *item)
{
	return cJSON_IsNumber(item) && isfinite(item->valuedouble) && fabs(item->valuedouble) < 1e11;
}

static const char *read_number(struct reading *r, const cJSON *item, const struct json_key *key)
{
	char *member = (char *)r->values + key->offset;
	double value = item->valuedouble;

	if (key->type == SECONDS) {
		if (!is_seconds(item))
			return "write a number of seconds";
		if (key->offset == AT(controller_start)) {
			if (value > 0)
				return "seconds before the start: write a negative number or 0";
			r->values->controller_start_given = true;
		} else if (value < 0) {
			return "write a number of seconds, 0 or more";
		}
		*(double *)member = value;
		return NULL;
	}
	if (!cJSON_IsNumber(item) || value < 0 || value > 9007199254740992.0 || floor(value) < value)
		return "write a whole number from 0 to 9007199254740992 (--seed takes larger ones)";
	*(uint64_t *)member = (uint64_t)value;
	r->values->seed_given = true;
	return NULL;
}

/* Store ITEM; what would be right when its type is wrong, else NULL. */
static const char *read_value(struct reading *r, const cJSON *item, const struct json_key *key)
{
	char *member = (char *)r->values + key->offset;

	switch (key->type) {
	case STRING:
		if (!cJSON_IsString(item) || !*item->valuestring)
			return "write a text in quotes";
		*(const char **)member = item->valuestring;
		return NULL;
	case BOOLEAN:
		if (!cJSON_IsBool(item))
			return "write true or false";
		*(bool *)member = cJSON_IsTrue(item);
		return NULL;
	case ARRAY:
	case OBJECT:
		if (key->type == ARRAY ? !cJSON_IsArray(item) : !cJSON_IsObject(item))
			return key->type == ARRAY ? "write a list in [ ]" : "write an object: {\"Key\": \"value\"}";
		*(const cJSON **)member = item;
		return NULL;
	case TIME:
		if (!cJSON_IsString(item) && !is_seconds(item))
			return "write seconds after the start, a date in quotes, or a duration in quotes";
		*(const cJSON **)member = item;
		return NULL;
	case SCHEMA:
		return cJSON_IsString(item) && strcmp(item->valuestring, "whypend-scenario/1") == 0
		           ? NULL
		           : "this version reads \"whypend-scenario/1\"";
	case TRACE:
		if (!cJSON_IsObject(item))
			return "write {\"file\": \"jobs.swf\"}";
		read_object(r, item, TRACE_KEYS, G_N_ELEMENTS(TRACE_KEYS), SCENARIO_FILE);
		if (!r->values->trace && !cJSON_GetObjectItemCaseSensitive(item, "file"))
			return "name the trace with \"file\"";
		return NULL;
	case SECONDS:
	case WHOLE:
		return read_number(r, item, key);
	case IGNORED:
		return NULL;
	}
	return NULL;
}

static void unknown_key(struct reading *r, const cJSON *item, const struct json_key *keys, size_t n, unsigned kind)
{
	GString *known = g_string_new("known keys:");
	char *shown = conflex_show(item->string), *hint;
	struct suggestion s;

	suggest_begin(&s, item->string);
	for (size_t i = 0; i < n; i++) {
		if (!(keys[i].kinds & kind))
			continue;
		suggest_offer(&s, keys[i].name);
		g_string_append_printf(known, "%s %s", known->str[known->len - 1] == ':' ? "" : ",", keys[i].name);
	}
	hint = suggest_hint(&s, known->str);
	json_text_error(r->text, item, r->diag, hint, "unknown key \"%s\"", shown);
	g_free(hint);
	g_free(shown);
	g_string_free(known, TRUE);
}

static void read_item(struct reading *r, const cJSON *object, const cJSON *item, const struct json_key *keys, size_t n,
                      unsigned kind)
{
	const char *right;
	size_t i = 0;

	while (i < n && !(strcmp(keys[i].name, item->string) == 0 && keys[i].kinds & kind))
		i++;
	if (i == n) {
		unknown_key(r, item, keys, n, kind);
		return;
	}
	if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item) {
		json_text_error(r->text, item, r->diag, "keep one of them", "key \"%s\" appears twice", item->string);
		return;
	}
	right = read_value(r, item, &keys[i]);
	if (right)
		wrong_type(r, item, right);
}

static bool read_object(struct reading *r, const cJSON *object, const struct json_key *keys, size_t n, unsigned kind)
{
	guint before = r->diag->n_errors;
	const cJSON *item;

	cJSON_ArrayForEach(item, object) read_item(r, object, item, keys, n, kind);
	return r->diag->n_errors == before;
}

bool scenario_values_read(const struct json_text *t, enum scenario_kind kind, struct scenario_values *v,
                          struct diag *diag)
{
	struct reading r = {.text = t, .values = v, .diag = diag};
	guint before = diag->n_errors;

	memset(v, 0, sizeof *v);
	read_object(&r, t->root, KEYS, G_N_ELEMENTS(KEYS), kind);
	if (kind == SCENARIO_FILE && !cJSON_GetObjectItemCaseSensitive(t->root, "schema"))
		json_text_error(t, t->root, diag, "add \"schema\": \"whypend-scenario/1\"",
		                "the key \"schema\" is missing");
	return diag->n_errors == before;
}
