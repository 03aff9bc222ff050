#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma list: events, metrics, metric groups; patterns.
. "$(dirname "$0")/lib.sh"

PERF_CPUID=GenuineIntel-6-97-2
export PERF_CPUID

begin "a legacy event with its other name"
run "$TMA" list event cycles
expect_status 0
expect_match stdout '^  cpu-cycles OR cycles'

begin "a metric of each core type"
run "$TMA" list metric tma_retiring
expect_status 0
expect_match stdout '^  tma_retiring  \[cpu_core\]$'
expect_match stdout '^  tma_retiring  \[cpu_atom\]$'
expect_no_match stdout 'cpu-cycles'

begin "metric groups with their metrics"
run "$TMA" list metricgroup 'TopdownL1'
expect_status 0
expect_match stdout '^  TopdownL1$'
expect_match stdout '^       - tma_backend_bound$'

begin "bare names for scripts"
run "$TMA" list --names metric 'tma_retir*'
expect_all_match stdout '^tma_retiring$'

begin "a pattern that matches nothing names the nearest"
run "$TMA" list tma_retirin_
expect_status 125
expect_match stderr "did you mean .*'tma_retiring'"

begin "a CPU without tables is said to have none"
run env PERF_CPUID=GenuineIntel-99-1-1 "$TMA" list metric
expect_status 0
expect_match stderr 'nothing for this CPU \(GenuineIntel-99-1-1\)'

begin "tracepoints"
needs_tracefs
run "$TMA" list event sched:sched_switch
expect_match stdout '^  sched:sched_switch'

begin "an output that cannot be written is a failure"
run sh -c "\"$TMA\" list >/dev/full"
expect_status 125
expect_match stderr 'cannot write to standard output'
