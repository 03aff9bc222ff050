#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --passes: the command runs once for each set of groups that the counters hold at the same time,
# and one table shows all runs.
. "$(dirname "$0")/../cli/lib.sh"

many=TopdownL3
runs=$tmp/runs

cat >"$tmp/command" <<EOF
#!/bin/sh
# command [STATUS RUN]: make a command that counts its runs, and exits with STATUS in run RUN
echo run >>'$runs'
[ "\$(wc -l <'$runs')" != "\${2-0}" ] || exit "\$1"
EOF
chmod +x "$tmp/command"

# passes ARG ...: run tma stat --passes on stepped time, so that each run is the same
passes()
{
	rm -f "$runs"
	TMA_SIM_STEP=10
	export TMA_SIM_STEP
	sim icelakex stat --passes "$@"
	unset TMA_SIM_STEP
}

# said: print how many runs of the command tma has announced
said()
{
	sed -n 's/.*the command will run \([0-9]*\) times.*/\1/p' "$stderr"
}

begin "each group is counted all the time, in a run of its own"
passes -M "$many" --format=json -o "$tmp/json" "$tmp/command"
expect_status 0
expect_between "runs said" "$(said)" 2 20
[ $test_state != ok ] || [ "$(wc -l <"$runs")" = "$(said)" ] || fail "not as many runs as said" "$runs"
expect_match "$tmp/json" '"name":"tma_l3_miss_bound"'
expect_no_match "$tmp/json" '"status":"(scaled|not counted)"'
expect_no_match "$tmp/json" '"running_percent":[1-9]?[0-9][.,]'

begin "nothing is said of turns, as there are none"
passes --topdown --td-level 2 -o "$tmp/text" "$tmp/command"
expect_match stderr 'the command will run [2-9] times'
expect_no_match stderr 'turns'

begin "before the command runs, a message says how often"
cat >"$tmp/loud" <<'EOF'
#!/bin/sh
echo here I run >&2
EOF
chmod +x "$tmp/loud"
passes -M "$many" -o "$tmp/text" "$tmp/loud"
expect_status 0
[ $test_state != ok ] || [ "$(grep -n 'will run' "$stderr" | cut -d: -f1)" -lt \
	"$(grep -n 'here I run' "$stderr" | head -1 | cut -d: -f1)" ] || fail "said too late" "$stderr"

begin "a metric whose events lie in several passes is marked"
passes -M "$many" --format=json -o "$tmp/json" "$tmp/command"
expect_match "$tmp/json" 'its events were counted in several runs of the command'
passes -M "$many" -o "$tmp/text" "$tmp/command"
expect_match "$tmp/text" '^From events of several passes: .*tma_'

begin "the values are those of a run in which everything fits"
# A machine that repeats every 10 ms. Events that otherwise take turns are counted all the time
# here.
lasting 30
metric=tma_fetch_latency
passes -M "$metric" --format=json -o "$tmp/one" true
passes -M "$metric,$many" --format=json -o "$tmp/all" true
for file in one all; do
	sed -n "s/.*\"name\":\"$metric\".*\"value\":\([0-9.]*\).*/\1/p" "$tmp/$file" >"$tmp/$file.value"
done
[ $test_state != ok ] || [ -s "$tmp/one.value" ] || fail "no value" "$tmp/one"
[ $test_state != ok ] || awk 'NR == FNR { one = $1; next } { d = $1 / one - 1; exit (d < -0.02 || d > 0.02) }' \
	"$tmp/one.value" "$tmp/all.value" || fail "another value" "$tmp/all.value"

begin "what fits is run once"
passes -e cycles,instructions -x, "$tmp/command"
expect_status 0
expect_lines "$runs" 1
expect_match stderr 'one pass is enough'

begin "-r: each pass has this many runs"
passes -M TopdownL2 -r 3 -x, "$tmp/command"
expect_status 0
[ $test_state != ok ] || [ "$(wc -l <"$runs")" = "$(said)" ] || fail "not as many runs as said" "$runs"
[ $test_state != ok ] || [ $(($(said) % 3)) = 0 ] || fail "not three of each" "$stderr"

begin "--table: the length of each pass"
passes -M "$many" --table -o "$tmp/text" "$tmp/command"
expect_status 0
expect_match "$tmp/text" 'Table of individual measurements'
[ $test_state != ok ] || [ "$(grep -c ' ([+-][0-9.]*) #' "$tmp/text")" = "$(said)" ] ||
	fail "not a line for each pass" "$tmp/text"

begin "--timeout ends each run, and one table is printed"
run "$TMA" --machine skylakex stat --passes --timeout 20 --topdown --td-level 3 --no-metric-only -x, -o "$tmp/rows" sleep 10
expect_status 0
[ $test_state != ok ] || {
	grep -c , "$tmp/rows" >"$tmp/lines"
	run "$TMA" --machine skylakex stat --passes --topdown --td-level 3 --no-metric-only -x, -o "$tmp/whole" sleep 0.02
	expect_equal "lines" "$(cat "$tmp/lines")" "$(grep -c , "$tmp/whole")"
}

begin "the first status that is not 0 ends the passes"
passes -M "$many" --format=json -o "$tmp/json" "$tmp/command" 7 2
expect_status 7
expect_lines "$runs" 2
expect_match "$tmp/json" '"status":"counted"'
expect_match "$tmp/json" 'the command failed before the pass in which it is counted'

begin "a command that differs between runs is reported"
cat >"$tmp/vary" <<EOF
#!/bin/sh
echo run >>'$runs'
[ "\$(wc -l <'$runs')" = 3 ] || exit 0
i=0
while [ \$i -lt 200000 ]; do i=\$((i + 1)); done
EOF
chmod +x "$tmp/vary"
rm -f "$runs"
sim icelakex stat --passes -M "$many" -o "$tmp/text" "$tmp/vary"
expect_status 0
expect_match stderr ' % larger in pass 3 than in pass .*the command does not repeat the same work'

begin "a command on all CPUs"
passes -a -A -M TopdownL2 --format=json -o "$tmp/json" "$tmp/command"
expect_status 0
expect_no_match "$tmp/json" '"status":"(scaled|not counted)"'
[ $test_state != ok ] || [ "$(wc -l <"$runs")" = "$(said)" ] || fail "not as many runs as said" "$runs"

begin "--dry-run prints the passes, and runs nothing"
passes --dry-run -M "$many" "$tmp/command"
expect_status 0
[ ! -e "$runs" ] || fail "the command ran"
expect_match stderr '^tma: set 2: '

begin "hybrid: a pass has groups of both core types"
sim alderlake stat --passes -M TopdownL2 -a -o "$tmp/text" sleep 0.05
expect_status 0
expect_match "$tmp/text" 'cpu_core'
expect_match "$tmp/text" 'cpu_atom'
expect_no_match "$tmp/text" '[(][0-9.]+%[)]'

# refused PATTERN ARG ...: --passes with these options is refused, and a message matches PATTERN
refused()
{
	pattern=$1
	shift
	begin "refused: --passes $*"
	passes "$@"
	expect_status 129
	expect_match stderr "$pattern"
}

refused 'name one after the options' -a -e cycles
refused 'sleep 10' -e cycles
refused 'schedule=rotate' -p 1 -e cycles true
refused 'same interval of two runs' -I 100 -e cycles true
refused 'cannot be combined' --schedule=rotate -e cycles true
begin "refused: a recording"
sim icelakex stat record --passes -o "$tmp/data" -e cycles true
expect_status 129
expect_match stderr 'a recording holds a single run'

begin "a pass whose counter cannot be read is the last one, and its rows are printed"
export TMA_SIM_FAULT='read#2=EIO'
for runs in "" "-r 2"; do
	run "$TMA" --machine sapphirerapids stat --passes --topdown --td-level 4 --format=csv-wide \
		-o "$tmp/wide" $runs -- true
	expect_status 125
	expect_match "$tmp/wide" '^[0-9.]+,[0-9.]+,(run|mean),lost,'
done
unset TMA_SIM_FAULT

begin "each pass is as long as --timeout says, and there is one table"
lasting 5000
run env TMA_SIM_STEP=10 "$TMA" --machine sapphirerapids stat --passes --timeout 20 --topdown --td-level 3 true
expect_status 0
expect_equal "tables" "$(grep -c 'seconds time elapsed' "$stderr")" 1
expect_match stderr '^ +0\.020000000 seconds time elapsed$'
