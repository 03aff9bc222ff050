#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs with less memory, stack, files or processes than they need. make check-faults tries all
# commands with all limits.
. "$(dirname "$0")/lib.sh"

needs_all_python

begin "limits: the output is whole, or the cause is said" # R57
needs_counters
needs_system_wide
run python3 -B tests/fault/calls.py --kind limits --every 599 "$BUILD" \
	'^(stat|list|plan|explain|why|compare -j): ' \
	'^stat (-a|-I|-o|-M TopdownL2|--passes|--record-tpebs|record|report): '
expect_status 0
