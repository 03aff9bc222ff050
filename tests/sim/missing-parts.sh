#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A part of the machine is not counted: a CPU whose counters another process holds, or a box that
# the kernel refuses. The value names the part it covers, and no conclusion is drawn from it.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP

# Events that are pinned on CPU 3 use all its four general counters.
held='cpu/event=0xd0,umask=0x81,cpu=3/D,cpu/event=0xd1,umask=0x01,cpu=3/D'
held="$held,cpu/event=0xd1,umask=0x02,cpu=3/D,cpu/event=0xd1,umask=0x04,cpu=3/D"
without3='without CPU 3 (no counter was free)'

# line NAME: print the JSON of an event or metric
line()
{
	grep "\"name\":\"$1\"" "$stdout"
}

# expect_member NAME KEY VALUE: the member has this value, in the form of JSON
expect_member()
{
	[ $test_state = ok ] || return 0
	expect_equal "$2 of $1" "$(line "$1" | jq -c ".$2")" "$3"
}

begin "a sum over CPUs of which one had no counter says so, and what it covers" # R66
sim skylakex stat -a --timeout 1000 --format=json -e "$held,branch-misses"
expect_status 0
expect_member branch-misses status '"partial"'
expect_member branch-misses coverage_percent 93.75
expect_member branch-misses reason "\"$without3\""
expect_equal "lines" "$(grep -c "^tma: branch-misses: not counted in full: $without3" "$stderr")" 1

begin "what all events lack alike has a value, what they do not has none" # R66
sim skylakex stat -a --timeout 1000 --format=json -e "$held,branch-misses,branches"
expect_member branch_miss_rate status '"partial"'
expect_member branch_miss_rate reason "\"$without3\""
sim skylakex stat -a --timeout 1000 --format=json -e "$held,cpu/event=0xc0,cpu=3/D,cycles,instructions"
expect_member insn_per_cycle value null
expect_member insn_per_cycle status '"no value"'
expect_member insn_per_cycle reason "\"$without3, which its other events cover\""
sim skylakex stat -a --timeout 1000 -x, -e "$held,cpu/event=0xc0,cpu=3/D,cycles,instructions"
expect_match stderr ',,instructions,[0-9]*,[0-9.]*,,$'

begin "no metric, threshold or verdict is made of different parts" # R66
sim skylakex stat -C 3,4 -M TopdownL1 --verdict --timeout 1000 --format=json -e "$held"
expect_member tma_backend_bound value null
expect_member tma_backend_bound threshold_passed null
expect_match stdout '"type":"verdict".*"bottleneck":"".*was counted without CPU 3'
sim skylakex stat -C 3,4 -M TopdownL1 --verdict --timeout 1000 -e "$held"
expect_match stderr '^ Verdict: none: .* was counted without CPU 3 '

begin "nor of the same part: it is not the machine's" # R66
sim skylakex stat -C 3,4 -M mine=branches/instructions --timeout 1000 --format=json \
	-e "$held,cpu/event=0xc0,cpu=3/D"
expect_member mine status '"partial"'

begin "rows with one CPU each, or all of its socket, are whole or none" # R66
sim skylakex stat -a --per-socket --timeout 1000 --format=json -e "$held,branch-misses"
expect_equal "values" "$(line branch-misses | jq -c '[.socket, .status]' | tr '\n' ' ')" \
	'[0,"not counted"] [1,"counted"] '
sim skylakex stat -a -A --timeout 1000 --format=json -e "$held,branch-misses"
expect_equal "CPUs without" "$(line branch-misses | jq 'select(.value == null) | .cpu')" 3

begin "each row of -I says so, and one line does" # R66
sim skylakex stat -a -I 100 --interval-count 3 --format=json -e "$held,branch-misses"
expect_equal "rows" "$(line branch-misses | grep -c "\"partial\",\"reason\":\"$without3")" 3
expect_equal "lines" "$(grep -c "^tma: branch-misses: not counted in full in some rows: $without3" "$stderr")" 1

begin "a box that the kernel refuses is named, however it says so" # R66
for error in EINVAL ENODEV ENOENT EOPNOTSUPP; do
	TMA_SIM_FAULT="open:uncore_imc_3/event=0x05,umask=0xcf/=$error"
	export TMA_SIM_FAULT
	sim sapphirerapids stat -a -M memory_bandwidth_read,memory_bandwidth_total --timeout 1000 --format=json
	expect_status 0
	expect_member UNC_M_CAS_COUNT.RD status '"partial"'
	expect_member UNC_M_CAS_COUNT.RD coverage_percent 87.5
	expect_member memory_bandwidth_read status '"partial"'
	expect_match stdout '"reason":"UNC_M_CAS_COUNT.RD: without uncore_imc_3 [(]'
	expect_member UNC_M_CAS_COUNT.WR status '"counted"'
	expect_member memory_bandwidth_total value null
	expect_equal "lines" "$(grep -c '^tma: UNC_M_CAS_COUNT.RD: not counted in full: without uncore_imc_3 ' "$stderr")" 1
	expect_no_match stderr 'not supported'
done

begin "so are a mesh of two, and a type of core that is added up with another" # R66
TMA_SIM_FAULT='open:arm_cmn_1/type=0x5,eventid=0x2/=ENODEV'
sim neoverse-n2 stat -a -e hnf_slc_sf_cache_access --timeout 1000 --format=json
expect_member hnf_slc_sf_cache_access coverage_percent 50
expect_match stdout '"status":"partial","reason":"without arm_cmn_1 '
TMA_SIM_FAULT='open:cpu_atom/event=0xc4=EINVAL'
sim alderlake stat -a --hybrid-merge -e branches,instructions --timeout 1000 --format=json
expect_match stdout '"name":"branches".*"status":"partial","reason":"without cpu_atom '
TMA_SIM_FAULT='open:uncore_imc_3/event=0x05,umask=0xcf/=EINVAL'

begin "in rows of sockets it has no number, and of boxes the others have theirs" # R66
sim sapphirerapids stat -a --per-socket -e UNC_M_CAS_COUNT.RD --timeout 1000 --format=json
expect_equal "values" "$(jq -c 'select(.type == "event") | [.value, .status]' "$stdout" | sort -u)" '[null,"not counted"]'
expect_match stdout '"reason":"without uncore_imc_3 '
sim sapphirerapids stat -a -A -e UNC_M_CAS_COUNT.RD --timeout 1000 --format=json
expect_equal "counted" "$(jq -c 'select(.type == "event" and .status == "counted")' "$stdout" | wc -l)" 14

begin "every format says it, and so does a recording" # R66
for format in csv-wide prom tree markdown trace html; do
	run "$TMA" --machine sapphirerapids stat -a -M memory_bandwidth_read --timeout 1000 --format=$format -o "$tmp/out"
	expect_status 0
	expect_match "$tmp/out" 'without uncore_imc_3 '
done
sim sapphirerapids stat record -o "$tmp/data" -a -M memory_bandwidth_read --timeout 1000
unset TMA_SIM_FAULT
run "$TMA" stat report -i "$tmp/data" --format=json
expect_member memory_bandwidth_read status '"partial"'
expect_match stderr '^tma: UNC_M_CAS_COUNT.RD: not counted in full: without uncore_imc_3 '

begin "a run in which nothing is missing has no such note" # R66
sim sapphirerapids stat -a -M memory_bandwidth_read,memory_bandwidth_total --timeout 1000 --format=json
expect_no_match stdout 'partial|without'
expect_no_match stderr 'without'

close_test
