#!/bin/sh
# check_test.sh - whypend check from outside: expectations that hold and that fail, the four formats, what is wrong input, and
# that others read them: prove reads the TAP, xmllint and junitparser the JUnit XML. Without these tools their tests are skipped.
#
#   WHYPEND=build/whypend tests/check_test.sh
. "$(dirname "$0")/cli_helper.sh"

tool() { # NAME WHAT: is the tool here? else WHAT is skipped
	command -v "$1" >/dev/null 2>&1 && return 0
	n=$((n + 1))
	echo "ok $n - $2 # SKIP there is no $1"
	return 1
}
not_in() { # FILE TEXT
	! grep -F -e "$2" "$tmp/$1" >/dev/null
	result $? "... does not say: $2"
}

cp -r "$here/check" "$tmp/promises"
mkdir "$tmp/broken" "$tmp/empty"
cp "$here/check/preempt/"* "$tmp/broken/"

# what holds
for v in 26.05 22.05; do
	expect 0 "all hold under $v" check --slurm-version $v promises
	says out "ok 1 - gang: the higher tier suspends"
	says out "# 2 scenarios: 29 expectations hold, 0 fail, 1 skipped"
	not_in out "not ok"
done
says out "ok 15 - preempt: young starts # SKIP only under the rules of Slurm 26.05"
expect 0 "check of a file" check promises/gang/scenario.json
says out "1..4"
expect 0 "check of a scenario's folder" check promises/gang
cp "$tmp/out" "$tmp/gang.tap"
expect 0 "... is the same with --naive" check --naive promises/gang
cmp "$tmp/out" "$tmp/gang.tap"
result $? "... byte by byte"

# what fails: what was expected, what happened, the rule in words, the story of the job
expect 1 "a changed setting breaks its promise" check --set PreemptMode=OFF --set PreemptType=preempt/none promises/preempt
says out "not ok 1 - preempt: the higher tier makes one of them go"
says out "  expected: 'urgent waits at most 120 s'"
says out "  happened: 'urgent waited 1140 s'"
says out "    - 'E5: preempt/partition_prio: a partition of a higher PriorityTier preempts'"
says out "  at: 'promises/preempt/scenario.json:20:5'"
says out "    Job 3 (urgent) of bob"
says out "Resources [R15]"
says out "looked at   main: "
expect 1 "a changed limit breaks another" check --set EnforcePartLimits=NO promises/preempt
says out "  happened: 'too-long was accepted'"
not_in out "not ok 1 "

mkdir "$tmp/cut"
grep -v Preempt "$here/check/preempt/slurm.conf" >"$tmp/cut/slurm.conf"
cat >"$tmp/cut/scenario.json" <<'END'
{"schema": "whypend-scenario/1", "name": "cut", "conf": "slurm.conf", "gres": "../promises/preempt/gres.conf",
 "jobs": [{"name": "running", "user": "ann", "nodes": 1, "exclusive": true, "time": "1:00:00", "run": 3600},
          {"name": "wide1", "at": 1, "user": "ann", "nodes": 2, "exclusive": true, "time": "1:00:00", "run": 600},
          {"name": "wide2", "at": 2, "user": "ann", "nodes": 2, "exclusive": true, "time": "1:00:00", "run": 600},
          {"name": "short", "at": 3, "user": "bob", "ntasks": 1, "mem": "1G", "time": "10:00", "run": 60}],
 "expect": [{"name": "a short job passes", "rule": ["B26", "our promise to bob"], "job": "short", "waits": 60}]}
END
expect 0 "a short job passes two wide ones" check cut
expect 1 "... but not when backfill looks at two jobs only" check --set SchedulerParameters=bf_max_job_test=2,bf_node_space_size=100 cut
says out "cycles of backfill ended before this job: bf_max_job_test"
says out "    - 'B26: free now, and not in the plan''s way: the job starts, ahead of those that wait for more'"
says out "    - 'our promise to bob'"

fails() { # JSON WHAT-HAPPENED: the only expectation, and how it fails
	awk -v entry="$1" '/"expect"/ { print "  \"expect\": [" entry "]"; print "}"; exit } { print }' \
		"$here/check/preempt/scenario.json" >"$tmp/broken/scenario.json"
	expect 1 "fails: $1" check broken
	says out "  happened: '$2'"
}
fails '{"job": "old", "starts_after": "young"}' 'old started at 0 s, young started at 5 s'
fails '{"job": "young", "starts_with": "old"}' 'young started at 5 s, old started at 0 s'
fails '{"job": "late", "starts_before": "old"}' 'late never started, old started at 0 s'
fails '{"job": "late", "starts": true}' 'late never started'
fails '{"job": "old", "starts": false}' 'old started at 0 s'
fails '{"job": "young", "starts_at": [6, 10]}' 'young started at 5 s'
fails '{"job": "sweep_3", "starts_by": 100}' 'sweep_3 started at 1505 s'
fails '{"job": "late", "waits": 6000}' 'late waited 5936 s and never started'
fails '{"job": "over", "ends": "COMPLETED"}' 'over ended as TIMEOUT'
fails '{"job": "old", "requeued": 0}' 'old was requeued 1 time'
fails '{"job": "old", "preempted_by": "young"}' 'old was preempted by job 3'
fails '{"job": "young", "preempted_by": true}' 'young was not preempted'
fails '{"job": "too-long", "refused": "no such thing"}' 'too-long was refused: Requested time limit is invalid (missing or exceeds some limit)'
fails '{"job": "too-long", "starts_before": "old"}' 'too-long was refused: Requested time limit is invalid (missing or exceeds some limit), old started at 0 s'
fails '{"job": "urgent", "waited_for": "Licenses"}' 'urgent did not wait'
fails '{"job": "sweep_0", "waited_for": "Licenses"}' 'sweep_0 waited for: None, Resources, Priority, JobArrayTaskLimit'
fails '{"job": "sweep", "never_waited_for": "JobArrayTaskLimit"}' 'sweep waited for: None, Resources, Priority, JobArrayTaskLimit'
fails '{"job": "old", "run": 1, "never_waited_for": "BeginTime"}' 'old waited for: BeginTime, None, Resources'
fails '{"job": "old", "at": 30, "state": "PENDING"}' 'at 30 s old is RUNNING'
fails '{"job": "old", "at": 30, "nodes": "n2"}' 'at 30 s old is on n1'
fails '{"job": "old", "at": 30, "cpus": [1, 7], "gpus": 1}' 'at 30 s old has cpus 8; at 30 s old has gpus 0'
fails '{"job": "sweep_0", "at": 1210, "gpu_idx": {"n2": "1"}}' 'at 1210 s sweep_0 has GPUs 0 on n2'
fails '{"job": "late", "at": 100, "reason": "Dependency"}' 'at 100 s late has the reason BeginTime'
fails '{"job": "old", "at": 30, "priority": 1}' 'at 30 s old has priority 500'
fails '{"job": "old", "at": 30, "priority_above": "young"}' 'at 30 s old has priority 500, young 500'
fails '{"job": "late", "at": 30, "state": "PENDING"}' 'at 30 s late was not submitted yet'
fails '{"job": "over", "at": 5000, "state": "RUNNING"}' 'at 5000 s over had ended as TIMEOUT, and its record was purged'
fails '{"job": "over", "at": 5000, "state": "TIMEOUT", "cpus": 1}' 'at 5000 s over had ended as TIMEOUT, and its record was purged'
fails '{"class": {"partition": "low"}, "max_wait": 60}' 'job 4_0 (sweep) waited 1142 s'
says out "    Job 4_0 (sweep) of cat"
fails '{"class": {"user": "nobody"}, "max_wait": 60}' 'no job of this class was submitted'
fails '{"metric": "requeued", "range": [5, null]}' 'requeued is 1 (1)'
fails '{"passes": 5}' "the run took 28 passes of the main scheduler"

# what is wrong: exit code 2, with line and column; the other scenarios are checked all the same
wrong() { # JSON MESSAGE
	awk -v entry="$1" '/"expect"/ { print "  \"expect\": [" entry "]"; print "}"; exit } { print }' \
		"$here/check/preempt/scenario.json" >"$tmp/broken/scenario.json"
	expect 2 "wrong: $1" check broken
	says err "whypend check: broken/scenario.json:$2"
}
wrong '{"job": "yung", "starts": true}' '19:15: no job of this scenario is called "yung"; did you mean young?'
wrong '{"job": 99, "starts": true}' '19:14: there is no job 99 in this run'
wrong '{"job": "old", "starts_before": "99_3"}' '19:29: there is no job 99_3 in this run'
wrong '{"rule": "B99", "job": "old", "starts": true}' '19:14: there is no rule B99; rules are S1 to S39'
wrong '{"metric": "wait_men", "range": [0, 1]}' '19:14: there is no metric wait_men; did you mean wait_mean?'
sed -i '/"expect"/d; s/"until": 6000,/"until": 6000/' "$tmp/broken/scenario.json"
expect 2 "wrong: expects nothing" check broken promises
says err "whypend check: broken/scenario.json: the scenario expects nothing; add \"expect\""
says out "not ok 1 - broken/scenario.json: the scenario can be checked"
says out "# 3 scenarios: 29 expectations hold, 0 fail, 1 skipped; 1 scenario and 0 expectations wrong"
echo '{' >"$tmp/broken/scenario.json"
expect 2 "wrong: no JSON" check broken
says err "broken/scenario.json:2:1: the JSON text ends too early"
expect 2 "wrong: an empty folder" check empty
says err "whypend check: empty: no scenario in this folder"
expect 2 "wrong: no such file" check nothing.json
expect 2 "wrong: no scenario" check
says err "name the scenarios to check"
expect 2 "wrong: format" check --format xml promises
says err '--format: bad value "xml"; write tap, junit, json or github'
expect 2 "wrong: jobs" check --jobs 0 promises
says err '--jobs: bad value "0"'
expect 2 "wrong: place" check -o nowhere/x.tap promises

# a folder with scenarios that are single files
mkdir "$tmp/flat"
cp "$here/check/preempt/slurm.conf" "$here/check/preempt/gres.conf" "$tmp/flat"
cp "$here/check/preempt/scenario.json" "$tmp/flat/b.json"
sed 's/"name": "preempt"/"name": "first"/' "$here/check/preempt/scenario.json" >"$tmp/flat/a.json"
echo '{"schema": "other/1"}' >"$tmp/flat/other.json"
expect 0 "check of a folder of files" check flat
says out "ok 1 - first: the higher tier"
says out "ok 27 - preempt: the higher tier"

# one at a time or several: the same bytes
expect 1 "check --jobs 1" check -j 1 --set PreemptMode=OFF --set PreemptType=preempt/none flat promises/preempt
cp "$tmp/out" "$tmp/one"
expect 1 "check --jobs 4" check -j 4 --set PreemptMode=OFF --set PreemptType=preempt/none flat promises/preempt
cmp "$tmp/out" "$tmp/one"
result $? "... prints the same"

# the formats, of one that holds, one that fails and one that cannot be read
for f in tap junit json github; do
	expect 2 "check --format $f" check --format $f --set EnforcePartLimits=NO -o all.$f promises broken
	[ ! -s "$tmp/out" ] && [ -s "$tmp/all.$f" ]
	result $? "... into a file"
done
for f in junit json; do
	expect 0 "check --format $f, all hold" check --format $f -o good.$f promises
done
cp "$tmp/all.github" "$tmp/out"
says out "::error file=broken/scenario.json,line=2,col=1,title=the scenario cannot be checked::the JSON text ends too early"
says out "::error file=promises/preempt/scenario.json,line=25,col=5,title=too-long is refused"
says out "::expected: too-long is refused: "
says out "%0Ahappened: too-long was accepted%0A"
[ "$(wc -l <"$tmp/all.github")" -eq 5 ]
result $? "... a line for each, and one for all"
cp "$tmp/all.json" "$tmp/out"
says out '"schema":	"whypend-check/1"'
says out '"outcome":	"fails"'
if tool node "JSON is JSON"; then
	node -e 'const r = JSON.parse(require("fs").readFileSync(process.argv[1])); if (r.counts.holds !== 26 || r.scenarios.length !== 3) { console.log(r.counts); process.exit(1) }' "$tmp/all.json" >"$tmp/out" 2>"$tmp/err"
	result $? "node reads the JSON: 26 hold in 3 scenarios"
fi
if tool xmllint "JUnit XML is as the schema says"; then
	for f in good all; do
		xmllint --noout --schema "$here/junit.xsd" "$tmp/$f.junit" >"$tmp/out" 2>"$tmp/err"
		result $? "xmllint: $f.junit is as tests/junit.xsd says"
	done
	[ "$(xmllint --xpath 'string(/testsuites/@failures)' "$tmp/all.junit")" = 3 ] &&
		[ "$(xmllint --xpath 'count(//failure)' "$tmp/all.junit")" = 3 ] &&
		[ "$(xmllint --xpath 'count(//error)' "$tmp/all.junit")" = 1 ] &&
		[ "$(xmllint --xpath 'count(//testcase)' "$tmp/all.junit")" = "$(xmllint --xpath 'string(/testsuites/@tests)' "$tmp/all.junit")" ]
	result $? "... its counts are those of its cases"
fi
if tool junitparser "junitparser reads JUnit XML"; then
	junitparser verify "$tmp/good.junit" >"$tmp/out" 2>"$tmp/err"
	result $? "junitparser: all passed"
	! junitparser verify "$tmp/all.junit" >"$tmp/out" 2>"$tmp/err"
	result $? "junitparser: some failed"
	junitparser merge "$tmp/good.junit" "$tmp/all.junit" "$tmp/merged.xml" >"$tmp/out" 2>"$tmp/err" && [ -s "$tmp/merged.xml" ]
	result $? "junitparser merges two of them"
fi
if tool prove "prove reads TAP"; then
	(cd "$tmp" && prove --exec "$WHYPEND check" promises/*/scenario.json) >"$tmp/out" 2>"$tmp/err"
	result $? "prove: all promises hold"
	says out "Files=2, Tests=30"
	cp "$here/check/preempt/scenario.json" "$tmp/broken/scenario.json"
	! (cd "$tmp" && prove --exec "$WHYPEND check --set EnforcePartLimits=NO" promises/*/scenario.json) >"$tmp/out" 2>"$tmp/err"
	result $? "prove: one scenario fails"
	says out "Failed tests:  6-7, 22"
	grep "[Pp]arse error" "$tmp/out" "$tmp/err"
	[ $? -ne 0 ]
	result $? "... without a parse error"
fi

# --record
cp "$here/check/preempt/scenario.json" "$tmp/broken/scenario.json"
expect 0 "check --record" check --record 6 -o promises/preempt/scenario.json promises/preempt
expect 0 "... what it wrote holds" check promises/preempt
says out "preempt: wait, mean: "
says out "preempt: wait, mean, partition high: "
expect 0 "check --record --by user" check --record 6 --by user -j 1 broken
says out '"metric": "wait_mean", "class": {"user": "ann"}, "range": ['
cp "$tmp/out" "$tmp/one"
head -n 44 "$here/check/preempt/scenario.json" >"$tmp/head.json"
head -n 44 "$tmp/out" | cmp - "$tmp/head.json"
result $? "... and keeps what was in the file"
expect 0 "check --record --jobs 4" check --record 6 --by user -j 4 broken
cmp "$tmp/out" "$tmp/one"
result $? "... writes the same"
expect 0 "check --record of a scenario without expectations" check --record 3 -o new.json "$root/scenarios/first-look"
says new.json '  "expect": ['
expect 2 "--record: bad number" check --record 1 broken
expect 2 "--record: two scenarios" check --record 3 promises
says err "--record takes one scenario"
expect 2 "--record: bad class" check --record 3 --by group broken
says err '--by: bad value "group"'

echo "1..$n"
[ "$failed" -eq 0 ]
