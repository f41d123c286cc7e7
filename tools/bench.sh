#!/bin/sh
# bench.sh BUILD MONTH - jobs per CPU second, beside a plain program's on the same log where that is at hand ("make bench").
#
# Times depend on the machine, so nothing is asserted; the ratio of two programs in one run is what can be compared.
set -eu
build=$1 month=$2 shared=../shared/anchors
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# cpu COMMAND...: user and system seconds of it
cpu() {
	(
		"$@" >"$tmp/out" 2>"$tmp/err" || exit
		times >"$tmp/times"
	) || { cat "$tmp/err" >&2; exit 1; }
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, p, "[ms]"); t += p[1] * 60 + p[2] } print t }' "$tmp/times"
}
rate() { awk -v n="$1" -v t="$2" 'BEGIN { printf "%.0f", (t > 0 ? n / t : 0) }'; }

if [ -r $shared/theta6k.swf.gz ]; then
	gzip -dc $shared/theta6k.swf.gz >"$tmp/log.swf"
	jobs=$(grep -vc '^;' "$tmp/log.swf")
	for policy in builtin easy; do
		ours=$(cpu "$build/whypend" run --quiet --trace "$tmp/log.swf" --clock ideal --set SchedulerType=sched/$policy \
			--set PriorityType=priority/basic --set MaxJobCount=10000000)
		printf 'theta6k, %-7s %6d jobs  whypend %s s, %s jobs a CPU second' \
			"$policy" "$jobs" "$ours" "$(rate "$jobs" "$ours")"
		if command -v python3 >/dev/null 2>&1 && [ -r $shared/easyref.py ]; then
			[ $policy = easy ] && name=easy || name=fcfs
			theirs=$(cpu python3 $shared/easyref.py "$tmp/log.swf" 4360 $name)
			printf '; plain program %s s, %s; ratio %s' "$theirs" "$(rate "$jobs" "$theirs")" \
				"$(awk -v a="$theirs" -v b="$ours" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }')"
		fi
		echo
	done
fi
ours=$(cpu "$build/whypend" run --quiet --until 7-00:00:00 "$month")
echo "first week of h100-a100-month with the slurm clock: $ours CPU seconds"
cat >"$tmp/slurm.conf" <<'END'
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=max_array_tasks=4000001
MaxArraySize=4000001
MaxJobCount=100000
MinJobAge=2
NodeName=n[1-16] CPUs=64
PartitionName=p Nodes=ALL Default=YES MaxTime=60 State=UP
END
echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "jobs": [{"name": "a", "user": "u", "array": "0-3999999%1000", "ntasks": 1, "time": 1, "run": 1}]}' \
	>"$tmp/scenario.json"
ours=$(cpu "$build/whypend" run --quiet -o "$tmp/array.db" "$tmp/scenario.json")
echo "an array of 4000000 tasks of one second, %1000: $ours CPU seconds"
rm -f "$tmp/array.db"
"$build/bench-tick"
"$build/bench-select"
"$build/bench-limits"
"$build/bench-squeue"
