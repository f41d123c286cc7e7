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
for c in run squeue sinfo sacct dump sdiag passes calibrate; do
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

# tables
cp -R "$root/scenarios/first-look" "$tmp/first-look"
golden squeue-60 squeue --at 60 first-look
golden squeue-pending squeue --at 60 -h -t PD -u alice,bob first-look
golden squeue-all squeue --at 2026-01-05T09:02:30 -t all first-look
golden sinfo-60 sinfo --at 60 first-look
golden sinfo-nodes sinfo --at 60 -N -p debug,gpu first-look
golden sacct-7200 sacct --at 2:00:00 first-look
golden sacct-end sacct -P -o JobID,JobName,State,ExitCode,Start,End,NodeList first-look

golden squeue-start squeue --start --at 60 first-look
golden sdiag-60 sdiag --at 60 first-look
golden sdiag-22 sdiag --at 60 --slurm-version 22.05 --controller-cost small first-look
golden passes-60 passes --from 40 --to 60 first-look

# the controller's own pace
expect 0 "passes: a job, a kind" passes -j wide -k backfill --to 60 first-look
says out "plan 2026-01-05T11:00:00 to 15:00:00 on gpu[1-4]"
expect 0 "passes: caps" passes --summary --set SchedulerParameters.bf_max_job_test=1 first-look
says out "backfill: bf_max_job_test"
expect 2 "passes: bad kind" passes -k both first-look
says err "--kind: bad value \"both\"; write main or backfill"
expect 2 "passes: bad time" passes --from noon first-look
says err "--from: bad value \"noon\""
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

echo "1..$n"
[ "$failed" -eq 0 ]
