#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$(dirname "$0")/lib.sh"

begin "the sources follow the house rules"
run scripts/check-style
expect_status 0
expect_empty stdout

begin "a file that breaks them is told"
{
	printf 'int f(void)\n{\n'
	for i in $(seq 81); do printf '\tg(%d);\n' "$i"; done
	printf '}\nint h; /* %0100d */\n' 0
	printf 'f("%060d", %050d);\nf("a", %0100d);\n' 0 0 0
	printf '/* TO''DO */ \n'
} >"$tmp/bad.c"
run scripts/check-style "$tmp/bad.c"
expect_status 1
expect_stdout <<END
$tmp/bad.c:1: no SPDX-License-Identifier: GPL-2.0-only in the first line
$tmp/bad.c:2: function of 81 lines, more than 80
$tmp/bad.c:85: 113 columns, more than 100
$tmp/bad.c:87: 109 columns, more than 100
$tmp/bad.c:88: unfinished work is noted
$tmp/bad.c:88: blank at the end of the line
END
