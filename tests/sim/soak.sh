#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two hours of rows in stepped time, while CPUs go and come; make check-soak has days, and real time.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind's memory is its own"
! grep -q __asan_init "$BUILD/tma" || skip_all "a sanitizer keeps memory that is released"

begin "memory and descriptors stay as they are, and no row is missing or late"
runs="a --topdown|real time"
"$TMA" stat -a -e cpu-clock --timeout 10 2>/dev/null || runs="a --topdown|-p of .* real time"
"$TMA" stat -e task-clock true 2>/dev/null || runs="a --topdown"
run timeout 230 python3 -B tests/soak/soak.py --rows 7200 --seconds 3 --svg "$tmp/soak.svg" --only "$runs" "$BUILD"
expect_status 0
expect_match stdout '^-a --topdown +7200 .* ok$'
expect_match "$tmp/soak.svg" '</svg>'

begin "a missing row is reported"
mkdir "$tmp/build"
cat >"$tmp/build/tma" <<'END'
#!/usr/bin/env python3
import os, sys
os.write(int(sys.argv[8]), b"1.0,1,\n2.0,1,\n4.0,1,\n")
END
chmod +x "$tmp/build/tma"
run python3 -B tests/soak/soak.py --rows 0 --seconds 3 --only '^-a, real' "$tmp/build"
expect_status 1
expect_match stdout 'no row between 2.0 and 4.0'
