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

# tables
cp -R "$root/scenarios/first-look" "$tmp/first-look"
golden squeue-60 squeue --at 60 first-look
golden squeue-pending squeue --at 60 -h -t PD -u alice,bob first-look
golden squeue-all squeue --at 2026-01-05T09:02:30 -t all first-look
golden sinfo-60 sinfo --at 60 first-look
golden sinfo-nodes sinfo --at 60 -N -p debug,gpu first-look
golden sacct-7200 sacct --at 2:00:00 first-look
golden sacct-end sacct -P -o JobID,JobName,State,ExitCode,Start,End,NodeList first-look

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
expect 0 "squeue --json" squeue --at 60 --json first-look
says out '"state_reason":	"JobArrayTaskLimit"'
expect 0 "scontrol --json" scontrol --at 60 --json show node gpu1 first-look
says out '"gres_used"'
expect 1 "scontrol: no such job" scontrol --at 60 show job 99 first-look
says err "Invalid job id specified"
expect 2 "scontrol: unknown entity" scontrol show colour first-look
says err "invalid entity"
expect 2 "scontrol that changes" scontrol hold 1 first-look
says err "events"
expect 2 "sinfo: bad state" sinfo -t blue first-look
says err "invalid node state"
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
expect 0 "sacct --json" sacct --json -j 1 first-look
says out '"submission":	1767603600'
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
