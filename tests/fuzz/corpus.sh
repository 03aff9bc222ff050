#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the fuzz targets on recorded inputs: those that reached new code, and all that ever broke
# something.
. "$(dirname "$0")/../cli/lib.sh"

for corpus in tests/fuzz/corpus/*; do
	target=${corpus##*/}
	begin "the corpus of the fuzz target $target" # R63
	run "$BUILD/tests/fuzz/fuzz_$target" "$corpus"
	expect_status 0
	expect_match stdout '^[1-9][0-9]* files, 0 failures$'
done

begin "a fuzz target that fails names the input"
run "$BUILD/tests/fuzz/fuzz_json_expr" "$tmp/none"
expect_status 1
expect_match stdout '^1 files, 1 failures$'
expect_match stderr "$tmp/none: ended with status 2"

begin "make fuzz says what it needs"
run make O="${BUILD#"$PWD"/}" FUZZ_CC=false fuzz
expect_status 2
expect_match stderr 'install the packages clang and libclang-rt-14-dev'
