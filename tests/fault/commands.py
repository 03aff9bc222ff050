# SPDX-License-Identifier: GPL-2.0-only
"""The commands that the tests of faults run, and the files that these commands read.

A row of COMMANDS has a name, a place, and the arguments of tma. The place is "perf" for a command
on this machine that perf runs with the same words; "host" for one that only tma runs; the name of a
simulated machine; or "-" if the words themselves name it. A command before THEN runs without a
fault. These words are replaced: @EVENTS, @PID (a process that sleeps), @REGIONS (a program that
measures itself), @CONTROL (a descriptor that commands come from), and the names in NAMES.
"""
import contextlib
import os
import shlex

EVENTS = "task-clock,context-switches"

COMMANDS = """
stat: perf: stat -e @EVENTS true
stat -a: perf: stat -a -e cpu-clock,context-switches --timeout 20
stat -I: perf: stat -a -e cpu-clock -I 20 --interval-count 2
stat -x: perf: stat -x, -e @EVENTS true
stat -j: perf: stat -j -e @EVENTS true
stat -o: perf: stat -o out -x, -e @EVENTS true
stat --append: perf: stat -o out -e @EVENTS true THEN stat --append -o out -e @EVENTS true
stat -p: perf: stat -p @PID -e @EVENTS --timeout 20
stat -t: perf: stat -t @PID -e @EVENTS --timeout 20 --per-thread
stat -r: perf: stat -r 2 -e @EVENTS true
stat -r --table: perf: stat -r 2 --table -e @EVENTS true
stat --pre: perf: stat --pre true --post true -r 2 -e task-clock true
stat -C: perf: stat -C 0 -e cpu-clock --timeout 20
stat -A: perf: stat -a -A -e cpu-clock --timeout 20
stat --per-socket: perf: stat -a --per-socket -e cpu-clock --timeout 20
stat --per-node: perf: stat -a --per-node -e cpu-clock --timeout 20
stat --per-core: perf: stat -a --per-core -e cpu-clock --timeout 20
stat --cgroup: perf: stat -a --for-each-cgroup / -e cpu-clock --timeout 20
stat tracepoint: perf: stat -a -e sched:sched_switch --timeout 20
stat filter: perf: stat -a -e sched:sched_switch --filter 'prev_pid != 0' --timeout 20
stat -M: host: stat -M 'share = task-clock / duration_time' true
stat -D: perf: stat -D 10 -e task-clock sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'
stat --control: perf: stat --control fifo:ctl -a -e cpu-clock --timeout 20
stat --metrics-file: host: stat --metrics-file @METRICS -M share true
stat --format=json: host: stat --format=json --command-output=stderr -e @EVENTS true
stat --format=prom: host: stat --format=prom -o out -e @EVENTS true
stat --format=csv-wide: host: stat --format=csv-wide --command-output=said -e @EVENTS true
stat --error: host: stat -a --error -e cpu-clock -I 20 --interval-count 2
stat -v: perf: stat -v -e @EVENTS true
stat --dry-run: host: stat --dry-run -e @EVENTS true
stat record: perf: stat record -o data -e @EVENTS true
stat record -I: perf: stat record -o data -a -e cpu-clock -I 20 --interval-count 2
stat report: perf: stat record -o data -e @EVENTS true THEN stat report -i data
stat report CSV: host: stat -x, -o data -e @EVENTS true THEN stat report -i data
script: perf: stat record -o data -e @EVENTS true THEN script -i data
list: host: list task-clock
list metric: host: list metric 'tma_b*'
list -j: host: list -j cpu-clock
explain: host: explain task-clock
top: host: top -b -d 0.1 -n 2 --cpus
plan: host: plan -e @EVENTS
why: host: why dd if=/dev/zero of=/dev/null bs=4M count=60
why -p: host: why -p @PID --budget 100ms -o out
compare -j: host: compare -j -r 2 true true
fleet: host: fleet --prometheus http://127.0.0.1:1 tree
check-tables: host: check-tables @METRICS
version: host: --version
stat: skylakex: stat true
stat -a --topdown: sapphirerapids: stat -a --topdown --timeout 500
stat -M TopdownL2: sapphirerapids: stat -a -M TopdownL2 --timeout 500
stat -M TopdownL4: sapphirerapids: stat -a -M TopdownL4 --timeout 500
stat -M of text: skylakex: stat -a -M 'share = instructions / cycles' --timeout 500
stat -x -e: skylakex: stat -a -x, -e cycles,instructions,'{branches,branch-misses}' --timeout 500
stat -j -A -I: alderlake: stat -a -A -j -I100 --interval-count 3
stat -I --summary: alderlake: stat -a --topdown -I100 --interval-count 3 --summary
stat -r: skylakex: stat -r 3 --table -e cycles,instructions true
stat --per-function: skylakex: stat --per-function -a --format=json --timeout 500
stat --per-object -I: skylakex: stat --per-object -a -x, -I 200 --interval-count 2
stat --passes: skylakex: stat --passes -M TopdownL2 true
stat --pre --post: skylakex: stat -r 2 --pre true --post true -e cycles true
stat --per-core: skylakex: stat -a --per-core -e cycles,instructions --timeout 300
stat --per-cache: skylakex: stat -a --per-cache -e cycles --timeout 300
stat --error: skylakex: stat -a -M TopdownL3 --error --timeout 500
stat --verdict: sapphirerapids: stat -a --topdown --td-level 2 --verdict -I100 --interval-count 3
stat --record-tpebs: graniterapids: stat -a -M tma_l3_hit_latency --record-tpebs --timeout 500
stat --schedule=rotate: skylakex: stat -a -M TopdownL2 --schedule=rotate --timeout 500
stat --metric-only: skylakex: stat -a -A --metric-only -M TopdownL1 --timeout 300
stat --for-each-cgroup: skylakex: stat -a --for-each-cgroup '/' -M TopdownL1 -I100
	--interval-count 3
stat -G: skylakex: stat -a -x, -e cycles,instructions -G /, --timeout 300
stat --control: skylakex: stat -a -I100 --control fd:@CONTROL -e cycles,instructions
	--interval-count 4
stat --regions: sapphirerapids: stat --regions -- @REGIONS three
stat --regions -x: sapphirerapids: stat --regions -x, -o out -- @REGIONS threads
stat --per-socket -I: skylakex: stat -a --per-socket -M TopdownL1 -I100 --interval-count 3
stat --per-node: skylakex: stat -a -j --per-node -e cycles --timeout 300
stat --percore: skylakex: stat -a -A --percore-show-thread -e cpu/cycles,percore/ --timeout 300
stat --filter refused: skylakex: stat -e cycles --filter 'prev_pid > 1 && prev_prio < 100' true
stat --smi-cost -T: skylakex: stat -a --smi-cost --timeout 300
stat --error -I: sapphirerapids: stat -a -M TopdownL3 --error --verdict -I200 --interval-count 4
stat --passes -r: skylakex: stat --passes -r 2 --format=json --command-output=null -M TopdownL3 true
stat --passes -o: alderlake: stat --passes -o out -M TopdownL3 true
stat --hybrid-merge: alderlake: stat -a --hybrid-merge -e cycles,instructions -I100
	--interval-count 2
stat --grouping=perf: skylakex: stat -a --grouping=perf -M TopdownL2 --timeout 300
stat --dry-run: alderlake: stat -a --dry-run -M TopdownL2
stat rotate of a task: skylakex: stat -M TopdownL2 --schedule=rotate true
stat rotate -I: skylakex: stat -a -M TopdownL3 --schedule=rotate -I500 --interval-count 2
stat --tpebs-mode: graniterapids: stat -a -A -M tma_l3_hit_latency --record-tpebs --tpebs-mode
	p95 -I100 --interval-count 3
stat --format=csv-wide: skylakex: stat -a --format=csv-wide -M TopdownL1 -I100 --interval-count 2
stat --format=csv-wide --precise: skylakex: stat -a --format=csv-wide --header=full --precise -M
	TopdownL1 -I100 --interval-count 2
stat --format=json: skylakex: stat -a --format=json --topdown --verdict -I100 --interval-count 2
stat --format=prom: skylakex: stat -a --format=prom -A -M TopdownL1 --timeout 300
stat --format=prom -o: skylakex: stat -a --format=prom -o out -e cycles -I100 --interval-count 2
stat --format=markdown: skylakex: stat -a --format=markdown -M TopdownL1 --timeout 300
stat --format=tree: skylakex: stat -a --format=tree --topdown --td-level 2 --timeout 300
stat --format=trace: alderlake: stat -a --format=trace --topdown --verdict -I100
	--interval-count 2
stat --format=trace -o: skylakex: stat -a -A --format=trace -o out -M TopdownL2 --timeout 300
stat --format=html: alderlake: stat -a --format=html --topdown -I100 --interval-count 2
stat --format=html -o: skylakex: stat -a -A --format=html -o out -M TopdownL2 --timeout 300
stat -o: skylakex: stat -a -o out --header -x, -e cycles -I100 --interval-count 3
stat -v -d: skylakex: stat -v -dd true
stat uncore: skylakex: stat -a -e uncore_imc/cas_count_read/,power/energy-pkg/ --timeout 300
stat --cputype: alderlake: stat -a --topdown --cputype atom --timeout 300
stat refused: skylakex: stat -a -e nosuch true
stat --bpf-counters: -: stat --bpf-counters -a -e cs,page-faults -I100 --interval-count 2
stat -b: -: stat -b 4294967294 -e cs --timeout 300
stat unknown metric: skylakex: stat -M tma_retirin true
stat zen4: zen4: stat -a -M PipelineL2 --timeout 300
stat neoverse-n2: neoverse-n2: stat -a -M TopdownL1 --timeout 300
stat --metrics-file: skylakex: stat -a --metrics-file @METRICS -M own --timeout 300
stat --tables: skylakex: --tables @TABLES stat -a -M made --timeout 300
stat --tables perfmon: skylakex: --tables @PERFMON stat -a -M tma_made --timeout 300
stat --machine: -: --machine skylakex stat -a -e cycles --timeout 300
stat places: -: --machine @PLACES stat -e cycles,instructions sleep 0.01
stat record: skylakex: stat record -o data -a -e cycles,instructions -I100 --interval-count 4
stat record metrics: skylakex: stat record -o data -a -M TopdownL1 --timeout 300
stat report: skylakex: stat record -o data -a -M TopdownL1 -I100 --interval-count 3 THEN
	stat report -i data
stat record --per-function: skylakex: stat record --per-function -o data -a -e cycles --timeout 300
stat report --per-function: skylakex: stat record --per-function -o data -a -e cycles
	--timeout 300 THEN stat report --per-function -i data
why: skylakex: why --no-sample true
why -a: sapphirerapids: why -a --no-sample -o out
why -j: alderlake: why -a -j --no-sample
why -G: zen4: why -G / --budget 3s
compare: sapphirerapids: compare -r 2 --warmup 1 --fail-if 'time>+500%' true 'true;'
compare -j: alderlake: compare -a -j -r 2 true true
stat report html: skylakex: stat record -o data -a --topdown -I100 --interval-count 3 THEN
	stat report --format=html -o out -i data
compare html: sapphirerapids: stat record -o data -a --topdown -I100 --interval-count 3 THEN
	compare --format=html -o out data data
compare -e -M: skylakex: compare -r 2 -e instructions,page-faults,peak-memory
	-M tma_info_thread_ipc true 'true;'
compare --save: sapphirerapids: compare -r 2 --save kept -e cycles true
compare saved: skylakex: compare -r 2 --save kept true THEN
	compare -r 2 kept 'true;'
compare --per-function: skylakex: compare -r 2 --per-function true 'true;'
compare --per-object: -: compare -j -r 2 --per-object --save kept true THEN
	compare -r 2 kept 'true;'
compare --list: skylakex: compare -r 2 --save kept true THEN
	compare -j --list
compare CSV: skylakex: stat -a -x, -o data -e cycles,instructions -I100 --interval-count 9 THEN
	compare data data
compare -L: -: compare -r 2 --td-level 0 -L a=1,2 'true {a}'
compare recordings: sapphirerapids: stat record -o data -a --topdown -I100 --interval-count 9 THEN
	compare --format markdown data data
stat report -M: sapphirerapids: stat record -o data -a --topdown --timeout 300 THEN
	stat report -i data --topdown --verdict
stat report CSV: skylakex: stat -a -x, -o data -e cycles,instructions -I100 --interval-count 3 THEN
	stat report -i data
stat report JSON: skylakex: stat -a -j -o data -e cycles,instructions -I100 --interval-count 3 THEN
	stat report -i data
stat report several: skylakex: stat -a -x, -o data -e cycles,instructions -I100
	--interval-count 3 THEN
	stat -a -x, -o more -e cycles,instructions -I100 --interval-count 3 THEN
	stat report -i data -i more
stat report --per-core: skylakex: stat record -o data -a -M TopdownL2 -I100 --interval-count 3 THEN
	stat report -i data --per-core --format=json --verdict
stat report --summary: skylakex: stat record -o data -a -M TopdownL3 -I100 --interval-count 5 THEN
	stat report -i data -M TopdownL3 --summary -x,
script: skylakex: stat record -o data -a -e cycles --timeout 300 THEN
	script -i data
top: sapphirerapids: top -b -d 0.1 -n 2
top --cpus: skylakex: top -b -d 0.1 -n 2 --cpus
top --functions: skylakex: top -b -d 0.1 -n 2 --functions
top -a: alderlake: top -b -d 0.1 -n 2 -a
plan: skylakex: plan -a -M TopdownL2
plan --topdown: alderlake: plan -a --topdown --td-level 2
list: skylakex: list metricgroup TopdownL1 cycles
list --json: skylakex: list -j --details br_inst_retired
list --names: skylakex: list --names metric
list -o: skylakex: list -o out metric 'tma_b*'
list --tables: skylakex: --tables @TABLES list -j made
list details: alderlake: list --details metric tma_b
list all: zen4: list
list unknown: skylakex: list nosuch
explain metric: skylakex: explain tma_l3_miss_bound
explain event: skylakex: explain mem_load_retired.l3_miss cycles
explain group: alderlake: explain TopdownL2
explain -j: skylakex: explain -j tma_fetch_latency
explain unknown: skylakex: explain tma_dram_bond
plan --passes: skylakex: plan --passes -M TopdownL3 true
plan rotate: skylakex: plan -a --schedule=rotate -M TopdownL3
plan of text: skylakex: plan -M 'share = instructions / cycles'
plan refused: skylakex: plan -M tma_retirin
explain -o: alderlake: explain -o out TopdownL2
explain measured: sapphirerapids: explain tma_fetch_latency tma_memory_bound slots
check-tables: skylakex: check-tables @TABLES
check-tables -j: skylakex: check-tables -j @BAD
check-tables file: skylakex: check-tables @METRICS
test: skylakex: test
test -j: skylakex: test -j
test --report: skylakex: test --report out
test --report: alderlake: test --report -
version: skylakex: --tables @TABLES --version --tables
help: skylakex: help
"""

ON_THIS = ("host", "perf")
CONTROL = b"ping\ndisable\nenable\nevlist\n"


def files_in(directory):
    """Return: the files in and below a directory, by their paths in it."""
    return [os.path.relpath(os.path.join(where, name), directory)
            for where, _, names in os.walk(directory) for name in names]


def parse_commands(wanted=lambda where: True):
    """Return: the name, the place and the words of each command whose place is asked for."""
    found = []
    for line in COMMANDS.strip().replace("\n\t", " ").replace("@EVENTS", EVENTS).splitlines():
        name, where, text = line.split(": ", 2)
        if wanted(where):
            found.append((name, where, [shlex.split(step) for step in text.split(" THEN ")]))
    return found


METRICS = """[
 {"MetricName": "own", "MetricExpr": "instructions / cycles", "MetricGroup": "Made",
  "BriefDescription": "Made up"},
 {"MetricName": "share", "MetricExpr": "task\\\\-clock / duration_time"},
 {"MetricName": "own_too", "MetricExpr": "own * 2 if own > 1 else 1", "MetricGroup": "Made;Up"}
]
"""
EVENT_TABLE = """[
 {"EventName": "MADE.UP", "EventCode": "0x3c", "UMask": "0x01", "SampleAfterValue": "100003", "BriefDescription": "Made",
  "PublicDescription": "Made up"},
 {"EventName": "MADE.TOO", "EventCode": "0xc4", "UMask": "0x00"}
]
"""
MADE = """[
 {"MetricName": "made", "MetricExpr": "100 * MADE.UP / MADE.TOO", "MetricGroup": "Made;TopdownL1", "ScaleUnit": "1%",
  "MetricThreshold": "made > 0.2"},
 {"MetricName": "made_too", "MetricExpr": "made + cycles", "MetricGroup": "Made"}
]
"""
PERFMON_MAP = """Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-55-[01234],V1,/SKX/events/made_core.json,core,,,
GenuineIntel-6-55-[01234],V1,/SKX/metrics/made_metrics.json,metrics,,,
"""
PERFMON_EVENTS = """{"Header": {"Copyright": "none"}, "Events": [
 {"EventCode": "0x3C", "UMask": "0x01", "EventName": "MADE.UP", "BriefDescription": "Made", "Counter": "0,1,2,3",
  "SampleAfterValue": "100003", "MSRIndex": "0", "MSRValue": "0", "Deprecated": "0"},
 {"EventCode": "0xC4", "UMask": "0x00", "EventName": "MADE.TOO", "BriefDescription": "Too", "Counter": "0,1"}]}
"""
PERFMON_METRICS = """{"Header": {"Copyright": "none"}, "Metrics": [
 {"MetricName": "Made", "Level": 1, "BriefDescription": "Made", "UnitOfMeasure": "percent",
  "Events": [{"Name": "MADE.UP", "Alias": "a"}, {"Name": "MADE.TOO", "Alias": "b"}], "Constants": [],
  "Formula": "100 * a / b", "Category": "TMA", "MetricGroup": "TmaL1",
  "Threshold": {"Formula": "a > 20", "BaseFormula": "metric_TMA_Made > 20",
                "ThresholdMetrics": [{"Alias": "a", "Value": "metric_TMA_Made"}]}}]}
"""

# Every program has the C library.
PLACES = """cpuid GenuineIntel-6-55-4
cpus 0-1
core 0-1
at main
let cycles 3G
end
at /libc.so.6
let cycles 2G
masked
end
stays main 3us /libc.so.6/2 500us - 1ms
stays cpus=1 main 2ms
pmu cpu
type 4
kind core
counters 4
fixed 2
format event config:0-7
format umask config:8-15
generic cpu-cycles event=0x3c
generic instructions event=0xc0
let cycles 1G
rate event=0x3c cycles
rate event=0xc0 2*cycles
skid 20ns
issue-distance event=0xc0 90ns
maskable
end
"""

FILES = {
    "places": PLACES,
    "metrics.json": METRICS,
    "bad/metrics.json": METRICS.replace("own * 2", "own *").replace("cycles", "nosuch"),
    "tables/events.json": EVENT_TABLE,
    "tables/metrics.json": MADE,
    "perfmon/mapfile.csv": PERFMON_MAP,
    "perfmon/SKX/events/made_core.json": PERFMON_EVENTS,
    "perfmon/SKX/metrics/made_metrics.json": PERFMON_METRICS,
}
NAMES = {"@METRICS": "metrics.json", "@BAD": "bad/metrics.json", "@TABLES": "tables",
         "@PERFMON": "perfmon", "@PLACES": "places"}


def put_files(directory):
    for name, text in FILES.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def put_names(words, directory, **more):
    """Return: the words of a command, with each @NAME replaced."""
    names = {name: os.path.join(directory, path) for name, path in NAMES.items()}
    names.update({"@" + name: value for name, value in more.items()})
    for name, value in names.items():
        words = [word.replace(name, value) for word in words]
    return words


@contextlib.contextmanager
def control_pipe():
    """Return: a descriptor from which CONTROL's commands can be read, followed by the end of file."""
    reader, writer = os.pipe()
    os.write(writer, CONTROL)
    os.close(writer)
    try:
        yield reader
    finally:
        os.close(reader)


def environment(build, where, shims=()):
    """Return: the environment for commands in this place; on a simulated machine, time is stepped."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "TMA_PAGER": "", "PERF_PAGER": "cat",
           "TMA_SIM_STEP": "10"}
    if where not in ON_THIS + ("-",):
        env["TMA_MACHINE"] = where
        shims = (os.path.join(build, "libtma-sim.so"),) + tuple(shims)
    if shims:
        env["LD_PRELOAD"] = " ".join(shims)
    return env
