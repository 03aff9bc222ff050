#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures, on simulated machines with noise, how often "tma compare" is wrong and how many
differences it finds.

    compare.py BUILD [--machine NAME] [--comparisons N] [--runs N] [--noise POINTS]
               [--difference POINTS | --percent PERCENT] [--found-by NAME] [--seed N] [--level N]
               [-e EVENTS] [-M METRICS] [--most-wrong PERCENT] [--least-found PERCENT]

A machine has a phase for each run. The shares of slots in a phase are those of tma's machine plus
normal noise; with stepped time, each run sees the next phase. The second command has --difference
points more waiting for memory and less retiring, or --percent more instructions. Prints in how many
comparisons an unchanged row was called more or less, and in how many a changed row was:
tma_backend_bound, or --found-by. The exit status is 1 if these numbers are above --most-wrong or
below --least-found.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "lib", "sim", "machines")
NUMBER = r"[0-9.]+[kMG]?"
PHASES = 64
TRIES = 10
REST_S = 0.5  # before another try, on a host that is busy
STEP_MS = 50  # of time, in which all groups have turns
FIRST = 32  # the phase of the clock, which begins at 1,000 s, in the first run
# Standard deviations, as multiples of --noise.
NOISY = {"retiring": 1.0, "bad_spec": 0.4, "fe_bound": 0.6, "mem_bound": 0.8, "mem_share": 1.5}
CHANGED = {"instructions", "tma_info_thread_ipc", "tma_memory_bound", "tma_backend_bound", "tma_retiring", "tma_light_operations",
           "tma_heavy_operations", "tma_core_bound"}


def first_phase(line):
    """Make a line with numbers for four phases from a line with one number for all phases."""
    match = re.match(rf"((?:let|software|rate|latency)\s.*?)({NUMBER}(?: {NUMBER}){{3}})\s*$", line)
    return match[1] + match[2].split()[0] + "\n" if match else line


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return list(file)


def values(base, name, options, rng):
    """A share in each phase. Rounds have the sides in the order A B B A."""
    mean = float(base)
    found = []
    for phase in range(PHASES):
        run = (phase - FIRST) % PHASES
        value = rng.gauss(mean, options.noise / 100 * NOISY[name])
        if run % 4 in (1, 2):
            value += {"retiring": -1, "mem_bound": 1}.get(name, 0) * options.difference / 100
            value *= 1 + options.percent / 100 if name == "retiring" else 1
        found.append(min(max(value, 0.001), 0.9))
    return found


def machine(lines, options, rng):
    shares = {}
    for line in lines:
        words = line.split()
        if words[:1] == ["let"] and words[1] in NOISY and re.match(NUMBER, words[2]):
            shares[words[1]] = values(words[2], words[1], options, rng)
    shares["per_retiring"] = [1 / value for value in shares["retiring"]]
    for line in lines:
        words = line.split()
        if words[:1] == ["phases"]:
            yield "phases" + f" {STEP_MS}ms" * PHASES + "\n"
        elif words[:1] in (["stagger"], ["task-path"]):
            continue
        elif words[:1] == ["let"] and words[1] in shares:
            yield f"let {words[1]} " + " ".join(f"{v:.6f}" for v in shares[words[1]]) + "\n"
        else:
            yield first_phase(line)


def compare(options, directory, lines, rng):
    """Do one comparison. Return: the verdict on each node."""
    path = os.path.join(directory, "noisy")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(machine(lines, options, rng))
    command = [os.path.join(options.build, "tma"), "--machine", path, "compare", "-a", "-j",
               "-r", str(options.runs), "--td-level", str(options.level)]
    for name, value in (("-e", options.events), ("-M", options.metrics)):
        command += [name, value] if value else []
    command += ["true", "true"]
    for _ in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env=dict(os.environ, TMA_SIM_STEP=str(STEP_MS)))
        if done.returncode:
            sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
        rows = json.loads(done.stdout)["sides"][1]["differences"]
        rows = {row["name"]: row for row in rows}
        # On a busy host, a command may take longer than a step, which shifts all runs after it.
        if all(abs(rows["time"][side] - STEP_MS / 1000) < 1e-6 for side in ("first", "value")):
            return rows
        time.sleep(REST_S)
    sys.exit("the host is too busy: runs take more than a step of time")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--machine", default="sapphirerapids")
    for name, value in (("comparisons", 100), ("runs", 10), ("seed", 1), ("level", 2)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("-e", "--events")
    parser.add_argument("-M", "--metrics")
    parser.add_argument("--found-by", default="tma_backend_bound")
    for name, value in (("noise", 1), ("difference", 0), ("percent", 0), ("most-wrong", 100),
                        ("least-found", 0)):
        parser.add_argument("--" + name, type=float, default=value)
    options = parser.parse_args()
    if 2 * options.runs > PHASES:
        parser.error(f"at most {PHASES // 2} runs of each have phases")
    rng = random.Random(options.seed)
    lines = read(options.machine)
    wrong = found = undecided = 0
    needed = []
    with tempfile.TemporaryDirectory() as directory:
        for name in os.listdir(SOURCE):
            if name.endswith(".part"):
                with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                    file.writelines(map(first_phase, read(name)))
        for _ in range(options.comparisons):
            rows = compare(options, directory, lines, rng)
            said = {name for name, row in rows.items() if row["change"] in ("more", "less")}
            wrong += bool(said - (CHANGED if options.difference or options.percent else set()))
            row = rows[options.found_by]
            found += row["change"] == "more"
            undecided += row["change"] in ("undecided", "probably-more", "probably-less")
            if row["runs_needed"]:
                needed.append(row["runs_needed"])
    share = 100 / options.comparisons
    print(f"{options.machine}: {options.comparisons} comparisons of {options.runs} runs each, noise "
          f"{options.noise:g}, difference {options.difference:g} points, {options.percent:g} %: wrong in {wrong * share:.1f} %, "
          f"found in {found * share:.1f} %, undecided in {undecided * share:.1f} %"
          + (f", {sorted(needed)[len(needed) // 2]} runs said to be needed" if needed else ""))
    sys.exit(wrong * share > options.most_wrong or found * share < options.least_found)


if __name__ == "__main__":
    main()
