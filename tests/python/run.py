# SPDX-License-Identifier: GPL-2.0-only
"""Runs tests/python/test_*.py, or the given files, and prints how each test ended, as tests/run
counts it.

TMA_TEST_TABLES=dir  newer tables of Intel to compare with, in the layout of the kernel's arch/x86
KERNEL_SRC=dir       the kernel tree whose tables are compared with (third_party/linux)
"""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "pmu-events"


class Lines(unittest.TestResult):
    """A line for each test: ok NAME, not ok NAME: why, skip NAME: reason."""

    def _line(self, how: str, test, why: str = "") -> None:
        # An error in setUpClass() belongs to no test, and names its class.
        name = test.id().removeprefix("test_") if hasattr(test, "id") else str(test)
        print(f"{how} {name}{': ' if why else ''}{why}", flush=True)

    def _failed(self, test, err) -> None:
        text = self._exc_info_to_string(err, test)
        self._line("not ok", test, str(err[1]).partition("\n")[0] or err[0].__name__)
        print("".join(f"#   {line}\n" for line in text.splitlines()), end="")

    def addSuccess(self, test):
        self._line("ok", test)

    def addSkip(self, test, reason):
        self._line("skip", test, reason)

    def addError(self, test, err):
        super().addError(test, err)
        self._failed(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._failed(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._failed(subtest, err)


def main() -> int:
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(HERE), str(HERE.parent / "metrics"), str(SOURCES), str(SOURCES / "overlay")]
    names = sys.argv[1:] or sorted(path.stem for path in HERE.glob("test_*.py"))
    result = Lines()
    unittest.defaultTestLoader.loadTestsFromNames(names).run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
