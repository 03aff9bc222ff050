#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Messages of tma about wrong input and refusals of the system: the place and the remedy.
. "$(dirname "$0")/lib.sh"

begin "a misspelt event: mark under the place, nearest name"
run "$TMA" stat -e task-clock,cycless true
expect_status 125
expect_stderr <<'END'
event syntax error: 'task-clock,cycless'
                                \___ no event or PMU of this machine has that name; did you mean 'cycles'?
END

begin "an unknown modifier"
run "$TMA" stat -e task-clock:z true
expect_status 125
expect_match stderr "^event syntax error: 'task-clock:z'$"
expect_match stderr '^ {32}\\___ unknown modifier'

begin "an unclosed group"
run "$TMA" stat -e '{task-clock,page-faults' true
expect_status 125
expect_match stderr "^event syntax error: '\{task-clock,page-faults'$"

begin "an unknown option is a usage error"
run "$TMA" stat --nonsense
expect_status 129

begin "an unknown subcommand names the nearest"
run "$TMA" sta
expect_status 129
expect_match stderr "'sta' is not a tma command; did you mean 'stat'"

# refused TEXT ARG ...: tma refuses the arguments with this text
refused()
{
	text=$1
	shift
	begin "refused: stat $*"
	run "$TMA" stat "$@"
	expect_status 129
	expect_match stderr "$text"
}

refused '0 is not between 1 and 4294967295' -I 0 true
refused '4294967296 is not between 1 and 4294967295' -I 4294967296 true
refused "'10x' is not a number" -I 10x true
refused "-1 must be at least 1" -I -1 true
refused '9 is not between 10 and' --timeout 9 true
refused '-x and -j cannot be combined' -x, -j true
refused "-x needs a separator" -x '' true
refused "cannot be part of a number" -x. true
refused "-M needs the names" -M '' true
refused '-p and -t count tasks' -p 1 -a
refused '-p and -t cannot be combined' -p 1 -t 1
refused '--interval-count needs -I' --interval-count 3 true
refused '--timeout and -I cannot' --timeout 100 -I 100 true
refused '--td-level needs --topdown' --td-level 2 true
refused 'needs -a or -C' -A true
refused 'runs backwards' -C 3-1 -e cpu-clock
refused 'is not a list of CPUs' -C a -e cpu-clock

begin "arguments that nobody reads"
for args in "--version foo" "version foo" "version -x" "test foo" "help stat foo"; do
	# shellcheck disable=SC2086 # words
	run "$TMA" $args
	expect_status 129
	expect_empty stdout
done
run "$TMA" --version foo
expect_stderr <<END
tma: unexpected argument 'foo': --version takes none
END
"$TMA" --help >"$tmp/help"
run "$TMA" help
expect_status 0
expect_file "$stdout" <"$tmp/help"

begin "a CPU that is not there"
run "$TMA" stat -C 65000 -e cpu-clock
expect_status 125
expect_match stderr 'no CPU 65000'

begin "a machine without a name is not the real one"
run "$TMA" --machine '' stat true
expect_status 129

begin "a command without a name cannot be run"
for command in why stat; do
	run "$TMA" $command ''
	expect_status 127
	expect_match stderr '^tma: the name of the command is empty'
done

begin "characters that control a terminal do not reach it"
run "$TMA" stat -M "$(printf 'a\033[31mb')" true
expect_status 125
expect_match stderr 'a\?\[31mb'
red=$(printf '\033[31mred')
run env PERF_CPUID="$red" "$TMA" --version --tables
expect_status 0
expect_match stdout '^CPU \?\[31mred, without tables$'
run "$TMA" --machine "$red" list
expect_status 125
expect_match stderr "^tma-sim: no machine '\?\[31mred'"
mkdir "$tmp/$red"
printf '[{ "MetricName": "m\302\205n", "MetricExpr": "1 + nosuch", "BriefDescription": "a\302\205b" }]' \
	>"$tmp/$red/x.json"
run "$TMA" --tables "$tmp/$red/x.json" --version --tables
expect_match stdout '\?\[31mred'
expect_no_match stdout "$(printf '\033')"
printf '[{ "MetricName": "m\302\205n", "MetricExpr": "1 +" }]' >"$tmp/$red/y.json"
run "$TMA" check-tables "$tmp/$red"
expect_match stdout '/\?\[31mred/y.json:1: error: '
expect_no_match stdout "$(printf '\033|\302\205')"
for command in list explain; do
	run "$TMA" $command --metrics-file "$tmp/$red/x.json" "$(printf 'm\302\205n')"
	expect_match stdout 'm\?n'
	expect_match stdout 'a\?b'
	expect_no_match stdout "$(printf '\302\205')"
done

begin "output that is closed is a failure" # R10
[ -z "${TEST_VALGRIND-}" ] || skip "valgrind does not start with its stderr closed"
run sh -c "\"$TMA\" --version >&-"
expect_status 125
run sh -c "\"$TMA\" stat -e task-clock true 2>&-"
expect_status 125

begin "if there is nothing to count, the message comes without a wait"
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run timeout 20 "$TMA" stat -a -x, -e cycles
expect_status 125

begin "no hardware PMU: --topdown says what is missing and how to try it" # R42
[ ! -d /sys/bus/event_source/devices/cpu ] && [ ! -d /sys/bus/event_source/devices/cpu_core ] ||
	skip "this machine has a hardware PMU"
run "$TMA" stat -a --topdown -I1000
expect_status 125
expect_match stderr 'this machine has none'
expect_match stderr 'tma --machine alderlake stat -a --topdown -I1000'
expect_empty stdout

begin "no hardware PMU: a metric that does not exist is still a misspelt one"
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" stat -M tma_retirin true
expect_status 125
expect_match stderr "did you mean 'tma_retiring'"
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" stat -M tma_retiring true
expect_match stderr 'this machine has none'

begin "no hardware PMU: a metric of the kernel's own events is measured, a wrong one explained"
needs_counters
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run "$TMA" stat -x, -M 'm = page-faults % 7' true
expect_status 0
expect_match stderr '^[0-9]+,,page-faults(:u)?,.*,[0-6]\.00,m$'
run "$TMA" stat -M 'm = no.such.event / 2' true
expect_status 125
expect_match stderr 'no event, PMU or metric of this machine has that name'

# refuse ERRNO ARG ...: let perf_event_open(2) fail with this error
refuse()
{
	errno=$1
	shift
	needs_command strace
	[ $test_state = ok ] || return 0
	strace -f -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	# A leak check does not work under a tracer.
	run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" \
		strace -f -o /dev/null -e inject=perf_event_open:error="$errno" "$TMA" stat "$@"
}

for errno in EPERM EACCES; do
	begin "$errno: the event, the level, the remedies in order" # R14
	refuse $errno -a -e cpu-clock --timeout 10
	expect_status 125
	expect_match stderr 'no permission to count cpu-clock'
	expect_match stderr 'perf_event_paranoid is -?[0-9]'
	expect_match stderr '^1\. .*leave out -a'
	expect_match stderr '^2\. .*cap_perfmon'
done

begin "a message reports that permission is missing for an event of a PMU without modes"
needs_root
needs_pmu msr
needs_command setpriv
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ] || skip "everyone may count here"
chmod a+rx "$tmp"
cp "$BUILD/tma" "$tmp/tma" 2>/dev/null
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/tma" stat -a -e msr/tsc/ --timeout 10
expect_status 125
expect_match stderr '^msr/tsc/u: no permission: kernel.perf_event_paranoid is too high'

begin "ENOSYS: a container's filter is named" # R41
refuse ENOSYS -e task-clock true
expect_status 125
expect_match stderr 'task-clock'
expect_match stderr 'seccomp'

begin "EMFILE: the number needed and the limit"
refuse EMFILE -e task-clock true
expect_status 125
expect_match stderr 'need as many open files'

begin "a message names a precise event as the cause: alone, in braces, and in a plan"
run "$TMA" --machine sapphirerapids stat -a -e '{instructions,cycles:pp}' --timeout 20
expect_status 125
expect_match stderr 'cannot count cycles:pp in the group .*: a precise event \(modifier p\) is for sampling only'
expect_no_match stderr 'more counters than the CPU has|without the braces'
run "$TMA" --machine sapphirerapids stat -a -e cycles:pp --timeout 20
expect_match stderr '^cycles:pp: a precise event \(modifier p\)'
run "$TMA" --machine sapphirerapids plan -a -e cycles:pp,instructions
expect_match stdout '^event 1, cpu, is not supported: cycles:pp is precise'
expect_match stdout '^cpu: 1 event in 1 group'

begin "no name in a list of metrics is passed over"
for list in , ,tma_retiring tma_retiring, 'tma_retiring, ,x = 1'; do
	run "$TMA" --machine sapphirerapids stat -a --timeout 20 -M "$list"
	expect_status 129
	expect_match stderr "^tma: -M '.*': empty name between commas$"
done

begin "a file of metrics: two of one name are an error, what is left out is said, none without a name"
printf '[{"MetricName":"a","MetricExpr":"cycles"},\n{"MetricName":"A","MetricExpr":"instructions"}]\n' >"$tmp/twice.json"
run "$TMA" --machine sapphirerapids stat -a --timeout 20 --metrics-file "$tmp/twice.json" -M a
expect_status 125
expect_match stderr "twice.json:2: metric 'A' is defined twice"
printf '[{"MetricName":"a","MetricExpr":"cycles","MetricThreshold":"a >"}]\n' >"$tmp/threshold.json"
run "$TMA" --machine sapphirerapids stat -a --timeout 20 --metrics-file "$tmp/threshold.json" -M a
expect_status 0
expect_match stderr "threshold.json:1: the threshold of metric 'a' is ignored:"
mkdir "$tmp/alone"
printf '[{"MetricName":"a","MetricExpr":"cycles"},\n{"MetricExpr":"cycles"}]\n' >"$tmp/alone/unnamed.json"
run "$TMA" --machine sapphirerapids stat -a --timeout 20 --metrics-file "$tmp/alone/unnamed.json" -M a
expect_status 125
expect_match stderr "unnamed.json:2: a MetricExpr has no MetricName"
run "$TMA" check-tables "$tmp/alone/unnamed.json"
expect_status 1
expect_match stdout 'unnamed.json:2: error: a MetricExpr has no MetricName'

begin "a letter after a metric that is not a modifier is named"
run "$TMA" --machine sapphirerapids stat -a --timeout 20 -M tma_retiring:x
expect_status 129
expect_match stderr "^event syntax error: 'tma_retiring:x'$"
expect_match stderr "unknown modifier 'x'$"
expect_no_match stderr 'tracepoint|topdown-retiring'

begin "a process that procfs does not show is not reported as missing"
for task in '-p 1' '-t 1'; do
	run env PROCFS_PATH=/nonexistent "$TMA" stat -e task-clock $task --timeout 20
	expect_status 125
	expect_match stderr "^tma: (process|thread) 1 \\(-[pt]\\): it runs, but is not in /nonexistent: that is not mounted"
done
run "$TMA" stat -e task-clock -p 2147483646 --timeout 20
expect_match stderr 'process 2147483646 \(-p\): no such process$'
