#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures how often "tma compare" is wrong on this host, whatever else the host does, and compares
it with hyperfine.

    compare_host.py BUILD identical [-n 1000] [-r 10]   commands that are the same, with events
    compare_host.py BUILD injected [-n 100]             1, 2 and 5 % more work, by 10 to 40 runs
    compare_host.py BUILD gate [-n 200]                 --fail-if 'time>+5%' of identical commands
    compare_host.py BUILD instructions [-n 200]         3 % more instructions, and none, by valgrind
    compare_host.py BUILD hyperfine [--hyperfine FILE]  ten pairs of programs, by both tools

Prints what was found. The exit status is 1 if more than 5 % of identical commands are called more
or less, or if --fail-if gives the wrong result.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

WORK = r'''
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	volatile unsigned long sum = 0;
	unsigned long steps = strtoul(argv[1], NULL, 10);

	for (unsigned long i = 0; i < steps; i++)
		sum += i;
	for (int pages = argc > 2 ? atoi(argv[2]) : 0; pages > 0; pages--)
		memset(malloc(4096), pages, 4096);
	return 0;
}
'''
STEPS = 2000000
CHANGED = ("more", "less")
MOST_WRONG = 0.05
# Pairs of commands, by name. The second command is as fast as the first, or slower.
PAIRS = (
    ("the same work", "{work} 4000000", "{work} 4000000"),
    ("1 % more work", "{work} 20000000", "{work} 20200000"),
    ("2 % more work", "{work} 20000000", "{work} 20400000"),
    ("5 % more work", "{work} 20000000", "{work} 21000000"),
    ("twice the work", "{work} 4000000", "{work} 8000000"),
    ("1000 pages more", "{work} 4000000", "{work} 4000000 1000"),
    ("sleep 20 and 21 ms", "sleep 0.020", "sleep 0.021"),
    ("sort, two locales", "env LC_ALL=C sort {text}", "env LC_ALL=C.UTF-8 sort {text}"),
    ("gzip -1 and -6", "gzip -1 -c {text}", "gzip -6 -c {text}"),
    ("grep -c and wc", "grep -c e {text}", "wc {text}"),
)


class Bench:
    """A folder with the program, and the text that the program works on."""

    def __init__(self, options):
        self.options = options
        self.tma = os.path.join(options.build, "tma")
        self.dir = tempfile.mkdtemp(prefix="tma-compare.")
        self.work = os.path.join(self.dir, "work")
        self.text = os.path.join(self.dir, "text")
        source = self.work + ".c"
        with open(source, "w", encoding="utf-8") as file:
            file.write(WORK)
        subprocess.run(["cc", "-O1", "-o", self.work, source], check=True)
        with open(self.text, "w", encoding="utf-8") as file:
            file.writelines(f"line {i * 7919 % 50000} of the text\n" for i in range(50000))

    def close(self):
        shutil.rmtree(self.dir)

    def compare(self, *words):
        """Return: the status, and the answer."""
        done = subprocess.run([self.tma, "compare", "-j", *words], capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 123):
            sys.exit(f"tma compare {' '.join(words)}: status {done.returncode}\n{done.stderr}")
        return done.returncode, json.loads(done.stdout)

    def rows(self, *words):
        answer = self.compare(*words)[1]
        return {row["name"]: row for row in answer["sides"][1]["differences"]}


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)"


def identical(bench, options):
    command = f"{bench.work} {STEPS // 10}"
    wrong, by_row = 0, {}
    for _ in range(options.number or 1000):
        rows = bench.rows("-r", str(options.runs), "-e", "page-faults,task-clock,context-switches,peak-memory",
                          command, command)
        said = [name for name, row in rows.items() if row["change"] in CHANGED]
        wrong += bool(said)
        for name in said:
            by_row[name] = by_row.get(name, 0) + 1
    number = options.number or 1000
    print(f"identical commands, {options.runs} runs of each, -e with 4 events: called more or less "
          f"in {share(wrong, number)} {by_row or ''}")
    return wrong > MOST_WRONG * number


def injected(bench, options):
    number = options.number or 100
    for percent in (1, 2, 5):
        for runs in (10, 20, 40):
            found = {"time": 0, "user": 0}
            for _ in range(number):
                rows = bench.rows("-r", str(runs), f"{bench.work} {STEPS}",
                                  f"{bench.work} {STEPS * (100 + percent) // 100}")
                for name in found:
                    found[name] += rows[name]["change"] == "more"
            print(f"{percent} % more work, {runs} runs of each: found by time in "
                  f"{share(found['time'], number)}, by user in {share(found['user'], number)}",
                  flush=True)
    return False


def gate(bench, options):
    number = options.number or 200
    command = f"{bench.work} {STEPS}"
    failed = sum(bench.compare("--fail-if", "time>+5%", command, command)[0] == 123
                 for _ in range(number))
    print(f"--fail-if 'time>+5%', identical commands: {share(failed, number)} fail")
    return failed > 0


def instructions(bench, options):
    number = options.number or 200
    same, more = f"{bench.work} {STEPS // 10}", f"{bench.work} {STEPS * 103 // 1000}"
    failed = [0, 0]
    for i in range(2):
        for _ in range(number):
            failed[i] += bench.compare("--count", "instructions", "--fail-if", "instructions>+1%",
                                       same, more if i else same)[0] == 123
    print(f"--count instructions --fail-if 'instructions>+1%': identical commands, "
          f"{share(failed[0], number)} fail; 3 % more instructions, {share(failed[1], number)} fail")
    return failed[0] > 0 or failed[1] < number


def of_hyperfine(bench, options, commands):
    """Return: which command is faster, and how many times, with the deviation, according to
    hyperfine."""
    path = os.path.join(bench.dir, "hyperfine.json")
    done = subprocess.run([options.hyperfine, "-N", "--runs", str(options.runs), "--warmup", "1",
                           "--export-json", path, *commands], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return done.stderr.strip()
    with open(path, encoding="utf-8") as file:
        a, b = json.load(file)["results"]
    fast, slow, name = (a, b, "A") if a["mean"] <= b["mean"] else (b, a, "B")
    ratio = slow["mean"] / fast["mean"]
    off = ratio * ((slow["stddev"] / slow["mean"]) ** 2 + (fast["stddev"] / fast["mean"]) ** 2) ** .5
    return f"{name} ran {ratio:.2f} +- {off:.2f} times faster"


def hyperfine(bench, options):
    if not shutil.which(options.hyperfine):
        print("hyperfine is not installed")
        return False
    print(f"{options.runs} runs of each\n{'pair':20} {'hyperfine':34} tma compare")
    for name, *commands in PAIRS:
        commands = [command.format(work=bench.work, text=bench.text) for command in commands]
        theirs = of_hyperfine(bench, options, commands)
        answer = bench.compare("-r", str(options.runs), "--warmup", "1", "--td-level", "0",
                               *commands)[1]
        side = answer["sides"][1]
        time = next(row for row in side["differences"] if row["name"] == "time")
        percent = [100 * time[key] / time["first"] for key in ("difference", "error")]
        word = {"none": "too small to matter"}.get(time["change"], time["change"])
        print(f"{name:20} {theirs:34} {percent[0]:+.1f} % +- {percent[1]:.1f}: {word}: "
              f"{side['summary'].split(':')[0]}", flush=True)
    return False


def main():
    kinds = {"identical": identical, "injected": injected, "gate": gate,
             "instructions": instructions, "hyperfine": hyperfine}
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("-n", "--number", type=int)
    parser.add_argument("-r", "--runs", type=int, default=10)
    parser.add_argument("--hyperfine", default="hyperfine")
    options = parser.parse_args()
    bench = Bench(options)
    try:
        wrong = kinds[options.kind](bench, options)
    finally:
        bench.close()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
