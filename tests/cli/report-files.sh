#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counts from other programs: tables for people of any version and locale, facts that these lack
# about their computer, level 1 without its corrections, verdicts on events that took turns.
. "$(dirname "$0")/lib.sh"

# table FILE: make a file from standard input, like one that perf wrote for people
table()
{
	cat >"$tmp/$1"
}

# report FILE ARG ...: report a file in $tmp
report()
{
	file=$1
	shift
	run "$TMA" stat report "$tmp/$file" "$@"
}

# metric NAME: print its value, status and reason from the output of --format json, with bars
# between
metric()
{
	sed -n 's/.*"type":"metric".*"name":"'"$1"'".*"value":\([^,]*\),.*"status":"\([^"]*\)","reason":"\([^"]*\)".*/\1|\2|\3/p' \
		"$stdout" "$stderr" | sed 's/\(\.[0-9]\)[0-9]*|/\1|/'
}

expect_metric()
{
	[ $test_state = ok ] || return 0
	found=$(metric "$1")
	[ "$found" = "$2" ] || fail "$1 is '$found' instead of '$2'"
}

table system.txt <<'END'

 Performance counter stats for 'system wide':

    10.000.000.000      slots                                                                 (99,43%)
     2.000.000.000      topdown-retiring                 #     20,0 %  retiring               (99,43%)
     1.000.000.000      topdown-bad-spec                 #     10,0 %  bad speculation        (99,43%)
     4.000.000.000      topdown-fe-bound                 #     40,0 %  frontend bound         (99,43%)
     3.000.000.000      topdown-be-bound                 #     30,0 %  backend bound          (99,43%)
   <not supported>      LLC-loads
            101,53 msec cpu-clock                        #    1,000 CPUs utilized

       1,002345678 seconds time elapsed

END

begin "a table for people is read, whatever its locale"
report system.txt -x, -o "$tmp/out"
expect_status 0
run sed 1,2d "$tmp/out"
expect_stdout <<END
10000000000,,slots,996632307,99.00,98.493,G/sec
2000000000,,topdown-retiring,996632307,99.00,19.699,G/sec
1000000000,,topdown-bad-spec,996632307,99.00,9.849,G/sec
4000000000,,topdown-fe-bound,996632307,99.00,39.397,G/sec
3000000000,,topdown-be-bound,996632307,99.00,29.548,G/sec
<not supported>,,LLC-loads,0,100.00,,
101.53,msec,cpu-clock,1002345677,100.00,0.101,CPUs utilized
END

begin "level 1 is computed without the events that only correct it, and says so" # R50
report system.txt --cpuid icelakex --topdown --format json
expect_status 0
expect_metric tma_frontend_bound "40|approximate|INT_MISC.UOP_DROPPING: not counted, and assumed to be 0"
expect_metric tma_backend_bound "30|approximate|INT_MISC.CLEARS_COUNT: not counted, and assumed to be 0"
expect_metric tma_bad_speculation \
	"10|approximate|INT_MISC.UOP_DROPPING, INT_MISC.CLEARS_COUNT: not counted, and assumed to be 0"
expect_metric tma_retiring "20|scaled|an estimate, since events were multiplexed"

begin "the verdict of it has an error that is assumed"
report system.txt --cpuid icelakex --topdown --verdict
expect_match stderr "^ Verdict: tma_frontend_bound 40.0 % \+- 0.[0-9]$"
expect_match stderr "errors are not measured: rates are assumed to vary by half from turn to turn"

begin "a first level that does not add up is judged by nobody" # R49
table zeros.txt <<'END'
        1,000      cpu_atom/CPU_CLK_UNHALTED.CORE/
            0      cpu_atom/TOPDOWN_RETIRING.ALL/
            0      cpu_atom/TOPDOWN_FE_BOUND.ALL/
        2,400      cpu_atom/TOPDOWN_BE_BOUND.ALL_P/
          400      cpu_atom/TOPDOWN_BAD_SPECULATION.ALL_P/
END
report zeros.txt --cpuid lunarlake --topdown --verdict
expect_match stderr "^ Verdict: none: the first level adds up to 35.0 % of the slots, not to 100 %$"

begin "the heading says what was counted, and SMT is told from the events"
table task.txt <<'END'
 Performance counter stats for './a.out':

        35,999,534      cpu_clk_unhalted.one_thread_active                                     (71.35%)
       133,499,018      int_misc.recovery_cycles_any                                           (71.36%)
    10,736,468,874      uops_issued.any                                                        (71.40%)
     3,518,076,530      idq_uops_not_delivered.core                                            (57.24%)
        78,296,616      cpu_clk_unhalted.ref_xclk                                              (57.25%)
     8,894,997,400      cpu_clk_unhalted.thread                                                (71.50%)
    10,409,738,753      uops_retired.retire_slots                                              (71.40%)
END
report task.txt --cpuid cascadelakex -M TopdownL1 --format json
expect_match stderr "does not show whether SMT was on: metrics are computed as with SMT on"
expect_metric tma_retiring "40.0|scaled|an estimate, since events were multiplexed"

begin "--smt and --scope say it"
report task.txt --cpuid cascadelakex -M tma_retiring --smt off --scope core --format json
expect_metric tma_retiring "29.2|scaled|an estimate, since events were multiplexed"
report task.txt --smt maybe
expect_status 129
expect_match stderr "^tma: --smt: unknown value 'maybe'; use off or on$"
report task.txt --scope cpu
expect_status 129
expect_match stderr "^tma: --scope: unknown value 'cpu'; use task or core$"

begin "of an event in several groups, that of the metric's group is taken"
table groups.csv <<'END'
100,,cpu_atom/TOPDOWN_RETIRING.ALL/,3200000,0.32,,
50,,cpu_atom/CPU_CLK_UNHALTED.CORE/,3200000,0.32,,
100,,cpu_atom/TOPDOWN_FE_BOUND.ALL/,3200000,0.32,,
40,,cpu_atom/CPU_CLK_UNHALTED.CORE/,2500000,0.25,,
80,,cpu_atom/TOPDOWN_FE_BOUND.ALL/,2500000,0.25,,
50,,cpu_atom/TOPDOWN_BE_BOUND.ALL/,2500000,0.25,,
END
report groups.csv --cpuid alderlake -M tma_backend_bound --format json
expect_metric tma_backend_bound "25|scaled|an estimate, since events were multiplexed"

begin "a literal that no file tells comes from the core's id, from --set, or is said"
table arm.txt <<'END'
        1,000      cpu_cycles
        2,000      stall_slot
        1,000      op_spec
        1,000      op_retired
END
report arm.txt --cpuid "Neoverse N2" -M retiring --format json
expect_metric retiring "80|counted|"
report arm.txt --cpuid 0x00000000410fd999 -M 'x = cpu_cycles / #slots' --format json
expect_metric x "null|no value|#slots: not known for that machine (--set gives its value)"
report arm.txt --cpuid 0x00000000410fd999 -M 'x = cpu_cycles / #slots' --set '#slots=8' --format json
expect_metric x "125|counted|"
report arm.txt --set '#slts=8'
expect_status 129
expect_match stderr "^tma: --set #slts=8: give NAME=NUMBER with one of the names #num_cpus, "

begin "a CPU has several names"
for name in skylakex SkylakeX GenuineIntel-6-55-4 6-85-4; do
	report task.txt --cpuid "$name" -M tma_retiring --format json
	expect_status 0
done
report task.txt --cpuid nosuchlake -M tma_retiring
expect_status 125
expect_match stderr "^tma: --cpuid nosuchlake: not a CPU id"
expect_match stderr "^models: .*alderlake.*amdzen4"

begin "/proc/cpuinfo names it too"
table cpuinfo <<'END'
processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 85
model name	: Some CPU @ 2.10GHz
stepping	: 4
END
report task.txt --cpuid "$tmp/cpuinfo" -M tma_retiring --format json
expect_status 0

begin "a line of the file names it"
{
	echo "# cpuid: GenuineIntel-6-55-7"
	cat "$tmp/task.txt"
} >"$tmp/named.txt"
report named.txt -M tma_retiring --format json
expect_metric tma_retiring "40.0|scaled|an estimate, since events were multiplexed"
expect_no_match stderr "do not name their CPU"

begin "several files are read one after the other, whatever is wrong with one"
run "$TMA" stat report "$tmp/task.txt" "$tmp/nosuch" "$tmp/arm.txt"
expect_status 125
expect_match stderr "cannot open $tmp/nosuch"
expect_match stderr "Performance counter stats for '$tmp/task.txt'"
expect_match stderr "Performance counter stats for '$tmp/arm.txt'"
run "$TMA" stat report -i "$tmp/task.txt" "$tmp/arm.txt"
expect_status 129

begin "a decimal comma in CSV is not a separator"
table comma.csv <<'END'
225851,20;msec;task-clock;225851200000;100,00;1,003;CPUs utilized
1234;;cycles;225851200000;50,00;;
END
report comma.csv -x, -o "$tmp/out"
run sed 1,2d "$tmp/out"
expect_match stdout "^225851.20,msec,task-clock,225851200000,100.00,"
expect_match stdout "^1234,,cycles,225851200000,50.00,"

begin "formats of perf mark what is approximate as what is assumed"
report system.txt --cpuid icelakex -M tma_frontend_bound,tma_retiring -x,
expect_match stderr ',40.0,%  tma_frontend_bound,metric assumed$'
expect_no_match stderr 'tma_retiring,metric assumed'
report system.txt --cpuid icelakex -M tma_frontend_bound,tma_retiring -j
expect_match stderr '"%  tma_frontend_bound", "status" : "metric assumed"'
report system.txt --cpuid icelakex -M tma_frontend_bound,tma_retiring --metric-only -j
expect_match stderr '"assumed" : "%  tma_frontend_bound"'

begin "a retire latency that nobody counted, or of which there was no sample, is the table's"
table latency.csv <<'END'
1000000,,MEM_INST_RETIRED.STLB_HIT_STORES,1000000000,100.00,,
5000000,,DTLB_STORE_MISSES.WALK_ACTIVE,1000000000,100.00,,
100000000,,CPU_CLK_UNHALTED.THREAD,1000000000,100.00,,
END
{
	cat "$tmp/latency.csv"
	echo "0,,MEM_INST_RETIRED.STLB_HIT_STORES:R,1000000000,100.00,,"
} >"$tmp/latency0.csv"
# latency FILE WHY RUNNING: the report assumes the latency, for the reason WHY
latency()
{
	report "$1" --cpuid graniterapids -M tma_dtlb_store --format json
	expect_status 0
	expect_metric tma_dtlb_store \
		"10.2|assumed|MEM_INST_RETIRED.STLB_HIT_STORES:R: the vendor's mean latency, $2"
	report "$1" --cpuid graniterapids -M tma_dtlb_store -x,
	expect_match stderr ",10.2,%  tma_dtlb_store,metric assumed$"
	expect_match stderr "^5.24,cycles,MEM_INST_RETIRED.STLB_HIT_STORES:R,$3,0,samples,assumed$"
	report "$1" --cpuid graniterapids -M tma_dtlb_store
	expect_match stderr "# +~10.2 %  tma_dtlb_store"
	expect_no_match stderr "To count what is missing"
}
latency latency.csv "not measured here" 0,0.00
latency latency0.csv "since there was no sample" 1000000000,100.00

begin "each of several cgroups has its metrics"
table cgroups.txt <<'END'
 Performance counter stats for 'system wide':

     1,000,000,000      slots                     A
       200,000,000      topdown-retiring          A    #     20.0 %  tma_retiring
       100,000,000      topdown-bad-spec          A
       400,000,000      topdown-fe-bound          A
       300,000,000      topdown-be-bound          A
     1,000,000,000      slots                     B
       700,000,000      topdown-retiring          B    #     70.0 %  tma_retiring
       100,000,000      topdown-bad-spec          B
       100,000,000      topdown-fe-bound          B
       100,000,000      topdown-be-bound          B

       1.002345678 seconds time elapsed
END
report cgroups.txt --cpuid icelakex -M tma_retiring --format json
expect_metric tma_retiring "20|counted|
70|counted|"
expect_match stdout '"name":"tma_retiring".*"cgroup":"B".*"value":70|"cgroup":"B".*"name":"tma_retiring".*"value":70'
sed -n 's/^ *\([0-9,]*\) *\([a-z-]*\)  *\([AB]\)  *.*/\1 \2 \3/; s/^ *\([0-9,]*\) *\([a-z-]*\)  *\([AB]\)$/\1 \2 \3/; /^[0-9,]* [a-z-]* [AB]$/p' \
	"$tmp/cgroups.txt" | tr -d , | while read -r value event cgroup; do
	echo "$value,,$event,$cgroup,1000000000,100.00,,"
done >"$tmp/cgroups.csv"
report cgroups.csv --cpuid icelakex -M tma_retiring --format json
expect_metric tma_retiring "20|counted|
70|counted|"
sed 's/\(.*\),,\(.*\),\([AB]\),\(.*\),100.00,,/{"counter-value" : "\1.000000", "unit" : "", "event" : "\2", "cgroup" : "\3", "event-runtime" : \4, "pcnt-running" : 100.00}/' \
	"$tmp/cgroups.csv" >"$tmp/cgroups.json"
report cgroups.json --cpuid icelakex -M tma_retiring --format json
expect_metric tma_retiring "20|counted|
70|counted|"

begin "text that is quoted in a mail is read, even if its lines are wrapped"
table mail.txt <<'END'
> >  Performance counter stats for 'system wide':
> >
> >     10,000,000,000      slots
> >                         (50.00%)
> >      2,000,000,000      topdown-retiring                 #     20.0 %  tma_retiring
> >                         (50.00%)
> >      1,000,000,000      topdown-bad-spec                                               (50.00%)
> >      4,000,000,000      topdown-fe-bound                                               (50.00%)
> >      3,000,000,000      topdown-be-bound
> >                         (50.00%)
> >
> >        1.000000000 seconds time elapsed
END
report mail.txt -x, -o "$tmp/out"
run cut -d, -f1-5 "$tmp/out"
expect_match stdout '^10000000000,,slots,500000000,50.00'
expect_match stdout '^3000000000,,topdown-be-bound,500000000,50.00'
report mail.txt --cpuid icelakex -M tma_retiring --format json
expect_metric tma_retiring "20|scaled|an estimate, since events were multiplexed"

# Rows with each kind of label, as different versions print them; the counts are always the same.
begin "labels of all versions are read, and the number of counters after them"
for label in "CPU0        " "S0-D0-C0           2 " "S0-C0           2 " "S0-D0           4 " \
	"S0           8 " "N0               8 " "S0-D0-L3-ID0     16 " "S0-D0-CLS0       4 "; do
	for time in "" "     1.001234567 "; do
		printf '%s%s        1,000,000      slots\n%s%s          200,000      topdown-retiring\n' \
			"$time" "$label" "$time" "$label" >"$tmp/labels.txt"
		report labels.txt --format json
		expect_status 0
		expect_match stdout '"name":"slots".*"value":1000000,'
		expect_match stdout '"name":"topdown-retiring".*"value":200000,'
	done
done

begin "JSON of 6.1 to 7.x"
table versions.json <<'END'
{"core" : "S0-D0-C15", "aggregate-number" : 2, "counter-value" : "2675.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2864158100.00, "pcnt-running" : 100.00, "metric-value" : 0.341252, "metric-unit" : "GHz"}
{"core" : "S0-D0-C15", "aggregate-number" : 2, "metric-value" : 0.192975, "metric-unit" : "stalled cycles per insn"}
{"core" : "S0-D0-C16", "counters" : 2, "counter-value" : "3000.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2864158, "pcnt-running" : 50.00, "metric-value" : "nan", "metric-unit" : "(null)"}
{"core" : "S0-D0-C17", "counters" : 2, "counter-value" : 4000.0, "unit" : "", "event" : "cycles", "event-runtime" : 2864158, "pcnt-running" : 100.00, "metric-value" : nan, "metric-unit" : "GHz", "metric-threshold" : "unknown"}
{"core" : "S0-D0-C17", "metricgroup" : "TopdownL1"}
{"core" : "S0-D0-C19", "counters" : 2, "counter-value" : "50000000000001.000000", "unit" : "", "event" : "cycles", "event-runtime" : 2864158, "pcnt-running" : 100.00}
{"core" : "S0-D0-C18", "counters" : 0, "counter-value" : "<not counted>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 0.00}
END
report versions.json --format csv
expect_status 0
expect_match stderr "^S0-D0-C15,2,2675,,cycles,2864158100,100.00,"
expect_match stderr "^S0-D0-C16,2,3000,,cycles,2864158,50.00,"
expect_match stderr "^S0-D0-C17,2,4000,,cycles,2864158,100.00,"
expect_match stderr "^S0-D0-C18,[0-9]*,<not counted>,,cycles,"
expect_match stderr "^S0-D0-C19,2,50000000000001,,cycles,2864158,100.00,"

begin "files of tma say of which CPU they are, each in its way"
for format in text csv json; do
	run "$TMA" --machine skylakex stat -a --per-core -M tma_retiring --format $format -o "$tmp/own" -- true
	expect_status 0
	expect_match "$tmp/own" 'cpuid(":"|: )GenuineIntel-6-55-4("[,}]|$)'
	expect_equal "where" "$(grep -n cpuid "$tmp/own" | cut -d: -f1)" "$([ $format = json ] && echo 1 || echo 2)"
	report own -M tma_retiring --format csv
	expect_status 0
	expect_match stderr "^S0-D0-C0,2,[0-9]+,,.*%  tma_retiring$"
	expect_no_match stderr "do not name their CPU"
	cp "$tmp/own" "$tmp/own.$format"
done
run "$TMA" --machine skylakex stat -a -M tma_retiring --format prom -o "$tmp/own" -- true
expect_match "$tmp/own" '^tma_cpu_info\{cpuid="GenuineIntel-6-55-4"\} 1$'

# own_rows FILE: for each event in tma's JSON, print its unit and time, and its value
own_rows()
{
	sed -n 's/.*"type":"event",.*\("row":.*"name":"[a-z]*",\).*\("value":[0-9]*\),.*/\1\2/p' "$1" | sed 's/"cpus":[0-9]*,//'
}

begin "JSON of tma's own is read as it was printed"
for rows in "" -A --per-socket --per-node --per-die "-I 50"; do
	# shellcheck disable=SC2086 # two words
	run "$TMA" --machine skylakex stat -a $rows -e cycles,instructions --format json -o "$tmp/own.json" -- sleep 0.12
	expect_status 0
	report own.json --format json
	expect_status 0
	# A busy computer misses rows; only the run itself knows which.
	own_rows "$tmp/own.json" | sed 's/"missed_rows":[0-9]*,//' >"$tmp/before"
	own_rows "$stdout" >"$tmp/after"
	expect_equal "the rows of '$rows'" "$(cat "$tmp/after")" "$(cat "$tmp/before")"
done

begin "perf's files stay perf's"
ln -s "$TMA" "$tmp/perf"
run "$tmp/perf" --machine skylakex stat -a -e cycles -x, -o "$tmp/own" -- true
expect_no_match "$tmp/own" cpuid
expect_equal "the second line" "$(sed -n 2p "$tmp/own")" ""

begin "if the CPU is not given, a message says what to type"
report task.txt
expect_status 0
expect_match stderr "^tma: the bottleneck of these counts: tma stat report --verdict --cpuid NAME .*task.txt, where NAME is, judging by the events, one of .*skylakex"
report named.txt
expect_match stderr "^tma: the bottleneck of these counts: tma stat report --verdict [^ ]*named.txt$"
report named.txt --verdict
expect_match stderr "^ Verdict: tma_backend_bound"
expect_no_match stderr "the bottleneck of these counts"
run "$TMA" --machine zen4 stat report "$tmp/task.txt" --verdict
expect_status 125
expect_match stderr "^If .*task.txt is from another CPU, name it with --cpuid NAME. Most of its events, 7 of 7, are in the tables of:.* skylakex"

table level1.txt <<'END'
 Performance counter stats for 'system wide':

     1,000,000      cpu_atom/CPU_CLK_UNHALTED.CORE/
       500,000      cpu_atom/TOPDOWN_RETIRING.ALL/           #     10.0 %  tma_retiring
     2,000,000      cpu_atom/TOPDOWN_BE_BOUND.ALL/
       100,000      cpu_atom/TOPDOWN_BE_BOUND.MEM_SCHEDULER/

       1.003456789 seconds time elapsed
END

begin "a verdict names the metrics of the first level that could not be computed, and what they lack"
report level1.txt --cpuid alderlake --verdict
expect_status 0
expect_match stderr "^ Verdict: none: the first level adds up to 50.0 % of the slots, not to 100 %$"
expect_match stderr "^          not computed: tma_frontend_bound \(no event cpu_atom/TOPDOWN_FE_BOUND.ALL/\), tma_bad_speculation \(no event cpu_atom/TOPDOWN_FE_BOUND.ALL/"
report level1.txt --cpuid alderlake --verdict --format json
expect_match stdout '"reason":"the first level does not add up to 100 %; not computed: tma_frontend_bound \(no event '
expect_no_match stdout "if the counts come from another CPU"
sed 's/^    *500,000 /  <not counted> /' "$tmp/level1.txt" >"$tmp/uncounted.txt"
report uncounted.txt --cpuid alderlake --verdict
expect_match stderr "^          not computed: .*tma_retiring \(no count of TOPDOWN_RETIRING.ALL\)|^          not computed: .*tma_retiring \(no count of cpu_atom/TOPDOWN_RETIRING.ALL/\)"

begin "counts taken to be of this machine's CPU, whose first level does not add up, may be of another"
run "$TMA" --machine alderlake stat report "$tmp/level1.txt" --verdict
expect_match stderr "^          if the counts come from another CPU, name it with --cpuid NAME; judging by the events, it may be alderlake, "
run "$TMA" --machine alderlake stat report "$tmp/level1.txt" --verdict --format json
expect_match stdout '"reason":"the first level .*; if the counts come from another CPU, name it with --cpuid NAME; '

begin "metrics that cannot be computed are named each with its events, the first few of them"
report task.txt --cpuid zen4 --topdown
expect_status 125
expect_match stderr "^tma: [a-z_]*: the recording has no event [^,]*"
expect_match stderr "^frontend_bound: the recording has no event de_no_dispatch_per_slot.no_ops_from_frontend, ls_not_halted_cyc$"
report system.txt --cpuid skylakex --topdown
expect_match stderr "^tma_retiring: the recording has no event CPU_CLK_UNHALTED.THREAD, UOPS_RETIRED.RETIRE_SLOTS$"
expect_match stderr "^tma_backend_bound: the recording has no event .*, .*, .* and [0-9]* more$"
expect_no_match stderr "(, [^,]*){3} and [0-9]* more$"

begin "values that perf computed are not used, and a line says so"
report level1.txt --cpuid alderlake --topdown
expect_match stderr "^tma: the values of metrics in .*level1.txt are ignored, and computed from its counts$"
report level1.txt
expect_match stderr "^tma: the values of metrics in .*level1.txt \(tma_retiring\) are ignored: --topdown and -M compute them from its counts$"
sed 's/tma_retiring/tma_a_name_that_nobody_has/' "$tmp/level1.txt" >"$tmp/named.txt"
report named.txt --cpuid alderlake --topdown
expect_match stderr "from its counts; not computed: tma_a_name_that_nobody_has$"
table values.csv <<'END'
1000000,,cpu_atom/CPU_CLK_UNHALTED.CORE/,1000000,100.00,0.5,GHz
500000,,cpu_atom/TOPDOWN_RETIRING.ALL/,1000000,100.00,10.0,%  tma_retiring
,,,,,,1.5,tma_info_core_ipc
,,,,,,11.0,%  tma_a
,,,,,,12.0,%  tma_b
10,,branches,1000000,100.00,1.1,M/sec
END
report values.csv
expect_match stderr "values.csv \(tma_retiring, tma_info_core_ipc, tma_a and 1 more\) are ignored"
table values.json <<'END'
{"counter-value" : "1000.0", "unit" : "", "event" : "cycles", "event-runtime" : 1000, "pcnt-running" : 100.00, "metric-value" : 1.0, "metric-unit" : "insn per cycle"}
{"metric-value" : 10.5, "metric-unit" : "%  tma_retiring"}
END
report values.json
expect_match stderr "values.json \(tma_retiring\) are ignored"
grep -v tma_retiring "$tmp/values.json" >"$tmp/ratios.json"
report ratios.json
expect_no_match stderr "are ignored"
report system.txt
expect_match stderr "system.txt \(retiring, bad speculation, frontend bound and 1 more\) are ignored"
report system.txt --cpuid icelakex --topdown
expect_match stderr "system.txt are ignored, and computed from its counts$"

begin "a file with the events of the next level says how to see them"
table level2.txt <<'END'
    10,000,000      slots
     2,000,000      topdown-retiring
     1,000,000      topdown-bad-spec
     1,000,000      topdown-fe-bound
     6,000,000      topdown-be-bound
     5,000,000      topdown-mem-bound
       500,000      topdown-fetch-lat
       500,000      topdown-heavy-ops
       500,000      topdown-br-mispredict
END
report level2.txt --cpuid sapphirerapids --verdict
expect_match stderr "^          the file also has the events of its children; to go deeper: tma stat report -i [^ ]*/level2.txt --cpuid sapphirerapids --topdown --td-level 2 --verdict$"
report level2.txt --cpuid sapphirerapids --verdict --td-level 2
expect_match stderr "^ Verdict: tma_backend_bound 60.0 % -> tma_memory_bound 50.0 %$"
expect_match stderr "^          its children were not measured; to go deeper: tma stat --topdown --td-level 3 --verdict"
sed 's/6,000,000      topdown-be/4,000,000      topdown-be/; s/2,000,000      topdown-r/4,000,000      topdown-r/;
	s/5,000,000      topdown-mem/1,900,000      topdown-mem/; s/500,000      topdown-heavy/100,000      topdown-heavy/' \
	"$tmp/level2.txt" >"$tmp/core.txt"
report core.txt --cpuid sapphirerapids --verdict --td-level 2
expect_match stderr "^ Verdict: tma_backend_bound 40.0 % -> tma_core_bound 21.0 %$"
expect_match stderr "^          without it at most 1.27 times as fast .an upper bound.$"
expect_no_match stderr "is larger"
sed 's/1,900,000/1,990,000/; s/4,000,000      topdown-be/3,700,000      topdown-be/; s/4,000,000      topdown-r/4,300,000      topdown-r/' \
	"$tmp/core.txt" >"$tmp/larger.txt"
report larger.txt --cpuid sapphirerapids --verdict --td-level 2
expect_match stderr "^ Verdict: tma_backend_bound 37.0 % -> tma_core_bound 17.1 %$"
expect_match stderr "^          tma_memory_bound 19.9 % is larger, but below its threshold of 20 %$"
report larger.txt --cpuid sapphirerapids --verdict --td-level 2 --format=json
expect_match stdout '"larger":\[\{"name":"tma_memory_bound","value":19.9[0-9]*,"error":0,"unit":"%","running_percent":100,"level":2,"threshold":20\}'
expect_match stdout '"plain":"core","meaning":"[^"]+","try":"[^"]+","speedup_bound":1\.20[0-9]*,'
grep -v "mem-bound" "$tmp/level2.txt" >"$tmp/level1-only.txt"
report level1-only.txt --cpuid sapphirerapids --verdict
expect_match stderr "^          its children were not measured; to go deeper: tma stat --topdown --td-level 2 --verdict"

begin "a CPU that knows few of the events is doubted, in one line"
report level1.txt --cpuid skylakex --topdown
expect_status 125
expect_match stderr "^skylakex lacks 4 of the events \(cpu_atom/CPU_CLK_UNHALTED.CORE/, cpu_atom/TOPDOWN_RETIRING.ALL/, cpu_atom/TOPDOWN_BE_BOUND.ALL/ and 1 more\); these models have them: alderlake"
{
	cat "$tmp/system.txt"
	echo "     1,000      cpu_atom/TOPDOWN_RETIRING.ALL/"
} >"$tmp/both.txt"
report both.txt --cpuid icelakex --topdown
expect_status 0
expect_match stderr "^tma: icelakex lacks 1 of the events \(cpu_atom/TOPDOWN_RETIRING.ALL/\); these models have them: alderlake"
report both.txt --cpuid alderlake --topdown
expect_no_match stderr "does not know"
{
	echo "# cpuid: GenuineIntel-6-8F-8"
	cat "$tmp/system.txt"
} >"$tmp/said.txt"
report said.txt --cpuid icelakex --topdown
expect_match stderr "^tma: .*said.txt says that its CPU is GenuineIntel-6-8F-8 \(sapphirerapids\), and not icelakex$"
report said.txt --cpuid sapphirerapids --topdown
expect_no_match stderr "says that its CPU is"

# cut FILE BYTES: copy a file without its last bytes
cut_file()
{
	head -c "-$2" "$tmp/$1" >"$tmp/cut-$1"
}

begin "a row that is cut off is reported"
cut_file comma.csv 8
report cut-comma.csv
expect_match stderr "^tma: .*cut-comma.csv: its last row is truncated, and is ignored$"
expect_no_match stderr "1234 +cycles"
cut_file comma.csv 1
report cut-comma.csv
expect_match stderr "1234 +cycles"
expect_no_match stderr "cut off"
cut_file cgroups.json 30
report cut-cgroups.json
expect_match stderr "cut-cgroups.json: its last row is truncated, and is ignored$"
cut_file cgroups.json 1
report cut-cgroups.json
expect_no_match stderr "cut off"
cut_file arm.txt 3
report cut-arm.txt
expect_match stderr "cut-arm.txt: its last row has no end of line: it is read as it is$"
expect_match stderr "1000 +op_retir *$"
cut_file arm.txt 16
report cut-arm.txt
expect_match stderr "cut-arm.txt: its last row is truncated, and is ignored$"
grep -v elapsed "$tmp/level1.txt" >"$tmp/no-length.txt"
report no-length.txt
expect_match stderr "no-length.txt: it ends before 'seconds time elapsed': rows may be missing$"
report level1.txt
expect_no_match stderr "it ends before|its last row"

begin "the length of a run is printed as it stood there, and a model as the list of them has it"
report level1.txt
expect_match stderr "^ +1\.003456789 seconds time elapsed$"
report arm.txt --cpuid arm/neoverse-n2-v2 -M retiring --format json
expect_status 0
expect_metric retiring "80|counted|"
report arm.txt --cpuid nosuch
expect_match stderr "^models: .* arm/neoverse-n2-v2 "

begin "a file on standard input is read by its name -"
mkdir -p "$tmp/empty"
run sh -c "cd '$tmp/empty' && '$(readlink -f "$TMA")' stat report <'$tmp/level1.txt'"
expect_status 125
expect_match stderr "^tma: cannot open perf.data: .* \(standard input is a file: 'tma stat report -' reads it\)$"
run sh -c "'$TMA' stat report - <'$tmp/level1.txt'"
expect_status 0

begin "lines that cannot be read as counts are reported; lines of metrics and summaries are not"
cat >"$tmp/odd.csv" <<'END'
time,counter-value,unit,event,event-runtime,pcnt-running,metric-value,metric-unit
0.010000000,100,,cycles,1000,100.00,,
0.010000000,200,,instructions,1000,100.00,2.00,insn per cycle
,,,,,,50.00,%  tma_retiring
0.010000000,S0,24,,,,,,50.00,%  tma_retiring
summary,300,,cycles,1000,100.00,,
END
report odd.csv
expect_status 0
expect_no_match stderr "cannot be read"
cat >>"$tmp/odd.csv" <<'END'
0.020000000,-5,,cycles,1000,100.00,,
garbage here
0.020000000,99999999999999999999999,,instructions,1000,100.00,,
END
report odd.csv
expect_status 0
expect_match stderr "odd.csv: 3 lines cannot be read as counts and are left out; the first is line 7$"
printf '{"counter-value" : "7", "unit" : "", "evnt" : "cycles", "event-runtime" : 9, "pcnt-running" : 100.00}\n' >"$tmp/odd.json"
printf '{"counter-value" : "7", "unit" : "", "event" : "cycles", "event-runtime" : 9, "pcnt-running" : 100.00}\n' >>"$tmp/odd.json"
report odd.json
expect_match stderr "odd.json: 1 line cannot be read as counts and is left out; the first is line 1$"

begin "a value that is not a number is reported"
for value in nan inf "" " 5" "<bad>" x "<not counted >" 0x5; do
	printf '3,,branches,1000,100.00,,\n%s,,cycles,1000,100.00,,\n' "$value" >"$tmp/value.csv"
	report value.csv
	expect_status 0
	expect_match stderr "value.csv: 1 line cannot be read as counts and is left out; the first is line 2$"
done

begin "an endless input that is not text is refused immediately"
for endless in /dev/zero "$tmp/sparse"; do
	truncate -s 100G "$tmp/sparse"
	run timeout 20 "$TMA" stat report -i "$endless"
	expect_status 125
	expect_match stderr "is not a recording: neither perf.data nor text of counts"
done
rm -f "$tmp/sparse"

begin "a file with several runs is not taken for one"
needs_counters
for form in "" -x,; do
	rm -f "$tmp/runs"
	for events in page-faults task-clock; do
		# shellcheck disable=SC2086 # one word, or none
		"$TMA" stat $form -o "$tmp/runs" --append -e $events true || fail "it does not count"
	done
	report runs
	expect_status 125
	expect_match stderr "runs: line [0-9]+: another run begins there: a report covers one run; split the file"
done

begin "--time and --set: wrong values are refused"
printf '0.010000000,100,,cycles,1000,100.00,,\n' >"$tmp/short.csv"
report short.csv --time 5,6
expect_status 125
expect_match stderr "no row ends in 5,6: the last one ends at 0.010"
for wrong in "--time abc,1" "--time -1,1" "--time 0.1,0.2,0.3" "--time 0.3,0.1" "--set #smt_on=7" "--set #num_cpus=-1" \
	"--smt on --set #smt_on=1"; do
	# shellcheck disable=SC2086 # several words
	report short.csv $wrong
	expect_status 129
done
report short.csv --cpuid ""
expect_status 129

begin "-o does not replace the file that is read"
needs_counters
"$TMA" stat -o "$tmp/read" -e task-clock true
cp "$tmp/read" "$tmp/kept"
ln "$tmp/read" "$tmp/second"
for files in "-i $tmp/second" "$tmp/kept $tmp/second"; do
	for add in "" --append; do
		# shellcheck disable=SC2086 # several words
		run "$TMA" stat report $add -o "$tmp/read" $files
		expect_status 125
		expect_match stderr "^tma: -o .*/read: this file is an input$"
	done
done
run sh -c "\"$TMA\" stat report -o '$tmp/read' - <'$tmp/second'"
expect_status 125
run "$TMA" stat report --format=prom -o "$tmp/read" -i "$tmp/second"
expect_status 125
cmp -s "$tmp/read" "$tmp/kept" || fail "the file was written to" "$tmp/read"
"$TMA" stat record -o "$tmp/data.one" -e task-clock true 2>"$stderr"
cp "$tmp/data.one" "$tmp/data.two"
run "$TMA" compare -o "$tmp/data.two" "$tmp/data.one" "$tmp/data.two"
expect_status 125
expect_match stderr "^tma: -o .*/data.two: this file is an input$"
cmp -s "$tmp/data.one" "$tmp/data.two" || fail "the recording was written to"

begin "csv-wide cannot be read, and a message says so"
needs_counters
for separator in "" "-x;"; do
	# shellcheck disable=SC2086 # a word or none
	"$TMA" stat --format=csv-wide $separator -e task-clock -o "$tmp/wide" true
	run "$TMA" stat report -i "$tmp/wide"
	expect_status 125
	expect_match stderr "^tma: .*/wide, line 1: csv-wide cannot be read"
done
