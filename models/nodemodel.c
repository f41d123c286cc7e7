/* nodemodel.c - read hardware node models; see nodemodel.h. The checks of the rules are in nodemodel_check.c. */
#include "models/nodemodel.h"
#include "models/conflex.h"
#include "models/nodemodel_check.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

struct loader {
	struct diag *d;
	const char *file;
};

static void wrong(struct loader *l, const char *path, const char *key, const char *want)
{
	diag_error(l->d, l->file, 0, 0, want, "%s%s is missing or wrong", path, key);
}

static double number(struct loader *l, const cJSON *o, const char *path, const char *key, double min, double max)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
	char hint[64];

	if (cJSON_IsNumber(v) && v->valuedouble >= min && v->valuedouble <= max)
		return v->valuedouble;
	g_snprintf(hint, sizeof hint, "want a number from %g to %g", min, max);
	wrong(l, path, key, hint);
	return min;
}

static uint32_t whole(struct loader *l, const cJSON *o, const char *path, const char *key, uint32_t min, uint32_t max)
{
	double v = number(l, o, path, key, min, max);

	if (v != floor(v))
		wrong(l, path, key, "want a whole number");
	return (uint32_t)v;
}

/* g_free; "" after an error, NULL when it is null or absent and OPTIONAL. */
static char *text(struct loader *l, const cJSON *o, const char *path, const char *key, bool optional)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);

	if (cJSON_IsString(v))
		return g_strdup(v->valuestring);
	if (optional && (!v || cJSON_IsNull(v)))
		return NULL;
	wrong(l, path, key, "want a string");
	return g_strdup("");
}

static const cJSON *array(struct loader *l, const cJSON *o, const char *path, const char *key, uint32_t max)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);

	if (cJSON_IsArray(v) && (uint32_t)cJSON_GetArraySize(v) <= max)
		return v;
	wrong(l, path, key, cJSON_IsArray(v) ? "too long" : "want an array");
	return NULL;
}

static char **strings(struct loader *l, const cJSON *o, const char *path, const char *key)
{
	const cJSON *list = array(l, o, path, key, NODEMODEL_DEVICES_MAX), *item;
	GPtrArray *out = g_ptr_array_new();

	cJSON_ArrayForEach(item, list)
	{
		if (cJSON_IsString(item))
			g_ptr_array_add(out, g_strdup(item->valuestring));
		else
			wrong(l, path, key, "want strings");
	}
	g_ptr_array_add(out, NULL);
	return (char **)g_ptr_array_free(out, FALSE);
}

static void read_slurm(struct loader *l, const cJSON *root, struct node_model *m)
{
	const cJSON *s = cJSON_GetObjectItemCaseSensitive(root, "slurm");

	m->cpus = whole(l, s, "slurm.", "CPUs", 1, NODEMODEL_CORES_MAX);
	m->boards = whole(l, s, "slurm.", "Boards", 1, 64);
	m->sockets_per_board = whole(l, s, "slurm.", "SocketsPerBoard", 1, 1024);
	m->cores_per_socket = whole(l, s, "slurm.", "CoresPerSocket", 1, NODEMODEL_CORES_MAX);
	m->threads_per_core = whole(l, s, "slurm.", "ThreadsPerCore", 1, 64);
	m->core_spec_count = whole(l, s, "slurm.", "CoreSpecCount", 0, NODEMODEL_CORES_MAX);
	m->real_memory_mib = (uint64_t)number(l, s, "slurm.", "RealMemory", 1, 1e12);
	m->gres = text(l, s, "slurm.", "Gres", true);
	m->slurmd_parameters = text(l, s, "slurm.", "slurmd_parameters", true);
	m->node_line = text(l, s, "slurm.", "node_line", false);
	m->gres_conf = strings(l, s, "slurm.", "gres_conf");
}

static void read_numa(struct loader *l, const cJSON *root, struct node_model *m)
{
	const cJSON *sockets = array(l, root, "", "sockets", 1024), *socket, *item;
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct model_numa));

	cJSON_ArrayForEach(socket, sockets)
	{
		uint32_t id = whole(l, socket, "sockets[].", "id", 0, 1023);
		const cJSON *nodes = array(l, socket, "sockets[].", "numa", NODEMODEL_DEVICES_MAX);

		cJSON_ArrayForEach(item, nodes)
		{
			struct model_numa n = {
			    .id = whole(l, item, "sockets[].numa[].", "id", 0, 65535),
			    .socket = id,
			    .core_first = whole(l, item, "sockets[].numa[].", "core_first", 0, NODEMODEL_CORES_MAX),
			    .core_count = whole(l, item, "sockets[].numa[].", "core_count", 1, NODEMODEL_CORES_MAX),
			    .memory_mib = (uint64_t)number(l, item, "sockets[].numa[].", "memory_mib", 0, 1e12),
			};
			if (all->len < NODEMODEL_DEVICES_MAX)
				g_array_append_val(all, n);
			else
				wrong(l, "sockets[].", "numa", "too many NUMA nodes");
		}
	}
	m->n_numa = all->len;
	m->numa = (struct model_numa *)(void *)g_array_free(all, FALSE);
}

static void read_distances(struct loader *l, const cJSON *root, struct node_model *m)
{
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(root, "numa_distance"), *row, *v;
	uint32_t i = 0;

	if (!rows)
		return;
	m->numa_distance = g_new0(double, (gsize)m->n_numa * m->n_numa + 1);
	bool good = cJSON_IsArray(rows) && (uint32_t)cJSON_GetArraySize(rows) == m->n_numa;
	if (!good)
		rows = NULL;
	cJSON_ArrayForEach(row, rows)
	{
		good &= cJSON_IsArray(row) && (uint32_t)cJSON_GetArraySize(row) == m->n_numa;
		const cJSON *cells = good ? row : NULL;
		cJSON_ArrayForEach(v, cells)
		{
			good &= cJSON_IsNumber(v);
			m->numa_distance[i++] = v->valuedouble;
		}
	}
	if (!good)
		wrong(l, "", "numa_distance", "want a square of numbers, a row for each NUMA node with cores");
}

static void read_gpus(struct loader *l, const cJSON *root, struct node_model *m)
{
	const cJSON *list = array(l, root, "", "gpus", NODEMODEL_DEVICES_MAX), *item;

	m->gpu = g_new0(struct model_gpu, (gsize)(list ? cJSON_GetArraySize(list) : 0) + 1);
	cJSON_ArrayForEach(item, list)
	{
		struct model_gpu *g = &m->gpu[m->n_gpus++];
		char *cores = text(l, item, "gpus[].", "cores", false);

		g->id = whole(l, item, "gpus[].", "id", 0, NODEMODEL_DEVICES_MAX);
		g->numa = whole(l, item, "gpus[].", "numa", 0, 65535);
		g->type = text(l, item, "gpus[].", "type", false);
		g->gres_type = text(l, item, "gpus[].", "gres_type", false);
		g->memory_mib = (uint64_t)number(l, item, "gpus[].", "memory_mib", 1, 1e12);
		g->pcie_switch = (int)number(l, item, "gpus[].", "pcie_switch", -1, 65535);
		g->tdp_w = number(l, item, "gpus[].", "tdp_w", 0, 1e6);
		g->mig_table = text(l, item, "gpus[].", "mig_table", true);
		g->cores = bitset_new(m->total_cores);
		if (!bitset_from_ranges(g->cores, cores))
			wrong(l, "gpus[].", "cores", "want core ids below total_cores");
		char *cpus = text(l, item, "gpus[].", "os_cpus", true);
		g->os_cpus = cpus ? cpus : g_strdup(cores);
		g_free(cores);
	}
}

/* A square of link classes; NULL without GPUs. */
static char **read_links(struct loader *l, const cJSON *root, const char *key, uint32_t n)
{
	const cJSON *rows = n ? array(l, root, "", key, NODEMODEL_DEVICES_MAX) : NULL, *row, *v;
	char **out = n ? g_new0(char *, (gsize)n *n + 1) : NULL;
	bool good = !n || (rows && (uint32_t)cJSON_GetArraySize(rows) == n);
	uint32_t i = 0;

	if (!good)
		rows = NULL;
	cJSON_ArrayForEach(row, rows)
	{
		good &= cJSON_IsArray(row) && (uint32_t)cJSON_GetArraySize(row) == n;
		const cJSON *cells = good ? row : NULL;
		cJSON_ArrayForEach(v, cells)
		{
			good &= cJSON_IsString(v);
			out[i++] = g_strdup(cJSON_IsString(v) ? v->valuestring : "");
		}
	}
	for (; i < n * n; i++)
		out[i] = g_strdup("");
	if (!good)
		wrong(l, "", key, "want a square of link classes, a row for each GPU");
	return out;
}

static void read_nics(struct loader *l, const cJSON *root, struct node_model *m)
{
	const cJSON *list = array(l, root, "", "nics", NODEMODEL_DEVICES_MAX), *item;

	m->nic = g_new0(struct model_nic, (gsize)(list ? cJSON_GetArraySize(list) : 0) + 1);
	cJSON_ArrayForEach(item, list)
	{
		struct model_nic *n = &m->nic[m->n_nics++];

		n->name = text(l, item, "nics[].", "name", false);
		n->role = text(l, item, "nics[].", "role", false);
		n->gbps = number(l, item, "nics[].", "gbps", 0, 1e6);
		n->numa = (int)number(l, item, "nics[].", "numa", -1, 65535);
		n->pcie_switch = (int)number(l, item, "nics[].", "pcie_switch", -1, 65535);
		n->rail = (int)number(l, item, "nics[].", "rail", -1, 65535);
		n->gpu_link_class = strings(l, item, "nics[].", "gpu_link_class");
		if (g_strv_length(n->gpu_link_class) != m->n_gpus)
			wrong(l, "nics[].", "gpu_link_class", "want one class for each GPU");
	}
}

static void read_perf(const cJSON *root, struct node_model *m)
{
	const cJSON *item;

	m->perf = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "perf"))
	{
		double *v;

		if (!cJSON_IsNumber(item) || !item->string)
			continue;
		v = g_new(double, 1);
		*v = item->valuedouble;
		g_hash_table_replace(m->perf, g_strdup(item->string), v);
	}
}

static struct node_model *read_model(struct loader *l, const cJSON *root)
{
	struct node_model *m = g_new0(struct node_model, 1);
	char *schema = text(l, root, "", "schema", false);

	if (!g_str_equal(schema, "node-model/1"))
		wrong(l, "", "schema", "want \"node-model/1\"");
	g_free(schema);
	m->name = text(l, root, "", "name", false);
	m->vendor = text(l, root, "", "vendor", true);
	m->description = text(l, root, "", "description", true);
	m->total_cores = whole(l, root, "", "total_cores", 1, NODEMODEL_CORES_MAX);
	read_slurm(l, root, m);
	read_numa(l, root, m);
	read_distances(l, root, m);
	read_gpus(l, root, m);
	m->link = read_links(l, root, "links", m->n_gpus);
	m->pcie_link = read_links(l, root, "pcie_links", m->n_gpus);
	read_nics(l, root, m);
	read_perf(root, m);
	return m;
}

struct node_model *node_model_parse(const char *json, const char *name, struct diag *d)
{
	struct loader l = {d, name};
	guint errors = d->n_errors;
	const char *end = NULL;
	cJSON *root = cJSON_ParseWithOpts(json, &end, cJSON_False);

	if (!cJSON_IsObject(root)) {
		guint line = 1;

		for (const char *p = json; end && p < end; p++)
			line += *p == '\n';
		diag_error(d, name, line, 0, "want a JSON object of schema node-model/1", "this is not JSON");
		cJSON_Delete(root);
		return NULL;
	}
	struct node_model *m = read_model(&l, root);
	cJSON_Delete(root);
	if (d->n_errors == errors)
		node_model_check(m, name, d);
	if (d->n_errors == errors)
		return m;
	node_model_free(m);
	return NULL;
}

struct node_model *node_model_load(const char *path, struct diag *d)
{
	GError *error = NULL;
	char *json = conflex_load(path, NODEMODEL_FILE_MAX, &error);

	if (!json) {
		diag_error(d, path, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
		return NULL;
	}
	struct node_model *m = node_model_parse(json, path, d);
	g_free(json);
	return m;
}

static void free_links(char **links, uint32_t n)
{
	for (uint32_t i = 0; links && i < n * n; i++)
		g_free(links[i]);
	g_free(links);
}

void node_model_free(struct node_model *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->n_gpus; i++) {
		g_free(m->gpu[i].type);
		g_free(m->gpu[i].mig_table);
		g_free(m->gpu[i].gres_type);
		g_free(m->gpu[i].os_cpus);
		bitset_free(m->gpu[i].cores);
	}
	for (uint32_t i = 0; i < m->n_nics; i++) {
		g_free(m->nic[i].name);
		g_free(m->nic[i].role);
		g_strfreev(m->nic[i].gpu_link_class);
	}
	free_links(m->link, m->n_gpus);
	free_links(m->pcie_link, m->n_gpus);
	g_free(m->gpu);
	g_free(m->nic);
	g_free(m->numa);
	g_free(m->numa_distance);
	g_strfreev(m->gres_conf);
	g_free(m->name);
	g_free(m->vendor);
	g_free(m->description);
	g_free(m->gres);
	g_free(m->slurmd_parameters);
	g_free(m->node_line);
	g_hash_table_unref(m->perf);
	g_free(m);
}

uint32_t node_model_nvlinks(const struct node_model *m, uint32_t a, uint32_t b)
{
	g_assert(a < m->n_gpus && b < m->n_gpus);
	const char *class = m->link[a * m->n_gpus + b];

	return g_str_has_prefix(class, "NV") ? (uint32_t)g_ascii_strtoull(class + 2, NULL, 10) : 0;
}

char *node_model_folder(void)
{
	static const char *const beside[] = {"../models/hardware", "../share/whypend/hardware"};
	char *program = g_file_read_link("/proc/self/exe", NULL), *dir = program ? g_path_get_dirname(program) : g_strdup(".");
	char *found = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(beside) && !found; i++) {
		char *path = g_build_filename(dir, beside[i], NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			found = g_steal_pointer(&path);
		g_free(path);
	}
	g_free(program);
	g_free(dir);
	return found;
}
