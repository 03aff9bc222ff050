#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Groups that the kernel accepts but never schedules, because of the workaround for Haswell's
# erratum: groups with events 0xd0 to 0xd3 have two of four general counters.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)

# starving MACHINE PMU: print the machine with the erratum in this PMU
starving()
{
	awk -v dir="$machines/" -v pmu="$2" '
		/^pmu / { here = $2 == pmu }
		here && /^end/ { print "starved 0-1 event=0xd0-0xd3"; here = 0 }
		/^include / { sub("include ", "include " dir) }
		{ print }' "$machines/$1"
}

starving skylakex cpu >"$tmp/machine"

# All events of the second group are counted, and the rates below are compared with their rates.
d0='cpu/event=0xd0,umask=0x81/' d1='cpu/event=0xd1,umask=0x1/'
d2='cpu/event=0xd2,umask=0x1/' c4='cpu/event=0xc4/'
group="{$d0,$d1,$d2,$c4}"
other='{cpu/event=0xc5/,cpu/event=0x24,umask=0x21/}'
told='^tma: the kernel accepted [{]cpu.*0xd0.*0xc4/[}] but never scheduled it, though its turn had come: it is taken apart, and its events are counted one by one from here on$'

# counted MACHINE ARG ...: run tma stat with "-o $tmp/json", and leave only the rows there
counted()
{
	sim "$@"
	[ $test_state != ok ] || sed -i '/"type":"run"/d' "$tmp/json"
}

# values KEY NAME: print this key of each line about an event
values()
{
	sed -n "s|.*\"name\":\"$2\".*\"$1\":\([0-9]*\).*|\1|p" "$tmp/json"
}

begin "on CPUs a starving group is found within a second, reported once, and counted from then on" # R48
counted "$tmp/machine" stat -a --format=json -o "$tmp/json" -I 100 --interval-count 8 -e "$group:W,$other"
expect_status 0
expect_match stderr "$told"
expect_equal "lines about it" "$(grep -c 'the kernel accepted' "$stderr")" 1
expect_match "$tmp/json" '"time":0\.[12]00000000,.*0xd0.*"status":"not counted","reason":"the kernel accepted its group but never scheduled it'
grep -v '"time":0\.[12]00000000' "$tmp/json" >"$tmp/later"
expect_all_match "$tmp/later" '"status":"scaled"'
expect_lines "$tmp/later" 36

# Reference: the same events, never in one group.
begin "the split group has the true counts, and the other group has lost nothing"
counted "$tmp/machine" stat -a --format=json -o "$tmp/json" --timeout 8000 -e "$group:W,$other"
for name in "$d0" "$d1" "$d2" "$c4" cpu/event=0xc5/; do
	values value "$name"
done >"$tmp/apart"
counted skylakex stat -a --format=json -o "$tmp/json" --timeout 8000 -e "$d0,$d1,$d2,$c4,cpu/event=0xc5/"
for name in "$d0" "$d1" "$d2" "$c4" cpu/event=0xc5/; do
	values value "$name"
done >"$tmp/alone"
expect_lines "$tmp/apart" 5
paste "$tmp/apart" "$tmp/alone" | awk '{ d = $1 / $2 - 1; if (d < -0.05 || d > 0.05) print }' >"$tmp/off"
[ $test_state != ok ] || [ ! -s "$tmp/off" ] || fail "counts that are off by more than 5 %" "$tmp/off"

begin "a starving group is found in a run without rows of intervals, too"
sim "$tmp/machine" stat -a -x, --timeout 2000 -e "$group:W,$other"
expect_match stderr "$told"
expect_no_match stderr '<not counted>'

begin "the only group of a PMU is found"
sim "$tmp/machine" stat -a -x, --timeout 2000 -e "$group:W"
expect_match stderr "$told"
expect_no_match stderr '<not counted>'

begin "events in braces stay together and are not counted; every format has the reason"
for format in json csv-wide prom; do
	sim "$tmp/machine" stat -a --format=$format -o "$tmp/out" --timeout 1000 -e "$group,$other"
	expect_match stderr '^tma: the kernel accepted [{].*[}] but never scheduled it, .*: it is not counted [(]without braces, or in [{]\.\.\.[}]:W'
	expect_match "$tmp/out" 'the kernel accepted its group but never scheduled it'
done
sim "$tmp/machine" stat -a -j -o "$tmp/out" --timeout 1000 -e "$group,$other"
expect_match "$tmp/out" '<not counted>.*"reason" : "the kernel accepted its group but never'

begin "a run that ends before the split has the reason, too"
counted "$tmp/machine" stat -a --format=json -o "$tmp/json" --timeout 60 -e "$group:W,$other"
expect_match stderr 'it is not counted$'
expect_match "$tmp/json" '0xd0.*"status":"not counted","reason":"the kernel accepted its group but never scheduled it'

begin "a later run of -r begins with the group apart"
lasting 400
sim "$tmp/machine" stat -a -r 3 -x, -e "$group:W,$other" true
expect_equal "lines about it" "$(grep -c 'the kernel accepted' "$stderr")" 1
expect_no_match stderr '<not counted>'

begin "metrics of a group that came apart no longer count as counted together"
metrics="x = cpu@event\\=0xd0\\,umask\\=0x81@ + cpu@event\\=0xd1\\,umask\\=0x1@ + cpu@event\\=0xd2\\,umask\\=0x1@ + cpu@event\\=0xc4@"
counted "$tmp/machine" stat -a --error --format=json -o "$tmp/json" --timeout 3000 -M "$metrics" -e "$other"
expect_status 0
expect_match stderr 'it is taken apart'
expect_match "$tmp/json" '"name":"x".*"status":"scaled"'

begin "all events of a command without children are counted"
echo 'i=0; while [ $i -lt 3000000 ]; do i=$((i+1)); done' >"$tmp/loop"
TMA_SIM_STEP=10
export TMA_SIM_STEP
lasting 60000
counted "$tmp/machine" stat --format=json -o "$tmp/json" -e "$group:W,$other" --timeout 3000 sleep 1000
unset TMA_SIM_STEP
expect_match stderr "$told"
expect_all_match "$tmp/json" '"status":"scaled"'

begin "the first event of a command that had children is not counted, as they may have children"
echo "env true; . $tmp/loop" >"$tmp/after_child"
counted "$tmp/machine" stat --format=json -o "$tmp/json" -e "$group:W,$other" sh "$tmp/after_child"
expect_match stderr "$told"
expect_all_match "$tmp/json" '0xd0.*"not counted".*in children that the task already had|0x(d[12]|c[45]|24).*"scaled"'

begin "the first event is counted if children are not (--no-inherit)"
counted "$tmp/machine" stat --no-inherit --format=json -o "$tmp/json" -e "$group:W,$other" sh -c "i=0; sleep 2 & . $tmp/loop; kill \$!"
expect_match stderr "$told"
expect_all_match "$tmp/json" '"status":"scaled"'
TMA_SIM_STEP=10
export TMA_SIM_STEP

begin "the first event of a task with children cannot be opened again: it has the reason"
sh -c "sleep 1000 & echo \$! >$tmp/child.new; mv $tmp/child.new $tmp/child; wait" &
parent=$!
until_found . "$tmp/child" $parent
counted "$tmp/machine" stat --format=json -o "$tmp/json" -e "$group:W,$other" --timeout 1500 -p $parent
kill "$(cat "$tmp/child")"
expect_match stderr "$told"
expect_all_match "$tmp/json" '0xd0.*"not counted".*in children that the task already had|0x(d[12]|c[45]|24).*"scaled"'

begin "slots and its metric events stay a group, and other events leave the group"
starving sapphirerapids cpu >"$tmp/with_slots"
topdown='{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound'
counted "$tmp/with_slots" stat -a --format=json -o "$tmp/json" -I 100 --interval-count 9 \
	-e "$topdown,$d0,$d1,$d2}:W,$other"
expect_match stderr '^tma: the kernel accepted [{]slots,.*it is taken apart'
sed -i '/"time":0\.[1-4]00000000/d' "$tmp/json"
expect_all_match "$tmp/json" '"status":"(scaled|counted)"'
expect_lines "$tmp/json" 50

begin "on a hybrid machine, E-cores without the task do not count as starving"
starving alderlake cpu_core >"$tmp/hybrid"
hybrid=$(echo "$group" | sed 's/cpu\//cpu_core\//g'),$(echo "$other" | sed 's/cpu\//cpu_core\//g')
sim "$tmp/hybrid" stat -a -x, --timeout 2000 -e "{cpu_atom/event=0xd0,umask=0x81/,cpu_atom/event=0xc4/},$(echo "$hybrid" | sed 's/0xc4\/}/0xc4\/}:W/')"
expect_match stderr '^tma: the kernel accepted [{]cpu_core.*[}] but never'
expect_no_match stderr '<not counted>'
expect_no_match stderr 'the kernel accepted.*cpu_atom'

begin "--grouping=perf leaves groups as they are"
sim "$tmp/machine" stat -a --grouping=perf -x, --timeout 1000 -e "$group:W,$other"
expect_no_match stderr 'the kernel accepted'
expect_match stderr '<not counted>'

begin "a recording has the counts, the groups and the reasons"
sim "$tmp/machine" stat record -o "$tmp/perf.data" -I 100 --interval-count 4 -a -e "$group:W,$other"
run "$TMA" stat report -i "$tmp/perf.data" --format=json -o "$tmp/json"
expect_status 0
expect_match "$tmp/json" '"time":0\.[12].*0xd0.*"not counted","reason":"the kernel accepted its group but never'
expect_match "$tmp/json" '"time":0\.4.*0xd0.*"scaled"'

begin "machines without the erratum have no note"
sim skylakex stat -a -M TopdownL3 --timeout 2000
expect_no_match stderr 'never scheduled'
close_test
