/* request_shape.c - readers of options whose values have a grammar of their own; see request_read.h */
#include "sched/request_read.h"
#include "sched/base/memsize.h"
#include <stdlib.h>
#include <string.h>

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

bool request_read_nodes(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t min, max;
	bool list;

	if (!request_need(o, value, error))
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
		request_set_string(&r->node_counts, list ? g_strdup(text->str) : NULL);
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
	if (!request_need(o, value, error))
		return false;
	char *list = gres_list(value, prefix);

	if (list == NULL)
		return request_invalid(o, value, o->want, error);
	request_set_string(request_string_at(r, o->field), list);
	const char *a = r->gres_given, *b = r->gpus_per_node;

	request_set_string(&r->gres, a != NULL && b != NULL ? g_strconcat(a, ",", b, NULL) : g_strdup(a != NULL ? a : b));
	return true;
}

bool request_read_gres(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return set_gres(r, o, value, "", error);
}

bool request_read_gpus_per_node(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return set_gres(r, o, value, "gpu:", error);
}

/* [type:]n[,..], kept as given. */
bool request_read_gpus(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	char *list = gres_list(value, "gpu:");
	bool ok = list != NULL;

	g_free(list);
	if (!ok)
		return request_invalid(o, value, o->want, error);
	request_set_string(request_string_at(r, o->field), g_strdup(value));
	return true;
}

bool request_read_gres_flags(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	static const char *const known[] = {"enforce-binding",      "disable-binding",
	                                    "one-task-per-sharing", "multiple-tasks-per-sharing",
	                                    "allow-task-sharing",   NULL};

	if (!request_need(o, value, error))
		return false;
	char **flags = g_strsplit(value, ",", -1);
	bool ok = true;

	for (char **p = flags; ok && *p != NULL; p++)
		ok = g_strv_contains(known, *p);
	g_strfreev(flags);
	if (!ok)
		return request_invalid(o, value, o->want, error);
	request_set_string(&r->gres_flags, g_strdup(value));
	return true;
}

/* "n[@time]" */
bool request_read_switches(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	int64_t wait = -1;
	uint32_t n;

	if (!request_need(o, value, error))
		return false;
	const char *at = strchr(value, '@');
	char *count = at != NULL ? g_strndup(value, (gsize)(at - value)) : g_strdup(value);
	bool ok = request_parse_number(count, 0, &n) && (at == NULL || duration_parse_seconds(at + 1, &wait));

	g_free(count);
	if (!ok)
		return request_invalid(o, value, o->want, error);
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
		return word[5] == '\0' || (word[5] == '=' && request_parse_number(word + 6, 1, plane));
	}
	if (g_ascii_strcasecmp(word, "arbitrary") == 0) {
		*level = DIST_ARBITRARY;
		return true;
	}
	return g_ascii_strcasecmp(word, "fcyclic") != 0 && parse_level(word, level);
}

/* nodes[:sockets[:cores]][,Pack|NoPack] */
bool request_read_distribution(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	int level[3] = {DIST_DEFAULT, DIST_DEFAULT, DIST_DEFAULT};
	uint32_t plane = NO_VAL;

	if (!request_need(o, value, error))
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
		return request_invalid(o, value, o->want, error);
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
		return request_parse_number(s, 0, &number) && number <= 64;
	if (g_ascii_strncasecmp(s, "SIG", 3) == 0)
		s += 3;
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (g_ascii_strcasecmp(s, known[i]) == 0)
			return true;
	return false;
}

/* 3.8: [{R|B}:]<number|name>[@seconds 0..65535] */
bool request_read_signal(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t seconds = 0;

	if (!request_need(o, value, error))
		return false;
	const char *colon = strchr(value, ':'), *start = colon != NULL ? colon + 1 : value, *at = strchr(start, '@');
	char *sig = at != NULL ? g_strndup(start, (gsize)(at - start)) : g_strdup(start);
	bool ok = colon == NULL || (colon > value && strspn(value, "RBrb") == (size_t)(colon - value));

	ok = ok && is_signal(sig) && (at == NULL || (request_parse_number(at + 1, 0, &seconds) && seconds <= 65535));
	g_free(sig);
	if (!ok)
		return request_invalid(o, value, o->want, error);
	request_set_string(&r->signal, g_strdup(value));
	return true;
}

/* Bare = 100; sbatch does not check the text ("abc" is 0), only the range (P21). */
bool request_read_nice(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	int64_t v = value != NULL && *value != '\0' ? g_ascii_strtoll(value, NULL, 10) : 100;

	if (v < -INT64_C(2147483645) || v > INT64_C(2147483645))
		return request_invalid(o, value, o->want, error);
	r->nice = v;
	r->nice_set = true;
	return true;
}

/* sbatch ignores what is no number. */
bool request_read_priority(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	if (g_ascii_strcasecmp(value, "TOP") == 0) {
		r->priority = NO_VAL - 1;
		return true;
	}
	if (!g_ascii_isdigit(*value))
		return true;
	uint64_t v = g_ascii_strtoull(value, NULL, 10); /* overflow gives the largest number */

	if (v >= NO_VAL)
		return request_invalid(o, value, o->want, error);
	r->priority = (uint32_t)v;
	return true;
}

/* -B sockets[:cores[:threads]], "*" = any. */
bool request_read_extra_node_info(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t shape[3] = {NO_VAL, NO_VAL, NO_VAL};

	if (!request_need(o, value, error))
		return false;
	char **word = g_strsplit(value, ":", 4);
	guint n = g_strv_length(word);
	bool ok = n <= 3;

	for (guint i = 0; ok && i < n; i++)
		ok = strcmp(word[i], "*") == 0 || request_parse_number(word[i], 1, &shape[i]);
	g_strfreev(word);
	if (!ok)
		return request_invalid(o, value, o->want, error);
	r->sockets_per_node = shape[0];
	r->cores_per_socket = shape[1];
	r->threads_per_core = shape[2];
	return true;
}

/* A hint sets what was not given explicitly (sbatch.md section 4). */
bool request_read_hint(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	bool memory = strcmp(value, "memory_bound") == 0;

	if (strcmp(value, "multithread") == 0)
		return true;
	if (!memory && strcmp(value, "compute_bound") != 0 && strcmp(value, "nomultithread") != 0)
		return request_invalid(o, value, o->want, error);
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
		return request_parse_number(item + 4, 1, &r->cpus_per_task);
	if (!g_str_has_prefix(item, gres))
		return false;
	char *text = g_strdelimit(g_strdup(item + strlen(gres)), "=", ':');
	const char *last = strrchr(text, ':');
	bool gpu = g_str_has_prefix(text, "gpu:"), shares = g_str_has_prefix(text, "shard:") || g_str_has_prefix(text, "mps:");

	if (!last || !(gpu || shares) || !request_parse_number(last + 1, 1, &n) || !is_gres_item(text)) {
		g_free(text);
		return false;
	}
	if (gpu)
		request_set_string(&r->gpus_per_task, g_strdup(text + strlen("gpu:")));
	else
		request_set_string(&r->gres_per_task,
		           r->gres_per_task ? g_strconcat(r->gres_per_task, ",", text, NULL) : g_strdup(text));
	g_free(text);
	return true;
}

bool request_read_tres_per_task(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	char **items = g_strsplit(value, ",", -1);
	bool ok = true;

	for (char **p = items; ok && *p != NULL; p++)
		ok = read_task_tres(r, *p);
	g_strfreev(items);
	return ok || request_invalid(o, value, o->want, error);
}
