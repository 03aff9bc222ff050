#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma script: the counts of a recording.
. "$(dirname "$0")/lib.sh"

begin "a command's counts, a line each"
needs_counters
run "$TMA" stat record -o "$tmp/data" -e task-clock,page-faults true
expect_status 0
run "$TMA" script -i "$tmp/data"
expect_status 0
expect_match stdout '^CPU +THREAD +VAL +ENA +RUN +TIME +EVENT$'
expect_match stdout '^ -1 +[0-9]+ +[1-9][0-9]* +[1-9][0-9]* +[1-9][0-9]* +[1-9][0-9]* task-clock(:u)?$'
expect_match stdout ' page-faults(:u)?$'

begin "all CPUs and intervals"
needs_system_wide
run "$TMA" stat record -o "$tmp/data" -a -I 50 --interval-count 3 -e cpu-clock
expect_status 0
run "$TMA" script -i "$tmp/data"
[ "$(grep -c ' cpu-clock$' "$stdout")" = $((3 * $(getconf _NPROCESSORS_ONLN))) ] ||
	fail "not a line for each CPU and row" "$stdout"

begin "from a pipe"
needs_counters
run sh -c '"$0" stat record -e page-faults -o - true 2>/dev/null | "$0" script -i -' "$TMA"
expect_status 0
expect_match stdout ' page-faults(:u)?$'

begin "what is no recording"
run "$TMA" script -i "$tmp/none"
expect_status 125
expect_match stderr 'cannot open .*/none'
run "$TMA" script -i /dev/null
expect_status 125
run "$TMA" script perf.data
expect_status 129

begin "a recording without counts, as perf record makes it"
[ -n "$PERF" ] || skip "needs PERF (the path of a perf 6.12)"
run "$PERF" record -q -o "$tmp/samples" -e cpu-clock sleep 0.2
expect_status 0
run "$TMA" script -i "$tmp/samples"
expect_status 125
expect_match stderr "samples has samples but no counts: 'tma stat report' estimates counts from them\$"
expect_empty stdout
