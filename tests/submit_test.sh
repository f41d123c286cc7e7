#!/bin/sh
# submit_test.sh - sbatch and scancel as events of a scenario and in the shell: every option of the documentation, scripts,
# heterogeneous jobs, signals, steps; and what is refused.
. "$(dirname "$0")/cli_helper.sh"
cd "$tmp" || exit 2
cat >slurm.conf <<'CONF'
ClusterName=st
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
AccountingStorageTRES=gres/gpu
Licenses=matlab:4
NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=16000 TmpDisk=1000 Gres=gpu:h100:4 Feature=fast
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=7-0 State=UP DefMemPerCPU=1000 OverSubscribe=YES
PartitionName=q Nodes=n[1-4] MaxTime=7-0 State=UP DefMemPerCPU=1000
CONF
echo 'NodeName=n[1-4] Name=gpu Type=h100 Count=4 File=/dev/nvidia[0-3]' >gres.conf
head='{"schema":"whypend-scenario/1","conf":"slurm.conf","gres":"gres.conf","start":"2026-01-05T00:00:00"'
scenario() { # FILE: events from standard input, "AT|USER|COMMAND" a line
	{
		printf '%s,"jobs":[{"name":"first","user":"ann","at":0,"run":1,"ntasks":1}],"events":[' "$head"
		sed 's/\\/\\\\/g; s/"/\\"/g' | awk -F'|' '{ printf "%s{\"at\":%s,\"user\":\"%s\",\"cmd\":\"", (NR > 1 ? "," : ""), $1, $2
			c = $3; for (i = 4; i <= NF; i++) c = c "|" $i; print c "\"}" }'
		echo ']}'
	} >"$1"
}

# every option that the table of the documentation names, on a line of its own; none may be refused when it is read
cat >options <<'END2'
-A root
--account=root
-a 1-3%2
--array=1-9:4
--begin=now+60
-b 2026-02-01T00:00
-C fast
--constraint=fast
--prefer=fast
--contiguous
-S 1
--core-spec=1
--cores-per-socket=2
--sockets-per-node=1
--threads-per-core=1
-B 1:2:*
--cpus-per-gpu=1 --gpus=1
-c 2
--deadline=2026-03-01T00:00
--delay-boot=5
-d singleton
--dependency=afterany:1?afterok:1
--distribution=cyclic:block
-m block
-x n4
--exclude=n4
--exclusive
--exclusive=user
--extra=foo=bar
-G h100:1
--gpus=2
--gpus-per-node=1
--gpus-per-socket=1 --sockets-per-node=1
--gpus-per-task=1 -n2
--gres=gpu:h100:1
--gres-flags=enforce-binding --gres=gpu:1
--hint=nomultithread
-H
--hold
-J other
--kill-on-invalid-dep=yes
-L matlab:2
--licenses=matlab
--mem=2G
--mem-per-cpu=500M
--mem-per-gpu=1G --gpus=1
--mincpus=2
--nice
--nice=100
-F hosts
--nodefile=hosts
-w n1
--nodelist=n[1-2] -N2
--nodelist=./hosts
-N 1-2
--nodes=1,2
-k
--no-kill
-n 2
--ntasks=4
--ntasks-per-node=2
--ntasks-per-core=1
--ntasks-per-socket=1
--ntasks-per-gpu=1 --gpus=1
-O
--overcommit
-s
--oversubscribe
-p p,q
--priority=TOP
-q normal
--qos=normal
--reboot
--requeue
--requeue=expedite
--no-requeue
--segment=1
--consolidate-segments
--spread-segments
--signal=B:USR1@120
--spread-job
--use-min-nodes
--switches=1@10:00
-t 1-0
--time=10:30
--time-min=5 --time=10
--tmp=100M
--tres-per-task=cpu=2,gres/gpu=1
--uid=eve
--user=eve
--wckey=w
--mcs-label=m
--comment=x
-D /tmp
-o out.%j
-e err.%j
--mail-type=END,FAIL
--mail-user=x
--export=NONE
--open-mode=append
-i /dev/null
--propagate
--profile=none
--acctg-freq=30
-v
-Q
--parsable
-W
--container=/x
--container-id=1
--bb=capacity=1
--bbf=file
--cpu-freq=low
--gpu-freq=low
--gpu-bind=none
--mem-bind=none
--network=x
--oom-kill-step=1
--stepmgr
--x11
-M st
--ignore-pbs
--get-user-env
--thread-spec=1
--share
END2
echo n2 >hosts
awk '{ print NR + 1 "|root|sbatch " $0 " --wrap \"sleep 5\"" }' options | scenario options.json
"$WHYPEND" run --quiet -o o.db options.json >out 2>err
result $? "all $(wc -l <options) forms of options are understood"
"$WHYPEND" sacct --quiet -X -n -P -o JobName,User options.json | sort | uniq -c >out
says out "other|root"
says out "wrap|eve"

# what they bring about
scenario b.json <<'END2'
1|ann|sbatch -J held -H -t 5 --wrap 'sleep 5'
2|ann|sbatch -J sweep --array=0-3%1 -n1 -t 5 --wrap 'sleep 50'
3|ann|sbatch -J dep -d afterok:@sweep --kill-on-invalid-dep=yes -t 5 --wrap 'sleep 5'
4|ann|sbatch -J begin --begin=now+1hour -t 5 --nice=7 --wrap 'sleep 5'
5|ann|sbatch -J sig --signal=B:USR1@60 -t 5 --no-requeue -x n1 --licenses=matlab:3 -p q --time-min=2 --comment=hi --wrap 'sleep 100'
END2
"$WHYPEND" scontrol --quiet show job --at 30 b.json >out 2>err
says out "JobState=PENDING Reason=JobHeldUser"
says out "Dependency=afterok:3(unfulfilled)"
says out "Reason=BeginTime"
says out "StartTime=2026-01-05T01:00:04"
says out "Nice=7"
says out "Requeue=0"
says out "ExcNodeList=n1"
says out "Licenses=matlab:3"
says out "TimeMin=00:02:00"
"$WHYPEND" sacct --quiet -X -n -P -o JobName,State,Elapsed b.json | sort >out
printf 'begin|COMPLETED|00:00:05\ndep|COMPLETED|00:00:05\nfirst|COMPLETED|00:00:01\nheld|PENDING|00:00:00\nsig|COMPLETED|00:01:40\nsweep|COMPLETED|00:00:50\nsweep|COMPLETED|00:00:50\nsweep|COMPLETED|00:00:50\nsweep|COMPLETED|00:00:50\n' | diff - out >err
result $? "they run as long as their script sleeps"

# scripts, components, steps
cat >job.sh <<'END2'
#!/bin/bash
#SBATCH -J fit -n4 --mem-per-cpu=500   # four
#SBATCH --time="20"
##SBATCH -n9
module load cuda
export X=4
#SBATCH -n99
srun -n1 -c2 -J prep --mem=300M sleep 30
for i in {1..3}; do
  Y=$i srun -n1 --exact --gpus=1 sleep 1m &
done
wait
srun --ntasks=2 ./train --epochs 5 > log 2>&1
srun -t 1 sleep 90
exit 2
END2
cat >het.sh <<'END2'
#!/bin/sh
#SBATCH -J big -n2 -t 10
#SBATCH hetjob
#SBATCH -n4 -N2 -p q
srun sleep 20
END2
scenario c.json <<'END2'
1|ann|sbatch --run=400 --gpus=2 job.sh
2|bob|sbatch het.sh
3|bob|sbatch -n1 -t 5 : -n2 -t 5 -p q --wrap 'srun sleep 30'
4|bob|sbatch -t 9 --run=100 --wrap 'if true; then srun -n1 a.out; fi'
END2
"$WHYPEND" sacct --quiet --clock ideal --steps -n -P -o JobID,JobName,Elapsed,State,ExitCode,NTasks,NNodes c.json | grep -v '^1' >out 2>err
cat >want <<'END2'
2|fit|00:06:40|FAILED|2:0||1
2.batch|batch|00:06:40|FAILED|2:0|1|1
2.0|prep|00:00:30|COMPLETED|0:0|1|1
2.1|sleep|00:01:00|COMPLETED|0:0|1|1
2.2|sleep|00:01:00|COMPLETED|0:0|1|1
2.3|sleep|00:01:00|COMPLETED|0:0|1|1
2.4|train|00:04:10|COMPLETED|0:0|2|1
2.5|sleep|00:01:00|TIMEOUT|0:15|4|1
3+0|big|00:00:20|COMPLETED|0:0||1
3+0.batch|batch|00:00:20|COMPLETED|0:0|1|1
3+0.0|sleep|00:00:20|COMPLETED|0:0|2|1
3+1|big|00:00:20|COMPLETED|0:0||2
5+0|wrap|00:00:30|COMPLETED|0:0||1
5+0.batch|batch|00:00:30|COMPLETED|0:0|1|1
5+0.0|sleep|00:00:30|COMPLETED|0:0|1|1
5+1|wrap|00:00:30|COMPLETED|0:0||1
7|wrap|00:01:40|COMPLETED|0:0||1
7.batch|batch|00:01:40|COMPLETED|0:0|1|1
7.0|a.out|00:01:40|COMPLETED|0:0|1|1
END2
diff want out >err
result $? "scripts: directives, steps of srun lines, hetjob and \":\""
printf '%s,"jobs":[{"name":"viaj","at":1,"user":"ann","script":"job.sh","run":400,"ntasks":8}]}' "$head" >j.json
"$WHYPEND" sacct --quiet --clock ideal --steps -n -P -o JobID,JobName,NTasks,NCPUS,TimelimitRaw j.json >out 2>err
says out "1|viaj||8|20"
says out "1.4|train|2|2|"
echo 'steps in a script' >notes
bad() { # COMMAND, message
	printf '1|ann|%s\n' "$1" | scenario bad.json
	"$WHYPEND" run --quiet bad.json >out 2>err
	[ $? -ne 0 ] && grep -qF -- "$2" err
	result $? "refused: $1"
}
printf '#!/bin/sh\n#SBATCH --nosuch=3\n' >b1.sh
printf '#!/bin/sh\n#SBATCH -n1 junk\n' >b2.sh
printf '#!/bin/sh\r\n#SBATCH -n1\r\n' >b3.sh
printf '#!/bin/sh\n#SIM speed=3\n' >b4.sh
: >b5.sh
bad 'sbatch --nosuch --wrap x' 'unknown option "--nosuch"'
bad 'sbatch -n abc --wrap x' 'Invalid numeric value "abc" for --ntasks'
bad 'sbatch --mem=1.5G --wrap x' 'Invalid --mem specification'
bad 'sbatch --mail-type=foo --wrap x' 'Invalid --mail-type specification'
bad 'sbatch --open-mode=x --wrap x' 'Invalid --open-mode specification'
bad 'sbatch --delay-boot=x --wrap x' 'Invalid --delay-boot specification'
bad 'sbatch none.sh' 'Unable to open file none.sh'
bad 'sbatch .' 'Batch script is empty!'
bad 'sbatch b5.sh' 'Batch script is empty!'
bad 'sbatch notes' 'This does not look like a batch script'
bad 'sbatch b1.sh' 'unknown option "--nosuch=3"'
bad 'sbatch b2.sh' 'Invalid directive found in batch script: junk'
bad 'sbatch b3.sh' 'Batch script contains DOS line breaks'
bad 'sbatch b4.sh' '#SIM: "speed=3" is not understood'
bad 'sbatch --mem=1 --mem-per-cpu=2 --wrap x' '--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.'
bad 'sbatch --gpus=2 --cpus-per-gpu=2 -c 2 --wrap x' '--cpus-per-task, --tres-per-task=cpu:#, and --cpus-per-gpu are mutually exclusive'
bad 'sbatch --gpus-per-node=1 --gres=gpu:1 --wrap x' '--gpus-per-node and --gres=gpu are mutually exclusive.'
bad 'sbatch -s --exclusive=user --wrap x' '--exclusive and --oversubscribe options are mutually exclusive'
bad 'sbatch -S 1 --thread-spec=1 --wrap x' '--thread-spec options are mutually exclusive'
bad 'sbatch --gpus-per-task=1 --ntasks-per-gpu=1 --wrap x' '--gpus-per-task is mutually exclusive with --ntasks-per-gpu'
bad 'sbatch --tres-per-task=cpu=2 -c 2 --wrap x' 'You can not have --tres-per-task=cpu= and --cpus-per-task'
bad 'sbatch --segment=3 -N4 --wrap x' '--segment=3 does not fit the job size (4)'
printf '1|ann|sbatch -s --exclusive --wrap x\n' | scenario old.json
"$WHYPEND" run --quiet --slurm-version 22.05 old.json >out 2>err
result $? "22.05 lets --exclusive and --oversubscribe stand together"
bad 'sbatch --array=1-3 : -n1 --wrap x' 'Invalid job array specification'
bad 'sbatch --run=soon --wrap x' '--run=soon: write seconds, 10:00 or 1:00:00'
bad 'sbatch -F nohosts --wrap x' 'Unable to open file nohosts'
bad 'scancel' 'No job identification provided'
bad 'scancel --state=FOO 1' 'Invalid job state specified: FOO; Valid job states are PENDING, RUNNING, and SUSPENDED'
bad 'scancel --signal=FOO 3' 'Unknown job signal: FOO'
bad 'scancel --nosuch 3' "unrecognized option '--nosuch'"
bad 'scancel abc' '"abc" is no job'
bad 'scancel -i 1' 'scancel -i asks, and nobody is there to answer'
grep -qF 'bad.json:1:' err
result $? "... with its place"

# scancel: options one by one. Six jobs, of which each line hits the ones named
jobs='1|ann|sbatch -J a -A x -n1 -t 20 --run=900 -w n1
2|ann|sbatch -J b -A x -n1 -t 20 --run=900 -p q -w n2 --wckey=k
3|bob|sbatch -J c -A y -n1 -t 20 --run=900 -w n3
4|bob|sbatch -J d -A y -n1 -t 20 --run=900 -H
5|bob|sbatch -J e -A y -n1 -t 20 --run=900 --array=1-4%2 -w n4
6|ann|sbatch -J f -n1 -t 20 --run=900 -w n1 : -n1 -w n2'
hits() { # USER, COMMAND, names of jobs that are cancelled
	printf '%s\n60|%s|%s\n' "$jobs" "$1" "$2" | scenario h.json
	"$WHYPEND" sacct --quiet --at 62 -X -n -P -o JobName,State h.json | grep CANCELLED | cut -d'|' -f1 | sort -u | tr '\n' ' ' >out 2>err
	[ "$(cat out)" = "$3" ]
	result $? "$1: $2 -> $3"
}
hits root 'scancel -u ann' 'a b f '
hits root 'scancel --user=bob' 'c d e '
hits root 'scancel --account=x' 'a b '
hits root 'scancel -A x,y' 'a b c d e '
hits root 'scancel -p q' 'b '
hits root 'scancel --name=c' 'c '
hits root 'scancel --jobname=c,d' 'c d '
hits root 'scancel -w n3' 'c '
hits root 'scancel --nodelist=n[1-2]' 'a b f '
hits root 'scancel --wckey=k' 'b '
hits root 'scancel -q nosuch' ''
hits root 'scancel -R nosuch' ''
hits root 'scancel -t PD' 'd e '
hits root 'scancel --state=RUNNING -u bob' 'c e '
hits root 'scancel --state=S' ''
hits bob 'scancel -t pending' 'd e '
hits bob 'scancel --me' 'c d e '
hits bob 'scancel --me -n c --ctld --hurry -Q -v -M st' 'c '
hits ann 'scancel -u bob' ''
hits root 'scancel 2 4 -u ann' 'a '
hits root 'scancel 77' ''
hits root 'scancel -t R 6' 'e '
hits root 'scancel 6_[3-4]' 'e '
hits root 'scancel -s KILL 2' 'a '
hits root 'scancel --signal=9 -t PD 6_4' 'e '
hits root 'scancel --cron --sibling=x -n d' 'd '
printf '%s\n60|ann|scancel -u bob -n c\n61|root|scancel -s USR1 5\n62|root|scancel 77\n' "$jobs" | scenario h.json
"$WHYPEND" run --quiet -o h.db h.json >/dev/null 2>&1
"$WHYPEND" dump h.db >out 2>err
says out "Kill job error on job id 4: Access/permission denied"
says out "Kill job error on job id 5: Job is pending execution"
says out "Invalid job id specified"

# signals
scenario s.json <<'END2'
1|ann|sbatch -J steps -n1 -t 20 --wrap 'srun sleep 100; srun sleep 100'
1|ann|sbatch -J shell -n1 -t 20 --wrap 'srun sleep 100; srun sleep 100'
1|ann|sbatch -J halt -n1 -t 20 --wrap 'srun sleep 100; srun sleep 100'
1|ann|sbatch -J one -n1 -t 20 --wrap 'srun sleep 100; srun sleep 100'
1|ann|sbatch -J stays -n1 -t 2 --wrap 'sleep 100'
51|ann|scancel --signal=USR1 @steps
51|ann|scancel --batch -s TERM @shell
51|ann|scancel -s STOP @halt
81|ann|scancel -s CONT @halt
151|ann|scancel @one.1
51|ann|scancel -s TSTP @stays
END2
"$WHYPEND" sacct --quiet --clock ideal --steps -n -P -o JobName,JobID,Elapsed,State,ExitCode s.json | grep -v '^first\||1.batch' >out 2>err
cat >want <<'END2'
steps|2|00:03:20|COMPLETED|0:0
batch|2.batch|00:03:20|COMPLETED|0:0
sleep|2.0|00:00:50|CANCELLED|0:10
sleep|2.1|00:01:40|COMPLETED|0:0
shell|3|00:00:50|FAILED|0:15
batch|3.batch|00:00:50|FAILED|0:15
sleep|3.0|00:00:50|CANCELLED|0:15
halt|4|00:03:50|COMPLETED|0:0
batch|4.batch|00:03:50|COMPLETED|0:0
sleep|4.0|00:02:10|COMPLETED|0:0
sleep|4.1|00:01:40|COMPLETED|0:0
one|5|00:03:20|COMPLETED|0:0
batch|5.batch|00:03:20|COMPLETED|0:0
sleep|5.0|00:01:40|COMPLETED|0:0
sleep|5.1|00:00:50|CANCELLED|0:15
stays|6|00:02:00|TIMEOUT|0:0
batch|6.batch|00:02:00|CANCELLED|0:15
END2
diff want out >err
result $? "signals to steps, to the shell, STOP and CONT; one step cancelled"

# halted while suspended, and the other way round: the work waits for both
scenario t.json <<'END2'
1|ann|sbatch -J a -n1 -t 20 --wrap 'srun sleep 100'
11|ann|scancel -s STOP @a
21|root|scontrol suspend @a
41|ann|scancel -s CONT @a
51|root|scontrol resume @a
END2
"$WHYPEND" sacct --quiet --clock ideal --steps -n -P -o JobName,Start,End,Elapsed,Suspended,State t.json | sed 1,2d >out 2>err
cat >want <<'END2'
a|2026-01-05T00:00:01|2026-01-05T00:02:21|00:01:50|00:00:30|COMPLETED
batch|2026-01-05T00:00:01|2026-01-05T00:02:21|00:01:50|00:00:30|COMPLETED
sleep|2026-01-05T00:00:01|2026-01-05T00:02:21|00:01:50|00:00:30|COMPLETED
END2
diff want out >err
result $? "STOP and suspend together"

# the shell: what sbatch answers, --test-only, scancel -i, and the saved file
cat >typed <<'END2'
until 10
as ann
sbatch --test-only -n8 -t 5 job.sh
sbatch --parsable -n2 --gpus=1 --run=300 job.sh
sbatch -Q -J quiet -n1 --run=100 --wrap x
sbatch -M st -n1 --run=100 --wrap x
sbatch --parsable -M st het.sh
sbatch --test-only -N 9 -n9 --wrap x
scancel -i -t PD -u ann
n
y
n
n
save saved.json
until 100
sacct -X -n -P -o JobID,JobName,State
END2
"$WHYPEND" shell c.json <typed >out 2>err
result $? "a session"
says out "sbatch: Job 8 to start at 2026-01-05T00:00:"
says out "using 8 processors on nodes n"
says out "Submitted batch job 10 on cluster st"
grep -qx 8 out && grep -qx '11;st' out
result $? "sbatch --parsable"
says out "allocation failure: Node count specification invalid"
says out "Cancel job_id=9 name=quiet partition=p [y/n]?"
says out "9|quiet|CANCELLED"
grep -c 'CANCELLED' out | grep -qx 1
result $? "scancel -i: what was answered y"
sed -n '/^8|/,$p' out >said
"$WHYPEND" sacct --quiet -X -n -P -o JobID,JobName,State --at 100 saved.json | sed -n '/^8|/,$p' >again 2>err
diff said again >err
result $? "the saved session brings about the very same"

# 22.05 knows fika and teatime, but not elevenses (recorded)
for version in 22.05 26.05; do
	cat >typed <<'END2'
as ann
sbatch -J tea --begin=teatime --wrap x
sbatch -J eleven --begin=Elevenses --wrap x
scontrol update jobname=tea starttime=elevenses
as root
scontrol create reservation=r users=ann nodes=n1 starttime=elevenses duration=5
squeue -h -o %j
END2
	printf '%s,"slurm_version":"%s","jobs":[]}' "$head" "$version" >eleven.json
	"$WHYPEND" shell eleven.json <typed >out 2>err
	if [ $version = 22.05 ]; then
		says err 'Invalid --begin specification: Elevenses'
		says err 'Invalid time specification (pos=0): elevenses'
		says err 'Invalid start time starttime=elevenses.  No reservation created.'
		[ "$(tail -n1 out)" = tea ]
	else
		grep -qx eleven out && ! grep -qi elevenses err && grep -q 'Reservation created: r' out
	fi
	result $? "elevenses in $version"
done

echo "1..$n"
[ "$failed" -eq 0 ]
