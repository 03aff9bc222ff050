#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma why: the way down a tree to the leaf that a machine is made to have, and the place in a program.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10
machines=lib/sim/machines

# A Skylake that mostly waits for memory after the last cache.
mkdir "$tmp/machines"
cp "$machines"/*.part "$tmp/machines"
sed 's/^let retiring .*/let retiring 0.20/; s/^let bad_spec .*/let bad_spec 0.04/
	s/^let fe_bound .*/let fe_bound 0.08/; s/^let mem_share .*/let mem_share 0.85/
	s/^\(rate event=0xa3,umask=0x06,cmask=6\) .*/\1 0.62*mem_cycles/' \
	"$machines/skylakex" >"$tmp/machines/dram"

begin "the way leads to a leaf of level 5"
run "$TMA" --machine "$tmp/machines/dram" why -a -v
expect_status 0
expect_match stdout '^  68\.[0-9] % of slots .*  back end \(tma_backend_bound\)$'
expect_match stdout '^    Operations were ready, but the back end waited '
expect_match stdout '^        `- 1[0-9]\.[0-9] % of .*  local memory \(tma_local_mem\)$'
expect_match stdout '^  impossible  tma_l3_bound is -6\.9 %, below 0 % \(errors: 0\.0\)$'
expect_no_match stdout '^  ruled out .*last-level cache'
expect_match stdout '^  counts      synthetic: they do not follow your program: nothing is advised$'
expect_no_match stdout '^  (try|worth) '
tr -s '\\\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" ' sample: perf record -e [^ ]+ -a -- sleep 1 '
expect_match stdout '^  measured    [34] windows, '

begin "the command that measures it by hand can be pasted"
# A command may have several lines; each but the last ends in a backslash.
sed -n '/^  next:/,$p' "$stdout" | sed 's/^  next:       tma //; /\\$/!q' >"$tmp/pasted"
tr -s '\\\n ' ' ' <"$tmp/pasted" >"$tmp/unfolded"
expect_match "$tmp/unfolded" ' stat --verdict -M tma_local_mem -a --timeout 1000 $'
run sh -c "$TMA $(cat "$tmp/pasted")"
expect_status 0
expect_match stderr ' Verdict: tma_backend_bound .* -> tma_local_mem '

begin "the answer for a program is one object"
run "$TMA" --machine "$tmp/machines/dram" why -a -j
expect_status 0
python3 - "$stdout" <<'END' || fail "this is not the answer" "$stdout"
import json, sys
lines = open(sys.argv[1]).read().splitlines()
answer = json.loads(lines[0])
way = answer["answers"][0]
assert len(lines) == 1 and answer["type"] == "why", lines
assert way["outcome"] == "leaf" and way["bottleneck"] == "tma_local_mem", way
assert [n["level"] for n in way["path"]] == [1, 2, 3, 4, 5], way
assert all(n["value"] > 0 and n["error"] >= 0 for n in way["path"]), way
assert way["path"][0]["plain"] == "back end" and way["plain"] == "local memory", way
assert not way["try"] and way["speedup_bound"] is None and not answer["follows_program"], way
assert " -M tma_local_mem -a " in way["measure"], way
assert way["record"].startswith("perf record -e "), way
assert way["phases"] == [] and not way["mixed"] and way["changes"] == 0, way
assert answer["steps"][0]["groups"] == "" and len(answer["steps"]) in (3, 4), answer
END

begin "each core type has its answer"
run "$TMA" --machine alderlake why -a -v
expect_status 0
expect_no_match stderr 'measuring .*TopdownL1.*TopdownL1'
expect_match stdout '^cpu_core:$'
expect_match stdout '^cpu_atom:$'

begin "a tree of another vendor"
run "$TMA" --machine zen4 why -a
expect_status 0
expect_match stdout ' memory \(backend_bound_memory\)$'

begin "a tree of one level, without thresholds, leads to its largest part"
run "$TMA" --machine neoverse-n2 why -a
expect_status 0
expect_match stdout '^  [0-9.]* % of slots  back end \(backend_bound\)$'
expect_match stdout '^  chosen      the largest part that is lost: the tables have no thresholds$'

begin "a budget ends the search, and the answer has what is known"
run "$TMA" --machine "$tmp/machines/dram" why -a --budget 1s --no-sample
expect_status 0
expect_match stdout '\(tma_memory_bound\)$'
expect_match stdout '^  ended       its time budget is spent$'
expect_no_match stdout 'tma_local_mem'

begin "a budget ends the run of a command, and the passes after it"
lasting 2000
run "$TMA" --machine "$tmp/machines/dram" why --budget 3s --no-sample sh -c "echo run >>$tmp/runs"
expect_status 0
expect_match stdout '^  ended       its time budget is spent$'
expect_between "runs" "$(wc -l <"$tmp/runs")" 1 2

begin "a budget that is not a time"
run "$TMA" why --budget 3x true
expect_status 129
expect_match stderr '^tma: --budget 3x: expected a time of at least 10ms'

begin "targets that are none"
for options in "-p x" "-t 1,x" "-C x" "-p 1 -a" "-p 1 -G /"; do
	# shellcheck disable=SC2086 # options are words
	run "$TMA" why $options
	expect_status 129
done

begin "the first run of a command has its streams, the later ones the same input"
run sh -c "printf 'one\n' >$tmp/in; $TMA --machine $tmp/machines/dram why sh -c \
	'read line; echo \"\$line\" >>$tmp/seen; echo out' <$tmp/in"
expect_status 0
expect_equal "what it read" "$(sort -u "$tmp/seen")" one
expect_equal "times that it printed" "$(grep -c '^out$' "$stdout")" 1

# A machine whose first two levels are certain even in short runs.
python3 -c 'import sys; sys.path.insert(0, "tests/metrics"); import machine
print(machine.flattened(sys.argv[1], 0))' "$machines/sapphirerapids" >"$tmp/machines/steady"

begin "as many windows, or runs of a command, as are allowed"
needs_counters
run "$TMA" --machine "$tmp/machines/dram" why -v -a --runs 2 --no-sample
expect_status 0
expect_match stdout '^  measured    2 windows, .*; more runs were not allowed$'
run "$TMA" --machine "$tmp/machines/steady" why --runs 3 --keep-output -o "$tmp/answer" \
	echo ran
expect_status 0
expect_equal "runs" "$(grep -c '^ran$' "$stdout")" 3
run "$TMA" why --runs 0 true
expect_status 129
expect_match stderr '^tma: --runs: 0 is not between 1 and '

begin "one measurement, of the whole tree"
run "$TMA" --machine "$tmp/machines/dram" why --once --no-sample -j -o "$tmp/answer" echo ran
expect_status 0
expect_equal "runs" "$(grep -c '^ran$' "$stdout")" 1
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["steps"]) == 1' "$tmp/answer" ||
	fail "it has several steps"

begin "what cannot be read again is empty"
needs_counters
rm -f "$tmp/seen"
run_in one sh -c "cat | $TMA --machine $tmp/machines/steady why --runs 3 sh -c \
	'cat >>$tmp/seen; echo . >>$tmp/seen'"
expect_status 0
expect_equal "what was read" "$(tr '\n' ' ' <"$tmp/seen")" "one. . . "

begin "what a command does in a later step is told, and its status passed on"
rm -f "$tmp/seen"
run "$TMA" --machine "$tmp/machines/steady" why sh -c "[ ! -e $tmp/seen ] || exit 7; touch $tmp/seen"
expect_status 7
expect_match stderr '^tma: the command failed in step 2 \(status 7\): the answer is from those before$'
expect_match stdout '\(tma_backend_bound\)$'

begin "Ctrl-C prints what is known" # R5
rm -f "$tmp/seen"
run "$TMA" --machine "$tmp/machines/steady" why \
	sh -c "[ ! -e $tmp/seen ] || { kill -INT \$PPID; exec sleep 60; }; touch $tmp/seen"
expect_status 130
expect_match stdout '\(tma_backend_bound\)$'
expect_match stdout '^  ended       it was interrupted$'

# A machine that waits for memory in the first 2.3 seconds, and then for its front end.
python3 - "$machines/skylakex" >"$tmp/machines/change" <<'END'
import re, sys
sys.path.insert(0, "tests/metrics")
import machine
text = re.sub(r"(?ms)^at .*?^end *$", "", machine.flattened(sys.argv[1], 0))
for name, values in (("retiring", "0.20 0.45"), ("bad_spec", "0.04 0.04"), ("fe_bound", "0.08 0.31"),
                     ("mem_share", "0.85 0.5")):
    text = re.sub(f"(?m)^let {name} .*", f"let {name} {values}", text)
print(re.sub("(?m)^(cpuid .*)", r"\1\nphases 2300ms 17700ms", text))
END

begin "a change during the search is reported, and the answer covers the new state"
run "$TMA" --machine "$tmp/machines/change" why -a -j
expect_status 0
python3 - "$stdout" <<'END' || fail "this is not what changed" "$stdout"
import json, sys
way = json.load(open(sys.argv[1]))["answers"][0]
start, then = way["phases"]
assert abs(then["start"] - 2.3) < 0.25, way["phases"]
shares = [{s["name"]: s["value"] for s in phase["shares"]} for phase in (start, then)]
assert abs(shares[0]["tma_backend_bound"] - 68) < 2, shares
assert abs(shares[1]["tma_frontend_bound"] - 31) < 2, shares
assert way["path"][0]["name"] == "tma_frontend_bound", way["path"]
assert way["start"] >= then["start"] and not way["mixed"] and way["changes"] == 1, way
END

begin "a command's own status is passed on"
needs_counters
for machine in "" "--machine skylakex"; do
	# shellcheck disable=SC2086 # options are words
	run env -u TMA_SIM_STEP "$TMA" $machine why -j sh -c 'exit 3'
	expect_status 3
	expect_match stderr '^tma: the command failed '
	expect_match stdout '"ended":"the command failed"'
done

begin "a process that ends during the search ends it, and the answer is what is known"
timeout -s KILL 1.5 sh -c 'echo $$; while :; do :; done' >"$tmp/pid" &
until_found '^[0-9]+$' "$tmp/pid"
run env -u TMA_SIM_STEP "$TMA" --machine skylakex why -v -p "$(cat "$tmp/pid")"
expect_status 0
expect_match stdout '^  [0-9.]+ % of slots'
expect_match stdout 'the process ended$'
expect_no_match stderr 'failed|no such process'

begin "nothing was measured"
run env -u TMA_SIM_STEP "$TMA" --machine skylakex why --no-sample true
expect_status 125
expect_match stderr '^tma: nothing was measured: [0-9]+ events had no turn on the counters: '
expect_match stdout '^  end         nothing was measured$'
expect_no_match stdout 'ruled out'

begin "a command that is not there, or cannot be run" # R3
needs_counters
run "$TMA" --machine skylakex why ./nosuch
expect_status 127
run "$TMA" --machine skylakex why Documentation/tma-why.1.adoc
expect_status 126
run env -u TMA_SIM_STEP "$TMA" why ./nosuch
expect_status 127
run env -u TMA_SIM_STEP "$TMA" why Documentation/tma-why.1.adoc
expect_status 126

# A machine whose back end is at its threshold, so hardware cannot decide whether it is over it.
python3 - "$machines/sapphirerapids" >"$tmp/machines/near" <<'END'
import re, sys
sys.path.insert(0, "tests/metrics")
import machine
text = machine.flattened(sys.argv[1], 0)
for name, value in (("retiring", 0.65), ("bad_spec", 0.05), ("fe_bound", 0.1), ("mem_bound", 0.12)):
    text = re.sub(f"(?m)^let {name} .*", f"let {name} {value}", text)
print(text)
END

begin "what is within a step of its threshold is not certain; its children are measured along"
run "$TMA" --machine "$tmp/machines/near" why -a -v --no-sample
expect_status 0
expect_match stdout '^  end         it is not certain what limits it: the hardware measures shares'
expect_match stdout '^  perhaps     back end 20\.0 % of slots$'
expect_match stderr '^tma: measuring .*,tma_backend_bound_group$'

begin "an answer that cannot be written" # R12
[ -c /dev/full ] || skip "no /dev/full"
run "$TMA" --machine "$tmp/machines/dram" why -a --runs 1 -o /dev/full
expect_status 125
expect_match stderr '^tma: cannot write to /dev/full: No space left on device$'
run sh -c "$TMA --machine $tmp/machines/dram why -a --runs 1 >/dev/full"
expect_status 125

begin "an answer that cannot be written is refused before anything is measured"
run "$TMA" --machine "$tmp/machines/dram" why -o /nosuch/x sh -c "touch $tmp/measured"
expect_status 125
[ ! -e "$tmp/measured" ] || fail "the command was run"

begin "the place in a program, on this machine"
"$BUILD/tma" stat -e cpu-clock true 2>/dev/null >&2 || skip "no software events here"
command -v "${CC:-cc}" >/dev/null || skip "no compiler"
cat >"$tmp/spin.c" <<'END'
#include <time.h>
static volatile long sum;
__attribute__((noinline)) static void spin(long times)
{
	while (times--)
		sum += times ^ sum;
}
int main(int argc, char **argv)
{
	do
		spin(400000000);
	while (argc > 1);
	return 0;
}
END
[ $test_state != ok ] || "${CC:-cc}" -O1 -g -o "$tmp/spin" "$tmp/spin.c" || fail "it does not compile"
run env -u TMA_SIM_STEP "$TMA" why -j "$tmp/spin"
expect_status 0
! grep -q 'libdw.so.1 is not installed' "$stdout" || skip "libdw is not installed"
python3 - "$stdout" <<'END' || fail "the place is another one" "$stdout"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["sampled"][-1]["samples"] > 20, answer["sampled"]
places = [p for p in answer["where"] if p["function"] == "spin" and p["line"] in (5, 6)]
assert sum(p["percent"][-1] for p in places) > 80, answer["where"][:3]
END

begin "whole CPUs are sampled while a command runs"
needs_system_wide
run env -u TMA_SIM_STEP "$TMA" why -j -a -- sleep 0.5
expect_status 0
python3 - "$stdout" <<'END' || fail "there are no samples" "$stdout"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["sampled"][-1]["samples"] > 20, answer["sampled"]
END

begin "on a simulated machine the command alone is sampled, and without one it is said"
needs_counters
run "$TMA" --machine "$tmp/machines/dram" why -j -a --runs 2 -- "$tmp/spin"
expect_status 0
python3 - "$stdout" <<'END' || fail "there are no samples" "$stdout"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["sampled"][-1]["samples"] > 20, answer["sampled"]
END
run "$TMA" --machine "$tmp/machines/dram" why -a --runs 2
expect_match stdout '^  where       nothing can be sampled on a simulated machine'

begin "tasks of a cgroup are sampled, and nobody else"
needs_root
mount=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit } $3 == "cgroup2" { v2 = $2 }
	END { if (v2) print v2 }' /proc/mounts | head -n 1)
busy=tma_busy_$$
idle=tma_idle_$$
[ -n "$mount" ] && mkdir "$mount/$busy" "$mount/$idle" 2>/dev/null || skip "no cgroup can be made here"
sh -c 'echo $$ >"$1/cgroup.procs" && exec "$0" forever' "$tmp/spin" "$mount/$busy" &
spinning=$!
run env -u TMA_SIM_STEP "$TMA" why -j -G "$busy,$idle" --runs 2
kill "$spinning" 2>/dev/null
wait "$spinning" 2>/dev/null || :
expect_status 0
python3 - "$stdout" "$busy" "$idle" <<'END' || fail "others were sampled" "$stdout"
import json, sys
answer, (busy, idle) = json.load(open(sys.argv[1])), sys.argv[2:]
samples = {s["cgroup"]: s["samples"] for s in answer["sampled"]}
assert samples[busy] > 20 and samples[idle] == 0, samples
assert {p["cgroup"] for p in answer["where"]} == {busy}, answer["where"]
assert sum(p["percent"][-1] for p in answer["where"] if p["function"] == "spin") > 60, answer["where"]
END
run "$TMA" --machine "$tmp/machines/dram" why -G "none_$$"
expect_status 125
expect_match stderr "^tma: -G: no"
run env -u TMA_SIM_STEP "$TMA" why -G "none_$$"
expect_status 125
expect_match stderr "^tma: -G: no cgroup 'none_"
for group in "$busy" "$idle"; do
	rmdir "$mount/$group" || { sleep 1 && rmdir "$mount/$group"; } || :
done

begin "where cycles cannot be sampled, the kernel's clock is"
unset TMA_SIM_STEP
needs_counters
for n in $(seq 20 40); do
	run env TMA_SIM_FAULT="open#$n=EOPNOTSUPP" "$TMA" --machine zen4 why -v --once "$TMA" test -w adds 0.05
	! grep -q 'cycles cannot be sampled' "$stdout" || break
done
expect_status 0
expect_match stdout '^  where .* of [0-9]+ samples( of)?$|^  where .*samples of cpu-clock$'
expect_match stdout '^ +cycles cannot be sampled here \(Operation not supported\): the'
expect_no_match stdout 'imprecise here'

begin "counts that are nonsense have no path through what cannot be"
run timeout 100 python3 -B tests/metrics/nonsense.py --runs 24 "$TMA" "$machines/skylakex" \
	"$machines/sapphirerapids" "$machines/zen4" "$machines/neoverse-n2"
expect_status 0
expect_match stdout '^24 runs, 0 wrong; ends: .*impossible'

begin "how a command ran comes first, and one that waits has no more"
for machine in "" "--machine skylakex"; do
	# shellcheck disable=SC2086 # options are words
	run "$TMA" $machine why sleep 0.4
	expect_status 0
	expect_match stdout '^  ran         [0-9.]+ s, [0-9] % on CPU \(user 0\.0[0-9], system 0\.0[0-9]\): it waited, '
	expect_equal "lines of the answer" "$(wc -l <"$stdout")" 2
done
run "$TMA" --machine skylakex why -j sleep 0.4
expect_status 0
expect_match stdout '"ran":\{"seconds":[0-9.]*,"user":0[.0-9e-]*,"system":0[.0-9e-]*,"waited":true\}'
run "$TMA" --machine skylakex why --once --no-sample sh -c "sleep 1.2; exec $TMA test -w adds 0.1"
expect_status 0
expect_match stdout '^  ran         .*% on CPU '
tr -s '\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" ': it waited for the rest, maybe for a CPU '
expect_match stdout '^  counts      synthetic: the machine.s rates'

begin "rates come first: instructions per cycle, and the frequency"
run "$TMA" --machine skylakex why --no-sample "$TMA" test -w divides 0.1
expect_status 0
expect_match stdout '^  ran         [0-9.]+ s, [0-9]+ % on CPU \(user [0-9.]+, system [0-9.]+\), 0\.[23][0-9] IPC, [23]\.[0-9] GHz'
run "$TMA" --machine alderlake why -j --no-sample "$TMA" test -w divides 0.1
expect_status 0
python3 - "$stdout" <<'END' || fail "these are not the rates" "$stdout"
import json, sys
rates = json.loads(open(sys.argv[1]).read().splitlines()[-1])["rates"]
cores = {r["pmu"]: r for r in rates}
assert 1.5 < cores["cpu_core"]["ipc"] < 3 and 1 < cores["cpu_atom"]["ipc"] < 2.5, rates
assert 2 < cores["cpu_core"]["ghz"] < 4 and cores["cpu_core"]["cpus"] is None, rates
assert cores[""]["ipc"] is None and cores[""]["switches_per_second"] >= 0, rates
END
