/* resv_helper.h - reservations made by a line of KEY=VALUE; over sched_helper.h. */
#ifndef TESTS_UNIT_RESV_HELPER_H
#define TESTS_UNIT_RESV_HELPER_H
#include "tests/unit/sched_helper.h"
#include "sched/reservation.h"

/* "KEY=VALUE KEY=VALUE ..." at T; NAME may be NULL. */
static inline bool try_create(struct world *w, sec_t t, const char *name, const char *text, GError **error)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	struct resv_setting set[16];
	uint32_t n = 0;
	for (char **it = words; *it; it++) {
		char *eq = strchr(*it, '=');
		assert_non_null(eq);
		*eq = '\0';
		set[n++] = (struct resv_setting){*it, eq + 1};
	}
	char *given = g_strdup(name), *made = given;
	bool ok = controller_create_reservation(w->c, set, n, t * USEC, &made, error);
	if (made != given)
		g_free(made);
	g_free(given);
	return ok;
}

static inline struct reservation *create(struct world *w, sec_t t, const char *name, const char *text)
{
	GError *error = NULL;
	if (!try_create(w, t, name, text, &error))
		fail_msg("%s", error->message);
	return resv_find(w->c, name);
}

static inline void not_created(struct world *w, sec_t t, const char *text, const char *message)
{
	GError *error = NULL;
	assert_false(try_create(w, t, "x", text, &error));
	const char *said = error ? error->message : "";
	if (!strstr(said, message))
		fail_msg("\"%s\" does not hold \"%s\"", said, message);
	g_error_free(error);
}

static inline void text_is(const struct job *j, const char *text)
{
	w_waits(j, REASON_REQ_NODE_NOT_AVAIL);
	assert_string_equal(j->reason_text, text);
}

#define OTHERS "ReqNodeNotAvail, May be reserved for other job"
#define MAINTENANCE "ReqNodeNotAvail, Reserved for maintenance"
#endif
