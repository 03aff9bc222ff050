#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --format=tree: metrics are below their parents, and folded ones are counted.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10

# tree MACHINE ARG ...: print a tree into $stderr
tree()
{
	machine=$1
	shift
	run "$TMA" --machine "$machine" stat --format=tree "$@"
	expect_status 0
}

begin "a part stands below its metric, which stands above the next one"
tree sapphirerapids -a --topdown --td-level 2 --all true
sed -n 's/^\([|` -]*\)\(tma_[a-z_]*\) .*/\1\2/p' "$stdout" >"$tmp/names"
expect_file "$tmp/names" <<'END'
tma_retiring
|-tma_heavy_operations
`-tma_light_operations
tma_frontend_bound
|-tma_fetch_bandwidth
`-tma_fetch_latency
tma_bad_speculation
|-tma_branch_mispredicts
`-tma_machine_clears
tma_backend_bound
|-tma_core_bound
`-tma_memory_bound
END
for machine in skylakex alderlake zen5 neoverse-n2; do
	tree $machine -a --topdown true
	expect_equal "first level of $machine" \
		"$(sed -n 's/^\(tma_\)\{0,1\}\([a-z]*\)[a-z_]* .*% .*/\2/p' "$stdout" | awk '!seen[$0]++' | head -n 4 | tr '\n' ' ')" \
		"retiring frontend bad backend "
done

begin "columns have headings, nodes their plain names, and a legend explains the rest"
tree sapphirerapids -a --topdown --td-level 3 true
expect_match stdout '^METRIC +VALUE UNIT +TIME +MEANING +0-100 %$'
expect_match stdout '^tma_frontend_bound .* front end '
expect_match stdout 'tma_memory_bound .* memory '
expect_match stdout '^ !        over its threshold$'
expect_match stdout '^ TIME     share of the time in which its events had counters$'
expect_match stdout '^ % slots  share of the operations that the pipeline could begin$'
expect_match stdout '^ % stalls share of the cycles in which the core was stalled$'

begin "values, marks and bars are those of JSON"
run "$TMA" --machine sapphirerapids stat --format=json --command-output=null --no-metric-only -a --topdown --td-level 2 --verdict true
cp "$stdout" "$tmp/json"
tree sapphirerapids -a --topdown --td-level 2 --all true
bar=$(awk '/^METRIC/ { print 101 - index($0, "0-100 %") }' "$stdout")
python3 - "$tmp/json" "$bar" <<'END' >"$tmp/wanted"
import json, sys
bar = int(sys.argv[2])
for line in open(sys.argv[1]):
    cell = json.loads(line) if line.startswith('{') else {}
    if cell.get("type") == "metric":
        print(cell["name"], "%.1f" % cell["value"], "!" if cell["threshold_passed"] else "-",
              round(cell["value"] / 100 * bar))
END
sed -n 's/^[|` -]*\(tma_[a-z_]* .*\)/\1/p' "$stdout" |
	awk '{ print $1, $2, $5 == "!" ? "!" : "-", $NF ~ /^#+$/ ? length($NF) : 0 }' | sort >"$tmp/got"
sort "$tmp/wanted" | diff - "$tmp/got" >"$tmp/diff" || fail "values differ" "$tmp/diff"
expect_equal "metrics" "$(wc -l <"$tmp/got")" 12

# Children that are not shown belong to metrics under their thresholds, and their number is printed.
begin "folded nodes are counted in a line, and --all shows them"
TMA_SIM_STEP=1000
tree sapphirerapids -a --topdown --td-level 4 --all true
expect_no_match stdout '\(\+'
all=$(grep -c 'tma_.* %' "$stdout")
tree sapphirerapids -a --topdown --td-level 4 true
shown=$(grep -c 'tma_.* %' "$stdout")
folded=$(sed -n 's/^[^(]*tma_[^(]*(+\([0-9]*\)).*/\1/p' "$stdout" | awk '{ sum += $1 } END { print sum + 0 }')
[ "$shown" -lt "$all" ] || fail "nothing is folded"
expect_equal "shown and folded" $((shown + folded)) "$all"
expect_match stdout '^ \(\+N\)     hidden children of a node under its threshold'

TMA_SIM_STEP=10
begin "-M asks only for metrics, -e also for events"
tree sapphirerapids -M tma_l3_miss_bound,tma_info_thread_ipc true
expect_no_match stdout 'INST_RETIRED'
expect_match stdout '^tma_l3_miss_bound +[0-9.]+ %'
expect_match stdout '^tma_info_thread_ipc +[0-9.]+$'
tree sapphirerapids -e instructions,page-faults -M TopdownL1 true
expect_match stdout '^instructions +[0-9]+$'
expect_match stdout '^page-faults +[0-9]+$'
expect_match stdout '^tma_retiring +[0-9.]+ %'

begin "each core type has a tree"
tree alderlake -a --topdown true
expect_match stdout '^cpu_core$'
expect_match stdout '^cpu_atom$'
expect_equal "trees" "$(grep -c ^tma_retiring "$stdout")" 2
tree alderlake --topdown true
expect_match stdout '^cpu_core  [0-9.]+ % of the time$'
expect_match stdout '^tma_retiring +<not counted>: the task did not run'
expect_match stdout '^tma_bad_speculation +<not counted>$'

begin "rows have headings with their time and place"
tree skylakex -a --topdown --per-socket -I 20 --interval-count 2
expect_equal "rows" "$(grep -c '^# 0\.0[24]0* s  S[01]  [0-9]* CPUs$' "$stdout")" 4
tree zen4 -a --topdown -A -C 0,1 true
expect_equal "rows" "$(grep -c '^CPU[01]$' "$stdout")" 2

begin "a line without a value says why"
tree neoverse-n2 -e cycles:D -e "$(for i in 1 2 3 4 5 6; do printf 'l%sd_cache:D,' 1; done)br_pred:D" true
expect_match stdout '^br_pred:D +<busy>: it is pinned, and other users hold the counters$'

begin "UTF-8 where the locale has it"
run env LC_ALL=C.UTF-8 "$TMA" --machine sapphirerapids stat --format=tree -a --topdown --td-level 2 --all true
expect_status 0
expect_match stdout '^├ tma_core_bound'
expect_match stdout '^└ tma_memory_bound .*█'

begin "--color"
for when in always auto never; do
	tree sapphirerapids --color $when -a --topdown true
	if [ $when = always ]; then
		expect_match stdout "$(printf '\033')\\[3[12]m"
	else
		expect_no_match stdout "$(printf '\033')"
	fi
done
run "$TMA" stat --color sometimes -e page-faults true
expect_status 129
expect_match stderr "'sometimes'; use auto, always or never"

# script(1) gives a program a terminal.
begin "a terminal that is too narrow for a table has a tree, and so has a file where it is hundreds of columns wide"
needs_command script bsdutils
on_terminal()
{
	columns=$1
	shift
	script -qec "stty cols $columns; $*" /dev/null </dev/null >"$tmp/screen" 2>&1 || fail "script failed" "$tmp/screen"
}
topdown="$TMA --machine sapphirerapids stat -a --topdown"
on_terminal 60 "$topdown true"
expect_match "$tmp/screen" 'tma_retiring +[0-9.]+ %'
expect_no_match "$tmp/screen" '%  tma_retiring'
on_terminal 200 "$topdown true"
expect_match "$tmp/screen" '%  tma_retiring'
on_terminal 60 "$topdown --format=text true"
expect_match "$tmp/screen" '%  tma_retiring'
on_terminal 60 "$topdown -o $tmp/file true"
expect_match "$tmp/file" '%  tma_retiring'
on_terminal 100 "$topdown -I20 --interval-count 2"
expect_match "$tmp/screen" '^# +time +%  tma_retiring %  tma_backend_bound'
TMA_SIM_STEP=1000
for level in 3 max; do
	sim sapphirerapids stat -a --topdown --td-level $level true
	expect_match stderr '^tma_retiring .*% slots'
	sed '/^tma: /d' "$stderr" >"$tmp/rows"
	expect_no_match "$tmp/rows" '.{101}'
done
TMA_SIM_STEP=10
for columns in 40 60 100 300; do
	on_terminal $columns "$topdown --td-level 2 --all --format=tree true"
	most=$(tr -d '\r' <"$tmp/screen" | sed 's/\x1b\[[0-9;]*m//g' | awk '/tma_[a-z_]+ / { if (length > most) most = length } END { print most + 0 }')
	expect_between "columns of $columns" "$most" 36 "$columns"
done

begin "a terminal that is resized has the next row in its new width"
cat >"$tmp/resize" <<END
# rows N: the tree has N more rows
rows()
{
	wanted=\$((\$(grep -a -c tma_retiring "$tmp/screen") + \$1))
	until [ "\$(grep -a -c tma_retiring "$tmp/screen")" -ge \$wanted ]; do
		sleep 0.1
	done
}
rows 1
stty cols 40 </dev/tty
rows 2
END
on_terminal 200 "env -u TMA_SIM_STEP $topdown --format=tree --all -I 200 sh $tmp/resize"
# Only wide rows have room for a bar; the bar may have any length.
grep -a 'tma_retiring' "$tmp/screen" >"$tmp/rows"
grep -q '#' "$tmp/rows" || fail "no row is wide" "$tmp/screen"
expect_equal "bars in the last row" "$(tail -n 1 "$tmp/rows" | grep -c '#')" 0
