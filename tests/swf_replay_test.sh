#!/bin/sh
# swf_replay_test.sh - the first jobs of every log of the Parallel Workloads Archive replay, every line accounted for.
#
#   WHYPEND=build/whypend tests/swf_replay_test.sh [FOLDER]
#
# FOLDER (default ../shared/traces/swf) holds *.swf.gz. Prints "ok N - ..." or "not ok N - ..." a test, or one SKIPPED
# line when there is no log; exit 1 when any failed. SWF_JOBS changes the number of jobs (3000).
set -u
LC_ALL=C
export LC_ALL
WHYPEND=${WHYPEND:-build/whypend}
logs=${1:-$(dirname "$0")/../../shared/traces/swf}
jobs=${SWF_JOBS:-3000}
set -- "$logs"/*.swf.gz
if [ ! -e "$1" ]; then
	echo "SKIPPED: no SWF logs in $logs"
	exit 0
fi
dir=$(mktemp -d "${TMPDIR:-/tmp}/whypend-swf-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
count=0
failed=0

check() { # TEXT COMMAND...
	text=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $text"
	else
		echo "not ok $count - $text"
		failed=$((failed + 1))
	fi
}

replay() { # OUT OPTION...
	out=$1
	shift
	if ! "$WHYPEND" run --quiet --max-jobs "$jobs" "$@" -o "$out" >"$out.out" 2>"$out.err"; then
		cat "$out.err" >&2
		return 1
	fi
	"$WHYPEND" dump "$out" >"$out.dump"
}

# lines = replayed + left out by cause; replayed = submitted + refused; every submitted job has
# its row (no log here has arrays or requeues).
accounted() { # DUMP
	awk -F'\t' -v jobs="$jobs" '
		/^# table / { table = $0; sub(/^# table /, "", table); sub(/ .*/, "", table); next }
		{ gsub(/"/, "") }
		table == "meta" { meta[$1] = $2 }
		table == "left_out" { left += $2 }
		table == "job" { rows++; seen[$1]++; twice += seen[$1] > 1 }
		table == "refused" { refused++ }
		END {
			ok = 1
			if (meta["lines"] != meta["replayed"] + left) ok = 0
			if (meta["replayed"] != meta["submitted"] + meta["refused"]) ok = 0
			if (meta["refused"] + 0 != refused + 0 || rows != meta["submitted"] || twice) ok = 0
			if (meta["replayed"] < 1 || meta["replayed"] > jobs) ok = 0
			if (!ok)
				printf "lines %s, replayed %s, left out %d, submitted %s, refused %s (%d rows), job rows %d, twice %d\n",
					meta["lines"], meta["replayed"], left, meta["submitted"], meta["refused"], refused, rows,
					twice > "/dev/stderr"
			exit !ok
		}' "$1"
}

for log in "$@"; do
	name=$(basename "$log" .swf.gz)
	for clock in ideal slurm; do
		out=$dir/$clock.db
		check "$name, clock $clock: replays" replay "$out" --trace "$log" --clock "$clock"
		check "$name, clock $clock: every line accounted for" accounted "$out.dump"
		rm -f "$out"*
	done
done

curie=$logs/CEA-Curie-2011-2.1-cln.swf.gz
if [ -e "$curie" ]; then
	set -- --trace "$curie" --clock slurm --set PriorityType=priority/multifactor --set PriorityWeightAge=1000 \
		--set PriorityWeightJobSize=1000 --set AccountingStorageType=accounting_storage/slurmdbd
	check "CEA-Curie, multifactor: replays" replay "$dir/a.db" "$@"
	check "CEA-Curie, multifactor: replays with --naive" replay "$dir/n.db" "$@" --naive
	check "CEA-Curie, multifactor: --naive gives the same dump" cmp "$dir/a.db.dump" "$dir/n.db.dump"
else
	echo "SKIPPED: $curie is not there"
fi
echo "1..$count"
[ $failed -eq 0 ]
