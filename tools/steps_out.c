/* steps_out.c - see steps_out.h */
#include "tools/steps_out.h"
#include "sim/steps.h"
#include "tools/cells.h"
#include "tools/show.h"
#include <string.h>

/* A row: a step of the run that goes on. */
struct step_ref {
	const struct job_ref *r;
	const struct step_row *step; /* NULL = the batch step that nobody described */
};

static bool is_batch(const struct step_ref *t)
{
	return !t->step || t->step->of->kind == JOBSTEP_BATCH;
}

/* ---- columns ---- */

typedef char *cell_fn(const struct step_ref *t);
#define CELL(name) static char *name(const struct step_ref *t)
#define CONSTANT(name, text)                                                                                           \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		(void)t;                                                                                               \
		return g_strdup(text);                                                                                 \
	}
CONSTANT(null, "(null)")
CONSTANT(empty, "")
CONSTANT(unlimited, "UNLIMITED")
CONSTANT(frequency, "0-0:0")

static char *of_job(const struct step_ref *t, char letter)
{
	return job_field_text((void *)t->r, job_field_letter(letter));
}

CELL(step_id)
{
	const struct job *j = t->r->job; /* recorded (squeue-s): "13.batch" also of a heterogeneous job */
	char *id = j->het ? g_strdup_printf("%u", j->het->job_id) : job_id_shown(j), *text = g_strconcat(id, ".", t->step ? t->step->id : "batch", NULL);

	g_free(id);
	return text;
}
CELL(step_name)
{
	return g_strdup(t->step ? job_step_name(t->step->of) : "batch");
}
CELL(tasks)
{
	return g_strdup_printf("%u", is_batch(t) ? 1 : t->step->tasks);
}
CELL(cpus)
{
	return g_strdup_printf("%u", is_batch(t) ? 0 : t->step->cpus);
}
CELL(per_node)
{
	const char *tres = is_batch(t) ? NULL : t->step->tres;
	const char *gpu = tres ? strstr(tres, "gres/gpu") : NULL;
	char *text = gpu ? g_strndup(gpu, strcspn(gpu, ",")) : g_strdup("(null)"), *eq = strchr(text, '=');

	if (eq) {
		uint64_t n = g_ascii_strtoull(eq + 1, NULL, 10);
		*eq = '\0';
		char *each = g_strdup_printf("%s:%" G_GUINT64_FORMAT, text, (guint64)(n / MAX(1, t->step->nodes)));
		g_free(text);
		text = each;
	}
	return text;
}
CELL(state)
{
	return g_strdup(t->step ? t->step->state : "RUNNING");
}
CELL(host)
{
	return t->step && !is_batch(t) ? g_strdup(t->step->nodelist) : of_job(t, 'B');
}
static sec_t seconds_run(const struct step_ref *t)
{
	if (!t->step || is_batch(t))
		return job_seconds_shown(t->r->view, t->r->job);
	return MAX(0, t->r->view->now - t->step->start_s - (sec_t)t->step->suspended);
}
CELL(used)
{
	if (!t->step || is_batch(t))
		return of_job(t, 'M');
	return duration_format_squeue(seconds_run(t));
}
static sec_t start_of(const struct step_ref *t)
{
	return t->step ? t->step->start_s : t->r->job->start;
}
CELL(started)
{
	return t->step ? date_shown(t->step->start_s, t->r->view->now) : of_job(t, 'S');
}
CELL(partition)
{
	return g_strdup(t->r->partition);
}
CELL(user)
{
	return g_strdup(t->r->job->user);
}
CELL(uid)
{
	return g_strdup_printf("%u", job_uid(t->r->job));
}
CELL(job_id)
{
	return g_strdup_printf("%u", t->r->job->id);
}
CELL(array_id)
{
	return g_strdup_printf("%u", t->r->job->array ? t->r->job->array->job_id : 0);
}
CELL(task_id)
{
	return t->r->job->task == NO_VAL ? g_strdup("N/A") : g_strdup_printf("%u", t->r->job->task);
}
CELL(cluster_name)
{
	return g_strdup(controller_cluster(t->r->view->c)->params->cluster_name);
}

#define FIELDS(X)                                                                                                      \
	X('A', "NumTasks", "TASKS", 0, 0, tasks)                                                                         \
	X('b', "Gres|tres-per-node", "TRES_PER_JOB", 0, 0, per_node)                                                   \
	X('i', "StepId", "STEPID", 0, 0, step_id)                                                                      \
	X('j', "StepName", "NAME", 0, 0, step_name)                                                                    \
	X('l', "TimeLimit", "TIME_LIMIT", 1, 0, unlimited)                                                             \
	X('M', "TimeUsed", "TIME", 1, 0, used)                                                                         \
	X('N', "Nodes", "NODELIST", 1, 1, host)                                                                        \
	X('P', "Partition", "PARTITION", 0, 0, partition)                                                              \
	X('S', "StartTime", "START_TIME", 0, 0, started)                                                               \
	X('u', "UserName", "USER", 0, 0, user)                                                                         \
	X('U', "UserId", "UID", 0, 0, uid)                                                                             \
	X(0, "ArrayJobId", "ARRAY_JOB_ID", 0, 0, array_id)                                                             \
	X(0, "ArrayTaskId", "ARRAY_TASK_ID", 0, 0, task_id)                                                            \
	X(0, "Cluster", "CLUSTER", 0, 0, cluster_name)                                                                 \
	X(0, "Container", "CONTAINER", 0, 0, null)                                                                     \
	X(0, "ContainerId", "CONTAINERID", 0, 0, null)                                                                 \
	X(0, "CPUFreq", "CPU_FREQ", 0, 0, frequency)                                                                   \
	X(0, "cpus-per-tres", "CPUS_PER_TRES", 0, 0, null)                                                             \
	X(0, "JobId", "JOB_ID", 0, 0, job_id)                                                                          \
	X(0, "mem-per-tres", "MEM_PER_TRES", 0, 0, null)                                                               \
	X(0, "Network", "NETWORK", 0, 0, null)                                                                         \
	X(0, "NumCPUs", "NUM_CPUS", 0, 0, cpus)                                                                        \
	X(0, "ResvPorts", "RESERVED_PORTS", 0, 0, null)                                                                \
	X(0, "Runtime", "RUNTIME", 0, 0, null)                                                                         \
	X(0, "StdErr", "STDERR", 0, 0, empty)                                                                          \
	X(0, "StdIn", "STDIN", 0, 0, empty)                                                                            \
	X(0, "StdOut", "STDOUT", 0, 0, empty)                                                                          \
	X(0, "StepState", "STATE", 0, 0, state)                                                                        \
	X(0, "tres-bind", "TRES_BIND", 0, 0, null)                                                                     \
	X(0, "tres-freq", "TRES_FREQ", 0, 0, null)                                                                     \
	X(0, "tres-per-job|tres-per-step", "TRES_PER_STEP", 0, 0, null)                                                \
	X(0, "tres-per-socket", "TRES_PER_SOCKET", 0, 0, null)                                                         \
	X(0, "tres-per-task", "TRES_PER_TASK", 0, 0, null)

#define X(letter, name, header, whole, whole_header, fn) {letter, name, header, whole, whole_header},
static const struct table_field STEP_FIELDS[] = {FIELDS(X)};
#undef X
#define X(letter, name, header, whole, whole_header, fn) fn,
static cell_fn *const FILL[] = {FIELDS(X)};
#undef X

static char *step_text(void *row, int field)
{
	return FILL[field](row);
}

/* ---- which jobs have steps ---- */

typedef void step_fn(void *data, const struct step_ref *t);
struct step_list {
	step_fn *fn;
	void *data;
	bool by_id; /* in squeue's order: numbered ones first */
};

static bool is_numbered(const struct step_row *s)
{
	return s->of->kind == JOBSTEP_NUMBERED;
}

static void tell(const struct step_list *l, const struct job_ref *r, const GPtrArray *rows, bool numbered)
{
	if (!rows && !numbered && r->job->het_offset == 0)
		l->fn(l->data, &(struct step_ref){r, NULL});
	for (guint i = 0; rows && i < rows->len; i++) {
		const struct step_row *row = rows->pdata[i];
		if (!row->end_t && is_numbered(row) == numbered)
			l->fn(l->data, &(struct step_ref){r, row});
	}
}

static void with_step(void *data, const struct job_ref *r)
{
	const struct step_list *l = data;

	if (!r->job->alloc || r->job->flags & JOB_COMPLETING)
		return;
	GPtrArray *rows = sim_job_steps(controller_cluster(r->view->c), r->job, MAX(r->view->now * USEC, r->job->start_t), NULL);
	tell(l, r, rows, l->by_id);
	tell(l, r, rows, !l->by_id);
	if (rows)
		g_ptr_array_unref(rows);
}

static void each_step(const struct job_view *v, const struct squeue_options *o, const char *sort, step_fn *fn, void *data)
{
	struct squeue_options running = *o;
	struct step_list l = {fn, data, strcmp(sort, "P,A") == 0};

	running.states = "R,S";
	running.sort = sort;
	squeue_each(v, &running, with_step, &l);
}

/* ---- squeue -s ---- */

struct step_rows {
	FILE *out;
	struct table *table;
};

static void print_row(void *data, const struct step_ref *t)
{
	const struct step_rows *rows = data;

	table_row(rows->out, rows->table, STEP_FIELDS, step_text, (void *)t);
}

void steps_print(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o)
{
	const struct job_view v = {c, now, controller_cluster(c)->params->version == SLURM_22_05};
	const guint n = G_N_ELEMENTS(STEP_FIELDS);
	struct step_rows rows = {
	    out, o->long_format ? table_long(STEP_FIELDS, n, o->long_format)
	                        : table_short(STEP_FIELDS, n, o->format ? o->format : "%.15i %.8j %.9P %.8u %.9M %N")};

	table_complain(rows.table, "squeue", "Invalid job step format specification");
	if (o->wide && !o->no_header)
		print_date_line(out, now);
	if (!o->no_header)
		table_header(out, rows.table, STEP_FIELDS);
	each_step(&v, o, "P,A", print_row, &rows);
	table_drop(rows.table);
}

/* ---- scontrol show steps ---- */

struct shown_steps {
	FILE *out;
	const char *names;
	int flags;
	bool any;
};

static bool step_wanted(const char *names, const struct step_ref *t)
{
	char *id = step_id(t), *job = g_strndup(id, strlen(id) - strlen(strrchr(id, '.')));
	bool wanted = !names || in_list(names, id) || in_list(names, job);

	g_free(id);
	g_free(job);
	return wanted;
}

static char *step_record(const struct step_ref *t)
{
	char *id = step_id(t), *start = date_format(start_of(t), NULL), *where = host(t), *first = of_job(t, 'B'), *gpus = per_node(t);
	const struct step_row *s = is_batch(t) ? NULL : t->step;
	GString *text = g_string_new(NULL);

	g_string_printf(text,
	                "StepId=%s UserId=%u StartTime=%s TimeLimit=UNLIMITED\n   State=%s Partition=%s NodeList=%s\n"
	                "   Nodes=%u CPUs=%u Tasks=%u Name=%s Network=(null)\n   TRES=%s\n   ResvPorts=(null)\n",
	                id, job_uid(t->r->job), start, t->step ? t->step->state : "RUNNING", t->r->partition, where,
	                s ? s->nodes : 1, s ? s->cpus : 0, s ? s->tasks : 1, t->step ? job_step_name(t->step->of) : "batch",
	                s ? s->tres : "(null)");
	if (s && is_numbered(s))
		g_string_append_printf(text, "   CPUFreqReq=Default Dist=Cyclic\n   SrunHost:Pid=%s:0", first);
	else
		g_string_append(text, "   CPUFreqReq=Default\n   SrunHost:Pid=(null):0");
	if (strcmp(gpus, "(null)") != 0)
		g_string_append_printf(text, "\n   TresPerNode=%s", gpus);
	g_free(id);
	g_free(start);
	g_free(where);
	g_free(first);
	g_free(gpus);
	return g_string_free(text, FALSE);
}

static void show_step(void *data, const struct step_ref *t)
{
	struct shown_steps *s = data;

	if (!step_wanted(s->names, t))
		return;
	char *record = step_record(t);
	show_record(s->out, g_string_new(record), s->flags, "\n   ");
	s->any = true;
	g_free(record);
}

int show_steps(FILE *out, const struct job_view *v, const char *names, int flags)
{
	const struct squeue_options o = {.all = true};
	struct shown_steps s = {out, names, flags, false};

	each_step(v, &o, "A", show_step, &s);
	if (s.any)
		return 0;
	if (names) {
		fprintf(stderr, "Job step %s not found\n", names);
		return 1;
	}
	fputs("No job steps in the system\n", out);
	return 0;
}

/* ---- --json ---- */

static const char STEP[] =
    "array{job_id:i task_id:i} cluster:s container:s container_id:s cpu{frequency{min:t max:t governor:t}} "
    "tres{per{cpu:s memory:s step:s node:s socket:s task:s} allocation:s binding:s frequency:s} name:s network:s "
    "nodes:s "
    "number_cpus:i number_tasks:i partition:s reserved_ports:s time{running:t start:t limit:u} runtime:s "
    "srun{host:s pid:i} state:l sluid:s id:s stderr:s stdin:s stdout:s stdin_expanded:s stdout_expanded:s "
    "stderr_expanded:s submit_line:s task{distribution:s} user:s";

static void add_step(void *list, const struct step_ref *t)
{
	const struct job *j = t->r->job;
	const struct step_row *s = is_batch(t) ? NULL : t->step;
	cJSON *o = json_from_schema(STEP);

	json_put_int(o, "array.job_id", j->array ? j->array->job_id : 0);
	json_put_int(o, "array.task_id", j->task);
	json_put_taken(o, "cluster", cluster_name(t));
	json_put_taken(o, "name", step_name(t));
	json_put_taken(o, "nodes", host(t));
	json_put_int(o, "number_tasks", s ? s->tasks : 1);
	if (s) {
		json_put_int(o, "number_cpus", s->cpus);
		json_put_text(o, "tres.allocation", s->tres);
		char *gpus = per_node(t);
		if (strcmp(gpus, "(null)") != 0)
			json_put_text(o, "tres.per.node", gpus);
		g_free(gpus);
	}
	json_put_text(o, "partition", t->r->partition);
	json_put_number(o, "time.running", (double)seconds_run(t));
	json_put_number(o, "time.start", (double)start_of(t));
	json_put_list(o, "state", t->step ? t->step->state : "RUNNING", ",");
	json_put_taken(o, "id", step_id(t));
	json_put_text(o, "task.distribution", s && is_numbered(s) ? "Cyclic" : "Unknown");
	json_put_text(o, "user", j->user);
	cJSON_AddItemToArray(list, o);
}

void json_print_steps(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o,
                      const char *command)
{
	const struct cluster *cl = controller_cluster(c);
	const struct job_view v = {c, now, cl->params->version == SLURM_22_05};
	const struct json_origin from = {
	    .now = now, .v22 = v.v22, .accounting = cl->acct != NULL, .cluster = cl->params->cluster_name};
	cJSON *list = cJSON_CreateArray();

	each_step(&v, o, "A", add_step, list);
	json_print_envelope(out, &from, "steps", list, command);
}
