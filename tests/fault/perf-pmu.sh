#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# H1 to H15: errors of perf stat 6.12 with core types, groups and the vendor's tables. Each is shown
# to happen with perf on a simulated machine, and not with tma, see lib.sh.
. "$(dirname "$0")/lib.sh"

# --- Core types -----------------------------------------------------------------------------------

# P-cores are CPUs 0 to 15, E-cores 16 to 23.
perf "H1: the E-cores' values stand under the P-cores' headings"
perf_on alderlake -a -A --topdown -I 500 --interval-count 1
for cpu in CPU0 CPU16; do
	# Both rows have four values, and end in the same column.
	[ $test_state != ok ] || grep " $cpu " "$stderr" >"$tmp/$cpu"
	expect_equal "values of $cpu" "$(wc -w <"$tmp/$cpu")" 6
done
expect_match stderr 'tma_backend_bound +%  tma_retiring .* +%  tma_retiring .*tma_backend_bound'
tma H1
tma_on alderlake -a -A --topdown -I 500 --interval-count 1
expect_match stderr '^# +time +cpu +pmu +%  tma_retiring +%  tma_backend_bound +%  tma_frontend_bound +%  tma_bad_speculation *$'
expect_match stderr ' CPU0 +cpu_core( +[0-9.]+){4} *$'
expect_match stderr ' CPU16 +cpu_atom( +[0-9.]+){4} *$'

perf "H2: a key of JSON and a column of CSV twice"
perf_on alderlake -a -j --topdown -I 500 --interval-count 1
expect_match stderr '"%  tma_retiring".*"%  tma_retiring"'
perf_on alderlake -a -x, --topdown -I 500 --interval-count 1
expect_match stderr ',%  tma_retiring,.*,%  tma_retiring,'
tma H2
tma_on alderlake -a -j --topdown -I 500 --interval-count 1
expect_json "$stderr" 'len(rows) == 1 and len(rows[0]) == 9'
tma_on alderlake -a -x, --topdown -I 500 --interval-count 1
expect_equal "columns that there are twice" "$(head -n 1 "$stderr" | tr , '\n' | sed '/^$/d' | sort | uniq -d)" ""
expect_equal "columns" "$(head -n 1 "$stderr" | tr , '\n' | sed '/^$/d' | wc -l)" 9

perf "H3: rows of CPUs on which the event cannot be counted, counted all the time" # R24
perf_on alderlake -a -A -j -e cpu_core/cycles/ -I 500 --interval-count 1
expect_lines stderr 24
expect_match stderr '"cpu" : "16".*"<not counted>".*"pcnt-running" : 100\.00'
perf_on alderlake -a --per-core -j -e cpu_atom/cycles/ -I 500 --interval-count 1
expect_match stderr '"aggregate-number" : 0'
tma H3
tma_on alderlake -a -A -j -e cpu_core/cycles/ -I 500 --interval-count 1
expect_json "$stderr" '[int(r["cpu"]) for r in rows] == list(range(16))'
tma_on alderlake -a --per-core -j -e cpu_atom/cycles/ -I 500 --interval-count 1
expect_json "$stderr" '[r["aggregate-number"] for r in rows] == [1] * 8'

# alderlake's tasks are on a P-core for 13 of 20 ms; this adds up to 6 %.
printf 'include %s/machines/alderlake\ntask-path 17 208ms\n' "$(dirname "$sim_library")" >"$tmp/visitor"
perf "H4: more cycles of P-cores than of E-cores, for a task that hardly ran there"
perf_on "$tmp/visitor" -e cycles -t $$ --timeout 5000
expect_match stderr ' cpu_core/cycles/ +\([1-9]\.[0-9]{2}%\)'
[ $test_state != ok ] || [ "$(sed -n 's/ *\([0-9]*\) *cpu_core.*/\1/p' "$stderr")" -gt \
	"$(sed -n 's/ *\([0-9]*\) *cpu_atom.*/\1/p' "$stderr")" ] || fail "there are fewer"
tma H4
tma_on "$tmp/visitor" -e cycles -t $$ --timeout 5000
expect_match stderr ' cpu_core/cycles/ +\([1-9]\.[0-9]{2}%\)'
expect_match stderr '^tma: the task ran [0-9.]+ % of its time on cpu_core, [0-9.]+ % on cpu_atom; each type'
tma_on "$tmp/visitor" --format=json -e cycles -t $$ --timeout 5000
expect_json "$stdout" 'all(r["status"] == "scaled" and 0 < r["running_percent"] < 100 for r in rows)'
expect_json "$stdout" 'sum(r["running_percent"] for r in rows) == 100'

mixed='{cpu_core/cycles/,cpu_atom/cycles/,cpu_core/instructions/}'
perf "H5: a group of two PMUs is regrouped, and it is not said how"
perf_on alderlake -a -e "$mixed" true
expect_match stderr '^WARNING: events were regrouped to match PMUs$'
expect_equal "first row" "$(sed -n 's/.* \(cpu_[a-z]*\).*/\1/p' "$stderr" | head -n 1)" cpu_atom
tma H5
tma_on alderlake -a -e "$mixed" true
expect_match stderr 'regrouped .*: \{cpu_core/cycles/,cpu_core/instructions/\} cpu_atom/cycles/$'
expect_equal "first row" "$(sed -n '/^ /s/.* \(cpu_[a-z]*\).*/\1/p' "$stderr" | head -n 1)" cpu_core

perf "H6: a warning for each event on CPUs of one core type"
perf_on alderlake -C 0 -e cycles,instructions true
expect_equal "warnings" "$(grep -c '^WARNING' "$stderr")" 2
tma H6
tma_on alderlake -C 0 -x, -e cycles,instructions true
expect_status 0
expect_lines stderr 2
expect_all_match stderr '^[0-9]+,,cpu_core/'

perf "H7: a raw event counts on P-cores alone"
perf_on alderlake -a -x, -e r00c0 true
expect_lines stderr 1
expect_match stderr ',cpu_core/r00c0/,'
tma H7
tma_on alderlake -a -x, -e r00c0 true
expect_match stderr '^[0-9]+,,cpu_core/r00c0/,'
expect_match stderr '^[0-9]+,,cpu_atom/r00c0/,'

# --- Tables, groups and latencies ------------------------------------------------------------------

perf "H8: a metric whose event has a term of another name in this driver"
perf_on alderlake -a -M tma_info_system_mem_parallel_reads true
[ $test_state != ok ] || [ "$status" != 0 ] || fail "it succeeded"
expect_match stderr 'Bad event or PMU'
tma H8
tma_on alderlake -a -j -M tma_info_system_mem_parallel_reads true
expect_status 0
expect_json "$stderr" '[float(r["metric-value"]) > 0 for r in rows if "parallel_reads" in r["metric-unit"]] == [True]'

perf "H9: topdown-retiring alone is not supported"
perf_on sapphirerapids -a -x, -e topdown-retiring true
expect_match stderr '^<not supported>,,topdown-retiring,'
tma H9
tma_on sapphirerapids -a -x, -e topdown-retiring true
expect_status 0
expect_match stderr '^[0-9]+,,topdown-retiring,[0-9]+,100\.00,'
expect_match stderr '^slots was added'

nine='{r10e,r20e,r1a1,r2a1,r4a1,r8a1,r10a1,r20a1,r1b1}'
perf "H10: a group that is too large is not counted, for no reason"
perf_on skylakex -a -x, -e $nine true
expect_status 0
expect_all_match stderr '^<not (counted|supported)>,'
tma H10
tma_on skylakex -a -x, -e $nine true
expect_status 125
expect_match stderr 'cannot count r4a1 in the group'
expect_match stderr 'more events than counters'
expect_equal "events not counted" "$(grep -c '^<not counted>' "$stderr")" 8

# With --record-tpebs, perf ends after one row. tma reports that this CPU cannot measure latencies.
perf "H11: retire latencies are 0 without being sampled, and end the intervals when they are"
perf_on sapphirerapids -a -x, -e cycles:R true
expect_status 0
expect_match stderr '^0,,cycles:R,[0-9]+,100\.00'
perf_on sapphirerapids -a -x, --record-tpebs -I 100 --interval-count 3 -e cycles:R
expect_status 0
expect_equal "rows of three" "$(grep -c ',cycles:R,' "$stderr")" 1
tma H11
tma_on sapphirerapids -a -x, -e cycles:R,cycles true
expect_match stderr '^<not counted>,cycles,cycles:R,0,'
expect_match stderr 'cycles:R: a latency .* sampled, not counted'
tma_on sapphirerapids -a -x, -I 100 --interval-count 3 -e cycles:R,cycles
expect_equal "rows of three" "$(grep -c ',,cycles,' "$stderr")" 3

# perf takes the last capital R of a name for the modifier, and records another event.
perf "H12: a latency by a name without R is a bad file descriptor"
perf_on sapphirerapids -a --record-tpebs -e 'cpu/event=0xc0,name=x/R' true
[ $test_state != ok ] || [ "$status" != 0 ] || fail "it succeeded"
expect_match stderr '(Bad file descriptor|syscall returned)'
tma H12
tma_on sapphirerapids -a -x, -e 'cpu/event=0xc0,name=x/R,cycles' true
expect_status 0
expect_match stderr '^<not counted>,cycles,x,'
expect_match stderr '^[0-9]+,,cycles,'
expect_match stderr '^tma: x: a latency'

cat >"$tmp/no-uncore" <<'END'
cpuid GenuineIntel-6-55-4
cpus 0-1
core 0-1
pmu cpu
type 4
kind core
counters 8
fixed 3
format event config:0-7
format umask config:8-15
generic cpu-cycles event=0x3c
generic instructions event=0xc0
hash 0.1G 2G
end
END
perf "H13: one event that the machine lacks fails all metrics"
perf_on "$tmp/no-uncore" -a -M tma_info_thread_ipc,tma_info_system_dram_bw_use true
[ $test_state != ok ] || [ "$status" != 0 ] || fail "it succeeded"
expect_no_match stderr 'tma_info_thread_ipc'
tma H13
tma_on "$tmp/no-uncore" -a -j -o "$tmp/counts" -M tma_info_thread_ipc,tma_info_system_dram_bw_use true
expect_status 0
expect_json "$tmp/counts" '[float(r["metric-value"]) > 0 for r in rows if "ipc" in r["metric-unit"]] == [True]'
expect_match stderr '^Left out tma_info_system_dram_bw_use: no PMU uncore_imc: .* no event UNC_M_CAS_COUNT.RD$'

fault='open:cpu/event=0x00,umask=0x81/=EINVAL'
perf "H14: one refused TopDown event takes all others with it"
perf_on sapphirerapids -a -x, --topdown --no-metric-only true
expect_match stderr '^<not supported>,,topdown-bad-spec,'
for event in TOPDOWN.SLOTS topdown-retiring topdown-fe-bound topdown-be-bound; do
	expect_match stderr "^<not counted>,,$event,"
done
tma H14
tma_on sapphirerapids -a -x, --topdown --no-metric-only true
expect_match stderr '^<not supported>,,topdown-bad-spec,'
for event in TOPDOWN.SLOTS topdown-retiring topdown-fe-bound topdown-be-bound; do
	expect_match stderr "^[0-9]+,,$event,[0-9]+,100\.00,"
done
tma_on sapphirerapids -a --topdown true
expect_match stderr '^tma: topdown-bad-spec: not supported: '
tma_on sapphirerapids -a --format=json -o "$tmp/counts" --topdown true
expect_json "$tmp/counts" 'all(r["value"] is None and "topdown-bad-spec" in r["reason"] for r in rows if r["type"] == "metric")'

fault=
awk -v dir="$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)/" '
	/^pmu / { here = $2 == "cpu" }
	here && /^end/ { print "starved 0-1 event=0xd0-0xd3" }
	/^include / { sub("include ", "include " dir) }
	{ print }' "$(dirname "$0")/../../lib/sim/machines/skylakex" >"$tmp/starving"
starving='{cpu/event=0xd0,umask=0x81/,cpu/event=0xd1,umask=0x1/,cpu/event=0xd2,umask=0x1/}:W'
perf "H15: a group that the kernel takes and never schedules is not counted, and nobody says why" # R48
perf_on "$tmp/starving" -a -x, -e "$starving,cpu/event=0xc5/" -I 200 --interval-count 4
expect_match stderr '0\.8[0-9]*,<not counted>,,cpu/event=0xd0'
tma H15
tma_on "$tmp/starving" -a -x, -e "$starving,cpu/event=0xc5/" -I 200 --interval-count 4
expect_status 0
expect_match stderr '^tma: the kernel accepted [{]cpu/event=0xd0.* it is taken apart, and its events are counted one by one'
expect_match stderr '^ *0\.800000000,[0-9]+,,"?cpu/event=0xd0'
