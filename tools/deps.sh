#!/bin/sh
# deps.sh - have the compiler and libraries that the build and the tests need; "make deps".
#
# What is there is left alone. What is missing is installed with apt-get, as root or by sudo, without a question; on
# systems without apt-get the packages are named and the exit status is 1.
set -u
CC=${CC:-gcc}
need= # Debian's names of what is missing

add() { # PACKAGE: once
	case " $need " in *" $1 "*) ;; *) need="$need${need:+ }$1" ;; esac
}

compiler=${CC%% *}
header() { # NAME: can it be included?
	echo "#include <$1>" | $CC $(pkg-config --cflags glib-2.0 2>/dev/null) -E -x c - >/dev/null 2>&1
}

if ! command -v "$compiler" >/dev/null 2>&1; then
	case $compiler in clang*) add clang ;; *) add gcc ;; esac
	add libc6-dev
elif ! header stdlib.h; then
	add libc6-dev
fi
command -v make >/dev/null 2>&1 || add make
command -v ar >/dev/null 2>&1 || add binutils
command -v pkg-config >/dev/null 2>&1 || add pkg-config
while read -r module file package; do
	pkg-config --exists "$module" 2>/dev/null && header "$file" || add "$package"
done <<END
glib-2.0 glib.h libglib2.0-dev
gio-2.0 glib.h libglib2.0-dev
libcjson cjson/cJSON.h libcjson-dev
gsl gsl/gsl_rng.h libgsl-dev
sqlite3 sqlite3.h libsqlite3-dev
END
# these want other headers before them, so only their modules are asked for
pkg-config --exists cmocka 2>/dev/null || add libcmocka-dev
pkg-config --exists readline 2>/dev/null || add libreadline-dev
header csv.h || add libcsv-dev

# What tests of output formats want (tests/check_test.sh); they are skipped without it. It is installed along with what is needed, or
# where CI is set, and is no error when it cannot be.
want=
if [ -n "$need${CI:-}" ]; then
	command -v prove >/dev/null 2>&1 || want="$want perl"
	command -v xmllint >/dev/null 2>&1 || want="$want libxml2-utils"
	command -v junitparser >/dev/null 2>&1 || want="$want junitparser"
fi

[ -n "$need$want" ] || exit 0
give_up=1
[ -n "$need" ] || give_up=0

if ! command -v apt-get >/dev/null 2>&1; then
	cat >&2 <<END
deps: missing (by Debian's names): $need$want
There is no apt-get here. Please install:
  dnf:     gcc make pkgconf-pkg-config glib2-devel cjson-devel libcsv-devel gsl-devel sqlite-devel libcmocka-devel readline-devel
  zypper:  gcc make pkg-config glib2-devel cJSON-devel libcsv-devel gsl-devel sqlite3-devel libcmocka-devel readline-devel
  pacman:  gcc make pkgconf glib2 cjson libcsv gsl sqlite cmocka readline
  brew:    gcc make pkg-config glib cjson libcsv gsl sqlite cmocka readline
END
	exit $give_up
fi
if [ "$(id -u)" = 0 ]; then
	root=
elif sudo -n true 2>/dev/null; then
	root="sudo -n"
else
	echo "deps: missing: $need$want" >&2
	echo "deps: neither root nor sudo without a password; please run: apt-get install $need$want" >&2
	exit $give_up
fi
echo "deps: installing $need$want"
apt() {
	$root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null
}
# The lists are brought up to date once; an old list is good enough when that fails (no network, a local mirror).
apt update || echo "deps: apt-get update failed; trying with the lists that are there" >&2
for package in $want; do
	apt install -y --no-install-recommends "$package" || echo "deps: without $package some tests are skipped" >&2
done
[ -n "$need" ] || exit 0
# shellcheck disable=SC2086
if ! apt install -y --no-install-recommends $need; then
	echo "deps: apt-get could not install: $need" >&2
	exit 1
fi
