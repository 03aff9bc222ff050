#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""calls.py [--every N] [--jobs N] BUILD [PATTERN ...]

Runs commands of tma again and again on this machine, and lets in each run another system call fail
(strace --inject) with one of the errors that it may have, be cut short, or be followed by a signal.
A run is right in one of these ways:

* whole: the status, and all that is printed and written, are what they are without a fault;
* told: the status is 0, no row is missing, and something that tma says names what is different;
* other: so, but only the row itself is different: it lacks a metric, or a label;
* refused: the status is one of tma's own or the command's, "tma: ..." says why, and each line that
  was printed or written before is whole, and there once;
* ended: by the signal that came, and each line that was printed before is whole, and there once.

It is wrong when it crashes, does not end, leaves half a row, has a row twice, says nothing of a
cause, or ends with status 0 and something missing. Numbers are compared by their form alone.

--every N tries each Nth case, and PATTERNs choose commands by name. Prints a table: how many calls
the commands make, how many cases there were and how they ended; those that are wrong are told of.
The exit status is 1 if any was.
"""
import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

TIMEOUT_S = 20
SHOWN = 8  # of each command, wrong runs that are told of
RIGHT = ("whole", "told", "other", "refused", "ended")
OWN = (1, 125, 126, 127, 129)  # statuses of tma's own; 1: tma check-tables found an error
EVENTS = "task-clock,context-switches"

# A name and the arguments of tma. A command before "THEN" is run without a fault. @PID is a process.
COMMANDS = f"""
stat: stat -e {EVENTS} true
stat -a: stat -a -e cpu-clock,context-switches --timeout 20
stat -I: stat -a -e cpu-clock -I 20 --interval-count 2
stat -x: stat -x, -e {EVENTS} true
stat -j: stat -j -e {EVENTS} true
stat -o: stat -o out -x, -e {EVENTS} true
stat --append: stat -o out -e {EVENTS} true THEN stat --append -o out -e {EVENTS} true
stat -p: stat -p @PID -e {EVENTS} --timeout 20
stat -t: stat -t @PID -e {EVENTS} --timeout 20 --per-thread
stat -r: stat -r 2 -e {EVENTS} true
stat -r --table: stat -r 2 --table -e {EVENTS} true
stat --pre: stat --pre true --post true -r 2 -e task-clock true
stat -C: stat -C 0 -e cpu-clock --timeout 20
stat -A: stat -a -A -e cpu-clock --timeout 20
stat --per-socket: stat -a --per-socket -e cpu-clock --timeout 20
stat --per-node: stat -a --per-node -e cpu-clock --timeout 20
stat --per-core: stat -a --per-core -e cpu-clock --timeout 20
stat --cgroup: stat -a --for-each-cgroup / -e cpu-clock --timeout 20
stat tracepoint: stat -a -e sched:sched_switch --timeout 20
stat filter: stat -a -e sched:sched_switch --filter 'prev_pid != 0' --timeout 20
stat -M: stat -M 'share = task-clock / duration_time' true
stat -D: stat -D 10 -e task-clock sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'
stat --control: stat --control fifo:ctl -a -e cpu-clock --timeout 20
stat --metrics-file: stat --metrics-file @METRICS -M own true
stat --format=json: stat --format=json -e {EVENTS} true
stat --format=prom: stat --format=prom -o out -e {EVENTS} true
stat --format=csv-wide: stat --format=csv-wide -e {EVENTS} true
stat --error: stat -a --error -e cpu-clock -I 20 --interval-count 2
stat -v: stat -v -e {EVENTS} true
stat --dry-run: stat --dry-run -e {EVENTS} true
stat record: stat record -o data -e {EVENTS} true
stat record -I: stat record -o data -a -e cpu-clock -I 20 --interval-count 2
stat report: stat record -o data -e {EVENTS} true THEN stat report -i data
stat report CSV: stat -x, -o data -e {EVENTS} true THEN stat report -i data
script: stat record -o data -e {EVENTS} true THEN script -i data
list: list task-clock
list metric: list metric 'tma_b*'
list -j: list -j cpu-clock
explain: explain task-clock
plan: plan -e {EVENTS}
check-tables: check-tables @METRICS
version: --version
"""

METRICS = '[{"MetricName": "own", "MetricExpr": "task\\\\-clock / duration_time", "MetricGroup": "Made"}]'

# The errors and short results which each call may have. Others are not tried: they do not fail;
# memory.py tries them; or, as close(), they do what they do also when they fail, and strace cannot.
FAULTS = {
    "openat": ["error=EACCES", "error=EMFILE", "error=EIO", "error=EINTR"],
    "open": ["error=EACCES", "error=EMFILE"],
    "read": ["error=EIO", "error=EINTR", "retval=0"],
    "pread64": ["error=EIO"],
    "write": ["error=ENOSPC", "error=EIO", "error=EINTR", "error=EPIPE"],
    "writev": ["error=ENOSPC", "error=EINTR"],
    "newfstatat": ["error=EIO", "error=EACCES"],
    "getdents64": ["error=EIO"],
    "perf_event_open": ["error=EMFILE", "error=ENODEV", "error=EINTR", "error=EBUSY", "error=EACCES",
                        "error=ENOENT", "error=EINVAL", "error=ENOSYS", "error=ENOMEM"],
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

# Signals that end a run, and one that asks for a row, may come at any moment: behind these calls.
SIGNALS = ["signal=SIGTERM", "signal=SIGINT", "signal=SIGHUP", "signal=SIGALRM", "signal=SIGUSR1"]
MOMENTS = ("openat", "read", "write", "perf_event_open", "ioctl", "poll", "ppoll", "clone", "clone3", "wait4",
           "recvfrom", "sendto", "mmap", "close", "rt_sigprocmask", "rt_sigaction")

MOST = 40  # of one call with one error: where there are more, they are of a loop

LOADED = re.compile(r"munmap\(")  # the last thing that the loader does: it releases its cache


def parse_commands():
    for line in COMMANDS.strip().splitlines():
        name, text = line.split(": ", 1)
        yield name, [shlex.split(step) for step in text.split(" THEN ")]


def form(text):
    """A text with its numbers, and the spaces before them, as they differ from run to run."""
    text = re.sub(rb"/tma-calls\.[^/ ]*", b"", text)
    text = re.sub(rb"(?m)^# started on .*$", b"# started on", text)
    text = re.sub(rb"[0-9][0-9.,]*(e[+-][0-9]+)?", b"#", text.replace(b"+/-", b"+-"))
    text = re.sub(rb"\( \+-#% *\)|\([+-]#\) #*", b"", text)
    text = re.sub(rb"[KMG]?/sec", b"/sec", text)
    return re.sub(rb"[ \t]+", b" ", text)


def is_note(line):
    """Whether a line of stderr is words, also those of -v, and no row of a table, of CSV or of JSON.

    What -v says is no output: it may be lost with the stream that it goes to."""
    return (not re.match(rb"[ #{,]|<not", line) or not line.strip() or b"\\___" in line or
            re.match(rb" [^ ]+: [a-z]", line) is not None)


class Outcome:
    """What a command printed and wrote, by its form."""

    def __init__(self, status, streams):
        self.status = status
        self.raw = streams
        self.streams = {name: form(text) for name, text in streams.items()}
        said = self.streams.get("stderr", b"").splitlines(True)
        self.notes = [line for line in said if is_note(line)]
        self.rows = Counter(line for name, text in self.streams.items()
                            for line in text.splitlines(True)
                            if name != "stderr" or not is_note(line))

    def same(self, other):
        return self.status == other.status and self.streams == other.streams

    def said(self):
        return self.raw.get("stderr", b"")[-160:]


def is_part(row):
    """Whether a value stands in the row for which there is a word instead."""
    return re.search(rb"<not |null|nan|:[a-z_]+:?u\b|:u\b|status=\"not |error: ", row)


def judge(whole, got, sent=None):
    """@sent: the signal that came, or None."""
    if got.status is None:
        return "it does not end"
    if got.status < 0 and got.status not in (-signal.SIGPIPE, -(sent or 0)):
        return f"it was killed by signal {-got.status}"
    if got.same(whole):
        return "whole"
    for name, text in got.streams.items():
        if text and not text.endswith(b"\n"):
            return f"{name} ends in half a line: ...{text[-60:]!r}"
    told = any(note not in whole.notes for note in got.notes)
    told |= got.status in (0, 1) and any(is_part(row) for row in got.rows)
    rows, wanted = sum(got.rows.values()), sum(whole.rows.values())
    if sent == signal.SIGUSR1 and got.status == whole.status and rows >= wanted:
        return "other"
    # A command that gets it as well may print what it has counted, and what there is of it.
    if sent and got.status in (-sent, 128 + sent):
        return "ended" if rows <= 2 * wanted else f"ended, and {rows - wanted} rows more"
    if got.status == whole.status and rows >= wanted:
        return "told" if told else "other"
    # A metric is not printed whose event is told of.
    if got.status == whole.status and any(b"not supported" in note for note in
                                          [*got.notes, *got.rows]):
        return "told"
    if got.status == whole.status and not got.status:
        missing = whole.rows - got.rows
        return f"status 0 and {sum(missing.values())} lines missing: {min(missing)!r}; it said {got.said()!r}"
    if not told and got.status != -signal.SIGPIPE:
        return f"status {got.status} and no word; it said {got.said()!r}"
    if got.status not in OWN and 0 <= got.status < 128:
        return f"status {got.status} in place of one of tma's own; it said {got.said()!r}"
    twice = [row for row in got.rows - whole.rows if row in whole.rows]
    if rows > wanted and twice:
        return f"status {got.status}, and a row more: {twice[0]!r}"
    return "refused"


class Host:
    def __init__(self, options):
        self.tma = os.path.join(os.path.abspath(options.build), "tma")
        self.dir = tempfile.mkdtemp(prefix="tma-calls.")
        with open(os.path.join(self.dir, "metrics.json"), "w", encoding="utf-8") as file:
            file.write(METRICS)
        self.sleeper = subprocess.Popen(["sleep", "100000"])

    def close(self):
        self.sleeper.kill()
        self.sleeper.wait()
        shutil.rmtree(self.dir)

    def run(self, words, directory, tracer):
        """Run a command, under strace or not. Return: its status (None: too late) and streams."""
        words = [word.replace("@PID", str(self.sleeper.pid))
                 .replace("@METRICS", os.path.join(self.dir, "metrics.json")) for word in words]
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "TMA_PAGER": ""}
        streams = {}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(tracer + [self.tma] + words, env=env, cwd=directory,
                                     stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                     start_new_session=True)
            try:
                status = child.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                status = None
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            for name, file in (("stdout", out), ("stderr", err)):
                file.seek(0)
                streams[name] = file.read()
        return status, streams


class Command:
    """A command, what it prints without a fault, and the calls that it makes."""

    def __init__(self, host, name, steps):
        self.host, self.name, self.words = host, name, steps[-1]
        self.prepared = tempfile.mkdtemp(dir=host.dir)
        if "--control" in self.words:
            os.mkfifo(os.path.join(self.prepared, "ctl"))
        for step in steps[:-1]:
            host.run(step, self.prepared, [])
        self.inputs = [] if "--append" in self.words else os.listdir(self.prepared)
        self.whole, trace = self.traced()
        self.cases = list(find_cases(trace))
        self.calls = len(trace)

    def traced(self):
        path = os.path.join(self.prepared, "..", "trace." + os.path.basename(self.prepared))
        # As slow as with a fault.
        outcome = self.run(["strace", "-o", path, "-e", "inject=nfsservctl:error=EIO"])
        with open(path, encoding="utf-8", errors="replace") as file:
            return outcome, file.read().splitlines()

    def run(self, tracer):
        directory = tempfile.mkdtemp(dir=self.host.dir)
        try:
            for name in os.listdir(self.prepared):
                path = os.path.join(self.prepared, name)
                if name == "ctl":
                    os.mkfifo(os.path.join(directory, name))
                else:
                    shutil.copy(path, directory)
            status, streams = self.host.run(self.words, directory, tracer)
            for name in sorted(os.listdir(directory)):
                if name not in self.inputs and self.words[:2] != ["stat", "record"]:
                    with open(os.path.join(directory, name), "rb") as file:
                        streams[name] = file.read()
            return Outcome(status, streams)
        finally:
            shutil.rmtree(directory)

    def try_with(self, case):
        call, fault, number = case
        sent = signal.Signals[fault[7:]] if fault.startswith("signal=") else None
        how = judge(self.whole, self.run(
            ["strace", "-o", "/dev/null", "-e", f"inject={call}:{fault}:when={number}"]), sent)
        return how if how in RIGHT else f"{call} {number} {fault}: {how}"


def find_cases(trace):
    """A case for each call behind the loader's, with each of its faults."""
    counts = Counter()
    numbers = {}
    loaded = False
    for line in trace:
        match = re.match(r"([a-z_0-9]+)\(", line)
        if not match:
            continue
        counts[match[1]] += 1
        loaded |= bool(LOADED.match(line))
        if loaded and not line.endswith("?"):
            numbers.setdefault(match[1], []).append(counts[match[1]])
    for call, found in numbers.items():
        step = (len(found) + MOST - 1) // MOST
        for fault in FAULTS.get(call, []):
            for number in found[::step]:
                yield call, fault, number
        if call in MOMENTS:
            for number in found[::step]:
                yield call, SIGNALS[number % len(SIGNALS)], number


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    host = Host(options)
    total = [0] * 8
    table = "{:<22}" + 8 * " {:>8}"
    print(table.format("command", "calls", "cases", *RIGHT, "wrong"))
    tried = 0
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            for name, steps in parse_commands():
                if not any(re.search(pattern, name) for pattern in options.patterns or [""]):
                    continue
                command = Command(host, name, steps)
                first = -tried % options.every
                tried += len(command.cases)
                cases = command.cases[first::options.every]
                ends = list(pool.map(command.try_with, cases))
                wrong = [end for end in ends if end not in RIGHT]
                for text in wrong[:SHOWN]:
                    print(f"wrong: {name}: {text}")
                row = [command.calls, len(ends)] + [ends.count(end) for end in RIGHT] + [len(wrong)]
                print(table.format(name, *row), flush=True)
                total = [a + b for a, b in zip(total, row)]
    finally:
        host.close()
    print(table.format("all", *total))
    return 1 if total[-1] or not total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
