/* cmd_fit.c - whypend fit: would a job start at a moment, where, and if not, why not, node by node. */
#include "sched/fit.h"
#include "tools/commands.h"
#include "tools/place_out.h"
#include "tools/session.h"
#include "traces/sbatch_words.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend fit",
    .operands = "\"SBATCH OPTIONS\" [SCENARIO]",
    .summary =
        "Simulate a scenario up to a moment and tell whether a job with these options of sbatch would start then: on\n"
        "which nodes, cores and GPUs. If not: the reason that squeue would show, and node by node the first rule that\n"
        "stands in the way (numbers of rules are those of the documentation: N12 static filter, N26 sharing, N31 memory,\n"
        "N32 cores, N63 GPUs, C53 node state, C60 reservations). The options come first, as one word. The job is tried as\n"
        "if it were first in the queue; how many jobs are ahead of it is told.",
    .examples = "Examples:\n"
                "  whypend fit \"-N1 -n1 -c8 --gpus=2\" --at 25 scenarios/first-look\n"
                "  whypend fit \"-p h100 -N2 --gres=gpu:4 -t 60\" --at 2026-01-20T12:00:00 scenarios/h100-a100-month",
};

/* Who submits when nobody is named: the first user that has an association, or the first that has submitted. */
static const char *some_user(const struct controller *c)
{
	const struct acct *acct = controller_cluster(c)->acct;

	for (guint i = 0; acct && i < acct->assocs->len; i++) {
		const struct assoc *a = acct->assocs->pdata[i];
		if (a->user && strcmp(a->user, "root") != 0)
			return a->user;
	}
	for (uint32_t i = 0; i < controller_n_jobs(c); i++)
		if (controller_job(c, i) && controller_job(c, i)->user)
			return controller_job(c, i)->user;
	return "root";
}

/* NULL and ERROR when WORDS are no options of sbatch. */
static struct job_request *request_of(const char *words, GError **error)
{
	struct job_request *r = job_request_new();
	char **list = sbatch_words_split(words);
	bool good = sbatch_words_apply(r, (const char *const *)list, true, NULL, error);

	g_strfreev(list);
	if (!good) {
		job_request_free(r);
		return NULL;
	}
	return r;
}

static void print_place(const struct cluster *cl, const struct job_alloc *a)
{
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		char *cpus = place_cpu_ids(cl, a, an), *gres = place_gres(cl, a, an);

		printf("  %s  CPU_IDs=%s Mem=%" G_GUINT64_FORMAT "%s%s\n", cl->node[an->node]->name, cpus,
		       (guint64)an->mem, *gres ? " GRES=" : "", gres);
		g_free(cpus);
		g_free(gres);
	}
}

static void print_nodes(const struct cluster *cl, const struct fit *f)
{
	size_t width = 4;

	for (guint i = 0; i < f->nodes->len; i++)
		width = MAX(width, strlen(cl->node[g_array_index(f->nodes, struct fit_node, i).node]->name));
	for (guint i = 0; i < f->nodes->len; i++) {
		const struct fit_node *n = &g_array_index(f->nodes, struct fit_node, i);
		printf("  %-*s  %-5s  %s\n", (int)width, cl->node[n->node]->name, n->rule ? n->rule : "-",
		       n->why ? n->why : "");
	}
}

static void print_ahead(const struct fit *f)
{
	if (f->ahead)
		printf("%u waiting job%s of higher priority in partition %s %s ahead of it.\n", f->ahead,
		       f->ahead == 1 ? "" : "s", f->part->name, f->ahead == 1 ? "is" : "are");
}

static void print_fit(const struct controller *c, const struct fit *f)
{
	const struct cluster *cl = controller_cluster(c);

	if (f->alloc) {
		printf("It fits now, in partition %s:\n", f->part->name);
		print_place(cl, f->alloc);
		print_ahead(f);
		return;
	}
	printf("It does not start now: %s\n", f->text ? f->text : reason_name(f->reason));
	print_ahead(f);
	if (!f->nodes->len)
		return;
	guint usable = 0;
	for (guint i = 0; i < f->nodes->len; i++)
		usable += !g_array_index(f->nodes, struct fit_node, i).rule;
	printf("Nodes of partition %s (%u could take a share of it):\n", f->part->name, usable);
	print_nodes(cl, f);
	if (usable && f->reason == REASON_RESOURCES)
		printf("Those that could do not give it what it asks for together (N41).\n");
}

/* The run has come to its moment. */
static int show(struct session *s, struct job_request *r, const char *user)
{
	struct controller *c = sim_controller(s->sim);
	GError *error = NULL;

	g_free(r->user);
	r->user = g_strdup(user ? user : some_user(c));
	struct job *j = sim_submit_now(s->sim, r, &error);
	if (!j) {
		printf("It is refused: %s\n", error->message);
		g_error_free(error);
		return tool_flush(USAGE.command);
	}
	struct fit *f = fit_job(c, j, sim_now(s->sim));
	print_fit(c, f);
	fit_free(f);
	return tool_flush(USAGE.command);
}

int cmd_fit(int argc, char **argv)
{
	char *user = NULL;
	const GOptionEntry own[] = {{"user", 'u', 0, G_OPTION_ARG_STRING, &user,
	                             "who submits (default: the first user with an association)", "NAME"},
	                            G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	int code = EXIT_USAGE;
	/* the options of the job look like options of this command: they are taken out before those are read */
	bool given = argc > 1 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0;
	const char *words = given ? argv[1] : NULL;

	if (given) {
		argv[1] = argv[0];
		argv++;
		argc--;
	}
	bool good = tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own);
	GError *error = NULL;
	struct job_request *r = good && words ? request_of(words, &error) : NULL;

	if (good && !words) {
		tool_complain(USAGE.command, "which job? Give its options first, as one word: \"-n1 --gpus=2\"");
	} else if (good && !r) {
		tool_complain(USAGE.command, "the job \"%s\": %s", words, error->message);
		g_error_free(error);
	} else if (good && tool_options_scenario(&options)) {
		code = session_run(&session, &options, SESSION_NO_RECORD, NULL);
		if (code == EXIT_GOOD)
			code = show(&session, g_steal_pointer(&r), user);
		session_close(&session);
	}
	if (r)
		job_request_free(r);
	tool_options_clear(&options);
	g_free(user);
	return code;
}
