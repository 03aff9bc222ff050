#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma why ends where machines drawn at random are made to lose their time; of each machine a few of
# what "make check-why" draws.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"

for machine in skylakex sapphirerapids alderlake zen4 neoverse-n2; do
	begin "$machine: the way ends where the machine is slow, or says that it is not certain"
	run tests/metrics/why.py --mixes 3 --no-command "$TMA" "lib/sim/machines/$machine"
	expect_status 0
	expect_match stdout '^3 mixes: [3-6] of [3-6] answers are right, '
done
