#!/bin/sh
# man_options.sh PROGRAM - what --help of each subcommand lists, as mdoc: the part of whypend.1 between the marks.
# tests/help_test.sh compares it, and writes it anew with UPDATE_GOLDEN=1. Options that all share stand elsewhere in the page.
set -eu
export LC_ALL=C
program=$1
shared=$("$program" sdiag --help | awk '/^  (-[a-zA-Z], )?--/ { sub(/^  (-[a-zA-Z], )?/, ""); sub(/[ =].*/, ""); if (!/^--(json|reset|sort-by-)/) printf " %s ", $0 }')
for c in $("$program" help | awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' | sort); do
	case $c in version | help) continue ;; esac
	"$program" "$c" --help | awk -v name="$c" -v shared="$shared" '
	/^  (-[a-zA-Z], )?--/ {
		line = substr($0, 3)
		short = ""
		if (line ~ /^-[a-zA-Z], /) { short = substr(line, 2, 1); line = substr(line, 5) }
		about = line
		sub(/^[^ ]+ */, "", about)
		option = line
		sub(/ .*/, "", option)
		value = ""
		if (index(option, "=")) { value = option; sub(/^[^=]*=/, "", value); sub(/=.*/, "", option) }
		if (option == "--help" || (name != "run" && index(shared, " " option " "))) next
		if (!begun) { printf ".Ss whypend %s\n.Bl -tag -width Ds -compact\n", name; begun = 1 }
		printf ".It%s Fl %s", short == "" ? "" : " Fl " short " ,", substr(option, 2)
		if (value != "") printf " Ns = Ns Ar %s", value
		gsub(/\\/, "\\e", about)
		printf "\n%s%s\n", about ~ /^[.'\'']/ ? "\\&" : "", about
	}
	END { if (begun) print ".El" }'
done
