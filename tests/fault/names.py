#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""names.py [--every N] [--jobs N] [--perf PERF] BUILD [PATTERN ...]

Puts each of NAMES into each of PLACES (names of what is counted, names that the user gives,
arguments of options), and prints in each format. A run is right if it is refused with a message and
a status of tma's own; or if it prints as many rows as with a plain name, CSV has the right number
of fields, JSON is valid, and output for programs is UTF-8. Output must not have a control
character, since it may go to a terminal.

Anything else is a failure: also a crash, a run that does not end, and an end without a message.
--every N tries each Nth case, and PATTERNs choose places. With --perf, the places and formats that
perf has too are tried with perf. Prints a table; the exit status is 1 if a case of tma's was wrong.
"""
import argparse
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import commands

TIMEOUT_S = 60
SHOWN = 10
PLAIN = b"plain"
NAMES = {
    "tab": b"a\tb", "newline": b"a\nb", "quotes": b"a\"b'c", "comma": b"a,b;c", "pipe": b"a|b",
    "ESC": b"a\x1b[31mb\x1b]0;c\x07", "C1": b"a\xc2\x9b31mb", "byte C1": b"a\x9b31mb",
    "not UTF-8": b"a\xff\xfe\xc3b", "long": b"x" * 4000, "empty": b"", "blank": b" a b ",
    "percent": b"%s%n%d", "backslash": b"a\\nb\\", "brace": b"{\"a\": 1}", "comment": b"# a",
    "dash": b"--a", "slash": b"a/../b",
}
FORMATS = {"@F": {
    "text": [], "csv": ["-x,"], "csv;": ["-x;"], "json": ["-j"], "json of tma": ["--format=json"],
    "csv-wide": ["--format=csv-wide"], "prom": ["--format=prom"], "markdown": ["--format=markdown"],
    "trace": ["--format=trace"], "html": ["--format=html"], "metric-only": ["--metric-only"], "metric-only csv": ["--metric-only", "-x,"],
}, "@L": {
    "text": [], "json document": ["-j"],
}, "@C": {
    "text": [], "json": ["-j"], "markdown": ["--format=markdown"],
    "html": ["--format=html"],
}, "@W": {
    "text": [], "json": ["-j"],
}, "": {
    "text": [],
}}
# Commands that print rows: the place (see commands.py), variables, and words. @N is replaced by the
# name, and a key of FORMATS by the options of this format.
PLACES = {
    "command": "perf: stat @F -e task-clock -- @DIR/@N",
    "argument": "perf: stat @F -e task-clock -- true @N",
    "thread": "perf: stat @F -e task-clock --per-thread -t @THREAD --timeout 20",
    "cgroup": "perf: stat @F -a -e cpu-clock --for-each-cgroup @CGROUP --timeout 20",
    "cgroup -G": "perf: stat @F -a -e cpu-clock -G @CGROUP --timeout 20",
    "event": "skylakex: stat @F -a -e cycles/name=@N/ --timeout 20",
    "metric": "host: stat @F -M @N --metrics-file @JSON true",
    "metric of text": "host: stat @F -M @N=task-clock/duration_time true",
    "output": "perf: stat @F -o @DIR/@N -e task-clock true",
    "recorded": "host: stat record -o @DIR/data -e task-clock -- @DIR/@N THEN "
                "stat report @F -i @DIR/data",
    "scripted": "host: stat record -o @DIR/data -e task-clock -- @DIR/@N THEN script -i @DIR/data",
    "recorded rows": "host: stat report @F -i @DIR/rows.csv",
    "PMU": "host: SYSFS_PATH=@DIR/sysfs stat @F -e @N/mine/ true",
    "PMU's event": "host: SYSFS_PATH=@DIR/sysfs stat @F -e made/@N/ true",
    "PMU's unit": "host: SYSFS_PATH=@DIR/sysfs stat @F -e made/mine/ true",
    "PMUs listed": "host: SYSFS_PATH=@DIR/sysfs list @L pmu",
    "sensor": "host: SYSFS_PATH=@DIR/sysfs stat @F -e hwmon0/temp1/ true",
    "sensors listed": "host: SYSFS_PATH=@DIR/sysfs list @L hwmon",
    "event of tables": "skylakex: --tables @DIR/tables stat @F -a -e @N --timeout 20",
    "metric of a group": "host: stat @F -M Named --metrics-file @JSON true",
    "metric's unit": "host: stat @F -M scaled --metrics-file @JSON true",
    "tables listed": "skylakex: --tables @DIR/tables list @L --details Named made",
    "tables explained": "skylakex: --tables @DIR/tables explain @L made",
    "machine": "host: --machine @DIR/machine/@N stat @F -a -e cycles --timeout 20",
    "compared": "host: compare @C -r 2 @DIR/@QUOTED true",
    "why": "host: why @W -- @DIR/spin/@N -c @SPIN",
}
# Commands whose number of rows is not checked: samples, wrapped words, impossible files. (In rows
# without quotes a comma ends the name, and a cgroup follows; a longer name adds a line to a
# description.)
OTHER_SHAPES = {("recorded rows", "comma"), ("sensors listed", "ESC")}
LOOSE = ("why", "compared", "tables explained", "tables listed", "PMUs listed")
SPIN = b"i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"
# Words that are refused, or that name missing things. The shell has its own messages about --pre,
# and libsubcmd about unknown options.
WORDS = ["stat -e @N true", "stat -M @N true", "stat -p @N", "stat -C @N true",
         "stat --cputype @N true",
         "stat --for-each-cgroup @N -a true", "stat --filter @N -e sched:sched_switch true",
         "stat --control @N true", "stat --format=@N true", "stat -x @N true", "stat -I @N true",
         "stat --set @N true", "stat report -i @N", "script -i @N", "list @N",
         "list metric @N", "list -j @N", "explain @N", "explain -j @N", "plan -e @N", "plan -M @N",
         "why -p @N", "why -C @N", "why -G @N", "why --budget @N true",
         "compare --fail-if @N true true", "compare --format @N true true",
         "compare --margin @N true true", "check-tables @N", "--tables @N list cycles", "--machine @N stat true", "@N"]
SAMPLE = re.compile(r'# (HELP|TYPE) |[a-z_:]+(\{([a-z_]+="([^"\\\n]|\\[\\"n])*",?)*\})? \S+$')
OWN = (0, 1, 125, 126, 127, 129)
# Commands whose output goes elsewhere than stat's.
REPORTED = ("output", "recorded", "recorded rows")

METRICS = b"""[
 {"MetricName": "%(name)s", "MetricExpr": "task\\\\-clock / duration_time", "MetricGroup": "Named"},
 {"MetricName": "scaled", "MetricExpr": "task\\\\-clock / duration_time", "ScaleUnit": "1%(name)s"}
]
"""
TABLE = b"""[
 {"MetricName": "%(name)s", "MetricExpr": "instructions / cycles", "MetricGroup": "Named",
  "BriefDescription": "Named"},
 {"MetricName": "made", "MetricExpr": "instructions / cycles", "MetricGroup": "Named",
  "BriefDescription": "Made %(name)s", "ScaleUnit": "1%(name)s"}
]
"""
EVENTS = b"""[
 {"EventName": "%(name)s", "EventCode": "0x3c", "UMask": "0x01", "BriefDescription": "%(name)s"}
]
"""


class Host:
    """The places where names are put."""

    def __init__(self, build, program):
        self.build = os.path.abspath(build)
        self.is_perf = program != "tma"
        self.machines = os.path.abspath("lib/sim/machines").encode()
        self.program = program if self.is_perf else os.path.join(self.build, "tma")
        self.dir = tempfile.mkdtemp(prefix="tma-names.")
        with open("/proc/mounts", encoding="utf-8", errors="replace") as file:
            mounts = [line.split() for line in file]
        self.cgroups = next((mount[1] for mount in mounts if mount[2] == "cgroup2"), self.dir)
        self.threads, self.made = {}, []
        self.base = {}

    def close(self):
        for thread in self.threads.values():
            thread.kill()
            thread.wait()
        for path in self.made:
            os.rmdir(path)
        subprocess.run(["rm", "-rf", self.dir], check=True)

    def thread(self, name):
        """Start a process with this name. Return: the process's number."""
        program = ("import sys, time; open('/proc/self/comm', 'wb').write(bytes.fromhex("
                   "sys.argv[1])); print(flush=True); time.sleep(10000)")
        if name not in self.threads:
            self.threads[name] = subprocess.Popen([sys.executable, "-c", program, name.hex()],
                                                  stdout=subprocess.PIPE)
            self.threads[name].stdout.readline()
            while not self.sleeps(self.threads[name].pid):  # a running process has more values
                time.sleep(0.01)
        return b"%d" % self.threads[name].pid

    @staticmethod
    def sleeps(pid):
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"S"

    def cgroup(self, name):
        """Make a cgroup, if this is allowed. Return: its name."""
        name = b"tma-names" + name
        path = os.path.join(os.fsencode(self.cgroups), name)
        try:
            if path not in self.made:
                os.mkdir(path)
                self.made.append(path)
        except OSError:
            pass
        return name

    def directory(self, name):
        """Make a folder with files, processes and so on that have this name, as far as possible."""
        top = tempfile.mkdtemp(dir=self.dir).encode()
        text = quoted(name)
        put(top, name, b"#!/bin/sh\n", 0o755)
        put(top, b"metrics.json.made", METRICS % {b"name": text})
        put(top, b"tables/metrics.json", TABLE % {b"name": text})
        put(top, b"tables/events.json", EVENTS % {b"name": text})
        put(top, b"rows.csv", b"12.5,msec," + name + b",12500000,100.00,,\n")
        put(top, b"machine/" + name, b"include " + self.machines + b"/skylakex\n")
        with open("/bin/sh", "rb") as file:
            put(top, b"spin/" + name, file.read(), 0o755)
        devices = b"sysfs/bus/event_source/devices/"
        for pmu in (b"made", name):
            put(top, devices + pmu + b"/type", b"1\n")
            put(top, devices + pmu + b"/format/event", b"config:0-63\n")
            put(top, devices + pmu + b"/events/mine", b"event=0x1\n")
        put(top, devices + b"made/events/mine.unit", name)
        for file, content in (b"name", name), (b"temp1_label", name), (b"temp1_input", b"1000\n"):
            put(top, b"sysfs/class/hwmon/hwmon0/" + file, content)
        put(top, devices + b"made/events/" + name, b"event=0x1\n")
        return top

    def words(self, text, name, options):
        """Return: the variables and words of a command, and the folder that they refer to."""
        directory = self.directory(name)
        words, variables = [], {}
        at = {b"@DIR": directory, b"@JSON": directory + b"/metrics.json.made", b"@SPIN": SPIN,
              b"@QUOTED": for_shell(name), b"@N": name}
        if "@THREAD" in text:
            at[b"@THREAD"] = self.thread(name)
        if "@CGROUP" in text:
            at[b"@CGROUP"] = self.cgroup(name)
        for word in text.split():
            if word in FORMATS:
                words += [option.encode() for option in options]
                continue
            word = word.encode()
            for key, value in at.items():
                word = word.replace(key, value)
            if word.startswith(b"SYSFS_PATH="):
                variables["SYSFS_PATH"] = word.partition(b"=")[2]
            else:
                words.append(word)
        return variables, words, directory

    def run(self, where, words, variables):
        """Return: the status (None if the time was over), standard output and standard error."""
        child = subprocess.Popen([self.program] + words, stdout=subprocess.PIPE, cwd=self.dir,
                                 stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                 start_new_session=True,
                                 env=commands.environment(self.build, where) | variables)
        try:
            out, err = child.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, b"", b""
        return child.returncode, out, err

    def try_name(self, place, name, form):
        """Return: status and streams. stat's rows go to standard output, unless -o is given."""
        where, text = PLACES[place].split(": ", 1)
        steps = text.split(" THEN ")
        directory = None
        for step in steps:
            if directory:
                step = step.replace("@DIR", directory.decode())
            variables, words, made = self.words(step, name, formats_of(place)[form])
            directory = directory or made
            if step == steps[-1] and "@F" in step and place not in REPORTED:
                at = words.index(b"stat") + 1
                words[at:at] = [b"--log-fd", b"1"]
            status, out, err = self.run(where, words, variables)
            if status:
                break
        if place == "output" and os.path.isfile(os.path.join(directory, name)):
            with open(os.path.join(directory, name), "rb") as file:
                out += file.read()
        if place in REPORTED[1:]:
            out, err = out + err, b""
        return status, out, err


def quoted(name):
    """Return: the name as a JSON text, if possible with its bytes unchanged."""
    text = name.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    return b"".join(bytes([c]) if c >= 32 else b"\\u%04x" % c for c in text)


def for_shell(name):
    return b"'" + name.replace(b"'", b"'\\''") + b"'"


def put(directory, name, text, mode=0o644):
    """Write a file of this name, if a file can have it."""
    path = os.path.join(directory, name)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)
        os.chmod(path, mode)
    except (OSError, ValueError):
        pass


def formats_of(place):
    """Return: the formats for a place, with the options of each."""
    return next(formats for mark, formats in FORMATS.items() if mark in PLACES[place])


def visible(text):
    """Return: the first character of a text that controls a terminal, or None."""
    found = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", text)
    if not found:
        try:
            text.decode()
        except UnicodeDecodeError:
            found = re.search(rb"(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]", text)
    return found


def shape(form, text):
    """Return: the number of rows, and of fields in a row. Raises ValueError if a row is wrong."""
    if form not in ("text", "metric-only", "markdown"):
        if form != "csv" and form != "csv;" and form != "metric-only csv":
            text.decode()
    lines = [line for line in text.decode(errors="replace").splitlines() if line.strip()]
    if form == "html":
        return Counter(re.findall(r"<(?:tr|section|figure|script)\b", text.decode()))
    if form in ("json document", "trace"):
        return len(json.loads(text))
    if form in ("json", "json of tma"):
        return len([json.loads(line) for line in lines])
    if form in ("csv", "csv;", "csv-wide", "metric-only csv"):
        rows = io.StringIO(text.decode(errors="replace"), newline="")
        read = csv.reader(rows, delimiter=";" if form == "csv;" else ",", strict=True)
        return Counter(len(row) for row in read if row and not row[0].startswith("# started"))
    if form == "prom":
        for line in lines:
            if not SAMPLE.match(line):
                raise ValueError(f"no sample: {line[:100]!r}")
        return len([line for line in lines if line[0] != "#"])
    return len(lines)


def judge(host, kind, name, form, got):
    status, out, err = got
    if status is None:
        return "it does not end"
    if status < 0 or (not host.is_perf and status not in OWN):
        return f"status {status}; it said {err[-100:]!r}"
    if visible(out + b"\n" + err):
        found = visible(out + b"\n" + err)
        text = (out + b"\n" + err)[max(found.start() - 40, 0):found.end() + 20]
        return f"it prints {found[0]!r}: {text!r}"
    if status:
        return "refused" if err.strip() or out.strip() else f"status {status} and no word"
    if not form:
        return "taken"
    try:
        now = shape(form, out)
    except (ValueError, csv.Error) as error:
        return f"{error}: {out[:200]!r}"
    if kind[0] in LOOSE or (kind[0], name) in OTHER_SHAPES:
        return "taken"
    if kind not in host.base:
        host.base[kind] = now
    # In formats for people, the command is above the rows, as it was typed.
    if name == "newline" and form in ("text", "metric-only"):
        return "taken"
    if now != host.base[kind]:
        return f"rows {now}, {host.base[kind]} of a plain name: {out[:200]!r}"
    return "taken"


def find_cases(host):
    for place, text in PLACES.items():
        if host.is_perf and not text.startswith("perf: "):
            continue
        for form, words in formats_of(place).items():
            if host.is_perf and any(word.startswith("--format") for word in words):
                continue
            for kind in NAMES:
                yield place, form, kind
    for text in WORDS:
        if not host.is_perf or re.match(r"stat (-[eMpCxI]|--control|--filter|--for-each)", text):
            for kind in NAMES:
                yield "words", text, kind


def try_case(host, case):
    place, form, kind = case
    if place == "words":
        words = [word.encode().replace(b"@N", NAMES[kind]) for word in form.split()]
        return judge(host, None, kind, None, host.run("host", words, {}))
    return judge(host, (place, form), kind, form, host.try_name(place, NAMES[kind], form))


def try_all(options, program):
    host = Host(options.build, program)
    table = "{:<26}" + 4 * " {:>8}"
    print(table.format("names", "cases", "taken", "refused", "wrong"))
    total = [0] * 4
    try:
        cases = [case for case in find_cases(host)
                 if any(re.search(pattern, case[0]) for pattern in options.patterns or [""])]
        cases = cases[::options.every]
        for place, form in {case[:2]: None for case in cases}:
            if place not in LOOSE + ("words",):
                judge(host, (place, form), "plain", form, host.try_name(place, PLAIN, form))
        with ThreadPoolExecutor(options.jobs) as pool:
            ends = list(pool.map(lambda case: try_case(host, case), cases))
        for place in dict.fromkeys(case[0] for case in cases):
            found = [(case, end) for case, end in zip(cases, ends) if case[0] == place]
            wrong = [(case, end) for case, end in found if end not in ("taken", "refused")]
            for case, end in wrong[:SHOWN]:
                print(f"wrong: {' / '.join(case)}: {end}")
            row = [len(found)] + [sum(end == how for _, end in found) for how in ("taken", "refused")]
            row.append(len(wrong))
            print(table.format(place, *row), flush=True)
            total = [a + b for a, b in zip(total, row)]
    finally:
        host.close()
    print(table.format("all", *total))
    return total


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--perf")
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    total = try_all(options, "tma")
    if options.perf:
        try_all(options, options.perf)
    return 1 if total[-1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
