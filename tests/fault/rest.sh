#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Classes of faults in Documentation/reliability.adoc without a file of their own: limits, late
# rows, closed descriptors, many or offline CPUs.
. "$(dirname "$0")/lib.sh"

# --- Time -----------------------------------------------------------------------------------------

begin "rows that are late are left out, and not made up for" # R8
fault='late#3=990ms'
tma_on skylakex -a -x, -I 50 --interval-count 6 -e cpu-clock
expect_status 0
# The row after a late one is short: it ends at the next multiple of the interval.
cut -d, -f1 "$stderr" | grep '^[0-9]' >"$tmp/times"
expect_equal "times of rows" "$(tr '\n' ' ' <"$tmp/times")" \
	"0.050000000 0.100000000 1.140000000 1.150000000 1.200000000 1.250000000 "

begin "a stop of a second is reported in every format, and in recordings" # R7
fault='late#8=1s'
for format in text csv json; do
	tma_on skylakex record -o "$tmp/stopped.data" --format=$format -a -I 50 --interval-count 20 -e cycles
	expect_status 0
	case $format in
	text) expect_match stderr '^# 20 rows were left out before 1\.400000000: this one is 1\.050 s long$' ;;
	csv) expect_match stderr '^tma: 20 rows were left out before the row at 1\.400000000, which is 1\.050 s long$' ;;
	json) expect_match stdout '"length":1\.050000000[^}]*"missed_rows":20,' ;;
	esac
	run "$TMA" --machine skylakex stat report -i "$tmp/stopped.data" --format=json --summary
	expect_match stdout '"length":1\.05[^}]*"row":"interval"[^}]*"missed_rows":20,'
	expect_match stdout '"row":"run"[^}]*"missed_rows":20,'
done
fault=

# --- Descriptors ----------------------------------------------------------------------------------

begin "closed descriptors become no file of ours" # R10
needs_counters
run sh -c "\"$TMA\" stat -x, -e task-clock -o $tmp/counts sh -c 'echo words; echo words >&2; exit 3' <&- >&- 2>&-"
expect_status 3
expect_match "$tmp/counts" ',msec,task-clock'
expect_no_match "$tmp/counts" words
run sh -c "\"$TMA\" stat -x, -e task-clock --log-fd 1 true >&-"
expect_status 125

begin "no descriptors left in the whole system" # R17
needs_counters
needs_strace
run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" \
	strace -f -o /dev/null -e inject=perf_event_open:error=ENFILE "$TMA" stat -e task-clock true
expect_status 125
expect_match stderr '^tma: cannot open task-clock: the system has too many open files'

# --- CPUs -----------------------------------------------------------------------------------------

begin "a CPU of -C that is offline or does not exist" # R23
fault=offline=1@0ms
tma_on skylakex -C 0,1 -e cycles true
expect_status 125
expect_match stderr '^tma: -C: offline: CPU 1; online: 0,2-15$'
tma_on skylakex -C 0,99 -e cycles true
expect_status 125
expect_match stderr '^tma: -C: this machine has no CPU 99'
fault=

begin "4,096 CPUs, and fewer descriptors than that" # R47
{
	printf 'cpuid GenuineIntel-6-55-4\ncpus 0-4095\n'
	awk 'BEGIN { for (i = 0; i < 4096; i++) print "core", i }'
	printf 'pmu cpu\ntype 4\nkind core\ncounters 4\nfixed 2\nformat event config:0-7\nformat umask config:8-15\n'
	printf 'generic cpu-cycles event=0x3c\ngeneric instructions event=0xc0\nhash 1M 1G\nend\n'
} >"$tmp/large"
tma_on "$tmp/large" -a -x, -I 100 --interval-count 1 -e cycles
expect_status 0
expect_match stderr ',cycles,409600000000,100\.00,'
run sh -c "ulimit -n 1000; TMA_SIM_STEP=10 \"$TMA\" --machine $tmp/large stat -a -x, -e cycles,instructions true"
expect_status 125
expect_match stderr '8192 counters need as many open files, and 1000 are allowed'
expect_match stderr '[0-9]+ of the 4096 CPUs can be counted \(-C\)'

# --- Limits of a process --------------------------------------------------------------------------

# expect_words: tma has counted, or a line gives the reason that it has not; it must not crash
expect_words()
{
	case $status in
	0 | 125) ;;
	*) fail "exit status $status" ;;
	esac
	[ "$status" = 0 ] || expect_match stderr '^tma(-sim)?: |^[^ ]+: error while loading'
}

begin "with a small stack, there is a message, or the stack is enough" # R57
! grep -q __asan_init "$TMA" || skip "a sanitizer has stacks of its own"
[ -z "${TEST_VALGRIND-}" ] || skip "valgrind has stacks of its own"
deep="m = $(awk 'BEGIN { for (i = 0; i < 5000; i++) printf "("; printf 1; for (i = 0; i < 5000; i++) printf ")" }')"
# With a lower limit, the loader has no memory for the arguments.
for kib in 32 40 64 128 256 500; do
	run sh -c "ulimit -s $kib; exec \"\$@\"" - "$TMA" --machine skylakex stat -a -M "$deep" true
	command_shown="ulimit -s $kib"
	expect_status 125
	expect_match stderr '^tma: the stack is limited to [0-9]+ KiB, and [0-9]+ are needed \(ulimit -s [0-9]+\)$'
done
for kib in 512 1024; do
	run sh -c "ulimit -s $kib; exec \"\$@\"" - env TMA_SIM_STEP=10 "$TMA" --machine sapphirerapids stat -a -M TopdownL4 true
	expect_status 0
	run sh -c "ulimit -s $kib; exec \"\$@\"" - "$TMA" --machine skylakex stat -a -M "$deep" true
	command_shown="ulimit -s $kib"
	expect_words
done

begin "with little address space, there is a message, or it is enough" # R57
! grep -q __asan_init "$TMA" || skip "a sanitizer takes all of it"
[ -z "${TEST_VALGRIND-}" ] || skip "valgrind takes more"
# With a lower limit, the loader cannot map libc.
for kib in 14000 16000 18000 20000 24000 30000 40000 60000; do
	run sh -c "ulimit -v $kib; exec \"\$@\"" - env TMA_SIM_STEP=10 "$TMA" --machine sapphirerapids stat -a -M TopdownL4 true
	[ "$status" != 127 ] || continue
	expect_words
done

begin "no process more" # R57
needs_root
needs_command setpriv
needs_command prlimit
chmod a+rx "$tmp"
cp "$BUILD/tma" "$tmp/tma"
if [ $test_state = ok ]; then
	setpriv --reuid=65531 --regid=65531 --clear-groups "$tmp/tma" stat -e task-clock:u true 2>"$stderr" ||
		skip "another user may not count here"
fi
run setpriv --reuid=65531 --regid=65531 --clear-groups \
	prlimit --nproc=1:1 "$tmp/tma" stat -e task-clock:u true
expect_status 125
expect_match stderr '^tma: cannot start true: fork: Resource temporarily unavailable'

begin "no locked memory: events are counted, and latencies are sampled or a word says why not" # R57
run sh -c "ulimit -l 0; exec \"\$@\"" - env TMA_SIM_STEP=10 "$TMA" --machine graniterapids stat -a -x, -e cycles true
expect_status 0
expect_match stderr '^[0-9]+,,cycles,'
