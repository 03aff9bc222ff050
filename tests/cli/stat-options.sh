#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Options of tma stat about runs, rows, times and cgroups, on the real kernel's software events.
. "$(dirname "$0")/lib.sh"

begin "-r prints the mean and the spread"
needs_counters
run "$TMA" stat -r 3 -x, -e task-clock,page-faults true
expect_status 0
expect_lines stderr 2
expect_all_match stderr '^[0-9.]+,(msec)?,[a-z-]+(:u)?,[0-9]+\.[0-9][0-9]%,[0-9]+,100\.00,[0-9.]*,'

begin "the mean is that of the runs"
needs_counters
run sh -c 'echo 0 >"$1/n"; exec "$0" stat -r 4 -j -e context-switches --post "echo x >>$1/n" true' "$TMA" "$tmp"
expect_status 0
expect_match stderr '"event" : "context-switches(:u)?", "variance" : [0-9.]+, '
expect_equal "runs" "$(grep -c x "$tmp/n")" 4

begin "--table lists each run"
needs_counters
run "$TMA" stat -r 3 --table -e task-clock true
expect_match stderr "'true' \(3 runs\):"
expect_match stderr '# Table of individual measurements:$'
expect_equal "lines of the table" "$(grep -c -E ' \([+-][0-9.]+\) #' "$stderr")" 3
expect_match stderr '^ +[0-9.]+ \+- [0-9.]+ seconds time elapsed'

begin "-n counts nothing"
run "$TMA" stat -n true
expect_status 0
expect_match stderr 'seconds time elapsed$'
expect_no_match stderr 'task-clock'
run "$TMA" stat -n -e cycles true
expect_status 129

begin "-d adds events each time"
needs_counters
for n in 1 2 3; do
	run "$TMA" stat -x, -e task-clock $(for i in $(seq $n); do echo -d; done) true
	expect_status 0
	expect_equal "events with -d $n times" "$(wc -l <"$stderr")" "$(echo "5 11 13" | cut -d' ' -f$n)"
done

begin "--pre and --post run around it, and end it when they fail"
needs_counters
run sh -c '"$0" stat --pre "echo before >>$1/order" --post "echo after >>$1/order" -e cs sh -c "echo in >>$1/order"' "$TMA" "$tmp"
expect_status 0
expect_equal "order" "$(tr '\n' ' ' <"$tmp/order")" "before in after "
run "$TMA" stat --pre 'exit 3' -e cs true
expect_status 125
expect_match stderr "--pre 'exit 3' ended with status 3"

begin "--summary prints the total behind the rows"
needs_system_wide
run "$TMA" stat -a -I 50 --interval-count 3 --summary -x, -e cpu-clock
expect_status 0
expect_lines stderr 4
expect_equal "last row" "$(tail -n 1 "$stderr" | cut -d, -f1)" summary
rows=$(awk -F, '$1 != "summary" { sum += $2 } END { printf "%.0f", sum }' "$stderr")
expect_between "sum of the rows in ms" "$(tail -n 1 "$stderr" | cut -d, -f2)" $((rows - 1)) $((rows + 90)) # read later
run "$TMA" stat -a -I 50 --interval-count 1 --summary --no-csv-summary -x, -e cpu-clock
expect_no_match stderr summary

begin "--quiet prints nothing"
needs_counters
run "$TMA" stat --quiet -e cs sh -c 'exit 7'
expect_status 7
expect_empty stderr

begin "rows for sockets, cores and the like add up to the whole"
needs_system_wide
for by in --per-socket --per-die --per-cluster --per-cache --per-core --per-node; do
	run "$TMA" stat -a $by -x, -e cpu-clock --timeout 50
	expect_status 0
	expect_all_match stderr '^[SN][^,]*,[0-9]+,[0-9.]+,msec,cpu-clock(:u)?,[0-9]+,100\.00,'
	expect_equal "CPUs of $by" "$(awk -F, '{ n += $2 } END { print n }' "$stderr")" \
		"$(getconf _NPROCESSORS_ONLN)"
done
run "$TMA" stat --per-core -e cs true
expect_status 129
run "$TMA" stat -a --per-core --per-node -e cs true
expect_status 129
expect_match stderr 'cannot be combined'

begin "--per-thread has a row for each thread"
needs_system_wide
run sh -c 'exec "$0" stat --per-thread -p $$ -x, -e task-clock sleep 0.05' "$TMA"
expect_status 0
expect_match stderr '^[^,]+-[0-9]+,'
run "$TMA" stat -a --per-thread -x, -e context-switches sh -c 'sleep 0.05; sleep 0.05'
expect_no_match stderr ',0,,context'

begin "percore: the threads of a core are added up"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -A -x, -e cpu/event=0x3c,percore/ true
expect_equal "rows" "$(grep -c '^S[01]-D0-C[0-9],' "$stderr")" 8
cores=$(awk -F, '/^S/ { n += $2 } END { print n }' "$stderr")
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -x, -e cpu/event=0x3c/ true
expect_equal "sum of the cores" "$cores" "$(awk -F, '!/^tma/ { print $1 }' "$stderr")"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -A --percore-show-thread -x, -e cpu/event=0x3c,percore/ true
expect_equal "rows of threads" "$(grep -c '^CPU[0-9]*,' "$stderr")" 16
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -A --format=csv-wide --command-output=null -e cpu/event=0x3c,percore/,instructions true
expect_equal "sum of the cores in csv-wide" "$(awk -F, '/^[0-9]/ { n += $8 } END { print n }' "$stdout")" "$cores"
expect_equal "rows of threads in csv-wide" "$(grep -c '^[0-9.]*,[0-9.]*,run,' "$stdout")" 16

begin "percore: a thread's count is not divided by a core's"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -A -x, -e cpu/cycles,percore/,instructions true
expect_status 0
expect_no_match stderr 'insn per cycle'
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -x, -e cpu/cycles,percore/,instructions true
expect_match stderr 'insn per cycle'

begin "-D counts from a time on"
needs_counters
run "$TMA" stat -D 100 -x, -e task-clock sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; sleep 0.3'
expect_status 0
expect_match stderr '^Events disabled$'
expect_match stderr '^Events enabled$'
run "$TMA" stat -D -1 -x, -e task-clock true
expect_match stderr '^<not counted>,msec,task-clock(:u)?,0,'

begin "--control enables, lists and stops"
needs_system_wide
mkfifo "$tmp/ctl" "$tmp/ack"
run sh -c '
	(echo enable; echo ping; echo "evlist -g"; echo nonsense; echo stop) >"$1/ctl" &
	"$0" stat -a -D -1 -x, -e "{cpu-clock,cs}" --control "fifo:$1/ctl,$1/ack" 3<>"$1/ack" 2>"$1/out"
	echo "status $?"
	timeout 5 dd bs=4 count=4 <&3 2>/dev/null' "$TMA" "$tmp"
expect_match stdout '^status 0$'
expect_match "$tmp/out" '^Events enabled$'
expect_match "$tmp/out" '^\{cpu-clock(:u)?,cs\}$'
expect_match "$tmp/out" "'nonsense' is not a command"
expect_match "$tmp/out" '^[0-9.]+,msec,cpu-clock(:u)?,'
run sh -c '
	exec 3<>"$1/ack"
	(echo " enable"; echo "evlist -z"; echo "stop now"; echo; printf di; sleep 0.1; echo "sable cs"; echo stop) >"$1/ctl" &
	"$0" stat -a -D -1 -x, -e "{cpu-clock,cs}" --control "fifo:$1/ctl,$1/ack" sleep 20 2>"$1/out"
	echo "status $?"
	timeout 5 dd bs=4 count=5 <&3 2>/dev/null | grep -c ack' "$TMA" "$tmp"
expect_match stdout '^status 0$'
expect_match stdout '^5$'
expect_match "$tmp/out" '^Events enabled$'
expect_match "$tmp/out" '^Event cs(:u)? disabled$'
expect_match "$tmp/out" "^tma: --control: 'evlist -z' is ignored: evlist takes -v, -g or -F$"
expect_match "$tmp/out" "^tma: --control: 'stop now' is ignored: stop takes no argument$"
expect_no_match "$tmp/out" 'is no command|Events disabled.*Events disabled'
run sh -c '(sleep 0.1; echo disable; sleep 0.1; printf stop) | "$0" stat -e task-clock --control fd:0,1 sleep 5 2>"$1/out"' "$TMA" "$tmp"
expect_status 0
expect_equal "answers on descriptors 0 and 1" "$(grep -c '^ack$' "$stdout")" 2
expect_match "$tmp/out" '^Events disabled$'
expect_no_match "$tmp/out" 'took its counters'
run "$TMA" stat -a --control fd:99 -e cs true
expect_status 129
run "$TMA" stat -a --control "fifo:$tmp/none" -e cs true
expect_status 129

begin "--filter counts less, and a wrong one is explained"
needs_system_wide
needs_tracefs
run "$TMA" stat -a -x, -e sched:sched_switch --filter 'prev_pid != 0 && prev_pid == 0' --timeout 50
expect_status 0
expect_match stderr '^0,,sched:sched_switch,'
run "$TMA" stat -a -e sched:sched_switch --filter 'prv_pid == 0' true
expect_status 125
expect_match stderr "has no field 'prv_pid'; did you mean 'prev_pid'"
for filter in 'prev_pid !=' '(prev_pid == 0' 'prev_comm == "x' '' 'prev_pid > 1 || nosuch' \
	'prev_pid != 0 && next_comm' "$(printf 'a%.0s' $(seq 3000))"; do
	run "$TMA" stat -a -e sched:sched_switch --filter "$filter" true
	expect_status 125
	expect_match stderr '^ +\\___ '
done
run "$TMA" stat -a -x, -e sched:sched_switch/name=foo/u --filter 'prev_pid != 0 && prev_pid == 0' --timeout 50
expect_status 0
expect_match stderr '^0,,foo(:u)?,'
run "$TMA" stat -a -e sched:sched_switch/name=foo/ --filter 'prv_pid == 0' true
expect_status 125
expect_match stderr "tracepoint sched:sched_switch has no field 'prv_pid'"
run "$TMA" stat --filter 'a == 1' -e cs true
expect_status 129
run "$TMA" stat -e cs --filter 'a == 1' true
expect_status 125

begin "tasks that are no numbers"
for options in "-p x" "-t 1,x" "-p 0"; do
	# shellcheck disable=SC2086 # options are words
	run "$TMA" stat -e cs $options
	expect_status 129
done

begin "cgroups"
needs_counters
needs_root
mount=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit } $3 == "cgroup2" { v2 = $2 }
	END { if (v2) print v2 }' /proc/mounts | head -n 1)
[ -n "$mount" ] && mkdir "$mount/tma_test_$$" 2>/dev/null || skip "no cgroup can be made here"
group=tma_test_$$
run sh -c 'echo $$ >"$1/cgroup.procs" && exec "$0" stat -a -x, -e task-clock -G "$2" sh -c "
	sleep 0.05; i=0; while [ \$i -lt 20000 ]; do i=\$((i + 1)); done; sleep 0.05"' "$TMA" "$mount/$group" "$group"
expect_status 0
expect_match stderr "^[0-9.]+,msec,task-clock(:u)?,$group,[0-9]+,"
run "$TMA" stat -a -x, -e cpu-clock,cs --for-each-cgroup "^$group\$,^none\$" --timeout 20
expect_lines stderr 2
run "$TMA" stat -a -j -e cpu-clock --for-each-cgroup "$group,/" --timeout 20
expect_match stderr "\"cgroup\" : \"$group\""
run "$TMA" stat -a -x, -e cs --for-each-cgroup "$group,/,$group,,/" --timeout 20
expect_lines stderr 2
run "$TMA" stat -a -e cpu-clock -G "none_$$" true
expect_status 125
expect_match stderr "no cgroup 'none_"
run "$TMA" stat -e cpu-clock -G "$group" true
expect_status 129
run "$TMA" stat -a -e cs -G "$group,$group" true
expect_status 125
rmdir "$mount/$group" || sleep 1 && rmdir "$mount/$group" 2>/dev/null

# While nothing is counted, the kernel's clock of a cgroup stands still; it is not set when counting
# begins.
begin "a cgroup's counter is enabled for no longer than the run"
needs_system_wide
needs_root
[ -n "$mount" ] && [ -d "$mount" ] || skip "no cgroups here"
run "$TMA" stat -a -x, -e cs --for-each-cgroup / true
[ "$status" = 0 ] || skip "no cgroups here"
for args in "" "-D 10" "-r 2"; do
	sleep 2
	# shellcheck disable=SC2086
	run "$TMA" stat -a -A -x, -e cs,duration_time --for-each-cgroup / $args -- sleep 0.02
	expect_status 0
	expect_match stderr '^CPU0,[0-9.]+,,(cs(:u)?|context-switches(:u)?)'
	longest=$(awk -F, '/context-switches|,cs/ { for (i = 4; i < NF; i++) if ($i == "/" && $(i + 1) > max) max = $(i + 1) }
		/duration_time/ && $2 > length_ns { length_ns = $2 }
		END { printf "%d", (max - length_ns) / 1e6 }' "$tmp/stderr")
	[ "$longest" -lt 1900 ] || fail "enabled for $longest ms more than the run was long"
done

begin "contradictions" # R35
for args in "-r 2 -I 100 true" "--table true" "-r 2 -a" "-r 2 --per-thread -p 1 true" \
	"--all-user --all-kernel true" "--interval-clear true" "--hybrid-merge -A -a true" \
	"-r 2 --metric-only true" "-a -G x --for-each-cgroup y -e cs true"; do
	# shellcheck disable=SC2086
	run "$TMA" stat $args
	expect_status 129
done

begin "numbers that are negative, and a file without a name"
for args in "-r -1" "--interval-count -3 -I 100" "--td-level -1" "-I -1"; do
	# shellcheck disable=SC2086 # several words
	run "$TMA" stat $args true
	expect_status 129
	expect_match stderr ': -[13] must be at least [01]$'
done
run "$TMA" stat -o '' -e task-clock true
expect_status 129
expect_match stderr '^tma: -o needs the name of a file$'

begin "the command inherits descriptors that were given, as with perf"
needs_counters
mkfifo "$tmp/given"
run sh -c "\"$TMA\" stat -e task-clock --log-fd 5 --control fd:6,7 ls -l /proc/self/fd 5>$tmp/log 6<>$tmp/given 7>/dev/null"
expect_status 0
expect_match stdout ' 1 -> '
for fd in 5 6 7; do
	expect_match stdout " $fd -> .*(log|given|null)\$"
done
run sh -c "\"$TMA\" stat -e task-clock --log-fd 5 true 5</dev/null"
expect_status 125
expect_match stderr 'log-fd 5: the descriptor is open for reading only$'

begin "--append goes with --log-fd"
run sh -c "\"$TMA\" stat -x, -e task-clock --append --log-fd 5 true 5>$tmp/appended"
expect_status 0
expect_match "$tmp/appended" '^[0-9.]+,msec,task-clock'

begin "--control auto: the command has the other ends" # R72
run "$TMA" stat -D -1 -x, --control auto -e page-faults,cs sh -c '
	printf enable >&"$PERF_CTL_FD"; head -c 4 <&"$PERF_ACK_FD"
	ls / >/dev/null; echo disable >&"$PERF_CTL_FD"; head -c 4 <&"$PERF_ACK_FD"'
expect_status 0
expect_equal "answers" "$(cat "$stdout")" "ack
ack"
expect_match stderr '^[1-9][0-9]*,,page-faults,'
expect_match stderr '^Events disabled$'

begin "the end of all commands ends a run without a command, but under the name perf" # R72
run sh -c '{ echo enable; sleep 0.2; } | timeout 20 "$0" stat -a -D -1 -x, -e cpu-clock --control fd:0' "$TMA"
expect_status 0
expect_match stderr '^[1-9][0-9.]*,msec,cpu-clock,'
ln -sf "$TMA" "$tmp/perf"
run sh -c '{ echo enable; sleep 0.2; } | timeout -s INT 1 "$0" stat -a -D -1 -x, -e cpu-clock --control fd:0' "$tmp/perf"
expect_status 124
expect_match stderr '^[1-9][0-9.]*,msec,cpu-clock,'
run "$TMA" stat -a -x, -e duration_time --control fd:0 --timeout 300 </dev/null
expect_between "time" "$(cut -d, -f1 "$stderr" | head -n 1)" 250000000 3000000000
run sh -c 'sleep 0.3 & "$0" stat -x, -e duration_time -p $! --control fd:0 </dev/null' "$TMA"
expect_between "time" "$(cut -d, -f1 "$stderr" | head -n 1)" 200000000 3000000000
run "$TMA" stat -a --control auto -e cs
expect_status 129

begin "--probe: which events can be counted, and why not" # R72
sim sapphirerapids stat --probe -e 'cycles,cpu/event=0x3c,umask=1/,{branches,cpu-clock}'
expect_status 0
expect_equal "answers" "$(sed 's/  */ /g' "$stdout")" "cycles yes
cpu/event=0x3c,umask=1/ yes
branches yes
cpu-clock yes
cpu: 8 counters, and 4 fixed ones"
sim alderlake stat --probe -e 'cycles,nosuch' -e cpu-clock -j -- false
expect_status 125
expect_equal "names" "$(sed -n 's/.*"Name": "\(.*\)",/\1/p' "$stdout" | paste -s -d' ')" \
	"cpu_core/cycles/ cpu_atom/cycles/ nosuch cpu-clock cpu_core cpu_atom"
expect_match stdout '"Reason": "no event or PMU of this machine has that name"'
expect_equal "countable" "$(grep -c '"Countable": true' "$stdout")" 2
TMA_SIM_FAULT="open:cpu/event=0x3c/=EACCES" sim skylakex stat --probe -a -e cycles,instructions
expect_status 125
expect_match stdout '^cycles +no: .+$'
expect_match stdout '^instructions +yes$'
run "$TMA" stat --probe -M ipc
expect_status 129
begin "--probe: what the kernel refuses is refused whatever the format, and groups as a whole" # R72
sim skylakex stat --probe -a -e cycles:p,cpu-clock
expect_status 125
expect_match stdout '^cycles:p +no: .+$'
expect_match stdout '^cpu-clock +yes$'
sim skylakex stat --probe -a -e '{r01c1,r02c1,r03c1,r04c1,r05c1},r01c1'
expect_status 125
expect_equal "answers" "$(sed -n 's/^\(r0.c1\) *\([a-z]*\).*/\1 \2/p' "$stdout" | paste -s -d,)" \
	"r01c1 no,r02c1 no,r03c1 no,r04c1 no,r05c1 no,r01c1 yes"
for fault in 'open:cpu/event=0xc0/=ENOENT' 'open:cpu/event=0xc0/=EINVAL' 'read=EIO' 'count:cpu/event=0xc0/=never'; do
	TMA_SIM_FAULT=$fault sim skylakex stat --probe -a -e instructions
	expect_status 125
	expect_match stdout '^instructions +no: .+$'
done
sim alderlake stat --probe -A -a -e cycles:p
expect_equal "answers" "$(grep -c '^cpu_.*/cycles/p .* no: ' "$stdout")" 2
sim alderlake stat --probe -j -e cycles true
expect_status 0
expect_equal "answers" "$(grep -o '"Countable": .*' "$stdout" | paste -s -d' ')" '"Countable": true "Countable": null,'
run "$TMA" stat --probe -e 'mem:0x1000/4:w,nosuch,cpu-clock'
expect_status 125
expect_match stdout '^nosuch +no: no event or PMU'
expect_match stdout '^cpu-clock +yes$'
begin "--probe refuses what would be no answer, and stops at a signal"
echo KEEP >"$tmp/kept"
for options in '--append -o kept' --topdown --metric-only -d --verdict -x, --format=prom '--log-fd 1'; do
	# shellcheck disable=SC2086 # options
	run sh -c 'cd "$1"; shift; "$@"' sh "$tmp" "$TMA" stat --probe -e cs $options
	expect_status 129
done
expect_equal "the file" "$(cat "$tmp/kept")" KEEP
run "$TMA" stat --probe -e ,
expect_status 125
run "$TMA" stat record --probe -e cs -o "$tmp/none.data"
expect_status 129
run timeout -s INT 0.5 "$TMA" stat --probe -D 3000 --pre "echo PRE >&2" -a -e "$(yes cs | head -n 300 | paste -s -d,)"
expect_status 124
expect_no_match stderr PRE

begin "rows that are not whole intervals are marked in JSON" # R72
sim skylakex stat -I 100 -j -a -e cycles -- sleep 0.25
expect_equal "rows" "$(grep -c interval "$stderr")" 3
expect_equal "marked rows" "$(grep -c '"cut" : true' "$stderr")" 1
expect_match stderr '^\{"interval" : 0\.2[5-9].*"cut" : true\}$'
ln -sf "$TMA" "$tmp/perf"
TMA_MACHINE=skylakex run "$tmp/perf" stat -I 100 -j -a -e cycles -- sleep 0.25
! grep -q '"cut"' "$stderr" || fail "a key that perf has not"

begin "a command of --control without a newline is obeyed once nothing more comes"
mkfifo "$tmp/unended" "$tmp/unended-ack"
run sh -c 'exec 6<>"$1/unended" 7<>"$1/unended-ack"
	(printf enable >&6; timeout 5 head -c 4 <&7; printf stop >&6) &
	"$0" stat -D -1 -x, -e task-clock --control fd:6,7 sleep 20' "$TMA" "$tmp"
expect_status 0
expect_match stdout '^ack$'
expect_match stderr '^Events enabled$'

begin "--append ends a line that somebody left unfinished"
needs_counters
printf 'no newline' >"$tmp/added"
run "$TMA" stat -x, -e task-clock --append -o "$tmp/added" true
expect_status 0
expect_match "$tmp/added" '^no newline$'
expect_match "$tmp/added" '^# started on '

begin "a run without -e: one heading for each core type, cpu_core first"
run "$TMA" --machine lunarlake stat -a -x, --timeout 20
expect_status 0
[ $test_state != ok ] || expect_equal "headings" \
	"$(sed -n 's/.*,\(TopdownL1 .*\)/\1/p' "$stderr" | tr '\n' ' ')" "TopdownL1 (cpu_core) TopdownL1 (cpu_atom) "

begin "--no-repeat is one run"
needs_counters
run timeout 20 "$TMA" stat -r 2 --no-repeat -e task-clock sh -c 'echo run'
expect_status 0
expect_equal "runs" "$(grep -c run "$stdout")" 1

begin "-n and what says what to count"
for option in -d '-e task-clock' '-I 100' --smi-cost --verdict; do
	# shellcheck disable=SC2086 # an option and its value
	run "$TMA" stat -n $option true
	expect_status 129
	expect_match stderr '^tma: -n counts nothing'
done

begin "-n in a format that has no place for the time alone"
for format in csv csv-wide json json-perf markdown; do
	run "$TMA" stat -n --format=$format --command-output=null true
	expect_status 0
	expect_match stderr "^tma: -n: $format has no row for the only value, the elapsed time of 0\.[0-9]* s; use text or prom$"
done
for format in text prom tree; do
	run "$TMA" stat -n --format=$format --command-output=null true
	expect_status 0
	cat "$stderr" >>"$stdout"
	expect_match stdout 'seconds'
	expect_no_match stderr '^tma: -n'
done

begin "--metric-only without a metric says so"
for format in text csv csv-wide json markdown prom tree; do
	sim sapphirerapids stat --metric-only --format=$format -e page-faults -a --timeout 20
	expect_status 0
	expect_match stderr '^tma: no metric is counted: remove --metric-only, or add -M or --topdown$'
done
sim sapphirerapids stat --metric-only -e cycles,instructions -a --timeout 20
expect_match stderr 'insn per cycle'
expect_no_match stderr 'no metric is counted'

begin "a command that ends before -D is over"
needs_counters
run "$TMA" stat -D 5000 -e task-clock true
expect_status 0
expect_match stderr '^Events disabled$'
expect_match stderr '^tma: the command ended before the 5000 ms of -D were over: nothing was counted$'
expect_no_match stderr 'Events enabled'
expect_match stderr '<not counted> msec task-clock'

begin "names and digits of csv-wide"
sim sapphirerapids stat -a --topdown --timeout 100 --format=csv-wide
expect_match stdout '^time,length,row,cpus,status,running_percent,coverage_percent,tma_retiring,.*,reason,simulated$'
expect_no_match stdout '[.][0-9]{7},*$'
sim sapphirerapids stat -a --topdown --timeout 100 --format=csv-wide --header=full --precise
expect_match stdout ',tma_retiring \(%\),.*,reason,simulated$'
expect_match stdout ',[0-9]+[.][0-9]{9,},'
run "$TMA" stat -x, --header=full -e task-clock true
expect_status 129
expect_stderr <<'END'
tma: --header=full is for --format=csv-wide: csv has one header
END
run "$TMA" stat -j --precise -e task-clock true
expect_status 129
expect_stderr <<'END'
tma: --precise is for --format=csv-wide: the digits of other formats are fixed
END
run "$TMA" stat --header=long -e task-clock true
expect_status 129
expect_match stderr "^tma: --header: unknown value 'long'; use short or full$"

begin "the root of cgroups is the first of its kind that is there" # R70
mkdir -p "$tmp/fake/proc" "$tmp/fake/one" "$tmp/fake/two" "$tmp/fake/v1"
cp /proc/cpuinfo "$tmp/fake/proc"
for name in gone one two; do
	echo "cgroup2 $tmp/fake/$name cgroup2 rw 0 0"
done >"$tmp/fake/proc/mounts"
run env PROCFS_PATH="$tmp/fake/proc" "$TMA" stat -a -e page-faults -G nosuch true
expect_match stderr "no cgroup 'nosuch' in $tmp/fake/one$"
echo "cgroup $tmp/fake/v1 cgroup rw,perf_event 0 0" >>"$tmp/fake/proc/mounts"
run env PROCFS_PATH="$tmp/fake/proc" "$TMA" stat -a -e page-faults -G nosuch true
expect_match stderr "no cgroup 'nosuch' in $tmp/fake/v1$"
