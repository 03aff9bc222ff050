# SPDX-License-Identifier: GPL-2.0-only
"""Make JSON tables from formulas and encodings; models that have the same core share one set.

A file consists of entries; a line that begins with # is a comment:

    include lioncove unit cpu_core   another file of the same kind, for one kind of core;
    include lioncove levels 2        this many levels of its tree, and all that they refer to
    include intel for skylakex       the metrics of one model from a file for several models, whose
                                     events are in the kernel's tables
    unit cpu_core                    the kind of core that the following metrics and events are for
    models ICX icelake icelakex      a word for several models, which later such words may contain

    tma_l2_bound                     a metric; its lines are indented:
            = (A.B - A.C) / clks     the formula, which may continue on the next lines
            level 3 below tma_memory_bound
                                     its place in the tree; it is a share, and is in the groups of
                                     its level and of its parent's parts
            over 0.05                calls for attention above this if its parent does;
                                     "alone": without regard to its parent
            threshold a > 1 & b < 2  any other condition
            scale 1per_instr         the unit of a metric that is not a share
            in BvML MemoryBound      its groups
            sample A.B C.D_PS        the events to sample for it; _PS marks precise ones
            default                  printed when no event or metric is named
            constraint NO_GROUP_EVENTS as in JSON
            was tma_dram_bound       its older names, which can still be used
            for ICX alderlake/cpu_core
                                     the lines up to the next "for" apply to these models, or to one
                                     kind of their cores, only; other models do not have the metric

    topic cache                      the topic under which the following events are listed
    A.B EventCode=0xd0 UMask=0x11    an event, with the fields of JSON (Counter=Fixed_counter_1)

Terms and a modifier follow the name of an event in a formula (A.B,cmask=1 and A.B:R); an event of
another PMU is written between @ signs (msr@tsc@). A minus between operands has blanks around it.
words.txt describes metrics and events by name; "cpu_atom NAME" there is for E-cores only.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "overlay"))
# pylint: disable-next=wrong-import-position
from groups import AREAS, children_of, level_groups  # noqa: E402

OVERLAY = Path(__file__).resolve().parent / "overlay"
WORDS = {"if", "else", "min", "max", "d_ratio", "has_event", "source_count", "NaN"}
KERNEL = {"duration_time", "tsc", "cycles", "cpu-cycles", "instructions", "context-switches"}
_TOKEN = re.compile(r"(?P<skip>\b\w+@[^@]+@\w*|\d[\w.]*|\.\d\w*|#\w+)|"
                    r"(?P<name>[A-Za-z_](?:[\w.]|-(?=[a-z]))*)(?P<terms>(?:,\w+(?:=\w+)?)*)(?::(?P<modifier>\w+))?")
_TOPDOWN = re.compile(r"topdown-")
# Names of events in the kernel's tables: those of Intel's cores, and of AMD's, which begin with
# their unit; those of other PMUs; and the kernel's own names, such as cycles-t.
_EVENT = re.compile(r"[A-Z][A-Z0-9_]*(\.[A-Z0-9_]+)*$|(bp|de|ex|fp|ic|l2|l3|ls)_[a-z0-9_]+(\.\w+)*$")
_OUTSIDE = re.compile(r"UNC_|[a-z]+-[a-z-]+$")


class FormulaError(Exception):
    """A mistake in a file, described for its author."""


def names(text: str) -> Iterator[str]:
    """Yield the events and metrics of an expression, except those of other PMUs."""
    for match in _TOKEN.finditer(text):
        if match["name"] and match["name"] not in WORDS:
            yield match["name"]


def level_of(groups: list[str]) -> int:
    """Find the level in the tree by the names of a metric's groups. Return: 0 if the metric is not
    in the tree."""
    return next((int(g[-1]) for g in groups if re.fullmatch(r"TopdownL\d", g)), 0)


def parent_of(groups: list[str], metrics) -> str:
    """Find the parent in the tree: the metric whose children's group is one of the groups."""
    of_parts = [group.removesuffix("_group") for group in groups if group.endswith("_group")]
    return next((name for name in of_parts if name in metrics), "")


def tree_groups(level: int, parent: str) -> list[str]:
    """List the groups that a place in the tree implies."""
    return [group.name for group in level_groups(level)] + ([f"{parent}_group"] if parent else [])


def spelled_out(words: list[str], sets: dict[str, list[str]]) -> list[str]:
    """Replace words that mean several models by these models."""
    return [model for word in words for model in sets.get(word, [word])]


@dataclass
class Metric:
    """A metric, as its entry describes it."""

    name: str
    unit: str
    formula: str = ""
    level: int = 0
    parent: str = ""
    over: str = ""
    alone: bool = False
    threshold: str = ""
    scale: str = ""
    groups: list[str] = field(default_factory=list)
    sampled: list[str] = field(default_factory=list)
    default: bool = False
    constraint: str = ""
    before: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    # The formula may name events that only the kernel's tables have.
    of_kernel: bool = False

    def line(self, text: str) -> None:
        """Read a line of the entry."""
        word, _, rest = text.partition(" ")
        if word == "=":
            self.formula = rest
        elif word == "level":
            level, _, parent = rest.partition(" below ")
            if not re.fullmatch("[1-6]", level):
                raise FormulaError(f"the level of {self.name} is '{level}', not 1 to 6")
            self.level, self.parent = int(level), parent
        elif word == "over":
            self.over, _, alone = rest.partition(" ")
            self.alone = bool(alone)
        elif word == "in":
            self.groups += rest.split()
        elif word == "sample":
            self.sampled = rest.split()
        elif word == "was":
            self.before = rest.split()
        elif word == "default":
            self.default = True
        elif word in ("threshold", "scale", "constraint"):
            setattr(self, word, rest)
        else:
            self.formula += " " + text


class Variants:
    """Chooses those lines of a file for several models that apply to one of these."""

    def __init__(self, model: str, unit: str) -> None:
        self.model, self.key = model, f"{model}/{unit}" if unit else model
        self.sets: dict[str, list[str]] = {}
        self.chosen = True

    def line(self, metric: Metric, words: list[str]) -> None:
        """Give a metric a line of its entry, if the line applies to this model."""
        if words[0] == "for":
            models = spelled_out(words[1:], self.sets)
            for model in models:
                if model in metric.models:
                    raise FormulaError(f"{metric.name} has two variants for {model}")
            metric.models += models
            self.chosen = self.key in models
        elif self.chosen:
            metric.line(" ".join(words))

    def have(self, metric: Metric) -> bool:
        """Find out whether this model has a metric of the file."""
        return not metric.models or not self.model or self.key in metric.models


class Source:
    """The entries of a model's file and of the files that it includes."""

    def __init__(self, alone: bool = False) -> None:
        self.metrics: dict[tuple[str, str], Metric] = {}
        self.events: dict[tuple[str, str], tuple[str, dict[str, str]]] = {}
        self.alone = alone
        # Events that JSON files of the model have.
        self.beside: set[str] = set()

    def read(self, path: Path, unit: str = "", levels: int = 0, model: str = "") -> None:
        """Add a file's entries, which replace earlier ones. model: the model that variants are
        chosen for."""
        topic, metric, its, variants = "other", None, Source(), Variants(model, unit)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            words = line.split()
            if not words or line.startswith("#"):
                continue
            if line[0] in "\t " and metric:
                try:
                    variants.line(metric, words)
                except FormulaError as error:
                    raise FormulaError(f"{path}:{number}: {error}") from None
            elif words[0] == "models":
                variants.sets[words[1]] = spelled_out(words[2:], variants.sets)
            elif words[0] == "unit":
                unit = words[1] if len(words) > 1 else ""
            elif words[0] == "topic":
                topic = words[1]
            elif words[0] == "include":
                options = dict(zip(words[2::2], words[3::2]))
                if self.alone and "for" in options:
                    continue
                its.read(OVERLAY / f"{words[1]}.txt", options.get("unit", unit), int(options.get("levels", 0)),
                         options.get("for", ""))
            elif len(words) > 1 and all("=" in word for word in words[1:]):
                fields = dict(word.split("=", 1) for word in words[1:])
                if "Counter" in fields:
                    fields["Counter"] = fields["Counter"].replace("_", " ")
                its.events[fields.get("Unit", unit), words[0]] = (topic, fields)
            elif len(words) == 1:
                metric = its.metrics[unit, words[0]] = Metric(words[0], unit, of_kernel=bool(model))
                variants.chosen = True
            else:
                raise FormulaError(f"{path}:{number}: '{line}' is neither a metric nor an event")
        its.metrics = {key: metric for key, metric in its.metrics.items()
                       if variants.have(metric)}
        if levels:
            its.cut(levels)
        self.metrics.update(its.metrics)
        self.events.update(its.events)

    def cut(self, levels: int) -> None:
        """Keep only some levels of the tree, and the metrics and events that these refer to."""
        left: dict[tuple[str, str], Metric] = {}
        todo = [key for key, metric in self.metrics.items() if 0 < metric.level <= levels]
        while todo:
            key = todo.pop()
            if key in self.metrics and key not in left:
                metric = left[key] = self.metrics[key]
                todo += [(key[0], name) for name in names(f"{metric.formula} {metric.threshold}")]
        used = {(unit, name) for unit, name in left}
        for metric in left.values():
            used |= {(metric.unit, name.upper()) for name in names(metric.formula)}
            used |= {(metric.unit, name.removesuffix("_PS")) for name in metric.sampled}
        self.metrics = left
        self.events = {key: event for key, event in self.events.items() if key in used}


class Words:
    """Descriptions by name, a line each: a short one and, after a bar, further text.

    If a name ends in *, it matches names that end in a number, and a * in the description is
    replaced by this number.
    """

    def __init__(self, path: Path):
        self.texts: dict[str, tuple[str, str]] = {}
        self.used: set[str] = set()
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                name, _, text = line.partition(": ")
                brief, _, rest = text.partition(" | ")
                if name in self.texts:
                    raise FormulaError(f"{path}: {name} is there twice")
                self.texts[name] = brief.strip(), rest.strip()

    def of(self, unit: str, name: str) -> dict[str, str]:
        kind = "cpu_atom" if unit == "cpu_lowpower" else unit
        for key in (f"{kind} {name}", name, re.sub(r"\d+$", "*", name)):
            if key in self.texts:
                self.used.add(key)
                brief, rest = (text.replace("*", name[len(key) - 1:]) if key[-1] == "*" else text
                               for text in self.texts[key])
                return {"BriefDescription": brief, **({"PublicDescription": f"{brief}. {rest}"} if rest else {})}
        raise FormulaError(f"{name} has no description{' on ' + unit if unit else ''}")


class Model:
    """The JSON of a model."""

    def __init__(self, source: Source, words: Words, kind: str = ""):
        self.source, self.words, self.kind = source, words, kind
        levels = [group for level in range(1, 7) for group in level_groups(level)]
        parts = [children_of(metric.parent) for metric in source.metrics.values() if metric.parent]
        if any(metric.of_kernel for metric in source.metrics.values()):
            # In some models, a group of children has no parent, which other models have.
            parts += [children_of(group.removesuffix("_group"))
                      for metric in source.metrics.values() for group in metric.groups
                      if group.endswith("_group")]
        self.groups = {group.name: group.description for group in (*AREAS, *levels, *parts)}

    def event_names(self, unit: str) -> set[str]:
        own = {name.upper() for its, name in self.source.events if its == unit}
        return own | self.source.beside

    def expression(self, metric: Metric, text: str) -> str:
        """Write an expression as MetricExpr: if there are several PMUs, events name theirs."""
        core = self.event_names(metric.unit)
        uncore = {name.upper() for (its, name), (_, fields) in self.source.events.items()
                  if "Unit" in fields and not its.startswith("cpu_")}
        of_kernel = metric.of_kernel

        def one(match: re.Match) -> str:
            name, terms, modifier = match["name"], match["terms"], match["modifier"]
            if match["skip"] or name in WORDS:
                return re.sub(r"(?<=.)([-,=])(?=.*@)", r"\\\1", match[0]) if "@" in match[0] else match[0]
            if (metric.unit, name) in self.source.metrics:
                return match[0]
            if name in KERNEL:
                return match[0].replace("-", "\\-")
            outside = name.upper() in uncore or of_kernel and _OUTSIDE.match(name)
            event = name.upper() in core or _TOPDOWN.match(name)
            event = event or of_kernel and not outside and _EVENT.match(name)
            if not event and not outside:
                raise FormulaError(f"{metric.name}: {name} is neither an event nor a metric of "
                                   f"{metric.unit or 'the model'}")
            if terms and not event:
                # The terms are those of the event's own PMU, so they name no PMU.
                terms = re.sub(r"([-,=])", r"\\\1", terms[1:])
                return f"{name}@{terms}@{modifier or ''}"
            whole = re.sub(r"([-,=])", r"\\\1", name + terms)
            if event and (metric.unit or terms):
                return f"{metric.unit or 'cpu'}@{whole}@{modifier or ''}"
            return whole + (f":{modifier}" if modifier else "")
        return _TOKEN.sub(one, text)

    def threshold(self, metric: Metric) -> str:
        """Make the threshold of a metric, which includes the thresholds of its parents in the tree."""
        if metric.threshold or not metric.over:
            return metric.threshold
        own = f"{metric.name} > {metric.over}"
        if metric.alone or not metric.parent:
            return own
        parent = self.source.metrics.get((metric.unit, metric.parent))
        if not parent:
            raise FormulaError(f"{metric.name}: {metric.parent}, which it is below, is no metric")
        return f"{own} & ({self.threshold(parent)})"

    def metric(self, metric: Metric) -> dict[str, str]:
        groups = metric.groups + (tree_groups(metric.level, metric.parent) if metric.level else [])
        apart = [f"TopdownL{metric.level}"] if 0 < metric.level <= 2 else []
        if metric.default:
            groups.append("Default")
            apart.append("Default")
        for group in groups:
            if group not in self.groups:
                raise FormulaError(f"{metric.name}: its group {group} has no description")
        words = self.words.of(self.kind or metric.unit, metric.name)
        if metric.sampled:
            whole = words.get("PublicDescription", words["BriefDescription"] + ".")
            words["PublicDescription"] = f"{whole} Sample with: {';'.join(metric.sampled)}"
        fields = {
            "MetricName": metric.name,
            **words,
            "MetricExpr": self.expression(metric, metric.formula),
            "MetricGroup": ";".join(sorted(groups)),
            "MetricThreshold": self.threshold(metric),
            "MetricConstraint": metric.constraint,
            "MetricgroupNoGroup": ";".join(apart),
            "DefaultMetricgroupName": f"TopdownL{metric.level}" if metric.default else "",
            "ScaleUnit": metric.scale or ("100%" if metric.level else ""),
            "Unit": metric.unit,
        }
        return {name: value for name, value in fields.items() if value}

    def older_names(self, metric: Metric) -> Iterator[dict[str, str]]:
        """Yield a metric for each older name; such a metric is in no group."""
        its = self.metric(metric)
        # An expression cannot refer to a name that has a percent sign.
        formula = metric.name if re.fullmatch(r"\w+", metric.name) else its["MetricExpr"]
        for name in metric.before:
            if (metric.unit, name) not in self.source.metrics:
                yield {"MetricName": name, "MetricExpr": formula,
                       "BriefDescription": f"Older name of {metric.name}",
                       **{key: its[key] for key in ("MetricThreshold", "ScaleUnit", "Unit") if key in its}}

    def metrics_json(self) -> str:
        metrics = self.source.metrics.values()
        older = (old for metric in metrics for old in self.older_names(metric))
        return _json([*map(self.metric, metrics), *older])

    def groups_json(self) -> str:
        lists = [metric.get("MetricGroup", "") for metric in json.loads(self.metrics_json())]
        used = {group for names_of in lists for group in names_of.split(";") if group}
        return _json({name: self.groups[name] for name in sorted(used)})

    def events_json(self) -> dict[str, str]:
        """Make the JSON of events, by topic."""
        topics: dict[str, list] = {}
        for (unit, name), (topic, fields) in self.source.events.items():
            its = {"Unit": unit} if unit else {}
            topics.setdefault(topic, []).append(
                {"EventName": name, **self.words.of(self.kind or unit, name), **its, **fields})
        return {topic: _json(events) for topic, events in topics.items()}


def _json(value) -> str:
    return json.dumps(value, indent=4) + "\n"


def model_of(path: Path, words: Words | None = None, alone: bool = False) -> Model:
    """Read a model's formulas.txt. alone: omit metrics that need the kernel's events."""
    source = Source(alone)
    source.read(path)
    for file in path.parent.glob("*.json"):
        elements = json.loads(file.read_text(encoding="utf-8"))
        source.beside |= {e["EventName"].upper() for e in elements if "EventName" in e}
    first, _, _ = path.read_text(encoding="utf-8").partition("\n")
    return Model(source, words or Words(OVERLAY / "words.txt"), "cpu_atom" if "E-core" in first else "")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a model's formulas and events as JSON.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--alone", action="store_true", help="leave out what needs the kernel's events")
    parser.add_argument("-o", dest="out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args()
    try:
        model = model_of(args.file, alone=args.alone)
        texts = {"metrics": model.metrics_json(), "metricgroups": model.groups_json(), **model.events_json()}
    except (FormulaError, OSError) as error:
        sys.exit(f"{args.file}: {error}")
    args.out.mkdir(parents=True, exist_ok=True)
    for old in args.out.glob("*.json"):
        old.unlink()
    for name, text in texts.items():
        (args.out / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
