#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Simulated machines, and the library of programs that measure themselves, in a build for arm64.
. tests/cli/lib.sh

begin "a Neoverse N2 has TopDown"
sim neoverse-n2 stat -a --topdown --timeout 200
expect_status 0
expect_match stderr 'retiring .*bad_speculation'
expect_match stderr '^( +[1-9][0-9.]*){4} *$'

begin "what another architecture has works too, but for its instructions"
sim alderlake stat -a --topdown --timeout 200
expect_status 0
expect_match stderr 'cpu_core'

begin "libtma-topdown names the reason why it has nothing here"
run env LD_LIBRARY_PATH=/bin snapshot
expect_match stdout 'TopDown are of x86'
close_test
