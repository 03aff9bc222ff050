# SPDX-License-Identifier: GPL-2.0-only
"""Tests of pmu-events/formulas.py."""

import json
import tempfile
import unittest
from pathlib import Path

import formulas

EVENTS = """
topic pipeline
A.B EventCode=0x1 UMask=0x2 Counter=Fixed_counter_1
C EventCode=0x2
U Unit=CHA EventCode=0x3
"""
WORDS = "A.B: One\nC: Two\nU: Three\nm: Four | And more.\nn: Five\ncpu_atom n: Six\no: Seven\n"


class Formulas(unittest.TestCase):
    """Return: the result for a file."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, text, words=WORDS, unit=""):
        (self.folder / "words.txt").write_text(words)
        (self.folder / "formulas.txt").write_text(text)
        source = formulas.Source()
        source.read(self.folder / "formulas.txt", unit)
        return formulas.Model(source, formulas.Words(self.folder / "words.txt"))

    def metrics(self, text, **options):
        return {m["MetricName"]: m for m in json.loads(self.make(text + EVENTS, **options).metrics_json())}

    def expr(self, text, **options):
        return self.metrics(f"m\n\t= {text}\n", **options)["m"]["MetricExpr"]

    def test_an_event_of_the_only_pmu_stands_alone(self):
        self.assertEqual(self.expr("A.B - C"), "A.B - C")
        self.assertEqual(self.expr("A.B:R"), "A.B:R")
        self.assertEqual(self.expr("max(A.B,cmask=1, 0.5)"), "max(cpu@A.B\\,cmask\\=1@, 0.5)")
        self.assertEqual(self.expr("topdown-fe-bound"), "topdown\\-fe\\-bound")

    def test_one_of_several_pmus_has_its_name(self):
        self.assertEqual(self.expr("A.B", unit="cpu_core"), "cpu_core@A.B@")
        self.assertEqual(self.expr("A.B,edge=1:k", unit="cpu_core"), "cpu_core@A.B\\,edge\\=1@k")
        self.assertEqual(self.expr("topdown-fe-bound", unit="cpu_core"), "cpu_core@topdown\\-fe\\-bound@")

    def test_what_is_of_no_core_stays(self):
        self.assertEqual(self.expr("U / duration_time", unit="cpu_core"), "U / duration_time")
        self.assertEqual(self.expr("U,thresh=1"), "U@thresh\\=1@")
        self.assertEqual(self.expr("cstate_pkg@c2-residency@ / msr@tsc@"), "cstate_pkg@c2\\-residency@ / msr@tsc@")
        self.assertEqual(self.expr("(A.B if #SMT_on else C) * 1e9"), "(A.B if #SMT_on else C) * 1e9")

    def test_a_place_in_the_tree_gives_groups_and_threshold(self):
        made = self.metrics("m\n\t= A.B\n\tlevel 1\n\tover 0.2\n\tin Mem\n\tdefault\n"
                            "n\n\t= C\n\tlevel 2 below m\n\tover 0.1\n"
                            "o\n\t= C /\n\t  A.B\n\tlevel 3 below n\n\tover 0.3\n\tsample A.B C_PS\n")
        self.assertEqual(made["m"]["MetricGroup"], "Default;Mem;TopdownL1;tma_L1_group")
        self.assertEqual(made["m"]["MetricgroupNoGroup"], "TopdownL1;Default")
        self.assertEqual(made["n"]["MetricGroup"], "TopdownL2;m_group;tma_L2_group")
        self.assertEqual(made["o"]["MetricThreshold"], "o > 0.3 & (n > 0.1 & (m > 0.2))")
        self.assertEqual(made["o"]["PublicDescription"], "Seven. Sample with: A.B;C_PS")
        self.assertEqual(made["o"]["MetricExpr"], "C / A.B")
        self.assertEqual(made["o"]["ScaleUnit"], "100%")

    def test_words_are_of_all_cores_or_of_one(self):
        for unit, word in ("cpu_core", "Five"), ("cpu_atom", "Six"), ("cpu_lowpower", "Six"):
            made = self.metrics("n\n\t= C\n", unit=unit)
            self.assertEqual(made["n"]["BriefDescription"], word)
        self.assertEqual(self.metrics("m\n\t= C\n")["m"]["PublicDescription"], "Four. And more.")

    def test_events_are_by_topic(self):
        events = json.loads(self.make(EVENTS, unit="cpu_core").events_json()["pipeline"])
        self.assertEqual(events[0], {"EventName": "A.B", "BriefDescription": "One", "Unit": "cpu_core",
                                     "EventCode": "0x1", "UMask": "0x2", "Counter": "Fixed counter 1"})
        self.assertEqual(events[2]["Unit"], "CHA")

    def test_levels_leave_what_they_are_made_of(self):
        text = ("m\n\t= A.B / o\n\tlevel 1\n\tover 0.2\n" "n\n\t= C\n\tlevel 2 below m\n\tover 0.1\n"
                "o\n\t= 2 * A.B\n" + EVENTS)
        source = self.make(text).source
        source.cut(1)
        self.assertEqual({name for _, name in source.metrics}, {"m", "o"})
        self.assertEqual({name for _, name in source.events}, {"A.B"})

    def of_model(self, model, text, unit=""):
        """The metrics that one model has from a file for several models."""
        (self.folder / "several.txt").write_text(text)
        overlay, formulas.OVERLAY = formulas.OVERLAY, self.folder
        self.addCleanup(setattr, formulas, "OVERLAY", overlay)
        made = self.make(f"include several unit {unit} for {model}\n" if unit else f"include several for {model}\n")
        return {m["MetricName"]: m for m in json.loads(made.metrics_json())}

    def test_variants_are_of_the_models_they_name(self):
        text = ("models AB a b/cpu_core\n"
                "m\n\tscale 1x\n\tfor AB c\n\t\t= NEW.EVENT,cmask=2 / n\n\tfor d\n\t\t= UNC_X / cycles-t\n\t\tscale 1y\n"
                "n\n\t= C\n\tfor a b/cpu_core d\n")
        self.assertEqual(self.of_model("a", text)["m"]["MetricExpr"], "cpu@NEW.EVENT\\,cmask\\=2@ / n")
        self.assertEqual(self.of_model("b", text, "cpu_core")["m"]["MetricExpr"], "cpu_core@NEW.EVENT\\,cmask\\=2@ / n")
        self.assertEqual(self.of_model("b", text), {})
        made = self.of_model("d", text)
        self.assertEqual((made["m"]["MetricExpr"], made["m"]["ScaleUnit"]), ("UNC_X / cycles\\-t", "1y"))
        self.assertEqual(made["n"]["MetricExpr"], "C")
        with self.assertRaisesRegex(formulas.FormulaError, "m: n is neither an event nor a metric"):
            self.of_model("c", text)

    def test_a_model_has_one_variant(self):
        with self.assertRaisesRegex(formulas.FormulaError, r"several\.txt:4: m has two variants for a"):
            self.of_model("a", "m\n\tfor a\n\t\t= C\n\tfor b a\n\t\t= A.B\n")

    def test_older_names_stay_without_groups(self):
        made = self.metrics("m\n\t= C\n\tlevel 1\n\tover 0.2\n\twas o p\n")
        self.assertEqual(made["o"], {"MetricName": "o", "MetricExpr": "m", "BriefDescription": "Older name of m",
                                     "MetricThreshold": "m > 0.2", "ScaleUnit": "100%"})
        self.assertEqual(made["p"]["MetricExpr"], "m")
        self.assertEqual(self.metrics("m\n\t= C\n\twas o\no\n\t= A.B\n")["o"]["MetricExpr"], "A.B")

    def test_mistakes(self):
        for text, wrong in (("m\n\t= X.Y\n", "m: X.Y is neither an event nor a metric of the model"),
                            ("p\n\t= C\n", "p has no description"),
                            ("m\n\t= C\n\tin Nothing\n", "m: its group Nothing has no description"),
                            ("m n\n", "neither a metric nor an event"),
                            ("n\n\t= C\n\tlevel x\n", r"formulas\.txt:3: the level of n is 'x', not 1 to 6"),
                            ("n\n\t= C\n\tlevel 2 below q\n\tover 0.1\n",
                             "n: q, which it is below, is no metric")):
            with self.assertRaisesRegex(formulas.FormulaError, wrong):
                self.metrics(text)
        with self.assertRaisesRegex(formulas.FormulaError, "C is there twice"):
            self.make("", words="C: One\nC: Two\n")

    def test_an_empty_file_makes_nothing(self):
        self.make("")
        model = formulas.model_of(self.folder / "formulas.txt", formulas.Words(self.folder / "words.txt"))
        self.assertEqual(json.loads(model.metrics_json()), [])


if __name__ == "__main__":
    unittest.main()
