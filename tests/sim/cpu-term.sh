#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# cpu= in the terms of an event: the CPUs it is opened on, named by number, by range or by a PMU.
. "$(dirname "$0")/../cli/lib.sh"

# cpus EVENT: print the CPUs that the event is opened on, one after the other
cpus()
{
	sim alderlake stat -a -A -x';' -e "$1" -- true
	expect_status 0
	sed -n 's/^CPU\([0-9]*\);.*/\1/p' "$stderr" | paste -s -d' ' >"$tmp/cpus"
}

begin "an event opens on the CPUs of the PMU that cpu= names"
cpus msr/tsc,cpu=cpu_atom/
expect_file "$tmp/cpus" <<'END'
16 17 18 19 20 21 22 23
END
cpus msr/tsc,cpu=cpu_core/
expect_file "$tmp/cpus" <<'END'
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
END

begin "an event opens on a range of CPUs"
cpus msr/tsc,cpu=15-16,cpu=3/
expect_file "$tmp/cpus" <<'END'
3 15 16
END

begin "such an event shares a group with those of the PMU"
sim alderlake stat -a -e '{cpu_core/cycles/,msr/tsc,cpu=cpu_core/}' -- true
expect_status 0
expect_no_match stderr 'grouped anew|not counted|not supported'
