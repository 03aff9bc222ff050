#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# BPF counters on a kernel that lets BPF programs run with others, and with a core PMU.
. tests/cli/lib.sh

# value EVENT [FILE]: print the count of an event in CSV
value()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' "${2:-$stderr}"
}

# runtime EVENT [FILE]: print how long an event was counted, in ns
runtime()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "${2:-$stderr}"
}

# about VALUE WANTED PERCENT: test whether the value is near
about()
{
	awk -v value="$1" -v wanted="$2" -v percent="$3" 'BEGIN {
		off = value - wanted
		exit !(value != "" && off <= wanted * percent / 100 && off >= -wanted * percent / 100) }'
}

# number NAME: print the number of the BPF program of this name
number()
{
	bpftool prog list | sed -n "s/^\([0-9]*\): .* name $1 .*/\1/p" | tail -n 1
}

begin "without a BPF file system, a line says what to mount"
run "$TMA" stat -x, --bpf-counters -a -e cs true
expect_status 125
expect_match stderr '^tma: /sys/fs/bpf/perf_attr_map: the map of shared counters cannot be pinned there: '
expect_match stderr 'mount -t bpf bpf /sys/fs/bpf'
mount -t bpf bpf /sys/fs/bpf || fail "it cannot be mounted"

# An emulated CPU needs some time from one event to the next, so each count is compared with the
# time in which it was counted.
begin "shared counters of a core PMU count at its rate, as plain events do"
run "$TMA" stat -a -x, -e cycles:b,cycles,instructions:b,instructions sleep 2
expect_status 0
for suffix in :b ''; do
	about "$(value cycles$suffix)" "$(($(runtime cycles$suffix) * 3))" 0.1 || fail "cycles$suffix"
	about "$(value instructions$suffix)" "$(($(runtime instructions$suffix) * 4))" 0.1 || fail "instructions$suffix"
done
about "$(runtime cycles:b)" "$(runtime cycles)" 5 || fail "they are not of the same time"

begin "shared counters of tasks and their children"
run "$TMA" stat -x, -e page-faults:b,page-faults,cycles:b,cycles sh -c 'spin; spin'
expect_status 0
about "$(value cycles:b)" "$(($(runtime cycles:b) * 3))" 0.1 || fail "cycles:b"
about "$(value page-faults:b)" "$(value page-faults)" 10 || fail "page-faults are not about the same"
about "$(runtime cycles:b)" "$(runtime cycles)" 25 || fail "they are not of the same time"

begin "BPF programs to be counted are loaded"
head -c 64 /dev/zero >"$tmp/data"
run bpftool prog loadall work.bpf.o /sys/fs/bpf/load
expect_status 0
work=$(number work) rest=$(number rest)
[ -n "$work" ] && [ -n "$rest" ] || fail "they are not there"

# count_runs RUNS NUMBERS: count events while the programs of these numbers run, into rows.RUNS, and
# the CPU time of the task that runs them, into task.RUNS
count_runs()
{
	run "$TMA" stat -x, -o "$tmp/rows.$1" -b "$2" -e cpu-clock,cycles,instructions,page-faults -- \
		"$TMA" stat -x, -o "$tmp/task.$1" -e task-clock -- \
		bpftool prog run pinned /sys/fs/bpf/load/work data_in "$tmp/data" repeat "$1"
	expect_status 0
}

# more EVENT FILE: print by how much the count in FILE.20 exceeds the count in FILE.2
more()
{
	awk -v few="$(value "$1" "$2.2")" -v many="$(value "$1" "$2.20")" 'BEGIN { print many - few }'
}

# Both counts include the task's other work, so their difference does not.
begin "events during the runs of a BPF program"
count_runs 2 "$work"
count_runs 20 "$work"
rows=$tmp/rows.20
echo "# -b: cpu-clock of 18 runs: $(more cpu-clock "$tmp/rows") ms; task-clock, a plain event: $(more task-clock "$tmp/task") ms"
about "$(more cpu-clock "$tmp/rows")" "$(more task-clock "$tmp/task")" 1 || fail "cpu-clock is not about task-clock" "$rows"
about "$(value cycles "$rows")" "$(($(runtime cycles "$rows") * 3))" 0.1 || fail "cycles are not at the PMU's rate" "$rows"
about "$(value instructions "$rows")" "$(($(runtime instructions "$rows") * 4))" 0.1 ||
	fail "instructions are not at the PMU's rate" "$rows"
[ "$(value page-faults "$rows")" = 0 ] || fail "a BPF program had page faults" "$rows"

begin "several programs are added up, and one that does not run counts nothing"
count_runs 20 "$work,$rest"
about "$(value cpu-clock "$tmp/rows.20")" "$(value task-clock "$tmp/task.20")" 5 || fail "the sum is not about that of one" "$tmp/rows.20"
run "$TMA" stat -x, -b "$rest" -e cpu-clock,cs sleep 0.1
expect_status 0
expect_match stderr '^<not counted>,msec,cpu-clock,0,'

begin "rows of intervals and of CPUs, a delay and a heading"
run "$TMA" stat -b "$work" -e cpu-clock -I 200 -A --interval-count 2 -- sleep 1
expect_status 0
expect_match stderr ' CPU0 .* cpu-clock'
expect_match stderr ' CPU3 .* cpu-clock'
run "$TMA" stat -b "$work" -e cpu-clock -- sleep 0.1
expect_match stderr "Performance counter stats for 'BPF program\(s\) $work'"
run "$TMA" stat -x, -o "$tmp/late" -b "$work" -D 60000 -e cpu-clock -- \
	bpftool prog run pinned /sys/fs/bpf/load/work data_in "$tmp/data" repeat 1
expect_match "$tmp/late" '^<not counted>,msec,cpu-clock,0,'

begin "a program that is one of ours is not counted"
"$TMA" stat --bpf-counters -a -e cs -o /dev/null sleep 20 &
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -n "$(number on_switch)" ] && [ -n "$(number follow)" ] && break
	sleep 0.5
done
run "$TMA" stat -x, -b "$(number follow)" -e cpu-clock sleep 0.5
expect_status 0
expect_match stderr '^[0-9.]+,msec,cpu-clock,[1-9]'
kill %1
