/*
 * faults_history.c - what really happened to a site's nodes, as failures of a run: `sacctmgr show event` and `sinfo -R`; see scenario_faults.h
 *
 * sinfo -R tells since when a node is out, not until when. Several outputs in one file, each with the date line of `sinfo -R -l`, tell that
 * too: a node that is in one and not in the next had come back by then.
 */
#include "scenarios/faults_history.h"
#include "scenarios/scenario_parts.h"
#include <stdio.h>
#include <string.h>

struct history {
	struct scenario *s;
	const char *path;
	struct diag *diag;
	guint line;
	guint other; /* rows of states that are no failures */
};

static void bad(struct history *h, const char *hint, const char *what, const char *text)
{
	char *shown = g_strndup(text, 40);
	diag_error(h->diag, h->path, h->line, 0, hint, "%s \"%s\"", what, shown);
	g_free(shown);
}

/* "DOWN*", "MIXED+DRAIN": what an administrator would have typed; NULL = no failure. */
static const char *state_of(const char *text)
{
	g_autofree char *up = g_ascii_strup(text, -1);
	if (strstr(up, "POWER") || strstr(up, "REBOOT"))
		return NULL;
	return strstr(up, "DOWN") ? "down" : strstr(up, "FAIL") ? "fail" : strstr(up, "DRAIN") || strstr(up, "DRNG") ? "drain" : NULL;
}

static void push(struct history *h, sec_t at, const char *nodes, const char *state, const char *reason)
{
	struct scenario_event *e = g_new0(struct scenario_event, 1);
	g_autofree char *plain = g_strdup(reason && *reason ? reason : "failure");
	g_strdelimit(plain, "'\"\\\n", ' ');
	e->at = MAX(at * USEC, h->s->sim.start);
	e->command = strcmp(state, "resume") == 0 ? g_strdup_printf("scontrol update node=%s state=resume", nodes)
	                                          : g_strdup_printf("scontrol update node=%s state=%s reason='%s'", nodes, state, plain);
	g_ptr_array_add(h->s->events, e);
}

static bool nodes_known(struct history *h, const char *nodes)
{
	GError *problem = NULL;
	struct bitset *set = h->s->cluster ? cluster_parse_nodes(h->s->cluster, nodes, &problem) : NULL;
	if (problem) {
		diag_error(h->diag, h->path, h->line, 0, "the history is of another cluster, or slurm.conf has changed", "%s", problem->message);
		g_error_free(problem);
		return false;
	}
	bitset_free(set);
	return true;
}

/* ---- sacctmgr show event -P ---- */

enum { NODE, FROM, TO, STATE, REASON, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"NodeName", "TimeStart", "TimeEnd", "State", "Reason"};

static bool find_columns(struct history *h, const char *head, int *at)
{
	g_auto(GStrv) cells = g_strsplit(head, "|", -1);
	for (int k = 0; k < N_COLUMNS; k++) {
		at[k] = -1;
		for (int i = 0; cells[i]; i++)
			if (g_ascii_strcasecmp(g_strstrip(cells[i]), names[k]) == 0)
				at[k] = i;
		if (at[k] < 0 && k != REASON) {
			diag_error(h->diag, h->path, 1, 0, "sacctmgr -P show event start=... format=NodeName,TimeStart,TimeEnd,State,Reason",
			           "there is no column %s", names[k]);
			return false;
		}
	}
	return true;
}

static void take_event(struct history *h, char **cell, guint n, const int *at)
{
	sec_t from, to;
	const char *text[N_COLUMNS];
	for (int k = 0; k < N_COLUMNS; k++)
		text[k] = at[k] >= 0 && (guint)at[k] < n ? g_strstrip(cell[at[k]]) : "";
	if (!*text[NODE]) /* of the whole cluster */
		return;
	const char *state = state_of(text[STATE]);
	if (!state) {
		h->other++;
		return;
	}
	bool ended = date_parse(text[TO], NULL, &to);
	if (!date_parse(text[FROM], NULL, &from)) {
		bad(h, "write a date: 2026-01-05T08:00:00", "bad TimeStart", text[FROM]);
	} else if (!ended && *text[TO] && g_ascii_strcasecmp(text[TO], "Unknown") != 0 && g_ascii_strcasecmp(text[TO], "None") != 0) {
		bad(h, "write a date, or Unknown", "bad TimeEnd", text[TO]);
	} else if (nodes_known(h, text[NODE]) && !(ended && to * USEC <= h->s->sim.start)) {
		push(h, from, text[NODE], state, text[REASON]);
		if (ended)
			push(h, to, text[NODE], "resume", NULL);
	}
}

static void read_events(struct history *h, char **lines)
{
	int at[N_COLUMNS];
	if (!find_columns(h, lines[0], at))
		return;
	for (guint i = 1; lines[i]; i++) {
		g_auto(GStrv) cells = g_strsplit(lines[i], "|", -1);
		h->line = i + 1;
		if (*g_strstrip(lines[i]) && strcmp(lines[i], lines[0]) != 0)
			take_event(h, cells, g_strv_length(cells), at);
	}
}

/* ---- sinfo -R, with or without -l ---- */

struct out { sec_t since; bool seen; }; /* a node that is out */

struct table { /* where the columns of the output in hand begin */
	long reason, user, stamp, state, nodes;
	sec_t date; /* of that output; 0 = not told */
};

static long column(const char *head, const char *name)
{
	const char *p = strstr(head, name);
	return p ? (long)(p - head) : -1;
}

static char *cell_of(const char *line, long from, long to)
{
	long n = (long)strlen(line);
	if (from < 0 || from >= n)
		return g_strdup("");
	return g_strstrip(g_strndup(line + from, (gsize)((to < 0 || to > n ? n : to) - from)));
}

/* "Sun Nov 29 16:58:33 2026" */
static bool date_line(const char *line, sec_t *t)
{
	static const char *const months = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char day[4], month[4];
	int d, hh, mm, ss, year;
	if (sscanf(line, "%3s %3s %d %d:%d:%d %d", day, month, &d, &hh, &mm, &ss, &year) != 7 || strlen(month) != 3)
		return false;
	const char *p = strstr(months, month);
	if (!p || (p - months) % 3 || year < 1970 || year > 9999)
		return false;
	g_autofree char *iso = g_strdup_printf("%04d-%02d-%02dT%02d:%02d:%02d", year, (int)(p - months) / 3 + 1, d, hh, mm, ss);
	return date_parse(iso, NULL, t);
}

static void one_node_out(struct history *h, GHashTable *out, const char *node, sec_t since, const char *state, const char *reason)
{
	struct out *o = g_hash_table_lookup(out, node);
	if (o && o->since == since) {
		o->seen = true;
		return;
	}
	o = g_new(struct out, 1);
	*o = (struct out){since, true};
	g_hash_table_insert(out, g_strdup(node), o);
	push(h, since, node, state, reason);
}

static void take_row(struct history *h, GHashTable *out, const char *line, const struct table *t)
{
	g_autofree char *reason = cell_of(line, t->reason, t->user), *stamp = cell_of(line, t->stamp, t->state >= 0 ? t->state : t->nodes);
	g_autofree char *state = t->state >= 0 ? cell_of(line, t->state, t->nodes) : NULL, *nodes = cell_of(line, t->nodes, -1);
	/* without a state: administrators drain, the controller finds nodes silent */
	const char *what = state ? state_of(state) : g_str_has_prefix(reason, "Not responding") ? "down" : "drain";
	sec_t since;
	GError *problem = NULL;
	if (!what) {
		h->other++;
		return;
	}
	if (!date_parse(stamp, NULL, &since)) {
		bad(h, "TIMESTAMP is a date: 2026-01-05T08:00:00", "bad row of sinfo -R", line);
		return;
	}
	GPtrArray *names_of = nodes_known(h, nodes) ? hostlist_expand(nodes, &problem) : NULL;
	for (guint i = 0; names_of && i < names_of->len; i++)
		one_node_out(h, out, names_of->pdata[i], since, what, reason);
	if (names_of)
		g_ptr_array_unref(names_of);
	g_clear_error(&problem);
}

/* An output has ended: who is not in it is back. Without its date nobody knows when. */
static void come_back(struct history *h, GHashTable *out, sec_t date)
{
	GHashTableIter i;
	gpointer node, value;
	g_hash_table_iter_init(&i, out);
	while (g_hash_table_iter_next(&i, &node, &value)) {
		struct out *o = value;
		if (!o->seen && date) {
			push(h, date, node, "resume", NULL);
			g_hash_table_iter_remove(&i);
		} else {
			o->seen = false;
		}
	}
}

static void read_sinfo(struct history *h, char **lines)
{
	GHashTable *out = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct table t = {.nodes = -1};
	sec_t date = 0;
	bool first = true;
	for (guint i = 0; lines[i]; i++) {
		h->line = i + 1;
		if (g_str_has_prefix(lines[i], "REASON")) {
			if (!first)
				come_back(h, out, t.date);
			first = false;
			t = (struct table){column(lines[i], "REASON"), column(lines[i], "USER"),     column(lines[i], "TIMESTAMP"),
			                   column(lines[i], "STATE"),  column(lines[i], "NODELIST"), date};
			date = 0;
		} else if (*lines[i] && !date_line(lines[i], &date)) {
			take_row(h, out, lines[i], &t);
		}
	}
	come_back(h, out, t.date);
	g_hash_table_unref(out);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct scenario_event *x = *(struct scenario_event *const *)a, *y = *(struct scenario_event *const *)b;
	return (x->at > y->at) - (x->at < y->at);
}

bool faults_history_read(struct scenario *s, const char *path, const char *text, struct diag *diag)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct history h = {.s = s, .path = path, .diag = diag, .line = 1};
	for (char **l = lines; *l; l++)
		g_strchomp(*l);
	sec_t ignored;
	char **head = lines;
	if (*head && date_line(*head, &ignored))
		head++;
	if (lines[0] && strchr(lines[0], '|') && strstr(lines[0], "TimeStart"))
		read_events(&h, lines);
	else if (*head && g_str_has_prefix(*head, "REASON") && strstr(*head, "TIMESTAMP") && strstr(*head, "NODELIST"))
		read_sinfo(&h, lines);
	else
		return false;
	g_ptr_array_sort(s->events, by_time);
	if (h.other)
		diag_warn(diag, path, 0, 0, NULL, "%u rows are of states that are no failures (powered down, rebooting ...); they are left out", h.other);
	return true;
}
