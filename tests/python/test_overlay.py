# SPDX-License-Identifier: GPL-2.0-only
"""The overlay tables against those of the vendors, where these are to be had."""

import importlib.util
import json
import os
import random
import re
import unittest
from functools import cache
from pathlib import Path

from expressions import Model

ROOT = Path(__file__).resolve().parents[2]
OVERLAY = ROOT / "pmu-events" / "overlay" / "x86"
KERNEL = Path(os.environ.get("KERNEL_SRC") or ROOT / "third_party/linux") / "tools/perf/pmu-events/arch/x86"
NEWER = Path(os.environ.get("TMA_TEST_TABLES") or "/nonexistent")
MODELS = ("graniterapids", "lunarlake", "arrowlake", "pantherlake", "clearwaterforest", "novalake",
          "amdzen4", "amdzen5", "amdzen6")
# No vendor has formulas for these. Those of the cores before them are of the same events.
FORMULAS_OF = {"pantherlake": "lunarlake", "clearwaterforest": "lunarlake", "novalake": "lunarlake"}

# What makes an event's encoding, and what is said of its counters and latency.
ENCODING = ("EventCode", "UMask", "CounterMask", "EdgeDetect", "Invert", "AnyThread", "MSRIndex", "MSRValue",
            "SampleAfterValue", "PortMask", "ExtSel")
COUNTING = ("Counter", "Data_LA", "RetirementLatencyMean", "RetirementLatencyMin", "RetirementLatencyMax")


def read(folder: Path) -> list[dict]:
    """The elements of all of a model's files."""
    out = []
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        out += content if isinstance(content, list) else []
    return out


@cache
def made_table(model: str):
    """What the model's metrics.py makes."""
    spec = importlib.util.spec_from_file_location(f"metrics_{model}", OVERLAY / model / "metrics.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make()


def overlay_metrics(model: str) -> list[dict]:
    return json.loads(made_table(model).metrics_json())


def events(elements: list[dict]) -> dict:
    return {(e.get("Unit", ""), e["EventName"].lower()): e for e in elements if "EventName" in e}


def vendors_tables(model: str) -> list[Path]:
    """The newest first."""
    return [tables / model for tables in (NEWER, KERNEL) if (tables / model).is_dir()]


class OfModel(unittest.TestCase):
    """A test which compares each model with the newest tables of its vendor."""

    def vendors(self, model: str, what: str) -> list[dict]:
        for folder in vendors_tables(model):
            elements = read(folder)
            if any(what in element for element in elements):
                return elements
        self.skipTest(f"no tables with a {what} of {model}: TMA_TEST_TABLES=dir gives newer ones of Intel")


def counted_by_linux(metric: dict) -> dict:
    """The E-cores of Lunar Lake have these events on fixed counters, for which Linux 6.12 has no
    encoding there: it counts event 0. Those that end with _P count the same."""
    if metric.get("Unit") != "cpu_atom" or "MetricExpr" not in metric:
        return metric
    expr = re.sub(r"\b(TOPDOWN_(?:FE_BOUND|RETIRING)\.ALL)\b(?!_P)", r"\1_P", metric["MetricExpr"])
    return {**metric, "MetricExpr": expr}


class Metrics(OfModel):
    """Formulas are facts: each comes to what the vendor's does."""

    def formulas(self, name):
        elements = [counted_by_linux(m) for m in self.vendors(FORMULAS_OF.get(name, name), "MetricName")]
        if name == "clearwaterforest":
            # It has one kind of core.
            return [{key: re.sub(r"cpu_atom@([^@]+)@", r"\1", value)
                     for key, value in element.items() if key != "Unit"}
                    for element in elements if element.get("Unit") == "cpu_atom" and "MetricExpr" in element]
        return elements

    def compare(self, name):
        theirs = Model(self.formulas(name))
        ours = Model(overlay_metrics(name))
        self.assertGreaterEqual(len(ours.metrics), 10)
        for key, metric in ours.metrics.items():
            with self.subTest(key[1]):
                self.assertIn(key, theirs.metrics)
                their = theirs.metrics[key]
                for seed in range(25):
                    wanted = theirs.value(*key, seed)
                    self.assertAlmostEqual(ours.value(*key, seed), wanted, delta=1e-9 * abs(wanted),
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
            # These are what tma stat --topdown looks for, and the vendor has none.
            self.assertEqual({group.replace("Topdown", "Pipeline") for group in groups},
                             groups - {"TopdownL1", "TopdownL2"})
            groups -= {"TopdownL1", "TopdownL2"}
        self.assertEqual(groups, set(their.get("MetricGroup", "").split(";")))

    def compare_threshold(self, ours, theirs, key):
        held = set()
        for seed in range(200):
            def value(name):
                return random.Random(f"{seed} {name}").choice([0.02, 0.08, 0.12, 0.18, 0.25, 0.65, 0.8, 300.0])
            held.add(theirs.threshold(*key, value))
            self.assertEqual(ours.threshold(*key, value), theirs.threshold(*key, value))
        self.assertEqual(held, {True, False})

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


class Whole(OfModel):
    """What is in the overlay, and what is not left out of it."""

    def test_levels_1_to_3_and_all_latencies_are_there(self):
        # tma_bottleneck_ and other sums over the tree are no levels of it.
        theirs = self.vendors("graniterapids", "MetricName")
        ours = {metric["MetricName"] for metric in overlay_metrics("graniterapids")}
        for metric in theirs:
            if "MetricName" in metric:
                groups = set(metric.get("MetricGroup", "").split(";"))
                if groups & {"TopdownL1", "TopdownL2", "TopdownL3"} or ":R" in metric["MetricExpr"]:
                    self.assertIn(metric["MetricName"], ours)

    def test_levels_1_and_2_of_both_kinds_of_cores_are_there(self):
        for model in "lunarlake", "arrowlake", "pantherlake":
            theirs = self.vendors(FORMULAS_OF.get(model, model), "MetricName")
            ours = {(m.get("Unit"), m["MetricName"]) for m in overlay_metrics(model)}
            for metric in theirs:
                # The low-power E-cores of Arrow Lake are no Skymont, and not here.
                if metric.get("Unit") == "cpu_lowpower":
                    continue
                if {"TopdownL1", "TopdownL2"} & set(metric.get("MetricGroup", "").split(";")):
                    self.assertIn((metric.get("Unit"), metric["MetricName"]), ours)

    def test_every_table_passes_its_own_check(self):
        for model in MODELS:
            with self.subTest(model):
                known = {(unit, name.upper()) for unit, name in events(read(OVERLAY / model))}
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
                # Linux 6.12 takes a Zen 6 for a Zen 5, and does not know Intel's newest.
                kernels = self.model_of(KERNEL, cpu)
                if model and kernels and cpu.split("-")[2] not in ("50", "57", "A8", "F0"):
                    self.assertEqual(kernels, model)

    @staticmethod
    def model_of(folder, cpu):
        # Without the stepping, which none of these patterns has.
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
        # Which fixed counters an event may be on besides is the kernel's to say.
        if event.get("EventName", "").startswith("TOPDOWN_"):
            values["Counter"] = re.sub(r",3[2-9]", "", values.get("Counter", ""))
        return values

    @staticmethod
    def counted_like(key, model):
        """Where Linux has no encoding for an event, ours is that of the one which counts the same."""
        unit, name = key
        if name.upper() in ("TOPDOWN_FE_BOUND.ALL", "TOPDOWN_RETIRING.ALL"):
            return unit, name + ("_P" if name.isupper() else "_p")
        return key

    def compare(self, model):
        ours = events(read(OVERLAY / model))
        self.vendors(model, "EventName")
        for folder in vendors_tables(model):
            theirs = events(read(folder))
            # The kernel's tables of Intel's CPUs are older, and lack some events and all latencies.
            whole = folder.parent == NEWER or model.startswith("amd")
            names = ENCODING + COUNTING if whole else ENCODING
            for key, event in ours.items():
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
    """Our own words: no sentence of a vendor's."""

    @staticmethod
    def sentences(text):
        for sentence in re.split(r"[.;:!?]\s|\n", text):
            words = re.findall(r"[a-z0-9']+", sentence.lower())
            # "Cycles not halted" can be said in one way only.
            if len(words) > 3:
                yield " ".join(words)

    def all_of(self, elements):
        return {sentence for element in elements for field in ("BriefDescription", "PublicDescription")
                for sentence in self.sentences(element.get(field, ""))}

    def test_no_sentence_is_theirs(self):
        for model in MODELS:
            # Zen 6 counts what Zen 5 counts.
            folders = vendors_tables(model) or vendors_tables("amdzen5" if model == "amdzen6" else model)
            with self.subTest(model):
                if not folders:
                    self.skipTest(f"no tables of {model} to compare with")
                theirs = set().union(*(self.all_of(read(folder)) for folder in folders))
                ours = self.all_of(read(OVERLAY / model) + overlay_metrics(model))
                self.assertGreater(len(ours), 10)
                self.assertEqual(ours & theirs, set())

    def test_every_element_has_one_for_itself(self):
        for model in MODELS:
            seen = {}
            for element in read(OVERLAY / model) + overlay_metrics(model):
                name = element.get("EventName") or element.get("MetricName")
                if name:
                    text = element["BriefDescription"]
                    self.assertFalse(text.endswith("."), f"{model} {name}")
                    self.assertNotIn(text, seen.get("MetricName" in element, {}), f"{model} {name}")
                    seen.setdefault("MetricName" in element, set()).add(text)


if __name__ == "__main__":
    unittest.main()
