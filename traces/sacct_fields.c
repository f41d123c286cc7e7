/* sacct_fields.c - see sacct_fields.h */
#include "traces/sacct_fields.h"
#include "traces/reader.h"
#include <math.h>
#include <string.h>

bool sacct_is_missing(const char *text)
{
	static const char *const words[] = {"", "Unknown", "None", "N/A", "INVALID", "NULL", "(null)", "None assigned"};
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_ascii_strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Digits at *TEXT, which moves behind them. */
static bool digits(const char **text, uint64_t most, uint64_t *out)
{
	uint64_t value = 0;
	const char *p = *text;
	for (; g_ascii_isdigit(*p); p++) {
		value = value * 10 + (uint64_t)(*p - '0');
		if (value > most)
			return false;
	}
	if (p == *text)
		return false;
	*text = p;
	*out = value;
	return true;
}

static bool parse_brackets(const char **text, struct sacct_id *out)
{
	const char *p = *text + 1;
	size_t n = strspn(p, "0123456789,-:%.");
	if (n == 0 || p[n] != ']')
		return false;
	out->brackets = p;
	out->brackets_length = n;
	*text = p + n + 1;
	return true;
}

bool sacct_parse_id(const char *text, struct sacct_id *out)
{
	uint64_t value;
	*out = (struct sacct_id){.task = NO_VAL, .component = NO_VAL};
	if (!digits(&text, UINT64_C(1) << 62, &out->number))
		return false;
	if (*text == '_') {
		text++;
		if (*text == '[') {
			if (!parse_brackets(&text, out))
				return false;
		} else if (digits(&text, NO_VAL - 2, &value)) {
			out->task = (uint32_t)value;
		} else {
			return false;
		}
	}
	if (*text == '+') {
		text++;
		if (!digits(&text, NO_VAL - 2, &value))
			return false;
		out->component = (uint32_t)value;
	}
	if (*text == '.' && text[1]) {
		out->step = true;
		while (*++text)
			if (!g_ascii_isalnum(*text) && !strchr("_+-", *text))
				return false;
	}
	return *text == '\0';
}

static const struct {
	const char *name;
	enum sacct_state state;
} states[] = {
    {"PENDING", STATE_PENDING},       {"RUNNING", STATE_RUNNING},      {"SUSPENDED", STATE_RUNNING},
    {"COMPLETED", STATE_COMPLETED},   {"CANCELLED", STATE_CANCELLED},  {"FAILED", STATE_FAILED},
    {"TIMEOUT", STATE_TIMEOUT},       {"NODE_FAIL", STATE_NODE_FAIL},  {"PREEMPTED", STATE_PREEMPTED},
    {"BOOT_FAIL", STATE_NODE_FAIL},   {"DEADLINE", STATE_DEADLINE},    {"OUT_OF_MEMORY", STATE_OUT_OF_MEMORY},
    {"COMPLETING", STATE_COMPLETING}, {"CONFIGURING", STATE_RUNNING},  {"REQUEUED", STATE_REQUEUED},
    {"REQUEUE_HOLD", STATE_REQUEUED}, {"REQUEUE_FED", STATE_REQUEUED}, {"RESIZING", STATE_RESIZING},
    {"REVOKED", STATE_REVOKED},       {"SPECIAL_EXIT", STATE_FAILED},  {"STOPPED", STATE_RUNNING},
    {"SIGNALING", STATE_RUNNING},     {"STAGE_OUT", STATE_COMPLETING}, {"RESV_DEL_HOLD", STATE_PENDING},
};

bool sacct_parse_state(const char *text, enum sacct_state *out)
{
	size_t n = strcspn(text, " +");
	bool cut = text[n] == '+';
	for (guint i = 0; n > 0 && i < G_N_ELEMENTS(states); i++)
		if (g_ascii_strncasecmp(states[i].name, text, n) == 0 &&
		    (states[i].name[n] == '\0' || (cut && n >= 4))) {
			*out = states[i].state;
			return true;
		}
	return false;
}

bool sacct_is_state(const char *text)
{
	enum sacct_state state;
	return sacct_parse_state(text, &state);
}

bool sacct_parse_time(const char *text, sec_t *out)
{
	*out = 0;
	if (sacct_is_missing(text))
		return true;
	return date_parse(text, NULL, out) && *out >= 0 && *out < READER_MAX_SECONDS;
}

bool sacct_parse_limit(const char *text, bool raw, uint32_t *out)
{
	*out = NO_VAL;
	if (sacct_is_missing(text) || g_ascii_strcasecmp(text, "Partition_Limit") == 0)
		return true;
	if (g_ascii_strcasecmp(text, "UNLIMITED") == 0 || g_ascii_strcasecmp(text, "INFINITE") == 0) {
		*out = INFINITE;
		return true;
	}
	usec_t span;
	uint64_t minutes;
	if (raw && digits(&text, UINT64_MAX / 16, &minutes)) {
		*out = minutes < NO_VAL ? (uint32_t)minutes : INFINITE;
		return *text == '\0';
	}
	if (!duration_parse_elapsed(text, &span) || span < 0 || span / USEC > READER_MAX_SECONDS)
		return false;
	*out = (uint32_t)((span + 60 * USEC - 1) / (60 * USEC));
	return true;
}

/* A number and its letter; *POWER = 0 none, 1 K, 2 M ... */
static bool number_and_letter(const char *text, double *value, int *power, const char **rest)
{
	static const char letters[] = "KMGTPE";
	char *end;
	if (!g_ascii_isdigit(*text))
		return false;
	*value = g_ascii_strtod(text, &end);
	const char *letter = *end ? strchr(letters, g_ascii_toupper(*end)) : NULL;
	*power = letter ? (int)(letter - letters) + 1 : 0;
	*rest = letter ? end + 1 : end;
	return isfinite(*value) && *value >= 0;
}

bool sacct_parse_count(const char *text, uint64_t *out)
{
	double value;
	int power;
	const char *rest;
	*out = 0;
	if (sacct_is_missing(text))
		return true;
	if (!number_and_letter(text, &value, &power, &rest) || *rest)
		return false;
	value *= pow(1024, power);
	if (value > 1e15)
		return false;
	*out = (uint64_t)ceil(value);
	return true;
}

bool sacct_parse_exit(const char *text, int *exit_code, int *signal)
{
	uint64_t code = 0, number = 0;
	*exit_code = *signal = 0;
	if (sacct_is_missing(text))
		return true;
	if (!digits(&text, 1 << 24, &code))
		return false;
	if (*text == ':') {
		text++;
		if (!digits(&text, 1 << 24, &number))
			return false;
	}
	*exit_code = (int)code;
	*signal = (int)number;
	return *text == '\0';
}

/* MiB rounded up; a bare number is MiB. */
static bool memory_mib(const char *text, uint64_t *mib, const char **rest)
{
	double value;
	int power;
	if (!number_and_letter(text, &value, &power, rest))
		return false;
	value *= pow(1024, power == 0 ? 0 : power - 2);
	if (value > 1e15)
		return false;
	*mib = (uint64_t)ceil(value);
	return true;
}

bool sacct_parse_memory(const char *text, enum sacct_memory *kind, uint64_t *mib)
{
	*kind = MEMORY_NONE;
	*mib = 0;
	if (sacct_is_missing(text))
		return true;
	const char *rest;
	if (!memory_mib(text, mib, &rest))
		return false;
	if (*rest == 'B' || *rest == 'b')
		rest++;
	*kind = *rest == 'n' ? MEMORY_PER_NODE : *rest == 'c' ? MEMORY_PER_CPU : MEMORY_TOTAL;
	if (*kind == MEMORY_TOTAL && *rest == '?')
		rest++;
	else if (*kind != MEMORY_TOTAL)
		rest++;
	/* Some old sacct print the flag bit "per CPU" as part of a per-node number. */
	if (*kind == MEMORY_PER_NODE && *mib >= UINT64_C(0x80000000) && *mib <= UINT64_C(0xffffffff)) {
		*mib &= 0x7fffffff;
		*kind = MEMORY_PER_CPU;
	}
	return *rest == '\0';
}

/* TRES texts */

/* The next "name=value" of *TEXT; false at the end. NAME and VALUE are cut out of a copy. */
static bool next_item(char **text, char **name, char **value)
{
	while (**text) {
		char *item = *text, *end = item + strcspn(item, ",");
		*text = *end ? end + 1 : end;
		*end = '\0';
		char *equals = strchr(item, '=');
		if (!equals)
			continue;
		*equals = '\0';
		*name = item;
		*value = equals + 1;
		return true;
	}
	return false;
}

static bool item_count(const char *name, const char *value, uint64_t *out)
{
	const char *rest;
	if (g_ascii_strcasecmp(name, "mem") == 0)
		return memory_mib(value, out, &rest);
	return sacct_parse_count(value, out);
}

bool sacct_tres_get(const char *tres, const char *name, uint64_t *out)
{
	char *copy = g_strdup(tres), *p = copy, *item, *value;
	bool found = false;
	while (!found && next_item(&p, &item, &value))
		found = g_ascii_strcasecmp(item, name) == 0 && item_count(item, value, out);
	g_free(copy);
	return found;
}

struct counted {
	char *name; /* without the prefix, owned */
	uint64_t count;
};

static void counted_clear(gpointer data)
{
	g_free(((struct counted *)data)->name);
}

/* Whether the list has NAME with a type. */
static bool has_typed(const GArray *list, const char *name)
{
	size_t n = strlen(name);
	for (guint i = 0; i < list->len; i++) {
		const struct counted *c = &g_array_index(list, struct counted, i);
		if (strncmp(c->name, name, n) == 0 && c->name[n] == ':' && c->count > 0)
			return true;
	}
	return false;
}

char *sacct_tres_list(const char *tres, const char *prefix, uint64_t nodes, bool *whole)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct counted));
	g_array_set_clear_func(list, counted_clear);
	char *copy = g_strdup(tres), *p = copy, *item, *value;
	while (list->len < 64 && next_item(&p, &item, &value)) {
		struct counted c;
		if (!g_str_has_prefix(item, prefix) || !item_count(item, value, &c.count))
			continue;
		c.name = g_strdup(item + strlen(prefix));
		g_array_append_val(list, c);
	}
	g_free(copy);
	*whole = nodes == 0;
	for (guint i = 0; nodes > 0 && i < list->len; i++)
		*whole |= g_array_index(list, struct counted, i).count % nodes != 0;
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < list->len; i++) {
		const struct counted *c = &g_array_index(list, struct counted, i);
		if (c->count > 0 && !has_typed(list, c->name))
			g_string_append_printf(text, "%s%s:%" G_GUINT64_FORMAT, text->len ? "," : "", c->name,
			                       *whole ? c->count : c->count / nodes);
	}
	g_array_unref(list);
	bool none = text->len == 0;
	char *result = g_string_free(text, none);
	return none ? NULL : result;
}
