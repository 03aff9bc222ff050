# SPDX-License-Identifier: GPL-2.0-only
"""Reads and evaluates the vendors' metric expressions, from their documentation alone.

MetricExpr has Python's precedence: comparisons bind weaker than | ^ and &. MetricThreshold has
perf's precedence at run time: comparisons bind tighter. lib/metrics/expr.h and program.h define
what operators do with zeros, infinities and missing counts, ids.h which conditions constants
decide, and pmu-events/README.md products with zero.
"""

import math
import re

MISSING = None  # the value of an expression that depends on a missing count
NAN = math.nan

PYTHON = {'<': 1, '>': 1, '|': 2, '^': 3, '&': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6}
RUN_TIME = {'|': 1, '^': 2, '&': 3, '<': 4, '>': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6}

FUNCTIONS = {'min': 2, 'max': 2, 'd_ratio': 2,
             'source_count': 0, 'has_event': 0, 'strcmp_cpuid_str': 0}  # 0: of a name

# Between two @, a name may contain '='. A number ends before a letter that would make it a name.
TOKEN = re.compile(r'''\s*(?:
    (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?)(?![\w.:@?\\])
  | (?P<literal>\#\w+)
  | (?P<name>(?:@(?:[\w.:?=]|\\.)*@|[\w.:@?]|\\.)+)
  | (?P<operator>[-+*/%<>|^&(),])
)''', re.VERBOSE)


class Mistake(Exception):
    """An error in an expression."""


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
    """The event that a word means: without backslashes, and with the only possible text in place of
    "?"."""
    return re.sub(r'\\(.)', r'\1', word).replace('?', '0')


class Parser:
    """Read one expression into tuples: (operator, operand ...)."""

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
            return 'number', int(text) if text.isdigit() else float(text)
        if kind == 'literal':
            return 'literal', text.lower()
        if kind == 'name':
            if text == 'NaN':
                return 'number', NAN
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
    """Return: the tree of an expression."""
    return Parser(text, precedence).whole()


def names_of(tree):
    """The names in a tree."""
    if tree[0] == 'name':
        return {tree[1]}
    return set().union(*(names_of(part) for part in tree[1:] if isinstance(part, tuple)))


def is_number(tree, *values):
    """Return: whether a tree is a constant; if @values are given, one of these."""
    return tree[0] == 'number' and (not values or tree[1] in values)


COMPUTED = {
    '+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b,
    '/': lambda a, b: a / b, '%': lambda a, b: a % b, '&': lambda a, b: a & b,
    '|': lambda a, b: a | b, '^': lambda a, b: a ^ b,
    '<': lambda a, b: int(a < b), '>': lambda a, b: int(a > b),
}


def computed(kind, a, b):
    """The result of an operator for two constants, computed with Python's numbers."""
    try:
        return 'number', COMPUTED[kind](a, b)
    except (TypeError, ArithmeticError) as error:
        raise Mistake(f'{a} {kind} {b}: {error}') from error


def fold(tree):
    """Compute the constants that the text itself has."""
    tree = tuple(fold(part) if isinstance(part, tuple) else part for part in tree)
    if tree[0] in COMPUTED and is_number(tree[1]) and is_number(tree[2]):
        return computed(tree[0], tree[1][1], tree[2][1])
    if tree[0] == 'negative' and is_number(tree[1]):
        return 'number', -tree[1][1]
    return tree


def simplify(tree):
    """Return: the tree without the parts that are dropped when tables are made.

    A constant on the left of an operator counts only if the text has it there, not if it results
    from simplifying.
    """
    parts = tuple(simplify(part) if isinstance(part, tuple) else part for part in tree[1:])
    kind, simple = tree[0], (tree[0], *parts)
    if kind in COMPUTED:
        return simplify_operator(kind, is_number(tree[1]), *parts)
    if kind in ('min', 'max', 'd_ratio') and is_number(parts[0]) and is_number(parts[1]):
        return 'number', OPERATORS[kind](parts[0][1], parts[1][1])
    if kind == 'if' and is_number(parts[1]):
        return parts[2] if is_number(parts[1], 0) else parts[0]
    if kind == 'if' and parts[0] == parts[2]:
        return parts[0]
    return simple


def simplify_operator(kind, written, a, b):
    if is_number(a) and is_number(b):
        try:
            return computed(kind, a[1], b[1])
        except Mistake:
            pass
    slots = b[0] == 'name' and 'slots' in b[1].lower()  # "0 * slots" needs them counted
    if written and kind in '+|' and is_number(a, 0):
        return b
    if kind in '+|' and is_number(b, 0):
        return a
    if kind == '*' and (is_number(b, 0) or (written and is_number(a, 0) and not slots)):
        return 'number', 0
    if kind == '*' and is_number(b, 1):
        return a
    if kind == '*' and written and is_number(a, 1):
        return b
    return kind, a, b


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
    """Return: the remainder of the integer parts, with the sign of the dividend, as in C."""
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
    """Return: whether one side of & or | decides the value."""
    return value is not MISSING and math.isfinite(value) and truth(value) == (operator == '|')


class Constants:
    """The constants: values that are known before anything is counted, because they need no event.

    An operator of constants is a constant. A single constant decides an "if" and a division by
    zero, and may decide & and |. The branches of an "if" may be the same constant. The scope knows
    the machine: literal(name), exists(event) and cpuid_matches(pattern); and other metrics:
    metric(name) is a metric's tree, or None for an event.
    """

    def __init__(self, scope):
        self.scope, self.known = scope, {}

    def value(self, tree):
        """Return: the constant that a tree is, or None."""
        if id(tree) not in self.known:
            self.known[id(tree)] = None  # a tree that refers to itself is not a constant
            value = self.find(tree)
            self.known[id(tree)] = value if value is not None and math.isfinite(value) else None
        return self.known[id(tree)]

    def find(self, tree):
        kind = tree[0]
        if kind == 'source_count':
            return None
        if kind == 'name':
            metric = self.scope.metric(tree[1])
            return None if metric is None else self.value(metric)
        if kind == 'number':
            return float(tree[1])
        if kind == 'literal':
            return self.scope.literal(tree[1])
        if kind == 'has_event':
            return float(self.scope.exists(tree[1]))
        if kind == 'strcmp_cpuid_str':
            return float(self.scope.cpuid_matches(tree[1]))
        operands = [self.value(part) for part in tree[1:]]
        if kind == 'negative':
            return None if operands[0] is None else -operands[0]
        if kind == 'if':
            return self.choice(*operands)
        return self.operator(kind, *operands)

    @staticmethod
    def choice(yes, condition, no):
        if condition is not None:
            return yes if truth(condition) else no
        return yes if yes == no else None

    @staticmethod
    def operator(kind, a, b):
        if kind in '&|':
            if any(side is not None and decides(kind, side) for side in (a, b)):
                return float(kind == '|')
        if kind == 'd_ratio' and b == 0:
            return 0.0
        return None if a is None or b is None else OPERATORS[kind](a, b)


class Evaluator:
    """Compute the values of trees. The scope gives names their meaning: value(name) and
    sources(name).
    """

    def __init__(self, scope, constants):
        self.scope, self.constants = scope, constants

    def value(self, tree):
        kind, known = tree[0], self.constants.value(tree)
        if known is not None:
            return known
        if kind == 'name':
            return self.scope.value(tree[1])
        if kind == 'source_count':
            return float(self.scope.sources(tree[1]))
        if kind in ('literal', 'number'):  # one that is NaN
            return NAN
        if kind == 'negative':
            value = self.value(tree[1])
            return MISSING if value is MISSING else -value
        return self.choice(tree) if kind == 'if' else self.operator(tree)

    def choice(self, tree):
        condition = self.value(tree[2])
        if condition is MISSING:
            return MISSING
        return self.value(tree[1] if truth(condition) else tree[3])

    def operator(self, tree):
        kind, left, right = tree
        if kind in '/%' and self.constants.value(right) == 0:
            return NAN
        a, b = self.value(left), self.value(right)
        if a is MISSING or b is MISSING:
            if kind not in '&|' or not (decides(kind, a) or decides(kind, b)):
                return MISSING
            a, b = (NAN if x is MISSING else x for x in (a, b))
        return OPERATORS[kind](a, b)
