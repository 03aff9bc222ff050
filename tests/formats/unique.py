#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the output of "tma stat" on a hybrid machine: columns, keys and rows have different names,
with the core PMU in each.

unique.py FORMAT FILE ...; formats are text, text-metrics, csv, csv-metrics, json-perf, csv-wide,
json and prom.
"""

import csv
import json
import re
import sys

PMUS = ("cpu_core", "cpu_atom")


class Wrong(Exception):
    pass


def once(seen, what):
    if what in seen:
        raise Wrong(f"twice: {what}")
    seen.add(what)


def pmu_of(text):
    """Return: the core PMU that an event or a metric names, or ''."""
    return next((pmu for pmu in PMUS if pmu in text), "")


# perf's formats print these for each event of cycles or instructions that metrics need, as perf
# does.
RATIO = re.compile(r"(GHz|insn per cycle)\b")


def columns(names):
    seen = set()
    for name in names:
        if not name:
            raise Wrong("a column has no name")
        once(seen, name)


def object_of(pairs):
    columns([key for key, _ in pairs])
    return dict(pairs)


def perfs_object_of(pairs):
    columns([key for key, _ in pairs if not RATIO.match(key)])
    return dict(pairs)


def is_topdown(name):
    """Return: whether both core types have this name, so that the type must be in it."""
    return re.search(r"tma_(retiring|bad_speculation|frontend_bound|backend_bound)$", name)


class Rows:
    """Events and, after each, its metrics, as perf prints them: a metric belongs to the event above
    it.
    """

    def __init__(self):
        self.seen = set()
        self.pmu = ""

    def event(self, place, name):
        self.pmu = pmu_of(name)
        once(self.seen, (place, name))

    def group(self, name):
        self.pmu = pmu_of(name)

    def metric(self, place, name):
        name = re.sub(r"^(%|[KMG]?/sec).*? (?=\S)", "", name)
        # Rates and ratios belong to their event.
        if not name.startswith("tma_"):
            return
        if is_topdown(name) and not self.pmu:
            raise Wrong(f"nothing says which PMU it is of: {name}")
        once(self.seen, (place, self.pmu, name))


def read_csv(lines):
    rows = Rows()
    for line in csv.reader(lines):
        at = next((i for i, field in enumerate(line) if re.search("[/:]|_CLK|^[a-z-]+$", field) and
                   i and (line[i - 1] in ("", "msec", "ns", "MiB"))), None)
        place = line[0] if re.match(r"[0-9]+\.[0-9]{9}$", line[0]) else ""
        label = next((f for f in line[:2] if re.match(r"S[0-9]|CPU|N[0-9]|.*-[0-9]+$", f)), "")
        if line[-1].startswith("Topdown"):
            rows.group(line[-1])
        elif at is not None and at < len(line) - 2 and line[at]:
            rows.event((place, label), line[at])
        if "tma_" in line[-1]:
            rows.metric((place, label), line[-1])


def read_json_perf(lines):
    rows = Rows()
    for line in lines:
        o = json.loads(line, object_pairs_hook=perfs_object_of)
        place = tuple(o.get(key) for key in ("interval", "cpu", "core", "cluster", "cache", "die",
                                             "socket", "node", "thread", "cgroup"))
        if "metricgroup" in o:
            rows.group(o["metricgroup"])
        if "event" in o:
            rows.event(place, o["event"])
        if o.get("metric-unit"):
            rows.metric(place, o["metric-unit"])
        for key in o:
            if is_topdown(key):
                raise Wrong(f"nothing says which PMU it is of: {key}")


def read_csv_metrics(lines):
    heads = None
    for line in csv.reader(lines):
        if heads and line != heads:
            if len(line) != len(heads):
                raise Wrong(f"{len(line)} fields under {len(heads)} headings")
            continue
        heads = line
        columns([name for name in line[:-1] if not RATIO.match(name)])
        for name in line:
            if is_topdown(name):
                raise Wrong(f"nothing says which PMU it is of: {name}")


def read_text_metrics(lines):
    heads, seen = None, set()
    for line in lines:
        if "%  " in line or " pmu " in line:
            columns(re.findall(r"(?:% +)?(?:of time|[^\s%]+)", line.split(" pmu ", 1)[-1]))
            heads = line
        elif heads and line.strip() and "seconds" not in line:
            found = re.search(r"^(.*?)\b(cpu_core|cpu_atom)\b", line)
            if not found:
                raise Wrong(f"nothing says which PMU it is of: {line}")
            once(seen, (found[1], found[2]))


TEXT_ROW = re.compile(
    r"^(?P<place>\s*([0-9]+\.[0-9]{9})?\s*(\S.*?-[0-9]+|[SN][0-9]\S*\s+[0-9]+|CPU[0-9]+)?)"
    r"\s+(?![0-9]+\.[0-9]{9}\s)([0-9][0-9.,]*|<not \w+>)\s+(?P<name>\S.*)$")


def read_text(lines):
    rows, place = Rows(), ""
    for line in lines:
        before, _, metric = line.partition("#")
        found = TEXT_ROW.match(before)
        if "Topdown" in before:
            rows.group(before)
        elif found:
            place = found["place"].strip()
            rows.event(place, found["name"].split("(")[0].strip())
        if "tma_" in metric:
            rows.metric(place, re.search(r"tma_\S+", metric)[0])


def read_wide(lines):
    for i, line in enumerate(csv.reader(lines)):
        if not i:
            columns(line)
            for name in line:
                if is_topdown(name.split(" ")[0]) and not pmu_of(name):
                    raise Wrong(f"nothing says which PMU it is of: {name}")


def read_json(lines):
    seen = set()
    numbers = ("value", "count", "enabled_ns", "running_ns", "running_percent", "status", "reason",
               "threshold_passed", "spread_percent")
    for line in lines:
        o = json.loads(line, object_pairs_hook=object_of)
        if o.get("type") == "run":  # the whole file's line
            continue
        once(seen, tuple((k, v) for k, v in o.items() if k not in numbers))
        if is_topdown(o["name"]) and not o["pmu"]:
            raise Wrong(f"nothing says which PMU it is of: {o['name']}")


def read_prom(lines):
    seen = set()
    for line in lines:
        if line.startswith("#"):
            continue
        labels = re.sub(r',(status|reason)="[^"]*"', "", line.rsplit(" ", 1)[0])
        once(seen, labels)
        name = re.search(r'(?:name|metric)="(\w+)"', labels)
        if name and is_topdown(name[1]) and "pmu=" not in labels:
            raise Wrong(f"nothing says which PMU it is of: {labels}")


READERS = {
    "text": read_text, "text-metrics": read_text_metrics, "csv": read_csv,
    "csv-metrics": read_csv_metrics, "json-perf": read_json_perf, "csv-wide": read_wide,
    "json": read_json, "prom": read_prom,
}


def read(reader, path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    lines = [line for line in lines if line and not line.startswith(("# started", "# cpuid: ", "#   "))]
    if not lines:
        raise Wrong("nothing was printed")
    READERS[reader](lines)


def main():
    for reader, path in zip(sys.argv[1::2], sys.argv[2::2]):
        try:
            read(reader, path)
        except (Wrong, ValueError, IndexError) as why:
            print(f"{reader} {path}: {why}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
