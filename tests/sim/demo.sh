#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The demo: an answer of tma why, and the main job, on one screen.
. "$(dirname "$0")/../cli/lib.sh"

unset TMA_SIM_STEP TMA_SIM_COMMAND

begin "the demo shows an answer and five intervals in 30 lines, and says whose counts they are"
needs_counters
run env COLUMNS=80 scripts/demo "$TMA"
expect_status 0
expect_match stdout '^This computer has (a PMU|no PMU)'
expect_match stdout '^\$ .* why .* test -w divides$'
expect_match stdout '^\$ .* stat -a --topdown -I1000 --interval-count 5'
expect_match stdout '^  where '
expect_match stdout '^#  +time .*%  tma_retiring'
expect_between rows "$(grep -cE '^ +[1-5]\.[0-9]{9} ' "$stdout")" 5 15
expect_between lines "$(wc -l <"$stdout")" 15 30
[ -d /sys/bus/event_source/devices/cpu ] || expect_match stdout 'simulated Skylake: the counts are synthetic\.$'

begin "a demo that fails says why"
run scripts/demo /nosuch/tma
[ "$status" != 0 ] || fail "its status is 0"
expect_match stderr 'nosuch'
