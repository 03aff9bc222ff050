#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The scripts of Documentation/examples read what --format=csv-wide prints.
. "$(dirname "$0")/../cli/lib.sh"

examples=Documentation/examples
export TMA_SIM_STEP=10

# rows MACHINE ARG ...: leave rows in csv-wide in $tmp/rows.csv
rows()
{
	machine=$1
	shift
	run "$TMA" --machine "$machine" stat --format=csv-wide -o "$tmp/rows.csv" "$@"
	expect_status 0
}

# needs_pandas: set $python to a python3 that has pandas, which the first one in the path may not
# have
needs_pandas()
{
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import pandas' 2>/dev/null && return
	done
	skip "needs python3-pandas"
}

begin "gnuplot draws a line for each metric"
needs_command gnuplot
rows sapphirerapids -a --topdown -I 20 --interval-count 5
run gnuplot -c $examples/wide.gp "$tmp/rows.csv" "$tmp/picture.svg"
expect_status 0
expect_lines stderr 0
for name in retiring frontend_bound bad_speculation backend_bound; do
	expect_match "$tmp/picture.svg" "tma_$name"
done
expect_equal "lines" "$(grep -c 'gnuplot_plot_' "$tmp/picture.svg")" 4

begin "gnuplot draws the columns that are named"
needs_command gnuplot
rows alderlake -a --topdown -I 20 --interval-count 5
run gnuplot -c $examples/wide.gp "$tmp/rows.csv" "$tmp/picture.svg" "tma_retiring [cpu_core]" "tma_retiring [cpu_atom]"
expect_status 0
expect_lines stderr 0
expect_match "$tmp/picture.svg" 'tma_retiring \[cpu_atom\]'
run gnuplot -c $examples/wide.gp "$tmp/rows.csv"
expect_status 1
expect_match stderr '^usage: gnuplot -c wide.gp'

begin "pandas sums up each metric"
needs_pandas
rows sapphirerapids -a --topdown -I 20 --interval-count 5 --summary
run "$python" $examples/wide.py "$tmp/rows.csv"
expect_status 0
expect_lines stderr 0
python3 - "$tmp/rows.csv" "$stdout" <<'END' >"$tmp/said" 2>&1 || fail "the means are wrong" "$tmp/said"
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["row"] == "interval"]
lines = [line.split() for line in open(sys.argv[2])][1:]
assert len(lines) == 4 and len(rows) == 5, lines
for name, mean, least, greatest, at in lines:
    values = [float(row[name]) for row in rows]
    lengths = [float(row["length"]) for row in rows]
    wanted = sum(v * l for v, l in zip(values, lengths)) / sum(lengths)
    assert abs(float(mean) - wanted) < 1e-4 and abs(float(least) - min(values)) < 1e-4, (name, mean, wanted)
    assert abs(float(greatest) - max(values)) < 1e-4, (name, greatest)
END

begin "pandas has places and spans of time"
needs_pandas
rows skylakex -a --topdown --per-socket -I 20 --interval-count 5 --error
run "$python" $examples/wide.py "$tmp/rows.csv"
expect_status 0
expect_equal "places" "$(grep '=' "$stdout" | tr '\n' ' ')" "socket = 0 socket = 1 "
expect_no_match stdout 'error'
run "$python" $examples/wide.py "$tmp/rows.csv" 0.04
expect_status 0
expect_equal "spans" "$(grep -c '^ *0\.0[048]' "$stdout")" 6

begin "pandas leaves out what was not measured"
needs_pandas
rows alderlake --topdown -I 20 sleep 0.05
run "$python" $examples/wide.py "$tmp/rows.csv"
expect_status 0
expect_match stdout 'tma_retiring'
expect_no_match stdout 'nan'
