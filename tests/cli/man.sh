#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Man pages are rendered as intended.
. "$(dirname "$0")/lib.sh"

pages=$(ls "$BUILD"/Documentation/*.[1-8])

begin "no mark of the source is left in a page"
# shellcheck disable=SC2086
run python3 -B tests/cli/man.py $pages
expect_empty stdout
expect_status 0

begin "a mark that is left is found"
printf 'Plain \\fBbold\\fP.\n.nf\n*literal* {code}\n.fi\n\\-\\-control \\fBfd:*\\fP\\fIN\\fP[,ACK]\n' >"$tmp/stray.1"
run python3 -B tests/cli/man.py "$tmp/stray.1"
expect_status 1
expect_stdout <<END
$tmp/stray.1:5: --control fd:*N[,ACK]
END

begin "each page is rendered without a warning"
command -v man >/dev/null || skip "needs man"
for page in $pages; do
	run env LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -P cat -l "$page"
	expect_status 0
	# Tables of examples may have any width.
	grep -v "can't break line\|cannot adjust line\|can't adjust line" "$stderr" >"$tmp/warnings"
	expect_equal "warnings of ${page##*/}" "$(cat "$tmp/warnings")" ""
done

begin "mandoc finds no fault"
command -v mandoc >/dev/null || skip "needs mandoc"
# shellcheck disable=SC2086
run mandoc -Tlint -Wwarning $pages
expect_empty stdout
expect_status 0

begin "lexgrog finds the name of each page"
command -v lexgrog >/dev/null || skip "needs lexgrog of man-db"
for page in $pages; do
	name=${page##*/}
	run lexgrog "$page"
	expect_status 0
	expect_match stdout "\"${name%.*} - [^ ].*\""
done
