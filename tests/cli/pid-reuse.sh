#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A counted process ends, and another process gets its number: that one is not counted.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"

# counts [OPTION...]: print the task-clock of the first of two processes, which computes for 0.6 s
counts()
{
	run timeout 60 python3 -B "$(dirname "$0")/pid_reuse.py" "$TMA" stat -x, -e task-clock "$@"
	[ "$status" != 77 ] || {
		skip "the number of a process cannot be chosen (ns_last_pid)"
		return 0
	}
	expect_status 0
	expect_no_match stderr second
	awk -F, '/,task-clock,/ { for (i = 1; $i != "msec"; i++); sum += $(i - 1) }
		 END { exit !(sum > 0 && sum < 700) }' "$stderr" || fail "not what the first one used"
}

begin "if a process ends and another one gets its number, the new one is not counted"
counts
counts -I 200
counts --per-thread
close_test
