#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counted cgroups are removed, made again, and joined by others that match.
. "$(dirname "$0")/lib.sh"

mount=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit } $3 == "cgroup2" { v2 = $2 }
	END { if (v2) print v2 }' /proc/mounts | head -n 1)
slice=tma-gone-$$
{ [ -n "$mount" ] && mkdir -p "$mount/$slice/a" "$mount/$slice/b"; } 2>/dev/null || skip_all "no cgroups can be made here"

# changing: while cgroups are counted, remove a and make it again, and make c
changing()
{
	until_found '"time":' "$stdout"
	rmdir "$mount/$slice/a"
	until_found 'was removed' "$stderr"
	mkdir "$mount/$slice/a" "$mount/$slice/c"
	sh -c 'echo $$ >"$1/cgroup.procs" && exec timeout 1 sh -c "while :; do :; done"' - "$mount/$slice/a"
}

begin "a cgroup that is gone is reported once; one made again is counted; new matches are reported"
changing &
run "$TMA" stat -a --for-each-cgroup "$slice/.*" -e cpu-clock -I 200 --interval-count 20 --format=json
wait
expect_status 0
expect_equal "lines" "$(grep -c "^tma: cgroup $slice/a was removed: it is not counted from here on$" "$stderr")" 1
expect_equal "lines" "$(grep -c "^tma: cgroup $slice/a was made again: it is counted from here on, without the time since it was made$" "$stderr")" 1
expect_equal "lines" "$(grep -c "^tma: cgroup $slice/c matches now, but is not counted: restart tma to count it$" "$stderr")" 1
expect_match stdout '"cgroup":"'$slice'/a".*"status":"not counted","reason":"the cgroup was removed"'
expect_between "ms of the new one" "$(jq -s 'map(select(.cgroup == "'$slice'/a" and .name == "cpu-clock" and .value) | .value) | add // 0 | floor' "$stdout")" 20 1100
expect_match stdout '"cgroup":"'$slice'/b".*"reason":"no task of the cgroup ran while it was enabled"'

# restarting: remove a and make it again before the next read
restarting()
{
	sleep 0.5
	rmdir "$mount/$slice/a" && mkdir "$mount/$slice/a"
	sleep 1.2
	sh -c 'echo $$ >"$1/cgroup.procs" && exec timeout 1 sh -c "while :; do :; done"' - "$mount/$slice/a"
}

begin "a cgroup made again is counted without rows of intervals, too" # R66
restarting &
run "$TMA" stat -a --for-each-cgroup "$slice/a" -e cpu-clock --timeout 3500 --format=json
wait
expect_match stderr "^tma: cgroup $slice/a was made again: it is counted from here on, without the time since it was made\$"
expect_between "ms of the new one" "$(jq -s 'map(select(.name == "cpu-clock" and .value) | .value) | add // 0 | floor' "$stdout")" 20 1100

begin "cgroups that stay cause no messages"
run "$TMA" stat -a --for-each-cgroup "$slice/.*" -e cpu-clock -I 200 --interval-count 2 --format=json
expect_no_match stderr 'removed|again|matches'

find "$mount/$slice" -depth -type d -exec rmdir {} +
close_test
