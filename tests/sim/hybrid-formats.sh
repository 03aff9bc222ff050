#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# On a machine with two types of cores, columns, keys and rows have different names, and each names
# its type: in every format and aggregation, for CPUs and for tasks. In 100 ms, the machine's task
# runs on both types.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP

command -v python3 >/dev/null || skip_all "python3 is not installed"

# reader_of FORMAT ARG ...: print the name of the format's reader
reader_of()
{
	case "$* " in
	*" --no-metric-only "*) echo "$1" ;;
	"text "*" --topdown "* | "csv "*" --topdown "* | "text "*" --metric-only "* | \
		"csv "*" --metric-only "*) echo "$1-metrics" ;;
	*) echo "$1" ;;
	esac
}

# print_in FORMATS ARG ...: print the rows in these formats, for a reader
print_in()
{
	formats=$1
	shift
	for format in $formats; do
		[ $test_state = ok ] || return 0
		nr=$((nr + 1))
		run "$TMA" --machine alderlake stat --format="$format" -o "$tmp/out.$nr" "$@"
		expect_status 0
		outputs="$outputs $(reader_of "$format" "$@") $tmp/out.$nr"
	done
}

all_formats()
{
	print_in "text csv json-perf csv-wide json prom" "$@"
}

start()
{
	begin "$1"
	outputs= nr=0
}

read_them()
{
	[ $test_state = ok ] || return 0
	# shellcheck disable=SC2086 # several words
	python3 -B tests/formats/unique.py $outputs 2>"$tmp/wrong" ||
		fail "a reader is misled" "$tmp/wrong"
}

for row in "" -A --per-socket --per-die --per-cluster --per-cache --per-core --per-node; do
	start "rows of $row"
	# shellcheck disable=SC2086 # an empty word is left out
	{
		print_in "text csv json-perf json" -a $row -e cycles,instructions -I 500 --interval-count 2
		all_formats -a $row -M TopdownL1 true
		print_in "text csv json-perf csv-wide" -C 0-1,17 $row --topdown true
	}
	read_them
done

start "every metric there is"
print_in "csv json-perf csv-wide json" -a -M all --metric-only true
# perf's formats have no name for the second event of a kind, so each event is given once there.
print_in "text csv json-perf" -a -M all --grouping=perf true
print_in "csv-wide json prom" -a -M all true
read_them

start "tasks"
all_formats true
all_formats --topdown true
print_in "text csv json-perf" --topdown --no-metric-only -I 50 --interval-count 2 true
print_in "text csv json-perf" -r 2 -M TopdownL2 --grouping=perf true
print_in "csv-wide json" -r 2 -M TopdownL2 true
all_formats --per-thread -p $$ --topdown -I 100 --interval-count 1
all_formats --per-thread -p $$ -M TopdownL1 -I 100 --interval-count 1
read_them

start "cgroups, one type alone, and merged"
all_formats -a --topdown --for-each-cgroup / true
print_in "text csv json-perf" -a -M TopdownL2 --cputype atom --grouping=perf true
print_in "json" -a -M TopdownL2 --cputype atom true
all_formats --hybrid-merge -e cycles,instructions true
read_them

start "what was recorded"
run "$TMA" --machine alderlake stat record -o "$tmp/data" -M TopdownL1 true
expect_status 0
for format in text csv json-perf csv-wide json prom; do
	run "$TMA" stat report -i "$tmp/data" --format="$format" -o "$tmp/out.$format"
	expect_status 0
	outputs="$outputs $format $tmp/out.$format"
done
read_them

begin "the reader does find what is there twice"
printf 'a,a,\n1,2,\n' >"$tmp/twice"
run python3 -B tests/formats/unique.py csv-metrics "$tmp/twice"
expect_status 1
printf '{"%%  tma_retiring" : "1", "%%  tma_retiring" : "2"}\n' >"$tmp/twice"
run python3 -B tests/formats/unique.py json-perf "$tmp/twice"
expect_status 1
