/* sacct_json.c - sacct --json: table job of run.db in the shape of Slurm's data_parser. */
#include "sched/base/hostlist.h"
#include "tools/sacct_out.h"
#include "tools/sacct_steps.h"
#include "tools/schema_json.h"
#include <gio/gio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define EXIT "{status:l return_code:t signal{id:n name:s}} "
static const char JOB[] =
    "account:s comment{administrator:s job:s system:s} allocation_nodes:i array{job_id:i limits{max{running{tasks:i}}} "
    "task_id:n task:s} association{account:s cluster:s partition:s user:s id:i} block:s cluster:s constraints:s "
    "container:s sluid:s derived_exit_code" EXIT "time{elapsed:i eligible:i end:i planned:t start:i submission:i "
    "suspended:i system{seconds:i microseconds:i} limit:t total{seconds:i microseconds:i} user{seconds:i "
    "microseconds:i}} exclusive:s exit_code" EXIT "extra:s failed_node:s flags:l group:s het{job_id:i job_offset:n} "
    "job_id:i name:s licenses:s mcs{label:s} nodes:s oversubscribe:s partition:s hold:b priority:t qos:s qosreq:s "
    "required{CPUs:i memory_per_cpu:n memory_per_node:n} kill_request_user:s restart_cnt:i reservation{id:i name:s "
    "requested:s} script:s segment_size:i original_sluid:s stdin_expanded:s stdout_expanded:s stderr_expanded:s "
    "stdout:s stderr:s stdin:s state{current:l reason:s} steps:l submit_line:s tres{allocated:l requested:l} "
    "used_gres:s user:s wckey{wckey:s flags:l} working_directory:s";

static const char STEP[] =
    "time{elapsed:i end:n start:n suspended:i system{seconds:i microseconds:i} limit:u total{seconds:i microseconds:i} "
    "user{seconds:i microseconds:i}} exit_code" EXIT "nodes{count:i range:s list:l} tasks{count:i} "
    "CPU{requested_frequency{min:n max:n} governor:s} kill_request_user:s state:l statistics{CPU{actual_frequency:i} "
    "energy{consumed:t}} step{id:s name:s stderr:s stdin:s stdout:s stderr_expanded:s stdin_expanded:s "
    "stdout_expanded:s} submit_line:s task{distribution:s} tres{requested{max:l min:l average:l total:l} "
    "consumed{max:l min:l average:l total:l} allocated:l}";

static const char SQL[] =
    "SELECT job, array_job, array_task, array_tasks, name, user, account, partition, qos, state, reason, submit_s, "
    "eligible_s, start_s, end_s, time_limit, exit_code, exit_signal, req_cpus, req_mem, req_nodes, req_tres, "
    "alloc_tres, "
    "nodelist, nnodes, priority, run, constraints FROM job ORDER BY submit_s, job, run, rowid";
enum {
	ID,
	ARRAY,
	TASK,
	TASKS,
	NAME,
	USER,
	ACCOUNT,
	PARTITION,
	QOS,
	STATE,
	REASON,
	SUBMIT,
	ELIGIBLE,
	START,
	END,
	LIMIT,
	CODE,
	SIGNAL,
	CPUS,
	MEM,
	NODES,
	REQ_TRES,
	ALLOC_TRES,
	LIST,
	ALLOC_NODES,
	PRIORITY,
	RUN,
	CONSTRAINTS
};

static double number(sqlite3_stmt *q, int column)
{
	return sqlite3_column_double(q, column);
}

static const char *text(sqlite3_stmt *q, int column)
{
	return (const char *)sqlite3_column_text(q, column);
}

/* "4G", "12.50T": a count, or of memory MiB ("M" is 1). */
static double count_of(const char *value, bool memory)
{
	static const char UNITS[] = "KMGTP";
	char *end;
	double n = g_ascii_strtod(value, &end);
	const char *unit = *end ? strchr(UNITS, *end) : NULL;
	int power = unit ? (int)(unit - UNITS) + 1 - 2 * memory : 0;

	for (; power > 0; power--)
		n *= 1024;
	return power < 0 ? n / 1024 : n;
}

static int by_text(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* "cpu=16,gres/gpu=4" -> [{"type", "name", "id", "count"}] */
static cJSON *tres_list(const char *tres)
{
	static const char *const IDS[] = {"cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"};
	char **items = tres && *tres ? g_strsplit(tres, ",", -1) : NULL;
	cJSON *list = cJSON_CreateArray(), *known[G_N_ELEMENTS(IDS)] = {NULL}, *rest = cJSON_CreateArray();
	int next = 1001;

	if (items) /* gres/gpu before gres/gpu:h100 */
		qsort(items, g_strv_length(items), sizeof *items, by_text);
	for (char **p = items; p && *p; p++) {
		char *eq = strchr(*p, '='), *slash;
		cJSON *o;
		size_t id = 0;

		if (!eq)
			continue;
		*eq = '\0';
		slash = strchr(*p, '/');
		while (id < G_N_ELEMENTS(IDS) && strcmp(IDS[id], *p) != 0)
			id++;
		o = cJSON_CreateObject();
		double count = count_of(eq + 1, strcmp(*p, "mem") == 0);
		if (slash)
			*slash = '\0';
		cJSON_AddStringToObject(o, "type", *p);
		cJSON_AddStringToObject(o, "name", slash ? slash + 1 : "");
		cJSON_AddNumberToObject(o, "id", id < G_N_ELEMENTS(IDS) ? (int)id + 1 : next++);
		cJSON_AddNumberToObject(o, "count", count);
		if (id < G_N_ELEMENTS(IDS))
			known[id] = o;
		else
			cJSON_AddItemToArray(rest, o);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(IDS); i++) /* in the order of ids */
		if (known[i])
			cJSON_AddItemToArray(list, known[i]);
	while (cJSON_GetArraySize(rest))
		cJSON_AddItemToArray(list, cJSON_DetachItemFromArray(rest, 0));
	cJSON_Delete(rest);
	g_strfreev(items);
	return list;
}

static void put_exit(cJSON *o, const char *key, int code, int signal)
{
	char *status = g_strconcat(key, ".status", NULL), *value = g_strconcat(key, ".return_code", NULL),
	     *number_path = g_strconcat(key, ".signal.id", NULL);

	json_put_list(o, status, signal ? "SIGNALED" : code ? "ERROR" : "SUCCESS", ",");
	json_put_number(o, value, code);
	if (signal)
		json_put_number(o, number_path, signal);
	g_free(status);
	g_free(value);
	g_free(number_path);
}

static void put_times(cJSON *o, sqlite3_stmt *q, sec_t now)
{
	sec_t submit = sqlite3_column_int64(q, SUBMIT), start = sqlite3_column_int64(q, START),
	      end = sqlite3_column_int64(q, END);

	json_put_int(o, "time.submission", (double)submit);
	json_put_int(o, "time.eligible", number(q, ELIGIBLE));
	json_put_int(o, "time.start", (double)start);
	json_put_int(o, "time.end", (double)end);
	json_put_int(o, "time.elapsed", start ? (double)((end ? end : now) - start) : 0);
	json_put_minutes(o, "time.limit", (uint32_t)sqlite3_column_int64(q, LIMIT));
	json_put_number(o, "time.planned", (double)MAX(0, (start ? start : end ? end : now) - submit));
}

static void put_array(cJSON *o, sqlite3_stmt *q)
{
	if (!sqlite3_column_int64(q, ARRAY))
		return;
	json_put_int(o, "array.job_id", number(q, ARRAY));
	if ((uint32_t)sqlite3_column_int64(q, TASK) != NO_VAL)
		json_put_number(o, "array.task_id", number(q, TASK));
	json_put_text(o, "array.task", text(q, TASKS));
}

/* Where nothing was measured the time is 0. */
static void put_cpu_time(cJSON *o, usec_t used)
{
	json_put_int(o, "time.total.seconds", (double)(MAX(0, used) / USEC));
	json_put_int(o, "time.total.microseconds", (double)(MAX(0, used) % USEC));
}

struct steps_of_job { /* being listed */
	cJSON *list;
	sec_t now;
};

static void put_hosts(cJSON *o, const struct record *r)
{
	GPtrArray *names = r->host && *r->host ? hostlist_expand(r->host, NULL) : NULL;
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; names && i < names->len; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(names->pdata[i]));
	json_put_int(o, "nodes.count", names ? (double)names->len : r->step_nodes);
	json_put_text(o, "nodes.range", r->host);
	json_put(o, "nodes.list", list);
	if (names)
		g_ptr_array_unref(names);
}

/* [{"type": "mem", ...}] in bytes; an empty list when it was not measured */
static cJSON *memory_used(uint64_t kib)
{
	cJSON *list = tres_list(kib ? "mem=0" : NULL);

	if (kib)
		cJSON_SetNumberValue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "count"), (double)kib * 1024);
	return list;
}

static void add_step(void *data, const struct record *r)
{
	struct steps_of_job *s = data;
	bool batch = strcmp(r->step_id, "batch") == 0;
	cJSON *o = json_from_schema(STEP);
	char *word = g_strndup(r->state, strcspn(r->state, " "));

	json_put_int(o, "time.elapsed", (double)((r->end ? r->end : s->now) - r->start));
	json_put_number(o, "time.start", (double)r->start);
	json_put_number(o, "time.end", (double)r->end);
	json_put_int(o, "time.suspended", r->suspended);
	put_cpu_time(o, r->cpu_time);
	put_exit(o, "exit_code", MAX(0, r->exit_code), r->exit_signal);
	put_hosts(o, r);
	json_put_int(o, "tasks.count", r->tasks);
	json_put_text(o, "CPU.governor", batch ? "0" : "Unknown");
	if (batch) {
		json_put_number(o, "CPU.requested_frequency.min", 0);
		json_put_number(o, "CPU.requested_frequency.max", 0);
	}
	json_put_list(o, "state", word, ",");
	json_put_taken(o, "step.id", g_strdup_printf("%u.%s", r->job, r->step_id));
	json_put_text(o, "step.name", r->step_name);
	json_put_text(o, "task.distribution", g_ascii_isdigit(*r->step_id) ? "Cyclic" : "Unknown");
	json_put(o, "tres.consumed.max", memory_used(r->max_rss));
	json_put(o, "tres.consumed.average", memory_used(r->ave_rss));
	json_put(o, "tres.allocated", tres_list(r->tres));
	cJSON_AddItemToArray(s->list, o);
	g_free(word);
}

/* What table step adds to the job of record R. */
static void put_steps(cJSON *o, const struct sacct_steps *steps, struct record *r, bool wanted, sec_t now)
{
	struct steps_of_job all = {cJSON_CreateArray(), now};

	sacct_steps_sum_up(steps, r);
	put_exit(o, "derived_exit_code", r->derived_code, r->derived_signal);
	put_cpu_time(o, r->cpu_time);
	if (wanted && r->start)
		sacct_steps_each(steps, r, add_step, &all);
	json_put(o, "steps", all.list);
}

static cJSON *job_json(sqlite3_stmt *q, const char *cluster, sec_t now)
{
	cJSON *o = json_from_schema(JOB);
	const char *nodes = text(q, LIST), *state = text(q, STATE);
	char *word = g_strndup(state ? state : "", strcspn(state ? state : "", " "));

	json_put_text(o, "account", text(q, ACCOUNT));
	json_put_int(o, "allocation_nodes", number(q, ALLOC_NODES));
	json_put_text(o, "association.account", text(q, ACCOUNT));
	json_put_text(o, "association.cluster", cluster);
	json_put_text(o, "association.user", text(q, USER));
	json_put_text(o, "cluster", cluster);
	json_put_text(o, "constraints", text(q, CONSTRAINTS));
	json_put_text(o, "group", text(q, USER));
	json_put_int(o, "job_id", number(q, ID));
	json_put_text(o, "name", text(q, NAME));
	json_put_text(o, "nodes", nodes ? nodes : "None assigned");
	json_put_text(o, "partition", text(q, PARTITION));
	json_put_flag(o, "hold", strcmp(word, "PENDING") == 0 && sqlite3_column_int64(q, PRIORITY) == 0);
	json_put_number(o, "priority", number(q, PRIORITY));
	json_put_text(o, "qos", text(q, QOS));
	json_put_int(o, "required.CPUs", number(q, CPUS));
	json_put_number(o, "required.memory_per_node", number(q, MEM) / MAX(1, number(q, NODES)));
	json_put_int(o, "restart_cnt", number(q, RUN));
	json_put_text(o, "stdin", "/dev/null");
	json_put_list(o, "state.current", word, ",");
	json_put_text(o, "state.reason", text(q, REASON));
	json_put(o, "tres.allocated", tres_list(text(q, ALLOC_TRES)));
	json_put(o, "tres.requested", tres_list(text(q, REQ_TRES)));
	json_put_text(o, "user", text(q, USER));
	put_exit(o, "exit_code", sqlite3_column_int(q, CODE), sqlite3_column_int(q, SIGNAL));
	put_times(o, q, now);
	put_array(o, q);
	g_free(word);
	return o;
}

static char *meta(sqlite3 *db, const char *key)
{
	sqlite3_stmt *q = NULL;
	char *value = NULL;

	if (sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = ?1", -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_text(q, 1, key, -1, SQLITE_TRANSIENT);
		if (sqlite3_step(q) == SQLITE_ROW)
			value = g_strdup((const char *)sqlite3_column_text(q, 0));
	}
	sqlite3_finalize(q);
	return value ? value : g_strdup("");
}

gboolean sacct_print_json(FILE *out, struct sqlite3 *db, bool with_steps, GError **error)
{
	char *cluster = meta(db, "cluster"), *version = meta(db, "slurm_version"), *end = meta(db, "end");
	sec_t now = usec_to_sec(g_ascii_strtoll(end, NULL, 10));
	const struct json_origin from = {
	    .now = 0, .v22 = g_str_has_prefix(version, "22"), .accounting = true, .cluster = cluster};
	cJSON *list = cJSON_CreateArray();
	sqlite3_stmt *q = NULL, *row = NULL; /* the same rows in the same order */
	sacct_records_open(db);
	bool ok = sqlite3_prepare_v2(db, SQL, -1, &q, NULL) == SQLITE_OK && sqlite3_prepare_v2(db, sacct_record_sql, -1, &row, NULL) == SQLITE_OK;
	struct sacct_steps *steps = sacct_steps_open(db);

	while (ok && sqlite3_step(q) == SQLITE_ROW && sqlite3_step(row) == SQLITE_ROW) {
		struct record record = {0};
		cJSON *job = job_json(q, cluster, now);

		sacct_record_read(row, &record);
		put_steps(job, steps, &record, with_steps, now);
		cJSON_AddItemToArray(list, job);
	}
	sacct_steps_close(steps);
	if (ok)
		json_print_envelope(out, &from, "jobs", list, "sacct --json");
	else {
		cJSON_Delete(list);
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the record cannot be read: %s", sqlite3_errmsg(db));
	}
	sqlite3_finalize(q);
	sqlite3_finalize(row);
	g_free(cluster);
	g_free(version);
	g_free(end);
	return ok;
}
