# SPDX-License-Identifier: GPL-2.0-only
"""Metrics written in Python, printed as the JSON that gen-tables reads.

An expression combines events, metrics, literals and numbers with Python's operators:

    clks = Metric("clks", Event("CPU_CLK_UNHALTED.THREAD"), "Cycles in which the thread ran")
    stalled = Metric("stalled", Event("EXE.STALLS", cmask=4) / clks, "Share of stalled cycles",
                     scale="100%", groups=["Summary"])
    stalled.threshold = stalled > 0.2

Expressions are simplified as they are made: constants are computed, and x + 0, x * 1, x * 0 and
choices between equals disappear. also_count() keeps an event that has no effect on the value.

A Table holds the metrics of a model, checks them against each other and against the model's events,
and makes the contents of metrics.json and metricgroups.json. run() is the main program of a file
that makes a table.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path


class MetricError(Exception):
    """A mistake in a metric, described for its author."""


# MetricExpr is read with Python's precedence, and MetricThreshold with that of perf's parser, in
# which comparisons bind tighter than | ^ &. A text gets the brackets that either of them needs, so
# that both can read it.
_PYTHON = {"if": 0, "<": 1, ">": 1, "|": 2, "^": 3, "&": 4,
           "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "sign": 7, "atom": 8}
_RUN_TIME = _PYTHON | {"|": 1, "^": 2, "&": 3, "<": 4, ">": 4}


class Expr:
    """A node of an expression; its operators make new nodes, simplified."""

    kind = "atom"

    def text(self) -> str:
        """Return the expression as it is in JSON (before JSON doubles the backslashes)."""
        raise NotImplementedError

    def operands(self) -> tuple[Expr, ...]:
        return ()

    def leaves(self) -> Iterator[Expr]:
        """Yield all nodes without operands: events, metrics, literals, constants."""
        if not self.operands():
            yield self
        for operand in self.operands():
            yield from operand.leaves()

    def __add__(self, other): return _operator("+", self, other)
    def __radd__(self, other): return _operator("+", other, self)
    def __sub__(self, other): return _operator("-", self, other)
    def __rsub__(self, other): return _operator("-", other, self)
    def __mul__(self, other): return _operator("*", self, other)
    def __rmul__(self, other): return _operator("*", other, self)
    def __truediv__(self, other): return _operator("/", self, other)
    def __rtruediv__(self, other): return _operator("/", other, self)
    def __mod__(self, other): return _operator("%", self, other)
    def __rmod__(self, other): return _operator("%", other, self)
    def __lt__(self, other): return _operator("<", self, other)
    def __gt__(self, other): return _operator(">", self, other)
    def __and__(self, other): return _operator("&", self, other)
    def __rand__(self, other): return _operator("&", other, self)
    def __or__(self, other): return _operator("|", self, other)
    def __ror__(self, other): return _operator("|", other, self)
    def __xor__(self, other): return _operator("^", self, other)
    def __rxor__(self, other): return _operator("^", other, self)

    def __neg__(self):
        if isinstance(self, Constant):
            return Constant(-self.value)
        return self.operand if isinstance(self, _Negative) else _Negative(self)

    def __bool__(self):
        # "if a < b" and "a < b < c" would need the value now, but it is known only after measuring.
        raise TypeError(f"'{self.text()}' has no value before it is measured; use Select() and &")


@dataclass(frozen=True)
class Constant(Expr):
    """A number."""

    value: float

    @property
    def kind(self) -> str:
        return "sign" if self.value < 0 else "atom"

    def text(self) -> str:
        short = f"{self.value:g}"
        if float(short) != self.value:
            short = repr(self.value)
        mantissa, e, exponent = short.partition("e")
        return f"{mantissa}e{int(exponent)}" if e else short


@dataclass(frozen=True)
class Literal(Expr):
    """A fact about the machine, known before counting: #SMT_on, #num_cpus_online, #has_pmem ..."""

    name: str

    def __post_init__(self):
        if not self.name.startswith("#"):
            raise MetricError(f"literal '{self.name}' does not begin with '#'")

    def text(self) -> str:
        return self.name


class Event(Expr):
    """An event's count.

    name:     as in the model's event files, or as in sysfs (see listed)
    pmu:      the PMU, for events of another PMU than the metric's ("cpu_atom", "msr")
    listed:   False for events that are not in the event files: topdown-retiring, tsc, duration_time
    modifier: follows the name, "R" or "k"
    terms:    further terms of the encoding, cmask=1; with True (edge=True) only the word is written
    """

    def __init__(self, name: str, pmu: str = "", listed: bool = True, modifier: str = "", **terms):
        self.name, self.pmu, self.listed = name, pmu, listed
        self.modifier, self.terms = modifier, terms

    def latency(self) -> Event:
        """Return the event's mean retire latency in cycles, which is sampled."""
        return Event(self.name, self.pmu, self.listed, "R", **self.terms)

    def text(self) -> str:
        # Text between @ signs means the same as text between slashes after -e.
        words = [f"{term}={value}" if value is not True else term
                 for term, value in self.terms.items()]
        words.insert(0, self.name)
        text = "".join(f"\\{c}" if c in "-,=" else c for c in ",".join(words))
        if self.terms or self.pmu:
            return f"{self.pmu or 'cpu'}@{text}@{self.modifier}"
        return f"{text}:{self.modifier}" if self.modifier else text

    def __eq__(self, other):
        return isinstance(other, Event) and self.text() == other.text()

    def __hash__(self):
        return hash(self.text())


@dataclass(frozen=True)
class Reference(Expr):
    """A metric by name, for a Metric that does not exist yet."""

    name: str

    def text(self) -> str:
        return self.name


@dataclass(frozen=True)
class _Operator(Expr):
    op: str
    left: Expr
    right: Expr

    @property
    def kind(self) -> str:
        return self.op

    def operands(self):
        return self.left, self.right

    def text(self) -> str:
        # Operators associate to the left. (Python would read a < b < c as a chained comparison.)
        left = _in_brackets(self.left, self.op, also_equal=self.op in "<>")
        return f"{left} {self.op} {_in_brackets(self.right, self.op, also_equal=True)}"


@dataclass(frozen=True)
class _Negative(Expr):
    operand: Expr
    kind = "sign"

    def operands(self):
        return (self.operand,)

    def text(self) -> str:
        return f"-{_in_brackets(self.operand, self.kind)}"


@dataclass(frozen=True)
class _Function(Expr):
    name: str
    arguments: tuple[Expr, ...]

    def operands(self):
        return self.arguments

    def text(self) -> str:
        # The kernel's tools need brackets around a choice even as an argument.
        arguments = (_in_brackets(argument, "if", also_equal=True) for argument in self.arguments)
        return f"{self.name}({', '.join(arguments)})"


@dataclass(frozen=True)
class _Choice(Expr):
    yes: Expr
    condition: Expr
    no: Expr
    kind = "if"

    def operands(self):
        return self.yes, self.condition, self.no

    def text(self) -> str:
        yes = _in_brackets(self.yes, "if", also_equal=True)
        condition = _in_brackets(self.condition, "if", also_equal=True)
        return f"{yes} if {condition} else {self.no.text()}"


def _in_brackets(operand: Expr, parent: str, also_equal: bool = False) -> str:
    """Return an operand's text, in brackets if either language needs them."""
    below = 1 if also_equal else 0
    if any(order[operand.kind] < order[parent] + below for order in (_PYTHON, _RUN_TIME)):
        return f"({operand.text()})"
    return operand.text()


def _expr(value) -> Expr:
    if isinstance(value, Expr):
        return value
    if isinstance(value, (int, float)):
        return Constant(value)
    raise MetricError(f"{value!r} is no part of an expression")


_COMPUTE: dict[str, Callable] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b, "%": lambda a, b: a % b,
    "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b),
    "|": lambda a, b: int(bool(a) or bool(b)), "&": lambda a, b: int(bool(a) and bool(b)),
    "^": lambda a, b: int(bool(a) != bool(b)),
}


def _operator(op: str, left, right) -> Expr:
    left, right = _expr(left), _expr(right)
    zero, one = Constant(0), Constant(1)
    if op in "/%" and right == zero:
        raise MetricError(f"'{left.text()}' is divided by 0")
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(_COMPUTE[op](left.value, right.value))
    if op == "+" and left == zero or op == "*" and left == one:
        return right
    if op in "+-" and right == zero or op in "*/" and right == one:
        return left
    if op == "*" and zero in (left, right) or op == "/" and left == zero:
        return zero
    return _Operator(op, left, right)


def also_count(event: Expr) -> Expr:
    """Return an expression that is 0, but counts an event: slots, which must lead TopDown events."""
    return _Operator("*", Constant(0), event)


def Select(yes, condition, no) -> Expr:  # pylint: disable=invalid-name # reads as a class
    """Return an expression: one value if the condition is true, else another."""
    yes, condition, no = _expr(yes), _expr(condition), _expr(no)
    if isinstance(condition, Constant):
        return yes if condition.value else no
    return yes if yes == no else _Choice(yes, condition, no)


def _smaller_or_larger(name: str, compute: Callable, left, right) -> Expr:
    left, right = _expr(left), _expr(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(compute(left.value, right.value))
    return left if left == right else _Function(name, (left, right))


def minimum(left, right) -> Expr:
    """Return an expression for the smaller of two values."""
    return _smaller_or_larger("min", min, left, right)


def maximum(left, right) -> Expr:
    """Return an expression for the larger of two values."""
    return _smaller_or_larger("max", max, left, right)


def d_ratio(left, right) -> Expr:
    """Return an expression for a quotient that is 0 if the divisor is 0."""
    left, right = _expr(left), _expr(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(left.value / right.value if right.value else 0)
    return _Function("d_ratio", (left, right))


def has_event(event: Event) -> Expr:
    """Return an expression that is 1 if the machine has the event, else 0."""
    return _Function("has_event", (event,))


@dataclass(eq=False)
class Metric(Expr):
    """A metric. In another metric's expression it means its value.

    brief:         one sentence, for lists; public: the rest of the description
    groups:        the metric groups it is in
    scale:         ScaleUnit: the factor for the value, and the unit to print
    threshold:     true if the value calls for attention; can be set later, when all metrics exist
    constraint:    MetricConstraint, NO_GROUP_EVENTS ...
    unit:          the PMU of its events on a hybrid machine, "cpu_core" default_group:
    DefaultMetricgroupName: the heading under which it is printed by default
    no_group:      MetricgroupNoGroup: those of its groups whose events need not be counted together
    """

    name: str
    expr: Expr | float
    brief: str
    public: str = ""
    groups: Iterable[str] = ()
    scale: str = ""
    threshold: Expr | None = None
    constraint: str = ""
    unit: str = ""
    default_group: str = ""
    no_group: Iterable[str] = ()

    def __post_init__(self):
        self.expr = _expr(self.expr)
        self.groups, self.no_group = tuple(self.groups), tuple(self.no_group)

    def text(self) -> str:
        return self.name

    def json(self) -> dict[str, str]:
        """Return the element of metrics.json; fields without a value are left out."""
        fields = {
            "MetricName": self.name,
            "BriefDescription": self.brief,
            "PublicDescription": self.public,
            "MetricExpr": self.expr.text(),
            "MetricGroup": ";".join(sorted(self.groups)),
            "MetricThreshold": "" if self.threshold is None else self.threshold.text(),
            "MetricConstraint": self.constraint,
            "MetricgroupNoGroup": ";".join(self.no_group),
            "DefaultMetricgroupName": self.default_group,
            "ScaleUnit": self.scale,
            "Unit": self.unit,
        }
        return {name: value for name, value in fields.items() if value}

    def expressions(self) -> list[Expr]:
        """List its expression and, if it has one, its threshold."""
        return [expr for expr in (self.expr, self.threshold) if expr is not None]


@dataclass(frozen=True)
class MetricGroup:
    """The description of a group in Metric.groups."""

    name: str
    description: str


@dataclass
class Table:
    """The metrics of one model."""

    metrics: list[Metric] = field(default_factory=list)
    groups: dict[str, MetricGroup] = field(default_factory=dict)

    def add(self, metric: Metric) -> Metric:
        self.metrics.append(metric)
        return metric

    def describe(self, groups: Iterable[MetricGroup]) -> None:
        self.groups |= {group.name: group for group in groups}

    def check(self, events: set[tuple[str, str]]) -> list[str]:
        """List mistakes, a line each. events: (PMU, NAME in capitals) of all events of the model."""
        wrong: list[str] = []
        known: set[tuple[str, str]] = set()
        for metric in self.metrics:
            if (metric.unit, metric.name) in known:
                wrong.append(f"{metric.name}: is there twice")
            known.add((metric.unit, metric.name))
        for metric in self.metrics:
            wrong += [f"{metric.name}: {what}" for what in self._check_fields(metric)]
            for leaf in {leaf for expr in metric.expressions() for leaf in expr.leaves()}:
                what = _check_leaf(metric, leaf, known, events)
                if what:
                    wrong.append(f"{metric.name}: {what}")
        return wrong

    def _check_fields(self, metric: Metric) -> Iterator[str]:
        if not metric.brief:
            yield "has no description"
        for name in metric.groups:
            if name not in self.groups:
                yield f"its group {name} has no description"
        for name in {metric.default_group, *metric.no_group} - {"", *metric.groups}:
            yield f"is not in the group {name} of its other fields"

    def metrics_json(self) -> str:
        return _json_text([metric.json() for metric in self.metrics])

    def groups_json(self) -> str:
        used = {name for metric in self.metrics for name in metric.groups}
        return _json_text({name: self.groups[name].description for name in sorted(used)})


def _check_leaf(metric: Metric, leaf: Expr, metrics: set, events: set) -> str:
    if isinstance(leaf, (Metric, Reference)):
        if (metric.unit, leaf.name) not in metrics:
            return f"refers to {leaf.name}, which is no metric of {metric.unit or 'this model'}"
    elif isinstance(leaf, Event):
        if leaf.pmu != metric.unit and (leaf.listed or leaf.pmu.startswith("cpu_")):
            return f"{leaf.text()} is not an event of {metric.unit or 'the core'}"
        if leaf.listed and (leaf.pmu, leaf.name.upper()) not in events:
            return f"{leaf.name} is no event of the model"
    return ""


def _json_text(value) -> str:
    return json.dumps(value, indent=4) + "\n"


def read_events(folders: Iterable[Path]) -> set[tuple[str, str]]:
    """Read the (PMU, NAME) of all events in a model's JSON files."""
    events = set()
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            try:
                content = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise MetricError(f"{path}: {error}") from error
            for element in content if isinstance(content, list) else []:
                if "EventName" in element:
                    events.add((element.get("Unit", ""), element["EventName"].upper()))
    return events


def run(make: Callable[[], Table]) -> None:
    """Run the main program of a model's metrics.py: check the table and write its two files."""
    parser = argparse.ArgumentParser(description="Write metrics.json and metricgroups.json of a model.")
    parser.add_argument("--events", type=Path, action="append", required=True, metavar="DIR",
                        help="a folder with JSON files of the model's events")
    parser.add_argument("-o", dest="out", type=Path, required=True, metavar="DIR",
                        help="the folder to write to")
    args = parser.parse_args()
    try:
        table = make()
        wrong = table.check(read_events(args.events))
    except (MetricError, OSError) as error:
        wrong = [str(error)]
    if wrong:
        sys.exit("\n".join(f"{sys.argv[0]}: {what}" for what in wrong))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "metricgroups.json").write_text(table.groups_json(), encoding="utf-8")
    (args.out / "metrics.json").write_text(table.metrics_json(), encoding="utf-8")
