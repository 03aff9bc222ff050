#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each simulated machine is the one of its name: the CPU's id and core PMUs, TopDown at each level
# that its tables have, and values that are consistent. perf 6.12, on the same machine, computes the
# same.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=1
export TMA_SIM_STEP
once="-I2000 --interval-count 1"
short="-I500 --interval-count 2"

# expect_sound MACHINE: each value in $tmp/csv (-x, --metric-only) is a share, from 0 to 100 %
expect_sound()
{
	[ $test_state = ok ] || return 0
	tail -n +2 "$tmp/csv" | cut -d, -f2- | tr ',' '\n' | grep . >"$tmp/values"
	[ -s "$tmp/values" ] || fail "there is no value" "$tmp/csv"
	awk '!/^[0-9]+[.]?[0-9]*$/ || $1 > 100' "$tmp/values" >"$tmp/odd"
	[ ! -s "$tmp/odd" ] || fail "values which are no share" "$tmp/csv"
}

# machine NAME CPUID LEVELS PMU...: run the tests that each machine has
machine()
{
	name=$1
	cpuid=$2
	levels=$3
	shift 3

	begin "$name: the CPU is $cpuid, with tables"
	sim "$name" --version --tables
	expect_status 0
	expect_match stdout "$cpuid"
	expect_match stdout "^tables .*$name"

	for pmu; do
		begin "$name: $pmu counts cycles and instructions"
		# shellcheck disable=SC2086 # options
		sim "$name" stat -a -x, -e "$pmu/${cycles:-cpu-cycles}/,$pmu/${instructions:-instructions}/" $once
		expect_status 0
		expect_no_match stderr '<not'
		expect_lines stderr 3
	done

	for level in $(seq "$levels"); do
		begin "$name: TopDown level $level is in shares of all slots"
		# shellcheck disable=SC2086
		sim "$name" stat -a --topdown --td-level "$level" -x, -o "$tmp/csv" $once
		expect_status 0
		sed -i '/^#/d;/^$/d' "$tmp/csv"
		expect_sound
		[ "$level" != 1 ] || [ $test_state != ok ] || expect_between "the sum of level 1" \
			"$(awk '{ sum += $1 } END { print sum / '$#' }' "$tmp/values")" 99 101
	done
}

# same_as_perf NAME METRICS: tma prints the same bytes of CSV as perf, in intervals so short that
# tma does not read TopDown metric events more often than perf
same_as_perf()
{
	begin "$1: perf prints the same values of $2"
	needs_perfs_formulas
	[ $test_state = ok ] || return 0
	library=$(cd "$BUILD" && pwd)/libtma-sim.so
	# shellcheck disable=SC2086
	LD_PRELOAD=$library TMA_MACHINE=$1 "$PERF" stat -a -x, -M "$2" -o "$tmp/perf" $short \
		>"$stdout" 2>"$stderr" || fail "perf failed"
	# shellcheck disable=SC2086
	sim "$1" stat -a -x, -M "$2" --grouping=perf -o "$tmp/tma" $short
	expect_status 0
	for program in perf tma; do
		sed -i -e '/^# started/d' -e 's/^# cpuid: .*//' -e 's/"//g' "$tmp/$program"
	done
	expect_match "$tmp/perf" '[0-9],% +tma_'
	run diff -u "$tmp/perf" "$tmp/tma"
	expect_status 0
}

machine icelakex GenuineIntel-6-6A-6 6 cpu
for metrics in TopdownL1 TopdownL2 TopdownL3; do
	same_as_perf icelakex $metrics
done

begin "icelakex: there are no metric events of the second level"
sim icelakex stat -a -e '{slots,topdown-heavy-ops}' -I1000 --interval-count 1
expect_match stderr 'topdown-heavy-ops'
expect_no_match stderr 'slots .*topdown-heavy-ops'
[ "$status" != 0 ] || fail "topdown-heavy-ops was taken"

machine graniterapids GenuineIntel-6-AD-1 3 cpu

machine sierraforest GenuineIntel-6-AF-3 3 cpu
for metrics in TopdownL1 TopdownL2 TopdownL3; do
	same_as_perf sierraforest $metrics
done

begin "sierraforest: each module has a counter of its idle time"
sim sierraforest stat -a -x, -A -e cstate_module/c6-residency/ -I1000 --interval-count 1
expect_status 0
expect_match stderr ',CPU0,'
expect_match stderr ',CPU4,'
expect_lines stderr 3

cycles=cpu_cycles instructions=inst_retired
machine neoverse-n2 0x00000000410fd490 1 armv8_pmuv3_0
unset cycles instructions

begin "neoverse-n2: sysfs and procfs are those of arm64"
run env LD_PRELOAD="$(cd "$BUILD" && pwd)/libtma-sim.so" TMA_MACHINE=neoverse-n2 cat \
	/sys/devices/system/cpu/cpu3/regs/identification/midr_el1 \
	/sys/bus/event_source/devices/armv8_pmuv3_0/cpus /proc/cpuinfo
expect_status 0
expect_match stdout '^0x00000000410fd490$'
expect_match stdout '^0-7$'
expect_match stdout '^CPU part.*: 0xd49$'
expect_no_match stdout vendor_id

begin "neoverse-n2: raw events are the core PMU's, which has another type"
sim neoverse-n2 stat -C0 -x, -e r11,armv8_pmuv3_0/cpu_cycles/ -I1000 --interval-count 1
expect_status 0
expect_equal "counts" "$(cut -d, -f2 "$stderr" | grep '^[0-9]' | uniq | wc -l)" 1

begin "neoverse-n2: perf, which has no tables of arm64 here, counts the same"
needs_perf
if [ $test_state = ok ]; then
	events=cycles,instructions,branch-misses,armv8_pmuv3_0/stall_slot/,arm_cmn_0/hnf_cache_miss/
	# shellcheck disable=SC2086
	LD_PRELOAD=$(cd "$BUILD" && pwd)/libtma-sim.so TMA_MACHINE=neoverse-n2 "$PERF" stat -a -x, \
		-e $events -o "$tmp/perf" $once >"$stdout" 2>"$stderr" || fail "perf failed"
	# shellcheck disable=SC2086
	sim neoverse-n2 stat -a -x, -e $events -o "$tmp/tma" $once
	sed -i -e '/^# started/d' -e 's/^# cpuid: .*//' "$tmp/perf" "$tmp/tma"
	expect_lines "$tmp/perf" 6
	run diff -u "$tmp/perf" "$tmp/tma"
	expect_status 0
fi

machine lunarlake GenuineIntel-6-BD-1 2 cpu_core cpu_atom
machine arrowlake GenuineIntel-6-C5-2 2 cpu_core cpu_atom cpu_lowpower
machine pantherlake GenuineIntel-6-CC-1 2 cpu_core cpu_atom
machine clearwaterforest GenuineIntel-6-DD-1 3 cpu
machine grandridge GenuineIntel-6-B6-0 3 cpu
machine zen5 AuthenticAMD-26-2-1 2 cpu
machine zen6 AuthenticAMD-26-50-0 2 cpu

begin "lunarlake: ten events of a P-core fit in a group, and those of fixed counters beside them"
group=$(seq 16 25 | sed 's/.*/cpu_core\/event=0xf0,umask=&\//' | paste -sd, -)
# shellcheck disable=SC2086
sim lunarlake stat -a -x, -e "{cpu_core/cpu-cycles/,cpu_core/instructions/,$group}" $once
expect_status 0
expect_no_match stderr '<not'
expect_lines stderr 13
# shellcheck disable=SC2086
sim lunarlake stat -a -x, -e "{$group,cpu_core/event=0xf1/}" $once
expect_match stderr '<not'

begin "lunarlake: an E-core's TopDown events leave all eight general counters free"
group=$(seq 16 23 | sed 's/.*/cpu_atom\/event=0xf0,umask=&\//' | paste -sd, -)
# shellcheck disable=SC2086
sim lunarlake stat -a -x, $once -e "{cpu_atom/topdown-retiring/,cpu_atom/topdown-bad-spec/,cpu_atom/topdown-fe-bound/,$group}"
expect_status 0
expect_no_match stderr '<not'
# shellcheck disable=SC2086
sim lunarlake stat -a -x, -e "{cpu_atom/topdown-be-bound/,$group}" $once
expect_match stderr '<not'

begin "--machine list prints the names that can be given"
run "$TMA" --machine list
expect_status 0
expect_match stdout '^skylakex$'
for machine in $(grep -v -e '-none$' "$stdout"); do
	run env TMA_SIM_STEP=20 "$TMA" --machine "$machine" stat -a -e cycles --timeout 20
	expect_status 0
done
