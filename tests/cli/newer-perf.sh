#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What perf stat learned after 6.12, as perf has it.
. "$(dirname "$0")/lib.sh"

# counts EVENT NUMBER: the event is counted, and this is its count
counts()
{
	expect_match stderr "^ *$2 [a-z ]*$1( |$)"
}

begin "events of the tool PMU: the time, and facts"
sim sapphirerapids stat -a -e tool/duration_time/ --timeout 20
expect_status 0
counts tool/duration_time/ '[0-9]+'
sim sapphirerapids stat -a -e tool/num_cpus_online/,num_cpus,num_packages,smt_on,core_wide,target_cpu --timeout 20
expect_status 0
counts tool/num_cpus_online/ 8
counts num_cpus 8
counts core_wide 1
counts target_cpu 1
sim sapphirerapids stat -e tool/nosuch/ true
expect_status 125
expect_match stderr 'tool'

begin "software events are a PMU's, in any case"
run "$TMA" stat -e software/cpu-clock/,CPU-CLOCK,software/page-faults/ true
expect_status 0
counts software/cpu-clock/ '[0-9.]+'
counts CPU-CLOCK '[0-9.]+'
counts software/page-faults/ '[0-9]+'

begin ":X keeps a group as it was written"
sim sapphirerapids stat -e cycles:X true
expect_status 0
counts cycles:X '[0-9]+'

begin "#target_cpu, and has_event() of what the kernel has"
sim sapphirerapids stat -a -M 'x = cycles * #target_cpu' -x, --timeout 20
expect_status 0
expect_no_match stderr ',0\.00,x$'
sim sapphirerapids stat -M 'x = cycles * #target_cpu' -x, true
expect_match stderr ',0\.00,x$'
sim skylakex stat -M 'x = 1 if has_event(stalled\-cycles\-frontend) else 0' -x, true
expect_status 0
expect_match stderr ',0\.00,x$'

begin "--hide-zero-events"
sim sapphirerapids stat -e task-clock,major-faults -x, true
expect_lines stderr 3
sim sapphirerapids stat --hide-zero-events -e task-clock,major-faults -x, true
expect_status 0
expect_no_match stderr 'major-faults'
expect_match stderr 'task-clock'

begin "--pmu-filter takes one of several PMUs"
sim sapphirerapids stat --pmu-filter cpu true
expect_status 0
sim alderlake stat --pmu-filter cpu_atom -a -e cycles -x, --timeout 20
expect_status 0
expect_match stderr 'cpu_atom/cycles/'
expect_no_match stderr 'cpu_core'
sim alderlake stat --pmu-filter nosuch true
expect_status 125
expect_match stderr "^tma: --pmu-filter nosuch: this computer has no PMU of that name"
sim alderlake stat --pmu-filter cpu_core --cputype core true
expect_status 129

begin "--no-affinity changes nothing"
sim sapphirerapids stat --no-affinity -a -e cycles --timeout 20
expect_status 0

begin "--compat=7: JSON has how good a metric is, and no metric without a unit"
sim sapphirerapids stat -a -j --compat=7 -M TopdownL1 --timeout 20
expect_status 0
expect_match stderr '"metric-unit" : "%  tma_retiring", "metric-threshold" : "(good|bad)"\}$'
expect_no_match stderr '\(null\)'
sim sapphirerapids stat -a -j --compat=7 -e branches,branch-misses --timeout 20
expect_match stderr '"metric-unit" : "of all branches", "metric-threshold" : "(good|less good|nearly bad|bad)"\}'
for compat in "" --compat=6.12; do
	# shellcheck disable=SC2086 # a word or none
	sim sapphirerapids stat -a -j $compat -M TopdownL1 --timeout 20
	expect_no_match stderr 'metric-threshold'
done
run "$TMA" stat --compat=8 true
expect_status 129

begin "the term cpu, and -x with -j"
sim sapphirerapids stat -e cpu/cycles,cpu=0/ -a --timeout 20
expect_status 0
counts cpu/cycles,cpu=0/ '[0-9]+'
run "$TMA" stat -x, -j true
expect_status 129
