# SPDX-License-Identifier: GPL-2.0-only
"""Zen 4 has six slots per cycle."""

from amd import Pipeline, Zen
from metric import Table, run


def make() -> Table:
    table = Table()
    Pipeline(table, Zen(width=6, resync="resyncs_or_nc_redirects", by="_", of="_",
                        slots="100%", ops="100%"))
    return table


if __name__ == "__main__":
    run(make)
