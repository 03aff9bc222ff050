#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts a run on a simulated machine with callgrind, without the simulator's work; measures the
run's memory; and makes such machines with any number of CPUs.

        callgrind.py BUILD MODEL CPUS ARG ...

prints what a row of "tma ARG ... -I 10" costs: a line "instructions N" for the program, and a line
"FUNCTION TIMES" for each function that a row calls.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple

SIMULATOR = "libtma-sim.so"
MACHINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib/sim/machines")

# Words at the beginning of lines of a machine file that describe the places of CPUs.
PLACES = ("cpus", "core", "cache", "node", "load", "task-path")

COST = re.compile(r"[0-9+*-]\S* (\d+)$")


class Failed(Exception):
    """The program failed; the text is its output."""


class Profile(namedtuple("Profile", "whole simulator calls")):
    """whole:     instructions of the process
        simulator: instructions of the simulator, and of what it calls
        calls:     how often each function was called by the program, by name
    """
    @property
    def own(self):
        return self.whole - self.simulator

    def row(self, fewer, rows):
        """Estimate the cost of a row from two runs, one of which has this many rows more."""
        calls = {name: (nr - fewer.calls[name]) / rows for name, nr in self.calls.items()
                 if nr != fewer.calls[name]}
        return Profile((self.whole - fewer.whole) / rows,
                       (self.simulator - fewer.simulator) / rows, calls)


class Reader:
    """Read a file that callgrind has written; valgrind's manual has its format."""

    def __init__(self):
        self.names = {}
        self.object = self.callee_object = self.callee = None
        self.called = 0  # the number of calls, when the next line is the cost of the calls
        self.whole = self.simulator = 0
        self.calls = Counter()

    def name(self, kind, text):
        """A name follows its number only where it first occurs."""
        number, _, word = text.partition(" ")
        if word:
            self.names[kind, number] = word
        return self.names.get((kind, number), text)

    def cost(self, nr):
        if not self.called:
            self.whole += nr
        elif self.object != SIMULATOR:
            self.calls[self.callee.split("'")[0]] += self.called
            if (self.callee_object or self.object) == SIMULATOR:
                self.simulator += nr
        self.called, self.callee_object = 0, None

    def line(self, text):
        key, equals, value = text.partition("=")
        if equals and key == "ob":
            self.object = os.path.basename(self.name("object", value))
        elif equals and key == "cob":
            self.callee_object = os.path.basename(self.name("object", value))
        elif equals and key in ("fn", "cfn"):
            self.callee = self.name("function", value)
        elif equals and key == "calls":
            self.called = int(value.split()[0])
        elif not equals:
            cost = COST.match(text)
            if cost:
                self.cost(int(cost.group(1)))


def profile(command, env):
    """Run a command under callgrind."""
    reader = Reader()
    with tempfile.NamedTemporaryFile("r", prefix="callgrind.") as out:
        run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out.name] + command, env)
        with open(out.name) as file:
            for line in file:
                reader.line(line.rstrip("\n"))
    return Profile(reader.whole, reader.simulator, reader.calls)


def environment(build=None, machine=None):
    """The environment for a program on a simulated machine with stepped time."""
    env = dict(os.environ, LC_ALL="C")
    if machine:
        env.update(LD_PRELOAD=os.path.join(os.path.abspath(build), SIMULATOR), TMA_MACHINE=machine,
                   TMA_SIM_STEP="10")
        # In a directory of its own, the simulator finds no files that other programs left.
        if os.path.isabs(machine):
            env["TMPDIR"] = os.path.dirname(machine)
    return env


def run(command, env):
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        raise Failed("%s: status %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()))


def row_and_start(command, env, rows=10, first=2):
    """Profile a row of "stat ARG ... -I", and what precedes the first row."""
    def count(nr):
        return profile(command + ["-I", "10", "--interval-count", str(nr)], env)

    few = count(first)
    row = count(first + rows).row(few, rows)
    return row, Profile(few.whole - first * row.whole, few.simulator - first * row.simulator, {})


def memory_of(command, env):
    """Return: the largest resident size, in kB. (That of a direct child would include this
    process's own.)"""
    done = subprocess.run(["time", "-f", "%M", "env", *preload(env), *command], stderr=subprocess.PIPE,
                          universal_newlines=True)
    return int(done.stderr.split()[-1])


def preload(env):
    """The environment for only the command."""
    return ["%s=%s" % (name, env[name]) for name in ("LD_PRELOAD", "TMA_MACHINE", "TMA_SIM_STEP")]


def place_cpus(cpus):
    """Return: lines of a machine's file: two threads per core, and two packages if there are 4 CPUs
    or more."""
    packages = 2 if cpus >= 4 else 1
    cores = max(cpus // 2, 1)
    per_package = cores // packages
    lines = ["cpus %s" % ",".join(str(cpu) for cpu in range(cpus))]
    for core in range(cores):
        threads = range(core, cpus, cores)
        lines.append("core %s package=%d id=%d" % (",".join(map(str, threads)),
                                                   core // per_package, core % per_package))
    for package in range(packages):
        on_node = [cpu for cpu in range(cpus) if cpu % cores // per_package == package]
        lines.append("node %d %s" % (package, ",".join(map(str, on_node))))
    return lines


def write_machine(model, cpus, path):
    """Make a machine like one of lib/sim/machines, with this many CPUs, a power of two; the files
    that it includes are put next to it.
    """
    for part in glob.glob(os.path.join(MACHINES, "*.part")):
        shutil.copy(part, os.path.dirname(path))
    with open(os.path.join(MACHINES, model)) as file, open(path, "w") as out:
        for line in file:
            words = line.split()
            if words[:1] == ["cpus"]:
                out.write("\n".join(place_cpus(cpus)) + "\n")
            elif not words or words[0] not in PLACES:
                out.write(line)
    return path


def main(build, model, cpus, *args):
    with tempfile.TemporaryDirectory() as folder:
        machine = write_machine(model, int(cpus), os.path.join(folder, "machine"))
        row, _ = row_and_start([os.path.join(build, "tma"), *args, "-o", "/dev/null"],
                               environment(build, machine))
    print("instructions %d" % row.own)
    for name, times in sorted(row.calls.items()):
        print("%s %g" % (name, times))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Failed as failed:
        sys.exit(str(failed))
