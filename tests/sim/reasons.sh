#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Why there is no value, or only an estimate: in words which a person understands.
. "$(dirname "$0")/../cli/lib.sh"

# reason WHAT STATUS PATTERN MACHINE ARG ...: some event has that status, and that reason
reason()
{
	begin "$1"
	what=$2
	pattern=$3
	shift 3
	machine=$1
	shift
	sim "$machine" stat --format=json -o "$tmp/json" "$@"
	expect_match "$tmp/json" "\"status\":\"$what\",\"reason\":\"([^\"]*: )?$pattern"
}

many='{branches,branch-misses,cache-misses,cache-references,L1-dcache-loads}'

# refused WHAT PATTERN MACHINE GROUP: the kernel refuses the group, and every format and the warning
# say which rule it breaks
refused()
{
	reason "$1" "not counted" "its group was refused: $2" "$3" -a -e "$4" sleep 0.05
	expect_match "$tmp/json" "\"status\":\"not supported\",\"reason\":\"its group was refused: $2"
	expect_match stderr "^Its group was refused: $2"
	for format in csv-wide prom; do
		sim "$3" stat --format=$format -o "$tmp/$format" -a -e "$4" sleep 0.05
		expect_match "$tmp/$format" "its group was refused: $2"
	done
	sim "$3" stat -j -o "$tmp/perf.json" -a -e "$4" sleep 0.05
	expect_all_match "$tmp/perf.json" "(<not counted>|<not supported>).*, \"reason\" : \"[^\"]*$2[^\"]*\"\}$"
	sim "$3" stat -v -o "$tmp/text" -a -e "$4" sleep 0.05
	expect_match "$tmp/text" "^ .+: not counted: its group was refused: $2"
	sim "$3" stat -o "$tmp/text" -a -e "$4" sleep 0.05
	expect_no_match "$tmp/text" "refused"
	sim "$3" stat record -o "$tmp/perf.data" -a -e "$4",cycles sleep 0.05
	for recorded in perf.data perf.json; do
		run "$TMA" stat report -i "$tmp/$recorded" --format=csv-wide -o "$tmp/reported"
		expect_match "$tmp/reported" "its group was refused: $2"
	done
}

refused "a group of too many events for the general counters" \
	'it has more events than counters for them: branches, .* and L1-dcache-loads have only counters 0-3' \
	skylakex "$many"
refused "a group of too many events for a fixed counter" \
	'it has more events than counters for them: ref-cycles and ref-cycles:u have only fixed counter 2' \
	skylakex '{ref-cycles,ref-cycles:u}'
refused "a group of too many events for the counters of their masks" \
	'it has more events than counters for them: MEM_LOAD_RETIRED.L1_HIT, .* have only counters 0-3' \
	icelakex '{MEM_LOAD_RETIRED.L1_HIT,MEM_LOAD_RETIRED.L1_MISS,MEM_LOAD_RETIRED.L2_HIT,MEM_LOAD_RETIRED.L3_HIT,MEM_LOAD_RETIRED.L2_MISS}'
refused "a group of too many values of the offcore response registers" \
	'its events want different values of one register: .* offcore response register, of which there are 2' \
	icelakex '{OCR.DEMAND_DATA_RD.ANY_RESPONSE,OCR.DEMAND_RFO.ANY_RESPONSE,OCR.DEMAND_CODE_RD.ANY_RESPONSE}'

# with_watchdog: a skylakex on which the NMI watchdog runs
sed 's/^sysctl nmi_watchdog .*/sysctl nmi_watchdog 1/' lib/sim/machines/skylakex >"$tmp/watched"
grep -q 'nmi_watchdog 1' "$tmp/watched" || echo 'sysctl nmi_watchdog 1' >>"$tmp/watched"
cp lib/sim/machines/*.part "$tmp"
reason "a group that leaves the NMI watchdog no counter" "not counted" \
	'the NMI watchdog holds a counter that it needs: .* have only counters 0-3' \
	"$tmp/watched" -a -e '{cycles,cycles:u,cycles:k,branches,branch-misses}' sleep 0.05
sim "$tmp/watched" stat record -o "$tmp/perf.data" -a -e '{cycles,cycles:u,cycles:k,branches,branch-misses}' sleep 0.05
run "$TMA" stat report -v -i "$tmp/perf.data"
expect_match stderr '^ cycles, .* branch-misses: not counted: the NMI watchdog holds a counter'
reason "the same group where it does not run" "counted" '' \
	skylakex -a -e '{cycles,cycles:u,cycles:k,branches,branch-misses}' sleep 0.05

reason "an event of cores that were not asked for" "not counted" 'none of the CPUs asked for \(-C\) is one' \
	alderlake -C 20 -e cpu_core/cycles/,cpu_atom/cycles/ sleep 0.05
TMA_SIM_FAULT='read#2=EIO'
export TMA_SIM_FAULT
reason "a counter that cannot be read" "lost" 'its counter could not be read' \
	skylakex -a -e cycles,instructions sleep 0.05
unset TMA_SIM_FAULT
reason "a task cannot be counted by the uncore" "not supported" 'it cannot count one task.*-a or -C' \
	skylakex -e uncore_imc/cas_count_read/,cycles true
reason "a task that ran on the other cores" "not counted" 'the task did not run on a core of this type' \
	alderlake -e cpu_atom/cycles/,cpu_core/cycles/ true
reason "events in turns" "scaled" 'an estimate, since events took turns' \
	skylakex -a -e "{branches,branch-misses,cache-misses},{L1-dcache-loads,cache-references}" sleep 0.1
reason "a set without a turn" "not counted" 'its set of groups had no turn' \
	icelakex -a --schedule=rotate --schedule-ms 1000 -M TopdownL2 sleep 0.1

TMA_SIM_FAULT='open#1=ENOENT'
export TMA_SIM_FAULT
reason "a virtual machine without the event" "not supported" 'this machine or kernel does not have it' \
	icelakex -e cycles,instructions true
TMA_SIM_FAULT='open#1=EOPNOTSUPP'
reason "hardware that cannot" "not supported" 'the hardware cannot count it this way' \
	icelakex -e cycles,instructions true
unset TMA_SIM_FAULT

# A virtual machine is one whose CPU says so.
mkdir -p "$tmp/proc"
printf 'processor\t: 0\nflags\t\t: fpu tsc hypervisor lahf_lm\n\n' >"$tmp/proc/cpuinfo"
TMA_SIM_FAULT='open#1=ENOENT'
PROCFS_PATH=$tmp/proc
export TMA_SIM_FAULT PROCFS_PATH
reason "a virtual machine whose host gives it no counter" "not supported" 'this virtual machine does not have it' \
	icelakex -e cycles,instructions true
unset TMA_SIM_FAULT PROCFS_PATH

begin "what is denied to whom may not count the kernel"
[ "$(id -u)" = 0 ] || skip "needs root, to be nobody"
[ -d /sys/bus/event_source/devices/msr ] || skip "needs the PMU msr"
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || skip "needs kernel.perf_event_paranoid=2"
needs_command setpriv
run setpriv --reuid=65534 --clear-groups "$TMA" stat --format=json -M 'x = msr@tsc@ / 2' -e task-clock true
expect_status 0
expect_match stderr '"name":"msr/tsc/".*"status":"not supported","reason":"no permission: kernel.perf_event_paranoid'
expect_match stderr '"name":"x",.*"reason":"msr/tsc/: no permission'

# --- CPUs that go and come ------------------------------------------------------------------------

# of_rows: of csv-wide on standard input, the CPUs, coverage and reason of each row
of_rows()
{
	python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row.get("cpus", ""), row.get("cpu", ""), row["cycles"] != "", row["coverage_percent"],
          *filter(None, [row["reason"]]))'
}

TMA_SIM_STEP=10
TMA_SIM_FAULT='offline=1@500ms-1200ms'
export TMA_SIM_STEP TMA_SIM_FAULT
begin "a CPU that was offline for a while: the coverage, and it is counted again"
needs_command python3
sim skylakex stat -a --format=csv-wide -o "$tmp/wide" -I 500 --interval-count 4 -e cycles
of_rows <"$tmp/wide" >"$tmp/rows"
expect_file "$tmp/rows" <<END
16  True 100
16  True 93.75
16  True 93.75
16  True 100
END
sim skylakex stat -a --format=prom -o "$tmp/prom" -I 500 --interval-count 3 -e cycles
expect_match "$tmp/prom" '^tma_event_coverage_ratio\{event="cycles",pmu="cpu"\} 0.9375$'
sim skylakex stat -a -o "$tmp/text" -I 500 --interval-count 4 -e cycles
expect_equal "rows with a note" "$(grep -c '^# 1 CPU was offline .* cover 93.8 % of it$' "$tmp/text")" 2
sim skylakex stat -a -o "$tmp/text" -e cycles --timeout 1000
expect_match "$tmp/text" '^ 1 CPU was offline for a part of the time: the counts cover [0-9.]+ % of it$'
begin "the row of a CPU says that it was offline"
sim skylakex stat -a -A --format=csv-wide -o "$tmp/wide" -I 500 --interval-count 4 -e cycles
of_rows <"$tmp/wide" | grep '^ 1 ' >"$tmp/rows"
expect_file "$tmp/rows" <<END
 1 True 100
 1 False 0 cycles: the CPU was offline
 1 False 0 cycles: the CPU was offline
 1 True 100
END

TMA_SIM_FAULT='offline=1@0s-1200ms'
begin "a CPU that comes online for the first time is counted from then on"
needs_command python3
sim skylakex stat -a --format=csv-wide -o "$tmp/wide" -I 500 --interval-count 4 -e cycles
of_rows <"$tmp/wide" >"$tmp/rows"
expect_file "$tmp/rows" <<END
15  True 100
15  True 100
16  True 93.75
16  True 100
END
expect_match stderr '^CPU 1 came online, and is counted from here on$'
begin "it has rows of its own from then on"
sim skylakex stat -a -A -x, -o "$tmp/csv" -I 500 --interval-count 4 -e cycles,duration_time
sed 's/^ *//' "$tmp/csv" | grep -o '^[0-9.]*,CPU1,[^,]*,,cycles' >"$tmp/rows"
expect_file "$tmp/rows" <<END
1.500000000,CPU1,<not counted>,,cycles
2.000000000,CPU1,1683600000,,cycles
END
