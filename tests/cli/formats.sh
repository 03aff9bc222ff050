#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --format and --header with software events of the real kernel: their output, conflicting options,
# and a Prometheus file that is complete whenever it is read.
. "$(dirname "$0")/lib.sh"

check=tests/formats/check.py
schema=Documentation/tma-json.schema.json
events=task-clock,page-faults,cs

"$TMA" stat -e task-clock true 2>/dev/null || skip_all "perf_event_open(2) is refused here"

# read_by CHECK FILE ...: check.py can read the files by this check
read_by()
{
	needs_command python3
	[ $test_state = ok ] || return 0
	python3 -B "$check" "$@" 2>"$tmp/wrong" || fail "$1 cannot be read" "$tmp/wrong"
}

begin "--format csv, json-perf and text are -x, -j and neither"
run "$TMA" stat --format=csv -e $events true
expect_all_match stderr '^[0-9.]+,(msec)?,(task-clock(:u)?|page-faults(:u)?|cs(:u)?),[0-9]+,100\.00,'
run "$TMA" stat --format csv -x ';' -e page-faults true
expect_match stderr '^[0-9]+;;page-faults(:u)?;'
run "$TMA" stat --format=json-perf -e $events true
expect_all_match stderr '^\{"counter-value" : "[0-9.]+", "unit" : "(msec)?", "event" : '
run "$TMA" stat -j --format=json-perf -e page-faults true
expect_status 0
run "$TMA" stat --format=text -e page-faults true
expect_match stderr "^ Performance counter stats for 'true':"

begin "an unknown format is reported, with the list of formats"
run "$TMA" stat --format=yaml true
expect_status 129
expect_match stderr "^tma: --format: unknown format 'yaml'; use text, csv, json-perf, csv-wide, json, prom"

# excluded WHY ARG ...: the options exclude each other, and a message says why
excluded()
{
	why=$1
	shift
	begin "stat $* contradicts itself"
	run "$TMA" stat "$@"
	expect_status 129
	expect_match stderr "^tma: $why"
}

excluded "-j is --format=json-perf" -j --format=json true
excluded "-x is for csv and csv-wide" -x, --format=json true
excluded "-x is for csv and csv-wide" -x, --format=text true
excluded "--header is for CSV" --header true
excluded "--header is for CSV" --header --format=json true
excluded "--no-header is for CSV: a Markdown table needs its heading" --no-header --format=markdown true
excluded "--format=prom replaces its file" --format=prom --append -o "$tmp/x" true
excluded "--format=prom replaces a file at each interval" --format=prom -I 100 true
excluded "--format=prom replaces a file at each interval" --format=prom -I 100 -o - true
excluded "--format=prom counts since the start" --format=prom -I 100 --summary -o "$tmp/x" true
excluded "-r and --format=prom cannot be combined" --format=prom -r 2 true

begin "--header names the columns, once, whatever comes"
run "$TMA" stat -x, --header -I 10 --interval-count 30 --summary --no-csv-summary -e $events sleep 0.35
expect_status 0
expect_equal "the first line" "$(head -n 1 "$stderr")" \
	"time,counter-value,unit,event,event-runtime,pcnt-running,metric-value,metric-unit"
expect_equal "headers" "$(grep -c time, "$stderr")" 1
expect_equal "numbers of fields" "$(awk -F, '{ print NF }' "$stderr" | sort -u)" 8
expect_match stderr '^,[0-9.]+,msec,task-clock(:u)?,'

begin "without --header the first line is data, as in perf"
run "$TMA" stat -x, -e page-faults true
expect_all_match stderr '^[0-9]+,,page-faults(:u)?,'

begin "a file begins with its header, and appended rows have no header"
for format in "-x, --header" --format=csv-wide; do
	rm -f "$tmp/rows"
	# shellcheck disable=SC2086 # two words
	for _ in 1 2 3; do
		run "$TMA" stat $format --append -o "$tmp/rows" -e page-faults true
		expect_status 0
	done
	expect_match "$tmp/rows" 'page-faults'
	expect_no_match "$tmp/rows" '^#|^$'
	expect_lines "$tmp/rows" 4
	expect_equal "headers" "$(grep -c -E '(unit,|status,)' "$tmp/rows")" 1
done
run "$TMA" stat -x, -o "$tmp/rows" -e page-faults true
expect_match "$tmp/rows" '^# started on '

begin "nothing is added below a header of other columns"
for args in "--format=csv-wide -e task-clock" "-x, --header -I 10 -e page-faults" \
	"-x, --header -r 2 -e page-faults"; do
	rm -f "$tmp/rows"
	run "$TMA" stat ${args%% -[eIr] *} --append -o "$tmp/rows" -e page-faults true
	expect_status 0
	cp "$tmp/rows" "$tmp/before"
	# shellcheck disable=SC2086 # several words
	run "$TMA" stat $args --append -o "$tmp/rows" sh -c "echo x >$tmp/ran"
	expect_status 125
	expect_match stderr '^tma: --append: the header of .*rows: write to another file$'
	expect_equal "the rows" "$(cat "$tmp/rows")" "$(cat "$tmp/before")"
	expect_equal "the command" "$(ls "$tmp/ran" 2>/dev/null)" ""
done

begin "an empty line and a heading precede a second table"
for _ in 1 2; do
	run "$TMA" stat --format=markdown --append -o "$tmp/tables" -e page-faults true
	expect_status 0
done
expect_equal "headings" "$(grep -c '^| time ' "$tmp/tables")" 2
expect_equal "the line before the second" "$(sed -n 4p "$tmp/tables")" ""
expect_lines "$tmp/tables" 7

begin "--no-header leaves out that of csv-wide"
run "$TMA" stat --format=csv-wide --command-output=null --no-header -e page-faults true
expect_lines stdout 1
expect_match stdout '^[0-9.]+,[0-9.]+,run,counted,100,[0-9]+,$'
run "$TMA" stat --format=csv-wide --no-header -o "$tmp/rows" -e page-faults true
expect_lines "$tmp/rows" 1
expect_match "$tmp/rows" '^[0-9.]+,[0-9.]+,run,counted,100,[0-9]+,$'

begin "json and csv-wide of a command, intervals and runs can be read"
for args in "true" "-I 20 sleep 0.1" "-I 20 --summary sleep 0.1" "-r 3 true"; do
	for format in json csv-wide; do
		# shellcheck disable=SC2086 # several words
		run "$TMA" stat --format=$format -o "$tmp/$format" -e $events,duration_time $args
		expect_status 0
	done
	# These are two runs, so their values differ.
	read_by json $schema "$tmp/json"
	read_by wide "$tmp/csv-wide"
done
expect_match "$tmp/json" '"row":"mean".*"name":"task-clock(:u)?".*"spread_percent":[0-9.]+'
expect_match "$tmp/csv-wide" ',task-clock(:u)? spread,'

begin "an event that this machine cannot count is null, with the reason"
[ -d /sys/bus/event_source/devices/cpu ] && skip "this machine has cycles"
run "$TMA" stat --format=json --command-output=null -e cycles,page-faults true
expect_match stdout '"name":"cycles(:u)?",.*"value":null,.*"status":"not supported","reason":"this (virtual )?machine (or kernel )?does not have it(: [^"]*)?"'
expect_match stdout '"name":"page-faults(:u)?",.*"value":[0-9]+,.*"status":"counted","reason":""'
run "$TMA" stat --format=csv-wide --command-output=null -e cycles,page-faults true
expect_match stdout ',run,not supported,100,,[0-9]+,cycles(:u)?: this (virtual )?machine (or kernel )?does not have it(: .*)?$'

begin "a task that does not run has no counts, and no zeros"
start_idle
run "$TMA" stat --format=json -p "$idle" --per-thread -e page-faults --timeout 50
end_idle
expect_match stdout '"comm":"sleep",.*"value":null,.*"reason":"the task did not run while it was enabled"'

begin "CPUs, cores and sockets of this machine"
needs_system_wide
for rows in -A --per-core --per-socket --per-node; do
	for format in json csv-wide prom; do
		run "$TMA" stat -a $rows --format=$format -o "$tmp/$format" -e cpu-clock,cs \
			-I 50 --interval-count 2
		expect_status 0
	done
	read_by json $schema "$tmp/json"
	read_by wide "$tmp/csv-wide"
	read_by prom "$tmp/prom"
done

# Open the file many times, as node_exporter may: it always exists and is complete, and counters
# never decrease.
begin "the file of prom is whole whenever it is read"
rm -rf "$tmp/dir"
mkdir "$tmp/dir"
"$TMA" stat --format=prom -o "$tmp/dir/tma.prom" -I 1 -e $events -- \
	sh -c "while [ ! -e $tmp/enough ]; do sleep 0.01; done" 2>"$stderr" &
writer=$!
reads=0 last=0 wrong=
while kill -0 $writer 2>/dev/null; do
	[ -e "$tmp/dir/tma.prom" ] || continue
	cat "$tmp/dir/tma.prom" >"$tmp/read"
	reads=$((reads + 1))
	[ $reads != 50 ] || touch "$tmp/enough"
	[ "$(grep -c '^tma_event_status{' "$tmp/read")" = 3 ] || wrong="not whole"
	[ "$(tail -n 1 "$tmp/read" | cut -c1-12)" = "tma_metric_s" ] || wrong="cut short"
	now=$(sed -n 's/^tma_measured_seconds_total //p' "$tmp/read")
	awk -v a="$last" -v b="$now" 'BEGIN { exit !(b + 0 >= a + 0 && b != "") }' || wrong="back in time"
	last=$now
	[ -z "$wrong" ] || break
done
touch "$tmp/enough"
wait $writer || fail "the writer failed"
[ -z "$wrong" ] || fail "$wrong" "$tmp/read"
expect_between "how often it was read" $reads 50 1000000
expect_equal "files beside it" "$(find "$tmp/dir" -type f | wc -l)" 1
read_by prom "$tmp/dir/tma.prom"

begin "prom reports a file that it cannot replace before it counts"
run "$TMA" stat --format=prom -o /nonexistent/x -e page-faults touch "$tmp/ran"
expect_status 125
expect_match stderr '^tma: cannot write /nonexistent/x: No such file or directory'
[ ! -e "$tmp/ran" ] || fail "the command was run"
run "$TMA" stat --format=prom -o /dev/null -e page-faults true
expect_status 125
expect_match stderr '/dev/null is not a regular file'
[ -c /dev/null ] || fail "/dev/null has gone"

begin "output that cannot be written whole is a failure in every format"
for format in csv-wide json text csv json-perf prom; do
	run sh -c "\"\$0\" stat --format=$format --log-fd 3 -e page-faults true 3>/dev/full" "$TMA"
	expect_status 125
	expect_match stderr 'No space left on device'
done

begin "a reading is written in other formats afterwards"
"$TMA" stat record -o "$tmp/perf.data" -I 20 -e $events sleep 0.1 >/dev/null 2>&1
for format in json csv-wide prom; do
	run "$TMA" stat report -i "$tmp/perf.data" --format=$format -o "$tmp/$format"
	expect_status 0
done
read_by all $schema "$tmp/json" "$tmp/csv-wide" "$tmp/prom"
# A text does not tell how many CPUs a number is for, or how long a single row was.
run "$TMA" stat report -i "$tmp/perf.data" -x, --header -o "$tmp/text"
run "$TMA" stat report -i "$tmp/text" --format=json -o "$tmp/json"
read_by json $schema "$tmp/json"
expect_no_match "$tmp/json" '"cpus"'
run "$TMA" stat report -i "$tmp/perf.data" --format=prom
expect_status 125
expect_match stderr '^tma: --format=prom replaces a file at each interval'

begin "rows of tma's own formats go to standard output, those of perf's to standard error"
for format in json csv-wide prom markdown tree trace html; do
	sim sapphirerapids stat -a --topdown --timeout 20 --format=$format
	expect_status 0
	expect_match stdout tma_retiring
	expect_no_match stderr '%.*tma_retiring'
done
for format in text csv json-perf; do
	sim sapphirerapids stat -a --topdown --timeout 20 --format=$format
	expect_empty stdout
	expect_match stderr tma_retiring
	sim sapphirerapids stat -a --topdown --timeout 20 --format=$format -o -
	expect_match stdout tma_retiring
	expect_no_match stderr '%.*tma_retiring'
done

begin "rows for programs are not printed among the output of a command"
for words in "--format=json echo said" "--format=csv-wide -o - echo said" "-x, -o - echo said" \
	"--format=json --pre true -p $$ --timeout 20"; do
	# shellcheck disable=SC2086 # several words
	run "$TMA" stat -e page-faults $words
	expect_status 129
	expect_match stderr '^tma: .* would be among the rows on standard output: .*-o FILE, or .*--command-output='
	expect_empty stdout
done
run "$TMA" stat -e page-faults --format=tree echo said
expect_status 0
expect_match stdout '^said$'

begin "--command-output sends what commands print elsewhere"
run "$TMA" stat -e page-faults --format=json --command-output=stderr --pre 'echo before' echo said
expect_status 0
expect_all_match stdout '^\{"schema":1,'
expect_match stderr '^said$'
expect_match stderr '^before$'
run "$TMA" stat -e page-faults --format=json --command-output=null echo said
expect_all_match stdout '^\{"schema":1,'
expect_empty stderr
run "$TMA" stat -e page-faults -r 2 --command-output "$tmp/said" echo said
expect_empty stdout
expect_equal "what two runs said" "$(cat "$tmp/said")" "said
said"
run "$TMA" stat --command-output "$tmp/none/said" -e page-faults true
expect_status 125
expect_match stderr "cannot open .*none/said for writing"
excluded "--command-output needs a command" --command-output=null -a
excluded "-o and --command-output name the same file" --command-output="$tmp/said" -o "$tmp/said" true

begin "a recording is written to a pipe when that is asked for, and never to a terminal"
cd "$tmp" || exit
run sh -c "\"$TMA\" stat record -e page-faults true | cat"
cd "$OLDPWD" || exit
expect_empty stdout
[ -s "$tmp/perf.data" ] || fail "there is no perf.data"
run sh -c "\"$TMA\" stat record -o - -e page-faults true | \"$TMA\" stat report -o -"
expect_match stdout page-faults
needs_command script
run sh -c "script -qec \"'$TMA' stat record -o - -e page-faults true\" /dev/null </dev/null"
expect_match stdout 'a recording cannot be written to a terminal'
