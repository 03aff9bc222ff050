#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The JSON of each command fits its schema, on machines of all kinds: run of lib.sh compares it.
# Programs that read it, and the examples of Documentation/ci.adoc and agents.adoc.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
examples=Documentation/examples
PATH=$(realpath "$(dirname "$TMA")"):$PATH
export PATH

begin "what does not fit a schema is found"
printf '[{"Kind":"plan","Events":1,"Metrics":0,"FileDescriptors":1,"Split":[]}]\n' >"$tmp/fits"
run python3 -B tests/formats/schema.py Documentation/tma-plan.schema.json "$tmp/fits"
expect_status 0
for odd in 's/"Events":1/"Events":-1/' 's/"Split"/"Apart"/' 's/"Split":/"New":1,"Split":/' 's/"plan"/"plane"/'; do
	sed "$odd" "$tmp/fits" >"$tmp/odd"
	run python3 -B tests/formats/schema.py Documentation/tma-plan.schema.json "$tmp/odd"
	expect_status 1
done

for machine in skylakex alderlake zen4 neoverse-n2 graniterapids sapphirerapids-guest; do
	begin "explain, plan and test on $machine"
	names=$("$TMA" --machine $machine list --names 2>/dev/null | tr ' ' '\n' | grep -v '[<>@]' | awk 'NR % 60 == 1')
	# shellcheck disable=SC2086 # names are words
	sim $machine explain -j $names TopdownL1
	expect_status 0
	sim $machine plan -j -a -M TopdownL1 -e cycles,instructions
	expect_status 0
	sim $machine plan -j --topdown --schedule=rotate
	expect_status 0
	sim $machine test -j
	expect_status 0
	expect_match stdout '"simulated":"'$machine'"'
done

begin "whole numbers of a plan are written as such"
sim sapphirerapids plan -j -a -M TopdownL4
expect_status 0
expect_match stdout '"FileDescriptors": [0-9]{4},$'
expect_no_match stdout '[0-9]e[0-9]'

begin "list"
sim zen4 list -j
expect_status 0

begin "tma test without counters, and with kernels"
run "$TMA" test -j
expect_match stdout '^\{"schema":1,"type":"test",'
run "$TMA" test -j -w adds
expect_status 129
expect_match stderr '^tma: -w and -j cannot be combined'
run "$TMA" test -j --report -
expect_status 129

begin "a program that reads why and compare"
export TMA_MACHINE=skylakex
run python3 -B $examples/answers.py "$TMA test -w divides 0.05" "$TMA test -w chase 0.05"
expect_status 0
expect_match stdout '^tma_divider: .* Try: '
expect_match stdout '^tma_memory_bound \+[0-9.]+ \+- [0-9.]+ %'
unset TMA_MACHINE
run python3 -B $examples/answers.py 'sleep 0.1' 'sleep 0.3'
expect_status 0
expect_match stdout '^no bottleneck: it waited$'
expect_match stdout '^time \+0[.][12][0-9]* \+- '
run python3 -B $examples/answers.py 'exit 3'
[ "$status" != 0 ] || fail "a failure is not told"

begin "the gate for CI: identical commands pass, worse ones have a status of their own, and a comment"
cd "$tmp" || exit
gate=$OLDPWD/$examples/ci/gate.sh
command -v valgrind >/dev/null || skip "valgrind is not installed"
if [ "$("$TMA" test -j | grep -c '"check":"hardware events","result":"ok"')" = 1 ]; then
	skip "there are counters here"
fi
RUNS=3 TIME=900% run "$gate" 'ls /' 'ls /'
expect_status 0
expect_match stdout '^### Instructions$'
expect_match stdout '^instructions\\>\+1%: no  $'
expect_match stdout '^### Time$'
cmp -s comment.md "$stdout" || fail "the comment is not what was printed"
RUNS=3 TIME='' run "$gate" 'ls /' 'ls -la /'
expect_status 123
expect_match stdout '^instructions\\>\+1%: yes  $'
run "$gate" ./nosuch true
expect_status 127
TIME='' run "$gate" true 'exit 3;'
expect_status 3

begin "the gate where there are counters: nodes, and a limit that is passed"
export TMA_SIM_STEP=400
RUNS=4 TMA_MACHINE=neoverse-n2 NODES='backend_bound>+90' run "$gate" true true
expect_status 0
expect_match stdout '^backend\\_bound\\>\+90: no'
expect_no_match stdout 'valgrind'
RUNS=2 TMA_MACHINE=neoverse-n2 NODES='no_node>+90' run "$gate" true true
expect_status 125
unset TMA_SIM_STEP
cd "$OLDPWD" || exit

begin "the files for GitHub and GitLab are YAML, and their scripts a shell reads"
python3 -c 'import yaml' 2>/dev/null || skip "needs python3-yaml"
cat >"$tmp/scripts.py" <<'END'
import sys
import yaml

github, gitlab = (yaml.safe_load(open(name, encoding="utf-8")) for name in sys.argv[1:3])
steps = github["jobs"]["gate"]["steps"]
job = gitlab["performance"]
print(*(step["run"] for step in steps if "run" in step), sep="\n")
for part in ("before_script", "script", "after_script"):
    print(*job[part], sep="\n")
END
run python3 -B "$tmp/scripts.py" $examples/ci/github.yml $examples/ci/gitlab.yml
expect_status 0
expect_match stdout '^ci/gate[.]sh [.][.]/before/bench [.]/bench$'
sed 's/\${{[^}]*}}/X/g' "$stdout" >"$tmp/script"
run sh -n "$tmp/script"
expect_status 0
