/* show_job.c - scontrol show job; see show.h */
#include "tools/show.h"
#include "sim/placement.h"
#include <stdlib.h>
#include <string.h>

#define ROW "\n   "

static void put_date(GString *s, const char *key, sec_t t, const char *none)
{
	char *date = t ? date_format(t, NULL) : g_strdup(none);

	g_string_append_printf(s, "%s=%s", key, date);
	g_free(date);
}

/* Takes TEXT over. */
static void put_taken(GString *s, const char *key, char *text, const char *none)
{
	g_string_append_printf(s, "%s=%s", key, text ? text : none);
	g_free(text);
}

static const char *or_null(const char *text)
{
	return text && *text ? text : "(null)";
}

static bool waits(const struct job *j)
{
	return j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING);
}

/* ---- the lines ---- */

static void put_identity(GString *s, const struct job *j)
{
	g_string_append_printf(s, "JobId=%u ", j->id);
	if (j->array) {
		char *tasks = job_tasks_shown(j), *bare = tasks;
		size_t n = strlen(tasks);

		if (tasks[0] == '[' && n >= 2) {
			tasks[n - 1] = '\0';
			bare++;
		}
		g_string_append_printf(s, "ArrayJobId=%u ArrayTaskId=%s ", j->array->job_id, bare);
		if (j->array->limit)
			g_string_append_printf(s, "ArrayTaskThrottle=%u ", j->array->limit);
		g_free(tasks);
	}
	g_string_append_printf(s, "JobName=%s", j->name ? j->name : "");
	g_string_append_printf(s, ROW "UserId=%s(%u) GroupId=%s(%u) MCS_label=N/A", j->user, job_uid(j), j->user,
	                       job_uid(j));
	g_string_append_printf(s, ROW "Priority=%u Nice=%" G_GINT64_FORMAT " Account=%s QOS=%s", j->priority, j->nice,
	                       j->account && *j->account ? j->account : "(null)", j->qos ? j->qos->name : "normal");
	if (j->req->wckey)
		g_string_append_printf(s, " WCKey=%s", j->req->wckey);
}

/* "FailedNode=c04 ": the first of its nodes that is down. */
static void put_failed_node(GString *s, const struct job_view *v, const struct job *j)
{
	const struct cluster *cl = controller_cluster(v->c);
	const struct bitset *nodes = job_nodes_shown(j);
	int64_t i;

	if (!nodes)
		return;
	for (BITSET_EACH(i, nodes))
		if (cl->node[i]->base == NODE_DOWN) {
			g_string_append_printf(s, "FailedNode=%s ", cl->node[i]->name);
			return;
		}
}

static void put_state(GString *s, const struct job_view *v, const struct job *j, int flags)
{
	char *reason = g_strdelimit(
	    g_strdup(j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason)), " ", '_');

	int code, signal;

	job_exit_shown(v, j, &code, &signal);
	g_string_append_printf(s, ROW "JobState=%s Reason=%s ", job_state_shown(j), reason);
	if (j->state == JOB_NODE_FAIL && !v->v22)
		put_failed_node(s, v, j);
	put_taken(s, "Dependency", job_dependency_text(v, j), "(null)");
	g_string_append_printf(s, ROW "Requeue=%d Restarts=%u BatchFlag=1 Reboot=%d ExitCode=%d:%d", j->requeue, j->run, j->req->reboot,
	                       code, signal);
	if (flags & SHOW_DETAILS)
		g_string_append(s, ROW "DerivedExitCode=0:0");
	g_free(reason);
}

static char *limit_text(uint32_t minutes, const char *none)
{
	if (minutes == NO_VAL)
		return g_strdup(none);
	return minutes == INFINITE ? g_strdup("UNLIMITED") : duration_format((int64_t)minutes * 60);
}

static uint32_t limit_of(const struct job *j)
{
	const struct partition *p = j->part ? j->part : j->n_parts ? j->parts[0].part : NULL;

	if (j->time_limit != NO_VAL || !p)
		return j->time_limit;
	return p->default_time != NO_VAL ? p->default_time : p->max_time;
}

/* A pending array record and a held or dependent job are not eligible now. */
static bool eligible_unknown(const struct job *j)
{
	return waits(j) && (!j->eligible || j->priority == 0 || j->reason == REASON_DEPENDENCY ||
	                    j->reason == REASON_DEPENDENCY_NEVER || j->reason == REASON_ARRAY_TASK_LIMIT);
}

static void put_times(GString *s, const struct job_view *v, const struct job *j)
{
	static const char *const BY[] = {[BY_NONE] = "Main", [BY_MAIN] = "Main", [BY_BACKFILL] = "Backfill"};

	g_string_append(s, ROW);
	put_taken(s, "RunTime", duration_format(job_seconds_shown(v, j)), "");
	g_string_append_c(s, ' ');
	put_taken(s, "TimeLimit", limit_text(limit_of(j), "Partition_Limit"), "");
	g_string_append_c(s, ' ');
	put_taken(s, "TimeMin", limit_text(j->time_min, "N/A"), "");
	g_string_append(s, ROW);
	put_date(s, "SubmitTime", j->submit, "Unknown");
	put_date(s, " EligibleTime", eligible_unknown(j) ? 0 : j->eligible, "Unknown");
	g_string_append(s, ROW);
	put_date(s, "AccrueTime", j->accrue, "Unknown");
	g_string_append(s, ROW);
	if (j->resized && j->state != JOB_PENDING) {
		put_date(s, "ResizeTime", j->resized, "Unknown");
		g_string_append(s, ROW);
	}
	put_date(s, "StartTime", job_start_shown(j), "Unknown");
	put_date(s, " EndTime", job_end_shown(j), "Unknown");
	put_date(s, " Deadline", j->deadline, "N/A");
	if (!waits(j) && j->start && controller_cluster(v->c)->params->preempt_type != PREEMPT_NONE) {
		g_string_append(s, ROW);
		put_date(s, "PreemptEligibleTime", j->start, "Unknown");
		put_date(s, " PreemptTime", j->preempt_time, "None");
	}
	g_string_append(s, ROW);
	put_date(s, "SuspendTime", j->state == JOB_SUSPENDED ? j->suspended : 0, "None");
	g_string_append_printf(s, " SecsPreSuspend=%" G_GINT64_FORMAT " ", j->state == JOB_SUSPENDED ? job_seconds_shown(v, j) : 0);
	put_date(s, "LastSchedEval", waits(j) ? 0 : job_start_shown(j), "Unknown");
	g_string_append_printf(s, " Scheduler=%s%s", j->est_start && waits(j) ? "Backfill" : BY[j->started_by],
	                       j->est_start && waits(j) ? ":*" : "");
}

static void put_places(GString *s, const struct job_view *v, const struct job *j)
{
	const struct cluster *cl = controller_cluster(v->c);
	GString *parts = g_string_new(NULL);
	bool several = waits(j) && j->n_parts > 1;

	for (uint32_t i = 0; i < (several ? j->n_parts : 1); i++)
		g_string_append_printf(parts, "%s%s", i ? "," : "",
		                       several || !j->part ? j->parts[i].part->name : j->part->name);
	g_string_append_printf(s, ROW "Partition=%s AllocNode:Sid=(null):0" ROW, parts->str);
	g_string_free(parts, TRUE);
	put_taken(s, "ReqNodeList", nodes_text(v, j->req_nodes), "(null)");
	put_taken(s, " ExcNodeList", nodes_text(v, j->exc_nodes), "(null)");
	g_string_append(s, ROW);
	const struct bitset *nodes = job_nodes_shown(j);
	put_taken(s, "NodeList", nodes_text(v, nodes), "");
	if (waits(j) && j->sched_nodes && !bitset_empty(j->sched_nodes))
		put_taken(s, " SchedNodeList", nodes_text(v, j->sched_nodes), "");
	if (nodes && !bitset_empty(nodes))
		g_string_append_printf(s, ROW "BatchHost=%s", cl->node[bitset_first(nodes)]->name);
}

static void put_star(GString *s, const char *sep, uint32_t n)
{
	if (n == NO_VAL)
		g_string_append_printf(s, "%s*", sep);
	else
		g_string_append_printf(s, "%s%u", sep, n);
}

static void put_size(GString *s, const struct job_view *v, const struct job *j)
{
	uint32_t nodes = job_node_count(v, j);

	g_string_append_printf(s, ROW "NumNodes=%u", nodes);
	bool no_most = j->max_nodes == NO_VAL || !j->max_nodes;
	if (waits(j) && !(no_most && v->v22))
		g_string_append_printf(s, "-%u", no_most ? nodes : MAX(nodes, j->max_nodes));
	g_string_append_printf(s, " NumCPUs=%u", job_cpu_count(j));
	if (waits(j) && j->max_cpus != NO_VAL)
		g_string_append_printf(s, "-%u", j->max_cpus);
	g_string_append_printf(s, " NumTasks=%u CPUs/Task=%u ReqB:S:C:T=0:0",
	                       j->ntasks == NO_VAL ? MAX(j->min_nodes, 1) : j->ntasks, MAX(1, j->cpt));
	put_star(s, ":", j->req->cores_per_socket);
	put_star(s, ":", j->req->threads_per_core);
	if (v->v22) {
		char *used = job_tres_text(v, j, true);
		g_string_append(s, ROW);
		put_taken(s, "TRES", used ? used : job_tres_text(v, j, false), "(null)");
		return;
	}
	g_string_append(s, ROW);
	put_taken(s, "ReqTRES", job_tres_text(v, j, false), "(null)");
	g_string_append(s, ROW);
	put_taken(s, "AllocTRES", job_tres_text(v, j, true), "(null)");
}

/* ---- -d: what it holds, equal nodes joined ---- */

static void put_held(GString *s, const struct job_view *v, const struct job *j)
{
	const struct cluster *cl = controller_cluster(v->c);
	const struct job_alloc *a = job_alloc_shown(j);

	for (uint32_t i = 0; i < a->n;) {
		struct bitset *same = bitset_new(cl->n_nodes);
		char *cpus = placement_cpu_ids(cl, a, &a->node[i]), *gres = placement_gres(cl, a, &a->node[i]), *names;
		uint32_t k = i;
		bool equal = true;

		while (equal && k < a->n) {
			bitset_set(same, a->node[k].node);
			if (++k == a->n)
				break;
			char *c2 = placement_cpu_ids(cl, a, &a->node[k]), *g2 = placement_gres(cl, a, &a->node[k]);
			equal = strcmp(cpus, c2) == 0 && strcmp(gres, g2) == 0 && a->node[k].mem == a->node[i].mem;
			g_free(c2);
			g_free(g2);
		}
		names = cluster_format_nodes(cl, same);
		g_string_append_printf(s, ROW "  Nodes=%s CPU_IDs=%s Mem=%" G_GUINT64_FORMAT " GRES=%s", names, cpus,
		                       a->node[i].mem, gres);
		g_free(names);
		g_free(cpus);
		g_free(gres);
		bitset_free(same);
		i = k;
	}
}

/* "gpu:a100:4": of all nodes. */
static char *gres_total(const struct job_view *v, const struct job *j)
{
	char *tres = job_tres_text(v, j, true), **items = g_strsplit(tres ? tres : "", ",", -1), *typed = NULL,
	     *plain = NULL;

	for (char **p = items; *p; p++) {
		char *eq = strchr(*p, '=');
		if (!g_str_has_prefix(*p, "gres/") || !eq)
			continue;
		char *text = g_strdup_printf("%.*s:%s", (int)(eq - *p - 5), *p + 5, eq + 1);
		char **slot = strchr(text, ':') != strrchr(text, ':') ? &typed : &plain;
		g_free(*slot);
		*slot = text;
	}
	g_strfreev(items);
	g_free(tres);
	if (typed) {
		g_free(plain);
		return typed;
	}
	return plain;
}

static void put_shape(GString *s, const struct job_view *v, const struct job *j, int flags)
{
	g_string_append(s, ROW "Socks/Node=");
	put_star(s, "", j->req->sockets_per_node);
	g_string_append_printf(s, " NtasksPerN:B:S:C=%u:0", j->ntasks_per_node);
	put_star(s, ":", j->ntasks_per_socket ? j->ntasks_per_socket : NO_VAL);
	put_star(s, ":", j->ntasks_per_core ? j->ntasks_per_core : NO_VAL);
	g_string_append(s, j->thread_spec ? " ThreadSpec=" : " CoreSpec=");
	put_star(s, "", j->core_spec);
	if (flags & SHOW_DETAILS && job_alloc_shown(j)) {
		g_string_append(s, ROW);
		put_taken(s, "JOB_GRES", gres_total(v, j), "(null)");
		put_held(s, v, j);
	}
	g_string_append_printf(s, ROW "MinCPUsNode=%u %s=", MAX(1, j->pn_min_cpus),
	                       j->mem_per_cpu ? "MinMemoryCPU" : "MinMemoryNode");
	char *memory = job_memory_text(j),
	     *tmp = job_field_text(&(struct job_ref){.view = v, .job = j, .task = NO_VAL}, job_field_letter('d'));
	g_string_append_printf(s, "%s MinTmpDiskNode=%s", memory, tmp);
	g_free(memory);
	g_free(tmp);
}

/* "1@00:05:00": the longest wait for so few switches */
static void put_switches(GString *s, const struct job_view *v, const struct job_request *r)
{
	int64_t most = controller_cluster(v->c)->params->max_switch_wait;
	char *wait = duration_format(r->switches_wait < 0 ? most : MIN(r->switches_wait, most));

	g_string_append_printf(s, ROW "Switches=%u@%s", r->switches, wait);
	g_free(wait);
}

static void put_rest(GString *s, const struct job_view *v, const struct job *j)
{
	char *gres = job_gres_text(v, j);
	const struct job_request *r = j->req;
	static const char *const EXCLUSIVE[] = {
	    [SHARE_EXCLUSIVE_USER] = "USER", [SHARE_EXCLUSIVE_MCS] = "MCS", [SHARE_EXCLUSIVE_TOPO] = "TOPO"};
	const char *alone = r->share >= SHARE_EXCLUSIVE_USER ? EXCLUSIVE[r->share] : j->whole_node ? "NODE" : "NO";

	char *delay = duration_format(r->delay_boot == NO_VAL || r->delay_boot == INFINITE ? 0 : (sec_t)r->delay_boot * 60);
	g_string_append_printf(s, ROW "Features=%s DelayBoot=%s", or_null(r->constraint), delay);
	g_free(delay);
	if (r->prefer)
		g_string_append_printf(s, ROW "Prefer=%s", r->prefer);
	if (r->reservation)
		g_string_append_printf(s, ROW "Reservation=%s", r->reservation);
	if (v->v22)
		g_string_append_printf(s, ROW "OverSubscribe=%s Contiguous=%d Licenses=%s Network=(null)",
		                       r->share == SHARE_OVERSUBSCRIBE ? "YES"
		                       : j->whole_node || j->share_none ? "NO"
		                                                       : "OK",
		                       j->contiguous, r->licenses ? r->licenses : "(null)");
	else
		g_string_append_printf(
		    s, ROW "OverSubscribe=%s Exclusive=%s Contiguous=%d Licenses=%s LicensesAlloc=%s Network=(null)",
		    r->share == SHARE_OVERSUBSCRIBE ? "YES" : "NO", alone, j->contiguous, or_null(r->licenses),
		    j->licenses_held ? or_null(r->licenses) : "(null)");
	g_string_append_printf(s, ROW "Command=(null)" ROW "WorkDir=%s", r->workdir ? r->workdir : "");
	if (r->admin_comment)
		g_string_append_printf(s, ROW "AdminComment=%s", r->admin_comment);
	if (r->comment)
		g_string_append_printf(s, ROW "Comment=%s", r->comment);
	g_string_append_printf(s, ROW "StdErr=" ROW "StdIn=/dev/null" ROW "StdOut=%s", r->output ? r->output : "/dev/null");
	if (r->switches != NO_VAL && r->switches)
		put_switches(s, v, r);
	if (j->def_cpus_per_gpu && j->n_gres)
		g_string_append_printf(s, ROW "CpusPerTres=gpu:%u", j->def_cpus_per_gpu);
	else if (r->cpus_per_gpu != NO_VAL)
		g_string_append_printf(s, ROW "CpusPerTres=gres/gpu:%u", r->cpus_per_gpu);
	if (r->gpus)
		g_string_append_printf(s, ROW "TresPerJob=gres%cgpu:%s", v->v22 ? ':' : '/', r->gpus);
	if (gres)
		g_string_append_printf(s, ROW "TresPerNode=%s", gres);
	if (r->gpus_per_socket)
		g_string_append_printf(s, ROW "TresPerSocket=gres%cgpu:%s", v->v22 ? ':' : '/', r->gpus_per_socket);
	if (r->gpus_per_task)
		g_string_append_printf(s, ROW "TresPerTask=gres%cgpu:%s", v->v22 ? ':' : '/', r->gpus_per_task);
	if (r->mail_type)
		g_string_append_printf(s, ROW "MailUser=%s MailType=%s", r->mail_user ? r->mail_user : j->user, r->mail_type);
	g_free(gres);
}

void show_record(FILE *out, GString *s, int flags, const char *row)
{
	if (flags & SHOW_ONE_LINE)
		g_string_replace(s, row, " ", 0);
	fprintf(out, flags & SHOW_ONE_LINE ? "%s\n" : "%s\n\n", s->str);
	g_string_free(s, TRUE);
}

static void show_job(FILE *out, const struct job_view *v, const struct job *j, int flags)
{
	GString *s = g_string_new(NULL);

	put_identity(s, j);
	put_state(s, v, j, flags);
	put_times(s, v, j);
	put_places(s, v, j);
	put_size(s, v, j);
	put_shape(s, v, j, flags);
	put_rest(s, v, j);
	show_record(out, s, flags, ROW);
}

/* ---- which ---- */

static bool all_split(const struct job *j)
{
	return job_is_array_head(j) && j->state == JOB_PENDING && j->tasks && bitset_empty(j->tasks);
}

static int show_one(FILE *out, const struct job_view *v, const char *name, int flags)
{
	char *end;
	uint32_t id = (uint32_t)strtoul(name, &end, 10), task = NO_VAL, found = 0;

	if (*end == '_')
		task = (uint32_t)strtoul(end + 1, &end, 10);
	for (uint32_t i = 0; i < controller_n_jobs(v->c) && end > name; i++) {
		const struct job *j = controller_job(v->c, i);
		bool of_array = j->array && j->array->job_id == id;
		bool mine = task == NO_VAL ? j->id == id || of_array
		                           : of_array && (j->task == task || (j->tasks && task < j->tasks->nbits &&
		                                                              bitset_test(j->tasks, task)));
		if (!mine || all_split(j))
			continue;
		show_job(out, v, j, flags);
		found++;
	}
	if (found)
		return 0;
	if (task != NO_VAL)
		fprintf(stderr, "Job %s not found\n", name);
	else
		fputs("slurm_load_jobs error: Invalid job id specified\n", stderr);
	return 1;
}

int show_jobs(FILE *out, const struct job_view *v, const char *names, int flags)
{
	uint32_t shown = 0;
	int code = 0;

	if (names) {
		char **list = g_strsplit(names, ",", -1);
		for (char **p = list; *p; p++)
			code |= show_one(out, v, *p, flags);
		g_strfreev(list);
		return code;
	}
	for (uint32_t i = 0; i < controller_n_jobs(v->c); i++) {
		const struct job *j = controller_job(v->c, i);
		if (all_split(j))
			continue;
		show_job(out, v, j, flags);
		shown++;
	}
	if (!shown)
		fputs("No jobs in the system\n", out);
	return 0;
}
