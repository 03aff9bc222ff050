#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the same command lines under perf 7 and under tma --compat=7, on the same simulated
machines.

    perf7.py BUILD PERF [-v] [MACHINE ...]

The lines whose output differs are listed by the kind of difference. The kinds are the differences
that tma-perf(7) describes. If a line differs in another way, the line is printed, and the exit
status is 1. -v prints every difference.
"""
import collections
import difflib
import os
import re
import subprocess
import sys
import tempfile

MACHINES = ("skylakex", "icelakex", "sapphirerapids", "alderlake", "zen4")
ROWS = ("", "--per-socket", "--per-die", "--per-cluster", "--per-cache", "--per-core", "--per-node", "-A")
FORMATS = ("", "-x,", "-j")
CORE_EVENT = {"zen4": "ex_ret_instr", "alderlake": "inst_retired.any"}
BOXES = {"zen4": "msr/tsc/", "alderlake": "power/energy-cores/"}
METRICS = {"zen4": "branch_misprediction_ratio,backend_bound"}
ALONE = (
    "-e cycles,instructions", "-e {cycles,instructions}:u -I 100 --interval-count 2", "-C 0,2 -A -e cycles",
    "-a --all-user -e cycles,instructions:k", "-a --all-kernel -e cycles", "-a --no-big-num -e cycles",
    "-a --hide-zero-events -e cycles,major-faults", "-e cycles -r 3", "-x, -e cycles,cycles -r 3",
    "-a -x, -e cycles/cpu=0/,instructions", "-a -x, -e tool/duration_time/,smt_on,duration_time",
    "-x, -e software/cpu-clock/,CPU-CLOCK,page-faults", "-x, -e cycles:X,cycles:uX", "-n", "-i -x, -e cycles",
    "-x, -e default_core/cycles/u", "-a -x, -M insn_per_cycle,CPUs_utilized", "-a -j -M insn_per_cycle",
    "-C 99 -e cycles", "-x, -j -e cycles", "-a -x, --metric-only -M insn_per_cycle -I 100 --interval-count 2",
    "-e cycles,task-clock -x; -I 100 --interval-count 2",
)


def lines_for(machine):
    """Yield the command lines: 24 for each combination of kind of events, kind of rows and format;
    and ALONE."""
    core = CORE_EVENT.get(machine, "INST_RETIRED.ANY")
    boxes = BOXES.get(machine, "UNC_M_CLOCKTICKS")
    metrics = METRICS.get(machine, "tma_info_thread_ipc,tma_retiring")
    kinds = (
        "-a {row} {form} -e {{cycles,instructions}},branches,branch-misses",
        "-a {row} {form} -I 400 --interval-count 2 --summary -e cycles,page-faults",
        "-a {row} {form} -e L1-dcache-loads:u,r01c4,instructions:k,task-clock," + core,
        "{row} {form} -e " + boxes,
        "-a {row} {form} -M " + metrics,
        "-a {row} {form} --metric-only -M " + metrics.split(",", maxsplit=1)[0],
    )
    lines = [kind.format(row=row, form=form) for kind in kinds for row in ROWS for form in FORMATS]
    lines += [f"-a {row} {form}" for row in ("", "--per-socket", "-A") for form in FORMATS]
    lines += [f"-a {'-d ' * times} {form}" for times in (1, 2, 3) for form in FORMATS]
    return [" ".join(line.split()) for line in lines] + list(ALONE)


def run(program, command, environment):
    """Run a command. Return: the text of its output file, its messages and its status."""
    with tempfile.NamedTemporaryFile("r") as out:
        with_file = [out.name if word == "OUT" else word for word in command]
        done = subprocess.run(with_file, executable=program, env={**os.environ, **environment},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              check=False)
        text = "".join(re.sub(r"^# cpuid: .*", "", line) for line in out if not line.startswith("# started on"))
    return text, done.stderr, done.returncode


def without_layout(text):
    """Values of --metric-only are below their headings; with --per-node, these name the column of
    counters."""
    return re.sub(r"[ \t]+", " ", re.sub(r" +$", "", text.replace("node,ctrs,", "node,"), flags=re.M))


def without_core_types(text):
    """Columns and keys of --metric-only name their core type; cores of other types have no row."""
    text = re.sub(r" \(cpu_(core|atom)\)", "", text)
    text = re.sub(r"^( *)pmu +", r"\1", text, flags=re.M).replace("cpu_core ", "").replace("cpu_atom ", "")
    lines = [line for line in text.splitlines() if not re.search('"none"|nan|,$', line.replace("ipc,", "ipc"))]
    return "\n".join(sorted({re.sub(r"[ \t,]+|[0-9.]+$", " ", line).strip() for line in lines if "ipc" in line or '{' in line}))


def without_own_times(text):
    """duration_time and similar events were counted for the time of the row, and have a row
    wherever asked."""
    text = re.sub(r"((duration|user|system)_time/?,)[0-9]+,", r"\1-,", text)
    return re.sub(r'("event" : "[a-z/]*_time/?", "event-runtime" : )[0-9]+', r"\1-", text)


def without_quotes(text):
    """A field that contains the separator is quoted."""
    return "\n".join(line if line.startswith("{") else line.replace('"', "") for line in text.splitlines())


def without_shares(text):
    """If metrics cannot be measured, they use no counters, so others are counted for longer: only
    names are compared.
    """
    text = re.sub(r'"(event-runtime|pcnt-running)" : [0-9.]+(, )?', "", re.sub("<not counted>|nan|none", "0", text))
    text = re.sub(r'"metric-value" : "[0-9.]+", ', "", text)
    return re.sub(" +$", "", re.sub("[0-9.,% ()#]+", " ", text), flags=re.M)


def without_lost(text):
    """If only one branch of a metric is available, the metric has the value of this branch."""
    text = "\n".join(line for line in text.splitlines() if "stalled_cycles_per_instruction" not in line)
    return without_shares(text)


def without_thresholds(text):
    """Thresholds are checked if their events are counted anyway, and tma's own tables have more of
    them.
    """
    return re.sub(r', "metric-threshold" : "[a-z ]+"', "", text)


def without_order(text):
    """Formulas are newer than those of that kernel, so their events are in another order."""
    return "\n".join(sorted(set(text.splitlines())))


def without_raw(text):
    """A raw event is opened once for each core type."""
    return "\n".join(line for line in text.splitlines() if not re.search("cpu_(core|atom)/r[0-9a-f]+/", line))


def without_default_core(text):
    """default_core means each core type."""
    return re.sub("^.*cpu_core/cycles.*$\n?", "", text.replace("default_core,", ""), flags=re.M).strip()


# Each kind of difference: words in its lines, and a function that removes the difference.
KINDS = (
    ("fields with the separator are quoted", "-x", without_quotes),
    ("layout of --metric-only", "--metric-only", without_layout),
    ("core types in headings of --metric-only", "--metric-only", without_core_types),
    ("times of the program's own events", "", without_own_times),
    ("raw events of each core type", "r01c4", without_raw),
    ("default_core is each core type", "default_core", without_default_core),
    ("thresholds", "", without_thresholds),
    ("order of a metric's events", "-M", without_order),
    ("counters of metrics that cannot be", "DEFAULT", without_shares),
    ("metrics that perf loses", "DEFAULT", without_lost),
)


def are_alike(kinds, theirs, ours):
    """Return: whether two texts are the same once these kinds of difference are removed."""
    for _, _, take_out in kinds:
        theirs, ours = take_out(theirs), take_out(ours)
    return theirs == ours


def kinds_of(line, theirs, ours):
    """Return: the fewest kinds that explain how a line's texts differ; None if no kinds do."""
    default = "-e " not in line and "-M " not in line
    kinds = [kind for kind in KINDS if (default if kind[1] == "DEFAULT" else kind[1] in line)]
    if not are_alike(kinds, theirs, ours):
        return None
    for kind in reversed(KINDS):
        fewer = [other for other in kinds if other is not kind]
        if are_alike(fewer, theirs, ours):
            kinds = fewer
    return [kind[0] for kind in kinds]


def compare(build, perf, machine, line):
    """Run a line under both programs. Return: the kinds of difference (none: []), and a text that
    shows it.
    """
    command = [] if line.startswith("-a") and "-I" in line else ["--", "sleep" if "-I" in line else "true"]
    command += ["0.3"] if command[-1:] == ["sleep"] else []
    simulated = {"TMA_SIM_STEP": "100"}
    preloaded = {"TMA_MACHINE": machine, "LD_PRELOAD": f"{build}/libtma-sim.so", **simulated}
    args = ["-o", "OUT", *line.split(), *command]
    theirs, their_words, their_status = run(perf, ["perf", "stat", *args], preloaded)
    ours, our_words, our_status = run(f"{build}/tma", ["perf", "--machine", machine, "stat", "--compat=7", *args], simulated)
    if theirs == ours and their_status == our_status:
        return [], ""
    if their_status != our_status:
        words = f"    perf: {their_status} {their_words.strip()[-200:]}\n    tma: {our_status} {our_words.strip()[-200:]}"
        return (["status and words of an error"] if their_status and our_status else None), words
    changes = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "perf", "tma", n=0, lineterm="")
    return kinds_of(line, theirs, ours), "\n".join("    " + change for change in changes)


def main():
    """Run all lines, and print how many lines have each kind of difference."""
    words = [word for word in sys.argv[1:] if word != "-v"]
    build, perf = os.path.abspath(words[0]), words[1]
    others = 0
    for machine in words[2:] or MACHINES:
        lines, counts, same = lines_for(machine), collections.Counter(), 0
        for line in lines:
            kinds, difference_text = compare(build, perf, machine, line)
            same += kinds == []
            counts.update(kinds or [])
            others += kinds is None
            if kinds is None or ("-v" in sys.argv and kinds):
                print(f"== {machine}: stat {line}: {kinds or 'differs otherwise'}\n{difference_text}")
        print(f"{machine}: {len(lines)} lines, {same} as perf prints them"
              + "".join(f"; {kind}: {number}" for kind, number in sorted(counts.items())))
    print(f"{others} differ otherwise")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
