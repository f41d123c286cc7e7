/* view_json.c - see view_json.h */
#include "sched/power.h"
#include "sched/adopt.h"
#include "tools/view_json.h"
#include "sched/base/hostlist.h"
#include "sched/reservation.h"
#include "sim/placement.h"
#include "tools/cells.h"
#include "tools/schema_json.h"
#include "tools/show.h"
#include <string.h>

/* ---- schemas: "key:KIND"; s text, l list, i number, b flag, n t u {"set", "infinite", "number"}: unset, set,
 * infinite; "key{...}" an object ---- */

#define EXIT "{status:l return_code:t signal{id:n name:s}} "
static const char JOB[] =
    "account:s accrue_time:t admin_comment:s allocating_node:s array_job_id:t array_task_id:n array_max_tasks:t "
    "array_task_string:s association_id:i batch_features:s batch_flag:b batch_host:s flags:l burst_buffer:s "
    "burst_buffer_state:s cluster:s cluster_features:s command:s comment:s container:s container_id:s contiguous:b "
    "core_spec:i thread_spec:i cores_per_socket:n billable_tres:T cpus_per_task:t cpu_frequency_minimum:n "
    "cpu_frequency_maximum:n cpu_frequency_governor:n cpus_per_tres:s cron:s deadline:t delay_boot:t dependency:s "
    "derived_exit_code" EXIT "eligible_time:t end_time:t excluded_nodes:s exit_code" EXIT
    "extra:s failed_node:s features:s federation_origin:s federation_siblings_active:s federation_siblings_viable:s "
    "gres_detail:l group_id:i group_name:s het_job_id:t het_job_id_set:s het_job_offset:t job_id:i "
    "job_resources{select_type:l nodes{count:i select_type:l list:s whole:b allocation:l} cpus:i threads_per_core:n} "
    "job_size_str:l job_state:l last_sched_evaluation:t licenses:s licenses_allocated:s mail_type:l mail_user:s "
    "max_cpus:t max_nodes:t mcs_label:s memory_per_tres:s memory_update_delay:i memory_update_margin:i name:s "
    "network:s "
    "nodes:s nice:i tasks_per_core:u tasks_per_tres:t tasks_per_node:t tasks_per_socket:u tasks_per_board:t cpus:t "
    "node_count:t tasks:t partition:s prefer:s memory_per_cpu:n memory_per_node:n minimum_cpus_per_node:t "
    "minimum_tmp_disk_per_node:t preempt_time:t preemptable_time:t pre_sus_time:t hold:b priority:t "
    "priority_by_partition:l profile:l qos:s reboot:b required_nodes:s required_switches:i requeue:b resize_time:t "
    "restart_cnt:i resv_name:s runtime:s scheduled_nodes:s segment_size:i selinux_context:s shared:l "
    "step_id{sluid:s job_id:t step_het_component:n step_id:s} sockets_per_board:i sockets_per_node:n start_time:t "
    "state_description:s state_reason:s standard_input:s standard_output:s standard_error:s stdin_expanded:s "
    "stdout_expanded:s stderr_expanded:s submit_time:t submit_line:s suspend_time:t system_comment:s time_limit:t "
    "time_minimum:t threads_per_core:n tres_bind:s tres_freq:s tres_per_job:s tres_per_node:s tres_per_socket:s "
    "tres_per_task:s tres_req_str:s tres_alloc_str:s user_id:i user_name:s maximum_switch_wait_time:i wckey:s "
    "current_working_directory:s";
static const char NODE[] =
    "architecture:s burstbuffer_network_address:s boards:i boot_time:t tls_cert_last_renewal:t cert_flags:l "
    "cluster_name:s cores:i specialized_cores:i cpu_binding:i cpu_load:i free_mem:n cpus:i effective_cpus:i "
    "specialized_cpus:s energy{average_watts:i base_consumed_energy:i consumed_energy:i current_watts:t "
    "previous_consumed_energy:i last_collected:i} extra:s features:l active_features:l gpu_spec:s gres:s "
    "gres_drained:s gres_used:s instance_id:s instance_type:s last_busy:t mcs_label:s specialized_memory:i name:s "
    "next_state_after_reboot:l address:s hostname:s state:l operating_system:s owner:s partitions:l port:i "
    "real_memory:i res_cores_per_gpu:i comment:s reason:s reason_changed_at:t reason_set_by_user:s resume_after:t "
    "reservation:s suspend_time:u alloc_memory:i alloc_cpus:i alloc_idle_cpus:i tres_used:s slurmd_start_time:t "
    "sockets:i threads:i temporary_disk:i weight:i topology:s tres:s version:s";
#define PARTITION                                                                                                      \
	"nodes{allowed_allocation:s configured:s total:i} accounts{allowed:s deny:s} groups{allowed:s} qos{allowed:s " \
	"deny:s assigned:s} alternate:s tres{billing_weights:s configured:s} cluster:s select_type:l "                 \
	"cpus{task_binding:l total:i} defaults{partition_memory_per_cpu:n partition_memory_per_node:n time:n job:s} "  \
	"flags:l partition{exclusive:s oversubscribe:s state:l} grace_time:i maximums{cpus_per_node:u "                \
	"cpus_per_socket:u partition_memory_per_cpu:n partition_memory_per_node:n nodes:u time:u over_time_limit:n} "  \
	"minimums{nodes:i} name:s node_sets:s preempt_mode:l priority{job_factor:i tier:i} timeouts{resume:n "         \
	"suspend:n} topology:s suspend_time:n"
static const char SINFO[] =
    "port:i node{state:l} nodes{allocated:i idle:i other:i total:i hostnames:l addresses:l nodes:l} cpus{allocated:i "
    "idle:i other:i total:i minimum:i maximum:i load{minimum:i maximum:i} per_node{max:u}} sockets{minimum:i "
    "maximum:i} cores{minimum:i maximum:i} threads{minimum:i maximum:i} disk{minimum:i maximum:i} memory{minimum:i "
    "maximum:i free{minimum:n maximum:n} allocated:i} weight{minimum:i maximum:i} features{total:s active:s} "
    "gres{total:s used:s} cluster:s comment:s extra:s reason{description:s time:i} reservation:s "
    "reason_set_by_user:s resource_spec{cpus:s memory:i} partition{" PARTITION "}";

static const char *not_null(const char *text)
{
	return text && strcmp(text, "(null)") != 0 && strcmp(text, "N/A") != 0 && strcmp(text, "n/a") != 0 ? text : "";
}

/* A column of squeue as text. */
static void put_column(cJSON *o, const char *path, const struct job_ref *r, char letter)
{
	char *text = job_field_text((void *)r, job_field_letter(letter));

	json_put_text(o, path, not_null(text));
	g_free(text);
}

/* ---- jobs ---- */

static bool waits(const struct job *j)
{
	return j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING);
}

static void fill_array(cJSON *o, const struct job_ref *r)
{
	const struct job *j = r->job;
	char *tasks;

	if (!j->array)
		return;
	json_put_number(o, "array_job_id", j->array->job_id);
	json_put_number(o, "array_max_tasks", j->array->limit);
	if (j->task != NO_VAL)
		json_put_number(o, "array_task_id", j->task);
	tasks = j->task == NO_VAL ? job_field_text((void *)r, job_field_letter('K')) : NULL;
	json_put_taken(o, "array_task_string", tasks);
}

static void fill_exit(cJSON *o, const char *key, const struct job *j)
{
	char *status = g_strconcat(key, ".status", NULL), *code = g_strconcat(key, ".return_code", NULL),
	     *signal = g_strconcat(key, ".signal.id", NULL);

	json_put_list(o, status,
	              j->exit_signal ? "SIGNALED"
	              : j->exit_code ? "ERROR"
	              : waits(j)     ? "SUCCESS"
	                             : "SUCCESS",
	              ",");
	json_put_number(o, code, j->exit_code);
	if (j->exit_signal)
		json_put_number(o, signal, j->exit_signal);
	g_free(status);
	g_free(code);
	g_free(signal);
}

static void fill_times(cJSON *o, const struct job_ref *r)
{
	const struct job *j = r->job;
	sec_t end = job_end_shown(j);

	json_put_number(o, "submit_time", (double)j->submit);
	json_put_number(o, "eligible_time", (double)j->eligible);
	json_put_number(o, "accrue_time", (double)j->accrue);
	json_put_number(o, "start_time", (double)job_start_shown(j));
	json_put_number(o, "end_time", (double)end);
	json_put_number(o, "deadline", (double)j->deadline);
	json_put_number(o, "last_sched_evaluation", waits(j) ? 0 : (double)j->start);
	json_put_number(o, "preempt_time", (double)j->preempt_time);
	json_put_number(o, "preemptable_time", waits(j) ? 0 : (double)j->start);
	json_put_minutes(o, "time_limit", j->time_limit);
	json_put_number(o, "time_minimum", j->time_min == NO_VAL ? 0 : j->time_min);
}

static cJSON *core_json(uint32_t index, bool held)
{
	cJSON *o = cJSON_CreateObject(), *status = cJSON_CreateArray();

	cJSON_AddNumberToObject(o, "index", index);
	cJSON_AddItemToArray(status, cJSON_CreateString(held ? "ALLOCATED" : "UNALLOCATED"));
	cJSON_AddItemToObject(o, "status", status);
	return o;
}

static cJSON *held_json(const struct cluster *cl, const struct job_alloc *a, uint32_t i)
{
	const struct alloc_node *an = &a->node[i];
	const struct node_config *k = cl->node[an->node]->config;
	cJSON *o = json_from_schema("index:i name:s cpus{count:i used:i} memory{used:i allocated:i} sockets:l");

	json_put_int(o, "index", i);
	json_put_text(o, "name", cl->node[an->node]->name);
	json_put_int(o, "cpus.count", an->cpus);
	json_put_int(o, "memory.allocated", (double)an->mem);
	cJSON *sockets = cJSON_GetObjectItem(o, "sockets");
	for (uint32_t s = 0; s < k->sockets; s++) {
		cJSON *socket = cJSON_CreateObject();
		cJSON_AddNumberToObject(socket, "index", s);
		cJSON *cores = cJSON_AddArrayToObject(socket, "cores");
		for (uint32_t c = 0; c < k->cores_per_socket; c++) {
			uint32_t at = s * k->cores_per_socket + c;
			cJSON_AddItemToArray(cores, core_json(c, a->words[an->core_word + at / 64] >> (at % 64) & 1));
		}
		cJSON_AddItemToArray(sockets, socket);
	}
	return o;
}

static void fill_held(cJSON *o, const struct job_ref *r)
{
	const struct cluster *cl = controller_cluster(r->view->c);
	const struct job *j = r->job;

	if (!j->alloc || waits(j)) {
		json_put(o, "job_resources", cJSON_CreateNull());
		json_put(o, "billable_tres", json_unset('N'));
		return;
	}
	json_put_list(o, "job_resources.select_type", cl->params->cr_memory ? "CR_CORE_MEMORY" : "CR_CORE", ",");
	json_put_int(o, "job_resources.nodes.count", j->alloc->n);
	json_put_list(o, "job_resources.nodes.select_type", "ONE_ROW", ",");
	json_put_taken(o, "job_resources.nodes.list", nodes_text(r->view, j->nodes));
	json_put_flag(o, "job_resources.nodes.whole", j->alloc->whole);
	json_put_int(o, "job_resources.cpus", j->alloc->cpus);
	cJSON *list = cJSON_CreateArray(), *gres = cJSON_CreateArray();
	for (uint32_t i = 0; i < j->alloc->n; i++) {
		char *text = placement_gres(cl, j->alloc, &j->alloc->node[i]);
		cJSON_AddItemToArray(list, held_json(cl, j->alloc, i));
		if (*text)
			cJSON_AddItemToArray(gres, cJSON_CreateString(text));
		g_free(text);
	}
	json_put(o, "job_resources.nodes.allocation", list);
	json_put(o, "gres_detail", gres);
	json_put_double(o, "billable_tres", j->alloc->billing);
}

/* -B, and what N_VAL16 leaves in place of a number */
static void put_shape(cJSON *o, const struct job_request *q, int64_t most_wait)
{
	const struct {
		const char *path;
		uint32_t n;
	} counts[] = {{"sockets_per_node", q->sockets_per_node},
	              {"cores_per_socket", q->cores_per_socket},
	              {"threads_per_core", q->threads_per_core}};

	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++)
		if (counts[i].n != NO_VAL && counts[i].n)
			json_put_number(o, counts[i].path, counts[i].n);
	json_put_int(o, "thread_spec", 32766);
	json_put_number(o, "minimum_tmp_disk_per_node", q->tmp == NO_VAL64 ? 0 : (double)q->tmp);
	if (q->switches != NO_VAL && q->switches)
		json_put_int(
		    o, "maximum_switch_wait_time",
		    (double)(q->switches_wait < 0 || q->switches_wait > most_wait ? most_wait : q->switches_wait));
}

static void put_named(cJSON *o, const char *path, const struct job_ref *r, const char *name)
{
	char *text = job_field_text((void *)r, job_field_name(name));

	json_put_text(o, path, not_null(text));
	g_free(text);
}

/* Of a waiting job in several partitions. */
static void put_partitions(cJSON *o, const struct job *j)
{
	cJSON *list = cJSON_CreateArray();

	for (uint32_t i = 0; j->n_parts > 1 && i < j->n_parts; i++) {
		cJSON *part = json_from_schema("partition:s priority:i");

		json_put_text(part, "partition", j->parts[i].part->name);
		json_put_int(part, "priority", j->parts[i].priority);
		cJSON_AddItemToArray(list, part);
	}
	json_put(o, "priority_by_partition", list);
}

static void fill_size(cJSON *o, const struct job_ref *r)
{
	const struct job *j = r->job;

	json_put_number(o, "cpus", job_cpu_count(j));
	json_put_number(o, "node_count", job_node_count(r->view, j));
	json_put_number(o, "tasks", j->ntasks == NO_VAL ? MAX(j->min_nodes, 1) : j->ntasks);
	json_put_number(o, "cpus_per_task", MAX(1, j->cpt));
	json_put_number(o, "max_nodes", j->max_nodes == NO_VAL || !waits(j) ? 0 : j->max_nodes);
	json_put_number(o, "max_cpus", j->max_cpus == NO_VAL ? 0 : j->max_cpus);
	json_put_number(o, "tasks_per_node", j->ntasks_per_node);
	json_put_number(o, j->mem_per_cpu ? "memory_per_cpu" : "memory_per_node", (double)j->pn_min_memory);
	json_put_number(o, "minimum_cpus_per_node", MAX(1, j->pn_min_cpus));
	json_put_taken(o, "tres_req_str", job_tres_text(r->view, j, false));
	json_put_taken(o, "tres_alloc_str", job_tres_text(r->view, j, true));
	json_put_taken(o, "tres_per_node", job_gres_text(r->view, j));
	json_put_flag(o, "contiguous", j->contiguous);
	json_put_list(o, "shared", j->req->share == SHARE_OVERSUBSCRIBE ? "oversubscribe" : "", ",");
	put_shape(o, j->req, controller_cluster(r->view->c)->params->max_switch_wait);
}

static cJSON *job_json(const struct job_ref *r)
{
	const struct job *j = r->job;
	cJSON *o = json_from_schema(JOB);

	json_put_text(o, "account", j->account);
	json_put_int(o, "association_id", j->assoc ? j->assoc->id : 0);
	json_put_flag(o, "batch_flag", true);
	put_column(o, "batch_host", r, 'B');
	json_put_text(o, "cluster", controller_cluster(r->view->c)->params->cluster_name);
	json_put_text(o, "comment", j->req->comment);
	json_put_taken(o, "dependency", job_dependency_text(r->view, j));
	put_column(o, "excluded_nodes", r, 'x');
	json_put_text(o, "features", j->req->constraint);
	json_put_int(o, "group_id", job_uid(j));
	json_put_text(o, "group_name", j->user);
	json_put_int(o, "job_id", j->id);
	json_put_number(o, "step_id.job_id", j->id);
	json_put_text(o, "step_id.step_id", "entire");
	json_put_list(o, "job_state", job_state_name(j->state), ",");
	if (j->flags & JOB_SPECIAL_EXIT)
		cJSON_AddItemToArray(cJSON_GetObjectItem(o, "job_state"), cJSON_CreateString("SPECIAL_EXIT"));
	if (j->flags & JOB_EXPEDITING)
		cJSON_AddItemToArray(cJSON_GetObjectItem(o, "job_state"), cJSON_CreateString("EXPEDITING"));
	if (j->flags & JOB_CONFIGURING)
		cJSON_AddItemToArray(cJSON_GetObjectItem(o, "job_state"), cJSON_CreateString("CONFIGURING"));
	if (j->flags & JOB_COMPLETING)
		cJSON_AddItemToArray(cJSON_GetObjectItem(o, "job_state"), cJSON_CreateString("COMPLETING"));
	if (j->flags & JOB_RESV_DEL_HOLD)
		cJSON_AddItemToArray(cJSON_GetObjectItem(o, "job_state"), cJSON_CreateString("RESV_DEL_HOLD"));
	json_put_text(o, "licenses", j->req->licenses);
	json_put_text(o, "licenses_allocated", j->licenses_held ? j->req->licenses : NULL);
	json_put_text(o, "name", j->name);
	put_column(o, "nodes", r, 'N');
	json_put_int(o, "nice", (double)j->nice);
	json_put_text(o, "partition", r->partition);
	json_put_text(o, "prefer", j->req->prefer);
	json_put_flag(o, "hold", j->priority == 0);
	json_put_number(o, "priority", j->priority);
	json_put_list(o, "profile", "NOT_SET", ",");
	json_put_text(o, "qos", j->qos ? j->qos->name : "normal");
	put_column(o, "required_nodes", r, 'n');
	json_put_flag(o, "requeue", j->requeue);
	json_put_int(o, "restart_cnt", j->run);
	json_put_text(o, "resv_name", j->resv ? j->resv->name : j->req->reservation);
	put_column(o, "scheduled_nodes", r, 'Y');
	json_put_text(o, "state_description", j->reason_text);
	json_put_text(o, "state_reason", reason_name(j->reason));
	json_put_text(o, "standard_input", "/dev/null");
	json_put_text(o, "stdin_expanded", "/dev/null");
	const char *output = j->req->output ? j->req->output : "/dev/null";
	json_put_text(o, "standard_output", output);
	json_put_text(o, "stdout_expanded", output);
	json_put_text(o, "mail_user", j->req->mail_user ? j->req->mail_user : j->user);
	json_put_text(o, "admin_comment", j->req->admin_comment);
	put_named(o, "cpus_per_tres", r, "cpus-per-tres");
	put_partitions(o, j);
	json_put_int(o, "user_id", job_uid(j));
	json_put_text(o, "user_name", j->user);
	json_put_text(o, "wckey", j->req->wckey);
	json_put_text(o, "current_working_directory", j->req->workdir);
	json_put_int(o, "required_switches", j->req->switches == NO_VAL ? 0 : j->req->switches);
	fill_array(o, r);
	fill_exit(o, "exit_code", j);
	fill_exit(o, "derived_exit_code", j);
	fill_times(o, r);
	fill_size(o, r);
	fill_held(o, r);
	return o;
}

/* ---- nodes ---- */

static cJSON *node_json(const struct job_view *v, const struct node *n)
{
	const struct cluster *cl = controller_cluster(v->c);
	const struct node_config *k = n->config;
	const struct node_use *use = usage_node(controller_usage(v->c), n->index);
	uint32_t spec = k->spec_cores ? bitset_count(k->spec_cores) * k->cpus_per_core : 0;
	char *state = node_state_words(v, n), *parts = node_partitions(v, n), *features = g_strjoinv(",", k->features);
	char *active = g_strjoinv(",", config_active(k));
	const struct reservation *resv = node_reservation(v, n);
	cJSON *o = json_from_schema(NODE);

	json_put_text(o, "architecture", "x86_64");
	json_put_int(o, "boards", MAX(1, k->boards));
	json_put_int(o, "cores", k->cores_per_socket);
	json_put_int(o, "specialized_cores", k->spec_cores ? bitset_count(k->spec_cores) : 0);
	json_put_int(o, "cpus", k->cpus);
	json_put_int(o, "effective_cpus", k->cpus - spec);
	json_put_list(o, "features", features, ",");
	json_put_list(o, "active_features", active, ",");
	json_put_taken(o, "gres", node_gres_configured(n));
	json_put_text(o, "gres_drained", "N/A");
	json_put_taken(o, "gres_used", placement_gres_used(cl, controller_usage(v->c), n->index));
	json_put_int(o, "specialized_memory", (double)k->mem_spec_limit);
	json_put_text(o, "name", n->name);
	json_put_text(o, "address", n->addr ? n->addr : n->name);
	json_put_text(o, "hostname", n->host ? n->host : n->name);
	json_put_text(o, "comment", n->comment);
	json_put_text(o, "extra", n->extra);
	json_put_list(o, "next_state_after_reboot", "INVALID", ",");
	json_put_list(o, "state", state, "+");
	json_put_list(o, "partitions", parts, ",");
	json_put_int(o, "real_memory", (double)k->real_memory);
	json_put_text(o, "reason", n->reason);
	if (n->reason) {
		json_put_number(o, "reason_changed_at", (double)usec_to_sec(n->state_since));
		json_put_text(o, "reason_set_by_user", "root");
	}
	json_put_text(o, "reservation", resv ? resv->name : NULL);
	json_put_int(o, "alloc_memory", (double)use->mem);
	json_put_int(o, "alloc_cpus", node_use_cpus(use, k));
	json_put_int(o, "alloc_idle_cpus", k->cpus - MIN(k->cpus, node_use_cpus(use, k)));
	json_put_taken(o, "tres_used", node_tres(v, n, true));
	json_put_int(o, "sockets", k->sockets);
	json_put_int(o, "threads", k->threads);
	json_put_int(o, "temporary_disk", (double)k->tmp_disk);
	json_put_int(o, "weight", k->weight);
	json_put_taken(o, "tres", node_tres(v, n, false));
	json_put_text(o, "version", v->v22 ? "22.05.8" : "26.05.0");
	g_free(state);
	g_free(parts);
	g_free(features);
	g_free(active);
	return o;
}

/* ---- partitions ---- */

static void put_names(cJSON *o, const char *path, char **names)
{
	if (names)
		json_put_taken(o, path, g_strjoinv(",", names));
}

static void fill_partition(cJSON *o, const struct job_view *v, const struct partition *p)
{
	char *share = partition_oversubscribe(p), *mode = partition_preempt_mode(v, p);

	json_put_taken(o, "nodes.configured", cluster_format_nodes(controller_cluster(v->c), p->nodes));
	json_put_int(o, "nodes.total", p->total_nodes);
	put_names(o, "accounts.allowed", p->allow_accounts);
	put_names(o, "accounts.deny", p->deny_accounts);
	put_names(o, "groups.allowed", p->allow_groups);
	put_names(o, "qos.allowed", p->allow_qos);
	put_names(o, "qos.deny", p->deny_qos);
	json_put_text(o, "qos.assigned", p->qos_name);
	json_put_text(o, "alternate", p->alternate);
	json_put_text(o, "tres.billing_weights", p->billing_text);
	json_put_taken(o, "tres.configured", partition_tres(v, p));
	json_put_list(o, "select_type", "NONE", ",");
	json_put_int(o, "cpus.total", p->total_cpus);
	json_put_minutes(o, "defaults.time", p->default_time);
	json_put_list(o, "flags", p->is_default ? "DEFAULT" : "", ",");
	json_put_text(o, "partition.exclusive",
	              p->exclusive_user                       ? "USER"
	              : p->oversubscribe == OVERSUB_EXCLUSIVE ? "NODE"
	                                                      : "NO");
	json_put_text(o, "partition.oversubscribe", share);
	json_put_list(o, "partition.state", partition_state(p), ",");
	json_put_int(o, "grace_time", p->grace_time);
	json_put_minutes(o, "maximums.nodes", p->max_nodes);
	json_put_minutes(o, "maximums.time", p->max_time);
	json_put_minutes(o, "maximums.cpus_per_node", p->max_cpus_per_node);
	json_put_minutes(o, "maximums.cpus_per_socket", p->max_cpus_per_socket);
	json_put_int(o, "minimums.nodes", p->min_nodes);
	json_put_text(o, "name", p->name);
	json_put_list(o, "preempt_mode", p->preempt_mode == PREEMPT_MODE_UNSET ? "CLUSTER_GLOBAL" : mode, ",");
	json_put_int(o, "priority.job_factor", p->priority_job_factor);
	json_put_int(o, "priority.tier", p->priority_tier);
	if (p->def_mem != NO_VAL64)
		json_put_number(
		    o, p->def_mem_per_cpu ? "defaults.partition_memory_per_cpu" : "defaults.partition_memory_per_node",
		    (double)p->def_mem);
	if (p->max_mem != NO_VAL64)
		json_put_number(
		    o, p->max_mem_per_cpu ? "maximums.partition_memory_per_cpu" : "maximums.partition_memory_per_node",
		    (double)p->max_mem);
	g_free(share);
	g_free(mode);
}

/* ---- sinfo ---- */

static void put_range(cJSON *o, const char *key, uint64_t low, uint64_t high)
{
	char *min = g_strconcat(key, ".minimum", NULL), *max = g_strconcat(key, ".maximum", NULL);

	json_put_int(o, min, (double)low);
	json_put_int(o, max, (double)high);
	g_free(min);
	g_free(max);
}

struct span {
	const char *key;
	uint64_t low, high;
};

static cJSON *sinfo_json(const struct job_view *v, const struct partition *p, const struct bitset *nodes,
                         const char *state)
{
	const struct cluster *cl = controller_cluster(v->c);
	struct span spans[] = {{"cpus", UINT64_MAX, 0},    {"sockets", UINT64_MAX, 0}, {"cores", UINT64_MAX, 0},
	                       {"threads", UINT64_MAX, 0}, {"disk", UINT64_MAX, 0},    {"memory", UINT64_MAX, 0},
	                       {"weight", UINT64_MAX, 0}};
	cJSON *o = json_from_schema(SINFO), *names = cJSON_CreateArray();
	uint64_t total = 0, held = 0, mem = 0, other = 0;
	uint32_t n = bitset_count(nodes);
	bool out = strstr(state, "DOWN") || strstr(state, "DRAIN") || strstr(state, "FAIL");
	bool busy = g_str_has_prefix(state, "ALLOC") || g_str_has_prefix(state, "MIXED");
	const struct node *first = NULL;
	int64_t i;

	for (BITSET_EACH(i, nodes)) {
		const struct node_config *k = cl->node[i]->config;
		const struct node_use *use = usage_node(controller_usage(v->c), (uint32_t)i);
		const uint64_t values[] = {k->cpus,        k->sockets, k->cores_per_socket, k->threads, k->tmp_disk,
		                           k->real_memory, k->weight};

		first = first ? first : cl->node[i];
		for (size_t s = 0; s < G_N_ELEMENTS(spans); s++) {
			spans[s].low = MIN(spans[s].low, values[s]);
			spans[s].high = MAX(spans[s].high, values[s]);
		}
		total += k->cpus;
		held += node_use_cpus(use, k);
		other += out ? k->cpus - MIN(k->cpus, node_use_cpus(use, k)) : 0;
		mem += use->mem;
		cJSON_AddItemToArray(names, cJSON_CreateString(cl->node[i]->name));
	}
	json_put_list(o, "node.state", state, "+");
	json_put_int(o, "nodes.allocated", busy ? n : 0);
	json_put_int(o, "nodes.idle", !busy && !out ? n : 0);
	json_put_int(o, "nodes.other", !busy && out ? n : 0);
	json_put_int(o, "nodes.total", n);
	json_put(o, "nodes.nodes", names);
	for (size_t s = 0; s < G_N_ELEMENTS(spans); s++)
		put_range(o, spans[s].key, spans[s].low, spans[s].high);
	json_put_int(o, "cpus.allocated", (double)held);
	json_put_int(o, "cpus.idle", (double)(total - held - other));
	json_put_int(o, "cpus.other", (double)other);
	json_put_int(o, "cpus.total", (double)total);
	json_put_int(o, "memory.allocated", (double)mem);
	if (first) {
		json_put_taken(o, "features.total", g_strjoinv(",", first->config->features));
		json_put_taken(o, "features.active", g_strjoinv(",", config_active(first->config)));
		json_put_taken(o, "gres.total", node_gres_configured(first));
		json_put_text(o, "reason.description", first->reason);
		json_put_int(o, "reason.time", first->reason ? (double)usec_to_sec(first->state_since) : 0);
		json_put_text(o, "reason_set_by_user", first->reason ? "root" : NULL);
	}
	fill_partition(cJSON_GetObjectItem(o, "partition"), v, p);
	return o;
}

/* ---- the envelope ---- */

static void print_envelope(FILE *out, const struct job_view *v, const char *payload, cJSON *list, const char *command)
{
	const struct cluster *cl = controller_cluster(v->c);
	bool jobs = strcmp(payload, "jobs") == 0, sinfo = strcmp(payload, "sinfo") == 0;
	struct json_origin from = {
	    .now = sinfo ? 0 : v->now, .v22 = v->v22, .accounting = cl->acct != NULL, .cluster = cl->params->cluster_name};

	if (jobs && !v->v22) {
		struct controller_clock clock;
		controller_clock_get(v->c, &clock);
		from.beside = "last_backfill";
		from.beside_item = json_unset('t');
		cJSON_SetNumberValue(cJSON_GetObjectItem(from.beside_item, "number"), (double)clock.bf_last_end);
	}
	json_print_envelope(out, &from, payload, list, command);
}

static struct job_view view_of(const struct controller *c, sec_t now)
{
	return (struct job_view){c, now, controller_cluster(c)->params->version == SLURM_22_05};
}

static void add_job(void *list, const struct job_ref *r)
{
	cJSON_AddItemToArray(list, job_json(r));
}

void json_print_jobs(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o,
                     const char *command)
{
	struct job_view v = view_of(c, now);
	cJSON *list = cJSON_CreateArray();

	squeue_each(&v, o, add_job, list);
	print_envelope(out, &v, "jobs", list, command);
}

void json_print_nodes(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command)
{
	struct job_view v = view_of(c, now);
	const struct cluster *cl = controller_cluster(c);
	struct bitset *set = names ? cluster_parse_nodes(cl, names, NULL) : NULL;
	cJSON *list = cJSON_CreateArray();

	for (uint32_t i = 0; i < cl->n_nodes; i++)
		if (cl->node[i]->base != NODE_FUTURE && !power_hides(cl, cl->node[i]) && (!names || (set && bitset_test(set, i))))
			cJSON_AddItemToArray(list, node_json(&v, cl->node[i]));
	bitset_free(set);
	print_envelope(out, &v, "nodes", list, command);
}

void json_print_partitions(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command)
{
	struct job_view v = view_of(c, now);
	const struct cluster *cl = controller_cluster(c);
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < cl->partitions->len; i++) {
		const struct partition *p = cl->partitions->pdata[i];
		if (!in_list(names, p->name))
			continue;
		cJSON *o = json_from_schema(PARTITION);
		fill_partition(o, &v, p);
		cJSON_AddItemToArray(list, o);
	}
	print_envelope(out, &v, "partitions", list, command);
}

static void add_groups(cJSON *list, const struct job_view *v, const struct partition *p)
{
	const struct cluster *cl = controller_cluster(v->c);
	struct bitset *done = bitset_new(cl->n_nodes);
	int64_t i, k;

	for (BITSET_EACH(i, p->nodes)) {
		if (bitset_test(done, (uint32_t)i) || power_hides(cl, cl->node[i]))
			continue;
		char *state = node_state_words(v, cl->node[i]);
		struct bitset *same = bitset_new(cl->n_nodes);
		for (BITSET_EACH(k, p->nodes)) {
			char *other = node_state_words(v, cl->node[k]);
			if (strcmp(state, other) == 0 && !power_hides(cl, cl->node[k]))
				bitset_set(same, (uint32_t)k);
			g_free(other);
		}
		bitset_or(done, same);
		cJSON_AddItemToArray(list, sinfo_json(v, p, same, state));
		bitset_free(same);
		g_free(state);
	}
	bitset_free(done);
}

void json_print_sinfo(FILE *out, const struct controller *c, sec_t now, const char *partitions)
{
	struct job_view v = view_of(c, now);
	const struct cluster *cl = controller_cluster(c);
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < cl->partitions->len; i++) {
		const struct partition *p = cl->partitions->pdata[i];
		if (in_list(partitions, p->name))
			add_groups(list, &v, p);
	}
	print_envelope(out, &v, "sinfo", list, "sinfo --json");
}
