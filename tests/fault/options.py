#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""options.py [--every N] [--jobs N] BUILD [MACHINE ...]

Runs tma stat, why and compare with each pair of the options that their help lists, on simulated
machines and on this one ("-"). A run is right if

* it counts: the status is 0, something was printed, JSON is valid, and no number in JSON or CSV is
  nan or inf; or
* it is refused: the status is 125 or 129, and a line of stderr says why.

It is wrong if it crashes, does not end, ends with another status, prints nothing, or is refused
without a message. An option whose argument is missing in VALUES is an error, so new options must be
added there.

--every N tries each Nth pair. Prints a table: how many pairs were tried with each command on each
machine, and how the runs ended; wrong runs are listed. The exit status is 1 if a run was wrong.
"""
import argparse
import functools
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TIMEOUT_S = 60
SHOWN = 20  # wrong runs that are listed for each machine
MACHINES = ["skylakex", "alderlake", "graniterapids", "zen4", "neoverse-n2", "-"]
REFUSED = (125, 129)

VALUES = {
    "--event": "cycles", "--pfm-events": "perf::CPU-CLOCK", "--filter": "prev_pid > 0", "--cputype": "core",
    "--pmu-filter": "cpu", "--compat": "7", "--bpf-prog": "4294967294", "--bpf-attr-map": "/sys/fs/bpf/perf_attr_map", "--metrics": "TopdownL1",
    "--metrics-file": "@DIR/metrics.json", "--tables": "@DIR/tables", "--td-level": "2",
    "--tpebs-frequency": "100", "--tpebs-mode": "max", "--tpebs-period": "1000", "--cgroup": "/",
    "--pid": "@PID", "--tid": "@PID", "--cpu": "0", "--for-each-cgroup": "/", "--delay": "10",
    "--interval-print": "20", "--repeat": "2", "--control": "fifo:ctl", "--interval-count": "2",
    "--post": "true", "--pre": "true", "--timeout": "30", "--grouping": "perf", "--schedule": "rotate", "--estimate": "joint",
    "--color": "always", "--budget": "200ms", "--runs": "2", "--warmup": "1", "--prepare": "true",
    "--fail-if": "time>+900%", "--margin": "1", "--time-margin": "2", "--schedule-ms": "10",
    "--output": "out", "--command-output": "null", "--field-separator": ",", "--format": "json",
    "--log-fd": "1", "--iostat": "default", "--min-running": "50", "--smt": "off", "--scope": "core", "--set": "#slots=8",
    "--cpuid": "skylakex", "--count": "instructions", "--count-margin": "1", "--save": "kept", "--parameter-list": "a=1,2",
    "--frequency": "99",
}
# Options that need no further words to end the run or to name a target.
TARGETS = ("--all-cpus", "--cpu", "--pid", "--tid", "--per-thread", "--cgroup", "--for-each-cgroup")
ENDS = ("--timeout", "--interval-count", "--dry-run")
SILENT = ("--quiet", "--null")
FORMATS = ("--json-output", "--format", "--field-separator")
SIMULATED = b"its counts are synthetic\n"

METRICS = '[{"MetricName": "own", "MetricExpr": "instructions / cycles", "MetricGroup": "Made"}]'
EVENTS = '[{"EventName": "MADE.UP", "EventCode": "0x3c", "UMask": "0x01", "BriefDescription": "Made"}]'


# The commands, with the least number of options that each must have.
VERBS = {"stat": 50, "why": 12, "compare": 14}


def read_options(tma, verb):
    """Return: the words for each option, by its long name, in the order of the help."""
    text = subprocess.run([tma, verb, "-h"], capture_output=True, text=True, check=False)
    options = {}
    for line in (text.stdout + text.stderr).splitlines():
        match = re.match(r"    +(?:-\w, )?(--[a-z-]+)(\[=)?( <)?", line)
        # The machine is only given before the command.
        if not match or match[1] == "--machine":
            continue
        name = match[1]
        if match[3] and name not in VALUES:
            sys.exit(f"options.py: VALUES has no argument for {name}")
        options[name] = [name, VALUES[name]] if match[3] else [name]
    if len(options) < VERBS[verb]:
        sys.exit(f"options.py: the help of {verb} has {len(options)} options")
    return options


class Host:
    def __init__(self, options):
        build = os.path.abspath(options.build)
        self.tma = os.path.join(build, "tma")
        self.dir = tempfile.mkdtemp(prefix="tma-options.")
        self.options = {verb: read_options(self.tma, verb) for verb in VERBS}
        os.mkdir(os.path.join(self.dir, "tables"))
        for name, text in (("metrics.json", METRICS), ("tables/events.json", EVENTS)):
            with open(os.path.join(self.dir, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.sleeper = subprocess.Popen(["sleep", "100000"])

    def close(self):
        self.sleeper.kill()
        self.sleeper.wait()
        shutil.rmtree(self.dir)

    def words(self, verb, pair):
        """Return: the arguments of tma: both options, and words that start and end the run."""
        words = [word for name in pair for word in self.options[verb][name]]
        words += self.rest_of(verb, pair)
        return [verb] + [word.replace("@DIR", self.dir).replace("@PID", str(self.sleeper.pid))
                         for word in words]

    @staticmethod
    def rest_of(verb, pair):
        words = []
        if verb == "compare":
            words = ["-r", "2"] if "--repeat" not in pair else []
            commands = ["true {a}"] if "--parameter-list" in pair else ["true"]
            return words + commands + (["true"] if "--save" not in pair else [])
        if verb == "why":
            words = ["--budget", "200ms"] if "--budget" not in pair else []
            return words + ([] if any(name in TARGETS for name in pair) else ["--", "true"])
        if not any(name in ENDS for name in pair):
            if "--interval-print" in pair:
                words += ["--interval-count", "2"]
            elif any(name in TARGETS for name in pair):
                words += ["--timeout", "30"]
        if not any(name in TARGETS for name in pair):
            words += ["--", "sleep", "0.01"] if "--interval-print" not in pair else ["--", "sleep", "0.1"]
        return words

    def run(self, machine, words, directory):
        """Return: the status (None if the time was over), stdout and stderr."""
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TMA_PAGER": "", "HOME": self.dir}
        before = [] if machine == "-" else ["--machine", machine]
        child = subprocess.Popen([self.tma] + before + words, env=env, cwd=directory,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = child.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, b"", b""
        return child.returncode, out, err

    def try_pair(self, machine, verb, pair):
        directory = tempfile.mkdtemp(dir=self.dir)
        words = self.words(verb, pair)
        try:
            os.mkfifo(os.path.join(directory, "ctl"))
            status, out, err = self.run(machine, words, directory)
            path = os.path.join(directory, "out")
            if os.path.exists(path):
                with open(path, "rb") as file:
                    out += file.read()
        finally:
            shutil.rmtree(directory)
        how = judge(pair, status, out, err)
        return how if how in ("counted", "refused") else f"{' '.join(words)}: {how}"


def rows_of(out, err):
    return [line for line in (out + err).decode(errors="replace").splitlines()
            if line.strip() and not line.startswith("tma: ")]


def judge(pair, status, out, err):
    said = err[-160:]
    if status is None:
        return "it does not end"
    if status in REFUSED:
        return "refused" if err.strip() else f"status {status} and no word"
    if status:
        return f"status {status}; it said {said!r}"
    said = b"".join(line for line in err.splitlines(True) if not line.endswith(SIMULATED))
    if not out.strip() and not said.strip() and not any(name in SILENT for name in pair):
        return "status 0 and nothing was printed"
    if "--dry-run" in pair:
        return "counted"
    rows = rows_of(out, err) if any(name in FORMATS for name in pair) else []
    for row in rows:
        # In perf's JSON, the word is a text.
        if re.search(r'(?<![\w#."-])-?(nan|inf)(?![\w-])', row):
            return f"a number that is none: {row[:160]!r}"
        if row.startswith("{") and not is_json(row):
            return f"no JSON: {row[:160]!r}"
    return "counted"


def is_json(row):
    try:
        json.loads(row)
    except ValueError:
        return False
    return True


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("build")
    parser.add_argument("machines", nargs="*")
    options = parser.parse_args()
    host = Host(options)
    table = "{:<24}" + 4 * " {:>8}"
    total = [0] * 4
    print(table.format("machine", "pairs", "counted", "refused", "wrong"))
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            tasks = itertools.product(VERBS, options.machines or MACHINES)
            for number, (verb, machine) in enumerate(tasks):
                pairs = list(itertools.combinations_with_replacement(host.options[verb], 2))
                tried = pairs[number % options.every::options.every]
                ends = list(pool.map(functools.partial(host.try_pair, machine, verb), tried))
                wrong = [end for end in ends if end not in ("counted", "refused")]
                for text in wrong[:SHOWN]:
                    print(f"wrong: {machine}: {text}")
                row = [len(ends), ends.count("counted"), ends.count("refused"), len(wrong)]
                print(table.format(f"{verb} {machine}", *row), flush=True)
                total = [a + b for a, b in zip(total, row)]
    finally:
        host.close()
    print(table.format("all", *total))
    return 1 if total[-1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
