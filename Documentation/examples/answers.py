#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Ask tma what limits a command, and whether another is better: answers.py BEFORE [AFTER]"""
import json
import subprocess
import sys


def ask(*words):
    done = subprocess.run(["tma", *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 123):  # 123: a --fail-if holds; the answer is complete
        sys.exit(done.stderr or f"tma {words[0]}: status {done.returncode}")
    return json.loads(done.stdout)


def limits(command):
    why = ask("why", "-j", "--", "sh", "-c", command)
    if not why["answers"]:  # it only waited, or there are no counters
        yield "no bottleneck: " + ("it waited" if why.get("ran", {}).get("waited") else "not measured")
    for answer in why["answers"]:  # one for each kind of core
        if answer["outcome"] in ("leaf", "no-child-over"):
            yield f"{answer['bottleneck']}: {answer['meaning']} Try: {answer['try']}"
        else:  # not certain, not measured: no name, and a reason
            yield f"no bottleneck ({answer['outcome']}) {answer['reason']}"


def changes(before, after):
    for side in ask("compare", "-j", before, after)["sides"][1:]:
        for row in side["differences"]:
            if row["change"] in ("more", "less"):  # certain; all other words are not
                yield f"{row['name']} {row['difference']:+.3g} +- {row['error']:.2g} {row['unit']}"


print(*limits(sys.argv[1]), *(changes(*sys.argv[1:]) if len(sys.argv) > 2 else ()), sep="\n")
