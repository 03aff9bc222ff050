# SPDX-License-Identifier: GPL-2.0-only
"""Nova Lake: levels 1 and 2 of its P-cores, by the metric events that Linux names.

How wide its E-cores are is not published."""

from metric import Table, run
from topdown import MetricEvents, Tree


def make() -> Table:
    table = Table()
    MetricEvents(Tree(table, "cpu_core"))
    return table


if __name__ == "__main__":
    run(make)
