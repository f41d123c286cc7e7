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
		# seeds: tests/fuzz/corpus, and small files of the kind that are in the repository; what was found before is kept
		cp tests/fuzz/corpus/"$name"/* "$build/corpus/$name/" 2>/dev/null
		case $name in
		slurmconf) seeds=$(find scenarios tests/conformance/scenarios -name slurm.conf -size -8k) ;;
		scenario) seeds=$(find scenarios tests/conformance/scenarios \( -name scenario.json -o -name jobs.json \) -size -8k) ;;
		expect) seeds=$(find scenarios tests/check -name scenario.json -size -8k) ;;
		accounting) seeds=$(find scenarios tests/conformance/scenarios -name '*.sacctmgr' -size -8k) ;;
		gresconf) seeds=$(find scenarios tests/conformance/scenarios -name gres.conf -size -8k) ;;
		nodemodel) seeds=$(find models/hardware -maxdepth 1 -name '*.json' -size -16k) ;;
		*) seeds= ;;
		esac
		for s in $seeds; do cp "$s" "$build/corpus/$name/$(echo "$s" | tr / -)"; done
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
