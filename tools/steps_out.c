/* steps_out.c - see steps_out.h */
#include "tools/steps_out.h"
#include "tools/cells.h"
#include "tools/show.h"
#include <string.h>

/* ---- columns ---- */

typedef char *cell_fn(const struct job_ref *r);
#define CELL(name) static char *name(const struct job_ref *r)

static char *of_job(const struct job_ref *r, char letter)
{
	return job_field_text((void *)r, job_field_letter(letter));
}

CELL(step_id)
{
	/* of a heterogeneous job it belongs to the whole: recorded "13.batch" */
	char *id = r->job->het ? g_strdup_printf("%u", r->job->het->job_id) : job_id_shown(r->job),
	     *text = g_strconcat(id, ".batch", NULL);

	g_free(id);
	return text;
}
CELL(batch)
{
	(void)r;
	return g_strdup("batch");
}
CELL(one)
{
	(void)r;
	return g_strdup("1");
}
CELL(zero)
{
	(void)r;
	return g_strdup("0");
}
CELL(null)
{
	(void)r;
	return g_strdup("(null)");
}
CELL(empty)
{
	(void)r;
	return g_strdup("");
}
CELL(unlimited)
{
	(void)r;
	return g_strdup("UNLIMITED");
}
CELL(running)
{
	(void)r;
	return g_strdup("RUNNING");
}
CELL(frequency)
{
	(void)r;
	return g_strdup("0-0:0");
}
CELL(host)
{
	return of_job(r, 'B');
}
CELL(used)
{
	return of_job(r, 'M');
}
CELL(started)
{
	return of_job(r, 'S');
}
CELL(partition)
{
	return g_strdup(r->partition);
}
CELL(user)
{
	return g_strdup(r->job->user);
}
CELL(uid)
{
	return g_strdup_printf("%u", job_uid(r->job));
}
CELL(job_id)
{
	return g_strdup_printf("%u", r->job->id);
}
CELL(array_id)
{
	return g_strdup_printf("%u", r->job->array ? r->job->array->job_id : 0);
}
CELL(task_id)
{
	return r->job->task == NO_VAL ? g_strdup("N/A") : g_strdup_printf("%u", r->job->task);
}
CELL(cluster_name)
{
	return g_strdup(controller_cluster(r->view->c)->params->cluster_name);
}

#define FIELDS(X)                                                                                                      \
	X('A', "NumTasks", "TASKS", 0, 0, one)                                                                         \
	X('b', "Gres|tres-per-node", "TRES_PER_JOB", 0, 0, null)                                                       \
	X('i', "StepId", "STEPID", 0, 0, step_id)                                                                      \
	X('j', "StepName", "NAME", 0, 0, batch)                                                                        \
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
	X(0, "NumCPUs", "NUM_CPUS", 0, 0, zero)                                                                        \
	X(0, "ResvPorts", "RESERVED_PORTS", 0, 0, null)                                                                \
	X(0, "Runtime", "RUNTIME", 0, 0, null)                                                                         \
	X(0, "StdErr", "STDERR", 0, 0, empty)                                                                          \
	X(0, "StdIn", "STDIN", 0, 0, empty)                                                                            \
	X(0, "StdOut", "STDOUT", 0, 0, empty)                                                                          \
	X(0, "StepState", "STATE", 0, 0, running)                                                                      \
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

/* ---- which jobs have a step ---- */

struct step_list {
	void (*fn)(void *data, const struct job_ref *r);
	void *data;
};

static void with_step(void *data, const struct job_ref *r)
{
	const struct step_list *l = data;

	if (r->job->alloc && !(r->job->flags & JOB_COMPLETING) && !r->job->het_offset)
		l->fn(l->data, r);
}

static void each_step(const struct job_view *v, const struct squeue_options *o, const char *sort,
                      void (*fn)(void *data, const struct job_ref *r), void *data)
{
	struct squeue_options running = *o;
	struct step_list l = {fn, data};

	running.states = "R,S";
	running.sort = sort;
	squeue_each(v, &running, with_step, &l);
}

/* ---- squeue -s ---- */

struct step_rows {
	FILE *out;
	struct table *table;
};

static void print_row(void *data, const struct job_ref *r)
{
	const struct step_rows *rows = data;

	table_row(rows->out, rows->table, STEP_FIELDS, step_text, (void *)r);
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

static bool step_wanted(const char *names, const struct job_ref *r)
{
	char *id = step_id(r), *job = g_strndup(id, strlen(id) - strlen(".batch"));
	bool wanted = !names || in_list(names, id) || in_list(names, job);

	g_free(id);
	g_free(job);
	return wanted;
}

static void show_step(void *data, const struct job_ref *r)
{
	struct shown_steps *s = data;
	char *id, *start, *node;

	if (!step_wanted(s->names, r))
		return;
	id = step_id(r);
	start = date_format(r->job->start, NULL);
	node = host(r);
	GString *text = g_string_new(NULL);
	g_string_printf(
	    text,
	    "StepId=%s UserId=%u StartTime=%s TimeLimit=UNLIMITED\n   State=RUNNING Partition=%s NodeList=%s\n"
	    "   Nodes=1 CPUs=0 Tasks=1 Name=batch Network=(null)\n   TRES=(null)\n   ResvPorts=(null)\n"
	    "   CPUFreqReq=Default\n   SrunHost:Pid=(null):0",
	    id, job_uid(r->job), start, r->partition, node);
	show_record(s->out, text, s->flags, "\n   ");
	s->any = true;
	g_free(id);
	g_free(start);
	g_free(node);
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

static void add_step(void *list, const struct job_ref *r)
{
	const struct job *j = r->job;
	cJSON *o = json_from_schema(STEP);

	json_put_int(o, "array.job_id", j->array ? j->array->job_id : 0);
	json_put_int(o, "array.task_id", j->task);
	json_put_taken(o, "cluster", cluster_name(r));
	json_put_text(o, "name", "batch");
	json_put_taken(o, "nodes", host(r));
	json_put_int(o, "number_tasks", 1);
	json_put_text(o, "partition", r->partition);
	json_put_number(o, "time.running", (double)job_seconds_shown(r->view, j));
	json_put_number(o, "time.start", (double)j->start);
	json_put_list(o, "state", "RUNNING", ",");
	json_put_taken(o, "id", step_id(r));
	json_put_text(o, "task.distribution", "Unknown");
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
