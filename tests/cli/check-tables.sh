#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma check-tables: its output, its input, and its exit status.
. "$(dirname "$0")/lib.sh"

arch=${KERNEL_SRC:-third_party/linux}/tools/perf/pmu-events/arch

# Make a tree of one model without mistakes.
clean_tree()
{
	rm -rf "$tmp/tree"
	mkdir -p "$tmp/tree/good"
	printf 'Family-model,Version,Filename,EventType\nA-6-1,v1,good,core\n' >"$tmp/tree/mapfile.csv"
	cat >"$tmp/tree/good/events.json" <<-'END'
	[
	    {
	        "BriefDescription": "Cycles in which something happened",
	        "Counter": "0,1",
	        "EventCode": "0x3",
	        "EventName": "BUSY.CYCLES"
	    }
	]
	END
	cat >"$tmp/tree/good/metrics.json" <<-'END'
	[
	    {
	        "BriefDescription": "Share of cycles in which something happened",
	        "MetricExpr": "BUSY.CYCLES / cycles",
	        "MetricName": "busy",
	        "MetricThreshold": "busy > 0.2",
	        "ScaleUnit": "100%"
	    }
	]
	END
}

# Make a model whose metric has the value $2 in the field $1.
bad_tree()
{
	clean_tree
	sed "s|\"$1\": \"[^\"]*\"|\"$1\": \"$2\"|" "$tmp/tree/good/metrics.json" >"$tmp/metrics.json"
	mv "$tmp/metrics.json" "$tmp/tree/good"
}

# Remove the directory of this run from output.
check()
{
	run sh -c 'cd "$1" && shift && "$@"' sh "$tmp/tree" "$TMA" check-tables "$@"
}

begin "a clean directory"
clean_tree
check .
expect_status 0
expect_empty stderr
expect_stdout <<END
0 errors, 0 warnings, 0 notes in 2 files
END

begin "a clean model and a clean file"
clean_tree
check -W --severity note good good/metrics.json
expect_status 0
expect_stdout <<END
0 errors, 0 warnings, 0 notes in 2 files
END

begin "an unknown name, with its field's line and a mark under it"
bad_tree MetricExpr 'BUSY.CYCLES / BUSY.CYCLE'
check .
expect_status 1
expect_stdout <<END
./good/metrics.json:4: error: metric busy: 'BUSY.CYCLE' is neither an event nor a metric; did you mean 'busy.cycles'? [unknown-name]
    BUSY.CYCLES / BUSY.CYCLE
                  ^
1 error, 0 warnings, 0 notes in 2 files
END

begin "a file is named as it was given"
bad_tree MetricExpr 'BUSY.CYCLES / BUSY.CYCLE'
check -q good/metrics.json
expect_status 1
expect_match stdout '^good/metrics.json:4: error: '
expect_lines stdout 3
check -q good/events.json
expect_status 0
expect_empty stdout

begin "a threshold that never holds"
bad_tree MetricThreshold 'busy > 0.2 \& busy < 0.1'
check -q good
expect_status 1
expect_stdout <<END
good/metrics.json:6: error: threshold of metric busy never holds: 'busy < 0.1' contradicts 'busy > 0.2' [never-holds]
    busy > 0.2 & busy < 0.1
                      ^
END

begin "a cycle with its path"
bad_tree MetricExpr '1 - busy'
check -q good
expect_status 1
expect_stdout <<END
good/metrics.json:4: error: metric busy refers to itself: busy -> busy [cycle]
    1 - busy
        ^
END

begin "syntax, with a mark under it"
bad_tree MetricThreshold 'busy > > 0.2'
check -q good
expect_status 1
expect_stdout <<END
good/metrics.json:6: error: threshold of metric busy: a value is expected here [syntax]
    busy > > 0.2
           ^
END

begin "a group that the counters cannot hold"
bad_tree MetricExpr 'BUSY.CYCLES + BUSY.CYCLES:u + BUSY.CYCLES:k'
check -q good
expect_status 0
expect_match stdout '^good/metrics.json:4: warning: the events of metric busy do not fit the counters: .* have only counters 0-1 \[group\]$'
check -q -W good
expect_status 1

begin "an event that is defined twice"
clean_tree
sed 's/Cycles in which/Time in which/' "$tmp/tree/good/events.json" >"$tmp/tree/good/more.json"
check -q .
expect_status 1
expect_stdout <<END
./good/more.json:2: error: event 'busy.cycles' of PMU default_core is already in ./good/events.json:2 [duplicate]
END

begin "JSON that ends too early does not hide the rest"
bad_tree MetricExpr 'BUSY.CYCLES / BUSY.CYCLE'
printf '[\n{"EventName": "X",\n' >"$tmp/tree/good/cut.json"
check -q good
expect_status 1
expect_match stdout '^good/cut.json:[0-9]+: error: .*\[element\]$'
expect_match stdout '\[unknown-name\]$'

begin "notes are counted, and printed when asked for"
clean_tree
sed -i 's/BriefDescription/BreefDescription/' "$tmp/tree/good/events.json"
check .
expect_status 0
expect_stdout <<END
0 errors, 0 warnings, 2 notes in 2 files
END
check -q --severity note .
expect_status 0
expect_stdout <<END
./good/events.json:2: note: unknown field 'BreefDescription' [ignored]
./good/events.json:6: note: event busy.cycles has no description [no-description]
END
bad_tree MetricConstraint x
check -q --severity error .
expect_empty stdout

begin "JSON"
bad_tree MetricExpr 'BUSY.CYCLES / \\u0007\\"é'
needs_command python3
check -j .
expect_status 1
run_in "$(cat "$stdout")" python3 -c '
import json, sys
found = json.load(sys.stdin)
for f in found:
    print(f["file"], f["line"], f["severity"], f["kind"], f["column"], f["expression"])'
expect_stdout <<END
./good/metrics.json 4 error syntax 15 BUSY.CYCLES / ?"é
END
clean_tree
check -j .
expect_status 0
expect_stdout <<END
[]
END

begin "JSON is whole when a later path cannot be read"
bad_tree MetricExpr 'BUSY.CYCLES / BUSY.CYCLE'
needs_command python3
check -j . no-such-folder
expect_status 125
expect_match stderr 'no-such-folder: No such file'
run_in "$(cat "$stdout")" python3 -c 'import json, sys; print(len(json.load(sys.stdin)))'
expect_stdout <<END
1
END

begin "one model of a tree, by name or CPU"
bad_tree MetricExpr 'BUSY.CYCLES / BUSY.CYCLE'
mkdir "$tmp/tree/other"
cp "$tmp/tree/good/events.json" "$tmp/tree/other"
check -q --model other .
expect_status 0
expect_empty stdout
check -q --model good .
expect_status 1
check -q --cpuid A-6-1 .
expect_status 1
check -q --cpuid A-6-2 .
expect_status 125
expect_stderr <<END
tma: ./mapfile.csv has no row for CPU A-6-2
END
check -q --model none .
expect_status 125
expect_stderr <<END
tma: . has no model none
END

begin "metrics of one's own over the tables built in"
rm -rf "$tmp/tree"
mkdir "$tmp/tree"
cat >"$tmp/tree/mine.json" <<END
[
{ "MetricName": "a", "BriefDescription": "a", "MetricExpr": "INST_RETIRED.ANY / tma_retiring" },
{ "MetricName": "b", "BriefDescription": "b", "MetricExpr": "a / TOPDOWN.BAD_SPEC_SLOTS" }
]
END
check -q mine.json
expect_status 0
expect_empty stdout
cat >"$tmp/tree/wrong.json" <<END
[
{ "MetricName": "c", "BriefDescription": "a", "MetricExpr": "inst_retired.any / no.such_event" },
{ "MetricName": "d", "BriefDescription": "b", "MetricExpr": "cycles / no_such_metric + NO.SUCH_EVENT" }
]
END
check -q wrong.json
expect_status 1
expect_stdout <<'END'
wrong.json:2: error: metric c: 'no.such_event' is neither an event nor a metric of any model that is built in [unknown-name]
    inst_retired.any / no.such_event
                       ^
wrong.json:3: error: metric d: 'no_such_metric' is neither an event nor a metric of any model that is built in [unknown-name]
    cycles / no_such_metric + NO.SUCH_EVENT
             ^
wrong.json:3: error: metric d: 'NO.SUCH_EVENT' is neither an event nor a metric of any model that is built in [unknown-name]
    cycles / no_such_metric + NO.SUCH_EVENT
                              ^
END
rm "$tmp/tree/wrong.json"
check -q --model skylakex mine.json
expect_status 1
expect_match stdout "^mine.json:3: error: metric b: 'TOPDOWN.BAD_SPEC_SLOTS' is neither"
expect_lines stdout 3
check -q --cpuid GenuineIntel-6-55-4 mine.json
expect_status 1
check -q --model nosuch mine.json
expect_status 125
expect_stderr <<END
tma: no tables for model nosuch are built in
END
check -q --model skylakeex mine.json
expect_stderr <<END
tma: no tables for model skylakeex are built in; did you mean 'skylakex' or 'skylake'?
END

begin "what cannot be checked"
check nosuch
expect_status 125
expect_stderr <<END
tma: nosuch: No such file or directory
END
mkdir -p "$tmp/tree/empty"
check empty
expect_status 125
expect_match stderr "empty: it has no mapfile.csv and no JSON files; name a model's folder"
run sh -c "\"$TMA\" check-tables \"$tmp/tree/mine.json\" >/dev/full"
expect_status 125

begin "wrong options"
check
expect_status 129
check --severity grave .
expect_status 129
expect_match stderr "unknown value 'grave'"
check --model a --cpuid b .
expect_status 129

begin "the kinds of findings are listed"
run "$TMA" check-tables --kinds
expect_status 0
expect_all_match stdout '^(error|warning|note) +[a-z-]+ +[a-z]'

begin "the example of the manual is what is printed"
manual=Documentation/tma-check-tables.1.adoc
mkdir -p "$tmp/example"
sed -n '/cat my-metrics.json$/,/^	\$ tma check/p' "$manual" | grep -v '\$' | cut -c2- >"$tmp/example/my-metrics.json"
sed -n '/^	\$ tma check-tables --model skylakex my-metrics.json$/,/^$/p' "$manual" | sed '1d; $d; s/^	//' \
	>"$tmp/example.out"
run sh -c 'cd "$1" && "$2" check-tables --model skylakex my-metrics.json' sh "$tmp/example" "$TMA"
expect_status 1
expect_file "$stdout" <"$tmp/example.out"

begin "names that no option can select"
clean_tree
printf '%s\n' '[' '{"MetricName": "", "MetricExpr": "BUSY.CYCLES"},' \
	'{"MetricName": "a,b c", "MetricExpr": "BUSY.CYCLES"},' \
	'{"MetricName": "x\u0007", "MetricExpr": "BUSY.CYCLES"},' \
	'{"MetricName": "y z", "MetricExpr": "BUSY.CYCLES"},' \
	'{"EventName": "bad name", "EventCode": "0x2"}]' >"$tmp/tree/good/names.json"
check .
expect_status 1
expect_stdout <<END
./good/names.json:2: error: MetricName is empty [element]
./good/names.json:3: error: 'a,b c': ',' is not allowed in this name [name]
./good/names.json:4: error: 'x?': a control character or invalid byte is not allowed in this name [name]
./good/names.json:5: warning: 'y z' has a blank in it: no expression can name it [blank]
./good/names.json:6: error: 'bad name': no blank is allowed in this name [name]
4 errors, 1 warning, 4 notes in 3 files
END

begin "a unit that no tables have"
clean_tree
echo '[{"EventName": "A", "EventCode": "0x2", "Unit": "CHAA"}, {"EventName": "B", "EventCode": "0x2", "Unit": "CHAA"},
	{"EventName": "C", "EventCode": "0x2", "Unit": "CHA"}]' >"$tmp/tree/good/units.json"
check .
expect_status 0
expect_stdout <<END
./good/units.json:1: warning: no built-in table has a unit for PMU uncore_chaa [unit]
0 errors, 1 warning, 3 notes in 3 files
END

begin "wrong modifiers of an event in the tables"
bad_tree MetricExpr 'BUSY:zz / cycles'
sed -i 's/BUSY.CYCLES/BUSY/' "$tmp/tree/good/events.json"
check .
expect_status 1
expect_match stdout "'BUSY:zz': 'zz' are not modifiers of an event \[event-name\]"
bad_tree MetricExpr 'sched:sched_switch / cycles'
check .
expect_status 0

begin "a division by zero"
for expr in 'BUSY.CYCLES / 0' 'BUSY.CYCLES / (0 * cycles)'; do
	bad_tree MetricExpr "$expr"
	check .
	expect_status 1
	expect_match stdout 'metric busy: its divisor is always 0 \[division\]'
done
bad_tree MetricExpr 'd_ratio(cycles, 0) + BUSY.CYCLES'
check .
expect_status 0

begin "a chain of metrics that is too long for stat"
clean_tree
for nr in 500 501; do
	awk -v nr=$nr 'BEGIN { print "["; for (i = 0; i < nr; i++)
		printf "{\"MetricName\": \"m%d\", \"MetricExpr\": \"m%d + 1\"},\n", i, i + 1
		printf "{\"MetricName\": \"m%d\", \"MetricExpr\": \"cycles\"}]\n", nr }' >"$tmp/tree/good/chain.json"
	check -q .
	expect_status $((nr - 500))
	run "$TMA" --machine skylakex stat --metrics-file "$tmp/tree/good/chain.json" -M m0 true
	expect_status $(((nr - 500) * 125))
done
run "$TMA" check-tables "$tmp/tree"
expect_match stdout 'metric m0: .* more than 500 metrics \[depth\]'

begin "findings that two arguments share are printed once"
bad_tree MetricExpr 'BUSY.CYCLES / BUSY.CYCLE'
check good/metrics.json ./good .
expect_status 1
expect_match stdout '^1 error, 0 warnings, 0 notes in 2 files$'
expect_equal "how often it is printed" "$(grep -c 'error: ' "$stdout")" 1

begin "findings that cannot be written are a failure"
run sh -c "\"$TMA\" check-tables \"$tmp/tree\" >/dev/full"
expect_status 125

begin "folders without tables, and pipes"
clean_tree
mkdir -p "$tmp/tree/models/one"
cp "$tmp/tree/good/events.json" "$tmp/tree/models/one"
check models
expect_status 125
expect_stderr <<END
tma: models: it has no mapfile.csv and no JSON files; name a model's folder
END
printf 'A-6-1,v1,nofolder,core\n' >"$tmp/tree/models/mapfile.csv"
rm -r "$tmp/tree/models/one"
check models
expect_status 125
expect_stderr <<END
tma: models/mapfile.csv:1: no folder 'nofolder' with JSON in it
END
rm -r "$tmp/tree/models"
mkfifo "$tmp/tree/good/pipe.json"
run timeout 20 "$TMA" check-tables "$tmp/tree"
expect_status 1
expect_match stdout 'good/pipe.json is not a regular file \[element\]'
run timeout 20 "$TMA" check-tables "$tmp/tree/good/pipe.json"
expect_status 125
expect_match stderr 'pipe.json is not a regular file'

# Known mistakes in the kernel's tables, and no others.
begin "every table of the kernel"
[ -d "$arch/x86" ] || skip "needs the kernel's tables, given as KERNEL_SRC=dir"
run "$TMA" check-tables --severity error "$arch"
expect_status 1
grep ': error: ' "$stdout" | grep -v "^$arch/test/" | sed "s|^$arch/||; s|:[0-9]*: error: .*\[|: |; s|\]$||" >"$tmp/errors"
expect_file "$tmp/errors" <<END
arm64/freescale/imx95/sys/metrics.json: duplicate
powerpc/power10/metrics.json: duplicate
x86/amdzen4/recommended.json: duplicate
x86/amdzen4/recommended.json: duplicate
END
expect_match stdout 'M1 refers to itself: M1 -> M2 -> M1 \[cycle\]'
expect_match stdout '^[0-9]+ errors, [0-9]+ warnings, [0-9]+ notes in [0-9]{3} files$'

begin "the overlay that comes with tma"
made=$BUILD/pmu-events/overlay
set -- "$made"/*/*/metrics.json "$made"/*/*/*/metrics.json
[ -f "$1" ] || skip "$BUILD has no metrics made for the overlay"
for dir; do
	dir=${dir%/metrics.json}
	model=${dir#"$made"/}
	run "$TMA" check-tables --severity error --model "${model#*/}" "$dir"
	expect_status 0
	expect_match stdout '^0 errors, '
done

begin "the layout of Intel's repository is refused"
mkdir -p "$tmp/intel/GNR/events"
printf 'Family-model,Version,Filename,EventType\nG-1,V1,/GNR/events/gnr_core.json,core\n' \
	>"$tmp/intel/mapfile.csv"
echo '{"Header": {}, "Events": []}' >"$tmp/intel/GNR/events/gnr_core.json"
for path in intel intel/GNR intel/GNR/events/gnr_core.json; do
	run "$TMA" check-tables "$tmp/$path"
	expect_status 125
	expect_match stderr "$path has the layout of Intel's perfmon repository, which is not checked"
done

begin "a file whose name is not that of a table"
printf '[{"EventName":' >"$tmp/unnamed"
run "$TMA" check-tables "$tmp/unnamed"
expect_status 125
expect_match stderr "unnamed is not checked: a table's name ends in .json$"
