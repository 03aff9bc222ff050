# SPDX-License-Identifier: GPL-2.0-only
# Draws metrics over time, from rows of --format=csv-wide:
#
#     tma stat -a --topdown -I1000 --format=csv-wide -o rows.csv
#     gnuplot -c wide.gp rows.csv rows.svg
#     gnuplot -c wide.gp rows.csv rows.svg "tma_retiring [cpu_core]" "tma_retiring [cpu_atom]"
#
# Behind the two files stand headings of columns; without them level 1 of TopDown is drawn. A value is a
# line from the start of its row, its time less its length, to its end. What was not measured is an
# empty field, and a gap.

if (ARGC < 2) {
	print "usage: gnuplot -c wide.gp ROWS.csv PICTURE.svg [HEADING ...]"
	exit status 1
}
array default[4] = ["tma_retiring", "tma_frontend_bound", "tma_bad_speculation", \
		    "tma_backend_bound"]
nr = ARGC > 2 ? ARGC - 2 : |default|
heading(i) = ARGC > 2 ? ARGV[i + 2] : default[i]

set datafile separator comma
set datafile columnheaders
set terminal svg size 1000, 400 dynamic background "white"
set output ARG2
set xlabel "seconds since the start"
set yrange [0:*]
set key outside right top noenhanced
set xrange [0:*]
plot for [i = 1:nr] ARG1 \
	using (column("time") - column("length")):(column(heading(i))):(column("length")):(0) \
	with vectors nohead linewidth 2 title heading(i)
