/* sacctmgr_rest.c - see sacctmgr_rest.h */
#include "tools/sacctmgr_rest.h"
#include "models/confshow.h"
#include "sched/resv_gres.h"
#include "sim/recorder.h"
#include "sim/sim.h"
#include "tools/cells.h"
#include "tools/job_fields.h"
#include "tools/schema_json.h"
#include "tools/show.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIELDS_MAX = 12 };
struct rest_field {
	const char *names; /* alternatives by "|"; the first is the header */
	int width;         /* < 0: to the left */
};

struct rest {
	FILE *out;
	const struct session *s;
	const struct sacctmgr_options *o;
	const struct cluster *cl;
	sec_t now;
	const struct rest_field *fields;
	int column[FIELDS_MAX], width[FIELDS_MAX], n; /* what is printed: indices of fields */
};

/* ---- tables ---- */

static int find_field(const struct rest_field *fields, const char *text, size_t len)
{
	for (int exact = 1; exact >= 0; exact--)
		for (int i = 0; fields[i].names; i++)
			for (const char *p = fields[i].names; *p; p += *p == '|') {
				size_t size = strcspn(p, "|");
				if ((exact ? size == len : size > len) && g_ascii_strncasecmp(p, text, len) == 0)
					return i;
				p += size;
			}
	return -1;
}

static bool read_format(struct rest *r, const char *format, GError **error)
{
	for (const char *p = format; *p && r->n < FIELDS_MAX; p += *p == ',') {
		size_t len = strcspn(p, ","), name = MIN(len, strcspn(p, "%"));
		int found = name ? find_field(r->fields, p, name) : -1;

		if (found < 0) {
			g_set_error(error, SACCTMGR_ERROR, 0, "Unknown field '%.*s'", (int)MIN(len, 60), p);
			return false;
		}
		int width = name < len ? atoi(p + name + 1) : 0;
		r->column[r->n] = found;
		r->width[r->n++] = CLAMP(width ? width : r->fields[found].width, -1000, 1000);
		p += len;
	}
	return true;
}

static void put_cell(const struct rest *r, int i, const char *text, bool header)
{
	size_t width = (size_t)abs(r->width[i]);

	if (r->o->parsable || r->o->closed)
		fprintf(r->out, "%s%s", text, r->o->closed || i + 1 < r->n ? "|" : "");
	else if (strlen(text) > width)
		fprintf(r->out, "%.*s%s ", (int)(header ? width : width - 1), text, header ? "" : "+");
	else
		fprintf(r->out, r->width[i] < 0 ? "%-*s " : "%*s ", (int)width, text);
}

static void print_header(const struct rest *r)
{
	if (r->o->no_header)
		return;
	for (int i = 0; i < r->n; i++) {
		const char *names = r->fields[r->column[i]].names;
		char *name = g_strndup(names, strcspn(names, "|"));
		put_cell(r, i, name, true);
		g_free(name);
	}
	fputc('\n', r->out);
	for (int i = 0; i < r->n && !r->o->parsable && !r->o->closed; i++) {
		for (int k = 0; k < abs(r->width[i]); k++)
			fputc('-', r->out);
		fputc(' ', r->out);
	}
	if (!r->o->parsable && !r->o->closed)
		fputc('\n', r->out);
}

/* CELLS: in the order of the fields; NULL = "". */
static void print_row(const struct rest *r, const char *const *cells)
{
	for (int i = 0; i < r->n; i++)
		put_cell(r, i, cells[r->column[i]] ? cells[r->column[i]] : "", false);
	fputc('\n', r->out);
}

/* ---- events ---- */

static const struct rest_field EVENT[] = {{"Cluster", 10},     {"Cluster Nodes|ClusterNodes", 20}, {"NodeName", -15},
                                          {"TimeStart|Start", 19}, {"TimeEnd|End", 19},            {"Duration", 13},
                                          {"State", 6},        {"StateRaw", 8},                    {"Reason", 30},
                                          {"User", 10},        {"TRES", 20},                       {"Event", 7},
                                          {NULL, 0}};

static bool print_event(const struct rest *r, const char *node, sec_t from, sec_t to, const char *state, const char *reason)
{
	char *start = date_format(from, NULL), *end = to ? date_format(to, NULL) : g_strdup("Unknown"),
	     *span = duration_format((to ? to : r->now) - from), *nodes = NULL;
	struct bitset *all = bitset_new(r->cl->n_nodes);

	for (uint32_t i = 0; !node && i < r->cl->n_nodes; i++)
		bitset_set(all, i);
	nodes = node ? NULL : cluster_format_nodes(r->cl, all);
	const char *const cells[] = {r->cl->params->cluster_name, nodes, node, start, end, span, state, NULL, reason,
	                             node ? "root(0)" : NULL,     NULL,  node ? "Node" : "Cluster"};
	print_row(r, cells);
	bitset_free(all);
	g_free(start);
	g_free(end);
	g_free(span);
	g_free(nodes);
	return true;
}

/* The words of node_state that are events, as accounting calls them; NULL: none. A draining node becomes one when its jobs end. */
static const char *event_state(const char *state)
{
	static const char *const WORDS[][2] = {{"down", "DOWN"}, {"drained", "DRAIN"}, {"fail", "FAIL"}};

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (strncmp(state, WORDS[i][0], strlen(WORDS[i][0])) == 0 && !g_ascii_isalpha(state[strlen(WORDS[i][0])]))
			return WORDS[i][1];
	return NULL;
}

static bool print_events(const struct rest *r, GError **error)
{
	static const char sql[] = "SELECT node, from_t, to_t, state, reason FROM node_state ORDER BY node, from_t";
	sqlite3_stmt *row = NULL;

	if (!recorder_finish(r->s->recorder, error))
		return false;
	print_event(r, NULL, usec_to_sec(r->s->scenario->sim.controller_start), 0, NULL, "Cluster Registered TRES");
	if (sqlite3_prepare_v2(recorder_db(r->s->recorder), sql, -1, &row, NULL) != SQLITE_OK) {
		g_set_error(error, SACCTMGR_ERROR, 0, "cannot read the record: %s", sqlite3_errmsg(recorder_db(r->s->recorder)));
		return false;
	}
	while (sqlite3_step(row) == SQLITE_ROW) {
		const char *node = (const char *)sqlite3_column_text(row, 0), *state = (const char *)sqlite3_column_text(row, 3),
		           *reason = (const char *)sqlite3_column_text(row, 4), *word = event_state(state);
		sec_t from = usec_to_sec(sqlite3_column_int64(row, 1)), to = usec_to_sec(sqlite3_column_int64(row, 2));
		if (word && in_list(r->o->nodes, node))
			print_event(r, node, from, to >= r->now ? 0 : to, word, reason);
	}
	sqlite3_finalize(row);
	return true;
}

/* ---- reservations ---- */

static const struct rest_field RESERVATION[] = {{"Cluster", 10}, {"Name", 15},     {"TRES", 30}, {"TimeStart|Start", 19},
                                                {"TimeEnd|End", 19}, {"UnusedWall", 10}, {NULL, 0}};

/* Those that have begun. */
static bool print_reservations(const struct rest *r, GError **error)
{
	const struct controller *c = sim_controller(r->s->sim);
	const GPtrArray *all = controller_resvs(c);

	(void)error;
	for (guint i = 0; i < all->len; i++) {
		const struct reservation *v = all->pdata[i];
		if (resv_start(c, v) > r->now || !in_list(r->o->names, v->name))
			continue;
		char *start = date_format(resv_start(c, v), NULL), *end = date_format(resv_end(c, v), NULL),
		     *tres = resv_tres_text(c, v);
		const char *const cells[] = {r->cl->params->cluster_name, v->name, tres, start, end, "0.000000"};
		print_row(r, cells);
		g_free(start);
		g_free(end);
		g_free(tres);
	}
	return true;
}

/* ---- problems, transactions ---- */

static const struct rest_field PROBLEM[] = {{"Cluster", 10}, {"Account", 10}, {"User", 10}, {"Problem", 40}, {NULL, 0}};

static int by_account(gconstpointer a, gconstpointer b)
{
	return strcmp((*(struct assoc *const *)a)->account, (*(struct assoc *const *)b)->account);
}

/* 22.05 is content with a user in an account below. */
static bool has_users(const struct assoc *a, bool below)
{
	bool users = false;

	for (guint k = 0; a->children && k < a->children->len; k++) {
		const struct assoc *child = a->children->pdata[k];
		users |= child->user || (below && has_users(child, below));
	}
	return users;
}

static bool print_problems(const struct rest *r, GError **error)
{
	GPtrArray *empty = g_ptr_array_new();

	(void)error;
	for (guint i = 0; i < r->cl->acct->assocs->len; i++) {
		const struct assoc *a = r->cl->acct->assocs->pdata[i];
		if (!a->user && !a->removed && !has_users(a, r->cl->params->version == SLURM_22_05))
			g_ptr_array_add(empty, (gpointer)a);
	}
	g_ptr_array_sort(empty, by_account);
	for (guint i = 0; i < empty->len; i++) {
		const char *const cells[] = {r->cl->params->cluster_name, ((struct assoc *)empty->pdata[i])->account, NULL,
		                             "Account has no users"};
		print_row(r, cells);
	}
	g_ptr_array_unref(empty);
	return true;
}

static const struct rest_field TRANSACTION[] = {{"Time|TimeStamp", 19}, {"Action", 20}, {"Actor", 10},
                                                {"Where", 20},          {"Info", 20},   {NULL, 0}};

/* "sacctmgr -i modify user bob set maxjobs=1": Modify user, bob, maxjobs=1. */
static void print_transaction(const struct rest *r, const struct scenario_event *e)
{
	static const char *const VERBS[][2] = {{"add", "Add"},       {"create", "Add"},    {"modify", "Modify"},
	                                       {"delete", "Remove"}, {"remove", "Remove"}};
	char **words = g_strsplit_set(e->command, " \t", -1), *action = NULL, *time = date_format(usec_to_sec(e->at), NULL);
	GString *where = g_string_new(NULL), *info = g_string_new(NULL);
	GString *to = where;

	for (char **w = words + 1; *words && *w; w++) {
		size_t i = 0;
		if (!**w || **w == '-' || g_ascii_strcasecmp(*w, "where") == 0)
			continue;
		while (i < G_N_ELEMENTS(VERBS) && g_ascii_strcasecmp(VERBS[i][0], *w) != 0)
			i++;
		if (!action && i < G_N_ELEMENTS(VERBS) && w[1]) {
			w++;
			action = g_strdup_printf("%s %c%s", VERBS[i][1], g_ascii_toupper((*w)[0]), *w + 1);
		} else if (g_ascii_strcasecmp(*w, "set") == 0) {
			to = info;
		} else {
			g_string_append_printf(to, "%s%s", to->len ? " " : "", *w);
		}
	}
	const char *const cells[] = {time, action, e->user ? e->user : "root", where->str, info->str};
	if (action)
		print_row(r, cells);
	g_string_free(where, TRUE);
	g_string_free(info, TRUE);
	g_strfreev(words);
	g_free(action);
	g_free(time);
}

static bool print_transactions(const struct rest *r, GError **error)
{
	const GPtrArray *events = r->s->scenario->events;
	char *time = date_format(usec_to_sec(r->s->scenario->sim.controller_start), NULL);
	const char *const first[] = {time, "Add Clusters", "root", r->cl->params->cluster_name, NULL};

	(void)error;
	print_row(r, first);
	for (guint i = 0; events && i < events->len; i++) {
		const struct scenario_event *e = events->pdata[i];
		if (g_str_has_prefix(e->command, "sacctmgr ") && usec_to_sec(e->at) <= r->now)
			print_transaction(r, e);
	}
	g_free(time);
	return true;
}

/* ---- what there is none of ---- */

static const struct rest_field FEDERATION[] = {{"Federation|Name", 10}, {"Cluster", 10}, {"ID", 2}, {"Features", 20},
                                               {"FedState", 12},        {NULL, 0}};
static const struct rest_field RESOURCE[] = {{"Name", 10},      {"Server", 10},     {"Type", 8},   {"Count", 6}, {"LastConsumed", 12},
                                             {"Allocated", 9}, {"ServerType", 10}, {"Flags", 20}, {NULL, 0}};
static const struct rest_field RESOURCE_22[] = {{"Name", 10}, {"Server", 10},      {"Type", 8},        {"Count", 6},
                                                {"% Allocated", 11}, {"ServerType", 10}, {NULL, 0}};
static const struct rest_field WCKEY[] = {{"WCKey", 10}, {"Cluster", 10}, {"User", 10}, {NULL, 0}};

static bool print_nothing(const struct rest *r, GError **error)
{
	(void)r, (void)error;
	return true;
}

/* ---- pages of text ---- */

static bool print_runaway(const struct rest *r, GError **error)
{
	(void)error;
	fprintf(r->out, "Runaway Jobs: No runaway jobs found on cluster %s\n", r->cl->params->cluster_name);
	return true;
}

static char *long_date(sec_t t)
{
	time_t when = (time_t)t;
	struct tm tm;
	char text[64];

	gmtime_r(&when, &tm);
	strftime(text, sizeof text, "%a %b %d %H:%M:%S %Y", &tm);
	return g_strdup_printf("%s (%" G_GINT64_FORMAT ")", text, (gint64)t);
}

/* No daemon, so no remote procedure calls and no time spent. */
static bool print_stats(const struct rest *r, GError **error)
{
	static const char BANNER[] = "*******************************************************************";
	sec_t since = usec_to_sec(r->s->scenario->sim.controller_start);

	(void)error;
	if (r->o->json) {
		const struct json_origin from = {.v22 = r->cl->params->version == SLURM_22_05,
		                                 .accounting = true,
		                                 .cluster = r->cl->params->cluster_name};
#define ROLLUP "{count:i last_run:i duration{last:i max:i time:i}}"
		cJSON *o = json_from_schema("time_start:i rollups{hourly" ROLLUP " daily" ROLLUP " monthly" ROLLUP "} RPCs:l users:l");
#undef ROLLUP
		json_put_int(o, "time_start", (double)since);
		json_print_envelope(r->out, &from, "statistics", o, r->o->command);
		return true;
	}
	char *now = long_date(r->now), *start = long_date(since);
	fprintf(r->out, "%s\nsacctmgr show stats output at %s\nData since                    %s\n"
	                "All statistics are in microseconds\n%s\n\n"
	                "Internal DBD rollup last ran %s\n\tLast cycle:   0\n\tMax cycle:    0\n\tTotal time:   0\n\tTotal cycles: 0\n\n"
	                "Remote Procedure Call statistics by message type\n\nRemote Procedure Call statistics by user\n",
	        BANNER, now, start, BANNER, start);
	g_free(now);
	g_free(start);
	return true;
}

/* The part of it that slurm.conf tells; a simulated cluster has no slurmdbd. */
static bool print_config(const struct rest *r, GError **error)
{
	static const char *const SHOWN[] = {"AccountingStorageBackupHost", "AccountingStorageHost", "AccountingStorageParameters",
	                                    "AccountingStoragePass", "AccountingStoragePort", "AccountingStorageType", "AuthType",
	                                    "MessageTimeout", "PluginDir", "PrivateData", "SlurmUserId", "SLURM_CONF", "SLURM_VERSION",
	                                    "TCPTimeout", "TrackWCKey", NULL};
	GPtrArray *rows = conf_show(r->cl, r->s->scenario->origins, usec_to_sec(r->s->scenario->sim.controller_start));
	char *now = date_format(r->now, NULL);

	(void)error;
	fprintf(r->out, "Configuration data as of %s\n", now);
	for (guint i = 0; i < rows->len; i++) {
		const struct conf_row *row = rows->pdata[i];
		if (row->value && g_strv_contains(SHOWN, row->name))
			fprintf(r->out, "%-22s = %s\n", row->name, row->value);
	}
	g_ptr_array_unref(rows);
	g_free(now);
	return true;
}

/* ---- which ---- */

static const struct rest_entity {
	const char *name;
	const struct rest_field *fields; /* NULL: a page of text */
	const char *shown;               /* its format; NULL = all fields */
	bool (*print)(const struct rest *r, GError **error);
	bool record; /* the run must be recorded */
} ENTITIES[] = {
    {"configuration", NULL, NULL, print_config, false},
    {"events", EVENT, "Cluster,NodeName,TimeStart,TimeEnd,State,Reason,User", print_events, true},
    {"federations", FEDERATION, NULL, print_nothing, false},
    {"problems", PROBLEM, NULL, print_problems, false},
    {"reservations", RESERVATION, NULL, print_reservations, false},
    {"resources", RESOURCE, NULL, print_nothing, false},
    {"runawayjobs", NULL, NULL, print_runaway, false},
    {"stats", NULL, NULL, print_stats, false},
    {"transactions", TRANSACTION, NULL, print_transactions, false},
    {"wckeys", WCKEY, NULL, print_nothing, false},
};

static const struct rest_entity *find_entity(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; n >= 3 && i < G_N_ELEMENTS(ENTITIES); i++)
		if (g_ascii_strncasecmp(ENTITIES[i].name, name, n) == 0)
			return &ENTITIES[i];
	return NULL;
}

bool sacctmgr_rest_knows(const char *name, bool *events)
{
	const struct rest_entity *e = find_entity(name);

	*events = e && e->record;
	return e != NULL;
}

bool sacctmgr_rest_print(FILE *out, const struct session *s, const struct sacctmgr_options *o, GError **error)
{
	const struct rest_entity *e = find_entity(o->entity);
	struct rest r = {.out = out, .s = s, .o = o, .cl = s->scenario->cluster, .now = usec_to_sec(sim_now(s->sim))};

	if (!r.cl->acct) {
		g_set_error(error, SACCTMGR_ERROR, 0, "this cluster has no accounting; give --accounting FILE");
		return false;
	}
	if (o->json && e->print != print_stats) {
		g_set_error(error, SACCTMGR_ERROR, 0, "show %s has no --json", o->entity);
		return false;
	}
	if (e->fields) {
		r.fields = e->fields == RESOURCE && r.cl->params->version == SLURM_22_05 ? RESOURCE_22 : e->fields;
		const char *format = o->format ? o->format : e->shown;
		for (; !format && r.fields[r.n].names; r.n++) {
			r.column[r.n] = r.n;
			r.width[r.n] = r.fields[r.n].width;
		}
		if (format && !read_format(&r, format, error))
			return false;
		print_header(&r);
	}
	return e->print(&r, error);
}
