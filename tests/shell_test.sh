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
says out "StepId=18.batch"
says out "Total cycles:"
says out "AssocMaxJobsLimit"
says out "lines typed, as a scenario"
says err "no such user"
[ "$(grep -c '^whypend' "$tmp/err")" -eq 1 ]
result $? "... and no other complaint"
(cd "$tmp" && "$WHYPEND" squeue --quiet --at 300 -h -o "%i %T %r %S %N" -S i -t all saved.json) >"$tmp/out" 2>"$tmp/err"
tail -n "$(wc -l <"$tmp/out")" "$tmp/said" | diff - "$tmp/out" >"$tmp/err"
result $? "the saved file brings about the very same"


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
