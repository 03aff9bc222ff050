#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Signals at any time, readers that do not read, and calls that are interrupted.
. "$(dirname "$0")/lib.sh"

program=

# in_background ARG ...: start tma stat, as $program; a command that it runs writes its number to
# $tmp/pid
in_background()
{
	[ $test_state = ok ] || return 0
	rm -f "$tmp/pid"
	# Commands that a script starts with "&" ignore signals that other commands do not ignore.
	env --default-signal "$TMA" stat "$@" >"$stdout" 2>"$stderr" </dev/null &
	program=$!
}

# ended: wait until the program has ended, for at most 100 s, and take its status
ended()
{
	[ $test_state = ok ] || return 0
	{ timeout 100 tail --pid=$program -f /dev/null || kill -KILL $program; } >/dev/null 2>&1 &
	status=0
	wait $program || status=$?
}

waiting="echo \$\$ >$tmp/pid.new; mv $tmp/pid.new $tmp/pid; exec sleep 60"

# --- Signals that end a run -----------------------------------------------------------------------

for signal in INT:2 TERM:15 HUP:1 QUIT:3 ALRM:14; do
	begin "SIG${signal%:*} ends the run: the counts, the command's end, the status" # R5
	needs_counters
	in_background -x, -e task-clock sh -c "$waiting"
	waits_for "$tmp/pid"
	[ $test_state != ok ] || kill -"${signal%:*}" $program
	ended
	expect_status $((128 + ${signal#*:}))
	expect_match stderr ',msec,task-clock'
	[ $test_state != ok ] || expect_gone "$(cat "$tmp/pid")"
done

begin "SIGALRM that is ignored stays so"
needs_counters
run sh -c "trap '' ALRM; \"$TMA\" stat -x, -e task-clock sh -c 'kill -ALRM \$PPID; kill -ALRM \$\$'"
expect_status 0

begin "a signal between two runs loses none of them"
needs_counters
in_background -x, -r 5 -e task-clock --post "touch $tmp/post; sleep 1" true
waits_for "$tmp/post"
[ $test_state != ok ] || kill -TERM $program
ended
expect_status 143
expect_match stderr ',msec,task-clock'
expect_no_match stderr '^tma:'

begin "a comparison that is interrupted in its first run says that there is none"
needs_counters
if [ $test_state = ok ]; then
	env --default-signal "$TMA" compare --td-level 0 "touch $tmp/begun; exec sleep 20" true >"$stdout" 2>"$stderr" &
	program=$!
fi
waits_for "$tmp/begun"
[ $test_state != ok ] || kill -TERM $program
ended
expect_status 143
expect_match stderr '^tma: interrupted before the end of the first run: nothing is compared$'

begin "a signal between two runs of a comparison: what is known is printed" # R6
needs_counters
needs_strace
for call in lseek:60 lseek:61 socketpair:60 socketpair:61 clone:60 clone:61 close:120 close:121 close:122 ioctl:60 ioctl:61; do
	run timeout 60 strace -o /dev/null -e "inject=${call%:*}:signal=TERM:when=${call#*:}" \
		"$TMA" compare --td-level 0 -r 50 true true
	expect_status 143
	expect_match stdout '^  time '
done

# --- SIGUSR1 --------------------------------------------------------------------------------------

begin "SIGUSR1: the run so far, and it goes on" # R6
needs_counters
in_background -x, -e task-clock,duration_time sh -c "$waiting"
waits_for "$tmp/pid"
for lines in 2 4; do
	[ $test_state != ok ] || kill -USR1 $program
	for _ in $(seq 2000); do
		[ "$(wc -l <"$stderr")" -lt $lines ] || break
		sleep 0.05
	done
	expect_lines stderr $lines
done
[ $test_state != ok ] || kill -TERM $program
ended
expect_status 143
expect_lines stderr 6
awk -F, '/duration_time/ { if ($1 <= last) print; last = $1 }' "$stderr" >"$tmp/short"
[ ! -s "$tmp/short" ] || fail "the run did not go on" "$tmp/short"

begin "SIGUSR1 with -I: a summary between rows, whose lengths stay"
needs_system_wide
rm -f "$tmp/rows"
in_background -a -x, -I 100 --interval-count 20 -e cpu-clock -o "$tmp/rows"
until_found '^ *[0-9.]*,[0-9]' "$tmp/rows" $program
while [ $test_state = ok ] && kill -USR1 $program 2>/dev/null; do
	sleep 0.04
done
ended
expect_status 0
expect_equal "rows" "$(grep -c '^ *[0-9.]*,[0-9]' "$tmp/rows")" 20
expect_match "$tmp/rows" 'summary,'

begin "SIGUSR1 before the first row: its headings are there, and so are those of the rows"
needs_strace
run env TMA_SIM_STEP=10 TMA_MACHINE=skylakex strace -o /dev/null -e inject=rt_sigaction:signal=USR1:when=2 \
	-E LD_PRELOAD="$sim_library" "$TMA" stat -a --topdown -I 100 --interval-count 2
expect_status 0
expect_equal "headings" "$(grep -c 'tma_retiring' "$stderr")" 2
expect_match stderr '^# +time .*tma_retiring'

begin "SIGUSR1 with -r and --passes: the runs so far, or a message"
needs_counters
for mode in "-r 3" --passes; do
	rm -f "$tmp/pid" "$tmp/go"
	# shellcheck disable=SC2086 # an option and its number
	in_background -x, $mode -e task-clock sh -c "echo >$tmp/pid; until [ -e $tmp/go ]; do sleep 0.02; done"
	waits_for "$tmp/pid"
	[ $test_state != ok ] || kill -USR1 $program
	until_found '^tma: (the first run is not over yet|pass 1 of 1: counts are complete after the last pass)$' "$stderr" $program
	touch "$tmp/go"
	ended
	expect_status 0
	expect_match stderr ',msec,task-clock'
done

begin "SIGUSR1 before a delay is over: a message, and the delay stays the same"
needs_strace
lasting 1000
run env TMA_SIM_STEP=10 TMA_MACHINE=skylakex strace -o "$tmp/trace" -e trace=sendto -e inject=sendto:signal=USR1:when=1 \
	-E LD_PRELOAD="$sim_library" "$TMA" stat -x, -D 500 -e duration_time,task-clock true
expect_status 0
expect_match stderr '^tma: SIGUSR1: nothing has been counted yet'
# If the signal comes before the delay has begun, the delay begins a step later.
expect_match stderr '^(490|500)000000,ns,duration_time,'

begin "signals at every moment: none is without a table, none hangs" # R6
needs_counters
for signal in USR1 ALRM QUIT TERM; do
	for delay in 0.001 0.003 0.006 0.01 0.015 0.02 0.03 0.05; do
		in_background -x, -e task-clock sleep 0.1
		sleep $delay
		[ $test_state != ok ] || kill -$signal $program 2>/dev/null
		ended
		[ $test_state != ok ] || [ "$status" -lt 137 ] || [ "$status" = 138 ] || [ "$status" = 142 ] ||
			[ "$status" = 143 ] || fail "SIG$signal after $delay s: status $status"
	done
done

begin "SIGUSR1 after everything was printed does not change the status"
needs_counters
needs_strace
for number in 1 2 3 4; do
	run timeout 20 strace -o /dev/null -e inject="rt_sigprocmask:signal=USR1:when=$number" \
		"$TMA" stat -x, -e task-clock true
	expect_status 0
	expect_match stderr ',msec,task-clock'
done

# --- Readers --------------------------------------------------------------------------------------

begin "a reader that does not read: SIGTERM ends the run, and only whole lines were written" # R56
needs_system_wide
needs_command python3
if [ $test_state = ok ]; then
	cat >"$tmp/stuck.py" <<'END'
import fcntl, os, select, signal, subprocess, sys, time
reader, writer = os.pipe()
fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 8192)
tma = subprocess.Popen([sys.argv[1], "stat", "-a", "-x,", "-I", "2", "--log-fd", str(writer),
                        "-e", "cpu-clock,duration_time"] + sys.argv[2:], pass_fds=[writer])
while select.select([], [writer], [], 0)[1]:
    time.sleep(0.01)
os.close(writer)
tma.send_signal(signal.SIGTERM)
started = time.monotonic()
status = tma.wait(100)
text = b""
while chunk := os.read(reader, 65536):
    text += chunk
print(status, time.monotonic() - started > 0.9, len(text) > 1000, text.endswith(b"\n"))
END
	run timeout 150 python3 "$tmp/stuck.py" "$TMA"
	expect_match stdout '^125 True True True$'
	expect_match stderr '^tma: the last rows are lost: the run was ended, and no process reads them'
	run timeout 150 python3 "$tmp/stuck.py" "$TMA" sh -c "$waiting"
	expect_match stdout '^(125|-15) True True True$'
	[ $test_state != ok ] || expect_gone "$(cat "$tmp/pid")"
fi

# --- Limits of files ------------------------------------------------------------------------------

begin "a file at its limit: EFBIG is told, the last row is whole" # R57
needs_system_wide
run timeout 20 sh -c "ulimit -f 4; \"$TMA\" stat -a -x, -I 2 -o $tmp/limited -e cpu-clock,duration_time"
expect_status 125
expect_match stderr '^tma: cannot write the counts: File too large'
[ $test_state != ok ] || [ -z "$(tail -c 1 "$tmp/limited" | tr -d '\n')" ] || fail "the last row is cut" "$tmp/limited"
expect_all_match "$tmp/limited" '^(# .*||[^,]*,[^,]+,[^,]*,(cpu-clock|duration_time),[0-9]+,100.00,.*)$'

begin "a file whose limit is within the first lines has none of them cut"
needs_counters
needs_command python3
for limit in 1 64; do
	run python3 -c "import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ($limit, $limit))
os.execv(sys.argv[1], sys.argv[1:])" "$TMA" stat -o "$tmp/limited" -e task-clock true
	expect_status 125
	[ $test_state != ok ] || [ ! -s "$tmp/limited" ] || fail "half a line" "$tmp/limited"
done

begin "the command has its own SIGXFSZ and SIGPIPE"
needs_counters
run env --default-signal sh -c "ulimit -f 1; \"$TMA\" stat -x, -e task-clock sh -c 'dd if=/dev/zero of=$tmp/large bs=4096 count=9 2>/dev/null'"
expect_status 153
run sh -c "trap '' PIPE XFSZ; \"$TMA\" stat -x, -e task-clock grep -E 'SigIgn' /proc/self/status"
expect_match stdout '^SigIgn:.*1001000$'

# --- Calls that are interrupted -------------------------------------------------------------------

for call in sendto recvfrom; do
	begin "EINTR in the $call between tma and the command" # R19
	needs_counters
	needs_strace
	run timeout 20 strace -f -o /dev/null -e inject="$call:error=EINTR:when=1..3" "$TMA" stat -x, -e task-clock true
	expect_status 0
	expect_match stderr ',msec,task-clock'
	run timeout 20 strace -f -o /dev/null -e inject="$call:error=EINTR:when=1..3" "$TMA" stat -x, -e task-clock /nonexistent
	expect_status 127
done

begin "commands of --control that cannot be read are not taken for shorter ones"
needs_counters
needs_strace
mkfifo "$tmp/control"
[ $test_state != ok ] || timeout 20 sh -c "printf 'enable\n' >$tmp/control" &
run timeout 20 strace -o /dev/null -P "$tmp/control" -e inject=read:error=EIO:when=4 \
	"$TMA" stat -x, -e task-clock --control "fifo:$tmp/control" sleep 0.2
wait
expect_status 0
expect_match stderr '^tma: --control: no more commands can be read: Input/output error$'
expect_no_match stderr 'is no command'

begin "a command that cannot be let go is not waited for"
needs_counters
needs_strace
for fault in error=ENOBUFS retval=0; do
	run timeout 20 strace -f -o /dev/null -e inject="sendto:$fault" "$TMA" stat -x, -e task-clock touch "$tmp/ran"
	expect_status 125
	expect_match stderr 'cannot start touch: (No buffer space|Input/output error)'
done
[ ! -e "$tmp/ran" ] || fail "the command ran"

begin "a signal during --pre, --post or --prepare goes to their command, and ends the run" # R6
needs_counters
for signal in INT:130 TERM:143; do
	for hook in "stat --pre" "stat -r 2 --post" "compare --prepare"; do
		[ $test_state = ok ] || break
		rm -f "$tmp/hook" "$tmp/told" "$tmp/ran"
		printf "#!/bin/sh\necho >>%s\n" "$tmp/ran" >"$tmp/command"
		chmod +x "$tmp/command"
		last=$tmp/command
		[ "${hook%% *}" = stat ] || last="$last $last"
		cat >"$tmp/wait.sh" <<END
trap 'echo told >$tmp/told; kill \$!; exit 1' INT TERM
sleep 60 &
echo >$tmp/hook
wait
END
		# shellcheck disable=SC2086 # several words
		env --default-signal "$TMA" $hook "exec sh $tmp/wait.sh" $last >"$stdout" 2>"$stderr" </dev/null &
		program=$!
		for _ in $(seq 1000); do
			[ ! -e "$tmp/hook" ] || break
			sleep 0.02
		done
		kill -"${signal%:*}" $program
		ended
		command_shown="$hook, ${signal%:*}"
		expect_status "${signal#*:}"
		[ -e "$tmp/told" ] || fail "the hook was not told"
		case $hook in
		*post) expect_lines "$tmp/ran" 1 ;;
		*) [ ! -e "$tmp/ran" ] || fail "the command ran all the same" ;;
		esac
	done
done
