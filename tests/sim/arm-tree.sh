#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Arm's tree below level 1, from Neoverse N3 and V3 on: each node is a share of the one above it.
# Where a tree ends, the suggested next groups are in the order of Arm's decision tree.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP

# v3 ID: make a machine of two cores with ten slots each; they wait for data that misses the
# second-level cache
v3()
{
	cat <<-END
		cpuid $1
		model Neoverse
		cpus 0-1
		core 0 id=0
		core 1 id=1
		phases 500ms
		pmu armv8_pmuv3_0
		type 8
		kind core
		cpus 0-1
		counters 6
		fixed 1
		format event config:0-15
		constraint event=0x11 fixed 0 any
		rate event=0x11 2G
		rate event=0x3a 6G
		rate event=0x3b 8G
		rate event=0x3d 8G
		rate event=0x3e 4G
		rate event=0x3f 12G
		rate event=0x23 0.2G
		rate event=0x24 0.8G
		rate event=0x8158 0.06G
		rate event=0x8159 0.03G
		rate event=0x815b 0.02G
		rate event=0x815c 0.01G
		rate event=0x8160 0.14G
		rate event=0x8161 0.04G
		rate event=0x8162 0.1G
		rate event=0x8164 0.6G
		rate event=0x8165 0.1G
		rate event=0x4005 0.4G
		rate event=0x8167 0.06G
		rate event=0x8168 0.04G
		rate event=0x816a 0.2G
		rate event=0x816b 0.12G
		rate event=0x816d 0.05G
		end
	END
}

for id in 0x00000000410fd830 0x00000000410fd840; do
	v3 $id >"$tmp/v3"
	begin "$id: nodes are at their places in the tree, and marked as shares of their parents"
	run "$TMA" --machine "$tmp/v3" stat -a --topdown --td-level 4 --format=tree --timeout 1000
	expect_status 0
	expect_match stdout '^backend_bound +40\.0 % slots'
	expect_match stdout '^.-backend_mem_bound +75\.0 % parent'
	expect_match stdout '^  .-backend_mem_cache_bound +83\.3 % parent'
	expect_match stdout '^  . .-backend_cache_l2d_bound +80\.0 % parent'
	expect_match stdout '^. .-frontend_core_flush_bound +71\.4 % parent'

	begin "$id: why follows these nodes to the end, and gives no bound for a share of a share"
	run "$TMA" --machine "$tmp/v3" why -v --keep-output sleep 1
	expect_match stdout '^  40\.0 % of slots .*back end \(backend_bound\)$'
	expect_match stdout '^    .* 83\.3 % of parent .*data caches \(backend_mem_cache_bound\)$'
	expect_match stdout '^      .* 80\.0 % of parent '
	expect_no_match stdout 'times as fast'
done

begin "level 2 is counted by its group, and --td-level goes to 4"
run "$TMA" --machine "$tmp/v3" stat -a -M backend_bound_group --timeout 500
expect_match stderr '75\.0 percent of cycles  backend_mem_bound'
run "$TMA" --machine "$tmp/v3" stat -a --topdown --td-level 5 --timeout 500
expect_status 125
expect_match stderr 'the deepest level of this CPU \(arm/neoverse-v3\) is 4$'

begin "tables that are loaded hang in the tree by the names of their groups and metrics"
mkdir "$tmp/c1"
cat >"$tmp/c1/metrics.json" <<'END'
[
 { "MetricName": "backend_mem_bound", "MetricGroup": "Topdown_Backend", "ScaleUnit": "1percent of cycles",
   "MetricExpr": "STALL_BACKEND_MEMBOUND / STALL_BACKEND * 100" },
 { "MetricName": "backend_other_bound", "MetricGroup": "Topdown_Backend", "MetricExpr": "1" },
 { "MetricName": "frontend_mem_bound", "MetricGroup": "Mine", "MetricExpr": "1" }
]
END
run "$TMA" --machine "$tmp/v3" list --tables "$tmp/c1" -j metric
for group in backend_mem_bound:backend_bound_group backend_mem_bound:TopdownL2; do
	expect_equal "$group" "$(jq -r ".[] | select(.MetricName == \"${group%:*}\") | .MetricGroup" "$stdout" |
		grep -c -x "${group#*:}")" 1
done
expect_equal "groups of others" "$(jq -r '.[] | select(.MetricName == "backend_other_bound" or
	.MetricName == "frontend_mem_bound") | .MetricGroup' "$stdout" | sort | tr '\n' ' ')" "Mine Topdown_Backend "

begin "where the tree ends, groups of resources follow in the order of Arm's decision tree"
sim neoverse-n2 stat -a --topdown --verdict --timeout 1000
expect_match stderr '^ +which resource it is: tma --machine neoverse-n2 stat -a --timeout 1000 -M DTLB_Effectiveness -M L1D_Cache_Effectiveness -M L2_Cache_Effectiveness'
sim neoverse-n2 stat -a -M DTLB_Effectiveness,L1D_Cache_Effectiveness --timeout 500
expect_status 0
expect_match stderr 'dtlb_walk_ratio'
sim neoverse-n2 why --keep-output sleep 1
expect_match stdout ' -M DTLB_Effectiveness( |$)'
expect_match stdout '-M L1D_Cache_Effectiveness -M L2_Cache_Effectiveness'
sim skylakex stat -a --topdown --verdict --timeout 500
expect_no_match stderr 'which resource'

v3 0x00000000410fd840 >"$tmp/v3"
run "$TMA" --machine "$tmp/v3" stat -a --topdown --td-level 4 --verdict --timeout 1000
expect_match stderr '^ +which resource it is: .* -M L2_Cache_Effectiveness -M LL_Cache_Effectiveness$'
# Neoverse V1 and V2 have eight slots, and no level below the first.
for cpuid in 0x00000000410fd400 0x00000000410fd4f0; do
	v3 $cpuid | sed -e 's/0x3d 8G/0x3d 7G/' -e 's/0x3e 4G/0x3e 3G/' -e 's/0x3f 12G/0x3f 10G/' >"$tmp/other"
	run "$TMA" --machine "$tmp/other" stat -a --topdown --verdict --timeout 1000
	expect_match stderr ' -M DTLB_Effectiveness -M L1D_Cache_Effectiveness -M L2_Cache_Effectiveness'
done

begin "the groups of resources are there where the kernel's tables lack the CPU: Neoverse V3, N3 and T410"
for cpuid in 0x00000000410fd830 0x00000000410fd8e0 0x000000004e0f0100; do
	v3 $cpuid >"$tmp/v3"
	run "$TMA" --machine "$tmp/v3" stat -a -M L2_Cache_Effectiveness,DTLB_Effectiveness,Operation_Mix --timeout 500
	expect_status 0
	expect_match stderr ' l2_cache_mpki'
	expect_match stderr ' dtlb_walk_ratio'
	expect_match stderr ' load_percentage'
done
