# SPDX-License-Identifier: GPL-2.0-only
"""Clearwater Forest, a Xeon of Darkmont cores: levels 1 and 2."""

from metric import Table, run
from skymont import skymont
from topdown import Tree


def make() -> Table:
    table = Table()
    skymont(Tree(table))
    return table


if __name__ == "__main__":
    run(make)
