#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each CPU in the list of tma-list(1) has the table and the levels of TopDown that the list gives:
# on a machine with its id and its kind of cores, level 1 adds up to all slots, also where it is
# made of events of sysfs; without either there is no value.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=1
export TMA_SIM_STEP
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)
manual=$(dirname "$0")/../../Documentation/tma-list.1.adoc

# part ID PMU FILE: make a machine of four cores with one PMU, which FILE describes
part()
{
	cat <<-END
		cpuid $1
		model $1
		cpus 0-3
		core 0 id=0
		core 1 id=1
		core 2 id=2
		core 3 id=3
		sysctl nmi_watchdog 0
		phases 500ms
		pmu $2
		type 4
		let cycles 2G
		let retiring 0.4
		let bad_spec 0.1
		let fe_bound 0.2
		let core_bound 0.1
		let mem_bound 0.2
		let per_retiring 2.5
		include $machines/$3
		end
	END
}

# slots ID WIDTH: make an arm64 machine with this many slots per cycle, filled or lost, 20 G per
# second
slots()
{
	cat <<-END
		cpuid $1
		model $1
		cpus 0-3
		core 0 id=0
		core 1 id=1
		core 2 id=2
		core 3 id=3
		sysctl nmi_watchdog 0
		phases 500ms
		pmu armv8_pmuv3_0
		type 8
		kind core
		cpus 0-3
		counters 6
		fixed 1
		format event config:0-15
		file caps/slots $(printf 0x%08x "$2")
		constraint event=0x11 fixed 0 any
		rate event=0x11 $((20000 / $2))M
		rate event=0x10 0
		rate event=0x1e1 20G
		rate event=0x1e2 3G
		rate event=0x3a 8G
		rate event=0x3b 10G
		rate event=0x3d 6G
		rate event=0x3e 4G
		rate event=0x3f 10G
		rate event=0x8162 0.1G
		rate event=0x23 0.2G
		rate event=0x24 0.8G
		rate event=0x4005 0.4G
		rate event=0x8158 0.06G
		rate event=0x8159 0.03G
		rate event=0x815b 0.02G
		rate event=0x815c 0.01G
		rate event=0x8160 0.14G
		rate event=0x8161 0.04G
		rate event=0x8164 0.6G
		rate event=0x8165 0.1G
		rate event=0x8167 0.06G
		rate event=0x8168 0.04G
		rate event=0x816a 0.2G
		rate event=0x816b 0.12G
		rate event=0x816d 0.05G
		end
	END
}

# old ID LINE...: make a machine for an Intel core that has no machine file; the lines describe its
# PMU
old()
{
	printf 'cpuid %s\nmodel %s\ncpus 0-1\ncore 0 id=0\ncore 1 id=1\nsysctl nmi_watchdog 0\nphases 500ms\n' "$1" "$1"
	printf 'pmu cpu\ntype 4\nkind core\ncpus 0-1\ncounters 4\nfixed 3\nformat event config:0-7\nformat umask config:8-15\n'
	shift
	printf '%s\n' "$@" 'rate event=0xc0 2G' end
}

# like MACHINE ID [SED]: make a machine like one of tma's, with the id of another CPU
like()
{
	sed -e "s/^cpuid .*/cpuid $2/" -e "s|^include |include $machines/|" \
		-e "s|^\(	*\)include \([^/]\)|\1include $machines/\2|" ${3+-e "$3"} "$machines/$1"
}

# machine ID TABLE: print the machine file for this CPU
machine()
{
	case $2 in
	skylake | skylakex | cascadelakex) like skylakex "$1" ;;
	icelake | icelakex | rocketlake | tigerlake) like icelakex "$1" ;;
	sapphirerapids | emeraldrapids) like sapphirerapids "$1" ;;
	graniterapids) like graniterapids "$1" ;;
	alderlake) like alderlake "$1" ;;
	meteorlake) like alderlake "$1" 's|include .*gracemont|let core_bound 0.1\n&|;s/gracemont/crestmont/' ;;
	lunarlake | novalake) like lunarlake "$1" ;;
	arrowlake | pantherlake | clearwaterforest | sierraforest | grandridge) like "$2" "$1" ;;
	alderlaken) part "$1" cpu gracemont.part ;;
	amdzen4) like zen4 "$1" ;;
	amdzen5 | amdzen6) like "${2#amd}" "$1" ;;
	goldmont | goldmontplus)
		old "$1" 'event topdown-total-slots event=0x3c scale=3' 'event topdown-fetch-bubbles event=0x9c' \
			'event topdown-recovery-bubbles event=0xca,umask=0x02' 'event topdown-slots-retired event=0xc2' \
			'event topdown-slots-issued event=0x0e' 'rate event=0x3c 2G' 'rate event=0x9c 1.2G' \
			'rate event=0xca,umask=0x02 0.4G' 'rate event=0xc2 2.4G' 'rate event=0x0e 2.6G'
		;;
	snowridgex | elkhartlake)
		old "$1" 'event topdown-fe-bound event=0x71' 'event topdown-retiring event=0xc2' \
			'event topdown-bad-spec event=0x73,umask=0x6' 'event topdown-be-bound event=0x74' \
			'rate event=0x71 2G' 'rate event=0xc2 4G' 'rate event=0x73,umask=0x06 1G' 'rate event=0x74 3G'
		;;
	knightslanding | none) old "$1" 'event instructions event=0xc0' ;;
	arm/neoverse-n1) like neoverse-n2 "$1" '/^event \(stall_slot\|op_\)/d' ;;
	arm/neoverse-n3) slots "$1" 5 ;;
	arm/neoverse-v1) slots "$1" 8 ;;
	arm/neoverse-v3 | nvidia/t410) slots "$1" 10 ;;
	arm/* | ampere/*) like neoverse-n2 "$1" ;;
	hisilicon/*) slots "$1" 4 | sed 's/^end/event cpu_cycles event=0x11\nevent inst_retired event=0x08\nevent inst_spec event=0x1b\nrate event=0x2014 3G\nrate event=0x1b 10G\nrate event=0x08 8G\n&/' ;;
	amdzen*) like zen4 "$1" ;;
	*) part "$1" cpu gracemont.part ;;
	esac
}

# Level 1 is complete, and counted once for each type of core: it has four values, or five on Zen.
expect_all_slots()
{
	[ $test_state = ok ] || return 0
	sed '/^#/d;/^$/d' "$tmp/csv" | tail -n +2 | awk -F, '
		{ sum = n = 0; rows++
		  for (i = 2; i <= NF; i++) if ($i ~ /^-?[0-9.]+$/) { sum += $i; n++ }
		  mean = n > 3 ? sum / int(n / 4) : n == 3 ? sum : 0 # of cycles, three
		  if (mean < 2) mean *= 100
		  if (mean < 98 || mean > 102) wrong = 1 } END { exit wrong || rows != 1 }' ||
		fail "level 1 is not 100 %" "$tmp/csv"
}

sed -n 's/^| \([A-Z0][^ ]*-[^ ]*\|0x[^ ]*\) | \([^ ]*\) | \([^ ]*\) | .*/\1 \2 \3/p' "$manual" >"$tmp/cpus"
begin "the list in tma-list(1) has the CPUs"
[ "$(wc -l <"$tmp/cpus")" -ge 60 ] || fail "there are few of them" "$tmp/cpus"

while read -r id table levels; do
	begin "$id: its table is $table"
	run env PERF_CPUID="$id" "$TMA" --version --tables
	if [ "$table" = none ]; then
		expect_no_match stdout "^tables [a-z].*(built in)"
	else
		expect_match stdout "^tables $table "
	fi
	machine "$id" "$table" >"$tmp/machine"

	begin "$id: TopDown has $levels levels"
	run env PERF_CPUID="$id" "$TMA" list --names metricgroup
	if [ "$levels" = none ] || [ "$levels" = sysfs ]; then
		expect_no_match stdout '^TopdownL1$'
	else
		expect_match stdout "^Top[dD]ownL$levels\$"
		expect_no_match stdout "^Top[dD]ownL$((levels + 1))\$"
	fi

	begin "$id: --topdown on its machine"
	run "$TMA" --machine "$tmp/machine" stat -a -x, --topdown --td-level 1 --metric-only -o "$tmp/csv" \
		-I1000 --interval-count 1
	if [ "$levels" = none ]; then
		[ "$status" != 0 ] || fail "there are values" "$tmp/csv"
	else
		expect_status 0
		expect_all_slots
		[ "$levels" != sysfs ] || expect_match stderr "computed from events that the kernel names in sysfs"
	fi
done <"$tmp/cpus"
