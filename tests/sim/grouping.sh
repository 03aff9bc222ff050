#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Groups by the counters that events may use: the machine accepts them, in the turns that --dry-run
# forecasts; they are fewer than perf's, and metrics are nearer the truth.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP

# The deepest level of each machine; the tree of E-cores has three levels.
machines="skylakex:4 icelakex:4 sapphirerapids:4 alderlake:4 graniterapids:4 sierraforest:3"
once="-I1000 --interval-count 1"

# totals: print "GROUPS FDS" from the text of --dry-run on stdout
totals()
{
	sed -n -e 's/^[a-z_]*: [0-9]* events* in \([0-9]*\) group.*/g \1/p' \
	       -e 's/.* metrics*, \([0-9]*\) file descriptors.*/f \1/p' "$stdout" |
		awk '{ n[$1] += $2 } END { print n["g"], n["f"] }'
}

# foretold PLAN ROWS: print the events whose share of the time is not what --dry-run -j has forecast
foretold()
{
	python3 - "$1" "$2" <<'EOF'
import csv, json, sys
plan = [event for entry in json.load(open(sys.argv[1])) if entry['Kind'] == 'group'
        for event in entry['Events']]
rows = [row for row in csv.reader(open(sys.argv[2])) if len(row) > 5 and row[3]]
if len(plan) != len(rows):
    print(len(plan), 'events in the plan and', len(rows), 'rows')
for event, row in zip(plan, rows):
    name, share = row[3], float(row[5])
    if name != event['EventName'] or abs(share - 100 * event['Share']) > 2:
        print(name, share, 'and not', event['EventName'], 100 * event['Share'])
EOF
}

for machine in $machines; do
	deepest=${machine#*:}
	machine=${machine%:*}
	for level in $(seq "$deepest"); do
		begin "$machine: level $level is counted in the turns that the plan forecasts"
		sim $machine stat -a -M TopdownL$level --grouping=counters --dry-run -j
		expect_status 0
		cp "$stdout" "$tmp/plan"
		# shellcheck disable=SC2086
		sim $machine stat -a -M TopdownL$level --grouping=counters -x, $once
		expect_status 0
		expect_no_match stderr '<not '
		# If a group is refused, it is split, so there are more and shorter turns.
		expect_equal "events whose share is another" "$(foretold "$tmp/plan" "$stderr")" ""

		begin "$machine: level $level takes fewer groups and file descriptors than perf's way"
		sim $machine stat -a -M TopdownL$level --grouping=counters --dry-run
		expect_status 0
		ours=$(totals)
		sim $machine stat -a -M TopdownL$level --grouping=perf --dry-run
		expect_status 0
		perf=$(totals)
		expect_equal "groups and file descriptors that are no fewer: $ours, perf's way $perf" \
			"$(echo "$ours $perf" | awk '$1 > $3 || (NR && '$level' > 2 && $2 >= $4)')" ""
	done
done

begin "what the counters can hold is together on every model, whatever the tables' constraints say"
run "$BUILD/tests/bench/groups"
expect_status 0
[ "$(wc -l <"$stdout")" -ge 150 ] || fail "there are few levels" "$stdout"
expect_equal "levels where it is not" "$(awk -F '\t' '$12 < $13' "$stdout")" ""

begin "metrics of level 3 are twice as near to the truth while phases change"
run tests/metrics/grouping.py "$TMA" 3 lib/sim/machines/skylakex lib/sim/machines/icelakex \
	lib/sim/machines/sapphirerapids lib/sim/machines/alderlake
expect_status 0
expect_equal "lines of machines" "$(wc -l <"$stdout")" 4
expect_equal "machines where they are not" "$(awk '!($4 > 0 && $4 * 2 <= $3)' "$stdout")" ""

begin "events are grouped by counters, and as perf does it under the name of perf"
mkdir "$tmp/bin"
ln -s "$(cd "$(dirname "$TMA")" && pwd)/${TMA##*/}" "$tmp/bin/perf"
for way in counters perf; do
	sim skylakex stat -a -M TopdownL2 --grouping=$way --dry-run
	expect_status 0
	cp "$stdout" "$tmp/$way"
done
sim skylakex stat -a -M TopdownL2 --dry-run
expect_file "$stdout" <"$tmp/counters"
run "$tmp/bin/perf" --machine skylakex stat -a -M TopdownL2 --dry-run
expect_file "$stdout" <"$tmp/perf"
run "$tmp/bin/perf" --machine skylakex stat -a -M TopdownL2 --grouping=counters --dry-run
expect_file "$stdout" <"$tmp/counters"

begin "an event of another PMU is found for a core type's metric"
for way in counters perf; do
	sim alderlake stat -a -M tma_data_sharing --grouping=$way --dry-run
	expect_status 0
	expect_match stdout '^ +msr/tsc,cpu=cpu_core/ '
done

# perf, too, has only one group: its lines are the same, in the same order.
for case in sapphirerapids:TopdownL1 sapphirerapids:TopdownL2 icelakex:TopdownL1 zen4:TopdownL1 \
	sierraforest:TopdownL1 sierraforest:TopdownL2 skylakex:tma_info_thread_ipc \
	skylakex:tma_retiring; do
	begin "a single group prints what perf's groups print: $case"
	for format in "" -x, -j --metric-only; do
		# shellcheck disable=SC2086 # an empty word is left out
		sim "${case%:*}" stat -a -M "${case#*:}" --grouping=perf $format $once
		expect_status 0
		cp "$stderr" "$tmp/perf"
		# shellcheck disable=SC2086
		sim "${case%:*}" stat -a -M "${case#*:}" $format $once
		expect_status 0
		expect_file "$stderr" <"$tmp/perf"
	done
done

begin "level 2 is one group from Sapphire Rapids on"
sim sapphirerapids stat -a -M TopdownL2 --dry-run
expect_match stdout '^cpu: 10 events in 1 group, counted all the time; no fewer are possible$'

begin "-v says how few groups would suffice, and which metrics no group can hold"
# shellcheck disable=SC2086
sim skylakex stat -v -a -M TopdownL2 --grouping=counters $once
expect_match stderr '^tma: cpu: 4 groups; 4 would suffice, the fewest possible$'
expect_match stderr '^tma: events in several groups, measured at different times: .*tma_branch_mispredicts'
# shellcheck disable=SC2086
sim skylakex stat -v -a -M TopdownL2 --grouping=perf $once
expect_match stderr '^tma: cpu: 15 groups; 4 would suffice, the fewest possible$'

begin "counters of other users are found, and groups use the remaining ones"
cp lib/sim/machines/sapphirerapids lib/sim/machines/*.part "$tmp"
sed -i 's/^counters 8$/counters 8\nheld 5-7/' "$tmp/goldencove.part"
sim "$tmp/sapphirerapids" stat -v -a -M TopdownL3 --grouping=counters --dry-run -j -o "$tmp/plan"
expect_status 0
expect_match stderr '^tma: cpu: other users hold 3 of 8 general counters$'
# shellcheck disable=SC2086
sim "$tmp/sapphirerapids" stat -a -M TopdownL3 --grouping=counters -x, $once
expect_equal "events whose share is another" "$(foretold "$tmp/plan" "$stderr")" ""
expect_equal "groups that do not fit" "$(grep -c '"State" : "[^f]' "$tmp/plan")" 0

begin "events of -e, and perf's groups, are foretold with the counters that are left"
sed 's/^counters 4$/&\nheld 1-2/' lib/sim/machines/skylakex >"$tmp/held"
for what in '-e branches,branch-misses,cache-misses' '-M TopdownL2 --grouping=perf'; do
	# shellcheck disable=SC2086
	sim "$tmp/held" plan -a $what -j
	cp "$stdout" "$tmp/plan"
	# shellcheck disable=SC2086
	sim "$tmp/held" stat -a $what -x, $once
	expect_equal "events whose share is another" "$(foretold "$tmp/plan" "$stderr")" ""
done
sim "$tmp/held" plan -a -e '{branches,branch-misses,cache-misses}'
expect_match stdout '^group 1, cpu, is never counted: .* of which others hold 2$'
expect_match stdout '^cpu: 3 events in 1 group, never counted;'
run "$TMA" --machine "$tmp/held" stat -v -a --passes -e branches,branch-misses,cache-misses true
expect_match stderr '^tma: the command will run 2 times'

begin "so are groups that are taken apart: the TopDown metric events stay with slots, at the end"
for machine in skylakex sapphirerapids graniterapids; do
	sim $machine plan -a -M TopdownL3 --grouping=perf -j
	cp "$stdout" "$tmp/plan"
	sim $machine stat -a -M TopdownL3 --grouping=perf -x, -I8000 --interval-count 1
	expect_equal "events whose share is another" "$(foretold "$tmp/plan" "$stderr")" ""
done
sim graniterapids plan -a -M tma_l3_hit_latency --grouping=perf
expect_match stdout '^      topdown-retiring +87\.5 %'
expect_match stdout '^      CPU_CLK_UNHALTED.REF_TSC +75\.0 %'

begin "latencies that are sampled take turns of their own, as was foretold"
for metrics in tma_l3_hit_latency tma_l3_hit_latency,tma_code_l2_miss TopdownL4 TopdownL5; do
	sim graniterapids plan -a -M $metrics --record-tpebs -j
	expect_status 0
	cp "$stdout" "$tmp/plan"
	# shellcheck disable=SC2086
	sim graniterapids stat -a -M $metrics --record-tpebs -x, $once
	expect_equal "events whose share is another" "$(foretold "$tmp/plan" "$stderr")" ""
	expect_match "$tmp/plan" '"EventName": ".*:R"'
done
sim graniterapids plan -a -M tma_l3_hit_latency --record-tpebs
expect_match stdout '^      MEM_LOAD_RETIRED.L3_HIT:R +66\.7 %  counter [0-7]$'
expect_match stdout '^cpu: 15 events in 3 groups, which take turns; no fewer are possible$'
sim graniterapids plan -a -e MEM_LOAD_RETIRED.L3_HIT:R
expect_match stdout '^cpu: 1 event in 1 group, counted all the time; no fewer are possible$'

begin "a latency from the tables uses no counter"
sim graniterapids plan -a -M tma_l3_hit_latency
expect_match stdout '^      MEM_LOAD_RETIRED.L3_HIT:R +0\.0 %  $'
expect_match stdout '^cpu: 14 events in 2 groups, which take turns; no fewer are possible$'

begin "what does not fit is told without counting"
sim skylakex stat -e '{branch-misses,r1c4,r2c4,r3c4,r4c4}' --dry-run true
expect_status 0
expect_match stdout '^group 1, cpu, does not fit and will be refused: .* have only counters 0-3$'
sim skylakex stat -a -M TopdownL3 --grouping=perf --dry-run
expect_match stdout '^group [0-9]+, cpu, does not fit and is split: .* have only counters 0-3$'

begin "nothing is run and nothing is counted"
sim skylakex stat --dry-run -o "$tmp/out" touch "$tmp/ran"
expect_status 0
expect_equal "what the command left" "$(ls "$tmp/ran" 2>/dev/null)" ""
expect_equal "text on standard output" "$(cat "$stdout")" ""
expect_equal "lines of what it is all in all" "$(grep -c 'file descriptors for each thread$' "$tmp/out")" 1

begin "a way of grouping that does not exist"
run "$TMA" stat --grouping=some true
expect_status 129
expect_match stderr "--grouping: unknown value 'some'; use perf or counters$"

begin "modifiers and options keep their meaning"
sim sapphirerapids stat -a -M tma_info_thread_ipc,tma_info_thread_ipc:u --grouping=counters --dry-run
expect_match stdout '^cpu: 4 events in 2 groups'
sim sapphirerapids stat -a -M tma_info_thread_ipc --metric-no-group --grouping=counters --dry-run
expect_match stdout '^event 2, cpu$'

begin "residencies have their own TSC, and are what they are in perf's groups"
# shellcheck disable=SC2086
sim sapphirerapids stat -a -M C6_Core_Residency,C6_Pkg_Residency --grouping=perf -x, $once
awk -F, '$8 ~ /Residency/ { print $7, $8 }' "$stderr" | sort >"$tmp/perf"
# shellcheck disable=SC2086
sim sapphirerapids stat -a -M C6_Core_Residency,C6_Pkg_Residency --grouping=counters -x, $once
expect_equal "residencies" "$(awk -F, '$8 ~ /Residency/ { print $7, $8 }' "$stderr" | sort)" \
	"$(cat "$tmp/perf")"
expect_lines "$tmp/perf" 2
