#!/bin/sh
# fuzz.sh - "make fuzz": is there a libFuzzer (compiler), and the runs (run BUILD SECONDS).
set -u
case ${1:-} in
compiler)
	tmp=$(mktemp -d) || exit 1
	trap 'rm -rf "$tmp"' EXIT
	if ! command -v clang >/dev/null 2>&1; then
		echo "fuzz: there is no clang; Debian: apt-get install clang libclang-rt-14-dev" >&2
		exit 1
	fi
	cat >"$tmp/t.c" <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}
END
	if ! clang -fsanitize=fuzzer,address,undefined -o "$tmp/t" "$tmp/t.c" 2>"$tmp/err"; then
		major=$(clang -dumpversion | cut -d. -f1)
		echo "fuzz: clang has no libFuzzer; Debian: apt-get install libclang-rt-$major-dev" >&2
		exit 1
	fi
	;;
run)
	build=$2 seconds=$3 bad=0
	for target in "$build"/fuzz-*; do
		[ -x "$target" ] || continue
		name=${target##*/fuzz-}
		mkdir -p "$build/corpus/$name" "$build/found"
		# seeds: small files of the kind that are in the repository; what was found before is kept
		case $name in
		slurmconf) seeds=$(find scenarios tests/conformance/scenarios -name slurm.conf -size -8k) ;;
		scenario) seeds=$(find scenarios tests/conformance/scenarios \( -name scenario.json -o -name jobs.json \) -size -8k) ;;
		*) seeds= ;;
		esac
		for s in $seeds; do cp "$s" "$build/corpus/$name/$(echo "$s" | tr / -)"; done
		case $name in
		hostlist) printf 'n[01-03,07],gpu5' >"$build/corpus/$name/seed" ;;
		swf) printf '; MaxProcs: 8\n; UnixStartTime: 0\n1 0 -1 60 2 -1 -1 2 90 -1 1 1 1 1 1 1 -1 -1\n' >"$build/corpus/$name/seed" ;;
		sacct)
			printf '%s\n' 'JobID|User|Account|Partition|Submit|Start|End|State|ExitCode|NNodes|NCPUS|TimelimitRaw' \
				'7_[1-3]|ann|lab|cpu|2026-01-05T00:00:00|2026-01-05T00:01:00|2026-01-05T01:00:00|COMPLETED|0:0|1|4|90' \
				>"$build/corpus/$name/seed" ;;
		jsonl)
			printf '%s\n' '{"schema":"whypend-workload/1","start":"2026-01-05T00:00:00"}' \
				'{"name":"a","at":1,"user":"ann","array":"0-3%2","gres":"gpu:2","time":"1:00:00","run":60}' \
				>"$build/corpus/$name/seed" ;;
		esac
		printf '%-12s ' "$name"
		if G_SLICE=always-malloc "$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -max_len=16384 \
			-print_final_stats=1 -artifact_prefix="$build/found/$name-" "$build/corpus/$name" \
			>"$build/fuzz-$name.log" 2>&1 </dev/null; then
			awk '/number_of_executed_units/ { n = $2 } /cov:/ { c = $4 } END { print n " inputs, coverage " c }' \
				"$build/fuzz-$name.log"
		else
			bad=1
			echo "FAILED: $build/fuzz-$name.log, the input in $build/found"
			grep -E 'ERROR|SUMMARY|runtime error' "$build/fuzz-$name.log" | head -n 5
		fi
	done
	exit $bad
	;;
*)
	echo "usage: fuzz.sh compiler | run BUILD SECONDS" >&2
	exit 2
	;;
esac
