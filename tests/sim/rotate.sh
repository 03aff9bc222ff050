#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --schedule=rotate: sets of groups take turns in user space, so that more events can be counted than there
# may be file descriptors.
. "$(dirname "$0")/../cli/lib.sh"

# A machine with 256 CPUs: two packages of 64 cores, with two threads each.
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)
large=$tmp/large
awk -v dir="$machines" '
	/^cpus / { print "cpus 0-255"; next }
	/^core / {
		for (i = 0; !done && i < 128; i++)
			printf "core %d,%d package=%d id=%d\n", i, i + 128, i / 64, i % 64
		done = 1
		next
	}
	/^node 0/ { print "node 0 0-63,128-191"; next }
	/^node 1/ { print "node 1 64-127,192-255"; next }
	/^cache / { sub("0-7", "0-255") }
	/^load / { next }
	/^include / { sub("include ", "include " dir "/") }
	/^include .*xeon.part/ { exit }
	{ print }' "$machines/sapphirerapids" >"$large"

limited()
{
	TMA_SIM_FAULT=fds=20000
	export TMA_SIM_FAULT
	sim "$large" stat -a "$@"
	unset TMA_SIM_FAULT
}

begin "256 CPUs and 20,000 file descriptors: TopdownL4 is refused, and a message names what is possible"
limited -M TopdownL4 sleep 0.1
expect_status 125
expect_match stderr '[0-9]{5} counters need as many open files'
expect_match stderr '[(]--passes[)], or in turns [(]--schedule=rotate[)]'

# The machine's clock is used, since changing sets on 256 CPUs takes longer on a busy computer: a
# round of all sets may take more than 1.5 s.
begin "256 CPUs and 20,000 file descriptors: sets take turns"
TMA_SIM_STEP=10
export TMA_SIM_STEP
limited --schedule=rotate -M TopdownL4 --format=json -o "$tmp/json" --timeout 1500
unset TMA_SIM_STEP
expect_status 0
expect_match "$tmp/json" '"name":"tma_ports_utilized_1".*"status":"scaled"'
expect_no_match "$tmp/json" '"status":"not counted"'

begin "256 CPUs: passes fit, too"
limited --passes -M TopdownL4 --format=json -o "$tmp/json" true
expect_status 0
expect_match "$tmp/json" '"name":"tma_ports_utilized_1"'
expect_no_match "$tmp/json" '"status":"(scaled|not counted)"'

# value NAME FILE: print the value of a metric
value()
{
	sed -n "s/.*\"name\":\"$1\".*\"value\":\([0-9.]*\).*/\1/p" "$2"
}

begin "turns: the values are those of events that are counted all the time"
TMA_SIM_STEP=1
export TMA_SIM_STEP
sim icelakex stat -a --schedule=rotate --schedule-ms 10 -M TopdownL3 --format=json -o "$tmp/turns" --timeout 1000
expect_status 0
expect_no_match "$tmp/turns" '"status":"not counted"'
for metric in tma_branch_resteers tma_divider tma_l1_bound; do
	sim icelakex stat -a -M $metric --format=json -o "$tmp/whole" --timeout 1000
	[ $test_state = ok ] || break
	echo "$(value $metric "$tmp/whole") $(value $metric "$tmp/turns")" >"$tmp/values"
	# A round of turns takes a large part of a phase of the machine.
	awk '{ d = $2 / $1 - 1; exit !(NF == 2 && d > -0.2 && d < 0.2) }' "$tmp/values" ||
		fail "$metric differs" "$tmp/values"
done
unset TMA_SIM_STEP

begin "turns of a task: its counters stay open, and are enabled in turn"
TMA_SIM_STEP=10
export TMA_SIM_STEP
lasting 60000
sim icelakex stat --schedule=rotate --schedule-ms 10 -e '{branches,branch-misses,L1-dcache-loads,L1-dcache-load-misses}' \
	-e '{branches:u,branch-misses:u,L1-dcache-loads:u,L1-dcache-load-misses:u}' \
	-e '{branches:k,branch-misses:k,L1-dcache-loads:k,L1-dcache-load-misses:k}' --format=json \
	-o "$tmp/json" --timeout 1000 sleep 100
unset TMA_SIM_STEP
expect_status 0
expect_no_match "$tmp/json" '"status":"(not counted|counted)"'
[ $test_state != ok ] || awk 'match($0, /"running_percent":[0-9.]+/) {
		p = substr($0, RSTART + 18, RLENGTH - 18)
		if (p < 15 || p > 90)
			exit 1
	}' "$tmp/json" || fail "turns are not about even" "$tmp/json"

begin "intervals: each set has its turn in each"
TMA_SIM_STEP=10
export TMA_SIM_STEP
sim icelakex stat -a --schedule=rotate -I 500 --interval-count 3 -M TopdownL2 --format=json -o "$tmp/json"
expect_status 0
expect_no_match "$tmp/json" '"status":"not counted"'
expect_match "$tmp/json" '"status":"scaled"'

begin "a set without a turn: why there is no value"
sim icelakex stat -a --schedule=rotate --schedule-ms 1000 -M TopdownL2 --format=json -o "$tmp/json" sleep 0.2
expect_status 0
expect_match "$tmp/json" '"not counted","reason":".*its set of groups had no turn'

begin "a CPU that goes offline and comes back: the others, and it, go on"
TMA_SIM_FAULT='offline=3@500ms-1s;fds=400'
export TMA_SIM_FAULT
sim icelakex stat -a -A --schedule=rotate -I 250 --interval-count 8 -M TopdownL2 --format=json -o "$tmp/json"
unset TMA_SIM_FAULT TMA_SIM_STEP
expect_status 0
expect_match stderr 'CPU 3 went offline'
expect_match stderr 'CPU 3 is back'
expect_no_match "$tmp/json" '"status":"lost"'

begin "a CPU that comes back before counting begins is estimated as the others are"
TMA_SIM_FAULT='offline=3@1s-7s' TMA_SIM_STEP=10
export TMA_SIM_FAULT TMA_SIM_STEP
sim icelakex stat -a -A --schedule=rotate -D 14000 --timeout 2000 -M TopdownL2 -x, -o "$tmp/csv"
unset TMA_SIM_FAULT TMA_SIM_STEP
expect_status 0
expect_no_match stderr 'was offline in between'
of_cpu()
{
	sed -n "s/^CPU$1,\([0-9]*\),,TOPDOWN.SLOTS .*/\1/p" "$tmp/csv" | head -n 1
}
expect_between "slots of the CPU in percent of another's" \
	"$(($(of_cpu 3) * 100 / $(of_cpu 1)))" 80 120

begin "what fits at the same time is counted all the time"
sim icelakex stat -a --schedule=rotate -e cycles,instructions -x, sleep 0.1
expect_status 0
expect_match stderr 'cycles,[0-9]+,100.00'
expect_match stderr 'instructions,[0-9]+,100.00'

# refused PATTERN ARG ...: the options are refused, and a message matches PATTERN
refused()
{
	pattern=$1
	shift
	begin "refused: $*"
	sim icelakex stat "$@"
	expect_status 129
	expect_match stderr "$pattern"
}

refused 'kernel or rotate' --schedule=round -e cycles true
refused 'needs --schedule=rotate' --schedule-ms 10 -e cycles true
refused 'cannot be combined with -G' --schedule=rotate -a -e cycles -G x true
refused '1 and 3600000' --schedule=rotate --schedule-ms 0 -e cycles true
