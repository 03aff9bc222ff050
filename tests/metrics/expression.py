# SPDX-License-Identifier: GPL-2.0-only
"""The vendors' metric expressions: read and evaluated by what is documented of them.

MetricExpr is written with Python's precedence, in which comparisons bind weaker than | ^ and &;
MetricThreshold with that of perf at run time, where they bind tighter. What operators make of zeros,
infinities and counts that are missing is in lib/metrics/expr.h and program.h, what constants decide
in ids.h, and what is computed from a product with zero in pmu-events/README.md.
"""

import math
import re

MISSING = None  # the value of what would come of a count that is missing
NAN = math.nan

PYTHON = {'<': 1, '>': 1, '|': 2, '^': 3, '&': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6}
RUN_TIME = {'|': 1, '^': 2, '&': 3, '<': 4, '>': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6}

FUNCTIONS = {'min': 2, 'max': 2, 'd_ratio': 2,
             'source_count': 0, 'has_event': 0, 'strcmp_cpuid_str': 0}  # 0: of a name

# Between two @ a name may hold '='. A number ends where a letter would make it a name.
TOKEN = re.compile(r'''\s*(?:
    (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?)(?![\w.:@?\\])
  | (?P<literal>\#\w+)
  | (?P<name>(?:@(?:[\w.:?=]|\\.)*@|[\w.:@?]|\\.)+)
  | (?P<operator>[-+*/%<>|^&(),])
)''', re.VERBOSE)


class Mistake(Exception):
    """What is no expression."""


def tokens_of(text):
    """The words of an expression, as (kind, text)."""
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Mistake(f'{text!r}: nothing known at {at}')
        tokens.append((found.lastgroup, found.group(found.lastgroup)))
        at = found.end()
    return tokens


def name_of(word):
    """The event that a word means: backslashes gone, and "?" being the only run there is."""
    return re.sub(r'\\(.)', r'\1', word).replace('?', '0')


class Parser:
    """Reads one expression into tuples: (operator, operand ...)."""

    def __init__(self, text, precedence):
        self.text, self.precedence = text, precedence
        self.tokens, self.at = tokens_of(text), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ('end', '')

    def take(self, kind=None, text=None):
        token = self.peek()
        if (kind and token[0] != kind) or (text and token[1] != text):
            raise Mistake(f'{self.text!r}: {text or kind} expected at word {self.at}')
        self.at += 1
        return token[1]

    def whole(self):
        tree = self.choice()
        self.take('end')
        return tree

    def choice(self):
        value = self.binary(1)
        if self.peek() != ('name', 'if'):
            return value
        self.take()
        condition = self.binary(1)
        self.take('name', 'else')
        return 'if', value, condition, self.choice()

    def binary(self, level):
        left = self.unary()
        while self.peek()[0] == 'operator' and self.precedence.get(self.peek()[1], 0) >= level:
            operator = self.take()
            left = operator, left, self.binary(self.precedence[operator] + 1)
        return left

    def unary(self):
        kind, text = self.peek()
        self.at += 1
        if kind == 'number':
            return 'number', float(text)
        if kind == 'literal':
            return 'literal', text.lower()
        if kind == 'name':
            return self.call(text) if text in FUNCTIONS else ('name', name_of(text))
        if text == '-':
            return 'negative', self.unary()
        if text == '+':
            return self.unary()
        if text == '(':
            value = self.choice()
            self.take('operator', ')')
            return value
        raise Mistake(f'{self.text!r}: no value at word {self.at - 1}')

    def call(self, function):
        self.take('operator', '(')
        if FUNCTIONS[function]:
            operands = [self.choice()]
            while len(operands) < FUNCTIONS[function]:
                self.take('operator', ',')
                operands.append(self.choice())
        else:
            operands = [name_of(self.take('name'))]
        self.take('operator', ')')
        return (function, *operands)


def parse(text, precedence):
    """The tree of an expression."""
    return Parser(text, precedence).whole()


def truth(value):
    return value != 0


def logic_and(a, b):
    if math.isfinite(a) and math.isfinite(b):
        return float(truth(a) and truth(b))
    if math.isfinite(a):
        return b if truth(a) else 0.0
    if math.isfinite(b):
        return a if truth(b) else 0.0
    return NAN


def logic_or(a, b):
    if math.isfinite(a) and math.isfinite(b):
        return float(truth(a) or truth(b))
    if math.isfinite(a):
        return 1.0 if truth(a) else b
    if math.isfinite(b):
        return 1.0 if truth(b) else a
    return NAN


def logic_xor(a, b):
    if math.isfinite(a) and math.isfinite(b):
        return float(truth(a) != truth(b))
    return NAN


def divide(a, b):
    return NAN if b == 0 else a / b


def remainder(a, b):
    """Of the integer parts, with the sign of the dividend, as in C."""
    limit = 2.0 ** 63
    if not (-limit <= a < limit and -limit <= b < limit) or int(b) == 0:
        return NAN
    rest = abs(int(a)) % abs(int(b))
    return float(-rest if a < 0 else rest)


def compare(test):
    return lambda a, b: NAN if math.isnan(a) or math.isnan(b) else float(test(a, b))


OPERATORS = {
    '+': lambda a, b: a + b,
    '-': lambda a, b: a - b,
    '*': lambda a, b: a * b,
    '/': divide,
    '%': remainder,
    '<': compare(lambda a, b: a < b),
    '>': compare(lambda a, b: a > b),
    '&': logic_and,
    '|': logic_or,
    '^': logic_xor,
    'min': lambda a, b: a if a < b else b,
    'max': lambda a, b: a if a > b else b,
    'd_ratio': lambda a, b: 0.0 if b == 0 else a / b,
}


def decides(operator, value):
    """Whether one side of & or | is enough to know the value."""
    return value is not MISSING and math.isfinite(value) and truth(value) == (operator == '|')


def is_constant(tree):
    """Whether no event can change the value."""
    if tree[0] == 'name' or tree[0] == 'source_count':
        return False
    return all(is_constant(part) for part in tree[1:] if isinstance(part, tuple))


class Evaluator:
    """The value of trees.

    What a name is, a scope knows: value(name), sources(name), exists(name), literal(name) and
    cpuid_matches(pattern). Constants are as wide as the machine: #smt_on is one.
    """

    def __init__(self, scope, simplified):
        self.scope, self.simplified = scope, simplified

    def value(self, tree):
        kind = tree[0]
        if kind == 'number':
            return tree[1]
        if kind == 'name':
            return self.scope.value(tree[1])
        if kind == 'literal':
            return self.scope.literal(tree[1])
        if kind == 'negative':
            value = self.value(tree[1])
            return MISSING if value is MISSING else -value
        if kind == 'if':
            return self.choice(tree)
        if kind == 'source_count':
            return float(self.scope.sources(tree[1]))
        if kind == 'has_event':
            return float(self.scope.exists(tree[1]))
        if kind == 'strcmp_cpuid_str':
            return float(self.scope.cpuid_matches(tree[1]))
        return self.operator(tree)

    def choice(self, tree):
        condition = self.value(tree[2])
        if condition is MISSING:
            return MISSING
        return self.value(tree[1] if condition != 0 else tree[3])

    def zero(self, tree):
        return is_constant(tree) and self.value(tree) == 0

    def operator(self, tree):
        kind, left, right = tree
        if kind in '/%' and self.zero(right):
            return NAN
        if kind == 'd_ratio' and self.zero(right):
            return 0.0
        if kind == '*' and self.simplified and self.is_zero_product(left, right):
            return 0.0
        a, b = self.value(left), self.value(right)
        if a is MISSING or b is MISSING:
            if kind not in '&|' or not (decides(kind, a) or decides(kind, b)):
                return MISSING
            a, b = (NAN if x is MISSING else x for x in (a, b))
        return OPERATORS[kind](a, b)

    @staticmethod
    def is_zero_product(left, right):
        """A 0 written in the JSON; one before slots is there to have them counted."""
        if right == ('number', 0.0):
            return True
        return left == ('number', 0.0) and not (right[0] == 'name' and 'slots' in right[1].lower())
