# SPDX-License-Identifier: GPL-2.0-only
"""Zen 5 has eight slots per cycle."""

from amd import Pipeline, Zen
from metric import Table, run


def make() -> Table:
    table = Table()
    Pipeline(table, Zen(width=8, resync="bp_redirects.resync", by="_by_", of="_from_",
                        slots="100%slots", ops="100%ops", total="1slots"))
    return table


if __name__ == "__main__":
    run(make)
