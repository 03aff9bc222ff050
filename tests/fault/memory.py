#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""memory.py [--every N] [--jobs N] [--of tma|sim] [--once|--on] BUILD [PATTERN ...]

Runs commands of tma again and again, and makes in each run another allocation fail (memory.c). A
run is right in one of two ways:

* whole: all that is printed and written is what it is with memory enough, and so is the status; or
* 125: "tma: out of memory" is said, and what was printed and written before are whole lines, as
  they are with memory enough.

A recording has to be readable as far as it goes. --once makes one allocation fail, --on that one
and all that follow; without either, each run is one or the other in turn. --every N tries each Nth
allocation alone, and PATTERNs choose commands by name.

With --of sim the allocations are those of the simulator, which is a guest in tma: it may refuse
what it was asked for, and must not end tma, but for a machine that it could not read.

Prints a table: how many allocations the commands make, in how many runs one failed, how these
ended, and how many were wrong, which are told of in between. The exit status is 1 if any was.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT_S = 60
SHOWN = 5  # of each command, wrong runs that are told of
NEWLINE = b"\n"
WORDS = "tma: out of memory"
RIGHT = ("125", "whole", "told")

# A name, a machine, and the arguments of tma. A command before "THEN" is run with memory enough.
# @METRICS and @BAD are files of metrics, @TABLES and @PERFMON are folders of tables, @REGIONS is a
# program that measures itself, @CONTROL a descriptor from which commands come.
COMMANDS = """
stat: skylakex: stat true
stat -a --topdown: sapphirerapids: stat -a --topdown --timeout 500
stat -M TopdownL2: sapphirerapids: stat -a -M TopdownL2 --timeout 500
stat -M TopdownL4: sapphirerapids: stat -a -M TopdownL4 --timeout 500
stat -M of text: skylakex: stat -a -M 'share = instructions / cycles' --timeout 500
stat -x -e: skylakex: stat -a -x, -e cycles,instructions,'{branches,branch-misses}' --timeout 500
stat -j -A -I: alderlake: stat -a -A -j -I100 --interval-count 3
stat -I --summary: alderlake: stat -a --topdown -I100 --interval-count 3 --summary
stat -r: skylakex: stat -r 3 --table -e cycles,instructions true
stat --passes: skylakex: stat --passes -M TopdownL2 true
stat --pre --post: skylakex: stat -r 2 --pre true --post true -e cycles true
stat --per-core: skylakex: stat -a --per-core -e cycles,instructions --timeout 300
stat --per-cache: skylakex: stat -a --per-cache -e cycles --timeout 300
stat --error: skylakex: stat -a -M TopdownL3 --error --timeout 500
stat --verdict: sapphirerapids: stat -a --topdown --td-level 2 --verdict -I100 --interval-count 3
stat --record-tpebs: graniterapids: stat -a -M tma_l3_hit_latency --record-tpebs --timeout 500
stat --schedule=rotate: skylakex: stat -a -M TopdownL2 --schedule=rotate --timeout 500
stat --metric-only: skylakex: stat -a -A --metric-only -M TopdownL1 --timeout 300
stat --for-each-cgroup: skylakex: stat -a --for-each-cgroup '/,^$' -M TopdownL1 -I100
	--interval-count 3
stat -G: skylakex: stat -a -x, -e cycles,instructions -G /, --timeout 300
stat --control: skylakex: stat -a -I100 --control fd:@CONTROL -e cycles,instructions
	--interval-count 4
stat --regions: sapphirerapids: stat --regions -- @REGIONS three
stat --regions -x: sapphirerapids: stat --regions -x, -o out -- @REGIONS threads
stat --per-socket -I: skylakex: stat -a --per-socket -M TopdownL1 -I100 --interval-count 3
stat --per-node: skylakex: stat -a -j --per-node -e cycles --timeout 300
stat --percore: skylakex: stat -a -A --percore-show-thread -e cpu/cycles,percore/ --timeout 300
stat --filter refused: skylakex: stat -e cycles --filter 'prev_pid > 1 && prev_prio < 100' true
stat --smi-cost -T: skylakex: stat -a --smi-cost --timeout 300
stat --error -I: sapphirerapids: stat -a -M TopdownL3 --error --verdict -I200 --interval-count 4
stat --passes -r: skylakex: stat --passes -r 2 --format=json -M TopdownL3 true
stat --passes -o: alderlake: stat --passes -o out -M TopdownL3 true
stat --hybrid-merge: alderlake: stat -a --hybrid-merge -e cycles,instructions -I100
	--interval-count 2
stat --grouping=perf: skylakex: stat -a --grouping=perf -M TopdownL2 --timeout 300
stat --dry-run: alderlake: stat -a --dry-run -M TopdownL2
stat rotate of a task: skylakex: stat -M TopdownL2 --schedule=rotate true
stat rotate -I: skylakex: stat -a -M TopdownL3 --schedule=rotate -I500 --interval-count 2
stat --tpebs-mode: graniterapids: stat -a -A -M tma_l3_hit_latency --record-tpebs --tpebs-mode
	p95 -I100 --interval-count 3
stat --format=csv-wide: skylakex: stat -a --format=csv-wide -M TopdownL1 -I100 --interval-count 2
stat --format=json: skylakex: stat -a --format=json --topdown --verdict -I100 --interval-count 2
stat --format=prom: skylakex: stat -a --format=prom -A -M TopdownL1 --timeout 300
stat --format=prom -o: skylakex: stat -a --format=prom -o out -e cycles -I100 --interval-count 2
stat --format=markdown: skylakex: stat -a --format=markdown -M TopdownL1 --timeout 300
stat --format=tree: skylakex: stat -a --format=tree --topdown --td-level 2 --timeout 300
stat -o: skylakex: stat -a -o out --header -x, -e cycles -I100 --interval-count 3
stat -v -d: skylakex: stat -v -dd true
stat uncore: skylakex: stat -a -e uncore_imc/cas_count_read/,power/energy-pkg/ --timeout 300
stat --cputype: alderlake: stat -a --topdown --cputype atom --timeout 300
stat refused: skylakex: stat -a -e nosuch true
stat unknown metric: skylakex: stat -M tma_retirin true
stat zen4: zen4: stat -a -M PipelineL2 --timeout 300
stat neoverse-n2: neoverse-n2: stat -a -M TopdownL1 --timeout 300
stat --metrics-file: skylakex: stat -a --metrics-file @METRICS -M own --timeout 300
stat --tables: skylakex: --tables @TABLES stat -a -M made --timeout 300
stat --tables perfmon: skylakex: --tables @PERFMON stat -a -M tma_made --timeout 300
stat --machine: -: --machine skylakex stat -a -e cycles --timeout 300
stat record: skylakex: stat record -o data -a -e cycles,instructions -I100 --interval-count 4
stat record metrics: skylakex: stat record -o data -a -M TopdownL1 --timeout 300
stat report: skylakex: stat record -o data -a -M TopdownL1 -I100 --interval-count 3 THEN
	stat report -i data
compare: sapphirerapids: compare -r 2 --warmup 1 --fail-if 'time>+500%' true 'true;'
compare -j: alderlake: compare -a -j -r 2 true true
compare recordings: sapphirerapids: stat record -o data -a --topdown -I100 --interval-count 9 THEN
	compare --format markdown data data
stat report -M: sapphirerapids: stat record -o data -a --topdown --timeout 300 THEN
	stat report -i data --topdown --verdict
stat report CSV: skylakex: stat -a -x, -o data -e cycles,instructions -I100 --interval-count 3 THEN
	stat report -i data
stat report JSON: skylakex: stat -a -j -o data -e cycles,instructions -I100 --interval-count 3 THEN
	stat report -i data
stat report csv-wide: skylakex: stat -a --format=csv-wide -o data -e cycles,instructions -I100
	--interval-count 3 THEN
	stat report -i data
stat report several: skylakex: stat -a -x, -o data -e cycles,instructions -I100
	--interval-count 3 THEN
	stat -a -x, -o more -e cycles,instructions -I100 --interval-count 3 THEN
	stat report -i data -i more
stat report --per-core: skylakex: stat record -o data -a -M TopdownL2 -I100 --interval-count 3 THEN
	stat report -i data --per-core --format=json --verdict
stat report --summary: skylakex: stat record -o data -a -M TopdownL3 -I100 --interval-count 5 THEN
	stat report -i data -M TopdownL3 --summary -x,
script: skylakex: stat record -o data -a -e cycles --timeout 300 THEN
	script -i data
plan: skylakex: plan -a -M TopdownL2
plan --topdown: alderlake: plan -a --topdown --td-level 2
list: skylakex: list metricgroup TopdownL1 cycles
list --json: skylakex: list -j --details br_inst_retired
list --names: skylakex: list --names metric
list -o: skylakex: list -o out metric 'tma_b*'
list --tables: skylakex: --tables @TABLES list -j made
list details: alderlake: list --details metric tma_b
list all: zen4: list
list unknown: skylakex: list nosuch
explain metric: skylakex: explain tma_dram_bound
explain event: skylakex: explain mem_load_retired.l3_miss cycles
explain group: alderlake: explain TopdownL2
explain -j: skylakex: explain -j tma_fetch_latency
explain unknown: skylakex: explain tma_dram_bond
plan --passes: skylakex: plan --passes -M TopdownL3 true
plan rotate: skylakex: plan -a --schedule=rotate -M TopdownL3
plan of text: skylakex: plan -M 'share = instructions / cycles'
plan refused: skylakex: plan -M tma_retirin
explain -o: alderlake: explain -o out TopdownL2
explain measured: sapphirerapids: explain tma_fetch_latency tma_memory_bound slots
check-tables: skylakex: check-tables @TABLES
check-tables -j: skylakex: check-tables -j @BAD
check-tables file: skylakex: check-tables @METRICS
test: skylakex: test
version: skylakex: --tables @TABLES --version --tables
help: skylakex: help
"""


FILES = {"@METRICS": "metrics.json", "@BAD": "bad/metrics.json", "@TABLES": "tables",
         "@PERFMON": "perfmon"}
CONTROL = b"ping\ndisable\nenable\nevlist\n"


def parse_commands():
    found = []
    for line in COMMANDS.strip().replace("\n\t", " ").splitlines():
        name, machine, text = line.split(": ", 2)
        found.append((name, machine, [shlex.split(step) for step in text.split(" THEN ")]))
    return found


METRICS = """[
 {"MetricName": "own", "MetricExpr": "instructions / cycles", "MetricGroup": "Made",
  "BriefDescription": "Made up"},
 {"MetricName": "own_too", "MetricExpr": "own * 2 if own > 1 else 1", "MetricGroup": "Made;Up"}
]
"""
EVENTS = """[
 {"EventName": "MADE.UP", "EventCode": "0x3c", "UMask": "0x01", "SampleAfterValue": "100003", "BriefDescription": "Made",
  "PublicDescription": "Made up"},
 {"EventName": "MADE.TOO", "EventCode": "0xc4", "UMask": "0x00"}
]
"""
MADE = """[
 {"MetricName": "made", "MetricExpr": "100 * MADE.UP / MADE.TOO", "MetricGroup": "Made;TopdownL1", "ScaleUnit": "1%",
  "MetricThreshold": "made > 0.2"},
 {"MetricName": "made_too", "MetricExpr": "made + cycles", "MetricGroup": "Made"}
]
"""
PERFMON_MAP = """Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-55-[01234],V1,/SKX/events/made_core.json,core,,,
GenuineIntel-6-55-[01234],V1,/SKX/metrics/made_metrics.json,metrics,,,
"""
PERFMON_EVENTS = """{"Header": {"Copyright": "nobody"}, "Events": [
 {"EventCode": "0x3C", "UMask": "0x01", "EventName": "MADE.UP", "BriefDescription": "Made", "Counter": "0,1,2,3",
  "SampleAfterValue": "100003", "MSRIndex": "0", "MSRValue": "0", "Deprecated": "0"},
 {"EventCode": "0xC4", "UMask": "0x00", "EventName": "MADE.TOO", "BriefDescription": "Too", "Counter": "0,1"}]}
"""
PERFMON_METRICS = """{"Header": {"Copyright": "nobody"}, "Metrics": [
 {"MetricName": "Made", "Level": 1, "BriefDescription": "Made", "UnitOfMeasure": "percent",
  "Events": [{"Name": "MADE.UP", "Alias": "a"}, {"Name": "MADE.TOO", "Alias": "b"}], "Constants": [],
  "Formula": "100 * a / b", "Category": "TMA", "MetricGroup": "TmaL1",
  "Threshold": {"Formula": "a > 20", "BaseFormula": "metric_TMA_Made > 20",
                "ThresholdMetrics": [{"Alias": "a", "Value": "metric_TMA_Made"}]}}]}
"""


class Host:
    """The build, the files that commands read, and how a command is run."""

    def __init__(self, options):
        self.options = options
        self.build = os.path.abspath(options.build)
        self.shim = os.path.join(self.build, "tests/fault/memory.so")
        self.sim = os.path.join(self.build, "libtma-sim.so")
        self.dir = tempfile.mkdtemp(prefix="tma-memory.")
        self.put("metrics.json", METRICS)
        self.put("bad/metrics.json", METRICS.replace("own * 2", "own *").replace("cycles", "nosuch"))
        self.put("tables/events.json", EVENTS)
        self.put("tables/metrics.json", MADE)
        self.put("perfmon/mapfile.csv", PERFMON_MAP)
        self.put("perfmon/SKX/events/made_core.json", PERFMON_EVENTS)
        self.put("perfmon/SKX/metrics/made_metrics.json", PERFMON_METRICS)

    def close(self):
        shutil.rmtree(self.dir)

    def put(self, name, text):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, machine, words, directory, variables):
        """The status (of a signal: minus its number; None: too late), stdout and stderr of one command."""
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "TMA_SIM_STEP": "10",
               "TMA_MEMORY_OF": self.options.of,
               "LD_PRELOAD": self.shim if machine == "-" else f"{self.sim} {self.shim}"}
        if machine != "-":
            env["TMA_MACHINE"] = machine
        env.update(variables)
        control, commands = os.pipe()
        os.write(commands, CONTROL)
        os.close(commands)
        places = {name: os.path.join(self.dir, path) for name, path in FILES.items()}
        places |= {"@REGIONS": os.path.join(self.build, "tests/sim/regions"), "@CONTROL": str(control)}
        for name, place in places.items():
            words = [word.replace(name, place) for word in words]
        try:
            done = subprocess.run([os.path.join(self.build, "tma")] + words, env=env, cwd=directory,
                                  stdin=subprocess.DEVNULL, capture_output=True, pass_fds=[control],
                                  timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        finally:
            os.close(control)
        return done.returncode, done.stdout, done.stderr


class Outcome:
    """What a command printed and wrote."""

    def __init__(self, status, out, err, files):
        self.status, self.out, self.err, self.files = status, out, err, files

    def __eq__(self, other):
        return (self.status, self.out, self.err, self.files) == \
            (other.status, other.out, other.err, other.files)


# What differs from one run to the next; what a program has measured itself does in each number.
VARYING = [
    (rb"(?m)^# started on .*$", b"# started on"),
    (rb"(?m)^( +)[0-9.]+( seconds (user|sys|time elapsed))", rb"\2"),
    (rb"/tma-memory\.[^/ ]*", b""),
]


MEASURED = [(rb" *[0-9][0-9.]*", b" N")]


def without_varying(text, patterns):
    for pattern, instead in patterns:
        text = re.sub(pattern, instead, text)
    return text


class Command:
    """A command, what it prints with memory enough, and how often it allocates."""

    def __init__(self, host, name, machine, steps):
        self.host, self.name, self.machine = host, name, machine
        self.first, self.words = steps[:-1], steps[-1]
        count = os.path.join(host.dir, "count")
        self.prepared = tempfile.mkdtemp(dir=host.dir)
        for step in self.first:
            host.run(machine, step, self.prepared, {})
        self.whole = self.run({"TMA_MEMORY_COUNT": count})
        with open(count, encoding="utf-8") as file:
            self.allocations = int(file.read())

    def run(self, variables):
        directory = tempfile.mkdtemp(dir=self.host.dir)
        try:
            for name in os.listdir(self.prepared):
                os.link(os.path.join(self.prepared, name), os.path.join(directory, name))
            done = self.host.run(self.machine, self.words, directory, variables)
            patterns = VARYING + (MEASURED if "--regions" in self.words else [])
            files = {}
            for name in sorted(os.listdir(directory)):
                with open(os.path.join(directory, name), "rb") as file:
                    files[name] = without_varying(file.read(), patterns)
            if self.words[:2] == ["stat", "record"] and "data" in files:
                files["data"] = self.reported(directory)
            return Outcome(done[0], *(without_varying(text, patterns) for text in done[1:]), files)
        finally:
            shutil.rmtree(directory)

    def reported(self, directory):
        """What a recording says; that it is not whole, or holds nothing yet, is no mistake."""
        words = "stat report -i data -x,".split()
        status, out, err = self.host.run(self.machine, words, directory, {})
        rows = b"".join(line for line in err.splitlines(True) if not line.startswith(b"tma: "))
        return out + rows if status in (0, 125) else b"status %d\n" % status

    def try_without(self, number):
        """How the run ended in which that allocation failed: "125", "whole", "told", or what is wrong."""
        options = self.host.options
        goes_on = options.on or (not options.once and number // options.every % 2 == 0)
        got = self.run({"TMA_MEMORY_FAIL": f"{number}{'+' if goes_on else ''}"})
        how = judge_guest(self.whole, got) if options.of == "sim" else judge(self.whole, got)
        if how not in RIGHT:
            how = f"TMA_MEMORY_FAIL={number}{'+' if goes_on else ''}: {how}"
        return how


def is_start(whole, got):
    """Whether a text is the first lines of another."""
    return whole.startswith(got) and (got in (b"", whole) or got.endswith(b"\n"))


def judge(whole, got):
    if got == whole:
        return "whole"
    if got.status is None:
        return "it does not end"
    said = got.err.splitlines(True)
    words = [line for line in said if line.decode(errors="replace").rstrip("\n") == WORDS]
    rest = b"".join(line for line in said if line not in words)
    if got.status != 125:
        return f"status {got.status} in place of 125 or {whole.status}; it said {got.err[-200:]!r}"
    if len(words) != 1:
        return f"'{WORDS}' {len(words)} times; it said {got.err[-200:]!r}"
    for what, was, now in [("stdout", whole.out, got.out), ("stderr", whole.err, rest)] + \
            [(name, whole.files.get(name, b""), text) for name, text in got.files.items()]:
        if not is_start(was, now):
            return f"{what} is no beginning of what it should be, or half a line: ...{now[-200:]!r}"
    return "125"


def judge_guest(whole, got):
    if got == whole:
        return "whole"
    if got.status is None:
        return "it does not end"
    if got.status < 0 or got.status > 128:
        return f"status {got.status}; it said {got.err[-200:]!r}"
    # Where a group is refused on a CPU, another turn comes of it, and other estimates.
    before, now = whole.out + whole.err, got.out + got.err
    if got.status == 0 and now.count(NEWLINE) < before.count(NEWLINE):
        return f"status 0 with {before.count(NEWLINE) - now.count(NEWLINE)} lines missing"
    if got.status == 125 and not got.err:
        return "nothing was said"
    return "125" if got.status == 125 else "told"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--of", choices=["tma", "sim"], default="tma")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--on", action="store_true")
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    host = Host(options)
    total = [0, 0, 0, 0, 0, 0]
    form = "{:<26}" + 6 * " {:>11}"
    print(form.format("command", "allocations", "cases", "125", "whole", "told", "wrong"))
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            for name, machine, steps in parse_commands():
                if not any(re.search(pattern, name) for pattern in options.patterns or [""]):
                    continue
                command = Command(host, name, machine, steps)
                numbers = range(1, command.allocations + 1, options.every)
                ends = list(pool.map(command.try_without, numbers))
                wrong = [end for end in ends if end not in RIGHT]
                for text in wrong[:SHOWN]:
                    print(f"wrong: {name}: {text}")
                row = [command.allocations, len(ends)] + [ends.count(end) for end in RIGHT]
                row.append(len(wrong))
                print(form.format(name, *row), flush=True)
                total = [a + b for a, b in zip(total, row)]
    finally:
        host.close()
    print(form.format("all", *total))
    return 1 if total[-1] or not total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
