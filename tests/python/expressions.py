# SPDX-License-Identifier: GPL-2.0-only
"""Evaluates the expressions of metrics, sharing nothing with what makes or compiles them."""

import hashlib
import math
import re
from collections.abc import Callable, Iterable

_TOKEN = re.compile(r"""
    \s* (?: (?P<number>  (?: \d+\.?\d* | \.\d+ ) (?:e[-+]?\d+)? (?![\w.\\@:]) )
          | (?P<name>    (?: [\w.:] | \#(?=\w) | \\. | @[^@]*@ )+ )
          | (?P<other>   [-+*/%<>|&^(),] ) ) \s*
""", re.VERBOSE)

# From what binds weakest: MetricExpr is read as Python would, MetricThreshold as the run time does.
EXPRESSION = ("<>", "|", "^", "&", "+-", "*/%")
THRESHOLD = ("|", "^", "&", "<>", "+-", "*/%")

_OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else math.nan, "%": lambda a, b: math.fmod(a, b) if b else math.nan,
    "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "|": lambda a, b: bool(a) or bool(b), "&": lambda a, b: bool(a) and bool(b),
    "^": lambda a, b: bool(a) != bool(b),
}

_FUNCTIONS = {
    "min": min, "max": max, "d_ratio": lambda a, b: a / b if b else 0.0,
    "has_event": lambda a: 1.0, "source_count": lambda a: 1.0,
}


class _Reader:
    """Reads a text and computes on the way; value() gives the numbers of names and literals."""

    def __init__(self, text: str, value: Callable[[str], float], levels: tuple[str, ...]):
        self.text, self.value, self.levels, self.at = text, value, levels, 0
        self.next()

    def next(self) -> None:
        self.token = _TOKEN.match(self.text, self.at)
        if self.token:
            self.at = self.token.end()
        elif self.text[self.at:].strip():
            self.fail()

    def fail(self):
        raise ValueError(f"{self.text!r}: at {self.text[self.at:]!r}")

    def seen(self, *words: str) -> str | None:
        """The next token, taken, if it is one of these."""
        word = self.token.group().strip() if self.token else None
        if word not in words:
            return None
        self.next()
        return word

    def want(self, word: str) -> None:
        if not self.seen(word):
            self.fail()

    def choice(self) -> float:
        yes = self.level(0)
        if not self.seen("if"):
            return yes
        condition = self.level(0)
        self.want("else")
        no = self.choice()
        return yes if condition else no

    def level(self, n: int) -> float:
        if n == len(self.levels):
            return self.sign()
        left = self.level(n + 1)
        while op := self.seen(*self.levels[n]):
            left = float(_OPERATORS[op](left, self.level(n + 1)))
            if op in "<>" and self.levels is EXPRESSION and self.token and self.token["other"] in ("<", ">"):
                self.fail()  # two comparisons joined by "and", in Python
        return left

    def sign(self) -> float:
        return -self.sign() if self.seen("-") else self.atom()

    def atom(self) -> float:
        if self.seen("("):
            number = self.choice()
            self.want(")")
            return number
        token = self.token
        if not token or token["other"]:
            self.fail()
        self.next()
        if token["number"]:
            return float(token["number"])
        if token["name"] in _FUNCTIONS and self.seen("("):
            arguments = [self.choice()]
            while self.seen(","):
                arguments.append(self.choice())
            self.want(")")
            return float(_FUNCTIONS[token["name"]](*arguments))
        return float(self.value(re.sub(r"\\(.)", r"\1", token["name"])))


def evaluate(text: str, value: Callable[[str], float], levels: tuple[str, ...] = EXPRESSION) -> float:
    """What an expression comes to. value(): of a name or literal, escapes resolved."""
    reader = _Reader(text, value, levels)
    number = reader.choice()
    if reader.token:
        reader.fail()
    return number


def count_of(name: str, seed: int) -> float:
    """A number for an event or literal which depends on its name alone."""
    words = sorted(re.sub(r"^cpu@|@", " ", name.lower()).replace(",", " ").split())
    digest = hashlib.sha256(f"{seed} {words}".encode()).digest()
    if name.startswith("#"):
        return float(digest[0] % 2)
    # From 1 to 10^6, evenly over the magnitudes.
    return 10 ** (6 * int.from_bytes(digest[:6], "big") / 2 ** 48)


class Model:
    """The metrics of one model, by (PMU, name), which may refer to each other."""

    def __init__(self, elements: Iterable[dict]):
        self.metrics = {(e.get("Unit", ""), e["MetricName"]): e
                        for e in elements if "MetricName" in e}

    def value(self, pmu: str, name: str, seed: int) -> float:
        """Of a metric, event or literal."""
        metric = self.metrics.get((pmu, name))
        if metric is None:
            return count_of(name, seed)
        return evaluate(metric["MetricExpr"], lambda n: self.value(pmu, n, seed))

    def threshold(self, pmu: str, name: str, values: Callable[[str], float]) -> bool | None:
        """Whether the threshold holds for these values of metrics; None without one."""
        text = self.metrics[pmu, name].get("MetricThreshold")
        return None if text is None else bool(evaluate(text, values, THRESHOLD))
