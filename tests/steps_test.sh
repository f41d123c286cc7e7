#!/bin/sh
# steps_test.sh - job steps: described in a scenario, told by a dump of sacct or by a batch script; shown, cut, redone.
. "$(dirname "$0")/cli_helper.sh"
cd "$tmp" || exit 2
cat >slurm.conf <<'CONF'
ClusterName=st
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
AccountingStorageTRES=gres/gpu
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-4] CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=16000 Gres=gpu:h100:4
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=120 State=UP DefMemPerCPU=1000 PriorityTier=1
PartitionName=top Nodes=n[1-4] MaxTime=120 State=UP DefMemPerCPU=1000 PriorityTier=9 PreemptMode=OFF
CONF
echo 'NodeName=n[1-4] Name=gpu Type=h100 Count=4 File=/dev/nvidia[0-3]' >gres.conf
head='{"schema":"whypend-scenario/1","conf":"slurm.conf","gres":"gres.conf","start":"2026-01-05T00:00:00"'
F=JobID,JobName,Start,End,State,ExitCode,NTasks,NodeList
judge() { ! command -v python3 >/dev/null || python3 -; } # of Python's lines on standard input
fields() { "$WHYPEND" sacct --quiet --steps -n -P -o "$1" "$2"; }

cat >a.json <<JSON
$head,"jobs":[
 {"name":"train","user":"ann","at":0,"run":600,"nodes":2,"ntasks":8,"gres":"gpu:h100:2","time":20,
  "steps":[{"name":"prep","run":60,"tasks":1,"gpus":0},{"name":"train","run":400,"max_rss":1200.5},
           {"name":"eval","run":50,"exit":3,"tasks":2,"nodes":1,"gpus":1},{"name":"tail","begin":100}]},
 {"name":"late","user":"ann","at":5,"run":6000,"ntasks":1,"time":5,"steps":[{"name":"a","run":100},{"name":"b"},{"name":"never","begin":900,"run":1}]}
 ]}
JSON
fields $F a.json >out 2>err
result $? "sacct of jobs with steps"
says out "1.batch|batch|2026-01-05T00:00:00|2026-01-05T00:10:00|COMPLETED|0:0|1|n1"
says out "1.0|prep|2026-01-05T00:00:00|2026-01-05T00:01:00|COMPLETED|0:0|1|n1"
says out "1.1|train|2026-01-05T00:01:00|2026-01-05T00:07:40|COMPLETED|0:0|8|n[1-2]"
says out "1.2|eval|2026-01-05T00:07:40|2026-01-05T00:08:30|FAILED|3:0|2|n1"
says out "1.3|tail|2026-01-05T00:01:40|2026-01-05T00:10:00|COMPLETED|0:0|8|n[1-2]"
says out "2.1|b|2026-01-05T00:01:45|2026-01-05T00:05:18|CANCELLED|0:15|1|n1"
! grep -q never out
result $? "a step that its job did not live to see was never there"
fields JobID,DerivedExitCode,MaxRSS,AllocTRES,Layout a.json >out
says out "1|3:0||billing=8,cpu=8,gres/gpu=4,mem=8000M,node=2|"
says out "1.0|||cpu=1,mem=1000M,node=1|Cyclic"
says out "1.1||1229312K|cpu=8,gres/gpu=4,mem=8000M,node=2|Cyclic"
says out "1.2|||cpu=2,gres/gpu=1,mem=2000M,node=1|Cyclic"
"$WHYPEND" sacct --quiet --steps --json -j 1 a.json >out 2>err
judge <<'PY' 2>err
import json
job = json.load(open("out"))["jobs"][0]
steps = {s["step"]["id"]: s for s in job["steps"]}
assert list(steps) == ["1.batch", "1.0", "1.1", "1.2", "1.3"] or sorted(steps) == ["1.0", "1.1", "1.2", "1.3", "1.batch"], list(steps)
assert steps["1.1"]["time"]["elapsed"] == 400 and steps["1.1"]["tasks"]["count"] == 8
assert steps["1.1"]["nodes"] == {"count": 2, "range": "n[1-2]", "list": ["n1", "n2"]}
assert steps["1.2"]["state"] == ["FAILED"] and steps["1.2"]["exit_code"]["return_code"]["number"] == 3
assert [(t["type"], t["name"], t["count"]) for t in steps["1.2"]["tres"]["allocated"]] == [("cpu", "", 2), ("mem", "", 2000), ("node", "", 1), ("gres", "gpu", 1)]
assert job["derived_exit_code"]["return_code"]["number"] == 3
PY
result $? "sacct --json: the steps of a job"
"$WHYPEND" sacct --quiet --json -j 1 a.json >out
! grep -q '1[.]batch' out
result $? "... and none where none are asked for"
"$WHYPEND" seff --quiet 1 a.json >out
says out "Memory Utilized: 9.38 GB"
says out "Memory Efficiency: 120.05% of 7.81 GB (3.91 GB/node)"
says out "CPU Utilized: 00:00:00"
cat >used.txt <<'CASE'
JobID|JobIDRaw|User|Partition|Submit|Start|End|ElapsedRaw|Timelimit|State|NNodes|NCPUS|ReqTRES|NTasks|MaxRSS|TotalCPU|JobName
20|20|u1|p|2026-01-05T00:00:00|2026-01-05T00:00:00|2026-01-05T00:01:00|60|00:05:00|COMPLETED|1|2|cpu=2,mem=1000M,node=1|||01:05.500|hello
20.batch|20.batch||||2026-01-05T00:00:00|2026-01-05T00:01:00|60||COMPLETED|1|2||1|51200K|00:05.500|batch
20.0|20.0||||2026-01-05T00:00:05|2026-01-05T00:01:00|55||COMPLETED|1|2||2|102400K|01:00|hello
CASE
"$WHYPEND" seff --quiet 20 --conf slurm.conf --gres gres.conf --trace used.txt >out 2>err || "$WHYPEND" seff --quiet 1 --conf slurm.conf --gres gres.conf --trace used.txt >out 2>err
says out "CPU Utilized: 00:01:05"
says out "CPU Efficiency: 54.17% of 00:02:00 core-walltime"
says out "Memory Utilized: 200.00 MB"
says out "Memory Efficiency: 20.00% of 1000.00 MB (1000.00 MB/node)"
"$WHYPEND" sacct --quiet --steps --json --conf slurm.conf --gres gres.conf --trace used.txt >out 2>err
judge <<'PY' 2>err
import json
job = json.load(open("out"))["jobs"][0]
assert job["time"]["total"] == {"seconds": 65, "microseconds": 500000}, job["time"]
assert [s["time"]["total"]["seconds"] for s in job["steps"]] == [5, 60]
PY
result $? "sacct --json: CPU time used"
"$WHYPEND" squeue --quiet -s -h -o '%i %j %M %N %A %b' --at 120 a.json >out
printf '1.1 train 1:00 n[1-2] 8 gres/gpu:2\n1.3 tail 0:20 n[1-2] 8 gres/gpu:2\n1.batch batch 2:00 n1 1 (null)\n2.1 b 0:15 n1 1 (null)\n2.batch batch 1:55 n1 1 (null)\n' | diff - out >err
result $? "squeue -s: the steps that run now"
"$WHYPEND" scontrol --quiet show step 1.1 --at 120 a.json >out
says out "StepId=1.1 UserId=1000 StartTime=2026-01-05T00:01:00 TimeLimit=UNLIMITED"
says out "   TRES=cpu=8,gres/gpu=4,mem=8000M,node=2"
! "$WHYPEND" scontrol --quiet show step 1.0 --at 120 a.json >out 2>&1
result $? "a step that has ended is not found"
"$WHYPEND" sacct --quiet -n -P -j 1.2,2.0 -o JobID,State a.json >out
printf '1.2|FAILED\n2.0|COMPLETED\n' | diff - out >err
result $? "sacct -j JOB.STEP"
"$WHYPEND" sacct --quiet --json --steps -j 1 a.json >out 2>err
says out '"id": "1.batch"'
says out '"id": "1.1"'
says out '"count": 1258815488' # 1229312 KiB
tr -d ' \n' <out >flat
grep -q '"time":{"elapsed":50,"end":{"set":true,"infinite":false,"number":1767571710},"start":{"set":true,"infinite":false,"number":1767571660}' flat
result $? "a step of sacct --json has its range"
grep -q '"derived_exit_code":{"status":\["ERROR"\],"return_code":{"set":true,"infinite":false,"number":3}' flat
result $? "the job's derived exit code is the highest of its steps"
"$WHYPEND" sacct --quiet --json -X -j 1 a.json >out
! grep -q '"id": "1.1"' out
result $? "sacct --json -X: without"
"$WHYPEND" seff --quiet 1 a.json >out 2>err
says out "Memory Utilized: 9.38 GB (estimated maximum)" # 8 tasks of 1200.5 MiB
says out "Memory Efficiency: 120.05% of 7.81 GB (3.91 GB/node)"
"$WHYPEND" run --quiet -o a.db a.json >/dev/null && "$WHYPEND" dump a.db >out
says out "# table step (job, run, step, name, start_t"

# requeued: steps of the run that is cut short, and again; suspended: they stand still
cat >b.json <<JSON
$head,"jobs":[
 {"name":"low","user":"ann","at":0,"run":300,"nodes":4,"ntasks":32,"time":20,"steps":[{"name":"one","run":100},{"name":"two"}]},
 {"name":"high","user":"bob","at":150,"run":60,"nodes":1,"ntasks":8,"time":2,"partition":"top"},
 {"name":"halt","user":"bob","at":1000,"run":100,"ntasks":1,"time":20,"steps":[{"run":40},{"run":40},{}]}],
 "events":[{"at":1020,"cmd":"scontrol suspend @halt"},{"at":1080,"cmd":"scontrol resume @halt"}]}
JSON
fields JobID,JobName,State,ExitCode,Elapsed,Suspended b.json >out
grep '^1' out | head -4 >have
printf '1|low|PREEMPTED|0:0|00:02:30|00:00:00\n1.batch|batch|CANCELLED|0:15|00:02:30|00:00:00\n1.0|one|COMPLETED|0:0|00:01:40|00:00:00\n1.1|two|CANCELLED|0:15|00:00:50|00:00:00\n' | diff - have >err
result $? "preempted: what had ended stays, the rest is CANCELLED"
grep '^1' out | tail -4 >have
printf '1|low|COMPLETED|0:0|00:05:00|00:00:00\n1.batch|batch|COMPLETED|0:0|00:05:00|00:00:00\n1.0|one|COMPLETED|0:0|00:01:40|00:00:00\n1.1|two|COMPLETED|0:0|00:03:20|00:00:00\n' | diff - have >err
result $? "... and its steps are done again"
says out "3.0|step|COMPLETED|0:0|00:00:40|00:01:00"
says out "3.1|step|COMPLETED|0:0|00:00:40|00:00:00"

# memory: the step that used most is named
cat >c.json <<JSON
$head,"cgroup":"cgroup.conf","jobs":[{"name":"fat","user":"ann","at":0,"run":300,"ntasks":1,"mem":1000,"time":20,
 "steps":[{"name":"thin","run":50,"max_rss":10},{"name":"fat","run":200,"max_rss":2000}]}]}
JSON
echo ConstrainRAMSpace=yes >cgroup.conf
sed 's/^SelectTypeP/TaskPlugin=task\/cgroup\n&/' slurm.conf >s2 && mv s2 slurm.conf
fields JobID,State,ExitCode c.json >out 2>err
says out "1|OUT_OF_MEMORY|0:125"
says out "1.0|COMPLETED|0:0"
says out "1.1|OUT_OF_MEMORY|0:125"

# AccountingStorageEnforce=nosteps, PrologFlags=Contain
"$WHYPEND" sacct --quiet --steps -n -P -o JobID --set PrologFlags=Contain a.json >out
printf '1\n1.batch\n1.extern\n1.0\n1.1\n1.2\n1.3\n2\n2.batch\n2.extern\n2.0\n2.1\n' | diff - out >err
result $? "PrologFlags=Contain: extern steps"
"$WHYPEND" sacct --quiet --steps -n -P -o JobID --set AccountingStorageEnforce=nosteps a.json >out
printf '1\n2\n' | diff - out >err
result $? "nosteps: accounting keeps no steps"

# a dump with steps and a heterogeneous job: what the view prints is replayed as it was
cat >d.json <<JSON
$head,"jobs":[
 {"name":"het","user":"ann","at":1,"run":200,"ntasks":2,"time":20,"extra":"--mem=2000","het":[{"ntasks":4,"nodes":2,"gres":"gpu:h100:1","partition":"top","time":10,"mem":1000}],
  "steps":[{"name":"all","run":50},{"name":"all","step":"0+1","begin":0,"run":50},{"name":"rest"}]},
 {"name":"long","user":"ann","at":2,"run":6000,"ntasks":1,"time":5,"steps":[{"name":"a","run":100},{"name":"b","max_rss":100}]},
 {"name":"gone","user":"bob","at":3,"run":500,"cancel_run":50,"ntasks":1,"time":20,"steps":[{"name":"x","run":20,"state":"CANCELLED"},{}]}]}
JSON
C=JobID,JobIDRaw,JobName,User,Account,Partition,QOS,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,Suspended,State,ExitCode,NNodes,NCPUS,ReqCPUS,ReqMem,ReqNodes,ReqTRES,AllocTRES,NodeList,NTasks,MaxRSS,AveRSS,TotalCPU,Layout
"$WHYPEND" sacct --quiet --clock ideal --steps -P --noconvert -o $C d.json >dump.txt 2>err
result $? "a dump of a simulation"
says dump.txt "1+0|1|het|ann||p|"
says dump.txt "1+1|2|het|ann||top|"
says dump.txt "1+1.0+1|2.0+1|all|"
"$WHYPEND" sacct --quiet --clock ideal --steps -P --noconvert -o $C --conf slurm.conf --gres gres.conf --trace dump.txt >again 2>err
diff dump.txt again >err
result $? "... replayed is the same to the byte, components and steps too"
"$WHYPEND" run --conf slurm.conf --gres gres.conf --trace dump.txt >out 2>err
says out "component of a heterogeneous job: replayed with its leader"
cut -d'|' -f1,3- dump.txt >noraw.txt
"$WHYPEND" sacct --quiet --clock ideal --steps -P --noconvert -o $C --conf slurm.conf --gres gres.conf --trace noraw.txt >again 2>err
diff dump.txt again >err
result $? "... also without JobIDRaw"
# an srun from a login node has no batch step; case 40
cat >case40.txt <<'CASE'
JobID|JobIDRaw|User|Partition|Submit|Start|End|ElapsedRaw|Timelimit|State|NNodes|NCPUS|ReqTRES|JobName
20|20|u1|p|2026-01-05T00:00:00|2026-01-05T00:00:00|2026-01-05T00:01:00|60|00:05:00|COMPLETED|1|2|cpu=2,mem=100M,node=1|hello
20.extern|20.extern||||2026-01-05T00:00:00|2026-01-05T00:01:00|60||COMPLETED|1|2||extern
20.0|20.0||||2026-01-05T00:00:05|2026-01-05T00:01:00|55||COMPLETED|1|2||hello
938+0|938|u1|p|2026-01-05T00:10:00|2026-01-05T00:10:00|2026-01-05T00:20:00|600|00:30:00|COMPLETED|1|4|cpu=4,mem=4G,node=1|h
938+0.batch|938.batch||||2026-01-05T00:10:00|2026-01-05T00:20:00|600||COMPLETED|1|4||batch
938+0.0+0|938.0||||2026-01-05T00:10:00|2026-01-05T00:20:00|600||COMPLETED|1|4||x
938+1|939|u1|p|2026-01-05T00:10:00|2026-01-05T00:10:00|2026-01-05T00:20:00|600|00:30:00|COMPLETED|2|16|cpu=16,gres/gpu=8,mem=16G,node=2|h
938+1.0+1|939.0||||2026-01-05T00:10:00|2026-01-05T00:20:00|600||COMPLETED|2|16||x
CASE
"$WHYPEND" sacct --quiet --steps -n -P -o JobID,JobIDRaw,State,Elapsed,NNodes --conf slurm.conf --gres gres.conf --trace case40.txt >out 2>err
cut -d'|' -f1,3- out | diff - - <<'WANT' >err
1|COMPLETED|00:01:00|1
1.extern|COMPLETED|00:01:00|1
1.0|COMPLETED|00:00:55|1
2+0|COMPLETED|00:10:00|1
2+0.batch|COMPLETED|00:10:00|1
2+0.0+0|COMPLETED|00:10:00|1
2+1|COMPLETED|00:10:00|2
2+1.0+1|COMPLETED|00:10:00|2
WANT
result $? "srun's job has no batch step; case 40: components start together, with their steps"

bad() { # JSON of steps, message
	echo "$head,\"jobs\":[{\"name\":\"x\",\"user\":\"u\",\"run\":5,\"steps\":$1}]}" >bad.json
	"$WHYPEND" run --quiet bad.json >out 2>err
	[ $? -ne 0 ] && grep -qF -- "$2" err
	result $? "refused: $1"
}
bad '[{"run":-1}]' '"steps": step 1: "run" must be seconds'
bad '[{},{"run":1}]' 'step 2: "begin" is missing: the step before lasts as long as the job'
bad '[{"begin":5,"end":4}]' '"end" is before the step begins'
bad '[{"size":4}]' '"size" is not a key of a step: name, step, begin'
bad '[{"step":1,"run":1},{"step":1,"run":1}]' 'names a step twice'
bad '7' '"steps" must be a list'

echo "1..$n"
[ "$failed" -eq 0 ]
