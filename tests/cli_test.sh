#!/bin/sh
# cli_test.sh - the whypend command from outside: help, usage errors, bad input, and its tables compared with golden text.
#
#   WHYPEND=build/whypend tests/cli_test.sh              run (from anywhere); exit status 1 if a test failed
#   UPDATE_GOLDEN=1 WHYPEND=... tests/cli_test.sh        write tests/golden/ anew, to be read before it is committed
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
case ${WHYPEND:=$root/build/whypend} in /*) ;; *) WHYPEND=$PWD/$WHYPEND ;; esac
tmp=$(mktemp -d "${TMPDIR:-/tmp}/whypend-cli.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C TZ=UTC
n=0 failed=0

result() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		failed=$((failed + 1))
		echo "not ok $n - $2"
		sed 's/^/# /' "$tmp/out" "$tmp/err" 2>/dev/null | head -n 20
	fi
}

# expect CODE NAME ARGS...: run whypend in $tmp and check its exit code; its output stays in $tmp/out and $tmp/err
expect() {
	want=$1 name=$2
	shift 2
	(cd "$tmp" && "$WHYPEND" "$@") >"$tmp/out" 2>"$tmp/err"
	code=$?
	[ "$code" -eq "$want" ] || echo "# exit code $code, not $want" >>"$tmp/err"
	[ "$code" -eq "$want" ]
	result $? "$name"
}

says() { # FILE TEXT: the output holds TEXT
	grep -F -e "$2" "$tmp/$1" >/dev/null
	result $? "... says: $2"
}

no_output() { # nothing that looks like a record is left
	[ ! -e "$tmp/run.db" ] && [ ! -e "$tmp/run.db.partial" ]
	result $? "... and no output file appears"
}

golden() { # NAME ARGS...
	file=$here/golden/$1.txt name=$1
	shift
	expect 0 "$name" "$@"
	[ -z "${UPDATE_GOLDEN:-}" ] || cp "$tmp/out" "$file"
	diff -u "$file" "$tmp/out" >"$tmp/diff" 2>&1
	same=$?
	cp "$tmp/diff" "$tmp/out"
	result $same "... as in tests/golden/$name.txt"
}

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
for c in run squeue sinfo sacct dump; do
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
says err "invalid job state \"BAD\""
expect 2 "bad job id" sacct -j x good.json
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

# priorities, fair-share and limits
factors=$root/tests/conformance/scenarios/priority-factors
shares=$root/tests/conformance/scenarios/fairtree
golden sprio sprio --at 45 "$factors"
golden sprio-l sprio --at 45 -l -j 2,13 "$factors"
golden sprio-n sprio --at 45 -n -u alice "$factors"
golden sprio-w sprio --at 45 -w -l "$factors"
golden sprio-o sprio --at 45 -p hot -o '%.8i %9r %.10Y %.10P %f' "$factors"
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
says out "Invalid time limit specification: abc"

# tables
cp -R "$root/scenarios/first-look" "$tmp/first-look"
golden squeue-60 squeue --at 60 first-look
golden squeue-pending squeue --at 60 -h -t PD -u alice,bob first-look
golden squeue-all squeue --at 2026-01-05T09:02:30 -t all first-look
golden sinfo-60 sinfo --at 60 first-look
golden sinfo-nodes sinfo --at 60 -N -p debug,gpu first-look
golden sacct-7200 sacct --at 2:00:00 first-look
golden sacct-end sacct -P -o JobID,JobName,State,ExitCode,Start,End,NodeList first-look

echo "1..$n"
[ "$failed" -eq 0 ]
