#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Rows of functions have what is true of each, on machines drawn at random; of each machine a few of
# what "make check-functions" draws.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"

places=$(cd "$BUILD" && pwd)/tests/sim/places

for machine in skylakex sapphirerapids alderlake zen4 neoverse-n2; do
	begin "$machine: values of functions that stay for 10 ms are true, and short ones have none"
	run tests/metrics/functions.py -v -n 1 --stays 100ns,10ms "$TMA" "$places" "lib/sim/machines/$machine"
	expect_match stdout '^100ns +4 +0 +0 +[0-9]+ +0 '
	expect_match stdout '^10ms +[01] +[34] +0 '
	expect_match stdout ' 0 wrong; '
done
close_test
