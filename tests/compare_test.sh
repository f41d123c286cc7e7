#!/bin/sh
# compare_test.sh - whypend compare from outside: sides, output forms, the same bytes on any number of processes, bad input.
. "$(dirname "$0")/cli_helper.sh"
cp -R "$root/scenarios/first-look" "$tmp/first-look"
change=SchedulerParameters.bf_window=60

expect 0 "run.db of A" run --quiet -o a.db first-look
expect 0 "run.db of B" run --quiet --set $change -o b.db first-look
golden compare-records compare a.db b.db
expect 0 "two records" compare a.db b.db
says out "bf_window=60"
says out "Jobs wait 3m28s less in B than in A"
says out "Priority 45m18s (job 6)"
expect 0 "a run with itself" compare a.db a.db
says out "Nothing differs: all 13 jobs start and end at the same moments in A and B."
says out "nothing of the configuration"
expect 0 "... as JSON" compare --json a.db a.db
says out '"same":	true'
[ "$(tr -d ' \t' <"$tmp/out" | grep -c '^"difference":0,*$')" -gt 20 ] && [ "$(tr -d ' \t' <"$tmp/out" | grep '^"difference":' | grep -vc ':0,\|:null,')" = 0 ]
result $? "... every difference is 0"
expect 0 "three sides" compare a.db b.db a.db
says out "==== C against A ===="
expect 0 "a class" compare a.db b.db --by user=carol
says out "Jobs of user carol"
expect 0 "classes" compare a.db b.db --by size --markdown
says out "| size (jobs) |"

# of a scenario
expect 0 "a scenario with a change" compare first-look --with $change
tail -n +3 "$tmp/out" >"$tmp/of-scenario"
(cd "$tmp" && "$WHYPEND" compare a.db b.db) | tail -n +3 | cmp -s - "$tmp/of-scenario"
result $? "... says what the records say"
sed 's/bf_interval=30/bf_interval=30,bf_window=60/' "$tmp/first-look/slurm.conf" >"$tmp/first-look/b.conf"
expect 0 "--conf twice" compare first-look --conf first-look/slurm.conf --conf=first-look/b.conf
tail -n +3 "$tmp/out" | cmp -s - "$tmp/of-scenario"
result $? "... says the same"
expect 0 "replicas" compare first-look --with $change --replicas 6 --processes 1 --seed 3
says out "6 replicas of the whole trace a side"
says out "95 % interval"
cp "$tmp/out" "$tmp/one"
expect 0 "... on three processes" compare first-look --with $change --replicas 6 --processes 3 --seed 3
cmp -s "$tmp/out" "$tmp/one"
result $? "... the same bytes"
expect 0 "... with another seed" compare first-look --with $change --replicas 6 --seed 4
! cmp -s "$tmp/out" "$tmp/one"
result $? "... other bytes"
expect 0 "replicas that are windows" compare first-look --with $change --replicas 4 --windows 0:00:20
says out "each a window of 20s of the trace"
expect 0 "a side that changes nothing" compare first-look --with PriorityWeightAge=1000 --replicas 4 --csv
grep '^A,B,all,,wait_mean,' "$tmp/out" | grep -q ',0,0,0$'
result $? "... shows nothing"

sed 's/MaxTime=30:00/MaxTime=20:00/' "$tmp/first-look/slurm.conf" >"$tmp/first-look/p.conf"
expect 0 "a partition changed" compare first-look --conf first-look/slurm.conf --conf first-look/p.conf
says out "slurm.conf: PartitionName=debug"
says out "A  MaxTime=30"
says out "B  MaxTime=20"
awk 'length > 100 { exit 1 }' "$tmp/out"
result $? "... no line is wider than 100"

expect 2 "nothing at all" compare
says err "one side only"
WHYPEND_SCENARIO=first-look expect 0 "the scenario of the environment" compare --with $change
says out "Jobs wait 3m28s less in B than in A"

# bad input
expect 2 "one record" compare a.db
says err "one file only: name the run.db to compare a.db with"
expect 2 "one scenario" compare first-look
says err "one side only: add --with KEY=VALUE"
expect 2 "no record" compare a.db first-look/slurm.conf
says err "first-look/slurm.conf: this is no run.db"
expect 2 "a record that is not there" compare a.db none.db
says err "none.db: there is no such file"
printf 'SQLite format 3\0rubbish' >"$tmp/broken.db"
expect 2 "a damaged record" compare a.db broken.db
says err "broken.db: this is no run.db"
cat >"$tmp/other.json" <<'END'
{"schema": "whypend-scenario/1", "conf": "first-look/slurm.conf", "jobs": [{"name": "x", "user": "ann", "time": 5, "run": 60}]}
END
expect 0 "another trace" run --quiet -o other.db other.json
expect 2 "different traces" compare a.db other.db
says err "are runs of different traces"
expect 2 "unknown class" compare a.db b.db --by colour
says err "bad class \"colour\"; write user, account, qos, partition, size or gpu"
expect 2 "no such user" compare a.db b.db --by user=zoe
says err "no job of user \"zoe\""
expect 2 "replicas of a record" compare a.db b.db --replicas 3
says err "need a scenario"
expect 2 "a bad setting" compare first-look --with Foo=1
says err "side B: --set Foo=1"
expect 2 "bad replicas" compare first-look --with $change --replicas none
says err "--replicas: bad value \"none\""
expect 2 "bad windows" compare first-look --with $change --windows never
says err "--windows: bad value \"never\""
expect 2 "two forms" compare a.db b.db --json --csv
expect 0 "help" compare --help
says out "A.db B.db [C.db...] | SCENARIO [SCENARIO...]"
echo "1..$n"
[ "$failed" -eq 0 ]
