#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each option of tma stat, why and compare with each other one. make check-faults tries all pairs.
. "$(dirname "$0")/lib.sh"

every=197

needs_all_python

begin "one in $every of the pairs of options counts, or is refused in words" # R58
run python3 -B tests/fault/options.py --every $every "$BUILD"
expect_status 0
