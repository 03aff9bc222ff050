#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every share names its whole, in the same way for all vendors, and no bar compares shares of
# different wholes.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP

# expect_share NAME WHOLE
expect_share()
{
	[ $test_state = ok ] || return 0
	expect_equal "$1" "$(jq -r "select(.name == \"$1\") | .unit + \" \" + .share_of" "$stdout")" "% $2"
}

begin "by the words of Intel's tables, and by the node above where they do not say"
sim skylakex stat -a --topdown --td-level 4 --timeout 2000 --format=json -M tma_l3_miss_bound,tma_split_stores,TopdownL1,TopdownL2
expect_share tma_retiring slots
expect_share tma_memory_bound slots
expect_share tma_l3_miss_bound stalls
sim skylakex stat -a -M TopdownL1,tma_ports_utilization,tma_split_stores,tma_fetch_latency_group,tma_core_bound_group --timeout 2000 --format=json
expect_share tma_ports_utilization clocks
expect_share tma_divider clocks

begin "by the units of AMD and Arm, which are the same as elsewhere"
sim zen5 stat -a --topdown --timeout 300 --format=json
expect_share retiring slots
expect_share bad_speculation ops
sim neoverse-n2 stat -a --topdown --timeout 300 --format=json
expect_share backend_bound slots
for format in tree csv-wide markdown; do
	sim neoverse-n2 stat -a --topdown --timeout 300 --format=$format --header=full
	expect_no_match stdout 'percent of'
	sim zen5 stat -a --topdown --timeout 300 --format=$format
	expect_no_match stdout '%slots|%ops'
done

begin "perf's own formats have the units of the tables"
sim neoverse-n2 stat -a --topdown --timeout 300
expect_match stderr 'percent of slots  retiring'

begin "in a tree each node says it, and bars are of what level 1 is a share of"
sim skylakex stat -a --topdown --td-level 3 --all --timeout 2000 --format=tree
expect_match stdout 'tma_memory_bound +[0-9.]+ % slots +[0-9]+%( !)? +memory +#+$'
expect_match stdout 'tma_l3_miss_bound +[0-9.]+ % stalls +[0-9]+%( !)? +.*$'

begin "a verdict names what is no share of slots, and says how much there is to be had on every vendor"
sim zen5 stat -a --topdown --verdict --timeout 1000
expect_match stderr 'without it at most [0-9.]+ times as fast'
sim neoverse-n2 stat -a --topdown --verdict --timeout 1000
expect_match stderr 'Verdict: [a-z_]+ [0-9.]+ %'
expect_match stderr 'without it at most [0-9.]+ times as fast'

begin "the bound is that of the value: its error is left out"
sim skylakex stat -a --topdown --verdict --timeout 300 --format=json
value=$(jq -r 'select(.type == "verdict") | .path[-1].value' "$stdout")
expect_equal "bound" "$(jq -r 'select(.type == "verdict") | .speedup_bound * 1000 | round' "$stdout")" \
	"$(awk -v v="$value" 'BEGIN { printf "%.0f", 1000 / (1 - v / 100) }')"

begin "explain says it"
sim skylakex explain tma_l3_miss_bound
expect_match stdout '^  share of +stalls$'

close_test
