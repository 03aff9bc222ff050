# SPDX-License-Identifier: GPL-2.0-only
"""The TopDown tree of Intel's cores: what its nodes have in common, and formulas of several models."""

from groups import AREAS, children_of, level_groups
from metric import Event, Expr, Metric, Table, also_count, maximum


class Tree:
    """Adds the metrics of one kind of core to a table.

    pmu:      "cpu_core" or "cpu_atom" on a hybrid machine
    defaults: how many levels are printed when no event or metric is named
    """

    def __init__(self, table: Table, pmu: str = "", defaults: int = 1):
        self.table, self.pmu, self.defaults = table, pmu, defaults
        self.levels: dict[str, int] = {}
        table.describe(AREAS)

    def event(self, name: str, **terms) -> Event:
        """An event of this core."""
        return Event(name, self.pmu, **terms)

    def kernel_event(self, name: str) -> Event:
        """An event which the kernel names in sysfs."""
        return Event(name, self.pmu, listed=False)

    def info(self, name: str, expr: Expr, brief: str, groups: str = "",
             above: float | None = None, scale: str = "", **fields) -> Metric:
        """A figure beside the tree. groups: names, blanks between; above: its threshold."""
        metric = Metric(name, expr, brief, groups=groups.split(), scale=scale, unit=self.pmu,
                        **fields)
        if above is not None:
            metric.threshold = metric > above
        return self.table.add(metric)

    def node(self, name: str, expr: Expr, brief: str, parent: Metric | None = None,
             above: float = 0.05, groups: str = "", alone: bool = False, **fields) -> Metric:
        """A node of the tree, a share of its core's slots or cycles.

        above: from where on it calls for attention, provided that its parent does (unless alone)
        """
        level = self.levels[parent.name] + 1 if parent is not None else 1
        names = groups.split() + [group.name for group in level_groups(level)]
        self.table.describe(level_groups(level))
        if parent is not None:
            self.table.describe([children_of(parent.name)])
            names.append(f"{parent.name}_group")
        # The first levels come out of one group of events, or not at all: no need to ask for it.
        if level <= 2:
            fields["no_group"] = [f"TopdownL{level}"]
        if level <= self.defaults:
            names.append("Default")
            fields["no_group"].append("Default")
            fields["default_group"] = f"TopdownL{level}"
        metric = Metric(name, expr, brief, groups=names, scale="100%", unit=self.pmu, **fields)
        metric.threshold = metric > above
        if parent is not None and not alone:
            metric.threshold &= parent.threshold
        self.levels[name] = level
        return self.table.add(metric)


class MetricEvents:
    """Levels 1 and 2 as cores since Golden Cove count them: eight events, led by slots.

    dropped: the share of slots that the front end must not be blamed for
    counted_bad_speculation: whether bad speculation is counted, or what the other three leave
    """

    def __init__(self, tree: Tree, dropped: Expr | None = None,
                 counted_bad_speculation: bool = True):
        self.tree = tree
        self.slots = tree.info("tma_info_thread_slots", tree.event("TOPDOWN.SLOTS"),
                               "Slots of the thread: micro-operations that could have been issued",
                               "TmaL1 tma_L1_group")
        self._level_1(dropped, counted_bad_speculation)
        self._level_2(dropped)

    def _share(self, part: str, dropped: Expr | None = None) -> Expr:
        """A part of the slots. What all four parts of level 1 come to is 1, to the last bit."""
        event = self.tree.kernel_event
        whole = (event("topdown-fe-bound") + event("topdown-bad-spec") + event("topdown-retiring")
                 + event("topdown-be-bound"))
        share = event(f"topdown-{part}") / whole
        # Without slots the kernel counts none of these.
        return share + also_count(self.slots) if dropped is None else share - dropped

    def _level_1(self, dropped: Expr | None, counted_bad_speculation: bool) -> None:
        node = self.tree.node
        self.frontend = node(
            "tma_frontend_bound", self._share("fe-bound", dropped),
            "Share of slots the front end left empty",
            above=0.15, groups="BvFB BvIO PGO TmaL1",
            public="The back end could have taken a micro-operation and the front end had none: it waited "
                   "for code or a branch target, or decoded fewer a cycle than the core is wide.")
        self.backend = node(
            "tma_backend_bound", self._share("be-bound"),
            "Share of slots in which the back end could take nothing more",
            above=0.2, groups="BvOB TmaL1",
            public="Its queues and buffers were full, because earlier work waited for data or for an "
                   "execution unit.")
        self.retiring = node(
            "tma_retiring", self._share("retiring"),
            "Share of slots whose micro-operation retired",
            groups="BvUW TmaL1",
            public="Work that counts, though not all of it need be: fewer or wider instructions may do "
                   "the same.")
        bad_speculation = self._share("bad-spec")
        if not counted_bad_speculation:
            bad_speculation = maximum(1 - (self.frontend + self.backend + self.retiring), 0)
        self.bad_speculation = node(
            "tma_bad_speculation", bad_speculation,
            "Share of slots lost to wrong guesses",
            above=0.15, groups="TmaL1",
            public="Micro-operations that never retired, and the cycles until the right ones came. "
                   "Mispredicted branches and machine clears do this.")

    def _level_2(self, dropped: Expr | None) -> None:
        node = self.tree.node
        self.fetch_latency = node(
            "tma_fetch_latency", self._share("fetch-lat", dropped),
            "Share of slots in cycles in which the front end delivered nothing at all",
            self.frontend, above=0.1, groups="Frontend TmaL2",
            public="Misses of the instruction cache or its TLB, and branch targets known late, are usual.")
        self.fetch_bandwidth = node(
            "tma_fetch_bandwidth", maximum(0, self.frontend - self.fetch_latency),
            "Share of slots left empty in cycles in which the front end delivered something",
            self.frontend, above=0.2, alone=True, groups="FetchBW Frontend TmaL2 tma_issueFB",
            public="The decoders or the decoded cache gave less than the core is wide.")
        self.branch_mispredicts = node(
            "tma_branch_mispredicts", self._share("br-mispredict"),
            "Share of slots lost to mispredicted branches",
            self.bad_speculation, above=0.1, groups="BadSpec BrMispredicts BvMP TmaL2 tma_issueBM")
        self.machine_clears = node(
            "tma_machine_clears", maximum(0, self.bad_speculation - self.branch_mispredicts),
            "Share of slots lost because the pipeline was emptied for another reason than a branch",
            self.bad_speculation, above=0.1,
            groups="BadSpec BvMS MachineClears TmaL2 tma_issueMC tma_issueSyncxn",
            public="Loads and stores in the wrong order and code that changes itself are such reasons.")
        self.memory_bound = node(
            "tma_memory_bound", self._share("mem-bound"),
            "Share of slots in which the back end waited for loads or stores",
            self.backend, above=0.2, groups="Backend TmaL2")
        self.core_bound = node(
            "tma_core_bound", maximum(0, self.backend - self.memory_bound),
            "Share of slots in which the back end waited for anything but memory",
            self.backend, above=0.1, groups="Backend Compute TmaL2",
            public="Long operations such as divisions, chains of dependent instructions, or too many "
                   "for one kind of execution port.")
        self.heavy_operations = node(
            "tma_heavy_operations", self._share("heavy-ops"),
            "Share of slots that retired parts of instructions with several micro-operations",
            self.retiring, above=0.1, alone=True, groups="Retire TmaL2",
            public="Instructions of more than two micro-operations, and microcode.")
        self.light_operations = node(
            "tma_light_operations", maximum(0, self.retiring - self.heavy_operations),
            "Share of slots that retired instructions of one micro-operation",
            self.retiring, above=0.6, alone=True, groups="Retire TmaL2")
        self.retiring.threshold = (self.retiring > 0.7) | (self.heavy_operations > 0.1)
