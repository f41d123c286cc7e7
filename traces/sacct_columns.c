/* sacct_columns.c - see sacct_columns.h */
#include "traces/sacct_columns.h"
#include "traces/reader.h"
#include "traces/sacct_fields.h"
#include <string.h>

#define MAX_COLUMNS 1000
#define MAX_SURPLUS 64 /* cells; what has more is refused, so that the search stays small */

enum kind { WORD, ANY, TEXT, ID, TIME, SPAN, NUMBER, STATE, TRES, EXIT };

static const struct known {
	const char *name; /* lower case */
	enum sacct_column column;
	enum kind kind;
} known[] = {
    {"jobid", COL_JOBID, ID},
    {"jobidraw", COL_JOBIDRAW, ID},
    {"jobname", COL_JOBNAME, TEXT},
    {"user", COL_USER, WORD},
    {"uid", COL_UID, NUMBER},
    {"account", COL_ACCOUNT, WORD},
    {"partition", COL_PARTITION, WORD},
    {"qos", COL_QOS, WORD},
    {"qosreq", COL_QOSREQ, WORD},
    {"wckey", COL_WCKEY, WORD},
    {"submit", COL_SUBMIT, TIME},
    {"eligible", COL_ELIGIBLE, TIME},
    {"start", COL_START, TIME},
    {"end", COL_END, TIME},
    {"elapsed", COL_ELAPSED, SPAN},
    {"elapsedraw", COL_ELAPSEDRAW, NUMBER},
    {"suspended", COL_SUSPENDED, SPAN},
    {"timelimit", COL_TIMELIMIT, SPAN},
    {"timelimitraw", COL_TIMELIMITRAW, SPAN},
    {"state", COL_STATE, STATE},
    {"exitcode", COL_EXITCODE, EXIT},
    {"nnodes", COL_NNODES, NUMBER},
    {"reqnodes", COL_REQNODES, NUMBER},
    {"ncpus", COL_NCPUS, NUMBER},
    {"reqcpus", COL_REQCPUS, NUMBER},
    {"reqmem", COL_REQMEM, NUMBER},
    {"reqtres", COL_REQTRES, TRES},
    {"alloctres", COL_ALLOCTRES, TRES},
    {"reqgres", COL_REQGRES, ANY},
    {"constraints", COL_CONSTRAINTS, TEXT},
    {"licenses", COL_LICENSES, ANY},
    {"reservation", COL_RESERVATION, WORD},
    {"nodelist", COL_NODELIST, ANY},
    {"submitline", COL_SUBMITLINE, TEXT},
    /* aliases */
    {"allocnodes", COL_OTHER, NUMBER},
    {"alloccpus", COL_OTHER, NUMBER},
    {"reserved", COL_OTHER, SPAN},
    {"allocgres", COL_OTHER, ANY},
    {"resvcpu", COL_OTHER, SPAN},
    {"resvcpuraw", COL_OTHER, NUMBER},
    /* known, not used */
    {"admincomment", COL_OTHER, TEXT},
    {"associd", COL_OTHER, NUMBER},
    {"avecpu", COL_OTHER, SPAN},
    {"avecpufreq", COL_OTHER, ANY},
    {"avediskread", COL_OTHER, ANY},
    {"avediskwrite", COL_OTHER, ANY},
    {"avepages", COL_OTHER, ANY},
    {"averss", COL_AVERSS, ANY},
    {"avevmsize", COL_OTHER, ANY},
    {"blockid", COL_OTHER, ANY},
    {"cluster", COL_OTHER, WORD},
    {"comment", COL_OTHER, TEXT},
    {"consumedenergy", COL_OTHER, ANY},
    {"consumedenergyraw", COL_OTHER, ANY},
    {"container", COL_OTHER, TEXT},
    {"cputime", COL_OTHER, SPAN},
    {"cputimeraw", COL_OTHER, NUMBER},
    {"dbindex", COL_OTHER, NUMBER},
    {"derivedexitcode", COL_OTHER, EXIT},
    {"exclusive", COL_OTHER, ANY},
    {"extra", COL_OTHER, TEXT},
    {"failednode", COL_OTHER, ANY},
    {"flags", COL_OTHER, ANY},
    {"gid", COL_OTHER, NUMBER},
    {"group", COL_OTHER, ANY},
    {"layout", COL_OTHER, ANY},
    {"maxdiskread", COL_OTHER, ANY},
    {"maxpages", COL_OTHER, ANY},
    {"maxrss", COL_MAXRSS, ANY},
    {"maxvmsize", COL_OTHER, ANY},
    {"mcslabel", COL_OTHER, ANY},
    {"mincpu", COL_OTHER, SPAN},
    {"ntasks", COL_NTASKS, NUMBER},
    {"originalsluid", COL_OTHER, ANY},
    {"oversubscribe", COL_OTHER, ANY},
    {"planned", COL_OTHER, SPAN},
    {"plannedcpu", COL_OTHER, SPAN},
    {"plannedcpuraw", COL_OTHER, NUMBER},
    {"priority", COL_OTHER, NUMBER},
    {"qosraw", COL_OTHER, NUMBER},
    {"reason", COL_OTHER, ANY},
    {"reqreservation", COL_OTHER, WORD},
    {"reservationid", COL_OTHER, NUMBER},
    {"restarts", COL_OTHER, NUMBER},
    {"segmentsize", COL_OTHER, NUMBER},
    {"sluid", COL_OTHER, ANY},
    {"stderr", COL_OTHER, TEXT},
    {"stdin", COL_OTHER, TEXT},
    {"stdout", COL_OTHER, TEXT},
    {"systemcomment", COL_OTHER, TEXT},
    {"systemcpu", COL_OTHER, SPAN},
    {"totalcpu", COL_TOTALCPU, SPAN},
    {"usercpu", COL_OTHER, SPAN},
    {"wckeyid", COL_OTHER, NUMBER},
    {"workdir", COL_OTHER, TEXT},
};
static const struct known not_known = {"", COL_OTHER, ANY};

/* By full name in any case, or by an abbreviation of three letters or more that one name only has. */
static const struct known *find(const char *name)
{
	char *lower = g_ascii_strdown(name, -1);
	const struct known *found = NULL;
	guint n = 0;
	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		if (strcmp(known[i].name, lower) == 0) {
			found = &known[i];
			n = 1;
			break;
		}
		if (strlen(lower) >= 3 && g_str_has_prefix(known[i].name, lower)) {
			found = &known[i];
			n++;
		}
	}
	g_free(lower);
	return n == 1 ? found : NULL;
}

/* Making */

static struct sacct_columns *columns_make(const char *const *names, const char *delimiter)
{
	guint n = g_strv_length((char **)names);
	struct sacct_columns *c = g_new0(struct sacct_columns, 1);
	c->delimiter = g_strdup(delimiter);
	c->delimiter_length = strlen(delimiter);
	c->trailing = n > 1 && names[n - 1][0] == '\0';
	c->n = n - c->trailing;
	c->kind = g_new0(guint8, n);
	for (guint i = 0; i < COL_USED; i++)
		c->place[i] = -1;
	for (guint i = 0; i < c->n; i++) {
		const struct known *k = find(names[i]);
		k = k ? k : &not_known;
		c->kind[i] = k->kind;
		c->n_text += k->kind == TEXT;
		if (k->column < COL_USED && c->place[k->column] < 0)
			c->place[k->column] = (int)i;
	}
	return c;
}

/* An older or wider name serves where the usual one is not there. */
static void use_alias(struct sacct_columns *c, const char *const *names, enum sacct_column column, const char *alias)
{
	for (guint i = 0; c->place[column] < 0 && i < c->n; i++)
		if (g_ascii_strcasecmp(names[i], alias) == 0)
			c->place[column] = (int)i;
}

static struct sacct_columns *columns_new(const char *const *names, const char *delimiter)
{
	struct sacct_columns *c = columns_make(names, delimiter);
	use_alias(c, names, COL_NNODES, "allocnodes");
	use_alias(c, names, COL_NCPUS, "alloccpus");
	use_alias(c, names, COL_RESERVATION, "reqreservation");
	return c;
}

void sacct_columns_free(struct sacct_columns *c)
{
	if (!c)
		return;
	g_free(c->delimiter);
	g_free(c->kind);
	g_free(c);
}

/* The text between the first two names of a header; NULL when there is none. g_free. */
static char *header_delimiter(const char *line)
{
	size_t name = 0, gap = 0;
	while (g_ascii_isalnum(line[name]))
		name++;
	while (line[name + gap] && !g_ascii_isalnum(line[name + gap]))
		gap++;
	return name > 0 && gap > 0 && line[name + gap] ? g_strndup(line + name, gap) : NULL;
}

struct sacct_columns *sacct_columns_from_header(const char *line)
{
	char *delimiter = g_ascii_isalpha(line[0]) ? header_delimiter(line) : NULL;
	if (!delimiter)
		return NULL;
	char *first = g_strndup(line, (gsize)(strstr(line, delimiter) - line));
	bool may_be = find(first) != NULL; /* cheap: most records of a dump end here */
	g_free(first);
	char **names = may_be ? g_strsplit(line, delimiter, MAX_COLUMNS) : g_new0(char *, 1);
	guint n_known = 0;
	for (char **name = names; *name; name++)
		n_known += find(*name) != NULL;
	struct sacct_columns *c = n_known >= 2 ? columns_new((const char *const *)names, delimiter) : NULL;
	g_strfreev(names);
	g_free(delimiter);
	if (c && c->place[COL_JOBID] < 0 && c->place[COL_JOBIDRAW] < 0)
		g_clear_pointer(&c, sacct_columns_free);
	return c;
}

static const char *const delimiters[] = {"|#", "||", "|", ",", ";", "^", "\t", "#", "!", "~"};

struct sacct_columns *sacct_columns_from_list(const char *list, const char *first, GError **error)
{
	char **names = g_strsplit_set(list, ",| ", MAX_COLUMNS);
	guint n = 0;
	for (char **name = names; *name; name++) {
		char *width = strchr(*name, '%');
		if (width)
			*width = '\0';
		if (!**name) {
			g_free(*name);
			continue;
		}
		names[n++] = *name;
		if (find(*name))
			continue;
		/* the step columns of usage have many forms; they are taken for what they are named */
		g_set_error(error, WORKLOAD_ERROR, 0, "column list: \"%s\" is no column of sacct", *name);
		names[n] = NULL;
		for (char **rest = name + 1; *rest; rest++)
			g_free(*rest);
		g_strfreev(names);
		return NULL;
	}
	names[n] = NULL;
	struct sacct_columns *c = NULL;
	for (guint i = 0; n > 0 && !c && i < G_N_ELEMENTS(delimiters); i++) {
		c = columns_new((const char *const *)names, delimiters[i]);
		guint cells = sacct_count_cells(c, first, strlen(first));
		c->trailing = cells == n + 1 && g_str_has_suffix(first, delimiters[i]);
		if (cells != n && !c->trailing)
			g_clear_pointer(&c, sacct_columns_free);
	}
	if (!c)
		c = columns_new((const char *const *)names, "|");
	g_strfreev(names);
	return c;
}

struct sacct_columns *sacct_columns_xdmod(const char *first)
{
	static const char list[] =
	    "JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,Start,End,"
	    "Elapsed,ExitCode,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,"
	    "JobName";
	struct sacct_columns *c = sacct_columns_from_list(list, first, NULL);
	char *copy = g_strdup(first);
	struct sacct_cell *cells = g_new0(struct sacct_cell, c->n);
	bool fits = sacct_count_cells(c, first, strlen(first)) >= c->n && sacct_begins_with_id(c, first) &&
	            sacct_split(c, copy, strlen(copy), cells) == SPLIT_OK &&
	            sacct_is_state(cells[c->place[COL_STATE]].text);
	g_free(cells);
	g_free(copy);
	if (!fits)
		g_clear_pointer(&c, sacct_columns_free);
	return c;
}

static void want(GString *missing, bool there, const char *name)
{
	if (!there)
		g_string_append_printf(missing, "%s%s", missing->len ? ", " : "", name);
}

bool sacct_columns_enough(const struct sacct_columns *c, const char *path, GError **error)
{
	const int *p = c->place;
	GString *missing = g_string_new(NULL);
	want(missing, p[COL_USER] >= 0 || p[COL_UID] >= 0, "User");
	want(missing, p[COL_PARTITION] >= 0, "Partition");
	want(missing, p[COL_SUBMIT] >= 0, "Submit");
	want(missing, p[COL_START] >= 0, "Start");
	want(missing, p[COL_END] >= 0 || p[COL_ELAPSEDRAW] >= 0 || p[COL_ELAPSED] >= 0, "End or ElapsedRaw");
	want(missing, p[COL_TIMELIMIT] >= 0 || p[COL_TIMELIMITRAW] >= 0, "TimelimitRaw or Timelimit");
	want(missing, p[COL_STATE] >= 0, "State");
	want(missing,
	     p[COL_REQTRES] >= 0 || p[COL_ALLOCTRES] >= 0 ||
	         ((p[COL_NCPUS] >= 0 || p[COL_REQCPUS] >= 0) && (p[COL_NNODES] >= 0 || p[COL_REQNODES] >= 0)),
	     "ReqTRES (or NCPUS, NNodes and ReqMem)");
	bool ok = missing->len == 0;
	if (!ok)
		g_set_error(error, WORKLOAD_ERROR, 0,
		            "%s: the dump lacks columns that a replay needs: %s; export it with: " SACCT_COMMAND, path,
		            missing->str);
	g_string_free(missing, TRUE);
	return ok;
}

/* Cutting */

static const char *find_delimiter(const struct sacct_columns *c, const char *text, const char *end)
{
	const char *p = text;
	while (p + c->delimiter_length <= end &&
	       (p = memchr(p, c->delimiter[0], (size_t)(end - p) - c->delimiter_length + 1)) != NULL) {
		if (memcmp(p, c->delimiter, c->delimiter_length) == 0)
			return p;
		p++;
	}
	return NULL;
}

guint sacct_count_cells(const struct sacct_columns *c, const char *text, size_t length)
{
	guint n = 1;
	const char *end = text + length, *p = text;
	while ((p = find_delimiter(c, p, end)) != NULL) {
		p += c->delimiter_length;
		n++;
	}
	return n;
}

bool sacct_id_is_first(const struct sacct_columns *c)
{
	return c->kind[0] == ID;
}

bool sacct_text_is_last(const struct sacct_columns *c)
{
	return c->kind[c->n - 1] == TEXT;
}

bool sacct_begins_with_id(const struct sacct_columns *c, const char *text)
{
	struct sacct_id id;
	const char *end = strstr(text, c->delimiter);
	char *cell = end ? g_strndup(text, (gsize)(end - text)) : g_strdup(text);
	bool is = sacct_parse_id(cell, &id);
	g_free(cell);
	return is;
}

static bool only(const struct sacct_cell *cell, const char *allowed)
{
	return strspn(cell->text, allowed) == cell->length;
}

static bool fits(enum kind kind, const struct sacct_cell *cell)
{
	struct sacct_id id;
	const char *t = cell->text;
	if (kind == ANY || kind == TEXT)
		return true;
	if (kind == ID)
		return sacct_parse_id(t, &id);
	if (kind == STATE)
		return sacct_is_state(t);
	if (sacct_is_missing(t))
		return true;
	switch (kind) {
	case WORD:
		return strpbrk(t, " \t\n") == NULL;
	case TIME:
		return g_ascii_isdigit(*t) && only(cell, "0123456789-:.T+Z ");
	case SPAN:
		return only(cell, "0123456789-:.") || g_ascii_strcasecmp(t, "UNLIMITED") == 0 ||
		       g_ascii_strcasecmp(t, "Partition_Limit") == 0;
	case NUMBER:
		return g_ascii_isdigit(*t) && only(cell, "0123456789.KMGTPEncB?");
	case TRES:
		return strchr(t, '=') && strpbrk(t, " \t\n") == NULL;
	case EXIT:
		return only(cell, "0123456789:");
	default:
		return true;
	}
}

/* Search: give SURPLUS cells to the free-text columns. ways[col][used] counts solutions (0, 1, 2 = several) of the
 * columns from COL on when USED surplus cells are taken; built from the last column backwards. */
static enum sacct_split distribute(const struct sacct_columns *c, struct sacct_cell *raw, guint surplus, guint *take)
{
	guint width = surplus + 1;
	guint8 *ways = g_new0(guint8, (gsize)(c->n + 1) * width);
	ways[(gsize)c->n * width + surplus] = 1;
	for (guint col = c->n; col-- > 0;)
		for (guint used = 0; used <= surplus; used++) {
			if (!fits(c->kind[col], &raw[col + used]))
				continue;
			guint most = c->kind[col] == TEXT ? surplus - used : 0, sum = 0;
			for (guint extra = 0; extra <= most && sum < 2; extra++)
				sum += ways[(gsize)(col + 1) * width + used + extra];
			ways[(gsize)col * width + used] = (guint8)MIN(sum, 2u);
		}
	guint total = ways[0];
	for (guint col = 0, used = 0; total == 1 && col < c->n; col++) {
		take[col] = 0;
		while (ways[(gsize)(col + 1) * width + used + take[col]] == 0)
			take[col]++;
		used += take[col];
	}
	g_free(ways);
	return total == 1 ? SPLIT_OK : total == 0 ? SPLIT_NO_WAY : SPLIT_AMBIGUOUS;
}

/* Cells joined again: the NUL that closed all but the last becomes the delimiter's first byte again. */
static void join(const struct sacct_columns *c, const struct sacct_cell *raw, const guint *take,
                 struct sacct_cell *cells)
{
	for (guint col = 0, at = 0; col < c->n; col++) {
		const struct sacct_cell *last = &raw[at + take[col]];
		cells[col].text = raw[at].text;
		cells[col].length = (size_t)(last->text + last->length - raw[at].text);
		for (guint i = at; i < at + take[col]; i++)
			*(char *)(raw[i].text + raw[i].length) = c->delimiter[0];
		at += take[col] + 1;
	}
}

static guint cut(const struct sacct_columns *c, char *text, size_t length, struct sacct_cell *raw)
{
	guint n = 0;
	char *end = text + length;
	for (char *p = text;;) {
		char *stop = (char *)find_delimiter(c, p, end);
		raw[n++] = (struct sacct_cell){p, (size_t)((stop ? stop : end) - p)};
		if (!stop)
			return n;
		*stop = '\0';
		p = stop + c->delimiter_length;
	}
}

enum sacct_split sacct_split(const struct sacct_columns *c, char *text, size_t length, struct sacct_cell *cells)
{
	if (c->trailing && length >= c->delimiter_length &&
	    memcmp(text + length - c->delimiter_length, c->delimiter, c->delimiter_length) == 0) {
		length -= c->delimiter_length;
		text[length] = '\0';
	}
	guint n = sacct_count_cells(c, text, length);
	if (n < c->n)
		return SPLIT_TOO_FEW;
	if (n == c->n) {
		cut(c, text, length, cells);
		return SPLIT_OK;
	}
	if (c->n_text == 0 || n - c->n > MAX_SURPLUS)
		return SPLIT_NO_WAY;
	struct sacct_cell *raw = g_new(struct sacct_cell, n);
	guint *take = g_new0(guint, c->n);
	cut(c, text, length, raw);
	enum sacct_split result = distribute(c, raw, n - c->n, take);
	if (result == SPLIT_OK)
		join(c, raw, take, cells);
	g_free(take);
	g_free(raw);
	return result;
}
