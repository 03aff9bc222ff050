#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Names of all kinds in every place that takes one, printed in all formats. make check-faults tries all.
. "$(dirname "$0")/lib.sh"

needs_all_python

begin "names: whole rows, and nothing that a terminal acts on" # R37
needs_counters
needs_system_wide
run python3 -B tests/fault/names.py --every 53 "$BUILD"
expect_status 0
