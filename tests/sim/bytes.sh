#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Some of the lines of tests/bytes, on simulated machines: the same bytes as were recorded. make
# check-bytes compares all of them.
. "$(dirname "$0")/../cli/lib.sh"

every=36

[ -z "${TEST_VALGRIND-}" ] || skip_all "under valgrind it takes too long"
command -v python3 >/dev/null || skip_all "python3 is not installed"

begin "one line in $every prints what was recorded"
run python3 -B tests/bytes/bytes.py --every $every run "$BUILD"
expect_status 0

begin "lines that print more of the tables print what was recorded"
lines=$(sed -n 's/.*, \([0-9]*\) need the tables of .*/\1/p' "$stdout")
[ -z "$lines" ] || skip "needs the tables of Linux 6.12 for $lines lines"

begin "a line with different output is reported"
mkdir "$tmp/build"
ln -s "$(cd "$BUILD" && pwd)/machines" "$tmp/build/machines"
printf '#!/bin/sh\necho other\n' >"$tmp/build/tma"
chmod +x "$tmp/build/tma"
run python3 -B tests/bytes/bytes.py run "$tmp/build" '^skylakex: stat -n true$'
expect_status 1
expect_match stdout '^differs: skylakex: stat -n true$'
expect_match stdout '^  \+1 other$'
expect_match stdout '^0 the same, 1 differ, '
