#!/bin/sh
# readme_test.sh - every command of README.md's ```sh blocks runs and succeeds, in order, as it stands there.
#
# A command is a line, with its continuation lines (backslash, here-document) and the comment lines taken out. Commands
# that install, need root or run the tests themselves are not run: NOT_RUN lists them, and each is told. The commands
# run in a directory of their own in which the scenarios lie, with whypend on the PATH.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
case ${WHYPEND:=$root/build/whypend} in /*) ;; *) WHYPEND=$PWD/$WHYPEND ;; esac
NOT_RUN='^(make|sudo|git clone|cd|apt-get|\./tests/debootstrap\.sh|tests/debootstrap\.sh)( |$)'
tmp=$(mktemp -d "${TMPDIR:-/tmp}/whypend-readme.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C TZ=UTC
PATH=$(dirname "$WHYPEND"):$PATH
export PATH

# one file a command: $tmp/commands/0001 ...
mkdir "$tmp/commands" "$tmp/work" && mkdir "$tmp/work/scenarios" || exit 1
cp -R "$root/scenarios/first-look" "$tmp/work/scenarios/"
mkdir -p "$tmp/work/tests/conformance/scenarios"
cp -R "$root/tests/conformance/scenarios/hetero" "$root/tests/conformance/scenarios/qos-minutes" "$tmp/work/tests/conformance/scenarios/"
mkdir -p "$tmp/work/tests/commands" && cp -R "$root/tests/commands/state" "$tmp/work/tests/commands/"
awk -v dir="$tmp/commands" '
function out(line) { print line >file; }
/^```/ { fence = ($0 == "```sh" && !inside); inside = !inside; if (!inside) fence = 0; next }
!fence { next }
!more && !end && (/^[[:space:]]*$/ || /^[[:space:]]*#/) { next }
!more && !end { if (file) close(file); file = sprintf("%s/%04d", dir, ++n) }
{ out($0) }
end { if ($0 == end) end = ""; next }
match($0, /<<-?.?[A-Z]+/) { end = substr($0, RSTART, RLENGTH); gsub(/[^A-Z]/, "", end) }
{ more = /\\$/ }
' "$root/README.md"

n=0 failed=0
cd "$tmp/work" || exit 1
for file in "$tmp"/commands/*; do
	first=$(head -n 1 "$file")
	if head -n 1 "$file" | grep -E "$NOT_RUN" >/dev/null; then
		printf '# not run here: %s\n' "$first"
		continue
	fi
	n=$((n + 1))
	if sh -e "$file" >"$tmp/out" 2>&1 </dev/null; then
		printf 'ok %d - %s\n' $n "$first"
	else
		printf 'not ok %d - %s\n' $n "$first"
		sed 's/^/# /' "$tmp/out" | head -n 20
		failed=$((failed + 1))
	fi
done
echo "1..$n"
[ $n -gt 0 ] && [ $failed = 0 ]
