#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Unit tests that need a kernel of their architecture.
. tests/cli/lib.sh

cd /src || exit 1
for test in build/tests/unit/test_*; do
	begin "$(basename "$test")"
	run "$test"
	expect_status 0
	expect_match stdout '^100%: Checks: [1-9]'
done
close_test
