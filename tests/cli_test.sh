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
for c in run squeue sinfo sacct lint dump; do
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
