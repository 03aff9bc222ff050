#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The values of all metrics, compared with those of an evaluator that shares no code with the
# program: tests/metrics/evaluate.py reads the vendors' JSON itself.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
eval=$BUILD/tests/metrics/eval
[ -x "$eval" ] || skip_all "$eval is not built; make tests"
agree='^[0-9]{3,} metrics and [0-9]{3,} thresholds compared in [0-9]+ rounds, 0 differences$'

# The JSON that the tables of this build are made from.
set --
for arch in $(sed -n 's/.*table_data_\([a-z0-9]*\);/\1/p' "$BUILD/pmu-events/archs.c"); do
	for dir in $(sed 's/:.*//' "$BUILD/.tables-$arch"); do
		[ ! -d "$dir/$arch" ] || set -- "$@" "$dir/$arch"
	done
done

begin "every metric and threshold has the value of an independent evaluator"
run python3 -B tests/metrics/evaluate.py "$eval" "$@"
expect_status 0
expect_match stdout "$agree"

begin "metrics made up, in which operators bind in every way, have the same values"
run python3 -B tests/metrics/evaluate.py --random 1000 "$eval"
expect_status 0
expect_match stdout "$agree"

begin "the metrics of TMA_TEST_TABLES, read at run time, have the same values"
[ -n "${TMA_TEST_TABLES-}" ] ||
	skip "needs TMA_TEST_TABLES (newer tables of Intel, a folder for each model)"
run python3 -B tests/metrics/evaluate.py --load "$eval" "${TMA_TEST_TABLES-}"
expect_status 0
expect_match stdout "$agree"

begin "what is built in has the names, values, thresholds and groups of TMA_TEST_TABLES"
[ -n "${TMA_TEST_TABLES-}" ] ||
	skip "needs TMA_TEST_TABLES (newer tables of Intel, a folder for each model)"
run env TMA="$TMA" scripts/compare-metrics "${TMA_TEST_TABLES-}"
expect_status 0
expect_match stdout '^[0-9]{2} models, [0-9]{4} metrics: 0 missing, 0 different$'

begin "what is built in has the names, values, thresholds and groups of Linux 7.3, with what its scripts make"
kernel=${TMA_TEST_KERNEL:-${KERNEL_SRC:-third_party/linux}}
[ -f "$kernel/tools/perf/pmu-events/intel_metrics.py" ] ||
	skip "needs TMA_TEST_KERNEL (the source of Linux 7.3)"
run env TMA="$TMA" scripts/compare-metrics --kernel "$kernel"
expect_status 0
expect_match stdout '^[0-9]{2} models, [0-9]{5} metrics: 0 missing, 0 different, [0-9]{3} known$'

begin "a missing metric and a metric with a wrong value are found"
tables=${TMA_TEST_TABLES:-/nonexistent}
cp -r "$tables/haswell" "$tmp/" 2>/dev/null || skip "needs TMA_TEST_TABLES with haswell"
if [ "$test_state" = ok ]; then
	grep -e haswell, "$tables/mapfile.csv" >"$tmp/mapfile.csv"
	printf '%s\n' '[{"MetricName": "none", "MetricExpr": "1"}, {"MetricName": "tma_info_thread_ipc",' \
		'"MetricExpr": "2 * INST_RETIRED.ANY / tma_info_thread_clks", "MetricGroup": "Ret;Summary"}]' \
		>"$tmp/haswell/z.json"
	sed -i 's/"tma_info_thread_ipc"/"tma_info_thread_ip1"/' "$tmp/haswell/hsw-metrics.json"
fi
run env TMA="$TMA" scripts/compare-metrics "$tmp"
expect_status 1
expect_match stdout '^haswell: cpu: none: missing$'
expect_match stdout '^haswell: cpu: tma_info_thread_ipc: value: '
