/* sacct_json.c - sacct --json: table job of run.db in the shape of Slurm's data_parser. */
#include "tools/sacct_out.h"
#include "tools/sacct_json.h"
#include <gio/gio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define EXIT SACCT_JSON_EXIT
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

static const char SQL[] =
    "SELECT job, array_job, array_task, array_tasks, name, user, account, partition, qos, state, reason, submit_s, "
    "eligible_s, start_s, end_s, time_limit, exit_code, exit_signal, req_cpus, req_mem, req_nodes, req_tres, "
    "alloc_tres, "
    "nodelist, nnodes, priority, run, constraints, ncpus, placement, suspended, het_offset FROM job ORDER BY submit_s, job, run, rowid";
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
	CONSTRAINTS,
	HELD_CPUS,
	PLACEMENT,
	SUSPENDED,
	HET_OFFSET
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

cJSON *sacct_json_tres(const char *tres)
{
	static const char *const IDS[] = {"cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"};
	char **items = tres && *tres ? g_strsplit(tres, ",", -1) : NULL;
	cJSON *list = cJSON_CreateArray(), *known[G_N_ELEMENTS(IDS)] = {NULL}, *rest = cJSON_CreateArray();
	int next = 1001;

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

void sacct_json_exit(cJSON *o, const char *key, int code, int signal)
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
	json_put(o, "tres.allocated", sacct_json_tres(text(q, ALLOC_TRES)));
	json_put(o, "tres.requested", sacct_json_tres(text(q, REQ_TRES)));
	json_put_text(o, "user", text(q, USER));
	sacct_json_exit(o, "exit_code", sqlite3_column_int(q, CODE), sqlite3_column_int(q, SIGNAL));
	put_times(o, q, now);
	put_array(o, q);
	g_free(word);
	return o;
}

struct step_list { cJSON *array; sec_t now; };

static void add_step(void *data, const struct record *step)
{
	struct step_list *list = data;

	cJSON_AddItemToArray(list->array, sacct_json_step(step, list->now));
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

/* What its steps are made from. */
static struct record record_of(sqlite3_stmt *q)
{
	return (struct record){
	    .job = (uint32_t)number(q, ID), .run = (uint32_t)number(q, RUN), .start = sqlite3_column_int64(q, START), .end = sqlite3_column_int64(q, END),
	    .nnodes = (uint32_t)number(q, ALLOC_NODES), .ncpus = (uint32_t)number(q, HELD_CPUS), .suspended = (uint32_t)number(q, SUSPENDED),
	    .het_offset = (uint32_t)number(q, HET_OFFSET), .exit_code = sqlite3_column_int(q, CODE), .exit_signal = sqlite3_column_int(q, SIGNAL),
	    .name = text(q, NAME), .user = text(q, USER), .account = text(q, ACCOUNT), .partition = text(q, PARTITION), .qos = text(q, QOS),
	    .state = text(q, STATE), .reason = text(q, REASON), .alloc_tres = text(q, ALLOC_TRES) ? text(q, ALLOC_TRES) : "",
	    .nodelist = text(q, LIST) ? text(q, LIST) : "", .placement = text(q, PLACEMENT), .array_tasks = ""};
}

/* What the steps of J tell of their job, and (LIST) they themselves. */
static void put_steps(cJSON *o, const struct steps *t, struct record *j, bool listed, sec_t now)
{
	struct step_list list = {cJSON_CreateArray(), now};

	steps_sum_up(t, j);
	sacct_json_exit(o, "derived_exit_code", j->derived_code, j->derived_signal);
	if (j->cpu_time > 0) {
		json_put_int(o, "time.total.seconds", (double)(j->cpu_time / USEC));
		json_put_int(o, "time.total.microseconds", (double)(j->cpu_time % USEC));
		json_put_int(o, "time.user.seconds", (double)(j->cpu_time / USEC));
		json_put_int(o, "time.user.microseconds", (double)(j->cpu_time % USEC));
	}
	if (listed)
		steps_each(t, j, add_step, &list);
	json_put(o, "steps", list.array);
}

gboolean sacct_print_json(FILE *out, struct sqlite3 *db, bool listed, GError **error)
{
	char *cluster = meta(db, "cluster"), *version = meta(db, "slurm_version"), *end = meta(db, "end");
	sec_t now = usec_to_sec(g_ascii_strtoll(end, NULL, 10));
	const struct json_origin from = {
	    .now = 0, .v22 = g_str_has_prefix(version, "22"), .accounting = true, .cluster = cluster};
	cJSON *list = cJSON_CreateArray();
	sqlite3_stmt *q = NULL;
	bool ok = sqlite3_prepare_v2(db, SQL, -1, &q, NULL) == SQLITE_OK;
	struct steps steps;

	steps_open(&steps, db);
	while (ok && sqlite3_step(q) == SQLITE_ROW) {
		cJSON *o = job_json(q, cluster, now);
		struct record record = record_of(q);
		put_steps(o, &steps, &record, listed, now);
		cJSON_AddItemToArray(list, o);
	}
	if (ok)
		json_print_envelope(out, &from, "jobs", list, "sacct --json");
	else {
		cJSON_Delete(list);
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the record cannot be read: %s", sqlite3_errmsg(db));
	}
	sqlite3_finalize(q);
	sqlite3_finalize(steps.rows);
	g_free(cluster);
	g_free(version);
	g_free(end);
	return ok;
}
