#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --error: how often the truth is within it, and where it stands in each format. More of the former:
#
#	tests/metrics/coverage.py -v -A -p 500,150,50,15 build/tma lib/sim/machines/skylakex \
#		--topdown --td-level 2 --no-metric-only
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP

estimate=time
# covered MACHINE LEVEL ARGUMENT ...: run coverage.py with these arguments
covered()
{
	machine=$1 level=$2
	shift 2
	begin "the truth is within the error in 85 to 95 % of rows: $machine, level $level, $*, --estimate=$estimate"
	command -v python3 >/dev/null || skip "needs python3"
	run tests/metrics/coverage.py "$@" "$TMA" "lib/sim/machines/$machine" --topdown \
		--td-level "$level" --no-metric-only --grouping=counters "--estimate=$estimate"
	expect_status 0
	expect_match stdout '^[1-9][0-9]{3,} rows, .* 0 without one$'
	sed 's/^/# /' "$stdout"
	expect_between "covered, in percent" "$(sed 's/.* rows, //; s/\..*//' "$stdout")" 85 94
}

# Phases that are longer and shorter than a rotation; rows with few turns; shares in 8 bits; sums
# over CPUs that change at the same time, and over CPUs that have nothing in common.
covered skylakex 2 -A -p 500,150,50,15 -n 10
covered icelakex 3 -A -p 500,100,30 -n 3 -i 250
covered sapphirerapids 4 -A -p 500,100,30 -n 4 -i 250
covered icelakex 2 -p 500,100,30 -n 25 -i 500 -S 0
covered icelakex 2 -p 500,100,30 -n 25 -i 500 -S 1009

# Errors of metrics are errors of the estimates; errors of events are errors of what is printed.
estimate=joint
covered skylakex 2 -A -p 500,150,50,15 -n 10
covered skylakex 3 -A -m -p 100,30 -n 3 -i 2000

# A single event, and more events than there are counters.
few="-e cycles:u"
many="-e cycles,instructions,branches,branch-misses,cache-references,cache-misses,r0151,r0251,r0451,r0851"
row="-I1000 --interval-count 1"

begin "what is counted all the time is exact"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $few $row
expect_status 0
expect_no_match stderr '\+-'
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $few $row --format=json
expect_match stdout '"name":"cycles:u".*"error":0,'

begin "text has it behind the count and behind the metric"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many $row
expect_status 0
expect_match stderr '^ +1\.000000000 +[0-9]+ \+- [1-9][0-9]* +instructions .* # +[0-9.]+ +\+- 0\.[0-9]+ +insn per cycle'

begin "CSV has two fields more, which the header names"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many $row -x, --header
expect_status 0
expect_match stderr 'metric-value,metric-unit,error,metric-error$'
expect_match stderr ',instructions,[0-9]+,[0-9.]+,[0-9.]+,insn per cycle,[0-9.e+]+,0\.[0-9]+$'
expect_equal "numbers of fields" \
	"$(grep -v '^tma:' "$stderr" | awk -F, '{ print NF }' | sort -u | wc -l)" 1

begin "JSON has two keys more"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many $row -j
expect_match stderr '"event" : "instructions".* "error" : [0-9.e+]+, "metric-error" : 0\.[0-9]+(, "reason" : "[^"]+")?\}$'

begin "so have the formats of tma's own"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many $row --format=csv-wide
expect_match stdout ',instructions,instructions error,insn_per_cycle,insn_per_cycle error,'
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many --timeout 1000 --format=prom
expect_match stdout '^tma_event_error\{event="instructions",pmu="cpu".*\} [1-9]'
expect_match stdout '^tma_metric_error\{name="insn_per_cycle".*\} 0\.[0-9]+$'

begin "--metric-only has it beside each metric, and in machine formats at the end"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error --topdown --td-level 2 $row
expect_match stderr ' [0-9.]+ \+- [0-9.]+ +[0-9.]+ \+- '
# shellcheck disable=SC2086
sim skylakex stat -C0 --error --topdown --td-level 2 $row -x,
expect_match stderr ',%  tma_heavy_operations error,'

begin "few turns tell nothing of it" # R28
sim skylakex stat -C0 --error --topdown --td-level 3 -I100 --interval-count 1 --no-metric-only
expect_match stderr ' \+- \? '
sim skylakex stat -C0 --error --topdown --td-level 3 -I100 --interval-count 1 --no-metric-only \
	--format=json
expect_match stdout '"error":null,.*"status":"scaled"'

begin "a run and its summary have it, too"
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many --timeout 3000
expect_match stderr ' \+- [1-9][0-9]* +instructions '
# shellcheck disable=SC2086
sim skylakex stat -C0 --error $many -I 500 --interval-count 4 --summary
expect_match stderr '^ +[0-9]+ \+- [1-9][0-9]* +instructions '

begin "reads in between change no count"
# shellcheck disable=SC2086
sim skylakex stat -a $many -I500 --interval-count 3 -x,
grep -v '^tma:' "$stderr" >"$tmp/without"
# shellcheck disable=SC2086
sim skylakex stat -a --error $many -I500 --interval-count 3 -x,
grep -v '^tma:' "$stderr" | sed 's/,[^,]*,[^,]*$//' >"$tmp/with"
run cmp "$tmp/without" "$tmp/with"
expect_status 0

begin "a metric over its threshold by less than its error is not called over it"
# verdicts METRIC: print for each row VALUE VERDICT without --error, and VALUE VERDICT ERROR with it
verdicts()
{
	for error in "" --error; do
		# shellcheck disable=SC2086
		sim skylakex stat -C0 $error --topdown --td-level 2 --grouping=perf --no-metric-only -I 300 \
			--interval-count 40 --format=json
		expect_status 0
		grep "\"name\":\"$1\"" "$stdout" | tr -d '}"' | tr , '\n' | awk -F: '
			$1 == "value" { value = $2; error = "" }
			$1 == "error" { error = $2 }
			$1 == "threshold_passed" { print value, $2, error }' >"$tmp/with$error"
	done
	paste -d' ' "$tmp/with" "$tmp/with--error" | tr -s ' '
}
verdicts tma_branch_mispredicts >"$tmp/both" # of which the threshold is 10 %
expect_equal "verdicts of what is over by less" \
	"$(awk '$2 == "true" && $3 - $5 <= 10 { print $4 }' "$tmp/both" | sort -u)" "null"
verdicts tma_memory_bound >"$tmp/both" # 20 %
expect_equal "verdicts of what is over by more" \
	"$(awk '$2 == "true" && $3 - $5 > 20 { print $4 }' "$tmp/both" | sort -u)" "true"

begin "it goes with one run, of estimates, that is counted now"
run "$TMA" stat --error -r 3 true
expect_status 129
expect_match stderr '\-r and --error'
run "$TMA" stat --error --no-scale true
expect_match stderr '\-\-no-scale and --error'
run "$TMA" stat report --error
expect_match stderr 'a recording does not have'
