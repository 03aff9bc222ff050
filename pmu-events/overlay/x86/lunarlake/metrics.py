# SPDX-License-Identifier: GPL-2.0-only
"""Lunar Lake: levels 1 and 2 of its two kinds of cores."""

from metric import Table, run
from skymont import skymont
from topdown import MetricEvents, Tree


def make() -> Table:
    table = Table()
    MetricEvents(Tree(table, "cpu_core"))
    skymont(Tree(table, "cpu_atom"))
    return table


if __name__ == "__main__":
    run(make)
