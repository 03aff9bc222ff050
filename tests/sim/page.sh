#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --format=html: one complete file that loads nothing and has the values of --format=json.
. "$(dirname "$0")/../cli/lib.sh"

page=$tmp/page.html
check=tests/formats/page.py

# expect_page: the output is a page of --format=html
expect_page()
{
	[ $test_state = ok ] || return 0
	python3 -B $check form "$page" 2>"$tmp/why" || fail "it is no page" "$tmp/why"
}

# expect_words WORDS: the page has them, also without JavaScript
expect_words()
{
	[ $test_state = ok ] || return 0
	python3 -B $check text "$page" "$1" 2>"$tmp/why" || fail "it does not say so" "$tmp/why"
}

# expect_same_values: the page has the values in $tmp/rows
expect_same_values()
{
	[ $test_state = ok ] || return 0
	python3 -B $check values "$page" "$tmp/rows" 2>"$tmp/why" || fail "other values" "$tmp/why"
}

export TMA_SIM_STEP=10

for machine in sapphirerapids skylakex alderlake zen4 neoverse-n2; do
	for what in "-I 20 --interval-count 5 --topdown" "-e cycles,instructions --per-core --timeout 20" \
		"-I 20 --interval-count 3 -A -M TopdownL1 -e page-faults"; do
		begin "$machine: a page of stat -a $what"
		# shellcheck disable=SC2086 # several words
		sim "$machine" stat -a $what --format=html -o "$page"
		expect_status 0
		expect_page
		# shellcheck disable=SC2086 # several words
		sim "$machine" stat -a $what --format=json --error --summary
		cp "$stdout" "$tmp/rows"
		expect_same_values
	done
done

begin "what it says without JavaScript"
sim skylakex stat -a --topdown --td-level 3 -I 500 --interval-count 4 --format=html -o "$page"
expect_status 0
expect_page
expect_words 'system wide'
expect_words 'Verdict: tma_backend_bound'
expect_words "tma --machine skylakex stat -a --topdown --td-level 3 -I 500 --interval-count 4 --format=html -o"
expect_words 'GenuineIntel-6-55-4'
expect_words 'the machine is simulated: its counts are synthetic (skylakex)'
expect_words 'Intel(R) Xeon(R) Gold 6128 CPU @ 3.40GHz (GenuineIntel-6-55-4)'
expect_words 'Notes on the measurement cpu: 13 groups take turns on the counters'

begin "a recording, with the tree by default"
sim sapphirerapids stat record -o "$tmp/data" -a --topdown --td-level 2 -I 20 --interval-count 5
expect_status 0
run "$TMA" stat report -i "$tmp/data" --format=html -o "$page"
expect_status 0
expect_page
run "$TMA" stat report -i "$tmp/data" -M TopdownL1,TopdownL2 --format=json --summary
cp "$stdout" "$tmp/rows"
expect_same_values
expect_words 'Verdict: tma_'

begin "two recordings, beside each other"
run "$TMA" compare --format=html -o "$page" "$tmp/data" "$tmp/data"
expect_status 0
expect_page
expect_words 'tma_backend_bound'
expect_equal "runs in it" "$(grep -c '<section class="run"' "$page")" 2
run sh -c "\"$TMA\" compare --format=html \"$tmp/data\" \"$tmp/data\" >\"$page\""
expect_status 0
expect_page

begin "a page of recordings names commands, hosts, dates and machines of both sides"
# Another computer has a name of the same length.
name=$(uname -n)
other=$(printf %s "$name" | tr 'a-y' 'b-z')
python3 - "$tmp/data" "$tmp/others" "$name" "$other" <<'END'
import sys
with open(sys.argv[1], "rb") as file:
    data = file.read()
with open(sys.argv[2], "wb") as file:
    file.write(data.replace(sys.argv[3].encode() + b"\0", sys.argv[4].encode() + b"\0"))
END
touch -d '2026-11-20 12:00:00 UTC' "$tmp/data"
run "$TMA" compare --format=html -o "$page" "$tmp/data" "$tmp/others"
expect_status 0
expect_page
expect_words "Side Command Recording Simulated machine Host Date (UTC) Kernel Measured"
expect_words "stat record -o $tmp/data -a --topdown --td-level 2 -I 20 --interval-count 5 $tmp/data sapphirerapids $name 2026-11-20 12:00:00"
expect_words "$tmp/others sapphirerapids $other $(date -u +%Y-%m-)"
expect_words "A and B ran on different computers (hosts $name and $other)"
expect_words 'the machine is simulated'

begin "a page of commands names the command, the host and the kernel"
run "$TMA" --machine skylakex compare -r 3 --format=html -o "$page" 'sleep 0.01' 'sleep 0.02'
expect_status 0
expect_page
expect_words "A sleep 0.01 skylakex $name 2024-01-01 00:00:00"
expect_words "B sleep 0.02 skylakex $name"
expect_match "$page" '<table class="sort differences">'
expect_match "$page" '<th scope="row">time</th><td data-v="0[.]0[0-9]*">[0-9.]* ms</td><td data-v="0[.]0'

begin "names from outside are text in the page"
name='</script><img src=x onerror=alert(1)>&"<!--'
run "$TMA" --machine sapphirerapids stat --format=html -o "$page" -e cycles -- sh -c "sleep 0.01 # $name"
expect_status 0
expect_page
expect_words "$name"
expect_no_match "$page" '<img'
run python3 -B tests/sim/named.py "$name" "$TMA" --machine sapphirerapids stat --format=html -o "$page" \
	-e page-faults --per-thread --timeout 20 -p
expect_status 0
expect_page
expect_words '</script><img s-'
expect_no_match "$page" '<img'

# --- Functions -----------------------------------------------------------------------------------

places=$(cd "$BUILD" && pwd)/tests/sim/places
machines=$(cd "$(dirname "$TMA")" && pwd)/machines

# functions MACHINE [EDIT]: make $tmp/MACHINE, on which a command is in the functions f0, f1 and f2
# in turn
functions()
{
	{
		python3 -B tests/sim/functions.py machine "$1" | sed "${2-}"
		echo "include $machines/$1"
	} >"$tmp/$1"
}

# by_function ARG ...: make a page with the functions of a command on skylakex
by_function()
{
	run "$TMA" --machine "$tmp/skylakex" stat --per-function --format=html -o "$page" "$@"
	expect_status 0
	expect_page
}

for machine in skylakex alderlake neoverse-n2; do
	begin "functions are a table on $machine, with their bottleneck and errors, the one that loses most first"
	lasting 20000
	functions $machine
	run "$TMA" --machine "$tmp/$machine" stat --per-function --format=html -o "$page" "$places" wait 100
	expect_status 0
	expect_page
	expect_match "$page" '<table class="sort places functions">'
	expect_match "$page" '<tr><th scope="row">f1</th>.*<td class="text">back end (.*)</td><td>[45][0-9.]* ±[^0-9]*[0-9.]*</td><td>[0-9]*</td>'
	expect_match "$page" '<tr><th scope="row">f2</th>.*<td class="text">[a-z ]*speculation (.*)</td>'
	expect_equal "order" "$(sed -n 's/^<tr><th scope="row">\(f[0-9]\)<.*/\1/p' "$page" | uniq | tr '\n' ' ')" "f1 f2 f0 "
	[ $machine = neoverse-n2 ] || expect_match "$page" '^<tr><th scope="row">f1<.*<td class="hot">[67][0-9.]* ±'
	expect_words 'the machine is simulated'
done

begin "the values of functions are those of --format=json"
lasting 20000
functions skylakex
by_function "$places" wait 100
run "$TMA" --machine "$tmp/skylakex" stat --per-function --format=json --error -o "$tmp/rows" "$places" wait 100
expect_same_values

begin "functions that are left at once are told as near, with their share and no values"
lasting 20000
functions skylakex 's/30ms/30ns/; s/50ms/50ns/; s/20ms/20ns/'
by_function "$places" wait 100
expect_equal "near" "$(grep -c '<td class="text">near: samples may belong to a neighbour</td><td>[0-9.]* ±[^0-9]*[0-9.]*</td><td>[0-9]*</td><td>not counted</td>' "$page")" 3
expect_words "its samples may belong to a neighbouring site"

begin "functions of intervals have their names, whenever they were found, and empty rows are not there"
lasting 4000
functions skylakex 's/^stays.*/stays f0 1500ms f1 2500ms/'
by_function -I 500 "$places" wait 100
expect_equal "lines" "$(sed -n '/places functions/,/<\/table>/p' "$page" | grep -c '<th scope="row">f[01]<')" 2
expect_no_match "$page" '<th scope="row"></th>'
expect_match "$page" 'class="w">.*"rows":\["(near )?f[01]","(near )?f[01]","'

begin "a function's name is text"
lasting 20000
line=$(grep -n '^FUNCTION(f1)' tests/sim/places.c | cut -d: -f1)
functions skylakex "s/^at f1/at places.c:$line/; /^stays/s/f1/places.c:$line/"
command -v objcopy >/dev/null || skip "there is no objcopy"
has_libdw || skip "libdw is not installed"
run objcopy --redefine-sym 'f1=</script><img/src=x>' "$places" "$tmp/places"
expect_status 0
by_function "$tmp/places" wait 100
expect_words '</script><img/src=x> back end (tma_backend_bound)'
expect_no_match "$page" '<img'
expect_no_match "$page" '</script><img'

begin "the page is complete from the first interval on"
unset TMA_SIM_STEP
rm "$page"
"$TMA" --machine sapphirerapids stat -a --topdown -I 50 --format=html -o "$page" 2>"$stderr" &
counting=$!
for _ in $(seq 200); do
	[ -s "$page" ] && break
	sleep 0.05
done
expect_page
kill -INT $counting
wait $counting
expect_page
expect_words 'Verdict: tma_'
expect_equal "hidden files beside it" "$(find "$tmp" -name '.page.html*' | wc -l)" 0

begin "a pipe gets a page that is complete at the end; a terminal gets none"
run sh -c "\"$TMA\" --machine sapphirerapids stat -a --topdown -I 20 --interval-count 3 --format=html |
	cat >\"$page\""
expect_page
run sh -c "script -qec '$TMA --machine sapphirerapids stat -a --timeout 20 --format=html' /dev/null </dev/null"
expect_match stdout 'name a file with -o FILE'

begin "options that exclude a page are refused"
for option in "--append -i $tmp/data" "$tmp/data $tmp/data"; do
	# shellcheck disable=SC2086 # several words
	run "$TMA" stat report --format=html -o "$tmp/other" $option
	[ "$status" != 0 ] || fail "$option: status 0"
	expect_match stderr '^tma: .*(--format=html|one text from its beginning|cannot be added)'
done
run "$TMA" --machine sapphirerapids stat -a --format=html -o "$tmp/none/page" --timeout 20
expect_status 125
expect_match stderr "^tma: .*none/page"
