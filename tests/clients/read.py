#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads a file as programs do that read the output of perf stat: read.py CLIENT FILE [ARGUMENT ...]

Each reader follows the rules of one program, in those points that can fail: the form of a line,
which field is which, and what ends the program. For each value that the program would take, it
prints "WHERE NAME VALUE"; WHERE is the time, CPU, thread or cgroup, or "-". If the program would
stop or complain, this one stops with a message and status 1.
"""
import csv
import json
import math
import re
import sys


class Refused(Exception):
    """The program cannot read this."""


def show(where, name, value):
    print(where or "-", name, value)


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def number(text, what):
    try:
        return float(text)
    except ValueError as error:
        raise Refused(f"{what}: '{text}' is not a number") from error


def perfspect(path, sizes="", cgroups=""):
    """PerfSpect: each line is an object, whose types are fixed; events are in the order of the
    groups that were asked for.

    sizes: how many events each group has, "2,1"; events follow each other, whatever their CPUs are.
    """
    types = {"interval": (int, float), "cpu": str, "counter-value": str, "unit": str, "cgroup": str,
             "event": str, "event-runtime": int, "pcnt-running": (int, float)}
    groups = [int(n) for n in sizes.split(",")]
    group, place, previous, interval = 0, -1, None, None
    for line in lines_of(path):
        # The client splits its input by time without parsing it.
        if b'"interval" : ' not in line.encode():
            raise Refused(f"a line without its time: {line}")
        try:
            row = json.loads(line)
        except ValueError as error:
            raise Refused(f"no JSON: {line}") from error
        for key, kind in types.items():
            if key in row and not isinstance(row[key], kind):
                raise Refused(f"{key} has another type: {line}")
        if row["interval"] != interval:
            interval, group, place, previous = row["interval"], 0, -1, None
        if row["event"] != previous:
            place, previous = place + 1, row["event"]
        if place == groups[group]:
            group, place = group + 1, 0
            if group == len(groups):
                if not cgroups:
                    raise Refused(f"more events than were asked for: {line}")
                group = 0
        value = row["counter-value"]
        if value in ("<not counted>", "<not supported>"):
            value = math.nan
        where = f"{interval}/{row.get('cpu', '')}/{row.get('cgroup', '')}/{group}"
        show(where, row["event"], number(value, row["event"]))


def toplev(path, events):
    """toplev: CSV with ";", a time of at least nine characters, and rows in the order of the
    events."""
    def is_event(fields, place):
        return len(fields) > place and re.match(r"[a-zA-Z]", fields[place]) is not None

    wanted = events.split(",")
    place, interval = 0, None
    for line in lines_of(path):
        if line.startswith("#") or not line.strip():
            continue
        time = re.match(r"\s*([0-9.]{9,}|SUMMARY);(.*)", line)
        if not time:
            if not line[:1].isspace():
                continue
            raise Refused(f"no time: {line}")
        if time[1] != interval:
            interval, place = time[1], 0
        fields = [field for field in time[2].split(";") if field not in ("", "Joules", "ns")]
        for at, skipped in ((1, 0), (3, 2), (2, 1)):
            if is_event(fields, at):
                break
        else:
            raise Refused(f"no event: {line}")
        title, count, event = fields[0] if skipped else "", fields[at - 1], fields[at]
        event = re.sub(r":[ukG]+$", "", re.sub(r"\s+\[.*\]", "", event))
        per_row = re.sub(r":[ukG]+$", "", wanted[place % len(wanted)])
        if not title and event != per_row:
            raise Refused(f"{event} stands where {per_row} was expected")
        place += 1
        if re.match(r"\s*<", count):
            count = 0
        show(f"{interval}/{title}", event, number(count, event))
        if len(fields) > at + 2:
            number(fields[at + 2], "the share of time")


def csv_formats(path):
    """interval-normalize and interval-plot guess the layout of a row of -I -x,."""
    patterns = {
        "time": r"\s*[0-9.]+", "cpu": r"CPU|S\d+|C\d+|all", "socket": r"S\d+", "value": r"-?[0-9.]+%?|<.*>",
        "unit": r"(% )?[a-zA-Z]*( <)?", "event": r"[a-zA-Z.-]+", "number": r"\s*[0-9]+",
    }
    layouts = [layout.split() for layout in (
        "time cpu value unit event number number",
        "time value event",
        "time cpu value event",
        "time value unit event",
        "time cpu value unit event",
        "time value unit event number number",
        "time cpu event value unit",
        "time cpu value unit event number number",
        "time socket number value unit event number number",
        "time socket number value unit event",
        "time event value",
    )]
    last = layouts[0]
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.reader(file):
            if not row or row[0].startswith("#"):
                continue
            for layout in [last] + layouts:
                # A layout can be longer or shorter than the row.
                if all(re.match(patterns[kind], field.strip()) for kind, field in zip(layout, row)):
                    break
            else:
                raise Refused(f"no layout for {row}")
            last = layout
            found = dict(zip(layout, row))
            where = found.get("cpu") or found.get("socket")
            show(f"{found['time'].strip()}/{where or ''}", found["event"], found["value"])


def rustc_perf(path):
    """rustc-perf's collector: five fields between ";"; the event must have been counted all the
    time."""
    taken = 0
    for line in lines_of(path):
        fields = [field.strip() for field in line.split(";")]
        if fields[0] in ("<not supported>", "<not counted>", ""):
            continue
        if len(fields) < 5:
            # These lines are from the command itself.
            continue
        if not fields[4].startswith("100."):
            raise Refused(f"{fields[2]} was active for {fields[4]}% of the time only")
        taken += 1
        show("-", fields[2], number(fields[0], fields[2]))
    if not taken:
        raise Refused("nothing was counted")


def lkp(path, events):
    """lkp-tests: rows begin with a time; of the seven fields after it, one is an event that was
    asked for."""
    wanted = re.sub(r"[{}]", "", events).split(",")
    previous, interval = 0.0, 0
    for line in lines_of(path):
        if not re.match(r"\s*\d+\.\d+\W+", line):
            continue
        time, *fields = (line + "\n").split(",")
        if len(fields) < 7:
            continue
        time = float(time)
        socket = ""
        if fields[0].startswith("S"):
            socket = fields[0]
            del fields[0:2]
        if "/" in fields[2]:
            fields[2] = re.search(r"/(.*)/", fields[2])[1]
        if not set(fields) & set(wanted):
            raise Refused(f"no event that was asked for: {line}")
        interval += time - previous > 0.01
        previous = time
        # A text that is not a number counts as 0.
        value = re.match(r"[0-9.]*", fields[0])[0] or "0"
        show(f"{interval}/{socket}", fields[2], number(value, fields[2]))
        if len(fields) > 6 and re.fullmatch(r"[A-Z][^ ]+\n", fields[6]):
            show(f"{interval}/{socket}", f"metric.{fields[6].strip()}", number(fields[5], fields[6]))


def mesos(path):
    """Mesos: the cgroup is the field after the event, in every line."""
    for line in lines_of(path):
        fields = line.split(",")
        if len(fields) == 3:
            value, event, cgroup = fields
        elif len(fields) == 4 or len(fields) >= 6:
            value, event, cgroup = fields[0], fields[2], fields[3]
        else:
            raise Refused(f"{len(fields)} fields: {line}")
        if value == "<not supported>":
            continue
        value = 0 if value == "<not counted>" else number(value, event)
        show(cgroup, event.lower().replace("-", "_"), value)


def benchkit(path):
    """benchkit: every line of the file is JSON, and has these keys."""
    for line in lines_of(path):
        try:
            row = json.loads(line.strip())
        except ValueError as error:
            raise Refused(f"no JSON: '{line}'") from error
        if "event" not in row:
            raise Refused(f"no event: {line}")
        for key in ("counter-value", "unit", "event-runtime", "pcnt-running"):
            if key not in row:
                raise Refused(f"no {key}: {line}")
        show("-", row["event"].rstrip("/"), row["counter-value"])


def benchkit_csv(path, separator, tid):
    """benchkit for each thread: a task and its number precede the fields that it knows."""
    names = ["task", "value", "unit", "event", "runtime", "running", "comment1", "comment2"]
    with open(path, newline="", encoding="utf-8") as file:
        lines = (line for line in file if not line.strip().startswith("#"))
        for row in csv.DictReader(lines, fieldnames=names, delimiter=separator):
            task, pid = row["task"].rsplit("-", maxsplit=1)
            if int(pid) != int(tid):
                raise Refused(f"thread {pid}, not {tid}")
            show(task, row["event"], row["value"])


def exporter(path, separator=";"):
    """perf-stat-exporter: the first field is the value, and the third is the event."""
    for line in lines_of(path):
        if not line:
            continue
        fields = line.split(separator)
        if len(fields) < 3:
            raise Refused(f"it would crash on '{line}'")
        value = fields[0] if re.fullmatch(r"[0-9]+(\.[0-9]+)?", fields[0]) else "0"
        show("-", fields[2], value)


def workload_automation(path):
    """workload-automation: rows of the text, from the heading and a blank line to the next blank
    line."""
    lines = iter(lines_of(path))
    for line in lines:
        if "Performance counter stats" in line:
            if next(lines).strip():
                raise Refused("no blank line behind the heading")
            break
    else:
        raise Refused("no heading")
    for line in lines:
        if not line.strip():
            return
        row = re.match(r"(CPU\d+)?\s*(\d+)\s*(.*?)\s*(\[\s*\d+\.\d+%\s*\])?\s*$", line.split("#")[0])
        if row:
            show(row[1], row[3], int(row[2]))


def phoronix(path, event):
    """Phoronix: the words of the line that has the event; the first word is the number."""
    for line in lines_of(path):
        if event in line and "Performance counter" not in line:
            show("-", event, number(line.split()[0].replace(",", ""), event))
            return
    raise Refused(f"no line with {event}")


def jmh(path):
    """JMH's perfnorm: time, count and fourth field. Rows without a count are skipped."""
    for line in lines_of(path):
        fields = [field.strip() for field in line.split(",")]
        if line.startswith("#") or len(fields) < 3:
            continue
        event = fields[2] if len(fields) == 3 else fields[3]
        if re.match(r"[0-9.]+$", fields[0]) and re.match(r"[0-9.]+$", fields[1]):
            show(fields[0], event, fields[1])


def mmtests(path):
    """mmtests: numbers and names after the heading; each run has a line with its time."""
    time, reading = None, False
    for line in lines_of(path):
        if line.startswith("time: "):
            time, reading = line.split()[1], False
        elif "Performance counter stats for" in line:
            reading = True
        elif reading and "seconds time elapsed" not in line:
            if row := re.search(r"\s([0-9.,]+)\s+([a-zA-Z-]+)", line):
                if time is None:
                    raise Refused(f"no time: {line}")
                show(time, row[2], number(row[1].replace(",", ""), row[2]))


def pmc_cloud_tools(path):
    """pmc-cloud-tools: words 2 and 3 of each row; the row of instructions is the last, and ends a
    line of the table."""
    found = {}
    for line in lines_of(path):
        words = line.replace(",", "").split()
        if len(words) < 3 or words[0] == "#":
            continue
        found[words[2]] = words[1]
        if words[2] == "instructions":
            for event, value in found.items():
                show(words[0], event, number(value, event))
            found = {}
    if found:
        raise Refused(f"no instructions after {', '.join(found)}")


def llvm_tracker(path):
    """llvm-compile-time-tracker: a line is a number, a unit and a name; other lines are skipped."""
    rows = [line.split(";") for line in lines_of(path)]
    taken = [row for row in rows if len(row) > 3 and re.fullmatch("[0-9.]+", row[0]) and row[2]]
    if not taken:
        raise Refused("no line of a count")
    for row in taken:
        show("-", row[2], row[0])


def dcperf(path):
    """DCPerf: each line has a time; lines of the same time make a record of at most eight fields."""
    records = []
    for line in lines_of(path):
        fields = line.split(",") + [""] * 8
        time = number(fields[0], "the time")
        if not records or abs(time - records[-1][0]) >= 1e-5:
            records.append((time, {}))
        if not fields[3] or fields[3] in records[-1][1]:
            raise Refused(f"not one event of each name: {line}")
        records[-1][1][fields[3]] = fields[1]
    for time, values in records:
        for event, value in values.items():
            show(time, event, value)


def temci(path, names):
    """temci: for each name, from the end backwards, the last line that has it."""
    wanted, found = names.split(","), {}
    for line in reversed(lines_of(path)):
        name = wanted[len(wanted) - len(found) - 1] if len(found) < len(wanted) else None
        text = "time elapsed" if name == "wall-clock" else name
        if name is None or text not in line:
            continue
        value = line.strip().split(";" if ";" in line else " ")[0].replace(",", "")
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
            found[name] = float(value) / (1000 if "msec" in line else 1)
    for name in wanted:
        if name not in found:
            raise Refused(f"no {name} in its place")
        show("-", name, found[name])


def a_tune(path, names):
    """A-Tune-Collector: two blanks separate the columns of a row, and one column follows the event."""
    rows = {}
    for line in lines_of(path):
        row = re.match(r" {2,}([0-9.]+) {2,}([0-9][0-9,]*) {2,}(\w*) {2,}([^ ]+) ", line)
        if row:
            rows.setdefault(row[4], row)
    for name in names.split(","):
        found = rows.get(name)
        show(found[1] if found else "", name, int(found[2].replace(",", "")) if found else -1)


def cbt(path):
    """cbt: the text before the word "cycles" in its line is a whole number."""
    with open(path, encoding="utf-8") as file:
        row = re.search("^(.*) cycles.* ", file.read(), re.MULTILINE)
    value = row[1].strip().replace(",", "") if row else ""
    if not value.isdigit():
        raise Refused(f"not a number of cycles: '{value}'")
    show("-", "cycles", value)


def crimson(path):
    """cbt's bench of Crimson: at least two words in a line; in a clock's line, the fifth word is
    the share of a CPU."""
    for line in lines_of(path):
        words = line.split()
        if not words:
            continue
        if len(words) < 2:
            raise Refused(f"it would crash on '{line}'")
        if words[1] == "msec":
            share = number(words[4], "the share of a CPU")
            show(share, words[2], number(words[0].replace(",", ""), words[2]))
        elif re.fullmatch("[a-z-]+(-switches|-migrations|-misses)", words[1]):
            show("-", words[1], int(words[0].replace(",", "")))


def go_perfevent(path, names):
    """go-perfevent: one JSON list. If an event occurs twice, the last one counts; its terms are
    numbers of the PMU cpu."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    last = {event[key]: event for event in events for key in ("EventName", "EventAlias") if event.get(key)}
    for name in names.split(","):
        if name not in last:
            raise Refused(f"no event {name}")
        encoding = re.fullmatch("cpu/(.*)/", last[name].get("Encoding", ""))
        if not encoding:
            raise Refused(f"{name} has no encoding of the PMU cpu")
        for term in encoding[1].split(","):
            key, _, value = term.partition("=")
            if value and not re.fullmatch("0x[0-9a-f]+|[0-9]+", value):
                raise Refused(f"{name}: {term} is not a number")
            show(name, key, value)


def main():
    readers = {reader.__name__.replace("_", "-"): reader for reader in (
        perfspect, toplev, csv_formats, rustc_perf, lkp, mesos, benchkit, benchkit_csv, exporter,
        workload_automation, phoronix, jmh, mmtests, pmc_cloud_tools, llvm_tracker, dcperf, temci,
        a_tune, cbt, crimson, go_perfevent)}
    try:
        readers[sys.argv[1]](*sys.argv[2:])
    except Refused as why:
        sys.exit(f"{sys.argv[1]}: {why}")


main()
