#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A newer kernel's source: its tables are read as they are, and tma is built with them and with its libperf.
. "$(dirname "$0")/../cli/lib.sh"

[ -n "${TMA_TEST_KERNEL-}" ] || skip_all "TMA_TEST_KERNEL=dir names the source of a newer Linux"
tables=$TMA_TEST_KERNEL/tools/perf/pmu-events/arch

begin "each expression is read, and names what is there"
run "$TMA" check-tables --severity error "$tables"
# The tables for the kernel's own tests are in parts, which are put together in another file.
grep -v '/arch/test/' "$stdout" | grep ' error: ' | grep -v '\[duplicate\]$' >"$tmp/errors"
[ ! -s "$tmp/errors" ] || fail "tables have mistakes" "$tmp/errors"

for arch in arm64 powerpc s390 x86; do
	begin "$arch: every metric, read at run time, has the value of an independent evaluator"
	command -v python3 >/dev/null || skip "python3 is not installed"
	run python3 -B tests/metrics/evaluate.py --load "$BUILD/tests/metrics/eval" "$tables/$arch"
	expect_status 0
	expect_match stdout '^[1-9][0-9]+ metrics .*, 0 differences$'
done

begin "a tree given by --tables serves the machine's CPU, without building anew"
for machine in alderlake graniterapids icelakex sapphirerapids skylakex; do
	sim $machine --tables "$tables/x86" stat -a --topdown -x, -I 1000 --interval-count 1
	expect_status 0
	expect_match stderr tma_backend_bound
	expect_no_match stderr 'tma: .*(cannot|unknown|not read)'
done

begin "it builds"
run env -u MAKEFLAGS make -s O="$tmp/build" KERNEL_SRC="$TMA_TEST_KERNEL" ARCHS=x86 all
expect_status 0
expect_no_match stderr 'warning:'

begin "what was built counts and ends well"
TMA=$tmp/build/tma
for machine in alderlake sapphirerapids; do
	sim $machine stat -C 0 --topdown -I 100 --interval-count 2
	expect_status 0
	expect_match stderr 'tma_backend_bound'
done
close_test
