#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Factors of formulas and counts may be unknown: constants of the machine, scales of events. And
# counters may exist but count nothing. None of these gives a number.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)
cp "$machines"/*.part "$tmp"

# guest CPUID: make $tmp/guest, an Arm machine whose kernel reports that its cores have 0 slots
guest()
{
	sed -e "s/^cpuid .*/cpuid $1/" "$machines/neoverse-n2" >"$tmp/guest"
}

slots=/sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots

begin "slots that a guest's kernel does not know are those of the CPU's id, and a line says so" # R67
sim neoverse-n2 stat -a --topdown --timeout 200 --format=json
metrics=$(jq -c 'select(.type == "metric") | [.name, .value]' "$stdout")
for how in text:0x00000000 missing; do
	TMA_SIM_FAULT="file:$slots=$how"
	export TMA_SIM_FAULT
	sim neoverse-n2 stat -a --topdown --timeout 200 --format=json
	expect_status 0
	expect_equal "metrics" "$(jq -c 'select(.type == "metric") | [.name, .value]' "$stdout")" "$metrics"
	expect_equal "lines" "$(grep -c '^tma: armv8_pmuv3_0: the kernel reports 0 slots, .* the 5 slots of CPUs with this id ' "$stderr")" 1
done

begin "where the id does not tell them either, nothing made of them has a value" # R67
guest 0x00000000c00fac30
sim "$tmp/guest" stat -a --topdown --timeout 200 --format=json
expect_status 125
expect_match stderr '^tma: #slots is unknown [(]caps/slots is 0, as in virtual machines[)]: metrics with it have no value'
expect_equal "values" "$(jq -c 'select(.type == "metric") | .value' "$stdout" | sort -u)" null
expect_match stdout '"reason":"#slots is unknown [(]caps/slots is 0, as in virtual machines[)]"'
sim "$tmp/guest" stat -a --topdown --verdict --timeout 200
expect_match stderr '^ Verdict: none: #slots is unknown '
sim "$tmp/guest" test
expect_match stdout '^no   TopDown metrics: #slots is unknown '
sim "$tmp/guest" why -a --budget 1s
expect_match stderr '#slots is unknown '
sim "$tmp/guest" stat -a -e cycles -M retired_fraction --timeout 200
expect_status 0
unset TMA_SIM_FAULT

begin "if the frequency of the TSC is unknown, it has no value" # R67
sed 's/ @ [0-9.]*GHz//' "$machines/icelakex" >"$tmp/icx"
sim "$tmp/icx" stat -a -M cpu_operating_frequency --timeout 300 --format=json
expect_match stdout '"name":"cpu_operating_frequency".*"value":null.*"status":"no value","reason":"#system_tsc_freq is unknown '
expect_match stderr '^tma: #system_tsc_freq is unknown '
sim "$tmp/icx" stat -a -e system_tsc_freq --timeout 300 --format=json
expect_match stdout '"name":"system_tsc_freq".*"value":null'
sim icelakex stat -a -M cpu_operating_frequency --timeout 300 --format=json
expect_match stdout '"name":"cpu_operating_frequency".*"value":[1-9]'
expect_no_match stderr 'unknown'

# perf 6.12 reads scales with strtod(); some kernels have had quotes around a scale.
begin "scales are read as perf reads them, and between quotes" # R67
scale=/sys/bus/event_source/devices/uncore_imc_0/events/cas_count_read.scale
for text in +6.103515625e-5 6.103515625e-5x ' 6.103515625e-5' '"6.103515625e-5"'; do
	TMA_SIM_FAULT="file:$scale=text:$text"
	export TMA_SIM_FAULT
	sim sapphirerapids stat -a -e uncore_imc_0/cas_count_read/ --timeout 200 -x,
	expect_match stderr '^2075\.20,MiB,uncore_imc_0/cas_count_read/,'
	expect_no_match stderr 'scale'
done

begin "a scale that is no number leaves the bare count without a unit, and a line" # R67
for text in text:abc text:0 text:nan text:6,1e-5 text:-1 text:0x1p-14 empty blank long; do
	TMA_SIM_FAULT="file:$scale=$text"
	sim sapphirerapids stat -a -e uncore_imc_0/cas_count_read/ --timeout 200 -x,
	expect_status 0
	expect_match stderr '^34000000,,uncore_imc_0/cas_count_read/,'
	expect_match stderr '^tma: .*cas_count_read\.scale '
done
unset TMA_SIM_FAULT

begin "counters that stay at 0 while the CPU executes are told, once" # R67
TMA_SIM_FAULT='count:cpu/event=0x3c/=zero;count:cpu/event=0x3c,any=1/=zero'
export TMA_SIM_FAULT
sim skylakex stat -a --topdown --verdict --timeout 400 --format=json
expect_match stdout '"name":"tma_retiring".*"value":null.*"reason":"[^"]*: its counter stays at 0 while the CPU executes"'
expect_equal "lines" "$(grep -c 'while the CPU executed instructions: the counters of this machine do not count' "$stderr")" 1
expect_match stdout '"type":"verdict".*"reason":"[^"]* stays at 0 while the CPU executes"'
sim skylakex stat -a -e cycles,instructions -I 100 --interval-count 3 -x,
expect_equal "lines" "$(grep -c 'while the CPU executed instructions: the counters of this machine do not count' "$stderr")" 1
sim skylakex test
expect_match stdout '^no   hardware events: cycles: the counter stays at 0'
unset TMA_SIM_FAULT
sim skylakex stat -a -e cycles:G,cycles,branch-misses --timeout 100 -x,
expect_no_match stderr 'do not count'

begin "a dead counter is not counted, and what is made of it names it" # R67
TMA_SIM_FAULT='count:cpu/event=0x3c/=zero'
export TMA_SIM_FAULT
sim skylakex stat -a -e cycles,instructions --timeout 200 --format=json
expect_match stdout '"name":"cycles".*"value":null.*"status":"not counted","reason":"its counter stays at 0 while the CPU executes"'
expect_match stdout '"name":"insn_per_cycle".*"value":null.*"reason":"cycles: its counter stays at 0 while the CPU executes"'
TMA_SIM_FAULT='count:cpu=zero'
sim skylakex stat -a -M tma_info_system_cpu_utilization --timeout 200 --format=json
expect_match stdout '"name":"tma_info_system_cpu_utilization".*"value":null.*"reason":"CPU_CLK_UNHALTED.REF_TSC: its counter stays at 0'

begin "clocks of states that a program need not be in may well be 0" # R67
TMA_SIM_FAULT='count:cpu/event=0xec,umask=0x40/=zero'
sim sapphirerapids stat -a -e CPU_CLK_UNHALTED.PAUSE,CPU_CLK_UNHALTED.THREAD:u --timeout 200 --format=json
expect_match stdout '"name":"CPU_CLK_UNHALTED.PAUSE".*"value":0,.*"status":"counted"'
expect_no_match stderr 'do not count'
unset TMA_SIM_FAULT

begin "why rules nothing out where nothing was judged" # R67
TMA_SIM_FAULT='count:cpu/event=0xc2,umask=0x02/@3=never'
export TMA_SIM_FAULT
sim skylakex why -a --budget 1s -j
expect_match stdout '"ruled_out":\[\]'
unset TMA_SIM_FAULT

close_test
