#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Text of others: units of clocks, modes in names, cgroups, groups of repeated events, several runs in one text.
. "$(dirname "$0")/lib.sh"

# text FILE: standard input, as a file that somebody kept
text()
{
	cat >"$tmp/$1"
}

# report FILE ARG ...: its rows in JSON of tma's own
report()
{
	file=$1
	shift
	run "$TMA" stat report "$tmp/$file" --format json "$@"
}

# value NAME [N]: that of the first, or Nth, event or metric of that name
value()
{
	sed -n 's/.*"name":"'"$1"'".*"value":\([^,]*\),.*/\1/p' "$stdout" | sed -n "${2-1}p" | sed 's/\(\.[0-9][0-9][0-9]\)[0-9]*/\1/'
}

# expect_value NAME VALUE [N]
expect_value()
{
	expect_equal "$1 ${3-}" "$(value "$1" "${3-1}")" "$2"
}

begin "a clock is of its unit, or of what its version printed without one"
for clock in "500.00,msec" "500000000," "500.000000," "500000000,ns" "500.00,ms" "0.5,sec" "500000,usec"; do
	printf '%s,task-clock,500000000,100.00,,\n1000000000,,cycles,500000000,100.00,,\n' "$clock" >"$tmp/clock.csv"
	report clock.csv
	expect_value task-clock 500
	expect_value frequency 2
	expect_match stdout '"name":"task-clock".*"unit":"msec"'
done
printf '5,parsecs,task-clock,500000000,100.00,,\n1000000000,,cycles,500000000,100.00,,\n' >"$tmp/clock.csv"
report clock.csv
expect_value task-clock 5
expect_no_match stdout '"name":"frequency"'

begin "tables and JSON likewise"
text clock.txt <<'END'

 Performance counter stats for './a.out':

       500,000,000      task-clock:u                     #    0.998 CPUs utilized
     1,000,000,000      cycles:u                         #    2.000 GHz
             1,000      page-faults:u                    #    2.000 K/sec

       0.501002003 seconds time elapsed
END
report clock.txt
expect_value task-clock:u 500
expect_value frequency 2
expect_value cpus_utilized 0.998
cat >"$tmp/clock.json" <<'END'
{"counter-value" : "500000000.000000", "unit" : "", "event" : "cpu-clock", "event-runtime" : 500000000, "pcnt-running" : 100.00}
{"counter-value" : "1000000000.000000", "unit" : "", "event" : "cycles", "event-runtime" : 500000000, "pcnt-running" : 100.00}
END
report clock.json
expect_value cpu-clock 500
expect_value frequency 2
sed 's/500,000,000      task/   500.000000      task/' "$tmp/clock.txt" >"$tmp/old.txt"
report old.txt
expect_value task-clock:u 500
expect_value frequency 2

begin "digits may stand in groups of four"
sed 's/500,000,000 /5,0000,0000 /; s/1,000,000,000/10,0000,0000/' "$tmp/clock.txt" >"$tmp/four.txt"
report four.txt
expect_value task-clock:u 500
expect_value cycles:u 1000000000
expect_value frequency 2

begin "a name of a core type has its modes behind the slash"
text modes.csv <<'END'
500000000,,task-clock:u,500000000,100.00,,
1000000000,,cpu_core/cycles/u,500000000,100.00,,
3000000000,,cpu_core/instructions/u,500000000,100.00,,
500000000,,cpu_atom/cycles/,500000000,100.00,,
END
report modes.csv
expect_value frequency 2
# That of cpu_atom was counted in the kernel, too, and the clock was not.
expect_equal "frequencies" "$(grep -c '"name":"frequency"' "$stdout")" 1
