#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""facts.py [--every N] [--jobs N] [--shown N] BUILD [PATTERN ...]

Runs commands on simulated machines many times, each time with one fact about the machine that is
wrong (TMA_SIM_FAULT, tma-machine(5)):

* a file of sysfs or procfs that the run opens (strace tells which) is missing, empty, blank, 0,
  "abc", in quotes, too long, cannot be read, or cannot be opened;
* a counter reads 0, never runs or is refused: on all CPUs, boxes and core types of a row, on one of
  several CPUs, or in one box.

Rates are the same at all times, so a correct number is the same as without the fault, whichever
groups take turns. A run is right in one of these ways:

* same: standard output has the same bytes as without the fault;
* marked: each value is the same as without the fault, or is marked as different by something next
  to it (status, reason, coverage) or by a line on standard error. This mark names what is missing:
  the file, the PMU, the CPU or the event. The run may also be refused with the reason.

A failure is a different value without a mark ("silent"), or with a mark that does not name the
fault ("unnamed"); a different value of a PMU that the fault does not concern ("other"); a run that
refuses to count because of a fact that it does not need ("needless"); a crash; and a run without a
fault that has marks. If events take turns, in serve, and if the printed number is rounded, two
numbers are the same if they differ by no more than SAME.

0 is not always a mistake: LAWFUL lists the files that are 0 on other machines, and an event may
count 0 if another event of its core PMU does not. If several files, boxes or CPUs are alike, the
first and the last are tried. --every N tries each Nth case, and PATTERNs choose commands by name.
The exit status is 1 if a run was wrong.
"""
import argparse
import contextlib
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import servers

TIMEOUT_S = 60
TELL_S = 3
SHOWN = 1  # wrong runs that are listed for each kind of fault
SAME = 1e-3
LINE = 500
SERVED = 0.02  # rows of serve are in real time
WAYS = ("missing", "empty", "blank", "text:0", "text:abc", "quoted", "long", "unreadable", "EACCES")
ERRORS = ("EINVAL", "ENODEV", "ENOENT", "EOPNOTSUPP")

# Facts that can be 0 on another machine, so 0 is not recognised as wrong. For files in
# LAWFUL_MISSING, this is also true if the file is missing.
LAWFUL = re.compile(r"/(topology/\w+|nmi_watchdog|perf_event_paranoid|smt/active|online|offline|"
                    r"possible|present|cpus|cpumask|cpulist|cache/index\d+/\w+|node/\w+)$")
# Files that a kernel may lack on purpose: the PMU does not have this event, these terms or these
# lists.
LAWFUL_MISSING = re.compile(r"/(events(/[^/]*)?|format(/[^/]*)?|caps/[^/]*|cpus|cpumask|rdpmc|smt/\w+|"
                            r"node/.*|cache/.*|topology/(cluster|die)_\w+|event_source/devices)$")
# Files that do not describe the machine, or that belong to the process itself.
NOT_FACTS = re.compile(r"^/proc/(self|\d+|thread-self)(/|$)|^/sys/fs/cgroup|/proc/mounts$|"
                       r"^/sys/kernel/(debug|tracing)")

CORE = re.compile(r"(cpu|cpu_\w+|armv8_.*)$")
MEMORY = "uncore_imc/cas_count_read/"
SERVER = f"cycles,instructions,{MEMORY},uncore_cha/clockticks/,power/energy-pkg/"
COMMANDS = {
    "stat -a: skylakex": f"stat -a --format=json --timeout 300 -e {SERVER}",
    "stat -a text: skylakex": f"stat -a --timeout 300 -e {SERVER}",
    "stat -a -x: skylakex": f"stat -a -x, --timeout 300 -e {SERVER}",
    "stat -a csv-wide: skylakex": f"stat -a --format=csv-wide --precise --timeout 300 -e {SERVER}",
    "stat -a prom: skylakex": f"stat -a --format=prom --timeout 300 -e {SERVER}",
    "stat -A: skylakex": f"stat -a -A --format=json --timeout 300 -e cycles,{MEMORY}",
    "stat --per-core: skylakex": "stat -a --per-core --format=json --timeout 300 "
                                 "-e cycles,instructions",
    "stat --per-socket: skylakex": f"stat -a --per-socket --format=json --timeout 300 -e cycles,{MEMORY}",
    "stat --per-node: skylakex": "stat -a --per-node --format=json --timeout 300 -e cycles",
    "stat --per-cache: skylakex": "stat -a --per-cache --format=json --timeout 300 -e cycles",
    "stat -M: skylakex": "stat -a --format=json --timeout 300 "
                         "-M TopdownL1,tma_info_system_dram_bw_use,tma_info_system_cpu_utilization",
    "stat task: skylakex": "stat --format=json -e cycles,instructions true",
    "stat task -M: sapphirerapids": "stat --format=json -M TopdownL1 true",
    "stat -M: sapphirerapids": "stat -a --format=json --timeout 300 -M TopdownL2",
    "stat -M csv-wide: sapphirerapids": "stat -a --format=csv-wide --precise --timeout 300 "
                                        "-M TopdownL1",
    "stat -a: sapphirerapids": "stat -a --format=json --timeout 300 -e "
                               f"cycles,instructions,{MEMORY},msr/tsc/",
    "stat -a: alderlake": "stat -a --format=json --timeout 300 "
                          "-e cycles,instructions,power/energy-pkg/",
    "stat -M: alderlake": "stat -a --format=json --timeout 300 -M TopdownL1",
    "stat -M tree: alderlake": "stat -a --format=tree --timeout 300 -M TopdownL1",
    "stat -M: arrowlake": "stat -a --format=json --timeout 300 -M TopdownL1 -e cycles",
    "stat -M: zen4": "stat -a --format=json --timeout 300 -M PipelineL1 -e cycles,instructions",
    "stat -M: zen5": "stat -a --format=json --timeout 300 -M PipelineL1",
    "stat -M: neoverse-n2": "stat -a --format=json --timeout 300 -M TopdownL1 -e cycles",
    "stat -a: neoverse-n2": "stat -a --format=json --timeout 300 -e cycles,instructions",
    "why -a: skylakex": "why -j -a --once",
    "why -a: alderlake": "why -j -a --once",
    "why -a: zen4": "why -j -a --once",
    "compare -a: skylakex": "compare -a -j -r 2 --td-level 1 true 'true 2'",
    "compare: sapphirerapids": "compare -j -r 2 --td-level 1 true 'true 2'",
    "compare: zen4": "compare -j -r 2 --td-level 1 true 'true 2'",
    "serve: skylakex": "serve",
    "serve: alderlake": "serve",
    "serve: zen4": "serve",
}


class Value:
    """A printed number, the note next to it, and its PMU if that is known."""

    def __init__(self, value, marks=(), pmu=""):
        self.value, self.marks, self.pmu = value, tuple(marks), pmu


class Run:
    """The texts that a run has printed, or that a server has answered."""

    def __init__(self, status, out, err):
        self.status, self.out = status, out
        self.err = re.sub(r"(?m)^tma: (simulated machine|serving|measuring) .*\n", "", err)


def of_json_rows(text):
    values = {}
    for line in text.splitlines():
        row = json.loads(line)
        if row["type"] not in ("event", "metric"):
            continue
        key = tuple(str(row.get(k)) for k in ("type", "socket", "die", "core", "cpu", "cache",
                                              "node", "name", "pmu", "event"))
        marks = [row["status"], row["reason"], row.get("coverage_percent", 100)]
        while key in values:
            key += ("again",)
        values[key] = Value(row["value"], marks, row["pmu"])
    return values


def of_csv_wide(text):
    values = {}
    rows = list(csv.DictReader(io.StringIO(text)))
    for number, row in enumerate(rows):
        for name, value in row.items():
            if name in ("time", "length", "row", "status", "reason", "running_percent", "coverage_percent"):
                continue
            # A reason names its columns, or applies to all columns.
            values[number, name] = Value(value, [row["reason"] or "", row["coverage_percent"]])
    return values


def of_prom(text):
    values, marks = {}, {}
    for line in text.splitlines():
        match = re.match(r"(\w+)\{(.*)\} (\S+)$", line)
        if not match:
            continue
        name, labels, value = match.groups()
        labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))
        key = tuple(sorted((k, v) for k, v in labels.items() if k not in ("status", "reason")))
        if name.endswith("_status"):
            marks.setdefault(key, []).extend([labels["status"], labels.get("reason", "")])
        elif name.endswith("coverage_ratio"):
            marks.setdefault(key, []).append(value)
        elif name in ("tma_event_count_total", "tma_metric", "tma_slots_total"):
            values[name, key] = Value(value, (), labels.get("pmu", ""))
    for (name, key), value in values.items():
        value.marks = tuple(marks.get(key, ()))
    seconds = re.search(r"(?m)^tma_measured_seconds_total (\S+)", text)
    for (name, _), value in values.items():
        if seconds and name.endswith("_total"):
            value.value = float(value.value) / (float(seconds[1]) or 1)
    return values


def of_json(text):
    """Each number below a name. Marks are the texts in the same object as the number."""
    values = {}

    def walk(node, path):
        if isinstance(node, list):
            for number, child in enumerate(node):
                name = child.get("name", child.get("pmu", number)) \
                    if isinstance(child, dict) else number
                pmu = child.get("pmu", "") if isinstance(child, dict) else ""
                walk(child, path + (f"{name} {pmu}",))
        elif isinstance(node, dict):
            marks = [v for k, v in node.items()
                     if k in ("reason", "notes", "change", "status", "coverage_percent")]
            for key, child in node.items():
                if isinstance(child, (int, float)) and not isinstance(child, bool):
                    if key in ("value", "first", "difference"):
                        values[path + (key,)] = Value(child, marks, node.get("pmu", ""))
                elif key not in ("steps", "phases"):
                    walk(child, path + (key,))

    walk(json.loads(text), ())
    return values


def of_text(text):
    """The numbers in each line of text, by the words of the line; a text in < > is a mark."""
    values, section = {}, ""
    for line in text.splitlines():
        marks = re.findall(r"<[^>]*>|\(\s*[\d.]+%\)|[!?*~]", line)
        numbered = False
        for part in re.sub(r"<[^>]*>|\(\s*[\d.]+%\)|#{2,}", " ", line).split(" # "):
            words = re.sub(r"(?<![\w.-])[-+]?\d[\d,.]*(e[-+]\d+)?%?(?![\w-])", " ", part)
            numbers = re.findall(r"(?<![\w.-])\d[\d,.]*(?:e[-+]\d+)?(?![\w-])", part)
            key = section + " ".join(re.sub(r"[^\w/.=-]", " ", words).split())
            numbered |= bool(numbers or marks)
            if key == section or not (numbers or marks):
                continue
            while key in values:
                key += " again"
            values[key] = Value(" ".join(numbers), marks)
        # If there is a tree for each core type, the type's name is above its tree.
        if not numbered and re.match(r"\S.*", line):
            section = line.split()[0] + " "
    return values


def of_csv(text):
    values = {}
    for line in text.splitlines():
        fields = line.split(",")
        if len(fields) < 6:
            continue
        key = (fields[2], fields[6] if len(fields) > 6 else "")
        while key in values:
            key += ("again",)
        values[key] = Value(fields[0], [fields[4]])
        values[key + ("metric",)] = Value(fields[5] if len(fields) > 5 else "", [fields[4]])
    return values


def reader_of(words):
    if words[0] == "serve" or "--format=prom" in words:
        return of_prom
    if words[0] in ("why", "compare"):
        return of_json
    if "--format=json" in words:
        return of_json_rows
    if "--format=csv-wide" in words:
        return of_csv_wide
    return of_csv if "-x," in words else of_text


class Command:
    """A command on a machine, and its output without a fault."""

    def __init__(self, host, name):
        self.host, self.name = host, name
        self.machine = name.split(": ")[1]
        self.words = [w.strip("'") for w in re.findall(r"'[^']*'|\S+", COMMANDS[name])]
        self.read = reader_of(self.words)
        self.base = self.run("")
        self.values = self.read(self.base.out)
        if self.base.status or not self.values:
            raise SystemExit(f"{name} without a fault: {self.base.status} {self.base.err}")
        again = self.run("")
        self.events = self.find_events()
        if self.words[0] != "serve" and again.out != self.base.out:
            raise SystemExit(f"{name}: two runs differ")

    def argv(self):
        return [f"{self.host.build}/tma", "--machine", self.machine, *self.words]

    def run(self, fault, before=()):
        env = {**os.environ, "TMA_SIM_STEP": "100", "TMA_SIM_COMMAND": "300", "LC_ALL": "C",
               "TMA_SIM_MACHINES": self.host.machines, "TMA_SIM_FAULT": fault}
        for name in ("TMA_MACHINE", "LD_PRELOAD", "PERF_CPUID"):
            env.pop(name, None)
        if self.words[0] == "serve":
            return self.serve(env, before)
        with tempfile.TemporaryDirectory(dir=self.host.dir) as folder:
            argv = [*before, *self.argv()]
            # Text goes to standard error; rows and messages are kept apart.
            if self.words[0] == "stat":
                argv[argv.index("stat") + 1:argv.index("stat") + 1] = ["-o", folder + "/out"]
            try:
                done = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, check=False,
                                      capture_output=True, timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                return Run(None, "", "")
            out = done.stdout.decode(errors="replace")
            if self.words[0] == "stat":
                with contextlib.suppress(OSError), \
                     open(folder + "/out", encoding="utf-8", errors="replace") as file:
                    out = "".join(l for l in file if not l.startswith("# started on"))
            return Run(done.returncode, out, done.stderr.decode(errors="replace"))

    def serve(self, env, before):
        del env["TMA_SIM_STEP"]
        with tempfile.TemporaryDirectory(dir=self.host.dir) as folder, \
             open(folder + "/log", "w+b") as log:
            process = subprocess.Popen(
                [*before, *self.argv(), "--listen", f"unix:{folder}/sock", "-I", "100"], env=env,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
            text, begun = b"", time.monotonic()
            while process.poll() is None and time.monotonic() < begun + TIMEOUT_S:
                text = servers.ask(folder + "/sock")
                with open(folder + "/log", "rb") as told:
                    said = servers.USUAL.sub(b"", told.read())
                # If a server has a reason not to serve, it reports the reason and tries again.
                if servers.is_whole(text) or (said and time.monotonic() > begun + TELL_S):
                    break
                time.sleep(0.02)
            status = process.poll()
            if status is None:
                servers.end(process, servers.find_server(process, before))
                status = 0
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            log.seek(0)
            return Run(status, text.partition(b"\r\n\r\n")[2].decode(),
                       log.read().decode(errors="replace"))

    def files(self):
        """The files of the machine that the run opens; of similar files, the first and the last."""
        trace = f"{self.host.dir}/trace"
        self.run("", ["strace", "-f", "-qq", "-o", trace, "-e", "trace=open,openat"])
        paths, alike = set(), {}
        with open(trace, encoding="utf-8", errors="replace") as file:
            lines = file.read()
        # At the end, the machine's folders are opened only to be removed.
        for end in list(re.finditer(r'/tma-sim\.\w+", [^\n]*O_DIRECTORY', lines))[-1:]:
            lines = lines[:end.start()]
        for path in re.findall(r'"(?:[^"]*/tma-sim\.\w+)?(/(?:sys|proc)/[^"]*)"[^\n]*= \d', lines):
            if not NOT_FACTS.search(path):
                paths.add(re.sub("/+", "/", path))
        for path in sorted(paths, key=lambda p: [int(t) if t.isdigit() else t
                                                 for t in re.split(r"(\d+)", p)]):
            kind = re.sub(r"(/cpu|/node|/index|_)\d+/", r"\1N/", path)
            alike.setdefault(kind, []).append(path)
        return [path for paths in alike.values() for path in dict.fromkeys((paths[0], paths[-1]))]

    def find_events(self):
        """The PMU of each event, of the run or of the tree that the run counts, from rows of JSON."""
        if self.read is of_json_rows:
            values = self.values
        else:
            level = "PipelineL1" if self.machine.startswith("zen") else "TopdownL1"
            words, self.words = self.words, ["stat", "-a", "--timeout", "300", "-M", level]
            if words[0] == "stat":
                self.words = [w for w in words if w not in ("-x,", "--precise") and
                              not w.startswith("--format")]
            self.words.insert(1, "--format=json")
            values, self.words = of_json_rows(self.run("").out), words
        return {key[7]: value.pmu for key, value in values.items() if key[0] == "event"}

    def own_marks(self):
        """Marks in a run without a fault, which have no cause."""
        yield from re.findall(r"(?m)^tma: .*|.* missing$", self.base.err)
        for key, value in self.values.items():
            if self.read is of_json_rows and value.marks[0] not in ("counted", "scaled"):
                yield f"{key}: {value.marks}"

    def encodings(self):
        """Each event of the run, with the terms that the simulator has for it."""
        for name, pmu in self.events.items():
            for encoding in self.host.encodings(self.machine, name):
                if encoding.split("/")[0].rstrip("_0123456789") == pmu.rstrip("_0123456789"):
                    yield name, encoding


class Host:
    """The build, and machines whose rates are the same at all times."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.dir = tempfile.mkdtemp(prefix="tma-facts.")
        self.machines = self.dir + "/machines"
        self.known = {}
        shutil.copytree("lib/sim/machines", self.machines)
        for name in os.listdir(self.machines):
            path = f"{self.machines}/{name}"
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(re.sub(r"(?m)^(phases) \w+", r"\1 3600s", text))

    def close(self):
        shutil.rmtree(self.dir)

    def layouts(self, machine):
        """Each PMU of the machine that has counters, with its CPUs, from sysfs."""
        script = """
import glob, os
for d in sorted(glob.glob("/sys/bus/event_source/devices/*")):
    for name in "cpumask", "cpus":
        if os.path.exists(f"{d}/{name}"):
            print(os.path.basename(d), open(f"{d}/{name}").read().strip())
print("all", open("/sys/devices/system/cpu/online").read().strip())
"""
        env = {**os.environ, "LD_PRELOAD": self.build + "/libtma-sim.so",
               "TMA_MACHINE": machine, "TMA_SIM_MACHINES": self.machines}
        done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True,
                              check=True, text=True)
        found = {}
        for line in done.stdout.splitlines():
            pmu, _, text = line.partition(" ")
            cpus = [tuple(map(int, part.split("-"))) for part in text.split(",") if part]
            found[pmu] = [c for part in cpus for c in range(part[0], part[-1] + 1)]
        every = found.pop("all")
        if "cpu_core" not in found and not any("armv8" in pmu for pmu in found):
            found["cpu"] = every
        return found

    def encodings(self, machine, name):
        """The terms of an event, from tma list."""
        bare = re.sub(r"^\w+/(.*)/$", r"\1", re.sub(r" #\d+$", "", name))
        asked = {"cycles": "cpu-cycles"}.get(bare, bare)
        if (machine, bare) not in self.known:
            done = subprocess.run([f"{self.build}/tma", "--machine", machine, "list", "-j", asked],
                                  capture_output=True, check=False)
            found = json.loads(done.stdout or b"[]")
            self.known[machine, bare] = [
                re.sub(r",?(period|name)=\w+", "", e["Encoding"]) for e in found
                if e.get("EventName", "").lower() == asked.lower() and "Encoding" in e]
        return self.known[machine, bare]


def cases_of_files(command):
    for path in command.files():
        for way in WAYS:
            if way == "text:0" and LAWFUL.search(path):
                continue
            if way == "missing" and LAWFUL_MISSING.search(path):
                continue
            yield f"file:{path}={way}", names_of_file(path, command), pmu_of(path)


def names_of_file(path, command):
    """A message about a file may name it, the CPU, the PMU, or one of the PMU's events."""
    names = [path, path.rsplit("/", 1)[1]]
    cpu = re.search(r"/cpu(\d+)/", path)
    pmu = pmu_of(path)
    if cpu:
        names += [f"CPU {cpu[1]}", f"cpu{cpu[1]}"]
    if pmu:
        names.append(pmu)
        names += [name for name, of in command.events.items() if of == pmu]
    return names


def pmu_of(path):
    pmu = re.search(r"/devices/(?!system)([^/]+)/", path)
    return pmu[1] if pmu else ""


def cases_of_counters(command):
    """The faults: one for each event and each PMU, on all CPUs and on one CPU."""
    which = {}
    layout = command.host.layouts(command.machine)
    for name, encoding in command.encodings():
        which.setdefault(encoding, []).append(name.split(" #")[0])
    counted = {base_name(pmu) for pmu in command.events.values()}
    boxes = {}
    for pmu in layout:
        boxes.setdefault(base_name(pmu), []).append(pmu)
    for kind, pmus in boxes.items():
        for pmu in dict.fromkeys((pmus[0], pmus[-1])):
            if kind in counted or not any(counted):
                which.setdefault(pmu, [name for name, of in command.events.items() if of == pmu])
    for event, names in which.items():
        pmu = event.split("/")[0]
        cpus = layout.get(pmu) or []
        for cpu in [None, *dict.fromkeys(cpus[1:2] + cpus[-1:])]:
            place = "" if cpu is None else f"@{cpu}"
            told = [f"CPU {cpu}", f"CPUs {cpu}", f"cpu{cpu}"] if cpu is not None else names
            told = told + ([pmu] if not CORE.match(pmu) or cpu is None else [])
            for how in ("zero", "never"):
                yield f"count:{event}{place}={how}", told, pmu
            for error in ERRORS:
                yield f"open:{event}{place}={error}", told, pmu


def same(a, b, near):
    if a == b:
        return True
    if None in (a, b):
        return False
    with contextlib.suppress(ValueError):
        one, other = ([float(n.replace(",", "")) for n in v.split()] if isinstance(v, str) else [v]
                      for v in (a, b))
        return len(one) == len(other) and all(
            abs(x - y) <= near * max(abs(x), abs(y)) for x, y in zip(one, other))
    return False


def without_pmu(key):
    """A row of JSON in which only one of several PMUs remains: its events have no PMU name."""
    return tuple("" if i == 8 else re.sub(r"^\w+/(.*)/$", r"\1", k) for i, k in enumerate(key))


def base_name(pmu):
    return re.sub(r"_\d+$", "", pmu)


def judge(command, fault, names, pmu):
    """Judge how a run with a fault ended. Return: "same", "marked" or the kind of mistake, and
    details."""
    run, base = command.run(fault), command.base
    if run.status is None or run.status < 0 or run.status > 129:
        return "crash", f"status {run.status}"
    said = "\n".join(line for line in run.err.splitlines() if line not in base.err)
    named = re.compile("|".join(rf"(?<!\w){re.escape(n)}(?!\w)" for n in names), re.I)
    # perf's formats have no place for a reason.
    bare = named if command.read not in (of_text, of_csv) else re.compile(
        "|".join(re.escape(name) for name in [*names, *command.events]))
    used = not pmu or any(base_name(v.pmu) in ("", base_name(pmu))
                          for v in command.values.values())
    if run.status and not run.out.strip():
        if not used:
            return "needless", said
        if not re.search("(?m)^(tma|event syntax error|.*[Ee]rror)", said):
            return "silent", f"status {run.status} without a word"
        asked = [w for word in command.words for w in re.findall(r"\w+/[\w-]+/|\w{4,}", word)]
        return ("marked", "") if named.search(said) or any(w in said for w in asked) \
            else ("unnamed", said)
    if run.out == base.out and (run.status == base.status or said):
        return "same", ""
    try:
        values = command.read(run.out)
    except (ValueError, KeyError) as error:
        return "crash", f"cannot be read: {error}"
    near = SERVED if command.words[0] == "serve" else SAME
    worst = ("marked", "")
    told_lines = "\n".join(set(run.out.splitlines()) - set(base.out.splitlines()))
    if command.words[0] in ("why", "compare"):
        told_lines = run.out
    lacking = " ".join(f"{key} {value.pmu}" for key, value in values.items()
                       if value.value in (None, "") or "<not" in f"{value.value} {value.marks}")
    unnamed_pmu = {without_pmu(key): value for key, value in values.items()
                   if command.read is of_json_rows}
    for key, was in command.values.items():
        now = values.get(key)
        if not now and command.read is of_json_rows:
            now = unnamed_pmu.get(without_pmu(key))
        if now and same(now.value, was.value, near):
            continue
        words = key if isinstance(key, str) else " ".join(str(k) for k in key if k != "None")
        shown = f"{words}: {was.value} -> {now and now.value} {now and now.marks}; said: {said[:300]}"
        # Events that only a metric needs are counted only if the metric can be computed.
        if pmu and was.pmu and base_name(was.pmu) != base_name(pmu) and key[0] == "event" and \
           not (now is None and "-M" in command.words and named.search(said)):
            return "other", shown
        # A single counter may count 0, but not all of a core PMU.
        if fault.endswith("=zero") and ("/" in fault or "@" in fault or not CORE.match(pmu)):
            continue
        gone = now is None or now.value in (None, "", "nan") or \
            bool(re.search("<not", f"{now.value} {now.marks}"))
        if not gone and now.marks == was.marks and not named.search(said):
            return "silent", shown
        marks = " ".join(map(str, now.marks)) if now else told_lines
        # A message names an event without a count, and the events that a metric lacks. In rows of
        # CPUs, it names the CPU.
        if now and command.read is of_json_rows and key[4] != "None":
            marks += f" CPU {key[4]}"
        if gone:
            marks += f" {key} {was.pmu} {lacking}"
        if not named.search(said) and not (bare if gone else named).search(marks):
            worst = "unnamed", shown
    return worst


def judge_again(command, *case):
    """A server's rows are in real time, and may be late: only a mistake that occurs each time is
    real."""
    how = judge(command, *case)
    for _ in range(2 if command.words[0] == "serve" else 0):
        if how[0] != "silent":
            break
        how = judge(command, *case)
    return how


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shown", type=int, default=SHOWN)
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    if not shutil.which("strace"):
        print("strace is not installed")
        return 77
    host, total, shown, first = Host(options.build), Counter(), Counter(), 0
    form = "{:<34}" + 4 * " {:>8}"
    print(form.format("", "cases", "same", "marked", "wrong"))
    try:
        for name in COMMANDS:
            if not any(re.search(pattern, name) for pattern in options.patterns or [""]):
                continue
            command = Command(host, name)
            cases = [*cases_of_files(command), *cases_of_counters(command)]
            # Each Nth case of all commands together.
            chosen = cases[-first % options.every::options.every]
            first += len(cases)
            with ThreadPoolExecutor(options.jobs) as pool:
                ends = list(pool.map(lambda c, of=command: judge_again(of, *c), chosen))
            counts = Counter()
            for mark in command.own_marks():
                counts["wrong"] += 1
                print(f"wrong: {name}: without a fault: {mark}")
            for (fault, _, _), (how, why) in zip(chosen, ends):
                kind = how if how in ("same", "marked") else "wrong"
                counts[kind] += 1
                if kind != "wrong":
                    continue
                about = how + " " + re.sub(r"\d+", "N", fault)
                shown[about] += 1
                if shown[about] <= options.shown:
                    print(" ".join(f"wrong: {name}: {fault}: {how}: {why}".split())[:LINE])
            print(form.format(name, len(ends), counts["same"], counts["marked"], counts["wrong"]),
                  flush=True)
            total += counts
    finally:
        host.close()
    cases = sum(total.values())
    print(form.format("all", cases, total["same"], total["marked"], total["wrong"]))
    return 1 if total["wrong"] or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
