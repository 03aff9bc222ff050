# SPDX-License-Identifier: GPL-2.0-only
"""Values of metrics, by the evaluator in tests/metrics and counts that depend on names alone."""

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache

from expression import PYTHON as EXPRESSION
from expression import RUN_TIME as THRESHOLD
from expression import Constants, Evaluator, parse


class _Scope:
    """The source of numbers for names and literals."""

    def __init__(self, value: Callable[[str], float]):
        self.value = self.literal = lambda name: float(value(name))

    def exists(self, name: str) -> bool:
        return bool(name)

    def sources(self, name: str) -> float:
        """How many PMUs an event is counted on: a number of the name, never 0."""
        return 1 + len(name) % 7

    def metric(self, name: str) -> None:
        """No name is another metric's: the values of all names are given."""


@cache
def _parse(text: str, is_expression: bool):
    return parse(text, EXPRESSION if is_expression else THRESHOLD)


def evaluate(text: str, value: Callable[[str], float], precedence=EXPRESSION) -> float:
    """Evaluate an expression. value(): of a name or literal, escapes resolved."""
    scope = _Scope(value)
    return Evaluator(scope, Constants(scope)).value(_parse(text, precedence is EXPRESSION))


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
        self.values: dict[tuple[str, str, int], float] = {}

    def value(self, pmu: str, name: str, seed: int) -> float:
        """For a metric, event or literal."""
        metric = self.metrics.get((pmu, name))
        if metric is None:
            return count_of(name, seed)
        key = pmu, name, seed
        if key not in self.values:
            self.values[key] = evaluate(metric["MetricExpr"], lambda n: self.value(pmu, n, seed))
        return self.values[key]

    def threshold(self, pmu: str, name: str, values: Callable[[str], float]) -> bool | None:
        """Whether the threshold holds for these values of metrics; None without one."""
        text = self.metrics[pmu, name].get("MetricThreshold")
        return None if text is None else bool(evaluate(text, values, THRESHOLD))
