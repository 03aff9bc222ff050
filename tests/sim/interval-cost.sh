#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The work of the interval loop: one read for each group and CPU, one write a row, no allocations,
# no looking up of names, no moving from CPU to CPU.
. "$(dirname "$0")/../cli/lib.sh"

# --- On the kernel that runs this: system calls ---------------------------------------------------------

# calls ROWS ARG ...: print how often each system call is made, in lines "NAME TIMES"
calls()
{
	rows=$1
	shift
	# A file that exists is truncated, which needs other calls than making it.
	: >"$tmp/rows"
	run strace -f -o "$tmp/trace" "$TMA" stat "$@" -I 20 --interval-count "$rows" -o "$tmp/rows"
	expect_status 0
	# Another line reports that a row was late.
	sed -n '/rows were left out/d; s/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$tmp/trace" | sort | uniq -c |
		awk '{ print $2, $1 }' >"$tmp/calls-$rows"
}

# more NAME: print how many more calls the long run makes than the short run
more()
{
	for rows in 2 12; do
		sed -n "s/^$1 /n$rows /p" "$tmp/calls-$rows"
	done | awk '{ n[$1] = $2 } END { print n["n12"] - n["n2"] }'
}

cpus=$(getconf _NPROCESSORS_ONLN)

# expect_calls READS ARG ...: ten rows need this many reads for each CPU and row
expect_calls()
{
	reads=$1
	shift
	command -v strace >/dev/null || skip "strace is not installed"
	run "$TMA" stat "$@" -I 10 --interval-count 1
	[ "$status" = 0 ] || skip "the kernel lets nobody count here"
	calls 2 "$@"
	calls 12 "$@"
	expect_equal "reads" "$(more read)" $((10 * reads * cpus))
	expect_equal "writes" "$(more write)" 10
	# In addition, tma computes how long to sleep, and sometimes checks which CPUs are online.
	others=$(cat "$tmp/calls-2" "$tmp/calls-12" | cut -d' ' -f1 | sort -u |
		while read -r name; do
			case $name in
			read|write|ppoll|pread64) ;;
			*) [ "$(more "$name")" = 0 ] || echo "$name" ;;
			esac
		done)
	expect_equal "other calls" "$others" ""
	expect_no_match "$tmp/trace" 'sched_setaffinity'
}

begin "software events alone are one read a CPU, and a row is one write"
expect_calls 1 -a -e cpu-clock,context-switches,page-faults,cpu-migrations

begin "a group is one read a CPU, and what is beside it another"
expect_calls 2 -a -A -x, -e '{cpu-clock,page-faults},context-switches,cpu-migrations'

# --- On a simulated machine: functions -------------------------------------------------------------------

# expect_loop READS CPUS ARG ...: check the functions that the interval loop calls
expect_loop()
{
	reads=$1
	shift
	for tool in python3 valgrind; do
		command -v $tool >/dev/null || skip "$tool is not installed"
	done
	[ -z "${TEST_VALGRIND-}" ] || skip "is run under valgrind anyway"
	run python3 -B tests/bench/callgrind.py "$BUILD" sapphirerapids "$@"
	expect_status 0
	# If a longer run does not call a function more often, the function is not in the loop.
	expect_equal "calls that are not to be made" "$(grep -v ' -' "$stdout" | grep -E \
		'^(malloc|calloc|realloc|free|strdup|mmap|(strmap|pattern|suggest)__|open|sched_setaffinity)')" ""
	expect_match stdout "^read $reads\$"
	expect_match stdout '^file__write(_stream)? 1$'
}

for format in "" "-j --metric-only"; do
	begin "four CPUs read a group each, and nothing is allocated: $format"
	# shellcheck disable=SC2086
	expect_loop 4 4 stat -a $format -M tma_backend_bound
done

begin "groups that take turns are read on each CPU, whoever has the turn"
expect_loop 12 4 stat -a -e '{cycles,instructions},{cycles,branches},{cycles,r1c0}'

begin "events of hardware that nobody put into a group stay alone"
expect_loop 8 4 stat -a -e cycles,instructions -x,

end_script
