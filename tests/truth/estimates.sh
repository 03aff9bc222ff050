#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --estimate: how far off metrics are by each, and what it leaves as it is. More of the former: make check-estimates
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP

begin "metrics of events that take turns are nearer to the truth"
command -v python3 >/dev/null || skip "needs python3"
run tests/metrics/estimates.py -e time,joint -m skylakex,sapphirerapids -l 3 -p 40,300 -r 100,1000 \
	-n 6 -o "$tmp/figures" "$TMA" lib/sim/machines
expect_status 0
sed 's/^/# /' "$stdout"
expect_equal "lines" "$(wc -l <"$tmp/figures")" 5
if command -v gnuplot >/dev/null; then
	run gnuplot -c tests/metrics/estimates.gp "$tmp/figures" "$tmp/figures.svg" worst
	expect_status 0
	expect_match "$tmp/figures.svg" '>joint<'
fi
# The columns are the mean, the 99th percentile and the worst 1 %, each for time and for joint.
expect_equal "where joint is not much better" \
	"$(awk 'NR > 1 && !($5 < 0.67 * $4 && $7 < 0.67 * $6 && $9 < 0.67 * $8)' "$tmp/figures")" ""

deep="--topdown --td-level 3 --no-metric-only -I 500 --interval-count 4 --format=json"

begin "counts stay scaled by time"
for method in time joint; do
	# shellcheck disable=SC2086
	sim skylakex stat -a $deep --error --estimate=$method
	expect_status 0
	grep '"type":"event"' "$stdout" | sed 's/"error":[^,]*,//' >"$tmp/$method"
	grep '"type":"metric"' "$stdout" >"$tmp/metrics-$method"
done
run cmp "$tmp/time" "$tmp/joint"
expect_status 0
expect_equal "metrics that differ" "$(cmp -s "$tmp/metrics-time" "$tmp/metrics-joint" || echo some)" some

begin "joint is the default, but of perf's name and groups, and where an option leaves nothing to estimate"
run_as() { # METHOD ARG...: how metrics are estimated with ARG...
	method=$1
	shift
	# shellcheck disable=SC2086
	sim skylakex stat -a $deep "$@"
	expect_status 0
	got=$(grep '"type":"metric"' "$stdout" | grep -o '"estimate":"[a-z]*"' | sort -u)
	expect_equal "with $*" "${got:-time}" "$method"
}
run_as '"estimate":"joint"'
run_as '"estimate":"joint"' --grouping=counters
run_as time --estimate=time
run_as time --grouping=perf
run_as time --schedule=rotate
run_as time --no-scale
for target in -a "sleep 5"; do
	# shellcheck disable=SC2086
	sim alderlake stat --topdown --td-level 3 --no-metric-only --format=json --timeout 1000 $target
	expect_equal "on a hybrid machine, of $target" \
		"$(grep -o '"estimate":"[a-z]*"' "$stdout" | sort -u)" \
		"$([ "$target" != -a ] || echo '"estimate":"joint"')"
done
run env -u TMA_TABLES "$TMA" --machine skylakex stat record -o "$tmp/deep.tma" -a --topdown --td-level 3 -I 500 --interval-count 2
expect_status 0
run "$TMA" stat report -i "$tmp/deep.tma" --format=json
expect_status 0
expect_equal "of a recording" "$(grep -c '"estimate"' "$stdout")" 0

begin "-v says how metrics were estimated, where any was"
sim skylakex stat -v -a --topdown --td-level 3 --timeout 1000
expect_status 0
expect_match stderr 'metrics of multiplexed events: scaled: --estimate=joint'
sim skylakex stat -v -a -M tma_info_thread_ipc --timeout 1000
expect_status 0
expect_no_match stderr 'estimate=joint'

begin "json says how metrics were estimated"
expect_equal "of time" "$(grep -c '"estimate"' "$tmp/metrics-time")" 0
expect_equal "scaled without" "$(grep '"status":"scaled"' "$tmp/metrics-joint" | grep -vc '"estimate":"joint"')" 0

begin "what was counted all the time is as it was"
for method in time joint; do
	sim icelakex stat -a --topdown --td-level 1 -I 500 --interval-count 3 --estimate=$method
	grep -v '^tma:' "$stderr" >"$tmp/$method"
done
run cmp "$tmp/time" "$tmp/joint"
expect_status 0

begin "one run gives one value, in all formats"
command -v python3 >/dev/null || skip "needs python3"
levels=TopdownL1,TopdownL2,TopdownL3
for machine in skylakex icelakex sapphirerapids; do
	for format in json csv-wide prom html trace; do
		run "$TMA" --machine $machine stat -a -M $levels --error --timeout 1000 --format=$format -o "$tmp/$format"
		expect_status 0
	done
	expect_match "$tmp/csv-wide" ',coverage_percent,estimate,'
	expect_match "$tmp/csv-wide" ',joint,'
	run python3 -B tests/formats/check.py all Documentation/tma-json.schema.json "$tmp/json" "$tmp/csv-wide" "$tmp/prom"
	expect_status 0
	run python3 -B tests/formats/check.py slots "$tmp/json" "$tmp/prom" 2
	expect_status 0
	run python3 -B tests/formats/page.py values "$tmp/html" "$tmp/json"
	expect_status 0
	expect_equal "values of the trace" \
		"$(sed -n 's/.*"name":"\(tma_[^" ]*\)".*"ph":"C".*"args":{"%":\([0-9.]*\)}.*/\1 \2/p' "$tmp/trace" | sort)" \
		"$(sed -n 's/.*"type":"metric".*"name":"\(tma_[^"]*\)".*"value":\([0-9.]*\),.*"unit":"%".*/\1 \2/p' "$tmp/json" | sort)"
done

begin "what cannot be is said: children of more than their parent, beyond the errors"
mkdir "$tmp/machines"
cp lib/sim/machines/* "$tmp/machines"
sed -i 's/^rate event=0x9c,umask=0x01,cmask=5 0.62/rate event=0x9c,umask=0x01,cmask=5 2/' "$tmp/machines/sunnycove.part"
said='the children of tma_frontend_bound add up to 3[0-9]\.[0-9] %, not to 1[0-9]\.[0-9] % \(errors: 0\.[0-9]\)'
sim "$tmp/machines/icelakex" stat -a --topdown --td-level 2 --verdict --timeout 4000
expect_status 0
expect_match stderr "^          impossible: $said\$"
sim "$tmp/machines/icelakex" stat -a --topdown --td-level 2 --verdict --timeout 4000 --format=json
expect_match stdout "\"type\":\"verdict\".*\"contradictions\":\[\"$said\"\]"
sim "$tmp/machines/icelakex" stat -v -a -M TopdownL1,TopdownL2 --error --timeout 4000
expect_match stderr "^ impossible: $said\$"
sim "$tmp/machines/icelakex" stat -a -M TopdownL1,TopdownL2 --error --timeout 4000 --format=json
expect_match stdout "\"name\":\"tma_frontend_bound\".*\"contradiction\":\"$said\""
# The error of this value is unknown.
sim "$tmp/machines/icelakex" stat -v -a -M TopdownL1,TopdownL2 --timeout 4000
expect_status 0
expect_no_match stderr 'impossible'

begin "and not where rates change while groups take turns"
for machine in skylakex icelakex sapphirerapids alderlake zen4; do
	for ms in 300 2000; do
		sim $machine stat -a --topdown --td-level 2 --verdict --timeout $ms --format=json
		expect_match stdout '"type":"verdict"'
		expect_no_match stdout '"contradictions":'
	done
done

begin "unknown methods, and runs without such turns, are refused"
for method in best reference; do
	run "$TMA" stat --estimate=$method true
	expect_status 129
	expect_match stderr "--estimate: unknown value '$method'; use time or joint"
done
run "$TMA" stat --estimate=joint -r 2 true
expect_status 129
expect_match stderr 'not with -r'
