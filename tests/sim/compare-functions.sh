#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma compare --per-function: on a simulated machine on which functions have rates of their own, and
# on this host by its clock. The programs really run; compare_functions.py measures how often the
# answer is wrong.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
has_libdw || skip_all "libdw is not installed"
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
"$TMA" stat -e cpu-clock true >/dev/null 2>&1 || skip_all "no software events here"

schema=$PWD/Documentation/tma-compare.schema.json
formats=$PWD/tests/formats
places=$(cd "$BUILD" && pwd)/tests/sim/places
machines=$(cd "$(dirname "$TMA")" && pwd)/machines
TMA=$(cd "$(dirname "$TMA")" && pwd)/$(basename "$TMA")
python3 -B tests/sim/functions.py machine skylakex | grep -v '^stays' >"$tmp/sky"
echo "include $machines/skylakex" >>"$tmp/sky"
{
	python3 -B tests/sim/functions.py machine skylakex
	echo "include $machines/skylakex"
} >"$tmp/scripted"
for part in "$machines"/*.part; do
	ln -s "$part" "$tmp/${part##*/}"
done

cat >"$tmp/work.c" <<'END'
#include <stdlib.h>
#include <time.h>
static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}
#define WORK(name)                                                \
	__attribute__((noinline)) static void name(double s)      \
	{                                                         \
		for (double end = now() + s; now() < end;)        \
			for (volatile int i = 0; i < 20000; i++)  \
				;                                 \
	}
WORK(WALK) WORK(keep)
int main(int argc, char **argv)
{
	WALK(argc > 1 ? atof(argv[1]) / 1000 : 0);
	keep(0.04);
	return 0;
}
END
$cc -O1 -DWALK=walk -o "$tmp/before" "$tmp/work.c" || skip_all "it does not compile"
cp "$tmp/before" "$tmp/after"
$cc -O1 -DWALK=fast_walk -o "$tmp/renamed" "$tmp/work.c"
cd "$tmp" || exit 1

# expect_sites EXPRESSION: the expression is true of the answer in JSON. In it, sites has the rows
# by name, and word("NAME"), side and rows can be used
expect_sites()
{
	[ $test_state = ok ] || return 0
	python3 - "$tmp/answer" "$1" <<'END' 2>"$tmp/odd" || fail "the answer is another" "$tmp/odd"
import json, sys
side = json.load(open(sys.argv[1], encoding="utf-8"))["sides"][1]
sites = {site["name"]: site for site in side["sites"]}
rows = [site["name"] for site in side["sites"]]
word = lambda name: sites[name]["change"] if name in sites else "none"
parts = lambda key: sum(site[key] for site in side["sites"] if site["stands_for"] != "all")
certain = ("more", "less", "appeared", "gone")
assert eval(sys.argv[2]), json.dumps(side["sites"], indent=1)
END
}

# compare [ARG ...]: leave an answer in JSON, which fits the schema, in $tmp/answer
compare()
{
	run "$TMA" compare -j -o "$tmp/answer" "$@"
	expect_status 0
	[ $test_state != ok ] || python3 -B "$formats/check.py" json "$schema" "$tmp/answer" >"$tmp/odd" 2>&1 ||
		fail "not of the schema" "$tmp/odd"
}

# --- What changed --------------------------------------------------------------------------------

begin "the function that takes longer is named, with its part of the difference"
compare -r 5 --per-function './before 60' './after 90'
expect_sites 'word("walk") == "more" and 0.02 < sites["walk"]["difference"] < 0.04'
expect_sites '70 < sites["walk"]["explained"] < 130 and rows[:2] == ["all", "walk"]'
expect_sites 'word("keep") not in certain and sites["walk"]["object"]'
expect_sites '"walk explains" in side["summary"] and "% of the difference" in side["summary"]'

begin "the rows are the whole"
expect_sites 'all(abs(parts(key) / sites["all"][key] - 1) < 1e-6 for key in ("first", "value"))'
expect_sites '0.095 < sites["all"]["first"] < 0.13 and rows[-1].endswith(("other", "others"))'

begin "text has a table of functions, in the order of their differences"
run "$TMA" compare -r 4 --per-function './before 60' './after 90'
expect_status 0
expect_match stdout '^  function  .* B - A \(90 %\)$'
expect_match stdout '^  walk  .* ms  \+.*  more: [0-9]+ % of the difference$'
expect_match stdout '; walk explains [0-9]+ % of the difference'
expect_equal "order" "$(sed -n '/^  function/,/^$/s/^  \([a-z]*\) .*/\1/p' "$stdout" | head -n 3 | tr '\n' ' ')" 'function all walk '

begin "a function that was renamed is gone, and one appeared"
compare -r 4 --per-function './before 60' './renamed 60'
expect_sites 'word("walk") == "gone" and word("fast_walk") == "appeared"'
expect_sites 'sites["walk"]["value"] == 0 and sites["fast_walk"]["first"] == 0 and word("all") not in certain'
run "$TMA" compare -r 3 --per-function './before 60' './renamed 60'
expect_match stdout '^  walk .*  gone$'
expect_match stdout '^  fast_walk .*  appeared$'
expect_match stdout '^  B: a renamed function is gone under its old name'

begin "programs without symbols are compared as such, whatever their names are"
command -v strip >/dev/null || skip "no strip"
strip -o stripped1 before
strip -o stripped2 after
compare -r 4 --per-function './stripped1 40' './stripped2 80'
expect_sites 'word("the program") == "more" and not any(name.startswith("stripped") for name in rows)'

begin "files are compared"
compare -r 4 --per-object './before 40' './after 80'
expect_sites 'word("the program") == "more" and sites["the program"]["stands_for"] == "object"'

begin "several commands are each compared with the first"
run "$TMA" compare -r 3 --per-function './before 40' './after 40' './after 80'
expect_status 0
expect_equal "tables of functions" "$(grep -c '^  function ' "$stdout")" 2

begin "every format has the functions"
for format in text markdown json html; do
	run "$TMA" compare -r 2 --per-function --format=$format -o "$tmp/out" './before 40' './after 40'
	expect_status 0
	expect_match "$tmp/out" '\bwalk\b'
done

# --- The tree of a function ----------------------------------------------------------------------

begin "on a simulated machine the nodes of a function are compared, and the whole tree"
line=$(grep -n '^FUNCTION(f0)' "$OLDPWD/tests/sim/places.c" | cut -d : -f 1)
printf 'at places.c:%s\nlet retiring 0.4\nlet bad_spec 0.02\nlet fe_bound 0.08\nend\n' "$line" | cat - sky >changed
run "$TMA" --machine ./changed compare -j -o "$tmp/answer" -r 5 --per-function "$places each 1 f0:300 f1:60" \
	"$places each 1 f0=places.c:$line:300 f1:60"
expect_status 0
expect_sites 'next(node for node in sites["f0"]["nodes"] if node["name"] == "tma_retiring")["change"] == "less"'
# By chance a difference may be certain, but not large.
expect_sites 'not any(node["change"] in certain and abs(node["difference"]) > 10 for node in sites.get("f1", {"nodes": []})["nodes"])'
expect_sites 'abs(sites["f0"]["difference"]) < 0.2 * sites["f0"]["first"] and any(row["name"] == "tma_retiring" for row in side["differences"])'

begin "without a tree the cycles are sampled, and events of the whole are compared"
run "$TMA" --machine ./sky compare -j -o "$tmp/answer" -r 3 --td-level 0 -e instructions --per-function \
	"$places each 1 f0:40 f1:20" "$places each 1 f0:40 f1:20"
expect_status 0
expect_sites '"f0" in sites and [row["name"] for row in side["differences"]].count("instructions") == 1'
expect_sites 'not any(row["name"] == "cycles" for row in side["differences"])'

# --- Saved runs and recordings -------------------------------------------------------------------

begin "saved runs have their functions, and are compared by them"
mkdir -p project/.tma && cd project || exit 1
run "$TMA" compare --save main -r 5 --per-function '../before 60'
expect_status 0
expect_match stdout '^  walk  .* ms \+- '
compare -r 5 main '../after 90'
expect_sites 'word("walk") == "more" and word("keep") not in certain'
compare -r 3 main
expect_sites '"walk" in sites and word("walk") not in ("appeared", "gone")'

begin "runs that were saved without functions say so"
run "$TMA" compare --save plain -r 3 '../before 40'
run "$TMA" compare -r 3 --per-function plain '../after 40'
expect_status 0
expect_match stdout '^  A: nothing is known by function: the runs were saved without$'
expect_match stdout '^  walk .*  not measured$'

begin "saved functions that somebody has spoilt are passed over"
for spoilt in 's/"unit":"s"/"unit":"x"/' 's/"kind": *"function"/"kind": "x"/' 's/"name":"walk"/"name":7/' \
	's/"list": *\[/"list": [7, [], {}, /' 's/"values":\[[^]]*\]/"values":{}/g'; do
	sed "$spoilt" .tma/main.json >.tma/spoilt.json
	run "$TMA" compare -r 2 --per-function spoilt '../after 40'
	expect_status 0
done
cd .. || exit 1

begin "recordings without samples are refused"
TMA_SIM_STEP=10 run "$TMA" --machine skylakex stat record -a --topdown -o counts.data sleep 0.05
run "$TMA" compare --per-function counts.data counts.data
expect_status 125
expect_match stderr "^tma: counts.data has counts but no samples, .*: record it with 'tma stat record --per-function'$"
expect_empty stdout

begin "recordings with samples are compared by function, in cycles"
for name in one two; do
	TMA_SIM_STEP=10 TMA_SIM_COMMAND=1000 "$TMA" --machine "$tmp/scripted" stat record --per-function -o $name.data \
		"$places" wait 100 >/dev/null 2>&1
done
run "$TMA" compare --per-function one.data two.data
expect_status 0
expect_match stdout '^  function, in cycles '
expect_match stdout '^  all +3000'
expect_match stdout '^  f1 +[0-9.]+ M +[0-9.]+ M '

# --- Options -------------------------------------------------------------------------------------

begin "options that do not go together are refused"
for options in '--per-function --per-object' '--per-function --count instructions' '-F 99' '--per-function -F 0' '--per-function -F x'; do
	# shellcheck disable=SC2086 # words
	run "$TMA" compare $options true true
	expect_status 129
	expect_match stderr '^tma: '
	expect_empty stdout
done
run "$TMA" compare --per-function -F 99 counts.data counts.data
expect_status 129

begin "runs without a sample have their time in one row"
compare -r 2 --per-function true true
expect_sites 'rows == ["all", "others"] or "walk" not in rows'
close_test
