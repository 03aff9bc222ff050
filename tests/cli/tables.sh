#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tables read at run time, and the user's own metrics.
. "$(dirname "$0")/lib.sh"

unset TMA_TABLES

# Make a directory in the kernel's layout, for two of the simulated machines.
kernel=$tmp/kernel
mkdir -p "$kernel/arch/x86/skx" "$kernel/arch/x86/adl"
cat >"$kernel/arch/x86/mapfile.csv" <<'EOF'
Family-model,Version,Filename,EventType
GenuineIntel-6-55-[01234],v77,skx,core
GenuineIntel-6-97,v88,adl,core
EOF
cat >"$kernel/arch/x86/skx/pipeline.json" <<'EOF'
[
    {"EventName": "MY.EVENT", "EventCode": "0x3c", "BriefDescription": "Not in the tables built in"},
    {"EventName": "BR_INST_RETIRED.ALL_BRANCHES", "EventCode": "0x3c"}
]
EOF
cat >"$kernel/arch/x86/skx/skx-metrics.json" <<'EOF'
[
    {"MetricName": "my_ipc", "MetricExpr": "instructions / MY.EVENT", "MetricGroup": "MyGroup",
     "BriefDescription": "My own ratio"},
    {"MetricName": "tma_retiring", "MetricExpr": "cycles / cycles * 3", "MetricGroup": "TopdownL1"}
]
EOF
echo '[{"EventName": "MY.OTHER", "EventCode": "0x3c", "Unit": "cpu_core"}]' \
	>"$kernel/arch/x86/adl/pipeline.json"

# Make a directory in Intel's layout.
intel=$tmp/intel
mkdir -p "$intel/SKX/events" "$intel/SKX/metrics"
cat >"$intel/mapfile.csv" <<'EOF'
Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-55-[01234],V1.99,/SKX/events/skylakex_core.json,core,,,
GenuineIntel-6-55-[01234],V1.2,/SKX/metrics/skylakex_metrics.json,metrics,,,
EOF
cat >"$intel/SKX/events/skylakex_core.json" <<'EOF'
{"Header": {"Version": "1.99"}, "Events": [
    {"EventName": "INTEL.EVENT", "EventCode": "0xc0", "UMask": "0x00", "Errata": "null"},
    {"EventName": "INTEL.CYCLES", "EventCode": "0x3c", "UMask": "0x00", "Errata": "null"}
]}
EOF
cat >"$intel/SKX/metrics/skylakex_metrics.json" <<'EOF'
{"Header": {"Version": "1.2"}, "Metrics": [
    {"MetricName": "intel_ipc", "LegacyName": "metric_ipc", "Level": 1, "UnitOfMeasure": "percent",
     "BriefDescription": "From letters", "Category": "CPI", "MetricGroup": "Mine",
     "Events": [{"Name": "INTEL.EVENT", "Alias": "a"}, {"Name": "INTEL.CYCLES", "Alias": "b"}],
     "Constants": [], "Formula": "100 * a / b"}
]}
EOF

begin "a loaded event counts, in each way to say where from"
for dir in "$kernel" "$kernel/arch" "$kernel/arch/x86" "$kernel/arch/x86/skx"; do
	sim skylakex --tables "$dir" stat -a -x, -e MY.EVENT true
	expect_status 0
	expect_match stderr '^[0-9]+,,MY.EVENT,'
	sim skylakex stat --tables "$dir" -a -x, -e MY.EVENT true
	expect_match stderr '^[0-9]+,,MY.EVENT,'
	run env TMA_TABLES="$dir" "$TMA" --machine=skylakex stat -a -x, -e MY.EVENT true
	expect_match stderr '^[0-9]+,,MY.EVENT,'
done
sim skylakex stat -a -x, -e MY.EVENT true
expect_status 125
expect_match stderr 'no event or PMU of this machine has that name'

begin "explain says which tables something is of"
sim skylakex explain --tables "$kernel" my_ipc MY.EVENT tma_backend_bound
expect_status 0
expect_match stdout "^  from tables +skx v77 \\($kernel\\)$"
expect_match stdout '^  from tables +skylakex v[0-9.]+ \(built in\)$'
[ "$test_state" != ok ] || expect_equal "how often it is said" "$(grep -c '^  from tables' "$stdout")" 3
sim skylakex explain -j --tables "$kernel" tma_retiring
expect_match stdout "\"Tables\": \"skx v77 \($kernel\)\""
sim skylakex explain tma_retiring
expect_no_match stdout 'from tables'

begin "Intel's layout"
sim skylakex --tables "$intel" stat -a -M intel_ipc true
expect_status 0
expect_match stderr 'INTEL.CYCLES'
expect_match stderr '# +[0-9.]+ %  intel_ipc'
sim skylakex --tables "$intel/SKX" list --names metricgroup Mine
expect_match stdout '^Mine$'

begin "loaded metrics stand among those built in, and before them"
sim skylakex --tables "$kernel" stat -a -M my_ipc true
expect_status 0
expect_match stderr '# +[0-9.]+ my_ipc'
sim skylakex --tables "$kernel" stat -a --topdown true
expect_match stderr 'tma_retiring +%  tma_backend_bound|tma_retiring.*tma_backend_bound'
expect_match stderr '^ +3.00 '
sim skylakex --tables "$kernel" list --names metric
expect_match stdout '^my_ipc$'
expect_match stdout '^tma_backend_bound$'

begin "an overridden event is encoded as the last tables say"
run env TMA_SIM_STEP=1 "$TMA" --machine skylakex --tables "$kernel" stat -a -x, \
	-e '{BR_INST_RETIRED.ALL_BRANCHES,cycles}' true
expect_status 0
[ "$test_state" != ok ] ||
	expect_equal "the counts" "$(sed -n 's/^\([0-9]*\),,BR_INST_RETIRED.*/\1/p' "$stderr")" \
		"$(sed -n 's/^\([0-9]*\),,cycles.*/\1/p' "$stderr")"

begin "which tables there are, with their version and hash"
sim skylakex --version --tables
expect_status 0
expect_match stdout '^tma version '
expect_match stdout '^CPU GenuineIntel-6-55-4$'
expect_match stdout '^tables skylakex v[0-9.]+ \(built in\): [0-9]+ events, [0-9]+ metrics, hash [0-9a-f]{16}$'
sim skylakex --tables "$kernel" --tables "$intel" --version --tables
expect_match stdout "^tables skx v77 \\($kernel\\): 2 events, 2 metrics, hash [0-9a-f]{16}\$"
expect_match stdout "^tables skylakex v1.99 \\($intel\\): 2 events, 1 metrics, hash [0-9a-f]{16}\$"
[ "$test_state" != ok ] || expect_equal "the lowest layer" "$(sed -n 's/^tables.*(//p' "$stdout" | sed -n 1p | cut -d')' -f1)" 'built in'
run "$TMA" --version
expect_lines stdout 1

begin "--version with --tables and a directory"
sim skylakex --version --tables "$kernel"
expect_status 0
expect_match stdout '^tables .*skx v77'
sim skylakex --tables "$kernel" --version
expect_match stdout '^tables .*skx v77'

begin "-v says which tables are used"
sim skylakex stat -v -a --tables "$kernel" -M my_ipc true
expect_match stderr '^tma: CPU GenuineIntel-6-55-4$'
expect_match stderr '^tma: tables skylakex v[0-9.]+ \(built in\)'
expect_match stderr "^tma: tables skx v77 \\($kernel\\)"

begin "tables that are not there, or not for this CPU"
sim skylakex --tables "$tmp/none" stat true
expect_status 125
expect_match stderr "^tma: --tables: $tmp/none: No such file or directory"
sim sapphirerapids --tables "$kernel" stat true
expect_status 125
expect_match stderr "$kernel has no tables for this CPU \\(GenuineIntel-6-8F-[0-9]+\\); it has: skx, adl"
mkdir -p "$tmp/empty"
sim skylakex stat --tables "$tmp/empty" true
expect_status 125
expect_match stderr 'no tables: neither it nor its folders have a mapfile.csv'
run env TMA_TABLES="$tmp/empty" "$TMA" --machine skylakex stat true
expect_match stderr '^tma: TMA_TABLES: '
run env TMA_TABLES="$kernel:$tmp/none" "$TMA" --machine skylakex stat true
expect_match stderr '^tma: TMA_TABLES: .*/none: No such file'
run "$TMA" --tables
expect_status 129
expect_match stderr 'needs a name, a directory or a file'

begin "JSON that is cut off is an error with its line" # R40
mkdir -p "$tmp/bad"
printf '[\n{"EventName": "A", "EventCode": "1"},\n{"EventName":' >"$tmp/bad/a.json"
sim skylakex stat --tables "$tmp/bad" true
expect_status 125
expect_match stderr '/bad/a.json:3: '

begin "a metric on the command line"
sim skylakex stat -a -M 'my_ratio = instructions / cycles' true
expect_status 0
expect_match stderr '# +[0-9.]+ my_ratio'

begin "definitions and names in one list; brackets and @ hold commas"
sim skylakex stat -a -x, -M 'a = max(instructions, cycles), tma_retiring, b = cpu@INST_RETIRED.ANY_P,cmask=1@ * 2' true
expect_status 0
expect_match stderr ',a$'
expect_match stderr 'tma_retiring'
expect_match stderr ',b$'

begin "a defined metric may use others, and metrics of the tables"
sim skylakex stat -a -M 'half = whole / 2, whole = tma_retiring + tma_backend_bound' true
expect_status 0
expect_match stderr ' half'
expect_match stderr ' whole'
sim skylakex stat -a -M 'tma_retiring = cycles / cycles * 7' --topdown true
expect_match stderr '7.00'

begin "with -I, on a hybrid machine: for each core PMU that has the events"
sim alderlake stat -a -I100 --interval-count 2 -j -M 'my_ipc = instructions / cycles' --metric-only
expect_status 0
expect_all_match stderr 'simulated machine|my_ipc'
sim alderlake stat -v -a -M 'my_ipc = instructions / cycles' true
expect_match stderr 'group \(weak\): cpu_core/[a-z]+/, cpu_core/[a-z]+/$'
expect_match stderr 'group \(weak\): cpu_atom/[a-z]+/, cpu_atom/[a-z]+/$'
sim alderlake stat -v -a -M 'core_only = cpu_core@cycles@ / 2, mine = core_only * 2 + cycles' true
expect_status 0
expect_match stderr 'cpu_core/cycles/'
expect_no_match stderr 'cpu_atom'

begin "a mistake in a definition is shown with its place"
sim skylakex stat -M 'x = cycles / * 2' true
expect_status 125
expect_match stderr "syntax error: 'cycles / \\* 2'"
expect_match stderr "^ +\\\\___ expected a number"
sim skylakex stat -M 'x = ' true
expect_status 129
expect_match stderr "'x =': no expression"
sim skylakex stat -M '9x = cycles' true
expect_status 129
expect_match stderr 'name is one word'
sim skylakex stat -M 'x = no.such.event' true
expect_status 125
expect_match stderr 'no.such.event'
sim skylakex stat -M 'x = y, y = x' true
expect_status 125
expect_match stderr 'refers to itself'

begin "a file of metrics"
cat >"$tmp/mine.json" <<'EOF'
[
    {"MetricName": "from_file", "MetricExpr": "instructions / cycles", "ScaleUnit": "100%",
     "MetricGroup": "FileGroup", "BriefDescription": "A metric of a file"},
    {"MetricName": "second", "MetricExpr": "from_file * 2"}
]
EOF
sim skylakex stat -a --metrics-file "$tmp/mine.json" -M from_file,second true
expect_status 0
expect_match stderr '# +[0-9.]+ %  from_file'
expect_match stderr 'second'
sim alderlake stat -a --metrics-file "$tmp/mine.json" -M FileGroup -x, true
expect_match stderr ',cpu_core/instructions/,'
expect_match stderr ',cpu_atom/instructions/,'
[ "$test_state" != ok ] || expect_equal "how often it is printed" "$(grep -c from_file "$stderr")" 2
run env PERF_CPUID=GenuineIntel-6-55-4 "$TMA" list --metrics-file "$tmp/mine.json" metric from_file
expect_match stdout 'A metric of a file'

begin "a pipe of metrics"
command -v bash >"$tmp/bash" || skip "bash is not there"
for form in --metrics-file --tables; do
	run bash -c '"$1" --machine skylakex list "$2" <(cat "$3") metric from_file' \
		bash "$TMA" $form "$tmp/mine.json"
	expect_status 0
	expect_match stdout 'A metric of a file'
done
run sh -c 'cat "$2" | "$1" --machine skylakex list --metrics-file /dev/stdin metric from_file' \
	sh "$TMA" "$tmp/mine.json"
expect_match stdout 'A metric of a file'
mkdir "$tmp/piped"
mkfifo "$tmp/piped/x.json"
run timeout 20 "$TMA" list --tables "$tmp/piped" metric
expect_status 125
expect_match stderr 'x.json is not a regular file'

begin "a metric of one core PMU counts on it alone"
cat >"$tmp/unit.json" <<'EOF'
[
    {"MetricName": "of_core", "MetricExpr": "branch\\-misses / cycles:u", "Unit": "cpu_core"},
    {"MetricName": "of_each", "MetricExpr": "instructions", "Unit": "cpu_atom"},
    {"MetricName": "of_each", "MetricExpr": "instructions * 2", "Unit": "cpu_core"},
    {"MetricName": "both", "MetricExpr": "of_each / 3"}
]
EOF
sim alderlake stat -a --metrics-file "$tmp/unit.json" -M of_core -x, true
expect_status 0
expect_match stderr ',cpu_core/branch-misses/,'
expect_match stderr ',cpu_core/cycles/u,'
expect_match stderr ',[0-9.]+,of_core$'
expect_no_match stderr 'cpu_atom|nan'
sim alderlake stat -a --metrics-file "$tmp/unit.json" -M both -x, true
expect_match stderr ',cpu_core/instructions/,'
expect_match stderr ',cpu_atom/instructions/,'
expect_equal "how often it has a value" "$(grep -c ',[0-9.]*,both$' "$stderr")" 2
sim alderlake stat -a -M 'a = branch\-misses' -x, true
expect_equal "how often it is counted" "$(grep -c 'branch-misses' "$stderr")" 2

begin "TopDown metric events without slots get them"
for metric in 'topdown\-retiring' 'cpu@topdown\-retiring@' 'cpu@topdown-retiring@ / 2'; do
	sim sapphirerapids stat -M "a = $metric" -x, true
	expect_status 0
	expect_no_match stderr 'was added'
	expect_match stderr '^[0-9]+,,slots,'
	expect_match stderr 'topdown-retiring.*,[0-9.]+,a$'
done
sim alderlake stat -a -M 'a = cpu_core@topdown\-retiring@ / cpu_core@topdown\-be\-bound@' -x, true
expect_status 0
expect_match stderr '^[0-9]+,,cpu_core/slots/,'
expect_match stderr ',[0-9.]+,a$'
sim sapphirerapids stat -M 'a = topdown\-retiring / slots' -x, true
expect_no_match stderr 'was added'

begin "a name that an expression has wrong"
sim sapphirerapids stat -M 'a = topdown-retiring / slots' true
expect_status 125
expect_match stderr "A '-' is the minus sign: write topdown\\\\-retiring for the event topdown-retiring\."
for expr in 'page\-faults / duration_time' 'page-faults / duration_time' '2e-3 + page-faults'; do
	sim skylakex stat -x, -M "a = $expr" true
	expect_status 0
	expect_match stderr '^[0-9]+,,page-faults,.*,[0-9.]+,a$'
done
sim skylakex stat -M 'a = page - faults' true
expect_status 125
expect_match stderr "A '-' is the minus sign: write page\\\\-faults for the event page-faults\."
sim skylakex stat -M 'a = tma_dram_boud' true
expect_status 125
expect_match stderr "no event, PMU or metric .* did you mean 'tma_dram_bound'"

begin "a file of metrics that cannot be read"
sim skylakex stat --metrics-file "$tmp/none.json" true
expect_status 125
expect_match stderr 'none.json: No such file'
printf '[\n\n{"MetricName": "x", "MetricExpr": "1 +"}]' >"$tmp/wrong.json"
sim skylakex stat --metrics-file "$tmp/wrong.json" true
expect_status 125
expect_match stderr 'wrong.json:3:'
expect_match stderr "syntax error: '1 \\+'"

begin "a file of Intel's metrics alone uses the events that are built in"
cat >"$tmp/intel_metrics.json" <<'EOF'
{"Header": {}, "Metrics": [
    {"MetricName": "mine", "BriefDescription": "d", "Category": "C", "Constants": [],
     "Events": [{"Name": "INST_RETIRED.ANY", "Alias": "a"},
		{"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "b"}],
     "Formula": "2 * a >= b", "Threshold": {"Formula": "mine >= 0.5"}}
]}
EOF
sim skylakex stat -a -x, --metrics-file "$tmp/intel_metrics.json" -M mine true
expect_status 0
expect_match stderr ',mine$'
# On a hybrid machine, both types of cores have the metric.
sim alderlake stat -a -x, --metrics-file "$tmp/intel_metrics.json" -M mine true
expect_status 0
expect_match stderr 'cpu_core/INST_RETIRED.ANY/'
expect_match stderr 'cpu_atom/INST_RETIRED.ANY/'

begin "a metric that is left out does not fail a run that asks for others"
cp -r "$intel" "$tmp/left-out"
cat >"$tmp/left-out/SKX/metrics/skylakex_metrics.json" <<'EOF'
{"Header": {"Version": "1.2"}, "Metrics": [
    {"MetricName": "plain", "LegacyName": "metric_plain", "Level": 1, "UnitOfMeasure": "percent",
     "BriefDescription": "It can be read", "Category": "CPI", "MetricGroup": "Mine",
     "Events": [{"Name": "INTEL.EVENT", "Alias": "a"}], "Constants": [], "Formula": "100 * a"},
    {"MetricName": "odd", "LegacyName": "metric_odd", "Level": 1, "UnitOfMeasure": "percent",
     "BriefDescription": "It cannot", "Category": "CPI", "MetricGroup": "Mine",
     "Events": [{"Name": "INTEL.EVENT", "Alias": "a"}], "Constants": [], "Formula": "a = b"}
]}
EOF
sim skylakex --tables "$tmp/left-out" --version --tables
expect_match stdout '1 left out or not understood:'
expect_match stdout "^  .*skylakex_metrics.json:5: metric 'odd' is left out: there is no event or constant '='"
sim skylakex stat -a -v --tables "$tmp/left-out" -M plain true
expect_match stderr "skylakex_metrics.json:5: metric 'odd' is left out"
sim skylakex list --tables "$tmp/left-out" --names metric plain
expect_status 0
expect_lines stdout 1
expect_no_match stderr 'no event or constant'
sim skylakex explain --tables "$tmp/left-out" plain no_such_name
expect_status 125
expect_match stdout 'It can be read'
expect_match stderr "no metric, metric group or event is called 'no_such_name'"
expect_no_match stderr 'no event or constant'

# Write $1 metrics "c0: c1 + 1" into a file; the last one is an event of both core types.
chain()
{
	awk -v nr="$1" 'BEGIN {
		for (i = 0; i < nr; i++)
			printf("%s{\"MetricName\": \"c%d\", \"MetricExpr\": \"%s\"}", i ? ",\n" : "[", i,
			       i < nr - 1 ? "c" i + 1 " + 1" : "inst_retired.any")
		print "]"
	}' >"$tmp/chain.json"
}

begin "a long chain of metrics finds its core types at once"
chain 4000
run timeout 60 "$TMA" --machine alderlake list --metrics-file "$tmp/chain.json" metric c0
expect_status 0
[ "$test_state" != ok ] || expect_equal "how often it is listed" "$(grep -c '^  c0$' "$stdout")" 2

begin "a chain of metrics too long to be explained"
chain 50000
run timeout 60 "$TMA" --machine skylakex explain --metrics-file "$tmp/chain.json" c0
expect_status 0
expect_match stdout 'more than 500 metrics refer to each other, up to c501'

begin "a metric of very many others is explained"
awk 'BEGIN {
	printf "[{\"MetricName\": \"all\", \"MetricExpr\": \"p0"
	for (i = 1; i < 2000; i++)
		printf " + p%d", i
	printf "\"}"
	for (i = 0; i < 2000; i++)
		printf ",\n{\"MetricName\": \"p%d\", \"MetricExpr\": \"cycles + %d\"}", i, i
	print "]"
}' >"$tmp/many.json"
run timeout 60 "$TMA" --machine skylakex explain --metrics-file "$tmp/many.json" all
expect_status 0
expect_match stdout '^ +p1999 = cycles \+ 1999$'

begin "every model of newer tables is read"
[ -n "${TMA_TEST_TABLES-}" ] || skip "needs TMA_TEST_TABLES (newer tables of Intel, a folder for each model)"
[ "$test_state" != ok ] || for model in "$TMA_TEST_TABLES"/*/; do
	run "$TMA" --tables "$model" --version --tables
	expect_status 0
	expect_match stdout "^tables $(basename "$model") .*: [1-9][0-9]* events, "
done

begin "ArchStdEvent names the standard events that are built in, where no folder has them"
mkdir -p "$tmp/arm"
cat >"$tmp/arm/model.json" <<'EOF'
[
    {"ArchStdEvent": "CPU_CYCLES"},
    {"ArchStdEvent": "L3D_CACHE_INVAL", "BriefDescription": "No built-in model has this one"},
    {"ArchStdEvent": "retiring"},
    {"MetricName": "invalidations", "MetricExpr": "L3D_CACHE_INVAL / CPU_CYCLES"}
]
EOF
for path in "$tmp/arm" "$tmp/arm/model.json"; do
	sim neoverse-n2 list --tables "$path" --details --json event l3d_cache_inval
	expect_match stdout '"Encoding": "armv8_pmuv3_0/event=0xa8/"'
	expect_match stdout '"BriefDescription": "No built-in model has this one"'
	sim neoverse-n2 list --tables "$path" --details --json metric retiring
	expect_match stdout '"MetricExpr": "100 \* \(op_retired / op_spec'
done
mkdir -p "$tmp/arm-events"
grep -v retiring "$tmp/arm/model.json" >"$tmp/arm-events/model.json"
run "$TMA" check-tables "$tmp/arm-events"
expect_status 0
sed 's/CPU_CYCLES"},/CPU_CICLES"},/' "$tmp/arm/model.json" >"$tmp/wrong.json"
sim neoverse-n2 list --tables "$tmp/wrong.json"
expect_match stderr "wrong.json:2: ArchStdEvent: 'CPU_CICLES' is in no file of the architecture's folder"

begin "Arm's own form is named as what it is"
mkdir -p "$tmp/telemetry/data/pmu/cpu/neoverse"
cat >"$tmp/telemetry/data/pmu/cpu/neoverse/neoverse-n9.json" <<'EOF'
{
    "$schema": "v1.0.schema.json",
    "product_configuration": {"product_name": "Neoverse N9", "part_num": "0xd99", "num_slots": 5},
    "events": {"SW_INCR": {"code": "0x0000", "title": "Software increment"}},
    "metrics": {"ipc": {"formula": "INST_RETIRED / CPU_CYCLES", "units": "per cycle"}}
}
EOF
for path in "" /data /data/pmu /data/pmu/cpu /data/pmu/cpu/neoverse /data/pmu/cpu/neoverse/neoverse-n9.json; do
	sim neoverse-n2 list --tables "$tmp/telemetry$path"
	expect_status 125
	expect_match stderr "^tma: --tables: $tmp/telemetry.*: it has the layout of Arm's telemetry-solution repository, which tma does not read: convert it with its tools/perf_json_generator"
done
run "$TMA" check-tables "$tmp/telemetry"
expect_match stderr "has the layout of Arm's telemetry-solution repository, which is not checked"

begin "Info metrics of Intel's are not in level 1, and thresholds name metrics before them"
cat >"$tmp/tree_metrics.json" <<'EOF'
{"Metrics": [
    {"MetricName": "Frontend_Bound", "LegacyName": "metric_TMA_Frontend_Bound(%)", "Level": 1, "UnitOfMeasure": "percent",
     "Category": "TMA", "MetricGroup": "TmaL1", "Formula": "100 * a", "BaseFormula": "cpu_clk_unhalted.thread / tma_info_slots",
     "Threshold": {"ThresholdMetrics": [{"Alias": "a", "Value": "metric_TMA_Frontend_Bound(%)"}], "Formula": "a > 15"}},
    {"MetricName": "Fetch_Latency", "LegacyName": "metric_TMA_..Fetch_Latency(%)", "ParentCategory": "Frontend_Bound", "Level": 2,
     "UnitOfMeasure": "percent", "Category": "TMA", "Formula": "100 * a", "BaseFormula": "inst_retired.any / tma_info_slots",
     "Threshold": {"ThresholdMetrics": [{"Alias": "a", "Value": "metric_TMA_..Fetch_Latency(%)"},
      {"Alias": "b", "Value": "metric_TMA_Frontend_Bound(%)"}], "Formula": "( a > 10 ) & ( b > 15 )"}},
    {"MetricName": "Info_Slots", "LegacyName": "metric_TMA_Info_Slots", "Level": 1, "UnitOfMeasure": "", "Category": "TMA",
     "MetricGroup": "TmaL1", "Formula": "a", "BaseFormula": "4 * cpu_clk_unhalted.thread"}
]}
EOF
sim skylakex list --tables "$tmp/tree_metrics.json" --details --json metric tma_fetch_latency
expect_match stdout '"MetricThreshold": "\(tma_fetch_latency > 0.1\) & \(tma_frontend_bound > 0.15\)"'
sim skylakex list --tables "$tmp/tree_metrics.json" --json metric tma_info_slots
expect_match stdout '"MetricName": "tma_info_slots"'
expect_no_match stdout '"MetricGroup": "TopdownL1"'
