#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The form of the answer of tma why: a dozen lines, none wider than the terminal.
. "$(dirname "$0")/../cli/lib.sh"

unset TMA_SIM_STEP TMA_SIM_COMMAND

# expect_form MACHINE COLUMNS OPTION ...: from 80 columns on, the answer has at most 12 lines, and
# one more if a busy computer made tma wait. No line is wider than the terminal, unless it is a word
# that cannot be broken
expect_form()
{
	machine=$1 width=$2
	shift 2
	run env COLUMNS="$width" "$TMA" --machine "$machine" why "$@" "$TMA" test -w divides 0.1
	expect_status 0
	[ $test_state = ok ] || return 0
	python3 - "$stdout" "$width" "$#" <<'END' || fail "the answer of $machine in $width columns has another form" "$stdout"
import re, sys
lines = open(sys.argv[1]).read().splitlines()
width, more = int(sys.argv[2]), int(sys.argv[3])
wide = [line for line in lines if len(line) > width and max(len(word) for word in line.split()) + 15 <= width]
assert not wide, wide
answers = [i for i, line in enumerate(lines) if re.match(r"cpu_\w+, ", line)] or [0]
longest = max(end - begin for begin, end in zip([0] + answers[1:], answers[1:] + [len(lines)]))
waited = any("it waited" in line for line in lines)
assert more or width < 80 or longest <= 12 + waited, (longest, lines)
assert not any(line.endswith("\\") and not re.search(r" \\$", line) for line in lines), lines
END
}

for width in 60 80 120; do
	begin "an answer in $width columns"
	needs_counters
	expect_form skylakex $width
done
begin "names are whole in narrow columns"
needs_counters
run env COLUMNS=40 "$TMA" --machine sapphirerapids why --no-sample "$TMA" test -w divides 0.1
expect_match stdout '^    back end \(tma_backend_bound\)$'

begin "one for each core type"
needs_counters
expect_form alderlake 80
begin "one with a note, and all details, in narrow columns"
needs_counters
expect_form zen4 60
expect_form zen4 60 -v
begin "one of a tree of one level"
needs_counters
expect_form neoverse-n2 80
