#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# perf record samples on simulated machines at the frequency, with the periods and the retire
# latencies of the machine file.
. "$(dirname "$0")/../cli/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
data=$tmp/perf.data
l3_hit=cpu/event=0xd1,umask=0x04/p

# record MACHINE ARG ...: record on a machine, in real time
record()
{
	needs_perf
	machine=$1
	shift
	run env LD_PRELOAD="$sim_library" TMA_MACHINE="$machine" \
		TMA_SIM_FAULT="${fault-}" "${PERF-}" record -o "$data" "$@"
	expect_status 0
}

# script FIELDS: print these fields of the recording, into $stdout
script()
{
	run "${PERF-}" script -i "$data" -F "$1"
	expect_status 0
}

# kinds: print how many records of each type there are
kinds()
{
	run "${PERF-}" report -i "$data" -D
	expect_status 0
	[ $test_state = ok ] || return 0
	grep -o 'PERF_RECORD_[A-Z]*' "$stdout" | sort | uniq -c >"$tmp/kinds"
}

# expect_awk WHAT PROGRAM FILE: the awk program ends with status 0
expect_awk()
{
	[ $test_state = ok ] || return 0
	awk "$2" "$3" || fail "$1" "$3"
}

begin "perf samples all CPUs at the frequency"
record graniterapids -F 500 -e cycles -a sleep 0.6
script cpu,time,period
expect_awk "not about 500 samples a second on each of eight CPUs" '
	{
		gsub(/[^0-9. ]/, "")
		if (!nr[$1 + 0]++)
			first[$1 + 0] = $2
		last[$1 + 0] = $2
	}
	END {
		for (i = 0; i < 8; i++) {
			rate = nr[i] > 1 ? nr[i] / (last[i] - first[i]) : 0
			if (rate < 400 || rate > 650)
				exit 1
		}
	}' "$stdout"
expect_awk "the periods do not follow the rates" '
	$NF > 1000000 { sum += $NF; nr++ }
	END { exit !(nr && sum / nr > 1.5e6 && sum / nr < 7e6) }' "$stdout"

begin "perf shows the retire latencies of the machine's phases"
record graniterapids -W -c 5003 -e "$l3_hit" -C 0 sleep 0.4
script weight,retire_lat
# 58 cycles times 0.7 to 1.6, and half of that around it.
expect_awk "latencies which the machine file does not give" '
	{ nr++; if ($2 < 20 || $2 > 140 || $1 != 2 * $2) exit wrong = 1 }
	END { exit wrong || nr < 10 }' "$stdout"

begin "only precise samples have latencies"
record graniterapids -W -c 5003 -e cpu/event=0xd1,umask=0x04/ -C 0 sleep 0.2
script retire_lat
expect_awk "a latency" '{ nr++; if ($1) exit wrong = 1 } END { exit wrong || !nr }' "$stdout"

begin "perf computes retire latencies with --record-tpebs"
needs_perf
run env LD_PRELOAD="$sim_library" TMA_MACHINE=graniterapids "${PERF-}" \
	stat -x, -e cache-misses:R --record-tpebs -a sleep 0.3
expect_status 0
expect_awk "no value between 140 cycles by 0.7 and by 1.6" '
	BEGIN { FS = "," }
	/cache-misses:R/ { found = $1 >= 95 && $1 <= 230 }
	END { exit !found }' "$stderr"

begin "a task is sampled while it runs, with its ids"
record graniterapids -F 1000 --sample-cpu -e cycles sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; :'
script tid,cpu
expect_awk "not the task on the CPU of its path" '
	{ nr++; if ($1 < 2 || $2 !~ /00[12]/) exit wrong = 1 }
	END { exit wrong || nr < 5 }' "$stdout"

begin "a process that is attached to ends the recording"
needs_perf
sh -c 'i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done' &
record graniterapids -F 1000 -e cycles -p $!
wait
script tid
expect_awk "no samples" 'END { exit !NR }' "$stdout"

begin "a period that is too short is throttled"
record graniterapids -c 1000 -e cycles -C 0 sleep 0.1
kinds
expect_awk "no throttling" '
	/_SAMPLE$/ { samples = $1 }
	/_THROTTLE$/ { throttled = $1 }
	END { exit !(throttled >= 10 && samples <= 400 * (throttled + 1)) }' "$tmp/kinds"

begin "lost records are reported"
fault=lost=7
record graniterapids -F 1000 -e cycles -C 0 sleep 0.3
fault=
kinds
expect_awk "none lost" '/_LOST$/ { lost = $1 } END { exit lost < 5 }' "$tmp/kinds"

begin "memory that cannot be locked is refused"
needs_perf
run env LD_PRELOAD="$sim_library" TMA_MACHINE=graniterapids TMA_SIM_FAULT='mmap>16=EPERM' \
	"${PERF-}" record -o "$data" -m 16 -a sleep 0.1
expect_match stderr 'Permission error mapping pages'

begin "both kinds of cores and clocks are sampled"
record alderlake -F 500 -e cycles,cpu-clock -a sleep 0.4
script event,cpu
for event in cpu_core/cycles/ cpu_atom/cycles/ cpu-clock; do
	expect_match stdout "$event"
done
