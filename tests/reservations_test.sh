#!/bin/sh
# reservations_test.sh - every form of "scontrol create|update|delete reservation" gets the answer that a real slurmctld 22.05 gave
# (tests/recorded/reservations and reservations-tres; what is not compared, and why, is told there)
. "$(dirname "$0")/cli_helper.sh"
# plain: without the commands, names of those that look, times and numbers of their own
plain() { sed -e 's/ StartTime=[^ ]* EndTime=[^ ]*//' -e 's/^\(ReservationName=\(h6\|U\)\) Duration=[^ ]*/\1/' -e 's/^whypend shell: //' -e 's/^\(Reservation created: .*_\)[0-9]*$/\1N/' -e 's/^delete_reservation reservation=[^:]*/delete_reservation reservation/' -e '/^stopped at /d' -e '/^\$ /d' -e '/^$/d'; }

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

# views know the jobs of the scenario, and one that finds nothing does not end the run
cp "$here/recorded/reservations/first.conf" "$tmp/slurm.conf"
cat >"$tmp/views.json" <<'END'
{"schema": "whypend-scenario/1", "conf": "slurm.conf",
 "jobs": [{"name": "a", "user": "u", "ntasks": 1, "time": 1, "run": 30}, {"name": "b", "user": "u", "array": "0-1", "ntasks": 1, "time": 1, "run": 50},
          {"name": "c", "user": "u", "at": 1, "ntasks": 1, "time": 1, "run": 5, "depends": "afterburstbuffer:@a,afterany:@b_*"}],
 "events": [{"at": 10, "view": "squeue -h -j @b_1,@a -S i -o '%A %j'"}, {"at": 11, "view": "scontrol show job 99"}, {"at": 11, "view": "squeue -h -j @c -o %E"},
            {"at": 12, "view": "scontrol show job @a -o"}]}
END
expect 0 "views with names of jobs" run --quiet -o views.db views.json
says out "1 a
2 b"
says out "afterburstbuffer:1(unfulfilled),afterany:2_*(unfulfilled)"
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

# reservations of GPUs, of 26.05: shown, kept from others, told, and the same in a snapshot
mkdir -p "$tmp/gpus"
cp "$here/recorded/reservations-tres/first.conf" "$tmp/gpus/slurm.conf"
cp "$here/recorded/reservations-tres/gres.conf" "$here/recorded/reservations-tres/groups" "$tmp/gpus/"
cat >"$tmp/gpus/scenario.json" <<-'EOF'
	{"schema": "whypend-scenario/1", "conf": "slurm.conf", "groups": "groups", "until": 1900, "jobs": [
	 {"name": "in2", "at": 5, "user": "bob", "ntasks": 1, "mem": 1000, "gres": "gpu:2", "time": 2, "run": 60, "reservation": "course"},
	 {"name": "in3", "at": 5, "user": "bob", "ntasks": 1, "mem": 1000, "gres": "gpu:3", "time": 2, "run": 60, "reservation": "course"},
	 {"name": "out3", "at": 6, "user": "ann", "ntasks": 1, "mem": 1000, "gres": "gpu:3", "time": 2, "run": 60, "nodelist": "n01"},
	 {"name": "out2", "at": 7, "user": "ann", "ntasks": 1, "mem": 1000, "gres": "gpu:2", "time": 2, "run": 60, "nodelist": "n02"}],
	 "events": [
	  {"at": 1, "cmd": "scontrol create reservation=course StartTime=now Duration=10 Groups=chem Nodes=n01 TRES=gres/gpu=2"},
	  {"at": 1, "cmd": "scontrol create reservation=other StartTime=now Duration=10 Users=root NodeCnt=2 TRESPerNode=gres/gpu:h100=1,cpu=3"}]}
EOF
expect 0 "a reservation of GPUs" scontrol show reservation --at 10 gpus
says out "     NodeName=n01 CoreIDs=0-7 GRES=gpu:h100:2(IDX:0-1)"
says out "   TRES=cpu=8,gres/gpu=2"
says out "     NodeName=n02 CoreIDs=0-2 GRES=gpu:h100:1(IDX:0)"
says out "Users=(null) Groups=chem"
expect 0 "... in JSON" scontrol show reservation --json --at 10 gpus
says out '"core": "0-7"'
expect 0 "... keeps them from others" squeue --at 10 gpus
says out " 3     batch     out3      ann PD       0:00      1 (Resources)"
expect 0 "... and others from its jobs" explain 2 gpus
says out "gpu in batch: free 0, wanted 3"
expect 0 "... which fit tells" fit "-n1 --mem=1000 --gres=gpu:3 -w n01" --at 4 gpus
says out "1 of 4 gpu free, 3 wanted, 3 kept by reservations"
expect 0 "... and nothing is held twice" run --audit -o whole.db gpus
expect 0 "... a snapshot" snapshot --quiet --at 10 -o moment gpus
grep "NodeName=n01 CoreIDs=0-7 GRES=gpu:h100:2(IDX:0-1)" "$tmp/moment/scontrol-show-res.txt" >/dev/null
result $? "... has its cores and GPUs"
expect 0 "... and goes on the same way" forecast moment
says out "                 3      batch     out3      ann 2026-01-05T00:10:01 2026-01-05T00:10:01 2026-01-05T00:10:01  100%"
expect 0 "22.05 has none" scontrol --slurm-version 22.05 show reservation --at 10 gpus
says out "No reservations in the system"
echo "1..$n"
[ "$failed" -eq 0 ]
