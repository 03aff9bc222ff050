#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# TopDown on CPUs for which no table has formulas: it is made of events that the kernel names in
# sysfs, gives the true values, and the output mentions this. A table's own formulas are kept, and
# other models' formulas are not used.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=1
export TMA_SIM_STEP
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)

# like MACHINE ID [SED]: make a machine like one of tma's, with the id of another CPU
like()
{
	sed -e "s/^cpuid .*/cpuid $2/" -e "s|^include |include $machines/|" \
		-e "s|^\(	*\)include \([^/]\)|\1include $machines/\2|" ${3+-e "$3"} "$machines/$1"
}

like icelakex GenuineIntel-6-FE-1 >"$tmp/four"
like sapphirerapids GenuineIntel-6-FE-1 >"$tmp/eight"
like alderlake GenuineIntel-6-FE-1 >"$tmp/hybrid"
like lunarlake GenuineIntel-18-1-0 >"$tmp/novalake"
like zen4 AuthenticAMD-26-F0-1 >"$tmp/zen"
like skylakex GenuineIntel-6-FE-1 >"$tmp/old"
# Neoverse N2 counts more than its slots (errata, which its table corrects); other CPUs do not.
like neoverse-n2 0x00000000410fd990 's/frontend + cycles/frontend/;s/ + [15]*\*mispredicts//' >"$tmp/arm"
like neoverse-n2 0x00000000410fd990 '/^file caps\/slots/d' >"$tmp/arm-no-width"
like neoverse-n2 0x00000000410fd990 's|^\(file caps/slots \).*|\10x00000000|' >"$tmp/arm-width-0"
like neoverse-n2 0x00000000410fd990 '/^event op_spec /d' >"$tmp/arm-no-op-spec"

# Two types of arm64 cores. One is twice as wide as the other, and loses the same share of its
# slots.
{
	printf 'cpuid 0x00000000410fd990\nmodel two\ncpus 0-3\ncore 0 id=0\ncore 1 id=1\ncore 2 id=2\ncore 3 id=3\nphases 500ms\n'
	for kind in 'little 0-1 8 4 1' 'big 2-3 9 8 2'; do
		# shellcheck disable=SC2086 # the words of each
		set -- $kind
		printf 'pmu armv8_%s\ntype %s\nkind core\ncpus %s\ncounters 6\nfixed 1\nformat event config:0-15\n' "$1" "$3" "$2"
		printf 'file caps/slots 0x%08x\nconstraint event=0x11 fixed 0 any\nrate event=0x11 1G\n' "$4"
		for event in cpu_cycles=0x11 op_retired=0x3a op_spec=0x3b stall_slot_backend=0x3d stall_slot_frontend=0x3e; do
			printf 'event %s event=%s\n' "${event%=*}" "${event#*=}"
		done
		printf 'rate event=0x3a %sG\nrate event=0x3b %sG\nrate event=0x3d %sG\nrate event=0x3e %sG\nend\n' \
			"$5" "$5" "$5" "$((2 * $5))"
	done
} >"$tmp/arm-hybrid"

cat >"$tmp/goldmont" <<-END
	cpuid GenuineIntel-6-5F-1
	model Denverton
	cpus 0-1
	core 0 id=0
	core 1 id=1
	sysctl nmi_watchdog 0
	phases 500ms
	pmu cpu
	type 4
	kind core
	cpus 0-1
	counters 4
	fixed 3
	format event config:0-7
	format umask config:8-15
	event topdown-total-slots event=0x3c scale=3
	event topdown-fetch-bubbles event=0x9c
	event topdown-recovery-bubbles event=0xca,umask=0x02
	event topdown-slots-retired event=0xc2
	event topdown-slots-issued event=0x0e
	constraint event=0x3c fixed 1 any
	rate event=0x3c 2G
	rate event=0x9c 1.2G
	rate event=0xca,umask=0x02 0.4G
	rate event=0xc2 2.4G
	rate event=0x0e 2.6G
	end
END

# Tremont: an E-core's four events, without slots to lead them.
sed -n '/^cpuid/,/^cpus/p' "$tmp/goldmont" | sed 's/^cpuid.*/cpuid GenuineIntel-6-86-7/' >"$tmp/tremont"
cat >>"$tmp/tremont" <<-END
	core 0 id=0
	core 1 id=1
	sysctl nmi_watchdog 0
	phases 500ms
	pmu cpu
	type 4
	kind core
	cpus 0-1
	counters 4
	fixed 3
	format event config:0-7
	format umask config:8-15
	event topdown-fe-bound event=0x71,umask=0x0
	event topdown-retiring event=0xc2,umask=0x0
	event topdown-bad-spec event=0x73,umask=0x6
	event topdown-be-bound event=0x74,umask=0x0
	rate event=0x71 2G
	rate event=0xc2 4G
	rate event=0x73,umask=0x06 1G
	rate event=0x74 3G
	end
END

command -v python3 >/dev/null || skip_all "needs python3"

for name in four eight hybrid novalake arm goldmont tremont arm-hybrid; do
	begin "$name: every level has the true values"
	run tests/metrics/truth.py "$TMA" "$tmp/$name"
	expect_status 0
	expect_match stdout '^[1-9][0-9]* values compared, 0 mistakes$'
done

# said MACHINE PMU WHY: the note about the PMU is printed once
said()
{
	begin "$1: a note says once which events TopDown is made of"
	run "$TMA" --machine "$tmp/$1" stat -a --topdown -I100 --interval-count 2
	expect_status 0
	expect_match stderr "^tma: $2: TopDown is computed from events that the kernel names in sysfs: $3"
	[ "$(grep -c 'kernel names in sysfs' "$stderr")" = 1 ] || fail "it is said more than once" "$stderr"
	run "$TMA" --machine "$tmp/$1" stat -a --topdown -q -I100 --interval-count 1
	expect_no_match stderr sysfs
}

said four cpu 'no table names this CPU \(GenuineIntel-6-FE-1\); there are tables of [0-9]+ other models of its family \(GenuineIntel-6\)'
said hybrid cpu_core,cpu_atom 'no table names this CPU'
said novalake cpu_atom 'the tables of this CPU \(novalake\) have no formulas'
said goldmont cpu 'the tables of this CPU \(goldmont\) have no formulas'
said arm armv8_pmuv3_0 'no table names this CPU \(0x00000000410fd990\); there are tables of [0-9]+ other models of its family \(0x41\)'

begin "each level that sysfs has, and no more"
run "$TMA" --machine "$tmp/four" stat -a --topdown --td-level 2 true
expect_status 125
expect_match stderr "the deepest level of this CPU \(GenuineIntel-6-FE-1\) is 1"
run "$TMA" --machine "$tmp/eight" stat -a -x, --topdown --td-level max -I100 --interval-count 1
expect_status 0
expect_match stderr 'tma_memory_bound'
run "$TMA" --machine "$tmp/hybrid" stat -a --topdown --td-level 2 -I100 --interval-count 1
expect_match stderr '^tma: cpu_atom: TopDown ends at level 1 here'

begin "a whole level is one group"
run "$TMA" --machine "$tmp/eight" stat -a --topdown --td-level 2 -v -I100 --interval-count 1
expect_match stderr '^tma: cpu: 1 group; 1 would suffice'
run "$TMA" --machine "$tmp/arm" stat -a --topdown -v -I100 --interval-count 1
expect_match stderr '^tma: armv8_pmuv3_0: 1 group; 1 would suffice'

begin "each kind of arm64 cores has its own width"
run "$TMA" --machine "$tmp/arm-hybrid" stat -a -x, --topdown --metric-only -I100 --interval-count 1 -o "$tmp/csv"
expect_status 0
expect_match "$tmp/csv" ',25\.0,25\.0,50\.0,0\.0,25\.0,25\.0,50\.0,0\.0,'

begin "explain, list and JSON name the source"
run "$TMA" --machine "$tmp/four" explain tma_retiring
expect_status 0
expect_match stdout '^  from tables +topdown \(events of sysfs\)$'
run "$TMA" --machine "$tmp/four" --version --tables
expect_match stdout '^tables topdown \(events of sysfs\): 0 events, 4 metrics'
run "$TMA" --machine "$tmp/four" list --names metricgroup
expect_match stdout '^TopdownL1$'
run "$TMA" --machine "$tmp/four" explain --json tma_retiring
expect_match stdout 'events of sysfs'

begin "a verdict is that of any other CPU"
run "$TMA" --machine "$tmp/eight" stat -a --topdown --td-level 2 --verdict --timeout 500
expect_status 0
expect_match stderr 'Verdict: tma_backend_bound .* -> tma_'

begin "what a table has stays"
run "$TMA" --machine sapphirerapids --version --tables
expect_no_match stdout sysfs
run "$TMA" --machine alderlake --version --tables
expect_no_match stdout sysfs
run "$TMA" --machine neoverse-n2 --version --tables
expect_no_match stdout sysfs

begin "a folder of tables replaces built-in latencies"
mkdir -p "$tmp/tables"
printf '[{"MetricName":"tma_retiring","MetricExpr":"0.25 + 0 * cycles","MetricGroup":"TopdownL1","ScaleUnit":"100%%"}]\n' \
	>"$tmp/tables/metrics.json"
run "$TMA" --machine "$tmp/four" stat --tables "$tmp/tables" -a -x, -M tma_retiring --metric-only --timeout 100
expect_status 0
expect_match stderr '^25\.0,'

begin "metrics of the user's own go with them, and name no CPU"
run "$TMA" --machine "$tmp/four" stat -a -M 'x = 1 - tma_retiring,tma_retiring' --metric-only --timeout 100
expect_status 0
expect_match stderr '^tma: cpu: .* no table names this CPU \(GenuineIntel-6-FE-1\)'

begin "no formulas of another model, and the family is named" # R39
run "$TMA" --machine "$tmp/zen" stat -a --topdown true
expect_status 125
expect_match stderr 'no metrics for this CPU \(AuthenticAMD-26-F0-1\).* tables of [0-9]+ other models of its family \(AuthenticAMD-26\)'
# The tables of these CPUs have four slots per cycle, per core or per thread depending on SMT.
run "$TMA" --machine "$tmp/old" stat -a --topdown true
expect_status 125

for name in arm-no-width arm-width-0 arm-no-op-spec; do
	begin "$name: if an event is missing, there is no level 1"
	run "$TMA" --machine "$tmp/$name" stat -a --topdown true
	expect_status 125
done

begin "a recording of it is read with the same counts"
run "$TMA" --machine "$tmp/goldmont" stat record -a -o "$tmp/data" --topdown -I100 --interval-count 2
expect_status 0
run "$TMA" stat report -i "$tmp/data" -x, --topdown --metric-only
expect_status 0
expect_match stderr ',40\.0,30\.0,20\.0,10\.0,'
run "$TMA" --machine "$tmp/arm" stat record -a -o "$tmp/data" --topdown -I100 --interval-count 1
run "$TMA" stat report -i "$tmp/data" -x, --topdown --metric-only --set '#slots=5'
expect_status 0
expect_match stderr ',[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,$'
