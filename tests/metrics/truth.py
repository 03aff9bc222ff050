#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares what tma measures of the TopDown tree on simulated machines with what their files say.

    truth.py TMA MACHINE_FILE ...          a line for each mistake, and how much was compared
    truth.py -v TMA MACHINE_FILE ...       before this, a table of machines and levels

The truth is computed by machine.py, which reads the file, and by expression.py, from the
expressions that tma lists; neither shares anything with tma. On every machine, for every level:

- The machine stays in one of its phases, so that turns of events on the counters lose nothing. Then
every value is true to 1 part in 1000, no value is below 0 or above 100 %, and the children of a
metric add up to it if all of them are there. Hardware has metric events as shares of slots in 8
bits, so their true values are rounded to 8 bits ("8 bit" is the error of this).
- The machine has all its phases. Then the same is true for each family of metrics that is counted
alone, if its events do not take turns. The table has the errors of a whole level, whose events take
turns, and so count in different phases.

Errors are in percentage points.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import expression
import machine
import vendor

STEP_MS, INTERVAL_MS, INTERVALS = 10, 1000, 3
RELATIVE, POINTS = 1e-3, 1e-3  # allowed error of a value: relative, or absolute
GAP = 0.2  # allowed difference between children and their parent
SHOWN = 20  # mistakes of one machine

# Families that have all children of the parent; names are without the prefix tma_.
PARTS = {
    'backend_bound', 'bad_speculation', 'branch_resteers', 'code_stlb_miss', 'divider',
    'dram_bound', 'dtlb_load', 'dtlb_store', 'fetch_bandwidth', 'fetch_latency', 'fp_arith',
    'fp_vector', 'frontend_bound', 'heavy_operations', 'ifetch_bandwidth', 'ifetch_latency',
    'int_operations', 'l3_miss_bound', 'light_operations', 'load_stlb_miss', 'memory_bound',
    'microcode_sequencer', 'resource_bound', 'retiring', 'store_stlb_miss',
}

# Other families. A single child is a part of its parent. Below some nodes the vendor's tree has no
# more nodes, and below the others only estimates.
LATENCY = 'number of accesses times a latency: hides behind other work, and accesses overlap'
CYCLES = 'cycles in which something was so, useful ones too, and several things may be so at once'
PARTIAL = 'the part with a name; the rest has none'
NO_PARTS = {
    'alu_op_utilization': CYCLES,
    'assists': PARTIAL,
    'branch_mispredicts': PARTIAL,
    'code_stlb_miss': LATENCY,
    'core_bound': CYCLES,
    'icache_misses': LATENCY,
    'itlb_misses': LATENCY,
    'l1_bound': LATENCY,
    'l3_bound': LATENCY,
    'load_op_utilization': CYCLES,
    'machine_clears': PARTIAL,
    'mem_bandwidth': PARTIAL,
    'mem_latency': LATENCY,
    'mite': PARTIAL,
    'other_light_ops': PARTIAL,
    'ports_utilization': CYCLES,
    'ports_utilized_0': PARTIAL,
    'ports_utilized_3m': CYCLES,
    'serializing_operation': PARTIAL,
    'store_bound': LATENCY,
    'store_op_utilization': CYCLES,
}


def latency_of(name):
    """The event whose retire latency a name means: EVENT:R or PMU@EVENT@R; None for other names."""
    found = re.fullmatch(r'(?:\w+@)?([^@]+)(?::|@)R', name)
    return found and found[1]


class Metric:
    """One metric of one PMU."""

    def __init__(self, pmu, entry):
        self.pmu, self.name, self.groups = pmu, entry['MetricName'], set()
        self.key = pmu, self.name.lower()
        self.short = self.name.removeprefix('tma_')
        self.factor = float(re.match(r'[\d.]*', entry.get('ScaleUnit', ''))[0] or 1)
        tree = expression.parse(entry['MetricExpr'], expression.PYTHON)
        self.tree = expression.simplify(expression.fold(tree))
        self.names = None  # of all names in its value; see Tables.names_below()

    def __str__(self):
        return f'{self.pmu} {self.name}' if self.pmu.startswith('cpu_') else self.name


class Tables:
    """The metrics and events that tma lists for a machine."""

    def __init__(self, tma, path):
        self.metrics, self.events = {}, {}
        for entry in self.listed(tma, path, 'metric'):
            metric = Metric(entry.get('Unit', 'cpu'), entry)
            metric = self.metrics.setdefault(metric.key, metric)
            metric.groups.add(entry.get('MetricGroup', ''))
        for entry in self.listed(tma, path, 'event'):
            pmu, slash, terms = entry.get('Encoding', '').partition('/')
            if slash:
                self.events[pmu, entry['EventName'].lower()] = terms.rstrip('/')

        self.latencies = self.all_latencies(tma, path)

    @staticmethod
    def said(tma, path, *command):
        text = subprocess.run([tma, '--machine', path, *command], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return json.loads(text)

    def listed(self, tma, path, kind):
        return self.said(tma, path, 'list', '-j', kind)

    def all_latencies(self, tma, path):
        """The vendor's mean retire latencies of the events whose latencies a metric uses (:R)."""
        wanted = sorted({latency_of(name) for metric in self.metrics.values()
                         for name in expression.names_of(metric.tree) if latency_of(name)})
        if not wanted:
            return {}
        said = self.said(tma, path, 'explain', '-j', *wanted)
        return {entry['Name'].lower(): float(entry['RetireLatency'].split()[0])
                for entry in said if 'RetireLatency' in entry}

    def names_below(self, metric):
        """The names in the metric's formula, and in the formulas of metrics that it refers to
        instead of their names."""
        if metric.names is None:
            metric.names = set()
            for name in expression.names_of(metric.tree):
                other = self.metrics.get((metric.pmu, name.lower()))
                metric.names |= self.names_below(other) if other else {name}
        return metric.names

    def tsc_of(self, metric):
        """The TSC in the formula, which may cover only some CPUs; or None."""
        return next((name for name in sorted(self.names_below(metric))
                     if re.fullmatch(r'tsc|msr@tsc\b.*', name, re.IGNORECASE)), None)

    def lacks_latency(self, metric):
        """Return: whether the formula has a retire latency that no table has, so that it must be
        measured."""
        latencies = {latency_of(name) for name in self.names_below(metric)} - {None}
        return any(event.lower() not in self.latencies for event in latencies)

    def of_level(self, level):
        return [metric for metric in self.metrics.values() if f'TopdownL{level}' in metric.groups]

    def levels(self):
        return [level for level in range(1, 10) if self.of_level(level)]

    def pmus(self):
        return sorted({metric.pmu for metric in self.of_level(1)})

    def children(self, parent, level):
        return [metric for metric in self.of_level(level)
                if metric.pmu == parent.pmu and f'{parent.name}_group' in metric.groups]

    def families(self, level):
        """Metrics that have children on a level, and these children."""
        found = [(parent, self.children(parent, level)) for parent in self.metrics.values()]
        return [(parent, children) for parent, children in found if children]


class Truth:
    """The meaning of names in the metrics of one PMU in one interval: the scope of an evaluator.

    @exact: as in the file; otherwise with metric events of 8 bits.
    """

    def __init__(self, tables, model, pmu, interval, exact=False):
        self.tables, self.model, self.pmu = tables, model, pmu
        self.interval, self.exact = interval, exact
        self.clocks = 1  # how many CPUs' time duration_time is
        self.known = {}
        self.unknown = set()  # events to which the machine's file gives no rate
        self.constants = expression.Constants(self)
        self.evaluator = expression.Evaluator(self, self.constants)

    def of(self, metric):
        """The value of the metric, as tma prints it.

        The TSC is counted on several CPUs; so is a quotient of the TSC and the time, if the time is
        that of these CPUs.
        """
        tsc = self.tables.tsc_of(metric)
        self.clocks = self.clocks_of(tsc) if tsc else 1
        value = self.evaluator.value(metric.tree)
        return math.nan if value is expression.MISSING else value * metric.factor

    def find(self, name):
        return self.tables.metrics.get((self.pmu, name.lower()))

    def metric(self, name):
        found = self.find(name)
        return found.tree if found else None

    def literal(self, name):
        cpus, cores = len(self.model.cpus), len(self.model.cores)
        known = {'#smt_on': cpus > cores, '#core_wide': 1, '#has_pmem': 0, '#num_cpus': cpus,
                 '#num_cpus_online': cpus, '#num_cores': cores}
        if name == '#slots':
            return float(int(self.model.pmus[self.pmu].files['caps/slots'], 0))
        return float(known[name])

    def cpuid_matches(self, pattern):
        return vendor.cpuid_matches(self.model.cpuid, pattern)

    def exists(self, name):
        try:
            return bool(self.encoded(name))
        except machine.Mistake:
            return False

    @staticmethod
    def sources(_):
        return 1

    def value(self, name):
        key = name, self.clocks
        if key not in self.known:
            self.known[key] = self.find_value(name)
        return self.known[key]

    def find_value(self, name):
        found = self.find(name)
        if found:
            return self.evaluator.value(found.tree)
        if latency_of(name):
            return self.tables.latencies.get(latency_of(name).lower(), expression.MISSING)
        if name == 'duration_time':
            return (self.interval[1] - self.interval[0]) / 1e9 * self.clocks
        pmu, config = self.encoded(name)
        if not pmu.rate(config)[1]:
            self.unknown.add(name)
        return self.model.count(pmu, config, *self.interval, self.exact, self.cpus_of(name))

    def clocks_of(self, tsc):
        return len(self.cpus_of(tsc) or self.model.cpus)

    def cpus_of(self, name):
        """The CPUs that a term cpu=PMU restricts an event to, or None."""
        found = re.search(r'\bcpu=([a-z]\w*)', name)
        return self.model.pmus[found[1]].cpus if found else None

    def encoded(self, name):
        """The PMU and config of an event: EVENT, or PMU@EVENT,TERM ...@."""
        found = re.fullmatch(r'(\w+)@(.*)@', name)
        pmu, text = found.groups() if found else (self.pmu, name)
        if text.lower() == 'tsc':
            pmu = 'msr'
        unit, terms = self.model.pmus[pmu], []
        for word in text.split(','):
            if word.startswith('cpu='):  # on the CPUs that the counts of all events name
                continue
            named = unit.events.get(word.lower(), word)
            terms.append(self.tables.events.get((pmu, word.lower()), named))
        return unit, unit.config_of(','.join(terms))


class Measured:
    """Return: the output of tma stat: for each interval (by its end in ns) the values by PMU and
    name."""

    def __init__(self, tma, path, pmus, *arguments):
        self.intervals, self.turns, self.pmus = {}, False, pmus
        command = [tma, '--machine', path, 'stat', '-a', '-j', '-I', str(INTERVAL_MS), *arguments]
        env = dict(os.environ, TMA_SIM_STEP=str(STEP_MS))
        result = subprocess.run(command, env=env, check=False, stderr=subprocess.PIPE)
        if result.returncode:
            raise RuntimeError(f'{" ".join(command)}: {result.stderr.decode()}')
        pmu = pmus[0]
        for line in result.stderr.decode().splitlines():
            if line.startswith('{'):
                pmu = self.row(json.loads(line), pmu)

    def row(self, row, pmu):
        """Return: the PMU of the row's event; if it has none, of the event before it."""
        if 'event' in row:
            named = row['event'].partition('/')[0]
            pmu = named if named in self.pmus else self.pmus[0]
            self.turns |= row['pcnt-running'] < 100
        name = row['metric-unit'].rpartition('  ')[2].lower()
        if row['metric-unit'] != '(null)':
            values = self.intervals.setdefault(round(row['interval'] * 1e9), {})
            values[pmu, name] = float(row['metric-value'])
        return pmu

    def spans(self):
        """Each interval as (start, end), with its values."""
        for end, values in self.intervals.items():
            yield (end - INTERVAL_MS * 10 ** 6, end), values


class Row:
    """Return: the row of the table for one level of one machine."""

    def __init__(self):
        self.metrics, self.compared = set(), 0
        self.off = self.bits = self.turns = self.gap = 0.0
        self.lowest, self.highest = math.inf, -math.inf

    HEADING = ('machine          level  metrics  compared   off by    8 bit  '
               'children   lowest  highest    turns')

    def text(self, name, level):
        return (f'{name:<16} {level:5}  {len(self.metrics):7}  {self.compared:8}  {self.off:7.4f}  '
                f'{self.bits:7.3f}  {self.gap:8.4f}  {self.lowest:7.3f}  {self.highest:7.2f}  '
                f'{self.turns:7.2f}')


class Comparison:
    """One machine."""

    def __init__(self, tma, path):
        self.tma, self.path, self.name = tma, path, os.path.basename(path)
        self.tables, self.model = Tables(tma, path), machine.Machine(path)
        self.rows = {level: Row() for level in self.tables.levels()}
        self.mistakes = []

    def mistake(self, text):
        if text not in self.mistakes:
            self.mistakes.append(text)

    def truths(self, model, interval, exact=False):
        return {pmu: Truth(self.tables, model, pmu, interval, exact) for pmu in self.tables.pmus()}

    def level(self, where, path, model, level, single):
        """Check one level. @single: turns lose nothing. Return: the values of the last interval."""
        count = 1 if single else INTERVALS
        measured = Measured(self.tma, path, self.tables.pmus(), '--topdown', '--no-metric-only',
                            '--td-level', str(level), '--interval-count', str(count))
        for span, values in measured.spans():
            self.values(f'{where} level {level}', model, span, values,
                        self.tables.of_level(level), level, single or not measured.turns)
        if len(measured.intervals) != count:
            self.mistake(f'{where} level {level}: {len(measured.intervals)} intervals')
        return values

    def values(self, where, model, span, values, metrics, level, strict):
        """@strict: the values must be true."""
        row = self.rows[level]
        seen, exact = self.truths(model, span), self.truths(model, span, True)
        for metric in metrics:
            if metric.key not in values:
                self.mistake(f'{where}: {metric} is not measured')
                continue
            value, truth = values[metric.key], seen[metric.pmu].of(metric)
            real = exact[metric.pmu].of(metric)
            row.metrics.add(metric.key)
            if math.isnan(truth) and math.isnan(value) and self.tables.lacks_latency(metric):
                row.compared += 1
                continue
            row.lowest, row.highest = min(row.lowest, value), max(row.highest, value)
            if not 0 <= value <= 100.0001:
                self.mistake(f'{where}: {metric} is {value:.3f} %')
            if not strict:
                row.turns = max(row.turns, abs(value - real))
                continue
            row.compared += 1
            row.off = max(row.off, abs(value - truth))
            row.bits = max(row.bits, abs(truth - real))
            if not abs(value - truth) <= max(POINTS, RELATIVE * abs(truth)):
                self.mistake(f'{where}: {metric} is {value:.4f}, not {truth:.4f}')
        for pmu in exact.values():
            for name in pmu.unknown:
                self.mistake(f'{self.name}: no rate of {pmu.pmu} {name}')

    def family(self, where, model, span, parent, children, values, level):
        if parent.short in NO_PARTS or len(children) == 1:
            return
        if parent.short not in PARTS:
            self.mistake(f'{self.name}: is {parent} the sum of its children? '
                         'Neither PARTS nor NO_PARTS has it')
            return
        if any(math.isnan(values[metric.key]) for metric in (parent, *children)):
            return  # values() has reported it, or knows the reason
        gap = abs(sum(values[child.key] for child in children) - values[parent.key])
        seen = Truth(self.tables, model, parent.pmu, span)
        exact = Truth(self.tables, model, parent.pmu, span, True)
        gap -= sum(abs(seen.of(metric) - exact.of(metric)) for metric in (parent, *children))
        self.rows[level].gap = max(self.rows[level].gap, gap)
        if not gap <= GAP:
            parts = ', '.join(f'{child.short} {values[child.key]:.3f}' for child in children)
            self.mistake(f'{where}: {parent} is {values[parent.key]:.3f}, but {parts}')

    def first_level(self, where, values):
        for pmu in self.tables.pmus():
            total = sum(values[metric.key] for metric in self.tables.of_level(1)
                        if metric.pmu == pmu)
            self.rows[1].gap = max(self.rows[1].gap, abs(total - 100))
            if not abs(total - 100) <= GAP:
                self.mistake(f'{where}: level 1 of {pmu} comes to {total:.3f} %')

    def phase(self, number):
        """A machine that stays in one of its phases."""
        where, values = f'{self.name} phase {number + 1}', {}
        span = 0, INTERVAL_MS * 10 ** 6
        with tempfile.NamedTemporaryFile('w', suffix='.machine') as file:
            file.write(machine.flattened(self.path, number))
            file.flush()
            model = machine.Machine(file.name)
            for level in self.rows:
                values.update(self.level(where, file.name, model, level, True))
        self.first_level(where, values)
        for level in self.rows:
            for parent, children in self.tables.families(level):
                self.family(where, model, span, parent, children, values, level)

    def together(self, parent, children, level):
        """Check a family that is counted alone, on the machine with all its phases."""
        names = ','.join(sorted({metric.name for metric in (parent, *children)}))
        measured = Measured(self.tma, self.path, self.tables.pmus(), '-M', names,
                            '--interval-count', str(INTERVALS))
        if measured.turns:
            return
        for span, values in measured.spans():
            where = f'{self.name} at {span[1] / 1e9:g} s'
            self.values(where, self.model, span, values, (parent, *children), level, True)
            self.family(where, self.model, span, parent, children, values, level)

    def compare(self):
        for number in range(len(self.model.phases)):
            self.phase(number)
        for level in self.rows:
            values = self.level(self.name, self.path, self.model, level, False)
            if level == 1:
                self.first_level(self.name, values)
            for parent, children in self.tables.families(level):
                if parent.short in PARTS:
                    self.together(parent, children, level)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-v', '--verbose', action='store_true', help='print a table, too')
    parser.add_argument('tma', help='the program')
    parser.add_argument('machines', nargs='+', help='files of machines')
    options = parser.parse_args()

    compared = mistakes = 0
    if options.verbose:
        print(Row.HEADING)
    for path in options.machines:
        comparison = Comparison(options.tma, path)
        comparison.compare()
        for level, row in comparison.rows.items():
            compared += row.compared
            if options.verbose:
                print(row.text(comparison.name, level))
        mistakes += len(comparison.mistakes)
        print(*comparison.mistakes[:SHOWN], sep='\n', end='\n' if comparison.mistakes else '')
    print(f'{compared} values compared, {mistakes} mistakes')
    return mistakes != 0 or not compared


if __name__ == '__main__':
    sys.exit(main())
