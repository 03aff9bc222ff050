#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counts and samples functions with tma why and a kernel's core PMU: /bin/places is in f0 to f3 in
# turn (tests/vm/kernel.sh). The tree is made of cycles and instructions, whose true rates in each
# function are in /rates.
. tests/cli/lib.sh

# Samples are up to a period late, as in functions.sh.
echo -3 >/sys/module/tma_pmu/parameters/phases
export TMA_PLACES=/dev/tma-places PERF_CPUID=GenuineIntel-6-FE-1
tables=$tmp/tables/arch/x86
mkdir -p "$tables/made"
printf '%s\n' 'Family-model,Version,Filename,EventType' 'GenuineIntel-6-FE,v1,made,core' >"$tables/mapfile.csv"
cat >"$tables/made/made-metrics.json" <<'END'
[
 {"MetricName": "tma_retiring", "MetricExpr": "instructions / (4 * cycles)", "MetricGroup": "TopdownL1;tma_L1_group",
  "ScaleUnit": "100%", "MetricThreshold": "tma_retiring > 0.95"},
 {"MetricName": "tma_backend_bound", "MetricExpr": "0.8 - instructions / (4 * cycles)", "MetricGroup": "TopdownL1;tma_L1_group",
  "ScaleUnit": "100%", "MetricThreshold": "tma_backend_bound > 0.2"},
 {"MetricName": "tma_frontend_bound", "MetricExpr": "cycles / (5 * cycles)", "MetricGroup": "TopdownL1;tma_L1_group",
  "ScaleUnit": "100%", "MetricThreshold": "tma_frontend_bound > 0.3"},
 {"MetricName": "tma_bad_speculation", "MetricExpr": "0 * cycles / cycles", "MetricGroup": "TopdownL1;tma_L1_group",
  "ScaleUnit": "100%", "MetricThreshold": "tma_bad_speculation > 0.15"}
]
END

# expect_functions: each of four functions has about a fourth of the cycles, and its own shares of
# slots, if bursts were short enough for samples to be assigned to it
expect_functions()
{
	[ $test_state = ok ] || return 0
	sed 's/{"function":/\n&/g' "$stdout" | awk -F'"' '
		FILENAME == "/rates" { split($0, f, " "); rate[f[1]] = f[3] / f[2]; next }
		/^[{]"function":"f[0-3]"/ {
			share = value = $0
			sub(/.*"share":/, "", share)
			near = $0 ~ /"near":true/
			sub(/.*"name":"tma_retiring","value":/, "", value)
			error = value
			sub(/.*"error":/, "", error)
			true = 25 * rate[$4]
			off = value - true; off = off < 0 ? -off : off
			printf "# %s: share %.1f, near %d, retiring %.2f +- %.2f, truth %.2f\n", $4, share, near, near ? 0 : value,
				near ? 0 : error, true
			bad += share < 15 || share > 35 || (!near && off > 2 * error && off > 0.05 * true)
			nr++
		}
		END { exit bad || nr != 4 }' /rates - >"$tmp/shares" || fail "these are not the functions: $(cat "$tmp/shares")"
	cat "$tmp/shares"
}

begin "functions of a command"
run "$TMA" why --tables "$tmp/tables" -j places work 3000 100000
expect_status 0
expect_functions

echo 0 >/sys/module/tma_pmu/parameters/phases

begin "functions of a process that runs, and of the machine"
places work 120000 100000 >/dev/null &
working=$!
for target in "-p $working" -a; do
	# shellcheck disable=SC2086 # options are words
	run "$TMA" why --tables "$tmp/tables" -j $target
	expect_status 0
	expect_match stdout '"function":"f[0-3]","object":"[^"]*places","share":'
done
kill $working
close_test
