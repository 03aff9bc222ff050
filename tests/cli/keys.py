# SPDX-License-Identifier: GPL-2.0-only
"""Ends a run by SIGINT while its command works, on its own terminal.

keys.py HOW RUNS PROGRAM ARG ...: HOW is "key" (Ctrl-C), or "kill" (a signal only to the program).
For each kind of outcome, it prints how many runs had it, how often the command got SIGINT, and how
the program ended. The command catches SIGINT and exits with 3: soon after the first SIGINT, or
after 1 s without one.
"""
import collections
import os
import pty
import signal
import sys
import tempfile
import time

COMMAND = """
import os, signal, sys, time
log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
came = []
def catch(*_):
    came.append(1)
    os.write(log, b"x")
signal.signal(signal.SIGINT, catch)
os.write(log, b"r")
end = time.monotonic() + 1
while time.monotonic() < end and not came:
    time.sleep(0.01)
time.sleep(0.1)
sys.exit(3)
"""


def once(how, argv):
    with tempfile.NamedTemporaryFile() as log:
        pid, fd = pty.fork()
        if not pid:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp(argv[0], argv + [sys.executable, "-S", "-c", COMMAND, log.name])
        while not os.path.getsize(log.name):
            time.sleep(0.01)
        time.sleep(0.05)
        if how == "key":
            os.write(fd, b"\x03")
        else:
            os.kill(pid, signal.SIGINT)
        try:
            while os.read(fd, 4096):
                pass
        except OSError:
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return log.read().count(b"x"), status


def main():
    how, runs, argv = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    outcomes = collections.Counter(once(how, argv) for _ in range(runs))
    for (times, status), nr in sorted(outcomes.items()):
        print(f"{nr} runs: {times} times, status {status}")


main()
