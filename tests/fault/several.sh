#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Several runs (-r), one of which is incomplete: it is named, left out of the mean, and the status
# is not 0.
. "$(dirname "$0")/lib.sh"

# counts_runs: make a shell script whose second run ends as its first argument tells it to
cat >"$tmp/second.sh" <<END
echo x >>$tmp/runs
[ \$(wc -l <$tmp/runs) != 2 ] || eval "\$1"
END

begin "a run that a signal kills" # R55
needs_counters
rm -f "$tmp/runs"
run "$TMA" stat -r 3 --table -e task-clock sh "$tmp/second.sh" 'kill -SEGV $$'
expect_status 139
expect_match stderr '^tma: run 2 is incomplete: it is left out of the mean'
expect_match stderr "^tma: 'sh' was killed by SIGSEGV"
expect_equal "lengths in the table" "$(grep -c '^ *[0-9.]* *([+-]' "$stderr")" 2

begin "a run that fails is whole, and its status is that of all"
needs_counters
rm -f "$tmp/runs"
run "$TMA" stat -r 3 --table -e task-clock sh "$tmp/second.sh" 'exit 7'
expect_status 7
expect_no_match stderr 'not whole'
expect_equal "lengths in the table" "$(grep -c '^ *[0-9.]* *([+-]' "$stderr")" 3

begin "a counter that cannot be read, in any run" # R55
for number in 1 2 3; do
	fault="read#$number=EIO"
	tma_on skylakex -r 3 -x, -e cycles true
	expect_status 125
	expect_match stderr '^tma: cycles could not be read on '
	expect_match stderr "^tma: run $number is incomplete: it is left out of the mean"
	expect_match stderr '^[0-9]+,,cycles,0.00%,[0-9]+,100.00,'
done
fault=

begin "no run is whole: no mean"
fault="read=EIO"
tma_on skylakex -r 2 -x, -e cycles true
expect_status 125
expect_no_match stderr ',cycles,'
fault=
