#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the functions in an answer of "tma why -j", on a machine of functions.py: why_functions.py
ANSWER

f0, f1 and f2 each have the share and the level 1 that the machine gives them, within the errors.
The bottleneck of f1 is on the way of the whole, and the bottleneck of f2 is not.
"""
import json
import sys

import functions

LEAST = 2.5  # points that a value may be off in addition to its error
# Without thresholds the largest lost share is the bottleneck, which is the same for f0.
SIDES = {'f0': {'not-certain', 'elsewhere', 'on-path'}, 'f1': {'on-path'}, 'f2': {'elsewhere'}}
BAD_SPECULATION = 'bad_speculation', 'bad_speculation_mispredicts'


def check(answer):
    wrong = []
    ways = answer['answers']
    if not ways or not all(way['functions'] for way in ways):
        wrong.append('a way is without functions')
    for way in ways:
        shares = [f['share'] for f in way['functions']]
        if shares != sorted(shares, reverse=True):
            wrong.append(f'not in the order of shares: {shares}')
        for f in way['functions']:
            name = f['function']
            if name not in functions.FUNCTIONS:
                wrong.append(f'{name}: not a function of this program')
                continue
            label = f'{name} {way["pmu"]}'
            if abs(f['share'] - functions.SHARES[name]) > max(3 * f['error'], 2):
                wrong.append(f'{label}: share {f["share"]} +- {f["error"]}')
            values = {node['name'].removeprefix('tma_'): node for node in f['nodes']}
            for level_1, true in zip(functions.NAMES, functions.truth(name)):
                value = values.get(level_1)
                if not value or functions.is_off(value, true, LEAST):
                    wrong.append(f'{label}: {level_1} {value}, not {true}')
            if f['side'] not in SIDES[name]:
                wrong.append(f'{label}: side {f["side"]}, bottleneck {f["bottleneck"]}')
            if name == 'f2' and f['bottleneck'].removeprefix('tma_') not in BAD_SPECULATION:
                wrong.append(f'{label}: bottleneck {f["bottleneck"]}')
    return wrong


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        wrong = check(json.load(file))
    print('\n'.join(wrong))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
