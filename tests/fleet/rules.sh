#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recording rules and alerts, by Prometheus' own tests of rules, and the dashboard's form.
. "$(dirname "$0")/../cli/lib.sh"

begin "promtool accepts the recording rules and alerts"
needs_command promtool
for rules in tma.rules.yml tma.global.rules.yml; do
	run promtool check rules "scripts/fleet/$rules"
	expect_status 0
	expect_match stdout '^  SUCCESS: '
done

begin "shares have the weight of slots, and alerts fire, on made up counters"
needs_command promtool
run promtool test rules tests/fleet/rules.test.yml
expect_status 0
expect_match stdout '^  SUCCESS$'

begin "a Prometheus above several makes shares of the sums of their slots"
needs_command promtool
run promtool test rules tests/fleet/global.test.yml
expect_status 0
expect_match stdout '^  SUCCESS$'

begin "and makes of them what each of those does"
run python3 -B tests/fleet/same.py scripts/fleet/tma.rules.yml scripts/fleet/tma.global.rules.yml
expect_status 0
expect_match stdout '^[1-9][0-9]* rules$'

# Cgroups of a tree of this test's own, one of them with a name that has to be escaped.
mkdir -p "$tmp/cgroups/web.slice" "$tmp/cgroups/a \"b\" \\x2d" "$tmp/proc"
echo "cgroup2 $tmp/cgroups cgroup2 rw 0 0" >"$tmp/proc/mounts"

# exports MACHINE ARGUMENT...: promtool finds nothing wrong with what tma stat exports there
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

begin "the dashboard asks for what the rules record"
run python3 -B tests/fleet/dashboard.py scripts/fleet/tma.dashboard.json scripts/fleet/tma.rules.yml
expect_status 0
expect_match stdout '^[1-9][0-9]* queries$'
