#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma stat --per-function, --per-object and --per-line on simulated machines that know where a program is.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10
places=$(cd "$BUILD" && pwd)/tests/sim/places
machines=$(cd "$(dirname "$TMA")" && pwd)/machines
machines_of_functions
sky=$tmp/machines/skylakex

# rows [ARG ...]: run tma stat for a command on skylakex; $stdout has its rows in perf's CSV, which
# end with a bottleneck
rows()
{
	run "$TMA" --machine "$sky" stat -x, -o "$stdout.rows" "$@" "$places" wait 100
	! [ -s "$stdout.rows" ] || grep -v -e '^#' -e '^$' "$stdout.rows" >"$stdout"
	rm -f "$stdout.rows"
}

# --- Values --------------------------------------------------------------------------------------

for name in skylakex sapphirerapids alderlake zen4 neoverse-n2; do
	begin "each function has its share and its level 1 on $name, and samples add up to the counts"
	lasting 40000
	run "$TMA" --machine "$tmp/machines/$name" stat --per-function -v --error --format=json -o "$tmp/rows" \
		"$places" wait 100
	expect_status 0
	expect_match stderr '^tma: simulated machine .*: its counts follow the script in its file$'
	cp "$stderr" "$tmp/told"
	run python3 -B tests/sim/functions.py check "$tmp/rows" "$tmp/told"
	expect_status 0
	run python3 -B tests/formats/schema.py Documentation/tma-json.schema.json "$tmp/rows"
	expect_status 0
done

begin "the same run twice is the same"
lasting 2000
rows --per-function
cp "$stdout" "$tmp/first"
rows --per-function
expect_file "$stdout" <"$tmp/first"

begin "values are strings in perf's JSON, and errors numbers"
lasting 20000
run "$TMA" --machine "$sky" stat --per-function --error -j -o "$tmp/rows" "$places" wait 100
mv "$tmp/rows" "$stdout"
expect_match stdout '^\{"function" : "f1", "%  share" : "[0-9.]+", "samples" : "[0-9]+", "%  tma_retiring" : "[0-9.]+", '
expect_match stdout '"%  share error" : [0-9.]+, "samples error" : 0, "%  tma_retiring error" : [0-9.]+, '

begin "the bottleneck of each function is named, and a row is of what loses most"
lasting 40000
rows --per-function
expect_status 0
expect_match stdout '^function,%  share,samples,.*,bottleneck,$'
expect_match stdout '^f1,.*,tma_backend_bound,$'
expect_match stdout '^f2,.*,tma_bad_speculation,$'
expect_equal "order" "$(sed '1d; s/,.*//' "$stdout" | tr '\n' ' ')" 'f1 f2 f0 '

# A cycle of functions that is as long as the period of samples, and cycles in step with periodic
# work of tma.
for stays in 'f0 1507538ns f1 2512563ns f2 1005025ns' 'f0 3ms f1 5ms f2 2ms' 'f0 6ms f1 10ms f2 4ms' 'f0 60ms f1 100ms f2 40ms'; do
	begin "a program that keeps in step has its shares: $stays"
	lasting 40000
	[ $test_state != ok ] || machine_of_functions skylakex "$stays"
	run "$TMA" --machine "$sky" stat --per-function -v --error --format=json -o "$tmp/rows" "$places" wait 100
	expect_status 0
	cp "$stderr" "$tmp/told"
	run python3 -B tests/sim/functions.py check "$tmp/rows" "$tmp/told"
	expect_status 0
done
machine_of_functions skylakex

begin "functions that are left at once have their share, and no values"
lasting 20000
machine_of_functions skylakex 'f0 30ns f1 50ns f2 20ns'
run "$TMA" --machine "$sky" stat --per-function --format=json -o "$tmp/rows" "$places" wait 100
expect_status 0
expect_match stderr '^tma: 3 rows are headed "near": '
[ $test_state != ok ] || python3 - "$tmp/rows" <<'END' 2>"$tmp/odd" || fail "rows are others" "$tmp/odd"
import json, sys
rows = [row for row in map(json.loads, open(sys.argv[1])) if row["type"] == "metric"]
shares = {row["function"]: row["value"] for row in rows if row["name"] == "share"}
assert all(abs(shares[name] - true) < 4 for name, true in (("f0", 30), ("f1", 50), ("f2", 20))), shares
assert all(row["near"] == 1 and not row["bottleneck"] for row in rows), rows
assert all(row["value"] is None for row in rows if row["name"].startswith("tma_")), rows
END
machine_of_functions skylakex

begin "functions of a process that runs already"
"$places" wait 100000 &
waits=$!
run "$TMA" --machine "$sky" stat --per-function -x, -o "$tmp/rows" -p $waits --timeout 40000
kill $waits
expect_status 0
for function in f0 f1 f2; do
	expect_match "$tmp/rows" "^$function,"
done
expect_match "$tmp/rows" '^f1,.*,tma_backend_bound,$'
expect_no_match "$tmp/rows" 'unknown|made up'

begin "an event that is not supported has a note, as it has no row"
lasting 2000
TMA_SIM_FAULT='open:cpu/event=0xc0/=ENODEV' rows --per-function -e cycles,instructions
expect_status 0
expect_match stderr '^tma: instructions: not supported, so it is in no row: '
expect_no_match stderr '^tma: cycles:'

# --- Rows of other things ------------------------------------------------------------------------

begin "a file is a row"
lasting 10000
rows --per-object
expect_status 0
expect_match stdout '^object,%  share,samples,'
expect_match stdout '^places,(99|100)\.[0-9],[0-9]+,.*,tma_backend_bound,$'

for event in 'skylakex cycles:pp' 'sapphirerapids cycles:P' 'neoverse-n2 cycles'; do
	begin "a line of the source is a row on ${event% *}"
	lasting 10000
	run "$TMA" --machine "$tmp/machines/${event% *}" stat --per-line -x, -e "${event#* }" "$places" wait 100
	expect_status 0
	has_libdw || skip "libdw is not installed"
	expect_match stderr '^places\.c:[0-9]+,[0-9]+,,cycles'
	case $event in
	*:*) expect_no_match stderr 'not precise' ;;
	*) expect_match stderr '^tma: cycles: not precise: samples are some lines after' ;;
	esac
done

begin "an event that cannot be precise samples as well as it can"
lasting 10000
cp "$machines"/*.part "$tmp/machines"
sed '/^file caps\/max_precise/a precise event=0xc5' "$machines/skylakex" >"$tmp/machines/few"
{
	python3 -B tests/sim/functions.py machine skylakex
	echo 'include few'
} >"$tmp/machines/imprecise"
run "$TMA" --machine "$tmp/machines/imprecise" stat --per-line -x, -e cycles:P,branch-misses:P "$places" wait 100
expect_status 0
expect_match stderr '^tma: cycles:P: not precise: '
expect_no_match stderr '^tma: branch-misses:P: not precise'
expect_match stderr '^places.*,cycles:P,'

begin "rows of lines take no metrics"
rows --per-line -M tma_retiring
expect_status 129
expect_match stderr '^tma: '

begin "events are rows as in perf, with the name of the function"
lasting 20000
rows --per-function -e cycles,instructions
expect_status 0
for name in f0 f1 f2; do
	expect_match stdout "^$name,[0-9]+,,cycles,"
	expect_match stdout "^$name,[0-9]+,,instructions,"
done
expect_between "cycles of f1, in % of all" "$(awk -F, '$4 == "cycles" { sum += $2; if ($1 == "f1") own = $2 }
	END { printf "%.1f", 100 * own / sum }' "$stdout")" 47 53

begin "metrics and events beside each other are sampled alike"
lasting 20000
rows --per-function -M tma_retiring -e instructions
expect_status 0
for name in f0 f1 f2; do
	expect_match stdout "^$name,[1-9][0-9]+,,instructions,"
done

begin "levels of the tree and metrics"
lasting 20000
rows --per-function -M TopdownL1,TopdownL2
expect_status 0
expect_match stdout '^function,.*tma_memory_bound'
expect_match stdout '^f1,.*,tma_memory_bound,$'
rows --per-function -M tma_info_thread_ipc
expect_status 0
expect_match stdout '^function,%  share,samples,.*tma_info_thread_ipc'

begin "an event that cannot sample itself is told"
lasting 4000
rows --per-function -e duration_time
expect_match stderr '^tma: .*duration_time'
rows --per-function -e cycles,duration_time
expect_match stderr '^tma: .*duration_time'
expect_match stdout '^f1,[0-9]+,,cycles,'

# --- Targets -------------------------------------------------------------------------------------

begin "a process, a thread, CPUs and a cgroup"
start_idle
for target in "-p $idle" "-t $idle" -a '-C 0'; do
	# shellcheck disable=SC2086 # two words
	run "$TMA" --machine "$sky" stat --per-function --format=json $target --timeout 2000
	expect_status 0
	expect_match stdout '"name":"share","pmu":"","value":[0-9.]+'
	expect_match stdout '"name":"samples","pmu":"","value":[1-9]'
done
run "$TMA" --machine "$sky" stat --per-function --format=json -a -e cycles -G / --timeout 2000
expect_status 0
end_idle

# A busy computer leaves rows out, since stepped time goes on while names are looked up.
begin "rows of time have the same order of functions, and a sum after them"
lasting 20000
rows --per-function -I 2000 --summary
expect_status 0
sed -n 's/^ *[0-9.]*,\(f[0-9]\),.*/\1/p' "$stdout" | head -n 6 | paste -d ' ' - - - | sort -u >"$tmp/orders"
expect_lines "$tmp/orders" 1
expect_match "$tmp/orders" '^f1 f[02] f[02]$'
expect_between "rows" "$(grep -c '^ *[0-9.]*,f[0-9],' "$stdout")" 6 33
expect_equal "rows of the sum" "$(grep -c '^summary,f[0-9],' "$stdout")" 3

# --- Formats -------------------------------------------------------------------------------------

begin "every format has the functions"
lasting 4000
for format in text csv json-perf csv-wide json prom markdown tree trace html; do
	run "$TMA" --machine "$sky" stat --per-function --format=$format -o "$tmp/out" "$places" wait 100
	expect_status 0
	for name in f0 f1 f2; do
		expect_match "$tmp/out" "\\b$name\\b"
	done
done
run "$TMA" --machine "$sky" stat --per-function --format=trace -o "$tmp/out" "$places" wait 100
run python3 -B tests/formats/check.py trace Documentation/tma-trace.schema.json "$tmp/out"
expect_status 0
run "$TMA" --machine "$sky" stat --per-function -j -o "$tmp/out" "$places" wait 100
run python3 -c 'import json, sys; assert [json.loads(line)["function"] for line in open(sys.argv[1]) if line[0] == "{"]' "$tmp/out"
expect_status 0

# --- Refusals ------------------------------------------------------------------------------------

begin "options that do not go together are refused"
for options in '-r 2' --passes --schedule=rotate '-b 1' --bpf-counters --iostat --smi-cost -n --hybrid-merge \
	--no-scale -A --per-core --per-thread --per-node --per-die --per-cache --per-object --per-line '-F 0' '-F 100001' '-F x'; do
	# shellcheck disable=SC2086 # words
	run "$TMA" --machine "$sky" stat --per-function $options true
	expect_status 129
	expect_match stderr '^tma: '
	expect_empty stdout
done
run "$TMA" --machine "$sky" stat -a --per-function --for-each-cgroup / --timeout 10
expect_status 129

# --- Faults --------------------------------------------------------------------------------------

begin "samples that were lost are told" # R76
lasting 20000
export TMA_SIM_FAULT
TMA_SIM_FAULT='lost=10'
rows --per-function
expect_status 0
expect_match stderr '^tma: [0-9]+ of [0-9]+ samples were lost: take fewer with -F, or let buffers be larger '
expect_match stdout '^f1,'
expect_no_match stderr 'samples represent'

begin "sampling that is throttled is told" # R76
lasting 20000
TMA_SIM_FAULT='throttle=1'
rows --per-function
expect_status 0
expect_no_match stderr 'slow the program'
expect_match stderr '^tma: the kernel throttled the sampling: take fewer samples with -F \(now 199\)'
TMA_SIM_FAULT=
machine_of_functions skylakex '' 'sysctl perf_event_max_sample_rate 1000'
rows --per-function -F 5000
expect_match stderr '^tma: .*perf_event_max_sample_rate'
expect_match stderr '^tma: -F 5000: so many samples slow the program: they take 1[.][23] to 6[.][23] % of its CPU.s time, most in virtual machines; -F 4000 and less stays within 5 %$'
machine_of_functions skylakex

begin "the values of a run that is refused what it asks for are absent, and that is told" # R76
lasting 20000
TMA_SIM_FAULT=ioctl:refresh=EINVAL
rows --per-function
expect_status 0
expect_match stderr '^tma: it is unknown how long the program stays at a site .*: Invalid argument'
expect_match stdout '^f1,[45][0-9]\.[0-9],[0-9]+,,,,,'

begin "a kernel that lets no period be changed samples with the first ones" # R76
lasting 20000
TMA_SIM_FAULT=ioctl:period=EINVAL
rows --per-function
expect_status 0
expect_match stdout '^f1,[45][0-9]\.'

begin "without a buffer there is no run, and what helps is told" # R76
for fault in mmap=EPERM mmap=ENOMEM ioctl:set-output=ENOMEM ioctl:id=EIO; do
	TMA_SIM_FAULT=$fault
	rows --per-function
	expect_status 125
	expect_match stderr '^tma: cannot make a buffer for the samples of each of 16 CPUs: '
	case $fault in
	*EIO) ;;
	*) expect_match stderr '^Let more memory be locked: sysctl kernel.perf_event_mlock_kb=[0-9]+ as root, or ulimit -l' ;;
	esac
done

begin "any call may fail" # R76
lasting 1000
for call in open read mmap ioctl; do
	for number in 1 2 3 8 21 55; do
		for error in EINVAL EIO; do
			TMA_SIM_FAULT="$call#$number=$error"
			rows --per-function
			case $status in
			0) expect_match stdout '^(near )?f[0-2],' ;;
			125) expect_match stderr '^tma: ' ;;
			*) fail "$TMA_SIM_FAULT: status $status" ;;
			esac
		done
	done
done
unset TMA_SIM_FAULT

begin "memory does not grow with the samples"
lasting 300000
run python3 - "$TMA" "$sky" "$places" <<'END'
import resource, subprocess, sys
tma, machine, places = sys.argv[1:]
for frequency, most in (("199", 120), ("5000", 260)):
    subprocess.run([tma, "--machine", machine, "stat", "--per-function", "-F", frequency, "-o", "/dev/null", places,
                    "wait", "100"], check=True, stderr=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    assert used < most, f"{used} MB at {frequency}"
END
[ "${SANITIZE-}" ] || expect_status 0

# --- Ordinary users ------------------------------------------------------------------------------

# user PARANOID [ARG ...]: run tma stat as an ordinary user
user()
{
	needs_root
	needs_command setpriv
	[ $test_state = ok ] || return 0
	machine_of_functions skylakex '' "sysctl perf_event_paranoid $1"
	cp "$machines"/*.part "$machines/skylakex" "$tmp/machines" 2>/dev/null
	mkdir -p "$tmp/public/machines"
	make_public "$TMA" "$(dirname "$TMA")/libtma-sim.so" "$places"
	cp "$machines"/*.part "$machines/skylakex" "$tmp/public/machines"
	chmod a+rX "$tmp/public/machines"/*
	{
		python3 -B tests/sim/functions.py machine skylakex
		echo "include machines/skylakex"
		echo "sysctl perf_event_paranoid $1"
	} >"$tmp/public/machine"
	chmod a+r "$tmp/public/machine"
	shift
	run env -u TMA_SIM_FAULT TMPDIR="$tmp" setpriv --reuid=65534 --clear-groups "$tmp/public/tma" --machine "$tmp/public/machine" \
		stat --format=json --command-output=null --per-function "$@" "$tmp/public/places" wait 100
}

for paranoid in 0 1 2; do
	begin "an ordinary user has rows at kernel.perf_event_paranoid $paranoid" # R76
	lasting 10000
	user $paranoid
	expect_status 0
	expect_match stdout '"function":"f1".*"name":"share","pmu":"","value":[45][0-9]\.'
	[ $paranoid = 2 ] && expect_match stderr '^tma: the kernel is not sampled: run as root or with CAP_PERFMON'
done

begin "a recording of an ordinary user says that the kernel was not sampled" # R76
lasting 10000
user 2
if [ $test_state = ok ]; then
	env -u TMA_SIM_FAULT setpriv --reuid=65534 --clear-groups "$tmp/public/tma" --machine "$tmp/public/machine" \
		stat record --per-function -o - "$tmp/public/places" wait 100 2>"$stderr" >"$tmp/pipe"
fi
run "$TMA" stat report --per-function -x, -i "$tmp/pipe"
expect_status 0
expect_match stderr '^f1,'
expect_match stderr '^tma: the kernel is not sampled: run as root or with CAP_PERFMON'

begin "an ordinary user at kernel.perf_event_paranoid 3 is told what helps" # R76
user 3
expect_status 125
expect_match stderr 'perf_event_paranoid'
