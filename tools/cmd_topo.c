/* cmd_topo.c - whypend topo: the GPU and NIC matrix of a hardware model. */
#include "tools/commands.h"
#include "tools/options.h"
#include "tools/topo_out.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend topo",
    .operands = "[MODEL]",
    .summary = "Print a hardware model as nvidia-smi topo -m does: links between GPUs and to NICs, cores and NUMA node of\n"
               "each GPU. MODEL is a name or a file; without it the models that come with whypend are listed.",
    .examples = "Examples:\n"
                "  whypend topo\n"
                "  whypend topo dgx_h100\n"
                "  whypend topo --pcie hgx_a100_4gpu_epyc128\n"
                "  whypend topo --conf dgx_h100\n"
                "  whypend topo --mig 3g.40gb:4,1g.10gb:28 dgx_h100",
};

static int list_models(void)
{
	char **names = topo_names();
	int code = EXIT_GOOD;

	if (!*names) {
		tool_complain(USAGE.command, "no models/hardware here nor beside the program; give a file");
		code = EXIT_USAGE;
	}
	for (char **n = names; *n && code == EXIT_GOOD; n++) {
		struct node_model *m = topo_load(USAGE.command, *n);
		if (m)
			printf("%-30s %s\n", *n, m->description);
		else
			code = EXIT_USAGE;
		node_model_free(m);
	}
	g_strfreev(names);
	return code == EXIT_GOOD ? tool_flush(USAGE.command) : code;
}

static void print_conf(const struct node_model *m)
{
	printf("# slurm.conf\n");
	if (m->slurmd_parameters)
		printf("SlurmdParameters=%s\n", m->slurmd_parameters);
	printf("%s\n", m->node_line);
	if (*m->gres_conf)
		printf("# gres.conf\n");
	for (char **l = m->gres_conf; *l; l++)
		printf("%s\n", *l);
}

int cmd_topo(int argc, char **argv)
{
	gboolean pcie = FALSE, conf = FALSE;
	g_autofree char *mig = NULL;
	const GOptionEntry own[] = {
	    {"pcie", 0, 0, G_OPTION_ARG_NONE, &pcie, "without NVLink, as nvidia-smi topo -mp", NULL},
	    {"conf", 0, 0, G_OPTION_ARG_NONE, &conf, "print its lines for slurm.conf and gres.conf instead", NULL},
	    {"mig", 0, 0, G_OPTION_ARG_STRING, &mig, "how MIG instances sit on its GPUs, if they fit: 3g.40gb:2,1g.10gb:4", "LIST"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (!tool_options_parse(&options, argc, argv, -1, &USAGE, own)) {
		tool_options_clear(&options);
		return code;
	}
	if (options.rest && options.rest[0] && options.rest[1]) {
		tool_complain(USAGE.command, "one MODEL at a time; \"%s\" is too many", options.rest[1]);
	} else if (!options.rest || !options.rest[0]) {
		code = list_models();
	} else {
		struct node_model *m = topo_load(USAGE.command, options.rest[0]);
		if (m && conf) {
			print_conf(m);
		} else if (m && mig) {
			char *text = topo_mig(USAGE.command, m, mig);
			fputs(text ? text : "", stdout);
			code = text ? EXIT_GOOD : EXIT_USAGE;
			g_free(text);
		} else if (m && !m->n_gpus) {
			printf("%s has no GPUs: %s\n", m->name, m->description);
		} else if (m) {
			char *text = topo_matrix(m, pcie);
			fputs(text, stdout);
			g_free(text);
		}
		code = !m || (mig && code != EXIT_GOOD) ? EXIT_USAGE : tool_flush(USAGE.command);
		node_model_free(m);
	}
	tool_options_clear(&options);
	return code;
}
