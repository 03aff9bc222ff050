#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every aggregation, with and without intervals, in every format, for several kinds of events: the
# same command line under perf 6.12 and under tma on the same simulated machine, with fixed
# stepping, must print the same bytes. Intended differences are first removed from both, see
# normalise().
. "$(dirname "$0")/../cli/lib.sh"

[ -x "${PERF-}" ] || skip_all "needs PERF (the path of a perf 6.12)"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
lines=0 different=0

# normalise: remove what differs because of perf:
# - CSV fields are not quoted;
# - columns of --metric-only in text are not below their headings;
# - in JSON a value that was not counted has 100 % of the time, and no row tells that it is cut;
# - with --per-node, the heading of --metric-only in CSV has one column too few;
# - the clock of --summary stops a step later.
normalise()
{
	grep -v -e '^# started on' -e 'seconds time elapsed' | sed -e 's/^# cpuid: .*//' -e 's/node,cpus,/node,/' -e '/^{/!s/"//g' -e '/counter-value" : "</s/: 100\.00/: 0.00/' -e 's/, "cut" : true}/}/' |
		case " $* " in
		*" -x, "* | *" -j "*) cat ;;
		*" --metric-only "*) sed -e 's/  *$//' -e 's/  */ /g' ;;
		*) cat ;;
		esac
}

# compare MACHINE ARG ...: run a command line under perf and tma, and compare the output
compare()
{
	machine=$1
	shift
	lines=$((lines + 1))
	# With rows of CPUs, a number of intervals ends the run.
	case " $* " in
	*" -a "*"-I "*) command= ;;
	*" -I "*) command="-- sleep 0.2" ;;
	*) command="-- true" ;;
	esac
	# shellcheck disable=SC2086 # several words
	LD_PRELOAD=$sim_library TMA_MACHINE=$machine TMA_SIM_STEP=10 \
		timeout 10 "$PERF" stat -o "$tmp/perf.raw" "$@" $command >"$stdout" 2>"$stderr" </dev/null ||
		echo "perf: status $?" >>"$tmp/perf.raw"
	# shellcheck disable=SC2086
	TMA_SIM_STEP=10 timeout 10 "$TMA" --machine "$machine" stat --grouping=perf -o "$tmp/tma.raw" "$@" $command \
		>"$stdout" 2>"$stderr" </dev/null || echo "tma: status $?" >>"$tmp/tma.raw"
	normalise "$@" <"$tmp/perf.raw" >"$tmp/perf.out"
	without_reasons <"$tmp/tma.raw" | normalise "$@" >"$tmp/tma.out"
	[ -s "$tmp/perf.out" ] && cmp -s "$tmp/perf.out" "$tmp/tma.out" && return
	different=$((different + 1))
	{
		echo "$machine: stat $*"
		diff "$tmp/perf.out" "$tmp/tma.out" | head -n 6
	} >>"$tmp/different"
}

# all_formats MACHINE ARG ...: compare text, -x and -j
all_formats()
{
	compare "$@"
	compare "$@" -x,
	compare "$@" -j
}

rows="--per-socket --per-die --per-cluster --per-cache --per-core --per-node -A"

for machine in skylakex sapphirerapids; do
	begin "$machine: events in every aggregation and format"
	different=0
	: >"$tmp/different"
	for row in "" $rows; do
		for when in "" "-I 500 --interval-count 2" "-I 400 --interval-count 2 --summary"; do
			# shellcheck disable=SC2086 # options
			all_formats "$machine" -a $row $when -e '{cycles,instructions},branches,branch-misses'
		done
		# shellcheck disable=SC2086
		all_formats "$machine" -a $row -e L1-dcache-loads,L1-dcache-load-misses,r01c4,cycles:u
	done
	[ $different = 0 ] || fail "$different command lines differ from perf's" "$tmp/different"

	begin "$machine: metrics in every aggregation and format"
	different=0
	: >"$tmp/different"
	for row in "" $rows; do
		for when in "" "-I 500 --interval-count 2"; do
			# shellcheck disable=SC2086
			all_formats "$machine" -a $row $when -M tma_info_thread_ipc,tma_info_thread_cpi
			# shellcheck disable=SC2086
			all_formats "$machine" -a $row $when -M tma_info_thread_ipc --metric-only
		done
	done
	[ $different = 0 ] || fail "$different command lines differ from perf's" "$tmp/different"

	begin "$machine: -d, -C, --cputype, --all-user and the like"
	different=0
	: >"$tmp/different"
	for args in "-a -e cycles -d" "-a -e cycles -d -d -d" "-C 0,2 -e cycles -A" \
		"-C 1 -e cycles,instructions" "-a --all-user -e cycles,instructions:k" \
		"-a --all-kernel -e cycles" "-a --no-big-num -e cycles" \
		"-a -e cycles --metric-no-group -M tma_info_thread_ipc" \
		"-e cycles,instructions" "-e {cycles,instructions}:u -I 300 --interval-count 3" \
		"-i -e cycles" "-a -e instructions,cycles -I 10 --interval-count 30"; do
		# shellcheck disable=SC2086
		all_formats "$machine" $args
	done
	[ $different = 0 ] || fail "$different command lines differ from perf's" "$tmp/different"
done

begin "that was at least 150 command lines"
[ $lines -ge 150 ] || fail "only $lines"
