#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --format=prom of many rows, while phases change at random and groups take turns: its counters and the truth.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
[ -e "$BUILD/tests/metrics/rows.so" ] || skip_all "needs what make tests builds"

# counters ARGUMENT...: run tests/metrics/counters.py, and show its figures
counters()
{
	run tests/metrics/counters.py "$@" "$BUILD"
	expect_status 0
	sed 's/^/# /' "$stdout"
}

begin "counters never run backwards, and end within their errors of the truth"
counters -m sapphirerapids,skylakex -l max -p 300 -n 12
counters -m alderlake,zen4 -l 2 -p 30 -n 12

begin "the same of short rows, in which many nodes are estimates from one turn"
counters -m sapphirerapids -l max -p 30 -i 100 -n 40 -P 0.5
