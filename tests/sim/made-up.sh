#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counts of a simulated machine are made up, and marked so in every output; those of a real one
# never are.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP

begin "each format of tma's own has it, when counted and when reported"
sim skylakex stat record -o "$tmp/data" -a -e cycles,instructions --timeout 300
sim skylakex stat record -o "$tmp/tree" -a --topdown --timeout 300
for format in json csv-wide prom tree markdown trace html; do
	sim skylakex stat -a -e cycles --timeout 300 --format=$format -o "$tmp/out"
	expect_status 0
	expect_match "$tmp/out" '[Ss]imulated'
	run "$TMA" stat report -i "$tmp/data" --format=$format -o "$tmp/out"
	expect_status 0
	expect_match "$tmp/out" '[Ss]imulated'
	expect_match stderr '^tma: .*data was recorded on simulated machine .skylakex.: its counts are synthetic$'
done

begin "json names it in the record of the run, csv-wide in a column, prom in a family"
sim skylakex stat -a -e cycles --timeout 300 --format=json
expect_equal "the run" "$(head -n 1 "$stdout" | jq -c '[.type, .simulated]')" '["run","skylakex"]'
sim skylakex stat -a -e cycles --timeout 300 --format=csv-wide
expect_match stdout ',reason,simulated$'
expect_match stdout ',skylakex$'
sim skylakex stat -a -e cycles --timeout 300 --format=prom
expect_match stdout '^tma_simulated\{machine="skylakex"\} 1$'

begin "perf's own formats have it beside the rows alone"
for args in '' -x, -j; do
	run "$TMA" stat report -i "$tmp/data" $args -o "$tmp/out"
	expect_no_match "$tmp/out" '[Ss]imulated|synthetic'
	expect_match stderr 'recorded on simulated machine'
done

begin "compare reports it for each side, why for the machine"
run "$TMA" compare --format=json "$tmp/tree" "$tmp/tree"
expect_equal "sides" "$(jq -c '[.sides[].simulated]' "$stdout")" '["skylakex","skylakex"]'
expect_equal "lines" "$(grep -c 'was recorded on simulated machine' "$stderr")" 2
sim skylakex compare --format=json -r 2 true 'true '
expect_equal "sides of commands" "$(jq -c '[.sides[].simulated]' "$stdout")" '["skylakex","skylakex"]'
sim skylakex why -a -j --budget 1s
expect_equal "why" "$(jq -r .simulated "$stdout")" skylakex

begin "a file of which no simulated machine is known has no mark"
run "$TMA" stat record -o "$tmp/real" -e task-clock true
for format in json csv-wide prom tree markdown trace; do
	run "$TMA" stat report -i "$tmp/real" --format=$format
	expect_no_match stdout '[Ss]imulated|synthetic'
	expect_no_match stderr 'imulated'
done

begin "perf reads the recording as before"
needs_perf
run "$PERF" stat report -i "$tmp/data"
expect_status 0
expect_match stderr 'cycles'

close_test
