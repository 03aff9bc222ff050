#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What becomes of a run when a system call fails or a signal comes, and of each pair of options. make
# check-faults tries every call with every error, and every pair.
. "$(dirname "$0")/lib.sh"

every=401 every_pair=67

[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind's own calls would be traced"
! grep -q __asan_init "$BUILD/tma" || skip_all "a sanitizer makes calls of its own"
command -v python3 >/dev/null || skip_all "python3 is not installed"
command -v strace >/dev/null || skip_all "strace is not installed"
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"

begin "one in $every of the calls that may fail does: the output is whole, or the cause is said"
needs_counters
needs_system_wide
run python3 -B tests/fault/calls.py --every $every "$BUILD"
expect_status 0

begin "one in $every_pair of the pairs of options counts, or is refused in words"
run python3 -B tests/fault/options.py --every $every_pair "$BUILD"
expect_status 0

# $1: what a program does in place of tma, with the call's error in $?
wrong()
{
	mkdir -p "$tmp/build"
	printf '#!/bin/sh\n%s\n' "$1" >"$tmp/build/tma"
	chmod +x "$tmp/build/tma"
	run python3 -B tests/fault/calls.py "$tmp/build" '^version$'
	expect_status 1
	expect_match stdout "$2"
}

begin "silence, half a row, a row twice, a crash: each is told"
# shellcheck disable=SC2016 # for the program to expand
wrong 'read -r line </proc/self/stat || exit 3; echo "1 row"' 'status 3 (and no word|in place of one of tma.s own)'
wrong 'read -r line </proc/self/stat && echo " 1 row"; echo " 2 row"' 'status 0 and 1 lines missing'
wrong 'read -r line </proc/self/stat || { printf " 1 r"; exit 125; }; echo " 1 row"' 'ends in half a line'
wrong 'read -r line </proc/self/stat || { echo fault >&2; echo " 1 row"; echo " 1 row"; exit 125; }; echo " 1 row"' \
	'and a row more'
wrong 'read -r line </proc/self/stat || kill -SEGV $$; echo " 1 row"' 'killed by signal 11'
