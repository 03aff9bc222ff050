#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counting on the PMU of an emulated Neoverse N1: two cycles an instruction, and one each ns.
. tests/cli/lib.sh

# value EVENT: print the count of an event in CSV
value()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' "$stderr"
}

begin "the model is the one that MIDR names"
run "$TMA" list event dtlb_walk
expect_status 0
expect_match stdout '^  dtlb_walk$'
expect_match stdout 'Unit: armv8_pmuv3\]'
run "$TMA" list metric branch_mpki
expect_match stdout '^  branch_mpki$'

begin "a command has two cycles an instruction, by the kernel's names, the tables' and codes"
run "$TMA" stat -x, -e cycles,instructions,armv8_pmuv3/cpu_cycles/,INST_RETIRED,r11 \
	sh -c 'i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done'
expect_status 0
cycles=$(value cycles)
expect_between "instructions" "$(value instructions)" $((cycles / 2 - 1)) $((cycles / 2 + 1))
expect_between "cycles" "$cycles" 1000000 10000000000
expect_equal "cpu_cycles" "$(value armv8_pmuv3/cpu_cycles/)" "$cycles"
expect_equal "INST_RETIRED" "$(value INST_RETIRED)" "$(value instructions)"
expect_equal "r11" "$(value r11)" "$cycles"

begin "both CPUs count for the time that is told"
run "$TMA" stat -a -x, -e cycles,duration_time sleep 0.2
expect_status 0
ns=$(value duration_time)
expect_between "cycles" "$(value cycles)" $((ns * 19 / 10)) $((ns * 22 / 10))

begin "what the PMU lacks is not supported, and the rest counts"
run "$TMA" stat -x, -e branches,instructions true
expect_status 0
expect_match stderr '^<not supported>,,branches,'
expect_match stderr '^[1-9][0-9]*,,instructions,'

begin "a metric of its table has its value"
run "$TMA" stat -M ipc sh -c 'i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done'
expect_status 0
expect_match stderr '#  +0\.5 per cycle  ipc *$'

begin "rows of a group"
run "$TMA" stat -x, -a -e '{cycles,instructions}' -I 50 --interval-count 3
expect_status 0
expect_lines stderr 6
expect_no_match stderr '<not'

begin "an ordinary user counts in user space"
echo 2 >/proc/sys/kernel/perf_event_paranoid
run su nobody -c "'$TMA' stat -x, -e instructions true"
expect_status 0
expect_match stderr '^[1-9][0-9]*,,instructions:u,'
close_test
