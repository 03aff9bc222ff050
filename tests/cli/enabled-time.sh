#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counters are on for a part of a run (--control, -D): values that depend on time use that part.
. "$(dirname "$0")/lib.sh"

mkfifo "$tmp/control"

# controlled MACHINE ARG ...: run tma stat for three times 0.3 s; its counters are on only in the
# second
controlled()
{
	on=$1
	shift
	{
		exec 3<>"$tmp/control"
		sleep 0.3
		echo enable >&3
		sleep 0.3
		echo disable >&3
		sleep 0.3
		echo stop >&3
	} &
	run "$TMA" $on stat --control "fifo:$tmp/control" "$@"
	wait $!
}

# holds FILTER: the jq filter is true of the values in JSON, by name
holds()
{
	[ $test_state = ok ] || return 0
	jq -se '[.[] | select(.name) | {(.name): .}] | add | '"$1" "$stdout" >/dev/null || fail "not so: $1" "$stdout"
}

begin "duration_time, CPUs utilized and metrics are of the time in which counters were on"
controlled "--machine sapphirerapids" -a -D -1 -e duration_time,cpu-clock -M memory_bandwidth_read --format=json
expect_status 0
holds '.duration_time | .value > 0.2e9 and .value < 0.6 * .length * 1e9'
holds '.cpus_utilized.value | . > 7.5 and . < 8.5'
holds '. as $all | .memory_bandwidth_read.value | . * $all.duration_time.value / 1e9 * 1e6 / 64 / $all["UNC_M_CAS_COUNT.RD"].value | . > 0.99 and . < 1.01'

begin "on a real kernel, too, for one command and for its rows"
controlled "" -D -1 -e duration_time,task-clock --format=json --command-output=null -- sh -c 'while :; do :; done'
holds '.duration_time | .value > 0.2e9 and .value < 0.6 * .length * 1e9'
holds '.cpus_utilized.value | . > 0.2 and . < 1.1'
controlled "" -a -D -1 -I 100 -e duration_time,cpu-clock --format=json
expect_equal "rows before it began" "$(jq -c 'select(.name == "duration_time" and .time < 0.25) | [.value, .status, .reason]' "$stdout" | sort -u)" \
	'[null,"not counted","it was not enabled"]'
expect_equal "more than the row" "$(jq -c 'select(.name == "duration_time" and .value > (.length + 0.001) * 1e9)' "$stdout")" ''
expect_equal "far from all CPUs" "$(jq -c 'select(.name == "cpus_utilized" and .value and .enabled_ns > 2e7 and (.value < 0.5 or .value > 1000))' "$stdout")" ''

begin "user_time and system_time are those of the time after a delay"
burn='i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
run "$TMA" stat -D 300 -e duration_time,user_time,system_time,task-clock --format=json --command-output=null -- sh -c "$burn; $burn"
if [ "$(jq -s 'map(select(.name == "task-clock"))[0].value // 0 | . > 0' "$stdout")" = true ]; then
	holds '. as $all | (.user_time.value + .system_time.value) / 1e6 - ."task-clock".value | . < 60 and . > -60'
	holds '. as $all | .duration_time.value / 1e9 - .duration_time.length | . < 0.01 and . > -0.01'
else
	skip "the command ended within its delay"
fi

begin "user_time and system_time do not grow while they are stopped"
controlled "" -e duration_time,user_time,task-clock --format=json --command-output=null -- sh -c 'sleep 0.35; while :; do :; done'
holds '(.user_time.value / 1e6 - ."task-clock".value) | . < 60 and . > -60'

close_test
