#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Retire latencies in rows: measured, or the vendor's and then marked in every format; recorded and
# read again.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP
event=MEM_LOAD_RETIRED.L3_HIT:R
asked=
metrics="x = $event * 2, y = MEM_LOAD_RETIRED.L3_HIT / 1000"
once="-I500 --interval-count 1"

# gnr ARG ...: run tma stat on the machine that has latencies
gnr()
{
	sim graniterapids stat "$@"
}

# without_sayings FILE: print the file without the lines that are also on standard error
without_sayings()
{
	grep -v '^tma: ' "$1"
}

begin "text marks the vendor's latency, and what is made with it, and says so once" # R43
gnr -a -M "$metrics" --timeout 500
expect_status 0
expect_match stderr ' ~57\.64 cycles MEM_LOAD_RETIRED\.L3_HIT:R +# +0 samples *$'
expect_match stderr '# +~115\.28 x *$'
expect_match stderr '# +[0-9.]+ y '
expect_equal "lines about the mark" "$(grep -c '^~ ' "$stderr")" 1
expect_match stderr "^tma: $event: not measured: the vendor's latency is used; --record-tpebs"
expect_no_match stderr 'sampled, not counted'

begin "no mark is left when it is measured"
gnr -a --record-tpebs -M "$metrics" --timeout 500
expect_status 0
expect_match stderr ' [0-9]+\.[0-9]{2} cycles MEM_LOAD_RETIRED\.L3_HIT:R +# +[1-9][0-9]* samples'
expect_no_match stderr '~|not measured'

begin "CSV has one more field if a value is assumed"
gnr -a -x, -M "$metrics" $once
expect_match stderr "^0\.500000000,57\.64,cycles,$event,0,0\.00,0,samples,assumed\$"
expect_match stderr '^0\.500000000,,,,,,115\.28,x,metric assumed$'
expect_match stderr '^0\.500000000,[0-9]+,,MEM_LOAD_RETIRED\.L3_HIT,[0-9]+,[0-9.]+,[0-9.]+,y$'

begin "under a header every line has the field"
gnr -a -x, --header -M "$metrics" $once
expect_match stderr ',metric-value,metric-unit,status$'
without_sayings "$stderr" >"$tmp/csv"
expect_equal "numbers of fields" "$(awk -F, '{ print NF }' "$tmp/csv" | sort -u)" 9

begin "perf's JSON has one more key if a value is assumed"
gnr -a -j -M "$metrics" $once
expect_match stderr '"metric-unit" : "samples", "status" : "assumed", "reason" : "the vendor'
expect_match stderr '"metric-unit" : "x", "status" : "metric assumed"}$'
expect_match stderr '"metric-unit" : "y"}$'

begin "--metric-only names the columns that exist"
gnr -a -x, --metric-only -M "$metrics" $once
expect_match stderr '^time,y,x,assumed,$'
expect_match stderr '^0\.500000000,[0-9.]+,115\.28,x,$'
gnr -a -x, --metric-only --record-tpebs -M "$metrics" $once
expect_match stderr '^0\.500000000,[0-9.]+,[0-9.]+,,$'
gnr -a -j --metric-only -M "$metrics" $once
expect_match stderr '"x" : "115\.28", "assumed" : "x"}$'

begin "nothing is marked, and no column there, where no metric has a latency"
gnr -a -x, --metric-only -M 'y = MEM_LOAD_RETIRED.L3_HIT / 1000' $once
expect_match stderr '^time,y,$'
gnr -a -x, --header -e cycles $once
expect_match stderr ',metric-unit$'

begin "each place has the latency of its own samples"
gnr -a -A -x, -e $event $once
expect_equal "different latencies" \
	"$(sed -n 's/^[^,]*,CPU[0-9],\([0-9.]*\),cycles,.*,samples$/\1/p' "$stderr" | sort -u | wc -l)" 8
gnr -a --per-socket -x, -e $event $once
expect_equal "different latencies" \
	"$(sed -n 's/^[^,]*,S[01],4,\([0-9.]*\),cycles,.*,samples$/\1/p' "$stderr" | sort -u | wc -l)" 2

begin "several runs have the latency of all their samples, and its spread"
lasting 5000
gnr -a -x, -e $event --timeout 500 -r 2 true
expect_match stderr "^[0-9.]+,cycles,$event,[0-9.]+%,[0-9]+,100\.00,[0-9]+,samples\$"

begin "a CPU that does not measure it, without a table's, has none"
sim sapphirerapids stat -a -x, -M "$metrics" -e cycles $once
expect_status 0
expect_match stderr "^[0-9.]+,<not counted>,cycles,$event,0,100\.00,,\$"
expect_no_match stderr '(^|,)0\.00,x|assumed'

# recorded ARG ...: tma stat report of a recording prints what the recorded run printed
recorded()
{
	begin "reports of stat record $*"
	gnr record -o "$tmp/data" "$@"
	without_sayings "$stderr" | sed 's/ *$//' >"$tmp/printed"
	run "$TMA" stat report -i "$tmp/data" ${asked:+-M "$asked"}
	expect_status 0
	[ $test_state = ok ] || return 0
	without_sayings "$stderr" | sed -e 's/ *$//' -e 's/ \[cpu\]/      /' >"$tmp/reported"
	sed -i -e 's/ \[cpu\]/      /' "$tmp/printed"
	diff -w "$tmp/printed" "$tmp/reported" >"$tmp/diff" || fail "they differ" "$tmp/diff"
}

for mode in mean min max last p50 p95; do
	recorded -a --per-socket -I200 --interval-count 2 --tpebs-mode $mode -e $event,cycles
done
recorded -a -A -I200 --interval-count 2 -e $event,cycles
asked="x = $event * 2"
recorded -a -I200 --interval-count 2 -M "$asked" -e cycles
recorded -a -I200 --interval-count 2 -M "$asked" --record-tpebs -e cycles
asked=

begin "perf reads a recording: the latency of all CPUs since the start, rounded"
needs_perf
gnr record -o "$tmp/data" -a --timeout 500 -e $event,cycles
latency=$(sed -n "s/^ *\([0-9]*\.[0-9]*\) cycles $event.*/\1/p" "$stderr")
run "$PERF" stat report -i "$tmp/data"
expect_status 0
expect_between "latency" "$(sed -n "s/^ *\([0-9]*\) cycles $event *\$/\1/p" "$stderr")" \
	"$(awk "BEGIN { print $latency - 0.51 }")" "$(awk "BEGIN { print $latency + 0.51 }")"
for rows in -A --per-socket --per-core; do
	run "$PERF" stat report -i "$tmp/data" $rows
	expect_status 0
	expect_no_match stderr "^[^ ]* *[0-9]* +0 cycles $event"
done
run "$PERF" script -i "$tmp/data"
expect_status 0

begin "for perf a latency that was not sampled is none"
needs_perf
gnr record -o "$tmp/data" -a --timeout 500 -M "x = $event * 2" -e cycles
run "$PERF" stat report -i "$tmp/data"
expect_status 0
expect_match stderr "^ *<not (counted|supported)> cycles $event *\$"

# text ARG ...: tma stat report of a text prints this text
text()
{
	begin "reports of the text of stat $*"
	gnr -o "$tmp/text" "$@"
	run "$TMA" stat report -i "$tmp/text" "$1"
	expect_status 0
	[ $test_state = ok ] || return 0
	grep "$event" "$tmp/text" >"$tmp/printed"
	grep "$event" "$stderr" | grep -v '^tma: ' | diff "$tmp/printed" - >"$tmp/diff" ||
		fail "they differ" "$tmp/diff"
}

text -x, -a --per-socket $once -e $event,cycles
text -j -a --per-core $once -e $event,cycles
text -x, -a $once -M "$metrics" -e cycles

begin "what is explained and listed of it"
sim graniterapids explain $event
expect_status 0
expect_match stdout 'else 57\.64'
expect_match stdout '^  retire latency 57\.64 cycles on average, 0 to 5630,'
sim graniterapids explain tma_l3_hit_latency
expect_match stdout "^ *$event: a retire latency: sampled by"
sim graniterapids list --details mem_load_retired.l3_hit
expect_match stdout '\[retire latency \(:R\): 57\.64 cycles on average'
sim graniterapids list -j mem_load_retired.l3_hit
expect_match stdout '"RetireLatencyMax": "5630"'
