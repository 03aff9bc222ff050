# SPDX-License-Identifier: GPL-2.0-only
"""Pipeline utilization of AMD's Zen 4 to Zen 6, which is also levels 1 and 2 of TopDown."""

from dataclasses import dataclass

from groups import AREAS, level_groups
from metric import Event, Expr, Metric, Table, d_ratio


@dataclass(frozen=True)
class Zen:
    """The values that differ between the models.

    width:  dispatch slots per cycle resync: the event of pipeline restarts by, of: the words that
    join names of level 2: backend_bound{by}memory, retiring{of}microcode slots, ops: ScaleUnit of
    shares of slots and of operations; total: ScaleUnit of the number of slots
    """

    width: int
    resync: str
    by: str
    of: str
    slots: str
    ops: str
    total: str = ""


class Pipeline:
    """Adds the metrics of one model to a table."""

    def __init__(self, table: Table, zen: Zen):
        self.table, self.zen = table, zen
        table.describe(AREAS)
        self.slots = table.add(Metric(
            "total_dispatch_slots", zen.width * Event("ls_not_halted_cyc"),
            f"Slots for dispatching an operation, {zen.width} a cycle", scale=zen.total))
        self._level_1()
        self._level_2()

    def _node(self, level: int, name: str, expr: Expr, brief: str, above: float,
              parent: Metric | None = None, scale: str = "") -> Metric:
        names = [f"PipelineL{level}", f"TopdownL{level}"]
        self.table.describe(level_groups(level))
        # Level 1 has six events, which fit the six counters. With a group for each metric, it would
        # need more counters.
        no_group = names if level == 1 else []
        groups = names + ([f"{parent.name}_group"] if parent is not None else [])
        metric = Metric(name, expr, brief, groups=groups, no_group=no_group,
                        scale=scale or self.zen.slots)
        metric.threshold = metric > above
        if parent is not None:
            metric.threshold &= parent.threshold
        return self.table.add(metric)

    def _level_1(self) -> None:
        def node(name, count, brief, above, scale=""):
            return self._node(1, name, d_ratio(count, self.slots), brief, above, scale=scale)

        self.no_ops = Event("de_no_dispatch_per_slot.no_ops_from_frontend")
        self.retired = Event("ex_ret_ops")
        self.frontend = node("frontend_bound", self.no_ops,
                             "Share of slots for which the front end had no operation", 0.15)
        self.bad_speculation = node(
            "bad_speculation", Event("de_src_op_disp.all") - self.retired,
            "Share of slots spent on operations that never retired", 0.1, self.zen.ops)
        self.backend = node("backend_bound", Event("de_no_dispatch_per_slot.backend_stalls"),
                            "Share of slots unused since the back end was full", 0.2)
        node("smt_contention", Event("de_no_dispatch_per_slot.smt_contention"),
             "Share of slots that went to the core's other thread", 0.2)
        self.retiring = node("retiring", self.retired,
                             "Share of slots whose operation retired", 0.7)

    def _level_2(self) -> None:
        def node(name, joint, part, expr, brief, above, parent, scale=""):
            return self._node(2, f"{name}{joint}{part}", expr, brief, above, parent, scale)

        by, of, width = self.zen.by, self.zen.of, self.zen.width
        # Cycles in which all slots are empty count as latency of the front end; the rest counts as
        # bandwidth.
        waited = width * Event(self.no_ops.name, cmask=f"{width:#x}")
        node("frontend_bound", by, "latency", d_ratio(waited, self.slots),
             "Share of slots in cycles without any operation from the front end", 0.1, self.frontend)
        node("frontend_bound", by, "bandwidth", d_ratio(self.no_ops - waited, self.slots),
             "Share of slots empty in cycles in which the front end gave some operations", 0.1,
             self.frontend)

        misses, resyncs = Event("ex_ret_brn_misp"), Event(self.zen.resync)
        for part, count, brief in (
                ("mispredicts", misses, "Share of slots lost to mispredicted branches"),
                ("pipeline_restarts", resyncs, "Share of slots lost to restarts of the pipeline")):
            node("bad_speculation", of, part, d_ratio(self.bad_speculation * count, misses + resyncs),
                 brief, 0.05, self.bad_speculation, self.zen.ops)

        memory = d_ratio(Event("ex_no_retire.load_not_complete"), Event("ex_no_retire.not_complete"))
        node("backend_bound", by, "memory", self.backend * memory,
             "Share of slots unused since the back end waited for loads", 0.1, self.backend)
        node("backend_bound", by, "cpu", self.backend * (1 - memory),
             "Share of slots unused since the back end waited for anything but loads", 0.1, self.backend)

        share = d_ratio(Event("ex_ret_ucode_ops"), self.retired)
        node("retiring", of, "fastpath", self.retiring * (1 - share),
             "Share of slots that retired operations of ordinary instructions", 0.6, self.retiring)
        microcode = node("retiring", of, "microcode", self.retiring * share,
                         "Share of slots that retired operations of microcode", 0.05, self.retiring)
        # Much microcode calls for attention, even if little retires.
        microcode.threshold = microcode > 0.05
