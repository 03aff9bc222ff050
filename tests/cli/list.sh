#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma list: events, metrics, metric groups; kinds, patterns, forms; the same names as perf's.
. "$(dirname "$0")/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so

begin "a legacy event with its other name and what it is"
sim alderlake list hw cycles
expect_status 0
expect_match stdout '^  cpu-cycles OR cycles +\[Hardware event\]$'
expect_no_match stdout 'instructions'

begin "facts are listed where they are asked for, and not among the names that perf has"
sim alderlake list --names tool
expect_match stdout '(^| )tool/num_cpus/( |$)'
sim alderlake list --names num_cpus
expect_match stdout '(^| )tool/num_cpus/( |$)'
sim alderlake list --names
expect_no_match stdout 'num_cpus'

begin "a software event with what it counts"
sim alderlake list sw faults
expect_status 0
expect_match stdout '^  minor-faults +\[Software event\]$'
expect_match stdout '^ +\[Page faults that needed no input or output'
for form in --names --no-desc --raw-dump; do
	sim alderlake list $form sw faults
	expect_no_match stdout 'input or output'
done

begin "an event of a core type, with its topic, its description and its PMU"
sim alderlake list mem_load_uops_retired.l2_hit
expect_status 0
expect_match stdout '^cache:$'
expect_match stdout '^  mem_load_uops_retired.l2_hit$'
expect_match stdout '^       \[Counts the number of load uops'
expect_match stdout 'Unit: cpu_atom\]$'

begin "a metric of each core type"
sim alderlake list metric tma_retiring
expect_status 0
expect_match stdout '^Metrics:$'
expect_match stdout 'Unit: cpu_core\]$'
expect_match stdout '(Unit:|^) +cpu_atom\]$'
expect_equal "how often it is listed" "$(grep -c '^  tma_retiring$' "$stdout")" 2
expect_no_match stdout 'cpu-cycles|heavy_operations'

begin "the names of metric groups"
sim skylakex list metricgroup TopdownL1
expect_status 0
expect_match stdout '^Metric Groups:$'
expect_match stdout '^TopdownL1 \['
expect_no_match stdout 'tma_backend_bound'

begin "a metric group with its metrics"
sim skylakex list TopdownL1
expect_match stdout '^TopdownL1: \['
expect_match stdout '^  tma_backend_bound$'

begin "bare names for scripts, each once"
sim alderlake list --names metric 'tma_retir*'
expect_stdout <<'END'
tma_retiring
END

begin "bare names are those that match, not the groups of what does"
sim sapphirerapids list --names 'tma_l?_bound'
expect_status 0
expect_stdout <<'END'
tma_l2_bound
tma_l1_bound
tma_l3_bound
END
sim sapphirerapids list --names TopdownL1
expect_match stdout '^TopdownL1$'
expect_no_match stdout 'tma_'

begin "two forms at once are refused"
for form in "-j --raw-dump" "-j --names" "--raw-dump --names"; do
	# shellcheck disable=SC2086
	sim alderlake list $form hw
	expect_status 129
	expect_match stderr 'are different forms: use one of them'
	expect_empty stdout
done

begin "in a raw dump, a blank follows each name"
sim alderlake list --raw-dump hw
expect_match stdout '^([^ ]+ )+$'
expect_match stdout '(^| )cycles '

begin "without descriptions"
sim alderlake list --no-desc metric tma_retiring
expect_stdout <<'END'

Metrics:

  tma_retiring
END

begin "long descriptions"
sim skylakex list --long-desc metric tma_retiring
expect_match stdout 'fewer or wider instructions'
sim skylakex list metric tma_retiring
expect_no_match stdout 'fewer or wider instructions'

begin "details: the encoding of an event, expression and threshold of a metric"
sim skylakex list --details inst_retired.any_p
expect_match stdout '^        cpu/event=0xc0,period=0x1e8483/$'
sim skylakex list --details metric tma_retiring
expect_match stdout '^       \[tma_retiring > '

begin "deprecated events only when they are asked for"
sim sapphirerapids list --names l1d_pend_miss.l2_stall
expect_stdout <<'END'
l1d_pend_miss.l2_stalls
END
sim sapphirerapids list --names --deprecated l1d_pend_miss.l2_stall
expect_lines stdout 2

begin "the events and metrics of a PMU"
sim alderlake list --unit cpu_atom --names
expect_match stdout '^mem_load_uops_retired.l2_hit$'
expect_match stdout '^tma_retiring$'
expect_no_match stdout '^(mem_load_retired.l1_hit|uncore_imc/.*|cpu-clock|sched:.*)$'
sim alderlake list --cputype core --names pmu
expect_match stdout '^mem_load_retired.l1_hit$'
expect_no_match stdout '^mem_load_uops_retired.l2_hit$'

begin "one instance of an uncore unit, and the name they share"
sim alderlake list --unit uncore_imc_1 --names cas_count_read
expect_stdout <<'END'
uncore_imc_1/cas_count_read/
END
sim alderlake list --unit imc --names cas_count_read
expect_stdout <<'END'
uncore_imc/cas_count_read/
END

begin "a message names a missing PMU, and the PMUs that exist"
sim alderlake list --unit nope
expect_status 125
expect_match stderr '\-\-unit nope: no such PMU on this machine; use .*cpu_core, cpu_atom'
sim alderlake list --cputype big
expect_status 125
expect_match stderr '\-\-cputype big: no such PMU'

begin "a pattern with wildcards is of the whole name, or else of a part"
sim alderlake list --names pmu 'mem_load_retired.l1_*'
expect_lines stdout 2
sim alderlake list --names pmu 'load_retired.l1_*'
expect_lines stdout 2

begin "an event that the PMU cannot count is listed only if it is named"
sim graniterapids explain unc_iio_comp_buf_inserts.cmpd.all_parts
grep -q -F 0x70ff004 "$stdout" || skip "needs the tables of Linux 6.12: newer ones have a mask that fits"
sim graniterapids list pmu
expect_no_match stdout 'unc_iio_comp_buf_inserts.cmpd.all_parts$'
sim graniterapids list unc_iio_comp_buf_inserts.cmpd.all_parts
expect_match stdout 'Not on'
sim graniterapids list --names unc_iio_comp_buf_inserts.cmpd.all_parts
expect_empty stdout

begin "a pattern that matches nothing names the nearest"
sim alderlake list tma_retirin_
expect_status 125
expect_match stderr "did you mean .*'tma_retiring'"

begin "of several patterns, the one that matches nothing is named"
sim alderlake list --names hw cycles nosuchname
expect_status 0
expect_match stderr "nothing matches 'nosuchname'"
expect_match stdout '^cpu-cycles$'

begin "a message says that probes of user programs are not offered"
sim alderlake list sdt
expect_status 0
expect_empty stdout
expect_match stderr 'sdt: .* not supported'

begin "a message says that a CPU has no tables"
run env PERF_CPUID=GenuineIntel-99-1-1 "$TMA" list metric
expect_status 0
expect_match stderr 'nothing for this CPU \(GenuineIntel-99-1-1\)'

for id in powerpc:0x004b0201 riscv:0x489-0x8000000000000007-0x0 s390:IBM,3906,704,M03,3.5,002f; do
	begin "tables of ${id%%:*} are listed, and it is said that they are not counted"
	run env PERF_CPUID="${id#*:}" "$TMA" list pmu
	expect_status 0
	expect_match stderr "^tma: the tables of this CPU .* are for ${id%%:*}: tma can list them"
	run env PERF_CPUID="${id#*:}" "$TMA" list --names pmu
	expect_empty stderr
done

begin "a metric of powerpc: why it is not counted"
run env PERF_CPUID=0x004b0201 "$TMA" --machine skylakex stat -a -M any_centaur_ld_hit_ratio true
expect_status 125
expect_match stderr '^Its table is of powerpc: tma lists and explains such metrics, but counts only on x86 and arm64$'

begin "text is wrapped to COLUMNS"
run env COLUMNS=50 "$TMA" --machine skylakex list metric
expect_status 0
expect_equal "lines of several words that are too long" "$(awk 'length > 50 && NF > 1' "$stdout")" ""

begin "a terminal gets a pager and text of its width; a raw dump goes without"
needs_command python3
cat >"$tmp/terminal.py" <<'END'
import fcntl, os, pty, struct, sys, termios

pid, fd = pty.fork()
if pid == 0:
	os.read(0, 1) # until the terminal has its size
	os.environ.pop("COLUMNS", None)
	os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
os.write(fd, b"\n")
out = b""
try:
	while True:
		out += os.read(fd, 65536)
except OSError:
	pass
sys.stdout.write(out.decode().replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
run env TMA_PAGER='sed s/^/paged:/' python3 "$tmp/terminal.py" "$TMA" --machine skylakex \
	list metric tma_retiring
expect_status 0
expect_match stdout '^paged:  tma_retiring$'
expect_match stdout '^paged:       \[.{42,50}$'
expect_no_match stdout '^paged:.{61}'
run env TMA_PAGER='sed s/^/paged:/' python3 "$tmp/terminal.py" "$TMA" --machine skylakex \
	list --raw-dump hw
expect_no_match stdout 'paged:'
expect_match stdout 'cycles '

begin "tracepoints"
needs_tracefs
run "$TMA" list event sched:sched_switch
expect_match stdout '^  sched:sched_switch +\[Tracepoint event\]$'

begin "a file of its own"
sim alderlake list -o "$tmp/file" hw cycles
expect_status 0
expect_empty stdout
expect_match "$tmp/file" '^  cpu-cycles OR cycles'
sim alderlake list -o "$tmp" hw
expect_status 125
expect_match stderr "cannot open $tmp for writing: Is a directory"

begin "an output that cannot be written is a failure"
run sh -c "\"$TMA\" list >/dev/full"
expect_status 125
expect_match stderr 'cannot write to standard output'
run "$TMA" list -o /dev/full
expect_status 125
expect_match stderr 'cannot write to /dev/full'

cat >"$tmp/check.py" <<'END'
import json, sys

def once(pairs):
	keys = [key for key, value in pairs]
	assert len(keys) == len(set(keys)), keys
	return dict(pairs)

def none(word):
	raise ValueError(word)

text = open(sys.argv[1], "rb").read().decode("utf-8")
items = json.loads(text, object_pairs_hook=once, parse_constant=none)
assert len(items) > 1000, len(items)
assert items[0]["EventType"] == "Hardware event"
for item in items:
	assert ("EventName" in item) != ("MetricName" in item), item
	assert all(isinstance(value, str) and value for value in item.values()), item
assert [m for m in items if m.get("MetricName") == "tma_retiring" and
	m["MetricGroup"] == "TopdownL1" and m["ScaleUnit"] == "100%" and
	m["MetricExpr"] and m["BriefDescription"]]
assert [e for e in items if e.get("EventName") == "msr/tsc/" and e["Unit"] == "msr" and
	e["Encoding"] == "msr/event=0/"]
END

for machine in skylakex sapphirerapids alderlake; do
	begin "JSON of $machine is strictly valid, with the keys and values that perf has"
	needs_command python3
	sim $machine list -j
	expect_status 0
	cp "$stdout" "$tmp/json"
	run python3 "$tmp/check.py" "$tmp/json"
	expect_status 0
done

# same_as_perf MACHINE KIND: tma lists every name that perf's raw dump has
same_as_perf()
{
	[ $test_state = ok ] || return 0
	LD_PRELOAD=$sim_library TMA_MACHINE=$1 "$PERF" list --raw-dump "$2" 2>/dev/null |
		tr ' ' '\n' | sed '/^$/d' | sort -u >"$tmp/perf"
	"$TMA" --machine "$1" list --raw-dump "$2" 2>/dev/null | tr ' ' '\n' | sort -u >"$tmp/tma"
	[ -s "$tmp/perf" ] || [ "$2" = tracepoint ] || fail "perf lists no $2"
	# Events that cannot be opened here are left out (see the man page), and so is a name with a
	# blank.
	comm -23 "$tmp/perf" "$tmp/tma" | grep -v -E '_cxl_acc|^unc_iio_|^_%|^tma_info_serialization$' \
		>"$tmp/missing"
	[ ! -s "$tmp/missing" ] || fail "$1: perf lists $2 that tma does not" "$tmp/missing"
}

for machine in skylakex sapphirerapids alderlake; do
	begin "the names of perf on $machine"
	needs_perfs_formulas
	for kind in hw sw cache tracepoint pmu metrics metricgroups; do
		same_as_perf $machine $kind
	done
done

begin "if a pager cannot be run, a message says so, and the list is printed without it"
needs_command python3
for pager in no-such-pager /no/such/pager /etc/passwd 'LESS=-R no-such-pager -x'; do
	run env -u TMA_PAGER PAGER="$pager" python3 "$tmp/terminal.py" "$TMA" --machine skylakex \
		list metric tma_retiring
	expect_status 0
	tr -s '\r\n ' ' ' <"$stdout" >"$tmp/joined"
	expect_match "$tmp/joined" "tma: the pager '$pager' cannot be run: printing without one "
	expect_match stdout '^  tma_retiring$'
	expect_match stdout '^       \[.{42,50}$'
done
run env PAGER=no-such-pager TMA_PAGER='LC_ALL=C sed s/^/paged:/' python3 "$tmp/terminal.py" \
	"$TMA" --machine skylakex list metric tma_retiring
expect_match stdout '^paged:  tma_retiring$'

begin "quitting the pager is not a failure; a pager that fails is reported"
needs_command python3
run env TMA_PAGER='head -n 3' python3 "$tmp/terminal.py" "$TMA" --machine skylakex list
expect_status 0
run env TMA_PAGER=false python3 "$tmp/terminal.py" "$TMA" --machine skylakex list
expect_status 125
expect_match stdout '^tma: the pager failed: TMA_PAGER=cat prints without one$'

begin "a pager that fails is reported even for a short list"
needs_command python3
run env TMA_PAGER=false python3 "$tmp/terminal.py" "$TMA" --machine skylakex explain cycles
expect_status 125
expect_match stdout '^tma: the pager failed'

begin "a metric without a description has only its PMU"
cat >"$tmp/bare.json" <<'END'
[{ "MetricName": "my_bare", "MetricExpr": "cpu_core@inst_retired.any@", "Unit": "cpu_core" },
 { "MetricName": "my_time", "MetricExpr": "duration_time" }]
END
sim alderlake list --metrics-file "$tmp/bare.json" metric 'my_*'
expect_stdout <<'END'

Metrics:

  my_bare
       [Unit: cpu_core]
  my_time
END

begin "events and metrics of another CPU are listed, and said not to be of this machine"
[ ! -d /sys/bus/event_source/devices/cpu ] || skip "this machine has a hardware PMU"
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" list --no-desc pmu
expect_status 0
grep -x -A1 '  inst_retired.any' "$stdout" >"$tmp/event"
expect_file "$tmp/event" <<'END'
  inst_retired.any
       [Not on this machine]
END
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" list --no-desc metric tma_retiring
expect_stdout <<'END'

Metrics:

  tma_retiring
       [Not on this machine]
       [Reason: no PMU of the CPU]
END
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" list -j inst_retired.any_p
expect_match stdout '"Unavailable": "1"'
expect_match stdout '"Encoding": "cpu/event=0xc0'
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" list --names pmu inst_retired.any
expect_empty stdout

begin "metrics that cannot be measured here are marked"
sim zen4 list metric umc_mem_bandwidth
expect_match stdout 'Not on this machine\]$'
expect_match stdout '^ +\[Reason: no PMU amd_umc\]$'
sim zen4 list -j umc_mem_bandwidth
expect_match stdout '"Unavailable": "1"'
expect_match stdout '"UnavailableReason": "no PMU amd_umc"'
sim zen4 list --raw-dump metric umc_mem_bandwidth
expect_match stdout '^umc_mem_bandwidth $'
sim alderlake list metric C10_Pkg_Residency tma_retiring
expect_equal "how many are not" "$(grep -c 'Not on this machine' "$stdout")" 1

begin "a kind of which there is nothing here says so"
run env PERF_CPUID=GenuineIntel-6-1-1 SYSFS_PATH="$tmp" "$TMA" list pmu
expect_status 0
expect_match stderr "^tma: this machine can count none of these: it shows no hardware counters \('tma test' says why\)$"
run env PERF_CPUID=GenuineIntel-6-1-1 SYSFS_PATH="$tmp" "$TMA" list -j pmu
expect_stdout <<'END'
[]
END
expect_match stderr '^tma: this machine can count none of these'
run env SYSFS_PATH="$tmp" "$TMA" list sw
expect_no_match stderr 'can count nothing'
