#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Programs that read the output of perf stat, each with its own command line: read.py keeps to their
# rules. Those of perf itself are tests/perf/suite.
. "$(dirname "$0")/../fault/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"

# reads FILE CLIENT [ARG ...]: the client can read the file; $tmp/values has the values that it
# takes
reads()
{
	[ $test_state = ok ] || return 0
	file=$1
	client=$2
	shift 2
	python3 tests/clients/read.py "$client" "$file" "$@" >"$tmp/values" 2>"$tmp/refused" ||
		fail "$(tail -n 1 "$tmp/refused")" "$file"
}

# expect_values N REGEX: the client has taken N values, and each of them has this form
expect_values()
{
	[ $test_state = ok ] || return 0
	got=$(wc -l <"$tmp/values")
	[ "$got" = "$1" ] || fail "it took $got values, not $1" "$tmp/values"
	! grep -v -E -e "^$2\$" "$tmp/values" >"$tmp/odd" || fail "values of another form than $2" "$tmp/odd"
}

# names: print the names of the values, in their order
names()
{
	cut -d' ' -f2 "$tmp/values" | paste -s -d,
}

# make_cgroup: make $cgroup, in the place where counters of cgroups are searched for
make_cgroup()
{
	needs_root
	needs_system_wide
	[ $test_state = ok ] || return 0
	cgroup=tma-test-$$
	cgroup_dir=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
	[ -n "$cgroup_dir" ] || cgroup_dir=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -n "$cgroup_dir" ] && mkdir "$cgroup_dir/$cgroup" 2>/dev/null || skip "no cgroup can be made here"
}

remove_cgroup()
{
	[ $test_state != ok ] || rmdir "$cgroup_dir/$cgroup"
}

# as_perf MACHINE ARG ...: run tma under the name perf on a simulated machine, without notes about
# the machine
as_perf()
{
	machine=$1
	shift
	ln -sfn "$(cd "$BUILD" && pwd)/tma" "$tmp/perf"
	run env TMA_SIM_STEP=10 TMA_SIM_FAULT="$fault" "$tmp/perf" --machine "$machine" "$@"
	[ $test_state != ok ] || sed -i '/^tma: simulated machine /d' "$stderr"
}

cgroup=
some='[0-9.]+'

# --- PerfSpect: -j -I on standard error -------------------------------------------------------------

groups='{cycles,instructions},{branches,branch-misses},context-switches'
begin "PerfSpect: the whole machine"
tma_on sapphirerapids -a -I 500 --interval-count 2 -j -e "$groups"
reads "$stderr" perfspect 2,2,1
expect_values 10 "$some/.* $some"
expect_equal "events" "$(names | cut -d, -f1-5)" cycles,instructions,branches,branch-misses,context-switches

begin "PerfSpect: each CPU"
tma_on skylakex -a -A -I 500 --interval-count 2 -j -e "$groups"
reads "$stderr" perfspect 2,2,1
expect_values $((2 * 5 * 16)) "$some/[0-9]+//[0-2] [a-z-]+( \[[a-z]+\])? $some"

begin "PerfSpect: some CPUs"
tma_on skylakex -C 0,2 -A -I 500 --interval-count 1 -j -e '{cycles,instructions}'
reads "$stderr" perfspect 2
expect_values 4 "$some/[02]//0 .* $some"

begin "PerfSpect: a process"
tma_on skylakex -p $$ -I 500 --interval-count 1 -j -e '{cycles,instructions}'
reads "$stderr" perfspect 2
expect_values 2 ".* $some"

begin "PerfSpect: an event that is not supported is no number and keeps its place"
fault='open:cpu/event=0xc0/=ENOENT'
tma_on skylakex -a -I 500 --interval-count 1 -j -e 'cycles,instructions,branches'
fault=
reads "$stderr" perfspect 3
expect_equal "values" "$(sed 's/[0-9.]*$//' "$tmp/values" | cut -d' ' -f2-3 | paste -s -d,)" "cycles ,instructions nan,branches "

begin "PerfSpect: cgroups"
make_cgroup
run "$TMA" stat -a -I 100 --interval-count 1 -j --for-each-cgroup /,$cgroup -e '{cpu-clock,context-switches}'
remove_cgroup
reads "$stderr" perfspect 2 yes
expect_values 4 "$some//(/|$cgroup)/0 .* ([0-9.]+|nan)"

# --- toplev: -x; --log-fd, with and without -A ---------------------------------------------------------

begin "toplev: the whole machine"
tma_on skylakex -x';' --log-fd 2 -a -I 500 --interval-count 3 -e '{cycles,instructions},branches:u,duration_time'
reads "$stderr" toplev cycles,instructions,branches,duration_time
expect_values 12 "[0-9.]{9,}/ [a-z_]+ $some"

begin "toplev: each CPU, each core, each socket"
for rows in -A:16 --per-core:8 --per-socket:2; do
	tma_on skylakex -x';' --log-fd 2 -a "${rows%:*}" -I 500 --interval-count 1 -e '{cycles,instructions}'
	reads "$stderr" toplev cycles,instructions
	expect_values $((2 * ${rows#*:})) "[0-9.]{9,}/[CPUSD0-9-]+ (cycles|instructions) $some"
done

begin "toplev: a row for what was not counted"
tma_on skylakex -x';' --log-fd 2 -a -I 500 --interval-count 1 -e 'cycles,{r10e,r20e,r1a1,r2a1,r4a1,r8a1,r10a1,r20a1,r1b1},instructions'
sed -i '/^[A-Z0-9]*[ a-z]/d' "$stderr"
reads "$stderr" toplev cycles,r10e,r20e,r1a1,r2a1,r4a1,r8a1,r10a1,r20a1,r1b1,instructions
expect_values 11 "[0-9.]{9,}/ .* $some"

# It knows only the units Joules and ns, and would take the msec of a clock for an event.
begin "toplev: on the real kernel"
needs_system_wide
run sh -c "\"$TMA\" stat -x';' --log-fd 3 -a -I 100 --interval-count 3 -e page-faults,context-switches 3>$tmp/log"
reads "$tmp/log" toplev page-faults,context-switches
expect_values 6 "[0-9.]{9,}/ .* $some"

# --- interval-normalize, interval-plot -------------------------------------------------------------------

begin "interval-normalize: the layouts of rows"
for rows in "":1 -A:16 --per-core:8 --per-socket:2 --per-die:2; do
	# shellcheck disable=SC2086 # an empty word is left out
	tma_on skylakex -a ${rows%:*} -x, -I 500 --interval-count 2 -e cycles,instructions
	reads "$stderr" csv-formats
	expect_values $((4 * ${rows#*:})) "$some/[CPUSD0-9-]* (cycles|instructions)( \[cpu\])? [0-9]{5,}"
done

# To this program, too, the msec of a clock would be an event, in any layout.
begin "interval-normalize: what is not counted"
needs_system_wide
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run "$TMA" stat -a -x, -I 100 --interval-count 2 -e context-switches,cycles,page-faults
reads "$stderr" csv-formats
expect_values 6 "$some/ (context-switches|page-faults|cycles) ($some|<not supported>)"

begin "a header makes guessing needless"
tma_on skylakex -a --per-core -x, --header -I 500 --interval-count 2 -e cycles,instructions
python3 -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 32 and None not in rows[0], rows[0]
assert {r["event"] for r in rows} == {"cycles", "instructions"}, rows[0]
assert all(float(r["counter-value"]) > 0 and float(r["time"]) in (0.5, 1) for r in rows), rows[0]
' "$stderr" 2>"$tmp/refused" || fail "$(tail -n 1 "$tmp/refused")" "$stderr"

# --- rustc-perf, lkp-tests, Mesos -----------------------------------------------------------------------

begin "rustc-perf: -x; --log-fd 1, the command's own lines between"
needs_counters
run "$TMA" stat -x';' -e task-clock:u,page-faults:u,cycles:u --log-fd 1 sh -c 'echo !wall-time:0.1; echo plain words'
expect_status 0
sed -i '/^!/d' "$stdout"
reads "$stdout" rustc-perf
[ -d /sys/bus/event_source/devices/cpu ] || expect_values 2 "- (task-clock|page-faults):u $some"

begin "rustc-perf: a hardware event"
needs_counters
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -x';' -e instructions:u,cycles:u --log-fd 1 true
reads "$stdout" rustc-perf
expect_values 2 "- (instructions|cycles):u $some"

begin "lkp-tests: rows for events in braces and others"
events='{cycles,instructions},{branches,branch-misses},cpu-clock,task-clock,page-faults,context-switches'
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a --scale -I 500 --interval-count 3 -x , -e $events --log-fd 1 -D 0
expect_status 0
reads "$stdout" lkp "$events"
expect_values 24 "[1-3]/ [a-z-]+ $some"
for row in 1 2 3; do
	expect_equal "values of row $row" "$(grep -c "^$row/" "$tmp/values")" 8
done

begin "lkp-tests: each socket, with metrics"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a --scale -I 500 --interval-count 2 -x , --per-socket \
	-e '{cycles,instructions}' -M tma_info_thread_cpi --log-fd 1
reads "$stdout" lkp 'cycles,instructions,CPU_CLK_UNHALTED.THREAD,INST_RETIRED.ANY,duration_time'
expect_match "$tmp/values" "^1/S0 cycles $some$"
expect_match "$tmp/values" "^2/S1 INST_RETIRED.ANY $some$"

begin "lkp-tests: SIGTERM in the middle leaves whole rows"
needs_system_wide
run sh -c "\"$TMA\" stat -a --scale -I 100 -x , -e cpu-clock,context-switches --log-fd 1 -D 0 -- sleep 60 &
	while [ \$(wc -l <$stdout) -lt 4 ] && kill -0 \$!; do sleep 0.1; done; kill -TERM \$!; wait \$!"
expect_status 143
reads "$stdout" lkp cpu-clock,context-switches
[ $test_state != ok ] || [ "$(wc -l <"$tmp/values")" -ge 4 ] || fail "too few values" "$tmp/values"
expect_equal "the last row" "$(grep -v metric "$tmp/values" | tail -n 1 | cut -d' ' -f2)" context-switches

begin "Mesos: cgroups, one for each event"
make_cgroup
run "$TMA" stat --all-cpus --field-separator , --log-fd 1 --event cpu-clock --cgroup / \
	--event context-switches --cgroup $cgroup -- sleep 0.05
remove_cgroup
expect_status 0
reads "$stdout" mesos
expect_values 2 "(/ cpu_clock|$cgroup context_switches) $some"

begin "Mesos: the version, and whether events exist"
ln -sfn "$(cd "$BUILD" && pwd)/tma" "$tmp/perf"
run "$tmp/perf" --version
expect_match stdout '^perf version [0-9]+\.[0-9]+(\.[0-9]+)?$'
needs_counters
run "$tmp/perf" stat --log-fd 2 --event task-clock --event page-faults true
expect_status 0
run "$tmp/perf" stat --log-fd 2 --event nosuch true
[ $test_state != ok ] || [ "$status" != 0 ] || fail "an unknown event is taken for one"

# --- benchkit, perf-stat-exporter ---------------------------------------------------------------------

begin "benchkit: every line of the file is JSON"
needs_counters
run "$TMA" stat -e task-clock,page-faults,cycles --json --output "$tmp/perf-stat.txt" true
reads "$tmp/perf-stat.txt" benchkit
expect_values 3 "- (task-clock|page-faults|cycles)(:u)? ($some|<not supported>)"

begin "benchkit: a thread"
needs_counters
sh -c 'while :; do :; done' &
busy=$!
# Until it executes its program, it has the name of this script.
until [ "$(cat /proc/$busy/comm)" = sh ]; do
	sleep 0.01
done
run sh -c "\"$TMA\" stat -e task-clock,page-faults -x, --per-thread -t $busy --output $tmp/tid.txt --timeout 1000"
kill $busy
sed -i '/^$/d' "$tmp/tid.txt"
reads "$tmp/tid.txt" benchkit-csv , $busy
expect_values 2 "sh (task-clock|page-faults)(:u)? .*"

begin "perf-stat-exporter: a process"
needs_counters
run "$TMA" stat --pid=$$ --timeout=50 --field-separator=';' --event=task-clock,context-switches,page-faults,branches
reads "$stderr" exporter
expect_values 4 "- [a-z-]+(:u)? $some"

begin "perf-stat-exporter: all CPUs"
needs_system_wide
run "$TMA" stat --all-cpus --timeout=50 --field-separator=';' --event=context-switches,page-faults
reads "$stderr" exporter
expect_values 2 "- [a-z-]+ [0-9]+"

# --- Text ---------------------------------------------------------------------------------------------

begin "workload-automation: rows of the text"
needs_counters
run sh -c "\"$TMA\" stat -B --no-big-num -e context-switches,page-faults sh -c 'echo of the command' >$tmp/text 2>&1"
reads "$tmp/text" workload-automation
expect_values 2 "- (context-switches|page-faults)(:u)? [0-9]+"

begin "workload-automation: rows of CPUs"
tma_on skylakex -a -A --no-big-num -e cycles,instructions true
reads "$stderr" workload-automation
expect_values 32 "CPU[0-9]+ (cycles|instructions)( \[cpu\])? [0-9]+"

begin "Phoronix: a number with separators before the event"
for event in cycles instructions branch-misses; do
	run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -o "$tmp/text" -e cycles,instructions,branch-misses true
	reads "$tmp/text" phoronix $event
	expect_values 1 "- $event $some"
done

# --- One-liners -----------------------------------------------------------------------------------------

begin "awk: the value, the event, the metric"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -x, -o "$tmp/out" -e cycles,instructions true
run awk -F, '/^[0-9]/ { print ($1 > 0), $3, $6 }' "$tmp/out"
expect_match stdout '^1 cycles $'
expect_match stdout '^1 instructions [0-9.]+$'

begin "awk: time elapsed and a count out of the text"
needs_counters
run sh -c "LC_ALL=C \"$TMA\" stat -e task-clock true 2>&1 | awk '/seconds time elapsed/ { print \$1 } /task-clock/ { print \$2, \$3 }'"
expect_match stdout '^0\.[0-9]{9}$|^[0-9]+\.[0-9]{9}$'
expect_match stdout '^msec task-clock'

begin "whether an event can be counted, by the status"
needs_counters
run "$TMA" stat -e page-faults -- true
expect_status 0
run "$TMA" stat -e no-such-event -- true
[ $test_state != ok ] || [ "$status" != 0 ] || fail "an unknown event succeeds"

# --- Monitors and benchmarks ----------------------------------------------------------------------------

begin "JMH perfnorm: each event is tried, those that can be counted are read in intervals"
fault='open:cpu/event=0xc0/=ENOENT'
for event in cycles:no instructions:yes branches:no; do
	as_perf skylakex stat --log-fd 2 --field-separator , --event ${event%:*} echo 1
	expect_status 0
	[ $test_state != ok ] || expect_equal "whether ${event%:*} is refused" \
		"$(grep -q '<not supported>' "$stderr" && echo yes || echo no)" ${event#*:}
done
lasting 300
as_perf skylakex stat --log-fd 2 --field-separator , --event cycles,branches,instructions -I 100 echo 1
fault=
expect_match stdout '^1$'
reads "$stderr" jmh
expect_values 6 "0\.[123]00000000 (cycles|branches) [0-9]+"

begin "mmtests: one run after another, each with its time"
needs_system_wide
run sh -c "for n in 7 8; do echo time: \$n; \"$TMA\" stat -a -e context-switches,page-faults,cpu-clock sleep 0.05 2>&1; done"
reads "$stdout" mmtests
expect_values 6 "[78] (context-switches|page-faults|msec) $some"
expect_equal "names" "$(names)" context-switches,page-faults,msec,context-switches,page-faults,msec

begin "mmtests: separators between digits, and the machine's own events"
tma_on skylakex -a --big-num sleep 1
sed -i '1i time: 7' "$stderr"
reads "$stderr" mmtests
expect_equal "names" "$(names | cut -d, -f2-8)" \
	context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses

begin "pmc-cloud-tools: the second and third word of rows that end with instructions"
lasting 300
tma_on skylakex -e cycles -e cycles -e r4f2e -e r412e -e r00c4 -e r00c5 -e instructions -I 100 sleep 1
expect_status 0
reads "$stderr" pmc-cloud-tools
expect_values 18 "0\.[123]00000000 (cycles|r[0-9a-f]+|instructions) [1-9][0-9.]+"
expect_equal "events" "$(names | cut -d, -f1-6)" cycles,r4f2e,r412e,r00c4,r00c5,instructions

begin "llvm-compile-time-tracker: a file of rows after a line it leaves out"
run env LC_ALL=C TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -x \; -o "$tmp/perfstats" -e instructions \
	-e instructions:u -e cycles -e task-clock -e branches -e branch-misses true
expect_status 0
reads "$tmp/perfstats" llvm-tracker
expect_values 6 "- [a-z:-]+ $some"
expect_equal "events" "$(names)" instructions,instructions:u,cycles,task-clock,branches,branch-misses

begin "devlib: SIGINT, then the end of the command, and a file it can read"
needs_system_wide
run sh -c "\"$TMA\" stat -a -e cpu-migrations -e context-switches \
	sh -c 'sleep 0.1; kill -INT \$PPID; kill -TERM \$\$' >$tmp/out 2>&1"
reads "$tmp/out" workload-automation
expect_values 2 "- (cpu-migrations|context-switches) [0-9]+"
expect_match "$tmp/out" '^ +[0-9.]+ seconds time elapsed'

begin "DCPerf: without a command, rows come while it counts, SIGINT ends it"
needs_system_wide
run sh -c "{ sh -c 'echo \$\$ >$tmp/pid; exec \"$TMA\" stat -e context-switches,page-faults -I 100 -a -x , --log-fd 1'
	echo \$? >$tmp/ended; } | { read -r a; read -r b; echo \"\$a\"; echo \"\$b\"; kill -INT \$(cat $tmp/pid); cat; }"
expect_equal "its status" "$(cat "$tmp/ended")" 130
reads "$stdout" dcperf
[ $test_state != ok ] || expect_between "number of values" "$(wc -l <"$tmp/values")" 2 20
expect_equal "events" "$(names | cut -d, -f1-2)" context-switches,page-faults

begin "DCPerf: both events in each record"
tma_on skylakex -e instructions,cycles -I 1000 --interval-count 3 -a -x , --log-fd 1
reads "$stdout" dcperf
expect_values 6 "[123]\.0 (instructions|cycles) [0-9]+"

begin "temci: repeated runs, the events in the order asked for"
tma_on skylakex --sync --repeat 3 -x ';' -e cycles,instructions,task-clock,branch-misses -- true
expect_status 0
reads "$stderr" temci cycles,instructions,task-clock,branch-misses
expect_values 4 "- [a-z-]+ $some"
expect_match "$tmp/values" '^- task-clock 0\.0'

begin "temci: the time elapsed after the events, as text"
tma_on skylakex --sync --repeat 3 -e task-clock,instructions -- true
expect_status 0
reads "$stderr" temci task-clock,instructions,wall-clock
expect_values 3 "- [a-z-]+ $some"
expect_match "$tmp/values" '^- wall-clock 0\.01$'

begin "A-Tune-Collector: columns of one interval, and -1 for what is not supported"
fault='open:cpu/event=0x3c/=ENOENT'
events=cycles,instructions,branches,dTLB-loads,r7004,migrations
tma_on skylakex -a -e $events --interval-print 1000 --interval-count 1
fault=
expect_status 0
reads "$stderr" a-tune $events
expect_values 6 "(-|1\.000000000) [a-zA-Z0-9-]+ (-1|[0-9]+)"
expect_match "$tmp/values" '^- cycles -1$'
expect_equal "events taken" "$(grep -c '^1' "$tmp/values")" 5

begin "cbt: cycles of a process, in a file"
tma_on skylakex -e cycles,instructions -p $$ -o "$tmp/cycles" --timeout 100
reads "$tmp/cycles" cbt
expect_values 1 "- cycles [1-9][0-9]+"

begin "cbt: the bench of Crimson, two processes for a time"
needs_counters
run sh -c "\"$TMA\" stat --timeout 100 -e cpu-clock,context-switches,cpu-migrations -p $$,$PPID 2>&1"
reads "$stdout" crimson
expect_values 3 "(-|$some) (cpu-clock|context-switches|cpu-migrations)(:u)? $some"

begin "go-perfevent: the list's encodings, as numbers"
as_perf skylakex list -j
expect_status 0
reads "$stdout" go-perfevent inst_retired.any,cpu_clk_unhalted.thread,mem_load_retired.l3_miss
expect_match "$tmp/values" '^mem_load_retired.l3_miss event (0xd1|209)$'
expect_match "$tmp/values" '^mem_load_retired.l3_miss umask (0x20|32)$'

# --- Programs that switch counting on and off -----------------------------------------------------------

# make_control: make pipes for descriptors 3 and 4, which a shell opens; an answer of perf has five
# bytes
make_control()
{
	ln -sfn "$(cd "$BUILD" && pwd)/tma" "$tmp/perf"
	rm -f "$tmp/ctl" "$tmp/ack" "$tmp/acks"
	mkfifo "$tmp/ctl" "$tmp/ack"
}

begin "PerfManager: the command inherits the descriptors, an answer is five bytes"
make_control
# The command runs as long as the pipes are used.
lasting ''
run env TMA_SIM_STEP=10 timeout 60 sh -c "exec 3<>$tmp/ctl 4<>$tmp/ack
	$tmp/perf --machine skylakex stat -D -1 -x\; -o $tmp/out --control fd:3,4 -e cycles,instructions -- sh -c '
		for word in enable disable; do printf \$word >&3; head -c 5 <&4 | od -An -c; done'"
expect_status 0
expect_equal "answers" "$(tr -s ' ' <"$stdout" | paste -s -d/)" ' a c k \n \0/ a c k \n \0'
reads "$tmp/out" llvm-tracker
expect_equal "events" "$(names)" cycles,instructions

begin "Arm topdown-tool: enable without the end of a line, its answer, SIGINT, a file"
make_control
run env TMA_SIM_STEP=10 timeout 60 sh -c "exec 3<>$tmp/ctl 4<>$tmp/ack
	(printf enable >&3; head -c 5 <&4 | od -An -c >$tmp/acks; kill -INT \$\$) &
	exec $tmp/perf --machine skylakex stat -x ';' -o $tmp/out -e '{cycles,instructions}' -a --delay -1 --control fd:3,4"
expect_status 130
expect_equal "the answer" "$(tr -s ' ' <"$tmp/acks")" ' a c k \n \0'
reads "$tmp/out" llvm-tracker
expect_equal "events" "$(names)" cycles,instructions

begin "rows with blanks between the fields, on a descriptor of their own, after a delay"
needs_counters
run sh -c "\"$TMA\" stat -I 100 -D 50 --append --log-fd=3 -x ' ' -e page-faults,context-switches sleep 0.4 3>$tmp/log"
expect_status 0
expect_match "$tmp/log" '^ *[0-9.]{9,} [0-9]+  page-faults(:u)? [0-9]+ 100\.00'
[ $test_state != ok ] || expect_between "number of rows" "$(grep -c -e page-faults -e context-switches "$tmp/log")" 6 8
