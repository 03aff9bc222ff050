#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Recordings on simulated machines: perf and tma report the same for recordings by either, in all
# kinds of rows; metrics of recorded counts, and of text, are those that are printed when counting.
. "$(dirname "$0")/../cli/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
TMA_SIM_STEP=10
export TMA_SIM_STEP

# Print rows without the programs' notes about the machine. For a CPU on which an event cannot
# count, perf prints a row, which is removed.
without_sayings()
{
	sed -e '/^tma: /d' -e '/^The events in group usually/d' -e 's/ *$//' |
		if [ "$machine" = alderlake ]; then grep -v '<not counted>'; else cat; fi
}

# perf_on ARG ..., tma_on ARG ...: run perf or tma on $machine
perf_on()
{
	LD_PRELOAD=$sim_library TMA_MACHINE=$machine "$PERF" "$@" </dev/null
}

tma_on()
{
	"$TMA" --machine "$machine" "$@" </dev/null
}

# same_reports ARG ...: reports of $tmp/perf.data and $tmp/tma.data are the same, with each of
# $all_rows
same_reports()
{
	for file in perf tma; do
		for rows in $all_rows; do
			[ $test_state = ok ] || return 0
			command_shown="tma stat report $rows of stat record $* by $file"
			[ "$rows" != - ] || rows=
			# shellcheck disable=SC2086 # an empty word is left out
			perf_on stat report -i "$tmp/$file.data" $rows 2>&1 | without_sayings >"$tmp/perf.out"
			# shellcheck disable=SC2086
			tma_on stat report --no-topdown -i "$tmp/$file.data" $rows 2>&1 | without_sayings >"$tmp/tma.out"
			grep -q '[0-9] ' "$tmp/perf.out" || fail "perf reported nothing"
			diff -u --label perf --label tma "$tmp/perf.out" "$tmp/tma.out" >"$tmp/diff" ||
				fail "differs from perf" "$tmp/diff"
		done
	done
}

# both ARG ...
both()
{
	begin "$machine: reports of stat record $*"
	needs_perf
	[ $test_state = ok ] || return 0
	perf_on stat record -o "$tmp/perf.data" "$@" >"$stdout" 2>"$stderr" || fail "perf failed"
	tma_on stat record -o "$tmp/tma.data" "$@" >"$stdout" 2>"$stderr" || fail "tma failed"
	same_reports "$@"
}

for machine in skylakex sapphirerapids alderlake; do
	all_rows="- -A --per-socket --per-die --per-core --per-node"
	both -a -e cycles,instructions true
	both -a -e '{cycles,instructions}' -A true
	both -a -M TopdownL1 true
	both -a --per-core -e branches,branch-misses true
	both -a true
	all_rows=-
	both -e cycles,instructions true
	both -e '{cycles,instructions,branches}' true
	both -M TopdownL2 true
	both -p $$ -e cycles --timeout 50
done

# live ARG ...: count and record; leave the output in $tmp/live, and the recording in $tmp/x.data
live()
{
	[ $test_state = ok ] || return 0
	command_shown="tma --machine $machine stat record $*"
	tma_on stat record -o "$tmp/x.data" "$@" 2>&1 >"$stdout" | numbers >"$tmp/live"
	grep -q '[0-9]' "$tmp/live" || fail "nothing was printed"
}

# Print the rows without the heading, which names the command.
numbers()
{
	sed -e '/^tma: /d' -e '/^ Performance counter stats for /d'
}

# same_as_live ARG ...: a report of the recording prints $tmp/live
same_as_live()
{
	[ $test_state = ok ] || return 0
	command_shown="tma stat report $*"
	"$TMA" stat report -i "$tmp/x.data" "$@" 2>&1 </dev/null | numbers >"$tmp/report"
	diff -u --label live --label report "$tmp/live" "$tmp/report" >"$tmp/diff" ||
		fail "differs from what was printed when counting" "$tmp/diff"
}

for machine in skylakex sapphirerapids alderlake; do
	begin "$machine: metrics of recorded counts are those of counting"
	live -a -M TopdownL1 true
	same_as_live -M TopdownL1
	live -a -M TopdownL2 true
	same_as_live -M TopdownL2

	begin "$machine: --topdown, with intervals, by socket"
	lasting 1000
	live -a --topdown -I 100 --interval-count 3 -- sleep 0.1
	same_as_live --topdown

	begin "$machine: without an option, the metrics that were recorded"
	same_as_live
	live -a -M TopdownL2 true
	same_as_live
	live -a -M tma_retiring --per-core --topdown --metric-only -j -- true
	same_as_live -j
	live -a -e cycles true
	same_as_live

	begin "$machine: --topdown by socket and CPU"
	live -a --topdown --per-socket -- true
	same_as_live --topdown --per-socket
	live -a -A --topdown -- true
	same_as_live --topdown

	begin "$machine: other metrics and rows than those of the recorded run"
	live -a --topdown --per-core -j -- true
	[ $test_state = ok ] && tma_on stat record -o "$tmp/x.data" -a \
		-M TopdownL1 --metric-no-threshold -- true 2>/dev/null
	same_as_live --topdown --per-core -j
done

# If groups take turns, a value comes from the groups that have the metric's events; for a metric in
# several groups, each of its parts does.
for machine in skylakex icelakex sapphirerapids alderlake; do
	for format in "" -x, -j --metric-only "-x, --metric-only" "-j --metric-only"; do
		begin "$machine: metrics in groups that take turns $format"
		# shellcheck disable=SC2086 # an empty word is left out
		live -a -M TopdownL3,TopdownL4 -I 1000 --interval-count 2 $format
		# shellcheck disable=SC2086
		same_as_live -M TopdownL3,TopdownL4 $format
	done
done

begin "the events alone, of a recording with metrics"
machine=sapphirerapids
live -a -M tma_retiring -e cycles true
run "$TMA" stat report -i "$tmp/x.data" --no-topdown -x,
expect_match stderr ',topdown-retiring,'
expect_no_match stderr tma_
run "$TMA" stat report -i "$tmp/x.data" -x,
expect_match stderr ',%  tma_retiring$'
ln -sf "$(command -v "$TMA")" "$tmp/perf"
run "$tmp/perf" stat report -i "$tmp/x.data"
expect_match stderr topdown-retiring
expect_no_match stderr '%  tma_'

begin "recorded metrics that cannot be computed are told of, and the events printed"
machine=sapphirerapids
live -a --topdown true
run "$TMA" stat report -i "$tmp/x.data" --cpuid skylakex -x,
expect_status 0
expect_match stderr "^tma: the metrics that .*x.data was recorded with are left out: "
expect_match stderr ',topdown-retiring,'

begin "places are those of the recorded machine"
machine=sapphirerapids
live -a -e cycles true
run "$TMA" stat report -i "$tmp/x.data" --per-socket -x,
expect_lines stderr 3
expect_match stderr '^S1,4,[0-9]+,,cycles,'
run "$TMA" stat report -i "$tmp/x.data" --per-core -x,
expect_lines stderr 5
run "$TMA" stat report -i "$tmp/x.data" --per-node -x,
expect_match stderr '^N[0-9],[0-9],'

begin "a metric whose events were not recorded is named with the event"
live -a -e INST_RETIRED.ANY,topdown-retiring true
run "$TMA" stat report -i "$tmp/x.data" --topdown
expect_status 125
expect_match stderr 'the recording has no event '
run "$TMA" stat report -i "$tmp/x.data" -M nonsense
expect_status 125
expect_match stderr "no metric or metric group 'nonsense'"

begin "cycles and instructions serve the metrics that mean them"
live -a -e cycles,instructions true
run "$TMA" stat report -i "$tmp/x.data" -M tma_info_thread_ipc -x,
expect_status 0
expect_match stderr ',tma_info_thread_ipc$'

begin "without places in it, a recording of other CPUs has no sockets"
[ $test_state = ok ] && needs_perf
machine=alderlake
[ $test_state = ok ] && perf_on stat record -o - -a -e cycles true >"$tmp/x.data" 2>"$stderr"
run "$TMA" stat report -i "$tmp/x.data" --per-socket
[ "$(nproc)" -gt 23 ] && skip "this machine has all of the CPUs"
expect_status 125
expect_match stderr 'does not have the places of its CPUs, and this machine has no CPU '

# Text has the values that perf prints, and metrics computed from its counts.

# values FILE: print "time label unit value" for the metrics in CSV or JSON, sorted
values()
{
	sed -n -e 's/^{\(.*\)"metric-value" : "\([^"]*\)", "metric-unit" : "%  \([^"]*\)"}$/\1 \3 \2/p' \
		-e 's/^\(.*\),\(-\{0,1\}[0-9.]*\),%  \(.*\)$/\1 \3 \2/p' "$1" |
		awk '{ printf "%s %.1f\n", $(NF - 1), $NF }' | sort
}

for machine in skylakex sapphirerapids; do
	case $machine in
	skylakex) cpuid=GenuineIntel-6-55-4 ;;
	*) cpuid=GenuineIntel-6-8F-8 ;;
	esac
	for format in "-x," "-x;" "-j" "-x, -A" "-j -A" "-x, --per-socket" "-j --per-core" "-x, --per-die" \
		"-x, -I 100 --interval-count 2" "-j -I 100 --interval-count 2 --per-core"; do
		begin "$machine: metrics of the text of perf stat $format"
		needs_perf
		[ $test_state = ok ] || continue
		# shellcheck disable=SC2086 # several options
		perf_on stat -a -M TopdownL1 --metric-no-threshold $format -o "$tmp/text" sleep 1 \
			2>"$stderr"
		tr ';' , <"$tmp/text" >"$tmp/commas"
		values "$tmp/commas" >"$tmp/perf.values"
		run "$TMA" stat report -i "$tmp/text" -M TopdownL1 --cpuid $cpuid -x,
		expect_status 0
		values "$stderr" >"$tmp/tma.values"
		[ -s "$tmp/perf.values" ] || fail "perf printed no metric" "$tmp/text"
		diff -u --label perf --label tma "$tmp/perf.values" "$tmp/tma.values" >"$tmp/diff" ||
			fail "other values than perf's" "$tmp/diff"
	done
done

machine=sapphirerapids
begin "rows of cores are put together to sockets"
run tma_on stat -a -j --per-core -o "$tmp/cores" -M TopdownL1 true
run tma_on stat -a -j --per-socket -o "$tmp/sockets" -M TopdownL1 true
run "$TMA" stat report -i "$tmp/cores" -M TopdownL1 --cpuid GenuineIntel-6-8F-8 -j --per-socket
diff -u "$tmp/sockets" "$stderr" >"$tmp/diff" || fail "other rows than those of sockets" "$tmp/diff"

begin "but rows of sockets are no rows of cores"
run "$TMA" stat report -i "$tmp/sockets" --per-core
expect_status 125
expect_match stderr 'cannot be aggregated in this way'

begin "a machine with two kinds of cores, from text"
machine=alderlake
run tma_on stat -a -x, -o "$tmp/text" -M TopdownL1 true
run tma_on stat -a --topdown true
numbers <"$stderr" | sed '/seconds time elapsed/,$d' >"$tmp/live"
run "$TMA" stat report -i "$tmp/text" --topdown --cpuid GenuineIntel-6-97-2
numbers <"$stderr" | diff -u "$tmp/live" - >"$tmp/diff" || fail "other metrics" "$tmp/diff"
