#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Why there is no value, or only an estimate: in words which a person understands.
. "$(dirname "$0")/../cli/lib.sh"

# reason WHAT STATUS PATTERN MACHINE ARG ...: some event has that status, and that reason
reason()
{
	begin "$1"
	what=$2
	pattern=$3
	shift 3
	machine=$1
	shift
	sim "$machine" stat --format=json -o "$tmp/json" "$@"
	expect_match "$tmp/json" "\"status\":\"$what\",\"reason\":\"([^\"]*: )?$pattern"
}

many='{branches,branch-misses,cache-misses,cache-references,L1-dcache-loads}'

reason "a group that is too large" "not counted" 'its group was refused: it needs more counters' \
	skylakex -a -e "$many" sleep 0.05
reason "a task cannot be counted by the uncore" "not supported" 'it cannot count one task.*-a or -C' \
	skylakex -e uncore_imc/cas_count_read/,cycles true
reason "a task that ran on the other cores" "not counted" 'the task did not run on a core of this type' \
	alderlake -e cpu_atom/cycles/,cpu_core/cycles/ true
reason "events in turns" "scaled" 'an estimate, since events took turns' \
	skylakex -a -e "{branches,branch-misses,cache-misses},{L1-dcache-loads,cache-references}" sleep 0.1
reason "a set without a turn" "not counted" 'its set of groups had no turn' \
	icelakex -a --schedule=rotate --schedule-ms 1000 -M TopdownL2 sleep 0.1

TMA_SIM_FAULT='open#1=ENOENT'
export TMA_SIM_FAULT
reason "a virtual machine without the event" "not supported" 'this machine or kernel does not have it' \
	icelakex -e cycles,instructions true
TMA_SIM_FAULT='open#1=EOPNOTSUPP'
reason "hardware that cannot" "not supported" 'the hardware cannot count it this way' \
	icelakex -e cycles,instructions true
unset TMA_SIM_FAULT
