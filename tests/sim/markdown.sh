#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --format=markdown: every line has as many cells as the heading, for every kind of row.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10

# expect_table FILE: it has one heading, one rule, and rows with the same number of cells
expect_table()
{
	[ $test_state = ok ] || return 0
	sed 's/\\\\.//g' "$1" | awk -F'|' '
		/^\|/ { lines++; if (lines == 1) cells = NF; else if (NF != cells) wrong = NR }
		/^\|(---:?\|)+$/ { rules++; if (lines != 2) wrong = NR }
		/^\|/ && !/\|$/ { wrong = NR }
		END { exit wrong || rules != 1 || lines < 3 }' || fail "this is no table" "$1"
}

# table MACHINE ARG ...: tma stat prints a valid table in Markdown
table()
{
	machine=$1
	shift
	begin "$machine: a table of stat $*"
	case " $* " in
	*" -I "* | *" --td-level "*) lasting 100 ;;
	esac
	run "$TMA" --machine "$machine" stat --format=markdown -o "$tmp/table" "$@"
	expect_status 0
	expect_table "$tmp/table"
}

table sapphirerapids -a --topdown -I 20 --summary true
expect_match "$tmp/table" '^\| time \| tma_retiring \(%\) \| .* \| note \|$'
expect_match "$tmp/table" '^\| 0\.020000000 \| [0-9.]+ \| '
expect_match "$tmp/table" '^\| run \| [0-9.]+ \| '
table sapphirerapids -a -A -C 0,1 -e cycles,instructions -M tma_info_thread_ipc true
expect_match "$tmp/table" '^\| time \| cpu \| event or metric \| value \| of the time \| note \|$'
expect_match "$tmp/table" '^\| run \| 1 \| cycles \| [0-9]+ \| 100\.0 % \|  \|$'
table sapphirerapids -a -M TopdownL2 --error true
table sapphirerapids -a --topdown -I 10 --interval-count 30
table alderlake --topdown true
expect_match "$tmp/table" '\| tma_retiring \\\[cpu_core\\\] \(%\) \|'
expect_match "$tmp/table" 'not counted: .*the task did not run on a core of this type \|$'
table alderlake --topdown --td-level 3 -A -C 0,16 true
expect_match "$tmp/table" '^\| run \| 16 \| .*scaled: an estimate, since events were multiplexed \|$'
table alderlake -r 2 -e cycles,task-clock true
expect_match "$tmp/table" '^\| mean \| task-clock \(msec\) \| [0-9.]+ \+- [0-9.]+ % \| 100\.0 % \|  \|$'
table zen4 -a --per-core -M PipelineL1 true
table neoverse-n2 -a -M TopdownL1 true

begin "the verdict stands below the table"
run "$TMA" --machine sapphirerapids stat --format=markdown -o "$tmp/table" -a --topdown --verdict true
expect_status 0
expect_table "$tmp/table"
expect_match "$tmp/table" '^ Verdict: tma_[a-z_]+ '
expect_equal "fences" "$(grep -c '^[`][`][`]$' "$tmp/table")" 2

begin "a recording is written as a table"
lasting 50
run "$TMA" --machine sapphirerapids stat record -o "$tmp/data" -a -e cycles -I 20 true
expect_status 0
run "$TMA" stat report -i "$tmp/data" --format=markdown -o "$tmp/table"
expect_status 0
expect_table "$tmp/table"

