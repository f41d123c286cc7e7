/* changed_conf.c - see changed_conf.h */
#include "scenarios/changed_conf.h"
#include "models/nodemodel.h"
#include "models/siteinput.h"
#include "models/slurmconf.h"

struct conf_source *conf_source_new(void)
{
	return g_new0(struct conf_source, 1);
}

void conf_source_free(struct conf_source *s)
{
	if (!s)
		return;
	g_free(s->dir);
	g_free(s->conf);
	g_free(s->gres);
	g_free(s->topology);
	g_free(s->accounting);
	if (s->overrides)
		g_ptr_array_unref(s->overrides);
	if (s->hardware)
		g_ptr_array_unref(s->hardware);
	g_free(s);
}

char *conf_source_path(const struct conf_source *s, const char *name)
{
	if (!name || !s->dir || g_path_is_absolute(name) || g_str_equal(s->dir, "."))
		return g_strdup(name ? name : s->conf);
	return g_build_filename(s->dir, name, NULL);
}

struct cluster *conf_source_read(const struct conf_source *s, const char *path, struct diag *d)
{
	char *folder = node_model_folder();
	struct gres_hardware hw = {.named = s->hardware, .folder = folder};
	struct slurmconf_options so = {.version = s->version, .gres_path = s->gres, .topology_path = s->topology,
	                               .accounting_path = s->accounting, .overrides = s->overrides, .hardware = s->hardware ? &hw : NULL};
	struct cluster *c = slurmconf_read(path, &so, d);

	g_free(folder);
	return c;
}

static struct cluster *read_now(const struct scenario *s, const char *name, GError **error)
{
	char *path = s->source ? conf_source_path(s->source, name) : NULL;

	if (!path) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "the run began without a slurm.conf; name the changed one: scontrol reconfigure FILE");
		return NULL;
	}
	struct diag *d = diag_new();
	struct cluster *c = conf_source_read(s->source, path, d);
	if (!diag_ok(d, error)) {
		cluster_free(c);
		c = NULL;
	}
	diag_free(d);
	g_free(path);
	return c;
}

/* The files of events were read in the order in which the events come. */
struct cluster *scenario_next_conf(void *scenario, const char *name, GError **error)
{
	struct scenario *s = scenario;

	for (guint i = 0; i < s->later->len; i++) {
		struct later_conf *l = s->later->pdata[i];
		if (l->cluster && g_strcmp0(l->path, name) == 0)
			return g_steal_pointer(&l->cluster);
	}
	return read_now(s, name, error);
}
