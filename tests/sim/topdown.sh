#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# TopDown on every generation of CPUs: the precautions and notes of --topdown, TopDown events in -e,
# and how exact the metric events are in long intervals.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP

row="-I1000 --interval-count 1"

# values: print the metrics of the rows from --metric-only text on stderr
values()
{
	sed -n 's/^ *[0-9][0-9.]* \([a-z_]* \)* *\([0-9]\)/\2/p' "$stderr"
}

for file in "$BUILD"/machines/*; do
	machine=${file##*/}
	case $machine in *.part | *-architectural | *-none) continue ;; esac

	begin "$machine: level 1 needs no option"
	# shellcheck disable=SC2086
	sim $machine stat -a --topdown $row
	expect_status 0
	expect_equal "rows that do not come to 100 %" "$(values |
		awk '{ sum = 0; for (i = 1; i <= NF; i++) sum += $i; if (sum < 98 || sum > 102) print }')" ""
	expect_match stderr '^ +1\.000000000 '
	expect_no_match stderr '<not |nan'

	begin "$machine: the deepest level is called max"
	# shellcheck disable=SC2086
	sim $machine stat -a --topdown --td-level 99 $row
	expect_status 125
	expect_match stderr 'the deepest level of this CPU \(.*\) is [1-9]$'
	deepest=$(sed -n 's/.* is \([1-9]\)$/\1/p' "$stderr")
	# shellcheck disable=SC2086
	sim $machine stat -a -x, --topdown --td-level max $row
	expect_status 0
	cp "$stderr" "$tmp/max"
	# shellcheck disable=SC2086
	sim $machine stat -a -x, --topdown --td-level "$deepest" $row
	cp "$stderr" "$tmp/deepest"
	run cmp "$tmp/deepest" "$tmp/max"
	expect_status 0
done

begin "the view of bottlenecks, where tables have it"
for machine in skylakex graniterapids alderlake; do
	TMA_SIM_STEP=100 sim $machine stat -a --topdown=bottlenecks --timeout 10000
	expect_status 0
	expect_match stderr '^tma_(info_)?bottleneck_mispredictions +[0-9.]+ '
	expect_between "percent of the slots" "$(awk '/bottleneck_/ { sum += $2 } END { printf "%d", sum }' "$stderr")" 50 130
done
for machine in zen5 sierraforest; do
	sim $machine stat -a --topdown=bottlenecks
	expect_status 125
	expect_match stderr '^tma: --topdown=bottlenecks: the tables of .* have no such view'
done
run "$TMA" stat --topdown=nosuch true
expect_status 129
expect_match stderr "^tma: --topdown=nosuch: unknown view; use bottlenecks, or nothing$"
run "$TMA" stat --topdown=bottlenecks --verdict true
expect_status 129

begin "the levels of each core type are said with -v, and which end before"
# shellcheck disable=SC2086
sim alderlake stat -v -a --topdown $row
expect_match stderr '^tma: cpu_core: TopDown has levels 1 to 6$'
expect_match stderr '^tma: cpu_atom: TopDown has levels 1 to 3$'
# shellcheck disable=SC2086
sim alderlake stat -a --topdown --td-level 4 $row
expect_match stderr '^tma: cpu_atom: TopDown ends at level 3 here: there are no values for level 4$'
# shellcheck disable=SC2086
sim alderlake stat -a --topdown --td-level 4 --cputype core $row
expect_no_match stderr 'cpu_atom: '
# shellcheck disable=SC2086
sim alderlake stat -C 0 --topdown --td-level 3 $row
expect_match stderr '^tma: cpu_core: .* take turns'
expect_no_match stderr 'cpu_atom: '

# --- Events that take turns ---------------------------------------------------------------------

begin "a level whose events take turns says what is measured together"
# shellcheck disable=SC2086
sim sapphirerapids stat -a --topdown --td-level 3 $row
expect_match stderr '^tma: cpu: [0-9]+ groups take turns .* slots with the TopDown metric events .* in [1-9] of them$'
# shellcheck disable=SC2086
sim sapphirerapids stat -a --topdown --td-level 3 --no-metric-only $row
expect_match stderr '\([0-9.]+%\)$'
# shellcheck disable=SC2086
sim skylakex stat -a --topdown --td-level 2 $row
expect_match stderr '^tma: cpu: 4 groups take turns on the counters; only events of one group are measured together$'
# shellcheck disable=SC2086
sim skylakex stat -a --topdown --td-level 2 --grouping=perf $row
expect_match stderr '^tma: cpu: [0-9]+ events take turns on the counters: no event is measured all the time$'

begin "a message names what lacks the watchdog's counter"
printf 'include %s/skylakex\nsysctl nmi_watchdog 1\n' "$(cd "$BUILD/machines" && pwd)" >"$tmp/watched"
# shellcheck disable=SC2086
sim "$tmp/watched" stat -a --topdown --no-metric-only $row
expect_match stderr '^tma: cpu: 2 groups take turns .* \(they would fit without the NMI watchdog: sysctl kernel.nmi_watchdog=0\)$'
expect_match stderr '\(50\.00%\)$'
# shellcheck disable=SC2086
sim "$tmp/watched" stat -a --topdown --no-metric-only --grouping=perf $row
expect_match stderr '^tma: cpu: 5 events take turns .* \(they would fit without the NMI watchdog: sysctl kernel.nmi_watchdog=0\)$'
expect_match stderr '\(80\.00%\)$'

begin "events that fit cause no message"
for machine in skylakex sapphirerapids alderlake zen4; do
	# shellcheck disable=SC2086
	sim $machine stat -a --topdown --no-metric-only $row
	expect_no_match stderr 'take turns|\([0-9.]+%\)$'
done
# shellcheck disable=SC2086
sim sapphirerapids stat -a --topdown --td-level 2 --no-metric-only $row
expect_no_match stderr 'take turns|\([0-9.]+%\)$'

begin "turns are told after the run where the tables do not know the counters"
sim neoverse-n2 stat -a --topdown --grouping=perf $row
expect_match stderr '^tma: armv8_pmuv3_0: 3 groups take turns on the counters'
expect_equal "lines" "$(grep -c 'take turns' "$stderr")" 1
sim neoverse-n2 stat -a --topdown --grouping=perf -x, $row
expect_no_match stderr 'take turns'
# shellcheck disable=SC2086
sim neoverse-n2 stat -a --topdown $row
expect_no_match stderr 'take turns'
sim neoverse-n2 stat -a -M retiring,bad_speculation $row
expect_no_match stderr 'take turns'

begin "a run that is too short for all events to have a turn says so, once"
for command in "true" "-a -I 10 --interval-count 3"; do
	TMA_SIM_STEP=10 sim skylakex stat --topdown --td-level 2 $command
	expect_match stderr ' nan '
	expect_equal "lines" "$(grep -c 'had no turn on the counters' "$stderr")" 1
done
TMA_SIM_STEP=10 sim skylakex stat --topdown --td-level 2 -x, true
expect_no_match stderr 'no turn'
sim skylakex stat --topdown --td-level 2 $row
expect_no_match stderr 'nan|no turn'
TMA_SIM_STEP=10 sim alderlake stat --topdown true
expect_match stderr '^ cpu_atom +0\.0 +<not counted>$'
expect_no_match stderr 'no turn'

begin "a level and one of its metrics: one column each"
sim sapphirerapids stat -a --topdown -M tma_retiring,tma_memory_bound -j --timeout 100
expect_equal "tma_retiring" "$(grep -o '%  tma_retiring' "$stderr" | wc -l)" 1
expect_equal "tma_memory_bound" "$(grep -o '%  tma_memory_bound' "$stderr" | wc -l)" 1

begin "a latency takes a counter where it is sampled"
hits="MEM_LOAD_RETIRED.L2_HIT:R + MEM_LOAD_RETIRED.L3_HIT:R + MEM_LOAD_L3_HIT_RETIRED.XSNP_FWD:R"
misses="MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM:R + MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM:R"
# shellcheck disable=SC2086
sim graniterapids stat -a --topdown -M "sum = $hits + $misses" --no-metric-only $row
expect_status 0
expect_match stderr ' sum *$'
expect_no_match stderr 'take turns|\([0-9.]+%\)$'
# shellcheck disable=SC2086
sim graniterapids stat -a --topdown -M "sum = $hits + $misses" --no-metric-only --record-tpebs $row
expect_match stderr '^tma: cpu: 1 group and [0-9]+ single events take turns'

begin "formats for programs have no messages in them, nor do their files"
for format in "-x," -j "--format=json" "--format=csv-wide"; do
	# shellcheck disable=SC2086
	sim skylakex stat -C 0 --topdown --td-level 2 $format $row
	expect_status 0
	case $format in
	-x, | -j) expect_no_match stderr 'take turns|SMT is on' ;;
	*) expect_match stderr 'take turns' ;;
	esac
	expect_no_match stdout 'take turns|SMT is on'
	# shellcheck disable=SC2086
	sim skylakex stat -C 0 --topdown --td-level 2 $format -o "$tmp/out" $row
	expect_match stderr 'take turns'
	expect_no_match "$tmp/out" 'take turns|SMT is on'
done
# shellcheck disable=SC2086
sim skylakex stat -C 0 --topdown --td-level 2 --quiet $row
expect_no_match stderr 'take turns|SMT is on'

# --- Before Ice Lake, slots are a core's ----------------------------------------------------------

begin "one thread of a core is counted with an estimate, and a message says so"
# shellcheck disable=SC2086
sim skylakex stat -C 0 --topdown --no-metric-only $row
expect_match stderr '^tma: SMT is on, .* an estimate without .*; -a counts whole cores, and so does -C 0,8$'
expect_match stderr 'CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE'
expect_no_match stderr 'CPU_CLK_UNHALTED.THREAD_ANY'
for target in true "-p $$ --timeout 50" "-t $$ --per-thread --no-metric-only --timeout 50"; do
	# shellcheck disable=SC2086
	sim skylakex stat --topdown $target
	expect_status 0
	expect_match stderr '^tma: SMT is on, .* an estimate without .*; -a counts whole cores$'
	expect_match stderr 'tma_retiring'
done

begin "a cgroup is never all that runs on a core"
# shellcheck disable=SC2086
sim skylakex stat -a --topdown --no-metric-only --for-each-cgroup / $row
expect_match stderr '^tma: SMT is on, .* without the core.s other threads; without cgroups, -a counts whole cores$'
expect_no_match stderr 'CPU_CLK_UNHALTED.THREAD_ANY'

begin "all threads of a core are the core, with -a and without"
# shellcheck disable=SC2086
sim skylakex stat -a -C 0-1,8-9 --topdown --no-metric-only $row
expect_match stderr 'CPU_CLK_UNHALTED.THREAD_ANY'
expect_no_match stderr 'SMT is on'
cp "$stderr" "$tmp/all"
# shellcheck disable=SC2086
sim skylakex stat -C 0-1,8-9 --topdown --no-metric-only $row
cp "$stderr" "$tmp/alone"
run cmp "$tmp/alone" "$tmp/all"
expect_status 0

begin "rows of threads are told from those of cores"
# shellcheck disable=SC2086
sim skylakex stat -a -A --topdown $row
expect_match stderr '^tma: SMT is on, .* equal share; --per-core shows the cores$'
# shellcheck disable=SC2086
sim skylakex stat -a --per-core --topdown $row
expect_no_match stderr 'SMT is on'

begin "where slots are a thread's own, SMT makes no difference"
for machine in sapphirerapids alderlake zen4; do
	# shellcheck disable=SC2086
	sim $machine stat -C 0 --topdown $row
	expect_status 0
	expect_no_match stderr 'SMT is on'
done

# --- TopDown events in -e ------------------------------------------------------------------------

# groups MACHINE ARG ...: print the events of each group, a line each, from -v
groups()
{
	machine=$1
	shift
	# shellcheck disable=SC2086
	sim $machine stat -v -a $row "$@"
	expect_status 0
	sed -n 's/^  \(group\|event\)\( (weak)\)*: //p' "$stderr" >"$tmp/groups"
}

begin "slots are added in the modes of the events that need them, with a message"
groups sapphirerapids -e topdown-retiring:u
expect_equal groups "$(cat "$tmp/groups")" "slots:u, topdown-retiring:u"
expect_match stderr '^slots:u was added as leader, which topdown-retiring:u needs in its group$'
expect_match stderr '^ +1\.000000000 +[0-9]+ +topdown-retiring:u *$'
groups alderlake -e topdown-retiring
expect_file "$tmp/groups" <<'END'
cpu_core/slots/, cpu_core/topdown-retiring/
cpu_atom/topdown-retiring/
END
expect_no_match stderr '<not '

begin "one slots serves the events of several -e, however they are spelt"
groups sapphirerapids -e topdown-retiring -e cycles -e slots -e cpu/event=0,umask=0x81/,r8200
expect_file "$tmp/groups" <<'END'
cycles
slots, topdown-retiring, cpu/event=0,umask=0x81/, r8200
END
expect_no_match stderr '<not |was added|\([0-9.]+%\)$'
groups sapphirerapids -e '{topdown-retiring,TOPDOWN.SLOTS}' -e topdown-be-bound
expect_equal groups "$(cat "$tmp/groups")" "TOPDOWN.SLOTS, topdown-retiring, topdown-be-bound"
groups alderlake -e '{cpu_core/topdown-retiring/u,cpu_core/slots/u}'
expect_equal groups "$(cat "$tmp/groups")" "cpu_core/slots/u, cpu_core/topdown-retiring/u"

begin "E-cores count TopDown events like any other event"
groups alderlake -e '{cpu_atom/topdown-be-bound/,cpu_atom/topdown-retiring/}'
expect_equal groups "$(cat "$tmp/groups")" "cpu_atom/topdown-be-bound/, cpu_atom/topdown-retiring/"
expect_no_match stderr '<not |was added|anew'

begin "other modes and second ones of a kind make other groups, which take turns"
groups sapphirerapids -e topdown-retiring:u,topdown-retiring:k
expect_file "$tmp/groups" <<'END'
slots:u, topdown-retiring:u
slots:k, topdown-retiring:k
END
expect_match stderr 'topdown-retiring:k +\(50\.00%\)$'
groups sapphirerapids -e slots,topdown-retiring,topdown-retiring
expect_equal groups "$(cat "$tmp/groups")" "slots, topdown-retiring
slots, topdown-retiring"
groups sapphirerapids -e '{slots,topdown-retiring},{slots,topdown-be-bound}'
expect_match stderr 'topdown-be-bound +\(50\.00%\)$'
groups sapphirerapids -e '{slots,topdown-retiring:u}'
expect_match stderr '^topdown-retiring:u counts in the modes of slots, which leads its group$'

begin "S, D and e of a group are the leader's, which slots becomes"
for modifier in S D e; do
	groups sapphirerapids -e "{topdown-retiring,slots}:$modifier"
	expect_equal groups "$(cat "$tmp/groups")" "slots, topdown-retiring"
	expect_no_match stderr '<not '
done

# refused EVENTS RULE: as a group in braces, the events are refused with this rule, and nothing is
# counted
refused()
{
	# shellcheck disable=SC2086
	sim sapphirerapids stat -a -e "$1" $row
	expect_status 125
	expect_match stderr "^tma: cannot count .* in the group "
	expect_match stderr "$2"
}

begin "a message names the rule that a group in braces breaks"
refused '{slots,topdown-retiring,topdown-retiring}' '^tma: A group can have each TopDown event only once'
refused '{slots,slots}' '^tma: A group can have each TopDown event only once'
refused '{slots,topdown-retiring:D}' '^tma: Only the leader of a group can be pinned'
refused '{slots,topdown-retiring:p}' '^tma: TopDown metric events cannot be sampled'
refused '{slots,cpu/topdown-retiring,cmask=1/}' 'only the terms event and umask'
refused '{slots,topdown-retiring,r1,r2,r3,r4,r5}' '^tma: A group is refused when it needs more counters'

begin "an event of another PMU leaves a group of TopDown events"
groups sapphirerapids -e '{slots,power/energy-pkg/,topdown-retiring}'
expect_file "$tmp/groups" <<'END'
slots, topdown-retiring
power/energy-pkg/
END
expect_match stderr '^events were regrouped \(one PMU in each group'

begin "if one event of an automatic group is refused, the others are counted"
TMA_SIM_FAULT="open:cpu/event=0x00,umask=0x81/=EINVAL"
export TMA_SIM_FAULT
# shellcheck disable=SC2086
sim sapphirerapids stat -a -e topdown-retiring,topdown-bad-spec,topdown-be-bound,slots $row
expect_status 0
expect_match stderr '^tma: cannot count topdown-bad-spec in the group '
expect_match stderr '^ +1\.000000000 +<not supported> +topdown-bad-spec *$'
expect_match stderr '^ +1\.000000000 +[0-9]+ +topdown-be-bound *$'
expect_match stderr '^ +1\.000000000 +[0-9]+ +topdown-retiring *$'
# shellcheck disable=SC2086
sim sapphirerapids stat -a --topdown --no-metric-only $row
expect_status 0
expect_match stderr '^ +1\.000000000 +<not supported> +topdown-bad-spec'
expect_match stderr '^ +1\.000000000 +[0-9]+ +topdown-be-bound'
# shellcheck disable=SC2086
sim sapphirerapids stat -a -e '{slots,topdown-bad-spec,topdown-be-bound}' $row
expect_status 125
expect_match stderr '^ +0\.000000000 +<not counted> +topdown-be-bound *$'
unset TMA_SIM_FAULT

# --- Long intervals --------------------------------------------------------------------------------

# A metric event and a normal counter count the same slots.
events='{slots,topdown-retiring,topdown-be-bound,topdown-bad-spec},UOPS_RETIRED.SLOTS'
events=$events,TOPDOWN.BACKEND_BOUND_SLOTS,TOPDOWN.BAD_SPEC_SLOTS

# error: print how much metric events differ from counters, in millionths of all slots
error()
{
	awk -F, '
	/^[0-9]/ { time = $1 ~ /\./; count[$(3 + time)] = $(1 + time) }
	function far(a, b) { return a > b ? a - b : b - a }
	END {
		print int(1e6 * (far(count["topdown-retiring"], count["UOPS_RETIRED.SLOTS"]) + \
			far(count["topdown-be-bound"], count["TOPDOWN.BACKEND_BOUND_SLOTS"]) + \
			far(count["topdown-bad-spec"], count["TOPDOWN.BAD_SPEC_SLOTS"])) / \
			count["slots"])
	}' "$stderr"
}

# flags: print which metrics in the JSON on stdout are over their thresholds
flags()
{
	sed -n 's/.*"type":"metric".*"name":"\([^"]*\)","pmu":"\([^"]*\)".*"threshold_passed":\([a-z]*\).*/\2\t\1\t\3/p' \
		"$stdout" | sort
}

for machine in sapphirerapids icelakex skylakex graniterapids sierraforest zen4; do
	begin "$machine: only thresholds of level 2 are checked, which refer to metrics of level 1"
	group=TopdownL2
	case $machine in zen*) group=PipelineL2 ;; esac
	sim $machine stat -a --topdown --td-level 2 --format=json --timeout 4000
	expect_status 0
	flags >"$tmp/topdown"
	sim $machine stat -a -M $group --format=json --timeout 4000
	flags >"$tmp/named"
	[ -s "$tmp/topdown" ] || fail "there are no metrics"
	expect_equal "answers other than with -M $group, which counts all that thresholds need" \
		"$(awk 'FNR == NR { named[$1, $2] = $3 }
			FNR < NR && $3 != named[$1, $2] && $3 != "null"' FS='\t' \
			"$tmp/named" "$tmp/topdown")" ""
	case $machine in
	sierraforest) unknown=tma_branch_mispredicts ;;
	*) unknown= ;;
	esac
	expect_equal "without an answer" \
		"$(awk '$3 == "null" { print $2 }' FS='\t' "$tmp/topdown")" "$unknown"
done

begin "thresholds need no further events"
sim sapphirerapids stat -a --topdown --td-level 2 --dry-run
expect_status 0
cp "$stdout" "$tmp/plan"
sim sapphirerapids stat -a --topdown --td-level 2 --metric-no-threshold --dry-run
expect_equal "the plan" "$(cat "$tmp/plan")" "$(cat "$stdout")"

begin "a metric without an event of its threshold has no answer"
sim alderlake stat -a --topdown --td-level 2 --format=json --timeout 4000
expect_equal "without an answer" "$(flags | awk '$3 == "null" { print $1, $2 }' FS='\t')" \
	"cpu_atom tma_branch_mispredicts"

begin "prom has the flag, too"
sim sapphirerapids stat -a --topdown --td-level 2 --prom-ratios --format=prom --timeout 4000
expect_match stdout '^tma_metric_threshold_passed\{name="tma_core_bound"\} 1$'
expect_match stdout '^tma_metric_threshold_passed\{name="tma_memory_bound"\} [01]$'

begin "a long interval is as exact as its seconds"
sim sapphirerapids stat -a -x, -e "$events" -I60000 --interval-count 1
expect_status 0
long=$(error)
sim sapphirerapids stat -a -x, -e "$events" --timeout 60000
whole=$(error)
sim sapphirerapids stat -a -x, -e "$events" -I60000 --interval-count 1 -D 3000
late=$(error)
[ "$long" -lt 300 ] || fail "60 s are off by $long millionths of the slots"
[ "$whole" -lt 300 ] || fail "60 s without intervals are off by $whole millionths"
[ "$late" -lt 300 ] || fail "60 s after a delay are off by $late millionths"

begin "perf, which reads once, has larger errors"
if [ -x "$PERF" ]; then
	run env LD_PRELOAD="$(cd "$BUILD" && pwd)/libtma-sim.so" TMA_MACHINE=sapphirerapids \
		"$PERF" stat -a -x, -e "$events" -I60000 --interval-count 1
	once=$(error)
	[ "$once" -gt $((5 * long)) ] || fail "perf: $once millionths, tma: $long"
else
	skip "needs PERF (the path of a perf 6.12)"
fi

begin "threads of all CPUs: those that ran longest first, with their share, and no others"
cp "$(command -v sh)" "$tmp/spinner"
sim sapphirerapids stat -a --per-thread --topdown --verdict -o "$tmp/threads" -- \
	"$tmp/spinner" -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
expect_status 0
expect_match "$tmp/threads" '^ +% of CPU time +%  tma_retiring'
sed -n 's/^.*-[0-9]\{1,\}  *\([0-9.]\{1,\}\)   *[0-9.]\{1,\} .*$/\1/p' "$tmp/threads" >"$tmp/shares"
sort -g -r "$tmp/shares" >"$tmp/sorted"
expect_file "$tmp/shares" <"$tmp/sorted"
expect_between "sum of the shares" "$(awk '{ n += 10 * $1 } END { printf "%d", n }' "$tmp/shares")" 900 1100
expect_no_match "$tmp/threads" '^ *[^ ]+-[0-9]+ +0[.]0 *$'
expect_match "$tmp/threads" '^ *spinner-[0-9]+ +[0-9.]+ +[0-9.]+ '
expect_equal "the first verdict is of the first row" \
	"$(sed -n 's/^ Verdict (\([^)]*\)).*/\1/p' "$tmp/threads" | head -n 1)" \
	"$(sed -n '/% of CPU time/{n;s/^ *\([^ ]*-[0-9]*\) .*/\1/p;}' "$tmp/threads")"
