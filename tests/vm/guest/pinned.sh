#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Pinned events have their counters all the time, or an error; the PMU has 8 counters
# (pmu/tma_pmu.c).
. tests/cli/lib.sh

busy='"status":"busy","reason":"it is pinned, and other users hold the counters"'

# hold GROUP: let another process count a pinned group on all CPUs, until "release"
hold()
{
	"$TMA" stat -a -I 100 -x, -o "$tmp/others" -e "$1:D" 2>/dev/null &
	other=$!
	# When the process prints a row, it counts.
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		[ ! -s "$tmp/others" ] || break
		sleep 0.2
	done
}

release()
{
	kill $other
	wait $other
}

hold '{r01,r02,r03,r04,r05}'
begin "counters that another process has pinned are found out"
run "$TMA" stat -a -v -M TopdownL2 -x, sleep 0.3
expect_status 0
expect_match stderr '^tma: cpu: other users hold 5 of 8 general counters$'

begin "what fits beside them counts, pinned too"
run "$TMA" stat -a --format=json -o "$tmp/json" -e '{r11,r12,r13}:D' sleep 0.2
expect_status 0
expect_all_match "$tmp/json" '"status":"counted"'

begin "a pinned group without room on CPUs is busy, and nothing else is"
run "$TMA" stat -a --format=json -o "$tmp/json" -e '{r11,r12,r13,r14}:D,r15' sleep 0.2
expect_all_match "$tmp/json" "\"name\":\"r1[1-4]\".*$busy|\"name\":\"r15\".*\"counted\""
expect_lines "$tmp/json" 6 # the first belongs to the CPU

begin "a pinned group without room in a command is busy, when that has ended too"
run "$TMA" stat --format=json -o "$tmp/json" -e '{r11,r12,r13,r14}:D,r15' sh -c 'sleep 0.2; exit 0'
expect_all_match "$tmp/json" "\"name\":\"r1[1-4]\".*$busy|\"name\":\"r15\".*\"counted\""
run "$TMA" stat -I 100 --format=json -o "$tmp/json" -e '{r11,r12,r13,r14}:D' sh -c 'sleep 0.3; exit 0'
expect_all_match "$tmp/json" "$busy"

begin "nobody holds any"
release
run "$TMA" stat -a -v -M TopdownL2 -x, sleep 0.3
expect_status 0
expect_no_match stderr 'other users hold'
close_test
