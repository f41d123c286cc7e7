#!/bin/sh
# commands_test.sh - output equal to captures of real Slurm commands, and scripts of the kind that admins write.
#
# tests/commands/state is the cluster and the workload of the captures in tests/commands/captures (Slurm 26.11). Each block
# "$ command" of a capture is run here at the moment of the capture, and the lines are compared byte for byte. Left out are lines about
# what is not simulated: a heterogeneous job (13, 14), a suspended one (15), one that ignores SIGTERM (22), jobs that were placed by another
# order of arrival within 0.1 s (11, 17, 20, 39) and so nodes c01 and c02; running times differ by up to a second.
. "$(dirname "$0")/cli_helper.sh"
state=$root/tests/commands/state captures=$root/tests/commands/captures

# block FILE COMMAND: what the capture says that COMMAND printed
block() {
	awk -v want="\$ $2" '/^\$ / { on = ($0 == want); next } on' "$captures/$1.txt"
}

# same AT FILE COMMAND FILTER: the lines of both, without those that FILTER (a regular expression) takes out, sorted
same() {
	at=$1 file=$2 command=$3 filter=$4
	block "$file" "$command" | sed -E 's/ +[0-9]+:[0-9]{2}  /  TIME  /' | grep -vE "$filter" | sort >"$tmp/want"
	# shellcheck disable=SC2086
	"$WHYPEND" ${command%% *} --at "$at" ${command#* } "$state" 2>&1 |
		sed -E 's/ +[0-9]+:[0-9]{2}  /  TIME  /' | grep -vE "$filter" | sort >"$tmp/have"
	[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "$command as captured ($file)"
}

jobs='^ *(11|13|14|15|17|20|22|39|13\+[01]) '
nodes='c01|c02|c\[01|c\[02'
dates='^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) '
# the bare commands of the captures: "-a" changes nothing here, it only gives the command an option
bare() { # AT FILE COMMAND FILTER
	block "$2" "$3" | sed -E 's/ +[0-9]+:[0-9]{2}  /  TIME  /' | grep -vE "$4" | sort >"$tmp/want"
	"$WHYPEND" "$3" --at "$1" "$state" 2>&1 | sed -E 's/ +[0-9]+:[0-9]{2}  /  TIME  /' | grep -vE "$4" | sort >"$tmp/have"
	[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "$3 as captured ($2)"
}
bare 30 squeue-default squeue "$jobs"
same 30 squeue-l "squeue -l" "$jobs|$dates"
same 35 sinfo-l "sinfo -l" "$nodes|$dates"
same 35 sinfo-N "sinfo -N" "$nodes"
same 35 sinfo-N-l "sinfo -N -l" "$nodes|$dates"
same 35 sinfo-R "sinfo -R" none
same 35 sinfo-R "sinfo -R -l" "$dates"
same 35 sinfo-R "sinfo -R -N" none
same 35 sinfo-R "sinfo -R -h" none
same 35 sinfo-s "sinfo -s" none
same 35 sinfo-s "sinfo -s -p gpu" none
same 36 sinfo-select "sinfo -S -D,N -N" "$nodes"
same 36 scontrol-show-partition "scontrol show partition" '^   TRES=cpu=256'
same 36 scontrol-show-partition "scontrol show partition gpu" '^   TRES=cpu=256'
same 36 scontrol-show-reservation "scontrol show reservation" Comment
same 36 scontrol-show-licenses "scontrol show licenses" none
same 36 scontrol-show-licenses "scontrol -o show lic" none
same 36 scontrol-show-licenses "scontrol show lic matlab" none
for entity in assoc qos user; do
	same 36 sacctmgr-show-$entity "sacctmgr show $entity" none
	same 36 sacctmgr-show-$entity "sacctmgr -P show $entity" none
done

# What does not depend on the load of the cluster is the same to the byte, in every block of a file and in both releases.
# exact RELEASE FILE [LEFT-OUT]: all commands of a capture but those that match LEFT-OUT
exact() {
	case $1 in 22.05) file=$captures/22.05/$2.txt ;; *) file=$captures/$2.txt ;; esac
	rel="--slurm-version $([ "$1" = 22.05 ] && echo 22.05 --set ClusterName=oracle || echo 26.05)"
	: >"$tmp/diff"
	blocks=0
	grep '^\$ ' "$file" | cut -c3- | grep -Ev "${3:-^$}" >"$tmp/commands"
	while IFS= read -r command; do
		blocks=$((blocks + 1))
		awk -v want="\$ $command" '/^\$ / { on = ($0 == want); next } on && !/^\[exit status/' "$file" >"$tmp/want"
		case $command in *"show host"* | "sacct -e" | "sshare -e" | *--help*) where= ;; *) where="--quiet --at 36 $rel $state" ;; esac
		eval "\"\$WHYPEND\" $command $where" >"$tmp/have" 2>&1 </dev/null
		sed -i 's/^whypend sacctmgr: //' "$tmp/have"
		diff -i "$tmp/want" "$tmp/have" >"$tmp/one" || { echo "$command"; cat "$tmp/one"; } >>"$tmp/diff"
	done <"$tmp/commands"
	[ "$blocks" -gt 0 ] && ! [ -s "$tmp/diff" ]
	result $? "$2 of $1: $blocks blocks to the byte"
}
for release in 22.05 26.11; do
	for f in account tres association-tree assoc-wolimits user-withassoc account-withassoc account-withcoord user-withcoord assoc qos user; do
		exact $release sacctmgr-show-$f
	done
	exact $release sacctmgr-format-qos 'format=(Flags|MaxTRESRunMins)'
	exact $release scontrol-show-topology 'topology (nosuch|leaf1|node=c02)'
	exact $release scontrol-show-hostnames "hostnames$|nonexistent"
done
exact 22.05 sacctmgr-format-assoc 'format=(LFT|RGT|Comment|Flags|Lineage)'
exact 26.11 sacctmgr-format-assoc 'format=(LFT|RGT)'
exact 26.11 sacctmgr-show-assoc-wopinfo
exact 26.11 sacctmgr-show-assoc-tree-P
exact 26.11 scontrol-show-topology
exact 26.11 sacct-e
exact 22.05 sshare-e
exact 26.11 sshare-e
exact 26.11 squeue-help 'only-job-state|expand-patterns'
exact 26.11 sinfo-select 'sinfo (-r|-S|-a|-h|-V|-N -o)'
for f in federation problem resource wckey; do
	exact 22.05 sacctmgr-show-$f
	exact 26.11 sacctmgr-show-$f
done
exact 26.11 sacctmgr-show-reservation
exact 26.11 sacctmgr-show-runaway
exact 26.11 sacctmgr-format-misc 'show (cluster|event)'

# sacctmgr dump: what it says and what it writes, to the byte; read again it is the same accounting
for release in 22.05 26.11; do
	case $release in 22.05) file=$captures/22.05/sacctmgr-dump.txt name=oracle version=22.05 ;; *) file=$captures/sacctmgr-dump.txt name=orc version=26.05 ;; esac
	sed -n '2,/^\$ cat/p' "$file" | sed '$d' >"$tmp/want"
	"$WHYPEND" sacctmgr dump $name file="$tmp/dump.cfg" --quiet --slurm-version $version --set ClusterName=$name "$state" >"$tmp/have" 2>&1
	{
		diff "$tmp/want" "$tmp/have"
		sed '1,/^\$ cat/d' "$file" | diff - "$tmp/dump.cfg"
	} >"$tmp/diff"
	[ -s "$tmp/want" ] && ! [ -s "$tmp/diff" ]
	result $? "sacctmgr dump of $release to the byte"
	[ $release = 26.11 ] || continue # there the QOS are elsewhere
	rm -rf "$tmp/again" && cp -r "$state" "$tmp/again" && chmod -R u+w "$tmp/again"
	sed -i 's/"assoc.sacctmgr"/"dump.cfg"/' "$tmp/again/scenario.json" && cp "$tmp/dump.cfg" "$tmp/again"
	: >"$tmp/diff"
	for look in "assoc" "user withcoord" "account withcoord"; do
		# shellcheck disable=SC2086
		"$WHYPEND" sacctmgr -P show $look --quiet --slurm-version $version --set ClusterName=$name "$state" >"$tmp/want" 2>&1
		# shellcheck disable=SC2086
		"$WHYPEND" sacctmgr -P show $look --quiet --slurm-version $version --set ClusterName=$name "$tmp/again" 2>&1 | diff "$tmp/want" - >>"$tmp/diff"
	done
	(cd "$tmp" && "$WHYPEND" sacctmgr dump --quiet --slurm-version $version --set ClusterName=$name again 2>/dev/null && diff -i $name.cfg dump.cfg) >>"$tmp/diff" 2>&1
	[ -s "$tmp/want" ] && ! [ -s "$tmp/diff" ]
	result $? "a scenario with the dump of $release has the same accounting"
done
"$WHYPEND" sacctmgr dump nosuch "$state" --quiet >"$tmp/diff" 2>&1
[ $? -ne 0 ] && grep -q "Cluster nosuch doesn't exist" "$tmp/diff"
result $? "sacctmgr dump of an unknown cluster is refused"

# Rows in any order, with running times and the seconds of starts evened out: the real controller was up to a second faster. The
# whole queue and all nodes are compared. Left out are commands whose answer is about the host (load, free memory, addresses) and lines of
# job 12 (which began and was cancelled in one second, elsewhere).
even() {
	sed -E 's/16:57:3[4-8]/16:57:36/g; s/16:57:4[5-8]/16:57:46/g; s/((00|17|18|19|20):57|17:17):3[4-8]/\1:36/g; s/\b0:[0-9]{2}\b/0:TT/g; s/\b19:[0-9]{2}\b/19:TT/g' | sort
}
rows() { # AT FILE LEFT-OUT [LINES-LEFT-OUT]
	: >"$tmp/diff"
	blocks=0
	grep '^\$ ' "$captures/$2.txt" | cut -c3- | grep -Ev "$3" >"$tmp/commands"
	while IFS= read -r command; do
		blocks=$((blocks + 1))
		block "$2" "$command" | grep -Ev "^\[exit status|${4:-^\[no new}" | even >"$tmp/want"
		eval "\"\$WHYPEND\" $command --quiet --at $1 $state" 2>&1 </dev/null | grep -Ev "${4:-^\[no new}" | even >"$tmp/have"
		diff "$tmp/want" "$tmp/have" >"$tmp/one" || { echo "$command"; cat "$tmp/one"; } >>"$tmp/diff"
	done <"$tmp/commands"
	[ "$blocks" -gt 0 ] && ! [ -s "$tmp/diff" ]
	result $? "$2: $blocks blocks, whatever the order of rows"
}
rows 31 squeue-select '^squeue$|-R course'
rows 31 squeue-sort none
rows 31 squeue-r none # without 26_199, in both releases
rows 31 squeue-start none
rows 31 squeue-all-states none ' 12 '
rows 33 squeue-O-forms none
rows 33 squeue-o-widths '%[.]5[SeQ]|%4E|%[.]2%%|%[.]6L'
rows 35 sinfo-default none
rows 35 sinfo-o-letters '%[eOnovV][|]|%[jJkKqQWxy]'
rows 35 sinfo-N-o-letters '%[eOnovV][|]|%[jJkKqQWxy]'
rows 35 sinfo-O-names 'AllocMem|CPUsLoad|FreeMem|Node(Addr|Host)|Port|Version'
rows 35 sinfo-o-widths none
rows 35 sinfo-O-forms NodeHost
rows 35 sprio-w none
rows 45 sacctmgr-show-event none 'cold-start|Cluster Registered'
# the same pages with every number taken for equal: use in the middle of a run; and the keys of the configuration
block scontrol-show-assoc_mgr-flags 'scontrol show assoc_mgr flags=qos' | sed -E 's/[0-9]+([.][0-9]+)?/N/g' | sort >"$tmp/want"
"$WHYPEND" scontrol --quiet --at 36 show assoc_mgr flags=qos "$state" | sed -E 's/[0-9]+([.][0-9]+)?/N/g' | sort >"$tmp/have"
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
result $? "scontrol show assoc_mgr: every line and limit of the QOS as captured"
for f in 'flags=assoc accounts=physics' 'flags=users users=alice'; do
	block scontrol-show-assoc_mgr-flags "scontrol show assoc_mgr $f" | sed -E 's/[0-9]+([.][0-9]+)?/N/g' >"$tmp/want"
	# shellcheck disable=SC2086
	"$WHYPEND" scontrol --quiet --at 36 show assoc_mgr $f "$state" | sed -E 's/[0-9]+([.][0-9]+)?/N/g' >"$tmp/have"
	[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "scontrol show assoc_mgr $f: every line as captured"
done
sed 1d "$captures/json-scontrol-show-config.txt" | grep -oE '^ {2,4}"[A-Za-z0-9_]+":' >"$tmp/want"
"$WHYPEND" scontrol --quiet --at 36 show config --json "$state" | grep -oE '^ {2,4}"[A-Za-z0-9_]+":' >"$tmp/have"
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
result $? "scontrol show config --json: every key in its place"
# JSON: the same but for the release and the moment
for f in sacctmgr-show-assoc sacctmgr-show-qos sacctmgr-show-tres sacctmgr-show-user sacctmgr-show-account scontrol-show-reservation \
	scontrol-show-licenses; do
	command=$(sed -n '1s/^\$ //p' "$captures/json-$f.txt")
	differs='"release"|"minor"|"number": 17959714|"reservations?",|"licenses?",'
	sed 1d "$captures/json-$f.txt" | grep -Ev "$differs" >"$tmp/want"
	eval "\"\$WHYPEND\" $command --quiet --at 36 $state" | grep -Ev "$differs" >"$tmp/have"
	[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "$command as captured"
done
# R52, in both releases: what was cancelled, or passed its deadline, while it waited has started when it ended
: >"$tmp/diff"
for j in 41 38; do
	"$WHYPEND" scontrol --quiet --at 193 show job $j "$state" | sed -n 's/^ *StartTime=\([^ ]*\) EndTime=\([^ ]*\) .*/\1 \2/p' >"$tmp/have"
	read -r start end <"$tmp/have" && [ "$start" = "$end" ] && [ "$start" != Unknown ] || echo "$j: $start $end" >>"$tmp/diff"
	[ "$("$WHYPEND" squeue --quiet --at 193 -t all -h -j $j -o %S "$state")" = "$start" ] || echo "$j: %S" >>"$tmp/diff"
done
! [ -s "$tmp/diff" ]
result $? "the start shown of what ended while it waited"

# arrays of many shapes, held: the text of their tasks, and which of them squeue -r shows (tests/recorded/arrays)
recorded=$root/tests/recorded/arrays
mkdir "$tmp/arrays" && cp "$recorded/slurm.conf" "$tmp/arrays"
sed 1d "$recorded/squeue.txt" | awk '
BEGIN { print "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"start\": \"2026-01-05T09:00:00\", \"jobs\": [" }
{ printf "%s{\"name\": \"%s\", \"at\": 0, \"user\": \"dave\", \"run\": 1, \"extra\": \"-H -n1 -t 1 --mem=100 --array=%s\"}\n", (NR > 1 ? "," : ""), $1, $1 }
END { print "]}" }' >"$tmp/arrays/scenario.json"
sed 1d "$recorded/squeue.txt" | awk '{ print $1, $2; n = split($3, t, ","); for (i = 1; i <= n && t[1] != "-"; i++) print $1, t[i] }' |
	sort >"$tmp/want"
{
	"$WHYPEND" squeue --quiet --at 4 -h -o '%j %i' "$tmp/arrays" | sed 's/ [0-9]*_/ /'
	"$WHYPEND" squeue --quiet --at 4 -h -r -o '%j %i' "$tmp/arrays" | sed 's/ [0-9]*_/ /' |
		awk 'NR == FNR { asked[$1] = $3 != "-"; next } asked[$1]' "$recorded/squeue.txt" -
} | sort >"$tmp/have"
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
result $? "squeue and squeue -r of $(($(wc -l <"$recorded/squeue.txt") - 1)) arrays as recorded"
# steps, and accounting of what ended: numbers of users are the simulation's own; the waiting srun (1.TBD) is not simulated
block squeue-s "squeue -s" | sed -E 's/0:[0-9]{2}/TIME/' | grep -Ev '^ +((11|14|15|17|20|22|39)[.])' | sort >"$tmp/want"
"$WHYPEND" squeue -s --quiet --at 35 "$state" | sed -E 's/0:[0-9]{2}/TIME/' | grep -Ev '^ +((11|14|15|17|20|22|39)[.])' |
	sort >"$tmp/have"
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
result $? "squeue -s as captured"
sed -n '2,/^\$/p' "$captures/scontrol-show-steps.txt" | sed '/^\$/d; s/UserId=[0-9]*/UserId=N/; s/SrunHost:Pid=[a-z]*[0-9]*:[0-9]*/SrunHost/' |
	awk -v RS= '/^StepId=(1\.0|3\.|18\.|23\.)/' >"$tmp/want"
"$WHYPEND" scontrol --quiet --at 36 show steps "$state" | sed 's/UserId=[0-9]*/UserId=N/; s/SrunHost:Pid=[a-z]*[0-9]*:[0-9]*/SrunHost/' |
	awk -v RS= '/^StepId=(1\.0|3\.|18\.|23\.)/' >"$tmp/have"
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
result $? "scontrol show steps as captured"
mkdir "$tmp/own" && "$WHYPEND" links "$tmp/own" >/dev/null
others='^(6|9|11|12|13|13\+0|13\+1|14|15|17|20|21|22|39)[. ]'
block sacct-default sacct | grep -Ev "$others" >"$tmp/want"
WHYPEND_SCENARIO=$state WHYPEND_AT=200 "$tmp/own/sacct" --quiet | grep -Ev "$others" >"$tmp/have"
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
result $? "sacct under its own name as captured"

# --json of records: every key of Slurm's, and no other. keys/NAME.txt are the keys of a captured output, sorted
for f in "$root"/tests/commands/keys/*.txt; do
	command=$(sed -n '1s/^\$ //p' "$f")
	sed 1d "$f" >"$tmp/want"
	eval "\"\$WHYPEND\" $command --quiet --at 200 $state" | grep -oE '"[A-Za-z_0-9]+":' | sort -u >"$tmp/have"
	[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "$command: $(wc -l <"$tmp/want") keys as captured"
done

# --yaml: the same in Slurm's layout, with its tags
block yaml-squeue "squeue -j 1 --yaml" >"$tmp/want"
"$WHYPEND" squeue -j 1 --yaml --quiet --at 39 "$state" >"$tmp/have"
for f in want have; do
	grep -oE '^ *!!str [A-Za-z_]+: !![a-z]+|^[^ !].*' "$tmp/$f" | grep -v '^- !!str' | sort -u >"$tmp/$f.keys"
done
[ -s "$tmp/want.keys" ] && diff "$tmp/want.keys" "$tmp/have.keys" >"$tmp/diff"
result $? "squeue --yaml: head, tail and every key with its depth and tag as captured"
if python3 -c 'import yaml' 2>/dev/null; then
	cat >"$tmp/same.py" <<-'END'
		import json, sys, yaml
		def bare(v, key=None):
		    if isinstance(v, dict): return {k: bare(x, k) for k, x in v.items()}
		    if isinstance(v, float): return float("%f" % v) # as Slurm's YAML has them
		    return [bare(x) for x in v] if isinstance(v, list) else "" if v is None else v.replace("--yaml", "--json") if isinstance(v, str) else v
		a, b = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
		sys.exit(0 if bare(a) == bare(b) else 1)
	END
	: >"$tmp/diff"
	for command in squeue sinfo "sacct --steps" "scontrol show job" "scontrol show node" "scontrol show config" sshare sdiag "sacctmgr show assoc" \
		"sacctmgr show qos" "sacctmgr show user"; do
		for form in json yaml; do
			eval "\"\$WHYPEND\" $command --$form --quiet --at 36 $state" >"$tmp/form.$form" 2>"$tmp/err"
		done
		[ -s "$tmp/form.json" ] && python3 "$tmp/same.py" "$tmp/form.json" "$tmp/form.yaml" >>"$tmp/diff" 2>&1 || echo "$command" >>"$tmp/diff"
	done
	! [ -s "$tmp/diff" ]
	result $? "--yaml says what --json says"
fi

# a look that begins with a moment is the look that begins at the start
"$WHYPEND" moments --quiet --every 0:30:00 -o "$tmp/moments" "$root/scenarios/first-look" >/dev/null 2>"$tmp/diff"
result $? "whypend moments"
for look in "squeue" "squeue -t all -o %all" "squeue --start" "squeue -s" "sinfo" "sinfo -N -l" "sprio -l" "scontrol -d show job" \
	"scontrol -d show node" "scontrol show partition"; do
	: >"$tmp/diff"
	for t in 2026-01-05T11:00:00 2026-01-05T14:44:31 2026-01-05T19:59:59; do
		set -f
		# shellcheck disable=SC2086
		"$WHYPEND" ${look%% *} --quiet --at $t ${look#"${look%% *}"} "$root/scenarios/first-look" >"$tmp/want" 2>&1
		# shellcheck disable=SC2086
		"$WHYPEND" ${look%% *} --quiet --at $t ${look#"${look%% *}"} "$tmp/moments" >"$tmp/have" 2>&1
		set +f
		diff "$tmp/want" "$tmp/have" >>"$tmp/diff"
	done
	[ -s "$tmp/want" ] && ! [ -s "$tmp/diff" ]
	result $? "$look from a moment on"
done
"$WHYPEND" squeue --quiet --at 2026-01-05T09:40:00 "$tmp/moments" >"$tmp/diff" 2>&1
[ $? -eq 2 ] && grep -q 'less than an hour' "$tmp/diff" && ! "$WHYPEND" sshare --quiet --at 2026-01-05T12:00:00 "$tmp/moments" >"$tmp/diff" 2>&1 &&
	grep -q 'name the scenario' "$tmp/diff"
result $? "moments that cannot tell are refused"

# refusals under the commands' own names: text and exit status
refused='^squeue -(j (99999|abc|1,)|p|A|q|w|R|M|-foo)|^s(info|diag) --foo|^sinfo -[pnM]|^sprio -[jp]|^sacct -([SEsouj]) (bad|BAD|nosuch|abc)|^sshare -o|^sacctmgr (show($| nosuch| assoc format|  *user nosuch| qos foo)|nosuch)|^sprio --json|^squeue -j 99999 --json'
: >"$tmp/diff"
grep '^\$ ' "$captures/refusals-display.txt" | cut -c3- | grep -E "$refused" >"$tmp/commands"
while IFS= read -r command; do
	block refusals-display "$command" | even >"$tmp/want"
	{
		WHYPEND_SCENARIO=$state WHYPEND_AT=57 sh -c "PATH=$tmp/own:$PATH $command" 2>&1
		code=$?
		[ $code -eq 0 ] || echo "[exit status $code]"
	} </dev/null | even >"$tmp/have"
	diff "$tmp/want" "$tmp/have" >"$tmp/one" || { echo "$command"; cat "$tmp/one"; } >>"$tmp/diff"
done <"$tmp/commands"
[ -s "$tmp/commands" ] && ! [ -s "$tmp/diff" ]
result $? "$(wc -l <"$tmp/commands") refusals as captured"

# Each column by letter and by name: the captures print one column a block, in one order of jobs; so a block is pasted beside the block of
# ids, and compared for the jobs whose state is the same.
jobs_of_columns=1,3,7,26,27,29,13,15,32,35,36,37,22,34,38
alike='^(1|3|7|26|27|29|34|35|37|38)~'
column() { # FILE OPTION IDS FORMAT: "id~value" lines of a captured block
	block "$1" "squeue -j $jobs_of_columns -$2 '$3'" | sed '1d; s/[| ]*$//' >"$tmp/ids"
	block "$1" "squeue -j $jobs_of_columns -$2 '$4'" | sed 1d | paste -d'~' "$tmp/ids" - | grep -E "$alike" | sort
}
letters='a A b B c C d D e E f F g h H i I j J K l m n N O P q r R S t T u v V W x X y Y z'
format=%A
for letter in $letters; do format="$format~%$letter|"; done
"$WHYPEND" squeue --at 37 -h -j $jobs_of_columns -o "$format" "$state" >"$tmp/all"
k=1
for letter in $letters; do
	k=$((k + 1))
	column squeue-o-letters o '%A|' "%$letter|" >"$tmp/want"
	cut -d'~' -f1,$k "$tmp/all" | grep -E "$alike" | sort >"$tmp/have"
	[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "squeue -o %$letter as captured"
done
names='Account admin_comment ArrayJobId ArrayTaskId BatchFlag BatchHost BoardsPerNode BurstBuffer BurstBufferState Cluster ClusterFeature
Container ContainerId Contiguous Cores CoreSpec cpus-per-tres CronJob Deadline DelayBoot Dependency DerivedEC EligibleTime ExcNodes Exclusive
exit_code Feature Gres GroupName HetJobId HetJobIdSet HetJobOffset JobArrayId JobId Licenses LicensesAlloc MaxCPUs MaxNodes mem-per-tres
MCSLabel MinCPUs MinMemory MinTime MinTmpDisk Name Network Nice NodeList NTPerBoard NTPerCore NTPerNode NTPerSocket NumCPUs NumNodes
NumTasks Origin OriginRaw OverSubscribe PackJobId PackJobIdSet PackJobOffset Partition PreemptTime Prefer Profile QOS Reason ReasonList Reboot
ReqNodes ReqSwitch Requeue Reservation ResizeTime RestartCnt Runtime SchedNodes SCT SegmentSize Shared SiblingsActive SiblingsActiveRaw
SiblingsViable SiblingsViableRaw Sockets SPerBoard State StateCompact StdIn SubmitTime system_comment Threads TimeLimit Tres tres-alloc
tres-bind tres-freq tres-per-job tres-per-node tres-per-socket tres-per-task UserName Wait4Switch'
format=JobId:0
for name in $names; do format="$format~,$name:20"; done
"$WHYPEND" squeue --at 37 -h -j $jobs_of_columns -O "$format" "$state" >"$tmp/all"
k=1 bad=
for name in $names; do
	k=$((k + 1))
	column squeue-O-names O JobId "$name" >"$tmp/want"
	cut -d'~' -f1,$k "$tmp/all" | grep -E "$alike" | sort >"$tmp/have"
	if ! [ -s "$tmp/want" ] || ! diff "$tmp/want" "$tmp/have" >>"$tmp/names"; then bad="$bad $name"; fi
done
cp "$tmp/names" "$tmp/diff"
[ -z "$bad" ]
result $? "squeue -O: $(echo $names | wc -w) columns as captured$bad"

# under their own names, from links
links=$tmp/links
mkdir "$links" && "$WHYPEND" links "$links" >/dev/null
result $? "whypend links"
PATH=$links:$PATH WHYPEND_SCENARIO=$root/scenarios/first-look WHYPEND_AT=60
export PATH WHYPEND_SCENARIO WHYPEND_AT
for script in "$root"/tests/commands/scripts/*.sh; do
	name=$(basename "$script" .sh)
	sh "$script" >"$tmp/have" 2>&1
	[ -z "${UPDATE_GOLDEN:-}" ] || cp "$tmp/have" "${script%.sh}.txt"
	diff "${script%.sh}.txt" "$tmp/have" >"$tmp/diff"
	result $? "the script $name on the links"
done

# completion for bash: what it offers is what the program knows
complete_words() { # WORD...
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _whypend; printf "%s\\n" "${COMPREPLY[@]}"' bash \
		"$root/tools/completion/whypend.bash" "$@" 2>"$tmp/diff"
}
if command -v bash >/dev/null 2>&1; then
	[ "$(complete_words "$WHYPEND" expl | tr '\n' ' ')" = "explain explain-priority " ]
	result $? "bash completes subcommands"
	[ "$(complete_words "$WHYPEND" explain --what)" = "--what-if" ]
	result $? "bash completes options"
	[ "$(complete_words "$WHYPEND" scontrol show part)" = "partition" ]
	result $? "bash completes entities"
fi
if command -v zsh >/dev/null 2>&1; then
	zsh -n "$root/tools/completion/_whypend" 2>"$tmp/diff"
	result $? "the completion for zsh is sound"
fi

# every subcommand's help shows an example
for c in $("$WHYPEND" help | sed -n '/^Subcommands:/,/^$/ s/^  \([a-z][a-z-]*\) .*/\1/p'); do
	case $c in version | help) continue ;; esac
	"$WHYPEND" "$c" --help >"$tmp/diff" 2>&1 && grep -q '^Example' "$tmp/diff"
	result $? "help of $c shows an example"
done

echo "1..$n"
[ "$failed" -eq 0 ]
