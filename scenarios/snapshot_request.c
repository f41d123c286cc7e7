/* snapshot_request.c - a request as the options of sbatch that give it; see snapshot.h. */
#include "scenarios/snapshot.h"
#include <string.h>

#define F(field) G_STRUCT_OFFSET(struct job_request, field)

static const struct {
	const char *option;
	glong offset;
} texts[] = {{"name", F(name)},
             {"user", F(user)},
             {"account", F(account)},
             {"partition", F(partition)},
             {"qos", F(qos)},
             {"reservation", F(reservation)},
             {"constraint", F(constraint)},
             {"prefer", F(prefer)},
             {"nodelist", F(nodelist)},
             {"exclude", F(exclude)},
             {"licenses", F(licenses)},
             {"array", F(array)},
             {"comment", F(comment)},
             {"wckey", F(wckey)},
             {"gres", F(gres_given)},
             {"gpus_per_node", F(gpus_per_node)},
             {"gpus", F(gpus)},
             {"gpus_per_task", F(gpus_per_task)},
             {"gpus_per_socket", F(gpus_per_socket)},
             {"gres_flags", F(gres_flags)},
             {"nodes", F(node_counts)},
             {"signal", F(signal)}};

static const struct {
	const char *option;
	glong offset;
} numbers[] = {{"ntasks_per_gpu", F(ntasks_per_gpu)},
               {"cpus_per_gpu", F(cpus_per_gpu)},
               {"ntasks", F(ntasks)},
               {"cpus_per_task", F(cpus_per_task)},
               {"ntasks_per_node", F(ntasks_per_node)},
               {"ntasks_per_socket", F(ntasks_per_socket)},
               {"ntasks_per_core", F(ntasks_per_core)},
               {"mincpus", F(mincpus)},
               {"sockets_per_node", F(sockets_per_node)},
               {"cores_per_socket", F(cores_per_socket)},
               {"threads_per_core", F(threads_per_core)},
               {"segment", F(segment)},
               {"delay_boot", F(delay_boot)}};

static const struct {
	const char *option;
	glong offset;
} sizes[] = {
    {"mem", F(mem_per_node)}, {"mem_per_cpu", F(mem_per_cpu)}, {"mem_per_gpu", F(mem_per_gpu)}, {"tmp", F(tmp)}};

static const struct {
	const char *option;
	glong offset;
} flags[] = {{"contiguous", F(contiguous)},
             {"overcommit", F(overcommit)},
             {"spread_job", F(spread_job)},
             {"use_min_nodes", F(use_min_nodes)},
             {"no_kill", F(no_kill)},
             {"consolidate_segments", F(consolidate_segments)},
             {"spread_segments", F(spread_segments)},
             {"reboot", F(reboot)},
             {"hold", F(hold)}};

static void add_format(cJSON *o, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void add_format(cJSON *o, const char *key, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = g_strdup_vprintf(format, args);
	va_end(args);
	cJSON_AddStringToObject(o, key, text);
	g_free(text);
}

static void add_minutes(cJSON *o, const char *key, uint32_t minutes)
{
	if (minutes == INFINITE)
		cJSON_AddStringToObject(o, key, "UNLIMITED");
	else if (minutes != NO_VAL)
		cJSON_AddNumberToObject(o, key, minutes);
}

static void add_nodes(cJSON *o, const struct job_request *r)
{
	if (r->node_counts || r->min_nodes == NO_VAL)
		return;
	if (r->max_nodes != NO_VAL && r->max_nodes != r->min_nodes)
		add_format(o, "nodes", "%u-%u", r->min_nodes, r->max_nodes);
	else
		cJSON_AddNumberToObject(o, "nodes", r->min_nodes);
}

static void add_words(cJSON *o, const struct job_request *r)
{
	static const char *const shares[] = {
	    [SHARE_EXCLUSIVE_USER] = "user", [SHARE_EXCLUSIVE_MCS] = "mcs", [SHARE_EXCLUSIVE_TOPO] = "topo"};

	if (r->share == SHARE_EXCLUSIVE)
		cJSON_AddTrueToObject(o, "exclusive");
	else if (r->share == SHARE_OVERSUBSCRIBE)
		cJSON_AddTrueToObject(o, "oversubscribe");
	else if (r->share != SHARE_UNSET)
		cJSON_AddStringToObject(o, "exclusive", shares[r->share]);
	if (r->requeue == REQUEUE_EXPEDITE)
		cJSON_AddStringToObject(o, "requeue", "expedite");
	else if (r->requeue != REQUEUE_DEFAULT)
		cJSON_AddBoolToObject(o, "requeue", r->requeue == REQUEUE_YES);
	if (r->nice_set)
		cJSON_AddNumberToObject(o, "nice", (double)r->nice);
	if (r->kill_on_invalid_dep_set)
		cJSON_AddStringToObject(o, "kill_on_invalid_dep", r->kill_on_invalid_dep ? "yes" : "no");
	if (r->switches && r->switches != NO_VAL && r->switches_wait >= 0)
		add_format(o, "switches", "%u@%" G_GINT64_FORMAT ":%02" G_GINT64_FORMAT, r->switches,
		           r->switches_wait / 60, r->switches_wait % 60);
	else if (r->switches && r->switches != NO_VAL)
		cJSON_AddNumberToObject(o, "switches", r->switches);
	if (r->deadline)
		cJSON_AddNumberToObject(o, "deadline", (double)r->deadline);
	if (r->begin)
		cJSON_AddNumberToObject(o, "begin", (double)r->begin);
}

cJSON *snapshot_request_json(const struct job_request *r)
{
	cJSON *o = cJSON_CreateObject();

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		const char *text = G_STRUCT_MEMBER(char *, r, texts[i].offset);

		if (text && *text) /* --gpus-per-node is kept as a GRES */
			cJSON_AddStringToObject(
			    o, texts[i].option,
			    strcmp(texts[i].option, "gpus_per_node") == 0 && g_str_has_prefix(text, "gpu:") ? text + 4
			                                                                                    : text);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		uint32_t v = G_STRUCT_MEMBER(uint32_t, r, numbers[i].offset), plain;
		struct job_request *none = job_request_new();

		plain = G_STRUCT_MEMBER(uint32_t, none, numbers[i].offset);
		job_request_free(none);
		if (v != plain)
			cJSON_AddNumberToObject(o, numbers[i].option, v);
	}
	if (r->core_spec != NO_VAL)
		cJSON_AddNumberToObject(o, r->thread_spec ? "thread_spec" : "core_spec", r->core_spec);
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		uint64_t v = G_STRUCT_MEMBER(uint64_t, r, sizes[i].offset), plain;
		struct job_request *none = job_request_new();

		plain = G_STRUCT_MEMBER(uint64_t, none, sizes[i].offset);
		job_request_free(none);
		if (v != plain)
			add_format(o, sizes[i].option, "%" G_GUINT64_FORMAT "M", v);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(flags); i++)
		if (G_STRUCT_MEMBER(bool, r, flags[i].offset))
			cJSON_AddTrueToObject(o, flags[i].option);
	add_minutes(o, "time", r->time_limit);
	add_minutes(o, "time_min", r->time_min);
	add_nodes(o, r);
	add_words(o, r);
	return o;
}
