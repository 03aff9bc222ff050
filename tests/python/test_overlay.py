# SPDX-License-Identifier: GPL-2.0-only
"""Compares the overlay tables with the vendors' tables, if these are available."""

import importlib.util
import json
import math
import os
import random
import re
import unittest
from functools import cache
from pathlib import Path

import formulas
from expressions import Model

ROOT = Path(__file__).resolve().parents[2]
OVERLAY = ROOT / "pmu-events" / "overlay" / "x86"
KERNEL = Path(os.environ.get("KERNEL_SRC") or ROOT / "third_party/linux") / "tools/perf/pmu-events/arch/x86"
NEWER = Path(os.environ.get("TMA_TEST_TABLES") or "/nonexistent")
MODELS = ("graniterapids", "lunarlake", "arrowlake", "pantherlake", "clearwaterforest", "novalake",
          "amdzen4", "amdzen5", "amdzen6")
# Intel's metrics are formulas; AMD's are Python.
INTEL = tuple(model for model in MODELS if not model.startswith("amd"))
# The kernel has tables of these models; their newest formulas come from one file.
UPDATED = tuple(sorted(path.parent.name for path in OVERLAY.glob("*/formulas.txt")
                       if re.search("^include intel ", path.read_text(encoding="utf-8"), re.MULTILINE)))
# All models that have their own formulas or Python.
ALL = tuple(sorted({path.parent.name for kind in ("formulas.txt", "metrics.py") for path in OVERLAY.glob(f"*/{kind}")}))
# Metrics that no vendor has: Linux 7.3 makes them with scripts (scripts/compare-metrics --kernel).
RATES = set(re.findall(r"^(\w+)$", (OVERLAY.parent / "rates.txt").read_text(encoding="utf-8"), re.MULTILINE))
# The tree of Arm's cores below level 1.
ARM = tuple(sorted(path.parent for path in (OVERLAY.parent / "arm64").glob("*/*/formulas.txt")))
# Models for which no vendor has formulas of the tree. Their predecessors have the same events.
FORMULAS_OF = {"pantherlake": "lunarlake", "clearwaterforest": "lunarlake", "novalake": "lunarlake"}

# Members of an event: its encoding, its counters and its latency.
ENCODING = ("EventCode", "UMask", "CounterMask", "EdgeDetect", "Invert", "AnyThread", "MSRIndex", "MSRValue",
            "SampleAfterValue", "PortMask", "ExtSel")
COUNTING = ("Counter", "Data_LA", "RetirementLatencyMean", "RetirementLatencyMin", "RetirementLatencyMax")


def read(folder: Path) -> list[dict]:
    """The elements of all files of a model."""
    out = []
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        out += content if isinstance(content, list) else []
    return out


WORDS = formulas.Words(formulas.OVERLAY / "words.txt")


@cache
def intel(model: str) -> formulas.Model:
    """Return: the result of the model's formulas.txt."""
    return formulas.model_of(OVERLAY / model / "formulas.txt", WORDS)


@cache
def made_table(model: str):
    """Return: the result of the model's metrics.py."""
    spec = importlib.util.spec_from_file_location(f"metrics_{model}", OVERLAY / model / "metrics.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make()


def overlay_metrics(model: str) -> list[dict]:
    """Make the metrics of formulas.txt and metrics.py of a model."""
    tables = [intel(model)] if (OVERLAY / model / "formulas.txt").exists() else []
    tables += [made_table(model)] if (OVERLAY / model / "metrics.py").exists() else []
    return [metric for table in tables for metric in json.loads(table.metrics_json())]


def overlay_events(model: str) -> list[dict]:
    """Read the events in formulas.txt, and in the JSON next to it."""
    texts = intel(model).events_json().values()
    return [event for text in texts for event in json.loads(text)] + read(OVERLAY / model)


def events(elements: list[dict]) -> dict:
    return {(e.get("Unit", ""), e["EventName"].lower()): e for e in elements if "EventName" in e}


def vendors_tables(model: str) -> list[Path]:
    """The newest tables come first."""
    return [tables / model for tables in (NEWER, KERNEL) if (tables / model).is_dir()]


class OfModel(unittest.TestCase):
    """A test that compares each model with the newest tables of its vendor."""

    def vendors(self, model: str, what: str) -> list[dict]:
        for folder in vendors_tables(model):
            elements = read(folder)
            if any(what in element for element in elements):
                return elements
        self.skipTest(f"needs TMA_TEST_TABLES (newer tables of Intel, with a {what} of {model})")


def older_names(metrics: list[dict]) -> list[dict]:
    """Old names of events for which the vendor now has only the new name."""
    return [metric for metric in metrics if metric["BriefDescription"].startswith("Older name of ")]


def counted_by_linux(metric: dict) -> dict:
    """The E-cores of Lunar Lake have these events on fixed counters. Linux 6.12 has no encoding for
    them there, and counts event 0. Events whose names end with _P count the same."""
    if metric.get("Unit") != "cpu_atom" or "MetricExpr" not in metric:
        return metric
    expr = re.sub(r"\b(TOPDOWN_(?:FE_BOUND|RETIRING)\.ALL)\b(?!_P)", r"\1_P", metric["MetricExpr"])
    return {**metric, "MetricExpr": expr}


class Formulas(OfModel):
    """Compares metrics with the vendor's."""

    def formulas(self, name):
        elements = [counted_by_linux(m) for m in self.vendors(FORMULAS_OF.get(name, name), "MetricName")]
        if name == "clearwaterforest":
            # This model has one type of core.
            elements = [{key: re.sub(r"cpu_atom@([^@]+)@", r"\1", value)
                         for key, value in element.items() if key != "Unit"}
                        for element in elements if element.get("Unit") == "cpu_atom" and "MetricExpr" in element]
            elements += self.vendors(name, "EventName")
        if name == "arrowlake":
            # The low-power E-cores of this model are the E-cores of Meteor Lake.
            elements += [{key: value.replace("cpu_atom", "cpu_lowpower") for key, value in element.items()}
                         for element in self.vendors("meteorlake", "MetricName")
                         if element.get("Unit") == "cpu_atom" and "MetricExpr" in element]
        return elements

    def compare(self, name):
        theirs = Model(self.formulas(name))
        ours = Model(overlay_metrics(name))
        self.assertGreaterEqual(len(ours.metrics), 10)
        for key, metric in ours.metrics.items():
            # Linux 6.12 lacks the data fabric of Zen 5; Intel's newest tables have some addresses
            # twice.
            alone = metric.get("MetricGroup") == "data_fabric" or "irq_duplicate" in key[1]
            if (alone or key[1] in RATES) and key not in theirs.metrics:
                continue
            with self.subTest(key[1]):
                self.assertIn(key, theirs.metrics)
                their = theirs.metrics[key]
                for seed in range(10):
                    wanted = theirs.value(*key, seed)
                    value = ours.value(*key, seed)
                    # If a literal is 0, the quotient has no value on both sides.
                    if math.isnan(wanted) and math.isnan(value):
                        continue
                    self.assertAlmostEqual(value, wanted, delta=1e-9 * abs(wanted),
                                           msg=f"{metric['MetricExpr']}\nnot {their['MetricExpr']}")
                for field in "ScaleUnit", "MetricConstraint", "DefaultMetricgroupName":
                    self.assertEqual(metric.get(field), their.get(field), field)
                if not name.startswith("amd"):
                    self.assertEqual(metric.get("MetricgroupNoGroup"), their.get("MetricgroupNoGroup"))
                self.compare_groups(name, metric, their)
                if "MetricThreshold" in their:
                    self.compare_threshold(ours, theirs, key)

    def compare_groups(self, model, metric, their):
        groups = set(metric.get("MetricGroup", "").split(";"))
        if model.startswith("amd"):
            # tma stat --topdown searches for these, and the vendor has none of them.
            self.assertEqual({group.replace("Topdown", "Pipeline") for group in groups},
                             groups - {"TopdownL1", "TopdownL2"})
            groups -= {"TopdownL1", "TopdownL2"}
        self.assertEqual(groups, set(their.get("MetricGroup", "").split(";")))

    def compare_threshold(self, ours, theirs, key):
        held = set()
        limits = [float(number) for number in re.findall(r"[<>] ([0-9.e]+)", theirs.metrics[key]["MetricThreshold"])]
        # Values below and above each limit, and often above all limits, since a node's condition
        # includes those of its parents.
        tried = sorted({limit * factor for limit in limits for factor in (0.99, 1.01)})
        for seed in range(100):
            def value(name):
                rng = random.Random(f"{seed} {name}")
                return rng.choice(tried) if seed % 2 or rng.random() < 0.2 else 10 * max(tried)
            held.add(theirs.threshold(*key, value))
            self.assertEqual(ours.threshold(*key, value), theirs.threshold(*key, value))
        self.assertEqual(held, {True, False})


class Metrics(Formulas):
    """Formulas are facts: each has the same value as the vendor's."""

    def test_graniterapids(self):
        self.compare("graniterapids")

    def test_lunarlake(self):
        self.compare("lunarlake")

    def test_arrowlake(self):
        self.compare("arrowlake")

    def test_pantherlake(self):
        self.compare("pantherlake")

    def test_clearwaterforest(self):
        self.compare("clearwaterforest")

    def test_novalake(self):
        self.compare("novalake")

    def test_amdzen4(self):
        self.compare("amdzen4")

    def test_amdzen5(self):
        self.compare("amdzen5")

    def test_amdzen6(self):
        self.compare("amdzen6")


class Updated(Formulas):
    """Compares formulas of models that the kernel has with the vendor's newest formulas."""

    def vendors(self, model, what):
        if not (NEWER / model).is_dir():
            self.skipTest(f"needs TMA_TEST_TABLES (newer tables of Intel, with {model})")
        # The kernel has those of them that are also an event.
        return [element for element in read(NEWER / model) if what not in element or "EventName" not in element]

    def formulas(self, name):
        return self.vendors(name, "MetricName") + older_names(overlay_metrics(name))

    def test_none_is_left_out(self):
        for model in UPDATED:
            with self.subTest(model):
                ours = {(m.get("Unit"), m["MetricName"]) for m in overlay_metrics(model)}
                self.assertEqual({(m.get("Unit"), m["MetricName"])
                                  for m in self.vendors(model, "MetricName") if "MetricName" in m} - ours, set())

    def test_older_names_mean_the_same(self):
        numbers = 0
        for model in UPDATED:
            table = Model(overlay_metrics(model))
            for old in older_names(overlay_metrics(model)):
                unit, new = old.get("Unit", ""), old["BriefDescription"].rpartition(" ")[2]
                with self.subTest(model, name=old["MetricName"]):
                    self.assertNotIn("MetricGroup", old)
                    value = table.value(unit, new, 1)
                    numbers += not math.isnan(value)
                    self.assertEqual(repr(table.value(unit, old["MetricName"], 1)), repr(value))
        self.assertGreater(numbers, 100)


for updated in UPDATED:
    setattr(Updated, f"test_{updated}", lambda self, model=updated: self.compare(model))


class Whole(OfModel):
    """The contents of the overlay are complete."""

    def test_no_metric_is_left_out(self):
        for model in "graniterapids", "lunarlake", "arrowlake", "clearwaterforest":
            ours = {(m.get("Unit"), m["MetricName"]) for m in overlay_metrics(model)}
            for metric in self.vendors(model, "MetricName"):
                if "MetricName" in metric:
                    self.assertIn((metric.get("Unit"), metric["MetricName"]), ours)

    def test_levels_of_those_without_published_formulas(self):
        for model, unit, levels in (("pantherlake", "cpu_core", 2), ("pantherlake", "cpu_atom", 3),
                                    ("novalake", "cpu_core", 2), ("arrowlake", "cpu_lowpower", 3),
                                    ("clearwaterforest", None, 3)):
            groups = {group for metric in overlay_metrics(model) if metric.get("Unit") == unit
                      for group in metric.get("MetricGroup", "").split(";")}
            self.assertEqual(sorted(group for group in groups if group.startswith("TopdownL")),
                             [f"TopdownL{level + 1}" for level in range(levels)])

    def test_every_table_passes_its_own_check(self):
        for model in MODELS:
            if model in INTEL:
                continue
            with self.subTest(model):
                known = {(unit, name.upper()) for unit, name in events(overlay_events(model))}
                self.assertEqual(made_table(model).check(known), [])

    def test_every_cpu_has_the_model_it_has_in_the_kernel(self):
        if not KERNEL.is_dir():
            self.skipTest(f"no {KERNEL}")
        cpus = {"GenuineIntel-6-AD-1": "graniterapids", "GenuineIntel-6-AE-0": "graniterapids",
                "GenuineIntel-6-BD-1": "lunarlake", "AuthenticAMD-25-11-1": "amdzen4",
                "AuthenticAMD-25-61-2": "amdzen4", "AuthenticAMD-25-A0-1": "amdzen4",
                "AuthenticAMD-26-2-1": "amdzen5", "AuthenticAMD-26-44-0": "amdzen5",
                "GenuineIntel-6-C5-2": "arrowlake", "GenuineIntel-6-C6-2": "arrowlake",
                "GenuineIntel-6-B5-0": "meteorlake", "GenuineIntel-6-CC-1": "pantherlake",
                "GenuineIntel-6-D5-0": "pantherlake", "GenuineIntel-6-DD-1": "clearwaterforest",
                "GenuineIntel-18-1-0": "novalake", "GenuineIntel-18-3-0": "novalake",
                "AuthenticAMD-26-50-0": "amdzen6", "AuthenticAMD-26-57-0": "amdzen6",
                "AuthenticAMD-26-A8-0": "amdzen6", "AuthenticAMD-26-F0-0": "-",
                "AuthenticAMD-25-1-1": None, "AuthenticAMD-25-21-0": None, "AuthenticAMD-25-50-0": None,
                "GenuineIntel-6-8F-8": None, "AuthenticAMD-23-31-0": None}
        for cpu, model in cpus.items():
            with self.subTest(cpu):
                self.assertEqual(self.model_of(OVERLAY, cpu), model)
                # Linux 6.12 takes a Zen 6 for a Zen 5, and lacks Intel's newest CPUs.
                kernels = self.model_of(KERNEL, cpu)
                if model and kernels and cpu.split("-")[2] not in ("50", "57", "A8", "F0"):
                    self.assertEqual(kernels, model)

    @staticmethod
    def model_of(folder, cpu):
        # The id is without the stepping, since no pattern here has one.
        cpu = cpu.rpartition("-")[0]
        for row in (folder / "mapfile.csv").read_text().splitlines()[1:]:
            if row.startswith("#"):
                continue
            pattern, _, model, _ = row.split(",")
            if re.fullmatch(pattern.replace("[:xdigit:]", "0-9A-Fa-f"), cpu):
                return model
        return None


class Events(OfModel):
    """Encodings are facts too."""

    def fields(self, event, names):
        values = {}
        for name in names:
            value = str(event.get(name, ""))
            if name not in ("Counter", "MSRIndex") and re.fullmatch(r"0[xX][0-9a-fA-F]+|[0-9.]+", value):
                value = str(int(value, 16) if value[:2].lower() == "0x" else float(value))
            values[name] = value.lower()
        # The kernel's umask of an IIO event also has the masks of ports and classes.
        if event.get("PortMask") and values.get("UMask"):
            values["UMask"] = str(int(values["UMask"]) & 0xff)
        # The kernel decides which fixed counters an event can use in addition.
        if event.get("EventName", "").startswith("TOPDOWN_"):
            values["Counter"] = re.sub(r",3[2-9]", "", values.get("Counter", ""))
        return values

    @staticmethod
    def counted_like(key, model):
        """If Linux has no encoding for an event, the overlay has the encoding of an event with the
        same count.
        """
        unit, name = key
        if name.upper() in ("TOPDOWN_FE_BOUND.ALL", "TOPDOWN_RETIRING.ALL"):
            return unit, name + ("_P" if name.isupper() else "_p")
        return key

    def compare(self, model):
        ours = events(overlay_events(model))
        self.vendors(model, "EventName")
        for folder in vendors_tables(model):
            theirs = events(read(folder))
            # The kernel's tables of Intel's CPUs are older, and lack some events and all latencies.
            whole = folder.parent == NEWER or model.startswith("amd")
            names = ENCODING + COUNTING if whole else ENCODING
            for key, event in ours.items():
                if key not in theirs and event.get("Unit") == "DFPMC":
                    continue
                with self.subTest(key[1], tables=folder.parent.name):
                    if whole:
                        self.assertIn(key, theirs)
                    if key in theirs:
                        like = theirs[self.counted_like(key, model)]
                        self.assertEqual(self.fields(event, names), self.fields(like, names))

    def test_graniterapids(self):
        self.compare("graniterapids")

    def test_lunarlake(self):
        self.compare("lunarlake")

    def test_arrowlake(self):
        self.compare("arrowlake")

    def test_pantherlake(self):
        self.compare("pantherlake")

    def test_clearwaterforest(self):
        self.compare("clearwaterforest")

    def test_novalake(self):
        self.compare("novalake")

    def test_amdzen4(self):
        self.compare("amdzen4")

    def test_amdzen5(self):
        self.compare("amdzen5")

    def test_amdzen6(self):
        self.compare("amdzen6")


class Descriptions(OfModel):
    """The descriptions are tma's own: no sentence is the vendor's."""

    @staticmethod
    def sentences(text):
        # Names of events do not count as words.
        text = re.sub(r"Sample with: .*", "", text)
        for sentence in re.split(r"[.;:!?]\s|\n", text):
            words = re.findall(r"[a-z0-9']+", sentence.lower())
            # "Cycles not halted" can only be worded like this.
            if len(words) > 3:
                yield " ".join(words)

    def all_of(self, elements):
        return {sentence for element in elements for field in ("BriefDescription", "PublicDescription")
                for sentence in self.sentences(element.get(field, ""))}

    def test_no_sentence_is_theirs(self):
        for model in ALL:
            # Zen 6 counts the same as Zen 5.
            folders = vendors_tables(model) or vendors_tables("amdzen5" if model == "amdzen6" else model)
            with self.subTest(model):
                if not folders:
                    self.skipTest(f"needs TMA_TEST_TABLES (newer tables of Intel, with {model})")
                theirs = set().union(*(self.all_of(read(folder)) for folder in folders))
                ours = self.all_of(overlay_events(model) + overlay_metrics(model))
                self.assertGreater(len(ours), 5)
                self.assertEqual(ours & theirs, set())

    def test_every_word_is_used(self):
        for model in ALL:
            intel(model).metrics_json()
            intel(model).events_json()
        for folder in ARM:
            table = formulas.model_of(folder / "formulas.txt", WORDS)
            self.assertGreaterEqual(len(json.loads(table.metrics_json())), 1)
            table.events_json()
        self.assertEqual(set(WORDS.texts) - WORDS.used, set())

    def test_every_element_has_one_for_itself(self):
        for model in ALL:
            seen = {}
            for element in overlay_events(model) + overlay_metrics(model):
                name = element.get("EventName") or element.get("MetricName")
                if name:
                    text = element["BriefDescription"]
                    self.assertFalse(text.endswith("."), f"{model} {name}")
                    kind = element.get("Unit"), "MetricName" in element
                    self.assertNotIn(text, seen.get(kind, {}), f"{model} {name}")
                    seen.setdefault(kind, set()).add(text)


class Rates(unittest.TestCase):
    """Models that have the events have metrics of plain events."""

    def test_every_event_is_in_the_tables(self):
        if not KERNEL.is_dir():
            self.skipTest(f"no {KERNEL}")
        outside = re.compile(r"[a-z]+-[a-z-]+$")
        compared = 0
        for model in ALL:
            known = set(events(overlay_events(model) + read(KERNEL / model)))
            for (unit, name), metric in intel(model).source.metrics.items():
                for event in formulas.names(metric.formula) if name in RATES else ():
                    named = (unit, event) in intel(model).source.metrics or event in formulas.KERNEL
                    if named or outside.match(event):
                        continue
                    # An event of the core, or of any unit that has an event of this name.
                    units = {of for of, its in known if its == event.lower()}
                    with self.subTest(model, metric=name, event=event):
                        self.assertTrue(unit in units if unit else units)
                    compared += 1
        self.assertGreater(compared, 5000)


if __name__ == "__main__":
    unittest.main()
