#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs that get a signal at one of their calls. make check-faults tries every call.
. "$(dirname "$0")/lib.sh"

needs_all_python
needs_all_strace

begin "a signal at some of the calls: a table or a word, and no command is left behind" # R6
needs_counters
needs_system_wide
run python3 -B tests/fault/calls.py --kind signals --every 127 "$BUILD" \
	'^(stat|list|why): ' '^stat (-a|-I|-r|-p|-D|--pre|record): '
expect_status 0
