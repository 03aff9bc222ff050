#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What tma exports, looked at by promtool.
. "$(dirname "$0")/../cli/lib.sh"

# Cgroups in a tree of this test; one of them has a name that must be escaped.
mkdir -p "$tmp/cgroups/web.slice" "$tmp/cgroups/a \"b\" \\x2d" "$tmp/proc"
echo "cgroup2 $tmp/cgroups cgroup2 rw 0 0" >"$tmp/proc/mounts"

# exports MACHINE ARGUMENT...: promtool finds no mistake in what tma stat exports on this machine
exports()
{
	on=$1
	shift
	run env TMA_SIM_STEP=10 PROCFS_PATH="$tmp/proc" "$TMA" --machine "$on" stat --timeout 200 --format=prom \
		-o "$tmp/prom" "$@"
	expect_status 0
	# shellcheck disable=SC2016 # the inner shell's
	run sh -c 'promtool check metrics <"$1" 2>&1' sh "$tmp/prom"
	expect_status 0
	expect_equal "complaints on $on of $*" "$(cat "$stdout")" ""
}

begin "what tma exports is as Prometheus wants it, on each machine and whatever is measured"
needs_command promtool
for machine in lib/sim/machines/*; do
	machine=${machine##*/}
	case $machine in
	*.part | kernels) continue ;;
	esac
	exports "$machine" -a --topdown --td-level max --error --prom-ratios
	exports "$machine" -a --per-core --topdown --error
	exports "$machine" -a -A -e instructions,task-clock,page-faults --topdown
	exports "$machine" -a --topdown --for-each-cgroup 'web.slice,a "b" \x2d' --prom-ratios
done
expect_match "$tmp/prom" '^tma_slots_total\{.*,cgroup="a \\"b\\" \\\\x2d"\} '
