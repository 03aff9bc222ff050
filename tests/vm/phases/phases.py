#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks error bars under a real kernel's rotation, with rates that change by a known schedule.

	phases.py cells [PATTERN ...]       print the cells to count, for phases/guest.sh
	phases.py judge TMA FILE [FROM TO]  compare what the guest sent with the true rows

Each cell has a line: for values that should be 0 to 100 %, how many there are, and by how many
points they are off: the mean and the 99th percentile. "hold" is how many values with an error are
within it, in all rows and in the rows in which rates changed. (In other rows nearly all are, so in
all rows more may hold than the error promises.) "width" is the mean of these errors, in points.
"ours" has joint estimates, and "time" has the same values scaled by time. The exit status is 1 if
fewer values hold than promised.
"""

import collections
import fnmatch
import json
import math
import re
import subprocess
import sys
import tempfile

import truth

MODELS = {  # the id, the general counters that a thread has
    "skylakex": ("GenuineIntel-6-55-4", 4),
    "icelakex": ("GenuineIntel-6-6A-6", 8),
    "sapphirerapids": ("GenuineIntel-6-8F-8", 8),
}
SCHEDULES = {"log": -1, "10ms": 10, "100ms": 100, "1s": 1000, "sine": -2}
ROWS = {100: 60, 1000: 20}
# If phases are long, few short rows have a change, and a judgement needs some hundreds of changes.
MANY_ROWS = 400
RARE = ("log", "1s")
# The expected values are for the reads of the state times, which come some us before the reads of
# the other counters. A difference of this size is caused by the measurement.
FLOOR = 0.01
NO_TRUTH = ("TSC", "duration_time")  # no core events: metrics that use them are not judged
OWN = ("ours", "time")  # tma's own groups, with errors
WANTED = (85, 95)  # percent; FROM and TO
ENOUGH = 300

Cell = collections.namedtuple("Cell", "by model level schedule mux row")


def takes_turns(model, level, mux, row):
    """Return: whether errors can be estimated. On Sapphire Rapids all of level 2 is one group; and
    with more than two groups, a row of 0.1 s is shorter than four turns of 16 ms for each.
    """
    return (model, level) != ("sapphirerapids", 2) and (row > 100 or mux == 4 or level == 2)


def cells():
    for level in 3, 4, 2:
        for schedule in SCHEDULES:
            for mux in 4, 16:
                for model in MODELS:
                    for row in ROWS:
                        if not takes_turns(model, level, mux, row):
                            continue
                        yield Cell("ours", model, level, schedule, mux, row)
                        if mux == 4 and level > 2:
                            yield Cell("time", model, level, schedule, mux, row)
                        if mux == 4 and level == 3:
                            yield Cell("grouping", model, level, schedule, mux, row)
                            yield Cell("perf", model, level, schedule, mux, row)


def name(cell):
    return f"{cell.by},{cell.model},{cell.level},{cell.schedule},{cell.mux},{cell.row}"


def is_named(cell, pattern):
    parts = pattern.split(",")
    return all(fnmatch.fnmatch(str(field), part) for field, part in zip(cell, parts))


def rows_of(cell):
    rare = cell.row == 100 and cell.schedule in RARE
    return MANY_ROWS if rare and cell.by in OWN else ROWS[cell.row]


def line(cell):
    """Return: the cell, in the form that phases/guest.sh reads."""
    cpuid, counters = MODELS[cell.model]
    levels = ",".join(f"TopdownL{n + 1}" for n in range(cell.level))
    return (f"{name(cell)} {cell.by} {cpuid} {counters} {levels} {SCHEDULES[cell.schedule]} "
            f"{cell.mux} {cell.row} {rows_of(cell)}")


class Row:
    def __init__(self):
        self.times = [0.0] * truth.STATES
        self.events = {}   # name: value, share of time
        self.metrics = {}  # name: value, error


def number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def read_own(entry, rows):
    if entry.get("row") != "interval":
        return
    row = rows[entry["time"], str(entry["cpu"])]
    if entry["type"] == "event":
        state = re.fullmatch(r"phase/state=(\d)/", entry["name"])
        if state:
            row.times[int(state[1])] = entry["value"] or 0
        else:
            row.events[re.sub(r" #\d+$", "", entry["name"])] = entry["value"]
    elif entry["type"] == "metric" and entry["unit"] == "%":
        row.metrics[entry["name"]] = (entry["value"], entry.get("error"), entry["status"])


def read_perf(entry, rows):
    row = rows[entry["interval"], entry["cpu"]]
    if "event" in entry:
        event = re.sub(r" \[cpu\]$", "", entry["event"])
        state = re.fullmatch(r"phase/state=(\d)/", event)
        if state:
            row.times[int(state[1])] = number(entry["counter-value"]) or 0
        else:
            row.events[event] = number(entry["counter-value"])
    percent = re.fullmatch(r"%  (\S+)", entry.get("metric-unit") or "")
    if percent:
        row.metrics[percent[1]] = (number(entry["metric-value"]), None, "")


def read(path):
    """Return: the rows of each cell, by time and CPU."""
    found = {}
    rows = None
    with open(path, encoding="utf-8") as lines:
        for text in lines:
            if text.startswith("cell "):
                cell = Cell(*text.split()[1].split(","))
                rows = found[cell] = collections.defaultdict(Row)
            elif text.startswith("{"):
                (read_perf if cell.by == "perf" else read_own)(json.loads(text), rows)
    return found


class Judge:
    def __init__(self, tma):
        self.tma = tma
        self.events = {}

    def truths(self, cell, rows):
        """Return: the true metrics of each row."""
        cpuid, _ = MODELS[cell.model]
        if cell.model not in self.events:
            self.events[cell.model] = truth.Events(self.tma, cell.model, cpuid)
        events = self.events[cell.model]
        names = sorted({e for row in rows.values() for e in row.events})
        names = [e for e in names if e not in NO_TRUTH]
        unknown = [e for e in names if events.of(e) is None]
        if unknown:
            sys.exit(f"phases.py: no encoding of {', '.join(unknown)}")
        order = sorted(rows, key=lambda key: (float(key[0]), key[1]))
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            for time, cpu in order:
                for event in names:
                    print(json.dumps({
                        "interval": float(time), "cpu": cpu,
                        "counter-value": f"{events.count(event, rows[time, cpu].times):.6f}",
                        "unit": "", "event": event,
                        "event-runtime": round(sum(rows[time, cpu].times)),
                        "pcnt-running": 100.0}), file=file)
            file.flush()
            levels = ",".join(f"TopdownL{n + 1}" for n in range(int(cell.level)))
            report = subprocess.run(
                [self.tma, "stat", "report", "-A", "-i", file.name, "--cpuid", cpuid, "--smt", "off",
                 "--scope", "core", "-M", levels, "--format=json"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
        found = collections.defaultdict(Row)
        for text in (report.stdout + report.stderr).splitlines():
            if text.startswith("{"):
                read_own(json.loads(text), found)
        result = {(float(t), c): row.metrics for (t, c), row in found.items()}
        if not result:
            sys.exit(f"phases.py: no truth of {name(cell)}: {report.stderr}")
        return result

    def judge(self, cell, rows):
        """Return: a comparison of the rows' values with the truth."""
        truths = self.truths(cell, rows)
        result = Result()
        for (time, cpu), row in rows.items():
            true = truths.get((float(time), cpu), {})
            steady = sum(t > 0 for t in row.times) < 2
            for metric, (value, error, status) in row.metrics.items():
                right = true.get(metric, (None,))[0]
                if right is None:
                    result.untold += 1
                elif value is not None:
                    result.add(value, right, error, status, steady)
        result.off.sort()
        return result


class Result:
    def __init__(self):
        self.off = []       # points from the truth, of values that should be 0 to 100 %
        self.judged = 0     # values with an error
        self.held = 0       # of these, the truth lies within it
        self.width = 0.0    # the sum of those errors
        self.changing = 0   # of these, those in rows in which rates changed
        self.changing_held = 0
        self.exactly = 0    # of these, the truth lies within it without FLOOR's help
        self.unknown = 0    # values whose error is not known
        self.untold = 0     # values without a known truth

    def add(self, value, right, error, status, steady):
        distance = abs(value - right)
        if 0 <= right <= 100:
            self.off.append(distance)
        if error is None:
            self.unknown += 1
        elif error > 0 and status == "scaled":
            held = distance <= error + FLOOR
            self.judged += 1
            self.held += held
            self.width += error
            self.changing += not steady
            self.changing_held += held and not steady
            self.exactly += distance <= error and not steady


def percent(part, whole):
    return f"{100 * part / whole:5.1f}" if whole else "    -"


def show(cell, result, wanted):
    off = result.off
    mean = sum(off) / len(off) if off else 0
    late = off[min(len(off) - 1, len(off) * 99 // 100)] if off else 0
    text = (f"{cell.by:8} {cell.model:14} L{cell.level} {cell.schedule:5} {cell.mux:>2} ms "
            f"{cell.row:>4} ms  n {len(off):5}  mean {mean:6.3f}  p99 {late:6.2f}")
    if cell.by in OWN:
        text += (f"  judged {result.judged:5} unknown {result.unknown:4}"
                 f"  width {result.width / max(result.judged, 1):6.3f}"
                 f"  holds {percent(result.held, result.judged)} %"
                 f"  changing {result.changing:5}"
                 f" {percent(result.changing_held, result.changing)} %"
                 f" (floor 0: {percent(result.exactly, result.changing)} %)")
    if result.untold:
        text += f"  without truth {result.untold}"
    low = (result.judged > ENOUGH and 100 * result.held < wanted[0] * result.judged or
           result.changing > ENOUGH and
           100 * result.changing_held < wanted[0] * result.changing)
    high = (result.changing > ENOUGH and
            100 * result.changing_held > wanted[1] * result.changing)
    print(text + ("  <-- low" if low else "  <-- high" if high else ""), flush=True)
    return low, high


def main():
    if sys.argv[1:2] == ["cells"]:
        wanted = sys.argv[2:] or ["*"]
        for cell in cells():
            if any(is_named(cell, pattern) for pattern in wanted):
                print(line(cell))
        return 0
    judge = Judge(sys.argv[2])
    wanted = tuple(map(int, sys.argv[4:6])) or WANTED
    outside = [show(cell, judge.judge(cell, rows), wanted)
               for cell, rows in read(sys.argv[3]).items()]
    low, high = (sum(found) for found in zip(*outside))
    print(f"of {len(outside)} cells, {low} hold less than {wanted[0]} %, "
          f"{high} more than {wanted[1]} %")
    # Errors that are too large do not count as wrong.
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
