#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nonsense.py [--runs N] [--seed S] TMA MACHINE ...

Runs "tma why" on machines whose counts are nonsense: all events except cycles and slots have a rate
that depends only on the event's number, within random bounds that are new for each run. Each run
must have an answer. No share in it may be outside 0 to 100 %, and if values are impossible, the
path must not go through them. Prints how the runs ended. The exit status is 1 if a run was wrong.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import machine

KEPT = re.compile(r"rate event=(0x3c|0x76|0x11|0x00,umask=0x04|0x00) ")


def flattened(path):
    """The text of a machine, with included files but without places."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"(?m)^include (.*)$", lambda found: flattened(
        os.path.join(os.path.dirname(path), found.group(1).strip())), text)
    return machine.without_places(text)


def nonsense(path, rng):
    """The text of the machine, with other rates for the events of its core PMUs."""
    low, width = 10 ** rng.uniform(3, 8), 10 ** rng.uniform(0, 4)
    lines, core = [], False
    for line in flattened(path).splitlines():
        if line.startswith("pmu "):
            core = not line.startswith(("pmu uncore", "pmu power", "pmu cstate", "pmu msr"))
        if core and line.startswith("rate ") and not KEPT.match(line):
            continue
        if core and line.startswith("hash "):
            line = f"hash {low:.0f} {min(low * width, 9e12):.0f}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def nodes_of(way):
    return [node for key in ("path", "between", "also_over", "ruled_out") for node in way[key]]


def judge(answer):
    """Return: a sentence about the first mistake in an answer, or None."""
    if not answer["answers"]:
        return "there is no answer"
    for way in answer["answers"]:
        for node in nodes_of(way):
            share = node["unit"].startswith("%") or node["unit"] in ("clocks", "stalls", "slots")
            if share and not 0 <= node["value"] <= 100:
                return f"{node['name']} is {node['value']} {node['unit']}"
        wrong = {sentence.split(" ", 1)[0] for sentence in way["cannot_be"]}
        for node in way["path"] + way["ruled_out"]:
            if node["name"] in wrong:
                return f"{node['name']} cannot be, and is in the answer"
        if way["try"]:
            return f"it advises: {way['try']}"
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("tma")
    parser.add_argument("machines", nargs="+")
    options = parser.parse_args()
    ends, bad = collections.Counter(), 0
    env = dict(os.environ, LC_ALL="C", TMA_SIM_STEP="10")
    with tempfile.TemporaryDirectory(prefix="tma-nonsense.") as directory:
        for run in range(options.runs):
            rng = random.Random(options.seed * 1000003 + run)
            base = options.machines[run % len(options.machines)]
            path = os.path.join(directory, os.path.basename(base))
            with open(path, "w", encoding="utf-8") as file:
                file.write(nonsense(base, rng))
            done = subprocess.run([options.tma, "--machine", path, "why", "-a", "-j"], env=env,
                                  capture_output=True, text=True, timeout=120, check=False)
            try:
                answer = json.loads(done.stdout)
                wrong = judge(answer)
                ends.update(way["outcome"] for way in answer["answers"])
            except ValueError:
                wrong = f"status {done.returncode}: {done.stderr[-200:]}"
            if wrong:
                bad += 1
                print(f"run {run}, {os.path.basename(base)}: {wrong}")
    print(f"{options.runs} runs, {bad} wrong; ends: " +
          ", ".join(f"{end} {nr}" for end, nr in ends.most_common()))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
