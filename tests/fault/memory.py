#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""memory.py [--every N] [--jobs N] [--of tma|sim] [--once|--on] BUILD [PATTERN ...]

Runs commands of tma many times; in each run another allocation fails (memory.c). A run is right in
one of two ways:

* whole: the output, the files and the status are the same as with enough memory; or
* 125: the message is "tma: out of memory", and output and files have whole lines up to then, the
  same as with enough memory.

A recording must be readable as far as it was written. With --once a single allocation fails, with
--on also all later ones; without either option, runs alternate between the two. --every N tries
only each Nth allocation, and PATTERNs choose commands by name.

With --of sim, allocations of the simulator fail. It is a guest in tma: it may refuse what it was
asked to do, but must not end tma, unless it could not read its machine.

Prints a table: how many allocations the commands make, in how many runs one failed, and how these
runs ended. Wrong runs are listed. The exit status is 1 if a run was wrong.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import commands

TIMEOUT_S = 60
SHOWN = 5  # wrong runs that are listed for each command
NEWLINE = b"\n"
WORDS = "tma: out of memory"
RIGHT = ("125", "whole", "told")

class Host:
    """The build, the files that commands read, and how a command is run."""

    def __init__(self, options):
        self.options = options
        self.build = os.path.abspath(options.build)
        self.shim = os.path.join(self.build, "tests/fault/memory.so")
        self.regions = os.path.join(self.build, "tests/sim/regions")
        self.dir = tempfile.mkdtemp(prefix="tma-memory.")
        commands.put_files(self.dir)

    def close(self):
        shutil.rmtree(self.dir)

    def run(self, machine, words, directory, variables):
        """The result of one command: status (minus the number of a signal; None if the time was
        over), stdout and stderr."""
        env = commands.environment(self.build, machine, [self.shim])
        env["TMA_MEMORY_OF"] = self.options.of
        env.update(variables)
        with commands.control_pipe() as control:
            words = commands.put_names(words, self.dir, REGIONS=self.regions, CONTROL=str(control))
            try:
                done = subprocess.run([os.path.join(self.build, "tma")] + words, env=env,
                                      cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
                                      pass_fds=[control], timeout=TIMEOUT_S, check=False)
            except subprocess.TimeoutExpired:
                return None, b"", b""
        return done.returncode, done.stdout, done.stderr


class Outcome:
    """The output and the files of a command."""

    def __init__(self, status, out, err, files):
        self.status, self.out, self.err, self.files = status, out, err, files

    def __eq__(self, other):
        return (self.status, self.out, self.err, self.files) == \
            (other.status, other.out, other.err, other.files)


# Remove values that differ between runs: all numbers, if a program measured itself.
VARYING = [
    (rb"(?m)^# started on .*$", b"# started on"),
    (rb"(?m)^( +)[0-9.]+( seconds (user|sys|time elapsed))", rb"\2"),
    (rb"/tma-memory\.[^/ ]*", b""),
]


MEASURED = [(rb" *[0-9][0-9.]*", b" N")]
# The load, the processes and the CPUs of this computer.
BUSY = [(rb"(?m)^(tma top .* CPUs, )[0-9.]+ busy", rb"\1N busy"), (rb"(?m)^ +([0-9]+|others) .*\n", b"")]


def without_varying(text, patterns):
    for pattern, instead in patterns:
        text = re.sub(pattern, instead, text)
    return text


def read_counts(path):
    """Return: how many allocations the processes made, and the first and last allocation of each
    path. The file is removed.
    """
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file]
    os.unlink(path)
    paths = {}
    for first, last in (line for line in lines if len(line) == 2):
        paths[int(first)] = max(int(last), paths.get(int(first), 0))
    return max(int(line[0]) for line in lines if len(line) == 1), sorted(paths.items())


def cases_of_paths(paths):
    """Return: the numbers of the allocations to try, each with whether all later ones fail too."""
    cases = []
    for at, (first, last) in enumerate(paths):
        cases += [(first, at % 2 == 0), (last, at % 2 != 0)]
    return cases


class Command:
    """A command, its output with enough memory, and the number and paths of its allocations."""

    def __init__(self, host, name, machine, steps):
        self.host, self.name, self.machine = host, name, machine
        self.first, self.words = steps[:-1], steps[-1]
        count = os.path.join(host.dir, "count")
        self.prepared = tempfile.mkdtemp(dir=host.dir)
        for step in self.first:
            host.run(machine, step, self.prepared, {})
        self.whole = self.run({"TMA_MEMORY_COUNT": count})
        self.allocations, self.paths = read_counts(count)

    def run(self, variables):
        directory = tempfile.mkdtemp(dir=self.host.dir)
        try:
            for name in commands.files_in(self.prepared):
                os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
                os.link(os.path.join(self.prepared, name), os.path.join(directory, name))
            done = self.host.run(self.machine, self.words, directory, variables)
            real = "--regions" in self.words or "--bpf-counters" in self.words
            patterns = VARYING + (MEASURED if real else [])
            patterns += BUSY if self.words[0] == "top" else []
            files = {}
            for name in sorted(commands.files_in(directory)):
                with open(os.path.join(directory, name), "rb") as file:
                    files[name] = without_varying(file.read(), patterns)
            if self.words[:2] == ["stat", "record"] and "data" in files:
                files["data"] = self.reported(directory)
            return Outcome(done[0], *(without_varying(text, patterns) for text in done[1:]), files)
        finally:
            shutil.rmtree(directory)

    def reported(self, directory):
        """Return: the contents of a recording; an incomplete or empty one is accepted."""
        words = "stat report -i data -x,".split()
        status, out, err = self.host.run(self.machine, words, directory, {})
        rows = b"".join(line for line in err.splitlines(True) if not line.startswith(b"tma: "))
        return out + rows if status in (0, 125) else b"status %d\n" % status

    def cases(self):
        options = self.host.options
        if options.every:
            cases = [(number, number // options.every % 2 == 0)
                     for number in range(1, self.allocations + 1, options.every)]
        else:
            cases = cases_of_paths(self.paths)
        if options.on or options.once:
            cases = sorted({(number, options.on) for number, _ in cases})
        return cases

    def try_without(self, case):
        """Return: how the run with this failure ended: "125", "whole", "told", or a description of
        a mistake.
        """
        options, (number, goes_on) = self.host.options, case
        got = self.run({"TMA_MEMORY_FAIL": f"{number}{'+' if goes_on else ''}"})
        how = judge_guest(self.whole, got) if options.of == "sim" else judge(self.whole, got)
        if how not in RIGHT:
            how = f"TMA_MEMORY_FAIL={number}{'+' if goes_on else ''}: {how}"
        return how


def is_start(whole, got):
    """Return: whether a text consists of the first lines of another text."""
    return whole.startswith(got) and (got in (b"", whole) or got.endswith(b"\n"))


def judge(whole, got):
    if got == whole:
        return "whole"
    # If a library cannot allocate its memory for a thread, the C library ends the program.
    if got.status == 127 and b"cannot allocate memory for thread-local data" in got.err:
        return "told"
    if got.status is None:
        return "it does not end"
    said = got.err.splitlines(True)
    words = [line for line in said if line.decode(errors="replace").rstrip("\n") == WORDS]
    rest = b"".join(line for line in said if line not in words)
    if got.status != 125:
        return f"status {got.status} in place of 125 or {whole.status}; it said {got.err[-200:]!r}"
    if len(words) != 1:
        return f"'{WORDS}' {len(words)} times; it said {got.err[-200:]!r}"
    for what, was, now in [("stdout", whole.out, got.out), ("stderr", whole.err, rest)] + \
            [(name, whole.files.get(name, b""), text) for name, text in got.files.items()]:
        if not is_start(was, now):
            return f"{what} is no beginning of what it should be, or half a line: ...{now[-200:]!r}"
    return "125"


def judge_guest(whole, got):
    if got == whole:
        return "whole"
    if got.status is None:
        return "it does not end"
    if got.status < 0 or got.status > 128:
        return f"status {got.status}; it said {got.err[-200:]!r}"
    # If a group is refused on a CPU, turns are different, and so are estimates.
    before, now = whole.out + whole.err, got.out + got.err
    says = any(b" cannot " in line and line not in before for line in now.splitlines())
    if got.status == 0 and now.count(NEWLINE) < before.count(NEWLINE) and not says:
        return f"status 0 with {before.count(NEWLINE) - now.count(NEWLINE)} lines missing"
    if got.status == 125 and not got.err:
        return "nothing was said"
    return "125" if got.status == 125 else "told"


def of_machines(where):
    """Counts of this machine differ between runs."""
    return where not in commands.ON_THIS


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--of", choices=["tma", "sim"], default="tma")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--on", action="store_true")
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    host = Host(options)
    total = [0, 0, 0, 0, 0, 0, 0]
    form = "{:<26}" + 7 * " {:>11}"
    print(form.format("command", "allocations", "paths", "cases", *RIGHT, "wrong"))
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            for name, machine, steps in commands.parse_commands(of_machines):
                if not any(re.search(pattern, name) for pattern in options.patterns or [""]):
                    continue
                command = Command(host, name, machine, steps)
                ends = list(pool.map(command.try_without, command.cases()))
                wrong = [end for end in ends if end not in RIGHT]
                for text in wrong[:SHOWN]:
                    print(f"wrong: {name}: {text}")
                row = [command.allocations, len(command.paths), len(ends)]
                row += [ends.count(end) for end in RIGHT] + [len(wrong)]
                print(form.format(name, *row), flush=True)
                total = [a + b for a, b in zip(total, row)]
    finally:
        host.close()
    print(form.format("all", *total))
    return 1 if total[-1] or not total[2] else 0


if __name__ == "__main__":
    sys.exit(main())
