#!/bin/bash
# ci_test.sh - the ready files for continuous integration (tools/ci) are those of the README, are valid, and do what they say.
#
# The GitHub file is checked by action-validator (npm: @action-validator/cli with @action-validator/core), taken from
# $ACTION_VALIDATOR, the PATH, or build/npm, where .ci/run puts it. Without it that test is skipped.
. "$(dirname "$0")/cli_helper.sh"

skip() { # NAME WHY
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# block LANGUAGE FIRST: the README's block of that language whose first line is FIRST
block() {
	awk -v start="\`\`\`$1" -v first="$2" '
	$0 == start { getline; if ($0 == first) on = 1 }
	/^```$/ { on = 0 }
	on { print }' "$root/README.md"
}

for file in github.yml:yaml gitlab.yml:yaml Containerfile:Dockerfile; do
	name=${file%:*}
	block "${file#*:}" "$(head -n 1 "$root/tools/ci/$name")" | diff "$root/tools/ci/$name" - >"$tmp/out" 2>"$tmp/err"
	result $? "tools/ci/$name stands in the README"
done

validator=${ACTION_VALIDATOR:-$(command -v action-validator || echo "$root/build/npm/node_modules/.bin/action-validator")}
if [ -x "$validator" ]; then
	mkdir -p "$tmp/.github/workflows"
	cp "$root/tools/ci/github.yml" "$tmp/.github/workflows/policy.yml"
	(cd "$tmp" && "$validator" .github/workflows/policy.yml) >"$tmp/out" 2>"$tmp/err"
	result $? "action-validator finds nothing in the GitHub file"
	sed -i 's/runs-on/run-on/' "$tmp/.github/workflows/policy.yml"
	! (cd "$tmp" && "$validator" .github/workflows/policy.yml) >"$tmp/out" 2>"$tmp/err"
	result $? "... and finds a planted mistake"
else
	skip "action-validator finds nothing in the GitHub file" "npm install @action-validator/core @action-validator/cli"
fi

# the commands that the files run, in a repository as they expect it
mkdir -p "$tmp/site/policy"
cp -R "$root/scenarios/policy/idle-nodes-priority" "$root/scenarios/policy/bf-max-job-user" "$tmp/site/policy/"
cp "$root/scenarios/policy/idle-nodes-priority/slurm.conf" "$tmp/site/"
sed -n 's/^ *run: \.whypend\/build\/\(whypend .*\)/\1/p; s/^ *- \(whypend .*\)/\1/p' "$root/tools/ci/github.yml" "$root/tools/ci/gitlab.yml" >"$tmp/commands"
[ "$(wc -l <"$tmp/commands")" -eq 4 ]
result $? "the files run four commands of whypend"
while read -r command; do
	(cd "$tmp/site" && eval "\"\$WHYPEND\" ${command#whypend }") >"$tmp/out" 2>"$tmp/err"
	result $? "$command"
done <"$tmp/commands"
grep -q '<testcase' "$tmp/site/policy.xml"
result $? "policy.xml is JUnit's"
sed -i 's/^SchedulerParameters=.*/SchedulerParameters=bf_max_job_user=9/' "$tmp/site/policy/bf-max-job-user/slurm.conf"
while read -r command; do
	case $command in *" check "*) ;; *) continue ;; esac
	(cd "$tmp/site" && eval "\"\$WHYPEND\" ${command#whypend }") >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 1 ]
	result $? "a broken promise fails: $command"
done <"$tmp/commands"

# the shared libraries of the image are those that the program asks for
if command -v ldd >/dev/null && [ "$(uname -s)" = Linux ]; then
	for library in $(ldd "$WHYPEND" | sed -n 's/^\t\(lib[a-z0-9-]*\).*/\1/p' | grep -v cblas | grep -E '^lib(cjson|csv|gsl|sqlite3|readline|glib-)'); do
		grep -q "${library%-2}" "$root/tools/ci/Containerfile" || echo "$library"
	done >"$tmp/out"
	[ ! -s "$tmp/out" ]
	result $? "the image installs the libraries that the program needs"
fi

echo "1..$n"
[ "$failed" -eq 0 ]
