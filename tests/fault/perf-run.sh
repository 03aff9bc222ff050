#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# W1 to W22: errors of perf stat 6.12 with the run, the clock, the files and the numbers. Each is
# shown to happen with perf and not with tma, see lib.sh. W16 and W19 have no part for perf here:
# its tables have no metric with %, and tests/bench measures the cost of threads.
. "$(dirname "$0")/lib.sh"

cpus=$(getconf _NPROCESSORS_ONLN)

# --- Ends of a run --------------------------------------------------------------------------------

# shellcheck disable=SC2016 # the command's own variable
kill_self='kill -SEGV $$'
perf "W1: the status of a command that a signal killed"
run "$PERF" stat -e task-clock sh -c "$kill_self"
expect_status 0
tma W1
needs_counters
run "$TMA" stat -e task-clock sh -c "$kill_self"
expect_status 139
expect_match stderr 'killed by SIGSEGV'

perf "W2: output that cannot be written is passed over"
run "$PERF" stat -o /dev/full -e task-clock true
expect_status 0
expect_empty stderr
tma W2
needs_counters
run "$TMA" stat -o /dev/full -e task-clock true
expect_status 125
expect_match stderr 'No space left on device'

# on_small_disk PROGRAM: print rows until a file system of one page is full, and leave the file in
# $tmp/cut
on_small_disk()
{
	mkdir -p "$tmp/small"
	run unshare -m sh -c "mount -t tmpfs -o size=4k none $tmp/small || exit 99
		\"$1\" stat -a -x, -I 10 --interval-count 100 -o $tmp/small/rows \
			-e cpu-clock,context-switches,page-faults
		status=\$?; cp $tmp/small/rows $tmp/cut; exit \$status"
	[ "$status" != 99 ] || skip "tmpfs cannot be mounted here"
}

# expect_whole_rows: each line of $tmp/cut is complete, and has all its fields
expect_whole_rows()
{
	expect_equal "bytes of the last character" "$(tail -c 1 "$tmp/cut" | tr -d '\n' | wc -c)" 0
	sed '1,2d' "$tmp/cut" >"$tmp/rows"
	expect_all_match "$tmp/rows" '^ *[0-9]+\.[0-9]{9},[0-9.]+,(msec)?,[a-z-]+,[0-9]+,100\.00,[0-9.]+,.+$'
}

# If / is not a mount point, no mount namespace can be made.
needs_mounts()
{
	needs_command unshare
	unshare -m true 2>/dev/null || skip "needs a mount namespace of its own (unshare -m)"
}

perf "W2: a file on a full disk ends in the middle of a row, with status 0" # R12
needs_root
needs_mounts
on_small_disk "$PERF"
expect_status 0
expect_empty stderr
[ $test_state != ok ] || [ -n "$(tail -c 1 "$tmp/cut" | tr -d '\n')" ] || fail "the last row is whole"
tma "W2: a file on a full disk ends in the middle of a row, with status 0"
needs_root
needs_mounts
needs_system_wide
on_small_disk "$TMA"
expect_status 125
expect_match stderr 'No space left on device'
expect_whole_rows

# ended_by SIGNAL PROGRAM: let the program count a command into $tmp/counts, and send it the signal;
# $tmp/pid has the number of the command
ended_by()
{
	[ $test_state = ok ] || return 0
	rm -f "$tmp/pid" "$tmp/counts"
	command_shown="$2 stat, sent SIG$1"
	"$2" stat -x, -o "$tmp/counts" -e task-clock \
		sh -c "echo \$\$ >$tmp/pid.new; mv $tmp/pid.new $tmp/pid; exec sleep 60" \
		>"$stdout" 2>"$stderr" </dev/null &
	program=$!
	waits_for "$tmp/pid"
	kill -"$1" $program
	status=0
	wait $program || status=$?
}

for signal in TERM:143 HUP:129; do
	perf "W3: SIG${signal%:*} loses the counts and leaves the command behind"
	ended_by "${signal%:*}" "$PERF"
	expect_status "${signal#*:}"
	[ $test_state != ok ] || expect_empty "$tmp/counts"
	[ $test_state != ok ] || kill "$(cat "$tmp/pid")" || fail "the command has ended"
	tma "W3: SIG${signal%:*} loses the counts and leaves the command behind"
	needs_counters
	ended_by "${signal%:*}" "$TMA"
	expect_status "${signal#*:}"
	expect_match "$tmp/counts" '^[0-9.]+,msec,task-clock'
	[ $test_state != ok ] || ! kill "$(cat "$tmp/pid")" 2>/dev/null || fail "the command still runs"
done

# --- The clock ------------------------------------------------------------------------------------

# Count all CPUs' clock in rows of 20 ms, into $tmp/counts; one row is a second late.
rows_with_a_stop="-a -x, -I 20 --interval-count 15 -o $tmp/counts -e cpu-clock,duration_time"
stop='late#5=1s'

# busiest: print the largest number of CPUs that a row of $tmp/counts reports as used
busiest()
{
	awk -F, '/CPUs utilized/ && $7 > most { most = $7 } END { print most }' "$tmp/counts"
}

# expect_rates_as_measured ROWS: check the rates in $tmp/counts. They are computed again from the
# lengths of rows, which are differences of their times. The clock is printed to 0.01 ms and the
# rate to 0.001, so for a row that is short because the last row was late, the rate can be computed
# less exactly here.
expect_rates_as_measured()
{
	[ $test_state = ok ] || return 0
	awk -F, -v wanted="$1" '
	/cpu-clock/ { clock = $2 * 1e6; rate = $7; length_ns = ($1 - before) * 1e9; before = $1 }
	/duration_time/ {
		rows++
		if ($2 - length_ns > 1 || length_ns - $2 > 1)
			print "row at", $1, "is", length_ns, "ns long, not", $2
		error = 0.0011 + 5001 / $2
		if (clock / $2 - rate > error || rate - clock / $2 > error)
			print "row at", $1, "has a rate of", rate, "not", clock / $2
	}
	END { if (rows != wanted) print rows + 0, "rows" }' "$tmp/counts" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || fail "rows have other rates than they should" "$tmp/wrong"
}

fault=$stop
perf "W4: rates are computed with the interval asked for, not the one measured" # R7
# shellcheck disable=SC2086 # options are words
perf_on skylakex $rows_with_a_stop
expect_between "CPUs utilized of 16" "$(busiest)" 160 1000000
tma W4
rm -f "$tmp/counts"
# shellcheck disable=SC2086 # options are words
tma_on skylakex $rows_with_a_stop
sed -i '/^#/d; /^$/d' "$tmp/counts"
expect_rates_as_measured 15
expect_match "$tmp/counts" ',1020000000,ns,duration_time,'
fault=

# A reader that reads one line, and then waits until the pipe has been nearly full for two seconds.
cat >"$tmp/reader.py" <<'END'
import fcntl, os, struct, sys, termios, time
if not os.environ.get("NEEDED_BYTES"):
    sys.exit("how many bytes are waited for?")
while struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, b"1234"))[0] < int(os.environ["NEEDED_BYTES"]):
    time.sleep(0.01)
time.sleep(2)
while text := os.read(0, 65536):
    os.write(1, text)
END
tma "W4: rates are computed with the interval asked for, while nobody reads"
needs_system_wide
needs_command python3
many=$(yes page-faults | head -n 300 | paste -sd,)
[ $test_state != ok ] || "$TMA" stat -a -x, -I 20 --interval-count 15 -e "cpu-clock,duration_time,$many" 2>&1 |
	NEEDED_BYTES=49152 python3 "$tmp/reader.py" >"$tmp/counts"
expect_rates_as_measured 15
# Before it waits for the reader, tma prints at most two more rows.
[ $test_state != ok ] || expect_between "the longest row, in ns" \
	"$(awk -F, '/duration_time/ && $2 > most { most = $2 } END { print most }' "$tmp/counts")" 6e8 1e12

# over_one PROGRAM RUNS: print in which run a single thread first used more than one CPU
over_one()
{
	for _ in $(seq "$2"); do
		"$1" stat -x, -e task-clock true 2>&1 | awk -F, '{ exit !($6 > 1) }' && echo 1 && return
	done
	echo 0
}

perf "W5: the clock starts after the command" # R9
[ $test_state != ok ] || expect_equal "runs of more than one CPU" "$(over_one "$PERF" 1000)" 1
tma W5
needs_counters
[ $test_state != ok ] || expect_equal "runs of more than one CPU" "$(over_one "$TMA" 300)" 0

# lateness: print how late the rows on standard error are, in ms after the last multiple of 10 ms;
# for perf with -v, after the time that follows from the row's number
lateness()
{
	awk -F, -v perf="$1" '/cycles/ { n++; ms = $1 * 1000; print perf ? ms - n * 10 : ms - int(ms / 10 + 1e-6) * 10 }' "$stderr"
}

fault='late=3ms'
perf "W6: rows come later and later" # R8
perf_on skylakex -a -x, -I 10 --interval-count 100 -e cycles
lateness 1 >"$tmp/late"
[ $test_state != ok ] || awk '$1 < before { print } { before = $1 }' "$tmp/late" >"$tmp/wrong"
[ $test_state != ok ] || [ ! -s "$tmp/wrong" ] || fail "rows which made up for lost time" "$tmp/wrong"
expect_between "lateness of the last row, in ms" "$(tail -n 1 "$tmp/late")" 299 301
tma W6
tma_on skylakex -a -x, -I 10 --interval-count 100 -e cycles
expect_lines stderr 100
# If a row is late, the next row is still due at its regular time.
expect_equal "lateness of all rows, in ms" "$(lateness "" | sort -u)" 3
expect_match stderr '^ *1\.003000000,'
fault=

# --- Counters that go away -----------------------------------------------------------------------

# shares: print how many CPUs each row covers: its time running, divided by that of 8 CPUs in 500 ms
shares()
{
	awk -F, '{ printf "%s%g", (NR > 1 ? " " : ""), $5 / 5e8 } END { print "" }' "$1"
}

fault='offline=1@500ms-1200ms'
perf "W7: a CPU that was offline for a while is missing from then on" # R22
perf_on skylakex -a -x, -I 500 --interval-count 5 -e cycles
expect_status 0
expect_equal "CPUs counted" "$(shares "$stderr")" "16 15 15 15 15"
expect_no_match stderr CPU
tma W7
tma_on skylakex -a -x, -I 500 --interval-count 5 -e cycles -o "$tmp/counts"
expect_status 0
sed -i '/^#/d; /^$/d' "$tmp/counts"
expect_equal "CPUs counted" "$(shares "$tmp/counts")" "16 15 15 16 16"
expect_match stderr '^tma: CPU 1 went offline'
expect_match stderr '^tma: CPU 1 is back'
fault=

for fault in read=EIO read=end read=short; do
	perf "W8: a counter that cannot be read, with ${fault#read=}, is no failure" # R20
	perf_on skylakex -a -x, -e cycles true
	expect_status 0
	expect_stderr <<-END
	<not counted>,,cycles,0,100.00,,
	END
	tma "W8: a counter that cannot be read, with ${fault#read=}, is no failure"
	tma_on skylakex -a -x, -e cycles true
	expect_status 125
	expect_match stderr '^<not counted>,,cycles,0,'
	expect_match stderr 'cycles could not be read'
done
fault=

# --- Options --------------------------------------------------------------------------------------

perf "W9: a CPU that does not exist is no failure"
run "$PERF" stat -C 65000 -x, -e cpu-clock true
expect_status 0
expect_match stderr '^<not supported>,msec,cpu-clock'
tma W9
run "$TMA" stat -C 65000 -x, -e cpu-clock true
expect_status 125
expect_match stderr 'no CPU 65000'

perf "W10: an interval of 2^32 ms is none" # R34
run "$PERF" stat -x, -I 4294967296 -e task-clock true
expect_status 0
expect_match stderr '^[0-9.]+,msec,task-clock'
tma W10
run "$TMA" stat -x, -I 4294967296 -e task-clock true
expect_status 129
expect_match stderr '4294967296 is not between 1 and 4294967295'

perf "W11: a comma in a name makes two fields of it" # R37
perf_on skylakex -a -x, -e "cpu/event=0x3c,name='a,b'/" true
expect_match stderr '^[0-9]+,,a,b,[0-9]+,100\.00,,$'
tma W11
tma_on skylakex -a -x, -e "cpu/event=0x3c,name='a,b'/" true
expect_match stderr '^[0-9]+,,"a,b",[0-9]+,100\.00,,$'

fault='open:cpu/event=0xc0/=ENOENT'
perf "W12: JSON has all of the time for what was not counted"
perf_on skylakex -a -j -e instructions,cycles true
expect_match stderr '"<not supported>".*"pcnt-running" : 100\.00'
tma W12
tma_on skylakex -a -j -e instructions,cycles true
expect_match stderr '"<not supported>".*"pcnt-running" : 0\.00'
tma_on skylakex -a --format=json --command-output=null -e instructions,cycles true
expect_json "$stdout" '[r["value"] for r in rows if r.get("name") == "instructions"] == [None]'
expect_json "$stdout" 'all(r["running_percent"] in (None, 100) for r in rows)'
fault=

perf "W13: -j --metric-only without metrics has a value that is a word"
run "$PERF" stat -j --metric-only -e page-faults true
expect_match stderr '^\{"metric-value" : "none"\}$'
tma W13
needs_counters
run "$TMA" stat --format=json --command-output=null --metric-only -e page-faults true
expect_match stderr '^tma: no metric is counted'
expect_no_match stdout '^\{'

perf "W14: numbers of JSON are strings"
run "$PERF" stat -j -e task-clock true
expect_match stderr '"counter-value" : "[0-9.]+"'
expect_match stderr '"metric-value" : "[0-9.]+"'
tma W14
needs_counters
run "$TMA" stat --format=json --command-output=null -e task-clock true
expect_json "$stdout" 'len(rows) == 2 and all(isinstance(r["value"], (int, float)) for r in rows)'

# A Skylake whose front end issues more uops than there are slots.
cat >"$tmp/negative" <<'END'
cpuid GenuineIntel-6-55-4
cpus 0-1
core 0-1
pmu cpu
type 4
kind core
counters 8
fixed 3
format event config:0-7
format umask config:8-15
format edge config:18
format any config:21
format inv config:23
format cmask config:24-31
generic cpu-cycles event=0x3c
generic instructions event=0xc0
rate event=0x3c 1G
rate event=0x0e,umask=0x01 20G
hash 0.1G 2G
end
END
perf "W15: CSV has no negative values" # R30
perf_on "$tmp/negative" -a -x, -M tma_backend_bound true
expect_match stderr ',,%  tma_backend_bound$'
perf_on "$tmp/negative" -a -j -M tma_backend_bound true
expect_match stderr '"-[0-9.]+", "metric-unit" : "%  tma_backend_bound"'
tma W15
tma_on "$tmp/negative" -a -x, -M tma_backend_bound true
expect_match stderr ',-[0-9]+\.[0-9],%  tma_backend_bound$'

tma "W16: % by a number between 0 and 1 divides by the integer 0" # R31
for divisor in 0.5 '(1 / 3)' '(0 - 1)' '(0 * cycles)'; do
	for number in cycles '(0 - 9223372036854775808)' 'cycles * 1e300'; do
		tma_on skylakex -a -x, -M "m = $number % $divisor" true
		expect_status 0
		expect_match stderr '[, ]m$'
	done
done

# --- Metrics, programs, locales ----------------------------------------------------------------------

# perf 6.1 counted its default events instead; perf 6.12 reports the error, and exits with -EINVAL.
perf "W17: a metric that does not exist gives a status that is no status"
run "$PERF" stat -M nosuch true
expect_status 234
tma W17
run "$TMA" stat -M nosuch true
expect_status 125
expect_match stderr "no metric or metric group 'nosuch'"
expect_no_match stderr task-clock
mkdir -p "$tmp/sys/bus/event_source/devices" "$tmp/sys/devices/system/cpu"
for list in online present possible; do
	echo "0-$((cpus - 1))" >"$tmp/sys/devices/system/cpu/$list"
done
run env SYSFS_PATH="$tmp/sys" "$TMA" stat -M nosuch true
expect_status 125
expect_no_match stderr task-clock

perf "W18: a command that cannot be run has one status, whatever the reason"
run "$PERF" stat -e task-clock /nonexistent/command
expect_status 255
run "$PERF" stat -e task-clock /etc/passwd
expect_status 255
tma W18
needs_counters
run "$TMA" stat -e task-clock /nonexistent/command
expect_status 127
run "$TMA" stat -e task-clock /etc/passwd
expect_status 126
expect_no_match stderr 'Performance counter'

# german PROGRAM ARG ...: run a program in a locale with a decimal comma
german()
{
	run env LOCPATH="$locales" LC_ALL=de_DE.UTF-8 "$@"
}

perf "W20: JSON and CSV have the locale's decimal comma" # R36
needs_locale de_DE
german "$PERF" stat -j -e task-clock true
expect_match stderr '"pcnt-running" : 100,00'
german "$PERF" stat -x, -e task-clock true
expect_match stderr '^[0-9]+,[0-9]{2},msec,task-clock'
tma W20
needs_counters
needs_locale de_DE
german "$TMA" stat -j -e task-clock true
expect_json "$stderr" 'rows[0]["pcnt-running"] == 100'
german "$TMA" stat -x, -e task-clock true
expect_match stderr '^[0-9]+\.[0-9]{2},msec,task-clock(:u)?,[0-9]+,100\.00,[0-9.]+,CPUs utilized$'
for format in json csv-wide prom; do
	german "$TMA" stat --format=$format --command-output=null -e task-clock true
	expect_no_match stdout '[0-9],[0-9]{2}([^0-9]|$)'
	expect_match stdout '[0-9]\.[0-9]'
done

perf "W21: options that make no sense together are accepted"
run "$PERF" stat -x '' -e task-clock true
expect_status 0
expect_match stderr '^[0-9]+\.[0-9]+msectask-clock[0-9]'
run "$PERF" stat -x, -I 100 -r 2 -e task-clock true
expect_status 0
tma W21
run "$TMA" stat -x '' -e task-clock true
expect_status 129
run "$TMA" stat -x, -I 100 -r 2 -e task-clock true
expect_status 129
expect_match stderr '-r and -I cannot be combined'
# A process that did nothing while it was counted: the count has no value.
needs_counters
start_idle
run "$TMA" stat -x, -e task-clock -p "$idle" sleep 0.05
expect_all_match stderr '^<not counted>,msec,task-clock'
end_idle

# clock_error PROGRAM: print the difference, in millionths, between the time that a rate by
# duration_time was computed with and the time that is printed
clock_error()
{
	run env LD_PRELOAD="$sim_library" TMA_MACHINE=skylakex "$1" stat -a -j \
		-M tma_info_memory_l1d_cache_fill_bw -- true
	grep '^{' "$stderr" >"$tmp/lines"
	python3 - "$tmp/lines" <<'END'
import json
import sys

rows = [json.loads(line) for line in open(sys.argv[1])]
count = {r["event"]: float(r["counter-value"]) for r in rows if "event" in r}
rate = next(float(r["metric-value"]) for r in rows if "fill_bw" in r["metric-unit"])
print(round(1e6 * abs(rate * count["duration_time"] / (64 * count["L1D.REPLACEMENT"]) - 1)))
END
}

perf "W22: metrics are computed with another duration_time than the one printed"
needs_command python3
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ $test_state = ok ] || break
	error=$(clock_error "$PERF")
	[ "$error" -lt 1000 ] || break
done
expect_between "error, in millionths" "${error-0}" 1000 1000000000
tma W22
needs_command python3
[ $test_state != ok ] || expect_between "error, in millionths" "$(clock_error "$TMA")" 0 100
