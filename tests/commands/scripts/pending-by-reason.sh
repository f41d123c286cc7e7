# How many jobs and GPUs wait for what? awk over squeue, as it stands in many a site's cron table.
squeue -h -r -t PD -o '%r|%D|%b' | awk -F'|' '
{ n[$1]++; gpus = 0; if (match($3, /[0-9]+$/)) gpus = substr($3, RSTART, RLENGTH) * $2; g[$1] += gpus }
END { for (r in n) printf "%-24s %4d jobs %4d GPUs\n", r, n[r], g[r] }' | sort
