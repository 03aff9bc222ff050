#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The formats of tma's own on simulated machines, in every kind of row: read as their readers do,
# and compared with each other. A fixed step makes two runs the same.
. "$(dirname "$0")/../cli/lib.sh"

check=tests/formats/check.py
schema=Documentation/tma-json.schema.json
export TMA_SIM_STEP=10

command -v python3 >/dev/null || skip_all "python3 is not installed"


# read_by CHECK FILE ...: check.py can read the files by this check
read_by()
{
	[ $test_state = ok ] || return 0
	python3 -B "$check" "$@" 2>"$tmp/wrong" || fail "$1 cannot be read" "$tmp/wrong"
}

# all_formats MACHINE ARG ...: check the rows in each format
all_formats()
{
	machine=$1
	shift
	formats="json csv-wide prom"
	case " $* " in
	*" -r "* | *" --summary "*) formats="json csv-wide" ;;
	esac
	begin "$machine: $formats of stat $*"
	# A command exists too briefly in real time.
	case " $* " in
	*" --timeout 200 true ") lasting 5000 ;;
	*" -A "*" -r 3 true ") lasting 100 ;;
	esac
	for format in $formats; do
		run "$TMA" --machine "$machine" stat --format="$format" -o "$tmp/$format" "$@"
		expect_status 0
	done
	case $formats in
	*prom) read_by all "$schema" "$tmp/json" "$tmp/csv-wide" "$tmp/prom" ;;
	*) read_by all "$schema" "$tmp/json" "$tmp/csv-wide" ;;
	esac
}

for rows in "" -A --per-socket --per-die --per-cluster --per-cache --per-core --per-node; do
	# shellcheck disable=SC2086 # an empty word is left out
	{
		all_formats alderlake -a $rows -e cycles,instructions,task-clock -M TopdownL1 \
			-I500 --interval-count 2
		all_formats skylakex -a $rows --metric-only -M TopdownL2 -I500 --interval-count 2
		all_formats graniterapids -a $rows -e MEM_LOAD_RETIRED.L3_HIT:R,cycles \
			-M tma_l3_hit_latency -I500 --interval-count 2
		all_formats sapphirerapids -a $rows -e uncore_imc/cas_count_read/,power/energy-pkg/ \
			--timeout 500
	}
done
all_formats skylakex -a -M TopdownL3 -I500 --interval-count 3
all_formats skylakex -a --no-scale -M TopdownL3 --timeout 500
all_formats sapphirerapids -a --topdown --td-level 2 -I500 --interval-count 2 --summary
all_formats sapphirerapids -a -M all --timeout 500
all_formats graniterapids -a -M TopdownL4 -I500 --interval-count 2
all_formats graniterapids -a -M tma_l3_hit_latency --record-tpebs -r 2 --timeout 200 true
all_formats alderlake -a --topdown -I500 --interval-count 2
all_formats alderlake true
all_formats skylakex -e '{cycles,instructions}:u,cache-misses' -r 3 true
all_formats skylakex -a -A -e cycles,instructions -r 3 true
all_formats zen4 -a -M PipelineL1 -I500 --interval-count 2
all_formats alderlake -a -e cycles,cycles,instructions -G / --timeout 500
all_formats alderlake -a -e cycles,cycles,instructions --for-each-cgroup / --timeout 500

begin "every metric of a machine, in each interval, has a state"
run "$TMA" --machine skylakex stat -a -M TopdownL3 --grouping=perf --timeout 100 --format=json -o "$tmp/json"
expect_match "$tmp/json" '"type":"metric".*"value":null.*"status":"not counted","reason":".+: (no counter was free for it|it was not scheduled)'
expect_match "$tmp/json" '"type":"metric".*"status":"scaled","reason":"an estimate'
expect_no_match "$tmp/json" 'nan|inf[^o]'

begin "a counter of Prometheus is the count of the whole run"
run "$TMA" --machine sapphirerapids stat -a -e instructions --timeout 1000 -x,
want=$(sed -n 's/,.*//p' "$stderr" | tail -n 1)
run "$TMA" --machine sapphirerapids stat -a -e instructions -I100 --interval-count 10 \
	--format=prom -o "$tmp/tma.prom"
got=$(sed -n 's/^tma_event_count_total{.*} //p' "$tmp/tma.prom")
expect_between "the total" "$got" "$((want - 10))" "$((want + 10))"

begin "the examples of tma-formats(5) are what is printed"
read_by examples Documentation/tma-formats.5.adoc "$TMA"
