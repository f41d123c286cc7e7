/* shown_sinfo.c - lines of sinfo with columns separated by "|"; see shown.h. */
#include "models/shown_read.h"
#include "sched/base/hostlist.h"
#include <string.h>

enum column {
	COLUMN_NODES,
	COLUMN_CPUS,
	COLUMN_SHAPE,
	COLUMN_MEMORY,
	COLUMN_DISK,
	COLUMN_WEIGHT,
	COLUMN_FEATURES,
	COLUMN_GRES,
	COLUMN_STATE,
	COLUMN_REASON,
	COLUMN_PARTITION,
	COLUMN_STATES, /* CPUs by state: a/i/o/t */
	COLUMN_OTHER,
	COLUMNS
};

static const struct {
	const char *header;
	enum column column;
} headers[] = {{"NODELIST", COLUMN_NODES},      {"HOSTNAMES", COLUMN_NODES},         {"CPUS", COLUMN_CPUS},
               {"S:C:T", COLUMN_SHAPE},         {"MEMORY", COLUMN_MEMORY},           {"TMP_DISK", COLUMN_DISK},
               {"WEIGHT", COLUMN_WEIGHT},       {"AVAIL_FEATURES", COLUMN_FEATURES}, {"GRES", COLUMN_GRES},
               {"STATE", COLUMN_STATE},         {"STATECOMPLETE", COLUMN_STATE},     {"REASON", COLUMN_REASON},
               {"PARTITION", COLUMN_PARTITION}, {"CPUS(A/I/O/T)", COLUMN_STATES}};

static enum column by_header(const char *cell)
{
	for (gsize i = 0; i < G_N_ELEMENTS(headers); i++)
		if (g_ascii_strcasecmp(headers[i].header, cell) == 0)
			return headers[i].column;
	return COLUMN_OTHER;
}

static bool only(const char *cell, const char *letters)
{
	return *cell && strspn(cell, letters) == strlen(cell);
}

static guint count_of(const char *cell, char c)
{
	guint n = 0;

	for (; *cell; cell++)
		n += *cell == c;
	return n;
}

static bool is_state(const char *cell)
{
	static const char *const words[] = {"idle", "alloc", "mix",     "down",  "drain",    "drng",
	                                    "comp", "resv",  "maint",   "fail",  "futr",     "future",
	                                    "unk",  "plnd",  "planned", "inval", "reserved", "reboot"};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_ascii_strncasecmp(cell, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* Cell I of N without a header: what it looks like. */
static enum column by_look(const char *cell, guint i, guint n)
{
	if (i == 0)
		return COLUMN_NODES;
	if (only(cell, "0123456789/") && count_of(cell, '/') == 3)
		return COLUMN_STATES;
	if (only(cell, "0123456789:") && count_of(cell, ':') == 2)
		return COLUMN_SHAPE;
	if (only(cell, "0123456789+"))
		return COLUMN_CPUS;
	if (is_state(cell))
		return COLUMN_STATE;
	if (i == n - 1)
		return COLUMN_PARTITION;
	if (strchr(cell, ':') && !strchr(cell, '('))
		return COLUMN_GRES;
	return COLUMN_OTHER;
}

struct sinfo {
	struct shown *s;
	const char *file;
	enum column column[64];
	guint n;
	bool header;
	guint64 names_left;
};

static void add_pair(GArray *pairs, const char *key, const char *value, const char *file, guint line)
{
	struct conf_pair p = {.key = (char *)key,
	                      .value = (char *)value,
	                      .file = file,
	                      .line = line,
	                      .column = 1,
	                      .value_line = line,
	                      .value_column = 1};

	g_array_append_val(pairs, p);
}

static void note_partition(struct sinfo *w, const char *cell, const char *nodes)
{
	char **list = g_strsplit(cell, ",", -1);

	for (char **s = list; *s; s++) {
		char *star = strchr(*s, '*');

		if (star)
			*star = '\0';
		if (!**s)
			continue;
		if (star)
			g_string_assign(w->s->sinfo_default, *s);
		GString *names = g_hash_table_lookup(w->s->sinfo_parts, *s);
		if (names)
			g_string_append_printf(names, ",%s", nodes);
		else
			g_hash_table_insert(w->s->sinfo_parts, g_strdup(*s), g_string_new(nodes));
	}
	g_strfreev(list);
}

/* "2:16:1" into three pairs; SHAPE is changed. */
static void add_shape(GArray *pairs, char *shape, const char *file, guint line)
{
	char **part = g_strsplit(shape, ":", 3);

	if (g_strv_length(part) == 3) {
		g_snprintf(shape, strlen(shape) + 1, "%s", part[0]);
		char *cores = shape + strlen(part[0]) + 1, *threads = cores + strlen(part[1]) + 1;
		memcpy(cores, part[1], strlen(part[1]) + 1);
		memcpy(threads, part[2], strlen(part[2]) + 1);
		add_pair(pairs, "Sockets", shape, file, line);
		add_pair(pairs, "CoresPerSocket", cores, file, line);
		add_pair(pairs, "ThreadsPerCore", threads, file, line);
	}
	g_strfreev(part);
}

static void take_nodes(struct sinfo *w, char **cell, guint line)
{
	static const char *const keys[COLUMNS] = {[COLUMN_CPUS] = "CPUTot",
	                                          [COLUMN_MEMORY] = "RealMemory",
	                                          [COLUMN_DISK] = "TmpDisk",
	                                          [COLUMN_WEIGHT] = "Weight",
	                                          [COLUMN_FEATURES] = "AvailableFeatures",
	                                          [COLUMN_GRES] = "Gres",
	                                          [COLUMN_STATE] = "State",
	                                          [COLUMN_REASON] = "Reason"};
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct conf_pair));
	const char *nodes = "", *partition = "";

	add_pair(pairs, "NodeName", "", w->file, line);
	for (guint i = 0; cell[i] && i < w->n; i++) {
		enum column c = w->column[i];
		char *plus = strchr(cell[i], '+');

		if (plus && plus[1] == '\0' && c != COLUMN_STATE && c != COLUMN_REASON && c != COLUMN_PARTITION)
			*plus = '\0'; /* "32+": the least of several */
		if (c == COLUMN_NODES)
			nodes = cell[i];
		else if (c == COLUMN_PARTITION)
			partition = cell[i];
		else if (c == COLUMN_SHAPE)
			add_shape(pairs, cell[i], w->file, line);
		else if (keys[c])
			add_pair(pairs, keys[c], cell[i], w->file, line);
	}
	gint64 count = hostlist_count(nodes, NULL);
	GPtrArray *names = count >= 0 && (guint64)count <= w->names_left ? hostlist_expand(nodes, NULL) : NULL;
	for (guint i = 0; names && i < names->len; i++) {
		g_array_index(pairs, struct conf_pair, 0).value = names->pdata[i];
		shown_node((const struct conf_pair *)(void *)pairs->data, pairs->len, w->s);
	}
	if (names) {
		w->names_left -= names->len;
		note_partition(w, partition, nodes);
		g_ptr_array_unref(names);
	} else {
		diag_error(w->s->d, w->file, line, 1, "the first column is the nodes: n[01-04]",
		           "bad list of nodes in sinfo");
	}
	g_array_unref(pairs);
}

static void take_row(struct sinfo *w, const char *text, guint line)
{
	char **cell = g_strsplit(text, "|", -1);
	guint n = g_strv_length(cell);

	for (guint i = 0; i < n; i++)
		g_strstrip(cell[i]);
	if (!w->n) {
		w->n = MIN(n, G_N_ELEMENTS(w->column));
		for (guint i = 0; i < w->n; i++)
			w->header |= by_header(cell[i]) == COLUMN_NODES;
		for (guint i = 0; i < w->n; i++)
			w->column[i] = w->header ? by_header(cell[i]) : by_look(cell[i], i, n);
		if (w->header) {
			g_strfreev(cell);
			return;
		}
	}
	take_nodes(w, cell, line);
	g_strfreev(cell);
}

void shown_sinfo(struct shown *s, const char *text, const char *name)
{
	struct sinfo w = {.s = s, .file = name, .names_left = SHOWN_NODES_MAX};
	char **lines = g_strsplit(text, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (strchr(lines[i], '|'))
			take_row(&w, lines[i], i + 1);
	g_strfreev(lines);
}
