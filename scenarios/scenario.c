/* scenario.c - see scenario.h: the end of a loaded scenario, and its start as a simulation. scenario_load.c reads it.
 */
#include "models/controllercost.h"
#include "scenarios/changed_conf.h"
#include "scenarios/scenario.h"
#include "sim/reconfigure.h"
#include "models/accounting.h"
#include "models/confwrite.h"
#include "scenarios/siterules.h"
#include <string.h>

void scenario_free(struct scenario *s)
{
	GPtrArray *lists[] = {s ? s->submissions : NULL, s ? s->events : NULL, s ? s->views : NULL, s ? s->later : NULL, s ? s->inputs : NULL,
	                      s ? s->settings : NULL,    s ? s->users : NULL,  s ? s->warnings : NULL, s ? s->expect : NULL};

	if (!s)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		if (lists[i])
			g_ptr_array_unref(lists[i]);
	if (s->workload)
		workload_close(s->workload);
	if (s->cluster)
		cluster_free(s->cluster);
	if (s->sim.backfill_times)
		g_array_unref(s->sim.backfill_times);
	if (s->sim.early_turns)
		g_array_unref(s->sim.early_turns);
	if (s->sim.pins)
		g_array_unref(s->sim.pins);
	fault_model_free(s->sim.faults);
	conf_source_free(s->source);
	conf_origins_free(s->origins);
	cgroup_conf_free(s->cgroup);
	site_rules_free(s->rules);
	g_free(s->name);
	g_free(s->about);
	g_free(s->clock);
	g_free(s->controller_cost);
	g_free(s->snapshots);
	g_free(s);
}

static void record_settings(struct recorder *r, const GPtrArray *settings)
{
	for (guint i = 0; i < settings->len; i++) {
		char **parts = g_strsplit(settings->pdata[i], "=", 2);

		recorder_setting(r, parts[0], parts[0] && parts[1] ? parts[1] : "");
		g_strfreev(parts);
	}
}

static void record_number(struct recorder *r, const char *key, uint64_t number)
{
	char *text = g_strdup_printf("%" G_GUINT64_FORMAT, number);

	recorder_meta(r, key, text);
	g_free(text);
}

static void record_workload(struct recorder *r, const struct workload_info *info)
{
	record_number(r, "lines", info->lines);
	record_number(r, "replayed", info->replayed);
}

/* As one line, so that equal costs read the same however they were given. */
static void record_cost(struct recorder *r, const struct controller_cost *cost)
{
	char *text = controller_cost_format(cost);

	g_strdelimit(g_strchomp(text), "\n", ',');
	recorder_meta(r, "controller_cost", text);
	g_free(text);
}

static void record_text(struct recorder *r, const char *file, char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line)
			recorder_conf(r, file, *line);
	g_strfreev(lines);
	g_free(text);
}

/* As it counts, not as it was written: equal clusters give equal lines. */
static void record_conf(const struct scenario *s, struct recorder *r)
{
	record_text(r, "slurm.conf", confwrite_slurm_conf(s->cluster));
	record_text(r, "gres.conf", confwrite_gres_conf(s->cluster));
	record_text(r, "topology", confwrite_topology_yaml(s->cluster));
	if (s->cluster->acct)
		record_text(r, "accounting", confwrite_accounting(s->cluster->acct, s->cluster->params->cluster_name));
}

/* What was asked, without anything of the host: equal runs give equal bytes. */
static bool record_inputs(const struct scenario *s, struct recorder *r, GError **error)
{
	GError *problem = NULL;

	for (guint i = 0; i < s->inputs->len && !problem; i++) {
		const struct scenario_input *input = s->inputs->pdata[i];

		recorder_input(r, input->role, input->path, &problem);
	}
	if (problem) {
		g_propagate_error(error, problem);
		return false;
	}
	record_settings(r, s->settings);
	record_conf(s, r);
	record_number(r, "seed", s->seed);
	recorder_meta(r, "clock", g_str_has_prefix(s->clock, "pinned:") ? "pinned" : s->clock);
	if (s->controller_cost)
		record_cost(r, &s->sim.cost);
	recorder_meta(r, "slurm_version", s->slurm_version);
	if (s->placement_model)
		recorder_meta(r, "placement_model", s->placement_model);
	if (s->workload)
		record_workload(r, workload_info(s->workload));
	return true;
}

static bool add_events(const struct scenario *s, struct sim *sim, GError **error)
{
	struct diag *diag = diag_new();
	bool ok;

	for (guint i = 0; i < s->events->len; i++) {
		const struct scenario_event *e = s->events->pdata[i];
		GError *problem = NULL;

		if (sim_add_command(sim, e->at, e->command, e->user, &problem))
			continue;
		diag_error(diag, NULL, 0, 0, NULL, "event \"%s\": %s", e->command, problem->message);
		g_error_free(problem);
	}
	ok = diag_ok(diag, error);
	diag_free(diag);
	return ok;
}

struct sim *scenario_start(struct scenario *s, struct recorder *recorder, GError **error)
{
	struct sim *sim;
	gsize n;
	gpointer *subs;

	if (recorder && !record_inputs(s, recorder, error))
		return NULL;
	sim = sim_new(s->cluster, &s->sim, recorder);
	sim_set_accounting(sim, accounting_command_by);
	sim_set_conf(sim, scenario_next_conf, s);
	if (s->workload)
		sim_add_workload(sim, s->workload);
	subs = g_ptr_array_steal(s->submissions, &n);
	for (gsize i = 0; i < n; i++)
		sim_add_submission(sim, subs[i]);
	g_free(subs);
	if (!add_events(s, sim, error)) {
		sim_free(sim);
		return NULL;
	}
	return sim;
}
