#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""names.py [--every N] [--jobs N] [--perf PERF] BUILD [PATTERN ...]

Puts each of NAMES in each of PLACES (what is counted, what it is called, the words of options), and
prints in each of FORMATS. A run is right when it is refused with a status of tma's own and a word,
or prints as many rows as with a plain name; CSV has its number of fields, JSON is JSON, what is for
programs is UTF-8; and no output has a control character, for it may come to a terminal.

It is a failure when it is not, when it crashes, does not end or says nothing of why it ends.
--every N tries each Nth case, PATTERNs choose places. With --perf the places and formats that perf
has, too, are tried with it. Prints a table; the exit status is 1 if any case of tma's was wrong.
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

TIMEOUT_S = 20
SHOWN = 10
PLAIN = b"plain"
NAMES = {
    "tab": b"a\tb", "newline": b"a\nb", "quotes": b"a\"b'c", "comma": b"a,b;c", "pipe": b"a|b",
    "ESC": b"a\x1b[31mb\x1b]0;c\x07", "C1": b"a\xc2\x9b31mb", "byte C1": b"a\x9b31mb",
    "not UTF-8": b"a\xff\xfe\xc3b", "long": b"x" * 4000, "empty": b"", "blank": b" a b ",
    "percent": b"%s%n%d", "backslash": b"a\\nb\\", "brace": b"{\"a\": 1}", "comment": b"# a",
    "dash": b"--a", "slash": b"a/../b",
}
FORMATS = {
    "text": [], "csv": ["-x,"], "csv;": ["-x;"], "json": ["-j"], "json of tma": ["--format=json"],
    "csv-wide": ["--format=csv-wide"], "prom": ["--format=prom"], "markdown": ["--format=markdown"],
    "metric-only": ["--metric-only"], "metric-only csv": ["--metric-only", "-x,"],
}
# Commands that print rows: where they run (see commands.py) and their words; @N is the name, @F the
# format's options.
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
}
# Words that are refused, or ask for what there is not. What the shell says of --pre is its own, and
# so is what libsubcmd says of an option that there is not.
WORDS = ["stat -e @N true", "stat -M @N true", "stat -p @N", "stat -C @N true",
         "stat --cputype @N true",
         "stat --for-each-cgroup @N -a true", "stat --filter @N -e sched:sched_switch true",
         "stat --control @N true", "stat --format=@N true", "stat -x @N true", "stat -I @N true",
         "stat --set @N true", "stat report -i @N", "script -i @N", "list @N",
         "list metric @N", "list -j @N", "explain @N", "explain -j @N", "plan -e @N", "plan -M @N",
         "check-tables @N", "--tables @N list cycles", "--machine @N stat true", "@N"]
SAMPLE = re.compile(r'# (HELP|TYPE) |[a-z_:]+(\{([a-z_]+="([^"\\\n]|\\[\\"n])*",?)*\})? \S+$')
OWN = (0, 1, 125, 126, 127, 129)


class Host:
    """The places where names are put."""

    def __init__(self, build, program):
        self.build = os.path.abspath(build)
        self.is_perf = program != "tma"
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
        """A process of this name. Return: its number."""
        program = ("import sys, time; open('/proc/self/comm', 'wb').write(bytes.fromhex("
                   "sys.argv[1])); print(flush=True); time.sleep(10000)")
        if name not in self.threads:
            self.threads[name] = subprocess.Popen([sys.executable, "-c", program, name.hex()],
                                                  stdout=subprocess.PIPE)
            self.threads[name].stdout.readline()
            while not self.sleeps(self.threads[name].pid):  # one that runs has more values
                time.sleep(0.01)
        return b"%d" % self.threads[name].pid

    @staticmethod
    def sleeps(pid):
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"S"

    def cgroup(self, name):
        """Make a cgroup, where that may be done. Return: its name."""
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
        """A folder with a program and metrics of this name, where these can be."""
        directory = tempfile.mkdtemp(dir=self.dir).encode()
        try:
            with open(os.path.join(directory, name), "wb") as file:
                file.write(b"#!/bin/sh\n")
            os.chmod(os.path.join(directory, name), 0o755)
        except OSError:
            pass
        metric = {"MetricName": name.decode("latin-1"), "MetricExpr": "task\\-clock / duration_time"}
        with open(os.path.join(directory, b"metrics.json.made"), "w", encoding="utf-8") as file:
            json.dump([metric], file)
        return directory

    def words(self, text, name, form):
        directory = self.directory(name)
        words = []
        for word in text.split():
            if word == "@F":
                words += [part.encode() for part in form]
                continue
            at = {b"@DIR": directory, b"@JSON": directory + b"/metrics.json.made", b"@N": name}
            if "@THREAD" in word:
                at[b"@THREAD"] = self.thread(name)
            if "@CGROUP" in word:
                at[b"@CGROUP"] = self.cgroup(name)
            word = word.encode()
            for key, value in at.items():
                word = word.replace(key, value)
            words.append(word)
        return words, directory

    def run(self, where, words):
        """Return: the status (None: too late), standard output, standard error."""
        child = subprocess.Popen([self.program] + words, stdout=subprocess.PIPE, cwd=self.dir,
                                 stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                 start_new_session=True,
                                 env=commands.environment(self.build, where))
        try:
            out, err = child.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, b"", b""
        return child.returncode, out, err

    def try_name(self, place, name, form):
        """Return: status, streams. The rows of stat go to standard output, but for those of -o."""
        where, text = PLACES[place].split(": ", 1)
        last = len(text.split(" THEN ")) - 1
        directory = None
        for i, step in enumerate(text.split(" THEN ")):
            if directory:
                step = step.replace("@DIR", directory.decode())
            words, made = self.words(step, name, FORMATS[form])
            directory = directory or made
            if i == last and "@F" in step and place not in ("output", "recorded"):
                words[1:1] = [b"--log-fd", b"1"]
            status, out, err = self.run(where, words)
            if status:
                break
        if place == "output" and os.path.isfile(os.path.join(directory, name)):
            with open(os.path.join(directory, name), "rb") as file:
                out += file.read()
        if place == "recorded":
            out, err = out + err, b""
        return status, out, err


def visible(text):
    """The first thing in a text that a terminal would act on, or None."""
    found = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", text)
    if not found:
        try:
            text.decode()
        except UnicodeDecodeError:
            found = re.search(rb"(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]", text)
    return found


def shape(form, text):
    """How many rows there are, and of how many fields; or what is wrong. Raises ValueError."""
    if form not in ("text", "metric-only", "markdown"):
        if form != "csv" and form != "csv;" and form != "metric-only csv":
            text.decode()
    lines = [line for line in text.decode(errors="replace").splitlines() if line.strip()]
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


def judge(host, kind, name, form, got, rows=True):
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
    if not rows:
        return "taken"
    try:
        now = shape(form, out)
    except (ValueError, csv.Error) as error:
        return f"{error}: {out[:200]!r}"
    if kind not in host.base:
        host.base[kind] = now
    # For eyes, a command stands above its rows as it was typed.
    if name == "newline" and form in ("text", "metric-only"):
        return "taken"
    if now != host.base[kind]:
        return f"rows {now}, {host.base[kind]} of a plain name: {out[:200]!r}"
    return "taken"


def find_cases(host):
    for place, text in PLACES.items():
        if host.is_perf and not text.startswith("perf: "):
            continue
        for form, words in FORMATS.items():
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
        return judge(host, None, kind, None, host.run("host", words), rows=False)
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
            if place != "words":
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
