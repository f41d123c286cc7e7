/* conftopo.c - TopologyPlugin, TopologyParam, and which topology file belongs to a slurm.conf (slurm-conf.md 7.2-7.5).
 */
#include "models/confread.h"
#include "models/confword.h"
#include "models/topoconf.h"
#include <string.h>

void conf_set_topology_plugin(struct conf_reader *r, const struct conf_pair *p)
{
	enum { LATER = 100 };
	static const struct conf_word words[] = {
	    {"topology/flat", TOPOLOGY_FLAT},     {"topology/default", TOPOLOGY_FLAT},
	    {"topology/none", TOPOLOGY_FLAT},     {"topology/tree", TOPOLOGY_TREE},
	    {"topology/block", TOPOLOGY_BLOCK},   {"topology/ring", TOPOLOGY_RING},
	    {"topology/torus3d", TOPOLOGY_TORUS}, {"topology/3d_torus", LATER},
	    {"topology/hypercube", LATER},        {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	r->p->topology_given = true;
	if (!w)
		conf_bad_word(r, p, words, p->value);
	else if (w->value == LATER)
		conf_not_modelled(r, p, "this old kind of topology: taken as topology/flat");
	else
		r->p->topology = (enum topology_kind)w->value;
}

/* How the daemons talk to each other: without influence on scheduling. */
static bool is_about_messages(const char *token)
{
	return g_str_has_prefix(token, "route") || g_str_has_prefix(token, "noin") || g_str_has_prefix(token, "noct");
}

void conf_set_topology_param(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, true);

	for (char **s = list; *s; s++) {
		if (g_str_equal(*s, "dragonfly"))
			r->p->topo_dragonfly = true;
		else if (g_str_equal(*s, "topooptional"))
			r->p->topo_optional = true;
		else if (g_str_equal(*s, "switchasnoderank"))
			r->p->topo_switch_rank = true;
		else if (g_str_equal(*s, "blockasnoderank"))
			r->p->topo_block_rank = true;
		else if (g_str_has_prefix(*s, "topomaxsizeunroll"))
			conf_warn(r, p, NULL,
			          "TopologyParam TopoMaxSizeUnroll is not modelled in this version and has no effect");
		else if (!is_about_messages(*s))
			conf_warn(r, p,
			          "Dragonfly, TopoOptional, SwitchAsNodeRank, BlockAsNodeRank, RoutePart and RouteTree "
			          "are known",
			          "unknown token %s in TopologyParam has no effect", *s);
	}
	g_strfreev(list);
}

/* ReconfigFlags: what a reconfiguration leaves as it is. */
void conf_set_reconfig_flags(struct conf_reader *r, const struct conf_pair *p)
{
	static const char *const known[] = {"keeppartinfo", "keeppartstate", "keeppowersavesettings", NULL};
	char **list = conf_list(p->value, true);

	for (char **s = list; *s; s++) {
		if (!g_strv_contains(known, *s))
			conf_error(r, p, "KeepPartInfo, KeepPartState and KeepPowerSaveSettings are known", "Invalid ReconfigFlags %s", *s);
		r->p->keep_part_state |= g_str_has_prefix(*s, "keeppart");
		if (g_str_has_prefix(*s, "keeppower") && r->p->version == SLURM_22_05)
			conf_warn(r, p, "it is newer", "ReconfigFlags %s is unknown to 22.05 and has no effect", *s);
		else
			r->p->keep_power_settings |= g_str_has_prefix(*s, "keeppower");
	}
	g_strfreev(list);
}

/* The file beside slurm.conf that Slurm would read; NULL = none. g_free. */
static char *file_beside(const struct conf_reader *r, const char *directory)
{
	char *yaml = g_build_filename(directory, "topology.yaml", NULL);
	char *conf = g_build_filename(directory, "topology.conf", NULL);
	bool has_yaml = r->p->version != SLURM_22_05 && g_file_test(yaml, G_FILE_TEST_EXISTS);

	if (has_yaml) {
		g_free(conf);
		return yaml;
	}
	g_free(yaml);
	if (r->p->topology != TOPOLOGY_FLAT && g_file_test(conf, G_FILE_TEST_EXISTS))
		return conf;
	g_free(conf);
	return NULL;
}

static void rank_nodes(struct conf_reader *r)
{
	const struct topology *t = cluster_find_topology(r->c, NULL);

	if (t && ((r->p->topo_switch_rank && t->kind == TOPOLOGY_TREE) ||
	          (r->p->topo_block_rank && t->kind == TOPOLOGY_BLOCK)))
		topology_rank_nodes(t);
}

void conf_read_topology(struct conf_reader *r, const char *directory)
{
	char *path = r->o->topology_path ? g_strdup(r->o->topology_path) : directory ? file_beside(r, directory) : NULL;

	if (path && (g_str_has_suffix(path, ".yaml") || g_str_has_suffix(path, ".yml"))) {
		if (r->p->version == SLURM_22_05)
			diag_error(r->d, path, 0, 0, "give a topology.conf, or --slurm-version 26.05",
			           "22.05 does not know topology.yaml");
		else
			topoyaml_read(r->c, path, r->d);
	} else if (path && r->p->topology_given && r->p->topology == TOPOLOGY_FLAT) {
		diag_warn(r->d, path, 0, 0, "set TopologyPlugin=topology/tree or topology/block",
		          "not used: slurm.conf has a flat topology");
	} else if (path) {
		topoconf_read(r->c, path, r->p->topology, r->d);
	} else if (r->p->topology != TOPOLOGY_FLAT) {
		diag_warn(r->d, "slurm.conf", 0, 0, "give it as --topology FILE",
		          "TopologyPlugin is set but there is no topology.conf: the topology is taken as flat");
	}
	rank_nodes(r);
	g_free(path);
}

void conf_check_topology(struct conf_reader *r, const struct conf_pair *p, struct partition *part)
{
	if (!p || !*p->value)
		return;
	part->topology_name = g_strdup(p->value);
	if (!cluster_find_topology(r->c, p->value))
		conf_error(r, p, "define it in topology.yaml", "partition %s: there is no topology %s", part->name,
		           p->value);
}
