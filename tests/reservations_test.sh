#!/bin/sh
# reservations_test.sh - every form of "scontrol create|update|delete reservation" gets the answer that a real slurmctld 22.05 gave
# (tests/recorded/reservations and reservations-tres; what is not compared, and why, is told there)
. "$(dirname "$0")/cli_helper.sh"
# plain: without the commands, names of those that look, times and numbers of their own
plain() { sed -e 's/ StartTime=[^ ]* EndTime=[^ ]*//' -e 's/^\(ReservationName=\(h6\|U\)\) Duration=[^ ]*/\1/' -e 's/^whypend shell: //' -e 's/^\(Reservation created: .*_\)[0-9]*$/\1N/' -e '/^stopped at /d' -e '/^\$ /d' -e '/^$/d'; }

# answers CONF FILE: the commands of FILE, typed into a shell
answers() {
	rm -rf "$tmp/site"
	mkdir -p "$tmp/site"
	more=
	for file in gres.conf groups; do
		[ -f "$recorded/$file" ] && cp "$recorded/$file" "$tmp/site/"
	done
	[ -f "$recorded/groups" ] && more=', "groups": "groups"'
	cp "$recorded/$1" "$tmp/site/slurm.conf"
	cp "$recorded/accounts.sacctmgr" "$tmp/site/"
	echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "accounting": "accounts.sacctmgr"'"$more"', "jobs": []}' >"$tmp/site/scenario.json"
	{
		echo 'until 00:00:12'
		sed -n 's/^\$ //p' "$2" | while read -r line; do
			user=root
			case $line in "["*) user=${line%%]*} && user=${user#?} && line=${line#*] } ;; esac
			printf 'as %s\n%s\n' "$user" "$line"
		done
	} >"$tmp/typed"
	stdbuf -oL "$WHYPEND" shell --slurm-version 22.05 "$tmp/site" <"$tmp/typed" 2>&1 | plain
}

for recorded in "$here/recorded/reservations" "$here/recorded/reservations-tres"; do
	rm -f "$tmp"/want*
	awk -v out="$tmp/want" '/^==$/ { n++; next } { print >(out (n + 0)) }' "$recorded/answers.txt"
	for part in "0 first" "1 second"; do
		want=$tmp/want${part% *} conf=${part#* }.conf
		answers "$conf" "$want" >"$tmp/got"
		plain <"$want" | diff - "$tmp/got" >"$tmp/err"
		result $? "$(grep -c '^\$' "$want") answers with $conf of ${recorded##*/}"
	done
done
echo "1..$n"
[ "$failed" -eq 0 ]
