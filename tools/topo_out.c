/* topo_out.c - see topo_out.h. */
#include "tools/topo_out.h"
#include "models/suggest.h"
#include "tools/options.h"
#include "models/nodemodel.h"
#include <string.h>

/* ---- where the models are ---- */

/* Beside the working directory, or beside the program: build/whypend, PREFIX/bin/whypend. */
char *topo_folder(void)
{
	return g_file_test("models/hardware", G_FILE_TEST_IS_DIR) ? g_strdup("models/hardware") : node_model_folder();
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **topo_names(void)
{
	GPtrArray *names = g_ptr_array_new();
	char *folder = topo_folder();
	GDir *dir = folder ? g_dir_open(folder, 0, NULL) : NULL;

	for (const char *file; dir && (file = g_dir_read_name(dir));)
		if (g_str_has_suffix(file, ".json"))
			g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".json")));
	if (dir)
		g_dir_close(dir);
	g_free(folder);
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static void unknown_model(const char *command, const char *name)
{
	struct suggestion s;
	char **names = topo_names();

	suggest_begin(&s, name);
	for (char **n = names; *n; n++)
		suggest_offer(&s, *n);
	char *hint = suggest_hint(&s, "\"whypend topo\" lists them");
	tool_complain(command, "no hardware model \"%s\"; %s", name, hint);
	g_free(hint);
	g_strfreev(names);
}

struct node_model *topo_load(const char *command, const char *name)
{
	struct diag *d = diag_new();
	char *folder = topo_folder(), *file = g_strconcat(name, ".json", NULL);
	char *path = folder && !strchr(name, '/') ? g_build_filename(folder, file, NULL) : NULL;
	struct node_model *m = NULL;

	if (!path || !g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_free(path);
		path = g_file_test(name, G_FILE_TEST_IS_REGULAR) ? g_strdup(name) : NULL;
	}
	if (path)
		m = node_model_load(path, d);
	else
		unknown_model(command, name);
	for (guint i = 0; path && !m && i < d->errors->len; i++)
		tool_complain(command, "%s", (const char *)d->errors->pdata[i]);
	diag_free(d);
	g_free(folder);
	g_free(file);
	g_free(path);
	return m;
}

/* ---- the matrix ---- */

/* Between two NICs nothing is recorded: from their places. */
static const char *nic_link(const struct model_nic *a, const struct model_nic *b)
{
	if (a == b)
		return " X ";
	if (a->pcie_switch >= 0 && a->pcie_switch == b->pcie_switch)
		return "PIX";
	return a->numa >= 0 && a->numa == b->numa ? "NODE" : "SYS";
}

static const char *nic_to_gpu(const struct model_nic *n, uint32_t gpu)
{
	return g_strv_length(n->gpu_link_class) > gpu ? n->gpu_link_class[gpu] : "SYS";
}

static void gpu_row(GString *out, const struct node_model *m, char *const *links, uint32_t i)
{
	g_string_append_printf(out, "GPU%u", i);
	for (uint32_t k = 0; k < m->n_gpus; k++)
		g_string_append_printf(out, "\t%s", i == k ? " X " : links[i * m->n_gpus + k]);
	for (uint32_t k = 0; k < m->n_nics; k++)
		g_string_append_printf(out, "\t%s", nic_to_gpu(&m->nic[k], i));
	g_string_append_printf(out, "\t%s\t%u\n", m->gpu[i].os_cpus, m->gpu[i].numa);
}

static void nic_row(GString *out, const struct node_model *m, uint32_t i)
{
	g_string_append_printf(out, "NIC%u", i);
	for (uint32_t k = 0; k < m->n_gpus; k++)
		g_string_append_printf(out, "\t%s", nic_to_gpu(&m->nic[i], k));
	for (uint32_t k = 0; k < m->n_nics; k++)
		g_string_append_printf(out, "\t%s", nic_link(&m->nic[i], &m->nic[k]));
	g_string_append(out, "\t\t\n");
}

static const char legend[] =
    "\nLegend:\n\n"
    "  X    = Self\n"
    "  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)\n"
    "  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node\n"
    "  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)\n"
    "  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)\n"
    "  PIX  = Connection traversing at most a single PCIe bridge\n"
    "  NV#  = Connection traversing a bonded set of # NVLinks\n";

char *topo_matrix(const struct node_model *m, bool pcie)
{
	GString *out = g_string_new(NULL);
	char *const *links = pcie ? m->pcie_link : m->link;

	for (uint32_t i = 0; i < m->n_gpus; i++)
		g_string_append_printf(out, "\tGPU%u", i);
	for (uint32_t i = 0; i < m->n_nics; i++)
		g_string_append_printf(out, "\tNIC%u", i);
	g_string_append(out, "\tCPU Affinity\tNUMA Affinity\n");
	for (uint32_t i = 0; i < m->n_gpus; i++)
		gpu_row(out, m, links, i);
	for (uint32_t i = 0; i < m->n_nics; i++)
		nic_row(out, m, i);
	g_string_append(out, legend);
	if (m->n_nics)
		g_string_append(out, "\nNIC Legend:\n\n");
	for (uint32_t i = 0; i < m->n_nics; i++)
		g_string_append_printf(out, "  NIC%u: %s\n", i, m->nic[i].name);
	return g_string_free(out, FALSE);
}
