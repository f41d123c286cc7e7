# Core hours and failures of each user: sacct -P into a table.
sacct -a -X -n -P -S 2026-01-01 -o User,NCPUS,ElapsedRaw,State | awk -F'|' '
BEGIN { printf "%-10s %6s %12s %6s\n", "user", "jobs", "core hours", "failed" }
{ jobs[$1]++; hours[$1] += $2 * $3 / 3600; if ($4 ~ /^(FAILED|TIMEOUT|NODE_FAIL)/) bad[$1]++ }
END { for (u in jobs) printf "%-10s %6d %12.2f %6d\n", u, jobs[u], hours[u], bad[u] }' | sort
