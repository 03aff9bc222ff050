#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Static analysis: "make analyze" runs clang's as well, which takes longer.
. "$(dirname "$0")/lib.sh"

begin "cppcheck finds nothing"
needs_command cppcheck
run scripts/analyze cppcheck
expect_status 0
expect_empty stdout
