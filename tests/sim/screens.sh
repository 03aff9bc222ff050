#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# No line is wider than the terminal, from 40 to 200 columns; make check-screens tries more commands and machines.
. "$(dirname "$0")/../cli/lib.sh"

begin "lines of stat -I, trees, why and plan fit terminals of all sizes"
run python3 -B "$(dirname "$0")/screens.py" "$(dirname "$TMA")"
expect_status 0
expect_match stdout '^96 screens, 0 with lines that are too wide$'

begin "nothing is cut on the screens of tma top, which have all that they should"
run python3 -B "$(dirname "$0")/screens.py" --top "$(dirname "$TMA")"
expect_status 0
expect_match stdout '^24 screens, 0 with mistakes$'
