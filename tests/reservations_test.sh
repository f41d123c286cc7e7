#!/bin/sh
# reservations_test.sh - every form of "scontrol create|update|delete reservation" gets the answer that a real slurmctld 22.05 gave
# (tests/recorded/reservations; what is not compared, and why, is told there)
. "$(dirname "$0")/cli_helper.sh"
recorded=$here/recorded/reservations

# plain: without the commands, names of those that look, times and numbers of their own
plain() { sed -e 's/ StartTime=[^ ]* EndTime=[^ ]*//' -e 's/^\(ReservationName=\(h6\|U\)\) Duration=[^ ]*/\1/' -e 's/^whypend shell: //' -e 's/^\(Reservation created: .*_\)[0-9]*$/\1N/' -e 's/^delete_reservation reservation=[^:]*/delete_reservation reservation/' -e '/^stopped at /d' -e '/^\$ /d' -e '/^$/d'; }

# answers CONF FILE: the commands of FILE, typed into a shell
answers() {
	mkdir -p "$tmp/site"
	cp "$recorded/$1" "$tmp/site/slurm.conf"
	cp "$recorded/accounts.sacctmgr" "$tmp/site/"
	echo '{"schema": "whypend-scenario/1", "conf": "slurm.conf", "accounting": "accounts.sacctmgr", "jobs": []}' >"$tmp/site/scenario.json"
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

awk -v out="$tmp/want" '/^==$/ { n++; next } { print >(out (n + 0)) }' "$recorded/answers.txt"
for part in "0 first" "1 second"; do
	want=$tmp/want${part% *} conf=${part#* }.conf
	answers "$conf" "$want" >"$tmp/got"
	plain <"$want" | diff - "$tmp/got" >"$tmp/err"
	result $? "$(grep -c '^\$' "$want") answers with $conf"
done

# views know the jobs of the scenario, and one that finds nothing does not end the run
cp "$recorded/first.conf" "$tmp/slurm.conf"
cat >"$tmp/views.json" <<'END'
{"schema": "whypend-scenario/1", "conf": "slurm.conf",
 "jobs": [{"name": "a", "user": "u", "ntasks": 1, "time": 1, "run": 30}, {"name": "b", "user": "u", "array": "0-1", "ntasks": 1, "time": 1, "run": 50}],
 "events": [{"at": 10, "view": "squeue -h -j @b_1,@a -S i -o '%A %j'"}, {"at": 11, "view": "scontrol show job 99"},
            {"at": 12, "view": "scontrol show job @a -o"}]}
END
expect 0 "views with names of jobs" run --quiet -o views.db views.json
says out "1 a
2 b"
says out "JobId=1 JobName=a "
says err "Invalid job id specified"
[ -s "$tmp/views.db" ]
result $? "... and the record is there"

# who waits for a reservation that is deleted, and what the next commands make of it (26.05)
cat >"$tmp/held.json" <<'END'
{"schema": "whypend-scenario/1", "conf": "slurm.conf",
 "jobs": [{"name": "a", "at": 5, "user": "u", "ntasks": 1, "time": 1, "run": 30, "reservation": "r"}],
 "events": [{"at": 1, "cmd": "scontrol create reservation=r users=u nodes=n01 starttime=now+600 duration=10 flags=user_delete"},
            {"at": 6, "cmd": "scontrol delete reservation=r", "user": "v"}, {"at": 7, "view": "squeue -h -o '%t %T %r'"},
            {"at": 8, "cmd": "scontrol delete reservation=r", "user": "u"}, {"at": 9, "view": "squeue -h -t RD -o '%t %T %r'"},
            {"at": 10, "cmd": "scontrol release @a"}, {"at": 15, "view": "squeue -h -o '%t %T %r'"}], "until": 100}
END
expect 0 "a deleted reservation" run --quiet held.json
says out "PD PENDING Reservation"
says out "RD RESV_DEL_HOLD Reservation r was deleted"
says out "R RUNNING None"
echo "1..$n"
[ "$failed" -eq 0 ]
