#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The reasons for a missing or an estimated value, in words that a person understands.
. "$(dirname "$0")/../cli/lib.sh"

# reason WHAT STATUS PATTERN MACHINE ARG ...: an event has this status and this reason
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

# refused WHAT PATTERN MACHINE GROUP: the kernel refuses the group; every format and the warning
# name the rule that the group breaks
refused()
{
	reason "$1" "not counted" "its group was refused: $2" "$3" -a -e "$4" sleep 0.05
	expect_match "$tmp/json" "\"status\":\"not supported\",\"reason\":\"its group was refused: $2"
	expect_match stderr "^tma: Its group was refused: $2"
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
	'its events need different values of one register: .* offcore response register, of which there are 2' \
	icelakex '{OCR.DEMAND_DATA_RD.ANY_RESPONSE,OCR.DEMAND_RFO.ANY_RESPONSE,OCR.DEMAND_CODE_RD.ANY_RESPONSE}'

# with_watchdog: make a skylakex with the NMI watchdog on
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

reason "an event of cores that were not asked for" "not counted" 'its PMU covers none of the CPUs given with -C' \
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
reason "events in turns" "scaled" 'an estimate, since events were multiplexed' \
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

# pinned WHAT ARG ...: a pinned group needs more counters than there are
pinned()
{
	what=$1
	shift
	reason "$what" "busy" 'it is pinned, and other users hold the counters' \
		"$tmp/held" -e "$group:D,cycles" "$@"
	expect_no_match "$tmp/json" '"name":"branch.*"(counted|not counted|lost)"'
	expect_match "$tmp/json" '"name":"cycles".*"counted"'
	sim "$tmp/held" stat -v -e "$group:D" "$@"
	expect_match stderr '^ branches, branch-misses: busy: it is pinned, and other users hold the counters$'
	expect_no_match stderr '^tma: .*pinned'
	for format in text csv; do
		sim "$tmp/held" stat --format=$format -e "$group:D,cycles" "$@"
		expect_equal "lines with the reason" "$(grep -c pinned "$stderr")" 1
		expect_match stderr '^tma: branches, branch-misses: not counted: pinned \(D\), and others hold the counters$'
	done
	sim "$tmp/held" stat -j -e "$group:D" "$@"
	expect_no_match stderr '^tma: .*pinned'
	expect_match stderr '"branch-misses".*, "reason" : "it is pinned, and other users hold the counters"\}$'
	sim "$tmp/held" stat --format=csv-wide --command-output=null -e "$group:D" "$@"
	expect_match stdout ',busy,.*branches, branch-misses, .*: it is pinned, and other users hold the counters'
	sim "$tmp/held" stat -I 100 --interval-count 3 -o "$tmp/json" --format=json -e "$group:D" "$@"
	sed -i '/"type":"run"/d' "$tmp/json"
	expect_all_match "$tmp/json" '"status":"busy"'
	sim "$tmp/held" stat -I 100 --interval-count 3 -e "$group:D" "$@"
	expect_equal "lines with the reason" "$(grep -c 'misses: not counted in some rows: pinned' "$stderr")" 1
}

sed '/^counters 4$/s/$/\nheld 0-2/' lib/sim/machines/skylakex >"$tmp/held"
group='{branches,branch-misses}'
pinned "a pinned group without room on CPUs" -a sleep 0.2
pinned "a pinned group without room in a task" sleep 0.2 # R16
reason "a pinned event with room" "counted" '' "$tmp/held" -a -e branches:D sleep 0.1 # R16
expect_no_match "$tmp/json" '"busy"'

# The second group has half as many turns as the others.
turns='{branches,branch-misses,cache-misses},{L1-dcache-loads,cache-references},cycles'
TMA_SIM_STEP=10
export TMA_SIM_STEP
begin "--min-running: a count for too small a share of the time is dropped" # R28
for format in text csv; do
	sim skylakex stat --format=$format -a --timeout 1000 --min-running 60 -e "$turns"
	expect_status 0
	expect_match stderr '[0-9] +branches  |^[0-9]+,,branches,'
	expect_match stderr '<not counted>(  +|,,)L1-dcache-loads'
	expect_match stderr 'cache-references.*[(,]33\.'
	expect_match stderr '^tma: L1-dcache-loads, cache-references: not counted: were counted for less of the time than --min-running requires$'
done
sim skylakex stat --format=$format -a --timeout 1000 --min-running 33 -e "$turns"
expect_no_match stderr 'not counted'
sim skylakex stat -v -a --timeout 1000 --min-running 60 -e "$turns"
expect_match stderr '^ L1-dcache-loads, cache-references: not counted: (it was|were) counted for less of the time than --min'
begin "--min-running: in each row, of several runs, of what was recorded, of metrics and verdicts"
sim skylakex stat -I 500 --interval-count 4 --summary -x, -a --min-running 60 -e "$turns"
expect_equal "rows that are not counted" "$(grep -c '<not counted>' "$stderr")" 10
expect_equal "names of them" "$(grep -c 'not counted in some rows' "$stderr")" 1
sim skylakex stat -r 3 -x, -a --min-running 60 -e "$turns" true
expect_match stderr '^<not counted>,,cache-references,'
expect_match stderr '^[0-9]+,,branches,'
sim skylakex stat record -o "$tmp/perf.data" --min-running 60 -a --timeout 1000 -e "$turns"
expect_match stderr '<not counted> +cache-references'
run "$TMA" stat report -i "$tmp/perf.data" -x,
expect_match stderr '^[0-9]+,,cache-references,'
run "$TMA" stat report -i "$tmp/perf.data" -x, --min-running 60
expect_match stderr '^<not counted>,,cache-references,'
sim skylakex stat -a --timeout 1000 --topdown --td-level 2 --min-running 90 --format=json --verdict -o "$tmp/json"
expect_no_match "$tmp/json" '"type":"metric".*"value":[0-9]'
expect_match "$tmp/json" '"name":"tma_retiring".*"status":"not counted","reason":".*: it was counted for less of the time'
expect_no_match "$tmp/json" '"bottleneck":"tma'
unset TMA_SIM_STEP

# Two of the events can only be counted alone, as the tables say: the kernel has one register for
# them.
cat >"$tmp/alone.json" <<'END'
[
    {"EventName": "MY.ALONE", "EventCode": "0xc6", "UMask": "0x1", "MSRIndex": "0x3F7",
     "MSRValue": "0x11", "TakenAlone": "1", "Counter": "0,1,2,3"},
    {"EventName": "MY.OTHER_ALONE", "EventCode": "0xc6", "UMask": "0x1", "MSRIndex": "0x3F7",
     "MSRValue": "0x12", "TakenAlone": "1", "Counter": "0,1,2,3"}
]
END
alone='MY.ALONE and MY.OTHER_ALONE cannot be counted in one group'
begin "a group of events that are taken alone"
sim skylakex --tables "$tmp/alone.json" stat -v -a -e '{MY.ALONE,MY.OTHER_ALONE}' -e cycles sleep 0.1
expect_match stderr "^tma: Its group was refused: it has events that cannot be counted together: $alone\$"
expect_match stderr "^ MY.ALONE: not counted: its group was refused: .*: $alone\$"
sim skylakex --tables "$tmp/alone.json" stat --dry-run -a -e '{MY.ALONE,MY.OTHER_ALONE}' true
expect_match stdout "does not fit and will be refused: .*$alone\$"
sim skylakex --tables "$tmp/alone.json" stat -x, -a -e MY.ALONE,MY.OTHER_ALONE sleep 0.1
expect_all_match stderr '^[0-9]+,,MY|^tma: '

# The CPU of a virtual machine reports that it is one.
mkdir -p "$tmp/proc"
printf 'processor\t: 0\nflags\t\t: fpu tsc hypervisor lahf_lm\n\n' >"$tmp/proc/cpuinfo"
TMA_SIM_FAULT='open:cpu/event=0x3c/=ENOENT;open:cpu/event=0xc0/=ENOENT'
PROCFS_PATH=$tmp/proc
export TMA_SIM_FAULT PROCFS_PATH
reason "a virtual machine whose host gives it no counter" "not supported" 'this virtual machine does not have it' \
	icelakex -e cycles,instructions true
unset TMA_SIM_FAULT PROCFS_PATH

# stat [ARG ...]: run tma stat as a user who may not count the kernel
nobody()
{
	[ -d "$tmp/public" ] || make_public "$TMA"
	run setpriv --reuid=65534 --clear-groups "$tmp/public/tma" stat "$@"
}

# may_be_nobody: skip the test if the kernel would let this user count it
may_be_nobody()
{
	needs_root
	needs_pmu msr
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || skip "needs kernel.perf_event_paranoid=2"
	needs_command setpriv
}

denied='no permission: kernel.perf_event_paranoid is too high, and its PMU cannot count only user space'
begin "what is denied to whom may not count the kernel"
may_be_nobody
nobody --format=json --command-output=null -M 'x = msr@tsc@ / 2' -e task-clock true
expect_status 0
expect_match stdout "\"name\":\"msr/tsc/u\".*\"status\":\"not supported\",\"reason\":\"$denied\""
expect_match stdout '"name":"x",.*"reason":"msr/tsc/u: no permission'
nobody -v -e msr/tsc/,task-clock true
expect_status 0
expect_match stderr '^ +[0-9.]+ msec task-clock:u '
expect_match stderr "^ msr/tsc/u: not supported: $denied\$"

begin "what is denied stops no other event, in perf's bytes"
may_be_nobody
needs_perf
nobody -x, -e msr/tsc/,task-clock true
expect_status 0
sed 's/^[0-9.]*,msec,.*/a time/' "$stderr" >"$tmp/rows"
run setpriv --reuid=65534 --clear-groups "$PERF" stat -x, -e msr/tsc/,task-clock true
sed 's/^[0-9.]*,msec,.*/a time/' "$stderr" >"$tmp/perf"
expect_lines "$tmp/perf" 2
expect_file "$tmp/rows" <"$tmp/perf"

begin "where nothing else is counted, the reason stands at the end"
may_be_nobody
nobody -e msr/tsc/ true
expect_status 125
expect_match stderr "^msr/tsc/u: $denied\$"

# --- CPUs that go and come ------------------------------------------------------------------------

# of_rows: print the CPUs, coverage and reason of each row of csv-wide on standard input
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
begin "a CPU that was offline for a while: the coverage, and it is counted again" # R22
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
begin "one that went and came back before anybody looked is noticed, and counted again"
TMA_SIM_FAULT='offline=1@3s-4s'
sim skylakex stat -a -A -x, -o "$tmp/csv" -e cycles --timeout 20000
expect_match stderr '^tma: CPU 1 is back, and counted from here on$'
expect_equal "time in which it was counted" "$(sed -n 's/^CPU1,[0-9]*,,cycles,//p' "$tmp/csv")" \
	13000000000,100.00,,
begin "so is one during the run behind a delay"
TMA_SIM_FAULT='offline=1@13s-14s'
sim skylakex stat -a -A -x, -o "$tmp/csv" -D 12000 -I 500 --interval-count 6 -e cycles
expect_match stderr '^tma: CPU 1 is back, and counted from here on$'
expect_match "$tmp/csv" '^ *3[.]000000000,CPU1,[0-9]+,,cycles,500000000,100.00'
begin "so is one within a delay too short for anybody to look"
TMA_SIM_FAULT='offline=1@100ms-200ms'
sim skylakex stat -a -A -x, -o "$tmp/csv" -D 500 --timeout 900 -e cycles
expect_match stderr '^tma: CPU 1 is back, and counted from here on$'
expect_between "time in which it was counted" "$(sed -n 's/^CPU1,[0-9]*,,cycles,\([0-9]*\),100.00,,$/\1/p' "$tmp/csv")" \
	880000000 900000000
TMA_SIM_FAULT='offline=1@3s-4s'
begin "if there was no time for it, the note comes at the end"
for options in '-e cycles' --topdown '-M TopdownL3 --schedule=rotate'; do
	# shellcheck disable=SC2086 # options
	sim skylakex stat -a $options --timeout 4000 -o "$tmp/text"
	expect_match stderr '^tma: CPU 1 was offline in between: its last 1\.0 s are not counted$'
	expect_match "$tmp/text" '^ 1 CPU was offline for a part of the time: the counts cover 98.4 %'
done
TMA_SIM_FAULT='offline=1@500ms-1200ms'
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
begin "a CPU that comes online for the first time is counted from then on" # R23
needs_command python3
sim skylakex stat -a --format=csv-wide -o "$tmp/wide" -I 500 --interval-count 4 -e cycles
of_rows <"$tmp/wide" >"$tmp/rows"
expect_file "$tmp/rows" <<END
15  True 100
15  True 100
16  True 93.75
16  True 100
END
expect_match stderr '^tma: CPU 1 came online, and is counted from here on$'
begin "it has rows of its own from then on"
sim skylakex stat -a -A -x, -o "$tmp/csv" -I 500 --interval-count 4 -e cycles,duration_time
sed 's/^ *//' "$tmp/csv" | grep -o '^[0-9.]*,CPU1,[^,]*,,cycles' >"$tmp/rows"
expect_file "$tmp/rows" <<END
1.500000000,CPU1,<not counted>,,cycles
2.000000000,CPU1,1683600000,,cycles
END

TMA_SIM_FAULT='offline=20@0s-1200ms;offline=1@0s-700ms'
begin "so is one of a hybrid machine, by the PMU of its type of core"
needs_command python3
sim alderlake stat -a --format=csv-wide -o "$tmp/wide" -I 500 --interval-count 4 -e cpu_atom/cycles/,cpu_core/cycles/
sed '1s,cpu_atom/cycles/,cycles,' "$tmp/wide" | of_rows >"$tmp/rows"
expect_file "$tmp/rows" <<END
22  True 100
23  True 93.75
24  True 87.5
24  True 100
END
sim alderlake stat -a -A -x, -o "$tmp/csv" -I 500 --interval-count 4 -e cycles,task-clock
sed 's/^ *//' "$tmp/csv" | grep -o '^[0-9.]*,CPU\(1\|20\),[^,]*,[^,]*,[^,]*' >"$tmp/rows"
expect_file "$tmp/rows" <<END
1.000000000,CPU1,<not counted>,,cpu_core/cycles/
1.000000000,CPU1,<not counted>,msec,task-clock [software]
1.500000000,CPU1,1786200000,,cpu_core/cycles/
1.500000000,CPU20,<not counted>,,cpu_atom/cycles/
1.500000000,CPU1,500.00,msec,task-clock [software]
1.500000000,CPU20,<not counted>,msec,task-clock [software]
2.000000000,CPU1,1410400000,,cpu_core/cycles/
2.000000000,CPU20,275500000,,cpu_atom/cycles/
2.000000000,CPU1,500.00,msec,task-clock [software]
2.000000000,CPU20,500.00,msec,task-clock [software]
END
begin "its TopDown is that of its type of core, too"
needs_command python3
sim alderlake stat -a -A --topdown --format=json -o "$tmp/json" -I 500 --interval-count 4
for cpu_pmu in 1:cpu_core 20:cpu_atom; do
	grep "\"time\":2.000000000.*\"cpu\":${cpu_pmu%:*},.*\"name\":\"tma_retiring" "$tmp/json" >"$tmp/rows"
	expect_lines "$tmp/rows" 1
	expect_match "$tmp/rows" "\"pmu\":\"${cpu_pmu#*:}\".*\"status\":\"counted\""
done

begin "a metric has no value if its events had no turn" # R28
# On a machine without persistent memory it is 0.
sim sapphirerapids stat -C0 --format=json -o "$tmp/json" -I 30 --interval-count 3 --grouping=perf -M TopdownL3
grep '"name":"tma_cxl_mem_bound"' "$tmp/json" >"$tmp/rows"
expect_match "$tmp/rows" '"value":0,.*"status":"scaled"'
expect_match "$tmp/rows" '"value":null,.*"status":"not counted","reason":".*it was not scheduled'
