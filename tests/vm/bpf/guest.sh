#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# BPF counters on a kernel that lets BPF programs run with others, and with a core PMU.
. tests/cli/lib.sh

# value EVENT [FILE]: its count in CSV
value()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' "${2:-$stderr}"
}

# runtime EVENT [FILE]: for how long it was counted, in ns
runtime()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "${2:-$stderr}"
}

# about VALUE WANTED PERCENT: whether it is near
about()
{
	awk -v value="$1" -v wanted="$2" -v percent="$3" 'BEGIN {
		off = value - wanted
		exit !(value != "" && off <= wanted * percent / 100 && off >= -wanted * percent / 100) }'
}

# number NAME: of the BPF program of this name
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

# An emulated CPU takes its time from one event to the next, so that each is of the time it was counted.
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

# spent: for how long the program has run, in ns, by the clock that events have, too
spent()
{
	bpftool prog show id "$work" | sed -n 's/.* run_time_ns \([0-9]*\) .*/\1/p'
}

# count_runs FILE NUMBERS EVENTS RUNS: counts events while the programs of these numbers run; sets ns
count_runs()
{
	ns=$(spent)
	run "$TMA" stat -x, -o "$1" -b "$2" -e "$3" -- \
		bpftool prog run pinned /sys/fs/bpf/load/work data_in "$tmp/data" repeat "$4"
	expect_status 0
	ns=$(($(spent) - ${ns:-0}))
}

begin "events during the runs of a BPF program"
echo 1 >/proc/sys/kernel/bpf_stats_enabled
count_runs "$tmp/rows" "$work" cpu-clock,cycles,instructions,page-faults 8
echo "# -b: cpu-clock $(value cpu-clock "$tmp/rows") ms, and the kernel measures $ns ns"
about "$(value cpu-clock "$tmp/rows")" "$(awk -v ns="$ns" 'BEGIN { print ns / 1e6 }')" 1 ||
	fail "cpu-clock is not about $ns ns" "$tmp/rows"
about "$(value cycles "$tmp/rows")" "$(($(runtime cycles "$tmp/rows") * 3))" 1 || fail "cycles are not at the PMU's rate" "$tmp/rows"
about "$(value instructions "$tmp/rows")" "$(($(runtime instructions "$tmp/rows") * 4))" 1 ||
	fail "instructions are not at the PMU's rate" "$tmp/rows"
[ "$(value page-faults "$tmp/rows")" = 0 ] || fail "a BPF program had page faults" "$tmp/rows"

begin "several programs are added up, and one that does not run counts nothing"
count_runs "$tmp/both" "$work,$rest" cpu-clock 3
about "$(value cpu-clock "$tmp/both")" "$(awk -v ns="$ns" 'BEGIN { print ns / 1e6 }')" 1 ||
	fail "the sum is not about $ns ns" "$tmp/both"
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
