/* snapshot_read.c - the folder of a snapshot: which files, reservations, history, and what a run of whypend adds. */
#include "models/conflex.h"
#include "models/shown.h"
#include "scenarios/snapshot.h"
#include <stdlib.h>
#include <string.h>

#define SQUEUE_MAX (256u << 20)

/* ---- reservations ---- */

static const char *const resv_words[] = {
    "ReservationName", "StartTime", "EndTime",     "Duration",          "Nodes",   "NodeCnt", "CoreCnt", "Features",
    "PartitionName",   "Flags",     "TRES",        "AllowedPartitions", "QOS",     "Users",   "Groups",  "Accounts",
    "Licenses",        "State",     "BurstBuffer", "MaxStartDelay",     "Comment", "Watts",   "Qos",     "NodeName",
    "CoreIDs",       "GRES",  NULL};

static const char *pair_value(const struct conf_pair *pair, guint n, const char *key)
{
	for (guint i = 0; i < n; i++)
		if (g_ascii_strcasecmp(pair[i].key, key) == 0 && strcmp(pair[i].value, "(null)"))
			return pair[i].value;
	return "";
}

/* Flags as they may be given; IGNORE_JOBS, since the jobs were there first. Those that exchange nodes are not for named ones. */
static char *resv_flags(const char *shown)
{
	static const char *const left_out[] = {"SPEC_NODES", "ALL_NODES", "PART_NODES", "IGNORE_JOBS", "REPLACE", "REPLACE_DOWN", NULL};
	char **list = g_strsplit(shown, ",", -1);
	GString *out = g_string_new("IGNORE_JOBS");

	for (char **s = list; *s; s++)
		if (**s && !g_strv_contains(left_out, *s))
			g_string_append_printf(out, ",%s", *s);
	g_strfreev(list);
	return g_string_free(out, FALSE);
}

/* Its nodes follow the cluster or its partition. */
static bool takes_all(const char *shown)
{
	char **list = g_strsplit(shown, ",", -1);
	bool all = g_strv_contains((const char *const *)list, "ALL_NODES") || g_strv_contains((const char *const *)list, "PART_NODES");

	g_strfreev(list);
	return all;
}

/* "gpu:h100:2(IDX:0-1),bw:6" as ":gpu=0-1:bw=x6" */
static void add_devices(GString *o, const char *text)
{
	while (*text) {
		const char *colon = strchr(text, ':'), *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL,
		           *comma = strchr(text, ',');
		if (!colon)
			return;
		bool listed = close && (!comma || open < comma) && g_str_has_prefix(open, "(IDX:");
		const char *end = listed ? close + 1 : comma ? comma : text + strlen(text), *last = end;
		while (last > text && last[-1] != ':')
			last--;
		g_string_append_printf(o, ":%.*s=", (int)(colon - text), text);
		if (listed)
			g_string_append_len(o, open + 5, close - open - 5);
		else
			g_string_append_printf(o, "x%.*s", (int)(end - last), last);
		text = *end == ',' ? end + 1 : end;
	}
}

/* What it has of its nodes (sched/resv_gres.h); NULL = all of them. */
static char *parts(const struct conf_pair *pair, guint n)
{
	GString *o = g_string_new(NULL);

	for (guint i = 0; i + 1 < n; i++) {
		if (g_ascii_strcasecmp(pair[i].key, "NodeName") || g_ascii_strcasecmp(pair[i + 1].key, "CoreIDs"))
			continue;
		g_string_append_printf(o, "%s%s:%s", o->len ? "+" : "", pair[i].value, pair[i + 1].value);
		if (i + 2 < n && !g_ascii_strcasecmp(pair[i + 2].key, "GRES"))
			add_devices(o, pair[i + 2].value);
	}
	return o->len ? g_string_free(o, FALSE) : (g_string_free(o, TRUE), NULL);
}

static void take_reservation(const struct conf_pair *pair, guint n, void *data)
{
	static const char *const copied[] = {"StartTime", "EndTime",  "Nodes",    "Features",      "PartitionName",
	                                     "Users",     "Groups",   "Accounts", "Licenses", "MaxStartDelay", "AllowedPartitions",
	                                     "QOS"};
	struct snapshot *s = data;
	GString *command = g_string_new("scontrol create reservation=");
	char *flags = resv_flags(pair_value(pair, n, "Flags")), *held = parts(pair, n);

	g_string_append(command, pair->value);
	if (held)
		g_string_append_printf(command, " Parts=%s", held);
	for (gsize i = 0; i < G_N_ELEMENTS(copied); i++) {
		const char *value = pair_value(pair, n, copied[i]);
		if (strcmp(copied[i], "Nodes") == 0 && held)
			continue;
		if (strcmp(copied[i], "Nodes") == 0 && takes_all(pair_value(pair, n, "Flags")))
			value = "ALL";

		if (*value)
			g_string_append_printf(command, " %s=%s", copied[i], value);
	}
	g_string_append_printf(command, " Flags=%s", flags);
	g_ptr_array_add(s->reservations, g_string_free(command, FALSE));
	g_free(flags);
	g_free(held);
}

void snapshot_read_reservations(struct snapshot *s, const char *text, const char *name, struct diag *d)
{
	(void)d;
	if (strstr(text, "ReservationName="))
		shown_records(text, name, "ReservationName", resv_words, take_reservation, s);
}

/* ---- history ---- */

static void past_free(void *data)
{
	struct snap_past *p = data;

	g_free(p->user);
	g_free(p->partition);
	g_free(p);
}

/* Every job of a sacct file that ran: how much of its limit it used. */
static void read_history(struct snapshot *s, const char *path, struct diag *d)
{
	struct workload_options o = {.format = "sacct", .raise_limits = false};
	GError *error = NULL;
	struct workload *w = workload_open(path, &o, &error);
	struct submission *sub;

	if (!w) {
		diag_error(d, NULL, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
		return;
	}
	while ((sub = workload_next(w))) {
		uint32_t limit = sub->request->time_limit;
		double seconds = (double)sub->outcome.run_time / 1e6;

		if (limit && limit != NO_VAL && limit != INFINITE && seconds > 0) {
			struct snap_past *p = g_new0(struct snap_past, 1);

			p->user = g_strdup(sub->request->user ? sub->request->user : "");
			p->partition = g_strdup(sub->request->partition ? sub->request->partition : "");
			p->limit = limit;
			p->ratio = MIN(1.0, seconds / (limit * 60.0));
			g_ptr_array_add(s->history, p);
		}
		submission_free(sub);
	}
	workload_close(w);
}

/* ---- whypend.json ---- */

static double number(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(o, key);

	return cJSON_IsNumber(v) ? v->valuedouble : 0;
}

static void read_clock(struct snapshot *s, const cJSON *c)
{
	s->clock = (struct controller_clock){
	    .counter = (uint32_t)number(c, "counter"),
	    .next_id = (uint32_t)number(c, "next_id"),
	    .basic_low = (uint32_t)number(c, "basic_low"),
	    .last_full = (sec_t)number(c, "last_full"),
	    .last_sched = (sec_t)number(c, "last_sched"),
	    .last_sweep = (sec_t)number(c, "last_sweep"),
	    .last_purge = (sec_t)number(c, "last_purge"),
	    .bf_last_end = (sec_t)number(c, "bf_last_end"),
	    .last_update = (sec_t)number(c, "last_update"),
	    .last_resv = (sec_t)number(c, "last_resv"),
	    .last_resv_end = (sec_t)number(c, "last_resv_end"),
	    .bf_next_t = (usec_t)number(c, "bf_next_us"),
	    .prio_next_t = (usec_t)number(c, "prio_next_us"),
	    .decay_last = (sec_t)number(c, "decay_last"),
	    .decay_reset = (sec_t)number(c, "decay_reset"),
	    .decay_passes = (uint64_t)number(c, "decay_passes"),
	};
}

/* Seconds of this and of any other age, but none that arithmetic could not bear. */
static sec_t second(double x)
{
	return (sec_t)CLAMP(x, -1e12, 1e12);
}

static void read_pings(struct snapshot *s, const cJSON *c)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, cJSON_GetObjectItem(c, "heard"))
	{
		sec_t t = second(cJSON_IsNumber(one) ? one->valuedouble : 0);
		g_array_append_val(s->heard, t);
	}
	s->pings = (struct controller_pings){
	    .last = second(number(c, "last_ping")),
	    .rounds = (uint64_t)CLAMP(number(c, "ping_rounds"), 0, 1e12),
	    .soon = cJSON_IsTrue(cJSON_GetObjectItem(c, "ping_soon")),
	    .heard = (const sec_t *)(const void *)s->heard->data,
	    .n_heard = s->heard->len,
	};
}

static void read_own(struct snapshot *s, const char *text, const char *name, struct diag *d)
{
	cJSON *root = cJSON_Parse(text);
	const cJSON *schema = cJSON_GetObjectItem(root, "schema"), *sim = cJSON_GetObjectItem(root, "sim");

	if (!cJSON_IsString(schema) || strcmp(schema->valuestring, SNAPSHOT_SCHEMA)) {
		diag_error(d, name, 0, 0, "take the snapshot anew with this version",
		           "this is no \"" SNAPSHOT_SCHEMA "\"");
		cJSON_Delete(root);
		return;
	}
	s->own = true;
	s->at = (usec_t)number(root, "at_us");
	s->sim.clock = (enum sim_clock)CLAMP((int)number(sim, "clock"), 0, CLOCK_IDEAL);
	s->sim.controller_start = (usec_t)number(sim, "controller_start_us");
	s->sim.tick_phase = (usec_t)number(sim, "tick_phase_us");
	s->sim.tick_slip = (usec_t)CLAMP(number(sim, "tick_slip_us"), 0, 999999);
	s->sim.backfill_phase = (usec_t)number(sim, "backfill_phase_us");
	s->sim.decay_phase = (usec_t)number(sim, "decay_phase_us");
	s->sim.launch_latency = (usec_t)number(sim, "launch_latency_us");
	s->sim.epilog_latency = (usec_t)number(sim, "epilog_latency_us");
	s->sim.kill_latency = (usec_t)number(sim, "kill_latency_us");
	if (cJSON_HasObjectItem(sim, "boot_time_us"))
		s->sim.boot_time = (usec_t)number(sim, "boot_time_us");
	s->sim.release = (enum release_mode)CLAMP((int)number(sim, "release"), 0, RELEASE_REPLY_AT_TICK);
	read_clock(s, cJSON_GetObjectItem(root, "controller"));
	read_pings(s, cJSON_GetObjectItem(root, "controller"));
	s->usage = cJSON_DetachItemFromObject(root, "usage");
	s->users = cJSON_DetachItemFromObject(root, "users");
	s->options = cJSON_DetachItemFromObject(root, "options");
	cJSON_Delete(root);
}

static bool text_usage(const cJSON *o, const char *key, long double *out)
{
	const cJSON *v = cJSON_GetObjectItem(o, key);

	if (!cJSON_IsString(v))
		return false;
	*out = strtold(v->valuestring, NULL);
	return true;
}

static const char *word(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(o, key);

	return cJSON_IsString(v) && *v->valuestring ? v->valuestring : NULL;
}

static void set_usage(const struct tres_table *t, const cJSON *o, long double *usage, long double *tres, double *wall)
{
	const cJSON *list = cJSON_GetObjectItem(o, "tres"), *v;
	long double value;

	text_usage(o, "usage", usage);
	if (text_usage(o, "wall", &value))
		*wall = (double)value;
	cJSON_ArrayForEach(v, list)
	{
		int i = tres_find(t, v->string ? v->string : "");

		if (i >= 0 && tres && cJSON_IsString(v))
			tres[i] = strtold(v->valuestring, NULL);
	}
}

void snapshot_usage(const struct snapshot *s, struct cluster *c)
{
	const cJSON *o;
	long double value;

	cJSON_ArrayForEach(o, cJSON_GetObjectItem(s->usage, "associations"))
	{
		const char *account = word(o, "account"), *user = word(o, "user");
		struct assoc *a = !account ? NULL
		                  : user   ? acct_find(c->acct, user, account, word(o, "partition"))
		                           : acct_find_account(c->acct, account);

		if (!a)
			continue;
		set_usage(c->tres, o, &a->usage, a->tres_usage, &a->wall);
		if (text_usage(o, "fairshare", &value))
			a->fairshare = (double)value;
	}
	cJSON_ArrayForEach(o, cJSON_GetObjectItem(s->usage, "qos"))
	{
		struct qos *q = word(o, "name") ? acct_find_qos(c->acct, word(o, "name")) : NULL;

		if (q)
			set_usage(c->tres, o, &q->usage, q->tres_usage, &q->wall);
	}
}

/* ---- the folder ---- */

/* The text of DIR/NAME; NULL when there is no such file. */
static char *load(const struct snapshot *s, const char *name, char **path, struct diag *d)
{
	GError *error = NULL;
	char *text = NULL;

	*path = g_build_filename(s->dir, name, NULL);
	if (!g_file_test(*path, G_FILE_TEST_EXISTS))
		return NULL;
	text = conflex_load(*path, SQUEUE_MAX, &error);
	if (!text) {
		diag_error(d, NULL, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
	}
	return text;
}

typedef void (*part_fn)(struct snapshot *s, const char *text, const char *name, struct diag *d);

static bool read_part(struct snapshot *s, const char *name, part_fn fn, struct diag *d)
{
	char *path, *text = load(s, name, &path, d);

	if (text)
		fn(s, text, path, d);
	bool there = text != NULL;
	g_free(text);
	g_free(path);
	return there;
}

static int by_submission(const void *a, const void *b)
{
	const struct snap_job *x = *(struct snap_job *const *)a, *y = *(struct snap_job *const *)b;

	if (x->submit_t != y->submit_t)
		return x->submit_t < y->submit_t ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* A site's squeue does not say when it was taken where it is old or a text: the latest time in it. */
static usec_t latest(const struct snapshot *s)
{
	usec_t t = 0;

	for (guint i = 0; i < s->jobs->len; i++) {
		const struct snap_job *j = s->jobs->pdata[i];

		t = MAX(MAX(t, j->submit_t), MAX(j->state == JOB_PENDING ? 0 : j->start_t, j->end_t));
	}
	return t;
}

static void read_all(struct snapshot *s, struct diag *d)
{
	char *history = g_build_filename(s->dir, "sacct.txt", NULL);

	read_part(s, "whypend.json", read_own, d);
	if (!read_part(s, "squeue.json", snapshot_read_squeue_json, d) &&
	    !read_part(s, "squeue.txt", snapshot_read_squeue_text, d))
		diag_error(d, s->dir, 0, 0, "whypend snapshot-commands tells what belongs into it",
		           "there is no squeue.json and no squeue.txt in this folder");
	read_part(s, "scontrol-show-res.txt", snapshot_read_reservations, d);
	if (g_file_test(history, G_FILE_TEST_EXISTS))
		read_history(s, history, d);
	g_free(history);
	if (!s->own && s->jobs->len)
		qsort(s->jobs->pdata, s->jobs->len, sizeof(void *), by_submission);
	if (!s->at)
		s->at = latest(s);
}

struct snapshot *snapshot_read(const char *dir, GError **error)
{
	struct snapshot *s = g_new0(struct snapshot, 1);
	struct diag *d = diag_new();

	s->dir = g_strdup(dir);
	s->jobs = g_ptr_array_new_with_free_func(snap_job_free);
	s->reservations = g_ptr_array_new_with_free_func(g_free);
	s->history = g_ptr_array_new_with_free_func(past_free);
	s->warnings = g_ptr_array_new_with_free_func(g_free);
	s->heard = g_array_new(FALSE, FALSE, sizeof(sec_t));
	sim_options_init(&s->sim);
	if (g_file_test(dir, G_FILE_TEST_IS_DIR))
		read_all(s, d);
	else
		diag_error(d, dir, 0, 0, "whypend snapshot-commands tells what belongs into it", "this is no folder");
	for (guint i = 0; i < d->warnings->len; i++)
		g_ptr_array_add(s->warnings, g_strdup(d->warnings->pdata[i]));
	if (!diag_ok(d, error)) {
		snapshot_free(s);
		s = NULL;
	}
	diag_free(d);
	return s;
}

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	g_free(s->dir);
	g_ptr_array_unref(s->jobs);
	g_ptr_array_unref(s->reservations);
	g_ptr_array_unref(s->history);
	g_ptr_array_unref(s->warnings);
	g_array_unref(s->heard);
	cJSON_Delete(s->usage);
	cJSON_Delete(s->users);
	cJSON_Delete(s->options);
	g_free(s);
}
