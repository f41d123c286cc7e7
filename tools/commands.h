/* commands.h - the subcommands: each takes its own argument vector (argv[0] its name) and returns an exit code. */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H
int cmd_run(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_squeue(int argc, char **argv);
int cmd_scontrol(int argc, char **argv);
int cmd_sacctmgr(int argc, char **argv);
int cmd_seff(int argc, char **argv);
int cmd_shell(int argc, char **argv);
int cmd_sinfo(int argc, char **argv);
int cmd_sacct(int argc, char **argv);
int cmd_sprio(int argc, char **argv);
int cmd_sdiag(int argc, char **argv);
int cmd_passes(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_sshare(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_explain_priority(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_reasons(int argc, char **argv);
int cmd_limits(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_node(int argc, char **argv);
int cmd_topo(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);
int cmd_moments(int argc, char **argv);
int cmd_snapshot_commands(int argc, char **argv);
int cmd_forecast(int argc, char **argv);
int cmd_compare(int argc, char **argv);
#endif
