# SPDX-License-Identifier: GPL-2.0-only
"""The command lines of bytes.py.

A line is "MACHINE [NAME=VALUE ...]: STEP [THEN STEP ...]". A step is the arguments of tma, quoted
as for a shell; if it begins with "perf", tma runs under that name. bytes.py describes the words
that it replaces. MACHINE-watched and MACHINE-held have one free counter less, see bytes.py.

Most lines come from tables: every pair of a row and a format, on every machine. For each pair, a
hash of the pair chooses what is counted, when and how. So a line depends only on its own words, and
new lines do not change others.
"""
import re
import zlib

XEONS = ["skylakex", "icelakex", "sapphirerapids", "graniterapids", "sierraforest"]
HYBRIDS = ["alderlake", "lunarlake"]
MACHINES = XEONS + HYBRIDS + ["zen4", "neoverse-n2"]

FORMATS = ["", "-x,", "-x, --header", "-j", "--format=csv-wide", "--format=json", "--format=prom", "-x';'"]
# The place of a verdict.
VERDICT_FORMATS = ["", "-j", "--format=json"]
PLACES = ["", "-A", "--per-socket", "--per-die", "--per-cluster", "--per-cache", "--per-core",
          "--per-node", "-C 0-1,3"]
ROWS = ["--timeout 500", "-I500 --interval-count 2", "-I400 --interval-count 3 --summary"]

EVENTS = [
    "cycles,instructions",
    "cycles,instructions,branches,branch-misses",
    "'{cycles,instructions},{branches,branch-misses}'",
    "'{cycles,instructions}:S,branches:u,branches:k'",
    "cycles:u,instructions:k,branches:uk,cycles:H",
    "duration_time,cycles,cpu-clock,context-switches,page-faults",
    "task-clock,cs,migrations,faults,instructions",
    "branches,branch-misses,cache-misses,cache-references,L1-dcache-loads,dTLB-load-misses,bus-cycles",
    "'{branches,branch-misses},{cache-misses,cache-references},{L1-dcache-loads,branches},dTLB-loads'",
    "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
    "cycles:D,'{branches,branch-misses}:D',instructions",
    "'{cycles,instructions,branches,cs}:W',cycles",
    "cycles,cycles,instructions,duration_time",
    "stalled-cycles-frontend,stalled-cycles-backend,cycles,instructions",
]
INTEL_EVENTS = [
    "r01c4,r003c:u,cycles",
    "cpu/event=0x3c,name=foo/,cpu/event=0xc0,umask=0x00/u",
    "'{cpu/cycles/,cpu/instructions/}',cpu/event=0x3c,percore/",
    "INST_RETIRED.ANY,br_inst_retired.all_branches,CPU_CLK_UNHALTED.THREAD",
    "msr/tsc/,msr/aperf/,msr/mperf/,cycles",
    "'{branches,branch-misses,cache-misses,cache-references,L1-dcache-loads,L1-dcache-stores,"
    "iTLB-load-misses,dTLB-loads,bus-cycles,branches:u}'",
]
UNCORE_EVENTS = [
    "power/energy-pkg/,power/energy-ram/,cycles",
    "uncore_imc/clockticks/,imc/event=5/",
    "uncore_imc_0/clockticks/,uncore_imc_3/clockticks/",
    "'uncore_imc_*/event=0x4/',cstate_core/c6-residency/,cstate_pkg/c6-residency/",
    "UNC_M_CLOCKTICKS,cycles",
]
SLOTS_EVENTS = [
    "'{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}'",
    "topdown-retiring,topdown-bad-spec,topdown-be-bound,slots",
    "'{cycles,topdown-retiring,slots},instructions'",
]
OWN_EVENTS = {
    "skylakex": INTEL_EVENTS + UNCORE_EVENTS + [
        "uncore_imc/cas_count_read/,uncore_imc/cas_count_write/",
        "'{topdown-total-slots,topdown-slots-retired,topdown-slots-issued}',ref-cycles",
        "OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE,cpu/event=0xb7,umask=0x01,offcore_rsp=0x10001/"],
    "icelakex": INTEL_EVENTS + UNCORE_EVENTS + SLOTS_EVENTS + [
        "uncore_imc/cas_count_read/,'{uncore_cha/event=1/,uncore_cha/event=2/}'"],
    "sapphirerapids": INTEL_EVENTS + UNCORE_EVENTS + SLOTS_EVENTS + [
        "'{slots,topdown-heavy-ops},topdown-mem-bound'",
        "UNC_CHA_CLOCKTICKS,'{cycles,uncore_imc/cas_count_read/}'"],
    "graniterapids": INTEL_EVENTS + UNCORE_EVENTS + SLOTS_EVENTS + [
        "MEM_LOAD_RETIRED.L3_HIT:R,cycles", "UNC_CXLCM_CLOCKTICKS,uncore_imc/cas_count_read_sch0/"],
    "sierraforest": INTEL_EVENTS + UNCORE_EVENTS + [
        "'{topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound},cycles'",
        "cstate_module/c6-residency/,cycles"],
    "alderlake": SLOTS_EVENTS + [
        "cpu_core/cycles/,cpu_atom/cycles/,cpu_atom/event=0x3c,name=foo/",
        "'{cpu_atom/cycles/,cpu_core/cycles/}'", "cpu_core/r3c/,r01c4,msr/tsc/",
        "inst_retired.any,cpu_atom/LLC-loads/,cpu_core/topdown-mem-bound/",
        "uncore_imc_free_running/data_total/,power/energy-pkg/,uncore_clock/clockticks/",
        "'{cpu_core/cycles/,cs,cpu_atom/instructions/}'"],
    "lunarlake": SLOTS_EVENTS + [
        "cpu_core/cycles/,cpu_atom/cycles/", "cpu_atom/topdown-retiring/,cpu_core/topdown-retiring/",
        "uncore_imc_free_running/data_read/,cstate_core/c6-residency/,power/energy-cores/",
        "cpu_core/MEM_LOAD_RETIRED.L3_HIT/R,cycles"],
    "zen4": ["ls_not_halted_cyc,ex_ret_instr", "cpu/event=0x76/,r76,msr/tsc/",
             "L1-dcache-prefetches,L1-icache-loads,iTLB-loads", "'{cycles,ex_ret_ops,instructions}'"],
    "neoverse-n2": ["r11,armv8_pmuv3_0/cpu_cycles/", "'{stall_slot,cpu_cycles}',inst_retired",
                    "arm_cmn_0/dtc_cycles/,arm_cmn/hnf_mc_reqs/", "stall_slot_backend,STALL_SLOT_FRONTEND"],
}

METRICS = ["-M TopdownL1", "-M TopdownL2", "--topdown", "--topdown --td-level 2", "--topdown --no-metric-only",
           "-M TopdownL1 --metric-only", "--topdown -e cycles"]
INTEL_METRICS = METRICS + [
    "-M TopdownL3", "-M TopdownL3 --metric-only", "--topdown --td-level max", "--topdown --td-level 3",
    "-M Summary", "-M TopdownL2 --metric-no-threshold", "-M TopdownL1 --metric-no-group",
    "-M TopdownL2 --metric-no-merge", "-M TopdownL2 --grouping=perf", "-M tma_memory_bound_group",
    "-M 'share = instructions / cycles'", "-M 'x = 100 * branch\\-misses / branches',TopdownL1"]
THREAD_METRICS = ["-M tma_info_thread_ipc,tma_info_thread_cpi", "-M tma_retiring:u,tma_retiring:k",
                  "-M tma_info_thread_ipc --metric-only", "-M TopdownL4", "-M TopdownL5,TopdownL6",
                  "-M Power,Mem", "-M tma_retiring -e cycles,instructions"]
UNCORE_METRICS = ["-M memory_bandwidth_total", "-M memory_bandwidth_read,C6_Pkg_Residency",
                  "-M cpu_utilization,uncore_frequency", "-M cpi,memory_bandwidth_write --metric-only"]
OWN_METRICS = {
    "skylakex": INTEL_METRICS + THREAD_METRICS + UNCORE_METRICS,
    "icelakex": INTEL_METRICS + THREAD_METRICS + UNCORE_METRICS,
    "sapphirerapids": INTEL_METRICS + THREAD_METRICS + UNCORE_METRICS,
    "graniterapids": INTEL_METRICS + [
        "-M TopdownL4", "-M TopdownL5", "-M tma_info_thread_clks", "-M tma_retiring:u -e cycles", "-M Power,Mem",
        "-M tma_l3_hit_latency,tma_code_l2_miss", "-M tma_l3_hit_latency --record-tpebs"],
    "sierraforest": METRICS + UNCORE_METRICS + ["-M TopdownL3", "-M Flops,Summary",
                                                  "--topdown --td-level 3"],
    "alderlake": INTEL_METRICS + THREAD_METRICS + ["--topdown --cputype atom", "--topdown --cputype core"],
    "lunarlake": METRICS + ["-M TopdownL3", "-M TopdownL4", "--topdown --td-level max", "-M Summary"],
    "zen4": METRICS + ["-M PipelineL1", "-M PipelineL2", "-M l2_cache,tlb", "-M branch_prediction --metric-only"],
    "neoverse-n2": [metric for metric in METRICS if "2" not in metric] + ["-M retiring,bad_speculation", "-M General,MPKI", "-M cmn", "-M Miss_Ratio,Operation_Mix"],
}
HOW = [""] * 6 + ["-v", "--no-scale", "--all-user", "--schedule=rotate", "--error", "--verdict", "--no-big-num"]

LEVELS = {"skylakex": 6, "icelakex": 6, "sapphirerapids": 6, "graniterapids": 5, "sierraforest": 3,
          "alderlake": 6, "lunarlake": 6, "zen4": 2, "neoverse-n2": 1}


def pick(key, choices):
    """One of the choices; for the same key it is always the same."""
    return choices[zlib.crc32(key.encode()) % len(choices)]


def words(*parts):
    return " ".join(part for part in parts if part)


def some_of(lines, percent):
    """Choose this many of the lines, always the same ones: tables repeat their cases often enough."""
    return (line for line in lines if zlib.crc32(line.encode()) % 100 < percent)


def rows_for(form, key):
    """When rows end. Prometheus reads neither intervals without a file nor a summary."""
    if "prom" in form:
        return pick(key, ["--timeout 500", "-I500 --interval-count 2 -o out"])
    rows = pick(key, ROWS)
    if "--summary" in rows and form in ("-x,", "-x, --header") and pick(key + "summary", [0, 1]):
        rows += " --no-csv-summary"
    return rows


def how_for(key, what, form):
    how = pick(key + " how", HOW)
    if how == "--verdict" and (what == "events" or form not in VERDICT_FORMATS):
        how = "-v"
    if how == "--schedule=rotate" and pick(key + " turns", [0, 1]):
        how += " --schedule-ms 50"
    return how


def places_and_formats():
    """Every row and format on every machine, with events and with metrics."""
    for machine in MACHINES:
        for place in PLACES:
            for form in FORMATS:
                for what in ("events", "metrics"):
                    key = f"{machine} {place} {form} {what}"
                    rows = rows_for(form, key + " rows")
                    everywhere = "" if place.startswith("-C") else "-a"
                    if what == "events":
                        counted = "-e " + pick(key, EVENTS + OWN_EVENTS[machine] * 2)
                    else:
                        counted = pick(key, OWN_METRICS[machine])
                    yield f"{machine}: " + words("stat", everywhere, place, counted, rows, form,
                                                 how_for(key, what, form))


def tasks():
    """Commands and processes: without CPUs, and with -r, --table, --pre, a delay, an exit status."""
    formats = ["", "-x,", "-j", "--format=csv-wide", "--format=json"]
    runs = ["true", "-r 2 true", "-r 3 --table true", "--passes true", "-- sh -c 'exit 3'", "-i true"]
    for machine in MACHINES:
        for form in formats:
            for run in runs:
                key = f"{machine} {form} {run}"
                counted = pick(key, ["-e " + pick(key + "e", EVENTS), pick(key + "m", OWN_METRICS[machine])])
                yield f"{machine}: " + words("stat", counted, form, run)
            yield f"{machine}: " + words("stat", form, "true")
            for where in ("-p @PID", "-t @PID", "--per-thread -p @PID,@PID2"):
                key = f"{machine} {form} {where}"
                counted = pick(key, ["-e " + pick(key + "e", EVENTS), pick(key + "m", METRICS)])
                yield f"{machine}: " + words("stat", where, counted, form,
                                             pick(key + "rows", ["--timeout 100", "-I20 --interval-count 3"]))
        yield f"{machine}: stat --format=prom true"
        yield f"{machine}: stat -a true"
        yield f"{machine}: stat -a -I 100 --interval-count 2"
        yield f"{machine}: stat -a -A --timeout 100 -x,"
        yield f"{machine}: stat -a --metric-only --timeout 100"
        for more in ("-d", "-dd", "-ddd"):
            form = pick(machine + more, FORMATS)
            yield f"{machine}: " + words("stat -a", more, form, "--timeout 300")
            yield f"{machine}: " + words("stat", more, pick(machine + more + "t", formats), "true")
            yield f"{machine}: " + words("stat -a -e cycles", more, pick(machine + more + "e", FORMATS),
                                         "--timeout 300")
        yield f"{machine}: stat -n true"
        yield f"{machine}: stat -n -r 2 -x, true"
        yield f"{machine}: stat -D 100 -a -e cycles,instructions -I100 --interval-count 2 -x,"
        yield f"{machine}: stat -D 20 -p @PID -e cycles,instructions --timeout 50"
        yield f"{machine}: stat -e cycles,instructions -I 10 --interval-count 3 sleep 0.4"
        yield f"{machine}: stat -e cycles,instructions --timeout 20 -x, sleep 5"
        yield f"{machine}: stat --quiet -e cycles sh -c 'exit 7'"
        yield f"{machine}: stat -e cycles sh -c 'kill -9 $$'"
        yield f"{machine}: stat -a -o out -e cycles,instructions --timeout 100 THEN " \
              "stat -a -o out --append -e branches --timeout 100"
        yield f"{machine}: stat -a -x, -o out --header -e cycles,instructions --timeout 100 THEN " \
              "stat -a -x, -o out --append --header -e branches --timeout 100"
    for machine in ("skylakex", "alderlake"):
        for form in FORMATS:
            yield f"{machine}: " + words("stat", form, "-r 2 -a -A -e cycles,instructions true")
            yield f"{machine}: " + words("stat --pre 'echo pre' --post 'echo post'", form, "-e cycles -- echo run")


def levels():
    """--topdown and the groups of its levels, each with --verdict and --error."""
    for machine in MACHINES:
        for level in list(range(0, LEVELS[machine] + 2)) + ["max"]:
            key = f"{machine} level {level}"
            form = pick(key, FORMATS)
            yield f"{machine}: stat -a --topdown --td-level {level} -I500 --interval-count 2"
            yield f"{machine}: " + words(f"stat -a --topdown --td-level {level}", pick(key + "p", PLACES[:-1]),
                                         form, "--timeout 500")
            yield f"{machine}: stat -a --topdown --td-level {level} --verdict --timeout 2000 " + pick(key + "v", [
                "", "-v", "-v --grouping=perf", "--schedule=rotate"])
        for level in range(1, LEVELS[machine] + 1):
            yield f"{machine}: stat -a -M TopdownL{level} --timeout 500"
            yield f"{machine}: stat -a -v -M TopdownL{level} --timeout 100"
        for form in FORMATS:
            level = pick(machine + form, list(range(1, LEVELS[machine] + 1))[:3])
            verdict_form = pick(form, VERDICT_FORMATS)
            yield f"{machine}: " + words(f"stat -a --verdict --td-level {level}", verdict_form, "--timeout 1000")
            yield f"{machine}: " + words(f"stat -a --error -M TopdownL{level}", form, "--timeout 1000")
            yield f"{machine}: " + words(f"stat -C0 --error --topdown --td-level {level}", form, "-I500 --interval-count 2" if
                                         "prom" not in form else "-I500 --interval-count 2 -o out")
        for place in ("-A", "--per-socket", "--per-core"):
            yield f"{machine}: stat -a {place} --verdict -I500 --interval-count 2 " + pick(machine + place, ["", "-v"])
        yield f"{machine}: stat --verdict -v true"
        yield f"{machine}: stat --verdict --per-thread -p @PID --timeout 100"
        yield f"{machine}: stat -a -M all --timeout 500 --format=json"
        yield f"{machine}: stat -a -M all --timeout 500 -x,"
        yield f"{machine}: stat -a -e cycles --verdict --timeout 100"


def groupings():
    """Metrics are grouped and take turns in different ways, planned and counted."""
    ways = ["", "--grouping=perf", "--grouping=counters --metric-no-threshold", "--metric-no-group",
            "--metric-no-merge", "--grouping=perf --metric-no-group", "--schedule=rotate",
            "--schedule=rotate --schedule-ms 100", "--grouping=perf --metric-no-merge --metric-no-threshold"]
    for machine in MACHINES:
        deep = min(LEVELS[machine], 4)
        for way in ways:
            level = pick(machine + way, list(range(1, deep + 1)))
            yield f"{machine}: " + words(f"plan -a -M TopdownL{level}", way)
            yield f"{machine}: " + words(f"plan -a --topdown --td-level {deep} -j", way)
            yield f"{machine}: " + words(f"stat -a -M TopdownL{level}", way, pick(machine + way + "f", FORMATS[:6]),
                                         "-I1000 --interval-count 2")
        yield f"{machine}: plan -M TopdownL1"
        yield f"{machine}: plan -M TopdownL1 true"
        yield f"{machine}: plan true"
        yield f"{machine}: plan -v -a -ddd"
        yield f"{machine}: plan -a -M all -j"
        yield f"{machine}: stat --dry-run -a -M TopdownL2 -I 100 -x, --per-core"
        yield f"{machine}: stat --dry-run --passes -M TopdownL{min(LEVELS[machine], 3)} -j true"
        yield f"{machine}: plan -A -a -M TopdownL1:u,TopdownL1 -o out"
        for nr, events in enumerate(EVENTS + OWN_EVENTS[machine]):
            yield f"{machine}: plan -a -e {events}" + (" -j" if nr % 3 == 2 else "")
        yield f"{machine}: stat -a --passes -M TopdownL2 --table sleep 0.02"
        yield f"{machine}: stat -a --passes -x, -e branches,branch-misses,cache-misses,cache-references,cycles true"


def recordings():
    """Recordings are reported in all forms, and from text."""
    reports = ["", "-x,", "-j", "--format=csv-wide", "--format=json", "-A", "--per-socket -x,", "--per-core -j",
               "--per-node", "--per-die -x, --header", "--per-cache --format=csv-wide", "--global", "--topdown",
               "-M TopdownL1 -x,", "--topdown --verdict", "--summary", "--time 0.1,0.2", "--metric-only -M TopdownL1 -j",
               "-v", "--per-thread"]
    for machine in MACHINES:
        for nr, report in enumerate(reports):
            key = f"{machine} report {report}"
            counted = "-M TopdownL2" if any(word in report for word in ("-M", "topdown")) else pick(key, [
                "-e " + pick(key + "e", EVENTS + OWN_EVENTS[machine]), "-M TopdownL1", "",
                f"-M TopdownL{min(LEVELS[machine], 3)}"])
            rows = pick(key + "rows", ["--timeout 300", "-I100 --interval-count 3", "-A -I100 --interval-count 3"])
            if "--time " in report or "--summary" in report:
                rows = "-I100 --interval-count 3"
            yield f"{machine}: " + words("stat record -o d -a", counted, rows, "-x," if nr % 2 else "", "THEN stat report -i d",
                                         report)
        for counted in ("-e cycles,instructions", "-M TopdownL1", "", "-e '{cycles,instructions},branches:u'"):
            yield f"{machine}: " + words("stat record -o d", counted, "true THEN stat report -i d THEN script -i d")
        yield f"{machine}: stat record -o d -p @PID -e cycles,instructions -I20 --interval-count 2 THEN " \
              "stat report -i d --per-thread THEN stat report -i d -x, THEN script -i d"
        yield f"{machine}: stat record -o d -a -A -M TopdownL1 -I200 --interval-count 2 THEN script -i d"
        for form, rows in (("-x,", "-A"), ("-j", "-A"), ("-x';'", "--per-core"), ("-j", "--per-core"), ("-x,", "--per-socket"),
                           ("-x, --header", ""), ("-j", ""), ("-x,", "-I100 --interval-count 2"),
                           ("-j", "-I100 --interval-count 2 --per-core")):
            report = pick(f"{machine} {form} {rows}", ["", "--topdown --cpuid @CPUID", "-M TopdownL1 --cpuid @CPUID -x,",
                                                      "--per-socket -j", "--format=csv-wide", "--per-core", "--global -x,"])
            yield f"{machine}: " + words("stat -a -o text -M TopdownL1", form, rows,
                                         "" if "-I" in rows else "--timeout 200", "THEN stat report -i text", report)
    for report in ("", "-x,", "-j", "--format=json"):
        yield f"skylakex-watched: stat record -o d -a -e '{{cycles,cycles:u,cycles:k,branches,branch-misses}}',cycles " \
              f"--timeout 100 THEN stat report -v -i d {report}".rstrip()
        yield f"alderlake: stat record -o d -M TopdownL1 true THEN stat report -i d --topdown {report}".rstrip()
        yield f"graniterapids: stat record -o d -a -A -e MEM_LOAD_RETIRED.L3_HIT:R,cycles -I200 --interval-count 2 " \
              f"THEN stat report -i d --per-socket {report}".rstrip()
        yield f"graniterapids: stat record -o d -a -M TopdownL4 --record-tpebs --timeout 500 THEN stat report -i d " \
              f"-M TopdownL4 {report}".rstrip()


def latencies():
    """Retire latencies, sampled or assumed."""
    event = "MEM_LOAD_RETIRED.L3_HIT:R"
    for mode in ("mean", "min", "max", "last", "p50", "p95"):
        for form in ("", "-x,", "-j", "--format=json"):
            yield "graniterapids: " + words(f"stat -a -e {event},cycles --tpebs-mode", mode, form, "-I500 --interval-count 2")
        yield f"graniterapids: stat -a -M tma_l3_hit_latency,tma_code_l2_miss --tpebs-mode {mode} --timeout 300"
        yield f"graniterapids: stat -a -A -M tma_l3_hit_latency --record-tpebs --tpebs-mode {mode} --timeout 300 -x,"
    for form in FORMATS:
        yield "graniterapids: " + words("stat -a -M TopdownL4 --record-tpebs", form, "--timeout 1000")
        yield "graniterapids: " + words("stat -a -M TopdownL4 --metric-only --record-tpebs", form, "--timeout 1000")
        yield "graniterapids: " + words(f"stat -a --per-core -e '{{cycles,{event},instructions}}'", form, "--timeout 500")
    for rest in (f"-a -e {event},{event} --timeout 500", f"-a -e {event}k --timeout 500",
                 f"-C 0 -e {event} --tpebs-frequency 100 --timeout 3000 -x,",
                 f"-C 0 -e {event},MEM_LOAD_RETIRED.L3_HIT --tpebs-period 1000 --timeout 3000 -x,",
                 "-a -e cycles,cpu-clock:R true", "-a -e cycles:RR true", "-a -e cycles:R:k true",
                 "-a -e cycles --record-tpebs true", "-a -e cycles --tpebs-frequency 5 true",
                 f"-a -e {event} --tpebs-mode most true", f"-a -e {event} --tpebs-period 0 true",
                 f"-a -e {event} --tpebs-period 10 --tpebs-frequency 10 true", f"-p @PID -x, -e {event} --timeout 100",
                 f"-r 2 -x, -e {event} -- true", f"-a -e {event} -D 200 --timeout 300 -x,"):
        yield f"graniterapids: stat {rest}"
    for fault in ("lost=7", "throttle=1", "mmap=EPERM", "mmap>72=EPERM", "offline=1@500ms-1200ms",
                  "open:cpu/event=0xd1,umask=0x04/=EINVAL"):
        yield f"graniterapids TMA_SIM_FAULT={fault}: stat -a -A -x, -e {event},cycles -I500 --interval-count 3"
        yield f"graniterapids TMA_SIM_FAULT={fault}: stat -a -M tma_l3_hit_latency --record-tpebs --timeout 500"
    for machine in ("sapphirerapids", "zen4", "lunarlake", "sierraforest"):
        yield f"{machine}: stat -a -e cycles --record-tpebs true"
        yield f"{machine}: stat -a -x, -e instructions:R --timeout 300"
    yield "graniterapids: plan -a -M tma_l3_hit_latency --record-tpebs"
    yield f"graniterapids: plan -a -e {event} -j"


def faults():
    """Machines with faults, or with counters that another user has."""
    counted = ["-e cycles,instructions", "-M TopdownL1", "-M TopdownL1,TopdownL2 --schedule=rotate", "--topdown -v",
               "-e '{cycles,instructions},{branches,branch-misses},{cache-misses,cache-references}'"]
    for machine in ("skylakex", "sapphirerapids", "alderlake", "neoverse-n2"):
        for fault in ("offline=1@500ms-1200ms", "offline=3@700ms", "offline=1@0s-700ms", "open=ENOENT", "open#1=EOPNOTSUPP",
                      "open#3=EACCES", "open@2=EINVAL", "read#2=EIO", "read#3=short", "read#5=end", "fds=30", "open=EMFILE"):
            key = f"{machine} {fault}"
            for place in ("", pick(key, PLACES[1:-1])):
                what = pick(key + place, counted)
                form = pick(key + place + "f", ["", "-x,", "-j", "--format=json", "-v", "--format=csv-wide"])
                yield f"{machine} TMA_SIM_FAULT={fault}: " + words("stat -a", place, what, form, "-I400 --interval-count 4")
            yield f"{machine} TMA_SIM_FAULT={fault}: " + words("stat", pick(key + "t", counted), pick(key + "tf", ["", "-x,", "-j"]), "true")
    for name in ("skylakex-watched", "skylakex-held", "sapphirerapids-watched", "icelakex-held"):
        for what in counted + ["-e '{branches,branch-misses}:D,cycles'", "-e '{cycles,cycles:u,cycles:k,branches,branch-misses}'",
                               "-M TopdownL2 --grouping=perf"]:
            form = pick(name + what, ["", "-x,", "-j", "--format=json", "--format=csv-wide"])
            yield f"{name}: " + words("stat -a", what, form, "--timeout 500")
            yield f"{name}: " + words("plan -a", what.replace(" -v", ""))
        yield f"{name}: stat -v -e branches:D,'{{branches,branch-misses}}:D' true"
        yield f"{name}: stat -v -a --passes -e branches,branch-misses,cache-misses true"
    for form in FORMATS:
        for group in ("{branches,branch-misses,cache-misses,cache-references,L1-dcache-loads}", "{ref-cycles,ref-cycles:u}"):
            yield "skylakex: " + words(f"stat -v -a -e '{group},cycles'", form, "--timeout 50")
        yield "icelakex: " + words("stat -a -e '{OCR.DEMAND_DATA_RD.ANY_RESPONSE,OCR.DEMAND_RFO.ANY_RESPONSE,"
                                   "OCR.DEMAND_CODE_RD.ANY_RESPONSE}'", form, "--timeout 50")
        yield "alderlake: " + words("stat -v -C 20 -e cpu_core/cycles/,cpu_atom/cycles/", form, "--timeout 50")
        yield "skylakex: " + words("stat -e uncore_imc/cas_count_read/,cycles", form, "true")
        yield "alderlake TMA_SIM_FAULT=offline=20@0s-600ms;offline=1@0s-700ms: " + words(
            "stat -a -v -e cycles", form, "--timeout 1500")


def hybrids():
    for machine in HYBRIDS:
        for form in FORMATS:
            for more in ("--hybrid-merge", "--hybrid-merge -a", "--hybrid-merge -a --per-socket", "--cputype atom -a",
                         "--cputype core", "--no-merge -a"):
                key = f"{machine} {form} {more}"
                what = pick(key, ["-e cycles,instructions", "-e cpu_core/cycles/,cpu_atom/cycles/ --no-scale", "-M TopdownL1",
                                  "--topdown", "", "-e '{cycles,instructions}:u'"])
                yield f"{machine}: " + words("stat", more, what, form, "true")


def perfs():
    """Under the name perf, tma behaves like perf."""
    for machine in ("skylakex", "sapphirerapids", "graniterapids", "alderlake", "zen4"):
        for form in ("", "-x,", "-j"):
            for what in ("-a -M TopdownL2 --timeout 500", "-a -A -e cycles,instructions -I500 --interval-count 2", "true",
                         "-a --topdown --timeout 500", "-a -M TopdownL1 --metric-only --timeout 500",
                         "-e '{cycles,instructions,branches}' -r 2 true", "-a --per-socket -d --timeout 500",
                         "-a -e nosuch true"):
                yield f"{machine}: " + words("perf stat", form, what)
        yield f"{machine}: perf stat record -o d -a -e cycles --timeout 100 THEN perf stat report -i d THEN perf script -i d"
        yield f"{machine}: perf stat -v -a -M TopdownL1 --timeout 100"
        yield f"{machine}: perf list --raw-dump hw"
    yield "graniterapids: perf stat -a -M tma_l3_hit_latency --record-tpebs --timeout 300"
    yield "graniterapids: perf stat -a -M tma_l3_hit_latency --timeout 300 -j"


def various():
    """Options that only few lines have."""
    for machine in MACHINES:
        for what in ("-a -A -e cycles/percore/", "-a -A --percore-show-thread -e cycles/percore/ -x,",
                     "-a -T --timeout 100", "-a --smi-cost --timeout 300", "-a --smi-cost -j --timeout 300",
                     "-a --all-kernel -e cycles,instructions:u", "-a --all-user -e cycles,instructions:k -j",
                     "-a --for-each-cgroup / -e cycles,instructions", "-a -e cycles,instructions -G / -x,",
                     "-a --for-each-cgroup /,/. --topdown --format=json", "-a --for-each-cgroup / --verdict",
                     "-a --per-cache=L1 -e cycles -x,", "-a --per-cache=L2 -e cycles", "-a --per-cache=L4 -e cycles -j",
                     "-a -B -e cycles,instructions", "-a -x\\\\t -e cycles,instructions",
                     "-a --format=csv-wide --no-header -e cycles,instructions", "-a --format=csv-wide -x';' -M TopdownL1 -A",
                     "-a --log-fd 1 -e cycles", "-a -S -e cycles", "-a -e cycles -e instructions -e '{branches,branch-misses}'",
                     "-a -e cycles -M TopdownL1 -e instructions", "-C 1 -M TopdownL1",
                     "-C 0,2 -A --topdown", "-C 0-3 --per-core -e cycles,instructions --format=prom"):
            yield f"{machine}: stat {what}" + ("" if "--timeout" in what else " --timeout 100")
        yield f"{machine}: stat -a -e cycles -I 100 --interval-count 30"
        yield f"{machine}: stat -a --topdown -x, -I 100 --interval-count 30"
        yield f"{machine}: stat -a -M TopdownL1 -I 100 --interval-count 27 -x, --metric-only --summary"
        yield f"{machine}: --version --tables"
        yield f"{machine}: list --raw-dump hw"
        yield f"{machine}: list --names metricgroup"
        yield f"{machine}: list metricgroup"
        yield f"{machine}: list TopdownL1"
        yield f"{machine}: list -j metric"
        yield f"{machine}: list --details metric 'tma_*bound'"
        yield f"{machine}: list pmu"
        yield f"{machine}: explain cycles"
        yield f"{machine}: explain TopdownL1"
        yield f"{machine}: explain " + {"zen4": "backend_bound", "neoverse-n2": "backend_bound"}.get(machine, "tma_backend_bound")
    for machine in ("icelakex", "sapphirerapids", "alderlake"):
        for form in ("", "-x,", "-j", "--format=csv-wide", "--format=json"):
            for program in ("three", "nested", "many", "inside"):
                yield f"{machine}: " + words("stat --regions", form, "-- @REGIONS", program)
            yield f"{machine}: " + words("stat --regions", form, "-- sh -c '@REGIONS threads >/dev/null'")
        yield f"{machine}: stat --regions=4 -- @REGIONS many"
        yield f"{machine}: stat --regions -- true"
    for metric in ("m = cycles / instructions", "m = cycles % 7", "m = no.such.event / 2", "m = instructions / 0", "m = ",
                   "m = (cycles", "m = max(cycles, instructions) if cycles > 1 else 0", "m = d_ratio(cycles, instructions)",
                   "m = cycles:u / cycles", "m = tma_retiring * 2", "tma_retiring = 1 - cycles / cycles", "m = duration_time / 1e9",
                   "m = #num_cpus * cycles", "m = source_count(cycles)", "m = 1e999", "m = -cycles"):
        for form in ("", "-x,", "--format=json"):
            yield "sapphirerapids: " + words(f"stat -a -M '{metric}'", form, "--timeout 100")


def errors():
    """Command lines that are refused, with their whole messages."""
    for wrong in (
            "sta", "", "--help", "help", "--version foo", "stat --nonsense", "stat -h", "plan -h", "script -h", "list -h",
            "stat report -h", "explain", "explain nosuch", "list nosuch", "stat -a -e cycless true", "stat -e cycles:z true",
            "stat -e '{cycles,instructions' true", "stat -e cycles,, true", "stat -e cpu/event=/ true", "stat -e cpu/nosuch=1/ true",
            "stat -e nopmu/event=1/ true", "stat -e cpu/event=0x1ff/ true", "stat -e rxyz true", "stat -e '' true",
            "stat -M nosuch true", "stat -M tma_retirin true", "stat -M '' true", "stat -M TopdownL1,nosuch true",
            "stat -a -M TopdownL9 true", "stat -M TopdownL1:z true", "stat --td-level 9 --topdown -a --timeout 50",
            "stat --td-level x --topdown true", "stat --format=yaml true", "stat -j -x, true", "stat -j --format=text true",
            "stat --grouping=some true", "stat --schedule=some true", "stat --schedule-ms 5 true", "stat --schedule-ms 50 true",
            "stat -I 0 true", "stat -I 5 -a --interval-count 1", "stat -I x true", "stat -I 4294967296 true", "stat --interval-count 3 true",
            "stat --timeout 5 true", "stat --summary -e cycles true", "stat -r 2 -I 100 true", "stat -r x true", "stat -r -1 true",
            "stat --error -r 2 true", "stat --error --no-scale true", "stat --verdict -r 2 true", "stat --verdict --no-scale true",
            "stat --passes -a -e cycles", "stat --passes -I 100 true", "stat -A true", "stat --per-core true", "stat --per-thread true",
            "stat -a --per-core --per-node -e cycles true", "stat -a -A --per-socket -e cycles true", "stat -C 99 -e cycles true",
            "stat -C 0- -e cycles true", "stat -C x true", "stat -p 4194305 -e cycles", "stat -p x", "stat -t 0", "stat -p @PID -a -e cycles true",
            "stat -G / -e cycles true", "stat -a -G none_such -e cycles true", "stat -a -G /,/ -e cycles true",
            "stat -a -G / --for-each-cgroup / -e cycles true", "stat --cputype atom true", "stat --cputype big true", "stat --filter 'a == 1' -e cs true",
            "stat -o /nonexistent/x -e cycles true", "stat -o out --log-fd 1 true", "stat --log-fd 99 -e cycles true", "stat --append true",
            "stat --control fd:99 -a -e cycles true", "stat --control x true", "stat -D x true", "stat -D -2 true", "stat --pre 'exit 3' -e cycles true",
            "stat -e cycles /nonexistent/command", "stat -e cycles /etc/passwd", "stat --regions", "stat --regions=0 true", "stat --regions -a true",
            "stat --format=prom -r 2 true", "stat --format=prom -a -I 100", "stat --metric-only -e cycles true", "stat -j --metric-only -r 2 true",
            "stat --per-cache=L9 -a true", "stat --header -e cycles true", "stat -x '' -e cycles true", "stat --no-header true",
            "stat --metrics-file /nonexistent -M x true", "stat --tables /nonexistent true", "--tables /nonexistent stat true",
            "stat --topdown -T true", "stat --smi-cost true", "stat -n -e cycles true", "stat -n -M TopdownL1 true", "stat -d -n true",
            "plan -x, -a", "plan --nonsense", "plan -a -r 2 -M TopdownL1", "plan record", "plan -p 4194305",
            "stat record -r 2 true", "stat record -n true", "stat record -o /nonexistent/x true", "stat record --passes -o d -e cycles true",
            "stat report", "stat report -i none", "stat report --global -A", "stat report --error", "stat report --nonsense",
            "stat report -i /dev/null", "stat report -r 2", "script", "script -i none", "script -i /dev/null", "script perf.data",
            "stat record -o d -a -e cycles --timeout 100 THEN stat report -i d --topdown",
            "stat record -o d -a -e cycles --timeout 100 THEN stat report -i d -M nosuch",
            "stat record -o d -a -e cycles --timeout 100 THEN stat report -i d --time 1,2",
            "stat record -o d -a -e cycles --timeout 100 THEN stat report -i d --per-thread",
            "stat record -o d -e cycles true THEN stat report -i d --per-core",
            "stat record -o d -e cycles true THEN stat report -i d --cpuid nonsense -M TopdownL1",
            "stat -a -x, --per-socket -o text -e cycles --timeout 100 THEN stat report -i text --per-core",
            "stat -a --metric-only -x, -o text -M TopdownL1 --timeout 100 THEN stat report -i text",
            "stat -a -o text -e cycles --timeout 100 THEN stat report -i text", "check-tables /nonexistent", "list --unit nosuch",
            "list --cputype atom", "stat --record-tpebs -e page-faults true", "stat --tpebs-mode mean -e cycles true"):
        yield f"skylakex: {wrong}"
        if wrong.startswith(("stat -C", "stat --cputype", "stat -a", "plan", "stat -e ", "stat -M", "list")):
            yield f"alderlake: {wrong}"
    yield "skylakexx: stat true"
    yield "skylakex TMA_SIM_STEP=x: stat true"
    yield "skylakex TMA_SIM_FAULT=open=EHUH: stat true"


def apart(line):
    """Rows for programs are not mixed with a command's output on standard output."""
    rows = re.search(r"--format=(csv-wide|json|prom)(?![-\w])", line)
    if not rows or re.search(r" -o |THEN|perf stat|plan", line) or not re.search(r" (true|sleep|sh|echo)\b", line):
        return line
    return line.replace(": stat ", ": stat --command-output=null ", 1)


def all_lines():
    """Every line once, in order."""
    tables = [some_of(family(), 60) for family in (places_and_formats, tasks, levels, groupings)]
    others = [family() for family in (
        recordings, latencies, faults, hybrids, perfs, various, errors)]
    return list(dict.fromkeys(apart(line) for family in tables + others for line in family))
