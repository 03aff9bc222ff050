#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma explain: metrics, groups, events; as text and as JSON.
. "$(dirname "$0")/lib.sh"

begin "a metric: everything there is to say"
sim sapphirerapids explain TMA_l3_Bound
expect_status 0
expect_match stdout '^tma_l3_bound  \[metric, cpu\]$'
expect_match stdout '^  Share of time stalled on loads which the third-level cache or another core$'
expect_match stdout "^  unit +%: the formula's value times 100$"
expect_match stdout '^  groups .*TopdownL3'
expect_match stdout '^  worth a look +when it is above 5 %, its parent tma_memory_bound is above$'
expect_match stdout '^ +20 % and tma_backend_bound is above 20 %$'
expect_match stdout '^      / tma_info_thread_clks$'
expect_match stdout '^      / CPU_CLK_UNHALTED.THREAD$'
expect_match stdout '^  parents +tma_memory_bound$'
expect_match stdout '^  children +tma_contested_accesses,'
expect_match stdout '^  siblings +tma_cxl_mem_bound, tma_l1_bound'
expect_match stdout '^  events +9, in 1 group$'
expect_match stdout '^      slots: leads the TopDown metric events$'
expect_match stdout '^      topdown-retiring: no counter of its own, read with slots$'
expect_match stdout '^      MEMORY_ACTIVITY.STALLS_L2_MISS: counters 0-3$'
expect_match stdout '^  sample with +MEM_LOAD_RETIRED.L3_HIT$'
expect_match stdout '^ +perf record -e mem_load_retired.l3_hit:pp -- COMMAND$'
expect_match stdout '^  measure +tma (--machine [a-z0-9-]+ )?stat -M tma_l3_bound -- COMMAND$'

begin "a node of the TopDown tree has plain words, whoever the vendor is"
expect_match stdout '^  in short +last-level cache$'
expect_match stdout '^  meaning +Loads waited for the last-level cache, or for lines in other$'
expect_match stdout '^  try +Let hot data fit the second-level cache'
sim zen4 explain backend_bound_memory
expect_match stdout '^  in short +memory$'
sim neoverse-n2 explain frontend_bound
expect_match stdout '^  in short +front end$'
sim alderlake explain --cputype atom tma_register
expect_match stdout '^  in short +used up registers$'
sim sapphirerapids explain -j tma_l3_miss_bound
expect_match stdout '"Plain": *"DRAM"'
expect_match stdout '"Meaning": *"Loads waited for DRAM'
expect_match stdout '"Try": *"Use smaller or contiguous nodes'
sim sapphirerapids explain tma_info_core_core_clks
expect_no_match stdout '^  in short'

begin "the commands are ones that work"
sim sapphirerapids stat -M tma_l3_bound -- true
expect_status 0
expect_match stderr 'tma_l3_bound'

begin "the branch taken here, and the value of the literal that decides"
sim skylakex explain tma_info_core_core_clks
expect_match stdout '^  constants +#core_wide is 1, #smt_on is 1$'
expect_match stdout '^  that is, here$'

begin "a metric of the uncore is measured on the whole machine"
sim sapphirerapids explain tma_info_system_dram_bw_use
expect_match stdout '^  same issue .*tma_fb_full,'
expect_match stdout 'UNC_M_CAS_COUNT.RD on uncore_imc \([0-9]+ units\): counters 0-3$'
expect_match stdout '^  measure +tma (--machine [a-z0-9-]+ )?stat -a -M tma_info_system_dram_bw_use -I 1000$'

begin "the formulas that a long formula uses follow it"
sim sapphirerapids explain tma_bottleneck_mispredictions
expect_match stdout '^  made of +these metrics'
expect_match stdout '^      tma_lcp = DECODE.LCP / tma_info_thread_clks$'

begin "events that do not fit the counters together are named"
sim sapphirerapids explain tma_bottleneck_mispredictions
expect_match stdout '^  do not fit +DSB2MITE_SWITCHES.PENALTY_CYCLES, '
expect_match stdout 'only counters 0-7$'

begin "both core types of a hybrid machine, the big cores first"
sim alderlake explain tma_retiring
expect_equal "the order" "$(grep -o '^tma_retiring .*' "$stdout" | tr '\n' ' ')" \
	"tma_retiring  [metric, cpu_core] tma_retiring  [metric, cpu_atom] "
sim alderlake explain --cputype atom tma_retiring
expect_match stdout '^tma_retiring  \[metric, cpu_atom\]$'
expect_no_match stdout '\[metric, cpu_core\]'
sim alderlake explain tma_l3_miss_bound
expect_match stdout '^ +perf record -e cpu_core/mem_load_retired.l3_miss/P --'

begin "an event of the tables: encoding, bits, counters, metrics"
sim alderlake explain MEM_LOAD_RETIRED.L3_MISS
expect_match stdout '^mem_load_retired.l3_miss  \[event, cpu_core\]$'
expect_match stdout '^  written out +cpu_core/event=0xd1,umask=0x20/$'
expect_match stdout '^  for the kernel type=4 config=0x20d1$'
expect_match stdout '^  counted by +counters 0-3$'
expect_match stdout '^  used by +tma_info_memory_l3mpki$'

begin "an event that is written in full is the same event"
sim alderlake stat -e mem_load_retired.l3_miss,cpu_core/event=0xd1,umask=0x20/ -x, true
expect_status 0
expect_equal "lines of counts" "$(grep -c '^[0-9]' "$stderr")" 2
expect_equal "different counts" "$(grep '^[0-9]' "$stderr" | cut -d, -f1 | sort -u | wc -l)" 1

begin "an event of sysfs: its scale and unit"
sim sapphirerapids explain uncore_imc/cas_count_read/
expect_match stdout '^  unit +MiB: the count times 0.00006103515625$'
expect_match stdout '^  measure +tma (--machine [a-z0-9-]+ )?stat -a -e uncore_imc/cas_count_read/ -I 1000$'

begin "why this machine cannot count an event"
sim graniterapids explain unc_iio_comp_buf_inserts.cmpd.all_parts
expect_status 0
grep -q -F 0x70ff004 "$stdout" || skip "needs the tables of Linux 6.12: newer ones have a mask that fits"
expect_match stdout '^  Not on this machine$'
expect_match stdout "too big for 'umask'"

begin "a deprecated event"
sim sapphirerapids explain l1d_pend_miss.l2_stall
expect_match stdout '^  deprecated '

begin "a legacy event on both core types, and a text of -e"
sim alderlake explain cycles
expect_match stdout '^  also named +cycles$'
expect_match stdout 'cpu_core: type=0 config=0x400000000, cpu_atom: type=0'
sim alderlake explain cpu_core/MEM_LOAD_RETIRED.L1_HIT,cmask=1/
expect_match stdout '^  event +mem_load_retired.l1_hit$'
expect_match stdout '^  for the kernel type=4 config=0x10001d1$'

begin "modifiers of an event are what the kernel is asked for"
sim skylakex explain cycles cycles:u cycles:pp cycles:Gk cycles:DI
expect_status 0
grep 'for the kernel' "$stdout" >"$tmp/asked"
expect_file "$tmp/asked" <<'END'
  for the kernel type=0 config=0
  for the kernel type=0 config=0 exclude_kernel=1 exclude_hv=1
  for the kernel type=0 config=0 precise_ip=2
  for the kernel type=0 config=0 exclude_user=1 exclude_hv=1 exclude_host=1
  for the kernel type=0 config=0 exclude_idle=1 exclude_guest=0 pinned=1
END

begin "a metric group with its metrics"
sim skylakex explain topdownl1
expect_match stdout '^TopdownL1  \[metric group\]$'
expect_match stdout '^  metrics +4$'
expect_match stdout '^      tma_retiring: '

begin "an unknown name: the nearest; the others are explained"
sim alderlake explain tma_retirin TopdownL1
expect_status 125
expect_match stderr "no metric, metric group or event is called 'tma_retirin'; did you mean .*tma_retiring"
expect_match stdout '^TopdownL1  \[metric group\]$'

begin "a CPU without tables: the remedy" # R39
run env PERF_CPUID=GenuineIntel-99-1-1 "$TMA" explain tma_retiring
expect_status 125
expect_match stderr 'nothing for this CPU \(GenuineIntel-99-1-1\).*--tables.*--machine'

begin "the tables of another CPU, as far as they go without its PMU"
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a core PMU"
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" explain tma_l3_bound
expect_status 0
expect_match stdout '^      MEMORY_ACTIVITY.STALLS_L2_MISS: counters 0-3$'
expect_match stdout '^  Not on this machine$'

begin "nothing to explain is a wrong use"
run "$TMA" explain
expect_status 129

begin "JSON says the same, and is strictly valid"
needs_command python3
cat >"$tmp/check.py" <<'END'
import json, sys

def once(pairs):
	keys = [key for key, value in pairs]
	assert len(keys) == len(set(keys)), keys
	return dict(pairs)

def none(word):
	raise ValueError(word)

items = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"), object_pairs_hook=once,
	parse_constant=none)
metric, event, group = items
assert metric["Kind"] == "metric" and metric["Name"] == "tma_l3_bound", metric
assert metric["ScaleUnit"] == "100%" and "TopdownL3" in metric["MetricGroups"]
assert metric["MetricThreshold"].startswith("tma_l3_bound > 0.05 &")
assert metric["Expanded"].endswith("/ CPU_CLK_UNHALTED.THREAD")
assert metric["Parents"] == ["tma_memory_bound"] and metric["CounterGroups"] == 1
assert {"EventName": "CPU_CLK_UNHALTED.THREAD", "Counters": "fixed counter 1"} in metric["Events"]
assert metric["SampleCommand"] == "perf record -e mem_load_retired.l3_hit:pp -- COMMAND"
assert event["Kind"] == "event" and event["Encoding"] == "cpu/event=0xd1,umask=0x4/", event
assert group["Kind"] == "metric group" and len(group["Metrics"]) == 4, group
END
sim sapphirerapids explain -j -o "$tmp/json" tma_l3_bound mem_load_retired.l3_hit TopdownL1
expect_status 0
expect_empty stdout
run python3 "$tmp/check.py" "$tmp/json"
expect_status 0

for machine in skylakex sapphirerapids alderlake; do
	begin "every metric and group of $machine can be explained"
	needs_command python3
	# shellcheck disable=SC2046 # names without blanks
	set -- $("$TMA" --machine $machine list --names metrics 2>/dev/null)
	"$TMA" --machine $machine explain -j -o "$tmp/all" "$@" >"$stdout" 2>"$stderr"
	# shellcheck disable=SC2016 # the program is python's
	run python3 -c '
import json, sys
items = json.load(open(sys.argv[1]))
for item in items:
	assert "Fault" not in item, item
	assert item["Kind"] != "metric" or item["Expanded"] or item["Formulas"], item
	assert "when " in item.get("Threshold", "when "), item
assert len(items) > 200, len(items)' "$tmp/all"
	expect_status 0
done

begin "the events of another CPU are explained without its PMU, and with no command to count them"
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run env PERF_CPUID=0x00800200 "$TMA" explain pm_cyc
expect_status 0
expect_match stdout '^pm_cyc  \[event, cpu\]$'
expect_match stdout '^  written out    cpu/event=0x100f0/$'
expect_match stdout '^  Not on this machine$'
expect_no_match stdout 'tma stat'
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" explain inst_retired.any tma_retiring
expect_status 0
expect_no_match stdout 'tma stat'
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" explain inst_retired.any:u
expect_status 125
expect_match stderr "did you mean 'inst_retired.any'"

begin "commands to type have the machine and the tables that the user gave"
run "$TMA" --machine alderlake explain tma_l3_miss_bound
expect_status 0
expect_match stdout '^  measure +tma --machine alderlake stat -M tma_l3_miss_bound -- COMMAND$'
