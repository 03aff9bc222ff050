#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Documentation/reliability.adoc: every class of faults has a row, and every row tests that exist.
. "$(dirname "$0")/lib.sh"

# check_page FILE: prints what is wrong in it
check_page()
{
	# Each row "| R1 | ..." goes on to the next empty line; its tests are `FILE`: "NAME".
	awk '
	function tests(row,   at) {
		while (match(row, /`[a-z]+\/[a-z_0-9-]+\.(sh|c)`: "[^"]*"/)) {
			at = substr(row, RSTART, RLENGTH)
			row = substr(row, RSTART + RLENGTH)
			sub(/^`/, "", at)
			sub(/`: "/, "\t", at)
			sub(/"$/, "", at)
			print id "\t" at
			found++
		}
	}
	/^\| R[0-9]+ / { id = $2; found = 0; rows++ }
	id != "" { tests($0) }
	/^$|^\|===/ { if (id != "" && !found) print id "\tnone\t"; id = "" }
	' "$1" >"$tmp/named"
	while IFS="$(printf '\t')" read -r id file name; do
		case $file in
		none) echo "$id has no test" ;;
		*.c) grep -q -F -e "START_TEST($name)" "tests/$file" 2>/dev/null || echo "$id: $file has no $name" ;;
		# Lists of tests with a first word of their own (reason) name them last in a line.
		*) grep -q -E -e "^[[:space:]]*(begin|perf|tma|reason|pinned) " "tests/$file" 2>/dev/null &&
			grep -E -e "^[[:space:]]*(begin|perf|tma|reason|pinned) " "tests/$file" | grep -q -F -e "\"$name\"" ||
			echo "$id: $file has no '$name'" ;;
		esac
	done <"$tmp/named"
	# All numbers up to the last, each once.
	sed -n 's/^| R\([0-9]*\) .*/\1/p' "$1" | sort -n | awk '{ n++; if ($1 != n) { print "number " n " is missing or twice"; exit } }'
	# Those that tests name.
	sed -n 's/^begin "\(R[0-9]*\): .*/\1/p' tests/fault/*.sh | sort -u | while read -r id; do
		grep -q "^| $id " "$1" || echo "a test is of $id, which has no row"
	done
}

page=Documentation/reliability.adoc

begin "every class of faults has tests, and they exist"
check_page $page >"$tmp/wrong"
[ ! -s "$tmp/wrong" ] || fail "the page is not true" "$tmp/wrong"
expect_between "classes" "$(grep -c '^| R[0-9]' $page)" 58 1000

begin "a row without a test, one of a test that is gone, and a number twice are told"
# shellcheck disable=SC2016 # backquotes of the page
sed -e 's/`cli\/stat.sh`: "the status is the command.s"/none/' -e 's/interrupted_read_is_tried_again/gone/' \
	-e 's/^| R31 /| R30 /' -e 's/every signal that ends a command/no signal that ends a command/' $page >"$tmp/page.adoc"
check_page "$tmp/page.adoc" >"$tmp/wrong"
sort -o "$tmp/wrong" "$tmp/wrong"
expect_file "$tmp/wrong" <<'END'
R19: unit/test_count_read.c has no gone
R1: fault/run.sh has no 'no signal that ends a command is in the status'
R2 has no test
number 31 is missing or twice
END

begin "the page is a document"
needs_command asciidoctor
run asciidoctor --failure-level WARN -o "$tmp/page.html" $page
expect_status 0
expect_empty stderr
