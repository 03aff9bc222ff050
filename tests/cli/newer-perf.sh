#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Features that perf stat gained after 6.12, with perf's output.
. "$(dirname "$0")/lib.sh"

# counts EVENT NUMBER: the event was counted, with this count
counts()
{
	expect_match stderr "^ *$2 [a-z ]*$1( |$)"
}

# in_order WORD...: in standard error, lines with these words follow each other
in_order()
{
	from=0
	for word; do
		line=$(grep -n " $word" "$stderr" | head -n 1 | cut -d: -f1)
		expect_between "line of $word" "${line:-0}" $((from + 1)) 100
		from=$line
	done
}

begin "events of the tool PMU: the time, and facts"
sim sapphirerapids stat -a -e tool/duration_time/ --timeout 20
expect_status 0
counts tool/duration_time/ '[0-9]+'
sim sapphirerapids stat -a -e tool/num_cpus_online/,num_cpus,num_packages,smt_on,core_wide,target_cpu --timeout 20
expect_status 0
counts tool/num_cpus_online/ 8
counts num_cpus 8
counts core_wide 1
counts target_cpu 1
sim sapphirerapids stat -e tool/nosuch/ true
expect_status 125
expect_match stderr 'tool'

begin "software events are a PMU's, in any case"
needs_counters
run "$TMA" stat -e software/cpu-clock/,CPU-CLOCK,software/page-faults/,soft*/context-switches/ true
expect_status 0
counts 'soft\*/context-switches/u?' '[0-9]+'
counts 'software/cpu-clock/u?' '[0-9.]+'
counts 'CPU-CLOCK(:u)?' '[0-9.]+'
counts 'software/page-faults/u?' '[0-9]+'

begin ":X keeps a group as it was written"
sim sapphirerapids stat -e cycles:X true
expect_status 0
counts cycles:X '[0-9]+'

begin "#target_cpu, and has_event() of what the kernel has"
sim sapphirerapids stat -a -M 'x = cycles * #target_cpu' -x, --timeout 20
expect_status 0
expect_no_match stderr ',0\.00,x$'
sim sapphirerapids stat -M 'x = cycles * #target_cpu' -x, true
expect_match stderr ',0\.00,x$'
sim skylakex stat -M 'x = 1 if has_event(stalled\-cycles\-frontend) else 0' -x, true
expect_status 0
expect_match stderr ',0\.00,x$'

begin "--hide-zero-events"
sim sapphirerapids stat -e task-clock,major-faults -x, true
expect_lines stderr 3
sim sapphirerapids stat --hide-zero-events -e task-clock,major-faults -x, true
expect_status 0
expect_no_match stderr 'major-faults'
expect_match stderr 'task-clock'

begin "--pmu-filter takes one of several PMUs"
sim sapphirerapids stat --pmu-filter cpu true
expect_status 0
sim alderlake stat --pmu-filter cpu_atom -a -e cycles -x, --timeout 20
expect_status 0
expect_match stderr 'cpu_atom/cycles/'
expect_no_match stderr 'cpu_core'
sim alderlake stat --pmu-filter cpu_core -a -e UNC_CLOCK.SOCKET true
expect_status 125
sim alderlake stat --pmu-filter nosuch true
expect_status 125
expect_match stderr "^tma: --pmu-filter nosuch: this computer has no PMU of that name"
sim alderlake stat --pmu-filter cpu_core --cputype core true
expect_status 129

begin "--cputype takes one of several core PMUs, and leaves the others alone"
sim alderlake stat --cputype core -a -e cycles,UNC_CLOCK.SOCKET -x, true
expect_status 0
expect_match stderr '^[1-9][0-9]*,,cpu_core/cycles/,'
expect_match stderr '^[1-9][0-9]*,,UNC_CLOCK.SOCKET,'
expect_no_match stderr 'cpu_atom'
sim alderlake stat --cputype core -a -M tma_info_system_socket_clks -x, true
expect_status 0
expect_match stderr ',[1-9][0-9.]*,tma_info_system_socket_clks$'

begin "--no-affinity changes nothing"
sim sapphirerapids stat --no-affinity -a -e cycles --timeout 20
expect_status 0

begin "--compat=7: JSON has how good a metric is, and no metric without a unit"
sim sapphirerapids stat -a -j --compat=7 -M TopdownL1 --timeout 20
expect_status 0
expect_match stderr '"metric-unit" : "%  tma_retiring", "metric-threshold" : "(good|bad)"\}$'
expect_no_match stderr '\(null\)'
sim sapphirerapids stat -a -j --compat=7 --timeout 20
expect_match stderr '"event" : "branch-misses", .*"metric-unit" : "%  branch_miss_rate", "metric-threshold" : "(good|bad)"\}$'
expect_match stderr '"event" : "branches", .*"metric-unit" : "M/sec  branch_frequency"\}$'
for compat in "" --compat=6.12; do
	# shellcheck disable=SC2086 # a word or none
	sim sapphirerapids stat -a -j $compat -M TopdownL1 --timeout 20
	expect_no_match stderr 'metric-threshold'
done
run "$TMA" stat --compat=8 true
expect_status 129

begin "--compat=7: a run without -e counts the metrics that every CPU has"
sim sapphirerapids stat -a --compat=7 --timeout 20
expect_status 0
expect_match stderr '^ +[0-9]+      context-switches(:u)? +# +[0-9.]+ cs/sec  cs_per_second'
expect_match stderr '^ +[0-9]+      cpu-migrations                   # +[0-9.]+ migrations/sec  migrations_per_second'
expect_match stderr '^ +[0-9]+      page-faults(:u)? +# +[0-9.]+ faults/sec  page_faults_per_second'
expect_match stderr '^ +[0-9.]+ msec cpu-clock(:u)? +# +[0-9.]+ CPUs  CPUs_utilized'
expect_match stderr '^ +[0-9]+      branch-misses                    # +[0-9.]+ %  branch_miss_rate'
expect_match stderr '^ +[0-9]+      branches                         # +[0-9.]+ M/sec  branch_frequency'
expect_match stderr '^ +[0-9]+      cpu-cycles(:u)?                       # +[0-9.]+ GHz  cycles_frequency'
expect_match stderr '^ +[0-9]+      instructions                     # +[0-9.]+ instructions  insn_per_cycle'
expect_match stderr '^            TopdownL1 # +[0-9.]+ %  tma_bad_speculation'
expect_match stderr '^                                                         # +[0-9.]+ %  tma_frontend_bound'
expect_no_match stderr 'duration_time|cycles_idle|l1d_miss_rate'
# Events with counts precede groups with a heading, and software events precede those of the core.
in_order context-switches cpu-clock page-faults branch-misses cpu-cycles TopdownL1
sim sapphirerapids stat -a --compat=7 -x, --timeout 20
expect_match stderr '^[0-9]+,,instructions,[0-9]+,100\.00,[0-9.]+,instructions  insn_per_cycle$'
expect_match stderr '^[0-9.]+,msec,cpu-clock(:u)?,[0-9]+,100\.00,[0-9.]+,CPUs  CPUs_utilized$'
sim sapphirerapids stat -a --compat=7 --metric-only -j --timeout 20
expect_match stderr '"CPUs  CPUs_utilized" : "[0-9.]+", '
sim sapphirerapids stat -a --timeout 20
expect_no_match stderr 'cs_per_second'
expect_match stderr 'insn per cycle'

begin "--compat=7: -d adds a group of metrics each time"
sim sapphirerapids stat -a --compat=7 -d --timeout 20
expect_match stderr ' L1-dcache-load-misses +# .* %  l1d_miss_rate'
expect_match stderr ' LLC-loads +# .* %  llc_miss_rate'
expect_no_match stderr 'dtlb_miss_rate'
sim zen4 stat -a --compat=7 -dd --timeout 200
expect_match stderr '%  dtlb_miss_rate'
expect_match stderr '%  itlb_miss_rate'
sim sapphirerapids stat -a --compat=7 -ddd -e cycles --timeout 20
expect_no_match stderr 'miss_rate|L1'

begin "--compat=7: core types, stalled cycles, and no counters at all"
needs_counters
sim alderlake stat -a --compat=7 --timeout 100
expect_match stderr '^ +[0-9]+      cpu_core/instructions/           # +[0-9.]+ instructions  insn_per_cycle'
expect_match stderr '^ +[0-9]+      cpu_atom/branch-misses/          # +[0-9.]+ %  branch_miss_rate'
expect_match stderr '^ TopdownL1 \(cpu_atom\) # '
in_order cpu_core/branch-misses/ cpu_core/instructions/ cpu_atom/branch-misses/
sim zen4 stat -a --compat=7 --timeout 200
expect_match stderr ' stalled-cycles-frontend +# +[0-9.]+ frontend_cycles_idle'
expect_no_match stderr 'backend_cycles_idle'
sim neoverse-n2 stat -a --compat=7 --timeout 200
expect_match stderr ' stalled-cycles-backend +# +[0-9.]+ backend_cycles_idle'
expect_match stderr ' stalled-cycles-backend +# +[0-9.]+ stalled_cycles_per_instruction'
bare=$tmp/bare
mkdir -p "$bare/bus/event_source/devices/software"
echo 1 >"$bare/bus/event_source/devices/software/type"
run env SYSFS_PATH="$bare" "$TMA" stat --compat=7 true
expect_match stderr 'page-faults(:u)? +# +[0-9.]+ faults/sec  page_faults_per_second'
expect_match stderr '      cpu-cycles(:u)? '

begin "--compat=7: events have no ratios of their own"
sim sapphirerapids stat --compat=7 -e instructions,cycles,task-clock true
expect_status 0
expect_no_match stderr 'insn per cycle|CPUs utilized|GHz'

begin "the metrics of every CPU can always be asked for by name"
sim skylakex stat -M insn_per_cycle,CPUS_UTILIZED,frontend_cycles_idle -x, true
expect_status 0
expect_match stderr ',[0-9.]+,instructions  insn_per_cycle$'
expect_match stderr ',[0-9.]+,CPUs  CPUs_utilized$'
expect_match stderr ',0\.00,frontend_cycles_idle$'
sim alderlake stat -a -M 'twice = 2 * insn_per_cycle' -x, --timeout 20
expect_match stderr ',[0-9.]+,twice$'
sim neoverse-n2 stat -M ipc -x, true
expect_match stderr ',[0-9.]+,per cycle  ipc$'
sim zen4 explain insn_per_cycle
expect_status 0
expect_match stdout 'from tables +common \(for every CPU\)'
sim zen4 list --compat=7 --names metric
expect_match stdout '^l1_prefetch_miss_rate$'
sim alderlake list --compat=7 -j branch_frequency lpm_cs_cycles smi_num
expect_match stdout '"Unit": "default_core"'
expect_no_match stdout '"Unit": "cpu_'
sim alderlake list -j branch_frequency
expect_match stdout '"Unit": "cpu_core"'
expect_match stdout '"Unit": "cpu_atom"'
sim zen4 list --names metric
expect_no_match stdout '^l1_prefetch_miss_rate$'
sim zen4 list --names llc_miss_rate
expect_match stdout '^llc_miss_rate$'
run "$TMA" list --compat=8
expect_status 129

begin "the term cpu, and -x with -j"
sim sapphirerapids stat -e cpu/cycles,cpu=0/ -a --timeout 20
expect_status 0
counts cpu/cycles,cpu=0/ '[0-9]+'
run "$TMA" stat -x, -j true
expect_status 129

begin "--compat=7: how many counters are added up is called as in perf 7"
TMA_SIM_STEP=100
export TMA_SIM_STEP
sim sapphirerapids stat -a --compat=7 -j --per-socket -e cycles --timeout 100
expect_match stderr '^\{"socket" : "S0", "counters" : 4, "counter-value"'
sim sapphirerapids stat -a --per-socket -j -e cycles --timeout 100
expect_match stderr '^\{"socket" : "S0", "aggregate-number" : 4, '
sim sapphirerapids stat -a --compat=7 -x, --per-socket --metric-only -M TopdownL1 --timeout 100
expect_match stderr '^socket,ctrs,%  tma_'
sim sapphirerapids stat -a --compat=7 --per-socket -I 100 --interval-count 1 -e cycles
expect_match stderr '^# +time socket ctrs +counts unit events'

begin "--compat=7: cache events keep their modifiers in their names"
sim sapphirerapids stat -a --compat=7 -x, -e 'L1-dcache-loads:u,LLC-loads:k,{L1-dcache-loads,cycles}:u' --timeout 100
expect_equal "names" "$(sed -n 's/^[0-9]*,,\([^,]*\),.*/\1/p' "$stderr" | tr '\n' ' ')" \
	"L1-dcache-loads:u LLC-loads:k L1-dcache-loads cycles "
sim sapphirerapids stat -a -x, -e L1-dcache-loads:u --timeout 100
expect_match stderr ',,L1-dcache-loads,'

begin "a reader of recordings has --compat too, and refuses what it does not know"
sim sapphirerapids stat record -a -e cycles -o "$tmp/seven.data" --timeout 100
run "$TMA" stat report -i "$tmp/seven.data" --compat=7 -j --per-socket
expect_match stderr '"counters" : 4'
run "$TMA" stat report -i "$tmp/seven.data" --compat=8
expect_status 129
expect_match stderr "^tma: --compat: unknown value '8'; use 6\.12 or 7$"

begin "TMA_COMPAT and the name of the program say it once; the option has the last word"
run env TMA_COMPAT=7 "$TMA" --machine sapphirerapids stat -a -j --per-socket -e cycles --timeout 100
expect_match stderr '"counters" : 4'
run env TMA_COMPAT=7 "$TMA" --machine sapphirerapids stat -a -j --per-socket -e cycles --compat=6.12 --timeout 100
expect_match stderr '"aggregate-number" : 4'
run env TMA_COMPAT=8 "$TMA" stat true
expect_status 129
expect_match stderr "^tma: TMA_COMPAT: unknown value '8'; use 6\.12 or 7$"
run env TMA_COMPAT=8 "$TMA" list
expect_status 129
run env TMA_COMPAT=7 "$TMA" --machine zen4 list --names metric
expect_match stdout '^insn_per_cycle$'
program=$(readlink -f "$TMA")
for name in perf7 perf_7.3 perf-7; do
	ln -s "$program" "$(dirname "$program")/$name" 2>/dev/null || skip "the build's folder cannot be written"
	run "$(dirname "$program")/$name" --machine sapphirerapids stat -a -j --per-socket -e cycles --timeout 100
	rm -f "$(dirname "$program")/$name"
	[ "$name" != perf7 ] || cp "$stderr" "$tmp/perf7"
done
expect_match "$tmp/perf7" '"counters" : 4'

begin "cpu= limits events without a PMU, too"
sim sapphirerapids stat -a -x, -e instructions/cpu=0/,page-faults/cpu=0-1/,instructions --timeout 100
expect_status 0
expect_equal "of one CPU, and of all" "$(awk -F, '/instructions/ { print $4 }' "$stderr" | tr '\n' ' ')" \
	"100000000 800000000 "
sim alderlake stat -a -x, -e cycles/cpu=cpu_core/ --timeout 100
expect_status 0

begin "core types that have none of the CPUs of cpu= are left out"
sim alderlake stat -a -x';' -e cycles/cpu=0/,default_core/instructions/u --timeout 100
expect_status 0
expect_equal "names" "$(sed -n 's/^[0-9]*;;\([^;]*\);.*/\1/p' "$stderr" | tr '\n' ' ')" \
	"cpu_core/cycles,cpu=0/ cpu_core/instructions/u cpu_atom/instructions/u "

begin "modes of a core type's events follow the slash; with --compat=6.12 they precede it"
sim alderlake stat -a -x, -e cycles:u --timeout 100
expect_match stderr ',,cpu_core/cycles/u,'
sim alderlake stat -a -x, -e cycles:u --compat=6.12 --timeout 100
expect_match stderr ',,cpu_core/cycles:u/,'

begin "uncore events alone are of the CPUs that count them, so that rows need no -a"
sim skylakex stat -x, --per-socket -e UNC_M_CLOCKTICKS true
expect_status 0
expect_match stderr '^S1,1,[0-9]+,,UNC_M_CLOCKTICKS,'
sim skylakex stat -x, --per-socket -e UNC_M_CLOCKTICKS,cycles true
expect_status 129
expect_match stderr '^tma: --per-socket prints rows for CPUs: it needs -a or -C, not a task$'

begin "--compat=7: -A has the PMU before a name, and a row's number is that of counters"
sim skylakex stat -x, -A --compat=7 -e UNC_M_CLOCKTICKS true
expect_match stderr '^CPU4,[0-9]+,,uncore_imc_5/UNC_M_CLOCKTICKS/,'
sim skylakex stat -x, -A -C 0 --compat=7 -e inst_retired.any:u,task-clock true
expect_match stderr '^CPU0,[0-9]+,,cpu/inst_retired.any/u,'
expect_match stderr '^CPU0,[0-9.]+,msec,task-clock,'
sim skylakex stat -x, -A -C 0 --compat=7 -e inst_retired.any:u,cycles true
expect_match stderr '^CPU0,[0-9]+,,inst_retired.any:u,'
sim skylakex stat -x, --per-socket --compat=7 -e UNC_M_CLOCKTICKS,duration_time true
expect_match stderr '^S1,6,[0-9]+,,UNC_M_CLOCKTICKS,'
sim skylakex stat -x, -a --compat=7 -e duration_time true
expect_match stderr '^[0-9]+,,duration_time,'

begin "--compat=7: a metric stands beside the event that fewest need, and CSV counts nothing for thresholds"
sim skylakex stat -a --compat=7 --grouping=perf -M tma_info_thread_ipc,tma_retiring true
expect_match stderr 'CPU_CLK_UNHALTED.THREAD +# +[0-9.]+ tma_info_thread_ipc'
expect_match stderr 'UOPS_RETIRED.MACRO_FUSED'
sim skylakex stat -a --compat=7 --grouping=perf -x, -M tma_retiring true
expect_no_match stderr 'UOPS_RETIRED.MACRO_FUSED'

begin "--compat=7: a mean of runs to the nanosecond"
sim skylakex stat --compat=7 -r 2 -e cycles true
expect_match stderr '^ +[0-9]+\.[0-9]{9} \+- [0-9]\.[0-9]{9} seconds time elapsed'

begin "an offline CPU under the name perf: scripts know the words"
run sh -c 'exec "$0" "$@"' "$TMA" --machine skylakex stat -C 99 -e cycles true
expect_no_match stderr 'No supported events found'
if [ -n "$(command -v bash)" ]; then
	run bash -c 'exec -a perf "$0" "$@"' "$TMA" --machine skylakex stat -C 99 -e cycles true
	expect_match stderr '^No supported events found\.$'
fi
