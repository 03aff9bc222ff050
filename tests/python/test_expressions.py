# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the evaluator that other tests rely on."""

import math
import unittest

from expression import Mistake
from expressions import EXPRESSION, THRESHOLD, count_of, evaluate


class Evaluate(unittest.TestCase):
    """Texts and their values, computed by hand."""

    VALUES = {"A": 6.0, "B": 3.0, "C": 0.0, "A.1_X": 7.0, "x-y": 2.0, "#on": 1.0,
              "cpu@A.B,cmask=1,edge@": 5.0, "A.B:R": 9.0, "cpu_core@A@R": 4.0, "msr@tsc,cpu=cpu_core@": 8.0}

    def check(self, text, wanted, levels=EXPRESSION):
        self.assertEqual(evaluate(text, self.VALUES.__getitem__, levels), wanted)

    def test_arithmetic(self):
        self.check("A - B - 1", 2)
        self.check("A / B * 2 + -B", 1)
        self.check("2 * (A + B) % 4", 2)
        self.check("1e3 + .5 + 2.5e-1", 1000.75)

    def test_names(self):
        self.check(r"x\-y + A.1_X + #on", 10)
        self.check(r"cpu@A.B\,cmask\=1\,edge@ * A.B:R", 45)
        self.check(r"cpu_core@A@R - msr@tsc\,cpu=cpu_core@", -4)

    def test_choice_and_functions(self):
        self.check("A if B > 2 else C", 6)
        self.check("A if C else B if C else 9", 9)
        self.check("max(A, min(B, 100)) + d_ratio(A, C) + d_ratio(A, B)", 8)
        self.assertTrue(math.isnan(evaluate("A / C", self.VALUES.__getitem__)))

    def test_both_precedences(self):
        self.check("A > 1 & B", 1)
        self.check("4 > 1 & 0", 1)
        self.check("4 > 1 & 0", 0, THRESHOLD)
        self.check("A > 5 & (B > 2 | C > 1)", 1, THRESHOLD)

    def test_mistakes(self):
        for text in ("", "A +", "(A", "A B", "min(A", "A ! B", "A if B"):
            with self.subTest(text), self.assertRaises(Mistake):
                evaluate(text, lambda name: 1.0)

    def test_counts_depend_on_what_is_counted(self):
        self.assertEqual(count_of("cpu@A,cmask=1@", 1), count_of("CPU@a,cmask=1@", 1))
        self.assertEqual(count_of("cpu@A@", 1), count_of("a", 1))
        self.assertNotEqual(count_of("A", 1), count_of("A", 2))
        self.assertNotEqual(count_of("A", 1), count_of("A:R", 1))


if __name__ == "__main__":
    unittest.main()
