#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# TopDown on AMD: levels of plain events, on six counters and with the watchdog on five.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=1
export TMA_SIM_STEP

begin "the parts of level 1 come to all slots, counted together"
sim zen4 stat -a --topdown -I1000 --interval-count 3
expect_status 0
expect_match stderr '%  retiring .*%  backend_bound .*%  frontend_bound .*%  bad_speculation .*%  smt_contention'
expect_lines stderr 5
expect_equal "rows that do not come to 100 %" "$(awk '/^ +[0-9]/ { sum = $2 + $3 + $4 + $5 + $6
	if (sum < 99.7 || sum > 100.3) print }' "$stderr")" ""

begin "none of its six events waits for a counter"
sim zen4 stat -a -M TopdownL1 -I1000 --interval-count 1
expect_status 0
expect_no_match stderr '\([0-9.]+%\)'
expect_match stderr '# +[0-9.]+ % +smt_contention'

begin "both names of a level are the same metrics"
sim zen4 stat -a -M TopdownL1 -x, -I1000 --interval-count 1
cut -d, -f8 "$stderr" | sort >"$tmp/topdown"
sim zen4 stat -a -M PipelineL1 -x, -I1000 --interval-count 1
cut -d, -f8 "$stderr" | sort >"$tmp/pipeline"
run cmp "$tmp/topdown" "$tmp/pipeline"
expect_status 0

begin "level 2 splits each part in two"
sim zen4 stat -a --topdown --td-level 2 -x, -I1000 --interval-count 1
expect_status 0
expect_match stderr 'backend_bound_memory'
expect_equal "metrics" "$(tail -n 1 "$stderr" | cut -d, -f2- | tr ',' '\n' | grep -c '^[0-9]')" 8

begin "with the watchdog's counter gone they take turns"
machines=$(dirname "$TMA")/machines
[ -e "$machines/zen4" ] || machines=$BUILD/machines
printf 'include %s/zen4\nsysctl nmi_watchdog 1\n' "$(cd "$machines" && pwd)" >"$tmp/watched"
sim "$tmp/watched" stat -a -M TopdownL1 -I1000 --interval-count 1
expect_status 0
expect_match stderr 'smt_contention .*\([0-9.]+%\)'
