#!/bin/sh
# nodes_test.sh - what happens to nodes, from outside: power saving, reboots, failures from a site's history; events that look
. "$(dirname "$0")/cli_helper.sh"

cat >"$tmp/slurm.conf" <<'EOF'
ClusterName=power
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
SuspendTime=20
SuspendTimeout=8
ResumeTimeout=40
SuspendProgram=/off
ResumeProgram=/on
RebootProgram=/boot
SuspendExcNodes=n04
NodeName=n[01-05] CPUs=4 CoresPerSocket=4 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=n[01-05] Default=YES MaxTime=60 State=UP
EOF
# the recorded run (22.05.8): full 25, two and small 48, late 51, dead lost at the scan after 116, after 168
cat >"$tmp/power.json" <<'EOF'
{"schema": "whypend-scenario/1", "conf": "slurm.conf", "slurm_version": "22.05", "boot_time": 7.2, "tick_phase": 0.1, "until": 240,
 "jobs": [{"name": "full", "at": 25, "user": "alice", "nodes": 1, "ntasks": 4, "time": 5, "run": 25},
          {"name": "two", "at": 30, "user": "alice", "nodes": 2, "ntasks": 2, "time": 1, "run": 20},
          {"name": "small", "at": 33, "user": "bob", "ntasks": 1, "time": 5, "run": 10},
          {"name": "late", "at": 50, "user": "bob", "ntasks": 4, "time": 5, "run": 10},
          {"name": "dead", "at": 75, "user": "alice", "nodelist": "n03", "ntasks": 1, "time": 5, "run": 10, "requeue": false},
          {"name": "after", "at": 150, "user": "alice", "nodelist": "n02", "ntasks": 1, "time": 5, "run": 30}],
 "events": [{"at": 75.6, "cmd": "node_kill n03"}, {"at": 170, "cmd": "scontrol update node=n05 state=power_up"},
            {"at": 31, "view": "squeue -h -o '%j %T %M'"}, {"at": 126, "view": ["sinfo", "-h", "-N", "-o", "%N %T %E"]},
            {"at": 60, "view": "sacct -P -n -X -o JobName,State,Start"}]}
EOF
expect 0 "power saving: as recorded" run power.json -o power.db
says out '--- 2026-01-05T00:00:31  squeue'
says out 'two CONFIGURING 0:01'
says out 'n03 down~ ResumeTimeout reached'
says out 'small|COMPLETED|2026-01-05T00:00:48'
expect 0 "the same without the views" run power.json --json -o power2.db
says err 'two CONFIGURING'
cmp "$tmp/power.db" "$tmp/power2.db" >/dev/null
result $? "... and equal records"
expect 0 "when they began" sacct -P -n -o JobName,Start,End,State power.json
says out 'two|2026-01-05T00:00:48|2026-01-05T00:01:08|COMPLETED'
says out 'dead|2026-01-05T00:01:15|2026-01-05T00:02:00|NODE_FAIL'
says out 'after|2026-01-05T00:02:48|2026-01-05T00:03:18|COMPLETED'
expect 0 "who is off" sinfo -h -N -t powered_down -o '%N %t' --at 22 power.json
says out 'n05 idle~'
expect 0 "one node" scontrol --at 32 show node n01 power.json
says out 'State=MIXED+NOT_RESPONDING+POWERING_UP'
expect 0 "a wait for nodes has its own interval" dump power.db
says out '"nodes n[01-02]: power up"'
expect 0 "naive gives the same" run power.json --naive --json -o naive.db
cmp "$tmp/power.db" "$tmp/naive.db" >/dev/null
result $? "... and equal records"

sed 's/State=UNKNOWN/State=CLOUD/' "$tmp/slurm.conf" >"$tmp/cloud.conf"
sed 's/slurm.conf/cloud.conf/' "$tmp/power.json" >"$tmp/cloud.json"
expect 0 "cloud nodes begin powered down" sinfo -h -N -o '%N %T' --at 5 --set PrivateData=cloud cloud.json
says out 'n04 idle~'
# recorded (22.05): without PrivateData=cloud they are not to be seen then
expect 0 "... and hidden" sinfo --at 5 cloud.json
says out 'main*        up    1:00:00      0    n/a'
expect 1 "... for scontrol too" scontrol --at 5 show node n01 cloud.json
says err 'Node n01 not found'
expect 0 "... but not when they are up" sinfo -h -N -o '%N %T' --at 60 cloud.json
says out 'n02 mixed'
expect 0 "without power saving they are taken as up" sinfo -h -N -o '%N %T' --at 5 --set SuspendTime=-1 cloud.json
says err '5 nodes with State=CLOUD are taken as powered up'
says out 'n04 idle'
expect 2 "a bad exception" run power.json --set SuspendExcNodes=n9:x,n77
says err 'SuspendExcNodes'
expect 2 "a bad time" run power.json --set SuspendTime=soon
says err 'SuspendTime'
expect 0 "programs are needed" run power.json --set SuspendProgram=
says err 'SuspendTime has no effect without SuspendProgram and ResumeProgram'

cat >"$tmp/reboot.json" <<'EOF'
{"schema": "whypend-scenario/1", "conf": "slurm.conf", "set": {"SuspendTime": "-1"}, "boot_time": 10, "until": 100,
 "jobs": [{"name": "b", "user": "u", "nodelist": "n02", "time": 5, "run": 26}],
 "events": [{"at": 5, "cmd": "scontrol reboot n01"}, {"at": 5, "cmd": "scontrol reboot ASAP nextstate=DOWN reason=kernel n02"},
            {"at": 6, "cmd": "scontrol cancel_reboot n03"}]}
EOF
expect 0 "reboots" sinfo -h -N -o '%N %T %E' --at 7 reboot.json
says out 'n01 reboot^ reboot requested : reboot issued'
says out 'n02 draining@ kernel'
expect 0 "what comes next" scontrol --at 7 show node n02 reboot.json
says out 'NextState=DOWN'
expect 0 "and after it" sinfo -h -N -o '%N %T %E' --at 60 reboot.json
says out 'n01 idle none'
says out 'n02 down kernel : reboot issued : reboot complete'
sed 's/scontrol reboot n01/scontrol reboot now n01/' "$tmp/reboot.json" >"$tmp/bad.json"
expect 2 "words that reboot does not know" run bad.json
says err 'write scontrol reboot [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES'
sed 's/{"at": 5, "cmd"/{"at": 5, "view"/' "$tmp/reboot.json" >"$tmp/bad.json"
expect 2 "what is no view" run bad.json
says err 'a view is a command that looks'

cat >"$tmp/events.txt" <<'EOF'
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
power||2026-01-05T00:00:00|Unknown||Cluster Registered TRES|root(0)
power|n03|2026-01-04T23:00:00|2026-01-05T00:00:30|DOWN*|Not responding|slurm(0)
power|n04|2026-01-05T00:00:10|Unknown|IDLE+DRAIN|Xid 79: off the bus|root(0)
power|n05|2026-01-05T00:00:10|Unknown|IDLE+POWERED_DOWN||root(0)
EOF
expect 0 "failures from sacctmgr show event" sinfo -h -N -o '%N %T %E' --at 20 --faults events.txt reboot.json
says out 'n03 down Not responding'
says out 'n04 drained Xid 79: off the bus'
says err '1 rows are of states that are no failures'
expect 0 "... and the end of one" sinfo -h -N -o '%N %T %E' --at 40 --faults events.txt reboot.json
says out 'n03 idle none'
cat >"$tmp/sinfo.txt" <<'EOF'
Mon Jan  5 00:00:20 2026
REASON               USER         TIMESTAMP           STATE  NODELIST
bad disk, ticket 471 root(0)      2026-01-05T00:00:05 down   n[03-04]
Mon Jan  5 00:00:50 2026
REASON               USER         TIMESTAMP           STATE  NODELIST
bad disk, ticket 471 root(0)      2026-01-05T00:00:05 down   n04
EOF
expect 0 "failures from sinfo -R" sinfo -h -N -o '%N %T %E' --at 30 --faults sinfo.txt reboot.json
says out 'n03 down bad disk, ticket 471'
expect 0 "... gone from the next" sinfo -h -N -o '%N %T %E' --at 60 --faults sinfo.txt reboot.json
says out 'n03 idle none'
says out 'n04 down bad disk, ticket 471'
sed 's/n04$/n44/' "$tmp/sinfo.txt" >"$tmp/other.txt"
expect 2 "a history of another cluster" run --faults other.txt reboot.json
says err 'other.txt:6'
sed 's/2026-01-05T00:00:10/yesterday/' "$tmp/events.txt" >"$tmp/other.txt"
expect 2 "a bad date in it" run --faults other.txt reboot.json
says err 'bad TimeStart "yesterday"'

# scontrol reconfigure with a changed file
sed 's/MaxTime=60/MaxTime=5/' "$tmp/slurm.conf" >"$tmp/changed.conf"
cat >"$tmp/reconf.json" <<'EOF'
{"schema": "whypend-scenario/1", "conf": "slurm.conf", "set": {"SuspendTime": "-1"}, "until": 300,
 "jobs": [{"name": "early", "user": "u", "time": 30, "run": 200}, {"name": "late", "at": 70, "user": "u", "time": 30, "run": 200}],
 "events": [{"at": 60, "cmd": "scontrol reconfigure changed.conf"}]}
EOF
expect 0 "reconfigured on the way" squeue -h -o '%j %T %r' --at 90 reconf.json
says out 'early RUNNING None'
says out 'late PENDING PartitionTimeLimit'
sed 's/CPUs=4/CPUs=8/; s/CoresPerSocket=4/CoresPerSocket=8/' "$tmp/slurm.conf" >"$tmp/changed.conf"
expect 0 "what cannot change is refused at its moment" run reconf.json -o reconf.db
expect 0 "... and told" dump reconf.db
says out 'node n01: CPUs, memory and GRES cannot change under job 1'
echo 'MaxTim=3' >>"$tmp/changed.conf"
expect 2 "errors of the changed file come before the run" run reconf.json
says err 'changed.conf:'
sed 's/ changed.conf//' "$tmp/reconf.json" >"$tmp/bad.json"
expect 0 "without a file the first one is read again" run bad.json

# --signal=USR1@60 with a limit of 10 minutes: told 70 to 90 s before the end; a job that saves itself then loses only what comes after
cat >"$tmp/signal.json" <<'EOF'
{"schema": "whypend-scenario/1", "conf": "slurm.conf", "set": {"SuspendTime": "-1"},
 "jobs": [{"name": "saves", "user": "u", "time": 10, "run": 2000, "signal": "USR1@60", "checkpoint": {"signal": true, "cost": 5}},
          {"name": "not", "user": "u", "time": 10, "run": 2000, "signal": "USR1@60"},
          {"name": "untold", "user": "u", "time": 10, "run": 2000, "checkpoint": {"signal": true}}]}
EOF
expect 0 "work saved at --signal" run signal.json -o signal.db
"$WHYPEND" dump "$tmp/signal.db" | grep '"saves"' | grep -o '[0-9]*	"time limit"' >"$tmp/out"
says out '90	"time limit"'
"$WHYPEND" dump "$tmp/signal.db" | grep '"untold"' | grep -o '[0-9]*	"time limit"' >"$tmp/out"
says out '618	"time limit"'

# case 54: cancelled before they started (a third of some real traces)
cat >"$tmp/one.conf" <<'EOF'
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
SchedulerParameters=bf_interval=3600
NodeName=n1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes=n1 Default=YES MaxTime=UNLIMITED State=UP
EOF
cat >"$tmp/54.psv" <<'EOF'
JobIDRaw|User|Partition|Submit|Eligible|Start|End|ElapsedRaw|Timelimit|State|NNodes|NCPUS
1|u1|main|2018-04-17T10:00:00|2018-04-17T10:00:00|2018-04-17T10:00:00|2018-04-17T10:10:00|600|00:20:00|COMPLETED|1|4
2|u2|main|2018-04-17T10:01:00|2018-04-17T10:01:00|None|2018-04-17T10:05:00|0|1-00:00:00|CANCELLED by 1002|1|4
3|u3|main|2018-04-17T10:02:00|2018-04-17T10:02:00|2018-04-17T10:10:00|2018-04-17T10:20:00|600|00:20:00|COMPLETED|1|4
4|u2|main|2018-04-17T10:03:00|2018-04-17T10:03:00|None|2018-04-17T10:30:00|0|00:20:00|CANCELLED by 1002|1|4
EOF
expect 0 "case 54" sacct -P -n -o User,Start,End,State,Reason --conf one.conf --trace 54.psv
says out 'u2|None|2018-04-17T10:05:00|CANCELLED by 1001|Resources'
says out 'u3|2018-04-17T10:10:03|2018-04-17T10:20:03|COMPLETED|None'
says out 'u2|2018-04-17T10:20:03|2018-04-17T10:30:00|CANCELLED by 1001|None'
says err '2 jobs ended before they started'

# jobs that wait again, and jobs that go on without a node: recorded in tests/recorded (requeue, no-kill, core-spec)
cat >"$tmp/again.conf" <<'EOF'
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
RequeueExit=3,10-12
RequeueExitHold=20
AllowSpecResourcesUsage=YES
NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=60
EOF
cat >"$tmp/again.json" <<'EOF'
{"schema": "whypend-scenario/1", "conf": "again.conf", "slurm_version": "22.05", "until": 400,
 "jobs": [{"name": "e3", "user": "u", "run": 3, "exit": 11, "exit_runs": 1, "nodelist": "n1"},
          {"name": "h20", "user": "u", "run": 3, "exit": 20, "nodelist": "n1", "requeue": false},
          {"name": "ok", "user": "u", "run": 3, "nodelist": "n1"},
          {"name": "wide", "user": "u", "nodes": 2, "ntasks": 2, "nodelist": "n[2-3]", "run": 100, "extra": "-k"},
          {"name": "spec", "user": "u", "ntasks": 1, "nodelist": "n4", "run": 100, "extra": "-S 1"}],
 "events": [{"at": 50, "cmd": "scontrol requeue @ok"}, {"at": 51, "cmd": "scontrol requeue Incomplete @ok"},
            {"at": 52, "cmd": "scontrol update node=n3 state=down reason=disk"}]}
EOF
expect 0 "requeued for their exit codes" squeue -h -t all -o '%j %t %r %X %N' --at 60 again.json
says out 'e3 PD BeginTime N/A '
says out 'h20 SE JobHeldUser N/A '
says out 'ok PD BeginTime N/A '
says out 'wide R None N/A n2'
says out 'spec R None 1 n4'
expect 0 "... and in accounting" sacct -X -n -P -o JobName,State,ExitCode,NodeList again.json
says out 'e3|REQUEUED|11:0|n1'
says out 'e3|COMPLETED|0:0|n1'
says out 'h20|REQUEUED|20:0|n1'
says out 'ok|REQUEUED|0:0|n1'
says out 'wide|RESIZING|0:0|n[2-3]'
says out 'wide|COMPLETED|0:0|n2'
expect 0 "cores left alone" scontrol -d --at 60 show job 5 again.json
says out 'CoreSpec=1'
says out 'Nodes=n4 CPU_IDs=0-5'
expect 2 "a bad list of exit codes" run again.json --set RequeueExit=3,300
says err 'write exit codes from 0 to 255'
sed 's/State=Special/State=Other/; s/requeue Incomplete/requeuehold State=Other/' "$tmp/again.json" >"$tmp/bad.json"
expect 2 "a state that is none" run bad.json
says err '"State=Other" is no job'
sed 's/"exit": 11, "exit_runs": 1/"exit": 11/; s/"until": 400, *//; s/, "until": 400//' "$tmp/again.json" >"$tmp/ever.json"
expect 1 "a job that would run for ever" run ever.json
says err 'or end with a code of RequeueExit, without end'

echo "1..$n"
[ "$failed" -eq 0 ]
