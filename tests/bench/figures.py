#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares what tma costs now with earlier figures in the table "figures", next to this file.
Nothing is asserted.

        figures.py BUILD [NAME ...]           print the figures of the table, those of now, and the
ratio
        figures.py --record BUILD [NAME ...]  write the figures of now into the table

start:       instructions of a whole run, counted by callgrind, without the simulator's
row:         instructions of a row of -I: the difference of runs with more rows and with fewer
allocations: how often a row calls malloc, calloc and realloc
memory:      largest resident size in kB: the smallest of a few runs
libraries:   names of the shared libraries that the program is linked with

Other compilers and C libraries have other numbers: compare only on the machine on which the table
was recorded. A figure that grew by more than 3 % is marked.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

sys.dont_write_bytecode = True

import callgrind  # noqa: E402 (the folder of this script)

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures")
HEADING = """# SPDX-License-Identifier: GPL-2.0-only
# What tma costs; tests/bench/figures.py writes and explains it: name, number, command.
"""
MODEL = "sapphirerapids"
MORE = 1.03
# With a higher limit of open files, there would be fewer turns.
OPEN_FILES = 20000

LEVELS = "TopdownL1,TopdownL2,TopdownL3,TopdownL4,TopdownL5"
MANY = 296
MANY_METRICS = ["-e", "{cycles,instructions,branches}", "-M", ",".join(
    "m%d = instructions / (cycles + %d)" % (nr, nr) for nr in range(MANY))]

# cpus: number of CPUs, or 0 for this real machine; rows: how many rows callgrind measures
Figure = namedtuple("Figure", "name kind cpus args rows")


def figures():
    yield Figure("start-task-clock", "start", 0, ["-e", "task-clock", "true"], 0)
    yield Figure("start-level-1", "start", 8, ["-a", "-M", "TopdownL1", "true"], 0)
    yield Figure("start-level-4", "start", 8, ["-a", "-M", "TopdownL4", "true"], 0)
    for level in (1, 4):
        yield Figure("row-2-level-%d" % level, "row", 2,
                     ["-a", "--topdown", "--td-level", str(level)], 10)
    for form, option in (("text", []), ("csv", ["-x,"]), ("json", ["-j"])):
        yield Figure("row-64-" + form, "row", 64,
                     ["-a", "-A", "--topdown", "--td-level", "1", *option], 10)
    yield Figure("row-error", "row", 2, ["-a", "--error", "-M", "TopdownL4"], 10)
    yield Figure("allocations-error", "allocations", 2, ["-a", "--error", "-M", "TopdownL4"], 10)
    # The most columns: many metrics with few events; many events on fewer CPUs; and many CPUs with
    # sets, each of which is open only in its turn.
    for name, where, rows in (("all", ["-a"], 5), ("each", ["-a", "-A"], 1)):
        yield Figure("row-1024-" + name, "row", 1024, [*where, *MANY_METRICS], rows)
        yield Figure("memory-1024-" + name, "memory", 1024, [*where, *MANY_METRICS], 3)
        yield Figure("row-64-events-" + name, "row", 64, [*where, "-M", LEVELS], 2)
        yield Figure("memory-64-events-" + name, "memory", 64, [*where, "-M", LEVELS], 3)
        yield Figure("memory-1024-sets-" + name, "memory", 1024,
                     [*where, "-M", LEVELS, "--schedule=rotate"], 3)
    yield Figure("libraries", "libraries", 0, [], 0)


class Bench:
    def __init__(self, build, folder):
        self.build = build
        self.tma = os.path.join(build, "tma")
        self.folder = folder
        self.of_rows = {}

    def environment(self, cpus):
        if not cpus:
            return callgrind.environment()
        path = os.path.join(self.folder, "cpus-%d" % cpus)
        return callgrind.environment(self.build, callgrind.write_machine(MODEL, cpus, path))

    def profile_of_row(self, figure):
        """Several figures come from the same runs."""
        key = (figure.cpus, *figure.args)
        if key not in self.of_rows:
            self.of_rows[key], _ = callgrind.row_and_start(
                [self.tma, "stat", *figure.args, "-o", "/dev/null"], self.environment(figure.cpus),
                figure.rows, min(figure.rows, 2))
        return self.of_rows[key]

    def start(self, figure):
        return callgrind.profile([self.tma, "stat", *figure.args], self.environment(figure.cpus)).own

    def row(self, figure):
        return self.profile_of_row(figure).own

    def allocations(self, figure):
        calls = self.profile_of_row(figure).calls
        return sum(calls.get(name, 0) for name in ("malloc", "calloc", "realloc"))

    def memory(self, figure):
        """The smallest of a few runs: the kernel's placement changes it by some hundred kB."""
        command = [self.tma, "stat", *figure.args, "-I", "10", "--interval-count", str(figure.rows), "-o",
                   "/dev/null"]
        env = self.environment(figure.cpus)
        return min(callgrind.memory_of(command, env) for _ in range(5))

    def libraries(self, _):
        text = subprocess.run(["ldd", self.tma], stdout=subprocess.PIPE, check=True,
                              universal_newlines=True).stdout
        return sorted(os.path.basename(line.split()[0]) for line in text.splitlines())

    def measure(self, figure):
        """The number, and its unit."""
        found = getattr(self, figure.kind)(figure)
        if figure.kind == "libraries":
            return Entry(len(found), " ".join(found))
        return Entry(round(found), command_of(figure))


Entry = namedtuple("Entry", "number text")


def command_of(figure):
    """The words for a shell; the first word may stand for a long list of metrics."""
    words = [re.sub(r"^m0 = .*", "%d metrics like m0 = instructions / (cycles + 0)" % MANY, word)
             for word in figure.args]
    words = ["'%s'" % word if re.search("[ {]", word) else word for word in words]
    where = "%d CPUs: " % figure.cpus if figure.cpus else ""
    return where + " ".join(["stat", *words])


def read_table():
    """Entries by name."""
    entries = {}
    if os.path.exists(TABLE):
        with open(TABLE) as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, number, text = line.split(None, 2)
                    entries[name] = Entry(int(number), text.strip())
    return entries


def write_table(entries):
    with open(TABLE, "w") as file:
        file.write(HEADING)
        for figure in figures():
            if figure.name in entries:
                file.write("%-24s %11d  %s\n" % (figure.name, *entries[figure.name]))


def show(figure, was, now):
    ratio = now.number / was.number if was and was.number else None
    print("%-24s %11s %11d %7s%s %s" % (
        figure.name, was.number if was else "-", now.number, "%.3f" % ratio if ratio else "-",
        "!" if ratio and ratio > MORE else " ", now.text), flush=True)
    if figure.kind == "libraries" and was and was.text != now.text:
        print("%-24s %11s %s" % ("", "were", was.text))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("build")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not os.access(os.path.join(options.build, "tma"), os.X_OK):
        sys.exit("there is no %s/tma: run make, or give the build directory" % options.build)
    for tool in ("valgrind", "time"):
        if not shutil.which(tool):
            sys.exit("needs %s: apt-get install %s" % (tool, tool))
    limit = min(OPEN_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    # The loader reads the environment too, and its instructions are counted.
    path = os.environ["PATH"]
    os.environ.clear()
    os.environ["PATH"] = path
    was = read_table()
    now = {}
    print("%-24s %11s %11s %7s  %s" % ("figure", "was", "now", "ratio", "command"))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.build), folder)
        for figure in figures():
            if not options.names or figure.name in options.names:
                now[figure.name] = bench.measure(figure)
                show(figure, was.get(figure.name), now[figure.name])
    if options.record:
        write_table({**was, **now})


if __name__ == "__main__":
    try:
        main()
    except callgrind.Failed as failed:
        sys.exit(str(failed))
