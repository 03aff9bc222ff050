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

begin "the metrics that perf has for every CPU are computed of any form"
text common.csv <<'END'
2000.00,msec,cpu-clock,2000000000,100.00,,
200,,context-switches,2000000000,100.00,,
40,,cpu-migrations,2000000000,100.00,,
600,,page-faults,2000000000,100.00,,
4000000000,,cycles,2000000000,100.00,,
6000000000,,instructions,2000000000,100.00,,
1000000000,,branches,2000000000,100.00,,
50000000,,branch-misses,2000000000,100.00,,
2000000000,ns,duration_time,2000000000,100.00,,
END
sed 's/\(.*\),\(.*\),\(.*\),2000000000,100.00,,/            \1 \2 \3/; s/  *\([a-z_-]*\)$/ \1/; s/^\([ 0-9.]*[0-9]\)  *\([a-z-]*\)$/\1      \2/' \
	"$tmp/common.csv" >"$tmp/common.txt"
sed 's/cpu-clock/task-clock/' "$tmp/common.csv" >"$tmp/task.csv"
sed 's/cpu-clock/cpu-clock [software]/; s/page-faults/page-faults [software]/; s/^/CPU0,/' "$tmp/common.csv" >"$tmp/cpu.csv"
sed 's/cpu-clock/software\/cpu-clock\//; s/page-faults/software\/page-faults\//; s/2000.00,msec/2000000000,/' "$tmp/common.csv" >"$tmp/pmu.csv"
for file in common.csv common.txt task.csv cpu.csv pmu.csv; do
	report $file --cpuid skylakex \
		-M CPUs_utilized,cs_per_second,migrations_per_second,page_faults_per_second,cycles_frequency,insn_per_cycle,branch_frequency,branch_miss_rate
	expect_status 0
	expect_no_match stderr "Left out"
	expect_value CPUs_utilized 1
	expect_value cs_per_second 100
	expect_value page_faults_per_second 300
	expect_value cycles_frequency 2
	expect_value insn_per_cycle 1.5
	expect_value branch_miss_rate 5
done

text cgroups.txt <<'END'

 Performance counter stats for 'system wide':

            100.00 msec cpu-clock                        A  #    0.100 CPUs utilized
       100,000,000      cycles                           A  #    1.000 GHz
       200,000,000      instructions                     A  #    2.00 insn per cycle
            200.00 msec cpu-clock                        B  #    0.200 CPUs utilized
       500,000,000      cycles                           B  #    2.500 GHz
     3,000,000,000      instructions                     B  #    6.00 insn per cycle

       1.000000000 seconds time elapsed
END

begin "ratios of a cgroup are of its own counts"
report cgroups.txt
expect_value frequency 1
expect_value insn_per_cycle 2
expect_value frequency 2.5 2
expect_value insn_per_cycle 6 2
expect_match stdout '"name":"cycles".*"cgroup":"B"|"cgroup":"B".*"name":"cycles"'

begin "cgroups may take turns, and lack events, in CSV as in a table"
text turns.csv <<'END'
100000000,,cycles,A,1000000000,100.00,,
500000000,,cycles,B,1000000000,100.00,,
3000000000,,instructions,B,1000000000,100.00,,
200000000,,instructions,A,1000000000,100.00,,
7,,page-faults,A,1000000000,100.00,,
END
report turns.csv --cpuid skylakex -M insn_per_cycle
expect_equal "insn_per_cycle" "$(value insn_per_cycle '1,9' | tr '\n' ' ')" "2 6 "
grep -v "instructions,B" "$tmp/turns.csv" >"$tmp/lacks.csv"
report lacks.csv --cpuid skylakex -M insn_per_cycle
expect_match stderr "^Left out insn_per_cycle in B: the recording has no event instructions$"
expect_equal "insn_per_cycle" "$(value insn_per_cycle '1,9' | tr '\n' ' ')" "2 "

begin "where only metrics are printed, each cgroup has its line"
run "$TMA" stat report "$tmp/cgroups.txt" --metric-only
expect_match stderr "^ A +1.000 +2.00 *$"
expect_match stderr "^ B +2.500 +6.00 *$"

# another_run FILE LINE: the report is refused, as another run begins there
another_run()
{
	report "$1"
	expect_status 125
	expect_match stderr "$1: line $2: another run begins there: a report covers one run; split the file"
}

begin "another run is told without a heading of its own"
text run.csv <<'END'
100.00,msec,task-clock,100000000,100.00,,
200000000,,cycles,100000000,100.00,,
300000000,,instructions,100000000,100.00,,
END
sed 's/^[23]00/250/; s/^100.00/101.00/' "$tmp/run.csv" | cat "$tmp/run.csv" - >"$tmp/twice.csv"
another_run twice.csv 4
cat "$tmp/run.csv" "$tmp/run.csv" "$tmp/run.csv" >"$tmp/thrice.csv"
another_run thrice.csv 4
# A clock of which the run cannot have two.
{
	cat "$tmp/run.csv"
	echo "10,,branches,150000000,100.00,,"
	echo "150.00,msec,task-clock,150000000,100.00,,"
} >"$tmp/other.csv"
another_run other.csv 5
sed 1,4d "$tmp/cgroups.txt" | sed 's/  [AB]  /     /' | cat "$tmp/clock.txt" - >"$tmp/joined.txt"
another_run joined.txt 9
sed 's/^/0.1,/; s/,100.00,,/,100.00,,/' "$tmp/run.csv" | sed 's/^0.1,/0.100000000,/' >"$tmp/first.csv"
sed 's/^0.1/0.2/' "$tmp/first.csv" | cat "$tmp/first.csv" - "$tmp/first.csv" >"$tmp/restart.csv"
another_run restart.csv 7

begin "events that were counted several times in one run are not another run"
sed 's/,task-clock/,task-clock,A/; s/,cycles/,cycles,A/; s/,instructions/,instructions,A/' "$tmp/run.csv" >"$tmp/a.csv"
sed 's/,A,/,B,/' "$tmp/a.csv" | cat "$tmp/a.csv" - >"$tmp/ab.csv"
sed 's/^/CPU0,/' "$tmp/run.csv" >"$tmp/labels.csv"
sed 's/^/CPU1,/' "$tmp/run.csv" >>"$tmp/labels.csv"
grep -v clock "$tmp/run.csv" | sed 's/100.00,,$/50.00,,/' >"$tmp/half.csv"
cat "$tmp/half.csv" "$tmp/half.csv" >"$tmp/turns.csv"
{
	cat "$tmp/run.csv"
	echo "100.01,msec,task-clock,100000000,100.00,,"
} >"$tmp/clocks.csv"
for file in ab.csv labels.csv turns.csv clocks.csv; do
	report $file
	expect_status 0
done

begin "rows below the length of a run are of another if they are its, or have a length too"
sed '/Performance/d; s/cycles:u/branches:u/; s/task-clock:u /page-faults:k/; s/page-faults:u/cs         /' "$tmp/clock.txt" | cat "$tmp/clock.txt" - >"$tmp/others.txt"
another_run others.txt 11
{
	cat "$tmp/clock.txt"
	echo "             1,000      branches:u"
} >"$tmp/stray.txt"
report stray.txt
expect_status 0
expect_value branches:u 1000
