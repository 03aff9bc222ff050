#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A run among processes, signals, limits and files that misbehave.
. "$(dirname "$0")/lib.sh"

# injected FAULT ARG ...: run tma stat with strace -e inject=FAULT
injected()
{
	inject=$1
	shift
	needs_strace
	run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" \
		strace -f -o /dev/null -e inject="$inject" "$TMA" stat "$@"
}

# Make a command that writes its number, and waits.
waiting="echo \$\$ >$tmp/pid.new; mv $tmp/pid.new $tmp/pid; exec sleep 60"

# --- The command ------------------------------------------------------------------------------------

begin "no process can be made: a failure of tma's own, and it is said" # R4
needs_counters
injected clone,clone3,fork,vfork:error=EAGAIN -e task-clock true
expect_status 125
expect_match stderr 'cannot start true: fork: Resource temporarily unavailable'

begin "no descriptor left for the command" # R4
needs_counters
injected socketpair:error=EMFILE -e task-clock true
expect_status 125
expect_match stderr 'Too many open files'

begin "a directory cannot be run: 126" # R3
needs_counters
run "$TMA" stat -e task-clock "$tmp"
expect_status 126
expect_match stderr "cannot run $tmp"
expect_no_match stderr 'Performance counter'

begin "what a command leaves in the background is not waited for" # R27
needs_counters
run sh -c "\"$TMA\" stat -x, -e task-clock sh -c 'sleep 1000 >$tmp/sleep.out 2>&1 & echo \$! >$tmp/pid; exit 3' 2>$tmp/err"
expect_status 3
[ $test_state != ok ] || kill "$(cat "$tmp/pid")" || fail "the background process was ended"

begin "every signal that ends a command is in the status" # R1
needs_counters
for signal in 1 2 3 6 9 11 13 15; do
	run env --default-signal "$TMA" stat -x, -e task-clock sh -c "kill -$signal \$\$"
	expect_status $((128 + signal))
	expect_match stderr ',msec,task-clock'
	expect_match stderr 'was killed by SIG'
done

begin "SIGINT to the group, as from a terminal: the command, the counts, the status"
needs_counters
needs_command python3
rm -f "$tmp/pid"
if [ $test_state = ok ]; then
	cat >"$tmp/group.py" <<'END'
import os, signal, subprocess, sys, time
tma = subprocess.Popen([sys.argv[1], "stat", "-x,", "-e", "task-clock", "sh", "-c", sys.argv[2]],
                       start_new_session=True)
while not os.path.exists(sys.argv[3]):
    time.sleep(0.05)
os.killpg(tma.pid, signal.SIGINT)
sys.exit(-tma.wait())
END
	run timeout 100 env --default-signal=INT python3 "$tmp/group.py" "$TMA" "$waiting" "$tmp/pid"
	expect_status 2
	expect_match stderr ',msec,task-clock'
	expect_gone "$(cat "$tmp/pid")"
fi

# --- Signals and time ---------------------------------------------------------------------------------

begin "signals that mean nothing to it make no rows" # R6
needs_system_wide
if [ $test_state = ok ]; then
	"$TMA" stat -a -x, -I 100 --interval-count 5 -o "$tmp/rows" -e cpu-clock,duration_time \
		>"$stdout" 2>"$stderr" </dev/null &
	program=$!
	while kill -WINCH $program 2>/dev/null; do
		kill -URG $program 2>/dev/null
		kill -CONT $program 2>/dev/null
		sleep 0.01
	done
	wait $program || fail "it failed"
	sed -i '/^#/d; /^$/d' "$tmp/rows"
	expect_lines "$tmp/rows" 10
	# No row comes early: each is due at a multiple of the interval.
	awk -F, '/cpu-clock/ && $1 < (int(last / 0.1 + 1e-6) + 1) * 0.1 - 1e-6 { print }
		/cpu-clock/ { last = $1 }' "$tmp/rows" >"$tmp/early"
	[ ! -s "$tmp/early" ] || fail "rows before their time" "$tmp/early"
fi

begin "a slow reader gets every row, with its true times" # R13
needs_system_wide
run sh -c "\"$TMA\" stat -a -x, -I 20 --interval-count 20 --log-fd 1 -e cpu-clock,duration_time |
	{ sleep 1; cat; }"
expect_lines stdout 40
[ $test_state != ok ] || awk -F, '
	/cpu-clock/ { length_ns = ($1 - before) * 1e9; before = $1 }
	/duration_time/ && ($2 - length_ns > 1 || length_ns - $2 > 1) { print }' "$stdout" >"$tmp/wrong"
[ $test_state != ok ] || [ ! -s "$tmp/wrong" ] || fail "rows of another length than their times say" "$tmp/wrong"

begin "the reader has gone: quiet, the command ended, the status of SIGPIPE" # R11
needs_system_wide
rm -f "$tmp/pid"
run env --default-signal=PIPE sh -c "{ \"$TMA\" stat -a -x, -I 10 --log-fd 1 -e cpu-clock sh -c '$waiting'; echo \$? >$tmp/status; } | head -n 1"
expect_lines stdout 1
expect_equal "status" "$(cat "$tmp/status")" 141
expect_no_match stderr 'tma:'
[ $test_state != ok ] || expect_gone "$(cat "$tmp/pid")"

# --- Output -------------------------------------------------------------------------------------------

for errno in EIO EDQUOT ENOSPC; do
	begin "$errno when the file is written" # R12
	needs_counters
	injected "write:error=$errno:when=2" -x, -o "$tmp/out" -e task-clock true
	expect_status 125
	expect_match stderr "^tma: cannot write"
done

begin "the first row that cannot be written ends the run, and the command" # R12
needs_system_wide
rm -f "$tmp/pid"
run "$TMA" stat -a -x, -I 10 -o /dev/full -e cpu-clock sh -c "$waiting"
expect_status 125
[ $test_state != ok ] || [ ! -e "$tmp/pid" ] || expect_gone "$(cat "$tmp/pid")"

begin "a disk that is full behind any write: lines are whole" # R12
needs_strace
for number in 1 2 3 4; do
	run strace -f -o /dev/null -P "$tmp/list" -e inject="write:error=ENOSPC:when=$number+" \
		"$TMA" --machine skylakex list -o "$tmp/list" metric
	expect_status 125
	expect_match stderr "^tma: cannot write to $tmp/list: No space left on device"
	[ $test_state != ok ] || [ -z "$(tail -c1 "$tmp/list")" ] || fail "half a line" "$tmp/list"
done
expect_match "$tmp/list" lpm_

begin "the rows of regions are written whole when a signal interrupts that"
needs_strace
for fault in error=EINTR retval=7; do
	run env TMA_SIM_STEP=10 strace -f -o /dev/null -P "$tmp/rows" -e inject="write:$fault:when=2" \
		"$TMA" --machine sapphirerapids stat --regions -x, -o "$tmp/rows" -- "$BUILD/tests/sim/regions" three
	expect_status 0
	expect_equal "rows" "$(grep -c '^phase[123],' "$tmp/rows")" 3
done

begin "an answer that has no standard output is not lost in silence"
needs_counters
needs_strace
for fault in fcntl:error=EINVAL:when=1 dup2:error=EBUSY:when=2; do
	run strace -o /dev/null -e inject="$fault" "$TMA" compare -r 2 --td-level 0 true true
	expect_status 125
	expect_match stderr '^tma: (standard output cannot be duplicated|standard output cannot be restored)'
done
run strace -o /dev/null -e inject=dup2:error=EBUSY:when=1 "$TMA" compare -r 2 --td-level 0 true true
expect_status 0
expect_match stderr '^tma: the command.s output cannot be discarded'
expect_match stdout '^  time '

begin "files that cannot be written to are named before anything runs"
for file in "$tmp" /nonexistent/file; do
	run "$TMA" stat -o "$file" -e task-clock touch "$tmp/ran"
	expect_status 125
	expect_match stderr "$file"
done
run "$TMA" stat --log-fd 99 -e task-clock touch "$tmp/ran"
expect_status 125
[ ! -e "$tmp/ran" ] || fail "the command ran"

begin "-o - is standard output, a link is followed, a file replaced" # R44
needs_counters
run "$TMA" stat -x, -o - --command-output=null -e task-clock true
expect_match stdout ',msec,task-clock'
for _ in 1 2 3; do echo "old text"; done >"$tmp/old"
ln -sfn old "$tmp/link"
run "$TMA" stat -x, -o "$tmp/link" -e task-clock true
expect_match "$tmp/old" ',msec,task-clock'
expect_no_match "$tmp/old" 'old text'

# --- Limits and transient errors ------------------------------------------------------------------------

for errno in EINTR EAGAIN; do
	begin "$errno from opening a counter is tried again, and not for ever" # R19
	needs_counters
	injected "perf_event_open:error=$errno:when=1..5" -x, -e task-clock true
	expect_status 0
	expect_match stderr ',msec,task-clock'
	injected "perf_event_open:error=$errno" -x, -e task-clock true
	expect_status 125
done

begin "the soft limit of open files is raised" # R17
needs_system_wide
run sh -c "ulimit -Sn 20; \"$TMA\" stat -a -x, -e $(printf 'cpu-clock,%.0s' $(seq 40))cpu-clock true"
expect_status 0
expect_lines stderr 41

begin "the hard limit is not: the number needed, and how to get it" # R17
needs_root
needs_command setpriv
needs_counters
chmod a+rx "$tmp"
cp "$BUILD/tma" "$tmp/tma"
events=$(printf 'task-clock:u,%.0s' $(seq 40))task-clock:u
if [ $test_state = ok ]; then
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/tma" stat -e task-clock:u true 2>"$stderr" ||
		skip "another user may not count here"
fi
run setpriv --reuid=65534 --regid=65534 --clear-groups \
	sh -c "ulimit -n 20; $tmp/tma stat -e $events true"
expect_status 125
expect_match stderr '41 counters need as many open files, and 20 are allowed'
expect_match stderr 'ulimit -n'

# A process that may send signals to another process may also take its descriptors; tma's command
# may do so.
begin "descriptors that are taken away while it counts: no wait spins, and signals are taken"
needs_counters
needs_command cc
cat >"$tmp/take.c" <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct rlimit none = {0};

	return prlimit(getppid(), RLIMIT_NOFILE, &none, NULL) || usleep(atoi(argv[argc - 1]));
}
END
cc -o "$tmp/take" "$tmp/take.c" 2>"$tmp/cc" || skip "cc makes no program"
for _ in 1 2 3 4 5; do
	run timeout -k 1 100 "$TMA" stat -I 50 -e task-clock "$tmp/take" 200000
	expect_status 0
	run timeout -k 1 100 "$TMA" stat record -I 50 -o "$tmp/data" -e task-clock "$tmp/take" 200000
	expect_status 0
done
[ $test_state != ok ] || {
	timeout -k 1 30 "$TMA" stat -e task-clock "$tmp/take" 60000000 2>"$stderr" &
	sleep 1
	kill $!
	wait $!
	expect_equal "status of SIGTERM" $? 143
	expect_match stderr 'task-clock'
}

begin "CPU time covers the counted time, even if the command goes on"
needs_counters
needs_command python3
cat >"$tmp/spin.py" <<'END'
import os, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
while time.process_time() < 0.4:
	pass
os.kill(os.getppid(), signal.SIGINT)
while time.process_time() < 2:
	pass
END
# The time of a running task may be up to 200 ms old, so it is not compared with task-clock.
run env --default-signal=INT "$TMA" stat -x, -e user_time,system_time python3 "$tmp/spin.py"
awk -F, '/_time/ { used += $1 / 1e6 } END { print used }' "$stderr" >"$tmp/used"
expect_between "CPU time of the command, in ms" "$(cat "$tmp/used")" 150 1800

# --- Threads ---------------------------------------------------------------------------------------------

begin "each of 2,000 threads" # R26
needs_counters
needs_command python3
if [ $test_state = ok ]; then
	cat >"$tmp/threads.py" <<'END'
import sys, threading, time
threading.stack_size(65536)
end = threading.Event()
for _ in range(2000):
    threading.Thread(target=end.wait, args=(60,), daemon=True).start()
open(sys.argv[1], "w").close()
time.sleep(60)
END
	python3 "$tmp/threads.py" "$tmp/up" &
	many=$!
	waits_for "$tmp/up"
	run "$TMA" stat --per-thread -x, -e task-clock -p $many --timeout 100
	kill $many
	expect_status 0
	expect_lines stderr 2001
	expect_all_match stderr '^python3?[^,]*-[0-9]+,(<not counted>|[0-9.]+),msec,task-clock'
	expect_equal "threads twice" "$(cut -d, -f1 "$stderr" | sort | uniq -d)" ""
fi

begin "threads that come and go while -p finds and opens them" # R26
needs_counters
needs_command python3
if [ $test_state = ok ]; then
	cat >"$tmp/churn.py" <<'END'
import sys, threading, time
threading.stack_size(65536)
end = time.time() + 30
while time.time() < end:
    batch = [threading.Thread(target=time.sleep, args=(0.002,)) for _ in range(20)]
    for thread in batch:
        thread.start()
    for thread in batch:
        thread.join()
END
	python3 "$tmp/churn.py" &
	churn=$!
	for rows in "" --per-thread -i; do
		for _ in 1 2 3 4 5 6 7 8; do
			# shellcheck disable=SC2086 # an empty word is left out
			run "$TMA" stat $rows -x, -e task-clock,page-faults -p $churn --timeout 30
			expect_status 0
			expect_match stderr ',task-clock|,msec,task-clock'
		done
	done
	kill $churn
fi

begin "a process that ends keeps its counts" # R25
needs_counters
if [ $test_state = ok ]; then
	mkfifo "$tmp/go"
	sh -c 'read -r go; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' <"$tmp/go" &
	computing=$!
	"$TMA" stat -x, -e task-clock -I 100 -o "$tmp/rows" -p $computing 2>"$stderr" &
	program=$!
	# The program computes, and ends when a row shows that it is counted.
	until_found task-clock "$tmp/rows" $program
	echo >"$tmp/go"
	status=0
	wait $program || status=$?
fi
expect_status 0
expect_match "$tmp/rows" '^ *[0-9.]+,[0-9]+\.[0-9]{2},msec,task-clock'

begin "children are counted to the last, and not with -i" # R26
needs_counters
children='for i in 1 2 3 4 5 6 7 8 9 10; do sh -c "sh -c :"; done'
run "$TMA" stat -x, -e page-faults sh -c "$children"
all=$(field 1 "$stderr")
run "$TMA" stat -x, -i -e page-faults sh -c "$children"
own=$(field 1 "$stderr")
[ $test_state != ok ] || expect_between "page faults of one process, of all $all" "$own" 1 $((all / 5))

# --- Memory ----------------------------------------------------------------------------------------------

begin "a lack of memory is reported, whenever it occurs" # R18
needs_counters
needs_command cc
[ -z "${TEST_VALGRIND-}" ] || skip "valgrind has an allocator of its own"
if [ $test_state = ok ]; then
	cat >"$tmp/fail.c" <<'END'
#include <errno.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int fails(void)
{
	static long left = -1;

	if (left < 0)
		left = getenv("FAIL_FROM") ? atol(getenv("FAIL_FROM")) : 0;
	if (left > 1) {
		left--;
		return 0;
	}
	if (left == 1)
		errno = ENOMEM;
	return left == 1;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails() ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
END
	cc -shared -fPIC -o "$tmp/fail.so" "$tmp/fail.c" 2>"$tmp/cc" || skip "cc makes no library"
fi
! grep -q __asan_init "$TMA" || skip "a sanitizer's allocator cannot be made to fail"
from=1
while [ $test_state = ok ] && [ $from -lt 1000000 ]; do
	run env FAIL_FROM=$from LD_PRELOAD="$tmp/fail.so" timeout 20 "$TMA" stat -x, -e task-clock,page-faults,cs true
	[ "$status" != 0 ] || break
	case $status in
	125 | 129) ;;
	*) fail "status $status from call $from on" ;;
	esac
	expect_match stderr '^tma: .*memory'
	from=$((from + 1 + from / 8))
done
[ $test_state != ok ] || [ $from -gt 20 ] || fail "the library was not used"
