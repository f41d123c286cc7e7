#!/bin/sh
# programs_test.sh - programs of Debian that people use with Slurm, unmodified, on the links of `whypend links`.
#
# nodeset of clustershell with its own slurm.conf.example, the information system of NorduGrid ARC (nordugrid-arc-arex), and what
# Toil (toil) asks Slurm. Each is left out where it is not installed; PROGRAMS=DIR looks for them below DIR instead of /, as
# `apt-get download clustershell python3-clustershell nordugrid-arc-arex toil` and `dpkg-deb -x` leave them.
#   UPDATE_GOLDEN=1 tests/programs_test.sh     writes the expected texts anew, to be read before they are committed
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
case ${WHYPEND:=$root/build/whypend} in /*) ;; *) WHYPEND=$PWD/$WHYPEND ;; esac
tmp=$(mktemp -d "${TMPDIR:-/tmp}/whypend-programs.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C TZ=UTC
base=${PROGRAMS:-} expected=$root/tests/commands/programs
PYTHONPATH=$base/usr/lib/python3/dist-packages LINKS=$tmp/links ARC_SHARE=$base/usr/share/arc
WHYPEND_SCENARIO=$root/scenarios/first-look WHYPEND_AT=60
export PYTHONPATH LINKS ARC_SHARE WHYPEND_SCENARIO WHYPEND_AT
mkdir "$LINKS" && "$WHYPEND" links "$LINKS" >/dev/null || exit 1
PATH=$LINKS:$PATH
n=0 failed=0

program() { # NAME NEEDED-FILE COMMAND...
	name=$1 needed=$2
	shift 2
	n=$((n + 1))
	if ! [ -e "$needed" ] || ! command -v "$1" >/dev/null 2>&1; then
		echo "ok $n - $name # SKIP not installed"
		return
	fi
	"$@" >"$tmp/have" 2>&1
	[ -z "${UPDATE_GOLDEN:-}" ] || cp "$tmp/have" "$expected/$name.txt"
	if diff -u "$expected/$name.txt" "$tmp/have" >"$tmp/diff"; then
		echo "ok $n - $name on the links"
	else
		failed=$((failed + 1))
		echo "not ok $n - $name on the links"
		sed 's/^/# /' "$tmp/diff"
	fi
}

groups() {
	for words in "-s sp -l" "-s sp -f @gpu" "-s st -ll" "-s sj -ll" "-s su -ll" "-f @sp:gpu!@st:allocated" "-s su -e @alice" \
		"-c @sj:1"; do
		echo "nodeset $words"
		# shellcheck disable=SC2086
		python3 "$base/usr/bin/nodeset" $words
	done
}

CLUSTERSHELL_CFGDIR=$tmp/clustershell
export CLUSTERSHELL_CFGDIR
mkdir -p "$CLUSTERSHELL_CFGDIR/groups.conf.d"
printf '[Main]\ndefault: slurmpart\nconfdir: $CFGDIR/groups.conf.d\n' >"$CLUSTERSHELL_CFGDIR/groups.conf"
example=$base/etc/clustershell/groups.conf.d/slurm.conf.example
[ ! -r "$example" ] || cp "$example" "$CLUSTERSHELL_CFGDIR/groups.conf.d/slurm.conf"
program clustershell "$example" groups
program arc "$ARC_SHARE/LRMSInfo.pm" perl "$expected/run_arc.pl"
program toil "$PYTHONPATH/toil/batchSystems/slurm.py" python3 "$expected/run_toil.py"
echo "1..$n"
[ "$failed" -eq 0 ]
