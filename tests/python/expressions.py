# SPDX-License-Identifier: GPL-2.0-only
"""Values of metrics: computed by the evaluator in tests/metrics, from counts that depend only on
names."""

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache

from expression import PYTHON as EXPRESSION
from expression import RUN_TIME as THRESHOLD
from expression import Constants, Evaluator, parse


class _Scope:
    """The numbers of names and literals."""

    def __init__(self, value: Callable[[str], float]):
        self.value = self.literal = lambda name: float(value(name))

    def exists(self, name: str) -> bool:
        return bool(name)

    def sources(self, name: str) -> float:
        """Number of PMUs that an event is counted on: it depends on the name, and is never 0."""
        return 1 + len(name) % 7

    def metric(self, name: str) -> None:
        """No name means another metric: the values of all names are given."""


@cache
def _parse(text: str, is_expression: bool):
    return parse(text, EXPRESSION if is_expression else THRESHOLD)


def evaluate(text: str, value: Callable[[str], float], precedence=EXPRESSION) -> float:
    """Evaluate an expression. value(): the value of a name or literal, whose escapes are resolved."""
    scope = _Scope(value)
    return Evaluator(scope, Constants(scope)).value(_parse(text, precedence is EXPRESSION))


def count_of(name: str, seed: int) -> float:
    """A number for an event or literal, which depends only on its name."""
    words = sorted(re.sub(r"^cpu@|@", " ", name.lower()).replace(",", " ").split())
    digest = hashlib.sha256(f"{seed} {words}".encode()).digest()
    if name.startswith("#"):
        return float(digest[0] % 2)
    # From 1 to 10^6; each magnitude is equally likely.
    return 10 ** (6 * int.from_bytes(digest[:6], "big") / 2 ** 48)


class Model:
    """The metrics of a model, which may refer to each other, by (PMU, name)."""

    def __init__(self, elements: Iterable[dict]):
        self.metrics = {(e.get("Unit", ""), e["MetricName"]): e
                        for e in elements if "MetricName" in e}
        self.values: dict[tuple[str, str, int], float] = {}

    def value(self, pmu: str, name: str, seed: int) -> float:
        """The value of a metric, event or literal."""
        metric = self.metrics.get((pmu, name))
        if metric is None:
            return count_of(name, seed)
        key = pmu, name, seed
        if key not in self.values:
            self.values[key] = evaluate(metric["MetricExpr"], lambda n: self.value(pmu, n, seed))
        return self.values[key]

    def threshold(self, pmu: str, name: str, values: Callable[[str], float]) -> bool | None:
        """Whether the threshold is true for these values of metrics; None if there is no threshold."""
        text = self.metrics[pmu, name].get("MetricThreshold")
        return None if text is None else bool(evaluate(text, values, THRESHOLD))
