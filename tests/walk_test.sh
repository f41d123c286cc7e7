#!/bin/sh
# walk_test.sh - the walks of README.md print what the README says that they print.
#
# A walk is a block ```console: lines "$ COMMAND" and, under each, its output. The commands run in order in a directory in
# which scenarios/ lies; what they print must be what stands there, byte for byte.
#   UPDATE_GOLDEN=1 tests/walk_test.sh     writes the blocks of README.md anew, to be read before it is committed
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
case ${WHYPEND:=$root/build/whypend} in /*) ;; *) WHYPEND=$PWD/$WHYPEND ;; esac
tmp=$(mktemp -d "${TMPDIR:-/tmp}/whypend-walk.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C TZ=UTC COLUMNS=80
PATH=$(dirname "$WHYPEND"):$PATH
export PATH
mkdir -p "$tmp/work/scenarios" && cp -R "$root/scenarios/first-look" "$tmp/work/scenarios/" || exit 1
cd "$tmp/work" || exit 1

n=0 inside=
while IFS= read -r line || [ -n "$line" ]; do
	case $inside$line in
	'```console') inside=yes ;;
	'yes```') inside= ;;
	'yes$ '*)
		printf '%s\n' "$line" >>"$tmp/readme"
		n=$((n + 1))
		sh -c "${line#??}" >>"$tmp/readme" 2>&1 </dev/null
		continue
		;;
	yes*) continue ;;
	esac
	printf '%s\n' "$line" >>"$tmp/readme"
done <"$root/README.md"

[ -z "${UPDATE_GOLDEN:-}" ] || cp "$tmp/readme" "$root/README.md"
if [ $n -gt 0 ] && diff -u "$root/README.md" "$tmp/readme" >"$tmp/diff"; then
	echo "ok 1 - $n commands of README.md's walks print what it says"
else
	echo "not ok 1 - $n commands of README.md's walks print what it says"
	sed 's/^/# /' "$tmp/diff"
	exit 1
fi
echo "1..1"
