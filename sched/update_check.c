/* update_check.c - what scontrol finds wrong with "update job=..." before it asks slurmctld; see update_job.h */
#include "sched/update_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BIGGEST 2147483645 /* of nice and site factor */
#define COMPLAIN(err, ...) (g_set_error(err, SUBMIT_ERROR, UPDATE_LINE, __VA_ARGS__), false)

int64_t update_number(const char *value)
{
	return g_ascii_strtoll(value, NULL, 10);
}

static bool is_count(const char *text)
{
	char *end;
	errno = 0;
	guint64 n = g_ascii_strtoull(text, &end, 10);
	return g_ascii_isdigit(*text) && !*end && !errno && n < NO_VAL;
}

static bool is_flag(const char *text)
{
	static const char *const words[] = {"yes", "no", "1", "0", NULL};
	for (int i = 0; words[i]; i++)
		if (g_ascii_strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* "4" or "2-4" */
static bool is_range(const char *text)
{
	g_auto(GStrv) ends = g_strsplit(text, "-", 2);
	return ends[0] && is_count(ends[0]) && (!ends[1] || is_count(ends[1]));
}

static bool check_limit(const struct job *j, const char *value, GError **error)
{
	bool less = value[0] == '-', more = value[0] == '+';
	uint32_t minutes;
	if (!duration_parse_minutes(value + (less || more), &minutes) || ((less || more) && minutes == INFINITE))
		return COMPLAIN(error, "scontrol: error: Invalid TimeLimit value");
	if (less && j && j->time_limit != INFINITE && j->time_limit != NO_VAL && minutes > j->time_limit)
		return COMPLAIN(error, "scontrol: error: TimeLimit decrement larger than current time limit (%u > %u)", minutes, j->time_limit);
	return true;
}

static bool check_mail(const char *value, GError **error)
{
	static const char *const kinds[] = {"NONE", "BEGIN", "END", "FAIL", "REQUEUE", "ALL", "STAGE_OUT", "INVALID_DEPEND", "TIME_LIMIT",
	                                    "TIME_LIMIT_90", "TIME_LIMIT_80", "TIME_LIMIT_50", "ARRAY_TASKS", NULL};
	g_auto(GStrv) words = g_strsplit(value, ",", -1);
	for (char **w = words; *w; w++) {
		bool known = false;
		for (int i = 0; kinds[i] && !known; i++)
			known = g_ascii_strcasecmp(*w, kinds[i]) == 0;
		if (!known)
			return COMPLAIN(error, "Invalid MailType: %s", *w);
	}
	return words[0] ? true : COMPLAIN(error, "Invalid MailType: ");
}

/* A key's own name in messages: both names of the same key tell the first one. */
static bool check_value(const struct update_key *k, const struct job *j, const char *value, sec_t now, GError **error)
{
	sec_t t;
	int64_t n;
	switch (k->form) {
	case FORM_TEXT:
		return true;
	case FORM_COUNT:
		return is_count(value) ? true : COMPLAIN(error, "scontrol: error: Invalid %s value: %s", k->name, value);
	case FORM_FLAG:
		return is_flag(value) ? true : COMPLAIN(error, "scontrol: error: Invalid %s value: %s", k->name, value);
	case FORM_CPUS:
		if (!is_range(value))
			return COMPLAIN(error, "scontrol: error: Invalid numeric value \"%s\" for NumCPUs.\nscontrol: error: Invalid NumCPUs value: %s", value, value);
		return update_number(value) ? true : COMPLAIN(error, "scontrol: error: Invalid NumCPUs value: %s", value);
	case FORM_NODES:
		return is_range(value) ? true : COMPLAIN(error, "scontrol: error: Invalid numeric value \"%s\" for requested node count.", value);
	case FORM_LIMIT:
		return check_limit(j, value, error);
	case FORM_MINUTES:
		return value[0] != '+' && duration_parse_seconds(value, &n) ? true : COMPLAIN(error, "scontrol: error: Invalid TimeMin value");
	case FORM_DELAY:
		return duration_parse_seconds(value, &n) ? true : COMPLAIN(error, "scontrol: error: Invalid DelayBoot value");
	case FORM_DATE:
		if (!*value)
			return COMPLAIN(error, "No changes specified");
		return date_parse_begin(value, now, NULL, &t) ? true : COMPLAIN(error, "Invalid time specification (pos=0): %s\nNo changes specified", value);
	case FORM_PRIORITY:
		return is_count(value) ? true : COMPLAIN(error, "scontrol: error: Invalid Priority value: %s", value);
	case FORM_SMALL:
		n = update_number(value);
		return n >= -BIGGEST && n <= BIGGEST ? true : COMPLAIN(error, "scontrol: error: %s value out of range (+/- %d). Value ignored", k->name, BIGGEST);
	case FORM_MAIL:
		return check_mail(value, error);
	}
	return true;
}

bool controller_check_job_update(const struct job *j, const struct job_setting *set, uint32_t n, usec_t now, GError **error)
{
	bool any = false;
	for (uint32_t i = 0; i < n; i++) {
		const struct update_key *k = update_key_of(set[i].key);
		const char *value = set[i].value;
		if (!value && !(k && k->bare))
			return COMPLAIN(error, "Invalid input: %s\nRequest aborted", set[i].key);
		if (g_ascii_strcasecmp(set[i].key, "userid") == 0) /* whose jobs, with jobname= */
			continue;
		if (!k)
			return COMPLAIN(error, "Update of this parameter is not supported: %s=%s\nRequest aborted", set[i].key, value);
		if (value && !check_value(k, j, value, usec_to_sec(now), error))
			return false;
		any = true;
	}
	return any ? true : COMPLAIN(error, "No changes specified");
}
