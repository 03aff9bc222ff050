# SPDX-License-Identifier: GPL-2.0-only
"""Skymont, the E-core of Lunar Lake and Arrow Lake, and Darkmont after it, which counts the same events."""

from metric import Expr, Metric
from topdown import Tree

WIDTH = 8  # slots a cycle


def skymont(tree: Tree) -> None:
    """Levels 1 and 2. Skymont counts each node with an event of its own: by the codes that also general counters take,
    as Linux 6.12 counts nothing by those of the fixed counters alone."""
    cycles = tree.event("CPU_CLK_UNHALTED.CORE")

    def share(event: str) -> Expr:
        return tree.event(event) / (WIDTH * cycles)

    frontend = tree.node("tma_frontend_bound", share("TOPDOWN_FE_BOUND.ALL_P"),
                         "Share of slots the E-core's front end left empty", above=0.2)
    bad_speculation = tree.node("tma_bad_speculation", share("TOPDOWN_BAD_SPECULATION.ALL_P"),
                                "Share of slots the E-core lost to wrong guesses", above=0.15,
                                public="All slots until the right instructions came count, also those "
                                       "which were merely blocked.")
    backend = tree.node("tma_backend_bound", share("TOPDOWN_BE_BOUND.ALL_P"),
                        "Share of slots in which the E-core's back end could take nothing more", above=0.1)
    tree.node("tma_retiring", share("TOPDOWN_RETIRING.ALL_P"),
              "Share of slots whose micro-operation retired on the E-core", above=0.75)
    tree.node("tma_ifetch_latency", share("TOPDOWN_FE_BOUND.FRONTEND_LATENCY"),
              "Share of slots empty because code was late: cache or TLB misses, resteered branches",
              frontend, above=0.15)
    tree.node("tma_ifetch_bandwidth", share("TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH"),
              "Share of slots empty because decoding gave too little", frontend, above=0.1)
    tree.node("tma_branch_mispredicts", share("TOPDOWN_BAD_SPECULATION.MISPREDICT"),
              "Share of slots the E-core lost to mispredicted branches", bad_speculation)
    tree.node("tma_machine_clears", share("TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS"),
              "Share of slots the E-core lost because it had to empty the pipeline", bad_speculation)
    core: Metric = tree.node("tma_core_bound", share("TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS"),
                             "Share of slots that the rules of allocation left unused", backend, above=0.1)
    tree.node("tma_resource_bound", backend - core,
              "Share of slots in which a buffer or scheduler of the E-core was full", backend, above=0.2)
