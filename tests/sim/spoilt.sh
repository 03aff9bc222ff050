#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Faults of the simulated machine that affect one file, or the counts of one counter, and how tma
# handles them.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP
sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
online=/sys/devices/system/cpu/online
type=/sys/bus/event_source/devices/uncore_imc_3/type

# spoilt FAULT COMMAND ...: run a program on the machine skylakex with this fault
spoilt()
{
	fault=$1
	shift
	run env LD_PRELOAD="$sim_library" TMA_MACHINE=skylakex TMA_SIM_FAULT="file:$fault" "$@"
}

begin "a file with another text, or without text, does not affect other files"
spoilt $online=text:abc cat $online $type
expect_status 0
expect_equal "texts" "$(tr '\n' ' ' <"$stdout")" "abc 27 "
spoilt $online=quoted cat $online
expect_equal "quoted" "$(cat "$stdout")" '"0-15"'
spoilt $online=empty cat $online
expect_equal "empty" "$(wc -c <"$stdout")" 0
spoilt $online=blank cat $online
expect_match stdout '^ $'
spoilt $online=long cat $online
[ $test_state != ok ] || [ "$(wc -c <"$stdout")" -gt 100000 ] || fail "it is not long" "$stdout"

begin "a file is missing, cannot be opened, or cannot be read; a PMU has two names"
for path in $type /sys/devices/uncore_imc_3/type; do
	spoilt $path=missing sh -c "cat /sys/devices/uncore_imc_3/type; ls ${type%/type}; cat ${type%3/type}2/type"
	expect_match stderr 'No such file'
	expect_no_match stdout '^type$'
	expect_match stdout '^26$'
	spoilt $path=EACCES cat $type
	expect_match stderr 'Permission denied'
	spoilt $path=unreadable cat $type
	expect_match stderr 'Input/output error'
done
spoilt /proc/meminfo=text:none cat /proc/meminfo
expect_equal "a file that the machine does not have" "$(cat "$stdout")" none
spoilt ../etc/passwd=missing true
expect_status 125
spoilt /sys/../etc/passwd=missing true
expect_status 125

# counted FAULT: print the cycles of each CPU, in one line
counted()
{
	run env TMA_SIM_FAULT="$1" "$TMA" --machine skylakex stat -a -A -x, -e cycles --timeout 200
	[ $test_state != ok ] || counts=$(grep '^CPU' "$stderr" | cut -d, -f2 | sed -n '3,5p' | tr '\n' ' ')
}

begin "a clock that reads 0, or a counter that never runs, on one CPU is not counted"
counted ''
whole=$counts
for event in cpu cpu/event=0x3c/; do
	counted "count:$event@3=zero"
	expect_equal "CPUs 2 to 4" "$counts" "$(echo "$whole" | awk '{ print $1, "<not counted>", $3, "" }' OFS=' ')"
	counted "count:$event@3=never"
	expect_equal "CPUs 2 to 4" "$counts" "$(echo "$whole" | awk '{ print $1, "<not counted>", $3, "" }' OFS=' ')"
	counted "open:$event@3=EINVAL"
	expect_equal "CPUs 2 to 4" "$counts" "<not supported> <not supported> <not supported> "
done
counted 'count:cpu/event=0xc0/@3=zero;count:uncore_imc_0=never'
expect_equal "another event's fault" "$counts" "$whole"

# expect_told FILE=HOW WHAT ARG ...: tma stat prints a message about the file
expect_told()
{
	run env TMA_SIM_FAULT="file:$1" "$TMA" --machine skylakex stat -x, "$3" -e cycles,uncore_imc/clockticks/ -a --timeout 100
	expect_status "${status_told:-0}"
	expect_match stderr "^tma: .*$2"
}

begin "a file that makes no sense does not count as missing" # R38
expect_told $type=text:0 'uncore_imc_3/type has unexpected contents' --no-scale
expect_told $type=quoted 'uncore_imc_3/type has unexpected contents' --no-scale
expect_told $type=missing 'uncore_imc_3 is not counted with the rest of its unit: sysfs does not have its type' --no-scale
expect_told ${type%type}format/event=blank 'uncore_imc_3/format/event has unexpected contents' --no-scale
expect_told ${type%type}format/event=missing 'uncore_imc_3 is not counted with the rest of its unit: it does not accept' --no-scale
expect_told ${type%type}cpumask=empty 'uncore_imc_3/cpumask has unexpected contents' --no-scale
expect_told ${type%type}events/clockticks=long 'events/clockticks is too long' --no-scale
expect_told $online=empty 'online has unexpected contents' --no-scale
expect_told /sys/devices/system/cpu/cpu3/topology/core_id=missing 'cpu3/topology/core_id has unexpected contents' --per-core
expect_told /sys/devices/system/node/node1/cpulist=missing 'cpulist \(CPU [0-9]+\) has unexpected contents' --per-node
expect_told /sys/devices/system/cpu/cpu3/cache/index3/shared_cpu_list=blank 'shared_cpu_list has unexpected contents' --per-cache
status_told=125
expect_told $type=unreadable 'uncore_imc_3/type could not be read: Input/output error' --no-scale
status_told=0

begin "an event that one CPU of several refuses says on which" # R66
run env TMA_SIM_FAULT='open:cpu@5=ENODEV' "$TMA" --machine skylakex stat -a --format=json -e cycles --timeout 100
expect_match stdout '"reason":"this CPU does not have it, or is offline \(on CPU 5\)"'

begin "a PMU whose type cannot be read keeps its name" # R67
for how in EACCES EAGAIN ENODEV blank; do
	for pmu in cpu software; do
		export TMA_SIM_FAULT=file:/sys/bus/event_source/devices/$pmu/type=$how
		sim skylakex stat -a -e cycles,page-faults,L1-dcache-loads --format=json --timeout 20
		expect_match stdout '"name":"cycles","pmu":"cpu"'
		expect_match stdout '"name":"L1-dcache-loads","pmu":"cpu"'
		expect_match stdout '"name":"page-faults","pmu":"software"'
	done
	export TMA_SIM_FAULT=file:/sys/bus/event_source/devices/cpu/type=$how
	sim skylakex stat -a -e inst_retired.any --timeout 20
	expect_match stderr 'sysfs has no usable type or CPUs for PMU cpu$'
done
unset TMA_SIM_FAULT
