#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# libtma-topdown on simulated machines: regions of known mix, by RDPMC.
. "$(dirname "$0")/../cli/lib.sh"

build=$(cd "$BUILD" && pwd)
program=$build/tests/sim/regions
[ -x "$program" ] || skip_all "tests/sim/regions is not built: make tests"

# on MACHINE COMMAND: run the program on a machine, on stepped time
on()
{
	run env LD_PRELOAD="$build/libtma-sim.so" TMA_MACHINE="$1" TMA_SIM_STEP=10 "$program" "$2"
}

# expect_mixes POINTS ROWS: there are this many rows of phases, with shares as measured by system
# call; the last four shares are differences of two, so twice as many points are allowed for them
expect_mixes()
{
	[ $test_state = ok ] || return 0
	awk -v points="$1" -v want_rows="$2" '
		NR == FNR { for (i = 4; i <= NF; i++) truth[$1, i] = $i; next }
		$1 !~ /^phase[0-9]$/ { next }
		{ rows++ }
		{
			for (i = 4; i <= NF; i++) {
				off = $i - truth[$1, i]
				most = i < 12 ? points : 2 * points
				if ($i != truth[$1, i] && !(off >= -most && off <= most))
					print $1, "share", i - 4, "is", $i, "and not", truth[$1, i]
			}
		}
		END { if (rows != want_rows) print rows + 0, "rows, not", want_rows }
	' "$tmp/truth" "$stdout" >"$tmp/off"
	[ ! -s "$tmp/off" ] || fail "the mix is not that of the phase" "$tmp/off"
}

# expect_row NAME FIELDS: the line with this name begins with these fields
expect_row()
{
	expect_match stdout "^$1 $2( |\$)"
}

for machine in icelakex sapphirerapids alderlake graniterapids lunarlake; do
	begin "$machine: the phases differ"
	on "$machine" truth
	expect_status 0
	expect_lines stdout 3
	cp "$stdout" "$tmp/truth"
	awk '{ print $4 }' "$stdout" | sort -u >"$tmp/retiring"
	expect_lines "$tmp/retiring" 3

	begin "$machine: regions in a region have the mix of their phases"
	on "$machine" inside
	expect_status 0
	expect_mixes 0.5 3
	expect_row all/count '1 1'
	expect_row phase2/count '50 50'

	begin "$machine: a region that is measured once in 100 times has the same mix"
	on "$machine" sampled
	expect_status 0
	expect_mixes 2 3
	expect_row phase2/count '2000 20'

	begin "$machine: eight threads each have their own values"
	on "$machine" threads
	expect_status 0
	expect_mixes 0.5 24

	begin "$machine: a reset goes unnoticed, and other events count beside it"
	on "$machine" reset
	expect_status 0
	expect_mixes 0.5 1
	awk '$1 == "phase1" { slots = $2 } $1 == "register" && $2 * 2 > slots * 1.01 { print }
		$1 == "instructions" && $2 < slots / 20 { print }' "$stdout" >"$tmp/odd"
	expect_empty "$tmp/odd"
done

# machine_with LINE: print the file of icelakex with one more line in its core PMU
machine_with()
{
	sed "s|^include |include $build/machines/|; s|^include .*/sunnycove.part\$|&\n$1|" \
		"$build/machines/icelakex" >"$tmp/machine"
}

# real COMMAND: run the program on this machine, in real time
real()
{
	run env LD_PRELOAD="$build/libtma-sim.so" TMA_MACHINE="$tmp/machine" "$program" "$1"
}

begin "counters of whole CPUs that RDPMC gives 0 for are not the thread's"
machine_with rdpmc-user-disable
real either
expect_status 0
expect_match stdout '^rdpmc$'
expect_match stdout '^phase1 [1-9]'

begin "counters of the thread that it gives 0 for are found out, and read by system call" # R53
machine_with 'rdpmc-user-disable all'
real either
expect_status 0
expect_match stdout '^no-rdpmc: the CPU hides these counters from RDPMC '
expect_match stdout '^phase1 [1-9]'
real inside
expect_status 2
expect_match stderr '^no-rdpmc: the CPU hides these counters'

begin "a virtual machine that has the counters while its guests run is no obstacle" # R52
machine_with mediated-vpmu
real either
expect_status 0
expect_match stdout '^rdpmc$'
expect_match stdout '^phase1 [1-9]'

begin "alderlake: a move to an E-core is reported for its region"
on alderlake migrated
expect_status 0
expect_row phase3 '[0-9]+ 0'
expect_row moving '[0-9]+ 1'

begin "alderlake: a thread that is not bound is refused"
run env LD_PRELOAD="$build/libtma-sim.so" TMA_MACHINE=alderlake "$build/Documentation/examples/snapshot"
expect_status 0
expect_match stdout '^Not measured \(hybrid, errno 18\): the thread may run on E-cores'
