#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SIGINT from a terminal or from another program: how often it reaches the command, and the end of
# tma.
. "$(dirname "$0")/lib.sh"

keys=$(dirname "$0")/keys.py
runs=${TEST_KEYS_RUNS:-4}
ln -s "$TMA" "$tmp/perf"

begin "Ctrl-C reaches the command once, and its status is that of tma" # R5
for interval in "" "-I 100"; do
	run python3 -B "$keys" key $runs "$TMA" stat $interval -e page-faults
	expect_equal ends "$(cat "$stdout")" "$runs runs: 1 times, status 3"
done
run python3 -B "$keys" key $runs "$tmp/perf" stat -e page-faults
expect_equal ends "$(cat "$stdout")" "$runs runs: 1 times, status 3"
run python3 -B "$keys" key $runs "$tmp/perf" stat -I 100 -e page-faults
expect_equal ends "$(cat "$stdout")" "$runs runs: 1 times, status -2"

begin "SIGINT to tma alone is passed on; under the name perf the command goes on" # R5
run python3 -B "$keys" kill $runs "$TMA" stat -e page-faults
expect_equal ends "$(cat "$stdout")" "$runs runs: 1 times, status 3"
run python3 -B "$keys" kill $runs "$tmp/perf" stat -e page-faults
expect_equal ends "$(cat "$stdout")" "$runs runs: 0 times, status 3"

begin "so does perf" # R5
needs_perf
run python3 -B "$keys" kill $runs "$PERF" stat -e page-faults
expect_equal ends "$(cat "$stdout")" "$runs runs: 0 times, status 3"
run python3 -B "$keys" key $runs "$PERF" stat -e page-faults
expect_equal ends "$(cat "$stdout")" "$runs runs: 1 times, status 3"

begin "a command that dies of Ctrl-C takes tma with it" # R5
run python3 -B -c '
import os, pty, sys, time
pid, fd = pty.fork()
if not pid:
    os.execvp(sys.argv[1], [sys.argv[1], "stat", "-e", "page-faults", "sh", "-c", "echo begun; exec sleep 20"])
seen = b""
while b"begun" not in seen:
    seen += os.read(fd, 4096)
os.write(fd, b"\x03")
try:
    while os.read(fd, 4096):
        pass
except OSError:
    pass
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' "$TMA"
expect_equal ends "$(cat "$stdout")" -2

begin "an end by SIGTERM stays one" # R5
run sh -c '"$1" stat -e page-faults sh -c "trap \"exit 3\" TERM; echo begun; while :; do sleep 0.05; done" >"$2" &
	until grep -q begun "$2"; do sleep 0.05; done
	kill -TERM $!
	wait $!' sh "$TMA" "$tmp/begun"
expect_status 143
