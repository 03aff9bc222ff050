#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the counters of --format=prom only grow, and that their final values are true.

    counters.py [-v] [-m MACHINE,...] [-l LEVEL,...] [-p PHASES,...] [-e METHOD,...] [-i MS]
                [-n ROWS] [-P POINTS] [-s SEED] BUILD

Simulated machines go through their phases, whose lengths PHASES (see machine.py) differ from row to
row, while events of a deep level take turns. In each of the ROWS:

- no *_total is less than in the row before, and none disappears;
- the children of a node do not have more than the node.

At the end each node must have its true slots, added up over the rows, after siblings that overlap
have shared the slots that there are. The difference may be as large as tma_error_slots_total, or
POINTS of all slots if that is more: metric events have only 8 bits, slots that wait are not
printed, and rows with few turns have no error. A line for each machine, level and METHOD (of
--estimate) has the final differences of shares, in points of all slots: mean absolute difference,
largest difference, mean difference, and the largest that is allowed. Other lines describe mistakes.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

import machine
import truth

FAR_APART_MS = 1009
SLOTS_OF_ROUNDING = 2
SAMPLE = re.compile(r'^(\w+)\{?(.*?)\}? (\S+)$', re.M)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
SHOWN = 8


class Node:
    """A node of a tree, made from its labels. @key has the node's PMU."""

    def __init__(self, labels):
        self.labels = dict(LABEL.findall(labels))
        self.pmu = self.labels.get('pmu', 'cpu')
        self.key = self.pmu, self.labels['metric']
        parent = self.labels.get('parent')
        self.parent = (self.pmu, parent) if parent else None
        self.level = int(self.labels['level'])


def rows_of(text):
    """Samples of each row, by family and labels."""
    return [{(name, labels): float(value) for name, labels, value in SAMPLE.findall(row)}
            for row in text.split('# EOF\n') if row]


def measured(options, path, level, method):
    """The rows that tma makes of this machine."""
    with tempfile.TemporaryDirectory() as directory:
        kept = os.path.join(directory, 'rows')
        shims = [os.path.join(options.build, name)
                 for name in ('libtma-sim.so', 'tests/metrics/rows.so')]
        env = dict(os.environ, TMA_SIM_STEP='10', TMA_MACHINE=path, TMA_TEST_ROWS=kept,
                   LD_PRELOAD=' '.join(shims))
        command = [os.path.join(options.build, 'tma'), 'stat', '-a', '--topdown', '--td-level',
                   level, '--error', f'--estimate={method}', '--format=prom',
                   '-I', str(options.interval), '--interval-count', str(options.rows),
                   '-o', os.path.join(directory, 'tma.prom')]
        result = subprocess.run(command, env=env, check=False, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f'{" ".join(command)}: {result.stderr}')
        with open(kept, encoding='utf-8') as file:
            return rows_of(file.read())


def slots_of(row):
    """Counters of slots (or cycles) by node, and their errors."""
    found, errors = {}, {}
    for (name, labels), value in row.items():
        if name in ('tma_slots_total', 'tma_cycles_total'):
            node = Node(labels)
            found[node.key] = node, value
        elif name in ('tma_error_slots_total', 'tma_error_cycles_total'):
            errors[Node(labels).key] = value
    return found, errors


def check_growth(rows):
    """Return: the counters that decrease or disappear, and the children that are larger than their
    parents."""
    wrong, before = [], {}
    for number, row in enumerate(rows):
        counters = {key: value for key, value in row.items() if key[0].endswith('_total')}
        for key, value in before.items():
            if counters.get(key, -1) < value:
                wrong.append(f'row {number + 1}: {key[0]}{{{key[1]}}} was {value:.0f} and is '
                             f'{counters.get(key)}')
        before = counters
        nodes, _ = slots_of(row)
        parts = {}
        for node, value in nodes.values():
            if node.parent:
                parts[node.parent] = parts.get(node.parent, 0) + value
        # A node that has not had a value has no counter, and its children have no slots.
        has = {key: nodes[key][1] if key in nodes else 0 for key in parts}
        wrong += [f'row {number + 1}: the children of {key[1]} have {part:.0f} slots, and it has '
                  f'{has[key]:.0f}' for key, part in parts.items()
                  if part > has[key] + SLOTS_OF_ROUNDING]
    return wrong


def fitted(nodes, slots):
    """The slots of each node in a row, after overlapping siblings have shared the slots that there
    are.
    """
    parts = {}
    for node in nodes:
        if node.parent:
            parts[node.parent] = parts.get(node.parent, 0) + max(slots[node.key], 0)
    for node in sorted(nodes, key=lambda node: node.level):
        most = max(slots[node.parent], 0) if node.parent else 0
        if node.parent and slots[node.key] > 0 and parts[node.parent] > most:
            slots[node.key] *= most / parts[node.parent]
    return slots


def true_slots(tables, model, rows):
    """Return: the slots of each node, as tma counted them, added up over the rows."""
    total, start, before = {}, 0, {}
    nodes = [node for node, _ in slots_of(rows[-1])[0].values()]
    for row in rows:
        end = round(row['tma_measured_seconds_total', ''] * 1e9)
        now = {key: value for key, (node, value) in slots_of(row)[0].items() if not node.parent}
        slots = {key: value - before.get(key, 0) for key, value in now.items()}
        scopes = {key[0]: truth.Truth(tables, model, key[0], (start, end)) for key in now}
        for node in nodes:
            if node.parent:
                metric = tables.metrics[node.pmu, node.key[1].lower()]
                value = scopes[node.pmu].of(metric) * slots[node.pmu, 'total'] / 100
                slots[node.key] = 0 if math.isnan(value) else value
        for key, value in fitted(nodes, slots).items():
            total[key] = total.get(key, 0) + value
        start, before = end, now
    return total


def check_end(tables, model, rows, points):
    """Return: the final error of each node and the allowed error, in points; and the mistakes."""
    nodes, errors = slots_of(rows[-1])
    true, off, allowed, wrong = true_slots(tables, model, rows), [], [], []
    for key, (node, value) in nodes.items():
        if not node.parent:
            continue
        scale = 100 / nodes[node.pmu, 'total'][1]
        off.append((value - true[key]) * scale)
        allowed.append(max(errors.get(key, 0) * scale, points))
        if not abs(off[-1]) <= allowed[-1]:
            wrong.append(f'{key[1]} is {value * scale:.3f} %, and {true[key] * scale:.3f} in '
                         f'truth, with an error of {errors.get(key, 0) * scale:.3f}')
    return off, allowed, wrong


def measure(options, name, level, method):
    """Print a line. Return: whether something is wrong."""
    source = os.path.join(options.build, 'machines', name)
    off, allowed, wrong = [], [], []
    for phases in options.phases.split(','):
        with tempfile.NamedTemporaryFile('w', suffix='.machine') as file:
            file.write(machine.irregular(source, phases, options.seed, FAR_APART_MS))
            file.flush()
            rows = measured(options, file.name, level, method)
            if len(rows) < options.rows:
                wrong.append(f'{phases} ms: {len(rows)} rows')
                continue
            tables = truth.Tables(os.path.join(options.build, 'tma'), file.name)
            found = check_end(tables, machine.Machine(file.name), rows, options.points)
        off += found[0]
        allowed += found[1]
        wrong += [f'{phases} ms: {line}' for line in check_growth(rows) + found[2]]
    if off:
        print(f'{name:<15} {level:>5} {method:>9} {len(off):>6} '
              f'{sum(abs(one) for one in off) / len(off):8.3f} {max(map(abs, off)):8.3f} '
              f'{sum(off) / len(off):8.3f} {max(allowed):8.3f}', flush=True)
    for line in wrong if options.verbose else wrong[:SHOWN]:
        print(f'wrong: {name}, level {level}, {method}, {line}')
    return bool(wrong or not off)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-v', '--verbose', action='store_true', help='print all that is wrong')
    parser.add_argument('-m', '--names', default='sapphirerapids,skylakex,icelakex,alderlake,zen4')
    parser.add_argument('-l', '--levels', default='2,max')
    parser.add_argument('-p', '--phases', default='30,300')
    parser.add_argument('-e', '--methods', default='joint')
    parser.add_argument('-i', '--interval', type=int, default=1000, metavar='MS')
    parser.add_argument('-n', '--rows', type=int, default=40)
    parser.add_argument('-P', '--points', type=float, default=0.15)
    parser.add_argument('-s', '--seed', type=int, default=1, help='of the random phases')
    parser.add_argument('build', help='where tma was built, with its tests')
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)

    print('in points       level  estimate  nodes     mean     most     bias  allowed')
    wrong = [measure(options, name, level, method) for name in options.names.split(',')
             for level in options.levels.split(',') for method in options.methods.split(',')]
    return 1 if any(wrong) else 0


if __name__ == '__main__':
    sys.exit(main())
