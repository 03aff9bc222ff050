#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How far TopDown metrics are off where their groups take turns, by the way they are grouped.

    grouping.py TMA LEVEL MACHINE_FILE ...

A line for each machine: its name, how many values were compared, and the mean of how far they are
off the truth (see truth.py), in percentage points: grouped as perf does it, and by counters. The
machine goes through its phases, which groups that take turns see different parts of.
"""

import math
import os
import sys

import machine
import truth


def errors(tables, model, tma, path, level, grouping):
    """Return: the error of each value of the level, in each interval."""
    measured = truth.Measured(tma, path, tables.pmus(), '--topdown', '--no-metric-only',
                              '--td-level', str(level), '--interval-count',
                              str(truth.INTERVALS), f'--grouping={grouping}')
    found = {}
    for span, values in measured.spans():
        scopes = {pmu: truth.Truth(tables, model, pmu, span) for pmu in tables.pmus()}
        for metric in tables.of_level(level):
            real = scopes[metric.pmu].of(metric)
            if not math.isnan(real):
                found[span, metric.key] = abs(values.get(metric.key, math.nan) - real)
    return found


def main():
    tma, level, *paths = sys.argv[1:]
    for path in paths:
        tables, model = truth.Tables(tma, path), machine.Machine(path)
        means = []
        for grouping in 'perf', 'counters':
            found = errors(tables, model, tma, path, int(level), grouping)
            means.append(sum(found.values()) / len(found))
        print(f'{os.path.basename(path)} {len(found)} {means[0]:.3f} {means[1]:.3f}')


if __name__ == '__main__':
    main()
