#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures how often "tma compare --per-function" is wrong about functions, and which differences
it finds.

    compare_functions.py BUILD [--machine NAME | --clock] [--comparisons N] [--runs N]
                         [--noise PERCENT] [--slower PERCENT] [--node]
                         [--most-wrong PERCENT] [--least-found PERCENT]

Both sides run a program that computes in four functions. The time in each varies between runs by up
to --noise percent. f1 has a fifth of the time, and needs --slower percent more on the second side.
With --node, f0 also loses its slots in another way there. The machine is a simulated one in real
time, on which each function has its own rates; with --clock it is this host, whose clock is
sampled.

Prints in how many comparisons an unchanged function, or any unchanged row, was called more, less,
appeared or gone, and in how many f1 (with --node, a node of f0) was found. The exit status is 1 if
these numbers are above --most-wrong or below --least-found.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(__file__)
PLACES = os.path.join(HERE, "..", "sim", "places.c")
CERTAIN = {"more", "less", "appeared", "gone"}
TIMES = {"f0": 40.0, "f1": 20.0, "f2": 25.0, "f3": 15.0}  # percent of all
NEW_NODE = "let retiring 0.4\nlet bad_spec 0.02\nlet fe_bound 0.08\n"
# Rows of the whole that change with a function.
WITH_TIME = {"time", "user", "sys", "all", "f1"}


def line_of(function):
    with open(PLACES, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1)
                    if line.startswith(f"FUNCTION({function})"))


def write_machine(options, path):
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "sim", "functions.py"),
                           "machine", options.machine], capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("stays")]
    lines += [f"at places.c:{line_of('f0')}"] + NEW_NODE.splitlines() + ["end"]
    machines = os.path.abspath(os.path.join(options.build, "machines"))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + [f"include {machines}/{options.machine}"]) + "\n")


def command(options, slower, node):
    program = os.path.abspath(os.path.join(options.build, "tests", "sim", "places"))
    words = [program, "each", f"{options.noise:g}"]
    for name, percent in TIMES.items():
        ms = options.ms * percent / 100 * (1 + (slower / 100 if name == "f1" else 0))
        place = f"{name}=places.c:{line_of('f0')}" if node and name == "f0" else name
        words.append(f"{place}:{ms:g}")
    return " ".join(words)


def compare(options, machine):
    words = [os.path.join(options.build, "tma")]
    words += ["--machine", machine] if machine else []
    words += ["compare", "-j", "--per-function", "-r", str(options.runs), "-F", str(options.frequency),
              "--td-level", str(options.level), command(options, 0, False),
              command(options, options.slower, options.node)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["sides"][1]


def wrong_rows(options, side):
    """Names of unchanged rows that were called changed: functions and their nodes, and all other
    rows.
    """
    sites, whole = set(), set()
    for site in side["sites"]:
        if site["change"] in CERTAIN and not (options.slower and site["name"] in WITH_TIME):
            sites.add(site["name"])
        for node in site["nodes"]:
            if node["change"] in CERTAIN and not (options.node and site["name"] == "f0"):
                sites.add(f"{site['name']} {node['name']}")
    for row in side["differences"]:
        # The tree of the whole is the sum of the trees of its functions.
        if row["change"] in CERTAIN and not (options.slower or options.node):
            whole.add(row["name"])
    return sites, whole


def is_found(options, side):
    for site in side["sites"]:
        if options.node and site["name"] == "f0":
            return any(node["change"] in CERTAIN for node in site["nodes"])
        if not options.node and site["name"] == "f1":
            return site["change"] == "more"
    return False


def check_sum(side):
    """The rows add up to the whole."""
    for value in ("first", "value"):
        rows = {site["stands_for"]: 0 for site in side["sites"]}
        for site in side["sites"]:
            rows[site["stands_for"]] += site[value]
        parts = sum(part for name, part in rows.items() if name != "all")
        assert abs(parts - rows["all"]) < 1e-6 * rows["all"], rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--machine", default="skylakex")
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--node", action="store_true")
    for name, value in (("comparisons", 200), ("runs", 10), ("ms", 100), ("frequency", 997), ("level", 2)):
        parser.add_argument("--" + name, type=int, default=value)
    for name, value in (("noise", 2), ("slower", 0), ("most-wrong", 100), ("least-found", 0)):
        parser.add_argument("--" + name, type=float, default=value)
    options = parser.parse_args()
    wrong = any_wrong = found = 0
    needed, names = [], {}
    with tempfile.TemporaryDirectory() as directory:
        machine = None if options.clock else os.path.join(directory, "machine")
        if machine:
            write_machine(options, machine)
            for name in os.listdir(os.path.join(options.build, "machines")):
                if re.search(r"\.part$", name):
                    os.symlink(os.path.abspath(os.path.join(options.build, "machines", name)),
                               os.path.join(directory, name))
        for _ in range(options.comparisons):
            side = compare(options, machine)
            check_sum(side)
            sites, whole = wrong_rows(options, side)
            wrong += bool(sites)
            any_wrong += bool(sites | whole)
            for name in sites | whole:
                names[name] = names.get(name, 0) + 1
            found += is_found(options, side)
            needed += [site["runs_needed"] for site in side["sites"]
                       if site["name"] == "f1" and site["runs_needed"]]
    share = 100 / options.comparisons
    print(f"{'clock' if options.clock else options.machine}: {options.comparisons} comparisons of {options.runs} runs each of "
          f"{options.ms} ms, noise {options.noise:g} %, f1 {options.slower:g} % slower{', f0 other nodes' if options.node else ''}: "
          f"a function wrong in {wrong * share:.1f} %, any row in {any_wrong * share:.1f} %, found in {found * share:.1f} %"
          + (f", {sorted(needed)[len(needed) // 2]} runs said to be needed" if needed else "")
          + (f" {names}" if names else ""), flush=True)
    return any_wrong * share > options.most_wrong or found * share < options.least_found


if __name__ == "__main__":
    sys.exit(main())
