#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --format=trace: files that Perfetto and chrome://tracing read, with the values of csv-wide.
. "$(dirname "$0")/../cli/lib.sh"

schema=Documentation/tma-trace.schema.json
trace=$tmp/trace

# check KIND: the file is a valid trace
check()
{
	[ $test_state = ok ] || return 0
	python3 -B tests/formats/check.py "$1" $schema "$trace" 2>"$tmp/why" || fail "readers choke on it" "$tmp/why"
}

# trace MACHINE ARG ...: make a trace on a machine
trace()
{
	machine=$1
	shift
	begin "$machine: a trace of stat $*"
	run "$TMA" --machine "$machine" stat --format=trace -o "$trace" "$@"
	expect_status 0
	check trace
}

# expect_python NAME: a program that reads the events prints nothing
expect_python()
{
	[ $test_state = ok ] || return 0
	{
		echo "import json, sys"
		echo "events = json.load(open(sys.argv[1]))"
		cat
	} >"$tmp/program"
	python3 "$tmp/program" "$trace" >"$tmp/said" 2>&1 || fail "$1" "$tmp/said"
	[ ! -s "$tmp/said" ] || fail "$1" "$tmp/said"
}

export TMA_SIM_STEP=10

trace sapphirerapids -a --topdown --td-level 2 -I 20 --interval-count 3
expect_python "values differ from those of csv-wide" <<END
import csv, subprocess
wide = subprocess.run(["$TMA", "--machine", "sapphirerapids", "stat", "--format=csv-wide", "--precise", "-a", "-M",
                       "TopdownL1,TopdownL2", "--metric-only", "-I", "20", "--interval-count", "3"],
                      capture_output=True, text=True, check=True).stdout.splitlines()
counters = [event for event in events if event["ph"] == "C"]
rows = list(csv.DictReader(wide))
wanted = {(name.split(" (")[0], round(1e6 * (float(row["time"]) - float(row["length"])), 3)): float(row[name])
          for row in rows for name in row if name.startswith("tma_")}
got = {(event["name"], event["ts"]): event["args"]["%"] for event in counters}
if len(got) != 36 or got != wanted:
    print(got, wanted)
slices = [(event["ts"], event["dur"]) for event in events if event.get("cat") == "rows"]
if slices != [(0, 20000), (20000, 20000), (40000, 20000)]:
    print(slices)
levels = {event["name"]: event["cat"] for event in counters}
if levels["tma_retiring"] != "level 1" or levels["tma_memory_bound"] != "level 2":
    print(levels)
END

begin "a trace that was cut off can be read"
head -n 40 "$trace" >"$tmp/cut"
mv "$tmp/cut" "$trace"
check cut

# names: print the names of the processes
names()
{
	python3 -c 'if True:
		import json, sys
		for event in json.load(open(sys.argv[1])):
			if event["name"] == "process_name":
				print(event["args"]["name"])' "$trace" >"$tmp/names"
}

trace alderlake -a -A -C 0,16 --topdown -I 20 --interval-count 2
names
expect_file "$tmp/names" <<'END'
tma stat 'system wide'
CPU0 [cpu_core]
CPU16 [cpu_atom]
END

trace alderlake -a -e cycles,instructions,task-clock -I 20 --interval-count 2
names
expect_file "$tmp/names" <<'END'
tma stat 'system wide'
'system wide' [cpu_core]
'system wide' [cpu_atom]
'system wide'
END

trace skylakex -a --topdown --per-socket --timeout 100
names
expect_file "$tmp/names" <<'END'
tma stat 'system wide'
S0
S1
END

trace neoverse-n2 -a -M TopdownL1 -e cycles -I 20 --interval-count 2
trace zen4 -a -M PipelineL2 -I 20 --interval-count 2
trace sapphirerapids -r 3 -M TopdownL1 true
trace sapphirerapids -M tma_l3_miss_bound --error -I 20 sleep 0.1
expect_match "$trace" '"name":"tma_l3_miss_bound error","cat":"level 3","ph":"C"'
trace sapphirerapids -a -e uncore_imc_0/cas_count_read/,uncore_imc_1/cas_count_read/ -I 20 --interval-count 2

begin "what has no value has no counter, and a slice says why"
run "$TMA" --machine alderlake stat --format=trace -o "$trace" --topdown -I 20 sleep 0.05
expect_status 0
check trace
expect_python "a counter without a value, or no word of it" <<'END'
types = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
for pid, name in types.items():
    mine = [event for event in events if event["pid"] == pid and event["ph"] != "M"]
    missing = [event for event in mine if event["name"].startswith("not counted")]
    for event in missing:
        if not any("the task did not run" in str(words) for words in event["args"].values()):
            print(event)
        if any(other["ph"] == "C" and other["name"] in event["args"] and other["ts"] == event["ts"]
               for other in mine):
            print(event, mine)
if not any(event["name"].startswith("not counted") for event in events):
    print(events)
END

begin "phases and the verdict are slices, the whole run has its values"
run "$TMA" --machine alderlake stat --format=trace -o "$trace" -a --topdown --verdict --summary -I 50 --interval-count 26
expect_status 0
check trace
expect_python "no phases" <<'END'
for pid in {event["pid"] for event in events if event["ph"] == "C"}:
    mine = [event for event in events if event["pid"] == pid and event["ph"] == "X"]
    verdict = [event for event in mine if event["cat"] == "verdict"]
    phases = [event for event in mine if event["cat"] == "phases"]
    whole = [event for event in mine if event["cat"] == "whole run"]
    if len(verdict) != 1 or len(whole) != 1 or whole[0]["args"].keys() < {"tma_retiring", "tma_backend_bound"}:
        print(mine)
    if len(phases) < 2 or phases[0]["ts"] != 0 or phases[-1]["ts"] + phases[-1]["dur"] != 1.3e6:
        print(phases)
    if len(verdict[0]["args"]["phases"]) != len(phases) or verdict[0]["dur"] != 1.3e6:
        print(verdict)
END

begin "a recording has the same trace"
run "$TMA" --machine sapphirerapids stat record -o "$tmp/data" --format=trace -a --topdown -I 20 --interval-count 3
expect_status 0
run "$TMA" --machine sapphirerapids stat --format=trace -a --topdown -I 20 --interval-count 3
expect_status 0
grep '"ph":"[CX]"' "$stdout" >"$tmp/live"
run "$TMA" --machine sapphirerapids stat report -i "$tmp/data" --topdown --format=trace -o "$trace"
expect_status 0
check trace
grep '"ph":"[CX]"' "$trace" | diff "$tmp/live" - >"$tmp/diff" || fail "they differ" "$tmp/diff"

begin "names cannot break it"
cp "/bin/true" "$tmp/a\"b\\c$(printf '\033')[31m"
run "$TMA" --machine sapphirerapids stat --format=trace -o "$trace" -e cycles "$tmp/a\"b\\c$(printf '\033')[31m"
expect_status 0
check trace

begin "a trace is not added to"
run "$TMA" stat --format=trace --append -o "$trace" -e page-faults true
expect_status 129
expect_match stderr '^tma: --append: this format is one document'
