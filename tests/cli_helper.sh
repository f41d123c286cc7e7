# cli_helper.sh - what the tests of the command share; to be sourced by a script of this directory: a directory of its own,
# and TAP lines. At the end: echo "1..$n"; [ "$failed" -eq 0 ]
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
case ${WHYPEND:=$root/build/whypend} in /*) ;; *) WHYPEND=$PWD/$WHYPEND ;; esac
tmp=$(mktemp -d "${TMPDIR:-/tmp}/whypend-cli.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C TZ=UTC
n=0 failed=0

result() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		failed=$((failed + 1))
		echo "not ok $n - $2"
		sed 's/^/# /' "$tmp/out" "$tmp/err" "$tmp/diff" 2>/dev/null | head -n 30
	fi
}

# expect CODE NAME ARGS...: run whypend in $tmp and check its exit code; its output stays in $tmp/out and $tmp/err
expect() {
	want=$1 name=$2
	shift 2
	(cd "$tmp" && "$WHYPEND" "$@") >"$tmp/out" 2>"$tmp/err"
	code=$?
	[ "$code" -eq "$want" ] || echo "# exit code $code, not $want" >>"$tmp/err"
	[ "$code" -eq "$want" ]
	result $? "$name"
}

says() { # FILE TEXT: the output holds TEXT
	grep -F -e "$2" "$tmp/$1" >/dev/null
	result $? "... says: $2"
}

no_output() { # nothing that looks like a record is left
	[ ! -e "$tmp/run.db" ] && [ ! -e "$tmp/run.db.partial" ]
	result $? "... and no output file appears"
}

golden() { # NAME ARGS...
	file=$here/golden/$1.txt name=$1
	shift
	expect 0 "$name" "$@"
	[ -z "${UPDATE_GOLDEN:-}" ] || cp "$tmp/out" "$file"
	diff -u "$file" "$tmp/out" >"$tmp/diff" 2>&1
	same=$?
	cp "$tmp/diff" "$tmp/out"
	result $same "... as in tests/golden/$name.txt"
}

