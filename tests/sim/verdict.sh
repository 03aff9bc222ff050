#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --verdict: which metric is the bottleneck, how sure that is, and what to do next.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP

# value_of NAME: print the value and error of a metric, from a list in a JSON verdict
value_of()
{
	sed -n 's/.*"'"$2"'":\[[^]]*{"name":"'"$1"'","value":\([0-9.]*\),"error":\([0-9.nul]*\),.*/\1 \2/p' \
		"$stdout"
}

begin "what is not certain is not said to have passed its threshold"
TMA_SIM_STEP=10 sim skylakex stat -a --topdown --td-level 2 --error --verdict --format=json --timeout 40
expect_match stdout '"bottleneck":"",.*"not_certain":\[\{"name":"tma_backend_bound"'
expect_match stdout '"name":"tma_backend_bound",.*"error":null,.*"threshold_passed":null'
expect_no_match stdout '"error":null,.*"threshold_passed":true'

begin "what is not exact is not shown as exact"
TMA_SIM_STEP=10 sim skylakex stat -a --topdown --td-level 2 --error --verdict --timeout 4000
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ % \+- 0\.[1-9] -> '
expect_no_match stderr '\+- 0\.0'

begin "what is counted all the time is certain"
sim sapphirerapids stat -a --topdown --td-level 2 --verdict --timeout 2000
expect_status 0
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ % -> tma_memory_bound [0-9.]+ %$'
expect_match stderr 'measured without multiplexing'
expect_match stderr '^          its children were not measured; to go deeper: tma --machine sapphirerapids stat -a --timeout 2000 --topdown --td-level 3 --verdict$'
expect_match stderr '^          memory: The back end waited for data that '
expect_match stderr '^          try: Access less memory'
expect_match stderr '^          without it at most 1\.[0-9][0-9] times as fast \(an upper bound\)$'
expect_no_match stderr 'not certain'

begin "the command to go deeper can be pasted: the same target and program, quoted for the shell"
run "$TMA" --machine sapphirerapids stat --all-user --verdict --timeout 2000 -- \
	sh -c 'printf "%s\n" "it'"'"'s $0" "a  b"; sleep 0.1' 'one *'
expect_status 0
expect_equal "standard output" "$(cat "$stdout")" "it's one *
a  b"
expect_match stderr "to go deeper: tma --machine sapphirerapids stat --all-user --timeout 2000 --topdown --td-level 2 --verdict -- sh -c '"
sed -n 's/.*to go deeper: tma //p' "$stderr" >"$tmp/next"
run sh -c "exec '$TMA' $(cat "$tmp/next")"
expect_status 0
expect_equal "standard output of the next" "$(cat "$stdout")" "it's one *
a  b"
expect_match stderr '^ Verdict: tma_backend_bound .* -> tma_memory_bound'

begin "the suggested command keeps when events are counted, --pre and --post, and the kind of rows"
lasting 100
run "$TMA" --machine sapphirerapids stat -a --verdict -D 10 --pre 'true a' --post 'true b' \
	-S --grouping=perf --metric-no-merge --min-running 5 -- sleep 0.1
expect_status 0
expect_match stderr "to go deeper: tma --machine sapphirerapids stat -a -D 10 -S --pre 'true a' --post 'true b' --grouping perf --metric-no-merge --min-running 5 --topdown --td-level 2 --verdict -- sleep 0\.1$"
run "$TMA" --machine sapphirerapids stat -a --verdict --schedule=rotate --schedule-ms 20 --timeout 200
expect_match stderr 'stat -a --schedule rotate --schedule-ms 20 --timeout 200 --topdown --td-level 2 --verdict$'
run "$TMA" --machine sapphirerapids stat -a --verdict --per-cache=L3 --format=json --timeout 200
expect_match stdout '"tma --machine sapphirerapids stat -a --per-cache=L3 --timeout 200 --topdown --td-level 2 --verdict"'

begin "no output contains characters that control a terminal"
run "$TMA" --machine sapphirerapids stat --verdict -- sh -c 'sleep 0.1 # '"$(printf '\033')[31m"
expect_match stderr "to go deeper: .* -- sh -c \\$'sleep 0.1 # \\\\033\[31m'\$"

begin "which of the parts is the largest where none is taken"
sim skylakex stat -a --topdown --td-level 3 --verdict --timeout 3000
expect_match stderr '^          tma_l3_miss_bound 9\.[0-9] % stalls [^,]* is its largest child, but below its threshold of 10 % stalls$'

begin "the columns are those of all levels down to the one asked for"
sim sapphirerapids stat -a --topdown --td-level 2 --verdict --timeout 2000
expect_match stderr '^tma_retiring .*% slots'
expect_match stderr 'tma_memory_bound .*% slots'

begin "without -e and -M it is of level 1"
sim sapphirerapids stat -a --verdict --timeout 1000
expect_status 0
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ %$'
expect_match stderr 'where in the program: perf record -e topdown.backend_bound_slots:P'

begin "what is over its threshold by less than its error is not called a bottleneck"
sim skylakex stat -a --topdown --td-level 5 --grouping=perf --verdict -I1000 --interval-count 6
expect_status 0
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ % \+- [0-9.]+$'
expect_match stderr '^ +not certain: tma_memory_bound [0-9.]+ % \+- '
expect_match stderr 'since the threshold lies within the error: count for longer, or a command with --passes'
expect_match stderr 'estimated: tma_backend_bound from [0-9.]+ % of the time in [0-9]+ groups'
expect_match stderr 'it is uncertain which of its children is the cause: tma_memory_bound or tma_core_bound$'
expect_match stderr '^          about [0-9]+ times as long would decide it$'
expect_match stderr '^          with fewer metrics each is counted for longer: --td-level 2 would decide it sooner$'
sim skylakex stat -a --topdown --td-level 5 --grouping=perf --verdict -I1000 --interval-count 6 --format=json
value_of tma_memory_bound not_certain >"$tmp/value"
expect_equal "limits of the threshold, 20 %" \
	"$(awk '{ print ($1 > 20), ($1 - $2 <= 20), ($1 + $2 > 20) }' "$tmp/value")" "1 1 1"

begin "it can be told once it was counted for longer"
sim skylakex stat -a --topdown --td-level 3 --grouping=perf --verdict --timeout 60000
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ % \+- [0-9.]+ -> tma_memory_bound [0-9.]+ % \+- [0-9.]+( ->|$)'

begin "or with --passes"
sim skylakex stat --verdict --td-level 3 --passes -- true
expect_match stderr '^ Verdict: tma_backend_bound 38.0 % -> tma_memory_bound 20.9 %$'
expect_no_match stderr 'runs of the command differ'
expect_match stderr 'counted all the time, in [0-9]+ runs of the command'

begin "which are off by what they differ"
lasting "$(seq -s, 20 20 400)"
sim skylakex stat --verdict --td-level 2 --passes -- true
expect_match stderr 'tma_memory_bound [0-9.]+ % \+- [0-9]'
expect_match stderr 'since runs of the command differ by more than the distance from value to threshold'

begin "with few turns nothing is certain, and it says why" # R50
sim skylakex stat -a --topdown --td-level 3 --verdict --timeout 100
expect_match stderr '^ Verdict: not certain$'
expect_match stderr ' tma_backend_bound [0-9.]+ % \+- \?'
expect_match stderr 'since multiplexed events had too few turns on counters: the error is unknown: count for longer'

begin "so it does of turns that are tma's own"
sim icelakex stat -a --topdown --td-level 2 --schedule=rotate --verdict --timeout 2000
expect_match stderr '^ Verdict: not certain$'
expect_match stderr 'since with --schedule=rotate events are not read in between: the error is unknown'

begin "and of tasks that were on cores of several types"
lasting 200
sim alderlake stat --verdict --td-level 3 -- true
expect_match stderr '^ Verdict \(cpu_(core|atom), .*[0-9.]+ % of the time\): not certain$'
expect_match stderr 'since events were multiplexed on cores that the task used for a part of the time'

begin "a hybrid machine has a verdict for each core type"
sim alderlake stat -a --topdown --td-level 3 --verdict -I1000 --interval-count 4
expect_match stderr '^ Verdict \(cpu_core\): tma_backend_bound '
expect_match stderr '^ Verdict \(cpu_atom\): tma_backend_bound .* -> tma_resource_bound .* -> tma_mem_scheduler '

begin "of a task, with the part of its time there"
lasting 200
sim alderlake stat --verdict -- true
expect_match stderr '^ Verdict \(cpu_core, [0-9.]+ % of the time\): tma_backend_bound [0-9.]+ %$'
expect_match stderr '^ Verdict \(cpu_atom, [0-9.]+ % of the time\): tma_backend_bound [0-9.]+ %$'

begin "AMD has the thresholds of the project's own tables"
sim zen4 stat -a --topdown --td-level 2 --verdict --timeout 10000
expect_match stderr '^ Verdict: backend_bound [0-9.]+ %.* -> backend_bound_memory '

begin "without thresholds the largest part is named"
sim neoverse-n2 stat -a --verdict -I1000 --interval-count 4
expect_match stderr '^ Verdict: backend_bound [0-9.]+ %.*\(the largest loss: the tables have no thresholds\)$'

begin "a part of the tree is measured with what it is a part of"
sim sapphirerapids stat -a -M tma_l3_bound_group:u --metric-only --verdict --timeout 1000
expect_status 0
expect_match stderr '^tma_backend_bound:u '
expect_match stderr 'tma_memory_bound:u '
expect_match stderr '^ Verdict: .*tma_backend_bound:u'
expect_match stderr '^tma_retiring:u '
sim graniterapids stat -a -M tma_retiring --verdict --timeout 1000
expect_match stderr '%  tma_heavy_operations'

begin "the command to go on with has the modifier"
sim sapphirerapids stat -a -M tma_memory_bound:u --verdict --timeout 1000
expect_match stderr 'to go deeper: tma --machine sapphirerapids stat -a --timeout 1000 -M tma_memory_bound_group:u --verdict$'

begin "rows of cores have a line each"
sim alderlake stat -a --verdict --per-core -I1000 --interval-count 2
expect_match stderr '^ Verdict \(S0-D0-C0, cpu_core\): tma_backend_bound [0-9.]+ %; the same in 2 of 2 intervals$'
expect_match stderr '^ Verdict \(S0-D0-C32, cpu_atom\): '
expect_no_match stderr 'to go deeper:'
expect_equal "cores" "$(grep -c '^ Verdict' "$stderr")" \
	"$(grep -c '^ *1\.000000000' "$stderr")"

begin "so have threads, by their names"
sim sapphirerapids stat -M TopdownL1 --verdict --per-thread -p $$ --timeout 100
expect_match stderr '^ Verdict \([^ ]+-[0-9]+\): tma_backend_bound '

begin "each cgroup has one"
sim skylakex stat -a --verdict --for-each-cgroup / --timeout 1000
expect_match stderr '^ Verdict \(/\): tma_backend_bound '

begin "where nothing is certain, intervals are counted at the first level"
sim skylakex stat -a -M tma_memory_bound -I 10 --interval-count 3 --verdict
expect_match stderr '^ Verdict: not certain'
expect_match stderr 'by interval, of 3: tma_backend_bound in [1-3]'

begin "however many there are"
names=/ # and the root's directory by 40 other names
for i in $(seq 40); do
	names=$names,$(printf './%.0s' $(seq "$i"))
done
sim skylakex stat -C 0 --verdict --for-each-cgroup "$names" --timeout 1000
expect_equal "verdicts" "$(grep -c '^ Verdict ([./]*): ' "$stderr")" 41

begin "intervals are counted by what each of them says"
sim sapphirerapids stat -a --topdown --td-level 2 --verdict -I100 --interval-count 40 --format=json
expect_equal "intervals in which memory is the bottleneck" \
	"$(sed -n 's/.*"same_intervals":\([0-9]*\)}$/\1/p' "$stdout")" \
	"$(sed -n 's/.*"time":\([0-9.]*\),.*"name":"tma_\(backend\|frontend\|memory\|core\|bad\)_\(bound\|speculation\)",.*"value":\([0-9.]*\),.*/\1 \2 \4/p' \
		"$stdout" | awk '{ value[$1 " " $2] = $3; times[$1] } END {
		for (t in times) {
			b = value[t " backend"]; m = value[t " memory"]
			f = value[t " frontend"]; c = value[t " core"]
			n += b > 20 && (f <= 15 || b > f) && m > 20 && (c <= 10 || m > c)
		}
		print n }')"
expect_match stdout '"intervals":40,"same_intervals":[1-9]'

begin "rows of CSV stay what they are, and the verdict goes to standard error"
sim skylakex stat -a --topdown -I500 --interval-count 3 -x, -o "$tmp/rows"
sim skylakex stat -a --topdown --verdict -I500 --interval-count 3 -x, -o "$tmp/more"
expect_match stderr '^tma: Verdict: tma_backend_bound '
sed 1d "$tmp/rows" >"$tmp/rows.csv"
sed 1d "$tmp/more" >"$tmp/more.csv"
run cmp "$tmp/rows.csv" "$tmp/more.csv"
expect_status 0
sim sapphirerapids stat -a --verdict --timeout 500 --format=csv
expect_status 129
expect_match stderr "csv has no place for a verdict"
for format in csv-wide prom; do
	sim sapphirerapids stat -a --verdict --timeout 500 --format=$format
	expect_status 0
	expect_match stderr '^tma: Verdict: tma_backend_bound '
	expect_no_match stdout 'Verdict'
done

begin "JSON has one more object"
sim sapphirerapids stat -a --verdict --timeout 500 -j
expect_equal "last line" "$(tail -n 1 "$stderr" | cut -c1-60)" \
	'{"verdict" : {"place":"","cgroup":"","pmu":"","bottleneck":"'
sed 1d "$stderr" >"$tmp/json"
if command -v python3 >/dev/null; then
	run python3 -c 'import json, sys
for line in open(sys.argv[1]):
    json.loads(line)' "$tmp/json"
	expect_status 0
	for machine in skylakex alderlake neoverse-n2; do
		sim $machine stat -a --verdict --per-socket -I500 --interval-count 2 --format=json
		cp "$stdout" "$tmp/json"
		run python3 tests/formats/check.py json Documentation/tma-json.schema.json "$tmp/json"
		expect_status 0
	done
fi

begin "a recording has one table, with all its rows"
sim sapphirerapids stat record -o "$tmp/data" -a --topdown --td-level 2 -I500 --interval-count 6
sim sapphirerapids stat report -i "$tmp/data" --topdown --td-level 2 --verdict
expect_status 0
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ % -> tma_memory_bound [0-9.]+ %$'
expect_match stderr 'the same in [0-9]+ of 6 intervals'
sim skylakex stat record -o "$tmp/data" -a -M TopdownL1,TopdownL2,TopdownL3 -I500 --interval-count 4
sim skylakex stat report -i "$tmp/data" -M TopdownL3 --verdict
expect_match stderr '^ Verdict: tma_backend_bound [0-9.]+ % \+- [0-9.]+'
expect_match stderr 'errors are not measured: rates are assumed to vary by half from turn to turn'

begin "a replay of a run chooses the metrics that the run chose, and warns of no other"
sim skylakex stat record -o "$tmp/data" -a --topdown --verdict --timeout 500
strip='^ Performance counter stats for|to go deeper|was recorded on simulated machine'
grep -Ev "$strip" "$stderr" >"$tmp/live"
sim skylakex stat report -i "$tmp/data" --topdown --verdict
expect_no_match stderr '^Left out'
expect_equal "what is printed" "$(grep -Ev "$strip" "$stderr")" "$(cat "$tmp/live")"

begin "what makes no verdict is refused"
sim sapphirerapids stat -a -e cycles --verdict --timeout 100
expect_match stderr 'no TopDown metric is counted: add --topdown'
run "$TMA" stat --verdict -r 3 true
expect_status 129
expect_match stderr '\-r and --verdict'
run "$TMA" stat --verdict --no-scale true
expect_match stderr '\-\-no-scale and --verdict'

begin "a run that turns into another one has two phases, each with its bottleneck"
mkdir "$tmp/machines"
cp lib/sim/machines/*.part "$tmp/machines"
# Rates of the first two phases; the first phase lasts for the whole round except for 8 s.
sed -E -e 's/^phases .*/phases 1008s 9s/' -e '/^stagger/d' -e 's/^software .*//' \
	-e 's/^((let|rate) [^ ]+ [0-9.kMG]+ [0-9.kMG]+) [0-9.kMG]+ [0-9.kMG]+$/\1/' \
	lib/sim/machines/skylakex >"$tmp/machines/turns"
sim "$tmp/machines/turns" stat -a --verdict --topdown --td-level 2 -I 1000 --interval-count 17
expect_match stderr '^          2 phases:$'
expect_match stderr '^            0\.000 s to 8\.000 s: tma_backend_bound 38\.0 % -> tma_memory_bound 20\.9 %$'
expect_match stderr '^            8\.000 s to 17\.000 s: tma_backend_bound 70\.0 % -> tma_memory_bound 59\.5 %$'
expect_no_match stderr 'the same in'
sim "$tmp/machines/turns" stat -a --verdict --topdown -I 1000 --interval-count 17 --format=json
expect_match stdout '"phases":\[\{"start":0,"end":8,"intervals":8,"path":\[\{"name":"tma_backend_bound","value":38,'
expect_match stdout '\{"start":8,"end":17,"intervals":9,'

begin "a run that stays the same has no phases"
sim skylakex stat -a --verdict --topdown -I 1000 --interval-count 40
expect_match stderr 'the same in 40 of 40 intervals'
