# SPDX-License-Identifier: GPL-2.0-only
"""Granite Rapids: levels 1 to 3, what they are made of, and all that retire latencies tell.

A cost of the form count * latency takes the cycles that an event's instructions waited to retire,
as sampled while counting. What hardware or clock can at most add is said by a minimum().
"""

from metric import (Constant, Event, Expr, Literal, Metric, Reference, Select, Table, maximum,
                    minimum, run)
from topdown import MetricEvents, Tree


class GraniteRapids:
    """Adds the metrics, part by part of the tree."""

    def __init__(self, table: Table):
        self.tree = tree = Tree(table, defaults=2)
        self.event, self.node, self.info = tree.event, tree.node, tree.info
        slots = Reference("tma_info_thread_slots")
        # Operations dropped on their way to the back end look like the front end's fault.
        dropped = tree.event("INT_MISC.UOP_DROPPING") / slots
        self.top = MetricEvents(tree, dropped, counted_bad_speculation=False)
        self.clocks()
        self.retired_slots = self.top.retiring * self.top.slots
        self.frontend()
        self.bad_speculation()
        self.memory()
        self.l1_bound()
        self.beyond_l1()
        self.store_bound()
        self.core()
        self.retiring()

    def clocks(self) -> None:
        event, info = self.event, self.info
        self.clks = info("tma_info_thread_clks", event("CPU_CLK_UNHALTED.THREAD"),
                         "Cycles in which the thread was not halted", "Pipeline")
        self.core_clks = info(
            "tma_info_core_core_clks",
            Select(event("CPU_CLK_UNHALTED.DISTRIBUTED"), Literal("#SMT_on"), self.clks),
            "Cycles of the core, a cycle of two running threads being shared between them", "SMT")
        seconds = info("tma_info_system_time", Event("duration_time", listed=False),
                       "Seconds that were measured", "Summary")
        seconds.threshold = seconds < 1
        turbo = info("tma_info_system_turbo_utilization",
                     self.clks / event("CPU_CLK_UNHALTED.REF_TSC"),
                     "Frequency while running, as a multiple of the nominal one", "Power")
        tsc = Event("tsc", pmu="msr", listed=False)
        self.ghz = info("tma_info_system_core_frequency", turbo * tsc / 1e9 / seconds,
                        "Frequency of the core while running, in GHz", "Power Summary")

    def cost(self, name: str, at_most: Expr | float | None = None) -> Expr:
        """Cycles which the instructions of a precise event took to retire."""
        event = self.event(name)
        latency = event.latency() if at_most is None else minimum(event.latency(), at_most)
        return event * latency

    # --- Front end -------------------------------------------------------------------------

    def frontend(self) -> None:
        event, node, clks = self.event, self.node, self.clks
        latency = self.top.fetch_latency
        icache = node("tma_icache_misses", event("ICACHE_DATA.STALLS") / clks,
                      "Share of cycles waiting for code that missed the instruction cache",
                      latency, groups="BigFootprint BvBC FetchLat IcMiss")
        miss = node("tma_code_l2_miss", self.cost("FRONTEND_RETIRED.L2_MISS") / clks,
                    "Share of cycles waiting for code that missed the second-level cache too",
                    icache, groups="FetchLat IcMiss Offcore")
        node("tma_code_l2_hit",
             maximum(0, self.cost("FRONTEND_RETIRED.L1I_MISS") / clks - miss),
             "Share of cycles waiting for code which the second-level cache had",
             icache, groups="FetchLat IcMiss Offcore")
        itlb = node("tma_itlb_misses", event("ICACHE_TAG.STALLS") / clks,
                    "Share of cycles waiting for the address of code to be translated",
                    latency, groups="BigFootprint BvBC FetchLat MemoryTLB")
        walk = node("tma_code_stlb_miss", self.cost("FRONTEND_RETIRED.STLB_MISS") / clks,
                    "Share of cycles waiting for a page walk to translate the address of code",
                    itlb, groups="FetchLat MemoryTLB")
        node("tma_code_stlb_hit",
             maximum(0, self.cost("FRONTEND_RETIRED.ITLB_MISS") / clks - walk),
             "Share of cycles waiting for the address of code, which the second-level TLB had",
             itlb, groups="FetchLat MemoryTLB")
        unknown = Reference("tma_unknown_branches")
        resteers = node("tma_branch_resteers", event("INT_MISC.CLEAR_RESTEER_CYCLES") / clks + unknown,
                        "Share of cycles in which fetching started anew elsewhere", latency,
                        groups="FetchLat")
        node(unknown.name, event("INT_MISC.UNKNOWN_BRANCH_CYCLES") / clks,
             "Share of cycles lost to branches which the predictor had not met before",
             resteers, groups="BigFootprint BvBC FetchLat")
        # Slots retired for a micro-operation issued: what the sequencer issues is not counted.
        issued = event("UOPS_RETIRED.SLOTS") / event("UOPS_ISSUED.ANY")
        node("tma_ms_switches",
             3 * event("UOPS_RETIRED.MS", cmask=1, edge=True) / issued / clks,
             "Estimated share of cycles lost when the microcode sequencer takes over", latency,
             groups="FetchLat MicroSeq tma_issueMC tma_issueMS tma_issueMV tma_issueSO")
        node("tma_lcp", event("DECODE.LCP") / clks,
             "Share of cycles lost to prefixes that change the length of an instruction", latency,
             groups="FetchLat tma_issueFB",
             public="A 16-bit immediate does it; compilers for this CPU mostly avoid that.")
        node("tma_dsb_switches", event("DSB2MITE_SWITCHES.PENALTY_CYCLES") / clks,
             "Share of cycles lost when decoding takes over from the decoded cache", latency,
             groups="DSBmiss FetchLat tma_issueFB")
        self.fetch_bandwidth(issued)
        self.frontend_info()

    def fetch_bandwidth(self, issued: Expr) -> None:
        event, node, bandwidth = self.event, self.node, self.top.fetch_bandwidth
        short = "Estimated share of cycles in which {} delivered fewer micro-operations than fit"
        node("tma_mite",
             (event("IDQ.MITE_CYCLES_ANY") - event("IDQ.MITE_CYCLES_OK")) / self.core_clks / 2,
             short.format("the decoders"), bandwidth, above=0.1, groups="DSBmiss FetchBW")
        node("tma_dsb",
             (event("IDQ.DSB_CYCLES_ANY") - event("IDQ.DSB_CYCLES_OK")) / self.core_clks / 2,
             short.format("the decoded cache"), bandwidth, above=0.15, groups="DSB FetchBW")
        sequencer = event("UOPS_RETIRED.MS", cmask=1) / issued
        node("tma_ms", maximum(event("IDQ.MS_CYCLES_ANY"), sequencer) / self.core_clks / 2.4,
             short.format("the microcode sequencer"), bandwidth, groups="MicroSeq")

    def frontend_info(self) -> None:
        lost = "Share of cycles which instructions waited to retire after {}"
        for name, event, after, groups, above in (
                ("dsb_switches_ret", "ANY_DSB_MISS", "a miss of the decoded cache",
                 "DSBmiss Fed FetchLat", 0.05),
                ("ms_latency_ret", "MS_FLOWS", "the microcode sequencer took over",
                 "Fed FetchLat MicroSeq", 0.05),
                ("unknown_branches_ret", "UNKNOWN_BRANCH", "a branch new to the predictor",
                 "Fed FetchLat", None)):
            self.info(f"tma_info_frontend_{name}", self.cost(f"FRONTEND_RETIRED.{event}") / self.clks,
                      lost.format(after), groups, above)

    # --- Bad speculation -------------------------------------------------------------------

    def bad_speculation(self) -> None:
        event, node = self.event, self.node
        missed, clears = self.top.branch_mispredicts, self.top.machine_clears
        branches = event("BR_MISP_RETIRED.ALL_BRANCHES")
        lost = "Share of slots lost to mispredicted {}"

        def part(count: Expr) -> Expr:
            return count / branches * missed

        indirect, calls = event("BR_MISP_RETIRED.INDIRECT"), event("BR_MISP_RETIRED.INDIRECT_CALL")
        for name, share, branch in (
                ("cond_nt", part(event("BR_MISP_RETIRED.COND_NTAKEN")),
                 "conditional branches that were not taken"),
                ("cond_tk", part(event("BR_MISP_RETIRED.COND_TAKEN")),
                 "conditional branches that were taken"),
                ("ind_call", part(calls), "indirect calls"),
                ("ind_jump", maximum(part(indirect - calls), 0), "indirect jumps"),
                ("ret", part(event("BR_MISP_RETIRED.RET")), "returns")):
            node(f"tma_{name}_mispredicts", share, lost.format(branch), missed, groups="BrMispredicts")
        all_clears = event("MACHINE_CLEARS.COUNT")
        # Not 0, since others divide by it.
        node("tma_other_mispredicts",
             maximum(missed * (1 - branches / (event("INT_MISC.CLEARS_COUNT") - all_clears)), 0.0001),
             "Share of slots lost to mispredicted branches which never retired", missed,
             groups="BrMispredicts BvIO",
             public="They followed another wrong guess, or were not branches after all.")
        node("tma_other_nukes",
             maximum(clears * (1 - event("MACHINE_CLEARS.MEMORY_ORDERING") / all_clears), 0.0001),
             "Share of slots lost to machine clears other than for memory ordering", clears,
             groups="BvIO Machine_Clears")

    # --- Back end: memory ------------------------------------------------------------------

    def memory(self) -> None:
        event, node, clks, parent = self.event, self.node, self.clks, self.top.memory_bound
        l1, l2, l3 = (event(f"MEMORY_ACTIVITY.STALLS_{level}_MISS") for level in ("L1D", "L2", "L3"))
        # A load that finds its line on the way counts as one more miss of the same kind.
        self.merged = event("MEM_LOAD_RETIRED.FB_HIT") / event("MEM_LOAD_RETIRED.L1_MISS")
        stalled = "Share of cycles stalled on loads which {}"
        self.l1 = node("tma_l1_bound", maximum((event("EXE_ACTIVITY.BOUND_ON_LOADS") - l1) / clks, 0),
                       stalled.format("the first-level cache had"), parent, above=0.1,
                       groups="CacheHits MemoryBound TmaL3mem tma_issueL1 tma_issueMC",
                       public="The data is near, so look for long chains of loads, blocked or split "
                              "loads, locks and TLB misses.")
        self.l2 = node("tma_l2_bound", (l1 - l2) / clks, stalled.format("the second-level cache had"),
                       parent, groups="BvML CacheHits MemoryBound TmaL3mem")
        self.l3 = node("tma_l3_bound", (l2 - l3) / clks,
                       stalled.format("the third-level cache or another core had"), parent,
                       groups="CacheHits MemoryBound TmaL3mem")
        has_pmem = Literal("#has_pmem") > 0
        cxl = node("tma_cxl_mem_bound", self.cxl_share(l3 / clks, has_pmem),
                   "Estimated share of cycles stalled on loads from CXL memory", parent, above=0.1,
                   groups="MemoryBound Server TmaL3mem")
        self.l3_miss = node("tma_l3_miss_bound", Select(l3 / clks - cxl, has_pmem, l3 / clks),
                            stalled.format("no cache had"), parent, above=0.1,
                            groups="MemoryBound Offcore TmaL3mem")
        self.store = node("tma_store_bound", event("EXE_ACTIVITY.BOUND_ON_STORES") / clks,
                          "Share of cycles stalled while the store buffer was full", parent, above=0.2,
                          groups="MemoryBound TmaL3mem")

    def cxl_share(self, stalls: Expr, has_pmem: Expr) -> Expr:
        """Of the stalls, those on CXL memory: loads weighted by how long memory of their kind takes."""
        def loads(name: str) -> Expr:
            return self.event(name) * (1 + self.merged)

        miss = "MEM_LOAD_L3_MISS_RETIRED."
        cxl = [self.event(miss + "REMOTE_CXL_MEM"), self.event("MEM_LOAD_RETIRED.LOCAL_CXL_MEM")]
        other = 19 * loads(miss + "REMOTE_DRAM") + 10 * (
            loads(miss + "LOCAL_DRAM") + loads(miss + "REMOTE_FWD") + loads(miss + "REMOTE_HITM"))
        weighted_cxl = (25 * Select(cxl[1] * (1 + self.merged), has_pmem, 0)
                        + 33 * Select(cxl[0] * (1 + self.merged), has_pmem, 0))
        share = Select(1 - other / (other + weighted_cxl), has_pmem, 1)
        # Below one load in a million nothing can be said.
        noticed = 1e6 * (cxl[0] + cxl[1]) > self.event("MEM_LOAD_RETIRED.L1_MISS")
        return Select(Select(share * stalls, noticed, 0), has_pmem, 0)

    def l1_bound(self) -> None:
        event, node, clks = self.event, self.node, self.clks
        latency = self.info("tma_info_memory_load_miss_real_latency",
                            event("L1D_PEND_MISS.PENDING") / event("MEM_LOAD_COMPLETED.L1_MISS_ANY"),
                            "Cycles until the data of a first-level cache miss was there, on average",
                            "Mem MemoryBound MemoryLat")
        walks = Reference("tma_load_stlb_miss")
        dtlb = node("tma_dtlb_load", self.cost("MEM_INST_RETIRED.STLB_HIT_LOADS", 7) / clks + walks,
                    "Estimated share of cycles in which loads waited for their address", self.l1, above=0.1,
                    groups="BvMT MemoryTLB tma_issueTLB")
        node(walks.name, event("DTLB_LOAD_MISSES.WALK_ACTIVE") / clks,
             "Estimated share of cycles in which page walks for loads were under way", dtlb,
             groups="MemoryTLB")
        node("tma_lock_latency", self.cost("MEM_INST_RETIRED.LOCK_LOADS") / clks,
             "Share of cycles in which locked instructions waited for their cache line", self.l1, above=0.2,
             groups="LockCont Offcore tma_issueRFO", constraint="NO_GROUP_EVENTS")
        node("tma_split_loads", self.cost("MEM_INST_RETIRED.SPLIT_LOADS", latency) / clks,
             "Estimated share of cycles lost to loads across two cache lines", self.l1, above=0.3,
             alone=True, public="Aligning the data avoids them.")
        for kind in ("load", "store"):
            self.info(f"tma_info_memory_tlb_{kind}_stlb_miss_ret",
                      self.cost(f"MEM_INST_RETIRED.STLB_MISS_{kind.upper()}S") / clks,
                      f"Share of cycles which {kind}s waited to retire after a page walk",
                      "Mem MemoryTLB", 0.05)

    def load_cost(self, name: str, nanoseconds: float | None = None) -> Expr:
        """cost() with a latency of at most so many ns, which the core's frequency makes cycles."""
        return self.cost(name, None if nanoseconds is None else nanoseconds * self.ghz)

    def with_merged(self, cost: Expr) -> Expr:
        """As a share of the cycles; loads merged into a miss wait half as long."""
        return cost * (1 + self.merged / 2) / self.clks

    def beyond_l1(self) -> None:
        node, hit = self.node, "MEM_LOAD_L3_HIT_RETIRED."
        node("tma_l2_hit_latency", self.with_merged(self.load_cost("MEM_LOAD_RETIRED.L2_HIT", 4.4)),
             "Share of cycles in which loads waited for the second-level cache without contention",
             self.l2, groups="MemoryLat")
        node("tma_l3_hit_latency", self.with_merged(self.load_cost("MEM_LOAD_RETIRED.L3_HIT", 32.6)),
             "Share of cycles in which loads waited for the third-level cache without contention",
             self.l3, above=0.1, groups="BvML MemoryLat tma_issueLat")
        # Of the lines that another core sent, those it had changed.
        response = "OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_"
        changed, clean = self.event(response + "HITM"), self.event(response + "HIT_WITH_FWD")
        changed_share = changed / (changed + clean)
        node("tma_contested_accesses",
             self.with_merged(self.load_cost(hit + "XSNP_MISS", 74.6)
                              + self.load_cost(hit + "XSNP_FWD", 76.6) * changed_share),
             "Share of cycles in which loads waited for a line that another core had written", self.l3,
             groups="BvMS DataSharing LockCont Offcore Snoop tma_issueSyncxn",
             public="Threads that write the same line, be it only next to each other's data.")
        node("tma_data_sharing",
             self.with_merged(self.load_cost(hit + "XSNP_NO_FWD", 74.6)
                              + self.load_cost(hit + "XSNP_FWD", 74.6) * (1 - changed_share)),
             "Share of cycles in which loads waited for a line that other cores only read", self.l3,
             groups="BvMS Offcore Snoop tma_issueSyncxn", constraint="NO_GROUP_EVENTS")
        self.dram()

    def dram(self) -> None:
        event, node, clks, miss = self.event, self.node, self.clks, "MEM_LOAD_L3_MISS_RETIRED."
        cycles = event("CPU_CLK_UNHALTED.THREAD")
        outstanding = "OFFCORE_REQUESTS_OUTSTANDING."
        bandwidth = node(
            "tma_mem_bandwidth", minimum(cycles, event(outstanding + "DATA_RD", cmask=12)) / clks,
            "Estimated share of cycles in which memory bandwidth was the limit", self.l3_miss, above=0.2,
            groups="BvMB MemoryBW Offcore tma_issueBW",
            public="At least twelve reads were under way at once.")
        latency = node(
            "tma_mem_latency",
            minimum(cycles, event(outstanding + "CYCLES_WITH_DATA_RD")) / clks - bandwidth,
            "Estimated share of cycles in which memory latency was the limit", self.l3_miss, above=0.1,
            groups="BvML MemoryLat Offcore tma_issueLat", public="Reads were under way, but few.")
        waited = "Share of cycles in which loads waited for {}"
        node("tma_local_mem", self.with_merged(self.load_cost(miss + "LOCAL_DRAM")),
             waited.format("memory of their own socket"), latency, above=0.1, groups="Server")
        node("tma_remote_mem", self.with_merged(self.load_cost(miss + "REMOTE_DRAM")),
             waited.format("memory of another socket"), latency, above=0.1, groups="Server Snoop")
        node("tma_remote_cache",
             self.with_merged(self.load_cost(miss + "REMOTE_HITM") + self.load_cost(miss + "REMOTE_FWD")),
             waited.format("a cache of another socket"), latency,
             groups="Offcore Server Snoop tma_issueSyncxn")

    def store_bound(self) -> None:
        node, clks = self.node, self.clks
        walks = Reference("tma_store_stlb_miss")
        dtlb = node("tma_dtlb_store", self.cost("MEM_INST_RETIRED.STLB_HIT_STORES", 7) / clks + walks,
                    "Estimated share of cycles in which stores waited for their address", self.store,
                    groups="BvMT MemoryTLB tma_issueTLB")
        node(walks.name, self.event("DTLB_STORE_MISSES.WALK_ACTIVE") / self.core_clks,
             "Estimated share of cycles in which page walks for stores were under way", dtlb,
             groups="MemoryTLB")
        node("tma_split_stores", self.cost("MEM_INST_RETIRED.SPLIT_STORES", 1) / clks,
             "Share of cycles with a store across two cache lines", self.store, above=0.2,
             groups="tma_issueSpSt")

    # --- Back end: core --------------------------------------------------------------------

    def core(self) -> None:
        event, node, clks, parent = self.event, self.node, self.clks, self.top.core_bound
        node("tma_divider", event("ARITH.DIV_ACTIVE") / clks,
             "Share of cycles in which the divider was at work", parent, above=0.2, groups="BvCB",
             public="Divisions and square roots, of integers and of floating-point numbers.")
        node("tma_amx_busy", event("EXE.AMX_BUSY") / self.core_clks,
             "Estimated share of cycles in which the matrix unit (AMX) was at work", parent, above=0.5,
             groups="BvCB Compute HPC Server")
        scoreboard = event("RESOURCE_STALLS.SCOREBOARD")
        waits = Reference("tma_c02_wait")
        serial = node("tma_serializing_operation", scoreboard / clks + waits,
                      "Share of cycles in which an instruction waited for all before it", parent, above=0.1,
                      groups="BvIO PortsUtil tma_issueSO")
        node(waits.name, event("CPU_CLK_UNHALTED.C02") / clks,
             "Share of cycles in the C0.2 state, slower to wake and saving more power", serial,
             groups="C0Wait", public="TPAUSE and UMWAIT bring a thread there.")
        none = Reference("tma_ports_utilized_0")
        few = event("EXE_ACTIVITY.1_PORTS_UTIL") + self.top.retiring * event("EXE_ACTIVITY.2_3_PORTS_UTIL")
        stalls = event("CYCLE_ACTIVITY.STALLS_TOTAL") - event("EXE_ACTIVITY.BOUND_ON_LOADS")
        ports = node(
            "tma_ports_utilization",
            Select((none * clks + few) / clks, event("ARITH.DIV_ACTIVE") < stalls, few / clks),
            "Estimated share of cycles in which few execution ports had work, the divider aside", parent,
            above=0.15, groups="PortsUtil", constraint="NO_GROUP_EVENTS_NMI",
            public="Operations that depend on each other, or all need the same port.")
        node(none.name, maximum(event("EXE_ACTIVITY.EXE_BOUND_0_PORTS") - scoreboard, 0) / clks,
             "Share of cycles in which no execution port had work", ports, above=0.2, groups="PortsUtil",
             constraint="NO_THRESHOLD_AND_NMI")

    # --- Retiring --------------------------------------------------------------------------

    def retiring(self) -> None:
        event, node, light = self.event, self.node, self.top.light_operations
        heavy = self.top.heavy_operations

        def share(count: Expr) -> Expr:
            return light * count / self.retired_slots

        x87, scalar, vector = (Reference(f"tma_{name}") for name in ("x87_use", "fp_scalar", "fp_vector"))
        fp = node("tma_fp_arith", x87 + scalar + vector,
                  "Share of slots that retired floating-point arithmetic", light, above=0.2, groups="HPC",
                  public="Instructions that compute several things at once count more than once.")
        self.floating_point(fp, x87.name, scalar.name, vector.name)
        integer = self.integer_vectors(light)
        memory = node("tma_memory_operations", share(event("MEM_UOP_RETIRED.ANY")),
                      "Share of slots that retired loads and stores", light, above=0.1, groups="Pipeline")
        fused_pairs = event("INST_RETIRED.MACRO_FUSED")
        fused = node("tma_fused_instructions", share(fused_pairs),
                     "Share of slots that retired two instructions as one, a compare and its branch",
                     light, above=0.1, groups="Branches BvBO Pipeline")
        branches = node("tma_non_fused_branches",
                        share(event("BR_INST_RETIRED.ALL_BRANCHES") - fused_pairs),
                        "Share of slots that retired branches not fused with a compare", light, above=0.1,
                        groups="Branches BvBO Pipeline")
        node("tma_other_light_ops",
             maximum(0, light - (fp + integer + memory + fused + branches)),
             "Share of slots that retired simple instructions of none of the other kinds", light, above=0.3,
             groups="Pipeline", constraint="NO_GROUP_EVENTS")
        sequencer = node("tma_microcode_sequencer", event("UOPS_RETIRED.MS") / self.top.slots,
                         "Share of slots that retired micro-operations of the microcode sequencer", heavy,
                         groups="MicroSeq tma_issueMC tma_issueMS",
                         public="String instructions, CPUID, and assists for rare cases.")
        node("tma_few_uops_instructions", maximum(0, heavy - sequencer),
             "Share of slots that retired instructions which decode to a few micro-operations", heavy,
             groups="tma_issueD0")

    def floating_point(self, parent: Metric, x87: str, scalar: str, vector: str) -> None:
        event, node = self.event, self.node
        node(x87, self.top.retiring * event("UOPS_EXECUTED.X87") / event("UOPS_EXECUTED.THREAD"),
             "Estimated share of slots that retired x87 instructions", parent, above=0.1, groups="Compute",
             public="Today's compilers do not use them unless told to.")
        for name, kind, brief in (
                (scalar, "SCALAR", "Estimated share of slots that retired scalar floating-point arithmetic"),
                (vector, "VECTOR", "Estimated share of slots that retired floating-point vectors")):
            count = event(f"FP_ARITH_INST_RETIRED.{kind}") + event(f"FP_ARITH_INST_RETIRED2.{kind}")
            node(name, count / self.retired_slots, brief, parent, above=0.1,
                 groups="Compute Flops tma_issue2P")

    def integer_vectors(self, light: Metric) -> Metric:
        event = self.event
        parts = {128: ("ADD_128", "VNNI_128"), 256: ("ADD_256", "MUL_256", "VNNI_256")}
        names = {bits: Reference(f"tma_int_vector_{bits}b") for bits in parts}
        parent = self.node("tma_int_operations", names[128] + names[256],
                           "Share of slots that retired integer vectors", light, above=0.1,
                           groups="Pipeline")
        for bits, kinds in parts.items():
            count: Expr = Constant(0)
            for kind in kinds:
                count = count + event(f"INT_VEC_RETIRED.{kind}")
            self.node(names[bits].name, count / self.retired_slots,
                      f"Share of slots that retired integer vectors of {bits} bits", parent, above=0.1,
                      groups="Compute IntVector Pipeline tma_issue2P")
        return parent


def make() -> Table:
    table = Table()
    GraniteRapids(table)
    return table


if __name__ == "__main__":
    run(make)
