#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Clocks that jump, a machine that sleeps, and tasks that come and go fast, on a real kernel.
. tests/cli/lib.sh

begin "the wall clock jumps by days: intervals are as long as before" # R74
now=$(date +%s)
(
	sleep 0.7
	date -s "@$((now + 86400))" >/dev/null
	sleep 0.8
	date -s "@$((now - 86400))" >/dev/null
) &
run "$TMA" stat -a -x, -I 300 --interval-count 8 -e cycles,duration_time
wait
date -s "@$((now + 3))" >/dev/null
expect_status 0
awk -F, '$4 == "duration_time" && ($2 < 2e8 || $2 > 6e8) { bad = 1 }
	 $4 == "duration_time" { rows++; sum += $2 }
	 END { exit !(!bad && rows >= 7 && sum > 2.2e9 && sum < 3.2e9) }' "$stderr" ||
	fail "intervals: $(awk -F, '$4 == "duration_time" { printf "%s ", $2 }' "$stderr")"

begin "the machine is suspended for seconds: told, and only time in which a CPU ran is counted" # R74
uptime()
{
	cut -d ' ' -f 1 /proc/uptime
}
echo deep >/sys/power/mem_sleep
(
	sleep 0.7
	echo +4 >/sys/class/rtc/rtc0/wakealarm
	echo mem >/sys/power/state
) &
before=$(uptime)
run "$TMA" stat -a -x, -I 400 --interval-count 5 -e cycles,duration_time
after=$(uptime)
wait
expect_status 0
for cpu in 1 2 3; do
	expect_match stderr "CPU $cpu went offline"
	expect_match stderr "CPU $cpu is back, and counted"
done
# The uptime goes on while the machine sleeps, but counts do not grow.
awk -F, -v slept="$(echo "$before $after" | awk '{ print $2 - $1 }')" '
	$4 == "cycles" { cycles += $2; ran += $5 }
	$4 == "duration_time" { passed += $2 }
	END {
		exit !(slept - passed / 1e9 > 1.5 && ran <= 4.05 * passed &&
		       cycles >= 2.99 * ran && cycles <= 3.01 * ran) }' "$stderr" ||
	fail "$before to $after of uptime: $(grep , "$stderr")"
close_test
