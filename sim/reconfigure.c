/* reconfigure.c - see reconfigure.h */
#include "sim/reconfigure.h"
#include "sched/reconfigure.h"
#include "sim/run.h"

void sim_set_conf(struct sim *s, sim_conf_fn *fn, void *data)
{
	s->conf = fn;
	s->conf_data = data;
}

/* ---- what the run keeps by node ---- */

static void move_times(usec_t **times, const uint32_t *to, uint32_t n_old, uint32_t n)
{
	if (!*times)
		return;
	usec_t *fresh = g_new0(usec_t, n + 1);
	for (uint32_t i = 0; i < n_old; i++)
		if (to[i] != UINT32_MAX)
			fresh[to[i]] = (*times)[i];
	g_free(*times);
	*times = fresh;
}

static void move_killed(struct sim *s, const uint32_t *to)
{
	if (!s->killed)
		return;
	struct bitset *fresh = bitset_new(s->cluster->n_nodes);
	int64_t i;
	for (BITSET_EACH(i, s->killed))
		if (to[i] != UINT32_MAX)
			bitset_set(fresh, to[i]);
	bitset_free(s->killed);
	s->killed = fresh;
}

/* Events of machines name them by index; those of one that is gone come to nothing (event.arg UINT32_MAX - 1). */
static void move_events(struct sim *s, const uint32_t *to, uint32_t n_old)
{
	for (uint32_t i = 0; i < event_queue_length(s->queue); i++) {
		struct event *e = event_queue_edit(s->queue, i);
		bool of_node = (e->kind == EVENT_NODE && !e->what) || e->kind == EVENT_EPILOG;
		if (of_node && e->arg < n_old)
			e->arg = to[e->arg] == UINT32_MAX ? EVENT_NODE_GONE : to[e->arg];
	}
}

bool sim_reconfigure(struct sim *s, const char *path, bool restart, GError **error)
{
	if (!s->conf) {
		g_set_error(error, COMMAND_ERROR, 0, "nobody reads %s here", path);
		return false;
	}
	struct cluster *fresh = s->conf(s->conf_data, path, error);
	if (!fresh)
		return false;
	uint32_t *to, n_old = s->cluster->n_nodes;
	bool ok = controller_reconfigure(s->c, fresh, restart, s->now, &to, error);
	if (ok) {
		move_times(&s->boots, to, n_old, s->cluster->n_nodes);
		move_killed(s, to);
		move_events(s, to, n_old);
		record_reshape(s, to, n_old);
		sim_faults_reshape(s);
	}
	g_free(to);
	cluster_free(fresh);
	return ok;
}
