#!/bin/sh
# shell_test.sh - whypend shell: every command of the lifecycle and of accounting typed as in Slurm, stops, undo, and a saved file
# that brings about the same.
. "$(dirname "$0")/cli_helper.sh"
cp -R "$root/tests/commands/state" "$tmp/state"

cat >"$tmp/typed" <<'END'
until 12
sacctmgr -i add account lab parent=science fairshare=7 description="the lab"
sacctmgr -i add user zoe account=lab fairshare=3
sacctmgr -i modify user zoe set MaxJobs=1
sacctmgr -i modify qos high set MaxWall=2:00:00
sacctmgr -n -P show assoc where account=lab format=account,user,share,maxjobs
sacctmgr -n -P show qos name=high format=name,maxwall
as zoe
sbatch -J first -A lab -n1 -t 5 --run=90 --wrap 'sleep 90'
sbatch -J second -A lab -n1 -t 5 --run=30 --wrap 'sleep 30'
step pass
squeue -h -u zoe -o "%j %T %r" -S i
as root
scontrol hold @second
step pass
squeue -h -n second -o "%j %r"
undo
undo
squeue -h -n second -o "%j %r"
sacctmgr -i modify user zoe set MaxJobs=-1
until job second starts
scontrol update jobid=29 timelimit=4
scontrol update partitionname=cpu maxtime=1-00:00:00
scontrol update nodename=c03 state=drain reason='to be looked at'
until node c03 drng
sinfo -h -R -n c03 -o "%E %n"
scontrol create reservation ReservationName=later StartTime=now+1hour Duration=60 Users=bob Nodes=h01
scontrol update ReservationName=later Duration=90
scontrol show reservation later
scontrol delete reservation later
scontrol create partition=urgent nodes=c[03-04] prioritytier=9 maxtime=10
scontrol create partition=urgent
scontrol update partition=urgent maxnodes=1 allowaccounts=science default=yes
scontrol show partition urgent
scontrol update partition=cpu default=yes
scontrol update partition=urgent maxnodes=x
scontrol delete partition=urgent
scontrol delete partition=cpu
scontrol update node=c04 weight=77 comment='new fan' availablefeatures=avx,fan activefeatures=fan
scontrol show node c04
scontrol update node=c04 state=down
scontrol update node=c04 state=drain reason=later resumeafter=60
scontrol power up c04
scontrol setdebug info
scontrol errnumstr 2000
scontrol notify 99999 hi
scontrol suspend 18
step event
squeue -h -t S -o "%i %T"
scontrol resume 18
scontrol requeue 3
scontrol hold 31
scontrol release 31
scancel 11
until 120
scontrol show steps 18
squeue -s -h -u alice -o "%i %N"
scontrol completing
sdiag
fit "-n1 -c2"
why second
sacctmgr -i delete user zoe account=lab
save saved.json
until 300
sacctmgr -i delete user nobody account=lab
squeue -h -o "%i %T %r %S %N" -S i -t all
END
(cd "$tmp" && "$WHYPEND" shell state <typed) >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ]
result $? "a session with a bad line at the end"
cp "$tmp/out" "$tmp/said"
says out "lab||7|"
says out "lab|zoe|3|1"
says out "high|02:00:00"
says out "second PENDING AssocMaxJobsLimit"
says out "second JobHeldAdmin"
says out "to be looked at c03"
says out "Duration=01:30:00"
says out "18 SUSPENDED"
says out "PartitionName=urgent"
says out "AllowGroups=ALL AllowAccounts=science AllowQos=ALL"
says out "Default=YES"
says out "AvailableFeatures=avx,fan"
says out "ActiveFeatures=fan"
says out "Comment=new fan"
says out "Invalid partition name specified"
says err "Error creating the partition: Invalid partition name specified"
says err 'scontrol: error: Invalid numeric value "x" for MaxNodes.'
says err "delete_partition partition=cpu: Partition is in use"
says err "You must specify a reason when DOWNING or DRAINING a node. Request denied"
says err "slurm_update error: Invalid node state transition"
says err "job notify failure: Invalid job id specified"
says out "StepId=18.batch"
says out "Total cycles:"
says out "AssocMaxJobsLimit"
says out "lines typed, as a scenario"
says err "no such user"
[ "$(grep -c '^whypend' "$tmp/err")" -eq 6 ]
result $? "... and no other complaint"
(cd "$tmp" && "$WHYPEND" squeue --quiet --at 300 -h -o "%i %T %r %S %N" -S i -t all saved.json) >"$tmp/out" 2>"$tmp/err"
tail -n "$(wc -l <"$tmp/out")" "$tmp/said" | diff - "$tmp/out" >"$tmp/err"
result $? "the saved file brings about the very same"

# Coordinators, recorded on 22.05: of an account and of those below it; they act as the owner of a job does, but for suspend. What they may
# do leaves no complaint.
mkdir "$tmp/coord"
cat >"$tmp/coord/slurm.conf" <<'END'
ClusterName=c
SchedulerType=sched/backfill
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageEnforce=associations,limits,qos
NodeName=n[01-04] CPUs=64 Sockets=2 CoresPerSocket=32 RealMemory=512000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=120 DefaultTime=2 State=UP
END
cat >"$tmp/coord/a.sacctmgr" <<'END'
add account acct
add account sub parent=acct
add account other
add user dave account=acct
add user heidi account=acct
add user ivan account=sub
add user carol account=other
add coordinator account=acct names=heidi
END
cat >"$tmp/coord/scenario.json" <<'END'
{"schema": "whypend-scenario/1", "conf": "slurm.conf", "accounting": "a.sacctmgr", "start": "2026-01-05T09:00:00", "slurm_version": "22.05",
 "jobs": [
  {"name": "hjob", "at": 1, "user": "dave", "run": 8, "extra": "-n1 -t 1 --begin=now+1hour"},
  {"name": "ijob", "at": 1, "user": "ivan", "run": 8, "extra": "-n1 -t 1 --begin=now+1hour"},
  {"name": "cjob", "at": 1, "user": "carol", "run": 8, "extra": "-n1 -t 1 --begin=now+1hour"},
  {"name": "irun", "at": 1, "user": "ivan", "run": 60, "extra": "-n1 -t 1"}]}
END
cat >"$tmp/typed" <<'END'
until 10
as heidi
scontrol hold 1
scontrol hold 2
squeue -h -S i -o "%i %r"
as dave
scontrol release 1
as heidi
scontrol hold 3
scontrol update job=1 nice=-100
scontrol update job=1 priority=77
scontrol requeue 4
scontrol suspend 4
scancel 3
scancel 2
squeue -h -S i -o "%i %T %Q"
as ivan
scontrol hold 1
as root
sacctmgr delete coordinator account=acct names=heidi
sacctmgr delete coordinator account=acct names=heidi
sacctmgr add coordinator account=nosuch names=heidi
sacctmgr add coordinator account=sub names=nosuch
sacctmgr add coordinator account=sub
sacctmgr add coordinator names=ivan
sacctmgr add coordinator account=sub names=ivan
sacctmgr -P show account withcoord
sacctmgr dump file=dump.cfg
as ivan
scontrol hold 1
END
(cd "$tmp" && "$WHYPEND" shell coord <typed) >"$tmp/out" 2>"$tmp/err"
says out "1 JobHeldUser"
says out "2 JobHeldUser"
says out "3 BeginTime"
says out "1 PENDING 77"
says out "sub|sub|acct|ivan"
says out "acct|acct|acct|"
grep '^whypend' "$tmp/err" | sed 's/^whypend shell: //; s/^sacctmgr:[0-9:]* //' >"$tmp/have"
diff - "$tmp/have" >"$tmp/diff" <<'END'
Invalid user id for job 3
Access/permission denied for job 1
Changes to job priority are not persistent, change nice instead for job 1
Access/permission denied for job 4
Kill job error on job id 3: Access/permission denied
Invalid user id for job 1
Nothing removed
You specified a non-existent account 'nosuch'.
You specified a non-existent user 'nosuch'.
You need to specify a user list here.
You need to specify an account list here.
Invalid user id for job 1
END
result $? "what a coordinator may do and what not"
grep -q "^User - 'ivan':DefaultAccount='sub':Coordinator='sub':" "$tmp/dump.cfg"
result $? "sacctmgr dump in the shell"

# scontrol update job: recorded texts, and what is shown afterwards
cat >"$tmp/typed" <<'END'
until 12
as alice
sbatch -J mine -n1 -t 5 --begin=now+1hour --run=90 --wrap 'sleep 90'
scontrol update jobid=@mine numcpus=2 comment="not yet" name=later
scontrol update jobid=@mine nice=-5
scontrol update jobid=@mine admincomment=x
scontrol update jobid=@mine features=nosuch
scontrol update jobid=@mine foo=bar
scontrol update jobid=@mine bogus
scontrol update jobid=@mine timelimit=x
scontrol update jobid=99999 nice=1
scontrol update jobname=nosuch nice=1
as root
scontrol update jobid=@mine numcpus=99999
scontrol update jobid=@mine numcpus=3 starttime=now+10 admincomment=seen
scontrol update step=x timelimit=3
scontrol -o show job 41
squeue -h -n later -O "NumCPUs,admin_comment,Comment"
END
(cd "$tmp" && "$WHYPEND" shell state <typed) >"$tmp/out" 2>"$tmp/err"
sed 's/^whypend shell: //' "$tmp/err" >"$tmp/said"
for text in 'Access/permission denied for job 41' 'Invalid feature specification for job 41' 'Update of this parameter is not supported: foo=bar' 'Request aborted' \
	'Invalid input: bogus' 'scontrol: error: Invalid TimeLimit value' 'Invalid job id specified for job 99999' "scontrol: error: No jobs with name 'nosuch'" \
	'Requested partition configuration not available now for job 41' 'Invalid StepID parameter: step=x'; do
	grep -Fxq "$text" "$tmp/said"
	result $? "update job says: $text"
done
says out "JobName=later"
says out "AdminComment=seen Comment=not yet"
says out "NumCPUs=3"

echo "1..$n"
[ "$failed" -eq 0 ]
