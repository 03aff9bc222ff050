#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The RDPMC instruction on the simulated machine, and the page of an event, which names the counter
# to read.
. "$(dirname "$0")/../cli/lib.sh"

build=$(cd "$BUILD" && pwd)
program=$build/tests/sim/rdpmc
[ -x "$program" ] || skip_all "tests/sim/rdpmc is not built: it is for x86"

# on MACHINE ARG ...: run the program on a machine, on stepped time
on()
{
	machine=$1
	shift
	run env LD_PRELOAD="$build/libtma-sim.so" TMA_MACHINE="$machine" TMA_SIM_STEP=10 \
		"$program" "$@"
}

# machine_with LINE: print the file of icelakex with one more line in its core PMU
machine_with()
{
	sed "s|^include |include $build/machines/|; s|^include .*/sunnycove.part\$|&\n$1|" \
		"$build/machines/icelakex" >"$tmp/machine"
}

# expect_read_agrees: counts by the page are equal to the counts by read()
expect_read_agrees()
{
	awk '$1 == "page" { page[$2] = $4 }  $1 == "read" { n++; if (page[$2] != $3 || !$3) print }
		END { exit n == 0 }' "$stdout" >"$tmp/differ" || fail "nothing was read"
	[ ! -s "$tmp/differ" ] || fail "read() gives something else than the page" "$tmp/differ"
}

# expect_index CONFIG INDEX
expect_index()
{
	expect_match stdout "^page $1 $2 "
}

for machine in icelakex sapphirerapids alderlake graniterapids lunarlake; do
	begin "$machine: slots, metric events and others are read as read() gives them"
	on "$machine" counts 400 8000 8100 8200 8300 c0 3c 300 10e 1d1
	expect_status 0
	expect_read_agrees
	expect_index 400 40000004
	expect_index 8000 20000001
	expect_index 8300 20000001
	expect_index c0 40000001
	expect_index 3c 40000002
	expect_index 300 40000003
	expect_index 10e '[1-8]'
done

begin "skylakex: general and fixed counters without slots"
on skylakex counts 3c c0 10e 1d1 2d1
expect_status 0
expect_read_agrees
expect_index 3c 40000002
expect_index 10e '[1-4]'
on skylakex raw 40000003
expect_status 139
on skylakex raw 20000000
expect_status 139

begin "zen4: only general counters"
on zen4 counts 76 c0
expect_status 0
expect_read_agrees
on zen4 raw 40000000
expect_status 139

begin "real time: what is read later is more"
run env LD_PRELOAD="$build/libtma-sim.so" TMA_MACHINE=icelakex "$program" counts 3c 10e c0
expect_status 0
[ $test_state != ok ] || awk '$1 == "page" { page[$2] = $4 }
	$1 == "read" { n++; if (page[$2] < 100000 || page[$2] > $3) print }  END { exit n != 3 }' \
	"$stdout" >"$tmp/differ" || fail "three events were not read"
[ ! -s "$tmp/differ" ] || fail "read() gives less than the page did" "$tmp/differ"

# In phase 1 the machine's file has 0.36, 0.07185, 0.172 and 0.39615 of the slots; these are rounded
# to 255ths.
begin "icelakex: the metrics register has the mix of the phase, at level 1"
on icelakex mix 1 2 3 4
expect_status 0
expect_stdout <<END
1 13000000 92 18 44 101 0 0 0 0
2 7500000 41 10 26 178 0 0 0 0
3 10500000 69 34 80 72 0 0 0 0
4 14500000 128 24 36 68 0 0 0 0
END

begin "sapphirerapids: and at level 2"
on sapphirerapids mix 1 3
expect_status 0
expect_match stdout '^1 [0-9]+( [1-9][0-9]*){8}$'
expect_match stdout '^3 [0-9]+( [1-9][0-9]*){8}$'
[ $test_state != ok ] || awk '{ sum = $3 + $4 + $5 + $6; if (sum < 253 || sum > 257) exit 1 }' \
	"$stdout" || fail "the fields of level 1 are not the whole"

begin "a phase that the machine lacks is refused"
on icelakex mix 5
expect_status 2
expect_match stderr '^tma_sim_phase: Invalid argument$'

begin "each thread has its own counters and its own phase"
on icelakex threads 8 4
expect_status 0
expect_stdout <<END
1 13000000 92 18 44 101 0 0 0 0
2 15000000 41 10 26 178 0 0 0 0
3 31500000 69 34 80 72 0 0 0 0
4 58000000 128 24 36 68 0 0 0 0
1 13000000 92 18 44 101 0 0 0 0
2 15000000 41 10 26 178 0 0 0 0
3 31500000 69 34 80 72 0 0 0 0
4 58000000 128 24 36 68 0 0 0 0
END

begin "alderlake: on an E-core slots have no counter, and their time does not run"
on alderlake move 2 20 3
expect_status 0
expect_stdout <<END
0 40000004 0 0
2 40000004 0 0
20 0 1000000 1000000
3 40000004 2000000 1000000
END

begin "alderlake: the machine's task-path moves a thread, and the page tells"
on alderlake move path path path path
expect_status 0
expect_stdout <<END
0 40000004 0 0
0 40000004 0 0
0 40000004 0 0
17 0 15000000 13000000
0 40000004 20000000 13000000
END

begin "without a mapped event the instruction faults"
on icelakex unmapped
expect_status 139
machine_with 'file rdpmc 2'
on "$tmp/machine" unmapped
expect_status 0
expect_stdout <<END
0
END

begin "rdpmc 0 in sysfs: the page says so, and the instruction faults" # R53
machine_with 'file rdpmc 0'
on "$tmp/machine" raw
expect_status 0
expect_stdout <<END
rdpmc 0
END
on "$tmp/machine" raw 40000001
expect_status 139

begin "RDPMC user disable leaves a task's counters readable, unless it is of all"
machine_with rdpmc-user-disable
on "$tmp/machine" counts 3c c0
expect_status 0
expect_read_agrees
machine_with 'rdpmc-user-disable all\nfile rdpmc 2'
on "$tmp/machine" counts 3c c0
expect_status 0
expect_read_agrees
machine_with 'rdpmc-user-disable some'
on "$tmp/machine" counts 3c
expect_match stderr "'some' is not all"

begin "reading a counter that the CPU lacks faults; an unused counter is 0"
on icelakex raw 7
expect_status 0
expect_match stdout '^0$'
on icelakex raw 8
expect_status 139
on icelakex raw 40000004
expect_status 139

for when in before after; do
	begin "other faults reach the program's handler, set $when the mapping"
	on icelakex fault "$when"
	expect_status 3
	expect_stdout <<END
own 1
fault at 0
END
done

begin "without a value in the tables they end the program"
on icelakex fault never
expect_status 139
expect_stdout <<END
default 1
END

begin "blocked signals are no obstacle"
on icelakex blocked
expect_status 0
expect_stdout <<END
1
END
