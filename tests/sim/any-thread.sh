#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events that count for all threads of a core, which an ordinary user may not count at
# kernel.perf_event_paranoid 1 and 2: other events and metrics are still counted.
. "$(dirname "$0")/../cli/lib.sh"

machines=$(dirname "$TMA")/machines
mkdir "$tmp/machines"
chmod 755 "$tmp" "$tmp/machines"
cp "$machines"/*.part "$tmp/machines"
for paranoid in 0 1 2; do
	sed "s/^sysctl .*/&\nsysctl perf_event_paranoid $paranoid/" "$machines/skylakex" >"$tmp/machines/paranoid-$paranoid"
done
chmod a+r "$tmp/machines"/*
make_public "$TMA" "$(dirname "$TMA")/libtma-sim.so"

# user PARANOID [ARG ...]: run tma stat as an ordinary user, whose TMPDIR only root can write to
user()
{
	needs_root
	needs_command setpriv
	machine=$tmp/machines/paranoid-$1
	shift
	run env TMA_SIM_STEP=1 TMA_SIM_COMMAND=1000 TMPDIR="$tmp" setpriv --reuid=65534 --clear-groups "$tmp/public/tma" --machine "$machine" stat "$@"
}

refused='no permission: it counts for all threads of a core, which needs kernel.perf_event_paranoid=0 or CAP_PERFMON'
stands='INT_MISC.RECOVERY_CYCLES_ANY: not counted, as it needs kernel.perf_event_paranoid=0 or CAP_PERFMON: the count of one thread'

begin "who may count whole CPUs counts them of a task, too"
user 0 --format=json --command-output=null -M TopdownL1 --timeout 200 true
expect_status 0
expect_match stdout '"name":"INT_MISC.RECOVERY_CYCLES_ANY",.*"value":[1-9]'
expect_no_match stdout approximate

for paranoid in 1 2; do
	begin "level 1 at $paranoid has all values, and those made with one thread's event say so" # R51
	user $paranoid --format=json --command-output=null -M TopdownL1 --timeout 200 true
	expect_status 0
	for metric in tma_bad_speculation tma_backend_bound; do
		expect_match stdout "\"name\":\"$metric\",.*\"value\":[1-9].*\"status\":\"approximate\",\"reason\":\"$stands"
	done
	for metric in tma_retiring tma_frontend_bound; do
		expect_match stdout "\"name\":\"$metric\",.*\"value\":[1-9].*\"status\":\"scaled\""
	done
	expect_no_match stdout '"name":"INT_MISC.RECOVERY_CYCLES_ANY'
	user $paranoid --metric-only -M TopdownL1 --timeout 200 true
	expect_match stderr '^ +38\.0 +~7\.0 +~38\.0 +17\.0 *$'
	expect_match stderr '^~ computed without INT_MISC.RECOVERY_CYCLES_ANY, which needs kernel.perf_event_paranoid=0 or CAP_PERFMON'

	begin "at $paranoid an event without a substitute is named, and the others of its group are counted"
	user $paranoid --format=json --command-output=null -M tma_info_system_smt_2t_utilization,tma_frontend_bound --timeout 200 true
	expect_status 0
	expect_match stdout "\"name\":\"tma_info_system_smt_2t_utilization\",.*\"value\":null,.*_ANY(:u)?: $refused"
	expect_match stdout '"name":"tma_frontend_bound",.*"value":1'
done

begin "the plan is what is counted then"
user 1 --dry-run -M TopdownL1 true
expect_status 0
expect_match stdout 'INT_MISC\.RECOVERY_CYCLES([^_]|$)'
expect_no_match stdout 'RECOVERY_CYCLES_ANY'

begin "a report of a recording says the same"
user 1 record -o - -M TopdownL1 --timeout 200 true
cp "$stdout" "$tmp/data"
run "$TMA" stat report -i "$tmp/data" -M TopdownL1 --format=json
expect_status 0
expect_match stdout "\"name\":\"tma_bad_speculation\",.*\"status\":\"approximate\",\"reason\":\"$stands"

begin "an event of -e that is refused ends the run with what helps" # R51
user 1 -e cpu/event=0x3c,any=1/,cycles true
expect_status 125
expect_match stderr 'no permission to count cpu/event=0x3c,any=1/'
expect_match stderr 'sysctl kernel.perf_event_paranoid=0, as root'
expect_match stderr 'setcap cap_perfmon'

begin "root counts them at any setting"
needs_root
run env TMA_SIM_STEP=1 TMA_SIM_COMMAND=1000 "$TMA" --machine "$tmp/machines/paranoid-2" stat --format=json --command-output=null -M TopdownL1 --timeout 200 true
expect_status 0
expect_match stdout '"name":"INT_MISC.RECOVERY_CYCLES_ANY",.*"value":[1-9]'
expect_no_match stdout approximate
