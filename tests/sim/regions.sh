#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma stat --regions: programs which measure regions of known mix with libtma-topdown.
. "$(dirname "$0")/../cli/lib.sh"

program=$(cd "$BUILD" && pwd)/tests/sim/regions
[ -x "$program" ] || skip_all "tests/sim/regions is not built: make tests"

# regions MACHINE ARG ...: run tma stat --regions on a machine with stepped time; print CSV
regions()
{
	machine=$1
	shift
	run env TMA_SIM_STEP=10 "$TMA" --machine "$machine" stat --regions -x, -o "$tmp/csv" -- \
		"$program" "$@"
}

# expect_mix REGION COLUMN POINTS WANTED ...: in each row of a region, the columns from COLUMN on
# have these values
expect_mix()
{
	region=$1 column=$2 points=$3
	shift 3
	[ $test_state = ok ] || return 0
	awk -F, -v region="$region" -v column="$column" -v points="$points" -v wanted="$*" '
		/^region,/ { for (i = 1; i <= NF; i++) if ($i == column) first = i }
		$1 == region {
			n++
			nr = split(wanted, want, " ")
			for (i = 1; i <= nr; i++) {
				off = $(first + i - 1) - want[i]
				if (off > points || off < -points) print $1 ": " $(first + i - 1) " for " want[i]
			}
		}
		END { if (!n) print "no row of " region }' "$tmp/csv" >"$tmp/off"
	[ ! -s "$tmp/off" ] || fail "not within $points points" "$tmp/off"
}

# expect_three MACHINE POINTS: level 1 of the first three phases is as in the machine's file
expect_three()
{
	case $1 in
	icelakex)
		expect_mix phase1 retiring "$2" 36 7.2 17.2 39.6
		expect_mix phase2 retiring "$2" 16 4.0 10.2 69.8
		expect_mix phase3 retiring "$2" 27 13.5 31.2 28.3
		;;
	sapphirerapids)
		expect_mix phase1 retiring "$2" 36 6 18 40
		expect_mix phase2 retiring "$2" 13 3 9 75
		expect_mix phase3 retiring "$2" 27 12 33 28
		expect_mix phase1 mem_bound "$2" 22 18
		;;
	alderlake)
		expect_mix phase1 retiring "$2" 42 7 16 35
		expect_mix phase2 retiring "$2" 17 4 11 68
		expect_mix phase3 retiring "$2" 55 10 12 23
		expect_mix phase2 mem_bound "$2" 51 17
		;;
	esac
}

for machine in icelakex sapphirerapids alderlake; do
	begin "$machine: three regions have the mix of their phases"
	regions $machine three
	expect_status 0
	expect_three $machine 0.5
	expect_match "$tmp/csv" '^phase1,[0-9]+,[0-9]+,20,20,20000000,0,[1-9]'
	expect_match "$tmp/csv" '^phase3,[0-9]+,[0-9]+,20,20,60000000,0,[1-9]'

	begin "$machine: by system calls the mix is the same, and a note names the method"
	regions $machine system-calls
	expect_status 0
	expect_match "$tmp/csv" '^phase1,.*,read by system calls$'
	expect_three $machine 0.5

	begin "$machine: measuring once in a hundred times gives nearly the same"
	regions $machine sampled
	expect_status 0
	expect_three $machine 2
	expect_match "$tmp/csv" '^phase2,[0-9]+,[0-9]+,2000,20,4000000,'

	begin "$machine: eight threads have rows of their own"
	regions $machine threads
	expect_status 0
	expect_three $machine 0.5
	[ $test_state != ok ] || awk -F, '/^phase[1-3],/ { rows++; threads[$2] = 1 }
		END { for (t in threads) n++; exit rows != 24 || n != 8 }' "$tmp/csv" ||
		fail "there are not eight threads with three rows each" "$tmp/csv"
done

begin "a region around another has its own part"
regions icelakex nested
expect_status 0
expect_mix inner retiring 0.5 16 4.0 10.2 69.8
expect_mix outer own_retiring 1 36 7.2 17.2 39.6
expect_match "$tmp/csv" '^outer,[0-9]+,[0-9]+,20,20,80000000,'

begin "a killed program's regions are printed, and its status is its own"
regions icelakex killed
expect_status 137
expect_three icelakex 0.5
expect_match "$tmp/csv" '^never ended,.*,0,0,0,0,0,.*no slots$'

begin "time on another type of core is said, and what was counted before and behind it is added up"
regions alderlake migrated
expect_status 0
expect_match "$tmp/csv" '^moving,[0-9]+,[0-9]+,1,1,20000000,10000000,152520000,.*,not counted for part of the time$'
expect_mix moving retiring 3 42 7 16 35

begin "regions for which there is no room are said, with what would do"
run env TMA_SIM_STEP=10 "$TMA" --machine icelakex stat --regions=4 -- "$program" many
expect_status 0
expect_match stderr '^region 3 '
expect_match stderr '^tma: --regions: no room for [0-9]+ more regions of threads: use --regions=[0-9]+$'
run env TMA_SIM_STEP=10 "$TMA" --machine icelakex stat --regions=16 -- "$program" many
expect_match stderr '^region 9 '
expect_no_match stderr 'no room'

begin "a program that measures nothing is said"
sim icelakex stat --regions -- sh -c 'exit 3'
expect_status 3
expect_match stderr '^tma: --regions: sh measured no region: .*libtma-topdown.*tma-topdown\(3\)'

begin "a message says that nothing can be measured on a machine"
sim skylakex stat --regions -- true
expect_status 0
expect_match stderr '^tma: --regions: true measured no region: the cores lack the TopDown metrics register'
if [ ! -e /sys/bus/event_source/devices/cpu ] && [ ! -e /sys/bus/event_source/devices/cpu_core ]; then
	run "$TMA" stat --regions -- true
	expect_match stderr '^tma: --regions: true measured no region: this machine has no core PMU'
fi

begin "a program that truncates the memory is refused, and tma does not crash"
needs_command python3
sim icelakex stat --regions -- python3 -c '
import os
for size in 0, 1 << 30:
    try:
        os.ftruncate(int(os.environ["TMA_REGIONS"]), size)
        print("changed")
    except PermissionError:
        pass'
expect_status 0
expect_no_match stdout changed
expect_match stderr 'measured no region'

begin "a child of the command is measured too"
run env TMA_SIM_STEP=10 "$TMA" --machine icelakex stat --regions -j -- sh -c "$program three; true"
expect_status 0
expect_match stderr '^\{"region" : "phase2", "thread" : [0-9]+, .*"retiring" : 16\.[0-9]+, .*"notes" : \[\]\}$'

begin "what does not go with --regions is refused"
for words in '-a' '-e cycles' '-I 100' '-r 3' '--topdown' '--dry-run' '--format=prom'; do
	# shellcheck disable=SC2086 # options and their arguments
	sim icelakex stat --regions $words -- true
	expect_status 129
	expect_match stderr '^tma: --regions'
done
sim icelakex plan --regions -- true
expect_status 129
expect_match stderr '^tma: --regions .* nor planned'
run "$TMA" stat --regions
expect_status 129
expect_match stderr '^tma: --regions needs a program'
run "$TMA" stat --regions=0 true
expect_status 129
