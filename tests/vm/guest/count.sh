#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counts on a kernel's core PMU: the rates are those in pmu/tma_pmu.c.
. tests/cli/lib.sh

# value EVENT: print the count of an event in CSV
value()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' "$stderr"
}

# runtime EVENT: print how long an event had a counter, in ns
runtime()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "$stderr"
}

# about VALUE WANTED PERCENT: test whether the value is near
about()
{
	awk -v value="$1" -v wanted="$2" -v percent="$3" 'BEGIN {
		off = value - wanted
		exit !(value != "" && off <= wanted * percent / 100 && off >= -wanted * percent / 100) }'
}

# An emulated CPU may need some time to start counting, so all counts but the first are compared
# with the time in which they were counted.
begin "four CPUs count at the PMU's rate for the time that is told"
run "$TMA" stat -a -x, -e cycles,instructions,duration_time sleep 1
expect_status 0
ns=$(value duration_time)
about "$(runtime cycles)" "$((ns * 4))" 30 || fail "$(runtime cycles) ns counted in $ns ns of four CPUs"
about "$(value cycles)" "$(($(runtime cycles) * 3))" 0.1 ||
	fail "$(value cycles) cycles in $(runtime cycles) ns"
about "$(value instructions)" "$(($(runtime instructions) * 4))" 0.1 ||
	fail "$(value instructions) instructions in $(runtime instructions) ns"

begin "more events than counters take turns, and their estimates are right"
run "$TMA" stat -a -x, -e duration_time \
	-e r01,r02,r03,r04,r05,r06,r07,r08,r09,r0a,r0b,r0c,r0d,r0e,r0f,r10 sleep 2
expect_status 0
ns=$(value duration_time)
awk -F, '$3 == "r10" { exit !($5 > 30 && $5 < 70) }' "$stderr" ||
	fail "r10 ran all the time, or hardly: $(grep ',r10,' "$stderr")"
about "$(value r10)" "$((ns * 4 * 17 / 1000))" 30 || fail "$(value r10) of r10 in $ns ns"

begin "a group that cannot be on the counters at once is refused"
run "$TMA" stat -a -e '{r01,r02,r03,r04,r05,r06,r07,r08,r09}' sleep 0.1
expect_status 125
expect_match stderr 'cannot count r09 in the group'

# The PMU counts metric events in 255ths of slots.
begin "TopDown of level 1 has the PMU's shares"
run "$TMA" stat -a --topdown -x, sleep 0.5
expect_status 0
expect_match stderr '^40\.[0-2],(29\.9|30\.0),'

begin "a command is counted with its children, and for its own time alone"
run "$TMA" stat -x, -e cycles,task-clock sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done & wait'
expect_status 0
about "$(value cycles)" "$(awk -v ms="$(value task-clock)" 'BEGIN { printf "%.0f", ms * 3e6 }')" 10 ||
	fail "$(value cycles) cycles in $(value task-clock) ms"

begin "a CPU that goes offline is told, and counts again when it returns"
(sleep 0.7; echo 0 >/sys/devices/system/cpu/cpu3/online; sleep 1; echo 1 >/sys/devices/system/cpu/cpu3/online) &
run "$TMA" stat -a -x, -I 400 -A -e cycles sleep 3.2
wait
expect_status 0
expect_match stderr 'CPU 3'
awk -F, '$2 == "CPU3" && $3 > 1e9 { last = $1 } END { exit !(last > 2.5) }' "$stderr" ||
	fail "CPU 3 is not counted at the end"
close_test
