#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""places.py [--cases N] [--seed S] BUILD PLACES

Makes random machines with places, scripts of stays, and rates; and compares the counts of each, for
a command and for CPUs, in stepped time. It compares the counts of "tma stat", and the true counts
by place that the machine reports, with its own integration, which goes through the stays one by one
in whole numbers. PLACES is a program that does nothing for a while. The exit status is 1 if a count
differs.
"""
import argparse
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

NS = {"us": 1000, "ms": 1000000}
START_NS = 1000 * 10**9  # a stepped clock's, which the phases go by
SHIFT = 48
CPUS = 4
CONFIGS = {"cycles": 0x3c, "instructions": 0xc0}
HEAD = """cpuid GenuineIntel-6-55-4
cpus 0-3
core 0-1
core 2-3
"""
PMU = """pmu cpu
type 4
kind core
counters 8
fixed 2
format event config:0-7
format umask config:8-15
generic cpu-cycles event=0x3c
generic instructions event=0xc0
constraint event=0xc0,umask=0x00 fixed 0 any
constraint event=0x3c,umask=0x00 fixed 1 any
"""


def per_ns(rate):
    """Rates as the simulator keeps them: events per nanosecond, times 2^48."""
    exact = rate / 1e9 * 2**SHIFT
    return int(exact + 0.5)


def whole(count):
    return (count + 2**(SHIFT - 1)) >> SHIFT


class Machine:
    """A random machine: its file, and what the file means."""

    def __init__(self, rng):
        self.phases = [(rng.randint(1, 900) * 1000000, None) for _ in range(rng.randint(1, 3))]
        self.stagger = rng.randint(0, 50) * 1000000
        self.places = [f"place_{n}" for n in range(rng.randint(1, 5))]
        # Quantities a and b, and the rates of the events that are computed from them.
        self.values = [(rng.randint(1, 9) * 1e8, rng.randint(1, 9) / 8) for _ in self.phases]
        self.own = {place: self.random_own(rng) for place in self.places}
        self.scripts = {}
        for cpu in [None] + list(range(CPUS)):
            if rng.random() < 0.6:
                self.scripts[cpu] = self.random_script(rng)

    @staticmethod
    def random_own(rng):
        """A section of a place: values of a and b, and the rate of instructions."""
        own = {}
        if rng.random() < 0.7:
            own["a"] = rng.randint(1, 40) * 1e8
        if rng.random() < 0.5:
            own["b"] = rng.randint(1, 9) / 4
        if rng.random() < 0.3:
            own["rate"] = rng.randint(0, 50) * 1e7
        return own

    def random_script(self, rng):
        unit = rng.choice(["us", "ms"])
        return [(rng.choice(self.places + ["-"]), rng.randint(1, 3), rng.randint(1, 30), unit)
                for _ in range(rng.randint(1, 12))]

    def text(self):
        lines = [HEAD, "phases " + " ".join(f"{ns // 1000000}ms" for ns, _ in self.phases),
                 f"stagger {self.stagger // 1000000}ms"]
        for place in self.places:
            own = self.own[place]
            lines.append(f"at {place}")
            lines += [f"let {name} {own[name]:g}" for name in ("a", "b") if name in own]
            if "rate" in own:
                lines.append(f"rate cpu event=0xc0 {own['rate']:g}")
            lines.append("end")
        for cpu, script in self.scripts.items():
            head = "stays " if cpu is None else f"stays cpus={cpu} "
            for place, thread, length, unit in script:
                name = place if thread == 1 else f"{place}/{thread}"
                lines.append(f"{head}{name} {length}{unit}")
        lines.append("let a " + " ".join(f"{a:g}" for a, _ in self.values))
        lines.append("let b " + " ".join(f"{b:g}" for _, b in self.values))
        return "\n".join(lines) + "\n" + PMU + "rate event=0x3c a\nrate event=0xc0 a*b\nend\n"

    def rate(self, event, place, phase):
        own = self.own.get(place, {})
        a, b = self.values[phase if place is None else 0]
        a, b = own.get("a", a), own.get("b", b)
        if event == "instructions" and "rate" in own:
            return per_ns(own["rate"])
        return per_ns(a if event == "cycles" else a * b)

    def walk(self, cpu, end_ns):
        """The stays of a CPU (None: of the command) up to a time: place, thread, phase, ns."""
        if cpu in self.scripts:
            round_ = [(place, thread, 0, length * NS[unit])
                      for place, thread, length, unit in self.scripts[cpu]]
            skip = 0
        else:
            round_ = [(None, 1, phase, ns) for phase, (ns, _) in enumerate(self.phases)]
            skip = START_NS + (self.stagger * cpu if cpu is not None else 0)
            skip %= sum(stay[3] for stay in round_)
        at, number = -skip, 0
        while at < end_ns:
            place, thread, phase, ns = round_[number % len(round_)]
            low, high = max(at, 0), min(at + ns, end_ns)
            if low < high:
                yield place if place != "-" else None, thread, phase, high - low
            at += ns
            number += 1

    def integrate(self, cpu, end_ns):
        """The ns and the count for each event, place and thread."""
        sums = {}
        for place, thread, phase, ns in self.walk(cpu, end_ns):
            for event in CONFIGS:
                key = (event, place or "-", thread)
                before = sums.get(key, (0, 0))
                sums[key] = (before[0] + ns,
                             before[1] + ns * self.rate(event, place, phase))
        return sums


class Host:
    def __init__(self, build, program):
        self.tma = os.path.join(os.path.abspath(build), "tma")
        self.program = os.path.abspath(program)
        self.dir = tempfile.TemporaryDirectory(prefix="tma-places.")

    def run(self, text, words, command_ms):
        """The rows of tma stat, and the rows of the truth."""
        path, truth = (os.path.join(self.dir.name, name) for name in ("machine", "truth"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        env = dict(os.environ, LC_ALL="C", TMA_SIM_STEP="10", TMA_SIM_COMMAND=str(command_ms),
                   TMA_SIM_TRUTH=truth)
        done = subprocess.run([self.tma, "--machine", path, "stat", "-x,"] + words, env=env,
                              capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise RuntimeError(f"status {done.returncode}: {done.stderr}")
        with open(truth, encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return [line for line in done.stderr.splitlines() if not line.startswith("tma:")], rows


def truth_of(rows, cpu):
    """Parse the truth. Return: it, in the form of Machine.integrate()."""
    names = {f"cpu/config={config:#x}": name for name, config in CONFIGS.items()}
    return {(names[row["event"]], row["place"], int(row["thread"])):
            (int(row["ns"]), int(row["happened"]), int(row["counted"]))
            for row in rows if row["event"] in names and
            row["cpu"] == ("-" if cpu is None else str(cpu))}


def compare(machine, rows, stat, cpu, end_ns):
    """Return: a text for each difference."""
    wrong, sums = [], machine.integrate(cpu, end_ns)
    wanted = {key: (ns, whole(count), whole(count)) for key, (ns, count) in sums.items()}
    told = truth_of(rows, cpu)
    if wanted != told:
        wrong += [f"{key}: {told.get(key)}, not {wanted.get(key)}"
                  for key in sorted(set(wanted) | set(told)) if wanted.get(key) != told.get(key)]
    for event in CONFIGS:
        count = whole(sum(c for key, (_, c) in sums.items() if key[0] == event))
        if stat.get(event) != count:
            wrong.append(f"{event} of CPU {cpu}: {stat.get(event)} counted, not {count}")
    return wrong


def counts(lines, cpu):
    found = {}
    for line in lines:
        fields = line.split(",")
        if cpu is not None:
            if fields[0] != f"CPU{cpu}":
                continue
            fields = fields[1:]
        if fields[0].isdigit():
            found[re.sub(r":.*", "", fields[2])] = int(fields[0])
    return found


def try_one(host, rng):
    machine, ms = Machine(rng), rng.randint(1, 40) * 10
    events = ["-e", ",".join(CONFIGS)]
    if rng.random() < 0.5:
        lines, rows = host.run(machine.text(), events + [host.program, "wait", "1"], ms)
        return machine, compare(machine, rows, counts(lines, None), None, ms * 1000000)
    lines, rows = host.run(machine.text(), ["-a", "-A"] + events + ["--timeout", str(ms)], ms)
    wrong = []
    for cpu in range(CPUS):
        wrong += compare(machine, rows, counts(lines, cpu), cpu, ms * 1000000)
    return machine, wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("build")
    parser.add_argument("program")
    options = parser.parse_args()
    host, bad = Host(options.build, options.program), 0
    for case in range(options.cases):
        machine, wrong = try_one(host, random.Random(options.seed * 1000003 + case))
        if wrong:
            bad += 1
            print(f"case {case}:\n  " + "\n  ".join(wrong[:5]))
            if bad == 1:
                print(machine.text())
    print(f"{options.cases} scripts, {bad} different")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
