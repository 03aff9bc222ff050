#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma top --functions: rows of functions in tables of -b, and on a terminal of its own (top.py).
. "$(dirname "$0")/../cli/lib.sh"

cd "$tmp" || exit 2
scenarios=$OLDPWD/tests/sim/top.py

begin "the keys to functions, without counters"
needs_system_wide
for scenario in functions ended; do
	run env SYSFS_PATH="$tmp/none" python3 -B "$scenarios" $scenario "$TMA" top -d 0.3
	expect_status 0
done

begin "functions of a process have their slots, and add up to all of its cycles"
functions=$OLDPWD/tests/sim/functions.py
places=$(cd "$OLDPWD" && cd "$BUILD" && pwd)/tests/sim/places
machines=$(dirname "$TMA")/machines
for name in skylakex alderlake zen4 neoverse-n2; do
	{
		python3 -B "$functions" machine $name
		echo "include $machines/$name"
	} >"$tmp/$name"
	"$places" wait 100000 &
	waits=$!
	run env TMA_SIM_STEP=20 COLUMNS=120 "$TMA" --machine "$tmp/$name" top -b -n 20 -d 1 --functions -p $waits
	kill $waits
	expect_status 0
	expect_match stdout "^functions of $waits, estimated from samples of the last 10 s$"
	python3 - "$stdout" <<-'END' 2>"$tmp/odd" || fail "rows on $name are others" "$tmp/odd"
		import re, sys
		text = open(sys.argv[1]).read()
		last = text[text.rindex("FUNCTION"):]
		rows = {line.split()[0]: line for line in last.splitlines()[1:] if line}
		assert set(rows) <= {"f0", "f1", "f2", "others"}, last
		shares = {name: float(re.search(r"([0-9.]+) %", line)[1]) for name, line in rows.items()}
		assert abs(sum(shares.values()) - 100) < 0.3, last
		assert all(abs(shares[name] - true) < 6 for name, true in (("f0", 30), ("f1", 50), ("f2", 20))), last
		# In this order: retiring, front end, bad speculation, back end.
		parts = {name: [int(n) for n in re.findall(r" (-?[0-9]+)(?= )", line)[:4]] for name, line in rows.items()}
		assert all(abs(a - b) < 15 for a, b in zip(parts["f1"], (20, 8, 2, 70))), last
		assert re.search("backend_bound|memory_bound", rows["f1"]), last
		assert "places" in rows["f1"], last
	END
done

begin "functions of all: what a simulated machine cannot place, and software's"
sim skylakex top -b -d 0.3 -n 3 --functions
expect_status 0
expect_match stdout '^functions of all processes, estimated from samples of the last 9\.9 s$'
expect_match stdout '^\[made up\] +100\.0 % +near: '
sh -c 'while :; do :; done' &
busy=$!
run env SYSFS_PATH="$tmp/none" "$TMA" top -b -d 0.5 -n 3 --functions
kill $busy
expect_status 0
expect_match stdout '^FUNCTION +SHARE .*FILE'
expect_match stdout '^\S.* [0-9.]+ % .* \[kernel\]$|^\S.* [0-9.]+ % .* (dash|bash|libc\.so\.6)$'
