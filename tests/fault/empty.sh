#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A run that counts nothing (-n), in every mode that accepts one: it only measures time.
. "$(dirname "$0")/lib.sh"

modes='
-a --timeout 30
-C 0 --timeout 30
-A -a --timeout 30
-a sleep 0.1
-p self --timeout 30
-t self --timeout 30
--per-thread -a --timeout 30
--per-core -a --timeout 30
--per-socket -a -x, --timeout 30
--per-node -a -j --timeout 30
-a -r 2 true
-r 2 --table true
--passes true
-a -D 10 sleep 0.1
-a -v --timeout 30
-a --metric-only --timeout 30
-a --schedule rotate true
-a --dry-run
-a --format csv-wide --header --command-output null true
-a --format json --command-output null true
-a --format prom --command-output null true
-a --format markdown --command-output null true
-a --format tree true
-a --format trace --command-output null true
-a --format html --command-output null true
-a --quiet true
'

# all_modes RUN ARG ...: run RUN, which must end well, with -n in each mode
all_modes()
{
	while read -r mode; do
		[ -n "$mode" ] || continue
		mode=$(echo "$mode" | sed "s/self/$$/")
		# shellcheck disable=SC2086 # they are words
		run timeout 20 "$@" stat -n $mode
		expect_status 0
	done <<END
$modes
END
}

begin "a list of events that is empty, on this machine" # R58
all_modes "$TMA"

begin "a list of events that is empty, on a machine of two core types"
all_modes "$TMA" --machine alderlake

begin "an interval of nothing is refused"
for mode in "-a --interval-count 2" "-C 0 --interval-count 2 --summary" "sleep 0.1"; do
	# shellcheck disable=SC2086 # they are words
	run timeout 20 "$TMA" stat -n -I 20 $mode
	expect_status 129
done
