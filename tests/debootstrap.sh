#!/bin/sh
# debootstrap.sh - the proof of the two commands: "make demo" and "make check" on an empty Debian (not part of make check).
#
#   tests/debootstrap.sh [SUITE]     as root, with debootstrap; default bookworm
#
# A fresh minimal system is put up in a temporary directory from the host's package sources, HEAD is copied there as "git
# archive" gives it, and both commands run in a chroot. Only make is installed beforehand. KEEP=1 keeps the directory.
set -eu
suite=${1:-bookworm}
repo=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo "debootstrap.sh: must run as root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "debootstrap.sh: apt-get install debootstrap" >&2; exit 2; }
root=$(mktemp -d "${TMPDIR:-/tmp}/whypend-debian.XXXXXX")
chmod 755 "$root" # apt fetches as a user of its own
leave() {
	umount "$root/proc" 2>/dev/null || :
	[ -n "${KEEP:-}" ] && echo "kept: $root" || rm -rf --one-file-system "$root"
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

# where the host's packages come from
mirror=$(sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
[ -n "$mirror" ] || mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
	sed -n 's/^deb[[:space:]]\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' | head -n 1)
mirror=${MIRROR:-${mirror:-http://deb.debian.org/debian}}

# proxies that only apt's configuration knows
eval "$(apt-config shell http_p Acquire::http::Proxy https_p Acquire::https::Proxy)"
[ -n "${http_proxy:-}" ] || [ -z "${http_p:-}" ] || export http_proxy="$http_p"
[ -n "${https_proxy:-}" ] || [ -z "${https_p:-}" ] || export https_proxy="$https_p"

echo "== an empty $suite from $mirror"
debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
	tail -n 20 "$root.log" "$root/debootstrap/debootstrap.log" 2>/dev/null
	exit 1
}
rm -f "$root.log" "$root/etc/apt/sources.list"
for f in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf /etc/apt/apt.conf.d /etc/apt/auth.conf.d \
	/etc/apt/keyrings /etc/apt/trusted.gpg.d /etc/resolv.conf /etc/hosts /etc/ssl/certs /usr/local/share/ca-certificates; do
	[ -e "$f" ] || continue
	mkdir -p "$root$(dirname "$f")"
	if [ -d "$f" ]; then cp -rL "$f" "$root$(dirname "$f")/" 2>/dev/null || :; else cp -L "$f" "$root$f"; fi
done
mount -t proc proc "$root/proc" 2>/dev/null || echo "== without /proc"
mkdir -p "$root/src/whypend"
git -C "$repo" archive HEAD | tar -x -C "$root/src/whypend"

inside() {
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		${no_proxy:+no_proxy="$no_proxy"} DEBIAN_FRONTEND=noninteractive sh -c "$1" </dev/null
}
inside 'apt-get -q update && apt-get -q -y install --no-install-recommends make' >/dev/null
bad=0
for command in "make demo" "make check"; do
	echo "== $command"
	begin=$(date +%s)
	if inside "cd /src/whypend && $command"; then result=good; else result=FAILED bad=1; fi
	echo "== $command: $result, $(($(date +%s) - begin)) s"
done
exit $bad
