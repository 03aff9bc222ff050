#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares tma's values of metrics with those of an evaluator that shares nothing with tma.

    evaluate.py [--rounds N] EVAL ARCH_DIR ...            built-in metrics
    evaluate.py [--rounds N] --load EVAL ARCH_DIR ...     metrics that the program loads
    evaluate.py [--rounds N] --random METRICS EVAL        this many made-up metrics

EVAL is the program built from eval.c, which describes the made-up counts. Each ARCH_DIR has the
JSON of an architecture, with a folder for each model; this program reads it too. Every metric and
every threshold of every model is computed on several machines, and must agree to 1 part in 10^12
(or have no value on both sides). Prints a line for each difference, and how many values were
compared.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile

import expression
import made_up
import vendor
from expression import MISSING, NAN

BITS = (1 << 64) - 1
ROUND_EXISTS, ROUND_SOURCES = 1000, 1001
TOLERANCE = 1e-12
SHOWN = 40  # differences


def text_hash(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 & BITS
    return value


def mix(value, number):
    value = (value + number * 0x9e3779b97f4a7c15) & BITS
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9 & BITS
    value = (value ^ value >> 27) * 0x94d049bb133111eb & BITS
    return value ^ value >> 31


def ordinary(value):
    return float(value % 10 ** (1 + (value >> 32) % 12))


def pick(kind, value):
    """A made-up count; eval.c describes the kinds."""
    die = value >> 56
    if kind == 0:
        return ordinary(value)
    if kind == 1:
        return 0.0
    if kind == 2:
        return ordinary(value) if die % 4 else 0.0
    if kind == 3:
        return ordinary(value) if die % 8 else MISSING
    if kind == 4:
        return float(value)
    if kind == 5:
        return {0: 0.0, 1: MISSING, 2: float(value)}.get(die % 8, ordinary(value))
    if kind == 6:
        return float(1000 + value % 16)
    return ordinary(value) * 1e290


class Machine:
    """A computer with some packages of cores with some threads each, written as a tree of sysfs."""

    def __init__(self, packages, cores, threads, pmem, slots, cpuid):
        self.packages, self.cores, self.threads = packages, cores, threads
        self.pmem, self.slots, self.cpuid = pmem, slots, cpuid
        self.cpus = packages * cores * threads
        self.tsc_hz = 0.0

    def __str__(self):
        return f'{self.packages} packages, {self.cores} cores, {self.threads} threads'

    def literals(self):
        return {'#num_cpus': self.cpus, '#num_cpus_online': self.cpus,
                '#num_cores': self.packages * self.cores, '#num_dies': self.packages,
                '#num_packages': self.packages, '#smt_on': self.threads > 1, '#core_wide': 1,
                '#system_tsc_freq': self.tsc_hz, '#has_pmem': self.pmem, '#slots': self.slots}

    @staticmethod
    def write(root, path, text):
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='ascii') as file:
            file.write(text)

    def write_cpu(self, root, number):
        core, package = number // self.threads, number // (self.threads * self.cores)
        first, width = core * self.threads, self.cores * self.threads
        siblings = f'{first}-{first + self.threads - 1}\n'
        package_cpus = f'{package * width}-{package * width + width - 1}\n'
        for name, text in (('core_cpus_list', siblings), ('die_cpus_list', package_cpus),
                           ('package_cpus_list', package_cpus),
                           ('physical_package_id', f'{package}\n'), ('core_id', f'{core}\n')):
            self.write(root, f'sys/devices/system/cpu/cpu{number}/topology/{name}', text)

    def write_tree(self, root):
        for name in ('online', 'present', 'possible'):
            self.write(root, f'sys/devices/system/cpu/{name}', f'0-{self.cpus - 1}\n')
        self.write(root, 'sys/devices/system/cpu/smt/active', f'{int(self.threads > 1)}\n')
        for number in range(self.cpus):
            self.write_cpu(root, number)
        if self.pmem:
            self.write(root, 'sys/firmware/acpi/tables/NFIT', '')
        pmu = 'sys/bus/event_source/devices/cpu'
        self.write(root, f'{pmu}/type', '4\n')
        if not math.isnan(self.slots):
            self.write(root, f'{pmu}/caps/slots', f'{self.slots:#010x}\n')
        self.write(root, 'proc/cpuinfo', 'model name\t: made up\n')


MACHINES = (
    Machine(2, 3, 2, True, NAN, 'GenuineIntel-6-8F-8'),
    Machine(1, 4, 1, False, 5, '0x00000000410fd491'),
)


class Scope:
    """The meaning of the names in a metric, in one round."""

    def __init__(self, model, number):
        self.model, self.round = model, number
        self.known, self.entered = {}, []
        self.evaluator = expression.Evaluator(self, model.constants)

    def value(self, name):
        metric = self.model.find(name)
        if metric:
            return self.of_metric(metric)
        return pick(self.round % 8, mix(self.model.hash(name), self.round))

    def of_metric(self, metric):
        if metric in self.entered:
            raise RecursionError(f'metric {metric.name} refers to itself')
        if metric not in self.known:
            self.entered.append(metric)
            self.known[metric] = self.evaluator.value(self.model.tree_of(metric))
            self.entered.pop()
        return self.known[metric]

    def threshold(self, metric):
        if not metric.threshold:
            return '-'
        return self.evaluator.value(self.model.tree(metric.threshold, expression.RUN_TIME))

    def sources(self, name):
        return 1 + mix(self.model.hash(name), ROUND_SOURCES) % 4


class Model:
    """The metrics of one PMU of a folder on one machine."""

    def __init__(self, metrics, machine):
        self.machine = machine
        self.literals = {name: float(value) for name, value in machine.literals().items()}
        self.by_name = {}
        for metric in metrics:
            self.by_name.setdefault(metric.name.lower(), metric)
        self.trees, self.hashes = {}, {}
        self.constants = expression.Constants(self)

    def find(self, name):
        return self.by_name.get(name.lower())

    def metric(self, name):
        found = self.find(name)
        return self.tree_of(found) if found else None

    def tree_of(self, metric):
        return self.tree(metric.expression, expression.PYTHON)

    def literal(self, name):
        return self.literals[name]

    def exists(self, name):
        return mix(self.hash(name), ROUND_EXISTS) % 2 == 0

    def cpuid_matches(self, pattern):
        return vendor.cpuid_matches(self.machine.cpuid, pattern)

    def tree(self, text, precedence):
        key = text, precedence is expression.PYTHON
        if key not in self.trees:
            tree = expression.parse(text, precedence)
            if precedence is expression.PYTHON:  # thresholds stay as they are written
                tree = expression.simplify(expression.fold(tree))
            self.trees[key] = tree
        return self.trees[key]

    def hash(self, name):
        if name not in self.hashes:
            self.hashes[name] = text_hash(name)
        return self.hashes[name]


def same(ours, theirs):
    """@ours is a value computed here; @theirs is the text of a value that tma computed."""
    if ours == '-' or theirs == '-':
        return ours == theirs
    ours, theirs = NAN if ours is MISSING else ours, float(theirs)
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return ours == theirs or math.isclose(ours, theirs, rel_tol=TOLERANCE, abs_tol=0)


class Comparison:
    """Count the comparisons, and print the differences."""

    def __init__(self):
        self.values = self.thresholds = self.differences = 0

    def differs(self, what):
        self.differences += 1
        if self.differences <= SHOWN:
            print(what)

    def difference(self, metric, scopes, texts):
        """Return: the difference between a metric and the fields of a line, or None."""
        try:
            ours = [text for scope in scopes
                    for text in (scope.of_metric(metric), scope.threshold(metric))]
        except RecursionError as error:
            found = texts[0] == 'error' and 'refers to itself' in texts[1]
            return None if found else f'{error}, but {texts}'
        except expression.Mistake as error:
            return str(error)
        if texts[0] == 'error':
            return texts[1]
        self.values += 1
        self.thresholds += bool(metric.threshold)
        for number, (mine, text) in enumerate(zip(ours, texts)):
            if not same(mine, text):
                what = ('value', 'threshold')[number % 2]
                return f'round {number // 2}: {what} is {mine}, not {text}'
        return None

    def metric(self, where, metric, scopes, lines):
        """@lines: the lines with the metric's PMU and name; in some models two metrics have the
        same name.
        """
        found = []
        for texts in lines:
            for scope in scopes:
                scope.entered.clear()
            found.append(self.difference(metric, scopes, texts))
            if not found[-1]:
                lines.remove(texts)
                return
        self.differs(f'{where}: {found[0] if found else "not in the tables"}')

    def model(self, name, metrics, machine, rounds, lines):
        """@lines: the program's lines, by PMU and name."""
        scopes = {}
        for pmu in {metric.pmu for metric in metrics}:
            model = Model([metric for metric in metrics if metric.pmu == pmu], machine)
            scopes[pmu] = [Scope(model, i) for i in range(rounds)]
        for metric in metrics:
            self.metric(f'{name} {metric.pmu} {metric.name}', metric, scopes[metric.pmu],
                        lines.get((metric.pmu, metric.name), []))
        for (pmu, metric), left in lines.items():
            if left:
                self.differs(f'{name} {pmu} {metric}: not in the JSON')


def run_program(options, machine, folders):
    """Return: the fields of the program's lines on this machine, by model, and then by PMU and
    name.
    """
    lines = {}
    with tempfile.TemporaryDirectory() as root:
        machine.write_tree(root)
        env = dict(os.environ, SYSFS_PATH=f'{root}/sys', PROCFS_PATH=f'{root}/proc',
                   PERF_CPUID=machine.cpuid)
        command = [options.program, 'values', str(options.rounds), *folders]
        text = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE).stdout.decode()
    for line in text.splitlines():
        fields = line.split('\t')
        if fields[0] == 'tsc_hz':
            # The value belongs to the computer, whatever its tree of sysfs has.
            machine.tsc_hz = float(fields[1]) or math.nan
            continue
        lines.setdefault(fields[0], {}).setdefault((fields[1], fields[2]), []).append(fields[3:])
    return lines


def compare(options, found, folders):
    """@found: the metrics of models; @folders: the folders that the program must load."""
    comparison = Comparison()
    for machine in MACHINES:
        lines = run_program(options, machine, folders)
        for name, metrics in found.items():
            comparison.model(name, metrics, machine, options.rounds, lines.get(name, {}))
    print(f'{comparison.values} metrics and {comparison.thresholds} thresholds compared in '
          f'{options.rounds} rounds, {comparison.differences} differences')
    return comparison.differences != 0 or not comparison.values


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--rounds', type=int, default=16, help='counts to compute with [16]')
    parser.add_argument('--load', action='store_true', help='have the program load the JSON')
    parser.add_argument('--random', type=int, metavar='METRICS', help='make so many up')
    parser.add_argument('--seed', type=int, default=1, help='of what is made up [1]')
    parser.add_argument('program', help='built from eval.c')
    parser.add_argument('arch_dir', nargs='*', help='JSON, the later over the earlier')
    options = parser.parse_args()

    if options.random:
        with tempfile.TemporaryDirectory() as folder:
            made_up.write(os.path.join(folder, 'model'), options.random, options.seed)
            found = vendor.loaded([folder])
            return compare(options, found, found)
    if options.load:
        found = vendor.loaded(options.arch_dir)
        return compare(options, found, found)
    return compare(options, vendor.built_in(options.arch_dir), [])


if __name__ == '__main__':
    sys.exit(main())
