#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Machines that know the place of a program: from scripts of stays, or from programs that announce
# it.
. "$(dirname "$0")/../cli/lib.sh"

places=$(cd "$BUILD" && pwd)/tests/sim/places
sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
export TMA_SIM_TRUTH="$tmp/truth"

# machine LINE...: make $tmp/machine, which has these lines and the places f0 to f3
machine()
{
	{
		printf '%s\n' 'cpuid GenuineIntel-6-55-4' 'cpus 0-1' 'core 0-1'
		for i in 0 1 2 3; do
			printf 'at f%s\nlet cycles %sG\nend\n' $i $((i + 1))
		done
		printf '%s\n' "$@" 'pmu cpu' 'type 4' 'kind core' 'counters 4' 'fixed 2' \
			'format event config:0-7' 'format umask config:8-15' \
			'file caps/max_precise 3' \
			'generic cpu-cycles event=0x3c' 'generic instructions event=0xc0' \
			'let cycles 5G' 'rate event=0x3c cycles' 'rate event=0xc0 2*cycles' \
			"${skid-skid 0ns}" end
	} >"$tmp/machine"
}

# truth PLACE FIELD: print the sum of the field over all lines of an event at the place
truth()
{
	awk -F, -v place="$1" -v field="$2" -v event="${3-cpu/config=0x3c}" '
		$1 == "event" { for (i = 1; i <= NF; i++) if ($i == field) at = i }
		$1 == event && $3 == place { sum += $at } END { printf "%d", sum }' "$tmp/truth"
}

begin "counts and the truth are those of another integration, on drawn machines"
unset TMA_SIM_TRUTH
run timeout 200 python3 -B tests/sim/places.py --cases "${PLACES_CASES-60}" "$BUILD" "$places"
expect_status 0
expect_match stdout '^[0-9]+ scripts, 0 different$'
export TMA_SIM_TRUTH="$tmp/truth"

begin "a command that announces its places is counted by them, also in threads"
machine
for how in '100 5000 1' '100 50 1' '100 200 3'; do
	# shellcheck disable=SC2086 # several words
	run "$TMA" --machine "$tmp/machine" stat -e cycles "$places" turn $how
	expect_status 0
	expect_match stderr "^tma: simulated machine '.*': its rates were written to fit this command\$"
	for i in 0 1 2 3; do
		own=$(awk -v name=f$i '$1 == name { print $2 }' "$stdout")
		# The time that is needed to announce a place is between the places.
		expect_between "ns in f$i, $how" "$(truth f$i ns)" $((own * 95 / 100)) $((own * 110 / 100 + 2000000))
		expect_between "cycles in f$i, $how" "$(truth f$i counted)" $(($(truth f$i ns) * (i + 1) - 9)) \
			$(($(truth f$i ns) * (i + 1) + 9))
	done
	counted=$(sed -n 's/^ *\([0-9]*\) *cycles .*/\1/p' "$stderr")
	sum=$(awk -F, '$1 == "cpu/config=0x3c" { sum += $7 } END { printf "%d", sum }' "$tmp/truth")
	expect_between "cycles in all" "$counted" $((sum - 99)) $((sum + 99))
done

begin "a command may become another program, fork, or sleep at a place"
for how in 'exec f1 f2' 'fork f1 f2 f3' 'sleep f1 f2'; do
	for interval in '' '-I 10'; do
		places_of=${how#* } mode=${how%% *}
		# shellcheck disable=SC2086 # nothing without a text
		run "$TMA" --machine "$tmp/machine" stat $interval -e cycles "$places" "$mode" 60
		expect_status 0
		for name in $places_of; do
			expect_between "ns in $name, $mode $interval" "$(truth "$name" ns)" 58000000 66000000
		done
		expect_between "ns in f0, $mode $interval" "$(truth f0 ns)" 0 4000000
	done
done

begin "a command cannot harm the simulator by what it announces"
# shellcheck disable=SC2016 # for the shell there
run "$TMA" --machine "$tmp/machine" stat -I 20 -e cycles sh -c 'sleep 0.1; (: >"$TMA_PLACES") 2>/dev/null; sleep 0.1'
expect_status 0
# shellcheck disable=SC2016
run "$TMA" --machine "$tmp/machine" stat -I 20 -e cycles sh -c '
	head -c 6000000 /dev/urandom 2>/dev/null | dd of="$TMA_PLACES" bs=64k conv=notrunc 2>/dev/null
	i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
[ "$status" != 139 ] && [ "$status" != 135 ] && [ "$status" != 124 ] || fail "exit status $status"

begin "a command that announces nothing is counted by the phases"
run "$TMA" --machine "$tmp/machine" stat -e cycles true
expect_status 0
expect_no_match stderr 'written to fit'
expect_equal "cycles a ns" "$(($(truth - counted) / $(truth - ns)))" 5

begin "samples are found in the code of the places"
export TMA_SIM_STEP=10
lasting 1000
machine 'stays f0 3us f1 2us - 1us f2/2 4us'
run "$TMA" --machine "$tmp/machine" why -j "$places" wait 100
expect_status 0
python3 - "$stdout" "$tmp/truth" <<'END' || fail "these are not the places" "$stdout"
import csv, json, sys
answer = json.loads(open(sys.argv[1]).read())
assert answer["follows_program"] is True
shares = {}
for place in answer["where"]:
    name = place["inlined_into"] or place["function"]
    shares[name] = shares.get(name, 0) + place["percent"][0]
rows = [r for r in csv.DictReader(l for l in open(sys.argv[2]) if not l.startswith("#"))
        if r["event"] == "cpu/config=0x3c"]
total = sum(int(r["counted"]) for r in rows)
assert sum(int(r["samples"]) for r in rows) > 500, rows
for name in ("f0", "f1", "f2"):
    wanted = 100 * sum(int(r["counted"]) for r in rows if r["place"] == name) / total
    assert abs(shares.get(name, 0) - wanted) < 4, (name, shares, wanted)
END

begin "perf's recording has the functions, threads and the skid's neighbours"
needs_perf
lasting 1000
if [ $test_state = ok ]; then
	for skid in 'skid 0ns' 'skid 1us spread=0'; do
		machine 'stays f0 2us f1/2 2us'
		run env TMA_MACHINE="$tmp/machine" LD_PRELOAD="$sim_library" "$PERF" record -e cycles:u -c 1000003 \
			-o "$tmp/data" "$places" wait 100
		expect_status 0
		"$PERF" report -i "$tmp/data" --stdio -g none -s sym,pid 2>/dev/null | grep -o '^ .*' >"$tmp/report"
		[ "$skid" = 'skid 0ns' ] || break
		# A third of the cycles is in f0, and every sample is in the thread that its
		# function belongs to.
		expect_match "$tmp/report" '33\.[0-9]*% +\[\.\] f0 +[0-9]+:places'
		expect_match "$tmp/report" '66\.[0-9]*% +\[\.\] f1 +[0-9]+:places'
		expect_equal "lines of the report" "$(grep -c f "$tmp/report")" 2
	done
	# If a sample comes 1 us late, half of a stay is over.
	expect_match "$tmp/report" '(4[5-9]|5[0-5])\.[0-9]*% +\[\.\] f0'
fi
unset skid

begin "perf reads groups with its samples, and is refused those that the kernel refuses"
needs_perf
lasting 1000
if [ $test_state = ok ]; then
	machine 'stays f0 2us f1/2 2us'
	run env TMA_MACHINE="$tmp/machine" LD_PRELOAD="$sim_library" "$PERF" record -e '{cycles,instructions}:Su' \
		-c 10000003 -o "$tmp/data" "$places" wait 100
	expect_status 0
	"$PERF" script -i "$tmp/data" -F tid,period,event 2>/dev/null >"$tmp/samples"
	awk '{ n[$1]++; sum[$NF] += $2 }
		END { ratio = sum["instructions:"] / sum["cycles:"]
			exit !(length(n) == 2 && ratio > 1.99 && ratio < 2.01) }' "$tmp/samples" ||
		fail "instructions are not twice the cycles, of two threads" "$tmp/samples"
	for events in topdown-retiring '{slots,topdown-retiring}' '{slots,topdown-retiring}:S'; do
		run env TMA_MACHINE=sapphirerapids LD_PRELOAD="$sim_library" "$PERF" record -a -e "$events" -c 1000003 \
			-o "$tmp/data" "$places" wait 10
		expect_match stderr 'Invalid event \(topdown-retiring|The sys_perf_event_open\(\) syscall returned with 22|not supported'
	done
fi

begin "a line of the source and a file are places, too"
lasting 300
line=$(grep -n '__asm__ volatile("");' tests/sim/places.c | cut -d: -f1)
{
	printf '%s\n' 'cpuid GenuineIntel-6-55-4' 'cpus 0-1' 'core 0-1' \
		"at places.c:$line-$((line + 10))" end 'at /libc.so.6' end \
		"stays places.c:$line-$((line + 10)) 1ms /libc.so.6 3ms" \
		'pmu cpu' 'type 4' 'kind core' 'counters 4' 'format event config:0-7' \
		'format umask config:8-15' 'generic cpu-cycles event=0x3c' 'rate event=0x3c 1G' end
} >"$tmp/machine"
run "$TMA" --machine "$tmp/machine" why -j "$places" wait 100
expect_status 0
python3 - "$stdout" <<'END' || { cat "$stdout" >>"$stderr"; fail "these are not the places"; }
import json, sys
answer = json.loads(open(sys.argv[1]).read())
libc = sum(p["percent"][0] for p in answer["where"] if "libc" in p["object"])
own = sum(p["percent"][0] for p in answer["where"] if p["object"].endswith("/places"))
assert 74 < libc < 76, (libc, own)
assert 24 < own < 26 or own == 0 and "libdw" in answer["notes"], (libc, own)
END
unset TMA_SIM_STEP

begin "if the true counts cannot be written, the run ends immediately"
TMA_SIM_TRUTH=$tmp/none/truth
run "$TMA" --machine skylakex stat -a --timeout 10
expect_status 125
expect_match stderr "^tma-sim: TMA_SIM_TRUTH: cannot write '.*/none/truth': No such file or directory\$"
unset TMA_SIM_TRUTH

# workload MACHINE KERNEL LEAF WORDS: check the answer of tma why for a workload
workload()
{
	begin "$1: the workload $2 is $3"
	run env COLUMNS=120 "$TMA" --machine "$1" why "$TMA" test -w "$2" 0.2
	expect_status 0
	expect_match stdout " $4 \\($3\\)\$"
	expect_match stdout '^  counts      synthetic: the machine.s rates were written to fit this program$'
	expect_match stdout '^  try         [A-Z]'
	grep -q 'libdw' "$stdout" || expect_match stdout "^  where .* run_$2|^ .*run_$2\\(\\)"
}
needs_counters
workload skylakex divides tma_divider divider
workload skylakex branches tma_branch_mispredicts 'branch mispredictions'
workload zen4 jumps frontend_bound_latency 'front end latency'
# "make check-why" runs the other workloads.
if [ -n "${TMA_TEST_WORKLOADS-}" ]; then
	for model in skylakex sapphirerapids; do
		workload $model adds tma_other_light_ops 'other simple instructions'
		workload $model chase tma_local_mem 'local memory'
		workload $model jumps tma_icache_misses 'instruction cache misses'
	done
	workload sapphirerapids divides tma_divider divider
	workload sapphirerapids branches tma_branch_mispredicts 'branch mispredictions'
	workload zen4 adds retiring_fastpath 'simple instructions'
	workload zen4 branches bad_speculation_mispredicts 'branch mispredictions'
	workload zen4 divides backend_bound_cpu core
	workload zen4 chase backend_bound_memory memory
fi

begin "nothing is advised for other programs"
run "$TMA" --machine skylakex why "$places" turn 200 1000 1
expect_status 0
expect_match stdout '^  counts      synthetic: they do not follow your program: nothing is advised$'
expect_no_match stdout '^  (try|worth)  '
expect_no_match stderr 'written to fit'
close_test
