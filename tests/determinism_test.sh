#!/bin/sh
# determinism_test.sh - same inputs, same bytes; no half run.db after an interruption or on a full disk.
#
#   WHYPEND=build/whypend tests/determinism_test.sh
#
# Prints "ok N - ..." or "not ok N - ..." a test; exit 1 when any failed.
set -u
LC_ALL=C
export LC_ALL
WHYPEND=${WHYPEND:-build/whypend}
case $WHYPEND in
*/*) WHYPEND=$(cd "$(dirname "$WHYPEND")" && pwd)/$(basename "$WHYPEND") ;;
esac
dir=$(mktemp -d "${TMPDIR:-/tmp}/whypend-determinism-XXXXXX") || exit 1
mounted=
pid=
cleanup() {
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$dir" || exit 1
count=0
failed=0

# check TEXT COMMAND...
check() {
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

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIPPED: $2"
}

# ---- inputs: a small scenario, and a log that takes a while ----

cat >slurm.conf <<'END'
ClusterName=det
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=10,bf_resolution=10,default_queue_depth=20
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightJobSize=500
PriorityCalcPeriod=1
AccountingStorageType=accounting_storage/slurmdbd
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-6] CPUs=8 RealMemory=16000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=120 State=UP
PartitionName=debug Nodes=n[1-2] PriorityTier=2 MaxTime=20 State=UP
END

awk 'BEGIN {
	s = 42
	print "{\"schema\": \"whypend-scenario/1\", \"name\": \"det\", \"conf\": \"slurm.conf\", \"seed\": 7, \"jobs\": ["
	for (i = 0; i < 60; i++) {
		s = (s * 16807) % 2147483647; at = s % 3000
		s = (s * 16807) % 2147483647; run = 10 + s % 900
		s = (s * 16807) % 2147483647; tasks = 1 + s % 20
		s = (s * 16807) % 2147483647; extra = s % 8
		printf "%s{\"name\": \"j%d\", \"user\": \"u%d\", \"at\": %d.%d, \"run\": %d, \"ntasks\": %d, \"time\": %d",
			i ? ",\n" : "", i, i % 4, at, s % 10, run, tasks, int(run / 60) + 1 + extra
		if (extra == 0) printf ", \"array\": \"0-5%%2\""
		if (extra == 1) printf ", \"exclusive\": true"
		if (extra == 2) printf ", \"mem_per_cpu\": 3000"
		if (extra == 3 && tasks < 17) printf ", \"partition\": \"debug,batch\""
		printf "}"
	}
	print "],\n\"events\": ["
	print "{\"at\": 1500, \"cmd\": \"scontrol hold @j3\"}, {\"at\": 2500, \"cmd\": \"scontrol release @j3\"}]}"
}' >scenario.json

# 20,000 jobs that pile up on 64 nodes
awk 'BEGIN {
	print "; Version: 2.2"
	print "; MaxNodes: 64"
	print "; MaxProcs: 512"
	print "; UnixStartTime: 1767603600"
	s = 7
	for (i = 1; i <= 20000; i++) {
		s = (s * 16807) % 2147483647; run = 60 + s % 7000
		s = (s * 16807) % 2147483647; procs = 1 + s % 128
		s = (s * 16807) % 2147483647; t += s % 120
		printf "%d %d 0 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 1 -1 -1\n", i, t, run, procs, procs, run + 600, 1 + s % 50
	}
}' >long.swf

# as many that hardly wait: quickly run, and a record of some megabytes
awk '/^;/ { print; next } {
	$2 = NR * 30; $4 = 60 + $4 % 600; $5 = 1 + $5 % 32; $8 = $5; $9 = $4 + 600
	print
}' long.swf >light.swf

# ---- same bytes ----

run() { # FILE OPTION...
	out=$1
	shift
	"$WHYPEND" run --quiet "$@" -o "$out" >"$out.out" 2>"$out.err" || return 1
	"$WHYPEND" dump "$out" >"$out.dump" 2>>"$out.err"
}

same_as_first() { # FILE OPTION...
	out=$1
	shift
	run "$out" "$@" && cmp "$first.dump" "$out.dump"
}

has_jobs() {
	[ "$(grep -c '"COMPLETED"' "$1")" -ge 20 ]
}

for how in slurm/26.05 slurm/22.05 ideal/26.05; do
	clock=${how%/*}
	version=${how#*/}
	set -- scenario.json --clock "$clock" --slurm-version "$version"
	first=a-$clock-$version.db
	check "$how: runs" run "$first" "$@"
	check "$how: the record holds jobs" has_jobs "$first.dump"
	check "$how: a second run gives the same dump" same_as_first "b-$clock-$version.db" "$@"
	check "$how: and the same bytes" cmp "$first" "b-$clock-$version.db"
	check "$how: --naive gives the same dump" same_as_first "n-$clock-$version.db" "$@" --naive
done
first=a-slurm-26.05.db
cat >b-other.conf <slurm.conf
check "an existing file is replaced by an equal one" run "$first" scenario.json
check "with the same bytes as before" cmp "$first" b-slurm-26.05.db

# ---- interrupted ----

left_over() { # FILE: something of it is there
	for f in "$1" "$1".*; do
		case $f in
		*.out | *.err) ;;
		*) [ ! -e "$f" ] || return 0 ;;
		esac
	done
	return 1
}

no_left_over() {
	if left_over "$1"; then
		ls -l "$1"* >&2
		return 1
	fi
	return 0
}

# Start the long run and send SIGNAL once it writes. Sets code and pid.
interrupt() { # SIGNAL FILE
	"$WHYPEND" run --trace long.swf --naive -o "$2" >"$2.out" 2>"$2.err" &
	pid=$!
	tries=0
	while [ ! -s "$2.partial" ] && [ $tries -lt 200 ] && kill -0 "$pid" 2>/dev/null; do
		sleep 0.05
		tries=$((tries + 1))
	done
	began=no
	[ ! -s "$2.partial" ] || began=yes
	sleep 0.2
	kill "-$1" "$pid" 2>/dev/null || began=no
	wait "$pid"
	code=$?
	pid=
}

# A background job of a non-interactive shell ignores SIGINT, unless the program itself asks for it; whypend does.
for signal in INT TERM; do
	[ $signal = INT ] && want=130 || want=143
	interrupt $signal "cut-$signal.db"
	check "SIG$signal: it was under way" [ "$began" = yes ]
	check "SIG$signal: exit code $want (got $code)" [ "$code" -eq "$want" ]
	check "SIG$signal: neither run.db nor .partial is left" no_left_over "cut-$signal.db"
	check "SIG$signal: says so on stderr" grep -q "interrupted.*no cut-$signal.db written" "cut-$signal.db.err"
	check "SIG$signal: nothing on stdout" [ ! -s "cut-$signal.db.out" ]
done
cp "$first" keep.db
interrupt TERM keep.db
check "an interrupted run leaves the old run.db (exit code $code)" cmp "$first" keep.db
check "and no .partial" [ ! -e keep.db.partial ]

# ---- a full disk ----

full() { # FILE: run out of space; sets code
	"$WHYPEND" run --quiet --trace light.swf -o "$1" >full.out 2>full.err
	code=$?
}

check_full() { # WHAT FILE
	check "$1: exit code 1 (got $code)" [ "$code" -eq 1 ]
	check "$1: neither run.db nor .partial is left" no_left_over "$2"
	check "$1: says so on stderr" [ -s full.err ]
}

mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=512k tmpfs small 2>/dev/null; then
	mounted=$dir/small
	full small/run.db
	check_full "full disk" small/run.db
	umount small && mounted=
else
	skip "full disk" "cannot mount a tmpfs here"
fi
# the file size limit: SIGXFSZ is ignored, so that writing fails as it does on a full disk
code=$(
	trap '' XFSZ
	ulimit -f 512 || exit 1
	full limited.db
	echo $code
)
check_full "file size limit" limited.db

echo "1..$count"
[ $failed -eq 0 ]
