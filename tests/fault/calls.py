#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""calls.py [--kind KIND] [--every N] [--jobs N] [--perf PERF] BUILD [PATTERN ...]

Runs the commands of commands.py many times, each time with another fault of a KIND:

* errors: a system call fails with an error that it can have (strace --inject);
* short: a system call reads or writes less than it was asked to, or nothing (but what sysfs and
  procfs contain is believed even if it is empty, and so is the end of a pipe);
* signals: a signal comes at a system call; the calls get the SIGNALS in turn;
* limits: the process may have less of a resource (setrlimit).

A run is right if it ends in one of these ways:

* whole: the status, and all that is printed and written, are as without a fault;
* told: the status is the same, no row is missing, and a message or a mark of tma names what
  differs;
* other: like "told", but the only sign is in the row itself, which lacks a metric or a label;
* refused: the status is one of tma's own or the command's, "tma: ..." says why, and each line that
  was printed or written before is whole, and is there only once;
* ended: the signal ended it; a table or a message was printed if there was something to tell, and
  each line is whole. SIGUSR1 does not end a run, unless the program does not handle it yet.

A failure is a crash; a run that does not end; a command that tma started and left running; half a
row; a row twice; a cause that is not reported; or status 0 although something is missing. Only the
form of numbers is compared. Messages of -v are not output: they may be lost together with their
stream.

--every N tries each Nth case, and PATTERNs choose commands by "name: where". With --perf, the
commands that perf has too are run with tma and then with perf; perf may refuse with any status but
0. Prints a table: how many calls the commands make, how many cases there were and how they ended;
wrong cases are listed. The exit status is 1 if a case of tma's was wrong.
"""
import argparse
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import commands

TIMEOUT_S = 60
QUICK = "/dev/shm"
SHOWN = 8  # wrong runs that are listed for each command
KINDS = ("errors", "short", "signals", "limits")
RIGHT = ("whole", "told", "other", "refused", "ended")
OWN = (1, 125, 126, 127, 129)  # statuses of tma's own; 1: tma check-tables found an error

# The errors that are tried for each call. Other calls do not fail, or memory.py tries them, or they
# take effect even if they fail, like close(), which strace cannot imitate.
FAULTS = {
    "openat": ["error=EACCES", "error=EMFILE", "error=EIO", "error=EINTR"],
    "open": ["error=EACCES", "error=EMFILE"],
    "read": ["error=EIO", "error=EINTR"],
    "pread64": ["error=EIO"],
    "write": ["error=ENOSPC", "error=EIO", "error=EINTR", "error=EPIPE"],
    "writev": ["error=ENOSPC", "error=EINTR"],
    "newfstatat": ["error=EIO", "error=EACCES"],
    "getdents64": ["error=EIO"],
    "perf_event_open": ["error=EMFILE", "error=ENODEV", "error=EINTR", "error=EBUSY", "error=EACCES",
                        "error=ENOENT", "error=EINVAL", "error=ENOSYS", "error=ENOMEM"],
    "bpf": ["error=EPERM", "error=EINVAL", "error=ENOMEM", "error=E2BIG", "error=ENOENT"],
    "ioctl": ["error=EINVAL", "error=EIO", "error=EINTR"],
    "poll": ["error=EINTR", "error=ENOMEM"],
    "ppoll": ["error=EINTR", "error=ENOMEM"],
    "clone": ["error=EAGAIN", "error=ENOMEM"],
    "clone3": ["error=EAGAIN"],
    "vfork": ["error=EAGAIN"],
    "wait4": ["error=EINTR"],
    "socketpair": ["error=EMFILE"],
    "pipe2": ["error=EMFILE"],
    "sendto": ["error=EINTR", "error=EPIPE", "error=EAGAIN"],
    "recvfrom": ["error=EINTR", "error=ECONNRESET"],
    "fcntl": ["error=EINVAL", "error=EINTR"],
    "lseek": ["error=ESPIPE"],
    "ftruncate": ["error=EIO"],
    "fsync": ["error=EIO"],
    "rename": ["error=EACCES", "error=ENOSPC"],
    "unlink": ["error=EACCES"],
    "kill": ["error=EPERM", "error=ESRCH"],
    "pidfd_open": ["error=EMFILE", "error=ENOSYS"],
    "memfd_create": ["error=EMFILE"],
    "timerfd_create": ["error=EMFILE"],
    "timerfd_settime": ["error=EINVAL"],
    "signalfd4": ["error=EMFILE"],
    "eventfd2": ["error=EMFILE"],
    "epoll_create1": ["error=EMFILE"],
    "sched_setaffinity": ["error=EINVAL"],
    "sched_getaffinity": ["error=EINVAL"],
    "prlimit64": ["error=EPERM"],
    "sysinfo": ["error=EFAULT"],
    "uname": ["error=EFAULT"],
    "dup": ["error=EMFILE"],
    "dup2": ["error=EBUSY"],
    "flock": ["error=EINTR"],
    "clock_nanosleep": ["error=EINTR"],
}

# Return values of calls that did less than they were asked to. strace only changes the return
# value.
SHORT = {
    "read": ["retval=0", "retval=1"],
    "pread64": ["retval=0", "retval=1"],
    "write": ["retval=0", "retval=1"],
    "writev": ["retval=0", "retval=1"],
    "getdents64": ["retval=0"],
    "sendto": ["retval=0"],
    "recvfrom": ["retval=0"],
}

# Signals that end a run, and one signal that asks for a row.
SIGNALS = ("TERM", "INT", "HUP", "ALRM", "USR1")
CRASHES = (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL)
LASTING = ["sleep", "0.4"]  # the command of "signals": it outlives the process that leaves it

# Values of each limit. Two of the limits do not affect root: then the run belongs to another user.
LIMITS = {
    "AS": [n << 20 for n in (4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256)],
    "STACK": [n << 10 for n in (64, 128, 256, 500, 512, 600, 1024)],
    "NOFILE": [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 24, 28, 32, 48, 64],
    "FSIZE": [0, 1, 64, 200, 512, 1000, 4096, 10000],
    "MEMLOCK": [0, 4096, 65536],
    "NPROC": [0, 1, 2, 3],
}
OF_USERS = ("MEMLOCK", "NPROC")
NOBODY = 65534

# How often the same fault of a call is tried; further calls come from a loop. (The simulator adds
# thousands of calls to a run, from few places in it.)
MOST, MOST_SIMULATED = 40, 6

# The calls that set up a simulated machine; until its end, tma makes no similar ones.
LAID_OUT = re.compile(r"(mkdirat|linkat|symlinkat|writev)\(.*tma-sim|writev\(")
OF_KERNEL = re.compile(r"(read|pread64|getdents64)\(\d+<[^>]*(/sys/|/proc/|tma-sim|pipe:)")
VALUE = re.compile(rb"(^|[\s,:\"])[1-9][0-9.]*[\s,%\"]")
KILL_NOBODY = re.compile(r"kill\(\d+, 0\)")
LEFT_OUT = re.compile(rb"not supported|[Ll]eft out|cannot be sampled|cannot start|"
                      rb"|cannot be measured|no more commands can be read|\"N-#\"")  # the node is not known
LOADED = re.compile(r"munmap\(")  # the loader's last call: it releases its cache


def form(text):
    """Replace a text's numbers, and the spaces before them, as they differ from run to run."""
    text = re.sub(rb"/tma-calls\.[^/ ]*", b"", text)
    text = re.sub(rb"(?m)^# started on .*$", b"# started on", text)
    text = re.sub(rb"[0-9][0-9.,]*(e[+-][0-9]+)?", b"#", text.replace(b"+/-", b"+-"))
    text = re.sub(rb"\( \+-#% *\)|\([+-]#\) #*", b"", text)
    text = re.sub(rb"[KMG]?/sec", b"/sec", text)
    # Rows of tasks also have other processes of this computer.
    text = re.sub(rb"(?m)^ +# \S+ +# +# +tma_.*\n", b"", text)
    # The places of samples.
    text = re.sub(rb"(?m)^  where .* samples of .*\n( {14}.*\n)*", b"  where\n", text)
    return re.sub(rb"[ \t]+", b" ", text)


def is_note(line):
    """Return: whether a line of stderr is a message (also of -v), and not a row of a table, of CSV
    or of JSON. Messages of -v are not output: they may be lost together with their stream.
    """
    return (not re.match(rb"[ #{,|]|<not", line) or not line.strip() or b"\\___" in line or
            re.match(rb" [^ ]+: [a-z]", line) is not None)


class Outcome:
    """The output and the files of a command, by format."""

    def __init__(self, status, streams, left=False, speaks=False):
        # Some commands report faults only in rows.
        self.status, self.left, self.speaks = status, left, speaks
        self.raw = streams
        self.streams = {name: form(text) for name, text in streams.items()}
        said = self.streams.get("stderr", b"").splitlines(True)
        self.notes = [line for line in said if is_note(line)]
        self.rows = Counter(line for name, text in self.streams.items()
                            for line in text.splitlines(True)
                            if line.strip() and (name != "stderr" or not is_note(line)))
        self.whole_rows = Counter(line for name, text in streams.items()
                                  for line in text.splitlines(True)
                                  if name != "stderr" or not is_note(line))

    def same(self, other):
        return self.status == other.status and self.streams == other.streams

    def lines(self):
        return sum(len(text.split(b"\n")) - text.count(b"\n\n") for text in self.streams.values())

    def said(self):
        return self.raw.get("stderr", b"")[-160:]


def is_part(row):
    """Return: whether the row has the value that a message calls missing."""
    return re.search(rb"<not |null|nan|:[a-z_]+:?u\b|:u\b|status=\"not |error: ", row)


def has_told(whole, got):
    if got.speaks and got.status and got.rows - whole.rows:
        return True
    return any(note not in whole.notes for note in got.notes) or \
        got.status in (0, 1) and any(is_part(row) for row in got.rows)


def judge_form(got):
    """Return: the failure of a run that would be one with any fault, or None."""
    if got.status is None:
        return "it does not end"
    if got.status in CRASHES:
        return f"it was killed by signal {-got.status}; it said {got.said()!r}"
    if got.left:
        return f"status {got.status}, and the command still runs"
    for name, text in got.streams.items():
        if text and not text.endswith(b"\n"):
            return f"{name} ends in half a line: ...{text[-60:]!r}"
    return None


def judge_signal(case, whole, got, program):
    """Judge the end of a run that got a signal."""
    sent = case.sent
    rows, wanted = sum(got.rows.values()), sum(whole.rows.values())
    if got.status == whole.status and rows >= wanted:
        return "whole" if got.same(whole) else "other"
    if got.status not in (-sent, 128 + sent):
        return judge(case, whole, got, program)
    if sent == signal.SIGUSR1 and (got.status > 0 or rows >= wanted) and case.is_live:
        return f"SIGUSR1 ended it with status {got.status} and {rows} rows"
    if rows > 2 * wanted:
        return f"ended, and {rows - wanted} rows more"
    if got.status > 0 and not rows and not has_told(whole, got):
        return f"status {got.status}, no table and no word"
    return "ended"


def judge(case, whole, got, program):
    """Judge the end of a run with a fault."""
    if got.status < 0 and got.status != -signal.SIGPIPE:
        return f"it was killed by signal {-got.status}; it said {got.said()!r}"
    if got.same(whole):
        return "whole"
    told = has_told(whole, got)
    rows, wanted = sum(got.rows.values()), sum(whole.rows.values())
    if case.loses_byte and got.status == whole.status and got.lines() >= whole.lines() - 1:
        return "other"
    if got.status == whole.status and rows >= wanted:
        return "told" if told else "other"
    # If its event has a message, a metric is not printed; and neither is a place without samples.
    words = [*got.notes, *got.rows]
    if got.status == whole.status and any(LEFT_OUT.search(line) for line in words):
        return "told"
    if got.status == whole.status and not got.status:
        missing = whole.rows - got.rows
        # Some users cannot see these.
        if "EACCES" in case.text and all(b"[Tracepoint event]" in row for row in missing):
            return "other"
        return (f"status 0 and {sum(missing.values())} lines missing: {min(missing)!r}; "
                f"it said {got.said()!r}")
    if not told and got.status != -signal.SIGPIPE:
        return f"status {got.status} and no word; it said {got.said()!r}"
    if program == "tma" and not case.limit and got.status not in OWN and 0 <= got.status < 128:
        return f"status {got.status} in place of one of tma's own; it said {got.said()!r}"
    twice = [row for row, number in got.whole_rows.items()
             if number > max(1, whole.rows[form(row)]) and VALUE.search(row)]
    # If a PMU's file is missing, an event may be in two groups.
    if twice and not any(re.search(rb"; what .* is missing", note) for note in got.notes):
        return f"status {got.status}, and a row more: {twice[0]!r}"
    return "refused"


def runs_in(session):
    """Return: whether a process of the session still runs; it may be about to end."""
    for _ in range(15):
        if not any(is_of(session, pid) for pid in os.listdir("/proc") if pid.isdigit()):
            return False
        time.sleep(0.01)
    return True


def is_of(session, pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state = file.read().rpartition(b")")[2].split()
    except OSError:
        return False
    return int(state[3]) == session and state[0] not in (b"Z", b"X")


class Case:
    """A fault: one of a call (in strace's words), or a limit and its value."""

    def __init__(self, call=None, fault=None, number=None, limit=None):
        self.limit, self.sent, self.is_live = limit, None, True
        self.loses_byte = call in ("write", "writev") and fault == "retval=1"
        self.text = "%s=%d" % limit if limit else f"{call} {number} {fault}"
        self.inject = f"inject={call}:{fault}:when={number}" if call else None
        if fault and fault.startswith("signal="):
            self.sent = signal.Signals["SIG" + fault[7:]]

    def of_user(self):
        return self.limit and self.limit[0] in OF_USERS and os.getuid() == 0


class Host:
    """The environment in which commands run."""

    def __init__(self, build, program):
        self.build = os.path.abspath(build)
        self.program = os.path.join(self.build, "tma") if program == "tma" else program
        self.regions = os.path.join(self.build, "tests/sim/regions")
        self.dir = tempfile.mkdtemp(prefix="tma-calls.",
                                    dir=QUICK if os.access(QUICK, os.W_OK) else None)
        os.chmod(self.dir, 0o755)
        commands.put_files(self.dir)
        self.sleeper = subprocess.Popen(["sleep", "100000"])
        self.begins = {}

    def close(self):
        self.sleeper.kill()
        self.sleeper.wait()
        shutil.rmtree(self.dir)

    def begins_with(self, where, limit):
        """Return: whether a program starts with this limit, or reports it as too low."""
        if (where, limit) not in self.begins:
            status, _, _ = self.run(where, ["--version"], self.dir, Case(limit=limit))
            self.begins[where, limit] = status in (0, 125)
        return self.begins[where, limit]

    def run(self, where, words, directory, case, trace="/dev/null"):
        """Run a command, with strace if the fault is of a call. Return: the outcome."""
        env = commands.environment(self.build, where)
        # Each run sets up its simulated machine in this place, alone, so that it always makes the
        # same calls.
        env["TMPDIR"] = os.path.join(os.path.dirname(directory), "tmp")
        before, more = [], {}
        if case and case.inject:
            before = ["strace", "-y", "-o", trace, "-e", case.inject]
            before += [word for name, value in env.items() for word in ("-E", f"{name}={value}")]
            env = {"PATH": env["PATH"]}
        if case and case.limit:
            # preexec_fn is not used: with several threads, Python may wait for ever between fork
            # and exec.
            before = ["prlimit", f"--{case.limit[0].lower()}={case.limit[1]}", "--"]
        if case and case.of_user():
            more |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        with commands.control_pipe() as control:
            words = commands.put_names(words, self.dir, PID=str(self.sleeper.pid),
                                       CONTROL=str(control), REGIONS=self.regions)
            # A limit of file sizes also applies to streams, so output goes to a pipe.
            kind = Piped if case and case.limit else Filed
            with kind() as streams:
                child = subprocess.Popen(before + [self.program] + words, env=env, cwd=directory,
                                         stdout=streams.ends[0], stderr=streams.ends[1],
                                         stdin=subprocess.DEVNULL, pass_fds=[control],
                                         start_new_session=True, **more)
                status, left = wait_for(child)
                return status, dict(zip(("stdout", "stderr"), streams.texts())), left


class Filed:
    """Files for a program's output."""

    def __enter__(self):
        self.ends = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]
        return self

    def texts(self):
        for file in self.ends:
            file.seek(0)
        return [file.read() for file in self.ends]

    def __exit__(self, *_):
        for file in self.ends:
            file.close()


class Piped:
    """Pipes for a program's output."""

    def __enter__(self):
        pipes = [os.pipe(), os.pipe()]
        self.ends = [os.fdopen(writer, "wb") for _, writer in pipes]
        self.readers = ThreadPoolExecutor(2)
        self.read = [self.readers.submit(read_all, reader) for reader, _ in pipes]
        return self

    def texts(self):
        for end in self.ends:
            end.close()
        return [read.result() for read in self.read]

    def __exit__(self, *_):
        self.readers.shutdown()


def read_all(descriptor):
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def wait_for(child):
    """Return: the status (None if the time was over), and whether a command was left running."""
    try:
        status = child.wait(TIMEOUT_S)
        left = runs_in(child.pid)
    except subprocess.TimeoutExpired:
        status, left = None, False
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    return status, left


class Command:
    """A command, its output without a fault, and its cases of a kind of fault."""

    def __init__(self, host, row, kind, program):
        self.host, self.program, self.kind = host, program, kind
        self.name, self.where, steps = row
        self.words = steps[-1]
        if kind == "signals" and self.words[0] == "stat" and self.words[-1] == "true":
            self.words = self.words[:-1] + LASTING
        self.prepared = os.path.join(tempfile.mkdtemp(dir=host.dir), "here")
        os.mkdir(self.prepared)
        os.mkdir(os.path.join(os.path.dirname(self.prepared), "tmp"))
        if "fifo:ctl" in self.words:
            os.mkfifo(os.path.join(self.prepared, "ctl"))
        for step in steps[:-1]:
            host.run(self.where, step, self.prepared, None)
        self.inputs = [] if "--append" in self.words else commands.files_in(self.prepared)
        self.calls, self.cases = 0, []
        self.wholes = {}
        if kind == "limits":
            self.find_limits()
        else:
            self.trace()

    def trace(self):
        path = os.path.join(os.path.dirname(self.prepared), "trace")
        # This run is as slow as a run with a fault.
        self.wholes[False] = self.run(Case("nfsservctl", "error=EIO", 1), path)
        with open(path, encoding="utf-8", errors="replace") as file:
            trace = file.read().splitlines()
        self.calls, self.cases = len(trace), list(find_cases(self.kind, trace, self.where))

    def find_limits(self):
        self.cases = [Case(limit=(name, value)) for name, values in LIMITS.items()
                      for value in values if self.host.begins_with(self.where, (name, value))]

    def whole(self, of_user):
        """Run the command without a fault; as another user if the case needs one, who may do less
        than root."""
        if of_user not in self.wholes:
            self.wholes[of_user] = self.run(Case(limit=("NPROC", 1000)) if of_user else None)
        return self.wholes[of_user]

    def run(self, case, trace="/dev/null"):
        directory = tempfile.mkdtemp(dir=self.host.dir)
        for name in ("here", "tmp"):
            os.mkdir(os.path.join(directory, name))
            os.chmod(os.path.join(directory, name), 0o777)
        os.chmod(directory, 0o755)
        try:
            here = os.path.join(directory, "here")
            for name in commands.files_in(self.prepared):
                os.makedirs(os.path.dirname(os.path.join(here, name)), exist_ok=True)
                if name == "ctl":
                    os.mkfifo(os.path.join(here, name))
                else:
                    shutil.copy(os.path.join(self.prepared, name), os.path.join(here, name))
            status, streams, left = self.host.run(self.where, self.words, here, case, trace)
            for name in sorted(commands.files_in(here)):
                if name not in self.inputs and self.words[:2] != ["stat", "record"]:
                    with open(os.path.join(here, name), "rb") as file:
                        streams[name] = file.read()
            speaks = bool({"test", "check-tables"} & set(self.words))
            return Outcome(status, streams, left, speaks)
        finally:
            shutil.rmtree(directory)

    def try_with(self, case):
        whole = self.whole(bool(case.of_user()))
        # Any signal ends a command that counts nothing.
        case.is_live = "stat" in self.words and not whole.status and \
            not {"report", "--dry-run"} & set(self.words)
        got = self.run(case)
        how = judge_form(got) or \
            (judge_signal if case.sent else judge)(case, whole, got, self.program)
        return how if how in RIGHT else f"{case.text}: {how}"


def find_cases(kind, trace, where):
    """Make the cases: one for each fault of each call, after those of the loader and of the
    simulator's setup."""
    simulated = where not in commands.ON_THIS
    loaded = max((i for i, line in enumerate(trace) if LAID_OUT.match(line)), default=0) \
        if simulated else 0
    most = MOST_SIMULATED if simulated else MOST
    counts = Counter()
    numbers = {}
    started = False
    for i, line in enumerate(trace):
        match = re.match(r"([a-z_0-9]+)\(", line)
        if not match:
            continue
        if simulated and i > loaded and line.startswith("unlinkat("):
            break
        counts[match[1]] += 1
        started |= bool(LOADED.match(line))
        if kind == "short" and OF_KERNEL.match(line):
            continue
        # The simulator asks whether a task is alive.
        if simulated and KILL_NOBODY.match(line):
            continue
        if started and i >= loaded and not line.endswith("?"):
            numbers.setdefault(match[1], []).append(counts[match[1]])
    signals = itertools.cycle("signal=" + name for name in SIGNALS)
    for call, found in numbers.items():
        found = found[::(len(found) + most - 1) // most]
        if kind == "signals":
            yield from (Case(call, next(signals), number) for number in found)
            continue
        for fault in (FAULTS if kind == "errors" else SHORT).get(call, []):
            yield from (Case(call, fault, number) for number in found)


def try_all(options, program):
    """Try the commands with a program, and print a table. Return: the last row of the table."""
    host = Host(options.build, program)
    total = [0] * 8
    table = "{:<26}" + 8 * " {:>8}"
    print(table.format(options.kind, "calls", "cases", *RIGHT, "wrong"))
    tried = 0
    rows = commands.parse_commands(lambda where: where == "perf" if options.perf else True)
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            for row in rows:
                named = f"{row[0]}: {row[1]}"
                if not any(re.search(pattern, named) for pattern in options.patterns or [""]):
                    continue
                command = Command(host, row, options.kind, program)
                first = -tried % options.every
                tried += len(command.cases)
                cases = command.cases[first::options.every]
                for of_user in {bool(case.of_user()) for case in cases}:
                    command.whole(of_user)
                ends = list(pool.map(command.try_with, cases))
                wrong = [end for end in ends if end not in RIGHT]
                for text in wrong[:SHOWN]:
                    print(f"wrong: {row[0]} ({row[1]}): {text}")
                row = [command.calls, len(ends)] + [ends.count(end) for end in RIGHT] + [len(wrong)]
                print(table.format(command.name, *row), flush=True)
                total = [a + b for a, b in zip(total, row)]
    finally:
        host.close()
    print(table.format("all", *total))
    return total


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="errors")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--perf")
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    total = try_all(options, "tma")
    if options.perf:
        try_all(options, options.perf)
    return 1 if total[-1] or not total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
