/* scenario_faults.c - see scenario_faults.h */
#include "scenarios/scenario_faults.h"
#include "scenarios/faults_history.h"
#include "scenarios/scenario_parts.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#define MOST_EVENTS 1000000

/* ---- the model ---- */

static double number_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : -1;
}

static void bad_model(const char *path, struct diag *diag, const char *what, const char *right)
{
	diag_error(diag, path, 0, 0, right, "%s", what);
}

static void read_causes(const cJSON *root, struct fault_model *m, const char *path, struct diag *diag)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "cause_mix"))
	{
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "cause"));
		struct fault_cause cause = {NULL, number_of(item, "count")};
		if (!name || !*name || strpbrk(name, "'\"\\\n") || cause.weight < 0) {
			bad_model(path, diag, "bad entry of cause_mix", "write {\"cause\": \"gpu_faulty\", \"count\": 148}");
			return;
		}
		cause.name = g_strdup(name);
		g_array_append_val(m->causes, cause);
	}
	if (m->causes->len)
		return;
	struct fault_cause any = {g_strdup("node failure"), 1};
	g_array_append_val(m->causes, any);
}

static void read_repairs(const cJSON *root, struct fault_model *m, const char *path, struct diag *diag)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "repair_classes"))
	{
		struct repair_class r = {number_of(item, "share"), number_of(item, "p50_h"), number_of(item, "p90_h")};
		if (r.share < 0 || r.p50_h <= 0 || r.p90_h < r.p50_h || r.p90_h > 1e6) {
			bad_model(path, diag, "bad entry of repair_classes",
			          "write {\"share\": 0.4, \"p50_h\": 0.25, \"p90_h\": 2}, p90_h not below p50_h");
			return;
		}
		g_array_append_val(m->repairs, r);
	}
	if (!m->repairs->len)
		bad_model(path, diag, "no repair_classes", "write \"repair_classes\": [{\"share\": 1, \"p50_h\": 1, \"p90_h\": 4}]");
}

static void read_model(struct scenario *s, const char *path, const char *text, struct diag *diag)
{
	cJSON *root = cJSON_Parse(text);
	if (!cJSON_IsObject(root)) {
		bad_model(path, diag, "not one JSON object", "see models/failure_rates.json");
		cJSON_Delete(root);
		return;
	}
	struct fault_model *m = fault_model_new();
	m->rate = number_of(root, "default_node_rate_per_1000_node_days");
	if (m->rate <= 0 || m->rate > 1e7)
		bad_model(path, diag, "bad default_node_rate_per_1000_node_days", "write failures per 1000 nodes and day, as 4.0");
	read_causes(root, m, path, diag);
	read_repairs(root, m, path, diag);
	fault_model_free(s->sim.faults);
	s->sim.faults = m;
	cJSON_Delete(root);
}

/* ---- the list ---- */

static bool plain(const char *text)
{
	return !strpbrk(text, "'\"\\");
}

static void read_event(struct scenario *s, const char *path, guint line, char **cell, guint n, struct diag *diag)
{
	static const char *const states[] = {"down", "drain", "fail", "resume", "undrain", "idle", NULL};
	usec_t at;
	for (guint i = 0; i < n; i++)
		g_strstrip(cell[i]);
	g_autofree char *state = n > 2 ? g_ascii_strdown(cell[2], -1) : NULL;
	if (n < 3 || n > 4) {
		diag_error(diag, path, line, 0, "write time,node,state,reason", "%u fields", n);
	} else if (!scenario_parse_time(cell[0], s->sim.start, &at)) {
		diag_error(diag, path, line, 0, "write seconds after the start, or a date", "bad time \"%s\"", cell[0]);
	} else if (!g_strv_contains(states, state)) {
		diag_error(diag, path, line, 0, "write down, drain, fail, resume or undrain", "bad state \"%s\"", cell[2]);
	} else if (!plain(cell[1]) || (n == 4 && !plain(cell[3]))) {
		diag_error(diag, path, line, 0, "leave them out", "quotes or backslashes");
	} else {
		GError *problem = NULL;
		struct bitset *nodes = s->cluster ? cluster_parse_nodes(s->cluster, cell[1], &problem) : NULL;
		if (s->cluster && !nodes) {
			diag_error(diag, path, line, 0, NULL, "%s", problem->message);
			g_error_free(problem);
			return;
		}
		bitset_free(nodes);
		struct scenario_event *e = g_new0(struct scenario_event, 1);
		e->at = at;
		e->command = g_strdup_printf("scontrol update node=%s state=%s reason='%s'", cell[1], state,
		                             n == 4 && *cell[3] ? cell[3] : "failure");
		g_ptr_array_add(s->events, e);
	}
}

/* Commas inside brackets of a host list are no separators. */
static char **split(const char *line, guint *n)
{
	GPtrArray *cells = g_ptr_array_new();
	int depth = 0;
	const char *from = line, *p = line;
	for (;; p++) {
		depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
		if (*p && (*p != ',' || depth > 0))
			continue;
		g_ptr_array_add(cells, g_strndup(from, (gsize)(p - from)));
		from = p + 1;
		if (!*p)
			break;
	}
	*n = cells->len;
	g_ptr_array_add(cells, NULL);
	return (char **)g_ptr_array_free(cells, FALSE);
}

static void read_list(struct scenario *s, const char *path, const char *text, struct diag *diag)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", MOST_EVENTS + 2);
	const char *head = lines[0] ? g_strchomp(lines[0]) : "";
	if (strcmp(head, "time,node,state") != 0 && strcmp(head, "time,node,state,reason") != 0) {
		diag_error(diag, path, 1, 0, "the first line is time,node,state,reason, or the file is sacctmgr -P show event, sinfo -R or a JSON model",
		           "not a list of failures");
		return;
	}
	for (guint i = 1; lines[i] && i <= MOST_EVENTS; i++) {
		g_strchomp(lines[i]);
		if (!*lines[i] || *lines[i] == '#')
			continue;
		guint n;
		g_auto(GStrv) cells = split(lines[i], &n);
		read_event(s, path, i + 1, cells, n, diag);
	}
	if (g_strv_length(lines) > MOST_EVENTS + 1)
		diag_error(diag, path, MOST_EVENTS, 0, "split the run", "more than %d events", MOST_EVENTS);
}

void scenario_read_faults(struct scenario *s, const char *path, struct diag *diag)
{
	GError *problem = NULL;
	g_autofree char *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, &problem)) {
		diag_error(diag, NULL, 0, 0, NULL, "%s", problem->message);
		g_error_free(problem);
		return;
	}
	if (text[strspn(text, " \t\r\n")] == '{')
		read_model(s, path, text, diag);
	else if (!faults_history_read(s, path, text, diag))
		read_list(s, path, text, diag);
}
