#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Retire latencies, sampled by tma itself: the machine's own, in every kind of row.
. "$(dirname "$0")/../fault/lib.sh"

machines=$(dirname "$TMA")/machines
[ -e "$machines/graniterapids" ] || machines=$BUILD/machines
event=MEM_LOAD_RETIRED.L3_HIT:R
code=FRONTEND_RETIRED.L2_MISS:R

# Phases are as long as a row of -I 500, and the same on all CPUs, so each row has one latency.
cp -L "$machines"/* "$tmp" || exit 1
sed '/^stagger/d; /^load/d; s/^phases .*/phases 500ms 500ms 500ms 500ms/' "$machines/graniterapids" >"$tmp/steady"

# truth TERMS: print the latencies of an event in the machine's phases, from its file
truth()
{
	awk -v terms="$1" '
		$1 == "let" { for (i = 3; i <= 6; i++) let[$2, i] = $i }
		$1 == "latency" && $2 == terms {
			split($3, part, "*")
			for (i = 3; i <= 6; i++)
				print part[1] * let[part[2], i]
			exit
		}' "$tmp/redwoodcove-latency.part" >"$tmp/truth"
	[ "$(wc -l <"$tmp/truth")" = 4 ] || fail "the machine has no latency for $1" "$tmp/truth"
}

# values EVENT FIELD FILE: print this field of each line of CSV about an event
values()
{
	grep -F ",$1," "$3" | cut -d, -f"$2"
}

# expect_close FILE FILE: both files have the same numbers within 1 %; the second one is repeated
# from its start when it ends
expect_close()
{
	[ $test_state = ok ] || return 0
	awk -v truth="$2" '
		BEGIN { while ((getline line < truth) > 0) want[nr++] = line }
		{ n++; t = want[(NR - 1) % nr]; d = $1 - t; if (d < 0) d = -d
		  if (d > t / 100) { print "row " NR ": " $1 " is not " t; bad = 1 } }
		END { if (!n) { print "no rows"; bad = 1 } exit bad }' "$1" >"$tmp/why" ||
		fail "latencies are not the machine's" "$tmp/why"
}

begin "latencies of metrics follow the machine, row by row"
tma_on "$tmp/steady" -a -M tma_l3_hit_latency,tma_code_l2_miss --record-tpebs -x, -I 500 \
	--interval-count 6
expect_status 0
truth event=0xd1,umask=0x04
values "$event" 2 "$stderr" >"$tmp/values"
expect_equal rows "$(wc -l <"$tmp/values")" 6
expect_close "$tmp/values" "$tmp/truth"
truth event=0xc6,umask=0x03,frontend=0x13
values "$code" 2 "$stderr" >"$tmp/values"
expect_equal rows "$(wc -l <"$tmp/values")" 6
expect_close "$tmp/values" "$tmp/truth"
expect_no_match stderr assumed
expect_equal "metrics" "$(grep -c 'tma_l3_hit_latency$' "$stderr")" 6

begin "without the option the tables' are assumed, and nothing is sampled"
tma_on "$tmp/steady" -a -M tma_l3_hit_latency -x, -I 500 --interval-count 2
expect_status 0
expect_match stderr 'tma_l3_hit_latency,metric assumed'
expect_equal "values" "$(values "$event" 2 "$stderr" | sort -u | wc -l)" 1

begin "an event of the user's own needs no option"
tma_on "$tmp/steady" -a -e "$event" -x, -I 500 --interval-count 8
truth event=0xd1,umask=0x04
values "$event" 2 "$stderr" >"$tmp/values"
expect_equal rows "$(wc -l <"$tmp/values")" 8
expect_close "$tmp/values" "$tmp/truth"

begin "no process is started for it"
needs_strace
# A leak check does not work under a tracer.
run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" TMA_SIM_STEP=10 strace -f -o "$tmp/trace" \
	-e trace=execve,clone,clone3,fork,vfork "$TMA" --machine "$tmp/steady" stat -a -M tma_l3_hit_latency --record-tpebs -I 500 --interval-count 2
expect_status 0
expect_equal "processes made" "$(grep -cE 'clone|fork' "$tmp/trace")" 0

# per_unit FIELD ARG ...: in rows of units, each row has the latency of the first phase
per_unit()
{
	at=$1
	shift
	tma_on "$tmp/steady" -x, -e "$event" -I 500 --interval-count 1 "$@"
	expect_status 0
	truth event=0xd1,umask=0x04
	sed -n 1p "$tmp/truth" >"$tmp/first"
	values "$event" "$at" "$stderr" >"$tmp/values"
	expect_close "$tmp/values" "$tmp/first"
}

begin "each CPU has its own"
tma_on "$tmp/steady" -x, -e "$event" -I 500 --interval-count 1 -a -A
expect_equal "CPUs" "$(grep -c 'CPU[0-7],' "$stderr")" 8
cut -d, -f3 "$stderr" >"$tmp/values"
truth event=0xd1,umask=0x04
sed -n 1p "$tmp/truth" >"$tmp/first"
expect_close "$tmp/values" "$tmp/first"

begin "chosen CPUs"
per_unit 2 -C 1,6
begin "cores"
per_unit 4 -a --per-core
expect_lines stderr 4
begin "a running process"
per_unit 2 -p $$
begin "threads"
per_unit 3 --per-thread -p $$
begin "all threads there are"
per_unit 3 --per-thread -a
expect_no_match stderr 'lost'

begin "a CPU whose latencies differ has other values"
sed 's/^phases .*/&\nstagger 500ms/' "$tmp/steady" >"$tmp/staggered"
tma_on "$tmp/staggered" -x, -e "$event" -I 500 --interval-count 1 -C 0-3 -A
cut -d, -f3 "$stderr" | sort -n >"$tmp/values"
truth event=0xd1,umask=0x04
sort -n "$tmp/truth" >"$tmp/sorted"
expect_close "$tmp/values" "$tmp/sorted"

begin "a command, and several runs of it"
lasting 300
tma_on "$tmp/steady" -x, -e "$event" true
expect_status 0
truth event=0xd1,umask=0x04
sed -n 1p "$tmp/truth" >"$tmp/first"
values "$event" 1 "$stderr" >"$tmp/values"
lasting 300,100,100
tma_on "$tmp/steady" -x, -r 3 -e "$event" true
expect_status 0
values "$event" 1 "$stderr" >>"$tmp/values"
expect_equal rows "$(wc -l <"$tmp/values")" 2
expect_close "$tmp/values" "$tmp/first"

begin "in a group the others are counted, and it is sampled"
tma_on graniterapids -x, -a -e "{cycles,$event,instructions}" --timeout 500
expect_status 0
expect_match stderr "^[0-9.]+,cycles,$event,.*,samples"
expect_match stderr '^[0-9]+,,instructions,'

begin "the same event twice"
tma_on graniterapids -x, -a -e "$event,$event" --timeout 500
expect_status 0
expect_equal "values" "$(grep -c ',samples$' "$stderr")" 2

begin "the kernel's instructions alone"
tma_on graniterapids -x, -a -e "${event}k" --timeout 500
expect_status 0
expect_match stderr ',samples$'

begin "modes have other values"
for mode in min p50 p95 max; do
	tma_on graniterapids -x, -a -e "$event" --tpebs-mode $mode --timeout 500
	cut -d, -f1 "$stderr"
done >"$tmp/values"
expect_equal "in order" "$(sort -nu "$tmp/values")" "$(cat "$tmp/values")"
expect_equal "different ones" "$(wc -l <"$tmp/values")" 4

begin "a period, and a frequency"
tma_on graniterapids -x, -C 0 -e "$event" --tpebs-frequency 100 --timeout 5000
expect_status 0
expect_equal "some 500 samples" "$(values "$event" 6 "$stderr" | grep -cE '^(4[5-9]|5[0-5])[0-9]$')" 1
tma_on graniterapids -x, -C 0 -e "$event,MEM_LOAD_RETIRED.L3_HIT" --tpebs-period 1000 --timeout 5000
expect_equal "samples for each 1000" "$(awk -F, '/:R/ { samples = $6 }
	/L3_HIT,/ { count = $1 }
	END { d = samples - count / 1000; print (d * d <= 100) }' "$stderr")" 1

for wrong in '0 frequency:--tpebs-frequency=0:0 is not between 1 and' \
	'0 period:--tpebs-period=0:0 is not between 1 and' \
	'no number:--tpebs-period=x:is not a number' \
	'another mode:--tpebs-mode=median:use mean, min, max, last, p50 or p95' \
	'two rates:--tpebs-period=5 --tpebs-frequency=5:cannot be combined' \
	'too often:--tpebs-frequency=500000:max_sample_rate allows 100000'; do
	begin "refused: ${wrong%%:*}"
	options=${wrong#*:}
	# shellcheck disable=SC2086 # two options
	tma_on graniterapids -a -e "$event" ${options%%:*} true
	expect_match stderr "${wrong##*:}"
	[ "$status" != 0 ] || fail "the status is 0"
done

begin "a latency of no instruction is an error with its place"
tma_on graniterapids -a -e cycles,cpu-clock:R true
expect_status 125
expect_match stderr '^event syntax error: .cycles,cpu-clock:R'
expect_match stderr 'a latency \(R\) needs an event of the core PMU'
tma_on graniterapids -a -e uncore_cha/event=1/R true
expect_status 125
expect_match stderr 'a latency .R. needs'
tma_on graniterapids -a -e cycles:RR true
expect_status 125
expect_match stderr 'is given twice'
tma_on graniterapids -a -e cycles:R:k true
expect_status 125
expect_match stderr "write all modifiers after one ':'"

begin "a CPU that measures none is told from one that does"
tma_on sapphirerapids -a -e cycles --record-tpebs true
expect_status 125
expect_match stderr 'does not measure retire latencies'
expect_match stderr 'Granite Rapids'
tma_on zen4 -a -e cycles --record-tpebs true
expect_status 125

# Tables of newer kernels have latencies in the files of events; perf reads them, rounded, from
# Linux 6.19 on.
begin "a folder of tables gives the latencies of its events: the mean, or what the mode asks for"
mkdir "$tmp/tables"
cat >"$tmp/tables/pipeline.json" <<-'END'
	[ { "EventName": "MY.EVENT", "EventCode": "0xd1", "UMask": "0x04", "Counter": "0,1,2,3", "SampleAfterValue": "1000",
	    "RetirementLatencyMin": "2.00", "RetirementLatencyMean": "30.60", "RetirementLatencyMax": "700.00" },
	  { "MetricName": "my_latency", "MetricExpr": "MY.EVENT:R", "MetricGroup": "g" } ]
END
for mode in mean:30.60 last:30.60 p95:30.60 min:2.00 max:700.00; do
	run "$TMA" --machine graniterapids stat --tables "$tmp/tables" -a -M my_latency --metric-only --tpebs-mode "${mode%:*}" \
		--timeout 100
	expect_status 0
	expect_match stderr " ~${mode#*:} *\$"
done

# perf's own test looks for these lines; a line of the "perf record" that perf starts is left out.
begin "called perf, it is as perf is, whatever the CPU"
ln -s "$(cd "$(dirname "$TMA")" && pwd)/${TMA##*/}" "$tmp/perf"
for machine in graniterapids sapphirerapids zen4; do
	for options in '' '--record-tpebs -a'; do
		# shellcheck disable=SC2086 # two options
		run env LD_PRELOAD="$sim_library" TMA_MACHINE=$machine TMA_SIM_STEP=10 \
			"$tmp/perf" stat -e cache-misses:R $options sleep 0.01
		expect_status 0
		expect_match stderr cache-misses:R
	done
done

begin "nothing to sample is told"
tma_on graniterapids -a -e cycles --record-tpebs true
expect_status 0
expect_match stderr 'no retire latency'
tma_on graniterapids -a -e cycles --tpebs-frequency 5 true
expect_match stderr 'nothing is sampled'

fault='lost=9'
begin "lost samples are reported, with their sum at the end" # R43
tma_on "$tmp/steady" -a -x, -e "$event" -I 500 --interval-count 3
expect_status 0
expect_equal "told" "$(grep -c 'are being lost' "$stderr")" 1
expect_match stderr '^tma: [0-9]+ of [0-9]+ samples of retire latencies were lost'
expect_equal "one in nine" "$(awk '/were lost$/ { r = $2 / $4; print (r > 0.1 && r < 0.12) }' \
	"$stderr")" 1
truth event=0xd1,umask=0x04
values "$event" 2 "$stderr" >"$tmp/values"
expect_close "$tmp/values" "$tmp/truth"

begin "of several runs, lost samples are told once, and summed up behind the last"
lasting 200
tma_on "$tmp/steady" -a -x, -e "$event" -r 3 true
expect_status 0
expect_equal "told" "$(grep -c 'are being lost' "$stderr")" 1
expect_equal "summed up" "$(grep -c '^tma: [0-9]* of [0-9]* samples of retire latencies were lost' "$stderr")" 1
expect_equal "one in nine of all runs" "$(awk -F'[ ,]' '/were lost$/ { lost = $2; all = $4 }
	END { print (lost / all > 0.1 && lost / all < 0.12 && all > 100) }' "$stderr")" 1

fault='throttle=1'
begin "throttling is told, and summed up in the end"
tma_on "$tmp/steady" -a -x, -e "$event" -I 500 --interval-count 3
expect_status 0
expect_equal "told" "$(grep -c 'the kernel throttles the sampling' "$stderr")" 1
expect_match stderr 'was throttled [0-9]+ times'

fault='mmap>72=EPERM'
begin "buffers shrink to what may be locked: 8 pages and one for each of 8 CPUs" # R57
tma_on "$tmp/steady" -a -x, -e "$event" -I 500 --interval-count 3
expect_status 0
truth event=0xd1,umask=0x04
values "$event" 2 "$stderr" >"$tmp/values"
expect_equal rows "$(wc -l <"$tmp/values")" 3
expect_close "$tmp/values" "$tmp/truth"
expect_no_match stderr 'lost'

fault='mmap=EPERM'
begin "without any buffer the limit and what helps are named"
tma_on graniterapids -a -e "$event" true
expect_status 125
expect_match stderr 'cannot map a buffer of 8 KB'
expect_match stderr 'kernel.perf_event_mlock_kb is [0-9]+'
expect_match stderr 'ulimit -l'

fault='offline=3@700ms-1200ms'
begin "a CPU that goes offline keeps what it had, and goes on when it is back"
tma_on "$tmp/steady" -a -A -x, -e "$event" -I 500 --interval-count 4
expect_status 0
expect_match stderr 'CPU 3 went offline'
expect_match stderr 'CPU 3 is back'
truth event=0xd1,umask=0x04
grep 'CPU3,[0-9]' "$stderr" | grep -v assumed | cut -d, -f3 >"$tmp/values"
sed -n '1,2p;4p' "$tmp/truth" >"$tmp/there"
expect_close "$tmp/values" "$tmp/there"
fault=

begin "after a delay, counts from before it are not included"
tma_on "$tmp/steady" -a -x, -e "$event" -D 500 --timeout 500
expect_status 0
truth event=0xd1,umask=0x04
sed -n 2p "$tmp/truth" >"$tmp/second"
values "$event" 1 "$stderr" >"$tmp/values"
expect_close "$tmp/values" "$tmp/second"

begin "of a cgroup"
tma_on "$tmp/steady" -a -x, -e "$event" -G / --timeout 500
expect_status 0
truth event=0xd1,umask=0x04
sed -n 1p "$tmp/truth" >"$tmp/first"
values "$event" 1 "$stderr" >"$tmp/values"
expect_close "$tmp/values" "$tmp/first"

begin "E-cores of a server also measure latencies"
tma_on sierraforest -a -x, -e 'instructions:R,cpu/event=0xd1,umask=0x04/R' --timeout 500
expect_status 0
expect_match stderr '^3\.00,cycles,instructions:R,'
expect_match stderr '^5[12]\.[0-9]*,cycles,"cpu/event=0xd1,umask=0x04/R",'
