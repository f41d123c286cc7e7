#!/bin/sh
# import.sh - bring the recorded runs of real Slurm into the repository.
#
#   tests/conformance/import.sh [SHARED]      (default: ../shared beside the repository)
#
# Copies oracle/scenarios to scenarios/, oracle/golden to 22.05/, oracle-26.11/records to 26.11/; more.py brings the ten
# further runs of oracle-26.11/golden into the same form. The controller's raw logs stay behind. Files of more than 16 KB
# are gzipped without name and time, so that the same input gives the same bytes. Running it again replaces everything but
# our own later recordings.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
shared=$(cd "${1:-$here/../../../shared}" && pwd)
limit=16384

# take FROM TO: copy one file, gzipped when it is big
take() {
	mkdir -p "$(dirname "$2")"
	if [ "$(wc -c <"$1")" -gt $limit ]; then
		gzip -9 -n -c <"$1" >"$2.gz"
	else
		cat "$1" >"$2"
	fi
}

# take_all FROM TO: every file below FROM but raw logs
take_all() {
	(cd "$1" && find . -type f ! -name '*.log' ! -name '*.log.gz' | LC_ALL=C sort) | while read -r f; do
		take "$1/$f" "$2/$f"
	done
}

# own NAME: recorded later with oracle/run-oracle, and kept only here
own() { case $1 in limit-changes | het-limits | partition-updates) return 0 ;; esac; return 1; }

for d in "$here"/scenarios/* "$here"/22.05/*; do
	own "$(basename "$d")" || rm -rf "$d"
done
rm -rf "$here/26.11"
(cd "$shared/oracle/scenarios" && find . -type f | LC_ALL=C sort) | while read -r f; do
	mkdir -p "$here/scenarios/$(dirname "$f")"
	cat "$shared/oracle/scenarios/$f" >"$here/scenarios/$f"
done
take_all "$shared/oracle/golden" "$here/22.05"
take_all "$shared/oracle-26.11/records" "$here/26.11"
# When commands asked for the nodes: 26.11 logs it. The time of a snapshot's sinfo and scontrol, see snapshots.c.
for f in "$shared"/oracle-26.11/records/*/controller.log.gz; do
	out="$here/26.11/$(basename "$(dirname "$f")")/node_requests.csv"
	gzip -dc "$f" | sed -n '1i t
s/^\([0-9.]*\) .*nodeinfo_set_all.*/\1/p' >"$out"
	[ "$(wc -l <"$out")" -gt 1 ] || rm "$out"
done
more=$(mktemp -d)
trap 'rm -rf "$more"' EXIT
python3 "$here/more.py" "$shared/oracle-26.11/golden" "$more"
(cd "$more/scenarios" && find . -type f) | while read -r f; do
	mkdir -p "$here/scenarios/$(dirname "$f")"
	cat "$more/scenarios/$f" >"$here/scenarios/$f"
done
take_all "$more/26.11" "$here/26.11"
