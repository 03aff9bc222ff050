#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma compare: commands in turn and recordings, on machines with noise and with a known difference.
. "$(dirname "$0")/../cli/lib.sh"

schema=Documentation/tma-compare.schema.json
export TMA_SIM_STEP=10

begin "identical commands are called so, and the injected difference is found"
run python3 -B tests/metrics/compare.py "$BUILD" --comparisons 20 --most-wrong 10
expect_status 0
run python3 -B tests/metrics/compare.py "$BUILD" --comparisons 10 --difference 5 --least-found 90
expect_status 0
run python3 -B tests/metrics/compare.py "$BUILD" --comparisons 5 --difference 5 --least-found 80 \
	--machine skylakex
expect_status 0

begin "runs come in the order A B B A, behind warm-up runs, each behind what prepares it"
sim sapphirerapids compare -r 3 --warmup 1 --prepare "printf p >>$tmp/order" \
	"printf a >>$tmp/order" "printf b >>$tmp/order"
expect_status 0
expect_equal "the order" "$(cat "$tmp/order")" papbpapbpbpapapb
expect_match stdout '^  A  printf a >>.*  3 runs, '

begin "runs with the same values are the same"
sim sapphirerapids compare -r 2 true true
expect_status 0
expect_match stdout '^  tma_backend_bound .* the same$'
expect_match stdout '^    tma_memory_bound .* the same$'
expect_match stdout '; no node of the tree is certain to have changed$'
expect_no_match stdout ' -0[.]0*( |$)'

begin "the answer for a program is one object of the schema"
sim sapphirerapids compare -j -r 2 --fail-if 'time>+5%' true true true
expect_status 0
cp "$stdout" "$tmp/answer"
run python3 -B tests/formats/check.py json "$schema" "$tmp/answer"
expect_status 0

begin "Markdown is a table for each command but the first, and begins with what changed"
sim sapphirerapids compare --markdown -r 2 true true true
expect_status 0
expect_equal "tables" "$(grep -c '^|:--|--:|--:|--:|:--|$' "$stdout")" 2
expect_match stdout '^\| tma\\_retiring \| '
expect_equal "the first line" "$(head -1 "$stdout")" \
	'**B takes as long as A; no node of the tree is certain to have changed**  '

begin "each core type has its rows"
sim alderlake compare -a -r 2 true true
expect_status 0
expect_match stdout '^  cpu_core tma_backend_bound '
expect_match stdout '^  cpu_atom tma_backend_bound '

for machine in zen4 neoverse-n2; do
	begin "the tree of $machine"
	sim $machine compare -r 2 true true
	expect_status 0
	expect_match stdout '^  [a-z_]*backend[a-z_]* .* the same$'
done

begin "what --fail-if forbids is not certain of identical commands"
sim sapphirerapids compare -r 2 --fail-if 'tma_memory_bound>+2' --fail-if 'time<-20%' true true
expect_status 0
expect_match stdout '^  tma_memory_bound>[+]2: no$'

begin "a limit that is certainly passed has a status of its own"
sim sapphirerapids compare -r 2 --fail-if 'tma_memory_bound>-2' true true
expect_status 123
expect_match stdout '^  tma_memory_bound>-2: yes$'

begin "conditions that are none"
for condition in time '>5' 'time>' 'time>5x' 'tma_retiring>5ms' 'time>+-5'; do
	sim sapphirerapids compare -r 2 --fail-if "$condition" true true
	expect_status 129
	expect_match stderr "^tma: --fail-if '.*': expected METRIC>LIMIT or METRIC<LIMIT"
done

begin "a condition on a node that is not compared"
sim sapphirerapids compare -r 2 --fail-if 'tma_memory_bond>1' true true
expect_status 125
expect_match stderr "'tma_memory_bond' is not compared; did you mean .*tma_memory_bound"

begin "a command's status ends it, and nothing is compared"
sim sapphirerapids compare -r 3 true 'sh -c "exit 3"'
expect_status 3
expect_match stderr '^tma: command B ended with status 3 in run 1: nothing is compared'
expect_stdout </dev/null

begin "a status that does not matter"
sim sapphirerapids compare -r 3 --ignore-failure true 'exit 3'
expect_status 127
sim sapphirerapids compare -r 3 --ignore-failure true 'exit 3;'
expect_status 0
expect_match stdout '^  B: 3 runs failed$'

begin "what prepares a run fails"
sim sapphirerapids compare -r 3 --prepare 'exit 4' true true
expect_status 125
expect_match stderr "^tma: --prepare 'exit 4' ended with status 4"

begin "each run reads the same input, and its output is discarded unless it is wanted"
printf 'one\ntwo\n' >"$tmp/in"
command='read line; echo "$line"; echo "$line" >>'$tmp/seen
run sh -c "$TMA --machine sapphirerapids compare -r 2 '$command' true <$tmp/in"
expect_status 0
expect_equal "what it read" "$(sort "$tmp/seen" | uniq -c | tr -s ' ')" " 2 one"
expect_no_match stdout '^one$'
run sh -c "$TMA --machine sapphirerapids compare --keep-output -r 2 '$command' true <$tmp/in"
expect_equal "times that it printed" "$(grep -c '^one$' "$stdout")" 2

begin "input that cannot be read twice goes to no later run"
run sh -c "echo one | $TMA --machine sapphirerapids compare --keep-output -r 2 cat cat"
expect_status 0
expect_no_match stdout '^one$'

begin "recordings with intervals and without"
for name in before after; do
	sim sapphirerapids stat record -a --topdown --td-level 2 -I 100 --interval-count 20 \
		-o "$tmp/$name.data"
	expect_status 0
	sim sapphirerapids stat record -a --topdown --td-level 2 -o "$tmp/one$name.data" sleep 0.05
done
run "$TMA" compare "$tmp/before.data" "$tmp/after.data"
expect_status 0
expect_match stdout '  10 values$'
expect_match stdout '^  tma_backend_bound .* not certain yet: about [0-9]* more values$'
expect_no_match stdout '^  time '
run "$TMA" compare "$tmp/onebefore.data" "$tmp/oneafter.data"
expect_status 0
expect_match stdout '^  tma_backend_bound .* [+]- [?]  not known$'

begin "recordings of a CPU whose tree has one level"
sim neoverse-n2 stat record -a --topdown -I 100 --interval-count 20 -o "$tmp/arm.data"
run "$TMA" compare "$tmp/arm.data" "$tmp/arm.data"
expect_status 0
expect_match stdout '^  backend_bound '

begin "a side without a time says so, and a condition of it is not judged"
sim sapphirerapids stat record -a --topdown -I 100 -o "$tmp/rows.data" -- sleep 0.25
sim sapphirerapids stat record --topdown -o "$tmp/whole.data" -- sleep 0.1
run "$TMA" compare "$tmp/rows.data" "$tmp/whole.data" --fail-if 'time>+3%'
expect_status 125
expect_match stdout 'time>\+3%: not measured$'
expect_match stdout '^  the time of A is not known; '
expect_no_match stdout nan

begin "a recording and a command"
run "$TMA" compare "$tmp/before.data" true
expect_status 129
expect_match stderr "^tma: .* is not a recording, but .* is one: compare commands with commands"

begin "one command alone"
run "$TMA" compare true
expect_status 129

begin "wrong options"
for options in "-r 1" --format=csv "--margin -1" "--td-level x"; do
	# shellcheck disable=SC2086 # options are words
	run "$TMA" compare $options true true
	expect_status 129
done
expect_match stderr "^tma: --td-level: 'x' is not a number$"
run "$TMA" compare --margin -1 true true
expect_match stderr '^tma: --margin -1: not a number of at least 0$'
run "$TMA" compare -h
expect_match stderr 'fail-if <condition>$'

begin "a command that is not there" # R3
sim sapphirerapids compare -r 2 true ./nosuch
expect_status 127

begin "runs that are too short for the tree"
run env TMA_SIM_STEP=1 "$TMA" --machine skylakex compare -r 2 true true
expect_status 0
expect_match stdout '^  no node of the tree has a value: the runs are too short .*: only times are compared$'
run env TMA_SIM_STEP=1 "$TMA" --machine skylakex compare -r 2 --fail-if 'tma_retiring>1' true true
expect_status 125
expect_match stderr "'tma_retiring' is not compared: no node of the tree has a value"

begin "a side that was not run is not compared"
sim sapphirerapids compare -r 2 true 'kill -INT $PPID; exec sleep 60'
expect_status 130
expect_match stdout '^  B has no runs: it is not compared$'
expect_no_match stdout 'nan| rows were not measured'

begin "an answer that cannot be written is refused before anything is run"
sim sapphirerapids compare -r 2 -o /nosuch/x "touch $tmp/compared" true
expect_status 125
[ ! -e "$tmp/compared" ] || fail "a command was run"

begin "an answer that cannot be written" # R12
sim sapphirerapids compare -r 2 -o /dev/full true true
expect_status 125
expect_match stderr 'could not be written completely'

begin "a read that fails ends it" # R20
run env TMA_SIM_FAULT='read=EIO' "$TMA" --machine sapphirerapids compare -r 2 true true
expect_status 125

begin "without hardware counters times alone are compared" # R42
run env -u TMA_SIM_STEP "$TMA" compare -r 2 --td-level 0 true 'sleep 0.05'
expect_status 0
expect_match stdout '^  time '
expect_match stdout '^  user '
expect_no_match stdout tma_

begin "Ctrl-C prints what is known" # R5
run env -u TMA_SIM_STEP "$TMA" compare -r 1000 --td-level 0 true \
	"echo >>$tmp/third; [ \$(wc -l <$tmp/third) -lt 3 ] || { kill -INT \$PPID; exec sleep 60; }"
expect_status 130
expect_match stdout ': ended with the runs so far$'

begin "recordings of different CPUs: that is said, and not that rows were not measured"
sim skylakex stat record -a --topdown -o "$tmp/sky.data" --timeout 100
sim alderlake stat record -a --topdown -o "$tmp/alder.data" --timeout 100
run "$TMA" compare "$tmp/sky.data" "$tmp/alder.data"
expect_status 0
expect_match stdout '^ +A and B ran on different CPUs, skylakex and alderlake: each has its own formulas'
expect_no_match stdout 'rows were not measured'
run "$TMA" compare "$tmp/sky.data" "$tmp/sky.data"
expect_no_match stdout 'different CPUs'

begin "events and metrics are compared beside time, and conditions name them"
lasting 10,20
sim sapphirerapids compare -r 4 -e instructions -e cycles -M tma_info_thread_ipc --fail-if 'instructions>+50%' \
	--color always true 'true 2'
expect_status 0
expect_match stdout '^  instructions .* M .*'
expect_match stdout '^  cycles '
expect_match stdout '^  tma_info_thread_ipc '
expect_match stdout 'instructions>\+50%: '
lasting step
sim sapphirerapids compare -r 2 -e instructions --fail-if 'instructions>-1%' true 'true 2'
expect_status 123
sim alderlake compare -a -r 2 --td-level 1 -e cycles true true
expect_match stdout '^  cpu_core/cycles/ '
expect_match stdout '^  cpu_atom/cycles/ '

begin "without counters events of the kernel's own are compared, and the peak of memory"
run env -u TMA_SIM_STEP "$TMA" compare -r 5 --td-level 0 -e page-faults,peak-memory \
	"python3 -c 'x = bytearray(1)'" "python3 -c 'x = bytearray(60000000)'"
expect_status 0
expect_match stdout '^  peak-memory .* [kM]B .*  more$'
expect_match stdout '^  page-faults .*  more$'
run env -u TMA_SIM_STEP "$TMA" compare -j -r 2 --td-level 0 -e peak-memory true true
expect_status 0
expect_no_match stdout '"name":"peak-memory","kind":"count","unit":"B","pmu":"","cgroup":"","level":0,"first":[0-9]'

begin "texts of others are compared: tables, -x and -j, with intervals and without"
for name in before after; do
	sim sapphirerapids stat -a -e cycles,instructions -I 100 --interval-count 20 -x, -o "$tmp/$name.csv"
	sim sapphirerapids stat -a -e cycles,instructions -I 100 --interval-count 20 -j -o "$tmp/$name.json"
	sim sapphirerapids stat -e cycles,instructions -o "$tmp/$name.txt" true
done
for form in csv json; do
	run "$TMA" compare "$tmp/before.$form" "$tmp/after.$form"
	expect_status 0
	expect_match stdout '^  instructions/s .* not certain yet'
	expect_match stdout '^  cycles/s '
	expect_no_match stdout '^  time '
	run "$TMA" compare -e instructions "$tmp/before.$form" "$tmp/after.$form"
	expect_no_match stdout '^  cycles/s '
done
run "$TMA" compare "$tmp/before.txt" "$tmp/after.txt"
expect_status 0
expect_match stdout '^  time '
expect_match stdout '^  instructions .* not known$'
echo "not counts" >"$tmp/prose"
run "$TMA" compare "$tmp/before.txt" "$tmp/prose"
expect_status 125
expect_match stderr "^tma: .*/prose is not a recording"

begin "of a recording with a tree its events are compared on demand"
sim sapphirerapids stat record -a -e cycles --topdown -I 100 --interval-count 20 -o "$tmp/both.data"
run "$TMA" compare "$tmp/both.data" "$tmp/both.data"
expect_match stdout '^  tma_backend_bound '
expect_no_match stdout '^  cycles/s '
run "$TMA" compare --td-level 0 "$tmp/both.data" "$tmp/both.data"
expect_status 0
expect_match stdout '^  cycles/s '
expect_no_match stdout '^  tma_'
run "$TMA" compare -e cycles "$tmp/both.data" "$tmp/both.data"
expect_status 0
expect_match stdout '^  cycles/s '
expect_match stdout '^  tma_backend_bound '

begin "texts of -r say how far off their means may be"
cat >"$tmp/before.perf" <<'END'
 Performance counter stats for './program' (10 runs):

         1,000,000      instructions                  ( +-  0.10% )
            20,000      branch-misses                 ( +-  9.00% )

            1.0000 +- 0.0100 seconds time elapsed  ( +-  1.00% )
END
sed 's/1,000,000/1,050,000/; s/20,000/20,500/; s/1[.]0000/1.0200/' "$tmp/before.perf" >"$tmp/after.perf"
run "$TMA" compare "$tmp/before.perf" "$tmp/after.perf"
expect_status 0
expect_match stdout '^  time .* \+20[.]00 \+- 23[.][0-9]+ .*  not certain yet$|^  time .* \+0[.]02 \+- 0[.]02 .*  not certain yet$'
expect_match stdout '^  instructions .* \+50[.]00 \+- 2[.]3[0-9] \(\+5[.]0 %\)  more$'
expect_match stdout '^  branch-misses .* \(\+2[.]5 %\)  not certain yet$'
expect_no_match stdout 'a single value has no error'
for side in before:1000000 after:1050000; do
	printf '%s,,instructions,0.10%%,1000000,100.00,,\n' "${side#*:}" >"$tmp/${side%:*}.csv"
	printf '{"counter-value" : "%s.000000", "unit" : "", "event" : "instructions", "variance" : 0.10, %s}\n' \
		"${side#*:}" '"event-runtime" : 1000000, "pcnt-running" : 100.00' >"$tmp/${side%:*}.json"
done
for form in csv json; do
	run "$TMA" compare "$tmp/before.$form" "$tmp/after.$form"
	expect_match stdout '^  instructions .* \+50[.]00 \+- 2[.]3[0-9] \(\+5[.]0 %\)  more$'
done

begin "a text with the name of its CPU has a tree"
sim skylakex stat -a --topdown -I 100 --interval-count 20 -x, --no-metric-only -o "$tmp/sky.csv"
run "$TMA" compare --cpuid skylakex --td-level 1 "$tmp/sky.csv" "$tmp/sky.csv"
expect_status 0
expect_match stdout '^  tma_backend_bound '

begin "how many times faster, how runs lay, and how many more would tell"
lasting 20,10,12,22,20,10
sim sapphirerapids compare -r 3 --td-level 0 true 'true 2'
expect_status 0
expect_match stdout '^  A  true   3 runs, 20[.]67 ms \+- 1[.]15 each \(20[.]00 \.\.\. 22[.]00\)$'
expect_match stdout '^  time .* -10[.]00 \+- 2[.]01 \(-48[.]4 %\)  less$'
expect_match stdout '^  B ran 1[.]94 \+- 0[.]29 times faster than A: B takes 48[.]4 % \+- 9[.]7 less time'

begin "parameters: a command is run with each value, and with all combinations"
run env -u TMA_SIM_STEP "$TMA" compare -r 2 --td-level 0 -L a=1,2 -L b=x,y 'true {a}{b}{a}'
expect_status 0
for name in 'A  true 1x1' 'B  true 1y1' 'C  true 2x2' 'D  true 2y2'; do
	expect_match stdout "^  $name "
done
for list in a a= =1 'b c=1'; do
	run "$TMA" compare -L "$list" 'true {a}' true
	expect_status 129
	expect_match stderr '^tma: -L .*: expected NAME=VALUE,VALUE'
done
run "$TMA" compare -L c=1,2 'true {a}' true
expect_status 129
expect_match stderr '^tma: -L c=1,2: no command has \{c\}'

begin "commands without quotes: a hint"
run "$TMA" compare ls -l ls -x
expect_status 129
expect_match stderr "^tma: unknown option '-l' .*; a command with its options is one word, in quotes: 'ls -l'$"
run env -u TMA_SIM_STEP "$TMA" compare --td-level 0 sleep 0.01 sleep 0.02
expect_match stderr "^tma: each command is one word, in quotes: tma compare 'sleep 1' 'sleep 2'$"

begin "runs are saved, listed, and compared with what their command does later"
mkdir "$tmp/project" "$tmp/project/.git" "$tmp/project/below"
program=$(realpath "$TMA")
# in_project, in_repository [ARG ...]: run tma in the folder of this name
in_project()
{
	run env -C "$tmp/project/below" "$program" "$@"
}
in_repository()
{
	run env -C "$tmp/repository" "$program" "$@"
}
in_project --machine sapphirerapids compare -r 3 -e instructions --td-level 1 --save base true
expect_status 0
expect_match stdout '^  A  true   3 runs'
expect_match stdout '^  instructions  '
expect_match stderr "saved as 'base' in $tmp/project/[.]tma/base[.]json"
in_project --machine sapphirerapids compare base
expect_status 0
expect_match stdout '^  A  base: true   3 runs'
expect_match stdout '^  B  true   10 runs'
expect_match stdout '^  instructions .* the same$'
expect_match stdout '^  tma_backend_bound .* the same$'
expect_no_match stdout tma_memory_bound
expect_match stdout '^  A ran at 20[0-9-]* [0-9:]* UTC: changes of this computer since then'
in_project --machine skylakex compare -r 2 base true
expect_match stdout 'ran on different computers \(processors .*simulated machines sapphirerapids and skylakex\)'
in_project compare -j --list
cp "$stdout" "$tmp/saved"
run python3 -B tests/formats/check.py json "$schema" "$tmp/saved"
expect_status 0
expect_match "$tmp/saved" '"name":"base","command":"true",.*"simulated":"sapphirerapids",.*"runs":3'
in_project --machine sapphirerapids compare -j -r 2 base base 'true 2'
cp "$stdout" "$tmp/answer"
run python3 -B tests/formats/check.py json "$schema" "$tmp/answer"
expect_status 0

in_project compare --list true
expect_status 129

begin "rows that only some runs have, by their options, are named"
in_project --machine sapphirerapids compare -r 2 -e page-faults --td-level 0 base true
expect_status 0
expect_match stdout "^  A: 'base' was saved without page-faults$"
expect_match stdout "^  B: measured without instructions, tma_.*, as the saved runs had other options$"
expect_no_match stdout 'rows were not measured'

begin "the commit of a repository is kept"
command -v git >/dev/null || skip "git is not installed"
mkdir "$tmp/repository"
(
	cd "$tmp/repository" || exit
	HOME=$tmp git init -q .
	touch file
	git add file
	git -c user.name=x -c user.email=x@x commit -q -m x
) >"$tmp/git" 2>&1 || fail "git" "$tmp/git"
in_repository --machine sapphirerapids compare -r 2 --td-level 0 --save clean true
echo changed >"$tmp/repository/file"
in_repository --machine sapphirerapids compare -r 2 --td-level 0 --save changed true
in_repository compare --list
expect_match stdout '^  clean +[0-9-]+ [0-9:]+  [0-9a-f]{12} +[^ ]+ +2  true$'
expect_match stdout '^  changed +[0-9-]+ [0-9:]+  [0-9a-f]{12}-dirty +[^ ]+ +2  true$'

begin "runs that cannot be saved are not begun, and replaced runs are named"
mkdir "$tmp/unwritable" "$tmp/unwritable/.git"
touch "$tmp/unwritable/.tma"
run env -C "$tmp/unwritable" "$program" compare --save x "touch $tmp/ran"
expect_status 125
expect_match stderr '^tma: --save x: .*/[.]tma is not a folder'
[ ! -e "$tmp/ran" ] || fail "the command ran"
in_project --machine sapphirerapids compare -r 2 --save twice true
expect_no_match stderr 'replaces'
in_project --machine sapphirerapids compare -r 2 --save twice true
expect_no_match stderr 'replaces'
in_project --machine sapphirerapids compare -r 2 --save twice 'true 1'
expect_status 0
expect_match stderr "^tma: --save twice: this replaces the runs of 'true'$"

begin "names that cannot be given, files that are not saved runs"
in_project compare nosuch
expect_status 129
expect_match stderr "^tma: no saved runs are named 'nosuch': compare takes 2 to 26 commands"
in_project compare ls
expect_no_match stderr "no saved runs"
in_project compare --save true 'sleep 1'
expect_status 129
expect_match stderr "this is also the name of a command"
for name in -x a/b '.x' 'a b'; do
	in_project compare "--save=$name" 'sleep 1'
	expect_status 129
done
in_project compare --save two true true
expect_status 129
printf '{"schema":1}' >"$tmp/project/.tma/odd.json"
in_project compare odd
expect_match stderr "odd[.]json: 'tma compare --save' of this version has not written"
printf '{"schema":1,' >"$tmp/project/.tma/odd.json"
in_project compare odd true
expect_match stderr 'odd[.]json: line 1: '

begin "saved runs with values or lists beyond all limits are refused, with the place and what helps"
[ $test_state != ok ] || python3 - "$tmp/project/.tma" <<'END'
import sys
row = '{"kind": "count", "name": "n", "level": %s, "values": [%s]}'
spoilt = {"endless": row % (1, "1, 1e999"), "negative": row % (1, "-Infinity"), "deep": row % (2147483647, 1),
          "long": row % (1, ", ".join(["1"] * 100001)), "many": ", ".join([row % (1, 1)] * 10001)}
for name, rows in spoilt.items():
    open(f"{sys.argv[1]}/{name}.json", "w").write('{"schema": 1, "command": "true", "rows": [%s]}' % rows)
END
for name in endless negative deep long many; do
	in_project compare $name true
	expect_status 129
	expect_match stderr "$name[.]json: \"rows\"(\[0\])?: .*: save the runs again with 'tma compare --save'$"
	rm "$tmp/project/.tma/$name.json"
done

begin "saved runs that were edited by hand are refused, with the place"
# spoilt OLD NEW WHERE WHAT: compare base with this change
spoilt()
{
	[ $test_state != ok ] || python3 - "$tmp/project/.tma" "$1" "$2" <<'END' || fail "the file is other"
import re, sys
text = open(sys.argv[1] + "/base.json").read()
other = re.sub(sys.argv[2], sys.argv[3], text, count=1, flags=re.S)
assert other != text, text
open(sys.argv[1] + "/edited.json", "w").write(other)
END
	in_project compare edited base
	expect_status 129
	expect_match stderr "edited[.]json: \"$3: $4.*: save the runs again with 'tma compare --save'$"
	rm -f "$tmp/project/.tma/edited.json"
}
spoilt '"name":"time"(.*?)"values":.[^,]*' '"name":"time"\1"values":[-1' 'rows"\[0\]' 'a time is not a number of seconds .*-1'
spoilt '"name":"time"(.*?)"values":.[^,]*' '"name":"time"\1"values":[0' 'rows"\[0\]' 'the time of a run is 0'
spoilt '"name":"time"(.*?)"values":.[^,]*' '"name":"time"\1"values":[1e9' 'rows"\[0\]' 'a time is not'
spoilt '"name":"time"(.*?)"values":.[^,]*' '"name":"time"\1"values":[null' 'rows"\[0\]' 'a value is not a number .null'
spoilt '"name":"time"(.*?)"values":.[^,]*,' '"name":"time"\1"values":[' 'rows"\[0\]' '2 values of 3 runs'
spoilt '"name":"instructions"(.*?)"values":.[^,]*' '"name":"instructions"\1"values":["x"' 'rows"\[[0-9]+\]' 'a value is not a number ."x"'
spoilt '"name":"user"' '"name":"time"' 'rows"\[1\]' "'time' is there twice"
spoilt '"type": *"saved"' '"type": "else"' 'type"' 'it is not "saved"'
spoilt '"levels": *1' '"levels": 1000000000' 'levels"' 'it is not from -1 to 100'
spoilt '\}$' ', "sites": {"kind": "function", "unit": "s", "list": [{"name": "f", "values": [1, -1]}]}}' 'list"\[0\]' 'a value is negative'

begin "saved runs of another user are not used: their command would be run"
needs_root
in_project --machine sapphirerapids compare -r 2 --save theirs true
expect_status 0
chown 12345 "$tmp/project/.tma/theirs.json"
in_project compare theirs
expect_status 129
expect_match stderr "theirs[.]json belongs to another user, so its command is not run"

begin "valgrind counts instructions"
command -v valgrind >/dev/null || skip "valgrind is not installed"
run env -u TMA_SIM_STEP "$TMA" compare --count instructions --fail-if 'instructions>+1%' 'ls /' 'ls /'
expect_status 0
expect_match stdout '^  instructions '
expect_match stdout '^  instructions are counted by valgrind-[0-9.]+: '
expect_no_match stdout '^  time '
run env -u TMA_SIM_STEP "$TMA" compare -j --count instructions --fail-if 'instructions>+3%' true 'ls /'
expect_status 123
cp "$stdout" "$tmp/answer"
run python3 -B tests/formats/check.py json "$schema" "$tmp/answer"
expect_status 0
expect_match "$tmp/answer" '"counted_by":"valgrind-'

begin "what valgrind is asked for and cannot"
run "$TMA" compare --count cycles true true
expect_status 129
run "$TMA" compare --count instructions -a true true
expect_status 129
run env PATH=/nonexistent "$TMA" compare --count instructions /bin/true /bin/true
expect_status 125
expect_match stderr "needs valgrind, which is not installed: its package is called valgrind"
