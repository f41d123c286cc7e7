/* reconfigure.c - see reconfigure.h */
#include "sim/reconfigure.h"
#include "sched/reconfigure.h"
#include "sim/run.h"

void sim_set_conf(struct sim *s, sim_conf_fn *fn, void *data)
{
	s->conf = fn;
	s->conf_data = data;
}

bool sim_reconfigure(struct sim *s, const char *path, GError **error)
{
	if (!s->conf) {
		g_set_error(error, COMMAND_ERROR, 0, "nobody reads %s here", path);
		return false;
	}
	struct cluster *fresh = s->conf(s->conf_data, path, error);
	if (!fresh)
		return false;
	bool ok = controller_reconfigure(s->c, fresh, s->now, error);
	cluster_free(fresh);
	return ok;
}
