/* check_look.c - a job at a moment, as an expectation asks for it; see check.h. */
#include "tools/check_inside.h"
#include "tools/job_fields.h"
#include "tools/place_out.h"
#include <string.h>

void seen_clear(struct seen *s)
{
	char *texts[] = {s->state, s->shown, s->reason, s->text, s->nodes};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	if (s->idx)
		g_ptr_array_unref(s->idx);
	memset(s, 0, sizeof *s);
}

/* NULL: not submitted yet, refused, or purged. */
static const struct job *find(const struct sim *sim, const char *name)
{
	const struct controller *c = sim_controller(sim);
	uint32_t id, task;

	if (!sim_find_id(sim, name, &id, &task))
		return NULL;
	return task == NO_VAL ? controller_find_job(c, id) : controller_find_task(c, id, task);
}

static uint64_t gpus_of(const struct cluster *cluster, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node_config *k = cluster->node[an->node]->config;
	uint64_t devices = 0;

	for (uint32_t g = 0; g < an->n_gres; g++) {
		const struct gres_taken *taken = &a->gres[an->gres_first + g];

		if (strcmp(k->gres[taken->gres].name, "gpu") == 0)
			devices |= taken->devices;
	}
	return devices;
}

static void look_at_place(struct seen *s, const struct cluster *cluster, const struct job *j)
{
	const struct job_alloc *a = j->state == JOB_PENDING ? NULL : j->alloc;

	s->nodes = j->state != JOB_PENDING && j->nodes ? cluster_format_nodes(cluster, j->nodes) : g_strdup("");
	for (uint32_t i = 0; a && i < a->n; i++) {
		uint64_t devices = gpus_of(cluster, a, &a->node[i]);

		if (!devices)
			continue;
		g_ptr_array_add(s->idx, g_strdup(cluster->node[a->node[i].node]->name));
		g_ptr_array_add(s->idx, place_bits(devices, 64));
	}
	s->cpus = a ? a->cpus : 0;
	s->gpus = a ? a->gpus : 0;
}

void check_look(struct seen *s, const struct sim *sim, const struct expect *e)
{
	const struct job *j = find(sim, e->job);

	s->idx = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < e->claims->len; i++) {
		const struct claim *c = &g_array_index(e->claims, struct claim, i);
		const struct job *other = c->kind == CLAIM_PRIORITY_ABOVE ? find(sim, c->text) : NULL;

		if (other) {
			s->other_there = true;
			s->other_priority = other->priority;
		}
	}
	if (!j)
		return;
	s->there = true;
	s->state = g_strdup(job_state_name(j->state));
	s->shown = g_strdup(job_state_shown(j));
	s->reason = g_strdup(reason_name(j->reason));
	s->text = j->reason_text && *j->reason_text ? g_strdup(j->reason_text) : NULL;
	s->priority = j->priority;
	look_at_place(s, controller_cluster(sim_controller(sim)), j);
}
