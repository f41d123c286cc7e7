# A view of nodes with their jobs, after the manner of pestat: scontrol -o for the nodes, squeue for who is there.
scontrol -o show node | while read -r line; do
	node= state= alloc= total= mem= used=
	for word in $line; do
		case $word in
		NodeName=*) node=${word#*=} ;;
		State=*) state=${word#*=} ;;
		CPUAlloc=*) alloc=${word#*=} ;;
		CPUTot=*) total=${word#*=} ;;
		RealMemory=*) mem=${word#*=} ;;
		AllocMem=*) used=${word#*=} ;;
		esac
	done
	jobs=$(squeue -h -t R -w "$node" -o '%A:%u' | sort -n | tr '\n' ' ')
	printf '%-8s %-16s %3s/%-3s %7s/%-7s %s\n' "$node" "$state" "$alloc" "$total" "$used" "$mem" "$jobs"
done
