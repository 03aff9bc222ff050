#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks rows of functions, whose events a real kernel samples, against the rates in /rates, whose
# lines are a place and its rates of cycles and instructions a ns.
. tests/cli/lib.sh

# The PMU sets its timer by the rate at the beginning of a period, so samples are up to a period
# late. This is about 2 ms, and short compared with a stay.
echo -3 >/sys/module/tma_pmu/parameters/phases
for stay in 20000 100000; do
	begin "functions have instructions per cycle of their own: stays of $stay us"
	run env TMA_PLACES=/dev/tma-places "$TMA" stat --per-function -F 499 --format=csv-wide --error -M ipc -o "$tmp/rows" \
		places work 6000 $stay
	expect_status 0
	# On an emulated CPU, the kernel's timers may be too slow for bursts of samples: such rows
	# are "near", and have no value.
	awk -F, -v stay=$stay '
		FILENAME == "/rates" { split($0, f, " "); rate[f[1]] = f[3] / f[2]; next }
		FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ name = $column["function"] }
		name in rate {
			value = $column["ipc"]; error = $column["ipc error"]; near = $column["near"]
			off = value - rate[name]; off = off < 0 ? -off : off
			printf "# %s us %s: %s %% of the time, near %s, ipc %s +- %s, truth %.4f\n", stay, name,
				$column["share"], near, value, error, rate[name]
			if (value == "" ? near == "" : off > 2 * error && off > 0.05 * rate[name])
				bad = 1
			rows++
		}
		END { exit bad || rows != 4 }' /rates "$tmp/rows" >"$tmp/table" ||
		fail "not all of the four functions have their values: $(cat "$tmp/table" "$tmp/rows")"
	cat "$tmp/table"
done
echo 0 >/sys/module/tma_pmu/parameters/phases
close_test
