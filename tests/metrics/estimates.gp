# SPDX-License-Identifier: GPL-2.0-only
# Draws what estimates.py -o has written: how far off metrics are by each method, as bars.
#
#     make check-estimates
#     gnuplot -c tests/metrics/estimates.gp build/tests/estimates errors.svg [mean|99|worst]
#
# A cluster is a machine, a level of TopDown and the length of rows in ms ("run": a whole run of 3 s).

if (ARGC < 2) {
	print "usage: gnuplot -c estimates.gp FIGURES PICTURE.svg [mean|99|worst]"
	exit status 1
}
which = ARGC > 2 ? ARG3 : "mean"
named = which eq "99" ? "99th percentile" : which eq "worst" ? "mean of the worst 1 %" : "mean"
methods = system(sprintf("sed -n '1s/ /\\n/gp' '%s' | sed -n 's/_%s$//p'", ARG1, which))
if (words(methods) == 0) {
	print sprintf("%s has no column that ends in _%s", ARG1, which)
	exit status 1
}

set datafile columnheaders
set terminal svg size 1200, 600 dynamic background "white"
set output ARG2
set style data histograms
set style histogram clustered gap 2
set style fill solid 0.8 noborder
set logscale y
set yrange [0.001:*]
set grid ytics
set xtics nomirror out
set border 3
set bmargin 11
set ytics nomirror
set ylabel sprintf("error in points, %s", named)
set xtics rotate by 90 right noenhanced
set key outside top center horizontal noenhanced
plot for [i = 1:words(methods)] ARG1 using (column(word(methods, i)."_".which)): \
	xtic(strcol("machine")." L".strcol("level")." ".strcol("row")) title word(methods, i)
