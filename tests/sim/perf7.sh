#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# perf 7 and tma --compat=7 compared: their output, and the rows tma reads from perf's recordings.
. "$(dirname "$0")/../cli/lib.sh"

[ -x "${PERF7-}" ] || skip_all "needs PERF7 (the path of a perf 7.3)"
command -v python3 >/dev/null || skip_all "python3 is not installed"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so

for machine in skylakex icelakex sapphirerapids alderlake zen4; do
	begin "$machine: 184 command lines print what perf 7 prints, or differ on purpose"
	run python3 -B tests/sim/perf7.py "$BUILD" "$PERF7" $machine
	expect_status 0
	expect_match stdout "^$machine: 184 lines, 1[0-9]+ as perf prints them"
done

# recorded NAME ARG ...: leave a recording in $tmp/NAME.data, or $tmp/NAME.pipe, as perf 7 makes it
recorded()
{
	name=$1
	shift
	LD_PRELOAD=$sim_library TMA_MACHINE=skylakex TMA_SIM_STEP=100 "$PERF7" stat record -o "$tmp/$name" "$@" -- true \
		>"$stdout" 2>"$stderr" </dev/null || fail "perf does not record"
}

begin "recordings of perf 7: counts by the kernel's names, with their ratios"
recorded counts.data -e duration_time,cycles,instructions,task-clock,L1-dcache-loads:u
run "$TMA" stat report -i "$tmp/counts.data"
expect_status 0
expect_match stderr '^ +[1-9][0-9]* ns   duration_time'
expect_match stderr '^ +[1-9][0-9]*      instructions +# +[0-9.]+  insn per cycle'
expect_match stderr '^ +[1-9][0-9]*      L1-dcache-loads:u'

begin "recordings of perf 7: a run without -e, whose events were not all opened, in a file and a pipe"
recorded default.data -a
run "$TMA" stat report -i "$tmp/default.data"
expect_status 0
expect_match stderr '^ +[1-9][0-9]*      instructions +# +[0-9.]+  insn per cycle'
LD_PRELOAD=$sim_library TMA_MACHINE=skylakex TMA_SIM_STEP=100 "$PERF7" stat record -a -o - -- true \
	>"$tmp/default.pipe" 2>"$stderr" </dev/null
run "$TMA" stat report -i "$tmp/default.pipe"
expect_status 0
expect_match stderr '^ +[1-9][0-9]* ns   duration_time'
expect_match stderr '^ +[1-9][0-9]*      context-switches'
close_test
