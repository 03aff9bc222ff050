#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Recordings on the real kernel: tma and perf report the recorded counts, from files and pipes, with
# any options; text as input; damaged files.
. "$(dirname "$0")/lib.sh"

data=$tmp/x.data

# record ARG ...: leave a recording in $data, and the output without the heading in $tmp/live
record()
{
	[ $test_state = ok ] || return 0
	run "$TMA" stat record -o "$data" "$@"
	rows <"$stderr" >"$tmp/live"
}

# report ARG ...: leave the output without the heading in $tmp/report
report()
{
	[ $test_state = ok ] || return 0
	run "$TMA" stat report -i "$data" "$@"
	rows <"$stderr" >"$tmp/report"
}

# The heading has the command line, and a recording does not have the CPU time of a command.
rows()
{
	sed -e '/^ Performance counter stats for /d' -e '/ seconds \(user\|sys\)$/d' -e '/^$/d' \
		-e '/^tma: .* was recorded on simulated machine /d'
}

expect_live_rows()
{
	[ $test_state = ok ] || return 0
	[ -s "$tmp/report" ] || fail "nothing was reported"
	diff -u --label live --label report "$tmp/live" "$tmp/report" >"$tmp/diff" ||
		fail "differs from what was printed when counting" "$tmp/diff"
}

begin "what is reported is what was printed"
needs_counters
record -e task-clock,page-faults,context-switches,duration_time true
expect_status 0
expect_match "$tmp/live" ' task-clock(:u)? '
report
expect_status 0
expect_live_rows
expect_empty stdout

begin "the heading is the command line"
needs_counters
report
expect_match stderr "^ Performance counter stats for '.*stat record -o $data .* true':$"

begin "a clock is not a latency, even if its name ends like one"
needs_counters
record -e 'cpu-clock/name=foo:R/' true
expect_match "$tmp/live" '^ +[0-9.]+ msec foo:Ru? '
report
expect_live_rows
run "$TMA" stat -x, -o "$tmp/x.csv" -e 'cpu-clock/name=foo:R/' true
run "$TMA" stat report -i "$tmp/x.csv"
expect_match stderr '^ +[0-9.]+ msec foo:Ru? '
run "$TMA" --machine skylakex stat record -o "$data" -e 'cpu/event=0xc0,name=foo:R/' true
grep -v '^tma:' "$stderr" | rows >"$tmp/live"
report
expect_live_rows

begin "the status is the workload's"
needs_counters
record -e task-clock sh -c 'exit 7'
expect_status 7
report
expect_status 0

begin "an unsupported event is unsupported in the report"
needs_counters
record -e task-clock,cpu/event=0/ true
[ -d /sys/bus/event_source/devices/cpu ] && skip "this machine has a core PMU"
record -e task-clock,cycles true
report
expect_live_rows

begin "rows of intervals are of their own time"
needs_counters
record -I 50 --interval-count 3 -e task-clock,page-faults sh -c 'while :; do :; done & sleep 0.3; kill $!'
report
expect_live_rows

begin "of CPUs, and put together in other ways"
needs_system_wide
record -a -I 50 --interval-count 2 -e cpu-clock,context-switches -A
report
# As in perf, the file's names are used.
sed -i 's/ \[software\]/           /' "$tmp/live"
expect_live_rows
report --global -x,
expect_lines stderr 4
"$TMA" stat report -i "$data" -x, -A 2>&1 | cut -d, -f1-6 >"$tmp/cpus"
awk -F, '{ sum[$1 "," $5] += $3 } END { for (i in sum) print i "," sum[i] }' "$tmp/cpus" |
	sort >"$tmp/sums"
cut -d, -f1,4,2 "$stderr" | awk -F, '{ print $1 "," $3 "," $2 }' | sort >"$tmp/global"
grep context-switches "$tmp/sums" >"$tmp/want.sums"
grep context-switches "$tmp/global" | diff -u "$tmp/want.sums" - >"$tmp/diff" ||
	fail "the CPUs do not add up" "$tmp/diff"
report --per-socket
expect_status 0
expect_match stderr ' S[0-9]+ +[0-9]+ +.* cpu-clock(:u)? '

begin "a part of the time"
needs_system_wide
record -a -I 50 --interval-count 4 -e cpu-clock
# The range is between the real times of the rows, since each may be late.
grep cpu-clock "$tmp/live" >"$tmp/live.rows"
early=$(awk 'NR == 2 { print ($1 + last) / 2 } { last = $1 }' "$tmp/live.rows")
late=$(awk 'NR == 4 { print ($1 + last) / 2 } { last = $1 }' "$tmp/live.rows")
report --time "$early,$late"
expect_status 0
sed -n 2,3p "$tmp/live.rows" >"$tmp/want.rows"
grep cpu-clock "$tmp/report" | diff -u "$tmp/want.rows" - >"$tmp/diff" || fail "other rows" "$tmp/diff"
report --time ",$early"
expect_equal rows "$(grep -c cpu-clock "$tmp/report")" 1
report --time "$early,"
expect_equal rows "$(grep -c cpu-clock "$tmp/report")" 3

begin "the sum of the rows follows them"
needs_system_wide
record -a -I 50 --interval-count 3 -e context-switches
report --summary -x,
expect_lines stderr 4
expect_equal "the sum" "$(sed -n 's/^summary,\([0-9]*\),.*/\1/p' "$stderr")" \
	"$(awk -F, '!/^summary/ { n += $2 } END { print n }' "$stderr")"

begin "in other formats"
needs_counters
record -e task-clock,page-faults true
report -x\;
expect_match stderr '^[0-9.]+;msec;task-clock(:u)?;[0-9]+;100\.00;[0-9.]+;CPUs utilized$'
report -j
expect_match stderr '^\{"counter-value" : "[0-9.]+", "unit" : "msec", "event" : "task-clock(:u)?", '
report -o "$tmp/out"
expect_empty stderr
expect_match "$tmp/out" ' page-faults(:u)? '

begin "an old recording is kept"
needs_counters
rm -f "$data" "$data.old"
record -e task-clock true
cp "$data" "$tmp/first"
record -e page-faults true
run cmp "$data.old" "$tmp/first"
expect_status 0

begin "the name is perf.data unless another is given"
needs_counters
mkdir "$tmp/dir"
tma_path=$(command -v "$TMA" || echo "$TMA")
case $tma_path in /*) ;; *) tma_path=$PWD/$tma_path ;; esac
run sh -c "cd '$tmp/dir' && '$tma_path' stat rec -e task-clock true && '$tma_path' stat repo </dev/null"
expect_status 0
expect_match stderr 'stat rec -e task-clock true'

begin "through a pipe, without a file"
needs_counters
run sh -c "'$TMA' stat record -o - -e task-clock,page-faults true | '$TMA' stat report"
expect_status 0
expect_match stderr " Performance counter stats for '.* stat record -o - -e task-clock,page-faults true':"
expect_match stderr '^ +[0-9]+ +page-faults(:u)? '
expect_empty stdout
expect_no_match stderr 'seconds user'

begin "a file comes through a pipe too"
needs_counters
record -e task-clock,page-faults true
run sh -c "cat '$data' | '$TMA' stat report -x,"
expect_status 0
expect_lines stderr 2

begin "a signal completes the recording"
needs_counters
for signal in INT TERM; do
	[ $test_state = ok ] || continue
	rm -f "$data"
	# A command in the background ignores SIGINT, unless it sets a handler, as tma does.
	"$TMA" stat record -o "$data" -e task-clock,page-faults env --default-signal=INT sleep 60 \
		>"$stdout" 2>"$stderr" &
	pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -s "$data" ] && break
		sleep 0.1
	done
	sleep 0.2
	kill -$signal $pid
	wait $pid
	report
	expect_status 0
	expect_match stderr ' page-faults(:u)? '
	expect_match stderr 'seconds time elapsed'
	expect_no_match stderr 'not completed'
done

begin "what was written before a SIGKILL is reported"
needs_counters
rm -f "$data"
"$TMA" stat record -o "$data" -I 50 -e task-clock,page-faults sleep 3 >"$stdout" 2>"$stderr" &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.2
	"$TMA" stat report -i "$data" -x, 2>&1 | grep -q ,page-faults, && break
done
kill -KILL $pid
wait $pid 2>/dev/null
report -x,
expect_status 0
expect_match stderr '^0\.[0-9]+,.*,page-faults(:u)?,'

begin "a recording that cannot be written is a failure"
needs_counters
[ -w /dev/full ] || skip "there is no /dev/full"
run "$TMA" stat record -o /dev/full -e task-clock true
expect_status 125
expect_match stderr '^tma: cannot write /dev/full: No space left on device$'
run "$TMA" stat record -o "$tmp/no/x" -e task-clock true
expect_status 125
expect_match stderr "^tma: cannot open $tmp/no/x for writing: No such file or directory$"

begin "a recording is completed though its rows cannot be printed"
needs_counters
[ -w /dev/full ] || skip "there is no /dev/full"
run sh -c "\"$TMA\" stat record -o \"$data\" -e task-clock true 2>/dev/full"
expect_status 125
report
expect_status 0
expect_match "$tmp/report" ' task-clock(:u)? '
# The command line is one of the features at the end of the file.
expect_match stderr "stat record -o $data -e task-clock true"

begin "options that do not go together"
needs_counters
run "$TMA" stat record -r 3 true
expect_status 129
run "$TMA" stat record -n true
expect_status 129
run "$TMA" stat report --global -A
expect_status 129
run "$TMA" stat report -i x.data y.data
expect_status 129
expect_match stderr "^tma: -i x.data and the argument 'y.data' are both files: name all files as arguments$"
record -e task-clock true
report --time 1,2
expect_status 125
expect_match stderr 'needs counts taken with -I'
report -A
expect_status 125
expect_match stderr 'tasks were counted, and not CPUs'

begin "CSV and JSON are recordings too"
needs_counters
for format in -x, '-x;' -j; do
	run "$TMA" stat $format -o "$tmp/text" -e task-clock,page-faults,duration_time true
	run "$TMA" stat report -i "$tmp/text" -x,
	expect_status 0
	cut -d, -f1-5 "$stderr" >"$tmp/got"
	case $format in
	-j) continue ;;
	esac
	grep -v -e '^#' -e '^$' "$tmp/text" | tr ';' , | cut -d, -f1-5 | diff -u - "$tmp/got" >"$tmp/diff" ||
		fail "the counts of $format differ" "$tmp/diff"
done

begin "rows and CPUs of text"
needs_system_wide
run "$TMA" stat -a -A -I 50 --interval-count 2 -x, -o "$tmp/text" -e cpu-clock,context-switches
run "$TMA" stat report -i "$tmp/text" -x,
expect_status 0
# The fields after the counts are computed from clocks that have 10 us steps.
cut -d, -f1-7 "$stderr" >"$tmp/got"
grep -v -e '^#' -e '^$' "$tmp/text" | cut -d, -f1-7 | diff -u - "$tmp/got" >"$tmp/diff" ||
	fail "the rows differ" "$tmp/diff"
run "$TMA" stat report -i "$tmp/text" -x, --global
expect_lines stderr 4

begin "for a text, a message says what is unknown"
needs_counters
run "$TMA" stat -x, -o "$tmp/text" -e page-faults true
run "$TMA" stat report -i "$tmp/text"
expect_no_match stderr 'seconds time elapsed'
run "$TMA" stat report -i "$tmp/text" -A
expect_status 125
expect_match stderr 'cannot be aggregated in this way'

begin "a message says that a file is not a recording"
for file in /dev/null /bin/sh "$0" "$tmp/none" "$tmp"; do
	run "$TMA" stat report -i "$file"
	expect_status 125
	expect_match stderr "^tma: (cannot (open|read) )?$file"
done
printf '2ELIFREP%096d' 0 >"$tmp/swapped"
run "$TMA" stat report -i "$tmp/swapped"
expect_match stderr 'other byte order: not supported$'

# A recording that never comes to its first count.
cat >"$tmp/flood.py" <<'END'
import os, struct, sys
record = lambda type, body: struct.pack("=IHH", type, 0, 8 + len(body)) + body
attr = struct.pack("=IIQQQ", 1, 64, 0, 1000, 0x10007).ljust(64, b"\0")
floods = {"names": record(3, struct.pack("=II", 1, 1) + b"x" * 40000 + bytes(8)),
          "bursts": record(78, struct.pack("=QQQQiiII", 0x746d6107, 7, 1, 2, 3, 4, 1, 0)) * 500}
text = b"PERFILE2" + struct.pack("=Q", 16) + record(64, attr + struct.pack("=Q", 7))
try:
    while True:
        os.write(1, text)
        text = floods[sys.argv[1]]
except BrokenPipeError:
    pass
END

begin "a recording that does not come to its first count is not read for ever"
needs_command python3
for kind in names bursts; do
	run sh -c "python3 -B '$tmp/flood.py' $kind | timeout 100 '$TMA' stat report -i -"
	expect_status 125
	expect_match stderr ' has more than 256 MB of records on processes and events before its first count'
done

begin "a damaged recording is reported up to the damage"
needs_system_wide
record -a -I 50 --interval-count 3 -e cpu-clock,context-switches
expect_equal rows "$(grep -c cpu-clock "$tmp/live")" 3
size=$(wc -c <"$data")
# The cut is somewhere in the third row: features follow the records.
head -c $((size * 20 / 100)) "$data" >"$tmp/cut"
run "$TMA" stat report -i "$tmp/cut"
expect_status 125
expect_match stderr "^tma: $tmp/cut: byte [0-9]+: "

# --- With perf ------------------------------------------------------------------------------------

# same_report FILE ARG ...: perf and tma report the same of a file
same_report()
{
	[ $test_state = ok ] || return 0
	file=$1
	shift
	command_shown="tma stat report -i $file $*"
	"$PERF" stat report -i "$file" "$@" >"$tmp/perf.out" 2>&1 </dev/null
	"$TMA" stat report -i "$file" "$@" >"$tmp/tma.out" 2>&1 </dev/null
	grep -q '[0-9]' "$tmp/perf.out" || fail "perf reported nothing"
	diff -u --label perf --label tma "$tmp/perf.out" "$tmp/tma.out" >"$tmp/diff" ||
		fail "differs from perf" "$tmp/diff"
}

# same_both ARG ...: perf and tma report the same of a recording by perf, and of one by tma
same_both()
{
	begin "perf reports the same of stat record $*"
	needs_perf
	[ $test_state = ok ] || return 0
	"$PERF" stat record -o "$tmp/perf.data" "$@" >/dev/null 2>&1 </dev/null
	"$TMA" stat record -o "$tmp/tma.data" "$@" >/dev/null 2>&1 </dev/null
	for of in perf tma; do
		same_report "$tmp/$of.data"
	done
}

sleep 60 &
sleeper=$!
same_both -e task-clock,page-faults true
same_both -e '{task-clock,page-faults},context-switches' true
same_both -e task-clock:u,page-faults:k true
same_both -p $sleeper -e task-clock,page-faults --timeout 50
same_both -t $sleeper -e task-clock --per-thread --timeout 50
same_both true
if "$TMA" stat -a -e cpu-clock --timeout 10 2>/dev/null; then
	same_both -a -e cpu-clock,context-switches --timeout 50
	same_both -C 0 -e cpu-clock --timeout 50
	for rows in -A --per-core --per-socket --per-die --per-node --per-cluster; do
		same_both -a $rows -e cpu-clock,context-switches --timeout 50
		same_report "$tmp/perf.data" --per-core
		same_report "$tmp/tma.data" --per-socket
	done
fi
kill $sleeper

begin "perf reports what tma writes to a pipe"
needs_perf
run sh -c "'$TMA' stat record -o - -e task-clock,page-faults,duration_time true | '${PERF-}' stat report -i -"
expect_match stderr '^ +[0-9]+ +page-faults(:u)? '
expect_match stderr '^ +[0-9]+ ns +duration_time '

begin "tma reports what perf writes to a pipe"
needs_perf
run sh -c "'${PERF-}' stat record -o - -e task-clock,page-faults true | '$TMA' stat report -i -"
expect_status 0
expect_match stderr "^ Performance counter stats for 'pipe':$"
expect_match stderr '^ +[0-9]+ +page-faults(:u)? '

begin "perf's rows are those of their own time"
needs_perf
needs_system_wide
[ $test_state = ok ] && "$PERF" stat record -o "$data" -a -I 50 --interval-count 3 \
	-e context-switches sleep 1 2>&1 | sed 's/ *$//' >"$tmp/live"
report
sed -i 's/ *$//' "$tmp/report"
expect_live_rows

begin "a recording whose writer was killed says so, and keeps its CPU" # R71
run sh -c 'TMA_SIM_STEP= ; unset TMA_SIM_STEP
	"$1" --machine skylakex stat record -o "$2" -a --topdown -I 100 -- sleep 30 &
	until [ "$(stat -c %s "$2" 2>/dev/null || echo 0)" -gt 20000 ]; do sleep 0.1; done
	command=$(pgrep -P $! sleep)
	kill -KILL $!
	kill -KILL $command' sh "$TMA" "$tmp/killed"
run "$TMA" stat report -i "$tmp/killed"
expect_status 0
expect_match stderr '^tma: the recording is incomplete: it is reported as far as it goes$'
expect_match stderr "recorded on simulated machine 'skylakex'"
expect_no_match stderr 'do not name their CPU'
run sh -c 'ulimit -f 16; "$1" --machine skylakex stat record -o "$2" -a --topdown -I 20 -- sleep 2' sh "$TMA" "$tmp/limited"
expect_match stderr 'cannot write .*: File too large$'
run "$TMA" stat report -i "$tmp/limited"
expect_match stderr '^tma: the recording is incomplete: it is reported as far as it goes$'
