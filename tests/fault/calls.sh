#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in which a system call fails, or does only a part of its work. make check-faults tries every
# call with every error.
. "$(dirname "$0")/lib.sh"

needs_all_python
needs_all_strace

begin "some of the calls that may fail do: the output is whole, or the cause is said"
needs_counters
needs_system_wide
run python3 -B tests/fault/calls.py --every 997 "$BUILD" ': (host|perf)$' \
	'^stat (-M TopdownL2|--passes|--record-tpebs|--regions): ' '^(why -a|compare|list all): '
expect_status 0

begin "calls that do a part of what they should: the same"
run python3 -B tests/fault/calls.py --kind short --every 101 "$BUILD" \
	'^stat (-x|-o|-r|report|--regions): ' '^(list -j|why|compare -j): '
expect_status 0

# $1: code of a program that replaces tma; in it, $? is the error of the call
wrong()
{
	mkdir -p "$tmp/build"
	printf '#!/bin/sh\n%s\n' "$1" >"$tmp/build/tma"
	chmod +x "$tmp/build/tma"
	run python3 -B tests/fault/calls.py "$tmp/build" '^version: host$'
	expect_status 1
	expect_match stdout "$2"
}

begin "silence, half a row, a row twice, a crash: each is told"
# shellcheck disable=SC2016 # for the program to expand
wrong 'read -r line </proc/self/stat || exit 3; echo "1 row"' 'status 3 (and no word|in place of one of tma.s own)'
wrong 'read -r line </proc/self/stat && echo " 1 row"; echo " 2 row"' 'status 0 and [12] lines missing'
wrong 'read -r line </proc/self/stat || { printf " 1 r"; exit 125; }; echo " 1 row"' 'ends in half a line'
wrong 'read -r line </proc/self/stat || { echo fault >&2; echo " 1 row"; echo " 1 row"; exit 125; }; echo " 1 row"' \
	'and a row more'
wrong 'read -r line </proc/self/stat || kill -SEGV $$; echo " 1 row"' 'killed by signal 11'
