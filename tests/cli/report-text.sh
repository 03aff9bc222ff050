#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Text from other programs: units of clocks, modes in names, cgroups, groups of repeated events,
# several runs in one text.
. "$(dirname "$0")/lib.sh"

# text FILE: make a file from standard input, like one that somebody kept
text()
{
	cat >"$tmp/$1"
}

# report FILE ARG ...: report the rows of a file in tma's JSON
report()
{
	file=$1
	shift
	run "$TMA" stat report "$tmp/$file" --format json "$@"
}

# value NAME [N]: print the value of the first (or Nth) event or metric of this name
value()
{
	sed -n 's/.*"name":"'"$1"'".*"value":\([^,]*\),.*/\1/p' "$stdout" | sed -n "${2-1}p" | sed 's/\(\.[0-9][0-9][0-9]\)[0-9]*/\1/'
}

# expect_value NAME VALUE [N]: the first (or Nth) event or metric of this name has this value
expect_value()
{
	expect_equal "$1 ${3-}" "$(value "$1" "${3-1}")" "$2"
}

begin "a clock has its unit, or the unit that its version did not print"
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

begin "digits may be in groups of four"
sed 's/500,000,000 /5,0000,0000 /; s/1,000,000,000/10,0000,0000/' "$tmp/clock.txt" >"$tmp/four.txt"
report four.txt
expect_value task-clock:u 500
expect_value cycles:u 1000000000
expect_value frequency 2

begin "in a name with a core type, modes follow the slash"
text modes.csv <<'END'
500000000,,task-clock:u,500000000,100.00,,
1000000000,,cpu_core/cycles/u,500000000,100.00,,
3000000000,,cpu_core/instructions/u,500000000,100.00,,
500000000,,cpu_atom/cycles/,500000000,100.00,,
END
report modes.csv
expect_value frequency 2
# The event of cpu_atom was also counted in the kernel, and the clock was not.
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

begin "a metric whose events are all missing has no value"
sed -n '/cycles/p; /instructions/p' "$tmp/common.csv" >"$tmp/few.csv"
report few.csv --cpuid skylakex -M frontend_cycles_idle,stalled_cycles_per_instruction,insn_per_cycle
expect_status 0
expect_equal "what is computed" "$(value frontend_cycles_idle)$(value stalled_cycles_per_instruction)" ""
expect_match stderr "^Left out stalled_cycles_per_instruction: the recording has no event stalled-cycles-frontend, stalled-cycles-backend$"
echo "1000000000,,stalled-cycles-frontend,2000000000,100.00,," >>"$tmp/few.csv"
report few.csv --cpuid skylakex -M frontend_cycles_idle,stalled_cycles_per_instruction
expect_value stalled_cycles_per_instruction 0.166

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

# another_run FILE LINE: the report is refused, since another run begins at this line
another_run()
{
	report "$1"
	expect_status 125
	expect_match stderr "$1: line $2: another run begins there: a report covers one run; split the file"
}

begin "another run is recognised even without a heading"
text run.csv <<'END'
100.00,msec,task-clock,100000000,100.00,,
200000000,,cycles,100000000,100.00,,
300000000,,instructions,100000000,100.00,,
END
sed 's/^[23]00/250/; s/^100.00/101.00/' "$tmp/run.csv" | cat "$tmp/run.csv" - >"$tmp/twice.csv"
another_run twice.csv 4
cat "$tmp/run.csv" "$tmp/run.csv" "$tmp/run.csv" >"$tmp/thrice.csv"
another_run thrice.csv 4
# A time of day that cannot occur twice in a run.
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

begin "an event that was counted several times does not begin another run"
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

begin "a group has no event twice, even where several ran for the same time"
text twice.csv <<'END'
90,,cpu_atom/TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS/,600000,0.06,,
3000,,cpu_atom/CPU_CLK_UNHALTED.CORE/,600000,0.06,,
3000,,cpu_atom/TOPDOWN_FE_BOUND.ALL/,600000,0.06,,
4000,,cpu_atom/TOPDOWN_BAD_SPECULATION.MISPREDICT/,600000,0.06,,
4000,,cpu_atom/CPU_CLK_UNHALTED.CORE/,600000,0.06,,
END
report twice.csv --cpuid alderlake -M tma_machine_clears,tma_frontend_bound
expect_value tma_machine_clears 0.6
expect_value tma_frontend_bound 20
sed -n 2,5p "$tmp/twice.csv" >"$tmp/order.csv"
sed -n 4,5p "$tmp/twice.csv" | sed 's/CPU_CLK_UNHALTED.CORE/TOPDOWN_FE_BOUND.ALL/; s/TOPDOWN_BAD_SPECULATION.MISPREDICT/CPU_CLK_UNHALTED.CORE/' >>"$tmp/order.csv"
report order.csv --cpuid alderlake -M tma_branch_mispredicts
expect_value tma_branch_mispredicts 26.666

begin "an event of another name that counts the same is taken where its group has all of a metric's"
text names.csv <<'END'
1000,,cpu_core/TOPDOWN.SLOTS/,498900000,49.89,,
150,,cpu_core/topdown-retiring/,498900000,49.89,,
100,,cpu_core/topdown-bad-spec/,498900000,49.89,,
400,,cpu_core/topdown-fe-bound/,498900000,49.89,,
350,,cpu_core/topdown-be-bound/,498900000,49.89,,
1000,,cpu_core/slots/,501100000,50.11,,
140,,cpu_core/topdown-retiring/,501100000,50.11,,
30,,cpu_core/topdown-heavy-ops/,501100000,50.11,,
100,,cpu_core/topdown-bad-spec/,501100000,50.11,,
400,,cpu_core/topdown-fe-bound/,501100000,50.11,,
360,,cpu_core/topdown-be-bound/,501100000,50.11,,
END
report names.csv --cpuid alderlake -M tma_retiring
# The metric's threshold also needs heavy operations.
expect_value tma_retiring 14
report names.csv --cpuid alderlake -M tma_backend_bound
expect_value tma_backend_bound 35

begin "events between two equal events were counted separately"
text alone.csv <<'END'
1000,,CPU_CLK_UNHALTED.THREAD,312500000,31.25,,
1600,,UOPS_RETIRED.RETIRE_SLOTS,312300000,31.23,,
2000,,UOPS_ISSUED.ANY,312600000,31.26,,
1000,,IDQ_UOPS_NOT_DELIVERED.CORE,313000000,31.30,,
100,,INT_MISC.RECOVERY_CYCLES,250400000,25.04,,
2000,,CPU_CLK_UNHALTED.THREAD,312900000,31.29,,
2400,,UOPS_ISSUED.ANY,312400000,31.24,,
END
report alone.csv --cpuid skylakex --smt off -M tma_bad_speculation
expect_value tma_bad_speculation 20
{
	sed -n 1,3p "$tmp/alone.csv"
	echo "3000,,CPU_CLK_UNHALTED.THREAD,312700000,31.27,,"
	echo "6000,,IDQ_UOPS_NOT_DELIVERED.CORE,313000000,31.30,,"
} >"$tmp/second.csv"
report second.csv --cpuid skylakex --smt off -M tma_frontend_bound,tma_retiring
expect_value tma_frontend_bound 50
expect_value tma_retiring 40

begin "the row next to a metric tells its group"
text beside.txt <<'END'

 Performance counter stats for 'system wide':

               180      cpu_atom/TOPDOWN_RETIRING.ALL/   #     14.0 %  tma_bad_speculation      (63.82%)
               400      cpu_atom/TOPDOWN_FE_BOUND.ALL/   #     40.0 %  tma_frontend_bound       (64.15%)
               300      cpu_atom/TOPDOWN_BE_BOUND.ALL/   #     30.0 %  tma_backend_bound
                                                  #     30.0 %  tma_backend_bound_aux    (64.39%)
               200      cpu_atom/CPU_CLK_UNHALTED.CORE/                                  (64.18%)
               150      cpu_atom/TOPDOWN_RETIRING.ALL/   #     15.0 %  tma_retiring             (54.67%)
               410      cpu_atom/TOPDOWN_FE_BOUND.ALL/                                   (54.30%)
               270      cpu_atom/TOPDOWN_BE_BOUND.ALL/                                   (53.96%)

       1.000000000 seconds time elapsed
END
report beside.txt --cpuid alderlake --topdown
expect_value tma_frontend_bound 40
expect_value tma_backend_bound 30
expect_value tma_retiring 15
expect_value tma_bad_speculation 14
sed -n 's/^ *\([0-9]*\) *\(cpu_atom[^ ]*\) *# *\([0-9.]*\) %  \([a-z_]*\) *(\(.*\)%)/\1,,\2,\50000000,\5,\3,%  \4/p; s/^ *\([0-9]*\) *\(cpu_atom[^ ]*\) *(\(.*\)%)/\1,,\2,\30000000,\3,,/p; s/^ *\([0-9]*\) *\(cpu_atom[^ ]*\) *# *\([0-9.]*\) %  \([a-z_]*\)$/\1,,\2,64390000000,64.39,,\n,,,,,\3,%  \4/p' \
	"$tmp/beside.txt" | sed 's/\.\([0-9][0-9]\)0000000,/\10000000,/' >"$tmp/beside.csv"
report beside.csv --cpuid alderlake --topdown
expect_value tma_backend_bound 30
expect_value tma_retiring 15
expect_value tma_bad_speculation 14
sed 's/^,,,,,\(.*\),%  \(.*\)/{"metric-value" : "\1", "metric-unit" : "%  \2"}/
	s/^\([0-9]*\),,\(.*\),\([0-9]*\),\([0-9.]*\),\([0-9.]*\),\(.*\)$/{"counter-value" : "\1.000000", "unit" : "", "event" : "\2", "event-runtime" : \3, "pcnt-running" : \4, "metric-value" : "\5", "metric-unit" : "\6"}/
	s/"metric-value" : "", "metric-unit" : ""/"metric-value" : "0", "metric-unit" : "(null)"/' "$tmp/beside.csv" >"$tmp/beside.json"
report beside.json --cpuid alderlake --topdown
expect_value tma_backend_bound 30
expect_value tma_retiring 15
expect_value tma_bad_speculation 14

begin "names of sysfs on cores with four slots are the vendor's events"
text sysfs.csv <<'END'
200,,topdown-fetch-bubbles,1000000000,100.00,,
100,,topdown-recovery-bubbles,1000000000,100.00,,
600,,topdown-slots-issued,1000000000,100.00,,
400,,topdown-slots-retired,1000000000,100.00,,
1000.00,,topdown-total-slots,1000000000,100.00,,
END
report sysfs.csv --cpuid haswell --topdown
expect_value tma_retiring 40
expect_value tma_bad_speculation 30
expect_value tma_frontend_bound 20
expect_value tma_backend_bound 10
report sysfs.csv --cpuid haswell -M tma_retiring
expect_value topdown-total-slots 1000
report sysfs.csv --cpuid icelakex --topdown
expect_status 125

begin "a table of one core type has its metrics once, and no note of formulas that lack"
text core.txt <<'END'
     10,000,000      cpu_core/TOPDOWN.SLOTS/
      2,000,000      cpu_core/topdown-retiring/
      1,000,000      cpu_core/topdown-bad-spec/
      1,000,000      cpu_core/topdown-fe-bound/
      6,000,000      cpu_core/topdown-be-bound/
        100,000      cpu_core/INT_MISC.UOP_DROPPING/
END
report core.txt --cpuid alderlake --topdown
expect_value tma_frontend_bound 9
expect_value tma_frontend_bound "" 2
expect_no_match stderr "formulas"
text atom.txt <<'END'
     1,000,000      cpu_atom/CPU_CLK_UNHALTED.CORE/
       500,000      cpu_atom/TOPDOWN_RETIRING.ALL/
     2,000,000      cpu_atom/TOPDOWN_BE_BOUND.ALL/
     2,000,000      cpu_atom/TOPDOWN_FE_BOUND.ALL/
END
report atom.txt --cpuid alderlake --topdown
expect_value tma_retiring 10
expect_no_match stderr "topdown-retiring"

begin "the length of a run is read in an answered mail, and text below a table is not its end"
text mail.txt <<'END'
> >  Performance counter stats for 'system wide':
> >
> >     10,000,000,000      slots
> >      2,000,000,000      topdown-retiring                 #     20.0 %  tma_retiring
> >
> >        1.500000000 seconds time elapsed
END
run "$TMA" stat report "$tmp/mail.txt"
expect_match stderr "^ +1.500000000 seconds time elapsed"
expect_no_match stderr "it ends before"
grep -v elapsed "$tmp/mail.txt" >"$tmp/snipped.txt"
run "$TMA" stat report "$tmp/snipped.txt"
expect_match stderr "it ends before 'seconds time elapsed'"
echo "I see the same here." >>"$tmp/snipped.txt"
run "$TMA" stat report "$tmp/snipped.txt"
expect_no_match stderr "it ends before"

begin "names that the kernel has on every CPU say nothing of the model"
text generic.csv <<'END'
1000,,instructions,100,100.00,,
500,,cycles,100,100.00,,
7,,L1-dcache-loads,100,100.00,,
END
run "$TMA" --machine skylakex stat report "$tmp/generic.csv" --topdown
expect_status 125
expect_no_match stderr "these models have them|are in the tables of"
run "$TMA" stat report "$tmp/generic.csv"
expect_no_match stderr "the bottleneck of these counts"
sed 's/,instructions,/,cpu_atom\/instructions\/,/' "$tmp/generic.csv" >"$tmp/atoms.csv"
run "$TMA" --machine skylakex stat report "$tmp/atoms.csv" --topdown
expect_match stderr "If .*atoms.csv is from another CPU, .*are in the tables of: alderlake"

export TMA_SIM_STEP=100
begin "the time stamp counter of all CPUs is that of one where a formula means it"
sim skylakex stat -a -M tma_info_system_core_frequency -x, -o "$tmp/tsc.csv" --timeout 100
expect_status 0
report tsc.csv --cpuid skylakex -M tma_info_system_core_frequency
found=$(value tma_info_system_core_frequency)
sim skylakex stat -a -M tma_info_system_core_frequency --format json --timeout 100
expect_equal "the frequency" "$found" "$(value tma_info_system_core_frequency)"
sed 's/,msr\/tsc\/,/,TSC,/' "$tmp/tsc.csv" >"$tmp/name.csv"
report name.csv --cpuid skylakex -M tma_info_system_core_frequency
expect_equal "the frequency of TSC" "$(value tma_info_system_core_frequency)" "$found"
sim lunarlake stat -a -M tma_info_system_core_frequency -x, -o "$tmp/core.csv" --timeout 100
report core.csv --cpuid lunarlake -M tma_info_system_core_frequency
found_core=$(value tma_info_system_core_frequency)
sim lunarlake stat -a -M tma_info_system_core_frequency --format json --timeout 100
expect_equal "the frequency of a core type" "$found_core" "$(value tma_info_system_core_frequency)"
sed 's/,msr\/tsc\/,/,msr\/aperf\/,/' "$tmp/tsc.csv" >"$tmp/aperf.csv"
report aperf.csv --cpuid skylakex -M tma_info_system_core_frequency
expect_status 125

begin "a table tells for how long the TSC was counted by its clock, or a line says what is taken"
text tsc.txt <<'END'

 Performance counter stats for 'system wide':

          1,600.00 msec cpu-clock                        #   16.000 CPUs utilized
       800,000,000      CPU_CLK_UNHALTED.REF_TSC
     1,600,000,000      CPU_CLK_UNHALTED.THREAD
     3,200,000,000      TSC
       100,000,000 ns   duration_time

       0.100000000 seconds time elapsed
END
report tsc.txt --cpuid skylakex -M tma_info_system_core_frequency
expect_value tma_info_system_core_frequency 4
expect_no_match stderr "how many CPUs"
grep -v cpu-clock "$tmp/tsc.txt" >"$tmp/no-clock.txt"
report no-clock.txt --cpuid skylakex -M tma_info_system_core_frequency
expect_match stderr "no-clock.txt does not show on how many CPUs TSC was counted"
# The time stamps give the length of a row of -I.
sed -n 's/^ \( .*\(clock\|UNHALTED\|TSC\|duration\).*\)/     1.000000000 \1/p' "$tmp/tsc.txt" >"$tmp/rows.txt"
sed 's/1.000000000/1.100000000/' "$tmp/rows.txt" >>"$tmp/rows.txt.2"
cat "$tmp/rows.txt.2" >>"$tmp/rows.txt"
report rows.txt --cpuid skylakex -M tma_info_system_core_frequency
expect_value tma_info_system_core_frequency 4
expect_value tma_info_system_core_frequency 4 2
expect_match stdout '"time":1.100000000,.*"name":"TSC",.*"running_ns":1600000000,'

begin "a pipe without an end is refused by its first lines; counts below many lines are found"
run timeout 20 sh -c "yes | '$TMA' stat report"
expect_status 125
expect_match stderr 'standard input is not a recording: its first lines have neither a count nor JSON, and it is too long to read on$'
{
	seq -f "line %g of the program" 9000
	echo '{"counter-value" : "5.000000", "unit" : "", "event" : "cs", "event-runtime" : 1, "pcnt-running" : 100.00}'
} >"$tmp/late.json"
run sh -c 'cat "$2" | "$1" stat report -' sh "$TMA" "$tmp/late.json"
expect_match stderr '^ +5 +cs'
run "$TMA" stat report "$tmp/late.json"
expect_match stderr '^ +5 +cs'

begin "metrics of counts from another, hybrid CPU are printed once, and what is left out says of which cores"
sim alderlake stat -a -M TopdownL1 -j -o "$tmp/hybrid.json" --timeout 100
run "$TMA" --machine skylakex stat report --topdown "$tmp/hybrid.json" --cpuid rocketlake
expect_equal "columns" "$(grep -h '^ pmu ' "$stdout" "$stderr" | grep -o tma_retiring | wc -l)" 1
expect_match stderr '^Left out tma_retiring of cpu_atom: the recording has no event'

begin "JSON of metrics alone says that counts are needed"
sim skylakex stat -a --topdown --format=json -o "$tmp/metrics.json" --timeout 100
grep -v '"type":"event"' "$tmp/metrics.json" >"$tmp/alone.json"
run "$TMA" stat report "$tmp/alone.json"
expect_status 125
expect_match stderr 'alone.json has only metrics \(--metric-only\): counts are needed$'
