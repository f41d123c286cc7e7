#!/bin/sh
# cli_test.sh - the whypend command from outside: help, usage errors, bad input, and its tables compared with golden text.
#
#   WHYPEND=build/whypend tests/cli_test.sh              run (from anywhere); exit status 1 if a test failed
#   UPDATE_GOLDEN=1 WHYPEND=... tests/cli_test.sh        write tests/golden/ anew, to be read before it is committed
. "$(dirname "$0")/cli_helper.sh"

cat >"$tmp/slurm.conf" <<'END'
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-2] CPUs=8 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
END
good='{"schema": "whypend-scenario/1", "conf": "slurm.conf",
 "jobs": [{"name": "a", "user": "ann", "time": 5, "run": 60}, {"name": "b", "user": "bob", "nodes": 2, "exclusive": true, "time": 5, "run": 60}]}'
echo "$good" >"$tmp/good.json"

# help and usage
expect 0 "help" --help
says out "Subcommands:"
expect 0 "help as a subcommand" help
[ "$(grep -c '^\.Bl' "$root/tools/whypend.1")" -eq "$(grep -c '^\.El' "$root/tools/whypend.1")" ]
result $? "each list of the manual page ends"
for c in run check squeue sinfo sacct lint dump fit node topo sdiag passes calibrate; do
	expect 0 "help of $c" "$c" --help
	says out "whypend $c"
	says out "Example"
	expect 2 "$c: unknown option" "$c" --no-such-option
	says err "--no-such-option"
done
expect 0 "help run is run --help" help run
says out "--raise-limits"
expect 0 "version" version
expect 0 "version as an option" --version
expect 0 "differences of the releases" version --differences
says out "the end of a plan is rounded down"
expect 2 "no subcommand"
expect 2 "unknown subcommand" squeu
says err "did you mean squeue?"
expect 2 "nothing to run" run -o run.db
says err "give a SCENARIO"
expect 2 "two scenarios" run good.json good.json
expect 2 "bad seed" run --seed x good.json
says err "--seed"
expect 2 "bad moment" squeue --at noon good.json
expect 2 "bad state" squeue -t BAD good.json
says err "Invalid job state specified: BAD"
expect 2 "Bad job/step specified: x" sacct -j x good.json
expect 2 "bad sacct field" sacct -o NoSuchField good.json
expect 2 "topology" run --topology t.conf good.json
says err "t.conf: cannot open"
expect 2 "dump of no database" dump slurm.conf
says err "no run.db"

# bad input: exit 2, the place in the file, no output file
echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf",
  "untill": 5}' >"$tmp/key.json"
expect 2 "unknown key" run -o run.db key.json
says err "key.json:2:3: unknown key \"untill\"; did you mean until?"
no_output
echo '{"schema": "whypend-scenario/1",
  "conf": "slurm.conf" "jobs": []}' >"$tmp/syntax.json"
expect 2 "JSON syntax" run -o run.db syntax.json
says err "syntax.json:2:24: "
no_output
echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "jobs": [
  {"name": "a", "user": "ann", "run": 1, "nodez": 2}]}' >"$tmp/job.json"
expect 2 "bad job" run -o run.db job.json
says err "job.json:2:42: "
no_output
echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "events": [
  {"at": 1, "cmd": "frobnicate"}]}' >"$tmp/event.json"
expect 2 "bad command" run -o run.db event.json
says err "event.json:2:13: "
no_output
sed 's/CPUs=8/CPUs=eight/' "$tmp/slurm.conf" >"$tmp/bad.conf"
expect 2 "bad slurm.conf" run -o run.db --conf bad.conf good.json
says err "bad.conf:3:"
no_output
printf '; Version: 2.2\nthis is no SWF line\n' >"$tmp/bad.swf"
expect 2 "bad SWF" run -o run.db --conf slurm.conf --trace bad.swf --format swf --strict
says err "bad.swf"
no_output
expect 2 "missing trace" run -o run.db --conf slurm.conf --trace missing.swf
says err "missing.swf"
no_output
expect 2 "output over an input" run -o good.json good.json
says err "input of the run"
echo "$good" | cmp -s - "$tmp/good.json"
result $? "... and the input is unharmed"
expect 1 "output that cannot be written" run -o no/such/dir/run.db good.json

# a good run
expect 0 "run" run -o run.db good.json
[ -s "$tmp/run.db" ] && [ ! -e "$tmp/run.db.partial" ]
result $? "... writes run.db, and nothing beside it"
expect 0 "dump" dump run.db
says out "# table meta"
cp "$tmp/out" "$tmp/first"
expect 0 "run --naive" run --naive --quiet -o run.db good.json
expect 0 "dump of it" dump run.db
cmp -s "$tmp/first" "$tmp/out"
result $? "... is the same"
expect 0 "run --json" run --json good.json
says out '"jobs"'
expect 0 "sacct -j" sacct -n -P -o JobID,State -j 2 good.json
[ "$(cat "$tmp/out")" = "2|COMPLETED" ]
result $? "... prints that job"

# lint
cat >"$tmp/lint.conf" <<'END'
ClusterName=t
SlurmctldHost=c
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
EnforcePartLimits=ALL
DefMemPerCPU=1000
NodeName=n[1-4] CPUs=8 RealMemory=16000
PartitionName=p Nodes=ALL Default=YES MaxTime=2-0 DefaultTime=30
END
printf 'add account a\nadd user ann account=a\nmodify account a set GrpTRES=gres/gpu=4\n' >"$tmp/lint.acct"
expect 0 "lint" lint --conf lint.conf
says out "lint.conf:9: warning: bf_window is 1-00:00:00, but partition p allows jobs of 2-00:00:00 [bf-window-short]"
says out "    set:  SchedulerParameters=bf_window=2880 (minutes)"
says out "    rule: B8, B22, B30a"
says out "0 errors, 1 warning, 1 note; "
expect 0 "lint --set" lint --conf lint.conf --set SchedulerParameters.bf_window=2880 --set PriorityWeightJobSize=1000
says out "0 errors, 0 warnings, 0 notes; "
expect 1 "lint --fail-on warning" lint --conf lint.conf --fail-on warning
expect 0 "lint --fail-on error" lint --conf lint.conf --fail-on error
expect 0 "lint --level error" lint --conf lint.conf --level error
says out "0 errors, 0 warnings, 0 notes"
expect 0 "lint --check" lint --conf lint.conf --check prio-no-weights,bf-off
says out "0 errors, 0 warnings, 1 note; "
expect 1 "lint: a limit on what is not counted" lint --conf lint.conf --accounting lint.acct --fail-on error
says out "lint.acct:3: error: limits name gres/gpu, but AccountingStorageTRES does not [limit-tres-untracked]"
says out "set:  AccountingStorageTRES=gres/gpu"
expect 0 "lint --json" lint --json --conf lint.conf
says out '"id":	"bf-window-short"'
says out '"line":	9'
says out '"warnings":	1'
expect 0 "lint --list" lint --list
says out "bf-window-short            warning  bf_window shorter than the longest MaxTime (B8, B22, B30a)"
[ "$(wc -l <"$tmp/out")" -ge 40 ]
result $? "... of 40 checks and more"
expect 0 "lint --list --json" lint --list --json
says out '"id":	"upgrade-decides"'
printf 'CacheGroups=1\nAccountingStoreJobComment=YES\nSchedulerParameters=max_job_bf=9\n' | cat - "$tmp/lint.conf" >"$tmp/old.conf"
expect 2 "lint: what today's Slurm refuses" lint --conf old.conf
says err "old.conf:2:1: AccountingStoreJobComment has been removed from Slurm"
expect 1 "lint --upgrade-to" lint --conf old.conf --upgrade-to 26.05 --fail-on error
says out "old.conf:1: error: CacheGroups is unknown to 26.05: the daemons do not start [upgrade-refused]"
says out "old.conf:2: error: AccountingStoreJobComment is unknown to 26.05: the daemons do not start [upgrade-refused]"
says out "old.conf:3: error: SchedulerParameters=max_job_bf is refused since a release after 22.05 [upgrade-refused]"
says out "old.conf: warning: the default of SelectType changes from select/linear to select/cons_tres in 23.02 [upgrade-defaults]"
sed 's/CR_Core_Memory/CR_Core_Memory,OTHER_CONS_RES/' "$tmp/lint.conf" >"$tmp/older.conf"
expect 2 "lint: a value that today's Slurm refuses" lint --conf older.conf
says err "older.conf:3:22: unknown value OTHER_CONS_RES of SelectTypeParameters"
expect 0 "lint --upgrade-to: reads it" lint --conf older.conf --upgrade-to 26.05
says out "older.conf:3: error: SelectTypeParameters=OTHER_CONS_RES is refused since a release after 22.05 [upgrade-refused]"
expect 0 "lint --upgrade-from" lint --conf lint.conf --upgrade-from 24.05 --upgrade-to 25.05 --check upgrade-defaults
says out "0 errors, 0 warnings, 0 notes"
{
	echo '{"schema": "whypend-scenario/1", "conf": "lint.conf", "set": {"SchedulerParameters.bf_max_job_test": "10"}, "jobs": ['
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
		echo '{"user": "root", "nodes": 4, "exclusive": true, "time": 10, "run": 300},'
	done
	echo '{"user": "root", "time": 5, "run": 60}]}'
} >"$tmp/deep.json"
expect 0 "lint of jobs without starts" lint --check bf-depth-short deep.json
says out "0 errors, 0 warnings, 0 notes; "
expect 0 "lint --run" lint --run --check bf-depth-short deep.json
says out "warning: bf_max_job_test=10 is below the depth of the queue [bf-depth-short]"
says out "in the run more than 10 submissions waited"
bad=0
for conf in "$root"/tests/conformance/scenarios/*/slurm.conf; do
	acct=$(dirname "$conf")/assoc.sacctmgr
	[ -e "$acct" ] || acct=/dev/null
	[ "$acct" = /dev/null ] && set -- lint --conf "$conf" || set -- lint --conf "$conf" --accounting "$acct"
	"$WHYPEND" "$@" --fail-on error >"$tmp/out" 2>"$tmp/err" || bad=$((bad + 1))
done
[ "$bad" -eq 0 ]
result $? "lint of all recorded sites finds no error: they ran"
expect 0 "lint of the month finds no warning" lint --level warning "$root/scenarios/h100-a100-month"
says out "0 errors, 0 warnings, 0 notes; "
expect 2 "lint: bad level" lint --conf lint.conf --fail-on fatal
says err '--fail-on: bad value "fatal"; write error, warning or note'
expect 2 "lint: unknown check" lint --conf lint.conf --check no-such
says err '--check: unknown check "no-such"; --list names them'
expect 2 "lint: bad release" lint --conf lint.conf --upgrade-to new
says err '--upgrade-to: bad value "new"'
expect 2 "lint: an older release" lint --conf lint.conf --upgrade-to 21.08
says err "--upgrade-to 21.08 is not newer than 22.05"
expect 2 "lint: --upgrade-from alone" lint --conf lint.conf --upgrade-from 23.02
expect 2 "lint of nothing" lint
says err "give a SCENARIO"
expect 2 "lint has no --until" lint --conf lint.conf --until 5
expect 0 "run --placement-model" run --quiet --placement-model comm "$root/tests/conformance/scenarios/hetero"
says out "Runs made longer by placement"
expect 2 "bad placement model" run --placement-model fast good.json
says err "cnn, dense, comm or none"
expect 0 "run --audit" run --audit --quiet good.json
# failures, livelocks
printf 'time,node,state,reason\n20,n[1-2],down,Xid 79\n30,n[1-2],resume,\n' >"$tmp/f.csv"
expect 0 "run --faults" run --faults f.csv -o f.db good.json
says out "node failure"
printf 'time,node,state,reason\n20,n9,down,x\nsoon,n1,down,x\n5,n1,gone,x\n5,n1\n' >"$tmp/badf.csv"
expect 2 "bad list of failures" run --faults badf.csv good.json
says err "badf.csv:3"
says err "badf.csv:4"
says err "badf.csv:5"
echo '{"default_node_rate_per_1000_node_days": 0}' >"$tmp/badm.json"
expect 2 "bad model of failures" run --faults badm.json good.json
says err "default_node_rate"
echo '{"default_node_rate_per_1000_node_days": 9e6, "repair_classes": [{"share": 1, "p50_h": 0.001, "p90_h": 0.001}]}' >"$tmp/m.json"
echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "jobs": [{"name": "a", "user": "ann", "time": 50, "run": 2000}]}' >"$tmp/endless.json"
expect 1 "jobs that never end" run --faults m.json -o no.db endless.json
says err "without end"
# priorities, fair-share and limits
factors=$root/tests/conformance/scenarios/priority-factors
shares=$root/tests/conformance/scenarios/fairtree
golden sprio sprio --at 45 "$factors"
golden sprio-l sprio --at 45 -l -j 2,13 "$factors"
golden sprio-n sprio --at 45 -n -u alice "$factors"
golden sprio-w sprio --at 45 -w -l "$factors"
golden sprio-o sprio --at 45 -p hot -o '%.8i %9r %.10Y %.10P %f' "$factors"
expect 0 "sprio -S" sprio --at 45 -h -S r,-Y -o '%r %Y %i' "$factors"
sort -s -k1,1 -k2,2nr -k3,3n "$tmp/out" | diff - "$tmp/out" >"$tmp/err"
result $? "... by partition, then by priority, then by id"
expect 0 "sprio: unknown letter" sprio --at 45 -j 2 -o '%i %C|%u|' "$factors"
[ "$(cat "$tmp/out")" = "JOBID USER|
2 alice|" ]
result $? "... leaves nothing"
says err "sprio: error: Invalid job format specification: C"
expect 2 "sprio: bad key" sprio -S r,k "$factors"
says err 'bad key "k"'
expect 2 "sprio -j with a bad id" sprio --at 45 -j 2-x "$factors"
says err 'bad job id in "2-x"'
golden sshare sshare --at 55 "$shares"
golden sshare-al sshare --at 55 -a -l -P "$shares"
golden sshare-A sshare --at 55 -A bio -u dave "$shares"
golden sshare-o sshare --at 55 -a -o Account,User,GrpTRESRaw,LevelFS%12 "$shares"
golden explain-job explain-priority 4 --at 45 "$factors"
golden explain-user explain-priority -u alice --at 55 "$shares"
golden explain-account explain-priority -A bio --at 55 "$shares"
golden limits-bob limits --user bob --at 10 "$root/tests/conformance/scenarios/qos-minutes"
expect 0 "run with usage" run --quiet -o usage.db "$shares"
expect 0 "dump of usage" dump usage.db
says out "# table assoc_usage"

# a warm start, and a reset
printf 'add account x\nadd user ann account=x rawusage=300\nadd user bob account=x rawusage=100\n' >"$tmp/warm"
sed "s/^PriorityWeightFairshare.*/PriorityWeightFairshare=1000/" "$factors/slurm.conf" >"$tmp/warm.conf"
echo '{"schema": "whypend-scenario/1", "conf": "warm.conf", "accounting": "warm", "jobs": [], "until": 7200,
 "events": [{"at": 3600, "cmd": "sacctmgr modify account x set rawusage=0"}]}' >"$tmp/warm.json"
expect 0 "sshare of a warm start" sshare --at 1 -a -P -o Account,User,RawUsage,FairShare warm.json
says out " x||400|"
says out "  x|bob|100|0.666667"
expect 0 "... after a reset" sshare --at 7200 -a -P -o Account,User,RawUsage warm.json
says out "  x|ann|0"

# accounts that change during a run, and what waits for what
cat >"$tmp/acct.conf" <<'END'
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PriorityWeightQOS=1000
NodeName=n[1-2] CPUs=8 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
END
printf 'add qos long GrpTRES=cpu=4 priority=10\nadd account lab\nadd user ann account=lab qos=normal,long\n' >"$tmp/acct"
acct() { # EVENT
	echo '{"schema": "whypend-scenario/1", "conf": "acct.conf", "accounting": "acct", "events": ['"$1"'], "jobs": [
 {"name": "a", "user": "ann", "qos": "long", "ntasks": 4, "time": 50, "run": 1500},
 {"name": "b", "user": "ann", "qos": "long", "ntasks": 4, "time": 50, "run": 600},
 {"name": "c", "at": 60, "user": "ann", "qos": "long,normal", "ntasks": 4, "time": 50, "run": 600, "site_factor": 7}]}' >"$tmp/acct.json"
}
acct '{"at": 300, "cmd": "sacctmgr -i modify qos long set GrpTRES=cpu=8"}'
expect 0 "a held job" squeue --at 200 -h acct.json
says out "(QOSGrpCpuLimit)"
expect 0 "... after the limit is raised" squeue --at 400 -h -t PD acct.json
[ ! -s "$tmp/out" ]
result $? "... waits no more"
expect 0 "a job with two QOS" sacct -n -P -o JobName,QOS,Priority acct.json
says out "c|normal|1007"
acct '{"at": 300, "cmd": "sacctmgr modify qos long set GrpTRS=cpu=8"}'
expect 2 "a bad limit in an event" run acct.json
says err "event at 300"
says err "did you mean GrpTRES?"
acct '{"at": 300, "cmd": "sacctmgr delete user ann"}'
expect 0 "a user with jobs" run --quiet -o run.db acct.json
expect 0 "... is not deleted" dump run.db
says out "Job(s) active, cancel job(s) before remove"
acct '{"at": 10, "cmd": "scontrol top @b"}, {"at": 10, "cmd": "scontrol update job=@b timelimit=abc"}'
expect 0 "a refused update" run --quiet -o run.db acct.json
expect 0 "... is told in the record" dump run.db
says out "scontrol: error: Invalid TimeLimit value"

# tables
cp -R "$root/scenarios/first-look" "$tmp/first-look"
golden squeue-60 squeue --at 60 first-look
golden squeue-pending squeue --at 60 -h -t PD -u alice,bob first-look
golden squeue-all squeue --at 2026-01-05T09:02:30 -t all first-look
golden sinfo-60 sinfo --at 60 first-look
golden sinfo-nodes sinfo --at 60 -N -p debug,gpu first-look
golden sacct-7200 sacct --at 2:00:00 first-look
golden sacct-end sacct -P -o JobID,JobName,State,ExitCode,Start,End,NodeList first-look

# fit, node, topo
expect 0 "fit: it fits" fit "-n1 -c4" --at 1 good.json
says out "It fits now, in partition"
says out "CPU_IDs="
expect 0 "fit: it does not" fit "-N1 --gpus=2 -c8" --at 25 first-look
says out "It does not start now: Resources"
says out "gpu1  N63    0 of 2 gpu free, 1 wanted"
expect 0 "fit: refused" fit "-n1 --mem=10000G" --at 25 first-look
says out "It is refused: Requested node configuration is not available"
cat >"$tmp/shared.conf" <<'END'
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=8 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP OverSubscribe=YES:2
END
echo '{"schema": "whypend-scenario/1", "conf": "shared.conf",
 "jobs": [{"name": "a", "user": "ann", "ntasks": 8, "oversubscribe": true, "time": 5, "run": 60},
          {"name": "b", "user": "bob", "ntasks": 8, "oversubscribe": true, "time": 5, "run": 60},
          {"name": "c", "user": "eve", "ntasks": 1, "time": 5, "run": 60}]}' >"$tmp/shared.json"
expect 0 "two jobs on a core, a third one not beside them" squeue -h -o "%j %t %r" --at 5 shared.json
says out "a R None"
says out "b R None"
says out "c PD Resources"
expect 0 "fit: beside jobs that share" fit "-n1" --at 5 shared.json
says out "N31    job 1 there shares its cores, the job does not"
expect 0 "run under --audit with shared cores" run --quiet --audit shared.json

expect 2 "fit without a job" fit
says err "Give its options first"
expect 2 "fit: bad options" fit "-n1 --bogus" good.json
says err 'unknown option "--bogus"'
golden node-25 node gpu1 --at 25 first-look
expect 2 "unknown node" node gpu9 --at 25 first-look
says err 'no node "gpu9"'
expect 2 "no node" node
says err "which node?"
expect 2 "a model of another size" node gpu1 --model dgx_h100 first-look
says err "model dgx_h100 has 112 cores and 8 GPUs"
golden topo-hgx-a100-4 topo hgx_a100_4gpu_epyc128
expect 0 "topo lists" topo
says out "dgx_h100"
expect 0 "topo --conf" topo --conf dgx_h100
says out "Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-55"
expect 0 "MIG instances at their placements" topo --mig 1g.10gb:4,3g.40gb:3 dgx_h100
says out "GPU1   0-3 3g.40gb 4 1g.10gb 5 1g.10gb 6 1g.10gb"
says out "Gres=gpu:1g.10gb:4,gpu:3g.40gb:3"
expect 2 "MIG instances that do not fit" topo --mig 4g.40gb:9 dgx_h100
says err "does not fit on 8 GPUs H100-80GB"
expect 2 "unknown MIG profile" topo --mig 3g.40g dgx_h100
says err "did you mean 3g.40gb?"
expect 2 "no MIG" topo --mig 3g.40gb cpu_xeon_2x48
expect 2 "unknown model" topo dgx_h10
says err "did you mean dgx_h100?"
golden squeue-start squeue --start --at 60 first-look
golden sdiag-60 sdiag --at 60 first-look
golden sdiag-22 sdiag --at 60 --slurm-version 22.05 --controller-cost small first-look
# a task cancelled before it had a record counts, a suspended job is not running
cat >"$tmp/counts.json" <<'EOF'
{"schema": "whypend-scenario/1", "conf": "cluster.conf", "controller_start": 0, "until": 200,
 "jobs": [{"name": "arr", "user": "u1", "at": 1, "array": "1-4%1", "ntasks": 1, "time": 2, "run": 50},
          {"name": "x", "user": "u1", "at": 2, "ntasks": 1, "time": 2, "run": 150}],
 "events": [{"at": 10, "cmd": "scancel 1_4"}, {"at": 20, "cmd": "scontrol suspend 2"}]}
EOF
cat >"$tmp/cluster.conf" <<'EOF'
ClusterName=c
SlurmctldHost=h
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=ALL Default=YES
EOF
expect 0 "sdiag counts" sdiag --at 95 --quiet counts.json
says out "Jobs canceled:  1"
says out "Jobs pending:   1"
says out "Jobs running:   1"
golden passes-60 passes --from 40 --to 60 first-look

# the controller's own pace
expect 0 "passes: a job, a kind" passes -j wide -k backfill --to 60 first-look
says out "plan 2026-01-05T11:00:00 to 15:00:00 on gpu[1-4]"
expect 0 "passes: caps" passes --summary --set SchedulerParameters.bf_max_job_test=1 --set SchedulerParameters.bf_node_space_size=100 first-look
says out "backfill: bf_max_job_test"
expect 2 "passes: bad kind" passes -k both first-look
says err "--kind: bad value \"both\"; write main or backfill"
expect 2 "passes: bad time" passes --from noon first-look
says err "--from: bad value \"noon\""
expect 2 "passes: nothing between" passes --from 40 --to 10 first-look
says err "--to 10 is before --from 40"
expect 0 "a slow controller" run --quiet --controller-cost bf_job=4e6,main_job=1e6 --set SchedulerParameters.bf_max_time=5 -o slow.db first-look
says out "Passes cut short"
says out "backfill: bf_max_time"
expect 0 "dump of it" dump slow.db
says out '"controller_cost"	"pass=0,main_job=1000000,bf_job=4000000,node=0,start=0"'
expect 2 "a bad cost" run --controller-cost fast first-look
says err "--controller-cost: bad value \"fast\"; write instant, small, large, KEY=VALUE,... or a file"
expect 2 "a cost that nobody knows" run --controller-cost pass=1,jobs=2 first-look
says err "unknown cost \"jobs\"; known: pass, main_job, bf_job, node, start"
expect 2 "a cost with the ideal clock" run --clock ideal --controller-cost small first-look
says err "only the slurm clock"
sed 's/"schema"/"controller_cost": "site.cost", "schema"/' "$tmp/good.json" >"$tmp/slow.json"
echo 'bf_job=1000 # microseconds' >"$tmp/site.cost"
expect 0 "a cost in the scenario" run --quiet -o slow.db slow.json
expect 0 "dump of it" dump slow.db
says out '"controller_cost"	"site.cost"'
echo 'bf_job=x' >"$tmp/site.cost"
expect 2 "a bad cost in the scenario" run slow.json
says err "site.cost:1: bad value \"x\" for bf_job; write microseconds"
(cd "$tmp" && "$WHYPEND" sdiag --at 60 --controller-cost large first-look >sdiag.txt)
expect 0 "calibrate" calibrate sdiag.txt
says out "bf_job="
cp "$tmp/out" "$tmp/text.cost"
(cd "$tmp" && "$WHYPEND" sdiag --json --at 60 --controller-cost large first-look >sdiag.json)
expect 0 "calibrate: --json" calibrate sdiag.json
cmp -s "$tmp/out" "$tmp/text.cost"
result $? "calibrate: sdiag and sdiag --json tell the same"
expect 2 "calibrate: no sdiag" calibrate good.json
says err "give the whole output of sdiag"
expect 2 "calibrate: nothing" calibrate
says err "give one file"

# case 27: planned starts, and none beyond bf_max_job_test
mkdir "$tmp/case27"
printf '%s\n' ClusterName=c SelectType=select/cons_tres SelectTypeParameters=CR_Core PriorityType=priority/basic \
	SchedulerParameters=bf_interval=2,bf_resolution=1,bf_window=1440,sched_interval=60,default_queue_depth=3,bf_max_job_test=6 \
	'NodeName=w[1-2] CPUs=1' 'PartitionName=od Nodes=w[1-2] Default=YES MaxTime=UNLIMITED' >"$tmp/case27/slurm.conf"
{
	echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "jobs": ['
	for j in r1 r2; do echo "{\"name\": \"$j\", \"user\": \"ann\", \"ntasks\": 1, \"time\": 60, \"run\": 60},"; done
	for j in 1 2 3 4 5 6 7 8 9 10; do
		echo "{\"name\": \"j$j\", \"at\": 1, \"user\": \"ann\", \"ntasks\": 1, \"time\": 60, \"run\": 15}"
		[ $j -eq 10 ] || echo ,
	done
	echo ']}'
} >"$tmp/case27/scenario.json"
for v in 22.05 26.05; do
	expect 0 "case 27 on $v" squeue --start -h --at 30 --slurm-version $v case27
	awk '{ print $3, $6, $8, $9 }' "$tmp/out" >"$tmp/starts"
	{
		i=1
		for h in 1 1 2 2 3 3; do
			echo "j$i 2026-01-05T0$h:00:00 w$(((i - 1) % 2 + 1)) ($([ $i -eq 1 ] && echo Resources || echo Priority))"
			i=$((i + 1))
		done
		for i in 7 8 9 10; do echo "j$i N/A (null) (Priority)"; done
	} >"$tmp/want"
	diff -u "$tmp/want" "$tmp/starts" >"$tmp/out" 2>&1
	result $? "... six planned starts, four without"
done

# explain
golden explain-wide explain wide first-look
golden explain-task explain 2_3 --all --no-ideas first-look
golden explain-ticket explain eval --ticket first-look
expect 0 "explain --json" explain 6 --json first-look
says out '"would_have_helped"'
expect 0 "explain from a record" run first-look -o fl.db --quiet
expect 0 "... tells the story" explain 6 fl.db
says out "job 1 of alice ended"
expect 2 "explain: what-if of a record" explain 6 fl.db --what-if nodes=1
says err "needs the scenario"
expect 2 "explain: no such job" explain 99 first-look
says err "no job 99"
expect 2 "explain: bad change" explain 6 --what-if colour=red first-look
says err "colour"
expect 2 "explain without a job" explain
says err "name a job"
expect 2 "explain: bad run" explain 6 --run x first-look
says err "bad value"
# what stands in the way is named, whatever the reason, and by whom a job is held
mkdir -p "$tmp/obstacles"
cat >"$tmp/obstacles/slurm.conf" <<'END'
ClusterName=c
SlurmctldHost=h
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-4] CPUs=8 RealMemory=8000
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=60
PartitionName=q Nodes=n[1-4] AllowQos=normal
END
printf 'add account a\nadd user ann account=a\nadd qos debug\nmodify account root set qos+=debug\n' >"$tmp/obstacles/acct"
cat >"$tmp/obstacles/scenario.json" <<'END'
{"schema": "whypend-scenario/1", "name": "obstacles", "about": "what stands in the way", "conf": "slurm.conf", "accounting": "acct",
 "start": "2026-01-05T09:00:00", "until": 3000,
 "jobs": [
  {"name": "first", "at": 0, "user": "ann", "nodes": 4, "ntasks": 32, "time": "30:00", "run": 600},
  {"name": "kept", "at": 1, "user": "ann", "ntasks": 1, "time": "30:00", "run": 60},
  {"name": "fine", "at": 4, "user": "ann", "partition": "q", "qos": "debug", "ntasks": 1, "time": "30:00", "run": 60},
  {"name": "late", "at": 5, "user": "ann", "ntasks": 32, "deadline": "2026-01-05T09:45:00", "time": "40:00", "run": 60}],
 "events": [{"at": 2, "cmd": "scontrol hold @kept", "user": "ann"}]}
END
expect 0 "explain: who holds a job" explain kept --no-ideas obstacles
says out "obstacle    held by its owner or a coordinator: ann"
expect 0 "explain: which list keeps a job out" explain fine --no-ideas obstacles
says out "obstacle    partition q AllowQos: normal; has not debug"
expect 0 "explain: a job that ended before its start" explain late --no-ideas obstacles
says out "without a start: DEADLINE, it could no longer end in time"
golden explain-group explain --group user first-look
expect 0 "explain --group --json" explain --group partition --json first-look
says out '"obstacles"'
expect 0 "explain --group of one class of a record" explain --group user=bob fl.db
says out "user bob"
expect 2 "explain: no such group" explain --group colour first-look
says err "bad value"
expect 2 "explain: nobody in the group" explain --group user=nobody fl.db
says err "no job of user"
expect 2 "explain: a group has no ticket" explain --group user --ticket fl.db
expect 2 "explain: no change to a later run" explain 6 --run 1 --what-if nodes=1 first-look
expect 2 "explain: no such run" explain 6 --run 1 first-look
says err "no run 1"
expect 0 "help of explain" explain --help
says out "Example"

# the commands that admins know
golden squeue-formats squeue --at 60 -S i -O "jobarrayid:12,username:8,statecompact:4,tres-alloc:0,reasonlist: |" first-look
golden scontrol-job scontrol --at 60 -d show job 1 first-look
golden sinfo-long sinfo --at 60 -N -o "%N %C %G %T" first-look
expect 0 "squeue -j of a task" squeue --at 60 -h -j 2_1 -o "%i %T" first-look
[ "$(cat "$tmp/out")" = "2_1 RUNNING" ]
result $? "... is one row"
expect 0 "squeue: unknown letter" squeue --at 60 -o "%!" first-look
says err "Invalid job format specification: !"
expect 0 "squeue -t with all that --helpstate lists" squeue --at 60 -h -t "$("$WHYPEND" squeue --helpstate | paste -sd,)" first-look
expect 0 "sdiag" sdiag --at 60 first-look
cp "$tmp/out" "$tmp/sdiag"
for o in -i -t -T; do
	expect 0 "sdiag $o" sdiag --at 60 $o first-look
	diff "$tmp/sdiag" "$tmp/out" >"$tmp/err"
	result $? "... has no RPCs to sort"
done
expect 0 "sdiag -r" sdiag -r --at 60 first-look
[ "$(cat "$tmp/out")" = "Reset scheduling statistics" ]
result $? "... says so"
expect 0 "squeue --json" squeue --at 60 --json first-look
says out '"state_reason": "JobArrayTaskLimit"'
expect 0 "scontrol --json" scontrol --at 60 --json show node gpu1 first-look
says out '"gres_used"'
expect 1 "scontrol: no such job" scontrol --at 60 show job 99 first-look
says err "Invalid job id specified"
expect 2 "scontrol: unknown entity" scontrol show colour first-look
says err "invalid entity"
expect 2 "scontrol that changes" scontrol hold 1 first-look
says err "events"
expect 2 "sinfo: bad state" sinfo -t blue first-look
says err "Bad state string"
expect 0 "sinfo -S" sinfo --at 60 -h -S -D,-P -o "%D %R" first-look
sort -k1,1nr -k2,2r "$tmp/out" | diff - "$tmp/out" >"$tmp/err"
result $? "... by count, then by name"
expect 2 "sinfo: bad key" sinfo -S "#P,-tt" first-look
says err 'bad key "-tt"'
expect 0 "sinfo -T without reservations" sinfo --at 60 -T first-look
says out "No reservations in the system"
expect 0 "sacctmgr" sacctmgr -n -P show qos format=name,priority good.json
says out "normal|0"
expect 2 "sacctmgr: unknown field" sacctmgr show qos format=colour good.json
says err "Unknown field"
expect 2 "sacctmgr: unknown entity" sacctmgr show colour first-look
expect 0 "seff" seff 1 first-look
says out "Job Wall-clock time: 01:45:00"
expect 2 "seff: no such job" seff 99 first-look
says out "Job not found."
expect 2 "links: no folder" links
expect 2 "links: not a folder" links nowhere
expect 0 "sacct -s -u" sacct -n -P -s FAILED -u dave -o JobName first-look
[ "$(cat "$tmp/out")" = "fails" ]
result $? "... only what was asked for"
expect 0 "sacct --array" sacct --at 60 -n -P --array -j 2 -o JobID,JobIDRaw,State first-look
[ "$(cat "$tmp/out")" = "2_2|2|PENDING
2_3|2|PENDING
2_0|4|RUNNING
2_1|5|RUNNING" ]
result $? "... is a line for each task"
expect 0 "sacct --json" sacct --json -j 1 first-look
says out '"submission": 1767603600'
expect 2 "sacct: bad state" sacct -s BAD first-look
for c in scontrol sacctmgr seff links; do
	expect 0 "help of $c" "$c" --help
	says out "Example"
done

# the shell
cat >"$tmp/typed" <<'END'
# stop, look, change, undo, go on
until 60
squeue -t PD -h
until job wide starts
squeue -h -o "%i %T %r" -S i
undo
as dave
sbatch -J mine -n1 -t 5 --wrap 'sleep 30'
as root
scontrol update node=gpu1 state=drain reason=test
sinfo -R -h
step tick
step pass 2
until reason wide is Resources
scancel wide
scancel @wide
why mine
until job mine ends
until node gpu1 up
undo
scontrol update node=gpu1 state=resume
until +1:00:00
save saved.json
until 24:00:00
sacct -n -P -o JobID,JobName,State,Start,End
END
(cd "$tmp" && "$WHYPEND" shell first-look <typed) >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ]
result $? "a shell script with a bad line"
says err "no job"
[ -z "${UPDATE_GOLDEN:-}" ] || cp "$tmp/out" "$here/golden/shell.txt"
diff -u "$here/golden/shell.txt" "$tmp/out" >"$tmp/diff" 2>&1
same=$?
cp "$tmp/out" "$tmp/shell-out"
cp "$tmp/diff" "$tmp/out"
result $same "... as in tests/golden/shell.txt"
expect 0 "what was typed, saved, is a scenario" sacct -n -P -o JobID,JobName,State,Start,End --at 24:00:00 saved.json
tail -n "$(wc -l <"$tmp/out")" "$tmp/shell-out" | diff - "$tmp/out" >"$tmp/err"
result $? "... that brings about the very same"
printf 'quit\n' >"$tmp/typed"
(cd "$tmp" && "$WHYPEND" shell first-look <typed) >"$tmp/out" 2>"$tmp/err"
result $? "quit"
printf 'undo\nuntil yesterday\nuntil\nstep\nstep far\nuntil job\nuntil node nowhere down\nuntil reason 1 is Blue\nsave\nwhy\nas\nsqueue --at 3\n"\n' >"$tmp/typed"
(cd "$tmp" && "$WHYPEND" shell first-look <typed) >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ]
result $? "bad lines of the shell"
for text in "nothing to undo" "bad time" "until job J starts" "no node" "no reason is called" "write: save FILE" "write: why JOB" \
	"write: as USER" "one scenario and one moment" "quotes do not match"; do
	says err "$text"
done
expect 0 "help of shell" shell --help
says out "Example"

echo "1..$n"
[ "$failed" -eq 0 ]
