# SPDX-License-Identifier: GPL-2.0-only
"""Tests of pmu-events/metric.py."""

import contextlib
import io
import json
import random
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import metric
from expressions import EXPRESSION, THRESHOLD, evaluate
from metric import (Constant, Event, Literal, Metric, MetricError, MetricGroup, Reference, Select,
                    Table, also_count, d_ratio, has_event, maximum, minimum)

A, B, C, D = (Event(name) for name in "ABCD")


class Text(unittest.TestCase):
    """The ways to write expressions."""

    def check(self, expr, text):
        self.assertEqual(expr.text(), text)

    def test_product_of_a_sum_has_brackets(self):
        self.check((A + B) * C, "(A + B) * C")
        self.check(A + B * C, "A + B * C")

    def test_right_side_of_a_difference_has_brackets(self):
        self.check(A - B - C, "A - B - C")
        self.check(A - (B - C), "A - (B - C)")
        self.check(A / (B * C), "A / (B * C)")
        self.check(A / B * C, "A / B * C")

    def test_comparisons_have_brackets_for_both_readers(self):
        self.check((A > 0.1) & (B > 0.2) | (C < D), "(A > 0.1) & (B > 0.2) | (C < D)")
        self.check((A & B) < C, "(A & B) < C")
        self.check((A < B) > C, "(A < B) > C")
        self.check(A + B < C - D, "A + B < C - D")

    def test_choice_binds_weakest(self):
        self.check(Select(A, B > 1, C), "A if B > 1 else C")
        self.check(Select(A, B, C) + D, "(A if B else C) + D")
        self.check(Select(A, B, Select(B, C, D)), "A if B else B if C else D")
        self.check(Select(Select(B, C, D), B, A), "(B if C else D) if B else A")
        self.check(maximum(Select(A, B, C), D), "max((A if B else C), D)")

    def test_sign(self):
        self.check(-(A + B), "-(A + B)")
        self.check(-A * B, "-A * B")
        self.check(-(-A), "A")
        self.check(A - Constant(-3), "A - -3")
        self.check(A % B, "A % B")

    def test_functions(self):
        self.check(minimum(A, B), "min(A, B)")
        self.check(d_ratio(A + B, C), "d_ratio(A + B, C)")
        self.check(has_event(A), "has_event(A)")
        self.check(Literal("#SMT_on") * A, "#SMT_on * A")

    def test_event_with_terms(self):
        self.check(Event("UOPS.MS", cmask=1, edge=True), r"cpu@UOPS.MS\,cmask\=1\,edge@")
        self.check(Event("topdown-be-bound"), r"topdown\-be\-bound")
        self.check(Event("X.ALL", pmu="cpu_atom"), "cpu_atom@X.ALL@")
        self.check(Event("X.ALL", modifier="k"), "X.ALL:k")

    def test_latency(self):
        self.check(Event("X.MISS").latency(), "X.MISS:R")
        self.check(Event("X.MISS", pmu="cpu_core").latency(), "cpu_core@X.MISS@R")

    def test_numbers(self):
        for value, text in ((3, "3"), (0.0001, "0.0001"), (1e9, "1e9"), (74.6, "74.6"), (1 / 3, repr(1 / 3)),
                            (1e-7, "1e-7"), (64.0, "64"), (1234567, "1234567"), (-2, "-2")):
            with self.subTest(text):
                self.check(Constant(value), text)
                self.assertEqual(float(text), value)


class Simplified(unittest.TestCase):
    """Terms that do not change the value are dropped."""

    def test_constants_are_computed(self):
        self.assertEqual(Constant(6) * 7 - 2, Constant(40))
        self.assertEqual(Constant(1) / 4, Constant(0.25))
        self.assertEqual(Constant(3) > 2, Constant(1))
        self.assertEqual((Constant(3) < 2) | 0, Constant(0))
        self.assertEqual(Constant(2) & 4, Constant(1))
        self.assertEqual(Constant(2) ^ 4, Constant(0))
        self.assertEqual(minimum(3, 4), Constant(3))
        self.assertEqual(maximum(3, 4), Constant(4))
        self.assertEqual(d_ratio(3, 0), Constant(0))
        self.assertEqual(-Constant(3), Constant(-3))

    def test_nothing_is_added_or_multiplied(self):
        for expr in (A + 0, 0 + A, A - 0, A * 1, 1 * A, A / 1, minimum(A, A), maximum(A, A)):
            self.assertIs(expr, A)
        for expr in (A * 0, 0 * A, 0 / A):
            self.assertEqual(expr, Constant(0))
        self.assertEqual((0 - A).text(), "0 - A")
        self.assertEqual((1 / A).text(), "1 / A")

    def test_choices(self):
        self.assertIs(Select(A, Constant(1), B), A)
        self.assertIs(Select(A, Constant(2) < 1, B), B)
        self.assertEqual(Select(A + B, C, A + B), A + B)

    def test_event_for_its_own_sake_stays(self):
        self.assertEqual((A + also_count(B)).text(), "A + 0 * B")

    def test_events_are_equal_by_what_they_count(self):
        self.assertEqual(Event("X", cmask=1), Event("X", cmask=1))
        self.assertNotEqual(Event("X", cmask=1), Event("X", cmask=2))
        self.assertNotEqual(Event("X"), Event("X").latency())


class Mistakes(unittest.TestCase):
    """Errors that an author sees immediately."""

    def test_division_by_zero(self):
        with self.assertRaisesRegex(MetricError, "'A' is divided by 0"):
            A / 0

    def test_no_value_yet(self):
        with self.assertRaisesRegex(TypeError, "no value before it is measured"):
            A < B < C
        with self.assertRaises(TypeError):
            max(A, B)

    def test_no_expression(self):
        with self.assertRaisesRegex(MetricError, "'text' is no part of an expression"):
            A + "text"
        with self.assertRaises(MetricError):
            Literal("SMT_on")


class Precedence(unittest.TestCase):
    """Both languages read random expressions back with the value that these were made for."""

    NAMES = "ABCD"

    def random_tree(self, rng, depth):
        """An expression, and a function that computes it from the values of the names."""
        kind = rng.randrange(10) if depth else 9
        if kind == 9:
            if rng.random() < 0.2:
                number = rng.choice([2, 3, 0.5])
                return Constant(number), lambda v: number
            name = rng.choice(self.NAMES)
            return Event(name), lambda v: v[name]
        (left, of_left), (right, of_right) = (self.random_tree(rng, depth - 1) for _ in range(2))
        if kind == 8:
            cond, of_cond = self.random_tree(rng, depth - 1)
            return Select(left, cond, right), lambda v: of_left(v) if of_cond(v) else of_right(v)
        if kind == 7:
            return -left, lambda v: -of_left(v)
        operations = [("+", lambda a, b: a + b), ("-", lambda a, b: a - b), ("*", lambda a, b: a * b),
                      ("<", lambda a, b: a < b), (">", lambda a, b: a > b),
                      ("&", lambda a, b: bool(a) and bool(b)), ("|", lambda a, b: bool(a) or bool(b)),
                      ("^", lambda a, b: bool(a) != bool(b))]
        op, compute = rng.choice(operations)
        make = {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "<": lambda: left < right, ">": lambda: left > right, "&": lambda: left & right,
                "|": lambda: left | right, "^": lambda: left ^ right}[op]
        return make(), lambda v: compute(of_left(v), of_right(v))

    def test_both_readers(self):
        rng = random.Random(6)
        for _ in range(3000):
            expr, compute = self.random_tree(rng, 4)
            text = expr.text()
            for _ in range(4):
                values = {name: rng.choice([0, 1, 2, 5, -3]) for name in self.NAMES}
                wanted = float(compute(values))
                for order in EXPRESSION, THRESHOLD:
                    got = evaluate(text, values.__getitem__, order)
                    self.assertAlmostEqual(got, wanted, msg=text)


class Json(unittest.TestCase):
    """The elements of metrics.json."""

    def test_all_fields(self):
        share = Metric("share", A / B, "A share", "More of it", groups=["Two", "One"], scale="100%",
                       constraint="NO_GROUP_EVENTS", unit="cpu_core", default_group="One",
                       no_group=["One", "Two"])
        share.threshold = (share > 0.2) & (Reference("other") < 3)
        self.assertEqual(share.json(), {
            "MetricName": "share", "BriefDescription": "A share", "PublicDescription": "More of it",
            "MetricExpr": "A / B", "MetricGroup": "One;Two",
            "MetricThreshold": "(share > 0.2) & (other < 3)", "MetricConstraint": "NO_GROUP_EVENTS",
            "MetricgroupNoGroup": "One;Two", "DefaultMetricgroupName": "One", "ScaleUnit": "100%",
            "Unit": "cpu_core"})

    def test_fields_without_a_value_are_left_out(self):
        self.assertEqual(Metric("m", 3, "Three").json(),
                         {"MetricName": "m", "BriefDescription": "Three", "MetricExpr": "3"})

    def test_a_metric_in_an_expression_is_its_name(self):
        self.assertEqual((Metric("clks", A, "Cycles") * 2).text(), "clks * 2")

    def test_backslashes_are_doubled(self):
        table = Table([Metric("m", Event("a-b"), "An event")])
        self.assertIn(r'"MetricExpr": "a\\-b"', table.metrics_json())
        self.assertEqual(json.loads(table.metrics_json())[0]["MetricExpr"], r"a\-b")

    def test_groups_in_use_alone(self):
        table = Table([Metric("m", A, "An event", groups=["G"])])
        table.describe([MetricGroup("G", "The one"), MetricGroup("H", "The other")])
        self.assertEqual(json.loads(table.groups_json()), {"G": "The one"})


class Checks(unittest.TestCase):
    """A table is checked against itself and the model's events."""

    EVENTS = {("", "A"), ("cpu_core", "C"), ("cpu_atom", "B")}

    def check(self, *metrics):
        return Table(list(metrics)).check(self.EVENTS)

    def test_nothing_wrong(self):
        one = Metric("one", Event("a") + Event("A", cmask=1), "In lower case, and with a term")
        two = Metric("two", one + Reference("one") + Event("tsc", pmu="msr", listed=False), "Two")
        three = Metric("three", Event("C", pmu="cpu_core"), "Three", unit="cpu_core")
        self.assertEqual(self.check(one, two, three), [])

    def test_duplicate(self):
        self.assertEqual(self.check(Metric("m", A, "One"), Metric("m", A, "Two")), ["m: is there twice"])
        self.assertEqual(self.check(Metric("m", Event("C", pmu="cpu_core"), "One", unit="cpu_core"),
                                    Metric("m", Event("B", pmu="cpu_atom"), "Two", unit="cpu_atom")), [])

    def test_unknown_event(self):
        self.assertEqual(self.check(Metric("m", 1 + Event("Z"), "One")), ["m: Z is no event of the model"])
        threshold = Metric("m", A, "One")
        threshold.threshold = threshold > Event("Z")
        self.assertEqual(self.check(threshold), ["m: Z is no event of the model"])

    def test_unknown_metric(self):
        self.assertEqual(self.check(Metric("m", Reference("n"), "One")),
                         ["m: refers to n, which is no metric of this model"])
        core = Metric("core", Event("C", pmu="cpu_core"), "One", unit="cpu_core")
        self.assertEqual(self.check(core, Metric("m", core, "Two", unit="cpu_atom")),
                         ["m: refers to core, which is no metric of cpu_atom"])

    def test_event_of_another_unit(self):
        self.assertEqual(self.check(Metric("m", Event("B", pmu="cpu_atom"), "One", unit="cpu_core")),
                         ["m: cpu_atom@B@ is not an event of cpu_core"])
        self.assertEqual(self.check(Metric("m", A, "One", unit="cpu_core")),
                         ["m: A is not an event of cpu_core"])
        topdown = Event("topdown-retiring", pmu="cpu_core", listed=False)
        self.assertEqual(self.check(Metric("m", topdown, "One")),
                         [r"m: cpu_core@topdown\-retiring@ is not an event of the core"])

    def test_groups_and_descriptions(self):
        self.assertEqual(self.check(Metric("m", A, "", groups=["G"], default_group="H")),
                         ["m: has no description", "m: its group G has no description",
                          "m: is not in the group H of its other fields"])


class Program(unittest.TestCase):
    """Runs of a model's metrics.py: what they read and write."""

    def run_it(self, folder, make):
        error = io.StringIO()
        argv = ["metrics.py", "--events", str(folder), "-o", str(folder / "out")]
        status = 0
        with mock.patch.object(sys, "argv", argv), contextlib.redirect_stderr(error):
            try:
                metric.run(make)
            except SystemExit as end:
                status = end.code
        return status, error.getvalue()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "core.json").write_text('[{"EventName": "a", "EventCode": "1"}]')

    def test_writes_both_files(self):
        def make():
            table = Table([Metric("m", A, "An event", groups=["G"])])
            table.describe([MetricGroup("G", "The one")])
            return table

        self.assertEqual(self.run_it(self.folder, make), (0, ""))
        self.assertEqual(json.loads((self.folder / "out/metrics.json").read_text())[0]["MetricName"], "m")
        self.assertEqual(json.loads((self.folder / "out/metricgroups.json").read_text()), {"G": "The one"})

    def test_mistakes_leave_no_file(self):
        self.assertEqual(self.run_it(self.folder, lambda: Table([Metric("m", B, "Another")]))[0],
                         "metrics.py: m: B is no event of the model")
        self.assertEqual(self.run_it(self.folder, lambda: Table([Metric("m", A / 0, "None")]))[0],
                         "metrics.py: 'A' is divided by 0")
        self.assertFalse((self.folder / "out").exists())

    def test_events_that_cannot_be_read(self):
        (self.folder / "core.json").write_text("[")
        status = self.run_it(self.folder, lambda: Table([Metric("m", A, "One")]))[0]
        self.assertRegex(status, r"metrics.py: .*core\.json: ")


if __name__ == "__main__":
    unittest.main()
