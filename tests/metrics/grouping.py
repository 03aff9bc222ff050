#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures how far TopDown metrics are from the truth if their groups take turns, for two ways of
grouping.

    grouping.py TMA LEVEL MACHINE_FILE ...

A line for each machine has its name, the number of values that were compared, and the mean
difference from the truth (see truth.py), in percentage points: with perf's groups, and with groups
by counters. The machine goes through its phases, and groups that take turns see different parts of
these.
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
