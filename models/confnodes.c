/* confnodes.c - NodeName and DownNodes lines (spec slurm-conf.md sections 3 and 4). */
#include "models/confread.h"
#include "sched/cores.h"
#include "models/gresconf.h"
#include "sched/base/hostlist.h"
#include <string.h>

enum node_key {
	N_HOSTNAME,
	N_ADDR,
	N_BCAST,
	N_BOARDS,
	N_SOCKETS,
	N_PER_BOARD,
	N_CORES,
	N_THREADS,
	N_CPUS,
	N_MEMORY,
	N_TMP,
	N_FEATURES,
	N_GRES,
	N_WEIGHT,
	N_MEM_SPEC,
	N_CORE_SPEC,
	N_CPU_SPEC,
	N_RESTRICTED,
	N_STATE,
	N_REASON,
	N_TOPOLOGY,
	N_TRES_WEIGHTS,
	N_SUSPEND,
	N_NO_EFFECT,
	N_KEYS
};

static const struct line_key node_keys[] = {
    {"NodeHostname", N_HOSTNAME},
    {"NodeAddr", N_ADDR},
    {"BcastAddr", N_BCAST},
    {"Boards", N_BOARDS},
    {"Sockets", N_SOCKETS},
    {"SocketsPerBoard", N_PER_BOARD},
    {"CoresPerSocket", N_CORES},
    {"ThreadsPerCore", N_THREADS},
    {"CPUs", N_CPUS},
    {"Procs", N_CPUS},
    {"RealMemory", N_MEMORY},
    {"TmpDisk", N_TMP},
    {"Features", N_FEATURES},
    {"Feature", N_FEATURES},
    {"Gres", N_GRES},
    {"Weight", N_WEIGHT},
    {"MemSpecLimit", N_MEM_SPEC},
    {"CoreSpecCount", N_CORE_SPEC},
    {"CpuSpecList", N_CPU_SPEC},
    {"RestrictedCoresPerGPU", N_RESTRICTED},
    {"State", N_STATE},
    {"Reason", N_REASON},
    {"Topology", N_TOPOLOGY},
    {"TRESWeights", N_TRES_WEIGHTS},
    {"SuspendTime", N_SUSPEND},
    {"Port", N_NO_EFFECT},
    {"CpuBind", N_NO_EFFECT},
    {"Parameters", N_NO_EFFECT},
    {"GresConf", N_NO_EFFECT},
    {NULL, 0},
};

/* A count of the node line; DEFAULT when not given. Zero is reset to 1 unless ZERO_OK. */
static guint64 count_of(struct conf_reader *r, const struct conf_pair *p, guint64 otherwise, guint64 max, bool zero_ok)
{
	guint64 v;

	if (!p || !conf_number(r, p, max, &v))
		return otherwise;
	if (v == CONF_UNLIMITED) {
		conf_error(r, p, "a whole number", "%s of a node cannot be unlimited", p->key);
		return otherwise;
	}
	if (v == 0 && !zero_ok) {
		conf_warn(r, p, NULL, "%s=0 is reset to 1", p->key);
		return 1;
	}
	return v;
}

/* Sockets, cores, threads and CPUs: what is missing is derived (section 4, "Derivation"). */
static bool set_shape(struct conf_reader *r, const struct conf_pair *name, const struct conf_pair **v,
                      struct node_config *c)
{
	guint64 boards = count_of(r, v[N_BOARDS], 1, 65533, false), cores = count_of(r, v[N_CORES], 1, 65533, false);
	guint64 threads = count_of(r, v[N_THREADS], 1, 65533, false), cpus = count_of(r, v[N_CPUS], 0, 65533, false);
	guint64 sockets;

	if (v[N_SOCKETS] && v[N_PER_BOARD])
		conf_warn(r, v[N_SOCKETS], "remove one of them", "Sockets is ignored, SocketsPerBoard is given");
	if (v[N_PER_BOARD])
		sockets = boards * count_of(r, v[N_PER_BOARD], 1, 65533, false);
	else if (v[N_SOCKETS])
		sockets = count_of(r, v[N_SOCKETS], 1, 65533, false);
	else if (cpus && cpus % (cores * threads) == 0)
		sockets = cpus / (cores * threads);
	else
		sockets = boards;
	if (sockets > 65533 || sockets * cores > 65533 || sockets * cores * threads > 65533) {
		conf_error(r, name, "at most 65533",
		           "a node of %" G_GUINT64_FORMAT " sockets x %" G_GUINT64_FORMAT " cores x %" G_GUINT64_FORMAT
		           " threads has too many CPUs",
		           sockets, cores, threads);
		return false;
	}
	guint64 all = sockets * cores * threads;
	if (cpus && cpus != sockets && cpus != sockets * cores && cpus != all) {
		conf_warn(r, v[N_CPUS], NULL,
		          "CPUs=%" G_GUINT64_FORMAT " fits none of %" G_GUINT64_FORMAT " sockets, %" G_GUINT64_FORMAT
		          " cores, %" G_GUINT64_FORMAT " threads: CPUs is reset to %" G_GUINT64_FORMAT,
		          cpus, sockets, sockets * cores, all, all);
		cpus = 0;
	}
	c->boards = (uint16_t)boards;
	c->sockets = (uint16_t)sockets;
	c->cores_per_socket = (uint16_t)cores;
	c->threads = (uint16_t)threads;
	c->cores = (uint16_t)(sockets * cores);
	c->cpus = (uint16_t)(cpus ? cpus : all);
	c->cpus_per_core = c->cpus == all ? c->threads : 1;
	return true;
}

static void set_memory(struct conf_reader *r, const struct conf_pair **v, struct node_config *c)
{
	c->real_memory = count_of(r, v[N_MEMORY], 1, UINT64_C(1) << 50, false);
	c->tmp_disk = count_of(r, v[N_TMP], 0, UINT64_C(1) << 50, true);
	c->mem_spec_limit = count_of(r, v[N_MEM_SPEC], 0, UINT64_C(1) << 50, true);
	if (c->mem_spec_limit && c->mem_spec_limit >= c->real_memory) {
		conf_warn(r, v[N_MEM_SPEC], "it must be below RealMemory", "MemSpecLimit is reset to 0");
		c->mem_spec_limit = 0;
	}
}

static void set_spec(struct conf_reader *r, const struct conf_pair **v, struct node_config *c)
{
	guint64 count = count_of(r, v[N_CORE_SPEC], 0, 65533, true);

	if (v[N_CPU_SPEC]) {
		struct bitset *cpus = bitset_new(c->cpus);
		int64_t i;

		if (count)
			conf_warn(r, v[N_CORE_SPEC], "remove one of them",
			          "CoreSpecCount is ignored, CpuSpecList is given");
		if (!bitset_from_ranges(cpus, v[N_CPU_SPEC]->value))
			conf_error(r, v[N_CPU_SPEC], "CPU ids such as 0,32-33 below CPUs", "bad CpuSpecList");
		c->spec_cores = bitset_new(c->cores);
		for (BITSET_EACH(i, cpus))
			bitset_set(c->spec_cores, (uint32_t)i / c->cpus_per_core);
		bitset_free(cpus);
		return;
	}
	if (count >= c->cores) {
		conf_warn(r, v[N_CORE_SPEC], NULL, "CoreSpecCount is not below the number of cores: it is reset to 1");
		count = 1;
	}
	c->core_spec_count = (uint16_t)count;
	if (count) {
		c->spec_cores = bitset_new(c->cores);
		cores_special(c, (uint32_t)count, r->p->spec_cores_first, c->spec_cores->word);
	}
}

/* Is NAME in GresTypes? Gres= entries of other names are left out with a warning (section 4). */
static bool gres_type_known(const struct conf_reader *r, const char *name)
{
	return r->gres_types && g_strv_contains((const char *const *)r->gres_types, name);
}

static void set_gres(struct conf_reader *r, const struct conf_pair *p, struct node_config *c)
{
	char **entry = conf_list(p ? p->value : "", false);
	GString *kept = g_string_new(NULL);
	GError *error = NULL;

	for (char **s = entry; *s; s++) {
		char *name = g_strndup(*s, strcspn(*s, ":"));

		if (gres_type_known(r, name))
			g_string_append_printf(kept, "%s%s", kept->len ? "," : "", *s);
		else
			conf_warn(r, p, "name it in GresTypes", "Gres=%s is ignored: %s is not in GresTypes", *s, name);
		g_free(name);
	}
	if (!gres_parse(kept->str, &c->gres, &c->n_gres, &error)) {
		diag_error(r->d, p->file, p->value_line, p->value_column, "write name[:type][:no_consume][:count]",
		           "%s", error->message);
		g_error_free(error);
	}
	g_free(c->gres_text);
	c->gres_text = g_string_free(kept, FALSE);
	g_strfreev(entry);
}

/* Equal in everything: the text that tells two records apart (N22). g_free. */
static char *config_text(const struct node_config *c)
{
	char *features = g_strjoinv(",", c->features),
	     *spec = c->spec_cores ? bitset_to_ranges(c->spec_cores) : g_strdup("");
	char *text = g_strdup_printf(
	    "%u %u %u %u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %u %u %u\n%s\n%s\n%s",
	    c->boards, c->sockets, c->cores_per_socket, c->threads, c->cpus, c->real_memory, c->mem_spec_limit,
	    c->tmp_disk, c->weight, c->core_spec_count, c->restricted_cores_per_gpu, spec, features, c->gres_text);

	g_free(features);
	g_free(spec);
	return text;
}

static struct node_config *make_config(struct conf_reader *r, const struct conf_pair *name, const struct conf_pair **v)
{
	struct node_config *c = cluster_add_config(r->c);

	if (set_shape(r, name, v, c)) {
		set_memory(r, v, c);
		set_spec(r, v, c);
		c->weight = (uint32_t)count_of(r, v[N_WEIGHT], 1, G_MAXUINT32 - 2, true);
		c->restricted_cores_per_gpu = (uint32_t)count_of(r, v[N_RESTRICTED], 0, 65533, true);
		g_strfreev(c->features);
		c->features = conf_list(v[N_FEATURES] ? v[N_FEATURES]->value : "", false);
		set_gres(r, v[N_GRES], c);
	}
	char *text = config_text(c);
	struct node_config *equal = g_hash_table_lookup(r->config_by_text, text);
	if (!equal) {
		g_hash_table_insert(r->config_by_text, text, c);
		return c;
	}
	g_free(text);
	g_ptr_array_set_size(r->c->configs, (gint)r->c->configs->len - 1); /* frees C */
	return equal;
}

/* Set base and flags by the State= word. */
static void set_state(struct conf_reader *r, const struct conf_pair *p, struct node *n)
{
	static const struct {
		const char *name;
		enum node_base base;
		uint32_t flags;
	} states[] = {
	    {"UNKNOWN", NODE_IDLE, 0},        {"IDLE", NODE_IDLE, 0},         {"DOWN", NODE_DOWN, 0},
	    {"DRAIN", NODE_IDLE, NODE_DRAIN}, {"FAIL", NODE_IDLE, NODE_FAIL}, {"FAILING", NODE_IDLE, NODE_FAIL},
	    {"CLOUD", NODE_IDLE, NODE_CLOUD | NODE_POWERED_DOWN}, {"FUTURE", NODE_FUTURE, 0},     {"EXTERNAL", NODE_IDLE, 0},
	};

	char **words = g_strsplit(p->value, "+", -1); /* as scontrol shows them: DOWN+DRAIN */
	bool good = *words != NULL;
	for (char **s = words; *s; s++) {
		gsize i = 0;

		while (i < G_N_ELEMENTS(states) && g_ascii_strcasecmp(states[i].name, *s) != 0)
			i++;
		good = good && i < G_N_ELEMENTS(states);
		if (good && (s == words || states[i].base != NODE_IDLE))
			n->base = states[i].base;
		n->flags |= good ? states[i].flags : 0;
	}
	g_strfreev(words);
	if (!good)
		diag_error(r->d, p->file, p->value_line, p->value_column,
		           "UNKNOWN, DOWN, DRAIN, FAIL, FAILING, CLOUD, FUTURE or EXTERNAL", "bad node State %s", p->value);
}

static void add_node(struct conf_reader *r, const struct conf_pair *at, const char *name, struct node_config *config,
                     const struct conf_pair **v)
{
	if (g_hash_table_contains(r->nodes, name)) {
		conf_error(r, at, "define each node once", "duplicated NodeName %s", name);
		return;
	}
	struct node *n = cluster_add_node(r->c, name, config);
	g_hash_table_insert(r->nodes, n->name, n);
	if (v[N_STATE])
		set_state(r, v[N_STATE], n);
	if (v[N_REASON])
		n->reason = g_strdup(v[N_REASON]->value);
	conf_power_seconds(r, v[N_SUSPEND], &n->suspend_time);
}

static void check_name_counts(struct conf_reader *r, const struct conf_pair **v, guint names)
{
	static const int keys[] = {N_HOSTNAME, N_ADDR, N_BCAST};

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		const struct conf_pair *p = v[keys[i]];
		gint64 n = p ? hostlist_count(p->value, NULL) : names;

		if (n != names && n != 1) /* one name for all was accepted by a real 26.11 */
			conf_error(r, p, "give one for each node, or one for all", "%s does not name as many as NodeName (%u)", p->key,
			           names);
	}
}

static void warn_later(struct conf_reader *r, const struct conf_pair **v)
{
	if (v[N_TOPOLOGY])
		conf_not_modelled(r, v[N_TOPOLOGY], "the place of a node in a topology (topology.conf is used)");
	if (v[N_TRES_WEIGHTS])
		conf_not_modelled(r, v[N_TRES_WEIGHTS], "weighing of nodes by TRES");
}

static void node_line(struct conf_reader *r, const struct conf_line *line, const struct conf_pair **defaults)
{
	const struct conf_pair *name = &line->pair[0], *v[N_KEYS];

	memcpy(v, defaults, sizeof v);
	conf_line_values(r, line, node_keys, "NodeName", v);
	if (g_ascii_strcasecmp(name->value, "DEFAULT") == 0) {
		static const int own[] = {N_HOSTNAME, N_ADDR, N_BCAST};

		for (gsize i = 0; i < G_N_ELEMENTS(own); i++) {
			if (v[own[i]])
				conf_error(r, v[own[i]], "give it on each node's line", "%s on a NodeName=DEFAULT line",
				           v[own[i]]->key);
			v[own[i]] = NULL;
		}
		memcpy(defaults, v, sizeof v);
		return;
	}
	if (g_ascii_strcasecmp(name->value, "ALL") == 0) {
		conf_error(r, name, "choose another name", "NodeName=ALL is reserved");
		return;
	}
	GPtrArray *names = conf_expand(r, name, name->value);
	if (!names)
		return;
	struct node_config *config = make_config(r, name, v);
	check_name_counts(r, v, names->len);
	warn_later(r, v);
	for (guint i = 0; i < names->len; i++)
		add_node(r, name, g_ptr_array_index(names, i), config, v);
	g_ptr_array_unref(names);
}

enum { D_STATE, D_REASON, D_KEYS };
static const struct line_key down_keys[] = {{"State", D_STATE}, {"Reason", D_REASON}, {NULL, 0}};

static void down_line(struct conf_reader *r, const struct conf_line *line)
{
	const struct conf_pair *at = &line->pair[0], *v[D_KEYS] = {NULL};
	GPtrArray *names = conf_expand(r, at, at->value);

	conf_line_values(r, line, down_keys, "DownNodes", v);
	for (guint i = 0; names && i < names->len; i++) {
		struct node *n = g_hash_table_lookup(r->nodes, g_ptr_array_index(names, i));

		if (!n) {
			conf_error(r, at, "name nodes of a NodeName line", "DownNodes: unknown node %s",
			           (const char *)g_ptr_array_index(names, i));
			continue;
		}
		if (v[D_STATE])
			set_state(r, v[D_STATE], n);
		else
			n->base = NODE_DOWN;
		g_free(n->reason);
		n->reason = g_strdup(v[D_REASON] ? v[D_REASON]->value : "Set in slurm.conf");
	}
	if (names)
		g_ptr_array_unref(names);
}

void conf_read_nodes(struct conf_reader *r)
{
	const struct conf_pair *defaults[N_KEYS] = {NULL};

	for (guint i = 0; i < r->node_lines->len; i++)
		node_line(r, g_ptr_array_index(r->node_lines, i), defaults);
	for (guint i = 0; i < r->down_lines->len; i++)
		down_line(r, g_ptr_array_index(r->down_lines, i));
}
