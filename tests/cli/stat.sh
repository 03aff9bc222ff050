#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma stat on the real kernel: software events, targets, intervals, formats, ends of a run.
. "$(dirname "$0")/lib.sh"

# duration: print the duration in $stderr's CSV, in ns
duration()
{
	sed -n 's/^\([0-9]*\),ns,duration_time,.*/\1/p' "$stderr"
}

# last_row: print the time of the last row in CSV
last_row()
{
	tail -n 1 "$stderr" | cut -d, -f1 | tr -d ' '
}

# expect_no_row_early INTERVAL: with -I, times of rows grow. Only the last row may come before it is
# due: when the command ends
expect_no_row_early()
{
	[ $test_state = ok ] || return 0
	awk -F, -v interval="$1" '
	$1 == time { next }
	early { print "row before that of", $1, "at", time }
	{ early = $1 + 0 < (int(time / interval + 1e-9) + 1) * interval - 1e-9; time = $1 }
	$1 + 0 <= before { print "row at", $1, "after", before }
	{ before = $1 + 0 }
	END { if (!NR) print "no rows" }' "$stderr" >"$tmp/early"
	[ ! -s "$tmp/early" ] || fail "rows before their time" "$tmp/early"
}

begin "one command: heading, counts, time"
needs_counters
run "$TMA" stat -e task-clock,page-faults true
expect_status 0
expect_empty stdout
expect_match stderr "^ Performance counter stats for 'true':$"
expect_match stderr '^ +[0-9]+\.[0-9]{2} msec task-clock(:u)? +# +[0-9.]+ CPUs utilized +$'
expect_match stderr '^ +[0-9,]+ +page-faults(:u)? +# +[0-9.]+ [KM]?/sec +$'
expect_match stderr '^ +[0-9]\.[0-9]{9} seconds time elapsed$'
expect_match stderr '^ +[0-9]\.[0-9]{9} seconds user$'

begin "no task uses more CPUs than it has threads"
needs_counters
for _ in 1 2 3 4 5 6 7 8 9 10; do
	run "$TMA" stat -x, -e task-clock true
	expect_between "CPUs utilized" "$(cut -d, -f6 "$stderr")" 0 1
done

begin "CSV has perf's seven fields"
needs_counters
run "$TMA" stat -x, -e task-clock,context-switches true
expect_status 0
expect_lines stderr 2
expect_match stderr '^[0-9]+\.[0-9]{2},msec,task-clock(:u)?,[0-9]+,100\.00,[0-9.]+,CPUs utilized$'
expect_match stderr '^[0-9]+,,context-switches(:u)?,[0-9]+,100\.00,[0-9.]+,[KM]?/sec$'

begin "JSON is one object a line with perf's keys"
needs_counters
run "$TMA" stat -j -e task-clock true
expect_status 0
expect_all_match stderr '^\{"counter-value" : "[0-9]+\.[0-9]{6}", "unit" : "msec", "event" : "task-clock(:u)?", "event-runtime" : [0-9]+, "pcnt-running" : 100\.00, "metric-value" : "[0-9.]+", "metric-unit" : "CPUs utilized"\}$'

begin "an event without hardware is said to be unsupported, and the rest counts" # R15
needs_counters
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run "$TMA" stat -x, -e cycles,task-clock true
expect_status 0
expect_match stderr '^<not supported>,,cycles(:u)?,0,'
expect_match stderr '^[0-9.]+,msec,task-clock'

begin "nothing that could be counted is a failure, with the rows" # R15
needs_counters
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run "$TMA" stat -x, -e cycles true
expect_status 125
expect_match stderr '^<not supported>,,cycles(:u)?,0,'
expect_match stderr 'none of the events can be counted'
run "$TMA" stat -x, -e cycles sh -c 'exit 3'
expect_status 3

begin "without -e, the default events"
needs_counters
run "$TMA" stat true
expect_status 0
for event in task-clock context-switches cpu-migrations page-faults instructions branch-misses; do
	expect_match stderr " $event"
done

begin "-o writes the file, with the date first"
needs_counters
run "$TMA" stat -x, -o "$tmp/out" -e task-clock true
expect_status 0
expect_empty stderr
expect_match "$tmp/out" '^# started on [A-Z][a-z]{2} '
expect_match "$tmp/out" '^[0-9.]+,msec,task-clock'
run "$TMA" stat -x, -o "$tmp/out" --append -e task-clock true
expect_equal "rows after --append" "$(grep -c task-clock "$tmp/out")" 2

begin "-j -o writes JSON alone"
needs_counters
run "$TMA" stat -j -o "$tmp/out" -e task-clock true
expect_all_match "$tmp/out" '^\{.*\}$'

begin "--log-fd writes to that descriptor"
needs_counters
run sh -c "\"$TMA\" stat -x, --log-fd 4 -e task-clock true 4>$tmp/fd"
expect_status 0
expect_match "$tmp/fd" '^[0-9.]+,msec,task-clock'

begin "output that cannot be written is a failure"
needs_counters
run "$TMA" stat -o /dev/full -e task-clock true
expect_status 125
expect_match stderr 'No space left on device'

begin "the status is the command's" # R2
needs_counters
run "$TMA" stat -e task-clock sh -c 'exit 7'
expect_status 7

begin "a command killed by a signal: 128 + N, and it is said"
needs_counters
run "$TMA" stat -e task-clock sh -c 'kill -SEGV $$'
expect_status 139
expect_match stderr 'killed by SIGSEGV'
expect_match stderr 'task-clock'

begin "a real-time signal has a number and no name"
needs_counters
run "$TMA" stat -e task-clock sh -c 'kill -40 $$'
expect_status 168
expect_match stderr 'killed by signal 40'

begin "a command that is not there: 127 and no counts" # R3
needs_counters
run "$TMA" stat -e task-clock /nonexistent/command
expect_status 127
expect_match stderr '/nonexistent/command: No such file'
expect_no_match stderr 'Performance counter'

begin "a command that cannot be run: 126"
needs_counters
run "$TMA" stat -e task-clock /etc/passwd
expect_status 126
run "$TMA" stat -e task-clock /etc/passwd/no
expect_status 126

begin "the command gets no descriptor of tma's" # R46
needs_counters
run ls /proc/self/fd
cp "$stdout" "$tmp/without"
run "$TMA" stat -o "$tmp/out" -e task-clock ls /proc/self/fd
expect_file "$stdout" <"$tmp/without"

begin "SIGTERM: the counts so far, the command told, dead of the same signal"
needs_counters
run sh -c "\"$TMA\" stat -e task-clock sh -c 'echo >$tmp/going; exec sleep 30' &
	while [ ! -e $tmp/going ] && kill -0 \$!; do sleep 0.1; done; kill -TERM \$!; wait \$!"
expect_status 143
expect_match stderr 'task-clock'
expect_match stderr 'seconds time elapsed'

begin "SIGINT ends a run which a script started in the background"
needs_system_wide
# This signal is ignored here, but tma handles it, and so does this command.
run sh -c "\"$TMA\" stat -a -e cpu-clock env --default-signal=INT sh -c 'echo >$tmp/behind; exec sleep 30' &
	while [ ! -e $tmp/behind ]; do sleep 0.1; done; kill -INT \$!; wait \$!"
expect_status 130
expect_match stderr 'cpu-clock'

begin "--timeout ends the command and prints"
needs_counters
run "$TMA" stat -x, -e duration_time,task-clock --timeout 100 sleep 30
expect_status 0
expect_match stderr '^[0-9.]+,msec,task-clock'
expect_between "time elapsed" "$(duration)" 100000000 25000000000

# The command reports the signal that should end it. Without a second signal it ends by itself, with
# 0.
begin "--timeout and a command that does not listen: one signal ends it"
needs_counters
run sh -c "\"$TMA\" stat -e task-clock --timeout 500 sh -c 'trap \"echo >$tmp/told\" TERM
		i=0; while [ \$i -lt 200 ]; do sleep 0.1; i=\$((i + 1)); done' &
	while [ ! -e $tmp/told ] && kill -0 \$!; do sleep 0.1; done; kill -TERM \$!; wait \$!"
expect_status 137
expect_match stderr 'task-clock'
expect_match stderr 'killed by SIGKILL'

begin "-p counts a process until it is gone"
needs_counters
run sh -c "sleep 2 & exec \"$TMA\" stat -x, -e context-switches,duration_time -p \$!"
expect_status 0
expect_match stderr '^([0-9]+|<not counted>),,context-switches'

begin "-t counts a thread"
needs_counters
run "$TMA" stat -e task-clock -t $$ --timeout 20
expect_status 0
expect_match stderr "for thread id '$$':"

begin "a process that is not there is an error with its number"
run "$TMA" stat -e task-clock -p 4194305
expect_status 125
expect_match stderr '4194305'

begin "-I with -a: rows on time, the clock of all CPUs in each"
needs_system_wide
run "$TMA" stat -a -x, -e cpu-clock -I 100 --interval-count 12
expect_status 0
expect_lines stderr 12
expect_all_match stderr '^ *[0-9]+\.[0-9]{9},[0-9.]+,msec,cpu-clock,[0-9]+,100\.00,[0-9.]+,CPUs utilized$'
expect_no_row_early 0.1

begin "-I in text: heading and rows"
needs_system_wide
run "$TMA" stat -a -e cpu-clock -I 50 --interval-count 2
expect_match stderr '^#           time             counts unit events$'
expect_match stderr '^     0\.[0-9]{9} +[0-9]+\.[0-9]{2} msec cpu-clock +# +[0-9.]+ CPUs utilized +$'

begin "-I with a command prints the last, short row too"
needs_counters
run "$TMA" stat -x, -e task-clock,duration_time -I 100 sleep 0.25
expect_status 0
expect_no_row_early 0.1
# Together the rows cover the run, which lasts at least as long as the command.
expect_between "time of the last row" "$(last_row)" 0.25 60
expect_equal "the sum of all rows" "$(sed -n 's/^ *[0-9.]*,\([0-9]*\),ns,duration_time.*/\1/p' "$stderr" |
	awk '{ sum += $1 } END { printf "%.9f", sum / 1e9 }')" "$(last_row)"

begin "-A: a row for each CPU, with the PMU"
needs_system_wide
run "$TMA" stat -a -A -x, -e cpu-clock --timeout 20
expect_lines stderr "$(getconf _NPROCESSORS_ONLN)"
expect_all_match stderr '^CPU[0-9]+,[0-9.]+,msec,cpu-clock \[software\],[0-9]+,100\.00,[0-9.]+,CPUs utilized$'

begin "-C counts the CPUs named"
needs_system_wide
run "$TMA" stat -C 0 -x, -e cpu-clock --timeout 300
expect_status 0
expect_lines stderr 1
# The time is that of one CPU, for as long as the event was enabled.
run awk -F, '{ exit $1 * 1e6 - $4 > 5001 || $4 - $1 * 1e6 > 5001 }' "$stderr"
expect_status 0

begin "a tracepoint"
needs_system_wide
needs_tracefs
run "$TMA" stat -a -x, -e sched:sched_switch --timeout 100
expect_status 0
expect_match stderr '^[0-9]+,,sched:sched_switch,[0-9]+,100\.00,,$'

begin "an event of sysfs"
needs_system_wide
needs_pmu msr
run "$TMA" stat -a -x, -e msr/tsc/ --timeout 50
expect_match stderr '^[0-9]+,,msr/tsc/,[0-9]+,100\.00,,$'

begin "duration_time is the time elapsed"
needs_counters
run "$TMA" stat -x, -e duration_time,task-clock sleep 0.1
expect_status 0
expect_between "duration" "$(duration)" 100000000 60000000000
run "$TMA" stat -e duration_time,task-clock sleep 0.1
expect_equal "duration" "$(sed -n 's/^ *\([0-9,]*\) ns *duration_time .*/\1/p' "$stderr" | tr -d ,)" \
	"$(sed -n 's/^ *\([0-9]*\)\.\([0-9]*\) seconds time elapsed$/\1\2/p' "$stderr" | sed 's/^0*//')"

begin "numbers for machines have a point in every locale" # R36
needs_counters
needs_locale de_DE
run env LOCPATH="$locales" LC_ALL=de_DE.UTF-8 "$TMA" stat -x, -e task-clock true
expect_match stderr '^[0-9]+\.[0-9]{2},msec,task-clock(:u)?,[0-9]+,100\.00,'
run env LOCPATH="$locales" LC_ALL=de_DE.UTF-8 "$TMA" stat -e task-clock true
expect_match stderr '^ +[0-9]+,[0-9]{2} msec task-clock'
run env LOCPATH="$locales" LC_ALL=de_DE.UTF-8 "$TMA" stat -M 'half = duration_time * 0.5' true
expect_status 0
run env LOCPATH="$locales" LC_ALL=de_DE.UTF-8 "$TMA" compare -r 2 -j true true
expect_match stdout '"margin":0\.5,'

# In Turkish the small letter of I is not i.
begin "names in any case are found in every locale"
needs_locale tr_TR
run env LOCPATH="$locales" LC_ALL=tr_TR.UTF-8 "$TMA" --machine skylakex stat -a --timeout 50 --topdown -x,
expect_status 0
expect_no_match stderr 'Left out'
run env LOCPATH="$locales" LC_ALL=tr_TR.UTF-8 "$TMA" --machine skylakex stat -x, -e LONGEST_LAT_CACHE.MISS,longest_lat_cache.miss true
expect_status 0
run env LOCPATH="$locales" LC_ALL=tr_TR.UTF-8 "$TMA" --machine skylakex explain TMA_RETIRING
expect_status 0

begin "a CPU time of 0 is a count, in each interval"
needs_counters
run "$TMA" stat -x, -e user_time,system_time -I 50 --interval-count 2 sleep 0.2
expect_status 0
expect_no_match stderr 'not counted'
[ $test_state != ok ] || [ "$(grep -c ',ns,\(user\|system\)_time,' "$stderr")" = 4 ] ||
	fail "not two times in each of two rows" "$stderr"

begin "without hardware counters a run that names no events says once what can be had"
[ ! -e /sys/bus/event_source/devices/cpu ] || skip "this machine has hardware counters"
run "$TMA" stat true
expect_match stderr "^tma: this (virtual )?machine has no hardware counters: 'tma why' names the line that takes the time, and 'tma --machine sapphirerapids' before a command simulates them$"
for options in --quiet '-e cs' -x, -j; do
	# shellcheck disable=SC2086 # options
	run "$TMA" stat $options true
	expect_no_match stderr 'no hardware counters'
done
ln -sf "$TMA" "$tmp/perf"
run "$tmp/perf" stat true
expect_no_match stderr 'no hardware counters'
