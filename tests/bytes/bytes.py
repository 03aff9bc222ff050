#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that tma prints the same bytes before and after a change.

    bytes.py run BUILD [PATTERN ...]     compare the output of lines with the recorded output
    bytes.py record BUILD [PATTERN ...]  record their output; without a pattern, that of all lines
    bytes.py list [PATTERN ...]          print the lines
    bytes.py show [PATTERN ...]          print the recorded output of lines

A line (lines.py) is one or more calls of tma on a simulated machine, in an empty directory.
Standard output, standard error, the exit status and the text of written files are compared; they
are text in recorded/MACHINE.xz. A PATTERN is a regular expression that is searched for in the line.
With --every N, only each Nth line is run. With --jobs N, N lines run side by side (2 by default).

The file "differences" lists the lines that may differ from what was recorded: a regular expression
in a line, and the reason in the next line, after a tab. The exit status of "run" is 1 if any other
line differs.

The file "of-tables" lists, in the same form, the lines that print more of the kernel's tables than
their metrics. They were recorded with the tables of Linux 6.12. With other tables, "run" and
"record" leave these lines out, and "run" counts them.

Time is stepped, so that a line always prints the same. Paths, ids and hashes are replaced:

* @PID and @PID2 are two sleeping processes; other ids of processes and threads are printed as
  "TID";
* @REGIONS is tests/sim/regions of the build; if it was not built, its lines are skipped;
* @CPUID is the CPU id of the machine;
* lines with a cgroup are skipped if no cgroups are mounted;
* the version of tma is "VERSION", and a hash of tables (in prom) is "HASH"; where -v and others
  name the tables, their version, size and hash are left out;
* the paths of the build and of the temporary directory are "@BUILD" and "@DIR".

No line prints facts of the host: tracepoints, all threads, how long a process really took. A text
of more than 40 kB is cut there; its rest is recorded as a length and a hash.
"""
import argparse
import difflib
import hashlib
import lzma
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import lines

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = os.path.join(HERE, "recorded")
# A model whose tables have another version in each kernel.
RECORDED_FOR = "alderlake v1.27"
LINES_OF_DIFF = 20
TIMEOUT_S = 60
OPEN_FILES = 10000
KEPT_CHARACTERS = 40000
# The places of process and thread ids; blanks beside an id fill its column.
IDS = [
    (r"(?<=\bsleep-)\d+ *", str.ljust),
    (r"\b\d+(?=,sleep\b)", None),
    (r"(?<=\bprocess id ')[\d,]+|(?<=\bthread id ')[\d,]+|(?<=\bon thread )\d+", None),
    (r'(?<="thread":)\d+|(?<="pid":)\d+|(?<="thread" : )\d+|(?<="pid" : )\d+|(?<=thread=")\d+', None),
    # tma script, and regions in text and CSV
    (r"(?m)(?<=^ -1) +\d+(?= +\d+ +\d+ +\d+ +\d+ \S)", str.rjust),
    (r"(?m)(?<= ) *\d+(?= +\d+ +\d+ +\d+\.\d{3} +\d+ +\d+\.\d +\d)", str.rjust),
    (r"(?m)(?<=,)\d+,\d+(?=,\d+,\d+,\d+,\d+,\d+,\d+\.\d{4},\d)", None),
]


class Host:
    """The environment of the lines: the build, machines in a directory, two processes to count."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        limit = min(OPEN_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        self.dir = tempfile.mkdtemp(prefix="tma-bytes.")
        self.machines = os.path.join(self.dir, "machines")
        shutil.copytree(os.path.join(self.build, "machines"), self.machines)
        self.make_variants()
        for name in ("tma", "perf"):
            os.symlink(os.path.join(self.build, "tma"), os.path.join(self.dir, name))
        self.sleepers = [subprocess.Popen(["sleep", "3600"]) for _ in range(2)]
        self.regions = os.path.join(self.build, "tests/sim/regions")
        self.has_regions = os.access(self.regions, os.X_OK)
        with open("/proc/self/mounts", encoding="utf-8") as mounts:
            self.has_cgroups = any(mount.split()[2] == "cgroup2" or "perf_event" in mount.split()[3]
                                   for mount in mounts)

    def make_variants(self):
        """Machines like those of tma, but the NMI watchdog or another user has one of the counters.
        """
        for machine in lines.MACHINES:
            with open(os.path.join(self.machines, machine), encoding="utf-8") as file:
                text = file.read()
            watched = re.sub(r"(?m)^sysctl nmi_watchdog .*\n", "", text) + "sysctl nmi_watchdog 1\n"
            held = re.sub(r"(?m)^(counters \d+)$", r"\1\nheld 0-2", text)
            for name, changed in (("watched", watched), ("held", held)):
                with open(os.path.join(self.machines, f"{machine}-{name}"), "w", encoding="utf-8") as file:
                    file.write(changed)

    def close(self):
        for sleeper in self.sleepers:
            sleeper.kill()
            sleeper.wait()
        shutil.rmtree(self.dir)

    def can_run(self, line):
        return (self.has_regions or "@REGIONS" not in line) and \
            (self.has_cgroups or not re.search(r"-G |cgroup", line))

    def tables(self):
        """The model and version of the tables that tell kernels apart."""
        machine = RECORDED_FOR.partition(" ")[0]
        command = [os.path.join(self.dir, "tma"), "--machine", machine, "--version", "--tables"]
        done = subprocess.run(command, stdout=subprocess.PIPE, env=self.environment([]), text=True,
                              check=False)
        found = re.search(rf"(?m)^tables ({machine} \S+)", done.stdout)
        return found[1] if found else machine + ", unknown"

    def cpuid(self, machine):
        with open(os.path.join(self.machines, machine), encoding="utf-8") as file:
            found = re.search(r"(?m)^cpuid (\S+)", file.read())
        return found[1] if found else ""

    def environment(self, variables):
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "TMA_SIM_STEP": "10",
               "TMA_SIM_MACHINES": self.machines, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        env.update(variable.split("=", 1) for variable in variables)
        return env

    def without_host(self, text):
        text = re.sub(r"(?m)^(tma version )\S+( \(commit [0-9a-f]+\))?$", r"\1VERSION", text)
        text = re.sub(r'(\btma_info\{version=")[^"]*"', r'\1VERSION"', text)
        text = without_tables(text)
        for pattern, fill in IDS:
            text = re.sub(pattern, lambda match, fill=fill: fill("TID", len(match[0]))
                          if fill and " " in match[0] else "TID", text)
        text = text.replace(self.dir, "@DIR").replace(self.build, "@BUILD")
        return text.replace(os.path.realpath(self.build), "@BUILD")


def without_tables(text):
    """Leave out the version, size and hash of tables, which differ between kernels."""
    text = re.sub(r"(\btables +\S+)(?: v\S+)? \(built in\)(?:: \d+ events, \d+ metrics, hash \w{16})?",
                  r"\1 (built in)", text)
    return re.sub(r'(?<=\btables=")[^"]*',
                  lambda match: re.sub(r"\b[0-9a-f]{16}\b", "HASH", match[0]), text)


def prefixed(mark, text):
    """Put a mark before each line. If a text does not end its line, a ~ follows the mark."""
    if not text:
        return []
    if len(text) > KEPT_CHARACTERS:
        end = text.rindex("\n", 0, KEPT_CHARACTERS) + 1
        rest = text[end:].encode("utf-8")
        return prefixed(mark, text[:end]) + [
            f"{mark}~ {len(rest)} bytes more, {hashlib.sha256(rest).hexdigest()}"]
    made = [mark + " " + line for line in text.split("\n")]
    if made[-1] == mark + " ":
        return made[:-1]
    return made + [mark + "~ no newline at the end"]


def lasts(words):
    """Return: the duration of a line's command in stepped time: one step; or its sleep, if there
    are neither rows nor a timeout.
    """
    found = re.search(r" (?:-I|--timeout) .*\bsleep ([0-9.]+)", " ".join(words))
    return str(round(1000 * float(found[1]))) if found else "step"


def run_step(host, words, machine, env, directory):
    """Make one call of tma. Return: its status and output, as lines of text."""
    env = dict({"TMA_SIM_COMMAND": lasts(words)}, **env)
    program = "tma"
    if words and words[0] == "perf":
        program, words = words[0], words[1:]
    ids = [str(sleeper.pid) for sleeper in host.sleepers]
    words = [word.replace("@PID2", ids[1]).replace("@PID", ids[0]).replace("@REGIONS", host.regions)
             .replace("@CPUID", host.cpuid(machine) if "@CPUID" in word else "") for word in words]
    command = [os.path.join(host.dir, program), "--machine", machine] + words
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=env,
                              cwd=directory, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return [f"? ran longer than {TIMEOUT_S} s"]
    out, err = (host.without_host(stream.decode("utf-8", "backslashreplace")) for stream in (done.stdout, done.stderr))
    return [f"? {done.returncode}"] + prefixed("1", out) + prefixed("2", err)


def run_line(host, line):
    """Return: the output and the files of a line, as text."""
    head, _, steps = line.partition(": ")
    machine, *variables = shlex.split(head)
    env = host.environment(variables)
    directory = tempfile.mkdtemp(dir=host.dir)
    made = []
    for step in re.split(r"\s*\bTHEN\b\s*", steps):
        made += run_step(host, shlex.split(step), machine, env, directory)
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), "rb") as file:
            data = file.read()
        made.append(f"= {name}")
        # A recording is kept as its report.
        if b"\0" not in data:
            made += prefixed("3", host.without_host(data.decode("utf-8", "backslashreplace")))
    shutil.rmtree(directory)
    return "\n".join(made) + "\n"


def recorded_file(line):
    machine = re.split(r"[ :]", line, maxsplit=1)[0]
    return machine if machine in lines.MACHINES else "others"


def read_recorded():
    """The recorded output, by line."""
    texts = {}
    for name in sorted(os.listdir(RECORDED)) if os.path.isdir(RECORDED) else []:
        with lzma.open(os.path.join(RECORDED, name), "rt", encoding="utf-8", newline="\n") as file:
            for part in ("\n" + file.read()).split("\n$ ")[1:]:
                line, _, text = part.partition("\n")
                texts[line] = text.rstrip("\n") + "\n"
    return texts


def write_recorded(texts):
    """Write only files whose content has changed; all others are left as they are."""
    files = {}
    for line in lines.all_lines():
        if line in texts:
            files.setdefault(recorded_file(line), []).append(f"$ {line}\n{texts[line]}")
    os.makedirs(RECORDED, exist_ok=True)
    for name in set(os.listdir(RECORDED)) - {name + ".xz" for name in files}:
        os.unlink(os.path.join(RECORDED, name))
    for name, parts in files.items():
        data = "".join(parts).encode("utf-8")
        path = os.path.join(RECORDED, name + ".xz")
        if os.path.exists(path):
            with lzma.open(path) as file:
                if file.read() == data:
                    continue
        with open(path, "wb") as file:
            file.write(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def read_patterns(name):
    """Pairs: a pattern, and the reason why lines that match it differ."""
    found = []
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("\t") and found:
                found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
            elif line.strip() and not line.startswith("#"):
                found.append([line.rstrip("\n"), ""])
    return found


def chosen_lines(options):
    patterns = [re.compile(pattern) for pattern in options.patterns]
    all_of_them = [line for line in lines.all_lines()
                   if not patterns or any(pattern.search(line) for pattern in patterns)]
    return all_of_them[::options.every]


class Left:
    """Lines that are not run: @passed_over cannot be here; @of_tables need other tables than @tables."""

    def __init__(self):
        self.passed_over, self.of_tables, self.tables = 0, 0, RECORDED_FOR

    def choose(self, host, chosen):
        """Return: the others of some lines."""
        can_run = [line for line in chosen if host.can_run(line)]
        self.passed_over = len(chosen) - len(can_run)
        self.tables = host.tables()
        if self.tables == RECORDED_FOR:
            return can_run
        patterns = [pattern for pattern, _ in read_patterns("of-tables")]
        kept = [line for line in can_run
                if not any(re.search(pattern, line) for pattern in patterns)]
        self.of_tables = len(can_run) - len(kept)
        return kept

    def __str__(self):
        text = f"{self.passed_over} passed over"
        if self.of_tables:
            text += f", {self.of_tables} need the tables of {RECORDED_FOR} and not of {self.tables}"
        return text


def run_lines(build, chosen, jobs, each):
    """Call each(line, text) for every line that can run here. Return: those that do not."""
    host = Host(build)
    left = Left()
    try:
        lines_here = left.choose(host, chosen)
        with ThreadPoolExecutor(jobs) as pool:
            texts = pool.map(lambda line: run_line(host, line), lines_here)
            for line, text in zip(lines_here, texts):
                each(line, text)
    finally:
        host.close()
    return left


def show_difference(line, was, now):
    print(f"differs: {line}")
    diff = list(difflib.unified_diff(was.splitlines(), now.splitlines(), "recorded", "now", lineterm="", n=1))
    for shown in diff[:LINES_OF_DIFF]:
        print("  " + shown)
    if len(diff) > LINES_OF_DIFF:
        print(f"  ... and {len(diff) - LINES_OF_DIFF} lines more")


def run(options):
    was = read_recorded()
    wanted = read_patterns("differences")
    counts = {"same": 0, "differ": 0, "wanted": 0, "unrecorded": 0}
    used = set()

    def compare(line, now):
        matching = [pattern for pattern, _ in wanted if re.search(pattern, line)]
        if line not in was:
            counts["unrecorded"] += 1
            print(f"not recorded: {line}")
        elif matching and was[line] != now:
            counts["wanted"] += 1
            used.update(matching)
        elif was[line] == now:
            counts["same"] += 1
        else:
            counts["differ"] += 1
            show_difference(line, was[line], now)

    left = run_lines(options.build, chosen_lines(options), options.jobs, compare)
    if not options.patterns and options.every == 1:
        for pattern, _ in wanted:
            if pattern not in used:
                print(f"listed in differences, but nothing differs: {pattern}")
    print(f"{counts['same']} the same, {counts['differ']} differ, {counts['wanted']} differ as listed, "
          f"{counts['unrecorded']} not recorded, {left}")
    return 1 if counts["differ"] or counts["unrecorded"] else 0


def record(options):
    was = read_recorded()
    now = {}
    left = run_lines(options.build, chosen_lines(options), options.jobs,
                     lambda line, text: now.update({line: text}))
    if options.patterns or options.every > 1 or left.of_tables:
        now = {**was, **now}
    write_recorded(now)
    changed = sum(1 for line, text in now.items() if was.get(line) != text)
    print(f"{len(now)} lines are recorded, {changed} of them new or changed; {left}")
    return 0


def list_lines(options):
    print("\n".join(chosen_lines(options)))
    return 0


def show(options):
    was = read_recorded()
    for line in chosen_lines(options):
        print(f"$ {line}\n{was.get(line, '')}", end="")
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    commands = parser.add_subparsers(required=True)
    for name, function in (("run", run), ("record", record), ("list", list_lines), ("show", show)):
        command = commands.add_parser(name)
        if function in (run, record):
            command.add_argument("build")
        command.add_argument("patterns", nargs="*")
        command.set_defaults(function=function)
    options = parser.parse_args()
    return options.function(options)


if __name__ == "__main__":
    sys.exit(main())
