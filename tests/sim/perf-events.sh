#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The same event texts under perf 6.12 and under tma on the same simulated machine: the same names
# and units, for the whole system and by CPU. On a hybrid machine perf has cpu_atom first, and tma
# cpu_core: there the order is not compared.
. "$(dirname "$0")/../cli/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so

[ -n "${PERF-}" ] || skip_all "needs PERF (the path of a perf 6.12)"

# names COLUMN <CSV: print the names and units of events, each once
names()
{
	awk -F';' -v column="$1" 'NF > column && !seen[$column, $(column - 1)]++ {
		print $(column - 1) ";" $column
	}' | if [ "$order" = same ]; then cat; else sort; fi
}

# same_names MACHINE COLUMN [OPTION ...]: perf and tma have the same names for the events in
# $tmp/events
same_names()
{
	[ $test_state = ok ] || return 0
	machine=$1 column=$2
	shift 2
	while read -r text; do
		set -- "$@" -e "$text"
	done <"$tmp/events"
	command_shown="tma --machine $machine stat -x; $*"
	LD_PRELOAD=$sim_library TMA_MACHINE=$machine \
		"$PERF" stat -o "$tmp/perf.csv" -x';' "$@" -- true >"$stdout" 2>"$stderr" ||
		fail "perf failed"
	"$TMA" --machine "$machine" stat --compat=6.12 -o "$tmp/tma.csv" -x';' "$@" -- true \
		>"$stdout" 2>"$stderr" || fail "tma failed"
	names "$column" <"$tmp/perf.csv" >"$tmp/perf.names"
	names "$column" <"$tmp/tma.csv" >"$tmp/tma.names"
	[ "$(wc -l <"$tmp/perf.names")" -ge "$(wc -l <"$tmp/events")" ] ||
		fail "perf printed too few events"
	diff -u --label perf --label tma "$tmp/perf.names" "$tmp/tma.names" >"$tmp/diff" ||
		fail "differs from perf" "$tmp/diff"
}

order=same
cat >"$tmp/events" <<'END'
cycles:u,instructions:k
{cycles,instructions},cs,task-clock
{topdown-retiring,slots,topdown-be-bound}
{cycles,topdown-retiring,slots}
topdown-bad-spec,branches,slots,topdown-fe-bound
{slots,topdown-heavy-ops},topdown-mem-bound
INST_Retired.Any:k,br_inst_retired.all_branches
cpu/cycles/,cpu/event=0x3c,name=foo/u
L1-dcache-loads:u,cpu/LLC-loads/
r3c,4:0x3c
imc/event=5/,uncore_imc_1/event=4/
UNC_CHA_CLOCKTICKS
{uncore_cha/event=1/,uncore_cha/event=2/}
power/energy-pkg/,msr/tsc/
END
begin "event names and their order on a Xeon"
same_names sapphirerapids 3 -a
begin "event names on a Xeon, by CPU"
same_names sapphirerapids 4 -a -A

order=any
cat >"$tmp/events" <<'END'
cycles:u,instructions:k
{cycles,instructions},cs,task-clock
{topdown-retiring,slots,topdown-be-bound}
{cpu_atom/cycles/,cpu_core/cycles/}
{cpu_core/cycles/,cs,cpu_atom/instructions/}
inst_retired.any/period=3/u,INST_Retired.Any:k
cycles/name=bar/,cpu_core/event=0x3c,name=foo/
L1-dcache-load-misses:k,cpu_atom/LLC-loads/
cpu_core/r3c/,msr/tsc/
END
begin "event names on a hybrid machine"
same_names alderlake 3 -a
begin "event names on a hybrid machine, by CPU"
same_names alderlake 4 -a -A
