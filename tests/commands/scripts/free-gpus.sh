# Free GPUs of each node that takes jobs, by sinfo -O, and the drained ones with their reasons.
sinfo -N -h -O 'NodeList:12,Gres:30,GresUsed:40,StateCompact:10' | sort -u | awk '
{ total = $2; used = $3; sub(/\(S:.*/, "", total); sub(/^.*:/, "", total); sub(/\(IDX.*/, "", used); sub(/^.*:/, "", used)
  printf "%-8s %d of %d GPUs free (%s)\n", $1, total - used, total, $4 }'
sinfo -R -h
scontrol show hostnames "$(sinfo -h -o %N | head -n 1)" | wc -l
