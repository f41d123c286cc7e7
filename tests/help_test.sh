#!/bin/sh
# help_test.sh - --help, the manual page and the completions say the same, and the examples of --help run as printed.
. "$(dirname "$0")/cli_helper.sh" # what went wrong is in $tmp/diff

subcommands=$("$WHYPEND" help | awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
options() { # SUBCOMMAND: its long options
	"$WHYPEND" "$1" --help | awk '/^  (-[a-zA-Z], )?--/ { sub(/^  (-[a-zA-Z], )?/, ""); sub(/[ =\[].*/, ""); print }' | sort
}

# the manual page has every subcommand, and of each all options
page=$root/tools/whypend.1
sh "$root/tools/man_options.sh" "$WHYPEND" >"$tmp/want"
awk '/^\.\\" options:/ { on = 1; head = 5 } /^\.\\" end of options/ { on = 0 } on && head-- <= 0' "$page" >"$tmp/have"
if [ -n "${UPDATE_GOLDEN:-}" ]; then
	awk -v new="$tmp/want" '/^\.\\" options:/ { on = 1; head = 5 } /^\.\\" end of options/ { while ((getline line <new) > 0) print line; on = 0 }
		!on || head-- > 0' "$page" >"$tmp/page" && cp "$tmp/page" "$page"
else
	diff "$tmp/want" "$tmp/have" >"$tmp/diff"
	result $? "the manual page lists the options of every command as --help does"
fi
for c in $subcommands; do
	grep -q "^\.Cm $c\$\|^\.Cm $c \|Cm $c " "$page" || echo "$c"
done >"$tmp/diff"
! [ -s "$tmp/diff" ]
result $? "the manual page has every command"
if command -v mandoc >/dev/null 2>&1; then
	mandoc -T lint -W error "$page" >"$tmp/diff" 2>&1
	result $? "the manual page is sound mdoc"
fi

# what is completed is what --help lists
if command -v bash >/dev/null 2>&1; then
	: >"$tmp/diff"
	for c in $subcommands; do
		case $c in version | help) continue ;; esac
		options "$c" >"$tmp/want"
		bash -c '. "$1"; COMP_WORDS=("$2" "$3" --); COMP_CWORD=2; _whypend; printf "%s\n" "${COMPREPLY[@]}"' bash \
			"$root/tools/completion/whypend.bash" "$WHYPEND" "$c" | sort >"$tmp/have"
		diff "$tmp/want" "$tmp/have" >>"$tmp/diff" || echo "($c)" >>"$tmp/diff"
	done
	! [ -s "$tmp/diff" ]
	result $? "bash completes all options of all subcommands"
fi
if command -v zsh >/dev/null 2>&1; then
	: >"$tmp/diff"
	for c in $subcommands; do
		case $c in version | help) continue ;; esac
		options "$c" >"$tmp/want"
		zsh -f -c 'compadd() { print -l -- ${(P)2} }; words=($2 $3 --); CURRENT=3; source $1' zsh \
			"$root/tools/completion/_whypend" "$WHYPEND" "$c" | sort >"$tmp/have"
		diff "$tmp/want" "$tmp/have" >>"$tmp/diff" || echo "($c)" >>"$tmp/diff"
	done
	zsh -f -c '_describe() { print -l -- ${(P)2} }; words=($2 ""); CURRENT=2; source $1' zsh \
		"$root/tools/completion/_whypend" "$WHYPEND" | cut -d: -f1 | sort >"$tmp/have"
	echo "$subcommands" | sort | diff - "$tmp/have" >>"$tmp/diff"
	! [ -s "$tmp/diff" ]
	result $? "zsh completes all subcommands and options"
fi

# The examples, in a directory that has the files they name. Those on other sites' traces, and those that simulate weeks of
# h100-a100-month, are left out; what is written SCENARIO is first-look.
mkdir "$tmp/work" "$tmp/bin" && ln -s "$WHYPEND" "$tmp/bin/whypend" || exit 1
cd "$tmp/work" || exit 1
PATH=$tmp/bin:$PATH
mkdir scenarios && cp -R "$root/scenarios/first-look" scenarios/ && ln -s "$root/scenarios/h100-a100-month" "$root/scenarios/policy" scenarios/
mkdir bin && cp -R "$root/tests/commands/state" . && cp -R state site || exit 1
whypend run --quiet -o run.db scenarios/first-look >/dev/null 2>&1 &&
	cp run.db before.db && cp run.db after.db &&
	whypend snapshot --quiet --at 60 -o snapshot scenarios/first-look >/dev/null 2>&1 &&
	whypend sdiag --quiet --at 3600 --controller-cost large scenarios/first-look >sdiag.txt &&
	cp "$root/tests/site/26.11/"show-*.txt "$root/tests/site/26.11/gres.conf" "$root/tests/site/26.11/topology.conf" . &&
	cp "$root/tests/site/26.11/slurm.conf" . && cp "$root/tests/site/26.11/sacctmgr-dump.cfg" cluster.cfg || exit 1
for c in $subcommands; do
	"$WHYPEND" "$c" --help | awk '/^Examples?:/ { on = 1; next } on && /^  / { sub(/^  /, ""); sub(/   +[a-z].*/, ""); print }'
done | awk '!seen[$0]++' |
	grep -Ev 'jobs\.(psv|sacct)|\.swf|/etc/slurm|rack7|-at 2026-01-20|^whypend shell [^|]*$|bf_window=10080|summary .*month|^sdiag|promises/|check --set|qos=gold|PartitionName=gpu State=DOWN' |
	sed '/ limits /s/SCENARIO/state/; s/SCENARIO$/scenarios\/first-look/; s/SCENARIO /scenarios\/first-look /' >"$tmp/examples"
while IFS= read -r line; do
	case $line in *month*) case $line in *sacctmgr*) ;; *) continue ;; esac ;; esac
	sh -c "$line" >"$tmp/out" 2>"$tmp/diff" </dev/null
	code=$?
	case $line in *--fail-on*) [ $code -le 1 ] ;; *) [ $code -eq 0 ] ;; esac
	result $? "runs: $line"
done <"$tmp/examples"
echo "1..$n"
[ "$failed" -eq 0 ]
