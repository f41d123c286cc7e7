#!/bin/sh
# run-tests.sh BUILD [unit] - run every test, two at a time, and sum up; the end of "make check".
#
# A test is a program or script that runs from the repository's root; its output goes to BUILD/test-logs/NAME.log.
# What it says is counted: cmocka's "[       OK ] name", TAP's "ok 1 - name", or else its exit status as one test. A
# program that dies in the middle has failed the test it was in. With "unit" only the unit test programs run.
#
# The last line is "N passed, N failed", and ", N skipped" when tests could not run here. Exit status 1 if any failed.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:?usage: run-tests.sh BUILD [unit]} which=${2:-all}
logs=$build/test-logs
rm -rf "$logs"
mkdir -p "$logs" || exit 2
case $build in /*) bin=$build ;; *) bin=$PWD/$build ;; esac
export WHYPEND="$bin/whypend" BUILD_DIR="$build"

# counts NAME STATUS: "passed failed skipped", and a line "  failed: test" on stderr for each failure
cat >"$logs/counts.awk" <<'END'
function close_open() { if (open) { failed++; print "  " test ": " open > "/dev/stderr"; open = "" } }
/^\[ RUN      \] / { close_open(); open = substr($0, 14); seen = 1; next }
/^\[       OK \] / { if (open) { passed++; open = "" } next }
/^\[  SKIPPED \] / { if (open) { skipped++; open = "" } next }
/^\[  FAILED  \] / { close_open(); next }
/^not ok / { seen = 1; if ($0 ~ /# *(TODO|SKIP)/) skipped++; else { failed++; print "  " test ": " $0 > "/dev/stderr" } next }
/^ok [0-9]/ { seen = 1; if ($0 ~ /# *SKIP/) skipped++; else passed++; next }
/^(# )?SKIPPED / { said++ }
END {
	close_open()
	if (!seen && status == 0 && said) skipped++
	else if (!seen && status == 0) passed++
	else if (status != 0 && !failed) { failed++; print "  " test ": exit status " status > "/dev/stderr" }
	print passed + 0, failed + 0, skipped + (seen ? said : 0) + 0
}
END

list() {
	for t in tests/unit/*_test.c; do
		n=$(basename "$t" _test.c)
		echo "$n $build/test-$n"
	done
	for t in tests/conformance/*_test.c; do
		[ -e "$t" ] || continue
		n=conformance-$(basename "$t" _test.c)
		echo "$n $build/test-$n"
	done
	[ "$which" = all ] || return
	echo "conformance $build/conformance --check --out $build"
	echo "anchors $build/check-anchors --quick $build"
	for t in tests/*.sh; do
		case $t in tests/debootstrap.sh) continue ;; esac
		[ -x "$t" ] && echo "$(basename "$t" .sh) ./$t"
	done
}

cat >"$logs/one.sh" <<'END'
logs=$1 name=$2
shift 2
"$@" >"$logs/$name.log" 2>&1 </dev/null
echo $? >"$logs/$name.status"
END
# the long ones first
list | awk '{ first = $1 ~ /^(conformance|anchors)$/ || $2 ~ /\.sh$/; print (first ? 0 : 1), NR, $0 }' | sort -n -k1,1 -k2,2 |
	cut -d' ' -f3- >"$logs/list"
xargs -P 2 -L 1 sh "$logs/one.sh" "$logs" <"$logs/list"

passed=0 failed=0 skipped=0
for name in $(cut -d' ' -f1 "$logs/list" | LC_ALL=C sort); do
	status=$(cat "$logs/$name.status" 2>/dev/null || echo 126)
	counts=$(awk -v test="$name" -v status="$status" -f "$logs/counts.awk" "$logs/$name.log" 2>"$logs/failures")
	set -- $counts
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
	printf '%-24s %4d passed' "$name" "$1"
	[ "$2" = 0 ] || printf ', %d FAILED' "$2"
	[ "$3" = 0 ] || printf ', %d skipped' "$3"
	echo
	if [ "$2" != 0 ]; then
		cat "$logs/failures"
		echo "  ---- $logs/$name.log (the last 60 lines)"
		tail -n 60 "$logs/$name.log" | sed 's/^/  | /'
	fi
done
rm -f "$logs/failures"
skips=
[ $skipped = 0 ] || skips=", $skipped skipped"
echo "$passed passed, $failed failed$skips"
[ $failed = 0 ]
