#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two types of cores: a task's numbers name their core type and the part of the time they were
# counted. The machine's task runs 13 ms on a P-core and 7 ms on an E-core in turn, so the steps are
# chosen: 100 ms are 65 % and 35 %, 10 ms are all on a P-core.
. "$(dirname "$0")/../cli/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
TMA_SIM_STEP=100
export TMA_SIM_STEP

begin "a task that moves: its share of each type is said once, and is of all rows"
sim alderlake stat -e cycles,instructions -I 100 --interval-count 2 true
expect_match stderr '^tma: the task ran 65\.0 % of its time on cpu_core, 35\.0 % on cpu_atom; each type'
expect_equal "lines" "$(grep -c '^tma: the task' "$stderr")" 1
sim alderlake stat -r 3 -e cycles true
expect_match stderr '^tma: the task ran 65\.0 % of its time on cpu_core, 35\.0 % on cpu_atom;'
expect_equal "lines" "$(grep -c '^tma: the task' "$stderr")" 1

begin "a format for programs has it in fields, not in a line between rows"
sim alderlake stat -j -e cycles true
expect_no_match stderr 'the task ran'
expect_match stderr '"event" : "cpu_core/cycles/".*"pcnt-running" : 65\.00'

begin "what was recorded says it too"
run "$TMA" --machine alderlake stat record -o "$tmp/data" -e cycles true
run "$TMA" stat report -i "$tmp/data"
expect_match stderr '^tma: the task ran 65\.0 % of its time on cpu_core, 35\.0 % on cpu_atom;'

begin "a metric of a recording is on the row of its event's name, not on one that counts the same"
events=cpu_atom/cycles/,cpu_atom/CPU_CLK_UNHALTED.CORE/,cpu_atom/TOPDOWN_BE_BOUND.ALL/
run "$TMA" --machine alderlake stat record -o "$tmp/data" -a -e "$events" true
run "$TMA" stat report -i "$tmp/data" -M tma_backend_bound
expect_match stderr '^ *[0-9]+ +cpu_atom/cycles/ *$'
expect_match stderr 'cpu_atom/CPU_CLK_UNHALTED.CORE/ +# +[0-9.]+ % +tma_backend_bound'
run "$TMA" --machine alderlake stat record -o "$tmp/data" -a -e "${events#*/,}" true
run "$TMA" stat report -i "$tmp/data" -M tma_backend_bound
expect_match stderr 'cpu_atom/CPU_CLK_UNHALTED.CORE/ +# +[0-9.]+ % +tma_backend_bound'

begin "where no row has the name, one that counts the same serves"
run "$TMA" --machine alderlake stat record -o "$tmp/data" -a \
	-e cpu_atom/cycles/,cpu_atom/TOPDOWN_BE_BOUND.ALL/ true
run "$TMA" stat report -i "$tmp/data" -M tma_backend_bound
expect_match stderr '# +[0-9.]+ % +tma_backend_bound'

begin "CPUs are counted all the time, so there is no note"
sim alderlake stat -a -e cycles true
expect_no_match stderr 'the task'

begin "TopDown of a task: a row for each core type, with its part of the time"
sim alderlake stat --topdown true
expect_match stderr '^ pmu +% of time +%  tma_retiring'
expect_match stderr '^ cpu_core +65\.0 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ $'
expect_match stderr '^ cpu_atom +35\.0 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ $'
sim alderlake stat --topdown -x, true
expect_match stderr ',% of time \(cpu_core\),% of time \(cpu_atom\),$'
expect_match stderr ',65\.0,35\.0,$'
sim alderlake stat --topdown -j true
expect_match stderr '"% of time \(cpu_core\)" : "65\.0", "% of time \(cpu_atom\)" : "35\.0"}$'

begin "TopDown of threads: rows for each, on each core type"
sim alderlake stat --per-thread --topdown -p $$ -I 100 --interval-count 1
expect_match stderr "^ +0\.100000000 .*-$$ +cpu_core +65\.0 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ $"
expect_match stderr "^ +0\.100000000 .*-$$ +cpu_atom +35\.0 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ $"
sim alderlake stat --per-thread --topdown -p $$ -I 100 --interval-count 1 -x,
expect_match stderr '^time,thread,%  tma_retiring \(cpu_core\),.*,% of time \(cpu_atom\),$'
expect_match stderr "^0\.100000000,.*-$$,[0-9.]+,([0-9.]+,){7}65\.0,35\.0,$"
sim alderlake stat --per-thread --topdown -p $$ -I 100 --interval-count 1 --format=json
expect_match stdout "\"thread\":$$,.*\"name\":\"tma_retiring\",\"pmu\":\"cpu_atom\".*\"running_percent\":35,"

begin "a type that the task never ran on: not counted, and why"
TMA_SIM_STEP=10
sim alderlake stat --topdown true
expect_match stderr '^ cpu_atom +0\.0 +<not counted>$'
expect_match stderr '^tma: the task ran 100\.0 % of its time on cpu_core, never on cpu_atom'
sim alderlake stat --format=json --command-output=null -e cycles true
expect_match stdout '"cpu_atom/cycles/".*"value":null.*"reason":"the task did not run on a core of this type"'
sim alderlake stat --cputype atom -e cycles true
expect_match stderr '^tma: the task never ran on cpu_atom$'
TMA_SIM_STEP=100

begin "reasons: a move is no turn, and with too many events there are both"
sim alderlake stat --format=json --command-output=null -M TopdownL1 true
expect_match stdout '"tma_retiring","pmu":"cpu_core".*"an estimate for all of the task.s time, from its time on cores of this type"'
expect_no_match stdout 'multiplexed'
sim alderlake stat --format=json --command-output=null -M TopdownL3 true
expect_match stdout 'only part of it was on cores of this type, where events were multiplexed'
sim alderlake stat -a --format=json --command-output=null -M TopdownL3 true
expect_match stdout '"reason":"an estimate, since events were multiplexed"'
expect_no_match stdout 'the task'

begin "turns on both types leave lower limits"
sim alderlake stat -M TopdownL3 --grouping=perf --metric-only true
expect_match stderr '^cpu_core +>=[0-9.]+ % of the time'
expect_match stderr '^tma: the task ran at least [0-9.]+ % of its time on cpu_core, at least '

begin "--hybrid-merge of a task prints counts, not estimates"
sim alderlake stat -x, -e cpu_core/cycles/,cpu_atom/cycles/ --no-scale true
want=$(awk -F, '/cycles/ { sum += $1 } END { print sum }' "$stderr")
sim alderlake stat -x, --hybrid-merge -e cycles true
expect_match stderr "^$want,,cycles,100000000,100\.00,,$"
sim alderlake stat -x, --hybrid-merge --per-die -C 0-1,16 -e cycles true
expect_match stderr '^S0-D0,3,[0-9]+,,cycles,'

begin "the number of CPUs in a row for a core type is that of the type"
sim alderlake stat -a --topdown --per-socket --timeout 100
expect_match stderr '^S0 +16 cpu_core '
expect_match stderr '^S0 +8 cpu_atom '
sim alderlake stat -C 0-1,16-18 --topdown --per-socket --timeout 100
expect_match stderr '^S0 +2 cpu_core '
expect_match stderr '^S0 +3 cpu_atom '

begin "metrics of E-cores at every level"
for level in 1 2 3; do
	sim alderlake stat -a --cputype atom --topdown --td-level $level -x, true
	expect_status 0
	expect_match stderr '^%  tma_.* \(cpu_atom\),'
	expect_no_match stderr 'cpu_core|nan|,,'
done

# compare ARG ...: print perf's rows and tma's, sorted, since perf has E-cores first, and rows for
# CPUs that lack the event
compare()
{
	[ $test_state = ok ] || return 0
	command_shown="stat $*"
	drop='started on|seconds |^CPU.*<not counted>|"cpu" : .*<not counted>|[, ]0[, ] *<not |number" : 0,'
	LD_PRELOAD=$sim_library TMA_MACHINE=alderlake TMA_SIM_STEP=10 timeout 20 "$PERF" stat \
		-o "$tmp/perf.raw" "$@" true >"$stdout" 2>"$stderr" </dev/null
	TMA_SIM_STEP=10 timeout 20 "$TMA" --machine alderlake stat --compat=6.12 --grouping=perf -o "$tmp/tma.raw" "$@" true \
		>"$stdout" 2>"$stderr" </dev/null
	for program in perf tma; do
		grep -v -E -e "$drop" "$tmp/$program.raw" | without_reasons |
			sed -e 's/^# cpuid: .*//' -e '/^{/!s/"//g' -e '/counter-value" : "</s/: 100\.00/: 0.00/' |
			sort >"$tmp/$program.out"
	done
	[ -s "$tmp/perf.out" ] || fail "perf printed nothing"
	diff "$tmp/perf.out" "$tmp/tma.out" >"$tmp/diff" || fail "perf's rows differ" "$tmp/diff"
}

both()
{
	for format in "" -x, -j; do
		# shellcheck disable=SC2086 # an empty word is left out
		compare $format "$@"
	done
}

# Real tasks start on an E-core, or visit one for 0.06 % of their time.
mkdir "$tmp/machines"
cp "$(dirname "$TMA")"/machines/*.part "$tmp/machines"
sed 's/^task-path .*/task-path 0 999400us 17 600us/' "$(dirname "$TMA")/machines/alderlake" >"$tmp/machines/visitor"

begin "a short visit: the verdict is the P-cores', turns or not, and E-cores have none"
for level in 2 3; do
	run env TMA_SIM_STEP=1 TMA_SIM_COMMAND=9000 "$TMA" --machine "$tmp/machines/visitor" stat --topdown --td-level $level --verdict --timeout 2000 true
	expect_status 0
	expect_match stderr '^ Verdict \(cpu_core, 99\.9 % of the time\): tma_backend_bound 32\.[0-9] %'
	expect_match stderr '^ Verdict \(cpu_atom, 0\.060 % of the time\): none: too little was measured$'
	expect_match stderr '^tma: the task ran 99\.9 % of its time on cpu_core, 0\.060 % on cpu_atom;'
done

begin "groups that had no turn in it have no value, and the others say of how little they are"
run env TMA_SIM_STEP=1 TMA_SIM_COMMAND=9000 "$TMA" --machine "$tmp/machines/visitor" stat -M TopdownL2 --format=json --command-output=null --verdict --timeout 2000 true
expect_status 0
expect_match stdout '"name":"tma_resource_bound","pmu":"cpu_atom","value":33\.[0-9]+,.*"running_percent":0\.06.*"status":"scaled"'
expect_match stdout '"name":"tma_ifetch_latency","pmu":"cpu_atom","value":null,.*"status":"not counted","reason":"[^"]*: no counter was free for it while the task ran'
expect_match stdout '"bottleneck":"","path":\[\],.*"reason":"the task ran too little of its time on cores of this type"'
run env TMA_SIM_STEP=1 TMA_SIM_COMMAND=9000 "$TMA" --machine "$tmp/machines/visitor" stat -M TopdownL2 --metric-only -x, --timeout 2000 true
expect_match stderr '% of time \(cpu_atom\)'
expect_match stderr ',0\.0?6'

begin "what was recorded of it is judged alike"
run env TMA_SIM_STEP=1 TMA_SIM_COMMAND=9000 "$TMA" --machine "$tmp/machines/visitor" stat record -o "$tmp/data" -M TopdownL3 --timeout 2000 true
run "$TMA" stat report -i "$tmp/data" -M TopdownL3 --verdict
expect_match stderr '^ Verdict \(cpu_atom, 0\.060 % of the time\): none: too little was measured$'
expect_match stderr '^ Verdict \(cpu_core, 99\.9 % of the time\): tma_backend_bound 32'

begin "perf's rows: a run without -e"
needs_perfs_formulas
both
both -a

for row in "" -A --per-socket --per-die --per-cluster --per-cache --per-core --per-node; do
	begin "perf's rows: events of both types, $row"
	needs_perf
	# shellcheck disable=SC2086
	{
		both -a $row -e '{cycles,instructions},branches,branch-misses'
		both -a $row -e 'L1-dcache-loads,cpu_core/r01c4/,cpu_atom/event=0xc4/,cycles:u'
		both -C 0,1,4 $row -e cycles,instructions
		both -C 1,18-19 $row -e cycles,instructions
		both -a $row --cputype atom -M TopdownL2
	}
done

begin "perf's rows: groups over both types, raw and cache events"
needs_perfs_formulas
both -e '{cpu_core/cycles/,cpu_atom/cycles/}'
both -a -e '{cpu_core/cycles/,cpu_atom/cycles/,cpu_core/instructions/}'
both -e 'cycles:u,cpu_core/cycles/k,cpu_atom/cycles,name=x/,cpu_atom/inst_retired.any/'
both -a -e 'LLC-loads,dTLB-load-misses,branch-loads,cpu_core/r1234/,cpu_atom/config=0xc4/'
both --cputype core -M TopdownL2
both -a -M TopdownL1
