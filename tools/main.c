/* main.c - the whypend command: finds the subcommand and hands over. */
#include "models/suggest.h"
#include "sched/releases.h"
#include "tools/commands.h"
#include "tools/options.h"
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int cmd_version(int argc, char **argv);
static int cmd_help(int argc, char **argv);
static int cmd_links(int argc, char **argv);

static const struct subcommand {
	const char *name, *about;
	int (*run)(int argc, char **argv);
} SUBCOMMANDS[] = {
    {"run", "simulate a scenario, write run.db, print a summary", cmd_run},
    {"squeue", "the queue at a moment, as squeue prints it", cmd_squeue},
    {"sinfo", "partitions and nodes at a moment, as sinfo prints them", cmd_sinfo},
    {"scontrol", "records of jobs, nodes, partitions at a moment, as scontrol show prints them", cmd_scontrol},
    {"sacct", "the jobs up to a moment, as sacct prints them", cmd_sacct},
    {"sacctmgr", "associations, QOS, users, accounts, as sacctmgr show prints them", cmd_sacctmgr},
    {"seff", "the efficiency of a job, as seff prints it", cmd_seff},
    {"sprio", "the priorities of waiting jobs at a moment, as sprio prints them", cmd_sprio},
    {"sshare", "shares and usage at a moment, as sshare prints them", cmd_sshare},
    {"sdiag", "the controller's statistics at a moment, as sdiag prints them", cmd_sdiag},
    {"passes", "each pass: who was tested, planned, started and skipped, and by which rule", cmd_passes},
    {"check", "do scenarios keep what they promise? a gate for CI", cmd_check},
    {"calibrate", "what a site's controller costs, from its sdiag", cmd_calibrate},
    {"explain", "why a job waited, who was in the way, and what would have helped", cmd_explain},
    {"explain-priority", "why a job has its priority, and where a fair-share stands", cmd_explain_priority},
    {"limits", "the limits that touch a user, with value, use and room", cmd_limits},
    {"lint", "what is legal in a site's files but surprises people", cmd_lint},
    {"fit", "would a job start at a moment, where, or which node lacks what", cmd_fit},
    {"node", "a node at a moment, drawn: sockets, cores, GPUs, who holds what", cmd_node},
    {"topo", "a hardware model as nvidia-smi topo -m prints it", cmd_topo},
    {"reasons", "what the reasons mean and who can do what about them", cmd_reasons},
    {"config", "the effective configuration, each value with where it comes from", cmd_config},
    {"compare", "two configurations or runs side by side: who waits less, who more, and why", cmd_compare},
    {"forecast", "when the waiting jobs of a snapshot start, and what if", cmd_forecast},
    {"snapshot", "a moment of a run as a folder to go on from", cmd_snapshot},
    {"moments", "moments of a run, from which looks at later ones begin", cmd_moments},
    {"snapshot-commands", "the commands that take a snapshot of a site", cmd_snapshot_commands},
    {"shell", "stop a scenario anywhere, look, type commands, go on, undo", cmd_shell},
    {"links", "make links named squeue, sinfo, ... for scripts written for Slurm", cmd_links},
    {"dump", "a run.db as text", cmd_dump},
    {"version", "the version of whypend; --differences: where the releases of Slurm decide differently", cmd_version},
    {"help", "this text, or a subcommand's help", cmd_help},
};

static const struct subcommand *find_subcommand(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(SUBCOMMANDS); i++)
		if (strcmp(SUBCOMMANDS[i].name, name) == 0)
			return &SUBCOMMANDS[i];
	return NULL;
}

static void print_help(FILE *out)
{
	fputs(
	    "Usage: whypend SUBCOMMAND [OPTION...] [SCENARIO]\n\n"
	    "A faithful simulator of Slurm's scheduler: when every job starts, where, and why it waits until then.\n\n"
	    "Subcommands:\n",
	    out);
	for (size_t i = 0; i < G_N_ELEMENTS(SUBCOMMANDS); i++)
		fprintf(out, "  %-17s %s\n", SUBCOMMANDS[i].name, SUBCOMMANDS[i].about);
	fputs("\nwhypend SUBCOMMAND --help tells its options.\n\n"
	      "Examples:\n"
	      "  whypend run scenarios/first-look -o run.db\n"
	      "  whypend squeue --at 25 scenarios/first-look\n\n"
	      "Exit codes: 0 good; 1 the run failed; 2 bad usage or bad input; 130, 143 interrupted.\n",
	      out);
}

static int unknown_subcommand(const char *name)
{
	struct suggestion s;
	char *hint;

	suggest_begin(&s, name);
	for (size_t i = 0; i < G_N_ELEMENTS(SUBCOMMANDS); i++)
		suggest_offer(&s, SUBCOMMANDS[i].name);
	hint = suggest_hint(&s, "\"whypend help\" lists them");
	tool_complain("whypend", "unknown subcommand \"%s\"; %s", name, hint);
	g_free(hint);
	return EXIT_USAGE;
}

/* Of the releases that --slurm-version knows. */
static void print_differences(void)
{
	printf("%-20s %-62s %s\n", "rule", "22.05", "26.05");
	for (int i = 0; i < N_RELEASE_RULES; i++) {
		const struct release_row *row = release_row((enum release_rule)i);

		printf("%-20s %-62s %s\n", row->rule, row->before, row->now);
	}
}

/* Commands that answer under their own names. */
static const char *const SLURM_NAMES[] = {"squeue", "sinfo",    "sacct", "sprio",
                                          "sshare", "scontrol", "seff",  "sacctmgr", "sdiag"};

static bool is_slurm_name(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(SLURM_NAMES); i++)
		if (strcmp(SLURM_NAMES[i], name) == 0)
			return true;
	return false;
}

static const struct tool_usage LINKS = {
    .command = "whypend links",
    .operands = "DIR",
    .summary =
        "Make links squeue, sinfo, sacct, sprio, sshare, scontrol, seff, sacctmgr and sdiag in DIR. Under these names the\n"
        "commands answer for the scenario in WHYPEND_SCENARIO at the moment in WHYPEND_AT (default: its end).",
    .examples = "Example:\n"
                "  whypend links bin\n"
                "  PATH=$PWD/bin:$PATH WHYPEND_SCENARIO=scenarios/first-look WHYPEND_AT=60 squeue -t PD",
};

/* A link of ours is replaced, a file of somebody else's is not. */
static bool make_link(const char *self, const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	bool ours = g_file_test(path, G_FILE_TEST_IS_SYMLINK);
	bool ok = (ours ? unlink(path) == 0 : true) && symlink(self, path) == 0;

	if (!ok)
		tool_complain(LINKS.command, "%s: %s", path, g_strerror(errno));
	g_free(path);
	return ok;
}

static int cmd_links(int argc, char **argv)
{
	struct tool_options options;
	char *self = g_file_read_link("/proc/self/exe", NULL);
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, -1, &LINKS, NULL)) {
		if (!options.rest || !options.rest[0] || options.rest[1]) {
			tool_complain(LINKS.command, "name one folder; see \"whypend links --help\"");
		} else if (!self) {
			tool_complain(LINKS.command, "cannot find the program itself");
		} else {
			bool ok = true;
			for (size_t i = 0; i < G_N_ELEMENTS(SLURM_NAMES) && ok; i++)
				ok = make_link(self, options.rest[0], SLURM_NAMES[i]);
			if (ok)
				printf("%s: %zu links\n", options.rest[0], G_N_ELEMENTS(SLURM_NAMES));
			code = ok ? tool_flush(LINKS.command) : EXIT_USAGE;
		}
	}
	tool_options_clear(&options);
	g_free(self);
	return code;
}

static int cmd_version(int argc, char **argv)
{
	bool differences = argc == 2 && strcmp(argv[1], "--differences") == 0;

	if (argc > 1 && !differences) {
		tool_complain("whypend version", "unexpected argument \"%s\"; --differences is known", argv[1]);
		return EXIT_USAGE;
	}
	if (differences)
		print_differences();
	else
		puts("whypend " WHYPEND_VERSION);
	return tool_flush("whypend version");
}

static int cmd_help(int argc, char **argv)
{
	const struct subcommand *s = argc > 1 ? find_subcommand(argv[1]) : NULL;
	char option[] = "--help";
	char *args[] = {argc > 1 ? argv[1] : NULL, option, NULL};

	if (argc > 1 && !s)
		return unknown_subcommand(argv[1]);
	if (s && s->run != cmd_help && s->run != cmd_version)
		return s->run(2, args);
	print_help(stdout);
	return tool_flush("whypend help");
}

/* Under its own name sacct shows what Slurm shows by default: scripts expect it. */
static int run_as_slurm(const struct subcommand *s, int argc, char **argv)
{
	char as_slurm[] = "--as-slurm", **more = g_new0(char *, (gsize)argc + 2);
	int n = 0, code;

	more[n++] = argv[0];
	if (strcmp(s->name, "sacct") == 0)
		more[n++] = as_slurm;
	for (int i = 1; i < argc; i++)
		more[n++] = argv[i];
	code = s->run(n, more);
	g_free(more);
	return code == EXIT_USAGE ? 1 : code; /* what Slurm's commands answer to what they refuse */
}

int main(int argc, char **argv)
{
	const struct subcommand *s;

	setlocale(LC_CTYPE, "");
	char *name = argc > 0 ? g_path_get_basename(argv[0]) : g_strdup("");
	s = is_slurm_name(name) ? find_subcommand(name) : NULL;
	g_free(name);
	if (s)
		return run_as_slurm(s, argc, argv);
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return cmd_help(1, argv);
	if (strcmp(argv[1], "--version") == 0)
		return cmd_version(1, argv);
	s = find_subcommand(argv[1]);
	if (!s)
		return unknown_subcommand(argv[1]);
	if (argc == 3 && strcmp(argv[2], "--help") == 0 && (s->run == cmd_help || s->run == cmd_version))
		return cmd_help(1, argv);
	return s->run(argc - 1, argv + 1);
}
