# SPDX-License-Identifier: GPL-2.0-only
"""What the names of metric groups mean."""

from metric import MetricGroup

_AREAS = {
    "Backend": "What keeps ready operations from executing",
    "BadSpec": "Work thrown away after a wrong guess",
    "BigFootprint": "Signs of code too large for the front end's caches",
    "BrMispredicts": "Mispredicted branches and what they cost",
    "Branches": "Branches and what becomes of them",
    "BvBC": "Bottleneck view: code too large for caches and TLBs",
    "BvBO": "Bottleneck view: branches and no-operations as overhead",
    "BvCB": "Bottleneck view: execution units",
    "BvFB": "Bottleneck view: instruction fetch bandwidth",
    "BvIO": "Bottleneck view: irregular work such as assists and serialization",
    "BvMB": "Bottleneck view: bandwidth of memory and caches",
    "BvML": "Bottleneck view: latency of memory and caches",
    "BvMP": "Bottleneck view: branch mispredictions",
    "BvMS": "Bottleneck view: data shared and passed between threads",
    "BvMT": "Bottleneck view: address translation of data",
    "BvOB": "Bottleneck view: what no other bottleneck explains",
    "BvUW": "Bottleneck view: useful work",
    "C0Wait": "Threads that wait without leaving the C0 state",
    "CacheHits": "Where loads find their data",
    "Compute": "Use of the execution units",
    "DSB": "Micro-operations from the decoded cache (DSB)",
    "DSBmiss": "The decoded cache (DSB) missed",
    "DataSharing": "Cache lines which several cores use",
    "Default": "Printed when no event or metric is named",
    "Fed": "How the front end feeds the back end",
    "FetchBW": "Too few micro-operations a cycle from the front end",
    "FetchLat": "Cycles without any micro-operation from the front end",
    "Flops": "Floating-point operations",
    "Frontend": "Fetching and decoding instructions",
    "HPC": "Of interest to numeric programs",
    "IcMiss": "The instruction cache missed",
    "IntVector": "Integer vector operations",
    "LockCont": "Contended locks and atomic operations",
    "MachineClears": "The pipeline emptied for other reasons than a branch",
    "Machine_Clears": "The pipeline emptied for reasons nobody names",
    "Mem": "Memory and caches",
    "MemoryBW": "Bandwidth of memory and caches",
    "MemoryBound": "Waiting for memory and caches",
    "MemoryLat": "Latency of memory and caches",
    "MemoryTLB": "Address translation",
    "MicroSeq": "Micro-operations from the microcode sequencer",
    "Offcore": "Requests that leave the core",
    "PGO": "What profile-guided optimisation may improve",
    "Pipeline": "What passes through the pipeline",
    "PipelineL1": "Dispatch slots by what became of them: the whole",
    "PipelineL2": "Dispatch slots by what became of them: each part split in two",
    "PortsUtil": "Use of the execution ports",
    "Power": "Frequency and energy",
    "Retire": "What retires",
    "SMT": "Two threads sharing a core",
    "Server": "Servers only",
    "Snoop": "Data from the caches of other cores",
    "Summary": "The run in a few figures",
    "TmaL1": "The four parts of all slots",
    "TmaL2": "The parts of the first level, split",
    "TmaL3mem": "Which memory level the back end waits for",
    "backend_bound_group": "Parts of backend_bound",
    "bad_speculation_group": "Parts of bad_speculation",
    "frontend_bound_group": "Parts of frontend_bound",
    "retiring_group": "Parts of retiring",
    "tma_issue2P": "Look at together: pressure on the vector ports",
    "tma_issueBM": "Look at together: branch mispredictions",
    "tma_issueBW": "Look at together: memory bandwidth",
    "tma_issueD0": "Look at together: instructions only the first decoder takes",
    "tma_issueFB": "Look at together: front end bandwidth",
    "tma_issueL1": "Look at together: waits for the first-level cache",
    "tma_issueLat": "Look at together: memory latency",
    "tma_issueMC": "Look at together: machine clears",
    "tma_issueMS": "Look at together: the microcode sequencer",
    "tma_issueMV": "Look at together: mixed vector widths",
    "tma_issueRFO": "Look at together: stores that must own their cache line",
    "tma_issueSO": "Look at together: serializing operations",
    "tma_issueSpSt": "Look at together: stores across two cache lines",
    "tma_issueSyncxn": "Look at together: threads which synchronise",
    "tma_issueTLB": "Look at together: address translation",
}

AREAS = [MetricGroup(name, description) for name, description in _AREAS.items()]


def level_groups(level: int) -> list[MetricGroup]:
    """The two names that a level of the tree has."""
    return [MetricGroup(name, f"Level {level} of the TopDown tree")
            for name in (f"TopdownL{level}", f"tma_L{level}_group")]


def children_of(metric: str) -> MetricGroup:
    """The group of the metrics which split another."""
    return MetricGroup(f"{metric}_group", f"Parts of {metric}")
