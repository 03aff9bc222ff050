#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Recordings with samples: rows of code are those that were printed when counting, for files and
# pipes; perf reads them; files that have been replaced give no names; perf's samples of groups that
# are read with each.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10
places=$(cd "$BUILD" && pwd)/tests/sim/places
machines=$(cd "$(dirname "$TMA")" && pwd)/machines
sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
has_libdw || skip_all "libdw is not installed"
machines_of_functions
machine=$tmp/machines/skylakex
data=$tmp/x.data

# rows: print the rows without the columns that are not recorded, and without the command line
rows()
{
	sed -e '/^tma: /d' -e '/^ Performance counter stats for /d' -e '/ seconds \(user\|sys\)$/d' -e '/^$/d'
}

# record ARG ...: leave a recording of a command in $data, and its rows in $tmp/live
record()
{
	run "$TMA" --machine "$machine" stat record -o "$data" "$@" "${program:-$places}" wait 100
	cat "$stdout" "$stderr" | rows >"$tmp/live"
	cp "$stderr" "$tmp/told"
}

# report ARG ...: leave the rows of $data in $tmp/report
report()
{
	run "$TMA" stat report -i "$data" "$@"
	cat "$stdout" "$stderr" | rows >"$tmp/report"
}

expect_live_rows()
{
	[ $test_state = ok ] || return 0
	[ -s "$tmp/report" ] || fail "nothing was reported"
	diff -u --label live --label report "$tmp/live" "$tmp/report" >"$tmp/diff" ||
		fail "differs from what was printed when counting" "$tmp/diff"
}

# --- What was printed ----------------------------------------------------------------------------

for name in skylakex sapphirerapids alderlake zen4 neoverse-n2; do
	begin "the report has the rows of the run on $name"
	machine=$tmp/machines/$name
	for options in '' '-x,' '--td-level 2 -x,' '-I 1000 -x,'; do
		lasting 4000
		[ "$name$options" != "neoverse-n2--td-level 2 -x," ] || continue # it has one level
		# shellcheck disable=SC2086 # words
		record --per-function $options
		expect_status 0
		expect_match "$tmp/live" '(^|,)f1'
		report --per-function ${options##*-[!x]* }
		expect_status 0
		# Looking up names takes up to a second while rows are due, and stepped time may end
		# in this second.
		! grep -q -e 'no names of functions' -e ',places,' "$tmp/told" || continue
		expect_live_rows
	done
done
machine=$tmp/machines/skylakex

for options in '-M tma_retiring,tma_memory_bound' '-e cycles,instructions,cpu-clock' '--topdown --td-level 3' '-F 997'; do
	begin "the same with $options"
	lasting 4000
	# shellcheck disable=SC2086 # words
	record --per-function -x, $options
	expect_status 0
	report --per-function -x,
	expect_status 0
	expect_live_rows
done

begin "the same in each format"
lasting 4000
for format in -j --format=csv-wide --format=tree --format=markdown; do
	record --per-function $format --command-output=null
	report --per-function $format
	expect_status 0
	expect_live_rows
done

begin "the same of whole CPUs, and of a summary"
lasting 4000
record --per-function -x, -a
report --per-function -x,
expect_live_rows
record --per-function -x, -I 2000 --summary
report --per-function -x, --summary
expect_live_rows

begin "a part of the time has the samples of that part"
lasting 4000
record --per-object -x, -I 500 # no names are read meanwhile, as this would take stepped time
report --per-object -x, --time 1.2,2.2 --summary
expect_status 0
expect_equal "rows" "$(sed 1d "$tmp/report" | cut -d, -f1 | tr '\n' ' ')" '1.500000000 2.000000000 summary '
expect_equal "samples of the summary" "$(awk -F, '$1 == "summary" { print $4 }' "$tmp/report")" \
	"$(awk -F, '$1 ~ /^[12]\./ { sum += $4 } END { print sum }' "$tmp/report")"

begin "samples are put together to files and lines as well"
lasting 4000
record --per-function -e cycles:pp
report --per-object -x,
expect_status 0
expect_match "$tmp/report" '^places,[0-9]+,,cycles:pp,'
report --per-line -x,
expect_status 0
expect_match "$tmp/report" '^places\.c:[0-9]+,[0-9]+,,cycles:pp,'
record --per-line -x,
report --per-line -x,
expect_live_rows

begin "functions that are left at once have no values in the report either"
python3 -B tests/sim/functions.py machine skylakex 'f0 30ns f1 50ns f2 20ns' >"$tmp/machines/short"
echo "include $machines/skylakex" >>"$tmp/machines/short"
machine=$tmp/machines/short
lasting 10000
record --per-function -x,
report --per-function -x, -v
expect_live_rows
expect_match stderr '^tma: 3 rows are headed "near": '
machine=$tmp/machines/skylakex

begin "a recording goes through pipes"
lasting 4000
record --per-function -x,
"$TMA" --machine "$machine" stat record --per-function -o - "$places" wait 100 2>"$stderr" |
	"$TMA" stat report --per-function -x, 2>&1 | rows >"$tmp/report"
expect_live_rows
run sh -c "\"$TMA\" stat report --per-function -x, -i - <\"$data\" 2>&1"
rows <"$stdout" >"$tmp/report"
expect_live_rows

# --- What is missing -----------------------------------------------------------------------------

begin "without rows of code the counts are reported"
lasting 4000
record --per-function -e cycles,instructions
report -x,
expect_status 0
expect_match "$tmp/report" '^[0-9]+,,cycles,'
expect_no_match "$tmp/report" 'f1'

begin "a recording of counts says what would have samples"
lasting 1000
record -e cycles
report --per-function
expect_status 125
expect_match stderr "^tma: .*x\.data has counts but no samples, .*: record it with 'tma stat record --per-function'$"
expect_empty stdout

begin "samples that were lost, and throttled, are told by the report too" # R76
lasting 20000
export TMA_SIM_FAULT
for fault in lost=10 throttle=1; do
	TMA_SIM_FAULT=$fault
	record --per-function
	TMA_SIM_FAULT=
	report --per-function
	expect_equal "notes of the report" "$(grep -c 'samples were lost\|throttled' "$stderr")" 1
	expect_equal "the note" "$(grep 'samples were lost\|throttled' "$stderr")" \
		"$(grep 'samples were lost\|throttled' "$tmp/told")"
done
unset TMA_SIM_FAULT

begin "a rebuilt program gives no names, but a moved program does" # R79
program=$tmp/program
cp "$places" "$program"
lasting 4000
record --per-function -x,
expect_match "$tmp/live" '^f1,'
cp "$places" "$tmp/same"
mv "$tmp/same" "$program"
report --per-function -x,
expect_live_rows
cp /bin/sh "$tmp/other"
mv "$tmp/other" "$program"
report --per-function -x,
expect_status 0
expect_match "$tmp/report" '^program,'
expect_no_match "$tmp/report" '^f1,'
expect_match stderr '^tma: places in files that have changed since they were run: '
rm "$program"
report --per-function -x,
expect_status 0
expect_match "$tmp/report" '^program,'

begin "a program without a build id is the one with its inode that was not written since" # R79
if objcopy --remove-section=.note.gnu.build-id "$places" "$program" 2>"$stderr"; then
	lasting 4000
	record --per-function -x,
	report --per-function -x,
	expect_live_rows
	sleep 0.01
	cat "$places" >"$program"
	report --per-function -x,
	expect_match "$tmp/report" '^program,'
	expect_match stderr '^tma: places in files that have changed since they were run: '
else
	skip "needs objcopy"
fi
program=$places

begin "a file that ends within a sample is reported up to there" # R80
lasting 4000
record --per-function -I 1000 -x,
size=$(wc -c <"$data")
head -c $((size / 2 / 8 * 8 + 4)) "$data" >"$tmp/cut"
mv "$tmp/cut" "$data"
report --per-function -x,
expect_status 125
expect_match "$tmp/report" '^1\.0[0-9]*,f1,'
expect_match stderr '^tma: .*x\.data: byte [0-9]+: the file ends '

begin "a file system that is full ends the run, and what was written is read" # R80
if [ -c /dev/full ]; then
	lasting 4000
	run "$TMA" --machine "$machine" stat record --per-function -o /dev/full "$places" wait 100
	expect_status 125
	expect_match stderr '^tma: cannot write /dev/full: No space left on device$'
fi
(
	ulimit -f 200
	trap '' XFSZ
	lasting 20000
	run "$TMA" --machine "$machine" stat record --per-function -I 1000 -o "$data" "$places" wait 100
	cp "$stderr" "$tmp/told"
)
expect_match "$tmp/told" '^tma: cannot write .*x\.data: File too large$'
report --per-function -x,
expect_status 0
expect_match "$tmp/report" '^1\.0[0-9]*,f1,'

# --- perf ----------------------------------------------------------------------------------------

begin "perf reports the same samples at the same functions"
needs_perf
lasting 4000
record --per-function -e cycles,instructions -x,
run "$PERF" report --stdio -i "$data" -F overhead,sym
expect_status 0
expect_match stdout '^ +(4[5-9]|5[0-4])\.[0-9]+% .* \[\.\] f1 *$'
run "$PERF" script -i "$data" -F event,period,ip,sym,comm
expect_status 0
expect_between "samples of f1 in cycles, by perf" "$(awk '$3 == "cycles:" && $NF == "f1"' "$stdout" | wc -l)" 300 500
expect_equal "unnamed samples" "$(grep -c unknown "$stdout")" 0
run "$PERF" stat report -i "$data"
expect_status 0
expect_match stderr ' cycles '
run "$PERF" buildid-list -i "$data"
expect_match stdout '^[0-9a-f]{40} .*/places$'

begin "perf reads samples from a pipe"
needs_perf
lasting 4000
"$TMA" --machine "$machine" stat record --per-function -e cycles -o - "$places" wait 100 2>"$stderr" >"$tmp/pipe"
run sh -c "\"$PERF\" report --stdio -i - <\"$tmp/pipe\""
expect_match stdout ' places +places +\[\.\] f1 *$'

begin "groups that perf reads with each sample are counts of functions"
needs_perf
lasting 4000
LD_PRELOAD=$sim_library TMA_MACHINE=$machine "$PERF" record -q -m 1024 -c 2000003 -e '{cycles,instructions}:S' \
	-o "$data" "$places" wait 100 >"$stdout" 2>&1 </dev/null
report -x,
expect_status 0
expect_match "$tmp/report" '^[0-9]+,,instructions,'
expect_between "cycles" "$(awk -F, '$3 == "cycles" { print $1 }' "$tmp/report")" 11.9e9 12.1e9
report --per-function -x,
expect_status 0
for want in 'f0 1.8 2.0' 'f1 0.5 0.6' 'f2 0.65 0.75'; do
	# shellcheck disable=SC2086 # words
	set -- $want
	expect_between "instructions per cycle of $1" "$(awk -F, -v f="$1" '$1 == f { n[$4] = $2 }
		END { printf "%.3f", n["instructions"] / n["cycles"] }' "$tmp/report")" "$2" "$3"
done

# --- perf's samples of slots, of later perfs -------------------------------------------------------

samples()
{
	[ $test_state = ok ] || return 0
	python3 -B tests/sim/perf_samples.py "$@" "$places" "$data" >"$tmp/true" 2>"$stderr" ||
		fail "perf_samples.py" "$stderr"
}

for how in tasks cpus; do
	begin "slots, TopDown events and a sampling event in a group, of $how"
	samples $how
	report -x, --no-topdown
	expect_status 0
	expect_match stderr '^tma: .*x\.data has samples: counts come from the groups of the samples, '
	for event in slots topdown-retiring topdown-be-bound cycles; do
		expect_equal "$event" "$(awk -F, -v e=$event '$3 == e { print $1 }' "$tmp/report")" \
			"$(awk -v e=$event '$1 == "all" && $2 == e { print $3 }' "$tmp/true")"
	done
	report --per-function -x,
	expect_status 0
	expect_match "$tmp/report" '^function,%  share,samples,%  tma_retiring,%  tma_backend_bound,'
	for function in f0 f1; do
		expect_between "retiring of $function" \
			"$(awk -F, -v f=$function '$1 == f { print $4 }' "$tmp/report")" \
			"$(awk -v f=$function '$1 == f && $2 == "retiring" { print $3 - 0.1 }' "$tmp/true")" \
			"$(awk -v f=$function '$1 == f && $2 == "retiring" { print $3 + 0.1 }' "$tmp/true")"
	done
	expect_match "$tmp/report" '^f1,.*,tma_backend_bound,$'
done

begin "a function that is left between two samples has no values"
samples short
report --per-function -x,
expect_status 0
expect_match stderr '^tma: 2 rows are headed "near": '

begin "plain samples stand for their periods"
samples plain
report --per-function -x,
expect_status 0
expect_match stderr '^tma: .*x\.data has samples but no counts: '
for function in f0 f1; do
	expect_equal "cycles of $function" "$(awk -F, -v f=$function '$1 == f && $4 == "cycles" { print $2 }' "$tmp/report")" \
		"$(awk -v f=$function '$1 == f && $2 == "cycles" { print $3 }' "$tmp/true")"
done

begin "records out of order are put into order"
samples tasks --swap
report --per-function -x,
expect_status 0
expect_match "$tmp/report" '^f1,.*,tma_backend_bound,$'

begin "compressed records are refused"
samples compressed
report --per-function
expect_status 125
expect_match stderr '^tma: .*x\.data: byte [0-9]+: the records from here on are compressed \(perf record -z\)'

begin "rows of threads are refused, as perf's samples are of all"
samples tasks
report --per-thread
expect_status 125
