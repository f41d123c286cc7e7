#!/bin/sh
# demo.sh BUILD MONTH - the end of "make demo": simulate the month and say what to try next.
set -eu
build=$1 month=$2
echo "Simulating $month: 31 days, 30,000 jobs"
"$build/whypend" run "$month" -o "$build/demo.db"
"$build/whypend" moments --quiet --every 2-00:00:00 -o "$build/demo-moments" "$month"
cat <<END

The record is $build/demo.db. Worth trying next:

  # who waits at noon of the second Wednesday, and why
  $build/whypend squeue --at 2026-01-14T12:00:00 -t PENDING $build/demo-moments

  # the three jobs on 256 GPUs: when they were asked for, when they ran, where
  $build/whypend sacct -n -P -o JobID,JobName,User,Submit,Start,Elapsed,State,AllocTRES $month | grep hero

  # the same month when backfill plans for at most five jobs of each user
  $build/whypend run --set SchedulerParameters.bf_max_job_user=5 -o $build/five.db $month
END
