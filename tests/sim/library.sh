#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks the simulated machine as a program and its workload see it: it leaves nothing, the workload
# does not see it, mistakes are reported, and faults come when asked for.
. "$(dirname "$0")/../cli/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
TMPDIR=$tmp/trees
export TMPDIR
mkdir "$TMPDIR"

# stepped MACHINE ARG ...: run tma stat on stepped time
stepped()
{
	machine=$1
	shift
	run env TMA_SIM_STEP=10 "$TMA" --machine "$machine" stat "$@"
}

# with_fault FAULT ARG ...: run tma stat on a Skylake with a fault, on stepped time
with_fault()
{
	fault=$1
	shift
	run env TMA_SIM_STEP=10 TMA_SIM_FAULT="$fault" "$TMA" --machine skylakex stat "$@"
}

expect_no_trees()
{
	[ $test_state = ok ] || return 0
	ls "$TMPDIR" >"$tmp/trees.left"
	[ ! -s "$tmp/trees.left" ] || fail "directories are left" "$tmp/trees.left"
}

# shellcheck disable=SC2016 # the workload's own variables
begin "the workload runs without the simulator"
stepped alderlake -o "$tmp/counts" -e cycles sh -c \
	'echo "${LD_PRELOAD:-no} ${TMA_MACHINE-no} ${TMA_SIM_STEP-no} ${PERF_CPUID-no}"; nproc'
expect_status 0
expect_stdout <<END
no no no no
$(nproc)
END

begin "nothing is left after the end"
stepped skylakex -a -e cycles true
expect_status 0
expect_no_trees

# sent SIGNAL: send the signal to a run that counts
sent()
{
	[ $test_state = ok ] || return 0
	rm -f "$tmp/pid"
	env --default-signal=INT "$TMA" --machine skylakex stat -a -e cycles \
		sh -c "echo \$\$ >$tmp/pid; exec sleep 60" >"$stdout" 2>"$stderr" &
	until [ -s "$tmp/pid" ] || ! kill -0 $!; do
		sleep 0.05
	done
	ls "$TMPDIR" >"$tmp/trees.there"
	[ -s "$tmp/trees.there" ] || fail "it has made no directory"
	kill -"$1" $!
	wait $!
	kill "$(cat "$tmp/pid")" 2>/dev/null
}

begin "what a killed program leaves is removed by the next"
sent KILL
[ -n "$(ls "$TMPDIR")" ] || fail "the directory is removed already"
stepped skylakex -a -e cycles true
expect_no_trees

begin "a signal that tma dies of leaves nothing"
sent INT
expect_no_trees

begin "without TMA_MACHINE the library does nothing"
run env LD_PRELOAD="$sim_library" cat /sys/devices/system/cpu/online
expect_status 0
expect_stdout <<END
$(cat /sys/devices/system/cpu/online)
END

begin "the machine's files are seen in place of the real ones"
run env LD_PRELOAD="$sim_library" TMA_MACHINE=alderlake cat /sys/devices/system/cpu/online \
	/sys//bus/event_source/devices/cpu_atom/cpus /sys/devices/system/cpu/cpu17/topology/core_id \
	/proc/sys/kernel/nmi_watchdog
expect_stdout <<END
0-23
16-23
33
0
END

begin "a later line of a machine file replaces an earlier one, and nothing else"
printf 'include %s/machines/skylakex\nsysctl nmi_watchdog 1\n' "$(dirname "$sim_library")" >"$tmp/nmi"
run env LD_PRELOAD="$sim_library" TMA_MACHINE="$tmp/nmi" cat /proc/sys/kernel/nmi_watchdog \
	/sys/devices/system/cpu/cpu0/topology/core_id
expect_stdout <<END
1
0
END

begin "an unknown machine is told"
run env LD_PRELOAD="$sim_library" TMA_MACHINE=nosuch cat /dev/null
expect_status 125
expect_match stderr "^tma-sim: no machine 'nosuch' in .*/machines"

begin "a mistake in a machine file is reported with its line"
printf 'cpuid GenuineIntel-6-55-4\ncpus 0-1\ncoer 0-1\n' >"$tmp/bad"
run env LD_PRELOAD="$sim_library" TMA_MACHINE="$tmp/bad" cat /dev/null
expect_status 125
expect_stderr <<END
tma-sim: $tmp/bad: line 3: 'coer' is not allowed outside a pmu section; did you mean 'core'?
END

begin "of a file that is none, but is included, nothing is shown"
printf 'root:secret:1
' >"$tmp/foreign"
printf 'include foreign
' >"$tmp/bad"
run env LD_PRELOAD="$sim_library" TMA_MACHINE="$tmp/bad" cat /dev/null
expect_status 125
expect_stderr <<END
tma-sim: $tmp/foreign: line 1: this line is not allowed outside a pmu section
END

begin "a mistake in TMA_SIM_STEP, TMA_SIM_COMMAND or TMA_SIM_FAULT is told"
run env LD_PRELOAD="$sim_library" TMA_MACHINE=skylakex TMA_SIM_STEP=x cat /dev/null
expect_status 125
expect_match stderr "^tma-sim: TMA_SIM_STEP, in ms: 'x' is not a number"
run env LD_PRELOAD="$sim_library" TMA_MACHINE=skylakex TMA_SIM_STEP=10 TMA_SIM_COMMAND=5,x cat /dev/null
expect_status 125
expect_match stderr "^tma-sim: TMA_SIM_COMMAND, in ms: 'x' is not a number"
run env LD_PRELOAD="$sim_library" TMA_MACHINE=skylakex TMA_SIM_FAULT=open=EHUH cat /dev/null
expect_status 125
expect_match stderr "^tma-sim: TMA_SIM_FAULT: 'EHUH' is not an errno name"

begin "the same run prints the same bytes"
for n in 1 2; do
	stepped alderlake -I 100 -x, -o "$tmp/run$n" -e cycles,instructions,context-switches sh -c ''
	expect_status 0
done
run cmp "$tmp/run1" "$tmp/run2"
expect_status 0

begin "a command takes its given time, however long it really runs"
lasting 250
for command in true 'sleep 0.3'; do
	# shellcheck disable=SC2086 # a command and its argument
	stepped skylakex -I 100 -x, -e cycles,task-clock $command
	expect_status 0
	sed 1d "$stderr" >"$tmp/rows"
	expect_file "$tmp/rows" <<-'END'
	0.100000000,300000000,,cycles,100000000,100.00,3.000,GHz
	0.100000000,100.00,msec,task-clock,100000000,100.00,1.000,CPUs utilized
	0.200000000,300000000,,cycles,100000000,100.00,3.000,GHz
	0.200000000,100.00,msec,task-clock,100000000,100.00,1.000,CPUs utilized
	0.250000000,150000000,,cycles,50000000,100.00,3.000,GHz
	0.250000000,50.00,msec,task-clock,50000000,100.00,1.000,CPUs utilized
	END
done
stepped skylakex --timeout 20000 -x, -e task-clock,duration_time true
expect_match stderr '^250000000,ns,duration_time,'
lasting 60000
stepped skylakex --timeout 20000 -x, -e task-clock,duration_time sleep 100
expect_match stderr '^20000000000,ns,duration_time,'
lasting 20,step,70
stepped skylakex -r 4 --table -e task-clock true
sed -n 's/^ *\([0-9.]*\) ([+-][0-9.]*) #.*/\1/p' "$stderr" >"$tmp/lengths"
expect_equal "lengths of runs" "$(tr '\n' ' ' <"$tmp/lengths")" "0.0200 0.0100 0.0700 0.0200 "

begin "stepped time is what was waited for"
stepped sapphirerapids -a -x, -e cycles -I 250 --interval-count 2 -o "$tmp/counts"
run sed -n '/^#/!s/,,.*//p' "$tmp/counts"
expect_match stdout '^ *0\.250000000,[0-9]+$'
expect_match stdout '^ *0\.500000000,[0-9]+$'

begin "more groups than counters take turns, and times tell"
stepped skylakex -C 0 -x, -o "$tmp/counts" -I 400 --interval-count 1 -e r10e,r20e,r1a1,r2a1,r4a1,r8a1,r10a1,r20a1
run awk -F, '!/^#/ && NF { n++; if ($6 < 45 || $6 > 55) print }  END { print n }' "$tmp/counts"
expect_stdout <<END
8
END

begin "a CPU that goes offline is not counted from then on"
with_fault 'offline=1@500ms' -a -A -x, -o "$tmp/counts" -I 500 --interval-count 2 -e cycles
expect_status 0
expect_match "$tmp/counts" '^ *0\.50*,CPU1,[0-9]+,,cycles,500000000,100\.00,'
expect_match "$tmp/counts" '^ *1\.0*,CPU1,<not counted>,,cycles,0,'
expect_no_match "$tmp/counts" '^ *1\.0*,CPU1,[0-9]'
expect_match "$tmp/counts" '^ *1\.0*,CPU2,[0-9]+,,cycles,500000000,100\.00,'

begin "a refused open has its reason" # R15
with_fault 'open=EACCES' -a -e cycles true
[ $test_state != ok ] || [ "$status" != 0 ] || fail "exit status 0"
expect_match stderr 'perf_event_paranoid'

begin "-v: why an event is not supported"
with_fault 'open#1=ENOENT' -v -x, -o "$tmp/counts" -e cycles,instructions true
expect_status 0
expect_match stderr '^tma: cycles: not supported: this machine or kernel does not have it$'
expect_no_match stderr 'instructions: not supported'
expect_match "$tmp/counts" '^<not supported>,,cycles,0,'
expect_match "$tmp/counts" '^[0-9]+,,instructions,[0-9]+,100\.00,'

begin "a failed read gives no number"
with_fault 'read=EIO' -a -x, -o "$tmp/counts" -e cycles true
expect_status 125
expect_match stderr '^tma: cycles could not be read on CPU 0: Input/output error$'
expect_match "$tmp/counts" '^<not counted>,,cycles,0,'
expect_no_match "$tmp/counts" '^[0-9]+,'

# Under perf's name, the command and signals are handled differently.
needs_perf_here()
{
	[ -n "${PERF-}" ] || skip "needs PERF (the path of a perf 6.12)"
}

perf_stepped()
{
	machine=$1
	shift
	run env -u TMA_SIM_COMMAND LD_PRELOAD="$sim_library" TMA_MACHINE="$machine" TMA_SIM_STEP=10 "${PERF-}" "$@"
}

begin "perf counts a task where its path leads it"
needs_perf_here
perf_stepped alderlake stat -x, -I 200 --interval-count 1 -e cycles sleep 9
expect_status 0
expect_match stderr '^ *0\.2[0-9]*,460000000,,cpu_atom/cycles/,70000000,35\.00'
expect_match stderr '^ *0\.2[0-9]*,620000000,,cpu_core/cycles/,130000000,65\.00'

begin "perf's own tests of events and metrics pass on the machine"
needs_perf_here
# A pattern is for single tests: the name of the suite matches nothing if its tests can match.
perf_stepped alderlake test 'PMU event table' 'PMU event map' 'metric thresholds'
expect_status 0
for name in 'PMU event table sanity' 'PMU event map aliases' 'Parsing of PMU event table metrics' \
	'Parsing of PMU event table metrics with fake PMUs' \
	'Parsing of metric thresholds with fake PMUs'; do
	expect_match stderr "^ *10\.[0-9]: $name *: Ok$"
done
expect_no_match stderr FAILED

# expect_whole MACHINE: at each time in $stderr, the values of level 1 add up to 100 % for each core
# type
expect_whole()
{
	[ $test_state = ok ] || return 0
	awk -F, -v parts="$([ "$1" = alderlake ] && echo 2 || echo 1)" '
	$1 ~ /[0-9]/ { time = $1 }
	/%  tma_/ { sum[time] += $(NF - 1) }
	END {
		for (t in sum) {
			rows++
			if (sum[t] < 99 * parts || sum[t] > 101 * parts)
				print t, sum[t]
		}
		if (rows != 4)
			print rows + 0, "rows of 4"
	}' "$stderr" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || fail "the values of $1 do not add up to 100" "$tmp/wrong"
}

begin "the values of a level add up"
for machine in alderlake sapphirerapids skylakex; do
	stepped $machine -a -x, --topdown -I 500 --interval-count 4 --no-metric-only
	expect_status 0
	expect_whole $machine
done

begin "the values of a level add up, as perf computes them"
needs_perf_here
for machine in alderlake sapphirerapids skylakex; do
	perf_stepped $machine stat -a -x, --topdown -I 500 --interval-count 4 --no-metric-only
	expect_status 0
	expect_whole $machine
done
