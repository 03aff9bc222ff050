#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma serve when memory ends or a system call fails, in either of its processes. make check-memory
# and make check-faults try all cases.
. "$(dirname "$0")/lib.sh"

[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind allocates in its own way"
! grep -q __asan_init "$BUILD/tma" || skip_all "a sanitizer allocates in its own way"
command -v python3 >/dev/null || skip_all "python3 is not installed"
"$TMA" --machine sapphirerapids serve --listen 127.0.0.1:0 -M no_such_metric >"$tmp/first" 2>&1
! grep -q -e 'was built without' -e 'cannot be loaded' "$tmp/first" || skip_all "no libmicrohttpd here"

# faults KIND EVERY
faults()
{
	begin "tma serve, $1: one in $2 cases"
	[ "$1" = memory ] || needs_command strace
	run timeout 300 python3 -B tests/fault/servers.py --kind "$1" --every "$2" "$BUILD"
	expect_status 0
}

faults memory 1499
faults errors 149
faults short 67
