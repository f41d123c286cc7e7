/* snapshot_later.c - what a run of whypend had still to come: later submissions and events of its scenario; see
 * snapshot.h. */
#include "scenarios/snapshot.h"
#include "scenarios/siterules.h"
#include <string.h>

static const char *text(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(o, key);

	return cJSON_IsString(v) && *v->valuestring ? v->valuestring : NULL;
}

struct scenario *snapshot_later_load(const struct snapshot *s, GError **error)
{
	const cJSON *o = s->options, *set = cJSON_GetObjectItem(o, "set"), *one;
	GPtrArray *list = g_ptr_array_new();
	struct scenario_options so = {.path = text(o, "path"),
	                              .conf = text(o, "conf"),
	                              .gres = text(o, "gres"),
	                              .topology = text(o, "topology"),
	                              .accounting = text(o, "accounting"),
	                              .trace = text(o, "trace"),
	                              .format = text(o, "format"),
	                              .columns = text(o, "columns"),
	                              .max_jobs = text(o, "max_jobs"),
	                              .slurm_version = text(o, "slurm_version"),
	                              .swf_whole_nodes = cJSON_IsTrue(cJSON_GetObjectItem(o, "swf_whole_nodes")),
	                              .raise_limits = cJSON_IsTrue(cJSON_GetObjectItem(o, "raise_limits"))};

	cJSON_ArrayForEach(one, set) if (cJSON_IsString(one)) g_ptr_array_add(list, one->valuestring);
	g_ptr_array_add(list, NULL);
	so.set = (char **)list->pdata;
	struct scenario *later = so.path || so.trace ? scenario_load(&so, error) : NULL;
	g_ptr_array_unref(list);
	return later;
}

/* Those of the moment itself have happened. */
static void add_submission(const struct snapshot *s, struct sim *sim, struct submission *sub)
{
	if (sub->at > s->at)
		sim_add_submission(sim, sub);
	else
		submission_free(sub);
}

bool snapshot_later_enter(const struct snapshot *s, struct scenario *later, struct sim *sim, GError **error)
{
	gsize n;
	gpointer *subs = g_ptr_array_steal(later->submissions, &n);
	struct submission *sub;

	for (gsize i = 0; i < n; i++)
		add_submission(s, sim, subs[i]);
	g_free(subs);
	while (later->workload && (sub = workload_next(later->workload))) {
		bool open = sub->at > s->at;

		add_submission(s, sim, sub);
		if (open) {
			sim_add_workload(sim, later->workload);
			break;
		}
	}
	for (guint i = 0; i < later->events->len; i++) {
		const struct scenario_event *e = later->events->pdata[i];

		if (e->at > s->at && !sim_add_command(sim, e->at, e->command, e->user, error))
			return false;
	}
	return true;
}
