#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A program announces where it is by a word of memory that the PMU's module has mapped: counts follow
# it. A line of /rates is a place and its rates of cycles and instructions a ns.
. tests/cli/lib.sh

# wanted COLUMN: print the expected count, from the times at places that the program printed, and
# the rest of its time
wanted()
{
	awk -v column="$1" -v elsewhere="$2" -v ms="$(awk -F, '$3 == "task-clock" { print $1 }' "$stderr")" '
		FILENAME == "/rates" { rate[$1] = $column }
		FILENAME != "/rates" && $1 in rate { at += $2; sum += $2 * rate[$1] }
		END { printf "%.0f", sum + (ms * 1e6 - at) * elsewhere }' /rates "$stdout"
}

# near EVENT WANTED: test whether the count is within 5 % of the expected one
near()
{
	awk -F, -v event="$1" -v wanted="$2" '
		$3 == event { off = $1 / wanted - 1; exit !(off < 0.05 && off > -0.05) }' "$stderr" ||
		fail "$(grep ",$1," "$stderr") in place of $2"
}

echo -3 >/sys/module/tma_pmu/parameters/phases
for run in '300 20000 1' '300 1000 1' '300 1000 3'; do
	begin "counts follow a program that announces where it is: $run"
	# shellcheck disable=SC2086 # several words
	run env TMA_PLACES=/dev/tma-places "$TMA" stat -x, -e cycles,instructions,task-clock places turn $run
	expect_status 0
	near cycles "$(wanted 2 3)"
	near instructions "$(wanted 3 4)"
done

begin "a program that announces nothing counts as ever"
run "$TMA" stat -x, -e cycles,instructions,task-clock places turn 100 1000 1
expect_status 0
near cycles "$(awk -F, '$3 == "task-clock" { printf "%.0f", $1 * 3e6 }' "$stderr")"
echo 0 >/sys/module/tma_pmu/parameters/phases
close_test
