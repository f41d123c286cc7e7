/* snapshot_squeue.c - squeue --json (old and new) and squeue -o as jobs of a snapshot; see snapshot.h. */
#include "scenarios/snapshot.h"
#include "sched/base/memsize.h"
#include "traces/jsonl.h"
#include <string.h>

static void node_free(void *data)
{
	struct snap_node *n = data;

	g_free(n->name);
	if (n->cores)
		g_array_unref(n->cores);
	if (n->gres)
		g_ptr_array_unref(n->gres);
	g_free(n);
}

struct snap_job *snap_job_new(void)
{
	struct snap_job *j = g_new0(struct snap_job, 1);

	j->req = job_request_new();
	j->nodes = g_ptr_array_new_with_free_func(node_free);
	j->part_priorities = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	j->task = j->priority = NO_VAL;
	j->outcome.cancel_after = -1;
	return j;
}

void snap_job_free(void *data)
{
	struct snap_job *j = data;

	if (j->req)
		job_request_free(j->req);
	g_free(j->partition);
	g_free(j->dependency);
	g_free(j->reason);
	g_free(j->label);
	g_free(j->kept_nodes);
	g_free(j->tasks);
	g_array_unref(j->part_priorities);
	g_ptr_array_unref(j->nodes);
	g_free(j);
}

/* ---- values ---- */

/* A number, also wrapped; -1 = not set. */
static double number(const cJSON *job, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(job, key);

	if (cJSON_IsObject(v)) {
		if (cJSON_IsTrue(cJSON_GetObjectItem(v, "infinite")))
			return INFINITE;
		if (cJSON_IsFalse(cJSON_GetObjectItem(v, "set")))
			return -1;
		v = cJSON_GetObjectItem(v, "number");
	}
	return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 9e15 ? v->valuedouble : -1;
}

static const char *text(const cJSON *job, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(job, key);

	if (cJSON_IsArray(v)) /* lists of words: the first */
		v = v->child;
	return cJSON_IsString(v) ? v->valuestring : "";
}

static enum job_state state_of(const char *word, bool completing)
{
	static const struct {
		const char *word;
		enum job_state state;
	} words[] = {{"PENDING", JOB_PENDING},     {"RUNNING", JOB_RUNNING},     {"SUSPENDED", JOB_RUNNING},
	             {"CONFIGURING", JOB_RUNNING}, {"COMPLETED", JOB_COMPLETED}, {"CANCELLED", JOB_CANCELLED},
	             {"FAILED", JOB_FAILED},       {"TIMEOUT", JOB_TIMEOUT},     {"NODE_FAIL", JOB_NODE_FAIL},
	             {"DEADLINE", JOB_DEADLINE},   {"STOPPED", JOB_RUNNING},     {"SIGNALING", JOB_RUNNING}};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].state;
	(void)completing;
	return JOB_FAILED;
}

struct reading {
	struct snapshot *s;
	struct diag *d;
	const char *file;
	guint line;
};

static void set(struct reading *r, struct snap_job *j, const char *option, const char *value)
{
	GError *error = NULL;

	if (!*value || job_request_set(j->req, option, value, &error))
		return;
	diag_warn(r->d, r->file, r->line, 0, NULL, "job %u: %s", j->id, error->message);
	g_error_free(error);
}

static void set_number(struct reading *r, struct snap_job *j, const char *option, double value, const char *unit)
{
	char word[48];

	if (value < 0)
		return;
	g_snprintf(word, sizeof word, "%.0f%s", value, unit);
	set(r, j, option, word);
}

/* "gres/gpu:h100:4,gres/nic=1", "gres:gpu:4" (22.05) -> "gpu:h100:4,nic:1". g_free. */
static char *plain_tres(const char *tres)
{
	char **list = g_strsplit(tres, ",", -1);

	for (char **s = list; *s; s++) {
		char *from = g_str_has_prefix(*s, "gres/") || g_str_has_prefix(*s, "gres:") ? *s + 5 : *s;
		char *plain = g_strdelimit(g_strdup(from), "=", ':');

		g_free(*s);
		*s = plain;
	}
	char *joined = g_strjoinv(",", list);
	g_strfreev(list);
	return joined;
}

/* GPUs of one of the forms per job, task, socket: "gpu:h100:8" -> "h100:8". */
static void set_gpus(struct reading *r, struct snap_job *j, const char *option, const char *tres)
{
	char *plain = plain_tres(tres);

	if (g_str_has_prefix(plain, "gpu:"))
		set(r, j, option, plain + 4);
	g_free(plain);
}

/* "afterok:29(unfulfilled),afterany:30_*(failed)" -> what still waits. g_free. */
static char *open_dependency(const char *list, bool *never)
{
	char **part = g_strsplit(list, ",", -1);
	GString *out = g_string_new(NULL);

	for (char **s = part; *s; s++) {
		char *bracket = strchr(*s, '(');

		*never |= bracket && g_str_has_prefix(bracket, "(failed");
		if (bracket)
			*bracket = '\0';
		char *star = strstr(*s, "_*");
		if (star)
			*star = '\0';
		if (**s)
			g_string_append_printf(out, "%s%s", out->len ? "," : "", *s);
	}
	g_strfreev(part);
	return g_string_free(out, FALSE);
}

/* ---- JSON ---- */

static void take_request(struct reading *r, struct snap_job *j, const cJSON *job)
{
	static const struct {
		const char *option, *key;
	} texts[] = {{"name", "name"},
	             {"account", "account"},
	             {"partition", "partition"},
	             {"qos", "qos"},
	             {"constraint", "features"},
	             {"prefer", "prefer"},
	             {"nodelist", "required_nodes"},
	             {"exclude", "excluded_nodes"},
	             {"licenses", "licenses"},
	             {"reservation", "resv_name"}};
	double tasks = number(job, "tasks"), nodes = number(job, "node_count"), limit = number(job, "time_limit");

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		set(r, j, texts[i].option, text(job, texts[i].key));
	set(r, j, "user", *text(job, "user_name") ? text(job, "user_name") : "root");
	set_number(r, j, "nodes", nodes > 0 ? nodes : -1, "");
	set_number(r, j, "ntasks", tasks > 0 ? tasks : -1, "");
	set_number(r, j, "cpus-per-task", number(job, "cpus_per_task") > 0 ? number(job, "cpus_per_task") : -1, "");
	set_number(r, j, "ntasks-per-node", number(job, "tasks_per_node") > 0 ? number(job, "tasks_per_node") : -1, "");
	if (number(job, "memory_per_cpu") > 0)
		set_number(r, j, "mem-per-cpu", number(job, "memory_per_cpu"), "M");
	else if (number(job, "memory_per_node") > 0)
		set_number(r, j, "mem", number(job, "memory_per_node"), "M");
	if (limit == INFINITE)
		set(r, j, "time", "UNLIMITED");
	else
		set_number(r, j, "time", limit > 0 ? limit : -1, "");
	char *gres = plain_tres(text(job, "tres_per_node"));
	set(r, j, "gres", gres);
	g_free(gres);
	set_gpus(r, j, "gpus", text(job, "tres_per_job"));
	set_gpus(r, j, "gpus-per-task", text(job, "tres_per_task"));
	set_gpus(r, j, "gpus-per-socket", text(job, "tres_per_socket"));
	if (cJSON_IsTrue(cJSON_GetObjectItem(job, "contiguous")))
		set(r, j, "contiguous", "yes"), j->req->contiguous = true;
	if (strcmp(text(job, "shared"), "none") == 0 || strcmp(text(job, "exclusive"), "true") == 0)
		j->req->share = SHARE_EXCLUSIVE;
	else if (strcmp(text(job, "shared"), "user") == 0)
		j->req->share = SHARE_EXCLUSIVE_USER;
	if (number(job, "deadline") > 0)
		j->req->deadline = (int64_t)number(job, "deadline");
	j->req->requeue = cJSON_IsFalse(cJSON_GetObjectItem(job, "requeue")) ? REQUEUE_NO : REQUEUE_DEFAULT;
	const cJSON *nice = cJSON_GetObjectItem(job, "nice");
	if (cJSON_IsNumber(nice) && nice->valuedouble != 0) {
		j->req->nice = (int64_t)nice->valuedouble;
		j->req->nice_set = true;
	}
}

static GArray *cores_of(const cJSON *sockets)
{
	GArray *cores = g_array_new(FALSE, FALSE, sizeof(struct snap_core));
	const cJSON *socket, *core, *list;

	cJSON_ArrayForEach(socket, sockets)
	{
		bool old = !cJSON_GetObjectItem(socket, "index"); /* 22.05: {"0": {"cores": {"0": "allocated"}}} */
		double s = old ? g_ascii_strtod(socket->string ? socket->string : "0", NULL) : number(socket, "index");

		list = cJSON_GetObjectItem(socket, "cores");
		cJSON_ArrayForEach(core, list)
		{
			double k =
			    old ? g_ascii_strtod(core->string ? core->string : "0", NULL) : number(core, "index");
			const char *status =
			    old ? (cJSON_IsString(core) ? core->valuestring : "") : text(core, "status");
			struct snap_core c = {(uint32_t)CLAMP(s, 0, 65535), (uint32_t)CLAMP(k, 0, 65535)};

			if (g_ascii_strncasecmp(status, "ALLOCATED", 9) == 0)
				g_array_append_val(cores, c);
		}
	}
	return cores;
}

static void take_node(struct snap_job *j, const cJSON *n)
{
	const char *name = *text(n, "name") ? text(n, "name") : text(n, "nodename");
	const cJSON *cpus = cJSON_GetObjectItem(n, "cpus"), *memory = cJSON_GetObjectItem(n, "memory");
	struct snap_node *node = g_new0(struct snap_node, 1);

	node->name = g_strdup(name);
	node->cpus = (uint16_t)CLAMP(number(cpus, "count"), 0, 65535);
	node->mem = (uint64_t)MAX(0, memory ? number(memory, "allocated") : number(n, "memory_allocated"));
	if (cJSON_GetObjectItem(n, "sockets"))
		node->cores = cores_of(cJSON_GetObjectItem(n, "sockets"));
	g_ptr_array_add(j->nodes, node);
}

static void take_places(struct snap_job *j, const cJSON *job)
{
	const cJSON *resources = cJSON_GetObjectItem(job, "job_resources"),
	            *nodes = cJSON_GetObjectItem(resources, "nodes"), *n;
	const cJSON *list = cJSON_IsObject(nodes) ? cJSON_GetObjectItem(nodes, "allocation")
	                                          : cJSON_GetObjectItem(resources, "allocated_nodes");
	const cJSON *gres = cJSON_GetObjectItem(job, "gres_detail");
	guint i = 0;

	cJSON_ArrayForEach(n, list) take_node(j, n);
	if (!j->nodes->len && *text(job, "nodes")) { /* only names: "h[01-02]" is taken apart when it is entered */
		struct snap_node *node = g_new0(struct snap_node, 1);

		node->name = g_strdup(text(job, "nodes"));
		g_ptr_array_add(j->nodes, node);
	}
	cJSON_ArrayForEach(n, gres)
	{
		if (!cJSON_IsString(n) || i >= j->nodes->len)
			break;
		struct snap_node *node = j->nodes->pdata[i++];

		node->gres = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(node->gres, g_strdup(n->valuestring));
	}
}

static void take_array(struct reading *r, struct snap_job *j, const cJSON *job)
{
	double array = number(job, "array_job_id"), task = number(job, "array_task_id");
	const char *tasks = text(job, "array_task_string");

	if (array <= 0)
		return;
	j->array_limit = (uint32_t)CLAMP(number(job, "array_max_tasks"), 0, 4e9);
	if (*tasks && j->state == JOB_PENDING) {
		char *list = g_strndup(tasks, strcspn(tasks, "%"));
		char *with = j->array_limit ? g_strdup_printf("%s%%%u", list, j->array_limit) : g_strdup(list);

		set(r, j, "array", with);
		g_free(with);
		g_free(list);
		return;
	}
	j->array_id = (uint32_t)MIN(array, 4e9);
	j->task = (uint32_t)CLAMP(task, 0, 4e9);
}

static usec_t microseconds(double seconds)
{
	return seconds > 0 && seconds < 1e11 ? (usec_t)seconds * USEC : 0;
}

/* These are instants already, not texts to be understood at submission. */
static void fix_times(struct job_request *req, const cJSON *options)
{
	g_clear_pointer(&req->begin_text, g_free);
	g_clear_pointer(&req->deadline_text, g_free);
	req->begin = (int64_t)MAX(0, number(options, "begin"));
	req->deadline = (int64_t)MAX(0, number(options, "deadline"));
}

/* What a run of whypend adds to a job. */
static void take_own(struct reading *r, struct snap_job *j, const cJSON *own)
{
	static const char *const ends[] = {"exit", "cancel", "node_fail", "oom", "hang"};
	const cJSON *options = cJSON_GetObjectItem(own, "options"), *tasks = cJSON_GetObjectItem(own, "tasks"), *t;
	GError *error = NULL;

	if (cJSON_IsObject(options)) {
		cJSON *job = cJSON_Duplicate(options, true);

		cJSON_AddNumberToObject(job, "run", 1);
		struct submission *sub = submission_from_json(job, &error);
		cJSON_Delete(job);
		if (sub) {
			job_request_free(j->req);
			j->req = g_steal_pointer(&sub->request);
			fix_times(j->req, options);
			submission_free(sub);
		} else {
			diag_error(r->d, r->file, 0, 0, NULL, "job %u: %s", j->id, error->message);
			g_error_free(error);
		}
	}
	j->submit_t = (usec_t)number(own, "submit_us");
	j->start_t = (usec_t)MAX(0, number(own, "start_us"));
	j->end_t = (usec_t)MAX(0, number(own, "end_us"));
	j->total_cpus = (uint32_t)CLAMP(number(own, "total_cpus"), 0, 4e9);
	j->preempt_time = (sec_t)MAX(0, number(own, "preempt_time"));
	j->preempt_start = (sec_t)MAX(0, number(own, "preempt_start"));
	j->grace_end = (sec_t)MAX(0, number(own, "grace_end"));
	j->started_by = (int)CLAMP(number(own, "started_by"), 0, BY_BACKFILL);
	j->direct = cJSON_IsTrue(cJSON_GetObjectItem(own, "direct_priority"));
	j->req->privileged = cJSON_IsTrue(cJSON_GetObjectItem(own, "privileged"));
	j->req->site_factor = (int32_t)(cJSON_IsNumber(cJSON_GetObjectItem(own, "site_factor"))
	                                    ? cJSON_GetObjectItem(own, "site_factor")->valuedouble
	                                    : 0);
	j->kept_nodes = *text(own, "kept_nodes") ? g_strdup(text(own, "kept_nodes")) : NULL;
	j->label = *text(own, "label") ? g_strdup(text(own, "label")) : NULL;
	j->outcome_known = true;
	j->outcome.run_time = (usec_t)MAX(0, number(own, "run_us"));
	j->outcome.exit_code = (int)MAX(0, number(own, "exit"));
	j->outcome.signal = (int)MAX(0, number(own, "signal"));
	j->outcome.exit_runs = (uint32_t)CLAMP(number(own, "exit_runs"), 0, 1e9);
	j->outcome.ignores_term = cJSON_IsTrue(cJSON_GetObjectItem(own, "ignores_term"));
	j->outcome.cancel_after =
	    cJSON_GetObjectItem(own, "cancel_after_us") ? (usec_t)number(own, "cancel_after_us") : -1;
	for (gsize i = 0; i < G_N_ELEMENTS(ends); i++)
		if (strcmp(ends[i], text(own, "end")) == 0)
			j->outcome.end = (enum outcome_end)i;
	j->n_tasks = (uint32_t)cJSON_GetArraySize(tasks);
	j->tasks = g_new0(struct task_outcome, j->n_tasks + 1);
	cJSON_ArrayForEach(t, cJSON_GetObjectItem(own, "part_priorities"))
	{
		uint32_t v = cJSON_IsNumber(t) ? (uint32_t)CLAMP(t->valuedouble, 0, 4294967293.0) : 0;

		g_array_append_val(j->part_priorities, v);
	}
	guint i = 0;
	cJSON_ArrayForEach(t, tasks)
	{
		j->tasks[i].outcome = j->outcome;
		j->tasks[i].task = (uint32_t)MAX(0, number(t, "task"));
		j->tasks[i].outcome.run_time = (usec_t)MAX(0, number(t, "run_us"));
		j->tasks[i++].outcome.exit_code = (int)MAX(0, number(t, "exit"));
	}
}

static void take_job(struct reading *r, const cJSON *job)
{
	struct snap_job *j = snap_job_new();
	const cJSON *own = cJSON_GetObjectItem(job, "whypend");
	bool never = false;

	j->id = (uint32_t)CLAMP(number(job, "job_id"), 0, 4e9);
	j->state = state_of(text(job, "job_state"), false);
	if (!j->id) {
		diag_warn(r->d, r->file, 0, 0, NULL, "a job without job_id is left out");
		snap_job_free(j);
		return;
	}
	if (!own)
		take_request(r, j, job);
	take_array(r, j, job);
	j->submit_t = microseconds(number(job, "submit_time"));
	j->start_t = j->state == JOB_PENDING ? 0 : microseconds(number(job, "start_time"));
	j->end_t = j->state == JOB_PENDING || j->state == JOB_RUNNING ? 0 : microseconds(number(job, "end_time"));
	j->eligible = (sec_t)MAX(0, number(job, "eligible_time"));
	j->accrue = (sec_t)MAX(0, number(job, "accrue_time"));
	j->run = (uint32_t)MAX(0, number(job, "restart_cnt"));
	j->cpus = (uint32_t)MAX(0, number(job, "cpus"));
	j->reason = g_strdup(text(job, "state_reason"));
	j->partition = g_strndup(text(job, "partition"), strcspn(text(job, "partition"), ","));
	j->priority = cJSON_IsTrue(cJSON_GetObjectItem(job, "hold"))
	                  ? 0
	                  : (uint32_t)CLAMP(number(job, "priority"), 0, 4294967293.0);
	j->dependency = *text(job, "dependency") ? open_dependency(text(job, "dependency"), &never) : NULL;
	if (never)
		j->priority = 0;
	if (own)
		take_own(r, j, own);
	if (j->state == JOB_RUNNING)
		take_places(j, job);
	if (!j->submit_t)
		j->submit_t = j->start_t;
	g_ptr_array_add(r->s->jobs, j);
}

void snapshot_read_squeue_json(struct snapshot *s, const char *json, const char *name, struct diag *d)
{
	struct reading r = {.s = s, .d = d, .file = name};
	cJSON *root = cJSON_Parse(json);
	const cJSON *jobs = cJSON_GetObjectItem(root, "jobs"), *job;
	double at = number(root, "last_update");

	if (!cJSON_IsArray(jobs))
		diag_error(d, name, 0, 0, "give the output of squeue --json", "there is no list \"jobs\"");
	cJSON_ArrayForEach(job, jobs) take_job(&r, job);
	if (at > 0 && !s->at)
		s->at = microseconds(at);
	cJSON_Delete(root);
}

/* ---- text ---- */

enum {
	T_ID,
	T_ARRAY,
	T_TASK,
	T_USER,
	T_ACCOUNT,
	T_PART,
	T_QOS,
	T_STATE,
	T_SUBMIT,
	T_START,
	T_LIMIT,
	T_NODES,
	T_CPUS,
	T_MEM,
	T_GRES,
	T_LIST,
	T_DEP,
	T_PRIO,
	T_REASON,
	T_FEATURES,
	T_LICENSES,
	T_RESV,
	T_REQ,
	T_EXC,
	T_NICE,
	T_NAME,
	T_COLUMNS
};

static const char *cell(char **c, int i)
{
	static const char *const none[] = {"(null)", "N/A", "n/a"};

	for (gsize k = 0; k < G_N_ELEMENTS(none); k++)
		if (strcmp(none[k], c[i]) == 0)
			return "";
	return c[i];
}

static usec_t date(const char *word)
{
	sec_t t;

	return date_parse(word, NULL, &t) && t > 0 && t < 100000000000 ? t * USEC : 0;
}

static void take_text_request(struct reading *r, struct snap_job *j, char **c)
{
	static const struct {
		const char *option;
		int column;
	} texts[] = {
	    {"user", T_USER},        {"account", T_ACCOUNT}, {"partition", T_PART},      {"qos", T_QOS},
	    {"nodes", T_NODES},      {"mem", T_MEM},         {"constraint", T_FEATURES}, {"licenses", T_LICENSES},
	    {"reservation", T_RESV}, {"nodelist", T_REQ},    {"exclude", T_EXC},         {"name", T_NAME},
	    {"ntasks", T_CPUS}};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		set(r, j, texts[i].option, cell(c, texts[i].column));
	char *gres = plain_tres(cell(c, T_GRES));
	set(r, j, "gres", gres);
	g_free(gres);
	set(r, j, "time", strcmp(c[T_LIMIT], "NOT_SET") && strcmp(c[T_LIMIT], "INVALID") ? cell(c, T_LIMIT) : "");
	gint64 nice = g_ascii_strtoll(cell(c, T_NICE), NULL, 10);
	if (nice && ABS(nice) < G_MAXINT32) {
		j->req->nice = nice;
		j->req->nice_set = true;
	}
}

static void take_line(struct reading *r, char **c)
{
	struct snap_job *j = snap_job_new();
	guint64 array = g_ascii_strtoull(cell(c, T_ARRAY), NULL, 10);
	const char *task = cell(c, T_TASK);
	bool never = false;

	j->id = (uint32_t)MIN(g_ascii_strtoull(c[T_ID], NULL, 10), 4000000000u);
	j->state = state_of(c[T_STATE], false);
	take_text_request(r, j, c);
	if (*task && array && !strpbrk(task, "-,[%") && j->state != JOB_PENDING) {
		j->array_id = (uint32_t)MIN(array, 4000000000u);
		j->task = (uint32_t)MIN(g_ascii_strtoull(task, NULL, 10), 4000000u);
	} else if (*task) {
		char *list = g_strdup(task + (*task == '['));

		g_strdelimit(list, "]", '\0');
		set(r, j, "array", list);
		g_free(list);
	}
	j->submit_t = date(c[T_SUBMIT]);
	j->start_t = j->state == JOB_PENDING ? 0 : date(c[T_START]);
	j->cpus = (uint32_t)MIN(g_ascii_strtoull(c[T_CPUS], NULL, 10), 1000000000u);
	j->priority = (uint32_t)MIN(g_ascii_strtoull(c[T_PRIO], NULL, 10), 4294967293u);
	j->reason = g_strdup(c[T_REASON]);
	j->partition = g_strndup(c[T_PART], strcspn(c[T_PART], ","));
	j->dependency = *cell(c, T_DEP) ? open_dependency(cell(c, T_DEP), &never) : NULL;
	if (never)
		j->priority = 0;
	if (j->state == JOB_RUNNING && *cell(c, T_LIST)) {
		struct snap_node *node = g_new0(struct snap_node, 1);

		node->name = g_strdup(c[T_LIST]);
		if (j->req->gres) {
			node->gres = g_ptr_array_new_with_free_func(g_free);
			g_ptr_array_add(node->gres, g_strdup(j->req->gres));
		}
		g_ptr_array_add(j->nodes, node);
	}
	if (j->id && j->submit_t)
		g_ptr_array_add(r->s->jobs, j);
	else
		snap_job_free(j);
}

void snapshot_read_squeue_text(struct snapshot *s, const char *lines, const char *name, struct diag *d)
{
	struct reading r = {.s = s, .d = d, .file = name};
	char **line = g_strsplit(lines, "\n", -1);

	for (char **l = line; *l; l++) {
		r.line++;
		char **c = g_strsplit(g_strchomp(*l), "|", T_COLUMNS);

		if (g_strv_length(c) == T_COLUMNS && g_ascii_isdigit(*c[0]))
			take_line(&r, c);
		else if (**l && g_ascii_isdigit(**l))
			diag_error(d, name, r.line, 1, "print it with the format that whypend snapshot-commands tells",
			           "not %d columns", T_COLUMNS);
		g_strfreev(c);
	}
	g_strfreev(line);
}
