# SPDX-License-Identifier: GPL-2.0-only
"""Metrics that no vendor would write: every operator is inside every other, with no more brackets
than necessary. The vendors' own metrics hardly ever depend on precedence.
"""

import json
import os
import random

import expression

EVENTS = ('A', 'B.C', 'ev_1', 'topdown\\-retiring', 'cpu@E\\,cmask\\=1@', 'TOPDOWN.SLOTS', 'X:u',
          'EV:R', 'cpu_core@EV@R', 'msr@tsc\\,cpu=cpu_core@')
LITERALS = ('#smt_on', '#num_cores', '#has_pmem')
NUMBERS = ('0', '1', '2', '0.5', '1000', '1e9', '0.001', '7')
OPERATORS = tuple('+-*/%<>|^&')
CALLS = ('min', 'max', 'd_ratio')
TIGHT = 9  # binds tighter than any operator


class Writer:
    """Writes expressions in one of the two languages."""

    def __init__(self, dice, precedence, metrics):
        self.dice, self.precedence = dice, precedence
        self.names = EVENTS + tuple(metrics)

    def leaf(self):
        kind = self.dice.random()
        if kind < 0.7:
            return self.dice.choice(self.names)
        if kind < 0.9:
            return self.dice.choice(NUMBERS)
        if kind < 0.95:
            return self.dice.choice(LITERALS)
        return f'{self.dice.choice(("source_count", "has_event"))}({self.dice.choice(EVENTS)})'

    def binary(self, depth):
        operator = self.dice.choice(OPERATORS)
        level = self.precedence[operator]
        # Python chains comparisons: "a < b < c" does not compare (a < b) with c.
        chains = self.precedence is expression.PYTHON and operator in '<>'
        left = self.bracketed(depth, level + chains)
        return f'{left} {operator} {self.bracketed(depth, level + 1)}', level

    def text(self, depth):
        """Make an expression. Return: its text, and how tight its weakest operator binds."""
        kind = self.dice.random()
        if depth == 0 or kind < 0.1:
            return self.leaf(), TIGHT
        if kind < 0.75:
            return self.binary(depth - 1)
        if kind < 0.82:
            return f'-{self.bracketed(depth - 1, TIGHT)}', TIGHT
        if kind < 0.92:
            operands = ', '.join(self.bracketed(depth - 1, 1) for _ in range(2))
            return f'{self.dice.choice(CALLS)}({operands})', TIGHT
        value, condition = (self.bracketed(depth - 1, 1) for _ in range(2))
        return f'{value} if {condition} else {self.text(depth - 1)[0]}', 0

    def bracketed(self, depth, level):
        text, weakest = self.text(depth)
        return f'({text})' if weakest < level else text


def text_of(writer, depth):
    """Make an expression whose constants have values: Python has neither 1e9 | 2 nor 1 / 0."""
    while True:
        text = writer.text(depth)[0]
        try:
            expression.fold(expression.parse(text, expression.PYTHON))
            return text
        except expression.Mistake:
            pass


def write(folder, number, seed):
    """Make a model with this many metrics; each of them may refer to earlier ones."""
    dice, metrics, names = random.Random(seed), [], []
    for i in range(number):
        value = Writer(dice, expression.PYTHON, names[-3:])
        threshold = Writer(dice, expression.RUN_TIME, names[-3:])
        metrics.append({'MetricName': f'made_up_{i}',
                        'MetricExpr': text_of(value, dice.randrange(1, 5)),
                        'MetricThreshold': text_of(threshold, dice.randrange(1, 4)),
                        'BriefDescription': 'made up'})
        names.append(f'made_up_{i}' if i % 3 else f'MADE_up_{i}')
    os.makedirs(folder)
    with open(os.path.join(folder, 'metrics.json'), 'w', encoding='ascii') as file:
        json.dump(metrics, file, indent=1)
