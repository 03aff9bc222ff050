#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Groups that the kernel accepts but never schedules: the PMU (pmu/tma_pmu.c) does so with one
# event.
. tests/cli/lib.sh

# starve CODE: never schedule groups with the event of this code; 0 ends this
starve()
{
	echo "$1" >/sys/module/tma_pmu/parameters/starved
}

group='{r01,r02,r03}:W'
other='{r11,r12,r13,r14,r15,r16}'
told='^tma: the kernel accepted [{]r01,r02,r03[}] but never scheduled it, though its turn had come: it is taken apart'

# A loop of the shell, which takes some time and starts no children.
echo 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' >"$tmp/loop"

starve 2
begin "on CPUs a starved group is taken apart within the first second, and counts"
run "$TMA" stat -a -I 1000 --interval-count 2 --format=json -o "$tmp/json" -e "$group,$other" sleep 5
expect_match stderr "$told"
expect_all_match "$tmp/json" '"status":"scaled"'

begin "events in braces of the user stay together: not counted, with the reason"
run "$TMA" stat -a --format=json -o "$tmp/json" -e "{r01,r02,r03},$other" sleep 0.5
expect_match stderr '^tma: the kernel accepted [{]r01,r02,r03[}] but never scheduled it, .* is not counted [(]without'
expect_all_match "$tmp/json" '"name":"r0[123]".*"reason":"the kernel accepted its group but never|"name":"r1[1-6]".*"scaled"'

begin "the only group of a PMU is found, too"
run "$TMA" stat -a --format=json -o "$tmp/json" -e "$group" sleep 0.6
expect_match stderr '^tma: the kernel accepted [{]r01,r02,r03[}]'
expect_all_match "$tmp/json" '"status":"scaled"'

begin "of a command without children all events count"
run "$TMA" stat --format=json -o "$tmp/json" -e "$group,$other" sh "$tmp/loop"
expect_match stderr "$told"
expect_all_match "$tmp/json" '"status":"scaled"'

begin "of a command with children the first event cannot be opened anew: not counted, and why"
run "$TMA" stat --format=json -o "$tmp/json" -e "$group,$other" sh -c "sh $tmp/loop; exit 0"
expect_match stderr "$told"
expect_all_match "$tmp/json" '"name":"r01".*"not counted".*in children that the task already had|"name":"r(0[23]|1[1-6])".*"scaled"'

# rate NAME: print the estimated events per second
rate()
{
	sed -n "s/.*\"name\":\"$1\".*\"value\":\([0-9]*\).*\"enabled_ns\":\([0-9]*\).*/\1 \2/p" "$tmp/json" |
		awk '{ printf "%d\n", $1 * 1e9 / $2 }'
}

begin "children are counted as they are where nothing starves"
starved=$(rate r02)
starve 0
run "$TMA" stat --format=json -o "$tmp/json" -e "$group,$other" sh -c "sh $tmp/loop; exit 0"
expect_no_match stderr 'never scheduled'
expect_all_match "$tmp/json" '"status":"scaled"'
expect_between "percent of the rate" $((100 * ${starved:-0} / $(rate r02))) 90 110

begin "with --grouping=perf groups are left as they are"
starve 2
run "$TMA" stat -a --grouping=perf --format=json -o "$tmp/json" -e "$group,$other" sleep 0.5
expect_no_match stderr 'never scheduled'
expect_match "$tmp/json" '"name":"r01".*"not counted"'

starve 0
close_test
