/* job_text.c - pieces of a job's text that squeue, scontrol and JSON share; see job_fields.h */
#include "sched/license.h"
#include "sched/base/memsize.h"
#include "sched/billing.h"
#include "tools/job_fields.h"
#include <string.h>

char *nodes_text(const struct job_view *v, const struct bitset *nodes)
{
	return nodes && !bitset_empty(nodes) ? cluster_format_nodes(controller_cluster(v->c), nodes) : NULL;
}

const char *job_state_shown(const struct job *j)
{
	return j->flags & JOB_COMPLETING      ? "COMPLETING"
	       : j->flags & JOB_CONFIGURING   ? "CONFIGURING"
	       : j->flags & JOB_EXPEDITING    ? "EXPEDITING"
	       : j->flags & JOB_SPECIAL_EXIT  ? "SPECIAL_EXIT"
	       : j->flags & JOB_RESV_DEL_HOLD ? "RESV_DEL_HOLD"
	                                      : job_state_name(j->state);
}

uint32_t job_uid(const struct job *j)
{
	return strcmp(j->user ? j->user : "", "root") == 0 ? 0 : 1000 + j->user_key;
}

static bool waits(const struct job *j)
{
	return j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING);
}

const struct job_alloc *job_alloc_shown(const struct job *j)
{
	return waits(j) ? NULL : j->alloc ? j->alloc : j->was_alloc;
}

const struct bitset *job_nodes_shown(const struct job *j)
{
	return waits(j) ? NULL : j->nodes ? j->nodes : j->was_nodes;
}

void job_exit_shown(const struct job_view *v, const struct job *j, int *code, int *signal)
{
	enum { TERM = 15 };

	*code = j->exit_code;
	*signal = j->exit_signal;
	if (j->state == JOB_NODE_FAIL || j->state == JOB_DEADLINE) {
		*code = 0;
		*signal = j->state == JOB_NODE_FAIL && v->v22 ? 0 : 1;
	} else if (!(j->flags & JOB_COMPLETING) && (j->state == JOB_TIMEOUT || (j->state == JOB_CANCELLED && job_alloc_shown(j)))) {
		*code = 0;
		*signal = TERM;
	}
}

/* What -n, -c and --ntasks-per-node need at least, on the largest nodes of the partition. */
static uint32_t implied_nodes(const struct controller *c, const struct job *j)
{
	const struct cluster *cluster = controller_cluster(c);
	uint32_t most = 1, nodes = MAX(j->min_nodes, 1);
	const struct partition *p = j->part ? j->part : j->parts[0].part;
	int64_t i;

	for (BITSET_EACH(i, p->nodes)) {
		if (j->min_cpus <=
		    (uint64_t)most * nodes) /* larger nodes would not change it: long queues are read here */
			break;
		most = MAX(most, cluster->node[i]->config->cpus);
	}
	nodes = MAX(nodes, j->min_cpus / most + (j->min_cpus % most > 0));
	if (j->ntasks_per_node && j->ntasks != NO_VAL)
		nodes = MAX(nodes, j->ntasks / j->ntasks_per_node + (j->ntasks % j->ntasks_per_node > 0));
	return nodes;
}

uint32_t job_node_count(const struct job_view *v, const struct job *j)
{
	const struct bitset *nodes = job_nodes_shown(j);

	return nodes ? bitset_count(nodes) : implied_nodes(v->c, j);
}

/* What was asked for: CPUs that come with GPUs (DefCpuPerGPU, --cpus-per-gpu) are not in it. */
static uint32_t asked_cpus(const struct job *j)
{
	bool by_gpu = j->n_gres && (j->def_cpus_per_gpu || j->req->cpus_per_gpu != NO_VAL);
	uint32_t tasks = j->ntasks == NO_VAL ? MAX(j->min_nodes, 1) : j->ntasks;

	return by_gpu ? MIN(j->min_cpus, tasks * MAX(1u, (uint32_t)j->cpt)) : j->min_cpus;
}

uint32_t job_cpu_count(const struct job *j)
{
	const struct job_alloc *a = job_alloc_shown(j);

	return a ? a->cpus : asked_cpus(j);
}

sec_t job_seconds_shown(const struct job_view *v, const struct job *j)
{
	bool started = j->start && (j->state != JOB_PENDING || j->flags & JOB_COMPLETING);
	sec_t until = j->state == JOB_RUNNING || !j->end ? v->now : j->end;

	sec_t stopped = j->sus_total + (j->suspended ? MAX(0, v->now - j->suspended) : 0);
	if (j->state == JOB_SUSPENDED)
		until = v->now;
	return started && until - stopped > j->start ? until - stopped - j->start : 0;
}

/* A begin time in the future counts as a planned start. */
static sec_t begin_of(const struct job *j)
{
	return j->req && j->req->begin > j->submit ? j->req->begin : 0;
}

sec_t job_start_shown(const struct job *j)
{
	if (!waits(j)) /* R52: what ended without a start has started when it ended */
		return j->start || !job_is_finished(j) ? j->start : j->end;
	if (j->est_start)
		return j->est_start;
	if (j->reason == REASON_BEGIN_TIME)
		return j->eligible;
	return j->priority == 0 ? begin_of(j) : 0;
}

sec_t job_end_shown(const struct job *j)
{
	sec_t start = job_start_shown(j);

	if (j->state != JOB_PENDING && j->state != JOB_RUNNING)
		return j->end;
	if (!start || j->time_limit == INFINITE || (waits(j) && !j->est_start && j->reason != REASON_BEGIN_TIME))
		return 0;
	return start + job_limit_seconds(j->time_limit);
}

/* Its nodes; when it completes without those that have gone down (recorded: drain-down). NULL as nodes_text. */
static char *nodes_left(const struct job_view *v, const struct job *j)
{
	const struct cluster *cl = controller_cluster(v->c);
	if (!j->nodes || !(j->flags & JOB_COMPLETING))
		return nodes_text(v, job_nodes_shown(j));
	struct bitset *left = bitset_copy(j->nodes);
	for (uint32_t i = 0; i < cl->n_nodes; i++)
		if (cl->node[i]->base == NODE_DOWN)
			bitset_clear(left, i);
	char *text = nodes_text(v, left);
	bitset_free(left);
	return text;
}

char *job_nodes_or_reason(const struct job_view *v, const struct job *j)
{
	bool by_reason = j->state == JOB_TIMEOUT || j->state == JOB_OOM || j->state == JOB_DEADLINE ||
	                 j->state == JOB_FAILED || j->state == JOB_PENDING;
	char *nodes;

	if (by_reason && !(j->flags & JOB_COMPLETING))
		return g_strdup_printf("(%s)",
		                       j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason));
	nodes = nodes_left(v, j);
	return nodes ? nodes : g_strdup("");
}

/* Licences that are counted as TRES (AccountingStorageTRES). Of alternatives the one that was taken. */
static void add_licenses(const struct cluster *cl, const struct job *j, uint64_t *counts)
{
	const struct license_list *l = j->licenses;

	for (uint32_t i = 0; l && i < l->n; i++) {
		const struct license *one = cl->licenses->pdata[l->want[i].license];
		char *name = g_strconcat("license/", one->name, NULL);
		int tres = l->any && l->held != (int)i ? -1 : tres_find(cl->tres, name);

		if (tres >= 0)
			counts[tres] = l->want[i].count;
		g_free(name);
	}
}

char *job_tres_text(const struct job_view *v, const struct job *j, bool allocated)
{
	const struct cluster *cl = controller_cluster(v->c);
	uint64_t counts[TRES_MAX] = {0};

	if (!allocated) {
		tres_of_request(cl, j, counts);
		if (counts[TRES_CPU] != asked_cpus(j)) {
			counts[TRES_CPU] = asked_cpus(j);
			if (j->mem_per_cpu)
				counts[TRES_MEM] = j->pn_min_memory * counts[TRES_CPU];
			counts[TRES_BILLING] = 0;
			counts[TRES_BILLING] = (uint64_t)billing_of(cl->params, cl->tres,
			                                            j->part ? j->part->billing_weights : NULL, counts);
		}
	} else {
		const struct job_alloc *a = job_alloc_shown(j);
		if (!a)
			return NULL;
		tres_of_alloc(cl, a, counts);
		counts[TRES_BILLING] = a->billing > 0 ? (uint64_t)a->billing : 0;
	}
	add_licenses(cl, j, counts);
	return tres_format(cl->tres, counts, NO_VAL64);
}

static char *with_prefix(const char *list, const char *prefix)
{
	char **items = g_strsplit(list, ",", -1);
	GString *out = g_string_new(NULL);

	for (char **p = items; *p; p++)
		g_string_append_printf(out, "%s%s%s", out->len ? "," : "", g_str_has_prefix(*p, prefix) ? "" : prefix,
		                       *p);
	g_strfreev(items);
	return g_string_free(out, FALSE);
}

char *job_gres_text(const struct job_view *v, const struct job *j)
{
	return j->req && j->req->gres ? with_prefix(j->req->gres, v->v22 ? "gres:" : "gres/") : NULL;
}

char *job_memory_text(const struct job *j)
{
	return j->mem_all ? g_strdup("0") : memsize_format_mib(j->pn_min_memory);
}

char *job_dependency_text(const struct job_view *v, const struct job *j)
{
	static const char *const KINDS[] = {[DEP_AFTER] = "after",           [DEP_AFTERANY] = "afterany",   [DEP_AFTEROK] = "afterok",
	                                    [DEP_AFTERNOTOK] = "afternotok", [DEP_SINGLETON] = "singleton", [DEP_AFTERCORR] = "aftercorr",
	                                    [DEP_AFTERBURSTBUFFER] = "afterburstbuffer"};
	GString *s = g_string_new(NULL);

	(void)v;
	for (uint32_t i = 0; i < j->n_deps; i++) {
		const struct dependency *d = &j->deps[i];
		if (d->state == DEP_MET)
			continue;
		if (s->len)
			g_string_append_c(s, j->deps_or ? '?' : ',');
		g_string_append(s, KINDS[d->kind]);
		if (d->kind != DEP_SINGLETON)
			g_string_append_printf(s, ":%u", d->job);
		if (d->task != NO_VAL && d->kind != DEP_SINGLETON)
			g_string_append_printf(s, "_%u", d->task);
		else if (d->of_array)
			g_string_append(s, "_*");
		if (d->minutes)
			g_string_append_printf(s, "+%u", d->minutes);
		g_string_append(s, d->state == DEP_FAILED ? "(failed)" : "(unfulfilled)");
	}
	return g_string_free(s, s->len == 0);
}

/* Recorded (tests/recorded/arrays): six tasks or more in equal steps over more than ten numbers. */
enum { STEPPED_TASKS = 6, STEPPED_SPAN = 10 };

int64_t job_tasks_step(const struct bitset *b)
{
	int64_t first = bitset_first(b), last = bitset_last(b), before = first, i, step = 0, n = 1;
	for (BITSET_EACH(i, b)) {
		if (i == first)
			continue;
		if (step && i - before != step)
			return 0;
		step = i - before;
		before = i;
		n++;
	}
	return step < 2 || n < STEPPED_TASKS || last - first <= STEPPED_SPAN ? 0 : step;
}

static char *stepped_ranges(const struct bitset *b)
{
	int64_t step = job_tasks_step(b);

	return step ? g_strdup_printf("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, bitset_first(b), bitset_last(b), step)
	            : bitset_to_ranges(b);
}

char *job_tasks_text(const struct job *j, const struct bitset *tasks)
{
	char *ranges = stepped_ranges(tasks);
	char *text = j->array->limit ? g_strdup_printf("[%s%%%u]", ranges, j->array->limit) : g_strdup_printf("[%s]", ranges);

	g_free(ranges);
	return text;
}

char *job_tasks_shown(const struct job *j)
{
	return j->array && j->tasks ? job_tasks_text(j, j->tasks) : job_format_tasks(j);
}

char *job_id_shown(const struct job *j)
{
	char *tasks, *text;

	if (!j->array)
		return job_format_id(j);
	tasks = job_tasks_shown(j);
	text = g_strdup_printf("%u_%s", j->array->job_id, tasks);
	g_free(tasks);
	return text;
}
