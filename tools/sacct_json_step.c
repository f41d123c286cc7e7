/* sacct_json_step.c - a step in sacct --json, in the shape of Slurm's data_parser (26.11: oracle-outputs, json-sacct-steps) */
#include "sched/base/hostlist.h"
#include "tools/sacct_json.h"
#include <string.h>

static const char STEP[] =
    "time{elapsed:i end:t start:t suspended:i system{seconds:i microseconds:i} limit:u total{seconds:i microseconds:i} "
    "user{seconds:i microseconds:i}} exit_code" SACCT_JSON_EXIT "nodes{count:i range:s list:l} tasks{count:i} "
    "CPU{requested_frequency{min:t max:t} governor:s} kill_request_user:s state:l statistics{CPU{actual_frequency:i} "
    "energy{consumed:t}} step{id:s name:s stderr:s stdin:s stdout:s stderr_expanded:s stdin_expanded:s stdout_expanded:s} submit_line:s "
    "task{distribution:s} tres{requested{max:l min:l average:l total:l} consumed{max:l min:l average:l total:l} allocated:l}";

static void put_nodes(cJSON *o, const char *nodes, uint32_t n)
{
	GPtrArray *names = nodes && *nodes ? hostlist_expand(nodes, NULL) : NULL;
	cJSON *list = cJSON_CreateArray();

	json_put_int(o, "nodes.count", n);
	json_put_text(o, "nodes.range", nodes);
	for (guint i = 0; names && i < names->len; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(names->pdata[i]));
	json_put(o, "nodes.list", list);
	if (names)
		g_ptr_array_unref(names);
}

static void put_times(cJSON *o, const struct record *j, sec_t now)
{
	sec_t wall = j->start ? (j->end ? j->end : now) - j->start - j->suspended : 0;
	usec_t cpu = MAX(0, j->cpu_time);

	json_put_int(o, "time.elapsed", (double)MAX(0, wall));
	json_put_number(o, "time.start", (double)j->start);
	json_put_number(o, "time.end", (double)j->end);
	json_put_int(o, "time.suspended", j->suspended);
	json_put_int(o, "time.total.seconds", (double)(cpu / USEC));
	json_put_int(o, "time.total.microseconds", (double)(cpu % USEC));
	json_put_int(o, "time.user.seconds", (double)(cpu / USEC));
	json_put_int(o, "time.user.microseconds", (double)(cpu % USEC));
}

/* [{"type": "mem", ...}] in bytes; an empty list when it was not measured */
static cJSON *memory(uint64_t kib)
{
	cJSON *list = sacct_json_tres(kib ? "mem=0" : NULL);

	if (kib)
		cJSON_SetNumberValue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "count"), (double)kib * 1024);
	return list;
}

cJSON *sacct_json_step(const struct record *j, sec_t now)
{
	cJSON *o = json_from_schema(STEP);
	const char *state = j->state ? j->state : "";
	char *word = g_strndup(state, strcspn(state, " ")), *id = g_strdup_printf("%u.%s", j->job, j->step_id);

	put_times(o, j, now);
	sacct_json_exit(o, "exit_code", MAX(0, j->exit_code), j->exit_signal);
	put_nodes(o, j->host, j->step_nodes);
	json_put_int(o, "tasks.count", j->tasks);
	json_put_text(o, "CPU.governor", "0");
	json_put_list(o, "state", word, ",");
	json_put_text(o, "step.id", id);
	json_put_text(o, "step.name", j->step_name);
	json_put_text(o, "task.distribution", "Unknown");
	json_put(o, "tres.consumed.max", memory(j->max_rss));
	json_put(o, "tres.consumed.average", memory(j->ave_rss));
	json_put(o, "tres.allocated", sacct_json_tres(j->tres));
	g_free(word);
	g_free(id);
	return o;
}
