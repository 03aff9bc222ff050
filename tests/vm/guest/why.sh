#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma why samples with a kernel's own core PMU: /bin/spin spends its time in the line of spin.c that
# says so (tests/vm/kernel.sh).
. tests/cli/lib.sh

begin "the place in a program, by samples of the core PMU's cycles"
run "$TMA" why -j --budget 20s /bin/spin
expect_status 0
expect_match stdout '"event":"cycles","samples":[1-9][0-9]+'
expect_match stdout '"where":\[\{"cgroup":"","file":"[^"]*spin.c","line":[4-6],"function":"spin"'
expect_no_match stdout 'libdw.so.1 is not installed'

begin "and of the machine"
(while :; do /bin/spin; done) &
spinning=$!
run "$TMA" why -j -a --budget 10s
kill $spinning
expect_status 0
expect_match stdout '"event":"cycles","samples":[1-9][0-9]+'
expect_match stdout '"function":"spin"'
close_test
