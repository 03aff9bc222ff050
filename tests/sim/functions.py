#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Rows of code of a simulated machine: functions.py machine NAME [STAYS], functions.py check
[--rows N] ROWS TEXT

"machine" prints a machine on which a command is in the functions f0, f1 and f2 in turn; each
function loses its slots in another way. "check" compares rows of --format=json --error with this
machine: the share and the level 1 of each function; and it compares the number of events that
samples represent, in the text of -v, with the counts.
"""
import json
import re
import sys

# Shares of slots: retiring, lost to bad speculation, lost to the front end, and lost in the back
# end to memory.
FUNCTIONS = {
    'f0': (0.70, 0.02, 0.08, 0.05),
    'f1': (0.20, 0.02, 0.08, 0.60),
    'f2': (0.25, 0.45, 0.20, 0.03),
}
STAYS = 'f0 30ms f1 50ms f2 20ms'
SHARES = {'f0': 30, 'f1': 50, 'f2': 20}
NAMES = 'retiring', 'bad_speculation', 'frontend_bound', 'backend_bound'
LEAST, MOST = 95, 105  # percent of a count that samples stand for


def machine(name, stays):
    lines = []
    for function, (retiring, bad, frontend, memory) in FUNCTIONS.items():
        backend = 1 - retiring - bad - frontend
        lets = {'retiring': retiring, 'bad_spec': bad, 'fe_bound': frontend}
        if name in ('sapphirerapids', 'alderlake'):
            lets['mem_bound'] = memory
        if name in ('skylakex', 'zen4'):
            lets['mem_share'] = memory / backend
        if name not in ('zen4', 'neoverse-n2'):
            lets['icache_cycles'] = '0.01*cycles'
        if name == 'zen4':
            lets['smt'] = 0
        lines.append(f'at {function}')
        lines += [f'let {key} {value}' for key, value in lets.items()] + ['end']
    print('\n'.join(lines + ['stays ' + stays]))


def truth(function):
    retiring, bad, frontend, _ = FUNCTIONS[function]
    return [100 * part for part in (retiring, bad, frontend, 1 - retiring - bad - frontend)]


def is_off(row, true, least):
    """Return: whether a value is off by more than three times its error of 90 %, plus a few
    percent."""
    return abs(row['value'] - true) > max(3 * row['error'], least)


def check(rows, text, functions):
    wrong = []
    found = {}
    for row in rows:
        found.setdefault((row['function'], row['pmu']), {})[row['name'].removeprefix('tma_')] = row
    hybrid = any(pmu == 'cpu_atom' for _, pmu in found)
    names = {function for function, _ in found}
    if names != functions:
        wrong.append(f'rows of {names}')
    for (function, pmu), values in found.items():
        share = values.get('share')
        # Cores of two types have different numbers of cycles per second, and a task is on both in
        # turn.
        if share and is_off(share, SHARES[function], 2 if hybrid else 0.5):
            wrong.append(f'{function}: share {share["value"]} +- {share["error"]}, not {SHARES[function]}')
        for name, true in zip(NAMES, truth(function)):
            value = values.get(name)
            if value and (value['value'] is None or is_off(value, true, 2.5)):
                wrong.append(f'{function} {pmu}: {name} {value["value"]} +- {value["error"]}, not {true}')
    if not any('backend_bound' in values for values in found.values()):
        wrong.append('no level 1')
    parts = re.findall(r'(\S+): samples represent ([0-9.]+) % of the count', text)
    for event, part in parts:
        if not LEAST <= float(part) <= MOST:
            wrong.append(f'{event}: samples are {part} % of its count')
    if len(parts) < 4:
        wrong.append('sums are not told')
    return wrong


def main():
    if sys.argv[1] == 'machine':
        machine(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else STAYS)
        return 0
    with open(sys.argv[2], encoding='utf-8') as file:
        rows = [json.loads(line) for line in file]
    with open(sys.argv[3], encoding='utf-8') as file:
        wrong = check([row for row in rows if row['type'] == 'metric'], file.read(), set(FUNCTIONS))
    print('\n'.join(wrong))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
