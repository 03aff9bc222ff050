#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Reads retire latencies from a kernel's ring buffers: pmu/tma_pmu.c gives 100 + 10 n cycles on CPU
# n in the first half of every second, and twice that in the second half.
. tests/cli/lib.sh

event=MEM_LOAD_RETIRED.L3_HIT:R

# column N [PLACE]: print a column of the event's lines in CSV; with PLACE, only of one CPU's line
column()
{
	awk -F, -v n="$1" -v place="${2-}" 'index($0, ":R") && (place == "" || $1 == place) { print $n }' "$stderr"
}

begin "each CPU has the mean of its own samples"
run "$TMA" stat -a -A -x, -e $event sleep 4
expect_status 0
for cpu in 0 1 2 3; do
	mean=$((150 + cpu * 15))
	expect_between "latency on CPU $cpu" "$(column 2 CPU$cpu)" $((mean - 25)) $((mean + 25))
	expect_between "samples on CPU $cpu" "$(column 7 CPU$cpu)" 100 6000
done

begin "the least and the greatest are those of the samples"
run "$TMA" stat -a -A -x, --tpebs-mode min -e $event sleep 1.5
expect_equal "least on CPU 2" "$(column 2 CPU2)" 120.00
run "$TMA" stat -a -A -x, --tpebs-mode max -e $event sleep 1.5
expect_between "greatest on CPU 2" "$(column 2 CPU2)" 239.5 240.5

begin "intervals have the latencies of their own time"
run "$TMA" stat -C 0 -x, -I 250 --interval-count 12 --tpebs-frequency 200 -e $event
expect_status 0
# Half seconds with a latency of 100 and of 200 alternate, so some rows of a quarter second are
# within one.
awk -F, '$3 == "cycles" { rows++; low += $2 < 110; high += $2 > 190; odd += $2 < 99 || $2 > 201 }
	 END { exit !(rows == 12 && low >= 2 && high >= 2 && !odd) }' "$stderr" || fail "not 100 and 200 in turn"

begin "a command's samples are its own, its children's too"
run "$TMA" stat -x, -e $event,task-clock \
	sh -c 'sleep 1; (i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done) & i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; wait'
expect_status 0
expect_between "latency" "$(column 1)" 100 260
clock=$(awk -F, '/task-clock/ { printf "%d", $1 }' "$stderr")
expect_between "samples in $clock ms" "$(column 6)" $((clock / 10)) $((clock * 2))

begin "a metric takes what was sampled"
run "$TMA" stat -a --record-tpebs -M tma_l3_hit_latency sleep 1
expect_status 0
expect_match stderr '#  +[0-9.]+ %  tma_l3_hit_latency'
expect_no_match stderr '~'

begin "a period is kept to"
run "$TMA" stat -C 1 -x, --tpebs-period 1000000 -e $event,MEM_LOAD_RETIRED.L3_HIT sleep 1
expect_status 0
count=$(awk -F, '$3 == "MEM_LOAD_RETIRED.L3_HIT" { print $1 }' "$stderr")
expect_between "samples of $count" "$(column 6)" $((count / 1000000 * 8 / 10)) $((count / 1000000 * 12 / 10 + 1))

begin "that the kernel takes fewer samples than were asked for is told"
run "$TMA" stat -a -x, --tpebs-period 1000 -e $event sleep 1
expect_status 0
expect_match stderr 'throttled [0-9]+ times'

begin "a user's buffers are held to the limit, and it is told with its remedies"
echo 0 >/proc/sys/kernel/perf_event_paranoid
echo 64 >/proc/sys/kernel/perf_event_mlock_kb
ulimit -l 0
run su nobody -c "$TMA stat -a -x, -e $event sleep 0.5"
expect_status 0
expect_match stderr '^[0-9.]+,cycles'
echo 0 >/proc/sys/kernel/perf_event_mlock_kb
run su nobody -c "$TMA stat -a -x, -e $event sleep 0.5"
expect_match stderr 'perf_event_mlock_kb'
[ "$status" != 0 ] || fail "the status is 0"
close_test
