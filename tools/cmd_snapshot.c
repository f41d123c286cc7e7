/* cmd_snapshot.c - whypend snapshot and snapshot-commands: a moment as a folder, of a run or of a site. */
#include "scenarios/snapshot.h"
#include "sched/params.h"
#include "tools/commands.h"
#include "tools/session.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend snapshot",
    .operands = "[SCENARIO]",
    .summary =
        "Simulate a scenario up to a moment and write that moment into a folder: the configuration, squeue --json,\n"
        "reservations, and what only the simulation knows. \"whypend forecast FOLDER\" goes on from there; the future "
        "is\n"
        "that of the run that was not interrupted.",
    .examples = "Examples:\n"
                "  whypend snapshot --at 60 -o moment scenarios/first-look\n"
                "  whypend forecast moment",
};

int cmd_snapshot(int argc, char **argv)
{
	char *dir = NULL;
	const GOptionEntry own[] = {
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &dir, "the folder to write (needed)", "FOLDER"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && tool_options_scenario(&options)) {
		if (!dir || !options.until) {
			tool_complain(USAGE.command, "%s",
			              dir ? "which moment? Give --at TIME" : "where to? Give -o FOLDER");
		} else if ((code = session_run(&session, &options, SESSION_NO_RECORD, NULL)) == EXIT_GOOD) {
			const struct sched_params *p = session.scenario->cluster->params;
			if (p->suspend_program && p->resume_program)
				tool_complain(USAGE.command, "warning: power saving is not part of a snapshot: all nodes are taken as powered up, and stay so");
			if (!snapshot_write(session.scenario, session.sim, &options.scenario, dir, &error)) {
				tool_complain(USAGE.command, "%s", error->message);
				g_error_free(error);
				code = EXIT_RUN;
			}
		}
		session_close(&session);
	}
	tool_options_clear(&options);
	g_free(dir);
	return code;
}

static const struct tool_usage COMMANDS_USAGE = {
    .command = "whypend snapshot-commands",
    .operands = "",
    .summary = "Print the commands that take a snapshot of a running site, for \"whypend forecast FOLDER\". To be run "
               "in an empty\n"
               "folder on a machine with Slurm's commands, as somebody who sees all jobs; or piped into sh there.",
    .examples = "Examples:\n  whypend snapshot-commands >take-snapshot.sh",
};

int cmd_snapshot_commands(int argc, char **argv)
{
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, -1, &COMMANDS_USAGE, NULL)) {
		fputs("# slurm.conf, gres.conf and topology.conf or topology.yaml, if they can be had; else what the "
		      "controller shows:\n"
		      "# cp /etc/slurm/slurm.conf /etc/slurm/gres.conf /etc/slurm/topology.* .\n"
		      "scontrol show config >scontrol-show-config.txt\n"
		      "scontrol show partition >scontrol-show-partition.txt\n"
		      "scontrol show node >scontrol-show-node.txt\n"
		      "scontrol show reservation >scontrol-show-res.txt\n"
		      "getent group >groups\n"
		      "squeue --json >squeue.json\n"
		      "# where squeue has no --json:\n"
		      "# squeue -h -a -t all -o '" SNAPSHOT_SQUEUE_FORMAT "' >squeue.txt\n"
		      "sacctmgr -P show assoc "
		      "format=Cluster,Account,User,Partition,ParentName,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,"
		      "GrpWall,GrpTRESMins,MaxJobs,MaxTRES,MaxTRESPerNode,MaxSubmit,MaxWall,MaxTRESMins,QOS,DefaultQOS,"
		      "GrpTRESRunMins "
		      ">sacctmgr-show-assoc.txt\n"
		      "sacctmgr -P show qos >sacctmgr-show-qos.txt\n"
		      "sacctmgr -P show user >sacctmgr-show-user.txt\n"
		      "sshare -a -l -m -P >sshare.txt\n"
		      "# how long jobs run, compared with their limits\n"
		      "sacct -a -X -D -P --noconvert -S now-28days -E now -o "
		      "JobID,JobIDRaw,User,Account,Partition,QOS,Submit,Eligible,"
		      "Start,End,ElapsedRaw,TimelimitRaw,Suspended,State,ExitCode,NNodes,NCPUS,ReqCPUS,ReqMem,ReqNodes,"
		      "ReqTRES,AllocTRES,"
		      "Constraints,Reservation,Licenses,NodeList,JobName >sacct.txt\n",
		      stdout);
		code = tool_flush(COMMANDS_USAGE.command);
	}
	tool_options_clear(&options);
	return code;
}
