#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Documentation/reliability.adoc: each kind of fault has a row, and each row a test that names it (tests/fault/kinds).
. "$(dirname "$0")/lib.sh"

# check_page FILE: print the mistakes of a page
check_page()
{
	tests/fault/kinds | cut -f 1 | sort -u >"$tmp/shown"
	sed -n 's/^| \(R[0-9]*\) |.*/\1/p' "$1" >"$tmp/all"
	sort -u "$tmp/all" >"$tmp/rows"
	comm -13 "$tmp/shown" "$tmp/rows" | sed 's/$/ has no test/'
	comm -23 "$tmp/shown" "$tmp/rows" | sed 's/^/a test names /; s/$/, which has no row/'
	# Numbers go from 1 to the last one without a gap.
	tr -d R <"$tmp/all" | sort -n | awk '$1 != ++n { print "number " n " is missing or twice"; exit }'
}

page=Documentation/reliability.adoc

begin "every kind of fault has a test, and every test's kind a row"
check_page $page >"$tmp/wrong"
[ ! -s "$tmp/wrong" ] || fail "the page is not true" "$tmp/wrong"
expect_between "kinds" "$(wc -l <"$tmp/rows")" 58 1000

begin "rows without tests, tests without rows, and duplicate numbers are reported"
{
	sed 's/^| R31 /| R30 /; /^| R65 /d' $page
	echo '| R1000 | something'
} >"$tmp/page.adoc"
check_page "$tmp/page.adoc" >"$tmp/wrong"
expect_file "$tmp/wrong" <<'END'
R1000 has no test
a test names R31, which has no row
a test names R65, which has no row
number 31 is missing or twice
END

begin "titles of shell and C are printed, those of the kinds that are asked for"
run tests/fault/kinds R2 R22
expect_status 0
expect_match stdout '^R2	cli/stat\.sh	[^"]+$'
expect_match stdout '^R22	unit/test_count_hotplug\.c	[a-z_]+$'
expect_no_match stdout '^R(1|2[013-9])'

begin "the page is a document"
needs_command asciidoctor
run asciidoctor --failure-level WARN -o "$tmp/page.html" $page
expect_status 0
expect_empty stderr
