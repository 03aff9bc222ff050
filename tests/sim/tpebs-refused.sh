#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Retire latencies that are not available: never 0, and each time with the reason.
. "$(dirname "$0")/../fault/lib.sh"

event=MEM_LOAD_RETIRED.L3_HIT:R

begin "cores that measure no latencies, next to cores that do"
tma_on lunarlake -a -x, -e cycles:R --timeout 1000
expect_status 0
expect_match stderr '^[1-9][0-9.]*,cycles,cpu_core/cycles/R,.*,samples$'
expect_match stderr '^<not counted>,cycles,cpu_atom/cycles/R,'
expect_match stderr '^tma: all retire latencies sampled on cpu_atom are 0'
tma_on lunarlake -a --format=json -e cycles:R --timeout 1000
expect_match stdout '"pmu":"cpu_atom","value":null,.*"status":"not counted","reason":"no latency was sampled'

begin "TopDown metric events cannot be sampled, but slots can"
for events in topdown-retiring:R '{slots,topdown-retiring}:R' cpu/event=0,umask=0x80/R; do
	tma_on graniterapids -a -e "$events" true
	expect_status 125
	expect_match stderr 'TopDown metric events cannot be sampled'
	expect_no_match stderr 'was added'
done
tma_on graniterapids -a -x, -e slots:R --timeout 100
expect_status 0
expect_match stderr '^[1-9][0-9.]*,cycles,slots:R,'

fault='open:cpu/event=0xd1,umask=0x04/=EINVAL'
begin "an event that the kernel refuses to sample is named with the reason, and its value is the tables'"
tma_on graniterapids -a -x, -e "$event" --timeout 100
expect_status 0
expect_match stderr "^tma: $event: not supported: the kernel does not accept it"
expect_match stderr "^57\.64,cycles,$event,0,.*,assumed$"
tma_on graniterapids -a --format=json -e "$event" --timeout 100
expect_match stdout '"status":"assumed","reason":".* since the kernel does not sample it here"'

fault='open=ENOENT'
begin "without a value in the tables the event is not supported"
tma_on graniterapids -a -x, -e cycles:R,page-faults --timeout 100
expect_match stderr '^<not supported>,cycles,cycles:R,'
tma_on graniterapids -a -x, -e cycles:R --timeout 100
expect_status 125
expect_match stderr 'none of the events can be counted'
fault=

begin "where there is no PMU, the machine that has latencies is named"
run "$TMA" stat --record-tpebs -e page-faults true
if [ "$status" = 0 ]; then
	skip "this machine has a PMU"
else
	expect_match stderr 'tma --machine graniterapids stat -a --record-tpebs|does not measure'
fi
