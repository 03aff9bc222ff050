#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every TopDown metric of every level, on every simulated machine, is what the machine's file says;
# none is negative, and children come to their parent. The table of it:
#
#	tests/metrics/truth.py -v build/tma lib/sim/machines/sapphirerapids ...
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"

for machine in lib/sim/machines/*; do
	# Two guests count nothing that TopDown could be computed from (tests/sim/guests.sh).
	case $machine in
	*.part | *-guest-architectural | *-guest-none) continue ;;
	esac
	begin "${machine##*/}: every level of the TopDown tree is the truth"
	run tests/metrics/truth.py "$TMA" "$machine"
	expect_status 0
	expect_match stdout '^[1-9][0-9]* values compared, 0 mistakes$'
done
