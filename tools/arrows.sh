#!/bin/sh
# arrows.sh - which room may include which; and that the policy neither reads files nor clocks nor dice ("make arrows").
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
bad=0

# ROOM ALLOWED...: every quoted include of the room's files begins with one of the allowed rooms
room() {
	name=$1
	shift
	allowed=$(echo "$*" | tr ' ' '|')
	wrong=$(find "$name" -name '*.[ch]' -exec grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null {} + |
		grep -vE "\"($allowed)/")
	[ -z "$wrong" ] && return
	echo "arrows: $name/ may include $* only:" >&2
	echo "$wrong" >&2
	bad=1
}
room sched sched
room models models sched
room traces traces sched
room sim sim traces sched
room scenarios scenarios sim models traces sched
room tools tools scenarios sim models traces sched

# sim/ knows what a workload is, not how one is read
wrong=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"traces/' sim/*.[ch] | grep -v '"traces/workload.h"')
if [ -n "$wrong" ]; then
	echo "arrows: of traces/, sim/ may include workload.h only:" >&2
	echo "$wrong" >&2
	bad=1
fi
wrong=$(grep -rnwE --include='*.[ch]' \
	'fopen|open|g_file_get_contents|g_file_new_for_path|getenv|g_getenv|time|gettimeofday|clock_gettime|g_get_real_time|g_get_monotonic_time|rand|random|drand48|g_random_int|gsl_rng_alloc' \
	sched | grep -E '[^a-z_>.](fopen|open|g_file_get_contents|g_file_new_for_path|getenv|g_getenv|time|gettimeofday|clock_gettime|g_get_real_time|g_get_monotonic_time|rand|random|drand48|g_random_int|gsl_rng_alloc)\(')
if [ -n "$wrong" ]; then
	echo "arrows: sched/ reads no file, no clock and no random number:" >&2
	echo "$wrong" >&2
	bad=1
fi
[ $bad = 0 ] && echo "arrows: every room includes only what it may"
exit $bad
