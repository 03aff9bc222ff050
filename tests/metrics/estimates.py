#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures how far tma's metrics are from the truth if events take turns, with each --estimate.

    estimates.py [-v] [-m MACHINE,...] [-l LEVEL,...] [-p PHASES,...] [-r ROW,...] [-c CPUS,...]
                 [-e METHOD,...] [-n ROWS] [-N PERCENT] [-o FILE] TMA MACHINES

MACHINES is the folder of simulated machines. Each machine goes through its phases in lengths of
PHASES: "MS" is random with this mean, "=MS" is always the same, in random order, and "MS-MS" is a
range (see machine.py). ROW is the length of rows in ms, or "run" for whole runs of 3 s. CPUS is
"one", or "many" for all CPUs, each in another part of the phases. METHOD is time or joint; perf,
which scales by time with perf's groups; or rotate[:MS], which scales by time while tma lets sets of
groups take turns of 10 or MS ms. With -N, the rate of each event in each phase differs from its
rule by a random part with this standard deviation, so that no identity or relation of two events is
exact.

A line for each machine, level and length of rows has the mean of the errors, their 99th percentile,
and the mean of the worst 1 % of values, in points, for each METHOD. -v also prints a line for each
schedule. -o writes columns, which estimates.gp draws.

After these figures, a line has the mean error of joint minus that of time, and half the width of
the difference's 95 % interval. The same values of the same rows are compared, so only differences
between rows (for a machine's line: between schedules) are left to chance. At the end, schedules are
listed in which joint is worse by more than this.
"""

import argparse
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

import coverage
import machine
import truth

RUN_MS = 3000
FAR_APART_MS = 1009
ESTIMATES = ('time', 'joint')
METHODS = ('perf',) + ESTIMATES
WHOLE_RUNS = 4  # for each schedule, with new random phases
# Student's t for 95 % and 1, 2, ... degrees of freedom; for more, the value of a normal
# distribution.
STUDENT = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
           2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
           2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def noisy(text, percent, seed):
    """Return: the text of a machine in which each event's rate differs by a random factor in each
    phase."""
    chance, lines, phases, number = random.Random(seed), [], 1, 0
    for line in text.splitlines():
        keyword, _, rest = line.partition(' ')
        if keyword == 'phases':
            phases = len(rest.split())
        if keyword == 'rate' and phases > 1:
            what, _, formula = rest.partition(' ')
            number += 1
            noise = [math.exp(chance.gauss(0, percent / 100)) for _ in range(phases)]
            if machine.listed(formula, phases):
                values = [machine.number(word) * part
                          for word, part in zip(formula.split(), noise)]
                lines.append(f'rate {what} ' + ' '.join(f'{value:.6g}' for value in values))
                continue
            lines.append(f'let noise{number} ' + ' '.join(f'{part:.6f}' for part in noise))
            parts = re.split(r'(\s[-+]\s)', formula)
            parts = [part if re.fullmatch(r'\s[-+]\s', part) else f'{part}*noise{number}'
                     for part in parts]
            line = f'rate {what} ' + ''.join(parts)
        lines.append(line)
    return '\n'.join(lines) + '\n'


class TruthOfOne(coverage.TruthOfOne):
    """On one CPU, the events of a core do not cover all its threads."""

    def literal(self, name):
        return 0.0 if name == '#core_wide' else super().literal(name)


class Case:
    """A machine with a schedule, measured in rows of one length."""

    def __init__(self, options, name, phases, cpus, seed):
        self.options, self.cpus, self.seed = options, cpus, seed
        path = os.path.join(options.machines, name)
        text = machine.irregular(path, phases, seed, FAR_APART_MS if cpus == 'many' else 0)
        if options.noise:
            text = noisy(text, options.noise, seed)
        self.file = tempfile.NamedTemporaryFile('w', suffix='.machine')
        self.file.write(text)
        self.file.flush()
        self.model = machine.Machine(self.file.name)
        self.truths = {}

    def truth_of(self, tables, row):
        span = tuple(round(end * 1e9) for end in (row['time'] - row['length'], row['time']))
        key = row['pmu'] or 'cpu', span
        if key not in self.truths:
            one = self.cpus == 'one'
            model = coverage.OneCpu(self.model, 0) if one else self.model
            of = TruthOfOne if one else truth.Truth
            self.truths[key] = of(tables, model, key[0], span, True), {}
        found, values = self.truths[key]
        if row['name'] not in values:
            metric = found.find(row['name'])
            values[row['name']] = found.of(metric) if metric else math.nan
        return values[row['name']]

    def errors(self, tables, method, level, length):
        """Return: the error of each value, in points, by row and name."""
        command = [self.options.tma, '--machine', self.file.name, 'stat', '--format=json',
                   '--topdown', '--td-level', str(level), '--no-metric-only']
        command += ['-C', '0'] if self.cpus == 'one' else ['-a']
        command += ['--grouping=perf' if method == 'perf' else '--grouping=counters']
        if method in ESTIMATES:
            command.append(f'--estimate={method}')
        elif method != 'perf':
            command += ['--schedule=rotate', '--schedule-ms', method.partition(':')[2] or '10']
        rows = self.options.rows
        if length == 'run':
            command += ['--timeout', str(RUN_MS)]
        else:
            count = rows if int(length) >= 1000 else 4 * rows
            command += ['-I', str(length), '--interval-count', str(count)]
        env = dict(os.environ, TMA_SIM_STEP='10')
        result = subprocess.run(command, env=env, check=False, capture_output=True)
        if result.returncode:
            sys.exit(f'{" ".join(command)}: {result.stderr.decode()}')
        found = {}
        for line in result.stdout.decode().splitlines():
            row = json.loads(line) if line.startswith('{') else {'type': ''}
            if row['type'] != 'metric' or row['status'] != 'scaled' or row['unit'] != '%':
                continue
            real = self.truth_of(tables, row)
            if row['value'] is not None and not math.isnan(real):
                found[self.seed, row['time'], row['pmu'], row['name']] = abs(row['value'] - real)
        return found


def figures(errors):
    """The mean, the 99th percentile and the mean of the worst 1 %."""
    errors = sorted(errors)
    worst = errors[-max(len(errors) // 100, 1):]
    return sum(errors) / len(errors), worst[0], sum(worst) / len(worst)


def differences(errors):
    """Return: the mean error of joint minus that of time, in each row."""
    rows = {}
    for key in errors.get('joint', {}).keys() & errors.get('time', {}).keys():
        rows.setdefault(key[:2], []).append(errors['joint'][key] - errors['time'][key])
    return [statistics.mean(rows[key]) for key in sorted(rows)]


def interval(values):
    """Return: the mean of values, and half the width of its 95 % interval, which a single value
    does not have.
    """
    if len(values) < 2:
        return statistics.mean(values), math.nan
    student = STUDENT[len(values) - 2] if len(values) - 2 < len(STUDENT) else 1.96
    return statistics.mean(values), student * statistics.stdev(values) / math.sqrt(len(values))


def text_of(errors, between):
    """The fields of a line after its name: each figure for all methods; joint follows time."""
    all_figures = [figures(found.values()) for found in errors.values()]
    text = '   '.join(' : '.join(f'{found[i]:6.3f}' for found in all_figures) for i in range(3))
    if not between:
        return text
    mean, half = interval(between)
    return text + f'   {mean:7.4f}' + ('' if math.isnan(half) else f' +- {half:.4f}')


class Line:
    """The results of all schedules for a machine, a level and a length of rows."""

    def __init__(self, methods):
        self.errors = {method: {} for method in methods}
        self.between, self.worse, self.schedules = [], [], 0

    def add(self, schedule, errors):
        """Return: the fields after the schedule's name."""
        self.schedules += 1
        for method, found in errors.items():
            self.errors[method].update({(schedule, *key): off for key, off in found.items()})
        rows = differences(errors)
        if rows:
            mean, half = interval(rows)
            self.between.append(mean)
            if mean > half:
                self.worse.append((schedule, mean, half))
        return text_of(errors, rows)


def measure(options, name, level, length):
    """Print one line."""
    tables = truth.Tables(options.tma, os.path.join(options.machines, name))
    line = Line(options.methods)
    runs = WHOLE_RUNS if length == 'run' else 1
    for phases in options.phases.split(','):
        for cpus in options.cpus.split(','):
            found = {method: {} for method in options.methods}
            for seed in range(options.seed, options.seed + runs):
                case = Case(options, name, phases, cpus, seed)
                for method, errors in found.items():
                    errors.update(case.errors(tables, method, level, length))
            if not all(found.values()):
                continue
            schedule = f'{phases:>8} ms, {cpus:4}'
            each = line.add(schedule, found)
            if options.verbose:
                print(f'  {schedule}         {each}', flush=True)
    return line


def wanted(options):
    """The machine, level and length of each line; if a machine has fewer levels, its deepest one."""
    for name in options.names.split(','):
        tables = truth.Tables(options.tma, os.path.join(options.machines, name))
        levels = {min(int(level), max(tables.levels())) for level in options.levels.split(',')}
        for level in sorted(levels):
            for length in options.lengths.split(','):
                yield name, level, length


def print_worse(lines):
    """Lists the schedules in which joint is worse than time."""
    number = sum(line.schedules for line in lines.values() if line.between)
    worse = [(name, *schedule) for name, line in lines.items() for schedule in line.worse]
    if number:
        print(f'joint is worse than time by more than the 95 % interval in {len(worse)} of '
              f'{number} schedules')
    for name, schedule, mean, half in worse:
        print(f'  {name}, {schedule.strip()}: {mean:.4f} +- {half:.4f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-v', '--verbose', action='store_true', help='print each schedule, too')
    parser.add_argument('-m', '--names', default='skylakex,icelakex,sapphirerapids,alderlake,zen4')
    parser.add_argument('-l', '--levels', default='3,4')
    parser.add_argument('-p', '--phases', default='5,30,100,500,5-2000,=10,=40,=300')
    parser.add_argument('-r', '--lengths', default='100,1000,run')
    parser.add_argument('-c', '--cpus', default='one,many')
    parser.add_argument('-e', '--methods', default=','.join(METHODS),
                        type=lambda text: text.split(','))
    parser.add_argument('-n', '--rows', type=int, default=10,
                        help='of 1 s; 4 times as many of less')
    parser.add_argument('-N', '--noise', type=float, default=0, metavar='PERCENT')
    parser.add_argument('-s', '--seed', type=int, default=1, help='of the random phases')
    parser.add_argument('-o', '--output', help='write the figures there, too')
    parser.add_argument('tma', help='the program')
    parser.add_argument('machines', help='the folder of the machines')
    options = parser.parse_args()

    print(f'in points, {" : ".join(options.methods)}')
    print('machine        level   row   mean, 99th percentile, mean of the worst 1 %; joint - time')
    written = ['machine level row ' + ' '.join(
        f'{method}_{what}' for what in ('mean', '99', 'worst') for method in options.methods)]
    lines = {}
    for name, level, length in wanted(options):
        line = measure(options, name, level, length)
        if not line.schedules:
            continue
        each = text_of(line.errors, line.between)
        print(f'{name:<14} {level:>5} {length:>5}   {each}', flush=True)
        lines[f'{name}, level {level}, {length}'] = line
        found = [figures(errors.values()) for errors in line.errors.values()]
        written.append(f'{name} {level} {length} ' + ' '.join(
            f'{figure[i]:.6g}' for i in range(3) for figure in found))
    print_worse(lines)
    if options.output:
        with open(options.output, 'w', encoding='ascii') as file:
            file.write('\n'.join(written) + '\n')
    return len(written) == 1


if __name__ == '__main__':
    sys.exit(main())
