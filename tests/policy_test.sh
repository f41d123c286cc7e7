#!/bin/bash
# policy_test.sh - scenarios/policy is sharp: a weight, a limit or a bf_ value that is changed on purpose makes exactly the
# scenarios about it fail, and what they print names the rule.
#
# SETTINGS: a change of a setting for all scenarios at once (--set); EDITS: one in a scenario's own files. Both are tables:
# what is changed | who fails | a rule that is named. Under which release a row runs goes by turns, so that both are used.
. "$(dirname "$0")/cli_helper.sh"
cp -R "$root/scenarios/policy" "$tmp/policy"

SETTINGS='
SchedulerParameters.bf_window=20160                | window-too-short      | B30a
SchedulerParameters.bf_resolution=1                | slot-rounding         | B40
SchedulerParameters.bf_max_job_user=0              | bf-max-job-user       | B17
SchedulerParameters.bf_max_job_test=500            | bf-max-job-test       | B12a
SchedulerParameters.bf_licenses=yes                | licences-no-plan      | B18
SchedulerParameters.bf_licenses=                   | licences-planned      | B22
SchedulerParameters.bf_continue=yes                | bf-continue           | B51
SchedulerParameters.default_queue_depth=100        | queue-depth           | S20
SchedulerParameters.defer=                         | defer                 | S3
SchedulerParameters.max_switch_wait=3600           | switches-wait         | N48
SchedulerParameters.assoc_limit_stop=yes           | budget-safe held-jobs-not-counted limit-blocks-nobody partition-qos | L38
SchedulerParameters.preempt_youngest_first=yes     | preempt-oldest-first  | E10
PreemptExemptTime=0                                | preempt-exempt-time   | E8
PriorityWeightFairshare=0                          | fairshare-overtakes   | P45
PriorityMaxAge=7-0                                 | fairshare-overtakes hold-and-age | P12
PriorityWeightJobSize=0                            | size-factor           | P15
PriorityFlags=ACCRUE_ALWAYS                        | begin-and-age hold-and-age | P13
PriorityCalcPeriod=1                               | run-minutes           | L21
EnforcePartLimits=ALL                              | over-limit-waits      | L67
EnforcePartLimits=NO                               | over-limit-refused    | L63
DependencyParameters=kill_invalid_depend           | dependency-never      | C13
SelectTypeParameters=CR_Core                       | memory-default        | N57
'

EDITS='
limit-blocks-nobody/assoc.sacctmgr:   s/cpu=16/cpu=32/                | limit-blocks-nobody   | L34
held-jobs-not-counted/assoc.sacctmgr: s/MaxJobsPerUser=1/MaxJobsPerUser=2/ | held-jobs-not-counted | L30
partition-qos/assoc.sacctmgr:         s/ flags=OverPartQOS//          | partition-qos         | L3
deny-on-limit/assoc.sacctmgr:         s/ flags=DenyOnLimit//          | deny-on-limit         | L25
run-minutes/assoc.sacctmgr:           s/cpu=1200/cpu=2400/            | run-minutes           | L36
budget-safe/slurm.conf:               s/,safe//                       | budget-safe           | L35
group-nodes/assoc.sacctmgr:           s/node=4/node=5/                | group-nodes           | L34
exclusive-cost/assoc.sacctmgr:        s/cpu=32/cpu=64/                | exclusive-cost        | L34
preempt-lowest-first/assoc.sacctmgr:  s/scavenge priority=0/scavenge priority=20/ | preempt-lowest-first | E10
tier-requeue/slurm.conf:              s/PreemptMode=REQUEUE/PreemptMode=CANCEL/ | tier-requeue | C40
gpu-typed/slurm.conf:                 s/Weight=10/Weight=30/          | gpu-typed             | N23
gpu-affinity/gres.conf:               s/Cores=0-13/Cores=0-14/        | gpu-affinity          | N66
maintenance-ahead/slurm.conf:         s/MaxTime=UNLIMITED/MaxTime=12:00:00/ | maintenance-ahead | C60
shared-nodes/slurm.conf:              s/=n4 MaxTime/=n3 MaxTime/      | shared-nodes          | B26
'

turn=0
version() { [ $((turn % 2)) -eq 0 ] && echo 26.05 || echo 22.05; }

# judge NAME WHO RULE ARGS...: whypend check fails for exactly WHO, and RULE stands in what it says
judge() {
	name=$1 who=$2 rule=$3
	shift 3
	(cd "$tmp" && "$WHYPEND" check --quiet --slurm-version "$(version)" "$@") >"$tmp/out" 2>"$tmp/err"
	code=$?
	failing=$(sed -n 's/^not ok [0-9]* - \([^:]*\):.*/\1/p' "$tmp/out" | sort -u | tr '\n' ' ')
	[ "$code" -eq 1 ] && [ "${failing% }" = "$who" ] && grep -q "^ *- '$rule\b" "$tmp/out"
	good=$?
	[ $good -eq 0 ] || printf 'exit code %s; failing: %s\nwanted: %s, and rule %s\n' $code "$failing" "$who" "$rule" >"$tmp/err"
	[ $good -eq 0 ] || sed -n '/^not ok/,/^  \.\.\./p' "$tmp/out" | head -n 40 >"$tmp/more"
	[ $good -eq 0 ] || mv "$tmp/more" "$tmp/out"
	result $good "$name ($(version)) fails $who, by $rule"
	turn=$((turn + 1))
}

for version in 22.05 26.05; do
	expect 0 "the policy suite holds under $version" check --quiet --slurm-version $version policy
	[ "$(grep -c '^ok' "$tmp/out")" -ge 150 ]
	result $? "... with at least 150 expectations"
done
[ "$(ls -d "$tmp"/policy/*/ | wc -l)" -ge 25 ]
result $? "at least 25 scenarios"

# every scenario stands in the table of the README with its question, and nothing else does
for folder in "$tmp"/policy/*/; do
	basename "$folder"
done >"$tmp/out"
sed -n 's/^| \[\([a-z0-9-]*\)\](\1\/scenario.json) .*/\1/p' "$tmp/policy/README.md" | sort | diff "$tmp/out" - >"$tmp/err"
result $? "the README's table lists them all"
# the recorded runs that it names are there
sed -n 's/^| \[.* | \([a-z_, -]*\) |$/\1/p' "$tmp/policy/README.md" | tr ',' '\n' | sed 's/^ *//; s/ *$//; /^$/d; /^measured/d' | while read -r run; do
	[ -d "$root/tests/conformance/scenarios/$run" ] || echo "$run"
done >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "the recorded runs that it names exist"
# every expectation names a rule
for file in "$tmp"/policy/*/scenario.json; do
	sed -n '/"expect"/,$p' "$file" | grep '"job"' | grep -v '"rule"' && echo "$file"
done >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "every expectation names a rule"

trim() { sed 's/^ *//; s/ *$//'; }
while IFS='|' read -r change who rule; do
	[ -n "$change" ] || continue
	change=$(echo "$change" | trim)
	judge "$change" "$(echo "$who" | trim)" "$(echo "$rule" | trim)" --set "$change" policy
done <<<"$SETTINGS"

while IFS='|' read -r change who rule; do
	[ -n "$change" ] || continue
	file=${change%%:*} script=$(echo "${change#*:}" | trim)
	folder=${file%%/*}
	rm -rf "$tmp/edited" && mkdir "$tmp/edited" && cp -R "$tmp/policy/$folder" "$tmp/edited/"
	sed -i "$script" "$tmp/edited/$file"
	if cmp -s "$tmp/policy/$file" "$tmp/edited/$file"; then
		: >"$tmp/out"
		echo "the edit changes nothing" >"$tmp/err"
		result 1 "$file $script"
		continue
	fi
	judge "$file $script" "$(echo "$who" | trim)" "$(echo "$rule" | trim)" edited
done <<<"$EDITS"

echo "1..$n"
[ "$failed" -eq 0 ]
