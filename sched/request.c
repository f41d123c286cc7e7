/*
 * request.c - sbatch's long options into a request; see request.h, grammars in spec sbatch.md sections 2 and 3.
 *
 * A table maps each option to a reader and, for the plain kinds, to the field it sets. Readers check the shape of a
 * value only; whether accounts, features or dependencies exist is the controller's business.
 */
#include "sched/request.h"
#include "sched/base/memsize.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX INT32_MAX

#define F(field) offsetof(struct job_request, field)

static const size_t string_fields[] = {
    F(name),       F(user),          F(account),       F(partition),       F(qos),        F(reservation),
    F(constraint), F(prefer),        F(nodelist),      F(exclude),         F(licenses),   F(dependency),
    F(admin_comment), F(mail_user), F(mail_type), F(output),
    F(array),      F(comment),       F(workdir),       F(wckey),           F(gres),       F(gres_given),
    F(gpus),       F(gpus_per_node), F(gpus_per_task), F(gpus_per_socket), F(gres_per_task), F(gres_flags), F(node_counts),
    F(begin_text), F(deadline_text), F(signal),
};

static char **string_at(struct job_request *r, size_t offset)
{
	return (char **)((char *)r + offset);
}

struct job_request *job_request_new(void)
{
	struct job_request *r = g_new(struct job_request, 1);

	*r = (struct job_request){
	    .ntasks_per_gpu = NO_VAL,
	    .cpus_per_gpu = NO_VAL,
	    .mem_per_gpu = NO_VAL64,
	    .time_limit = NO_VAL,
	    .time_min = NO_VAL,
	    .min_nodes = NO_VAL,
	    .max_nodes = NO_VAL,
	    .ntasks = NO_VAL,
	    .cpus_per_task = NO_VAL,
	    .ntasks_per_node = NO_VAL,
	    .ntasks_per_socket = NO_VAL,
	    .ntasks_per_core = NO_VAL,
	    .mincpus = NO_VAL,
	    .sockets_per_node = NO_VAL,
	    .cores_per_socket = NO_VAL,
	    .threads_per_core = NO_VAL,
	    .mem_per_node = NO_VAL64,
	    .mem_per_cpu = NO_VAL64,
	    .tmp = NO_VAL64,
	    .priority = NO_VAL,
	    .switches = NO_VAL,
	    .switches_wait = -1,
	    .segment = NO_VAL,
	    .core_spec = NO_VAL,
	    .delay_boot = NO_VAL,
	    .plane_size = NO_VAL,
	};
	return r;
}

void job_request_free(struct job_request *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(string_fields); i++)
		g_free(*string_at(r, string_fields[i]));
	g_free(r);
}

struct job_request *job_request_copy(const struct job_request *r)
{
	struct job_request *copy = g_new(struct job_request, 1);

	*copy = *r;
	for (size_t i = 0; i < G_N_ELEMENTS(string_fields); i++) {
		char **s = string_at(copy, string_fields[i]);
		*s = g_strdup(*s);
	}
	return copy;
}

/* ---- readers ---- */

struct option;
typedef bool (*reader)(struct job_request *r, const struct option *o, const char *value, GError **error);
struct option {
	const char *name;
	reader read;
	size_t field;
	const char *want; /* for messages; NULL: the reader has its own */
};

static bool invalid(const struct option *o, const char *value, const char *want, GError **error)
{
	g_set_error(error, REQUEST_ERROR, 0, "Invalid --%s specification \"%s\"; want %s", o->name, value, want);
	return false;
}

/* VALUE or an error when there is none. */
static bool need(const struct option *o, const char *value, GError **error)
{
	if (value != NULL && *value != '\0')
		return true;
	g_set_error(error, REQUEST_ERROR, 0, "option --%s needs a value; want %s", o->name, o->want ? o->want : "text");
	return false;
}

static void set_string(char **field, char *value)
{
	g_free(*field);
	*field = value;
}

/* Text kept as given; an empty text is "not given" ("--array=" is no array). */
static bool read_text(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (value == NULL)
		return need(o, value, error);
	set_string(string_at(r, o->field), *value != '\0' ? g_strdup(value) : NULL);
	return true;
}

/* A whole number LOW..NUMBER_MAX and nothing behind it. */
static bool parse_number(const char *text, uint32_t low, uint32_t *out)
{
	uint64_t v = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (!g_ascii_isdigit(*text) || v > NUMBER_MAX)
			return false;
		v = v * 10 + (uint64_t)(*text - '0');
	}
	if (v < low || v > NUMBER_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool set_number(struct job_request *r, const struct option *o, const char *value, uint32_t low, GError **error)
{
	if (!need(o, value, error))
		return false;
	if (parse_number(value, low, (uint32_t *)((char *)r + o->field)))
		return true;
	g_set_error(error, REQUEST_ERROR, 0, "Invalid numeric value \"%s\" for --%s; want a whole number from %u",
	            value, o->name, low);
	return false;
}

static bool read_number(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return set_number(r, o, value, 1, error);
}

static bool read_spec(struct job_request *r, const struct option *o, const char *value, bool threads, GError **error)
{
	uint32_t before = r->core_spec;

	if (!set_number(r, o, value, threads ? 1 : 0, error))
		return false;
	if (before != NO_VAL && r->thread_spec != threads) {
		g_set_error(error, REQUEST_ERROR, 0, "-S/--core-spec and --thread-spec options are mutually exclusive");
		return false;
	}
	r->thread_spec = threads;
	return true;
}

static bool read_core_spec(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return read_spec(r, o, value, false, error);
}

static bool read_thread_spec(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return read_spec(r, o, value, true, error);
}

/* What a flag's value means: none or "yes" or a number is on (sbatch.md section 1, "A flag variable"). */
static bool parse_flag(const char *value, bool *on)
{
	static const char *const yes[] = {"yes", "true", "1", "on"}, *const no[] = {"no", "false", "0", "off"};

	*on = true;
	if (value == NULL || *value == '\0')
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(yes); i++) {
		if (g_ascii_strcasecmp(value, yes[i]) == 0)
			return true;
		if (g_ascii_strcasecmp(value, no[i]) == 0) {
			*on = false;
			return true;
		}
	}
	return false;
}

static bool read_flag(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool *field = (bool *)((char *)r + o->field);

	return parse_flag(value, field) || invalid(o, value, "no value (or yes, no)", error);
}

/* --no-kill[=off] */
static bool read_no_kill(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (value && g_ascii_strcasecmp(value, "off") == 0) {
		r->no_kill = false;
		return true;
	}
	return parse_flag(value, &r->no_kill) || invalid(o, value, "no value, or off", error);
}

static bool read_kill_on_invalid_dep(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!need(o, value, error))
		return false;
	r->kill_on_invalid_dep_set = true;
	return parse_flag(value, &r->kill_on_invalid_dep) || invalid(o, value, o->want, error);
}

static bool read_oversubscribe(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool on;

	if (!parse_flag(value, &on))
		return invalid(o, value, "no value", error);
	if (on)
		r->share = SHARE_OVERSUBSCRIBE;
	return true;
}

static bool read_exclusive(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	static const struct {
		const char *name;
		enum share_request share;
	} kinds[] = {{"user", SHARE_EXCLUSIVE_USER}, {"mcs", SHARE_EXCLUSIVE_MCS}, {"topo", SHARE_EXCLUSIVE_TOPO}};

	for (size_t i = 0; value != NULL && i < G_N_ELEMENTS(kinds); i++)
		if (g_ascii_strcasecmp(value, kinds[i].name) == 0) {
			r->share = kinds[i].share;
			return true;
		}
	bool on;

	if (!parse_flag(value, &on))
		return invalid(o, value, o->want, error);
	if (on)
		r->share = SHARE_EXCLUSIVE;
	return true;
}

static bool read_requeue(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool on, expedite = value && g_ascii_strcasecmp(value, "expedite") == 0;

	if (!expedite && !parse_flag(value, &on))
		return invalid(o, value, "no value or \"expedite\"", error);
	r->requeue = expedite ? REQUEUE_EXPEDITE : on ? REQUEUE_YES : REQUEUE_NO;
	return true;
}

static bool read_no_requeue(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool on;

	if (!parse_flag(value, &on))
		return invalid(o, value, "no value", error);
	r->requeue = on ? REQUEUE_NO : REQUEUE_YES;
	return true;
}

/* 3.1: <integer>[K|M|G|T][B]. */
static bool read_memory(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!need(o, value, error))
		return false;
	if (strpbrk(value, ".PpEe") != NULL || !memsize_parse_mib(value, (uint64_t *)((char *)r + o->field)))
		return invalid(o, value, o->want, error);
	return true;
}

/* 3.2: 0 means no limit. */
static bool read_limit(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t minutes;

	if (!need(o, value, error))
		return false;
	if (!duration_parse_minutes(value, &minutes))
		return invalid(o, value, o->want, error);
	*(uint32_t *)((char *)r + o->field) = minutes == 0 ? INFINITE : minutes;
	return true;
}

/* --begin, --deadline: kept as text until the submit time is known; checked now against any time. */
static bool read_when(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	sec_t ignored;

	if (!need(o, value, error))
		return false;
	if (!date_parse_begin(value, 0, NULL, &ignored))
		return invalid(o, value, o->want, error);
	set_string(string_at(r, o->field), g_strdup(value));
	return true;
}

/* "4", "2k" at *p. */
static bool parse_node_number(const char **p, uint32_t *out)
{
	uint64_t v = 0;

	if (!g_ascii_isdigit(**p))
		return false;
	for (; g_ascii_isdigit(**p); (*p)++)
		if ((v = v * 10 + (uint64_t)(**p - '0')) > NUMBER_MAX)
			return false;
	if (g_ascii_toupper(**p) == 'K' || g_ascii_toupper(**p) == 'M')
		v *= g_ascii_toupper(*(*p)++) == 'K' ? 1024 : 1024 * 1024;
	if (v > NUMBER_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

/* 3.7: "4", "2-6", "1,5,9", "1-15:4". A list or a step goes to TEXT with the suffixes worked out. */
static bool parse_nodes(const char *p, uint32_t *min, uint32_t *max, GString *text, bool *list)
{
	*min = UINT32_MAX;
	*max = 0;
	*list = false;
	for (;; p++) {
		uint32_t lo, hi, step;

		if (!parse_node_number(&p, &lo))
			return false;
		hi = lo;
		g_string_append_printf(text, "%u", lo);
		if (*p == '-') {
			p++;
			if (!parse_node_number(&p, &hi))
				return false;
			g_string_append_printf(text, "-%u", hi);
		}
		if (*p == ':') {
			p++;
			if (!parse_node_number(&p, &step) || step == 0)
				return false;
			g_string_append_printf(text, ":%u", step);
			*list = true;
		}
		*min = MIN(*min, lo);
		*max = MAX(*max, hi);
		if (lo > hi) { /* the caller reports it */
			*min = lo;
			*max = hi;
			return true;
		}
		if (*p == '\0')
			return true;
		if (*p != ',')
			return false;
		g_string_append_c(text, ',');
		*list = true;
	}
}

static bool read_nodes(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t min, max;
	bool list;

	if (!need(o, value, error))
		return false;
	GString *text = g_string_new(NULL);
	bool ok = parse_nodes(value, &min, &max, text, &list);

	if (!ok || (min == 0 && max >= min)) {
		g_set_error(error, REQUEST_ERROR, 0, "\"%s\" is not a valid node count for --nodes; want %s", value,
		            o->want);
		ok = false;
	} else if (min > max) {
		g_set_error(error, REQUEST_ERROR, 0,
		            "--nodes=%s: Maximum node count %u is less than minimum node count %u; want MIN-MAX", value,
		            max, min);
		ok = false;
	}
	if (ok) {
		r->min_nodes = min;
		r->max_nodes = max;
		set_string(&r->node_counts, list ? g_strdup(text->str) : NULL);
	}
	g_string_free(text, TRUE);
	return ok;
}

/* A GRES name or type. */
static bool is_gres_word(const char *s)
{
	return g_ascii_isalnum(*s) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+") == strlen(s);
}

/* 3.5: name[[:type]:count]. MIG types such as "1g.10gb" begin with a digit: what is no count may be a type. */
static bool is_gres_item(const char *item)
{
	char **word = g_strsplit(item, ":", 4);
	guint n = g_strv_length(word);
	uint64_t count;
	bool ok = n >= 1 && n <= 3 && is_gres_word(word[0]);

	if (ok && n == 2)
		ok = count_parse(word[1], &count) || is_gres_word(word[1]);
	if (ok && n == 3)
		ok = is_gres_word(word[1]) && count_parse(word[2], &count);
	g_strfreev(word);
	return ok;
}

/* A checked comma list of GRES; PREFIX ("gpu:" or "") goes before each item and "gres/" off it. NULL = bad. g_free. */
static char *gres_list(const char *value, const char *prefix)
{
	char **items = g_strsplit(value, ",", -1);
	GString *out = g_string_new(NULL);
	bool ok = true;

	for (char **p = items; ok && *p != NULL; p++) {
		const char *item = g_str_has_prefix(*p, "gres/") ? *p + strlen("gres/") : *p;
		char *full = g_strconcat(prefix, item, NULL);

		ok = is_gres_item(full);
		g_string_append_printf(out, "%s%s", out->len ? "," : "", full);
		g_free(full);
	}
	g_strfreev(items);
	return g_string_free(out, !ok);
}

/* --gres or --gpus-per-node: r->gres is made of both. */
static bool set_gres(struct job_request *r, const struct option *o, const char *value, const char *prefix,
                     GError **error)
{
	if (!need(o, value, error))
		return false;
	char *list = gres_list(value, prefix);

	if (list == NULL)
		return invalid(o, value, o->want, error);
	set_string(string_at(r, o->field), list);
	const char *a = r->gres_given, *b = r->gpus_per_node;

	set_string(&r->gres, a != NULL && b != NULL ? g_strconcat(a, ",", b, NULL) : g_strdup(a != NULL ? a : b));
	return true;
}

static bool read_gres(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return set_gres(r, o, value, "", error);
}

static bool read_gpus_per_node(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return set_gres(r, o, value, "gpu:", error);
}

/* [type:]n[,..], kept as given. */
static bool read_gpus(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!need(o, value, error))
		return false;
	char *list = gres_list(value, "gpu:");
	bool ok = list != NULL;

	g_free(list);
	if (!ok)
		return invalid(o, value, o->want, error);
	set_string(string_at(r, o->field), g_strdup(value));
	return true;
}

static bool read_gres_flags(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	static const char *const known[] = {"enforce-binding",      "disable-binding",
	                                    "one-task-per-sharing", "multiple-tasks-per-sharing",
	                                    "allow-task-sharing",   NULL};

	if (!need(o, value, error))
		return false;
	char **flags = g_strsplit(value, ",", -1);
	bool ok = true;

	for (char **p = flags; ok && *p != NULL; p++)
		ok = g_strv_contains(known, *p);
	g_strfreev(flags);
	if (!ok)
		return invalid(o, value, o->want, error);
	set_string(&r->gres_flags, g_strdup(value));
	return true;
}

/* "n[@time]" */
static bool read_switches(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	int64_t wait = -1;
	uint32_t n;

	if (!need(o, value, error))
		return false;
	const char *at = strchr(value, '@');
	char *count = at != NULL ? g_strndup(value, (gsize)(at - value)) : g_strdup(value);
	bool ok = parse_number(count, 0, &n) && (at == NULL || duration_parse_seconds(at + 1, &wait));

	g_free(count);
	if (!ok)
		return invalid(o, value, o->want, error);
	r->switches = n;
	r->switches_wait = at != NULL && wait < 0 ? INT32_MAX : wait; /* unlimited: max_switch_wait caps it */
	return true;
}

/* One level of --distribution: "*", "block", "cyclic" or "fcyclic" (the same for an allocation, N54). */
static bool parse_level(const char *word, int *level)
{
	if (strcmp(word, "*") == 0)
		*level = DIST_DEFAULT;
	else if (g_ascii_strcasecmp(word, "block") == 0)
		*level = DIST_BLOCK;
	else if (g_ascii_strcasecmp(word, "cyclic") == 0 || g_ascii_strcasecmp(word, "fcyclic") == 0)
		*level = DIST_CYCLIC;
	else
		return false;
	return true;
}

/* The node level, which may also be plane=N or arbitrary. */
static bool parse_node_level(const char *word, int *level, uint32_t *plane)
{
	if (g_ascii_strncasecmp(word, "plane", 5) == 0) {
		*level = DIST_PLANE;
		return word[5] == '\0' || (word[5] == '=' && parse_number(word + 6, 1, plane));
	}
	if (g_ascii_strcasecmp(word, "arbitrary") == 0) {
		*level = DIST_ARBITRARY;
		return true;
	}
	return g_ascii_strcasecmp(word, "fcyclic") != 0 && parse_level(word, level);
}

/* nodes[:sockets[:cores]][,Pack|NoPack] */
static bool read_distribution(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	int level[3] = {DIST_DEFAULT, DIST_DEFAULT, DIST_DEFAULT};
	uint32_t plane = NO_VAL;

	if (!need(o, value, error))
		return false;
	char **part = g_strsplit(value, ",", 2);
	char **word = g_strsplit(part[0], ":", 4);
	guint n = g_strv_length(word);
	bool ok = n >= 1 && n <= 3 && parse_node_level(word[0], &level[0], &plane);

	for (guint i = 1; ok && i < n; i++)
		ok = parse_level(word[i], &level[i]);
	if (ok && part[1] != NULL)
		ok = g_ascii_strcasecmp(part[1], "pack") == 0 || g_ascii_strcasecmp(part[1], "nopack") == 0;
	g_strfreev(word);
	g_strfreev(part);
	if (!ok)
		return invalid(o, value, o->want, error);
	r->distribution = level[0];
	r->distribution_socket = level[1];
	r->plane_size = plane;
	return true;
}

static bool is_signal(const char *s)
{
	static const char *const known[] = {"HUP",  "INT", "QUIT",  "ABRT", "KILL", "ALRM",  "TERM", "USR1",
	                                    "USR2", "URG", "CONT",  "STOP", "TSTP", "TTIN",  "TTOU", "XCPU",
	                                    "PIPE", "BUS", "FPE",   "ILL",  "SEGV", "TRAP",  "CHLD", "PROF",
	                                    "IO",   "SYS", "WINCH", "PWR",  "XFSZ", "VTALRM"};
	uint32_t number;

	if (g_ascii_isdigit(*s))
		return parse_number(s, 0, &number) && number <= 64;
	if (g_ascii_strncasecmp(s, "SIG", 3) == 0)
		s += 3;
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (g_ascii_strcasecmp(s, known[i]) == 0)
			return true;
	return false;
}

/* 3.8: [{R|B}:]<number|name>[@seconds 0..65535] */
static bool read_signal(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t seconds = 0;

	if (!need(o, value, error))
		return false;
	const char *colon = strchr(value, ':'), *start = colon != NULL ? colon + 1 : value, *at = strchr(start, '@');
	char *sig = at != NULL ? g_strndup(start, (gsize)(at - start)) : g_strdup(start);
	bool ok = colon == NULL || (colon > value && strspn(value, "RBrb") == (size_t)(colon - value));

	ok = ok && is_signal(sig) && (at == NULL || (parse_number(at + 1, 0, &seconds) && seconds <= 65535));
	g_free(sig);
	if (!ok)
		return invalid(o, value, o->want, error);
	set_string(&r->signal, g_strdup(value));
	return true;
}

/* Bare = 100; sbatch does not check the text ("abc" is 0), only the range (P21). */
static bool read_nice(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	int64_t v = value != NULL && *value != '\0' ? g_ascii_strtoll(value, NULL, 10) : 100;

	if (v < -INT64_C(2147483645) || v > INT64_C(2147483645))
		return invalid(o, value, o->want, error);
	r->nice = v;
	r->nice_set = true;
	return true;
}

/* sbatch ignores what is no number. */
static bool read_priority(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!need(o, value, error))
		return false;
	if (g_ascii_strcasecmp(value, "TOP") == 0) {
		r->priority = NO_VAL - 1;
		return true;
	}
	if (!g_ascii_isdigit(*value))
		return true;
	uint64_t v = g_ascii_strtoull(value, NULL, 10); /* overflow gives the largest number */

	if (v >= NO_VAL)
		return invalid(o, value, o->want, error);
	r->priority = (uint32_t)v;
	return true;
}

/* -B sockets[:cores[:threads]], "*" = any. */
static bool read_extra_node_info(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t shape[3] = {NO_VAL, NO_VAL, NO_VAL};

	if (!need(o, value, error))
		return false;
	char **word = g_strsplit(value, ":", 4);
	guint n = g_strv_length(word);
	bool ok = n <= 3;

	for (guint i = 0; ok && i < n; i++)
		ok = strcmp(word[i], "*") == 0 || parse_number(word[i], 1, &shape[i]);
	g_strfreev(word);
	if (!ok)
		return invalid(o, value, o->want, error);
	r->sockets_per_node = shape[0];
	r->cores_per_socket = shape[1];
	r->threads_per_core = shape[2];
	return true;
}

/* A hint sets what was not given explicitly (sbatch.md section 4). */
static bool read_hint(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!need(o, value, error))
		return false;
	bool memory = strcmp(value, "memory_bound") == 0;

	if (strcmp(value, "multithread") == 0)
		return true;
	if (!memory && strcmp(value, "compute_bound") != 0 && strcmp(value, "nomultithread") != 0)
		return invalid(o, value, o->want, error);
	if (r->threads_per_core == NO_VAL)
		r->threads_per_core = 1;
	if (memory && r->cores_per_socket == NO_VAL)
		r->cores_per_socket = 1;
	return true;
}

/* One item of --tres-per-task: cpu=N, gres/gpu[:type]=N, shard, mps (a colon is also taken for the "="). */
static bool read_task_tres(struct job_request *r, const char *item)
{
	static const char gres[] = "gres/";
	uint32_t n;

	if (g_str_has_prefix(item, "cpu=") || g_str_has_prefix(item, "cpu:"))
		return parse_number(item + 4, 1, &r->cpus_per_task);
	if (!g_str_has_prefix(item, gres))
		return false;
	char *text = g_strdelimit(g_strdup(item + strlen(gres)), "=", ':');
	const char *last = strrchr(text, ':');
	bool gpu = g_str_has_prefix(text, "gpu:"), shares = g_str_has_prefix(text, "shard:") || g_str_has_prefix(text, "mps:");

	if (!last || !(gpu || shares) || !parse_number(last + 1, 1, &n) || !is_gres_item(text)) {
		g_free(text);
		return false;
	}
	if (gpu)
		set_string(&r->gpus_per_task, g_strdup(text + strlen("gpu:")));
	else
		set_string(&r->gres_per_task,
		           r->gres_per_task ? g_strconcat(r->gres_per_task, ",", text, NULL) : g_strdup(text));
	g_free(text);
	return true;
}

static bool read_tres_per_task(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!need(o, value, error))
		return false;
	char **items = g_strsplit(value, ",", -1);
	bool ok = true;

	for (char **p = items; ok && *p != NULL; p++)
		ok = read_task_tres(r, *p);
	g_strfreev(items);
	return ok || invalid(o, value, o->want, error);
}

/* ---- the table ---- */

static const char want_memory[] = "a whole number with K, M, G or T, such as 4000M or 16G";
static const char want_limit[] = "minutes, minutes:seconds, hours:minutes:seconds or days-hours[:minutes[:seconds]]";
static const char want_when[] = "a time such as 2026-03-01T08:00, 18:30, tomorrow or now+2hours";
static const char want_gpus[] = "[type:]count such as 2 or a100:4";

static const struct option options[] = {
    {"account", read_text, F(account), NULL},
    {"array", read_text, F(array), "indexes such as 0-99%10"},
    {"begin", read_when, F(begin_text), want_when},
    {"chdir", read_text, F(workdir), NULL},
    {"comment", read_text, F(comment), NULL},
    {"consolidate-segments", read_flag, F(consolidate_segments), NULL},
    {"constraint", read_text, F(constraint), NULL},
    {"contiguous", read_flag, F(contiguous), NULL},
    {"core-spec", read_core_spec, F(core_spec), "a count of cores"},
    {"cores-per-socket", read_number, F(cores_per_socket), "a count of cores"},
    {"cpus-per-gpu", read_number, F(cpus_per_gpu), "a count of CPUs"},
    {"cpus-per-task", read_number, F(cpus_per_task), "a count of CPUs"},
    {"deadline", read_when, F(deadline_text), want_when},
    {"delay-boot", read_limit, F(delay_boot), want_limit},
    {"dependency", read_text, F(dependency), "a list such as afterok:123"},
    {"distribution", read_distribution, 0,
     "block, cyclic, plane=N or arbitrary, then :block or :cyclic for the sockets"},
    {"exclude", read_text, F(exclude), "a host list"},
    {"exclusive", read_exclusive, 0, "no value, or user, mcs or topo"},
    {"extra-node-info", read_extra_node_info, 0, "sockets[:cores[:threads]], \"*\" for any"},
    {"gpus", read_gpus, F(gpus), want_gpus},
    {"gpus-per-node", read_gpus_per_node, F(gpus_per_node), want_gpus},
    {"gpus-per-socket", read_gpus, F(gpus_per_socket), want_gpus},
    {"gpus-per-task", read_gpus, F(gpus_per_task), want_gpus},
    {"gres", read_gres, F(gres_given), "name[[:type]:count], a comma list such as gpu:a100:2"},
    {"gres-flags", read_gres_flags, 0,
     "enforce-binding, disable-binding, one-task-per-sharing, multiple-tasks-per-sharing or allow-task-sharing"},
    {"hint", read_hint, 0, "compute_bound, memory_bound, multithread or nomultithread"},
    {"hold", read_flag, F(hold), NULL},
    {"job-name", read_text, F(name), NULL},
    {"kill-on-invalid-dep", read_kill_on_invalid_dep, 0, "yes or no"},
    {"licenses", read_text, F(licenses), "a list such as matlab:2"},
    {"mem", read_memory, F(mem_per_node), want_memory},
    {"mem-per-cpu", read_memory, F(mem_per_cpu), want_memory},
    {"mem-per-gpu", read_memory, F(mem_per_gpu), want_memory},
    {"mincpus", read_number, F(mincpus), "a count of CPUs"},
    {"name", read_text, F(name), NULL},
    {"nice", read_nice, 0, "a number from -2147483645 to 2147483645"},
    {"no-kill", read_no_kill, 0, NULL},
    {"no-requeue", read_no_requeue, 0, NULL},
    {"nodelist", read_text, F(nodelist), "a host list"},
    {"nodes", read_nodes, 0,
     "a count from 1, a range such as 2-6, a list such as 1,5,9 or a range with a step, 1-15:4"},
    {"ntasks", read_number, F(ntasks), "a count of tasks"},
    {"ntasks-per-core", read_number, F(ntasks_per_core), "a count of tasks"},
    {"ntasks-per-gpu", read_number, F(ntasks_per_gpu), "a count of tasks"},
    {"ntasks-per-node", read_number, F(ntasks_per_node), "a count of tasks"},
    {"ntasks-per-socket", read_number, F(ntasks_per_socket), "a count of tasks"},
    {"overcommit", read_flag, F(overcommit), NULL},
    {"oversubscribe", read_oversubscribe, 0, NULL},
    {"partition", read_text, F(partition), NULL},
    {"prefer", read_text, F(prefer), NULL},
    {"priority", read_priority, 0, "a number below 4294967294 or TOP"},
    {"qos", read_text, F(qos), NULL},
    {"reboot", read_flag, F(reboot), NULL},
    {"requeue", read_requeue, 0, NULL},
    {"reservation", read_text, F(reservation), NULL},
    {"segment", read_number, F(segment), "a count of nodes"},
    {"share", read_oversubscribe, 0, NULL}, /* the old name of oversubscribe */
    {"signal", read_signal, 0, "[R:|B:]signal[@seconds] such as B:USR1@120"},
    {"sockets-per-node", read_number, F(sockets_per_node), "a count of sockets"},
    {"spread-job", read_flag, F(spread_job), NULL},
    {"spread-segments", read_flag, F(spread_segments), NULL},
    {"switches", read_switches, 0, "count[@time] such as 1@10:00"},
    {"thread-spec", read_thread_spec, F(core_spec), "a count of threads"},
    {"threads-per-core", read_number, F(threads_per_core), "a count of threads"},
    {"time", read_limit, F(time_limit), want_limit},
    {"time-min", read_limit, F(time_min), want_limit},
    {"tmp", read_memory, F(tmp), want_memory},
    {"tres-per-task", read_tres_per_task, 0, "cpu=N or gres/gpu[:type]=N, also shard and mps; other kinds are not modelled"},
    {"uid", read_text, F(user), NULL},
    {"use-min-nodes", read_flag, F(use_min_nodes), NULL},
    {"user", read_text, F(user), NULL},
    {"wckey", read_text, F(wckey), NULL},
};

/* Known to sbatch and without effect on scheduling (sbatch.md section 2, last row). */
static const char *const ignored_options[] = {
    "acctg-freq",
    "batch",
    "bb",
    "bbf",
    "clusters",
    "container",
    "container-id",
    "cpu-bind",
    "cpu-freq",
    "error",
    "export",
    "export-file",
    "extra",
    "get-user-env",
    "gid",
    "gpu-bind",
    "gpu-freq",
    "ignore-pbs",
    "input",
    "mail-type",
    "mail-user",
    "mcs-label",
    "mem-bind",
    "network",
    "oom-kill-step",
    "open-mode",
    "output",
    "parsable",
    "profile",
    "propagate",
    "quiet",
    "stepmgr",
    "test-only",
    "verbose",
    "wait",
    "wait-all-nodes",
    "wrap",
    "x11",
};

/* The option whose name shares the longest beginning with NAME, to be proposed; NULL when that is under 3 letters. */
static const char *closest(const char *name)
{
	const char *best = NULL;
	size_t most = 2;

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		size_t n = 0;
		while (name[n] != '\0' && name[n] == options[i].name[n])
			n++;
		if (n > most) {
			most = n;
			best = options[i].name;
		}
	}
	return best;
}

static bool unknown(const char *name, GError **error)
{
	const char *best = closest(name);

	if (best != NULL)
		g_set_error(error, REQUEST_ERROR, 0, "unknown option --%s; did you mean --%s?", name, best);
	else
		g_set_error(error, REQUEST_ERROR, 0,
		            "unknown option --%s; want a long option of sbatch such as ntasks, time or gres", name);
	return false;
}

static int by_name(const void *name, const void *option)
{
	return strcmp(name, ((const struct option *)option)->name);
}

bool job_request_set(struct job_request *r, const char *option, const char *value, GError **error)
{
	char *name = g_strdelimit(g_strdup(option), "_", '-');
	const struct option *o = bsearch(name, options, G_N_ELEMENTS(options), sizeof(*options), by_name);
	bool ok;

	if (o != NULL) {
		ok = o->read(r, o, value, error);
	} else {
		ok = false;
		for (size_t i = 0; !ok && i < G_N_ELEMENTS(ignored_options); i++)
			ok = strcmp(name, ignored_options[i]) == 0;
		if (!ok)
			unknown(name, error);
	}
	g_free(name);
	return ok;
}
