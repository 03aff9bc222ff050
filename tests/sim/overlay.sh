#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The project's own tables of CPUs without a machine of their own, on one with the same core PMU.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=1
export TMA_SIM_STEP

# rows_off N: print the rows whose children, which begin at field N, do not add up to 100 %
rows_off()
{
	awk -v first="$1" '/^ +[0-9]+\.[0-9]/ {
		sum = 0
		for (i = first; i <= NF; i++) sum += $i
		if (sum < 99.7 || sum > 100.3) print
	}' "$stderr"
}

begin "Granite Rapids: the parts of level 1 come to all slots"
PERF_CPUID=GenuineIntel-6-AD-1
export PERF_CPUID
sim sapphirerapids stat -a --topdown -I1000 --interval-count 2
expect_status 0
expect_lines stderr 4
expect_match stderr '%  tma_retiring %  tma_backend_bound %  tma_frontend_bound %  tma_bad_speculation'
expect_equal "rows that do not come to 100 %" "$(rows_off 2)" ""

begin "Granite Rapids: level 2 is one group, led by slots"
sim sapphirerapids stat -a -M TopdownL2 -I1000 --interval-count 1
expect_status 0
expect_match stderr 'TOPDOWN.SLOTS '
expect_match stderr '%  tma_memory_bound'
expect_no_match stderr '\([0-9.]+%\)|<not|nan'

begin "Granite Rapids: every metric of level 3 has a value"
sim sapphirerapids stat -a -M TopdownL3 --metric-only -x, -I1000 --interval-count 1
expect_status 0
expect_equal "metrics" "$(tail -n 1 "$stderr" | cut -d, -f2- | tr ',' '\n' | grep -c '^[0-9]')" 34

begin "Granite Rapids: two levels by default"
sim sapphirerapids stat true
expect_match stderr '^ +TopdownL1 .*# +[0-9.]+ % +tma_backend_bound'
expect_match stderr '^ +TopdownL2 .*# +[0-9.]+ % +tma_branch_mispredicts'

begin "Lunar Lake: the parts of the P-cores' level 1 come to all slots"
PERF_CPUID=GenuineIntel-6-BD-1
sim alderlake stat -a --topdown -I1000 --interval-count 2
expect_status 0
sed -i '/cpu_atom/d' "$stderr"
expect_equal "rows that do not come to 100 %" "$(rows_off 3)" ""
expect_match stderr ' cpu_core '

begin "Lunar Lake: level 2 of both kinds of cores"
sim alderlake stat -a --topdown --td-level 2 --all -I1000 --interval-count 1
expect_status 0
for metric in tma_fetch_latency tma_memory_bound tma_ifetch_latency tma_resource_bound; do
	expect_match stderr "$metric"
done

begin "Sapphire Rapids: lines that another socket wrote are false sharing too"
unset PERF_CPUID
sim sapphirerapids stat -a -M tma_false_sharing --timeout 500
expect_status 0
expect_match stderr 'OCR.DEMAND_RFO.L3_MISS,offcore_rsp=0x103b800002'
# If only the events of the same socket counted, it would be less than 0.1 %.
expect_match stderr ' [1-9]\.[0-9] % +tma_false_sharing'

begin "rates of plain events: each kind of cores has its own, and perf 7's formulas their values"
sim alderlake stat -a -M lpm_ilp,lpm_idle --timeout 500
expect_status 0
# On P-cores, perf 7.3 has 1.6 %; it divides the counts of E-cores by the cycles of P-cores.
expect_match stderr '# +1\.6 % +lpm_ilp_inst_ret_1'
expect_equal "kinds of cores" "$(grep -c 'lpm_ilp_inst_ret_1' "$stderr")" 2
sim zen6 stat -a -M l3_read_miss_latency,umc_mem_bandwidth,lpm_br_total,l1_dtlb_misses_pti --timeout 500
expect_status 0
for metric in lpm_br_total_mispred l1_dtlb_misses_pti; do
	expect_match stderr "[0-9] .* $metric"
done
