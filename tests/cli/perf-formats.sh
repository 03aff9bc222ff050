#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The same command under perf 6.12 and under tma, on the real kernel: the same lines, field for
# field, once the numbers are taken out.
. "$(dirname "$0")/lib.sh"

[ -x "${PERF-}" ] || skip_all "needs PERF (the path of a perf 6.12)"
"$TMA" stat -a -e cpu-clock --timeout 10 2>/dev/null || skip_all "counting whole CPUs is refused here"

# shape: remove from standard input its numbers, what depends on them, and perf's messages about
# metrics for which this machine has no PMU
shape()
{
	case $format in
	"") sed -E -e 's/[0-9]{1,3}(,[0-9]{3})+/N/g' ;;
	*) cat ;;
	esac | sed -E -e 's/\b[0-9]+(\.[0-9]+)?\b/N/g' -e 's#[KMG]/sec#/sec#g' -e 's/ +/ /g' \
		-e '/^timeout </d' -e '/^event syntax error/,/^Unable to find PMU/d'
}

# in_which_it_ran: remove how many rows a task has and in which of them it ran, since this depends
# on the machine's load
in_which_it_ran()
{
	sed '/<not counted>/d' | uniq
}

# without_own: remove lines that only tma has: that a row is not a whole interval, and what to try
# if there are no counters
without_own()
{
	sed -e 's/, "cut" : true}/}/' -e "/^tma: .* has no hardware counters: 'tma why'/d"
}

# same_shape ARG ...: perf and tma print the same shape, after the filter $rows
rows=cat
same_shape()
{
	begin "perf prints the same fields for stat $*"
	[ $test_state = ok ] || return 0
	command_shown="tma stat $*"
	"$PERF" stat "$@" 2>&1 >/dev/null | shape | $rows >"$tmp/perf.shape"
	"$TMA" stat "$@" 2>&1 >/dev/null | without_reasons | without_own | shape | $rows >"$tmp/tma.shape"
	[ -s "$tmp/perf.shape" ] || fail "perf printed nothing"
	diff -u --label perf --label tma "$tmp/perf.shape" "$tmp/tma.shape" >"$tmp/diff" ||
		fail "differs from perf" "$tmp/diff"
}

sleep 60 &
sleeper=$!
events=task-clock,context-switches,cpu-migrations,page-faults,minor-faults,major-faults
for format in "" "-x," "-j" "-x;"; do
	# shellcheck disable=SC2086 # an empty word is left out
	{
		same_shape $format -e $events sh -c 'exit 0'
		same_shape $format -e cycles,task-clock sh -c 'exit 0'
		same_shape $format -e '{task-clock,page-faults},cs' sh -c 'exit 0'
		same_shape $format -e task-clock:u sh -c 'exit 0'
		same_shape $format -a -e cpu-clock --timeout 100
		same_shape $format -a -e sched:sched_switch --timeout 100
		same_shape $format -a -A -e cpu-clock,sched:sched_switch --timeout 100
		same_shape $format -C 0 -e cpu-clock --timeout 100
		same_shape $format -a -I 100 --interval-count 3 -e cpu-clock
		same_shape $format -a -A -I 100 --interval-count 2 -e cpu-clock
		rows=in_which_it_ran
		same_shape $format -e task-clock -I 100 sleep 0.15
		rows=cat
		same_shape $format -p $sleeper -e task-clock,page-faults --timeout 100
		same_shape $format -t $sleeper -e task-clock --timeout 100
		same_shape $format -a -e duration_time,cpu-clock --timeout 100
		same_shape $format true
		[ ! -d /sys/bus/event_source/devices/msr ] || {
			same_shape $format -a -e msr/tsc/ --timeout 100
			same_shape $format -a -A -e msr/tsc/ -I 100 --interval-count 2
			same_shape $format -e msr/tsc/ sh -c 'exit 0'
		}
	}
done
kill $sleeper
