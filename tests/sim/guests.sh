#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A virtual machine has the counters for itself while its guests run (Linux 7.0): events that do not
# exclude guests are refused, for CPUs and for tasks.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)
sed "s|^include |include $machines/|; s|^include .*/goldencove.part\$|&\nmediated-vpmu|" "$machines/sapphirerapids" >"$tmp/machine"
note='without guests: a virtual machine has the counters for itself while its guests run$'

for target in -a ''; do
	begin "${target:-a command}: events that exclude guests are counted without a note" # R52
	# shellcheck disable=SC2086 # empty without a command
	run "$TMA" --machine "$tmp/machine" stat $target -x, -e cycles,instructions:u,cycles:H -- true
	expect_status 0
	expect_no_match stderr 'guests|not supported'

	begin "${target:-a command}: events that include guests are counted without them, with a note" # R52
	# shellcheck disable=SC2086
	run "$TMA" --machine "$tmp/machine" stat $target -e cycles:GH -- true
	expect_status 0
	expect_match stderr "^tma: cycles:GH is counted $note"
	expect_match stderr '^ +[1-9][0-9]* +cycles:GH'

	begin "${target:-a command}: guests alone are not supported, and the reason says why" # R52
	# shellcheck disable=SC2086
	run "$TMA" --machine "$tmp/machine" stat $target --format=json -o - -e cycles:G,cycles --timeout 100
	expect_match stdout '"name":"cycles:G".*a virtual machine has the counters for itself'
done

begin "TopDown and its metrics of every level" # R52
run "$TMA" --machine "$tmp/machine" stat -a --topdown --td-level 3 --metric-only -I1000 --interval-count 1
expect_status 0
expect_no_match stderr 'nan|guests'

begin "tma why, with what it samples" # R52
run "$TMA" --machine "$tmp/machine" why -a --once --budget 2s
expect_status 0
expect_no_match stdout 'guests'
expect_no_match stderr 'not supported|guests'

# In virtual machines without slots and TopDown metric events, plain events replace them.
value_of()
{
	sed -n "s/.*\"row\":\"run\".*\"name\":\"$1\",\"pmu\":\"$2\",\"value\":\([0-9.e+-]*\),.*/\1/p" "$stdout" | tail -n 1
}

guest_and_whole()
{
	machine=$1
	pmu=$2
	printf 'include %s/%s\nguest general=8 fixed=3\n' "$machines" "$machine" >"$tmp/$machine-guest"
	for metric in $3; do
		run "$TMA" --machine "$tmp/$machine-guest" stat -a -M "$metric" --format=json -o - --timeout 4000
		expect_status 0
		expect_no_match stdout '"name":"(cpu_core/)?(slots|topdown-|TOPDOWN.SLOTS")'
		expect_match stderr "^tma: ${pmu:-cpu}: this virtual machine has no TopDown metric events: formulas use plain events instead$"
		guest=$(value_of "$metric" "$pmu")
		run "$TMA" --machine "$machines/$machine" stat -a -M "$metric" --format=json -o - --timeout 4000
		expect_no_match stderr 'plain events'
		whole=$(value_of "$metric" "$pmu")
		expect_equal "$machine: $metric within a point of $whole ($guest)" \
			"$(awk -v a="$guest" -v b="$whole" 'BEGIN { print (a != "" && b != "" && (a - b) ^ 2 < 1) }')" 1
	done
}

level1='tma_retiring tma_bad_speculation tma_frontend_bound tma_backend_bound'
level2='tma_memory_bound tma_core_bound tma_branch_mispredicts tma_machine_clears tma_fetch_latency tma_fetch_bandwidth tma_heavy_operations tma_light_operations'
for machine in icelakex sapphirerapids graniterapids; do
	begin "$machine: levels 1 and 2 of a virtual machine are those of the machine" # R73
	guest_and_whole "$machine" '' "$level1 $level2"
done
for machine in alderlake lunarlake arrowlake pantherlake; do
	begin "$machine: levels 1 and 2 of its P-cores, too" # R73
	guest_and_whole "$machine" cpu_core "$level1 $level2"
done

begin "tma test, explain, plan and list of such a machine" # R73
run "$TMA" --machine sapphirerapids-guest test
expect_match stdout '^ok +TopDown metrics: down to level 6; this virtual machine has no TopDown metric events: formulas use plain events instead$'
run "$TMA" --machine sapphirerapids-guest explain tma_memory_bound
expect_match stdout '^ +TOPDOWN.MEMORY_BOUND_SLOTS / TOPDOWN.SLOTS_P'
expect_match stdout '^ +plain events +this virtual machine has no TopDown metric events'
run "$TMA" --machine sapphirerapids explain tma_memory_bound
expect_no_match stdout 'plain events'
run "$TMA" --machine sapphirerapids-guest plan --topdown
expect_status 0
expect_match stdout 'UOPS_RETIRED.SLOTS'
expect_no_match stdout 'topdown-'

begin "a recording of one is reported by its plain events, whatever its form" # R73
for form in 'record -o data' '-x, -o data' '-j -o data' '-o data'; do
	# shellcheck disable=SC2086 # a form is several words
	run sh -c 'cd "$1"; shift; exec "$@"' sh "$tmp" "$TMA" --machine sapphirerapids-guest stat $form -a \
		-M TopdownL1,TopdownL2 --timeout 1000
	run "$TMA" stat report --cpuid sapphirerapids -M tma_memory_bound --format=json -o - "$tmp/data"
	expect_status 0
	expect_match stdout '"name":"tma_memory_bound","pmu":"","value":39\.'
done

begin "a host that offers only architectural events: no number, and a reason" # R73
run "$TMA" --machine sapphirerapids-guest-architectural stat -a --topdown --format=json -o - --timeout 1000
expect_no_match stdout '"name":"tma_(retiring|bad_speculation|frontend_bound|backend_bound)","pmu":"","value":[0-9]'
expect_match stderr '^tma: .*UOPS_RETIRED.SLOTS.*: 0 while the CPU executed instructions: the counters of this virtual machine do not count$'
run "$TMA" --machine sapphirerapids-guest-architectural stat -a -e FRONTEND_RETIRED.DSB_MISS,OCR.DEMAND_DATA_RD.DRAM,cycles \
	--format=json -o - --timeout 1000
expect_equal "reasons" "$(grep -c '"value":0,' "$stdout")" 2
expect_match stderr '^tma: FRONTEND_RETIRED.DSB_MISS, OCR.DEMAND_DATA_RD.DRAM: 0: the host may not give this virtual machine the registers that such events need$'
expect_match stdout '"name":"cycles","pmu":"cpu","value":[1-9]'

begin "one without a PMU, one of arm64, and one with fewer counters" # R73
run "$TMA" --machine sapphirerapids-guest-none stat -a --topdown --timeout 100
expect_status 125
expect_match stderr 'this machine has none available'
run "$TMA" --machine neoverse-n2-guest stat -a -M TopdownL1 --timeout 100
expect_match stderr 'the kernel reports 0 slots, as in virtual machines: the 5 slots of CPUs with this id are used'
run "$TMA" --machine zen4-guest stat -v -a --topdown --timeout 100
expect_match stderr '4 of 6 general counters are available'

begin "what else is 0 is not believed where the parts of the slots are: no verdict, no shares" # R73
run "$TMA" --machine sapphirerapids-guest-architectural stat -a --topdown --td-level 2 --verdict --timeout 1000
expect_match stderr 'Verdict: none'
expect_no_match stderr ' 0\.0 '
run "$TMA" --machine sapphirerapids-guest-architectural stat -a --topdown --td-level 2 --format=json -o - --timeout 1000
expect_no_match stdout '"type":"metric".*"value":[0-9]'
TMA_SIM_FAULT='count:cpu/event=0xa4,umask=0x10/=zero' run "$TMA" --machine sapphirerapids-guest stat -a --topdown --td-level 2 \
	--format=json -o - --timeout 1000
expect_match stdout '"name":"tma_memory_bound","pmu":"","value":null'
expect_match stdout '"name":"tma_core_bound","pmu":"","value":null'
expect_match stdout '"name":"tma_heavy_operations","pmu":"","value":[1-9]'

begin "kernels before Linux 6.11 show slots in sysfs that no host lends" # R73
printf 'include %s/sapphirerapids\nguest general=8 fixed=3 listed\n' "$machines" >"$tmp/listed"
run "$TMA" --machine "$tmp/listed" stat -a -M TopdownL1 --timeout 1000
expect_status 0
expect_match stderr 'formulas use plain events instead$'
expect_match stderr ' 56\.[0-9] %  tma_backend_bound'
run "$TMA" --machine "$tmp/listed" stat -a -e slots --timeout 100
expect_no_match stderr '[1-9] +slots'

begin "a guest that is larger than its machine is refused, with the possible sizes"
for words in "fixed=9" "general=12"; do
	printf 'include %s/sapphirerapids\nguest %s\n' "$machines" "$words" >"$tmp/more"
	run "$TMA" --machine "$tmp/more" stat -a -e cycles --timeout 20
	expect_status 125
	expect_match stderr 'line 2: a guest has no more counters than its machine: general=8 fixed=4$'
done
printf 'include %s/sapphirerapids\nguest none precise\n' "$machines" >"$tmp/more"
run "$TMA" --machine "$tmp/more" stat -a -e cycles --timeout 20
expect_status 125
expect_match stderr "line 2: 'none' can only be combined with 'uncore'\$"
