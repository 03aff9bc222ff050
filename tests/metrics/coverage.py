#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures in how many rows the interval of tma stat --error contains the truth.

    coverage.py [-v] [-A] [-m] [-p MS,... [-S MS] [-l PERCENT]] [-i MS] [-n COUNT]
                TMA MACHINE_FILE ARGUMENT ...

The ARGUMENTs of tma stat choose what is counted, on a simulated machine whose phases make rates
vary. truth.py computes the truth. A row here is an event or metric in an interval (with -A, on a
CPU) whose events took turns.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import expression
import machine
import truth

ROUNDING = 1e-9  # rates are whole numbers of a unit
COUNTS = 2       # a counter is read as a whole number


class OneCpu:
    """A machine of which only one CPU is measured."""

    def __init__(self, model, cpu):
        self.model, self.cpu = model, cpu

    def __getattr__(self, name):
        return getattr(self.model, name)

    def count(self, pmu, config, start, end, exact, cpus=None):
        assert exact and (not cpus or self.cpu in cpus)
        return self.model.counted(pmu, config, self.cpu, start, end) / machine.RATE_UNIT


class TruthOfOne(truth.Truth):
    """The TSC of a CPU advances with that CPU's time."""

    def clocks_of(self, tsc):
        return 1


class Coverage:
    """Results from the rows of all runs."""

    def __init__(self, metrics):
        self.metrics = metrics
        self.by_name = {}
        self.unknown = 0
        self.tables = self.model = self.truths = None

    def begin(self, tma, path):
        """The next rows belong to a run on this machine."""
        self.tables, self.model, self.truths = truth.Tables(tma, path), machine.Machine(path), {}

    def truth_of(self, row):
        span = row['time'] - row['length'], row['time']
        key = row['pmu'] or 'cpu', row.get('cpu'), span
        if key not in self.truths:
            model = self.model if 'cpu' not in row else OneCpu(self.model, row['cpu'])
            of = TruthOfOne if 'cpu' in row else truth.Truth
            self.truths[key] = of(self.tables, model, key[0],
                                  [round(end * 1e9) for end in span], True)
        found = self.truths[key]
        if row['type'] == 'event':
            value = found.value(row['name'].partition(' ')[0])
            return math.nan if value is expression.MISSING else value
        metric = found.find(row['name'])
        return found.of(metric) if metric else math.nan

    def row(self, row):
        if self.metrics and row['type'] != 'metric':
            return
        if row['type'] == 'run' or row['status'] != 'scaled' or row['value'] is None:
            return
        if '/' in row['name']:
            return
        if row['error'] is None:
            self.unknown += 1
            return
        real = self.truth_of(row)
        if math.isnan(real):
            return
        off = abs(row['value'] - real)
        slack = ROUNDING * abs(real) + (COUNTS if row['type'] == 'event' else 0)
        covered = self.by_name.setdefault((row['type'], row['name']), [])
        covered.append((off <= row['error'] + slack, off, row['error'], real))

    def print_each(self):
        for (kind, name), rows in self.by_name.items():
            share = sum(row[0] for row in rows) / len(rows)
            off = math.sqrt(sum(row[1] ** 2 for row in rows) / len(rows))
            error = math.sqrt(sum(row[2] ** 2 for row in rows) / len(rows))
            print(f'{100 * share:6.1f} %  off {off:12.6g}  error {error:12.6g}  '
                  f'of {rows[0][3]:12.6g}  {kind} {name}')

    def total(self):
        rows = [row[0] for rows in self.by_name.values() for row in rows]
        return 100 * sum(rows) / max(len(rows), 1), len(rows)


def measure(options, path, coverage):
    """Run tma stat, and compare its rows with the truth."""
    command = [options.tma, '--machine', path, 'stat', '-a', '--error', '--format=json',
               '-I', str(options.interval), '--interval-count', str(options.count), *options.what]
    if options.per_cpu:
        command.append('-A')
    env = dict(os.environ, TMA_SIM_STEP='10')
    result = subprocess.run(command, env=env, check=False, capture_output=True)
    if result.returncode:
        sys.exit(f'{" ".join(command)}: {result.stderr.decode()}')
    for line in result.stdout.decode().splitlines():
        if line.startswith('{'):
            coverage.row(json.loads(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-v', '--verbose', action='store_true', help='print each name, too')
    parser.add_argument('-A', '--per-cpu', action='store_true', help='rows are of CPUs')
    parser.add_argument('-m', '--metrics', action='store_true', help='no events')
    parser.add_argument('-i', '--interval', type=int, default=970, help='in ms')
    parser.add_argument('-n', '--count', type=int, default=100, help='of intervals')
    parser.add_argument('-p', '--phases', metavar='MS,...', default='',
                        help='the machine goes through its phases at random, this long in the '
                             'mean (or MS-MS or =MS, see machine.py); a run for each of these')
    parser.add_argument('-S', '--stagger', type=int, metavar='MS',
                        help='with -p, each CPU is this far behind the one before it: 0 for '
                             'lockstep, more than an interval for CPUs with nothing in common')
    parser.add_argument('-l', '--late', type=int, metavar='PERCENT',
                        help='with -p, so many of a hundred turns end late')
    parser.add_argument('-s', '--seed', type=int, default=1, help='of the random phases')
    parser.add_argument('tma', help='the program')
    parser.add_argument('machine', help='the file of a machine')
    parser.add_argument('what', nargs=argparse.REMAINDER, help='arguments of tma stat')
    options = parser.parse_args()

    coverage = Coverage(options.metrics)
    for mean_ms in options.phases.split(','):
        with tempfile.NamedTemporaryFile('w', suffix='.machine') as file:
            path = options.machine
            if mean_ms:
                file.write(machine.irregular(path, mean_ms, options.seed,
                                             options.stagger, options.late))
                file.flush()
                path = file.name
            coverage.begin(options.tma, path)
            measure(options, path, coverage)
            if mean_ms and options.verbose:
                print(f'phases of {mean_ms} ms: {coverage.total()[0]:.1f} % up to here')
    if options.verbose:
        coverage.print_each()
    share, rows = coverage.total()
    print(f'{rows} rows, {share:.1f} % of which have the truth within their error, '
          f'{coverage.unknown} without one')
    return not rows


if __name__ == '__main__':
    sys.exit(main())
