#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Gives every group that is planned for the metrics of every x86 model to the scheduler of a real
# kernel: its files of arch/x86/events are compiled here (tests/kernel/build) and asked whether they
# open the group and can put it on the counters, with SMT and without, with the NMI watchdog and
# without.
. "$(dirname "$0")/../cli/lib.sh"

source=${KERNEL_SRC:-third_party/linux}
[ -e "$source/arch/x86/events/core.c" ] || skip_all "no arch/x86/events in $source (scripts/setup takes it)"
# kernel.h replaces the headers of that version. In later headers, the type of a core is in other structures.
! grep -q INTEL_CPU_TYPE_CORE "$source/arch/x86/events/intel/core.c" ||
	skip_all "needs the scheduler of Linux 6.12 (KERNEL_SRC=third_party/linux tests/run BUILD kernel)"
build=$(dirname "$TMA")
[ -z "${TEST_VALGRIND-}" ] || build=$BUILD
verdicts=$build/tests/kernel/verdicts

begin "the kernel's code compiles"
run tests/kernel/build "$source" "$build/tests/kernel/linux"
expect_status 0
expect_empty stderr
[ $test_state = ok ] || exit 0

begin "it judges every group"
build=$(cd "$build" && pwd)
mkdir -p "$tmp/sysfs/devices/system/cpu/smt"
echo notsupported >"$tmp/sysfs/devices/system/cpu/smt/control"
run sh -c '"$1/plans" "$2" >"$1/groups" && "$1/linux/scheduler" <"$1/groups" >"$1/verdicts"' - "$build/tests/kernel" "$tmp/sysfs"
expect_status 0
expect_empty stderr
expect_match "$verdicts" '^skylakex	smt	watchdog	perf	cpu	3	refused'
[ $test_state = ok ] || exit 0
tests/kernel/table "$verdicts" >"$build/tests/kernel/table"

for model in $(cut -f 1 "$verdicts" | sort -u); do
	begin "$model: every group by counters is taken and scheduled, and all of its events count"
	if grep -q "^$model	.*	-	unknown	" "$verdicts"; then
		skip "this kernel is older than the model"
		continue
	fi
	awk -F '\t' -v model="$model" \
		'$1 == model && $6 !~ /^(drawn|code|any)$/ && $4 != "perf" && $7 != "ok" && $7 != "crowded"' "$verdicts" >"$tmp/odd"
	[ ! -s "$tmp/odd" ] || fail "$(wc -l <"$tmp/odd") groups are not" "$tmp/odd"
done

# Groups that fit some counters also fit more counters. For all metrics of a model together, the search ends before it
# has found the fewest groups: one more group in thirty is allowed there.
begin "more counters never need more groups: without the watchdog, without SMT"
awk -F '\t' '
$6 !~ /^(drawn|code|any)$/ && $4 == "ours" { groups[$1 " " $5 " level " $6, $2, $3]++ }
function compare(place, n, fewer, what)
{
	if (n > fewer + (place ~ / all$/ ? int(fewer / 30) : 0))
		print place, ":", n, "groups,", what, fewer
}
END {
	for (key in groups) {
		split(key, k, SUBSEP)
		if (k[3] == "-")
			compare(k[2] " " k[1], groups[key], groups[k[1], k[2], "watchdog"], "with the watchdog")
		if (k[2] == "-")
			compare(k[3] " " k[1], groups[key], groups[k[1], "smt", k[3]], "with SMT")
	}
}' "$verdicts" >"$tmp/odd"
[ ! -s "$tmp/odd" ] || fail "they do" "$tmp/odd"

begin "groups drawn at random: what is forecast to fit is taken, scheduled and counts"
awk -F '\t' '$6 == "drawn" && $4 == "fits" && $7 !~ "^(ok|crowded|absent)$"' "$verdicts" >"$tmp/odd"
[ ! -s "$tmp/odd" ] || fail "$(wc -l <"$tmp/odd") groups are not" "$tmp/odd"
expect_match "$verdicts" '	fits	cpu	drawn	ok'

begin "groups drawn at random: what is forecast to be refused or never to run is so"
awk -F '\t' '$6 == "drawn" && $4 != "fits"' "$verdicts" >"$tmp/forecast"
awk -F '\t' '$4 != $7 && $7 != "absent" && $7 != "nothing"' "$tmp/forecast" >"$tmp/odd"
# One in a hundred is forecast as refused to be on the safe side: groups with two load latencies, or
# with two equal values of a register.
[ "$(wc -l <"$tmp/odd")" -le $(($(wc -l <"$tmp/forecast") / 100)) ] ||
	fail "$(wc -l <"$tmp/odd") of $(wc -l <"$tmp/forecast") are not" "$tmp/odd"

mkdir "$tmp/machines"
cp "$build"/machines/*.part "$tmp/machines"

# $1: machine, $2: the model of its tables, $3: watchdog or -
compare_simulated()
{
	begin "the simulated $1 takes and schedules the groups that the kernel does ($3)"
	sed "s/^sysctl nmi_watchdog .*/sysctl nmi_watchdog $([ "$3" = - ]; echo $?)/" "$build/machines/$1" >"$tmp/machines/$1"
	run env LD_PRELOAD="$build/libtma-sim.so" TMA_MACHINE="$tmp/machines/$1" TMA_SIM_STEP=1 \
		"$build/tests/kernel/simulated" "$build/tests/kernel/groups" "$2 smt $3"
	expect_status 0
	awk -F '\t' -v model="$2" -v watchdog="$3" '$1 == model && $2 == "smt" && $3 == watchdog' "$verdicts" >"$tmp/kernels"
	[ -s "$tmp/kernels" ] || fail "there are none of $2"
	expect_same_verdicts
}

expect_same_verdicts()
{
	# The simulator reports groups of one thread, and groups that count nothing, as running.
	awk -F '\t' -v OFS='\t' '{ sub(/^(crowded|nothing)$/, "ok", $7); print NR, $1, $4, $5, $6, $7 }' \
		"$tmp/kernels" >"$tmp/want"
	awk -F '\t' -v OFS='\t' '{ print NR, $1, $4, $5, $6, $7 }' "$stdout" >"$tmp/got"
	diff "$tmp/want" "$tmp/got" >"$tmp/odd" || fail "they differ" "$tmp/odd"
}

for watchdog in - watchdog; do
	for machine in alderlake arrowlake grandridge graniterapids icelakex lunarlake sapphirerapids sierraforest skylakex; do
		compare_simulated $machine $machine $watchdog
	done
	compare_simulated zen4 amdzen4 $watchdog
	compare_simulated zen5 amdzen5 $watchdog
done

# Events of all threads of a core need more permissions.
awk '$1 == "machine" { there = $2 == "skylakex" && $3 && !$4 } $1 == "group" { any = /\tany$/ }
	there && ($1 == "machine" || any)' "$build/tests/kernel/groups" >"$tmp/any"
chmod -R a+rX "$tmp"
make_public "$build/libtma-sim.so" "$build/tests/kernel/simulated"
for paranoid in 0 1 2; do
	begin "events of all threads of a core, for an ordinary user's task at perf_event_paranoid $paranoid"
	needs_root
	needs_command setpriv
	sed "s/^sysctl .*/&\nsysctl perf_event_paranoid $paranoid/" "$build/machines/skylakex" >"$tmp/machines/user"
	# This is in user space, as with perf_event_paranoid 2.
	sed 's/^\(event [^ ]* [^ ]* [^ ]* [^ ]* [^ ]*\) 0 /\1 2 /' "$tmp/any" >"$tmp/machines/groups"
	run sh -c '"$1" "$2" <"$3"' - "$build/tests/kernel/linux/scheduler" $paranoid "$tmp/machines/groups"
	expect_status 0
	expect_match stdout "	any	$([ $paranoid = 0 ] && echo '(ok|crowded)' || echo absent)"
	expect_no_match stdout "	any	$([ $paranoid = 0 ] && echo absent || echo '(ok|crowded)')"
	cp "$stdout" "$tmp/kernels"
	run env LD_PRELOAD="$tmp/public/libtma-sim.so" TMA_MACHINE="$tmp/machines/user" TMA_SIM_STEP=1 \
		setpriv --reuid=65534 --clear-groups "$tmp/public/simulated" "$tmp/machines/groups" "skylakex smt -" task
	expect_status 0
	expect_same_verdicts
done

begin "the groups of plain events, for virtual machines: of every model with TopDown metric events" # R73
awk -F '\t' '$4 == "guest" { print $1 }' "$verdicts" | sort -u >"$tmp/models"
for model in alderlake emeraldrapids graniterapids icelake icelakex lunarlake meteorlake rocketlake sapphirerapids tigerlake; do
	grep -qx "$model" "$tmp/models" || fail "no groups of $model"
done
awk -F '\t' '$4 == "guest" && $7 != "ok" && $7 != "crowded" && $7 != "unknown"' "$verdicts" >"$tmp/odd"
[ ! -s "$tmp/odd" ] || fail "$(wc -l <"$tmp/odd") groups are not scheduled" "$tmp/odd"
