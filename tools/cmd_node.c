/* cmd_node.c - whypend node: a node at a moment, drawn. */
#include "models/suggest.h"
#include "tools/commands.h"
#include "tools/node_out.h"
#include "tools/session.h"
#include "tools/topo_out.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend node",
    .operands = "NAME [SCENARIO]",
    .summary = "Simulate a scenario up to a moment and draw a node: its sockets, cores and GPUs, which job holds which of\n"
               "them (a letter each, . free, # specialised), the links between GPUs, and how many free GPUs no waiting job\n"
               "can use, with the cause: closed, count, cores, memory, affinity, socket, links. With --model the NUMA nodes\n"
               "and links of a hardware model are shown.",
    .examples = "Examples:\n"
                "  whypend node gpu1 --at 25 scenarios/first-look\n"
                "  whypend node dgxh100-03 --model dgx_h100 --at 2026-01-20T12:00:00 scenarios/h100-a100-month",
};

static const struct node *find_node(const struct cluster *cl, const char *name)
{
	const struct node *n = cluster_find_node(cl, name);
	struct suggestion s;

	if (n)
		return n;
	suggest_begin(&s, name);
	for (uint32_t i = 0; i < cl->n_nodes; i++)
		suggest_offer(&s, cl->node[i]->name);
	char *hint = suggest_hint(&s, "\"whypend sinfo -N\" lists the nodes");
	tool_complain(USAGE.command, "no node \"%s\"; %s", name, hint);
	g_free(hint);
	return NULL;
}

static int show(struct controller *c, const char *name, const struct node_model *model)
{
	const struct node *n = find_node(controller_cluster(c), name);

	if (!n)
		return EXIT_USAGE;
	if (model && !node_model_fits(n, model)) {
		tool_complain(USAGE.command, "model %s has %u cores and %u GPUs, node %s has %u and %u", model->name,
		              model->total_cores, model->n_gpus, name, n->config->cores,
		              node_config_gres(n->config, "gpu", NULL));
		return EXIT_USAGE;
	}
	node_draw(stdout, c, n, model);
	return tool_flush(USAGE.command);
}

int cmd_node(int argc, char **argv)
{
	char *name = NULL, *model_name = NULL;
	const GOptionEntry own[] = {{"model", 'm', 0, G_OPTION_ARG_FILENAME, &model_name,
	                             "hardware model of the node (name or file; \"whypend topo\" lists them)", "MODEL"},
	                            G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	struct node_model *model = NULL;
	int code = EXIT_USAGE;
	bool good = tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own);

	if (good && (!options.rest || !(name = tool_options_take(&options))))
		tool_complain(USAGE.command, "which node? Give its name before the scenario");
	else if (good && model_name && !(model = topo_load(USAGE.command, model_name)))
		code = EXIT_USAGE;
	else if (good && tool_options_scenario(&options)) {
		code = session_run(&session, &options, SESSION_NO_RECORD, NULL);
		if (code == EXIT_GOOD)
			code = show(sim_controller(session.sim), name, model);
		session_close(&session);
	}
	node_model_free(model);
	tool_options_clear(&options);
	g_free(name);
	g_free(model_name);
	return code;
}
