#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""top.py SCENARIO COMMAND ...: run tma top on its own terminal, as a user would, and print what is
wrong.

quit, interrupt, terminate, crash, hangup: tma top ends in this way, and restores the terminal
early: a key is pressed in the first interval
keys: a branch, its explanation, a graph, a filter, a page
functions: functions of all processes, of one process, and back; they are sampled only while they
are shown
ended: the process whose functions are shown ends
own: functions, then a node, of an ordinary user's processes, one of which has ended
deeper: the next level of the bottleneck; stop: tma top is stopped, and continues
resize: from the smallest terminal to a large one; frames: what is written for an interval
"""

import fcntl
import os
import pty
import re
import resource
import select
import signal
import struct
import sys
import termios
import time

PATIENCE_S = 100
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"


class Wrong(Exception):
    """A check failed."""


class Terminal:
    """A terminal of 100 columns and 35 lines, and a program on it."""

    def __init__(self, command):
        self.master, self.slave = pty.openpty()
        self.resize(100, 35)
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.environ["TERM"] = "xterm"
            os.execvp(command[0], command)

    def resize(self, columns, lines):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, keys):
        os.write(self.master, keys)

    def read(self, seconds):
        """Return: the output within a time."""
        new, end = b"", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                break
            new += os.read(self.master, 65536)
        self.seen += new
        return new

    def wait_for(self, words):
        """Discard all output up to these words; movements of the cursor may be within the words."""
        end = time.monotonic() + PATIENCE_S
        while (found := re.search(words, self.seen)) is None:
            if time.monotonic() > end:
                raise Wrong(f"no {words!r} in {self.seen[-2000:]!r}")
            self.read(0.1)
        self.seen = self.seen[found.end():]

    def end(self):
        """Wait for the end. Return: the status, as a shell has it."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                return 128 - code if code < 0 else code
        os.kill(self.pid, signal.SIGKILL)
        raise Wrong("it does not end")

    def expect_end(self, status):
        got = self.end()
        self.read(0.1)
        if got != status:
            raise Wrong(f"status {got} in place of {status}: {self.seen[-500:]!r}")
        if LEAVE not in self.seen:
            raise Wrong(f"the screen is not given back: {self.seen[-300:]!r}")
        if termios.tcgetattr(self.slave) != self.before:
            raise Wrong("the terminal's modes are others than before")


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def begin(command):
    terminal = Terminal(command)
    terminal.wait_for(re.escape(ENTER))
    terminal.wait_for(b"tma_memory_bound")
    return terminal


def ends(command, how, status):
    terminal = begin(command)
    if isinstance(how, bytes):
        terminal.type(how)
    else:
        os.kill(terminal.pid, how)
    terminal.expect_end(status)


def early(command):
    """A key works before the first screen."""
    terminal = Terminal(command)
    terminal.wait_for(re.escape(ENTER))
    terminal.read(1)
    terminal.type(b"q")
    terminal.expect_end(0)


def hangup(command):
    """The terminal is gone: the program must end, with any status."""
    terminal = begin(command)
    os.close(terminal.master)
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if os.waitpid(terminal.pid, os.WNOHANG)[0]:
            return
        time.sleep(0.05)
    os.kill(terminal.pid, signal.SIGKILL)
    raise Wrong("it does not end without its terminal")


def keys(command):
    terminal = begin(command)
    terminal.type(b"j" * 11 + b"\r")
    terminal.wait_for(b"parts of tma_backend_bound > tma_memory_bound")
    terminal.wait_for(b"tma_l3_miss_bound")
    terminal.type(b"e")
    terminal.wait_for(b"in short")
    terminal.type(b"x")
    terminal.wait_for(b"METRIC")
    terminal.type(b"w")
    terminal.wait_for(rb"the page is in (\S+\.html)")
    terminal.type(b"?")
    terminal.wait_for(b"select a metric")
    terminal.type(b"xg")
    terminal.wait_for(rb"tma_memory_bound  [0-9.]+ % to [0-9.]+ %")
    terminal.type(b"g\x7f")
    terminal.type(b"/nothing-has-this\r")
    terminal.wait_for(b"no row matches the filter")
    terminal.type(b" ")
    terminal.wait_for(b"held: space continues")
    terminal.type(b" q")
    terminal.expect_end(0)


def sampled(pid):
    """Return: number of buffers of samples that the program has."""
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps:
        return maps.read().count("[perf_event]")


def sleeps(pid):
    """Return: how often the program has waited so far."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"^voluntary_ctxt_switches:\s+([0-9]+)", status.read(), re.MULTILINE)[1])


def rows_of(command):
    """Start the program, and wait for the rows."""
    terminal = Terminal(command)
    terminal.wait_for(re.escape(ENTER))
    terminal.wait_for(b"PID PROCESS")
    return terminal


def spinning():
    """Return: the number of a process that is always busy."""
    child = os.fork()
    if not child:
        while True:
            pass
    return child


def functions(command):
    child = spinning()  # an idle computer has no samples
    try:
        keys_to_functions(command)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def keys_to_functions(command):
    terminal = rows_of(command)
    if sampled(terminal.pid):
        raise Wrong("it samples before functions are shown")
    terminal.type(b"f")
    terminal.wait_for(b"functions of all processes, estimated")
    terminal.wait_for(rb"FUNCTION +(\x1b\S+)?SHARE|SHARE")
    terminal.wait_for(rb"[0-9] %")
    if not sampled(terminal.pid):
        raise Wrong("it does not sample while functions are shown")
    before = sleeps(terminal.pid)
    terminal.read(2)
    # Buffers are read about fifty times per second.
    if sleeps(terminal.pid) - before > 1000:
        raise Wrong(f"it woke {sleeps(terminal.pid) - before} times in 2 s")
    terminal.type(b"f")
    terminal.wait_for(b"PROCESS")
    terminal.read(1)
    if sampled(terminal.pid):
        raise Wrong("it samples while functions are not shown")
    terminal.type(b"\t\r")
    terminal.wait_for(rb"functions of [0-9]+ \S+")
    terminal.wait_for(rb"[0-9] %")
    terminal.type(b"\x1b")
    terminal.wait_for(b"PROCESS")
    terminal.type(b"q")
    terminal.expect_end(0)


def ended(command):
    child = spinning()
    terminal = Terminal([*command, "-N", "1000", "--pid", str(child)])
    terminal.wait_for(str(child).encode())
    terminal.type(b"\t\r")
    terminal.wait_for(b"functions of " + str(child).encode())
    terminal.wait_for(rb"[0-9] %")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    terminal.wait_for(rb"has ended: functions of all processes")
    terminal.type(b"q")
    terminal.expect_end(0)


def own(command):
    child = os.fork()
    if not child:
        os.setgid(65534)
        os.setuid(65534)
        os.execlp("sh", "sh", "-c", "while :; do :; done")
    terminal = rows_of(command)
    terminal.wait_for(str(child).encode())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    terminal.type(b"f")
    terminal.wait_for(b"functions of ([0-9]+ of )?your own processes, estimated")
    terminal.wait_for(rb"\[made up\]")
    terminal.type(b"j\r")
    terminal.wait_for(b"parts of tma_")
    terminal.wait_for(rb"\[made up\]")
    terminal.type(b"f")
    terminal.wait_for(b"PID PROCESS")
    terminal.type(b"q")
    terminal.expect_end(0)


def deeper(command):
    """Without a key, the children of the row with the largest loss are shown below it, and counted
    next.
    """
    terminal = begin(command)
    terminal.wait_for(rb"tma_(l3_miss_bound|divider|icache_misses)")
    terminal.read(1)
    terminal.type(b"q")
    terminal.expect_end(0)


def stop(command):
    terminal = begin(command)
    terminal.seen = b""
    os.kill(terminal.pid, signal.SIGTSTP)
    terminal.wait_for(re.escape(LEAVE))
    end = time.monotonic() + PATIENCE_S
    while termios.tcgetattr(terminal.slave) != terminal.before:
        if time.monotonic() > end:
            raise Wrong("the terminal's modes stay while it stands still")
        time.sleep(0.05)
    pid, status = os.waitpid(terminal.pid, os.WUNTRACED)
    if not pid or not os.WIFSTOPPED(status):
        raise Wrong("it does not stand still")
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.wait_for(re.escape(ENTER))
    terminal.wait_for(b"METRIC")
    used = cpu_ticks(terminal.pid)
    terminal.read(2)
    used = cpu_ticks(terminal.pid) - used
    if used > os.sysconf("SC_CLK_TCK"):
        raise Wrong(f"it spins: {used} ticks of CPU time in 2 s")
    terminal.type(b"q")
    terminal.expect_end(0)


def resize(command):
    terminal = begin(command)
    for columns, lines in ((60, 15), (20, 4), (1, 1), (300, 80), (100, 30)):
        terminal.resize(columns, lines)
        os.kill(terminal.pid, signal.SIGWINCH)
        if lines == 4:
            terminal.wait_for(b"too small: 20x4")
            if b"quit" in terminal.read(0.5):
                raise Wrong("keys are drawn over the text of a small terminal")
        else:
            terminal.read(0.5)
    terminal.seen = b""
    terminal.resize(90, 30)
    os.kill(terminal.pid, signal.SIGWINCH)
    terminal.wait_for(b"METRIC")
    terminal.type(b"q")
    terminal.expect_end(0)


def frames(command):
    """An interval with few changes writes little."""
    terminal = begin(command)
    terminal.read(2)
    first, start = len(terminal.seen), time.monotonic()
    new = len(terminal.read(2))
    while not new and time.monotonic() < start + PATIENCE_S:
        new = len(terminal.read(0.5))
    # An interval is 0.2 s long, so there are at most this many, however late each is seen.
    seconds = time.monotonic() - start
    if not 0 < new < 2000 * (seconds / 0.2 + 2):
        raise Wrong(f"{new} bytes in {seconds} s, after {first}")
    terminal.type(b"q")
    terminal.expect_end(0)


def killed(command):
    """Signals without a handler; a shell prints their names."""
    for how in (signal.SIGXCPU, signal.SIGPROF, signal.SIGIO, signal.SIGVTALRM, signal.SIGUSR2,
                signal.SIGTRAP, signal.SIGPWR):
        signal.signal(how, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [how])
        try:
            ends(command, how, 128 + how)
        except Wrong as wrong:
            raise Wrong(f"{how.name}: {wrong}") from wrong


def memory(command):
    """A lack of memory is reported on the terminal after it has been restored."""
    terminal = begin(command)
    with open(f"/proc/{terminal.pid}/statm", encoding="ascii") as statm:
        used = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.prlimit(terminal.pid, resource.RLIMIT_AS, (used, used))
    terminal.resize(1900, 900)
    terminal.expect_end(125)
    if b"out of memory" not in terminal.seen[terminal.seen.rindex(LEAVE):]:
        raise Wrong(f"it does not say why: {terminal.seen[-500:]!r}")


def huge(command):
    terminal = begin(command)
    terminal.resize(20000, 20000)
    terminal.wait_for(b"tma_memory_bound")
    terminal.type(b"q")
    terminal.expect_end(0)


SCENARIOS = {
    "quit": lambda command: ends(command, b"q", 0),
    "interrupt": lambda command: ends(command, b"\x03", 130),
    "terminate": lambda command: ends(command, signal.SIGTERM, 143),
    "crash": lambda command: ends(command, signal.SIGSEGV, 139),
    "killed": killed, "memory": memory, "huge": huge, "early": early, "hangup": hangup, "keys": keys, "deeper": deeper, "functions": functions, "ended": ended, "own": own, "stop": stop, "resize": resize, "frames": frames,
}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in SCENARIOS:
        sys.exit(__doc__)
    try:
        SCENARIOS[sys.argv[1]](sys.argv[2:])
    except Wrong as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
