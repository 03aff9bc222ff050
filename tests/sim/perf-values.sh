#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The same command under perf 6.12 and under tma, on the same simulated machine with fixed
# stepping: the same bytes. For --topdown, whose columns tma orders and marks in its own way, the
# same value for each metric of each row.
. "$(dirname "$0")/../cli/lib.sh"

[ -x "${PERF-}" ] || skip_all "needs PERF (the path of a perf 6.12)"

if "$TMA" --machine skylakex list --names metric tma_bottleneck_mispredictions >/dev/null 2>&1; then
	skip_all "needs a build with TABLES=kernel: perf 6.12 has older formulas"
fi

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
step=10

# tma quotes a CSV field that contains the separator, such as "cpu/EVENT,cmask=1/"; perf does not.
unquote()
{
	sed '/^{/!s/"//g'
}

# both MACHINE ARG ...: leave $tmp/perf.out and $tmp/tma.out, without the line of the date
both()
{
	[ $test_state = ok ] || return 0
	machine=$1
	shift
	command_shown="tma --machine $machine stat $*"
	LD_PRELOAD=$sim_library TMA_MACHINE=$machine TMA_SIM_STEP=$step \
		"$PERF" stat -o "$tmp/perf.raw" "$@" >"$stdout" 2>"$stderr" </dev/null ||
		fail "perf failed"
	TMA_SIM_STEP=$step "$TMA" --machine "$machine" stat --grouping=perf -o "$tmp/tma.raw" "$@" \
		>"$stdout" 2>"$stderr" </dev/null || fail "tma failed"
	for program in perf tma; do
		grep -v '^# started on' "$tmp/$program.raw" | sed 's/^# cpuid: .*//' | without_reasons | unquote >"$tmp/$program.out"
	done
}

expect_same_bytes()
{
	[ $test_state = ok ] || return 0
	[ "$(grep -c '[0-9]' "$tmp/perf.out")" -gt 0 ] || fail "perf printed no number"
	diff -u --label perf --label tma "$tmp/perf.out" "$tmp/tma.out" >"$tmp/diff" ||
		fail "differs from perf" "$tmp/diff"
}

# If an event never ran, perf computes metrics as if its count were 0, and tma prints that there is
# no value. Where tma has no value, and only there, remove the values of both; the argument is the
# largest number of such places.
without_unmeasured()
{
	[ $test_state = ok ] || return 0
	grep -q '<not counted>' "$tmp/tma.out" || return 0
	awk -v out="$tmp" '
	function blank(line)
	{
		sub(/# +(nan|-?[0-9.]+) +%/, "# - %", line)
		sub(/"metric-value" : "[^"]*"/, "-", line)
		sub(/,(-?[0-9.]+)?,%  /, ",-,%  ", line)
		return line
	}
	FNR == NR { perf[FNR] = $0; next }
	$0 != perf[FNR] && (/# +nan/ || /"metric-value" : "nan"/ || /,,%  /) {
		$0 = blank($0)
		perf[FNR] = blank(perf[FNR])
	}
	{ print > (out "/tma.blank"); print perf[FNR] > (out "/perf.blank") }
	' "$tmp/perf.out" "$tmp/tma.out"
	mv "$tmp/tma.blank" "$tmp/tma.out"
	mv "$tmp/perf.blank" "$tmp/perf.out"
}

# perf counts cpu_atom before cpu_core, and prints a row for each CPU on which an event cannot
# count.
without_hybrid_order()
{
	[ $test_state = ok ] || return 0
	for program in perf tma; do
		grep -v -E '(CPU|"cpu" : )"?[0-9].*<not counted>' "$tmp/$program.out" |
			sort >"$tmp/$program.sorted"
		mv "$tmp/$program.sorted" "$tmp/$program.out"
	done
}

# columns FILE: print "row metric value" from the text of --metric-only, sorted. If core types have
# their own rows, values of the other types' columns are blank, and each value ends below its
# heading. perf does not align values, but has no blank ones here.
columns()
{
	awk '
	/tma_/ {
		by_place = / pmu /
		names = at = 0
		line = $0
		while (match(line, /tma_[a-z0-9_]+/)) {
			name[++names] = substr(line, RSTART, RLENGTH)
			at += RSTART + RLENGTH - 1
			end[names] = at
			line = substr(line, RSTART + RLENGTH)
		}
		end[0] = index($0, "%") - 2
		next
	}
	NF {
		for (i = 1; i <= names; i++) {
			value = by_place ? substr($0, end[i - 1] + 1, end[i] - end[i - 1]) : $(i + 1)
			gsub(/ /, "", value)
			if (value != "" && value !~ /cpu_/)
				print $1, name[i], value
		}
	}
	' "$1" | sort
}

# csv_columns FILE: like columns, from the output of -x,
csv_columns()
{
	awk -F, '
	/tma_/ {
		gsub(/ *\(cpu_[a-z]*\)|cpu_(core|atom)[ \/]/, "")
		gsub(/%  /, "")
		names = split($0, name)
		next
	}
	NF { for (i = 2; i <= NF; i++) print $1, name[i], $i }
	' "$1" | sort
}

# json_columns FILE: like columns, from the output of -j
json_columns()
{
	sed -e 's/ *(cpu_[a-z]*)//g' -e 's/^{//' -e 's/}$//' "$1" | awk -F', ' '
	{ for (i = 2; i <= NF; i++) print $1, $i }' | sort
}

expect_same_columns()
{
	[ $test_state = ok ] || return 0
	"$1" "$tmp/perf.out" >"$tmp/perf.columns"
	"$1" "$tmp/tma.out" >"$tmp/tma.columns"
	[ "$(grep -c '[0-9]' "$tmp/perf.columns")" -ge 4 ] || fail "perf printed too few values"
	diff -u --label perf --label tma "$tmp/perf.columns" "$tmp/tma.columns" >"$tmp/diff" ||
		fail "values differ from perf's" "$tmp/diff"
}

# Compare text, -x and -j for some arguments; hybrid: rows may be in any order.
same_in_all_formats()
{
	machine=$1
	shift
	for format in "" "-x," "-j"; do
		begin "$machine: perf prints the same for stat $format $*"
		# shellcheck disable=SC2086 # an empty word is left out
		both "$machine" $format "$@"
		without_unmeasured
		[ "$machine" != alderlake ] || without_hybrid_order
		expect_same_bytes
	done
}

same_topdown()
{
	machine=$1
	shift
	for format in "" "-x," "-j"; do
		begin "$machine: perf has the same values for stat $format $*"
		# shellcheck disable=SC2086
		both "$machine" $format "$@"
		case $format in
		"") expect_same_columns columns ;;
		-x,) expect_same_columns csv_columns ;;
		-j) expect_same_columns json_columns ;;
		esac
	done
}

for machine in skylakex sapphirerapids alderlake; do
	same_topdown $machine -a --topdown -I500 --interval-count 4
	same_topdown $machine -a --topdown --td-level 2 -I500 --interval-count 4
	for metrics in TopdownL1 TopdownL2 TopdownL3 tma_dram_bound; do
		same_in_all_formats $machine -a -M $metrics -I500 --interval-count 4
	done
	same_in_all_formats $machine -M TopdownL1 true
	same_in_all_formats $machine -a -A -M TopdownL1 -I500 --interval-count 2
	same_in_all_formats $machine -a -e cycles,instructions,branches,branch-misses \
		-I500 --interval-count 2
	same_in_all_formats $machine -e '{cycles,instructions}:u,cache-misses' true
	same_in_all_formats $machine -a -A -e cycles,instructions -I500 --interval-count 2
done
